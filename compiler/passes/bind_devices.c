/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs and NICs: which there are, and which CPUs are near them. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "passes/bind.h"

enum {
    VENDOR_NVIDIA = 0x10de,
    CLASS_VGA = 0x0300,
    CLASS_3D = 0x0302,
    CUT_AFTER = 12, /* characters of a CPU affinity list; then nvidia-smi stops */
    HANDFUL = 2,    /* CPUs: so few are a job's, not a node's */
};

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

static bool is_gpu(const struct plumb_hwloc *h, size_t pci)
{
    const struct plumb_hwloc_pci *p = &h->pci[pci];

    if (p->vendor == VENDOR_NVIDIA && (p->class_code == CLASS_VGA || p->class_code == CLASS_3D))
        return true;
    for (size_t i = 0; i < h->osdev_count; i++) {
        if (h->osdevs[i].pci == pci && is_gpu_osdev(&h->osdevs[i]))
            return true;
    }
    return false;
}

static void bind_pci(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    b->pci = PLUMB_NEW_ARRAY(b->s->arena, h->pci_count, struct plumb_hw_pci);
    b->gpu_of_pci = PLUMB_NEW_ARRAY(b->s->arena, h->pci_count, uint32_t);
    for (size_t i = 0; i < h->pci_count; i++) {
        const struct plumb_hwloc_pci *p = &h->pci[i];

        b->gpu_of_pci[i] = PLUMB_NO_INDEX;
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

/* A place in the machine: the NUMA node when it is one, and the CPUs. */
struct place {
    uint32_t numa;
    struct plumb_bits cpus;
};

/*
 * The NUMA node around a set of CPUs, as NVML's affinity is that of the closest node. A set
 * over several nodes is kept when it is less than the machine; the whole machine says nothing.
 */
static struct place locate(const struct plumb_bind *b, const struct plumb_hwloc_set *near)
{
    const struct plumb_hardware *hw = b->hw;
    struct place out = {.numa = PLUMB_NO_INDEX, .cpus = plumb_bind_bits(near)};
    struct plumb_bits all = plumb_bind_bits(&b->g->hwloc->cpus);
    bool whole = plumb_bits_equal(&out.cpus, &all);
    size_t with_cpus = 0;

    for (size_t i = 0; i < hw->numa_count; i++) {
        if (plumb_bits_empty(&hw->numa[i].cpus))
            continue;
        with_cpus++;
        if (!plumb_bits_empty(&out.cpus) && plumb_bits_within(&out.cpus, &hw->numa[i].cpus))
            out.numa = (uint32_t)i;
    }
    if (out.numa == PLUMB_NO_INDEX && !whole)
        return out;
    if (with_cpus == 1 && hw->package_count > 1) {
        if (whole) /* a kernel without NUMA: everything looks near */
            out.cpus = (struct plumb_bits){0};
        return out;
    }
    out.cpus = out.numa == PLUMB_NO_INDEX ? (struct plumb_bits){0} : hw->numa[out.numa].cpus;
    return out;
}

static void name_gpu(const struct plumb_hwloc *h, uint32_t pci, struct plumb_hw_gpu *gpu)
{
    for (size_t i = 0; i < h->osdev_count; i++) {
        const struct plumb_hwloc_osdev *o = &h->osdevs[i];

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

static int by_bus_id(const void *a, const void *b)
{
    const struct plumb_hw_gpu *x = a, *y = b;
    size_t lx = strlen(x->bus_id), ly = strlen(y->bus_id);

    if (lx != ly) /* a wider domain is a larger number */
        return lx < ly ? -1 : 1;
    return strcmp(x->bus_id, y->bus_id);
}

static void gpus_of_hwloc(struct plumb_bind *b, const struct plumb_hwloc *h)
{
    struct plumb_hardware *hw = b->hw;
    size_t cap = 0;

    for (uint32_t i = 0; i < h->pci_count; i++) {
        if (!is_gpu(h, i) || hw->gpu_count >= PLUMB_MAX_GPUS)
            continue;

        struct place where = locate(b, &h->pci[i].locality);

        hw->gpus = plumb_arena_grow(b->s->arena, hw->gpus, hw->gpu_count, &cap, sizeof(*hw->gpus));
        hw->gpus[hw->gpu_count] = (struct plumb_hw_gpu){
            .bus_id = h->pci[i].bus_id,
            .minor = PLUMB_NO_INDEX,
            .numa = where.numa,
            .cpus = where.cpus,
            .cores = plumb_bind_cores(b, &where.cpus),
            .pci = &b->pci[i],
            .at = h->pci[i].at,
            .locality_at = h->pci[i].at,
        };
        name_gpu(h, i, &hw->gpus[hw->gpu_count++]);
    }
    if (hw->gpu_count > 1)
        qsort(hw->gpus, hw->gpu_count, sizeof(*hw->gpus), by_bus_id);
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        hw->gpus[i].index = i;
        b->gpu_of_pci[hw->gpus[i].pci - b->pci] = i;
    }
    if (h->pci_count > 0)
        hw->gpu_count_value = (struct plumb_u64){
            .v = hw->gpu_count,
            .at = hw->gpu_count > 0 ? hw->gpus[hw->gpu_count - 1].at : h->at,
            .origin = PLUMB_DERIVED,
        };
}

/* A single NUMA node in the cell; PLUMB_NO_INDEX for a list, N/A, or nothing. */
static uint32_t numa_cell(const struct plumb_slice *cell)
{
    uint64_t v = 0;
    size_t used = plumb_read_digits(cell->text, cell->len, &v);

    /* Grace: the first number is the CPU's node, GPU memory nodes follow (0,3-9,11-17). */
    if (used == 0 || used == SIZE_MAX || v >= PLUMB_NO_INDEX)
        return PLUMB_NO_INDEX;
    return used == cell->len || cell->text[used] == ',' ? (uint32_t)v : PLUMB_NO_INDEX;
}

/* A list of this length may be the beginning of a longer one. */
static bool maybe_cut(const struct plumb_slice *cell)
{
    return cell->len == CUT_AFTER && strchr(cell->text, ',') != NULL;
}

/* The CPUs of a cell that is certainly whole; false otherwise. */
static bool cpu_cell(struct plumb_bind *b, const struct plumb_slice *cell, struct plumb_bits *out)
{
    size_t fault = 0;

    return cell->len > 0 && !maybe_cut(cell) && plumb_bits_read(b->s->arena, cell, out, &fault);
}

static const struct plumb_smi_row *smi_row(const struct plumb_bind *b, uint32_t gpu)
{
    return &b->g->smi->rows[gpu];
}

/* The machine's CPU side is known: the matrix may fill what hwloc leaves open. */
static void check_place(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                        const struct plumb_smi_row *row)
{
    struct plumb_hardware *hw = b->hw;
    uint32_t cell = numa_cell(&row->numa_affinity);
    uint32_t numa = cell == PLUMB_NO_INDEX ? cell : plumb_bind_numa(hw, cell);
    struct plumb_bits cpus = {0};

    if (gpu->numa == PLUMB_NO_INDEX && numa != PLUMB_NO_INDEX &&
        (plumb_bits_empty(&gpu->cpus) || plumb_bits_within(&hw->numa[numa].cpus, &gpu->cpus))) {
        gpu->numa = numa;
        gpu->cpus = hw->numa[numa].cpus;
        gpu->cores = hw->numa[numa].cores;
        gpu->locality_at = row->numa_affinity.at;
    } else if (gpu->numa != PLUMB_NO_INDEX && cell != PLUMB_NO_INDEX && numa != gpu->numa) {
        plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_GPU_NUMA, row->numa_affinity.at,
                                        "GPU %u is at NUMA node %u here, the hwloc capture of the "
                                        "same machine places it at node %u",
                                        (unsigned)gpu->index, (unsigned)cell,
                                        (unsigned)hw->numa[gpu->numa].os_index),
                        gpu->locality_at, "GPU %u of the hwloc capture", (unsigned)gpu->index);
        return;
    }
    if (gpu->numa == PLUMB_NO_INDEX || cell != PLUMB_NO_INDEX ||
        !cpu_cell(b, &row->cpu_affinity, &cpus))
        return;
    /* Only a set that is another node's is a contradiction; anything less is a job's cgroup. */
    for (size_t i = 0; i < hw->numa_count; i++) {
        if (i == gpu->numa || plumb_bits_empty(&hw->numa[i].cpus) ||
            !plumb_bits_equal(&hw->numa[i].cpus, &cpus))
            continue;
        plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_GPU_CPUS, row->cpu_affinity.at,
                                        "GPU %u is near CPUs '%s' here, the hwloc capture of the "
                                        "same machine places it at NUMA node %u",
                                        (unsigned)gpu->index, row->cpu_affinity.text,
                                        (unsigned)hw->numa[gpu->numa].os_index),
                        gpu->locality_at, "GPU %u of the hwloc capture", (unsigned)gpu->index);
    }
}

