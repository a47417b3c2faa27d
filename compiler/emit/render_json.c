/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The `json` format: one object per run. Keys are a contract (doc/reference/cli.md); new ones may
 * be added. Lines and columns count from 1, in characters; end_column is behind the last one.
 */
#include <string.h>

#include "base/text.h"
#include "emit/render_parts.h"
#include "syntax/json.h"

static const struct plumb_span nowhere;

static void set_place(struct plumb_arena *a, const struct plumb_report *r, struct plumb_node *m,
                      struct plumb_span at)
{
    struct plumb_place p = plumb_source_place(r->sources, at);

    if (!plumb_span_known(at)) {
        plumb_render_set(a, m, "file", NULL);
        return;
    }
    plumb_render_set(a, m, "file", p.path);
    plumb_node_set_u64(a, m, "line", p.line);
    plumb_node_set_u64(a, m, "column", p.column);
    plumb_node_set_u64(a, m, "end_line", p.end_line);
    plumb_node_set_u64(a, m, "end_column", p.end_column);
}

static struct plumb_node *labels_of(struct plumb_arena *a, const struct plumb_report *r,
                                    const struct plumb_diag *d)
{
    struct plumb_node *list = plumb_node_sequence(a, nowhere);

    if (d->label != NULL) {
        struct plumb_node *one = plumb_node_mapping(a, nowhere);

        set_place(a, r, one, d->at);
        plumb_render_set(a, one, "message", d->label);
        plumb_node_set_bool(a, one, "primary", true);
        plumb_node_append(a, list, one);
    }
    for (size_t i = 0; i < d->notes.count; i++) {
        struct plumb_node *one = plumb_node_mapping(a, nowhere);

        set_place(a, r, one, d->notes.items[i].at);
        plumb_render_set(a, one, "message", d->notes.items[i].text);
        plumb_node_set_bool(a, one, "primary", false);
        plumb_node_append(a, list, one);
    }
    return list;
}

static struct plumb_node *edits_of(struct plumb_arena *a, const struct plumb_report *r,
                                   const struct plumb_diag *d)
{
    struct plumb_node *list = plumb_node_sequence(a, nowhere);

    struct plumb_edit_cursor c = {0, 0};
    struct plumb_edit edit;

    while (plumb_diag_next_edit(d, &c, &edit)) {
        struct plumb_node *one = plumb_node_mapping(a, nowhere);

        set_place(a, r, one, edit.at);
        plumb_render_set(a, one, "text", edit.text);
        plumb_node_set_bool(a, one, "safe", edit.safe);
        plumb_node_append(a, list, one);
    }
    return list;
}

static struct plumb_node *texts_of(struct plumb_arena *a, const struct plumb_string_list *l)
{
    struct plumb_node *list = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < l->count; i++)
        plumb_node_append(a, list,
                          plumb_node_string(a, plumb_render_valid(a, l->items[i]), nowhere));
    return list;
}

static struct plumb_node *daemons_of(struct plumb_arena *a, unsigned daemons)
{
    static const enum plumb_daemon all[] = {PLUMB_SLURMCTLD, PLUMB_SLURMD, PLUMB_SLURMDBD};
    struct plumb_node *list = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < PLUMB_COUNT(all); i++) {
        if ((daemons & (unsigned)all[i]) != 0)
            plumb_node_append(a, list, plumb_node_string(a, plumb_daemon_name(all[i]), nowhere));
    }
    return list;
}

/* What each daemon that minds does. */
static struct plumb_node *effects_of(struct plumb_arena *a, const struct plumb_diag *d)
{
    static const enum plumb_daemon all[] = {PLUMB_SLURMCTLD, PLUMB_SLURMD, PLUMB_SLURMDBD};
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    for (size_t i = 0; i < PLUMB_COUNT(all); i++) {
        if (((d->daemons | d->other_daemons) & (unsigned)all[i]) != 0)
            plumb_render_set(a, m, plumb_daemon_name(all[i]),
                             plumb_effect_name(plumb_diag_effect_on(d, all[i])));
    }
    return m;
}

static struct plumb_node *object_of(struct plumb_arena *a, const struct plumb_diag *d)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    if (d->object_kind == NULL)
        return plumb_node_null(a);
    plumb_render_set(a, m, "kind", d->object_kind);
    plumb_render_set(a, m, "name", d->object_name);
    plumb_node_set_u64(a, m, "count", d->count == 0 ? 1 : d->count);
    return m;
}

/* Of a line of many kilobytes, the text around a finding stands for all of it. */
enum { LONG_LINE = 4096 };
#define AROUND ((size_t)256)

/* The marked lines' text with blanks joined: the same when the finding moves to another line. */
static void add_context(const struct plumb_report *r, const struct plumb_diag *d,
                        struct plumb_buf *out)
{
    struct plumb_place p = plumb_source_place(r->sources, d->at);
    const char *text = NULL;
    size_t len = 0;
    bool blank = true;

    plumb_buf_str(out, p.path);
    plumb_buf_char(out, '\n');
    if (!plumb_span_known(d->at) || !plumb_source_line(r->sources, d->at.file, p.line, &text, &len))
        return;
    if (len > LONG_LINE) {
        size_t at = d->at.begin - (size_t)(text - plumb_source_get(r->sources, d->at.file)->bytes);
        size_t from = at > len ? len : at > AROUND ? at - AROUND : 0;

        text += from;
        len = len - from > 2 * AROUND ? 2 * AROUND : len - from;
    }
    for (size_t i = 0; i < len; i++) {
        if (!plumb_is_blank(text[i]))
            plumb_buf_char(out, text[i]);
        else if (!blank)
            plumb_buf_char(out, ' ');
        blank = plumb_is_blank(text[i]);
    }
}

