#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Section topology: of a specification: what is written, that plumb check takes it back as the same, and what is wrong in rows.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# spec RELEASE: a cluster of 18 nodes; the section comes from standard input.
spec() {
    cat <<END
plumb: 1
cluster: c
slurm: "$1"
control: {hosts: ctl}
nodes:
  gpu: {hosts: "gpu-[01-18]", topology: dgx-h100}
partitions:
  all: {nodes: all, default: true}
topology:
END
    sed 's/^/  /'
}
# builds NAME: NAME.yaml becomes NAME.out, without findings.
builds() {
    rm -rf "$1.out"
    "$PLUMB" build "$1.yaml" -o "$1.out" --format compact >log 2>&1 || { fail "$1: $(cat log)"; return 1; }
    ! grep -q 'error\|warning' log || fail "$1: $(cat log)"
    # The other direction: the files alone say the same, and nothing against them.
    "$PLUMB" check --slurm "$(sed -n 's/^slurm: "\(.*\)"/\1/p' "$1.yaml")" --format compact "$1.out/slurm" >log 2>&1
    ! grep -q 'TOPO\|topology' log || fail "$1, files: $(cat log)"
    "$PLUMB" topo --format svg "$1.out/slurm" >"$1.svg" 2>/dev/null || fail "$1: no picture"
}
# wrote NAME FILE: the lines of a file, without the header.
wrote() {
    cat >wanted
    grep -v '^#\|^$' "$1.out/slurm/$2" | diff wanted - || fail "$1: other lines in $2"
}
# says NAME PATTERN: one finding.
says() {
    "$PLUMB" check "$1.yaml" --format compact >log 2>&1
    [ "$(grep -c -E 'error|warning' log)" = 2 ] || fail "$1: not one finding: $(cat log)"
    grep -q -- "$2" log || fail "$1: $(cat log)"
}

for release in 22.05 24.11 26.05; do
    spec $release >tree.yaml <<'END'
switches:
  - {name: "leaf[1-3]", nodes: gpu}
  - {name: "spine[1-2]", switches: "leaf[1-3]", each: 2}
  - {name: core, switches: ["spine1", "spine2"]}
END
    builds tree
    wrote tree topology.conf <<'END'
SwitchName=leaf1 Nodes=gpu-[01-06]
SwitchName=leaf2 Nodes=gpu-[07-12]
SwitchName=leaf3 Nodes=gpu-[13-18]
SwitchName=spine1 Switches=leaf[1-2]
SwitchName=spine2 Switches=leaf3
SwitchName=core Switches=spine[1-2]
END
    grep -qx 'TopologyPlugin=topology/tree' tree.out/slurm/slurm.conf || fail "$release: no plugin"
done

# Blocks: sizes follow, or are written; a range is cut where a block ends.
for release in 23.11 24.11 26.05; do
    spec $release >block.yaml <<'END'
blocks:
  - {name: "rack[01-04]", nodes: "gpu-[01-16]"}
  - {name: spare, nodes: ["gpu-17", "gpu-18"]}
END
    [ $release = 23.11 ] || echo '  block_sizes: [2, 4, 8]' >>block.yaml
    builds block
    { 
        printf 'BlockName=rack%s Nodes=gpu-[%s]\n' 01 01-04 02 05-08 03 09-12 04 13-16
        echo 'BlockName=spare Nodes=gpu-[17-18]'
        [ $release = 23.11 ] || echo BlockSizes=2,4,8
    } >want
    wrote block topology.conf <want
    grep -qx 'TopologyPlugin=topology/block' block.out/slurm/slurm.conf || fail "$release: no plugin"
done
spec 24.11 >sizes.yaml <<'END'
blocks: [{name: "rack[1-6]", nodes: gpu}]
END
builds sizes
grep -qx 'BlockSizes=3,6,12' sizes.out/slurm/topology.conf || fail "sizes: $(cat sizes.out/slurm/topology.conf)"

# Both, in topology.yaml, which a partition chooses from.
spec 26.05 >both.yaml <<'END'
plugin: block
switches: [{name: "leaf[1-2]", nodes: gpu}, {name: spine, switches: "leaf[1-2]"}]
blocks: [{name: "rack[1-2]", nodes: gpu}]
END
sed -i 's/all: {nodes: all/all: {topology: tree, nodes: all/' both.yaml
builds both
wrote both topology.yaml <<'END'
- topology: block
  cluster_default: true
  block:
    block_sizes:
    - 9
    - 18
    blocks:
    - block: rack1
      nodes: gpu-[01-09]
    - block: rack2
      nodes: gpu-[10-18]
- topology: tree
  cluster_default: false
  tree:
    switches:
    - switch: leaf1
      nodes: gpu-[01-09]
    - switch: leaf2
      nodes: gpu-[10-18]
    - switch: spine
      children: leaf[1-2]
