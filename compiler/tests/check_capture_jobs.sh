#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The Jobs that capture nodes of Kubernetes, in tools/capture and in doc/audit.md, are what the API server takes:
# checked strictly against the schema of Kubernetes with the validator beside the reference material.
# Skipped where that, node or its modules are missing.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

facts=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}/facts/k8s
schema=$facts/k8s-v1.36-schema-subset.json
skip() {
    echo "SKIPPED: $*; the Jobs of captures were validated by nobody"
    exit 77
}
for file in "$facts/validate/k8sval.mjs" "$schema"; do
    [ -f "$file" ] || skip "there is no $file"
done
validators || skip "no node, or no ajv in PLUMB_KUBE_NODE"
cp "$facts/validate/k8sval.mjs" .

valid() { # FILE: it is one Job without a fault
    node k8sval.mjs "$schema" "$1" >out 2>&1 || { fail "$1 is refused:"; cat out; }
    grep -qE ' batch/v1/Job [a-z-]+ ok$' out || { fail "$1 is no Job that was checked:"; cat out; }
}
cp "$PLUMB_SOURCE/tools/capture/kubernetes.yaml" capture.yaml
valid capture.yaml
sed -n "/<<'YAML'/,/^YAML\$/p" "$PLUMB_SOURCE/doc/audit.md" | sed '1d;$d' >audit.yaml
valid audit.yaml

# What the validator must refuse: a key that is written wrong, a number that is none.
for change in s/completions:/completion:/ 's/completions: .*/completions: many/' s/volumeMounts:/volumeMount:/; do
    for job in capture audit; do
        sed "$change" $job.yaml >wrong.yaml
        node k8sval.mjs "$schema" wrong.yaml >out 2>&1 && fail "$change in $job.yaml is not refused"
    done
done

# The programs in them are shell that can be read.
for job in capture audit; do
    node -e '
        const job = require("yaml").parse(require("fs").readFileSync(process.argv[1], "utf8"));
        for (const c of job.spec.template.spec.containers) console.log(c.args.join("\n"));' $job.yaml >$job.sh
    [ -s $job.sh ] || fail "$job.yaml has no program"
    bash -n $job.sh || fail "$job.yaml: its program is no shell"
done
done_testing