/* NUMA nodes as far as a matrix alone shows them. */
static uint32_t numa_of_matrix(struct plumb_bind *b, size_t *cap, uint32_t os_index,
                               struct plumb_span at)
{
    struct plumb_hardware *hw = b->hw;
    uint32_t i = plumb_bind_numa(hw, os_index);

    if (i != PLUMB_NO_INDEX)
        return i;
    hw->numa = plumb_arena_grow(b->s->arena, hw->numa, hw->numa_count, cap, sizeof(*hw->numa));
    hw->numa[hw->numa_count] = (struct plumb_hw_numa){
        .os_index = os_index,
        .package = PLUMB_NO_INDEX,
        .at = at,
    };
    return (uint32_t)hw->numa_count++;
}

static int numa_order(const void *a, const void *b)
{
    const struct plumb_hw_numa *x = a, *y = b;

    return x->os_index < y->os_index ? -1 : x->os_index > y->os_index;
}

static void numas_of_matrix(struct plumb_bind *b)
{
    const struct plumb_smi_topo *t = b->g->smi;
    size_t cap = 0;

    for (size_t i = 0; i < t->gpu_count; i++) {
        uint32_t cell = numa_cell(&t->rows[i].numa_affinity);

        if (cell != PLUMB_NO_INDEX)
            (void)numa_of_matrix(b, &cap, cell, t->rows[i].numa_affinity.at);
    }
    if (b->hw->numa_count > 1)
        qsort(b->hw->numa, b->hw->numa_count, sizeof(*b->hw->numa), numa_order);
}

