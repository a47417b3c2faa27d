/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about node lines on their own: arithmetic of boards, sockets, cores and threads, what
 * is set aside, names. What a capture says about them is in machine.c.
 */
#include <inttypes.h>
#include <string.h>

#include "rules/ask.h"
#include "rules/machine.h"
#include "rules/node_names.h"
#include "rules/ranges.h"

#define N(name) PLUMB_P_NODE_##name

static struct plumb_u64 number(const struct plumb_check *ck, const struct plumb_nodes *n,
                               enum plumb_param_id id)
{
    return plumb_setting_u64(&n->settings, id, ck->model->release);
}

/* One range of a line against the ranges above it. */
static void duplicate_range(const struct plumb_check *ck, const struct plumb_range_index *index,
                            const struct plumb_hostlist *hosts, size_t r, size_t seq,
                            struct plumb_fold *faults)
{
    struct plumb_range_cursor c = plumb_range_from(index, &hosts->ranges[r]);
    struct plumb_host_range again = hosts->ranges[r];
    struct plumb_hostlist names = {.ranges = &again, .range_count = 1, .cap = 1};
    struct plumb_fold_item *f;
    struct plumb_span at = plumb_span_known(again.at) ? again.at : hosts->at;

    while (plumb_range_next(&c)) {
        if (c.seq >= seq)
            continue;
        again.lo = c.lo;
        again.hi = c.hi;
        names.count = c.hi - c.lo + 1;
        f = plumb_fold_add(
            faults,
            plumb_arena_printf(ck->scratch, "%" PRIu32 ":%" PRIu32 " %zu", at.file, at.begin, seq),
            at, &names);
        f->second = plumb_span_known(c.found->at) ? c.found->at : ck->model->nodes[c.owner].at;
        f->what = f->alike = "node";
        return;
    }
}

/* NODE001: every daemon that loads the node table stops at the second one. */
static void duplicates(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_range_index index = plumb_index_nodes(ck);
    struct plumb_fold faults = plumb_fold_in(ck);
    size_t seq = 0;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_hostlist *hosts = m->nodes[i].hosts;

        for (size_t r = 0; hosts != NULL && r < hosts->range_count; r++, seq++)
            duplicate_range(ck, &index, hosts, r, seq, &faults);
    }
    faults = plumb_fold_squeeze(ck, &faults);
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        bool many = f->hosts->count > 1;
        struct plumb_diag *d =
            plumb_report(ck, f->at, "node%s '%s' %s defined twice, expected one NodeName line each",
                         many ? "s" : "", plumb_fold_hosts(ck, f->hosts), many ? "are" : "is");

        plumb_diag_note(d, f->second, "first defined here");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* Sockets, cores and threads as _parse_nodename takes them; false when something is unusable. */
static bool shape_of(const struct plumb_check *ck, const struct plumb_nodes *n, uint64_t *sockets,
                     uint64_t *cores, uint64_t *threads)
{
    struct plumb_u64 boards = number(ck, n, N(BOARDS)), s = number(ck, n, N(SOCKETS)),
                     per_board = number(ck, n, N(SOCKETSPERBOARD)),
                     c = number(ck, n, N(CORESPERSOCKET)), t = number(ck, n, N(THREADSPERCORE));
    uint64_t b = plumb_written(boards) && boards.v > 0 ? boards.v : 1;

    if (boards.origin == PLUMB_BAD || s.origin == PLUMB_BAD || per_board.origin == PLUMB_BAD ||
        c.origin == PLUMB_BAD || t.origin == PLUMB_BAD)
        return false;
    *sockets = plumb_written(per_board) ? b * per_board.v : plumb_written(s) ? s.v : 0;
    *cores = plumb_written(c) && c.v > 0 ? c.v : 1;
    *threads = plumb_written(t) && t.v > 0 ? t.v : 1;
    return true;
}

