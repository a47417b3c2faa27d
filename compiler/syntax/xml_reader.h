/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of the XML reader; nobody else includes it. */
#ifndef PLUMB_SYNTAX_XML_READER_H
#define PLUMB_SYNTAX_XML_READER_H

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include "base/limits.h"
#include "syntax/xml_rows.h"

struct plumb_xml_frame {
    struct plumb_xml *element;
    size_t base;           /* of its children on the stack */
    struct plumb_buf text; /* character data so far */
};

enum { PLUMB_XML_NAMES = 256 }; /* slots of the cache of names, by their address */

/* A name of libxml2's dictionary, which has each text once, and the interned one. */
struct plumb_xml_name {
    const xmlChar *known;
    const char *interned;
};

struct plumb_xml_reader {
    struct plumb_session *s;
    const struct plumb_source *src;
    xmlParserCtxtPtr parser;
    uint32_t skip; /* bytes of a byte order mark, which libxml2 is not shown */
    struct plumb_xml_frame frames[PLUMB_MAX_DEPTH];
    uint32_t depth, elements;
    struct plumb_xml **stack; /* children whose parents have not ended */
    size_t count, cap;
    struct plumb_xml *root;
    struct plumb_xml_attr *attrs; /* of the tag that is being read */
    size_t attr_count, attr_cap;
    struct plumb_xml_name names[PLUMB_XML_NAMES];
    char *room; /* for the text of values, from the arena piece by piece */
    size_t room_len;
    bool failed; /* a fault was reported; the first one counts */
};

/* The byte of the source that libxml2 has come to. */
uint32_t plumb_xml_position(const struct plumb_xml_reader *r);

/* Reports an error of libxml2, unless one was reported already. */
void plumb_xml_fault(struct plumb_xml_reader *r, const xmlError *error);

/* Reports that there is no text at all. */
void plumb_xml_empty(struct plumb_xml_reader *r);

/* Checks the bytes: UTF-8, no zero bytes, no other encoding declared. Reports what is wrong. */
bool plumb_xml_check_bytes(struct plumb_session *s, const struct plumb_source *src);

#endif
