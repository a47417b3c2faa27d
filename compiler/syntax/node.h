/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of a YAML or JSON document, with a byte span on every node. The readers make
 * it, the writers print it, targets build it. Scalars stay text: the reader that knows
 * the expected type decides what they mean.
 */
#ifndef PLUMB_SYNTAX_NODE_H
#define PLUMB_SYNTAX_NODE_H

#include "base/arena.h"
#include "base/span.h"

/* One byte each: a document has hundreds of thousands of nodes, and their size is its speed. */
enum __attribute__((packed)) plumb_node_kind { PLUMB_SCALAR, PLUMB_SEQUENCE, PLUMB_MAPPING };

/* How a scalar was, or is to be, written. */
enum __attribute__((packed)) plumb_scalar_style {
    PLUMB_PLAIN,        /* YAML plain; the text may mean a number, a boolean, null */
    PLUMB_QUOTED,       /* YAML in quotes, JSON string: text and nothing else */
    PLUMB_BLOCK,        /* YAML | or > */
    PLUMB_JSON_LITERAL, /* JSON number, true, false, null: text as written */
};

struct plumb_node {
    enum plumb_node_kind kind;
    enum plumb_scalar_style style;
    bool from_alias; /* YAML: reached through an alias; spans are the anchor's */
    bool reported;   /* a null in the place of what could not be read, which was reported */
    uint32_t count;  /* of items or pairs; 0 for a scalar */

    union {
        struct plumb_slice scalar; /* for PLUMB_SCALAR; empty for a collection */
        struct {
            const char *no_text; /* these three lie where the slice has text, len, lead */
            uint32_t no_len;
            uint32_t cap;
            struct plumb_span at; /* of every kind: it is scalar.at. A collection's goes from its
                                     first to its last byte */
            union {
                struct plumb_node **items; /* for PLUMB_SEQUENCE: items[0 .. count) */
                struct plumb_pair *pairs;  /* for PLUMB_MAPPING: in order */
            };
        };
    };
};

_Static_assert(offsetof(struct plumb_node, at) == offsetof(struct plumb_node, scalar.at),
               "the place of a node is the place of its scalar");

struct plumb_pair {
    struct plumb_node *key; /* a scalar */
    struct plumb_node *value;
};

/* The value of a key of a mapping, NULL when absent or when n is NULL or no mapping. */
struct plumb_node *plumb_node_get(const struct plumb_node *n, const char *key);
const struct plumb_pair *plumb_node_pair(const struct plumb_node *n, const char *key);

/* Walks a path of mapping keys given as "status/allocatable". NULL when it ends early. */
struct plumb_node *plumb_node_path(const struct plumb_node *n, const char *path);

/* The text of a scalar, NULL when n is NULL or no scalar. */
const char *plumb_node_text(const struct plumb_node *n);

/* True for YAML ~, null, empty plain text, and JSON null. */
bool plumb_node_is_null(const struct plumb_node *n);

/* Building: for targets and renderers. cause may be the unknown span. */
struct plumb_node *plumb_node_mapping(struct plumb_arena *a, struct plumb_span cause);
struct plumb_node *plumb_node_sequence(struct plumb_arena *a, struct plumb_span cause);
struct plumb_node *plumb_node_string(struct plumb_arena *a, const char *text,
                                     struct plumb_span cause);
struct plumb_node *plumb_node_u64(struct plumb_arena *a, uint64_t v, struct plumb_span cause);
struct plumb_node *plumb_node_bool(struct plumb_arena *a, bool v, struct plumb_span cause);
struct plumb_node *plumb_node_null(struct plumb_arena *a);
void plumb_node_append(struct plumb_arena *a, struct plumb_node *sequence, struct plumb_node *item);
void plumb_node_set(struct plumb_arena *a, struct plumb_node *mapping, const char *key,
                    struct plumb_node *value);
/* Shorthands of plumb_node_set without a cause. A NULL text sets nothing. */
void plumb_node_set_string(struct plumb_arena *a, struct plumb_node *m, const char *key,
                           const char *text);
void plumb_node_set_u64(struct plumb_arena *a, struct plumb_node *m, const char *key, uint64_t v);
void plumb_node_set_bool(struct plumb_arena *a, struct plumb_node *m, const char *key, bool v);

#endif