/*
 * CPUs of a node are believed when all its GPUs agree, no other node shares them, and there are
 * more than a job's handful. Which cores they are cannot be told without hwloc.
 */
static struct plumb_bits cpus_of_node(struct plumb_bind *b, uint32_t node)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_bits all = {0}, cpus = {0}, none = {0};

    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        bool read = cpu_cell(b, &smi_row(b, i)->cpu_affinity, &cpus);

        if (hw->gpus[i].numa == node) {
            if (!read || (!plumb_bits_empty(&all) && !plumb_bits_equal(&all, &cpus)))
                return none;
            all = cpus;
        } else if (read && plumb_bits_overlap(&cpus, &all)) {
            return none;
        }
    }
    return plumb_bits_count(&all) > HANDFUL ? all : none;
}

/* A list that may be cut is whole when it has as many CPUs as another node, and none of them. */
static struct plumb_bits cpus_like_another(struct plumb_bind *b, uint32_t node)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_bits cpus = {0}, none = {0};
    const struct plumb_smi_row *row = NULL;
    size_t fault = 0;

    for (uint32_t i = 0; i < hw->gpu_count && row == NULL; i++)
        row = hw->gpus[i].numa == node ? smi_row(b, i) : NULL;
    if (row == NULL || !maybe_cut(&row->cpu_affinity) ||
        !plumb_bits_read(b->s->arena, &row->cpu_affinity, &cpus, &fault))
        return none;
    for (size_t n = 0; n < hw->numa_count; n++) {
        if (n != node && plumb_bits_count(&hw->numa[n].cpus) == plumb_bits_count(&cpus) &&
            !plumb_bits_overlap(&hw->numa[n].cpus, &cpus))
            return cpus;
    }
    return none;
}

static void cpus_of_matrix(struct plumb_bind *b)
{
    struct plumb_hardware *hw = b->hw;

    for (uint32_t n = 0; n < hw->numa_count; n++)
        hw->numa[n].cpus = cpus_of_node(b, n);
    for (uint32_t n = 0; n < hw->numa_count; n++) {
        if (plumb_bits_empty(&hw->numa[n].cpus))
            hw->numa[n].cpus = cpus_like_another(b, n);
    }
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        if (hw->gpus[i].numa != PLUMB_NO_INDEX)
            hw->gpus[i].cpus = hw->numa[hw->gpus[i].numa].cpus;
    }
}

