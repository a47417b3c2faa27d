/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host lists, kept compressed: a list of ranges, never of names. Semantics are those of
 * src/common/hostlist.c: [1-10] and [01-10] are different names, order is kept as written.
 * Set operations work on ranges; their cost grows with ranges.
 */
#ifndef PLUMB_MODEL_HOSTLIST_H
#define PLUMB_MODEL_HOSTLIST_H

#include "base/buf.h"
#include "base/session.h"

struct plumb_host_range {
    const char *prefix; /* the whole name when not numbered; compare with strcmp */
    const char *suffix; /* "" when none (text behind the bracket, 23.11+) */
    uint64_t lo, hi;    /* lo == hi == 0 for a plain name */
    uint8_t width;      /* digits that a number has at least; zeros fill it up */
    bool numbered;
    struct plumb_span at; /* the text it was read from */
};

struct plumb_hostlist {
    struct plumb_host_range *ranges;
    size_t range_count, cap;
    uint64_t count;       /* names, repetitions included */
    struct plumb_span at; /* the whole text */
};

/*
 * Reads a list such as "gpu-[001-064,070],login1". A fault is one finding of family HOST
 * at the text that is wrong, and NULL. release decides about text behind a bracket.
 */
struct plumb_hostlist *plumb_hostlist_read(struct plumb_session *s, const struct plumb_slice *text,
                                           enum plumb_release release);

/* Slurm's compressed notation; ranges that touch are joined, order of first appearance. */
void plumb_hostlist_text(const struct plumb_hostlist *h, struct plumb_buf *out);
const char *plumb_hostlist_str(struct plumb_arena *a, const struct plumb_hostlist *h);

/* One after the other: false at the end. Set *cursor to 0 first; name is written to out. */
struct plumb_host_cursor {
    size_t range;
    uint64_t index;
};
bool plumb_hostlist_next(const struct plumb_hostlist *h, struct plumb_host_cursor *cursor,
                         struct plumb_buf *out);

/* The i-th name, from 0; NULL when there is none. */
const char *plumb_hostlist_name(struct plumb_arena *a, const struct plumb_hostlist *h, uint64_t i);

bool plumb_hostlist_has(const struct plumb_hostlist *h, const char *name);

/* Results are sorted as `scontrol show hostlistsorted` does, without repetitions, and keep the
 * spans of x. */
struct plumb_hostlist *plumb_hostlist_union(struct plumb_arena *a, const struct plumb_hostlist *x,
                                            const struct plumb_hostlist *y);
struct plumb_hostlist *plumb_hostlist_intersect(struct plumb_arena *a,
                                                const struct plumb_hostlist *x,
                                                const struct plumb_hostlist *y);
struct plumb_hostlist *plumb_hostlist_minus(struct plumb_arena *a, const struct plumb_hostlist *x,
                                            const struct plumb_hostlist *y);

/* The names that occur more than once; empty when none. */
struct plumb_hostlist *plumb_hostlist_repeated(struct plumb_arena *a,
                                               const struct plumb_hostlist *h);

/* Appends all of y to x, as written. */
void plumb_hostlist_append(struct plumb_arena *a, struct plumb_hostlist *x,
                           const struct plumb_hostlist *y);

extern const struct plumb_rule_family plumb_host_rules;

#endif
