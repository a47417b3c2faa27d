/* SPDX-License-Identifier: Apache-2.0 */
/* Text on a terminal: how wide it is, and how it is shown without harm. */
#ifndef PLUMB_EMIT_COLUMNS_H
#define PLUMB_EMIT_COLUMNS_H

#include "base/buf.h"

/* One character as it will be shown. */
struct plumb_glyph {
    const char *text; /* what to print; "" for half of a tab's blanks is never used */
    size_t len;       /* bytes of text */
    size_t bytes;     /* bytes of the source that it stands for */
    unsigned width;   /* columns, 0 for combining characters */
};

/*
 * The character at text as a terminal can show it: control characters, invalid UTF-8 and
 * characters that reorder text become U+FFFD. A tab is wide enough to reach the next stop behind
 * column (from 0) and is printed as blanks by the caller (text is NULL).
 */
struct plumb_glyph plumb_glyph_at(const char *text, size_t len, size_t column);

/* Columns of text that begins at column 0. */
size_t plumb_columns(const char *text, size_t len);

/* Adds text in one line: control characters as \n, \t, \x1b; invalid UTF-8 as U+FFFD. */
void plumb_buf_line(struct plumb_buf *out, const char *text);

#endif
