/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A specification as written: one struct per section, every value with its span and origin,
 * nothing resolved. The tables in spec/table.c drive the reader, the JSON Schema, the
 * reference documentation and "did you mean"; this header only names what they fill.
 */
#ifndef PLUMB_SPEC_SPEC_H
#define PLUMB_SPEC_SPEC_H

#include "base/session.h"
#include "syntax/node.h"

struct plumb_spec;

/* Reads one YAML document as a specification. Never NULL; findings of family SPEC. */
struct plumb_spec *plumb_spec_read(struct plumb_session *s, const struct plumb_source *src,
                                   const struct plumb_node *root);

/* The JSON Schema of the language, as a tree for the JSON writer. */
struct plumb_node *plumb_spec_schema(struct plumb_arena *a);

extern const struct plumb_rule_family plumb_spec_rules;

#endif
