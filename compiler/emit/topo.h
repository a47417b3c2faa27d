/* SPDX-License-Identifier: Apache-2.0 */
/* What captures say about one machine, for people and for programs: `plumb topo`. */
#ifndef PLUMB_EMIT_TOPO_H
#define PLUMB_EMIT_TOPO_H

#include "base/buf.h"
#include "model/hardware.h"
#include "syntax/node.h"

/* Aligned text: sockets, NUMA nodes, GPUs, links, NICs, and what follows for slurm.conf. */
void plumb_topo_text(struct plumb_buf *out, const struct plumb_hardware *hw);

/* The same as a tree for the JSON writer. */
struct plumb_node *plumb_topo_json(struct plumb_arena *a, const struct plumb_hardware *hw);

/* For both: who accepts a core set as Cores= when sockets are counted one way. */
enum plumb_topo_accept {
    PLUMB_TOPO_NEVER,       /* no such sockets, or no cores known */
    PLUMB_TOPO_UP_TO_24_05, /* it cuts a socket */
    PLUMB_TOPO_UP_TO_25_05, /* several whole sockets, not all */
    PLUMB_TOPO_ALWAYS,      /* one whole socket, or all cores */
};
enum plumb_topo_accept plumb_topo_accepts(const struct plumb_hardware *hw,
                                          enum plumb_hw_socket_kind kind,
                                          const struct plumb_bits *cores);
const char *plumb_topo_accept_name(enum plumb_topo_accept a); /* "every release" ... */

/* True when the detected cores of every GPU are accepted by every release. */
bool plumb_topo_fits(const struct plumb_hardware *hw, enum plumb_hw_socket_kind kind);

/* "numa_node_as_socket"; NULL for the default. */
const char *plumb_topo_parameter(enum plumb_hw_socket_kind kind);

const char *plumb_topo_relation(struct plumb_arena *a, const struct plumb_hw_cell *cell);

/* Devices [from, to) of the matrix that are nearest to one, nearer than NODE; relation in *best. */
size_t plumb_topo_nearest(const struct plumb_hardware *hw, size_t device, size_t from, size_t to,
                          size_t *out, enum plumb_hw_relation *best);

#endif
