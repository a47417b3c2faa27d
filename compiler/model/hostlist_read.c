/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading of host lists. What a list means, and what is refused, follows
 * src/common/hostlist.c of the release (hostlist_create, _parse_single_range); where the
 * daemons read a slip in silence, the finding is a warning that tells what they read.
 */
#include "base/limits.h"
#include "model/hostlist_reader.h"

bool plumb_host_trait(const struct plumb_host_reader *rd, enum plumb_trait_id id)
{
    return plumb_trait_value(rd->s->table, rd->release, id) != 0;
}

/* Part of the text for a message: hostile lists may be long. */
const char *plumb_host_part(struct plumb_host_reader *rd, size_t begin, size_t end)
{
    enum { SHOWN = 40 };
    size_t len = end - begin;

    if (len <= SHOWN)
        return plumb_arena_strndup(rd->s->arena, rd->text->text + begin, len);
    return plumb_arena_printf(rd->s->arena, "%.*s...", SHOWN, rd->text->text + begin);
}

bool plumb_host_too_many(struct plumb_host_reader *rd, struct plumb_span at)
{
    if (!rd->full)
        plumb_diag_new(&rd->s->sink, &plumb_host_rows[PLUMB_HOST_TOO_MANY], at,
                       "host list stands for too many names, at most %d are read",
                       PLUMB_MAX_HOST_COUNT);
    rd->full = true;
    rd->bad = true;
    return false;
}

/* False when the token holds a control character: reported. */
static bool is_printable(struct plumb_host_reader *rd, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        unsigned char c = (unsigned char)rd->text->text[i];

        if (c >= 0x20 && c != 0x7f)
            continue;
        plumb_host_report(rd, PLUMB_HOST_CONTROL, i, i + 1,
                          "byte 0x%02x in a host name, expected a letter or digit", c);
        rd->bad = true;
        return false;
    }
    return true;
}

static void read_token(struct plumb_host_reader *rd, size_t begin, size_t end)
{
    struct plumb_host_group groups[PLUMB_HOST_GROUPS];
    size_t count = 0;

    if (!is_printable(rd, begin, end))
        return;
    if (!plumb_host_find_groups(rd, begin, end, groups, &count))
        return;
    if (count == 0) {
        if (!rd->bad) /* a stray bracket */
            (void)plumb_host_push_name(rd, rd->text->text + begin, end - begin,
                                       plumb_slice_span(rd->text, begin, end));
        return;
    }
    for (size_t g = 0; g < count; g++)
        plumb_host_read_group(rd, &groups[g]);

    size_t behind = groups[count - 1].close + 1;

    if (behind < end && !plumb_host_trait(rd, PLUMB_TRAIT_NAMES_GO_ON_BEHIND_BRACKETS)) {
        plumb_host_report(
            rd, PLUMB_HOST_SUFFIX, behind, end,
            "'%s' stands behind a bracket, slurmctld %s expects the name to end there",
            plumb_host_part(rd, behind, end), plumb_release_name(rd->release));
        rd->bad = true;
    }
    if (rd->bad)
        return;
    if (!plumb_host_count_names(groups, count, end - begin))
        plumb_host_too_many(rd, plumb_slice_span(rd->text, begin, end));
    else
        plumb_host_expand(rd, groups, count, begin, end);
}

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Room for every range of a long list at once: text between separators is one at most. */
static void reserve_ranges(struct plumb_host_reader *rd)
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

struct plumb_hostlist *plumb_hostlist_read_rest(struct plumb_session *s,
                                                const struct plumb_slice *text,
                                                enum plumb_release release, bool *whole)
{
    struct plumb_hostlist *h = PLUMB_NEW(s->arena, struct plumb_hostlist);
    struct plumb_host_reader rd = {.s = s, .text = text, .release = release, .out = h};

    *whole = true;
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
        rd.bad = rd.full;
        read_token(&rd, begin, i);
        *whole = *whole && !rd.bad;
    }
    return h;
}

struct plumb_hostlist *plumb_hostlist_read(struct plumb_session *s, const struct plumb_slice *text,
                                           enum plumb_release release)
{
    bool whole = false;
    struct plumb_hostlist *h = plumb_hostlist_read_rest(s, text, release, &whole);

    return whole ? h : NULL;
}
