/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One machine out of each capture group. hwloc decides packages, NUMA nodes, cores and PCI
 * locality, slurmd -C memory, and the rest where there is no hwloc file; nvidia-smi names GPUs; the
 * matrix decides links, and locality where hwloc has no GPUs; Nodes decide what Kubernetes can
 * allocate. Where two tell the same fact differently, both places are shown and the more direct one
 * is used.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "capture/nccl.h"
#include "model/index_map.h"
#include "passes/bind.h"
#include "passes/captures.h"
#include "schema/trait.h"

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

/*
 * Since 23.02 slurmd leaves Intel's E-cores out, up to 25.05 all but the first kind of P-cores
 * (_remove_ecores); allow_ecores keeps them.
 */
static const struct plumb_hwloc *as_slurmd_sees(const struct plumb_session *s,
                                                const struct plumb_model *m,
                                                const struct plumb_hwloc *h)
{
    const struct plumb_hwloc *part = NULL;

    if (h == NULL || !plumb_trait_now(s, PLUMB_TRAIT_ECORES_LEFT_OUT) ||
        plumb_setting_has_word(plumb_slurm(m), PLUMB_P_SLURM_SLURMDPARAMETERS, "allow_ecores",
                               NULL))
        return h;
    part = plumb_trait_now(s, PLUMB_TRAIT_PCORES_OF_ALL_KINDS) ? h->pcores : h->first_pcores;
    return part == NULL ? h : part;
}

static void report_ecores(struct plumb_bind *b)
{
    const struct plumb_hwloc *all = b->g->hwloc, *part = b->hwloc;

    if (all != part)
        plumb_hw_report(b->s, PLUMB_HW_ECORES, all->cpus_at,
                        "slurmd uses %zu of the %zu cores, the P-cores; the others only with "
                        "'allow_ecores' in SlurmdParameters",
                        part->core_count, all->core_count);
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
    if (!h->has_cores) /* reported */
        return;
    hw->sockets[PLUMB_SOCKET_PACKAGE] = sockets((uint32_t)h->package_count, uneven, h->core_count);
    if (h->numa_told)
        hw->sockets[PLUMB_SOCKET_NUMA] =
            sockets(h->by_numa.count, h->by_numa.uneven, h->core_count);
    hw->sockets[PLUMB_SOCKET_L3] = sockets(h->by_l3.count, h->by_l3.uneven, h->core_count);
}

static void bind_cores(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_cpus all = plumb_bind_cpus(&h->cpus);
    struct plumb_cpu last = plumb_cpus_last(&all);

    hw->cpu_limit = !plumb_cpu_known(last) || !h->has_cores ? 0 : (size_t)last.n + 1;
    hw->core_of_cpu = PLUMB_NEW_ARRAY(b->s->arena, hw->cpu_limit, struct plumb_core);
    for (size_t i = 0; i < hw->cpu_limit; i++)
        hw->core_of_cpu[i] = PLUMB_NO(core);
    for (struct plumb_core core = {0}; core.n < h->core_count; core.n++) {
        struct plumb_cpus cpus = plumb_bind_cpus(&h->cores[core.n].cpus);

        for (struct plumb_cpu cpu = plumb_cpus_first(&cpus); cpu.n < hw->cpu_limit;
             cpu = plumb_cpus_after(&cpus, cpu))
            hw->core_of_cpu[cpu.n] = core;
    }
}

