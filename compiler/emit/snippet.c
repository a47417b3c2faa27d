/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of source with marks under them. A place that covers several lines is marked on its
 * first and on its last one. Columns are those of a terminal: tabs reach the next stop, wide
 * characters take two. Long lines are cut to a window around what is marked.
 */
#include "emit/snippet.h"

#include <stdlib.h>
#include <string.h>

#include "emit/columns.h"

enum {
    WINDOW = 100, /* columns of a line that are shown */
    BEFORE = 40,  /* of them before the mark, when the line is cut */
    LONG = 4096,  /* bytes of a line of which only a part is looked at: */
    AHEAD = 192,  /* bytes before the mark, */
    PART = 768,   /* and all in all */
};

/* One row of marks: part of one line. */
struct mark {
    uint32_t file, line;
    uint32_t begin, end; /* characters from 1; end is behind; UINT32_MAX: to the end of the line */
    uint32_t offset;     /* byte in the file where it begins */
    const char *label;   /* NULL: none */
    bool primary;
    bool secret; /* the marked text is not shown */
    size_t order;
};

struct marks {
    struct plumb_arena *arena;
    struct mark *items;
    size_t count, cap;
};

/* A line, laid out: where each character begins on the screen. */
struct layout {
    const char *text;
    size_t len;
    uint32_t skipped;              /* characters of the line before text */
    size_t from, to;               /* columns that are shown */
    size_t secret_from, secret_to; /* columns whose text is not */
};

static void add(struct marks *m, struct mark one)
{
    one.order = m->count;
    m->items = plumb_arena_grow(m->arena, m->items, m->count, &m->cap, sizeof(*m->items));
    m->items[m->count++] = one;
}

static void add_place(struct marks *m, const struct plumb_sources *sources, struct plumb_span at,
                      const char *label, bool primary)
{
    struct plumb_place p = plumb_source_place(sources, at);
    struct mark one = {
        .file = at.file,
        .line = p.line,
        .begin = p.column,
        .end = p.end_line > p.line ? UINT32_MAX : p.end_column,
        .offset = at.begin,
        .label = label,
        .primary = primary,
    };

    if (!plumb_span_known(at))
        return;
    if (p.end_line > p.line) {
        one.label = NULL;
        add(m, one);
        one.line = p.end_line;
        one.begin = 0; /* from the first character that is no blank */
        one.offset = at.end;
        one.end = p.end_column;
        one.label = label;
    }
    add(m, one);
}

static int compare_marks(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->primary != y->primary)
        return x->primary ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static unsigned digits_of(uint32_t v)
{
    unsigned n = 1;

    for (; v >= 10; v /= 10)
        n++;
    return n;
}

static const char *dim(bool colour)
{
    return colour ? "\x1b[34m" : "";
}

static const char *plain(bool colour)
{
    return colour ? "\x1b[0m" : "";
}

/* Screen columns of a mark in its line: [*from, *to), at least one wide. */
static void columns_of(const struct layout *l, const struct mark *m, size_t *from, size_t *to)
{
    size_t column = 0, character = 1 + (size_t)l->skipped, i = 0;
    uint32_t begin = m->begin;

    if (begin == 0 && l->skipped == 0) {
        for (begin = 1;
             begin <= l->len && (l->text[begin - 1] == ' ' || l->text[begin - 1] == '\t');)
            begin++;
    }
    *from = SIZE_MAX;
    for (; i < l->len && character < m->end; character++) {
        struct plumb_glyph g = plumb_glyph_at(l->text + i, l->len - i, column);

        if (character == begin || (i == 0 && begin < character))
            *from = column;
        column += g.width;
        i += g.bytes;
    }
    *to = column;
    if (*from == SIZE_MAX)
        *from = column;
    if (*to <= *from)
        *to = *from + 1;
}

/*
 * Of a line of many kilobytes with many findings each would cost the whole line: only a part of it,
 * larger than what is shown, is looked at.
 */
