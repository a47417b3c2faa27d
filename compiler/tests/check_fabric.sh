#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plumb topo over captures of fabrics: the groups are those that hosts with the same leaves make, and what is written is
# what plumb check takes.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# record SWITCH PEER...: a switch with its links; a peer with a dot is an adapter of a host.
record() {
    local name=$1 port=1 peer
    shift
    printf 'Switch\t65 "S-%s"\t\t# "MF0;%s:MQM9701/U1" enhanced port 0 lid 1 lmc 0\n' "$name" "$name"
    for peer; do
        case $peer in
        *.*) printf '[%d]\t"H-%s"[1](1) \t\t# "%s HCA-%s" lid 9 4xNDR\n' $port "$peer" "${peer%.*}" "${peer#*.}" ;;
        *) printf '[%d]\t"S-%s"[1]\t\t# "MF0;%s:MQM9701/U1" lid 1 4xNDR\n' $port "$peer" "$peer" ;;
        esac
        port=$((port + 1))
    done
    echo
}

# Three levels, two rails: two units in each of two pods, with spines of their own and cores above both.
{
    record leaf-a1 n1.1 n2.1 spine-a1 spine-a2
    record leaf-a2 n1.2 n2.2 spine-a1 spine-a2
    record leaf-a3 n3.1 n4.1 spine-a1 spine-a2
    record leaf-a4 n3.2 n4.2 spine-a1 spine-a2
    record leaf-b1 n5.1 n6.1 spine-b1 spine-b2
    record leaf-b2 n5.2 n6.2 spine-b1 spine-b2
    record leaf-b3 n7.1 n8.1 spine-b1 spine-b2
    record leaf-b4 n7.2 n8.2 spine-b1 spine-b2
    for spine in spine-a1 spine-a2 spine-b1 spine-b2; do record $spine core1 core2; done
    record core1
    record core2
} >three
cat >three.want <<'END'
SwitchName=leaf-a1 Nodes=n[1-2]
SwitchName=leaf-a3 Nodes=n[3-4]
SwitchName=leaf-b1 Nodes=n[5-6]
SwitchName=leaf-b3 Nodes=n[7-8]
SwitchName=spine-a1 Switches=leaf-a1,leaf-a3
SwitchName=spine-b1 Switches=leaf-b1,leaf-b3
SwitchName=core1 Switches=spine-a1,spine-b1
END
# Two fabrics; one of them a switch alone.
{
    record left n1.1 n2.1
    record right n3.1 login.1 up
    record right2 n4.1 up
} >parts
cat >parts.want <<'END'
SwitchName=left Nodes=n[1-2]
SwitchName=right Nodes=login,n3
SwitchName=right2 Nodes=n4
SwitchName=up Switches=right,right2
END
for name in three parts; do
    "$PLUMB" topo --format topology.conf "$name" >"$name.conf" 2>"$name.log" || fail "$name: $(cat "$name.log")"
    grep -v '^#' "$name.conf" | diff "$name.want" - || fail "$name: other groups"
    mkdir -p "set-$name" "yaml-$name"
    cp "$name.conf" "set-$name/topology.conf"
    cp "$name" "set-$name/ibnetdiscover.txt"
    "$PLUMB" check --format compact "set-$name" >check.log 2>&1 || fail "$name: plumb check: $(cat check.log)"
    grep -q TOPO05 check.log && fail "$name: $(cat check.log)"
    "$PLUMB" topo --format topology.yaml "$name" >"yaml-$name/topology.yaml" 2>/dev/null || fail "$name: no yaml"
    cp "$name" "yaml-$name/ibnetdiscover.txt"
    "$PLUMB" check --slurm 25.05 --format compact "yaml-$name" >check.log 2>&1 || fail "$name: plumb check of yaml: $(cat check.log)"
done
grep -q '^# 2 parts of the fabric are not connected' parts.conf || fail "parts: it does not say that they are not connected"

