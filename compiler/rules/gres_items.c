/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What rules about generic resources look for in Gres=, GresTypes and single lines of gres.conf;
 * and what captures and Kubernetes say of the number of GPUs. The rows are in gres.c.
 */
#include "rules/gres_items.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "model/detect.h"
#include "rules/gres_view.h"
#include "rules/ranges.h"

#define GRESTYPES PLUMB_P_SLURM_GRESTYPES

static bool types_usable(const struct plumb_check *ck)
{
    return ck->model->present[PLUMB_SLURM_CONF] &&
           !plumb_setting_bad(plumb_slurm(ck->model), GRESTYPES);
}

/* GRES001: gres_name_filter, _get_gres_cnt; the name counts as it is written. */
static bool in_types_exactly(const struct plumb_setting *types, const char *name,
                             struct plumb_slice *other_case)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice word;

    *other_case = (struct plumb_slice){0};
    while (types != NULL && plumb_list_next(&types->value, ',', &c, &word)) {
        if (plumb_slice_is_exact(&word, name))
            return true;
        if (plumb_slice_is(&word, name))
            *other_case = word;
    }
    return false;
}

static void tell_not_in_types(const struct plumb_check *ck, const struct plumb_fold_item *f,
                              const struct plumb_setting *types)
{
    bool any = types != NULL && types->value.len > 0; /* else Gres= is not read at all */
    struct plumb_slice other;
    struct plumb_diag *d;

    (void)in_types_exactly(types, f->key, &other);
    if (other.len > 0)
        d = plumb_report(ck, f->at,
                         "'%s' has GRES '%s', which GresTypes writes '%.*s', so no job "
                         "can ask for it",
                         plumb_fold_hosts(ck, f->hosts), f->key, (int)other.len, other.text);
    else
        d = plumb_report(ck, f->at, "'%s' has GRES '%s', which %s, so no job can ask for it",
                         plumb_fold_hosts(ck, f->hosts), f->key,
                         types != NULL ? "GresTypes does not name"
                                       : "needs GresTypes, which is not set");
    if (types != NULL)
        plumb_diag_note(d, types->value.at, "GresTypes");
    else
        plumb_diag_help(d, "GresTypes=%s", f->key);
    plumb_fold_object(ck, d, f->hosts);
    plumb_outcome_is(ck, d, PLUMB_ERROR, any ? PLUMB_EFFECT_COMPLAINS : PLUMB_EFFECT_IGNORED,
                     any ? PLUMB_SLURM_ALL : PLUMB_SLURMCTLD);
}

void plumb_gres_not_in_types(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *types = plumb_global(ck, GRESTYPES);
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < m->node_count && types_usable(ck); i++) {
        for (size_t g = 0; g < m->nodes[i].gres_count; g++) {
            const struct plumb_gres_item *item = &m->nodes[i].gres[g];
            struct plumb_slice other;

            if (!in_types_exactly(types, item->name, &other))
                plumb_fold_add(&faults, item->name, item->at, m->nodes[i].hosts);
        }
    }
    for (size_t i = 0; i < faults.map.count; i++)
        tell_not_in_types(ck, faults.map.entries[i].value, types);
}

/* Lines of other nodes are skipped before they are looked at: _parse_gres_config_node. */
static bool is_for_nobody(const struct plumb_check *ck, const struct plumb_hostlist *hosts)
{
    const struct plumb_model *m = ck->model;

    return hosts != NULL && m->present[PLUMB_SLURM_CONF] && m->all_nodes != NULL &&
           plumb_hostlist_intersect(ck->scratch, hosts, m->all_nodes)->count == 0;
}

