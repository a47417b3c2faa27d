/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table engine, values: one function per kind of type. Host lists, gres, core lists,
 * links and weights are read by passes/type_values.c, which reports what is wrong in them.
 */
#include "conf/check.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "schema/value.h"

/* A value being held against its row. */
struct checked {
    const struct plumb_conf_check *ck;
    const struct plumb_param *param;
    const struct plumb_param_rev *rev;
    const struct plumb_slice *value;
};

static struct plumb_span whole(const struct plumb_slice *v)
{
    return plumb_span_known(v->at) ? plumb_slice_span(v, 0, v->len) : v->at;
}

/* What the daemon does about a value outside of range or set, and who. */
static enum plumb_effect bad_effect(const struct checked *c)
{
    bool silent = c->rev->type == PLUMB_T_WORD_LIST || c->rev->type == PLUMB_T_KEY_LIST;

    if (c->rev->has_bad)
        return (enum plumb_effect)c->rev->bad;
    return silent ? PLUMB_EFFECT_IGNORED : PLUMB_EFFECT_STOPS;
}

/* "a number of seconds", for "expected ...". */
static const char *expected(const struct checked *c)
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

static bool wrong_type(const struct checked *c, size_t begin, enum plumb_effect effect)
{
    plumb_conf_report(c->ck, PLUMB_CONF_WRONG_TYPE,
                      plumb_slice_span(c->value, begin, c->value->len), effect, c->rev->bad_daemons,
                      "'%s' is '%.*s', expected %s", c->param->name, (int)c->value->len,
                      c->value->text, expected(c));
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
static const char *range_text(const struct checked *c, bool has_min, uint64_t min, bool has_max,
                              uint64_t max)
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
static bool check_range(const struct checked *c, uint64_t n)
{
    const struct plumb_param_rev *rev = c->rev;

    if (n == PLUMB_UNLIMITED ||
        ((!rev->has_min || n >= rev->min) && (!rev->has_max || n <= rev->max)))
        return true;
    plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, whole(c->value), bad_effect(c),
                      rev->bad_daemons, "'%s' is %.*s, expected %s%s%s", c->param->name,
                      (int)c->value->len, c->value->text,
                      range_text(c, rev->has_min, rev->min, rev->has_max, rev->max),
                      rev->unit != NULL ? " " : "", rev->unit != NULL ? rev->unit : "");
    return false;
}

static bool does_not_fit(const struct checked *c, uint64_t max, enum plumb_effect effect)
{
    plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, whole(c->value), effect, 0,
                      "'%s' is %.*s, it holds at most %" PRIu64, c->param->name, (int)c->value->len,
                      c->value->text, max);
    return false;
}

static bool check_uint(const struct checked *c, unsigned bits)
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

static bool check_bool(const struct checked *c)
{
    bool b = false;

    return plumb_value_bool(c->value, &b) == PLUMB_VALUE_OK || wrong_type(c, 0, PLUMB_EFFECT_STOPS);
}

static bool check_time(const struct checked *c)
{
    bool minutes = c->rev->unit != NULL && strcmp(c->rev->unit, "minutes") == 0;
    uint64_t n = 0;

    switch (minutes ? plumb_value_minutes(c->value, &n) : plumb_value_seconds(c->value, &n)) {
    case PLUMB_VALUE_OK:
        return check_range(c, n);
    case PLUMB_VALUE_RANGE: /* nobody looks: the sum wraps around in an int */
        plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, whole(c->value), PLUMB_EFFECT_NONE, 0,
                          "'%s' is %.*s, longer than %d seconds", c->param->name,
                          (int)c->value->len, c->value->text, INT32_MAX);
        return false;
    default:
        return wrong_type(c, 0, PLUMB_EFFECT_STOPS);
    }
}

