/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refused lines that the parameter table alone cannot know, by their beginning: how many
 * verdicts of the three releases, and what it takes to know. Rules of the model judge the
 * first kind; the second depends on the machine or on the build of the daemons.
 */
/* clang-format off */
    /* Two parameters, two lines, or a cluster. */
    {"AccountingStorageTRES=gres/gpu,gres/nvme", 3, "needs slurmdbd"},
    {"PriorityWeightTRES=CPU=0,Mem=0", 2, "a TRES that is not tracked"},
    {"PrologFlags=contain,nohold", 3, "two words exclude each other"},
    {"PartitionName=training Nodes=", 3, "a TRES that is not tracked"},
    {"PartitionName=inference Nodes=", 3, "a TRES that is not tracked"},
    {"PartitionName=x Nodes=gpu-[01-99]", 3, "an undefined node"},
    {"PartitionName=x Nodes=gpu-[01-04],nosuch", 3, "an undefined node"},
    {"PartitionName=p Nodes=ALL", 3, "the partition is defined twice"},
    {"NodeName=big CPUs=256 Topology=rack1", 1, "a topology that is not defined"},
    {"SelectType=select/linear", 3, "SelectTypeParameters of another plugin"},
    {"SelectTypeParameters=CR_Core_Memory,CR_Socket", 3, "two resource modes"},
    {"RoutePlugin=route/topology", 1, "needs topology/tree"},
    {"JobContainerType=job_container/tmpfs", 3, "needs PrologFlags=Contain"},
    {"JobContainerType=namespace/tmpfs", 3, "needs PrologFlags=Contain"},
    {"NamespaceType=namespace/tmpfs", 1, "needs PrologFlags=Contain"},
    {"AccountingStorageType=accounting_storage/mysql", 3, "a plugin for slurmdbd, told by a rule"},
    {"StorageType=accounting_storage/slurmdbd", 3, "a plugin for slurmctld, told by a rule"},
    {"AccountingStorageType=accounting_storage/slurmdbd\nPartitionName=x", 3, "a TRES that is not tracked"},
    {"AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageTRES=gres/gpu\nPartitionName=x", 3, "a TRES that is not tracked"},
    {"PriorityFlags=FAIR_TREE,DEPTH_OBLIVIOUS", 1, "24.11.5 crashes on the two words"},
    {"PreemptMode=REQUEUE", 3, "needs PreemptType"},
    {"PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND", 3, "SUSPEND needs GANG"},
    {"PreemptType=preempt/partition_prio", 3, "needs PreemptMode"},
    {"SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-01(10.0.0.11)", 3, "one host twice"},
    {"MaxNodeCount=10", 3, "more nodes than that"},
    {"Name=gpu File=/dev/nvidia0\nName=gpu File=/dev/nvidia0", 3, "one file twice"},
    {"Name=gpu Count=4 File=/dev/nvidia[0-7]", 3, "Count and File disagree"},
    /* The machine, the database, or what the packages left out. */
    {"AcctGatherEnergyType=acct_gather_energy/ipmi", 3, "left out of this build"},
    {"AcctGatherEnergyType=acct_gather_energy/gpu", 1, "does not load into slurmctld 22.05"},
    {"AcctGatherInterconnectType=acct_gather_interconnect/ofed", 2, "left out of this build"},
    {"AcctGatherProfileType=acct_gather_profile/hdf5", 3, "left out of this build"},
    {"AuthAltTypes=auth/jwt", 3, "left out of this build"},
    {"AuthType=auth/slurm", 2, "no key file"},
    {"TLSType=tls/s2n", 2, "left out of this build"},
    {"TopologyPlugin=topology/tree", 3, "no topology.conf"},
    {"TopologyPlugin=topology/block", 2, "no topology.conf"},
    {"PartitionName=x Nodes=ALL Default=YES AllowQos=nosuch", 1, "no such QOS in the database"},
    {"PartitionName=x Nodes=ALL Default=YES QOS=nosuch", 1, "no such QOS in the database"},
    {"StateSaveLocation=relative/path", 3, "the directory cannot be made"},
    {"JobSubmitPlugins=lua", 3, "no job_submit.lua"},
    {"Include /etc/slurm/nosuch.conf", 3, "the reader was not let at files"},
    {"DbdHost=10.0.0.12", 3, "not the name of that machine"},
    /* clang-format on */
