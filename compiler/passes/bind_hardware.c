/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One machine out of each capture group. hwloc decides packages, NUMA nodes, cores and PCI
 * locality, slurmd -C memory, and the rest where there is no hwloc file; nvidia-smi names GPUs; the
 * matrix decides links, and locality where hwloc has no GPUs; Nodes decide what Kubernetes can
 * allocate. Where two tell the same fact differently, both places are shown and the more direct one
 * is used.
 */
#include <stdlib.h>

#include "passes/bind.h"
#include "passes/captures.h"

uint32_t plumb_bind_numa(const struct plumb_hardware *hw, uint32_t os_index)
{
    for (size_t i = 0; i < hw->numa_count; i++) {
        if (hw->numa[i].os_index == os_index)
            return (uint32_t)i;
    }
    return PLUMB_NO_INDEX;
}

struct plumb_bits plumb_bind_cores(const struct plumb_bind *b, const struct plumb_bits *cpus)
{
    const struct plumb_hardware *hw = b->hw;
    struct plumb_bits cores = {0};

    for (uint32_t cpu = plumb_bits_next(cpus, 0); cpu < hw->cpu_limit;
         cpu = plumb_bits_next(cpus, cpu + 1)) {
        uint32_t core = hw->core_of_cpu[cpu];

        if (core != PLUMB_NO_INDEX)
            plumb_bits_set(b->s->arena, &cores, core, core);
    }
    return cores;
}

static struct plumb_u64 derived(uint64_t v, struct plumb_span at)
{
    return (struct plumb_u64){.v = v, .at = at, .origin = PLUMB_DERIVED};
}

/* slurmd: cores per socket is the integer quotient, with an error in the log when it is none. */
static struct plumb_hw_sockets sockets(uint32_t count, bool uneven, size_t cores)
{
    if (count == 0)
        return (struct plumb_hw_sockets){0};
    return (struct plumb_hw_sockets){
        .sockets = count,
        .cores_per_socket = (uint32_t)(cores / count),
        .uneven = uneven || cores % count != 0,
    };
}

static void bind_packages(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    struct plumb_hardware *hw = b->hw;
    bool uneven = false;

    hw->packages = PLUMB_NEW_ARRAY(b->s->arena, h->package_count, struct plumb_hw_package);
    hw->package_count = h->package_count;
    for (size_t i = 0; i < h->package_count; i++) {
        hw->packages[i] = (struct plumb_hw_package){
            .os_index = h->packages[i].os_index,
            .first_core = h->packages[i].first_core,
            .core_count = h->packages[i].core_count,
            .at = h->packages[i].at,
        };
        uneven = uneven || h->packages[i].core_count != h->packages[0].core_count;
    }
    hw->sockets[PLUMB_SOCKET_PACKAGE] = sockets((uint32_t)h->package_count, uneven, h->core_count);
    hw->sockets[PLUMB_SOCKET_NUMA] = sockets(h->by_numa.count, h->by_numa.uneven, h->core_count);
    hw->sockets[PLUMB_SOCKET_L3] = sockets(h->by_l3.count, h->by_l3.uneven, h->core_count);
}

static void bind_cores(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_bits all = plumb_bind_bits(&h->cpus);
    uint32_t last = plumb_bits_last(&all);

    hw->cpu_limit = last == UINT32_MAX ? 0 : (size_t)last + 1;
    hw->core_of_cpu = PLUMB_NEW_ARRAY(b->s->arena, hw->cpu_limit, uint32_t);
    for (size_t i = 0; i < hw->cpu_limit; i++)
        hw->core_of_cpu[i] = PLUMB_NO_INDEX;
    for (uint32_t core = 0; core < h->core_count; core++) {
        struct plumb_bits cpus = plumb_bind_bits(&h->cores[core].cpus);

        for (uint32_t cpu = plumb_bits_next(&cpus, 0); cpu < hw->cpu_limit;
             cpu = plumb_bits_next(&cpus, cpu + 1))
            hw->core_of_cpu[cpu] = core;
    }
}

