/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs: which there are, and which CPUs are near them. */
#include <stdlib.h>
#include <string.h>

#include "base/bus_id.h"
#include "base/limits.h"
#include "base/num.h"
#include "base/pci.h"
#include "base/text.h"
#include "model/index_map.h"
#include "passes/bind.h"

enum { CUT_AFTER = 12 }; /* characters of a CPU affinity list; then nvidia-smi stops */

/* An OS device that only a GPU has. */
static bool is_gpu_osdev(const struct plumb_hwloc_osdev *o)
{
    static const char *const kinds[] = {"nvml", "cuda", "rsmi"};

    for (size_t i = 0; i < PLUMB_COUNT(kinds); i++) {
        if (plumb_starts_with(o->name, kinds[i]) && plumb_is_digit(o->name[4]))
            return true;
    }
    return false;
}

static bool is_nvidia(const struct plumb_hwloc_pci *p)
{
    return p->vendor == PLUMB_PCI_NVIDIA &&
           (p->class_code == PLUMB_PCI_VGA || p->class_code == PLUMB_PCI_3D);
}

/* A screen of Intel is part of the processor; other vendors' GPUs show no class for computing. */
static bool is_other_gpu(const struct plumb_hwloc_pci *p)
{
    bool compute = p->class_code == PLUMB_PCI_DISPLAY || p->class_code == PLUMB_PCI_ACCELERATOR;

    return (p->vendor == PLUMB_PCI_INTEL && compute) ||
           (p->vendor == PLUMB_PCI_AMD &&
            (compute || p->class_code == PLUMB_PCI_VGA || p->class_code == PLUMB_PCI_3D));
}

/*
 * Which devices are the GPUs of the machine. A library that numbers GPUs sees those of its vendor,
 * so where it, or the vendor NVIDIA, tells some, other vendors' are not among them.
 */
static bool *gpus_among(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    bool *gpus = PLUMB_NEW_ARRAY(b->s->arena, h->pci_count, bool), any = false;

    for (size_t i = 0; i < h->osdev_count; i++) {
        if (h->osdevs[i].pci != PLUMB_HWLOC_NONE && is_gpu_osdev(&h->osdevs[i]))
            gpus[h->osdevs[i].pci] = true;
    }
    for (size_t i = 0; i < h->pci_count; i++) {
        gpus[i] = gpus[i] || is_nvidia(&h->pci[i]);
        any = any || gpus[i];
    }
    for (size_t i = 0; !any && i < h->pci_count; i++)
        gpus[i] = is_other_gpu(&h->pci[i]);
    return gpus;
}

static void bind_pci(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    b->pci = PLUMB_NEW_ARRAY(b->s->arena, h->pci_count, struct plumb_hw_pci);
    b->gpu_of_pci = PLUMB_NEW_ARRAY(b->s->arena, h->pci_count, struct plumb_gpu);
    for (size_t i = 0; i < h->pci_count; i++) {
        const struct plumb_hwloc_pci *p = &h->pci[i];

        b->gpu_of_pci[i] = PLUMB_NO(gpu);
        b->pci[i] = (struct plumb_hw_pci){
            .bus_id = p->bus_id,
            .class_code = p->class_code,
            .vendor = p->vendor,
            .device = p->device,
            .subsystem_vendor = p->subsystem_vendor,
            .subsystem_device = p->subsystem_device,
            .link_mbytes = p->link_mbytes,
            .parent = p->parent == PLUMB_HWLOC_NONE ? NULL : &b->pci[p->parent],
            .at = p->at,
        };
    }
}

struct plumb_bind_place plumb_bind_locate(const struct plumb_bind *b,
                                          const struct plumb_hwloc_set *near)
{
    const struct plumb_hardware *hw = b->hw;
    struct plumb_bind_place out = {.numa = PLUMB_NO(numa), .cpus = plumb_bind_cpus(near)};
    struct plumb_cpus all = plumb_bind_cpus(&b->hwloc->cpus);
    bool whole = plumb_cpus_equal(&out.cpus, &all);
    size_t with_cpus = 0;

    for (size_t i = 0; i < hw->numa_count; i++) {
        if (plumb_cpus_empty(&hw->numa[i].cpus))
            continue;
        with_cpus++;
        if (!plumb_cpus_empty(&out.cpus) && plumb_cpus_within(&out.cpus, &hw->numa[i].cpus))
            out.numa.n = (uint32_t)i;
    }
    if (!plumb_numa_known(out.numa) && !whole)
        return out;
    if (with_cpus == 1 && hw->package_count > 1) {
        if (whole) /* a kernel without NUMA: everything looks near */
            out.cpus = (struct plumb_cpus){0};
        return out;
    }
    out.cpus = plumb_numa_known(out.numa) ? hw->numa[out.numa.n].cpus : (struct plumb_cpus){0};
    return out;
}

