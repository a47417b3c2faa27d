/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about namespace.yaml: which directories a job gets for itself, and on which nodes. */
#include <string.h>

#include "base/text.h"
#include "model/nested.h"
#include "rules/ask.h"

/* The file is read: its plugin is loaded, or nobody told which one is. */
static bool in_use(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_NAMESPACETYPE);

    if (ck->model->nested == NULL || ck->model->nested->namespace_count == 0)
        return false;
    return !ck->model->present[PLUMB_SLURM_CONF] ||
           (s != NULL && plumb_is_plugin(&s->value, "linux"));
}

static const struct plumb_namespace *defaults_of(const struct plumb_nested_model *n)
{
    return n->namespace_count > 0 && n->namespaces[0].defaults ? &n->namespaces[0] : NULL;
}

/* What counts on the nodes of an entry: its own directories, else those of the defaults. */
static const struct plumb_namespace *dirs_of(const struct plumb_nested_model *n,
                                             const struct plumb_namespace *one)
{
    const struct plumb_namespace *defaults = defaults_of(n);

    return one->has_dirs || defaults == NULL ? one : defaults;
}

/* Up to 25.11 any directory that begins with the path; later the path itself or one below it. */
static bool is_below(const struct plumb_check *ck, const char *dir, const char *base)
{
    size_t len = strlen(base);

    if (len == 0 || strncmp(dir, base, len) != 0)
        return false;
    return dir[len] == '\0' || dir[len] == '/' ||
           !plumb_has_trait(ck, PLUMB_TRAIT_NAMESPACE_PATHS_WHOLE);
}

static void check_base(const struct plumb_check *ck, const struct plumb_namespace *one)
{
    static const struct plumb_private_dir usual[] = {{.path = {.v = "/tmp"}},
                                                     {.path = {.v = "/dev/shm"}}};
    const struct plumb_namespace *from = dirs_of(ck->model->nested, one);
    const struct plumb_namespace *defaults = defaults_of(ck->model->nested);
    const struct plumb_private_dir *dirs = from->has_dirs ? from->dirs : usual;
    size_t count = from->has_dirs ? from->dir_count : PLUMB_COUNT(usual);
    struct plumb_text base = one->base_path;

    if (base.origin == PLUMB_ABSENT && one->has_dirs && defaults != NULL)
        base = defaults->base_path;
    for (size_t i = 0; base.origin == PLUMB_GIVEN && i < count; i++) {
        if (!is_below(ck, dirs[i].path.v, base.v))
            continue;

        struct plumb_diag *d = plumb_report(
            ck, base.at,
            "base_path '%s' is, or holds, the directory '%s' that it should replace, expected a "
            "directory apart from %s",
            base.v, dirs[i].path.v,
            from->has_dirs ? "its dirs" : "the default dirs, /tmp and /dev/shm");

        if (from->has_dirs)
            plumb_diag_note(d, dirs[i].path.at, "the directory");
        plumb_outcome(ck, d, NULL);
        return;
    }
}

/* NS001: read_nsconf.c, "cannot also be in" */
static void base_in_dirs(const struct plumb_check *ck)
{
    for (size_t i = 0; in_use(ck) && i < ck->model->nested->namespace_count; i++)
        check_base(ck, &ck->model->nested->namespaces[i]);
}

/* NS002: read_nsconf.c:_check_duplicate_path */
static void dir_twice(const struct plumb_check *ck)
{
    if (!in_use(ck) || !plumb_has_trait(ck, PLUMB_TRAIT_NAMESPACE_PATHS_WHOLE))
        return;
    for (size_t i = 0; i < ck->model->nested->namespace_count; i++) {
        const struct plumb_namespace *one = &ck->model->nested->namespaces[i];

        for (size_t k = 1; k < one->dir_count; k++) {
            for (size_t j = 0; j < k; j++) {
                if (one->dirs[k].path.v[0] == '\0' ||
                    strcmp(one->dirs[k].path.v, one->dirs[j].path.v) != 0)
                    continue;

                struct plumb_diag *d = plumb_report(ck, one->dirs[k].path.at,
                                                    "directory '%s' is there twice, expected once",
                                                    one->dirs[k].path.v);

                plumb_diag_note(d, one->dirs[j].path.at, "the first one");
                plumb_outcome(ck, d, NULL);
                break;
            }
        }
    }
}

