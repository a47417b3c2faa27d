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

struct plumb_span plumb_host_range_at(const struct plumb_host_range *r, uint64_t number)
{
    const struct plumb_host_places *p = r->places;
    size_t digits = digits_of(number);

    if (p == NULL || number < p->first || number - p->first >= p->count)
        return r->at;

    uint32_t begin = p->begins[number - p->first];

    digits = digits < r->width ? r->width : digits;
    return (struct plumb_span){p->file, begin, begin + (uint32_t)(strlen(r->prefix) + digits)};
}

/* The number that a name ends in, of one; how many digits it has: more than fit are no number. */
static size_t number_at_end(struct plumb_host_range *r, const char *name, size_t len)
{
    size_t digits = plumb_end_digits(name, len);

    for (size_t i = len - digits; i < len && digits <= PLUMB_SAFE_DIGITS; i++)
        r->lo = r->lo * 10 + (uint64_t)(name[i] - '0');
    r->hi = r->lo;
    r->width = (uint8_t)digits;
    r->numbered = digits > 0;
    return digits;
}

struct plumb_host_range plumb_host_name(struct plumb_intern *intern, const char *text, size_t len,
                                        const char *prefix, struct plumb_span at)
{
    struct plumb_host_range r = {.suffix = "", .at = at};
    size_t digits = number_at_end(&r, text, len);

    r.prefix =
        prefix != NULL && strncmp(prefix, text, len - digits) == 0 && prefix[len - digits] == '\0'
            ? prefix
            : plumb_intern_text(intern, text, len - digits);
    return r;
}

static bool is_plain(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c <= ' ' || c == 0x7f || c == '[' || c == ']' || c == ',')
            return false;
    }
    return true;
}

/* The prefix of the list's last range where it is that of a name; else a new one, NULL: no name. */
static const char *prefix_of(struct plumb_arena *a, const struct plumb_hostlist *h,
                             const char *name, size_t len)
{
    const char *last = h->range_count > 0 ? h->ranges[h->range_count - 1].prefix : NULL;

    if (last != NULL && strncmp(last, name, len) == 0 && last[len] == '\0')
        return last;
    return is_plain(name, len) ? plumb_arena_strndup(a, name, len) : NULL;
}

/* Adds one name; false when it is none. */
static bool push_name(struct plumb_arena *a, struct plumb_hostlist *h, const char *name, size_t len)
{
    struct plumb_host_range r = {.suffix = ""}, *last = NULL;
    size_t digits = number_at_end(&r, name, len);

    if (digits > PLUMB_SAFE_DIGITS)
        return false;
    r.prefix = prefix_of(a, h, name, len - digits);
    if (r.prefix == NULL)
        return false;
    h->count++;
    last = h->range_count > 0 ? &h->ranges[h->range_count - 1] : NULL;
    if (last != NULL && last->numbered && r.numbered && plumb_host_range_join(last, &r))
        return true;
    h->ranges = plumb_arena_grow(a, h->ranges, h->range_count, &h->cap, sizeof(r));
    h->ranges[h->range_count++] = r;
    return true;
}

struct plumb_hostlist *plumb_hostlist_of_names(struct plumb_arena *a, const char *text, size_t len)
{
    struct plumb_hostlist *h = PLUMB_NEW(a, struct plumb_hostlist);

    for (const char *at = text, *end = text + len, *next = NULL; at < end; at = next) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        const char *stop = nl != NULL ? nl : end;

        next = nl != NULL ? nl + 1 : end;
        if (stop > at && stop[-1] == '\r')
            stop--;
        if (stop > at && !push_name(a, h, at, (size_t)(stop - at)))
            return NULL;
    }
    return h;
}

bool plumb_host_range_join(struct plumb_host_range *r, const struct plumb_host_range *next)
{
    if (next->lo != r->hi + 1 || next->prefix != r->prefix ||
        (next->width != r->width && digits_of(next->lo) != next->width) || next->width < r->width)
        return false;
    r->hi = next->hi;
    return true;
}

void plumb_hostlist_add_name(struct plumb_arena *a, struct plumb_intern *intern,
                             struct plumb_hostlist *h, const struct plumb_slice *name,
                             const uint32_t *begin, struct plumb_host_places **places)
{
    struct plumb_host_range *last = h->range_count > 0 ? &h->ranges[h->range_count - 1] : NULL;
    struct plumb_host_range one = plumb_host_name(intern, name->text, name->len,
                                                  last == NULL ? NULL : last->prefix, name->at);

    h->count++;
    if (last != NULL && *places != NULL && last->numbered && one.numbered &&
        plumb_host_range_join(last, &one)) {
        (*places)->count++;
        return;
    }
    *places = PLUMB_NEW(a, struct plumb_host_places);
    **places = (struct plumb_host_places){
        .file = name->at.file, .first = one.lo, .begins = begin, .count = 1};
    one.places = *places;
    h->ranges = plumb_arena_grow(a, h->ranges, h->range_count, &h->cap, sizeof(one));
    h->ranges[h->range_count++] = one;
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

    if (count > 0) {
        x->ranges =
            plumb_arena_reserve(a, x->ranges, x->range_count, &x->cap, sizeof(*x->ranges), count);
        memcpy(x->ranges + x->range_count, y->ranges, count * sizeof(*x->ranges));
    }
    x->range_count += count;
    x->count += y->count;
    if (!plumb_span_known(x->at))
        x->at = y->at;
}
