/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of clients: src/api/node_info.c, partition_info.c and config_info.c, src/sinfo/print.c, and
 * the data_parser plugins for JSON. Rows of keys stand in the order in which the client prints
 * them.
 */
#include "schema/shown.h"

#include <string.h>

#include "base/text.h"

#define KEY(name, id)                                                                              \
    {                                                                                              \
        .key = (name), .param = PLUMB_P_##id                                                       \
    }
#define OTHER(name)                                                                                \
    {                                                                                              \
        .key = (name), .param = -1                                                                 \
    }
#define FREE(name)                                                                                 \
    {                                                                                              \
        .key = (name), .param = -1, .free_text = true                                              \
    }

static const struct plumb_shown_key node_keys[] = {
    OTHER("NodeName"),
    OTHER("Arch"),
    KEY("CoresPerSocket", NODE_CORESPERSOCKET),
    OTHER("CPUAlloc"),
    OTHER("CPUEfctv"),
    KEY("CPUTot", NODE_CPUS),
    OTHER("CPULoad"),
    KEY("AvailableFeatures", NODE_FEATURES),
    OTHER("ActiveFeatures"),
    KEY("Gres", NODE_GRES),
    OTHER("GresDrain"),
    OTHER("GresUsed"),
    OTHER("NodeAddr"),
    OTHER("NodeHostName"),
    KEY("Port", NODE_PORT),
    OTHER("Version"),
    OTHER("BcastAddr"),
    FREE("OS"),
    KEY("RealMemory", NODE_REALMEMORY),
    OTHER("AllocMem"),
    OTHER("FreeMem"),
    KEY("Sockets", NODE_SOCKETS),
    KEY("Boards", NODE_BOARDS),
    KEY("CoreSpecCount", NODE_CORESPECCOUNT),
    KEY("CPUSpecList", NODE_CPUSPECLIST),
    KEY("MemSpecLimit", NODE_MEMSPECLIMIT),
    KEY("RestrictedCoresPerGPU", NODE_RESTRICTEDCORESPERGPU),
    OTHER("State"),
    KEY("ThreadsPerCore", NODE_THREADSPERCORE),
    KEY("TmpDisk", NODE_TMPDISK),
    KEY("Weight", NODE_WEIGHT),
    OTHER("Owner"),
    OTHER("MCS_label"),
    KEY("CpuBind", NODE_CPUBIND),
    OTHER("NextState"),
    OTHER("Partitions"),
    OTHER("BootTime"),
    OTHER("SlurmdStartTime"),
    OTHER("LastBusyTime"),
    OTHER("ResumeAfterTime"),
    KEY("SuspendTime", NODE_SUSPENDTIME),
    OTHER("CfgTRES"),
    OTHER("AllocTRES"),
    OTHER("CapWatts"),
    OTHER("CurrentWatts"),
    OTHER("AveWatts"),
    OTHER("ExtSensorsJoules"),
    OTHER("ExtSensorsWatts"),
    OTHER("ExtSensorsTemp"),
    OTHER("ReservationName"),
    FREE("Comment"),
    FREE("Extra"),
    OTHER("InstanceId"),
    OTHER("InstanceType"),
    KEY("Topology", NODE_TOPOLOGY),
    KEY("Parameters", NODE_PARAMETERS),
    OTHER("TLSCertLastRenewal"),
    OTHER("TLSCertTokenSet"),
    FREE("Reason"),
};

static const struct plumb_shown_key node_json_keys[] = {
    KEY("boards", NODE_BOARDS),
    KEY("cores", NODE_CORESPERSOCKET),
    KEY("specialized_cores", NODE_CORESPECCOUNT),
    KEY("cpus", NODE_CPUS),
    KEY("specialized_cpus", NODE_CPUSPECLIST),
    KEY("features", NODE_FEATURES),
    KEY("gres", NODE_GRES),
    KEY("specialized_memory", NODE_MEMSPECLIMIT),
    KEY("real_memory", NODE_REALMEMORY),
    KEY("sockets", NODE_SOCKETS),
    KEY("threads", NODE_THREADSPERCORE),
    KEY("temporary_disk", NODE_TMPDISK),
    KEY("weight", NODE_WEIGHT),
};

