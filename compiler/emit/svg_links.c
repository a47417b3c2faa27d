/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links between GPUs, in the space that all GPUs face. A switch is a bar. Pairs are lines that run
 * in tracks of their own: down from one GPU, along, and on to the other, with the number of links
 * where the line begins.
 */
#include "emit/svg_links.h"

#include <stdlib.h>

enum {
    TRACK = 18,
    MARGIN = 22,
    BAR = 34,
    PORTS = 18, /* between two lines of one GPU */
    LABEL = 14, /* that a number takes along a track, with a little room */
    DIGIT = 10, /* its least width */
    MOST_PAIRS = 240,
    MANY_GPUS = 4, /* up to so many, each pair is drawn */
};

struct plumb_svg_wire {
    uint32_t a, b; /* GPUs */
    uint32_t count;
    int xa, xb;
    int track;
};

/* Links of a pair as far as captures count them: XGMI is one, however wide. */
static uint32_t joined(const struct plumb_hardware *hw, uint32_t a, uint32_t b)
{
    uint32_t links = plumb_hardware_links(hw, (struct plumb_gpu){a}, (struct plumb_gpu){b});

    return links > 0 ? links
                     : plumb_hardware_joined(hw, (struct plumb_gpu){a}, (struct plumb_gpu){b});
}

/* Alike for every pair: the number; else 0. */
static uint32_t uniform(const struct plumb_hardware *hw)
{
    uint32_t first = joined(hw, 0, 1);

    for (uint32_t a = 0; a < hw->gpu_count; a++) {
        for (uint32_t b = a + 1; b < hw->gpu_count; b++) {
            if (joined(hw, a, b) != first)
                return 0;
        }
    }
    return first;
}

static void find_pairs(struct plumb_arena *a, const struct plumb_hardware *hw,
                       struct plumb_svg_wires *w)
{
    size_t cap = 0;

    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        for (uint32_t k = i + 1; k < hw->gpu_count; k++) {
            uint32_t count = joined(hw, i, k);

            if (count == 0)
                continue;
            w->items = plumb_arena_grow(a, w->items, w->item_count, &cap, sizeof(*w->items));
            w->items[w->item_count++] = (struct plumb_svg_wire){.a = i, .b = k, .count = count};
        }
    }
}

const char *plumb_svg_link_name(const struct plumb_hardware *hw)
{
    static const char *const names[] = {
        [PLUMB_GPU_NVIDIA] = "NVLink", [PLUMB_GPU_AMD] = "xGMI", [PLUMB_GPU_INTEL] = "Xe Link"};

    return names[hw->gpu_count == 0 ? PLUMB_GPU_NVIDIA : plumb_hardware_vendor(&hw->gpus[0])];
}

struct plumb_svg_wires *plumb_svg_wires(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_svg_wires *w = PLUMB_NEW(a, struct plumb_svg_wires);
    const char *name = plumb_svg_link_name(hw);

    if (hw->gpu_count < 2)
        return w;
    w->count = uniform(hw);
    find_pairs(a, hw, w);
    w->hops = w->item_count > 0 && plumb_hardware_links(hw, (struct plumb_gpu){w->items[0].a},
                                                        (struct plumb_gpu){w->items[0].b}) == 0;
    if (hw->nvswitch) {
        w->wiring = PLUMB_SVG_BUS;
        w->text = w->count == 0 ? "NVSwitch"
                                : plumb_arena_printf(a, "NVSwitch: %u NVLinks from each GPU",
                                                     (unsigned)w->count);
    } else if (w->count > 0 && hw->gpu_count > MANY_GPUS) {
        w->wiring = PLUMB_SVG_ALL;
        w->text = w->hops
                      ? plumb_arena_printf(a, "each of %zu pairs of GPUs directly: %s",
                                           w->item_count, name)
                      : plumb_arena_printf(a, "each of %zu pairs of GPUs directly: %u %s link%s",
                                           w->item_count, (unsigned)w->count, name,
                                           w->count == 1 ? "" : "s");
    } else if (w->item_count > MOST_PAIRS) {
        w->wiring = PLUMB_SVG_UNLINKED;
        w->text = plumb_arena_printf(a, "%zu pairs of GPUs have %s links: too many to draw",
                                     w->item_count, name);
    } else if (w->item_count > 0) {
        w->wiring = PLUMB_SVG_PAIRS;
    } else if (hw->links_known) {
        w->wiring = PLUMB_SVG_UNLINKED;
        w->text = plumb_arena_printf(a, "no %s: the GPUs reach each other through PCI", name);
    } else {
        w->wiring = PLUMB_SVG_UNKNOWN;
        w->text = plumb_arena_printf(a, "no capture tells of %s between the GPUs", name);
    }
    return w;
}