static void take_part(struct layout *l, const struct plumb_sources *sources,
                      const struct mark *first)
{
    const char *bytes = plumb_source_get(sources, first->file)->bytes;
    uint32_t line = (uint32_t)(l->text - bytes), from = line;

    if (l->len <= LONG)
        return;
    if (first->offset > line + AHEAD)
        from = first->offset - AHEAD;
    while (((unsigned char)bytes[from] & 0xc0) == 0x80 && from < first->offset)
        from++;
    if (from > line + l->len)
        from = line + (uint32_t)l->len;
    l->skipped =
        plumb_source_place(sources, (struct plumb_span){first->file, from, from}).column - 1;
    l->text += from - line;
    l->len -= from - line;
    if (l->len > PART)
        l->len = PART;
}

/* Chooses what part of a long line is shown: around its first mark. */
static void choose_window(struct layout *l, const struct mark *first)
{
    size_t width = plumb_columns(l->text, l->len), from = 0, to = 0;

    l->from = 0;
    l->to = width;
    if (width <= WINDOW)
        return;
    columns_of(l, first, &from, &to);
    if (to > WINDOW && from > BEFORE)
        l->from = from - BEFORE;
    if (l->from + WINDOW < width)
        l->to = l->from + WINDOW;
}

static void draw_text(const struct layout *l, struct plumb_buf *out)
{
    size_t column = 0, start = out->len;

    if (l->from > 0)
        plumb_buf_str(out, "\xe2\x80\xa6"); /* … takes the place of the first column */
    for (size_t i = 0; i < l->len;) {
        struct plumb_glyph g = plumb_glyph_at(l->text + i, l->len - i, column);
        size_t end = column + g.width;

        i += g.bytes;
        if (column >= l->from + (l->from > 0) && end <= l->to) {
            if (column >= l->secret_from && column < l->secret_to)
                plumb_buf_fill(out, '*', g.width);
            else if (g.text == NULL)
                plumb_buf_fill(out, ' ', g.width);
            else
                plumb_buf_add(out, g.text, g.len);
        } else if (column < l->from + (l->from > 0) && end > l->from + 1 && l->from > 0) {
            plumb_buf_fill(out, ' ', end - l->from - 1); /* cut through a tab or a wide one */
        }
        column = end;
    }
    if (column > l->to)
        plumb_buf_str(out, "\xe2\x80\xa6");
    while (out->len > start && out->text[out->len - 1] == ' ')
        out->text[--out->len] = '\0';
}

static void draw_gutter(unsigned width, bool colour, struct plumb_buf *out)
{
    plumb_buf_fill(out, ' ', width + 1);
    plumb_buf_printf(out, "%s\xe2\x94\x82%s", dim(colour), plain(colour));
}

static void draw_mark(const struct layout *l, const struct mark *m, unsigned gutter, bool colour,
                      struct plumb_buf *out)
{
    size_t from = 0, to = 0;

    columns_of(l, m, &from, &to);
    from = from < l->from ? l->from : from > l->to ? l->to : from;
    to = to > l->to + 1 ? l->to + 1 : to;
    if (to <= from)
        to = from + 1;
    draw_gutter(gutter, colour, out);
    plumb_buf_fill(out, ' ', 1 + from - l->from);
    plumb_buf_str(out, colour && m->primary ? "\x1b[1;31m" : dim(colour));
    plumb_buf_fill(out, m->primary ? '^' : '-', to - from);
    for (const char *text = m->label; text != NULL;) {
        const char *end = strchr(text, '\n');
        size_t len = end == NULL ? strlen(text) : (size_t)(end - text);

        plumb_buf_char(out, ' ');
        plumb_buf_line(out, plumb_arena_strndup(out->arena, text, len));
        text = end == NULL ? NULL : end + 1;
        if (text != NULL) { /* goes on below, under the first word */
            plumb_buf_printf(out, "%s\n", plain(colour));
            draw_gutter(gutter, colour, out);
            plumb_buf_fill(out, ' ', 1 + to - l->from);
            plumb_buf_str(out, dim(colour));
        }
    }
    plumb_buf_printf(out, "%s\n", plain(colour));
}

