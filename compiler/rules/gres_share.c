/* SPDX-License-Identifier: Apache-2.0 */
/* What slurmd makes of GPUs and their shares where gres.conf gives it no GPU. */
#include <string.h>

#include "rules/gres_merge.h"

/* The first mps or shard that the nodes declare; NULL. */
static const struct plumb_gres_item *shares(const struct plumb_nodes *n)
{
    for (size_t g = 0; g < n->gres_count; g++) {
        if (n->gres[g].count > 0 && plumb_gres_is_shared(n->gres[g].name))
            return &n->gres[g];
    }
    return NULL;
}

/*
 * GRES037: gres_c_s.c:_build_sharing_list, _merge_lists. No GPU in Gres= at all is
 * GRES020, a name that GresTypes lacks GRES001.
 */
static void shared_without_device(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);
    struct plumb_gres_views views;

    if (!plumb_gres_known(ck) || !ck->model->present[PLUMB_SLURM_CONF])
        return;
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        const struct plumb_gres_item *item = shares(v->nodes);

        if (item == NULL || !plumb_gres_in_types(ck, item->name) || plumb_autodetects(ck, v) ||
            plumb_gres_total(v->nodes, "gpu") == 0 || plumb_gres_bad(v->nodes, "gpu") ||
            plumb_gres_gives_gpu(ck, v))
            continue;
        plumb_fold_add(&faults, item->name, item->at, v->hosts);
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d = plumb_report(
            ck, f->at,
            "'%s' shares GPUs as '%s', but gres.conf gives it no GPU with a File, expected one",
            plumb_fold_hosts(ck, f->hosts), f->key);

        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* GRES038: what slurmd does with a folder that has no gres.conf; there may be one on the nodes. */
static void no_gres_conf(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *types = plumb_global(ck, PLUMB_P_SLURM_GRESTYPES);
    struct plumb_fold faults = plumb_fold_in(ck);
    bool shared = false;

    if (m->present[PLUMB_GRES_CONF] || m->from_spec || !m->present[PLUMB_SLURM_CONF] ||
        types == NULL || !plumb_list_find(&types->value, "gpu", NULL))
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        for (size_t g = 0; g < n->gres_count; g++) {
            if (strcmp(n->gres[g].name, "gpu") != 0 || n->gres[g].count == 0)
                continue;
            plumb_fold_add(&faults, "gpu", n->gres[g].at, n->hosts);
            shared = shared || shares(n) != NULL;
            break;
        }
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "'%s' declares GPUs, and no gres.conf is beside slurm.conf, expected one "
                         "that gives their device files, here or on the nodes",
                         plumb_fold_hosts(ck, f->hosts));

        plumb_fold_object(ck, d, f->hosts);
        if (shared)
            plumb_outcome_is(ck, d, PLUMB_INFO, PLUMB_EFFECT_STOPS, PLUMB_SLURMD);
        else if (plumb_has_trait(ck, PLUMB_TRAIT_FILELESS_GRES_LOGGED))
            plumb_outcome_is(ck, d, PLUMB_INFO, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES037",
        .name = "shared-without-device",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "a node shares GPUs of which gres.conf gives it none",
        .why = "slurmd has nothing to share, and ends.",
        .ref = "gres.conf(5), File; gres_c_s.c:_merge_lists",
        .bad = "GresTypes=gpu,shard\n"
               "NodeName=g Gres=gpu:1,shard:8\n"
               "# gres.conf\n"
               "Name=shard Count=8",
        .good = "GresTypes=gpu,shard\n"
                "NodeName=g Gres=gpu:1,shard:8\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0\n"
                "Name=shard Count=8",
        .needs = PLUMB_FACT_MODEL,
        .run = shared_without_device,
    },
    {
        .code = "GRES038",
        .name = "gres-conf-absent",
        .severity = PLUMB_INFO,
        .daemons = PLUMB_SLURMD,
        .summary = "nodes declare GPUs, and there is no gres.conf",
        .why = "Without one slurmd drops the GPUs, and the nodes are drained. It may stand on the "
               "nodes alone; then give it to the check too.",
        .ref = "gres.conf(5); gres.c:gres_g_node_config_load, _find_fileless_gres",
        .bad = "GresTypes=gpu\n"
               "NodeName=g Gres=gpu:2   # and there is no gres.conf",
        .good = "GresTypes=gpu\n"
                "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-1]",
        .needs = PLUMB_FACT_MODEL,
        .run = no_gres_conf,
    },
};

const struct plumb_rule_family plumb_gres_share_rules = {
    .prefix = "GRES",
    .title = "Generic resources",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
