/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The `sarif` format: OASIS SARIF 2.1.0, one run. Section numbers are of that standard. Columns
 * count characters (3.14.17, columnKind). Silenced findings are results with a suppression
 * (3.27.23); inputs that could not be read are notifications of the invocation (3.20.21).
 */
#include <string.h>

#include "base/text.h"
#include "emit/render_parts.h"
#include "syntax/json.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static const struct plumb_span nowhere;

struct sarif {
    struct plumb_arena *a;
    const struct plumb_report *r;
    struct plumb_node *rules; /* those that have results, in order of the first */
    struct plumb_map index;   /* code -> position in rules + 1 */
    struct plumb_map seen;    /* of the fingerprints */
};

static struct plumb_node *message(struct plumb_arena *a, const char *text)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    plumb_render_set(a, m, "text", text);
    return m;
}

/* A path as the relative reference that an artifact's place must be (3.4.3, RFC 3986). */
static const char *uri_of(struct plumb_arena *a, const char *path)
{
    struct plumb_buf out = plumb_buf_in(a);

    if (path[0] == '/')
        plumb_buf_str(&out, "file://");
    for (; *path != '\0'; path++) {
        bool plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
                     plumb_is_digit(*path) || strchr("-._~/", *path) != NULL;

        if (plain)
            plumb_buf_char(&out, *path);
        else
            plumb_buf_printf(&out, "%%%02X", (unsigned)(unsigned char)*path);
    }
    return plumb_buf_text(&out);
}

static struct plumb_node *artifact(struct plumb_arena *a, const char *path)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    plumb_render_set(a, m, "uri", uri_of(a, path));
    return m;
}

static struct plumb_node *region(struct plumb_arena *a, const struct plumb_place *p)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    plumb_node_set_u64(a, m, "startLine", p->line);
    plumb_node_set_u64(a, m, "startColumn", p->column);
    plumb_node_set_u64(a, m, "endLine", p->end_line);
    plumb_node_set_u64(a, m, "endColumn", p->end_column);
    return m;
}

static struct plumb_node *location(struct sarif *s, struct plumb_span at, const char *text)
{
    struct plumb_node *m = plumb_node_mapping(s->a, nowhere);
    struct plumb_node *physical = plumb_node_mapping(s->a, nowhere);
    struct plumb_place p = plumb_source_place(s->r->sources, at);

    plumb_node_set(s->a, physical, "artifactLocation", artifact(s->a, p.path));
    plumb_node_set(s->a, physical, "region", region(s->a, &p));
    plumb_node_set(s->a, m, "physicalLocation", physical);
    if (text != NULL)
        plumb_node_set(s->a, m, "message", message(s->a, text));
    return m;
}

static const char *level_of(enum plumb_severity severity)
{
    static const char *const levels[] = {"note", "warning", "error"};

    return levels[severity];
}

static struct plumb_node *rule_of(struct plumb_arena *a, const struct plumb_rule *rule)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere), *config = plumb_node_mapping(a, nowhere);

    plumb_render_set(a, m, "id", rule->code);
    plumb_render_set(a, m, "name", rule->name);
    if (rule->summary != NULL)
        plumb_node_set(a, m, "shortDescription", message(a, rule->summary));
    if (rule->why != NULL)
        plumb_node_set(a, m, "fullDescription", message(a, rule->why));
    if (rule->ref != NULL)
        plumb_node_set(a, m, "help", message(a, plumb_arena_printf(a, "See %s.", rule->ref)));
    plumb_render_set(a, config, "level", level_of(rule->severity));
    plumb_node_set(a, m, "defaultConfiguration", config);
    return m;
}

static uint64_t index_of(struct sarif *s, const struct plumb_rule *rule)
{
    struct plumb_map_entry *e = plumb_map_entry(&s->index, rule->code, strlen(rule->code));

    if (e->value == NULL) {
        size_t *position = PLUMB_NEW(s->a, size_t);

        *position = s->rules->count;
        e->value = position;
        plumb_node_append(s->a, s->rules, rule_of(s->a, rule));
    }
    return *(const size_t *)e->value;
}

/* One edit as one change of one file (3.56, 3.57). */
static struct plumb_node *change_of(struct sarif *s, const struct plumb_edit *edit)
{
    struct plumb_arena *a = s->a;
    struct plumb_node *change = plumb_node_mapping(a, nowhere);
    struct plumb_node *replacement = plumb_node_mapping(a, nowhere);
    struct plumb_node *list = plumb_node_sequence(a, nowhere);
    struct plumb_place p = plumb_source_place(s->r->sources, edit->at);

    plumb_node_set(a, replacement, "deletedRegion", region(a, &p));
    plumb_node_set(a, replacement, "insertedContent", message(a, edit->text));
    plumb_node_append(a, list, replacement);
    plumb_node_set(a, change, "artifactLocation", artifact(a, p.path));
    plumb_node_set(a, change, "replacements", list);
    return change;
}

