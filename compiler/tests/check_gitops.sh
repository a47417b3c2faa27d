#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What target gitops makes: every Secret that an object refers to comes from somewhere, kustomize builds the folder, the runbook
# names objects that there are, and no value of a secret stands anywhere.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

SHARED=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}
SPEC=$PLUMB_SOURCE/testdata/examples/slinky/cluster.yaml

"$PLUMB" build "$SPEC" -q --target slinky,gpu-stack,gitops -o made >out 2>&1 || fail "the example does not build: $(cat out)"
"$PLUMB" check -C made -q --kubernetes slinky=1.2.1 --fail-on info kubernetes gpu-stack gitops >out 2>&1 ||
    fail "findings on the whole: $(cat out)"
"$PLUMB" build "$SPEC" -q --target slinky,gpu-stack,gitops -o again >out 2>&1
diff -r made again >out || fail "a second build differs"
# A Secret that nobody makes is found, so that quiet means that all of them are there.
cp -r made missing
rm missing/gitops/10-secret-slurm-auth-slurm.yaml
"$PLUMB" check -C missing -q --format compact --kubernetes slinky=1.2.1 kubernetes gitops >out 2>&1
has out "KUBE040"
for secret in slurm-auth-slurm slurm-auth-jwt mariadb-password sssd; do
    has made/gitops/kustomization.yaml "10-secret-$secret.yaml"
    has made/gitops/RUNBOOK.md "| \`$secret\` |"
done
has made/gitops/10-secret-slurm-auth-slurm.yaml 'key: slurm/tenant-foo/slurm-auth-slurm'
has made/gitops/10-secret-slurm-auth-slurm.yaml 'decodingStrategy: Base64'
hasnt made/gitops/10-secret-sssd.yaml decodingStrategy

# The names in commands are those of the objects.
for set in training inference; do
    has made/kubernetes/50-nodeset-h100-$set.yaml "name: slurm-worker-h100-$set"
    has made/gitops/RUNBOOK.md "kubectl -n tenant-foo delete pod -l app.kubernetes.io/name=slurmd,app.kubernetes.io/instance=slurm-worker-h100-$set"
done
has made/gitops/RUNBOOK.md 'go down with their jobs'

# ---- the other styles ----

# styled SECTION: the example with another section.
styled() {
    sed "s|^  gitops:.*|  gitops: {$1}|" "$SPEC" >styled.yaml
    rm -rf styled
    "$PLUMB" build styled.yaml -q --format compact --target slinky,gitops -o styled >out 2>&1
}
styled 'secrets: sealed-secrets, resources: [../../sealed]' || fail "sealed-secrets are refused: $(cat out)"
has styled/gitops/to-seal/sssd.yaml 'sssd.conf: '
has styled/gitops/kustomization.yaml '- ../../sealed'
hasnt styled/gitops/kustomization.yaml to-seal
has styled/gitops/RUNBOOK.md 'kubeseal --format yaml'
styled '' || fail "secrets by hand are refused: $(cat out)"
has styled/gitops/RUNBOOK.md 'kubectl -n tenant-foo create secret generic slurm-auth-slurm --from-file=slurm.key=./slurm.key'
[ "$(find styled/gitops -name '*secret*')" = "" ] || fail "a Secret is written"
styled 'secrets: external-secrets' && fail "a store without a name"
has out "expected the name of one as 'kubernetes.gitops.store'"

# ---- all that is built, in one check ----

# The files for machines lie beside the objects of the same cluster, and neither is held against the other.
for flavor in slinky soperator sunk; do
    "$PLUMB" build "$PLUMB_SOURCE/testdata/examples/$flavor/cluster.yaml" -q -o "$flavor.all" >out 2>&1 || fail "$flavor does not build: $(cat out)"
    "$PLUMB" check -C "$flavor.all" -q --format compact --fail-on warning . >out 2>&1 || fail "findings on all of $flavor: $(cat out)"
done

# ---- the other flavors ----

for flavor in soperator sunk; do
    cp -r "$PLUMB_SOURCE/testdata/examples/$flavor" "$flavor"
    sed -i '/^  monitoring:/d; s/^kubernetes:$/&\n  gitops: {secrets: external-secrets, store: vault}\n  monitoring: {dcgm: true, alerts: true}/' "$flavor/cluster.yaml"
    "$PLUMB" build "$flavor/cluster.yaml" -q --target "$flavor,gpu-stack,gitops" -o "$flavor.made" >out 2>&1 || fail "$flavor does not build: $(cat out)"
    "$PLUMB" check -C "$flavor.made" -q --format compact --fail-on warning kubernetes gpu-stack gitops >out 2>&1 || fail "findings on $flavor: $(cat out)"
    has "$flavor.made/gitops/RUNBOOK.md" 'key of munge'
    # The operator makes it, so nothing else does.
    [ "$(grep -c munge "$flavor.made/gitops/kustomization.yaml")" = 0 ] || fail "$flavor: two make the key of munge"
done

# ---- what is refused ----

"$PLUMB" build "$SPEC" -q --target gitops -o alone >out 2>&1 && fail "a runbook without objects"
has out "which are not made in this build"
for odd in 'secret: "a`b; rm", key: "x y"' 'secret: "A:b", key: "x:y"'; do
    sed "s/secret: sssd, key: sssd.conf/$odd/" "$SPEC" >odd.yaml
    "$PLUMB" build odd.yaml -q --format compact --target slinky,gitops -o odd >out 2>&1 && fail "taken: $odd"
done
has out "is no name for a Secret"
has out "is no key of a Secret"
[ ! -e odd ] || fail "files in spite of an error"

# ---- other programs ----

if command -v kubectl >/dev/null; then
    "$PLUMB" build "$SPEC" -q -o all >out 2>&1 || fail "the whole example does not build"
    kubectl kustomize all/gitops >built.yaml 2>err || fail "kustomize refuses the folder: $(cat err)"
    [ "$(grep -c '^kind: ' built.yaml)" = "$(cat all/kubernetes/[0-9]*.yaml all/gpu-stack/[0-9]*.yaml all/gitops/[0-9]*.yaml | grep -c '^kind: ')" ] ||
        fail "kustomize lost an object"
else
    echo "note: no kubectl: kustomize is not asked"
fi
if [ ! -d "$SHARED/facts/k8s" ] || ! validators; then
    echo "note: no validators: no node, no ajv in PLUMB_KUBE_NODE, or no definitions under $SHARED"
    done_testing
fi
cp "$SHARED/facts/k8s/validate/"*.mjs .
node k8sval.mjs "$SHARED/facts/k8s/k8s-v1.36-schema-subset.json" made/gpu-stack/00-*.yaml made/gpu-stack/30-*.yaml >out 2>&1 ||
    fail "Kubernetes refuses an object: $(cat out)"
if [ -f "${PLUMB_KUBE_ADDONS:-}/complete" ]; then
    mkdir crds
    cp "$PLUMB_KUBE_ADDONS"/*/*.yaml crds/
    cp "$PLUMB_KUBE_ADDONS"/*/crds/*.yaml crds/
    rm crds/values.yaml
    sed -i 's/(?i)//' crds/*.yaml # JavaScript has no such flag
    styled 'secrets: sealed-secrets'
    node crdval.mjs crds made/gitops/10-*.yaml made/gpu-stack/[45]0-*.yaml styled/gitops/to-seal/*.yaml >out 2>&1 ||
        fail "the CRDs refuse an object: $(cat out)"
else
    echo "note: no folder PLUMB_KUBE_ADDONS: the CRDs of operators beside Slurm's are not asked"
fi
done_testing
