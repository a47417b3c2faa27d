#!/bin/bash
# Every example compiles to the files that are kept in golden/, byte for byte, with the modes
# that its MANIFEST.json tells. `./dev golden` rewrites them.
set -uo pipefail
: "${PLUMB:?}" "${PLUMB_SOURCE:?}"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
status=0 count=0
for spec in "$PLUMB_SOURCE"/testdata/examples/*/cluster.yaml; do
    example=$(basename "$(dirname "$spec")")
    count=$((count + 1))
    "$PLUMB_SOURCE/golden/build" "$PLUMB" "$spec" "$out/$example" || { status=1; continue; }
    diff -r -u "$PLUMB_SOURCE/golden/$example" "$out/$example" || status=1
    while read -r mode path; do
        [ "$(stat -c %04a "$out/$example/$path")" = "$mode" ] || { echo "$example/$path: not $mode"; status=1; }
    done < <(sed -nE '/^ +"[^"]+": \{$/ { s/^ +"([^"]+)".*/\1/; h }; /"mode"/ { s/.*: "([0-7]+)".*/\1/; G; s/\n/ /; p }' "$out/$example/MANIFEST.json")
done
# What is derived of the reference machines, for each release.
mkdir "$out/machines"
"$PLUMB_SOURCE/golden/make-machines" "$PLUMB" "$out/machines" || status=1
diff -r -u "$PLUMB_SOURCE/golden/machines" "$out/machines" || status=1
# A folder without its example would never be looked at.
for folder in "$PLUMB_SOURCE"/golden/*/; do
    example=$(basename "$folder")
    [ "$example" = schema ] || [ "$example" = formats ] || [ "$example" = machines ] || [ -e "$PLUMB_SOURCE/testdata/examples/$example/cluster.yaml" ] ||
        { echo "golden/$example has no example"; status=1; }
done
[ "$count" -gt 0 ] || { echo "no examples"; status=1; }
[ "$status" = 0 ] || echo "if this is meant: ./dev golden (or ninja golden-update), then review with git diff"
exit $status
