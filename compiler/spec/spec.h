/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The specification language: reading, and what its tables say about themselves. The
 * tables (spec/table.h) drive the reader, the JSON Schema, the reference documentation,
 * `plumb explain --spec` and "did you mean". What was read is a tree of values
 * (spec/tree.h) that only the passes look into.
 */
#ifndef PLUMB_SPEC_SPEC_H
#define PLUMB_SPEC_SPEC_H

#include "base/buf.h"
#include "base/session.h"
#include "syntax/node.h"

struct plumb_spec;

/*
 * Reads one YAML document as a specification. root may be NULL: an empty document. partial:
 * reading stopped at a fault, and nothing is said about what may stand behind it. Never NULL; each
 * independent mistake is one finding of family SPEC.
 */
struct plumb_spec *plumb_spec_read(struct plumb_session *s, const struct plumb_source *src,
                                   const struct plumb_node *root, bool partial);

/* The release that the specification names; PLUMB_RELEASE_NONE when none or a bad one. */
enum plumb_release plumb_spec_release(const struct plumb_spec *spec);

/* One entry of ignore:, for the pass that suppresses findings. */
struct plumb_spec_ignore {
    struct plumb_slice rule, reason; /* .len 0: not given or bad, and reported */
    struct plumb_slice until;        /* .len 0: none */
    struct plumb_span at;            /* the whole entry */
};
size_t plumb_spec_ignores(const struct plumb_spec *spec, struct plumb_arena *a,
                          struct plumb_spec_ignore **out);

/* A capture that the specification names. */
struct plumb_spec_capture {
    const char *name;     /* folder, file or built-in reference, as written */
    struct plumb_span at; /* the text that names it */
};
size_t plumb_spec_captures(const struct plumb_spec *spec, struct plumb_arena *a,
                           struct plumb_spec_capture **out);

/* The JSON Schema (2020-12) of the language, as a tree for the JSON writer. */
struct plumb_node *plumb_spec_schema(struct plumb_arena *a);

/* The reference documentation of every key, in Markdown. */
void plumb_spec_reference(struct plumb_buf *out);

/*
 * What there is to say about one key, as plain text: "scheduling.backfill.window". Names of
 * entries may be left out or be anything. False when there is no such key; suggestion (may
 * be NULL) is then the nearest path, or NULL.
 */
bool plumb_spec_describe(struct plumb_buf *out, const char *path, const char **suggestion);

extern const struct plumb_rule_family plumb_spec_rules;

#endif