# Blocks: leaves below one spine are neighbours, wherever they stand in the capture; a leaf with a spine of its own is in
# its place too. The smallest block is the base.
{
    record leaf1 n1.1 n2.1 spine1
    record leaf2 n3.1 n4.1 n5.1 spine2
    record lone n12.1 n13.1 spine3
    record leaf3 n6.1 n7.1 spine1
    record leaf4 n8.1 n9.1 spine2
    record leaf5 n10.1 n11.1 spine2
    record spine1 core
    record spine2 core
    record spine3 core
    record core
} >blocks
cat >blocks.want <<'END'
BlockName=leaf1 Nodes=n[1-2]
BlockName=leaf3 Nodes=n[6-7]
BlockName=leaf2 Nodes=n[3-5]
BlockName=leaf4 Nodes=n[8-9]
BlockName=leaf5 Nodes=n[10-11]
BlockName=lone Nodes=n[12-13]
BlockSizes=2,4,8
END
"$PLUMB" topo --topology block --format topology.conf blocks >blocks.conf 2>blocks.log || fail "blocks: $(cat blocks.log)"
grep -v '^#' blocks.conf | diff blocks.want - || fail "blocks: other blocks"
"$PLUMB" topo --topology block --slurm 23.11 --format topology.conf blocks | grep -v '^#' | diff <(grep -v BlockSizes blocks.want) - ||
    fail "blocks: 23.11 does not know BlockSizes"
mkdir -p set-blocks yaml-blocks
cp blocks.conf set-blocks/topology.conf
"$PLUMB" topo --topology block --format topology.yaml blocks >yaml-blocks/topology.yaml || fail "blocks: no yaml"
for set in set-blocks yaml-blocks; do
    cp blocks "$set/ibnetdiscover.txt"
    for release in 25.05 26.05; do
        "$PLUMB" check --slurm "$release" --format compact "$set" >check.log 2>&1 || fail "$set, $release: $(cat check.log)"
    done
done
"$PLUMB" topo --topology block --slurm 22.05 --format topology.conf blocks >none 2>log && fail "22.05 has blocks"
grep -q 'Slurm 22.05 has no topology/block' log || fail "22.05: $(cat log)"
[ ! -s none ] || fail 'a file is written all the same'
"$PLUMB" topo --slurm 24.11 --format topology.yaml blocks >none 2>log && fail "24.11 has topology.yaml"
grep -q 'Slurm 24.11 reads no topology.yaml' log || fail "24.11: $(cat log)"
[ ! -s none ] || fail 'a file is written all the same'

# Topology files as each other: what both can hold is carried over, there and back.
mkdir -p conf
cat >conf/tree.want <<'END'
SwitchName=leaf1 Nodes=n[1-2]
SwitchName=leaf2 Nodes=n[3-4]
SwitchName=spine Switches=leaf[1-2]
END
cat >conf/block.want <<'END'
BlockName=b1 Nodes=n[1-2]
BlockName=b2 Nodes=n[3-4]
BlockSizes=2,4
END
for kind in tree block; do
    mkdir -p "conf/$kind" "conf/$kind-yaml" "conf/$kind-back"
    cp "conf/$kind.want" "conf/$kind/topology.conf"
    "$PLUMB" topo --format topology.yaml "conf/$kind/topology.conf" >"conf/$kind-yaml/topology.yaml" 2>log ||
        fail "$kind as yaml: $(cat log)"
    "$PLUMB" check --format compact "conf/$kind-yaml/topology.yaml" >check.log 2>&1 || fail "$kind as yaml: $(cat check.log)"
    "$PLUMB" topo --format topology.conf "conf/$kind-yaml/topology.yaml" >"conf/$kind-back/topology.conf" 2>log ||
        fail "$kind back: $(cat log)"
    grep -v '^#' "conf/$kind-back/topology.conf" | diff "conf/$kind.want" - || fail "$kind: not the same there and back"
    "$PLUMB" topo --format svg "conf/$kind/topology.conf" 2>log | grep -q '<svg' || fail "no picture of $kind"
