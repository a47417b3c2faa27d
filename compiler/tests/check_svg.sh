#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plumb topo --format svg: every built-in reference, machines cut into NUMA nodes, fabrics and
# hostile names are well-formed pictures in which no two texts meet and none leaves its box.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

cat >look.py <<'PY'
import re, sys
import xml.etree.ElementTree as tree
NS = '{http://www.w3.org/2000/svg}'
ALLOWED = {'svg', 'title', 'desc', 'style', 'g', 'rect', 'line', 'text'}

def box(e, text):
    size = 7.25  # a column of the widest common font of one width, 12 pixels high
    x, y = float(e.get('x')), float(e.get('y'))
    return (x, y - 10, x + size * len(text), y + 2.5)

def look(path):
    root = tree.parse(path).getroot()
    bad, texts = [], []
    def walk(e, frame, dx, dy):
        name = e.tag.replace(NS, '')
        if name not in ALLOWED:
            bad.append('element ' + name)
        for key, value in e.attrib.items():
            if key.startswith('on') or key in ('style', 'href') or 'url(' in value:
                bad.append(f'attribute {key}')
        if name == 'svg':
            dy += float(e.get('y', 0))
            frame = (0, dy, float(e.get('width')), dy + float(e.get('height')))
            kinds = [c.tag.replace(NS, '') for c in e][:2]
            if kinds != ['title', 'desc']:
                bad.append('no title and description first')
        if name == 'g' and e.get('class') in ('socket', 'numa', 'switch', 'gpu', 'nic'):
            r = e.findall(NS + 'rect')[-1]
            x, y, w, h = (float(r.get(k)) for k in ('x', 'y', 'width', 'height'))
            inner = (x, y + dy, x + w, y + dy + h)
            if inner[0] < frame[0] or inner[1] < frame[1] or inner[2] > frame[2] or inner[3] > frame[3]:
                bad.append(f'a box of {e.get("class")} leaves the one around it')
            frame = inner
        if name == 'text':
            b = box(e, e.text)
            b = (b[0], b[1] + dy, b[2], b[3] + dy)
            if b[0] < frame[0] or b[1] < frame[1] or b[2] > frame[2] or b[3] > frame[3]:
                bad.append(f'{e.text!r} leaves its box')
            texts.append((b, e.text))
        for c in e:
            walk(c, frame, dx, dy)
    walk(root, None, 0, 0)
    for i, (a, s) in enumerate(texts):
        for b, t in texts[:i]:
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                bad.append(f'{s!r} and {t!r} overlap')
    if len(texts) < 3:
        bad.append('no text')
    return bad

for path in sys.argv[1:]:
    for fault in look(path):
        print(f'{path}: {fault}')
        sys.exitcode = 1
sys.exit(getattr(sys, 'exitcode', 0))
PY

# picture NAME ARGS...: draws into NAME.svg, twice, and looks at it.
picture() {
    local name=$1
    shift
    run 0 topo --format svg "$@"
    cp out "$name.svg"
    run 0 topo --format svg="$name.again" "$@"
    cmp -s "$name.svg" "$name.again" || fail "$name: two runs draw different pictures"
    python3 look.py "$name.svg" || fail "$name is not drawn well"
    ! grep -qE '/work|/home|/tmp' "$name.svg" || fail "$name tells a path of this machine"
}
has() { grep -qF -- "$2" "$1.svg" || fail "$1 does not show '$2'"; }
hasnt() { ! grep -qF -- "$2" "$1.svg" || fail "$1 shows '$2'"; }
count() { [ "$(grep -cE "$2" "$1.svg")" = "$3" ] || fail "$1: $(grep -cE "$2" "$1.svg") times '$2', expected $3"; }

for folder in "$PLUMB_SOURCE"/topologies/*/; do
    picture "$(basename "$folder")" "$(basename "$folder")"
done
for folder in "$PLUMB_SOURCE"/testdata/machines/*/; do
    picture "$(basename "$folder")" "$folder"
done

# Eight GPUs with 18 links to the switches each, two sockets, a switch for each GPU and its NIC.
has dgx-h100 'NVSwitch: 18 NVLinks from each GPU'
# Counted in the capture itself; the memory is the sum of its NUMA nodes.
has dgx-h100 '>112 cores, 224 CPUs, 2014 GiB of memory, 8 GPUs'
count dgx-h100 'class="count".*>18<' 8
count dgx-h100 'class="socket"' 2
count dgx-h100 '>PCI switch<' 8
count dgx-h100 '>rail [0-7]<' 8
count dgx-h100 '>cores 56-111<' 5 # NUMA 1 and its four GPUs
# The hybrid cube mesh: 16 pairs, half of them with two links.
count dgx-1v 'class="count".*>1<' 8
count dgx-1v 'class="count".*>2<' 8
has dgx-1v '<title>GPU 0 to GPU 4: 2</title>'
hasnt dgx-1v NVSwitch
has hgx-a100-4 'numbers on lines between GPUs: NVLinks'
hasnt mi300x NVLink
has mi300x 'each of 28 pairs of GPUs directly: xGMI'
count epyc-nps4 'class="numa"' 8
has l40s-pcie 'no NVLink: the GPUs reach each other through PCI'
for name in dgx-h100 mi300x epyc-nps4; do
    count "$name" 'class="paper"' 1
