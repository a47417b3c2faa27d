/* SPDX-License-Identifier: Apache-2.0 */
/* JSON in and out, through Jansson; spans come from a second look at the same text. */
#ifndef PLUMB_SYNTAX_JSON_H
#define PLUMB_SYNTAX_JSON_H

#include "base/buf.h"
#include "base/cause.h"
#include "base/session.h"
#include "syntax/node.h"

/*
 * NULL after a syntax fault (one finding). Duplicate keys are findings; the last one counts.
 * Findings are rows of plumb_xml_rules (syntax/xml.h).
 */
struct plumb_node *plumb_json_read(struct plumb_session *s, const struct plumb_source *src);

/* The value of a key of the object that is the value of another key: read past, and not kept. */
struct plumb_json_past {
    const char *within, *key;
};

/* The same without values that nobody asks for. */
struct plumb_node *plumb_json_read_past(struct plumb_session *s, const struct plumb_source *src,
                                        const struct plumb_json_past *past, size_t count);

/* Prints with sorted keys, two blanks of indent, a final line break. causes may be NULL. */
void plumb_json_write(struct plumb_buf *out, const struct plumb_node *root,
                      struct plumb_causes *causes);

/* One line, sorted keys, no line break. */
void plumb_json_write_compact(struct plumb_buf *out, const struct plumb_node *root);

#endif
