/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about partitions: their names, their nodes, which one is the default. Time limits against
 * backfill are in backfill.c, billing in acct_tres.c.
 */
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"
#include "rules/ranges.h"

#define PART(name) PLUMB_P_PART_##name

static struct plumb_span place_of(const struct plumb_partition *p)
{
    return plumb_span_known(p->name.at) ? p->name.at : p->at;
}

/* The place of a name in Nodes=, else the whole value. */
static struct plumb_span nodes_place(const struct plumb_partition *p, struct plumb_span range)
{
    if (plumb_span_known(range))
        return range;
    return plumb_span_known(p->nodes_text.at) ? p->nodes_text.at : place_of(p);
}

/* A specification may name a class, or all nodes. */
static void suggest_class(const struct plumb_check *ck, struct plumb_diag *d, struct plumb_span at,
                          const char *name)
{
    struct plumb_nearest near = plumb_nearest_to(name);

    plumb_nearest_offer(&near, "all");
    for (size_t i = 0; i < ck->model->node_count; i++) {
        if (ck->model->nodes[i].class_name != NULL)
            plumb_nearest_offer(&near, ck->model->nodes[i].class_name);
    }
    if (near.best == NULL)
        return;
    plumb_diag_help(d, "did you mean '%s'?", near.best);
    plumb_diag_edit(d, at, false, near.best);
}

/* Where localhost is the only node, every name is found to be it (node_conf.c:_find_node_record).
 */
static bool any_name_is_known(const struct plumb_model *m)
{
    return m->all_nodes->count == 1 && m->all_nodes->range_count > 0 &&
           strcmp(m->all_nodes->ranges[0].prefix, "localhost") == 0;
}

/* PART001: _build_part_bitmaps */
static void unknown_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold seen = plumb_fold_in(ck);
    const struct plumb_range_index *nodes = NULL;
    struct plumb_range_index all = {.arena = ck->scratch};
    static const struct plumb_hostlist none = {.range_count = 0};

    if (m->all_nodes == NULL || m->nodes_unread || any_name_is_known(m))
        return;
    nodes = plumb_index_nodes(ck);
    plumb_range_add(&all, m->all_nodes, 0);
    plumb_range_sort(&all);
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        struct plumb_hostlist *missing;
        const char *names;

        if (p->nodes == NULL || p->all_nodes || plumb_range_covers(nodes, p->nodes))
            continue;
        /* node-1[01-36] and node-[101-136] are one: sets have one spelling of each name. */
        missing = plumb_surely(
            ck, plumb_range_missing(&all, plumb_hostlist_union(ck->scratch, p->nodes, &none)));
        if (missing->range_count == 0)
            continue;

        struct plumb_span at = nodes_place(p, missing->ranges[0].at);

        if (plumb_fold_seen(&seen, at))
            continue; /* inherited from one DEFAULT line, or one node set */
        names = plumb_hostlist_str(ck->arena, missing);

        struct plumb_diag *d =
            plumb_report(ck, at, "partition '%s' names node%s '%s', expected %s",
                         plumb_part_name(p), missing->count > 1 ? "s" : "", names,
                         m->from_spec ? "hosts of a node class, the name of a class, or 'all'"
                                      : "nodes that a NodeName line defines");

        if (m->from_spec && missing->count == 1)
            suggest_class(ck, d, at, names);
        plumb_diag_object(d, "node", names, missing->count > 1 ? missing->count : 0);
        plumb_outcome(ck, d, NULL);
    }
}

/* PART002: _build_single_partitionline_info */
static void duplicates(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_map first = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        const struct plumb_text *known;

        if (!plumb_usable(p->name) || p->name.v == NULL)
            continue;
        known = plumb_map_get(&first, p->name.v);
        if (known == NULL) {
            struct plumb_text *copy = PLUMB_NEW(ck->scratch, struct plumb_text);

            *copy = p->name;
            plumb_map_set(&first, p->name.v, copy);
            continue;
        }

        struct plumb_diag *d = plumb_report(
            ck, place_of(p), "partition '%s' is defined twice, expected one line", p->name.v);

        plumb_diag_note(d, known->at, "first defined here");
        plumb_outcome(ck, d, NULL);
    }
}

/* PART003 */
static void no_default(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (m->partition_count == 0 || m->partitions_unread || !m->present[PLUMB_SLURM_CONF])
        return;
    for (size_t i = 0; i < m->partition_count; i++) {
        if (m->partitions[i].is_default.origin == PLUMB_BAD ||
            (plumb_usable(m->partitions[i].is_default) && m->partitions[i].is_default.v))
            return;
    }

    struct plumb_diag *d =
        plumb_report(ck, place_of(&m->partitions[0]),
                     "no partition is the default, expected one with Default=YES");

    plumb_diag_fact(d, "a job that names no partition is refused");
    plumb_outcome(ck, d, NULL);
}