/* Made of code, file, object, and the text of the line; equal ones are numbered in order. */
const char *plumb_render_fingerprint(struct plumb_arena *a, const struct plumb_report *r,
                                     const struct plumb_diag *d, struct plumb_map *seen)
{
    struct plumb_buf out = plumb_buf_in(a);

    plumb_buf_printf(&out, "%s\n%s\n", d->rule->code, d->object_name == NULL ? "" : d->object_name);
    add_context(r, d, &out);

    struct plumb_map_entry *e = plumb_map_entry(seen, plumb_buf_text(&out), out.len);
    size_t *times = e->value;

    if (times == NULL)
        times = e->value = PLUMB_NEW(a, size_t);
    plumb_buf_printf(&out, "\n%zu", (*times)++);
    return plumb_arena_printf(a, "%016llx",
                              (unsigned long long)plumb_hash(plumb_buf_text(&out), out.len));
}

struct plumb_node *plumb_render_finding(struct plumb_arena *a, const struct plumb_report *r,
                                        const struct plumb_diag *d, struct plumb_map *seen)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    set_place(a, r, m, d->at);
    plumb_render_set(a, m, "severity", plumb_severity_name(d->severity));
    plumb_render_set(a, m, "code", d->rule->code);
    plumb_render_set(a, m, "name", d->rule->name);
    plumb_render_set(a, m, "message", d->message);
    plumb_render_set(a, m, "effect", plumb_effect_name(d->effect));
    plumb_render_set(a, m, "reference", d->rule->ref);
    plumb_render_set(a, m, "fingerprint", plumb_render_fingerprint(a, r, d, seen));
    plumb_node_set(a, m, "daemons", daemons_of(a, d->daemons));
    plumb_node_set(a, m, "effects", effects_of(a, d));
    plumb_node_set(a, m, "labels", labels_of(a, r, d));
    plumb_node_set(a, m, "facts", texts_of(a, &d->facts));
    plumb_node_set(a, m, "help", texts_of(a, &d->help));
    plumb_node_set(a, m, "edits", edits_of(a, r, d));
    plumb_node_set(a, m, "object", object_of(a, d));
    if (d->suppressed != NULL)
        plumb_render_set(a, m, "reason", d->suppressed);
    return m;
}

static void set_verdict(struct plumb_arena *a, struct plumb_node *m, const char *daemon,
                        enum plumb_verdict v)
{
    plumb_render_set(a, m, daemon, v == PLUMB_NOT_JUDGED ? NULL : plumb_verdict_name(v));
}

static struct plumb_node *daemons(struct plumb_arena *a, const struct plumb_report *r)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    if (!r->predicted)
        return plumb_node_null(a);
    plumb_render_set(a, m, "release", plumb_release_name(r->prediction.release));
    set_verdict(a, m, "slurmctld", r->prediction.slurmctld);
    set_verdict(a, m, "slurmd", r->prediction.slurmd);
    set_verdict(a, m, "slurmdbd", r->prediction.slurmdbd);
    plumb_node_set_bool(a, m, "drains", r->prediction.drains);
    return m;
}

static struct plumb_node *findings(struct plumb_arena *a, const struct plumb_report *r,
                                   const struct plumb_diag *const *items, size_t count)
{
    struct plumb_node *list = plumb_node_sequence(a, nowhere);
    struct plumb_map seen = plumb_map_in(a);

    for (size_t i = 0; i < count; i++)
        plumb_node_append(a, list, plumb_render_finding(a, r, items[i], &seen));
    return list;
}

static struct plumb_node *summary(struct plumb_arena *a, const struct plumb_report *r)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);
    size_t by_severity[3] = {0};

    for (size_t i = 0; i < r->count; i++)
        by_severity[r->items[i]->severity]++;
    plumb_node_set_u64(a, m, "errors", by_severity[PLUMB_ERROR]);
    plumb_node_set_u64(a, m, "warnings", by_severity[PLUMB_WARNING]);
    plumb_node_set_u64(a, m, "infos", by_severity[PLUMB_INFO]);
    plumb_node_set_u64(a, m, "suppressed", r->suppressed_count);
    plumb_node_set_u64(a, m, "dropped", r->dropped);
    return m;
}

void plumb_render_json(struct plumb_arena *a, const struct plumb_report *r,
                       const struct plumb_render_options *o, struct plumb_buf *out)
{
    size_t shown = plumb_render_shown(r, o);
    struct plumb_node *run = plumb_node_mapping(a, nowhere);
    struct plumb_node *problems = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < r->problem_count; i++)
        plumb_node_append(a, problems,
                          plumb_node_string(a, plumb_render_valid(a, r->problems[i]), nowhere));
    plumb_render_set(a, run, "version", r->version);
    plumb_render_set(a, run, "release", plumb_release_name(r->prediction.release));
    plumb_node_set(a, run, "daemons", daemons(a, r));
    plumb_node_set(a, run, "findings", findings(a, r, r->items, shown));
    plumb_node_set(a, run, "suppressed", findings(a, r, r->suppressed, r->suppressed_count));
    plumb_node_set(a, run, "problems", problems);
    plumb_node_set(a, run, "summary", summary(a, r));
    plumb_node_set_u64(a, run, "omitted", r->count - shown);
    plumb_node_set_bool(a, run, "incomplete", r->incomplete);
    plumb_json_write(out, run, NULL);
}

void plumb_render_jsonl(struct plumb_arena *a, const struct plumb_report *r,
                        const struct plumb_render_options *o, struct plumb_buf *out)
{
    struct plumb_map seen = plumb_map_in(a);

    for (size_t i = 0; i < plumb_render_shown(r, o); i++) {
        plumb_json_write_compact(out, plumb_render_finding(a, r, r->items[i], &seen));
        plumb_buf_char(out, '\n');
    }
}
