/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one machine is, merged from its captures by passes/bind_hardware.c. Every value
 * points at the text that decided it: an element of the hwloc file, a row of the matrix, a
 * field of the Node. Const after that pass.
 *
 * Index spaces (facts/topology.md section e):
 *   CPU id          Linux number of a hardware thread, hwloc PU os_index
 *   core            Slurm's abstract core: position when walking packages in order
 *   GPU index       NVML index: order of PCI bus ids
 */
#ifndef PLUMB_MODEL_HARDWARE_H
#define PLUMB_MODEL_HARDWARE_H

#include "base/release.h"
#include "base/span.h"
#include "model/bits.h"

#define PLUMB_NO_INDEX UINT32_MAX

struct plumb_hw_package {
    uint32_t os_index;
    uint32_t first_core, core_count; /* abstract cores, contiguous */
    struct plumb_span at;
};

struct plumb_hw_numa {
    uint32_t os_index;
    struct plumb_bits cpus;  /* CPU ids; empty: memory only */
    struct plumb_bits cores; /* abstract cores */
    uint32_t package;        /* index; PLUMB_NO_INDEX when not inside one */
    struct plumb_u64 memory_bytes;
    struct plumb_span at;
};

/* How a GPU, a switch and a NIC are wired by PCI: enough to print NCCL's tree. */
struct plumb_hw_pci {
    const char *bus_id;  /* "0000:1b:00.0", lower case, interned */
    uint32_t class_code; /* 0x0302, 0x0604 ...: the 16 bits of hwloc */
    uint16_t vendor, device, subsystem_vendor, subsystem_device;
    uint32_t link_mbytes;              /* MB/s as hwloc has it; 0: unknown */
    const struct plumb_hw_pci *parent; /* bridge above; NULL: host bridge */
    struct plumb_span at;
};

enum plumb_hw_relation { /* nearest first, as nvidia-smi names them */
                         PLUMB_REL_UNKNOWN,
                         PLUMB_REL_SELF,
                         PLUMB_REL_NVLINK, /* with a count of links */
                         PLUMB_REL_PIX,
                         PLUMB_REL_PXB,
                         PLUMB_REL_PHB,
                         PLUMB_REL_NODE,
                         PLUMB_REL_SYS,
};

struct plumb_hw_mig {
    const char *profile; /* "1g.10gb"; NULL when the capture does not tell */
    const char *uuid;    /* NULL */
    struct plumb_span at;
};

struct plumb_hw_gpu {
    uint32_t index;            /* NVML order */
    const char *bus_id;        /* NULL when no capture tells */
    const char *model;         /* "NVIDIA H100 80GB HBM3"; NULL */
    const char *uuid;          /* NULL */
    uint32_t minor;            /* of /dev/nvidia<minor>; PLUMB_NO_INDEX when no capture tells */
    bool mig_known, mig;       /* a capture tells whether MIG is on; it is */
    struct plumb_hw_mig *migs; /* the instances that a capture shows */
    size_t mig_count;
    struct plumb_span model_at, uuid_at, minor_at; /* unknown where the value is */
    uint32_t numa;                                 /* index into numa[]; PLUMB_NO_INDEX */
    struct plumb_bits cpus;                        /* nearest CPU ids; empty: unknown */
    struct plumb_bits cores;                       /* the same as abstract cores; empty: unknown */
    const struct plumb_hw_pci *pci;                /* NULL */
    struct plumb_span at;                          /* the capture text that shows the device */
    struct plumb_span locality_at;                 /* the text that decided numa, cpus, cores */
};

struct plumb_hw_nic {
    const char *name;               /* "mlx5_0" */
    const char *bus_id;             /* NULL */
    uint32_t numa;                  /* index; PLUMB_NO_INDEX */
    bool infiniband;                /* an RDMA device, as opposed to a plain network one */
    uint64_t speed_mbits;           /* 0: unknown */
    const struct plumb_hw_pci *pci; /* NULL */
    struct plumb_span at;
};

/* Cell of the square matrix over GPUs then NICs. */
struct plumb_hw_cell {
    enum plumb_hw_relation relation;
    uint16_t links; /* for PLUMB_REL_NVLINK */
    struct plumb_span at;
};

