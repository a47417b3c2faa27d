/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about timeouts against each other, and about power saving. */
#include <inttypes.h>

#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* TIME001: read_config.c, UnkillableStepTimeout against MessageTimeout. */
static void unkillable_message(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, false},
        {PLUMB_24_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    struct plumb_u64 step = plumb_global_u64(ck, P(UNKILLABLESTEPTIMEOUT));
    struct plumb_u64 message = plumb_global_u64(ck, P(MESSAGETIMEOUT));

    if (!plumb_written(step) || !plumb_usable(message) || message.v > UINT16_MAX ||
        step.v >= 5 * message.v)
        return;

    struct plumb_diag *d =
        plumb_report(ck, step.at,
                     "UnkillableStepTimeout is %" PRIu64 " s, expected at least %" PRIu64
                     ", five times MessageTimeout",
                     step.v, 5 * message.v);

    if (plumb_written(message))
        plumb_diag_note(d, message.at, "MessageTimeout");
    plumb_outcome(ck, d, &eras);
}

/* TIME002: a step is killed only after KillWait. */
static void unkillable_kill(const struct plumb_check *ck)
{
    struct plumb_u64 step = plumb_global_u64(ck, P(UNKILLABLESTEPTIMEOUT));
    struct plumb_u64 kill = plumb_global_u64(ck, P(KILLWAIT));

    if (!plumb_usable(step) || !plumb_usable(kill) || step.v == 0 || step.v > kill.v)
        return;
    if (!plumb_written(step) && !plumb_written(kill))
        return;
    plumb_report(ck, plumb_written(kill) ? kill.at : step.at,
                 "KillWait is %" PRIu64 " s and UnkillableStepTimeout %" PRIu64
                 " s, expected KillWait to be the shorter one",
                 kill.v, step.v);
}

