/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about keys of one partition that exclude each other, or that are for the cluster alone. */
#include "rules/ask.h"

#define PART(name) PLUMB_P_PART_##name

/* Settings of one partition that exclude each other: data. */
struct excludes {
    enum plumb_param_id one, other;
    enum { BOTH_SET, BOTH_YES } test;
    enum plumb_param_id of; /* both are spellings of this key, where it is; PLUMB_P_COUNT: none */
};

static bool excludes_holds(const struct plumb_settings *s, const struct excludes *e,
                           enum plumb_release r)
{
    const struct plumb_setting *a = plumb_setting(s, e->one), *b = plumb_setting(s, e->other);

    if (a == NULL || b == NULL)
        return false;
    if (e->test == BOTH_SET)
        return true;

    struct plumb_bool x = plumb_setting_bool(s, e->one, r), y = plumb_setting_bool(s, e->other, r);

    return plumb_usable(x) && plumb_usable(y) && x.v && y.v;
}

struct exclusions {
    const struct excludes *items;
    size_t count;
};

static void excluded(const struct plumb_check *ck)
{
    const struct exclusions *all = ck->rule->data;
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_settings *s = &m->partitions[i].settings;

        for (size_t j = 0; j < all->count; j++) {
            const struct excludes *e = &all->items[j];

            if ((e->of != PLUMB_P_COUNT && !plumb_knows(ck, e->of)) ||
                !excludes_holds(s, e, m->release))
                continue;

            struct plumb_diag *d =
                plumb_report(ck, plumb_setting_at(s, e->other),
                             "partition '%s' has %s beside %s, which wins, expected one of them",
                             plumb_part_name(&m->partitions[i]), plumb_param(e->other)->name,
                             plumb_param(e->one)->name);

            plumb_diag_note(d, plumb_setting_at(s, e->one), "this one counts");
            plumb_outcome(ck, d, NULL);
        }
    }
}

static const struct excludes allow_deny_rows[] = {
    {PART(ALLOWACCOUNTS), PART(DENYACCOUNTS), BOTH_SET, PLUMB_P_COUNT},
    {PART(ALLOWQOS), PART(DENYQOS), BOTH_SET, PLUMB_P_COUNT},
};
static const struct exclusions allow_deny = {allow_deny_rows, PLUMB_COUNT(allow_deny_rows)};

/* Whether they are there counts, not what they hold: 0 too is a value that wins. */
static const struct excludes memory_rows[] = {
    {PART(DEFMEMPERNODE), PART(DEFMEMPERCPU), BOTH_SET, PLUMB_P_COUNT},
    {PART(MAXMEMPERNODE), PART(MAXMEMPERCPU), BOTH_SET, PLUMB_P_COUNT},
};
static const struct exclusions memory_twice = {memory_rows, PLUMB_COUNT(memory_rows)};

static const struct excludes exclusive_rows[] = {
    {PART(EXCLUSIVETOPO), PART(EXCLUSIVEUSER), BOTH_YES, PART(EXCLUSIVE)},
};
static const struct exclusions exclusive_twice = {exclusive_rows, PLUMB_COUNT(exclusive_rows)};

/* PART011: gang scheduling is a matter of the whole cluster (_parse_partitionname). */
static void partition_gang(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, 0, true},
        {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;
    struct plumb_slice item;

    for (size_t i = 0; i < m->partition_count && !plumb_era_quiet(ck, &eras); i++) {
        if (!plumb_setting_has_word(&m->partitions[i].settings, PART(PREEMPTMODE), "GANG", &item))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   "'GANG' in PreemptMode of partition '%s' is dropped, expected "
                                   "it in the PreemptMode of the cluster",
                                   plumb_part_name(&m->partitions[i])),
                      &eras);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "PART008",
        .name = "allow-and-deny",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "an Allow list beside the Deny list of the same kind",
        .why = "The Deny list is dropped.",
        .ref = "slurm.conf(5), AllowAccounts; read_config.c:_parse_partitionname",
        .bad = "PartitionName=p Nodes=ALL AllowAccounts=a DenyAccounts=b",
        .good = "PartitionName=p Nodes=ALL AllowAccounts=a",
        .needs = PLUMB_FACT_MODEL,
        .run = excluded,
        .data = &allow_deny,
    },
    {
        .code = "PART009",
        .name = "partition-memory-twice",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "memory per CPU beside memory per node on one partition",
        .why = "The one per CPU is dropped.",
        .ref = "slurm.conf(5), DefMemPerCPU; read_config.c:_parse_partitionname",
        .bad = "SelectTypeParameters=CR_Core_Memory\n"
               "PartitionName=p Nodes=ALL DefMemPerNode=64000 DefMemPerCPU=2000",
        .good = "SelectTypeParameters=CR_Core_Memory\n"
                "PartitionName=p Nodes=ALL DefMemPerCPU=2000",
        .needs = PLUMB_FACT_MODEL,
        .run = excluded,
        .data = &memory_twice,
    },
    {
        .code = "PART010",
        .name = "exclusive-user-and-topo",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "ExclusiveUser beside ExclusiveTopo",
        .why = "ExclusiveUser is dropped.",
        .ref = "slurm.conf(5), ExclusiveTopo; read_config.c:_parse_partitionname",
        .bad = "PartitionName=p Nodes=ALL ExclusiveUser=YES ExclusiveTopo=YES",
        .good = "PartitionName=p Nodes=ALL ExclusiveTopo=YES",
        .needs = PLUMB_FACT_MODEL,
        .run = excluded,
        .data = &exclusive_twice,
    },
    {
        .code = "PART011",
        .name = "partition-gang",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "GANG in the PreemptMode of a partition",
        .why = "The word is dropped: jobs are not time-sliced.",
        .ref = "slurm.conf(5), PreemptMode; read_config.c:_parse_partitionname",
        .bad = "PartitionName=p Nodes=ALL PreemptMode=GANG",
        .good = "PartitionName=p Nodes=ALL",
        .needs = PLUMB_FACT_MODEL,
        .run = partition_gang,
    },
};

const struct plumb_rule_family plumb_part_excludes_rules = {
    .prefix = "PART",
    .title = "Partitions: keys that exclude each other",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
