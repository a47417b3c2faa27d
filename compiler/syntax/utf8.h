/* SPDX-License-Identifier: Apache-2.0 */
/* Characters that escapes and references stand for, as bytes. */
#ifndef PLUMB_SYNTAX_UTF8_H
#define PLUMB_SYNTAX_UTF8_H

#include "base/base.h"

/* Writes a character of at most U+10FFFF, up to 4 bytes; returns how many. */
static inline uint32_t plumb_utf8_put(char *out, uint32_t v)
{
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    uint32_t len = v < 0x80 ? 1 : v < 0x800 ? 2 : v < 0x10000 ? 3 : 4;

    for (uint32_t i = len; i-- > 1; v >>= 6)
        out[i] = (char)(0x80 | (v & 0x3f));
    out[0] = (char)(leads[len] | v);
    return len;
}

#endif
