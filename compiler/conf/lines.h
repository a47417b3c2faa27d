/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Physical lines to logical lines: comments cut, continuations joined, escapes undone
 * (parse_config.c:_get_next_line). What a line means is the work of read.c.
 */
#ifndef PLUMB_CONF_LINES_H
#define PLUMB_CONF_LINES_H

#include "conf/conf.h"

/* A logical line. Its text is that of the file, without a NUL behind it, unless it was joined. */
struct plumb_conf_text {
    const char *text;
    uint32_t len;
    uint32_t begin;       /* offset of text[0] in the file where map is NULL */
    const uint32_t *map;  /* offset of each byte of text and behind the last one; NULL: begin + i */
    struct plumb_span at; /* first byte of the first physical line to the last byte taken */
    bool cut;             /* a comment ends it; */
    uint32_t cut_at;      /* the '#' */
    bool joined;          /* by a backslash at the end of a line; */
    uint32_t joined_at;   /* the last such backslash */
};

struct plumb_conf_cursor {
    struct plumb_session *session;
    struct plumb_conf *doc; /* takes the "# plumb:" comments */
    const struct plumb_source *src;
    uint32_t pos;  /* of the next physical line */
    uint32_t line; /* lines passed so far */
    struct plumb_line_notes notes;
};

/* The next logical line that is not blank; false at the end of the file. */
bool plumb_conf_next_text(struct plumb_conf_cursor *c, struct plumb_conf_text *out);

/*
 * Part of a logical line as a slice; begin and end are indices into text. same is the same text
 * where the caller has it already, NULL: it is copied.
 */
struct plumb_slice plumb_conf_text_slice(struct plumb_arena *a, const struct plumb_conf_text *t,
                                         const struct plumb_source *src, uint32_t begin,
                                         uint32_t end, const char *same);

/* The place of text[begin, end) of a logical line. */
struct plumb_span plumb_conf_text_span(const struct plumb_conf_text *t,
                                       const struct plumb_source *src, uint32_t begin,
                                       uint32_t end);

#endif
