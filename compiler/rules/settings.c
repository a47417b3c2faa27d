/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about a setting beside one other, and about names that node lines may not have. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"
#include "rules/ranges.h"

#define P(name) PLUMB_P_SLURM_##name
#define N(name) PLUMB_P_NODE_##name

static const struct plumb_combo sched_log[] = {
    {.when = {{P(SLURMSCHEDLOGLEVEL), PLUMB_TEST_POSITIVE, NULL},
              {P(SLURMSCHEDLOGFILE), PLUMB_TEST_UNSET, NULL}},
     .message = "SlurmSchedLogLevel is above 0 without SlurmSchedLogFile, expected both"},
};
static const struct plumb_combos log_without_file = {.items = sched_log,
                                                     .count = PLUMB_COUNT(sched_log)};

static const struct plumb_combo rlimits[] = {
    {.when = {{P(PROPAGATERESOURCELIMITS), PLUMB_TEST_SET, NULL},
              {P(PROPAGATERESOURCELIMITSEXCEPT), PLUMB_TEST_SET, NULL}},
     .message =
         "PropagateResourceLimits is not read beside PropagateResourceLimitsExcept, expected "
         "one of them"},
};
static const struct plumb_combos rlimits_twice = {.items = rlimits, .count = PLUMB_COUNT(rlimits)};

static const struct plumb_combo vsize[] = {
    {.when = {{P(VSIZEFACTOR), PLUMB_TEST_POSITIVE, NULL},
              {P(JOBACCTGATHERPARAMS), PLUMB_TEST_NO_WORD, "OverMemoryKill"}},
     .message = "VSizeFactor limits nothing without JobAcctGatherParams 'OverMemoryKill', expected "
                "both"},
};
static const struct plumb_combos vsize_idle = {.items = vsize, .count = PLUMB_COUNT(vsize)};

/* AGREE033: job_scheduler.c, "max_sched_time" */
static void sched_time(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(SCHEDULERPARAMETERS));
    struct plumb_u64 message = plumb_global_u64(ck, P(MESSAGETIMEOUT));
    struct plumb_slice item;
    uint64_t seconds = 0;

    if (s == NULL || !plumb_usable(message) ||
        !plumb_list_u64(&s->value, "max_sched_time=", &item, &seconds) || seconds <= message.v / 2)
        return;

    struct plumb_diag *d = plumb_report(ck, item.at,
                                        "max_sched_time is %" PRIu64 " seconds, expected at most "
                                        "%" PRIu64 ", half of MessageTimeout",
                                        seconds, message.v / 2);

    if (plumb_written(message))
        plumb_diag_note(d, message.at, "MessageTimeout");
    plumb_outcome(ck, d, NULL);
}

/* AGREE034: cred_expire of AuthInfo */
static void cred_expire(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(AUTHINFO));
    struct plumb_slice item;
    uint64_t seconds = 0;

    if (s != NULL && plumb_list_u64(&s->value, "cred_expire=", &item, &seconds) && seconds < 5)
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   "cred_expire is %" PRIu64 " seconds, expected at least 5; 120 "
                                   "counts instead",
                                   seconds),
                      NULL);
}

/* AGREE035: _load_slurmctld_host looks for a comma alone. */
static void machines_without_address(const struct plumb_check *ck)
{
    const struct plumb_settings *all = plumb_slurm(ck->model);
    const struct plumb_setting *s = plumb_global(ck, P(CONTROLMACHINE));

    if (s == NULL || plumb_global(ck, P(SLURMCTLDHOST)) != NULL ||
        plumb_setting_bad(all, P(SLURMCTLDHOST)) || plumb_global(ck, P(CONTROLADDR)) != NULL ||
        plumb_setting_bad(all, P(CONTROLADDR)) || memchr(s->value.text, ',', s->value.len) == NULL)
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "ControlMachine names several hosts without ControlAddr, expected "
                               "both, or a SlurmctldHost for each host"),
                  NULL);
}

