/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading of host lists. What a list means, and what is refused, follows
 * src/common/hostlist.c of the release (hostlist_create, _parse_single_range); where the
 * daemons read a slip in silence, the finding is a warning that tells what they read.
 */
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "model/hostlist.h"

enum {
    MAX_GROUPS = 16,                     /* bracket groups of one name; Slurm itself has no limit */
    MAX_PREFIX_BYTES = 64 * 1024 * 1024, /* text made by expanding leading groups */
};

enum host_rule {
    UNBALANCED,
    BAD_RANGE,
    REVERSED,
    RANGE_TOO_LARGE,
    TOO_MANY,
    SUFFIX,
    OPEN_RANGE,
    SLOPPY_NUMBER,
    BIG_NUMBER,
    STRAY_BRACKET,
    CONTROL,
};

static const struct plumb_rule host_rules[] = {
    [UNBALANCED] =
        {
            .code = "HOST001",
            .name = "host-bracket-open",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a bracket of a host list is not closed",
            .why = "From 23.11 on the whole list is invalid. Earlier releases take the text up to "
                   "the next comma, put a ']' in place of the '[' and go on with a name that no "
                   "machine has: slurmctld starts where nothing else speaks of the nodes meant.",
            .ref = "src/common/hostlist.c:hostlist_create",
            .bad = "NodeName=gpu-[01-16 CPUs=64",
            .good = "NodeName=gpu-[01-16] CPUs=64",
        },
    [BAD_RANGE] =
        {
            .code = "HOST002",
            .name = "host-range-syntax",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "an item in brackets is neither a number nor a range of numbers",
            .why = "Brackets hold decimal numbers and ranges of them, divided by commas; there are "
                   "no letters, no steps, no negative numbers, and no empty items.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=gpu-[01-16,x] CPUs=64",
            .good = "NodeName=gpu-[01-16],gpu-x CPUs=64",
        },
    [REVERSED] =
        {
            .code = "HOST003",
            .name = "host-range-reversed",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a range of a host list ends below its start",
            .why = "Slurm does not turn the range round; the whole list is invalid.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=gpu-[16-01] CPUs=64",
            .good = "NodeName=gpu-[01-16] CPUs=64",
        },
    [RANGE_TOO_LARGE] =
        {
            .code = "HOST004",
            .name = "host-range-large",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a range of a host list has more than 65536 names",
            .why = "MAX_RANGE of Slurm is 65536; the whole list is invalid.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=gpu-[0-100000] CPUs=64",
            .good = "NodeName=gpu-[0-1000] CPUs=64",
        },
    [TOO_MANY] =
        {
            .code = "HOST005",
            .name = "host-list-large",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a host list is larger than can be handled",
            .why = "A bracket holds at most 262144 ranges. Several brackets in one name are "
                   "multiplied, so that a short text can stand for more names than fit in memory.",
            .ref = "src/common/hostlist.c:_parse_range_list",
            .bad = "NodeName=r[1-9999]n[1-9999] CPUs=64",
            .good = "NodeName=r[1-99]n[1-99] CPUs=64",
        },
    [SUFFIX] =
        {
            .code = "HOST006",
            .name = "host-suffix",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "text stands behind the last bracket of a name, which needs release 23.11",
            .why = "Before 23.11 a bracket had to end the name; the whole list is invalid.",
            .ref = "src/common/hostlist.c:hostlist_create; RELEASE_NOTES 23.11",
            .bad = "SlurmctldHost=ctl\nNodeName=gpu[1-2]-ib CPUs=64   # with 22.05",
            .good = "NodeName=gpu1-ib,gpu2-ib CPUs=64",
        },
    [OPEN_RANGE] =
        {
            .code = "HOST007",
            .name = "host-range-no-end",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a range of a host list has no end and is read as one number",
            .why = "Slurm reads 'gpu-[1-]' as 'gpu-1' without a word.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=gpu-[1-] CPUs=64",
            .good = "NodeName=gpu-[1-8] CPUs=64",
        },
    [SLOPPY_NUMBER] =
        {
            .code = "HOST008",
            .name = "host-number-blank",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a blank or sign beside a number in brackets counts as a digit of padding",
            .why = "Slurm takes the width of the text before the '-' as the width of the names: "
                   "'gpu[1, 2]' is gpu1 and gpu02.",
            .ref = "src/common/hostlist.c:_parse_single_range",
            .bad = "NodeName=\"gpu[1, 2]\" CPUs=64",
            .good = "NodeName=gpu[1,2] CPUs=64",
        },
    [BIG_NUMBER] =
        {
            .code = "HOST009",
            .name = "host-number-large",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a number of a host name does not fit in 64 bits and becomes another one",
            .why = "strtoul reads it as 18446744073709551615, and that is the name of the node.",
            .ref = "src/common/hostlist.c:_parse_single_range, src/common/hostlist.c:hostlist_push",
            .bad = "NodeName=n99999999999999999999 CPUs=64",
            .good = "NodeName=n9999 CPUs=64",
        },
    [STRAY_BRACKET] =
        {
            .code = "HOST010",
            .name = "host-bracket-stray",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a bracket without its partner becomes part of a host name",
            .why = "Slurm takes the bracket as a letter of the name, which then fits no machine.",
            .ref = "src/common/hostlist.c:hostlist_create",
            .bad = "NodeName=gpu-01-16] CPUs=64",
            .good = "NodeName=gpu-[01-16] CPUs=64",
        },
    [CONTROL] =
        {
            .code = "HOST011",
            .name = "host-name-control",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a host name holds a control character",
            .why = "Slurm takes any byte but the separators as part of the name, which then fits "
                   "no machine; a zero byte ends the text.",
            .ref = "src/common/hostlist.c:hostlist_create",
        },
};