static int middle(const struct plumb_svg_item *gpu)
{
    return gpu->at.x + gpu->at.w / 2;
}

static bool is_lower(const struct plumb_svg_plan *p, const struct plumb_svg_item *gpu)
{
    return p->upper < p->count && gpu->flipped;
}

static int lines_of(const struct plumb_svg_wires *w, uint32_t gpu)
{
    int of = 0;

    for (size_t i = 0; i < w->item_count; i++)
        of += w->items[i].a == gpu || w->items[i].b == gpu;
    return of;
}

/*
 * Lines leave the GPUs of the upper row at even places of a grid and those of the lower row at odd
 * ones, so that no two run into each other. This is the distance between the even ones.
 */
static int grid(const struct plumb_svg_wires *w, const struct plumb_svg_plan *p)
{
    int step = PORTS;

    for (uint32_t g = 0; g < p->gpu_count; g++) {
        int of = lines_of(w, g), room = p->gpus[g]->at.w - 24;

        if (of > 1 && room / of < step)
            step = room / of;
    }
    return step < 4 ? 4 : step / 2 * 2;
}

/* Where the n-th of so many lines of a GPU leaves it. */
static int port(const struct plumb_svg_plan *p, const struct plumb_svg_item *gpu, int n, int of,
                int step)
{
    int first = (middle(gpu) - (of - 1) * step / 2) / step * step;

    return first + n * step + (is_lower(p, gpu) ? step / 2 : 0);
}

/* Lines of a GPU are in the order of where they go, so that few cross. */
static void find_ports(struct plumb_svg_wires *w, const struct plumb_svg_plan *p, uint32_t gpu,
                       int step)
{
    int of = lines_of(w, gpu);

    for (size_t i = 0; i < w->item_count; i++) {
        struct plumb_svg_wire *wire = &w->items[i];
        uint32_t other = wire->a == gpu ? wire->b : wire->a;
        int n = 0;

        if (wire->a != gpu && wire->b != gpu)
            continue;
        for (size_t k = 0; k < w->item_count; k++) {
            const struct plumb_svg_wire *also = &w->items[k];
            uint32_t its = also->a == gpu ? also->b : also->a;
            int x = middle(p->gpus[its]), mine = middle(p->gpus[other]);

            if (k != i && (also->a == gpu || also->b == gpu))
                n += x < mine || (x == mine && k < i);
        }
        *(wire->a == gpu ? &wire->xa : &wire->xb) = port(p, p->gpus[gpu], n, of, step);
    }
}

static int low(const struct plumb_svg_wire *w)
{
    return w->xa < w->xb ? w->xa : w->xb;
}

static int high(const struct plumb_svg_wire *w)
{
    return w->xa > w->xb ? w->xa : w->xb;
}

