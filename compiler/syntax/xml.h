/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XML in and out, through libxml2. The reader uses SAX2 and makes a tree with a span for
 * every start tag and attribute value: no network, no DTD loading, no entity expansion;
 * depth and size are limited.
 */
#ifndef PLUMB_SYNTAX_XML_H
#define PLUMB_SYNTAX_XML_H

#include "base/buf.h"
#include "base/cause.h"
#include "base/session.h"

struct plumb_xml_attr {
    const char *name;         /* interned */
    struct plumb_slice value; /* decoded; the span is inside the quotes */
};

struct plumb_xml {
    const char *name;     /* interned */
    struct plumb_span at; /* the start tag, from '<' to '>' */
    struct plumb_xml_attr *attrs;
    uint32_t attr_count;
    uint32_t child_count;
    uint32_t attr_cap, child_cap;
    struct plumb_xml **children;
    const char *text; /* character data directly inside, joined and trimmed; NULL when none */
    const struct plumb_xml *parent;
};

/* The root element; NULL when there is none. One finding of family XML per syntax fault. */
struct plumb_xml *plumb_xml_read(struct plumb_session *s, const struct plumb_source *src);

/*
 * The same; *damaged: after a fault only a part of the document was read, and nothing may be
 * concluded from what is not there.
 */
struct plumb_xml *plumb_xml_read_part(struct plumb_session *s, const struct plumb_source *src,
                                      bool *damaged);

const struct plumb_xml_attr *plumb_xml_attr(const struct plumb_xml *e, const char *name);
const char *plumb_xml_value(const struct plumb_xml *e, const char *name); /* or NULL */
const struct plumb_xml *plumb_xml_child(const struct plumb_xml *e, const char *name);

/* Building and printing. */
struct plumb_xml *plumb_xml_element(struct plumb_arena *a, struct plumb_xml *parent,
                                    const char *name, struct plumb_span cause);
void plumb_xml_set(struct plumb_arena *a, struct plumb_xml *e, const char *name, const char *value);

enum plumb_xml_dialect {
    PLUMB_XML_STANDARD, /* declaration, then the tree, two blanks of indent */
    PLUMB_XML_BARE, /* no declaration: what NCCL's reader takes (facts: no tabs, one tag a line) */
};
void plumb_xml_write(struct plumb_buf *out, const struct plumb_xml *root, const char *comment,
                     enum plumb_xml_dialect dialect, struct plumb_causes *causes);

extern const struct plumb_rule_family plumb_xml_rules; /* XML and JSON syntax */

#endif
