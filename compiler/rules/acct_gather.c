/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about usage of jobs that is gathered and stored. */
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

static const struct plumb_combo gather[] = {
    {.when = {{P(JOBACCTGATHERTYPE), PLUMB_TEST_SET, NULL},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_LACKS, "none"},
              {P(ACCOUNTINGSTORAGETYPE), PLUMB_TEST_UNSET, NULL}},
     .message = "usage of jobs is gathered but not stored, as AccountingStorageType is not set, "
                "expected 'accounting_storage/slurmdbd'"},
    {.when = {{P(JOBACCTGATHERTYPE), PLUMB_TEST_SET, NULL},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_LACKS, "none"},
              {P(ACCOUNTINGSTORAGETYPE), PLUMB_TEST_HOLDS, "none"}},
     .message = "usage of jobs is gathered but not stored, as AccountingStorageType is none, "
                "expected 'accounting_storage/slurmdbd'"},
};
static const struct plumb_combos gathered_not_stored = {.items = gather,
                                                        .count = PLUMB_COUNT(gather)};

static const struct plumb_combo stored[] = {
    {.when = {{P(ACCOUNTINGSTORAGETYPE), PLUMB_TEST_IS, "slurmdbd"},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_UNSET, NULL}},
     .message = "jobs are stored without memory and CPU usage, as JobAcctGatherType is not set, "
                "expected 'jobacct_gather/cgroup'"},
};
static const struct plumb_combos stored_not_gathered = {.items = stored,
                                                        .count = PLUMB_COUNT(stored)};

static const struct plumb_combo pgid[] = {
    {.when = {{P(JOBACCTGATHERTYPE), PLUMB_TEST_SET, NULL},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_LACKS, "none"},
              {P(PROCTRACKTYPE), PLUMB_TEST_IS, "pgid"}},
     .message = "usage is gathered by a scan of all processes, as 'proctrack/pgid' tracks none, "
                "expected 'proctrack/cgroup'"},
};
static const struct plumb_combos gather_pgid = {.items = pgid, .count = PLUMB_COUNT(pgid)};

static const struct plumb_rule rows[] = {
    {
        .code = "ACCT012",
        .name = "gathered-not-stored",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "JobAcctGatherType without AccountingStorageType",
        .why = "Nodes measure jobs for nothing.",
        .ref = "slurm.conf(5), JobAcctGatherType; jobacct_gather.c, controller.c",
        .bad = "JobAcctGatherType=jobacct_gather/cgroup",
        .good = "JobAcctGatherType=jobacct_gather/cgroup\n"
                "AccountingStorageType=accounting_storage/slurmdbd",
        PLUMB_COMBO(gathered_not_stored),
    },
    {
        .code = "ACCT013",
        .name = "stored-not-gathered",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "AccountingStorageType without JobAcctGatherType",
        .why = "sacct shows no MaxRSS and no CPU time.",
        .ref = "slurm.conf(5), JobAcctGatherType; controller.c",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "JobAcctGatherType=jobacct_gather/cgroup",
        PLUMB_COMBO(stored_not_gathered),
    },
    {
        .code = "ACCT014",
        .name = "gather-with-pgid",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "JobAcctGatherType with proctrack/pgid",
        .why = "Every sample reads all of /proc.",
        .ref = "slurm.conf(5), JobAcctGatherType; interfaces/jobacct_gather.c",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "JobAcctGatherType=jobacct_gather/linux\n"
               "ProctrackType=proctrack/pgid",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "JobAcctGatherType=jobacct_gather/linux\n"
                "ProctrackType=proctrack/cgroup",
        PLUMB_COMBO(gather_pgid),
    },
};

const struct plumb_rule_family plumb_acct_gather_rules = {
    .prefix = "ACCT",
    .title = "Usage of jobs",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
