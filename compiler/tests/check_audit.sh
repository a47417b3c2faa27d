#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plumb topo --audit: each rule fires on the machine that has the fault and on no other; parts that are
# merged are one run; threads change nothing; broken files stop nobody.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

reference=$PLUMB_SOURCE/topologies/dgx-h100

# machine NAME: a sound one below fleet/; slurmd -C tells its name, the reference has none.
machine() {
    mkdir -p "fleet/$1"
    cp "$reference"/{hwloc.xml,topo-m.txt} "fleet/$1/"
    for i in 0 1 2; do
        printf "CA 'mlx5_%s'\n\tCA type: MT4129\n\tNode GUID: 0x%s%s\n\tPort 1:\n\t\tState: Active\n" \
            $i "$(printf %s "$1" | cksum | cut -d' ' -f1)" $i
        printf '\t\tPhysical state: LinkUp\n\t\tRate: 400\n\t\tBase lid: 17\n\t\tLink layer: InfiniBand\n'
    done >"fleet/$1/ibstat.txt"
    peers OK >"fleet/$1/nvidia-smi-p2p-r.txt"
    peers OK >"fleet/$1/nvidia-smi-p2p-w.txt"
    printf 'NodeName=%s CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 ThreadsPerCore=2 RealMemory=2062336\nUpTime=1-02:03:04\n' \
        "$1" >"fleet/$1/slurmd-C.txt"
}

# peers STATUS: a peer matrix of eight GPUs as nvidia-smi topo -p2p writes it.
peers() {
    printf ' \tGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tGPU5\tGPU6\tGPU7\t\n'
    for i in 0 1 2 3 4 5 6 7; do
        printf ' GPU%s' $i
        for k in 0 1 2 3 4 5 6 7; do
            if [ $i = $k ]; then printf '\tX'; else printf '\t%s' "$1"; fi
        done
        printf '\t\n'
    done
}

# codes: the rules that the last run reports, one a line.
codes() { grep -oE '(error|warning|info)\[[A-Z]+[0-9]+\]' out err 2>/dev/null | grep -oE '[A-Z]+[0-9]{3}' | sort -u; }

# finds CODE TEXT: the fleet has exactly this one rule's findings, with this text.
finds() {
    "$PLUMB" topo --audit --fail-on never fleet >out 2>err </dev/null || { fail "$1: exit code"; cat err; }
    [ "$(codes | tr '\n' ' ')" = "$1 " ] || { fail "$1 alone was expected:"; cat out; }
    in_out "$2"
    rm -r fleet/gpu-07 && machine gpu-07
}

for i in 01 02 03 04 05 06 07 08 09; do machine gpu-$i; done

# Nothing to tell; captures that differ in the names of hosts and in GUIDs alone are read once.
run 0 topo --audit fleet
in_out '9 machines, 1 distinct capture, 1 product, 1 class'
in_out 'norm       9  gpu-[01-09]'
[ -z "$(codes)" ] || { fail 'findings about equal machines'; cat out; }

odd=fleet/gpu-07

# One GPU that has fallen off the bus: its PCI device and what hangs on it.
lose() { # FILE BUSID: takes the device element out
    awk -v id="pci_busid=\"$2\"" '
        index($0, "<object type=\"PCIDev\"") && index($0, id) { depth = 1; if ($0 ~ /\/>$/) depth = 0; next }
        depth > 0 { if ($0 ~ /<object / && $0 !~ /\/>$/) depth++; if ($0 ~ /<\/object>/) depth--; next }
        { print }' "$1" >lost && mv lost "$1"
}
gpu=$(grep -oE 'pci_busid="[^"]*" pci_type="0302 ' "$reference/hwloc.xml" | sed -n '4s/.*"\(0000[^"]*\)" .*/\1/p')
nic=$(grep -oE 'pci_busid="[^"]*" pci_type="0207 ' "$reference/hwloc.xml" | sed -n '1s/.*"\(0000[^"]*\)" .*/\1/p')
if [ -z "$gpu" ] || [ -z "$nic" ]; then fail 'the reference has no GPU or no NIC'; fi

lose $odd/hwloc.xml "$gpu"
rm $odd/topo-m.txt $odd/nvidia-smi-p2p-?.txt
cp $odd/hwloc.xml lost.xml
"$PLUMB" topo --audit --fail-on never fleet >out 2>err
[ "$(codes | tr '\n' ' ')" = 'FLEET008 FLEET018 ' ] || { fail 'a lost GPU'; cat out; }
in_out "gpu-07: 7 GPUs, the norm has 8; none at $gpu"
in_out "gpu-07: there is no capture of 'nvidia-smi topo -m'"
run 1 topo --audit fleet
run 0 topo --audit --severity FLEET008=info fleet
rm -r fleet/gpu-07 && machine gpu-07

