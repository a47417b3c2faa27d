/* SPDX-License-Identifier: Apache-2.0 */
/* The table engine, one value at a time: what is reported, where, and what the daemon does. */
#include "fixture.h"

#include <string.h>

#include "conf/conf.h"

struct row {
    enum plumb_param_id param;
    enum plumb_release release;
    const char *text;
    const char *code; /* NULL: quiet */
    uint32_t begin, end;
    enum plumb_effect effect;
    unsigned daemons;
};

static void hold(struct fixture *fx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        struct plumb_slice v = fx_slice(fx, row->text);

        fx_row(fx, i, row->text);
        fx->session.sink.release = row->release;
        if (plumb_conf_check_value(&fx->session, plumb_param(row->param), &v, row->release) !=
            (row->code == NULL))
            fail_msg("row %zu '%s': sound is not what was expected", i, row->text);
        if (row->code != NULL) {
            const struct plumb_diag *d = NULL;

            fx_expect(fx, row->code, row->begin, row->end);
            d = fx->session.sink.items[fx->seen - 1];
            if (d->effect != row->effect || d->daemons != row->daemons)
                fail_msg("row %zu '%s': %s by %u, expected %s by %u", i, row->text,
                         plumb_effect_name(d->effect), d->daemons, plumb_effect_name(row->effect),
                         row->daemons);
            assert_int_equal(d->severity,
                             row->effect == PLUMB_EFFECT_STOPS ? PLUMB_ERROR : PLUMB_WARNING);
        }
        fx_expect_nothing_else(fx);
    }
}

#define STOPS         PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL
#define STOPS_CTL     PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD
#define STOPS_DBD     PLUMB_EFFECT_STOPS, PLUMB_SLURMDBD
#define COMPLAINS     PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL
#define COMPLAINS_CTL PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD
#define IGNORED       PLUMB_EFFECT_IGNORED, PLUMB_SLURM_ALL
#define NOTHING       PLUMB_EFFECT_NONE, 0
#define QUIET         NULL, 0, 0, NOTHING

