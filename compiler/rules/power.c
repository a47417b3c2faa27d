/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about power saving. */
#include <inttypes.h>

#include "base/num.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* TIME009: power_save.c:_init_power_config */
static void power_programs(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
        {PLUMB_26_05, PLUMB_ERROR, PLUMB_EFFECT_IGNORED, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    static const enum plumb_param_id ids[] = {P(SUSPENDPROGRAM), P(RESUMEPROGRAM)};
    const struct plumb_setting *time = plumb_suspend_time(ck->table, ck->model), *there = NULL;
    const char *missing = NULL;

    if (time == NULL)
        return;
    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_setting *s = plumb_global(ck, ids[i]);

        if (plumb_setting_bad(plumb_slurm(ck->model), ids[i]))
            return;
        if (s == NULL)
            missing =
                missing == NULL ? plumb_param(ids[i])->name : "SuspendProgram and ResumeProgram";
        else
            there = s;
    }
    if (missing == NULL)
        return;

    struct plumb_diag *d = plumb_report(ck, there != NULL ? there->value.at : time->value.at,
                                        "power saving is off as a whole: %s %s not set", missing,
                                        there != NULL ? "is" : "are");

    if (there != NULL)
        plumb_diag_note(d, time->value.at, "nodes should be suspended after this time");
    plumb_outcome(ck, d, &eras);
}

static bool partition_known(const struct plumb_model *m, const struct plumb_slice *name)
{
    for (size_t i = 0; i < m->partition_count; i++) {
        if (m->partitions[i].name.v != NULL && plumb_slice_is_exact(name, m->partitions[i].name.v))
            return true;
    }
    return false;
}

/* "node[1-4]:2" keeps two of the four up; the rest of the list follows behind a comma. */
static void strip_counts(struct plumb_buf *out, const struct plumb_slice *list)
{
    bool count = false;

    for (size_t i = 0; i < list->len; i++) {
        if (list->text[i] == ',')
            count = false;
        if (list->text[i] == ':')
            count = true;
        if (!count)
            plumb_buf_char(out, list->text[i]);
    }
}

static void excluded_nodes(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(SUSPENDEXCNODES));
    struct plumb_buf text = plumb_buf_in(ck->scratch);
    struct plumb_hostlist *read = NULL, *unknown = NULL;

    if (s == NULL || s->value.len == 0 || ck->model->all_nodes->count == 0)
        return;
    strip_counts(&text, &s->value);

    struct plumb_slice list = {.text = plumb_buf_text(&text), .len = (uint32_t)text.len};

    read = plumb_hosts_read(ck, &list);
    if (read == NULL)
        return;
    unknown = plumb_no_nodes(ck, read);
    if (unknown->count == 0)
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "SuspendExcNodes names '%s', expected nodes that exist",
                               plumb_hostlist_str(ck->arena, unknown)),
                  NULL);
}

/*
 * TIME010: exclusions that exclude nothing are dropped with an error, by some releases even where
 * no node is ever suspended.
 */
static void suspend_exclusions(const struct plumb_check *ck)
{
    const struct plumb_setting *parts = plumb_global(ck, P(SUSPENDEXCPARTS));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (!plumb_has_trait(ck, PLUMB_TRAIT_SUSPEND_EXCLUSIONS_ALWAYS_READ) &&
        plumb_suspend_time(ck->table, ck->model) == NULL)
        return;
    excluded_nodes(ck);
    if (parts == NULL)
        return;
    while (plumb_list_next(&parts->value, ',', &c, &item)) {
        if (item.len == 0 || partition_known(ck->model, &item))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   "SuspendExcParts names partition '%s', which does not exist",
                                   plumb_arena_strndup(ck->arena, item.text, item.len)),
                      NULL);
    }
}

/* TIME012: power_save.c:_valid_prog; some releases look even where no node is ever suspended */
static void power_paths(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(SUSPENDPROGRAM), P(RESUMEPROGRAM),
                                              P(RESUMEFAILPROGRAM)};

    if (!plumb_has_trait(ck, PLUMB_TRAIT_SUSPEND_EXCLUSIONS_ALWAYS_READ) &&
        plumb_suspend_time(ck->table, ck->model) == NULL)
        return;
    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_setting *s = plumb_global(ck, ids[i]);

        if (s == NULL || s->value.len == 0 || s->value.text[0] == '/')
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, s->value.at,
                                   "%s is '%s', expected a path from the root on; it is not run",
                                   plumb_param(ids[i])->name, s->value.text),
                      NULL);
    }
}