static void set_fixes(struct sarif *s, struct plumb_node *m, const struct plumb_diag *d)
{
    struct plumb_node *fixes = plumb_node_sequence(s->a, nowhere);
    struct plumb_node *fix = plumb_node_mapping(s->a, nowhere);
    struct plumb_node *changes = plumb_node_sequence(s->a, nowhere);
    struct plumb_edit_cursor c = {0, 0};
    struct plumb_edit edit;

    while (plumb_diag_next_edit(d, &c, &edit))
        plumb_node_append(s->a, changes, change_of(s, &edit));
    if (d->edits.count == 0)
        return;
    plumb_node_set(s->a, fix, "artifactChanges", changes);
    plumb_node_append(s->a, fixes, fix);
    plumb_node_set(s->a, m, "fixes", fixes);
}

static void set_places(struct sarif *s, struct plumb_node *m, const struct plumb_diag *d)
{
    struct plumb_node *places = plumb_node_sequence(s->a, nowhere);
    struct plumb_node *related = plumb_node_sequence(s->a, nowhere);

    if (plumb_span_known(d->at))
        plumb_node_append(s->a, places, location(s, d->at, d->label));
    plumb_node_set(s->a, m, "locations", places);
    for (size_t i = 0; i < d->notes.count; i++) {
        if (plumb_span_known(d->notes.items[i].at))
            plumb_node_append(s->a, related,
                              location(s, d->notes.items[i].at, d->notes.items[i].text));
    }
    if (related->count > 0)
        plumb_node_set(s->a, m, "relatedLocations", related);
}

static struct plumb_node *result_of(struct sarif *s, const struct plumb_diag *d)
{
    struct plumb_node *m = plumb_node_mapping(s->a, nowhere);
    struct plumb_node *prints = plumb_node_mapping(s->a, nowhere);

    plumb_render_set(s->a, m, "ruleId", d->rule->code);
    plumb_node_set_u64(s->a, m, "ruleIndex", index_of(s, d->rule));
    plumb_render_set(s->a, m, "level", level_of(d->severity));
    plumb_node_set(s->a, m, "message", message(s->a, plumb_render_text(s->a, d)));
    plumb_render_set(s->a, prints, "plumb/v1", plumb_render_fingerprint(s->a, s->r, d, &s->seen));
    plumb_node_set(s->a, m, "partialFingerprints", prints);
    set_places(s, m, d);
    set_fixes(s, m, d);
    if (d->suppressed != NULL) {
        struct plumb_node *list = plumb_node_sequence(s->a, nowhere);
        struct plumb_node *one = plumb_node_mapping(s->a, nowhere);

        plumb_render_set(s->a, one, "kind", "inSource");
        plumb_render_set(s->a, one, "justification", d->suppressed);
        plumb_node_append(s->a, list, one);
        plumb_node_set(s->a, m, "suppressions", list);
    }
    return m;
}

static struct plumb_node *invocations(struct sarif *s)
{
    struct plumb_node *list = plumb_node_sequence(s->a, nowhere);
    struct plumb_node *one = plumb_node_mapping(s->a, nowhere);
    struct plumb_node *notes = plumb_node_sequence(s->a, nowhere);

    for (size_t i = 0; i < s->r->problem_count; i++) {
        struct plumb_node *note = plumb_node_mapping(s->a, nowhere);

        plumb_render_set(s->a, note, "level", "error");
        plumb_node_set(s->a, note, "message", message(s->a, s->r->problems[i]));
        plumb_node_append(s->a, notes, note);
    }
    plumb_node_set_bool(s->a, one, "executionSuccessful", !s->r->incomplete);
    plumb_node_set(s->a, one, "toolExecutionNotifications", notes);
    plumb_node_append(s->a, list, one);
    return list;
}

static struct plumb_node *tool(struct sarif *s)
{
    struct plumb_node *m = plumb_node_mapping(s->a, nowhere);
    struct plumb_node *driver = plumb_node_mapping(s->a, nowhere);

    plumb_render_set(s->a, driver, "name", "plumb");
    plumb_render_set(s->a, driver, "version", s->r->version);
    plumb_node_set(s->a, driver, "rules", s->rules);
    plumb_node_set(s->a, m, "driver", driver);
    return m;
}

void plumb_render_sarif(struct plumb_arena *a, const struct plumb_report *r,
                        const struct plumb_render_options *o, struct plumb_buf *out)
{
    struct sarif s = {.a = a,
                      .r = r,
                      .rules = plumb_node_sequence(a, nowhere),
                      .index = plumb_map_in(a),
                      .seen = plumb_map_in(a)};
    struct plumb_node *log = plumb_node_mapping(a, nowhere),
                      *runs = plumb_node_sequence(a, nowhere);
    struct plumb_node *run = plumb_node_mapping(a, nowhere), *all = plumb_node_sequence(a, nowhere);

    for (size_t i = 0; i < plumb_render_shown(r, o); i++)
        plumb_node_append(a, all, result_of(&s, r->items[i]));
    for (size_t i = 0; i < r->suppressed_count; i++)
        plumb_node_append(a, all, result_of(&s, r->suppressed[i]));
    plumb_node_set(a, run, "results", all);
    plumb_node_set(a, run, "tool", tool(&s));
    plumb_node_set(a, run, "invocations", invocations(&s));
    plumb_render_set(a, run, "columnKind", "unicodeCodePoints");
    plumb_node_append(a, runs, run);
    plumb_node_set(a, log, "runs", runs);
    plumb_render_set(a, log, "version", "2.1.0");
    plumb_render_set(a, log, "$schema", SCHEMA);
    plumb_json_write(out, log, NULL);
}
