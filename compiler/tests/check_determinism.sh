#!/bin/bash
# The same input gives the same bytes wherever it lies and whoever builds it: another folder,
# working directory, locale, time zone, umask, user name; and building twice changes nothing.
set -uo pipefail
: "${PLUMB:?}" "${PLUMB_SOURCE:?}"
PLUMB=$(realpath "$PLUMB")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0 count=0

# Every file below a folder: mode, digest, name.
list() {
    (cd "$1" && find . -type f -printf '%m %p\n' | sort -k2 | while read -r mode path; do
        echo "$mode $(sha256sum "$path")"
    done)
}

for folder in "$PLUMB_SOURCE"/testdata/examples/*/; do
    example=$(basename "$folder")
    count=$((count + 1))
    mkdir -p "$work/one" "$work/a much/longer/path"
    cp -r "$folder" "$work/one/$example"
    cp -r "$folder" "$work/a much/longer/path/$example"
    (
        umask 022
        cd "$work/one/$example" || exit 1
        LC_ALL=C TZ=UTC "$PLUMB" build cluster.yaml -o "$work/$example.1"
    ) >/dev/null 2>&1 || { echo "$example: the first build failed"; status=1; }
    (
        umask 077
        cd / || exit 1
        HOME=/nonexistent USER=nobody LANG=tr_TR.UTF-8 LC_ALL=C.UTF-8 TZ=Pacific/Auckland \
            "$PLUMB" build "$work/a much/longer/path/$example/cluster.yaml" -o "$work/$example.2"
    ) >/dev/null 2>&1 || { echo "$example: the second build failed"; status=1; }
    (
        cd "$work/a much" || exit 1
        "$PLUMB" build "./longer/../longer/path/$example/cluster.yaml" -o "../$example.3"
    ) >/dev/null 2>&1 || { echo "$example: the third build failed"; status=1; }
    for other in 2 3; do
        diff <(list "$work/$example.1") <(list "$work/$example.$other") ||
            { echo "$example: build $other differs"; status=1; }
    done
    if grep -rF "$work" "$work/$example".?; then
        echo "$example: a folder of this machine is in the output"
        status=1
    fi
    before=$(cd "$work/$example.1" && find . -printf '%i %T@ %p\n' | sort)
    (cd "$work/one/$example" && "$PLUMB" build cluster.yaml -o "$work/$example.1") >/dev/null 2>&1
    after=$(cd "$work/$example.1" && find . -printf '%i %T@ %p\n' | sort)
    diff <(grep -v ' \.\(/\.plumb\)\?$' <<<"$before") <(grep -v ' \.\(/\.plumb\)\?$' <<<"$after") ||
        { echo "$example: a second build touched files that are the same"; status=1; }
done
[ "$count" -gt 0 ] || { echo "no examples"; status=1; }
exit $status
