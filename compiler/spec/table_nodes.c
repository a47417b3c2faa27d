/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the sections about machines and partitions. */
#include "spec/table.h"

static const struct plumb_spec_word autodetect_words[] = {
    {.name = "full", .slurm = "full"},     {.name = "nrt", .slurm = "nrt"},
    {.name = "nvidia", .slurm = "nvidia"}, {.name = "nvml", .slurm = "nvml"},
    {.name = "off", .slurm = "off"},       {.name = "oneapi", .slurm = "oneapi"},
    {.name = "rsmi", .slurm = "rsmi"},     {0},
};

static const struct plumb_spec_word gres_flag_words[] = {
    {.name = "all_sharing", .slurm = "all_sharing"},
    {.name = "amd_gpu_env", .slurm = "amd_gpu_env"},
    {.name = "count_only", .slurm = "CountOnly"},
    {.name = "env_uuid", .slurm = "env_uuid"},
    {.name = "explicit", .slurm = "explicit"},
    {.name = "intel_gpu_env", .slurm = "intel_gpu_env"},
    {.name = "no_gpu_env", .slurm = "no_gpu_env"},
    {.name = "nvidia_gpu_env", .slurm = "nvidia_gpu_env"},
    {.name = "one_sharing", .slurm = "one_sharing"},
    {.name = "opencl_env", .slurm = "opencl_env"},
    {0},
};

static const struct plumb_spec_key gres_keys[] = {
    {
        .name = "type",
        .kind = PLUMB_K_NAME,
        .doc = "type that users may ask for",
        .why = "part of the product name in lower case is enough: h100",
        .example = "h100",
    },
    {
        .name = "count",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .doc = "how many a node has; checked against the capture",
        .example = "8",
    },
    {
        .name = "per_gpu",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .doc = "of mps and shard: shares of each GPU, instead of a count for the node",
        .why = "slurmd divides the count of a node evenly over its GPUs",
        .example = "4",
    },
    {
        .name = "files",
        .kind = PLUMB_K_HOSTS,
        .paths = true,
        .doc = "device files; for GPUs they come from the capture",
        .example = "/dev/nvidia[0-7]",
    },
    {
        .name = "devices",
        .kind = PLUMB_K_NAME,
        .list = true,
        .doc = "of network adapters, instead of files: RDMA devices as the captures name them",
        .why = "File= is their /dev/infiniband/uverbs<n>, whose number a capture must tell; with "
               "constrain_devices a job then uses no adapter that it has not asked for",
        .example = "[mlx5_0, mlx5_1]",
    },
    {
        .name = "flags",
        .kind = PLUMB_K_WORD,
        .words = gres_flag_words,
        .list = true,
        .doc = "flags of the gres.conf line",
        .example = "[nvidia_gpu_env]",
    },
};

static const struct plumb_spec_table gres_table = {
    .title = "gres", .keys = gres_keys, .count = PLUMB_COUNT(gres_keys)};

static const struct plumb_spec_key gres_entry = {
    .name = "NAME",
    .kind = PLUMB_K_MAP,
    .of = &gres_table,
    .list = true,
    .shorthand = "count",
    .doc = "one generic resource: gpu, nvme or any name; a list when a node has several types",
    .example = "{type: h100, count: 8}",
};

static const struct plumb_spec_table gres_entries = {
    .title = "gres", .keys = NULL, .count = 0, .other = &gres_entry};

static const struct plumb_spec_key reserve_keys[] = {
    {
        .name = "cores",
        .kind = PLUMB_K_CORES,
        .max = 65535,
        .doc = "cores kept for the operating system: a count, or the numbers of the cores",
        .why = "numbers are Slurm's, counted socket by socket from 0, whole cores with all threads",
        .example = "[0, 1]",
    },
    {
        .name = "memory",
        .kind = PLUMB_K_SIZE,
        .unit = PLUMB_U_MIB,
        .sets = PLUMB_SETS(PLUMB_P_NODE_MEMSPECLIMIT),
        .doc = "memory kept for the operating system and daemons",
        .why = "jobs may use memory less this",
        .example = "32 GiB",
    },
};

static const struct plumb_spec_table reserve_table = {
    .title = "reserve", .keys = reserve_keys, .count = PLUMB_COUNT(reserve_keys)};

static const struct plumb_spec_word node_state_words[] = {
    {.name = "cloud", .slurm = "CLOUD"},     {.name = "down", .slurm = "DOWN"},
    {.name = "drain", .slurm = "DRAIN"},     {.name = "external", .slurm = "EXTERNAL"},
    {.name = "fail", .slurm = "FAIL"},       {.name = "future", .slurm = "FUTURE"},
    {.name = "unknown", .slurm = "UNKNOWN"}, {0},
};