/* PART004 */
static void several_defaults(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_partition *first = NULL, *last = NULL;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (!plumb_usable(p->is_default) || !p->is_default.v)
            continue;
        if (first == NULL)
            first = p;
        else
            last = p;
    }
    if (last == NULL)
        return;

    struct plumb_diag *d =
        plumb_report(ck, first->is_default.at,
                     "partition '%s' is not the default, as '%s' is later in the file, expected "
                     "one Default=YES",
                     plumb_part_name(first), plumb_part_name(last));

    plumb_diag_note(d, last->is_default.at, "this one counts");
}

/* PART006: nothing can run there. Nodes="" is said on purpose. */
static void no_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count && m->present[PLUMB_SLURM_CONF]; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (p->all_nodes || p->nodes != NULL || m->from_spec ||
            plumb_setting(&p->settings, PART(NODES)) != NULL ||
            plumb_setting_bad(&p->settings, PART(NODES)))
            continue;
        plumb_report(ck, place_of(p),
                     "partition '%s' has no nodes, expected Nodes=", plumb_part_name(p));
    }
}

/* PART007 */
static void no_partition(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
        {PLUMB_23_02, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;

    if (m->partition_count != 0 || m->partitions_unread || !m->present[PLUMB_SLURM_CONF])
        return;
    for (size_t i = 0; i < m->default_count; i++) {
        if (m->defaults[i].scope == PLUMB_SCOPE_PARTITION &&
            plumb_setting(&m->defaults[i].settings, PART(NODES)) != NULL) {
            plumb_outcome(ck,
                          plumb_report(ck, m->defaults[i].at,
                                       "a partition cannot be called 'default': this is the line "
                                       "of defaults, and there is no partition"),
                          &eras);
            return;
        }
    }
    plumb_outcome(ck,
                  plumb_report(ck, m->file_at[PLUMB_SLURM_CONF],
                               "there is no partition, expected a PartitionName line"),
                  &eras);
}

/* PART017: defaults hold for the lines below. */
static void defaults_last(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->default_count; i++) {
        const struct plumb_defaults *d = &m->defaults[i];
        bool node = d->scope == PLUMB_SCOPE_NODE;
        size_t records = node ? m->node_count : m->partition_count;

        if (d->before < records || records == 0 || d->settings.count < 2)
            continue;
        plumb_report(ck, d->at,
                     "no %s line follows, so these defaults hold for nothing, expected them above",
                     node ? "NodeName" : "PartitionName");
    }
}

/* PART018: _parse_partitionname reads these from the line of the partition alone. */
static void not_inherited(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {
        PART(DISABLEROOTJOBS), PART(EXCLUSIVEUSER),        PART(EXCLUSIVETOPO),
        PART(POWERDOWNONIDLE), PART(SELECTTYPEPARAMETERS), PART(SUSPENDTIME),
    };
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->default_count; i++) {
        for (size_t k = 0; k < PLUMB_COUNT(ids); k++) {
            const struct plumb_setting *s = plumb_setting(&m->defaults[i].settings, ids[k]);

            if (s == NULL || m->defaults[i].scope != PLUMB_SCOPE_PARTITION ||
                m->defaults[i].before >= m->partition_count)
                continue;
            plumb_outcome(ck,
                          plumb_report(ck, plumb_span_known(s->key_at) ? s->key_at : s->value.at,
                                       "%s is not inherited from a DEFAULT line, expected it on "
                                       "each partition",
                                       plumb_param(ids[k])->name),
                          NULL);
        }
    }
}

