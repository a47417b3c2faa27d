/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPUs near GPUs: --gres-flags=enforce-binding takes cores of the sockets of the GPUs alone
 * (gres_filter.c, gres_sched.c), and without it cores far from them are what a job gets. Where the
 * GPUs are is told by Cores of gres.conf, else by a capture of the nodes.
 */
#include <string.h>

#include "base/num.h"
#include "rules/ask.h"
#include "rules/device.h"
#include "rules/submit_fit.h"

enum { MAX_SOCKETS = 64 };

/* GPUs on each socket of a node. */
struct places {
    uint64_t on[MAX_SOCKETS];
    size_t sockets;
    uint64_t each; /* cores of one */
    bool any;
    bool untold; /* some are near several sockets, or near none that is known */
};

static void place(struct places *p, const struct plumb_cores *cores, uint64_t gpus)
{
    uint64_t first = plumb_cores_first(cores).n / p->each,
             last = plumb_cores_last(cores).n / p->each;

    if (plumb_cores_empty(cores) || first != last || last >= p->sockets) {
        p->untold = true;
        return;
    }
    p->on[first] += gpus;
    p->any = true;
}

/* From the Cores of gres.conf: what slurmctld goes by. */
static void place_lines(const struct plumb_submit *s, const struct plumb_nodes *nodes,
                        const char *type, struct places *p)
{
    const struct plumb_model *m = s->ck->model;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *l = &m->gres_lines[i];

        if (!plumb_gres_is(l, "gpu") || l->cores_bad || !l->has_cores ||
            (type != NULL && (l->type == NULL || strcmp(l->type, type) != 0)) ||
            !plumb_gres_line_applies(s->ck->scratch, l, nodes))
            continue;
        place(p, &l->cores, plumb_usable(l->count) ? l->count.v : 1);
    }
}

/* AutoDetect tells slurmctld the cores of these nodes' GPUs. */
static bool detects(const struct plumb_check *ck, const struct plumb_nodes *nodes)
{
    struct plumb_gres_views views = plumb_gres_views(ck);

    for (size_t i = 0; i < views.count; i++) {
        if (views.items[i].nodes == nodes && !plumb_autodetects(ck, &views.items[i]))
            return false;
    }
    return views.count > 0;
}

/* All GPUs of the node line are of one type, and it is this one. */
static bool is_of_type(const struct plumb_nodes *nodes, const char *type)
{
    uint64_t of_type = plumb_fit_available(nodes, "gpu", type);

    return of_type > 0 && of_type == plumb_gres_total(nodes, "gpu");
}

/*
 * From a capture of the nodes: what AutoDetect finds, and what is so in any case. A capture that
 * counts other GPUs or cores than the node line tells nothing: that is another finding.
 */
static void place_captured(const struct plumb_submit *s, const struct plumb_nodes *nodes,
                           const char *type, struct places *p)
{
    const struct plumb_hardware *hw = nodes->hardware;

    if (hw == NULL || hw->gpu_count != plumb_gres_total(nodes, "gpu") ||
        (type != NULL && !is_of_type(nodes, type)) ||
        (hw->core_count.v > 0 && hw->core_count.v != p->sockets * p->each))
        return;
    for (size_t i = 0; i < hw->gpu_count; i++) {
        struct plumb_cores near = {0};

        if (!plumb_device_cores(s->ck, nodes, &hw->gpus[i], &near))
            near = (struct plumb_cores){0};
        place(p, &near, 1);
    }
}

/* The fewest sockets that hold so many GPUs. */
static uint64_t sockets_for(const uint64_t *on, size_t sockets, uint64_t gpus)
{
    uint64_t left[MAX_SOCKETS], got = 0, used = 0;

    memcpy(left, on, sockets * sizeof(*left));
    while (got < gpus && used < sockets) {
        size_t best = 0;

        for (size_t k = 1; k < sockets; k++)
            best = left[k] > left[best] ? k : best;
        got += left[best];
        left[best] = 0;
        used++;
    }
    return used;
}

/*
 * GPUs of a task, and of the job where it has one node; a job of several may spread. True: those
 * of the node are of the job as a whole.
 */
static bool count_gpus(const struct plumb_submit *s, const struct plumb_need *n, uint64_t *node,
                       uint64_t *task)
{
    bool job = false;
    bool one = plumb_usable(s->rq->nodes_max) && s->rq->nodes_max.v == 1;

    for (size_t i = 0; i < s->rq->gres_count; i++) {
        const struct plumb_request_gres *g = &s->rq->gres[i];

        if (strcmp(g->name, "gpu") != 0)
            continue;
        if (g->per == PLUMB_PER_TASK)
            *task += g->count;
        else if (g->per == PLUMB_PER_JOB && one && *node == 0) {
            *node = g->count;
            job = true;
        }
    }
    if (one && *node == 0)
        *node = n->gpus;
    return job;
}

