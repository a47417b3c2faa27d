/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What examples of rules take for granted, for test_rule_examples.c: which file a text is, the
 * release, the user who submits, and files beside.
 */
#ifndef PLUMB_TESTS_RULE_EXAMPLES_H
#define PLUMB_TESTS_RULE_EXAMPLES_H

#include <stdbool.h>
#include <stddef.h>

struct example_context {
    const char *code;     /* a rule, or the beginning of several */
    const char *file;     /* that a text without a heading is; NULL: as the family says */
    const char *release;  /* NULL: the newest */
    const char *beside;   /* more text, as that of an example; NULL */
    const char *user;     /* who submits job scripts; NULL */
    const char *captures; /* of a case below testdata/rules, for node g; NULL */
    bool whole;           /* the files are complete: no lines of slurm.conf are added */
    bool stays;           /* the good text has an error of another rule by its nature */
};

/* Rules, or the beginning of several, whose fault cannot be shown as a text, and why. */
static const struct {
    const char *code, *reason;
} no_example[] = {
    {"YAML007", "a limit: takes more nodes than a page has lines"},
    {"YAML008", "a limit: takes more levels than a page has columns"},
    {"YAML009", "a limit: takes more nodes than a page has lines"},
    {"YAML011", "the page itself is UTF-8"},
    {"YAML012", "a control character does not show"},
    {"XML003", "the page itself is UTF-8"},
    {"XML005", "a limit: takes more levels than a page has columns"},
    {"XML006", "a limit: takes more elements than a page has lines"},
    {"HOST011", "a control character does not show"},
    {"CONF038", "a byte order mark does not show"},
    {"CONF039", "a NUL byte does not show"},
    {"CONF045", "a limit: takes more lines than a page has"},
    {"CONF048", "about text that comes from no file"},
    {"HW005", "a guard: what libhwloc refuses beyond what plumb knows differs by its version"},
    {"HW012", "about a file that cannot be read, whatever it holds"},
    {"JOB110", "a NUL byte does not show"},
    {"JOB111", "a limit: takes more characters than a page has columns"},
    {"NCCL007", "a limit: takes more elements than a page has lines"},
    {"JOB051", "a carriage return does not show"},
    {"KUBE015", "a limit: takes more bytes than a page has"},
    {"KUBE016", "a limit: takes more bytes than a page has"},
    {"GEN002", "no specification makes two files of one path: a guard against our own mistakes"},
};

