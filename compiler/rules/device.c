/* SPDX-License-Identifier: Apache-2.0 */
/* Devices of a node, and the socket law. */
#include "rules/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "model/index_map.h"
#include "rules/gres_merge.h"

/* By the place of -1 in Links, which is NVML's index; what no capture shows comes last, by file. */
static int compare_devices(const void *x, const void *y)
{
    const struct plumb_device *a = x, *b = y;

    if ((a->gpu == NULL) != (b->gpu == NULL))
        return a->gpu == NULL ? 1 : -1;
    if (a->gpu != NULL && !plumb_gpu_same(a->gpu->index, b->gpu->index))
        return a->gpu->index.n < b->gpu->index.n ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool is_gpu_file(const struct plumb_host_range *r)
{
    return r->numbered && r->suffix[0] == '\0' &&
           (strcmp(r->prefix, "/dev/nvidia") == 0 || strcmp(r->prefix, "/dev/dri/renderD") == 0);
}

/* The captured GPU of a file; NULL: none, or no capture tells. */
static const struct plumb_hw_gpu *gpu_of(const struct plumb_check *ck,
                                         const struct plumb_hardware *hw, const char *file,
                                         uint32_t number)
{
    if (hw == NULL)
        return NULL;
    if (plumb_starts_with(file, "/dev/nvidia"))
        return plumb_gpu_of_minor(hw, (struct plumb_minor){number});
    for (size_t g = 0; g < hw->gpu_count; g++) {
        if (strcmp(plumb_hardware_device(ck->scratch, &hw->gpus[g]), file) == 0)
            return &hw->gpus[g];
    }
    return NULL;
}

static bool add_files(const struct plumb_check *ck, const struct plumb_gres_view *v,
                      const struct plumb_gres_line *line, struct plumb_devices *out)
{
    const struct plumb_hardware *hw = v->nodes->hardware;

    for (size_t r = 0; r < line->files->range_count; r++) {
        const struct plumb_host_range *range = &line->files->ranges[r];

        if (!is_gpu_file(range) || range->hi - range->lo >= PLUMB_MAX_GPUS ||
            range->hi >= PLUMB_NO_INDEX)
            return false;
        for (uint64_t n = range->lo; n <= range->hi; n++) {
            const char *file = plumb_arena_printf(ck->arena, "%s%u", range->prefix, (unsigned)n);

            out->items = plumb_arena_grow(ck->scratch, out->items, out->count, &out->cap,
                                          sizeof(*out->items));
            out->items[out->count++] =
                (struct plumb_device){.file = file,
                                      .number = (uint32_t)n,
                                      .line = line,
                                      .gpu = gpu_of(ck, hw, file, (uint32_t)n)};
        }
    }
    return true;
}

static bool is_kept(const struct plumb_gres_merge *m, const struct plumb_gres_line *line,
                    size_t *at)
{
    for (*at = 0; *at < m->count; (*at)++) {
        if (m->kept[*at].line == line)
            return true;
    }
    return false;
}

static bool is_plain(const struct plumb_gres_line *line)
{
    return line->files != NULL && line->multiple_files == NULL && !plumb_is_mig_type(line->type);
}

/* Lines in slurmd's order: each once, those that are kept first. */
static const struct plumb_gres_line **in_order(const struct plumb_check *ck,
                                               const struct plumb_gres_view *v, size_t *count)
{
    struct plumb_gres_merge m = plumb_gres_merged(ck, v, "gpu");
    const struct plumb_gres_line **lines =
        PLUMB_NEW_ARRAY(ck->scratch, v->count, const struct plumb_gres_line *);
    size_t at = 0, n = 0;

    for (size_t k = 0; k < m.count; k++) {
        if (is_kept(&m, m.kept[k].line, &at) && at == k)
            lines[n++] = m.kept[k].line;
    }
    for (size_t i = 0; i < v->count; i++) {
        if (plumb_gres_is(v->lines[i], "gpu") && !is_kept(&m, v->lines[i], &at))
            lines[n++] = v->lines[i];
    }
    *count = n;
    return lines;
}

struct plumb_devices plumb_devices_of(const struct plumb_check *ck, const struct plumb_gres_view *v)
{
    struct plumb_devices out = {NULL, 0, 0};
    const struct plumb_gres_line **lines = NULL;
    size_t count = 0;

    lines = in_order(ck, v, &count);
    for (size_t i = 0; i < count; i++) {
        if (!is_plain(lines[i]) || !add_files(ck, v, lines[i], &out) || out.count > PLUMB_MAX_GPUS)
            return (struct plumb_devices){NULL, 0, 0};
    }
    if (out.count > 1 && plumb_autodetects(ck, v))
        qsort(out.items, out.count, sizeof(*out.items), compare_devices);
    return out;
}

struct plumb_detections plumb_detections_of(const struct plumb_check *ck,
                                            const struct plumb_gres_view *v)
{
    const struct plumb_hardware *hw = v->nodes->hardware;
    struct plumb_span at = {0, 0, 0};
    const char *word = plumb_autodetect(ck, v, &at);

    if (hw == NULL || word == NULL)
        return (struct plumb_detections){NULL, 0};
    return plumb_detect(ck->scratch, hw, plumb_detector_of(word, hw), ck->table,
                        ck->model->release);
}

const struct plumb_detected *plumb_detected_gpu(const struct plumb_detections *found,
                                                struct plumb_gpu gpu)
{
    for (size_t i = 0; i < found->count; i++) {
        if (plumb_gpu_same(found->items[i].gpu, gpu))
            return &found->items[i];
    }
    return NULL;
}

bool plumb_device_cores(const struct plumb_check *ck, const struct plumb_nodes *n,
                        const struct plumb_hw_gpu *gpu, struct plumb_cores *out)
{
    struct plumb_shape s;

    *out = gpu->cores;
    if (!plumb_cores_empty(&gpu->cores))
        return true;
    if (plumb_cpus_empty(&gpu->cpus) || !plumb_shape_written(n, &s) ||
        !plumb_usable(n->threads_per_core) || n->threads_per_core.v > 8 ||
        s.sockets * s.cores * n->threads_per_core.v > PLUMB_MAX_PUS)
        return false;
    for (uint32_t i = 0; i < s.sockets; i++) {
        struct plumb_cpus cpus =
            plumb_cpus_as_numbered(ck->scratch, (uint32_t)s.sockets, (uint32_t)s.cores,
                                   (uint32_t)n->threads_per_core.v, i);

        if (!plumb_cpus_equal(&cpus, &gpu->cpus))
            continue;
        *out = (struct plumb_cores){0};
        plumb_cores_add_range(ck->arena, out, (struct plumb_core){(uint32_t)(i * s.cores)},
                              (struct plumb_core){(uint32_t)((i + 1) * s.cores - 1)});
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

enum plumb_core_fault plumb_core_judge(const struct plumb_cores *cores, const struct plumb_shape *s)
{
    uint64_t total = s->sockets * s->cores, touched = 0;
    struct plumb_core last = plumb_cores_last(cores);

    if (plumb_cores_empty(cores))
        return PLUMB_CORES_FINE;
    if (last.n >= total)
        return PLUMB_CORES_BEYOND;
    for (uint64_t i = 0; i < s->sockets; i++) {
        uint64_t in = 0;

        for (uint64_t c = 0; c < s->cores; c++)
            in += plumb_cores_has(cores, (struct plumb_core){(uint32_t)(i * s->cores + c)});
        if (in != 0 && in != s->cores)
            return PLUMB_CORES_CUT;
        touched += in != 0;
    }
    return touched > 1 && touched < s->sockets ? PLUMB_CORES_SEVERAL : PLUMB_CORES_FINE;
}

bool plumb_core_drains(const struct plumb_check *ck, enum plumb_core_fault fault)
{
    static const enum plumb_trait_id laws[] = {
        [PLUMB_CORES_BEYOND] = PLUMB_TRAIT_GRES_CORES_ARE_WHOLE_SOCKETS,
        [PLUMB_CORES_CUT] = PLUMB_TRAIT_GRES_CORES_ARE_WHOLE_SOCKETS,
        [PLUMB_CORES_SEVERAL] = PLUMB_TRAIT_GRES_CORES_ARE_ONE_OR_ALL_SOCKETS,
    };

    return fault != PLUMB_CORES_FINE && plumb_has_trait(ck, laws[fault]);
}