static const struct plumb_shown_key partition_keys[] = {
    OTHER("PartitionName"), OTHER("TotalCPUs"),   OTHER("TotalNodes"),
    OTHER("TRES"),          OTHER("JobDefaults"), OTHER("NodeSets"),
};

static const struct plumb_shown_key partition_json_keys[] = {
    KEY("nodes/configured", PART_NODES),
    KEY("nodes/allowed_allocation", PART_ALLOCNODES),
    KEY("accounts/allowed", PART_ALLOWACCOUNTS),
    KEY("accounts/deny", PART_DENYACCOUNTS),
    KEY("groups/allowed", PART_ALLOWGROUPS),
    KEY("qos/allowed", PART_ALLOWQOS),
    KEY("qos/deny", PART_DENYQOS),
    KEY("qos/assigned", PART_QOS),
    KEY("alternate", PART_ALTERNATE),
    KEY("tres/billing_weights", PART_TRESBILLINGWEIGHTS),
    KEY("grace_time", PART_GRACETIME),
    KEY("maximums/cpus_per_node", PART_MAXCPUSPERNODE),
    KEY("maximums/cpus_per_socket", PART_MAXCPUSPERSOCKET),
    KEY("maximums/nodes", PART_MAXNODES),
    KEY("maximums/time", PART_MAXTIME),
    KEY("minimums/nodes", PART_MINNODES),
    KEY("defaults/time", PART_DEFAULTTIME),
    KEY("priority/job_factor", PART_PRIORITYJOBFACTOR),
    KEY("priority/tier", PART_PRIORITYTIER),
    KEY("partition/state", PART_STATE),
};

static const struct plumb_shown_key sinfo_keys[] = {
    OTHER("NODELIST"),
    OTHER("HOSTNAMES"),
    OTHER("NODE_ADDR"),
    OTHER("NODES"),
    OTHER("NODES(A/I)"),
    OTHER("NODES(A/I/O/T)"),
    OTHER("PARTITION"),
    OTHER("STATE"),
    OTHER("STATECOMPLETE"),
    OTHER("CPUS(A/I/O/T)"),
    KEY("CPUS", NODE_CPUS),
    OTHER("S:C:T"),
    KEY("SOCKETS", NODE_SOCKETS),
    KEY("CORES", NODE_CORESPERSOCKET),
    KEY("THREADS", NODE_THREADSPERCORE),
    KEY("MEMORY", NODE_REALMEMORY),
    KEY("TMP_DISK", NODE_TMPDISK),
    KEY("WEIGHT", NODE_WEIGHT),
    KEY("AVAIL_FEATURES", NODE_FEATURES),
    OTHER("ACTIVE_FEATURES"),
    KEY("GRES", NODE_GRES),
    OTHER("GRES_USED"),
    KEY("PORT", NODE_PORT),
    FREE("REASON"),
    OTHER("TIMESTAMP"),
    OTHER("USER"),
    OTHER("VERSION"),
    OTHER("CPU_LOAD"),
    OTHER("FREE_MEM"),
    OTHER("ALLOCMEM"),
    FREE("COMMENT"),
    FREE("EXTRA"),
    OTHER("RESERVATION"),
    OTHER("CLUSTER"),
    OTHER("JOB_SIZE"),
    KEY("AVAIL", PART_STATE),
    KEY("TIMELIMIT", PART_MAXTIME),
    KEY("DEFAULTTIME", PART_DEFAULTTIME),
    KEY("GROUPS", PART_ALLOWGROUPS),
    KEY("ROOT", PART_ROOTONLY),
    KEY("OVERSUBSCRIBE", PART_OVERSUBSCRIBE),
    KEY("ALLOCNODES", PART_ALLOCNODES),
    KEY("MAX_CPUS_PER_NODE", PART_MAXCPUSPERNODE),
    KEY("PRIO_TIER", PART_PRIORITYTIER),
    KEY("PRIO_JOB_FACTOR", PART_PRIORITYJOBFACTOR),
    KEY("PREEMPT_MODE", PART_PREEMPTMODE),
};

