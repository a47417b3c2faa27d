#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The built-in references are the machines of the vendors' data sheets: sockets, cores, threads, which
# NUMA node each GPU is at, the links of GPU 0 (topologies/SOURCES.md says where each is from); and
# those that are written by .ci/references/make are what it writes.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# Of the table of GPUs the NUMA column, whatever words the model has: the sixth last where all cells
# are filled.
gpu_nodes() {
    awk '/^GPU +device/ { n = index($0, "NUMA"); on = 1; next }
        on && NF == 0 { exit }
        on { s = substr($0, n); split(s, f, " "); printf "%s%s", sep, f[1]; sep = "," }' out
}
links() { awk '/^link / { on = 1; next } on { printf "%s", $2; for (i = 3; i <= 1 + n; i++) printf " %s", $i; exit }' n="$1" out; }

count=0
while IFS='|' read -r name sockets cores threads nodes first; do
    count=$((count + 1))
    case $name in */*) path=$PLUMB_SOURCE/testdata/machines/${name#*/} ;; *) path=$name ;; esac
    run 0 topo "$path"
    in_out "SocketsPerBoard=$sockets CoresPerSocket=$cores ThreadsPerCore=$threads"
    [ "$(gpu_nodes)" = "$nodes" ] || fail "$name: GPUs at NUMA nodes $(gpu_nodes), expected $nodes"
    [ "$(links "$(wc -w <<<"$first")")" = "$first" ] || fail "$name: GPU 0 has $(links "$(wc -w <<<"$first")"), expected $first"
    run 0 check "$([ -d "$path" ] && echo "$path" || echo "$PLUMB_SOURCE/topologies/$name")"
done <<'ROWS'
dgx-1v|2|20|2|0,0,0,0,1,1,1,1|X NV1 NV1 NV2 NV2 SYS SYS SYS
dgx-2|2|24|2|0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1|X NV6 NV6 NV6 NV6 NV6 NV6 NV6 NV6 NV6 NV6 NV6 NV6 NV6 NV6 NV6
dgx-a100|2|64|2|3,3,1,1,7,7,5,5|X NV12 NV12 NV12 NV12 NV12 NV12 NV12
hgx-a100-8|2|64|2|3,3,1,1,7,7,5,5|X NV12 NV12 NV12 NV12 NV12 NV12 NV12
hgx-a100-4|1|64|2|3,2,1,0|X NV4 NV4 NV4
dgx-h100|2|56|2|0,0,0,0,1,1,1,1|X NV18 NV18 NV18 NV18 NV18 NV18 NV18
dgx-h200|2|56|2|0,0,0,0,1,1,1,1|X NV18 NV18 NV18 NV18 NV18 NV18 NV18
hgx-h200-8|2|56|2|0,0,0,0,1,1,1,1|X NV18 NV18 NV18 NV18 NV18 NV18 NV18
dgx-b200|2|56|2|0,0,0,0,1,1,1,1|X NV18 NV18 NV18 NV18 NV18 NV18 NV18
hgx-b200|2|64|2|0,0,0,0,1,1,1,1|X NV18 NV18 NV18 NV18 NV18 NV18 NV18
gb200-nvl|2|72|1|0,0,1,1|X NV18 NV18 NV18
mi300x|2|96|2|0,0,0,0,1,1,1,1|X XGMI XGMI XGMI XGMI XGMI XGMI XGMI
l40s-pcie|2|32|2|0,0,0,0,1,1,1,1|X PIX NODE NODE SYS SYS SYS SYS
test/epyc-nps4|2|64|2|1,2,6,7|X NV6 NV6 NV6
test/xeon-snc4|2|56|2|3,1,7,5|X NV6 NV6 NV6
ROWS

# Case 29 and case 32a: nodes of GPU memory have no CPUs, and change nothing of what is derived,
# whether hwloc shows them (2.11 and later) or leaves them out.
mkdir gb200
node() { # NUMBER NODESET
    printf '    <object type="NUMANode" os_index="%s" cpuset="0x0" complete_cpuset="0x0" nodeset="%s" complete_nodeset="%s" gp_index="90%s" local_memory="199715979264"/>\n' \
        "$1" "$2" "$2" "$1"
}
{ node 2 0x00000004; node 10 0x00000400; node 18 0x00040000; node 26 0x04000000; } >nodes
sed -e '4s/nodeset="0x00000003"/nodeset="0x04040407"/g' -e '6r nodes' \
    "$PLUMB_SOURCE/topologies/gb200-nvl/hwloc.xml" >gb200/hwloc.xml
cp "$PLUMB_SOURCE/topologies/gb200-nvl/topo-m.txt" gb200/
"$PLUMB" topo --format gres gb200-nvl | sed 's/gb200-nvl/gb200/g' >without
run 0 topo --format gres gb200
cmp -s out without || { fail 'nodes of GPU memory change what is derived:'; diff without out; cat err; }
run 0 topo gb200
[ "$(grep -cE '^(2|10|18|26) +- +- ' out)" = 4 ] || { fail 'the nodes of GPU memory are not told'; cat out; }

folders=$(find "$PLUMB_SOURCE/topologies" "$PLUMB_SOURCE/testdata/machines" -mindepth 1 -maxdepth 1 -type d | wc -l)
[ "$folders" = "$count" ] || fail "$folders machines in topologies and testdata/machines, $count in this table"
for folder in "$PLUMB_SOURCE"/topologies/*/; do
    grep -q "^## \`$(basename "$folder")\`:" "$PLUMB_SOURCE/topologies/SOURCES.md" || fail "SOURCES.md says nothing of $(basename "$folder")"
done

if command -v python3 >/dev/null; then
    "$PLUMB_SOURCE/.ci/references/make" --check >stale || { fail "files that .ci/references/make would write otherwise:"; cat stale; }
else
    echo "note: no python3, so nobody compared the files with .ci/references/machines.py"
fi

done_testing
