/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dump of NCCL as a machine: it shows bus ids, NUMA nodes, links and the PCI tree, as far as the
 * job used them. Where hwloc or a matrix is there, those decide; the dump is held against them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/pci.h"
#include "base/text.h"
#include "capture/nccl.h"
#include "model/index_map.h"
#include "passes/bind.h"

/* NCCL's family ids have the extended part above the base; hwloc adds them: 175 is 25. */
static uint32_t family_of(uint32_t nccl)
{
    return nccl > 15 && (nccl - 15) % 16 == 0 ? 15 + (nccl - 15) / 16 : nccl;
}

static void take_cpu(struct plumb_bind *b, const struct plumb_nccl_numa *from)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_hw_numa *numa = &hw->numa[hw->numa_count];
    struct plumb_numa_id id = {(uint32_t)from->numaid.v};

    if (!plumb_usable(from->numaid) || plumb_numa_known(plumb_numa_of_id(hw, id)))
        return;
    *numa = (struct plumb_hw_numa){.os_index = id, .package = PLUMB_NO_INDEX, .at = from->at};
    hw->numa_count++;
    if (plumb_usable(from->affinity))
        (void)plumb_nccl_mask(b->s->arena, from->affinity.v, &numa->cpus.bits.words,
                              &numa->cpus.bits.word_count);
    if (hw->cpu_vendor == NULL && from->arch != NULL) {
        hw->cpu_arch = from->arch;
        hw->cpu_vendor = from->vendor;
        hw->cpu_family = family_of(from->family);
        hw->cpu_model = from->model;
    }
}

static void take_cpus(struct plumb_bind *b, const struct plumb_nccl *n)
{
    struct plumb_hardware *hw = b->hw;

    hw->numa = PLUMB_NEW_ARRAY(b->s->arena, n->cpu_count, struct plumb_hw_numa);
    for (size_t i = 0; i < n->cpu_count; i++)
        take_cpu(b, &n->cpus[i]);
    if (hw->numa_count > 1)
        qsort(hw->numa, hw->numa_count, sizeof(*hw->numa), plumb_numa_order);
}

static struct plumb_numa numa_of(const struct plumb_bind *b, const struct plumb_nccl *n,
                                 const struct plumb_nccl_pci *p)
{
    const struct plumb_u64 *id = &n->cpus[p->numa].numaid;

    return plumb_usable(*id) ? plumb_numa_of_id(b->hw, (struct plumb_numa_id){(uint32_t)id->v})
                             : PLUMB_NO(numa);
}

/*
 * An element is one level of switches. hwloc shows two bridges for each, the port towards the
 * machine and the one towards the device; a bridge without a name stands for the second.
 */
static struct plumb_hw_pci *take_pci(struct plumb_bind *b, const struct plumb_nccl *n)
{
    struct plumb_hw_pci *pci = PLUMB_NEW_ARRAY(b->s->arena, 2 * n->pci_count, struct plumb_hw_pci);
    struct plumb_hw_pci *ports = pci + n->pci_count;

    for (size_t i = 0; i < n->pci_count; i++) {
        const struct plumb_nccl_pci *p = &n->pci[i];

        ports[i] =
            (struct plumb_hw_pci){.class_code = PLUMB_PCI_BRIDGE, .parent = &pci[i], .at = p->at};
        pci[i] = (struct plumb_hw_pci){
            .bus_id = p->bus_id.v,
            .class_code = p->class_code == 0 && p->bridge ? PLUMB_PCI_BRIDGE : p->class_code,
            .vendor = p->vendor,
            .device = p->device,
            .subsystem_vendor = p->subsystem_vendor,
            .subsystem_device = p->subsystem_device,
            .link_mbytes = p->link_mbytes,
            .parent = p->parent == PLUMB_NCCL_NONE ? NULL : &ports[p->parent],
            .at = p->at,
        };
    }
    return pci;
}

static void take_gpu(struct plumb_bind *b, const struct plumb_nccl *n,
                     const struct plumb_nccl_pci *p, const struct plumb_hw_pci *pci, size_t *cap)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_numa numa = numa_of(b, n, p);
    struct plumb_cpus none = {0};

    if (hw->gpu_count >= PLUMB_MAX_GPUS)
        return;
    hw->gpus = plumb_arena_grow(b->s->arena, hw->gpus, hw->gpu_count, cap, sizeof(*hw->gpus));
    hw->gpus[hw->gpu_count++] = (struct plumb_hw_gpu){
        .bus_id = p->bus_id.v,
        .minor = PLUMB_NO(minor),
        .numa = numa,
        .cpus = plumb_numa_known(numa) ? hw->numa[numa.n].cpus : none,
        .pci = pci,
        .at = p->at,
        .locality_at = p->at,
    };
}

