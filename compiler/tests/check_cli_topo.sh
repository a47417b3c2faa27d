#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plumb topo: captures by path, built-in references by name.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# A bare name is a built-in reference.
run 0 topo dgx-h100
in_out 'dgx-h100 (built-in reference)'
in_out 'SocketsPerBoard=2 CoresPerSocket=56'
run 0 topo --format json dgx-h100
in_out '"dgx-h100"'
run 0 topo dgx-h100 hgx-a100-8
in_out 'hgx-a100-8 (built-in reference)'
in_out 'dgx-h100 (built-in reference)'

# One that does not exist is told once, with what may be meant.
run 3 topo dgx-h10
in_err "'dgx-h10' does not exist, and is no built-in reference; did you mean 'dgx-h100'?"
[ "$(wc -l <err)" = 1 ] || { fail 'the missing reference is told more than once'; cat err; }
run 3 topo zzzzzzzzzzzz
in_err 'those are dgx-1v, dgx-2, dgx-a100, dgx-b200, dgx-h100, dgx-h200, gb200-nvl, hgx-a100-4, hgx-a100-8,'
run 3 topo ./dgx-h100
in_err "'./dgx-h100' does not exist"

# Four cores with three CPUs: no number of threads follows, and none is counted with.
run 0 topo --as hwloc "$PLUMB_SOURCE/testdata/fuzz/hwloc/core_without_cpu.xml"
in_err 'CPU ids reach 3 with only 3 threads'
in_out 'unknown threads per core: 3 CPUs'
in_out 'CoresPerSocket=2 ThreadsPerCore=unknown RealMemory=7168'
run 0 topo --as hwloc --format json "$PLUMB_SOURCE/testdata/fuzz/hwloc/core_without_cpu.xml"
in_out '"threads_per_core": null'
run 0 topo --as hwloc --format spec "$PLUMB_SOURCE/testdata/fuzz/hwloc/core_without_cpu.xml"
in_out '# threads_per_core: unknown, the capture has cores without CPUs'

# A specification from a capture says what the capture decides, by naming it.
run 0 topo --format spec dgx-h100
in_out "topology: 'dgx-h100'"
in_out 'gpu: {type: h100, count: 8}'

# Its lines for Slurm are those that build makes from the same specification.
for machine in dgx-1v dgx-h100 hgx-a100-4 gb200-nvl mi300x "$PLUMB_SOURCE/testdata/machines/xeon-snc4"; do
    for release in 22.05 24.11 26.05; do
        "$PLUMB" topo --format spec "$machine" >cluster.yaml
        run 0 build cluster.yaml --slurm $release -o tree
        "$PLUMB" topo --format gres --slurm $release "$machine" | grep -v '^#' | grep . >lines
        grep -hE '^(GresTypes|SlurmdParameters|NodeName)=' tree/slurm/slurm.conf >want
        grep -hE '^NodeName=' tree/slurm/gres.conf >>want
        cmp -s lines want || { fail "$machine, $release: topo and build differ"; diff lines want; }
        rm -rf tree
    done
done

# The numbers are those of the fact sheets: NPS4 and SNC4 count NUMA nodes as sockets, and the
# parameter stands where the release has it. Links= only where GPUs are wired to each other.
run 0 topo --format gres --slurm 24.11 "$PLUMB_SOURCE/testdata/machines/epyc-nps4"
in_out 'SlurmdParameters=numa_node_as_socket'
in_out 'Sockets=8 CoresPerSocket=16 ThreadsPerCore=2'
in_out 'File=/dev/nvidia0 Cores=16-31 Links=-1,6,6,6'
in_out 'File=/dev/nvidia3 Cores=112-127 Links=6,6,6,-1'
run 0 topo --format gres --slurm 26.05 "$PLUMB_SOURCE/testdata/machines/xeon-snc4"
in_out 'Sockets=8 CoresPerSocket=14 ThreadsPerCore=2'
in_out 'Parameters=numa_node_as_socket'
in_out 'File=/dev/nvidia0 Cores=42-55'
in_out 'File=/dev/nvidia3 Cores=70-83'
run 0 topo --format gres dgx-h100
in_out 'File=/dev/nvidia[0-3] Cores=0-55'
not_in_out 'Links=-1'
in_out '# AutoDetect=nvml for dgx-h100: use it'
run 0 topo --format gres mi300x
in_out 'File=/dev/dri/renderD[128-131] Cores=0-95'
in_out 'AutoDetect=rsmi'