bool plumb_submit_enforces_binding(const struct plumb_submit *s)
{
    const struct plumb_given *flags = plumb_given(s->rq, PLUMB_O_GRES_FLAGS);

    return flags != NULL && plumb_list_find(&flags->value, "enforce-binding", NULL);
}

static bool find_places(const struct plumb_submit *s, const struct plumb_nodes *nodes,
                        struct places *p)
{
    const char *type = NULL;

    if (!plumb_usable(nodes->sockets) || !plumb_usable(nodes->cores_per_socket) ||
        nodes->sockets.v == 0 || nodes->sockets.v > MAX_SOCKETS || nodes->cores_per_socket.v == 0)
        return false;
    *p = (struct places){.sockets = (size_t)nodes->sockets.v, .each = nodes->cores_per_socket.v};
    for (size_t i = 0; i < s->rq->gres_count; i++)
        type = s->rq->gres[i].type != NULL ? s->rq->gres[i].type : type;
    place_lines(s, nodes, type, p);
    if (!p->any && !p->untold && (!plumb_submit_enforces_binding(s) || detects(s->ck, nodes)))
        place_captured(s, nodes, type, p);
    return p->any && !p->untold;
}

/* The most sockets that so many GPUs can be of. */
static uint64_t most_sockets(const struct places *p, uint64_t gpus)
{
    uint64_t with = 0;

    for (size_t k = 0; k < p->sockets; k++)
        with += p->on[k] > 0;
    return with < gpus ? with : gpus;
}

/* CPUs of a socket that the job can use. */
static uint64_t socket_cpus(const struct plumb_need *n, const struct plumb_nodes *nodes)
{
    uint64_t threads = plumb_usable(nodes->threads_per_core) ? nodes->threads_per_core.v : 1;

    if (n->threads > 0 && n->threads < threads)
        threads = n->threads;
    return nodes->cores_per_socket.v * threads;
}

static bool keeps_to_one_socket(const struct plumb_submit *s)
{
    return plumb_submit_enforces_binding(s) &&
           plumb_has_trait(s->ck, PLUMB_TRAIT_BINDING_KEEPS_TO_ONE_SOCKET);
}

uint64_t plumb_submit_bound_gpus(const struct plumb_submit *s, const struct plumb_need *n,
                                 const struct plumb_nodes *nodes)
{
    struct places p;
    uint64_t most = 0;

    if (n->cpus_per_gpu == 0 || !keeps_to_one_socket(s) || !find_places(s, nodes, &p))
        return UINT64_MAX;
    for (size_t k = 0; k < p.sockets; k++) {
        uint64_t some = socket_cpus(n, nodes) / n->cpus_per_gpu;

        some = p.on[k] < some ? p.on[k] : some;
        most = some > most ? some : most;
    }
    return most;
}

/* Tasks on one node, each with GPUs of its own: all of them on the fewest sockets. */
static bool tasks_bind(const struct plumb_need *n, const struct places *p, uint64_t socket,
                       uint64_t task)
{
    uint64_t gpus = 0, cpus = 0, by_gpu = 0;

    if (!plumb_mul_u64(n->tasks, task, &gpus) ||
        !plumb_mul_u64(n->tasks, n->cpus_per_task, &cpus) ||
        !plumb_mul_u64(gpus, n->cpus_per_gpu, &by_gpu))
        return false;
    cpus = by_gpu > cpus ? by_gpu : cpus;
    return cpus <= sockets_for(p->on, p->sockets, gpus) * socket;
}

bool plumb_submit_binds(const struct plumb_submit *s, const struct plumb_need *n,
                        const struct plumb_nodes *nodes, uint64_t per_node)
{
    uint64_t task = 0, socket = 0, cpus = n->node_cpus, all = 0;
    bool one = plumb_usable(s->rq->nodes_max) && s->rq->nodes_max.v == 1, job = false;
    struct places p;

    job = count_gpus(s, n, &per_node, &task);
    if (per_node + task == 0 || !find_places(s, nodes, &p))
        return true;
    socket = socket_cpus(n, nodes);
    if (per_node == 0 && one && keeps_to_one_socket(s))
        return tasks_bind(n, &p, socket, task);
    if (n->cpus_per_gpu > 0)
        return n->cpus_per_gpu <= socket;
    if (per_node == 0) /* each task may be on a socket of its own */
        return n->cpus_per_task <= sockets_for(p.on, p.sockets, task) * socket;
    if (one && plumb_mul_u64(n->tasks, n->cpus_per_task, &all) && all > cpus)
        cpus = all;
    if (job && !keeps_to_one_socket(s)) /* each task may be on a socket of its own here too */
        return n->cpus_per_task <= sockets_for(p.on, p.sockets, per_node) * socket &&
               cpus <= most_sockets(&p, per_node) * socket;
    return cpus <= sockets_for(p.on, p.sockets, per_node) * socket;
}
