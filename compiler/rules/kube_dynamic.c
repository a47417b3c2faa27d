/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that register themselves, as those of Slinky do: slurmctld starts without them. */
#include <string.h>

#include "model/kube.h"
#include "rules/ask.h"

static bool is_nodeset(const struct plumb_model *m, const char *name)
{
    for (size_t i = 0; i < m->nodeset_count; i++) {
        if (m->nodesets[i].name.v != NULL && strcmp(m->nodesets[i].name.v, name) == 0)
            return true;
    }
    return false;
}

/* A range of one name may be a node set's, which may end in a number. */
static bool is_set_range(const struct plumb_check *ck, const struct plumb_host_range *range)
{
    if (!range->numbered)
        return is_nodeset(ck->model, range->prefix);
    return range->lo == range->hi &&
           is_nodeset(ck->model, plumb_arena_printf(ck->scratch, "%s%0*llu%s", range->prefix,
                                                    (int)range->width,
                                                    (unsigned long long)range->lo, range->suffix));
}

static struct plumb_hostlist *dynamic_nodes(const struct plumb_check *ck)
{
    struct plumb_hostlist *all = PLUMB_NEW(ck->scratch, struct plumb_hostlist);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];

        if (n->dynamic && n->hosts != NULL)
            plumb_hostlist_append(ck->scratch, all, n->hosts);
    }
    return all;
}

/* The names of a partition that are no node sets. */
static struct plumb_hostlist *hosts_of(const struct plumb_check *ck,
                                       const struct plumb_partition *p)
{
    const struct plumb_hostlist *all =
        p->all_nodes || p->nodes_text.len == 0 ? NULL : plumb_hosts_read(ck, &p->nodes_text);
    struct plumb_hostlist *hosts = PLUMB_NEW(ck->scratch, struct plumb_hostlist);

    for (size_t i = 0; all != NULL && i < all->range_count; i++) {
        const struct plumb_host_range *range = &all->ranges[i];

        if (is_set_range(ck, range))
            continue;
        plumb_hostlist_append(ck->scratch, hosts,
                              &(struct plumb_hostlist){.ranges = &all->ranges[i],
                                                       .range_count = 1,
                                                       .count = range->hi - range->lo + 1});
    }
    return hosts;
}

/* KUBE070: seen with 24.11 and 26.05, "fatal: Invalid node names in partition". */
static void partition_of_pods(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist *dynamic = dynamic_nodes(ck);

    for (size_t i = 0; dynamic->count > 0 && i < m->partition_count; i++) {
        struct plumb_hostlist *hosts = hosts_of(ck, &m->partitions[i]), *pods = NULL;
        struct plumb_diag *d = NULL;

        if (hosts->count == 0)
            continue; /* node sets alone, as it should be: not held against every node */
        pods = plumb_hostlist_intersect(ck->scratch, hosts, dynamic);
        if (pods->count == 0)
            continue;
        d = plumb_report(ck, m->partitions[i].nodes_text.at,
                         "partition '%s' names %s, which %s there before the pods are, expected "
                         "the name of their NodeSet",
                         plumb_part_name(&m->partitions[i]), plumb_fold_hosts(ck, pods),
                         pods->count == 1 ? "is not" : "are not");
        plumb_fold_object(ck, d, pods);
        plumb_outcome(ck, d, NULL);
    }
}

#define BUNDLE(nodes)                                                                              \
    "# manifests.yaml\napiVersion: slinky.slurm.net/v1beta1\nkind: Controller\n"                   \
    "metadata: {name: slurm}\nspec:\n  slurmKeyRef: {name: auth, key: slurm.key}\n"                \
    "  jwtKeyRef: {name: auth, key: jwt.key}\n  extraConf: PartitionName=a Nodes=" nodes           \
    " Default=YES\n---\napiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\n"                     \
    "metadata: {name: gpu}\nspec:\n  controllerRef: {name: slurm}\n  replicas: 2\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE070",
        .name = "partition-of-pods",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .needs = PLUMB_FACT_KUBE | PLUMB_FACT_MODEL,
        .summary = "a partition names pods that register as dynamic nodes",
        .why = "When slurmctld starts there is no node of this name yet; a node set is a feature, "
               "and takes nodes as they come.",
        .ref = "partition_mgr.c, Invalid node names in partition; slurm-operator, NodeSet",
        .bad = BUNDLE("gpu-[0-1]"),
        .good = BUNDLE("gpu"),
        .run = partition_of_pods,
    },
};

const struct plumb_rule_family plumb_kube_dynamic_rules = {
    .prefix = "KUBE",
    .title = "Dynamic nodes",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
