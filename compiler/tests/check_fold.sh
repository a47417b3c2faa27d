#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One fault in many places: up to 16 places are a finding each, more are one finding with all nodes.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

# twice COUNT: as many nodes, no two beside each other, defined a second time each.
twice() {
    mkdir "$1"
    sound_conf "$1"
    awk -v count="$1" 'BEGIN {
        for (pass = 0; pass < 2; pass++)
            for (i = 1; i <= count; i++)
                printf "NodeName=x%d CPUs=%d\n", 2 * i, pass + 1
    }' >>"$1/slurm.conf"
}

# findings CODE: how many the last run showed.
findings() { grep -cF "[$1]" out; }

twice 16
run 1 check 16
[ "$(findings NODE001)" = 16 ] || fail "16 nodes are $(findings NODE001) findings, expected 16"
in_out "node 'x32' is defined twice"
twice 17
run 1 check 17
[ "$(findings NODE001)" = 1 ] || fail "17 nodes are $(findings NODE001) findings, expected 1"
in_out "nodes 'x[2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34]' are defined twice"

done_testing
