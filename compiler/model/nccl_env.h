/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What NCCL is told on every node, by nccl.conf: the section jobs.nccl of a specification. What
 * differs by node class stands with the class (ib_hca of struct plumb_nodes).
 */
#ifndef PLUMB_MODEL_NCCL_ENV_H
#define PLUMB_MODEL_NCCL_ENV_H

#include "model/model.h"

struct plumb_nccl_env {
    struct plumb_text debug;     /* NCCL_DEBUG; absent */
    struct plumb_text gid_index; /* NCCL_IB_GID_INDEX; absent */
    struct plumb_text topo_dir;  /* where topology files are on the nodes; defaulted */
};

#endif
