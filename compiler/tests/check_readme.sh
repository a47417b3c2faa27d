#!/bin/bash
# The outputs in README.md and doc/drift.md are those of the program. "check_readme.sh update" rewrites them.
set -eu
cd "$PLUMB_SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The example with the changes that the README names.
cp -r testdata/examples/guide "$work/guide"
sed -i 's/gpu: {type: h100, count: 8}/gpu: {type: h100, count: 10}/
    s/nodes: gpu-\[13-16\]/nodes: gpu-[13-17]/
    s/window: 7 days  /window: 3 days  /' "$work/guide/cluster.yaml"
# Both commands end with 1: there are errors to show.
(cd "$work/guide" && { "$PLUMB" check cluster.yaml --select GRES,PART,SCHED  2>/dev/null || [ $? = 1 ]; }) >"$work/example"
{ "$PLUMB" check testdata/handwritten --slurm 24.11 --format compact 2>/dev/null >"$work/handwritten" || [ $? = 1 ]; }
cat testdata/examples/tiny/cluster.yaml >"$work/tiny"
{ "$PLUMB" drift testdata/drift/readme testdata/drift/readme/live --format compact 2>/dev/null >"$work/drift" || [ $? = 1 ]; }
{ "$PLUMB" drift testdata/drift/readme testdata/drift/readme/live/nodes.txt 2>/dev/null >"$work/drift-human" || [ $? = 1 ]; }

# Puts a file in place of what stands in the fence below a marker line.
fill() { # MARKER FILE SKIP
    awk -v marker="$1" -v file="$2" -v skip="$3" '
        { print }
        $0 == marker { on = 1; next }
        on && /^```/ {
            for (i = 0; i < skip; i++) { getline; print }
            while ((getline line < file) > 0) print line
            while ((getline line) > 0 && line !~ /^```$/) { }
            print line
            on = 0
        }' "$work/readme" >"$work/next"
    mv "$work/next" "$work/readme"
}
cp README.md "$work/readme"
fill '<!-- example: a changed specification -->' "$work/example" 1
fill '<!-- example: hand-written files -->' "$work/handwritten" 1
fill '<!-- example: drift -->' "$work/drift" 1
fill '<!-- example: the smallest specification -->' "$work/tiny" 0
mv "$work/readme" "$work/README.md"
cp doc/drift.md "$work/readme"
fill '<!-- example: drift of nodes -->' "$work/drift-human" 1
mv "$work/readme" "$work/drift.md"
if [ "${1:-}" = update ]; then
    cp "$work/README.md" README.md
    cp "$work/drift.md" doc/drift.md
    exit 0
fi
for page in README.md doc/drift.md; do
    diff -u "$page" "$work/${page##*/}" || { echo "$page shows what the program does not print: PLUMB=... bash compiler/tests/check_readme.sh update"; exit 1; }
done
