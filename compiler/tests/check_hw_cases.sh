#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Slurm files beside captures, judged by live daemons: every error and warning that is expected
# stands at its line, and there is none beyond them. An info more or less is no failure.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

CASES=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}/corpus/hw-cases
if [ ! -f "$CASES/INDEX.tsv" ]; then
    echo "skipped: no hardware cases under $CASES"
    exit 77
fi

HITS=0 MISSES=0 BEYOND=0

# want CASE "error gres.conf:1": looks for it among the findings.
want() {
    local case=$1 severity=${2%% *} place=${2#* }
    if grep -qx -- "$severity $place" found; then
        HITS=$((HITS + 1))
    elif [ "$severity" != info ]; then
        MISSES=$((MISSES + 1))
        fail "$case: no $severity at $place; found:"
        cat out
    fi
}

check_case() {
    local case=$1 release=$2 expected=$3 line
    "$PLUMB" check -C "$CASES/$case" -q --slurm "$release" --format compact --fail-on never . \
        >out 2>err </dev/null || { fail "$case: exit code $?"; cat err; }
    # captures/g01/hwloc.xml:4:47-57: warning[HW006] ... becomes "warning captures/g01/hwloc.xml:4"
    sed -nE 's/^([^:]+):([0-9]+):[^ ]* (error|warning|info)\[.*/\3 \1:\2/p' out >found
    : >expected
    if [ "$expected" != 'no finding' ]; then
        printf '%s\n' "$expected" | sed 's/; /\n/g' >expected
    fi
    while read -r line; do want "$case" "$line"; done <expected
    while read -r line; do
        grep -qx -- "$line" expected && continue
        BEYOND=$((BEYOND + 1))
        fail "$case: $line is not expected:"
        cat out
    done < <(grep -v '^info ' found | sort -u)
}

while IFS=$'\t' read -r case release _ expected; do
    [ "$case" = case ] || check_case "$case" "$release" "$expected"
done <"$CASES/INDEX.tsv"

echo "$HITS findings as expected, $MISSES missing, $BEYOND beyond"
[ $((HITS + MISSES)) -gt 40 ] || fail "only $((HITS + MISSES)) expectations were looked at"
done_testing
