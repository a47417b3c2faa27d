/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the brackets of a host name stand for: all groups but the last are multiplied out, as Slurm
 * does; the last stays a range.
 */
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "model/hostlist_reader.h"

/* Text made by expanding leading groups. */
enum { MAX_PREFIX_BYTES = 64 * 1024 * 1024 };

/* Adds a range to the result. False when the list has become too large. */
static bool push(struct plumb_host_reader *rd, struct plumb_host_range r, struct plumb_span at)
{
    struct plumb_hostlist *h = rd->out;

    if (!plumb_add_u64(h->count, r.hi - r.lo + 1, &h->count) || h->count > PLUMB_MAX_HOST_COUNT)
        return plumb_host_too_many(rd, at);
    r.at = at;
    h->ranges =
        plumb_arena_grow(rd->s->arena, h->ranges, h->range_count, &h->cap, sizeof(*h->ranges));
    h->ranges[h->range_count++] = r;
    return true;
}

/* The prefix of the range before where it is the same, as in a list of names. */
static const char *intern_prefix(struct plumb_host_reader *rd, const char *name, size_t len)
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
bool plumb_host_push_name(struct plumb_host_reader *rd, const char *name, size_t len,
                          struct plumb_span at)
{
    size_t digits = 0;
    struct plumb_host_range r = {.suffix = ""};

    while (digits < len && digits < UINT8_MAX && plumb_is_digit(name[len - digits - 1]))
        digits++;
    if (digits > 0 && !plumb_read_u64(name + len - digits, digits, &r.lo)) {
        plumb_diag_new(&rd->s->sink, &plumb_host_rows[PLUMB_HOST_BIG_NUMBER], at,
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

/* Position in the product of the leading groups. */
struct odometer {
    size_t range[PLUMB_HOST_GROUPS];
    uint64_t offset[PLUMB_HOST_GROUPS];
};

static bool step_odometer(struct odometer *o, const struct plumb_host_group *groups, size_t count)
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
static void spell_prefix(struct plumb_host_reader *rd, const struct odometer *o,
                         const struct plumb_host_group *groups, size_t count, size_t begin,
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
static bool push_group(struct plumb_host_reader *rd, const struct plumb_host_group *g,
                       const char *prefix, const char *suffix, struct plumb_span whole)
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
bool plumb_host_count_names(const struct plumb_host_group *groups, size_t count, size_t len)
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
void plumb_host_expand(struct plumb_host_reader *rd, const struct plumb_host_group *groups,
                       size_t count, size_t begin, size_t end)
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
            if (!plumb_host_push_name(rd, plumb_buf_text(&prefix), prefix.len, at))
                return;
            continue;
        }
        plumb_buf_add(&prefix, t + from, groups[leading].open - from);

        const char *head = plumb_intern_text(rd->s->intern, plumb_buf_text(&prefix), prefix.len);

        if (!push_group(rd, &groups[leading], head, suffix, at))
            return;
    } while (step_odometer(&o, groups, leading));
}
