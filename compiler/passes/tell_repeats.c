/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass tell-repeats: node lines that say the same were one for everyone; a finding about what they
 * all say tells so. A finding that names its nodes has told, and one about a name or an address
 * is about that line alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "conf/conf.h"
#include "passes/pass.h"

/* Lines that have repeats, by place. */
struct lines {
    const struct plumb_conf_line **items;
    size_t count;
};

static int compare_lines(const void *x, const void *y)
{
    const struct plumb_conf_line *a = *(const struct plumb_conf_line *const *)x;
    const struct plumb_conf_line *b = *(const struct plumb_conf_line *const *)y;

    if (a->at.file != b->at.file)
        return a->at.file < b->at.file ? -1 : 1;
    return a->at.begin < b->at.begin ? -1 : a->at.begin > b->at.begin;
}

static struct lines lines_of(struct plumb_arena *a, const struct plumb_conf *doc)
{
    struct lines l = {.items = NULL};

    for (size_t i = 0; i < doc->count; i++)
        l.count += plumb_conf_repeat_count(&doc->lines[i]) > 0;
    l.items = PLUMB_NEW_ARRAY(a, l.count, const struct plumb_conf_line *);
    l.count = 0;
    for (size_t i = 0; i < doc->count; i++) {
        if (plumb_conf_repeat_count(&doc->lines[i]) > 0)
            l.items[l.count++] = &doc->lines[i];
    }
    if (l.count > 1)
        qsort(l.items, l.count, sizeof(const struct plumb_conf_line *), compare_lines);
    return l;
}

/* The line that a place is on; NULL. */
static const struct plumb_conf_line *line_at(const struct lines *l, struct plumb_span at)
{
    struct plumb_conf_line wanted = {.at = at};
    const struct plumb_conf_line *key = &wanted;
    size_t lo = 0, hi = l->count;

    while (lo < hi) { /* behind the last line that does not begin behind the place */
        size_t mid = lo + (hi - lo) / 2;

        if (compare_lines(&l->items[mid], &key) <= 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > 0 && plumb_span_within(at, l->items[lo - 1]->at) ? l->items[lo - 1] : NULL;
}

/* The place is part of a name or an address. */
static bool is_own(const struct plumb_conf_line *line, struct plumb_span at)
{
    const struct plumb_conf_cell *cells = line->repeats->layouts[0];

    for (size_t i = 0; i < line->count; i++) {
        if (cells[i].varies && plumb_span_within(at, line->pairs[i].value.at))
            return true;
    }
    return false;
}

static bool has_told(const struct plumb_diag *d)
{
    for (size_t i = 0; i < d->notes.count; i++) {
        if (plumb_starts_with(d->notes.items[i].text, "the same on "))
            return true;
    }
    return d->count > 1;
}

void plumb_pass_tell_repeats(struct plumb_run *r)
{
    const struct plumb_conf *doc = r->conf[PLUMB_SLURM_CONF];
    const struct plumb_sink *sink = &r->session->sink;
    struct lines l = {.items = NULL};

    for (size_t i = 0; doc != NULL && i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];
        const struct plumb_conf_line *line = NULL;

        if (has_told(d))
            continue;
        if (l.items == NULL) /* most runs need none */
            l = lines_of(r->session->scratch, doc);
        line = line_at(&l, d->at);
        if (line != NULL && !is_own(line, d->at))
            plumb_conf_tell_repeats(d, line);
    }
}
