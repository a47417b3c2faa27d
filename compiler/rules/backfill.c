/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the backfill scheduler: how far it looks, how finely, and how many jobs it tests. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* bf_window in minutes when it is not written (sched/backfill, _load_config). */
enum { BF_WINDOW_DEFAULT = 1440, BF_WINDOW_MAX = 43200, BF_RESOLUTION_DEFAULT = 60 };
/* bf_max_job_test when it is not written. */
enum { BF_TEST_DEFAULT = 500 };

static const struct plumb_setting *backfill(const struct plumb_check *ck)
{
    if (plumb_plugin_in_force(ck, P(SCHEDULERTYPE), "builtin"))
        return NULL;
    return plumb_global(ck, P(SCHEDULERPARAMETERS));
}

/*
 * A number of SchedulerParameters, or what the daemon takes without it; UINT64_MAX where it may
 * be there and could not be read.
 */
static uint64_t number_or(const struct plumb_check *ck, const struct plumb_setting *params,
                          const char *key, uint64_t def, struct plumb_slice *item, bool *written)
{
    uint64_t v = 0;

    *written = plumb_list_u64(&params->value, key, item, &v);
    if (*written)
        return v;
    return plumb_list_find(&params->value, key, NULL) ||
                   plumb_setting_bad(plumb_slurm(ck->model), P(SCHEDULERPARAMETERS))
               ? UINT64_MAX
               : def;
}

static const struct plumb_partition *longest_partition(const struct plumb_model *m)
{
    const struct plumb_partition *longest = NULL;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        if (!plumb_written(p->max_time_min) || p->max_time_min.v == PLUMB_UNLIMITED)
            continue;
        if (longest == NULL || p->max_time_min.v > longest->max_time_min.v)
            longest = p;
    }
    return longest;
}

/* SCHED001: the backfill scheduler looks ahead as far as jobs may run. */
static void bf_window(const struct plumb_check *ck)
{
    const struct plumb_setting *params = backfill(ck);
    const struct plumb_partition *p = longest_partition(ck->model);
    struct plumb_slice item;
    uint64_t window = 0;

    if (p == NULL || params == NULL ||
        !plumb_list_u64(&params->value, "bf_window=", &item, &window))
        return;
    if (window >= p->max_time_min.v || window == 0 || window > BF_WINDOW_MAX)
        return;

    struct plumb_diag *d = plumb_report(ck, item.at,
                                        "bf_window is %" PRIu64
                                        " minutes, but jobs of partition '%s' may run for %" PRIu64
                                        " minutes, expected at least the longest MaxTime",
                                        window, p->name.v, p->max_time_min.v);

    plumb_diag_note(d, p->max_time_min.at, "MaxTime of '%s'", p->name.v);
    if (p->max_time_min.v <= BF_WINDOW_MAX)
        plumb_diag_help(d, "bf_window=%" PRIu64, p->max_time_min.v);
}

/* SCHED002: a window of weeks in steps of one minute is slow to compute. */
static void bf_resolution(const struct plumb_check *ck)
{
    const struct plumb_setting *params = backfill(ck);
    struct plumb_slice item, other;
    uint64_t window = 0, resolution;
    bool written;

    if (params == NULL || !plumb_list_u64(&params->value, "bf_window=", &item, &window))
        return;
    resolution = number_or(ck, params, "bf_resolution=", BF_RESOLUTION_DEFAULT, &other, &written);
    if (window <= BF_WINDOW_DEFAULT || window > BF_WINDOW_MAX || resolution > BF_RESOLUTION_DEFAULT)
        return;
    plumb_report(ck, item.at,
                 "bf_window is %" PRIu64 " minutes in steps of %" PRIu64
                 " seconds, expected bf_resolution above %d with a window above %d minutes",
                 window, resolution, BF_RESOLUTION_DEFAULT, BF_WINDOW_DEFAULT);
}

static const struct plumb_combo user_assoc[] = {
    {.when = {{P(SCHEDULERPARAMETERS), PLUMB_TEST_WORD, "bf_max_job_user="},
              {P(SCHEDULERPARAMETERS), PLUMB_TEST_WORD, "bf_max_job_assoc="}},
     .message = "bf_max_job_user stands beside bf_max_job_assoc, which wins, expected one of them"},
};
static const struct plumb_combos bf_user_assoc = {.items = user_assoc,
                                                  .count = PLUMB_COUNT(user_assoc)};

