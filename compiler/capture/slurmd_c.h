/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `slurmd -C`: the node line that slurmd itself would write. What it says of sockets depends on
 * SlurmdParameters of the node.
 */
#ifndef PLUMB_CAPTURE_SLURMD_C_H
#define PLUMB_CAPTURE_SLURMD_C_H

#include "base/session.h"

struct plumb_slurmd_c {
    const struct plumb_source *src;
    struct plumb_span at;    /* the line */
    struct plumb_slice name; /* of the host it was taken on */
    struct plumb_u64 cpus, boards, sockets_per_board, cores_per_socket, threads_per_core;
    struct plumb_u64 memory_mib;
    struct plumb_slice parameters; /* len 0: not there; such as "numa_node_as_socket" */
    struct plumb_u64 gpus;         /* of Gres=; absent without it, or with MIG devices in it */
};

/* NULL when the line cannot be used; every fault is a finding of family HW. */
struct plumb_slurmd_c *plumb_slurmd_c_read(struct plumb_session *s, const struct plumb_source *src);

/* True for such text: one node line with a machine in it, and nothing of a slurm.conf. */
bool plumb_slurmd_c_sniff(const char *text, size_t len);

/*
 * True for the node line alone, as somebody pasted it without the rest: exactly the numbers that
 * slurmd prints, in its order. A line of a slurm.conf can look the same, so the name must tell.
 */
bool plumb_slurmd_c_bare(const char *text, size_t len);

#endif
