/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about generic resources: Gres= against GresTypes, gres.conf on its own, and what
 * Kubernetes and captures say of the number of GPUs. Gres= against gres.conf is in
 * gres_match.c. Whether a key exists in a release is a row of the table, no rule.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "rules/gres_match.h"
#include "rules/ranges.h"

#define GRESTYPES PLUMB_P_SLURM_GRESTYPES

static bool is_shared(const char *name)
{
    return plumb_same_nocase(name, "mps") || plumb_same_nocase(name, "shard");
}

static bool types_usable(const struct plumb_check *ck)
{
    return ck->model->present[PLUMB_SLURM_CONF] &&
           !plumb_setting_bad(plumb_slurm(ck->model), GRESTYPES);
}

static bool in_types(const struct plumb_check *ck, const char *name)
{
    const struct plumb_setting *s = plumb_global(ck, GRESTYPES);

    return s != NULL && plumb_list_find(&s->value, name, NULL);
}

/* GRES001: gres_name_filter, _get_gres_cnt */
static void not_in_types(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *types = plumb_global(ck, GRESTYPES);
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < m->node_count && types_usable(ck); i++) {
        for (size_t g = 0; g < m->nodes[i].gres_count; g++) {
            const struct plumb_gres_item *item = &m->nodes[i].gres[g];

            if (!in_types(ck, item->name))
                plumb_fold_add(&faults, item->name, item->at, m->nodes[i].hosts);
        }
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d = plumb_report(
            ck, f->at, "'%s' has GRES '%s', which %s, so no job can ask for it",
            plumb_fold_hosts(ck, f->hosts), f->key,
            types != NULL ? "GresTypes does not name" : "needs GresTypes, which is not set");

        if (types != NULL)
            plumb_diag_note(d, types->value.at, "GresTypes");
        else
            plumb_diag_help(d, "GresTypes=%s", f->key);
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome_is(ck, d, PLUMB_ERROR,
                         types != NULL ? PLUMB_EFFECT_COMPLAINS : PLUMB_EFFECT_IGNORED,
                         PLUMB_SLURMCTLD);
    }
}

/* GRES002: _parse_gres_config */
static void conf_not_in_types(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *types = plumb_global(ck, GRESTYPES);

    for (size_t i = 0; i < m->gres_line_count && types != NULL && types_usable(ck); i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        if (line->name == NULL || in_types(ck, line->name))
            continue;

        struct plumb_diag *d = plumb_report(ck, plumb_gres_name_at(line),
                                            "gres.conf describes GRES '%s', which GresTypes does "
                                            "not name, so the line is dropped",
                                            line->name);

        plumb_diag_note(d, types->value.at, "GresTypes");
        plumb_outcome(ck, d, NULL);
    }
}

/* The item of a node line that counts GPUs; NULL when a slice of a GPU is among them. */
static const struct plumb_gres_item *gpu_item(const struct plumb_nodes *n)
{
    const struct plumb_gres_item *first = NULL;

    for (size_t g = 0; g < n->gres_count; g++) {
        if (strcmp(n->gres[g].name, "gpu") != 0)
            continue;
        if (plumb_is_mig_type(n->gres[g].type))
            return NULL;
        first = first == NULL ? &n->gres[g] : first;
    }
    return first;
}

/* One node line, or some nodes of it, against one captured machine. */
static void count_on(const struct plumb_check *ck, struct plumb_fold *faults,
                     const struct plumb_nodes *n, const struct plumb_hostlist *hosts,
                     const struct plumb_hardware *hw)
{
    const struct plumb_gres_item *item = gpu_item(n);
    uint64_t declared = plumb_gres_total(n, "gpu");
    struct plumb_fold_item *f;

    if (item == NULL || n->gres_bad || hw == NULL || !plumb_usable(hw->gpu_count_value) ||
        declared == hw->gpu_count_value.v)
        return;
    f = plumb_fold_add(faults,
                       plumb_arena_printf(ck->scratch, "%" PRIu64 " %s", declared,
                                          hw->name != NULL ? hw->name : ""),
                       plumb_span_known(item->count_at) ? item->count_at : item->at, hosts);
    f->a = declared;
    f->what = hw;
}

