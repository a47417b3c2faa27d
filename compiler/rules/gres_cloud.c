/* SPDX-License-Identifier: Apache-2.0 */
/* What slurmctld itself reads of gres.conf: the lines of nodes in the cloud. */
#include <inttypes.h>

#include "rules/gres_judge.h"
#include "rules/gres_match.h"

/* GRES023 tells of it, with what its GPUs need. Both stand in the order of the views. */
static bool is_told(const struct plumb_gres_verdicts *all, size_t *next,
                    const struct plumb_gres_view *v)
{
    while (*next < all->count && all->items[*next].view < v)
        (*next)++;
    for (size_t i = *next; i < all->count && all->items[i].view == v; i++) {
        if (all->items[i].found.verdict == PLUMB_V_CLOUD)
            return true;
    }
    return false;
}

static void add(struct plumb_fold *faults, const struct plumb_check *ck, struct plumb_span at,
                const struct plumb_nodes *n, const struct plumb_hostlist *hosts)
{
    const char *key = plumb_arena_printf(ck->scratch, "%" PRIu32 ":%" PRIu32, at.file, at.begin);
    struct plumb_fold_item *item = plumb_fold_add(faults, key, at, hosts);

    if (!plumb_span_known(item->second))
        item->second = n->at;
}

/* Nodes without GRES and without a line of their own read what is said of all. */
static void add_others(const struct plumb_check *ck, const struct plumb_gres_views *views,
                       struct plumb_fold *faults)
{
    const struct plumb_setting *how = plumb_global(ck, PLUMB_P_GRESGLOBAL_AUTODETECT);
    size_t v = 0;

    if (how == NULL || plumb_slice_is(&how->value, "off"))
        return;
    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        bool seen = false;

        for (; v < views->count && views->items[v].nodes == n; v++)
            seen = true;
        if (!seen && n->hosts != NULL && plumb_in_cloud(n))
            add(faults, ck, how->value.at, n, n->hosts);
    }
}

/* GRES050: gres.c:gres_g_node_config_load looks before it knows whether the node has GPUs */
static void detection(const struct plumb_check *ck)
{
    const struct plumb_gres_verdicts *told;
    struct plumb_gres_views views;
    size_t next = 0;
    struct plumb_fold faults = plumb_fold_in(ck);

    if (!plumb_gres_known(ck) || !ck->model->present[PLUMB_SLURM_CONF])
        return;
    views = plumb_gres_views(ck);
    told = plumb_gres_judged(ck);
    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        struct plumb_span at = {0, 0, 0};

        if (plumb_in_cloud(v->nodes) && plumb_autodetects(ck, v) && !plumb_autodetect_off(v) &&
            !is_told(told, &next, v)) {
            (void)plumb_autodetect(ck, v, &at);
            add(&faults, ck, at, v->nodes, v->hosts);
        }
    }
    add_others(ck, &views, &faults);
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "AutoDetect cannot look into cloud nodes '%s', expected it on lines with "
                         "NodeName for other nodes",
                         plumb_fold_hosts(ck, f->hosts));

        plumb_diag_note(d, f->second, "the cloud nodes");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, &plumb_gres_cloud_eras);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES050",
        .name = "autodetect-cloud-without-gpus",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "AutoDetect for nodes in the cloud that have no GPUs to describe",
        .why = "slurmctld reads gres.conf for nodes that do not exist yet, and refuses to look for "
               "devices there, whether the node has GPUs or not.",
        .ref = "gres.conf(5), DESCRIPTION; gres.c:gres_g_node_config_load",
        .bad = "NodeName=cg[01-08] CPUs=8 State=CLOUD\n"
               "# gres.conf\n"
               "AutoDetect=nvml",
        .good = "NodeName=cg[01-08] CPUs=8 State=CLOUD\n"
                "NodeName=g[01-08] CPUs=8 Gres=gpu:1\n"
                "# gres.conf\n"
                "NodeName=g[01-08] AutoDetect=nvml",
        .needs = PLUMB_FACT_MODEL,
        .run = detection,
    },
};

const struct plumb_rule_family plumb_gres_cloud_rules = {
    .prefix = "GRES",
    .title = "Nodes in the cloud",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
