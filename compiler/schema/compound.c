/* SPDX-License-Identifier: Apache-2.0 */
/* Notations made of parts, split as the functions named in the header split them. */
#include "schema/compound.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"

enum { MAX_LINK = 1023, MIN_LINK = -2 };

bool plumb_list_next_any(const struct plumb_slice *list, char separator,
                         struct plumb_list_cursor *c, struct plumb_slice *item)
{
    size_t end = c->at;

    if (c->done)
        return false;
    while (end < list->len && list->text[end] != separator)
        end++;
    *item = plumb_slice_sub(list, c->at, end);
    c->done = end == list->len;
    c->at = end + 1;
    return true;
}

/* Reads a number at *pos and steps behind it. */
static bool read_number(const struct plumb_slice *item, size_t *pos, uint64_t *out)
{
    size_t used = plumb_read_digits(item->text + *pos, item->len - *pos, out);

    if (used == 0 || used == SIZE_MAX)
        return false;
    *pos += used;
    return true;
}

static bool skip_char(const struct plumb_slice *item, size_t *pos, char c)
{
    if (*pos >= item->len || item->text[*pos] != c)
        return false;
    ++*pos;
    return true;
}

enum plumb_core_fault plumb_value_core_range(const struct plumb_slice *item,
                                             struct plumb_core_range *out)
{
    size_t *pos = &out->fault, step = 0;

    *out = (struct plumb_core_range){.step = 1};
    if (!read_number(item, pos, &out->lo))
        return PLUMB_CORE_TEXT;
    out->hi = out->lo;
    if (skip_char(item, pos, '-')) {
        if (!read_number(item, pos, &out->hi))
            return PLUMB_CORE_TEXT;
        if (skip_char(item, pos, ':')) {
            step = *pos;
            if (!read_number(item, pos, &out->step))
                return PLUMB_CORE_TEXT;
        }
    }
    if (*pos != item->len)
        return PLUMB_CORE_TEXT;
    if (step != 0 && out->hi > out->lo)
        out->hi--; /* bitfmt2int leaves out the end of a range with a step */
    if (out->step == 0) {
        out->fault = step;
        return PLUMB_CORE_STEP;
    }
    if (out->hi < out->lo) {
        out->fault = 0;
        return PLUMB_CORE_REVERSED;
    }
    return PLUMB_CORE_OK;
}

void plumb_value_core_lax(const struct plumb_slice *item, uint64_t *lo, uint64_t *hi)
{
    bool range = false;

    *lo = *hi = 0;
    for (size_t i = 0; i < item->len; i++) {
        if (plumb_is_digit(item->text[i])) {
            *hi = *hi * 10 + (uint64_t)(item->text[i] - '0');
        } else if (item->text[i] == '-') {
            *lo = *hi;
            *hi = 0;
            range = true;
        }
    }
    if (!range)
        *lo = *hi;
}

bool plumb_value_link(const struct plumb_slice *item, int32_t *out)
{
    size_t i = 0;
    bool negative = false;
    uint64_t n = 0;

    while (i < item->len && plumb_is_blank(item->text[i]))
        i++;
    if (i < item->len && (item->text[i] == '-' || item->text[i] == '+'))
        negative = item->text[i++] == '-';
    if (!plumb_read_u64(item->text + i, item->len - i, &n) || n > MAX_LINK)
        return false;
    *out = negative ? -(int32_t)n : (int32_t)n;
    return *out >= MIN_LINK;
}

bool plumb_gres_next(const struct plumb_slice *list, struct plumb_list_cursor *c,
                     struct plumb_slice *item)
{
    while (c->at < list->len) {
        unsigned depth = 0;
        size_t begin = c->at, end = begin;

        for (; end < list->len && (list->text[end] != ',' || depth > 0); end++) {
            if (list->text[end] == '(')
                depth++;
            else if (list->text[end] == ')' && depth > 0)
                depth--;
        }
        c->at = end + 1;
        if (end > begin) {
            *item = plumb_slice_sub(list, begin, end);
            return true;
        }
    }
    c->done = true;
    return false;
}

