/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slurmd -G beside the other captures: the GPUs that slurmd holds. What AutoDetect found must be
 * what they show; what gres.conf says by hand may be another thing, and is told. Only what
 * AutoDetect found is a fact about the machine.
 */
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "model/detect.h"
#include "model/index_words.h"
#include "model/mig.h"
#include "passes/bind.h"

static bool is_gpu(const struct plumb_slurmd_gres *g)
{
    return strcmp(g->name.text, "gpu") == 0;
}

/* N of a lone /dev/nvidiaN. */
static struct plumb_minor minor_of(const struct plumb_slurmd_gres *g)
{
    static const char device[] = "/dev/nvidia";
    uint64_t v = 0;

    if (!plumb_starts_with(g->file.len > 0 ? g->file.text : "", device) ||
        !plumb_read_u64(g->file.text + sizeof(device) - 1,
                        g->file.len - (uint32_t)sizeof(device) + 1, &v) ||
        v >= PLUMB_NO_INDEX)
        return PLUMB_NO(minor);
    return (struct plumb_minor){(uint32_t)v};
}

/* "renderD128" of a lone /dev/dri/renderD128 (gpu_rsmi.c, gpu_oneapi.c); NULL. */
static const char *render_of(const struct plumb_bind *b, const struct plumb_slurmd_gres *g)
{
    static const char folder[] = "/dev/dri/";
    const char *name = g->file.len > sizeof(folder) - 1 ? g->file.text + sizeof(folder) - 1 : "";

    return plumb_starts_with(g->file.len > 0 ? g->file.text : "", folder) &&
                   plumb_starts_with(name, "renderD") && strchr(name, ',') == NULL
               ? plumb_intern_str(b->s->intern, name)
               : NULL;
}

/* The place of -1, which AutoDetect gives to the GPU's own index (gpu_nvml.c); none without links.
 */
static struct plumb_gpu self_of(const struct plumb_slurmd_gres *g)
{
    struct plumb_gpu index = {0};

    for (uint32_t i = 0; i < g->links.len; i++) {
        if (g->links.text[i] == '-')
            return index;
        index.n += g->links.text[i] == ',';
    }
    return PLUMB_NO(gpu);
}

/* The GPU of a record; NULL when nothing tells which it is. */
static struct plumb_hw_gpu *gpu_of(const struct plumb_bind *b, const struct plumb_slurmd_gres *g)
{
    struct plumb_hardware *hw = b->hw;
    struct plumb_gpu self = self_of(g);
    struct plumb_minor minor = minor_of(g);

    for (size_t i = 0; plumb_minor_known(minor) && i < hw->gpu_count; i++) {
        if (plumb_minor_same(hw->gpus[i].minor, minor))
            return &hw->gpus[i];
    }
    return self.n < hw->gpu_count ? &hw->gpus[self.n] : NULL;
}

/* True when a number of whole GPUs can be told; instances of MIG hide it. */
static bool count_gpus(const struct plumb_slurmd_g *c, uint64_t *count, struct plumb_span *last)
{
    *count = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!is_gpu(&c->items[i]))
            continue;
        if (plumb_mig_of_type(c->items[i].type.text) != NULL ||
            c->items[i].count.v > PLUMB_MAX_GPUS)
            return false;
        *count += c->items[i].count.v;
        *last = c->items[i].at;
    }
    return *count > 0 && *count <= PLUMB_MAX_GPUS;
}

static void make_gpus(struct plumb_bind *b, const struct plumb_slurmd_g *c, uint64_t count,
                      struct plumb_span last)
{
    size_t made = 0;

    plumb_bind_new_gpus(b, (size_t)count, "'slurmd -G'", last);
    for (size_t i = 0; i < c->count; i++) {
        for (uint64_t n = 0; is_gpu(&c->items[i]) && n < c->items[i].count.v; n++)
            b->hw->gpus[made++].at = c->items[i].at;
    }
}

