/* SPDX-License-Identifier: Apache-2.0 */
/* An insertion-ordered hash map. */
#include "base/map.h"

#include <string.h>

#include "base/intern.h"

static uint32_t *index_slot(const struct plumb_map *m, const char *key, size_t len, uint64_t hash)
{
    size_t i = (size_t)hash & (m->index_cap - 1);

    for (;; i = (i + 1) & (m->index_cap - 1)) {
        if (m->index[i] == 0)
            return &m->index[i];

        const struct plumb_map_entry *e = &m->entries[m->index[i] - 1];

        if (e->hash == hash && e->len == len && memcmp(e->key, key, len) == 0)
            return &m->index[i];
    }
}

struct plumb_map_entry *plumb_map_find(const struct plumb_map *m, const char *key, size_t len)
{
    if (m->count == 0)
        return NULL;

    uint32_t at = *index_slot(m, key, len, plumb_hash_quick(key, len));

    return at == 0 ? NULL : &m->entries[at - 1];
}

void *plumb_map_get(const struct plumb_map *m, const char *key)
{
    const struct plumb_map_entry *e = plumb_map_find(m, key, strlen(key));

    return e == NULL ? NULL : e->value;
}

static void grow_index(struct plumb_map *m)
{
    m->index_cap = m->index_cap == 0 ? 16 : m->index_cap * 2;
    m->index = PLUMB_NEW_ARRAY(m->arena, m->index_cap, uint32_t);
    for (size_t i = 0; i < m->count; i++) {
        const struct plumb_map_entry *e = &m->entries[i];

        *index_slot(m, e->key, e->len, e->hash) = (uint32_t)(i + 1);
    }
}

struct plumb_map_entry *plumb_map_entry(struct plumb_map *m, const char *key, size_t len)
{
    uint64_t hash = plumb_hash_quick(key, len);

    if ((m->count + 1) * 4 > m->index_cap * 3)
        grow_index(m);

    uint32_t *at = index_slot(m, key, len, hash);

    if (*at == 0) {
        m->entries = plumb_arena_grow(m->arena, m->entries, m->count, &m->cap, sizeof(*m->entries));
        m->entries[m->count] = (struct plumb_map_entry){
            .key = plumb_arena_strndup(m->arena, key, len),
            .len = len,
            .hash = hash,
        };
        *at = (uint32_t)++m->count;
    }
    return &m->entries[*at - 1];
}

void plumb_map_set(struct plumb_map *m, const char *key, void *value)
{
    plumb_map_entry(m, key, strlen(key))->value = value;
}
