#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Values that target slinky-values makes: all of them are known, the rules are quiet on them, the chart's templates make the objects of
# target slinky of them, and what the chart has no value for is refused.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

EXAMPLE=$PLUMB_SOURCE/testdata/examples/slinky/cluster.yaml
VALUES=kubernetes/values.yaml
sed 's/  flavor: slinky/&\n  form: values/; /^  gitops:/d' "$EXAMPLE" >values.yaml

"$PLUMB" build values.yaml -q --target slinky-values -o values >out 2>&1 || fail "values are refused: $(cat out)"
[ "$(ls values/kubernetes)" = values.yaml ] || fail "other files than values"
"$PLUMB" check values/$VALUES -q --fail-on info >out 2>&1 || fail "the values are not without findings: $(cat out)"
for word in 'fullnameOverride: slurm' 'namespaceOverride: tenant-foo' 'clusterName: tenant-foo' 'create: false' 'tag: 26.05-ubuntu26.04' \
    'repository: ghcr.io/slinkyproject/slurmd' 'replicas: 12' 'nvidia.com/gpu: 8' 'PartitionName=training Nodes=h100-training ' \
    'PurgeJobAfter=24months' 'storageClassName: weka-rwx' 'type: LoadBalancer' 'gres.conf: |'; do
    has values/$VALUES "$word"
done
for key in ClusterName SlurmctldHost SlurmUser StateSaveLocation AuthType AccountingStorageType StorageHost DbdHost; do
    ! grep -qE "^ +${key}[=:]" values/$VALUES || fail "$key is the operator's"
done
"$PLUMB" build values.yaml -q --target slinky -o none >out 2>&1 && fail "objects in spite of 'form: values'"
"$PLUMB" build "$EXAMPLE" -q --target slinky-values -o none >out 2>&1 && fail "values in spite of objects"
[ ! -e none ] || fail "another form wrote files"

# ---- the same objects ----

# same NAME EDIT...: both forms of the example with these changes.
same() {
    local name=$1
    shift
    sed "$@" "$EXAMPLE" >"$name.yaml"
    sed 's/  flavor: slinky/&\n  form: values/; /^  gitops:/d' "$name.yaml" >"$name-values.yaml"
    "$PLUMB" build "$name.yaml" -q --target slinky -o "$name" >out 2>&1 || fail "$name is refused: $(cat out)"
    "$PLUMB" build "$name-values.yaml" -q --target slinky-values -o "$name-values" >out 2>&1 || fail "$name-values: $(cat out)"
    "$PLUMB" check "$name-values/$VALUES" -q --fail-on warning >out 2>&1 || fail "findings on $name: $(cat out)"
    python3 "$PLUMB_SOURCE/compiler/tests/render_slinky.py" "$name-values/$VALUES" "$name/kubernetes" >out || fail "$name: $(cat out)"
}
if python3 -c 'import yaml' 2>/dev/null; then
    same plain -e ''
    same less -e '/^login:/,+1d' -e 's/^  rest: true//' -e '/^database:/,/^$/d'
    same more -e 's/class: weka-rwx, access: ReadWriteOnce/claim: state, class: weka-rwx, access: ReadWriteMany/' \
        -e 's/^  flavor: slinky/  tolerations: [{key: pool, operator: Equal, value: slurm}]\n&/'
    has "more-values/$VALUES" 'existingClaim: state'
    has "more-values/$VALUES" 'kind: PersistentVolumeClaim'
    sed -i 's/replicas: 12/replicas: 11/' plain-values/$VALUES
    python3 "$PLUMB_SOURCE/compiler/tests/render_slinky.py" plain-values/$VALUES plain/kubernetes >out && fail "another count of pods is the same"
else
    echo "note: python3 has no yaml, so objects are not compared"
fi

# ---- what the chart has no value for ----

# refused EXPRESSION WORDS
refused() {
    sed "$1" values.yaml >bad.yaml
    "$PLUMB" build bad.yaml -q --format compact --target slinky-values -o bad >out 2>&1 && fail "taken: $1"
    grep -qF "$2" out || fail "not said: $2: $(cat out)"
    [ ! -e bad/kubernetes ] || fail "files in spite of an error"
}
refused 's/^cluster: .*/cluster: "010"/' "bad.yaml:2:10-15: error[SPEC029] the chart of Slinky writes the name of the cluster without quotes, and '010' is no text in YAML then"
refused 's/^  rest: true/&\n  gitops: {secrets: none}/' "error[SPEC029] its kustomization and its runbook are about objects, which a chart makes of the values"
refused 's/hosts: \[slurm-controller-0\]/hosts: [a, b]/' "error[SPEC029] Slinky 1.2.1 runs one controller, the backup would be lost"
done_testing
