/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the sections about scheduling and accounting. */
#include "spec/table.h"

#define SCHED PLUMB_SETS(PLUMB_P_SLURM_SCHEDULERPARAMETERS)

static const struct plumb_spec_word scheduler_words[] = {
    {.name = "backfill", .slurm = "sched/backfill"},
    {.name = "builtin", .slurm = "sched/builtin"},
    {0},
};

static const struct plumb_spec_key backfill_keys[] = {
    {
        .name = "interval",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = SCHED,
        .item = "bf_interval",
        .doc = "time between two passes of the backfill scheduler (bf_interval, seconds)",
        .example = "30 s",
    },
    {
        .name = "window",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MINUTES,
        .sets = SCHED,
        .item = "bf_window",
        .doc = "how far into the future backfill plans (bf_window, minutes)",
        .why = "at least the longest max_time, or long jobs starve",
        .example = "7 days",
    },
    {
        .name = "resolution",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = SCHED,
        .item = "bf_resolution",
        .doc = "grain of the plan (bf_resolution, seconds)",
        .why = "a wide window needs a coarse grain, else a pass takes too long",
        .example = "10 min",
    },
    {
        .name = "max_job_test",
        .kind = PLUMB_K_NUMBER,
        .sets = SCHED,
        .item = "bf_max_job_test",
        .doc = "jobs that one pass looks at",
        .example = "500",
    },
    {
        .name = "max_job_user",
        .kind = PLUMB_K_NUMBER,
        .sets = SCHED,
        .item = "bf_max_job_user",
        .doc = "jobs of one user that one pass starts",
        .example = "20",
    },
    {
        .name = "max_job_part",
        .kind = PLUMB_K_NUMBER,
        .sets = SCHED,
        .item = "bf_max_job_part",
        .doc = "jobs of one partition that one pass starts",
        .example = "200",
    },
    {
        .name = "max_job_start",
        .kind = PLUMB_K_NUMBER,
        .sets = SCHED,
        .item = "bf_max_job_start",
        .doc = "jobs that one pass starts",
        .example = "100",
    },
    {
        .name = "max_time",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = SCHED,
        .item = "bf_max_time",
        .doc = "how long one pass may take (bf_max_time, seconds)",
        .example = "60 s",
    },
    {
        .name = "yield_interval",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MICROSECONDS,
        .sets = SCHED,
        .item = "bf_yield_interval",
        .doc = "how long a pass keeps its locks (bf_yield_interval, microseconds)",
        .example = "2 s",
    },
    {
        .name = "yield_sleep",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MICROSECONDS,
        .sets = SCHED,
        .item = "bf_yield_sleep",
        .doc = "how long it then waits (bf_yield_sleep, microseconds)",
        .example = "500 ms",
    },
    {
        .name = "continue",
        .kind = PLUMB_K_BOOL,
        .sets = SCHED,
        .item = "bf_continue",
        .doc = "go on with the same queue after giving up the locks",
        .example = "true",
    },
};

static const struct plumb_spec_table backfill_table = {
    .title = "backfill", .keys = backfill_keys, .count = PLUMB_COUNT(backfill_keys)};

static const struct plumb_spec_word priority_words[] = {
    {.name = "basic", .slurm = "priority/basic"},
    {.name = "multifactor", .slurm = "priority/multifactor"},
    {0},
};

static const struct plumb_spec_word priority_flag_words[] = {
    {.name = "accrue_always", .slurm = "ACCRUE_ALWAYS"},
    {.name = "calculate_running", .slurm = "CALCULATE_RUNNING"},
    {.name = "depth_oblivious", .slurm = "DEPTH_OBLIVIOUS"},
    {.name = "incr_only", .slurm = "INCR_ONLY"},
    {.name = "max_tres", .slurm = "MAX_TRES"},
    {.name = "max_tres_gres", .slurm = "MAX_TRES_GRES"},
    {.name = "no_fair_tree", .slurm = "NO_FAIR_TREE"},
    {.name = "no_normal_all", .slurm = "NO_NORMAL_ALL"},
    {.name = "no_normal_assoc", .slurm = "NO_NORMAL_ASSOC"},
    {.name = "no_normal_part", .slurm = "NO_NORMAL_PART"},
    {.name = "no_normal_qos", .slurm = "NO_NORMAL_QOS"},
    {.name = "no_normal_tres", .slurm = "NO_NORMAL_TRES"},
    {.name = "small_relative_to_time", .slurm = "SMALL_RELATIVE_TO_TIME"},
    {0},
};

