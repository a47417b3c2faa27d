/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places of the boxes: measured from the inside out, then placed from the outside in. Boxes with
 * GPUs stand in a row at the bottom of the box around them; NICs above the GPUs behind the same PCI
 * switch, or beside them. A lower row is placed the same way and then turned over.
 */
#include "emit/svg_plan.h"

#include "emit/svg_items.h"

enum { PAD = PLUMB_SVG_PAD, GAP = PLUMB_SVG_GAP };

/* How the parts without GPUs of a box are laid out. */
struct grid {
    int w, h; /* of each cell */
    int columns, rows;
    size_t count;
};

static int most(int a, int b)
{
    return a > b ? a : b;
}

int plumb_svg_head(const struct plumb_svg_item *item)
{
    return (int)item->line_count * PLUMB_SVG_LINE + 6;
}

static bool in_row(const struct plumb_svg_item *item, const struct plumb_svg_item *part)
{
    return item->kind == PLUMB_SVG_SOCKET ? part->kind == PLUMB_SVG_NUMA : part->has_gpu;
}

/* Width and height of the row of a box. */
static void measure_row(const struct plumb_svg_item *item, int *w, int *h)
{
    *w = *h = 0;
    for (size_t i = 0; i < item->part_count; i++) {
        const struct plumb_svg_item *part = item->parts[i];

        if (!in_row(item, part))
            continue;
        *w += (*w > 0 ? GAP : 0) + part->at.w;
        *h = most(*h, part->at.h);
    }
}

static int span(int count, int size)
{
    return count == 0 ? 0 : count * size + (count - 1) * GAP;
}

/* NICs fill the width of the row below them, or columns as high as the row beside them. */
static struct grid measure_grid(const struct plumb_svg_item *item, int row_w, int row_h)
{
    struct grid g = {0};
    int n = 0;

    for (size_t i = 0; i < item->part_count; i++) {
        if (in_row(item, item->parts[i]))
            continue;
        g.w = most(g.w, item->parts[i]->at.w);
        g.h = most(g.h, item->parts[i]->at.h);
        g.count++;
    }
    if (g.count == 0)
        return g;
    n = (int)g.count;
    if (item->kind == PLUMB_SVG_SWITCH) {
        g.columns = most(1, (row_w + GAP) / (g.w + GAP));
        g.columns = g.columns > n ? n : g.columns;
        g.rows = (n + g.columns - 1) / g.columns;
    } else {
        g.rows = most(row_w > 0 ? 1 : n > 4 ? 3 : 2, (row_h + GAP) / (g.h + GAP));
        g.rows = g.rows > n ? n : g.rows;
        g.columns = (n + g.rows - 1) / g.rows;
    }
    return g;
}

static void measure(struct plumb_svg_item *item)
{
    int w = 0, row_w = 0, row_h = 0;
    struct grid g = {0};

    item->at.w = plumb_svg_widest(item->lines, item->line_count) + 2 * PAD;
    item->at.h = plumb_svg_head(item) + (item->part_count > 0 ? 2 : 6);
    for (size_t i = 0; i < item->part_count; i++)
        measure(item->parts[i]);
    if (item->part_count == 0)
        return;
    measure_row(item, &row_w, &row_h);
    g = measure_grid(item, row_w, row_h);
    w = span(g.columns, g.w);
    if (item->kind == PLUMB_SVG_SWITCH) {
        item->at.w = most(item->at.w, most(w, row_w) + 2 * PAD);
        item->at.h += span(g.rows, g.h) + (g.rows > 0 && row_h > 0 ? GAP : 0) + row_h + PAD;
    } else {
        item->at.w = most(item->at.w, w + (w > 0 && row_w > 0 ? GAP : 0) + row_w + 2 * PAD);
        item->at.h += most(span(g.rows, g.h), row_h) + PAD;
    }
}

static void place(struct plumb_svg_item *item);

static void place_part(struct plumb_svg_item *part, int x, int y)
{
    part->at.x = x;
    part->at.y = y;
    place(part);
}

