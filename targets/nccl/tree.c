/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of a topology file. First every device and every PCI switch above one is collected,
 * each with the element that it will hang below; then the elements are made, parents first,
 * each level in the order of bus ids.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bus_id.h"
#include "base/pci.h"
#include "nccl/nccl.h"
#include "schema/nccl.h"

enum {
    MAX_LEVELS = 64, /* of PCI bridges: more than any bus numbering allows on one path */
};

struct item {
    const char *bus_id;
    const struct plumb_hw_pci *pci;   /* NULL: only the bus id is known */
    const struct plumb_hw_pci *above; /* the switch above; NULL: the NUMA node */
    struct plumb_numa numa;
    uint32_t class_code;
    struct plumb_span at;
};

struct tree {
    struct plumb_arena *arena;
    const struct plumb_hardware *hw;
    struct item *items;
    size_t count, cap;
    const char *reason; /* why there is no file */
};

/* Captures hold them in the kernel's form; a dump may hold anything. */
static bool bus_id_ok(const char *bus_id)
{
    char id[PLUMB_BUS_ID_SIZE];

    return plumb_bus_id_read(bus_id, strlen(bus_id), id) && strcmp(id, bus_id) == 0;
}

static struct item *find(struct tree *t, const char *bus_id)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->items[i].bus_id, bus_id) == 0)
            return &t->items[i];
    }
    return NULL;
}

/*
 * The PCI switch above a device or switch: its upstream port, two bridges up. Between lie a
 * downstream port, and above the topmost switch a root port, which NCCL's own walk over sysfs
 * passes by; an element for each would lengthen every path.
 */
static const struct plumb_hw_pci *switch_above(const struct plumb_hw_pci *pci)
{
    return pci == NULL || pci->parent == NULL ? NULL : pci->parent->parent;
}

static void add(struct tree *t, const struct item *item)
{
    t->items = plumb_arena_grow(t->arena, t->items, t->count, &t->cap, sizeof(*t->items));
    t->items[t->count++] = *item;
}

/* The switches above a device, each once; all take the NUMA node of the first device found. */
static void add_switches(struct tree *t, const struct plumb_hw_pci *pci, struct plumb_numa numa)
{
    size_t level = 0;

    for (const struct plumb_hw_pci *up = switch_above(pci); up != NULL; up = switch_above(up)) {
        if (find(t, up->bus_id) != NULL || ++level > MAX_LEVELS)
            return;
        add(t, &(struct item){
                   .bus_id = up->bus_id,
                   .pci = up,
                   .above = switch_above(up),
                   .numa = numa,
                   .class_code = PLUMB_PCI_BRIDGE,
                   .at = up->at,
               });
    }
}

static void add_device(struct tree *t, const struct item *item)
{
    struct item placed = *item;

    placed.above = switch_above(item->pci);
    if (item->pci != NULL && item->pci->class_code != 0)
        placed.class_code = item->pci->class_code;
    add(t, &placed);
    add_switches(t, item->pci, item->numa);
}

static void refuse(struct tree *t, const char *reason)
{
    if (t->reason == NULL)
        t->reason = reason;
}

static void add_gpus(struct tree *t)
{
    for (size_t i = 0; i < t->hw->gpu_count; i++) {
        const struct plumb_hw_gpu *gpu = &t->hw->gpus[i];

        if (gpu->bus_id == NULL || !bus_id_ok(gpu->bus_id))
            refuse(t, plumb_arena_printf(t->arena, "no capture shows the bus id of GPU %u",
                                         gpu->index.n));
        else if (gpu->numa.n >= t->hw->numa_count)
            refuse(t, plumb_arena_printf(t->arena, "no capture shows the NUMA node of GPU %u",
                                         gpu->index.n));
        else if (gpu->pci != NULL && gpu->pci->vendor != 0 && gpu->pci->vendor != PLUMB_PCI_NVIDIA)
            refuse(t, plumb_arena_printf(t->arena, "GPU %u is not from NVIDIA, NCCL cannot use it",
                                         gpu->index.n));
        else if (find(t, gpu->bus_id) != NULL)
            refuse(t,
                   plumb_arena_printf(t->arena, "two devices have the bus id '%s'", gpu->bus_id));
        else
            add_device(t, &(struct item){
                              .bus_id = gpu->bus_id,
                              .pci = gpu->pci,
                              .numa = gpu->numa,
                              .class_code = PLUMB_PCI_3D,
                              .at = gpu->at,
                          });
    }
}

