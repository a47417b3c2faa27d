/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a node that means something else to the daemons: localhost. */
#include <string.h>

#include "rules/ask.h"

static uint64_t count_nodes(const struct plumb_model *m)
{
    uint64_t count = 0;

    for (size_t i = 0; i < m->node_count; i++)
        count += m->nodes[i].hosts == NULL ? 0 : m->nodes[i].hosts->count;
    return count;
}

/*
 * NODE043: as long as the table holds one node with this name, every name is found to be that
 * node, so the second one is there already.
 */
static void localhost_first(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_hostlist *first = m->node_count > 0 ? m->nodes[0].hosts : NULL;

    if (first == NULL || first->range_count == 0 || first->ranges[0].numbered ||
        strcmp(first->ranges[0].prefix, "localhost") != 0 || count_nodes(m) < 2)
        return;

    struct plumb_span at = first->ranges[0].at;

    plumb_outcome(ck,
                  plumb_report(ck, plumb_span_known(at) ? at : first->at,
                               "'localhost' is the first of several nodes, expected it alone, or "
                               "nodes by their own names"),
                  NULL);
}

static const struct plumb_rule rows[] = {
    {
        .code = "NODE043",
        .name = "localhost-before-others",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "localhost is the first of several nodes",
        .why = "While localhost is the only node, any other name is taken for it: the next node is "
               "refused as a second one of the same name.",
        .ref = "node_conf.c:_find_node_record",
        .bad = "NodeName=localhost,n[1-2] CPUs=4",
        .good = "NodeName=n[1-2] CPUs=4",
        .needs = PLUMB_FACT_MODEL,
        .run = localhost_first,
    },
};

const struct plumb_rule_family plumb_node_special_rules = {
    .prefix = "NODE",
    .title = "Names of nodes that mean something else",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
