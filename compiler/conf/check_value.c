/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table engine, values: numbers, times, ports. Words, options and plugins are in
 * check_words.c, values made of parts in check_compound.c.
 * Host lists have a reader of their own, which reports by itself.
 */
#include "conf/check.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "schema/value.h"

struct plumb_span plumb_checked_span(const struct plumb_slice *v)
{
    return plumb_span_known(v->at) ? plumb_slice_span(v, 0, v->len) : v->at;
}

/* What the daemon does about a value outside of range or set, and who. */
enum plumb_effect plumb_bad_effect(const struct plumb_checked *c)
{
    bool silent = c->rev->type == PLUMB_T_WORD_LIST || c->rev->type == PLUMB_T_KEY_LIST;

    if (c->rev->has_bad)
        return (enum plumb_effect)c->rev->bad;
    return silent ? PLUMB_EFFECT_IGNORED : PLUMB_EFFECT_STOPS;
}

/* "a number of seconds", for "expected ...". */
static const char *expected(const struct plumb_checked *c)
{
    struct plumb_buf text = plumb_buf_in(c->ck->sink->arena);

    switch (c->rev->type) {
    case PLUMB_T_BOOL:
        return "yes or no";
    case PLUMB_T_TIME:
        return "minutes, hours:minutes:seconds, days-hours:minutes:seconds or UNLIMITED";
    case PLUMB_T_PURGE_AGE:
        return "a number and hours, days or months";
    case PLUMB_T_PORT_RANGE:
        return "a port or a range of ports such as 60001-63000";
    case PLUMB_T_FLOAT:
        plumb_buf_str(&text, "a decimal number");
        break;
    default:
        plumb_buf_str(&text, "a whole number");
        break;
    }
    if (c->rev->unit != NULL)
        plumb_buf_printf(&text, " of %s", c->rev->unit);
    return plumb_buf_text(&text);
}

/* parse_config.c:_handle_uint16 and its like: who reads the file ends, whoever uses the value. */
static bool parser_minds(const struct plumb_checked *c, enum plumb_effect effect)
{
    return effect == PLUMB_EFFECT_STOPS &&
           (c->rev->type == PLUMB_T_U16 || c->rev->type == PLUMB_T_U32 ||
            c->rev->type == PLUMB_T_U64);
}

static bool wrong_type(const struct plumb_checked *c, size_t begin, enum plumb_effect effect)
{
    plumb_conf_report(
        c->ck, PLUMB_CONF_WRONG_TYPE, plumb_slice_span(c->value, begin, c->value->len), effect,
        parser_minds(c, effect) ? 0 : c->rev->bad_daemons, "'%s' is '%s', expected %s",
        c->param->name, plumb_shown(c->ck, c->value), expected(c));
    return false;
}

/* Where the part that is no number begins: the 's' of 300s, the whole of abc. */
static size_t behind_digits(const struct plumb_slice *v)
{
    uint64_t n = 0;
    size_t digits = plumb_read_digits(v->text, v->len, &n);

    return digits == SIZE_MAX || digits >= v->len ? 0 : digits;
}

/* "at least 10000", "at most 100", "1 to 64". */
const char *plumb_range_text(const struct plumb_checked *c, bool has_min, uint64_t min,
                             bool has_max, uint64_t max)
{
    struct plumb_arena *a = c->ck->sink->arena;

    if (has_min && has_max && min == max)
        return plumb_arena_printf(a, "%" PRIu64, min);
    if (has_min && has_max)
        return plumb_arena_printf(a, "%" PRIu64 " to %" PRIu64, min, max);
    if (has_min)
        return plumb_arena_printf(a, "at least %" PRIu64, min);
    return plumb_arena_printf(a, "at most %" PRIu64, max);
}

/* The value is a number of the parameter's own unit. */
static bool check_range(const struct plumb_checked *c, uint64_t n)
{
    const struct plumb_param_rev *rev = c->rev;

    if ((!rev->has_min || n >= rev->min) && (!rev->has_max || n <= rev->max))
        return true;
    if (n == PLUMB_UNLIMITED && plumb_bad_effect(c) == PLUMB_EFFECT_NONE)
        return true; /* the largest number of the type is what the daemon means by it */
    plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, plumb_checked_span(c->value),
                      plumb_bad_effect(c), rev->bad_daemons, "'%s' is %s, expected %s%s%s",
                      c->param->name, plumb_shown(c->ck, c->value),
                      plumb_range_text(c, rev->has_min, rev->min, rev->has_max, rev->max),
                      rev->unit != NULL ? " " : "", rev->unit != NULL ? rev->unit : "");
    return false;
}

