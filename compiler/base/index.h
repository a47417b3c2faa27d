/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of CPUs, cores, GPUs and NUMA nodes. Each way of counting is a type of its own, so that
 * the compiler refuses one where another is meant: doc/design/indices.md says who speaks which.
 * What turns one into another is in model/index_map.h alone.
 */
#ifndef PLUMB_BASE_INDEX_H
#define PLUMB_BASE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#define PLUMB_NO_INDEX UINT32_MAX /* as .n: none, or not known */

/* No number of a space: PLUMB_NO(core). */
#define PLUMB_NO(space) ((struct plumb_##space){PLUMB_NO_INDEX})

#define PLUMB_INDEX_SPACE(space)                                                                   \
    struct plumb_##space {                                                                         \
        uint32_t n;                                                                                \
    };                                                                                             \
    static inline bool plumb_##space##_known(struct plumb_##space i)                               \
    {                                                                                              \
        return i.n != PLUMB_NO_INDEX;                                                              \
    }                                                                                              \
    static inline bool plumb_##space##_same(struct plumb_##space a, struct plumb_##space b)        \
    {                                                                                              \
        return a.n == b.n;                                                                         \
    }

PLUMB_INDEX_SPACE(cpu)       /* a hardware thread as Linux numbers it: hwloc's PU os_index */
PLUMB_INDEX_SPACE(core)      /* Slurm's abstract core: position when walking socket by socket */
PLUMB_INDEX_SPACE(slurm_cpu) /* Slurm's CPU: abstract core x threads + thread */
PLUMB_INDEX_SPACE(gpu)       /* NVML's index of a GPU: position by PCI bus id */
PLUMB_INDEX_SPACE(minor)     /* of /dev/nvidia<minor> */
PLUMB_INDEX_SPACE(verbs)     /* of /dev/infiniband/uverbs<number>, an RDMA device */
PLUMB_INDEX_SPACE(gi)        /* a GPU instance of MIG, as the driver numbers those of one GPU */
PLUMB_INDEX_SPACE(ci)      /* a compute instance, as the driver numbers those of one GPU instance */
PLUMB_INDEX_SPACE(cap)     /* minor of /dev/nvidia-caps/nvidia-cap<minor> */
PLUMB_INDEX_SPACE(slot)    /* Slurm's index of a GPU: position in slurmd's list */
PLUMB_INDEX_SPACE(numa_id) /* a NUMA node as Linux numbers it: hwloc's NUMANode os_index */
PLUMB_INDEX_SPACE(numa)    /* position among the nodes of a machine: hardware.numa[] */

#endif
