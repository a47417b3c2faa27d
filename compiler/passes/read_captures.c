/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads captures into groups: those given by hand, grouped by folder, and those that a
 * specification names. Equal files are parsed once, however many groups hold them.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/text.h"
#include "capture/hwloc.h"
#include "capture/ibstat.h"
#include "capture/kube_node.h"
#include "capture/mig_minors.h"
#include "capture/nccl.h"
#include "capture/rules.h"
#include "capture/verbs.h"
#include "passes/capture_names.h"
#include "passes/captures.h"
#include "passes/sniff.h"
#include "syntax/json.h"
#include "syntax/yaml.h"

/* What one file holds; kept by content. */
struct parsed {
    const struct plumb_source *src;
    enum plumb_source_kind kind;
    struct plumb_hwloc *hwloc;
    struct plumb_smi_topo *smi;
    struct plumb_smi_gpus *gpus; /* of -L or of -q -x */
    struct plumb_mig_minors *minors;
    struct plumb_slurmd_c *slurmd;
    struct plumb_slurmd_g *gres;
    struct plumb_nccl *nccl;
    struct plumb_ibstat *ibstat;
    struct plumb_verbs_table *verbs;
    struct plumb_node **documents;
    size_t document_count;
};

struct names {
    const char **items;
    size_t count, cap;
};

struct plumb_captures *plumb_captures_of(struct plumb_run *r)
{
    if (r->captures == NULL) {
        r->captures = PLUMB_NEW(r->session->arena, struct plumb_captures);
        r->captures->by_content = plumb_map_in(r->session->arena);
    }
    return r->captures;
}

static const char *folder_of(struct plumb_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return ".";
    return slash == path ? "/" : plumb_arena_strndup(a, path, (size_t)(slash - path));
}

static const char *join(struct plumb_arena *a, const char *folder, const char *name)
{
    while (plumb_starts_with(name, "./"))
        name += 2;
    if (name[0] == '/' || strcmp(folder, ".") == 0 || folder[0] == '\0')
        return plumb_arena_strdup(a, name);
    return plumb_arena_printf(a, "%s%s%s", folder, plumb_ends_with(folder, "/") ? "" : "/", name);
}

/* Without "./" in front and "/" behind, so that one folder has one name. */
static const char *tidy(struct plumb_arena *a, const char *path)
{
    size_t len = 0;

    while (plumb_starts_with(path, "./") && path[2] != '\0')
        path += 2;
    len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    return plumb_arena_strndup(a, path, len);
}

static struct plumb_capture_group *find_group(const struct plumb_captures *c, const char *path)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->groups[i]->path, path) == 0)
            return c->groups[i];
    }
    return NULL;
}

static struct plumb_capture_group *add_group(struct plumb_run *r, const char *name,
                                             const char *path)
{
    struct plumb_captures *c = plumb_captures_of(r);
    struct plumb_arena *a = r->session->arena;
    struct plumb_capture_group *g = PLUMB_NEW(a, struct plumb_capture_group);

    g->name = name;
    g->path = path;
    c->groups = plumb_arena_grow(a, c->groups, c->count, &c->cap, sizeof(*c->groups));
    c->groups[c->count++] = g;
    return g;
}

/* A folder of dumps may hold notes and other files too: what is no capture is left alone. */
static enum plumb_source_kind sniff(struct plumb_source *src)
{
    static const enum plumb_source_kind captures[] = {
        PLUMB_KIND_HWLOC,    PLUMB_KIND_SMI_TOPO,  PLUMB_KIND_SMI_QUERY,  PLUMB_KIND_SMI_LIST,
        PLUMB_KIND_SLURMD_C, PLUMB_KIND_SLURMD_G,  PLUMB_KIND_MIG_MINORS, PLUMB_KIND_IBSTAT,
        PLUMB_KIND_KUBE,     PLUMB_KIND_NCCL_DUMP, PLUMB_KIND_VERBS,
    };
    struct plumb_input in = {
        .path = src->path,
        .shown = src->path,
        .group = "a machine",
        .src = src,
    };

