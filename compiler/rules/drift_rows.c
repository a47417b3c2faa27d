/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of family DRIFT that read the model. DRIFT002 is the readers' (live/live.c). */
#include "rules/drift_rows.h"

#include "passes/pass.h"

#define NEEDS (PLUMB_FACT_MODEL | PLUMB_FACT_LIVE)

static const struct plumb_rule rows[] = {
    {
        .code = "DRIFT003",
        .name = "live-release",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "the daemons are of another release than the source",
        .why = "Keys and defaults differ between releases, so that other differences may be due to "
               "this one.",
        .ref = "scontrol(1), show config, SLURM_VERSION",
        .bad = "# plumb check --slurm 24.11\n"
               "# slurm.conf\n"
               "NodeName=c1 CPUs=32\n"
               "# live/config.txt\n"
               "Configuration data as of 2026-12-01T10:00:00\n"
               "SLURM_VERSION           = 23.11.4",
        .good = "# plumb check --slurm 24.11\n"
                "# slurm.conf\n"
                "NodeName=c1 CPUs=32\n"
                "# live/config.txt\n"
                "Configuration data as of 2026-12-01T10:00:00\n"
                "SLURM_VERSION           = 24.11.5",
        .run = plumb_drift_release,
    },
    {
        .code = "DRIFT010",
        .name = "setting-not-in-force",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld runs with another value than the source has",
        .why = "slurmctld keeps the value that it read until it is reconfigured, for some keys "
               "until it is restarted; a value that the source never had came from elsewhere.",
        .ref = "scontrol(1), show config; slurm.conf(5)",
        .bad = "SlurmctldTimeout=300\n"
               "# live/config.txt\n"
               "Configuration data as of 2026-12-01T10:00:00\n"
               "SlurmctldTimeout        = 120 sec",
        .good = "SlurmctldTimeout=300\n"
                "# live/config.txt\n"
                "Configuration data as of 2026-12-01T10:00:00\n"
                "SlurmctldTimeout        = 300 sec",
        .run = plumb_drift_set,
    },
    {
        .code = "DRIFT011",
        .name = "setting-only-live",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld runs with a value that the source does not set",
        .why = "After the next start the default counts again.",
        .ref = "scontrol(1), show config; slurm.conf(5)",
        .bad = "SlurmdTimeout=300\n"
               "# live/config.txt\n"
               "Configuration data as of 2026-12-01T10:00:00\n"
               "SlurmctldTimeout        = 300 sec",
        .good = "SlurmdTimeout=300\n"
                "# live/config.txt\n"
                "Configuration data as of 2026-12-01T10:00:00\n"
                "SlurmctldTimeout        = 120 sec",
        .run = plumb_drift_unset,
    },
    {
        .code = "DRIFT012",
        .name = "controllers-differ",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld runs with other controllers than the source has",
        .why = "Clients and slurmd turn to the hosts of their own slurm.conf.",
        .ref = "slurm.conf(5), SlurmctldHost",
        .bad = "SlurmctldHost=head\n"
               "# live/config.txt\n"
               "Configuration data as of 2026-12-01T10:00:00\n"
               "SlurmctldHost[0]        = old-head",
        .good = "SlurmctldHost=head\n"
                "# live/config.txt\n"
                "Configuration data as of 2026-12-01T10:00:00\n"
                "SlurmctldHost[0]        = head(10.0.0.2)",
        .run = plumb_drift_controllers,
    },
    {
        .code = "DRIFT020",
        .name = "node-differs",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld has something else of a node than its line says",
        .why = "Jobs are placed by what slurmctld has, not by what the file says.",
        .ref = "scontrol(1), show node; slurm.conf(5), NODE CONFIGURATION",
        .bad = "NodeName=c[1-2] CPUs=32 Weight=10\n"
               "# live/nodes.txt\n"
               "NodeName=c1 CPUTot=32 Weight=1\n"
               "\n"
               "NodeName=c2 CPUTot=32 Weight=1",
        .good = "NodeName=c[1-2] CPUs=32 Weight=10\n"
                "# live/nodes.txt\n"
                "NodeName=c1 CPUTot=32 Weight=10\n"
                "\n"
                "NodeName=c2 CPUTot=32 Weight=10",
        .run = plumb_drift_nodes,
    },
    {
        .code = "DRIFT021",
        .name = "node-only-live",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld knows a node that the source does not have",
        .why = "It is a node that slurmd or somebody registered, or one that was taken out of the "
               "file.",
        .ref = "scontrol(1), show node; Slurm's guide to dynamic nodes",
        .bad = "NodeName=c[1-2] CPUs=32\n"
               "# live/nodes.txt\n"
               "NodeName=c3 CPUTot=32 State=IDLE+DYNAMIC_NORM",
        .good = "NodeName=c[1-2] CPUs=32\n"
                "# live/nodes.txt\n"
                "NodeName=c2 CPUTot=32 State=IDLE",
        .run = plumb_drift_node_unknown,
    },
    {
        .code = "DRIFT022",
        .name = "node-only-source",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld does not know a node of the source",
        .why = "slurmctld has not read the file since the line came in.",
        .ref = "scontrol(1), show node; slurm.conf(5), NodeName",
        .bad = "NodeName=c[1-3] CPUs=32\n"
               "# live/nodes.txt\n"
               "NodeName=c1 CPUTot=32\n"
               "\n"
               "NodeName=c2 CPUTot=32",
        .good = "NodeName=c[1-2] CPUs=32\n"
                "# live/nodes.txt\n"
                "NodeName=c1 CPUTot=32\n"
                "\n"
                "NodeName=c2 CPUTot=32",
        .run = plumb_drift_node_missing,
    },
    {
        .code = "DRIFT023",
        .name = "hardware-below-line",
        .severity = PLUMB_ERROR,
        .effect = PLUMB_EFFECT_DRAINS,
        .daemons = PLUMB_SLURMCTLD,
        .needs = NEEDS,
        .summary = "slurmctld drained a node because its machine is not what the line says",
        .why = "The node takes no jobs until the machine has what the line says, or the line says "
               "what the machine has.",
        .ref = "src/slurmctld/node_mgr.c:validate_node_specs",
        .bad = "NodeName=c1 CPUs=32 RealMemory=64000\n"
               "# live/nodes.txt\n"
               "NodeName=c1 CPUTot=32 RealMemory=64000\n"
               "   State=IDLE+DRAIN+INVALID_REG\n"
               "   Reason=Low RealMemory (reported:63000 < 100.00% of configured:64000) "
               "[slurm@2026-12-01T10:00:00]",
        .good = "NodeName=c1 CPUs=32 RealMemory=63000\n"
                "# live/nodes.txt\n"
                "NodeName=c1 CPUTot=32 RealMemory=63000\n"
                "   State=IDLE",
        .run = plumb_drift_node_drained,
    },
    {
        .code = "DRIFT030",
        .name = "partition-differs",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld has something else of a partition than its line says",
        .why = "What was changed with scontrol lasts until slurmctld reads the file anew.",
        .ref = "scontrol(1), show partition; slurm.conf(5), PARTITION CONFIGURATION",
        .bad = "NodeName=c1 CPUs=32\n"
               "PartitionName=gpu Nodes=c1 Default=YES MaxTime=1-0\n"
               "# live/partitions.txt\n"
               "PartitionName=gpu Default=YES MaxTime=2-00:00:00 TotalNodes=1",
        .good = "NodeName=c1 CPUs=32\n"
                "PartitionName=gpu Nodes=c1 Default=YES MaxTime=1-0\n"
                "# live/partitions.txt\n"
                "PartitionName=gpu Default=YES MaxTime=1-00:00:00 TotalNodes=1",
        .run = plumb_drift_partitions,
    },
    {
        .code = "DRIFT031",
        .name = "partition-nodes-differ",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "a partition has other nodes than in the source",
        .why = "Jobs run where slurmctld has the partition.",
        .ref = "scontrol(1), show partition; slurm.conf(5), Nodes",
        .bad = "NodeName=c[1-4] CPUs=32\n"
               "PartitionName=gpu Nodes=c[1-4] Default=YES\n"
               "# live/partitions.txt\n"
               "PartitionName=gpu Default=YES Nodes=c[1-3] TotalNodes=3",
        .good = "NodeName=c[1-4] CPUs=32\n"
                "PartitionName=gpu Nodes=c[1-4] Default=YES\n"
                "# live/partitions.txt\n"
                "PartitionName=gpu Default=YES Nodes=c[1-4] TotalNodes=4",
        .run = plumb_drift_partition_nodes,
    },
    {
        .code = "DRIFT032",
        .name = "partition-only-live",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld knows a partition that the source does not have",
        .why = "It is gone after the next start.",
        .ref = "scontrol(1), show partition",
        .bad = "NodeName=c1 CPUs=32\n"
               "PartitionName=gpu Nodes=c1 Default=YES\n"
               "# live/partitions.txt\n"
               "PartitionName=test Nodes=c1 TotalNodes=1",
        .good = "NodeName=c1 CPUs=32\n"
                "PartitionName=gpu Nodes=c1 Default=YES\n"
                "# live/partitions.txt\n"
                "PartitionName=gpu Nodes=c1 Default=YES TotalNodes=1",
        .run = plumb_drift_partition_unknown,
    },
    {
        .code = "DRIFT033",
        .name = "partition-only-source",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmctld does not know a partition of the source",
        .why = "Jobs that ask for it are refused.",
        .ref = "scontrol(1), show partition; slurm.conf(5), PartitionName",
        .bad = "NodeName=c1 CPUs=32\n"
               "PartitionName=gpu Nodes=c1 Default=YES\n"
               "PartitionName=cpu Nodes=c1\n"
               "PartitionName=test Nodes=c1\n"
               "# live/partitions.txt\n"
               "PartitionName=gpu Nodes=c1 Default=YES TotalNodes=1\n"
               "\n"
               "PartitionName=cpu Nodes=c1 TotalNodes=1",
        .good = "NodeName=c1 CPUs=32\n"
                "PartitionName=gpu Nodes=c1 Default=YES\n"
                "PartitionName=cpu Nodes=c1\n"
                "# live/partitions.txt\n"
                "PartitionName=gpu Nodes=c1 Default=YES TotalNodes=1\n"
                "\n"
                "PartitionName=cpu Nodes=c1 TotalNodes=1",
        .run = plumb_drift_partition_missing,
    },
    {
        .code = "DRIFT040",
        .name = "account-only-source",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmdbd has no such account, user or QOS as the source makes",
        .why = "The commands of the source were not run, or somebody took the record away.",
        .ref = "sacctmgr(1)",
        .bad = "# accounts.sh\n"
               "sacctmgr -i add account lab\n"
               "# live/assoc.txt\n"
               "Cluster|Account|User|Partition\n"
               "demo|root||",
        .good = "# accounts.sh\n"
                "sacctmgr -i add account lab\n"
                "# live/assoc.txt\n"
                "Cluster|Account|User|Partition\n"
                "demo|root||\n"
                "demo|lab||",
        .run = plumb_drift_assoc_missing,
    },
    {
        .code = "DRIFT041",
        .name = "account-only-live",
        .severity = PLUMB_INFO,
        .needs = NEEDS,
        .summary = "slurmdbd has an account, user or QOS that the source does not have",
        .why = "Whoever sets up the cluster anew from the source loses it.",
        .ref = "sacctmgr(1)",
        .bad = "# accounts.sh\n"
               "sacctmgr -i add account lab\n"
               "# live/assoc.txt\n"
               "Cluster|Account|User|Partition\n"
               "demo|lab||\n"
               "demo|guest||",
        .good = "# accounts.sh\n"
                "sacctmgr -i add account lab\n"
                "# live/assoc.txt\n"
                "Cluster|Account|User|Partition\n"
                "demo|lab||",
        .run = plumb_drift_assoc_unknown,
    },
    {
        .code = "DRIFT042",
        .name = "limit-differs",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmdbd has another limit than the source sets",
        .why = "slurmctld holds jobs to the limit that slurmdbd has.",
        .ref = "sacctmgr(1)",
        .bad = "# accounts.sh\n"
               "sacctmgr -i add qos short MaxWall=60\n"
               "# live/qos.txt\n"
               "Name|Priority|MaxWall\n"
               "normal|0|\n"
               "short|0|02:00:00",
        .good = "# accounts.sh\n"
                "sacctmgr -i add qos short MaxWall=60\n"
                "# live/qos.txt\n"
                "Name|Priority|MaxWall\n"
                "normal|0|\n"
                "short|0|01:00:00",
        .run = plumb_drift_limits,
    },
    {
        .code = "DRIFT043",
        .name = "tres-not-registered",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmdbd does not know a resource that the source accounts for",
        .why = "Limits and usage of it cannot be kept.",
        .ref = "slurm.conf(5), AccountingStorageTRES",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "AccountingStorageTRES=gres/gpu\n"
               "# live/tres.txt\n"
               "Type|Name|ID\n"
               "cpu||1",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageTRES=gres/gpu\n"
                "# live/tres.txt\n"
                "Type|Name|ID\n"
                "cpu||1\n"
                "gres|gpu|1001",
        .run = plumb_drift_tres,
    },
    {
        .code = "DRIFT044",
        .name = "cluster-not-registered",
        .severity = PLUMB_WARNING,
        .needs = NEEDS,
        .summary = "slurmdbd does not know the cluster of the source",
        .why = "Nothing of it is accounted for, and with enforcement every job is refused.",
        .ref = "slurm.conf(5), ClusterName; sacctmgr(1)",
        .bad = "ClusterName=main\n"
               "# live/clusters.txt\n"
               "Cluster|ControlHost|ControlPort\n"
               "old|10.0.0.2|6817",
        .good = "ClusterName=main\n"
                "# live/clusters.txt\n"
                "Cluster|ControlHost|ControlPort\n"
                "main|10.0.0.2|6817",
        .run = plumb_drift_cluster,
    },
};

const struct plumb_rule_family plumb_drift_rules = {
    .prefix = "DRIFT",
    .title = "A running cluster against its source",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
