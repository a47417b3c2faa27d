/* SPDX-License-Identifier: Apache-2.0 */
/* Files of RDMA devices for the NICs that other captures show. */
#include <string.h>

#include "capture/verbs.h"
#include "passes/bind.h"

static const struct plumb_hwloc_osdev *first_rdma(const struct plumb_hwloc *h)
{
    for (size_t i = 0; h != NULL && i < h->osdev_count; i++) {
        if (h->osdevs[i].kind == PLUMB_HWLOC_OPENFABRICS)
            return &h->osdevs[i];
    }
    return NULL;
}

/* hwloc shows all RDMA devices or, taken without I/O objects, none. */
static void hold_against_hwloc(struct plumb_bind *b, const struct plumb_verbs_table *t)
{
    const struct plumb_hwloc_osdev *shown = first_rdma(b->hwloc);

    for (size_t i = 0; shown != NULL && i < t->count; i++) {
        const struct plumb_slice *name = &t->items[i].device;

        if (plumb_hardware_adapter(b->hw, name->text) != NULL)
            continue;
        plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_VERBS_OTHER, name->at,
                                        "the listing has the RDMA device '%s', the hwloc capture "
                                        "shows none of this name; expected both of one boot",
                                        name->text),
                        shown->at, "the first that it shows");
    }
}

void plumb_bind_verbs(struct plumb_bind *b)
{
    const struct plumb_verbs_table *t = b->g->verbs;
    struct plumb_hardware *hw = b->hw;

    for (size_t k = 0; k < hw->nic_count; k++) {
        struct plumb_hw_nic *nic = &hw->nics[k];

        nic->verbs = PLUMB_NO(verbs);
        for (size_t i = 0; t != NULL && nic->infiniband && i < t->count; i++) {
            if (strcmp(nic->name, t->items[i].device.text) != 0)
                continue;
            nic->verbs = t->items[i].number;
            nic->verbs_at = t->items[i].at;
        }
    }
    if (t != NULL)
        hold_against_hwloc(b, t);
}