static const struct plumb_spec_key node_keys[] = {
    {
        .name = "hosts",
        .kind = PLUMB_K_HOSTS,
        .required = true,
        .doc = "names of the nodes, as Slurm's host list",
        .example = "gpu-[01-16]",
    },
    {
        .name = "addresses",
        .kind = PLUMB_K_HOSTS,
        .sets = PLUMB_SETS(PLUMB_P_NODE_NODEADDR),
        .doc = "addresses of the nodes, one per host in the same order",
        .example = "10.0.1.[1-16]",
    },
    {
        .name = "topology",
        .kind = PLUMB_K_TEXT,
        .doc = "folder of captures of one such machine, or a built-in reference machine",
        .why = "sockets, cores, threads, memory, GPUs and their places come from it",
        .example = "captures/h100",
    },
    {
        .name = "memory",
        .kind = PLUMB_K_SIZE,
        .unit = PLUMB_U_MIB,
        .sets = PLUMB_SETS(PLUMB_P_NODE_REALMEMORY),
        .doc = "memory that Slurm may use; without it the capture decides",
        .why = "a node that reports less than this is drained, so stay a little below the machine",
        .example = "2000000 MB",
    },
    {
        .name = "boards",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_NODE_BOARDS),
        .doc = "boards of a node; without it the capture decides",
        .example = "1",
    },
    {
        .name = "sockets",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_NODE_SOCKETS),
        .doc = "sockets of a node, all boards together; without it the capture decides",
        .example = "2",
    },
    {
        .name = "cores_per_socket",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_NODE_CORESPERSOCKET),
        .doc = "cores of a socket; without it the capture decides",
        .example = "64",
    },
    {
        .name = "threads_per_core",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_NODE_THREADSPERCORE),
        .doc = "hardware threads of a core; without it the capture decides",
        .example = "2",
    },
    {
        .name = "cpus",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_NODE_CPUS),
        .doc = "CPUs that Slurm counts: all threads, or as many as there are cores",
        .example = "256",
    },
    {
        .name = "tmp_disk",
        .kind = PLUMB_K_SIZE,
        .unit = PLUMB_U_MIB,
        .sets = PLUMB_SETS(PLUMB_P_NODE_TMPDISK),
        .doc = "size of the temporary file system",
        .example = "3 TiB",
    },
    {
        .name = "features",
        .kind = PLUMB_K_NAME,
        .list = true,
        .sets = PLUMB_SETS(PLUMB_P_NODE_FEATURES),
        .doc = "words that jobs may ask for with --constraint",
        .example = "[h100, ib]",
    },
    {
        .name = "weight",
        .kind = PLUMB_K_NUMBER,
        .max = 4294967294,
        .sets = PLUMB_SETS(PLUMB_P_NODE_WEIGHT),
        .doc = "nodes of lower weight are filled first",
        .example = "100",
    },
    {
        .name = "state",
        .kind = PLUMB_K_WORD,
        .words = node_state_words,
        .sets = PLUMB_SETS(PLUMB_P_NODE_STATE),
        .doc = "state before the node has registered; external exists from 25.05 on",
        .example = "unknown",
    },
    {
        .name = "port",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_NODE_PORT),
        .doc = "port of slurmd on these nodes when it differs from control.ports.slurmd",
        .example = "6818",
    },
    {
        .name = "reserve",
        .kind = PLUMB_K_MAP,
        .of = &reserve_table,
        .doc = "what jobs may not use",
    },
    {
        .name = "restricted_cores_per_gpu",
        .kind = PLUMB_K_NUMBER,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_NODE_RESTRICTEDCORESPERGPU),
        .doc = "cores kept for the jobs that use each GPU (from 24.05 on)",
        .example = "4",
    },
    {
        .name = "gres",
        .kind = PLUMB_K_MAP,
        .of = &gres_entries,
        .doc = "generic resources of a node",
        .why = "what is counted here is an expectation: the capture must agree",
        .example = "{gpu: {type: h100, count: 8}}",
    },
    {
        .name = "autodetect",
        .kind = PLUMB_K_WORD,
        .words = autodetect_words,
        .doc = "let slurmd find the GPUs instead of writing files, cores and links",
        .why = "written lines work without a GPU library in slurmd; detection copes with MIG",
        .example = "nvml",
    },
    {
        .name = "fabric",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_fabric,
        .doc = "network adapters that carry traffic between GPUs; the capture must agree",
        .example = "{hcas: [mlx5_0, mlx5_1], rails: 2}",
    },
    {
        .name = "kubernetes",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_class_kubernetes,
        .doc = "the same machines as Kubernetes sees them",
    },
    {
        .name = "overrides",
        .kind = PLUMB_K_RAW,
        .doc = "raw parameters of the NodeName line",
        .example = "{CpuBind: core}",
    },
};