/* NS003: "Config not found in namespace.yaml. Disabling plugin on this node", at debug level. */
static void left_out(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist covered = {0};
    const struct plumb_hostlist *left = NULL;

    if (!in_use(ck) || m->node_count == 0)
        return;
    for (size_t i = 0; i < m->nested->namespace_count; i++) {
        const struct plumb_namespace *one = &m->nested->namespaces[i];

        if (one->defaults && one->base_path.origin == PLUMB_GIVEN)
            return;
        if (!one->defaults && one->nodes == NULL)
            return; /* reported, or it may be meant for any */
        if (!one->defaults && one->base_path.origin == PLUMB_GIVEN)
            plumb_hostlist_append(ck->scratch, &covered, one->nodes);
    }
    left = plumb_hostlist_minus(ck->arena, m->all_nodes, &covered);
    if (left->count == 0)
        return;

    struct plumb_diag *d =
        plumb_report(ck, m->nested->namespace_at,
                     "no base_path is for '%s', expected one, or 'none': jobs there share their "
                     "directories",
                     plumb_fold_hosts(ck, left));

    plumb_diag_note(d, left->ranges[0].at, "the first of them");
    plumb_fold_object(ck, d, left);
    plumb_outcome(ck, d, NULL);
}

/* NS004, NS005 */
static void unknown_node(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (!in_use(ck) || !m->present[PLUMB_SLURM_CONF] || m->node_count == 0 ||
        plumb_global(ck, PLUMB_P_SLURM_MAXNODECOUNT) != NULL)
        return;
    for (size_t i = 0; i < m->nested->namespace_count; i++) {
        const struct plumb_hostlist *none = plumb_no_nodes(ck, m->nested->namespaces[i].nodes);

        if (none->count == 0)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, none->ranges[0].at, "'%s' is no node of slurm.conf, expected one",
                         plumb_fold_hosts(ck, none));

        plumb_fold_object(ck, d, none);
        plumb_outcome(ck, d, NULL);
    }
}

/* read_nsconf.c:_find_node_conf takes the first entry. */
static void node_twice(const struct plumb_check *ck)
{
    const struct plumb_nested_model *n = ck->model->nested;

    for (size_t i = 1; in_use(ck) && i < n->namespace_count; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct plumb_hostlist *both =
                n->namespaces[i].nodes == NULL || n->namespaces[k].nodes == NULL
                    ? NULL
                    : plumb_hostlist_intersect(ck->arena, n->namespaces[i].nodes,
                                               n->namespaces[k].nodes);

            if (both == NULL || both->count == 0)
                continue;

            struct plumb_diag *d = plumb_report(
                ck, both->ranges[0].at,
                "'%s' is in an entry above too, which alone counts, expected it in one",
                plumb_fold_hosts(ck, both));

            plumb_diag_note(d, n->namespaces[k].nodes->at, "the entry that counts");
            plumb_outcome(ck, d, NULL);
            break;
        }
    }
}

#define NS(function) .needs = PLUMB_FACT_MODEL, .run = (function)

