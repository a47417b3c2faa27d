/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one node of a line can give to a job when it is empty: tasks that find CPUs, memory and
 * devices (select/cons_tres: _allocate_sc, gres_select_filter).
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"
#include "rules/submit_fit.h"

uint64_t plumb_fit_available(const struct plumb_nodes *n, const char *name, const char *type)
{
    uint64_t total = 0;

    for (size_t i = 0; i < n->gres_count; i++) {
        const struct plumb_gres_item *g = &n->gres[i];

        if (plumb_same_nocase(g->name, name) &&
            (type == NULL || (g->type != NULL && strcmp(g->type, type) == 0) ||
             (g->type == NULL && strcmp(name, "gpu") != 0)))
            total += g->count;
    }
    return total;
}

/* CPUs that the job may use of a node. */
uint64_t plumb_fit_cpus(const struct plumb_fit *f, const struct plumb_fit_line *sh)
{
    struct plumb_u64 most = plumb_submit_limit(f->s, PLUMB_P_PART_MAXCPUSPERNODE);
    struct plumb_u64 socket = plumb_submit_limit(f->s, PLUMB_P_PART_MAXCPUSPERSOCKET);
    uint64_t cpus = sh->cpus, some = 0;

    if (f->n->threads > 0 && f->n->threads < sh->threads)
        cpus = sh->cores * f->n->threads;
    if (plumb_usable(most) && most.v > 0 && most.v < cpus)
        cpus = most.v;
    if (plumb_usable(socket) && socket.v > 0 && plumb_usable(sh->nodes->sockets) &&
        plumb_mul_u64(socket.v, sh->nodes->sockets.v, &some) && some < cpus)
        cpus = some;
    return cpus;
}

/* Tasks that find CPUs on a node. */
static uint64_t tasks_by_cpus(const struct plumb_fit *f, const struct plumb_fit_line *sh)
{
    const struct plumb_need *n = f->n;
    uint64_t tasks = plumb_fit_cpus(f, sh) / n->cpus_per_task;

    if (n->tasks_per_core == 1) {
        uint64_t cores = (n->cpus_per_task + sh->threads - 1) / (sh->threads ? sh->threads : 1);
        uint64_t most = sh->cores / (cores == 0 ? 1 : cores);

        tasks = most < tasks ? most : tasks;
    } else if (n->tasks_per_core > 1 && sh->cores * n->tasks_per_core < tasks) {
        tasks = sh->cores * n->tasks_per_core;
    }
    if (plumb_usable(f->s->rq->ntasks_per_socket) && plumb_usable(sh->nodes->sockets) &&
        f->s->rq->ntasks_per_socket.v * sh->nodes->sockets.v < tasks)
        tasks = f->s->rq->ntasks_per_socket.v * sh->nodes->sockets.v;
    return tasks;
}

static bool has_shape(const struct plumb_fit *f, const struct plumb_fit_line *sh)
{
    const struct plumb_request *rq = f->s->rq;
    const struct plumb_nodes *n = sh->nodes;

    return (!plumb_usable(rq->sockets) || !plumb_usable(n->sockets) ||
            rq->sockets.v <= n->sockets.v) &&
           (!plumb_usable(rq->cores) || !plumb_usable(n->cores_per_socket) ||
            rq->cores.v <= n->cores_per_socket.v) &&
           f->n->threads <= sh->threads;
}

static bool has_disk(const struct plumb_fit *f, const struct plumb_fit_line *sh)
{
    struct plumb_u64 disk =
        plumb_setting_u64(&sh->nodes->settings, PLUMB_P_NODE_TMPDISK, f->s->ck->model->release);

    return !plumb_usable(f->s->rq->tmp) || f->s->rq->tmp.v <= (plumb_usable(disk) ? disk.v : 0);
}

static bool has_gres(const struct plumb_fit *f, const struct plumb_fit_line *sh,
                     struct plumb_fit_devices *d)
{
    const struct plumb_request *rq = f->s->rq;

