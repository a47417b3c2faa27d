#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Independence: some 60 faults on lines of their own, in five files. Each must be found when it is
# the only one, and again, at the same place, when all of them stand there at once. What depends on
# another faulty line is listed: no entry may be idle.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

for release in 22.05 24.11 26.05; do
    python3 - "$release" <<'PY' || fail "$release: faults are not independent"
import json, os, shutil, subprocess, sys

release = sys.argv[1]
# (sound line, faulty line): None where a line is only there for the others.
S=[("ClusterName=c","ClusterName=Big C"),("SlurmctldHost=ctl(10.0.0.1)","SlurmctldHost=ctl(10.0.0.1"),("SlurmUser=slurm",None),
("StateSaveLocation=/var/spool/slurmctld","StateSaveLocation=/var/spool/slurmd"),("SlurmdSpoolDir=/var/spool/slurmd",None),
("SelectType=select/cons_tres","SelectType=select/cons_tress"),("SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=1000","SelectTypeParameters=CR_Core_Memry\nDefMemPerCPU=1000"),
("GresTypes=gpu,nic","GresTypes=gpu,nic,gpu"),("AccountingStorageType=accounting_storage/slurmdbd","AccountingStorageType=accounting_storage/mysql"),
("AccountingStorageHost=db","AccountingStorageHost=localhost"),("AccountingStoragePort=6819","AccountingStoragePort=6818"),("JobAcctGatherType=jobacct_gather/cgroup","JobAcctGatherType=jobacct_gather/cgrp"),
("ProctrackType=proctrack/cgroup","ProctrackType=proctrack/linuxproc"),("TaskPlugin=task/cgroup,task/affinity","TaskPlugin=task/none,task/affinity"),
("SlurmdTimeout=300","SlurmdTimeout=300s"),("MessageTimeout=60","MessageTimeout=101"),("SchedulerParameters=bf_continue","SchedulerParameters=bf_contine,bf_interval=abc"),
("EnforcePartLimits=ALL","EnforcePartLimits=MAYBE"),("AccountingStorageTRES=gres/gpu","AccountingStorageTRES=gres/gpu,foo"),("AccountingStorageEnforce=limits","AccountingStorageEnforce=limits,foo"),
("PriorityWeightTRES=CPU=1","PriorityWeightTRES=CPU=x"),("SlurmctldPort=6817","SlurmctldPort=6820-6817"),("SlurmdPort=6818","SlurmdPort=x"),
("PrologFlags=Contain","PrologFlags=Contain,NoHold"),("ReturnToService=1","ReturnToService=7"),("PreemptType=preempt/none","PreemptType=preempt/partition_prio"),("PreemptMode=OFF","PreemptMode=SUSPEND"),
("MaxArraySize=1001","MaxArraySize=0x"),("MaxJobCount=10000","MaxJobCount=0"),("TopologyPlugin=topology/tree","TopologyPlugin=topology/tre"),("KillWait=30","KillWait=-1"),("InactiveLimit=0","InactivLimit=0"),
("NodeName=gpu-[01-16] Sockets=2 CoresPerSocket=8 RealMemory=512000 Gres=gpu:8","NodeName=gpu-[01-16 Sockets=2 CoresPerSocket=8 RealMemory=512000 Gres=gpu:8"),
("NodeName=a[1-4] Sockets=2 CoresPerSocket=8 RealMemory=512000 CPUs=16 Gres=gpu:h100:2 NodeAddr=10.0.0.[1-4]","NodeName=a[1-4] Sockets=2 CoresPerSocket=8 RealMemory=512000 CPUs=100 Gres=gpu:h100:eight NodeAddr=10.0.0.[1-3]"),
("NodeName=b[1-4] Sockets=2 CoresPerSocket=8 RealMemory=512000 Gres=gpu:3 Port=7000","NodeName=b[1-4] Sockets=2 CoresPerSocket=8 RealMemory=512G Gres=gpu:3,fpga:1 Port=70000 State=SLEEPY"),
("NodeName=d[1-4] Sockets=2 CoresPerSocket=8 RealMemory=512000 Gres=gpu:2 MemSpecLimit=1000","NodeName=d[1-4] Sockets=x CoresPerSocket=8 RealMemory=512000 Gres=gpu:2 MemSpecLimit=512000"),
("NodeName=e1 CPUs=4 RealMemory=1000","NodeName=b2 CPUs=4 RealMemory=1000"),
("NodeSet=s Nodes=a[1-4]","NodeSet=s Feature=none"),
("PartitionName=x Nodes=gpu-[01-16] Default=YES","PartitionName=x Nodes=gpu-[01-16],zzz Default=YES OverSubscribe=YES:1 TRESBillingWeights=gpu"),
("PartitionName=y Nodes=a[1-4] MaxTime=60","PartitionName=y Nodes=a[1-4],yyy State=SIDEWAYS MaxTime=soon"),
("PartitionName=z Nodes=b[1-4] DefaultTime=1-0 MaxTime=2-0","PartitionName=y Nodes=b[1-4] DefaultTime=2-0 MaxTime=1-0 Default=YES")]
G=[("NodeName=gpu-[01-16] Name=gpu File=/dev/nvidia[0-7]","NodeName=gpu-[01- Name=gpu File=/dev/nvidia[0-7]"),
("NodeName=a[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-1]","NodeName=a[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-"),
("NodeName=b[1-4] Name=gpu File=/dev/nvidia[0-1] Cores=0-7","NodeName=b[1-4] Name=gpu File=/dev/nvidia[0-1] Cores=0-3"),
("NodeName=b[1-4] Name=gpu File=/dev/nvidia2 Cores=8-15","NodeName=b[1-4] Name=gpu File=/dev/nvidia1 Cores=15-8 Links=NVL"),
("NodeName=d[1-4] Name=gpu File=/dev/nvidia[0-1] Count=2","NodeName=d[1-4] Name=gpu File=/dev/nvidia[0-2] Count=2"),
("","NodeName=q1 Name=gpu File=/dev/nvidia0 Flags=foo"),("","NodeName=b1 Name=fpga Count=4x")]
T=[("SwitchName=s1 Nodes=gpu-[01-16],a[1-4]","SwitchName=s1 Nodes=gpu-[01-16],a[1-"),("SwitchName=s2 Nodes=b[1-4],d[1-4],e1","SwitchName=s2 Nodes=b[1-4],d[1-4],nope"),("SwitchName=r Switches=s[1-2]","SwitchName=r Switches=s[1-3]")]
C=[("ConstrainDevices=yes","ConstrainDevices=yep"),("ConstrainCores=yes","ConstrainCors=yes"),("ConstrainRAMSpace=yes","MemorySwappiness=101")]
D=[("DbdHost=db","DbdHost=10.0.0.12"),("StorageType=accounting_storage/mysql","StorageType=accounting_storage/slurmdbd"),("SlurmUser=slurm","SlurmUser=other"),("StoragePass=x",None),("DbdPort=6819","DbdPort=7x"),("PurgeJobAfter=12months","PurgeJobAfter=2years"),("ArchiveJobs=yes","ArchiveJobs=maybe")]
files=[('slurm.conf',S),('gres.conf',G),('topology.conf',T),('cgroup.conf',C),('slurmdbd.conf',D)]
allf=[(f,i) for f,L in files for i,(g,b) in enumerate(L) if b is not None]