    plumb_sniff(&in);
    for (size_t i = 0; i < PLUMB_COUNT(captures); i++) {
        if (in.kind == captures[i])
            return in.kind;
    }
    return PLUMB_KIND_UNKNOWN;
}

static void parse_kube(struct plumb_session *s, struct parsed *p)
{
    if (*plumb_source_begin(p->src) == '{') {
        struct plumb_node *root = plumb_json_read(s, p->src);

        if (root == NULL)
            return;
        p->documents = PLUMB_NEW_ARRAY(s->arena, 1, struct plumb_node *);
        p->documents[p->document_count++] = root;
        return;
    }

    struct plumb_yaml *y = plumb_yaml_read(s, p->src);

    p->documents = y->documents;
    p->document_count = y->count;
}

static const struct parsed *parse(struct plumb_run *r, const struct plumb_source *src,
                                  enum plumb_source_kind kind)
{
    struct plumb_session *s = r->session;
    const char *key = plumb_arena_printf(s->arena, "%d:%u:%016llx", (int)kind, (unsigned)src->len,
                                         (unsigned long long)plumb_hash(src->bytes, src->len));
    struct plumb_map *known = &plumb_captures_of(r)->by_content;
    struct parsed *p = plumb_map_get(known, key);

    if (p != NULL && memcmp(p->src->bytes, src->bytes, src->len) == 0)
        return p;
    p = PLUMB_NEW(s->arena, struct parsed);
    p->src = src;
    p->kind = kind;
    if (kind == PLUMB_KIND_HWLOC)
        p->hwloc = plumb_hwloc_read(s, src);
    else if (kind == PLUMB_KIND_SMI_TOPO)
        p->smi = plumb_smi_topo_read(s, src);
    else if (kind == PLUMB_KIND_SMI_LIST)
        p->gpus = plumb_smi_list_read(s, src);
    else if (kind == PLUMB_KIND_SMI_QUERY)
        p->gpus = plumb_smi_query_read(s, src);
    else if (kind == PLUMB_KIND_MIG_MINORS)
        p->minors = plumb_mig_minors_read(s, src);
    else if (kind == PLUMB_KIND_SLURMD_C)
        p->slurmd = plumb_slurmd_c_read(s, src);
    else if (kind == PLUMB_KIND_SLURMD_G)
        p->gres = plumb_slurmd_g_read(s, src);
    else if (kind == PLUMB_KIND_IBSTAT)
        p->ibstat = plumb_ibstat_read(s, src);
    else if (kind == PLUMB_KIND_VERBS)
        p->verbs = plumb_verbs_read(s, src);
    else if (kind == PLUMB_KIND_NCCL_DUMP)
        p->nccl = plumb_nccl_read(s, src, false);
    else if (kind == PLUMB_KIND_KUBE)
        parse_kube(s, p);
    plumb_map_set(known, key, p);
    return p;
}

static void report_second(struct plumb_run *r, const struct plumb_capture_group *g,
                          const struct plumb_source *src, const struct plumb_source *first,
                          const char *what)
{
    struct plumb_span at = {src->id, 0, 0}, used = {first->id, 0, 0};
    struct plumb_diag *d =
        plumb_hw_report(r->session, PLUMB_HW_SECOND, at,
                        "'%s' is the second %s of capture '%s', expected one; it is not used",
                        src->path, what, g->name);

    plumb_diag_note(d, used, "the one that is used");
    plumb_diag_help(d, "give each machine a folder; plumb topo --audit tells machines in one "
                       "folder apart");
}

static void add_nodes(struct plumb_run *r, struct plumb_capture_group *g, const struct parsed *p,
                      bool asked_for)
{
    bool any = false;

    for (size_t i = 0; i < p->document_count; i++)
        any = any || plumb_kube_nodes_sniff(p->documents[i]);
    for (size_t i = 0; i < p->document_count; i++) {
        if (plumb_kube_nodes_sniff(p->documents[i]) || (asked_for && !any && i == 0))
            (void)plumb_kube_nodes_add(r->session, g, p->documents[i]);
    }
}

