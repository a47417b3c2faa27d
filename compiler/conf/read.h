/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by read.c, read_faults.c and include.c. */
#ifndef PLUMB_CONF_READ_H
#define PLUMB_CONF_READ_H

#include "conf/conf.h"
#include "conf/syntax_rules.h"
#include "conf/words.h"

/* A file that is being read, and the Include that asked for it. */
struct plumb_conf_frame {
    const struct plumb_source *src;
    const struct plumb_conf_frame *up; /* NULL: the file itself */
    struct plumb_span at;              /* the file name in the Include */
    size_t line;                       /* 1-based index of the Include, 0: the file itself */
    unsigned depth;
};

struct plumb_conf_alike;

struct plumb_conf_reader {
    struct plumb_session *session;
    struct plumb_conf *doc;
    const struct plumb_conf_options *options;
    const char *cluster; /* ClusterName read so far; NULL */
    unsigned includes;
    struct plumb_setting *pairs; /* of the record being read */
    size_t pair_count, pair_cap;
    struct plumb_conf_alike *alike; /* node lines of this file so far; NULL: lines are not folded */
};

/* Reads one file into the document, at its end. */
void plumb_conf_read_source(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame);

/* Adds a line that stands in this file. The pointer is valid until the next one is added. */
struct plumb_conf_line *plumb_conf_read_line(struct plumb_conf_reader *r,
                                             const struct plumb_conf_frame *frame,
                                             enum plumb_conf_kind kind, struct plumb_span at);

/*
 * True when the text at begin, its first byte that is no blank, is an Include in any form: it was
 * followed, or reported.
 */
bool plumb_conf_read_include(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                             const struct plumb_conf_text *t, uint32_t begin);

struct plumb_diag *plumb_conf_read_fault(struct plumb_conf_reader *r, enum plumb_conf_fault fault,
                                         struct plumb_span at, const char *fmt, ...)
    PLUMB_PRINTF(4, 5);

bool plumb_conf_read_knows(const struct plumb_conf_reader *r, enum plumb_scope scope,
                           const char *key, size_t len);

/*
 * Findings about the pair that was added last, whose words are *w. quote: its value begins with
 * a quote that did not count, and text is left over (false: it does not). literal_quote: the same
 * with nothing left over. left_over: text[begin, end) stands behind it.
 */
void plumb_conf_read_check_pair(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                                const struct plumb_source *src, const struct plumb_conf_words *w,
                                enum plumb_scope scope);
bool plumb_conf_read_quote(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                           const struct plumb_source *src, const struct plumb_conf_words *w);
void plumb_conf_read_literal_quote(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                                   const struct plumb_source *src,
                                   const struct plumb_conf_words *w);
void plumb_conf_read_left_over(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                               const struct plumb_source *src, uint32_t begin, uint32_t end,
                               const char *expected);

/* "KEY=" and nothing behind it. */
void plumb_conf_read_no_value(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                              const struct plumb_source *src, const struct plumb_conf_words *w);

/* No setting at all, from begin on: reported and added as a bad line. */
void plumb_conf_read_no_pair(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                             const struct plumb_conf_text *t, uint32_t begin);

/*
 * Folding of node lines (alike.c). begin: for the lines of one file. next: the line at the cursor
 * repeats one that was read before, so it was noted and passed. record: the pairs that were read
 * repeat those of another line, and were noted; sound: nothing was reported of them. forget:
 * what is below does not mean the same as what is above.
 */
struct plumb_conf_alike *plumb_conf_alike_begin(const struct plumb_conf_reader *r,
                                                const struct plumb_source *src);
bool plumb_conf_alike_next(struct plumb_conf_reader *r, struct plumb_conf_cursor *c);
bool plumb_conf_alike_record(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                             enum plumb_scope scope, bool sound);
void plumb_conf_alike_forget(struct plumb_conf_reader *r);

/* Text for a message: shortened, without control characters. */
const char *plumb_conf_clip(struct plumb_arena *a, const char *text, size_t len);

#endif