static void name_gpu(const struct plumb_hwloc *h, uint32_t pci, struct plumb_hw_gpu *gpu)
{
    for (size_t i = 0; i < h->osdev_count; i++) {
        const struct plumb_hwloc_osdev *o = &h->osdevs[i];

        if (o->pci == pci && plumb_starts_with(o->name, "renderD"))
            gpu->render = o->name;
        if (o->pci != pci || !is_gpu_osdev(o))
            continue;
        if (o->gpu_model != NULL && (gpu->model == NULL || plumb_starts_with(o->name, "nvml"))) {
            gpu->model = o->gpu_model;
            gpu->model_at = o->at;
        }
        if (o->gpu_uuid != NULL) {
            gpu->uuid = o->gpu_uuid;
            gpu->uuid_at = o->at;
        }
    }
}

int plumb_bind_gpu_order(const void *a, const void *b)
{
    const struct plumb_hw_gpu *x = a, *y = b;

    return plumb_bus_id_order(x->bus_id, y->bus_id);
}

static void gpus_of_hwloc(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    struct plumb_hardware *hw = b->hw;
    const bool *gpus = gpus_among(b, h);
    size_t cap = 0;

    for (uint32_t i = 0; i < h->pci_count; i++) {
        if (!gpus[i] || hw->gpu_count >= PLUMB_MAX_GPUS)
            continue;

        struct plumb_bind_place where = plumb_bind_locate(b, &h->pci[i].locality);

        hw->gpus = plumb_arena_grow(b->s->arena, hw->gpus, hw->gpu_count, &cap, sizeof(*hw->gpus));
        hw->gpus[hw->gpu_count] = (struct plumb_hw_gpu){
            .bus_id = h->pci[i].bus_id,
            .minor = PLUMB_NO(minor),
            .numa = where.numa,
            .cpus = where.cpus,
            .cores = plumb_cores_of_cpus(b->s->arena, hw, &where.cpus),
            .pci = &b->pci[i],
            .at = h->pci[i].at,
            .locality_at = h->pci[i].at,
        };
        name_gpu(h, i, &hw->gpus[hw->gpu_count++]);
    }
    if (hw->gpu_count > 1)
        qsort(hw->gpus, hw->gpu_count, sizeof(*hw->gpus), plumb_bind_gpu_order);
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        hw->gpus[i].index.n = i;
        b->gpu_of_pci[hw->gpus[i].pci - b->pci].n = i;
    }
    if (h->pci_count > 0)
        hw->gpu_count_value = plumb_u64_derived(
            hw->gpu_count, hw->gpu_count > 0 ? hw->gpus[hw->gpu_count - 1].at : h->at);
}

/* A single NUMA node in the cell; none for a list, N/A, or nothing. */
static struct plumb_numa_id numa_cell(const struct plumb_slice *cell)
{
    uint64_t v = 0;
    size_t used = plumb_read_digits(cell->text, cell->len, &v);

    /* Grace: the first number is the CPU's node, GPU memory nodes follow (0,3-9,11-17). */
    if (used == 0 || used == SIZE_MAX || v >= PLUMB_NO_INDEX ||
        (used != cell->len && cell->text[used] != ','))
        return PLUMB_NO(numa_id);
    return (struct plumb_numa_id){(uint32_t)v};
}

bool plumb_bind_maybe_cut(const struct plumb_slice *cell)
{
    return cell->len == CUT_AFTER && strchr(cell->text, ',') != NULL;
}

/* The CPUs of a cell that is certainly whole; false otherwise. */
static bool cpu_cell(struct plumb_bind *b, const struct plumb_slice *cell, struct plumb_cpus *out)
{
    size_t fault = 0;

    return cell->len > 0 && !plumb_bind_maybe_cut(cell) &&
           plumb_cpus_read(b->s->arena, cell, out, &fault);
}

static const struct plumb_smi_row *smi_row(const struct plumb_bind *b, uint32_t gpu)
{
    return &b->g->smi->rows[gpu];
}

