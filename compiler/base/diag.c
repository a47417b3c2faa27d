/* SPDX-License-Identifier: Apache-2.0 */
/* The collecting sink for findings. */
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

static const char *const severity_names[] = {"info", "warning", "error"};
static const char *const effect_names[] = {"none", "ignored", "complains", "drains", "stops"};

const char *plumb_severity_name(enum plumb_severity s)
{
    return severity_names[s];
}

const char *plumb_effect_name(enum plumb_effect e)
{
    return effect_names[e];
}

const char *plumb_daemon_name(enum plumb_daemon one)
{
    switch (one) {
    case PLUMB_SLURMCTLD:
        return "slurmctld";
    case PLUMB_SLURMD:
        return "slurmd";
    case PLUMB_SLURMDBD:
        return "slurmdbd";
    default:
        return "slurmctld and slurmd";
    }
}

/* Nobody reads a finding beyond the limit: it takes no memory, however many there are. */
bool plumb_diag_is_dropped(const struct plumb_diag *d)
{
    return d == &d->sink->overflow;
}

struct plumb_diag *plumb_diag_new(struct plumb_sink *sink, const struct plumb_rule *rule,
                                  struct plumb_span at, const char *fmt, ...)
{
    struct plumb_diag *d = &sink->overflow;
    va_list args;

    if (sink->count >= PLUMB_MAX_FINDINGS) {
        sink->dropped++;
        *d = (struct plumb_diag){.sink = sink};
    } else {
        d = PLUMB_NEW(sink->arena, struct plumb_diag);
        sink->items = plumb_arena_grow(sink->arena, sink->items, sink->count, &sink->cap,
                                       sizeof(struct plumb_diag *));
        sink->items[sink->count++] = d;
    }
    d->rule = rule;
    d->sink = sink;
    d->severity = rule->severity;
    d->effect = rule->effect;
    d->daemons = rule->daemons;
    d->at = at;
    d->message = "";
    if (plumb_diag_is_dropped(d))
        return d;
    va_start(args, fmt);
    d->message = plumb_arena_vprintf(sink->arena, fmt, args);
    va_end(args);
    return d;
}

void plumb_diag_label(struct plumb_diag *d, const char *fmt, ...)
{
    va_list args;

    if (plumb_diag_is_dropped(d))
        return;
    va_start(args, fmt);
    d->label = plumb_arena_vprintf(d->sink->arena, fmt, args);
    va_end(args);
}

void plumb_diag_outcome(struct plumb_diag *d, const char *fmt, ...)
{
    struct plumb_arena *a = d->sink->arena;
    const char *text = NULL;
    va_list args;

    if (plumb_diag_is_dropped(d))
        return;
    va_start(args, fmt);
    text = plumb_arena_vprintf(a, fmt, args);
    va_end(args);
    if (d->fault_len == 0)
        d->fault_len = strlen(d->message);
    d->message = plumb_arena_printf(a, "%.*s%s%s", (int)d->fault_len, d->message,
                                    text[0] == '\0' ? "" : "; ", text);
}

void plumb_diag_outcome_more(struct plumb_diag *d, const char *fmt, ...)
{
    va_list args;

    if (plumb_diag_is_dropped(d))
        return;
    if (d->fault_len == 0)
        d->fault_len = strlen(d->message);
    va_start(args, fmt);
    d->message = plumb_arena_printf(d->sink->arena, "%s%s", d->message,
                                    plumb_arena_vprintf(d->sink->arena, fmt, args));
    va_end(args);
}

