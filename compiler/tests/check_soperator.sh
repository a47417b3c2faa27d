#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Objects that target soperator makes: the rules about manifests are quiet on them, validators of CRDs take them, kustomize
# builds them, and the operator's own keys are not in them. What Soperator cannot do is an error at its place.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

SHARED=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}
SPEC=$PLUMB_SOURCE/testdata/examples/soperator/cluster.yaml
CLUSTER=kubernetes/40-slurmcluster.yaml

# ---- what is asked for and cannot be made ----

! "$PLUMB" build "$PLUMB_SOURCE/testdata/examples/slinky/cluster.yaml" --target soperator -o none >out 2>&1 ||
    fail "a section of another flavor builds"
grep -q "slinky/cluster.yaml:41:1" out || fail "the place of the refusal is not told: $(cat out)"
[ ! -e none ] || fail "a refused build wrote files"

# ---- what is made ----

"$PLUMB" build "$SPEC" -q --target soperator -o made >out 2>&1 || fail "the example does not build: $(cat out)"
"$PLUMB" check -C made -q --kubernetes soperator=4.1.7 --fail-on info kubernetes >out 2>&1 ||
    fail "the objects are not without findings: $(cat out)"
[ "$(ls made)" = "$(printf 'MANIFEST.json\nkubernetes')" ] || fail "another target wrote files"
for key in ClusterName SlurmctldHost SlurmctldPort SlurmUser AuthType CredType StateSaveLocation SlurmdSpoolDir NodeName NodeSet \
    PartitionName AccountingStorageType AccountingStorageHost TaskPlugin ProctrackType SelectType MaxNodeCount; do
    ! grep -qE "^ +$key=" made/$CLUSTER || fail "$key is the operator's"
done
for word in 'SchedulerParameters=nohold_on_prolog_fail,extra_constraints,pack_serial_at_end,salloc_wait_nodes,sbatch_wait_nodes,bf_window=10080' \
    PreemptType=preempt/none PreemptMode=OFF GresTypes=gpu 'defCpuPerGPU: 0' 'topologyPlugin: ""' 'purgeJobAfter: 24months' \
    'purgeTXNAfter: 600months' 'archiveJobs: "no"' 'accountingStorageTRES: Gres/gpu' 'configType: structured' \
    'config: Default=yes State=UP MaxTime=7-00:00:00 DefMemPerCPU=4096' 'volumeSourceName: jail' 'sshdServiceType: LoadBalancer'; do
    has made/$CLUSTER "$word"
done
# slurmctld ignores it beside the DefMemPerNode that the operator always writes.
hasnt made/$CLUSTER '    DefMemPerCPU='
! grep -qE '^ +#' made/$CLUSTER || fail "texts have comments"
set=made/kubernetes/50-nodeset-h100-training.yaml
for word in 'replicas: 12' 'memory: 2000000Mi' 'nvidia.com/gpu: 8' 'cpu: 220' 'repository: cr.eu-north1.nebius.cloud/soperator/munge' \
    'tag: 4.1.7-noble-slurm25.11.3' 'claimName: tenant-foo-jail' '- AutoDetect=off' '- Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=56-111' \
    'static: Sockets=2 CoresPerSocket=56 ThreadsPerCore=2 Gres=gpu:h100:8 CPUSpecList=0-1,112-113 MemSpecLimit=32768 Weight=100'; do
    has $set "$word"
done
for word in RealMemory Features= State= NodeAddr; do hasnt $set $word; done
for word in gpu: Name=gpu nvidia.com; do hasnt made/kubernetes/50-nodeset-cpu.yaml $word; done
# All nodes are in the cloud: slurmctld ends where two say another AutoDetect, and the operator says one for all.
has made/kubernetes/50-nodeset-cpu.yaml '- AutoDetect=off'
hasnt made/$CLUSTER openMetrics
has made/kubernetes/11-jail.yaml '- ReadWriteMany'
! grep -rqE 'munge.key: |password: [^k]|BEGIN .*PRIVATE' made/kubernetes || fail "something like a secret is written"

