/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the section about jobs, and of the network of a node class. */
#include "spec/table.h"

static const struct plumb_spec_key fabric_keys[] = {
    {
        .name = "hcas",
        .kind = PLUMB_K_NAME,
        .list = true,
        .doc = "RDMA devices that carry traffic between GPUs of several nodes; checked against "
               "the capture",
        .why = "without it, the adapters that the capture shows nearest to the GPUs",
        .example = "[mlx5_0, mlx5_1, mlx5_2, mlx5_3]",
    },
    {
        .name = "rails",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 1024,
        .doc = "how many such devices a node has; checked against the capture",
        .example = "4",
    },
};

const struct plumb_spec_table plumb_spec_fabric = {
    .title = "fabric", .keys = fabric_keys, .count = PLUMB_COUNT(fabric_keys)};

/* NCCL user guide, NCCL_DEBUG; src/debug.cc. */
static const struct plumb_spec_word debug_words[] = {
    {.name = "VERSION", .slurm = "VERSION"}, {.name = "WARN", .slurm = "WARN"},
    {.name = "INFO", .slurm = "INFO"},       {.name = "ABORT", .slurm = "ABORT"},
    {.name = "TRACE", .slurm = "TRACE"},     {0},
};

static const struct plumb_spec_key nccl_keys[] = {
    {
        .name = "ib_hca",
        .kind = PLUMB_K_NAME,
        .list = true,
        .def = "from-topology",
        .doc = "NCCL_IB_HCA: from-topology, or names of RDMA devices, with a port where one is "
               "meant",
        .why = "from-topology takes nodes.CLASS.fabric.hcas, else the adapters nearest to the GPUs "
               "by the capture; names are written to be compared as a whole",
        .example = "[mlx5_0, \"mlx5_1:1\"]",
    },
    {
        .name = "debug",
        .kind = PLUMB_K_WORD,
        .words = debug_words,
        .doc = "NCCL_DEBUG: what NCCL prints",
        .why = "WARN shows errors; INFO fills the output of large jobs",
        .example = "WARN",
    },
    {
        .name = "gid_index",
        .kind = PLUMB_K_NUMBER,
        .max = 255,
        .doc = "NCCL_IB_GID_INDEX: the address that RoCE ports talk from",
        .why = "NCCL 2.21 and later choose a fitting one; ports of InfiniBand do not use it",
        .example = "3",
    },
    {
        .name = "topo_dir",
        .kind = PLUMB_K_PATH,
        .def = "/etc/nccl",
        .doc = "folder of the nodes that the topology files of target nccl are copied to",
        .why = "NCCL_TOPO_FILE names a file in it; NCCL goes on without a word where it is missing",
        .example = "/etc/nccl",
    },
};

static const struct plumb_spec_table nccl_table = {
    .title = "nccl", .keys = nccl_keys, .count = PLUMB_COUNT(nccl_keys)};

static const struct plumb_spec_key jobs_keys[] = {
    {
        .name = "nccl",
        .kind = PLUMB_K_MAP,
        .of = &nccl_table,
        .doc = "what NCCL is told by nccl.conf",
        .example = "{ib_hca: from-topology, debug: WARN}",
    },
    {
        .name = "prolog",
        .kind = PLUMB_K_ANY,
        .later = true,
        .doc = "what is done on a node before a job",
        .example = "[persistence_mode]",
    },
    {
        .name = "epilog",
        .kind = PLUMB_K_ANY,
        .later = true,
        .doc = "what is done on a node after a job",
        .example = "[nccl_shm]",
    },
    {
        .name = "ssh",
        .kind = PLUMB_K_ANY,
        .later = true,
        .doc = "what a login to a node with a job becomes",
        .example = "adopt",
    },
    {
        .name = "containers",
        .kind = PLUMB_K_ANY,
        .later = true,
        .doc = "how jobs run containers",
        .example = "{runtime: enroot}",
    },
};

const struct plumb_spec_table plumb_spec_jobs = {
    .title = "jobs", .keys = jobs_keys, .count = PLUMB_COUNT(jobs_keys)};
