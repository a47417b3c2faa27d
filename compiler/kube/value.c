/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars as JSON values, and quantities. */
#include "kube/value.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"

static bool is_one_of(const struct plumb_slice *s, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (plumb_slice_is_exact(s, words[i]))
            return true;
    }
    return false;
}

/* A decimal number with a fraction or an exponent; whole: nothing is left behind the point. */
struct decimal {
    bool found, whole;
};

static struct decimal read_decimal(const char *text, size_t len)
{
    size_t i = len > 0 && (text[0] == '-' || text[0] == '+'), digits = 0, last = 0, point = 0;
    uint64_t exponent = 0;
    bool negative = false;
    struct decimal d = {false, true};

    for (; i < len && plumb_is_digit(text[i]); i++)
        digits++;
    if (i < len && text[i] == '.') {
        for (i++; i < len && plumb_is_digit(text[i]); i++) {
            point++;
            if (text[i] != '0')
                last = point;
        }
    }
    if (digits + point == 0)
        return d;
    if (i < len && plumb_lower(text[i]) == 'e') {
        size_t read = 0;

        i++;
        negative = i < len && text[i] == '-';
        i += i < len && (text[i] == '-' || text[i] == '+');
        read = plumb_read_digits(text + i, len - i, &exponent);
        if (read == 0)
            return d;
        if (read == SIZE_MAX) {
            exponent = UINT64_MAX;
            read = len - i;
        }
        i += read;
    }
    d.found = i == len;
    d.whole = negative ? exponent == 0 && last == 0 : exponent >= last;
    return d;
}

/* strconv.ParseInt(text, 0, 64) takes it, underscores left out. */
static bool is_go_integer(const char *text, size_t len)
{
    size_t i = len > 0 && (text[0] == '-' || text[0] == '+'), digits = 0;
    unsigned base = 10;

    if (i + 1 < len && text[i] == '0') {
        char mark = plumb_lower(text[i + 1]);

        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        i += mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1;
        digits += base == 8 && mark != 'o';
    }
    for (; i < len; i++) {
        unsigned digit = plumb_hex_digit(text[i]);

        if (text[i] == '_')
            continue;
        if (digit >= base)
            return false;
        digits++;
    }
    return digits > 0;
}

static enum plumb_kube_json plain(const struct plumb_slice *s)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    static const char *const booleans[] = {
        "y", "Y", "yes", "Yes", "YES", "true",  "True",  "TRUE",  "on",  "On",  "ON",
        "n", "N", "no",  "No",  "NO",  "false", "False", "FALSE", "off", "Off", "OFF"};
    struct decimal d;

    if (is_one_of(s, nulls, PLUMB_COUNT(nulls)))
        return PLUMB_KUBE_IS_NULL;
    if (is_one_of(s, booleans, PLUMB_COUNT(booleans)))
        return PLUMB_KUBE_IS_BOOLEAN;
    if (!plumb_is_digit(s->text[0]) && strchr("+-.", s->text[0]) == NULL)
        return PLUMB_KUBE_IS_STRING;
    if (is_go_integer(s->text, s->len))
        return PLUMB_KUBE_IS_INTEGER;
    d = read_decimal(s->text, s->len);
    if (d.found)
        return d.whole ? PLUMB_KUBE_IS_INTEGER : PLUMB_KUBE_IS_NUMBER;
    return PLUMB_KUBE_IS_STRING;
}

enum plumb_kube_json plumb_kube_json_of(const struct plumb_node *n)
{
    if (n->kind == PLUMB_MAPPING)
        return PLUMB_KUBE_IS_MAP;
    if (n->kind == PLUMB_SEQUENCE)
        return PLUMB_KUBE_IS_LIST;
    if (n->style == PLUMB_QUOTED || n->style == PLUMB_BLOCK)
        return PLUMB_KUBE_IS_STRING;
    return plain(&n->scalar);
}

const char *plumb_kube_json_name(enum plumb_kube_json is)
{
    static const char *const names[] = {"null", "a boolean", "a whole number", "a number",
                                        "text", "a list",    "a mapping"};

    return names[is];
}

int64_t plumb_kube_integer(const struct plumb_node *n)
{
    const char *text = plumb_node_text(n);
    bool negative = text != NULL && text[0] == '-';
    uint64_t v = 0;
    size_t len = text == NULL ? 0 : strlen(text), sign = negative || (len > 0 && text[0] == '+');

    if (len == 0 || (!plumb_read_c_u64(text + sign, len - sign, &v) &&
                     plumb_read_digits(text + sign, len - sign, &v) == SIZE_MAX))
        v = INT64_MAX;
    if (v > INT64_MAX)
        v = INT64_MAX;
    return negative ? -(int64_t)v : (int64_t)v;
}