/* A machine that was captured on one node of a line that has other captures too. */
static void count_on_named(const struct plumb_check *ck, struct plumb_fold *faults,
                           const struct plumb_range_index *index, const struct plumb_hardware *hw)
{
    const char *slash = hw->name != NULL ? strrchr(hw->name, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : hw->name;
    struct plumb_session quiet = {.arena = ck->scratch,
                                  .scratch = ck->scratch,
                                  .intern = ck->intern,
                                  .sink = {.arena = ck->scratch}};
    struct plumb_slice text = {.text = name, .len = name != NULL ? (uint32_t)strlen(name) : 0};
    struct plumb_hostlist *host;

    if (text.len == 0)
        return;
    host = plumb_hostlist_read(&quiet, &text, ck->model->release);
    if (host == NULL || host->count != 1)
        return;

    struct plumb_range_cursor c = plumb_range_from(index, &host->ranges[0]);

    while (plumb_range_next(&c)) {
        const struct plumb_nodes *n = &ck->model->nodes[c.owner];

        if (n->hardware != NULL && n->hardware != hw)
            count_on(ck, faults, n, host, hw);
    }
}

/* GRES003: what is declared against what was captured. */
static void gpu_count(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);
    struct plumb_range_index index = plumb_index_nodes(ck);

    for (size_t i = 0; i < m->node_count; i++)
        count_on(ck, &faults, &m->nodes[i], m->nodes[i].hosts, m->nodes[i].hardware);
    for (size_t h = 0; h < m->hardware_count; h++)
        count_on_named(ck, &faults, &index, m->hardware[h]);
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct plumb_hardware *hw = f->what;
        struct plumb_diag *d = plumb_report(
            ck, f->at, "%" PRIu64 " GPU%s declared for '%s', the capture has %" PRIu64, f->a,
            f->a == 1 ? "" : "s", plumb_fold_hosts(ck, f->hosts), hw->gpu_count_value.v);

        plumb_diag_note(d, hw->gpu_count_value.at, "the GPUs of the capture");
        plumb_fold_object(ck, d, f->hosts);
        if (f->a > hw->gpu_count_value.v)
            plumb_outcome(ck, d, NULL);
        else
            plumb_outcome_is(ck, d, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURMD);
    }
}

/* GRES008: _foreach_slurm_conf */
static void mixed_items(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        for (size_t g = 1; g < n->gres_count; g++) {
            const struct plumb_gres_item *a = &n->gres[0], *b = &n->gres[g];
            struct plumb_fold_item *f;

            while (a < b && strcmp(a->name, b->name) != 0)
                a++;
            if (a == b || (a->type == NULL) == (b->type == NULL))
                continue;
            f = plumb_fold_add(&faults, b->name, b->at, n->hosts);
            if (!plumb_span_known(f->second))
                f->second = a->at;
            break;
        }
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d = plumb_report(
            ck, f->at, "Gres of '%s' mixes '%s' with and without a type, expected one form",
            plumb_fold_hosts(ck, f->hosts), f->key);

        plumb_diag_note(d, f->second, "the other form");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES012: _parse_gres_config; the count of what is shared is the sum over its files. */
static void count_of_files(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_GRES_COUNT);
        uint64_t count = 0;

        if (s == NULL || line->files == NULL || line->name == NULL || is_shared(line->name) ||
            plumb_value_count(&s->value, &count) != PLUMB_VALUE_OK || count == line->files->count)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, s->value.at,
            "Count is %" PRIu64 ", but File names %" PRIu64 " device%s, expected the same", count,
            line->files->count, line->files->count == 1 ? "" : "s");

        plumb_diag_note(d, line->files->at, "the devices");
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES013 and GRES014 */
static void multiple_files(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    bool few = ck->rule->data != NULL;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        struct plumb_span at = plumb_setting_at(&line->settings, PLUMB_P_GRES_MULTIPLEFILES);

        if (line->multiple_files == NULL)
            continue;
        if (!few && line->files != NULL) {
            struct plumb_diag *d =
                plumb_report(ck, at, "MultipleFiles stands beside File, expected one of them");

            plumb_diag_note(d, line->files->at, "File");
            plumb_outcome(ck, d, NULL);
        }
        if (few && line->files == NULL && line->multiple_files->count < 2)
            plumb_outcome(ck,
                          plumb_report(ck, at,
                                       "MultipleFiles names %" PRIu64 " file, expected two or more",
                                       line->multiple_files->count),
                          NULL);
    }
}

