/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a specification leaves to captures: sockets, cores, threads, memory of a node line,
 * and how slurmd is to count sockets so that the cores of a GPU are whole ones. A key or an
 * override that says it is never replaced; whether it agrees is for rules.
 */
#include "passes/derive.h"

#include <inttypes.h>
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "model/index_map.h"
#include "schema/trait.h"
#include "spec/rules.h"

bool plumb_derive_cores(struct plumb_derive *d, struct plumb_gpu gpu,
                        enum plumb_hw_socket_kind kind, struct plumb_cores *out)
{
    const struct plumb_hardware *hw = d->n->hardware;

    if (!plumb_hardware_gres_cores(hw, gpu, kind, d->a, out))
        return false;
    if (!plumb_trait_now(d->s, PLUMB_TRAIT_GRES_CORES_ARE_WHOLE_SOCKETS))
        *out = hw->gpus[gpu.n].cores;
    return true;
}

/* True when the cores of some GPU are less than the sockets that they lie in. */
static bool cuts_socket(const struct plumb_derive *d, const struct plumb_hardware *hw,
                        enum plumb_hw_socket_kind kind)
{
    for (struct plumb_gpu g = {0}; g.n < hw->gpu_count; g.n++) {
        struct plumb_cores whole;

        if (plumb_hardware_gres_cores(hw, g, kind, d->a, &whole) &&
            !plumb_cores_equal(&whole, &hw->gpus[g.n].cores))
            return true;
    }
    return false;
}

/*
 * The way of counting that makes the GPU's cores whole sockets where packages do not: NUMA nodes on
 * NPS4 and SNC4, L3 caches where those are no NUMA nodes. Releases before the check profit too:
 * they hand out cores by socket, so that with a cut socket a job gets cores of the socket that are
 * not near its GPU (seen with 22.05.8). PLUMB_SOCKET_PACKAGE: packages do, or nothing does.
 */
static enum plumb_hw_socket_kind wanted_sockets(const struct plumb_derive *d)
{
    const struct plumb_hardware *hw = d->n->hardware;

    if (hw == NULL || hw->incomplete_cpus || !cuts_socket(d, hw, PLUMB_SOCKET_PACKAGE))
        return PLUMB_SOCKET_PACKAGE;
    for (int kind = PLUMB_SOCKET_NUMA; kind < PLUMB_SOCKET_KINDS; kind++) {
        enum plumb_hw_socket_kind way = (enum plumb_hw_socket_kind)kind;

        if (hw->sockets[way].sockets > hw->sockets[PLUMB_SOCKET_PACKAGE].sockets &&
            !hw->sockets[way].uneven && !cuts_socket(d, hw, way))
            return way;
    }
    return PLUMB_SOCKET_PACKAGE;
}

static bool sockets_written(const struct plumb_nodes *n)
{
    return plumb_setting_there(&n->settings, PLUMB_P_NODE_SOCKETS) ||
           plumb_setting_there(&n->settings, PLUMB_P_NODE_SOCKETSPERBOARD) ||
           plumb_setting_there(&n->settings, PLUMB_P_NODE_CORESPERSOCKET);
}

/*
 * Parameters= of the node line where the release has it, else SlurmdParameters for the whole
 * cluster. Whoever wrote sockets, or either parameter, has decided.
 */
static void choose_sockets(struct plumb_derive *d)
{
    const struct plumb_param *own = plumb_param(PLUMB_P_NODE_PARAMETERS);
    bool per_node = plumb_param_at(own, d->m->release)->life == PLUMB_LIFE_OK;
    struct plumb_settings *to = per_node ? &d->n->settings : &d->m->settings[PLUMB_SLURM_CONF];
    enum plumb_param_id id = per_node ? PLUMB_P_NODE_PARAMETERS : PLUMB_P_SLURM_SLURMDPARAMETERS;

    if (plumb_setting_there(&d->m->settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_SLURMDPARAMETERS) ||
        plumb_setting_there(to, id) || sockets_written(d->n))
        return;

    enum plumb_hw_socket_kind kind = wanted_sockets(d);

    if (kind != PLUMB_SOCKET_PACKAGE)
        plumb_setting_add_text(d->a, to, id, plumb_hardware_socket_word(kind), d->n->hardware_at,
                               PLUMB_DERIVED);
}

static void add_number(struct plumb_derive *d, enum plumb_param_id id, uint64_t v,
                       struct plumb_span at)
{
    if (!plumb_setting_there(&d->n->settings, id))
        plumb_setting_add_text(d->a, &d->n->settings, id, plumb_arena_printf(d->a, "%" PRIu64, v),
                               at, PLUMB_DERIVED);
}

