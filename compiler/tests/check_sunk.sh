#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Objects that target sunk makes: the rules about manifests are quiet on them, validators and kustomize take them, the
# operator's own keys are not in them. What the dialect has no field for is an error at its place.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

SHARED=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}
SPEC=$PLUMB_SOURCE/testdata/examples/sunk/cluster.yaml

# ---- what is made ----

"$PLUMB" build "$SPEC" -q --target sunk -o made >out 2>&1 || { fail "the example does not build"; cat out; }
"$PLUMB" check -C made -q --fail-on info kubernetes >out 2>&1 || { fail "the objects are not without findings"; cat out; }
[ "$(ls made)" = "$(printf 'MANIFEST.json\nkubernetes')" ] || fail "another target wrote files"
for key in ClusterName SlurmctldHost StateSaveLocation AuthType AccountingStorageType AccountingStorageHost \
    DbdHost StorageHost StorageUser StorageLoc StoragePass; do
    ! grep -qE "^ +$key=" made/kubernetes/20-config.yaml || fail "$key is the operator's"
done
# The translation of the guides: gpu-h100-nodes has gpu-h100-[01-16], and the i-th host is the i-th node.
has made/kubernetes/50-nodeset-gpu-h100.yaml 'name: gpu-h100-nodes'
for word in 'replicas: 16' 'cpu: 224' 'memory: 2000000Mi' 'model: h100' 'weight: 100' 'value: tenant-foo'; do
    has made/kubernetes/50-nodeset-gpu-h100.yaml "$word"
done
hasnt made/kubernetes/50-nodeset-gpu-h100.yaml 'partition:'
for word in 'NodeName=DEFAULT Sockets=2 CoresPerSocket=56 ThreadsPerCore=2 MemSpecLimit=32768' \
    'PartitionName=training Nodes=gpu-h100-[01-12] ' 'PartitionName=inference Nodes=gpu-h100-[13-16] ' \
    'PartitionName=interactive Nodes=ALL ' 'NodeName=gpu-h100-[01-16] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-55' \
    PurgeJobAfter=24months; do
    has made/kubernetes/20-config.yaml "$word"
done
hasnt made/kubernetes/20-config.yaml 'Weight='
has made/kubernetes/80-binding-tenant-foo-training.yaml 'duration: "2-00:00:00"'
has made/kubernetes/80-binding-tenant-foo-training.yaml 'users: ""'
has made/kubernetes/70-account-tenant-foo.yaml 'GrpTRES: gres/gpu=96'
has made/kubernetes/75-user-alice.yaml 'defaultAccount: tenant-foo'
! grep -rqiE 'kind: Secret|munge.key:|password' made/kubernetes || fail "something like a secret is written"

# A Service of its own kind makes the login pods an object of their own.
sed 's/^  hooks:/  service: {login: LoadBalancer}\n  hooks:/' "$SPEC" >apart.yaml
"$PLUMB" build apart.yaml -q --target sunk -o apart >out 2>&1 || fail "refused with a service: $(cat out)"
has apart/kubernetes/60-login.yaml 'type: LoadBalancer'
has apart/kubernetes/60-login.yaml 'sshKeysSecret: tenant-foo-ssh-keys'
hasnt apart/kubernetes/40-cluster.yaml 'login:'
"$PLUMB" check -C apart -q --fail-on info kubernetes >out 2>&1 || { fail "findings on a Login"; cat out; }

# Without accounts, reservations and a database.
sed -e '/^accounting:/,/^kubernetes:/{/^kubernetes:/!d}' -e '/^database:/,/^$/d' -e 's/, database: 100 GiB//' "$SPEC" >bare.yaml
"$PLUMB" build bare.yaml -q --target sunk -o bare >out 2>&1 || fail "refused without accounts: $(cat out)"
[ "$(ls bare/kubernetes)" = "$(printf '%s\n' 00-namespace.yaml 20-config.yaml 40-cluster.yaml 50-nodeset-gpu-h100.yaml kustomization.yaml)" ] ||
    fail "other files without accounts: $(ls bare/kubernetes)"
has bare/kubernetes/40-cluster.yaml 'enabled: false'
hasnt bare/kubernetes/20-config.yaml slurmdbd.conf

# ---- the same again ----

"$PLUMB" build "$SPEC" -q --target sunk -o again >out 2>&1
diff -r made again >out || fail "a second build differs"

# ---- what the dialect has no field for ----

