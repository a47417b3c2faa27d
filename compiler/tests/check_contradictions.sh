#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Captures of two machines in one folder: each contradiction is told with both places, and no number
# that one of the captures contradicts is derived.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# name, sockets, cores of each, threads, GPUs, GPU 0 to GPU 5: the machines of check_references.sh.
machines='dgx-1v 2 20 2 8 SYS
dgx-h100 2 56 2 8 NV18
hgx-a100-4 1 64 2 4 -
gb200-nvl 2 72 1 4 -
l40s-pcie 2 32 2 8 SYS'

both_places() { # CODE: its finding names two files of the folder
    awk -v code="[$1]" 'index($0, code) { on = 1; next } on && /─ / { print $2, $3; n++ } on && /= see/ { exit }' err | sort -u >places
    [ "$(grep -c mixed/ places)" = 2 ] || { fail "$name and $other: $1 has no two places:"; cat err; }
}

while read -r name sockets cores threads gpus link; do
    while read -r other others other_cores other_threads other_gpus other_link; do
        [ "$name" != "$other" ] || continue

        # hwloc of one, slurmd -C of the other
        rm -rf mixed; mkdir mixed
        cp "$PLUMB_SOURCE/topologies/$name/hwloc.xml" mixed/
        printf 'NodeName=n1 CPUs=%d Boards=1 SocketsPerBoard=%d CoresPerSocket=%d ThreadsPerCore=%d RealMemory=64000 Gres=gpu:%d\nUpTime=1-00:00:00\n' \
            $((others * other_cores * other_threads)) "$others" "$other_cores" "$other_threads" "$other_gpus" >mixed/slurmd-C.txt
        run 1 topo mixed
        in_err 'error[HW026]'
        in_err 'warning[HW027]'
        both_places HW026
        both_places HW027
        not_in_out 'CoresPerSocket='
        not_in_out 'RealMemory='
        in_out 'No node line is derived: two captures disagree about the cores'
        run 1 topo --format json mixed
        in_out '"captures_disagree": true'
        not_in_out '"threads_per_core"'
        ! grep -qE '^    "memory_bytes"|"real_memory_mib"' out || { fail "$name and $other: memory is derived"; cat out; }
        run 1 topo --format gres mixed
        in_out '# mixed: nothing is derived: two captures disagree'
        not_in_out 'NodeName='
        not_in_out 'ThreadsPerCore'

        # hwloc of one, matrix of the other
        rm -rf mixed; mkdir mixed
        cp "$PLUMB_SOURCE/topologies/$name/hwloc.xml" "$PLUMB_SOURCE/topologies/$other/topo-m.txt" mixed/
        "$PLUMB" topo mixed >out 2>err
        if [ "$gpus" != "$other_gpus" ]; then
            in_err 'error[HW020]'
            both_places HW020
            in_out 'No gres.conf is derived: two captures disagree about the GPUs'
            not_in_out 'detected Cores='
        else
            grep -qE '\[(HW021|HW022)\]' err || { fail "$name and $other: places of GPUs are not told"; cat err; }
            # Their cores are nobody's. A list of 12 characters may be cut, and contradicts nothing.
            told=$(grep -cE '^error\[(HW021|HW022)\]' err)
            [ "$(grep -cE '^  [0-7] +- +unknown' out)" = "$told" ] || { fail "$name and $other: cores of contradicted GPUs"; cat out; }
        fi
        if [ "$name" = dgx-h100 ] && [ "$other_link" = SYS ]; then
            in_err 'warning[HW043]'
            both_places HW043
            not_in_out '-1,0'
        fi
    done <<<"$machines"
done <<<"$machines"
: "$sockets $cores $threads $link"

# A peer matrix of fewer GPUs.
rm -rf mixed; mkdir mixed
cp "$PLUMB_SOURCE/topologies/dgx-h100"/{hwloc.xml,topo-m.txt} mixed/
printf ' \tGPU0\tGPU1\t\n GPU0\tX\tOK\t\n GPU1\tOK\tX\t\n' >mixed/p2p-r.txt
run 0 topo mixed
in_err 'the peer matrix shows 2 GPUs, another capture of the same machine 8'
in_out 'No gres.conf is derived: two captures disagree about the GPUs'
not_in_out 'detected Cores='

# The same captures of one machine contradict each other nowhere.
for name in dgx-1v dgx-h100 l40s-pcie; do
    rm -rf mixed; mkdir mixed
    cp "$PLUMB_SOURCE/topologies/$name"/{hwloc.xml,topo-m.txt} mixed/
    run 0 topo mixed
    [ ! -s err ] || { fail "$name contradicts itself:"; cat err; }
done

done_testing