/* One port: several of an adapter are RDMA devices of their own at one bus id. */
static void take_port(struct plumb_bind *b, const struct plumb_nccl *n,
                      const struct plumb_nccl_pci *p, const struct plumb_nccl_net *port,
                      const struct plumb_hw_pci *pci, size_t *cap)
{
    struct plumb_hardware *hw = b->hw;

    if (hw->nic_count >= PLUMB_MAX_GPUS)
        return;
    hw->nics = plumb_arena_grow(b->s->arena, hw->nics, hw->nic_count, cap, sizeof(*hw->nics));
    hw->nics[hw->nic_count++] = (struct plumb_hw_nic){
        .name = port->name,
        .bus_id = p->bus_id.v,
        .numa = numa_of(b, n, p),
        .infiniband = !p->plain,
        .speed_mbits = port->mbits,
        .pci = pci,
        .at = p->at,
    };
}

static void take_nic(struct plumb_bind *b, const struct plumb_nccl *n,
                     const struct plumb_nccl_pci *p, const struct plumb_hw_pci *pci, size_t *cap)
{
    const struct plumb_nccl_net nameless = {.name = p->bus_id.v};

    if (p->net_count == 0)
        take_port(b, n, p, &nameless, pci, cap);
    for (size_t i = 0; i < p->net_count; i++)
        take_port(b, n, p, &p->nets[i], pci, cap);
}

static void take_devices(struct plumb_bind *b, const struct plumb_nccl *n)
{
    struct plumb_hardware *hw = b->hw;
    const struct plumb_hw_pci *pci = take_pci(b, n);
    size_t gpus = 0, nics = 0;

    for (size_t i = 0; i < n->pci_count; i++) {
        if (!plumb_usable(n->pci[i].bus_id))
            continue;
        if (n->pci[i].is_gpu)
            take_gpu(b, n, &n->pci[i], &pci[i], &gpus);
        else if (n->pci[i].is_nic)
            take_nic(b, n, &n->pci[i], &pci[i], &nics);
    }
    if (hw->gpu_count > 1)
        qsort(hw->gpus, hw->gpu_count, sizeof(*hw->gpus), plumb_bind_gpu_order);
    for (uint32_t i = 0; i < hw->gpu_count; i++)
        hw->gpus[i].index.n = i;
    if (hw->gpu_count > 0)
        b->gpus_from = "dump of NCCL";
}

static const struct plumb_hw_gpu *gpu_at(const struct plumb_hardware *hw, const char *bus_id)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (hw->gpus[i].bus_id != NULL && plumb_same_nocase(hw->gpus[i].bus_id, bus_id))
            return &hw->gpus[i];
    }
    return NULL;
}

/* The other captures have bus ids: the GPUs of the dump are among them, at the same place. */
static void compare(struct plumb_bind *b, const struct plumb_nccl *n)
{
    const struct plumb_hardware *hw = b->hw;

    for (size_t i = 0; i < n->pci_count; i++) {
        const struct plumb_nccl_pci *p = &n->pci[i];
        const struct plumb_hw_gpu *gpu = NULL;
        const struct plumb_u64 *id = &n->cpus[p->numa].numaid;

        if (!p->is_gpu || !plumb_usable(p->bus_id))
            continue;
        gpu = gpu_at(hw, p->bus_id.v);
        if (gpu == NULL)
            plumb_diag_note(plumb_nccl_report(b->s, PLUMB_NCCL_OTHER_MACHINE, p->bus_id.at,
                                              "GPU '%s' is not in the other captures of the "
                                              "machine",
                                              p->bus_id.v),
                            hw->gpus[0].at, "the first GPU of the %s", b->gpus_from);
        else if (plumb_usable(*id) && plumb_numa_known(gpu->numa) &&
                 plumb_numa_id_of(hw, gpu->numa).n != id->v)
            plumb_diag_note(plumb_nccl_report(b->s, PLUMB_NCCL_OTHER_MACHINE, p->bus_id.at,
                                              "GPU '%s' is at NUMA node %llu here, another capture "
                                              "of the machine places it at node %u",
                                              p->bus_id.v, (unsigned long long)id->v,
                                              (unsigned)plumb_numa_id_of(hw, gpu->numa).n),
                            gpu->locality_at, "the GPU of the other capture");
    }
}

void plumb_bind_nccl(struct plumb_bind *b)
{
    const struct plumb_nccl *n = b->g->nccl;
    struct plumb_hardware *hw = b->hw;

    if (n == NULL)
        return;
    if (b->g->hwloc == NULL && b->g->smi == NULL) {
        take_cpus(b, n);
        take_devices(b, n);
    } else if (hw->gpu_count > 0 && hw->gpus[0].bus_id != NULL) {
        compare(b, n);
    }
}

