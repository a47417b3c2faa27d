/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a key that is there already while a mapping is filled; for readers of this layer. */
#ifndef PLUMB_SYNTAX_KEYS_H
#define PLUMB_SYNTAX_KEYS_H

#include "syntax/node.h"

struct plumb_keys {
    struct plumb_arena *arena;
    uint32_t *slots; /* 1-based positions in the pairs; 0: free */
    uint32_t cap;
    uint32_t mask; /* 0: few keys, compared one by one */
};

/* Starts over, for a mapping of at most this many pairs. */
void plumb_keys_begin(struct plumb_keys *k, uint32_t pairs);

/*
 * The pair with this key among pairs[0 .. count). NULL when it is new: the caller then puts
 * it at pairs[count].
 */
struct plumb_pair *plumb_keys_find(struct plumb_keys *k, struct plumb_pair *pairs, uint32_t count,
                                   const struct plumb_node *key);

#endif