/* Digits, then a beginning of months, hours or days (slurmdb_defs.c:slurmdb_parse_purge). */
static bool check_purge_age(const struct checked *c)
{
    static const char *const units[] = {"months", "hours", "days"};
    uint64_t n = 0;
    size_t digits = plumb_read_digits(c->value->text, c->value->len, &n);

    if (digits == 0 || digits == SIZE_MAX)
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
static bool check_port_range(const struct checked *c)
{
    const struct plumb_slice *v = c->value;
    uint64_t low = 0, high = 0;
    size_t digits = plumb_read_digits(v->text, v->len, &low);

    if (digits == 0 || digits == SIZE_MAX || low == 0)
        return wrong_type(c, 0, bad_effect(c));
    if (digits == v->len)
        return true;
    if (v->text[digits] != '-' || !plumb_read_u64(v->text + digits + 1, v->len - digits - 1, &high))
        return wrong_type(c, digits, bad_effect(c));
    return high > low || wrong_type(c, 0, bad_effect(c));
}

/* Words. */

static bool in_release(const struct plumb_conf_check *ck, const struct plumb_value *v)
{
    return !v->gone && v->first <= (unsigned)ck->release && v->last >= (unsigned)ck->release;
}

static bool is_number(const struct plumb_slice *s)
{
    uint64_t n = 0;

    return plumb_read_u64(s->text, s->len, &n);
}

/* Whether an item is this word of the set, in the way in which the daemon compares. */
static bool matches(const struct checked *c, const struct plumb_slice *item,
                    const struct plumb_value *v)
{
    size_t len = strlen(v->word);
    bool lists = c->rev->type == PLUMB_T_WORD_LIST || c->rev->type == PLUMB_T_KEY_LIST;
    bool begins = len > 1 && (v->takes_value || (lists && v->word[len - 1] == '_') ||
                              c->rev->match == PLUMB_MATCH_PREFIX);

    if (strcmp(v->word, "#") == 0)
        return is_number(item);
    if (begins && item->len >= len && plumb_equal_nocase(item->text, v->word, len))
        return true;
    if (c->rev->match == PLUMB_MATCH_CASE)
        return plumb_slice_is_exact(item, v->word);
    return plumb_slice_is(item, v->word);
}

/* The word that an item is: one of this release before one of another. */
static const struct plumb_value *find_word(const struct checked *c, const struct plumb_slice *item)
{
    const struct plumb_value *found = NULL;

    for (size_t i = 0; i < c->param->value_count; i++) {
        const struct plumb_value *v = &c->param->values[i];

        if (!matches(c, item, v))
            continue;
        if (found == NULL || (!in_release(c->ck, found) && in_release(c->ck, v)))
            found = v;
    }
    return found;
}

static const char *nearest_word(const struct checked *c, const struct plumb_slice *item)
{
    const char *text = plumb_arena_strndup(c->ck->sink->arena, item->text, item->len);
    struct plumb_nearest near = plumb_nearest_to(text);

    for (size_t i = 0; i < c->param->value_count; i++) {
        if (in_release(c->ck, &c->param->values[i]))
            plumb_nearest_offer(&near, c->param->values[i].word);
    }
    return near.best;
}

static void suggest(const struct checked *c, struct plumb_diag *d, const struct plumb_slice *item)
{
    const char *near = nearest_word(c, item);

    if (near != NULL) {
        plumb_diag_help(d, "did you mean '%s'?", near);
        plumb_diag_edit(d, whole(item), false, near);
    }
}

/* "ANY, ALL or NO" when the set is short enough to be worth reading, else NULL. */
static const char *set_text(const struct checked *c)
{
    struct plumb_buf text = plumb_buf_in(c->ck->sink->arena);
    size_t count = 0, seen = 0;

    for (size_t i = 0; i < c->param->value_count; i++)
        count += in_release(c->ck, &c->param->values[i]);
    if (count == 0 || count > 12)
        return NULL;
    for (size_t i = 0; i < c->param->value_count; i++) {
        const char *word = c->param->values[i].word;

        if (!in_release(c->ck, &c->param->values[i]))
            continue;
        if (seen > 0)
            plumb_buf_str(&text, seen + 1 == count ? " or " : ", ");
        plumb_buf_str(&text, strcmp(word, "#") == 0 ? "a number" : word);
        seen++;
    }
    return plumb_buf_text(&text);
}

static bool not_in_set(const struct checked *c, const struct plumb_slice *item)
{
    const char *set = set_text(c);
    struct plumb_diag *d = NULL;

    if (set != NULL)
        d = plumb_conf_report(c->ck, PLUMB_CONF_NOT_IN_SET, whole(item), bad_effect(c),
                              c->rev->bad_daemons, "'%.*s' is no word of '%s', expected %s",
                              (int)item->len, item->text, c->param->name, set);
    else
        d = plumb_conf_report(c->ck, PLUMB_CONF_NOT_IN_SET, whole(item), bad_effect(c),
                              c->rev->bad_daemons, "'%.*s' is no word of '%s'", (int)item->len,
                              item->text, c->param->name);
    suggest(c, d, item);
    return false;
}

/* A word that another release has. Its own field 'bad' says when the daemon still reacts to it. */
static bool word_of_other_release(const struct checked *c, const struct plumb_slice *item,
                                  const struct plumb_value *v)
{
    enum plumb_effect effect = bad_effect(c);
    struct plumb_diag *d = NULL;

    if (v->bad != PLUMB_EFFECT_NONE && ((unsigned)c->ck->release > v->last || v->gone))
        effect = (enum plumb_effect)v->bad;
    if (v->gone)
        d = plumb_conf_report(c->ck, PLUMB_CONF_WORD_OF_OTHER_RELEASE, whole(item), effect,
                              c->rev->bad_daemons, "'%.*s' of '%s' is gone", (int)item->len,
                              item->text, c->param->name);
    else if ((unsigned)c->ck->release < v->first)
        d = plumb_conf_report(c->ck, PLUMB_CONF_WORD_OF_OTHER_RELEASE, whole(item), effect,
                              c->rev->bad_daemons, "'%.*s' of '%s' is not known before %s",
                              (int)item->len, item->text, c->param->name,
                              plumb_release_name((enum plumb_release)v->first));
    else
        d = plumb_conf_report(c->ck, PLUMB_CONF_WORD_OF_OTHER_RELEASE, whole(item), effect,
                              c->rev->bad_daemons, "'%.*s' of '%s' had its last use in %s",
                              (int)item->len, item->text, c->param->name,
                              plumb_release_name((enum plumb_release)v->last));
    if (v->note != NULL)
        plumb_diag_fact(d, "%s", v->note);
    return false;
}

/* One word of an exact set. */
static bool check_word(const struct checked *c, const struct plumb_slice *item)
{
    const struct plumb_value *v = find_word(c, item);

    if (v == NULL)
        return not_in_set(c, item);
    return in_release(c->ck, v) || word_of_other_release(c, item, v);
}

static bool check_word_list(const struct checked *c)
{
    /* Names of limits may be separated by blanks too (slurm_rlimits_info.c:parse_rlimits). */
    bool blanks = c->rev->match == PLUMB_MATCH_CASE;
    struct plumb_list_cursor outer = {0};
    struct plumb_slice item, part;
    bool sound = true;

    while (plumb_list_next(c->value, ',', &outer, &item)) {
        struct plumb_list_cursor inner = {0};

        if (!blanks)
            sound = check_word(c, &item) && sound;
        while (blanks && plumb_list_next(&item, ' ', &inner, &part))
            sound = check_word(c, &part) && sound;
    }
    return sound;
}

/* Words that the daemon looks for with xstrcasestr anywhere in the value. */

static struct plumb_slice trimmed(const struct plumb_slice *s)
{
    size_t begin = 0, end = s->len;

    while (begin < end && plumb_is_blank(s->text[begin]))
        begin++;
    while (end > begin && plumb_is_blank(s->text[end - 1]))
        end--;
    return plumb_slice_sub(s, begin, end);
}

/* The key of "key=value", without the sign; the item itself when there is none. */
static struct plumb_slice key_part(const struct plumb_slice *item)
{
    const char *sign = memchr(item->text, '=', item->len);

    return sign == NULL ? *item : plumb_slice_sub(item, 0, (size_t)(sign - item->text));
}

/* A word of this release that stands somewhere in the item: it takes effect all the same. */
static const char *contained_word(const struct checked *c, const struct plumb_slice *item)
{
    for (size_t i = 0; i < c->param->value_count; i++) {
        const struct plumb_value *v = &c->param->values[i];
        size_t len = strlen(v->word);

        if (!in_release(c->ck, v) || len < 3 || v->word[len - 1] == '_')
            continue;
        for (size_t at = 0; at + len <= item->len; at++) {
            if (plumb_equal_nocase(item->text + at, v->word, len))
                return v->word;
        }
    }
    return NULL;
}

static bool unknown_word(const struct checked *c, const struct plumb_slice *item)
{
    const char *inner = contained_word(c, item);
    struct plumb_slice key = key_part(item);
    struct plumb_diag *d = NULL;

    if (inner != NULL) {
        plumb_conf_report(c->ck, PLUMB_CONF_UNKNOWN_WORD, whole(&key), PLUMB_EFFECT_NONE, 0,
                          "'%.*s' is no word of '%s', but counts as '%s', which it contains",
                          (int)key.len, key.text, c->param->name, inner);
        return false;
    }
    d = plumb_conf_report(c->ck, PLUMB_CONF_UNKNOWN_WORD, whole(&key), bad_effect(c),
                          c->rev->bad_daemons, "'%.*s' is no word of '%s'", (int)key.len, key.text,
                          c->param->name);
    suggest(c, d, &key);
    return false;
}

/* The number behind "name=": not a number counts as 0, as atoi has it. */
static bool check_word_number(const struct checked *c, const struct plumb_slice *item,
                              const struct plumb_value *v)
{
    struct plumb_slice text = plumb_slice_sub(item, strlen(v->word), item->len);
    uint64_t n = 0;
    bool number = plumb_read_u64(text.text, text.len, &n);
    enum plumb_effect effect = (enum plumb_effect)v->bad;

    if (!v->has_min && !v->has_max)
        return true;
    if (number && (!v->has_min || n >= v->min) && (!v->has_max || n <= v->max))
        return true;
    if (!number && !v->has_min)
        effect = PLUMB_EFFECT_NONE;
    plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, whole(&text), effect, c->rev->bad_daemons,
                      "'%s%.*s' of '%s', expected %s", v->word, (int)text.len, text.text,
                      c->param->name, range_text(c, v->has_min, v->min, v->has_max, v->max));
    return false;
}