const struct plumb_rule_family plumb_host_rules = {
    .prefix = "HOST",
    .title = "Host lists and names",
    .rules = host_rules,
    .count = PLUMB_COUNT(host_rules),
};

/* The ranges of one pair of brackets. */
struct group {
    size_t open, close; /* offsets of the brackets */
    struct plumb_host_range *ranges;
    size_t count, cap;
    uint64_t names;
};

struct host_reader {
    struct plumb_session *s;
    const struct plumb_slice *text;
    enum plumb_release release;
    struct plumb_hostlist *out;
    bool bad;
    bool full; /* too many names: reported once */
};

#define report(rd, rule, begin, end, ...)                                                          \
    plumb_diag_new(&(rd)->s->sink, &host_rules[rule], plumb_slice_span((rd)->text, begin, end),    \
                   __VA_ARGS__)

/* Part of the text for a message: hostile lists may be long. */
static const char *part(struct host_reader *rd, size_t begin, size_t end)
{
    enum { SHOWN = 40 };
    size_t len = end - begin;

    if (len <= SHOWN)
        return plumb_arena_strndup(rd->s->arena, rd->text->text + begin, len);
    return plumb_arena_printf(rd->s->arena, "%.*s...", SHOWN, rd->text->text + begin);
}

static bool too_many(struct host_reader *rd, struct plumb_span at)
{
    if (!rd->full)
        plumb_diag_new(&rd->s->sink, &host_rules[TOO_MANY], at,
                       "host list stands for too many names, at most %d are read",
                       PLUMB_MAX_HOST_COUNT);
    rd->full = true;
    rd->bad = true;
    return false;
}

/* Adds a range to the result. False when the list has become too large. */
static bool push(struct host_reader *rd, struct plumb_host_range r, struct plumb_span at)
{
    struct plumb_hostlist *h = rd->out;

    if (!plumb_add_u64(h->count, r.hi - r.lo + 1, &h->count) || h->count > PLUMB_MAX_HOST_COUNT)
        return too_many(rd, at);
    r.at = at;
    h->ranges =
        plumb_arena_grow(rd->s->arena, h->ranges, h->range_count, &h->cap, sizeof(*h->ranges));
    h->ranges[h->range_count++] = r;
    return true;
}

/* The prefix of the range before where it is the same, as in a list of names. */
static const char *intern_prefix(struct host_reader *rd, const char *name, size_t len)
{
    const struct plumb_hostlist *h = rd->out;
    const char *last = h->range_count > 0 ? h->ranges[h->range_count - 1].prefix : NULL;

    if (last != NULL && strncmp(last, name, len) == 0 && last[len] == '\0')
        return last;
    return plumb_intern_text(rd->s->intern, name, len);
}

/*
 * One whole name without brackets: the digits at its end are its number. Digits that a
 * width of 255 cannot hold stay in the prefix.
 */
static bool push_name(struct host_reader *rd, const char *name, size_t len, struct plumb_span at)
{
    size_t digits = 0;
    struct plumb_host_range r = {.suffix = ""};

    while (digits < len && digits < UINT8_MAX && plumb_is_digit(name[len - digits - 1]))
        digits++;
    if (digits > 0 && !plumb_read_u64(name + len - digits, digits, &r.lo)) {
        plumb_diag_new(&rd->s->sink, &host_rules[BIG_NUMBER], at,
                       "number at the end of a host name has %zu digits and does not fit in 64 "
                       "bits, slurmctld reads it as 18446744073709551615",
                       digits);
        rd->bad = true;
        return false;
    }
    r.hi = r.lo;
    r.width = (uint8_t)digits;
    r.numbered = digits > 0;
    r.prefix = intern_prefix(rd, name, len - digits);
    return push(rd, r, at);
}

