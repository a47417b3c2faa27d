/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantities: a number and a unit. Sizes are Slurm's: where Slurm says MB it means 2^20
 * bytes (slurm.conf(5), RealMemory), so MB and MiB are the same here, and so are the other
 * pairs. Durations also take Slurm's own "7-00:00:00" (common/parse_time.c:time_str2secs).
 */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "schema/value.h"
#include "spec/scalar.h"

enum { MAX_FRACTION_DIGITS = 6 };

struct unit {
    const char *name;
    uint64_t factor;
    bool shown; /* in lists of units; the rest are other spellings */
};

static const struct unit sizes[] = {
    {"KiB", UINT64_C(1) << 10, false}, {"KB", UINT64_C(1) << 10, false},
    {"MiB", UINT64_C(1) << 20, true},  {"MB", UINT64_C(1) << 20, true},
    {"GiB", UINT64_C(1) << 30, true},  {"GB", UINT64_C(1) << 30, true},
    {"TiB", UINT64_C(1) << 40, true},  {"TB", UINT64_C(1) << 40, true},
    {"PiB", UINT64_C(1) << 50, false}, {"PB", UINT64_C(1) << 50, false},
};

#define SECOND UINT64_C(1000000)

static const struct unit durations[] = {
    {"us", 1, true},
    {"microseconds", 1, false},
    {"ms", 1000, true},
    {"milliseconds", 1000, false},
    {"s", SECOND, true},
    {"sec", SECOND, false},
    {"second", SECOND, false},
    {"seconds", SECOND, false},
    {"min", SECOND * 60, true},
    {"minute", SECOND * 60, false},
    {"minutes", SECOND * 60, false},
    {"h", SECOND * 3600, true},
    {"hour", SECOND * 3600, false},
    {"hours", SECOND * 3600, false},
    {"d", SECOND * 86400, false},
    {"day", SECOND * 86400, false},
    {"days", SECOND * 86400, true},
    {"week", SECOND * 7 * 86400, false},
    {"weeks", SECOND * 7 * 86400, true},
};

/* In hours; months and years are marked by a factor above every number of hours in a week. */
enum { MONTH = 1000, YEAR = 12000 };

static const struct unit ages[] = {
    {"h", 1, false},         {"hour", 1, false},      {"hours", 1, true},    {"d", 24, false},
    {"day", 24, false},      {"days", 24, true},      {"week", 168, false},  {"weeks", 168, true},
    {"month", MONTH, false}, {"months", MONTH, true}, {"year", YEAR, false}, {"years", YEAR, true},
};

struct unit_set {
    const struct unit *units;
    size_t count;
    const char *example;
    const char *pattern;
};

static struct unit_set set_of(enum plumb_spec_kind kind)
{
    if (kind == PLUMB_K_SIZE)
        return (struct unit_set){sizes, PLUMB_COUNT(sizes), "64 GiB",
                                 "^[0-9]+(\\.[0-9]{1,6})? *[KMGTP]i?B$"};
    if (kind == PLUMB_K_AGE)
        return (struct unit_set){ages, PLUMB_COUNT(ages), "12 months",
                                 "^[0-9]+ *(h|hours?|d|days?|weeks?|months?|years?)$"};
    return (struct unit_set){
        durations, PLUMB_COUNT(durations), "30 s",
        "^([0-9]+(\\.[0-9]{1,6})? "
        "*(us|microseconds|ms|milliseconds|s|sec|seconds?|min|minutes?|h|hours?|d|days?|weeks?)"
        "|[0-9]+-[0-9]+(:[0-9]+){0,2}|[0-9]+(:[0-9]+){1,2})$"};
}

void plumb_spec_unit_list(struct plumb_buf *out, enum plumb_spec_kind kind)
{
    struct unit_set set = set_of(kind);
    bool first = true;

    for (size_t i = 0; i < set.count; i++) {
        if (!set.units[i].shown)
            continue;
        plumb_buf_printf(out, "%s%s", first ? "" : ", ", set.units[i].name);
        first = false;
    }
}

const char *plumb_spec_unit_pattern(enum plumb_spec_kind kind)
{
    return set_of(kind).pattern;
}