/* The word with exactly the item's key, with or without a sign behind it. */
static const struct plumb_value *find_option(const struct checked *c,
                                             const struct plumb_slice *item)
{
    const struct plumb_value *exact = find_word(c, item);
    struct plumb_slice key = key_part(item);

    return exact != NULL ? exact : plumb_param_value(c->param, key.text, key.len);
}

static bool check_option(const struct checked *c, const struct plumb_slice *item)
{
    const struct plumb_value *v = find_option(c, item);
    struct plumb_slice key = key_part(item);

    if (v == NULL)
        return unknown_word(c, item);
    if (!in_release(c->ck, v))
        return word_of_other_release(c, &key, v);
    if (!v->takes_value || item->len < strlen(v->word)) {
        if (!v->takes_value)
            return true;
        plumb_conf_report(c->ck, PLUMB_CONF_UNKNOWN_WORD, whole(item), bad_effect(c),
                          c->rev->bad_daemons, "'%.*s' of '%s' needs a value, expected '%s'",
                          (int)item->len, item->text, c->param->name, v->word);
        return false;
    }
    return check_word_number(c, item, v);
}

static bool check_option_list(const struct checked *c)
{
    struct plumb_list_cursor cursor = {0};
    struct plumb_slice item;
    bool sound = true;

    /* A value without '=' is the path of the munge socket (slurm_auth_opts_to_socket). */
    if (c->value->len > 0 && c->value->text[0] == '/')
        return true;
    while (plumb_list_next(c->value, ',', &cursor, &item)) {
        struct plumb_slice word = trimmed(&item);

        if (word.len > 0)
            sound = check_option(c, &word) && sound;
    }
    return sound;
}