/* Fields of one item between its colons. */
struct fields {
    struct plumb_slice
        items[PLUMB_GRES_TYPES + 2]; /* name, types, count; the rest is the last one */
    size_t count;
};

static void split(const struct plumb_slice *item, struct fields *f)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice one;

    f->count = 0;
    while (plumb_list_next_any(item, ':', &c, &one)) {
        if (plumb_slice_is(&one, "no_consume"))
            continue; /* says nothing that is counted */
        if (f->count == PLUMB_COUNT(f->items)) {
            f->items[f->count - 1] = one; /* only the last field can be the count */
            continue;
        }
        f->items[f->count++] = one;
    }
}

static bool digit_first(const struct plumb_slice *s)
{
    return s->len > 0 && plumb_is_digit(s->text[0]);
}

static size_t skip_digits(const struct plumb_slice *v, size_t i)
{
    while (i < v->len && plumb_is_digit(v->text[i]))
        i++;
    return i;
}

/* The fields behind the name, in which a count is not the last one any more. */
static enum plumb_gres_fault read_type(const struct plumb_slice *bare, const struct fields *f,
                                       bool counted, struct plumb_gres_text *out)
{
    size_t types = f->count - 1 - (counted ? 1 : 0);

    if (types == 0)
        return PLUMB_GRES_OK;
    for (size_t i = 1; i <= types && out->type_count < PLUMB_GRES_TYPES; i++)
        if (f->items[i].len > 0)
            out->types[out->type_count++] = f->items[i];
    out->fault = f->items[types];
    if (!counted && f->items[types].len > 0 && f->items[types].text[0] == '-')
        return PLUMB_GRES_NEGATIVE;
    if (!counted && types > 1 && f->items[types].len > 0)
        return PLUMB_GRES_NO_NUMBER;
    for (size_t i = 1; i <= types; i++) {
        if (f->items[i].len > 0)
            continue;
        out->fault = *bare; /* what stands between two colons has no place of its own */
        return PLUMB_GRES_EMPTY;
    }
    out->fault = f->items[types];
    return types > 1 ? PLUMB_GRES_COLONS : PLUMB_GRES_OK;
}

/* The count of an item. strtoll stops at its greatest number, and goes on behind the digits. */
static enum plumb_value_fault read_count(const struct plumb_slice *count,
                                         struct plumb_gres_text *out)
{
    size_t digits = skip_digits(count, 0);
    struct plumb_slice tail = plumb_slice_sub(count, digits > 0 ? digits - 1 : 0, count->len);
    uint64_t ignored;

    out->count = *count;
    out->fault = *count;
    if (plumb_value_count(count, &out->number) == PLUMB_VALUE_OK)
        return PLUMB_VALUE_OK;
    if (plumb_value_count(&tail, &ignored) != PLUMB_VALUE_OK)
        return PLUMB_VALUE_SYNTAX;
    out->number = INT64_MAX;
    return PLUMB_VALUE_RANGE;
}

enum plumb_gres_fault plumb_value_gres(const struct plumb_slice *item, struct plumb_gres_text *out)
{
    const char *paren = memchr(item->text, '(', item->len);
    struct plumb_slice bare =
        paren == NULL ? *item : plumb_slice_sub(item, 0, (size_t)(paren - item->text));
    struct fields f;
    bool counted = false;

    split(&bare, &f);
    *out = (struct plumb_gres_text){.number = 1, .fault = *item};
    if (f.count == 0 || f.items[0].len == 0)
        return PLUMB_GRES_NO_NAME;
    out->name = f.items[0];
    counted = f.count > 1 && digit_first(&f.items[f.count - 1]);
    if (counted) {
        enum plumb_value_fault number = read_count(&f.items[f.count - 1], out);

        if (number == PLUMB_VALUE_SYNTAX)
            return PLUMB_GRES_COUNT;
        if (number == PLUMB_VALUE_RANGE) {
            (void)read_type(&bare, &f, counted, out);
            out->fault = out->count;
            return PLUMB_GRES_BIG;
        }
    }
    return read_type(&bare, &f, counted, out);
}

