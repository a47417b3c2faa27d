/* SPDX-License-Identifier: Apache-2.0 */
/* Pass sort-inputs: what each file is. Folders are walked by the API. */
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "capture/ibnet.h"
#include "capture/ibstat.h"
#include "capture/mig_minors.h"
#include "capture/nccl.h"
#include "capture/slurmd_c.h"
#include "capture/slurmd_g.h"
#include "capture/smi_gpus.h"
#include "capture/verbs.h"
#include "conf/conf.h"
#include "job/job.h"
#include "kube/object.h"
#include "live/live.h"
#include "passes/accounts.h"
#include "passes/capture_names.h"
#include "passes/sniff.h"
#include "syntax/smi_topo.h"

enum { LOOKED_AT = 65536 }; /* bytes of a file that decide */

/* The words of --as for what is no Slurm file. */
static const struct {
    const char *word;
    enum plumb_source_kind kind;
} kind_words[] = {
    {"specification", PLUMB_KIND_SPEC},
    {"hwloc", PLUMB_KIND_HWLOC},
    {"topo", PLUMB_KIND_SMI_TOPO},
    {"nvidia-smi-L", PLUMB_KIND_SMI_LIST},
    {"nvidia-smi-q", PLUMB_KIND_SMI_QUERY},
    {"mig-minors", PLUMB_KIND_MIG_MINORS},
    {"slurmd-C", PLUMB_KIND_SLURMD_C},
    {"slurmd-G", PLUMB_KIND_SLURMD_G},
    {"kubernetes", PLUMB_KIND_KUBE},
    {"values.yaml", PLUMB_KIND_VALUES},
    {"nccl", PLUMB_KIND_NCCL},
    {"ibnetdiscover", PLUMB_KIND_IBNET},
    {"ibstat", PLUMB_KIND_IBSTAT},
    {"infiniband-verbs", PLUMB_KIND_VERBS},
    {"topograph", PLUMB_KIND_TOPOGRAPH},
    {"nccl-dump", PLUMB_KIND_NCCL_DUMP},
    {"plugstack.conf", PLUMB_KIND_PLUGSTACK},
    {"job", PLUMB_KIND_JOB},
    {"accounts", PLUMB_KIND_ACCOUNTS},
};

/* The text holds a word anywhere in its first bytes. */
static bool holds(const struct plumb_source *src, const char *word)
{
    size_t len = src->len < LOOKED_AT ? src->len : LOOKED_AT, want = strlen(word);

    for (size_t i = 0; i + want <= len; i++) {
        const char *at = memchr(src->bytes + i, word[0], len - i - want + 1);

        if (at == NULL)
            return false;
        i = (size_t)(at - src->bytes);
        if (memcmp(at, word, want) == 0)
            return true;
    }
    return false;
}

