/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the renderers for programs: the pieces that several formats are made of. */
#ifndef PLUMB_EMIT_RENDER_PARTS_H
#define PLUMB_EMIT_RENDER_PARTS_H

#include "base/map.h"
#include "emit/render.h"
#include "syntax/node.h"

/* How many findings a rendering shows. */
size_t plumb_render_shown(const struct plumb_report *r, const struct plumb_render_options *o);

/* Text as valid UTF-8: other bytes become U+FFFD. */
const char *plumb_render_valid(struct plumb_arena *a, const char *text);

/* Sets a key to text as valid UTF-8, or to null. */
void plumb_render_set(struct plumb_arena *a, struct plumb_node *m, const char *key,
                      const char *text);

/* The finding as an object of `json`. seen numbers equal ones; one map for a run. */
struct plumb_node *plumb_render_finding(struct plumb_arena *a, const struct plumb_report *r,
                                        const struct plumb_diag *d, struct plumb_map *seen);

/* 16 digits that tell a finding from others and do not depend on line numbers. */
const char *plumb_render_fingerprint(struct plumb_arena *a, const struct plumb_report *r,
                                     const struct plumb_diag *d, struct plumb_map *seen);

/* Message, facts and help in one text, a line each. */
const char *plumb_render_text(struct plumb_arena *a, const struct plumb_diag *d);

#endif
