#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Objects that target slinky makes: the rules about manifests are quiet on them, validators of CRDs take them,
# and the operator's own keys are not in them. What Slinky cannot do is an error at its place.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

SHARED=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}
SPEC=$PLUMB_SOURCE/testdata/examples/slinky/cluster.yaml

# ---- what is asked for and cannot be made ----

! "$PLUMB" build "$PLUMB_SOURCE/testdata/examples/tiny/cluster.yaml" --target slinky -o none >out 2>&1 ||
    fail "a specification without the section builds"
grep -q "cluster.yaml:2:10" out || fail "the place of the refusal is not told"
[ ! -e none ] || fail "a refused build wrote files"

# ---- what is made ----

"$PLUMB" build "$SPEC" -q --target slinky -o made >out 2>&1 || fail "the example does not build"
"$PLUMB" check -C made -q --kubernetes slinky=1.2.1 --fail-on info kubernetes >out 2>&1 ||
    fail "the objects are not without findings"
[ "$(ls made)" = "$(printf 'MANIFEST.json\nkubernetes')" ] || fail "another target wrote files"
for key in SlurmctldHost SlurmctldPort SlurmdPort SlurmUser StateSaveLocation SlurmdSpoolDir AuthType CredType \
    AccountingStorageType AccountingStorageHost AccountingStoragePort ClusterName NodeName; do
    ! grep -qE "^ +$key=" made/kubernetes/40-controller.yaml || fail "$key is the operator's"
done
for word in 'PartitionName=training Nodes=h100-training ' 'PartitionName=inference Nodes=h100-inference ' \
    'PartitionName=interactive Nodes=ALL ' GresTypes=gpu SlurmctldParameters=enable_stepmgr \
    CommunicationParameters=block_null_hash PrologFlags=Contain; do
    grep -qF "$word" made/kubernetes/40-controller.yaml || fail "no '$word'"
done
[ "$(grep -cE '^ +#' made/kubernetes/40-controller.yaml)" = 0 ] || fail "extraConf has comments"
for key in DbdHost DbdPort SlurmUser AuthType StorageType StorageHost StoragePort StorageLoc StorageUser StoragePass LogFile; do
    ! grep -qE "^ +$key=" made/kubernetes/30-accounting.yaml || fail "$key of slurmdbd.conf is the operator's"
done
# What 1.1 wrote, in the words of the release: format_stderr is of 23.11 to 24.11, enable_stepmgr of 24.05 and later.
for file in 30-accounting 40-controller; do
    grep -qE '^ +LogTimeFormat=iso8601$' made/kubernetes/$file.yaml || fail "$file: another LogTimeFormat in 26.05"
done
for release in 23.02 24.11; do
    sed "s/^slurm: .*/slurm: \"$release\"/" "$SPEC" >release.yaml
    "$PLUMB" build release.yaml -q --target slinky -o "$release" >out 2>&1 || fail "$release is refused"
done
for file in 30-accounting 40-controller; do
    grep -qE '^ +LogTimeFormat=iso8601$' 23.02/kubernetes/$file.yaml || fail "$file: another LogTimeFormat in 23.02"
    grep -qE '^ +LogTimeFormat=iso8601,format_stderr$' 24.11/kubernetes/$file.yaml || fail "$file: another LogTimeFormat in 24.11"
