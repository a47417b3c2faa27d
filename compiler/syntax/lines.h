/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are lines for other programs: shell scripts, NAME=value. Built by targets only. */
#ifndef PLUMB_SYNTAX_LINES_H
#define PLUMB_SYNTAX_LINES_H

#include "base/buf.h"
#include "base/cause.h"

struct plumb_lines_item {
    const char *text; /* without a line break */
    struct plumb_span *causes;
    size_t cause_count, cause_cap;
};

struct plumb_lines {
    struct plumb_arena *arena;
    const char *first; /* a line before the header: "#!/bin/bash"; NULL: none */
    struct plumb_lines_item *items;
    size_t count, cap;
};

struct plumb_lines *plumb_lines_new(struct plumb_arena *a, const char *first);

/* A line at the end; text lives as long as the document. */
void plumb_lines_add(struct plumb_lines *l, const char *text, struct plumb_span cause);
/* One more place that caused the last line. */
void plumb_lines_cause(struct plumb_lines *l, struct plumb_span cause);

/* NAME=value, for programs that take a value as it stands: without quotes and escapes. */
void plumb_lines_pair(struct plumb_lines *l, const char *name, const char *value,
                      struct plumb_span cause);

/* One or more lines of comment, "# text". */
void plumb_lines_comment(struct plumb_lines *l, const char *text);

/* The first line, the header as comment, then the lines. causes may be NULL. */
void plumb_lines_write(struct plumb_buf *out, const struct plumb_lines *l,
                       const char *const *header, size_t header_count, struct plumb_causes *causes);

/* A word for a shell: as it is, or in single quotes. */
void plumb_shell_quote(struct plumb_buf *out, const char *word);

#endif