# refused EXPRESSION WORDS: the example with a part replaced gives an error with these words.
refused() {
    sed "$1" "$SPEC" >bad.yaml
    "$PLUMB" build bad.yaml -q --format compact --target sunk -o bad >out 2>&1 && fail "taken: $1"
    grep -qF "$2" out || { fail "not said: $2"; cat out; }
    [ ! -e bad/kubernetes ] || fail "files in spite of an error"
}
refused 's/slurmctld-1\]/slurmctld-1, slurmctld-2]/' "bad.yaml:7:37-48: error[SPEC029] 3 controllers are asked for"
refused 's/ReadWriteMany/ReadWriteOnce/' "bad.yaml:74:38-51: error[SPEC029] the claim of the operator is ReadWriteMany"
refused '/^  storage: {class/d' "bad.yaml:69:1-11: error[SPEC029] the state of slurmctld would be lost with its pod"
refused 's/, database: 100 GiB//' "bad.yaml:13:1-9: error[SPEC029] the operator of SUNK runs a database of its own"
refused 's/munge_key: {secret: munge-key}/munge_key: {secret: other}/' "bad.yaml:75:23-28: error[SPEC029] the Secret of munge is the operator's and is called 'munge-key'"
refused 's/  hooks: .*/  jwt_key: {secret: jwt}/' "bad.yaml:77:3-10: error[SPEC029] a SlurmCluster has no field for a key of tokens"
refused 's/  hooks: .*/  rest: true/' "bad.yaml:77:3-7: error[SPEC029] there is no slurmrestd in this dialect"
refused 's/  hooks: .*/  tolerations: [{operator: Exists}]/' "bad.yaml:77:3-14: error[SPEC029] a SlurmCluster has no field for tolerations"
refused 's/  hooks: .*/  monitoring: {metrics: true}/' "bad.yaml:77:16-23: error[SPEC029] a SlurmCluster has no field for metrics"
refused 's/auth: munge/auth: slurm/' "bad.yaml:9:9-14: error[SPEC029] the pods of SUNK run munge alone"
refused 's/type: ldap/type: sssd/' "bad.yaml:12:20-24: error[SPEC029] the guides for SUNK show 'ldap' alone"
refused 's/^    kubernetes:$/    kubernetes: {}/; /^      selector: {reserved.tenant: tenant-foo, workload/d; /^      selector: {res/d; /^      tolerations/d' \
    "error[SPEC029] reservation 'tenant-foo-training' takes 12 of the 16 nodes of class 'gpu-h100'"
refused 's/partition: training/partition: trainig/' "error[SPEC035] there is no partition 'trainig', expected one such as 'training'"
refused 's/accounts: \[tenant-foo\]/accounts: [tenant-bar]/' "error[SPEC035] there is no account 'tenant-bar', expected one such as 'platform'"
refused 's/    accounts: \[tenant-foo\]//' "error[SPEC036] reservation 'tenant-foo-training' is for no account and no user"
refused '/^reservations:/,/^$/s/gpu-\[01-12\]/gpu-[01-20]/' "error[SPEC035] reservation 'tenant-foo-training' takes gpu-[17-20], which no class has"
refused 's/limits: {grp_tres: /limits: {max_colour: /' "'max_colour' is no limit of an account"
refused 's/^kubernetes:/topology: {switches: [{name: s, nodes: gpu-h100}]}\nkubernetes:/' "section 'topology' places machines"
# Two classes of other shapes: NodeName=DEFAULT holds for all.
refused 's/^partitions:/  cpu:\n    hosts: cpu-[01-04]\n    cpus: 64\n    memory: 250 GiB\npartitions:/' \
    "a NodeSet of SUNK has no field for"
# Two names that become one object.
refused 's/^    platform: /    Tenant_Foo: {}\n    platform: /' "would both become the object 'tenant-foo' of kind SlurmClusterAccount"

# A reservation without a taint is told, and makes no object.
sed '/^    taint:/d' "$SPEC" >untainted.yaml
"$PLUMB" build untainted.yaml --target sunk --format compact -o untainted >out 2>&1 || fail "refused without a taint"
in_out "info[SPEC017] reservation 'tenant-foo-training' has no taint"
[ ! -e untainted/kubernetes/80-binding-tenant-foo-training.yaml ] || fail "a binding without a taint"

# Images of another release than the files.
sed 's/slurmctld:24.11.5/slurmctld:23.11.7/' "$SPEC" >image.yaml
"$PLUMB" build image.yaml --target sunk --format compact -o image >out 2>&1 || fail "an image of another release is refused"
in_out "image.yaml:73:24-66: warning[SPEC037] the image is of Slurm 23.11, expected 24.11"

