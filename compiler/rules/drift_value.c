/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a value that a client prints is the one of a file. The parameter's type decides how both
 * are read; schema/shown.c has the exceptions.
 */
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "rules/drift.h"
#include "schema/shown.h"

enum { MILLION = 1000000 };

static struct plumb_slice slice_of(const char *text)
{
    return (struct plumb_slice){.text = text, .len = (uint32_t)strlen(text)};
}

static enum plumb_drift_verdict verdict(bool same)
{
    return same ? PLUMB_DRIFT_SAME : PLUMB_DRIFT_OTHER;
}

static bool is_unlimited(const struct plumb_slice *v)
{
    return plumb_slice_is(v, "UNLIMITED") || plumb_slice_is(v, "INFINITE") ||
           plumb_slice_is(v, "NONE") || plumb_slice_is(v, "-1");
}

/* "120 sec", "100.0%", "30MB": millionths of the number in front. */
static bool read_shown(const struct plumb_slice *v, uint64_t *out)
{
    uint64_t whole = 0, part = 0;
    size_t digits = plumb_read_digits(v->text, v->len, &whole), more = 0;

    if (digits == 0 || digits == SIZE_MAX || !plumb_mul_u64(whole, MILLION, out))
        return false;
    if (digits + 1 < v->len && v->text[digits] == '.')
        more = plumb_read_digits(v->text + digits + 1, v->len - digits - 1, &part);
    if (more == 0 || more > 6)
        return true;
    for (; more < 6; more++)
        part *= 10;
    return plumb_add_u64(*out, part, out);
}

/* A number of a file, in the same unit. */
static bool read_number(const struct plumb_slice *v, uint64_t *out)
{
    if (is_unlimited(v)) {
        *out = PLUMB_UNLIMITED;
        return true;
    }
    if (plumb_value_uint(v, 64, out) == PLUMB_VALUE_OK)
        return *out == PLUMB_UNLIMITED || plumb_mul_u64(*out, MILLION, out);
    return read_shown(v, out);
}

/* The number that stands for unlimited in a field of this width (slurm.h, INFINITE). */
static uint64_t infinite(const struct plumb_param_rev *rev)
{
    return rev->type == PLUMB_T_U16   ? UINT16_MAX
           : rev->type == PLUMB_T_U32 ? UINT32_MAX
                                      : UINT64_MAX;
}

static enum plumb_drift_verdict compare_numbers(const struct plumb_param_rev *rev,
                                                const struct plumb_slice *want,
                                                const struct plumb_slice *got, bool no_limit)
{
    uint64_t w = 0, g = 0, plain = 0;

    if (is_unlimited(want) && plumb_read_digits(got->text, got->len, &plain) > 0 &&
        plain == infinite(rev))
        return PLUMB_DRIFT_SAME;

    if (!read_number(want, &w) || !(is_unlimited(got) ? read_number(got, &g) : read_shown(got, &g)))
        return PLUMB_DRIFT_UNKNOWN;
    if (no_limit && w == 0)
        w = PLUMB_UNLIMITED;
    if (no_limit && g == 0)
        g = PLUMB_UNLIMITED;
    return verdict(w == g);
}

enum plumb_drift_verdict plumb_drift_number(uint64_t want, const struct plumb_slice *got, bool cut)
{
    uint64_t g = 0, w = want;

    if (!plumb_read_u64(got->text, got->len, &g))
        return PLUMB_DRIFT_UNKNOWN;
    while (cut && w > g)
        w /= 10; /* the first digits of it */
    return verdict(w == g);
}

static bool read_time(const struct plumb_slice *v, bool minutes, uint64_t *out)
{
    if (is_unlimited(v)) {
        *out = PLUMB_UNLIMITED;
        return true;
    }
    return (minutes ? plumb_value_minutes(v, out) : plumb_value_seconds(v, out)) == PLUMB_VALUE_OK;
}

static enum plumb_drift_verdict compare_times(const struct plumb_param_rev *rev,
                                              const struct plumb_slice *want,
                                              const struct plumb_slice *got)
{
    bool minutes = rev->unit != NULL && strcmp(rev->unit, "minutes") == 0;
    uint64_t w = 0, g = 0;

    if (!read_time(want, minutes, &w) || !read_time(got, minutes, &g))
        return PLUMB_DRIFT_UNKNOWN;
    return verdict(w == g);
}

/* src/common/log.c: log_num2string. */
static bool read_level(const struct plumb_slice *v, uint64_t *out)
{
    static const char *const words[] = {"quiet", "fatal",  "error",  "info",   "verbose",
                                        "debug", "debug2", "debug3", "debug4", "debug5"};

    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (plumb_slice_is(v, words[i])) {
            *out = i;
            return true;
        }
    }
    return plumb_read_u64(v->text, v->len, out);
}