static void report_count(struct plumb_bind *b, uint64_t count, struct plumb_span last)
{
    b->hw->gpus_differ = true;
    plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_GPU_COUNT, last,
                                    "slurmd holds %llu GPUs, the %s of the same machine shows %llu",
                                    (unsigned long long)count,
                                    b->gpus_from == NULL ? "hwloc capture" : b->gpus_from,
                                    (unsigned long long)b->hw->gpu_count_value.v),
                    b->hw->gpu_count_value.at, "the other capture");
}

static void merge_type(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                       const struct plumb_slurmd_gres *g)
{
    if (g->type.len == 0)
        return;
    if (gpu->model == NULL) {
        gpu->model = g->type.text;
        gpu->model_at = g->type.at;
    } else if (!plumb_type_holds(plumb_detected_type(b->s->scratch, gpu->model), g->type.text)) {
        plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_GPU_NAME, g->type.at,
                                        "GPU %u is '%s' here, another capture of the same machine "
                                        "has '%s'",
                                        (unsigned)gpu->index.n, g->type.text, gpu->model),
                        gpu->model_at, "GPU %u of the other capture", (unsigned)gpu->index.n);
    }
}

static bool cores_fit(const struct plumb_bind *b, const struct plumb_hw_gpu *gpu,
                      const struct plumb_cores *cores)
{
    struct plumb_cores whole;

    for (int kind = 0; kind < PLUMB_SOCKET_KINDS; kind++) {
        if (plumb_hardware_gres_cores(b->hw, gpu->index, (enum plumb_hw_socket_kind)kind,
                                      b->s->arena, &whole) &&
            plumb_cores_equal(&whole, cores))
            return true;
    }
    return plumb_cores_equal(&gpu->cores, cores);
}

static void merge_cores(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                        const struct plumb_slurmd_gres *g, bool detected)
{
    struct plumb_cores cores = {0};
    size_t fault = 0;

    if (g->cores.len == 0 || !plumb_cores_read(b->s->arena, &g->cores, &cores, &fault))
        return;
    if (plumb_cores_empty(&gpu->cores)) {
        if (!detected)
            return;
        gpu->cores = cores;
        gpu->locality_at = g->cores.at;
        return;
    }
    if (cores_fit(b, gpu, &cores))
        return;
    plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_SLURMD_G_OTHER, g->cores.at,
                                    "slurmd holds Cores=%s%s for %s, the other captures of the "
                                    "machine place it at cores %s",
                                    g->cores.text, plumb_cores_aside(b->s->arena, b->hw, &cores),
                                    plumb_gpu_words(b->s->arena, gpu),
                                    plumb_cores_words(b->s->arena, b->hw, &gpu->cores)),
                    gpu->locality_at, "the place of GPU %u", (unsigned)gpu->index.n);
}

static void merge_one(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                      const struct plumb_slurmd_gres *g, bool detected)
{
    struct plumb_minor minor = minor_of(g);

    if (!plumb_minor_known(gpu->minor) && plumb_minor_known(minor)) {
        gpu->minor = minor;
        gpu->minor_at = g->file.at;
    }
    if (gpu->render == NULL)
        gpu->render = render_of(b, g);
    merge_type(b, gpu, g);
    merge_cores(b, gpu, g, detected);
}

void plumb_bind_slurmd_g(struct plumb_bind *b)
{
    const struct plumb_slurmd_g *c = b->g->gres;
    struct plumb_hardware *hw = b->hw;
    struct plumb_span last = {0};
    uint64_t count = 0;
    size_t position = 0;
    bool made = false;

    if (c == NULL)
        return;
    if (c->host.len > 0 && hw->host == NULL)
        hw->host = plumb_intern_text(b->s->intern, c->host.text, c->host.len);
    if (!count_gpus(c, &count, &last))
        return;
    if (!plumb_usable(hw->gpu_count_value)) {
        make_gpus(b, c, count, last);
        made = true;
    } else if (hw->gpu_count_value.v != count) {
        report_count(b, count, last);
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct plumb_slurmd_gres *g = &c->items[i];
        struct plumb_hw_gpu *gpu = NULL;

        if (!is_gpu(g))
            continue;
        gpu = made && self_of(g).n >= hw->gpu_count && position < hw->gpu_count
                  ? &hw->gpus[position]
                  : gpu_of(b, g);
        position += (size_t)g->count.v;
        if (gpu != NULL && g->count.v == 1)
            merge_one(b, gpu, g, plumb_span_known(c->detected_at));
    }
}

