/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slurmd -C beside the other captures. hwloc tells more of CPUs and decides them; memory is
 * slurmd's own, because RealMemory is compared with exactly that number (slurmctld,
 * validate_node_specs).
 */
#include <string.h>

#include "base/limits.h"
#include "model/detect.h"
#include "passes/bind.h"

enum { MEMORY_PERCENT = 5 }; /* the kernel keeps less of it */

/* What the sockets of the line are: it depends on the parameters that slurmd ran with. */
static enum plumb_hw_socket_kind socket_kind(const struct plumb_slurmd_c *c)
{
    if (strstr(c->parameters.text != NULL ? c->parameters.text : "", "numa_node_as_socket") != NULL)
        return PLUMB_SOCKET_NUMA;
    if (strstr(c->parameters.text != NULL ? c->parameters.text : "", "l3cache_as_socket") != NULL)
        return PLUMB_SOCKET_L3;
    return PLUMB_SOCKET_PACKAGE;
}

static uint64_t sockets_of(const struct plumb_slurmd_c *c)
{
    return c->boards.v * c->sockets_per_board.v; /* each at most PLUMB_MAX_PUS */
}

static void bind_packages(struct plumb_bind *b, const struct plumb_slurmd_c *c, uint32_t count)
{
    struct plumb_hardware *hw = b->hw;

    hw->packages = PLUMB_NEW_ARRAY(b->s->arena, count, struct plumb_hw_package);
    hw->package_count = count;
    hw->packages_count = plumb_u64_derived(count, c->sockets_per_board.at);
    for (uint32_t i = 0; i < count; i++)
        hw->packages[i] = (struct plumb_hw_package){
            .os_index = i,
            .first_core = i * (uint32_t)c->cores_per_socket.v,
            .core_count = (uint32_t)c->cores_per_socket.v,
            .at = c->sockets_per_board.at,
        };
}

/* The machine is what the line says: which CPU is in which core it does not tell. */
static void take_cores(struct plumb_bind *b, const struct plumb_slurmd_c *c)
{
    struct plumb_hardware *hw = b->hw;
    enum plumb_hw_socket_kind kind = socket_kind(c);
    uint64_t sockets = sockets_of(c), cores = 0, threads = 0;

    if (sockets > PLUMB_MAX_PUS || (cores = sockets * c->cores_per_socket.v) > PLUMB_MAX_PUS ||
        (threads = cores * c->threads_per_core.v) > PLUMB_MAX_PUS) {
        plumb_hw_report(b->s, PLUMB_HW_SLURMD_C, c->at,
                        "the line makes more than %d threads, expected those of one machine",
                        PLUMB_MAX_PUS);
        return;
    }
    hw->boards = plumb_u64_derived(c->boards.v, c->boards.at);
    hw->core_count = plumb_u64_derived(cores, c->cores_per_socket.at);
    hw->thread_count = plumb_u64_derived(threads, c->cpus.at);
    hw->threads_per_core = plumb_u64_derived(c->threads_per_core.v, c->threads_per_core.at);
    hw->sockets[kind] = (struct plumb_hw_sockets){
        .sockets = (uint32_t)sockets, .cores_per_socket = (uint32_t)c->cores_per_socket.v};
    if (kind == PLUMB_SOCKET_PACKAGE)
        bind_packages(b, c, (uint32_t)sockets);
}

static bool counts_so(const struct plumb_hardware *hw, const struct plumb_slurmd_c *c)
{
    for (int kind = 0; kind < PLUMB_SOCKET_KINDS; kind++) {
        const struct plumb_hw_sockets *by = &hw->sockets[kind];

        /* Older releases do not print the parameter that made the sockets. */
        if (by->sockets == sockets_of(c) && by->cores_per_socket == c->cores_per_socket.v)
            return true;
    }
    return false;
}

