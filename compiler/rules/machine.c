/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Node lines against the machine that a capture shows, as slurmd and slurmctld compare them
 * (node_mgr.c:validate_node_specs; slurmd.c). A node line gets one verdict at most.
 */
#include "rules/machine.h"

#include <inttypes.h>

#include "rules/device.h"

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
static bool overrides(const struct plumb_check *ck)
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
    if (overrides(ck) || !captured_shape(ck, n, hw))
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

void plumb_machine_fewer(const struct plumb_check *ck)
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
            if (fault != PLUMB_CORES_BEYOND && plumb_core_drains(ck->model->release, fault))
                return true;
        }
    }
    return false;
}

/*
 * Up to 25.05 slurmd registers the sockets of the machine without an error, and Cores= are held
 * against those; from 25.11 on the written sockets stay, with an error in the log.
 */
void plumb_machine_layout(const struct plumb_check *ck)
{
    struct plumb_fold faults = collect(ck, V_LAYOUT, sockets_at);
    bool written_stays = ck->model->release >= PLUMB_25_11;

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

void plumb_machine_cores(const struct plumb_check *ck)
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
    return hw->cpu_limit > 1 && hw->core_of_cpu != NULL && hw->core_of_cpu[0] == hw->core_of_cpu[1];
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

void plumb_machine_threads(const struct plumb_check *ck)
{
    struct plumb_fold faults = collect(ck, V_THREADS, threads_at);

    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct item *it = f->what;
        bool drains = plumb_core_drains(ck->model->release, PLUMB_CORES_CUT) &&
                      node_autodetects(ck, it->nodes) && !adjacent_siblings(it->nodes->hardware);
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

void plumb_machine_more(const struct plumb_check *ck)
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

void plumb_machine_in_job(const struct plumb_check *ck)
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
    struct plumb_span at = n->real_memory_mib.at;

    return n->hosts != NULL && plumb_span_known(n->hosts->at) &&
           (at.file != n->at.file || at.begin < n->at.begin || at.end > n->at.end);
}

void plumb_machine_memory(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);
    uint64_t percent = needed_percent(ck), declared = 0, captured = 0;

    for (size_t i = 0; i < m->node_count && !overrides(ck); i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct plumb_fold_item *f;

        if (!memory_of(n, &declared, &captured) || declared <= captured ||
            declared / 100 * percent <= captured)
            continue;
        f = plumb_fold_add(
            &faults, plumb_arena_printf(ck->scratch, "%" PRIu64 " %" PRIu64, declared, captured),
            inherited(n) && !m->from_spec ? n->hosts->at : n->real_memory_mib.at, n->hosts);
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

void plumb_machine_headroom(const struct plumb_check *ck)
{
    enum { PART = 400 }; /* of memory: a kernel or a firmware can take as much */
    const struct plumb_model *m = ck->model;
    struct plumb_fold faults = plumb_fold_in(ck);
    uint64_t declared = 0, captured = 0;

    for (size_t i = 0; i < m->node_count && !overrides(ck); i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct plumb_fold_item *f;

        if (!memory_of(n, &declared, &captured) || declared > captured ||
            captured - declared >= captured / PART)
            continue;
        f = plumb_fold_add(
            &faults, plumb_arena_printf(ck->scratch, "%" PRIu64 " %" PRIu64, declared, captured),
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
