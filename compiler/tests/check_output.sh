#!/bin/bash
# The life of an output folder, from the command line: first build, change, partial build, edit,
# foreign files, a crash.
set -uo pipefail
: "${PLUMB:?}" "${PLUMB_SOURCE:?}"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$PLUMB_SOURCE/testdata/examples/guide" "$work/site"
cd "$work/site" || exit 1
status=0

fail() {
    echo "$1"
    status=1
}
# run CODE WHAT ARGUMENT...: plumb build with these arguments ends with this code.
run() {
    local want=$1 what=$2 got=0
    shift 2
    "$PLUMB" build cluster.yaml "$@" >"$work/log" 2>&1 || got=$?
    [ "$got" = "$want" ] || { fail "$what: exit code $got, expected $want"; cat "$work/log"; }
}
says() {
    grep -qF -- "$1" "$work/log" || { fail "$2: expected '$1'"; cat "$work/log"; }
}
digests() {
    (cd out && find . -type f -exec sha256sum {} + | sort -k2)
}

run 1 "a check before the first build" -o out --check
says "missing" "a check before the first build"
[ ! -e out ] || fail "a check made the folder"
run 0 "the first build" -o out
run 0 "a check behind it" -o out --check
(cd out && sha256sum --quiet -c <(sed -nE '/^ +"[^"]+": \{$/ { s/^ +"([^"]+)".*/\1/; h }; /"sha256": .*,$/ { s/.*: "([0-9a-f]+)".*/\1/; G; s/\n/  /; p }' MANIFEST.json)) ||
    fail "MANIFEST.json does not tell the digests of the files"

# A changed input makes every file stale: the header holds the digest of the inputs.
before=$(digests)
sed -i 's/^cluster: production/cluster: changed/' cluster.yaml
run 1 "a check behind a change" -o out --check
says "stale: out/slurm/slurm.conf" "a check behind a change"
[ "$before" = "$(digests)" ] || fail "a check changed the folder"

# A build of one target leaves the files of the other alone, and goes on to know them.
run 0 "a build of one target" -o out --target nccl
run 0 "a check of one target" -o out --target nccl --check
run 1 "a check of all targets" -o out --check
says "stale: out/slurm/gres.conf" "a check of all targets"
grep -q '"slurm/slurmdbd.conf": {' out/MANIFEST.json || fail "MANIFEST.json forgot the files of the other target"
grep -q '"slurm/slurmdbd.conf": \[' out/.plumb/map.json || fail "map.json forgot the files of the other target"
grep -q '^ClusterName=production' out/slurm/slurm.conf || fail "a build of one target changed the other's files"
run 0 "the second build" -o out
grep -q '^ClusterName=changed' out/slurm/slurm.conf || fail "the second build changed nothing"
cp -r out kept

# Edited by hand: told apart, and written again.
echo '# by hand' >>out/slurm/gres.conf
run 1 "a check behind an edit" -o out --check
says "edited: out/slurm/gres.conf" "a check behind an edit"
run 0 "a build behind an edit" -o out
diff -r kept out || fail "an edited file was not written again"

# No longer made: removed, and nothing else is.
echo mine >out/slurm/site.conf
cp -r "$PLUMB_SOURCE/testdata/examples/tiny/." . # it has no database
run 1 "a check without a database" -o out --check
says "left over: out/slurm/slurmdbd.conf" "a check without a database"
run 0 "a build without a database" -o out
[ ! -e out/slurm/slurmdbd.conf ] || fail "a file that is no longer made is still there"
[ -e out/slurm/site.conf ] || fail "a file that is not plumb's was removed"

# A faulty specification changes nothing.
before=$(digests)
sed -i 's/^cluster:.*/cluster: [a, list]/' cluster.yaml
run 1 "a build of a faulty specification" -o out
[ "$before" = "$(digests)" ] || fail "a faulty specification changed the folder"
cp "$PLUMB_SOURCE/testdata/examples/guide/cluster.yaml" .

# Hand-written files of the same name are not overwritten unless that is asked for.
mkdir -p hand/slurm
echo 'ClusterName=mine' >hand/slurm/slurm.conf
run 4 "a build over hand-written files" -o hand
says "hand/slurm/slurm.conf" "a build over hand-written files"
[ "$(find hand -type f)" = hand/slurm/slurm.conf ] || fail "a refused build left files behind"
grep -qx 'ClusterName=mine' hand/slurm/slurm.conf || fail "a hand-written file was overwritten"
run 0 "a build that may overwrite" -o hand --overwrite
grep -q '^ClusterName=production' hand/slurm/slurm.conf || fail "the overwriting build did not write"

# What a run that died had left is cleared.
mkdir -p hand/.plumb/stage/slurm hand/.plumb/undo
echo half >hand/.plumb/stage/slurm/slurm.conf
run 0 "a build behind a crash" -o hand
if [ -e hand/.plumb/stage ] || [ -e hand/.plumb/undo ]; then fail "the remains of a crash are still there"; fi
run 0 "a check behind a crash" -o hand --check
exit $status
