/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about timeouts against each other. */
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

/* TIME031: run_command.c wants the whole path, and slurmd does not look for the program. */
static void health_without_path(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(HEALTHCHECKPROGRAM));
    struct plumb_u64 interval = plumb_global_u64(ck, P(HEALTHCHECKINTERVAL));

    if (s == NULL || !plumb_usable(interval) || interval.v == 0 ||
        (s->value.len > 0 && s->value.text[0] == '/'))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "HealthCheckProgram '%s' is no absolute path, so it never runs, "
                               "expected one such as /usr/sbin/nhc",
                               s->value.text),
                  NULL);
}

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
        .code = "TIME031",
        .name = "health-check-path",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "HealthCheckProgram without its whole path",
        .why = "slurmd logs an error at each interval, and no node is ever checked.",
        .ref = "slurm.conf(5), HealthCheckProgram; run_command.c:run_command",
        .bad = "HealthCheckProgram=nhc\nHealthCheckInterval=300",
        .good = "HealthCheckProgram=/usr/sbin/nhc\nHealthCheckInterval=300",
        .needs = PLUMB_FACT_MODEL,
        .run = health_without_path,
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
        .bad = "SlurmctldHost=cp-01\n"
               "SlurmctldHost=cp-02\n"
               "SlurmctldTimeout=10   # MessageTimeout is 10",
        .good = "SlurmctldHost=cp-01\n"
                "SlurmctldHost=cp-02\n"
                "SlurmctldTimeout=120",
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
};

const struct plumb_rule_family plumb_time_rules = {
    .prefix = "TIME",
    .title = "Timeouts",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
