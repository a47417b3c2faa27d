/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about slices of GPUs (MIG). */
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

static const struct plumb_rule rows[] = {
    {
        .code = "MIG001",
        .name = "mig-capability-file",
        PLUMB_OUTCOME(ERROR, NONE, SLURMD),
        .summary = "a MIG device given by one capability file",
        .why = "No daemon looks; with ConstrainDevices a job may open neither the GPU nor the "
               "compute instance.",
        .ref = "gres.conf(5), MultipleFiles; gpu_nvml.c",
        .bad = "NodeName=g Gres=gpu:3g.40gb:1\n"
               "# gres.conf\n"
               "Name=gpu Type=3g.40gb File=/dev/nvidia-caps/nvidia-cap12",
        .good = "NodeName=g Gres=gpu:3g.40gb:1\n"
                "# gres.conf\n"
                "Name=gpu Type=3g.40gb "
                "MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap12,/dev/nvidia-caps/"
                "nvidia-cap13",
        .needs = PLUMB_FACT_MODEL,
        .run = mig_single_file,
    },
};

const struct plumb_rule_family plumb_mig_rules = {
    .prefix = "MIG",
    .title = "GPU slices",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
