/* SPDX-License-Identifier: Apache-2.0 */
/* Device files of lines in gres.conf, beside the captured MIG devices and the driver's table. */
#include <inttypes.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "model/detect.h"
#include "model/index_map.h"
#include "rules/gres_merge.h"
#include "rules/mig.h"

static const char device_prefix[] = "/dev/nvidia";
static const char cap_prefix[] = "/dev/nvidia-caps/nvidia-cap";

/* What MultipleFiles= of one line names. */
struct opened {
    const struct plumb_check *ck;
    const struct plumb_hardware *hw;
    const struct plumb_gres_line *line;
    struct plumb_minor gpu;                      /* of the device file; none */
    const struct plumb_hw_mig_cap *whole, *part; /* capabilities of the two kinds; NULL: none */
};

/* A single file with a number behind the prefix. */
static bool is_file(const struct plumb_host_range *r, const char *prefix)
{
    return r->numbered && r->suffix[0] == '\0' && r->lo == r->hi && r->lo < PLUMB_NO_INDEX &&
           strcmp(r->prefix, prefix) == 0;
}

static const struct plumb_hw_mig_cap *cap_of(const struct plumb_hardware *hw,
                                             struct plumb_cap minor)
{
    for (size_t i = 0; i < hw->mig_cap_count; i++) {
        if (plumb_cap_same(hw->mig_caps[i].minor, minor))
            return &hw->mig_caps[i];
    }
    return NULL;
}

/* That minors count as NVML does is no ground for an error: NULL where the capture tells none. */
static const struct plumb_hw_gpu *gpu_of(const struct plumb_hardware *hw, struct plumb_minor minor)
{
    for (size_t g = 0; g < hw->gpu_count; g++) {
        if (plumb_minor_known(minor) && plumb_minor_same(hw->gpus[g].minor, minor))
            return &hw->gpus[g];
    }
    return NULL;
}

/* The capture shows every instance of the GPU, and this one is not among them. */
static bool is_missing(const struct plumb_hardware *hw, const struct plumb_hw_mig_cap *cap)
{
    const struct plumb_hw_gpu *gpu = gpu_of(hw, cap->gpu);

    if (gpu == NULL || !gpu->mig_known)
        return false;
    for (size_t i = 0; i < gpu->mig_count; i++) {
        const struct plumb_hw_mig *mig = &gpu->migs[i];

        if (!plumb_gi_known(mig->gpu_instance) || !plumb_ci_known(mig->compute_instance) ||
            (plumb_gi_same(mig->gpu_instance, cap->gpu_instance) &&
             (!plumb_ci_known(cap->compute_instance) ||
              plumb_ci_same(cap->compute_instance, mig->compute_instance))))
            return false;
    }
    return true;
}

static void stops(const struct plumb_check *ck, struct plumb_diag *d)
{
    plumb_outcome_is(ck, d, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD);
}

/* False after a finding. */
static bool open_cap(struct opened *o, const struct plumb_host_range *r)
{
    const struct plumb_check *ck = o->ck;
    const struct plumb_hw_mig_cap *cap = cap_of(o->hw, (struct plumb_cap){(uint32_t)r->lo});
    struct plumb_span at = plumb_span_known(r->at) ? r->at : o->line->at;

    if (cap == NULL) {
        struct plumb_diag *d =
            plumb_report(ck, at,
                         "'%s%" PRIu64 "' is not in the driver's table of the captured machine, "
                         "expected a capability of one of its instances",
                         cap_prefix, r->lo);

        plumb_diag_note(d, o->hw->mig_caps[0].at, "the table");
        stops(ck, d);
        return false;
    }
    if (is_missing(o->hw, cap)) {
        struct plumb_diag *d =
            plumb_report(ck, at,
                         "'%s%" PRIu64 "' opens instance %u of GPU %u, which the capture does not "
                         "show, expected one that exists",
                         cap_prefix, r->lo, (unsigned)cap->gpu_instance.n, (unsigned)cap->gpu.n);

        plumb_diag_note(d, cap->at, "the capability in the driver's table");
        stops(ck, d);
        return false;
    }
    if (!plumb_ci_known(cap->compute_instance))
        o->whole = cap;
    else
        o->part = cap;
    return true;
}

