#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Thousands of findings on one line of many kilobytes: each shows the line around it, with its column
# in characters, and all of them together take about as long as on lines of their own.
# shellcheck source=compiler/tests/cli.sh
# shellcheck disable=SC2094 # the file read is slurm.conf, the one written is named after the format
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

export LC_ALL=C.UTF-8 # the shell counts characters

conf() {
    printf 'ClusterName=c\nSlurmctldHost=h\nSchedulerParameters=%s\nNodeName=n CPUs=1\nPartitionName=p Nodes=n\n' "$1" >slurm.conf
}

# 80,000 words, none of which is known. When each drew its whole line, this took minutes.
conf "$(seq -f 'w%05.0f' -s, 10000 89999)"
for format in human json sarif; do
    timeout 60 "$PLUMB" check -q --format "$format" slurm.conf >"$format" 2>errors
    [ $? -lt 2 ] || fail "$format of a line with 80,000 faults: exit code $?, $(head -c 300 errors)"
done
# The 5000th word begins behind "SchedulerParameters=" and 4999 words of seven characters.
has human "slurm.conf:3:$((21 + 7 * 4999))"
grep -A2 "slurm.conf:3:$((21 + 7 * 4999))\$" human >part
has part ',w14998,w14999,w15000,'
line=$(sed -n 2p part) marks=$(sed -n 3p part)
marks=${marks%%^*}
[ "${line:${#marks}:6}" = w14999 ] || fail "the marks are not under the word: $(cat part)"
[ "${#line}" -lt 120 ] || fail "a window of ${#line} characters"

# Columns count characters, however many bytes stand before them.
conf "bf_window_x=$(printf '%04000d' 0 | sed 's/0/é/g'),second"
"$PLUMB" check -q --format compact slurm.conf >compact
has compact "slurm.conf:3:$((20 + 12 + 4000 + 2))-$((20 + 12 + 4000 + 2 + 6))"
"$PLUMB" check -q slurm.conf >human
grep -A2 "slurm.conf:3:$((20 + 12 + 4000 + 2))\$" human >part
has part 'éé,second'
done_testing
