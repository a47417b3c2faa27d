/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an NCCL topology file says, with places: a dump of a job (NCCL_TOPO_DUMP_FILE), which is a
 * capture of the machine as far as the job used it, or a file that people hand to NCCL.
 */
#ifndef PLUMB_CAPTURE_NCCL_H
#define PLUMB_CAPTURE_NCCL_H

#include "base/session.h"
#include "syntax/nccl_xml.h"

#define PLUMB_NCCL_NONE UINT32_MAX

struct plumb_nccl_numa {
    struct plumb_u64 numaid;    /* bad for -1 and what is no number */
    struct plumb_text affinity; /* absent: NCCL asks the system */
    const char *arch, *vendor;  /* interned; NULL */
    uint32_t family, model;     /* as in the file; 0: not there */
    struct plumb_span at;
};

struct plumb_nccl_nvlink {
    const char *target; /* bus id, interned */
    const char *tclass; /* "0x068000" for a switch; "" when not there */
    uint32_t count;
    struct plumb_span at;
};

/* A port of a NIC: an RDMA device of its own, or a network interface. */
struct plumb_nccl_net {
    const char *name; /* interned */
    uint64_t mbits;   /* 0: not told */
};

struct plumb_nccl_pci {
    struct plumb_text bus_id; /* lower case */
    const char *class_text;   /* interned; NULL */
    uint32_t class_code;      /* upper 16 bits; 0: not there */
    uint16_t vendor, device, subsystem_vendor, subsystem_device;
    uint32_t link_mbytes; /* MB/s; 0: not told */
    uint32_t numa;        /* position of the cpu element */
    uint32_t parent;      /* position of the pci element above; PLUMB_NCCL_NONE */
    bool bridge;          /* has pci elements in it, or is of that class */
    bool is_gpu, is_nic;  /* by what is in it, else by its class */
    uint32_t dev;         /* of its gpu element; PLUMB_NCCL_NONE */
    struct plumb_nccl_nvlink *links;
    size_t link_count;
    struct plumb_nccl_net *nets; /* its ports: one of each net element with a name */
    size_t net_count;
    const char *net;    /* name of the first net in it, interned; NULL */
    bool plain;         /* nets without a GUID: sockets, no RDMA device */
    uint64_t net_mbits; /* of the first net; 0: not told */
    struct plumb_span at;
};

struct plumb_nccl {
    const struct plumb_source *src;
    struct plumb_nccl_numa *cpus;
    size_t cpu_count, cpu_cap;
    struct plumb_nccl_pci *pci; /* parents before children */
    size_t pci_count, pci_cap;
    size_t rank_count;            /* gpu elements that say of which rank they are */
    struct plumb_span first_rank; /* the first of them */
    struct plumb_span at;         /* the root */
};

/*
 * Reads a file; faults of its text are findings of family NCCL. NULL where there is no system
 * element. judged: the values are checked too, as for a file that NCCL is to read.
 */
struct plumb_nccl *plumb_nccl_read(struct plumb_session *s, const struct plumb_source *src,
                                   bool judged);

/* Checks values that are wrong whatever the machine is. False: it is no file for NCCL. */
bool plumb_nccl_judge(struct plumb_session *s, const struct plumb_nccl_xml *x);

/* "00ff00ff,0000ffff": groups of at most 8 digits, highest first. No layer of sets yet: words. */
bool plumb_nccl_mask(struct plumb_arena *a, const char *text, uint64_t **words, uint32_t *count);

/* True for NCCL's and RCCL's files of a machine, by the first element. */
bool plumb_nccl_sniff(const char *text, size_t len);

#endif
