#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Submission templates: each is taken by the cluster that it is made of, without a word; where it goes,
# what it says of accounts, QOS and features, and which are not made. CPUs of tasks are those that
# slurmd 22.05.8, 24.11.5 and 26.05.5 bound them to (.ci/daemons/derived).
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# taken SPEC FOLDER: every template of the folder, in one run.
taken() {
    "$PLUMB" check "$2"/jobs/*.sbatch --cluster "$1" --format compact -q >said 2>&1 || fail "$1: exit $?"
    [ ! -s said ] || fail "$1: $(cat said)"
}

count=0
for spec in "$PLUMB_SOURCE"/testdata/examples/*/cluster.yaml; do
    for release in 22.05 24.11 26.05; do
        "$PLUMB" build "$spec" --slurm $release --target jobs -q -o made >log 2>&1 || continue # it needs another release
        count=$((count + $(find made/jobs -type f | wc -l)))
        "$PLUMB" check made/jobs/*.sbatch --slurm $release --cluster "$spec" --format compact -q >said 2>&1
        [ ! -s said ] || fail "$spec, $release: $(cat said)"
        rm -rf made
    done
done
[ $count -gt 50 ] || fail "only $count templates were looked at"

# spec PARTITIONS [REST]: two classes of the same GPUs, one with four NUMA nodes a socket.
spec() {
    cat >cluster.yaml <<END
plumb: 1
cluster: c
slurm: "24.11"
control: {hosts: [head]}
nodes:
  a: {hosts: "a[1-4]", topology: dgx-a100, gres: {gpu: {type: a100}}, features: [dgx, ib]}
  h: {hosts: "h[1-2]", topology: dgx-h100, gres: {gpu: {type: h100}}, reserve: {cores: 2}, features: [ib]}
partitions:
$1
${2:-}
END
    rm -rf made
    run 0 build cluster.yaml --target jobs -q -o made
}

spec '  all: {nodes: all, max_time: 30 min}'
taken cluster.yaml made
# GPUs 2 and 3 are at the first NUMA node that has any.
has made/jobs/a-2gpu.sbatch '#SBATCH --cpus-per-task=16'
has made/jobs/a-2gpu.sbatch '#SBATCH --gres=gpu:a100:2'
has made/jobs/a-2gpu.sbatch '#   0: GPU 2, CPUs 16-23,144-151, NUMA 1'
has made/jobs/a-2gpu.sbatch '#   1: GPU 3, CPUs 24-31,152-159, NUMA 1'
has made/jobs/a-node.sbatch '#SBATCH --ntasks-per-node=8'
has made/jobs/a-multinode.sbatch '#SBATCH --nodes=2'
has made/jobs/a-1gpu.sbatch 'srun --cpus-per-task=16 --distribution=block:block --cpu-bind=cores --mem-bind=local "$@"'
# More than one: all are seen, in the order of the tasks.
has made/jobs/a-4gpu.sbatch 'srun --cpus-per-task=16 --distribution=block:block --cpu-bind=cores --mem-bind=local bash -c '"'"
# shellcheck disable=SC2016 # as the template has it
{
    has made/jobs/a-4gpu.sbatch 'IFS=, read -ra gpu <<<"$CUDA_VISIBLE_DEVICES"'
    has made/jobs/a-4gpu.sbatch 'export CUDA_VISIBLE_DEVICES=${gpu[2]},${gpu[3]},${gpu[0]},${gpu[1]}'
    has made/jobs/a-4gpu.sbatch 'export LOCAL_RANK=$SLURM_LOCALID RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS'
}
hasnt made/jobs/a-2gpu.sbatch 'read -ra'
hasnt made/jobs/h-node.sbatch 'read -ra'
has made/jobs/a-1gpu.sbatch '#SBATCH --time=00:30:00'
hasnt made/jobs/a-1gpu.sbatch '--account'
# A core of each socket is kept: 55 of 56 are divided by four.
has made/jobs/h-node.sbatch '#SBATCH --cpus-per-task=26'
has made/jobs/h-node.sbatch '#   3: GPU 3, CPUs 39-51,151-163, NUMA 0'
has made/jobs/h-node.sbatch '#   4: GPU 4, CPUs 56-68,168-180, NUMA 1'

# The default partition before others, one that is open before one that is not.
spec '  closed: {nodes: all, root_only: true}
  first: {nodes: all, max_time: 2 h}
  usual: {nodes: "a[1-4]", default: true, default_time: 2 h, max_time: 1 day}
  large: {nodes: all, min_nodes: 2}'
taken cluster.yaml made
has made/jobs/a-node.sbatch '#SBATCH --partition=usual'
has made/jobs/a-node.sbatch '#SBATCH --time=02:00:00'
has made/jobs/h-node.sbatch '#SBATCH --partition=first'
has made/jobs/h-node.sbatch '#SBATCH --time=01:00:00'

# Too few CPUs, nodes or GPUs for some of them.
spec '  part: {nodes: all, default: true, max_nodes: 1, max_cpus_per_node: 64}'
taken cluster.yaml made
[ -e made/jobs/a-4gpu.sbatch ] || fail 'none for 64 CPUs'
[ ! -e made/jobs/a-node.sbatch ] || fail 'more CPUs than the partition gives'
[ ! -e made/jobs/a-multinode.sbatch ] || fail 'more nodes than the partition gives'

# Whole nodes: right where the tasks take all cores of sockets with GPUs, as without a reservation. With one, task 4
# of the H100 was bound to cores 52-54 and 56-65 by slurmd of three releases.
spec '  part: {nodes: all, default: true, exclusive: node}'
if [ ! -e made/jobs/a-node.sbatch ] || [ -e made/jobs/a-2gpu.sbatch ]; then fail "whole nodes: $(ls made/jobs)"; fi
[ ! -e made/jobs/h-node.sbatch ] || fail 'three cores of a socket are left over, and the next task begins there'
sed -i 's/ reserve: {cores: 2},//' cluster.yaml
run 0 build cluster.yaml --target jobs -q -o made
taken cluster.yaml made
if [ ! -e made/jobs/h-node.sbatch ] || [ -e made/jobs/h-4gpu.sbatch ]; then fail "whole nodes: $(ls made/jobs)"; fi

# Accounts and QOS.
spec '  all: {nodes: all, max_time: 1 h, allow_accounts: [work, spare], allow_qos: [normal]}' 'accounting:
  accounts: {top: {}, spare: {parent: top}, work: {parent: top, users: [alice]}}'
taken cluster.yaml made
has made/jobs/a-node.sbatch '#SBATCH --account=work'
has made/jobs/a-node.sbatch '# your account, one of spare, work:'
has made/jobs/a-node.sbatch '#SBATCH --qos=normal'

# Two classes of the same GPUs: a feature tells them apart.
cat >cluster.yaml <<'END'
plumb: 1
cluster: c
control: {hosts: [head]}
nodes:
  old: {hosts: "a[1-2]", topology: dgx-h100, gres: {gpu: {type: h100}}, features: [ib, old]}
  new: {hosts: "b[1-2]", topology: dgx-h200, gres: {gpu: {type: h100}}, features: [ib, new]}
partitions: {all: {nodes: all, max_time: 1 h}}
END
"$PLUMB" build cluster.yaml --target jobs --force -q -o apart >log 2>&1
has apart/jobs/old-node.sbatch '#SBATCH --constraint=old'
has apart/jobs/new-node.sbatch '#SBATCH --constraint=new'

# Not made, and why: no task/affinity; sockets written by hand.
none() {
    in_out "'jobs/d-node.sbatch' is not made: $1"
    [ ! -e none/jobs ] || fail "a template is made: $1"
}
one() {
    cat >cluster.yaml <<END
plumb: 1
cluster: c
control: {hosts: [head]}
nodes: {d: {hosts: "d[1-2]", topology: dgx-h100, gres: {gpu: {type: h100}}, $1}}
partitions: {all: {nodes: all, max_time: 1 h}}
${2:-}
END
    run 0 build cluster.yaml --target jobs --force --format compact -o none
}
one 'weight: 1' 'overrides: {slurm.conf: {TaskPlugin: task/cgroup}}'
none 'TaskPlugin has no task/affinity'
one 'weight: 1' 'scheduling: {select: {resource: socket}}'
none 'SelectTypeParameters has no CR_Core or CR_Core_Memory'
one 'sockets: 1, cores_per_socket: 112'
none 'the node line counts sockets, cores or CPUs otherwise than the capture'
done_testing
