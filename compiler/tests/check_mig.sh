#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# MIG from captures to lines: what plumb topo shows and what plumb build writes. Files, cores and types are those that slurmd
# of three releases held (.ci/daemons/detected).
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

mixed=$PLUMB_SOURCE/testdata/mig/a100-40-mixed

# Whole GPUs and slices of one node; the media engines and compute instances are types of their own.
run 0 topo --format gres --slurm 26.05 "$mixed"
in_out 'Gres=gpu:a100:1,gpu:1g.5gb:9,gpu:4g.20gb:1,gpu:2g.10gb:2,gpu:1c.3g.20gb:2,gpu:1g.5gb+me:1'
in_out 'Type=a100 File=/dev/nvidia0 Cores=48-63'
in_out 'Type=4g.20gb MultipleFiles=/dev/nvidia2,/dev/nvidia-caps/nvidia-cap282,/dev/nvidia-caps/nvidia-cap283 Cores=16-31'
in_out 'Type=1c.3g.20gb MultipleFiles=/dev/nvidia3,/dev/nvidia-caps/nvidia-cap426,/dev/nvidia-caps/nvidia-cap428 Cores=0-15'
not_in_out ' Links=-1'
in_out '# AutoDetect=nvml for a100-40-mixed: use it: it finds the MIG devices'
in_out '# AutoDetect=nvidia for a100-40-mixed: do not use it: it takes each GPU whole'

# The word is not there before 24.11, and NVML has another name before 24.05.
run 0 topo --format gres --slurm 22.05 "$mixed"
not_in_out 'AutoDetect=nvidia'
in_out 'slurmd 22.05 opens libnvidia-ml.so'
run 0 topo --format json --slurm 22.05 "$mixed"
in_out '"type": "nvidia_a100_3g.20gb"'
not_in_out 'nvidia_a100_1c.3g.20gb'

# Without ids nobody knows the files but slurmd.
mkdir list
cp "$mixed/hwloc.xml" "$mixed/nvidia-smi-L.txt" list/
run 0 topo --format spec list
in_out 'autodetect: nvml    # no capture tells the files of the MIG devices'
run 0 topo --format gres list
in_out 'NodeName=list AutoDetect=nvml'
not_in_out 'MultipleFiles'

# spec GRES [LINE]: a specification with one class of nodes.
spec() {
    cat >cluster.yaml <<END
plumb: 1
cluster: demo
slurm: "24.11"
control: {hosts: [head]}
nodes:
  a:
    hosts: a-[1-2]
    topology: $mixed
    gres: {gpu: $1}
    ${2:-}
partitions: {all: {nodes: all, default: true}}
END
}

# A profile without a number is as many devices as there are.
spec '[{type: 2g.10gb}, {type: a100}]'
run 0 build cluster.yaml -o made
grep -q 'Gres=gpu:2g.10gb:2,gpu:a100:1' made/slurm/slurm.conf || { fail 'what is there is not counted'; cat made/slurm/slurm.conf; }
[ "$(grep -c 'MultipleFiles=' made/slurm/gres.conf)" = 2 ] || { fail 'not one line for each device'; cat made/slurm/gres.conf; }
grep -q 'Type=a100 File=/dev/nvidia0 ' made/slurm/gres.conf || { fail 'the GPU that is whole is not taken'; cat made/slurm/gres.conf; }

# More than there are: their files do not exist, and slurmd would wait for them.
spec '{type: 2g.10gb, count: 3}'
run 1 build cluster.yaml -o none
in_out "SPEC028"
in_out "3 MIG devices '2g.10gb', and captures tell the files of 2, expected 'autodetect: nvml'"
in_out 'SPEC028'
[ "$(grep -cE '^(error|warning)' out)" = 1 ] || { fail 'one fault is told twice'; cat out; }
[ ! -e none/slurm/gres.conf ] || fail 'a file is written all the same'
spec '{type: 1g.5gb, count: 9}' 'autodetect: nvml'
run 0 build cluster.yaml -o found
grep -q 'NodeName=a-\[1-2\] AutoDetect=nvml' found/slurm/gres.conf || { fail 'slurmd does not look for them'; cat found/slurm/gres.conf; }

done_testing