/* "-1,4,0,0": as many numbers as there are GPUs; false for anything else. */
static bool read_links(const struct plumb_bind *b, const struct plumb_slice *v, uint32_t *out)
{
    size_t count = 0;

    for (uint32_t at = 0; at < v->len;) {
        size_t used = 0;
        uint64_t n = 0;

        if (count == b->hw->gpu_count)
            return false;
        if (v->text[at] == '-') {
            at++;
        }
        used = plumb_read_digits(v->text + at, v->len - at, &n);
        if (used == 0 || used == SIZE_MAX || n > UINT16_MAX)
            return false;
        out[count++] = (uint32_t)n;
        at += (uint32_t)used;
        if (at < v->len && v->text[at++] != ',')
            return false;
    }
    return count == b->hw->gpu_count;
}

static void take_links(struct plumb_bind *b, const struct plumb_slurmd_gres *g,
                       struct plumb_gpu self, const uint32_t *links)
{
    size_t side = b->hw->gpu_count + b->hw->nic_count;

    for (size_t i = 0; i < b->hw->gpu_count; i++) {
        struct plumb_hw_cell *cell = &b->hw->matrix[self.n * side + i];

        cell->at = g->links.at;
        if (i == self.n) {
            cell->relation = PLUMB_REL_SELF;
        } else if (links[i] > 0) {
            cell->relation = PLUMB_REL_NVLINK;
            cell->links = (uint16_t)links[i];
        }
    }
}

static void compare_links(struct plumb_bind *b, const struct plumb_slurmd_gres *g,
                          struct plumb_gpu self)
{
    struct plumb_buf text = plumb_buf_in(b->s->arena);
    const struct plumb_hw_cell *cell = plumb_hardware_cell(b->hw, self.n, self.n == 0 ? 1 : 0);

    plumb_hardware_links_text(b->hw, self, &text);
    if (strcmp(plumb_buf_text(&text), g->links.text) == 0 || cell == NULL)
        return;
    plumb_diag_note(plumb_hw_report(b->s, PLUMB_HW_SLURMD_G_OTHER, g->links.at,
                                    "slurmd holds Links=%s for %s, the other captures of the "
                                    "machine give '%s'",
                                    g->links.text,
                                    plumb_gpu_words(b->s->arena, &b->hw->gpus[self.n]),
                                    plumb_buf_text(&text)),
                    cell->at, "a link of GPU %u", (unsigned)self.n);
}

void plumb_bind_slurmd_links(struct plumb_bind *b)
{
    const struct plumb_slurmd_g *c = b->g->gres;
    struct plumb_hardware *hw = b->hw;
    size_t side = hw->gpu_count + hw->nic_count, told = 0;
    uint32_t *links = c == NULL ? NULL : PLUMB_NEW_ARRAY(b->s->arena, hw->gpu_count, uint32_t);
    bool known = hw->links_known;

    if (c == NULL || hw->gpu_count < 2)
        return;
    for (size_t i = 0; i < c->count; i++) {
        const struct plumb_slurmd_gres *g = &c->items[i];
        struct plumb_gpu self = self_of(g);

        if (!is_gpu(g) || self.n >= hw->gpu_count || !read_links(b, &g->links, links))
            continue;
        if (known) {
            const struct plumb_hw_gpu *gpu = gpu_of(b, g);

            /* Lines in another order than NVML's count so too: nothing to compare with. */
            if (gpu != NULL && plumb_gpu_same(gpu->index, self))
                compare_links(b, g, self);
        } else if (plumb_span_known(c->detected_at)) {
            if (hw->matrix == NULL)
                hw->matrix = PLUMB_NEW_ARRAY(b->s->arena, side * side, struct plumb_hw_cell);
            take_links(b, g, self, links);
            told++;
        }
    }
    hw->links_known = known || told == hw->gpu_count;
}
