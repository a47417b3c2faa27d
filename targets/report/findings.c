/* SPDX-License-Identifier: Apache-2.0 */
/* Findings with the lines of the input that they are about. */
#include <stdlib.h>
#include <string.h>

#include "report/page.h"

enum {
    CONTEXT = 2,      /* lines above and below */
    MOST_LINES = 12,  /* of one excerpt */
    MOST_BYTES = 400, /* of one line */
    MOST_FINDINGS = 1000,
};

/* The name that outputs show, with the line: no folder of this machine. */
static const char *place_text(const struct plumb_page *p, struct plumb_span at)
{
    const struct plumb_source *src = plumb_source_get(&p->session->sources, at.file);
    struct plumb_place place = plumb_source_place(&p->session->sources, at);

    return plumb_arena_printf(p->arena, "%s:%u:%u",
                              plumb_output_source_name(p->session, p->model, src), place.line,
                              place.column);
}

static const char *piece(const struct plumb_page *p, const char *text, size_t len)
{
    bool cut = len > MOST_BYTES;
    const char *kept = plumb_arena_strndup(p->arena, text, cut ? MOST_BYTES : len);

    return cut ? plumb_arena_printf(p->arena, "%s...", kept) : kept;
}

/* A line in three parts, the middle one marked. */
static void add_marked(const struct plumb_page *p, struct plumb_xml *item, const char *text,
                       size_t len, size_t from, size_t to)
{
    struct plumb_xml *parts = plumb_page_class(p, item, "code", "parts", NULL);

    from = from > len ? len : from;
    to = to > len ? len : to;
    if (from > MOST_BYTES)
        (void)plumb_page_add(p, parts, "span", "...");
    else if (from > 0)
        (void)plumb_page_add(p, parts, "span", piece(p, text, from));
    (void)plumb_page_add(p, parts, "mark", to > from ? piece(p, text + from, to - from) : " ");
    if (to < len)
        (void)plumb_page_add(p, parts, "span", piece(p, text + to, len - to));
}

static void add_excerpt(const struct plumb_page *p, struct plumb_xml *parent, struct plumb_span at,
                        const char *label, uint32_t context)
{
    const struct plumb_sources *sources = &p->session->sources;
    const struct plumb_source *src = plumb_source_get(sources, at.file);
    struct plumb_place place = plumb_source_place(sources, at);
    struct plumb_xml *figure = plumb_page_add(p, parent, "figure", NULL), *list = NULL;
    uint32_t first = place.line > context ? place.line - context : 1;
    uint32_t last =
        place.end_line > place.line + MOST_LINES ? place.line + MOST_LINES : place.end_line;
    const char *text = NULL;
    size_t len = 0;

    (void)plumb_page_add(p, figure, "figcaption",
                         label == NULL
                             ? place_text(p, at)
                             : plumb_arena_printf(p->arena, "%s: %s", place_text(p, at), label));
    list = plumb_page_class(p, figure, "ol", "code", NULL);
    for (uint32_t i = first;
         i <= last + context && plumb_source_line(sources, at.file, i, &text, &len); i++) {
        struct plumb_xml *item = NULL;
        size_t begin = (size_t)(text - src->bytes);

        if (i < place.line || i > last) {
            item = plumb_page_add(p, list, "li", piece(p, text, len));
        } else {
            item = plumb_page_class(p, list, "li", "marked", NULL);
            add_marked(p, item, text, len, at.begin > begin ? at.begin - begin : 0,
                       at.end > begin ? at.end - begin : 0);
        }
        plumb_xml_set(p->arena, item, "value", plumb_arena_printf(p->arena, "%u", i));
    }
}

static void add_finding(const struct plumb_page *p, struct plumb_xml *section,
                        const struct plumb_diag *d)
{
    const char *severity = plumb_severity_name(d->severity);
    struct plumb_xml *article = plumb_page_class(p, section, "article", severity, NULL);

    (void)plumb_page_add(
        p, article, "h3",
        plumb_arena_printf(p->arena, "%s %s %s", severity, d->rule->code, d->rule->name));
    (void)plumb_page_add(p, article, "p", d->message);
    if (d->rule->secret)
        (void)plumb_page_class(p, article, "p", "soft",
                               "the line is not shown: what it is about is a secret");
    else if (plumb_span_known(d->at))
        add_excerpt(p, article, d->at, d->label, CONTEXT);
    for (size_t i = 0; i < d->notes.count; i++) {
        const struct plumb_label *note = &d->notes.items[i];

        if (plumb_span_known(note->at) && !d->rule->secret)
            add_excerpt(p, article, note->at, note->text, 0);
        else
            (void)plumb_page_add(p, article, "p", note->text);
    }
    for (size_t i = 0; i < d->facts.count; i++)
        (void)plumb_page_add(p, article, "p", d->facts.items[i]);
    for (size_t i = 0; i < d->help.count; i++)
        (void)plumb_page_add(p, article, "p",
                             plumb_arena_printf(p->arena, "fix: %s", d->help.items[i]));
}

static void add_silenced(const struct plumb_page *p, struct plumb_xml *list,
                         const struct plumb_diag *d)
{
    (void)plumb_page_add(p, list, "li",
                         plumb_arena_printf(p->arena, "%s %s%s%s: %s; silenced: %s", d->rule->code,
                                            d->rule->name, plumb_span_known(d->at) ? " at " : "",
                                            plumb_span_known(d->at) ? place_text(p, d->at) : "",
                                            d->message, d->suppressed));
}

/* Those that were asked for, each once. */
static size_t sorted(const struct plumb_page *p, const struct plumb_diag ***out)
{
    const struct plumb_sink *sink = &p->session->sink;
    const struct plumb_diag **all =
        PLUMB_NEW_ARRAY(p->arena, sink->count, const struct plumb_diag *);
    size_t count = 0, kept = 0;

    for (size_t i = 0; i < sink->count; i++) {
        if (!sink->items[i]->hidden)
            all[count++] = sink->items[i];
    }
    if (count > 1)
        qsort(all, count, sizeof(*all), plumb_diag_compare);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || plumb_diag_compare(&all[i - 1], &all[i]) != 0)
            all[kept++] = all[i];
    }
    *out = all;
    return kept;
}

void plumb_page_findings(const struct plumb_page *p)
{
    struct plumb_xml *section = plumb_page_section(p, "findings", "Findings"), *list = NULL;
    const struct plumb_diag **all = NULL;
    size_t count = sorted(p, &all), shown = 0;

    for (size_t i = 0; i < count; i++) {
        if (all[i]->suppressed != NULL)
            continue;
        if (shown++ < MOST_FINDINGS)
            add_finding(p, section, all[i]);
    }
    if (shown > MOST_FINDINGS)
        (void)plumb_page_add(
            p, section, "p",
            plumb_arena_printf(p->arena, "%zu more are not shown here", shown - MOST_FINDINGS));
    if (shown == 0)
        (void)plumb_page_add(p, section, "p", "There are none.");
    if (shown == count)
        return;
    (void)plumb_page_add(p, section, "h3",
                         plumb_arena_printf(p->arena, "%zu silenced with a reason", count - shown));
    list = plumb_page_add(p, section, "ul", NULL);
    for (size_t i = 0; i < count; i++) {
        if (all[i]->suppressed != NULL)
            add_silenced(p, list, all[i]);
    }
}