# NVLinks: of the whole machine, of one GPU, of one pair.
sed -i 's/NV18/NV12/g' $odd/topo-m.txt
finds FLEET009 'gpu-07: all GPUs have NV12 to each other, those of the norm NV18'
awk -F'\t' -v OFS='\t' '$1 == "GPU3" { gsub(/NV18/, "NV12") } $1 ~ /^GPU[0-9]/ && $5 == "NV18" { $5 = "NV12" } { print }' \
    "$reference/topo-m.txt" >$odd/topo-m.txt
finds FLEET009 "gpu-07: GPU $gpu has NV12 to every other GPU, that of the norm NV18"
awk -F'\t' -v OFS='\t' '$1 == "GPU0" { $3 = "NV17" } $1 == "GPU1" { $2 = "NV17" } { print }' \
    "$reference/topo-m.txt" >$odd/topo-m.txt
finds FLEET009 'have NV17 to each other, those of the norm NV18'

# Peer access: of the whole machine, of one GPU, of one pair one way; kinds that differ alike are one finding.
peers CNS >$odd/nvidia-smi-p2p-r.txt && cp $odd/nvidia-smi-p2p-r.txt $odd/nvidia-smi-p2p-w.txt
"$PLUMB" topo --audit --fail-on never --ignore HW042 fleet >out 2>err
[ "$(codes) $(grep -c 'FLEET019\]' out)" = 'FLEET019 1' ] || { fail 'peer access'; cat out; }
in_out "gpu-07: peer access (read, write) of all GPUs to each other is 'CNS', on the norm 'OK'"
in_out 'seen at fleet/gpu-07/nvidia-smi-p2p-r.txt:2; the norm'
rm -r $odd && machine gpu-07
awk -F'\t' -v OFS='\t' '$1 == " GPU3" { gsub(/OK/, "NS") } $1 ~ /^ GPU/ && $5 == "OK" { $5 = "NS" } { print }' \
    fleet/gpu-01/nvidia-smi-p2p-w.txt >$odd/nvidia-smi-p2p-w.txt
"$PLUMB" topo --audit --fail-on never --ignore HW042 fleet >out 2>err
in_out "gpu-07: peer access (write) between GPU $gpu and every other is 'NS', on the norm 'OK'"
rm -r $odd && machine gpu-07
sed -i '2s/OK/TNS/' $odd/nvidia-smi-p2p-r.txt
"$PLUMB" topo --audit --fail-on never --ignore HW042 fleet >out 2>err
in_out "is 'TNS one way, OK back', on the norm 'OK'"
rm -r $odd && machine gpu-07
sed -i '2s/OK/U/' $odd/nvidia-smi-p2p-r.txt # the driver does not know
"$PLUMB" topo --audit --fail-on never --ignore HW042 fleet >out 2>err
not_in_out FLEET019
rm -r $odd && machine gpu-07
# What follows from links that are down, and a kind that was not captured.
sed -i 's/NV18/SYS/g' $odd/topo-m.txt
peers NS >$odd/nvidia-smi-p2p-r.txt && cp $odd/nvidia-smi-p2p-r.txt $odd/nvidia-smi-p2p-w.txt
"$PLUMB" topo --audit --fail-on never --ignore HW043 fleet >out 2>err
in_out FLEET009
not_in_out FLEET019
rm -r $odd && machine gpu-07
rm $odd/nvidia-smi-p2p-w.txt
finds FLEET018 "gpu-07: there is no capture of 'nvidia-smi topo -p2p w'"

# PCI links.
speed() { sed -i -E "/<object type=\"PCIDev\".*pci_busid=\"$2\"/s/pci_link_speed=\"[0-9.]+\"/pci_link_speed=\"7.876923\"/" "$1"; }
speed $odd/hwloc.xml "$nic"
finds FLEET012 "gpu-07: the PCI link of NIC $nic"
in_out 'runs at 7.8 GB/s'
speed $odd/hwloc.xml "$gpu"
finds FLEET010 "gpu-07: the PCI link of GPU $gpu runs at 7.8 GB/s"