/* NICs help only when it is known where they hang; others are found by NCCL itself. */
static void add_nics(struct tree *t)
{
    for (size_t i = 0; i < t->hw->nic_count; i++) {
        const struct plumb_hw_nic *nic = &t->hw->nics[i];

        if (!nic->infiniband || nic->bus_id == NULL || !bus_id_ok(nic->bus_id) ||
            nic->numa.n >= t->hw->numa_count || find(t, nic->bus_id) != NULL)
            continue;
        add_device(t, &(struct item){
                          .bus_id = nic->bus_id,
                          .pci = nic->pci,
                          .numa = nic->numa,
                          .class_code = PLUMB_PCI_INFINIBAND,
                          .at = nic->at,
                      });
    }
}

static bool carries(const struct tree *t, struct plumb_numa numa)
{
    for (size_t i = 0; i < t->count; i++) {
        if (plumb_numa_same(t->items[i].numa, numa))
            return true;
    }
    return false;
}

static void check_numa(struct tree *t, size_t *cpus)
{
    const struct plumb_hardware *hw = t->hw;

    for (struct plumb_numa i = {0}; i.n < hw->numa_count; i.n++) {
        if (!carries(t, i))
            continue;
        (*cpus)++;
        if (plumb_cpus_empty(&hw->numa[i.n].cpus))
            refuse(t, plumb_arena_printf(t->arena, "NUMA node %u carries devices but has no CPUs",
                                         hw->numa[i.n].os_index.n));
        for (struct plumb_numa j = {0}; j.n < i.n; j.n++) {
            if (carries(t, j) && plumb_cpus_overlap(&hw->numa[i.n].cpus, &hw->numa[j.n].cpus))
                refuse(t, plumb_arena_printf(t->arena, "NUMA nodes %u and %u share CPUs",
                                             hw->numa[j.n].os_index.n, hw->numa[i.n].os_index.n));
        }
    }
}

static void check_size(struct tree *t, size_t cpus)
{
    size_t elements = 1 + cpus + t->count;

    if (elements > PLUMB_NCCL_ELEMENTS)
        refuse(t, plumb_arena_printf(t->arena, "the file would have %zu elements, NCCL reads %d",
                                     elements, (int)PLUMB_NCCL_ELEMENTS));
    for (size_t i = 0; i < t->count && elements <= PLUMB_NCCL_ELEMENTS; i++) {
        size_t siblings = 0;

        for (size_t j = 0; j < t->count; j++)
            siblings +=
                t->items[j].above == t->items[i].above &&
                (t->items[i].above != NULL || plumb_numa_same(t->items[j].numa, t->items[i].numa));
        if (siblings > PLUMB_NCCL_CHILDREN)
            refuse(t,
                   plumb_arena_printf(t->arena, "%zu devices hang below one element, NCCL reads %d",
                                      siblings, (int)PLUMB_NCCL_CHILDREN));
    }
}

static void set_hex(struct tree *t, struct plumb_xml *e, const char *name, uint32_t v)
{
    plumb_xml_set(t->arena, e, name, plumb_arena_printf(t->arena, "0x%04x", v));
}

static uint32_t faster(uint32_t best, const struct plumb_hw_pci *pci)
{
    struct plumb_nccl_link link;

    if (pci == NULL || pci->link_mbytes <= best || !plumb_nccl_link(pci->link_mbytes, &link))
        return best;
    return pci->link_mbytes;
}

static bool below(const struct plumb_hw_pci *pci, const struct plumb_hw_pci *above)
{
    size_t level = 0;

    for (pci = pci == NULL ? NULL : pci->parent; pci != NULL && level < MAX_LEVELS; level++) {
        if (pci == above)
            return true;
        pci = pci->parent;
    }
    return false;
}

/* A link may be at rest where the capture was taken: the fastest of a kind counts. */
static uint32_t link_of(const struct tree *t, const struct item *item)
{
    uint32_t best = faster(0, item->pci);

    for (size_t i = 0; item->pci != NULL && i < t->count; i++) {
        const struct plumb_hw_pci *other = t->items[i].pci;

        if (other != NULL && item->pci->vendor != 0 && other->vendor == item->pci->vendor &&
            other->device == item->pci->device)
            best = faster(best, other);
    }
    for (size_t i = 0; best == 0 && item->pci != NULL && i < t->count; i++) {
        if (below(t->items[i].pci, item->pci))
            best = faster(best, t->items[i].pci);
    }
    return best;
}

static struct plumb_xml *add_pci(struct tree *t, struct plumb_xml *parent, const struct item *item)
{
    struct plumb_xml *e = plumb_xml_element(t->arena, parent, "pci", item->at);
    const struct plumb_hw_pci *pci = item->pci;
    struct plumb_nccl_link link;