/* The letters behind "p2p" in a name: "nvidia-smi-p2p-r.txt", "p2p-rw-2gpu.txt". */
static const char *peer_kind(struct plumb_arena *a, const char *path)
{
    const char *name = strstr(plumb_path_base(path), "p2p");
    size_t n = 0;

    if (name == NULL)
        return NULL;
    name += strlen("p2p");
    name += strspn(name, "-_.");
    n = strspn(name, "rwnap");
    if (n == 0 || strchr("-_.", name[n]) == NULL)
        return NULL;
    return n == 1 || (n == 2 && plumb_starts_with(name, "rw")) ? plumb_arena_strndup(a, name, n)
                                                               : NULL;
}

static void add_peers(struct plumb_run *r, struct plumb_capture_group *g,
                      const struct plumb_source *src, const struct plumb_smi_topo *t)
{
    struct plumb_arena *a = r->session->arena;
    const char *kind = peer_kind(a, src->path);

    for (size_t i = 0; i < g->peer_count; i++) {
        const char *other = g->peers[i].kind;

        if ((kind == NULL) != (other == NULL) || (kind != NULL && strcmp(kind, other) != 0))
            continue;
        if (g->peers[i].src != src)
            report_second(r, g, src, g->peers[i].src, "peer matrix of its kind");
        return;
    }
    g->peers = plumb_arena_grow(a, g->peers, g->peer_count, &g->peer_cap, sizeof(*g->peers));
    g->peers[g->peer_count++] = (struct plumb_capture_peers){.topo = t, .src = src, .kind = kind};
}

/* True when what was read is the first of its kind in the group; a second one is a finding. */
static bool is_first(struct plumb_run *r, const struct plumb_capture_group *g,
                     const struct plumb_source *src, const void *read, const void *held,
                     const struct plumb_source *held_src, const char *what)
{
    if (read == NULL || read == held)
        return false;
    if (held == NULL)
        return true;
    report_second(r, g, src, held_src, what);
    return false;
}

/* p->X becomes g->Y unless the group has one. */
#define TAKE(read, held, what)                                                                     \
    do {                                                                                           \
        if (is_first(r, g, src, read, held, (held) == NULL ? NULL : (held)->src, what))            \
            (held) = (read);                                                                       \
    } while (0)

/* True when the file is of a kind that captures have, readable or not. */
static bool add_file(struct plumb_run *r, struct plumb_capture_group *g,
                     const struct plumb_source *src, enum plumb_source_kind kind, bool asked_for)
{
    if (kind == PLUMB_KIND_UNKNOWN)
        return false;

    const struct parsed *p = parse(r, src, kind);

    if (g->first == NULL)
        g->first = src;
    TAKE(p->hwloc, g->hwloc, "hwloc file");
    if (p->smi != NULL && p->smi->peers)
        add_peers(r, g, src, p->smi);
    else
        TAKE(p->smi, g->smi, "matrix");
    TAKE(p->slurmd, g->slurmd, "output of slurmd -C");
    TAKE(p->ibstat, g->ibstat, "output of ibstat");
    TAKE(p->verbs, g->verbs, "listing of RDMA device files");
    TAKE(p->nccl, g->nccl, "dump of NCCL");
    TAKE(p->gres, g->gres, "output of slurmd -G");
    TAKE(p->minors, g->minors, "table of MIG capabilities");
    if (kind == PLUMB_KIND_SMI_LIST)
        TAKE(p->gpus, g->list, "list of nvidia-smi -L");
    else if (kind == PLUMB_KIND_SMI_QUERY)
        TAKE(p->gpus, g->query, "output of nvidia-smi -q -x");
    else if (kind == PLUMB_KIND_KUBE)
        add_nodes(r, g, p, asked_for);
    return true;
}

#undef TAKE

