/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold for every tree of a YAML or JSON text. */
#ifndef PLUMB_FUZZ_TREE_H
#define PLUMB_FUZZ_TREE_H

#include <string.h>

#include "base/limits.h"
#include "fuzz.h"
#include "syntax/node.h"

static inline void fuzz_check_slice(const struct plumb_source *src, const struct plumb_slice *s)
{
    fuzz_check_span(src, s->at);
    fuzz_check(s->text[s->len] == '\0');
    for (uint32_t i = 0; i <= s->len; i++) {
        struct plumb_span rest = plumb_slice_span(s, i, s->len);

        fuzz_check(rest.begin >= s->at.begin && rest.end <= s->at.end && rest.begin <= rest.end);
    }
}

static inline void fuzz_check_tree(const struct plumb_source *src, const struct plumb_node *n,
                                   unsigned depth)
{
    fuzz_check(depth <= PLUMB_MAX_DEPTH + 1);
    fuzz_check_span(src, n->at);
    if (n->kind == PLUMB_SCALAR) {
        fuzz_check_slice(src, &n->scalar);
        fuzz_check(n->count == 0);
        return;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->kind == PLUMB_MAPPING)
            fuzz_check_tree(src, n->pairs[i].key, depth + 1);
        fuzz_check_tree(src, n->kind == PLUMB_MAPPING ? n->pairs[i].value : n->items[i], depth + 1);
    }
}

/* The same values, whatever the spans. */
static inline bool fuzz_same_tree(const struct plumb_node *a, const struct plumb_node *b)
{
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == PLUMB_SCALAR)
        return a->scalar.len == b->scalar.len &&
               memcmp(a->scalar.text, b->scalar.text, a->scalar.len) == 0;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->kind == PLUMB_SEQUENCE && !fuzz_same_tree(a->items[i], b->items[i]))
            return false;
        if (a->kind == PLUMB_MAPPING && (!fuzz_same_tree(a->pairs[i].key, b->pairs[i].key) ||
                                         !fuzz_same_tree(a->pairs[i].value, b->pairs[i].value)))
            return false;
    }
    return true;
}

#endif
