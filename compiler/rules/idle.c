/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about settings that nobody reads beside others, and about DbdHost that is not there. */
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/*
 * AGREE040: priority/basic reads none of them; slurmctld itself asks for three
 * (acct_policy.c, job_mgr.c and partition_mgr.c).
 */
static void priority_flags(const struct plumb_check *ck)
{
    static const char *const alive[] = {"ACCRUE_ALWAYS", "MAX_TRES", "MAX_TRES_GRES"};
    const struct plumb_setting *s = plumb_global(ck, P(PRIORITYFLAGS));
    const struct plumb_setting *type = plumb_global(ck, P(PRIORITYTYPE));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice word;

    if (s == NULL || !plumb_plugin_in_force(ck, P(PRIORITYTYPE), "basic"))
        return;
    while (plumb_list_next(&s->value, ',', &c, &word)) {
        bool read = word.len == 0;

        for (size_t i = 0; i < PLUMB_COUNT(alive); i++)
            read = read || plumb_slice_is(&word, alive[i]);
        if (read)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, word.at,
                         "PriorityFlags '%s' does nothing with priority/basic%s, expected "
                         "priority/multifactor",
                         plumb_arena_strndup(ck->arena, word.text, word.len),
                         type == NULL ? ", the default" : "");

        if (type != NULL)
            plumb_diag_note(d, type->value.at, "PriorityType");
        plumb_outcome(ck, d, NULL);
        return;
    }
}

static const struct plumb_combo timeouts[] = {
    {.when = {{P(PROLOGEPILOGTIMEOUT), PLUMB_TEST_SET, NULL},
              {P(PROLOGTIMEOUT), PLUMB_TEST_SET, NULL},
              {P(EPILOGTIMEOUT), PLUMB_TEST_SET, NULL}},
     .message = "PrologEpilogTimeout limits nothing beside PrologTimeout and EpilogTimeout, "
                "expected it alone, or the other two"},
};
static const struct plumb_combos timeout_idle = {.items = timeouts, .count = PLUMB_COUNT(timeouts)};

/* AGREE042; a specification reports a database without a host itself. */
static void dbd_host(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (m->from_spec || !m->present[PLUMB_SLURMDBD_CONF] || m->unread[PLUMB_SLURMDBD_CONF] ||
        plumb_global(ck, PLUMB_P_DBD_DBDHOST) != NULL ||
        plumb_setting_bad(plumb_dbd(m), PLUMB_P_DBD_DBDHOST))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, m->file_at[PLUMB_SLURMDBD_CONF],
                               "slurmdbd.conf has no DbdHost and 'localhost' is taken, expected "
                               "the host name of its machine"),
                  NULL);
}

static const struct plumb_rule rows[] = {
    {
        .code = "AGREE040",
        .name = "priority-flags-basic",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMCTLD),
        .summary = "PriorityFlags with priority/basic",
        .why = "Jobs run in the order of their submission; the flags change factors that this "
               "plugin does not compute.",
        .ref = "slurm.conf(5), PriorityFlags",
        .bad = "PriorityType=priority/basic\nPriorityFlags=SMALL_RELATIVE_TO_TIME",
        .good = "PriorityType=priority/multifactor\nPriorityFlags=SMALL_RELATIVE_TO_TIME",
        .needs = PLUMB_FACT_MODEL,
        .run = priority_flags,
    },
    {
        .code = "AGREE041",
        .name = "prolog-epilog-timeout-idle",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURM_ALL),
        .summary = "PrologEpilogTimeout beside PrologTimeout and EpilogTimeout",
        .why = "Each of the two wins over it, so that a change of it changes nothing.",
        .ref = "slurm.conf(5), PrologTimeout, EpilogTimeout; read_config.c",
        .bad = "PrologEpilogTimeout=60\nPrologTimeout=120\nEpilogTimeout=120",
        .good = "PrologEpilogTimeout=60\nPrologTimeout=120",
        PLUMB_COMBO(timeout_idle),
    },
    {
        .code = "AGREE042",
        .name = "dbd-host-missing",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMDBD),
        .summary = "slurmdbd.conf without DbdHost",
        .why = "It listens as localhost and logs an error at each start; a backup cannot find it.",
        .ref = "slurmdbd.conf(5), DbdHost; slurmdbd/read_config.c:read_slurmdbd_conf",
        .bad = "# slurmdbd.conf\n"
               "StorageType=accounting_storage/mysql",
        .good = "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "StorageType=accounting_storage/mysql",
        .needs = PLUMB_FACT_MODEL,
        .run = dbd_host,
    },
};

const struct plumb_rule_family plumb_idle_rules = {
    .prefix = "AGREE",
    .title = "Settings that nobody reads beside others",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
