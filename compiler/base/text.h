/* SPDX-License-Identifier: Apache-2.0 */
/* Text helpers: ASCII case, UTF-8 counting, "did you mean". Free of the locale. */
#ifndef PLUMB_BASE_TEXT_H
#define PLUMB_BASE_TEXT_H

#include "base/arena.h"

static inline char plumb_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool plumb_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit of either case; 16: it is none. */
static inline unsigned plumb_hex_digit(char c)
{
    char low = plumb_lower(c);

    return plumb_is_digit(c)          ? (unsigned)(c - '0')
           : low >= 'a' && low <= 'f' ? (unsigned)(low - 'a') + 10
                                      : 16;
}

static inline bool plumb_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* How many digits text ends in. */
static inline size_t plumb_end_digits(const char *text, size_t len)
{
    size_t digits = 0;

    while (digits < len && plumb_is_digit(text[len - digits - 1]))
        digits++;
    return digits;
}

bool plumb_equal_nocase(const char *a, const char *b, size_t len);
bool plumb_same_nocase(const char *a, const char *b); /* two C strings */
bool plumb_starts_with(const char *text, const char *prefix);
bool plumb_ends_with(const char *text, const char *suffix);

/* Characters in UTF-8 text; a byte that is no valid start counts as one character. */
size_t plumb_utf8_count(const char *text, size_t len);

/* Bytes of the UTF-8 character at text, at least 1 for len > 0; *valid tells its form. */
size_t plumb_utf8_step(const char *text, size_t len, bool *valid);

/* Edit distance without ASCII case, with neighbour swaps; gives up and returns limit + 1. */
unsigned plumb_distance(const char *a, const char *b, unsigned limit);

/*
 * Collects candidates for "did you mean". Offer each known name, then ask for the best:
 * NULL when nothing is near enough to be worth saying.
 */
struct plumb_nearest {
    const char *wanted;
    const char *best;
    unsigned distance;
};

struct plumb_nearest plumb_nearest_to(const char *wanted);
void plumb_nearest_offer(struct plumb_nearest *n, const char *name);

#endif
