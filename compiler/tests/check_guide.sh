#!/bin/bash
# The operations guide's own slurm.conf, gres.conf and slurmdbd.conf: every fault that the
# real daemons or the facts name is found at its line, and nothing else is at error level.
set -u
shared=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}
guide=$shared/guides/001_6d0659c089d88152.txt
if [ ! -f "$guide" ]; then
    echo "SKIPPED: no guide at $guide"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# part FILE HEADING FIRST LAST: the lines from FIRST up to LAST below a heading, LAST left out.
part() {
    awk -v heading="$2" -v first="$3" -v last="$4" '
        $0 == heading || index($0, heading) == 1 { below = 1 }
        below && index($0, first) == 1 { on = 1 }
        on && index($0, last) == 1 { exit }
        on' "$guide" >"$work/conf/$1"
}
mkdir "$work/conf"
part slurm.conf 'slurm.conf for GPU clusters' '# /etc/slurm/slurm.conf' 'Key decisions:'
part gres.conf 'gres.conf for H100' '# /etc/slurm/gres.conf' 'The diagram below'
part slurmdbd.conf 'slurmdbd.conf' '# /etc/slurm/slurmdbd.conf' 'Bootstrap the schema'
chmod 600 "$work/conf/slurmdbd.conf"

status=0
# judge RELEASE: standard input says what must be found, one "file:line severity RULE" a line.
judge() {
    "$PLUMB" check "$work/conf" --slurm "$1" --format compact -q >"$work/out"
    sed -nE 's|^.*/conf/([a-z.]+:[0-9]+):[^ ]* ([a-z]+)\[([A-Z]+[0-9]+)\].*|\1 \2 \3|p' "$work/out" | sort -u >"$work/found"
    sort -u >"$work/wanted"
    comm -23 "$work/wanted" "$work/found" | sed "s/^/$1: not found: /" >"$work/wrong"
    comm -13 "$work/wanted" "$work/found" | grep -v ' info ' | sed "s/^/$1: not a fault of the guide: /" >>"$work/wrong"
    if [ -s "$work/wrong" ]; then
        cat "$work/wrong"
        status=1
    fi
}
lines() { # FILE FIRST LAST REST: one row for each line
    local i
    for ((i = $2; i <= $3; i++)); do echo "$1:$i $4"; done
}

# SCHED012 stands in no list of the guide's faults, and is one: a job without --mem takes a node.
always='slurm.conf:14 error CONF003
slurm.conf:16 info CONF005
slurm.conf:29 error CONF002
slurm.conf:33 warning SCHED001
slurm.conf:52 warning NODE041
slurm.conf:55 error CONF002
slurm.conf:60 error JOB001
slurm.conf:67 warning SCHED012
gres.conf:17 warning GRES007
slurmdbd.conf:4 error ACCT016
slurmdbd.conf:20 error CONF001'

for release in 24.11 25.05 25.11 26.05; do
    judge $release < <(echo "$always"; lines gres.conf 7 14 'warning CONF021'; lines gres.conf 7 14 'error NUMA002')
done
# Before 24.11 a cut socket registers, and the GPUs get cores that are not theirs.
for release in 22.05 23.11 24.05; do
    judge $release < <(echo "$always"; lines gres.conf 7 14 'warning CONF021'; echo 'gres.conf:11 warning NUMA010')
done
[ $status = 0 ] && echo "every fault of the guide is found for seven releases"
exit $status
