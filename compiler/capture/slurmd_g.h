/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `slurmd -G`: the generic resources of a node as slurmd holds them, merged from gres.conf and from
 * what AutoDetect found (gres.c:_log_gres_slurmd_conf).
 */
#ifndef PLUMB_CAPTURE_SLURMD_G_H
#define PLUMB_CAPTURE_SLURMD_G_H

#include "base/session.h"

struct plumb_slurmd_gres {
    struct plumb_slice name;         /* "gpu" */
    struct plumb_slice type;         /* len 0: slurmd holds none */
    struct plumb_slice file;         /* len 0: a count only */
    struct plumb_slice cores, links; /* abstract cores; len 0: not set */
    struct plumb_u64 count;
    struct plumb_span at; /* from "Gres" to the end of the line */
};

struct plumb_slurmd_g {
    const struct plumb_source *src;
    struct plumb_slice host;       /* the node's name where slurmd logs it; len 0 */
    struct plumb_span detected_at; /* the line that tells how many GPUs AutoDetect found; unknown */
    uint64_t detected;             /* that number */
    struct plumb_slurmd_gres *items;
    size_t count, cap;
};

/* NULL when a line cannot be used; every fault is a finding of family HW. */
struct plumb_slurmd_g *plumb_slurmd_g_read(struct plumb_session *s, const struct plumb_source *src);

extern const struct plumb_rule_family plumb_slurmd_g_rules; /* family HW */

/* True for such text, by its first lines. */
bool plumb_slurmd_g_sniff(const char *text, size_t len);

#endif