/* What an audit finds on the bad example: message | place on the machine | place on the norm. */
static const struct {
    const char *code, *finding;
} fleet_findings[] = {
    {"FLEET001", "gpu2: there is no capture, expected hwloc XML, output of nvidia-smi, of 'slurmd "
                 "-C' or '-G', of ibstat, or a Kubernetes Node |  | "},
    {"FLEET002",
     "'gpu1' is there twice, as 'row1/gpu1' and as 'row2/gpu1', expected once; the first is used"},
    {"FLEET003",
     "gpu[1-2]: the captures were all taken on 'gpu1', expected each on its own machine |  | "},
    {"FLEET004", "gpu2: GPU #02 is 'NVIDIA H100 NVL', that of the norm 'NVIDIA H100 80GB HBM3' | "
                 "gpu2/nvidia-smi-L.txt:3 | gpu1/nvidia-smi-L.txt:3"},
    {"FLEET005", "gpu2: 2 sockets of 56 cores with 1 thread, the norm has 2 sockets of 56 cores "
                 "with 2 threads | gpu2/slurmd-C.txt:1 | gpu1/slurmd-C.txt:1"},
    {"FLEET006",
     "gpu2: 1 NUMA node with CPUs, the norm has 2 | gpu2/hwloc.xml:4 | gpu1/hwloc.xml:4"},
    {"FLEET007", "gpu2: 1887.6 GiB of memory, the norm has 2013.6 GiB | gpu2/slurmd-C.txt:1 | "
                 "gpu1/slurmd-C.txt:1"},
    {"FLEET008", "gpu2: 1 GPU, the norm has 2 | gpu2/nvidia-smi-L.txt:1 | gpu1/nvidia-smi-L.txt:2"},
    {"FLEET009", "gpu2: GPUs #00 and #01 have NV12 to each other, those of the norm NV18 | "
                 "gpu2/topo-m.txt:2 | gpu1/topo-m.txt:2"},
    {"FLEET010", "gpu2: the PCI link of GPU 0000:1b:00.0 runs at 31.5 GB/s, that of the norm at "
                 "63.0 GB/s | gpu2/hwloc.xml:5 | gpu1/hwloc.xml:5"},
    {"FLEET011", "gpu2: 1 NIC, the norm has 2; none at 0000:3c:00.0 (mlx5_1) | gpu2/hwloc.xml:5 | "
                 "gpu1/hwloc.xml:6"},
    {"FLEET012", "gpu2: the PCI link of NIC 0000:17:00.0 (mlx5_0) runs at 15.7 GB/s, that of the "
                 "norm at 31.5 GB/s | gpu2/hwloc.xml:5 | gpu1/hwloc.xml:5"},
    {"FLEET013", "gpu2: mlx5_0 port 1 runs at 200 Gb/s, that of the norm at 400 | "
                 "gpu2/ibstat.txt:4 | gpu1/ibstat.txt:4"},
    {"FLEET014", "gpu2: GPU #01 is near NUMA node 1, that of the norm near 0 | gpu2/topo-m.txt:3 | "
                 "gpu1/topo-m.txt:3"},
    {"FLEET015", "gpu2: MIG of GPU #00 is 'on: 1g.10gb', that of the norm 'no instance' | "
                 "gpu2/nvidia-smi-L.txt:1 | gpu1/nvidia-smi-L.txt:1"},
    {"FLEET016", "gpu2: the NIC at 0000:17:00.0 is named 'ibp23s0', that of the norm 'mlx5_0' | "
                 "gpu2/hwloc.xml:5 | gpu1/hwloc.xml:5"},
    {"FLEET017", "gpu2: 7 of 8 of 'nvidia.com/gpu' can be allocated, the norm has 8 of 8 | "
                 "gpu2/node.json:1 | gpu1/node.json:1"},
    {"FLEET019", "gpu2: peer access (read) between GPUs #00 and #01 is 'CNS', on the norm 'OK' | "
                 "gpu2/nvidia-smi-p2p-r.txt:2 | gpu1/nvidia-smi-p2p-r.txt:2"},
    {"FLEET018", "gpu2: there is no capture of 'ibstat', the norm has one |  | "},
};

/* The file by the first key of the text. */
static const struct {
    const char *begins, *file;
} file_keys[] = {
    {"#SB", "job.sbatch"},
    {"#SL", "job.sbatch"},
    {"#!/", "job.sbatch"},
    {"module ", "job.sbatch"},
    {"Name=", "gres.conf"},
    {"AutoDetect=", "gres.conf"},
    {"SwitchName=", "topology.conf"},
    {"BlockName=", "topology.conf"},
    {"BlockSizes=", "topology.conf"},
    {"RingName=", "topology.conf"},
    {"Dbd", "slurmdbd.conf"},
    {"Storage", "slurmdbd.conf"},
    {"Archive", "slurmdbd.conf"},
    {"Constrain", "cgroup.conf"},
    {"BasePath=", "job_container.conf"},
    {"Feature=", "helpers.conf"},
    {"MutuallyExclusive=", "helpers.conf"},
    {"- resource", "resources.yaml"},
    {"defaults:", "namespace.yaml"},
    {"node_confs:", "namespace.yaml"},
    {"toruses:", "topology.yaml"},
    {"- topology", "topology.yaml"},
    {"<system", "nccl.xml"},
    {"{\"kind\"", "node.json"},
    {"apiVersion:", "manifest.yaml"},
};

/* Lines of slurm.conf that stand before an example, except those whose key it has. */
static const char base_lines[] = "ClusterName=demo\n"
                                 "SlurmctldHost=cp-01\n"
                                 "SlurmUser=slurm\n"
                                 "AuthType=auth/munge\n"
                                 "StateSaveLocation=/var/spool/slurmctld\n"
                                 "SlurmdSpoolDir=/var/spool/slurmd\n"
                                 "SelectType=select/cons_tres\n"
                                 "SelectTypeParameters=CR_Core\n"
                                 "GresTypes=gpu\n"
                                 "NodeName=g Sockets=2 CoresPerSocket=16 RealMemory=250000\n"
                                 "PartitionName=p Nodes=ALL Default=YES\n";