static void compare_cores(struct plumb_bind *b, const struct plumb_slurmd_c *c)
{
    const struct plumb_hardware *hw = b->hw;
    const struct plumb_hw_sockets *by = &hw->sockets[PLUMB_SOCKET_PACKAGE];

    if (hw->incomplete_cpus || /* reported as such */
        (counts_so(hw, c) &&
         (!plumb_usable(hw->threads_per_core) || hw->threads_per_core.v == c->threads_per_core.v)))
        return;
    b->hw->cores_differ = true;
    plumb_diag_note(
        plumb_hw_report(
            b->s, PLUMB_HW_CORES, c->sockets_per_board.at,
            "slurmd saw %llu sockets of %llu cores with %llu threads, the hwloc capture "
            "of the same machine shows %u of %u with %llu",
            (unsigned long long)sockets_of(c), (unsigned long long)c->cores_per_socket.v,
            (unsigned long long)c->threads_per_core.v, (unsigned)by->sockets,
            (unsigned)by->cores_per_socket, (unsigned long long)hw->threads_per_core.v),
        hw->core_count.at, "the machine of the hwloc capture");
}

static bool is_near(uint64_t here, uint64_t there)
{
    uint64_t apart = here > there ? here - there : there - here;

    return apart / MEMORY_PERCENT <= there / 100;
}

/* slurmd asks the system, which counts HBM, CXL and the memory of GPUs where it manages them. */
static uint64_t memory_of_all_nodes(const struct plumb_hardware *hw)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < hw->numa_count; i++) {
        if (plumb_usable(hw->numa[i].memory_bytes) &&
            __builtin_add_overflow(sum, hw->numa[i].memory_bytes.v, &sum))
            return UINT64_MAX;
    }
    return sum;
}

static void take_memory(struct plumb_bind *b, const struct plumb_slurmd_c *c)
{
    struct plumb_hardware *hw = b->hw;
    uint64_t here = c->memory_mib.v, there = hw->memory_bytes.v >> 20;

    if (plumb_usable(hw->memory_bytes) && there > 0) {
        b->memory_differs = !is_near(here, there) && !is_near(here, memory_of_all_nodes(hw) >> 20);
        if (b->memory_differs)
            plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_MEMORY, c->memory_mib.at,
                                            "slurmd saw %llu MiB, the hwloc capture of the same "
                                            "machine shows %llu MiB",
                                            (unsigned long long)here, (unsigned long long)there),
                            hw->memory_bytes.at, "memory of the hwloc capture");
    }
    hw->memory_bytes = plumb_u64_derived(here << 20, c->memory_mib.at);
}

static void take_gpus(struct plumb_bind *b, const struct plumb_slurmd_c *c)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_gpu empty;

    if (!plumb_usable(c->gpus) || plumb_hardware_mig(hw, &empty)) /* it counts instances then */
        return;
    if (plumb_usable(hw->gpu_count_value) && hw->gpu_count_value.v != c->gpus.v) {
        hw->gpus_differ = true;
        plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_GPU_COUNT, c->gpus.at,
                                        "slurmd found %llu GPUs, the %s of the same machine shows "
                                        "%llu",
                                        (unsigned long long)c->gpus.v, b->gpus_from,
                                        (unsigned long long)hw->gpu_count_value.v),
                        hw->gpu_count_value.at, "the last GPU of the %s", b->gpus_from);
        return;
    }
    if (hw->gpu_count > 0 || c->gpus.v == 0)
        return;
    plumb_bind_new_gpus(b, (size_t)c->gpus.v, "'slurmd -C'", c->gpus.at);
}

void plumb_bind_slurmd(struct plumb_bind *b)
{
    const struct plumb_slurmd_c *c = b->g->slurmd;

    if (c == NULL)
        return;
    plumb_bind_host(b, &c->name);
    if (c->name.len > 0)
        b->hw->host = plumb_intern_text(b->s->intern, c->name.text, c->name.len);
    if (b->hwloc == NULL)
        take_cores(b, c);
    else
        compare_cores(b, c);
    take_memory(b, c);
    take_gpus(b, c);
}
