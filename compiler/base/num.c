/* SPDX-License-Identifier: Apache-2.0 */
/* Number reading without the locale and without errno. */
#include "base/num.h"

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* Bytes read, or SIZE_MAX on overflow. */
static size_t read_base(const char *text, size_t len, unsigned base, uint64_t *out)
{
    uint64_t v = 0;
    size_t i = 0;

    for (; i < len && digit_value(text[i]) < (int)base; i++) {
        if (!plumb_mul_u64(v, base, &v) || !plumb_add_u64(v, (uint64_t)digit_value(text[i]), &v))
            return SIZE_MAX;
    }
    *out = v;
    return i;
}

size_t plumb_read_digits(const char *text, size_t len, uint64_t *out)
{
    return read_base(text, len, 10, out);
}

bool plumb_read_u64(const char *text, size_t len, uint64_t *out)
{
    uint64_t v = 0;

    if (len == 0 || read_base(text, len, 10, &v) != len)
        return false;
    *out = v;
    return true;
}

bool plumb_read_c_u64(const char *text, size_t len, uint64_t *out)
{
    unsigned base = 10;
    size_t skip = 0;
    uint64_t v = 0;

    if (len > 0 && text[0] == '+')
        skip = 1;
    if (len > skip + 2 && text[skip] == '0' && (text[skip + 1] == 'x' || text[skip + 1] == 'X')) {
        base = 16;
        skip += 2;
    } else if (len > skip + 1 && text[skip] == '0') {
        base = 8;
    }
    if (len == skip || read_base(text + skip, len - skip, base, &v) != len - skip)
        return false;
    *out = v;
    return true;
}
