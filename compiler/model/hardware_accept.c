/* SPDX-License-Identifier: Apache-2.0 */
/* Which releases accept the cores near a GPU as Cores=. */
#include "model/hardware.h"

/*
 * gres.c, "doesn't match socket boundaries": from 24.11.0 whole sockets, from 25.11.0 exactly
 * one or all cores; before, anything.
 */
enum plumb_hw_accept plumb_hardware_accepts(const struct plumb_hardware *hw,
                                            enum plumb_hw_socket_kind kind,
                                            const struct plumb_cores *cores)
{
    const struct plumb_hw_sockets *by = &hw->sockets[kind];
    uint32_t whole = 0, count = plumb_cores_count(cores);

    if (by->sockets == 0 || by->cores_per_socket == 0 || count == 0)
        return PLUMB_ACCEPT_NEVER;
    for (uint32_t s = 0; s < by->sockets; s++) {
        uint32_t first = s * by->cores_per_socket, has = 0;

        for (uint32_t c = first; c < first + by->cores_per_socket; c++)
            has += plumb_cores_has(cores, (struct plumb_core){c});
        if (has != 0 && has != by->cores_per_socket)
            return PLUMB_ACCEPT_UP_TO_24_05;
        whole += has != 0;
    }
    if (whole * by->cores_per_socket != count) /* cores behind the last socket */
        return PLUMB_ACCEPT_UP_TO_24_05;
    return whole == 1 || whole == by->sockets ? PLUMB_ACCEPT_ALWAYS : PLUMB_ACCEPT_UP_TO_25_05;
}

const char *plumb_hardware_accept_name(enum plumb_hw_accept a)
{
    static const char *const names[] = {"unknown", "up to 24.05", "up to 25.05", "every release"};

    return names[a];
}

bool plumb_hardware_fits(const struct plumb_hardware *hw, enum plumb_hw_socket_kind kind)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (plumb_hardware_accepts(hw, kind, &hw->gpus[i].cores) != PLUMB_ACCEPT_ALWAYS)
            return false;
    }
    return hw->gpu_count > 0;
}
