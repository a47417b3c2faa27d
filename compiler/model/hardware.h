/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one machine is, merged from its captures by passes/bind_hardware.c. Every value
 * points at the text that decided it: an element of the hwloc file, a row of the matrix, a
 * field of the Node. Const after that pass.
 *
 * Numbers are of the types of base/index.h; model/index_map.h turns one into another.
 */
#ifndef PLUMB_MODEL_HARDWARE_H
#define PLUMB_MODEL_HARDWARE_H

#include "base/release.h"
#include "base/span.h"
#include "model/index_set.h"

struct plumb_hw_package {
    uint32_t os_index;
    uint32_t first_core, core_count; /* abstract cores, contiguous */
    struct plumb_span at;
};

struct plumb_hw_numa {
    struct plumb_numa_id os_index;
    struct plumb_cpus cpus;   /* CPU ids; empty: memory only */
    struct plumb_cores cores; /* abstract cores */
    uint32_t package;         /* index; PLUMB_NO_INDEX when not inside one */
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
                         PLUMB_REL_XGMI,   /* GPUs of AMD, with a count of hops */
                         PLUMB_REL_PIX,
                         PLUMB_REL_PXB,
                         PLUMB_REL_PHB,
                         PLUMB_REL_NODE,
                         PLUMB_REL_SYS,
};

struct plumb_hw_mig {
    const char *profile; /* "1g.10gb"; NULL when the capture does not tell */
    const char *uuid;    /* NULL */
    struct plumb_gi gpu_instance;
    struct plumb_ci compute_instance;      /* both: none, no capture tells */
    struct plumb_cap gpu_cap, compute_cap; /* what opens them; the same */
    uint64_t memory_mib;                   /* 0: not told */
    struct plumb_span at;
};

/* A capability of MIG: /dev/nvidia-caps/nvidia-cap<minor>, and what it opens. */
struct plumb_hw_mig_cap {
    struct plumb_cap minor;
    struct plumb_minor gpu; /* of its own device */
    struct plumb_gi gpu_instance;
    struct plumb_ci compute_instance; /* none: the GPU instance itself */
    struct plumb_span at;
};

struct plumb_hw_gpu {
    struct plumb_gpu index;    /* NVML order */
    const char *bus_id;        /* NULL when no capture tells */
    const char *model;         /* "NVIDIA H100 80GB HBM3"; NULL */
    const char *uuid;          /* NULL */
    const char *render;        /* "renderD128": the DRM device of AMD's and Intel's; NULL */
    struct plumb_minor minor;  /* of /dev/nvidia<minor>; none when no capture tells */
    bool mig_known, mig;       /* a capture tells whether MIG is on; it is */
    struct plumb_hw_mig *migs; /* the instances that a capture shows */
    size_t mig_count;
    struct plumb_span model_at, uuid_at, minor_at; /* unknown where the value is */
    struct plumb_numa numa;                        /* none: not told */
    struct plumb_cpus cpus;                        /* nearest CPU ids; empty: unknown */
    struct plumb_cores cores;                      /* the same as abstract cores; empty: unknown */
    const struct plumb_hw_pci *pci;                /* NULL */
    struct plumb_span at;                          /* the capture text that shows the device */
    struct plumb_span locality_at;                 /* the text that decided numa, cpus, cores */
};

struct plumb_hw_nic {
    const char *name;               /* "mlx5_0" */
    const char *bus_id;             /* NULL */
    struct plumb_numa numa;         /* none: not told */
    struct plumb_cores cores;       /* nearest, as of a GPU; empty: unknown */
    bool infiniband;                /* an RDMA device, as opposed to a plain network one */
    uint64_t speed_mbits;           /* 0: unknown */
    struct plumb_span speed_at;     /* unknown: a capture that does not decide it */
    struct plumb_verbs verbs;       /* of /dev/infiniband/uverbs<n>; none: not told */
    struct plumb_span verbs_at;     /* unknown where it is */
    const struct plumb_hw_pci *pci; /* NULL */
    struct plumb_span at;
};

/* A block device: an NVMe drive, a disk. */
struct plumb_hw_disk {
    const char *name;               /* "nvme0n1": its file is /dev/<name> */
    struct plumb_numa numa;         /* none: not told */
    struct plumb_cores cores;       /* nearest, as of a GPU; empty: unknown */
    const struct plumb_hw_pci *pci; /* NULL */
    struct plumb_span at;
};

