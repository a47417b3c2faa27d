/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from a machine for Slurm: links as slurmd detects them, and Cores= that
 * the whole-socket rule accepts. Conversions between index spaces live here alone.
 */
#include "model/hardware.h"

const struct plumb_hw_cell *plumb_hardware_cell(const struct plumb_hardware *hw, size_t row,
                                                size_t column)
{
    size_t side = hw->gpu_count + hw->nic_count;

    if (hw->matrix == NULL || row >= side || column >= side)
        return NULL;
    return &hw->matrix[row * side + column];
}

uint32_t plumb_hardware_links(const struct plumb_hardware *hw, uint32_t a, uint32_t b)
{
    if (a >= hw->gpu_count || b >= hw->gpu_count)
        return 0;

    const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, a, b);

    return cell != NULL && cell->relation == PLUMB_REL_NVLINK ? cell->links : 0;
}

/*
 * gpu_nvml.c counts the NVLinks whose far end has the PCI address of another GPU. Through an
 * NVSwitch the far end is the switch, so nothing is counted.
 */
void plumb_hardware_links_text(const struct plumb_hardware *hw, uint32_t gpu, struct plumb_buf *out)
{
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        if (i > 0)
            plumb_buf_char(out, ',');
        if (i == gpu)
            plumb_buf_str(out, "-1");
        else
            plumb_buf_u64(out, hw->nvswitch ? 0 : plumb_hardware_links(hw, gpu, i));
    }
}

/*
 * From 24.11.0 a core set must be made of whole sockets, from 25.11.0 it must be one socket or
 * all cores (gres.c, "doesn't match socket boundaries"). What is given here passes both: more
 * than one socket becomes all of them.
 */
bool plumb_hardware_gres_cores(const struct plumb_hardware *hw, uint32_t gpu,
                               enum plumb_hw_socket_kind kind, struct plumb_arena *a,
                               struct plumb_bits *out)
{
    const struct plumb_hw_sockets *by = &hw->sockets[kind];

    *out = (struct plumb_bits){0};
    if (gpu >= hw->gpu_count || by->sockets == 0 || by->cores_per_socket == 0)
        return false;

    const struct plumb_bits *own = &hw->gpus[gpu].cores;
    uint32_t first = plumb_bits_next(own, 0);
    uint32_t last = plumb_bits_last(own);

    if (first == UINT32_MAX)
        return false;
    first /= by->cores_per_socket;
    last /= by->cores_per_socket;
    if (last >= by->sockets) /* uneven sockets: slurmd has cut the remainder off */
        last = by->sockets - 1;
    if (first >= by->sockets)
        first = by->sockets - 1;
    if (first != last) {
        first = 0;
        last = by->sockets - 1;
    }
    plumb_bits_set(a, out, first * by->cores_per_socket, (last + 1) * by->cores_per_socket - 1);
    return true;
}