/* TIME011: read_config.c:_parse_power_action */
static void power_action(const struct plumb_check *ck)
{
    static const enum plumb_param_id needed[] = {PLUMB_P_POWER_LOCATION, PLUMB_P_POWER_PROGRAM};
    const struct plumb_model *m = ck->model;

    if (!plumb_knows(ck, PLUMB_P_SLURM_POWERACTION)) /* CONF004 */
        return;
    for (size_t i = 0; i < m->side_line_count; i++) {
        const struct plumb_side_line *line = &m->side_lines[i];

        for (size_t k = 0; line->file == PLUMB_SLURM_CONF && k < PLUMB_COUNT(needed); k++) {
            if (plumb_setting(&line->settings, needed[k]) != NULL ||
                plumb_setting_bad(&line->settings, needed[k]))
                continue;
            plumb_outcome(ck,
                          plumb_report(ck, line->at,
                                       "a line of PowerAction has no %s, expected Location and "
                                       "Program",
                                       plumb_param(needed[k])->name),
                          NULL);
            break;
        }
    }
}

/* Power saving as a whole is on; where a program is missing, TIME009 tells. */
static bool saves(const struct plumb_check *ck)
{
    return plumb_suspend_time(ck->table, ck->model) != NULL &&
           plumb_global(ck, P(SUSPENDPROGRAM)) != NULL &&
           plumb_global(ck, P(RESUMEPROGRAM)) != NULL;
}

/* TIME030: power_save.c:_init_power_config */
static void slow_power_saving(const struct plumb_check *ck)
{
    enum { LONGEST = 60 };
    static const char *const words[] = {"power_save_interval=", "power_save_min_interval="};
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
        {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_era always_rows[] = {
        {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
        {PLUMB_26_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows), always = PLUMB_ERAS(always_rows);
    const struct plumb_setting *s = plumb_global(ck, P(SLURMCTLDPARAMETERS));

    /* 26.05 looks at it even where no node is ever suspended. */
    if (s == NULL || plumb_era_quiet(ck, &eras) || (plumb_era_quiet(ck, &always) && !saves(ck)))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        struct plumb_slice item;
        uint64_t seconds = 0;

        if (!plumb_list_u64(&s->value, words[i], &item, &seconds) || seconds <= LONGEST)
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   "power saving is off: '%s%" PRIu64 "', expected at most %d "
                                   "seconds",
                                   words[i], seconds, LONGEST),
                      &eras);
        return;
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "TIME009",
        .name = "power-saving-programs",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "SuspendTime without SuspendProgram or ResumeProgram",
        .why = "Power saving is off: nodes never power down, and cloud nodes never come up.",
        .ref = "slurm.conf(5), SuspendTime; power_save.c:_init_power_config",
        .bad = "SuspendTime=900\nSuspendProgram=/opt/off",
        .good = "SuspendTime=900\nSuspendProgram=/opt/off\nResumeProgram=/opt/on",
        .needs = PLUMB_FACT_MODEL,
        .run = power_programs,
    },
    {
        .code = "TIME010",
        .name = "suspend-exclusion-unknown",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "SuspendExcParts or SuspendExcNodes names what does not exist",
        .why = "The entry is dropped, and nodes that should stay up are powered down.",
        .ref = "slurm.conf(5), SuspendExcParts, SuspendExcNodes; power_save.c:_init_power_config",
        .bad = "NodeName=n[1-4]\n"
               "SuspendExcNodes=n[4-5]",
        .good = "NodeName=n[1-4]\n"
                "SuspendExcNodes=n4",
        .needs = PLUMB_FACT_MODEL,
        .run = suspend_exclusions,
    },
    {
        .code = "TIME011",
        .name = "power-action-incomplete",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PowerAction without Location or Program",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), PowerAction; read_config.c:_parse_power_action",
        .bad = "PowerAction=cycle Program=/opt/cycle",
        .good = "PowerAction=cycle Location=slurmctld Program=/opt/cycle",
        .needs = PLUMB_FACT_MODEL,
        .run = power_action,
    },
    {
        .code = "TIME012",
        .name = "power-program-relative",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "a program of power saving that is no path from the root on",
        .why = "slurmctld does not run it, so nodes stay on, or off.",
        .ref = "slurm.conf(5), SuspendProgram; power_save.c:_valid_prog",
        .bad = "SuspendProgram=off.sh",
        .good = "SuspendProgram=/opt/off.sh",
        .needs = PLUMB_FACT_MODEL,
        .run = power_paths,
    },
    {
        .code = "TIME030",
        .name = "power-saving-too-slow",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "power_save_interval above a minute",
        .why = "Rates are counted by the minute: from 24.05 on power saving stays off.",
        .ref = "slurm.conf(5), power_save_interval; power_save.c:_init_power_config",
        .bad = "SuspendTime=600\n"
               "SuspendProgram=/opt/off\n"
               "ResumeProgram=/opt/on\n"
               "SlurmctldParameters=power_save_interval=61",
        .good = "SuspendTime=600\n"
                "SuspendProgram=/opt/off\n"
                "ResumeProgram=/opt/on\n"
                "SlurmctldParameters=power_save_interval=30",
        .needs = PLUMB_FACT_MODEL,
        .run = slow_power_saving,
    },
};

const struct plumb_rule_family plumb_power_rules = {
    .prefix = "TIME",
    .title = "Power saving",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