    *d = (struct plumb_fit_devices){.gpus = UINT64_MAX, .tasks = UINT64_MAX};
    if (plumb_setting_bad(&sh->nodes->settings, PLUMB_P_NODE_GRES))
        return true;
    for (size_t i = 0; i < rq->gres_count; i++) {
        const struct plumb_request_gres *g = &rq->gres[i];
        uint64_t have = plumb_fit_available(sh->nodes, g->name, g->type), want = g->count;

        if (f->only_gres != SIZE_MAX && f->only_gres != i)
            continue;
        if (g->per == PLUMB_PER_SOCKET && plumb_usable(rq->sockets))
            want *= rq->sockets.v;
        if (g->per == PLUMB_PER_JOB ? have == 0 : have < want)
            return false;
        if (g->per == PLUMB_PER_JOB && have < d->gpus)
            d->gpus = have;
        if (g->per == PLUMB_PER_TASK && want > 0 && have / want < d->tasks)
            d->tasks = have / want;
        if (g->per == PLUMB_PER_NODE && strcmp(g->name, "gpu") == 0)
            d->per_node += want;
    }
    if (f->n->gpus > 0) {
        d->gpus = plumb_fit_available(sh->nodes, "gpu", NULL);
        return d->gpus > 0;
    }
    return true;
}

static bool has_features(const struct plumb_fit *f, const struct plumb_fit_line *sh)
{
    const struct plumb_setting *set = plumb_node_features(sh->nodes);

    return f->constraint == NULL ||
           plumb_feature_matches(f->constraint, set == NULL ? NULL : &set->value, f->choice);
}

/* Tasks that a node of this line can take under the demands of the mask; 0: none. */
uint64_t plumb_fit_tasks(const struct plumb_fit *f, const struct plumb_fit_line *sh,
                         struct plumb_fit_devices *d)
{
    const struct plumb_need *n = f->n;
    uint64_t tasks = UINT64_MAX, cpus = plumb_fit_cpus(f, sh);
    bool gres = true;

    *d = (struct plumb_fit_devices){.gpus = UINT64_MAX, .tasks = UINT64_MAX};
    if (plumb_fit_asks(f, PLUMB_D_GRES))
        gres = has_gres(f, sh, d);
    if (!gres || (plumb_fit_asks(f, PLUMB_D_FEATURES) && !has_features(f, sh)) ||
        (plumb_fit_asks(f, PLUMB_D_SHAPE) && !has_shape(f, sh)) ||
        (plumb_fit_asks(f, PLUMB_D_DISK) && !has_disk(f, sh)) ||
        (plumb_fit_asks(f, PLUMB_D_WHOLE) && n->whole_node && cpus < sh->cpus && n->threads == 0))
        return 0;
    tasks = d->tasks;
    if (plumb_fit_asks(f, PLUMB_D_CPUS)) {
        uint64_t most = tasks_by_cpus(f, sh);

        if (n->node_cpus > cpus)
            return 0;
        tasks = most < tasks ? most : tasks;
    }
    if (plumb_fit_asks(f, PLUMB_D_MEMORY) && n->mem_node > sh->memory)
        return 0;
    if (plumb_fit_asks(f, PLUMB_D_MEMORY) && n->mem_cpu > 0) {
        uint64_t most = sh->memory / n->mem_cpu / n->cpus_per_task;

        tasks = most < tasks ? most : tasks;
    }
    if (plumb_fit_asks(f, PLUMB_D_GPU_CPUS) && n->cpus_per_gpu > 0) {
        if (d->per_node * n->cpus_per_gpu > cpus)
            return 0;
        d->gpus = cpus / n->cpus_per_gpu < d->gpus ? cpus / n->cpus_per_gpu : d->gpus;
    }
    if (plumb_fit_asks(f, PLUMB_D_GPU_MEMORY) && n->mem_gpu > 0) {
        if (d->per_node > sh->memory / n->mem_gpu)
            return 0;
        if (plumb_has_trait(f->s->ck, PLUMB_TRAIT_MEMORY_BOUNDS_JOB_GPUS) &&
            sh->memory / n->mem_gpu < d->gpus)
            d->gpus = sh->memory / n->mem_gpu;
    }
    if (plumb_fit_asks(f, PLUMB_D_BINDING)) {
        uint64_t most = plumb_submit_bound_gpus(f->s, n, sh->nodes);

        if (!plumb_submit_binds(f->s, n, sh->nodes, d->per_node))
            return 0;
        d->gpus = most < d->gpus ? most : d->gpus;
    }
    if (n->tasks_per_node > 0) {
        if (tasks < n->tasks_per_node && !plumb_usable(f->s->rq->ntasks))
            return 0;
        return tasks < n->tasks_per_node ? tasks : n->tasks_per_node;
    }
    return tasks;
}