const struct plumb_spec_table plumb_spec_nodes = {
    .title = "nodes", .keys = node_keys, .count = PLUMB_COUNT(node_keys)};

static const struct plumb_spec_word exclusive_words[] = {
    {.name = "none"}, {.name = "node"}, {.name = "user"}, {.name = "topo"}, {0},
};

static const struct plumb_spec_word partition_state_words[] = {
    {.name = "up", .slurm = "UP"},
    {.name = "down", .slurm = "DOWN"},
    {.name = "drain", .slurm = "DRAIN"},
    {.name = "inactive", .slurm = "INACTIVE"},
    {0},
};

static const struct plumb_spec_word partition_preempt_words[] = {
    {.name = "cancel", .slurm = "CANCEL"},
    {.name = "off", .slurm = "OFF"},
    {.name = "requeue", .slurm = "REQUEUE"},
    {.name = "suspend", .slurm = "SUSPEND"},
    {0},
};

static const struct plumb_spec_key oversubscribe_keys[] = {
    {
        .name = "jobs",
        .kind = PLUMB_K_NUMBER,
        .required = true,
        .min = 1,
        .max = 32767,
        .doc = "how many jobs may share a resource; 1 is no sharing",
        .example = "4",
    },
    {
        .name = "force",
        .kind = PLUMB_K_BOOL,
        .def = "false",
        .doc = "share without being asked by --oversubscribe",
    },
};

static const struct plumb_spec_table oversubscribe_table = {
    .title = "oversubscribe", .keys = oversubscribe_keys, .count = PLUMB_COUNT(oversubscribe_keys)};

#define MEMORY(key, id, text)                                                                      \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_SIZE, .unit = PLUMB_U_MIB, .sets = PLUMB_SETS(id),          \
        .doc = (text), .example = "16 GiB"                                                         \
    }

#define FLAG(key, id, text)                                                                        \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_BOOL, .sets = PLUMB_SETS(id), .doc = (text),                \
        .example = "true"                                                                          \
    }

#define NAMES(key, id, text)                                                                       \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_NAME, .list = true, .sets = PLUMB_SETS(id), .doc = (text),  \
        .example = "[tenant-foo]"                                                                  \
    }

