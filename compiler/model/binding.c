/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs by socket, and the cores beside them. */
#include "model/binding.h"

#include "model/detect.h"
#include "model/index_map.h"

/*
 * block:block keeps neighbours in one socket where the default, block:cyclic, deals tasks out to
 * sockets in turn. Memory follows the cores. Every other --gpu-bind, and --gpus-per-task, which
 * brings one, shuts a task off from the GPUs of its neighbours where cgroups constrain devices
 * (task_cgroup_devices.c:task_cgroup_devices_constrain): then CUDA opens no memory of theirs, and
 * what NCCL and MPI send within a node goes another way or fails. Not even none: with it the
 * tasks of 22.05 see no GPU.
 */
const char plumb_binding_options[] = "--distribution=block:block --cpu-bind=cores --mem-bind=local";

struct place {
    const struct plumb_binding_ask *ask;
    struct plumb_arena *a;
    uint32_t *socket_of; /* by GPU */
    uint32_t per_socket; /* GPUs in each socket that has some */
    uint32_t cores;      /* of a task */
};

static bool is_reserved(const struct place *p, struct plumb_core core)
{
    return plumb_cores_has(&p->ask->reserved, core);
}

/* Cores of a socket that jobs get for sure. */
static uint32_t free_cores(const struct place *p, uint32_t socket)
{
    uint32_t each = p->ask->hw->sockets[p->ask->kind].cores_per_socket, count = 0;

    for (uint32_t c = socket * each; c < (socket + 1) * each; c++)
        count += !is_reserved(p, (struct plumb_core){c});
    return count > p->ask->spare ? count - p->ask->spare : 0;
}

/* False: a GPU is near no socket, or several; or sockets have unlike numbers of GPUs. */
static bool find_places(struct place *p)
{
    const struct plumb_hardware *hw = p->ask->hw;
    const struct plumb_hw_sockets *by = &hw->sockets[p->ask->kind];
    uint32_t *count = NULL, least = UINT32_MAX;

    if (by->sockets == 0 || by->cores_per_socket == 0 || by->uneven)
        return false;
    count = PLUMB_NEW_ARRAY(p->a, by->sockets, uint32_t);
    p->socket_of = PLUMB_NEW_ARRAY(p->a, hw->gpu_count, uint32_t);
    for (struct plumb_gpu g = {0}; g.n < hw->gpu_count; g.n++) {
        struct plumb_cores cores = {0};

        if (!plumb_hardware_gres_cores(hw, g, p->ask->kind, p->a, &cores) ||
            plumb_cores_count(&cores) != by->cores_per_socket)
            return false;
        p->socket_of[g.n] = plumb_cores_first(&cores).n / by->cores_per_socket;
        count[p->socket_of[g.n]]++;
    }
    p->per_socket = count[p->socket_of[0]];
    for (uint32_t s = 0; s < by->sockets; s++) {
        if (count[s] != 0 && count[s] != p->per_socket)
            return false;
        if (count[s] != 0 && free_cores(p, s) < least)
            least = free_cores(p, s);
    }
    p->cores = p->ask->cores > 0 ? p->ask->cores : least / p->per_socket;
    return p->cores > 0 && (uint64_t)p->cores * p->per_socket <= least;
}

/*
 * The next GPU of a socket: in order; where links count, those with most links to the first one
 * come before (gres_select_filter.c:_set_node_bits up to 23.11). No number: none is left.
 */
static struct plumb_gpu next_gpu(const struct place *p, uint32_t socket,
                                 const struct plumb_gpus *taken, struct plumb_gpu first)
{
    const struct plumb_hardware *hw = p->ask->hw;
    bool links = p->ask->links && !hw->nvswitch && plumb_gpu_known(first);
    struct plumb_gpu best = PLUMB_NO(gpu);
    uint32_t most = 0;

    for (struct plumb_gpu g = {0}; g.n < hw->gpu_count; g.n++) {
        uint32_t n = links ? plumb_hardware_links(hw, first, g) : 0;

        if (p->socket_of[g.n] != socket || plumb_gpus_has(taken, g))
            continue;
        if (!plumb_gpu_known(best) || n > most) {
            best = g;
            most = n;
        }
    }
    return best;
}

