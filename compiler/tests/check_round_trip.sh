#!/bin/bash
# What plumb writes, it accepts: the files of every example, built for every release, are read
# back as hand-written ones without an error or warning, and no daemon is predicted to complain.
set -uo pipefail
: "${PLUMB:?}" "${PLUMB_SOURCE:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0 count=0
for spec in "$PLUMB_SOURCE"/testdata/examples/*/cluster.yaml; do
    example=$(basename "$(dirname "$spec")")
    for release in 22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05; do
        out=$work/$example.$release
        count=$((count + 1))
        if ! "$PLUMB" build --slurm "$release" "$spec" -o "$out" >"$work/log" 2>&1 ||
            ! "$PLUMB" check --slurm "$release" --fail-on warning "$out/slurm" >"$work/log" 2>&1 ||
            ! grep -q "^prediction for $release: .*slurmctld accepted" "$work/log" ||
            grep -E '^prediction .*(refused|complaint)' "$work/log"; then
            echo "$example for $release:"
            cat "$work/log"
            status=1
        fi
    done
done
[ "$count" -gt 0 ] || { echo "no examples"; status=1; }
exit $status
