/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Node lines against the machine that a capture shows, as slurmd and slurmctld compare them
 * (node_mgr.c:validate_node_specs; slurmd.c). A node line gets one verdict at most.
 */
#include "rules/machine.h"

#include <inttypes.h>

#include "model/index_map.h"
#include "rules/device.h"

#define N(name) PLUMB_P_NODE_##name

enum verdict { V_FINE, V_FEWER, V_LAYOUT, V_CORES, V_THREADS, V_MORE, V_IN_JOB };

struct shape {
    uint64_t sockets, cores, threads; /* cores of a socket, threads of a core */
    uint64_t cpus;
};

static uint64_t product(const struct shape *s)
{
    return s->sockets * s->cores * s->threads;
}

static bool written_shape(const struct plumb_nodes *n, struct shape *s)
{
    struct plumb_shape w;

    if (!plumb_shape_written(n, &w) || !plumb_usable(n->threads_per_core) ||
        n->threads_per_core.v == 0 || n->threads_per_core.v > UINT16_MAX)
        return false;
    *s = (struct shape){w.sockets, w.cores, n->threads_per_core.v, 0};
    s->cpus = plumb_usable(n->cpus) ? n->cpus.v : product(s);
    return true;
}

static bool captured_shape(const struct plumb_check *ck, const struct plumb_nodes *n,
                           struct shape *s)
{
    struct plumb_shape c;

    if (n->hardware == NULL || !plumb_usable(n->hardware->threads_per_core) ||
        !plumb_shape_captured(ck, n, &c))
        return false;
    *s = (struct shape){c.sockets, c.cores, n->hardware->threads_per_core.v, 0};
    s->cpus = product(s);
    return true;
}

/* slurmd takes the node line for the truth. */
bool plumb_machine_overrides(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_SLURMDPARAMETERS);

    return s != NULL && plumb_slice_holds(&s->value, "config_overrides");
}

/* Sockets, cores and threads were written, not filled in from CPUs or a capture. */
static bool is_written(const struct plumb_nodes *n)
{
    return n->sockets.origin == PLUMB_GIVEN || n->cores_per_socket.origin == PLUMB_GIVEN ||
           n->cpus.origin == PLUMB_GIVEN || n->threads_per_core.origin == PLUMB_GIVEN;
}

/* A capture inside a job shows part of the machine. */
static bool copied_from_job(const struct plumb_nodes *n, const struct shape *w)
{
    const struct plumb_hw_sockets *by = &n->hardware->sockets[PLUMB_SOCKET_PACKAGE];

    return n->hardware->incomplete_cpus && by->sockets == w->sockets &&
           by->cores_per_socket == w->cores && w->sockets * w->cores > 1;
}

static enum verdict judge(const struct plumb_check *ck, const struct plumb_nodes *n,
                          struct shape *w, struct shape *hw)
{
    if (n->hardware == NULL || n->cloud || !is_written(n) || !written_shape(n, w))
        return V_FINE;
    if (copied_from_job(n, w))
        return V_IN_JOB;
    if (plumb_machine_overrides(ck) || !captured_shape(ck, n, hw))
        return V_FINE;
    if (product(w) > product(hw) || w->cpus > hw->cpus)
        return V_FEWER;
    if (w->sockets == hw->sockets && w->cores == hw->cores && w->threads < hw->threads)
        return V_THREADS;
    if (product(w) < product(hw))
        return V_MORE;
    if (w->sockets != hw->sockets || w->cores != hw->cores)
        return V_LAYOUT;
    if (w->cpus == w->sockets * w->cores && w->threads > 1 && w->sockets > 1)
        return V_CORES;
    return V_FINE;
}

static struct plumb_span first_known(struct plumb_span a, struct plumb_span b, struct plumb_span c)
{
    return plumb_span_known(a) ? a : plumb_span_known(b) ? b : c;
}

static struct plumb_span sockets_at(const struct plumb_nodes *n)
{
    return first_known(n->sockets.at, n->cpus.at, n->at);
}

struct item {
    const struct plumb_nodes *nodes;
    struct shape written, captured;
};