static bool open_files(struct opened *o)
{
    const struct plumb_hostlist *files = o->line->multiple_files;
    bool fine = true, some = false;

    for (size_t i = 0; i < files->range_count; i++) {
        const struct plumb_host_range *r = &files->ranges[i];

        if (is_file(r, device_prefix)) {
            o->gpu = (struct plumb_minor){(uint32_t)r->lo};
        } else if (is_file(r, cap_prefix)) {
            fine = open_cap(o, r) && fine;
            some = true;
        } else {
            return false; /* several GPUs, or something else */
        }
    }
    return fine && some;
}

/* One fault of a line at most: files that do not belong together. */
static void check_together(const struct opened *o)
{
    const struct plumb_check *ck = o->ck;
    const struct plumb_hw_mig_cap *any = o->whole != NULL ? o->whole : o->part;
    struct plumb_span at = plumb_setting_at(&o->line->settings, PLUMB_P_GRES_MULTIPLEFILES);
    struct plumb_diag *d = NULL;

    if (o->whole == NULL || o->part == NULL)
        d = plumb_report(
            ck, at,
            "MultipleFiles names the capability of a %s instance alone, expected those "
            "of its GPU instance and of its compute instance",
            o->whole != NULL ? "GPU" : "compute");
    else if (!plumb_minor_same(o->whole->gpu, o->part->gpu) ||
             !plumb_gi_same(o->whole->gpu_instance, o->part->gpu_instance))
        d = plumb_report(ck, at,
                         "MultipleFiles names a compute instance of instance %u of GPU %u beside "
                         "instance %u of GPU %u, expected one of the same instance",
                         (unsigned)o->part->gpu_instance.n, (unsigned)o->part->gpu.n,
                         (unsigned)o->whole->gpu_instance.n, (unsigned)o->whole->gpu.n);
    else if (!plumb_minor_known(o->gpu) || !plumb_minor_same(o->gpu, any->gpu))
        d = plumb_report(ck, at,
                         "MultipleFiles names an instance of GPU %u, expected '%s%u' beside it",
                         (unsigned)any->gpu.n, device_prefix, (unsigned)any->gpu.n);
    if (d == NULL)
        return;
    plumb_diag_note(d, any->at, "the capability in the driver's table");
    plumb_outcome(ck, d, NULL);
}

/* MIG006 */
static void capabilities(const struct plumb_check *ck)
{
    struct plumb_gres_views views;
    struct plumb_fold seen = plumb_fold_in(ck);

    if (!plumb_gres_known(ck) || ck->model->from_spec)
        return;
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        const struct plumb_hardware *hw = v->nodes->hardware;

        for (size_t l = 0; hw != NULL && hw->mig_cap_count > 0 && l < v->count; l++) {
            struct opened o = {.ck = ck, .hw = hw, .line = v->lines[l], .gpu = PLUMB_NO(minor)};

            if (!plumb_gres_is(o.line, "gpu") || o.line->multiple_files == NULL ||
                plumb_fold_seen(&seen, o.line->at) || !open_files(&o))
                continue;
            check_together(&o);
        }
    }
}

/* A line of the view that gives a slice of the GPU; NULL. */
static const struct plumb_gres_line *slice_of(const struct plumb_gres_view *v,
                                              struct plumb_minor minor)
{
    for (size_t l = 0; l < v->count; l++) {
        const struct plumb_hostlist *files = v->lines[l]->multiple_files;
        bool device = false, cap = false;

        for (size_t i = 0; files != NULL && i < files->range_count; i++) {
            device = device ||
                     (is_file(&files->ranges[i], device_prefix) && files->ranges[i].lo == minor.n);
            cap = cap || strcmp(files->ranges[i].prefix, cap_prefix) == 0;
        }
        if (device && cap && plumb_gres_is(v->lines[l], "gpu"))
            return v->lines[l];
    }
    return NULL;
}