static int by_os_index(const void *a, const void *b)
{
    const struct plumb_hw_numa *x = a, *y = b;

    return x->os_index < y->os_index ? -1 : x->os_index > y->os_index;
}

static void bind_numa(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    struct plumb_hardware *hw = b->hw;
    uint64_t memory = 0;

    hw->numa = PLUMB_NEW_ARRAY(b->s->arena, h->numa_count, struct plumb_hw_numa);
    hw->numa_count = h->numa_count;
    for (size_t i = 0; i < h->numa_count; i++) {
        const struct plumb_hwloc_numa *n = &h->numa[i];
        struct plumb_bits cpus = plumb_bind_bits(&n->cpus);

        hw->numa[i] = (struct plumb_hw_numa){
            .os_index = n->os_index,
            .cpus = cpus,
            .cores = plumb_bind_cores(b, &cpus),
            .package = n->package,
            .memory_bytes = derived(n->memory_bytes, n->at),
            .at = n->at,
        };
        if (!plumb_bits_empty(&cpus))
            memory += n->memory_bytes; /* GPU and CXL memory is not the system's */
    }
    if (hw->numa_count > 1)
        qsort(hw->numa, hw->numa_count, sizeof(*hw->numa), by_os_index);
    if (memory > 0)
        hw->memory_bytes = derived(memory, h->numa[0].at);
}

static void bind_hwloc(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->g->hwloc;
    struct plumb_hardware *hw = b->hw;

    if (h == NULL)
        return;
    hw->at = h->at;
    hw->cpu_arch = h->arch;
    hw->cpu_vendor = h->cpu_vendor;
    hw->cpu_family = h->cpu_family;
    hw->cpu_model = h->cpu_model;
    hw->incomplete_cpus = h->incomplete;
    hw->boards = derived(h->boards, h->cpus_at);
    hw->packages_count = derived(h->package_count, h->packages[0].at);
    hw->core_count = derived(h->core_count, h->cpus_at);
    hw->thread_count = derived(h->pu_count, h->cpus_at);
    hw->threads_per_core = derived(h->threads_per_core, h->cpus_at);
    bind_packages(b, h);
    bind_cores(b, h);
    bind_numa(b, h);
}

/* A matrix alone still tells which NUMA nodes the GPUs are near. */
static struct plumb_span first_place(const struct plumb_capture_group *g)
{
    if (g->hwloc != NULL)
        return g->hwloc->at;
    if (g->slurmd != NULL)
        return g->slurmd->at;
    if (g->smi != NULL && g->smi->row_count > 0)
        return g->smi->rows[0].at;
    if (g->query != NULL || g->list != NULL)
        return (g->query != NULL ? g->query : g->list)->items[0].at;
    if (g->kube_node_count > 0)
        return g->kube_nodes[0]->at;
    return g->at;
}

static struct plumb_hardware *bind_group(struct plumb_session *s,
                                         const struct plumb_capture_group *g)
{
    struct plumb_bind b = {.s = s, .g = g};

    b.hw = PLUMB_NEW(s->arena, struct plumb_hardware);
    b.hw->name = plumb_intern_str(s->intern, g->name);
    b.hw->builtin = g->builtin;
    b.hw->at = first_place(g);
    bind_hwloc(&b);
    plumb_bind_gpus(&b);
    plumb_bind_smi_gpus(&b);
    plumb_bind_slurmd(&b);
    plumb_bind_nics(&b);
    plumb_bind_matrix(&b);
    plumb_bind_kube(&b);
    return b.hw;
}

void plumb_pass_bind_hardware(struct plumb_run *r)
{
    struct plumb_captures *c = plumb_captures_of(r);
    struct plumb_model *m = r->model;

    m->hardware = PLUMB_NEW_ARRAY(r->session->arena, c->count, struct plumb_hardware *);
    m->hardware_count = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct plumb_capture_group *g = c->groups[i];

        if (!plumb_capture_holds(g))
            continue;
        g->hardware = bind_group(r->session, g);
        m->hardware[m->hardware_count++] = g->hardware;
    }
}
