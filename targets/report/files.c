/* SPDX-License-Identifier: Apache-2.0 */
/* The files that other targets made, line by line, with what caused each line. */
#include <string.h>

#include "report/page.h"

enum { MOST_LINES = 4000 };

/* "cluster.yaml:42:11, cluster.yaml:50:9": what caused a line; NULL: nothing in the input. */
static const char *causes(const struct plumb_page *p, const struct plumb_output *f, uint32_t line,
                          size_t *next)
{
    struct plumb_buf b = plumb_buf_in(p->arena);

    while (*next < f->causes.count && f->causes.items[*next].line < line)
        (*next)++;
    for (; *next < f->causes.count && f->causes.items[*next].line == line; (*next)++) {
        struct plumb_span at = f->causes.items[*next].at;
        const struct plumb_source *src = plumb_source_get(&p->session->sources, at.file);
        struct plumb_place place = plumb_source_place(&p->session->sources, at);

        if (src != NULL && b.len < 400)
            plumb_buf_printf(&b, "%s%s:%u:%u", b.len > 0 ? ", " : "",
                             plumb_output_source_name(p->session, p->model, src), place.line,
                             place.column);
    }
    return b.len == 0 ? NULL : plumb_buf_text(&b);
}

/* Slurm's own files may hold a password, and say so by their mode. */
static bool is_public(const struct plumb_output *f)
{
    return (f->mode & 0004) != 0;
}

static void add_lines(const struct plumb_page *p, struct plumb_xml *details,
                      const struct plumb_output *f)
{
    struct plumb_xml *list = plumb_page_class(p, details, "ol", "code", NULL);
    const char *at = f->text, *end = f->text + f->len;
    size_t next = 0;

    for (uint32_t line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop == NULL ? end : stop) - at);
        struct plumb_xml *item = NULL;
        const char *why = causes(p, f, line, &next);

        if (line > MOST_LINES) {
            (void)plumb_page_class(p, details, "p", "soft", "the lines below are not shown here");
            break;
        }
        item = plumb_page_add(p, list, "li", plumb_arena_strndup(p->arena, at, len));
        plumb_xml_set(p->arena, item, "id", plumb_arena_printf(p->arena, "%s:%u", f->path, line));
        if (why != NULL)
            plumb_xml_set(p->arena, item, "title", plumb_arena_printf(p->arena, "from %s", why));
        at += len + 1;
    }
}

static void add_file(const struct plumb_page *p, struct plumb_xml *section,
                     const struct plumb_output *f)
{
    struct plumb_xml *details = NULL;
    const char *title = plumb_arena_printf(p->arena, "%s, mode %04o", f->path, f->mode);

    if (!is_public(f)) {
        (void)plumb_page_add(
            p, section, "p",
            plumb_arena_printf(p->arena, "%s: not shown here, since not everybody may read it",
                               title));
        return;
    }
    details = plumb_page_add(p, section, "details", NULL);
    plumb_xml_set(p->arena, details, "id", f->path);
    (void)plumb_page_add(p, details, "summary", title);
    add_lines(p, details, f);
}

void plumb_page_files(const struct plumb_page *p)
{
    struct plumb_xml *section = plumb_page_section(p, "files", "Files");

    (void)plumb_page_class(
        p, section, "p", "soft",
        "MANIFEST.json has their digests, .plumb/map.json the cause of each line; "
        "here a line tells its cause when a pointer rests on it");
    for (size_t i = 0; i < p->out->file_count; i++)
        add_file(p, section, &p->out->files[i]);
}
