/* SPDX-License-Identifier: Apache-2.0 */
/* A map from text to a pointer that is walked in the order of insertion. */
#ifndef PLUMB_BASE_MAP_H
#define PLUMB_BASE_MAP_H

#include "base/arena.h"

struct plumb_map_entry {
    const char *key; /* copied to the arena */
    size_t len;
    uint64_t hash;
    void *value;
};

struct plumb_map {
    struct plumb_arena *arena;
    struct plumb_map_entry *entries; /* entries[0 .. count): in order of insertion */
    size_t count, cap;
    uint32_t *index; /* 1-based positions in entries; 0: free */
    size_t index_cap;
};

static inline struct plumb_map plumb_map_in(struct plumb_arena *a)
{
    return (struct plumb_map){.arena = a};
}

/* NULL when the key is not there. */
struct plumb_map_entry *plumb_map_find(const struct plumb_map *m, const char *key, size_t len);
void *plumb_map_get(const struct plumb_map *m, const char *key);

/* The entry of a key, made with a NULL value when it was not there. Valid until the next one is
 * made. */
struct plumb_map_entry *plumb_map_entry(struct plumb_map *m, const char *key, size_t len);
void plumb_map_set(struct plumb_map *m, const char *key, void *value);

#endif
