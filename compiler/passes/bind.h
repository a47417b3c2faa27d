/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files that merge captures into a machine: bind_hardware.c (CPUs, memory, the order
 * of work), bind_devices.c (GPUs), bind_nics.c, bind_disks.c, bind_matrix.c (links), and those of
 * one source: bind_smi.c, bind_slurmd.c, bind_slurmd_g.c. Not for anyone else.
 */
#ifndef PLUMB_PASSES_BIND_H
#define PLUMB_PASSES_BIND_H

#include "capture/capture.h"
#include "capture/hwloc.h"
#include "capture/rules.h"
#include "model/hardware.h"

struct plumb_bind {
    struct plumb_session *s;
    const struct plumb_capture_group *g;
    const struct plumb_hwloc *hwloc; /* of the group, as slurmd of the release sees it; NULL */
    struct plumb_hardware *hw;
    struct plumb_hw_pci *pci;     /* as many as g->hwloc->pci, in the same order */
    struct plumb_gpu *gpu_of_pci; /* by pci position; none */
    const char *gpus_from;   /* what shows the GPUs: "hwloc capture", "matrix"; NULL: nothing */
    struct plumb_slice host; /* the machine's name in the first capture that has one */
    bool matrix_usable;      /* the GPUs of the matrix are those of the machine, in order */
    bool memory_differs, links_differ; /* between two captures; with those of hw, at the end */
    size_t *nic_of_row;                /* by row of the matrix: index into hw->nics, or SIZE_MAX */
};

/* A place in the machine: the NUMA node when it is one, and the CPUs. */
struct plumb_bind_place {
    struct plumb_numa numa; /* none: not told */
    struct plumb_cpus cpus;
};

/*
 * The NUMA node around a set of CPUs, as NVML's affinity is that of the closest node. A set
 * over several nodes is kept when it is less than the machine; the whole machine says nothing.
 */
struct plumb_bind_place plumb_bind_locate(const struct plumb_bind *b,
                                          const struct plumb_hwloc_set *near);

/* A row of the matrix: GPUs, then NICs. pci is NULL where no capture shows it on a bus. */
struct plumb_bind_device {
    const struct plumb_hw_pci *pci;
    struct plumb_numa numa;
    struct plumb_span at;
};

static inline struct plumb_bind_device plumb_bind_device(const struct plumb_hardware *hw,
                                                         size_t device)
{
    if (device < hw->gpu_count) {
        const struct plumb_hw_gpu *gpu = &hw->gpus[device];

        return (struct plumb_bind_device){gpu->pci, gpu->numa, gpu->at};
    }

    const struct plumb_hw_nic *nic = &hw->nics[device - hw->gpu_count];

    return (struct plumb_bind_device){nic->pci, nic->numa, nic->at};
}

enum { PLUMB_BIND_HANDFUL = 2 }; /* CPUs: so few are a job's, not a node's */

/* A CPU affinity of this length may be the beginning of a longer one: nvidia-smi cuts. */
bool plumb_bind_maybe_cut(const struct plumb_slice *cell);
/* Why a matrix alone does not tell the CPUs near its GPUs: HW063, HW064. */
void plumb_bind_affinity(struct plumb_bind *b);
extern const struct plumb_rule_family plumb_affinity_rules; /* family HW */

/* GPUs and NICs of all captures, with their place. */
void plumb_bind_gpus(struct plumb_bind *b);
/*
 * GPUs where nothing else shows them, in the order of NVML, with no place: what shows them, and
 * where it tells how many there are.
 */
void plumb_bind_new_gpus(struct plumb_bind *b, size_t count, const char *from,
                         struct plumb_span last);
/* For qsort: GPUs with bus ids, in their order, which is that of NVML. */
int plumb_bind_gpu_order(const void *a, const void *b);
void plumb_bind_nics(struct plumb_bind *b);
void plumb_bind_disks(struct plumb_bind *b);

/* A dump of NCCL: the machine where neither hwloc nor a matrix shows it; links at the end. */
void plumb_bind_nccl(struct plumb_bind *b);
void plumb_bind_nccl_links(struct plumb_bind *b);

/* Rates of ibstat, for NICs that others show. */
void plumb_bind_ibstat(struct plumb_bind *b);
/* Device files of NICs that others show. */
void plumb_bind_verbs(struct plumb_bind *b);

/* Names, minor numbers and MIG devices of nvidia-smi -q -x and -L; GPUs where nothing else has. */
void plumb_bind_smi_gpus(struct plumb_bind *b);

/* What slurmd -C says: the machine where there is no hwloc file, memory always. */
void plumb_bind_slurmd(struct plumb_bind *b);

/* What slurmd -G holds: GPUs beside those of the others, and later their links. */
void plumb_bind_slurmd_g(struct plumb_bind *b);
void plumb_bind_slurmd_links(struct plumb_bind *b);

/* The name of the machine as a capture has it, against that of the others. len 0: it has none. */
void plumb_bind_host(struct plumb_bind *b, const struct plumb_slice *host);

/* Peer matrices: GPUs where nothing else has them, and access of pair by pair; then held against
 * the links. */
void plumb_bind_partitions(struct plumb_bind *b);
extern const struct plumb_rule_family plumb_partition_rules; /* family HW */
void plumb_bind_peers(struct plumb_bind *b);
void plumb_bind_peer_links(struct plumb_bind *b);
extern const struct plumb_rule_family plumb_peer_rules; /* family HW */

/* How they are connected. */
void plumb_bind_matrix(struct plumb_bind *b);

/* HW043: GPUs x and y have no links, beside an NVSwitch. */
void plumb_bind_report_switch(struct plumb_bind *b, const struct plumb_hw_cell *cell, size_t x,
                              size_t y, struct plumb_span chip);

/* A number that two captures show differently is nobody's: what was reported becomes unknown. */
void plumb_bind_contradictions(struct plumb_bind *b);

/* What Kubernetes says about Nodes of this machine. */
void plumb_bind_kube(struct plumb_bind *b);

/* CPUs of an hwloc file: it counts as the system does. */
static inline struct plumb_cpus plumb_bind_cpus(const struct plumb_hwloc_set *s)
{
    return (struct plumb_cpus){{.words = s->words, .word_count = s->word_count}};
}

#endif