bool plumb_capture_holds(const struct plumb_capture_group *g)
{
    return g->hwloc != NULL || g->smi != NULL || g->peer_count > 0 || g->list != NULL ||
           g->query != NULL || g->slurmd != NULL || g->gres != NULL || g->nccl != NULL ||
           g->kube_node_count > 0;
}

static bool is_capture(enum plumb_source_kind kind)
{
    static const enum plumb_source_kind kinds[] = {
        PLUMB_KIND_HWLOC,    PLUMB_KIND_SMI_TOPO,   PLUMB_KIND_SMI_LIST, PLUMB_KIND_SMI_QUERY,
        PLUMB_KIND_SLURMD_C, PLUMB_KIND_SLURMD_G,   PLUMB_KIND_KUBE,     PLUMB_KIND_NCCL_DUMP,
        PLUMB_KIND_IBSTAT,   PLUMB_KIND_MIG_MINORS, PLUMB_KIND_VERBS,
    };

    for (size_t i = 0; i < PLUMB_COUNT(kinds); i++) {
        if (kinds[i] == kind)
            return true;
    }
    return false;
}

/* Nodes of manifests that read-kube has read. */
static void add_read_nodes(struct plumb_run *r, struct plumb_capture_group *g,
                           const struct plumb_input *in)
{
    struct parsed p = {.src = in->src,
                       .kind = in->kind,
                       .documents = in->documents,
                       .document_count = in->document_count};

    if (g->first == NULL)
        g->first = in->src;
    add_nodes(r, g, &p, false);
}

static bool holds_nodes(const struct plumb_input *in)
{
    for (size_t i = 0; i < in->document_count; i++) {
        if (plumb_kube_nodes_sniff(in->documents[i]))
            return true;
    }
    return false;
}

void plumb_pass_read_captures(struct plumb_run *r)
{
    struct plumb_arena *a = r->session->arena;

    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];

        if (!is_capture(in->kind) || in->src == NULL || (in->was_read && !holds_nodes(in)))
            continue;

        /* A folder is one machine; a lone file is a group of its own. */
        const char *name = in->group != NULL ? in->group : in->shown;
        const char *path = in->group != NULL ? folder_of(a, in->path) : in->path;
        struct plumb_capture_group *g = find_group(plumb_captures_of(r), tidy(a, path));

        if (g == NULL)
            g = add_group(r, name, tidy(a, path));
        if (in->was_read)
            add_read_nodes(r, g, in);
        else
            (void)add_file(r, g, in->src, in->kind, false);
        if (plumb_capture_holds(g))
            r->facts |= PLUMB_FACT_CAPTURES;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in a folder in the order of their bytes, hidden ones left out; false: cannot be read. */
static bool list_folder(struct plumb_arena *a, const char *path, struct names *out)
{
    DIR *dir = opendir(path);

    if (dir == NULL)
        return false;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        if (e->d_name[0] == '.')
            continue;
        out->items = plumb_arena_grow(a, out->items, out->count, &out->cap, sizeof(*out->items));
        out->items[out->count++] = plumb_arena_strdup(a, e->d_name);
    }
    (void)closedir(dir);
    if (out->count > 0)
        qsort(out->items, out->count, sizeof(*out->items), by_name);
    return true;
}

enum entry { ENTRY_NONE, ENTRY_FILE, ENTRY_FOLDER, ENTRY_HIDDEN };

static enum entry entry_at(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return errno == ENOENT || errno == ENOTDIR ? ENTRY_NONE : ENTRY_HIDDEN;
    return S_ISDIR(st.st_mode) ? ENTRY_FOLDER : ENTRY_FILE;
}

static void report_unreadable(struct plumb_run *r, struct plumb_capture_group *g, const char *shown)
{
    plumb_hw_report(r->session, PLUMB_HW_UNREADABLE, g->at, "capture '%s' cannot be read", shown);
    r->session->sink.incomplete = true;
    g->failed = true;
}

