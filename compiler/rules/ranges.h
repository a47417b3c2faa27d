/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index over the ranges of many host lists: which of 100,000 node lines hold some names is
 * answered without looking at each.
 */
#ifndef PLUMB_RULES_RANGES_H
#define PLUMB_RULES_RANGES_H

#include "rules/check.h"

struct plumb_range_entry {
    const struct plumb_host_range *range;
    size_t owner;    /* of the host list: a node line, a gres line */
    size_t seq;      /* order of adding */
    uint64_t max_hi; /* of the entries of these names up to here */
};

struct plumb_range_index {
    struct plumb_arena *arena;
    struct plumb_range_entry *entries;
    size_t count, cap;
};

void plumb_range_add(struct plumb_range_index *x, const struct plumb_hostlist *hosts, size_t owner);
void plumb_range_sort(struct plumb_range_index *x); /* once, after the last addition */

/* Walks the entries that share names with a range; lo and hi are the names shared. */
struct plumb_range_cursor {
    const struct plumb_range_index *index;
    const struct plumb_host_range *range, *found;
    size_t at, owner, seq;
    uint64_t lo, hi;
};
struct plumb_range_cursor plumb_range_from(const struct plumb_range_index *x,
                                           const struct plumb_host_range *range);
bool plumb_range_next(struct plumb_range_cursor *c);

/*
 * True when every range of a list lies within one entry, which is how names are mostly written.
 * False says nothing: the list may still be covered by several, or be written otherwise.
 */
bool plumb_range_covers(const struct plumb_range_index *x, const struct plumb_hostlist *hosts);

/*
 * The names of a list that no entry holds; the work grows with the list and with the entries that
 * share names with it, not with the index.
 */
struct plumb_hostlist *plumb_range_missing(const struct plumb_range_index *x,
                                           const struct plumb_hostlist *hosts);

/* All node lines of the model, by their names; the owner is the position in model->nodes. */
const struct plumb_range_index *plumb_index_nodes(const struct plumb_check *ck);

/* The names that two ranges share, as numbers; false when none. */
bool plumb_range_overlap(const struct plumb_host_range *a, const struct plumb_host_range *b,
                         uint64_t *lo, uint64_t *hi);

#endif
