/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A specification as it was read: a tree of values, each with its row, its place and its
 * origin. Nothing is resolved: host lists are text, defaults are not filled in. What a
 * value means for the cluster is the work of passes/resolve*.c.
 */
#ifndef PLUMB_SPEC_TREE_H
#define PLUMB_SPEC_TREE_H

#include "spec/spec.h"
#include "spec/table.h"

enum plumb_spec_shape {
    PLUMB_SHAPE_SCALAR,
    PLUMB_SHAPE_LIST, /* items: values of the same row */
    PLUMB_SHAPE_MAP,  /* items: values with a name, in the order of the text */
    PLUMB_SHAPE_RAW,  /* node: YAML that only the key's reader knows */
};

struct plumb_spec_value {
    const struct plumb_spec_key *row;
    enum plumb_spec_shape shape;
    const char *name;         /* interned: the key, or the name of an entry; "" in a list */
    struct plumb_span key_at; /* of the name; of the key above in a list */
    struct plumb_span at;     /* of the value */
    enum plumb_origin origin; /* given or bad; a collection is given when it could be walked */
    struct plumb_slice text;  /* a scalar as written */
    uint64_t number;          /* number; bytes; microseconds; hours or months of an age; 0 or 1 */
    bool unlimited;           /* the duration is unlimited */
    bool months;              /* an age: number counts months, else hours */
    const struct plumb_spec_word *word;
    struct plumb_spec_value *items;
    size_t count, cap;
    const uint32_t *slots; /* hash table of a map with many entries: position + 1; or NULL */
    size_t slot_count;     /* a power of two */
    const struct plumb_node *node; /* what it was read from */
};

struct plumb_spec {
    const struct plumb_source *src;
    struct plumb_spec_value root; /* PLUMB_SHAPE_MAP */
    bool partial;                 /* what is missing may stand behind a fault that was reported */
};

/* A key of a mapping, NULL when absent; bad values are given too: look at .origin. */
const struct plumb_spec_value *plumb_spec_get(const struct plumb_spec_value *map, const char *name);

/* Makes plumb_spec_get quick for a map with many entries, once all are there. */
void plumb_spec_index(struct plumb_arena *a, struct plumb_spec_value *map);

/* The same along "control/state_dir/path". */
const struct plumb_spec_value *plumb_spec_path(const struct plumb_spec_value *map,
                                               const char *path);

/* The capture that a node class names at a path such as "topology"; false when none. */
bool plumb_spec_capture_of(const struct plumb_spec *spec, const struct plumb_spec_value *nodes,
                           const char *path, struct plumb_spec_capture *out);

/* Says that nothing is made of a key. */
void plumb_spec_not_compiled(struct plumb_session *s, const struct plumb_spec_value *v);

/*
 * Reads text as a value of a row that is a scalar, as the reader does with a scalar of the
 * file; for defaults. False when it is none; nothing is reported with a NULL session.
 */
bool plumb_spec_read_text(struct plumb_session *s, const struct plumb_spec_key *row,
                          const struct plumb_slice *text, struct plumb_spec_value *out);

#endif