static const struct plumb_spec_word usage_reset_words[] = {
    {.name = "daily", .slurm = "DAILY"},         {.name = "monthly", .slurm = "MONTHLY"},
    {.name = "none", .slurm = "NONE"},           {.name = "now", .slurm = "NOW"},
    {.name = "quarterly", .slurm = "QUARTERLY"}, {.name = "weekly", .slurm = "WEEKLY"},
    {.name = "yearly", .slurm = "YEARLY"},       {0},
};

#define WEIGHT(key, id, text)                                                                      \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_NUMBER, .max = 4294967295, .sets = PLUMB_SETS(id),          \
        .doc = (text), .example = "10000"                                                          \
    }

static const struct plumb_spec_key priority_weight_keys[] = {
    WEIGHT("age", PLUMB_P_SLURM_PRIORITYWEIGHTAGE, "weight of the time spent waiting"),
    WEIGHT("assoc", PLUMB_P_SLURM_PRIORITYWEIGHTASSOC, "weight of the association's priority"),
    WEIGHT("fairshare", PLUMB_P_SLURM_PRIORITYWEIGHTFAIRSHARE, "weight of the fair share"),
    WEIGHT("job_size", PLUMB_P_SLURM_PRIORITYWEIGHTJOBSIZE, "weight of the size of the job"),
    WEIGHT("partition", PLUMB_P_SLURM_PRIORITYWEIGHTPARTITION,
           "weight of the partition's priority_job_factor"),
    WEIGHT("qos", PLUMB_P_SLURM_PRIORITYWEIGHTQOS, "weight of the QOS's priority"),
};

static const struct plumb_spec_key priority_weight_other = {
    .name = "RESOURCE",
    .kind = PLUMB_K_DECIMAL,
    .doc = "weight of a resource: cpu, memory, node or the name of a generic resource",
    .example = "10000",
};

static const struct plumb_spec_table priority_weight_table = {
    .title = "weights",
    .keys = priority_weight_keys,
    .count = PLUMB_COUNT(priority_weight_keys),
    .other = &priority_weight_other,
};

static const struct plumb_spec_key priority_keys[] = {
    {
        .name = "type",
        .kind = PLUMB_K_WORD,
        .words = priority_words,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PRIORITYTYPE),
        .def = "multifactor",
        .doc = "how the order of jobs is decided",
        .why = "the default of Slurm before 23.11 is basic: first come, first served",
    },
    {
        .name = "decay_half_life",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MINUTES,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PRIORITYDECAYHALFLIFE),
        .doc = "time after which past usage counts half",
        .example = "14 days",
    },
    {
        .name = "max_age",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MINUTES,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PRIORITYMAXAGE),
        .doc = "waiting time from which the age factor is full",
        .example = "7 days",
    },
    {
        .name = "calc_period",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MINUTES,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PRIORITYCALCPERIOD),
        .doc = "time between two decays of usage",
        .example = "5 min",
    },
    {
        .name = "usage_reset",
        .kind = PLUMB_K_WORD,
        .words = usage_reset_words,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PRIORITYUSAGERESETPERIOD),
        .doc = "when past usage is forgotten",
        .example = "none",
    },
    {
        .name = "favor_small",
        .kind = PLUMB_K_BOOL,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PRIORITYFAVORSMALL),
        .doc = "small jobs first, instead of large ones",
        .example = "false",
    },
    {
        .name = "weights",
        .kind = PLUMB_K_MAP,
        .of = &priority_weight_table,
        .doc = "weights of the parts of a job's priority",
        .why = "age and fairshare need accounting",
        .example = "{age: 10000, fairshare: 100000, gpu: 10000}",
    },
    {
        .name = "flags",
        .kind = PLUMB_K_WORD,
        .words = priority_flag_words,
        .list = true,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PRIORITYFLAGS),
        .doc = "flags of the multifactor plugin; fair tree is on unless taken away",
        .example = "[accrue_always]",
    },
};

static const struct plumb_spec_table priority_table = {
    .title = "priority", .keys = priority_keys, .count = PLUMB_COUNT(priority_keys)};

static const struct plumb_spec_word resource_words[] = {
    {.name = "core", .slurm = "CR_Core"},
    {.name = "core_memory", .slurm = "CR_Core_Memory"},
    {.name = "cpu", .slurm = "CR_CPU"},
    {.name = "cpu_memory", .slurm = "CR_CPU_Memory"},
    {.name = "socket", .slurm = "CR_Socket"},
    {.name = "socket_memory", .slurm = "CR_Socket_Memory"},
    {0},
};

