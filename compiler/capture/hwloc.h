/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an hwloc XML file says, read through libhwloc and joined by gp_index to the places
 * in the file. Nothing is merged here; passes/bind_hardware.c does that.
 *
 * libhwloc prints and asserts on files that it did not write itself, and its only switches are
 * environment variables. So the file is read by our own XML reader first, checked, and what
 * matters is written anew for libhwloc: it sees nothing that was not checked.
 */
#ifndef PLUMB_CAPTURE_HWLOC_H
#define PLUMB_CAPTURE_HWLOC_H

#include "base/index.h"
#include "base/session.h"

/* CPU ids: bit i is words[i / 64] >> (i % 64) & 1. */
struct plumb_hwloc_set {
    uint64_t *words;
    uint32_t word_count;
};

#define PLUMB_HWLOC_NONE UINT32_MAX

struct plumb_hwloc_package {
    uint32_t os_index;
    uint32_t first_core, core_count; /* in cores[] */
    struct plumb_span at;
};

struct plumb_hwloc_core {
    uint32_t package; /* index; PLUMB_HWLOC_NONE: in none */
    struct plumb_hwloc_set cpus;
    struct plumb_span at;
};

struct plumb_hwloc_numa {
    struct plumb_numa_id os_index;
    struct plumb_hwloc_set cpus; /* empty: memory only */
    bool memory_told;
    uint32_t package;
    uint64_t memory_bytes;
    struct plumb_span at;
};

/* Sockets when objects of one kind are taken for sockets. */
struct plumb_hwloc_sockets {
    uint32_t count; /* 0: slurmd cannot count them so, and stops */
    bool uneven;
};

struct plumb_hwloc_pci {
    const char *bus_id; /* "0000:1b:00.0", lower case, interned */
    uint32_t class_code;
    uint16_t vendor, device, subsystem_vendor, subsystem_device;
    uint32_t link_mbytes;            /* MB/s; 0: unknown */
    uint32_t parent;                 /* index into pci[]; PLUMB_HWLOC_NONE: host bridge */
    uint32_t host_bridge;            /* number of the host bridge above, in order of the file */
    struct plumb_hwloc_set locality; /* CPUs of the nearest object that has some */
    struct plumb_span at;
};

enum plumb_hwloc_osdev_kind { /* hwloc's osdev_type of version 2 */
                              PLUMB_HWLOC_BLOCK = 0,
                              PLUMB_HWLOC_GPU = 1,
                              PLUMB_HWLOC_NETWORK = 2,
                              PLUMB_HWLOC_OPENFABRICS = 3,
                              PLUMB_HWLOC_DMA = 4,
                              PLUMB_HWLOC_COPROC = 5,
};

struct plumb_hwloc_osdev {
    const char *name; /* interned */
    const char *subtype;
    enum plumb_hwloc_osdev_kind kind;
    uint32_t pci; /* index into pci[]; PLUMB_HWLOC_NONE */
    uint64_t gp_index;
    const char *gpu_model, *gpu_uuid; /* infos; NULL */
    struct plumb_hwloc_set locality;
    struct plumb_span at;
};

struct plumb_hwloc {
    const struct plumb_source *src;
    struct plumb_span at;    /* the root element */
    struct plumb_slice host; /* the system's name; len 0: not told */
    const char *arch, *cpu_vendor;
    uint32_t cpu_family, cpu_model;

    uint32_t boards;
    struct plumb_hwloc_package *packages;
    size_t package_count;
    struct plumb_hwloc_core *cores; /* in libhwloc's logical order */
    size_t core_count;
    uint32_t pu_count, threads_per_core;
    bool has_packages, has_cores;  /* the file has such objects */
    struct plumb_hwloc_numa *numa; /* in logical order */
    size_t numa_count;
    bool numa_told; /* something in the file proves the nodes; else hwloc made one up */
    struct plumb_hwloc_sockets by_numa, by_l3;
    struct plumb_hwloc_set cpus;
    struct plumb_span cpus_at; /* the attribute that shows CPUs as hidden, or the root */
    bool incomplete;           /* the dump hides CPUs: cgroup, container, offline */

    /*
     * The same machine without Intel's E-cores, as slurmd sees it since 23.02 unless it is told
     * allow_ecores; NULL: it has none. Up to 25.05 and 25.11.2 slurmd keeps only the first kind of
     * P-cores that hwloc lists (xcpuinfo.c:_remove_ecores).
     */
    struct plumb_hwloc *first_pcores, *pcores;

    struct plumb_hwloc_pci *pci; /* devices and bridges, in the order of the file */
    size_t pci_count;
    struct plumb_hwloc_osdev *osdevs;
    size_t osdev_count;

    /* XGMIHops: values[i * count + j] from osdevs[i] to osdevs[j]; 0: to itself, or none. */
    struct plumb_hwloc_square {
        uint32_t *osdevs;
        size_t count;
        uint64_t *values;
        struct plumb_span at;
    } xgmi;

    /* NVLinkBandwidth: values[i * nvlink_count + j] in MB/s between osdevs nvlink[i] and [j]. */
    uint32_t *nvlink;
    size_t nvlink_count;
    uint64_t *nvlink_mbytes;
    struct plumb_span nvlink_at;
};

/* NULL when the file could not be used; every fault is a finding of family HW. */
struct plumb_hwloc *plumb_hwloc_read(struct plumb_session *s, const struct plumb_source *src);

/* True for hwloc XML of any version, by its first bytes. */
bool plumb_hwloc_sniff(const char *text, size_t len);

#endif