static const struct plumb_spec_key partition_keys[] = {
    {
        .name = "nodes",
        .kind = PLUMB_K_HOSTS,
        .required = true,
        .doc = "nodes of the partition: a host list, names of node classes, or all",
        .example = "gpu-[01-12]",
    },
    FLAG("default", PLUMB_P_PART_DEFAULT, "jobs that name no partition come here"),
    {
        .name = "max_time",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MINUTES,
        .unlimited = true,
        .sets = PLUMB_SETS(PLUMB_P_PART_MAXTIME),
        .doc = "longest run time of a job",
        .example = "7 days",
    },
    {
        .name = "default_time",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MINUTES,
        .unlimited = true,
        .sets = PLUMB_SETS(PLUMB_P_PART_DEFAULTTIME),
        .doc = "run time of a job that asks for none",
        .why = "without it such jobs get max_time, and backfill finds no place for them",
        .example = "4 h",
    },
    {
        .name = "priority_tier",
        .kind = PLUMB_K_NUMBER,
        .max = 65533,
        .sets = PLUMB_SETS(PLUMB_P_PART_PRIORITYTIER),
        .doc = "jobs of a higher tier are looked at first",
        .example = "2",
    },
    {
        .name = "priority_job_factor",
        .kind = PLUMB_K_NUMBER,
        .max = 65533,
        .sets = PLUMB_SETS(PLUMB_P_PART_PRIORITYJOBFACTOR),
        .doc = "share of the partition in the priority of a job",
        .example = "10",
    },
    {
        .name = "state",
        .kind = PLUMB_K_WORD,
        .words = partition_state_words,
        .sets = PLUMB_SETS(PLUMB_P_PART_STATE),
        .def = "up",
        .doc = "whether jobs are taken and started",
    },
    {
        .name = "oversubscribe",
        .kind = PLUMB_K_MAP,
        .of = &oversubscribe_table,
        .shorthand = "jobs",
        .doc = "several jobs on the same resources",
        .example = "{jobs: 4}",
    },
    {
        .name = "exclusive",
        .kind = PLUMB_K_WORD,
        .words = exclusive_words,
        .doc = "what a job does not share: node, user or topo (from 24.05 on)",
        .example = "node",
    },
    {
        .name = "billing",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_weights,
        .doc = "billing weights of this partition, laid over accounting.billing",
        .why = "weights not named here are those of accounting.billing; 0 takes one away",
        .example = "{gpu: 100}",
    },
    {
        .name = "qos",
        .kind = PLUMB_K_NAME,
        .sets = PLUMB_SETS(PLUMB_P_PART_QOS),
        .doc = "QOS whose limits hold for the whole partition",
        .example = "training",
    },
    {
        .name = "topology",
        .kind = PLUMB_K_NAME,
        .sets = PLUMB_SETS(PLUMB_P_PART_TOPOLOGY),
        .doc = "topology of topology.yaml for jobs of this partition: tree or block (25.05 on)",
        .example = "block",
    },
    NAMES("allow_accounts", PLUMB_P_PART_ALLOWACCOUNTS, "accounts that may use it"),
    NAMES("deny_accounts", PLUMB_P_PART_DENYACCOUNTS, "accounts that may not use it"),
    NAMES("allow_qos", PLUMB_P_PART_ALLOWQOS, "QOS that may be used in it"),
    NAMES("deny_qos", PLUMB_P_PART_DENYQOS, "QOS that may not be used in it"),
    NAMES("allow_groups", PLUMB_P_PART_ALLOWGROUPS, "groups of users that may use it"),
    {
        .name = "preempt_mode",
        .kind = PLUMB_K_WORD,
        .words = partition_preempt_words,
        .sets = PLUMB_SETS(PLUMB_P_PART_PREEMPTMODE),
        .doc = "what happens to jobs of this partition that are preempted",
        .example = "requeue",
    },
    {
        .name = "grace_time",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = PLUMB_SETS(PLUMB_P_PART_GRACETIME),
        .doc = "time between the announcement and the preemption",
        .example = "2 min",
    },
    {
        .name = "over_time_limit",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MINUTES,
        .sets = PLUMB_SETS(PLUMB_P_PART_OVERTIMELIMIT),
        .doc = "how long a job may run over its limit",
        .example = "5 min",
    },
    {
        .name = "def_cpu_per_gpu",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .sets = PLUMB_SETS(PLUMB_P_PART_DEFCPUPERGPU),
        .doc = "CPUs for each GPU when a job does not say",
        .example = "16",
    },
    MEMORY("def_mem_per_cpu", PLUMB_P_PART_DEFMEMPERCPU,
           "memory for each CPU when a job does not say"),
    MEMORY("def_mem_per_gpu", PLUMB_P_PART_DEFMEMPERGPU,
           "memory for each GPU when a job does not say"),
    MEMORY("def_mem_per_node", PLUMB_P_PART_DEFMEMPERNODE,
           "memory on each node when a job does not say"),
    MEMORY("max_mem_per_cpu", PLUMB_P_PART_MAXMEMPERCPU, "most memory for each CPU"),
    MEMORY("max_mem_per_node", PLUMB_P_PART_MAXMEMPERNODE, "most memory on each node"),
    {
        .name = "max_cpus_per_node",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 4294967293,
        .sets = PLUMB_SETS(PLUMB_P_PART_MAXCPUSPERNODE),
        .doc = "most CPUs of one node that jobs of the partition may use",
        .example = "64",
    },
    {
        .name = "max_nodes",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 4294967293,
        .sets = PLUMB_SETS(PLUMB_P_PART_MAXNODES),
        .doc = "most nodes of one job",
        .example = "16",
    },
    {
        .name = "min_nodes",
        .kind = PLUMB_K_NUMBER,
        .max = 4294967293,
        .sets = PLUMB_SETS(PLUMB_P_PART_MINNODES),
        .doc = "fewest nodes of one job",
        .example = "1",
    },
    FLAG("disable_root_jobs", PLUMB_P_PART_DISABLEROOTJOBS, "root may not run jobs here"),
    FLAG("hidden", PLUMB_P_PART_HIDDEN, "not shown by sinfo and squeue unless asked"),
    FLAG("least_loaded", PLUMB_P_PART_LLN, "jobs go to the least loaded nodes"),
    FLAG("reservation_only", PLUMB_P_PART_REQRESV, "only jobs in a reservation may use it"),
    FLAG("root_only", PLUMB_P_PART_ROOTONLY, "only root may start jobs here"),
    {
        .name = "ecc",
        .kind = PLUMB_K_ANY,
        .later = true,
        .doc = "whether GPUs must have ECC on",
        .example = "required",
    },
    {
        .name = "sharing",
        .kind = PLUMB_K_ANY,
        .later = true,
        .doc = "how a GPU is shared: none, mps, mig, shard",
        .example = "mps",
    },
    {
        .name = "clocks",
        .kind = PLUMB_K_ANY,
        .later = true,
        .doc = "clocks that the prolog sets",
        .example = "{graphics: 1980}",
    },
    {
        .name = "overrides",
        .kind = PLUMB_K_RAW,
        .doc = "raw parameters of the PartitionName line",
        .example = "{CpuBind: core}",
    },
};

const struct plumb_spec_table plumb_spec_partition = {
    .title = "partitions", .keys = partition_keys, .count = PLUMB_COUNT(partition_keys)};
