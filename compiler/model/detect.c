/* SPDX-License-Identifier: Apache-2.0 */
/* Records of slurmd's own plugins for GPUs, from a machine. */
#include "model/detect.h"

#include <string.h>

#include "base/text.h"
#include "model/mig.h"

struct detecting {
    struct plumb_arena *arena;
    const struct plumb_hardware *hw;
    const struct plumb_table *table;
    enum plumb_release release;
    bool driver_names, dummy_links; /* what the release does about MIG */
    struct plumb_detections out;
    size_t cap;
};

static bool has(const struct detecting *d, enum plumb_trait_id id)
{
    return plumb_trait_value(d->table, d->release, id) != 0;
}

enum plumb_hw_vendor plumb_detector_vendor(enum plumb_detector by)
{
    return by == PLUMB_DETECT_RSMI     ? PLUMB_GPU_AMD
           : by == PLUMB_DETECT_ONEAPI ? PLUMB_GPU_INTEL
                                       : PLUMB_GPU_NVIDIA;
}

static bool finds(const struct plumb_hardware *hw, enum plumb_detector by)
{
    for (size_t g = 0; g < hw->gpu_count; g++) {
        if (plumb_hardware_vendor(&hw->gpus[g]) == plumb_detector_vendor(by))
            return true;
    }
    return false;
}

enum plumb_detector plumb_detector_of(const char *word, const struct plumb_hardware *hw)
{
    static const struct {
        const char *word;
        enum plumb_detector by;
    } rows[] = {
        {"nvml", PLUMB_DETECT_NVML},
        {"nvidia", PLUMB_DETECT_NVIDIA},
        {"rsmi", PLUMB_DETECT_RSMI},
        {"oneapi", PLUMB_DETECT_ONEAPI},
    };

    for (size_t i = 0; word != NULL && i < PLUMB_COUNT(rows); i++) {
        if (plumb_same_nocase(rows[i].word, word) ||
            (plumb_same_nocase("full", word) && finds(hw, rows[i].by)))
            return rows[i].by;
    }
    return PLUMB_DETECT_NONE;
}

const char *plumb_detected_type(struct plumb_arena *a, const char *model)
{
    char *type = plumb_arena_strdup(a, model);

    for (char *p = type; *p != '\0'; p++)
        *p = *p == ' ' ? '_' : plumb_lower(*p);
    return type;
}

/*
 * Vega 10 and 20, that is MI25, MI50 and MI60: their brand is a short word that the library looks
 * up by a number in the VBIOS (rocm_smi.cc:rsmi_dev_brand_get), which no capture shows. Of all
 * others the brand is the name.
 */
static bool is_vega(const struct plumb_hw_pci *pci)
{
    enum { FAMILY = 0xfff0, VEGA10 = 0x6860, VEGA20 = 0x66a0 };

    return pci != NULL && ((pci->device & FAMILY) == VEGA10 || (pci->device & FAMILY) == VEGA20);
}

const char *plumb_detected_product(struct plumb_arena *a, const struct plumb_hw_gpu *gpu,
                                   const struct plumb_table *table, enum plumb_release r)
{
    enum plumb_hw_vendor vendor = plumb_hardware_vendor(gpu);

    if (gpu->model == NULL || (vendor == PLUMB_GPU_AMD && is_vega(gpu->pci)))
        return NULL;
    if (vendor == PLUMB_GPU_AMD && plumb_trait_value(table, r, PLUMB_TRAIT_RSMI_TYPE_IS_LOWER) == 0)
        return gpu->model;
    return plumb_detected_type(a, gpu->model);
}

bool plumb_type_holds(const char *detected, const char *configured)
{
    size_t len = strlen(configured);

    for (; *detected != '\0'; detected++) {
        if (plumb_equal_nocase(detected, configured, len))
            return true;
    }
    return len == 0;
}

bool plumb_hardware_mig(const struct plumb_hardware *hw, struct plumb_gpu *empty)
{
    bool any = false;

    *empty = PLUMB_NO(gpu);
    for (size_t g = 0; g < hw->gpu_count; g++) {
        if (!hw->gpus[g].mig)
            continue;
        any = true;
        if (hw->gpus[g].mig_count == 0 && !plumb_gpu_known(*empty))
            *empty = hw->gpus[g].index;
    }
    return any;
}

bool plumb_hardware_sliced(const struct plumb_hardware *hw)
{
    for (size_t g = 0; g < hw->gpu_count; g++) {
        if (hw->gpus[g].mig_count > 0)
            return true;
    }
    return false;
}

const char *plumb_mig_files(struct plumb_arena *a, const struct plumb_hw_gpu *gpu,
                            const struct plumb_hw_mig *mig)
{
    if (!plumb_cap_known(mig->gpu_cap) || !plumb_cap_known(mig->compute_cap))
        return NULL;
    return plumb_arena_printf(a, "%s,/dev/nvidia-caps/nvidia-cap%u,/dev/nvidia-caps/nvidia-cap%u",
                              plumb_hardware_device(a, gpu), (unsigned)mig->gpu_cap.n,
                              (unsigned)mig->compute_cap.n);
}

static struct plumb_detected *add(struct detecting *d, const struct plumb_hw_gpu *g)
{
    d->out.items =
        plumb_arena_grow(d->arena, d->out.items, d->out.count, &d->cap, sizeof(*d->out.items));
    d->out.items[d->out.count] = (struct plumb_detected){.gpu = g->index};
    return &d->out.items[d->out.count++];
}

