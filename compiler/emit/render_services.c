/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON formats of services: `gitlab` (Code Quality report), `rdjson` (reviewdog). */
#include "emit/render_parts.h"
#include "syntax/json.h"

static const struct plumb_span nowhere;

/* GitLab's five severities. */
static const char *gitlab_severity(const struct plumb_diag *d)
{
    static const char *const names[] = {"info", "minor", "major"};

    return d->severity == PLUMB_ERROR && d->effect == PLUMB_EFFECT_STOPS ? "critical"
                                                                         : names[d->severity];
}

/* A location is required, so that a finding without one is shown at the first line of ".". */
static struct plumb_node *gitlab_location(struct plumb_arena *a, const struct plumb_report *r,
                                          const struct plumb_diag *d)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere), *lines = plumb_node_mapping(a, nowhere);
    struct plumb_place p = {.path = ".", .line = 1, .end_line = 1};

    if (plumb_span_known(d->at))
        p = plumb_source_place(r->sources, d->at);
    plumb_node_set_u64(a, lines, "begin", p.line);
    plumb_node_set_u64(a, lines, "end", p.end_line);
    plumb_render_set(a, m, "path", p.path);
    plumb_node_set(a, m, "lines", lines);
    return m;
}

void plumb_render_gitlab(struct plumb_arena *a, const struct plumb_report *r,
                         const struct plumb_render_options *o, struct plumb_buf *out)
{
    struct plumb_node *list = plumb_node_sequence(a, nowhere);
    struct plumb_map seen = plumb_map_in(a);

    for (size_t i = 0; i < plumb_render_shown(r, o); i++) {
        const struct plumb_diag *d = r->items[i];
        struct plumb_node *m = plumb_node_mapping(a, nowhere);

        plumb_render_set(a, m, "description", d->message);
        plumb_render_set(a, m, "check_name", d->rule->code);
        plumb_render_set(a, m, "fingerprint", plumb_render_fingerprint(a, r, d, &seen));
        plumb_render_set(a, m, "severity", gitlab_severity(d));
        plumb_node_set(a, m, "location", gitlab_location(a, r, d));
        plumb_node_append(a, list, m);
    }
    plumb_json_write(out, list, NULL);
}

/* reviewdog counts columns in bytes. */
static struct plumb_node *byte_position(struct plumb_arena *a, const struct plumb_source *src,
                                        uint32_t line, uint32_t at)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    plumb_node_set_u64(a, m, "line", line);
    plumb_node_set_u64(a, m, "column", at - src->lines[line - 1] + 1);
    return m;
}

static struct plumb_node *byte_range(struct plumb_arena *a, const struct plumb_report *r,
                                     struct plumb_span at)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);
    struct plumb_place p = plumb_source_place(r->sources, at); /* finds the lines of the source */
    const struct plumb_source *src = plumb_source_get(r->sources, at.file);

    plumb_node_set(a, m, "start", byte_position(a, src, p.line, at.begin));
    plumb_node_set(a, m, "end", byte_position(a, src, p.end_line, at.end));
    return m;
}

static struct plumb_node *suggestions(struct plumb_arena *a, const struct plumb_report *r,
                                      const struct plumb_diag *d)
{
    struct plumb_node *list = plumb_node_sequence(a, nowhere);

    struct plumb_edit_cursor c = {0, 0};
    struct plumb_edit edit;

    while (plumb_diag_next_edit(d, &c, &edit)) {
        struct plumb_node *m = plumb_node_mapping(a, nowhere);

        /* A suggestion is for the file of its finding. */
        if (edit.at.file != d->at.file || !plumb_span_known(d->at))
            continue;
        plumb_node_set(a, m, "range", byte_range(a, r, edit.at));
        plumb_render_set(a, m, "text", edit.text);
        plumb_node_append(a, list, m);
    }
    return list;
}

static struct plumb_node *diagnostic(struct plumb_arena *a, const struct plumb_report *r,
                                     const struct plumb_diag *d)
{
    static const char *const severities[] = {"INFO", "WARNING", "ERROR"};
    struct plumb_node *m = plumb_node_mapping(a, nowhere), *code = plumb_node_mapping(a, nowhere);
    struct plumb_node *place = plumb_node_mapping(a, nowhere);

    if (plumb_span_known(d->at)) {
        plumb_render_set(a, place, "path", plumb_source_place(r->sources, d->at).path);
        plumb_node_set(a, place, "range", byte_range(a, r, d->at));
    } else {
        plumb_render_set(a, place, "path", "");
    }
    plumb_render_set(a, code, "value", d->rule->code);
    plumb_render_set(a, m, "message", plumb_render_text(a, d));
    plumb_render_set(a, m, "severity", severities[d->severity]);
    plumb_node_set(a, m, "code", code);
    plumb_node_set(a, m, "location", place);
    plumb_node_set(a, m, "suggestions", suggestions(a, r, d));
    return m;
}

void plumb_render_rdjson(struct plumb_arena *a, const struct plumb_report *r,
                         const struct plumb_render_options *o, struct plumb_buf *out)
{
    struct plumb_node *run = plumb_node_mapping(a, nowhere),
                      *list = plumb_node_sequence(a, nowhere);
    struct plumb_node *source = plumb_node_mapping(a, nowhere);

    for (size_t i = 0; i < plumb_render_shown(r, o); i++)
        plumb_node_append(a, list, diagnostic(a, r, r->items[i]));
    plumb_render_set(a, source, "name", "plumb");
    plumb_node_set(a, run, "source", source);
    plumb_node_set(a, run, "diagnostics", list);
    plumb_json_write(out, run, NULL);
}
