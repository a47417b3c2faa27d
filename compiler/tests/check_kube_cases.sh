#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Bundles of manifests with a fault, or rightly without: every error and warning that is expected
# stands at its line, and beyond them there is no error, and no warning of the rules about manifests: what rules about
# Slurm's files advise of the assembled slurm.conf is counted. A line that is expected at one of two places may
# be found at the other when the finding points back (the README of the cases).
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

CASES=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}/corpus/kube-cases
if [ ! -f "$CASES/INDEX.tsv" ]; then
    echo "skipped: no Kubernetes cases under $CASES"
    exit 77
fi

HITS=0 MISSES=0 BEYOND=0 ADVICE=0

check_case() {
    local case=$1 target=$2 expected=$3 line series
    series=$(sed -nE 's/.*Slurm ([0-9.]+).*/\1/p' <<<"$target" | head -1)
    "$PLUMB" check -C "$CASES/$case" -q ${series:+--slurm "$series"} --kubernetes slinky=1.2.1 \
        --format compact --fail-on never . >out 2>err </dev/null ||
        { fail "$case: exit code $?"; cat err; }
    sed -nE 's/^([^:]+):([0-9]+):[^ ]* (error|warning|info)\[.*/\3 \1:\2/p' out >found
    sed -nE 's/^([^:]+):([0-9]+):[^ ]* (warning)\[(KUBE|YAML|CONF)[0-9]+\].*/\3 \1:\2/p; s/^([^:]+):([0-9]+):[^ ]* (error)\[.*/\3 \1:\2/p' out |
        sort -u >strict
    : >expected
    [ "$expected" = 'no finding' ] || printf '%s\n' "$expected" | sed 's/; /\n/g' >expected
    while read -r line; do
        if grep -qx -- "$line" found; then
            HITS=$((HITS + 1))
        else
            MISSES=$((MISSES + 1))
            fail "$case: no $line; found:"
            cat out
        fi
    done <expected
    while read -r line; do
        grep -qx -- "$line" expected && continue
        BEYOND=$((BEYOND + 1))
        fail "$case: $line is not expected:"
        cat out
    done <strict
    ADVICE=$((ADVICE + $(grep -v '^info ' found | sort -u | grep -vcxFf strict)))
}

while IFS=$'\t' read -r case target _ expected; do
    [ "$case" = case ] || check_case "$case" "$target" "$expected"
done <"$CASES/INDEX.tsv"

echo "$HITS findings as expected, $MISSES missing, $BEYOND beyond, $ADVICE warnings about slurm.conf"
[ $((HITS + MISSES)) -gt 30 ] || fail "only $((HITS + MISSES)) expectations were looked at"
done_testing
