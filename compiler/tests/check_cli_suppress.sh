#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Suppressions: they need a reason, bind to their place, and are missed when they are useless.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

# conf LINE...: a sound file with lines added.
conf() {
    sound_conf .
    printf '%s\n' "$@" >>slurm.conf
}

conf 'SlurmdTimout=300'
run 1 check slurm.conf
in_out CONF001
conf 'SlurmdTimout=300 # plumb: ignore CONF001 -- our own fork reads it'
run 0 check slurm.conf
not_in_out CONF001
in_err '1 silenced'
in_out 'slurmctld refused' # the daemon does not read the comment
conf '# plumb: ignore unknown-parameter -- our own fork reads it' 'SlurmdTimout=300'
run 0 check slurm.conf
conf '# plumb: ignore CONF001 -- our own fork reads it' '' '# another remark' 'SlurmdTimout=300'
run 0 check slurm.conf

# It binds to one entry.
conf '# plumb: ignore CONF001 -- our own fork reads it' 'SlurmdTimout=300' 'SlurmdTimeot=300'
run 1 check --format compact slurm.conf
in_out SlurmdTimeot
not_in_out SlurmdTimout
# shellcheck disable=SC1003
conf '# plumb: ignore CONF001 -- reason' 'NodeName=x CPUs=1 \' ' Nonsense=1'
run 0 check --select CONF001,IGN slurm.conf

# Without a reason, unknown, useless, unreadable: each is said.
conf 'SlurmdTimout=300 # plumb: ignore CONF001'
run 1 check --format compact slurm.conf
in_out 'IGN001'
in_out 'CONF001'
conf 'KillWait=30 # plumb: ignore CONF999 -- reason'
run 0 check --format compact slurm.conf
in_out 'IGN002'
conf 'KillWait=30 # plumb: ignore CONF001 -- reason'
run 0 check --format compact --fail-on error slurm.conf
in_out "warning[IGN003] suppression of 'CONF001' silences nothing"
conf 'KillWait=30 # plumb: ingore CONF001 -- reason'
run 0 check --format compact slurm.conf
in_out 'IGN005'

# A date ends it: today is 2026-01-01.
conf 'SlurmdTimout=300 # plumb: ignore CONF001 until=2026-01-02 -- reason'
run 0 check slurm.conf
conf 'SlurmdTimout=300 # plumb: ignore CONF001 until=2026-01-01 -- reason'
run 1 check --format compact slurm.conf
in_out 'IGN004'
in_out 'CONF001'
conf 'SlurmdTimout=300 # plumb: ignore CONF001 until=soon -- reason'
run 1 check --format compact slurm.conf
in_out "IGN005] 'soon' is no date"

# In a specification a comment covers the entry that begins on its line and what is below it.
# spec NODES REST: a cluster whose GPU count is wrong.
spec() {
    printf '%s\n' 'plumb: 1' 'cluster: demo' 'slurm: "24.11"' 'control: {hosts: ctl}' 'nodes:' \
        "$1" '    hosts: gpu-[01-04]' '    topology: dgx-h100' '    memory: 2000000 MB' \
        "    gres: {gpu: {type: h100, count: 9}}${2:-}" 'partitions:' \
        '  main: {nodes: all, default: true, max_time: 7 days}' "${3:-}" >cluster.yaml
}

spec '  gpu:'
run 1 check cluster.yaml
in_out 'GRES003'
spec '  gpu:' ' # plumb: ignore GRES003 -- one is spare'
run 0 check cluster.yaml
run 0 build -o tree # an accepted error does not stop a build
spec '  gpu: # plumb: ignore gpu-count -- one is spare'
run 0 check cluster.yaml
spec "$(printf '  # plumb: ignore GRES003 -- one is spare\n  gpu:')"
run 0 check cluster.yaml
spec '  gpu:' '' '# plumb: ignore GRES003 -- at the wrong place'
run 1 check --format compact cluster.yaml
in_out 'IGN003'
spec '  gpu:' '' 'ignore: [{rule: GRES003, reason: one is spare}]'
run 0 check cluster.yaml
in_err '1 silenced'
spec '  gpu:' '' 'ignore: [{rule: GRES003, reason: one is spare, until: 2026-01-01}]'
run 1 check --format compact cluster.yaml
in_out 'IGN004'
spec '  gpu:' '' 'ignore: [{rule: gpu-cuont, reason: one is spare}]'
run 1 check --format compact cluster.yaml
in_out "IGN002] there is no rule 'gpu-cuont', did you mean 'gpu-count'?"

# Files in YAML, plugstack.conf with what it includes, and job scripts have them as well.
mkdir cluster
(cd cluster && sound_conf .)
printf '%s\n' '- topology: a' '  colour: red' '  flat: true' >cluster/topology.yaml
run 0 check --slurm 26.05 --format compact cluster
in_out 'CONF001'
printf '%s\n' '- topology: a' '  colour: red # plumb: ignore CONF001 -- our patch reads it' \
    '  flat: true' >cluster/topology.yaml
run 0 check --slurm 26.05 --format compact cluster
not_in_out 'CONF001'
in_err '1 silenced'
printf '%s\n' 'requried a.so' >cluster/plugstack.conf
run 1 check --format compact --slurm 26.05 cluster
in_out 'CONF053'
printf '%s\n' '# plumb: ignore CONF053 -- filled in when installed' 'requried a.so' >cluster/plugstack.conf
run 0 check --format compact --slurm 26.05 cluster
not_in_out 'CONF053'
printf '%s\n' '#!/bin/bash' '#SBTACH -n 4' 'srun true' >job.sh
run 0 check --format compact job.sh
in_out 'JOB059'
printf '%s\n' '#!/bin/bash' '#SBTACH -n 4 # plumb: ignore JOB059 -- read by our wrapper' 'srun true' >job.sh
run 0 check --format compact job.sh
not_in_out 'JOB059'
printf '%s\n' '#!/bin/bash' '# plumb: ignore JOB059 -- read by our wrapper' '#SBTACH -n 4' 'srun true' >job.sh
run 0 check --format compact job.sh
not_in_out 'JOB059'
done_testing