bool plumb_kube_true(const struct plumb_node *n)
{
    static const char *const words[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                        "True", "TRUE", "on",  "On",  "ON"};

    return n != NULL && plumb_kube_json_of(n) == PLUMB_KUBE_IS_BOOLEAN &&
           is_one_of(&n->scalar, words, PLUMB_COUNT(words));
}

/* ---- quantities ---- */

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t r = 0;

    return plumb_mul_u64(a, b, &r) ? r : UINT64_MAX;
}

static uint64_t power(uint64_t base, unsigned n)
{
    uint64_t v = 1;

    while (n-- > 0)
        v = times(v, base);
    return v;
}

/* What the suffix multiplies with, times 1000; 0: below a thousandth. False: it is no suffix. */
static bool read_suffix(const char *text, size_t len, uint64_t *factor)
{
    static const char letters[] = "KMGTPE";
    const char *p = NULL;

    if (len == 0) {
        *factor = 1000;
        return true;
    }
    p = memchr(letters, text[0], sizeof(letters) - 1);
    if (len == 2 && text[1] == 'i' && p != NULL) {
        *factor = times(power(1024, (unsigned)(p - letters) + 1), 1000);
        return true;
    }
    if (len == 1 && p != NULL && text[0] != 'K') {
        *factor = times(power(1000, (unsigned)(p - letters) + 1), 1000);
        return true;
    }
    if (len == 1 && strchr("knum", text[0]) != NULL) {
        *factor = text[0] == 'k' ? 1000000 : text[0] == 'm' ? 1 : 0;
        return true;
    }
    if (plumb_lower(text[0]) == 'e' && len > 1) {
        size_t i = text[1] == '-' || text[1] == '+' ? 2 : 1;
        uint64_t n = 0;
        size_t read = plumb_read_digits(text + i, len - i, &n);

        if (read == 0 || (read != SIZE_MAX && i + read != len))
            return false;
        n = read == SIZE_MAX || n > 20 ? 20 : n;
        *factor = text[1] == '-' ? (n > 3 ? 0 : power(10, 3 - (unsigned)n))
                                 : times(power(10, (unsigned)n), 1000);
        return true;
    }
    return false;
}

bool plumb_kube_quantity(const char *text, size_t len, uint64_t *milli, size_t *bad)
{
    size_t i = len > 0 && (text[0] == '-' || text[0] == '+'), begin = i, digits = 0;
    uint64_t whole = 0, part = 0, scale = 1, factor = 0;

    for (; i < len && plumb_is_digit(text[i]); i++, digits++)
        whole =
            whole > UINT64_MAX / 10 - 1 ? UINT64_MAX / 10 : whole * 10 + (uint64_t)(text[i] - '0');
    if (i < len && text[i] == '.') {
        for (i++; i < len && plumb_is_digit(text[i]); i++, digits++) {
            if (scale > 100000000)
                continue;
            part = part * 10 + (uint64_t)(text[i] - '0');
            scale *= 10;
        }
    }
    *bad = digits == 0 ? begin : i;
    if (digits == 0 || !read_suffix(text + i, len - i, &factor))
        return false;
    whole = times(whole, factor);
    part = factor > UINT64_MAX / scale ? times(factor / scale, part) : times(factor, part) / scale;
    *milli = text[0] == '-' ? 0 : whole > UINT64_MAX - part ? UINT64_MAX : whole + part;
    return true;
}

/* Letters, digits and '_' of a name of a variable. */
static uint32_t variable_len(const char *text, uint32_t len)
{
    uint32_t n = 0;

    while (n < len && (text[n] == '_' || (n > 0 && plumb_is_digit(text[n])) ||
                       (plumb_lower(text[n]) >= 'a' && plumb_lower(text[n]) <= 'z')))
        n++;
    return n;
}

bool plumb_kube_filled_in(const struct plumb_slice *text)
{
    const char *dollar = text->len == 0 ? NULL : memchr(text->text, '$', text->len);

    if (dollar == text->text && text->len > 1 &&
        variable_len(dollar + 1, text->len - 1) == text->len - 1)
        return true;
    while (dollar != NULL) {
        uint32_t left = text->len - (uint32_t)(dollar - text->text), n = 0;

        n = left > 2 && dollar[1] == '{' ? variable_len(dollar + 2, left - 2) : 0;
        if (n > 0 && n + 2 < left && dollar[2 + n] != '\0' && strchr("}:=-", dollar[2 + n]) != NULL)
            return true;
        dollar = memchr(dollar + 1, '$', left - 1);
    }
    return false;
}