/* Boxes of a socket are all as high as the highest; others stand on the bottom. */
static int place_row(struct plumb_svg_item *item, int row_h)
{
    int x = item->at.x + PAD, bottom = item->at.y + item->at.h - PAD;

    for (size_t i = 0; i < item->part_count; i++) {
        struct plumb_svg_item *part = item->parts[i];

        if (!in_row(item, part))
            continue;
        if (item->kind == PLUMB_SVG_SOCKET)
            part->at.h = row_h;
        place_part(part, x, bottom - part->at.h);
        x += part->at.w + GAP;
    }
    return x;
}

static void place(struct plumb_svg_item *item)
{
    int row_w = 0, row_h = 0, x = item->at.x + PAD, top = 0, n = 0;
    struct grid g = {0};

    if (item->part_count == 0)
        return;
    measure_row(item, &row_w, &row_h);
    if (item->kind == PLUMB_SVG_SOCKET)
        row_h = most(row_h, item->at.h - plumb_svg_head(item) - 2 - PAD);
    g = measure_grid(item, row_w, row_h);
    top = item->at.y + plumb_svg_head(item) + 2;
    if (item->kind != PLUMB_SVG_SWITCH)
        x = place_row(item, row_h);
    else
        (void)place_row(item, row_h);
    for (size_t i = 0; i < item->part_count && g.columns > 0; i++) {
        if (in_row(item, item->parts[i]))
            continue;
        place_part(item->parts[i], x + n % g.columns * (g.w + GAP),
                   top + n / g.columns * (g.h + GAP));
        n++;
    }
}

static void turn_over(struct plumb_svg_item *item, int above_and_below)
{
    item->at.y = above_and_below - item->at.y - item->at.h;
    item->flipped = true;
    for (size_t i = 0; i < item->part_count; i++)
        turn_over(item->parts[i], above_and_below);
}

/* Sockets [from, to) beside each other, all as high as the highest. Returns where they end. */
static int place_sockets(struct plumb_svg_plan *p, size_t from, size_t to, int x, int y)
{
    int high = 0;

    for (size_t i = from; i < to; i++)
        high = most(high, p->sockets[i]->at.h);
    for (size_t i = from; i < to; i++) {
        p->sockets[i]->at.h = high;
        place_part(p->sockets[i], x, y);
        x += p->sockets[i]->at.w + GAP;
    }
    p->width = most(p->width, x - GAP);
    return y + high;
}

/* The NUMA node at a place of the row of a socket; NULL: it has fewer. */
static struct plumb_svg_item *numa_at(const struct plumb_svg_item *socket, size_t place)
{
    for (size_t i = 0; i < socket->part_count; i++) {
        if (in_row(socket, socket->parts[i]) && place-- == 0)
            return socket->parts[i];
    }
    return NULL;
}

/* Sockets stand above each other: NUMA nodes at one place of them are equally wide, and so are
 * they. */
static void align(struct plumb_svg_plan *p)
{
    int widest = 0;

    for (size_t place = 0; widest >= 0; place++) {
        widest = -1;
        for (size_t i = 0; i < p->count; i++) {
            const struct plumb_svg_item *numa = numa_at(p->sockets[i], place);

            widest = numa != NULL ? most(widest, numa->at.w) : widest;
        }
        for (size_t i = 0; i < p->count; i++) {
            struct plumb_svg_item *numa = numa_at(p->sockets[i], place);

            if (numa == NULL)
                continue;
            p->sockets[i]->at.w += widest - numa->at.w;
            numa->at.w = widest;
        }
    }
    for (size_t i = 0; i < p->count; i++)
        widest = most(widest, p->sockets[i]->at.w);
    for (size_t i = 0; i < p->count; i++)
        p->sockets[i]->at.w = widest;
}

struct plumb_svg_plan *plumb_svg_plan(struct plumb_arena *a, const struct plumb_hardware *hw, int x,
                                      int y)
{
    struct plumb_svg_plan *p = plumb_svg_items(a, hw);

    for (size_t i = 0; i < p->count; i++)
        measure(p->sockets[i]);
    align(p);
    p->upper = (p->count + 1) / 2;
    p->upper_end = place_sockets(p, 0, p->upper, x, y);
    return p;
}

int plumb_svg_plan_lower(struct plumb_svg_plan *p, int x, int y)
{
    int end = place_sockets(p, p->upper, p->count, x, y);

    for (size_t i = p->upper; i < p->count; i++)
        turn_over(p->sockets[i], 2 * p->sockets[i]->at.y + p->sockets[i]->at.h);
    return end;
}