/* A number as strtoul takes it: blanks and a sign may stand before it. Offset behind it, or
 * begin when there is none. */
static size_t read_number(const char *text, size_t begin, size_t end, uint64_t *out, bool *fits)
{
    size_t i = begin;

    while (i < end && plumb_is_blank(text[i]))
        i++;
    if (i < end && text[i] == '+')
        i++;

    size_t from = i;

    while (i < end && plumb_is_digit(text[i]))
        i++;
    if (i == from)
        return begin;
    *fits = plumb_read_u64(text + from, i - from, out);
    if (!*fits)
        *out = UINT64_MAX; /* strtoul */
    return i;
}

/* Splits "lo-hi" where src/common/hostlist.c does; false when that refuses it. */
static bool split_range(const char *t, size_t begin, size_t end, struct plumb_host_range *r,
                        bool *fits, bool *open)
{
    const char *dash = memchr(t + begin, '-', end - begin);
    size_t lo_end = dash == NULL ? end : (size_t)(dash - t);
    size_t at = read_number(t, begin, lo_end, &r->lo, fits);
    bool fits_hi = true;

    *open = dash != NULL && lo_end + 1 == end;
    if (at == begin || lo_end - begin > UINT8_MAX)
        return false;
    r->width = (uint8_t)(lo_end - begin);
    r->hi = r->lo;
    if (dash == NULL || *open)
        return at == lo_end;
    /* What stands behind a blank is not looked at, but it counts as width. */
    if ((at < lo_end && !plumb_is_blank(t[at])) ||
        read_number(t, lo_end + 1, end, &r->hi, &fits_hi) != end)
        return false;
    *fits = *fits && fits_hi;
    return true;
}

static bool all_plain(const char *t, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!plumb_is_digit(t[i]) && t[i] != '-')
            return false;
    }
    return true;
}

/* Reports what is wrong with a range; false when it must not be used. */
static bool judge_range(struct host_reader *rd, size_t begin, size_t end,
                        const struct plumb_host_range *r, bool fits, bool open)
{
    const char *shown = part(rd, begin, end);

    if (r->lo > r->hi) {
        report(rd, REVERSED, begin, end, "range '%s' ends below its start, expected lo-hi", shown);
        return false;
    }
    if (r->hi - r->lo >= PLUMB_MAX_HOST_RANGE) {
        report(rd, RANGE_TOO_LARGE, begin, end, "range '%s' has more than %d names", shown,
               PLUMB_MAX_HOST_RANGE);
        return false;
    }
    if (!fits) {
        report(rd, BIG_NUMBER, begin, end,
               "number in '%s' does not fit in 64 bits, slurmctld reads it as "
               "18446744073709551615",
               shown);
        return false;
    }
    if (open)
        report(rd, OPEN_RANGE, begin, end, "range '%s' has no end, it is read as %.*s", shown,
               (int)(end - begin - 1), shown);
    else if (!all_plain(rd->text->text, begin, end))
        report(rd, SLOPPY_NUMBER, begin, end,
               "a blank or sign in '%s' counts as padding, its names have %u digits", shown,
               (unsigned)r->width);
    return true;
}

static void read_item(struct host_reader *rd, struct group *g, size_t begin, size_t end)
{
    struct plumb_host_range r = {.suffix = "", .numbered = true};
    bool fits = true, open = false;

    if (begin == end) {
        report(rd, BAD_RANGE, begin, end + 1, "empty item in brackets, expected a number or lo-hi");
        rd->bad = true;
        return;
    }
    if (!split_range(rd->text->text, begin, end, &r, &fits, &open)) {
        report(rd, BAD_RANGE, begin, end, "invalid range '%s', expected a number or lo-hi",
               part(rd, begin, end));
        rd->bad = true;
        return;
    }
    if (!judge_range(rd, begin, end, &r, fits, open)) {
        rd->bad = true;
        return;
    }
    r.at = plumb_slice_span(rd->text, begin, end);
    g->ranges = plumb_arena_grow(rd->s->arena, g->ranges, g->count, &g->cap, sizeof(*g->ranges));
    g->ranges[g->count++] = r;
    g->names += r.hi - r.lo + 1;
}

