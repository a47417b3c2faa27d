/* SPDX-License-Identifier: Apache-2.0 */
/* Pass read-nccl: NCCL topology files that lie beside the others, as far as rules ask about them.
 */
#include "capture/nccl.h"
#include "passes/pass.h"

static void take_cpus(struct plumb_run *r, const struct plumb_nccl *n, struct plumb_nccl_file *f)
{
    f->cpus = PLUMB_NEW_ARRAY(r->session->arena, n->cpu_count, struct plumb_nccl_cpu);
    f->cpu_count = n->cpu_count;
    for (size_t i = 0; i < n->cpu_count; i++)
        f->cpus[i] = (struct plumb_nccl_cpu){
            .numa = n->cpus[i].numaid,
            .affinity = n->cpus[i].affinity,
            .at = n->cpus[i].at,
        };
}

static void take_devices(struct plumb_run *r, const struct plumb_nccl *n, struct plumb_nccl_file *f)
{
    f->devices = PLUMB_NEW_ARRAY(r->session->arena, n->pci_count, struct plumb_nccl_device);
    for (size_t i = 0; i < n->pci_count; i++) {
        const struct plumb_nccl_pci *p = &n->pci[i];

        if (!p->is_gpu && !p->is_nic)
            continue;
        f->devices[f->device_count++] = (struct plumb_nccl_device){
            .bus_id = p->bus_id,
            .gpu = p->is_gpu,
            .cpu = p->numa,
            .net = p->net,
            .net_mbits = p->net_mbits,
            .at = p->at,
        };
    }
}

/* A file by itself is judged too: the model then holds nothing else. */
static void need_model(struct plumb_run *r)
{
    struct plumb_model *m = plumb_model_of(r);

    if (m->nccl_files == NULL)
        m->nccl_files = PLUMB_NEW_ARRAY(r->session->arena, r->input_count, struct plumb_nccl_file);
    r->facts |= PLUMB_FACT_MODEL;
}

void plumb_pass_read_nccl(struct plumb_run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];
        const struct plumb_nccl *n = NULL;
        struct plumb_nccl_file *f = NULL;

        if (in->kind != PLUMB_KIND_NCCL || in->src == NULL)
            continue;
        n = plumb_nccl_read(r->session, in->src, true);
        if (n == NULL)
            continue;
        need_model(r);
        f = &r->model->nccl_files[r->model->nccl_file_count++];
        f->at = n->at;
        f->rank_count = n->rank_count;
        f->first_rank = n->first_rank;
        take_cpus(r, n, f);
        take_devices(r, n, f);
    }
}
