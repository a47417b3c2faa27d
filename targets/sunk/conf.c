/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fragments of a SlurmConfig. That of slurm.conf stands before the lines that the operator makes
 * of NodeSets: what a NodeSet has no field for is a line NodeName=DEFAULT.
 */
#include <string.h>

#include "sunk/sunk.h"

/* What is a field of a NodeSet, or the name. */
static const enum plumb_param_id fields[] = {
    PLUMB_P_SLURM_NODENAME, PLUMB_P_NODE_CPUS,    PLUMB_P_NODE_REALMEMORY, PLUMB_P_NODE_GRES,
    PLUMB_P_NODE_FEATURES,  PLUMB_P_NODE_FEATURE, PLUMB_P_NODE_WEIGHT,
};

/* What holds for one node alone, or is the operator's. */
static const enum plumb_param_id refused[] = {
    PLUMB_P_NODE_NODEADDR, PLUMB_P_NODE_NODEHOSTNAME, PLUMB_P_NODE_BCASTADDR,
    PLUMB_P_NODE_PORT,     PLUMB_P_NODE_STATE,        PLUMB_P_NODE_REASON,
};

static bool is_left(const struct plumb_setting *s)
{
    return !plumb_slurm_among(fields, PLUMB_COUNT(fields), s->param->id);
}

static struct plumb_settings left_of(struct plumb_bundle *b, const struct plumb_nodes *n)
{
    struct plumb_settings left = {0};

    for (size_t i = 0; i < n->settings.count; i++) {
        const struct plumb_setting *s = &n->settings.items[i];

        if (plumb_slurm_among(refused, PLUMB_COUNT(refused), s->param->id))
            plumb_bundle_refuse(b, s->value.at, "a NodeSet cannot say this of its nodes");
        if (is_left(s))
            plumb_bundle_set(b, &left, s);
    }
    return left;
}

static bool has_equal(const struct plumb_settings *list, const struct plumb_setting *s)
{
    const struct plumb_setting *other = plumb_setting(list, (enum plumb_param_id)s->param->id);

    return other != NULL && other->value.len == s->value.len &&
           memcmp(other->value.text, s->value.text, s->value.len) == 0;
}

/* Refuses what one class has and the first has not, or otherwise. */
static void compare(struct plumb_bundle *b, const struct plumb_settings *x,
                    const struct plumb_settings *y, const char *class)
{
    for (size_t i = 0; i < x->count; i++) {
        const struct plumb_setting *s = &x->items[i];

        if (!has_equal(y, s))
            plumb_bundle_refuse(
                b, s->value.at,
                plumb_arena_printf(b->a,
                                   "a NodeSet of SUNK has no field for %s, NodeName=DEFAULT holds "
                                   "for all nodes, and class '%s' differs: expected classes with "
                                   "the same; flavor slinky has it by class",
                                   s->param->name, class));
    }
}

static void add_default(struct plumb_bundle *b, struct plumb_slurm_page *page)
{
    struct plumb_settings first = {0};
    struct plumb_conf_line *line = NULL;

    for (size_t i = 0; i < b->set_count; i++) {
        struct plumb_settings left = left_of(b, b->sets[i].nodes);

        if (i == 0) {
            first = left;
            continue;
        }
        compare(b, &left, &first, b->sets[0].name);
        compare(b, &first, &left, b->sets[i].name);
    }
    if (first.count == 0)
        return;
    line = plumb_conf_line(page->doc, PLUMB_SCOPE_NODE);
    plumb_conf_add(page->doc, line, PLUMB_P_SLURM_NODENAME, "DEFAULT", b->sets[0].nodes->at);
    plumb_slurm_pairs(page, line, &first, &plumb_slurm_node_order, NULL, 0);
}

const char *plumb_sunk_slurm_conf(struct plumb_bundle *b)
{
    const struct plumb_kube_writes *w = b->plan->writes;
    struct plumb_settings settings =
        plumb_bundle_without(b, plumb_slurm(b->m), w->owned, w->owned_count);
    struct plumb_model m = *b->m;
    struct plumb_emit em = *b->em;
    struct plumb_slurm_page page = plumb_bundle_page(b, &em, PLUMB_SLURM_CONF);

    m.partitions = plumb_bundle_partitions(b);
    em.model = &m;
    plumb_slurm_globals(&page, &settings, plumb_slurm_conf_groups, plumb_slurm_conf_group_count);
    if (m.down_node_count > 0)
        plumb_bundle_refuse(b, b->plan->at, "a DownNodes line names machines, pods have others");
    add_default(b, &page);
    plumb_slurm_partitions(&page);
    return plumb_bundle_print(b, &page);
}

const char *plumb_sunk_cgroup_conf(struct plumb_bundle *b)
{
    struct plumb_slurm_page page = plumb_bundle_page(b, b->em, PLUMB_CGROUP_CONF);

    if (plumb_cgroup(b->m)->count == 0)
        return NULL;
    plumb_slurm_globals(&page, plumb_cgroup(b->m), plumb_cgroup_conf_groups,
                        plumb_cgroup_conf_group_count);
    return plumb_bundle_print(b, &page);
}