static void check_whole(const struct plumb_check *ck, const struct plumb_gres_view *v,
                        const struct plumb_host_range *r, struct plumb_minor minor)
{
    const struct plumb_hardware *hw = v->nodes->hardware;
    const struct plumb_hw_gpu *gpu = hw != NULL ? plumb_gpu_of_minor(hw, minor) : NULL;
    const struct plumb_gres_line *slice = slice_of(v, minor);
    bool cut = gpu != NULL && gpu->mig_count > 0;
    struct plumb_diag *d = NULL;

    if (!cut && (slice == NULL || gpu != NULL))
        return;
    d = plumb_report(ck, r->at,
                     "File gives '%s%" PRIu32 "' as a whole to '%s', and %s, expected a line for "
                     "each MIG device",
                     device_prefix, minor.n, plumb_fold_hosts(ck, v->hosts),
                     cut ? "the captured GPU is cut into MIG devices"
                         : "another line gives a MIG device of it");
    if (cut)
        plumb_diag_note(d, gpu->migs[0].at, "its first MIG device");
    else
        plumb_diag_note(d, slice->at, "the line of the MIG device");
    plumb_fold_object(ck, d, v->hosts);
}

/* MIG007 */
static void whole_files(const struct plumb_check *ck)
{
    struct plumb_gres_views views;
    struct plumb_fold seen = plumb_fold_in(ck);

    if (!plumb_gres_known(ck) || ck->model->from_spec)
        return;
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];

        for (size_t l = 0; l < v->count; l++) {
            const struct plumb_hostlist *files = v->lines[l]->files;

            if (!plumb_gres_is(v->lines[l], "gpu") || plumb_fold_seen(&seen, v->lines[l]->at))
                continue;
            for (size_t f = 0; files != NULL && f < files->range_count; f++) {
                const struct plumb_host_range *r = &files->ranges[f];

                for (uint64_t n = r->lo;
                     strcmp(r->prefix, device_prefix) == 0 && n <= r->hi &&
                     n - r->lo < PLUMB_MAX_GPUS && n < PLUMB_NO_INDEX && plumb_span_known(r->at);
                     n++)
                    check_whole(ck, v, r, (struct plumb_minor){(uint32_t)n});
            }
        }
    }
}

/* A MIG device that the nodes read a line of, or that NVML finds; its place. */
static bool has_slices(const struct plumb_check *ck, const struct plumb_gres_view *v,
                       struct plumb_span *at)
{
    const struct plumb_hardware *hw = v->nodes->hardware;
    struct plumb_span word_at = {0, 0, 0};
    const char *word = plumb_autodetect(ck, v, &word_at);

    for (size_t l = 0; l < v->count; l++) {
        if (v->lines[l]->multiple_files == NULL || !plumb_gres_is(v->lines[l], "gpu"))
            continue;
        *at = plumb_setting_at(&v->lines[l]->settings, PLUMB_P_GRES_MULTIPLEFILES);
        return true;
    }
    for (size_t g = 0;
         hw != NULL && plumb_detector_of(word, hw) == PLUMB_DETECT_NVML && g < hw->gpu_count; g++) {
        if (hw->gpus[g].mig_count > 0) {
            *at = hw->gpus[g].migs[0].at;
            return true;
        }
    }
    return false;
}

