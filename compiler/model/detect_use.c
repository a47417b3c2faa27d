/* SPDX-License-Identifier: Apache-2.0 */
/* What speaks for each word of AutoDetect= on a machine, and what against it. */
#include "model/detect_use.h"

#include <string.h>

#include "schema/param.h"
#include "schema/trait.h"

static const char no[] = "do not use it";

/* The machine, how its sockets are counted, and who would look. */
struct asked {
    struct plumb_arena *arena;
    const struct plumb_hardware *hw;
    enum plumb_hw_socket_kind kind;
    const struct plumb_table *table;
    enum plumb_release release;
};

static bool has(const struct asked *q, enum plumb_trait_id id)
{
    return plumb_trait_value(q->table, q->release, id) != 0;
}

/* The word for the library of each vendor. */
static const char *const libraries[] = {
    [PLUMB_GPU_NVIDIA] = "nvml",
    [PLUMB_GPU_AMD] = "rsmi",
    [PLUMB_GPU_INTEL] = "oneapi",
};

/* The first GPU whose detected cores the release refuses; no number: it takes all. */
static struct plumb_gpu refused_gpu(const struct asked *q)
{
    const struct plumb_hardware *hw = q->hw;
    enum plumb_hw_accept needed = PLUMB_ACCEPT_UP_TO_24_05;

    if (has(q, PLUMB_TRAIT_GRES_CORES_ARE_WHOLE_SOCKETS))
        needed = PLUMB_ACCEPT_UP_TO_25_05;
    if (has(q, PLUMB_TRAIT_GRES_CORES_ARE_ONE_OR_ALL_SOCKETS))
        needed = PLUMB_ACCEPT_ALWAYS;
    for (size_t g = 0; g < hw->gpu_count; g++) {
        if (plumb_hardware_accepts(hw, q->kind, &hw->gpus[g].cores) < needed)
            return hw->gpus[g].index;
    }
    return PLUMB_NO(gpu);
}

/* What speaks against any detection; NULL: nothing. */
static const char *against(const struct asked *q)
{
    const struct plumb_hardware *hw = q->hw;
    struct plumb_buf cores = plumb_buf_in(q->arena), cpus = plumb_buf_in(q->arena);
    struct plumb_gpu g = refused_gpu(q);

    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (plumb_cores_empty(&hw->gpus[i].cores))
            return plumb_arena_printf(q->arena, "no capture tells which cores are near GPU %zu", i);
    }
    if (!plumb_gpu_known(g))
        return NULL;
    plumb_cores_text(&hw->gpus[g.n].cores, &cores);
    plumb_cpus_text(&hw->gpus[g.n].cpus, &cpus);
    return plumb_arena_printf(
        q->arena, "it finds Slurm's cores %s (CPUs %s) for GPU %u, which cut sockets of %u cores",
        plumb_buf_text(&cores), plumb_buf_text(&cpus), (unsigned)g.n,
        (unsigned)hw->sockets[q->kind].cores_per_socket);
}

/* What is found with the words of a vendor's library, where nothing speaks against it. */
static const char *found_by(const struct asked *q, enum plumb_hw_vendor vendor)
{
    const struct plumb_hardware *hw = q->hw;
    struct plumb_arena *a = q->arena;
    static const char beside[] = "write no Cores= and Links= beside it";
    struct plumb_gpu empty = PLUMB_NO(gpu);
    const char *why = NULL;

    if (vendor != PLUMB_GPU_NVIDIA)
        return plumb_arena_printf(
            a,
            "it finds these files and cores, and no links, whatever joins the GPUs; %s; it takes "
            "a slurmd that was built with %s",
            beside, vendor == PLUMB_GPU_AMD ? "ROCm SMI (gpu_rsmi.so)" : "oneAPI (gpu_oneapi.so)");
    why = plumb_hardware_mig(hw, &empty) ? "it finds the MIG devices with their files"
          : hw->nvswitch ? "it finds these cores, and no links, since NVSwitch hides them"
                         : "it finds these files and cores";
    if (has(q, PLUMB_TRAIT_NVML_BY_VERSION))
        return plumb_arena_printf(a, "%s; %s", why, beside);
    return plumb_arena_printf(
        a,
        "%s; %s; slurmd %s opens libnvidia-ml.so, and finds no GPU where a driver brings "
        "libnvidia-ml.so.1 alone",
        why, beside, plumb_release_name(q->release));
}

static struct plumb_detect_use by_library(const struct asked *q)
{
    const struct plumb_hardware *hw = q->hw;
    enum plumb_hw_vendor vendor =
        hw->gpu_count == 0 ? PLUMB_GPU_NVIDIA : plumb_hardware_vendor(&hw->gpus[0]);
    struct plumb_detect_use d = {.word = libraries[vendor], .advice = no, .why = against(q)};
    struct plumb_gpu empty = PLUMB_NO(gpu);

    if (d.why != NULL)
        return d;
    if (plumb_hardware_mig(hw, &empty) && plumb_gpu_known(empty)) {
        d.why = plumb_arena_printf(
            q->arena,
            "MIG is on and GPU %u shows no instance: it complains and takes the GPU whole",
            (unsigned)empty.n);
        return d;
    }
    if (vendor == PLUMB_GPU_INTEL && !has(q, PLUMB_TRAIT_ONEAPI_BY_RENDER)) {
        d.why = "it gives the files /dev/dri/card<n> and no cores";
        return d;
    }
    d.use = true;
    d.advice = "use it";
    d.why = found_by(q, vendor);
    return d;
}

/* gpu_nvidia.c reads the driver's files in /proc: no MIG, no NVLink. */
static struct plumb_detect_use by_driver(const struct asked *q)
{
    struct plumb_detect_use d = {.word = "nvidia", .advice = no, .why = against(q)};
    struct plumb_gpu empty = PLUMB_NO(gpu);

    if (d.why != NULL)
        return d;
    if (plumb_hardware_mig(q->hw, &empty)) {
        d.why = "it takes each GPU whole, MIG or not";
        return d;
    }
    if (plumb_hardware_linked(q->hw)) {
        d.why = "it finds no links, so a job may get GPUs that no NVLink joins";
        return d;
    }
    d.use = true;
    d.advice = "use it where slurmd lacks the other";
    d.why = "it finds the same as nvml, and needs no library";
    return d;
}

/* gpu.c:_gpu_plugin_init_full asks one after the other, and stops where a GPU is found. */
static struct plumb_detect_use by_all(const struct asked *q, const struct plumb_detect_use *library)
{
    struct plumb_detect_use d = *library;

    d.word = "full";
    if (!d.use)
        return d;
    d.advice = "use it where nodes differ in their GPUs' makers";
    d.why = plumb_arena_printf(
        q->arena,
        "it asks all makers' libraries in turn, and finds the same as %s where that is there",
        library->word);
    return d;
}

static bool knows(const struct asked *q, const char *word)
{
    return plumb_param_word_known(q->table, PLUMB_P_GRESGLOBAL_AUTODETECT, q->release, word);
}

size_t plumb_detect_uses(struct plumb_arena *a, const struct plumb_hardware *hw,
                         enum plumb_hw_socket_kind kind, const struct plumb_table *table,
                         enum plumb_release r, struct plumb_detect_use out[PLUMB_DETECT_USES])
{
    const struct asked q = {a, hw, kind, table, r};
    size_t count = 0;

    out[count++] = by_library(&q);
    if (strcmp(out[0].word, "nvml") == 0 && knows(&q, "nvidia"))
        out[count++] = by_driver(&q);
    if (knows(&q, "full"))
        out[count++] = by_all(&q, &out[0]);
    return count;
}