/* The cores of a task, from *core on. */
static void give_cores(const struct place *p, struct plumb_core *core,
                       struct plumb_binding_task *task)
{
    for (uint32_t left = p->cores; left > 0; core->n++) {
        if (is_reserved(p, *core))
            continue;
        plumb_cores_add(p->a, &task->cores, *core);
        left--;
    }
    (void)plumb_cpus_of_cores(p->a, p->ask->hw, &task->cores, &task->cpus);
}

/* The GPUs of one socket, a task for each in their order; returns how many are left to find. */
static uint32_t take_socket(const struct place *p, uint32_t socket, uint32_t left,
                            struct plumb_binding *out)
{
    struct plumb_core core = {socket * p->ask->hw->sockets[p->ask->kind].cores_per_socket};
    struct plumb_gpus here = {0};
    struct plumb_gpu first = next_gpu(p, socket, &here, PLUMB_NO(gpu)), g = first;
    uint32_t task = out->gpus - left;

    for (; left > 0 && plumb_gpu_known(g); left--) {
        plumb_gpus_add(p->a, &here, g);
        plumb_slots_add(p->a, &out->devices, plumb_slot_of_gpu(&p->ask->hw->gpus[g.n]));
        g = next_gpu(p, socket, &here, first);
    }
    for (g = plumb_gpus_first(&here); plumb_gpu_known(g); g = plumb_gpus_after(&here, g)) {
        out->tasks[task].gpu = g;
        give_cores(p, &core, &out->tasks[task++]);
    }
    return left;
}

static bool fills_sockets(const struct place *p)
{
    const struct plumb_hardware *hw = p->ask->hw;

    for (struct plumb_gpu g = {0}; g.n < hw->gpu_count; g.n++) {
        if (free_cores(p, p->socket_of[g.n]) != p->per_socket * p->cores)
            return false;
    }
    return p->ask->spare == 0;
}

bool plumb_binding_of(struct plumb_arena *a, const struct plumb_binding_ask *ask, uint32_t gpus,
                      struct plumb_binding *out)
{
    const struct plumb_hardware *hw = ask->hw;
    struct place p = {.ask = ask, .a = a};
    struct plumb_gpu empty;
    uint32_t left = gpus;

    *out = (struct plumb_binding){.gpus = gpus};
    if (hw->incomplete_cpus || !plumb_usable(hw->threads_per_core) || gpus == 0 ||
        gpus > hw->gpu_count || plumb_hardware_mig(hw, &empty) || !find_places(&p) ||
        (gpus > p.per_socket && gpus % p.per_socket != 0))
        return false;
    out->fills = gpus == hw->gpu_count && fills_sockets(&p);
    out->cores_per_task = p.cores;
    out->cpus_per_task = p.cores * (uint32_t)hw->threads_per_core.v;
    out->tasks = PLUMB_NEW_ARRAY(a, gpus, struct plumb_binding_task);
    for (uint32_t socket = 0; left > 0 && socket < hw->sockets[ask->kind].sockets; socket++)
        left = take_socket(&p, socket, left, out);
    return left == 0;
}

uint32_t plumb_binding_place(const struct plumb_binding_ask *ask, const struct plumb_binding *b,
                             uint32_t task)
{
    uint32_t own = plumb_slot_of_gpu(&ask->hw->gpus[b->tasks[task].gpu.n]).n, before = 0;

    for (uint32_t t = 0; t < b->gpus; t++)
        before += plumb_slot_of_gpu(&ask->hw->gpus[b->tasks[t].gpu.n]).n < own;
    return before;
}
