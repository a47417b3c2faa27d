#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What target gpu-stack makes: rules about manifests are quiet on it, every metric of an alert is in the list, promtool takes the
# alerts and they fire on the series that they are for; MIG layouts and shared GPUs are those of the classes.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

SPEC=$PLUMB_SOURCE/testdata/examples/slinky/cluster.yaml

"$PLUMB" build "$SPEC" -q --target gpu-stack -o made >out 2>&1 || fail "the example does not build: $(cat out)"
"$PLUMB" check -C made -q --fail-on info gpu-stack >out 2>&1 || fail "findings on the objects: $(cat out)"
[ "$(ls made)" = "$(printf 'MANIFEST.json\ngpu-stack')" ] || fail "another target wrote files"
"$PLUMB" build "$SPEC" -q --target gpu-stack -o again >out 2>&1
diff -r made again >out || fail "a second build differs"
for mode in enforce audit warn; do
    has made/gpu-stack/00-namespace.yaml "pod-security.kubernetes.io/$mode: privileged"
done
# The operator's own monitor of the same exporter would give every series twice.
has made/gpu-stack/40-service-monitor.yaml 'app: nvidia-dcgm-exporter'
grep -A1 'serviceMonitor:' made/gpu-stack/values.yaml | grep -q 'enabled: false' || fail "two monitors of one exporter"
has made/gpu-stack/values.yaml 'name: slurm-dcgm-metrics'

# Not asked for: nothing, and an error where it was named.
"$PLUMB" build "$PLUMB_SOURCE/testdata/examples/tiny/cluster.yaml" --target gpu-stack -o none >out 2>&1 &&
    fail "a specification without the section builds"
has out "the specification has no section 'gpu_operator'"
# slurmctld answers to Prometheus from 25.11 on.
sed 's/^slurm: .*/slurm: "24.11"/' "$SPEC" >old.yaml
"$PLUMB" build old.yaml -q --target gpu-stack -o old >out 2>&1 || fail "24.11 is refused"
hasnt old/gpu-stack/50-alerts.yaml slurm_nodes
has made/gpu-stack/50-alerts.yaml slurm_nodes_drained
# A machine without NVLink has no alerts about it.
sed -i 's/topology: dgx-h100/topology: l40s-pcie/; s/type: h100, count: 8/type: l40s, count: 4/; s/memory: 2000000 MB/memory: 250000 MB/' old.yaml
"$PLUMB" build old.yaml -q --target gpu-stack -o pcie >out 2>&1 || fail "l40s-pcie is refused: $(cat out)"
hasnt pcie/gpu-stack/50-alerts.yaml GpuNvlink
hasnt pcie/gpu-stack/50-alerts.yaml GpuFabricManager
has pcie/gpu-stack/50-alerts.yaml GpuRowRemapPending

# ---- MIG and shared GPUs ----

# with GRES [TEXT]: a cluster of one class on eight GPUs.
with() {
    cat >cut.yaml <<TEXT
plumb: 1
cluster: c
control: {hosts: ctl}
nodes:
  cut: {hosts: n1, topology: dgx-h100, memory: 1000000 MB, autodetect: nvml, gres: {$1}}
partitions: {p: {nodes: all}}
kubernetes: {flavor: sunk, gpu_operator: {}}
TEXT
    rm -rf cut
    "$PLUMB" build cut.yaml -q --format compact --force --target gpu-stack -o cut >out 2>&1
}
with 'gpu: [{type: 3g.40gb, count: 16}]'
has cut/gpu-stack/10-mig-layouts.yaml '3g.40gb: 2'
has cut/gpu-stack/values.yaml 'strategy: single'
with 'gpu: [{type: 1g.10gb, count: 24}, {type: 4g.40gb, count: 8}]'
has cut/gpu-stack/10-mig-layouts.yaml '1g.10gb: 3'
has cut/gpu-stack/10-mig-layouts.yaml '4g.40gb: 1'
has cut/gpu-stack/values.yaml 'strategy: mixed'
with 'gpu: {type: h100, count: 8}, shard: {per_gpu: 4}'
has cut/gpu-stack/20-device-plugin.yaml 'replicas: 4'
has cut/gpu-stack/20-device-plugin.yaml 'timeSlicing:'
has cut/gpu-stack/20-device-plugin.yaml 'failRequestsGreaterThanOne: false'
has cut/gpu-stack/values.yaml 'name: slurm-device-plugin'
with 'gpu: {type: h100, count: 8}, mps: {per_gpu: 10}'
has cut/gpu-stack/20-device-plugin.yaml 'mps:'
has cut/gpu-stack/20-device-plugin.yaml 'replicas: 10'
with 'gpu: {type: h100, count: 8}, mps: {per_gpu: 100}'
has out "100 shares of mps are percent"
[ ! -e cut/gpu-stack/20-device-plugin.yaml ] || fail "100 clients of MPS"