static bool does_not_fit(const struct plumb_checked *c, uint64_t max, enum plumb_effect effect)
{
    plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, plumb_checked_span(c->value), effect, 0,
                      "'%s' is %s, it holds at most %" PRIu64, c->param->name,
                      plumb_shown(c->ck, c->value), max);
    return false;
}

static bool check_uint(const struct plumb_checked *c, unsigned bits)
{
    uint64_t n = 0, max = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

    switch (plumb_value_uint(c->value, bits, &n)) {
    case PLUMB_VALUE_OK:
        return check_range(c, n);
    case PLUMB_VALUE_RANGE:
        return does_not_fit(c, max, PLUMB_EFFECT_STOPS);
    case PLUMB_VALUE_NEGATIVE:
        return wrong_type(c, 0, PLUMB_EFFECT_STOPS);
    case PLUMB_VALUE_SYNTAX:
        break;
    }
    return wrong_type(c, behind_digits(c->value), PLUMB_EFFECT_STOPS);
}

static bool check_bool(const struct plumb_checked *c)
{
    bool b = false;

    return plumb_value_bool(c->value, &b) == PLUMB_VALUE_OK || wrong_type(c, 0, PLUMB_EFFECT_STOPS);
}

/*
 * Minutes are kept in an int, which wraps around: negative ones are refused but for -1, which means
 * no limit (read_config.c), and so are those below the least that the row has.
 */
static bool wraps_to_nothing(const struct plumb_checked *c)
{
    int32_t kept = plumb_value_minutes_kept(c->value);

    return c->rev->has_min ? kept < 0 || (uint64_t)kept < c->rev->min : kept < -1;
}

static bool check_time(const struct plumb_checked *c)
{
    bool minutes = c->rev->unit != NULL && strcmp(c->rev->unit, "minutes") == 0;
    uint64_t n = 0;

    switch (minutes ? plumb_value_minutes(c->value, &n) : plumb_value_seconds(c->value, &n)) {
    case PLUMB_VALUE_OK:
        return check_range(c, n);
    case PLUMB_VALUE_RANGE:
        plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, plumb_checked_span(c->value),
                          minutes && wraps_to_nothing(c) ? PLUMB_EFFECT_STOPS : PLUMB_EFFECT_NONE,
                          0, "'%s' is %s, longer than %d seconds", c->param->name,
                          plumb_shown(c->ck, c->value), INT32_MAX);
        return false;
    default:
        return wrong_type(c, 0, plumb_bad_effect(c));
    }
}

/* Digits, then a beginning of months, hours or days (slurmdb_defs.c:slurmdb_parse_purge). */
static bool check_purge_age(const struct plumb_checked *c)
{
    static const char *const units[] = {"months", "hours", "days"};
    uint32_t n = 0; /* it wraps there, and nobody looks, but for the number that means "unset" */
    size_t digits = 0;

    for (; digits < c->value->len && plumb_is_digit(c->value->text[digits]); digits++)
        n = n * 10 + (uint32_t)(c->value->text[digits] - '0');
    if (digits == 0 || n == UINT32_MAX - 1)
        return wrong_type(c, 0, PLUMB_EFFECT_STOPS);

    const char *unit = c->value->text + digits;
    size_t len = c->value->len - digits;

    if (len == 0)
        return true;
    for (size_t i = 0; i < PLUMB_COUNT(units); i++) {
        if (len <= strlen(units[i]) && plumb_equal_nocase(unit, units[i], len))
            return true;
    }
    return wrong_type(c, digits, PLUMB_EFFECT_STOPS);
}

/* One port, or low-high with low below high; nothing caps a port at 65535. */
static bool check_port_range(const struct plumb_checked *c)
{
    const struct plumb_slice *v = c->value;
    uint64_t low = 0, high = 0;
    size_t digits = plumb_read_digits(v->text, v->len, &low);

    if (digits == 0 || digits == SIZE_MAX || low == 0)
        return wrong_type(c, 0, plumb_bad_effect(c));
    if (digits == v->len)
        return true;
    if (v->text[digits] != '-' || !plumb_read_u64(v->text + digits + 1, v->len - digits - 1, &high))
        return wrong_type(c, digits, plumb_bad_effect(c));
    return high > low || wrong_type(c, 0, plumb_bad_effect(c));
}

/*
 * Seconds or a word. Where the row has a maximum a number beyond it, or below zero, is refused,
 * whatever stands behind its digits; other text counts as 0 (read_config.c:_parse_suspend_time).
 */