/* "slurm(64030)" */
static enum plumb_drift_verdict compare_users(const struct plumb_slice *want,
                                              const struct plumb_slice *got)
{
    const char *open = memchr(got->text, '(', got->len);
    size_t len = open == NULL ? got->len : (size_t)(open - got->text);
    uint64_t number = 0;

    if (plumb_read_u64(want->text, want->len, &number) && open != NULL) {
        struct plumb_slice inner = plumb_slice_sub(got, len + 1, got->len - 1);

        return verdict(inner.len == want->len && memcmp(inner.text, want->text, want->len) == 0);
    }
    return verdict(len == want->len && memcmp(want->text, got->text, len) == 0);
}

/* What stands behind "kind/". */
static struct plumb_slice bare(struct plumb_slice v)
{
    const char *slash = memchr(v.text, '/', v.len);

    return slash == NULL ? v : plumb_slice_sub(&v, (size_t)(slash - v.text) + 1, v.len);
}

static bool same_word(const struct plumb_slice *a, const struct plumb_slice *b)
{
    return a->len == b->len && plumb_equal_nocase(a->text, b->text, a->len);
}

/* A set of words without case; the value tells which side has it. */
enum { WANTED = 1, MAY_COME = 2, SHOWN = 4 };

struct words {
    const struct plumb_check *ck;
    const struct plumb_param *param;
    enum plumb_shown_as as;
    bool plugins;
    struct plumb_map map; /* lower case -> bits, as a pointer into bits */
};

static unsigned *bits_of(struct words *w, struct plumb_slice word)
{
    struct plumb_buf low = plumb_buf_in(w->ck->scratch);
    struct plumb_map_entry *e = NULL;

    for (uint32_t i = 0; i < word.len; i++)
        plumb_buf_char(&low, plumb_lower(word.text[i]));
    e = plumb_map_entry(&w->map, plumb_buf_text(&low), low.len);
    if (e->value == NULL)
        e->value = PLUMB_NEW(w->ck->scratch, unsigned);
    return e->value;
}

static struct plumb_slice trim(struct plumb_slice v)
{
    size_t from = 0, to = v.len;

    while (from < to && plumb_is_blank(v.text[from]))
        from++;
    while (to > from && plumb_is_blank(v.text[to - 1]))
        to--;
    return plumb_slice_sub(&v, from, to);
}

static void add_words(struct words *w, const struct plumb_slice *list, unsigned bit)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (plumb_list_next(list, ',', &c, &item)) {
        const char *brings = NULL;
        struct plumb_slice word = trim(item), more;

        if (w->plugins)
            word = bare(word);
        if (bit == WANTED && w->as != PLUMB_SHOWN_PLAIN)
            brings = plumb_shown_brings(w->param, word.text, word.len);
        if (brings == NULL || brings[0] != '=')
            *bits_of(w, word) |= bit;
        if (brings == NULL)
            continue;
        more = slice_of(brings[0] == '=' ? brings + 1 : brings);
        add_words(w, &more, w->as == PLUMB_SHOWN_BASE ? MAY_COME : WANTED);
    }
}

static enum plumb_drift_verdict compare_lists(const struct plumb_check *ck,
                                              const struct plumb_param *p, enum plumb_shown_as as,
                                              const struct plumb_slice *want,
                                              const struct plumb_slice *got, bool plugins)
{
    struct words w = {.ck = ck, .param = p, .as = as, .plugins = plugins};
    const char *def = plumb_param_at(p, ck->model->release)->def;

    w.map = plumb_map_in(ck->scratch);
    add_words(&w, want, WANTED);
    if (as == PLUMB_SHOWN_BASE && def != NULL) {
        struct plumb_slice base = slice_of(def);

        add_words(&w, &base, WANTED);
    }
    add_words(&w, got, SHOWN);
    for (size_t i = 0; i < w.map.count; i++) {
        unsigned bits = *(const unsigned *)w.map.entries[i].value;

        if (bits == WANTED || bits == SHOWN)
            return PLUMB_DRIFT_OTHER;
    }
    return PLUMB_DRIFT_SAME;
}