done
! grep -q enable_stepmgr 23.02/kubernetes/40-controller.yaml || fail "23.02 has no enable_stepmgr"
grep -q SlurmctldParameters=enable_stepmgr 24.11/kubernetes/40-controller.yaml || fail "24.11 has enable_stepmgr"
# Without cgroups: what 1.1 wrote then.
{ cat "$SPEC"; printf '\noverrides:\n  cgroup.conf: {CgroupPlugin: disabled}
  slurm.conf: {TaskPlugin: task/affinity, ProctrackType: proctrack/linuxproc, JobAcctGatherType: jobacct_gather/linux}\n'; } >nocgroup.yaml
"$PLUMB" build nocgroup.yaml -q --target slinky -o nocgroup >out 2>&1 || fail "refused without cgroups: $(cat out)"
! grep -qE 'enable_stepmgr' nocgroup/kubernetes/40-controller.yaml || fail "enable_stepmgr without cgroups"
grep -qE '^ +CgroupPlugin=disabled$' nocgroup/kubernetes/20-config.yaml || fail "cgroups in spite of disabled"
grep -q 'replicas: 12$' made/kubernetes/50-nodeset-h100-training.yaml || fail "not 12 pods for training"
grep -q 'nvidia.com/gpu: 8$' made/kubernetes/50-nodeset-h100-training.yaml || fail "not 8 GPUs a pod"
# 2000000 MB less 32 GiB
grep -q 'memory: 1967232Mi$' made/kubernetes/50-nodeset-h100-training.yaml || fail "not the memory that is left"
! grep -rqE 'slurm.key: |password: [^k]' made/kubernetes || fail "something like a secret is written"

# A key that the operator joins with its own stays.
{ cat "$SPEC"; echo 'overrides: {slurm.conf: {SlurmctldParameters: idle_on_node_suspend, AuthInfo: ttl=60}}'; } >merged.yaml
"$PLUMB" build merged.yaml -q --target slinky -o merged >out 2>&1 || fail "merged keys are refused"
has merged/kubernetes/40-controller.yaml ' SlurmctldParameters=idle_on_node_suspend'
has merged/kubernetes/40-controller.yaml ' AuthInfo=ttl=60'

# ---- the same again ----

"$PLUMB" build "$SPEC" -q --target slinky -o again >out 2>&1
diff -r made again >out || fail "a second build differs"

# ---- what Slinky cannot do ----

# refused TEXT WORDS < section: the example with a part replaced gives an error with these words.
refused() {
    sed "$1" "$SPEC" >bad.yaml
    "$PLUMB" build bad.yaml -q --format compact --target slinky -o bad >out 2>&1 && fail "taken: $1"
    grep -qF "$2" out || fail "not said: $2"
    [ ! -e bad/kubernetes ] || fail "files in spite of an error"
}
refused 's/slurm-controller-0/a, b/' \
    "bad.yaml:6:14-15: error[SPEC029] Slinky 1.2.1 runs one controller, the backup would be lost"
refused 's/slurm-controller-0/a, b/; s/"1.2.1"/"1.3.0"/' "expected 'kubernetes.storage.claim'"
refused 's/slurm-controller-0/a, b/; s/"1.2.1"/"1.3.0"/; s/storage: {class/storage: {claim: state, class/' \
    "expected 'access: ReadWriteMany'"
refused '/sssd:/d' "expected a reference to it as 'kubernetes.sssd'"
refused 's/sssd: /munge_key: {secret: munge}\n  sssd: /' "so 'munge_key' is read by nobody"
refused 's/"1.2.1"/"1.2"/' "release '1.2' of Slinky is in no table"
refused 's/  namespace: tenant-foo/  namespace: Tenant_Foo/' "'Tenant_Foo' is no name for an object"
refused '/password:/d' "expected a reference to it as 'database.storage.password'"

# Two controllers, with all that they need.
sed 's/slurm-controller-0/a, b/; s/"1.2.1"/"1.3.0"/; s/storage: {class.*/storage: {claim: state, class: weka, access: ReadWriteMany, state: 50 GiB}/; s/^  hosts: \[a, b\]/&\n  state_dir: {path: \/state, shared: true}/' "$SPEC" >two.yaml
"$PLUMB" build two.yaml -q --target slinky -o two >out 2>&1 || fail "two controllers are refused"
"$PLUMB" check -C two -q --kubernetes slinky=1.3.0 --fail-on info kubernetes >out 2>&1 || fail "findings on two controllers"
grep -A1 '^  ha:' two/kubernetes/40-controller.yaml | grep -q 'enabled: true' || fail "no second controller"
grep -q 'ReadWriteMany' two/kubernetes/10-claim.yaml || fail "no claim"

# The other examples, on Slinky: a class that is not cut keeps its name; words of a node line keep theirs.
for example in tiny guide; do
    cp -r "$PLUMB_SOURCE/testdata/examples/$example" "$example"
    printf '\nkubernetes: {flavor: slinky, release: "1.2.1", sssd: {secret: sssd}}\n' >>"$example/cluster.yaml"
    sed -i '/{name: cp-02/d' "$example/cluster.yaml"
    release=$(sed -n 's/^slurm: "\(.*\)"/\1/p' "$example/cluster.yaml")
    "$PLUMB" build "$example/cluster.yaml" -q --target slinky -o "$example.made" >out 2>&1 || fail "$example is refused"
    "$PLUMB" check -C "$example.made" -q --slurm "${release:-26.05}" --kubernetes slinky=1.2.1 \
        --fail-on warning kubernetes >out 2>&1 || fail "findings on $example: $(cat out)"
done
has tiny.made/kubernetes/50-nodeset-dgx.yaml 'hostname: dgx-'
has guide.made/kubernetes/50-nodeset-h100-inference.yaml \
    'Gres=gpu:h100:8,nvme:local:1 CPUSpecList=0-1,128-129 Features=h100,ib,weka'
hasnt guide.made/kubernetes/50-nodeset-h100-inference.yaml MemSpecLimit

# ---- validators ----

if [ ! -d "$SHARED/facts/slinky/crds-v1.2.1" ] || ! validators; then
    echo "note: no validators: no node, no ajv in PLUMB_KUBE_NODE, or no definitions under $SHARED"
    done_testing
fi
cp "$SHARED/facts/k8s/validate/"*.mjs .
node crdval.mjs "$SHARED/facts/slinky/crds-v1.2.1" made/kubernetes/[3-7]*.yaml >out 2>&1 || fail "the CRDs refuse an object"
node crdval.mjs "$SHARED/facts/slinky/crds-main-f2ed3fc5" two/kubernetes/40-controller.yaml >out 2>&1 || fail "the CRDs of 1.3 refuse it"
node k8sval.mjs "$SHARED/facts/k8s/k8s-v1.36-schema-subset.json" two/kubernetes/[0-2]*.yaml >out 2>&1 || fail "Kubernetes refuses an object"
done_testing
