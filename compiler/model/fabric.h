/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network of a cluster as Slurm can have it. The tree: groups of nodes at the bottom, each with
 * the leaves that all its nodes share, and groups of groups above. The blocks: nodes that NVLink
 * connects, where a source tells of them. Made by passes/read_fabric.c.
 */
#ifndef PLUMB_MODEL_FABRIC_H
#define PLUMB_MODEL_FABRIC_H

#include "model/hostlist.h"

#define PLUMB_FABRIC_NONE SIZE_MAX

struct plumb_fabric_group {
    const char *name;             /* of its first switch; unique, interned */
    struct plumb_hostlist *hosts; /* of a leaf group; NULL: groups are in it */
    size_t parent;                /* position of the group above; PLUMB_FABRIC_NONE: a root */
    size_t switches;              /* that it stands for */
    struct plumb_span at;         /* the record of its first switch */
};

/* Nodes of one NVLink domain, or of one leaf group. */
struct plumb_fabric_block {
    const char *name; /* interned */
    struct plumb_hostlist *hosts;
    struct plumb_span at; /* what names it first */
};

struct plumb_fabric {
    struct plumb_fabric_group *groups; /* those with hosts first, parents behind children */
    size_t count, cap;
    struct plumb_fabric_block *blocks; /* as told, those near in the tree side by side */
    size_t block_count, block_cap;
    size_t host_count;  /* in groups; in blocks where there are no groups */
    const char *source; /* "the capture of the fabric", for messages */
    bool partial;       /* it may show some of the nodes only */
    bool shared_leaves; /* a group stands for all leaves that its hosts share */
    struct plumb_span at;
};

/*
 * Positions of the leaf groups, those below one switch side by side; *count of them. Blocks are in
 * this order too.
 */
size_t *plumb_fabric_leaves(const struct plumb_fabric *f, struct plumb_arena *a, size_t *count);

/* Sizes of topology/block: the smallest block, and each double of it up to all blocks. */
struct plumb_block_plan {
    const struct plumb_fabric_block *blocks;
    size_t count;
    uint64_t sizes[16]; /* BlockSizes, ascending (block_record.c: at most base x 2^15) */
    size_t size_count;
};

/* Fills in the sizes for so many blocks of which the smallest has base nodes; gives their number.
 */
size_t plumb_block_sizes(uint64_t base, size_t blocks, uint64_t sizes[16]);

/* The blocks that were told; where none were, the leaf groups. */
struct plumb_block_plan plumb_fabric_blocks(const struct plumb_fabric *f, struct plumb_arena *a);

/* The group with this host; PLUMB_FABRIC_NONE. */
size_t plumb_fabric_group_of(const struct plumb_fabric *f, const char *host);
/* The root above a group. Groups of different roots are not connected. */
size_t plumb_fabric_root_of(const struct plumb_fabric *f, size_t group);
/* How many parts that are not connected the tree has: its roots. */
size_t plumb_fabric_parts(const struct plumb_fabric *f);

#endif
