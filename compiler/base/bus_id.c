/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bus_id.h"

#include <string.h>

#include "base/text.h"

enum { DOMAIN_DIGITS = 4, MAX_DOMAIN_DIGITS = 8 };

bool plumb_bus_id_read(const char *text, size_t len, char out[PLUMB_BUS_ID_SIZE])
{
    static const char rest[] = ":xx:xx.f"; /* x: a digit, f: that of a function */
    const size_t rest_len = sizeof(rest) - 1;
    char id[PLUMB_BUS_ID_SIZE] = {0};
    size_t domain = len < rest_len ? 0 : len - rest_len, skip = 0;

    if (domain < DOMAIN_DIGITS || domain > MAX_DOMAIN_DIGITS)
        return false;
    for (size_t i = 0; i < len; i++) {
        char want = i < domain ? 'x' : rest[i - domain], c = plumb_lower(text[i]);
        bool good = want == 'f'   ? c >= '0' && c <= '7'
                    : want == 'x' ? plumb_hex_digit(c) < 16
                                  : c == want;

        if (!good)
            return false;
        id[i] = c;
    }
    while (domain - skip > DOMAIN_DIGITS && id[skip] == '0')
        skip++;
    memcpy(out, id + skip, len - skip + 1);
    return true;
}

int plumb_bus_id_order(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);

    if (m != n) /* a wider domain is a larger number */
        return m < n ? -1 : 1;
    return strcmp(a, b);
}
