/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host lists as they stand: names one by one, membership, and Slurm's compressed notation.
 * Reading is in hostlist_read.c, set operations in hostlist_set.c.
 */
#include "model/hostlist.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"

static size_t digits_of(uint64_t v)
{
    size_t n = 1;

    for (; v >= 10; v /= 10)
        n++;
    return n;
}

/* A number with at least width digits. */
static void add_number(struct plumb_buf *out, uint64_t v, uint8_t width)
{
    size_t digits = digits_of(v);

    if (digits < width)
        plumb_buf_fill(out, '0', width - digits);
    plumb_buf_u64(out, v);
}

static size_t zeros(uint64_t v, uint8_t width)
{
    size_t digits = digits_of(v);

    return digits < width ? width - digits : 0;
}

/*
 * Whether two numbers may stand in one range although they were written with different
 * widths: 9 and 10, or 09 and 10. width becomes the one that writes both as they were
 * (src/common/hostlist.c:_width_equiv).
 */
static bool widths_agree(uint64_t n, uint8_t *width, uint64_t m, uint8_t other)
{
    if (*width == other)
        return true;
    if (zeros(m, *width) == zeros(m, other))
        return true; /* the first width writes both */
    if (zeros(n, *width) != zeros(n, other))
        return false;
    *width = other;
    return true;
}

static bool same_affixes(const struct plumb_host_range *a, const struct plumb_host_range *b)
{
    return a->numbered && b->numbered && strcmp(a->prefix, b->prefix) == 0 &&
           strcmp(a->suffix, b->suffix) == 0;
}

/* The range at i with those behind it that continue it; returns the index behind them. */
static size_t join_from(const struct plumb_hostlist *h, size_t i, struct plumb_host_range *out)
{
    *out = h->ranges[i++];
    for (; i < h->range_count; i++) {
        const struct plumb_host_range *next = &h->ranges[i];

        if (!same_affixes(out, next) || out->hi == UINT64_MAX || next->lo != out->hi + 1 ||
            !widths_agree(out->lo, &out->width, next->lo, next->width))
            break;
        out->hi = next->hi;
    }
    return i;
}

static void add_range(struct plumb_buf *out, const struct plumb_host_range *r)
{
    add_number(out, r->lo, r->width);
    if (r->hi > r->lo) {
        plumb_buf_char(out, '-');
        add_number(out, r->hi, r->width);
    }
}

/* Adds one name or one bracket with every range that has the same affixes; returns the index
 * behind. */
static size_t add_group(const struct plumb_hostlist *h, size_t i, struct plumb_buf *out)
{
    struct plumb_host_range r;
    const struct plumb_host_range *first = &h->ranges[i];

    plumb_buf_str(out, first->prefix);
    if (!first->numbered)
        return i + 1;
    i = join_from(h, i, &r);

    bool more = i < h->range_count && same_affixes(first, &h->ranges[i]);
    bool bracket = more || r.hi > r.lo;

    if (bracket)
        plumb_buf_char(out, '[');
    add_range(out, &r);
    while (i < h->range_count && same_affixes(first, &h->ranges[i])) {
        i = join_from(h, i, &r);
        plumb_buf_char(out, ',');
        add_range(out, &r);
    }
    if (bracket)
        plumb_buf_char(out, ']');
    plumb_buf_str(out, first->suffix);
    return i;
}

void plumb_hostlist_text(const struct plumb_hostlist *h, struct plumb_buf *out)
{
    for (size_t i = 0; i < h->range_count;) {
        if (i > 0)
            plumb_buf_char(out, ',');
        i = add_group(h, i, out);
    }
}

const char *plumb_hostlist_str(struct plumb_arena *a, const struct plumb_hostlist *h)
{
    struct plumb_buf out = plumb_buf_in(a);

    plumb_hostlist_text(h, &out);
    return plumb_buf_text(&out);
}

static void add_name(struct plumb_buf *out, const struct plumb_host_range *r, uint64_t index)
{
    plumb_buf_str(out, r->prefix);
    if (!r->numbered)
        return;
    add_number(out, r->lo + index, r->width);
    plumb_buf_str(out, r->suffix);
}

bool plumb_hostlist_next(const struct plumb_hostlist *h, struct plumb_host_cursor *cursor,
                         struct plumb_buf *out)
{
    if (cursor->range >= h->range_count)
        return false;

    const struct plumb_host_range *r = &h->ranges[cursor->range];

    out->len = 0;
    add_name(out, r, cursor->index);
    if (r->hi - r->lo > cursor->index) {
        cursor->index++;
    } else {
        cursor->range++;
        cursor->index = 0;
    }
    return true;
}

const char *plumb_hostlist_name(struct plumb_arena *a, const struct plumb_hostlist *h, uint64_t i)
{
    for (size_t r = 0; r < h->range_count; r++) {
        uint64_t last = h->ranges[r].hi - h->ranges[r].lo;

        if (i <= last) {
            struct plumb_buf out = plumb_buf_in(a);

            add_name(&out, &h->ranges[r], i);
            return plumb_buf_text(&out);
        }
        i -= last + 1;
    }
    return NULL;
}

/* The name is a member of the range, spelt exactly as the range spells it. */
static bool range_has(const struct plumb_host_range *r, const char *name, size_t len)
{
    size_t head = strlen(r->prefix), tail = r->numbered ? strlen(r->suffix) : 0;
    uint64_t v = 0;

    if (!r->numbered)
        return head == len && memcmp(name, r->prefix, len) == 0;
    if (len <= head + tail || memcmp(name, r->prefix, head) != 0 ||
        memcmp(name + len - tail, r->suffix, tail) != 0)
        return false;

    size_t digits = len - head - tail;

    if (!plumb_read_u64(name + head, digits, &v) || v < r->lo || v > r->hi)
        return false;
    return digits == (digits_of(v) < r->width ? r->width : digits_of(v));
}

bool plumb_hostlist_has(const struct plumb_hostlist *h, const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < h->range_count; i++) {
        if (range_has(&h->ranges[i], name, len))
            return true;
    }
    return false;
}

void plumb_hostlist_append(struct plumb_arena *a, struct plumb_hostlist *x,
                           const struct plumb_hostlist *y)
{
    size_t count = y->range_count; /* y may be x */

    for (size_t i = 0; i < count; i++) {
        x->ranges = plumb_arena_grow(a, x->ranges, x->range_count, &x->cap, sizeof(*x->ranges));
        x->ranges[x->range_count++] = y->ranges[i];
    }
    x->count += y->count;
    if (!plumb_span_known(x->at))
        x->at = y->at;
}
