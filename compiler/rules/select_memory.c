/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about memory as a resource: what jobs get that ask for none, and settings without a use. */
#include "rules/ask.h"
#include "rules/select.h"

#define P(name) PLUMB_P_SLURM_##name

/* Whether they are there counts, not what they hold: 0 too is a value that wins. */
static const struct plumb_combo two_memories[] = {
    {.when = {{P(DEFMEMPERCPU), PLUMB_TEST_SET, NULL}, {P(DEFMEMPERNODE), PLUMB_TEST_SET, NULL}},
     .message = "DefMemPerCPU stands beside DefMemPerNode, which wins, expected one of them"},
    {.when = {{P(MAXMEMPERCPU), PLUMB_TEST_SET, NULL}, {P(MAXMEMPERNODE), PLUMB_TEST_SET, NULL}},
     .message = "MaxMemPerCPU stands beside MaxMemPerNode, which wins, expected one of them"},
};
static const struct plumb_combos memory_pairs = {.items = two_memories,
                                                 .count = PLUMB_COUNT(two_memories)};

static bool partition_has_default(const struct plumb_partition *p)
{
    static const enum plumb_param_id ids[] = {PLUMB_P_PART_DEFMEMPERCPU, PLUMB_P_PART_DEFMEMPERNODE,
                                              PLUMB_P_PART_DEFMEMPERGPU};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        if (plumb_setting(&p->settings, ids[i]) != NULL || plumb_setting_bad(&p->settings, ids[i]))
            return true;
    }
    return false;
}

static bool global_default_memory(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(DEFMEMPERCPU), P(DEFMEMPERNODE), P(DEFMEMPERGPU)};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        if (plumb_global(ck, ids[i]) != NULL || plumb_setting_bad(plumb_slurm(ck->model), ids[i]))
            return true;
    }
    return false;
}

/* SCHED012: without a default a job that asks for no memory takes all of a node. */
static void no_default_memory(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(SELECTTYPEPARAMETERS));
    const struct plumb_model *m = ck->model;
    const struct plumb_partition *lacks = NULL;
    size_t lacking = 0;

    if (s == NULL || !plumb_memory_consumable(ck) || global_default_memory(ck))
        return;
    for (size_t i = 0; i < m->partition_count; i++) {
        if (partition_has_default(&m->partitions[i]))
            continue;
        lacks = lacks == NULL ? &m->partitions[i] : lacks;
        lacking++;
    }
    if (lacks == NULL)
        return;
    if (lacking == m->partition_count && plumb_span_known(s->value.at))
        plumb_report(ck, s->value.at,
                     "memory is allocated to jobs, but nothing says how much a job without --mem "
                     "gets, expected DefMemPerCPU, DefMemPerNode or DefMemPerGPU");
    else
        plumb_report(ck, lacks->name.at,
                     "partition '%s' has no default of memory and neither has the cluster, "
                     "expected DefMemPerCPU, DefMemPerNode or DefMemPerGPU",
                     lacks->name.v);
}

/* Settings that suppose that memory is allocated. */
static struct plumb_span supposes_memory(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(DEFMEMPERCPU), P(DEFMEMPERNODE), P(DEFMEMPERGPU),
                                              P(MAXMEMPERCPU), P(MAXMEMPERNODE)};
    const struct plumb_model *m = ck->model;
    struct plumb_u64 v;

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        v = plumb_global_u64(ck, ids[i]);
        if (plumb_written(v) && v.v > 0)
            return v.at;
    }
    for (size_t i = 0; i < m->node_count; i++) {
        v = plumb_setting_u64(&m->nodes[i].settings, PLUMB_P_NODE_MEMSPECLIMIT, m->release);
        if (plumb_written(v) && v.v > 0)
            return v.at;
    }

    struct plumb_bool ram =
        plumb_setting_bool(plumb_cgroup(m), PLUMB_P_CGROUP_CONSTRAINRAMSPACE, m->release);

    if (ram.origin == PLUMB_GIVEN && ram.v)
        return ram.at;
    return (struct plumb_span){0, 0, 0};
}

/* SCHED013 */
static void memory_not_allocated(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(SELECTTYPEPARAMETERS));
    struct plumb_slice found[2];
    size_t count = 0;

    (void)plumb_select_modes(ck, found, &count);
    if (s == NULL || count != 1 || plumb_slice_holds(&found[0], "Memory"))
        return;

    struct plumb_span at = supposes_memory(ck);

    if (!plumb_span_known(at))
        return;

    struct plumb_diag *d = plumb_report(
        ck, found[0].at,
        "memory is not allocated with '%s', so limits and defaults of memory count for nothing, "
        "expected a '_Memory' mode",
        plumb_arena_strndup(ck->arena, found[0].text, found[0].len));

    plumb_diag_note(d, at, "this supposes that memory is allocated");
}

static const struct plumb_rule rows[] = {
    {
        .code = "SCHED011",
        .name = "memory-per-cpu-and-node",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "a memory default or limit per CPU beside one per node",
        .why = "The one per CPU is dropped.",
        .ref = "slurm.conf(5), DefMemPerCPU, MaxMemPerCPU; read_config.c",
        .bad = "DefMemPerCPU=4000\nDefMemPerNode=64000",
        .good = "DefMemPerCPU=4000",
        PLUMB_COMBO(memory_pairs),
    },
    {
        .code = "SCHED012",
        .name = "no-default-memory",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "memory is allocated, but jobs have no default",
        .why = "A job without --mem takes all memory of its node: one job per node runs although "
               "cores and GPUs are free.",
        .ref = "slurm.conf(5), DefMemPerCPU",
        .bad = "SelectTypeParameters=CR_Core_Memory",
        .good = "SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=4000",
        .needs = PLUMB_FACT_MODEL,
        .run = no_default_memory,
    },
    {
        .code = "SCHED013",
        .name = "memory-not-allocated",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMCTLD),
        .summary = "limits of memory although memory is not allocated",
        .why = "Jobs overcommit the memory of a node although the file looks as if it were "
               "limited.",
        .ref = "slurm.conf(5), RealMemory, SelectTypeParameters",
        .bad = "SelectTypeParameters=CR_Core\nDefMemPerCPU=4000",
        .good = "SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=4000",
        .needs = PLUMB_FACT_MODEL,
        .run = memory_not_allocated,
    },
};

const struct plumb_rule_family plumb_select_memory_rules = {
    .prefix = "SCHED",
    .title = "Allocation of memory",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
