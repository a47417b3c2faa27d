/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPUs as nvidia-smi lists them, laid beside those of hwloc and of the matrix. All are in NVML
 * order, so positions match; bus ids and uuids tell when two captures are of different machines.
 */
#include <string.h>

#include "base/text.h"
#include "capture/mig_minors.h"
#include "passes/bind.h"

static bool same_name(const char *a, const char *b)
{
    static const char vendor[] = "NVIDIA ";

    /* Drivers before 470 left the vendor out. */
    if (plumb_starts_with(a, vendor))
        a += sizeof(vendor) - 1;
    if (plumb_starts_with(b, vendor))
        b += sizeof(vendor) - 1;
    return strcmp(a, b) == 0;
}

static void report_other(struct plumb_bind *b, const struct plumb_hw_gpu *gpu, struct plumb_span at,
                         const char *here, struct plumb_span second, const char *there)
{
    struct plumb_diag *d =
        plumb_hw_report(b->s, PLUMB_HW_GPU_NAME, at,
                        "GPU %u is '%s' here, another capture of the same machine has '%s'",
                        (unsigned)gpu->index.n, here, there);

    plumb_diag_note(d, second, "GPU %u of the other capture", (unsigned)gpu->index.n);
}

static void merge_name(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                       const struct plumb_smi_gpu *from)
{
    if (from->name.len == 0)
        return;
    if (gpu->model != NULL && !same_name(gpu->model, from->name.text)) {
        report_other(b, gpu, from->name.at, from->name.text, gpu->model_at, gpu->model);
        return;
    }
    gpu->model = from->name.text; /* NVML's own spelling: AutoDetect makes the type of it */
    gpu->model_at = from->name.at;
}

static void merge_uuid(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                       const struct plumb_smi_gpu *from)
{
    if (from->uuid.len == 0)
        return;
    if (gpu->uuid != NULL && strcmp(gpu->uuid, from->uuid.text) != 0) {
        report_other(b, gpu, from->uuid.at, from->uuid.text, gpu->uuid_at, gpu->uuid);
        return;
    }
    gpu->uuid = from->uuid.text;
    gpu->uuid_at = from->uuid.at;
}

static uint32_t id_of(struct plumb_u64 v)
{
    return plumb_usable(v) && v.v < PLUMB_NO_INDEX ? (uint32_t)v.v : PLUMB_NO_INDEX;
}

static struct plumb_hw_mig made_of(const struct plumb_smi_mig *from)
{
    return (struct plumb_hw_mig){
        .profile = from->profile.len > 0 ? from->profile.text : NULL,
        .uuid = from->uuid.len > 0 ? from->uuid.text : NULL,
        .gpu_instance = {id_of(from->gpu_instance)},
        .compute_instance = {id_of(from->compute_instance)},
        .gpu_cap = PLUMB_NO(cap),
        .compute_cap = PLUMB_NO(cap),
        .memory_mib = plumb_usable(from->memory_mib) ? from->memory_mib.v : 0,
        .at = from->at,
    };
}

/*
 * -L, which comes second, names the profiles, -q -x has ids and memory. Both are in the order of
 * NVML; with other numbers they are of two times, and the list counts.
 */
static void merge_migs(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                       const struct plumb_smi_gpu *from)
{
    struct plumb_hw_mig *migs = PLUMB_NEW_ARRAY(b->s->arena, from->mig_count, struct plumb_hw_mig);
    bool same = gpu->mig_count == from->mig_count;

    for (size_t i = 0; i < from->mig_count; i++) {
        migs[i] = made_of(&from->mig[i]);
        if (!same)
            continue;
        if (migs[i].uuid != NULL && gpu->migs[i].uuid != NULL &&
            strcmp(migs[i].uuid, gpu->migs[i].uuid) != 0)
            continue;
        migs[i].gpu_instance = gpu->migs[i].gpu_instance;
        migs[i].compute_instance = gpu->migs[i].compute_instance;
        migs[i].memory_mib = gpu->migs[i].memory_mib;
    }
    gpu->migs = migs;
    gpu->mig_count = from->mig_count;
}

static void merge_mig(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                      const struct plumb_smi_gpu *from)
{
    if (from->mig_mode != PLUMB_MIG_UNKNOWN) {
        gpu->mig_known = true;
        gpu->mig = from->mig_mode == PLUMB_MIG_ON;
    }
    if (from->mig_count > 0)
        merge_migs(b, gpu, from);
}

