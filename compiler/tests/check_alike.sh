#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Node lines that say the same are read as one. What is found must be what is found when every line
# is read by itself: here each gets its own number of blanks at its end, so that no two have the
# same text; and 'build' takes every line for itself, so that its findings stand at the same places.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

# nodes FROM TO STEP: three kinds of lines in turn, a rack in the middle, some without an address,
# some with the address last; every fifth has a weight that is none, every seventh a key misspelt.
nodes() {
    awk -v from="$1" -v to="$2" -v step="$3" 'BEGIN {
        for (i = from; i <= to; i += step) {
            kind = i % 3
            printf "%sNodeName=n%d%s", kind == 2 ? "  " : "", i, kind == 1 ? " " : " NodeAddr=10.0.0." i " "
            printf "CPUs=%d Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", kind == 0 ? 31 : 32
            printf " Feature=rack%d", int(i / 16)
            printf " %s=%s", i % 7 == 0 ? "RealMemroy" : "RealMemory", "64000"
            printf "%s Gres=gpu:h100:%d", i % 5 == 0 ? " Weight=heavy" : " Weight=1", kind + 1
            printf "%s%s\n", kind == 1 ? "\tNodeHostname=host" i : "", i % 4 == 0 ? " # here" : ""
        }
    }'
}

conf() {
    mkdir -p "$1"
    {
        printf 'ClusterName=c\nSlurmctldHost=ctl\nSelectType=select/cons_tres\nGresTypes=gpu\n'
        nodes 1 120 1
        echo 'NodeName=n121 CPUs=32 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 Weight=10x'
        nodes 40 42 1                # once more: these are defined twice
        echo 'NodeName=m[1-4] CPUs=4 NodeAddr=10.0.1.[1-3]'
        echo 'Include more.conf'
        echo 'NodeName=DEFAULT CPUs=31 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2'
        for i in 201 202 203; do echo "NodeName=n$i NodeAddr=h$i"; done
        echo 'NodeName=n204 NodeAddr=h204 NodeAddr=h205' # twice in one line
        echo 'NodeName=n206 NodeAddr=h206 NodeAddr=h207'
        printf 'NodeName=n208 CPUs=32\r\nNodeName=n209 CPUs=32\r\n'
        echo 'NodeName=n210 NodeAddr="h 210"'
        echo 'PartitionName=p Nodes=n[1-210],m[1-4] Default=YES'
    } >"$1/slurm.conf"
    nodes 300 340 2 >"$1/more.conf"
}

conf plain
conf blanks
for f in slurm.conf more.conf; do
    awk '{ cr = sub(/\r$/, ""); printf "%s%" NR "s%s\n", $0, "", cr ? "\r" : "" }' plain/$f >blanks/$f
done

for release in 22.05 24.11 26.05; do
    for folder in plain blanks; do
        (cd $folder && "$PLUMB" check --slurm $release --format json --fail-on never . >../$folder.json 2>../err) ||
            fail "check of $folder: $(cat err)"
    done
    # A fingerprint holds the text of the line, which does differ.
    diff <(grep -v '"fingerprint"' plain.json) <(grep -v '"fingerprint"' blanks.json) >odd ||
        fail "$release: blanks at the end of lines change the findings: $(head -20 odd)"
    (cd plain && "$PLUMB" check --slurm $release --format compact --fail-on never . >../compact 2>../err)
    (cd plain && "$PLUMB" build --slurm $release --format compact --fail-on never -o ../built . >../each 2>../err)
    # Code and place of each finding.
    sed -n 's/^\([^ ]*:[0-9]*:[0-9-]*\): .*\[\([A-Z]*[0-9]*\)\].*/\2 \1/p' compact | sort -u >folded
    sed -n 's/^\([^ ]*:[0-9]*:[0-9-]*\): .*\[\([A-Z]*[0-9]*\)\].*/\2 \1/p' each | sort -u >single
    [ -s folded ] || fail "no findings in: $(head -5 compact)"
    comm -23 folded single >odd
    [ ! -s odd ] || fail "$release: found only where lines are folded: $(cat odd)"
    cut -d' ' -f1 single | sort -u >codes
    cut -d' ' -f1 folded | sort -u | comm -3 - codes >odd
    [ ! -s odd ] || fail "$release: other rules when every line stands for itself: $(cat odd)"
done
# A place on a repeat that is counted: the kinds of 66,000 lines come in turn.
mkdir many
{
    printf 'ClusterName=c\nSlurmctldHost=ctl\n'
    awk 'BEGIN { for (i = 1; i <= 66000; i++) print "NodeName=n" i " CPUs=" 1 + i % 3 }'
    echo 'PartitionName=p Nodes=ALL Default=YES'
} >many/slurm.conf
(cd many && "$PLUMB" check --slurm 24.11 --format compact --fail-on never . >../compact 2>../err)
grep -q '^slurm.conf:65540:10-16: error\[NODE060\]' compact ||
    fail "node 65538 is not on line 65540: $(cat compact)"
done_testing