/* MIG008 */
static void shared_slices(const struct plumb_check *ck)
{
    struct plumb_gres_views views;
    struct plumb_fold seen = plumb_fold_in(ck);

    if (!plumb_gres_known(ck) || plumb_has_trait(ck, PLUMB_TRAIT_SHARES_KEEP_DEVICES_WHOLE))
        return;
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        struct plumb_span second = {0, 0, 0};

        for (size_t g = 0; g < v->nodes->gres_count; g++) {
            const struct plumb_gres_item *item = &v->nodes->gres[g];

            if (!plumb_gres_is_shared(item->name) || item->count == 0 ||
                !has_slices(ck, v, &second) || plumb_fold_seen(&seen, item->at))
                continue;

            struct plumb_diag *d = plumb_report(
                ck, item->at,
                "'%s' of '%s' shares MIG devices, and slurmd %s takes each of their files for a "
                "GPU then, expected '%s' on nodes with whole GPUs",
                item->name, plumb_fold_hosts(ck, v->hosts), plumb_series(ck), item->name);

            plumb_diag_note(d, second, "a MIG device");
            plumb_fold_object(ck, d, v->hosts);
            plumb_outcome(ck, d, NULL);
        }
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "MIG006",
        .name = "mig-capability-other",
        PLUMB_OUTCOME(ERROR, NONE, SLURMD),
        .summary = "MultipleFiles names capabilities that do not belong together, or do not exist",
        .why = "The driver makes a file for each instance; slurmd waits for one that is missing "
               "and ends. Files of different instances open none of them.",
        .ref = "gres.conf(5), MultipleFiles; /proc/driver/nvidia-caps/mig-minors",
        .bad = "NodeName=g Gres=gpu:3g.40gb:1\n"
               "# gres.conf\n"
               "Name=gpu Type=3g.40gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap12,"
               "/dev/nvidia-caps/nvidia-cap22\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
               "# mig-minors.txt\n"
               "gpu0/gi1/access 12\n"
               "gpu0/gi1/ci0/access 13\n"
               "gpu0/gi2/access 21\n"
               "gpu0/gi2/ci0/access 22",
        .good = "NodeName=g Gres=gpu:3g.40gb:1\n"
                "# gres.conf\n"
                "Name=gpu Type=3g.40gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap12,"
                "/dev/nvidia-caps/nvidia-cap13\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                "# mig-minors.txt\n"
                "gpu0/gi1/access 12\n"
                "gpu0/gi1/ci0/access 13\n"
                "gpu0/gi2/access 21\n"
                "gpu0/gi2/ci0/access 22",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = capabilities,
    },
    {
        .code = "MIG007",
        .name = "mig-whole-file",
        .severity = PLUMB_WARNING,
        .daemons = PLUMB_SLURMD,
        .summary = "a GPU is given as a whole, and it is cut into MIG devices",
        .why = "The node registers. A job gets the device without the capability of an instance, "
               "and with ConstrainDevices finds no GPU.",
        .ref = "gres.conf(5), File, MultipleFiles; NVIDIA MIG user guide, device nodes",
        .bad = "NodeName=g Gres=gpu:h100:1,gpu:3g.40gb:1\n"
               "# gres.conf\n"
               "Name=gpu Type=h100 File=/dev/nvidia0\n"
               "Name=gpu Type=3g.40gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap12,"
               "/dev/nvidia-caps/nvidia-cap13",
        .good = "NodeName=g Gres=gpu:h100:1,gpu:3g.40gb:1\n"
                "# gres.conf\n"
                "Name=gpu Type=h100 File=/dev/nvidia1\n"
                "Name=gpu Type=3g.40gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap12,"
                "/dev/nvidia-caps/nvidia-cap13",
        .needs = PLUMB_FACT_MODEL,
        .run = whole_files,
    },
    {
        .code = "MIG008",
        .name = "mig-shared",
        PLUMB_OUTCOME(ERROR, NONE, SLURMD),
        .summary = "mps or shard on a node with MIG devices, up to 22.05",
        .why = "slurmd splits the files of a MIG device and holds three GPUs for one, two of which "
               "are capabilities; from 23.02 on it keeps them together.",
        .ref = "gres.conf(5), MultipleFiles; gres_c_s.c:_build_sharing_list, seen with slurmd "
               "22.05.8, 24.11.5 and 26.05.5",
        .bad = "GresTypes=gpu,shard\n"
               "NodeName=g Gres=gpu:3g.40gb:1,shard:4\n"
               "# gres.conf\n"
               "Name=gpu Type=3g.40gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap12,"
               "/dev/nvidia-caps/nvidia-cap13\n"
               "Name=shard Count=4",
        .good = "GresTypes=gpu\n"
                "NodeName=g Gres=gpu:3g.40gb:1\n"
                "# gres.conf\n"
                "Name=gpu Type=3g.40gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap12,"
                "/dev/nvidia-caps/nvidia-cap13",
        .needs = PLUMB_FACT_MODEL,
        .run = shared_slices,
    },
};

const struct plumb_rule_family plumb_mig_files_rules = {
    .prefix = "MIG",
    .title = "GPU slices",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
