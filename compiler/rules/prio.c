/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about job priority. Weights over TRES are beside the other TRES lists, in acct.c. */
#include <inttypes.h>

#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

static const enum plumb_param_id weights[] = {P(PRIORITYWEIGHTAGE),     P(PRIORITYWEIGHTFAIRSHARE),
                                              P(PRIORITYWEIGHTJOBSIZE), P(PRIORITYWEIGHTPARTITION),
                                              P(PRIORITYWEIGHTQOS),     P(PRIORITYWEIGHTASSOC)};

/* PRIO001: both factors are read from the database (priority_multifactor.c:init). */
static void needs_database(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(PRIORITYWEIGHTAGE), P(PRIORITYWEIGHTFAIRSHARE)};

    if (plumb_has_slurmdbd(ck) || !plumb_plugin_in_force(ck, P(PRIORITYTYPE), "multifactor") ||
        plumb_setting_bad(plumb_slurm(ck->model), P(ACCOUNTINGSTORAGETYPE)))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        struct plumb_u64 v = plumb_global_u64(ck, ids[i]);

        if (!plumb_written(v) || v.v == 0)
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, v.at,
                                   "%s is %" PRIu64 ", but counts with "
                                   "'accounting_storage/slurmdbd' only and is taken as 0",
                                   plumb_param(ids[i])->name, v.v),
                      NULL);
    }
}

static const struct plumb_combo half_life[] = {
    {.when = {{P(PRIORITYDECAYHALFLIFE), PLUMB_TEST_ZERO, NULL},
              {P(PRIORITYUSAGERESETPERIOD), PLUMB_TEST_UNSET, NULL}},
     .message = "PriorityDecayHalfLife '0' never forgets usage, expected PriorityUsageResetPeriod "
                "beside it"},
    {.when = {{P(PRIORITYDECAYHALFLIFE), PLUMB_TEST_ZERO, NULL},
              {P(PRIORITYUSAGERESETPERIOD), PLUMB_TEST_IS, "none"}},
     .message = "PriorityDecayHalfLife '0' never forgets usage, and PriorityUsageResetPeriod is "
                "'none', expected a period"},
};
static const struct plumb_combos no_decay = {.items = half_life, .count = PLUMB_COUNT(half_life)};

/* 32 bits hold INFINITE and UNLIMITED as their highest number (parse_config.c:_store_uint32_t). */
static uint64_t weight_of(struct plumb_u64 v)
{
    return v.v == PLUMB_UNLIMITED ? UINT32_MAX : v.v;
}

/* PRIO003 */
static void weight_sum(const struct plumb_check *ck)
{
    struct plumb_u64 last = {0, {0, 0, 0}, PLUMB_ABSENT};
    uint64_t sum = 0;

    for (size_t i = 0; i < PLUMB_COUNT(weights); i++) {
        struct plumb_u64 v = plumb_global_u64(ck, weights[i]);

        if (!plumb_written(v))
            continue;
        sum += weight_of(v);
        last = v.v > last.v ? v : last;
    }
    if (sum <= UINT32_MAX || !plumb_written(last))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, last.at,
                               "the weights of PriorityWeight* add up to %" PRIu64
                               ", expected at most %" PRIu32,
                               sum, UINT32_MAX),
                  NULL);
}

/* PRIO004: priority/basic reads no weight. */
static void basic_ignores(const struct plumb_check *ck)
{
    const struct plumb_setting *type = plumb_global(ck, P(PRIORITYTYPE));

    if (!plumb_plugin_in_force(ck, P(PRIORITYTYPE), "basic"))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(weights); i++) {
        struct plumb_u64 v = plumb_global_u64(ck, weights[i]);

        if (!plumb_written(v) || v.v == 0)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, v.at,
                         "%s is set, but PriorityType %s 'priority/basic', expected "
                         "'priority/multifactor'",
                         plumb_param(weights[i])->name, type != NULL ? "is" : "defaults to");

        if (type != NULL)
            plumb_diag_note(d, type->value.at, "first in, first out");
        plumb_outcome(ck, d, NULL);
        return;
    }
}

static const struct plumb_combo oblivious[] = {
    {.when = {{P(PRIORITYFLAGS), PLUMB_TEST_WORD, "DEPTH_OBLIVIOUS"},
              {P(PRIORITYFLAGS), PLUMB_TEST_WORD, "FAIR_TREE"}},
     .message = "'DEPTH_OBLIVIOUS' turns 'FAIR_TREE' off, expected one of them"},
};
static const struct plumb_combos fair_tree = {.items = oblivious, .count = PLUMB_COUNT(oblivious)};

/* PRIO006: longer than Slurm's default of a week, usage of last month still counts. */
static void decay_long(const struct plumb_check *ck)
{
    enum { WEEK = 7 * 24 * 60 };
    const struct plumb_setting *s = plumb_global(ck, P(PRIORITYDECAYHALFLIFE));
    uint64_t minutes = 0;

    if (s == NULL || plumb_value_minutes(&s->value, &minutes) != PLUMB_VALUE_OK ||
        minutes == PLUMB_UNLIMITED || minutes <= WEEK)
        return;
    plumb_report(ck, s->value.at,
                 "PriorityDecayHalfLife is %" PRIu64 " days, so what an account used %" PRIu64
                 " days ago still counts for a quarter; Slurm's default is 7 days",
                 minutes / (UINT64_C(24) * 60), 2 * minutes / (UINT64_C(24) * 60));
}