# XGMI: hops between GPUs, as hwloc has them from ROCm SMI; four GPUs in a ring, and a matrix that is cut.
awk '/<\/topology>/ {
         print "  <distances2 type=\"OSDev\" nbobjs=\"4\" kind=\"5\" name=\"XGMIHops\" indexing=\"gp\">"
         print "    <indexes length=\"12\">18 21 38 41 </indexes>"
         print "    <u64values length=\"32\">0 1 2 1 1 0 1 2 2 1 0 1 1 2 1 0 </u64values>\n  </distances2>"
     } { print }' "$PLUMB_SOURCE/testdata/rules/LINK006/fires_on_gpus_of_amd/captures/g1/hwloc.xml" >ring.xml
run 0 topo ring.xml
in_out 'GPU0  X       XGMI    XGMI/2  XGMI'
run 0 topo --format svg=ring.svg ring.xml
[ "$(grep -c 'class="pair"' ring.svg)" = 4 ] || fail 'the ring has four sides'
grep -qF 'lines between GPUs: one hop of xGMI' ring.svg || fail 'the ring has no legend'
sed 's/ 1 2 1 0 <.u64values>/ 1 2 <\/u64values>/' ring.xml >cut.xml
"$PLUMB" topo cut.xml >out 2>err
grep -qF 'the XGMI matrix does not hold 4 indexes and 16 values' err || { fail 'a cut matrix'; cat err; }

# Drives and RDMA devices are resources where that is asked for, and remarks elsewhere.
DRIVES=$PLUMB_SOURCE/testdata/rules/GRES070/fires_on_a_drive_that_no_capture_has/captures/g1
run 0 topo --format spec "$DRIVES"
in_out '# nvme: {files: [/dev/nvme0n1]}'
in_out '# hca: 1    # RDMA devices, mlx5_0 to mlx5_0'
run 0 topo --format gres "$DRIVES"
not_in_out 'nvme'
not_in_out 'hca'
run 0 topo --format gres --with nvme "$DRIVES"
in_out 'Gres=nvme:1'
in_out 'Name=nvme File=/dev/nvme0n1'
not_in_out 'Cores=' # all cores are near: nothing to say
not_in_out 'hca'
run 0 topo --format gres --with all "$DRIVES"
in_out 'Gres=hca:1,nvme:1'
run 2 topo --with disks "$DRIVES"

# Cores= of a drive is what each release takes.
CORPUS=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}/corpus/topologies/hwloc
if [ -d "$CORPUS" ]; then
    run 0 topo --format gres --with nvme --slurm 24.11 "$CORPUS/v2-g4dn-metal-8xt4-nvml.xml"
    in_out 'Name=nvme File=/dev/nvme0n1,/dev/nvme1n1,/dev/nvme2n1 Cores=0-23'
    run 0 topo --format gres --with nvme "$CORPUS/v2-turin-2x9555-nps4-4xh200-nvml.xml"
    in_out 'Name=nvme File=/dev/nvme1n1 Cores=0-15'
fi