END
grep -q '^TopologyPlugin' both.out/slurm/slurm.conf && fail "both: a plugin beside topology.yaml"
grep -q 'PartitionName=all .*Topology=tree' both.out/slurm/slurm.conf || fail "both: the partition does not choose"
spec 25.05 >yaml.yaml <<'END'
file: topology.yaml
switches: {name: leaf, nodes: gpu}
END
builds yaml
wrote yaml topology.yaml <<'END'
- topology: tree
  cluster_default: true
  tree:
    switches:
    - switch: leaf
      nodes: gpu-[01-18]
END
[ -e yaml.out/slurm/topology.conf ] && fail "yaml: both files"

# From a capture: the same groups as plumb topo writes.
mkdir -p captures
cat >captures/model.yaml <<'END'
switches: {spine: {switches: [leaf1, leaf2]}}
blocks:
- {switch: leaf1, nodes: ["gpu-[01-09]"], annotations: {accelerator.topology.test/domain: d1}}
- {switch: leaf2, nodes: ["gpu-[10-18]"], annotations: {accelerator.topology.test/domain: d2}}
END
for plugin in tree block; do
    printf 'fabric: captures/model.yaml\nplugin: %s\n' $plugin | spec 24.11 >fabric.yaml
    builds fabric
    "$PLUMB" topo --slurm 24.11 --topology $plugin --format topology.conf captures/model.yaml | grep -v '^#' |
        sed 's/leaf1,leaf2/leaf[1-2]/' >want
    grep -v '^#\|^$' fabric.out/slurm/topology.conf | diff - want || fail "fabric, $plugin: not what plumb topo writes"
done

# What is wrong, each at its place.
bad() { # NAME RELEASE PATTERN
    spec "$2" >"$1.yaml"
    says "$1" "$3"
}
bad uneven 24.11 'uneven.yaml:10:40-45: error\[SPEC027\] 18 nodes cannot be divided evenly among 4 names' <<<'switches: {name: "leaf[1-4]", nodes: "gpu"}'
bad each 24.11 'each.yaml:10:53-54: error\[SPEC027\] 18 nodes make 3 rows of 8, expected 2 as there are names' <<<'switches: {name: "leaf[1-2]", nodes: "gpu", each: 8}'
bad both22 24.11 "both22.yaml:11:3-9: error\[SPEC016\] 'blocks' beside 'switches' needs Slurm 25.05 or later, the cluster has 24.11" <<'END'
switches: {name: leaf, nodes: gpu}
blocks: {name: leaf, nodes: gpu}
END
bad old 22.05 "old.yaml:10:3-9: error\[SPEC016\] 'topology/block' needs Slurm 23.11 or later, the cluster has 22.05" <<<'blocks: {name: leaf, nodes: gpu}'
bad oldyaml 24.11 "oldyaml.yaml:10:9-22: error\[SPEC016\] 'topology.yaml' needs Slurm 25.05 or later" <<'END'
file: topology.yaml
switches: {name: leaf, nodes: gpu}
END
bad child 24.11 "child.yaml:12:37-42: error\[TOPO001\] switch 'spine' has the child 'leaf2'" <<'END'
switches:
  - {name: leaf, nodes: gpu}
  - {name: spine, switches: [leaf,leaf2]}
END
bad nodes 24.11 "error\[TOPO006\] 'gpu-19' of 'leaf' is no node" <<<'switches: {name: leaf, nodes: "gpu-[01-19]"}'
bad size 24.11 "error\[TOPO008\]" <<'END'
blocks: [{name: a, nodes: "gpu-[01-10]"}, {name: b, nodes: "gpu-[11-18]"}]
block_sizes: 9
END
bad power 24.11 "power.yaml:11:20-21: error\[TOPO009\]" <<'END'
blocks: [{name: a, nodes: "gpu-[01-09]"}, {name: b, nodes: "gpu-[10-18]"}]
block_sizes: [3, 7]
END
bad twice 24.11 "error\[TOPO002\] 'a2' is defined twice" <<'END'
blocks: [{name: "a[1-2]", nodes: "gpu-[01-12]"}, {name: a2, nodes: "gpu-[13-18]"}]
END
bad rows 24.11 "rows.yaml:10:3-9: error\[SPEC023\] 'fabric' makes the topology of a capture" <<'END'
fabric: captures/model.yaml
blocks: {name: leaf, nodes: gpu}
END
bad nothing 24.11 "nothing.yaml:10:11-21: error\[HW011\] file 'child.yaml' shows no fabric" <<<'fabric: child.yaml'
bad missing 24.11 "missing.yaml:10:11-20: error\[HW010\] capture 'gone.yaml' is neither" <<<'fabric: gone.yaml'
bad empty 24.11 "empty.yaml:10:20-31: error\[TOPO004\] switch 'leaf1' has no Nodes" <<<'switches: {name: "leaf[1-4]"}'
bad many 24.11 "many.yaml:10:20-43: error\[SPEC007\] the row stands for 80000 units, expected at most 65536" <<<'switches: {name: "l[1-40000],m[1-40000]", nodes: gpu}'
bad name 24.11 'error\[HOST' <<<'switches: {name: "leaf[1-", nodes: gpu}'
done_testing