static void report_cpus(struct plumb_bind *b, const struct plumb_hw_gpu *gpu,
                        const struct plumb_smi_row *row)
{
    const struct plumb_hw_numa *node = &b->hw->numa[gpu->numa.n];
    struct plumb_buf own = plumb_buf_in(b->s->arena);

    plumb_cpus_text(&node->cpus, &own);
    plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_GPU_CPUS, row->cpu_affinity.at,
                                    "GPU %u is near CPUs '%s' of the system here, the hwloc "
                                    "capture of the same machine places it at NUMA node %u, whose "
                                    "CPUs are '%s'",
                                    (unsigned)gpu->index.n, row->cpu_affinity.text,
                                    (unsigned)node->os_index.n, plumb_buf_text(&own)),
                    gpu->locality_at, "GPU %u of the hwloc capture", (unsigned)gpu->index.n);
}

/* Two captures place it differently. */
static void forget_place(struct plumb_hw_gpu *gpu)
{
    gpu->numa = PLUMB_NO(numa);
    gpu->cpus = (struct plumb_cpus){0};
    gpu->cores = (struct plumb_cores){0};
}

/*
 * A set that is another node's is a contradiction; anything less is a job's cgroup. Where the row
 * names the same node, its CPUs are some of that node's, or all that a virtual machine has.
 */
static bool elsewhere(const struct plumb_hardware *hw, const struct plumb_hw_gpu *gpu,
                      const struct plumb_cpus *cpus, bool same_node)
{
    const struct plumb_cpus *own = &hw->numa[gpu->numa.n].cpus;

    if (hw->incomplete_cpus) /* reported as such */
        return false;
    if (same_node)
        return !plumb_cpus_empty(own) && !plumb_cpus_within(cpus, own) &&
               (!plumb_cpus_within(own, cpus) || plumb_cpus_last(cpus).n >= hw->cpu_limit);
    for (size_t i = 0; i < hw->numa_count; i++) {
        if (i != gpu->numa.n && !plumb_cpus_empty(&hw->numa[i].cpus) &&
            plumb_cpus_equal(&hw->numa[i].cpus, cpus))
            return true;
    }
    return false;
}

/* The machine's CPU side is known: the matrix may fill what hwloc leaves open. */
static void check_place(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                        const struct plumb_smi_row *row)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_numa_id cell = numa_cell(&row->numa_affinity);
    struct plumb_numa numa = plumb_numa_of_id(hw, cell);
    struct plumb_cpus cpus = {0};

    if (!plumb_numa_known(gpu->numa) && plumb_numa_known(numa) &&
        (plumb_cpus_empty(&gpu->cpus) || plumb_cpus_within(&hw->numa[numa.n].cpus, &gpu->cpus))) {
        gpu->numa = numa;
        gpu->cpus = hw->numa[numa.n].cpus;
        gpu->cores = hw->numa[numa.n].cores;
        gpu->locality_at = row->numa_affinity.at;
    } else if (plumb_numa_known(gpu->numa) && plumb_numa_id_known(cell) &&
               !plumb_numa_same(numa, gpu->numa)) {
        plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_GPU_NUMA, row->numa_affinity.at,
                                        "GPU %u is at NUMA node %u here, the hwloc capture of the "
                                        "same machine places it at node %u",
                                        (unsigned)gpu->index.n, (unsigned)cell.n,
                                        (unsigned)plumb_numa_id_of(hw, gpu->numa).n),
                        gpu->locality_at, "GPU %u of the hwloc capture", (unsigned)gpu->index.n);
        forget_place(gpu);
        return;
    }
    if (plumb_numa_known(gpu->numa) && cpu_cell(b, &row->cpu_affinity, &cpus) &&
        elsewhere(hw, gpu, &cpus, plumb_numa_id_known(cell))) {
        report_cpus(b, gpu, row);
        forget_place(gpu);
    }
}

/* NUMA nodes as far as a matrix alone shows them. */
static void numa_of_matrix(struct plumb_bind *b, size_t *cap, struct plumb_numa_id id,
                           struct plumb_span at)
{
    struct plumb_hardware *hw = b->hw;

    if (plumb_numa_known(plumb_numa_of_id(hw, id)))
        return;
    hw->numa = plumb_arena_grow(b->s->arena, hw->numa, hw->numa_count, cap, sizeof(*hw->numa));
    hw->numa[hw->numa_count++] = (struct plumb_hw_numa){
        .os_index = id,
        .package = PLUMB_NO_INDEX,
        .at = at,
    };
}

