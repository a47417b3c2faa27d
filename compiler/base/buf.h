/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text, in an arena. The only way to build text of unknown length. */
#ifndef PLUMB_BASE_BUF_H
#define PLUMB_BASE_BUF_H

#include "base/arena.h"

struct plumb_buf {
    struct plumb_arena *arena;
    char *text; /* NUL-terminated once anything was added; NULL before */
    size_t len, cap;
};

static inline struct plumb_buf plumb_buf_in(struct plumb_arena *a)
{
    return (struct plumb_buf){.arena = a};
}

void plumb_buf_add(struct plumb_buf *b, const char *text, size_t len);
void plumb_buf_str(struct plumb_buf *b, const char *text);
void plumb_buf_char(struct plumb_buf *b, char c);
void plumb_buf_fill(struct plumb_buf *b, char c, size_t count);
void plumb_buf_u64(struct plumb_buf *b, uint64_t v);
void plumb_buf_printf(struct plumb_buf *b, const char *fmt, ...) PLUMB_PRINTF(2, 3);

/* The text so far, never NULL. Stays valid until the next addition. */
const char *plumb_buf_text(const struct plumb_buf *b);

#endif
