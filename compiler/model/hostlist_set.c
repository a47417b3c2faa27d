/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Set operations on host lists. Every list is first turned into pieces of one canonical
 * form, so that 'gpu1[2-3]', 'gpu[12-13]' and 'gpu12,gpu13' are seen to be the same names:
 * the number of a name is the last run of digits in it, what is before is its prefix, what is
 * behind its suffix. A piece holds numbers of one length only, so that 7, 07 and 007 differ.
 * Sorted pieces are then swept; the cost is that of sorting the ranges.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "model/hostlist.h"

enum { MAX_DIGITS = 18 }; /* of a number: it fits in 64 bits; digits before stay in the prefix */

struct piece {
    const char *prefix, *suffix;
    uint64_t lo, hi;
    struct plumb_span at;
    size_t order;  /* of the range in its list */
    size_t digits; /* that every number has, leading zeros included; 0: a name without one */
};

struct pieces {
    struct plumb_arena *arena;
    struct piece *items;
    size_t count, cap;
};

static const uint64_t powers[] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
};

_Static_assert(PLUMB_COUNT(powers) == MAX_DIGITS + 1, "one power per digit");

/* Digits at the end of text[0, len). */
static size_t trailing_digits(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && plumb_is_digit(text[len - n - 1]))
        n++;
    return n;
}

static void add(struct pieces *p, struct piece one)
{
    p->items = plumb_arena_grow(p->arena, p->items, p->count, &p->cap, sizeof(*p->items));
    p->items[p->count++] = one;
}

/* One name, whatever it looks like. */
static void add_name(struct pieces *p, const char *name, size_t len, struct piece one)
{
    size_t end = len;

    while (end > 0 && !plumb_is_digit(name[end - 1]))
        end--;

    size_t digits = trailing_digits(name, end);

    if (digits > MAX_DIGITS)
        digits = MAX_DIGITS;
    one.lo = one.hi = 0;
    one.digits = digits;
    if (digits == 0) {
        one.prefix = plumb_arena_strndup(p->arena, name, len);
        one.suffix = "";
    } else {
        one.prefix = plumb_arena_strndup(p->arena, name, end - digits);
        one.suffix = plumb_arena_strndup(p->arena, name + end, len - end);
        (void)plumb_read_u64(name + end - digits, digits, &one.lo);
        one.hi = one.lo;
    }
    add(p, one);
}

/* The names of a range that are not simply one run of numbers. */
static void add_each(struct pieces *p, const struct plumb_host_range *r, struct piece one)
{
    struct plumb_host_range copy = *r;
    struct plumb_hostlist list = {.ranges = &copy, .range_count = 1};
    struct plumb_host_cursor cursor = {0};
    struct plumb_buf name = plumb_buf_in(p->arena);

    while (plumb_hostlist_next(&list, &cursor, &name))
        add_name(p, plumb_buf_text(&name), name.len, one);
}

/* Splits a range by the length of its numbers; digits at the end of the prefix join them. */
static void add_range(struct pieces *p, const struct plumb_host_range *r, size_t order)
{
    size_t len = strlen(r->prefix), own = trailing_digits(r->prefix, len);
    size_t shortest = r->width == 0 ? 1 : r->width;
    struct piece one = {.suffix = r->suffix, .at = r->at, .order = order};
    uint64_t head = 0;

    if (!r->numbered) {
        add_name(p, r->prefix, len, one);
        return;
    }
    if (own + shortest > MAX_DIGITS || r->hi >= powers[MAX_DIGITS - own] ||
        strpbrk(r->suffix, "0123456789") != NULL) {
        add_each(p, r, one);
        return;
    }
    (void)plumb_read_u64(r->prefix + len - own, own, &head);
    one.prefix = own == 0 ? r->prefix : plumb_arena_strndup(p->arena, r->prefix, len - own);
    for (size_t digits = shortest; digits + own <= MAX_DIGITS; digits++) {
        uint64_t from = digits == shortest ? 0 : powers[digits - 1], to = powers[digits] - 1;

        one.lo = r->lo > from ? r->lo : from;
        one.hi = r->hi < to ? r->hi : to;
        if (one.lo > one.hi)
            continue;
        one.digits = own + digits;
        one.lo += head * powers[digits];
        one.hi += head * powers[digits];
        add(p, one);
    }
}

