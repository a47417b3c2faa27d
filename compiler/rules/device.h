/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GPUs of a node as gres.conf writes them: one entry a device file, with the line that names it
 * and the captured GPU behind it.
 */
#ifndef PLUMB_RULES_DEVICE_H
#define PLUMB_RULES_DEVICE_H

#include "model/detect.h"
#include "rules/gres_view.h"

struct plumb_device {
    const char *file; /* "/dev/nvidia0", "/dev/dri/renderD128" */
    uint32_t number;  /* the one at its end */
    const struct plumb_gres_line *line;
    const struct plumb_hw_gpu *gpu; /* NULL: no capture tells */
};

struct plumb_devices {
    struct plumb_device *items;
    size_t count, cap;
};

/*
 * Empty when a line is no plain list of /dev/nvidia or /dev/dri/renderD files. In the order of
 * plumb_slot: that of slurmd's list, item by item of Gres= and line by line (seen
 * with 22.05.8, 24.11.5 and 26.05.5); where AutoDetect is on, that of NVML
 * (gres_gpu.c:_sort_gpu_by_links_order; seen with 24.11.5 and 26.05.5 where minors are exchanged).
 * Lines of which slurmd keeps nothing come last.
 */
struct plumb_devices plumb_devices_of(const struct plumb_check *ck,
                                      const struct plumb_gres_view *v);

/* What slurmd finds on the view's machine with its AutoDetect=; none where it asks for nothing. */
struct plumb_detections plumb_detections_of(const struct plumb_check *ck,
                                            const struct plumb_gres_view *v);
/* The record of a GPU among them, or of its first MIG device; NULL: it is not found. */
const struct plumb_detected *plumb_detected_gpu(const struct plumb_detections *found,
                                                struct plumb_gpu gpu);

/*
 * The cores near a GPU. Where the capture tells CPU numbers alone, they are turned into cores by
 * the node line, when they are the threads of one whole socket in the kernel's usual numbering.
 * False: not known.
 */
bool plumb_device_cores(const struct plumb_check *ck, const struct plumb_nodes *n,
                        const struct plumb_hw_gpu *gpu, struct plumb_cores *out);

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
enum plumb_core_fault plumb_core_judge(const struct plumb_cores *cores,
                                       const struct plumb_shape *s);

/* slurmctld of the release registers such a node as invalid and drains it. */
bool plumb_core_drains(const struct plumb_check *ck, enum plumb_core_fault fault);

#endif
