#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The fabric from what others have found out: labels of Node objects, models of topograph, cliques of nvidia-smi.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# node NAME LABEL=VALUE...: an item of a list of Node objects.
node() {
    printf -- '- apiVersion: v1\n  kind: Node\n  metadata:\n    name: %s\n    labels:\n      kubernetes.io/os: linux\n' "$1"
    shift
    printf '      %s\n' "${@/=/: }"
}
list() { printf 'apiVersion: v1\nkind: List\nitems:\n'; }

# labels WANT-NAME TIER0 TIER1 TIER2 DOMAIN: the same fabric in the labels of one writer.
labels() {
    list
    node a1.example.org "$1=l1" "$2=s1" "$3=c1" "$4=d1"
    node b1 "$1=l3" "$2=s2" "$3=c1" "$4=d2"
    node a2.example.org "$1=l1" "$2=s1" "$3=c1" "$4=d1"
    node a3.example.org "$1=l2" "$2=s1" "$3=c1" "$4=d3"
    node control
}
cat >tree.want <<'END'
SwitchName=l1 Nodes=a[1-2]
SwitchName=l2 Nodes=a3
SwitchName=l3 Nodes=b1
SwitchName=s1 Switches=l1,l2
SwitchName=s2 Switches=l3
SwitchName=c1 Switches=s1,s2
END
cat >block.want <<'END'
BlockName=d1 Nodes=a[1-2]
BlockName=d3 Nodes=a3
BlockName=d2 Nodes=b1
BlockSizes=1,2
END
old=network.topology.nvidia.com older=network.topology.kubernetes.io ours=topologyconf.slurm.nebius.ai sunk=ib.coreweave.cloud
new=fabric.topograph.run
while read -r name tier0 tier1 tier2 domain; do
    labels "$tier0" "$tier1" "$tier2" "$domain" >"$name.yaml"
    for kind in tree block; do
        "$PLUMB" topo --topology $kind --format topology.conf "$name.yaml" 2>log | grep -v '^#' | diff $kind.want - ||
            fail "labels $name, $kind: $(cat log)"
    done
    [ ! -s log ] || fail "labels $name: $(cat log)"
done <<END
topograph $new/tier-0 $new/tier-1 $new/tier-2 accelerator.topograph.run/domain
xclr $old/tier-0 $old/tier-1 $old/tier-2 xclr.topology.nvidia.com/domain
leaf $old/leaf $old/spine $old/core $old/accelerator
datacenter $old/block $old/spine $old/datacenter $old/accelerator
kubernetes $older/block $older/spine $older/datacenter $older/accelerator
soperator $ours/tier-1 $ours/tier-2 $ours/tier-3 $ours/tier-0
sunk $sunk/leafgroup $sunk/superpod $sunk/fabric ds.coreweave.com/nvlink.domain
clique $new/tier-0 $new/tier-1 $new/tier-2 nvidia.com/gpu.clique
END

# Two ways up from one leaf: that of the first counts, and nothing of the other is a switch.
{ list; node n1 $new/tier-0=l1 $new/tier-1=s1 $new/tier-2=c1; node n2 $new/tier-0=l1 $new/tier-1=s2 $new/tier-2=c1; } >two.yaml
"$PLUMB" topo --format topology.conf two.yaml 2>log | grep -v '^#' >found
printf 'SwitchName=%s\n' 'l1 Nodes=n[1-2]' 's1 Switches=l1' 'c1 Switches=s1' | diff - found || fail "two ways up: $(cat log)"
grep -qF "'s2' is above switch 'l1' here, expected 's1' as before" log || fail "two ways up are not told: $(cat log)"

# Domains alone: blocks, and no tree.
{ list; node n1 nvidia.com/gpu.clique=u.1; node n2 nvidia.com/gpu.clique=u.1; } >domains.yaml
"$PLUMB" topo --format topology.conf domains.yaml | grep -q '^BlockName=u.1 Nodes=n\[1-2\]$' || fail "domains make no block"
"$PLUMB" topo --topology tree --format topology.conf domains.yaml >none 2>log && fail "domains make a tree"
grep -q 'NVLink domains, and of no switch' log || fail "domains: $(cat log)"
[ ! -s none ] || fail 'a file is written all the same'