/* NODE030: _parse_nodename */
static void named_all(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_hostlist *hosts = ck->model->nodes[i].hosts;

        if (hosts == NULL || hosts->range_count != 1 || hosts->ranges[0].numbered ||
            !plumb_same_nocase(hosts->ranges[0].prefix, "ALL"))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, hosts->at,
                                   "a node is named 'ALL', which means every node, expected "
                                   "another name"),
                      NULL);
    }
}

/* NODE031: _parse_nodename */
static void default_address(const struct plumb_check *ck)
{
    static const enum plumb_param_id own[] = {N(NODEADDR), N(NODEHOSTNAME), N(BCASTADDR)};

    for (size_t i = 0; i < ck->model->default_count; i++) {
        const struct plumb_defaults *d = &ck->model->defaults[i];

        for (size_t k = 0; d->scope == PLUMB_SCOPE_NODE && k < PLUMB_COUNT(own); k++) {
            const struct plumb_setting *s = plumb_setting(&d->settings, own[k]);

            if (s != NULL)
                plumb_outcome(ck,
                              plumb_report(ck, s->key_at,
                                           "'%s' stands on a DEFAULT line, expected it on lines of "
                                           "their own nodes",
                                           s->param->name),
                              NULL);
        }
    }
}

/* NODE032: slurmd.c, "BcastAddr and NoInAddrAny" */
static void bcast_any(const struct plumb_check *ck)
{
    const struct plumb_setting *comm = plumb_global(ck, P(COMMUNICATIONPARAMETERS));
    struct plumb_slice word;

    if (comm == NULL || !plumb_list_find(&comm->value, "NoInAddrAny", &word))
        return;
    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_setting *s = plumb_setting(&ck->model->nodes[i].settings, N(BCASTADDR));

        if (s == NULL)
            continue;

        struct plumb_diag *d = plumb_report(ck, s->key_at,
                                            "BcastAddr cannot stand beside CommunicationParameters "
                                            "'NoInAddrAny', expected one of them");

        plumb_diag_note(d, word.at, "the other one");
        plumb_outcome(ck, d, NULL);
    }
}

/* NODE034: _handle_downnodes_line. DEFAULT is a name like any other here. */
static void down_unknown(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->down_node_count && m->node_count > 0; i++) {
        const struct plumb_setting *s = plumb_setting(&m->down_nodes[i], P(DOWNNODES));
        const struct plumb_hostlist *none =
            s != NULL ? plumb_no_nodes(ck, plumb_hosts_read(ck, &s->value)) : NULL;

        if (none == NULL || none->count == 0)
            continue;

        const char *names = plumb_hostlist_str(ck->arena, none);
        bool one = none->count == 1;

        plumb_outcome(ck,
                      plumb_report(ck, none->at,
                                   "DownNodes names '%s', expected %s that a NodeName line "
                                   "defines",
                                   names, one ? "a node" : "nodes"),
                      NULL);
    }
}

#define FROM_MODEL(function) .needs = PLUMB_FACT_MODEL, .run = (function)

