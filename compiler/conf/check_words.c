/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table engine, words: sets that a daemon compares word by word, lists that it searches,
 * and names of plugins.
 */
#include "conf/check.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "schema/trait.h"
#include "schema/value.h"

static bool in_release(const struct plumb_conf_check *ck, const struct plumb_value *v)
{
    return plumb_value_there(v, ck->release);
}

/* Words to name to people: not the patterns that other spellings fall under. */
static bool is_named(const struct plumb_conf_check *ck, const struct plumb_value *v)
{
    return in_release(ck, v) && strchr(v->word, '*') == NULL;
}

static bool is_number(const struct plumb_slice *s)
{
    uint64_t n = 0;

    return plumb_read_u64(s->text, s->len, &n);
}

/* log.c:log_string2num: what begins with a digit is a level, as far as atoi reads it. */
static bool is_level(const struct plumb_checked *c, const struct plumb_slice *item)
{
    bool levels = false;

    for (size_t i = 0; i < c->param->value_count; i++)
        levels = levels || strcmp(c->param->values[i].word, "debug5") == 0;
    return levels && item->len > 0 && plumb_is_digit(item->text[0]);
}

/*
 * The level that digits in front make: it is kept in 16 bits (log.c:log_string2num), and atoi reads
 * what does not fit into a long as -1.
 */
static uint64_t level_of(const struct plumb_slice *item)
{
    uint64_t n = 0;
    bool fits = plumb_read_digits(item->text, item->len, &n) != SIZE_MAX && n <= INT64_MAX;

    return fits ? n & UINT16_MAX : UINT16_MAX;
}

/* A level that reads as the mark of one that is not set, NO_VAL16, at which the daemons stop. */
static bool is_no_level(const struct plumb_checked *c, const struct plumb_slice *item)
{
    return is_level(c, item) && level_of(item) == UINT16_MAX - 1;
}

/* Whether an item is this word of the set, in the way in which the daemon compares. */
static bool matches(const struct plumb_checked *c, const struct plumb_slice *item,
                    const struct plumb_value *v)
{
    size_t len = strlen(v->word);
    bool star = len > 1 && v->word[len - 1] == '*';
    bool begins = star || v->takes_value || c->rev->match == PLUMB_MATCH_PREFIX;

    if (strcmp(v->word, "#") == 0)
        return is_number(item) || is_level(c, item);
    if (star)
        len--;
    if (begins && item->len >= len && plumb_equal_nocase(item->text, v->word, len))
        return true;
    if (c->rev->match == PLUMB_MATCH_CASE)
        return plumb_slice_is_exact(item, v->word);
    return plumb_slice_is(item, v->word);
}

/* The word that an item is: one of this release before one of another. */
static const struct plumb_value *find_word(const struct plumb_checked *c,
                                           const struct plumb_slice *item)
{
    const struct plumb_value *found = NULL;

    for (size_t i = 0; i < c->param->value_count; i++) {
        const struct plumb_value *v = &c->param->values[i];

        if (!matches(c, item, v))
            continue;
        if (plumb_slice_is(item, v->word) && in_release(c->ck, v))
            return v; /* "bf_interval=-1" before "bf_interval=" */
        if (found == NULL || (!in_release(c->ck, found) && in_release(c->ck, v)))
            found = v;
    }
    return found;
}

static const char *nearest_word(const struct plumb_checked *c, const struct plumb_slice *item)
{
    const char *text = plumb_arena_strndup(c->ck->sink->arena, item->text, item->len);
    struct plumb_nearest near = plumb_nearest_to(text);

    for (size_t i = 0; i < c->param->value_count; i++) {
        if (is_named(c->ck, &c->param->values[i]))
            plumb_nearest_offer(&near, c->param->values[i].word);
    }
    return near.best;
}

static void suggest(const struct plumb_checked *c, struct plumb_diag *d,
                    const struct plumb_slice *item)
{
    const char *near = NULL;

    if (plumb_diag_is_dropped(d)) /* nobody reads it, and looking is dear */
        return;
    near = nearest_word(c, item);
    if (near != NULL) {
        plumb_diag_help(d, "did you mean '%s'?", near);
        plumb_diag_edit(d, plumb_checked_span(item), false, near);
    }
}

