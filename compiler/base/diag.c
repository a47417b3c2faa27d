/* SPDX-License-Identifier: Apache-2.0 */
/* The collecting sink for findings. */
#include "base/diag.h"

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

static void add_string(struct plumb_diag *d, struct plumb_string_list *l, const char *text)
{
    l->items = plumb_arena_grow(d->sink->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    l->items[l->count++] = text;
}

void plumb_diag_fact(struct plumb_diag *d, const char *fmt, ...)
{
    va_list args;

    if (plumb_diag_is_dropped(d))
        return;
    va_start(args, fmt);
    add_string(d, &d->facts, plumb_arena_vprintf(d->sink->arena, fmt, args));
    va_end(args);
}

void plumb_diag_help(struct plumb_diag *d, const char *fmt, ...)
{
    va_list args;

    if (plumb_diag_is_dropped(d))
        return;
    va_start(args, fmt);
    add_string(d, &d->help, plumb_arena_vprintf(d->sink->arena, fmt, args));
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