static void derive_cpus(struct plumb_derive *d)
{
    const struct plumb_hardware *hw = d->n->hardware;
    enum plumb_hw_socket_kind kind = plumb_socket_kind(d->m, d->n);
    const struct plumb_hw_sockets *by = &hw->sockets[kind];

    if (by->sockets == 0) /* this way of counting does not apply: slurmd takes packages */
        by = &hw->sockets[PLUMB_SOCKET_PACKAGE];
    if (by->sockets == 0 || sockets_written(d->n))
        return;
    if (plumb_usable(hw->boards) && hw->boards.v > 1 && by->sockets >= hw->boards.v)
        add_number(d, PLUMB_P_NODE_BOARDS, hw->boards.v, hw->boards.at);
    add_number(d, PLUMB_P_NODE_SOCKETS, by->sockets, hw->packages_count.at);
    add_number(d, PLUMB_P_NODE_CORESPERSOCKET, by->cores_per_socket, hw->core_count.at);
    if (plumb_usable(hw->threads_per_core))
        add_number(d, PLUMB_P_NODE_THREADSPERCORE, hw->threads_per_core.v, hw->threads_per_core.at);
}

static void derive_memory(struct plumb_derive *d)
{
    uint64_t mib = plumb_hardware_real_memory(d->n->hardware);

    if (mib > 0)
        add_number(d, PLUMB_P_NODE_REALMEMORY, mib, d->n->hardware->memory_bytes.at);
}

static uint64_t threads_of(const struct plumb_derive *d)
{
    struct plumb_u64 t =
        plumb_setting_u64(&d->n->settings, PLUMB_P_NODE_THREADSPERCORE, d->m->release);

    return plumb_usable(t) && t.v > 0 && t.v <= UINT16_MAX ? t.v : 1;
}

/*
 * CPUSpecList holds abstract CPU ids: core x threads + thread, all threads of a core
 * (slurmd.c:_core_spec_init).
 */
static void reserve_list(struct plumb_derive *d, const struct plumb_spec_value *cores)
{
    uint64_t threads = threads_of(d);
    struct plumb_slurm_cpus cpus = {0};
    struct plumb_buf text = plumb_buf_in(d->a);

    for (size_t i = 0; i < cores->count; i++) {
        uint64_t core = cores->items[i].number;

        if (!plumb_usable(cores->items[i]))
            continue;
        if ((core + 1) * threads > PLUMB_MAX_PUS)
            plumb_diag_new(&d->s->sink, plumb_spec_rule(PLUMB_SPEC_OUT_OF_RANGE),
                           cores->items[i].at,
                           "core %" PRIu64 " is beyond what a node can have, expected a number "
                           "below %d",
                           core, PLUMB_MAX_PUS);
        else
            plumb_slurm_cpus_add_core(d->a, &cpus, (struct plumb_core){(uint32_t)core},
                                      (uint32_t)threads);
    }
    if (plumb_slurm_cpus_empty(&cpus))
        return;
    plumb_slurm_cpus_text(&cpus, &text);
    d->n->core_threads = threads;
    plumb_setting_add(d->a, &d->n->settings, PLUMB_P_NODE_CPUSPECLIST,
                      plumb_made_slice(plumb_buf_text(&text), cores->at), cores->key_at,
                      PLUMB_GIVEN);
}

static void derive_reserve(struct plumb_derive *d)
{
    const struct plumb_spec_value *cores = plumb_spec_path(d->class, "reserve/cores");

    if (cores == NULL || !plumb_usable(*cores) ||
        plumb_setting_there(&d->n->settings, PLUMB_P_NODE_CORESPECCOUNT) ||
        plumb_setting_there(&d->n->settings, PLUMB_P_NODE_CPUSPECLIST))
        return;
    if (cores->shape == PLUMB_SHAPE_LIST)
        reserve_list(d, cores);
    else if (cores->number > 0)
        plumb_setting_add(d->a, &d->n->settings, PLUMB_P_NODE_CORESPECCOUNT,
                          plumb_made_slice(cores->text.text, cores->at), cores->key_at,
                          PLUMB_GIVEN);
}

/* Slurm takes 1 CPU and 1 MiB where nothing is said (slurm.conf(5)). */
static void check_described(struct plumb_derive *d)
{
    const struct plumb_settings *s = &d->n->settings;
    bool cpus = sockets_written(d->n) || plumb_setting_there(s, PLUMB_P_NODE_CPUS);
    bool memory = plumb_setting_there(s, PLUMB_P_NODE_REALMEMORY);

    if (cpus && memory)
        return;
    if (plumb_spec_get(d->class, "topology") != NULL && d->n->hardware == NULL)
        return; /* the capture could not be read, and that was said */
    plumb_diag_new(
        &d->s->sink, plumb_spec_rule(PLUMB_SPEC_NO_HARDWARE), d->n->at,
        "node class '%s' has no %s, expected a capture in 'topology' that shows them, or "
        "'cpus' and 'memory'",
        d->n->class_name,
        cpus     ? "memory"
        : memory ? "CPUs"
                 : "CPUs and memory");
}