/* "ANY, ALL or NO" when the set is short enough to be worth reading, else NULL. */
static const char *set_text(const struct plumb_checked *c)
{
    struct plumb_buf text = plumb_buf_in(c->ck->sink->arena);
    size_t count = 0, seen = 0;

    for (size_t i = 0; i < c->param->value_count; i++)
        count += is_named(c->ck, &c->param->values[i]);
    if (count == 0 || count > 12)
        return NULL;
    for (size_t i = 0; i < c->param->value_count; i++) {
        const char *word = c->param->values[i].word;

        if (!is_named(c->ck, &c->param->values[i]))
            continue;
        if (seen > 0)
            plumb_buf_str(&text, seen + 1 == count ? " or " : ", ");
        plumb_buf_str(&text, strcmp(word, "#") == 0 ? "a number" : word);
        seen++;
    }
    return plumb_buf_text(&text);
}

/* gres.c:_handle_autodetect looks for its words anywhere in the value. */
static bool found_in(const struct plumb_checked *c, const struct plumb_slice *item)
{
    if (c->param->id != PLUMB_P_GRESGLOBAL_AUTODETECT && c->param->id != PLUMB_P_GRES_AUTODETECT)
        return false;
    for (size_t i = 0; i < c->param->value_count; i++) {
        const struct plumb_value *v = &c->param->values[i];

        if (strcmp(v->word, "off") != 0 && is_named(c->ck, v) && /* off stands alone */
            plumb_slice_holds(item, v->word))
            return true;
    }
    return false;
}

static bool not_in_set(const struct plumb_checked *c, const struct plumb_slice *item)
{
    const char *set = set_text(c);
    enum plumb_effect effect = found_in(c, item) ? PLUMB_EFFECT_NONE : plumb_bad_effect(c);
    struct plumb_diag *d = NULL;

    if (set != NULL)
        d = plumb_conf_report(c->ck, PLUMB_CONF_NOT_IN_SET, plumb_checked_span(item), effect,
                              c->rev->bad_daemons, "'%s' is no word of '%s', expected %s",
                              plumb_shown(c->ck, item), c->param->name, set);
    else
        d = plumb_conf_report(c->ck, PLUMB_CONF_NOT_IN_SET, plumb_checked_span(item), effect,
                              c->rev->bad_daemons, "'%s' is no word of '%s'",
                              plumb_shown(c->ck, item), c->param->name);
    suggest(c, d, item);
    return false;
}

/* A word that another release has. Its own field 'bad' says when the daemon still reacts to it. */
static bool word_of_other_release(const struct plumb_checked *c, const struct plumb_slice *item,
                                  const struct plumb_value *v)
{
    enum plumb_effect effect = plumb_bad_effect(c);
    unsigned daemons = c->rev->bad_daemons;
    struct plumb_diag *d = NULL;

    if (v->bad != PLUMB_EFFECT_NONE && ((unsigned)c->ck->release > v->last || v->gone)) {

        effect = (enum plumb_effect)v->bad;
        daemons = v->bad_daemons != 0 ? v->bad_daemons : daemons;
    }
    if (v->gone)
        d = plumb_conf_report(c->ck, PLUMB_CONF_WORD_OF_OTHER_RELEASE, plumb_checked_span(item),
                              effect, daemons, "no release takes '%s' for '%s'",
                              plumb_shown(c->ck, item), c->param->name);
    else if ((unsigned)c->ck->release < v->first)
        d = plumb_conf_report(c->ck, PLUMB_CONF_WORD_OF_OTHER_RELEASE, plumb_checked_span(item),
                              effect, daemons, "'%s' of '%s' is not known before %s",
                              plumb_shown(c->ck, item), c->param->name,
                              plumb_release_name((enum plumb_release)v->first));
    else
        d = plumb_conf_report(c->ck, PLUMB_CONF_WORD_OF_OTHER_RELEASE, plumb_checked_span(item),
                              effect, daemons, "'%s' of '%s' had its last use in %s",
                              plumb_shown(c->ck, item), c->param->name,
                              plumb_release_name((enum plumb_release)v->last));
    if (v->note != NULL)
        plumb_diag_fact(d, "%s", v->note);
    return false;
}

