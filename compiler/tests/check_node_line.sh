#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The derived node line in every release: sockets that make the cores of a GPU whole ones, with the parameter that makes slurmd
# count so, memory with headroom, and what a specification keeps for the system. What `plumb topo` prints is the same.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "FAILED: $*" >&2; exit 1; }

# spec NAME TOPOLOGY RESERVE
spec() {
    printf 'plumb: 1\ncluster: c\ncontrol: {hosts: [head]}\nnodes:\n  g:\n    hosts: g[1-2]\n    topology: %s\n    gres: {gpu: {}}\n%s' \
        "$2" "${3:+    reserve: $3
}" >"$1.yaml"
    printf 'partitions:\n  all: {nodes: all, default: true}\n' >>"$1.yaml"
}

# built NAME RELEASE: prints the node line, and SlurmdParameters.
built() {
    rm -rf out
    "$PLUMB" build "$1.yaml" --slurm "$2" -o out >log 2>&1 || { cat log >&2; fail "$1 for $2 is not built"; }
    grep -hE '^(NodeName|SlurmdParameters)=' out/slurm/slurm.conf
}

# has LINES WORD...: each is a word of them.
has() {
    local lines=$1 word
    shift
    for word in "$@"; do
        grep -qE "(^| )$word( |\$)" <<<"$lines" || fail "$release: no '$word' in: $lines"
    done
}

topo_memory() { "$PLUMB" topo "$1" --format json | sed -n 's/.*"real_memory_mib": \([0-9]*\).*/\1/p' | head -1; }

machines=$PLUMB_SOURCE/testdata/machines
spec nps4 dgx-a100 '{cores: 2, memory: 8 GiB}'
spec listed dgx-a100 '{cores: [0, 64], memory: 8 GiB}'
spec snc4 "$machines/xeon-snc4"
spec whole dgx-h100
for file in "$PLUMB_SOURCE"/schema/slurm/2*.yaml; do
    release=$(basename "$file" .yaml)
    case $release in
    25.11 | 26.*) word=Parameters=numa_node_as_socket ;; # a parameter of the node line from there on
    *) word=SlurmdParameters=numa_node_as_socket ;;
    esac
    lines=$(built nps4 "$release")
    has "$lines" Sockets=8 CoresPerSocket=16 ThreadsPerCore=2 "$word" CoreSpecCount=2 MemSpecLimit=8192 \
        "RealMemory=$(topo_memory dgx-a100)"
    lines=$(built listed "$release")
    has "$lines" Sockets=8 CoresPerSocket=16 "$word" CPUSpecList=0-1,128-129 MemSpecLimit=8192
    lines=$(built snc4 "$release")
    has "$lines" "$word" "RealMemory=$(topo_memory "$machines/xeon-snc4")"
    lines=$(built whole "$release")
    has "$lines" Sockets=2 CoresPerSocket=56
    ! grep -q as_socket <<<"$lines" || fail "$release: sockets of dgx-h100 are packages: $lines"
done

# What is derived leaves headroom: it is no finding that a person who copies the line of `plumb topo` gets.
"$PLUMB" topo dgx-a100 >topo.txt
grep -q "RealMemory=$(topo_memory dgx-a100)\$" topo.txt || fail 'plumb topo prints other memory than it tells programs'
grep -q 'CPUSpecList=0-1,128-129$' topo.txt || fail 'plumb topo does not tell the first core of each package'
grep -q "Slurm's cores 0,64, CPUs 0,64,128,192 of the system" topo.txt || fail 'plumb topo does not tell their other numbers'