# ---- what fields take, and what they do not ----

{ cat "$SPEC"; cat <<'TEXT'; } >fields.yaml
overrides:
  slurm.conf:
    MessageTimeout: 100
    SuspendTime: INFINITE
    PriorityWeightAge: 32767
    PriorityWeightFairshare: 100000
    GresTypes: gpu,nvme
    AccountingStorageTRES: gres/gpu,gres/nvme
    HealthCheckProgram: /usr/sbin/check
    HealthCheckInterval: 300
    HealthCheckNodeState: IDLE,CYCLE
    LaunchParameters: mpir_use_nodeaddr
    SlurmctldPort: 7000
    SlurmdPort: 7001
    Prolog: /opt/prolog.sh
    PreemptType: preempt/qos
    PreemptMode: CANCEL
    DefCpuPerGPU: 8
    MaxNodeCount: 3000
TEXT
"$PLUMB" build fields.yaml -q --target soperator -o fields >out 2>&1 || fail "fields are refused: $(cat out)"
"$PLUMB" check -C fields -q --kubernetes soperator=4.1.7 --fail-on warning kubernetes >out 2>&1 ||
    fail "findings on fields: $(cat out)"
for word in 'messageTimeout: 100' SuspendTime=INFINITE 'priorityWeightAge: 32767' PriorityWeightFairshare=100000 \
    AccountingStorageTRES=gres/gpu,gres/nvme 'healthCheckProgram: /usr/sbin/check' 'healthCheckInterval: 300' '- state: IDLE' \
    '- state: CYCLE' LaunchParameters=use_interactive_step,mpir_use_nodeaddr 'port: 7000' 'prolog: /opt/prolog.sh' \
    PreemptType=preempt/qos PreemptMode=CANCEL 'defCpuPerGPU: 8' MaxNodeCount=3000 SlurmdPort=7001; do
    has fields/$CLUSTER "$word"
done
for word in PriorityWeightAge= priorityWeightFairshare suspendTime SlurmctldPort= Prolog= accountingStorageTRES; do
    hasnt fields/$CLUSTER $word
done
has fields/kubernetes/50-nodeset-cpu.yaml 'port: 7001'
sed '/HealthCheckNodeState/d; s/    MaxNodeCount: 3000/    TopologyParam: RoutePart/' fields.yaml >any.yaml
"$PLUMB" build any.yaml -q --target soperator -o any >out 2>&1 || fail "a check without states is refused: $(cat out)"
has any/$CLUSTER '- state: ANY'
has any/$CLUSTER 'topologyParam: RoutePart'
# What the operator says itself is not said again; another one all sets say.
sed 's/^    reserve: .*/    autodetect: nvidia/' "$SPEC" >detect.yaml
"$PLUMB" build detect.yaml -q --target soperator -o detect >out 2>&1 || fail "autodetect is refused: $(cat out)"
! grep -rq AutoDetect detect/kubernetes || fail "AutoDetect=nvidia is the operator's"
sed 's/^    reserve: .*/    autodetect: nvml/' "$SPEC" >detect.yaml
"$PLUMB" build detect.yaml -q --target soperator -o detect >out 2>&1 || fail "nvml is refused: $(cat out)"
[ "$(grep -l 'AutoDetect=nvml$' detect/kubernetes/50* | wc -l)" = 3 ] || fail "not every set says nvml"
# 25.05 has no MetricsType, which the operator writes unless it is told not to.
sed 's/^slurm: .*/slurm: "25.05"/' "$SPEC" >old.yaml
"$PLUMB" build old.yaml -q --target soperator -o old >out 2>&1 || fail "25.05 is refused: $(cat out)"
grep -A1 'openMetrics:' old/$CLUSTER | grep -q 'enabled: false' || fail "metrics in a release without them"
# Without a database, login hosts, jail size, with a claim of its own.
sed '/^login:/,/^nodes:/{/^nodes:/!d}; s/jail: {.*}}/claim: state, jail: {claim: shared}}/; /  rest: true/d' "$SPEC" >less.yaml
"$PLUMB" build less.yaml -q --target soperator -o less >out 2>&1 || fail "less is refused: $(cat out)"
has less/$CLUSTER 'size: 0'
has less/$CLUSTER 'claimName: state'
has less/$CLUSTER 'volumeSourceName: controller-spool'
has less/kubernetes/10-claim.yaml 'storage: 128Gi'
[ ! -e less/kubernetes/11-jail.yaml ] || fail "a claim that is there already is written"
hasnt less/$CLUSTER slurmdbd
# Volumes that are there already.
sed 's/state: 128 GiB, //' less.yaml >there.yaml
"$PLUMB" build there.yaml -q --target soperator -o there >out 2>&1 || fail "claims are refused: $(cat out)"
"$PLUMB" check -C there -q --kubernetes soperator=4.1.7 --fail-on info kubernetes >out 2>&1 || fail "findings on claims: $(cat out)"
[ ! -e there/kubernetes/10-claim.yaml ] || fail "a claim of no size is written"