static const struct plumb_spec_word select_words[] = {
    {.name = "default_dist_block", .slurm = "CR_CORE_DEFAULT_DIST_BLOCK"},
    {.name = "enforce_binding_gres", .slurm = "ENFORCE_BINDING_GRES"},
    {.name = "least_loaded", .slurm = "CR_LLN"},
    {.name = "ll_shared_gres", .slurm = "LL_SHARED_GRES"},
    {.name = "multiple_sharing_gres_pj", .slurm = "MULTIPLE_SHARING_GRES_PJ"},
    {.name = "one_task_per_core", .slurm = "CR_ONE_TASK_PER_CORE"},
    {.name = "one_task_per_sharing_gres", .slurm = "ONE_TASK_PER_SHARING_GRES"},
    {.name = "pack_nodes", .slurm = "CR_Pack_Nodes"},
    {0},
};

static const struct plumb_spec_key select_keys[] = {
    {
        .name = "resource",
        .kind = PLUMB_K_WORD,
        .words = resource_words,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SELECTTYPEPARAMETERS),
        .item = "",
        .def = "core_memory",
        .doc = "what is handed out to jobs",
        .why = "without memory in it, jobs of one node can use up each other's memory",
    },
    {
        .name = "options",
        .kind = PLUMB_K_WORD,
        .words = select_words,
        .list = true,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SELECTTYPEPARAMETERS),
        .item = "",
        .doc = "how it is handed out",
        .example = "[default_dist_block]",
    },
};

static const struct plumb_spec_table select_table = {
    .title = "select", .keys = select_keys, .count = PLUMB_COUNT(select_keys)};

static const struct plumb_spec_word preempt_type_words[] = {
    {.name = "partition_priority", .slurm = "preempt/partition_prio"},
    {.name = "qos", .slurm = "preempt/qos"},
    {0},
};

static const struct plumb_spec_word preempt_mode_words[] = {
    {.name = "cancel", .slurm = "CANCEL"},
    {.name = "gang", .slurm = "GANG"},
    {.name = "priority", .slurm = "PRIORITY"},
    {.name = "requeue", .slurm = "REQUEUE"},
    {.name = "suspend", .slurm = "SUSPEND"},
    {.name = "within", .slurm = "WITHIN"},
    {0},
};

static const struct plumb_spec_key preempt_keys[] = {
    {
        .name = "by",
        .kind = PLUMB_K_WORD,
        .words = preempt_type_words,
        .required = true,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PREEMPTTYPE),
        .doc = "which jobs may preempt which",
        .example = "qos",
    },
    {
        .name = "mode",
        .kind = PLUMB_K_WORD,
        .words = preempt_mode_words,
        .list = true,
        .required = true,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PREEMPTMODE),
        .doc = "what happens to the job that is preempted; priority exists from 25.05 on",
        .example = "requeue",
    },
    {
        .name = "exempt_time",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PREEMPTEXEMPTTIME),
        .doc = "how long a job runs before it can be preempted",
        .example = "30 min",
    },
};

static const struct plumb_spec_table preempt_table = {
    .title = "preempt", .keys = preempt_keys, .count = PLUMB_COUNT(preempt_keys)};

#define MEMORY(key, id, text, reason)                                                              \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_SIZE, .unit = PLUMB_U_MIB, .sets = PLUMB_SETS(id),          \
        .doc = (text), .why = (reason), .example = "16 GiB"                                        \
    }

