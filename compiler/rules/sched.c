/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about scheduling: what is allocated (SelectType and its modes), backfill, preemption,
 * defaults of memory, sizes of the job table.
 */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
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

/* The modes that exclude each other (_parse_select_type_param). */
static const char *const modes[] = {"CR_CPU",    "CR_CPU_Memory",    "CR_Core",  "CR_Core_Memory",
                                    "CR_Socket", "CR_Socket_Memory", "CR_Memory"};

static bool is_mode(const struct plumb_slice *item)
{
    for (size_t i = 0; i < PLUMB_COUNT(modes); i++) {
        if (plumb_slice_is(item, modes[i]))
            return true;
    }
    return false;
}

static const struct plumb_setting *select_modes(const struct plumb_check *ck,
                                                struct plumb_slice found[2], size_t *count)
{
    const struct plumb_setting *s = plumb_global(ck, P(SELECTTYPEPARAMETERS));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    *count = 0;
    while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        if (is_mode(&item) && *count < 2)
            found[(*count)++] = item;
    }
    return s;
}

/* SCHED003 */
static void two_modes(const struct plumb_check *ck)
{
    struct plumb_slice found[2];
    size_t count = 0;

    (void)select_modes(ck, found, &count);
    if (count < 2)
        return;

    struct plumb_diag *d =
        plumb_report(ck, found[1].at,
                     "'%s' is a second resource mode beside '%s' in SelectTypeParameters, "
                     "expected one",
                     plumb_arena_strndup(ck->arena, found[1].text, found[1].len),
                     plumb_arena_strndup(ck->arena, found[0].text, found[0].len));

    plumb_diag_note(d, found[0].at, "first mode");
    plumb_outcome(ck, d, NULL);
}

