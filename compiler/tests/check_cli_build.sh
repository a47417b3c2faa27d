#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plumb build: all files or none, and what is left alone.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

# spec MAXTIME: a small cluster on a built-in reference machine.
spec() {
    cat >cluster.yaml <<TEXT
plumb: 1
cluster: demo
slurm: "24.11"
control: {hosts: ctl}
nodes:
  gpu:
    hosts: gpu-[01-04]
    topology: dgx-h100
    memory: 2000000 MB
    gres: {gpu: {type: h100, count: 8}}
partitions:
  main: {nodes: all, default: true, max_time: $1}
TEXT
}

spec '7 days'
run 0 build -o tree
in_err "files in 'tree', "
in_err " of them changed now"
run 0 build -o tree
in_err "files in 'tree' are up to date"
for file in MANIFEST.json slurm/slurm.conf slurm/gres.conf slurm/cgroup.conf; do
    [ -s "tree/$file" ] || fail "tree/$file was not made"
done
grep -q '^NodeName=gpu-\[01-04\]' tree/slurm/slurm.conf || { fail 'no node line'; cat tree/slurm/slurm.conf; }

# What did not change is not touched, and the same input gives the same bytes.
touch -d 2000-01-01 tree/slurm/slurm.conf
run 0 build -o tree
[ "$(stat -c %Y tree/slurm/slurm.conf)" = "$(date -d 2000-01-01 +%s)" ] || fail 'an unchanged file was rewritten'
mkdir -p elsewhere
cp cluster.yaml elsewhere
run 0 build -C elsewhere -o tree
diff -r tree elsewhere/tree || fail 'another folder gives other bytes'

# --check tells apart what has happened.
run 0 build -o tree --check
in_err "'tree' is up to date"
echo '# by hand' >>tree/slurm/gres.conf
spec '8 days'
rm tree/slurm/cgroup.conf
cp -r tree before
run 1 build -o tree --check
in_err 'stale: tree/slurm/slurm.conf'
in_err 'edited: tree/slurm/gres.conf'
in_err 'missing: tree/slurm/cgroup.conf'
diff -r before tree || fail '--check wrote something'
run 1 build -o nothing --check
[ ! -e nothing ] || fail '--check made a folder'

# Errors stop it: nothing is written, the old tree stays.
printf 'nodess: {}\n' >>cluster.yaml
run 1 build -o tree
in_out 'SPEC'
in_err 'nothing was written'
diff -r before tree || fail 'a build with errors wrote something'

# The output tree is no input of its own.
spec '7 days'
rm -rf tree before elsewhere
run 0 build -o tree
run 0 check .
run 0 build -o only --target nccl
[ ! -e only/slurm ] || fail '--target nccl made slurm files'

# A file in the way that plumb has not written.
mkdir -p own/slurm
echo 'ClusterName=mine' >own/slurm/slurm.conf
run 4 build -o own
in_err 'was not written by plumb and is left alone'
grep -q mine own/slurm/slurm.conf || fail 'a foreign file was replaced'
run 0 build -o own --overwrite

# What was made is sound for the same program.
run 0 check tree/slurm
in_out 'slurmctld accepted'

run 3 build nowhere.yaml -o tree
in_err "'nowhere.yaml' does not exist"
done_testing