/* The number behind "name=", or all of "#"; not a number counts as 0, as atoi has it. */
static bool check_word_number(const struct plumb_checked *c, const struct plumb_slice *item,
                              const struct plumb_value *v)
{
    bool all = strcmp(v->word, "#") == 0;
    struct plumb_slice text = plumb_slice_sub(item, all ? 0 : strlen(v->word), item->len);
    uint64_t n = 0;
    bool number = plumb_read_u64(text.text, text.len, &n);
    enum plumb_effect effect = (enum plumb_effect)v->bad;

    if (!v->has_min && !v->has_max)
        return true;
    if (number && (!v->has_min || n >= v->min) && (!v->has_max || n <= v->max))
        return true;
    if (all && is_level(c, item)) {
        /* log.c lets the level behind the last one pass. */
        effect = level_of(item) > v->max + 1 ? effect : PLUMB_EFFECT_NONE;
    } else if (!number && (plumb_read_digits(text.text, text.len, &n) == SIZE_MAX ||
                           ((!v->has_min || n >= v->min) && (!v->has_max || n <= v->max))))
        effect = PLUMB_EFFECT_NONE; /* digits in front count, and nobody looks at what follows */
    plumb_conf_report(c->ck, PLUMB_CONF_OUT_OF_RANGE, plumb_checked_span(&text), effect,
                      v->bad_daemons != 0 ? v->bad_daemons : c->rev->bad_daemons,
                      "'%s%s' of '%s', expected %s", all ? "" : v->word, plumb_shown(c->ck, &text),
                      c->param->name, plumb_range_text(c, v->has_min, v->min, v->has_max, v->max));
    return false;
}

/* A word that excludes every other. */
static bool not_alone(const struct plumb_checked *c, const struct plumb_slice *item,
                      const struct plumb_value *v)
{
    enum plumb_effect effect =
        v->bad != PLUMB_EFFECT_NONE ? (enum plumb_effect)v->bad : plumb_bad_effect(c);

    plumb_conf_report(c->ck, PLUMB_CONF_NOT_ALONE, plumb_checked_span(item), effect,
                      v->bad_daemons != 0 ? v->bad_daemons : c->rev->bad_daemons,
                      "'%s' of '%s' stands alone, found beside other words in '%s'", v->word,
                      c->param->name, plumb_shown(c->ck, c->value));
    return false;
}

/* One word of an exact set. */
static bool check_word(const struct plumb_checked *c, const struct plumb_slice *item)
{
    const struct plumb_value *v = find_word(c, item);

    if (v == NULL || is_no_level(c, item))
        return not_in_set(c, item);
    if (!in_release(c->ck, v))
        return word_of_other_release(c, item, v);
    if (v->alone && item->len != c->value->len)
        return not_alone(c, item, v);
    return check_word_number(c, item, v);
}

bool plumb_check_word(const struct plumb_checked *c)
{
    return check_word(c, c->value);
}

bool plumb_check_word_list(const struct plumb_checked *c)
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
static const char *contained_word(const struct plumb_checked *c, const struct plumb_slice *item)
{
    for (size_t i = 0; i < c->param->value_count; i++) {
        const struct plumb_value *v = &c->param->values[i];
        size_t len = strlen(v->word);

        if (!in_release(c->ck, v) || len < 3 || v->word[len - 1] == '*')
            continue;
        for (size_t at = 0; at + len <= item->len; at++) {
            if (plumb_equal_nocase(item->text + at, v->word, len))
                return v->word;
        }
    }
    return NULL;
}

static bool unknown_word(const struct plumb_checked *c, const struct plumb_slice *item)
{
    const char *inner = contained_word(c, item);
    struct plumb_slice key = key_part(item);
    struct plumb_diag *d = NULL;

    if (inner != NULL) {
        plumb_conf_report(c->ck, PLUMB_CONF_UNKNOWN_WORD, plumb_checked_span(&key),
                          PLUMB_EFFECT_NONE, 0,
                          "'%s' is no word of '%s', but counts as '%s', which it contains",
                          plumb_shown(c->ck, &key), c->param->name, inner);
        return false;
    }
    d = plumb_conf_report(c->ck, PLUMB_CONF_UNKNOWN_WORD, plumb_checked_span(&key),
                          plumb_bad_effect(c), c->rev->bad_daemons, "'%s' is no word of '%s'",
                          plumb_shown(c->ck, &key), c->param->name);
    suggest(c, d, &key);
    return false;
}

/* The word with exactly the item's key, with or without a sign behind it. */
static const struct plumb_value *find_option(const struct plumb_checked *c,
                                             const struct plumb_slice *item)
{
    const struct plumb_value *exact = find_word(c, item);
    struct plumb_slice key = key_part(item);

    return exact != NULL ? exact : plumb_param_value(c->param, key.text, key.len);
}

