/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a key that is there already while a mapping is filled. */
#include "syntax/keys.h"

#include <string.h>

#include "base/intern.h"

enum { FEW_KEYS = 8 }; /* up to here comparing each with each is quicker than hashing */

void plumb_keys_begin(struct plumb_keys *k, uint32_t pairs)
{
    uint32_t want = 32;

    k->mask = 0;
    if (pairs <= FEW_KEYS)
        return;
    while (want < pairs * 2)
        want *= 2;
    if (want > k->cap) {
        k->slots = plumb_arena_raw(k->arena, want * sizeof(uint32_t));
        k->cap = want;
    }
    memset(k->slots, 0, want * sizeof(uint32_t));
    k->mask = want - 1;
}

static bool same_key(const struct plumb_node *a, const struct plumb_node *b)
{
    return a->scalar.len == b->scalar.len && a->scalar.text[0] == b->scalar.text[0] &&
           memcmp(a->scalar.text, b->scalar.text, a->scalar.len) == 0;
}

struct plumb_pair *plumb_keys_find(struct plumb_keys *k, struct plumb_pair *pairs, uint32_t count,
                                   const struct plumb_node *key)
{
    if (k->mask == 0) {
        for (uint32_t i = 0; i < count; i++) {
            if (same_key(pairs[i].key, key))
                return &pairs[i];
        }
        return NULL;
    }

    uint32_t i = (uint32_t)plumb_hash_quick(key->scalar.text, key->scalar.len) & k->mask;

    for (; k->slots[i] != 0; i = (i + 1) & k->mask) {
        if (same_key(pairs[k->slots[i] - 1].key, key))
            return &pairs[k->slots[i] - 1];
    }
    k->slots[i] = count + 1;
    return NULL;
}
