/* SPDX-License-Identifier: Apache-2.0 */
/* What a node can keep for the system without taking all cores of a GPU: for `plumb topo`. */
#include "emit/topo.h"
#include "model/index_map.h"

bool plumb_topo_reserve(struct plumb_arena *a, const struct plumb_hardware *hw,
                        struct plumb_topo_reserve *out)
{
    const struct plumb_hw_sockets *by = &hw->sockets[PLUMB_SOCKET_PACKAGE];

    *out = (struct plumb_topo_reserve){.cores = {{0}}};
    if (hw->incomplete_cpus || by->sockets == 0 || by->cores_per_socket < 2 || by->uneven ||
        !plumb_usable(hw->threads_per_core))
        return false;
    for (uint32_t s = 0; s < by->sockets; s++) {
        struct plumb_core first = {s * by->cores_per_socket};

        plumb_cores_add(a, &out->cores, first);
        plumb_slurm_cpus_add_core(a, &out->cpus, first, (uint32_t)hw->threads_per_core.v);
    }
    (void)plumb_cpus_of_cores(a, hw, &out->cores, &out->os_cpus);
    return true;
}