/* CPUs as slurmctld counts them: written, else all threads. */
static uint64_t cpus_of(const struct plumb_derive *d)
{
    static const enum plumb_param_id ids[] = {PLUMB_P_NODE_SOCKETS, PLUMB_P_NODE_CORESPERSOCKET,
                                              PLUMB_P_NODE_THREADSPERCORE};
    const struct plumb_settings *s = &d->n->settings;
    struct plumb_u64 v = plumb_setting_u64(s, PLUMB_P_NODE_CPUS, d->m->release);
    uint64_t product = 1;

    if (plumb_setting_there(s, PLUMB_P_NODE_CPUS))
        return plumb_usable(v) ? v.v : 0;
    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        v = plumb_setting_u64(s, ids[i], d->m->release);
        if (plumb_setting_there(s, ids[i]) &&
            (!plumb_usable(v) || !plumb_mul_u64(product, v.v, &product)))
            return 0;
    }
    return product;
}

/* Memory that jobs may use, shared out by CPUs; 0: not known. */
static uint64_t share_of(const struct plumb_derive *d)
{
    const struct plumb_settings *s = &d->n->settings;
    struct plumb_u64 all = plumb_setting_u64(s, PLUMB_P_NODE_REALMEMORY, d->m->release);
    struct plumb_u64 kept = plumb_setting_u64(s, PLUMB_P_NODE_MEMSPECLIMIT, d->m->release);
    uint64_t cpus = cpus_of(d);
    uint64_t reserved = plumb_usable(kept) ? kept.v : 0;

    if (!plumb_usable(all) || !plumb_setting_there(s, PLUMB_P_NODE_REALMEMORY) || cpus == 0 ||
        all.v <= reserved)
        return 0;
    return (all.v - reserved) / cpus;
}

static const enum plumb_param_id memory_defaults[][3] = {
    {PLUMB_P_SLURM_DEFMEMPERCPU, PLUMB_P_SLURM_DEFMEMPERGPU, PLUMB_P_SLURM_DEFMEMPERNODE},
    {PLUMB_P_PART_DEFMEMPERCPU, PLUMB_P_PART_DEFMEMPERGPU, PLUMB_P_PART_DEFMEMPERNODE},
};

static bool memory_default_there(const struct plumb_settings *s, const enum plumb_param_id *ids)
{
    for (size_t i = 0; i < PLUMB_COUNT(memory_defaults[0]); i++) {
        if (plumb_setting_there(s, ids[i]))
            return true;
    }
    return false;
}

static bool memory_is_consumed(const struct plumb_model *m)
{
    const struct plumb_setting *s =
        plumb_setting(plumb_slurm(m), PLUMB_P_SLURM_SELECTTYPEPARAMETERS);

    return s != NULL && strstr(s->value.text, "_Memory") != NULL;
}

/*
 * Where memory is handed out, a job without --mem takes all of its node unless some default
 * says otherwise (slurm.conf(5), DefMemPerCPU). The three defaults exclude each other, so any
 * that is written decides.
 */
static void derive_memory_default(struct plumb_run *r, struct plumb_derive *d)
{
    const struct plumb_spec_value *classes = plumb_spec_path(&r->spec->root, "nodes");
    struct plumb_settings *to = &d->m->settings[PLUMB_SLURM_CONF];
    struct plumb_span at = {0};
    uint64_t least = 0;

    if (!memory_is_consumed(d->m) || memory_default_there(to, memory_defaults[0]))
        return;
    for (size_t i = 0; i < d->m->partition_count; i++) {
        if (memory_default_there(&d->m->partitions[i].settings, memory_defaults[1]))
            return;
    }
    for (size_t i = 0; i < d->m->node_count; i++) {
        uint64_t share = 0;

        d->n = &d->m->nodes[i];
        d->class = plumb_spec_get(classes, d->n->class_name);
        share = share_of(d);
        if (share == 0 || (least != 0 && share >= least))
            continue;
        least = share;
        at = plumb_setting_at(&d->n->settings, PLUMB_P_NODE_REALMEMORY);
    }
    /* Nothing to share out was reported where it is missing or bad. */
    plumb_setting_add_text(d->a, to, PLUMB_P_SLURM_DEFMEMPERCPU,
                           least > 0 ? plumb_arena_printf(d->a, "%" PRIu64, least) : "", at,
                           least > 0 ? PLUMB_DERIVED : PLUMB_BAD);
}

static void each_class(struct plumb_run *r, struct plumb_derive *d,
                       void (*step)(struct plumb_derive *d))
{
    const struct plumb_spec_value *classes = plumb_spec_path(&r->spec->root, "nodes");

    for (size_t i = 0; i < d->m->node_count; i++) {
        d->n = &d->m->nodes[i];
        d->class = plumb_spec_get(classes, d->n->class_name);
        step(d);
    }
}

static void derive_class(struct plumb_derive *d)
{
    if (d->n->hardware != NULL) {
        derive_cpus(d);
        derive_memory(d);
    }
    check_described(d);
    derive_reserve(d);
    plumb_derive_gres(d);
}

/* Sockets are chosen for all classes first: before 25.11 the choice is one for the cluster. */
void plumb_pass_derive(struct plumb_run *r)
{
    struct plumb_derive d = {.s = r->session, .a = r->session->arena, .m = r->model};

    each_class(r, &d, choose_sockets);
    each_class(r, &d, derive_class);
    derive_memory_default(r, &d);
    plumb_derive_nccl(r, &d);
    plumb_derive_topology(r);
}
