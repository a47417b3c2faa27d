/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of job scripts against the cluster; submit.c tells the faults. */
#include "rules/submit.h"

#include "rules/ask.h"

const struct plumb_rule plumb_submit_rows[] = {
    [PLUMB_SUBMIT_PARTITION] =
        {
            .code = "JOB060",
            .name = "job-partition",
            .severity = PLUMB_ERROR,
            .needs = PLUMB_FACT_MODEL | PLUMB_FACT_JOBS,
            .run = plumb_submit_judge_all,
            .summary = "a job asks for a partition that the cluster does not have",
            .why = "slurmctld refuses it at submission. Case counts in names of partitions.",
            .ref = "sbatch(1), --partition; slurmctld/job_mgr.c:_get_job_parts",
            .bad = "# slurm.conf\n"
                   "PartitionName=training Nodes=ALL\n"
                   "# job.sbatch\n"
                   "#SBATCH --partition=traning",
            .good = "# slurm.conf\n"
                    "PartitionName=training Nodes=ALL\n"
                    "# job.sbatch\n"
                    "#SBATCH --partition=training",
        },
    [PLUMB_SUBMIT_STATE] =
        {
            .code = "JOB061",
            .name = "job-partition-state",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for a partition that is closed",
            .why = "DRAIN and INACTIVE refuse new jobs; DOWN takes them and starts none.",
            .ref = "slurm.conf(5), State of a partition; slurmctld/job_mgr.c:_alt_part_test",
            .bad = "# slurm.conf\n"
                   "PartitionName=batch Nodes=ALL Default=YES\n"
                   "PartitionName=old Nodes=ALL State=DRAIN\n"
                   "# job.sbatch\n"
                   "#SBATCH --partition=old",
            .good = "# slurm.conf\n"
                    "PartitionName=batch Nodes=ALL Default=YES\n"
                    "PartitionName=old Nodes=ALL State=DRAIN\n"
                    "# job.sbatch\n"
                    "#SBATCH --partition=batch",
        },
    [PLUMB_SUBMIT_ACCESS] =
        {
            .code = "JOB062",
            .name = "job-access",
            .severity = PLUMB_ERROR,
            .summary = "a partition does not take jobs of this account or QOS",
            .why = "With EnforcePartLimits the job is refused, without it it waits for ever.",
            .ref = "slurm.conf(5), AllowAccounts, AllowQos; slurmctld/partition_mgr.c:"
                   "part_policy_valid_acct, part_policy_valid_qos",
            .bad = "# slurm.conf\n"
                   "PartitionName=batch Nodes=ALL Default=YES DenyQos=low\n"
                   "# job.sbatch\n"
                   "#SBATCH --qos=low",
            .good = "# slurm.conf\n"
                    "PartitionName=batch Nodes=ALL Default=YES DenyQos=low\n"
                    "# job.sbatch\n"
                    "#SBATCH --qos=normal",
        },
    [PLUMB_SUBMIT_ACCOUNT] =
        {
            .code = "JOB063",
            .name = "job-account",
            .severity = PLUMB_ERROR,
            .summary = "the user has no association with the account of the job",
            .why = "With AccountingStorageEnforce=associations slurmctld refuses the job.",
            .ref = "slurm.conf(5), AccountingStorageEnforce; common/assoc_mgr.c:"
                   "assoc_mgr_fill_in_assoc",
            .bad = "# accounts.sh\n"
                   "sacctmgr -i add account lab\n"
                   "sacctmgr -i add account physics\n"
                   "sacctmgr -i add user alice Account=lab\n"
                   "# job.sbatch\n"
                   "#SBATCH --account=physics   # submitted by alice",
            .good = "# accounts.sh\n"
                    "sacctmgr -i add account lab\n"
                    "sacctmgr -i add account physics\n"
                    "sacctmgr -i add user alice Account=lab\n"
                    "# job.sbatch\n"
                    "#SBATCH --account=lab",
        },
    [PLUMB_SUBMIT_QOS] =
        {
            .code = "JOB064",
            .name = "job-qos",
            .severity = PLUMB_ERROR,
            .summary = "the job names a QOS that is not there, or that the user may not use",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --qos; slurmctld/job_mgr.c:_determine_and_validate_qos",
            .bad = "# accounts.sh\n"
                   "sacctmgr -i add qos high\n"
                   "sacctmgr -i add account lab\n"
                   "sacctmgr -i add user alice Account=lab QosLevel=normal,high\n"
                   "# job.sbatch\n"
                   "#SBATCH --qos=hgih",
            .good = "# accounts.sh\n"
                    "sacctmgr -i add qos high\n"
                    "sacctmgr -i add account lab\n"
                    "sacctmgr -i add user alice Account=lab QosLevel=normal,high\n"
                    "# job.sbatch\n"
                    "#SBATCH --qos=high",
        },
    [PLUMB_SUBMIT_RESERVATION] =
        {
            .code = "JOB065",
            .name = "job-reservation",
            .severity = PLUMB_ERROR,
            .summary = "the job names a reservation that is not there, or not for its user",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --reservation; slurmctld/reservation.c:_valid_job_access_resv",
            .bad = "# accounts.sh\n"
                   "sacctmgr -i add account lab\n"
                   "sacctmgr -i add user alice Account=lab\n"
                   "scontrol create reservation ReservationName=course Users=bob Nodes=gpu-1 "
                   "StartTime=now Duration=60\n"
                   "# job.sbatch\n"
                   "#SBATCH --reservation=course   # submitted by alice",
            .good = "# accounts.sh\n"
                    "sacctmgr -i add account lab\n"
                    "sacctmgr -i add user alice Account=lab\n"
                    "scontrol create reservation ReservationName=course Users=alice Nodes=gpu-1 "
                    "StartTime=now Duration=60\n"
                    "# job.sbatch\n"
                    "#SBATCH --reservation=course",
        },
    [PLUMB_SUBMIT_TIME] =
        {
            .code = "JOB066",
            .name = "job-time",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more time than the partition gives",
            .why = "With EnforcePartLimits the job is refused, without it it waits for ever with "
                   "PartitionTimeLimit.",
            .ref = "slurm.conf(5), MaxTime, EnforcePartLimits; slurmctld/job_mgr.c:_valid_job_part",
            .bad = "# slurm.conf\n"
                   "PartitionName=batch Nodes=ALL Default=YES MaxTime=4:00:00\n"
                   "# job.sbatch\n"
                   "#SBATCH --time=8:00:00",
            .good = "# slurm.conf\n"
                    "PartitionName=batch Nodes=ALL Default=YES MaxTime=4:00:00\n"
                    "# job.sbatch\n"
                    "#SBATCH --time=4:00:00",
        },
    [PLUMB_SUBMIT_NODES] =
        {
            .code = "JOB067",
            .name = "job-nodes",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more or fewer nodes than the partition allows",
            .why = "With EnforcePartLimits the job is refused, without it it waits for ever with "
                   "PartitionNodeLimit.",
            .ref = "slurm.conf(5), MaxNodes, MinNodes; slurmctld/job_mgr.c:_valid_job_part",
            .bad = "# slurm.conf\n"
                   "PartitionName=batch Nodes=ALL Default=YES MaxNodes=1\n"
                   "# job.sbatch\n"
                   "#SBATCH --nodes=2",
            .good = "# slurm.conf\n"
                    "PartitionName=batch Nodes=ALL Default=YES MaxNodes=1\n"
                    "# job.sbatch\n"
                    "#SBATCH --nodes=1",
        },
    [PLUMB_SUBMIT_NODE_NAME] =
        {
            .code = "JOB068",
            .name = "job-node-name",
            .severity = PLUMB_ERROR,
            .summary = "a job names nodes that cannot serve it",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --nodelist; slurmctld/job_mgr.c:_job_create",
            .bad = "# slurm.conf\n"
                   "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000\n"
                   "# job.sbatch\n"
                   "#SBATCH --nodelist=gpu-[1-3]",
            .good = "# slurm.conf\n"
                    "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000\n"
                    "# job.sbatch\n"
                    "#SBATCH --nodelist=gpu-[1-2]",
        },
    [PLUMB_SUBMIT_FEATURE] =
        {
            .code = "JOB069",
            .name = "job-feature",
            .severity = PLUMB_ERROR,
            .summary = "no node has the features that a job asks for",
            .why = "slurmctld refuses the job. Case counts in names of features.",
            .ref = "sbatch(1), --constraint; slurmctld/node_scheduler.c:valid_feature_counts",
            .bad = "# slurm.conf\n"
                   "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Feature=ib\n"
                   "# job.sbatch\n"
                   "#SBATCH --constraint=IB",
            .good = "# slurm.conf\n"
                    "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Feature=ib\n"
                    "# job.sbatch\n"
                    "#SBATCH --constraint=ib",
        },
    [PLUMB_SUBMIT_LICENSE] =
        {
            .code = "JOB070",
            .name = "job-license",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for licenses that the cluster does not have",
            .why = "slurmctld refuses the job.",
            .ref = "slurm.conf(5), Licenses; slurmctld/licenses.c:license_validate",
            .bad = "# slurm.conf\n"
                   "Licenses=matlab:2\n"
                   "# job.sbatch\n"
                   "#SBATCH --licenses=matlab:3",
            .good = "# slurm.conf\n"
                    "Licenses=matlab:2\n"
                    "# job.sbatch\n"
                    "#SBATCH --licenses=matlab:2",
        },
    [PLUMB_SUBMIT_ARRAY] =
        {
            .code = "JOB071",
            .name = "job-array",
            .severity = PLUMB_ERROR,
            .summary = "a job array is larger than the cluster allows",
            .why =
                "The highest index is MaxArraySize minus one; slurmctld refuses the whole array.",
            .ref = "slurm.conf(5), MaxArraySize; slurmctld/job_mgr.c:_valid_array_inx",
            .bad = "# slurm.conf\n"
                   "MaxArraySize=1001\n"
                   "# job.sbatch\n"
                   "#SBATCH --array=1-2000",
            .good = "# slurm.conf\n"
                    "MaxArraySize=1001\n"
                    "# job.sbatch\n"
                    "#SBATCH --array=1-1000",
        },
    [PLUMB_SUBMIT_GRES_NAME] =
        {
            .code = "JOB072",
            .name = "job-gres-name",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for a generic resource that is not among GresTypes",
            .why = "sbatch knows the names from slurm.conf and refuses before slurmctld is asked.",
            .ref = "slurm.conf(5), GresTypes; interfaces/gres.c:_get_next_gres",
            .bad = "# slurm.conf\n"
                   "GresTypes=gpu\n"
                   "# job.sbatch\n"
                   "#SBATCH --gres=nvme:1",
            .good = "# slurm.conf\n"
                    "GresTypes=gpu\n"
                    "# job.sbatch\n"
                    "#SBATCH --gres=gpu:1",
        },
    [PLUMB_SUBMIT_GRES_TYPE] =
        {
            .code = "JOB073",
            .name = "job-gres-type",
            .severity = PLUMB_ERROR,
            .summary = "no node has devices of the type that a job asks for",
            .why = "slurmctld refuses the job. Case counts in names of types.",
            .ref = "sbatch(1), --gres; interfaces/gres.c:gres_job_test",
            .bad = "# slurm.conf\n"
                   "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Gres=gpu:h100:8\n"
                   "# job.sbatch\n"
                   "#SBATCH --gres=gpu:h200:4",
            .good = "# slurm.conf\n"
                    "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Gres=gpu:h100:8\n"
                    "# job.sbatch\n"
                    "#SBATCH --gres=gpu:h100:4",
        },
    [PLUMB_SUBMIT_GRES_COUNT] =
        {
            .code = "JOB074",
            .name = "job-gres-count",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more devices than the nodes of the partition have",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --gres; select/cons_tres: gres_select_filter",
            .bad = "# slurm.conf\n"
                   "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Gres=gpu:4\n"
                   "# job.sbatch\n"
                   "#SBATCH --gres=gpu:8",
            .good = "# slurm.conf\n"
                    "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Gres=gpu:4\n"
                    "# job.sbatch\n"
                    "#SBATCH --gpus=8",
        },
    [PLUMB_SUBMIT_CPUS] =
        {
            .code = "JOB075",
            .name = "job-cpus",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more CPUs than the nodes of the partition give",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --cpus-per-task; slurmctld/node_scheduler.c:_build_node_list, "
                   "select/cons_tres: _allocate_sc",
            .bad = "# slurm.conf\n"
                   "NodeName=gpu-[1-2] Sockets=2 CoresPerSocket=8 RealMemory=64000\n"
                   "# job.sbatch\n"
                   "#SBATCH --ntasks=1 --cpus-per-task=32",
            .good = "# slurm.conf\n"
                    "NodeName=gpu-[1-2] Sockets=2 CoresPerSocket=8 RealMemory=64000\n"
                    "# job.sbatch\n"
                    "#SBATCH --ntasks=1 --cpus-per-task=16",
        },
    [PLUMB_SUBMIT_MEMORY] =
        {
            .code = "JOB076",
            .name = "job-memory",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more memory than the nodes of the partition have",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --mem; slurmctld/node_scheduler.c:_build_node_list",
            .bad = "# slurm.conf\n"
                   "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000\n"
                   "# job.sbatch\n"
                   "#SBATCH --mem=64G",
            .good = "# slurm.conf\n"
                    "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000\n"
                    "# job.sbatch\n"
                    "#SBATCH --mem=60G",
        },
    [PLUMB_SUBMIT_SHAPE] =
        {
            .code = "JOB077",
            .name = "job-node-shape",
            .severity = PLUMB_ERROR,
            .summary = "no node has the sockets, cores, threads or local disk that a job asks for",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --extra-node-info; slurmctld/node_scheduler.c:_build_node_list",
            .bad = "# slurm.conf\n"
                   "NodeName=gpu-[1-2] Sockets=2 CoresPerSocket=8 RealMemory=64000\n"
                   "# job.sbatch\n"
                   "#SBATCH --sockets-per-node=4",
            .good = "# slurm.conf\n"
                    "NodeName=gpu-[1-2] Sockets=2 CoresPerSocket=8 RealMemory=64000\n"
                    "# job.sbatch\n"
                    "#SBATCH --sockets-per-node=2",
        },
    [PLUMB_SUBMIT_TOGETHER] =
        {
            .code = "JOB078",
            .name = "job-together",
            .severity = PLUMB_ERROR,
            .summary = "each demand of a job can be met, but by no node together",
            .why = "slurmctld refuses the job: 'Requested node configuration is not available'.",
            .ref = "select/cons_tres: _job_test, _eval_nodes",
            .bad = "# slurm.conf\n"
                   "NodeName=a CPUs=16 RealMemory=64000 Gres=gpu:h100:4\n"
                   "NodeName=b CPUs=16 RealMemory=64000 Feature=bigmem\n"
                   "# job.sbatch\n"
                   "#SBATCH --constraint=bigmem --gres=gpu:h100:1",
            .good = "# slurm.conf\n"
                    "NodeName=a CPUs=16 RealMemory=64000 Gres=gpu:h100:4\n"
                    "NodeName=b CPUs=16 RealMemory=64000 Feature=bigmem\n"
                    "# job.sbatch\n"
                    "#SBATCH --gres=gpu:h100:1",
        },
    [PLUMB_SUBMIT_MEMORY_LIMIT] =
        {
            .code = "JOB079",
            .name = "job-memory-limit",
            .severity = PLUMB_ERROR,
            .summary = "the memory of a job is above MaxMemPerNode",
            .why =
                "Also --mem=0, and a job that says nothing where the partition has no default, ask "
                "for all of a node.",
            .ref = "slurm.conf(5), MaxMemPerNode; slurmctld/job_mgr.c:_valid_pn_min_mem",
            .bad = "# slurm.conf\n"
                   "PartitionName=small Nodes=ALL Default=YES MaxMemPerNode=16000\n"
                   "# job.sbatch\n"
                   "#SBATCH --mem=32000",
            .good = "# slurm.conf\n"
                    "PartitionName=small Nodes=ALL Default=YES MaxMemPerNode=16000\n"
                    "# job.sbatch\n"
                    "#SBATCH --mem=16000",
        },
    [PLUMB_SUBMIT_LIMIT] =
        {
            .code = "JOB080",
            .name = "job-limit",
            .severity = PLUMB_ERROR,
            .summary = "a job by itself is above a limit of its QOS or association",
            .why = "It is refused where the QOS has DenyOnLimit, else it waits for ever.",
            .ref = "sacctmgr(1), MaxTRESPerJob; slurmctld/acct_policy.c:_qos_policy_validate, "
                   "acct_policy_job_runnable_post_select",
            .bad = "# accounts.sh\n"
                   "sacctmgr -i add account lab MaxTRESPerJob=gres/gpu=2\n"
                   "sacctmgr -i add user alice Account=lab\n"
                   "# job.sbatch\n"
                   "#SBATCH --gres=gpu:4",
            .good = "# accounts.sh\n"
                    "sacctmgr -i add account lab MaxTRESPerJob=gres/gpu=2\n"
                    "sacctmgr -i add user alice Account=lab\n"
                    "# job.sbatch\n"
                    "#SBATCH --gres=gpu:2",
        },
    [PLUMB_SUBMIT_WALL] =
        {
            .code = "JOB081",
            .name = "job-wall",
            .severity = PLUMB_ERROR,
            .summary = "the time of a job is above MaxWall of its QOS or association",
            .why = "It is refused where the QOS has DenyOnLimit, else it waits for ever. Without "
                   "--time the DefaultTime of the partition counts.",
            .ref = "sacctmgr(1), MaxWall; slurmctld/acct_policy.c:_qos_policy_validate",
            .bad = "# accounts.sh\n"
                   "sacctmgr -i add account lab MaxWall=1:00:00\n"
                   "sacctmgr -i add user alice Account=lab\n"
                   "# job.sbatch\n"
                   "#SBATCH --time=2:00:00",
            .good = "# accounts.sh\n"
                    "sacctmgr -i add account lab MaxWall=1:00:00\n"
                    "sacctmgr -i add user alice Account=lab\n"
                    "# job.sbatch\n"
                    "#SBATCH --time=1:00:00",
        },
    [PLUMB_SUBMIT_COUNT_LIMIT] =
        {
            .code = "JOB082",
            .name = "job-submit-limit",
            .severity = PLUMB_ERROR,
            .summary = "a job array has more tasks than may be submitted",
            .why = "Each task counts as a job; slurmctld refuses the whole array.",
            .ref = "sacctmgr(1), MaxSubmitJobs; slurmctld/acct_policy.c:_qos_policy_validate",
            .bad = "# accounts.sh\n"
                   "sacctmgr -i add account lab MaxSubmitJobs=100\n"
                   "sacctmgr -i add user alice Account=lab\n"
                   "# job.sbatch\n"
                   "#SBATCH --array=1-200",
            .good = "# accounts.sh\n"
                    "sacctmgr -i add account lab MaxSubmitJobs=100\n"
                    "sacctmgr -i add user alice Account=lab\n"
                    "# job.sbatch\n"
                    "#SBATCH --array=1-100",
        },
    [PLUMB_SUBMIT_SHARE] =
        {
            .code = "JOB083",
            .name = "job-share",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for more shares than one GPU has",
            .why = "shard and mps of a job come from one GPU, so it never starts.",
            .ref = "gres.conf(5), shard; select/cons_tres: gres_sock_list_create",
            .bad = "# slurm.conf\n"
                   "GresTypes=gpu,shard\n"
                   "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Gres=gpu:2,shard:8\n"
                   "# job.sbatch\n"
                   "#SBATCH --gres=shard:8   # four of each GPU",
            .good = "# slurm.conf\n"
                    "GresTypes=gpu,shard\n"
                    "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Gres=gpu:2,shard:8\n"
                    "# job.sbatch\n"
                    "#SBATCH --gres=shard:4",
        },
    [PLUMB_SUBMIT_PRIVILEGE] =
        {
            .code = "JOB084",
            .name = "job-privilege",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for what only operators may ask for",
            .why = "slurmctld refuses the job.",
            .ref = "sbatch(1), --nice; slurmctld/job_mgr.c:validate_job_create_req",
            .bad = "#SBATCH --nice=-100   # submitted by alice",
            .good = "#SBATCH --nice=100",
        },
    [PLUMB_SUBMIT_WHOLE_MEMORY] =
        {
            .code = "JOB085",
            .name = "job-whole-memory",
            .severity = PLUMB_WARNING,
            .summary = "a job takes the whole memory of its node because nothing says how much",
            .why =
                "Memory is counted: no other job fits beside it, although most CPUs and GPUs are "
                "free.",
            .ref = "slurm.conf(5), DefMemPerCPU; slurmctld/job_mgr.c:_validate_job_desc",
            .bad = "# slurm.conf\n"
                   "SelectTypeParameters=CR_Core_Memory\n"
                   "DefMemPerCPU=0\n"
                   "# job.sbatch\n"
                   "#SBATCH --ntasks=1",
            .good = "# slurm.conf\n"
                    "SelectTypeParameters=CR_Core_Memory\n"
                    "DefMemPerCPU=0\n"
                    "# job.sbatch\n"
                    "#SBATCH --ntasks=1 --mem-per-cpu=2G",
        },
    [PLUMB_SUBMIT_WHOLE_NODE] =
        {
            .code = "JOB086",
            .name = "job-whole-node",
            .severity = PLUMB_WARNING,
            .summary = "a job asks for some GPUs where the partition gives whole nodes",
            .why = "It is charged for the whole node, and the other GPUs stand idle.",
            .ref = "slurm.conf(5), OverSubscribe",
            .bad = "# slurm.conf\n"
                   "PartitionName=whole Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE\n"
                   "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Gres=gpu:4\n"
                   "# job.sbatch\n"
                   "#SBATCH --gres=gpu:1",
            .good = "# slurm.conf\n"
                    "PartitionName=whole Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE\n"
                    "NodeName=gpu-[1-2] CPUs=16 RealMemory=64000 Gres=gpu:4\n"
                    "# job.sbatch\n"
                    "#SBATCH --gres=gpu:4",
        },
    [PLUMB_SUBMIT_ANY_TYPE] =
        {
            .code = "JOB087",
            .name = "job-any-gpu",
            .severity = PLUMB_WARNING,
            .summary = "a job asks for GPUs of any model in a mixed partition",
            .why = "Memory and speed of what it gets change from run to run.",
            .ref = "sbatch(1), --gres",
            .bad = "# slurm.conf\n"
                   "NodeName=a CPUs=16 RealMemory=64000 Gres=gpu:h100:4\n"
                   "NodeName=b CPUs=16 RealMemory=64000 Gres=gpu:l4:4\n"
                   "# job.sbatch\n"
                   "#SBATCH --gres=gpu:1",
            .good = "# slurm.conf\n"
                    "NodeName=a CPUs=16 RealMemory=64000 Gres=gpu:h100:4\n"
                    "NodeName=b CPUs=16 RealMemory=64000 Gres=gpu:l4:4\n"
                    "# job.sbatch\n"
                    "#SBATCH --gres=gpu:h100:1",
        },
    [PLUMB_SUBMIT_MIG_TYPES] =
        {
            .code = "JOB088",
            .name = "job-mig-types",
            .severity = PLUMB_ERROR,
            .summary = "a job asks for GPUs of two MIG types",
            .why = "slurmctld takes the job and never finds a node for it.",
            .ref = "seen on 24.11.5 and 26.05.5; interfaces/gres.c, select/cons_tres",
            .bad = "# slurm.conf\n"
                   "NodeName=a CPUs=16 RealMemory=64000 Gres=gpu:1g.10gb:1,gpu:3g.40gb:1\n"
                   "# job.sbatch\n"
                   "#SBATCH --gres=gpu:1g.10gb:1,gpu:3g.40gb:1",
            .good = "# slurm.conf\n"
                    "NodeName=a CPUs=16 RealMemory=64000 Gres=gpu:1g.10gb:1,gpu:3g.40gb:1\n"
                    "# job.sbatch\n"
                    "#SBATCH --gres=gpu:3g.40gb:1",
        },
    [PLUMB_SUBMIT_UNSOUND] =
        {
            .code = "JOB099",
            .name = "cluster-unsound",
            .severity = PLUMB_WARNING,
            .summary =
                "the files of the cluster have errors, so that answers about jobs may be wrong",
            .why =
                "With --cluster only findings about job scripts are shown. A line that slurmctld "
                "refuses or drops makes another cluster than the one that was looked at.",
            .ref = "plumb, check --cluster",
            .bad = "# plumb check --cluster . job.sbatch\n"
                   "# slurm.conf\n"
                   "SlurmdTimeuot=300\n"
                   "# job.sbatch\n"
                   "#SBATCH --ntasks=1",
            .good = "# plumb check --cluster . job.sbatch\n"
                    "# slurm.conf\n"
                    "SlurmdTimeout=300\n"
                    "# job.sbatch\n"
                    "#SBATCH --ntasks=1",
        },
    [PLUMB_SUBMIT_FAR] =
        {
            .code = "JOB100",
            .name = "job-cpus-far",
            .severity = PLUMB_WARNING,
            .summary = "a job asks for more CPUs than the sockets of its GPUs have",
            .why = "The job gets cores of other sockets too, whose way to the GPU leads over the "
                   "link between sockets; with --gres-flags=enforce-binding slurmctld refuses it.",
            .ref = "sbatch(1), --gres-flags, --cpus-per-gpu; gres.conf(5), Cores",
            .bad = "# slurm.conf\n"
                   "NodeName=gpu-[1-2] Sockets=2 CoresPerSocket=8 RealMemory=64000 Gres=gpu:2\n"
                   "# gres.conf\n"
                   "Name=gpu File=/dev/nvidia0 Cores=0-7\n"
                   "Name=gpu File=/dev/nvidia1 Cores=8-15\n"
                   "# job.sbatch\n"
                   "#SBATCH --nodes=1 --gpus=1 --cpus-per-gpu=16",
            .good = "# slurm.conf\n"
                    "NodeName=gpu-[1-2] Sockets=2 CoresPerSocket=8 RealMemory=64000 Gres=gpu:2\n"
                    "# gres.conf\n"
                    "Name=gpu File=/dev/nvidia0 Cores=0-7\n"
                    "Name=gpu File=/dev/nvidia1 Cores=8-15\n"
                    "# job.sbatch\n"
                    "#SBATCH --nodes=1 --gpus=1 --cpus-per-gpu=8",
        },
    [PLUMB_SUBMIT_UNTOLD] =
        {
            .code = "JOB101",
            .name = "job-access-untold",
            .severity = PLUMB_INFO,
            .summary = "a partition takes jobs of some groups or hosts, and nothing tells whether "
                       "this is one",
            .why = "slurmctld asks the name service for the groups of the user, and looks at the "
                   "host that sbatch runs on; it refuses the others.",
            .ref = "slurm.conf(5), AllowGroups, AllocNodes; slurmctld/job_mgr.c:_part_access_check",
            .bad = "# slurm.conf\n"
                   "PartitionName=staff Nodes=ALL Default=YES AllowGroups=staff\n"
                   "# job.sbatch\n"
                   "#SBATCH --partition=staff",
            .good = "# slurm.conf\n"
                    "PartitionName=staff Nodes=ALL Default=YES AllowAccounts=staff\n"
                    "# job.sbatch\n"
                    "#SBATCH --partition=staff",
        },
    [PLUMB_SUBMIT_SIZE] =
        {
            .code = "JOB114",
            .name = "script-size",
            .severity = PLUMB_ERROR,
            .summary = "a job script is larger than the cluster takes",
            .why = "slurmctld keeps the script of each job. It takes 4 MiB, or what "
                   "SchedulerParameters=max_script_size says.",
            .ref = "slurm.conf(5), max_script_size; slurmctld/job_mgr.c:_test_job_desc_fields",
            .bad = "# slurm.conf\n"
                   "SchedulerParameters=max_script_size=40\n"
                   "# job.sbatch\n"
                   "#SBATCH --ntasks=1\n"
                   "srun ./train --epochs 100",
            .good = "# slurm.conf\n"
                    "SchedulerParameters=max_script_size=4194304\n"
                    "# job.sbatch\n"
                    "#SBATCH --ntasks=1\n"
                    "srun ./train --epochs 100",
        },
};
_Static_assert(PLUMB_COUNT(plumb_submit_rows) == PLUMB_SUBMIT_ROW_COUNT, "one row per fault");

const struct plumb_rule_family plumb_submit_rules = {
    .prefix = "JOB",
    .title = "Job scripts against the cluster",
    .rules = plumb_submit_rows,
    .count = PLUMB_COUNT(plumb_submit_rows),
};
