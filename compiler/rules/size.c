/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about how many nodes there are: in the cluster, and for the jobs of a partition. */
#include <inttypes.h>
#include <stdlib.h>

#include "rules/ask.h"

/* Names that stand at one place. */
struct spot {
    struct plumb_span at;
    uint64_t count;
};

static int compare_spots(const void *x, const void *y)
{
    const struct spot *a = x, *b = y;

    if (a->at.file != b->at.file)
        return a->at.file < b->at.file ? -1 : 1;
    return (a->at.begin > b->at.begin) - (a->at.begin < b->at.begin);
}

/* Where a name stands, counted in the order of the text: lines that were folded come together. */
static struct plumb_span place_of(const struct plumb_check *ck, uint64_t nth)
{
    const struct plumb_model *m = ck->model;
    struct spot *spots = NULL;
    size_t count = 0, cap = 0, i = 0;

    for (size_t n = 0; n < m->node_count; n++) {
        const struct plumb_hostlist *h = m->nodes[n].hosts;

        for (size_t k = 0; h != NULL && k < h->range_count; k++) {
            const struct plumb_host_range *r = &h->ranges[k];
            uint64_t names = r->hi - r->lo + 1, parts = r->places == NULL ? 1 : names;

            spots = plumb_arena_reserve(ck->scratch, spots, count, &cap, sizeof(*spots), parts);
            for (uint64_t p = 0; p < parts; p++)
                spots[count++] = (struct spot){
                    r->places == NULL ? h->at : plumb_host_range_at(r, r->lo + p), names / parts};
        }
    }
    if (spots == NULL) /* never: there are more than nth names */
        return (struct plumb_span){0};
    qsort(spots, count, sizeof(*spots), compare_spots);
    for (; i + 1 < count && spots[i].count < nth; i++)
        nth -= spots[i].count;
    return spots[i].at;
}

/* NODE060: node_conf.c:create_node_record_at, MAX_SLURM_NODES; the count begins at 0. */
static void table_full(const struct plumb_check *ck)
{
    enum { MOST = 65537 };
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
        {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    uint64_t count = 0;

    for (size_t i = 0; i < ck->model->node_count; i++)
        count += ck->model->nodes[i].hosts == NULL ? 0 : ck->model->nodes[i].hosts->count;
    if (count > MOST)
        plumb_outcome(ck,
                      plumb_report(ck, place_of(ck, MOST + 1),
                                   "this is node %d and more of the cluster, expected at most %d",
                                   MOST + 1, MOST),
                      &eras);
}

/* PART030: slurmctld takes the number as it is (partition_mgr.c). */
static void min_above_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count && !m->nodes_unread; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        const struct plumb_hostlist *nodes = p->all_nodes ? m->all_nodes : p->nodes;
        struct plumb_u64 min = plumb_setting_u64(&p->settings, PLUMB_P_PART_MINNODES, m->release);

        if (!plumb_written(min) || min.v == PLUMB_UNLIMITED || nodes == NULL || nodes->count == 0 ||
            min.v <= nodes->count || p->name.v == NULL)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, min.at,
                         "MinNodes of partition '%s' is %" PRIu64 ", but it has %" PRIu64
                         " nodes, so no job of it ever starts",
                         p->name.v, min.v, nodes->count);

        if (p->nodes_text.len > 0)
            plumb_diag_note(d, p->nodes_text.at, "its nodes");
    }
}

static const struct plumb_rule node_rows[] = {
    {
        .code = "NODE060",
        .name = "too-many-nodes",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "more nodes than the node table holds",
        .why = "From 24.11 on slurmctld ends; host lists of older releases cannot name so many.",
        .ref = "node_conf.c:create_node_record_at",
        .bad = "NodeName=n[1-40000] CPUs=4\n"
               "NodeName=m[1-26000] CPUs=4",
        .good = "NodeName=n[1-40000] CPUs=4\n"
                "NodeName=m[1-25000] CPUs=4",
        .needs = PLUMB_FACT_MODEL,
        .run = table_full,
    },
};

const struct plumb_rule_family plumb_node_count_rules = {
    .prefix = "NODE",
    .title = "How many nodes there are",
    .rules = node_rows,
    .count = PLUMB_COUNT(node_rows),
};

static const struct plumb_rule part_rows[] = {
    {
        .code = "PART030",
        .name = "min-nodes-above-partition",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "MinNodes above the number of nodes of the partition",
        .why = "Every job of the partition needs more nodes than there are.",
        .ref = "slurm.conf(5), MinNodes",
        .bad = "NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL MinNodes=3",
        .good = "NodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL MinNodes=3",
        .needs = PLUMB_FACT_MODEL,
        .run = min_above_nodes,
    },
};

const struct plumb_rule_family plumb_part_count_rules = {
    .prefix = "PART",
    .title = "Nodes for the jobs of a partition",
    .rules = part_rows,
    .count = PLUMB_COUNT(part_rows),
};