static enum plumb_drift_verdict compare_hosts(const struct plumb_check *ck,
                                              const struct plumb_slice *want,
                                              const struct plumb_slice *got)
{
    const struct plumb_hostlist *w = NULL, *g = NULL;

    if (same_word(want, got))
        return PLUMB_DRIFT_SAME;
    if (plumb_slice_is(want, "ALL") || plumb_slice_is(got, "ALL"))
        return PLUMB_DRIFT_OTHER;
    w = plumb_hosts_read(ck, want);
    g = plumb_hosts_read(ck, got);
    if (w == NULL || g == NULL)
        return PLUMB_DRIFT_UNKNOWN;
    return verdict(plumb_hostlist_minus(ck->scratch, w, g)->count == 0 &&
                   plumb_hostlist_minus(ck->scratch, g, w)->count == 0);
}

/* "YES" is "YES:4": a count of its own is 4 (slurm.conf(5), OverSubscribe). */
static enum plumb_drift_verdict compare_per(const struct plumb_check *ck,
                                            const struct plumb_slice *want,
                                            const struct plumb_slice *got)
{
    struct plumb_slice whole = *want;

    if (memchr(want->text, ':', want->len) == NULL &&
        (plumb_slice_is(want, "YES") || plumb_slice_is(want, "FORCE")))
        whole = slice_of(plumb_arena_printf(ck->scratch, "%.*s:4", (int)want->len, want->text));
    return verdict(same_word(&whole, got));
}

static enum plumb_drift_verdict compare_bools(const struct plumb_slice *want,
                                              const struct plumb_slice *got)
{
    bool w = false, g = false;

    if (plumb_value_bool(want, &w) != PLUMB_VALUE_OK || plumb_value_bool(got, &g) != PLUMB_VALUE_OK)
        return PLUMB_DRIFT_UNKNOWN;
    return verdict(w == g);
}

static enum plumb_drift_verdict by_type(const struct plumb_check *ck, const struct plumb_param *p,
                                        enum plumb_shown_as as, const struct plumb_slice *want,
                                        const struct plumb_slice *got)
{
    const struct plumb_param_rev *rev = plumb_param_at(p, ck->model->release);
    struct plumb_slice w = *want, g = *got;

    switch ((enum plumb_type)rev->type) {
    case PLUMB_T_BOOL:
        return compare_bools(want, got);
    case PLUMB_T_U16:
    case PLUMB_T_U32:
    case PLUMB_T_U64:
    case PLUMB_T_LONG:
    case PLUMB_T_FLOAT:
    case PLUMB_T_SUSPEND_TIME:
        return compare_numbers(rev, want, got, as == PLUMB_SHOWN_NO_LIMIT);
    case PLUMB_T_TIME:
        return compare_times(rev, want, got);
    case PLUMB_T_ENUM_LIST:
    case PLUMB_T_WORD_LIST:
    case PLUMB_T_KEY_LIST:
    case PLUMB_T_PATH_LIST:
    case PLUMB_T_TRES_LIST:
    case PLUMB_T_TRES_WEIGHTS:
        return compare_lists(ck, p, as, want, got, false);
    case PLUMB_T_PLUGIN_LIST:
        return compare_lists(ck, p, as, want, got, true);
    case PLUMB_T_PLUGIN:
        w = bare(w);
        g = bare(g);
        return verdict(same_word(&w, &g));
    case PLUMB_T_HOST_LIST:
        return compare_hosts(ck, want, got);
    case PLUMB_T_ENUM:
    case PLUMB_T_HOST:
    case PLUMB_T_PORT_RANGE:
    case PLUMB_T_PORT_LIST:
    case PLUMB_T_CORE_LIST:
        return verdict(same_word(want, got));
    case PLUMB_T_GRES:
        return plumb_drift_gres(ck, want, got, false);
    default:
        return verdict(want->len == got->len && memcmp(want->text, got->text, got->len) == 0);
    }
}

static enum plumb_drift_verdict by_row(const struct plumb_check *ck, const struct plumb_param *p,
                                       enum plumb_shown_as as, const struct plumb_slice *want,
                                       const struct plumb_slice *got)
{
    uint64_t w = 0, g = 0;

    switch (as) {
    case PLUMB_SHOWN_LEVEL:
        return read_level(want, &w) && read_level(got, &g) ? verdict(w == g) : PLUMB_DRIFT_UNKNOWN;
    case PLUMB_SHOWN_USER:
        return compare_users(want, got);
    case PLUMB_SHOWN_CLOSED:
        return compare_lists(ck, p, as, want, got, false);
    case PLUMB_SHOWN_NAMES:
        return compare_lists(ck, p, PLUMB_SHOWN_PLAIN, want, got, false);
    case PLUMB_SHOWN_PER:
        return compare_per(ck, want, got);
    default:
        return by_type(ck, p, as, want, got);
    }
}

