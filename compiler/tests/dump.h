/* SPDX-License-Identifier: Apache-2.0 */
/* Trees as one line of text, so that rows of a test can say what they expect. */
#ifndef PLUMB_TESTS_DUMP_H
#define PLUMB_TESTS_DUMP_H

#include <string.h>

#include "base/buf.h"
#include "syntax/node.h"

static inline void add_raw(struct plumb_buf *b, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\n')
            plumb_buf_str(b, "\\n");
        else
            plumb_buf_char(b, text[i]);
    }
}

/* Scalars as <raw>, or <raw|value> where the two differ; collections with their bytes. */
static inline void dump(struct plumb_buf *b, const struct plumb_source *src,
                        const struct plumb_node *n)
{
    const struct plumb_slice *s = &n->scalar;
    bool map = n->kind == PLUMB_MAPPING;

    if (n->kind == PLUMB_SCALAR) {
        const char *raw = src->bytes + n->at.begin;
        size_t len = n->at.end - n->at.begin;

        plumb_buf_char(b, '<');
        add_raw(b, raw, len);
        if (len != s->len || memcmp(raw, s->text, len) != 0) {
            plumb_buf_char(b, '|');
            add_raw(b, s->text, s->len);
        }
        plumb_buf_char(b, '>');
        return;
    }
    plumb_buf_char(b, map ? '{' : '[');
    for (uint32_t i = 0; i < n->count; i++) {
        if (i > 0)
            plumb_buf_str(b, ", ");
        if (map) {
            dump(b, src, n->pairs[i].key);
            plumb_buf_str(b, ": ");
        }
        dump(b, src, map ? n->pairs[i].value : n->items[i]);
    }
    plumb_buf_printf(b, "%c%u-%u", map ? '}' : ']', n->at.begin, n->at.end);
}

#endif
