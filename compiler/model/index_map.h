/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From one way of counting to another (base/index.h), as far as captures tell. Nothing else turns
 * a number of one space into one of another: doc/design/indices.md.
 */
#ifndef PLUMB_MODEL_INDEX_MAP_H
#define PLUMB_MODEL_INDEX_MAP_H

#include "model/hardware.h"

/* Slurm's core of a CPU of the system. False: the CPU is in none, or no capture tells. */
bool plumb_core_of_cpu(const struct plumb_hardware *hw, struct plumb_cpu cpu,
                       struct plumb_core *out);

/* Slurm's cores that hold some of the CPUs; those of which nothing is known are left out. */
struct plumb_cores plumb_cores_of_cpus(struct plumb_arena *a, const struct plumb_hardware *hw,
                                       const struct plumb_cpus *cpus);

/* All CPUs of the system in the cores. False, and none: no capture tells. */
bool plumb_cpus_of_cores(struct plumb_arena *a, const struct plumb_hardware *hw,
                         const struct plumb_cores *cores, struct plumb_cpus *out);

/* Slurm's CPUs of a core: all its threads (slurmd.c:_core_spec_init). */
void plumb_slurm_cpus_add_core(struct plumb_arena *a, struct plumb_slurm_cpus *s,
                               struct plumb_core core, uint32_t threads);

/* The cores that hold some of Slurm's CPUs; threads of each, above 0. */
struct plumb_cores plumb_cores_of_slurm_cpus(struct plumb_arena *a,
                                             const struct plumb_slurm_cpus *cpus, uint32_t threads);

/*
 * The cores of the machine that the numbers are CPUs of, where somebody wrote numbers of the
 * system for Slurm's cores: the same numbers, in the other space.
 */
struct plumb_cpus plumb_cpus_written_as_cores(const struct plumb_cores *cores);
struct plumb_cpus plumb_cpus_written_as_slurm_cpus(const struct plumb_slurm_cpus *cpus);

/*
 * CPUs of the system in one socket of a node line without a capture: what the kernel gives first
 * threads, socket by socket, and then the same again for each further thread.
 */
struct plumb_cpus plumb_cpus_as_numbered(struct plumb_arena *a, uint32_t sockets,
                                         uint32_t cores_per_socket, uint32_t threads,
                                         uint32_t socket);

/* The node of the system's number; none: the machine has no such node. */
struct plumb_numa plumb_numa_of_id(const struct plumb_hardware *hw, struct plumb_numa_id id);

/* The system's number of a node; none for none. */
struct plumb_numa_id plumb_numa_id_of(const struct plumb_hardware *hw, struct plumb_numa numa);

/* For qsort: struct plumb_hw_numa in the order of their numbers. */
int plumb_numa_order(const void *a, const void *b);

/*
 * The minor of a GPU: without a capture that tells, minors count as NVML does, which they mostly do
 * (gpu_nvml.c asks the driver).
 */
struct plumb_minor plumb_minor_of_gpu(const struct plumb_hw_gpu *gpu);

/* The GPU of a device node; NULL: no capture shows it. Where none tells minors, as above. */
const struct plumb_hw_gpu *plumb_gpu_of_minor(const struct plumb_hardware *hw,
                                              struct plumb_minor minor);

/*
 * Slurm's index of a GPU where slurmd holds the derived lines, or what AutoDetect=nvml finds. Lines
 * are derived in NVML's order, and slurmd keeps theirs; what is detected it sorts by the place of
 * -1 in Links, which is the same (gres_gpu.c:_sort_gpu_by_links_order; both seen on the daemons).
 */
struct plumb_slot plumb_slot_of_gpu(const struct plumb_hw_gpu *gpu);

#endif
