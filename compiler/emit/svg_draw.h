/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes and text of a picture, as elements for the XML writer, which alone knows how names are
 * escaped. All text is in a font of one width, so that its width is known without a font; sizes
 * and places are whole pixels.
 */
#ifndef PLUMB_EMIT_SVG_DRAW_H
#define PLUMB_EMIT_SVG_DRAW_H

#include "syntax/xml.h"

enum {
    PLUMB_SVG_LINE = 16, /* from one line of text to the next */
    PLUMB_SVG_PAD = 10,
    PLUMB_SVG_GAP = 12,
    PLUMB_SVG_MARGIN = 20, /* around a picture */
    PLUMB_SVG_TITLE = 44,  /* height of its title */
};

/*
 * An empty picture, below parent when there is one: name and description are for who cannot see
 * it. Its size is set at the end.
 */
struct plumb_xml *plumb_svg_new(struct plumb_arena *a, struct plumb_xml *parent, const char *title,
                                const char *desc);
void plumb_svg_size(struct plumb_arena *a, struct plumb_xml *svg, int width, int height);

/* A group with a class; title is shown when a pointer rests on it; NULL: none. */
struct plumb_xml *plumb_svg_group(struct plumb_arena *a, struct plumb_xml *parent, const char *name,
                                  const char *title);

struct plumb_svg_box {
    int x, y, w, h;
};
void plumb_svg_rect(struct plumb_arena *a, struct plumb_xml *parent, const char *name,
                    struct plumb_svg_box at, int radius);

/* A straight line, its width in pixels. */
void plumb_svg_line(struct plumb_arena *a, struct plumb_xml *parent, struct plumb_svg_box from_size,
                    int width);

/* A line of text whose baseline is at y. */
void plumb_svg_text(struct plumb_arena *a, struct plumb_xml *parent, const char *name, int x, int y,
                    const char *text);

/* Lines of a box from y on, the first one its head. */
void plumb_svg_lines(struct plumb_arena *a, struct plumb_xml *parent, int x, int y,
                     const char *const *lines, size_t count);

/* The two lines on top of a picture; how wide they are. */
int plumb_svg_title(struct plumb_arena *a, struct plumb_xml *svg, const char *name,
                    const char *text);

/* Pixels that text takes at most, in bold as well; and the widest of several. */
int plumb_svg_width(const char *text);
int plumb_svg_widest(const char *const *lines, size_t count);

/* Text of at most so many columns, 16 or more; "..." stands for what is cut from its midst. */
const char *plumb_svg_clip(struct plumb_arena *a, const char *text, size_t columns);

#endif
