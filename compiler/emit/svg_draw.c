/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of pictures. */
#include "emit/svg_draw.h"

#include <string.h>

#include "base/num.h"
#include "emit/columns.h"
#include "emit/svg.h"

static const struct plumb_span no_cause;

static void set_int(struct plumb_arena *a, struct plumb_xml *e, const char *name, int value)
{
    plumb_xml_set(a, e, name, plumb_arena_printf(a, "%d", value));
}

static struct plumb_xml *child(struct plumb_arena *a, struct plumb_xml *parent, const char *name,
                               const char *text)
{
    struct plumb_xml *e = plumb_xml_element(a, parent, name, no_cause);
    struct plumb_buf line = plumb_buf_in(a);

    plumb_buf_line(&line, text);
    e->text = plumb_buf_text(&line);
    return e;
}

struct plumb_xml *plumb_svg_new(struct plumb_arena *a, struct plumb_xml *parent, const char *title,
                                const char *desc)
{
    struct plumb_xml *svg = plumb_xml_element(a, parent, "svg", no_cause);

    plumb_xml_set(a, svg, "xmlns", "http://www.w3.org/2000/svg");
    plumb_xml_set(a, svg, "class", "plumb");
    plumb_xml_set(a, svg, "role", "img");
    (void)child(a, svg, "title", title);
    (void)child(a, svg, "desc", desc);
    return svg;
}

void plumb_svg_size(struct plumb_arena *a, struct plumb_xml *svg, int width, int height)
{
    plumb_xml_set(a, svg, "viewBox", plumb_arena_printf(a, "0 0 %d %d", width, height));
    set_int(a, svg, "width", width);
    set_int(a, svg, "height", height);
}

struct plumb_xml *plumb_svg_group(struct plumb_arena *a, struct plumb_xml *parent, const char *name,
                                  const char *title)
{
    struct plumb_xml *g = plumb_xml_element(a, parent, "g", no_cause);

    plumb_xml_set(a, g, "class", name);
    if (title != NULL)
        (void)child(a, g, "title", title);
    return g;
}

void plumb_svg_rect(struct plumb_arena *a, struct plumb_xml *parent, const char *name,
                    struct plumb_svg_box at, int radius)
{
    struct plumb_xml *e = plumb_xml_element(a, parent, "rect", no_cause);

    if (name != NULL)
        plumb_xml_set(a, e, "class", name);
    set_int(a, e, "x", at.x);
    set_int(a, e, "y", at.y);
    set_int(a, e, "width", at.w);
    set_int(a, e, "height", at.h);
    if (radius > 0)
        set_int(a, e, "rx", radius);
}

void plumb_svg_line(struct plumb_arena *a, struct plumb_xml *parent, struct plumb_svg_box from_size,
                    int width)
{
    struct plumb_xml *e = plumb_xml_element(a, parent, "line", no_cause);

    set_int(a, e, "x1", from_size.x);
    set_int(a, e, "y1", from_size.y);
    set_int(a, e, "x2", from_size.x + from_size.w);
    set_int(a, e, "y2", from_size.y + from_size.h);
    set_int(a, e, "stroke-width", width);
}

void plumb_svg_text(struct plumb_arena *a, struct plumb_xml *parent, const char *name, int x, int y,
                    const char *text)
{
    struct plumb_xml *e = NULL;

    if (text[0] == '\0')
        return;
    e = child(a, parent, "text", text);
    if (name != NULL)
        plumb_xml_set(a, e, "class", name);
    set_int(a, e, "x", x);
    set_int(a, e, "y", y);
}

/* 12 pixels high: 7.4 a column is more than any common font of one width takes. */
int plumb_svg_width(const char *text)
{
    size_t columns = plumb_columns(text, strlen(text));

    return (int)((columns > 100000 ? 100000 : columns) * 74 / 10) + 1;
}

int plumb_svg_widest(const char *const *lines, size_t count)
{
    int widest = 0;

    for (size_t i = 0; i < count; i++)
        widest = plumb_svg_width(lines[i]) > widest ? plumb_svg_width(lines[i]) : widest;
    return widest;
}

void plumb_svg_lines(struct plumb_arena *a, struct plumb_xml *parent, int x, int y,
                     const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        plumb_svg_text(a, parent, i == 0 ? "head" : NULL, x, y + ((int)i + 1) * PLUMB_SVG_LINE,
                       lines[i]);
}

int plumb_svg_title(struct plumb_arena *a, struct plumb_xml *svg, const char *name,
                    const char *text)
{
    plumb_svg_text(a, svg, "head", PLUMB_SVG_MARGIN, PLUMB_SVG_MARGIN + 6, name);
    plumb_svg_text(a, svg, "soft", PLUMB_SVG_MARGIN, PLUMB_SVG_MARGIN + 24, text);
    return plumb_svg_widest((const char *const[]){name, text}, 2);
}