static size_t word_length(const struct plumb_slice *v, size_t from)
{
    static const char *const words[] = {"infinity", "inf", "nan"};

    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        size_t len = strlen(words[i]);

        if (v->len - from >= len && plumb_equal_nocase(v->text + from, words[i], len))
            return from + len;
    }
    return 0;
}

/* How much of the text strtod takes; numbers in hexadecimal are nobody's weights. */
static size_t number_length(const struct plumb_slice *v)
{
    size_t begin = 0, end = 0, digits = 0;

    while (begin < v->len && plumb_is_blank(v->text[begin]))
        begin++;
    if (begin < v->len && (v->text[begin] == '+' || v->text[begin] == '-'))
        begin++;
    end = skip_digits(v, begin);
    digits = end - begin;
    if (end < v->len && v->text[end] == '.') {
        size_t part = skip_digits(v, end + 1);

        digits += part - end - 1;
        end = part;
    }
    if (digits == 0)
        return word_length(v, begin);
    if (end < v->len && plumb_lower(v->text[end]) == 'e') {
        size_t power = end + 1;

        if (power < v->len && (v->text[power] == '+' || v->text[power] == '-'))
            power++;
        if (skip_digits(v, power) > power)
            end = skip_digits(v, power);
    }
    return end;
}

enum plumb_weight_fault plumb_value_weight(const struct plumb_slice *item, struct plumb_weight *out)
{
    size_t begin = 0, sign = 0, number = 0;
    struct plumb_slice value;

    while (begin < item->len && item->text[begin] == '=')
        begin++;
    for (sign = begin; sign < item->len && item->text[sign] != '=';)
        sign++;
    out->name = plumb_slice_sub(item, begin, sign);
    out->fault = *item;
    if (sign + 1 >= item->len || sign == begin)
        return PLUMB_WEIGHT_NO_VALUE;
    value = plumb_slice_sub(item, sign + 1, item->len);
    number = number_length(&value);
    if (number == value.len)
        return PLUMB_WEIGHT_OK;
    out->fault = number == 0 ? value : plumb_slice_sub(&value, number, value.len);
    if (strchr("kmgtp", plumb_lower(value.text[number])) == NULL)
        return PLUMB_WEIGHT_UNIT;
    if (number == 0)
        return PLUMB_WEIGHT_NO_NUMBER;
    out->fault = plumb_slice_sub(&value, number + 1, value.len);
    return number + 1 == value.len ? PLUMB_WEIGHT_OK : PLUMB_WEIGHT_TAIL;
}

enum plumb_tres_fault plumb_value_tres(const struct plumb_slice *item)
{
    static const char *const alone[] = {"cpu", "mem", "energy", "node", "billing", "vmem", "pages"};
    static const char *const named[] = {"gres/", "license/", "fs/", "ic/", "bb/"};

    for (size_t i = 0; i < PLUMB_COUNT(alone); i++) {
        if (plumb_slice_is(item, alone[i]))
            return PLUMB_TRES_OK;
    }
    for (size_t i = 0; i < PLUMB_COUNT(named); i++) {
        size_t len = strlen(named[i]);

        /* The sign may be missing: "gres" is the kind without a name. */
        if (item->len + 1 >= len && plumb_equal_nocase(item->text, named[i], len - 1) &&
            (item->len + 1 == len || item->text[len - 1] == '/'))
            return item->len > len ? PLUMB_TRES_OK : PLUMB_TRES_NO_NAME;
    }
    return PLUMB_TRES_UNKNOWN;
}