static const struct {
    const struct plumb_shown_key *items;
    size_t count;
} clients[] = {
    [PLUMB_CLIENT_NODE] = {node_keys, PLUMB_COUNT(node_keys)},
    [PLUMB_CLIENT_NODE_JSON] = {node_json_keys, PLUMB_COUNT(node_json_keys)},
    [PLUMB_CLIENT_PARTITION] = {partition_keys, PLUMB_COUNT(partition_keys)},
    [PLUMB_CLIENT_PARTITION_JSON] = {partition_json_keys, PLUMB_COUNT(partition_json_keys)},
    [PLUMB_CLIENT_SINFO] = {sinfo_keys, PLUMB_COUNT(sinfo_keys)},
};

const struct plumb_shown_key *plumb_shown_keys(enum plumb_client client, size_t *count)
{
    *count = clients[client].count;
    return clients[client].items;
}

const struct plumb_shown_key *plumb_shown_key(enum plumb_client client, const char *key, size_t len)
{
    for (size_t i = 0; i < clients[client].count; i++) {
        const struct plumb_shown_key *k = &clients[client].items[i];

        if (len > 0 && k->key[0] == key[0] && strlen(k->key) == len &&
            memcmp(k->key, key, len) == 0)
            return k;
    }
    return NULL;
}

#define CONF  "src/common/read_config.c"
#define PRINT "src/api/config_info.c:slurm_ctl_conf_2_key_pairs"
#define PARTS "src/api/partition_info.c:slurm_sprint_partition_info"
#define NODES "src/api/node_info.c:slurm_sprint_node_table"

