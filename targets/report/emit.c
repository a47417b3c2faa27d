/* SPDX-License-Identifier: Apache-2.0 */
/* Target report: the page as a whole. */
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>

#include "emit/svg.h"
#include "report/page.h"

static const struct plumb_span no_cause;

static void add_meta(const struct plumb_page *p, struct plumb_xml *head, const char *name,
                     const char *key, const char *content)
{
    struct plumb_xml *meta = plumb_xml_element(p->arena, head, "meta", no_cause);

    plumb_xml_set(p->arena, meta, name, key);
    if (content != NULL)
        plumb_xml_set(p->arena, meta, "content", content);
}

/* Nothing is loaded and nothing runs; the one style sheet is named by its digest (CSP level 2). */
static const char *content_policy(const struct plumb_page *p, const char *style)
{
    struct sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1] = {0};

    sha256_init(&ctx);
    sha256_update(&ctx, strlen(style), (const uint8_t *)style);
    sha256_digest(&ctx, sizeof(digest), digest);
    base64_encode_raw(text, sizeof(digest), digest);
    return plumb_arena_printf(p->arena,
                              "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; "
                              "form-action 'none'",
                              text);
}

static void add_head(const struct plumb_page *p, struct plumb_xml *html, const char *title)
{
    struct plumb_xml *head = plumb_page_add(p, html, "head", NULL), *style = NULL;
    const char *text = plumb_arena_printf(p->arena, "%s%s", plumb_page_style(), plumb_svg_style());

    add_meta(p, head, "charset", "utf-8", NULL);
    add_meta(p, head, "http-equiv", "Content-Security-Policy", content_policy(p, text));
    add_meta(p, head, "name", "viewport", "width=device-width, initial-scale=1");
    (void)plumb_page_add(p, head, "title", title);
    style = plumb_xml_element(p->arena, head, "style", no_cause);
    style->text = text;
}

static void add_top(const struct plumb_page *p, const char *title)
{
    static const struct {
        const char *to, *text;
    } parts[] = {{"#resources", "Resources"},
                 {"#pictures", "Pictures"},
                 {"#findings", "Findings"},
                 {"#files", "Files"}};
    const struct plumb_model *m = p->model;
    struct plumb_xml *header = plumb_page_add(p, p->body, "header", NULL), *list = NULL;
    uint64_t nodes = m->all_nodes == NULL ? 0 : m->all_nodes->count;

    (void)plumb_page_add(p, header, "h1", title);
    (void)plumb_page_add(
        p, header, "p",
        plumb_arena_printf(p->arena, "Slurm %s, %s, %s", plumb_release_name(m->release),
                           plumb_page_plural(p->arena, nodes, "node"),
                           plumb_page_plural(p->arena, m->partition_count, "partition")));
    (void)plumb_page_class(
        p, header, "p", "soft",
        plumb_arena_printf(p->arena, "inputs: sha256 %s", p->out->inputs_sha256));
    list = plumb_page_add(p, plumb_page_add(p, header, "nav", NULL), "ul", NULL);
    for (size_t i = 0; i < PLUMB_COUNT(parts); i++)
        plumb_page_link(p, plumb_page_add(p, list, "li", NULL), parts[i].to, parts[i].text);
}

/* Addresses of the navigation that lead nowhere would be a fault: every part has its heading. */
static struct plumb_xml *compose(struct plumb_session *s, const struct plumb_model *m,
                                 const struct plumb_outputs *out)
{
    struct plumb_page p = {.session = s, .arena = s->arena, .model = m, .out = out};
    struct plumb_xml *html = plumb_page_add(&p, NULL, "html", NULL);
    const char *title = plumb_usable(m->cluster)
                            ? plumb_arena_printf(s->arena, "Cluster %s", m->cluster.v)
                            : "Cluster";

    plumb_xml_set(s->arena, html, "lang", "en");
    add_head(&p, html, title);
    p.body = plumb_page_add(&p, html, "body", NULL);
    add_top(&p, title);
    plumb_page_resources(&p);
    plumb_page_pictures(&p);
    plumb_page_findings(&p);
    plumb_page_files(&p);
    return html;
}

static void emit_report(const struct plumb_emit *em)
{
    plumb_emit_page(em, "report/index.html", compose);
}

static const char *const report_files[] = {"report/index.html"};

const struct plumb_target plumb_target_report = {
    .name = "report",
    .summary = "one page for people: resources, pictures, findings, files",
    .consumer = "a web browser",
    .files = report_files,
    .file_count = PLUMB_COUNT(report_files),
    .emit = emit_report,
};