# ---- the same again, and names that mean something to YAML ----

"$PLUMB" build "$SPEC" -q --target soperator -o again >out 2>&1
diff -r made again >out || fail "a second build differs"
# shellcheck disable=SC2016 # meant as it stands
sed 's/nvidia.com\/gpu.product: NVIDIA-H100-80GB-HBM3/example.com\/pool: "yes", "on": "1e3", example.com\/x: "{{ $(id) }} # '"'"'\\"\&*"/
    s/class: network-ssd/class: "010"/; s/root_keys: .*/root_keys: ["- {a: b} # \\"c\\"", "null"]/' "$SPEC" >names.yaml
"$PLUMB" build names.yaml -q --target soperator -o names >out 2>&1 || fail "names are refused: $(cat out)"
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - <<'PY' || fail "names are not what they were"
import glob, yaml
cluster = yaml.safe_load(open("names/kubernetes/40-slurmcluster.yaml"))["spec"]
login = cluster["slurmNodes"]["login"]
assert login["sshRootPublicKeys"] == ['- {a: b} # "c"', "null"], login
claim = cluster["slurmNodes"]["controller"]["volumes"]["spool"]["volumeClaimTemplateSpec"]
assert claim["storageClassName"] == "010", claim
chosen = yaml.safe_load(open("names/kubernetes/50-nodeset-h100-training.yaml"))["spec"]["nodeSelector"]
assert chosen == {"example.com/pool": "yes", "on": "1e3", "example.com/x": "{{ $(id) }} # '\"&*"}, chosen
PY
fi

# ---- what Soperator cannot do ----