static const struct plumb_spec_key scheduling_keys[] = {
    {
        .name = "type",
        .kind = PLUMB_K_WORD,
        .words = scheduler_words,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SCHEDULERTYPE),
        .def = "backfill",
        .doc = "scheduler",
    },
    {
        .name = "backfill",
        .kind = PLUMB_K_MAP,
        .of = &backfill_table,
        .doc = "the scheduler that fills the gaps in front of large jobs",
    },
    {
        .name = "default_queue_depth",
        .kind = PLUMB_K_NUMBER,
        .sets = SCHED,
        .item = "default_queue_depth",
        .doc = "jobs that the main scheduler looks at when something ends or is submitted",
        .example = "200",
    },
    {
        .name = "partition_job_depth",
        .kind = PLUMB_K_NUMBER,
        .sets = SCHED,
        .item = "partition_job_depth",
        .doc = "the same for each partition",
        .example = "50",
    },
    {
        .name = "max_rpc_cnt",
        .kind = PLUMB_K_NUMBER,
        .sets = SCHED,
        .item = "max_rpc_cnt",
        .doc = "open requests from which scheduling waits",
        .example = "150",
    },
    {
        .name = "sched_interval",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = SCHED,
        .item = "sched_interval",
        .doc = "time between two passes of the main scheduler over all jobs (seconds)",
        .example = "60 s",
    },
    {
        .name = "parameters",
        .kind = PLUMB_K_TEXT,
        .list = true,
        .sets = SCHED,
        .item = "",
        .doc = "further items of SchedulerParameters, as Slurm writes them",
        .example = "[bf_busy_nodes, nohold_on_prolog_fail]",
    },
    {
        .name = "select",
        .kind = PLUMB_K_MAP,
        .of = &select_table,
        .doc = "what is handed out to jobs",
    },
    {
        .name = "def_cpu_per_gpu",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_DEFCPUPERGPU),
        .doc = "CPUs for each GPU when a job does not say",
        .example = "16",
    },
    MEMORY("def_mem_per_cpu", PLUMB_P_SLURM_DEFMEMPERCPU,
           "memory for each CPU when a job does not say",
           "without any def_mem key plumb shares out the memory of the smallest node class by its "
           "CPUs; with none at all a job without --mem takes the whole node"),
    MEMORY("def_mem_per_gpu", PLUMB_P_SLURM_DEFMEMPERGPU,
           "memory for each GPU when a job does not say", NULL),
    MEMORY("def_mem_per_node", PLUMB_P_SLURM_DEFMEMPERNODE,
           "memory on each node when a job does not say", NULL),
    MEMORY("max_mem_per_cpu", PLUMB_P_SLURM_MAXMEMPERCPU, "most memory for each CPU", NULL),
    MEMORY("max_mem_per_node", PLUMB_P_SLURM_MAXMEMPERNODE, "most memory on each node", NULL),
    {
        .name = "preempt",
        .kind = PLUMB_K_MAP,
        .of = &preempt_table,
        .if_given = true,
        .doc = "jobs that make room for others",
    },
    {
        .name = "priority",
        .kind = PLUMB_K_MAP,
        .of = &priority_table,
        .doc = "order of the jobs",
    },
};

const struct plumb_spec_table plumb_spec_scheduling = {
    .title = "scheduling", .keys = scheduling_keys, .count = PLUMB_COUNT(scheduling_keys)};

static const struct plumb_spec_key weight_other = {
    .name = "RESOURCE",
    .kind = PLUMB_K_DECIMAL,
    .doc = "weight of one unit: cpu, memory_mib, memory_gib, memory_tib, node, or the name of a "
           "generic resource",
    .example = "100",
};

const struct plumb_spec_table plumb_spec_weights = {
    .title = "billing", .keys = NULL, .count = 0, .other = &weight_other};

static const struct plumb_spec_word enforce_words[] = {
    {.name = "all", .slurm = "all"},
    {.name = "associations", .slurm = "associations"},
    {.name = "limits", .slurm = "limits"},
    {.name = "nojobs", .slurm = "nojobs"},
    {.name = "nosteps", .slurm = "nosteps"},
    {.name = "qos", .slurm = "qos"},
    {.name = "safe", .slurm = "safe"},
    {.name = "wckeys", .slurm = "wckeys"},
    {0},
};

static const struct plumb_spec_word store_words[] = {
    {.name = "job_comment", .slurm = "job_comment"}, {.name = "job_env", .slurm = "job_env"},
    {.name = "job_extra", .slurm = "job_extra"},     {.name = "job_script", .slurm = "job_script"},
    {.name = "no_stdio", .slurm = "no_stdio"},       {0},
};

static const struct plumb_spec_word energy_words[] = {
    {.name = "gpu", .slurm = "acct_gather_energy/gpu"},
    {.name = "ipmi", .slurm = "acct_gather_energy/ipmi"},
    {.name = "pm_counters", .slurm = "acct_gather_energy/pm_counters"},
    {.name = "rapl", .slurm = "acct_gather_energy/rapl"},
    {.name = "xcc", .slurm = "acct_gather_energy/xcc"},
    {0},
};