static struct plumb_u64 cpus_of(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    struct plumb_u64 cpus = number(ck, n, N(CPUS));

    return plumb_written(cpus) || cpus.origin == PLUMB_BAD ? cpus : number(ck, n, N(PROCS));
}

/* NODE002: S275 */
static void cpu_product(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct plumb_u64 cpus = cpus_of(ck, n);
        uint64_t sockets = 0, cores = 1, threads = 1;
        struct plumb_fold_item *f;

        if (!plumb_written(cpus) || cpus.v == 0 || !shape_of(ck, n, &sockets, &cores, &threads))
            continue;
        if (sockets == 0 && cpus.v % (cores * threads) == 0)
            continue; /* the daemons derive the sockets */
        if (sockets == 0)
            sockets = 1;
        if (cpus.v == sockets || cpus.v == sockets * cores || cpus.v == sockets * cores * threads)
            continue;
        f = plumb_fold_add(&faults,
                           plumb_arena_printf(ck->scratch,
                                              "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
                                              cpus.v, sockets, cores, threads),
                           cpus.at, n->hosts);
        if (f->what != NULL)
            continue;
        f->a = cpus.v;
        f->what = plumb_arena_printf(
            ck->arena, "%" PRIu64 " sockets, %" PRIu64 " cores or %" PRIu64 " threads", sockets,
            sockets * cores, sockets * cores * threads);
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d =
            plumb_report(ck, f->at, "CPUs of '%s' is %" PRIu64 ", expected %s, and is reset",
                         plumb_fold_hosts(ck, f->hosts), f->a, (const char *)f->what);

        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* Faults with two numbers: collected by those numbers, then told. */
static void tell(const struct plumb_check *ck, const struct plumb_fold *faults, const char *note,
                 const char *(*words)(const struct plumb_check *, const struct plumb_fold_item *))
{
    for (size_t i = 0; i < faults->map.count; i++) {
        const struct plumb_fold_item *f = faults->map.entries[i].value;
        struct plumb_diag *d = plumb_report(ck, f->at, "%s", words(ck, f));

        if (note != NULL && plumb_span_known(f->second))
            plumb_diag_note(d, f->second, "%s", note);
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

static void add(const struct plumb_check *ck, struct plumb_fold *faults,
                const struct plumb_nodes *n, struct plumb_u64 first, struct plumb_u64 second)
{
    struct plumb_fold_item *f = plumb_fold_add(
        faults, plumb_arena_printf(ck->scratch, "%" PRIu64 " %" PRIu64, first.v, second.v),
        first.at, n->hosts);

    f->second = second.at;
    f->a = first.v;
    f->b = second.v;
}

static const char *sockets_as_cpus_words(const struct plumb_check *ck,
                                         const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "CPUs of '%s' is %" PRIu64 ", the sockets, but 'select/cons_tres' "
                              "hands out cores, expected %" PRIu64 " or the threads",
                              plumb_fold_hosts(ck, f->hosts), f->a, f->b);
}

static const char *sockets_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "Sockets=%" PRIu64 " of '%s' stands beside SocketsPerBoard=%" PRIu64
                              ", which wins, expected one of them",
                              f->a, plumb_fold_hosts(ck, f->hosts), f->b);
}

/* NODE003: S273 */
static void sockets_twice(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 s = number(ck, n, N(SOCKETS)), b = number(ck, n, N(SOCKETSPERBOARD));

        if (plumb_written(s) && plumb_written(b))
            add(ck, &faults, n, s, b);
    }
    tell(ck, &faults, "this one counts", sockets_words);
}

static const char *boards_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "Sockets=%" PRIu64 " of '%s' is less than Boards=%" PRIu64
                              ", expected at least one socket a board",
                              f->a, plumb_fold_hosts(ck, f->hosts), f->b);
}