void plumb_diag_note(struct plumb_diag *d, struct plumb_span at, const char *fmt, ...)
{
    struct plumb_label_list *l = &d->notes;
    va_list args;

    if (plumb_diag_is_dropped(d))
        return;
    l->items = plumb_arena_grow(d->sink->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    va_start(args, fmt);
    l->items[l->count++] = (struct plumb_label){
        .at = at,
        .text = plumb_arena_vprintf(d->sink->arena, fmt, args),
    };
    va_end(args);
}

void plumb_string_list_add(struct plumb_arena *a, struct plumb_string_list *l, const char *text)
{
    l->items = plumb_arena_grow(a, l->items, l->count, &l->cap, sizeof(*l->items));
    l->items[l->count++] = text;
}

void plumb_diag_fact(struct plumb_diag *d, const char *fmt, ...)
{
    va_list args;

    if (plumb_diag_is_dropped(d))
        return;
    va_start(args, fmt);
    plumb_string_list_add(d->sink->arena, &d->facts,
                          plumb_arena_vprintf(d->sink->arena, fmt, args));
    va_end(args);
}

void plumb_diag_help(struct plumb_diag *d, const char *fmt, ...)
{
    va_list args;

    if (plumb_diag_is_dropped(d))
        return;
    va_start(args, fmt);
    plumb_string_list_add(d->sink->arena, &d->help, plumb_arena_vprintf(d->sink->arena, fmt, args));
    va_end(args);
}

void plumb_diag_edit(struct plumb_diag *d, struct plumb_span at, bool safe, const char *text)
{
    struct plumb_edit_list *l = &d->edits;

    if (plumb_diag_is_dropped(d))
        return;
    l->items = plumb_arena_grow(d->sink->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    l->items[l->count++] = (struct plumb_edit){
        .at = at,
        .text = plumb_arena_strdup(d->sink->arena, text),
        .safe = safe,
    };
}

uint32_t *plumb_diag_edit_room(struct plumb_diag *d, size_t edit, size_t count)
{
    struct plumb_edit *e = &d->edits.items[edit];

    if (plumb_diag_is_dropped(d))
        return NULL;
    e->again = plumb_arena_reserve(d->sink->arena, e->again, e->again_count, &e->again_cap,
                                   sizeof(*e->again), count);
    return e->again + e->again_count;
}

void plumb_diag_edit_again(struct plumb_diag *d, size_t edit, uint32_t begin)
{
    uint32_t *room = plumb_diag_edit_room(d, edit, 1);

    if (room == NULL)
        return;
    *room = begin;
    d->edits.items[edit].again_count++;
}

static int compare_places(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

void plumb_diag_sort_edits(struct plumb_diag *d)
{
    for (size_t i = 0; i < d->edits.count; i++) {
        const struct plumb_edit *e = &d->edits.items[i];
        size_t k = 1;

        while (k < e->again_count && e->again[k - 1] <= e->again[k])
            k++;
        if (k < e->again_count) /* mostly they are in order */
            qsort(e->again, e->again_count, sizeof(*e->again), compare_places);
    }
}

bool plumb_diag_next_edit(const struct plumb_diag *d, struct plumb_edit_cursor *c,
                          struct plumb_edit *out)
{
    const struct plumb_edit *e = NULL;

    if (c->edit == d->edits.count)
        return false;
    e = &d->edits.items[c->edit];
    *out = *e;
    if (c->again > 0) {
        out->at.begin = e->again[c->again - 1];
        out->at.end = out->at.begin + (e->at.end - e->at.begin);
    }
    if (c->again++ == e->again_count)
        *c = (struct plumb_edit_cursor){.edit = c->edit + 1};
    return true;
}

void plumb_diag_object(struct plumb_diag *d, const char *kind, const char *name, uint64_t count)
{
    d->object_kind = kind;
    d->object_name = name;
    d->count = count;
}

void plumb_diag_effect(struct plumb_diag *d, enum plumb_effect effect, unsigned daemons)
{
    d->effect = effect;
    d->daemons = daemons;
}

void plumb_diag_other(struct plumb_diag *d, enum plumb_effect effect, unsigned daemons)
{
    d->other_effect = effect;
    d->other_daemons = daemons;
}

enum plumb_effect plumb_diag_effect_on(const struct plumb_diag *d, enum plumb_daemon daemon)
{
    if ((d->daemons & (unsigned)daemon) != 0)
        return d->effect;
    return (d->other_daemons & (unsigned)daemon) != 0 ? d->other_effect : PLUMB_EFFECT_NONE;
}

void plumb_diag_severity(struct plumb_diag *d, enum plumb_severity severity)
{
    d->severity = severity;
}

static int compare_numbers(uint32_t x, uint32_t y)
{
    return x < y ? -1 : x > y;
}

int plumb_diag_compare(const void *a, const void *b)
{
    const struct plumb_diag *const *pa = a;
    const struct plumb_diag *const *pb = b;
    const struct plumb_diag *x = *pa, *y = *pb;
    int order = compare_numbers(x->at.file - 1, y->at.file - 1); /* 0 becomes the largest */

    if (order == 0)
        order = compare_numbers(x->at.begin, y->at.begin);
    if (order == 0)
        order = compare_numbers(x->at.end, y->at.end);
    if (order == 0)
        order = strcmp(x->rule->code, y->rule->code);
    return order == 0 ? strcmp(x->message, y->message) : order;
}