static struct pieces pieces_of(struct plumb_arena *a, const struct plumb_hostlist *h)
{
    struct pieces p = {.arena = a};

    for (size_t i = 0; i < h->range_count; i++)
        add_range(&p, &h->ranges[i], i);
    return p;
}

/* Runs of digits at both places: the sign of their comparison, and how long they are. */
static int compare_digits(const char *a, const char *b, size_t *step)
{
    size_t la = 0, lb = 0;

    while (plumb_is_digit(a[la]))
        la++;
    while (plumb_is_digit(b[lb]))
        lb++;
    *step = la;
    if (a[0] != '0' && b[0] != '0' && la != lb)
        return la < lb ? -1 : 1;

    int order = memcmp(a, b, la < lb ? la : lb);

    return order != 0 ? order : la < lb ? -1 : la > lb;
}

/* Text with numbers in it in the order that people expect, rack9 before rack10, as
 * src/common/strnatcmp.c does; 0 only for equal text. */
static int compare_natural(const char *a, const char *b)
{
    if (a == b)
        return 0;
    while (*a != '\0' && *b != '\0') {
        size_t step = 1;
        int order = plumb_is_digit(*a) && plumb_is_digit(*b)
                        ? compare_digits(a, b, &step)
                        : (int)(unsigned char)*a - (int)(unsigned char)*b;

        if (order != 0)
            return order;
        a += step;
        b += step;
    }
    return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

/* By name family: pieces that are equal here differ by their numbers only. */
static int compare_family(const struct piece *x, const struct piece *y)
{
    int order = compare_natural(x->prefix, y->prefix);

    if (order == 0)
        order = compare_natural(x->suffix, y->suffix);
    if (order == 0 && x->digits != y->digits)
        order = x->digits < y->digits ? -1 : 1;
    return order;
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order = compare_family(x, y);

    if (order != 0)
        return order;
    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    if (x->hi != y->hi)
        return x->hi < y->hi ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_pieces(struct pieces *p)
{
    if (p->count > 1)
        qsort(p->items, p->count, sizeof(*p->items), compare_pieces);
}

/* Sorts, and joins what overlaps or touches. */
static void normalise(struct pieces *p)
{
    size_t kept = 0;

    sort_pieces(p);
    for (size_t i = 0; i < p->count; i++) {
        struct piece *last = kept == 0 ? NULL : &p->items[kept - 1];
        const struct piece *next = &p->items[i];

        if (last != NULL && compare_family(last, next) == 0 && next->lo <= last->hi + 1) {
            if (next->hi > last->hi)
                last->hi = next->hi;
        } else {
            p->items[kept++] = *next;
        }
    }
    p->count = kept;
}

/*
 * The piece that goes on where one ends with nines: 10 behind 9, and 1000 behind 999. It need
 * not be the next one, since 00 to 09 sort between 9 and 10. NULL: none.
 */
static struct piece *continuation(const struct pieces *p, const struct piece *q)
{
    struct piece want = *q;
    size_t lo = (size_t)(q - p->items) + 1, end = p->count;

    if (q->digits == 0 || q->digits >= MAX_DIGITS || q->hi + 1 != powers[q->digits])
        return NULL;
    want.digits++;
    want.lo = want.hi = q->hi + 1;
    for (size_t hi = end; lo < hi;) {
        size_t mid = lo + (hi - lo) / 2;
        int order = compare_family(&p->items[mid], &want);

        if (order < 0 || (order == 0 && p->items[mid].lo < want.lo))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < end && compare_family(&p->items[lo], &want) == 0 && p->items[lo].lo == want.lo
               ? &p->items[lo]
               : NULL;
}

/* Pieces in canonical order as a list. */
static struct plumb_hostlist *list_of(const struct pieces *p, struct plumb_span at)
{
    struct plumb_hostlist *h = PLUMB_NEW(p->arena, struct plumb_hostlist);
    bool *taken = PLUMB_NEW_ARRAY(p->arena, p->count, bool);

    h->at = at;
    h->ranges = PLUMB_NEW_ARRAY(p->arena, p->count, struct plumb_host_range);
    h->cap = p->count;
    for (size_t i = 0; i < p->count; i++) {
        const struct piece *q = &p->items[i];
        uint64_t hi = q->hi;

        if (taken[i])
            continue;
        for (const struct piece *c = q; (c = continuation(p, c)) != NULL; hi = c->hi)
            taken[c - p->items] = true;
        h->count += hi - q->lo + 1;
        h->ranges[h->range_count++] = (struct plumb_host_range){
            .prefix = q->prefix,
            .suffix = q->suffix,
            .lo = q->lo,
            .hi = hi,
            .width = (uint8_t)q->digits,
            .numbered = q->digits > 0,
            .at = q->at,
        };
    }
    return h;
}

struct plumb_hostlist *plumb_hostlist_union(struct plumb_arena *a, const struct plumb_hostlist *x,
                                            const struct plumb_hostlist *y)
{
    struct pieces p = pieces_of(a, x);

    for (size_t i = 0; i < y->range_count; i++)
        add_range(&p, &y->ranges[i], x->range_count + i);
    normalise(&p);
    return list_of(&p, x->at);
}

/* Keeps of x what is in y, or what is not. Both are normalised. */
static struct pieces sweep(const struct pieces *x, const struct pieces *y, bool keep_common)
{
    struct pieces out = {.arena = x->arena};
    size_t j = 0;

    for (size_t i = 0; i < x->count; i++) {
        struct piece rest = x->items[i];
        bool left = true;

        while (j < y->count &&
               (compare_family(&y->items[j], &rest) < 0 ||
                (compare_family(&y->items[j], &rest) == 0 && y->items[j].hi < rest.lo)))
            j++;
        for (size_t k = j; left && k < y->count && compare_family(&y->items[k], &rest) == 0 &&
                           y->items[k].lo <= rest.hi;
             k++) {
            const struct piece *cut = &y->items[k];
            struct piece part = rest;

            part.lo = keep_common && cut->lo > rest.lo ? cut->lo : rest.lo;
            if (keep_common)
                part.hi = cut->hi < rest.hi ? cut->hi : rest.hi;
            else
                part.hi = cut->lo - (cut->lo > rest.lo);
            if (keep_common || cut->lo > rest.lo)
                add(&out, part);
            left = cut->hi < rest.hi;
            rest.lo = left ? cut->hi + 1 : rest.lo;
        }
        if (!keep_common && left)
            add(&out, rest);
    }
    return out;
}

static struct plumb_hostlist *combine(struct plumb_arena *a, const struct plumb_hostlist *x,
                                      const struct plumb_hostlist *y, bool keep_common)
{
    struct pieces px = pieces_of(a, x), py = pieces_of(a, y);

    normalise(&px);
    normalise(&py);

    struct pieces out = sweep(&px, &py, keep_common);

    return list_of(&out, x->at);
}

struct plumb_hostlist *plumb_hostlist_intersect(struct plumb_arena *a,
                                                const struct plumb_hostlist *x,
                                                const struct plumb_hostlist *y)
{
    return combine(a, x, y, true);
}

struct plumb_hostlist *plumb_hostlist_minus(struct plumb_arena *a, const struct plumb_hostlist *x,
                                            const struct plumb_hostlist *y)
{
    return combine(a, x, y, false);
}

struct plumb_hostlist *plumb_hostlist_repeated(struct plumb_arena *a,
                                               const struct plumb_hostlist *h)
{
    struct pieces p = pieces_of(a, h), out = {.arena = a};
    const struct piece *covering = NULL; /* reaches furthest so far */

    sort_pieces(&p);
    for (size_t i = 0; i < p.count; i++) {
        const struct piece *next = &p.items[i];

        if (covering != NULL && compare_family(covering, next) == 0 && next->lo <= covering->hi) {
            struct piece both = *next;

            both.hi = next->hi < covering->hi ? next->hi : covering->hi;
            if (covering->order > next->order) { /* point at the one that came second */
                both.at = covering->at;
                both.order = covering->order;
            }
            add(&out, both);
            if (next->hi <= covering->hi)
                continue;
        }
        covering = next;
    }
    normalise(&out);
    return list_of(&out, h->at);
}