/* TIME003 */
static void health_interval(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
        {PLUMB_26_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    struct plumb_u64 interval = plumb_global_u64(ck, P(HEALTHCHECKINTERVAL));
    struct plumb_u64 timeout = plumb_global_u64(ck, P(HEALTHCHECKTIMEOUT));

    if (plumb_era_quiet(ck, &eras) || !plumb_written(interval) || interval.v == 0 ||
        !plumb_usable(timeout) || timeout.v < interval.v)
        return;
    plumb_outcome(ck,
                  plumb_report(ck, interval.at,
                               "HealthCheckInterval is %" PRIu64
                               " s, expected more than HealthCheckTimeout, which %s %" PRIu64 " s",
                               interval.v, plumb_written(timeout) ? "is" : "defaults to",
                               timeout.v),
                  &eras);
}

static const struct plumb_combo health[] = {
    {.when = {{P(HEALTHCHECKPROGRAM), PLUMB_TEST_SET, NULL},
              {P(HEALTHCHECKINTERVAL), PLUMB_TEST_UNSET, NULL}},
     .message = "HealthCheckProgram never runs, as HealthCheckInterval defaults to 0, expected an "
                "interval"},
    {.when = {{P(HEALTHCHECKPROGRAM), PLUMB_TEST_SET, NULL},
              {P(HEALTHCHECKINTERVAL), PLUMB_TEST_ZERO, NULL}},
     .message = "HealthCheckProgram never runs, as HealthCheckInterval is 0, expected an "
                "interval"},
};
static const struct plumb_combos health_never = {.items = health, .count = PLUMB_COUNT(health)};

/* TIME005: microseconds per node, taken for seconds or milliseconds. */
static void epilog_message(const struct plumb_check *ck)
{
    enum { LOW = 100 };
    struct plumb_u64 v = plumb_global_u64(ck, P(EPILOGMSGTIME));

    if (!plumb_written(v) || v.v == 0 || v.v >= LOW)
        return;
    plumb_report(ck, v.at,
                 "EpilogMsgTime is %" PRIu64 " microseconds, too short to spread messages of "
                 "nodes; the default is 2000",
                 v.v);
}

/* TIME006: slurmctld sets a node DOWN while its prolog runs. */
static void node_timeout(const struct plumb_check *ck)
{
    struct plumb_u64 node = plumb_global_u64(ck, P(SLURMDTIMEOUT));
    struct plumb_u64 batch = plumb_global_u64(ck, P(BATCHSTARTTIMEOUT));

    if (!plumb_usable(node) || !plumb_usable(batch) || node.v == 0 || node.v > batch.v)
        return;
    if (!plumb_written(node) && !plumb_written(batch))
        return;
    plumb_report(ck, plumb_written(node) ? node.at : batch.at,
                 "SlurmdTimeout is %" PRIu64 " s and BatchStartTimeout %" PRIu64
                 " s, expected SlurmdTimeout to be the longer one",
                 node.v, batch.v);
}

/* TIME007: a backup takes over while the primary is still answering. */
static void controller_timeout(const struct plumb_check *ck)
{
    struct plumb_u64 ctld = plumb_global_u64(ck, P(SLURMCTLDTIMEOUT));
    struct plumb_u64 message = plumb_global_u64(ck, P(MESSAGETIMEOUT));

    if (ck->model->controller_count < 2 || !plumb_usable(ctld) || !plumb_usable(message) ||
        message.v > UINT16_MAX || ctld.v == 0 || ctld.v >= 2 * message.v)
        return;
    if (!plumb_written(ctld) && !plumb_written(message))
        return;
    plumb_report(ck, plumb_written(ctld) ? ctld.at : message.at,
                 "SlurmctldTimeout is %" PRIu64 " s, expected at least %" PRIu64
                 ", twice MessageTimeout, as there is a backup controller",
                 ctld.v, 2 * message.v);
}

/* TIME008 */
static void complete_wait(const struct plumb_check *ck)
{
    struct plumb_u64 wait = plumb_global_u64(ck, P(COMPLETEWAIT));
    struct plumb_u64 kill = plumb_global_u64(ck, P(KILLWAIT));

    if (!plumb_written(wait) || wait.v == 0 || !plumb_usable(kill) || wait.v >= kill.v + 2)
        return;
    plumb_report(ck, wait.at,
                 "CompleteWait is %" PRIu64 " s, expected at least %" PRIu64
                 ", KillWait and 2 seconds",
                 wait.v, kill.v + 2);
}

/* SuspendTime as _parse_suspend_time reads it: seconds, or a word that turns it off. */
static bool suspends(const struct plumb_check *ck, const struct plumb_setting **time)
{
    uint64_t seconds = 0;

    *time = plumb_global(ck, P(SUSPENDTIME));
    return *time != NULL && plumb_value_uint(&(*time)->value, 32, &seconds) == PLUMB_VALUE_OK &&
           seconds < UINT32_MAX - 1;
}

/* TIME009: power_save.c:_init_power_config */
static void power_programs(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
        {PLUMB_26_05, PLUMB_ERROR, PLUMB_EFFECT_IGNORED, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    static const enum plumb_param_id ids[] = {P(SUSPENDPROGRAM), P(RESUMEPROGRAM)};
    const struct plumb_setting *time = NULL, *there = NULL;
    const char *missing = NULL;

    if (!suspends(ck, &time))
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
    struct plumb_session quiet = {.arena = ck->scratch,
                                  .scratch = ck->scratch,
                                  .intern = ck->intern,
                                  .sink = {.arena = ck->scratch}};
    struct plumb_buf text = plumb_buf_in(ck->scratch);
    struct plumb_hostlist *read = NULL, *unknown = NULL;

    if (s == NULL || s->value.len == 0 || ck->model->all_nodes->count == 0)
        return;
    strip_counts(&text, &s->value);

    struct plumb_slice list = {.text = plumb_buf_text(&text), .len = (uint32_t)text.len};

    read = plumb_hostlist_read(&quiet, &list, ck->model->release);
    if (read == NULL)
        return;
    unknown = plumb_hostlist_minus(ck->scratch, read, ck->model->all_nodes);
    if (unknown->count == 0)
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "SuspendExcNodes names '%s', expected nodes that exist",
                               plumb_hostlist_str(ck->arena, unknown)),
                  NULL);
}

/*
 * TIME010: exclusions that exclude nothing are dropped with an error, by 26.05 even where no node
 * is ever suspended.
 */
