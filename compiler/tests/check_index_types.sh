#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The compiler refuses a number of one index space where another is meant (doc/design/indices.md).
set -eu
cc=${CC:-cc}
command -v "$cc" >/dev/null || { echo "skipped: no compiler"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# $1: a statement; $2: whether it is "taken" or "refused".
try() {
    cat >"$dir/try.c" <<EOF
#include "model/index_map.h"
struct all {
    struct plumb_arena *a;
    struct plumb_hardware *hw;
    struct plumb_cpu cpu;
    struct plumb_core core;
    struct plumb_slurm_cpu slurm_cpu;
    struct plumb_cpus cpus;
    struct plumb_cores cores;
    struct plumb_slurm_cpus slurm_cpus;
};
void try(struct all x);
void try(struct all x)
{
    $1;
}
EOF
    if "$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -Werror -fsyntax-only -I"$PLUMB_SOURCE/compiler" "$dir/try.c" 2>"$dir/err"; then
        got=taken
    else
        got=refused
    fi
    [ "$got" = "$2" ] || { echo "'$1' is $got, expected $2" >&2; cat "$dir/err" >&2; exit 1; }
}

try '(void)plumb_cores_has(&x.cores, x.core)' taken
try '(void)plumb_cores_has(&x.cores, x.cpu)' refused
try '(void)plumb_cores_has(&x.cpus, x.core)' refused
try '(void)plumb_cores_equal(&x.cores, &x.cpus)' refused
try '(void)plumb_cpus_overlap(&x.cpus, &x.slurm_cpus)' refused
try 'x.cores = x.cpus' refused
try 'x.cores = x.slurm_cpus' refused
try 'x.core = x.cpu' refused
try 'x.core = x.slurm_cpu' refused
try 'x.core = 3' refused
try 'x.hw->gpus[0].migs[0].gpu_instance = x.hw->mig_caps[0].gpu_instance' taken
try 'x.hw->gpus[0].migs[0].gpu_instance = x.hw->mig_caps[0].compute_instance' refused
try 'x.hw->gpus[0].migs[0].gpu_cap = x.hw->mig_caps[0].minor' taken
try 'x.hw->gpus[0].migs[0].gpu_cap = x.hw->gpus[0].minor' refused
try 'x.hw->mig_caps[0].gpu = x.hw->mig_caps[0].minor' refused
try 'plumb_cpus_add(x.a, &x.cpus, x.core)' refused
try 'plumb_cpus_mask(&x.cpus, NULL)' taken
try 'plumb_cpus_mask(&x.cores, NULL)' refused
try '(void)plumb_cores_of_cpus(x.a, x.hw, &x.cpus)' taken
try '(void)plumb_cores_of_cpus(x.a, x.hw, &x.slurm_cpus)' refused
try 'plumb_slurm_cpus_add_core(x.a, &x.slurm_cpus, x.core, 2)' taken
try 'plumb_slurm_cpus_add_core(x.a, &x.slurm_cpus, x.slurm_cpu, 2)' refused
try 'x.hw->gpus[0].cores = x.cores' taken
try 'x.hw->gpus[0].cores = x.cpus' refused
try 'x.hw->numa[0].cpus = x.cores' refused
try 'x.hw->gpus[0].minor = x.hw->gpus[1].minor' taken
try 'x.hw->gpus[0].minor = x.hw->gpus[0].index' refused
try '(void)plumb_gpu_of_minor(x.hw, x.hw->gpus[0].minor)' taken
try '(void)plumb_gpu_of_minor(x.hw, x.hw->gpus[0].index)' refused
try '(void)plumb_hardware_links(x.hw, x.hw->gpus[0].index, x.hw->gpus[1].index)' taken
try '(void)plumb_hardware_links(x.hw, plumb_slot_of_gpu(&x.hw->gpus[0]), x.hw->gpus[1].index)' refused
try '(void)plumb_hardware_links(x.hw, 0, 1)' refused
try 'x.hw->gpus[0].numa = plumb_numa_of_id(x.hw, x.hw->numa[0].os_index)' taken
try 'x.hw->gpus[0].numa = x.hw->numa[0].os_index' refused
try '(void)plumb_numa_id_of(x.hw, x.hw->numa[0].os_index)' refused
try '(void)(x.hw->gpus[0].numa == x.hw->nics[0].numa)' refused
