/* SPDX-License-Identifier: Apache-2.0 */
/* What jobs get on an idle node, for the text and the JSON of `plumb topo`. */
#include "emit/topo.h"
#include "model/index_map.h"
#include "schema/trait.h"

bool plumb_topo_binding(struct plumb_arena *a, const struct plumb_hardware *hw,
                        enum plumb_hw_socket_kind kind, const struct plumb_session *s,
                        uint32_t gpus, struct plumb_binding *out)
{
    const struct plumb_binding_ask ask = {
        .hw = hw,
        .kind = kind,
        .links = !plumb_trait_now(s, PLUMB_TRAIT_GRES_PER_NODE_IGNORES_LINKS),
    };

    return plumb_binding_of(a, &ask, gpus, out);
}

bool plumb_topo_job(struct plumb_arena *a, const struct plumb_hardware *hw,
                    enum plumb_hw_socket_kind kind, const struct plumb_session *s, uint32_t gpus,
                    struct plumb_topo_job *out)
{
    const struct plumb_binding_ask ask = {
        .hw = hw,
        .kind = kind,
        .cores = 1,
        .links = !plumb_trait_now(s, PLUMB_TRAIT_GRES_PER_NODE_IGNORES_LINKS),
    };
    struct plumb_binding b;

    *out = (struct plumb_topo_job){.gpus = gpus};
    if (!plumb_binding_of(a, &ask, gpus, &b))
        return false;
    out->devices = b.devices;
    for (uint32_t t = 0; t < gpus; t++) {
        struct plumb_core core = plumb_cores_first(&b.tasks[t].cores);

        plumb_cores_add(a, &out->cores, core);
        plumb_slurm_cpus_add_core(a, &out->cpus, core, (uint32_t)hw->threads_per_core.v);
    }
    (void)plumb_cpus_of_cores(a, hw, &out->cores, &out->os_cpus);
    return true;
}