static const struct unit *find_unit(const struct unit_set *set, const char *text, size_t len)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strlen(set->units[i].name) == len && memcmp(set->units[i].name, text, len) == 0)
            return &set->units[i];
    }
    return NULL;
}

/* The parts of "1.5 GiB": offsets into the text. */
struct parts {
    size_t digits; /* of the whole part */
    size_t fraction, fraction_end;
    size_t unit, end; /* the unit without blanks around it */
    uint64_t whole;
    bool overflow;
};

static struct parts split(const struct plumb_slice *t)
{
    struct parts p = {.end = t->len};
    size_t n = plumb_read_digits(t->text, t->len, &p.whole);

    p.overflow = n == SIZE_MAX;
    while (p.digits < t->len && plumb_is_digit(t->text[p.digits]))
        p.digits++;
    p.unit = p.digits;
    if (p.digits > 0 && p.unit + 1 < t->len && t->text[p.unit] == '.' &&
        plumb_is_digit(t->text[p.unit + 1])) {
        p.fraction = p.unit + 1;
        p.fraction_end = p.fraction;
        while (p.fraction_end < t->len && plumb_is_digit(t->text[p.fraction_end]))
            p.fraction_end++;
        p.unit = p.fraction_end;
    }
    while (p.unit < p.end && plumb_is_blank(t->text[p.unit]))
        p.unit++;
    while (p.end > p.unit && plumb_is_blank(t->text[p.end - 1]))
        p.end--;
    return p;
}

/* Adds the part behind the decimal point; false when it is no whole number of the base unit. */
static bool add_fraction(const struct plumb_slice *t, const struct parts *p, uint64_t factor,
                         uint64_t *out)
{
    uint64_t fraction = 0, scale = 1, product = 0;
    size_t len = p->fraction_end - p->fraction;

    if (len > MAX_FRACTION_DIGITS || !plumb_read_u64(t->text + p->fraction, len, &fraction))
        return false;
    for (size_t i = 0; i < len; i++)
        scale *= 10;
    if (!plumb_mul_u64(fraction, factor, &product) || product % scale != 0)
        return false;
    return plumb_add_u64(*out, product / scale, out);
}

static void no_unit(struct plumb_session *s, struct plumb_spec_value *v, const struct parts *p)
{
    const struct plumb_spec_key *row = v->row;
    int len = (int)p->digits;

    if (row->unit == PLUMB_U_NONE)
        plumb_spec_bad(s, v, PLUMB_SPEC_UNIT_REQUIRED, v->text.at,
                       "'%.*s' has no unit; '%s' takes a value such as '%s'", len, v->text.text,
                       row->name, set_of(row->kind).example);
    else
        plumb_spec_bad(s, v, PLUMB_SPEC_UNIT_REQUIRED, v->text.at,
                       "'%.*s' has no unit; Slurm would take '%s' in %s, write the unit", len,
                       v->text.text, row->name, plumb_spec_unit_name(row->unit));
}

static void unknown_unit(struct plumb_session *s, struct plumb_spec_value *v, const struct parts *p)
{
    struct plumb_buf list = {0};
    int len = (int)(p->end - p->unit);

    if (s == NULL) {
        v->origin = PLUMB_BAD;
        return;
    }
    list = plumb_buf_in(s->arena);
    plumb_spec_unit_list(&list, v->row->kind);
    plumb_spec_bad(s, v, PLUMB_SPEC_UNKNOWN_UNIT, plumb_slice_span(&v->text, p->unit, p->end),
                   "unknown unit '%.*s', expected one of %s", len, v->text.text + p->unit,
                   plumb_buf_text(&list));
}

/* What an age counts in, and that it is whole, is known once the unit is. */
static void finish_age(struct plumb_spec_value *v, const struct unit *u)
{
    if (v->row->kind != PLUMB_K_AGE || u->factor < MONTH)
        return;
    v->months = true;
    v->number /= MONTH;
}

static uint64_t base_of(enum plumb_spec_unit unit)
{
    switch (unit) {
    case PLUMB_U_SECONDS:
        return SECOND;
    case PLUMB_U_MINUTES:
        return SECOND * 60;
    case PLUMB_U_MIB:
        return UINT64_C(1) << 20;
    default:
        return 1;
    }
}