static const struct plumb_shown rows[] = {
    {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, PLUMB_SHOWN_CLOSED, NULL, CONF},
    {PLUMB_P_SLURM_ACCOUNTINGSTORAGEPASS, PLUMB_SHOWN_NEVER, NULL, "a secret"},
    {PLUMB_P_SLURM_ACCOUNTINGSTORAGEUSER, PLUMB_SHOWN_NEVER, NULL, PRINT},
    {PLUMB_P_SLURM_ACCOUNTINGSTORAGETRES, PLUMB_SHOWN_BASE, NULL,
     "slurmctld/controller.c:_init_tres"},
    {PLUMB_P_SLURM_JOBCOMPPASS, PLUMB_SHOWN_NEVER, NULL, "a secret"},
    {PLUMB_P_SLURM_ENFORCEPARTLIMITS, PLUMB_SHOWN_CLOSED, NULL, CONF ":parse_part_enforce_type"},
    {PLUMB_P_SLURM_PROLOGFLAGS, PLUMB_SHOWN_CLOSED, NULL, CONF ":prolog_str2flags"},
    {PLUMB_P_SLURM_SLURMCTLDDEBUG, PLUMB_SHOWN_LEVEL, NULL, PRINT},
    {PLUMB_P_SLURM_SLURMDDEBUG, PLUMB_SHOWN_LEVEL, NULL, PRINT},
    {PLUMB_P_SLURM_SLURMCTLDSYSLOGDEBUG, PLUMB_SHOWN_LEVEL, "unknown", PRINT},
    {PLUMB_P_SLURM_SLURMDSYSLOGDEBUG, PLUMB_SHOWN_LEVEL, "unknown", PRINT},
    {PLUMB_P_SLURM_SLURMUSER, PLUMB_SHOWN_USER, NULL, PRINT},
    {PLUMB_P_SLURM_SLURMDUSER, PLUMB_SHOWN_USER, NULL, PRINT},
    {PLUMB_P_SLURM_DEFMEMPERCPU, PLUMB_SHOWN_NO_LIMIT, NULL, PRINT},
    {PLUMB_P_SLURM_DEFMEMPERNODE, PLUMB_SHOWN_NO_LIMIT, NULL, PRINT},
    {PLUMB_P_SLURM_MAXMEMPERCPU, PLUMB_SHOWN_NO_LIMIT, NULL, PRINT},
    {PLUMB_P_SLURM_MAXMEMPERNODE, PLUMB_SHOWN_NO_LIMIT, NULL, PRINT},
    {PLUMB_P_SLURM_HEALTHCHECKTIMEOUT, PLUMB_SHOWN_SET_ONLY, NULL, CONF},
    {PLUMB_P_SLURM_SELECTTYPEPARAMETERS, PLUMB_SHOWN_SET_ONLY, NULL, CONF},
    {PLUMB_P_SLURM_PREEMPTMODE, PLUMB_SHOWN_PLAIN, "OFF", PRINT},
    {PLUMB_P_SLURM_PREEMPTTYPE, PLUMB_SHOWN_PLAIN, "preempt/none", PRINT},
    {PLUMB_P_SLURM_HEALTHCHECKNODESTATE, PLUMB_SHOWN_PLAIN, "ANY", PRINT},
    {PLUMB_P_SLURM_SRUNPORTRANGE, PLUMB_SHOWN_PLAIN, "0-0", PRINT},
    {PLUMB_P_SLURM_SUSPENDTIMEOUT, PLUMB_SHOWN_PLAIN, NULL, PRINT},
    {PLUMB_P_PART_DEFMEMPERCPU, PLUMB_SHOWN_NO_LIMIT, NULL, PARTS},
    {PLUMB_P_PART_DEFMEMPERNODE, PLUMB_SHOWN_NO_LIMIT, NULL, PARTS},
    {PLUMB_P_PART_MAXMEMPERCPU, PLUMB_SHOWN_NO_LIMIT, NULL, PARTS},
    {PLUMB_P_PART_MAXMEMPERNODE, PLUMB_SHOWN_NO_LIMIT, NULL, PARTS},
    {PLUMB_P_PART_OVERSUBSCRIBE, PLUMB_SHOWN_PER, NULL, PARTS},
    {PLUMB_P_PART_SUSPENDTIME, PLUMB_SHOWN_PLAIN, "GLOBAL", PARTS},
    {PLUMB_P_PART_SUSPENDTIMEOUT, PLUMB_SHOWN_PLAIN, "GLOBAL", PARTS},
    {PLUMB_P_PART_RESUMETIMEOUT, PLUMB_SHOWN_PLAIN, "GLOBAL", PARTS},
    {PLUMB_P_SLURM_TASKPLUGINPARAM, PLUMB_SHOWN_PART, NULL, PRINT},
    {PLUMB_P_SLURM_CLUSTERNAME, PLUMB_SHOWN_NAMES, NULL, CONF},
    {PLUMB_P_SLURM_GRESTYPES, PLUMB_SHOWN_NAMES, NULL, PRINT},
    {PLUMB_P_SLURM_PLUGINDIR, PLUMB_SHOWN_SET_ONLY, NULL, "the build decides"},
    {PLUMB_P_SLURM_SLURMCTLDPIDFILE, PLUMB_SHOWN_SET_ONLY, NULL, "the build decides"},
    {PLUMB_P_SLURM_SLURMDPIDFILE, PLUMB_SHOWN_SET_ONLY, NULL, "the build decides"},
    {PLUMB_P_SLURM_LAUNCHTYPE, PLUMB_SHOWN_SET_ONLY, NULL, CONF},
    {PLUMB_P_SLURM_ROUTEPLUGIN, PLUMB_SHOWN_SET_ONLY, NULL, CONF},
    {PLUMB_P_PART_ALLOWACCOUNTS, PLUMB_SHOWN_NAMES, NULL, PARTS},
    {PLUMB_P_PART_ALLOWGROUPS, PLUMB_SHOWN_NAMES, NULL, PARTS},
    {PLUMB_P_PART_ALLOWQOS, PLUMB_SHOWN_NAMES, NULL, PARTS},
    {PLUMB_P_PART_DENYACCOUNTS, PLUMB_SHOWN_NAMES, NULL, PARTS},
    {PLUMB_P_PART_DENYQOS, PLUMB_SHOWN_NAMES, NULL, PARTS},
    {PLUMB_P_NODE_FEATURES, PLUMB_SHOWN_NAMES, NULL, NODES},
    {PLUMB_P_CGROUP_IGNORESYSTEMDONFAILURE, PLUMB_SHOWN_SET_ONLY, NULL, "IgnoreSystemd sets it"},
    {PLUMB_P_PART_LLN, PLUMB_SHOWN_SET_ONLY, NULL, "SelectTypeParameters=CR_LLN sets it"},
    {PLUMB_P_PART_NODES, PLUMB_SHOWN_NEVER, NULL, "compared as hosts"},
    {PLUMB_P_NODE_CPUSPECLIST, PLUMB_SHOWN_SET_ONLY, NULL, NODES},
    {PLUMB_P_NODE_CORESPECCOUNT, PLUMB_SHOWN_SET_ONLY, NULL, NODES},
    {PLUMB_P_NODE_PORT, PLUMB_SHOWN_SET_ONLY, NULL, NODES},
    {PLUMB_P_NODE_SUSPENDTIME, PLUMB_SHOWN_SET_ONLY, NULL, NODES},
    {PLUMB_P_NODE_TOPOLOGY, PLUMB_SHOWN_SET_ONLY, NULL, NODES},
    {PLUMB_P_NODE_PARAMETERS, PLUMB_SHOWN_SET_ONLY, NULL, NODES},
};

