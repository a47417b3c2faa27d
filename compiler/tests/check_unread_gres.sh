#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without GresTypes slurmd does not open gres.conf, so cores that no node has stop and trouble nobody.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf 'ClusterName=c\nSlurmctldHost=ctl\nNodeName=n CPUs=4 Gres=gpu:1\nPartitionName=p Nodes=n Default=YES\n' >"$dir/slurm.conf"
printf 'Name=gpu File=/dev/nvidia0 Cores=0-9\n' >"$dir/gres.conf"

predicted() {
    "$PLUMB" check "$dir" --slurm 24.11 2>&1 | grep -q "slurmd $1" || { echo "slurmd is not '$1' $2" >&2; exit 1; }
}

predicted accepted "without GresTypes"
printf 'GresTypes=gpu\n' >>"$dir/slurm.conf"
predicted complaint "with GresTypes"