/* PRIO007: only priority/multifactor loads the plugin (priority_multifactor.c:init). */
static void site_factor(const struct plumb_check *ck)
{
    static const struct plumb_era eras_rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
        {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(eras_rows);
    const struct plumb_setting *s = plumb_global(ck, P(PRIORITYSITEFACTORPLUGIN));
    const struct plumb_param *row = plumb_param_row(ck->table, P(PRIORITYSITEFACTORPLUGIN));

    if (s != NULL && plumb_param_at(row, ck->model->release)->none &&
        plumb_slice_holds(&s->value, "none"))
        return;
    /* A site may have built its own, so a name of the right kind is believed. */
    if (s == NULL || s->value.len == 0 || plumb_starts_with(s->value.text, "site_factor/") ||
        !plumb_plugin_in_force(ck, P(PRIORITYTYPE), "multifactor"))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "'%s' is no site factor plugin, expected site_factor/ and a name",
                               s->value.text),
                  &eras);
}

static const struct plumb_rule rows[] = {
    {
        .code = "PRIO001",
        .name = "weights-need-slurmdbd",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "age or fair-share weights without slurmdbd",
        .why = "slurmctld takes the weights as 0: jobs are ordered otherwise than written.",
        .ref = "slurm.conf(5), PriorityWeightFairshare; priority_multifactor.c:init",
        .bad = "PriorityWeightFairshare=10000",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\nPriorityWeightFairshare=10000",
        .needs = PLUMB_FACT_MODEL,
        .run = needs_database,
    },
    {
        .code = "PRIO002",
        .name = "decay-needs-reset",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PriorityDecayHalfLife 0 without PriorityUsageResetPeriod",
        .why = "Usage would only grow; every daemon and command refuses the file.",
        .ref = "slurm.conf(5), PriorityDecayHalfLife; read_config.c:_validate_and_set_defaults",
        .bad = "PriorityDecayHalfLife=0",
        .good = "PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=MONTHLY",
        PLUMB_COMBO(no_decay),
    },
    {
        .code = "PRIO003",
        .name = "weights-overflow",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "priority weights add up to more than 32 bits",
        .why = "Priorities are cut off, so unequal jobs get equal ones.",
        .ref = "read_config.c:_validate_and_set_defaults",
        .bad = "PriorityWeightQOS=4000000000\n"
               "PriorityWeightJobSize=1000000000",
        .good = "PriorityWeightQOS=4000\n"
                "PriorityWeightJobSize=1000",
        .needs = PLUMB_FACT_MODEL,
        .run = weight_sum,
    },
    {
        .code = "PRIO004",
        .name = "weights-with-basic",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMCTLD),
        .summary = "priority weights with priority/basic",
        .why = "Jobs run in the order of submission; to 23.02 priority/basic is the default.",
        .ref = "slurm.conf(5), PriorityType",
        .bad = "PriorityType=priority/basic\nPriorityWeightQOS=1000",
        .good = "PriorityType=priority/multifactor\nPriorityWeightQOS=1000",
        .needs = PLUMB_FACT_MODEL,
        .run = basic_ignores,
    },
    {
        .code = "PRIO005",
        .name = "fair-tree-oblivious",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "PriorityFlags FAIR_TREE with DEPTH_OBLIVIOUS",
        .why = "They are two algorithms, and the second one counts.",
        .ref = "slurm.conf(5), PriorityFlags",
        .bad = "PriorityFlags=FAIR_TREE,DEPTH_OBLIVIOUS",
        .good = "PriorityFlags=DEPTH_OBLIVIOUS",
        PLUMB_COMBO(fair_tree),
    },
    {
        .code = "PRIO006",
        .name = "sched-decay-long",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "usage decays more slowly than by Slurm's default",
        .why = "An account that used much long ago waits behind others that use much now.",
        .ref = "slurm.conf(5), PriorityDecayHalfLife",
        .bad = "PriorityDecayHalfLife=30-0",
        .good = "PriorityDecayHalfLife=7-0",
        .needs = PLUMB_FACT_MODEL,
        .run = decay_long,
    },
    {
        .code = "PRIO007",
        .name = "site-factor-kind",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "PrioritySiteFactorPlugin names a plugin of another kind",
        .why = "No such plugin can be loaded. Releases before 24.11 go on without it.",
        .ref = "slurm.conf(5), PrioritySiteFactorPlugin; site_factor.c:site_factor_g_init",
        .bad = "PriorityType=priority/multifactor\nPrioritySiteFactorPlugin=example",
        .good = "PriorityType=priority/multifactor\nPrioritySiteFactorPlugin=site_factor/example",
        .needs = PLUMB_FACT_MODEL,
        .run = site_factor,
    },
};

const struct plumb_rule_family plumb_prio_rules = {
    .prefix = "PRIO",
    .title = "Priority",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
