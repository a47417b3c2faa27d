/* SPDX-License-Identifier: Apache-2.0 */
/* What stands for the cluster where captures, manifests or files of NCCL are read alone. */
#include "passes/pass.h"

struct plumb_model *plumb_model_of(struct plumb_run *r)
{
    struct plumb_arena *a = r->session->arena;

    if (r->model == NULL) {
        r->model = PLUMB_NEW(a, struct plumb_model);
        r->model->release = r->session->sink.release;
        r->model->all_nodes = PLUMB_NEW(a, struct plumb_hostlist);
    }
    return r->model;
}
