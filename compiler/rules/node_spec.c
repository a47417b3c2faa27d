/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about what a node keeps for itself: cores (CoreSpecCount, CPUSpecList) and memory
 * (MemSpecLimit), and about node lines that do not tell their memory.
 */
#include <inttypes.h>

#include "rules/ask.h"
#include "rules/node.h"

#define N(name) PLUMB_P_NODE_##name

static const char *spec_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "CoreSpecCount=%" PRIu64 " of '%s' stands beside CPUSpecList, which "
                              "wins, expected one of them",
                              f->a, plumb_fold_hosts(ck, f->hosts));
}

/* NODE005: S280 */
static void core_spec_twice(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 count = plumb_node_number(ck, n, N(CORESPECCOUNT));
        const struct plumb_setting *list = plumb_setting(&n->settings, N(CPUSPECLIST));
        struct plumb_u64 second = {0, {0, 0, 0}, PLUMB_GIVEN};

        if (!plumb_written(count) || count.v == 0 || list == NULL)
            continue;
        second.at = list->value.at;
        (void)plumb_fold_pair(&faults, n->hosts, count, second);
    }
    plumb_fold_tell(ck, &faults, "CPUSpecList", spec_words);
}

static const char *core_spec_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "CoreSpecCount=%" PRIu64 " of '%s' leaves no core of %" PRIu64
                              " to jobs, expected less",
                              f->a, plumb_fold_hosts(ck, f->hosts), f->b);
}

/* NODE006: S278 */
static void core_spec_all(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 count = plumb_node_number(ck, n, N(CORESPECCOUNT));
        struct plumb_u64 total = {0, {0, 0, 0}, PLUMB_DERIVED};

        if (!plumb_written(count) || count.v == 0 || !plumb_usable(n->sockets) ||
            !plumb_usable(n->cores_per_socket) || plumb_shapeless(ck, n))
            continue;
        total.v = n->sockets.v * n->cores_per_socket.v;
        total.at = n->cores_per_socket.at;
        if (count.v >= total.v)
            (void)plumb_fold_pair(&faults, n->hosts, count, total);
    }
    plumb_fold_tell(ck, &faults, NULL, core_spec_words);
}

static const char *all_sockets_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "what is set aside on '%s' leaves no whole socket of %" PRIu64
                              " to jobs, expected one, or 'CR_Core'",
                              plumb_fold_hosts(ck, f->hosts), f->b);
}

/* Jobs get whole sockets, and cores that are set aside are not for them. */
static bool whole_sockets(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_SELECTTYPEPARAMETERS);
    struct plumb_bool allow = plumb_setting_bool(
        plumb_slurm(ck->model), PLUMB_P_SLURM_ALLOWSPECRESOURCESUSAGE, ck->model->release);

    return s != NULL && plumb_usable(allow) && !allow.v &&
           (plumb_list_find(&s->value, "CR_Socket", NULL) ||
            plumb_list_find(&s->value, "CR_Socket_Memory", NULL)) &&
           plumb_hands_out_cores(ck);
}

/*
 * CoreSpecCount takes a core of each socket in turn. Where it does not, only a count that leaves no
 * socket whole is sure to end slurmctld.
 */
static bool count_in_all(const struct plumb_check *ck, const struct plumb_nodes *n, uint64_t count)
{
    uint64_t sockets = n->sockets.v, cores = n->cores_per_socket.v;

    if (count >= sockets * cores) /* NODE006 */
        return false;
    return plumb_has_trait(ck, PLUMB_TRAIT_CORE_SPEC_BY_SOCKETS) ? count >= sockets
                                                                 : count > (sockets - 1) * cores;
}

/* CPUs are numbered socket by socket. */
static bool list_in_all(const struct plumb_check *ck, const struct plumb_nodes *n,
                        const struct plumb_slice *list)
{
    struct plumb_slurm_cpus set = {0};
    size_t fault = 0;
    uint64_t per_socket = n->cpus.v / n->sockets.v;

    if (n->cpus.v != n->sockets.v * n->cores_per_socket.v * n->threads_per_core.v ||
        !plumb_slurm_cpus_read(ck->scratch, list, &set, &fault) || plumb_slurm_cpus_empty(&set) ||
        plumb_slurm_cpus_last(&set).n >= n->cpus.v || plumb_slurm_cpus_count(&set) == n->cpus.v)
        return false;
    for (uint64_t s = 0; s < n->sockets.v; s++) {
        if (!plumb_slurm_cpus_any(&set, (struct plumb_slurm_cpu){(uint32_t)(s * per_socket)},
                                  (struct plumb_slurm_cpu){(uint32_t)((s + 1) * per_socket - 1)}))
            return false;
    }
    return true;
}

