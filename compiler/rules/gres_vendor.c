/* SPDX-License-Identifier: Apache-2.0 */
/* AutoDetect= beside the captured machine: whose GPUs the library finds. */
#include "base/text.h"
#include "rules/device.h"
#include "rules/gres_merge.h"

static const char *const vendor_names[] = {
    [PLUMB_GPU_NVIDIA] = "NVIDIA",
    [PLUMB_GPU_AMD] = "AMD",
    [PLUMB_GPU_INTEL] = "Intel",
};

static const struct {
    const char *word, *finds;
} makers[] = {
    {"nvml", "NVIDIA"},
    {"nvidia", "NVIDIA"},
    {"rsmi", "AMD"},
    {"oneapi", "Intel"},
    {"nrt", "Amazon, its Neuron devices"},
};

/* Whose GPUs a word is about; NULL: off, or any. */
static const char *maker_of(const char *word)
{
    for (size_t i = 0; word != NULL && i < PLUMB_COUNT(makers); i++) {
        if (plumb_same_nocase(makers[i].word, word))
            return makers[i].finds;
    }
    return NULL;
}

/*
 * GRES060. Devices that lines give stay, whatever AutoDetect finds
 * (gres.c:_merge_system_gres_conf).
 */
static void other_vendor(const struct plumb_check *ck)
{
    struct plumb_gres_views views;

    if (!plumb_gres_known(ck))
        return;
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        const struct plumb_hardware *hw = v->nodes->hardware;
        struct plumb_span at = {0, 0, 0};
        const char *word = plumb_autodetect(ck, v, &at);

        if (hw == NULL || hw->gpu_count == 0 || maker_of(word) == NULL ||
            plumb_gres_total(v->nodes, "gpu") == 0 || plumb_detections_of(ck, v).count > 0 ||
            plumb_gres_gives_gpu(ck, v))
            continue;

        struct plumb_diag *d = plumb_report(
            ck, at, "AutoDetect '%s' finds GPUs of %s, the machine of '%s' has GPUs of %s", word,
            maker_of(word), plumb_fold_hosts(ck, v->hosts),
            vendor_names[plumb_hardware_vendor(&hw->gpus[0])]);

        plumb_diag_note(d, hw->gpus[0].at, "its first GPU");
        plumb_outcome(ck, d, NULL);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES060",
        .name = "autodetect-other-vendor",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "AutoDetect asks the library of another vendor than the captured GPUs'",
        .why = "slurmd finds no GPU, or ends where it was built without that library; the node has "
               "fewer GPUs than declared.",
        .ref = "gres.conf(5), AutoDetect; gpu_rsmi.c, gpu_nvml.c, gpu_oneapi.c",
        .bad = "NodeName=g Gres=gpu:1\n"
               "# gres.conf\n"
               "AutoDetect=rsmi\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        .good = "NodeName=g Gres=gpu:1\n"
                "# gres.conf\n"
                "AutoDetect=nvml\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H200 (UUID: GPU-1)",
        .needs = PLUMB_FACT_HARDWARE,
        .run = other_vendor,
    },
};

const struct plumb_rule_family plumb_gres_vendor_rules = {
    .prefix = "GRES",
    .title = "Generic resources beside captured GPUs",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
