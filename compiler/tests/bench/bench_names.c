/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What folding names takes at least: reads standard input, splits it into lines, tells the digits
 * at the end of each from what is before, and compares with the line before. Prints how many
 * runs of numbers there are. `run` compares `plumb hosts fold` with it.
 */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

static char *read_all(size_t *len)
{
    size_t cap = 1 << 16;
    char *bytes = malloc(cap);
    ssize_t got = 0;

    *len = 0;
    while (bytes != NULL && (got = read(STDIN_FILENO, bytes + *len, cap - *len)) > 0) {
        *len += (size_t)got;
        if (*len == cap)
            bytes = realloc(bytes, cap *= 2);
    }
    return bytes;
}

int main(void)
{
    size_t len = 0, last_len = 0, runs = 0;
    const char *bytes = read_all(&len), *last = NULL;
    uint64_t last_number = 0;

    if (bytes == NULL)
        return 2;
    for (const char *at = bytes, *end = bytes + len; at < end;) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        const char *digits = line != NULL ? line : end;
        uint64_t number = 0;

        for (line = digits; digits > at && digits[-1] >= '0' && digits[-1] <= '9';)
            digits--;
        for (const char *d = digits; d < line; d++)
            number = number * 10 + (uint64_t)(*d - '0');

        size_t prefix = (size_t)(digits - at);

        runs += last == NULL || prefix != last_len || memcmp(at, last, prefix) != 0 ||
                number != last_number + 1;
        last = at;
        last_len = prefix;
        last_number = number;
        at = line + 1;
    }
    printf("%zu\n", runs);
    return 0;
}