# A model: annotations and ways up are inherited, nodes at a switch with switches get a leaf of their own.
cat >model.yaml <<'END'
switches:
  core: {switches: [s1, s2]}
  s1:
    switches: [l1]
    annotations: {accelerator.topology.test/domain: d1}
blocks:
- switch: s2
  nodes: ["m[1-2]"]
- switch: l1
  nodes: ["n[1-2]", n5]
- switch: s1
  nodes: [n9]
  annotations: {accelerator.topology.test/domain: d9}
END
cat >model.want <<'END'
SwitchName=s1-nodes Nodes=n9
SwitchName=l1 Nodes=n[1-2,5]
SwitchName=s2 Nodes=m[1-2]
SwitchName=s1 Switches=s1-nodes,l1
SwitchName=core Switches=s2,s1
END
"$PLUMB" topo --topology tree --format topology.conf model.yaml 2>log | grep -v '^#' | sort >got
sort model.want | diff - got || fail "model: other switches $(cat log)"
"$PLUMB" topo --topology block --format topology.conf model.yaml | grep -v '^#' |
    diff <(printf 'BlockName=d9 Nodes=n9\nBlockName=d1 Nodes=n[1-2,5]\nBlockSizes=1,2\n') - || fail "model: other blocks"

# nvidia-smi beside the cables: the tree is that of the cables, blocks are cliques.
smi() { # FOLDER CLUSTER CLIQUE
    mkdir -p "fleet/$1"
    printf '<nvidia_smi_log><gpu id="00000000:17:00.0"><product_name>GB200</product_name><fabric><state>Completed</state><cliqueId>%s</cliqueId><clusterUuid>%s</clusterUuid></fabric></gpu></nvidia_smi_log>\n' \
        "$3" "$2" >"fleet/$1/nvidia-smi-q.xml"
}
smi n1 8a-1 7
smi n2 8a-1 7
smi n3 8a-2 7
smi n4 00000000-0000-0000-0000-000000000000 0
smi n5 N/A N/A
printf 'Switch 65 "S-1" # "MF0;leaf1:MQM9701/U1"\n' >fleet/ibnetdiscover.txt
for n in 1 2 3; do printf '[%d] "H-%d"[1] # "n%d mlx5_0" lid 1%d 4xNDR\n' $n $n $n $n; done >>fleet/ibnetdiscover.txt
"$PLUMB" topo --topology tree --format topology.conf fleet 2>/dev/null | grep -v '^#' |
    diff <(echo 'SwitchName=leaf1 Nodes=n[1-3]') - || fail "cliques: other tree"
"$PLUMB" topo --topology block --format topology.conf fleet 2>/dev/null | grep -v '^#' |
    diff <(printf 'BlockName=8a-1.7 Nodes=n[1-2]\nBlockName=8a-2.7 Nodes=n3\nBlockSizes=1,2\n') - || fail "cliques: other blocks"

# topograph's own examples; sizes are those that its authors tell in the file.
shared=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}/corpus/topologies/slurm-topology
if [ ! -d "$shared" ]; then
    echo "skipped: no captures at $shared"
    done_testing
fi
sizes=$(sed -n 's/^# Supported block sizes: //p' "$shared/topograph-nvl72.yaml" | tr -d ' ')
"$PLUMB" topo --topology block --format topology.conf "$shared/topograph-nvl72.yaml" >nvl72 || fail "nvl72 is refused"
grep -qx "BlockSizes=$sizes" nvl72 || fail "nvl72: sizes are not $sizes"
[ "$(grep -c '^BlockName=nvl-[12]-[12] Nodes=node\[[12][12]01-[12][12]18\]$' nvl72)" = 4 ] || fail "nvl72: other blocks"
"$PLUMB" topo --topology tree --format topology.conf "$shared/topograph-small-tree.yaml" | grep -v '^#' |
    diff <(printf 'SwitchName=S2 Nodes=I[21-22,25]\nSwitchName=S3 Nodes=I[34-36]\nSwitchName=S1 Switches=S2,S3\n') - || fail "small-tree: other switches"
done_testing