/* One file of a group; false when it is no capture, or could not be read (reported). */
static bool open_file(struct plumb_run *r, struct plumb_capture_group *g, const char *path,
                      const char *shown, bool asked_for)
{
    struct plumb_source *src = NULL;

    if (plumb_source_load(&r->session->sources, path, shown, &src) != PLUMB_OK) {
        report_unreadable(r, g, shown);
        return false;
    }
    src->builtin = g->builtin;
    src->idle = !add_file(r, g, src, sniff(src), asked_for);
    if (src->idle && !asked_for)
        plumb_capture_name_check(r->session, src);
    return !src->idle;
}

static void open_folder(struct plumb_run *r, struct plumb_capture_group *g, const char *shown)
{
    struct plumb_arena *a = r->session->arena;
    struct names names = {0};
    size_t captures = 0;

    if (!list_folder(a, g->path, &names)) {
        report_unreadable(r, g, shown);
        return;
    }
    for (size_t i = 0; i < names.count; i++) {
        const char *path = join(a, g->path, names.items[i]);

        if (entry_at(path) == ENTRY_FILE)
            captures += open_file(r, g, path, join(a, shown, names.items[i]), false);
    }
    if (captures == 0 && !g->failed) {
        plumb_hw_report(
            r->session, PLUMB_HW_NOTHING, g->at,
            "folder '%s' holds no capture, expected hwloc XML, output of nvidia-smi, of "
            "'slurmd -C' or '-G', or a Kubernetes Node",
            g->name);
        g->failed = true;
    }
}

static void open_single(struct plumb_run *r, struct plumb_capture_group *g, const char *shown)
{
    if (open_file(r, g, g->path, shown, true) || g->failed)
        return;
    plumb_hw_report(
        r->session, PLUMB_HW_NOTHING, g->at,
        "file '%s' is no capture, expected hwloc XML, output of nvidia-smi, of 'slurmd -C' "
        "or '-G', or a Kubernetes Node",
        g->name);
    g->failed = true;
}

/* Where the specification lies: captures are named from there. */
static void spec_folder(const struct plumb_run *r, const char **path, const char **shown)
{
    *path = *shown = ".";
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].kind != PLUMB_KIND_SPEC)
            continue;
        *path = folder_of(r->session->arena, r->inputs[i].path);
        *shown = folder_of(r->session->arena, r->inputs[i].shown);
        return;
    }
}

bool plumb_reference_find(struct plumb_run *r, const char *name, const char **nearest,
                          const char **known)
{
    struct plumb_arena *a = r->session->arena;
    struct names names = {0};
    struct plumb_nearest near = plumb_nearest_to(name);
    struct plumb_buf all = plumb_buf_in(a);
    bool found = false;

    if (r->reference_dir != NULL)
        (void)list_folder(a, r->reference_dir, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (entry_at(join(a, r->reference_dir, names.items[i])) != ENTRY_FOLDER)
            continue;
        found = found || strcmp(names.items[i], name) == 0;
        plumb_nearest_offer(&near, names.items[i]);
        plumb_buf_printf(&all, "%s%s", all.len > 0 ? ", " : "", names.items[i]);
    }
    *nearest = near.best;
    *known = plumb_buf_text(&all);
    return found;
}

static void report_unknown(struct plumb_run *r, const struct plumb_capture_group *g)
{
    const char *nearest = NULL, *known = NULL;
    struct plumb_diag *d =
        plumb_hw_report(r->session, PLUMB_HW_UNKNOWN_NAME, g->at,
                        "capture '%s' is neither a file nor a folder beside the specification, nor "
                        "a built-in reference",
                        g->name);

    (void)plumb_reference_find(r, g->name, &nearest, &known);
    if (nearest != NULL)
        plumb_diag_help(d, "did you mean '%s'?", nearest);
    if (known[0] != '\0')
        plumb_diag_fact(d, "built-in references: %s", known);
}

