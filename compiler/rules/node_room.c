/* SPDX-License-Identifier: Apache-2.0 */
/* MaxNodeCount against the nodes of the file. */
#include <inttypes.h>

#include "rules/ask.h"

/* SCHED021: node_conf.c:create_node_record, "past MaxNodeCount" */
static void more_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_u64 most = plumb_global_u64(ck, PLUMB_P_SLURM_MAXNODECOUNT);
    uint64_t count = 0;

    if (!plumb_written(most) ||
        (most.v == 0 && !plumb_has_trait(ck, PLUMB_TRAIT_MAX_NODE_COUNT_ZERO_IS_SET)))
        return;
    for (size_t i = 0; i < m->node_count; i++)
        count += m->nodes[i].hosts == NULL ? 0 : m->nodes[i].hosts->count;
    if (count > most.v)
        plumb_outcome(ck,
                      plumb_report(ck, most.at,
                                   "MaxNodeCount is %" PRIu64 ", but there are %" PRIu64
                                   " nodes already, expected at least as many",
                                   most.v, count),
                      NULL);
}

static const struct plumb_rule rows[] = {
    {
        .code = "SCHED021",
        .name = "more-nodes-than-max",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "MaxNodeCount is below the number of nodes",
        .why = "The table of nodes has so many places, those of slurm.conf included.",
        .ref = "slurm.conf(5), MaxNodeCount; node_conf.c:create_node_record",
        .bad = "MaxNodeCount=2\nNodeName=n[1-4] CPUs=4",
        .good = "MaxNodeCount=16\nNodeName=n[1-4] CPUs=4",
        .needs = PLUMB_FACT_MODEL,
        .run = more_nodes,
    },
};

const struct plumb_rule_family plumb_node_room_rules = {
    .prefix = "SCHED",
    .title = "Room for nodes",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
