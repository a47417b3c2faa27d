/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of machines and fabrics as SVG: no script, no fonts of its own, light and dark by the
 * reader's choice. Everything that colour tells is told by a frame or a word too.
 */
#ifndef PLUMB_EMIT_SVG_H
#define PLUMB_EMIT_SVG_H

#include "model/model.h"
#include "syntax/xml.h"

/*
 * One machine: sockets, NUMA nodes, PCI switches, GPUs with index, bus id, minor number and
 * Slurm's abstract cores, NICs with their rails, and the links between GPUs. Below parent; NULL: a
 * root of its own.
 */
struct plumb_xml *plumb_svg_node(struct plumb_arena *a, struct plumb_xml *parent,
                                 const struct plumb_hardware *hw);

/*
 * The switches and blocks of one topology of the model, from the root at the left to the leaves;
 * siblings alike in wide trees are one box.
 */
struct plumb_xml *plumb_svg_fabric(struct plumb_arena *a, struct plumb_xml *parent,
                                   const struct plumb_model *m, size_t topology);

/* The same for what ibnetdiscover shows. */
struct plumb_xml *plumb_svg_captured_fabric(struct plumb_arena *a, struct plumb_xml *parent,
                                            const struct plumb_fabric *captured);

/* How many topologies have switches or blocks: numbers below it may be empty ones. */
size_t plumb_svg_fabric_count(const struct plumb_model *m);

/* Puts the pictures below an empty one under each other. */
void plumb_svg_stack(struct plumb_arena *a, struct plumb_xml *svg);

/* The rules of style for all of them. */
const char *plumb_svg_style(void);

/* A file of its own; svg is a root and gets the style. */
void plumb_svg_print(struct plumb_buf *out, struct plumb_xml *svg);

#endif
