/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of the YAML reader; nobody else includes it. */
#ifndef PLUMB_SYNTAX_YAML_READER_H
#define PLUMB_SYNTAX_YAML_READER_H

#include <yaml.h>

#include "syntax/yaml.h"

/* Rows of plumb_yaml_rules, in order. */
enum plumb_yaml_row {
    PLUMB_YAML_SYNTAX,
    PLUMB_YAML_TAB,
    PLUMB_YAML_UNCLOSED,
    PLUMB_YAML_DUPLICATE_KEY,
    PLUMB_YAML_KEY_KIND,
    PLUMB_YAML_ALIAS,
    PLUMB_YAML_ALIAS_LIMIT,
    PLUMB_YAML_DEPTH,
    PLUMB_YAML_SIZE,
    PLUMB_YAML_TAG,
    PLUMB_YAML_ENCODING,
    PLUMB_YAML_CHARACTER,
    PLUMB_YAML_MERGE,
    PLUMB_YAML_ROW_COUNT,
};

static inline const struct plumb_rule *plumb_yaml_row(enum plumb_yaml_row row)
{
    return &plumb_yaml_rules.rules[row];
}

/* A character and the byte that it begins at. */
struct plumb_yaml_step {
    uint32_t character, byte;
};

/* The text that libyaml is given, and how its marks (characters) become bytes of the source. */
struct plumb_yaml_text {
    uint32_t file;
    const char *bytes; /* of the source, or a copy with refused bytes replaced one by one */
    uint32_t len;
    uint32_t skip;                 /* bytes of a byte order mark, which libyaml is not shown */
    struct plumb_yaml_step *steps; /* now and then, in order; NULL: all ASCII */
    uint32_t step_count;
    uint32_t last_char, last_byte; /* of the conversion before: marks mostly go forward */
    uint32_t run_char, run_len;    /* characters of one byte from there on, ... */
    uint32_t run_ahead;            /* ... whose bytes are so much further on than their number */
};

/* Checks the bytes and reports refused ones. False when this is no UTF-8 text at all. */
bool plumb_yaml_text_open(struct plumb_session *s, const struct plumb_source *src,
                          struct plumb_yaml_text *out);

/* For plumb_yaml_byte, in texts that are not all ASCII. */
uint32_t plumb_yaml_byte_slowly(struct plumb_yaml_text *t, uint32_t mark);

/* The byte offset of a mark; inline, because it is asked twice for every node. */
static inline uint32_t plumb_yaml_byte(struct plumb_yaml_text *t, size_t mark)
{
    if (mark >= t->len - t->skip)
        return t->len; /* there are no more characters than bytes */
    if (t->steps == NULL)
        return t->skip + (uint32_t)mark;
    if ((uint32_t)mark - t->run_char < t->run_len)
        return (uint32_t)mark + t->run_ahead;
    return plumb_yaml_byte_slowly(t, (uint32_t)mark);
}

/* Bytes of the line break at text[i], 0 when there is none; YAML 1.1 has some beyond ASCII. */
uint32_t plumb_yaml_break(const char *text, uint32_t i, uint32_t end);

/* The first byte of a node's content at or behind begin: properties and comments skipped. */
uint32_t plumb_yaml_content(const struct plumb_yaml_text *t, uint32_t begin, uint32_t end);

/* Fills lead and map of a scalar whose at, text and len are set. */
void plumb_yaml_map_scalar(struct plumb_arena *a, const struct plumb_yaml_text *t,
                           yaml_scalar_style_t style, struct plumb_slice *scalar);

/* Reports what libyaml could not read. */
void plumb_yaml_fault(struct plumb_session *s, struct plumb_yaml_text *t,
                      const yaml_parser_t *parser);

#endif
