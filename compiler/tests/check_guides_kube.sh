#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The objects of the deployment guides: nothing is wrong with their form, and each mistake that they make is found at its
# line. The objects are cut out of the guides here; what is not theirs (Node objects) is made.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

GUIDES=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}/guides
if [ ! -d "$GUIDES" ]; then
    echo "skipped: no guides under $GUIDES"
    exit 77
fi
S1=$(echo "$GUIDES"/000_*.txt)
S2=$(echo "$GUIDES"/001_*.txt)

# block GUIDE START N: the N-th block that begins with a line START, to the next empty line.
block() {
    awk -v start="$2" -v want="$3" '
        index($0, start) == 1 && !inside { inside = 1; seen++ }
        inside && $0 == "" { inside = 0 }
        inside && seen == want { print }' "$1"
}
# object GUIDE KIND N: the N-th object of a kind.
object() {
    awk -v kind="kind: $2" -v want="$3" '
        /^apiVersion: / { held = $0; next }
        held != "" && $0 == kind && ++seen == want { print held; inside = 1 }
        { held = "" }
        $0 == "" { inside = 0 }
        inside { print }' "$1"
}

# found FOLDER: what is said of the manifests in it, "level CODE file:line:column".
found() {
    "$PLUMB" check -C "$1" -q --format compact --fail-on never --select KUBE,YAML . 2>err </dev/null |
        sed -nE 's/^([^:]+):([0-9]+):([0-9]+)[^ ]* (error|warning|info)\[([A-Z0-9]+)\].*/\4 \5 \1:\2:\3/p' | sort >found
    [ ! -s err ] || cat err
}
# expect FOLDER < lines: exactly these are said.
expect() {
    found "$1"
    sort >expected
    diff expected found >out || { fail "$1: other findings than expected"; cat out; }
}

# ---- form ----

mkdir form
object "$S1" SlurmCluster 1 >form/cluster.yaml
object "$S1" NodeSet 1 >form/nodeset.yaml
object "$S2" ReservationBinding 1 >form/binding.yaml
object "$S1" SlurmCluster 2 >minimal.yaml
for file in form/*.yaml minimal.yaml; do
    [ "$(grep -c . "$file")" -gt 15 ] || fail "$file: not cut out of the guide"
    "$PLUMB" check -q --fail-on warning --select KUBE001,KUBE002,KUBE003,KUBE004,KUBE005,KUBE006,KUBE007,KUBE008,KUBE009,KUBE010,KUBE011,KUBE012,KUBE013,KUBE014 \
        "$file" >out 2>&1 || { fail "$file: a complaint about form"; cat out; }
done

# ---- the three together: no volume for the state, a partition that nothing makes, a reservation without end ----

expect form <<'END'
error KUBE057 binding.yaml:27:17
info KUBE083 binding.yaml:24:15
warning KUBE084 cluster.yaml:8:3
END

# Two controllers with a volume are as they should be.
mkdir two
cp minimal.yaml two/
expect two </dev/null
# Without the volume, which is three lines and its key, it is an error.
mkdir stateless
grep -vE 'stateSaveLocation|pvc:|weka-rwx$|size: 50Gi' minimal.yaml >stateless/cluster.yaml
expect stateless <<'END'
error KUBE084 cluster.yaml:7:3
END

# ---- the NodeSet beside the lines of slurm.conf that the guides have for the same nodes ----

# lines NAME: a bundle of the NodeSet and a slurm.conf with the node lines that are given.
lines() {
    mkdir "$1"
    cp form/nodeset.yaml "$1/"
    { printf 'ClusterName=tenant-foo\nSlurmctldHost=slurmctld-0\nGresTypes=gpu,nvme\n'; grep -v GresTypes; } >"$1/slurm.conf"
}
# The line that the operator is said to make of it has no Weight.
grep -o 'NodeName=gpu-h100-[^ ]* .*weka' "$S1" | head -1 | lines made
has made/slurm.conf 'CPUs=192 RealMemory=2097152 Gres=gpu:h100:8'
expect made <<'END'
warning KUBE080 nodeset.yaml:22:11
END
# The line of the page about GRES: 128 CPUs, less memory, an nvme, no features, no weight.
block "$S1" '# slurm.conf' 2 | lines gres
has gres/slurm.conf 'CPUs=128'
expect gres <<'END'
warning KUBE080 nodeset.yaml:15:10
warning KUBE080 nodeset.yaml:16:13
warning KUBE080 nodeset.yaml:18:15
warning KUBE080 nodeset.yaml:21:14
warning KUBE080 nodeset.yaml:22:11
END
# That of the page about installing: 256 CPUs.
block "$S2" 'NodeName=gpu-[01-16]' 1 | lines install
has install/slurm.conf 'ThreadsPerCore=2'
expect install <<'END'
warning KUBE080 nodeset.yaml:15:10
warning KUBE080 nodeset.yaml:16:13
warning KUBE080 nodeset.yaml:18:15
warning KUBE080 nodeset.yaml:22:11
END

# ---- beside the machines ----

# nodes COUNT CPU MEMORY LABELS...: Node objects of 8 H100.
nodes() {
    local labels=() i
    for label in "${@:4}"; do labels+=("\"${label%=*}\": \"${label#*=}\""); done
    printf '{"apiVersion": "v1", "kind": "List", "items": [\n'
    for ((i = 1; i <= $1; i++)); do
        printf '{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "gpu-%02d", "labels": {%s}},\n' \
            "$i" "$(IFS=,; echo "${labels[*]}")"
        printf ' "status": {"capacity": {"cpu": "%s", "memory": "%s", "nvidia.com/gpu": "8"}, "allocatable": {"cpu": "%s", "memory": "%s", "nvidia.com/gpu": "8"}}}%s\n' \
            "$2" "$3" "$2" "$3" "$([ "$i" = "$1" ] || echo ,)"
    done
    printf ']}\n'
}
# What kubelet leaves of 2 TiB is less than 2Ti, and 191 of 192 CPUs less than 192.
mkdir machines
cp form/nodeset.yaml machines/
nodes 8 191 2113448320Ki reserved.tenant=tenant-foo nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3 >machines/nodes.json
expect machines <<'END'
error KUBE048 nodeset.yaml:15:10
error KUBE048 nodeset.yaml:16:13
END
# Time slicing renames the product.
mkdir shared
cp form/nodeset.yaml shared/
nodes 8 256 2200000000Ki reserved.tenant=tenant-foo nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3-SHARED >shared/nodes.json
expect shared <<'END'
error KUBE046 nodeset.yaml:13:31
END
# The binding goes by another label than the NodeSet: no machine has it, or machines of others do.
mkdir bound
cp form/{nodeset,binding}.yaml bound/
nodes 8 256 2200000000Ki reserved.tenant=tenant-foo nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3 >bound/nodes.json
sed -i 's/partitions: "training"/partitions: "gpu"/' bound/binding.yaml
expect bound <<'END'
error KUBE081 binding.yaml:11:16
info KUBE083 binding.yaml:24:15
END
nodes 8 256 2200000000Ki reserved.tenant=tenant-foo workload-type=training nvidia.com/gpu.product=NVIDIA-H200 >bound/nodes.json
expect bound <<'END'
error KUBE046 nodeset.yaml:13:31
info KUBE083 binding.yaml:24:15
warning KUBE081 binding.yaml:11:16
END

# ---- the Secret: a value in the manifest, and none that could be one ----

mkdir secret
object "$S2" Secret 1 >secret/munge.yaml
expect secret <<'END'
error KUBE021 munge.yaml:8:14
warning KUBE044 munge.yaml:8:14
END
done_testing
