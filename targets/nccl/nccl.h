/* SPDX-License-Identifier: Apache-2.0 */
/* Target nccl: topology files for NCCL_TOPO_FILE, and nccl.conf. */
#ifndef PLUMB_TARGETS_NCCL_H
#define PLUMB_TARGETS_NCCL_H

#include "emit/output.h"

extern const struct plumb_target plumb_target_nccl;

/* "nccl/", before, the class (else the last part of the capture's name), behind. */
const char *plumb_nccl_path(const struct plumb_emit *em, const struct plumb_nodes *nodes,
                            const char *before, const char *behind);

/* nccl.conf of the classes of a specification; xml: the topology file of each, or NULL. */
void plumb_nccl_confs(const struct plumb_emit *em, const char *const *xml);

/* Attribute texts, apart for their tests. NULL: not known, leave the attribute out. */
const char *plumb_nccl_arch(const char *hwloc_arch, const char *vendor);
uint32_t plumb_nccl_family(uint32_t family);

/* The link that a throughput in MB/s stands for, as wide as can be. False: none, or at rest. */
struct plumb_nccl_link {
    const char *speed; /* "32.0 GT/s PCIe" */
    uint32_t width;
};
bool plumb_nccl_link(uint32_t mbytes, struct plumb_nccl_link *out);

/*
 * The tree of one machine class. NULL: *reason tells in one sentence part why there is none, or
 * is NULL too where there are no GPUs. Causes are spans of the captures.
 */
struct plumb_xml *plumb_nccl_tree(struct plumb_arena *a, const struct plumb_hardware *hw,
                                  const char **reason);

#endif
