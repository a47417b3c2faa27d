/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb topo --audit --format json`. */
#include <stdlib.h>
#include <string.h>

#include "emit/audit.h"
#include "syntax/json.h"

static const struct plumb_span nowhere;

/* Facts of one kind by subject; a fact without one is a value of its own. */
static struct plumb_node *facts_of(struct plumb_arena *a, const struct plumb_audit_record *r)
{
    struct plumb_node *all = plumb_node_mapping(a, nowhere);

    for (int kind = 0; kind < PLUMB_AUDIT_KINDS; kind++) {
        size_t n = 0;
        const struct plumb_audit_fact *f = plumb_audit_first(r, (enum plumb_audit_kind)kind, &n);
        struct plumb_node *by_subject = plumb_node_mapping(a, nowhere);
        struct plumb_node *names = plumb_node_sequence(a, nowhere);

        if (n == 0)
            continue;
        if (f->subject[0] == '\0') {
            plumb_node_set_string(a, all, plumb_audit_kind_names[kind], f->value);
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            if (kind == PLUMB_AUDIT_SOURCE)
                plumb_node_append(a, names, plumb_node_string(a, f[i].subject, nowhere));
            else
                plumb_node_set_string(a, by_subject, f[i].subject, f[i].value);
        }
        plumb_node_set(a, all, plumb_audit_kind_names[kind],
                       kind == PLUMB_AUDIT_SOURCE ? names : by_subject);
    }
    return all;
}

static struct plumb_node *class_of(struct plumb_arena *a, const struct plumb_audit_class *c)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    plumb_node_set_string(a, m, "product", c->product);
    plumb_node_set_string(a, m, "hosts", plumb_audit_fold(a, c->machines, c->count));
    plumb_node_set_u64(a, m, "count", c->count);
    plumb_node_set_bool(a, m, "norm", c->norm);
    plumb_node_set_string(a, m, "example", c->machines[0]->name);
    plumb_node_set_string(a, m, "example_path", c->machines[0]->shown);
    plumb_node_set(a, m, "facts", facts_of(a, c->record));
    return m;
}

static struct plumb_node *finding_of(struct plumb_arena *a, const struct plumb_audit_finding *f)
{
    struct plumb_node *m = plumb_node_mapping(a, nowhere);

    plumb_node_set_string(a, m, "code", f->diag->rule->code);
    plumb_node_set_string(a, m, "name", f->diag->rule->name);
    plumb_node_set_string(a, m, "severity", plumb_severity_name(f->diag->severity));
    plumb_node_set_string(a, m, "message", f->diag->message);
    plumb_node_set_string(a, m, "hosts", f->hosts);
    plumb_node_set_u64(a, m, "count", f->count);
    plumb_node_set_string(a, m, "seen_at", f->seen);
    plumb_node_set_string(a, m, "norm_at", f->norm);
    return m;
}

/* As they are shown elsewhere. */
static int by_code(const void *x, const void *y)
{
    const struct plumb_audit_finding *a = x, *b = y;
    int order = strcmp(a->diag->rule->code, b->diag->rule->code);

    return order != 0 ? order : strcmp(a->diag->message, b->diag->message);
}

void plumb_audit_json(struct plumb_buf *out, const struct plumb_audit *a)
{
    struct plumb_arena *arena = out->arena;
    struct plumb_node *m = plumb_node_mapping(arena, nowhere);
    struct plumb_node *classes = plumb_node_sequence(arena, nowhere);
    struct plumb_node *findings = plumb_node_sequence(arena, nowhere);

    for (size_t i = 0; i < a->class_count; i++)
        plumb_node_append(arena, classes, class_of(arena, a->classes[i]));
    if (a->finding_count > 1)
        qsort(a->findings, a->finding_count, sizeof(*a->findings), by_code);
    for (size_t i = 0; i < a->finding_count; i++) {
        const struct plumb_diag *d = a->findings[i].diag;

        if (!d->hidden && d->suppressed == NULL && !plumb_diag_is_dropped(d))
            plumb_node_append(arena, findings, finding_of(arena, &a->findings[i]));
    }
    plumb_node_set_u64(arena, m, "machines", a->machine_count);
    plumb_node_set_u64(arena, m, "distinct", a->distinct);
    plumb_node_set_bool(arena, m, "incomplete", a->session->sink.incomplete);
    plumb_node_set(arena, m, "classes", classes);
    plumb_node_set(arena, m, "findings", findings);
    plumb_json_write(out, m, NULL);
}