static void suspend_exclusions(const struct plumb_check *ck)
{
    const struct plumb_setting *time = NULL, *parts = plumb_global(ck, P(SUSPENDEXCPARTS));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (ck->model->release < PLUMB_26_05 && !suspends(ck, &time))
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

/* TIME011: read_config.c:_parse_power_action */
static void power_action(const struct plumb_check *ck)
{
    static const enum plumb_param_id needed[] = {PLUMB_P_POWER_LOCATION, PLUMB_P_POWER_PROGRAM};
    const struct plumb_model *m = ck->model;

    if (m->release < PLUMB_26_05) /* CONF004 */
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

static const struct plumb_rule rows[] = {
    {
        .code = "TIME001",
        .name = "unkillable-below-message",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "UnkillableStepTimeout below five times MessageTimeout",
        .why = "A node is drained for a step that had merely not been told yet.",
        .ref = "slurm.conf(5), UnkillableStepTimeout; read_config.c",
        .bad = "UnkillableStepTimeout=30",
        .good = "UnkillableStepTimeout=120",
        .needs = PLUMB_FACT_MODEL,
        .run = unkillable_message,
    },
    {
        .code = "TIME002",
        .name = "unkillable-below-killwait",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "UnkillableStepTimeout not above KillWait",
        .why = "The step counts as unkillable before it was killed, and the node drains.",
        .ref = "slurm.conf(5), UnkillableStepTimeout, KillWait",
        .bad = "KillWait=300\nUnkillableStepTimeout=120",
        .good = "KillWait=30\nUnkillableStepTimeout=120",
        .needs = PLUMB_FACT_MODEL,
        .run = unkillable_kill,
    },
    {
        .code = "TIME003",
        .name = "health-interval",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "HealthCheckInterval not above HealthCheckTimeout",
        .why = "A slow check is started again before it has ended.",
        .ref = "slurm.conf(5), HealthCheckTimeout; read_config.c",
        .bad = "HealthCheckInterval=60",
        .good = "HealthCheckInterval=300",
        .needs = PLUMB_FACT_MODEL,
        .run = health_interval,
    },
    {
        .code = "TIME004",
        .name = "health-check-never",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "HealthCheckProgram without an interval",
        .why = "The check never runs: broken nodes stay in service.",
        .ref = "slurm.conf(5), HealthCheckInterval",
        .bad = "HealthCheckProgram=/usr/sbin/nhc",
        .good = "HealthCheckProgram=/usr/sbin/nhc\nHealthCheckInterval=300",
        PLUMB_COMBO(health_never),
    },
    {
        .code = "TIME005",
        .name = "epilog-message-time",
        PLUMB_OUTCOME(INFO, NONE, SLURMD),
        .summary = "EpilogMsgTime is counted in microseconds",
        .why = "The ends of a large job reach slurmctld all at once.",
        .ref = "slurm.conf(5), EpilogMsgTime",
        .bad = "EpilogMsgTime=30",
        .good = "EpilogMsgTime=2000",
        .needs = PLUMB_FACT_MODEL,
        .run = epilog_message,
    },
    {
        .code = "TIME006",
        .name = "node-timeout",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "SlurmdTimeout not above BatchStartTimeout",
        .why = "A node can be set DOWN while a job of it is still starting.",
        .ref = "slurm.conf(5), SlurmdTimeout, BatchStartTimeout",
        .bad = "SlurmdTimeout=10\nBatchStartTimeout=60",
        .good = "SlurmdTimeout=300\nBatchStartTimeout=60",
        .needs = PLUMB_FACT_MODEL,
        .run = node_timeout,
    },
    {
        .code = "TIME007",
        .name = "controller-timeout",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "SlurmctldTimeout below twice MessageTimeout with a backup",
        .why = "The backup takes over from a primary that still runs.",
        .ref = "slurm.conf(5), SlurmctldTimeout",
        .needs = PLUMB_FACT_MODEL,
        .run = controller_timeout,
    },
    {
        .code = "TIME008",
        .name = "complete-wait",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "CompleteWait below KillWait and two seconds",
        .why = "New jobs are placed before the nodes of the old one are free: allocations "
               "fragment.",
        .ref = "slurm.conf(5), CompleteWait",
        .bad = "CompleteWait=10",
        .good = "CompleteWait=32",
        .needs = PLUMB_FACT_MODEL,
        .run = complete_wait,
    },
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
};

const struct plumb_rule_family plumb_time_rules = {
    .prefix = "TIME",
    .title = "Timeouts and power saving",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