static const struct plumb_combo one_task[] = {
    {.when = {{P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_ONE_TASK_PER_CORE"},
              {P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_CPU"}},
     .message = "'CR_ONE_TASK_PER_CORE' cannot stand with 'CR_CPU', expected 'CR_Core'"},
    {.when = {{P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_ONE_TASK_PER_CORE"},
              {P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_CPU_Memory"}},
     .message = "'CR_ONE_TASK_PER_CORE' cannot stand with 'CR_CPU_Memory', expected "
                "'CR_Core_Memory'"},
};
static const struct plumb_combos one_task_per_core = {.items = one_task,
                                                      .count = PLUMB_COUNT(one_task)};

/* SCHED005: select_p_node_init wants cores, CPUs or sockets. */
static void no_mode(const struct plumb_check *ck)
{
    struct plumb_slice found[2];
    size_t count = 0;
    const struct plumb_setting *s = select_modes(ck, found, &count);

    if (s == NULL || count > 1 || !plumb_plugin_in_force(ck, P(SELECTTYPE), "cons_tres") ||
        plumb_setting_bad(plumb_slurm(ck->model), P(SELECTTYPEPARAMETERS)))
        return;
    if (count == 1 && !plumb_slice_is(&found[0], "CR_Memory"))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "SelectTypeParameters '%s' names no CPUs, cores or sockets for "
                               "'select/cons_tres', expected a mode such as 'CR_Core_Memory'",
                               s->value.text),
                  NULL);
}

/* SCHED006: select/linear, and above it select/cray_aries, hand out whole nodes. */
static void linear_mode(const struct plumb_check *ck)
{
    struct plumb_slice found[2];
    size_t count = 0;
    const struct plumb_setting *s = select_modes(ck, found, &count);
    bool cray = plumb_plugin_in_force(ck, P(SELECTTYPE), "cray_aries") &&
                ck->model->release <= PLUMB_23_11; /* later the plugin itself is missed */

    if (s == NULL || count != 1 || plumb_slice_is(&found[0], "CR_Memory"))
        return;
    if (!cray && !plumb_plugin_in_force(ck, P(SELECTTYPE), "linear"))
        return;

    const struct plumb_setting *type = plumb_global(ck, P(SELECTTYPE));
    struct plumb_diag *d = plumb_report(
        ck, found[0].at, "'%s' is no mode of 'select/%s', expected 'CR_Memory' or none",
        plumb_arena_strndup(ck->arena, found[0].text, found[0].len),
        cray ? "cray_aries" : "linear");

    if (type != NULL)
        plumb_diag_note(d, type->value.at, "whole nodes are allocated");
    else
        plumb_diag_fact(d, "SelectType is not set; Slurm %s takes 'select/linear'",
                        plumb_series(ck));
    plumb_outcome(ck, d, NULL);
}

static const struct plumb_combo no_type[] = {
#define NO_TYPE(mode)                                                                              \
    {.when = {{P(PREEMPTMODE), PLUMB_TEST_WORD, mode}, {P(PREEMPTTYPE), PLUMB_TEST_UNSET, NULL}},  \
     .message = "PreemptMode '" mode "' needs a PreemptType, which is not set, expected "          \
                "'preempt/qos' or 'preempt/partition_prio'"},                                      \
    {                                                                                              \
        .when = {{P(PREEMPTMODE), PLUMB_TEST_WORD, mode},                                          \
                 {P(PREEMPTTYPE), PLUMB_TEST_HOLDS, "none"}},                                      \
        .message = "PreemptMode '" mode "' needs a PreemptType, found none, expected "             \
                   "'preempt/qos' or 'preempt/partition_prio'"                                     \
    }
    NO_TYPE("CANCEL"),
    NO_TYPE("REQUEUE"),
    NO_TYPE("SUSPEND"),
#undef NO_TYPE
};
static const struct plumb_combos mode_without_type = {.items = no_type,
                                                      .count = PLUMB_COUNT(no_type)};

/* SCHED008: a type that preempts needs a way to do it. */
static void type_without_mode(const struct plumb_check *ck)
{
    const struct plumb_setting *type = plumb_global(ck, P(PREEMPTTYPE));
    const struct plumb_setting *mode = plumb_global(ck, P(PREEMPTMODE));

    if (type == NULL || plumb_slice_holds(&type->value, "none") ||
        plumb_setting_bad(plumb_slurm(ck->model), P(PREEMPTMODE)))
        return;
    if (mode != NULL && (plumb_list_find(&mode->value, "CANCEL", NULL) ||
                         plumb_list_find(&mode->value, "REQUEUE", NULL) ||
                         plumb_list_find(&mode->value, "SUSPEND", NULL)))
        return;

    struct plumb_diag *d =
        plumb_report(ck, type->value.at,
                     "PreemptType '%s' needs a PreemptMode, %s%s%s, expected 'REQUEUE', 'CANCEL' "
                     "or 'SUSPEND,GANG'",
                     type->value.text, mode != NULL ? "found '" : "which is not set",
                     mode != NULL ? mode->value.text : "", mode != NULL ? "'" : "");

    if (mode != NULL)
        plumb_diag_note(d, mode->value.at, "no way to preempt");
    plumb_outcome(ck, d, NULL);
}

static const struct plumb_combo suspend[] = {
    {.when = {{P(PREEMPTMODE), PLUMB_TEST_WORD, "SUSPEND"},
              {P(PREEMPTMODE), PLUMB_TEST_NO_WORD, "GANG"},
              {P(PREEMPTTYPE), PLUMB_TEST_SET, NULL},
              {P(PREEMPTTYPE), PLUMB_TEST_LACKS, "none"}},
     .message = "PreemptMode 'SUSPEND' needs 'GANG' to resume jobs, expected 'SUSPEND,GANG'"},
};
static const struct plumb_combos suspend_gang = {.items = suspend, .count = PLUMB_COUNT(suspend)};

static const struct plumb_combo exclusive_modes[] = {
#define TWO(a, b)                                                                                  \
    {                                                                                              \
        .when = {{P(PREEMPTMODE), PLUMB_TEST_WORD, a}, {P(PREEMPTMODE), PLUMB_TEST_WORD, b}},      \
        .message = "'" a "' and '" b "' exclude each other in PreemptMode, expected one of them"   \
    }
    TWO("CANCEL", "REQUEUE"), TWO("CANCEL", "SUSPEND"), TWO("REQUEUE", "SUSPEND"),
    TWO("GANG", "WITHIN"),    TWO("GANG", "PRIORITY"),
#undef TWO
};
static const struct plumb_combos preempt_modes = {.items = exclusive_modes,
                                                  .count = PLUMB_COUNT(exclusive_modes)};

static const struct plumb_combo two_memories[] = {
    {.when = {{P(DEFMEMPERCPU), PLUMB_TEST_POSITIVE, NULL},
              {P(DEFMEMPERNODE), PLUMB_TEST_POSITIVE, NULL}},
     .message = "DefMemPerCPU stands beside DefMemPerNode, which wins, expected one of them"},
    {.when = {{P(MAXMEMPERCPU), PLUMB_TEST_POSITIVE, NULL},
              {P(MAXMEMPERNODE), PLUMB_TEST_POSITIVE, NULL}},
     .message = "MaxMemPerCPU stands beside MaxMemPerNode, which wins, expected one of them"},
};
static const struct plumb_combos memory_pairs = {.items = two_memories,
                                                 .count = PLUMB_COUNT(two_memories)};

static bool partition_has_default(const struct plumb_partition *p)
{
    static const enum plumb_param_id ids[] = {PLUMB_P_PART_DEFMEMPERCPU, PLUMB_P_PART_DEFMEMPERNODE,
                                              PLUMB_P_PART_DEFMEMPERGPU};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        if (plumb_setting(&p->settings, ids[i]) != NULL || plumb_setting_bad(&p->settings, ids[i]))
            return true;
    }
    return false;
}

static bool global_default_memory(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(DEFMEMPERCPU), P(DEFMEMPERNODE), P(DEFMEMPERGPU)};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        if (plumb_global(ck, ids[i]) != NULL || plumb_setting_bad(plumb_slurm(ck->model), ids[i]))
            return true;
    }
    return false;
}

/* SCHED012: without a default a job that asks for no memory takes all of a node. */
static void no_default_memory(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(SELECTTYPEPARAMETERS));
    const struct plumb_model *m = ck->model;
    const struct plumb_partition *lacks = NULL;
    size_t lacking = 0;

    if (s == NULL || !plumb_memory_consumable(ck) || global_default_memory(ck))
        return;
    for (size_t i = 0; i < m->partition_count; i++) {
        if (partition_has_default(&m->partitions[i]))
            continue;
        lacks = lacks == NULL ? &m->partitions[i] : lacks;
        lacking++;
    }
    if (lacks == NULL)
        return;
    if (lacking == m->partition_count && plumb_span_known(s->value.at))
        plumb_report(ck, s->value.at,
                     "memory is allocated to jobs, but nothing says how much a job without --mem "
                     "gets, expected DefMemPerCPU, DefMemPerNode or DefMemPerGPU");
    else
        plumb_report(ck, lacks->name.at,
                     "partition '%s' has no default of memory and neither has the cluster, "
                     "expected DefMemPerCPU, DefMemPerNode or DefMemPerGPU",
                     lacks->name.v);
}