/* Collects the node lines with one verdict, by their numbers. */
static struct plumb_fold collect(const struct plumb_check *ck, enum verdict wanted,
                                 struct plumb_span (*place)(const struct plumb_nodes *))
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t i = 0; i < m->node_count; i++) {
        struct shape w = {0, 0, 0, 0}, hw = {0, 0, 0, 0};
        struct plumb_fold_item *f;

        if (judge(ck, &m->nodes[i], &w, &hw) != wanted)
            continue;
        f = plumb_fold_add(
            &faults,
            plumb_arena_printf(ck->scratch, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s",
                               w.sockets, w.cores, w.threads, w.cpus,
                               m->nodes[i].hardware->name != NULL ? m->nodes[i].hardware->name
                                                                  : ""),
            place(&m->nodes[i]), m->nodes[i].hosts);
        if (f->what == NULL) {
            struct item *it = PLUMB_NEW(ck->scratch, struct item);

            *it = (struct item){&m->nodes[i], w, hw};
            f->what = it;
        }
    }
    return faults;
}

static void finish(const struct plumb_check *ck, struct plumb_diag *d,
                   const struct plumb_fold_item *f)
{
    const struct item *it = f->what;

    plumb_diag_note(d,
                    first_known(it->nodes->hardware->packages_count.at, it->nodes->hardware->at,
                                it->nodes->hardware->at),
                    "the captured machine");
    plumb_fold_object(ck, d, f->hosts);
}

/* NODE020: the machine has fewer threads. */
static void fewer(const struct plumb_check *ck)
{
    struct plumb_fold faults = collect(ck, V_FEWER, sockets_at);

    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct item *it = f->what;
        const struct shape *w = &it->written, *hw = &it->captured;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "'%s' declares %" PRIu64 " sockets of %" PRIu64 " cores with %" PRIu64
                         " threads, %" PRIu64 " CPUs, the capture has %" PRIu64 " of %" PRIu64
                         " with %" PRIu64 ", %" PRIu64 " CPUs",
                         plumb_fold_hosts(ck, f->hosts), w->sockets, w->cores, w->threads,
                         w->cpus > product(w) ? w->cpus : product(w), hw->sockets, hw->cores,
                         hw->threads, hw->cpus);

        finish(ck, d, f);
        plumb_outcome(ck, d, NULL);
    }
}

/* Some Cores= for these nodes cuts a socket of the shape that counts. */
static bool cores_cut(const struct plumb_check *ck, const struct plumb_nodes *n,
                      const struct plumb_shape *shape)
{
    struct plumb_gres_views views = plumb_gres_views(ck);

    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];

        for (size_t l = 0; v->nodes == n && l < v->count; l++) {
            enum plumb_core_fault fault;

            if (!v->lines[l]->has_cores || v->lines[l]->cores_bad)
                continue;
            fault = plumb_core_judge(&v->lines[l]->cores, shape);
            if (fault != PLUMB_CORES_BEYOND && plumb_core_drains(ck, fault))
                return true;
        }
    }
    return false;
}

/*
 * NODE021: other sockets, the same cores. slurmd registers the sockets of the machine without an
 * error, and Cores= are held against those; or the written sockets stay, with an error in the log.
 */
static void layout(const struct plumb_check *ck)
{
    struct plumb_fold faults = collect(ck, V_LAYOUT, sockets_at);
    bool written_stays = plumb_has_trait(ck, PLUMB_TRAIT_WRITTEN_SOCKETS_STAY);

    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct item *it = f->what;
        const struct shape *count = written_stays ? &it->written : &it->captured;
        struct plumb_shape shape = {count->sockets, count->cores};
        enum plumb_hw_socket_kind kind = plumb_socket_kind(ck->model, it->nodes);
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "'%s' declares %" PRIu64 " sockets of %" PRIu64
                         " cores, slurmd sees %" PRIu64 " of %" PRIu64 "%s",
                         plumb_fold_hosts(ck, f->hosts), it->written.sockets, it->written.cores,
                         it->captured.sockets, it->captured.cores,
                         kind == PLUMB_SOCKET_NUMA ? " with numa_node_as_socket"
                         : kind == PLUMB_SOCKET_L3 ? " with l3cache_as_socket"
                                                   : "");

        finish(ck, d, f);
        if (cores_cut(ck, it->nodes, &shape)) {
            plumb_diag_fact(d, "Cores of gres.conf then cut a socket");
            plumb_outcome_is(ck, d, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD);
        } else {
            plumb_outcome_is(ck, d, PLUMB_WARNING,
                             written_stays ? PLUMB_EFFECT_COMPLAINS : PLUMB_EFFECT_NONE,
                             PLUMB_SLURMD);
        }
    }
}