/* GRES002: _parse_gres_config */
void plumb_gres_conf_not_in_types(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *types = plumb_global(ck, GRESTYPES);

    for (size_t i = 0; i < m->gres_line_count && types != NULL && types_usable(ck); i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        if (line->name == NULL || plumb_gres_in_types(ck, line->name) ||
            is_for_nobody(ck, line->hosts))
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

    if (item == NULL || plumb_gres_bad(n, "gpu") || hw == NULL ||
        !plumb_usable(hw->gpu_count_value) || declared == hw->gpu_count_value.v ||
        plumb_hardware_sliced(hw)) /* each slice is a GPU then: MIG004 */
        return;
    f = plumb_fold_add(faults,
                       plumb_arena_printf(ck->scratch, "%" PRIu64 " %s", declared,
                                          hw->name != NULL ? hw->name : ""),
                       plumb_gres_count_place(item), hosts);
    f->a = declared;
    f->what = hw;
}

/* A machine that was captured on one node of a line that has other captures too. */
static void count_on_named(const struct plumb_check *ck, struct plumb_fold *faults,
                           const struct plumb_range_index *index, const struct plumb_hardware *hw)
{
    const char *slash = hw->name != NULL ? strrchr(hw->name, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : hw->name;
    struct plumb_slice text = {.text = name, .len = name != NULL ? (uint32_t)strlen(name) : 0};
    struct plumb_hostlist *host;

    if (text.len == 0)
        return;
    host = plumb_hosts_read(ck, &text);
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
void plumb_gres_gpu_count(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);
    const struct plumb_range_index *index = plumb_index_nodes(ck);

    for (size_t i = 0; i < m->node_count; i++)
        count_on(ck, &faults, &m->nodes[i], m->nodes[i].hosts, m->nodes[i].hardware);
    for (size_t h = 0; h < m->hardware_count; h++)
        count_on_named(ck, &faults, index, m->hardware[h]);
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
void plumb_gres_mixed_items(const struct plumb_check *ck)
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
            if (a == b || (a->type == NULL) == (b->type == NULL) || a->bad || b->bad)
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

/* Count as it is written, also when it was reported; a number below zero matches no files. */
static const struct plumb_setting *count_written(const struct plumb_gres_line *line, bool *negative)
{
    const struct plumb_setting *last = NULL;
    uint64_t n = 0;

    *negative = false;
    for (size_t i = 0; i < line->settings.count; i++) {
        if (line->settings.items[i].param->id == PLUMB_P_GRES_COUNT)
            last = &line->settings.items[i];
    }
    if (last != NULL && last->value.len > 1 && last->value.text[0] == '-') {
        struct plumb_slice behind = plumb_slice_sub(&last->value, 1, last->value.len);

        /* slurmd ends because of -1 and -2 anyhow: CONF011 */
        *negative = plumb_value_count(&behind, &n) == PLUMB_VALUE_OK && n > 2 && n <= INT64_MAX;
    }
    return last;
}

/* GRES012: _parse_gres_config; the count of what is shared is the sum over its files, and all files
 * of MultipleFiles are one device. */
void plumb_gres_count_of_files(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        bool negative = false;
        const struct plumb_setting *s = count_written(line, &negative);
        uint64_t count = 0;

        uint64_t devices = plumb_gres_files(line);

        if (s == NULL || devices == 0 || line->name == NULL || plumb_gres_is_shared(line->name) ||
            (line->files != NULL && line->multiple_files != NULL)) /* GRES013 */
            continue;
        if (!negative && (plumb_value_count(&s->value, &count) != PLUMB_VALUE_OK ||
                          count >= INT64_MAX || count == devices))
            continue;

        struct plumb_diag *d = plumb_report(
            ck, s->value.at, "Count is %.*s, but %s %" PRIu64 " device%s, expected the same",
            (int)s->value.len, s->value.text,
            line->files != NULL ? "File names" : "MultipleFiles is", devices,
            devices == 1 ? "" : "s");

        plumb_diag_note(d, line->files != NULL ? line->files->at : line->multiple_files->at,
                        devices == 1 ? "the device" : "the devices");
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES013 and GRES014 */
void plumb_gres_multiple_files(const struct plumb_check *ck)
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
void plumb_gres_shared_types(const struct plumb_check *ck)
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
void plumb_gres_shared_without_gpu(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        for (size_t g = 0; g < n->gres_count && plumb_gres_total(n, "gpu") == 0; g++) {
            if (plumb_gres_is_shared(n->gres[g].name))
                plumb_fold_add(&faults, n->gres[g].name, n->gres[g].at, n->hosts);
        }
    }
    for (size_t i = 0; i < faults.map.count && plumb_gres_in_types(ck, "gpu"); i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;

        if (!plumb_gres_in_types(ck, f->key)) /* GRES001: it is dropped */
            continue;

        struct plumb_diag *d =
            plumb_report(ck, f->at, "'%s' has '%s' but no GPU to share, expected 'gpu' in Gres too",
                         plumb_fold_hosts(ck, f->hosts), f->key);

        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
        plumb_outcome_other(ck, d, PLUMB_EFFECT_STOPS, PLUMB_SLURMD); /* gres_c_s.c:_merge_lists */
    }
}

/* GRES021: letter by letter, gres.c:gres_init; names in capitals are other ones. */
void plumb_gres_types_twice(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, GRESTYPES);
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item, first;

    while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        const char *name = plumb_arena_strndup(ck->arena, item.text, item.len);
        struct plumb_list_cursor again = {0, false};

        while (plumb_list_next(&s->value, ',', &again, &first) &&
               !plumb_slice_is_exact(&first, name))
            continue;
        if (first.at.begin == item.at.begin)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, item.at, "'%s' stands in GresTypes twice, expected it once", name);

        plumb_diag_note(d, first.at, "first here");
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES022 */
void plumb_gres_autodetect_beside_name(const struct plumb_check *ck)
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

/* GRES045: _parse_gres_config, "no type name" */
void plumb_gres_nameless(const struct plumb_check *ck)
{
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t v = 0; v < views.count && plumb_gres_read(ck); v++) {
        for (size_t i = 0; i < views.items[v].count; i++) {
            const struct plumb_gres_line *line = views.items[v].lines[i];

            if (line->name != NULL || line->hosts == NULL ||
                plumb_setting_bad(&line->settings, PLUMB_P_GRES_NAME) ||
                plumb_setting(&line->settings, PLUMB_P_GRES_AUTODETECT) != NULL ||
                plumb_setting_bad(&line->settings, PLUMB_P_GRES_AUTODETECT))
                continue;
            (void)plumb_fold_at(&faults, line->at, views.items[v].hosts);
        }
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at, "a line for '%s' has no Name and is dropped, expected Name",
                         plumb_fold_hosts(ck, f->hosts));

        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES026 */
void plumb_gres_unknown_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_range_index *nodes = NULL;

    if (m->all_nodes == NULL || !m->present[PLUMB_SLURM_CONF])
        return;
    nodes = plumb_index_nodes(ck);
    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];
        struct plumb_hostlist *missing;

        if (line->hosts == NULL || plumb_range_covers(nodes, line->hosts))
            continue;
        missing = plumb_no_nodes(ck, line->hosts);
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
void plumb_gres_allocatable(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold seen = plumb_fold_in(ck);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        const struct plumb_gres_item *item = gpu_item(n);
        uint64_t declared = plumb_gres_total(n, "gpu");
        const struct plumb_hw_kube_node *few = NULL;
        uint64_t count = 0;

        if (item == NULL || n->hardware == NULL || plumb_gres_bad(n, "gpu"))
            continue;
        for (size_t k = 0; k < n->hardware->kube_node_count; k++) {
            const struct plumb_hw_kube_node *node = &n->hardware->kube_nodes[k];

            if (!plumb_usable(node->gpu_allocatable) || node->gpu_allocatable.v >= declared ||
                (node->gpu_resource != NULL && strcmp(node->gpu_resource, "nvidia.com/gpu") != 0 &&
                 strcmp(node->gpu_resource, "amd.com/gpu") != 0))
                continue;
            few = few == NULL ? node : few;
            count++;
        }
        if (few == NULL || plumb_fold_seen(&seen, item->at))
            continue;

        struct plumb_diag *d =
            plumb_report(ck, plumb_gres_count_place(item),
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
void plumb_gres_env_flags(const struct plumb_check *ck)
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

/* The last AutoDetect of a line for nodes, also when it was reported. */
static const struct plumb_setting *local_autodetect(const struct plumb_gres_line *line)
{
    const struct plumb_setting *last = NULL;

    for (size_t i = 0; line->hosts != NULL && i < line->settings.count; i++) {
        if (line->settings.items[i].param->id == PLUMB_P_GRES_AUTODETECT)
            last = &line->settings.items[i];
    }
    return last;
}

/* GRES033: _handle_local_autodetect; beside NodeName the key counts with or without Name. */
void plumb_gres_two_autodetects(const struct plumb_check *ck)
{
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t v = 0; v < views.count; v++) {
        const struct plumb_setting *first = NULL;

        for (size_t i = 0; i < views.items[v].count; i++) {
            const struct plumb_setting *s = local_autodetect(views.items[v].lines[i]);
            bool known =
                s != NULL && plumb_param_value(s->param, s->value.text, s->value.len) != NULL;

            if (s == NULL || (!known && first == NULL)) /* a wrong word counts as none */
                continue;
            first = first == NULL ? s : first;
            if (plumb_same_nocase(first->value.text, s->value.text))
                continue;

            struct plumb_fold_item *f = plumb_fold_at(&faults, s->value.at, views.items[v].hosts);

            f->second = first->value.at;
            f->what = s->value.text;
            break;
        }
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "AutoDetect of '%s' is '%s' here and another on a line above, expected "
                         "one value for a node",
                         plumb_fold_hosts(ck, f->hosts), (const char *)f->what);

        plumb_diag_note(d, f->second, "the first value");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* The device files of a node's GPUs; false when they are not all written down. */
static bool gpu_files(const struct plumb_check *ck, const struct plumb_gres_view *v,
                      struct plumb_hostlist *out)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_gres_line *line = v->lines[i];

        if (!plumb_gres_is(line, "gpu"))
            continue;
        if (line->files == NULL)
            return false;
        plumb_hostlist_append(ck->scratch, out, line->files);
    }
    return out->count > 0 && !plumb_autodetects(ck, v) && plumb_gres_total(v->nodes, "gpu") > 0;
}

/* GRES035: gres_c_s.c, "without matching" */
void plumb_gres_shared_files(const struct plumb_check *ck)
{
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t v = 0; v < views.count; v++) {
        struct plumb_hostlist gpus = {0};

        if (!gpu_files(ck, &views.items[v], &gpus))
            continue;
        for (size_t i = 0; i < views.items[v].count; i++) {
            const struct plumb_gres_line *line = views.items[v].lines[i];
            const struct plumb_hostlist *left;

            if (line->name == NULL || !plumb_gres_is_shared(line->name) || line->files == NULL ||
                plumb_gres_total(views.items[v].nodes, line->name) == 0)
                continue;
            left = plumb_hostlist_minus(ck->arena, line->files, &gpus);
            if (left->count == 0)
                continue;

            struct plumb_fold_item *f =
                plumb_fold_at(&faults, line->files->at, views.items[v].hosts);

            f->what = f->what == NULL ? plumb_hostlist_str(ck->arena, left) : f->what;
        }
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "'%s' is shared on '%s', but no line of 'gpu' there names it, expected a "
                         "file of a GPU; the share is dropped",
                         (const char *)f->what, plumb_fold_hosts(ck, f->hosts));

        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES036: slurmd opens what is written, from wherever it runs. */
void plumb_gres_relative_files(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->gres_line_count; i++) {
        const struct plumb_hostlist *files = ck->model->gres_lines[i].files;

        for (size_t r = 0; files != NULL && r < files->range_count; r++) {
            const struct plumb_host_range *range = &files->ranges[r];
            struct plumb_hostlist one = {
                .ranges = &files->ranges[r], .range_count = 1, .count = range->hi - range->lo + 1};

            if (range->prefix[0] == '/')
                continue;
            plumb_report(ck, plumb_span_known(range->at) ? range->at : files->at,
                         "device file '%s' is looked for in the directory that slurmd runs in, "
                         "expected a path from '/' on",
                         plumb_hostlist_str(ck->arena, &one));
            break;
        }
    }
}

/* GRES025 is about the whole cluster: nobody declares what AutoDetect will find. */
void plumb_gres_undeclared(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *types = plumb_global(ck, PLUMB_P_SLURM_GRESTYPES);
    const struct plumb_setting *detect =
        plumb_setting(&m->settings[PLUMB_GRES_CONF], PLUMB_P_GRESGLOBAL_AUTODETECT);
    struct plumb_slice item;

    if (!plumb_gres_known(ck) || !m->present[PLUMB_SLURM_CONF])
        return;
    if (types == NULL || detect == NULL || plumb_slice_is(&detect->value, "off") ||
        !plumb_list_find(&types->value, "gpu", &item) || m->node_count == 0)
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        if (plumb_gres_total(&m->nodes[i], "gpu") > 0)
            return;
    }

    struct plumb_diag *d = plumb_report(
        ck, item.at,
        "GresTypes and AutoDetect are about GPUs, but no node declares any, so detected GPUs are "
        "ignored, expected Gres=gpu on nodes");

    plumb_diag_note(d, detect->value.at, "AutoDetect");
    plumb_outcome(ck, d, NULL);
}
