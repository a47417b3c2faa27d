/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about limits and defaults of partitions: time, nodes, memory, CPUs for a GPU. */
#include <inttypes.h>

#include "rules/ask.h"
#include "rules/ranges.h"

#define PART(name) PLUMB_P_PART_##name

/* PART005: slurmctld drops the default. */
static void default_time(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (!plumb_usable(p->default_time_min) || !plumb_usable(p->max_time_min) ||
            p->default_time_min.v <= p->max_time_min.v)
            continue;

        struct plumb_buf found = plumb_buf_in(ck->scratch), limit = plumb_buf_in(ck->scratch);

        plumb_value_write_minutes(&found, p->default_time_min.v);
        plumb_value_write_minutes(&limit, p->max_time_min.v);

        struct plumb_diag *d = plumb_report(
            ck, p->default_time_min.at,
            "DefaultTime of partition '%s' is %s, above its MaxTime of %s, expected at most that",
            plumb_part_name(p),
            p->default_time_min.v == PLUMB_UNLIMITED ? "unlimited" : plumb_buf_text(&found),
            plumb_buf_text(&limit));

        plumb_diag_note(d, p->max_time_min.at, "MaxTime");
        plumb_outcome(ck, d, NULL);
    }
}

/* The first node line of a partition for which a test holds; NULL: none. */
static const struct plumb_nodes *
some_nodes(const struct plumb_check *ck, const struct plumb_range_index *index,
           const struct plumb_partition *p,
           bool (*test)(const struct plumb_check *, const struct plumb_nodes *, uint64_t),
           uint64_t value)
{
    const struct plumb_model *m = ck->model;

    for (size_t n = 0; p->all_nodes && n < m->node_count; n++) {
        if (test(ck, &m->nodes[n], value))
            return &m->nodes[n];
    }
    for (size_t i = 0; !p->all_nodes && p->nodes != NULL && i < p->nodes->range_count; i++) {
        struct plumb_range_cursor c = plumb_range_from(index, &p->nodes->ranges[i]);

        while (plumb_range_next(&c)) {
            if (test(ck, &m->nodes[c.owner], value))
                return &m->nodes[c.owner];
        }
    }
    return NULL;
}

static bool has_more_memory(const struct plumb_check *ck, const struct plumb_nodes *nodes,
                            uint64_t mib)
{
    (void)ck;
    return plumb_usable(nodes->real_memory_mib) && nodes->real_memory_mib.v > mib;
}

static bool has_fewer_cpus(const struct plumb_check *ck, const struct plumb_nodes *nodes,
                           uint64_t per_gpu)
{
    uint64_t gpus = plumb_gres_total(nodes, "gpu");

    return gpus > 0 && gpus <= UINT32_MAX && plumb_written(nodes->cpus) &&
           !plumb_shapeless(ck, nodes) && per_gpu * gpus > nodes->cpus.v;
}

/* PART012: --mem of a job without it is all of the node, more than the partition allows. */
static void max_mem_without_default(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_u64 global = plumb_global_u64(ck, PLUMB_P_SLURM_DEFMEMPERNODE);
    struct plumb_u64 per_cpu = plumb_global_u64(ck, PLUMB_P_SLURM_DEFMEMPERCPU);

    if (!plumb_memory_consumable(ck) || plumb_written(global) || plumb_written(per_cpu) ||
        global.origin == PLUMB_BAD || per_cpu.origin == PLUMB_BAD)
        return;

    const struct plumb_range_index *index = plumb_index_nodes(ck);

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        struct plumb_u64 max = plumb_setting_u64(&p->settings, PART(MAXMEMPERNODE), m->release);
        const struct plumb_nodes *larger;

        if (!plumb_written(max) || max.v == 0 || max.v == PLUMB_UNLIMITED ||
            plumb_setting(&p->settings, PART(DEFMEMPERNODE)) != NULL ||
            plumb_setting(&p->settings, PART(DEFMEMPERCPU)) != NULL ||
            plumb_setting_bad(&p->settings, PART(DEFMEMPERNODE)))
            continue;
        larger = some_nodes(ck, index, p, has_more_memory, max.v);
        if (larger == NULL)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, max.at,
            "MaxMemPerNode of partition '%s' is %" PRIu64 " MiB, below the %" PRIu64
            " MiB of its nodes, so every job without --mem is refused, expected DefMemPerNode too",
            plumb_part_name(p), max.v, larger->real_memory_mib.v);

        plumb_diag_note(d, larger->real_memory_mib.at, "RealMemory");
    }
}

/* PART013 */
static void node_limits(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        struct plumb_u64 min = plumb_setting_u64(&p->settings, PART(MINNODES), m->release);
        struct plumb_u64 max = plumb_setting_u64(&p->settings, PART(MAXNODES), m->release);

        if (!plumb_written(min) || !plumb_written(max) || min.v <= max.v ||
            min.v == PLUMB_UNLIMITED)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, min.at, "MinNodes of partition '%s' is %" PRIu64 ", above its MaxNodes of %" PRIu64,
            plumb_part_name(p), min.v, max.v);

        plumb_diag_note(d, max.at, "MaxNodes");
    }
}