static void merge_one(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                      const struct plumb_smi_gpu *from)
{
    if (from->bus_id != NULL && gpu->bus_id != NULL && strcmp(gpu->bus_id, from->bus_id) != 0) {
        report_other(b, gpu, from->bus_at, from->bus_id, gpu->at, gpu->bus_id);
        return;
    }
    if (from->bus_id != NULL)
        gpu->bus_id = from->bus_id;
    merge_name(b, gpu, from);
    merge_uuid(b, gpu, from);
    merge_mig(b, gpu, from);
    if (plumb_minor_known(from->minor)) {
        gpu->minor = from->minor;
        gpu->minor_at = from->minor_at;
    }
}

static void make_gpus(struct plumb_bind *b, const struct plumb_smi_gpus *from, const char *name)
{
    plumb_bind_new_gpus(b, from->count, name, from->items[from->count - 1].at);
    for (size_t i = 0; i < from->count; i++)
        b->hw->gpus[i].at = from->items[i].at;
}

static void merge(struct plumb_bind *b, const struct plumb_smi_gpus *from, const char *name)
{
    struct plumb_hardware *hw = b->hw;

    if (from == NULL)
        return;
    if (hw->gpu_count == 0) {
        make_gpus(b, from, name);
    } else if (hw->gpu_count != from->count) {
        struct plumb_diag *d =
            plumb_hw_report(b->s, PLUMB_HW_GPU_COUNT, from->items[from->count - 1].at,
                            "%s shows %zu GPUs, the %s of the same machine %zu", name, from->count,
                            b->gpus_from, hw->gpu_count);

        hw->gpus_differ = true;
        plumb_diag_note(d, hw->gpu_count_value.at, "the last GPU of the %s", b->gpus_from);
        if (from->count < hw->gpu_count)
            plumb_diag_fact(d,
                            "inside a job nvidia-smi shows the job's GPUs only, numbered from 0");
        return;
    }
    for (size_t i = 0; i < from->count; i++)
        merge_one(b, &hw->gpus[i], &from->items[i]);
}

/* The capability that opens a GPU instance, or a compute instance of it; none. */
static struct plumb_cap cap_of(const struct plumb_hardware *hw, struct plumb_minor gpu,
                               struct plumb_gi instance, struct plumb_ci part)
{
    for (size_t i = 0; i < hw->mig_cap_count; i++) {
        const struct plumb_hw_mig_cap *cap = &hw->mig_caps[i];

        if (plumb_minor_same(cap->gpu, gpu) && plumb_gi_same(cap->gpu_instance, instance) &&
            plumb_ci_same(cap->compute_instance, part))
            return cap->minor;
    }
    return PLUMB_NO(cap);
}

static void find_caps(const struct plumb_hardware *hw, struct plumb_hw_gpu *gpu)
{
    for (size_t i = 0; i < gpu->mig_count; i++) {
        struct plumb_hw_mig *mig = &gpu->migs[i];

        if (!plumb_gi_known(mig->gpu_instance) || !plumb_ci_known(mig->compute_instance))
            continue;
        mig->gpu_cap = cap_of(hw, gpu->minor, mig->gpu_instance, PLUMB_NO(ci));
        mig->compute_cap = cap_of(hw, gpu->minor, mig->gpu_instance, mig->compute_instance);
    }
}

static void merge_minors(struct plumb_bind *b, const struct plumb_mig_minors *from)
{
    struct plumb_hardware *hw = b->hw;

    if (from == NULL || from->count == 0)
        return;
    hw->mig_caps = PLUMB_NEW_ARRAY(b->s->arena, from->count, struct plumb_hw_mig_cap);
    hw->mig_cap_count = from->count;
    for (size_t i = 0; i < from->count; i++)
        hw->mig_caps[i] = (struct plumb_hw_mig_cap){
            .minor = from->items[i].minor,
            .gpu = from->items[i].gpu,
            .gpu_instance = from->items[i].instance,
            .compute_instance = from->items[i].part,
            .at = from->items[i].at,
        };
    for (size_t g = 0; g < hw->gpu_count; g++) {
        if (plumb_minor_known(hw->gpus[g].minor))
            find_caps(hw, &hw->gpus[g]);
    }
}

void plumb_bind_smi_gpus(struct plumb_bind *b)
{
    merge(b, b->g->query, "'nvidia-smi -q -x'");
    merge(b, b->g->list, "'nvidia-smi -L'");
    merge_minors(b, b->g->minors);
}