/* Drivers before R450 show CPUs and no NUMA node; those stand when sets are equal or apart. */
static void cpus_without_numa(struct plumb_bind *b)
{
    struct plumb_hardware *hw = b->hw;

    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        if (smi_row(b, i)->numa_affinity.len > 0 ||
            !cpu_cell(b, &smi_row(b, i)->cpu_affinity, &hw->gpus[i].cpus) ||
            plumb_bits_count(&hw->gpus[i].cpus) <= HANDFUL)
            hw->gpus[i].cpus = (struct plumb_bits){0};
        else
            hw->gpus[i].locality_at = smi_row(b, i)->cpu_affinity.at;
    }
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (plumb_bits_overlap(&hw->gpus[i].cpus, &hw->gpus[j].cpus) &&
                !plumb_bits_equal(&hw->gpus[i].cpus, &hw->gpus[j].cpus))
                hw->gpus[i].cpus = hw->gpus[j].cpus = (struct plumb_bits){0};
        }
    }
}

static void gpus_of_matrix(struct plumb_bind *b)
{
    const struct plumb_smi_topo *t = b->g->smi;
    struct plumb_hardware *hw = b->hw;
    bool alone = b->g->hwloc == NULL;

    hw->gpu_count = t->gpu_count;
    hw->gpus = PLUMB_NEW_ARRAY(b->s->arena, t->gpu_count, struct plumb_hw_gpu);
    if (alone)
        numas_of_matrix(b);
    for (uint32_t i = 0; i < t->gpu_count; i++) {
        uint32_t cell = numa_cell(&t->rows[i].numa_affinity);

        hw->gpus[i] = (struct plumb_hw_gpu){
            .index = i,
            .minor = PLUMB_NO_INDEX,
            .numa = cell == PLUMB_NO_INDEX ? PLUMB_NO_INDEX : plumb_bind_numa(hw, cell),
            .at = t->rows[i].at,
            .locality_at = t->rows[i].numa_affinity.at,
        };
        if (!alone && hw->gpus[i].numa != PLUMB_NO_INDEX) {
            hw->gpus[i].cpus = hw->numa[hw->gpus[i].numa].cpus;
            hw->gpus[i].cores = hw->numa[hw->gpus[i].numa].cores;
        }
    }
    if (alone) {
        cpus_without_numa(b);
        cpus_of_matrix(b);
    }
    hw->gpu_count_value = (struct plumb_u64){
        .v = t->gpu_count,
        .at = t->rows[t->gpu_count - 1].name.at,
        .origin = PLUMB_DERIVED,
    };
}

static void report_count(struct plumb_bind *b)
{
    const struct plumb_smi_topo *t = b->g->smi;
    struct plumb_diag *d =
        plumb_hw_report(b->s, PLUMB_HW_GPU_COUNT, t->rows[t->gpu_count - 1].name.at,
                        "the matrix shows %zu GPUs, the hwloc capture of the same machine %zu",
                        t->gpu_count, b->hw->gpu_count);

    plumb_diag_note(d, b->hw->gpu_count_value.at, "%s of the hwloc capture",
                    b->hw->gpu_count > 0 ? "the last GPU" : "the machine");
    if (t->gpu_count < b->hw->gpu_count)
        plumb_diag_fact(d, "inside a job nvidia-smi shows the job's GPUs only, numbered from 0");
}

static void check_flat(struct plumb_bind *b)
{
    const struct plumb_hardware *hw = b->hw;
    size_t with_cpus = 0, lost = 0;

    for (size_t i = 0; i < hw->numa_count; i++)
        with_cpus += !plumb_bits_empty(&hw->numa[i].cpus);
    for (size_t i = 0; i < hw->gpu_count; i++)
        lost += plumb_bits_empty(&hw->gpus[i].cpus);
    if (b->g->hwloc == NULL || with_cpus != 1 || hw->package_count < 2 || lost == 0)
        return;
    plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_FLAT_NUMA, hw->numa[0].at,
                                    "one NUMA node spans %zu packages, expected at least one node "
                                    "per package; the place of %zu GPUs is unknown",
                                    hw->package_count, lost),
                    hw->packages[1].at, "the second package");
}