static int compare(const void *x, const void *y)
{
    const struct plumb_svg_wire *a = x, *b = y;

    if (low(a) != low(b))
        return low(a) < low(b) ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* From left to right, each in the first track that is free. Returns how many there are. */
static int find_tracks(struct plumb_arena *a, struct plumb_svg_wires *w)
{
    int *ends = PLUMB_NEW_ARRAY(a, w->item_count, int);
    int used = 0;

    if (w->item_count > 1)
        qsort(w->items, w->item_count, sizeof(*w->items), compare);
    for (size_t i = 0; i < w->item_count; i++) {
        int t = 0;

        while (t < used && ends[t] + 2 * LABEL > low(&w->items[i]))
            t++;
        ends[t] = high(&w->items[i]);
        w->items[i].track = t;
        used = t == used ? used + 1 : used;
    }
    return used;
}

void plumb_svg_wires_plan(struct plumb_arena *a, struct plumb_svg_wires *w,
                          const struct plumb_svg_plan *p)
{
    int step = 0;

    switch (w->wiring) {
    case PLUMB_SVG_NO_GPUS:
        w->height = p->upper < p->count ? 2 * PLUMB_SVG_GAP : 0;
        break;
    case PLUMB_SVG_UNKNOWN:
    case PLUMB_SVG_UNLINKED:
        w->height = 44;
        break;
    case PLUMB_SVG_BUS:
    case PLUMB_SVG_ALL:
        w->height = (p->upper < p->count ? 2 : 1) * (MARGIN + 12) + BAR + 12;
        break;
    case PLUMB_SVG_PAIRS:
        step = grid(w, p);
        for (uint32_t g = 0; g < p->gpu_count; g++)
            find_ports(w, p, g, step);
        w->height = 2 * MARGIN + (find_tracks(a, w) - 1) * TRACK;
        break;
    }
}

static int thickness(uint32_t count)
{
    static const uint32_t most[] = {1, 2, 4, 8, 12};
    int width = 1;

    for (size_t i = 0; i < PLUMB_COUNT(most) && count > most[i]; i++)
        width++;
    return width;
}

static int edge(const struct plumb_svg_item *gpu)
{
    return gpu->flipped ? gpu->at.y : gpu->at.y + gpu->at.h;
}

static void vertical(struct plumb_arena *a, struct plumb_xml *parent, int x, int from, int to,
                     int width)
{
    plumb_svg_line(a, parent, (struct plumb_svg_box){x, from, 0, to - from}, width);
}

static const char *number(struct plumb_arena *a, uint32_t n)
{
    return plumb_arena_printf(a, "%u", (unsigned)n);
}

/* The bar, and a line with a number from each GPU to it. */
static void draw_bar(struct plumb_arena *a, struct plumb_xml *parent,
                     const struct plumb_svg_wires *w, const struct plumb_svg_plan *p, int y)
{
    struct plumb_xml *g = plumb_svg_group(a, parent, "bar", NULL);
    int from = p->width, to = 0, top = y + MARGIN + 12;

    for (size_t i = 0; i < p->gpu_count; i++) {
        const struct plumb_svg_item *gpu = p->gpus[i];
        bool below = is_lower(p, gpu);
        int end = below ? top + BAR : top;

        vertical(a, g, middle(gpu), edge(gpu), end, thickness(w->count));
        if (w->wiring == PLUMB_SVG_BUS && w->count > 0)
            plumb_svg_text(a, g, "count", middle(gpu) + 8, below ? end + 20 : end - 10,
                           number(a, w->count));
        from = gpu->at.x < from ? gpu->at.x : from;
        to = gpu->at.x + gpu->at.w > to ? gpu->at.x + gpu->at.w : to;
    }
    if (to - from < plumb_svg_width(w->text) + 2 * PLUMB_SVG_PAD)
        to = from + plumb_svg_width(w->text) + 2 * PLUMB_SVG_PAD;
    plumb_svg_rect(a, g, NULL, (struct plumb_svg_box){from, top, to - from, BAR}, 4);
    if (w->wiring == PLUMB_SVG_BUS) /* a double frame */
        plumb_svg_rect(a, g, NULL,
                       (struct plumb_svg_box){from + 4, top + 4, to - from - 8, BAR - 8}, 2);
    plumb_svg_text(a, g, "head", from + (to - from - plumb_svg_width(w->text)) / 2, top + 22,
                   w->text);
}

/* A line up or down crosses a track between x and the end of a number there. */
static bool crossed(const struct plumb_svg_wires *w, const struct plumb_svg_plan *p,
                    const struct plumb_svg_wire *own, int x, int room)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const struct plumb_svg_wire *k = &w->items[i];

        for (int end = 0; end < 2; end++) {
            int at = end == 0 ? k->xa : k->xb;
            bool below = is_lower(p, p->gpus[end == 0 ? k->a : k->b]);
            bool meets = below ? own->track >= k->track : own->track <= k->track;

            if (at > x - 5 && at < x + room && meets)
                return true;
        }
    }
    return false;
}

