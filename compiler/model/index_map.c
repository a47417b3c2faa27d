/* SPDX-License-Identifier: Apache-2.0 */
/* From one way of counting to another. */
#include "model/index_map.h"

bool plumb_core_of_cpu(const struct plumb_hardware *hw, struct plumb_cpu cpu,
                       struct plumb_core *out)
{
    *out = PLUMB_NO(core);
    if (cpu.n < hw->cpu_limit)
        *out = hw->core_of_cpu[cpu.n];
    return plumb_core_known(*out);
}

struct plumb_cores plumb_cores_of_cpus(struct plumb_arena *a, const struct plumb_hardware *hw,
                                       const struct plumb_cpus *cpus)
{
    struct plumb_cores cores = {0};
    struct plumb_core core;

    for (struct plumb_cpu c = plumb_cpus_first(cpus); plumb_cpu_known(c);
         c = plumb_cpus_after(cpus, c)) {
        if (plumb_core_of_cpu(hw, c, &core))
            plumb_cores_add(a, &cores, core);
    }
    return cores;
}

bool plumb_cpus_of_cores(struct plumb_arena *a, const struct plumb_hardware *hw,
                         const struct plumb_cores *cores, struct plumb_cpus *out)
{
    struct plumb_cores found = {0};
    struct plumb_core core;

    *out = (struct plumb_cpus){0};
    for (struct plumb_cpu c = {0}; c.n < hw->cpu_limit; c.n++) {
        if (!plumb_core_of_cpu(hw, c, &core) || !plumb_cores_has(cores, core))
            continue;
        plumb_cpus_add(a, out, c);
        plumb_cores_add(a, &found, core);
    }
    if (plumb_cores_equal(&found, cores))
        return true;
    *out = (struct plumb_cpus){0};
    return false;
}

void plumb_slurm_cpus_add_core(struct plumb_arena *a, struct plumb_slurm_cpus *s,
                               struct plumb_core core, uint32_t threads)
{
    plumb_slurm_cpus_add_range(a, s, (struct plumb_slurm_cpu){core.n * threads},
                               (struct plumb_slurm_cpu){core.n * threads + threads - 1});
}

struct plumb_cpus plumb_cpus_written_as_cores(const struct plumb_cores *cores)
{
    return (struct plumb_cpus){cores->bits};
}

struct plumb_cpus plumb_cpus_written_as_slurm_cpus(const struct plumb_slurm_cpus *cpus)
{
    return (struct plumb_cpus){cpus->bits};
}

struct plumb_cores plumb_cores_of_slurm_cpus(struct plumb_arena *a,
                                             const struct plumb_slurm_cpus *cpus, uint32_t threads)
{
    struct plumb_cores cores = {0};

    for (struct plumb_slurm_cpu c = plumb_slurm_cpus_first(cpus); plumb_slurm_cpu_known(c);
         c = plumb_slurm_cpus_after(cpus, c))
        plumb_cores_add(a, &cores, (struct plumb_core){c.n / threads});
    return cores;
}

struct plumb_cpus plumb_cpus_as_numbered(struct plumb_arena *a, uint32_t sockets,
                                         uint32_t cores_per_socket, uint32_t threads,
                                         uint32_t socket)
{
    struct plumb_cpus out = {0};

    for (uint32_t t = 0; t < threads; t++) {
        uint32_t first = (t * sockets + socket) * cores_per_socket;

        plumb_cpus_add_range(a, &out, (struct plumb_cpu){first},
                             (struct plumb_cpu){first + cores_per_socket - 1});
    }
    return out;
}

struct plumb_numa plumb_numa_of_id(const struct plumb_hardware *hw, struct plumb_numa_id id)
{
    for (size_t i = 0; i < hw->numa_count; i++) {
        if (plumb_numa_id_same(hw->numa[i].os_index, id))
            return (struct plumb_numa){(uint32_t)i};
    }
    return PLUMB_NO(numa);
}

struct plumb_numa_id plumb_numa_id_of(const struct plumb_hardware *hw, struct plumb_numa numa)
{
    return numa.n < hw->numa_count ? hw->numa[numa.n].os_index : PLUMB_NO(numa_id);
}

int plumb_numa_order(const void *a, const void *b)
{
    const struct plumb_hw_numa *x = a, *y = b;

    return x->os_index.n < y->os_index.n ? -1 : x->os_index.n > y->os_index.n;
}

struct plumb_minor plumb_minor_of_gpu(const struct plumb_hw_gpu *gpu)
{
    return plumb_minor_known(gpu->minor) ? gpu->minor : (struct plumb_minor){gpu->index.n};
}

const struct plumb_hw_gpu *plumb_gpu_of_minor(const struct plumb_hardware *hw,
                                              struct plumb_minor minor)
{
    bool told = false;

    for (size_t i = 0; i < hw->gpu_count; i++)
        told = told || plumb_minor_known(hw->gpus[i].minor);
    for (size_t i = 0; plumb_minor_known(minor) && i < hw->gpu_count; i++) {
        struct plumb_minor own = told ? hw->gpus[i].minor : plumb_minor_of_gpu(&hw->gpus[i]);

        if (plumb_minor_same(own, minor))
            return &hw->gpus[i];
    }
    return NULL;
}

struct plumb_slot plumb_slot_of_gpu(const struct plumb_hw_gpu *gpu)
{
    return (struct plumb_slot){gpu->index.n};
}
