/* SPDX-License-Identifier: Apache-2.0 */
/* The XML formats: `junit` for test reports, `checkstyle` for what reads Checkstyle's. */
#include <string.h>

#include "emit/render_parts.h"
#include "syntax/xml.h"

static const struct plumb_span nowhere;

static struct plumb_xml *element(struct plumb_arena *a, struct plumb_xml *parent, const char *name)
{
    return plumb_xml_element(a, parent, name, nowhere);
}

static void set_number(struct plumb_arena *a, struct plumb_xml *e, const char *name, uint64_t value)
{
    plumb_xml_set(a, e, name, plumb_arena_printf(a, "%llu", (unsigned long long)value));
}

/* The path of a finding, "plumb" for one without a place. */
static const char *path_of(const struct plumb_report *r, const struct plumb_diag *d)
{
    return plumb_span_known(d->at) ? plumb_source_place(r->sources, d->at).path : "plumb";
}

/* Findings of a file stand together: the report is ordered by file. */
void plumb_render_checkstyle(struct plumb_arena *a, const struct plumb_report *r,
                             const struct plumb_render_options *o, struct plumb_buf *out)
{
    struct plumb_xml *root = element(a, NULL, "checkstyle"), *file = NULL;
    const char *last = NULL;

    plumb_xml_set(a, root, "version", "4.3");
    for (size_t i = 0; i < plumb_render_shown(r, o); i++) {
        const struct plumb_diag *d = r->items[i];
        const char *path = path_of(r, d);
        struct plumb_xml *one = NULL;

        if (last == NULL || strcmp(last, path) != 0) {
            file = element(a, root, "file");
            plumb_xml_set(a, file, "name", path);
            last = path;
        }
        one = element(a, file, "error");
        if (plumb_span_known(d->at)) {
            set_number(a, one, "line", plumb_source_place(r->sources, d->at).line);
            set_number(a, one, "column", plumb_source_place(r->sources, d->at).column);
        }
        plumb_xml_set(a, one, "severity", plumb_severity_name(d->severity));
        plumb_xml_set(a, one, "message", plumb_render_text(a, d));
        plumb_xml_set(a, one, "source",
                      plumb_arena_printf(a, "plumb.%s.%s", d->rule->code, d->rule->name));
    }
    plumb_xml_write(out, root, NULL, PLUMB_XML_STANDARD, NULL);
}

static void add_case(struct plumb_arena *a, const struct plumb_report *r,
                     const struct plumb_diag *d, struct plumb_xml *suite)
{
    struct plumb_xml *one = element(a, suite, "testcase"), *fault = NULL;
    const char *path = path_of(r, d), *where = path;

    if (plumb_span_known(d->at)) {
        struct plumb_place p = plumb_source_place(r->sources, d->at);

        where = plumb_arena_printf(a, "%s:%u:%u", path, p.line, p.column);
    }
    plumb_xml_set(a, one, "classname", path);
    plumb_xml_set(a, one, "name",
                  plumb_arena_printf(a, "%s %s at %s", d->rule->code, d->rule->name, where));
    if (d->severity == PLUMB_INFO) { /* advice fails no test */
        plumb_xml_set(a, element(a, one, "skipped"), "message", d->message);
        return;
    }
    fault = element(a, one, "failure");
    plumb_xml_set(a, fault, "type", plumb_severity_name(d->severity));
    plumb_xml_set(a, fault, "message", d->message);
    fault->text = plumb_arena_printf(a, "%s: %s[%s] %s", where, plumb_severity_name(d->severity),
                                     d->rule->code, plumb_render_text(a, d));
}

/* One test case per finding; a run without one is a case that passed: empty suites look broken. */
void plumb_render_junit(struct plumb_arena *a, const struct plumb_report *r,
                        const struct plumb_render_options *o, struct plumb_buf *out)
{
    struct plumb_xml *root = element(a, NULL, "testsuites"), *suite = element(a, root, "testsuite");
    size_t shown = plumb_render_shown(r, o), failures = 0, skipped = 0;

    for (size_t i = 0; i < shown; i++) {
        failures += r->items[i]->severity != PLUMB_INFO;
        skipped += r->items[i]->severity == PLUMB_INFO;
        add_case(a, r, r->items[i], suite);
    }
    plumb_xml_set(a, suite, "name", "plumb");
    set_number(a, suite, "tests",
               shown == 0 && r->problem_count == 0 ? 1 : shown + r->problem_count);
    set_number(a, suite, "failures", failures);
    set_number(a, suite, "errors", r->problem_count);
    set_number(a, suite, "skipped", skipped);
    for (size_t i = 0; i < r->problem_count; i++) {
        struct plumb_xml *one = element(a, suite, "testcase");

        plumb_xml_set(a, one, "classname", "plumb");
        plumb_xml_set(a, one, "name", "input");
        plumb_xml_set(a, element(a, one, "error"), "message", r->problems[i]);
    }
    if (shown == 0 && r->problem_count == 0) {
        struct plumb_xml *one = element(a, suite, "testcase");

        plumb_xml_set(a, one, "classname", "plumb");
        plumb_xml_set(a, one, "name", "no findings");
    }
    plumb_xml_write(out, root, NULL, PLUMB_XML_STANDARD, NULL);
}