/* NODE035: S257, select_cons_tres.c:_check_allocatable_sockets */
static void all_sockets(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count && whole_sockets(ck); i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 count = plumb_node_number(ck, n, N(CORESPECCOUNT));
        const struct plumb_setting *list = plumb_setting(&n->settings, N(CPUSPECLIST));

        if (!plumb_usable(n->sockets) || n->sockets.v == 0 || !plumb_usable(n->cpus) ||
            !plumb_usable(n->cores_per_socket) || !plumb_usable(n->threads_per_core) ||
            plumb_shapeless(ck, n) || plumb_setting_bad(&n->settings, N(CPUSPECLIST)))
            continue;
        if (list != NULL && list_in_all(ck, n, &list->value)) {
            count.at = list->value.at;
            (void)plumb_fold_pair(&faults, n->hosts, count, n->sockets);
        } else if (list == NULL && plumb_written(count) && count.v > 0 &&
                   count_in_all(ck, n, count.v)) {
            (void)plumb_fold_pair(&faults, n->hosts, count, n->sockets);
        }
    }
    plumb_fold_tell(ck, &faults, NULL, all_sockets_words);
}

/* A specification names cores, of which the list is made. */
static const char *cpu_spec_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(
        ck->arena, "%s of '%s' names %s %" PRIu64 ", expected numbers below %" PRIu64,
        f->what == NULL ? "CPUSpecList" : "reserve", plumb_fold_hosts(ck, f->hosts),
        f->what == NULL ? "CPU" : "core", f->a, f->b);
}

/* NODE007: S279 */
static void cpu_spec_range(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        const struct plumb_setting *list = plumb_setting(&n->settings, N(CPUSPECLIST));
        uint64_t unit = n->core_threads > 0 ? n->core_threads : 1;
        struct plumb_slurm_cpus set = {0};
        struct plumb_fold_item *f;
        size_t fault = 0;

        if (list == NULL || !plumb_usable(n->cpus) || plumb_shapeless(ck, n) ||
            !plumb_slurm_cpus_read(ck->scratch, &list->value, &set, &fault) ||
            plumb_slurm_cpus_empty(&set) || plumb_slurm_cpus_last(&set).n < n->cpus.v)
            continue;
        f = plumb_fold_numbers(
            &faults, (const uint64_t[]){plumb_slurm_cpus_last(&set).n, n->cpus.v, n->core_threads},
            3, list->value.at, n->hosts);
        f->a = plumb_slurm_cpus_last(&set).n / unit;
        f->b = n->cpus.v / unit;
        f->what = n->core_threads > 0 ? n : NULL;
    }
    plumb_fold_tell(ck, &faults, NULL, cpu_spec_words);
}

static const char *mem_spec_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "MemSpecLimit=%" PRIu64
                              " of '%s' leaves no memory of RealMemory=%" PRIu64
                              " to jobs, expected less",
                              f->a, plumb_fold_hosts(ck, f->hosts), f->b);
}

/* NODE008: S281; RealMemory is 1 where it is not written. */
static void mem_spec_all(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 limit = plumb_node_number(ck, n, N(MEMSPECLIMIT));
        struct plumb_u64 real = plumb_node_number(ck, n, N(REALMEMORY));

        if (plumb_written(real) && real.v == 0 && limit.origin != PLUMB_BAD &&
            !plumb_written(limit))
            limit = (struct plumb_u64){.v = 0, .origin = PLUMB_DEFAULTED, .at = real.at};
        else if (!plumb_written(limit) || (limit.v == 0 && (!plumb_written(real) || real.v > 0)) ||
                 real.origin == PLUMB_BAD || (ck->model->from_spec && !plumb_written(real)))
            continue;
        if (!plumb_written(real))
            real = (struct plumb_u64){.v = 1, .origin = PLUMB_DEFAULTED};
        if (limit.v >= real.v)
            (void)plumb_fold_pair(&faults, n->hosts, limit, real);
    }
    plumb_fold_tell(ck, &faults, "RealMemory", mem_spec_words);
}