/* Fills a new group from what the name means. */
static void open_group(struct plumb_run *r, struct plumb_capture_group *g, const char *local_shown,
                       const char *builtin)
{
    struct plumb_arena *a = r->session->arena;
    enum entry e = entry_at(g->path);

    if (e == ENTRY_FOLDER) {
        open_folder(r, g, local_shown);
    } else if (e == ENTRY_FILE) {
        open_single(r, g, local_shown);
    } else if (e == ENTRY_HIDDEN) {
        report_unreadable(r, g, local_shown);
    } else if (builtin != NULL && entry_at(builtin) == ENTRY_FOLDER) {
        g->path = builtin;
        g->builtin = true;
        open_folder(r, g, join(a, "topologies", g->name));
    } else {
        report_unknown(r, g);
        g->failed = true;
    }
}

/* What the group holds counts from now on; NULL when that is nothing. */
static struct plumb_capture_group *use_group(struct plumb_run *r, struct plumb_capture_group *g)
{
    if (g->failed || !plumb_capture_holds(g))
        return NULL;
    r->facts |= PLUMB_FACT_CAPTURES;
    return g;
}

struct plumb_capture_group *plumb_reference_open(struct plumb_run *r, const char *name)
{
    struct plumb_arena *a = r->session->arena;
    const char *path = join(a, r->reference_dir, name);
    struct plumb_capture_group *g = find_group(plumb_captures_of(r), path);

    if (g == NULL) {
        g = add_group(r, plumb_arena_strdup(a, name), path);
        g->builtin = true;
        open_folder(r, g, join(a, "topologies", name));
    }
    return use_group(r, g);
}

struct plumb_capture_group *plumb_captures_open(struct plumb_run *r, const char *name,
                                                struct plumb_span at)
{
    struct plumb_arena *a = r->session->arena;
    struct plumb_captures *c = plumb_captures_of(r);
    const char *path = NULL, *shown = NULL, *builtin = NULL;

    spec_folder(r, &path, &shown);
    path = tidy(a, join(a, path, name));
    shown = tidy(a, join(a, shown, name));
    if (r->reference_dir != NULL && name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL)
        builtin = join(a, r->reference_dir, name);

    struct plumb_capture_group *g = find_group(c, path);

    if (g == NULL && builtin != NULL)
        g = find_group(c, builtin);
    if (g == NULL) {
        g = add_group(r, plumb_arena_strdup(a, name), path);
        g->at = at;
        open_group(r, g, shown, builtin);
    } else if (!plumb_span_known(g->at)) {
        g->at = at; /* it was given by hand too */
    }
    return use_group(r, g);
}

static bool is_input(const struct plumb_run *r, const char *path)
{
    for (size_t i = 0; i < r->input_count; i++) {
        if (strcmp(tidy(r->session->arena, r->inputs[i].path), path) == 0)
            return true;
    }
    return false;
}

bool plumb_captures_fabric(struct plumb_run *r, const char *name, struct plumb_span at)
{
    struct plumb_arena *a = r->session->arena;
    struct plumb_input in = {.listed = true};

    spec_folder(r, &in.path, &in.shown);
    in.path = tidy(a, join(a, in.path, name));
    in.shown = tidy(a, join(a, in.shown, name));
    if (is_input(r, in.path))
        return true;
    if (entry_at(in.path) == ENTRY_FILE &&
        plumb_source_load(&r->session->sources, in.path, in.shown, &in.src) == PLUMB_OK)
        plumb_sniff(&in);
    if (in.src == NULL || in.kind == PLUMB_KIND_KUBE)
        return plumb_captures_open(r, name, at) != NULL;
    if (in.kind != PLUMB_KIND_IBNET && in.kind != PLUMB_KIND_TOPOGRAPH) {
        plumb_hw_report(r->session, PLUMB_HW_NOTHING, at,
                        "file '%s' shows no fabric, expected output of ibnetdiscover, a model of "
                        "topograph, or Node objects",
                        name);
        return false;
    }
    r->inputs = plumb_arena_grow(a, r->inputs, r->input_count, &r->input_cap, sizeof(*r->inputs));
    r->inputs[r->input_count++] = in;
    return true;
}
