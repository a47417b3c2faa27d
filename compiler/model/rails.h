/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network adapters that carry traffic between GPUs of several machines, in the order of the
 * GPUs: what NCCL_IB_HCA names. Those for storage and management are left out.
 */
#ifndef PLUMB_MODEL_RAILS_H
#define PLUMB_MODEL_RAILS_H

#include "model/hardware.h"

struct plumb_rails {
    uint32_t *nics; /* indices into hw->nics, each once */
    size_t count;
    uint32_t *others; /* RDMA devices that are no rail, in the order of hw->nics */
    size_t other_count;
    const char *why; /* one sentence part: what makes them rails, or why none can be told */
};

/* RDMA devices, which stand before other NICs. */
size_t plumb_hardware_rdma(const struct plumb_hardware *hw);

/* Captures show RDMA devices by name, as opposed to numbers of a matrix without its legend. */
bool plumb_hardware_names_adapters(const struct plumb_hardware *hw);

/*
 * Devices [from, to) of the matrix that are nearest to one, nearer than NODE; relation in *best.
 */
size_t plumb_hardware_nearest(const struct plumb_hardware *hw, size_t device, size_t from,
                              size_t to, size_t *out, enum plumb_hw_relation *best);

/*
 * A rail is nearest to some GPU by PCI. Where no adapter is, as on Grace, whose CPU has GPUs and
 * adapters at ports of their own, it is an InfiniBand device beside Ethernet ones. Otherwise
 * nothing tells rails from the rest (nearness is flat): count is 0.
 */
struct plumb_rails plumb_hardware_rails(struct plumb_arena *a, const struct plumb_hardware *hw);

/* "=mlx5_0,mlx5_3": NCCL_IB_HCA with names as a whole, since mlx5_1 alone is mlx5_10 too. */
void plumb_rails_text(const struct plumb_hardware *hw, const struct plumb_rails *rails,
                      struct plumb_buf *out);

#endif