/* NODE004: S274 */
static void fewer_sockets(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 s = number(ck, n, N(SOCKETS)), b = number(ck, n, N(BOARDS));

        if (plumb_written(s) && plumb_written(b) && s.v > 0 && s.v < b.v &&
            !plumb_written(number(ck, n, N(SOCKETSPERBOARD))))
            add(ck, &faults, n, s, b);
    }
    tell(ck, &faults, "Boards", boards_words);
}

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
        struct plumb_u64 count = number(ck, n, N(CORESPECCOUNT));
        const struct plumb_setting *list = plumb_setting(&n->settings, N(CPUSPECLIST));
        struct plumb_u64 second = {0, {0, 0, 0}, PLUMB_GIVEN};

        if (!plumb_written(count) || count.v == 0 || list == NULL)
            continue;
        second.at = list->value.at;
        add(ck, &faults, n, count, second);
    }
    tell(ck, &faults, "CPUSpecList", spec_words);
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
        struct plumb_u64 count = number(ck, n, N(CORESPECCOUNT));
        struct plumb_u64 total = {0, {0, 0, 0}, PLUMB_DERIVED};

        if (!plumb_written(count) || count.v == 0 || !plumb_usable(n->sockets) ||
            !plumb_usable(n->cores_per_socket) || plumb_shapeless(ck, n))
            continue;
        total.v = n->sockets.v * n->cores_per_socket.v;
        total.at = n->cores_per_socket.at;
        if (count.v >= total.v)
            add(ck, &faults, n, count, total);
    }
    tell(ck, &faults, NULL, core_spec_words);
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
           plumb_plugin_in_force(ck, PLUMB_P_SLURM_SELECTTYPE, "cons_tres");
}

/*
 * CoreSpecCount takes a core of each socket in turn. 22.05 looks otherwise: there, as in the
 * releases up to 24.05, only a count that leaves no socket whole is sure to end slurmctld.
 */
static bool count_in_all(const struct plumb_check *ck, const struct plumb_nodes *n, uint64_t count)
{
    uint64_t sockets = n->sockets.v, cores = n->cores_per_socket.v;

    if (count >= sockets * cores) /* NODE006 */
        return false;
    return ck->model->release >= PLUMB_24_11 ? count >= sockets : count > (sockets - 1) * cores;
}