static bool check_suspend_time(const struct plumb_checked *c)
{
    const struct plumb_slice *v = c->value;
    size_t sign = v->len > 0 && (v->text[0] == '-' || v->text[0] == '+') ? 1 : 0;
    bool below = sign > 0 && v->text[0] == '-';
    uint64_t n = 0;
    size_t digits = plumb_read_digits(v->text + sign, v->len - sign, &n);

    if (!c->rev->has_max || digits == 0 || plumb_slice_is(v, "-1"))
        return v->len == 0 || plumb_check_word(c);
    /* SIZE_MAX: digits that not even 64 bits hold; strtoul takes a number below 0 from 2^64 */
    if (digits == SIZE_MAX || (below ? 0 - n : n) > c->rev->max)
        return below ? wrong_type(c, 0, PLUMB_EFFECT_STOPS)
                     : does_not_fit(c, c->rev->max, PLUMB_EFFECT_STOPS);
    return plumb_check_word(c);
}

/* Absolute paths, or the word none (read_config.c:_validate_bcast_exclude). */
static bool check_path_list(const struct plumb_checked *c)
{
    struct plumb_list_cursor cursor = {0};
    struct plumb_slice item;
    bool sound = true;

    if (plumb_slice_is(c->value, "none"))
        return true;
    while (plumb_list_next(c->value, ',', &cursor, &item)) {
        if (item.text[0] == '/')
            continue;
        plumb_conf_report(c->ck, PLUMB_CONF_WRONG_TYPE, plumb_checked_span(&item),
                          plumb_bad_effect(c), c->rev->bad_daemons,
                          "'%s' of '%s' is no absolute path", plumb_shown(c->ck, &item),
                          c->param->name);
        sound = false;
    }
    return sound;
}

static bool check_typed(const struct plumb_checked *c)
{
    switch ((enum plumb_type)c->rev->type) {
    case PLUMB_T_BOOL:
        return check_bool(c);
    case PLUMB_T_U16:
        return check_uint(c, 16);
    case PLUMB_T_U32:
        return check_uint(c, 32);
    case PLUMB_T_U64:
    case PLUMB_T_LONG:
        return check_uint(c, 64);
    case PLUMB_T_FLOAT:
        return plumb_value_float(c->value) == PLUMB_VALUE_OK ||
               wrong_type(c, behind_digits(c->value), PLUMB_EFFECT_STOPS);
    default:
        return true;
    }
}

bool plumb_conf_type_sound(const struct plumb_conf_check *ck, const struct plumb_param *p,
                           const struct plumb_slice *value)
{
    struct plumb_checked c = {ck, p, plumb_param_at(p, ck->release), value};

    return check_typed(&c);
}

bool plumb_conf_value_sound(const struct plumb_conf_check *ck, const struct plumb_param *p,
                            const struct plumb_slice *value)
{
    struct plumb_checked c = {ck, p, plumb_param_at(p, ck->release), value};

    switch ((enum plumb_type)c.rev->type) {
    case PLUMB_T_TIME:
        return check_time(&c);
    case PLUMB_T_PURGE_AGE:
        return check_purge_age(&c);
    case PLUMB_T_PORT_RANGE:
        return check_port_range(&c);
    case PLUMB_T_SUSPEND_TIME:
        return check_suspend_time(&c);
    case PLUMB_T_PATH_LIST:
        return check_path_list(&c);
    case PLUMB_T_ENUM:
        return p->value_count == 0 || (value->len == 0 && c.rev->empty) || plumb_check_word(&c);
    case PLUMB_T_ENUM_LIST:
        return plumb_check_word_list(&c);
    case PLUMB_T_WORD_LIST:
    case PLUMB_T_KEY_LIST:
        return p->value_count == 0 || plumb_check_option_list(&c);
    case PLUMB_T_PLUGIN:
    case PLUMB_T_PLUGIN_LIST:
        return plumb_check_plugin_list(&c);
    case PLUMB_T_CORE_LIST:
        return plumb_check_cores(&c);
    case PLUMB_T_LINKS:
        return plumb_check_links(&c);
    case PLUMB_T_COUNT_SUFFIX:
        return plumb_check_count(&c);
    case PLUMB_T_GRES:
        return plumb_check_gres(&c);
    case PLUMB_T_TRES_WEIGHTS:
        return plumb_check_weights(&c);
    case PLUMB_T_TRES_LIST:
        return plumb_check_tres(&c);
    case PLUMB_T_RECORD:
        return p->id != PLUMB_P_SLURM_SLURMCTLDHOST || plumb_check_controller(&c);
    case PLUMB_T_PORT_LIST:
        return plumb_check_ports(&c);
    default:
        return check_typed(&c);
    }
}