static void draw_line(const struct plumb_sources *sources, uint32_t file, uint32_t line,
                      const struct mark *first, struct layout *l, unsigned gutter, bool colour,
                      struct plumb_buf *out)
{
    *l = (struct layout){.text = "", .len = 0};
    (void)plumb_source_line(sources, file, line, &l->text, &l->len);
    take_part(l, sources, first);
    choose_window(l, first);
    if (first->secret && line == first->line)
        columns_of(l, first, &l->secret_from, &l->secret_to);
    else if (first->secret)
        l->secret_to = SIZE_MAX;
    plumb_buf_printf(out, "%s%*u \xe2\x94\x82%s", dim(colour), (int)gutter, line, plain(colour));
    if (l->len > 0) {
        plumb_buf_char(out, ' ');
        draw_text(l, out);
    }
    plumb_buf_char(out, '\n');
}

/* All marks of one file, sorted by line. */
static void draw_file(const struct plumb_sources *sources, const struct mark *items, size_t count,
                      unsigned gutter, bool colour, struct plumb_buf *out)
{
    struct layout l = {0};
    uint32_t shown = 0; /* the line above */

    for (size_t i = 0; i < count; i++) {
        const struct mark *m = &items[i];

        if (m->line != shown) {
            if (shown != 0 && m->line == shown + 2) {
                struct layout between;

                draw_line(sources, m->file, shown + 1, m, &between, gutter, colour, out);
            } else if (shown != 0 && m->line > shown + 2) {
                plumb_buf_fill(out, ' ', gutter + 1);
                plumb_buf_printf(out, "%s\xe2\x8b\xae%s\n", dim(colour), plain(colour));
            }
            draw_line(sources, m->file, m->line, m, &l, gutter, colour, out);
            shown = m->line;
        }
        draw_mark(&l, m, gutter, colour, out);
    }
}

/* Takes the marks of one file out of the list, in order of lines. */
static size_t take_file(struct marks *m, uint32_t file, struct mark *out)
{
    size_t taken = 0, kept = 0;

    for (size_t i = 0; i < m->count; i++) {
        if (m->items[i].file == file)
            out[taken++] = m->items[i];
        else
            m->items[kept++] = m->items[i];
    }
    m->count = kept;
    qsort(out, taken, sizeof(*out), compare_marks);
    return taken;
}

/* Where a file's heading points: its primary mark, else the first one. */
static void draw_place(const struct plumb_sources *sources, const struct mark *items, size_t count,
                       bool first_file, unsigned gutter, bool colour, struct plumb_buf *out)
{
    const struct mark *m = &items[0];

    for (size_t i = 0; i < count; i++) {
        if (items[i].order < m->order)
            m = &items[i];
    }
    plumb_buf_fill(out, ' ', gutter + 1);
    plumb_buf_printf(out, "%s%s\xe2\x94\x80%s ", dim(colour),
                     first_file ? "\xe2\x94\x8c" : "\xe2\x94\x9c", plain(colour));
    plumb_buf_line(out, plumb_source_get(sources, m->file)->path);
    plumb_buf_printf(out, ":%u:%u\n", m->line, m->begin);
}

unsigned plumb_render_snippet(struct plumb_arena *a, const struct plumb_sources *sources,
                              const struct plumb_diag *d, bool colour, struct plumb_buf *out)
{
    struct marks m = {.arena = a};
    unsigned gutter = 1;
    bool first_file = true;

    add_place(&m, sources, d->at, d->label, true);
    for (size_t i = 0; i < m.count; i++)
        m.items[i].secret = d->rule->secret;
    for (size_t i = 0; i < d->notes.count; i++)
        add_place(&m, sources, d->notes.items[i].at, d->notes.items[i].text, false);
    for (size_t i = 0; i < m.count; i++) {
        unsigned digits = digits_of(m.items[i].line);

        gutter = digits > gutter ? digits : gutter;
    }

    struct mark *of_file = PLUMB_NEW_ARRAY(a, m.count, struct mark);

    while (m.count > 0) {
        size_t count = take_file(&m, m.items[0].file, of_file);

        draw_place(sources, of_file, count, first_file, gutter, colour, out);
        draw_file(sources, of_file, count, gutter, colour, out);
        first_file = false;
    }
    return gutter;
}