/* Plugins. */

static bool contains_none(const struct plumb_slice *s)
{
    for (size_t i = 0; i + 4 <= s->len; i++) {
        if (plumb_equal_nocase(s->text + i, "none", 4))
            return true;
    }
    return false;
}

/* "lua" for "job_submit/lua": lists of plugins take both. */
static const struct plumb_value *find_plugin(const struct checked *c,
                                             const struct plumb_slice *item)
{
    const struct plumb_value *v = find_word(c, item);

    if (v != NULL || c->rev->type != PLUMB_T_PLUGIN_LIST)
        return v;
    for (size_t i = 0; i < c->param->value_count; i++) {
        const char *word = c->param->values[i].word;
        const char *slash = strchr(word, '/');
        const char *given = memchr(item->text, '/', item->len);

        if (slash != NULL && plumb_slice_is(item, slash + 1))
            return &c->param->values[i];
        if (slash == NULL && given != NULL) {
            struct plumb_slice name =
                plumb_slice_sub(item, (size_t)(given + 1 - item->text), item->len);

            if (plumb_slice_is(&name, word))
                return &c->param->values[i];
        }
    }
    return NULL;
}

static bool no_such_plugin(const struct checked *c, const struct plumb_slice *item)
{
    const char *set = set_text(c);
    enum plumb_effect effect = bad_effect(c);
    struct plumb_diag *d =
        plumb_conf_report(c->ck, PLUMB_CONF_NO_PLUGIN, whole(item), effect, c->rev->bad_daemons,
                          "Slurm ships no plugin '%.*s' for '%s'%s%s", (int)item->len, item->text,
                          c->param->name, set != NULL ? ", expected " : "", set != NULL ? set : "");

    if (c->rev->open)
        plumb_diag_severity(d, PLUMB_WARNING);
    suggest(c, d, item);
    return false;
}

