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

/* The places of the names first, first + 1, ... where each is written by itself. */
struct plumb_host_places {
    uint32_t file;
    uint64_t first;
    const uint32_t *begins; /* begins[0 .. count) */
    size_t count;
};

struct plumb_host_range {
    const char *prefix; /* the whole name when not numbered; compare with strcmp */
    const char *suffix; /* "" when none (text behind the bracket, 23.11+) */
    uint64_t lo, hi;    /* lo == hi == 0 for a plain name */
    uint8_t width;      /* digits that a number has at least; zeros fill it up */
    bool numbered;
    struct plumb_span at;                   /* the text it was read from */
    const struct plumb_host_places *places; /* of its names; NULL: they are all of them at */
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

/* The same without the names that cannot be read: whole tells whether there are none of these. */
struct plumb_hostlist *plumb_hostlist_read_rest(struct plumb_session *s,
                                                const struct plumb_slice *text,
                                                enum plumb_release release, bool *whole);

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

/*
 * Names without brackets, one a line, for standard input: names that follow each other become one
 * range at once. NULL when some line is anything else, or has more than 18 digits at its end: then
 * plumb_hostlist_read tells what it is. Ranges have no places.
 */
struct plumb_hostlist *plumb_hostlist_of_names(struct plumb_arena *a, const char *text, size_t len);

/* Where a number of a range is written. */
struct plumb_span plumb_host_range_at(const struct plumb_host_range *r, uint64_t number);

/*
 * Reads one plain word that ends in at most 18 digits, as plumb_hostlist_read does. prefix is the
 * prefix of a name before, which is given back where it is the same; NULL: none.
 */
struct plumb_host_range plumb_host_name(struct plumb_intern *intern, const char *text, size_t len,
                                        const char *prefix, struct plumb_span at);

/*
 * Adds a plain name as plumb_host_name() reads it; one that follows the last is of its range. begin
 * is where it stands, an element of an array that is kept; places are those of the last range that
 * was added so, NULL: none.
 */
void plumb_hostlist_add_name(struct plumb_arena *a, struct plumb_intern *intern,
                             struct plumb_hostlist *h, const struct plumb_slice *name,
                             const uint32_t *begin, struct plumb_host_places **places);

/* Makes the first range longer by the second when that is its next name, spelt as it would be. */
bool plumb_host_range_join(struct plumb_host_range *r, const struct plumb_host_range *next);

extern const struct plumb_rule_family plumb_host_rules;

#endif
