#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shares of GPUs in a specification: the lines that slurmd 22.05.8, 24.11.5 and 26.05.5 hold as so
# many shares of each GPU.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# spec GRES: a class of two nodes with these resources.
spec() {
    cat >cluster.yaml <<END
plumb: 1
cluster: c
control: {hosts: [head]}
nodes:
  g: {hosts: "g[1-2]", topology: dgx-h100, gres: {$1}}
partitions: {all: {nodes: all, default: true}}
END
}

for release in 22.05 24.11 26.05; do
    spec 'shard: {per_gpu: 4}, gpu: {type: h100, count: 8}'
    run 0 build cluster.yaml --slurm $release -o $release-shard
    has $release-shard/slurm/slurm.conf 'Gres=shard:32,gpu:h100:8'
    has $release-shard/slurm/slurm.conf 'GresTypes=shard,gpu'
    has $release-shard/slurm/gres.conf 'Name=shard Count=32'

    spec 'gpu: {type: h100, count: 8}, mps: {per_gpu: 100}'
    run 0 build cluster.yaml --slurm $release -o $release-mps
    has $release-mps/slurm/slurm.conf 'Gres=gpu:h100:8,mps:800'
    has $release-mps/slurm/gres.conf 'Name=mps Count=800'
done

# Of GPUs that the capture counts, and of several types.
spec 'gpu: {type: h100}, shard: {per_gpu: 2}'
run 0 build cluster.yaml -o captured
has captured/slurm/gres.conf 'Name=shard Count=16'
spec 'gpu: [{type: h100, count: 4}, {type: a, count: 4}], shard: {per_gpu: 2}'
"$PLUMB" build cluster.yaml --force -o types >out 2>err
has types/slurm/gres.conf 'Name=shard Count=16'

# slurmd would find the same GPUs: it is told once for the class, and not where slurmd finds them.
spec 'gpu: {type: h100, count: 8}'
run 0 build cluster.yaml --slurm 24.11 -o same
in_out "AutoDetect=nvml would give 'g' the same as the derived lines of gres.conf"
[ "$(grep -c 'info\[GRES061\]' out)" = 1 ] || { fail 'told more than once'; cat out; }
run 0 build cluster.yaml --slurm 22.05 -o same # its slurmd opens another name of the library
in_out 'finds no GPU where a driver brings libnvidia-ml.so.1 alone'
spec 'gpu: {type: fast, count: 8}'
run 0 build cluster.yaml --slurm 24.11 -o other
in_out "would not give 'g' the same as the derived lines of gres.conf: type 'fast' is no part of the product"
spec 'gpu: {type: h100, count: 8}'
sed -i 's/topology: dgx-h100/&, autodetect: nvml/' cluster.yaml
run 0 build cluster.yaml --slurm 24.11 -o found
[ "$(grep -c GRES061 out)" = 0 ] || { fail 'told beside autodetect'; cat out; }

# A drive that no capture has is told at its own place.
spec 'nvme: [/dev/nvme0n1]'
sed -i "s|dgx-h100|'$PLUMB_SOURCE/testdata/rules/GRES070/quiet_on_a_partition/captures/g1'|" cluster.yaml
sed -i 's|nvme: .*|nvme: {files: [/dev/nvme0n1,|; /nvme:/a\      /dev/nvme7n1]}}}' cluster.yaml
run 1 build cluster.yaml --slurm 24.11 -o drives --format compact
in_out "cluster.yaml:6:7-19: error[GRES070] no drive '/dev/nvme7n1' is in the capture of 'g[1-2]'"

# What has no GPU to be a share of is told at its place.
spec 'nvme: {per_gpu: 2}'
run 1 build cluster.yaml -o bad --format compact
in_out "cluster.yaml:5:67-68: error[SPEC030] 'nvme' is no share of a GPU"
spec 'shard: {per_gpu: 2}'
run 1 build cluster.yaml -o bad --format compact
in_out "error[SPEC030] 'per_gpu' of shard, and the nodes have no GPU"
spec 'gpu: 8, shard: {count: 2, per_gpu: 2}'
run 1 build cluster.yaml -o bad --format compact
in_out "error[SPEC030] 'per_gpu' stands beside 'count'"

done_testing
