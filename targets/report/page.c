/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the page, and its style. */
#include "report/page.h"

#include "emit/columns.h"

static const struct plumb_span no_cause;

struct plumb_xml *plumb_page_add(const struct plumb_page *p, struct plumb_xml *parent,
                                 const char *name, const char *text)
{
    struct plumb_xml *e = plumb_xml_element(p->arena, parent, name, no_cause);
    struct plumb_buf line = plumb_buf_in(p->arena);

    if (text == NULL)
        return e;
    plumb_buf_line(&line, text);
    e->text = plumb_buf_text(&line);
    return e;
}

struct plumb_xml *plumb_page_class(const struct plumb_page *p, struct plumb_xml *parent,
                                   const char *name, const char *kind, const char *text)
{
    struct plumb_xml *e = plumb_page_add(p, parent, name, text);

    plumb_xml_set(p->arena, e, "class", kind);
    return e;
}

void plumb_page_link(const struct plumb_page *p, struct plumb_xml *parent, const char *to,
                     const char *text)
{
    plumb_xml_set(p->arena, plumb_page_add(p, parent, "a", text), "href", to);
}

struct plumb_xml *plumb_page_section(const struct plumb_page *p, const char *id, const char *title)
{
    struct plumb_xml *section = plumb_page_add(p, p->body, "section", NULL);

    plumb_xml_set(p->arena, section, "id", id);
    (void)plumb_page_add(p, section, "h2", title);
    return section;
}

struct plumb_xml *plumb_page_table(const struct plumb_page *p, struct plumb_xml *parent,
                                   const char *caption, const char *const *heads)
{
    struct plumb_xml *wide = plumb_page_class(p, parent, "div", "wide", NULL);
    struct plumb_xml *table = NULL, *row = NULL;

    plumb_xml_set(p->arena, wide, "tabindex", "0"); /* for who scrolls with keys */
    table = plumb_page_add(p, wide, "table", NULL);
    (void)plumb_page_add(p, table, "caption", caption);
    row = plumb_page_add(p, plumb_page_add(p, table, "thead", NULL), "tr", NULL);
    for (size_t i = 0; heads[i] != NULL; i++)
        plumb_xml_set(p->arena, plumb_page_add(p, row, "th", heads[i]), "scope", "col");
    return plumb_page_add(p, table, "tbody", NULL);
}

const char *plumb_page_plural(struct plumb_arena *a, uint64_t n, const char *noun)
{
    return plumb_arena_printf(a, "%llu %s%s", (unsigned long long)n, noun, n == 1 ? "" : "s");
}

/* No quotes, brackets and ampersands in here: HTML reads a style as raw text. */
const char *plumb_page_style(void)
{
    return "\n:root{color-scheme:light dark}\n"
           "*{box-sizing:border-box}\n"
           "body{font:16px/1.5 system-ui,Helvetica,Arial,sans-serif;max-width:76rem;margin:0 auto;"
           "padding:1rem;color:#1b2230;background:#fff}\n"
           "h1,h2,h3,p,summary,li,figcaption{overflow-wrap:anywhere}\n"
           "h1{font-size:1.6rem;margin:.5rem 0}\n"
           "h2{font-size:1.25rem;margin:2rem 0 .5rem;border-bottom:1px solid #c4cad5}\n"
           "h3{font-size:1rem;margin:1.25rem 0 .25rem}\n"
           "p{margin:.35rem 0}\n"
           "nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0}\n"
           "a{color:#1f4e9e}\n"
           ".soft,figcaption{color:#4a5568;font-size:.875rem}\n"
           ".wide{overflow-x:auto;margin:.5rem 0}\n"
           "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
           "caption{text-align:left;font-weight:600;padding:.25rem 0}\n"
           "th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;"
           "border-bottom:1px solid #dde2ea;white-space:nowrap}\n"
           "td.hosts{white-space:normal;min-width:8rem;max-width:24rem;overflow-wrap:anywhere}\n"
           "thead th{border-bottom:2px solid #3b4252}\n"
           ".differs{font-weight:700;text-decoration:underline dotted}\n"
           "article{border-left:4px solid #4a5568;padding:.1rem 0 .1rem .75rem;margin:1rem 0}\n"
           "article.error{border-left:8px solid #a32015}\n"
           "article.warning{border-left:6px double #8a5a00}\n"
           "article.info{border-left:4px dotted #2e5aac}\n"
           "code,ol.code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.8125rem}\n"
           "figure{margin:.5rem 0}\n"
           "ol.code{overflow-x:auto;margin:.25rem 0;padding:.5rem 0 .5rem 4.5rem;"
           "background:#f4f5f8;border:1px solid #dde2ea}\n"
           "ol.code li{white-space:pre;overflow-wrap:normal;padding-left:.5rem}\n"
           "ol.code li:target{outline:2px solid #8a5a00}\n"
           "ol.code li.marked{white-space:normal}\n"
           ".parts{display:inline-flex;white-space:pre}\n"
           "mark{font-weight:700;color:#1b2230;background:#ffe49c}\n"
           "details{margin:.5rem 0}\n"
           "summary{cursor:pointer}\n"
           "svg.plumb{max-width:none;height:auto}\n"
           "@media (min-width:60rem){svg.plumb{max-width:100%}}\n"
           "@media (max-width:30rem){th,td{font-size:.8125rem;padding-right:.5rem}"
           "td.hosts{min-width:5rem}}\n"
           "@media (prefers-color-scheme:dark){\n"
           "body{color:#e6e9ef;background:#14171d}\n"
           "a{color:#8db4f5}\n"
           "h2{border-color:#3b4252}\n"
           ".soft,figcaption{color:#b4bccb}\n"
           "th,td{border-color:#2d3340}\n"
           "thead th{border-color:#9aa5b8}\n"
           "article.error{border-color:#f08a80}\n"
           "article.warning{border-color:#e5b04a}\n"
           "article.info{border-color:#8db4f5}\n"
           "ol.code{background:#1b1f27;border-color:#2d3340}\n"
           "}\n"
           "@media print{details{break-inside:avoid}}\n";
}
