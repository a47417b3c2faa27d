/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the pictures of machines: the links between GPUs. */
#ifndef PLUMB_EMIT_SVG_LINKS_H
#define PLUMB_EMIT_SVG_LINKS_H

#include "emit/svg_plan.h"

enum plumb_svg_wiring {
    PLUMB_SVG_NO_GPUS,  /* fewer than two */
    PLUMB_SVG_UNKNOWN,  /* no capture tells */
    PLUMB_SVG_UNLINKED, /* there are none, or too many to draw */
    PLUMB_SVG_BUS,      /* every GPU on a switch */
    PLUMB_SVG_ALL,      /* each of many pairs directly, with the same number */
    PLUMB_SVG_PAIRS,
};

struct plumb_svg_wires {
    enum plumb_svg_wiring wiring;
    const char *text; /* one line that says it all; NULL for pairs */
    bool hops;        /* lines are single hops of XGMI, whose width no capture tells */
    uint32_t count;   /* links of a GPU on a switch, of a pair where all are alike */
    struct plumb_svg_wire *items;
    size_t item_count;
    int height; /* that the space between the rows needs */
};

/* What there is to draw. */
struct plumb_svg_wires *plumb_svg_wires(struct plumb_arena *a, const struct plumb_hardware *hw);

/* How high they are is known once all boxes have an x. */
void plumb_svg_wires_plan(struct plumb_arena *a, struct plumb_svg_wires *w,
                          const struct plumb_svg_plan *p);

/* Draws them from y on. */
void plumb_svg_wires_draw(struct plumb_arena *a, struct plumb_xml *parent,
                          const struct plumb_svg_wires *w, const struct plumb_svg_plan *p, int y);

/* What links the GPUs of their maker: "NVLink", "xGMI", "Xe Link". */
const char *plumb_svg_link_name(const struct plumb_hardware *hw);

#endif