void plumb_bind_gpus(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->g->hwloc;
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

static size_t add_nic(struct plumb_bind *b, size_t *cap, struct plumb_hw_nic nic)
{
    struct plumb_hardware *hw = b->hw;

    hw->nics = plumb_arena_grow(b->s->arena, hw->nics, hw->nic_count, cap, sizeof(*hw->nics));
    hw->nics[hw->nic_count] = nic;
    return hw->nic_count++;
}

static bool known_nic(const struct plumb_hardware *hw, const char *name)
{
    for (size_t i = 0; i < hw->nic_count; i++) {
        if (strcmp(hw->nics[i].name, name) == 0)
            return true;
    }
    return false;
}

static const struct plumb_hwloc_osdev *find_osdev(const struct plumb_hwloc *h, const char *name,
                                                  enum plumb_hwloc_osdev_kind kind)
{
    for (size_t i = 0; h != NULL && i < h->osdev_count; i++) {
        if (h->osdevs[i].kind == kind && strcmp(h->osdevs[i].name, name) == 0)
            return &h->osdevs[i];
    }
    return NULL;
}

static struct plumb_hw_nic nic_of_osdev(struct plumb_bind *b, const struct plumb_hwloc_osdev *o)
{
    bool on_bus = o->pci != PLUMB_HWLOC_NONE;

    return (struct plumb_hw_nic){
        .name = o->name,
        .bus_id = on_bus ? b->pci[o->pci].bus_id : NULL,
        .numa = locate(b, &o->locality).numa,
        .infiniband = o->kind == PLUMB_HWLOC_OPENFABRICS,
        .pci = on_bus ? &b->pci[o->pci] : NULL,
        .at = o->at,
    };
}

/* A row that is only a number, where hwloc names the devices: nobody can tell which is which. */
static bool nameless(const struct plumb_bind *b, const struct plumb_smi_row *row)
{
    if (!plumb_starts_with(row->device, "NIC") || b->g->hwloc == NULL)
        return false;
    for (size_t i = 0; i < b->g->hwloc->osdev_count; i++) {
        if (b->g->hwloc->osdevs[i].kind == PLUMB_HWLOC_OPENFABRICS)
            return true;
    }
    return false;
}

static void nics_of_matrix(struct plumb_bind *b, size_t *cap)
{
    const struct plumb_smi_topo *t = b->g->smi;

    b->nic_of_row = PLUMB_NEW_ARRAY(b->s->arena, t->row_count, size_t);
    for (size_t i = t->gpu_count; i < t->row_count; i++) {
        const struct plumb_smi_row *row = &t->rows[i];
        const struct plumb_hwloc_osdev *o =
            find_osdev(b->g->hwloc, row->device, PLUMB_HWLOC_OPENFABRICS);
        struct plumb_hw_nic nic = {.name = row->device, .numa = PLUMB_NO_INDEX, .at = row->at};

        b->nic_of_row[i] = SIZE_MAX;
        if (nameless(b, row))
            continue;
        if (o != NULL)
            nic = nic_of_osdev(b, o);
        nic.infiniband = true;
        b->nic_of_row[i] = add_nic(b, cap, nic);
    }
}

static int nic_order(const void *a, const void *b)
{
    const struct plumb_hw_nic *x = a, *y = b;
    const char *bx = x->bus_id == NULL ? "~" : x->bus_id, *by = y->bus_id == NULL ? "~" : y->bus_id;

    if (x->infiniband != y->infiniband)
        return x->infiniband ? -1 : 1;
    return strcmp(bx, by) != 0 ? strcmp(bx, by) : strcmp(x->name, y->name);
}

/* NICs of the matrix in its order, then RDMA devices, then plain ones, by bus id. */
void plumb_bind_nics(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->g->hwloc;
    struct plumb_hardware *hw = b->hw;
    size_t cap = 0;

    if (b->g->smi != NULL && b->matrix_usable)
        nics_of_matrix(b, &cap);

    size_t listed = hw->nic_count;

    for (size_t i = 0; h != NULL && i < h->osdev_count; i++) {
        const struct plumb_hwloc_osdev *o = &h->osdevs[i];

        if (o->kind != PLUMB_HWLOC_OPENFABRICS && o->kind != PLUMB_HWLOC_NETWORK)
            continue;
        if (!known_nic(hw, o->name))
            (void)add_nic(b, &cap, nic_of_osdev(b, o));
    }
    if (hw->nic_count > listed + 1)
        qsort(hw->nics + listed, hw->nic_count - listed, sizeof(*hw->nics), nic_order);
}