/* Settings that suppose that memory is allocated. */
static struct plumb_span supposes_memory(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(DEFMEMPERCPU), P(DEFMEMPERNODE), P(DEFMEMPERGPU),
                                              P(MAXMEMPERCPU), P(MAXMEMPERNODE)};
    const struct plumb_model *m = ck->model;
    struct plumb_u64 v;

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        v = plumb_global_u64(ck, ids[i]);
        if (plumb_written(v) && v.v > 0)
            return v.at;
    }
    for (size_t i = 0; i < m->node_count; i++) {
        v = plumb_setting_u64(&m->nodes[i].settings, PLUMB_P_NODE_MEMSPECLIMIT, m->release);
        if (plumb_written(v) && v.v > 0)
            return v.at;
    }

    struct plumb_bool ram =
        plumb_setting_bool(plumb_cgroup(m), PLUMB_P_CGROUP_CONSTRAINRAMSPACE, m->release);

    if (ram.origin == PLUMB_GIVEN && ram.v)
        return ram.at;
    return (struct plumb_span){0, 0, 0};
}

/* SCHED013 */
static void memory_not_allocated(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(SELECTTYPEPARAMETERS));
    struct plumb_slice found[2];
    size_t count = 0;

    (void)select_modes(ck, found, &count);
    if (s == NULL || count != 1 || plumb_slice_holds(&found[0], "Memory"))
        return;

    struct plumb_span at = supposes_memory(ck);

    if (!plumb_span_known(at))
        return;

    struct plumb_diag *d = plumb_report(
        ck, found[0].at,
        "memory is not allocated with '%s', so limits and defaults of memory count for nothing, "
        "expected a '_Memory' mode",
        plumb_arena_strndup(ck->arena, found[0].text, found[0].len));

    plumb_diag_note(d, at, "this supposes that memory is allocated");
}