static bool check_plugin(const struct checked *c, const struct plumb_slice *item)
{
    const struct plumb_value *v = find_plugin(c, item);
    struct plumb_diag *d = NULL;

    if (v == NULL)
        return no_such_plugin(c, item);
    if (in_release(c->ck, v))
        return true;

    bool early = (unsigned)c->ck->release < v->first;
    enum plumb_effect effect =
        v->bad != PLUMB_EFFECT_NONE && !early ? (enum plumb_effect)v->bad : bad_effect(c);

    d = plumb_conf_report(c->ck, PLUMB_CONF_NO_PLUGIN, whole(item), effect, c->rev->bad_daemons,
                          "plugin '%.*s' of '%s' %s %s", (int)item->len, item->text, c->param->name,
                          early ? "does not exist before" : "does not exist after",
                          plumb_release_name((enum plumb_release)(early ? v->first : v->last)));
    suggest(c, d, item);
    return false;
}

/*
 * From 23.11 a value with "none" in it means that nothing was set, whatever else stands in the
 * list (read_config.c). Before, none was a plugin of its own.
 */
static bool check_none(const struct checked *c)
{
    bool list = memchr(c->value->text, ',', c->value->len) != NULL;

    if (!list)
        return true;
    plumb_conf_report(c->ck, PLUMB_CONF_NONE_DROPS_LIST, whole(c->value), PLUMB_EFFECT_IGNORED, 0,
                      "'none' drops the whole list '%.*s' of '%s'", (int)c->value->len,
                      c->value->text, c->param->name);
    return false;
}

static bool check_plugin_list(const struct checked *c)
{
    struct plumb_list_cursor cursor = {0};
    struct plumb_slice item;
    bool sound = true;

    if (c->param->value_count == 0)
        return true;
    if (c->ck->release >= PLUMB_23_11 && contains_none(c->value))
        return check_none(c);
    if (c->rev->type == PLUMB_T_PLUGIN)
        return c->value->len == 0 || check_plugin(c, c->value);
    while (plumb_list_next(c->value, ',', &cursor, &item))
        sound = check_plugin(c, &item) && sound;
    return sound;
}

static bool check_typed(const struct checked *c)
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
    struct checked c = {ck, p, plumb_param_at(p, ck->release), value};

    return check_typed(&c);
}

bool plumb_conf_value_sound(const struct plumb_conf_check *ck, const struct plumb_param *p,
                            const struct plumb_slice *value)
{
    struct checked c = {ck, p, plumb_param_at(p, ck->release), value};

    switch ((enum plumb_type)c.rev->type) {
    case PLUMB_T_TIME:
        return check_time(&c);
    case PLUMB_T_PURGE_AGE:
        return check_purge_age(&c);
    case PLUMB_T_PORT_RANGE:
        return check_port_range(&c);
    case PLUMB_T_ENUM:
    case PLUMB_T_SUSPEND_TIME:
        return p->value_count == 0 || value->len == 0 || check_word(&c, value);
    case PLUMB_T_ENUM_LIST:
        return check_word_list(&c);
    case PLUMB_T_WORD_LIST:
    case PLUMB_T_KEY_LIST:
        return p->value_count == 0 || check_option_list(&c);
    case PLUMB_T_PLUGIN:
    case PLUMB_T_PLUGIN_LIST:
        return check_plugin_list(&c);
    default:
        return check_typed(&c);
    }
}
