/* SPDX-License-Identifier: Apache-2.0 */
/* Which adapters are rails. */
#include "model/rails.h"

#include <string.h>

#include "base/text.h"

size_t plumb_hardware_rdma(const struct plumb_hardware *hw)
{
    size_t count = 0;

    while (count < hw->nic_count && hw->nics[count].infiniband)
        count++;
    return count;
}

size_t plumb_hardware_nearest(const struct plumb_hardware *hw, size_t device, size_t from,
                              size_t to, size_t *out, enum plumb_hw_relation *best)
{
    size_t count = 0;

    *best = PLUMB_REL_NODE;
    for (size_t i = from; i < to; i++) {
        const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, device, i);

        if (cell == NULL || cell->relation < PLUMB_REL_PIX || cell->relation >= PLUMB_REL_NODE ||
            cell->relation > *best)
            continue;
        if (cell->relation < *best)
            count = 0;
        *best = cell->relation;
        out[count++] = i;
    }
    return count;
}

static void add(struct plumb_rails *r, uint32_t nic)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->nics[i] == nic)
            return;
    }
    r->nics[r->count++] = nic;
}

/*
 * Below one host bridge everything is equally near where a virtual machine shows a flat bus: then
 * it tells nothing.
 */
static bool is_flat(const struct plumb_hardware *hw, size_t rdma)
{
    for (size_t g = 0; g < hw->gpu_count; g++) {
        for (size_t n = 0; n < rdma; n++) {
            const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, g, hw->gpu_count + n);

            if (cell == NULL || cell->relation != PLUMB_REL_PHB)
                return false;
        }
    }
    return true;
}

static void by_nearness(struct plumb_arena *a, const struct plumb_hardware *hw, size_t rdma,
                        struct plumb_rails *r)
{
    size_t *found = PLUMB_NEW_ARRAY(a, rdma, size_t);

    for (size_t g = 0; g < hw->gpu_count; g++) {
        enum plumb_hw_relation best;
        size_t count =
            plumb_hardware_nearest(hw, g, hw->gpu_count, hw->gpu_count + rdma, found, &best);

        for (size_t i = 0; i < count; i++)
            add(r, (uint32_t)(found[i] - hw->gpu_count));
    }
}

/* The network device at the same PCI function tells what the port is: "ib..." or anything else. */
static bool is_infiniband_port(const struct plumb_hardware *hw, const struct plumb_hw_nic *nic)
{
    for (size_t i = plumb_hardware_rdma(hw); nic->bus_id != NULL && i < hw->nic_count; i++) {
        if (hw->nics[i].bus_id != NULL && strcmp(hw->nics[i].bus_id, nic->bus_id) == 0)
            return plumb_starts_with(hw->nics[i].name, "ib");
    }
    return false;
}

/* Of the GPUs in their order, each NUMA node's adapters; those without a place at the end. */
static void by_port(const struct plumb_hardware *hw, size_t rdma, struct plumb_rails *r)
{
    for (size_t g = 0; g <= hw->gpu_count; g++) {
        for (uint32_t n = 0; n < rdma; n++) {
            const struct plumb_hw_nic *nic = &hw->nics[n];

            if (is_infiniband_port(hw, nic) &&
                (g == hw->gpu_count ||
                 (plumb_numa_known(nic->numa) && plumb_numa_same(nic->numa, hw->gpus[g].numa))))
                add(r, n);
        }
    }
    if (r->count == rdma) /* nothing beside them to be told from */
        r->count = 0;
}

/* "NIC0": a matrix without its legend. */
static bool is_numbered_only(const struct plumb_hardware *hw, size_t rdma)
{
    for (size_t n = 0; n < rdma; n++) {
        if (plumb_starts_with(hw->nics[n].name, "NIC"))
            return true;
    }
    return false;
}

bool plumb_hardware_names_adapters(const struct plumb_hardware *hw)
{
    size_t rdma = plumb_hardware_rdma(hw);

    return rdma > 0 && !is_numbered_only(hw, rdma);
}

struct plumb_rails plumb_hardware_rails(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    size_t rdma = plumb_hardware_rdma(hw);
    struct plumb_rails r = {.nics = PLUMB_NEW_ARRAY(a, rdma, uint32_t),
                            .others = PLUMB_NEW_ARRAY(a, rdma, uint32_t)};
    bool numbered = is_numbered_only(hw, rdma);
    bool known = rdma > 0 && hw->gpu_count > 0 && hw->matrix != NULL && !numbered;

    r.why = rdma == 0            ? "no capture shows an RDMA device"
            : hw->gpu_count == 0 ? "no capture shows a GPU"
            : numbered           ? "the matrix numbers the adapters, and its legend is missing"
            : !known             ? "no capture tells how GPUs and adapters are connected"
                                 : "every adapter is as near to every GPU";
    if (known && !is_flat(hw, rdma)) {
        by_nearness(a, hw, rdma, &r);
        r.why = "nearest to a GPU, in the order of the GPUs";
    }
    if (known && r.count == 0) {
        by_port(hw, rdma, &r);
        r.why = r.count > 0 ? "InfiniBand; no adapter is near a GPU by PCI"
                            : "no adapter is nearer to some GPU than others are";
    }
    for (uint32_t n = 0; n < rdma; n++) {
        bool rail = false;

        for (size_t i = 0; i < r.count; i++)
            rail = rail || r.nics[i] == n;
        if (!rail)
            r.others[r.other_count++] = n;
    }
    return r;
}

void plumb_rails_text(const struct plumb_hardware *hw, const struct plumb_rails *rails,
                      struct plumb_buf *out)
{
    for (size_t i = 0; i < rails->count; i++)
        plumb_buf_printf(out, "%s%s", i == 0 ? "=" : ",", hw->nics[rails->nics[i]].name);
}
