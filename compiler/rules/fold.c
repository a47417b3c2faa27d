/* SPDX-License-Identifier: Apache-2.0 */
/* One fault on many lines: collected by a key, reported once with all hosts. */
#include "rules/fold.h"

#include <stdlib.h>
#include <string.h>

#include "rules/ask.h"

struct plumb_fold plumb_fold_in(const struct plumb_check *ck)
{
    return (struct plumb_fold){.map = plumb_map_in(ck->scratch), .arena = ck->scratch};
}

static struct plumb_fold_item *add_text(struct plumb_fold *f, const char *key, size_t len,
                                        struct plumb_span at, const struct plumb_hostlist *hosts)
{
    struct plumb_map_entry *entry = plumb_map_entry(&f->map, key, len);
    struct plumb_fold_item *item = entry->value;

    if (item == NULL) {
        item = PLUMB_NEW(f->arena, struct plumb_fold_item);
        *item = (struct plumb_fold_item){.key = entry->key, .at = at};
        entry->value = item;
    }
    if (hosts == NULL)
        return item;
    if (item->hosts == NULL)
        item->hosts = PLUMB_NEW(f->arena, struct plumb_hostlist);
    plumb_hostlist_append(f->arena, item->hosts, hosts);
    return item;
}

struct plumb_fold_item *plumb_fold_add(struct plumb_fold *f, const char *key, struct plumb_span at,
                                       const struct plumb_hostlist *hosts)
{
    return add_text(f, key, strlen(key), at, hosts);
}

struct plumb_fold_item *plumb_fold_numbers(struct plumb_fold *f, const uint64_t *numbers,
                                           size_t count, struct plumb_span at,
                                           const struct plumb_hostlist *hosts)
{
    /* The bytes of the numbers: asked for on every line, so nothing is printed. */
    return add_text(f, (const char *)numbers, count * sizeof(*numbers), at, hosts);
}

struct plumb_fold_item *plumb_fold_at(struct plumb_fold *f, struct plumb_span at,
                                      const struct plumb_hostlist *hosts)
{
    return plumb_fold_numbers(f, (const uint64_t[]){at.file, at.begin}, 2, at, hosts);
}

bool plumb_fold_seen(struct plumb_fold *f, struct plumb_span at)
{
    size_t before = f->map.count;

    (void)plumb_fold_at(f, at, NULL);
    return f->map.count == before;
}

struct plumb_fold plumb_fold_squeeze(const struct plumb_check *ck, const struct plumb_fold *f)
{
    enum { READABLE = 16 };
    struct plumb_fold out = plumb_fold_in(ck);

    if (f->map.count <= READABLE)
        return *f;
    for (size_t i = 0; i < f->map.count; i++) {
        const struct plumb_fold_item *from = f->map.entries[i].value;
        struct plumb_fold_item *to = from->alike != NULL
                                         ? plumb_fold_add(&out, from->alike, from->at, from->hosts)
                                         : add_text(&out, f->map.entries[i].key,
                                                    f->map.entries[i].len, from->at, from->hosts);

        if (to->what != NULL)
            continue;
        to->key = from->key;
        to->second = from->second;
        to->what = from->what;
        to->a = from->a;
        to->b = from->b;
    }
    return out;
}

static int compare_places(const void *x, const void *y)
{
    const struct plumb_host_range *a = x, *b = y;

    return (a->at.begin > b->at.begin) - (a->at.begin < b->at.begin);
}

/* Some names are of lines that were folded, which come kind by kind. */
static bool is_shuffled(const struct plumb_hostlist *hosts)
{
    bool folded = false, ordered = true;

    for (size_t i = 0; i < hosts->range_count; i++) {
        const struct plumb_host_range *r = &hosts->ranges[i];

        folded = folded || r->places != NULL;
        ordered =
            ordered && (i == 0 || (r[-1].at.file == r->at.file && compare_places(r - 1, r) <= 0));
    }
    return folded && !ordered;
}

/* The same names in the order of the text, file by file. */
static const struct plumb_hostlist *in_order(const struct plumb_check *ck,
                                             const struct plumb_hostlist *hosts)
{
    struct plumb_hostlist *sorted = NULL;

    if (!is_shuffled(hosts))
        return hosts;
    sorted = PLUMB_NEW(ck->scratch, struct plumb_hostlist);
    plumb_hostlist_append(ck->scratch, sorted, hosts);
    for (size_t from = 0, to = 0; from < sorted->range_count; from = to) {
        for (size_t i = from; i < sorted->range_count; i++) {
            struct plumb_host_range one = sorted->ranges[i];

            if (one.at.file != sorted->ranges[from].at.file)
                continue;
            sorted->ranges[i] = sorted->ranges[to];
            sorted->ranges[to++] = one;
        }
        qsort(sorted->ranges + from, to - from, sizeof(*sorted->ranges), compare_places);
    }
    return sorted;
}

const char *plumb_fold_hosts(const struct plumb_check *ck, const struct plumb_hostlist *hosts)
{
    return hosts == NULL ? "?" : plumb_hostlist_str(ck->arena, in_order(ck, hosts));
}

void plumb_fold_object(const struct plumb_check *ck, struct plumb_diag *d,
                       const struct plumb_hostlist *hosts)
{
    if (hosts != NULL)
        plumb_diag_object(d, "node", plumb_fold_hosts(ck, hosts),
                          hosts->count > 1 ? hosts->count : 0);
}

struct plumb_fold_item *plumb_fold_pair(struct plumb_fold *f, const struct plumb_hostlist *hosts,
                                        struct plumb_u64 first, struct plumb_u64 second)
{
    struct plumb_fold_item *item =
        plumb_fold_numbers(f, (const uint64_t[]){first.v, second.v}, 2, first.at, hosts);

    item->second = second.at;
    item->a = first.v;
    item->b = second.v;
    return item;
}

void plumb_fold_tell(const struct plumb_check *ck, const struct plumb_fold *faults,
                     const char *note, plumb_fold_words words)
{
    for (size_t i = 0; i < faults->map.count; i++) {
        const struct plumb_fold_item *f = faults->map.entries[i].value;
        struct plumb_diag *d = plumb_report(ck, f->at, "%s", words(ck, f));

        if (note != NULL && plumb_span_known(f->second))
            plumb_diag_note(d, f->second, "%s", note);
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}