static bool check_option(const struct plumb_checked *c, const struct plumb_slice *item)
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
        plumb_conf_report(c->ck, PLUMB_CONF_UNKNOWN_WORD, plumb_checked_span(item),
                          plumb_bad_effect(c), c->rev->bad_daemons,
                          "'%s' of '%s' needs a value, expected '%s'", plumb_shown(c->ck, item),
                          c->param->name, v->word);
        return false;
    }
    return check_word_number(c, item, v);
}

bool plumb_check_option_list(const struct plumb_checked *c)
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

/* "lua" for "job_submit/lua": lists of plugins take both. */
static const struct plumb_value *find_plugin(const struct plumb_checked *c,
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

static bool no_such_plugin(const struct plumb_checked *c, const struct plumb_slice *item)
{
    const char *set = set_text(c);
    enum plumb_effect effect = plumb_bad_effect(c);
    struct plumb_diag *d = plumb_conf_report(
        c->ck, PLUMB_CONF_NO_PLUGIN, plumb_checked_span(item), effect, c->rev->bad_daemons,
        "Slurm ships no plugin '%s' for '%s'%s%s", plumb_shown(c->ck, item), c->param->name,
        set != NULL ? ", expected " : "", set != NULL ? set : "");

    if (c->rev->open)
        plumb_diag_severity(d, PLUMB_WARNING);
    suggest(c, d, item);
    return false;
}

static bool check_plugin(const struct plumb_checked *c, const struct plumb_slice *item)
{
    const struct plumb_value *v = find_plugin(c, item);
    struct plumb_diag *d = NULL;

    if (v == NULL || v->gone)
        return no_such_plugin(c, item);
    if (in_release(c->ck, v) && v->deprecated)
        plumb_conf_report(c->ck, PLUMB_CONF_DEPRECATED, plumb_checked_span(item),
                          (enum plumb_effect)v->bad, v->bad_daemons,
                          "plugin '%s' of '%s' is deprecated", v->word, c->param->name);
    if (in_release(c->ck, v))
        return !v->deprecated;

    bool early = (unsigned)c->ck->release < v->first;
    enum plumb_effect effect =
        v->bad != PLUMB_EFFECT_NONE && !early ? (enum plumb_effect)v->bad : plumb_bad_effect(c);

    d = plumb_conf_report(c->ck, PLUMB_CONF_NO_PLUGIN, plumb_checked_span(item), effect,
                          c->rev->bad_daemons, "plugin '%s' of '%s' %s %s",
                          plumb_shown(c->ck, item), c->param->name,
                          early ? "does not exist before" : "does not exist after",
                          plumb_release_name((enum plumb_release)(early ? v->first : v->last)));
    suggest(c, d, item);
    return false;
}

/*
 * From 23.11 a value with "none" in it means of some keys that nothing was set, whatever else
 * stands in the list (read_config.c). Before, and of other keys, none is a plugin, or none that
 * exists.
 */
static bool check_none(const struct plumb_checked *c)
{
    bool list = memchr(c->value->text, ',', c->value->len) != NULL;

    if (!list)
        return true;
    /* Of this list alone the daemons say so. */
    bool told = c->param->id == PLUMB_P_SLURM_CLIFILTERPLUGINS;

    plumb_conf_report(c->ck, PLUMB_CONF_NONE_DROPS_LIST, plumb_checked_span(c->value),
                      told ? PLUMB_EFFECT_COMPLAINS : PLUMB_EFFECT_IGNORED, 0,
                      "'none' drops the whole list '%s' of '%s'", plumb_shown(c->ck, c->value),
                      c->param->name);
    return false;
}

bool plumb_check_plugin_list(const struct plumb_checked *c)
{
    struct plumb_list_cursor cursor = {0};
    struct plumb_slice item;
    bool sound = true;

    if (c->param->value_count == 0)
        return true;
    if (c->rev->none && plumb_slice_holds(c->value, "none"))
        return check_none(c);
    if (c->rev->type == PLUMB_T_PLUGIN)
        return (c->value->len == 0 && c->rev->empty) || check_plugin(c, c->value);
    while (plumb_list_next(c->value, ',', &cursor, &item))
        sound = check_plugin(c, &item) && sound;
    return sound;
}