done

# A matrix alone: GPUs without a known socket, links all the same.
mkdir matrix
cp "$PLUMB_SOURCE/topologies/dgx-1v/topo-m.txt" matrix/
picture matrix matrix
count matrix 'class="count"' 16

# A capture that says little.
mkdir little
printf 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-5a1ac3c0-0d0e-4b0c-8d6f-9a4a4f0e7c11)\n' >little/list.txt
picture little little
has little '1 GPU (NVIDIA H100 80GB HBM3)'

# Links that are too many to draw are told, and the picture does not take for ever.
{
    for i in $(seq 0 63); do printf '\tGPU%s' "$i"; done
    printf '\n'
    for i in $(seq 0 63); do
        printf 'GPU%s' "$i"
        for k in $(seq 0 63); do
            if [ "$i" = "$k" ]; then printf '\tX'; else printf '\tNV%s' $((1 + (i + k) % 2)); fi
        done
        printf '\n'
    done
} >matrix/topo-m.txt
picture wide matrix
has wide '2016 pairs of GPUs have NVLink links: too many to draw'

# Several machines are one picture.
picture both dgx-h100 gb200-nvl
count both '<svg ' 3

# A fabric: leaves alike below one switch are one box, with their hosts folded.
mkdir fabric plain
{
    echo 'SwitchName=core Switches=spine[1-3]'
    echo 'SwitchName=spine1 Switches=leaf[01-20]'
    echo 'SwitchName=spine2 Switches=few[1-2]'
    echo 'SwitchName=spine3 Switches=odd'
    for i in $(seq -w 1 20); do echo "SwitchName=leaf$i Nodes=n[${i}01-${i}32]"; done
    echo 'SwitchName=few1 Nodes=a[1-32]'
    echo 'SwitchName=few2 Nodes=b[1-16],c[3,5,7],d[101,103,105,107,109,111,113,115,117]'
    echo 'SwitchName=odd Nodes=<script>alert</script>&amp;'
} >fabric/topology.conf
picture fabric fabric
has fabric '&lt;script&gt;'
hasnt fabric '<script'
has fabric '>leaf[01-20]<'
has fabric '>20 switches, 32 hosts each<'
has fabric '>a[1-32]<'
hasnt fabric '>leaf07<'
# A small one is drawn in full, with its NVLink domains; domains alone are blocks.
{
    echo 'switches: {core: {switches: [spine1, spine2]}, spine1: {switches: [leaf1, leaf2, leaf3, leaf4, leaf5, leaf6, leaf7, leaf8]},'
    echo '  spine2: {switches: [leaf9]}}'
    echo 'blocks:'
    for i in 1 2 3 4 5 6 7 8 9; do
        echo "- {switch: leaf$i, nodes: [\"n[${i}1-${i}4]\"], annotations: {accelerator.topology.test/domain: 00000000-0000-0000-0000-00000000700$i.32766}}"
    done
} >model.yaml
sed 's/switch: leaf[0-9], //; /^switches:/d; /^  spine2/d' model.yaml >domains.yaml
picture model model.yaml
has model 'the model of topograph tells of 12 switches, 9 NVLink domains, 36 hosts'
for i in 1 5 8 9; do has model ">leaf$i<"; done
has model '>switch, 8 below, 32 hosts<'
has model '>NVLink domain ...000000007005.32766<'
picture domains domains.yaml
has domains 'the model of topograph tells of 9 NVLink domains, 36 hosts'
has domains '>block, 4 hosts<'
printf 'BlockName=b%s Nodes=n[%s]\n' 1 1-18 2 19-36 >plain/topology.conf
picture blocks plain/topology.conf
has blocks '>block, 18 hosts<'
# What ibnetdiscover shows.
picture captured "$PLUMB_SOURCE"/testdata/rules/HW070/quiet_with_a_switch/ibnetdiscover.txt
has captured 'Fabric, as captured'
# A loop ends.
printf 'SwitchName=%s Switches=%s\n' a b b a >plain/topology.conf
"$PLUMB" topo --format svg plain/topology.conf >loop.svg 2>err </dev/null
python3 look.py loop.svg || fail 'a loop is not drawn well'
# Many in a row and deep.
{
    for i in $(seq 1 100); do echo "SwitchName=s$i Switches=s$((i + 1))"; done
    echo 'SwitchName=s101 Nodes=n1'
} >plain/topology.conf
picture deep plain/topology.conf

# Names that mean something to XML or to a terminal stay names.
mkdir '<b>&"x'
sed 's/name="mlx5_0"/name="\&lt;script\&gt;alert(1)\&lt;\/script\&gt;\&amp;\&quot;'"'"'"/' \
    "$PLUMB_SOURCE/topologies/dgx-h100/hwloc.xml" >'<b>&"x/hwloc.xml'
picture hostile '<b>&"x'
hasnt hostile '<script'
has hostile '&lt;script&gt;alert'
has hostile 'Machine &lt;b&gt;&amp;'
run 3 topo --format svg /dev/null
done_testing
