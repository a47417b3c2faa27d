/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slurm.conf, slurmdbd.conf and cgroup.conf as slurm-operator 1.2 writes them
 * (controller_config.go:buildSlurmConf, accounting_config.go:buildSlurmdbdConf, worker_app.go:
 * slurmdConfArgs). Nodes are dynamic: their lines are the words that slurmd is started with.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "kube/value.h"
#include "passes/assemble.h"
#include "schema/setting.h"
#include "schema/value.h"

/* ---- merged keys ---- */

static bool is_merged(const struct plumb_kube_owned *rows, size_t count,
                      const struct plumb_param *p)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].how, "merged") == 0 && plumb_same_nocase(rows[i].key, p->name))
            return true;
    }
    return false;
}

struct options {
    const char **items; /* in small letters */
    size_t count, cap;
};

static size_t name_len(const char *option)
{
    return strcspn(option, "=");
}

/* An option whose name is there already is left out. */
static void add_option(struct plumb_assembly *as, struct options *o, const struct plumb_slice *item)
{
    char *text = plumb_arena_strndup(as->a, item->text, item->len);

    for (char *c = text; *c != '\0'; c++)
        *c = plumb_lower(*c);
    for (size_t i = 0; i < o->count; i++) {
        if (name_len(o->items[i]) == name_len(text) &&
            strncmp(o->items[i], text, name_len(text)) == 0)
            return;
    }
    o->items = plumb_arena_grow(as->a, o->items, o->count, &o->cap, sizeof(o->items[0]));
    o->items[o->count++] = text;
}

static int by_name(const void *x, const void *y)
{
    const char *const *a = x, *const *b = y;

    return strcmp(*a, *b);
}

/* What the operator and the user say of one key, sorted; common.BuildMergedConfig. */
static const char *united(struct plumb_assembly *as, const struct plumb_slice *own,
                          const struct plumb_slice *given)
{
    const struct plumb_slice *lists[] = {own, given};
    struct options all = {0};
    struct plumb_buf b = plumb_buf_in(as->a);

    for (size_t i = 0; i < PLUMB_COUNT(lists); i++) {
        struct plumb_list_cursor c = {0};
        struct plumb_slice item;

        while (plumb_list_next(lists[i], ',', &c, &item)) {
            if (item.len > 0)
                add_option(as, &all, &item);
        }
    }
    if (all.count > 1)
        qsort(all.items, all.count, sizeof(all.items[0]), by_name);
    for (size_t i = 0; i < all.count; i++)
        plumb_buf_printf(&b, "%s%s", i > 0 ? "," : "", all.items[i]);
    return plumb_buf_text(&b);
}

/* The first value of a key among the lines at hand, and the last one behind it; NULL: only one. */
static const struct plumb_setting *last_given(const struct plumb_conf *doc,
                                              const struct plumb_param *p,
                                              const struct plumb_setting **own)
{
    const struct plumb_setting *last = NULL;

    *own = NULL;
    for (size_t i = 0; i < doc->count; i++) {
        const struct plumb_conf_line *line = &doc->lines[i];

        if (line->kind != PLUMB_CONF_PAIR || line->count == 0 || line->pairs[0].param != p)
            continue;
        if (*own == NULL)
            *own = &line->pairs[0];
        else
            last = &line->pairs[0];
    }
    return last;
}

/* The merged keys once more, where the user says one. */
static void merge(struct plumb_assembly *as, const struct plumb_kube_owned *rows, size_t count)
{
    size_t own_lines = as->doc->count;

    for (size_t i = 0; i < own_lines; i++) {
        const struct plumb_conf_line *line = &as->doc->lines[i];
        const struct plumb_setting *pair = NULL, *own = NULL, *given = NULL;

        if (line->kind != PLUMB_CONF_PAIR || line->count == 0 || line->pairs[0].param == NULL ||
            !is_merged(rows, count, line->pairs[0].param))
            continue;
        pair = &line->pairs[0];
        given = last_given(as->doc, pair->param, &own);
        if (own != pair || given == NULL)
            continue;
        plumb_conf_add(as->doc, plumb_conf_line(as->doc, PLUMB_SCOPE_GLOBAL),
                       (enum plumb_param_id)pair->param->id, united(as, &own->value, &given->value),
                       given->value.at);
    }
}

/* ---- node sets ---- */

/* common.GetSlurmNodeSetName: the host name of the pods without its dashes. */
static const char *slurm_name(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    const char *host = plumb_node_text(plumb_assemble_at(o, "spec/template/spec/hostname"));
    size_t end = host == NULL ? 0 : strlen(host), begin = 0;

    while (end > 0 && host[end - 1] == '-')
        end--;
    while (begin < end && host[begin] == '-')
        begin++;
    return end == 0 ? o->name : plumb_arena_strndup(as->a, host + begin, end - begin);
}