/* A line begins with this key of a YAML mapping. */
static bool has_key(const struct plumb_source *src, const char *key)
{
    size_t len = src->len < LOOKED_AT ? src->len : LOOKED_AT, want = strlen(key);
    size_t from = len >= 3 && memcmp(src->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (from + want <= len) {
        const char *end = memchr(src->bytes + from, '\n', len - from);

        if (memcmp(src->bytes + from, key, want) == 0 &&
            (from + want == len || plumb_is_blank(src->bytes[from + want])))
            return true;
        if (end == NULL)
            return false;
        from = (size_t)(end - src->bytes) + 1;
    }
    return false;
}

/* Of the three keys that all objects have, one may be lost: the reader says which. */
static bool is_object(const struct plumb_source *src)
{
    return has_key(src, "apiVersion:") + has_key(src, "kind:") + has_key(src, "metadata:") >= 2;
}

/* Commands that fill slurmdbd or make reservations, or what `sacctmgr dump` writes. */
static bool is_accounts(const struct plumb_source *src)
{
    return has_key(src, "sacctmgr") || has_key(src, "scontrol create reservation") ||
           plumb_acct_is_dump(src);
}

/* What the content proves; UNKNOWN when it proves nothing. */
static enum plumb_source_kind by_content(const struct plumb_source *src)
{
    char first = *plumb_source_begin(src);

    if (memchr(src->bytes, '\0', src->len < LOOKED_AT ? src->len : LOOKED_AT) != NULL)
        return PLUMB_KIND_OTHER;
    if (first == '<' && plumb_smi_query_sniff(src->bytes, src->len))
        return PLUMB_KIND_SMI_QUERY;
    if (first == '<')
        return holds(src, "<topology")                  ? PLUMB_KIND_HWLOC
               : plumb_nccl_sniff(src->bytes, src->len) ? PLUMB_KIND_NCCL
                                                        : PLUMB_KIND_OTHER;
    if (plumb_slurmd_g_sniff(src->bytes, src->len)) /* a log may begin with "[2026-..." */
        return PLUMB_KIND_SLURMD_G;
    if ((first == '{' || first == '[') && holds(src, "\"kind\"") && holds(src, "\"apiVersion\""))
        return PLUMB_KIND_KUBE;
    if (first == '{')
        return PLUMB_KIND_UNKNOWN;
    if (has_key(src, "plumb:"))
        return PLUMB_KIND_SPEC;
    if (is_object(src))
        return PLUMB_KIND_KUBE;
    if (has_key(src, "blocks:") && holds(src, "nodes:"))
        return PLUMB_KIND_TOPOGRAPH;
    if (!plumb_ends_with(src->path, ".conf") &&
        plumb_kube_values_sniff(src->bytes, src->len) != NULL)
        return PLUMB_KIND_VALUES;
    if (plumb_smi_topo_sniff(src->bytes, src->len))
        return PLUMB_KIND_SMI_TOPO;
    if (plumb_smi_list_sniff(src->bytes, src->len))
        return PLUMB_KIND_SMI_LIST;
    if (plumb_slurmd_c_sniff(src->bytes, src->len))
        return PLUMB_KIND_SLURMD_C;
    if (plumb_mig_minors_sniff(src->bytes, src->len))
        return PLUMB_KIND_MIG_MINORS;
    if (plumb_ibstat_sniff(src->bytes, src->len))
        return PLUMB_KIND_IBSTAT;
    if (plumb_verbs_sniff(src->bytes, src->len))
        return PLUMB_KIND_VERBS;
    if (plumb_ibnet_sniff(src->bytes, src->len))
        return PLUMB_KIND_IBNET;
    if (is_accounts(src))
        return PLUMB_KIND_ACCOUNTS;
    return PLUMB_KIND_UNKNOWN;
}

/* A file that daemons look for under this name. */
static bool is_slurm_name(const char *name, struct plumb_input *in)
{
    enum plumb_file file = plumb_file_named(name);

    if (file == PLUMB_FILE_COUNT)
        return false;
    in->conf_file = file;
    in->kind = plumb_file_is_yaml(file) ? PLUMB_KIND_NESTED : PLUMB_KIND_CONF;
    return true;
}

/* Files in YAML by the keys that they begin with. */
static bool is_tree(struct plumb_input *in)
{
    static const struct {
        const char *key;
        enum plumb_file file;
    } keys[] = {
        {"- topology:", PLUMB_TOPOLOGY_YAML},
        {"- resource:", PLUMB_RESOURCES_YAML},
        {"node_confs:", PLUMB_NAMESPACE_YAML},
    };

    for (size_t i = 0; i < PLUMB_COUNT(keys); i++) {
        if (!has_key(in->src, keys[i].key))
            continue;
        in->conf_file = keys[i].file;
        in->kind = PLUMB_KIND_NESTED;
        return true;
    }
    return false;
}

static bool is_yaml_name(const char *name)
{
    return plumb_ends_with(name, ".yaml") || plumb_ends_with(name, ".yml");
}

/* What a name tells; for a file that the user gave, also what the lines look like. */
static void by_name(struct plumb_input *in)
{
    const char *name = plumb_path_base(in->path);

    if (is_slurm_name(name, in) || (in->listed && is_yaml_name(name) && is_tree(in)))
        return;
    if (strcmp(name, "kustomization.yaml") == 0 || strcmp(name, "kustomization.yml") == 0) {
        in->kind = PLUMB_KIND_KUBE;
    } else if (strcmp(name, "plugstack.conf") == 0) {
        in->kind = PLUMB_KIND_PLUGSTACK;
    } else if (strcmp(name, "cluster.yaml") == 0 || strcmp(name, "cluster.yml") == 0 ||
               (in->listed && is_yaml_name(name))) {
        in->kind = PLUMB_KIND_SPEC; /* its reader says what is missing */
    } else if (in->listed) {
        in->conf_file = plumb_conf_sniff(in->path, in->src->bytes, in->src->len);
        in->kind = in->conf_file == PLUMB_FILE_COUNT ? PLUMB_KIND_UNKNOWN : PLUMB_KIND_CONF;
    }
}

/* A node line alone in a folder of facts; beside a slurm.conf it may be kept for that. */
static bool is_pasted_line(const struct plumb_input *in)
{
    return in->group != NULL && !plumb_ends_with(in->path, ".conf") &&
           plumb_slurmd_c_bare(in->src->bytes, in->src->len);
}

/*
 * Dumps of jobs and files for jobs have one format. A file called a dump lies there as a capture;
 * a graph file called a topology was meant to be one.
 */
static void by_nccl_name(struct plumb_input *in)
{
    const char *name = plumb_path_base(in->path);

    if (in->kind == PLUMB_KIND_NCCL && strstr(name, "dump") != NULL)
        in->kind = PLUMB_KIND_NCCL_DUMP;
    else if (in->kind == PLUMB_KIND_OTHER && strstr(name, "topo") != NULL &&
             holds(in->src, "<graphs version="))
        in->kind = PLUMB_KIND_NCCL;
}

void plumb_sniff(struct plumb_input *in)
{
    in->kind = by_content(in->src);
    by_nccl_name(in);
    if (in->kind == PLUMB_KIND_UNKNOWN || in->kind == PLUMB_KIND_OTHER) {
        enum plumb_source_kind named = plumb_capture_named(in->src);

        in->kind = named == PLUMB_KIND_UNKNOWN ? in->kind : named;
    }
    if (in->kind == PLUMB_KIND_UNKNOWN && is_pasted_line(in))
        in->kind = PLUMB_KIND_SLURMD_C;
    if (in->kind == PLUMB_KIND_UNKNOWN && in->listed &&
        plumb_job_sniff(in->src->bytes, in->src->len))
        in->kind = PLUMB_KIND_JOB;
    if (in->kind == PLUMB_KIND_UNKNOWN || in->kind == PLUMB_KIND_OTHER) {
        enum plumb_source_kind content = in->kind;

        by_name(in);
        if (in->kind == PLUMB_KIND_UNKNOWN)
            in->kind = content;
    }
}

void plumb_sniff_live(struct plumb_input *in)
{
    if (by_content(in->src) == PLUMB_KIND_KUBE)
        in->kind = PLUMB_KIND_LIVE_KUBE;
    else if (plumb_live_sniff(in->src) != PLUMB_LIVE_NONE)
        in->kind = PLUMB_KIND_LIVE;
}

bool plumb_kind_read(const char *name, struct plumb_input *in)
{
    if (is_slurm_name(name, in))
        return true;
    for (size_t i = 0; i < PLUMB_COUNT(kind_words); i++) {
        if (strcmp(kind_words[i].word, name) == 0) {
            in->kind = kind_words[i].kind;
            return true;
        }
    }
    return false;
}

const char *plumb_kind_words(struct plumb_arena *a)
{
    struct plumb_buf out = plumb_buf_in(a);

    for (unsigned f = 0; f < PLUMB_FILE_COUNT; f++)
        plumb_buf_printf(&out, "%s%s", f == 0 ? "" : ", ", plumb_file_name((enum plumb_file)f));
    for (size_t i = 0; i < PLUMB_COUNT(kind_words); i++)
        plumb_buf_printf(&out, ", %s", kind_words[i].word);
    return plumb_buf_text(&out);
}

void plumb_pass_sort_inputs(struct plumb_run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        struct plumb_input *in = &r->inputs[i];

        if (in->kind == PLUMB_KIND_UNKNOWN && in->src != NULL)
            plumb_sniff(in);
        if (in->kind == PLUMB_KIND_OTHER && in->src != NULL)
            plumb_capture_name_check(r->session, in->src);
    }
}
