# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the tests of the command: a folder of their own, and expectations that say what failed.
set -u
: "${PLUMB:?}" "${PLUMB_SOURCE:?}"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
export SOURCE_DATE_EPOCH=1767225600 LC_ALL=C # 2026-01-01
unset NO_COLOR
FAILED=0

fail() {
    echo "FAILED: $*"
    FAILED=1
}

# run CODE ARGS...: runs the command, keeps its output in out and err, expects the exit code.
run() {
    local want=$1
    shift
    "$PLUMB" "$@" >out 2>err </dev/null
    local got=$?
    [ $got = "$want" ] || { fail "plumb $*: exit code $got, expected $want"; cat out err; }
}

# in_out TEXT, in_err TEXT: the text stands in the output of the last run.
in_out() { grep -qF -- "$1" out || { fail "no '$1' on standard output:"; cat out; }; }
in_err() { grep -qF -- "$1" err || { fail "no '$1' on standard error:"; cat err; }; }
not_in_out() { ! grep -qF -- "$1" out || { fail "'$1' on standard output:"; cat out; }; }
is_out() { printf '%s\n' "$1" | cmp -s - out || { fail "expected '$1', got:"; cat out; }; }
# has FILE TEXT, hasnt FILE TEXT: the same of any file.
has() { grep -qF -- "$2" "$1" || fail "$1 does not show '$2'"; }
hasnt() { ! grep -qF -- "$2" "$1" || fail "$1 shows '$2'"; }
empty() { [ ! -s "$1" ] || { fail "standard $1 is not empty:"; cat "$1"; }; }

# The JSON Schema validators of manifests are here now; fails where nobody brought them (.ci/kube/modules).
validators() {
    command -v node >/dev/null && [ -d "${PLUMB_KUBE_NODE:-}/node_modules/ajv" ] && ln -sfn "$PLUMB_KUBE_NODE/node_modules" node_modules
}

done_testing() { exit $FAILED; }

# A slurm.conf that every release takes, in the folder $1.
sound_conf() {
    mkdir -p "$1"
    cat >"$1/slurm.conf" <<'TEXT'
ClusterName=c
SlurmctldHost=ctl
AuthType=auth/munge
SlurmUser=slurm
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
NodeName=n[1-4] CPUs=4 RealMemory=1000 State=UNKNOWN
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=60 State=UP
TEXT
}
