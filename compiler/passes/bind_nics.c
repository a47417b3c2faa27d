/* SPDX-License-Identifier: Apache-2.0 */
/* NICs: those of the matrix in its order, then those that only hwloc knows. */
#include <stdlib.h>
#include <string.h>

#include "base/bus_id.h"
#include "base/text.h"
#include "model/index_map.h"
#include "passes/bind.h"

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
    struct plumb_bind_place where = plumb_bind_locate(b, &o->locality);

    return (struct plumb_hw_nic){
        .name = o->name,
        .bus_id = on_bus ? b->pci[o->pci].bus_id : NULL,
        .numa = where.numa,
        .cores = plumb_cores_of_cpus(b->s->arena, b->hw, &where.cpus),
        .infiniband = o->kind == PLUMB_HWLOC_OPENFABRICS,
        .pci = on_bus ? &b->pci[o->pci] : NULL,
        .at = o->at,
    };
}

/* A row that is only a number, where hwloc names the devices: nobody can tell which is which. */
static bool nameless(const struct plumb_bind *b, const struct plumb_smi_row *row)
{
    if (!plumb_starts_with(row->device, "NIC") || b->hwloc == NULL)
        return false;
    for (size_t i = 0; i < b->hwloc->osdev_count; i++) {
        if (b->hwloc->osdevs[i].kind == PLUMB_HWLOC_OPENFABRICS)
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
            find_osdev(b->hwloc, row->device, PLUMB_HWLOC_OPENFABRICS);
        struct plumb_hw_nic nic = {.name = row->device, .numa = PLUMB_NO(numa), .at = row->at};

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
    int order = 0;

    if (x->infiniband != y->infiniband)
        return x->infiniband ? -1 : 1;
    if (x->bus_id == NULL || y->bus_id == NULL)
        order = (x->bus_id == NULL) - (y->bus_id == NULL);
    else
        order = plumb_bus_id_order(x->bus_id, y->bus_id);
    return order != 0 ? order : strcmp(x->name, y->name);
}

/* NICs of the matrix in its order, then RDMA devices, then plain ones, by bus id. */
void plumb_bind_nics(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->hwloc;
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