static struct plumb_span cpus_at(const struct plumb_nodes *n)
{
    return first_known(n->cpus.at, n->sockets.at, n->at);
}

/* NODE022: CPUs counts cores. */
static void cores(const struct plumb_check *ck)
{
    struct plumb_fold faults = collect(ck, V_CORES, cpus_at);

    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct item *it = f->what;
        struct plumb_diag *d = plumb_report(
            ck, f->at,
            "CPUs of '%s' is %" PRIu64 ", the cores of a machine with %" PRIu64
            " threads: jobs get whole cores, and slurmd logs at every start that it differs",
            plumb_fold_hosts(ck, f->hosts), it->written.cpus, it->captured.cpus);

        finish(ck, d, f);
        plumb_outcome(ck, d, NULL);
    }
}

static struct plumb_span threads_at(const struct plumb_nodes *n)
{
    return first_known(n->threads_per_core.at, n->cpus.at, n->at);
}

/* Siblings are numbered one after the other: then AutoDetect's conversion is right after all. */
static bool adjacent_siblings(const struct plumb_hardware *hw)
{
    struct plumb_core first, second;

    return plumb_core_of_cpu(hw, (struct plumb_cpu){0}, &first) &&
           plumb_core_of_cpu(hw, (struct plumb_cpu){1}, &second) && plumb_core_same(first, second);
}

static bool node_autodetects(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    struct plumb_gres_views views = plumb_gres_views(ck);

    for (size_t i = 0; i < views.count; i++) {
        if (views.items[i].nodes == n && plumb_autodetects(ck, &views.items[i]))
            return plumb_gres_total(n, "gpu") > 0;
    }
    return false;
}

/* NODE023: fewer threads a core. */
static void threads(const struct plumb_check *ck)
{
    struct plumb_fold faults = collect(ck, V_THREADS, threads_at);

    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct item *it = f->what;
        bool drains = plumb_core_drains(ck, PLUMB_CORES_CUT) && node_autodetects(ck, it->nodes) &&
                      !adjacent_siblings(it->nodes->hardware);
        struct plumb_diag *d = plumb_report(
            ck, f->at,
            "ThreadsPerCore of '%s' is %" PRIu64 ", the capture has %" PRIu64 " threads a core%s",
            plumb_fold_hosts(ck, f->hosts), it->written.threads, it->captured.threads,
            drains ? ", so AutoDetect sees every second core, which is no socket" : "");

        finish(ck, d, f);
        plumb_diag_help(d, "ThreadsPerCore=%" PRIu64 "; CPUs=%" PRIu64 " hands out whole cores",
                        it->captured.threads, it->captured.sockets * it->captured.cores);
        if (drains)
            plumb_outcome_is(ck, d, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD);
        else
            plumb_outcome(ck, d, NULL);
    }
}

/* NODE024: the machine has more. */
static void more(const struct plumb_check *ck)
{
    struct plumb_fold faults = collect(ck, V_MORE, sockets_at);

    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct item *it = f->what;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "'%s' declares %" PRIu64 " threads, the capture has %" PRIu64
                         ", so the rest is never used",
                         plumb_fold_hosts(ck, f->hosts), product(&it->written), it->captured.cpus);

        finish(ck, d, f);
        plumb_outcome(ck, d, NULL);
    }
}