/* Where the number of a line stands: on it where nothing crosses, else beside its ends. */
static int number_place(const struct plumb_svg_wires *w, const struct plumb_svg_plan *p,
                        const struct plumb_svg_wire *wire)
{
    for (int x = low(wire) + 6; x + LABEL < high(wire); x++) {
        if (!crossed(w, p, wire, x, LABEL))
            return x;
    }
    if (!crossed(w, p, wire, high(wire) + 5, LABEL))
        return high(wire) + 5;
    if (!crossed(w, p, wire, low(wire) - LABEL, LABEL))
        return low(wire) - LABEL;
    /* Between lines a step apart there is room for a digit. */
    return crossed(w, p, wire, high(wire) + 5, DIGIT) ? (low(wire) + high(wire)) / 2 - 4
                                                      : high(wire) + 5;
}

static void draw_pairs(struct plumb_arena *a, struct plumb_xml *parent,
                       const struct plumb_svg_wires *w, const struct plumb_svg_plan *p, int y)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const struct plumb_svg_wire *wire = &w->items[i];
        struct plumb_xml *g = plumb_svg_group(
            a, parent, "pair",
            w->hops
                ? plumb_arena_printf(a, "GPU %u to GPU %u", (unsigned)wire->a, (unsigned)wire->b)
                : plumb_arena_printf(a, "GPU %u to GPU %u: %u", (unsigned)wire->a,
                                     (unsigned)wire->b, (unsigned)wire->count));
        int at = y + MARGIN + wire->track * TRACK, width = thickness(wire->count);

        vertical(a, g, wire->xa, edge(p->gpus[wire->a]), at, width);
        vertical(a, g, wire->xb, edge(p->gpus[wire->b]), at, width);
        plumb_svg_line(
            a, g,
            (struct plumb_svg_box){low(wire) - width / 2, at, abs(wire->xb - wire->xa) + width, 0},
            width);
    }
    for (size_t i = 0; !w->hops && i < w->item_count; i++)
        plumb_svg_text(a, parent, "count", number_place(w, p, &w->items[i]),
                       y + MARGIN + w->items[i].track * TRACK + 4, number(a, w->items[i].count));
}

void plumb_svg_wires_draw(struct plumb_arena *a, struct plumb_xml *parent,
                          const struct plumb_svg_wires *w, const struct plumb_svg_plan *p, int y)
{
    switch (w->wiring) {
    case PLUMB_SVG_NO_GPUS:
        break;
    case PLUMB_SVG_UNKNOWN:
    case PLUMB_SVG_UNLINKED:
        plumb_svg_text(a, parent, "soft", 20 + PLUMB_SVG_PAD, y + 27, w->text);
        break;
    case PLUMB_SVG_BUS:
    case PLUMB_SVG_ALL:
        draw_bar(a, parent, w, p, y);
        break;
    case PLUMB_SVG_PAIRS:
        draw_pairs(a, parent, w, p, y);
        break;
    }
}
