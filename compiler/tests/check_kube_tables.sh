#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tables of Kubernetes kinds are what the importer makes of the published definitions.
# shellcheck source=compiler/tests/cli.sh
source "$(dirname "$0")/cli.sh"

FACTS=${PLUMB_SHARED:-$PLUMB_SOURCE/../shared}/facts
if [ ! -d "$FACTS/slinky/crds-v1.2.1" ]; then
    echo "skipped: no definitions under $FACTS"
    exit 77
fi
if ! python3 -c 'import yaml' 2>/dev/null; then
    echo "skipped: python3 has no yaml"
    exit 77
fi
python3 "$PLUMB_SOURCE/schema/kube/import.py" "$FACTS" imported || fail "the importer fails"
for table in imported/*.yaml; do
    diff -u "$PLUMB_SOURCE/schema/kube/${table##*/}" "$table" >difference ||
        { fail "${table##*/} is not what the importer makes:"; head -20 difference; }
done
[ "$(find imported -name '*.yaml' | wc -l)" -ge 4 ] || fail "the importer makes too few tables"
# Operators beside Slurm's: .ci/kube/addons brings their files.
if [ -f "${PLUMB_KUBE_ADDONS:-}/complete" ]; then
    python3 "$PLUMB_SOURCE/schema/kube/import_addons.py" "$FACTS" "$PLUMB_KUBE_ADDONS" addons || fail "the importer of addons fails"
    for table in addons/*.yaml; do
        diff -u "$PLUMB_SOURCE/schema/kube/${table##*/}" "$table" >difference ||
            { fail "${table##*/} is not what the importer makes:"; head -20 difference; }
    done
    [ "$(find addons -name '*.yaml' | wc -l)" -ge 5 ] || fail "the importer of addons makes too few tables"
else
    echo "note: no folder PLUMB_KUBE_ADDONS: the tables of operators beside Slurm's are not made again"
fi
done_testing
