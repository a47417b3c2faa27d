/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entry of compute.nodes in values of SUNK's chart: what it says itself and what the definitions
 * say that it names. Scalars of a later one count, its own most; lists are joined, its own first
 * (common.general.update of the public copy of the chart).
 */
#ifndef PLUMB_PASSES_SUNK_ENTRY_H
#define PLUMB_PASSES_SUNK_ENTRY_H

#include "base/arena.h"
#include "syntax/node.h"

struct plumb_sunk_entry {
    const char *name;
    struct plumb_span at;             /* of the name */
    const struct plumb_node **layers; /* mappings, what counts first */
    size_t count;
    bool whole; /* no definition is one that comes with the chart, whose values are not public */
};

/* root: the values as a whole; pair: an entry whose key is text. */
struct plumb_sunk_entry plumb_sunk_entry(struct plumb_arena *a, const struct plumb_node *root,
                                         const struct plumb_pair *pair);

/* The value at a path "resources/limits/memory"; NULL: no layer says it. */
const struct plumb_node *plumb_sunk_said(const struct plumb_sunk_entry *e, const char *path);

/* Lists of all layers as one, of equal words the first; NULL: no layer has one. */
const struct plumb_node *plumb_sunk_list(struct plumb_arena *a, const struct plumb_sunk_entry *e,
                                         const char *path);

#endif
