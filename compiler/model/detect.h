/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What slurmd finds on a machine by itself with AutoDetect=, before Gres= and gres.conf are laid
 * beside it. From gpu_nvml.c, gpu_nvidia.c, gpu_rsmi.c and gpu_oneapi.c; .ci/daemons/detected holds
 * it against slurmd. Neuron devices, which gpu_nrt.c finds, are in no capture.
 */
#ifndef PLUMB_MODEL_DETECT_H
#define PLUMB_MODEL_DETECT_H

#include "model/hardware.h"
#include "schema/trait.h"

enum plumb_detector {
    PLUMB_DETECT_NONE,
    PLUMB_DETECT_NVML,
    PLUMB_DETECT_NVIDIA,
    PLUMB_DETECT_RSMI,
    PLUMB_DETECT_ONEAPI,
};

/*
 * What a word of AutoDetect= makes slurmd ask on this machine: full, the first that finds a GPU
 * (gpu.c:_gpu_plugin_init_full). NONE: off, or what is in no capture. Any case.
 */
enum plumb_detector plumb_detector_of(const char *word, const struct plumb_hardware *hw);

/* Whose GPUs it finds; not for NONE. */
enum plumb_hw_vendor plumb_detector_vendor(enum plumb_detector by);

/* One record: a GPU, or a MIG device of it. */
struct plumb_detected {
    struct plumb_gpu gpu;
    const struct plumb_hw_mig *mig; /* NULL: the whole GPU */
    const char *type;               /* NULL: no capture tells the product or the profile */
    const char *files;              /* "/dev/nvidia0", or three by commas; NULL: not told */
    const char *links;              /* NULL: slurmd sets none, or no capture tells */
    bool has_cores;                 /* slurmd reads which are near: those of the GPU */
};

struct plumb_detections {
    struct plumb_detected *items; /* by GPU index, then as NVML counts MIG devices */
    size_t count;
};

/* GPUs of other vendors are left out; none for NONE. table: rows that a run adds, may be NULL. */
struct plumb_detections plumb_detect(struct plumb_arena *a, const struct plumb_hardware *hw,
                                     enum plumb_detector by, const struct plumb_table *table,
                                     enum plumb_release r);

/* The type that slurmd makes of a product: lower case, spaces to underscores. */
const char *plumb_detected_type(struct plumb_arena *a, const char *model);

/* The type that the plugin of its vendor gives a whole GPU; NULL: no capture tells. */
const char *plumb_detected_product(struct plumb_arena *a, const struct plumb_hw_gpu *gpu,
                                   const struct plumb_table *table, enum plumb_release r);

/* gres_gpu.c:_find_type_in_gres_list: a configured type is part of the detected one, any case. */
bool plumb_type_holds(const char *detected, const char *configured);

/*
 * Some GPU is in MIG mode as the captures tell: it shows instances, or the mode itself. *empty:
 * the first GPU whose mode is on and that has no instance, or none.
 */
bool plumb_hardware_mig(const struct plumb_hardware *hw, struct plumb_gpu *empty);

/* Some GPU shows MIG devices: each of them is a GPU to Slurm. */
bool plumb_hardware_sliced(const struct plumb_hardware *hw);

/* The three files of a MIG device, divided by commas; NULL: no capture tells. */
const char *plumb_mig_files(struct plumb_arena *a, const struct plumb_hw_gpu *gpu,
                            const struct plumb_hw_mig *mig);

#endif