# refused EDIT PLACE TEXT: the example with a part replaced gives an error at the place, with these words.
refused() {
    sed "$1" "$SPEC" >bad.yaml
    "$PLUMB" build bad.yaml -q --format compact --target soperator -o bad >out 2>&1 && fail "taken: $1"
    grep -F "bad.yaml:$2: error[${4:-SPEC029}] " out | grep -qF "$3" || fail "not said at $2: $3, but $(grep error out)"
    [ ! -e bad/kubernetes ] || fail "files in spite of an error"
}
refused 's/slurm-controller-0/a, b/' 6:14-15 "Soperator 4.1.7 runs one controller, and so does every release that plumb knows"
refused 's/^cluster: .*/cluster: Tenant_Foo/' 2:10-20 "for which 'Tenant_Foo' is no name"
refused 's/  namespace: .*/  name: other/' 53:9-14 "so it cannot be 'other' and 'tenant-foo'"
refused 's/"4.1.7"$/"4.0"/' 52:12-17 "release '4.0' of Soperator is in no table, expected one such as 4.1.7"
refused 's/  munge_key: .*/  slurm_key: {secret: x}/' 64:3-12 "so 'slurm_key' is read by nobody"
refused 's/  munge_key: .*/  ssh_keys: {secret: x}/' 64:3-11 "expected 'root_keys'"
refused 's/{secret: tenant-foo-munge,/{secret: mine,/' 64:23-27 "from Secret 'tenant-foo-munge', not from 'mine'"
refused 's/key: munge.key/key: k/' 64:46-47 "from key 'munge.key' of its Secret, not from 'k'"
refused 's/key: rest_jwt.key/key: k/' 65:51-52 "from key 'rest_jwt.key'"
refused '/    password: /d' 9:1-9 "expected a reference to it as 'database.storage.password'"
refused '/    munge: /d' 50:1-11 "expected 'kubernetes.images.munge'"
refused 's/munge:4.1.7-noble-slurm25.11.3/munge/' 60:12-55 "by tag, 'cr.eu-north1.nebius.cloud/soperator/munge' has none"
refused 's/  storage: {class: network-ssd, .*/  storage: {jail: {claim: x}}/' 50:1-11 "'kubernetes.storage.state' or 'kubernetes.storage.claim'"
refused 's/, jail: {.*}}/}/' 50:1-11 "expected 'kubernetes.storage.jail'"
refused '/  service: /d' 50:1-11 "makes a Service for its login pods in any case"
refused 's/login: LoadBalancer/login: ClusterIP/' 68:20-29 "expected LoadBalancer or NodePort"
refused 's/login: LoadBalancer/login: NodePort/' 68:20-28 "expected 'login_port'"
refused 's/login: LoadBalancer/login: NodePort, login_port: 22/' 68:42-44 "expected 30000 to 32767"
refused 's/login: LoadBalancer/login: LoadBalancer, login_port: 30022/' 68:46-51 "expected 'login: NodePort'"
refused '/^database:/,/^$/d' 62:9-13 "expected a section 'database'"
refused 's/^slurm: .*/slurm: "24.11"/; s/^  rest: true/&\n  monitoring: {metrics: true}/' 70:25-29 "Slurm 24.11 has no MetricsType"
refused 's/^scheduling:/topology: {plugin: tree, switches: [{name: s, nodes: all}]}\n&/' 47:1-9 "the units would be lost"
refused 's/host: mariadb/&\n    name: accounts/' 13:11-19 "uses database 'slurm_acct_db', not 'accounts'"
refused '69a overrides: {slurmdbd.conf: {CommitDelay: 1}}' 70:29-40 "no field for CommitDelay of slurmdbd.conf"
refused '69a overrides: {slurmdbd.conf: {TCPTimeout: 40000}}' 70:41-46 "does not take '40000': expected int16"
refused 's/^    memory: 512 GiB/&\n    gres: {gpu: {type: l4, count: 1}}\n    autodetect: nvml/' 28:3-6 "of two NodeSets have another AutoDetect" GEN003
refused 's/^    memory: 512 GiB/&\n    state: down/' 34:12-16 "a NodeSet cannot say this of its nodes" GEN003

# ---- validators ----

if command -v kubectl >/dev/null; then
    kubectl kustomize made/kubernetes >built.yaml 2>out || fail "kustomize does not build it: $(cat out)"
    [ "$(grep -c '^kind: ' built.yaml)" = "$(find made/kubernetes -name '[0-9]*' | wc -l)" ] || fail "kustomize lost an object"
fi
if [ ! -d "$SHARED/facts/soperator/crds-4.1.7" ] || ! validators; then
    echo "note: no validators: no node, no ajv in PLUMB_KUBE_NODE, or no definitions under $SHARED"
    done_testing
fi
cp "$SHARED/facts/k8s/validate/"*.mjs .
node crdval.mjs "$SHARED/facts/soperator/crds-4.1.7" {made,fields,less,names}/kubernetes/[45]*.yaml >out 2>&1 || fail "the CRDs refuse an object: $(grep -v ': ok' out)"
node k8sval.mjs "$SHARED/facts/k8s/k8s-v1.36-schema-subset.json" {made,less}/kubernetes/[0-2]*.yaml >out 2>&1 || fail "Kubernetes refuses an object: $(cat out)"
done_testing
