#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# drift: what a running cluster says against its source. What differs is a matter of the cases of DRIFT.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

mkdir -p etc live
cat >etc/slurm.conf <<'TEXT'
ClusterName=demo
SlurmctldHost=head
SlurmctldTimeout=300
NodeName=c[1-4] CPUs=32 RealMemory=64000
PartitionName=main Nodes=ALL Default=YES
TEXT
cat >live/config.txt <<'TEXT'
Configuration data as of 2026-12-01T10:00:00
SlurmctldTimeout        = 300 sec
SLURM_VERSION           = 24.11.5
TEXT
printf 'NODELIST CPUS MEMORY\nc[1-4] 32 64000\n' >live/sinfo.txt
printf 'a note\n' >live/README

# Nothing differs; what is no answer of a cluster in a folder is left alone.
run 0 drift etc live
[ ! -s out ] || fail 'nothing differs, and something is told'
run 0 drift etc live/config.txt live/sinfo.txt
run 0 drift -C etc . ../live/config.txt

# A difference is exit code 1, unless it is asked not to be; each is told with both places and what to do.
sed 's/300 sec/120 sec/' live/config.txt >old.txt
run 1 drift etc old.txt
in_out "warning[DRIFT010] setting-not-in-force: slurmctld has SlurmctldTimeout '120 sec', expected '300'"
in_out 'old.txt:2:27'
in_out 'etc/slurm.conf:3:18'
in_out 'a change of SlurmctldTimeout needs: reconfigure'
run 0 drift --fail-on error etc old.txt
run 0 drift --ignore DRIFT010 etc old.txt
run 1 drift --format sarif etc old.txt
in_out '"ruleId": "DRIFT010"'
run 1 drift --format json etc old.txt
in_out '"code": "DRIFT010"'

# Standard input, and a file that lies beside the source.
"$PLUMB" drift etc - <old.txt >out 2>err
[ $? = 1 ] || fail 'exit code of standard input'
in_out "slurmctld has SlurmctldTimeout '120 sec'"
cp old.txt etc/config.txt
run 1 drift etc etc/config.txt
in_out 'DRIFT010'
run 0 check etc
not_in_out DRIFT
rm etc/config.txt

# Faults of the source are told in one line; they are not what was asked for.
sed 's/SlurmctldTimeout=300/SlurmctldTimeout=soon/' etc/slurm.conf >bad.conf
mkdir bad && mv bad.conf bad/slurm.conf
run 0 drift --format compact bad live
in_out 'info[DRIFT001] the source has 1 error'
not_in_out CONF

# A specification; the release of the daemons counts where it has none.
cp -r "$PLUMB_SOURCE/testdata/examples/tiny" tiny
printf 'PartitionName=all Default=YES MaxTime=1-00:00:00 TotalNodes=4\n' >part.txt
run 1 drift tiny/cluster.yaml part.txt
in_out "partition 'all' has MaxTime '1-00:00:00'"
in_out 'tiny/cluster.yaml'

# Objects of Kubernetes: what target slinky makes of a specification, or the manifests themselves.
spec=$PLUMB_SOURCE/testdata/examples/slinky/cluster.yaml
"$PLUMB" build -q "$spec" -o made >/dev/null 2>&1 || fail 'the example of slinky is not built'
for f in made/kubernetes/[0-9]*.yaml; do echo ---; cat "$f"; done >objects.yaml
run 0 drift "$spec" objects.yaml
run 0 drift made/kubernetes objects.yaml
sed -e 's/replicas: 12/replicas: 11/' -e 's/ReturnToService=1/ReturnToService=2/' -e 's/Weight=100/Weight=7/' objects.yaml >changed.yaml
run 1 drift --format compact "$spec" changed.yaml
in_out "spec.replicas is '11', expected '12'"
in_out "line 3 of spec.extraConf is 'ReturnToService=2', expected 'ReturnToService=1'"
in_out "NodeSet 'slurm-worker-h100-training': spec.extraConf has 'Weight=7', expected 'Weight=100'"
[ "$(wc -l <out)" = 4 ] || fail 'more is told than what was changed'
[ ! -e "$PLUMB_SOURCE/testdata/examples/slinky/MANIFEST.json" ] || fail 'something was written'
printf 'NodeName=h100-training-0 CPUTot=224 State=IDLE+DYNAMIC_NORM\n' >pods.txt
run 1 drift "$spec" pods.txt
in_out DRIFT004
run 0 drift made/kubernetes pods.txt

# What cannot be compared is no silence.
run 3 drift etc live/README
in_err "'live/README' is nothing that a running cluster says"
run 3 drift etc nowhere
in_err "'nowhere' does not exist"
run 2 drift etc
in_err 'drift needs a source and what the cluster says'
run 2 drift
run 0 drift --help
in_out 'SOURCE LIVE...'

# Twice the same bytes.
run 1 drift --format json etc old.txt live/sinfo.txt
cp out first
run 1 drift --format json etc old.txt live/sinfo.txt
cmp -s out first || fail 'two runs differ'
done_testing