/* GRES018 and GRES019: gres_init */
static void shared_types(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, GRESTYPES);
    bool about_gpu = ck->rule->data == NULL;
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (s == NULL || plumb_setting_bad(plumb_slurm(ck->model), PLUMB_P_SLURM_SELECTTYPE))
        return;
    while (plumb_list_next(&s->value, ',', &c, &item)) {
        if (!plumb_slice_is_exact(&item, "mps") && !plumb_slice_is_exact(&item, "shard"))
            continue;
        if (about_gpu ? plumb_list_find(&s->value, "gpu", NULL)
                      : plumb_plugin_in_force(ck, PLUMB_P_SLURM_SELECTTYPE, "cons_tres"))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   about_gpu ? "'%s' is a share of a GPU, but GresTypes lacks "
                                               "'gpu', expected both"
                                             : "'%s' needs SelectType 'select/cons_tres', found "
                                               "another",
                                   plumb_arena_strndup(ck->arena, item.text, item.len)),
                      NULL);
        return;
    }
}

/* GRES020: gres_c_s.c */
static void shared_without_gpu(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        for (size_t g = 0; g < n->gres_count && plumb_gres_total(n, "gpu") == 0; g++) {
            if (is_shared(n->gres[g].name))
                plumb_fold_add(&faults, n->gres[g].name, n->gres[g].at, n->hosts);
        }
    }
    for (size_t i = 0; i < faults.map.count && in_types(ck, "gpu"); i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at, "'%s' has '%s' but no GPU to share, expected 'gpu' in Gres too",
                         plumb_fold_hosts(ck, f->hosts), f->key);

        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES021 */
static void types_twice(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, GRESTYPES);
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item, first;

    while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        const char *name = plumb_arena_strndup(ck->arena, item.text, item.len);

        if (item.len == 0 || !plumb_list_find(&s->value, name, &first) ||
            first.at.begin == item.at.begin)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, item.at, "'%s' stands in GresTypes twice, expected it once", name);

        plumb_diag_note(d, first.at, "first here");
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES022 */
static void autodetect_beside_name(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_GRES_AUTODETECT);

        if (s == NULL || line->name == NULL || line->hosts != NULL)
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, plumb_span_known(s->key_at) ? s->key_at : s->value.at,
                                   "AutoDetect on a line of Name=%s is dropped, expected it on a "
                                   "line of its own or beside NodeName",
                                   line->name),
                      NULL);
    }
}

/* GRES026 */
static void unknown_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_range_index nodes;

    if (m->all_nodes == NULL || !m->present[PLUMB_SLURM_CONF])
        return;
    nodes = plumb_index_nodes(ck);
    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        struct plumb_hostlist *missing;

        if (line->hosts == NULL || plumb_range_covers(&nodes, line->hosts))
            continue;
        missing = plumb_hostlist_minus(ck->scratch, line->hosts, m->all_nodes);
        if (missing->range_count == 0)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, plumb_span_known(missing->ranges[0].at) ? missing->ranges[0].at : line->hosts->at,
            "gres.conf describes '%s', which no NodeName line of slurm.conf defines",
            plumb_fold_hosts(ck, missing));

        plumb_fold_object(ck, d, missing);
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES028: Kubernetes gives a pod no more GPUs than its Node can allocate. */
static void allocatable(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_map seen = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        const struct plumb_gres_item *item = gpu_item(n);
        uint64_t declared = plumb_gres_total(n, "gpu");
        const struct plumb_hw_kube_node *few = NULL;
        uint64_t count = 0;

        if (item == NULL || n->hardware == NULL)
            continue;
        for (size_t k = 0; k < n->hardware->kube_node_count; k++) {
            const struct plumb_hw_kube_node *node = &n->hardware->kube_nodes[k];

            if (!plumb_usable(node->gpu_allocatable) || node->gpu_allocatable.v >= declared ||
                (node->gpu_resource != NULL && strcmp(node->gpu_resource, "nvidia.com/gpu") != 0))
                continue;
            few = few == NULL ? node : few;
            count++;
        }
        if (few == NULL)
            continue;

        const char *key =
            plumb_arena_printf(ck->scratch, "%" PRIu32 ":%" PRIu32, item->at.file, item->at.begin);

        if (plumb_map_get(&seen, key) != NULL)
            continue;
        plumb_map_set(&seen, key, &seen);

        struct plumb_diag *d =
            plumb_report(ck, plumb_span_known(item->count_at) ? item->count_at : item->at,
                         "%" PRIu64 " GPUs declared for '%s', but Kubernetes can allocate %" PRIu64
                         " on Node '%s'%s",
                         declared, plumb_fold_hosts(ck, n->hosts), few->gpu_allocatable.v,
                         few->name, count > 1 ? " and others" : "");

        plumb_diag_note(d, few->gpu_allocatable.at, "what can be allocated");
        plumb_diag_object(d, "node", plumb_fold_hosts(ck, n->hosts), count > 1 ? count : 0);
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES029: no_gpu_env excludes the flags that set a variable. */
static void env_flags(const struct plumb_check *ck)
{
    static const char *const words[] = {"nvidia_gpu_env", "amd_gpu_env", "intel_gpu_env",
                                        "opencl_env"};
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_setting *s =
            plumb_setting(&m->gres_lines[i].settings, PLUMB_P_GRES_FLAGS);
        struct plumb_slice item;

        if (s == NULL || !plumb_list_find(&s->value, "no_gpu_env", NULL))
            continue;
        for (size_t w = 0; w < PLUMB_COUNT(words); w++) {
            if (!plumb_list_find(&s->value, words[w], &item))
                continue;
            plumb_outcome(ck,
                          plumb_report(ck, item.at,
                                       "Flags '%s' and 'no_gpu_env' exclude each other, expected "
                                       "one of them",
                                       words[w]),
                          NULL);
            break;
        }
    }
}

