#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Manifests changed at random are refused where JSON Schema validators refuse them, and nowhere else.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

SHARED=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}
if [ ! -d "$SHARED/facts/slinky/crds-v1.2.1" ]; then
    echo "skipped: no definitions under $SHARED"
    exit 77
fi
if ! validators; then
    echo "skipped: no node, or no ajv in PLUMB_KUBE_NODE"
    exit 77
fi
node "$PLUMB_SOURCE/.ci/kube/compare.mjs" "$PLUMB" "$SHARED" . 1500 7 >out 2>&1 ||
    fail "the verdicts differ"
cat out
grep -qE '^1500 mutants of [0-9]{2,} objects, [0-9]{3,} accepted' out || fail "nothing was compared"
done_testing