/* NODE009: memory is allocated, but the node has 1 MiB of it. */
static void no_memory(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist *hosts = NULL;
    const struct plumb_nodes *first = NULL;
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_SELECTTYPEPARAMETERS);

    /* A specification without memory was reported where it is read. */
    if (s == NULL || m->from_spec || !plumb_memory_consumable(ck))
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        if (n->hosts == NULL || n->dynamic || plumb_setting(&n->settings, N(REALMEMORY)) != NULL ||
            plumb_setting_bad(&n->settings, N(REALMEMORY)) || plumb_written(n->real_memory_mib))
            continue;
        if (first == NULL) {
            first = n;
            hosts = PLUMB_NEW(ck->scratch, struct plumb_hostlist);
        }
        plumb_hostlist_append(ck->scratch, hosts, n->hosts);
    }
    if (first == NULL)
        return;

    struct plumb_diag *d = plumb_report(
        ck, plumb_span_known(first->hosts->at) ? first->hosts->at : first->at,
        "'%s' has no RealMemory, which defaults to 1 MiB, but memory is allocated to jobs, so "
        "none fits",
        plumb_fold_hosts(ck, hosts));

    plumb_diag_note(d, s->value.at, "memory is allocated");
    plumb_fold_object(ck, d, hosts);
}

static const struct plumb_rule rows[] = {
    {
        .code = "NODE005",
        .name = "core-spec-twice",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "CoreSpecCount beside CPUSpecList",
        .why = "CoreSpecCount is taken as 0.",
        .ref = "slurm.conf(5), CoreSpecCount; read_config.c:_parse_nodename",
        .bad = "NodeName=c CPUs=32 CoreSpecCount=2 CPUSpecList=0,1",
        .good = "NodeName=c CPUs=32 CPUSpecList=0,1",
        .needs = PLUMB_FACT_MODEL,
        .run = core_spec_twice,
    },
    {
        .code = "NODE006",
        .name = "core-spec-all",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "CoreSpecCount takes every core",
        .why = "The daemons take 1 instead.",
        .ref = "slurm.conf(5), CoreSpecCount; read_config.c:_parse_nodename",
        .bad = "NodeName=c Sockets=1 CoresPerSocket=4 CoreSpecCount=4",
        .good = "NodeName=c Sockets=1 CoresPerSocket=4 CoreSpecCount=1",
        .needs = PLUMB_FACT_MODEL,
        .run = core_spec_all,
    },
    {
        .code = "NODE007",
        .name = "cpu-spec-range",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "CPUSpecList names a CPU beyond the node",
        .why = "The list is dropped: nothing is set aside.",
        .ref = "slurm.conf(5), CpuSpecList; read_config.c:_parse_nodename",
        .bad = "NodeName=c CPUs=32 CPUSpecList=0,32",
        .good = "NodeName=c CPUs=32 CPUSpecList=0,31",
        .needs = PLUMB_FACT_MODEL,
        .run = cpu_spec_range,
    },
    {
        .code = "NODE008",
        .name = "mem-spec-all",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "MemSpecLimit takes all memory",
        .why = "The limit is dropped: nothing is set aside.",
        .ref = "slurm.conf(5), MemSpecLimit; read_config.c:_parse_nodename",
        .bad = "NodeName=c RealMemory=64000 MemSpecLimit=64000",
        .good = "NodeName=c RealMemory=64000 MemSpecLimit=4000",
        .needs = PLUMB_FACT_MODEL,
        .run = mem_spec_all,
    },
    {
        .code = "NODE009",
        .name = "no-real-memory",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "memory is allocated, but nodes have no RealMemory",
        .why = "RealMemory is 1 MiB by default: jobs that ask for memory never start.",
        .ref = "slurm.conf(5), RealMemory",
        .bad = "SelectTypeParameters=CR_Core_Memory\nNodeName=c CPUs=32",
        .good = "SelectTypeParameters=CR_Core_Memory\nNodeName=c CPUs=32 RealMemory=128000",
        .needs = PLUMB_FACT_MODEL,
        .run = no_memory,
    },
    {
        .code = "NODE035",
        .name = "no-whole-socket",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "CoreSpecCount or CPUSpecList touches every socket with CR_Socket",
        .why = "No job could run there: slurmctld ends.",
        .ref = "slurm.conf(5), CoreSpecCount, CPUSpecList; "
               "select_cons_tres.c:_check_allocatable_sockets",
        .bad = "SelectTypeParameters=CR_Socket\nNodeName=c Sockets=2 CoresPerSocket=8 "
               "CoreSpecCount=2",
        .good = "SelectTypeParameters=CR_Core\nNodeName=c Sockets=2 CoresPerSocket=8 "
                "CoreSpecCount=2",
        .needs = PLUMB_FACT_MODEL,
        .run = all_sockets,
    },
};

const struct plumb_rule_family plumb_node_spec_rules = {
    .prefix = "NODE",
    .title = "Node lines: what is set aside, memory",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
