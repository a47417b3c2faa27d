/* SPDX-License-Identifier: Apache-2.0 */
/* The brackets of a host name: where they are, and the ranges in them. */
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "model/hostlist_reader.h"

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
    if (at == begin || lo_end - begin > UINT8_MAX || memchr(t + begin, 'x', end - begin) != NULL)
        return false; /* an 'x' would make it a box of more dimensions */
    r->width = (uint8_t)(lo_end - begin);
    r->hi = r->lo;
    if (dash == NULL || *open)
        return at == lo_end;
    /* What stands behind the first number is not looked at, but it counts as width. */
    if (read_number(t, lo_end + 1, end, &r->hi, &fits_hi) != end)
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

/* More than blanks and a sign stand beside the numbers of a range. */
static bool holds_text(const char *t, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        if (!plumb_is_digit(t[i]) && !plumb_is_blank(t[i]) && t[i] != '-' && t[i] != '+')
            return true;
    }
    return false;
}

/* Reports what is wrong with a range; false when it must not be used. */
static bool judge_range(struct plumb_host_reader *rd, size_t begin, size_t end,
                        const struct plumb_host_range *r, bool fits, bool open)
{
    const char *shown = plumb_host_part(rd, begin, end);

    if (r->lo > r->hi) {
        plumb_host_report(rd, PLUMB_HOST_REVERSED, begin, end,
                          "range '%s' ends below its start, expected lo-hi", shown);
        return false;
    }
    if (r->hi - r->lo >= PLUMB_MAX_HOST_RANGE) {
        plumb_host_report(rd, PLUMB_HOST_RANGE_TOO_LARGE, begin, end,
                          "range '%s' has more than %d names", shown, PLUMB_MAX_HOST_RANGE);
        return false;
    }
    if (!fits) {
        plumb_host_report(rd, PLUMB_HOST_BIG_NUMBER, begin, end,
                          "number in '%s' does not fit in 64 bits, slurmctld reads it as "
                          "18446744073709551615",
                          shown);
        return false;
    }
    if (open)
        plumb_host_report(rd, PLUMB_HOST_OPEN_RANGE, begin, end,
                          "range '%s' has no end, it is read as %.*s", shown,
                          (int)(end - begin - 1), shown);
    else if (!all_plain(rd->text->text, begin, end))
        plumb_host_report(rd, PLUMB_HOST_SLOPPY_NUMBER, begin, end,
                          "%s in '%s' counts as padding, its names have %u digits",
                          holds_text(rd->text->text, begin, end) ? "text behind the first number"
                                                                 : "a blank or sign",
                          shown, (unsigned)r->width);
    return true;
}

static void read_item(struct plumb_host_reader *rd, struct plumb_host_group *g, size_t begin,
                      size_t end)
{
    struct plumb_host_range r = {.suffix = "", .numbered = true};
    bool fits = true, open = false;

    if (begin == end) {
        plumb_host_report(rd, PLUMB_HOST_BAD_RANGE, begin, end + 1,
                          "empty item in brackets, expected a number or lo-hi");
        rd->bad = true;
        return;
    }
    if (!split_range(rd->text->text, begin, end, &r, &fits, &open)) {
        plumb_host_report(rd, PLUMB_HOST_BAD_RANGE, begin, end,
                          "invalid range '%s', expected a number or lo-hi",
                          plumb_host_part(rd, begin, end));
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

void plumb_host_read_group(struct plumb_host_reader *rd, struct plumb_host_group *g)
{
    size_t begin = g->open + 1;

    for (size_t i = begin; i <= g->close; i++) {
        if (i < g->close && rd->text->text[i] != ',')
            continue;
        if (g->count >= PLUMB_MAX_HOST_RANGES) {
            plumb_host_report(rd, PLUMB_HOST_TOO_MANY, g->open, g->close + 1,
                              "brackets hold more than %d ranges", PLUMB_MAX_HOST_RANGES);
            rd->bad = true;
            return;
        }
        read_item(rd, g, begin, i);
        begin = i + 1;
    }
}

/* An open bracket: refused, or misread in silence. */
static void report_open(struct plumb_host_reader *rd, size_t at)
{
    struct plumb_diag *d =
        plumb_host_report(rd, PLUMB_HOST_UNBALANCED, at, at + 1, "'[' has no ']'");

    rd->bad = true;
    if (plumb_host_trait(rd, PLUMB_TRAIT_OPEN_BRACKETS_REFUSED))
        return;
    plumb_diag_severity(d, PLUMB_WARNING);
    plumb_diag_effect(d, PLUMB_EFFECT_IGNORED, PLUMB_SLURM_ALL);
    plumb_diag_fact(d, "slurmctld %s takes what is before it, with a ']' behind, as a name",
                    plumb_release_name(rd->release));
}

static void report_stray(struct plumb_host_reader *rd, size_t at)
{
    plumb_host_report(rd, PLUMB_HOST_STRAY_BRACKET, at, at + 1,
                      "'%c' has no partner and becomes part of the name", rd->text->text[at]);
    rd->bad = true;
}

/*
 * Finds the bracket groups of a name: each ']' closes the '[' that is nearest before it. False
 * when they are too many, or one is left open.
 */
bool plumb_host_find_groups(struct plumb_host_reader *rd, size_t begin, size_t end,
                            struct plumb_host_group *groups, size_t *count)
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
        if (*count == PLUMB_HOST_GROUPS) {
            plumb_host_report(rd, PLUMB_HOST_TOO_MANY, open, open + 1,
                              "name has more than %d bracket groups", PLUMB_HOST_GROUPS);
            rd->bad = true;
            return false;
        }
        groups[(*count)++] = (struct plumb_host_group){.open = open, .close = i};
        open = SIZE_MAX;
    }
    if (open == SIZE_MAX)
        return true;
    report_open(rd, open);
    return false;
}
