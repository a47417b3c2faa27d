/* SPDX-License-Identifier: Apache-2.0 */
/* Text helpers, free of the locale. */
#include "base/text.h"

#include <string.h>

enum { LONGEST_NAME = 64 }; /* longer names are compared by equality only */

bool plumb_equal_nocase(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (plumb_lower(a[i]) != plumb_lower(b[i]))
            return false;
    }
    return true;
}

bool plumb_same_nocase(const char *a, const char *b)
{
    size_t len = strlen(a);

    return strlen(b) == len && plumb_equal_nocase(a, b, len);
}

bool plumb_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool plumb_ends_with(const char *text, const char *suffix)
{
    size_t len = strlen(text), want = strlen(suffix);

    return len >= want && memcmp(text + len - want, suffix, want) == 0;
}

static size_t utf8_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        return 2;
    if (lead >= 0xe0 && lead <= 0xef)
        return 3;
    if (lead >= 0xf0 && lead <= 0xf4)
        return 4;
    return 0;
}

size_t plumb_utf8_step(const char *text, size_t len, bool *valid)
{
    size_t want = len == 0 ? 0 : utf8_length((unsigned char)text[0]);

    *valid = false;
    if (want == 0 || want > len)
        return len == 0 ? 0 : 1;
    for (size_t i = 1; i < want; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 1;
    }

    unsigned char a = (unsigned char)text[0];
    unsigned char b = want > 1 ? (unsigned char)text[1] : 0;

    /* Overlong forms, surrogates, and values above U+10FFFF. */
    if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) || (a == 0xf0 && b < 0x90) ||
        (a == 0xf4 && b > 0x8f))
        return 1;
    *valid = true;
    return want;
}

size_t plumb_utf8_count(const char *text, size_t len)
{
    size_t count = 0;
    bool valid = false;

    for (size_t i = 0; i < len; count++)
        i += plumb_utf8_step(text + i, len - i, &valid);
    return count;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;

    return m < c ? m : c;
}

unsigned plumb_distance(const char *a, const char *b, unsigned limit)
{
    unsigned rows[3][LONGEST_NAME + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    size_t la = strlen(a), lb = strlen(b);

    if (la > LONGEST_NAME || lb > LONGEST_NAME)
        return plumb_same_nocase(a, b) ? 0 : limit + 1;
    for (size_t j = 0; j <= lb; j++)
        above[j] = (unsigned)j;
    for (size_t i = 1; i <= la; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= lb; j++) {
            char ca = plumb_lower(a[i - 1]), cb = plumb_lower(b[j - 1]);

            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == plumb_lower(b[j - 2]) && plumb_lower(a[i - 2]) == cb &&
                before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }

        unsigned *spare = before;

        before = above;
        above = row;
        row = spare;
    }
    return above[lb] <= limit ? above[lb] : limit + 1;
}

struct plumb_nearest plumb_nearest_to(const char *wanted)
{
    size_t len = strlen(wanted);
    unsigned limit = len <= 3 ? 1 : len <= 8 ? 2 : 3;

    return (struct plumb_nearest){.wanted = wanted, .best = NULL, .distance = limit + 1};
}

void plumb_nearest_offer(struct plumb_nearest *n, const char *name)
{
    if (n->distance == 0)
        return;

    unsigned d = plumb_distance(n->wanted, name, n->distance - 1);

    if (d < n->distance) {
        n->distance = d;
        n->best = name;
    }
}