/* PART015: jobs share memory that nobody counts. */
static void shared_memory(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (plumb_memory_consumable(ck) ||
        plumb_setting_bad(plumb_slurm(m), PLUMB_P_SLURM_SELECTTYPEPARAMETERS))
        return;
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_setting *s =
            plumb_setting(&m->partitions[i].settings, PART(OVERSUBSCRIBE));

        if (s == NULL || s->value.len < 3 ||
            (!plumb_slice_holds(&s->value, "YES") && !plumb_slice_holds(&s->value, "FORCE")))
            continue;
        plumb_report(ck, s->value.at,
                     "jobs of partition '%s' share cores, but memory is not allocated, so they can "
                     "use more than a node has, expected a '_Memory' mode in SelectTypeParameters",
                     plumb_part_name(&m->partitions[i]));
    }
}

/* PART016: a job for all GPUs of a node asks for more CPUs than the node has. */
static void cpus_per_gpu(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_u64 global = plumb_global_u64(ck, PLUMB_P_SLURM_DEFCPUPERGPU);
    const struct plumb_range_index *index = plumb_index_nodes(ck);

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        struct plumb_u64 def = plumb_setting_u64(&p->settings, PART(DEFCPUPERGPU), m->release);
        const struct plumb_nodes *small;

        if (!plumb_written(def))
            def = global;
        if (!plumb_written(def) || def.v == 0 || def.v > UINT32_MAX)
            continue;
        small = some_nodes(ck, index, p, has_fewer_cpus, def.v);
        if (small == NULL)
            continue;

        uint64_t gpus = plumb_gres_total(small, "gpu");
        struct plumb_diag *d =
            plumb_report(ck, def.at,
                         "DefCpuPerGPU %" PRIu64 " times %" PRIu64 " GPUs is %" PRIu64
                         " CPUs, but nodes of partition '%s' have %" PRIu64
                         ", so a job for all GPUs of a node never starts",
                         def.v, gpus, def.v * gpus, plumb_part_name(p), small->cpus.v);

        plumb_diag_note(d, small->cpus.at, "CPUs of the nodes");
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "PART005",
        .name = "default-time-above-max",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMCTLD),
        .summary = "DefaultTime above MaxTime",
        .why = "The default is dropped: jobs without --time get MaxTime.",
        .ref = "slurm.conf(5), DefaultTime; slurmctld/read_config.c",
        .bad = "PartitionName=p Nodes=ALL DefaultTime=2-0 MaxTime=1-0",
        .good = "PartitionName=p Nodes=ALL DefaultTime=1:00:00 MaxTime=1-0",
        .needs = PLUMB_FACT_MODEL,
        .run = default_time,
    },
    {
        .code = "PART012",
        .name = "max-mem-without-default",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "MaxMemPerNode below node memory without DefMemPerNode",
        .why = "A job without --mem asks for the whole memory of a node, and is refused.",
        .ref = "slurm.conf(5), MaxMemPerNode, DefMemPerNode",
        .bad = "SelectTypeParameters=CR_Core_Memory\n"
               "PartitionName=p Nodes=ALL MaxMemPerNode=100000",
        .good = "SelectTypeParameters=CR_Core_Memory\n"
                "PartitionName=p Nodes=ALL MaxMemPerNode=100000 DefMemPerNode=10000",
        .needs = PLUMB_FACT_MODEL,
        .run = max_mem_without_default,
    },
    {
        .code = "PART013",
        .name = "min-nodes-above-max",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "MinNodes above MaxNodes",
        .why = "No job fits.",
        .ref = "slurm.conf(5), MinNodes, MaxNodes",
        .bad = "PartitionName=p Nodes=ALL MinNodes=4 MaxNodes=2",
        .good = "PartitionName=p Nodes=ALL MinNodes=1 MaxNodes=2",
        .needs = PLUMB_FACT_MODEL,
        .run = node_limits,
    },
    {
        .code = "PART015",
        .name = "oversubscribe-memory",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "OverSubscribe while memory is not allocated",
        .why = "Jobs on one core together use more memory than there is.",
        .ref = "slurm.conf(5), OverSubscribe",
        .bad = "SelectTypeParameters=CR_Core\n"
               "PartitionName=p Nodes=ALL OverSubscribe=FORCE:4",
        .good = "SelectTypeParameters=CR_Core_Memory\n"
                "PartitionName=p Nodes=ALL OverSubscribe=FORCE:4",
        .needs = PLUMB_FACT_MODEL,
        .run = shared_memory,
    },
    {
        .code = "PART016",
        .name = "cpus-per-gpu",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "DefCpuPerGPU times the GPUs of a node is more than its CPUs",
        .why = "A job for all GPUs of a node never starts.",
        .ref = "slurm.conf(5), DefCpuPerGPU",
        .bad = "NodeName=g CPUs=64 Gres=gpu:8\nPartitionName=p Nodes=g DefCpuPerGPU=16",
        .good = "NodeName=g CPUs=64 Gres=gpu:8\nPartitionName=p Nodes=g DefCpuPerGPU=8",
        .needs = PLUMB_FACT_MODEL,
        .run = cpus_per_gpu,
    },
};

const struct plumb_rule_family plumb_part_limits_rules = {
    .prefix = "PART",
    .title = "Partitions: limits and defaults",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
