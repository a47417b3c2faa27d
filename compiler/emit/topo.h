/* SPDX-License-Identifier: Apache-2.0 */
/* What captures say about one machine, for people and for programs: `plumb topo`. */
#ifndef PLUMB_EMIT_TOPO_H
#define PLUMB_EMIT_TOPO_H

#include "base/buf.h"
#include "base/session.h"
#include "model/binding.h"
#include "model/detect_use.h"
#include "model/fabric.h"
#include "model/hardware.h"
#include "model/model.h"
#include "model/rails.h"
#include "syntax/node.h"

/* Aligned text: sockets, NUMA nodes, GPUs, links, NICs, and what follows for slurm.conf. */
void plumb_topo_text(struct plumb_buf *out, const struct plumb_hardware *hw,
                     const struct plumb_session *s);

/* The same as a tree for the JSON writer. */
struct plumb_node *plumb_topo_json(struct plumb_arena *a, const struct plumb_hardware *hw,
                                   const struct plumb_session *s);

/*
 * What a job with --gres=gpu:N and N tasks of a whole core each gets on an idle node. False: the
 * captures do not decide it.
 */
struct plumb_topo_job {
    uint32_t gpus;
    struct plumb_slots devices;   /* Slurm's index of a GPU: position among its devices */
    struct plumb_cores cores;     /* Slurm's cores */
    struct plumb_slurm_cpus cpus; /* Slurm's CPU ids: core x threads + thread */
    struct plumb_cpus os_cpus;    /* the same as CPU ids of the system; empty: not told */
};
bool plumb_topo_job(struct plumb_arena *a, const struct plumb_hardware *hw,
                    enum plumb_hw_socket_kind kind, const struct plumb_session *s, uint32_t gpus,
                    struct plumb_topo_job *out);

/* The same where each task has all cores that its GPU can have, and stays there. */
bool plumb_topo_binding(struct plumb_arena *a, const struct plumb_hardware *hw,
                        enum plumb_hw_socket_kind kind, const struct plumb_session *s,
                        uint32_t gpus, struct plumb_binding *out);

/* The first core of each package, in all three numbers of a CPU. False: captures do not tell. */
struct plumb_topo_reserve {
    struct plumb_cores cores;
    struct plumb_slurm_cpus cpus; /* what CPUSpecList takes */
    struct plumb_cpus os_cpus;    /* empty: not told */
};
bool plumb_topo_reserve(struct plumb_arena *a, const struct plumb_hardware *hw,
                        struct plumb_topo_reserve *out);

/* Whether to tell about jobs of so many GPUs: 1, 2, 4, ... and all. */
static inline bool plumb_topo_job_told(const struct plumb_hardware *hw, uint32_t gpus)
{
    return gpus == hw->gpu_count || (gpus & (gpus - 1)) == 0;
}

/* Resources beside GPUs that are wanted; those that are not are told in remarks. */
struct plumb_topo_with {
    bool nvme, hca;
};

/*
 * A minimal specification of the machines, one class each. paths: what topology: says, by machine.
 * class_names: room for as many; they tell afterwards which class is which machine.
 */
void plumb_topo_spec(struct plumb_buf *out, const struct plumb_hardware *const *hw, size_t count,
                     const char *const *paths, const struct plumb_topo_with *with,
                     const char **class_names);

/* A fabric for Slurm: topology.conf, and the same as topology.yaml. */
struct plumb_fabric_form {
    bool block; /* topology/block, else topology/tree, for which f must have groups */
    bool sizes; /* the release knows BlockSizes; topology.yaml always has them */
};
void plumb_fabric_conf(const struct plumb_fabric *f, const struct plumb_fabric_form *form,
                       struct plumb_buf *out);
void plumb_fabric_yaml(const struct plumb_fabric *f, const struct plumb_fabric_form *form,
                       struct plumb_buf *out);

/* "h100" of "NVIDIA H100 80GB HBM3"; NULL when the name has no such word. */
const char *plumb_topo_short_type(struct plumb_arena *a, const char *model);

/* nccl.conf of a machine: the adapters that carry GPU traffic. False: they cannot be told. */
bool plumb_topo_nccl_conf(struct plumb_buf *out, const struct plumb_hardware *hw);

/*
 * Units of a topology file of Slurm as topology.conf or topology.yaml. kind: "tree" or "block"
 * alone; NULL: what the file has. Returns why nothing is made, or NULL.
 */
const char *plumb_units_conf(const struct plumb_model *m, const char *kind, struct plumb_buf *out);
const char *plumb_units_yaml(const struct plumb_model *m, const char *kind, struct plumb_buf *out);

#endif