# Rails are the adapters near GPUs, in the order of the GPUs.
run 0 topo dgx-h100
in_out 'NCCL_IB_HCA==mlx5_0,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_9,mlx5_10,mlx5_11'
in_out 'left out, for storage and management: mlx5_1 mlx5_2 mlx5_7 mlx5_8'
run 0 topo --format json dgx-h100
in_out '"nccl_ib_hca": "=mlx5_0,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_9,mlx5_10,mlx5_11"'
run 0 topo --format nccl.conf dgx-a100
in_out 'NCCL_IB_HCA==mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_6,mlx5_7,mlx5_8,mlx5_9'
# On Grace no adapter is near a GPU by PCI: those of the fabric are InfiniBand, the others are not.
run 0 topo --format nccl.conf gb200-nvl
in_out 'NCCL_IB_HCA==mlx5_0,mlx5_1,mlx5_4,mlx5_5'
# A virtual machine may show all devices at one bridge: that tells nothing.
printf '\tGPU0\tGPU1\tmlx5_0\tmlx5_1\nGPU0\t X \tPHB\tPHB\tPHB\nGPU1\tPHB\t X \tPHB\tPHB\n' >flat.txt
printf 'mlx5_0\tPHB\tPHB\t X \tPHB\nmlx5_1\tPHB\tPHB\tPHB\t X \n' >>flat.txt
run 3 topo --format nccl.conf flat.txt
in_err 'NCCL_IB_HCA is not derived: no adapter is nearer to some GPU than others are'
sed -i '2s/PHB$/SYS/; 5s/PHB/SYS/' flat.txt
run 0 topo --format nccl.conf flat.txt
in_out 'NCCL_IB_HCA==mlx5_0,mlx5_1'
run 3 topo --format nccl.conf dgx-h100 dgx-1v
in_err 'give one capture'
run 3 topo --format nccl.conf "$DRIVES"
in_err 'NCCL_IB_HCA is not derived: no capture shows a GPU'
if [ -d "$CORPUS" ]; then
    MATRICES=$CORPUS/../nvidia-smi-topo
    run 0 topo --format nccl.conf "$MATRICES/hgx-h200-8gpu-8nic-epyc9534.txt"
    in_out 'NCCL_IB_HCA==mlx5_4,mlx5_1,mlx5_0,mlx5_3,mlx5_6,mlx5_7,mlx5_5,mlx5_2'
    run 3 topo --format nccl.conf "$MATRICES/hgx-8gpu-nv18-8nic-2x48.txt"
    in_err 'numbers the adapters, and its legend is missing'
    run 3 topo --format nccl.conf "$MATRICES/pcie-4gpu-4nic-spaces.txt"
    in_err 'not derived'
fi

# How the tasks of a job stay at their GPUs, as slurmd 22.05.8, 24.11.5 and 26.05.5 bound them: on a DGX A100 the
# first NUMA node with GPUs has GPUs 2 and 3.
for release in 22.05 24.11 26.05; do
    run 0 topo dgx-a100 --slurm $release
    in_out 'a task for each GPU, near it: --ntasks-per-node=8 --cpus-per-task=16, and'
    in_out 'srun --cpus-per-task=16 --distribution=block:block --cpu-bind=cores --mem-bind=local'
    grep -qE '^ +0 +2 +1 +16-23 +16-23,144-151$' out || { fail "$release: task 0"; cat out; }
    grep -qE '^ +7 +5 +7 +120-127 +120-127,248-255$' out || { fail "$release: task 7"; cat out; }
    run 0 topo dgx-a100 --slurm $release --format json
    python3 - out <<'END' || fail "$release: binding in JSON"
import json, sys
way = next(w for w in json.load(open(sys.argv[1]))[0]["slurm"]["socket_counts"] if w.get("slurmd_parameter") == "numa_node_as_socket")
told = {b["gpus"]: (b["cpus_per_task"], [(t["gpu"], t["cpus"]) for t in b["tasks"]]) for b in way["binding"]}
sys.exit(0 if sorted(told) == [1, 2, 4, 8] and told[2] == (16, [(2, "16-23,144-151"), (3, "24-31,152-159")]) else 1)
END
done

# NCCL reads one machine from a file.
run 0 topo --format nccl dgx-h100
in_out '<system version="1">'
run 3 topo --format nccl dgx-h100 dgx-1v
in_err 'NCCL reads the file of one machine'

# Without cores nothing is derived, and the reason stands there.
run 0 topo --format gres "$PLUMB_SOURCE/topologies/dgx-h100/topo-m.txt"
in_out 'nothing is derived: no capture shows the cores'

# What has the name in the folder at hand counts first.
mkdir dgx-h100
cp "$PLUMB_SOURCE/topologies/hgx-a100-8/topo-m.txt" dgx-h100/
run 0 topo dgx-h100
in_out 'NV12'
not_in_out 'built-in'
mkdir other
run 0 -C other topo dgx-h100
in_out 'built-in'

done_testing
