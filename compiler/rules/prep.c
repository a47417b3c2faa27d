/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that prep/script runs on the controller. */
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* Requests put to slurmctld: 22.05 goes on, 24.11 does not load the plugin that runs them. */
static const struct plumb_era script_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
    {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_eras script_eras = PLUMB_ERAS(script_rows);

/* JOB103: prep_script.c:init, "Invalid PrologSlurmctld" */
static void relative_scripts(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(PROLOGSLURMCTLD), P(EPILOGSLURMCTLD)};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_setting *s = plumb_global(ck, ids[i]);

        if (s == NULL || s->value.len == 0 || s->value.text[0] == '/')
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, s->value.at, "%s is '%s', expected a path from the root on",
                                   plumb_param(ids[i])->name, s->value.text),
                      &script_eras);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "JOB103",
        .name = "controller-script-relative",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "PrologSlurmctld or EpilogSlurmctld is no path from the root on",
        .why = "slurmctld looks for it in the folder that it was started in, where it is not.",
        .ref = "slurm.conf(5), PrologSlurmctld; prep_script.c:init",
        .bad = "PrologSlurmctld=prolog.sh",
        .good = "PrologSlurmctld=/etc/slurm/prolog.sh",
        .needs = PLUMB_FACT_MODEL,
        .run = relative_scripts,
    },
};

const struct plumb_rule_family plumb_prep_rules = {
    .prefix = "JOB",
    .title = "Scripts of the controller",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