/* CPUs are numbered socket by socket. */
static bool list_in_all(const struct plumb_check *ck, const struct plumb_nodes *n,
                        const struct plumb_slice *list)
{
    struct plumb_bits set = {0};
    size_t fault = 0;
    uint64_t per_socket = n->cpus.v / n->sockets.v;

    if (n->cpus.v != n->sockets.v * n->cores_per_socket.v * n->threads_per_core.v ||
        !plumb_bits_read(ck->scratch, list, &set, &fault) || plumb_bits_empty(&set) ||
        plumb_bits_last(&set) >= n->cpus.v || plumb_bits_count(&set) == n->cpus.v)
        return false;
    for (uint64_t s = 0; s < n->sockets.v; s++) {
        if (plumb_bits_next(&set, (uint32_t)(s * per_socket)) >= (s + 1) * per_socket)
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
        struct plumb_u64 count = number(ck, n, N(CORESPECCOUNT));
        const struct plumb_setting *list = plumb_setting(&n->settings, N(CPUSPECLIST));

        if (!plumb_usable(n->sockets) || n->sockets.v == 0 || !plumb_usable(n->cpus) ||
            !plumb_usable(n->cores_per_socket) || !plumb_usable(n->threads_per_core) ||
            plumb_shapeless(ck, n) || plumb_setting_bad(&n->settings, N(CPUSPECLIST)))
            continue;
        if (list != NULL && list_in_all(ck, n, &list->value)) {
            count.at = list->value.at;
            add(ck, &faults, n, count, n->sockets);
        } else if (list == NULL && plumb_written(count) && count.v > 0 &&
                   count_in_all(ck, n, count.v)) {
            add(ck, &faults, n, count, n->sockets);
        }
    }
    tell(ck, &faults, NULL, all_sockets_words);
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
        struct plumb_bits set = {0};
        struct plumb_fold_item *f;
        size_t fault = 0;

        if (list == NULL || !plumb_usable(n->cpus) || plumb_shapeless(ck, n) ||
            !plumb_bits_read(ck->scratch, &list->value, &set, &fault) || plumb_bits_empty(&set) ||
            plumb_bits_last(&set) < n->cpus.v)
            continue;
        f = plumb_fold_add(&faults,
                           plumb_arena_printf(ck->scratch, "%" PRIu32 " %" PRIu64 " %" PRIu64,
                                              plumb_bits_last(&set), n->cpus.v, n->core_threads),
                           list->value.at, n->hosts);
        f->a = plumb_bits_last(&set) / unit;
        f->b = n->cpus.v / unit;
        f->what = n->core_threads > 0 ? n : NULL;
    }
    tell(ck, &faults, NULL, cpu_spec_words);
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
        struct plumb_u64 limit = number(ck, n, N(MEMSPECLIMIT));
        struct plumb_u64 real = number(ck, n, N(REALMEMORY));

        if (!plumb_written(limit) || limit.v == 0 || real.origin == PLUMB_BAD ||
            (ck->model->from_spec && !plumb_written(real)))
            continue;
        if (!plumb_written(real))
            real = (struct plumb_u64){.v = 1, .origin = PLUMB_DEFAULTED};
        if (limit.v >= real.v)
            add(ck, &faults, n, limit, real);
    }
    tell(ck, &faults, "RealMemory", mem_spec_words);
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

        if (n->hosts == NULL || plumb_setting(&n->settings, N(REALMEMORY)) != NULL ||
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

/* NODE028: cons_tres of 22.05 wants cores or threads, not sockets. */
static void cpus_are_sockets(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);

    if (m->release > PLUMB_22_05 ||
        !plumb_plugin_in_force(ck, PLUMB_P_SLURM_SELECTTYPE, "cons_tres"))
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct plumb_u64 cpus = cpus_of(ck, n), total = {0, {0, 0, 0}, PLUMB_DERIVED};
        uint64_t sockets = 0, cores = 1, threads = 1;

        if (!plumb_written(cpus) || !shape_of(ck, n, &sockets, &cores, &threads))
            continue;
        if (sockets == 0 && cpus.v % (cores * threads) == 0)
            continue;
        sockets = sockets == 0 ? 1 : sockets;
        total.v = sockets * cores;
        if (cpus.v == sockets && cores > 1)
            add(ck, &faults, n, cpus, total);
    }
    tell(ck, &faults, NULL, sockets_as_cpus_words);
}

