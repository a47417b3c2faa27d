/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by derive.c (node lines) and derive_gres.c (Gres= and gres.conf lines). */
#ifndef PLUMB_PASSES_DERIVE_H
#define PLUMB_PASSES_DERIVE_H

#include "passes/pass.h"
#include "passes/setting.h"
#include "spec/tree.h"

/* Units of the topology, where the specification names a fabric that captures show. */
void plumb_derive_topology(struct plumb_run *r);

struct plumb_derive {
    struct plumb_session *s;
    struct plumb_arena *a;
    struct plumb_model *m;
    struct plumb_nodes *n;                /* the class at hand */
    const struct plumb_spec_value *class; /* as written */
    size_t gres_line_cap;
};

/*
 * Cores= that the release takes for a GPU when sockets are counted the given way: the GPU's
 * own up to 24.05, whole sockets from 24.11 on. False when the locality is unknown.
 */
bool plumb_derive_cores(struct plumb_derive *d, struct plumb_gpu gpu,
                        enum plumb_hw_socket_kind kind, struct plumb_cores *out);

/*
 * The RDMA device that an item of the specification names. False after a finding: the captures
 * show others. *out NULL: none tells.
 */
bool plumb_derive_adapter(struct plumb_derive *d, const struct plumb_spec_value *item,
                          const struct plumb_hw_nic **out);

/* What NCCL is told; holds fabric: of the classes against the captures. */
void plumb_derive_nccl(struct plumb_run *r, struct plumb_derive *d);

/* Gres= of the class, and its lines of gres.conf. */
void plumb_derive_gres(struct plumb_derive *d);

#endif
