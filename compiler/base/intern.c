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

uint64_t plumb_hash_more(uint64_t h, const char *text, size_t len)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / the golden ratio, odd */
    uint64_t word = 0;

    h ^= len; /* "ab" is not "ab" and a zero byte */
    for (; len >= sizeof(word); text += sizeof(word), len -= sizeof(word)) {
        memcpy(&word, text, sizeof(word));
        h = (h ^ word) * factor;
        h ^= h >> 32;
    }
    word = 0;
    if (len > 0)
        memcpy(&word, text, len);
    h = (h ^ word) * factor;
    return h ^ h >> 32;
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
    uint64_t hash = plumb_hash_quick(text, len);
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