# A port that came up at half its rate; one that is down has no rate to speak of.
sed -i '0,/Rate: 400/s//Rate: 200/' $odd/ibstat.txt
finds FLEET013 'gpu-07: mlx5_0 port 1 runs at 200 Gb/s, that of the norm at 400'
sed -i -e '0,/State: Active/s//State: Down/' -e '0,/Rate: 400/s//Rate: 10/' $odd/ibstat.txt
finds FLEET013 "gpu-07: mlx5_0 port 1 is in state 'Down', that of the norm in 'Active'"
in_out 'seen at fleet/gpu-07/ibstat.txt:5; the norm'
not_in_out 'runs at 10'

# A NIC that is gone from the bus: hwloc and nvidia-smi do not see it, and those behind it keep their names.
lose $odd/hwloc.xml "$nic"
sed -i 's/mlx5_0$/mlx5_9/' $odd/topo-m.txt
finds FLEET011 "gpu-07: 11 NICs, the norm has 12; none at $nic (mlx5_0)"

# One in another slot, and one more.
sed -i "s/$nic/${nic%:*}:01.0/" $odd/hwloc.xml
sed -i 's/mlx5_0$/mlx5_9/' $odd/topo-m.txt
finds FLEET011 "gpu-07: no NIC at $nic (mlx5_0), where the norm has one, but at ${nic%:*}:01.0 (mlx5_0)"

# A port that has gone from ibstat alone, and one that is there on one machine alone.
sed -i '/mlx5_2/,$d' $odd/ibstat.txt
finds FLEET013 'gpu-07: ibstat shows no mlx5_2 port 1, that of the norm does'
in_out "the norm's at fleet/gpu-01/ibstat.txt:23"
printf "CA 'mlx5_9'\n\tPort 1:\n\t\tState: Active\n\t\tRate: 400\n" >>$odd/ibstat.txt
finds FLEET013 'gpu-07: ibstat shows mlx5_9 port 1, that of the norm does not'

# A fact that its captures do not show, and a capture that only it has: no class is without a reason.
sed -i -E "/<object type=\"PCIDev\".*pci_busid=\"$gpu\"/s/ pci_link_speed=\"[0-9.]+\"//" $odd/hwloc.xml
finds FLEET018 "gpu-07: the captures do not show the PCI link of GPU $gpu, those of the norm do"
printf 'Gres Name=gpu Type=h100 Count=8 Index=0 ID=7696487 File=/dev/nvidia[0-7]\n' >$odd/slurmd-G.txt
finds FLEET018 "gpu-07: there is a capture of 'slurmd -G', the norm has none"

# Names: two adapters that udev exchanged (case 44b of topology_cases.tsv: jobs over both nodes hang).
sed -i 's/"mlx5_0"/"was_0"/; s/"mlx5_1"/"mlx5_0"/; s/"was_0"/"mlx5_1"/' $odd/hwloc.xml
finds FLEET016 "gpu-07: the NIC at $nic is named 'mlx5_1', that of the norm 'mlx5_0'"

# A GPU in another slot; one whose slot is wired to the other socket.
sed -i "s/$gpu/${gpu%:*}:01.0/" $odd/hwloc.xml
finds FLEET014 "gpu-07: no GPU at $gpu, where the norm has one"
for i in 1 2 3; do mkdir -p near/g$i && cp "$reference/topo-m.txt" near/g$i/; done
awk -F'\t' -v OFS='\t' '$1 == "GPU3" { $(NF - 3) = "56-111,168-223"; $(NF - 2) = 1 } { print }' \
    "$reference/topo-m.txt" >near/g2/topo-m.txt
run 0 topo --audit near
[ "$(codes)" = FLEET014 ] || { fail 'a GPU at the other socket'; cat out; }
in_out 'g2: GPU #03 is near NUMA node 1, that of the norm near 0'

