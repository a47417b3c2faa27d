/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a YAML or JSON document: looking things up, and building. */
#include "syntax/node.h"

#include <string.h>

#include "base/buf.h"

static bool key_is(const struct plumb_pair *p, const char *key, size_t len)
{
    return p->key->scalar.len == len && memcmp(p->key->scalar.text, key, len) == 0;
}

static struct plumb_pair *find_pair(const struct plumb_node *n, const char *key, size_t len)
{
    if (n == NULL || n->kind != PLUMB_MAPPING)
        return NULL;
    for (uint32_t i = 0; i < n->count; i++) {
        if (key_is(&n->pairs[i], key, len))
            return &n->pairs[i];
    }
    return NULL;
}

const struct plumb_pair *plumb_node_pair(const struct plumb_node *n, const char *key)
{
    return find_pair(n, key, strlen(key));
}

struct plumb_node *plumb_node_get(const struct plumb_node *n, const char *key)
{
    const struct plumb_pair *p = plumb_node_pair(n, key);

    return p == NULL ? NULL : p->value;
}

struct plumb_node *plumb_node_path(const struct plumb_node *n, const char *path)
{
    for (;;) {
        size_t len = strcspn(path, "/");
        const struct plumb_pair *p = find_pair(n, path, len);

        if (p == NULL)
            return NULL;
        if (path[len] == '\0')
            return p->value;
        n = p->value;
        path += len + 1;
    }
}

const char *plumb_node_text(const struct plumb_node *n)
{
    return n == NULL || n->kind != PLUMB_SCALAR ? NULL : n->scalar.text;
}

bool plumb_node_is_null(const struct plumb_node *n)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};

    if (n == NULL || n->kind != PLUMB_SCALAR)
        return false;
    if (n->style == PLUMB_JSON_LITERAL)
        return plumb_slice_is_exact(&n->scalar, "null");
    if (n->style != PLUMB_PLAIN)
        return false;
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (plumb_slice_is_exact(&n->scalar, words[i]))
            return true;
    }
    return false;
}

static struct plumb_node *new_node(struct plumb_arena *a, enum plumb_node_kind kind,
                                   struct plumb_span cause)
{
    struct plumb_node *n = PLUMB_NEW(a, struct plumb_node);

    n->kind = kind;
    n->at = cause;
    return n;
}

struct plumb_node *plumb_node_mapping(struct plumb_arena *a, struct plumb_span cause)
{
    return new_node(a, PLUMB_MAPPING, cause);
}

struct plumb_node *plumb_node_sequence(struct plumb_arena *a, struct plumb_span cause)
{
    return new_node(a, PLUMB_SEQUENCE, cause);
}

static struct plumb_node *new_scalar(struct plumb_arena *a, const char *text, size_t len,
                                     enum plumb_scalar_style style, struct plumb_span cause)
{
    struct plumb_node *n = new_node(a, PLUMB_SCALAR, cause);

    n->style = style;
    n->scalar.text = plumb_arena_strndup(a, text, len);
    n->scalar.len = (uint32_t)len;
    return n;
}

struct plumb_node *plumb_node_string(struct plumb_arena *a, const char *text,
                                     struct plumb_span cause)
{
    return new_scalar(a, text, strlen(text), PLUMB_QUOTED, cause);
}

struct plumb_node *plumb_node_u64(struct plumb_arena *a, uint64_t v, struct plumb_span cause)
{
    struct plumb_buf b = plumb_buf_in(a);

    plumb_buf_u64(&b, v);
    return new_scalar(a, b.text, b.len, PLUMB_JSON_LITERAL, cause);
}

struct plumb_node *plumb_node_bool(struct plumb_arena *a, bool v, struct plumb_span cause)
{
    return new_scalar(a, v ? "true" : "false", v ? 4 : 5, PLUMB_JSON_LITERAL, cause);
}

struct plumb_node *plumb_node_null(struct plumb_arena *a)
{
    return new_scalar(a, "null", 4, PLUMB_JSON_LITERAL, (struct plumb_span){0});
}

/* plumb_arena_grow counts in size_t, a node in uint32_t. */
static void *grow(struct plumb_arena *a, struct plumb_node *n, void *items, size_t size)
{
    size_t cap = n->cap;

    PLUMB_ASSERT(n->count < UINT32_MAX / 2);
    items = plumb_arena_grow(a, items, n->count, &cap, size);
    n->cap = (uint32_t)cap;
    return items;
}

void plumb_node_append(struct plumb_arena *a, struct plumb_node *sequence, struct plumb_node *item)
{
    PLUMB_ASSERT(sequence->kind == PLUMB_SEQUENCE);
    sequence->items = grow(a, sequence, sequence->items, sizeof(*sequence->items));
    sequence->items[sequence->count++] = item;
}

void plumb_node_set(struct plumb_arena *a, struct plumb_node *mapping, const char *key,
                    struct plumb_node *value)
{
    struct plumb_pair *p = find_pair(mapping, key, strlen(key));

    PLUMB_ASSERT(mapping->kind == PLUMB_MAPPING);
    if (p != NULL) {
        p->value = value;
        return;
    }
    mapping->pairs = grow(a, mapping, mapping->pairs, sizeof(*mapping->pairs));
    mapping->pairs[mapping->count++] = (struct plumb_pair){
        .key = plumb_node_string(a, key, value->at),
        .value = value,
    };
}

void plumb_node_set_string(struct plumb_arena *a, struct plumb_node *m, const char *key,
                           const char *text)
{
    if (text != NULL)
        plumb_node_set(a, m, key, plumb_node_string(a, text, (struct plumb_span){0}));
}

void plumb_node_set_u64(struct plumb_arena *a, struct plumb_node *m, const char *key, uint64_t v)
{
    plumb_node_set(a, m, key, plumb_node_u64(a, v, (struct plumb_span){0}));
}

void plumb_node_set_bool(struct plumb_arena *a, struct plumb_node *m, const char *key, bool v)
{
    plumb_node_set(a, m, key, plumb_node_bool(a, v, (struct plumb_span){0}));
}
