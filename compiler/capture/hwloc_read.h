/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that read hwloc XML: hwloc_tree.c checks objects, hwloc_io.c reads devices,
 * hwloc_load.c asks libhwloc, hwloc.c puts it together. Not for anyone else. */
#ifndef PLUMB_CAPTURE_HWLOC_READ_H
#define PLUMB_CAPTURE_HWLOC_READ_H

#include "base/map.h"
#include "capture/hwloc.h"
#include "capture/rules.h"
#include "syntax/match.h"
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
    const struct plumb_xml *e;
    uint64_t gp_index, os_index; /* os_index: UINT64_MAX when not given */
    struct plumb_hwloc_set cpus, complete_cpus, nodes, complete_nodes;
    bool has_memory; /* a NUMA node hangs on it or below */
    struct plumb_hwloc_obj *parent, *first, *last, *next;
};

struct plumb_hwloc_reader {
    struct plumb_session *s;
    struct plumb_hwloc *out;
    struct plumb_matcher *match;
    struct plumb_hwloc_obj *root;
    struct plumb_hwloc_obj **by_gp; /* sorted by gp_index: objects that libhwloc sees */
    size_t obj_count, obj_cap, numa_seen, pu_seen;
    size_t pci_cap, osdev_cap;
    uint32_t host_bridges;
    struct plumb_map bus_ids; /* to the element that has it */
    size_t faults;
};

enum { PLUMB_HWLOC_P_BUS, PLUMB_HWLOC_P_TYPE, PLUMB_HWLOC_P_SPEED, PLUMB_HWLOC_P_COUNT };

/* Reports an error; the file is not used then. */
void plumb_hwloc_fault(struct plumb_hwloc_reader *rd, enum plumb_hw_rule rule, struct plumb_span at,
                       const char *fmt, ...) PLUMB_PRINTF(4, 5);

/* Builds and checks the tree below the root object. */
void plumb_hwloc_tree(struct plumb_hwloc_reader *rd, const struct plumb_xml *root);

/* One I/O object and all below it. parent: index into pci[], or PLUMB_HWLOC_NONE. */
void plumb_hwloc_io(struct plumb_hwloc_reader *rd, const struct plumb_xml *e, uint32_t parent,
                    const struct plumb_hwloc_obj *near);

/* The NVLinkBandwidth matrix among the elements behind the root object. */
void plumb_hwloc_distances(struct plumb_hwloc_reader *rd, const struct plumb_xml *topology);

/* Lets libhwloc load what was checked, and fills packages, cores, NUMA nodes, sockets. */
void plumb_hwloc_load(struct plumb_hwloc_reader *rd);

/* The value of an <info name="..."> child; NULL. */
const char *plumb_hwloc_info(const struct plumb_xml *e, const char *name);

bool plumb_hwloc_set_empty(const struct plumb_hwloc_set *s);
uint32_t plumb_hwloc_set_first(const struct plumb_hwloc_set *s); /* UINT32_MAX: empty */
uint32_t plumb_hwloc_set_count(const struct plumb_hwloc_set *s);
bool plumb_hwloc_set_within(const struct plumb_hwloc_set *part, const struct plumb_hwloc_set *all);
bool plumb_hwloc_set_overlap(const struct plumb_hwloc_set *a, const struct plumb_hwloc_set *b);
/* hwloc's notation: "0xffffffff,,0x0000000f", highest group first. */
void plumb_hwloc_set_text(const struct plumb_hwloc_set *s, struct plumb_buf *out);

#endif