static const struct plumb_rule rows[] = {
    {
        .code = "NS001",
        .name = "namespace-base-in-dirs",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "base_path of namespace.yaml is one of the directories it should replace",
        .why = "The private directory would be mounted over its own source.",
        .ref = "namespace.yaml(5), base_path; read_nsconf.c:_check_basepath_not_dir",
        .bad = "NamespaceType=namespace/linux\n"
               "PrologFlags=Contain\n"
               "# namespace.yaml\n"
               "defaults: {base_path: /tmp}",
        .good = "NamespaceType=namespace/linux\n"
                "PrologFlags=Contain\n"
                "# namespace.yaml\n"
                "defaults: {base_path: /local/job}",
        NS(base_in_dirs),
    },
    {
        .code = "NS002",
        .name = "namespace-dir-twice",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "namespace.yaml names a directory twice",
        .why = "From 26.05 on slurmd refuses the file.",
        .ref = "read_nsconf.c:_check_duplicate_path",
        .bad = "NamespaceType=namespace/linux\n"
               "PrologFlags=Contain\n"
               "# namespace.yaml\n"
               "defaults: {base_path: /local, dirs: \"/tmp,/scratch,/tmp\"}",
        .good = "NamespaceType=namespace/linux\n"
                "PrologFlags=Contain\n"
                "# namespace.yaml\n"
                "defaults: {base_path: /local, dirs: \"/tmp,/scratch\"}",
        NS(dir_twice),
    },
    {
        .code = "NS003",
        .name = "namespace-node-left-out",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "namespace.yaml has no base_path for a node",
        .why = "The plugin is off there without a word, so jobs share /tmp.",
        .ref = "namespace.yaml(5), base_path; read_nsconf.c:_read_slurm_ns_conf",
        .bad = "NamespaceType=namespace/linux\n"
               "PrologFlags=Contain\n"
               "NodeName=n[1-4]\n"
               "# namespace.yaml\n"
               "node_confs:\n"
               "  - {nodes: n1, options: {base_path: /local}}",
        .good = "NamespaceType=namespace/linux\n"
                "PrologFlags=Contain\n"
                "NodeName=n[1-4]\n"
                "# namespace.yaml\n"
                "defaults: {base_path: /local}",
        NS(left_out),
    },
    {
        .code = "NS004",
        .name = "namespace-unknown-node",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "namespace.yaml names a node that slurm.conf does not have",
        .why = "Nothing reads the entry there; mostly another node was meant.",
        .ref = "namespace.yaml(5), nodes",
        .bad = "NamespaceType=namespace/linux\n"
               "PrologFlags=Contain\n"
               "NodeName=n[1-4]\n"
               "# namespace.yaml\n"
               "defaults: {base_path: none}\n"
               "node_confs:\n"
               "  - {nodes: \"n[3-5]\", options: {base_path: /local}}",
        .good = "NamespaceType=namespace/linux\n"
                "PrologFlags=Contain\n"
                "NodeName=n[1-4]\n"
                "# namespace.yaml\n"
                "defaults: {base_path: none}\n"
                "node_confs:\n"
                "  - {nodes: \"n[3-4]\", options: {base_path: /local}}",
        NS(unknown_node),
    },
    {
        .code = "NS005",
        .name = "namespace-node-twice",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "a node is in two entries of node_confs",
        .why = "The first one counts; what the second one says does not happen there.",
        .ref = "read_nsconf.c:_find_node_conf",
        .bad = "NamespaceType=namespace/linux\n"
               "PrologFlags=Contain\n"
               "NodeName=n[1-4]\n"
               "# namespace.yaml\n"
               "node_confs:\n"
               "  - {nodes: \"n[1-4]\", options: {base_path: /local}}\n"
               "  - {nodes: n4, options: {base_path: none}}",
        .good = "NamespaceType=namespace/linux\n"
                "PrologFlags=Contain\n"
                "NodeName=n[1-4]\n"
                "# namespace.yaml\n"
                "node_confs:\n"
                "  - {nodes: \"n[1-3]\", options: {base_path: /local}}\n"
                "  - {nodes: n4, options: {base_path: none}}",
        NS(node_twice),
    },
};

const struct plumb_rule_family plumb_namespace_rules = {
    .prefix = "NS",
    .title = "Namespaces of jobs",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
