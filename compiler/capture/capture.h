/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures as they were read, before they are merged into one machine. A group is a folder
 * of dumps of one machine (or a lone file): what the specification names in topology:, or
 * what lies beside hand-written Slurm files.
 */
#ifndef PLUMB_CAPTURE_CAPTURE_H
#define PLUMB_CAPTURE_CAPTURE_H

#include "base/map.h"
#include "base/session.h"
#include "capture/slurmd_c.h"
#include "capture/slurmd_g.h"
#include "capture/smi_gpus.h"
#include "syntax/node.h"
#include "syntax/smi_topo.h"

struct plumb_hwloc;       /* capture/hwloc.h: what was taken from an hwloc file, with spans */
struct plumb_ibstat;      /* capture/ibstat.h */
struct plumb_mig_minors;  /* capture/mig_minors.h */
struct plumb_verbs_table; /* capture/verbs.h */
struct plumb_nccl;        /* capture/nccl.h: a dump of NCCL */
struct plumb_hardware;    /* of a higher layer: only a pointer here */

/* Of `nvidia-smi topo -p2p`; the file itself does not tell which capability was asked for. */
struct plumb_capture_peers {
    const struct plumb_smi_topo *topo;
    const struct plumb_source *src; /* the file as named; topo->src may be an equal one */
    const char *kind;               /* "r", "w", "n", "a", "p", "rw" of the file's name; NULL */
};

struct plumb_capture_group {
    const char *name;     /* folder or file as named */
    const char *path;     /* to open; tells two groups apart */
    struct plumb_span at; /* the text that names it; unknown for files given by hand */
    bool builtin;
    struct plumb_hwloc *hwloc;  /* NULL */
    struct plumb_smi_topo *smi; /* NULL */
    struct plumb_capture_peers *peers;
    size_t peer_count, peer_cap;
    struct plumb_smi_gpus *list;     /* nvidia-smi -L; NULL */
    struct plumb_smi_gpus *query;    /* nvidia-smi -q -x; NULL */
    struct plumb_mig_minors *minors; /* capabilities of MIG; NULL */
    struct plumb_ibstat *ibstat;     /* rates of ports; NULL */
    struct plumb_verbs_table *verbs; /* files of RDMA devices; NULL */
    struct plumb_nccl *nccl;         /* NCCL_TOPO_DUMP_FILE; NULL */
    struct plumb_slurmd_c *slurmd;   /* slurmd -C; NULL */
    struct plumb_slurmd_g *gres;     /* slurmd -G; NULL */
    struct plumb_node **kube_nodes;  /* Node objects */
    size_t kube_node_count, kube_node_cap;
    const struct plumb_source *first; /* of the group; for findings about the whole */
    bool failed;                      /* reported: there is nothing to use */
    struct plumb_hardware *hardware;  /* model/hardware.h; set by bind-hardware */
};

struct plumb_captures {
    struct plumb_capture_group **groups;
    size_t count, cap;
    struct plumb_map
        by_content; /* hash of bytes -> what was read, so that equal captures are read once */
};

extern const struct plumb_rule_family plumb_capture_rules; /* family HW */

#endif
