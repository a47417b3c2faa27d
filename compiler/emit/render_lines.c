/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of one line a finding: `gcc` for editors, `github` for annotations of a pull request. */
#include "emit/columns.h"
#include "emit/render_parts.h"

static void add_gcc_line(struct plumb_buf *out, const struct plumb_report *r, struct plumb_span at,
                         const char *kind, const char *text)
{
    if (plumb_span_known(at)) {
        struct plumb_place p = plumb_source_place(r->sources, at);

        plumb_buf_line(out, p.path);
        plumb_buf_printf(out, ":%u:%u: ", p.line, p.column);
    } else {
        plumb_buf_str(out, "plumb: "); /* gcc names itself where it has no file */
    }
    plumb_buf_printf(out, "%s: ", kind);
    plumb_buf_line(out, text);
}

/* GCC's own words: error, warning, note. Second places are notes of their own. */
void plumb_render_gcc(struct plumb_arena *a, const struct plumb_report *r,
                      const struct plumb_render_options *o, struct plumb_buf *out)
{
    static const char *const kinds[] = {"note", "warning", "error"};
    size_t shown = plumb_render_shown(r, o);

    (void)a;
    for (size_t i = 0; i < shown; i++) {
        const struct plumb_diag *d = r->items[i];

        add_gcc_line(out, r, d->at, kinds[d->severity], d->message);
        plumb_buf_printf(out, " [%s]\n", d->rule->code);
        for (size_t n = 0; n < d->notes.count; n++) {
            add_gcc_line(out, r, d->notes.items[n].at, "note", d->notes.items[n].text);
            plumb_buf_char(out, '\n');
        }
    }
    if (shown < r->count)
        plumb_buf_printf(out, "plumb: note: %zu more findings are not shown\n", r->count - shown);
}

/* Data and, with more to escape, properties of a workflow command (GitHub, "Workflow commands"). */
static void add_github(struct plumb_arena *a, struct plumb_buf *out, const char *text,
                       bool property)
{
    for (const char *p = plumb_render_valid(a, text); *p != '\0'; p++) {
        bool escape =
            *p == '%' || *p == '\r' || *p == '\n' || (property && (*p == ':' || *p == ','));

        if (escape)
            plumb_buf_printf(out, "%%%02X", (unsigned)(unsigned char)*p);
        else
            plumb_buf_char(out, *p);
    }
}

static void add_github_place(struct plumb_arena *a, struct plumb_buf *out,
                             const struct plumb_place *p)
{
    plumb_buf_str(out, "file=");
    add_github(a, out, p->path, true);
    plumb_buf_printf(out, ",line=%u,endLine=%u", p->line, p->end_line);
    /* Columns are taken for places on one line alone, and the last one is part of the place. */
    if (p->line == p->end_line)
        plumb_buf_printf(out, ",col=%u,endColumn=%u", p->column,
                         p->end_column > p->column ? p->end_column - 1 : p->column);
    plumb_buf_char(out, ',');
}

void plumb_render_github(struct plumb_arena *a, const struct plumb_report *r,
                         const struct plumb_render_options *o, struct plumb_buf *out)
{
    static const char *const kinds[] = {"notice", "warning", "error"};
    size_t shown = plumb_render_shown(r, o);

    for (size_t i = 0; i < shown; i++) {
        const struct plumb_diag *d = r->items[i];

        plumb_buf_printf(out, "::%s ", kinds[d->severity]);
        if (plumb_span_known(d->at)) {
            struct plumb_place p = plumb_source_place(r->sources, d->at);

            add_github_place(a, out, &p);
        }
        plumb_buf_printf(out, "title=%s %s::", d->rule->code, d->rule->name);
        add_github(a, out, plumb_render_text(a, d), false);
        plumb_buf_char(out, '\n');
    }
    if (shown < r->count)
        plumb_buf_printf(out, "::notice ::%zu more findings are not shown\n", r->count - shown);
}