/* The cluster of job scripts. */
#define JOBS                                                                                       \
    "AccountingStorageType=accounting_storage/slurmdbd\n"                                          \
    "AccountingStorageHost=db-01\n"                                                                \
    "AccountingStorageTRES=gres/gpu\n"                                                             \
    "AccountingStorageEnforce=associations,limits,qos\n"                                           \
    "JobAcctGatherType=jobacct_gather/cgroup\n"                                                    \
    "ProctrackType=proctrack/cgroup\n"                                                             \
    "TaskPlugin=task/cgroup,task/affinity\n"                                                       \
    "EnforcePartLimits=ALL\n"                                                                      \
    "SelectTypeParameters=CR_Core_Memory\n"                                                        \
    "DefMemPerCPU=2000\n"                                                                          \
    "NodeName=gpu-[1-2] Sockets=2 CoresPerSocket=8 RealMemory=64000 Gres=gpu:h100:4\n"             \
    "PartitionName=batch Nodes=ALL Default=YES\n"                                                  \
    "# gres.conf\n"                                                                                \
    "NodeName=gpu-[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3]\n"
#define ACCOUNTS                                                                                   \
    "# accounts.sh\n"                                                                              \
    "sacctmgr -i add qos low\n"                                                                    \
    "sacctmgr -i add account lab\n"                                                                \
    "sacctmgr -i add user alice Account=lab QosLevel=normal,low\n"

/* Files that an example includes and does not show. */
#define INCLUDED                                                                                   \
    "# nodes.conf\n\n# partitions.conf\n\n# alpha.conf\n\n# conf.d/nodes.conf\n\n"                 \
    "# conf.d/partitions.conf\n\n"

