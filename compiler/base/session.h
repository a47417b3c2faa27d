/* SPDX-License-Identifier: Apache-2.0 */
/* What all code of one run shares. Made by the API; there is nothing global beside it. */
#ifndef PLUMB_BASE_SESSION_H
#define PLUMB_BASE_SESSION_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"

struct plumb_table; /* schema/param.h */

struct plumb_session {
    struct plumb_arena *arena;   /* lives as long as the session */
    struct plumb_arena *scratch; /* reset by the pass that used it, at its end */
    struct plumb_intern *intern;
    struct plumb_sources sources;
    struct plumb_sink sink;
    const struct plumb_table *table; /* rows that this run adds to the built-in ones; NULL: none */
};

/* Fills a session over two fresh arenas. The caller frees the arenas at the end. */
void plumb_session_init(struct plumb_session *s, struct plumb_arena *arena,
                        struct plumb_arena *scratch);

#endif