    plumb_xml_set(t->arena, e, "busid", item->bus_id);
    plumb_xml_set(t->arena, e, "class",
                  plumb_arena_printf(t->arena, "0x%04x00", item->class_code & 0xffffu));
    if (pci != NULL && pci->vendor != 0) {
        set_hex(t, e, "vendor", pci->vendor);
        set_hex(t, e, "device", pci->device);
    }
    /*
     * hwloc shows no subsystem for most bridges. Zeros would win over what NCCL reads itself,
     * and by these four it knows the Broadcom switches whose two levels it takes as one.
     */
    if (pci != NULL && pci->vendor != 0 && pci->subsystem_vendor != 0) {
        set_hex(t, e, "subsystem_vendor", pci->subsystem_vendor);
        set_hex(t, e, "subsystem_device", pci->subsystem_device);
    }
    if (plumb_nccl_link(link_of(t, item), &link)) {
        plumb_xml_set(t->arena, e, "link_speed", link.speed);
        plumb_xml_set(t->arena, e, "link_width", plumb_arena_printf(t->arena, "%u", link.width));
    }
    return e;
}

/* All that hangs below one switch, or with NULL directly below one NUMA node. */
static void add_level(struct tree *t, struct plumb_xml *parent, const struct plumb_hw_pci *above,
                      struct plumb_numa numa)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct item *item = &t->items[i];

        if (item->above != above || (above == NULL && !plumb_numa_same(item->numa, numa)))
            continue;
        struct plumb_xml *e = add_pci(t, parent, item);

        if (item->pci != NULL && item->class_code == PLUMB_PCI_BRIDGE)
            add_level(t, e, item->pci, numa);
    }
}

static void add_cpu(struct tree *t, struct plumb_xml *system, struct plumb_numa numa)
{
    static const char *const vendors[] = {"GenuineIntel", "AuthenticAMD", "CentaurHauls",
                                          "  Shanghai  "};
    const struct plumb_hardware *hw = t->hw;
    struct plumb_xml *e = plumb_xml_element(t->arena, system, "cpu", hw->numa[numa.n].at);
    const char *arch = plumb_nccl_arch(hw->cpu_arch, hw->cpu_vendor);
    struct plumb_buf mask = plumb_buf_in(t->arena);

    plumb_xml_set(t->arena, e, "numaid",
                  plumb_arena_printf(t->arena, "%u", hw->numa[numa.n].os_index.n));
    plumb_cpus_mask(&hw->numa[numa.n].cpus, &mask);
    if (!hw->incomplete_cpus)
        plumb_xml_set(t->arena, e, "affinity", plumb_buf_text(&mask));
    if (arch != NULL)
        plumb_xml_set(t->arena, e, "arch", arch);
    for (size_t i = 0; hw->cpu_vendor != NULL && i < PLUMB_COUNT(vendors); i++) {
        if (strcmp(vendors[i], hw->cpu_vendor) != 0 || hw->cpu_family == 0)
            continue;
        plumb_xml_set(t->arena, e, "vendor", vendors[i]);
        plumb_xml_set(t->arena, e, "familyid",
                      plumb_arena_printf(t->arena, "%u", plumb_nccl_family(hw->cpu_family)));
        plumb_xml_set(t->arena, e, "modelid", plumb_arena_printf(t->arena, "%u", hw->cpu_model));
    }
    add_level(t, e, NULL, numa);
}

static int by_bus_id(const void *x, const void *y)
{
    const struct item *a = x, *b = y;

    return plumb_bus_id_order(a->bus_id, b->bus_id);
}

struct plumb_xml *plumb_nccl_tree(struct plumb_arena *a, const struct plumb_hardware *hw,
                                  const char **reason)
{
    struct tree t = {.arena = a, .hw = hw};
    struct plumb_xml *system = NULL;
    size_t cpus = 0;

    *reason = NULL;
    if (hw->gpu_count == 0)
        return NULL;
    add_gpus(&t);
    add_nics(&t);
    check_numa(&t, &cpus);
    check_size(&t, cpus);
    *reason = t.reason;
    if (t.reason != NULL || t.items == NULL)
        return NULL;
    qsort(t.items, t.count, sizeof(*t.items), by_bus_id);
    system = plumb_xml_element(a, NULL, "system", hw->at);
    plumb_xml_set(a, system, "version", "1");
    for (struct plumb_numa i = {0}; i.n < hw->numa_count; i.n++) {
        if (carries(&t, i))
            add_cpu(&t, system, i);
    }
    return system;
}