/* PART014 */
static void alternate(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_setting *s = plumb_setting(&m->partitions[i].settings, PART(ALTERNATE));
        bool known = s == NULL;

        for (size_t j = 0; j < m->partition_count && !known; j++)
            known = m->partitions[j].name.v != NULL &&
                    plumb_slice_is_exact(&s->value, m->partitions[j].name.v);
        if (!known)
            plumb_report(ck, s->value.at,
                         "Alternate partition '%s' does not exist, expected the "
                         "name of another partition",
                         s->value.text);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "PART001",
        .name = "partition-unknown-node",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a partition names a node that is not defined",
        .why = "slurmctld ends with 'Invalid node names in partition'.",
        .ref =
            "slurm.conf(5), PARTITION CONFIGURATION; slurmctld/read_config.c:_build_part_bitmaps",
        .bad = "NodeName=c[1-4]\nPartitionName=p Nodes=c[1-5]",
        .good = "NodeName=c[1-5]\nPartitionName=p Nodes=c[1-5]",
        .needs = PLUMB_FACT_MODEL,
        .run = unknown_nodes,
    },
    {
        .code = "PART002",
        .name = "partition-duplicate",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "two lines define one partition",
        .why = "slurmctld ends.",
        .ref = "slurmctld/read_config.c:_build_single_partitionline_info",
        .bad = "NodeName=c[1-4] CPUs=32\n"
               "PartitionName=p Nodes=c[1-2]\n"
               "PartitionName=p Nodes=c[3-4]",
        .good = "NodeName=c[1-4] CPUs=32\n"
                "PartitionName=p Nodes=c[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = duplicates,
    },
    {
        .code = "PART003",
        .name = "no-default-partition",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "no partition has Default=YES",
        .why = "Jobs that name no partition are refused.",
        .ref = "slurm.conf(5), Default; slurmctld/read_config.c",
        .bad = "PartitionName=p Nodes=ALL",
        .good = "PartitionName=p Nodes=ALL Default=YES",
        .needs = PLUMB_FACT_MODEL,
        .run = no_default,
    },
    {
        .code = "PART004",
        .name = "several-default-partitions",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "several partitions have Default=YES",
        .why = "The last one counts.",
        .ref = "slurm.conf(5), Default; slurmctld/read_config.c",
        .bad = "PartitionName=cpu Nodes=ALL Default=YES\n"
               "PartitionName=gpu Nodes=ALL Default=YES",
        .good = "PartitionName=cpu Nodes=ALL Default=YES\n"
                "PartitionName=gpu Nodes=ALL",
        .needs = PLUMB_FACT_MODEL,
        .run = several_defaults,
    },
    {
        .code = "PART006",
        .name = "partition-without-nodes",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "a partition without Nodes=",
        .why = "Jobs sent there wait for ever.",
        .ref = "slurm.conf(5), Nodes; partition_mgr.c:build_part_bitmap",
        .bad = "PartitionName=p Default=YES",
        .good = "PartitionName=p Nodes=ALL Default=YES",
        .needs = PLUMB_FACT_MODEL,
        .run = no_nodes,
    },
    {
        .code = "PART007",
        .name = "no-partition",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "no partition at all",
        .why = "No job can be submitted. A partition called 'default', in any case, is the line of "
               "defaults.",
        .ref = "slurm.conf(5), PARTITION CONFIGURATION; slurmctld/read_config.c",
        .bad = "# slurm.conf\n"
               "ClusterName=demo\n"
               "SlurmctldHost=cp-01\n"
               "NodeName=c[1-4] CPUs=32",
        .good = "# slurm.conf\n"
                "ClusterName=demo\n"
                "SlurmctldHost=cp-01\n"
                "NodeName=c[1-4] CPUs=32\n"
                "PartitionName=p Nodes=ALL Default=YES",
        .needs = PLUMB_FACT_MODEL,
        .run = no_partition,
    },
    {
        .code = "PART014",
        .name = "alternate-unknown",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "Alternate names no partition",
        .why = "Jobs of a drained partition are refused instead of moved.",
        .ref = "slurm.conf(5), Alternate",
        .bad = "PartitionName=p Nodes=ALL Default=YES Alternate=spare",
        .good = "PartitionName=p Nodes=ALL Default=YES Alternate=spare\n"
                "PartitionName=spare Nodes=ALL",
        .needs = PLUMB_FACT_MODEL,
        .run = alternate,
    },
    {
        .code = "PART017",
        .name = "defaults-last",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "a DEFAULT line with no record below it",
        .why = "Defaults hold for the lines below them only.",
        .ref = "slurm.conf(5), PARTITION CONFIGURATION, NODE CONFIGURATION",
        .bad = "PartitionName=p Nodes=ALL\nPartitionName=DEFAULT MaxTime=1-0",
        .good = "PartitionName=DEFAULT MaxTime=1-0\nPartitionName=p Nodes=ALL",
        .needs = PLUMB_FACT_MODEL,
        .run = defaults_last,
    },
    {
        .code = "PART018",
        .name = "default-not-inherited",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURM_ALL),
        .summary = "a key of PartitionName=DEFAULT that partitions do not inherit",
        .why = "Six keys are read from the line of the partition alone.",
        .ref = "slurm.conf(5), PARTITION CONFIGURATION; read_config.c:_parse_partitionname",
        .bad = "PartitionName=DEFAULT DisableRootJobs=yes\nPartitionName=p Nodes=ALL",
        .good = "PartitionName=p Nodes=ALL DisableRootJobs=yes",
        .needs = PLUMB_FACT_MODEL,
        .run = not_inherited,
    },
};

const struct plumb_rule_family plumb_part_rules = {
    .prefix = "PART",
    .title = "Partitions",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
