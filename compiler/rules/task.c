/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about plugins of TaskPlugin that want others beside them. */
#include "rules/ask.h"

/* The first place of a text in the value, SIZE_MAX without one. */
static size_t place_of(const struct plumb_slice *value, const char *text)
{
    struct plumb_slice found;

    return plumb_slice_find(value, text, &found) ? (size_t)(found.text - value->text) : SIZE_MAX;
}

/* JOB115: the plugin looks for both words anywhere in the value. */
static void cray_without_cgroup(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_TASKPLUGIN);
    struct plumb_slice item;

    if (s == NULL || (!plumb_list_find(&s->value, "task/cray_aries", &item) &&
                      !plumb_list_find(&s->value, "cray_aries", &item)))
        return;

    size_t cray = place_of(&s->value, "cray"), cgroup = place_of(&s->value, "cgroup");

    if (cgroup != SIZE_MAX && cgroup > cray)
        return;
    plumb_outcome(ck,
                  plumb_report(ck, item.at,
                               "'task/cray_aries' needs 'task/cgroup' behind it in TaskPlugin, %s, "
                               "expected 'task/cray_aries,task/cgroup'",
                               cgroup == SIZE_MAX ? "which lacks it" : "found it before"),
                  NULL);
}

static const struct plumb_rule rows[] = {
    {
        .code = "JOB115",
        .name = "task-cray-cgroup",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "task/cray_aries without task/cgroup behind it",
        .why =
            "slurmd of 22.05 to 23.11 ends when it loads the plugin; later ones lack the plugin.",
        .ref = "slurm.conf(5), TaskPlugin; task_cray_aries.c:init",
        .bad = "TaskPlugin=task/cgroup,task/cray_aries",
        .good = "TaskPlugin=task/cray_aries,task/cgroup",
        .needs = PLUMB_FACT_MODEL,
        .run = cray_without_cgroup,
    },
};

const struct plumb_rule_family plumb_task_rules = {
    .prefix = "JOB",
    .title = "Task plugins",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
