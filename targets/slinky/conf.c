/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of Slurm files within objects of Slinky: extraConf of the Controller, behind the operator's
 * own lines, and the words of a NodeSet's extraConf, behind Features=NAME for slurmd --conf.
 */
#include "slinky/slinky.h"

/* What a NodeSet cannot say: each pod has a name and an address of its own. */
static const enum plumb_param_id no_words[] = {
    PLUMB_P_NODE_NODEADDR, PLUMB_P_NODE_NODEHOSTNAME, PLUMB_P_NODE_BCASTADDR, PLUMB_P_NODE_PORT,
    PLUMB_P_NODE_STATE,    PLUMB_P_NODE_REASON,       PLUMB_P_NODE_FEATURE,
};

/* What the image makes of the memory of the pod, so it is not said twice. */
static const enum plumb_param_id own_words[] = {PLUMB_P_NODE_MEMSPECLIMIT};

const char *plumb_slinky_extra_conf(struct plumb_bundle *b)
{
    const struct plumb_kube_writes *w = b->plan->writes;
    struct plumb_settings settings =
        plumb_bundle_without(b, plumb_slurm(b->m), w->owned, w->owned_count);
    struct plumb_model m = *b->m;
    struct plumb_emit em = *b->em;
    struct plumb_slurm_page page = plumb_bundle_page(b, &em, PLUMB_SLURM_CONF);

    plumb_bundle_defaults(b, &settings, PLUMB_SLURM_CONF);
    plumb_bundle_node_count(b, &settings);
    m.partitions = plumb_bundle_partitions(b);
    em.model = &m;
    plumb_slurm_globals(&page, &settings, plumb_slurm_conf_groups, plumb_slurm_conf_group_count);
    if (m.down_node_count > 0)
        plumb_bundle_refuse(b, b->plan->at, "a DownNodes line names machines, pods have others");
    plumb_slurm_partitions(&page);
    return plumb_bundle_print(b, &page);
}

const char *plumb_slinky_words(struct plumb_bundle *b, const struct plumb_set *set)
{
    return plumb_bundle_words(b, set, no_words, PLUMB_COUNT(no_words), own_words,
                              PLUMB_COUNT(own_words));
}

/* The operator's own file is replaced, so what it says is said again: pods have no systemd. */
const char *plumb_slinky_cgroup_conf(struct plumb_bundle *b)
{
    struct plumb_settings all = {0};
    const struct plumb_settings *given = plumb_cgroup(b->m);
    struct plumb_slurm_page page = plumb_bundle_page(b, b->em, PLUMB_CGROUP_CONF);

    for (size_t i = 0; i < given->count; i++)
        plumb_bundle_set(b, &all, &given->items[i]);
    plumb_bundle_defaults(b, &all, PLUMB_CGROUP_CONF);
    plumb_slurm_globals(&page, &all, plumb_cgroup_conf_groups, plumb_cgroup_conf_group_count);
    return plumb_bundle_print(b, &page);
}
