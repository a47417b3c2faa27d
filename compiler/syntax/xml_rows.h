/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of plumb_xml_rules, in order; for the XML and the JSON reader. */
#ifndef PLUMB_SYNTAX_XML_ROWS_H
#define PLUMB_SYNTAX_XML_ROWS_H

#include "syntax/xml.h"

enum plumb_xml_row {
    PLUMB_XML_SYNTAX,
    PLUMB_XML_UNCLOSED,
    PLUMB_XML_ENCODING,
    PLUMB_XML_ENTITY,
    PLUMB_XML_DEPTH,
    PLUMB_XML_SIZE,
    PLUMB_JSON_SYNTAX,
    PLUMB_JSON_DUPLICATE_KEY,
    PLUMB_XML_ROW_COUNT,
};

static inline const struct plumb_rule *plumb_xml_row(enum plumb_xml_row row)
{
    return &plumb_xml_rules.rules[row];
}

/* Reports text that is UTF-16 or UTF-32; true when it did. */
bool plumb_xml_other_encoding(struct plumb_session *s, const struct plumb_source *src);

#endif