static void numas_of_matrix(struct plumb_bind *b)
{
    const struct plumb_smi_topo *t = b->g->smi;
    size_t cap = 0;

    for (size_t i = 0; i < t->gpu_count; i++) {
        struct plumb_numa_id cell = numa_cell(&t->rows[i].numa_affinity);

        if (plumb_numa_id_known(cell))
            numa_of_matrix(b, &cap, cell, t->rows[i].numa_affinity.at);
    }
    if (b->hw->numa_count > 1)
        qsort(b->hw->numa, b->hw->numa_count, sizeof(*b->hw->numa), plumb_numa_order);
}

/*
 * CPUs of a node are believed when all its GPUs agree, no other node shares them, and there are
 * more than a job's handful. Which cores they are cannot be told without hwloc.
 */
static struct plumb_cpus cpus_of_node(struct plumb_bind *b, struct plumb_numa node)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_cpus all = {0}, cpus = {0}, none = {0};

    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        bool read = cpu_cell(b, &smi_row(b, i)->cpu_affinity, &cpus);

        if (plumb_numa_same(hw->gpus[i].numa, node)) {
            if (!read || (!plumb_cpus_empty(&all) && !plumb_cpus_equal(&all, &cpus)))
                return none;
            all = cpus;
        } else if (read && plumb_cpus_overlap(&cpus, &all)) {
            return none;
        }
    }
    return plumb_cpus_count(&all) > PLUMB_BIND_HANDFUL ? all : none;
}

/* A list that may be cut is whole when it has as many CPUs as another node, and none of them. */
static struct plumb_cpus cpus_like_another(struct plumb_bind *b, struct plumb_numa node)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_cpus cpus = {0}, none = {0};
    const struct plumb_smi_row *row = NULL;
    size_t fault = 0;

    for (uint32_t i = 0; i < hw->gpu_count && row == NULL; i++)
        row = plumb_numa_same(hw->gpus[i].numa, node) ? smi_row(b, i) : NULL;
    if (row == NULL || !plumb_bind_maybe_cut(&row->cpu_affinity) ||
        !plumb_cpus_read(b->s->arena, &row->cpu_affinity, &cpus, &fault))
        return none;
    for (size_t n = 0; n < hw->numa_count; n++) {
        if (n != node.n && plumb_cpus_count(&hw->numa[n].cpus) == plumb_cpus_count(&cpus) &&
            !plumb_cpus_overlap(&hw->numa[n].cpus, &cpus))
            return cpus;
    }
    return none;
}

static void cpus_of_matrix(struct plumb_bind *b)
{
    struct plumb_hardware *hw = b->hw;

    for (struct plumb_numa n = {0}; n.n < hw->numa_count; n.n++)
        hw->numa[n.n].cpus = cpus_of_node(b, n);
    for (struct plumb_numa n = {0}; n.n < hw->numa_count; n.n++) {
        if (plumb_cpus_empty(&hw->numa[n.n].cpus))
            hw->numa[n.n].cpus = cpus_like_another(b, n);
    }
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        if (plumb_numa_known(hw->gpus[i].numa))
            hw->gpus[i].cpus = hw->numa[hw->gpus[i].numa.n].cpus;
    }
}

/* Drivers before R450 show CPUs and no NUMA node; those stand when sets are equal or apart. */
static void cpus_without_numa(struct plumb_bind *b)
{
    struct plumb_hardware *hw = b->hw;

    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        if (smi_row(b, i)->numa_affinity.len > 0 ||
            !cpu_cell(b, &smi_row(b, i)->cpu_affinity, &hw->gpus[i].cpus) ||
            plumb_cpus_count(&hw->gpus[i].cpus) <= PLUMB_BIND_HANDFUL)
            hw->gpus[i].cpus = (struct plumb_cpus){0};
        else
            hw->gpus[i].locality_at = smi_row(b, i)->cpu_affinity.at;
    }
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (plumb_cpus_overlap(&hw->gpus[i].cpus, &hw->gpus[j].cpus) &&
                !plumb_cpus_equal(&hw->gpus[i].cpus, &hw->gpus[j].cpus))
                hw->gpus[i].cpus = hw->gpus[j].cpus = (struct plumb_cpus){0};
        }
    }
}

void plumb_bind_new_gpus(struct plumb_bind *b, size_t count, const char *from,
                         struct plumb_span last)
{
    struct plumb_hardware *hw = b->hw;