static const struct plumb_rule agree_rows[] = {
    {
        .code = "AGREE030",
        .name = "sched-log-without-file",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "SlurmSchedLogLevel without SlurmSchedLogFile",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), SlurmSchedLogLevel; read_config.c:_validate_and_set_defaults",
        .bad = "SlurmSchedLogLevel=1",
        .good = "SlurmSchedLogLevel=1\nSlurmSchedLogFile=/var/log/slurm/sched.log",
        PLUMB_COMBO(log_without_file),
    },
    {
        .code = "AGREE031",
        .name = "resource-limits-twice",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURM_ALL),
        .summary = "PropagateResourceLimits beside PropagateResourceLimitsExcept",
        .why = "The one with Except counts; the other is not even read.",
        .ref = "slurm.conf(5), PropagateResourceLimitsExcept; read_config.c",
        .bad = "PropagateResourceLimits=ALL\n"
               "PropagateResourceLimitsExcept=MEMLOCK",
        .good = "PropagateResourceLimitsExcept=MEMLOCK",
        PLUMB_COMBO(rlimits_twice),
    },
    {
        .code = "AGREE032",
        .name = "vsize-factor-idle",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "VSizeFactor without OverMemoryKill",
        .why = "Nobody compares virtual memory with the limit.",
        .ref = "slurm.conf(5), VSizeFactor",
        .bad = "VSizeFactor=101",
        .good = "JobAcctGatherParams=OverMemoryKill\n"
                "VSizeFactor=101",
        PLUMB_COMBO(vsize_idle),
    },
    {
        .code = "AGREE033",
        .name = "sched-time-above-message",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMCTLD),
        .summary = "max_sched_time is more than half of MessageTimeout",
        .why = "Requests would time out while jobs are scheduled; the word is dropped.",
        .ref = "slurm.conf(5), max_sched_time; slurmctld/job_scheduler.c",
        .bad = "SchedulerParameters=max_sched_time=9",
        .good = "SchedulerParameters=max_sched_time=4",
        FROM_MODEL(sched_time),
    },
    {
        .code = "AGREE034",
        .name = "cred-expire-short",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "cred_expire of AuthInfo is below 5 seconds",
        .why = "Credentials would be gone before a job has started; the default is taken.",
        .ref = "slurm.conf(5), AuthInfo",
        .bad = "AuthInfo=socket=/run/munge/munge.socket.2,cred_expire=3",
        .good = "AuthInfo=socket=/run/munge/munge.socket.2,cred_expire=120",
        FROM_MODEL(cred_expire),
    },
    {
        .code = "AGREE035",
        .name = "control-machines-without-address",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "ControlMachine with several names and no ControlAddr",
        .why = "No daemon or command knows which address to call; they refuse the file.",
        .ref = "slurm.conf(5), SlurmctldHost; read_config.c:_load_slurmctld_host",
        .bad = "ControlMachine=cp-01,cp-02",
        .good = "SlurmctldHost=cp-01\nSlurmctldHost=cp-02",
        FROM_MODEL(machines_without_address),
    },
};

const struct plumb_rule_family plumb_setting_rules = {
    .prefix = "AGREE",
    .title = "One setting beside another",
    .rules = agree_rows,
    .count = PLUMB_COUNT(agree_rows),
};

static const struct plumb_rule node_rows[] = {
    {
        .code = "NODE030",
        .name = "node-named-all",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a node is named ALL",
        .why = "The word means every node; every daemon and command refuses the file.",
        .ref = "slurm.conf(5), NodeName; read_config.c:_parse_nodename",
        .bad = "NodeName=ALL CPUs=64",
        .good = "NodeName=gpu-[01-16] CPUs=64",
        FROM_MODEL(named_all),
    },
    {
        .code = "NODE031",
        .name = "default-with-address",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "NodeAddr, NodeHostname or BcastAddr on a DEFAULT line",
        .why = "No two nodes share them; every daemon and command refuses the file.",
        .ref = "slurm.conf(5), NodeName; read_config.c:_parse_nodename",
        .bad = "NodeName=DEFAULT NodeAddr=10.0.0.1",
        .good = "NodeName=gpu-01 NodeAddr=10.0.0.1",
        FROM_MODEL(default_address),
    },
    {
        .code = "NODE032",
        .name = "bcast-beside-own-address",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "BcastAddr of a node with NoInAddrAny",
        .why = "slurmd would listen on NodeAddr alone.",
        .ref = "slurm.conf(5), BcastAddr; slurmd/slurmd.c",
        .bad = "CommunicationParameters=NoInAddrAny\n"
               "NodeName=n1 BcastAddr=10.0.0.1",
        .good = "NodeName=n1 BcastAddr=10.0.0.1",
        FROM_MODEL(bcast_any),
    },
    {
        .code = "NODE034",
        .name = "down-node-unknown",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "DownNodes names a node that is not there",
        .why = "The line is left out: the node that was meant stays in service.",
        .ref = "slurm.conf(5), DownNodes; slurmctld/read_config.c:_handle_downnodes_line",
        .bad = "NodeName=n[1-4]\n"
               "DownNodes=n5 State=DOWN",
        .good = "NodeName=n[1-4]\n"
                "DownNodes=n4 State=DOWN",
        FROM_MODEL(down_unknown),
    },
};

const struct plumb_rule_family plumb_node_name_rules = {
    .prefix = "NODE",
    .title = "Names that node lines may not have",
    .rules = node_rows,
    .count = PLUMB_COUNT(node_rows),
};
