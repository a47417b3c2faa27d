/* SPDX-License-Identifier: Apache-2.0 */
/* RealMemory of node lines against the memory of the machine that a capture shows. */
#include <inttypes.h>

#include "rules/ask.h"
#include "rules/machine.h"

enum { MIB = 1024 * 1024 };

static bool memory_of(const struct plumb_nodes *n, uint64_t *declared, uint64_t *captured)
{
    if (n->hardware == NULL || n->cloud || n->real_memory_mib.origin != PLUMB_GIVEN ||
        n->real_memory_mib.v == PLUMB_UNLIMITED || !plumb_usable(n->hardware->memory_bytes) ||
        n->hardware->memory_bytes.v < MIB)
        return false;
    *declared = n->real_memory_mib.v;
    *captured = n->hardware->memory_bytes.v / MIB;
    return true;
}

/* SlurmctldParameters=node_reg_mem_percent: how much of RealMemory a node must report. */
static uint64_t needed_percent(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_SLURMCTLDPARAMETERS);
    struct plumb_slice item;
    uint64_t percent = 0;

    if (s == NULL || !plumb_list_u64(&s->value, "node_reg_mem_percent=", &item, &percent) ||
        percent > 100)
        return 100;
    return percent;
}

/* What a DEFAULT line above says is wrong for this line: the finding is here. */
static bool inherited(const struct plumb_nodes *n)
{
    return n->hosts != NULL && plumb_span_known(n->hosts->at) &&
           !plumb_span_within(n->real_memory_mib.at, n->at);
}

/* NODE026: RealMemory above the capture. */
static void memory(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);
    uint64_t percent = needed_percent(ck), declared = 0, captured = 0;

    for (size_t i = 0; i < m->node_count && !plumb_machine_overrides(ck); i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct plumb_fold_item *f;

        if (!memory_of(n, &declared, &captured) || declared <= captured ||
            declared / 100 * percent <= captured)
            continue;
        f = plumb_fold_numbers(&faults, (const uint64_t[]){declared, captured}, 2,
                               inherited(n) && !m->from_spec ? n->hosts->at : n->real_memory_mib.at,
                               n->hosts);
        f->a = declared;
        f->b = captured;
        f->second = n->hardware->memory_bytes.at;
        f->what = f->what != NULL ? f->what : n;
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "RealMemory of '%s' is %" PRIu64 " MiB, the capture has %" PRIu64
                         ", expected a little less than that",
                         plumb_fold_hosts(ck, f->hosts), f->a, f->b);
        const struct plumb_nodes *first = f->what;

        if (inherited(first) && !m->from_spec)
            plumb_diag_note(d, first->real_memory_mib.at, "the DEFAULT that the line inherits");
        if (plumb_span_known(f->second))
            plumb_diag_note(d, f->second, "the memory of the capture");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* NODE027: RealMemory exactly the capture. */
static void headroom(const struct plumb_check *ck)
{
    enum { PART = 400 }; /* of memory: a kernel or a firmware can take as much */
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);
    uint64_t declared = 0, captured = 0;

    for (size_t i = 0; i < m->node_count && !plumb_machine_overrides(ck); i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct plumb_fold_item *f;

        if (!memory_of(n, &declared, &captured) || declared > captured ||
            captured - declared >= captured / PART)
            continue;
        f = plumb_fold_numbers(&faults, (const uint64_t[]){declared, captured}, 2,
                               n->real_memory_mib.at, n->hosts);
        f->a = declared;
        f->b = captured;
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "RealMemory of '%s' is %" PRIu64 " MiB of the %" PRIu64
                         " captured: a kernel that keeps a little more drains the node",
                         plumb_fold_hosts(ck, f->hosts), f->a, f->b);

        plumb_fold_object(ck, d, f->hosts);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "NODE026",
        .name = "memory-above-machine",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "RealMemory is more than the captured machine has",
        .why = "A node may report more than configured, never less: it is drained as 'Low "
               "RealMemory'.",
        .ref = "slurm.conf(5), RealMemory; node_mgr.c:validate_node_specs",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=8 RealMemory=262144\n"
               "# slurmd-C.txt\n"
               "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
               "RealMemory=257700",
        .good = "NodeName=g Sockets=2 CoresPerSocket=8 RealMemory=250000\n"
                "# slurmd-C.txt\n"
                "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
                "RealMemory=257700",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = memory,
    },
    {
        .code = "NODE027",
        .name = "memory-without-headroom",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "RealMemory leaves no headroom below the captured memory",
        .why = "What a kernel reports changes by some MiB with its version and options.",
        .ref = "slurm.conf(5), RealMemory",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=8 RealMemory=257700\n"
               "# slurmd-C.txt\n"
               "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
               "RealMemory=257700",
        .good = "NodeName=g Sockets=2 CoresPerSocket=8 RealMemory=250000\n"
                "# slurmd-C.txt\n"
                "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
                "RealMemory=257700",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = headroom,
    },
};

const struct plumb_rule_family plumb_machine_memory_rules = {
    .prefix = "NODE",
    .title = "Node lines: memory of the machine",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