    hw->gpus = PLUMB_NEW_ARRAY(b->s->arena, count, struct plumb_hw_gpu);
    hw->gpu_count = count;
    for (uint32_t i = 0; i < count; i++)
        hw->gpus[i] = (struct plumb_hw_gpu){
            .index = {i}, .minor = PLUMB_NO(minor), .numa = PLUMB_NO(numa), .at = last};
    hw->gpu_count_value = plumb_u64_derived(count, last);
    b->gpus_from = from;
}

static void gpus_of_matrix(struct plumb_bind *b)
{
    const struct plumb_smi_topo *t = b->g->smi;
    struct plumb_hardware *hw = b->hw;
    bool alone = b->hwloc == NULL;

    plumb_bind_new_gpus(b, t->gpu_count, "matrix", t->rows[t->gpu_count - 1].name.at);
    if (alone)
        numas_of_matrix(b);
    for (uint32_t i = 0; i < t->gpu_count; i++) {
        struct plumb_numa_id cell = numa_cell(&t->rows[i].numa_affinity);

        hw->gpus[i].numa = plumb_numa_of_id(hw, cell);
        hw->gpus[i].at = t->rows[i].at;
        hw->gpus[i].locality_at = t->rows[i].numa_affinity.at;
        if (!alone && plumb_numa_known(hw->gpus[i].numa)) {
            hw->gpus[i].cpus = hw->numa[hw->gpus[i].numa.n].cpus;
            hw->gpus[i].cores = hw->numa[hw->gpus[i].numa.n].cores;
        }
    }
    if (alone) {
        cpus_without_numa(b);
        cpus_of_matrix(b);
    }
}

static void report_count(struct plumb_bind *b)
{
    const struct plumb_smi_topo *t = b->g->smi;
    struct plumb_diag *d =
        plumb_hw_report(b->s, PLUMB_HW_GPU_COUNT, t->rows[t->gpu_count - 1].name.at,
                        "the matrix shows %zu GPUs, the hwloc capture of the same machine %zu",
                        t->gpu_count, b->hw->gpu_count);

    b->hw->gpus_differ = true;
    plumb_diag_note(d, b->hw->gpu_count_value.at, "%s of the hwloc capture",
                    b->hw->gpu_count > 0 ? "the last GPU" : "the machine");
    if (t->gpu_count < b->hw->gpu_count)
        plumb_diag_fact(d, "inside a job nvidia-smi shows the job's GPUs only, numbered from 0");
}

static void check_flat(struct plumb_bind *b)
{
    const struct plumb_hardware *hw = b->hw;
    size_t with_cpus = 0, lost = 0;
    struct plumb_diag *d;

    for (size_t i = 0; i < hw->numa_count; i++)
        with_cpus += !plumb_cpus_empty(&hw->numa[i].cpus);
    for (size_t i = 0; i < hw->gpu_count; i++)
        lost += plumb_cpus_empty(&hw->gpus[i].cpus);
    if (b->hwloc == NULL || with_cpus != 1 || hw->package_count < 2 ||
        (hw->gpu_count > 0 && lost == 0))
        return;
    d = hw->gpu_count > 0
            ? plumb_hw_report(b->s, PLUMB_HW_FLAT_NUMA, hw->numa[0].at,
                              "one NUMA node spans %zu packages, expected at least one node per "
                              "package; the place of %zu GPUs is unknown",
                              hw->package_count, lost)
            : plumb_hw_report(b->s, PLUMB_HW_FLAT_NUMA, hw->numa[0].at,
                              "one NUMA node spans %zu packages, expected at least one node per "
                              "package",
                              hw->package_count);
    plumb_diag_note(d, hw->packages[1].at, "the second package");
}

void plumb_bind_gpus(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->hwloc;
    const struct plumb_smi_topo *t = b->g->smi;
    struct plumb_hardware *hw = b->hw;

    if (h != NULL) {
        bind_pci(b, h);
        gpus_of_hwloc(b, h);
    }
    if (t != NULL && t->gpu_count > 0) {
        bool told = h != NULL && h->pci_count > 0;

        if (told && hw->gpu_count != t->gpu_count)
            report_count(b);
        b->matrix_usable = !told || hw->gpu_count == t->gpu_count || hw->gpu_count == 0;
        if (!told || hw->gpu_count == 0)
            gpus_of_matrix(b);
        else if (b->matrix_usable)
            for (uint32_t i = 0; i < hw->gpu_count; i++)
                check_place(b, &hw->gpus[i], smi_row(b, i));
    }
    if (hw->gpu_count > 0)
        b->gpus_from = hw->gpus[0].pci != NULL ? "hwloc capture" : "matrix";
    check_flat(b);
}
