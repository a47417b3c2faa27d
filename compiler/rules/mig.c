/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about slices of GPUs (MIG). */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "rules/gres_view.h"

/* MIG001: one capability file opens neither the GPU nor the instance. */
static void mig_single_file(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];

        if (line->files == NULL || line->files->range_count == 0 ||
            !plumb_starts_with(line->files->ranges[0].prefix, "/dev/nvidia-caps/"))
            continue;
        plumb_report(ck, plumb_setting_at(&line->settings, PLUMB_P_GRES_FILE),
                     "File names a capability file alone, expected MultipleFiles with the GPU's "
                     "device and the files of its GPU instance and compute instance");
    }
}

/* The digits before 'g' of a MIG type: compute slices. */
static uint64_t slices(const char *type)
{
    uint64_t n = 0;

    for (const char *p = type; *p != '\0'; p++) {
        if (!plumb_is_digit(*p)) {
            if (*p == 'g' && p[1] == '.' && n > 0)
                return n;
            n = 0;
            continue;
        }
        n = n < 100 ? n * 10 + (uint64_t)(*p - '0') : n;
    }
    return 0;
}

/* MIG002: seven compute slices a GPU (facts of A100, H100, H200, B200). */
static void mig_slices(const struct plumb_check *ck)
{
    enum { SLICES = 7 };
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        const struct plumb_gres_item *last = NULL;
        uint64_t sum = 0;

        if (n->hardware == NULL || !plumb_usable(n->hardware->gpu_count_value))
            continue;
        for (size_t g = 0; g < n->gres_count; g++) {
            if (strcmp(n->gres[g].name, "gpu") != 0 || !plumb_is_mig_type(n->gres[g].type) ||
                n->gres[g].count > UINT32_MAX)
                continue;
            sum += slices(n->gres[g].type) * n->gres[g].count;
            last = &n->gres[g];
        }
        if (last == NULL || sum <= SLICES * n->hardware->gpu_count_value.v)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, n->gres_at,
                         "the MIG devices of '%s' take %" PRIu64 " compute slices, %" PRIu64
                         " captured GPU%s %" PRIu64,
                         plumb_fold_hosts(ck, n->hosts), sum, n->hardware->gpu_count_value.v,
                         n->hardware->gpu_count_value.v == 1 ? " has" : "s have",
                         SLICES * n->hardware->gpu_count_value.v);

        plumb_diag_note(d, n->hardware->gpu_count_value.at, "the GPUs of the capture");
        plumb_outcome(ck, d, NULL);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "MIG001",
        .name = "mig-capability-file",
        PLUMB_OUTCOME(ERROR, NONE, SLURMD),
        .summary = "a MIG device given by one capability file",
        .why = "No daemon looks; with ConstrainDevices a job may open neither the GPU nor the "
               "compute instance.",
        .ref = "gres.conf(5), MultipleFiles; gpu_nvml.c",
        .bad = "Name=gpu Type=3g.40gb File=/dev/nvidia-caps/nvidia-cap12",
        .good = "Name=gpu Type=3g.40gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap12,"
                "/dev/nvidia-caps/nvidia-cap13",
        .needs = PLUMB_FACT_MODEL,
        .run = mig_single_file,
    },
    {
        .code = "MIG002",
        .name = "mig-slices",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "MIG devices take more slices than the GPUs have",
        .why = "The last of them cannot be made: slurmd waits for its file and ends.",
        .ref = "NVIDIA MIG user guide, supported profiles",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = mig_slices,
    },
};

const struct plumb_rule_family plumb_mig_rules = {
    .prefix = "MIG",
    .title = "GPU slices",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
