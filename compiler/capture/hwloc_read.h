/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files that read hwloc XML: hwloc_walk.c finds objects, hwloc_tree.c checks them,
 * hwloc_io.c reads devices, hwloc_load.c asks libhwloc, hwloc_whole.c looks for what is missing,
 * hwloc.c puts it together. Not for anyone else.
 */
#ifndef PLUMB_CAPTURE_HWLOC_READ_H
#define PLUMB_CAPTURE_HWLOC_READ_H

#include "base/map.h"
#include "capture/hwloc.h"
#include "capture/rules.h"
#include "syntax/xml.h"

enum plumb_hwloc_type {
    PLUMB_HWLOC_T_SKIP, /* caches below L3, Misc, types of later releases: children move up */
    PLUMB_HWLOC_T_MACHINE,
    PLUMB_HWLOC_T_PACKAGE,
    PLUMB_HWLOC_T_GROUP,
    PLUMB_HWLOC_T_DIE,
    PLUMB_HWLOC_T_L3,
    PLUMB_HWLOC_T_CORE,
    PLUMB_HWLOC_T_PU,
    PLUMB_HWLOC_T_NUMA,
    PLUMB_HWLOC_T_IO, /* bridges, PCI and OS devices: handled apart */
};

struct plumb_hwloc_obj {
    enum plumb_hwloc_type type;
    const struct plumb_xml *e;   /* of a made group: the NUMA node that it was made for */
    bool made;                   /* a group that the file does not have, around a node of 1.x */
    uint64_t gp_index, os_index; /* os_index: UINT64_MAX when not given */
    struct plumb_hwloc_set cpus, complete_cpus, nodes, complete_nodes;
    bool has_memory; /* a NUMA node hangs on it or below */
    bool passed;     /* an object between it and its children was left out: they may need sorting */
    /* While libhwloc is asked, of a core that it is shown as a leaf (hwloc_load.c): */
    bool counts;         /* it has a CPU that counts */
    uint32_t stands_for; /* cores: itself and those behind it that libhwloc is not shown */
    struct plumb_hwloc_obj *parent, *first, *last, *next;
};

struct plumb_hwloc_reader {
    struct plumb_session *s;
    struct plumb_hwloc *out;
    unsigned major;      /* of the format: 1, 2 or 3 */
    uint64_t made_count; /* gp_index values that were made up */
    struct plumb_hwloc_obj *root;
    struct plumb_hwloc_obj **by_gp; /* sorted by gp_index: objects that libhwloc sees */
    size_t obj_count, obj_cap, numa_seen, pu_seen;
    size_t pci_cap, osdev_cap;
    uint32_t host_bridges;
    struct plumb_map bus_ids; /* to the element that has it */
    size_t faults;
};

/* Reports an error; the file is not used then. */
void plumb_hwloc_fault(struct plumb_hwloc_reader *rd, enum plumb_hw_rule rule, struct plumb_span at,
                       const char *fmt, ...) PLUMB_PRINTF(4, 5);

/* Builds and checks the tree below the root object. */
void plumb_hwloc_tree(struct plumb_hwloc_reader *rd, const struct plumb_xml *root);

/* A new object below another, as its last child; its sets are not read yet. */
struct plumb_hwloc_obj *plumb_hwloc_add(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                                        enum plumb_hwloc_type type, struct plumb_hwloc_obj *parent);

/* Reads numbers and sets of an object, and checks them against its parent's. */
void plumb_hwloc_object(struct plumb_hwloc_reader *rd, struct plumb_hwloc_obj *o);

/* A gp_index beyond those that a file may have. */
uint64_t plumb_hwloc_made_gp(struct plumb_hwloc_reader *rd);

/* All below an element. near: what devices stand below, which has CPUs. */
void plumb_hwloc_walk(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                      struct plumb_hwloc_obj *parent, const struct plumb_hwloc_obj *near);

/* One I/O object and all below it. parent: index into pci[], or PLUMB_HWLOC_NONE. */
void plumb_hwloc_io(struct plumb_hwloc_reader *rd, const struct plumb_xml *e, uint32_t parent,
                    const struct plumb_hwloc_obj *near);

/* The NVLinkBandwidth matrix among the elements behind the root object. */
void plumb_hwloc_distances(struct plumb_hwloc_reader *rd, const struct plumb_xml *topology);

/*
 * Lets libhwloc load what was checked, and fills packages, cores, NUMA nodes, sockets of rd->out.
 * only: the CPUs that count; NULL: all.
 */
void plumb_hwloc_load(struct plumb_hwloc_reader *rd, const struct plumb_hwloc_set *only);

/* What the capture does not show, or shows in a way that is not the machine's: findings. */
void plumb_hwloc_check_whole(struct plumb_hwloc_reader *rd, const struct plumb_xml *root);

/* The same machine as slurmd sees it where it leaves E-cores out. Last of all. */
void plumb_hwloc_ecores(struct plumb_hwloc_reader *rd, const struct plumb_xml *root);

/* What is said of the system: below the machine, or since 3.0 behind all objects. NULL. */
const struct plumb_xml *plumb_hwloc_system_info(const struct plumb_xml *root, const char *name);

/*
 * What ties an object to distances: its gp_index, or what 3.x calls id="obj8". Files of 1.x have
 * none, and those of 3.x may have none; then a number that no file has.
 */
uint64_t plumb_hwloc_gp(struct plumb_hwloc_reader *rd, const struct plumb_xml *e);

/* An <info name="..."> child, and its value; NULL. */
const struct plumb_xml *plumb_hwloc_info_element(const struct plumb_xml *e, const char *name);
const char *plumb_hwloc_info(const struct plumb_xml *e, const char *name);

bool plumb_hwloc_set_empty(const struct plumb_hwloc_set *s);
uint32_t plumb_hwloc_set_first(const struct plumb_hwloc_set *s); /* UINT32_MAX: empty */
uint32_t plumb_hwloc_set_count(const struct plumb_hwloc_set *s);
bool plumb_hwloc_set_within(const struct plumb_hwloc_set *part, const struct plumb_hwloc_set *all);
bool plumb_hwloc_set_overlap(const struct plumb_hwloc_set *a, const struct plumb_hwloc_set *b);
/* "0x0000ffff,,0x1": groups of 32 bits, highest first, an empty one is 0. False for other text. */
bool plumb_hwloc_set_read(struct plumb_arena *a, const struct plumb_slice *v,
                          struct plumb_hwloc_set *out);
/* The CPUs that are in both. */
struct plumb_hwloc_set plumb_hwloc_set_both(struct plumb_arena *a, const struct plumb_hwloc_set *x,
                                            const struct plumb_hwloc_set *y);
/* hwloc's notation: "0xffffffff,,0x0000000f", highest group first. */
void plumb_hwloc_set_text(const struct plumb_hwloc_set *s, struct plumb_buf *out);

#endif