/* Cell of the square matrix over GPUs then NICs. */
struct plumb_hw_cell {
    enum plumb_hw_relation relation;
    uint16_t links; /* for PLUMB_REL_NVLINK; hops for PLUMB_REL_XGMI */
    struct plumb_span at;
};

/* What nvidia-smi topo -p2p says about one way from GPU to GPU. */
struct plumb_hw_peer {
    const char *status; /* "OK", "NS" ...; "X" of a GPU with itself */
    struct plumb_span at;
};

/* One peer matrix. */
struct plumb_hw_peers {
    const char *kind;            /* "r", "w", "rw", "n", "a", "p"; NULL: no capture tells */
    struct plumb_hw_peer *cells; /* gpu_count squared, row by row */
    struct plumb_span at;
};

/* What peers are asked for by that letter: "read", "atomics"; "access" where it is not told. */
const char *plumb_hardware_peer_words(const struct plumb_hw_peers *peers);

/* One way in which slurmd may count sockets. */
enum plumb_hw_socket_kind {
    PLUMB_SOCKET_PACKAGE, /* the default */
    PLUMB_SOCKET_NUMA,    /* SlurmdParameters=numa_node_as_socket */
    PLUMB_SOCKET_L3,      /* SlurmdParameters=l3cache_as_socket */
    PLUMB_SOCKET_KINDS,
};

/* The word of SlurmdParameters= that asks for it; NULL for packages. */
const char *plumb_hardware_socket_word(enum plumb_hw_socket_kind kind);

struct plumb_hw_sockets {
    uint32_t sockets, cores_per_socket; /* 0: this way of counting does not apply */
    bool uneven; /* cores are not the same number in each; slurmd logs an error */
};

/* A Kubernetes Node, as far as it says something about the machine. */
struct plumb_hw_kube_node {
    const char *name;
    struct plumb_u64 gpu_allocatable, gpu_capacity; /* nvidia.com/gpu; absent when not listed */
    struct plumb_u64 cpu_allocatable;               /* thousandths of a CPU */
    struct plumb_u64 memory_allocatable;            /* bytes */
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
    /* Two captures disagree, which was reported: the values are bad, and nothing is derived. */
    bool cores_differ, gpus_differ;
    bool gpus_split; /* GPUs are partitions of devices: the same, with gpus_differ */

    struct plumb_hw_package *packages;
    size_t package_count;
    struct plumb_hw_numa *numa; /* in order of os_index */
    size_t numa_count;
    struct plumb_core *core_of_cpu; /* by CPU id, none for holes: model/index_map.h */
    size_t cpu_limit;               /* highest CPU id + 1 */

    struct plumb_hw_gpu *gpus;
    size_t gpu_count;
    struct plumb_u64 gpu_count_value;  /* gpu_count, with the capture that decided it */
    struct plumb_hw_mig_cap *mig_caps; /* the driver's table; NULL: it was not captured */
    size_t mig_cap_count;
    struct plumb_hw_nic *nics;
    size_t nic_count;
    struct plumb_hw_disk *disks; /* with a PCI device, in order of their names' numbers */
    size_t disk_count;
    struct plumb_hw_cell
        *matrix; /* (gpu_count + nic_count) squared, row by row; NULL: no capture */
    struct plumb_hw_peers *peers; /* in the order of the captures */
    size_t peer_count;
    bool nvswitch;    /* every pair has the full link count */
    bool links_known; /* a capture shows NVLinks, or that there are none; else Links= is unknown */

    struct plumb_hw_kube_node *kube_nodes; /* the Nodes that this machine class stands for */
    size_t kube_node_count;
};

enum plumb_hw_vendor { PLUMB_GPU_NVIDIA, PLUMB_GPU_AMD, PLUMB_GPU_INTEL };

/*
 * Whose GPU it is, by its PCI vendor; what nvidia-smi alone shows is NVIDIA's, and what has a
 * render device is AMD's, unless its type says intel.
 */
enum plumb_hw_vendor plumb_hardware_vendor(const struct plumb_hw_gpu *gpu);

/*
 * The device file as slurmd's plugins name it: /dev/nvidia<minor>, or /dev/dri/renderD<n>. Without
 * a capture that tells, minors count in NVML's order, and render devices from 128 (gpu_nvml.c,
 * gpu_rsmi.c, gpu_oneapi.c).
 */