static const struct example_context contexts[] = {
    {.code = "CONF002", .release = "24.11"},
    {.code = "CONF003", .release = "24.11"},
    {.code = "CONF004", .release = "24.11"},
    {.code = "CONF005", .release = "24.11"},
    {.code = "CONF006", .release = "24.11"},
    {.code = "CONF007", .release = "24.11"},
    {.code = "CONF009", .release = "24.11"},
    {.code = "CONF014", .release = "24.11"},
    {.code = "CONF053", .file = "plugstack.conf"},
    {.code = "CONF054", .file = "plugstack.conf"},
    {.code = "CONF063", .release = "26.05"},
    {.code = "HOST006", .release = "22.05"},
    {.code = "JOB050", .whole = true},
    {.code = "KUBE", .whole = true},
    {.code = "NODE010", .whole = true, .release = "24.11"},
    {.code = "YAML", .whole = true, .stays = true},
    {.code = "SPEC021", .stays = true},
    {.code = "SPEC026", .whole = true},
    {.code = "XML", .stays = true},
    {.code = "TAB001", .file = "table.yaml", .beside = "# slurm.conf\n"},
    {.code = "HW039",
     .file = "slurm.conf",
     .captures = "HW039/fires_with_groups_in_groups/captures/n1"},
    {.code = "HW022",
     .beside = "NodeName=g\n",
     .captures = "NUMA004/fires_on_the_other_socket/captures/g1"},
    {.code = "NCCL020", .beside = "NodeName=g\n"},
    {.code = "NCCL019",
     .beside = "NodeName=g\n",
     .captures = "NCCL019/fires_on_a_slow_net/captures/g1"},
    {.code = "NCCL016",
     .beside = "NodeName=g\n",
     .captures = "NCCL016/fires_on_exchanged_gpus/captures/g1"},
    {.code = "NCCL018",
     .beside = "NodeName=g\n",
     .captures = "NCCL018/fires_without_nics/captures/g1"},
    {.code = "HW048", .beside = "NodeName=g\n", .captures = "HW048/quiet_on_the_same/captures/g1"},
    {.code = "GRES072",
     .release = "24.11",
     .captures = "GRES072/fires_on_a_file_of_no_adapter/captures/g1"},
    {.code = "GRES07",
     .release = "24.11",
     .captures = "GRES070/fires_on_a_drive_that_no_capture_has/captures/g1"},
    {.code = "GRES028", .captures = "GRES028/fires_on_fewer/captures/g1"},
    {.code = "HW074", .file = "topograph.yaml", .whole = true},
    {.code = "HW075", .file = "topograph.yaml", .whole = true},
    {.code = "HW076", .file = "nodes.yaml", .whole = true},
    {.code = "HW077", .file = "nodes.yaml", .whole = true},
    {.code = "HW078", .file = "nodes.yaml", .whole = true},
    {.code = "HW", .beside = "NodeName=g\n"},
    {.code = "FLEET", .whole = true},
    {.code = "HW07", .file = "ibnetdiscover.txt", .whole = true},
    {.code = "TOPO05", .whole = true},
    {.code = "TOPO055"},
    {.code = "CONF060", .beside = "NodeName=n[1-4]\n"},
    {.code = "CONF064", .beside = "NodeName=n[1-4]\n"},
    {.code = "CONF065", .beside = "NodeName=n[1-4]\n"},
    {.code = "SCHED022", .release = "22.05"},
    {.code = "CONF041", .beside = INCLUDED},
    {.code = "CONF042", .beside = INCLUDED},
    {.code = "CONF043", .beside = INCLUDED},
    {.code = "CONF046", .beside = INCLUDED},
    {.code = "CONF049", .beside = INCLUDED},
    {.code = "NUMA010", .release = "22.05"},
    {.code = "MIG008", .release = "22.05"},
    {.code = "TOPO008", .release = "24.11"},
    {.code = "TOPO017", .release = "24.11"},
    {.code = "PRIO008", .release = "24.11"},
    {.code = "PART007", .whole = true, .release = "22.05"},
    {.code = "AGREE017", .whole = true},
    {.code = "AGREE018", .whole = true},
    {.code = "SEC005", .whole = true},
    {.code = "AGREE015", .file = "cluster.yaml"},
    {.code = "AGREE021", .file = "cluster.yaml"},
    {.code = "HW010", .file = "cluster.yaml"},
    {.code = "GRES061", .file = "cluster.yaml"},
    {.code = "NODE028", .release = "22.05"},
    {.code = "NODE011", .release = "22.05"},
    {.code = "NODE025", .captures = "NODE025/fires_on_what_a_job_saw/captures/n1"},
    {.code = "NUMA003", .release = "25.11"},
    {.code = "NODE048", .captures = "NUMA004/fires_on_the_other_socket/captures/g1"},
    {.code = "NUMA004", .captures = "NUMA004/fires_on_the_other_socket/captures/g1"},
    {.code = "NUMA005", .captures = "NUMA005/fires_on_threads/captures/g1"},
    {.code = "NUMA006", .captures = "NUMA006/fires_on_the_other_socket/captures/g1"},
    {.code = "NUMA007", .captures = "NUMA007/fires_on_quarters/captures/g1"},
    {.code = "LINK006", .captures = "LINK006/fires_behind_a_switch/captures/g1"},
    {.code = "TOPO040", .release = "25.11"},
    {.code = "TOPO042", .release = "23.02"},
    {.code = "TOPO060", .release = "25.11"},
    {.code = "JOB115", .release = "22.05"},
    {.code = "JOB019", .release = "22.05"},
    {.code = "JOB102", .release = "22.05"},
    {.code = "GRES044", .release = "22.05"},
    {.code = "GRES041", .release = "24.11"},
    {.code = "GRES013", .release = "24.11"},
    {.code = "NODE021", .release = "24.11"},
    {.code = "JOB094", .beside = JOBS, .release = "22.05"},
    {.code = "JOB063", .beside = JOBS, .user = "alice"},
    {.code = "JOB064", .beside = JOBS, .user = "alice"},
    {.code = "JOB065", .beside = JOBS, .user = "alice"},
    {.code = "JOB062", .beside = JOBS ACCOUNTS, .user = "alice"},
    {.code = "JOB080", .beside = JOBS, .user = "alice"},
    {.code = "JOB081", .beside = JOBS, .user = "alice"},
    {.code = "JOB082", .beside = JOBS, .user = "alice"},
    {.code = "JOB084", .beside = JOBS ACCOUNTS, .user = "alice"},
    {.code = "JOB06", .beside = JOBS},
    {.code = "JOB07", .beside = JOBS},
    {.code = "JOB08", .beside = JOBS},
    {.code = "JOB09", .beside = JOBS},
    {.code = "JOB10", .beside = JOBS},
};

#endif
