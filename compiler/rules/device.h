/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GPUs of a node as gres.conf writes them: one entry a device file, in the order that Slurm
 * gives them, with the line that names it and the captured GPU behind it.
 */
#ifndef PLUMB_RULES_DEVICE_H
#define PLUMB_RULES_DEVICE_H

#include "rules/gres_view.h"

struct plumb_device {
    uint64_t minor; /* of /dev/nvidia<minor> */
    const struct plumb_gres_line *line;
    const struct plumb_hw_gpu *gpu; /* NULL: no capture tells */
};

struct plumb_devices {
    struct plumb_device *items;
    size_t count, cap;
};

/* Empty when a line is no plain list of /dev/nvidia files. */
struct plumb_devices plumb_devices_of(const struct plumb_check *ck,
                                      const struct plumb_gres_view *v);

/*
 * The cores near a GPU. Where the capture tells CPU numbers alone, they are turned into cores by
 * the node line, when they are the threads of one whole socket in the kernel's usual numbering.
 * False: not known.
 */
bool plumb_device_cores(const struct plumb_check *ck, const struct plumb_nodes *n,
                        const struct plumb_hw_gpu *gpu, struct plumb_bits *out);

/* How slurmd counts sockets on these nodes, and the cores of each; false: not known. */
struct plumb_shape {
    uint64_t sockets, cores; /* cores of one socket */
};
bool plumb_shape_written(const struct plumb_nodes *n, struct plumb_shape *s);
bool plumb_shape_captured(const struct plumb_check *ck, const struct plumb_nodes *n,
                          struct plumb_shape *s);

/* A core set against the socket law: what the first fault of it is. */
enum plumb_core_fault {
    PLUMB_CORES_FINE,
    PLUMB_CORES_BEYOND,  /* a core that the node does not have */
    PLUMB_CORES_CUT,     /* part of a socket */
    PLUMB_CORES_SEVERAL, /* whole sockets: more than one, not all */
};
enum plumb_core_fault plumb_core_judge(const struct plumb_bits *cores, const struct plumb_shape *s);

/* slurmctld of the release registers such a node as invalid and drains it. */
bool plumb_core_drains(enum plumb_release r, enum plumb_core_fault fault);

#endif
