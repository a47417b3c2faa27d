/* SPDX-License-Identifier: Apache-2.0 */
/* Interned strings: an open hash table over arena text. */
#include "base/intern.h"

#include <string.h>

struct entry {
    const char *text;
    size_t len;
    uint64_t hash;
};

struct plumb_intern {
    struct plumb_arena *arena;
    struct entry *entries;
    size_t count, cap; /* cap is a power of two */
};

uint64_t plumb_hash(const char *text, size_t len)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return h;
}

struct plumb_intern *plumb_intern_new(struct plumb_arena *a)
{
    struct plumb_intern *t = PLUMB_NEW(a, struct plumb_intern);

    t->arena = a;
    t->cap = 256;
    t->entries = PLUMB_NEW_ARRAY(a, t->cap, struct entry);
    return t;
}

static struct entry *slot(struct entry *entries, size_t cap, const char *text, size_t len,
                          uint64_t hash)
{
    size_t i = (size_t)hash & (cap - 1);

    while (entries[i].text != NULL && (entries[i].hash != hash || entries[i].len != len ||
                                       memcmp(entries[i].text, text, len) != 0))
        i = (i + 1) & (cap - 1);
    return &entries[i];
}

static void grow(struct plumb_intern *t)
{
    size_t cap = t->cap * 2;
    struct entry *entries = PLUMB_NEW_ARRAY(t->arena, cap, struct entry);

    for (size_t i = 0; i < t->cap; i++) {
        const struct entry *e = &t->entries[i];

        if (e->text != NULL)
            *slot(entries, cap, e->text, e->len, e->hash) = *e;
    }
    t->entries = entries;
    t->cap = cap;
}

const char *plumb_intern_text(struct plumb_intern *t, const char *text, size_t len)
{
    uint64_t hash = plumb_hash(text, len);
    struct entry *e = slot(t->entries, t->cap, text, len, hash);

    if (e->text != NULL)
        return e->text;
    if ((t->count + 1) * 4 > t->cap * 3) {
        grow(t);
        e = slot(t->entries, t->cap, text, len, hash);
    }
    *e = (struct entry){
        .text = plumb_arena_strndup(t->arena, text, len),
        .len = len,
        .hash = hash,
    };
    t->count++;
    return e->text;
}

const char *plumb_intern_str(struct plumb_intern *t, const char *text)
{
    return plumb_intern_text(t, text, strlen(text));
}