static void bind_numa(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    struct plumb_hardware *hw = b->hw;
    uint64_t memory = 0;

    hw->numa = PLUMB_NEW_ARRAY(b->s->arena, h->numa_count, struct plumb_hw_numa);
    hw->numa_count = h->numa_told ? h->numa_count : 0;
    for (size_t i = 0; i < hw->numa_count; i++) {
        const struct plumb_hwloc_numa *n = &h->numa[i];
        struct plumb_cpus cpus = plumb_bind_cpus(&n->cpus);

        hw->numa[i] = (struct plumb_hw_numa){
            .os_index = n->os_index,
            .cpus = cpus,
            .cores = plumb_cores_of_cpus(b->s->arena, hw, &cpus),
            .package = n->package,
            .at = n->at,
        };
        if (n->memory_told)
            hw->numa[i].memory_bytes = plumb_u64_derived(n->memory_bytes, n->at);
        if (!plumb_cpus_empty(&cpus))
            memory += n->memory_bytes; /* GPU and CXL memory is not the system's */
    }
    if (hw->numa_count > 1)
        qsort(hw->numa, hw->numa_count, sizeof(*hw->numa), plumb_numa_order);
    if (memory > 0)
        hw->memory_bytes = plumb_u64_derived(memory, h->numa[0].at);
}

/* A short name and one with its domain may be one machine. */
static bool same_host(const struct plumb_slice *a, const struct plumb_slice *b)
{
    uint32_t la = (uint32_t)strcspn(a->text, "."), lb = (uint32_t)strcspn(b->text, ".");

    if (a->text[la] == '.' && b->text[lb] == '.') {
        la = a->len;
        lb = b->len;
    }
    for (uint32_t i = 0; i < la && la == lb; i++) {
        if (plumb_lower(a->text[i]) != plumb_lower(b->text[i]))
            return false;
    }
    return la == lb;
}

void plumb_bind_host(struct plumb_bind *b, const struct plumb_slice *host)
{
    if (host->len == 0)
        return;
    if (b->host.len == 0) {
        b->host = *host;
        return;
    }
    if (!same_host(&b->host, host))
        plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_HOST, host->at,
                                        "this was taken on '%s', another capture of the same "
                                        "machine on '%s'",
                                        host->text, b->host.text),
                        b->host.at, "the name in the other capture");
}

static void bind_hwloc(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->hwloc;
    struct plumb_hardware *hw = b->hw;

    if (h == NULL)
        return;
    hw->at = h->at;
    plumb_bind_host(b, &h->host);
    hw->cpu_arch = h->arch;
    hw->cpu_vendor = h->cpu_vendor;
    hw->cpu_family = h->cpu_family;
    hw->cpu_model = h->cpu_model;
    hw->incomplete_cpus = h->incomplete;
    hw->boards = plumb_u64_derived(h->boards, h->cpus_at);
    hw->packages_count = plumb_u64_derived(h->package_count, h->packages[0].at);
    hw->thread_count = plumb_u64_derived(h->pu_count, h->cpus_at);
    if (h->has_cores)
        hw->core_count = plumb_u64_derived(h->core_count, h->cpus_at);
    if (h->has_cores && h->threads_per_core > 0) /* 0: cores without a CPU, HW008 */
        hw->threads_per_core = plumb_u64_derived(h->threads_per_core, h->cpus_at);
    report_ecores(b);
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
    if (g->gres != NULL)
        return g->gres->items[0].at;
    if (g->smi != NULL && g->smi->row_count > 0)
        return g->smi->rows[0].at;
    if (g->nccl != NULL)
        return g->nccl->at;
    if (g->peer_count > 0 && g->peers[0].topo->row_count > 0)
        return g->peers[0].topo->rows[0].at;
    if (g->query != NULL || g->list != NULL)
        return (g->query != NULL ? g->query : g->list)->items[0].at;
    if (g->kube_node_count > 0)
        return g->kube_nodes[0]->at;
    return g->at;
}

/* No server has sockets of one core; a small virtual machine of one or two is no surprise. */
static void check_one_core(const struct plumb_bind *b)
{
    enum { SURPRISE = 4 };
    const struct plumb_hw_sockets *by = &b->hw->sockets[PLUMB_SOCKET_PACKAGE];

    if (by->cores_per_socket == 1 && by->sockets >= SURPRISE)
        plumb_hw_report(b->s, PLUMB_HW_ONE_CORE, b->hw->packages_count.at,
                        "the machine shows %u sockets of one core, as virtual machines and "
                        "containers do; expected the sockets of the hardware",
                        (unsigned)by->sockets);
}

