/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats share, and `compact`. */
#include <string.h>

#include "base/text.h"
#include "emit/columns.h"
#include "emit/render_parts.h"

static const char *const verdict_names[] = {"not judged", "accepted", "complaint", "refused"};

const char *plumb_verdict_name(enum plumb_verdict v)
{
    return verdict_names[v];
}

/* It drains the node once that registers, and complains at its own start. */
static bool complains_too(const struct plumb_diag *d, enum plumb_daemon daemon)
{
    return d->effect == PLUMB_EFFECT_DRAINS && d->other_effect == PLUMB_EFFECT_COMPLAINS &&
           (d->daemons & d->other_daemons & (unsigned)daemon) != 0;
}

enum plumb_verdict plumb_predict(const struct plumb_sink *sink, enum plumb_daemon daemon)
{
    enum plumb_verdict worst = PLUMB_ACCEPTED;

    for (size_t i = 0; i < sink->count; i++) {
        enum plumb_effect effect = plumb_diag_effect_on(sink->items[i], daemon);
        enum plumb_verdict v = PLUMB_ACCEPTED;

        if (effect == PLUMB_EFFECT_STOPS)
            v = PLUMB_REFUSED;
        else if (effect == PLUMB_EFFECT_COMPLAINS || complains_too(sink->items[i], daemon))
            v = PLUMB_COMPLAINT;
        if (v > worst)
            worst = v;
    }
    return worst;
}

bool plumb_predict_drain(const struct plumb_sink *sink)
{
    for (size_t i = 0; i < sink->count; i++) {
        if (sink->items[i]->effect == PLUMB_EFFECT_DRAINS)
            return true;
    }
    return false;
}

size_t plumb_render_shown(const struct plumb_report *r, const struct plumb_render_options *o)
{
    return o->max_findings == 0 || r->count < o->max_findings ? r->count : o->max_findings;
}

const char *plumb_render_valid(struct plumb_arena *a, const char *text)
{
    struct plumb_buf out = plumb_buf_in(a);
    size_t len = strlen(text);
    bool valid = false;

    for (size_t i = 0; i < len;) {
        size_t step = plumb_utf8_step(text + i, len - i, &valid);

        if (valid)
            plumb_buf_add(&out, text + i, step);
        else
            plumb_buf_str(&out, "\xef\xbf\xbd");
        i += step;
    }
    return plumb_buf_text(&out);
}

void plumb_render_set(struct plumb_arena *a, struct plumb_node *m, const char *key,
                      const char *text)
{
    static const struct plumb_span nowhere;

    plumb_node_set(a, m, key,
                   text == NULL ? plumb_node_null(a)
                                : plumb_node_string(a, plumb_render_valid(a, text), nowhere));
}

const char *plumb_render_text(struct plumb_arena *a, const struct plumb_diag *d)
{
    struct plumb_buf out = plumb_buf_in(a);

    plumb_buf_str(&out, d->message);
    for (size_t i = 0; i < d->facts.count; i++)
        plumb_buf_printf(&out, "\n%s", d->facts.items[i]);
    for (size_t i = 0; i < d->help.count; i++)
        plumb_buf_printf(&out, "\nfix: %s", d->help.items[i]);
    return plumb_buf_text(&out);
}

static void add_count(struct plumb_buf *out, size_t count, const char *one, bool *any)
{
    if (count == 0)
        return;
    plumb_buf_printf(out, "%s%zu %s%s", *any ? ", " : "", count, one, count == 1 ? "" : "s");
    *any = true;
}

void plumb_render_summary(const struct plumb_report *r, struct plumb_buf *out)
{
    size_t by_severity[3] = {0};
    bool any = false;

    for (size_t i = 0; i < r->count; i++)
        by_severity[r->items[i]->severity]++;
    add_count(out, by_severity[PLUMB_ERROR], "error", &any);
    add_count(out, by_severity[PLUMB_WARNING], "warning", &any);
    if (by_severity[PLUMB_INFO] > 0)
        plumb_buf_printf(out, "%s%zu info", any ? ", " : "", by_severity[PLUMB_INFO]);
    any = any || by_severity[PLUMB_INFO] > 0;
    if (!any)
        plumb_buf_str(out, "no findings");
    if (r->suppressed_count > 0)
        plumb_buf_printf(out, ", %zu silenced", r->suppressed_count);
    if (r->dropped > 0)
        plumb_buf_printf(out, ", %zu more not kept", r->dropped);
    if (r->incomplete)
        plumb_buf_str(out, "; the result is incomplete");
}

static void add_place(struct plumb_buf *out, const struct plumb_place *p)
{
    plumb_buf_line(out, p->path);
    plumb_buf_printf(out, ":%u:%u", p->line, p->column);
    if (p->end_line != p->line)
        plumb_buf_printf(out, "-%u:%u", p->end_line, p->end_column);
    else if (p->end_column > p->column)
        plumb_buf_printf(out, "-%u", p->end_column);
}

void plumb_render_compact(struct plumb_arena *a, const struct plumb_report *r,
                          const struct plumb_render_options *o, struct plumb_buf *out)
{
    size_t shown = plumb_render_shown(r, o);

    (void)a;
    for (size_t i = 0; i < shown; i++) {
        const struct plumb_diag *d = r->items[i];

        if (plumb_span_known(d->at)) {
            struct plumb_place p = plumb_source_place(r->sources, d->at);

            add_place(out, &p);
            plumb_buf_str(out, ": ");
        }
        plumb_buf_printf(out, "%s[%s] ", plumb_severity_name(d->severity), d->rule->code);
        plumb_buf_line(out, d->message);
        plumb_buf_char(out, '\n');
    }
    if (shown < r->count)
        plumb_buf_printf(out, "%zu more findings are not shown\n", r->count - shown);
}
