#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Node lines that say the same are one to plumb. A finding on them tells how many more have it, once;
# one that names its nodes has told, and one about a name or an address is about that line alone.
# shellcheck source=compiler/tests/cli.sh
. "${PLUMB_SOURCE:?}/compiler/tests/cli.sh" || exit 1

# lines KEY=VALUE [BEFORE]: four node lines with the setting, and a line before them.
lines() {
    local i
    rm -rf site
    sound_conf site
    {
        [ $# = 1 ] || echo "$2"
        for i in 1 2 3 5; do echo "NodeName=x$i NodeAddr=10.0.0.$i CPUs=4 $1"; done
    } >>site/slurm.conf
    run "${want:-1}" check site
}
told() { grep -cF 'more NodeName line' out; }

want=0 lines Boards=0
in_out '[CONF011]'
in_out 'the same on 3 more NodeName lines, the last is here'
[ "$(told)" = 1 ] || fail "repeats are told $(told) times, expected once"

lines CPUSpecList=0-9
in_out "[NODE007]"
in_out "CPUSpecList of 'x[1-3,5]'"
[ "$(told)" = 0 ] || fail 'a finding that names its nodes tells of repeats'

lines Weight=2 'NodeName=x1 NodeAddr=10.0.1.1 CPUs=8'
in_out "node 'x1' is defined twice"
[ "$(told)" = 0 ] || fail 'a finding about one name is told of other lines'

done_testing