/* Pods are "<hostname>N", and of a set without a host name "<name>-N". */
static const char *pods_of(struct plumb_assembly *as, const struct plumb_kube_object *o,
                           uint64_t count)
{
    const char *host = plumb_node_text(plumb_assemble_at(o, "spec/template/spec/hostname"));
    uint64_t digits = plumb_assemble_count(o, "spec/ordinalPadding", 0);

    return plumb_assemble_pods(
        as, host != NULL && host[0] != '\0' ? host : plumb_arena_printf(as->a, "%s-", o->name),
        count, digits > 9 ? 9 : (unsigned)digits);
}

static bool is_feature(const struct plumb_setting *s)
{
    return s->param != NULL &&
           (s->param->id == PLUMB_P_NODE_FEATURE || s->param->id == PLUMB_P_NODE_FEATURES);
}

/* A key that comes again is joined by a comma to what was there; Feature is Features. */
static void join_words(struct plumb_assembly *as, struct plumb_conf_line *line)
{
    size_t kept = 1;

    for (size_t i = 1; i < line->count; i++) {
        struct plumb_setting *s = &line->pairs[i];
        size_t same = 1;

        while (same < kept && !(line->pairs[same].param != NULL &&
                                (line->pairs[same].param == s->param ||
                                 (is_feature(&line->pairs[same]) && is_feature(s)))))
            same++;
        if (same == kept) {
            line->pairs[kept++] = *s;
            continue;
        }
        line->pairs[same].value = (struct plumb_slice){
            .text = plumb_arena_printf(as->a, "%s,%s", line->pairs[same].value.text, s->value.text),
            .len = line->pairs[same].value.len + 1 + s->value.len,
            .lead = PLUMB_SLICE_MADE,
            .at = s->value.at,
        };
        line->pairs[same].key_at = s->key_at;
    }
    line->count = kept;
}

static const struct plumb_setting *word_of(const struct plumb_conf_line *line,
                                           enum plumb_param_id id)
{
    for (size_t i = 1; i < line->count; i++) {
        if (line->pairs[i].param != NULL && line->pairs[i].param->id == (unsigned)id)
            return &line->pairs[i];
    }
    return NULL;
}

/* The image makes MemSpecLimit of the memory that the limit of the pod leaves out. */
static void add_memory(struct plumb_assembly *as, struct plumb_conf_line *line,
                       const struct plumb_kube_object *o)
{
    const struct plumb_node *n = plumb_assemble_at(o, "spec/slurmd/resources/limits/memory");
    const struct plumb_setting *real = word_of(line, PLUMB_P_NODE_REALMEMORY);
    uint64_t limit = plumb_assemble_bytes(n) >> 20, mib = 0;

    if (real == NULL || limit == 0 || word_of(line, PLUMB_P_NODE_MEMSPECLIMIT) != NULL ||
        !plumb_read_digits(real->value.text, real->value.len, &mib) || limit >= mib)
        return;
    plumb_conf_add_u64(as->doc, line, PLUMB_P_NODE_MEMSPECLIMIT, mib - limit, n->at);
}

static void add_node(struct plumb_assembly *as, const struct plumb_kube_object *o, const char *name)
{
    uint64_t count = plumb_assemble_replicas(o, 1);
    const char *mode = plumb_node_text(plumb_assemble_at(o, "spec/scalingMode"));
    struct plumb_conf_line *line = NULL;

    if ((mode != NULL && strcmp(mode, "DaemonSet") == 0) ||
        plumb_kube_true(plumb_assemble_at(o, "spec/template/spec/hostNetwork")) ||
        count > PLUMB_MAX_HOST_RANGE) {
        as->doc->partial = true; /* nodes of Kubernetes have their names */
        return;
    }
    if (count == 0)
        return;
    line = plumb_conf_line(as->doc, PLUMB_SCOPE_NODE);
    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_NODENAME, pods_of(as, o, count), o->name_at);
    plumb_conf_add(as->doc, line, PLUMB_P_NODE_FEATURES, name, o->name_at);
    plumb_assemble_words(as, line, plumb_assemble_part(as, o, "spec/extraConf"));
    join_words(as, line);
    add_memory(as, line, o);
}

static void add_set(struct plumb_assembly *as, const struct plumb_kube_object *o)
{
    const char *name = slurm_name(as, o);
    struct plumb_conf_line *line = plumb_conf_line(as->doc, PLUMB_SCOPE_NODESET);

    plumb_conf_add(as->doc, line, PLUMB_P_SLURM_NODESET, name, o->name_at);
    plumb_conf_add(as->doc, line, PLUMB_P_NODESET_FEATURE, name, o->name_at);
    if (plumb_kube_true(plumb_assemble_at(o, "spec/partition/enabled"))) {
        struct plumb_span at =
            plumb_node_pair(plumb_node_path(o->root, "spec"), "partition")->key->at;

        line = plumb_conf_line(as->doc, PLUMB_SCOPE_PARTITION);
        plumb_conf_add(as->doc, line, PLUMB_P_SLURM_PARTITIONNAME, name, at);
        plumb_conf_add(as->doc, line, PLUMB_P_PART_NODES, name, at);
        plumb_assemble_words(as, line, plumb_assemble_part(as, o, "spec/partition/config"));
    }
    add_node(as, o, name);
}

/* ---- scripts ---- */

