/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The `human` format: for each finding a heading, the lines it is about with marks and labels
 * under them, then what the daemons do, what to type, and where to read more. This file arranges
 * findings; render_snippet.c draws lines of source.
 */
#include <string.h>

#include "base/text.h"
#include "emit/columns.h"
#include "emit/render.h"
#include "emit/snippet.h"

static const char *severity_colour(enum plumb_severity s)
{
    return s == PLUMB_ERROR ? "\x1b[1;31m" : s == PLUMB_WARNING ? "\x1b[1;33m" : "\x1b[1;36m";
}

static void heading(struct plumb_buf *out, const struct plumb_diag *d, bool colour)
{
    if (colour)
        plumb_buf_str(out, severity_colour(d->severity));
    plumb_buf_printf(out, "%s[%s]", plumb_severity_name(d->severity), d->rule->code);
    if (colour)
        plumb_buf_str(out, "\x1b[0m\x1b[1m");
    plumb_buf_printf(out, " %s: ", d->rule->name);
    plumb_buf_line(out, d->message);
    if (colour)
        plumb_buf_str(out, "\x1b[0m");
    plumb_buf_char(out, '\n');
}

/* One line behind the snippet, "   = text"; line breaks in it go on under the first word. */
static void footer(struct plumb_buf *out, unsigned gutter, const char *kind, const char *text,
                   bool colour)
{
    size_t indent = gutter + 3;

    plumb_buf_fill(out, ' ', gutter + 1);
    plumb_buf_str(out, colour ? "\x1b[34m=\x1b[0m " : "= ");
    plumb_buf_str(out, kind);
    for (const char *end = NULL; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        plumb_buf_line(out, plumb_arena_strndup(out->arena, text, (size_t)(end - text)));
        plumb_buf_char(out, '\n');
        plumb_buf_fill(out, ' ', indent);
    }
    plumb_buf_line(out, text);
    plumb_buf_char(out, '\n');
}

/* The author of the finding has said already what the daemons do. */
static bool tells_of_daemons(const struct plumb_diag *d)
{
    if (strstr(d->message, "slurmctld") != NULL || strstr(d->message, "slurmd") != NULL)
        return true;
    for (size_t i = 0; i < d->facts.count; i++) {
        if (strstr(d->facts.items[i], "slurmctld") != NULL ||
            strstr(d->facts.items[i], "slurmd") != NULL)
            return true;
    }
    return false;
}

/* "slurmctld and slurmd 24.11 stop"; nothing for an effect that no daemon shows. */
static const char *effect_line(struct plumb_arena *a, const struct plumb_diag *d,
                               enum plumb_release release)
{
    static const struct {
        const char *one, *many;
    } verbs[] = {
        [PLUMB_EFFECT_NONE] = {NULL, NULL},
        [PLUMB_EFFECT_IGNORED] = {"ignores it without a word", "ignore it without a word"},
        [PLUMB_EFFECT_COMPLAINS] = {"starts and complains", "start and complain"},
        [PLUMB_EFFECT_DRAINS] = {"drains the node", "drain the node"},
        [PLUMB_EFFECT_STOPS] = {"stops", "stop"},
    };
    static const enum plumb_daemon daemons[] = {PLUMB_SLURMCTLD, PLUMB_SLURMD, PLUMB_SLURMDBD};
    struct plumb_buf out = plumb_buf_in(a);
    unsigned named = 0;

    if (verbs[d->effect].one == NULL || d->daemons == 0)
        return NULL;
    for (size_t i = 0; i < PLUMB_COUNT(daemons); i++) {
        if ((d->daemons & (unsigned)daemons[i]) == 0)
            continue;
        if (named > 0)
            plumb_buf_str(&out, d->daemons >> (i + 1) == 0 ? " and " : ", ");
        plumb_buf_str(&out, plumb_daemon_name(daemons[i]));
        named++;
    }
    plumb_buf_printf(&out, " %s %s", plumb_release_name(release),
                     named == 1 ? verbs[d->effect].one : verbs[d->effect].many);
    return plumb_buf_text(&out);
}

/* What a safe edit does, for a finding without words of its own about it. */
static void edit_footer(const struct plumb_report *r, const struct plumb_diag *d, unsigned gutter,
                        bool colour, struct plumb_buf *out)
{
    const struct plumb_edit *e =
        d->edits.count == 1 && d->edits.items[0].again_count == 0 ? &d->edits.items[0] : NULL;
    const struct plumb_source *src = e == NULL ? NULL : plumb_source_get(r->sources, e->at.file);

    if (src == NULL || !e->safe || d->help.count > 0)
        return;

    const char *old =
        plumb_arena_strndup(out->arena, src->bytes + e->at.begin, e->at.end - e->at.begin);
    const char *text = old[0] == '\0' ? plumb_arena_printf(out->arena, "insert '%s'", e->text)
                       : e->text[0] == '\0'
                           ? plumb_arena_printf(out->arena, "remove '%s'", old)
                           : plumb_arena_printf(out->arena, "write '%s' for '%s'", e->text, old);

    footer(out, gutter, "fix: ", text, colour);
}

static void footers(struct plumb_arena *a, const struct plumb_report *r, const struct plumb_diag *d,
                    unsigned gutter, bool colour, struct plumb_buf *out)
{
    const char *effect = tells_of_daemons(d) ? NULL : effect_line(a, d, r->prediction.release);

    if (effect != NULL)
        footer(out, gutter, "", effect, colour);
    for (size_t i = 0; i < d->facts.count; i++)
        footer(out, gutter, "", d->facts.items[i], colour);
    for (size_t i = 0; i < d->notes.count; i++) {
        if (!plumb_span_known(d->notes.items[i].at))
            footer(out, gutter, "note: ", d->notes.items[i].text, colour);
    }
    for (size_t i = 0; i < d->help.count; i++)
        footer(out, gutter, "fix: ", d->help.items[i], colour);
    edit_footer(r, d, gutter, colour, out);
    footer(out, gutter, "see: plumb explain ", d->rule->code, colour);
}

static void prediction(const struct plumb_prediction *p, struct plumb_buf *out)
{
    plumb_buf_printf(out, "prediction for %s: slurmctld %s, slurmd %s, slurmdbd %s%s\n",
                     plumb_release_name(p->release), plumb_verdict_name(p->slurmctld),
                     plumb_verdict_name(p->slurmd), plumb_verdict_name(p->slurmdbd),
                     p->drains ? "; nodes are drained" : "");
}

void plumb_render_human(struct plumb_arena *a, const struct plumb_report *r,
                        const struct plumb_render_options *o, struct plumb_buf *out)
{
    size_t shown = o->max_findings == 0 || r->count < o->max_findings ? r->count : o->max_findings;

    for (size_t i = 0; i < shown; i++) {
        const struct plumb_diag *d = r->items[i];

        heading(out, d, o->colour);

        unsigned gutter = plumb_render_snippet(a, r->sources, d, o->colour, out);

        footers(a, r, d, gutter, o->colour, out);
        plumb_buf_char(out, '\n');
    }
    if (shown < r->count)
        plumb_buf_printf(out, "%zu more findings are not shown\n", r->count - shown);
    if (r->predicted)
        prediction(&r->prediction, out);
}
