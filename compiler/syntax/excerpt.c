/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of the input inside a message. */
#include "syntax/excerpt.h"

#include "base/buf.h"
#include "base/text.h"

enum { LONGEST_EXCERPT = 40 };

const char *plumb_excerpt(struct plumb_arena *a, const char *text, size_t len)
{
    struct plumb_buf b = plumb_buf_in(a);
    size_t step = 0, i = 0;

    plumb_buf_char(&b, '\'');
    for (; i < len && i < LONGEST_EXCERPT; i += step) {
        bool valid = false;

        step = plumb_utf8_step(text + i, len - i, &valid);
        if (valid && (unsigned char)text[i] >= 0x20 && text[i] != 0x7f)
            plumb_buf_add(&b, text + i, step);
        else
            plumb_buf_char(&b, '?');
    }
    plumb_buf_str(&b, i < len ? "...'" : "'");
    return plumb_buf_text(&b);
}