/* "0", "00:00:00", "no", "kind/none": as good as nothing. */
static bool is_zero(const struct plumb_param_rev *rev, const struct plumb_slice *v)
{
    struct plumb_slice end = bare(*v);
    uint64_t n = 1;
    bool yes = true;

    if (plumb_shown_nothing(v->text, v->len) || plumb_shown_nothing(end.text, end.len))
        return true;
    if (rev->type == PLUMB_T_TIME)
        return plumb_value_seconds(v, &n) == PLUMB_VALUE_OK && n == 0;
    if (rev->type == PLUMB_T_BOOL)
        return plumb_value_bool(v, &yes) == PLUMB_VALUE_OK && !yes;
    return read_shown(v, &n) && n == 0;
}

const char *plumb_drift_default(const struct plumb_check *ck, const struct plumb_param *p)
{
    const struct plumb_param_rev *rev = plumb_param_at(p, ck->model->release);
    const char *stop = NULL;

    if (rev->def == NULL)
        return NULL;
    /* "0 (unlimited)" is a value with a word about it; other texts of several words tell how the
     * daemon computes it. */
    stop = strstr(rev->def, " (");
    if (stop != NULL)
        return plumb_arena_strndup(ck->arena, rev->def, (size_t)(stop - rev->def));
    return strchr(rev->def, ' ') != NULL ? NULL : rev->def;
}

/* Nothing is set: the default, where it is a value that is shown. */
static enum plumb_drift_verdict compare_unset(const struct plumb_check *ck,
                                              const struct plumb_param *p,
                                              const struct plumb_shown *row,
                                              const struct plumb_slice *got)
{
    const struct plumb_param_rev *rev = plumb_param_at(p, ck->model->release);
    const char *text = plumb_drift_default(ck, p);
    struct plumb_slice def;

    if (row != NULL && row->as == PLUMB_SHOWN_SET_ONLY)
        return PLUMB_DRIFT_UNKNOWN;
    if (rev->def == NULL)
        return verdict(is_zero(rev, got) ||
                       (row != NULL && row->as == PLUMB_SHOWN_NO_LIMIT && is_unlimited(got)));
    if (text == NULL || strcmp(text, "global") == 0)
        return PLUMB_DRIFT_UNKNOWN;
    def = slice_of(text);
    return by_row(ck, p, row == NULL ? PLUMB_SHOWN_PLAIN : row->as, &def, got);
}

static enum plumb_drift_verdict compare(const struct plumb_check *ck, const struct plumb_param *p,
                                        const struct plumb_slice *want,
                                        const struct plumb_slice *got)
{
    const struct plumb_shown *row = plumb_shown_of(p);
    const struct plumb_param_rev *rev = plumb_param_at(p, ck->model->release);
    enum plumb_shown_as as = row == NULL ? PLUMB_SHOWN_PLAIN : row->as;
    bool nothing = plumb_shown_nothing(got->text, got->len) ||
                   (row != NULL && row->unset != NULL && plumb_slice_is(got, row->unset));

    if (as == PLUMB_SHOWN_NEVER ||
        (rev->life != PLUMB_LIFE_OK && rev->life != PLUMB_LIFE_DEPRECATED))
        return PLUMB_DRIFT_UNKNOWN;
    if (want != NULL && rev->none && plumb_slice_holds(want, "none"))
        want = NULL; /* as good as not set: the default counts */
    if (want == NULL)
        return nothing ? PLUMB_DRIFT_SAME : compare_unset(ck, p, row, got);
    if (nothing && as == PLUMB_SHOWN_PART)
        return PLUMB_DRIFT_UNKNOWN;
    if (nothing && is_zero(rev, want))
        return PLUMB_DRIFT_SAME;
    if (nothing && (row == NULL || row->unset == NULL || !plumb_slice_is(got, row->unset)))
        return PLUMB_DRIFT_OTHER;
    if (is_zero(rev, got) && is_zero(rev, want))
        return PLUMB_DRIFT_SAME;
    return by_row(ck, p, as, want, got);
}

enum plumb_drift_verdict plumb_drift_compare(const struct plumb_check *ck,
                                             const struct plumb_param *p,
                                             const struct plumb_slice *want,
                                             const struct plumb_slice *got, bool cut)
{
    enum plumb_drift_verdict v = compare(ck, p, want, got);

    if (v == PLUMB_DRIFT_OTHER && cut && want != NULL && got->len < want->len &&
        plumb_equal_nocase(want->text, got->text, got->len))
        return PLUMB_DRIFT_UNKNOWN;
    return v;
}
