/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of a machine and where they are. Sockets stand in two rows, the second one upside down,
 * so that all GPUs face the space between the rows, where their links are drawn.
 */
#ifndef PLUMB_EMIT_SVG_PLAN_H
#define PLUMB_EMIT_SVG_PLAN_H

#include "emit/svg_draw.h"
#include "model/hardware.h"

enum plumb_svg_kind {
    PLUMB_SVG_SOCKET,
    PLUMB_SVG_NUMA,
    PLUMB_SVG_SWITCH,
    PLUMB_SVG_GPU,
    PLUMB_SVG_NIC,
};

struct plumb_svg_item {
    enum plumb_svg_kind kind;
    const char **lines; /* the first one is the name */
    size_t line_count, line_cap;
    uint32_t gpu; /* index; PLUMB_NO_INDEX */
    bool has_gpu; /* is one, or one is inside */
    bool flipped; /* the name stands at the bottom */
    struct plumb_svg_item **parts;
    size_t part_count, part_cap;
    struct plumb_svg_box at;
};

struct plumb_svg_plan {
    struct plumb_svg_item **sockets; /* the first half is the upper row */
    size_t count, cap, upper;
    const struct plumb_svg_item **gpus; /* by index */
    uint32_t gpu_count;
    int width;
    int upper_end; /* where the space for links begins */
    bool rails;    /* some NIC has a rail */
};

/* The boxes, measured, the upper row placed from y on. */
struct plumb_svg_plan *plumb_svg_plan(struct plumb_arena *a, const struct plumb_hardware *hw, int x,
                                      int y);

/* Places the lower row; returns where it ends (y where there is none). */
int plumb_svg_plan_lower(struct plumb_svg_plan *p, int x, int y);

/* Height of the lines of an item. */
int plumb_svg_head(const struct plumb_svg_item *item);

#endif
