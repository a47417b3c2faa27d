/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text, in an arena. */
#include "base/buf.h"

#include <string.h>

#include "base/num.h"

static void reserve(struct plumb_buf *b, size_t more)
{
    size_t need = 0;

    PLUMB_ASSERT(plumb_add_size(b->len, more, &need) && plumb_add_size(need, 1, &need));
    if (need <= b->cap)
        return;

    size_t cap = b->cap == 0 ? 128 : b->cap;

    while (cap < need)
        cap *= 2;

    char *text = plumb_arena_raw(b->arena, cap);

    if (b->len > 0)
        memcpy(text, b->text, b->len);
    b->text = text;
    b->cap = cap;
}

void plumb_buf_add(struct plumb_buf *b, const char *text, size_t len)
{
    reserve(b, len);
    if (len > 0)
        memcpy(b->text + b->len, text, len);
    b->len += len;
    b->text[b->len] = '\0';
}

void plumb_buf_str(struct plumb_buf *b, const char *text)
{
    plumb_buf_add(b, text, strlen(text));
}

void plumb_buf_char(struct plumb_buf *b, char c)
{
    plumb_buf_add(b, &c, 1);
}

void plumb_buf_fill(struct plumb_buf *b, char c, size_t count)
{
    reserve(b, count);
    memset(b->text + b->len, c, count);
    b->len += count;
    b->text[b->len] = '\0';
}

void plumb_buf_u64(struct plumb_buf *b, uint64_t v)
{
    char digits[20];
    size_t i = sizeof(digits);

    do {
        digits[--i] = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0);
    plumb_buf_add(b, digits + i, sizeof(digits) - i);
}

void plumb_buf_printf(struct plumb_buf *b, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const char *text = plumb_arena_vprintf(b->arena, fmt, args);

    va_end(args);
    plumb_buf_str(b, text);
}

const char *plumb_buf_text(const struct plumb_buf *b)
{
    return b->text == NULL ? "" : b->text;
}
