#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check --from: only what changes between two releases.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

# conf LINE...: a sound file with lines added.
conf() {
    sound_conf .
    printf '%s\n' "$@" >>slurm.conf
}

# Defaults that change, for what is not set.
conf
run 0 check --format human --from 22.05 --slurm 23.11 .
in_out "'SelectType' is not set, its default is 'select/linear' in 22.05, 'select/cons_tres' in 23.11"
in_out "write 'SelectType=select/linear' to keep what 22.05 does"
in_out "'PriorityType' is not set, its default is 'priority/basic' in 22.05"
in_out "'TreeWidth' is not set, its default is '50' in 22.05, '16' in 23.11"
in_out 'the default changed with 23.11'
not_in_out MpiDefault    # none before, unset now: the same
not_in_out TopologyPlugin
not_in_out GpuFreqDef    # there are no GPUs
not_in_out UnkillableStepTimeout
run 0 check --format compact --from 23.11 --slurm 24.05 .
[ ! -s out ] || fail 'nothing changes, and something is told'
conf 'SelectType=select/linear' 'PriorityType=priority/basic' 'TreeWidth=50'
run 0 check --format compact --select UPG --from 22.05 --slurm 23.11 .
[ ! -s out ] || fail 'what is set has no default'

# A default that depends on another key.
conf 'GresTypes=gpu' 'MessageTimeout=30'
run 0 check --format compact --select UPG001 --from 22.05 --slurm 23.11 .
in_out "'GpuFreqDef' is not set, its default is 'high,memory=high' in 22.05, none in 23.11"
run 0 check --format human --select UPG001 --from 23.11 --slurm 24.05 .
in_out "'UnkillableStepTimeout' is not set"
not_in_out "write 'Unk" # nothing keeps it without another complaint

# What appears, what was there before, what is gone.
conf 'GetEnvTimeout=3' 'Frobnicate=1' 'HealthCheckTimeout=9'
run 0 check --format compact --from 24.11 --slurm 25.05 .
in_out "slurm.conf:9:1-14: warning[CONF007] 'GetEnvTimeout'"
not_in_out Frobnicate
not_in_out HealthCheckTimeout
run 0 check --format compact --from 25.11 --slurm 26.05 .
in_out "slurm.conf:11:1-19: info[UPG003] no longer found in 26.05, CONF004 in 25.11: 'HealthCheckTimeout'"
not_in_out GetEnvTimeout
run 0 check --format compact --ignore UPG003 --from 25.11 --slurm 26.05 .
[ ! -s out ] || fail 'UPG003 was not asked for'
conf 'LaunchType=launch/slurm' 'JobCredentialPrivateKey=/k'
run 0 check --format compact --from 23.02 --slurm 23.11 .
in_out "'JobCredentialPrivateKey' has no effect any more"

# The same place, another effect; the same value, another meaning.
conf 'PrologFlags=DeferBatch' 'TaskPlugin=task/affinity,task/cgroup'
run 0 check --format compact --from 25.11 --slurm 26.05 .
in_out "slurm.conf:9:13-23: warning[UPG002] 'PrologFlags' means something else from 26.05 on"
not_in_out TaskPlugin
run 0 check --format compact --select UPG002 --from 22.05 --slurm 23.02 .
in_out "'TaskPlugin' means something else from 23.02 on"
conf 'GresTypes=gpu' 'AccountingStorageType=accounting_storage/slurmdbd' 'AccountingStorageTRES=gres/gpu'
run 0 check --format compact --select UPG002 --from 22.05 --slurm 23.02 .
in_out "'AccountingStorageTRES' means something else from 23.02 on: gres/gpumem"
conf 'LaunchParameters=mem_sort'
run 0 check --format compact --from 25.05 --slurm 25.11 .
in_out "'mem_sort' of 'LaunchParameters' had its last use in 25.05"
conf 'JobCompType=jobcomp/filetxt' 'MessageTimeout=60'
run 0 check --format compact --select UPG001 --from 22.05 --slurm 23.02 .
in_out "'JobCompLoc' is not set"
run 0 check --format compact --select UPG001 --from 23.11 --slurm 24.05 .
in_out "'UnkillableStepTimeout' is not set"
conf 'PrologFlags=Contain' 'TaskPlugin=task/affinity'
run 0 check --format compact --select UPG002 --from 22.05 --slurm 26.05 --fail-on never .
[ ! -s out ] || fail 'no meaning changed'

# How far the state goes.
conf
run 1 check --format compact --select UPG004 --from 22.05 --slurm 26.05 .
in_out '26.05 does not take over the state of 22.05, expected a stop at 23.11, 25.05 on the way'
run 0 check --format compact --select UPG004 --from 23.11 --slurm 25.05 .
run 1 check --format compact --select UPG004 --from 25.05 --slurm 24.11 .
in_out '24.11 reads no state or database of the newer 25.05'

# Silenced as any other finding; text from standard input; the newest release; no change at all.
conf '# plumb: ignore UPG002 -- tested' 'PrologFlags=DeferBatch'
run 0 check --format compact --from 25.11 .
[ ! -s out ] || fail 'a silenced finding is told'
in_err '1 silenced'
"$PLUMB" check - --as slurm.conf --from 24.11 --slurm 25.05 --format compact <<<'GetEnvTimeout=3' >out 2>err
in_out '<stdin>:1:1-14: warning[CONF007]'
conf
run 0 check --from 24.11.5 --slurm 24.11 .
in_err 'no findings'
run 2 check --from 21.08 .
in_err "--from does not take '21.08'"

# A specification goes the same way.
run 0 check --format compact --fail-on never --from 24.11 --slurm 25.05 "$PLUMB_SOURCE/testdata/examples/tiny/cluster.yaml"
done_testing