# The others: a taint is refused, reservations and accounts are told.
sed -n '/^reservations:/,/^$/p' "$SPEC" | sed 's/accounts: .*/users: [alice]/' >reservations
{ cat "$PLUMB_SOURCE/testdata/examples/slinky/cluster.yaml"; echo; cat reservations; } >slinky.yaml
"$PLUMB" build slinky.yaml -q --format compact --target slinky -o slinky >out 2>&1 && fail "Slinky takes a taint"
grep -qE "slinky.yaml:[0-9]+:5-10: error\[SPEC029\] Slinky taints no machine for reservation 'tenant-foo-training'" out || { fail "no word of the taint"; cat out; }
sed -i '/^    taint:/d' slinky.yaml
"$PLUMB" build slinky.yaml --format compact --target slinky -o slinky >out 2>&1 || { fail "Slinky refuses a reservation"; cat out; }
in_out "info[SPEC017] section 'reservations' is known"

# ---- values of the chart ----

sed -e 's/hosts: \[slurmctld-0, slurmctld-1\]/hosts: slurmctld-0/' -e '/identity:/d' -e '/^    weight/d' -e '/nvme:/d' -e '/^reservations/,/^$/d' \
    -e '/ssh_keys/d' -e '/hooks/d' -e 's/ReadWriteMany/ReadWriteOnce/' -e 's/  flavor: sunk/  flavor: sunk\n  form: values/' \
    -e 's/^  munge_key.*/&\n  jwt_key: {secret: slurm-jwt}\n  service: {login: ClusterIP}\n  rest: true/' "$SPEC" >values-spec.yaml
"$PLUMB" build values-spec.yaml -q --target sunk-values -o values >out 2>&1 || { fail "values are refused"; cat out; }
[ "$(ls values/kubernetes)" = values.yaml ] || fail "other files than values"
"$PLUMB" check values/kubernetes/values.yaml -q --fail-on info >out 2>&1 || { fail "the values are not all known"; cat out; }
for word in 'gresGpu: h100:8' 'replicas: 12' 'skuCpu: "224"' 'reservedMemory: 32Gi' 'storageClassName: weka-rwx' 'existingSecret: munge-key' \
    'existingSecret: slurm-jwt' 'PartitionName=training Nodes=gpu-h100-training ' 'DefMemPerCPU: 8782' 'externalTrafficPolicy: ""' \
    'ConstrainDevices: "yes"' 'PurgeJobAfter: 24months' 'tag: "24.11.5"' 'procTrackType: proctrack/cgroup' \
    'taskPlugin: task/cgroup,task/affinity' 'selectTypeParameters: CR_Core_Memory' 'accountingStorageEnforce: associations,limits,safe'; do
    has values/kubernetes/values.yaml "$word"
done
# The chart mounts cgroups by the value, and its line would stand beside one of ours.
for key in ProctrackType TaskPlugin SelectTypeParameters AccountingStorageEnforce DefMemPerCPU; do
    hasnt values/kubernetes/values.yaml "$key="
done
for key in ClusterName SlurmctldHost SlurmctldPort SlurmUser StateSaveLocation AuthType AccountingStorageType StorageHost DbdHost; do
    ! grep -qE "^ +${key}[=:]" values/kubernetes/values.yaml || fail "$key is the chart's"
done
"$PLUMB" build values-spec.yaml -q --target sunk -o none >out 2>&1 && fail "objects in spite of 'form: values'"
"$PLUMB" build "$SPEC" -q --target sunk-values -o none >out 2>&1 && fail "values in spite of objects"

# refused_values EXPRESSION WORDS: what the chart has no value for.
refused_values() {
    sed "$1" values-spec.yaml >bad.yaml
    "$PLUMB" build bad.yaml -q --format compact --target sunk-values -o bad >out 2>&1 && fail "taken: $1"
    grep -qF "$2" out || { fail "not said: $2"; cat out; }
    [ ! -e bad/kubernetes ] || fail "files in spite of an error"
}
refused_values 's/hosts: slurmctld-0/hosts: [a, b]/' "bad.yaml:7:14-15: error[SPEC029] the chart of SUNK runs one slurmctld, the backup would be lost"
refused_values 's/ReadWriteOnce/ReadWriteMany/' "the volume of the controller is ReadWriteOnce"
refused_values 's/^    features:/    weight: 7\n    features:/' "the chart has no value for Weight of a node"
refused_values 's|^      gpu: .*|&\n      nvme: {type: local, files: /dev/nvme0n1}|' "an entry of the chart has GPUs of one type and no other resource"
refused_values 's/^  hosts: login.*/&\n  identity: {type: ldap, host: h}/' "the users of the chart come by nsscache"
refused_values 's/, database: 100 GiB//' "the chart of SUNK runs a database of its own"
refused_values 's/^  rest: true/  ssh_keys: {secret: a}/' "the chart has no value for keys with which somebody logs in"
sed 's/flavor: soperator/flavor: soperator\n  form: values/' "$PLUMB_SOURCE/testdata/examples/soperator/cluster.yaml" >bad.yaml
"$PLUMB" build bad.yaml -q --format compact -o bad >out 2>&1 && fail "values for Soperator"
grep -qF "error[SPEC029] values are written for the charts of Slinky and of SUNK alone" out || fail "no word of the form"