/* Bytes of a text that take at most so many columns, from its beginning. */
static size_t bytes_of(const char *text, size_t len, size_t columns)
{
    size_t used = 0, at = 0;

    while (at < len) {
        struct plumb_glyph g = plumb_glyph_at(text + at, len - at, used);

        if (used + g.width > columns || g.bytes == 0)
            break;
        used += g.width;
        at += g.bytes;
    }
    return at;
}

const char *plumb_svg_clip(struct plumb_arena *a, const char *text, size_t columns)
{
    enum { END = 8 }; /* ASCII characters at the end that stay */
    size_t len = strlen(text), end = 0;

    if (plumb_columns(text, len) <= columns)
        return text;
    while (end < END && end < len && text[len - end - 1] > ' ' && text[len - end - 1] < 0x7f)
        end++;
    return plumb_arena_printf(a, "%.*s...%s",
                              (int)bytes_of(text, len - end, columns - end - strlen("...")), text,
                              text + len - end);
}

/* No quotes, brackets and ampersands in here: the page has it in an element of raw text. */
const char *plumb_svg_style(void)
{
    return "\n.plumb text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1b2230}\n"
           ".plumb .head{font-weight:700}\n"
           ".plumb .soft{fill:#4a5568}\n"
           ".plumb .paper{fill:#fff}\n"
           ".plumb rect{fill:none;stroke:#3b4252}\n"
           ".plumb .paper{stroke:none}\n"
           ".plumb .socket rect{fill:#f6f7f9;stroke-width:2}\n"
           ".plumb .numa rect{fill:#fff;stroke-width:1}\n"
           ".plumb .switch rect{fill:#f4f0fa;stroke:#6b4a9e;stroke-width:1.5;"
           "stroke-dasharray:6 3}\n"
           ".plumb .gpu rect{fill:#e6f4ea;stroke:#1e6b37;stroke-width:3;stroke-dasharray:none}\n"
           ".plumb .nic rect{fill:#e8f0fc;stroke:#2e5aac;stroke-width:1.5;"
           "stroke-dasharray:none}\n"
           ".plumb .bar rect{fill:#fdf3e1;stroke:#8a5a00;stroke-width:2}\n"
           ".plumb line{stroke:#8a5a00}\n"
           ".plumb .wire line{stroke:#4a5568}\n"
           ".plumb .count{font-weight:700;fill:#6a4500;stroke:#fff;stroke-width:5px;"
           "paint-order:stroke;stroke-linejoin:round}\n"
           "@media (prefers-color-scheme:dark){\n"
           ".plumb text{fill:#e6e9ef}\n"
           ".plumb .soft{fill:#b4bccb}\n"
           ".plumb .paper{fill:#14171d}\n"
           ".plumb rect{stroke:#9aa5b8}\n"
           ".plumb .socket rect{fill:#1b1f27}\n"
           ".plumb .numa rect{fill:#14171d}\n"
           ".plumb .switch rect{fill:#211b2e;stroke:#b79be6}\n"
           ".plumb .gpu rect{fill:#142b1c;stroke:#6fcf8d}\n"
           ".plumb .nic rect{fill:#15233d;stroke:#8db4f5}\n"
           ".plumb .bar rect{fill:#2e2410;stroke:#e5b04a}\n"
           ".plumb line{stroke:#e5b04a}\n"
           ".plumb .wire line{stroke:#b4bccb}\n"
           ".plumb .count{fill:#f3cf86;stroke:#14171d}\n"
           "}\n";
}

void plumb_svg_print(struct plumb_buf *out, struct plumb_xml *svg)
{
    struct plumb_arena *a = out->arena;
    struct plumb_xml *style = plumb_xml_element(a, svg, "style", no_cause);

    style->text = plumb_svg_style();
    plumb_xml_write(out, svg, NULL, PLUMB_XML_STANDARD, NULL);
}

void plumb_svg_stack(struct plumb_arena *a, struct plumb_xml *svg)
{
    int width = 0, height = 0;

    for (uint32_t i = 0; i < svg->child_count; i++) {
        const char *w = plumb_xml_value(svg->children[i], "width");
        const char *h = plumb_xml_value(svg->children[i], "height");
        uint64_t wide = 0, high = 0;

        if (w == NULL || h == NULL || !plumb_read_u64(w, strlen(w), &wide) ||
            !plumb_read_u64(h, strlen(h), &high))
            continue; /* title and description */
        set_int(a, svg->children[i], "y", height);
        height += (int)high;
        width = (int)wide > width ? (int)wide : width;
    }
    plumb_svg_size(a, svg, width, height);
}
