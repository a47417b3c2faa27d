#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A wrong row of the parameter table ends the build with its file and line.
set -u
generator=$(dirname "$PLUMB")/schema/plumb_schema
[ -x "$generator" ] || { echo "skipped: $generator is not here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# refuses TITLE FILE SED-SCRIPT MESSAGE: the message, with the number of a line, is all that is said
refuses() {
    rm -rf "$work/rows" "$work/out"
    mkdir "$work/out"
    cp -r "$PLUMB_SOURCE/schema/slurm" "$work/rows"
    sed -i "$3" "$work/rows/$2"
    if cmp -s "$work/rows/$2" "$PLUMB_SOURCE/schema/slurm/$2"; then
        echo "FAILED: $1: the change did nothing"
        failed=1
        return
    fi
    said=$("$generator" "$work/out" "$work"/rows/[0-9]*.yaml 2>&1) && { echo "FAILED: $1: taken"; failed=1; return; }
    if ! grep -Eq "/$2:[0-9]+: error: $4" <<<"$said"; then
        echo "FAILED: $1: $said"
        failed=1
    fi
}

refuses "an unknown type" 22.05.yaml 's/key: ClusterName/&x/; 0,/type: string/s//type: strnig/' "'strnig' is no type"
refuses "an unknown file" 23.02.yaml '0,/file: slurm.conf/s//file: slurm.cnf/' "'slurm.cnf' has no scope"
refuses "a scope of another file" 23.02.yaml '0,/scope: global/s//scope: ring/' "'slurm.conf' has no scope 'ring'"
refuses "an unknown field" 24.05.yaml '0,/restart:/s//restrat:/' "a row has no field 'restrat' here"
refuses "a change of what is not there" 23.11.yaml '0,/key: AuthInfo/s//key: AuthInf/' "'AuthInf' is not in the release before"
refuses "a word twice" 24.11.yaml 's/^      ConMgr:/      Accrue:/' "'Accrue' is in the set already"
refuses "a word that is not there to drop" 25.05.yaml 's/drop_values: \[FrontEnd\]/drop_values: [NoSuch]/' "'NoSuch' is not in the set before"
refuses "an effect that is none" 22.05.yaml '0,/bad: complains/s//bad: grumbles/' "'bad' begins with what a daemon does"
refuses "a daemon that is none" 22.05.yaml 's/bad: stops slurmctld/bad: stops slurmctl/' "'slurmctl' is no daemon"
refuses "a number that is none" 22.05.yaml '0,/max: 65533/s//max: many/' "'many' is no number"
refuses "the version of another file" 24.11.yaml 's/^version: "24.11"/version: "24.05"/' "version is '24.05', the releases of base.release.h want '24.11' here"
refuses "the wrong release before" 24.11.yaml 's/^extends: "24.05"/extends: "23.11"/' "extends is '23.11'"
refuses "no reference" 26.05.yaml '0,/, ref: [^}]*}/s//}/' "the row has no 'ref'"

cp -r "$PLUMB_SOURCE/schema/slurm" "$work/all"
mv "$work/all/24.11.yaml" "$work/all/24.10.yaml"
said=$("$generator" "$work/out" "$work"/all/[0-9]*.yaml 2>&1) && { echo "FAILED: an unknown release is taken"; failed=1; }
grep -q "24.10.yaml:1: error: the file is not named after a release" <<<"$said" || { echo "FAILED: $said"; failed=1; }
rm "$work/all/24.10.yaml"
said=$("$generator" "$work/out" "$work"/all/[0-9]*.yaml 2>&1) && { echo "FAILED: a missing release is taken"; failed=1; }
grep -q "7 release files, base/release.h has 8" <<<"$said" || { echo "FAILED: $said"; failed=1; }

for run in a b; do
    mkdir "$work/$run"
    "$generator" "$work/$run" "$PLUMB_SOURCE"/schema/slurm/[0-9]*.yaml || failed=1
done
diff -r "$work/a" "$work/b" >/dev/null || { echo "FAILED: two runs differ"; failed=1; }

# The table of options, in the same way.
generator=$(dirname "$PLUMB")/schema/plumb_schema_options
refuses_option() {
    sed "$2" "$PLUMB_SOURCE/schema/slurm/options.yaml" >"$work/options.yaml"
    said=$("$generator" "$work/out" "$work/options.yaml" 2>&1) && { echo "FAILED: $1: taken"; failed=1; return; }
    grep -Eq "options.yaml:[0-9]+: error: $3" <<<"$said" || { echo "FAILED: $1: $said"; failed=1; }
}
refuses_option "an unknown command" '0,/commands: .salloc/s//commands: [sallco/' "'sallco' is not expected here"
refuses_option "an unknown release" '0,/since: "26.05"/s//since: "26.06"/' "'26.06' is no release"
refuses_option "an unknown field" '0,/arg:/s//agr:/' "an option has no field 'agr'"
refuses_option "an unknown kind" '0,/kind: memory/s//kind: memroy/' "'memroy' is not expected here"
exit $failed