/* NODE025: copied from inside a job. */
static void in_job(const struct plumb_check *ck)
{
    struct plumb_fold faults = collect(ck, V_IN_JOB, sockets_at);

    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct item *it = f->what;
        struct plumb_diag *d =
            plumb_report(ck, f->at,
                         "%" PRIu64 " sockets of %" PRIu64 " cores for '%s' is what a job saw, the "
                         "capture was taken inside one; expected the whole machine",
                         it->written.sockets, it->written.cores, plumb_fold_hosts(ck, f->hosts));

        finish(ck, d, f);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "NODE020",
        .name = "machine-has-fewer-cpus",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "the node line declares more CPUs than the captured machine has",
        .why = "A node that registers fewer CPUs, or a smaller product of sockets, cores and "
               "threads, is drained.",
        .ref = "slurm.conf(5), CPUs; node_mgr.c:validate_node_specs",
        .bad = "NodeName=g Boards=2 SocketsPerBoard=2 CoresPerSocket=8\n"
               "# slurmd-C.txt\n"
               "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
               "RealMemory=257700",
        .good = "NodeName=g Boards=1 SocketsPerBoard=2 CoresPerSocket=8\n"
                "# slurmd-C.txt\n"
                "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
                "RealMemory=257700",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = fewer,
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
        .bad = "NodeName=g Sockets=4 CoresPerSocket=4\n"
               "# slurmd-C.txt\n"
               "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
               "RealMemory=257700",
        .good = "NodeName=g Sockets=2 CoresPerSocket=8\n"
                "# slurmd-C.txt\n"
                "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
                "RealMemory=257700",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = layout,
    },
    {
        .code = "NODE022",
        .name = "cpus-are-cores",
        PLUMB_OUTCOME(INFO, COMPLAINS, SLURMD),
        .summary = "CPUs counts cores on a machine with more threads",
        .why = "Legal: one CPU per core is handed out.",
        .ref = "slurm.conf(5), CPUs; slurmd.c",
        .bad = "NodeName=g CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2\n"
               "# slurmd-C.txt\n"
               "NodeName=g CPUs=32 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=2 "
               "RealMemory=257700",
        .good = "NodeName=g CPUs=32 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2\n"
                "# slurmd-C.txt\n"
                "NodeName=g CPUs=32 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=2 "
                "RealMemory=257700",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = cores,
    },
    {
        .code = "NODE023",
        .name = "machine-threads",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "ThreadsPerCore is less than the captured machine has",
        .why = "AutoDetect then turns CPU numbers into every second core, which from 24.11 on "
               "drains the node.",
        .ref = "slurm.conf(5), ThreadsPerCore; xcpuinfo.c",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=8\n"
               "# slurmd-C.txt\n"
               "NodeName=g CPUs=32 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=2 "
               "RealMemory=257700",
        .good = "NodeName=g Sockets=2 CoresPerSocket=8 ThreadsPerCore=2\n"
                "# slurmd-C.txt\n"
                "NodeName=g CPUs=32 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=2 "
                "RealMemory=257700",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = threads,
    },
    {
        .code = "NODE024",
        .name = "machine-has-more-cpus",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "the captured machine has more CPUs than the node line declares",
        .why = "The rest is never used.",
        .ref = "slurm.conf(5), CPUs; node_mgr.c:validate_node_specs",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4\n"
               "# slurmd-C.txt\n"
               "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
               "RealMemory=257700",
        .good = "NodeName=g Sockets=2 CoresPerSocket=8\n"
                "# slurmd-C.txt\n"
                "NodeName=g CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1 "
                "RealMemory=257700",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = more,
    },
    {
        .code = "NODE025",
        .name = "node-line-from-job",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "the node line is what a job saw of the machine",
        .why = "A capture inside a cgroup shows the CPUs of the job; the rest is never used.",
        .ref = "slurm.conf(5), CPUs",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=2 ThreadsPerCore=2   # lstopo ran in a job "
               "with half of the CPUs",
        .good = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = in_job,
    },
};

const struct plumb_rule_family plumb_machine_rules = {
    .prefix = "NODE",
    .title = "Node lines: CPUs of the machine",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
