/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about node lines on their own: arithmetic of boards, sockets, cores, threads and CPUs. */
#include "rules/node.h"

#include <inttypes.h>

#include "rules/ask.h"

#define N(name) PLUMB_P_NODE_##name

struct plumb_u64 plumb_node_number(const struct plumb_check *ck, const struct plumb_nodes *n,
                                   enum plumb_param_id id)
{
    struct plumb_u64 v = plumb_setting_u64(&n->settings, id, ck->model->release);

    if (v.v == PLUMB_UNLIMITED && plumb_written(v) &&
        plumb_param_at(plumb_param(id), ck->model->release)->type == PLUMB_T_U16)
        v.v = UINT16_MAX; /* INFINITE of its width is a number like others here */
    return v;
}

/* Sockets, cores and threads as _parse_nodename takes them; false when something is unusable. */
static bool shape_of(const struct plumb_check *ck, const struct plumb_nodes *n, uint64_t *sockets,
                     uint64_t *cores, uint64_t *threads)
{
    struct plumb_u64 boards = plumb_node_number(ck, n, N(BOARDS)),
                     s = plumb_node_number(ck, n, N(SOCKETS)),
                     per_board = plumb_node_number(ck, n, N(SOCKETSPERBOARD)),
                     c = plumb_node_number(ck, n, N(CORESPERSOCKET)),
                     t = plumb_node_number(ck, n, N(THREADSPERCORE));
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
    struct plumb_u64 cpus = plumb_node_number(ck, n, N(CPUS));

    return plumb_written(cpus) || cpus.origin == PLUMB_BAD ? cpus
                                                           : plumb_node_number(ck, n, N(PROCS));
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
        f = plumb_fold_numbers(&faults, (const uint64_t[]){cpus.v, sockets, cores, threads}, 4,
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

static const char *sockets_as_cpus_words(const struct plumb_check *ck,
                                         const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "CPUs of '%s' is %" PRIu64 ", the sockets, but '%s' hands out "
                              "cores, expected %" PRIu64 " or the threads",
                              plumb_fold_hosts(ck, f->hosts), f->a,
                              plumb_plugin_in_force(ck, PLUMB_P_SLURM_SELECTTYPE, "cons_res")
                                  ? "select/cons_res"
                                  : "select/cons_tres",
                              f->b);
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
        struct plumb_u64 s = plumb_node_number(ck, n, N(SOCKETS)),
                         b = plumb_node_number(ck, n, N(SOCKETSPERBOARD));

        if (plumb_written(s) && plumb_written(b))
            (void)plumb_fold_pair(&faults, n->hosts, s, b);
    }
    plumb_fold_tell(ck, &faults, "this one counts", sockets_words);
}

static const char *boards_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "Sockets=%" PRIu64 " of '%s' is less than Boards=%" PRIu64
                              ", expected at least one socket a board",
                              f->a, plumb_fold_hosts(ck, f->hosts), f->b);
}

static const char *counted_words(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    return plumb_arena_printf(ck->arena,
                              "CPUs of '%s' are %" PRIu64 " sockets, less than Boards=%" PRIu64
                              ", expected at least one socket a board",
                              plumb_fold_hosts(ck, f->hosts), f->a, f->b);
}

/* Sockets that _parse_nodename works out of CPUs, at the place of CPUs; 0: it takes the boards. */
static struct plumb_u64 counted_sockets(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    struct plumb_u64 cpus = cpus_of(ck, n);
    uint64_t sockets = 0, cores = 1, threads = 1;

    if (!plumb_written(cpus) || !shape_of(ck, n, &sockets, &cores, &threads) || sockets != 0 ||
        cpus.v % (cores * threads) != 0)
        cpus.v = 0;
    cpus.v /= cores * threads;
    return cpus;
}

/* NODE004: S274 */
static void fewer_sockets(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck), counted = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 s = plumb_node_number(ck, n, N(SOCKETS)),
                         b = plumb_node_number(ck, n, N(BOARDS));

        if (!plumb_written(b) || plumb_written(plumb_node_number(ck, n, N(SOCKETSPERBOARD))))
            continue;
        if (plumb_written(s) && s.v > 0 && s.v < b.v)
            (void)plumb_fold_pair(&faults, n->hosts, s, b);
        if (plumb_written(s) || s.origin == PLUMB_BAD)
            continue;
        s = counted_sockets(ck, n);
        if (s.v > 0 && s.v < b.v)
            (void)plumb_fold_pair(&counted, n->hosts, s, b);
    }
    plumb_fold_tell(ck, &faults, "Boards", boards_words);
    plumb_fold_tell(ck, &counted, "Boards", counted_words);
}

/* NODE028: the plugin wants cores or threads, not sockets, where it minds. */
static void cpus_are_sockets(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);

    if (plumb_has_trait(ck, PLUMB_TRAIT_CPUS_MAY_BE_SOCKETS) || !plumb_hands_out_cores(ck))
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
            (void)plumb_fold_pair(&faults, n->hosts, cpus, total);
    }
    plumb_fold_tell(ck, &faults, NULL, sockets_as_cpus_words);
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
        .bad = "NodeName=c[1-4] Boards=4 Sockets=2 CoresPerSocket=8",
        .good = "NodeName=c[1-4] Boards=1 Sockets=2 CoresPerSocket=8",
        .needs = PLUMB_FACT_MODEL,
        .run = fewer_sockets,
    },
    {
        .code = "NODE014",
        .name = "two-socket-parameters",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "numa_node_as_socket beside l3cache_as_socket",
        .why = "numa_node_as_socket is ignored, so Cores mean other cores than written.",
        .ref = "slurm.conf(5), SlurmdParameters; xcpuinfo.c",
        .bad = "SlurmdParameters=numa_node_as_socket,l3cache_as_socket",
        .good = "SlurmdParameters=l3cache_as_socket",
        PLUMB_COMBO(two_sockets),
    },
    {
        .code = "NODE028",
        .name = "cpus-are-sockets",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "CPUs is the number of sockets, with select/cons_tres or cons_res of 22.05",
        .why = "slurmctld 22.05 ends; later releases take it.",
        .ref = "slurm.conf(5), CPUs; cons_common.c:common_node_init of 22.05",
        .bad = "NodeName=c CPUs=2 Sockets=2 CoresPerSocket=4",
        .good = "NodeName=c CPUs=8 Sockets=2 CoresPerSocket=4",
        .needs = PLUMB_FACT_MODEL,
        .run = cpus_are_sockets,
    },
};

const struct plumb_rule_family plumb_node_rules = {
    .prefix = "NODE",
    .title = "Node lines",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