static int by_text(const void *x, const void *y)
{
    const struct plumb_node *const *a = x, *const *b = y;

    return strcmp((*a)->scalar.text, (*b)->scalar.text);
}

static const struct plumb_kube_object *config_map(const struct plumb_assembly *as, const char *name)
{
    const struct plumb_kube_objects *all = as->run->kube;

    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_kube_object *o = &all->items[i];

        if (strcmp(o->api, "v1") == 0 && strcmp(o->kind, "ConfigMap") == 0 &&
            strcmp(o->name, name) == 0 && strcmp(o->space, as->cluster->space) == 0)
            return o;
    }
    return NULL;
}

/* A line for each script, by name: of /etc/slurm for slurmctld, without a folder for slurmd. */
static void add_scripts(struct plumb_assembly *as, const char *refs, enum plumb_param_id id,
                        const char *folder)
{
    const struct plumb_node *list = plumb_assemble_at(as->cluster, refs);
    const struct plumb_node **names = NULL;
    size_t count = 0, cap = 0;

    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++) {
        const char *name = plumb_node_text(plumb_node_get(list->items[i], "name"));
        const struct plumb_kube_object *o = name == NULL ? NULL : config_map(as, name);
        const struct plumb_node *data = o == NULL ? NULL : plumb_node_get(o->root, "data");

        for (uint32_t k = 0; data != NULL && data->kind == PLUMB_MAPPING && k < data->count; k++) {
            if (data->pairs[k].key->kind != PLUMB_SCALAR)
                continue;
            names = plumb_arena_grow(as->a, names, count, &cap, sizeof(names[0]));
            names[count++] = data->pairs[k].key;
        }
    }
    if (count > 1)
        qsort(names, count, sizeof(names[0]), by_text);
    for (size_t i = 0; i < count; i++)
        plumb_conf_add(as->doc, plumb_conf_line(as->doc, PLUMB_SCOPE_GLOBAL), id,
                       plumb_arena_printf(as->a, "%s%s", folder, names[i]->scalar.text),
                       names[i]->at);
}

/* ---- the files ---- */

static const struct plumb_kube_object *accounting_of(const struct plumb_assembly *as)
{
    const char *name = as->accounting_name;
    const struct plumb_kube_objects *all = as->run->kube;

    for (size_t i = 0; name != NULL && i < all->count; i++) {
        const struct plumb_kube_object *o = &all->items[i];

        if (!o->patch && o->row != NULL && strcmp(o->kind, "Accounting") == 0 &&
            strcmp(o->name, name) == 0 && strcmp(o->api, as->cluster->api) == 0)
            return o;
    }
    return NULL;
}

static void assemble_slurm(struct plumb_assembly *as)
{
    plumb_assemble_new(as, PLUMB_SLURM_CONF,
                       plumb_assemble_place(as->cluster, "spec", "extraConf"));
    as->doc->dynamic = true;
    plumb_assemble_own(as, as->cluster);
    add_scripts(as, "spec/prologSlurmctldScriptRefs", PLUMB_P_SLURM_PROLOGSLURMCTLD, "/etc/slurm/");
    add_scripts(as, "spec/epilogSlurmctldScriptRefs", PLUMB_P_SLURM_EPILOGSLURMCTLD, "/etc/slurm/");
    add_scripts(as, "spec/prologScriptRefs", PLUMB_P_SLURM_PROLOG, "");
    add_scripts(as, "spec/epilogScriptRefs", PLUMB_P_SLURM_EPILOG, "");
    for (size_t i = 0; i < as->set_count; i++)
        add_set(as, as->sets[i]);
    plumb_assemble_lines(as, plumb_assemble_part(as, as->cluster, "spec/extraConf"));
    if (as->writes != NULL)
        merge(as, as->writes->owned, as->writes->owned_count);
}

void plumb_assemble_slinky(struct plumb_assembly *as)
{
    const struct plumb_node *ref = plumb_assemble_at(as->cluster, "spec/accountingRef/name");

    if (plumb_kube_true(plumb_assemble_at(as->cluster, "spec/external")))
        return; /* its files are on another machine */
    as->accounting_name = plumb_node_text(ref);
    if (ref != NULL)
        as->accounting_at = ref->at;
    as->accounting = accounting_of(as);
    assemble_slurm(as);
    if (as->run->conf[PLUMB_CGROUP_CONF] == NULL) {
        plumb_assemble_new(as, PLUMB_CGROUP_CONF,
                           plumb_assemble_place(as->cluster, "spec", "extraConf"));
        plumb_assemble_own(as, as->cluster);
    }
    if (as->accounting == NULL ||
        plumb_kube_true(plumb_assemble_at(as->accounting, "spec/external")))
        return;
    plumb_assemble_new(as, PLUMB_SLURMDBD_CONF,
                       plumb_assemble_place(as->accounting, "spec", "extraConf"));
    plumb_assemble_own(as, as->accounting);
    plumb_assemble_lines(as, plumb_assemble_part(as, as->accounting, "spec/extraConf"));
    if (as->writes != NULL)
        merge(as, as->writes->owned_dbd, as->writes->owned_dbd_count);
}
