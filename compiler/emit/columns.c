/* SPDX-License-Identifier: Apache-2.0 */
/* Text on a terminal. Widths follow Unicode's East Asian Width and general category Mn. */
#include "emit/columns.h"

#include <string.h>

#include "base/text.h"

enum { TAB_STOP = 8 };

struct span_of_codes {
    uint32_t first, last;
};

/* Wide and fullwidth characters: two columns. */
static const struct span_of_codes wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2614, 0x2615},
    {0x26a1, 0x26a1},   {0x2705, 0x2705},   {0x274c, 0x274c},   {0x2e80, 0x303e},
    {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
    {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
    {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff}, {0x1aff0, 0x1b2ff},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
};

/* Combining marks and joiners: none. */
static const struct span_of_codes zero[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
    {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d},
    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

/* Controls beyond ASCII, and marks that turn the direction of text: never shown. */
static const struct span_of_codes hidden[] = {
    {0x0080, 0x009f}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff},
};

static bool within(const struct span_of_codes *table, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= table[i].first && code <= table[i].last)
            return true;
    }
    return false;
}

/* The code point of a valid UTF-8 character. */
static uint32_t decode(const char *text, size_t bytes)
{
    static const unsigned char lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & lead_mask[bytes];

    for (size_t i = 1; i < bytes; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

struct plumb_glyph plumb_glyph_at(const char *text, size_t len, size_t column)
{
    static const char replacement[] = "\xef\xbf\xbd";
    struct plumb_glyph g = {.text = text, .width = 1};
    bool valid = false;

    g.bytes = g.len = plumb_utf8_step(text, len, &valid);
    if (text[0] == '\t') {
        g.text = NULL;
        g.width = (unsigned)(TAB_STOP - column % TAB_STOP);
        return g;
    }

    uint32_t code = valid ? decode(text, g.bytes) : 0;

    if (code < 0x20 || code == 0x7f || within(hidden, PLUMB_COUNT(hidden), code)) {
        g.text = replacement;
        g.len = sizeof(replacement) - 1;
    } else if (within(wide, PLUMB_COUNT(wide), code)) {
        g.width = 2;
    } else if (within(zero, PLUMB_COUNT(zero), code)) {
        g.width = 0;
    }
    return g;
}

size_t plumb_columns(const char *text, size_t len)
{
    size_t column = 0;

    for (size_t i = 0; i < len;) {
        struct plumb_glyph g = plumb_glyph_at(text + i, len - i, column);

        column += g.width;
        i += g.bytes;
    }
    return column;
}

void plumb_buf_line(struct plumb_buf *out, const char *text)
{
    size_t len = strlen(text);

    for (size_t i = 0; i < len;) {
        unsigned char c = (unsigned char)text[i];

        if (c == '\n' || c == '\t') {
            plumb_buf_str(out, c == '\n' ? "\\n" : "\\t");
            i++;
        } else if (c < 0x20 || c == 0x7f) {
            plumb_buf_printf(out, "\\x%02x", c);
            i++;
        } else {
            struct plumb_glyph g = plumb_glyph_at(text + i, len - i, 0);

            plumb_buf_add(out, g.text, g.len);
            i += g.bytes;
        }
    }
}
