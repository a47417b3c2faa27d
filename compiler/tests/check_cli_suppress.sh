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
done_testing