static const struct plumb_era both_eras[] = {
    {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_IGNORED, PLUMB_SLURMD, false},
    {PLUMB_24_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_combo both[] = {
    {.when = {{PLUMB_P_SLURM_SLURMDPARAMETERS, PLUMB_TEST_HOLDS, "numa_node_as_socket"},
              {PLUMB_P_SLURM_SLURMDPARAMETERS, PLUMB_TEST_HOLDS, "l3cache_as_socket"}},
     .message = "'numa_node_as_socket' is ignored beside 'l3cache_as_socket', expected one of "
                "them"},
};
static const struct plumb_combos two_sockets = {
    .items = both, .count = PLUMB_COUNT(both), .eras = PLUMB_ERAS(both_eras)};

static const struct plumb_rule rows[] = {
    {
        .code = "NODE001",
        .name = "node-duplicate",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "two NodeName lines define one node",
        .why = "Every daemon that loads the node table ends.",
        .ref = "slurm.conf(5), NodeName; read_config.c:_push_to_hashtbls",
        .bad = "NodeName=c[1-4]\nNodeName=c4",
        .good = "NodeName=c[1-3]\nNodeName=c4",
        .needs = PLUMB_FACT_MODEL,
        .run = duplicates,
    },
    {
        .code = "NODE002",
        .name = "cpus-product",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "CPUs is no product of the node line",
        .why = "The daemons replace the number, and a node with fewer threads is drained.",
        .ref = "slurm.conf(5), CPUs; read_config.c:_parse_nodename",
        .bad = "NodeName=c Sockets=2 CoresPerSocket=20 ThreadsPerCore=2 CPUs=48",
        .good = "NodeName=c Sockets=2 CoresPerSocket=20 ThreadsPerCore=2 CPUs=80",
        .needs = PLUMB_FACT_MODEL,
        .run = cpu_product,
    },
    {
        .code = "NODE003",
        .name = "sockets-and-boards",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "Sockets beside SocketsPerBoard",
        .why = "Sockets is dropped.",
        .ref = "slurm.conf(5), SocketsPerBoard; read_config.c:_parse_nodename",
        .bad = "NodeName=c Sockets=2 SocketsPerBoard=2",
        .good = "NodeName=c SocketsPerBoard=2",
        .needs = PLUMB_FACT_MODEL,
        .run = sockets_twice,
    },
    {
        .code = "NODE004",
        .name = "fewer-sockets-than-boards",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "Sockets below Boards",
        .why = "Boards is taken as 1.",
        .ref = "slurm.conf(5), Boards; read_config.c:_parse_nodename",
        .needs = PLUMB_FACT_MODEL,
        .run = fewer_sockets,
    },
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
        .code = "NODE010",
        .name = "no-node",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "no node at all",
        .why = "22.05 does not start; later releases wait for nodes that register by themselves.",
        .ref = "slurmctld/read_config.c:read_slurm_conf",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_node_no_nodes,
    },
    {
        .code = "NODE011",
        .name = "nodeset-is-node",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a NodeSet has the name of a node",
        .why = "Nobody can tell which of them a partition means.",
        .ref = "slurm.conf(5), NodeSet; read_config.c:_validate_conf_nodeset_vs_nodenames",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_node_nodeset_is_node,
    },
    {
        .code = "NODE012",
        .name = "nodeset-empty",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "a NodeSet of a feature that no node has",
        .why = "Partitions of this set have no nodes, and no daemon says so.",
        .ref = "slurm.conf(5), NodeSet",
        .bad = "NodeSet=fast Feature=h200\nNodeName=g Feature=h100",
        .good = "NodeSet=fast Feature=h100\nNodeName=g Feature=h100",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_node_empty_nodeset,
    },
    {
        .code = "NODE013",
        .name = "node-placeholder",
        PLUMB_OUTCOME(ERROR, NONE, SLURMCTLD),
        .summary = "a node name is a placeholder of a template",
        .why = "The daemons take it for the name of one host that never answers.",
        .ref = "slurm.conf(5), NodeName",
        .bad = "NodeName=<NODES>",
        .good = "NodeName=c[01-04]",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_node_placeholders,
    },
    {
        .code = "NODE014",
        .name = "two-socket-parameters",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "numa_node_as_socket beside l3cache_as_socket",
        .why = "numa_node_as_socket is ignored, so Cores mean other cores than written.",
        .ref = "slurm.conf(5), SlurmdParameters; xcpuinfo.c",
        PLUMB_COMBO(two_sockets),
    },
    {
        .code = "NODE015",
        .name = "node-address-count",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a list of addresses, host names or ports is not as long as the node list",
        .why = "The lists are paired with the names one by one; only a single value is for all.",
        .ref = "slurm.conf(5), NodeAddr; node_conf.c:expand_nodeline_info",
        .bad = "NodeName=c[1-4] NodeAddr=10.0.0.[1-3]",
        .good = "NodeName=c[1-4] NodeAddr=10.0.0.[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_node_addresses,
    },
    {
        .code = "NODE020",
        .name = "machine-has-fewer-cpus",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "the node line declares more CPUs than the captured machine has",
        .why = "A node that registers fewer CPUs, or a smaller product of sockets, cores and "
               "threads, is drained.",
        .ref = "slurm.conf(5), CPUs; node_mgr.c:validate_node_specs",
        .bad = "NodeName=g Boards=2 SocketsPerBoard=2 CoresPerSocket=8 # the machine: one board",
        .good = "NodeName=g Boards=1 SocketsPerBoard=2 CoresPerSocket=8",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_machine_fewer,
    },
    {
        .code = "NODE021",
        .name = "machine-sockets",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "the node line declares other sockets than slurmd sees",
        .why = "Up to 25.05 the sockets of the machine count without a word, from 25.11 the "
               "written ones, with an error: Cores mean other cores than written, or drain the "
               "node.",
        .ref = "slurm.conf(5), Sockets, SlurmdParameters; slurmd.c",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_machine_layout,
    },
    {
        .code = "NODE022",
        .name = "cpus-are-cores",
        PLUMB_OUTCOME(INFO, COMPLAINS, SLURMD),
        .summary = "CPUs counts cores on a machine with more threads",
        .why = "Legal: one CPU per core is handed out.",
        .ref = "slurm.conf(5), CPUs; slurmd.c",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_machine_cores,
    },
    {
        .code = "NODE023",
        .name = "machine-threads",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "ThreadsPerCore is less than the captured machine has",
        .why = "AutoDetect then turns CPU numbers into every second core, which from 24.11 on "
               "drains the node.",
        .ref = "slurm.conf(5), ThreadsPerCore; xcpuinfo.c",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_machine_threads,
    },
    {
        .code = "NODE024",
        .name = "machine-has-more-cpus",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "the captured machine has more CPUs than the node line declares",
        .why = "The rest is never used.",
        .ref = "slurm.conf(5), CPUs; node_mgr.c:validate_node_specs",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_machine_more,
    },
    {
        .code = "NODE025",
        .name = "node-line-from-job",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "the node line is what a job saw of the machine",
        .why = "A capture inside a cgroup shows the CPUs of the job; the rest is never used.",
        .ref = "slurm.conf(5), CPUs",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_machine_in_job,
    },
    {
        .code = "NODE026",
        .name = "memory-above-machine",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "RealMemory is more than the captured machine has",
        .why = "A node may report more than configured, never less: it is drained as 'Low "
               "RealMemory'.",
        .ref = "slurm.conf(5), RealMemory; node_mgr.c:validate_node_specs",
        .bad = "NodeName=g RealMemory=262144 # the size of the DIMMs",
        .good = "NodeName=g RealMemory=250000",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_machine_memory,
    },
    {
        .code = "NODE027",
        .name = "memory-without-headroom",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "RealMemory leaves no headroom below the captured memory",
        .why = "What a kernel reports changes by some MiB with its version and options.",
        .ref = "slurm.conf(5), RealMemory",
        .bad = "NodeName=g RealMemory=257700 # the very value of slurmd -C",
        .good = "NodeName=g RealMemory=250000",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = plumb_machine_headroom,
    },
    {
        .code = "NODE028",
        .name = "cpus-are-sockets",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "CPUs is the number of sockets, with select/cons_tres of 22.05",
        .why = "slurmctld 22.05 ends; later releases take it.",
        .ref = "slurm.conf(5), CPUs; select/cons_tres of 22.05",
        .bad = "NodeName=c CPUs=2 Sockets=2 CoresPerSocket=4",
        .good = "NodeName=c CPUs=8 Sockets=2 CoresPerSocket=4",
        .needs = PLUMB_FACT_MODEL,
        .run = cpus_are_sockets,
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

const struct plumb_rule_family plumb_node_rules = {
    .prefix = "NODE",
    .title = "Node lines",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