static void add_whole(struct detecting *d, const struct plumb_hw_gpu *g, bool links)
{
    struct plumb_detected *out = add(d, g);
    struct plumb_buf text = plumb_buf_in(d->arena);

    out->type = plumb_detected_product(d->arena, g, d->table, d->release);
    out->files = plumb_hardware_device(d->arena, g);
    out->has_cores = true;
    if (links && d->hw->links_known) {
        plumb_hardware_links_text(d->hw, g->index, &text);
        out->links = plumb_buf_text(&text);
    }
}

/*
 * The profile behind the product. Before 23.02 slurmd makes it of slices and of memory in whole
 * GiB, half of one up, so that media engines and compute instances do not show.
 */
static const char *profile_of(struct detecting *d, const struct plumb_hw_mig *mig)
{
    const char *text = plumb_detected_type(d->arena, mig->profile);
    uint64_t gib = (mig->memory_mib + 512) / 1024;

    if (d->driver_names)
        return text;
    if (strchr(text, '.') != NULL && text[strspn(text, "0123456789")] == 'c')
        text = strchr(text, '.') + 1;
    if (mig->memory_mib > 0)
        return plumb_arena_printf(d->arena, "%llug.%llugb",
                                  (unsigned long long)plumb_mig_slices(text),
                                  (unsigned long long)gib);
    return plumb_arena_strndup(d->arena, text, strcspn(text, "+-"));
}

/* gpu_nvml.c cuts the product at its first hyphen: nvidia_a100_3g.20gb. */
static const char *mig_type(struct detecting *d, const struct plumb_hw_gpu *g,
                            const struct plumb_hw_mig *mig)
{
    const char *product;

    if (g->model == NULL || mig->profile == NULL)
        return NULL;
    product = plumb_detected_type(d->arena, g->model);
    return plumb_arena_printf(d->arena, "%.*s_%s", (int)strcspn(product, "-"), product,
                              profile_of(d, mig));
}

/* gres_links_create_empty: zeros, and -1 at the place of the device. */
static const char *empty_links(struct plumb_arena *a, size_t self, size_t count)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (size_t i = 0; i < count; i++)
        plumb_buf_printf(&b, "%s%s", i > 0 ? "," : "", i == self ? "-1" : "0");
    return plumb_buf_text(&b);
}

/* Instances whose files are in the driver's table, or are not told; others slurmd leaves out. */
static size_t add_migs(struct detecting *d, const struct plumb_hw_gpu *g)
{
    size_t made = 0;

    for (size_t i = 0; g->mig && i < g->mig_count; i++) {
        const struct plumb_hw_mig *mig = &g->migs[i];
        const char *files = plumb_mig_files(d->arena, g, mig);
        struct plumb_detected *out = NULL;

        if (files == NULL && d->hw->mig_cap_count > 0 && plumb_gi_known(mig->gpu_instance))
            continue;
        out = add(d, g);
        out->mig = mig;
        out->has_cores = true;
        out->type = mig_type(d, g, mig);
        out->files = files;
        out->links = d->dummy_links ? empty_links(d->arena, i, g->mig_count) : NULL;
        made++;
    }
    return made;
}

/*
 * gpu_rsmi.c and gpu_oneapi.c: the render device, the CPUs of the NUMA node or those that the
 * kernel has near the device, and no links whatever joins the GPUs. Both libraries count by bus id.
 */
static void add_others(struct detecting *d, enum plumb_detector by)
{
    bool early = by == PLUMB_DETECT_ONEAPI && !has(d, PLUMB_TRAIT_ONEAPI_BY_RENDER);
    enum plumb_hw_vendor vendor = plumb_detector_vendor(by);
    size_t count = 0, made = 0;

    for (size_t i = 0; i < d->hw->gpu_count; i++)
        count += plumb_hardware_vendor(&d->hw->gpus[i]) == vendor;
    for (size_t i = 0; i < d->hw->gpu_count; i++) {
        const struct plumb_hw_gpu *g = &d->hw->gpus[i];
        struct plumb_detected *out = NULL;

        if (plumb_hardware_vendor(g) != vendor)
            continue;
        out = add(d, g);
        out->type = plumb_detected_product(d->arena, g, d->table, d->release);
        out->files = early ? NULL : plumb_hardware_device(d->arena, g);
        out->has_cores = !early;
        out->links = empty_links(d->arena, made++, count);
    }
}

static void add_nvidia(struct detecting *d, enum plumb_detector by)
{
    for (size_t i = 0; i < d->hw->gpu_count; i++) {
        const struct plumb_hw_gpu *g = &d->hw->gpus[i];

        if (plumb_hardware_vendor(g) != PLUMB_GPU_NVIDIA)
            continue;
        if (by == PLUMB_DETECT_NVIDIA || add_migs(d, g) == 0)
            add_whole(d, g, by == PLUMB_DETECT_NVML);
    }
}

struct plumb_detections plumb_detect(struct plumb_arena *a, const struct plumb_hardware *hw,
                                     enum plumb_detector by, const struct plumb_table *table,
                                     enum plumb_release r)
{
    struct detecting d = {.arena = a, .hw = hw, .table = table, .release = r};

    d.driver_names = has(&d, PLUMB_TRAIT_MIG_TYPE_BY_DRIVER);
    d.dummy_links = !has(&d, PLUMB_TRAIT_MIG_HAS_NO_LINKS);
    if (by == PLUMB_DETECT_NVML || by == PLUMB_DETECT_NVIDIA)
        add_nvidia(&d, by);
    else if (by != PLUMB_DETECT_NONE)
        add_others(&d, by);
    return d.out;
}
