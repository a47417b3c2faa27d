#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Network adapters of a specification: as generic resources, with the file that the listing of sysfs
# tells and the cores near them; and as what NCCL is told. Devices, cores and rails are those of the
# reference machine's hwloc file (GPUs 0-3 and mlx5_0 to mlx5_5 at package 0).
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

mkdir dgx
cp "$PLUMB_SOURCE"/topologies/dgx-h100/* dgx/

# spec CLASS-KEYS [REST]: a class of two such nodes.
spec() {
    cat >cluster.yaml <<END
plumb: 1
cluster: c
control: {hosts: [head]}
nodes:
  dgx: {hosts: "d[1-2]", topology: dgx, $1}
partitions: {all: {nodes: all, default: true}}
${2:-}
END
}

# Without the listing the resource is counted, and no number is guessed.
spec 'gres: {gpu: {type: h100}, hca: {devices: [mlx5_0, mlx5_9]}}'
run 0 build cluster.yaml --slurm 24.11 -o counted
has counted/slurm/slurm.conf 'Gres=gpu:h100:8,hca:2'
hasnt counted/slurm/gres.conf 'hca'
run 0 check cluster.yaml --format compact
in_out "cluster.yaml:5:83-89: warning[SPEC042]"

# With it, the number that sysfs gives counts, not the one in the name.
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    echo "/sys/class/infiniband_verbs/uverbs$((11 - i))/ibdev:mlx5_$i"
done >dgx/infiniband-verbs.txt
for release in 22.05 24.11 26.05; do
    run 0 build cluster.yaml --slurm $release -o $release
    has $release/slurm/gres.conf 'NodeName=d[1-2] Name=hca File=/dev/infiniband/uverbs11 Cores=0-55'
    has $release/slurm/gres.conf 'NodeName=d[1-2] Name=hca File=/dev/infiniband/uverbs2 Cores=56-111'
    run 0 build cluster.yaml --slurm $release -o $release --check
done
grep -q '"dgx/infiniband-verbs.txt:12:1"' 24.11/.plumb/map.json || grep -q 'infiniband-verbs.txt:' 24.11/.plumb/map.json ||
    fail 'the listing is no cause of the line'
run 0 topo dgx --format spec --with hca
in_out 'hca: {devices: [mlx5_0, mlx5_1, mlx5_2, mlx5_3, mlx5_4, mlx5_5, mlx5_6, mlx5_7, mlx5_8, mlx5_9, mlx5_10, mlx5_11]}'

# Beside files, and of a GPU.
spec 'gres: {gpu: {type: h100}, hca: {devices: [mlx5_0], files: /dev/infiniband/uverbs0}}'
run 1 check cluster.yaml --format compact
in_out "error[SPEC023] 'devices' stands beside 'files'"
spec 'gres: {gpu: {type: h100, devices: [mlx5_0]}}'
run 1 check cluster.yaml --format compact
in_out "error[SPEC023] 'devices' are network adapters, 'gpu' is a resource of GPUs"

# conf TEXT: nccl.conf of the last build, without its comments.
conf() {
    grep -v '^#' "$1" >got
    printf '%s\n' "$2" | cmp -s - got || { fail "expected of $1: '$2', got:"; cat got; }
}
rails='=mlx5_0,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_9,mlx5_10,mlx5_11'
gpus='gres: {gpu: {type: h100}}'
spec "$gpus"
run 0 build cluster.yaml --target nccl -o made
conf made/nccl/nccl.conf "NCCL_IB_HCA=$rails
NCCL_TOPO_FILE=/etc/nccl/topo-dgx.xml"
spec "$gpus" 'jobs: {nccl: {ib_hca: [mlx5_0, "mlx5_3:1"], debug: INFO, gid_index: 3, topo_dir: /opt/nccl}}'
run 0 build cluster.yaml --target nccl -o made
conf made/nccl/nccl.conf 'NCCL_DEBUG=INFO
NCCL_IB_GID_INDEX=3
NCCL_IB_HCA==mlx5_0,mlx5_3:1
NCCL_TOPO_FILE=/opt/nccl/topo-dgx.xml'
spec "$gpus, fabric: {hcas: [mlx5_0, mlx5_3]}" 'jobs: {nccl: {ib_hca: from-topology}}'
run 0 build cluster.yaml --target nccl -o made
conf made/nccl/nccl.conf 'NCCL_IB_HCA==mlx5_0,mlx5_3
NCCL_TOPO_FILE=/etc/nccl/topo-dgx.xml'

spec "$gpus" 'jobs: {nccl: {ib_hca: [from-topology, mlx5_0]}}'
run 1 check cluster.yaml --format compact
in_out "cluster.yaml:7:24-37: error[SPEC023] 'from-topology' stands beside names"

# One file where all classes are told the same: two without captures are, a third is not.
classes() {
    cat >cluster.yaml <<END
plumb: 1
cluster: c
control: {hosts: [head]}
nodes:
  a: {hosts: a1, cpus: 64, memory: 250 GiB, gres: {gpu: 8}, fabric: {hcas: [mlx5_0]}}
  b: {hosts: b1, cpus: 64, memory: 250 GiB, gres: {gpu: 8}, fabric: {hcas: [$1]}}
  cpu: {hosts: c1, cpus: 64, memory: 250 GiB}
partitions: {all: {nodes: all, default: true}}
END
}
classes mlx5_0
run 0 build cluster.yaml --target nccl -o one
conf one/nccl/nccl.conf 'NCCL_IB_HCA==mlx5_0'
classes mlx5_1
run 0 build cluster.yaml --target nccl -o two
conf two/nccl/nccl-a.conf 'NCCL_IB_HCA==mlx5_0'
conf two/nccl/nccl-b.conf 'NCCL_IB_HCA==mlx5_1'
[ ! -e two/nccl/nccl.conf ] || fail 'a file for both classes'

# NCCL is not for GPUs of others.
cat >cluster.yaml <<END
plumb: 1
cluster: c
control: {hosts: [head]}
nodes:
  amd: {hosts: a1, topology: mi300x, gres: {gpu: 8}}
partitions: {all: {nodes: all, default: true}}
END
run 0 build cluster.yaml --target nccl -o amd
[ ! -e amd/nccl/nccl.conf ] || fail 'nccl.conf for GPUs of AMD'
done_testing