# One NUMA node over both sockets, as with node interleaving: where devices are near follows from that.
awk '/<object type="NUMANode"/ { inside = 1 }
    inside { if (/<\/object>/) inside = 0; next }
    /<object type="Machine"/ { match($0, / cpuset="[^"]*"/); set = substr($0, RSTART + 1, RLENGTH - 1) }
    /<object type="Package"/ && !made++ {
        printf "<object type=\"NUMANode\" os_index=\"0\" %s complete_%s nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"3\" local_memory=\"2162516033536\"/>\n", set, set }
    { gsub(/nodeset="0x0000000[23]"/, "nodeset=\"0x1\""); print }' "$reference/hwloc.xml" >$odd/hwloc.xml
awk -F'\t' -v OFS='\t' '/^GPU[0-9]/ { $(NF - 3) = "0-223"; $(NF - 2) = 0 } { print }' "$reference/topo-m.txt" >$odd/topo-m.txt
finds FLEET006 'gpu-07: 1 NUMA node with CPUs, the norm has 2'

# Memory: a 64th less is a missing module, a little less is the kernel's.
sed -i 's/RealMemory=2062336/RealMemory=1933440/' $odd/slurmd-C.txt
awk '{ while (match($0, /local_memory="[0-9]+"/)) { v = substr($0, RSTART + 14, RLENGTH - 15); printf "%s", substr($0, 1, RSTART + 13); printf "%.0f\"", v * 15 / 16; $0 = substr($0, RSTART + RLENGTH) } print }' \
    $odd/hwloc.xml >less && mv less $odd/hwloc.xml
finds FLEET007 'GiB of memory, the norm has'
awk '{ while (match($0, /local_memory="[0-9]+"/)) { v = substr($0, RSTART + 14, RLENGTH - 15); printf "%s", substr($0, 1, RSTART + 13); printf "%.0f\"", v - 40960; $0 = substr($0, RSTART + RLENGTH) } print }' \
    $odd/hwloc.xml >less && mv less $odd/hwloc.xml
run 0 topo --audit fleet
in_out '2 distinct captures, 1 product, 1 class'
rm -r fleet/gpu-07 && machine gpu-07

# A machine without the capture that shows its processor is of the one product that it can be.
rm $odd/hwloc.xml
printf 'GPU %s: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\n' 0 1 2 3 4 5 6 7 >$odd/nvidia-smi-L.txt
finds FLEET018 "gpu-07: there is no capture of 'hwloc', the norm has one"
in_out '9 machines, 2 distinct captures, 1 product, 2 classes'

# Captures that were copied from one machine to another.
cp fleet/gpu-06/* $odd/
finds FLEET003 "gpu-[06-07]: the captures were all taken on 'gpu-06'"

# Another product under the same kind of name; a class of another name is none of that.
rm -r $odd && mkdir $odd && cp "$PLUMB_SOURCE"/topologies/hgx-a100-8/* $odd/
"$PLUMB" topo --audit --fail-on never --select FLEET fleet >out 2>err
[ "$(codes)" = FLEET004 ] || { fail 'another product'; cat out; }
in_out 'gpu-07: '
mv $odd fleet/login-1
run 0 topo --audit --select FLEET fleet
in_out '2 products'
[ -z "$(codes)" ] || { fail 'findings about a class of its own'; cat out; }
rm -r fleet/login-1 && machine gpu-07

# Two machines of one name, in two folders.
mkdir -p more && cp -r fleet/gpu-01 more/
run 0 topo --audit fleet more
in_out "'gpu-01' is there twice, as 'fleet/gpu-01' and as 'more/gpu-01'"
in_out '9 machines'
run 0 topo --audit fleet fleet # the same folder is no second one
[ -z "$(codes)" ] || { fail 'a folder that was named twice'; cat out; }
rm -r more

# Other sockets: SMT switched off, as slurmd -C shows it alone.
mkdir -p lines
for i in 1 2 3 4; do
    printf 'NodeName=c%s CPUs=224 Boards=1 SocketsPerBoard=2 CoresPerSocket=56 ThreadsPerCore=2 RealMemory=2062336\nUpTime=1-02:03:0%s\n' \
        $i $i >lines/c$i.txt
done
sed -i 's/CPUs=224/CPUs=112/; s/ThreadsPerCore=2/ThreadsPerCore=1/' lines/c3.txt
run 1 topo --audit lines
in_out 'c3: 2 sockets of 56 cores with 1 thread, the norm has 2 sockets of 56 cores with 2 threads'
in_out 'c[1-2,4]'
[ "$(codes)" = FLEET005 ] || { fail 'SMT'; cat out; }

# Allocatable GPUs of Kubernetes Nodes, files named after the node.
mkdir -p kube
for i in 1 2 3; do
    printf '{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "k%s"}, "status": {"capacity": {"nvidia.com/gpu": "8"}, "allocatable": {"nvidia.com/gpu": "%s"}}}\n' \
        $i "$((i == 2 ? 7 : 8))" >kube/k$i.json
done
run 0 topo --audit --select FLEET kube
[ "$(codes)" = FLEET017 ] || { fail 'allocatable'; cat out; }
in_out "k2: 7 of 8 of 'nvidia.com/gpu' can be allocated, the norm has 8 of 8"

printf '{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "k2"}, "status": {"capacity": {"cpu": "8"}, "allocatable": {"cpu": "8"}}}\n' >kube/k2.json
run 0 topo --audit --select FLEET kube
in_out "k2: the Node has no 'nvidia.com/gpu', that of the norm 8 of 8"

# MIG on one machine.
mkdir -p mig
for i in 1 2 3; do printf 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-%s)\n' $i >mig/m$i.txt; done
printf '  MIG 1g.10gb     Device  0: (UUID: MIG-1)\n' >>mig/m2.txt
run 0 topo --audit mig
[ "$(codes)" = FLEET015 ] || { fail 'MIG'; cat out; }
in_out "m2: MIG of GPU #00 is 'on: 1g.10gb', that of the norm 'no instance'"

# Broken files among others are findings; the rest is audited. A half file shows no half machine.
head -c 30000 fleet/gpu-02/hwloc.xml >fleet/gpu-03/hwloc.xml
mkdir fleet/gpu-10 && echo 'no such device' >fleet/gpu-10/hwloc.xml
sed -i 's/NV18/NV12/g' fleet/gpu-04/topo-m.txt
run 3 topo --audit fleet
in_out 'gpu-10: there is no capture'
in_out 'gpu-04: all GPUs have NV12'
in_out 'seen at fleet/gpu-03/hwloc.xml:'
[ "$(codes | tr '\n' ' ')" = 'FLEET001 FLEET009 XML002 ' ] || { fail 'broken files'; cat out; }
run 3 topo --audit nowhere
in_err "'nowhere' does not exist"

mkdir -p crowd/n1 && (cd crowd/n1 && echo 'NodeName=n1' >slurmd-C.txt && seq -f 'x%.0f' 1001 | xargs touch)
run 3 topo --audit crowd
in_err "'crowd/n1' has more than 1000 files, only so many are read"

sed -i '2s/OK/CNS/' fleet/gpu-05/nvidia-smi-p2p-r.txt

# Any number of threads gives the same bytes, and so do parts that are merged, however they are cut.
for format in text json spec; do
    "$PLUMB" topo --audit -j 1 --format $format fleet >out 2>err
    cat out err >one
    for j in 2 3 16; do
        "$PLUMB" topo --audit -j $j --format $format fleet >out 2>err
        cat out err | cmp -s one - || fail "-j $j gives another $format"
    done
    for cut in 1 4 7; do
        # shellcheck disable=SC2012,SC2046
        "$PLUMB" topo --audit --partial a.json $(ls -d fleet/* | head -n $cut) || fail 'partial'
        # shellcheck disable=SC2012,SC2046
        "$PLUMB" topo --audit --partial b.json $(ls -d fleet/* | tail -n +$((cut + 1))) || fail 'partial'
        "$PLUMB" topo --merge --format $format b.json a.json >out 2>err
        cat out err | cmp -s one - || fail "cut behind $cut, merged, is another $format"
    done
done
run 3 topo --merge a.json b.json
run 3 topo --merge a.json a.json
"$PLUMB" topo --merge --partial c.json a.json b.json && "$PLUMB" topo --audit --partial d.json fleet
cmp -s c.json d.json || fail 'a partial audit of partial audits is another'

# What is no partial audit.
head -c 3000 a.json >cut.json
run 3 topo --merge cut.json b.json
in_err "'cut.json' line"
echo '{"plumb_audit": 3}' >new.json
run 3 topo --merge new.json
in_err 'is no partial audit of this version'
run 2 topo --audit --format nccl fleet
in_err 'an audit is shown as text, json or spec'
run 2 topo --audit -j 0 fleet
run 2 topo -j 2 fleet
run 2 topo --partial x fleet

# The specification is one.
"$PLUMB" topo --audit --format spec fleet >spec.yaml 2>err
run 0 check spec.yaml
grep -q 'hosts: gpu-\[01-02,04-09\]' spec.yaml || { fail 'hosts of the specification'; cat spec.yaml; }
cp lost.xml fleet/gpu-05/hwloc.xml && rm fleet/gpu-05/topo-m.txt
"$PLUMB" topo --audit --format spec fleet >spec.yaml 2>err
run 0 check spec.yaml
grep -q 'left out: gpu-05' spec.yaml || { fail 'what is left out of the specification'; cat spec.yaml; }
grep -q 'hosts: gpu-\[01-02,04,06-09\]' spec.yaml || { fail 'hosts without it'; cat spec.yaml; }

done_testing