static void read_group(struct host_reader *rd, struct group *g)
{
    size_t begin = g->open + 1;

    for (size_t i = begin; i <= g->close; i++) {
        if (i < g->close && rd->text->text[i] != ',')
            continue;
        if (g->count >= PLUMB_MAX_HOST_RANGES) {
            report(rd, TOO_MANY, g->open, g->close + 1, "brackets hold more than %d ranges",
                   PLUMB_MAX_HOST_RANGES);
            rd->bad = true;
            return;
        }
        read_item(rd, g, begin, i);
        begin = i + 1;
    }
}

/* An open bracket: refused from 23.11 on, misread in silence before. */
static void report_open(struct host_reader *rd, size_t at)
{
    struct plumb_diag *d = report(rd, UNBALANCED, at, at + 1, "'[' has no ']'");

    rd->bad = true;
    if (rd->release >= PLUMB_23_11)
        return;
    plumb_diag_severity(d, PLUMB_WARNING);
    plumb_diag_effect(d, PLUMB_EFFECT_IGNORED, PLUMB_SLURM_ALL);
    plumb_diag_fact(d, "slurmctld %s takes what is before it, with a ']' behind, as a name",
                    plumb_release_name(rd->release));
}

static void report_stray(struct host_reader *rd, size_t at)
{
    report(rd, STRAY_BRACKET, at, at + 1, "'%c' has no partner and becomes part of the name",
           rd->text->text[at]);
    rd->bad = true;
}

/*
 * Finds the bracket groups of a name: each ']' closes the '[' that is nearest before it. False
 * when they are too many, or one is left open.
 */
static bool find_groups(struct host_reader *rd, size_t begin, size_t end, struct group *groups,
                        size_t *count)
{
    const char *t = rd->text->text;
    size_t open = SIZE_MAX;

    *count = 0;
    for (size_t i = begin; i < end; i++) {
        if (t[i] == ']' && open == SIZE_MAX)
            report_stray(rd, i);
        if (t[i] == '[' && open != SIZE_MAX)
            report_stray(rd, open);
        if (t[i] == '[')
            open = i;
        if (t[i] != ']' || open == SIZE_MAX)
            continue;
        if (*count == MAX_GROUPS) {
            report(rd, TOO_MANY, open, open + 1, "name has more than %d bracket groups",
                   MAX_GROUPS);
            rd->bad = true;
            return false;
        }
        groups[(*count)++] = (struct group){.open = open, .close = i};
        open = SIZE_MAX;
    }
    if (open == SIZE_MAX)
        return true;
    report_open(rd, open);
    return false;
}

/* Position in the product of the leading groups. */
struct odometer {
    size_t range[MAX_GROUPS];
    uint64_t offset[MAX_GROUPS];
};

static bool step_odometer(struct odometer *o, const struct group *groups, size_t count)
{
    for (size_t g = count; g-- > 0;) {
        const struct plumb_host_range *r = &groups[g].ranges[o->range[g]];

        if (r->lo + o->offset[g] < r->hi) {
            o->offset[g]++;
            return true;
        }
        o->offset[g] = 0;
        if (++o->range[g] < groups[g].count)
            return true;
        o->range[g] = 0;
    }
    return false;
}

/* The text of the name up to and including group count - 1, as the odometer stands. */
static void spell_prefix(struct host_reader *rd, const struct odometer *o,
                         const struct group *groups, size_t count, size_t begin,
                         struct plumb_buf *out)
{
    out->len = 0;
    for (size_t g = 0; g < count; g++) {
        struct plumb_host_range one = groups[g].ranges[o->range[g]];
        struct plumb_hostlist list = {.ranges = &one, .range_count = 1};

        plumb_buf_add(out, rd->text->text + begin, groups[g].open - begin);
        one.lo += o->offset[g];
        one.hi = one.lo;
        one.prefix = "";
        plumb_hostlist_text(&list, out);
        begin = groups[g].close + 1;
    }
}

/* Adds the ranges of the last group behind one expanded prefix. */
static bool push_group(struct host_reader *rd, const struct group *g, const char *prefix,
                       const char *suffix, struct plumb_span whole)
{
    for (size_t i = 0; i < g->count; i++) {
        struct plumb_host_range r = g->ranges[i];

        r.prefix = prefix;
        r.suffix = suffix;
        if (!push(rd, r, g->count == 1 ? whole : r.at))
            return false;
    }
    return true;
}

/* The names of a token, multiplied out; false when they are too many to keep. */
static bool count_names(const struct group *groups, size_t count, size_t len)
{
    uint64_t names = 1, bytes = len;

    for (size_t g = 0; g < count; g++) {
        if (!plumb_mul_u64(names, groups[g].names, &names) || names > PLUMB_MAX_HOST_COUNT)
            return false;
        if (g + 1 < count && !plumb_mul_u64(bytes, groups[g].names, &bytes))
            return false;
    }
    return bytes <= MAX_PREFIX_BYTES;
}