/* One way in which slurmd may count sockets. */
enum plumb_hw_socket_kind {
    PLUMB_SOCKET_PACKAGE, /* the default */
    PLUMB_SOCKET_NUMA,    /* SlurmdParameters=numa_node_as_socket */
    PLUMB_SOCKET_L3,      /* SlurmdParameters=l3cache_as_socket */
    PLUMB_SOCKET_KINDS,
};

struct plumb_hw_sockets {
    uint32_t sockets, cores_per_socket; /* 0: this way of counting does not apply */
    bool uneven; /* cores are not the same number in each; slurmd logs an error */
};

/* A Kubernetes Node, as far as it says something about the machine. */
struct plumb_hw_kube_node {
    const char *name;
    struct plumb_u64 gpu_allocatable, gpu_capacity; /* nvidia.com/gpu; absent when not listed */
    const char *gpu_resource;                       /* "nvidia.com/gpu" or a MIG name */
    const char *product;                            /* label nvidia.com/gpu.product; NULL */
    struct plumb_u64 gpu_count_label;
    struct plumb_span at;
};

struct plumb_hardware {
    const char *name;     /* how the specification or the folder names it */
    const char *host;     /* the machine's own name in slurmd -C; interned, NULL: unknown */
    struct plumb_span at; /* first byte of the capture that counts most */
    bool builtin;         /* from topologies/ */

    const char *cpu_arch;   /* "x86_64", "aarch64": hwloc's Architecture; interned, NULL: unknown */
    const char *cpu_vendor; /* "GenuineIntel": hwloc's CPUVendor; interned, NULL: unknown */
    uint32_t cpu_family;    /* hwloc's CPUFamilyNumber: 6, 25; 0: unknown */
    uint32_t cpu_model;     /* hwloc's CPUModelNumber, extended part included; 0: unknown */

    struct plumb_u64 boards, packages_count, core_count, thread_count, threads_per_core;
    struct plumb_u64 memory_bytes; /* of all NUMA nodes with CPUs */
    struct plumb_hw_sockets sockets[PLUMB_SOCKET_KINDS];
    bool incomplete_cpus; /* captured inside a container: fewer CPUs than the machine has */

    struct plumb_hw_package *packages;
    size_t package_count;
    struct plumb_hw_numa *numa; /* in order of os_index */
    size_t numa_count;
    uint32_t *core_of_cpu; /* by CPU id: abstract core, PLUMB_NO_INDEX for holes */
    size_t cpu_limit;      /* highest CPU id + 1 */

    struct plumb_hw_gpu *gpus;
    size_t gpu_count;
    struct plumb_u64 gpu_count_value; /* gpu_count, with the capture that decided it */
    struct plumb_hw_nic *nics;
    size_t nic_count;
    struct plumb_hw_cell
        *matrix;      /* (gpu_count + nic_count) squared, row by row; NULL: no capture */
    bool nvswitch;    /* every pair has the full link count */
    bool links_known; /* a capture shows NVLinks, or that there are none; else Links= is unknown */

    struct plumb_hw_kube_node *kube_nodes; /* the Nodes that this machine class stands for */
    size_t kube_node_count;
};

/* NVLinks between two GPUs by index; 0 when unknown or none. */
uint32_t plumb_hardware_links(const struct plumb_hardware *hw, uint32_t a, uint32_t b);
const struct plumb_hw_cell *plumb_hardware_cell(const struct plumb_hardware *hw, size_t row,
                                                size_t column);

/* The Links= that AutoDetect=nvml would report: counts between GPUs only, 0 through NVSwitch. */
void plumb_hardware_links_text(const struct plumb_hardware *hw, uint32_t gpu,
                               struct plumb_buf *out);

/*
 * Cores= for a GPU that the whole-socket rule of a release accepts when sockets are counted
 * the given way: the GPU's own cores where they are a whole socket, else its socket widened.
 * False when the locality is unknown.
 */
bool plumb_hardware_gres_cores(const struct plumb_hardware *hw, uint32_t gpu,
                               enum plumb_hw_socket_kind kind, struct plumb_arena *a,
                               struct plumb_bits *out);

#endif
