/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPUs as nvidia-smi lists them, laid beside those of hwloc and of the matrix. All are in NVML
 * order, so positions match; bus ids and uuids tell when two captures are of different machines.
 */
#include <string.h>

#include "base/text.h"
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
                        (unsigned)gpu->index, here, there);

    plumb_diag_note(d, second, "GPU %u of the other capture", (unsigned)gpu->index);
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

static void merge_mig(struct plumb_bind *b, struct plumb_hw_gpu *gpu,
                      const struct plumb_smi_gpu *from)
{
    if (from->mig_mode != PLUMB_MIG_UNKNOWN) {
        gpu->mig_known = true;
        gpu->mig = from->mig_mode == PLUMB_MIG_ON;
    }
    /* -L names the profiles, -q -x does not; so the list, which comes second, replaces. */
    if (from->mig_count == 0)
        return;
    gpu->migs = PLUMB_NEW_ARRAY(b->s->arena, from->mig_count, struct plumb_hw_mig);
    gpu->mig_count = from->mig_count;
    for (size_t i = 0; i < from->mig_count; i++)
        gpu->migs[i] = (struct plumb_hw_mig){
            .profile = from->mig[i].profile.len > 0 ? from->mig[i].profile.text : NULL,
            .uuid = from->mig[i].uuid.len > 0 ? from->mig[i].uuid.text : NULL,
            .at = from->mig[i].at,
        };
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
    if (from->minor != PLUMB_SMI_NO_MINOR) {
        gpu->minor = from->minor;
        gpu->minor_at = from->minor_at;
    }
}

static void make_gpus(struct plumb_bind *b, const struct plumb_smi_gpus *from)
{
    struct plumb_hardware *hw = b->hw;

    hw->gpus = PLUMB_NEW_ARRAY(b->s->arena, from->count, struct plumb_hw_gpu);
    hw->gpu_count = from->count;
    for (size_t i = 0; i < from->count; i++)
        hw->gpus[i] = (struct plumb_hw_gpu){
            .index = (uint32_t)i,
            .minor = PLUMB_NO_INDEX,
            .numa = PLUMB_NO_INDEX,
            .at = from->items[i].at,
        };
    hw->gpu_count_value = (struct plumb_u64){
        .v = from->count, .at = from->items[from->count - 1].at, .origin = PLUMB_DERIVED};
}

static void merge(struct plumb_bind *b, const struct plumb_smi_gpus *from, const char *name)
{
    struct plumb_hardware *hw = b->hw;

    if (from == NULL)
        return;
    if (hw->gpu_count == 0) {
        make_gpus(b, from);
        b->gpus_from = name;
    } else if (hw->gpu_count != from->count) {
        struct plumb_diag *d =
            plumb_hw_report(b->s, PLUMB_HW_GPU_COUNT, from->items[from->count - 1].at,
                            "%s shows %zu GPUs, the %s of the same machine %zu", name, from->count,
                            b->gpus_from, hw->gpu_count);

        plumb_diag_note(d, hw->gpu_count_value.at, "the last GPU of the %s", b->gpus_from);
        if (from->count < hw->gpu_count)
            plumb_diag_fact(d,
                            "inside a job nvidia-smi shows the job's GPUs only, numbered from 0");
        return;
    }
    for (size_t i = 0; i < from->count; i++)
        merge_one(b, &hw->gpus[i], &from->items[i]);
}

void plumb_bind_smi_gpus(struct plumb_bind *b)
{
    merge(b, b->g->query, "'nvidia-smi -q -x'");
    merge(b, b->g->list, "'nvidia-smi -L'");
}