with 'gpu: [{type: h100, count: 4}, {type: 1g.10gb, count: 32}]'
has out "whole GPUs beside instances"
with 'gpu: [{type: 3g.40gb, count: 15}]'
has out "leave open how each one is cut"
sed 's/gpu_operator: {}/gpu_operator: {release: "1.0"}/' cut.yaml >release.yaml
"$PLUMB" check -q release.yaml >out 2>&1 && fail "a release that there is not"
has out "release '1.0' of the GPU operator is in no table"

# On Slinky the pods ask for what the device plugin then has, and the runbook tells the labels.
sed 's/^kubernetes: .*/kubernetes: {flavor: slinky, gpu_operator: {}, gitops: {}}/;
    s/gres: .*/gres: {gpu: {type: 3g.40gb, count: 16}}, kubernetes: {selector: {pool: "a b"}}}/' cut.yaml >slinky.yaml
"$PLUMB" build slinky.yaml -q --force --target slinky,gpu-stack,gitops -o slinky >out 2>&1 || fail "MIG on Slinky is refused: $(cat out)"
has slinky/kubernetes/50-nodeset-cut.yaml 'nvidia.com/gpu: 16'
has slinky/gitops/RUNBOOK.md "kubectl label nodes -l 'pool=a b' nvidia.com/mig.config=cut --overwrite"
sed -i 's/gpu_operator: {}, //' slinky.yaml
"$PLUMB" build slinky.yaml -q --force --target slinky -o refused >out 2>&1 && fail "instances without a strategy"
has out "does not say so"

# ---- the alerts ----

python3 - made/gpu-stack "$PLUMB_SOURCE/testdata/alerts/series.yaml" <<'PYTHON' || fail "the alerts are not covered"
import re, sys, yaml
folder, tests = sys.argv[1], yaml.safe_load(open(sys.argv[2]))
spec = yaml.safe_load(open(folder + "/50-alerts.yaml"))["spec"]
listed = {line.split(",")[0] for line in yaml.safe_load(open(folder + "/30-dcgm-metrics.yaml"))["data"]["dcgm-metrics.csv"].splitlines()}
yaml.safe_dump(spec, open("rules.yaml", "w"), sort_keys=False)
rules = [rule for group in spec["groups"] for rule in group["rules"]]
checks = [check for test in tests["tests"] for check in test["alert_rule_test"]]
for rule in rules:
    unknown = set(re.findall(r"DCGM_[A-Z0-9_]+", re.sub(r'"[^"]*"', "", rule["expr"]))) - listed
    assert not unknown, (rule["alert"], unknown)
    seen = [bool(check["exp_alerts"]) for check in checks if check["alertname"] == rule["alert"]]
    assert True in seen and False in seen, (rule["alert"], "has no case that fires and one that does not")
assert len(rules) >= 10
PYTHON
if [ ! -x "${PLUMB_PROMTOOL:-}" ]; then
    echo "note: no promtool in PLUMB_PROMTOOL (.ci/kube/promtool): the alerts are not read by Prometheus"
    done_testing
fi
cp "$PLUMB_SOURCE/testdata/alerts/series.yaml" .
"$PLUMB_PROMTOOL" check rules rules.yaml >out 2>&1 || fail "promtool refuses the rules: $(cat out)"
"$PLUMB_PROMTOOL" test rules series.yaml >out 2>&1 || fail "an alert fires wrongly, or does not: $(cat out)"
done_testing
