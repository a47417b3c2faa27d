/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slurm's scalar notations. Each function follows one reader of the daemons (named at the
 * declaration); where those are lax, so is the function.
 */
#include "schema/value.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"

static bool is_unlimited(const struct plumb_slice *v)
{
    return plumb_slice_is(v, "UNLIMITED") || plumb_slice_is(v, "INFINITE");
}

/* strtoul skips blanks in front; a quoted value may have some. */
static size_t leading_blanks(const struct plumb_slice *v)
{
    size_t i = 0;

    while (i < v->len && plumb_is_blank(v->text[i]))
        i++;
    return i;
}

static uint64_t largest(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* All digits of the base that the prefix gives: then only the size was wrong. */
static bool looks_like_number(const char *text, size_t len)
{
    size_t i = len > 0 && text[0] == '+' ? 1 : 0;

    if (i == len)
        return false;
    for (; i < len; i++) {
        if (!plumb_is_digit(text[i]))
            return false;
    }
    return true;
}

enum plumb_value_fault plumb_value_uint(const struct plumb_slice *v, unsigned bits, uint64_t *out)
{
    size_t start = leading_blanks(v), len = v->len - start;
    const char *text = v->text + start;
    uint64_t n = 0;
    bool kilo = false;

    *out = 0;
    if (is_unlimited(v)) {
        *out = PLUMB_UNLIMITED;
        return PLUMB_VALUE_OK;
    }
    if (len == 0) /* strtoul of nothing is 0, and nothing is left over */
        return PLUMB_VALUE_OK;
    if (text[0] == '-')
        return looks_like_number(text + 1, len - 1) ? PLUMB_VALUE_NEGATIVE : PLUMB_VALUE_SYNTAX;
    if (bits >= 32 && len > 1 && plumb_lower(text[len - 1]) == 'k') {
        kilo = true;
        len--;
    }
    if (!plumb_read_c_u64(text, len, &n))
        return looks_like_number(text, len) && text[0] != '0' ? PLUMB_VALUE_RANGE
                                                              : PLUMB_VALUE_SYNTAX;
    if ((kilo && !plumb_mul_u64(n, 1024, &n)) || n > largest(bits))
        return PLUMB_VALUE_RANGE;
    *out = n;
    return PLUMB_VALUE_OK;
}

enum plumb_value_fault plumb_value_bool(const struct plumb_slice *v, bool *out)
{
    static const char *const yes[] = {"yes", "up", "true", "1"};
    static const char *const no[] = {"no", "down", "false", "0"};

    *out = false;
    for (size_t i = 0; i < PLUMB_COUNT(yes); i++) {
        if (plumb_slice_is(v, yes[i])) {
            *out = true;
            return PLUMB_VALUE_OK;
        }
        if (plumb_slice_is(v, no[i]))
            return PLUMB_VALUE_OK;
    }
    return PLUMB_VALUE_SYNTAX;
}

static size_t skip_digits(const struct plumb_slice *v, size_t i)
{
    while (i < v->len && plumb_is_digit(v->text[i]))
        i++;
    return i;
}

enum plumb_value_fault plumb_value_float(const struct plumb_slice *v)
{
    size_t i = leading_blanks(v);

    if (is_unlimited(v) || plumb_slice_is(v, "inf") || plumb_slice_is(v, "nan") || i == v->len)
        return PLUMB_VALUE_OK;
    if (v->text[i] == '+' || v->text[i] == '-')
        i++;

    size_t whole = i, end = skip_digits(v, i);
    size_t digits = end - whole;

    if (end < v->len && v->text[end] == '.') {
        size_t part = end + 1;

        end = skip_digits(v, part);
        digits += end - part;
    }
    if (digits == 0)
        return PLUMB_VALUE_SYNTAX;
    if (end < v->len && plumb_lower(v->text[end]) == 'e') {
        size_t power = end + 1;

        if (power < v->len && (v->text[power] == '+' || v->text[power] == '-'))
            power++;
        if (skip_digits(v, power) == power)
            return PLUMB_VALUE_SYNTAX;
        end = skip_digits(v, power);
    }
    return end == v->len ? PLUMB_VALUE_OK : PLUMB_VALUE_SYNTAX;
}

/* The numbers of a time and what stood between them. */
struct time_parts {
    uint64_t part[4]; /* days first when there is a dash */
    size_t count;
    bool dash;
};

/*
 * Digits, at most one dash before any colon, at most two colons with digits on both sides
 * (src/common/parse_time.c, time_str2secs).
 */
static enum plumb_value_fault split_time(const struct plumb_slice *v, struct time_parts *t)
{
    size_t i = 0, colons = 0;

    *t = (struct time_parts){0};
    for (;;) {
        size_t len = plumb_read_digits(v->text + i, v->len - i, &t->part[t->count]);

        if (len == SIZE_MAX)
            return PLUMB_VALUE_RANGE;
        if (len == 0)
            return t->dash && t->count == 1 && i == v->len ? PLUMB_VALUE_OK : PLUMB_VALUE_SYNTAX;
        t->count++;
        i += len;
        if (i == v->len)
            return PLUMB_VALUE_OK;
        if (v->text[i] == '-' && t->count == 1)
            t->dash = true;
        else if (v->text[i] == ':' && colons < 2)
            colons++;
        else
            return PLUMB_VALUE_SYNTAX;
        i++;
    }
}

enum plumb_value_fault plumb_value_seconds(const struct plumb_slice *v, uint64_t *out)
{
    static const uint64_t from_days[] = {86400, 3600, 60, 1};
    static const uint64_t plain[][3] = {{60, 0, 0}, {60, 1, 0}, {3600, 60, 1}};
    struct time_parts t;
    uint64_t sum = 0;

    *out = 0;
    if (is_unlimited(v) || plumb_slice_is(v, "-1")) {
        *out = PLUMB_UNLIMITED;
        return PLUMB_VALUE_OK;
    }

    enum plumb_value_fault fault = split_time(v, &t);

    if (fault != PLUMB_VALUE_OK)
        return fault;
    for (size_t i = 0; i < t.count; i++) {
        uint64_t unit = t.dash ? from_days[i] : plain[t.count - 1][i];
        uint64_t add = 0;

        if (!plumb_mul_u64(t.part[i], unit, &add) || !plumb_add_u64(sum, add, &sum))
            return PLUMB_VALUE_RANGE;
    }
    if (sum > INT32_MAX) /* the daemons add up in an int */
        return PLUMB_VALUE_RANGE;
    *out = sum;
    return PLUMB_VALUE_OK;
}

enum plumb_value_fault plumb_value_minutes(const struct plumb_slice *v, uint64_t *out)
{
    enum plumb_value_fault fault = plumb_value_seconds(v, out);

    if (fault != PLUMB_VALUE_OK || *out == PLUMB_UNLIMITED)
        return fault;
    if (*out + 59 > INT32_MAX) /* they round up in an int, too */
        return PLUMB_VALUE_RANGE;
    *out = (*out + 59) / 60;
    return PLUMB_VALUE_OK;
}

/* What sscanf("%d") makes of digits, and how many there are: the lower half of a long. */
static uint32_t as_int(const char *text, size_t len, size_t *digits)
{
    uint64_t n = 0;

    *digits = plumb_read_digits(text, len, &n);
    if (*digits != SIZE_MAX && n < INT64_MAX)
        return (uint32_t)n;
    *digits = strspn(text, "0123456789");
    return UINT32_MAX;
}

int32_t plumb_value_minutes_kept(const struct plumb_slice *v)
{
    uint32_t part[4] = {0}, sum = 0;
    size_t digits = 0, count = 0;

    for (size_t at = 0; at < v->len && count < PLUMB_COUNT(part); at += digits + 1)
        part[count++] = as_int(v->text + at, v->len - at, &digits);
    if (memchr(v->text, '-', v->len) != NULL)
        sum = part[0] * 86400U + part[1] * 3600U + part[2] * 60U + part[3];
    else if (count == 3)
        sum = part[0] * 3600U + part[1] * 60U + part[2];
    else
        sum = part[0] * 60U + part[1];
    if (sum >= UINT32_MAX - 1) /* INFINITE and NO_VAL stay what they are */
        return sum == UINT32_MAX ? -1 : -2;
    sum += 59;
    return sum > INT32_MAX ? (-1 - (int32_t)(UINT32_MAX - sum)) / 60 : (int32_t)sum / 60;
}

void plumb_value_write_minutes(struct plumb_buf *out, uint64_t minutes)
{
    if (minutes == PLUMB_UNLIMITED) {
        plumb_buf_str(out, "UNLIMITED");
        return;
    }
    if (minutes >= 1440)
        plumb_buf_printf(out, "%llu-", (unsigned long long)(minutes / 1440));
    plumb_buf_printf(out, "%02u:%02u:00", (unsigned)(minutes % 1440 / 60),
                     (unsigned)(minutes % 60));
}

/* The letters from the first multiple on, in the order of powers. */
static int unit_power(char c)
{
    static const char units[] = "kmgtp";
    const char *at = c == '\0' ? NULL : strchr(units, plumb_lower(c));

    return at == NULL ? 0 : (int)(at - units) + 1;
}

enum plumb_value_fault plumb_value_count(const struct plumb_slice *v, uint64_t *out)
{
    uint64_t n = 0;
    size_t sign = v->len > 0 && v->text[0] == '+'; /* strtoll takes one */
    size_t digits = plumb_read_digits(v->text + sign, v->len - sign, &n);

    *out = 0;
    if (digits == SIZE_MAX)
        return PLUMB_VALUE_RANGE;
    if (digits == 0)
        return PLUMB_VALUE_SYNTAX;

    struct plumb_slice unit = plumb_slice_sub(v, sign + digits, v->len);
    uint64_t base = 1024;
    int power = unit.len > 0 ? unit_power(unit.text[0]) : 0;

    if (unit.len > 0) {
        struct plumb_slice rest = plumb_slice_sub(&unit, 1, unit.len);

        if (power == 0)
            return PLUMB_VALUE_SYNTAX;
        if (plumb_slice_is(&rest, "B"))
            base = 1000;
        else if (rest.len > 0 && !plumb_slice_is(&rest, "iB"))
            return PLUMB_VALUE_SYNTAX;
    }
    for (; power > 0; power--) {
        if (!plumb_mul_u64(n, base, &n))
            return PLUMB_VALUE_RANGE;
    }
    *out = n;
    return PLUMB_VALUE_OK;
}

bool plumb_list_next(const struct plumb_slice *list, char separator, struct plumb_list_cursor *c,
                     struct plumb_slice *item)
{
    size_t begin = c->at;

    while (begin < list->len && list->text[begin] == separator)
        begin++;

    size_t end = begin;

    while (end < list->len && list->text[end] != separator)
        end++;
    c->at = end;
    c->done = begin == end;
    *item = plumb_slice_sub(list, begin, end);
    return !c->done;
}

bool plumb_list_find(const struct plumb_slice *list, const char *word, struct plumb_slice *item)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice one;
    size_t len = strlen(word);
    bool key = len > 0 && word[len - 1] == '=';

    while (plumb_list_next(list, ',', &c, &one)) {
        bool found = key ? one.len >= len && plumb_equal_nocase(one.text, word, len)
                         : plumb_slice_is(&one, word);

        if (found && item != NULL)
            *item = one;
        if (found)
            return true;
    }
    if (item != NULL)
        *item = plumb_slice_sub(list, 0, 0);
    return false;
}

bool plumb_list_u64(const struct plumb_slice *list, const char *key, struct plumb_slice *item,
                    uint64_t *out)
{
    struct plumb_slice found;
    size_t len = strlen(key);

    *out = 0;
    if (!plumb_list_find(list, key, &found)) {
        *item = found;
        return false;
    }
    *item = found;

    size_t digits = plumb_read_digits(found.text + len, found.len - len, out);

    return digits > 0 && digits != SIZE_MAX;
}
