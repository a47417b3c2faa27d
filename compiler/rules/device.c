/* SPDX-License-Identifier: Apache-2.0 */
/* Devices of a node, and the socket law. */
#include "rules/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

static int compare_devices(const void *x, const void *y)
{
    const struct plumb_device *a = x, *b = y;

    return a->minor < b->minor ? -1 : a->minor > b->minor;
}

static bool is_nvidia(const struct plumb_host_range *r)
{
    return r->numbered && strcmp(r->prefix, "/dev/nvidia") == 0 && r->suffix[0] == '\0';
}

/* Without a capture that tells minor numbers, they follow the order of NVML, as they mostly do. */
static const struct plumb_hw_gpu *gpu_of(const struct plumb_hardware *hw, uint64_t minor)
{
    bool told = false;

    for (size_t i = 0; hw != NULL && i < hw->gpu_count; i++) {
        told = told || hw->gpus[i].minor != PLUMB_NO_INDEX;
        if (hw->gpus[i].minor != PLUMB_NO_INDEX && hw->gpus[i].minor == minor)
            return &hw->gpus[i];
    }
    return hw != NULL && !told && minor < hw->gpu_count ? &hw->gpus[minor] : NULL;
}

static bool add_files(const struct plumb_check *ck, const struct plumb_gres_view *v,
                      const struct plumb_gres_line *line, struct plumb_devices *out)
{
    for (size_t r = 0; r < line->files->range_count; r++) {
        const struct plumb_host_range *range = &line->files->ranges[r];

        if (!is_nvidia(range) || range->hi - range->lo >= PLUMB_MAX_GPUS)
            return false;
        for (uint64_t n = range->lo; n <= range->hi; n++) {
            out->items = plumb_arena_grow(ck->scratch, out->items, out->count, &out->cap,
                                          sizeof(*out->items));
            out->items[out->count++] = (struct plumb_device){
                .minor = n, .line = line, .gpu = gpu_of(v->nodes->hardware, n)};
        }
    }
    return true;
}

struct plumb_devices plumb_devices_of(const struct plumb_check *ck, const struct plumb_gres_view *v)
{
    struct plumb_devices out = {NULL, 0, 0};

    if (v->incomplete)
        return out;
    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_gres_line *line = v->lines[i];

        if (!plumb_gres_is(line, "gpu"))
            continue;
        if (line->files == NULL || line->multiple_files != NULL || plumb_is_mig_type(line->type) ||
            !add_files(ck, v, line, &out) || out.count > PLUMB_MAX_GPUS)
            return (struct plumb_devices){NULL, 0, 0};
    }
    if (out.count > 1)
        qsort(out.items, out.count, sizeof(*out.items), compare_devices);
    return out;
}

/* CPUs of socket i: cores i*c up to (i+1)*c - 1, and the same again for each further thread. */
static void socket_cpus(const struct plumb_check *ck, const struct plumb_shape *s, uint64_t socket,
                        uint64_t threads, struct plumb_bits *out)
{
    *out = (struct plumb_bits){0};
    for (uint64_t t = 0; t < threads; t++) {
        uint64_t first = t * s->sockets * s->cores + socket * s->cores;

        plumb_bits_set(ck->scratch, out, (uint32_t)first, (uint32_t)(first + s->cores - 1));
    }
}

bool plumb_device_cores(const struct plumb_check *ck, const struct plumb_nodes *n,
                        const struct plumb_hw_gpu *gpu, struct plumb_bits *out)
{
    struct plumb_shape s;

    *out = gpu->cores;
    if (!plumb_bits_empty(&gpu->cores))
        return true;
    if (plumb_bits_empty(&gpu->cpus) || !plumb_shape_written(n, &s) ||
        !plumb_usable(n->threads_per_core) || n->threads_per_core.v > 8 ||
        s.sockets * s.cores * n->threads_per_core.v > PLUMB_MAX_PUS)
        return false;
    for (uint64_t i = 0; i < s.sockets; i++) {
        struct plumb_bits cpus;

        socket_cpus(ck, &s, i, n->threads_per_core.v, &cpus);
        if (!plumb_bits_equal(&cpus, &gpu->cpus))
            continue;
        *out = (struct plumb_bits){0};
        plumb_bits_set(ck->arena, out, (uint32_t)(i * s.cores), (uint32_t)((i + 1) * s.cores - 1));
        return true;
    }
    return false;
}

bool plumb_shape_written(const struct plumb_nodes *n, struct plumb_shape *s)
{
    if (!plumb_usable(n->sockets) || !plumb_usable(n->cores_per_socket) || n->sockets.v == 0 ||
        n->cores_per_socket.v == 0 || n->sockets.v > UINT16_MAX ||
        n->cores_per_socket.v > UINT16_MAX)
        return false;
    *s = (struct plumb_shape){n->sockets.v, n->cores_per_socket.v};
    return true;
}

bool plumb_shape_captured(const struct plumb_check *ck, const struct plumb_nodes *n,
                          struct plumb_shape *s)
{
    const struct plumb_hardware *hw = n->hardware;
    const struct plumb_hw_sockets *by;

    if (hw == NULL || hw->incomplete_cpus)
        return false;
    by = &hw->sockets[plumb_socket_kind(ck->model, n)];
    if (by->sockets == 0)
        by = &hw->sockets[PLUMB_SOCKET_PACKAGE];
    if (by->sockets == 0 || by->cores_per_socket == 0)
        return false;
    *s = (struct plumb_shape){by->sockets, by->cores_per_socket};
    return true;
}

enum plumb_core_fault plumb_core_judge(const struct plumb_bits *cores, const struct plumb_shape *s)
{
    uint64_t total = s->sockets * s->cores, touched = 0;
    uint32_t last = plumb_bits_last(cores);

    if (plumb_bits_empty(cores))
        return PLUMB_CORES_FINE;
    if (last >= total)
        return PLUMB_CORES_BEYOND;
    for (uint64_t i = 0; i < s->sockets; i++) {
        uint64_t in = 0;

        for (uint64_t c = 0; c < s->cores; c++)
            in += plumb_bits_has(cores, (uint32_t)(i * s->cores + c));
        if (in != 0 && in != s->cores)
            return PLUMB_CORES_CUT;
        touched += in != 0;
    }
    return touched > 1 && touched < s->sockets ? PLUMB_CORES_SEVERAL : PLUMB_CORES_FINE;
}

bool plumb_core_drains(enum plumb_release r, enum plumb_core_fault fault)
{
    /* gres.c:_check_core_range_matches_sock, as seven releases were seen to act. */
    static const enum plumb_release since[] = {
        [PLUMB_CORES_FINE] = PLUMB_RELEASE_NONE,
        [PLUMB_CORES_BEYOND] = PLUMB_24_11,
        [PLUMB_CORES_CUT] = PLUMB_24_11,
        [PLUMB_CORES_SEVERAL] = PLUMB_25_11,
    };

    return r >= since[fault];
}