# Values of others are read: what nothing public shows, types, and the text of Slurm within.
mkdir read
cat >read/values.yaml <<'END'
clusterName: c
compute:
  nodes:
    gpu:
      enabled: yes please
      gresGpus: h100:8
  partitions: |
    PartitionName=all Nodes=gpu MaxTme=1
slurmConfig:
  DefMemPerCPU: 4 GiB
  extraConfig: |
    KillWait=30
    KilWait=30
sync: {}
END
"$PLUMB" check -C read -q --format compact --fail-on never . 2>&1 | sed -nE 's/^(values.yaml:[0-9]+:[0-9]+)[^ ]* ([a-z]+)\[([A-Z0-9]+)\].*/\1 \2 \3/p' >out
for line in 'values.yaml:5:16 error KUBE003' 'values.yaml:6:7 warning KUBE020' 'values.yaml:8:33 error CONF001' 'values.yaml:10:17 error KUBE003' \
    'values.yaml:13:5 error CONF001' 'values.yaml:14:1 warning KUBE020'; do
    grep -qxF "$line" out || { fail "not found: $line"; cat out; }
done
[ "$(wc -l <out)" = 6 ] || { fail "more is found"; cat out; }

# With the cluster put together: mappings whose pairs become lines, partitions against entries, each at its place.
mkdir together
cat >together/values.yaml <<'END'
clusterName: c
accounting:
  config:
    PurgeJobAfter: 24monkeys
    PurgeJobAftr: 1month
autoPartition: {enabled: false}
compute:
  nodes:
    definition: {gresGpu: "h100:8", skuCpu: "224", resources: {limits: {memory: 1000Gi}}}
    gpu: {enabled: true, replicas: 4, definitions: [definition]}
  partitions: |
    PartitionName=all Nodes=gpu Default=YES
    PartitionName=typo Nodes=gpo
    PartitionName=pods Nodes=gpu-[0-1]
slurmConfig:
  selectTypeParameters: CR_Core_Memory
  cgroupConfig:
    ConstrainDevices: perhaps
END
"$PLUMB" check -C together -q --format compact --fail-on never . 2>&1 | sed -nE 's/^(values.yaml:[0-9]+:[0-9]+)[^ ]* ([a-z]+)\[([A-Z0-9]+)\].*/\1 \2 \3/p' >out
for line in 'values.yaml:4:22 error CONF010' 'values.yaml:5:5 error CONF001' 'values.yaml:13:30 error PART001' 'values.yaml:14:30 error KUBE070' \
    'values.yaml:18:23 error CONF010'; do
    grep -qxF "$line" out || { fail "not found: $line"; cat out; }
done
[ "$(wc -l <out)" = 5 ] || { fail "more is found"; cat out; }

# ---- kustomize and validators ----

if command -v kubectl >/dev/null && kubectl kustomize --help >/dev/null 2>&1; then
    kubectl kustomize made/kubernetes >built.yaml 2>out || { fail "kustomize refuses the folder"; cat out; }
    [ "$(grep -c '^kind: ' built.yaml)" = "$(grep -c '^- ' made/kubernetes/kustomization.yaml)" ] || fail "kustomize lost an object"
else
    echo "note: no kubectl, kustomize was not asked"
fi

if ! validators || [ ! -d "$SHARED/facts/k8s/validate" ]; then
    echo "note: no validators: no node, no ajv in PLUMB_KUBE_NODE, or no definitions under $SHARED"
    done_testing
fi
cp "$SHARED/facts/k8s/validate/"*.mjs .
node k8sval.mjs "$SHARED/facts/k8s/k8s-v1.36-schema-subset.json" made/kubernetes/00-*.yaml >out 2>&1 || { fail "Kubernetes refuses an object"; cat out; }
done_testing