const struct plumb_shown *plumb_shown_of(const struct plumb_param *p)
{
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        if (rows[i].param == p->id)
            return &rows[i];
    }
    return NULL;
}

int plumb_shown_instead(unsigned param)
{
    static const int pairs[][2] = {
        {PLUMB_P_SLURM_DEFMEMPERCPU, PLUMB_P_SLURM_DEFMEMPERNODE},
        {PLUMB_P_SLURM_MAXMEMPERCPU, PLUMB_P_SLURM_MAXMEMPERNODE},
        {PLUMB_P_PART_DEFMEMPERCPU, PLUMB_P_PART_DEFMEMPERNODE},
        {PLUMB_P_PART_MAXMEMPERCPU, PLUMB_P_PART_MAXMEMPERNODE},
        {PLUMB_P_PART_ALLOWACCOUNTS, PLUMB_P_PART_DENYACCOUNTS},
        {PLUMB_P_PART_ALLOWQOS, PLUMB_P_PART_DENYQOS},
    };

    for (size_t i = 0; i < PLUMB_COUNT(pairs); i++) {
        for (size_t k = 0; k < 2; k++) {
            if (pairs[i][k] == (int)param)
                return pairs[i][1 - k];
        }
    }
    return -1;
}

/* Release notes 26.05. */
const struct plumb_shown_move plumb_shown_moves[] = {
    {PLUMB_P_PART_OVERSUBSCRIBE, PLUMB_P_PART_EXCLUSIVE, "EXCLUSIVE", "NODE"},
};
const size_t plumb_shown_move_count = PLUMB_COUNT(plumb_shown_moves);

const char *plumb_shown_brings(const struct plumb_param *p, const char *word, size_t len)
{
    static const struct {
        int param;
        const char *word, *brings;
    } all[] = {
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, "YES", "=ANY"},
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, "UP", "=ANY"},
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, "TRUE", "=ANY"},
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, "1", "=ANY"},
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, "DOWN", "=NO"},
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, "FALSE", "=NO"},
        {PLUMB_P_SLURM_ENFORCEPARTLIMITS, "0", "=NO"},
        {PLUMB_P_SLURM_PROLOGFLAGS, "Contain", "Alloc"},
        {PLUMB_P_SLURM_PROLOGFLAGS, "RunInJob", "Alloc,Contain"},
        {PLUMB_P_SLURM_PROLOGFLAGS, "DeferBatch", "Alloc"},
        {PLUMB_P_SLURM_PROLOGFLAGS, "NoHold", "Alloc"},
        {PLUMB_P_SLURM_PROLOGFLAGS, "ForceRequeueOnFail", "Alloc"},
        {PLUMB_P_SLURM_PROLOGFLAGS, "X11", "Alloc,Contain"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, "1", "=associations"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, "2", "=associations,limits"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, "limits", "associations"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, "safe", "associations,limits"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, "qos", "associations"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, "wckeys", "associations"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, "nojobs", "nosteps"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE, "all", "=associations,limits,qos,safe,wckeys"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETRES, "gres/gpu", "gres/gpumem,gres/gpuutil"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(all); i++) {
        if (all[i].param == p->id && strlen(all[i].word) == len &&
            plumb_equal_nocase(all[i].word, word, len))
            return all[i].brings;
    }
    return NULL;
}

bool plumb_shown_nothing(const char *text, size_t len)
{
    static const char *const words[] = {"(null)", "N/A", "none", "(null type)", "unknown", "n/a"};

    if (len == 0)
        return true;
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (strlen(words[i]) == len && plumb_equal_nocase(words[i], text, len))
            return true;
    }
    return false;
}