/* SCHED017: limits below the queue depth that is tested. */
static void bf_limits(const struct plumb_check *ck)
{
    static const struct {
        const char *key;
        bool equal; /* equal to the depth is a fault too */
    } limits[] = {{"bf_max_job_part=", true}, {"bf_max_job_user=", false}};
    const struct plumb_setting *params = backfill(ck);
    struct plumb_slice item, other;
    uint64_t depth, limit = 0;
    bool written;

    if (params == NULL)
        return;

    depth = number_or(ck, params, "bf_max_job_test=", BF_TEST_DEFAULT, &other, &written);
    for (size_t i = 0; i < PLUMB_COUNT(limits); i++) {
        if (!plumb_list_u64(&params->value, limits[i].key, &item, &limit) || limit == 0)
            continue;
        if (limits[i].equal ? limit < depth : limit <= depth)
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   "%s%" PRIu64 " cannot be reached, as bf_max_job_test %s %" PRIu64
                                   ", expected less",
                                   limits[i].key, limit, written ? "is" : "defaults to", depth),
                      NULL);
    }
}

/* The daemon looks for the key anywhere in the value, and compares as many letters as the word has.
 */
static void bf_hetjob_prio(const struct plumb_check *ck)
{
    static const char key[] = "bf_hetjob_prio=";
    static const char *const words[] = {"min", "max", "avg"};
    const struct plumb_setting *params = backfill(ck);
    struct plumb_slice found;
    size_t at, behind, end;

    if (params == NULL || !plumb_slice_find(&params->value, key, &found))
        return;
    at = (size_t)(found.text - params->value.text);
    behind = at + found.len;
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (params->value.len - behind >= strlen(words[i]) &&
            plumb_equal_nocase(params->value.text + behind, words[i], strlen(words[i])))
            return;
    }
    for (end = behind; end < params->value.len && params->value.text[end] != ',';)
        end++;
    plumb_outcome(ck,
                  plumb_report(ck, plumb_slice_span(&params->value, at, end),
                               "'%s', expected min, max or avg behind it",
                               plumb_arena_strndup(ck->arena, params->value.text + at, end - at)),
                  NULL);
}

static const struct plumb_rule rows[] = {
    {
        .code = "SCHED001",
        .name = "bf-window",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "the backfill window is shorter than the longest MaxTime",
        .why = "Backfill does not see that a large job could start once long jobs end, so small "
               "jobs keep it waiting for ever.",
        .ref = "slurm.conf(5), SchedulerParameters, bf_window",
        .bad = "SchedulerParameters=bf_window=1440\nPartitionName=p Nodes=ALL MaxTime=7-0",
        .good = "SchedulerParameters=bf_window=10080\nPartitionName=p Nodes=ALL MaxTime=7-0",
        .needs = PLUMB_FACT_MODEL,
        .run = bf_window,
    },
    {
        .code = "SCHED002",
        .name = "bf-resolution",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "a long backfill window in steps of a minute",
        .why = "Every step is a bitmap of all nodes: the cycle gets slow and jobs start late.",
        .ref = "slurm.conf(5), SchedulerParameters, bf_resolution",
        .bad = "SchedulerParameters=bf_window=10080",
        .good = "SchedulerParameters=bf_window=10080,bf_resolution=600",
        .needs = PLUMB_FACT_MODEL,
        .run = bf_resolution,
    },
    {
        .code = "SCHED016",
        .name = "bf-user-and-assoc",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "bf_max_job_user beside bf_max_job_assoc",
        .why = "The limit per user is dropped.",
        .ref = "slurm.conf(5), SchedulerParameters; backfill.c:_load_config",
        .bad = "SchedulerParameters=bf_max_job_user=10,bf_max_job_assoc=20",
        .good = "SchedulerParameters=bf_max_job_user=10",
        PLUMB_COMBO(bf_user_assoc),
    },
    {
        .code = "SCHED017",
        .name = "bf-limit-above-test",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "a backfill limit that bf_max_job_test never lets be reached",
        .why = "The limit limits nothing.",
        .ref = "slurm.conf(5), SchedulerParameters; backfill.c:_load_config",
        .bad = "SchedulerParameters=bf_max_job_test=100,bf_max_job_part=200",
        .good = "SchedulerParameters=bf_max_job_test=1000,bf_max_job_part=200",
        .needs = PLUMB_FACT_MODEL,
        .run = bf_limits,
    },
    {
        .code = "SCHED023",
        .name = "bf-hetjob-prio",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "bf_hetjob_prio with another word than min, max or avg",
        .why = "Parts of heterogeneous jobs keep their own priorities, so a part may wait behind "
               "jobs that the others have passed.",
        .ref = "slurm.conf(5), bf_hetjob_prio; sched/backfill, backfill.c:_load_config",
        .bad = "SchedulerParameters=bf_hetjob_prio=high",
        .good = "SchedulerParameters=bf_hetjob_prio=avg",
        .needs = PLUMB_FACT_MODEL,
        .run = bf_hetjob_prio,
    },
};

const struct plumb_rule_family plumb_backfill_rules = {
    .prefix = "SCHED",
    .title = "Backfill",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