static void numbers_and_booleans(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_SLURM_SLURMDTIMEOUT, PLUMB_24_11, "300", QUIET},
        {PLUMB_P_SLURM_SLURMDTIMEOUT, PLUMB_24_11, "abc", "CONF010", 0, 3, STOPS},
        {PLUMB_P_SLURM_SLURMDTIMEOUT, PLUMB_24_11, "-1", "CONF010", 0, 2, STOPS},
        {PLUMB_P_SLURM_SLURMDTIMEOUT, PLUMB_24_11, "300s", "CONF010", 3, 4, STOPS},
        {PLUMB_P_SLURM_SLURMDTIMEOUT, PLUMB_24_11, "65536", "CONF011", 0, 5, STOPS},
        {PLUMB_P_SLURM_SLURMDTIMEOUT, PLUMB_24_11, "65534", "CONF011", 0, 5, NOTHING},
        {PLUMB_P_SLURM_OVERTIMELIMIT, PLUMB_24_11, "UNLIMITED", QUIET},
        {PLUMB_P_NODE_REALMEMORY, PLUMB_24_11, "512G", "CONF010", 3, 4, STOPS},
        {PLUMB_P_NODE_REALMEMORY, PLUMB_24_11, "512k", QUIET},
        {PLUMB_P_SLURM_DISABLEROOTJOBS, PLUMB_24_11, "YES", QUIET},
        {PLUMB_P_SLURM_DISABLEROOTJOBS, PLUMB_24_11, "on", "CONF010", 0, 2, STOPS},
        {PLUMB_P_CGROUP_ALLOWEDRAMSPACE, PLUMB_24_11, "99.5", QUIET},
        {PLUMB_P_CGROUP_ALLOWEDRAMSPACE, PLUMB_24_11, "90%", "CONF010", 2, 3, STOPS},
        {PLUMB_P_DBD_DBDPORT, PLUMB_24_11, "x", "CONF010", 0, 1, STOPS_DBD},
        {PLUMB_P_GRES_COUNT, PLUMB_24_11, "8", QUIET},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void ranges_differ_in_what_the_daemon_does(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_SLURM_MAXJOBCOUNT, PLUMB_24_11, "0", "CONF011", 0, 1, STOPS},
        {PLUMB_P_SLURM_MAXDBDMSGS, PLUMB_24_11, "9999", "CONF011", 0, 4, STOPS},
        {PLUMB_P_SLURM_MESSAGETIMEOUT, PLUMB_24_11, "100", QUIET},
        {PLUMB_P_SLURM_MESSAGETIMEOUT, PLUMB_24_11, "101", "CONF011", 0, 3, COMPLAINS},
        {PLUMB_P_SLURM_MINJOBAGE, PLUMB_24_11, "0", "CONF011", 0, 1, COMPLAINS},
        {PLUMB_P_SLURM_TREEWIDTH, PLUMB_24_11, "UNLIMITED", QUIET},
        {PLUMB_P_NODE_PROCS, PLUMB_24_11, "0", "CONF011", 0, 1, COMPLAINS},
        {PLUMB_P_SLURM_EPILOGMSGTIME, PLUMB_25_05, "1000001", QUIET},
        {PLUMB_P_SLURM_EPILOGMSGTIME, PLUMB_25_11, "1000001", "CONF011", 0, 7, COMPLAINS},
        {PLUMB_P_SLURM_MAXNODECOUNT, PLUMB_24_05, "65537", QUIET},
        {PLUMB_P_SLURM_MAXNODECOUNT, PLUMB_24_11, "65537", "CONF011", 0, 5, STOPS},
        {PLUMB_P_SLURM_RETURNTOSERVICE, PLUMB_24_11, "7", "CONF011", 0, 1, NOTHING},
        {PLUMB_P_SLURM_FASTSCHEDULE, PLUMB_24_11, "0", "CONF011", 0, 1, STOPS_CTL},
        {PLUMB_P_SLURM_PRIORITYCALCPERIOD, PLUMB_24_11, "0", "CONF011", 0, 1, STOPS},
        {PLUMB_P_CGROUP_MEMORYSWAPPINESS, PLUMB_24_11, "101", "CONF011", 0, 3,
         PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void times_ages_and_ports(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_PART_MAXTIME, PLUMB_24_11, "7-25:00:00", QUIET},
        {PLUMB_P_PART_MAXTIME, PLUMB_24_11, "infinite", QUIET},
        {PLUMB_P_PART_MAXTIME, PLUMB_24_11, "soon", "CONF010", 0, 4, STOPS},
        {PLUMB_P_PART_MAXTIME, PLUMB_24_11, "99999-0", "CONF011", 0, 7, NOTHING},
        {PLUMB_P_SLURM_PRIORITYDECAYHALFLIFE, PLUMB_24_11, "14-0", QUIET},
        {PLUMB_P_SLURM_SUSPENDTIME, PLUMB_24_11, "600", QUIET},
        {PLUMB_P_SLURM_SUSPENDTIME, PLUMB_24_11, "none", QUIET},
        {PLUMB_P_SLURM_SUSPENDTIME, PLUMB_24_11, "0:10:00", "CONF012", 0, 7, NOTHING},
        {PLUMB_P_SLURM_SUSPENDTIME, PLUMB_24_11, "99999999999", "CONF011", 0, 11, STOPS},
        {PLUMB_P_PART_SUSPENDTIME, PLUMB_25_11, "NONE", "CONF014", 0, 4, NOTHING},
        {PLUMB_P_PART_SUSPENDTIME, PLUMB_26_05, "NONE", QUIET},
        {PLUMB_P_PART_SUSPENDTIME, PLUMB_24_11, "-5", "CONF010", 0, 2, STOPS},
        {PLUMB_P_SLURM_SUSPENDTIME, PLUMB_22_05, "-5", "CONF012", 0, 2, NOTHING},
        {PLUMB_P_DBD_MAXQUERYTIMERANGE, PLUMB_24_11, "60-0", QUIET},
        {PLUMB_P_DBD_MAXQUERYTIMERANGE, PLUMB_24_11, "soon", "CONF010", 0, 4, NOTHING},
        {PLUMB_P_DBD_PURGEJOBAFTER, PLUMB_24_11, "12months", QUIET},
        {PLUMB_P_DBD_PURGEJOBAFTER, PLUMB_24_11, "1month", QUIET},
        {PLUMB_P_DBD_PURGEJOBAFTER, PLUMB_24_11, "24", QUIET},
        {PLUMB_P_DBD_PURGEJOBAFTER, PLUMB_24_11, "365D", QUIET},
        {PLUMB_P_DBD_PURGEJOBAFTER, PLUMB_24_11, "2years", "CONF010", 1, 6, STOPS_DBD},
        {PLUMB_P_DBD_PURGEJOBAFTER, PLUMB_24_11, "months", "CONF010", 0, 6, STOPS_DBD},
        {PLUMB_P_SLURM_SLURMCTLDPORT, PLUMB_24_11, "6817-6820", QUIET},
        {PLUMB_P_SLURM_SLURMCTLDPORT, PLUMB_24_11, "99999", QUIET},
        {PLUMB_P_SLURM_SLURMCTLDPORT, PLUMB_24_11, "0", "CONF010", 0, 1, STOPS},
        {PLUMB_P_SLURM_SLURMCTLDPORT, PLUMB_24_11, "6820-6817", "CONF010", 0, 9, STOPS},
        {PLUMB_P_SLURM_SRUNPORTRANGE, PLUMB_24_11, "60001-63000", QUIET},
        {PLUMB_P_SLURM_SRUNPORTRANGE, PLUMB_24_11, "60001,63000", "CONF010", 5, 11, IGNORED},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void validated_sets(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, PLUMB_24_11, "any", QUIET},
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, PLUMB_24_11, "MAYBE", "CONF012", 0, 5, STOPS},
        {PLUMB_P_SLURM_PROLOGFLAGS, PLUMB_24_11, "Alloc,contain,X11", QUIET},
        {PLUMB_P_SLURM_PROLOGFLAGS, PLUMB_24_11, "Alloc,bogus", "CONF012", 6, 11, STOPS},
        {PLUMB_P_SLURM_PROLOGFLAGS, PLUMB_23_11, "Serial,RunInJob", "CONF014", 7, 15, STOPS},
        {PLUMB_P_SLURM_PROLOGFLAGS, PLUMB_24_05, "Serial,RunInJob", QUIET},
        {PLUMB_P_SLURM_RECONFIGFLAGS, PLUMB_25_05, "KeepNodeStateFuture", "CONF014", 0, 19,
         COMPLAINS},
        {PLUMB_P_SLURM_HEALTHCHECKNODESTATE, PLUMB_24_11, "BOGUS", "CONF012", 0, 5, COMPLAINS},
        {PLUMB_P_SLURM_PROPAGATERESOURCELIMITSEXCEPT, PLUMB_24_11, "MEMLOCK", QUIET},
        {PLUMB_P_SLURM_PROPAGATERESOURCELIMITSEXCEPT, PLUMB_24_11, "RLIMIT_CORE NOFILE", QUIET},
        {PLUMB_P_SLURM_PROPAGATERESOURCELIMITSEXCEPT, PLUMB_24_11, "memlock", "CONF012", 0, 7,
         STOPS},
        {PLUMB_P_SLURM_PROPAGATERESOURCELIMITS, PLUMB_24_11, "ALL", QUIET},
        {PLUMB_P_SLURM_PROPAGATERESOURCELIMITS, PLUMB_24_11, "CORE,ALL", "CONF019", 5, 8, STOPS},
        {PLUMB_P_SLURM_HEALTHCHECKNODESTATE, PLUMB_25_11, "START_ONLY,CYCLE", QUIET},
        {PLUMB_P_SLURM_HEALTHCHECKNODESTATE, PLUMB_26_05, "START_ONLY", QUIET},
        {PLUMB_P_SLURM_HEALTHCHECKNODESTATE, PLUMB_26_05, "START_ONLY,CYCLE", "CONF019", 0, 10,
         STOPS},
        {PLUMB_P_SLURM_BCASTEXCLUDE, PLUMB_24_11, "/lib,/usr/lib", QUIET},
        {PLUMB_P_SLURM_BCASTEXCLUDE, PLUMB_24_11, "none", QUIET},
        {PLUMB_P_SLURM_BCASTEXCLUDE, PLUMB_24_11, "/lib,usr/lib", "CONF010", 5, 12, STOPS},
        {PLUMB_P_PART_OVERTIMELIMIT, PLUMB_24_11, "UNLIMITED", QUIET},
        {PLUMB_P_PART_OVERTIMELIMIT, PLUMB_24_11, "70000", QUIET},
        {PLUMB_P_PART_OVERTIMELIMIT, PLUMB_24_11, "-1", "CONF014", 0, 2, COMPLAINS},
        {PLUMB_P_PART_OVERTIMELIMIT, PLUMB_24_11, "-5", "CONF014", 0, 2, COMPLAINS},
        {PLUMB_P_PART_OVERTIMELIMIT, PLUMB_24_11, "5m", "CONF012", 0, 2, NOTHING},
        {PLUMB_P_SLURM_PROPAGATEPRIOPROCESS, PLUMB_24_11, "UNLIMITED", "CONF011", 0, 9, STOPS},
        {PLUMB_P_SLURM_KILLWAIT, PLUMB_24_11, "UNLIMITED", QUIET},
        {PLUMB_P_SLURM_SLURMCTLDDEBUG, PLUMB_24_11, "debug2", QUIET},
        {PLUMB_P_SLURM_SLURMCTLDDEBUG, PLUMB_24_11, "3", QUIET},
        {PLUMB_P_SLURM_SLURMCTLDDEBUG, PLUMB_24_11, "12", "CONF011", 0, 2, COMPLAINS},
        {PLUMB_P_NODE_STATE, PLUMB_24_11, "DRAINED", QUIET}, /* asked: slurmctld takes these */
        {PLUMB_P_NODE_STATE, PLUMB_24_11, "CLOUDX", QUIET},
        {PLUMB_P_NODE_STATE, PLUMB_24_11, "MIXED", QUIET},
        {PLUMB_P_NODE_STATE, PLUMB_24_11, "ERROR", "CONF012", 0, 5, STOPS},
        {PLUMB_P_NODE_STATE, PLUMB_22_05, "ALLOC", "CONF012", 0, 5, STOPS},
        {PLUMB_P_NODE_STATE, PLUMB_22_05, "DOWNX", "CONF012", 0, 5, STOPS},
        {PLUMB_P_NODE_CPUBIND, PLUMB_24_11, "socket", QUIET},
        {PLUMB_P_NODE_CPUBIND, PLUMB_24_11, "socket=5", "CONF012", 0, 8, COMPLAINS},
        {PLUMB_P_SLURM_CPUFREQDEF, PLUMB_24_11, "OnDemand", QUIET},
        {PLUMB_P_SLURM_CPUFREQDEF, PLUMB_24_11, "High", "CONF012", 0, 4, COMPLAINS},
        {PLUMB_P_SLURM_DEBUGFLAGS, PLUMB_24_11, "CPU_Bind,Task", "CONF014", 9, 13, COMPLAINS},
        {PLUMB_P_PART_OVERSUBSCRIBE, PLUMB_24_11, "FORCE:0", "CONF011", 6, 7, COMPLAINS},
        {PLUMB_P_PART_OVERSUBSCRIBE, PLUMB_24_11, "YES:1", "CONF011", 4, 5, COMPLAINS},
        {PLUMB_P_PART_OVERSUBSCRIBE, PLUMB_24_11, "YES:x", "CONF011", 4, 5, COMPLAINS},
        {PLUMB_P_SLURM_SLURMCTLDDEBUG, PLUMB_24_11, "verbosee", "CONF012", 0, 8, STOPS},
        {PLUMB_P_PART_STATE, PLUMB_24_11, "UP", QUIET},
        {PLUMB_P_PART_STATE, PLUMB_24_11, "SIDEWAYS", "CONF012", 0, 8, STOPS},
        {PLUMB_P_PART_OVERSUBSCRIBE, PLUMB_24_11, "FORCE:4", QUIET},
        {PLUMB_P_PART_OVERSUBSCRIBE, PLUMB_24_11, "yes", QUIET},
        {PLUMB_P_PART_OVERSUBSCRIBE, PLUMB_24_11, "MAYBE", "CONF012", 0, 5, STOPS},
        {PLUMB_P_PART_PREEMPTMODE, PLUMB_24_05, "GANG", QUIET},
        {PLUMB_P_PART_PREEMPTMODE, PLUMB_24_11, "GANG", QUIET}, /* a rule of the model */
        {PLUMB_P_SLURM_TASKPLUGINPARAM, PLUMB_24_11, "Autobind=cores,Verbose", QUIET},
        {PLUMB_P_SLURM_TASKPLUGINPARAM, PLUMB_24_11, "Autobind=x", "CONF012", 0, 10, STOPS},
        {PLUMB_P_SLURM_LOGTIMEFORMAT, PLUMB_24_11, "iso", "CONF012", 0, 3, IGNORED},
        {PLUMB_P_GRES_AUTODETECT, PLUMB_22_05, "nvidia", "CONF014", 0, 6, PLUMB_EFFECT_COMPLAINS,
         PLUMB_SLURMD},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void searched_lists(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "defer, bf_window=4320,bf_continue",
         QUIET},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "bf_contine", "CONF013", 0, 10,
         PLUMB_EFFECT_IGNORED, PLUMB_SLURMCTLD},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "bogus=1", "CONF013", 0, 5,
         PLUMB_EFFECT_IGNORED, PLUMB_SLURMCTLD},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "xbf_continue", "CONF013", 0, 12, NOTHING},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "bf_window", "CONF013", 0, 9,
         PLUMB_EFFECT_IGNORED, PLUMB_SLURMCTLD},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "defer,bf_interval=abc", "CONF011", 18, 21,
         COMPLAINS_CTL},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "bf_interval=-1", QUIET},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "bf_resolution=999999", "CONF011", 14, 20,
         COMPLAINS_CTL},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "max_job_bf=50", "CONF014", 0, 10,
         STOPS_CTL},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_24_11, "bf_yield_rpc_cnt=5", "CONF014", 0, 16,
         PLUMB_EFFECT_IGNORED, PLUMB_SLURMCTLD},
        {PLUMB_P_SLURM_SCHEDULERPARAMETERS, PLUMB_25_05, "bf_yield_rpc_cnt=5", QUIET},
        {PLUMB_P_SLURM_COMMUNICATIONPARAMETERS, PLUMB_23_02, "NoAddrCache", QUIET},
        {PLUMB_P_SLURM_COMMUNICATIONPARAMETERS, PLUMB_23_11, "NoAddrCache,EnableIPv6", "CONF014", 0,
         11, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD},
        {PLUMB_P_SLURM_PRIORITYFLAGS, PLUMB_24_11, "FAIR_TREE,ACCRUE_ALWAYS", QUIET},
        {PLUMB_P_SLURM_PRIORITYFLAGS, PLUMB_24_11, "BOGUS", "CONF013", 0, 5, IGNORED},
        {PLUMB_P_SLURM_PRIVATEDATA, PLUMB_24_11, "jobs,usage", QUIET},
        {PLUMB_P_SLURM_LAUNCHPARAMETERS, PLUMB_24_11, "use_interactive_step,send_gids", QUIET},
        {PLUMB_P_SLURM_AUTHINFO, PLUMB_24_11, "/var/run/munge/munge.socket.2", QUIET},
        {PLUMB_P_SLURM_AUTHINFO, PLUMB_24_11, "socket=/run/m", QUIET},
        {PLUMB_P_SLURM_SWITCHPARAMETERS, PLUMB_24_11, "vnis=10-20,def_tles=4", QUIET},
        {PLUMB_P_GRES_FLAGS, PLUMB_24_11, "nvidia_gpu_env", QUIET},
        {PLUMB_P_GRES_FLAGS, PLUMB_24_11, "nvidia_env", "CONF013", 0, 10, PLUMB_EFFECT_IGNORED,
         PLUMB_SLURMD},
        {PLUMB_P_SLURM_DEPENDENCYPARAMETERS, PLUMB_24_11, "kill_invalid_depend", QUIET},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void plugins_by_release(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_SLURM_SELECTTYPE, PLUMB_23_02, "select/cons_res", QUIET},
        {PLUMB_P_SLURM_SELECTTYPE, PLUMB_23_11, "select/cons_res", "CONF017", 0, 15,
         PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD},
        {PLUMB_P_SLURM_SELECTTYPE, PLUMB_24_11, "cons_tres", "CONF017", 0, 9, STOPS},
        {PLUMB_P_SLURM_SELECTTYPE, PLUMB_26_05, "select/cons_res", "CONF017", 0, 15,
         PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD},
        {PLUMB_P_CGROUP_CGROUPPLUGIN, PLUMB_24_11, "cgroup/v1", QUIET},
        {PLUMB_P_CGROUP_CGROUPPLUGIN, PLUMB_25_05, "cgroup/v1", "CONF006", 0, 9,
         PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD},
        {PLUMB_P_CGROUP_CGROUPPLUGIN, PLUMB_22_05, "disabled", "CONF017", 0, 8, PLUMB_EFFECT_STOPS,
         PLUMB_SLURMD},
        {PLUMB_P_SLURM_SCHEDULERTYPE, PLUMB_24_11, "sched/bogus", "CONF017", 0, 11, STOPS_CTL},
        {PLUMB_P_SLURM_TOPOLOGYPLUGIN, PLUMB_24_11, "topology/flat", "CONF017", 0, 13, STOPS},
        {PLUMB_P_SLURM_TOPOLOGYPLUGIN, PLUMB_26_05, "topology/default", QUIET},
        {PLUMB_P_SLURM_TASKPLUGIN, PLUMB_24_11, "task/affinity,task/cgroup", QUIET},
        {PLUMB_P_SLURM_TASKPLUGIN, PLUMB_24_11, "affinity,cgroup", QUIET},
        {PLUMB_P_SLURM_TASKPLUGIN, PLUMB_24_11, "task/bogus", "CONF017", 0, 10, PLUMB_EFFECT_STOPS,
         PLUMB_SLURMD},
        {PLUMB_P_SLURM_TASKPLUGIN, PLUMB_24_11, "task/none,task/cgroup", "CONF018", 0, 21, IGNORED},
        {PLUMB_P_SLURM_TASKPLUGIN, PLUMB_22_05, "task/none", QUIET},
        {PLUMB_P_SLURM_TASKPLUGIN, PLUMB_24_11, "", QUIET},
        {PLUMB_P_SLURM_PRIORITYTYPE, PLUMB_24_11, "", "CONF017", 0, 0, STOPS_CTL},
        {PLUMB_P_SLURM_AUTHTYPE, PLUMB_24_11, "", QUIET},
        {PLUMB_P_SLURM_SWITCHTYPE, PLUMB_26_05, "switch/none", QUIET},
        {PLUMB_P_SLURM_SELECTTYPE, PLUMB_24_11, "select/none", "CONF017", 0, 11, STOPS},
        {PLUMB_P_SLURM_PRIORITYTYPE, PLUMB_26_05, "priority/none", "CONF017", 0, 13, STOPS_CTL},
        {PLUMB_P_DBD_STORAGETYPE, PLUMB_24_11, "x[NONE-1]", "CONF017", 0, 9, STOPS_DBD},
        {PLUMB_P_SLURM_BURSTBUFFERTYPE, PLUMB_24_11, "burst_buffer/none", "CONF017", 0, 17,
         STOPS_CTL},
        {PLUMB_P_SLURM_JOBCOMPTYPE, PLUMB_26_05, "jobcomp/none", QUIET},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETYPE, PLUMB_24_11, "accounting_storage/none", QUIET},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETYPE, PLUMB_24_11, "accounting_storage/mysql", QUIET},
        {PLUMB_P_SLURM_MPIDEFAULT, PLUMB_24_11, "pmix", QUIET},
        {PLUMB_P_SLURM_MPIDEFAULT, PLUMB_24_11, "none", QUIET},
        {PLUMB_P_SLURM_CRYPTOTYPE, PLUMB_24_11, "crypto/munge", QUIET},
        {PLUMB_P_SLURM_CLIFILTERPLUGINS, PLUMB_24_11, "lua", QUIET},
        {PLUMB_P_DBD_STORAGETYPE, PLUMB_24_11, "accounting_storage/filetxt", "CONF017", 0, 26,
         STOPS_DBD},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void a_plugin_of_the_site_is_only_doubted(void **state)
{
    struct fixture *fx = *state;
    struct plumb_slice v = fx_slice(fx, "lua,our_policy");
    const struct plumb_diag *d = NULL;

    plumb_conf_check_value(&fx->session, plumb_param(PLUMB_P_SLURM_JOBSUBMITPLUGINS), &v,
                           PLUMB_24_11);
    fx_expect(fx, "CONF017", 4, 14);
    fx_expect_nothing_else(fx);
    d = fx->session.sink.items[0];
    assert_int_equal(d->severity, PLUMB_WARNING);
    assert_int_equal(d->effect, PLUMB_EFFECT_STOPS);
}

static void near_words_are_offered(void **state)
{
    struct fixture *fx = *state;
    struct plumb_slice v = fx_slice(fx, "bf_contine");
    const struct plumb_diag *d = NULL;

    plumb_conf_check_value(&fx->session, plumb_param(PLUMB_P_SLURM_SCHEDULERPARAMETERS), &v,
                           PLUMB_24_11);
    d = fx->session.sink.items[0];
    assert_string_equal(d->message, "'bf_contine' is no word of 'SchedulerParameters'; slurmctld "
                                    "24.11 ignores it");
    assert_int_equal(d->help.count, 1);
    assert_string_equal(d->help.items[0], "did you mean 'bf_continue'?");
    assert_int_equal(d->edits.count, 1);
    assert_false(d->edits.items[0].safe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_and_booleans, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(ranges_differ_in_what_the_daemon_does, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(times_ages_and_ports, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(validated_sets, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(searched_lists, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(plugins_by_release, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_plugin_of_the_site_is_only_doubted, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(near_words_are_offered, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/check_value", tests, NULL, NULL);
}
