/* SPDX-License-Identifier: Apache-2.0 */
/* An index over the ranges of many host lists. */
#include "rules/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

/* Order of families of names: what may overlap stands together. */
static int compare_names(const struct plumb_host_range *a, const struct plumb_host_range *b)
{
    int c = a->prefix == b->prefix ? 0 : strcmp(a->prefix, b->prefix);

    if (c == 0 && a->suffix != b->suffix)
        c = strcmp(a->suffix, b->suffix);
    if (c == 0)
        c = (int)a->numbered - (int)b->numbered;
    return c;
}

/* The smallest number that needs this many digits. */
static uint64_t first_of_width(unsigned width)
{
    uint64_t v = 1;

    for (unsigned i = 1; i < width; i++) {
        if (!plumb_mul_u64(v, 10, &v))
            return UINT64_MAX;
    }
    return v;
}

bool plumb_range_overlap(const struct plumb_host_range *a, const struct plumb_host_range *b,
                         uint64_t *lo, uint64_t *hi)
{
    unsigned width = a->width > b->width ? a->width : b->width;

    if (compare_names(a, b) != 0)
        return false;
    *lo = a->lo > b->lo ? a->lo : b->lo;
    *hi = a->hi < b->hi ? a->hi : b->hi;
    /* [1-10] and [01-10] share 10 alone: padding ends where the number fills it. */
    if (a->width != b->width && *lo < first_of_width(width))
        *lo = first_of_width(width);
    return *lo <= *hi;
}

static int compare_entries(const void *x, const void *y)
{
    const struct plumb_range_entry *a = x, *b = y;
    int c = compare_names(a->range, b->range);

    if (c != 0)
        return c;
    if (a->range->lo != b->range->lo)
        return a->range->lo < b->range->lo ? -1 : 1;
    return a->seq < b->seq ? -1 : a->seq > b->seq;
}

void plumb_range_add(struct plumb_range_index *x, const struct plumb_hostlist *hosts, size_t owner)
{
    for (size_t i = 0; hosts != NULL && i < hosts->range_count; i++) {
        x->entries = plumb_arena_grow(x->arena, x->entries, x->count, &x->cap, sizeof(*x->entries));
        x->entries[x->count] =
            (struct plumb_range_entry){.range = &hosts->ranges[i], .owner = owner, .seq = x->count};
        x->count++;
    }
}

void plumb_range_sort(struct plumb_range_index *x)
{
    size_t sorted = 1;

    while (sorted < x->count && compare_entries(&x->entries[sorted - 1], &x->entries[sorted]) <= 0)
        sorted++;
    if (sorted < x->count) /* names mostly come in order */
        qsort(x->entries, x->count, sizeof(*x->entries), compare_entries);
    for (size_t i = 0; i < x->count; i++) {
        struct plumb_range_entry *e = &x->entries[i];

        e->max_hi = e->range->hi;
        if (i > 0 && compare_names(x->entries[i - 1].range, e->range) == 0 &&
            x->entries[i - 1].max_hi > e->max_hi)
            e->max_hi = x->entries[i - 1].max_hi;
    }
}

struct plumb_range_cursor plumb_range_from(const struct plumb_range_index *x,
                                           const struct plumb_host_range *range)
{
    size_t lo = 0, hi = x->count;

    /* The first entry of these names that could reach up to the range. */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = compare_names(x->entries[mid].range, range);

        if (c < 0 || (c == 0 && x->entries[mid].max_hi < range->lo))
            lo = mid + 1;
        else
            hi = mid;
    }
    return (struct plumb_range_cursor){.index = x, .range = range, .at = lo};
}

bool plumb_range_next(struct plumb_range_cursor *c)
{
    for (; c->at < c->index->count; c->at++) {
        const struct plumb_range_entry *e = &c->index->entries[c->at];

        if (compare_names(e->range, c->range) != 0 || e->range->lo > c->range->hi)
            return false;
        if (!plumb_range_overlap(e->range, c->range, &c->lo, &c->hi))
            continue;
        c->owner = e->owner;
        c->seq = e->seq;
        c->found = e->range;
        c->at++;
        return true;
    }
    return false;
}

static bool covers_range(const struct plumb_range_index *x, const struct plumb_host_range *range)
{
    struct plumb_range_cursor c = plumb_range_from(x, range);

    while (plumb_range_next(&c)) {
        if (c.lo == range->lo && c.hi == range->hi)
            return true;
    }
    return false;
}

bool plumb_range_covers(const struct plumb_range_index *x, const struct plumb_hostlist *hosts)
{
    for (size_t i = 0; i < hosts->range_count; i++) {
        if (!covers_range(x, &hosts->ranges[i]))
            return false;
    }
    return true;
}

struct plumb_hostlist *plumb_range_missing(const struct plumb_range_index *x,
                                           const struct plumb_hostlist *hosts)
{
    struct plumb_hostlist near = {0};

    for (size_t i = 0; i < hosts->range_count; i++) {
        struct plumb_range_cursor c = plumb_range_from(x, &hosts->ranges[i]);

        while (plumb_range_next(&c)) {
            struct plumb_host_range shared = *c.found;
            struct plumb_hostlist one = {.ranges = &shared, .range_count = 1, .cap = 1};

            shared.lo = c.lo;
            shared.hi = c.hi;
            one.count = c.hi - c.lo + 1;
            plumb_hostlist_append(x->arena, &near, &one);
        }
    }
    return plumb_hostlist_minus(x->arena, hosts, &near);
}

const struct plumb_range_index *plumb_index_nodes(const struct plumb_check *ck)
{
    struct plumb_range_index *x = NULL;
    size_t count = 0;

    if (ck->shared->nodes != NULL)
        return ck->shared->nodes;
    x = PLUMB_NEW(ck->shared->arena, struct plumb_range_index);
    x->arena = ck->shared->arena;
    for (size_t i = 0; i < ck->model->node_count; i++)
        count += ck->model->nodes[i].hosts == NULL ? 0 : ck->model->nodes[i].hosts->range_count;
    x->entries = plumb_arena_reserve(x->arena, NULL, 0, &x->cap, sizeof(*x->entries), count);
    for (size_t i = 0; i < ck->model->node_count; i++)
        plumb_range_add(x, ck->model->nodes[i].hosts, i);
    plumb_range_sort(x);
    ck->shared->nodes = x;
    return x;
}