static bool is_switch(const struct plumb_nccl_nvlink *l)
{
    return plumb_starts_with(l->tclass, "0x0680") || plumb_starts_with(l->target, "fffffff:");
}

static const struct plumb_nccl_pci *pci_of(const struct plumb_nccl *n, const char *bus_id)
{
    for (size_t i = 0; bus_id != NULL && i < n->pci_count; i++) {
        if (n->pci[i].is_gpu && plumb_usable(n->pci[i].bus_id) &&
            strcmp(n->pci[i].bus_id.v, bus_id) == 0)
            return &n->pci[i];
    }
    return NULL;
}

static void set_links(struct plumb_hw_cell *cell, uint64_t links, struct plumb_span at)
{
    uint64_t sum = links + (cell->relation == PLUMB_REL_NVLINK ? cell->links : 0);

    if (sum == 0)
        return;
    *cell = (struct plumb_hw_cell){
        .relation = PLUMB_REL_NVLINK,
        .links = sum > UINT16_MAX ? UINT16_MAX : (uint16_t)sum,
        .at = at,
    };
}

/* Links of one GPU: those to switches reach every other GPU that has such, all at once. */
static void links_of(struct plumb_bind *b, const struct plumb_nccl_pci *p, struct plumb_gpu gpu,
                     size_t side)
{
    struct plumb_hardware *hw = b->hw;
    uint64_t switched = 0;

    for (size_t i = 0; i < p->link_count; i++) {
        const struct plumb_nccl_nvlink *l = &p->links[i];
        const struct plumb_hw_gpu *peer = gpu_at(hw, l->target);

        if (is_switch(l))
            switched += l->count;
        else if (peer != NULL && !plumb_gpu_same(peer->index, gpu))
            set_links(&hw->matrix[gpu.n * side + peer->index.n], l->count, l->at);
    }
    for (uint32_t i = 0; switched > 0 && i < hw->gpu_count; i++) {
        if (i != gpu.n)
            set_links(&hw->matrix[gpu.n * side + i], switched, p->links[0].at);
    }
    hw->nvswitch = hw->nvswitch || (switched > 0 && hw->gpu_count > 1);
}

/*
 * In nvidia-smi's terms. A dump has no host bridges, so NODE stands for PHB too. GPUs may be those
 * of a list beside it, which tells no place.
 */
static enum plumb_hw_relation relation_of(const struct plumb_hardware *hw, size_t x, size_t y)
{
    struct plumb_bind_device one = plumb_bind_device(hw, x), two = plumb_bind_device(hw, y);
    const struct plumb_hw_pci *p = one.pci, *q = two.pci;

    if (p == NULL || q == NULL)
        return PLUMB_REL_UNKNOWN;
    if (p == q || (p->parent != NULL && p->parent == q->parent)) /* ports of one device, too */
        return PLUMB_REL_PIX;
    for (const struct plumb_hw_pci *up = p->parent; up != NULL; up = up->parent) {
        for (const struct plumb_hw_pci *other = q->parent; other != NULL; other = other->parent) {
            if (up == other)
                return PLUMB_REL_PXB;
        }
    }
    if (!plumb_numa_known(one.numa) || !plumb_numa_known(two.numa))
        return PLUMB_REL_UNKNOWN;
    return plumb_numa_same(one.numa, two.numa) ? PLUMB_REL_NODE : PLUMB_REL_SYS;
}

static void fill_from_tree(struct plumb_hardware *hw, size_t side)
{
    for (size_t x = 0; x < side; x++) {
        for (size_t y = 0; y < side; y++) {
            struct plumb_hw_cell *cell = &hw->matrix[x * side + y];

            if (cell->relation != PLUMB_REL_UNKNOWN)
                continue;
            cell->relation = relation_of(hw, x, y);
            cell->at = plumb_bind_device(hw, x).at;
        }
    }
}

void plumb_bind_nccl_links(struct plumb_bind *b)
{
    const struct plumb_nccl *n = b->g->nccl;
    struct plumb_hardware *hw = b->hw;
    size_t side = hw->gpu_count + hw->nic_count;

    if (n == NULL || hw->matrix != NULL || b->g->hwloc != NULL || b->g->smi != NULL || side == 0)
        return;
    hw->matrix = PLUMB_NEW_ARRAY(b->s->arena, side * side, struct plumb_hw_cell);
    for (size_t i = 0; i < side; i++)
        hw->matrix[i * side + i] =
            (struct plumb_hw_cell){.relation = PLUMB_REL_SELF, .at = plumb_bind_device(hw, i).at};
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        const struct plumb_nccl_pci *p = pci_of(n, hw->gpus[i].bus_id);

        if (p == NULL)
            continue;
        links_of(b, p, (struct plumb_gpu){i}, side);
        hw->links_known = hw->links_known || p->link_count > 0;
    }
    fill_from_tree(hw, side);
}
