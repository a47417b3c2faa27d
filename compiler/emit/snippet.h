/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the `human` format that shows source text. */
#ifndef PLUMB_EMIT_SNIPPET_H
#define PLUMB_EMIT_SNIPPET_H

#include "base/buf.h"
#include "base/session.h"

/*
 * Draws the lines that a finding and its notes are about, file by file, the finding's own
 * first. Returns the width of the line numbers, for what follows below.
 */
unsigned plumb_render_snippet(struct plumb_arena *a, const struct plumb_sources *sources,
                              const struct plumb_diag *d, bool colour, struct plumb_buf *out);

#endif