static const bool yes = true;

#define MATCH(which) .needs = PLUMB_FACT_MODEL, .run = plumb_gres_match_run, .data = &(which)

static const struct plumb_rule rows[] = {
    {
        .code = "GRES001",
        .name = "gres-not-in-types",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "Gres= of a node names a GRES that GresTypes lacks",
        .why = "The node has no such resource, and every request for it is refused.",
        .ref = "slurm.conf(5), GresTypes; gres.c:gres_name_filter",
        .bad = "NodeName=g Gres=gpu:8",
        .good = "GresTypes=gpu\nNodeName=g Gres=gpu:8",
        .needs = PLUMB_FACT_MODEL,
        .run = not_in_types,
    },
    {
        .code = "GRES002",
        .name = "gres-conf-not-in-types",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMD),
        .summary = "a line of gres.conf names a GRES that GresTypes lacks",
        .why = "The line is dropped.",
        .ref = "gres.conf(5), Name; gres.c:_parse_gres_config",
        .needs = PLUMB_FACT_MODEL,
        .run = conf_not_in_types,
    },
    {
        .code = "GRES003",
        .name = "gpu-count",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "the declared number of GPUs differs from the capture",
        .why = "A node that registers fewer GPUs than declared is drained; GPUs that are not "
               "declared are never used.",
        .ref = "slurm.conf(5), Gres; gres.c:_node_config_validate",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = gpu_count,
    },
    {
        .code = "GRES004",
        .name = "gres-conf-fewer",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "gres.conf gives fewer devices than Gres= declares",
        .why = "The node registers fewer than configured and is drained.",
        .ref = "gres.conf(5), File; gres.c:_node_config_validate",
        .bad = "NodeName=g Gres=gpu:8\n# gres.conf\nName=gpu File=/dev/nvidia[0-3]",
        .good = "NodeName=g Gres=gpu:8\n# gres.conf\nName=gpu File=/dev/nvidia[0-7]",
        MATCH(plumb_match_fewer),
    },
    {
        .code = "GRES005",
        .name = "gres-conf-more",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "gres.conf gives more devices than Gres= declares",
        .why = "The surplus is never used.",
        .ref = "gres.conf(5), Count; gres.c:_merge_gres2",
        MATCH(plumb_match_more),
    },
    {
        .code = "GRES006",
        .name = "gres-type-differs",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Gres= declares a type that gres.conf does not give",
        .why = "The node registers none of that type and is drained.",
        .ref = "gres.conf(5), Type; gres.c:_merge_gres2, _valid_gres_type",
        .bad = "NodeName=g Gres=gpu:h100:8\n# gres.conf\nName=gpu Type=h200 File=/dev/nvidia[0-7]",
        .good = "NodeName=g Gres=gpu:h100:8\n# gres.conf\nName=gpu Type=h100 File=/dev/nvidia[0-7]",
        MATCH(plumb_match_type),
    },
    {
        .code = "GRES007",
        .name = "gres-type-undeclared",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "gres.conf gives a type, Gres= declares none",
        .why = "The type is dropped: jobs cannot ask for it.",
        .ref = "gres.conf(5), Type; gres.c:_match_type",
        .bad = "NodeName=g Gres=nvme:1\n# gres.conf\nName=nvme Type=local File=/dev/nvme0n1",
        .good = "NodeName=g Gres=nvme:local:1\n# gres.conf\nName=nvme Type=local File=/dev/nvme0n1",
        MATCH(plumb_match_untyped),
    },
    {
        .code = "GRES008",
        .name = "gres-mixed-types",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "Gres= mixes entries with and without a type",
        .why = "slurmd cannot tell which devices are meant, and ends.",
        .ref = "slurm.conf(5), Gres; gres.c:_foreach_slurm_conf",
        .bad = "NodeName=g Gres=gpu:h100:4,gpu:4",
        .good = "NodeName=g Gres=gpu:h100:4,gpu:h200:4",
        .needs = PLUMB_FACT_MODEL,
        .run = mixed_items,
    },
    {
        .code = "GRES009",
        .name = "gres-conf-mixed-files",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "some lines of one GRES have File, some have none",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), File; gres.c:_foreach_gres_conf",
        MATCH(plumb_match_mixed_files),
    },
    {
        .code = "GRES010",
        .name = "gres-conf-mixed-types",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "some lines of one GRES have Type, some have none",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), Type; gres.c:_foreach_gres_conf",
        MATCH(plumb_match_mixed_types),
    },
    {
        .code = "GRES011",
        .name = "gres-conf-duplicate",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "two lines of one GRES have neither File nor Type",
        .why = "slurmd cannot tell them apart, and ends.",
        .ref = "gres.conf(5); gres.c:_foreach_gres_conf",
        .bad = "AutoDetect=nvml\nName=gpu\nName=gpu",
        .good = "AutoDetect=nvml",
        MATCH(plumb_match_duplicate),
    },
    {
        .code = "GRES012",
        .name = "gres-count-files",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "Count is not the number of files",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), Count; gres.c:_parse_gres_config",
        .bad = "Name=gpu Count=4 File=/dev/nvidia[0-7]",
        .good = "Name=gpu File=/dev/nvidia[0-7]",
        .needs = PLUMB_FACT_MODEL,
        .run = count_of_files,
    },
    {
        .code = "GRES013",
        .name = "file-and-multiple-files",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "File beside MultipleFiles",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), MultipleFiles; gres.c:_parse_gres_config",
        .needs = PLUMB_FACT_MODEL,
        .run = multiple_files,
    },
    {
        .code = "GRES014",
        .name = "multiple-files-few",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "MultipleFiles with one file",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), MultipleFiles; gres.c:_parse_gres_config",
        .needs = PLUMB_FACT_MODEL,
        .run = multiple_files,
        .data = &yes,
    },
    {
        .code = "GRES015",
        .name = "gpu-without-file",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "a gpu line without File",
        .why = "A GPU needs its device file: the record is dropped and the node is drained.",
        .ref = "gres.conf(5), File; gres_gpu.c",
        .bad = "Name=gpu Type=a100 Count=4",
        .good = "Name=gpu Type=a100 File=/dev/nvidia[0-3]",
        MATCH(plumb_match_fileless),
    },
    {
        .code = "GRES016",
        .name = "gres-conf-misses-node",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "nodes declare GPUs, no line of gres.conf is for them",
        .why = "The node registers no GPU and is drained.",
        .ref = "gres.conf(5), NodeName; gres.c:_parse_gres_config_node",
        MATCH(plumb_match_none),
    },
    {
        .code = "GRES017",
        .name = "device-file-twice",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "two lines of one node have the same device file",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), File; gres.c:_parse_gres_config",
        MATCH(plumb_match_file_twice),
    },
    {
        .code = "GRES018",
        .name = "shared-needs-gpu-type",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "GresTypes has mps or shard without gpu",
        .why = "Both daemons end.",
        .ref = "slurm.conf(5), GresTypes; gres.c:gres_init",
        .bad = "GresTypes=shard",
        .good = "GresTypes=gpu,shard",
        .needs = PLUMB_FACT_MODEL,
        .run = shared_types,
    },
    {
        .code = "GRES019",
        .name = "shared-needs-cons-tres",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "mps or shard without select/cons_tres",
        .why = "slurmctld ends.",
        .ref = "gres.conf(5); gres.c:gres_init",
        .needs = PLUMB_FACT_MODEL,
        .run = shared_types,
        .data = &yes,
    },
    {
        .code = "GRES020",
        .name = "shared-needs-gpu",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "a node has mps or shard but no GPU",
        .why = "The shares are dropped.",
        .ref = "gres.conf(5); gres_c_s.c",
        .needs = PLUMB_FACT_MODEL,
        .run = shared_without_gpu,
    },
    {
        .code = "GRES021",
        .name = "gres-types-twice",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "GresTypes names a GRES twice",
        .why = "The second one is dropped.",
        .ref = "slurm.conf(5), GresTypes; gres.c:gres_init",
        .needs = PLUMB_FACT_MODEL,
        .run = types_twice,
    },
    {
        .code = "GRES022",
        .name = "autodetect-on-name-line",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMD),
        .summary = "AutoDetect on a line that begins with Name",
        .why = "The key is dropped: nothing is detected.",
        .ref = "gres.conf(5), AutoDetect; gres.c:_parse_gres_config",
        .bad = "Name=gpu AutoDetect=nvml",
        .good = "AutoDetect=nvml",
        .needs = PLUMB_FACT_MODEL,
        .run = autodetect_beside_name,
    },
    {
        .code = "GRES023",
        .name = "autodetect-cloud",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "AutoDetect for nodes that do not exist yet",
        .why = "slurmctld needs the GPUs of a cloud node before the node exists.",
        .ref = "gres.conf(5), DESCRIPTION; gres.c:gres_g_node_config_load",
        .bad = "AutoDetect=nvml",
        .good = "NodeName=cg[01-08] Name=gpu Type=l4 File=/dev/nvidia0",
        MATCH(plumb_match_cloud),
    },
    {
        .code = "GRES024",
        .name = "devices-without-nodename",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "a line with devices is for every node, some nodes have none",
        .why = "slurmd of a node without the device waits for it and ends, when this file is "
               "shipped to every node.",
        .ref = "gres.conf(5), NodeName; gres.c:_validate_file",
        .bad = "Name=gpu File=/dev/nvidia[0-3]",
        .good = "NodeName=g[01-02] Name=gpu File=/dev/nvidia[0-3]",
        MATCH(plumb_match_not_wanted),
    },
    {
        .code = "GRES025",
        .name = "gpus-not-declared",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "AutoDetect and GresTypes=gpu, but no node declares a GPU",
        .why = "Detected GPUs are ignored.",
        .ref = "slurm.conf(5), Gres; gres_gpu.c:_merge_system_gres_conf",
        .bad = "GresTypes=gpu\nNodeName=g CPUs=64",
        .good = "GresTypes=gpu\nNodeName=g CPUs=64 Gres=gpu:8",
        MATCH(plumb_match_undeclared),
    },
    {
        .code = "GRES026",
        .name = "gres-conf-unknown-node",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "gres.conf describes a node that does not exist",
        .why = "The line is for nobody: perhaps a name is misspelt.",
        .ref = "gres.conf(5), NodeName; gres.c:_parse_gres_config_node",
        .needs = PLUMB_FACT_MODEL,
        .run = unknown_nodes,
    },
    {
        .code = "GRES027",
        .name = "gpu-type-product",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "the type is no part of the product name that AutoDetect finds",
        .why = "Detected GPUs stay unmatched, the node registers none and is drained.",
        .ref = "gres.conf(5), AutoDetect, Type; gres_gpu.c",
        .bad = "NodeName=g Gres=gpu:h100:4 # the GPUs are nvidia_h200",
        .good = "NodeName=g Gres=gpu:h200:4",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_gres_match_run,
        .data = &plumb_match_product,
    },
    {
        .code = "GRES028",
        .name = "gpu-allocatable",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "more GPUs are declared than Kubernetes can allocate",
        .why = "The pod of the node gets fewer GPUs, registers fewer than configured and is "
               "drained; or it is never scheduled.",
        .ref = "slurm.conf(5), Gres; Node status.allocatable",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = allocatable,
    },
    {
        .code = "GRES029",
        .name = "gres-env-flags",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "Flags no_gpu_env beside a flag that sets a variable",
        .why = "slurmd ends.",
        .ref = "gres.conf(5), Flags; gres.c:_parse_gres_config",
        .needs = PLUMB_FACT_MODEL,
        .run = env_flags,
    },
    {
        .code = "GRES030",
        .name = "gpu-files-beyond-capture",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "gres.conf names more device files than the captured machine has",
        .why = "slurmd waits 20 seconds for the missing file, and ends.",
        .ref = "gres.conf(5), File; gres.c:_validate_file",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_gres_match_run,
        .data = &plumb_match_beyond,
    },
};

const struct plumb_rule_family plumb_gres_rules = {
    .prefix = "GRES",
    .title = "Generic resources",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