static void check_whole(struct plumb_session *s, struct plumb_spec_value *v)
{
    if (v->number % base_of(v->row->unit) == 0)
        return;
    plumb_spec_bad(s, v, PLUMB_SPEC_NOT_WHOLE, v->text.at,
                   "'%s' is no whole number of %s, which is what Slurm counts '%s' in",
                   v->text.text, plumb_spec_unit_name(v->row->unit), v->row->name);
}

static void read_parts(struct plumb_session *s, struct plumb_spec_value *v, const struct parts *p)
{
    struct unit_set set = set_of(v->row->kind);
    const struct unit *u = find_unit(&set, v->text.text + p->unit, p->end - p->unit);

    if (p->unit == p->end) {
        no_unit(s, v, p);
        return;
    }
    if (u == NULL) {
        unknown_unit(s, v, p);
        return;
    }
    if (p->overflow || !plumb_mul_u64(p->whole, u->factor, &v->number) ||
        v->number == PLUMB_UNLIMITED) {
        plumb_spec_bad(s, v, PLUMB_SPEC_OUT_OF_RANGE, v->text.at,
                       "'%s' does not fit, expected %s below 2^64 %s", v->text.text,
                       plumb_spec_kind_name(v->row->kind),
                       v->row->kind == PLUMB_K_SIZE ? "bytes" : "microseconds");
        return;
    }
    if (p->fraction != 0 && !add_fraction(&v->text, p, u->factor, &v->number)) {
        plumb_spec_bad(s, v, PLUMB_SPEC_NOT_WHOLE,
                       plumb_slice_span(&v->text, p->fraction - 1, p->fraction_end),
                       "the fraction of '%s' is no whole number of the smallest unit",
                       v->text.text);
        return;
    }
    finish_age(v, u);
    check_whole(s, v);
}

/* Slurm's own notation holds a colon, or a dash between digits. */
static bool is_slurm_time(const struct plumb_slice *t)
{
    bool mark = false;

    for (size_t i = 0; i < t->len; i++) {
        if (t->text[i] == ':' || (t->text[i] == '-' && i > 0))
            mark = true;
        else if (!plumb_is_digit(t->text[i]))
            return false;
    }
    return mark;
}

static void slurm_time(struct plumb_session *s, struct plumb_spec_value *v)
{
    uint64_t seconds = 0;

    if (plumb_value_seconds(&v->text, &seconds) != PLUMB_VALUE_OK ||
        !plumb_mul_u64(seconds, SECOND, &v->number)) {
        plumb_spec_bad(s, v, PLUMB_SPEC_NOT_A_NUMBER, v->text.at,
                       "'%s' is no time of Slurm, expected days-hours:minutes:seconds or a value "
                       "such as '7 days'",
                       v->text.text);
        return;
    }
    check_whole(s, v);
}

static bool is_unlimited(const struct plumb_slice *t)
{
    return plumb_slice_is(t, "unlimited") || plumb_slice_is(t, "infinite");
}

void plumb_spec_quantity(struct plumb_session *s, struct plumb_spec_value *v)
{
    struct parts p = split(&v->text);

    if (v->row->unlimited && is_unlimited(&v->text)) {
        v->unlimited = true;
        v->number = PLUMB_UNLIMITED;
    } else if (v->row->kind == PLUMB_K_DURATION && is_slurm_time(&v->text)) {
        slurm_time(s, v);
    } else if (p.digits == 0) {
        plumb_spec_bad(s, v, PLUMB_SPEC_NOT_A_NUMBER, v->text.at,
                       "'%s' is not %s, expected a value such as '%s'%s", v->text.text,
                       plumb_spec_kind_name(v->row->kind), set_of(v->row->kind).example,
                       v->row->unlimited ? " or 'unlimited'" : "");
    } else if (p.fraction != 0 && v->row->kind == PLUMB_K_AGE) {
        plumb_spec_bad(s, v, PLUMB_SPEC_NOT_A_NUMBER, v->text.at,
                       "'%s' is not an age, expected a whole number such as '12 months'",
                       v->text.text);
    } else {
        read_parts(s, v, &p);
    }
}
