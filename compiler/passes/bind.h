/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that merge captures into a machine: bind_hardware.c (CPUs, memory, the
 * order of work), bind_devices.c (GPUs, NICs), bind_matrix.c (links). Not for anyone else. */
#ifndef PLUMB_PASSES_BIND_H
#define PLUMB_PASSES_BIND_H

#include "capture/capture.h"
#include "capture/hwloc.h"
#include "capture/rules.h"
#include "model/hardware.h"

struct plumb_bind {
    struct plumb_session *s;
    const struct plumb_capture_group *g;
    struct plumb_hardware *hw;
    struct plumb_hw_pci *pci; /* as many as g->hwloc->pci, in the same order */
    uint32_t *gpu_of_pci;     /* GPU index by pci position; PLUMB_NO_INDEX */
    const char *gpus_from;    /* what shows the GPUs: "hwloc capture", "matrix"; NULL: nothing */
    bool matrix_usable;       /* the GPUs of the matrix are those of the machine, in order */
    size_t *nic_of_row;       /* by row of the matrix: index into hw->nics, or SIZE_MAX */
};

/* GPUs and NICs of all captures, with their place. */
void plumb_bind_gpus(struct plumb_bind *b);
void plumb_bind_nics(struct plumb_bind *b);

/* Names, minor numbers and MIG devices of nvidia-smi -q -x and -L; GPUs where nothing else has. */
void plumb_bind_smi_gpus(struct plumb_bind *b);

/* What slurmd -C says: the machine where there is no hwloc file, memory always. */
void plumb_bind_slurmd(struct plumb_bind *b);

/* How they are connected. */
void plumb_bind_matrix(struct plumb_bind *b);

/* What Kubernetes says about Nodes of this machine. */
void plumb_bind_kube(struct plumb_bind *b);

/* Index into hw->numa by the system's number; PLUMB_NO_INDEX. */
uint32_t plumb_bind_numa(const struct plumb_hardware *hw, uint32_t os_index);

/* The abstract cores of CPU ids; empty when no capture tells the cores. */
struct plumb_bits plumb_bind_cores(const struct plumb_bind *b, const struct plumb_bits *cpus);

static inline struct plumb_bits plumb_bind_bits(const struct plumb_hwloc_set *s)
{
    return (struct plumb_bits){.words = s->words, .word_count = s->word_count};
}

#endif
