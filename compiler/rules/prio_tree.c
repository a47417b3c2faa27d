/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the fair-share tree of priority/multifactor. */
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* The thread that lets usage decay began with the plugin, then also without associations. */
static const struct plumb_era orphan_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, true},
    {PLUMB_23_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_25_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, true},
};
static const struct plumb_eras orphan_eras = PLUMB_ERAS(orphan_rows);

/* PRIO008: priority_multifactor.c:_decay_thread follows the root association, which is not there */
static void tree_without_associations(const struct plumb_check *ck)
{
    static const char *const words[] = {"NO_FAIR_TREE", "DEPTH_OBLIVIOUS"};
    const struct plumb_setting *flags = plumb_global(ck, P(PRIORITYFLAGS));

    if (flags == NULL || plumb_era_quiet(ck, &orphan_eras) || plumb_has_slurmdbd(ck) ||
        plumb_setting_bad(plumb_slurm(ck->model), P(ACCOUNTINGSTORAGETYPE)) ||
        !plumb_plugin_in_force(ck, P(PRIORITYTYPE), "multifactor"))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        struct plumb_slice item;

        if (!plumb_list_find(&flags->value, words[i], &item))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   "'%s' needs the associations of slurmdbd, without which "
                                   "slurmctld crashes, expected 'accounting_storage/slurmdbd' or "
                                   "no '%s'",
                                   words[i], words[i]),
                      &orphan_eras);
        return;
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "PRIO008",
        .name = "tree-without-slurmdbd",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "another fair-share algorithm than FAIR_TREE without slurmdbd",
        .why = "From 23.11 to 25.05 usage is computed without looking whether there are "
               "associations: slurmctld dies within a second of its start.",
        .ref = "priority_multifactor.c:_decay_thread",
        .bad = "PriorityFlags=NO_FAIR_TREE",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "PriorityFlags=NO_FAIR_TREE",
        .needs = PLUMB_FACT_MODEL,
        .run = tree_without_associations,
    },
};

const struct plumb_rule_family plumb_prio_tree_rules = {
    .prefix = "PRIO",
    .title = "The fair-share tree",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
