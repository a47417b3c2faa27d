/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from a machine, for the text and the JSON of `plumb topo`. */
#include "emit/topo.h"

/*
 * gres.c, "doesn't match socket boundaries": from 24.11.0 whole sockets, from 25.11.0 exactly
 * one or all cores; before, anything.
 */
enum plumb_topo_accept plumb_topo_accepts(const struct plumb_hardware *hw,
                                          enum plumb_hw_socket_kind kind,
                                          const struct plumb_bits *cores)
{
    const struct plumb_hw_sockets *by = &hw->sockets[kind];
    uint32_t whole = 0, count = plumb_bits_count(cores);

    if (by->sockets == 0 || by->cores_per_socket == 0 || count == 0)
        return PLUMB_TOPO_NEVER;
    for (uint32_t s = 0; s < by->sockets; s++) {
        uint32_t first = s * by->cores_per_socket, has = 0;

        for (uint32_t c = first; c < first + by->cores_per_socket; c++)
            has += plumb_bits_has(cores, c);
        if (has != 0 && has != by->cores_per_socket)
            return PLUMB_TOPO_UP_TO_24_05;
        whole += has != 0;
    }
    if (whole * by->cores_per_socket != count) /* cores behind the last socket */
        return PLUMB_TOPO_UP_TO_24_05;
    return whole == 1 || whole == by->sockets ? PLUMB_TOPO_ALWAYS : PLUMB_TOPO_UP_TO_25_05;
}

const char *plumb_topo_accept_name(enum plumb_topo_accept a)
{
    static const char *const names[] = {"unknown", "up to 24.05", "up to 25.05", "every release"};

    return names[a];
}

bool plumb_topo_fits(const struct plumb_hardware *hw, enum plumb_hw_socket_kind kind)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (plumb_topo_accepts(hw, kind, &hw->gpus[i].cores) != PLUMB_TOPO_ALWAYS)
            return false;
    }
    return hw->gpu_count > 0;
}

const char *plumb_topo_parameter(enum plumb_hw_socket_kind kind)
{
    static const char *const names[PLUMB_SOCKET_KINDS] = {NULL, "numa_node_as_socket",
                                                          "l3cache_as_socket"};

    return names[kind];
}

const char *plumb_topo_relation(struct plumb_arena *a, const struct plumb_hw_cell *cell)
{
    static const char *const names[] = {"?", "X", "NV", "PIX", "PXB", "PHB", "NODE", "SYS"};

    if (cell == NULL)
        return "?";
    if (cell->relation == PLUMB_REL_NVLINK)
        return plumb_arena_printf(a, "NV%u", (unsigned)cell->links);
    return names[cell->relation];
}

size_t plumb_topo_nearest(const struct plumb_hardware *hw, size_t device, size_t from, size_t to,
                          size_t *out, enum plumb_hw_relation *best)
{
    size_t count = 0;

    *best = PLUMB_REL_NODE;
    for (size_t i = from; i < to; i++) {
        const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, device, i);

        if (cell == NULL || cell->relation < PLUMB_REL_PIX || cell->relation >= PLUMB_REL_NODE ||
            cell->relation > *best)
            continue;
        if (cell->relation < *best)
            count = 0;
        *best = cell->relation;
        out[count++] = i;
    }
    return count;
}
