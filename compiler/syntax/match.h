/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line formats as patterns, through PCRE2: a set of patterns is compiled once per document,
 * with its just-in-time compiler where there is one. Nothing is global.
 */
#ifndef PLUMB_SYNTAX_MATCH_H
#define PLUMB_SYNTAX_MATCH_H

#include "base/arena.h"

enum { PLUMB_MATCH_GROUPS = 6 };

struct plumb_matcher;

/* Byte offsets of the whole match (0) and of its groups; begin == end: not there. */
struct plumb_match {
    size_t begin[PLUMB_MATCH_GROUPS], end[PLUMB_MATCH_GROUPS];
};

/* Compiles every pattern; one that does not compile is a fault of ours. Memory is the arena's. */
struct plumb_matcher *plumb_matcher_new(struct plumb_arena *a, const char *const *patterns,
                                        size_t count);

/* Gives back what the compiler took outside the arena. */
void plumb_matcher_free(struct plumb_matcher *m);

/* First match of a pattern at or behind from. A text that is too hard to match does not match. */
bool plumb_matcher_find(struct plumb_matcher *m, size_t pattern, const char *text, size_t len,
                        size_t from, struct plumb_match *out);

#endif
