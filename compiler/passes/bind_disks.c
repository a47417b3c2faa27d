/* SPDX-License-Identifier: Apache-2.0 */
/* Drives that a GRES may hand out: the block devices of an hwloc capture with a PCI device. */
#include <stdlib.h>
#include <string.h>

#include "model/index_map.h"
#include "passes/bind.h"

static uint64_t number(const char **at)
{
    uint64_t v = 0;

    for (; **at >= '0' && **at <= '9'; (*at)++)
        v = v * 10 + (uint64_t)(**at - '0'); /* wraps for a name that no kernel makes */
    return v;
}

/* nvme2n1 before nvme10n1. */
static int disk_order(const void *a, const void *b)
{
    const char *x = ((const struct plumb_hw_disk *)a)->name;
    const char *y = ((const struct plumb_hw_disk *)b)->name;

    while (*x != '\0' && *y != '\0') {
        uint64_t p, q;

        if (strspn(x, "0123456789") == 0 || strspn(y, "0123456789") == 0) {
            if (*x != *y)
                return *x < *y ? -1 : 1;
            x++;
            y++;
            continue;
        }
        p = number(&x);
        q = number(&y);
        if (p != q)
            return p < q ? -1 : 1;
    }
    return (*x != '\0') - (*y != '\0');
}

void plumb_bind_disks(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->hwloc;
    struct plumb_hardware *hw = b->hw;
    size_t cap = 0;

    for (size_t i = 0; h != NULL && i < h->osdev_count; i++) {
        const struct plumb_hwloc_osdev *o = &h->osdevs[i];
        struct plumb_bind_place where;

        if (o->kind != PLUMB_HWLOC_BLOCK || o->pci == PLUMB_HWLOC_NONE)
            continue;
        where = plumb_bind_locate(b, &o->locality);
        hw->disks =
            plumb_arena_grow(b->s->arena, hw->disks, hw->disk_count, &cap, sizeof(*hw->disks));
        hw->disks[hw->disk_count++] = (struct plumb_hw_disk){
            .name = o->name,
            .numa = where.numa,
            .cores = plumb_cores_of_cpus(b->s->arena, hw, &where.cpus),
            .pci = &b->pci[o->pci],
            .at = o->at,
        };
    }
    if (hw->disk_count > 1)
        qsort(hw->disks, hw->disk_count, sizeof(*hw->disks), disk_order);
}