/* l3cache_as_socket wins where both are set (xcpuinfo.c). */
static void check_numa_sockets(const struct plumb_bind *b, const struct plumb_model *m)
{
    struct plumb_slice word = {0};

    if (b->hwloc == NULL || b->hwloc->by_numa.count > 0 ||
        plumb_socket_kind(m, NULL) != PLUMB_SOCKET_NUMA ||
        !plumb_setting_has_word(plumb_slurm(m), PLUMB_P_SLURM_SLURMDPARAMETERS,
                                "numa_node_as_socket", &word))
        return;
    plumb_diag_note(
        plumb_hw_report(b->s, PLUMB_HW_NUMA_STOPS, word.at,
                        "'numa_node_as_socket' needs NUMA nodes on one level, the "
                        "machine '%s' has them in groups of several; slurmd stops there",
                        b->hw->name),
        b->hwloc->at, "the machine");
}

/* The sockets too: rules hold node lines against them. */
static void forget_cores(struct plumb_hardware *hw)
{
    hw->core_count.origin = hw->thread_count.origin = hw->threads_per_core.origin = PLUMB_BAD;
    for (size_t kind = 0; kind < PLUMB_SOCKET_KINDS; kind++)
        hw->sockets[kind] = (struct plumb_hw_sockets){0};
}

void plumb_bind_contradictions(struct plumb_bind *b)
{
    struct plumb_hardware *hw = b->hw;

    if (hw->cores_differ)
        forget_cores(hw);
    if (b->memory_differs)
        hw->memory_bytes.origin = PLUMB_BAD;
    if (hw->gpus_differ)
        hw->gpu_count_value.origin = PLUMB_BAD;
    if (hw->gpus_differ || b->links_differ)
        hw->links_known = hw->nvswitch = false;
}

static struct plumb_hardware *bind_group(struct plumb_session *s, const struct plumb_model *m,
                                         const struct plumb_capture_group *g)
{
    struct plumb_bind b = {.s = s, .g = g, .hwloc = as_slurmd_sees(s, m, g->hwloc)};

    b.hw = PLUMB_NEW(s->arena, struct plumb_hardware);
    b.hw->name = plumb_intern_str(s->intern, g->name);
    b.hw->builtin = g->builtin;
    b.hw->at = first_place(g);
    bind_hwloc(&b);
    plumb_bind_gpus(&b);
    plumb_bind_partitions(&b);
    plumb_bind_affinity(&b);
    plumb_bind_nccl(&b);
    plumb_bind_smi_gpus(&b);
    plumb_bind_slurmd(&b);
    plumb_bind_slurmd_g(&b);
    plumb_bind_peers(&b);
    plumb_bind_nics(&b);
    plumb_bind_disks(&b);
    plumb_bind_ibstat(&b);
    plumb_bind_verbs(&b);
    plumb_bind_matrix(&b);
    plumb_bind_nccl_links(&b);
    plumb_bind_slurmd_links(&b);
    plumb_bind_peer_links(&b);
    plumb_bind_kube(&b);
    plumb_bind_contradictions(&b);
    check_one_core(&b);
    check_numa_sockets(&b, m);
    return b.hw;
}

void plumb_pass_bind_hardware(struct plumb_run *r)
{
    struct plumb_captures *c = plumb_captures_of(r);
    struct plumb_model *m = plumb_model_of(r);

    m->hardware = PLUMB_NEW_ARRAY(r->session->arena, c->count, struct plumb_hardware *);
    m->hardware_count = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct plumb_capture_group *g = c->groups[i];

        if (!plumb_capture_holds(g))
            continue;
        g->hardware = bind_group(r->session, m, g);
        m->hardware[m->hardware_count++] = g->hardware;
    }
}