/*
 * All groups but the last are expanded, as Slurm does; the last stays a range. A suffix with
 * digits ends in a number of its own, so there the last group is expanded too.
 */
static void expand(struct host_reader *rd, const struct group *groups, size_t count, size_t begin,
                   size_t end)
{
    const char *t = rd->text->text;
    size_t behind = groups[count - 1].close + 1;
    const char *suffix = plumb_intern_text(rd->s->intern, t + behind, end - behind);
    bool whole_names = strpbrk(suffix, "0123456789") != NULL;
    size_t leading = whole_names ? count : count - 1;
    struct plumb_span at = plumb_slice_span(rd->text, begin, end);
    struct plumb_buf prefix = plumb_buf_in(rd->s->arena);
    struct odometer o = {0};

    do {
        size_t from = leading == 0 ? begin : groups[leading - 1].close + 1;

        spell_prefix(rd, &o, groups, leading, begin, &prefix);
        if (whole_names) {
            plumb_buf_str(&prefix, suffix);
            if (!push_name(rd, plumb_buf_text(&prefix), prefix.len, at))
                return;
            continue;
        }
        plumb_buf_add(&prefix, t + from, groups[leading].open - from);

        const char *head = plumb_intern_text(rd->s->intern, plumb_buf_text(&prefix), prefix.len);

        if (!push_group(rd, &groups[leading], head, suffix, at))
            return;
    } while (step_odometer(&o, groups, leading));
}

/* False when the token holds a control character: reported. */
static bool is_printable(struct host_reader *rd, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        unsigned char c = (unsigned char)rd->text->text[i];

        if (c >= 0x20 && c != 0x7f)
            continue;
        report(rd, CONTROL, i, i + 1, "byte 0x%02x in a host name, expected a letter or digit", c);
        rd->bad = true;
        return false;
    }
    return true;
}

static void read_token(struct host_reader *rd, size_t begin, size_t end)
{
    struct group groups[MAX_GROUPS];
    size_t count = 0;

    if (!is_printable(rd, begin, end))
        return;
    if (!find_groups(rd, begin, end, groups, &count))
        return;
    if (count == 0) {
        (void)push_name(rd, rd->text->text + begin, end - begin,
                        plumb_slice_span(rd->text, begin, end));
        return;
    }
    for (size_t g = 0; g < count; g++)
        read_group(rd, &groups[g]);

    size_t behind = groups[count - 1].close + 1;

    if (behind < end && rd->release < PLUMB_23_11) {
        report(rd, SUFFIX, behind, end,
               "'%s' stands behind a bracket, slurmctld %s expects the name to end there",
               part(rd, behind, end), plumb_release_name(rd->release));
        rd->bad = true;
    }
    if (rd->bad)
        return;
    if (!count_names(groups, count, end - begin))
        too_many(rd, plumb_slice_span(rd->text, begin, end));
    else
        expand(rd, groups, count, begin, end);
}

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Room for every range of a long list at once: text between separators is one at most. */
static void reserve_ranges(struct host_reader *rd)
{
    enum { LONG_LIST = 4096 };
    struct plumb_hostlist *h = rd->out;
    size_t count = 1;

    if (rd->text->len < LONG_LIST)
        return;
    for (size_t i = 0; i < rd->text->len; i++)
        count += is_separator(rd->text->text[i]);
    h->ranges = plumb_arena_reserve(rd->s->arena, h->ranges, h->range_count, &h->cap,
                                    sizeof(*h->ranges), count);
}

struct plumb_hostlist *plumb_hostlist_read(struct plumb_session *s, const struct plumb_slice *text,
                                           enum plumb_release release)
{
    struct plumb_hostlist *h = PLUMB_NEW(s->arena, struct plumb_hostlist);
    struct host_reader rd = {.s = s, .text = text, .release = release, .out = h};

    h->at = text->at;
    reserve_ranges(&rd);
    for (size_t i = 0; i < text->len;) {
        size_t begin = i;
        int depth = 0;

        if (is_separator(text->text[i])) {
            i++;
            continue;
        }
        /* Separators in brackets belong to the brackets; a stray ']' cancels the next '['. */
        for (; i < text->len && (depth > 0 || !is_separator(text->text[i])); i++)
            depth += (text->text[i] == '[') - (text->text[i] == ']');
        read_token(&rd, begin, i);
    }
    return rd.bad ? NULL : h;
}