done
grep -q 'children: "\?leaf\[1-2\]' conf/tree-yaml/topology.yaml || fail 'no switches below the spine'
[ "$(grep -c '^ *- [24]$' conf/block-yaml/topology.yaml)" = 2 ] || fail 'the sizes of blocks are lost'

# Two kinds in one file: topology.yaml holds both, topology.conf the one that is asked for.
mkdir -p conf/two && cat conf/tree.want conf/block.want >conf/two/topology.conf
mkdir -p conf/two-yaml && "$PLUMB" topo --format topology.yaml conf/two/topology.conf >conf/two-yaml/topology.yaml 2>/dev/null
[ "$(grep -c '^- topology: ' conf/two-yaml/topology.yaml)" = 2 ] || fail 'two topologies'
"$PLUMB" topo --topology block --format topology.conf conf/two-yaml/topology.yaml 2>/dev/null | grep -v '^#' | diff conf/block.want - ||
    fail 'the blocks of two topologies'

# refused FILE FORMAT TEXT: nothing is made, and why is told with its place and the way out.
refused() {
    "$PLUMB" topo --format "$2" "$1" >none 2>log && fail "$1 as $2 is taken"
    grep -qF "$3" log || fail "$1 as $2: $(cat log)"
    [ ! -s none ] || fail "$1 as $2: something is written all the same"
}
refused conf/two-yaml/topology.yaml topology.conf "'conf/two-yaml/topology.yaml:1:1': the file has 2 topologies, and topology.conf holds one: choose with --topology"
refused conf/tree-yaml/topology.yaml topology.yaml "'conf/tree-yaml/topology.yaml:1:1': it is topology.yaml already"
refused conf/tree/topology.conf spec "'conf/tree/topology.conf:1:1' begins topology.conf, expected a capture of a machine, or --format svg"
refused conf/tree/topology.conf json "'conf/tree/topology.conf:1:1' begins topology.conf"
refused three json 'the captures are of a fabric, expected a capture of a machine'
echo 'SlurmctldHost=head' >slurm.conf
refused slurm.conf svg "'slurm.conf:1:1' begins no capture, expected one of a machine or a fabric; 'plumb check' reads configuration"
printf '0x0002c903001e0f40 "leaf1"\n0x0002c903001e0f41 "leaf2"\n' >guids
"$PLUMB" topo --format svg guids >none 2>log && fail 'GUIDs are drawn'
grep -qF "'guids:1:1' begins a list of GUIDs, which tells no cables, expected what ibnetdiscover prints" log || fail "GUIDs: $(cat log)"

# The real fabric: hosts by the set of their leaves, counted by awk.
real=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}/corpus/topologies/ib/ibnetdiscover-superpod-ndr.out
if [ ! -r "$real" ]; then
    echo "skipped: no capture at $real"
    done_testing
fi
awk '
    /^Switch/ { match($0, /"MF0;[^:]*/); leaf = substr($0, RSTART + 5, RLENGTH - 5); next }
    /^(Ca|Hca)/ { leaf = ""; next }
    leaf != "" && /"H-/ && match($0, /# "gpu[0-9]+ /) { host = substr($0, RSTART + 3, RLENGTH - 4); if (!seen[host, leaf]++) sets[host] = sets[host] " " leaf }
    END { for (host in sets) { split(sets[host], first, " "); print first[1], host } }' "$real" | sort >expected
"$PLUMB" topo --format topology.conf "$real" 2>/dev/null >real.conf || fail "the real fabric is refused"
sed -n 's/^SwitchName=\([^ ]*\) Nodes=/\1 /p' real.conf | while read -r name hosts; do
    "$PLUMB" hosts expand "$hosts" | grep -o 'gpu[0-9]*' | sed "s/^/$name /"
done | sort >got
[ "$(wc -l <got)" = 119 ] || fail "the real fabric has 119 named GPU nodes, not $(wc -l <got)"
diff expected got >/dev/null || fail "the real fabric: other groups: $(diff expected got | head -5)"
[ "$(grep -c Switches= real.conf)" = 1 ] || fail "the real fabric has one root"
done_testing