# A finding that cannot be told once another line is wrong too, and which line.
DEPENDS = {
    ("ACCT001", "slurm.conf"): "AccountingStorageType is no plugin",
    ("AGREE014", "slurm.conf"): "slurmdbd is not what AccountingStorageType names",
    ("AGREE001", "slurm.conf"): "DbdPort is no number",
    ("AGREE005", "slurm.conf"): "slurmdbd is not what AccountingStorageType names",
    ("JOB014", "slurm.conf"): "JobAcctGatherType is no plugin",
    ("JOB009", "cgroup.conf"): "ConstrainDevices is neither yes nor no",
    ("SCHED008", "slurm.conf"): "PreemptMode is set by another line",
    ("NODE040", "slurm.conf"): "MemSpecLimit is all of RealMemory",
    ("TOPO007", "topology.conf"): "the node is gone from slurm.conf",
    ("GRES016", "slurm.conf"): "the NodeName line of these nodes cannot be read",
    ("GRES005", "gres.conf"): "File of that line cannot be read",
}

def findings(bad):
    shutil.rmtree("set", ignore_errors=True)
    os.makedirs("set")
    for name, lines in files:
        with open(f"set/{name}", "w") as out:
            for i, (sound, faulty) in enumerate(lines):
                out.write((faulty if (name, i) in bad and faulty is not None else sound) + "\n")
    os.chmod("set/slurmdbd.conf", 0o600)
    done = subprocess.run([os.environ["PLUMB"], "check", "--slurm", release, "--format", "json", "set"],
                          capture_output=True, text=True)
    return {(f["code"], os.path.basename(f["file"] or ""), f["line"]): f["message"]
            for f in json.loads(done.stdout)["findings"]}

base = findings(set())
full = findings(set(allf))
wrong = 0
used = set()
if base:
    print("the sound set has findings:", base)
    wrong += 1
for fault in allf:
    alone = findings({fault})
    if not set(alone) - set(base):
        print("silent:", fault, dict(files)[fault[0]][fault[1]][1])
        wrong += 1
    for key in set(alone) - set(base) - set(full):
        used.add(key[:2])
        if key[:2] not in DEPENDS:
            print("lost beside others:", fault, key, alone[key])
            wrong += 1
for key in set(DEPENDS) - used:
    print("idle:", key, DEPENDS[key])
    wrong += 1
sys.exit(wrong != 0)
PY
done
done_testing
