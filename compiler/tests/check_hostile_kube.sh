#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Manifests that are made to hurt: the answer comes soon, in bounded memory, and is a finding or nothing; texts with
# characters that shells and YAML care about come out as they went in.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

# within MIB SECONDS ARGS...: the command ends by itself with a code of its own, in so much memory and time. Under a
# sanitizer address space says nothing: the limit is left out.
within() {
    local mib=$1 seconds=$2 code=0
    shift 2
    (
        [ -n "${ASAN_OPTIONS+set}" ] || [ "${PLUMB_SANITIZED:-}" = 1 ] || ulimit -v $((mib * 1024))
        exec timeout "$seconds" "$PLUMB" "$@" >out 2>err </dev/null
    ) || code=$?
    [ $code -le 3 ] || { fail "plumb $*: exit code $code with $mib MiB and $seconds s"; tail -3 err; }
}
# The sanitizer's own shadow does not fit under a limit.
ldd "$PLUMB" 2>/dev/null | grep -q libasan && PLUMB_SANITIZED=1
if nm "$PLUMB" 2>/dev/null | grep -q __asan_init; then PLUMB_SANITIZED=1; fi

object() { printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n' "$1"; }

# ---- bombs ----

{
    object bomb
    echo 'a: &a [x, x, x, x, x, x, x, x, x]'
    before=a
    for name in b c d e f g h i j k; do
        echo "$name: &$name [*$before, *$before, *$before, *$before, *$before, *$before, *$before, *$before, *$before]"
        before=$name
    done
    echo "data: {all: *$before}"
} >bomb.yaml
within 200 20 check bomb.yaml
grep -q 'error\[' out || fail "a bomb of aliases is taken without a word"

{ object deep; printf 'data: '; head -c 200000 /dev/zero | tr '\0' '['; } >deep.yaml
within 200 20 check deep.yaml
grep -q 'error\[' out || fail "two hundred thousand open lists are taken without a word"

{ printf '{"apiVersion": "v1", "kind": "List", "items": '; head -c 200000 /dev/zero | tr '\0' '['; } >deep.json
within 200 20 check deep.json
grep -q 'error\[' out || fail "the same in JSON is taken without a word"

for i in $(seq 1 3000); do printf -- '---\napiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: c%s}\nspec: {slurmKeyRef: {name: a, key: b}, jwtKeyRef: {name: a, key: b}}\n' "$i"; done >many.yaml
within 400 30 check -q many.yaml

# ---- sizes ----

{ object large; printf 'data:\n  slurm.conf: |\n'; yes '    NodeName=n1 CPUs=4' | head -c 10000000; echo; } >large.yaml
within 300 30 check large.yaml
in_out 'KUBE016'
{ object line; printf 'data:\n  gres.conf: "'; head -c 10000000 /dev/zero | tr '\0' 'x'; printf '"\n'; } >line.yaml
within 300 30 check line.yaml
in_out 'KUBE016'
[ "$(wc -c <out)" -lt 100000 ] || fail "a line of 10 MB is shown"
{ printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: notes\n  annotations:\n    example.com/a: "'; head -c 300000 /dev/zero | tr '\0' 'x'; printf '"\ndata: {}\n'; } >notes.yaml
within 200 20 check notes.yaml
in_out 'KUBE015'

# 10,000 words of a NodeSet, and 100,000 pods.
{
    printf 'apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: gpu}\nspec:\n  controllerRef: {name: slurm}\n  replicas: 2147483647\n  extraConf: '
    for i in $(seq 1 10000); do printf 'Features=f%s ' "$i"; done
    printf 'Weight=1\n---\napiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: slurm}\nspec:\n  slurmKeyRef: {name: a, key: b}\n  jwtKeyRef: {name: a, key: b}\n  extraConf: PartitionName=a Nodes=gpu Default=YES\n'
} >words.yaml
within 300 30 check words.yaml

# ---- nodes ----

python3 - <<'PY' 2>/dev/null || { echo "note: no python3, so no dump of nodes"; done_testing; }
import json
node = lambda i: {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{i}", "labels": {f"l{k}": "v" * 50 for k in range(100)},
    "managedFields": [{"f": {f"k{k}": {} for k in range(300)}}]}, "status": {"allocatable": {"nvidia.com/gpu": "8", "memory": "1Gi", "cpu": "8"},
    "images": [{"names": ["x" * 100], "sizeBytes": k} for k in range(50)]}}
json.dump({"apiVersion": "v1", "kind": "List", "items": [node(i) for i in range(500)]}, open("nodes.json", "w"))
PY
within 200 30 check -q nodes.json
head -c 3000000 nodes.json >torn.json
within 200 30 check -q torn.json
grep -q 'error\[' out || fail "half a dump is taken without a word"

# ---- characters ----

cat >texts.py <<'PY'
TEXTS = ["$(touch x)", "`id`", "a'b\"c", "a: b", "a #c", "#c", "- x", "*a", "&b", "!t", "%d", "@x", "{a}", "[b]", "~", "null", "on", "no",
    "0x10", "1e3", "010", "1_000", "2001-01-01", "=", "<<", "|", ">", "?", ": ", "a:", "trail:", "'", '"', "\\", "\\n", "a\\tb", "-", "---", "...",
    "\u00e9", "\u2028x", "12:30:45", ".inf", ".nan", "+1", "0b1", "yes", "y", "True", ",", "a,b", "\ufeffx", "x" * 300, ";rm -rf /", "${HOME}"]
PY
cat >spec.py <<'PY'
import json
from texts import TEXTS
spec = open("base.yaml").read()
print(spec + "  tolerations: [" + ", ".join("{key: k, value: %s}" % json.dumps(t) for t in TEXTS) + "]")
PY
cat >compare.py <<'PY'
import sys, yaml
from texts import TEXTS
for name in ("40-controller", "50-nodeset-dgx"):
    spec = yaml.safe_load(open(f"made/kubernetes/{name}.yaml"))["spec"]["template"]["spec"]
    found = [t["value"] for t in spec["tolerations"]]
    for want, got in zip(TEXTS, found):
        if want != got:
            print(f"{name}: {want!r} became {got!r}")
    if len(found) != len(TEXTS):
        print(f"{name}: {len(found)} of {len(TEXTS)}")
PY
python3 -c 'import yaml' 2>/dev/null || { echo "note: python3 has no yaml, so texts are not compared"; done_testing; }
{ cat "$PLUMB_SOURCE/testdata/examples/tiny/cluster.yaml"; printf '\nkubernetes:\n  flavor: slinky\n  release: "1.2.1"\n'; } >base.yaml
python3 spec.py >cluster.yaml
"$PLUMB" build cluster.yaml -q --target slinky -o made >out 2>&1 || { fail "the specification does not build:"; head -5 out; }
python3 compare.py >differences 2>&1
[ ! -s differences ] || { fail "texts are others in the manifests:"; head -20 differences; }
[ ! -e x ] || fail "a text was run"
done_testing
