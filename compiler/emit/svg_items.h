/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the pictures of machines: boxes before they have a place. */
#ifndef PLUMB_EMIT_SVG_ITEMS_H
#define PLUMB_EMIT_SVG_ITEMS_H

#include "emit/svg_plan.h"

struct plumb_svg_item *plumb_svg_item(struct plumb_arena *a, enum plumb_svg_kind kind,
                                      const char *name);
void plumb_svg_item_line(struct plumb_arena *a, struct plumb_svg_item *item, const char *text);
void plumb_svg_item_add(struct plumb_arena *a, struct plumb_svg_item *item,
                        struct plumb_svg_item *part);

/* Sockets with all that is in them. */
struct plumb_svg_plan *plumb_svg_items(struct plumb_arena *a, const struct plumb_hardware *hw);

#endif
