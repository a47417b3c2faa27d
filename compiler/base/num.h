/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checked arithmetic and number reading. Nothing here depends on the locale.
 */
#ifndef PLUMB_BASE_NUM_H
#define PLUMB_BASE_NUM_H

#include "base/base.h"

/* Each returns false, and leaves *out alone, when the result does not fit. */
static inline bool plumb_add_size(size_t a, size_t b, size_t *out)
{
    size_t r = 0;

    if (__builtin_add_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}

static inline bool plumb_mul_size(size_t a, size_t b, size_t *out)
{
    size_t r = 0;

    if (__builtin_mul_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}

static inline bool plumb_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t r = 0;

    if (__builtin_add_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}

static inline bool plumb_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t r = 0;

    if (__builtin_mul_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}

/* So many digits fit in 64 bits whatever they are. */
enum { PLUMB_SAFE_DIGITS = 18 };

/*
 * Reads the decimal digits at the start of text. Returns how many bytes were digits
 * (0: none), SIZE_MAX when the number does not fit in 64 bits.
 */
size_t plumb_read_digits(const char *text, size_t len, uint64_t *out);

/* True when all of text is one decimal number that fits. */
bool plumb_read_u64(const char *text, size_t len, uint64_t *out);

/*
 * C's strtoul with base 0 over a whole word, as Slurm reads integers: 0x prefix is
 * hexadecimal, a leading 0 octal. False when text is not one such number or does not
 * fit (src/common/parse_value.c).
 */
bool plumb_read_c_u64(const char *text, size_t len, uint64_t *out);

#endif