static const struct plumb_era tree_eras[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    {PLUMB_23_11, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_combo tree[] = {
    {.when = {{P(SELECTTYPE), PLUMB_TEST_IS, "linear"}, {P(TOPOLOGYPLUGIN), PLUMB_TEST_IS, "tree"}},
     .message = "'select/linear' knows no 'topology/tree', expected 'select/cons_tres'"},
};
static const struct plumb_combos linear_tree = {
    .items = tree, .count = PLUMB_COUNT(tree), .eras = PLUMB_ERAS(tree_eras)};

/* SCHED015: every task of an array is a job record. */
static void array_size(const struct plumb_check *ck)
{
    struct plumb_u64 array = plumb_global_u64(ck, P(MAXARRAYSIZE));
    struct plumb_u64 jobs = plumb_global_u64(ck, P(MAXJOBCOUNT));

    if (!plumb_written(array) || !plumb_usable(jobs) || array.v <= jobs.v)
        return;

    struct plumb_diag *d =
        plumb_report(ck, array.at,
                     "MaxArraySize is %" PRIu64 ", but MaxJobCount %s %" PRIu64
                     " and every task is a job, expected MaxJobCount to be larger",
                     array.v, plumb_written(jobs) ? "is" : "defaults to", jobs.v);

    if (plumb_written(jobs))
        plumb_diag_note(d, jobs.at, "the job table");
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

/* SCHED018 */
static void job_ids(const struct plumb_check *ck)
{
    struct plumb_u64 first = plumb_global_u64(ck, P(FIRSTJOBID));
    struct plumb_u64 last = plumb_global_u64(ck, P(MAXJOBID));

    if (!plumb_usable(first) || !plumb_usable(last) || first.v <= last.v)
        return;

    struct plumb_diag *d = plumb_report(ck, plumb_written(last) ? last.at : first.at,
                                        "FirstJobId is %" PRIu64 ", but MaxJobId is %" PRIu64
                                        ", expected it to be larger",
                                        first.v, last.v);

    plumb_outcome(ck, d, NULL);
}

/* SCHED019 */
static void dynamic_select(const struct plumb_check *ck)
{
    const struct plumb_setting *type = plumb_global(ck, P(SELECTTYPE));
    const struct plumb_setting *count = plumb_global(ck, P(MAXNODECOUNT));
    struct plumb_u64 nodes = plumb_global_u64(ck, P(MAXNODECOUNT));
    struct plumb_diag *d = NULL;

    if (count == NULL || !plumb_written(nodes) ||
        (nodes.v == 0 && ck->model->release < PLUMB_24_11) ||
        plumb_setting_bad(plumb_slurm(ck->model), P(SELECTTYPE)) ||
        plumb_plugin_in_force(ck, P(SELECTTYPE), "cons_tres"))
        return;
    d = plumb_report(ck, count->value.at, "MaxNodeCount needs 'select/cons_tres', found '%s'",
                     type != NULL ? type->value.text : "select/linear");
    if (type != NULL)
        plumb_diag_note(d, type->value.at, "the plugin is set here");
    else
        plumb_diag_fact(d, "SelectType is not set; Slurm %s takes 'select/linear'",
                        plumb_series(ck));
    plumb_outcome(ck, d, NULL);
}

/*
 * SCHED020: licenses.c:_build_license_list. Behind the first ':' or '=' stands a number that fits
 * into 31 bits; no text there is 0.
 */
static void licenses_unreadable(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(LICENSES));
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        size_t name = 0, digits = 0;
        uint64_t count = 0;

        if (memchr(item.text, ';', item.len) != NULL) /* it parts items too */
            continue;
        while (name < item.len && item.text[name] != ':' && item.text[name] != '=')
            name++;
        if (name + 1 >= item.len || item.text[name + 1] == '+')
            continue;

        struct plumb_slice number = plumb_slice_sub(&item, name + 1, item.len);

        digits = plumb_read_digits(number.text, number.len, &count);
        if (digits == number.len && count <= INT32_MAX)
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, number.at,
                                   "license '%.*s' has the count '%.*s', expected a number from 0 "
                                   "to 2147483647",
                                   (int)name, item.text, (int)number.len, number.text),
                      NULL);
    }
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
        .code = "SCHED003",
        .name = "select-two-modes",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "SelectTypeParameters names two resource modes",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), SelectTypeParameters; read_config.c:_parse_select_type_param",
        .bad = "SelectTypeParameters=CR_Core_Memory,CR_Socket",
        .good = "SelectTypeParameters=CR_Core_Memory",
        .needs = PLUMB_FACT_MODEL,
        .run = two_modes,
    },
    {
        .code = "SCHED004",
        .name = "select-one-task-cpu",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "CR_ONE_TASK_PER_CORE with CR_CPU",
        .why = "One task per core makes sense only where cores are handed out.",
        .ref = "slurm.conf(5), SelectTypeParameters; read_config.c:_parse_select_type_param",
        .bad = "SelectTypeParameters=CR_CPU_Memory,CR_ONE_TASK_PER_CORE",
        .good = "SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE",
        PLUMB_COMBO(one_task_per_core),
    },
    {
        .code = "SCHED005",
        .name = "select-no-mode",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "select/cons_tres without CPUs, cores or sockets",
        .why = "slurmctld cannot tell what a job gets.",
        .ref = "slurm.conf(5), SelectTypeParameters; select_cons_tres.c:select_p_node_init",
        .bad = "SelectTypeParameters=CR_Memory",
        .good = "SelectTypeParameters=CR_Core_Memory",
        .needs = PLUMB_FACT_MODEL,
        .run = no_mode,
    },
    {
        .code = "SCHED006",
        .name = "select-linear-mode",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a mode of cons_tres with select/linear",
        .why = "select/linear allocates whole nodes, and refuses other modes; so does "
               "select/cray_aries, which stands above it.",
        .ref = "slurm.conf(5), SelectTypeParameters; select_linear.c:select_p_node_init",
        .bad = "SelectType=select/linear\nSelectTypeParameters=CR_Core",
        .good = "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core",
        .needs = PLUMB_FACT_MODEL,
        .run = linear_mode,
    },
    {
        .code = "SCHED007",
        .name = "preempt-mode-without-type",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PreemptMode without PreemptType",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), PreemptMode; read_config.c:_validate_and_set_defaults",
        .bad = "PreemptMode=REQUEUE",
        .good = "PreemptType=preempt/qos\nPreemptMode=REQUEUE",
        PLUMB_COMBO(mode_without_type),
    },
    {
        .code = "SCHED008",
        .name = "preempt-type-without-mode",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PreemptType without a PreemptMode that preempts",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), PreemptMode; read_config.c:_validate_and_set_defaults",
        .bad = "PreemptType=preempt/partition_prio",
        .good = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE",
        .needs = PLUMB_FACT_MODEL,
        .run = type_without_mode,
    },
    {
        .code = "SCHED009",
        .name = "preempt-suspend-gang",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PreemptMode SUSPEND without GANG",
        .why = "The gang scheduler is what resumes suspended jobs.",
        .ref = "slurm.conf(5), PreemptMode; read_config.c:_validate_and_set_defaults",
        .bad = "PreemptMode=SUSPEND",
        .good = "PreemptMode=SUSPEND,GANG",
        PLUMB_COMBO(suspend_gang),
    },
    {
        .code = "SCHED010",
        .name = "preempt-mode-words",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PreemptMode words that exclude each other",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), PreemptMode; slurm_protocol_defs.c:preempt_mode_num",
        .bad = "PreemptMode=CANCEL,REQUEUE",
        .good = "PreemptMode=REQUEUE",
        PLUMB_COMBO(preempt_modes),
    },
    {
        .code = "SCHED011",
        .name = "memory-per-cpu-and-node",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "a memory default or limit per CPU beside one per node",
        .why = "The one per CPU is dropped.",
        .ref = "slurm.conf(5), DefMemPerCPU, MaxMemPerCPU; read_config.c",
        .bad = "DefMemPerCPU=4000\nDefMemPerNode=64000",
        .good = "DefMemPerCPU=4000",
        PLUMB_COMBO(memory_pairs),
    },
    {
        .code = "SCHED012",
        .name = "no-default-memory",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "memory is allocated, but jobs have no default",
        .why = "A job without --mem takes all memory of its node: one job per node runs although "
               "cores and GPUs are free.",
        .ref = "slurm.conf(5), DefMemPerCPU",
        .bad = "SelectTypeParameters=CR_Core_Memory",
        .good = "SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=4000",
        .needs = PLUMB_FACT_MODEL,
        .run = no_default_memory,
    },
    {
        .code = "SCHED013",
        .name = "memory-not-allocated",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMCTLD),
        .summary = "limits of memory although memory is not allocated",
        .why = "Jobs overcommit the memory of a node although the file looks as if it were "
               "limited.",
        .ref = "slurm.conf(5), RealMemory, SelectTypeParameters",
        .bad = "SelectTypeParameters=CR_Core\nDefMemPerCPU=4000",
        .good = "SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=4000",
        .needs = PLUMB_FACT_MODEL,
        .run = memory_not_allocated,
    },
    {
        .code = "SCHED014",
        .name = "select-linear-tree",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "select/linear with topology/tree",
        .why = "select/linear lost its tree with 23.11.",
        .ref = "slurm.conf(5), TopologyPlugin; read_config.c:_validate_and_set_defaults",
        .bad = "SelectType=select/linear\nTopologyPlugin=topology/tree",
        .good = "SelectType=select/cons_tres\nTopologyPlugin=topology/tree",
        PLUMB_COMBO(linear_tree),
    },
    {
        .code = "SCHED015",
        .name = "array-larger-than-job-table",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "MaxArraySize above MaxJobCount",
        .why = "Such an array cannot be expanded: submissions fail once the table is full.",
        .ref = "slurm.conf(5), MaxArraySize",
        .bad = "MaxArraySize=100001",
        .good = "MaxArraySize=100001\nMaxJobCount=300000",
        .needs = PLUMB_FACT_MODEL,
        .run = array_size,
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
        .code = "SCHED018",
        .name = "job-id-range",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "FirstJobId above MaxJobId",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), FirstJobId; read_config.c:_validate_and_set_defaults",
        .bad = "FirstJobId=1000\nMaxJobId=999",
        .good = "FirstJobId=1000\nMaxJobId=67043328",
        .needs = PLUMB_FACT_MODEL,
        .run = job_ids,
    },
    {
        .code = "SCHED019",
        .name = "dynamic-nodes-select",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "MaxNodeCount with another plugin than select/cons_tres",
        .why = "Only cons_tres has room for nodes that register by themselves. Every daemon "
               "refuses the file.",
        .ref = "slurm.conf(5), MaxNodeCount; read_config.c:_validate_and_set_defaults",
        .bad = "SelectType=select/linear\nMaxNodeCount=100",
        .good = "SelectType=select/cons_tres\nMaxNodeCount=100",
        .needs = PLUMB_FACT_MODEL,
        .run = dynamic_select,
    },
    {
        .code = "SCHED020",
        .name = "license-count",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a count in Licenses is no number",
        .why = "slurmctld ends. Suffixes such as k are not read here.",
        .ref = "slurm.conf(5), Licenses; licenses.c:_build_license_list",
        .bad = "Licenses=ansys:2k",
        .good = "Licenses=ansys:2000",
        .needs = PLUMB_FACT_MODEL,
        .run = licenses_unreadable,
    },
};

const struct plumb_rule_family plumb_sched_rules = {
    .prefix = "SCHED",
    .title = "Scheduler, preemption, allocation",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