const char *plumb_hardware_device(struct plumb_arena *a, const struct plumb_hw_gpu *gpu);

/*
 * RealMemory= in MiB that the machine will have after the next kernel too: a round number with some
 * headroom below what a capture shows. 0: no capture tells.
 */
uint64_t plumb_hardware_real_memory(const struct plumb_hardware *hw);

/* NVLinks between two GPUs by index; 0 when unknown or none. */
uint32_t plumb_hardware_links(const struct plumb_hardware *hw, struct plumb_gpu a,
                              struct plumb_gpu b);
/* A link joins two GPUs by index: NVLink, or one hop of XGMI. */
bool plumb_hardware_joined(const struct plumb_hardware *hw, struct plumb_gpu a, struct plumb_gpu b);
/* Rows and columns: GPUs by index, then NICs. NULL: there is no such cell. */
const struct plumb_hw_cell *plumb_hardware_cell(const struct plumb_hardware *hw, size_t row,
                                                size_t column);
/* As nvidia-smi topo -m writes it: "NV18", "PIX"; "XGMI", "XGMI/2" over two hops; "?" where it is
 * not known. */
const char *plumb_hardware_relation(struct plumb_arena *a, const struct plumb_hw_cell *cell);

/* slurmd detects links between some of the GPUs: not through an NVSwitch, which hides them. */
bool plumb_hardware_linked(const struct plumb_hardware *hw);

/* The Links= that AutoDetect=nvml would report: counts between GPUs only, 0 through NVSwitch. */
void plumb_hardware_links_text(const struct plumb_hardware *hw, struct plumb_gpu gpu,
                               struct plumb_buf *out);

/*
 * Cores= near a device that the whole-socket rule accepts when sockets are counted the given way:
 * its own cores where they are a whole socket, else their socket widened. False when they are
 * unknown.
 */
bool plumb_hardware_whole_cores(const struct plumb_hardware *hw, const struct plumb_cores *own,
                                enum plumb_hw_socket_kind kind, struct plumb_arena *a,
                                struct plumb_cores *out);

/* The RDMA device of a name; NULL: none. */
const struct plumb_hw_nic *plumb_hardware_adapter(const struct plumb_hardware *hw,
                                                  const char *name);

/* "/dev/infiniband/uverbs3", which a job needs to use the adapter; NULL: no capture tells. */
const char *plumb_hardware_verbs(struct plumb_arena *a, const struct plumb_hw_nic *nic);

/* Who accepts a core set as Cores= when sockets are counted one way. */
enum plumb_hw_accept {
    PLUMB_ACCEPT_NEVER,       /* no such sockets, or no cores known */
    PLUMB_ACCEPT_UP_TO_24_05, /* it cuts a socket */
    PLUMB_ACCEPT_UP_TO_25_05, /* several whole sockets, not all */
    PLUMB_ACCEPT_ALWAYS,      /* one whole socket, or all cores */
};
enum plumb_hw_accept plumb_hardware_accepts(const struct plumb_hardware *hw,
                                            enum plumb_hw_socket_kind kind,
                                            const struct plumb_cores *cores);
const char *plumb_hardware_accept_name(enum plumb_hw_accept a); /* "every release" ... */

/* True when the detected cores of every GPU are accepted by every release. */
bool plumb_hardware_fits(const struct plumb_hardware *hw, enum plumb_hw_socket_kind kind);

/* The drive of a device file, "/dev/nvme0n1" or a partition "/dev/nvme0n1p2"; NULL: none. */
const struct plumb_hw_disk *plumb_hardware_disk(const struct plumb_hardware *hw, const char *file);

/* "nvme0n1", and nothing behind the second number: its length, with a partition's; 0: no drive. */
size_t plumb_nvme_name(const char *name);

/*
 * Cores= for a GPU that the whole-socket rule of a release accepts when sockets are counted
 * the given way: the GPU's own cores where they are a whole socket, else its socket widened.
 * False when the locality is unknown.
 */
bool plumb_hardware_gres_cores(const struct plumb_hardware *hw, struct plumb_gpu gpu,
                               enum plumb_hw_socket_kind kind, struct plumb_arena *a,
                               struct plumb_cores *out);

#endif