static const struct plumb_spec_key qos_keys[] = {
    {.name = "priority",
     .kind = PLUMB_K_NUMBER,
     .max = 4294967294,
     .doc = "priority of the QOS",
     .example = "10"},
    {.name = "preempt",
     .kind = PLUMB_K_NAME,
     .list = true,
     .doc = "QOS whose jobs it may preempt",
     .example = "[normal]"},
    {.name = "max_wall",
     .kind = PLUMB_K_DURATION,
     .unit = PLUMB_U_MINUTES,
     .unlimited = true,
     .doc = "longest run time of a job",
     .example = "12 h"},
    {.name = "flags",
     .kind = PLUMB_K_NAME,
     .list = true,
     .doc = "flags of the QOS, as sacctmgr writes them",
     .example = "[DenyOnLimit]"},
    {.name = "limits", .kind = PLUMB_K_ANY, .doc = "limits of the QOS", .example = "{}"},
};

static const struct plumb_spec_table qos_table = {
    .title = "qos", .keys = qos_keys, .count = PLUMB_COUNT(qos_keys)};

static const struct plumb_spec_key account_keys[] = {
    {.name = "organization",
     .kind = PLUMB_K_TEXT,
     .doc = "organization of the account",
     .example = "platform"},
    {.name = "description",
     .kind = PLUMB_K_TEXT,
     .doc = "description of the account",
     .example = "training runs"},
    {.name = "parent", .kind = PLUMB_K_NAME, .doc = "account above it", .example = "platform"},
    {.name = "fairshare",
     .kind = PLUMB_K_NUMBER,
     .max = 2147483647,
     .doc = "shares of the account among its siblings",
     .example = "50"},
    {.name = "limits",
     .kind = PLUMB_K_ANY,
     .doc = "limits of the account",
     .example = "{grp_tres: {gpu: 32}}"},
    {.name = "qos",
     .kind = PLUMB_K_NAME,
     .list = true,
     .doc = "QOS that it may use",
     .example = "[normal]"},
    {.name = "users",
     .kind = PLUMB_K_NAME,
     .list = true,
     .doc = "users of the account",
     .example = "[alice]"},
};

static const struct plumb_spec_table account_table = {
    .title = "accounts", .keys = account_keys, .count = PLUMB_COUNT(account_keys)};

static const struct plumb_spec_key accounting_keys[] = {
    {
        .name = "enforce",
        .kind = PLUMB_K_WORD,
        .words = enforce_words,
        .list = true,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_ACCOUNTINGSTORAGEENFORCE),
        .doc = "what a job needs before it is taken or started",
        .why = "safe starts a job only when what is left of its account lets it run to its end",
        .example = "[associations, limits, qos, safe]",
    },
    {
        .name = "track",
        .kind = PLUMB_K_NAME,
        .list = true,
        .doc = "resources that are counted beside CPUs, memory and nodes",
        .why = "without it, the generic resources of all node classes; what a weight names is "
               "tracked in any case, because slurmctld ends when it is not",
        .example = "[gres/gpu, gres/nvme]",
    },
    {
        .name = "billing",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_weights,
        .doc = "billing weights of every partition",
        .why = "Slurm has TRESBillingWeights per partition only",
        .example = "{cpu: 0.1, memory_gib: 0.005, gpu: 100}",
    },
    {
        .name = "gather_interval",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_JOBACCTGATHERFREQUENCY),
        .doc = "time between two samples of what a job uses",
        .example = "30 s",
    },
    {
        .name = "energy",
        .kind = PLUMB_K_WORD,
        .words = energy_words,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_ACCTGATHERENERGYTYPE),
        .doc = "where the energy of a job is measured",
        .example = "ipmi",
    },
    {
        .name = "store",
        .kind = PLUMB_K_WORD,
        .words = store_words,
        .list = true,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_ACCOUNTINGSTOREFLAGS),
        .doc = "what is kept of each job beside its numbers",
        .example = "[job_script]",
    },
    {
        .name = "qos",
        .kind = PLUMB_K_ENTRIES,
        .of = &qos_table,
        .later = true,
        .for_jobs = true,
        .doc = "QOS by name",
        .example = "{normal: {priority: 10}}",
    },
    {
        .name = "accounts",
        .kind = PLUMB_K_ENTRIES,
        .of = &account_table,
        .by_flavor = true,
        .for_jobs = true,
        .doc = "accounts by name",
        .example = "{platform: {organization: platform}}",
    },
};

const struct plumb_spec_table plumb_spec_accounting = {
    .title = "accounting", .keys = accounting_keys, .count = PLUMB_COUNT(accounting_keys)};
