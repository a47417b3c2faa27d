/* SPDX-License-Identifier: Apache-2.0 */
/* Which demand of a job the nodes of a partition cannot meet, in words and numbers. */
#include "base/text.h"
#include "rules/ask.h"
#include "rules/submit_fit.h"

/* Types of a device in the whole cluster, for messages. */
static const char *types_of(const struct plumb_submit *s, const char *name)
{
    struct plumb_buf out = plumb_buf_in(s->ck->arena);

    return plumb_submit_types(s->ck, NULL, name, &out) == 0 ? "none" : plumb_buf_text(&out);
}

static uint64_t most_of(const struct plumb_fit *f, const char *name, const char *type)
{
    uint64_t most = 0;

    for (size_t i = 0; i < f->line_count; i++) {
        uint64_t have = plumb_fit_available(f->lines[i].nodes, name, type);

        most = have > most ? have : most;
    }
    return most;
}

/* The device is known nowhere, not in this partition, or there are too few of it. */
static void gres_fault(struct plumb_fit *f, const struct plumb_request_gres *g, bool alone)
{
    struct plumb_submit *s = f->s;
    const char *part = s->part->name.v, *series = plumb_series(s->ck);
    bool anywhere = false;

    for (size_t i = 0; i < s->ck->model->node_count; i++)
        anywhere = anywhere || plumb_fit_available(&s->ck->model->nodes[i], g->name, g->type) > 0;
    if (!alone)
        plumb_fault(s, PLUMB_SUBMIT_TOGETHER, g->at,
                    "no node of partition '%s' has these devices together with what else is asked "
                    "for; slurmctld %s refuses the job",
                    part, series);
    else if (!anywhere && g->type != NULL)
        plumb_fault(s, PLUMB_SUBMIT_GRES_TYPE, g->type_at,
                    "no node of the cluster has '%s' of type '%s', the types here are %s; "
                    "slurmctld %s refuses the job",
                    g->name, g->type, types_of(s, g->name), series);
    else if (!anywhere || most_of(f, g->name, g->type) == 0)
        plumb_fault(s, PLUMB_SUBMIT_GRES_COUNT, g->at,
                    "no node of %s '%s' has '%s%s%s'; slurmctld %s refuses the job",
                    anywhere ? "partition" : "the cluster with partition", part, g->name,
                    g->type == NULL ? "" : ":", g->type == NULL ? "" : g->type, series);
    else
        plumb_fault(s, PLUMB_SUBMIT_GRES_COUNT, g->count_at,
                    "%llu '%s%s%s' are asked for, the most that a node of partition '%s' has is "
                    "%llu%s; slurmctld %s refuses the job",
                    (unsigned long long)g->count, g->name, g->type == NULL ? "" : ":",
                    g->type == NULL ? "" : g->type, part,
                    (unsigned long long)most_of(f, g->name, g->type),
                    g->per == PLUMB_PER_NODE ? "" : ", and too few nodes have some", series);
}

static void blame_gres(struct plumb_fit *f, unsigned before)
{
    const struct plumb_request *rq = f->s->rq;

    for (int alone = 1; alone >= 0; alone--) {
        for (size_t i = 0; i < rq->gres_count; i++) {
            f->only_gres = i;
            if (plumb_fits(f, (alone ? 0 : before) | 1u << PLUMB_D_GRES))
                continue;
            gres_fault(f, &rq->gres[i], alone);
            return;
        }
    }
    if (rq->gres_count > 0)
        gres_fault(f, &rq->gres[rq->gres_count - 1], false);
}

const enum plumb_option_id plumb_fit_places[PLUMB_D_COUNT][6] = {
    [PLUMB_D_LIST] = {PLUMB_O_RESERVATION, PLUMB_O_NODELIST, PLUMB_O_EXCLUDE, PLUMB_O_COUNT},
    [PLUMB_D_FEATURES] = {PLUMB_O_CONSTRAINT, PLUMB_O_COUNT},
    [PLUMB_D_SHAPE] = {PLUMB_O_SOCKETS_PER_NODE, PLUMB_O_CORES_PER_SOCKET, PLUMB_O_THREADS_PER_CORE,
                       PLUMB_O_COUNT},
    [PLUMB_D_DISK] = {PLUMB_O_TMP, PLUMB_O_COUNT},
    [PLUMB_D_CPUS] = {PLUMB_O_CPUS_PER_TASK, PLUMB_O_NTASKS_PER_NODE, PLUMB_O_NTASKS,
                      PLUMB_O_MINCPUS, PLUMB_O_NTASKS_PER_GPU, PLUMB_O_COUNT},
    [PLUMB_D_MEMORY] = {PLUMB_O_MEM, PLUMB_O_MEM_PER_CPU, PLUMB_O_PARTITION, PLUMB_O_COUNT},
    [PLUMB_D_GPU_CPUS] = {PLUMB_O_CPUS_PER_GPU, PLUMB_O_COUNT},
    [PLUMB_D_GPU_MEMORY] = {PLUMB_O_MEM_PER_GPU, PLUMB_O_COUNT},
    [PLUMB_D_BINDING] = {PLUMB_O_GRES_FLAGS, PLUMB_O_CPUS_PER_TASK, PLUMB_O_COUNT},
    [PLUMB_D_WHOLE] = {PLUMB_O_EXCLUSIVE, PLUMB_O_PARTITION, PLUMB_O_COUNT},
};

static uint64_t largest(const struct plumb_fit *f, bool memory)
{
    uint64_t most = 0;

    for (size_t i = 0; i < f->line_count; i++) {
        uint64_t v = memory ? f->lines[i].memory : plumb_fit_cpus(f, &f->lines[i]);

        most = v > most ? v : most;
    }
    return most;
}

/* What the demand is, in numbers, and what the nodes have. */
static const char *describe(const struct plumb_fit *f, enum plumb_demand d)
{
    const struct plumb_need *n = f->n;
    struct plumb_arena *a = f->s->ck->arena;
    uint64_t per_node = n->tasks_per_node > 0 ? n->tasks_per_node : 1;

    switch (d) {
    case PLUMB_D_LIST:
        return "the nodes that are named or left";
    case PLUMB_D_FEATURES:
        return plumb_arena_printf(a, "the features '%s'", f->constraint);
    case PLUMB_D_SHAPE:
        return "the sockets, cores or threads that are asked for";
    case PLUMB_D_DISK:
        return plumb_arena_printf(a, "%llu MiB of TmpDisk", (unsigned long long)f->s->rq->tmp.v);
    case PLUMB_D_CPUS:
        return plumb_arena_printf(
            a, "room for %llu task%s of %llu CPU%s (the largest gives %llu CPUs)",
            (unsigned long long)n->tasks, plumb_plural(n->tasks),
            (unsigned long long)n->cpus_per_task, plumb_plural(n->cpus_per_task),
            (unsigned long long)largest(f, false));
    case PLUMB_D_MEMORY:
        return plumb_arena_printf(
            a, "the memory: %llu MiB %s%s (the largest has %llu MiB)",
            (unsigned long long)(n->mem_cpu > 0 ? n->mem_cpu * per_node * n->cpus_per_task
                                                : n->mem_node),
            n->mem_cpu > 0 && n->tasks_per_node == 0 ? "for each task" : "on each node",
            n->mem_given ? "" : " by default", (unsigned long long)largest(f, true));
    case PLUMB_D_GPU_CPUS:
        return plumb_arena_printf(a, "%llu CPUs for each GPU", (unsigned long long)n->cpus_per_gpu);
    case PLUMB_D_GPU_MEMORY:
        return plumb_arena_printf(a, "%llu MiB for each GPU (the largest has %llu MiB)",
                                  (unsigned long long)n->mem_gpu,
                                  (unsigned long long)largest(f, true));
    case PLUMB_D_BINDING:
        return "the CPUs on the sockets of its GPUs, as 'enforce-binding' wants";
    default:
        return "whole nodes to give: MaxCPUsPerNode leaves some CPUs of each out";
    }
}

static enum plumb_submit_row row_of(enum plumb_demand d)
{
    switch (d) {
    case PLUMB_D_FEATURES:
        return PLUMB_SUBMIT_FEATURE;
    case PLUMB_D_LIST:
        return PLUMB_SUBMIT_NODE_NAME;
    case PLUMB_D_SHAPE:
    case PLUMB_D_DISK:
        return PLUMB_SUBMIT_SHAPE;
    case PLUMB_D_CPUS:
    case PLUMB_D_GPU_CPUS:
        return PLUMB_SUBMIT_CPUS;
    case PLUMB_D_MEMORY:
    case PLUMB_D_GPU_MEMORY:
        return PLUMB_SUBMIT_MEMORY;
    default:
        return PLUMB_SUBMIT_TOGETHER;
    }
}

void plumb_fit_blame(struct plumb_fit *f, enum plumb_demand d, unsigned before)
{
    struct plumb_submit *s = f->s;
    bool alone = false;

    if (d == PLUMB_D_GRES && s->rq->gres_count > 0) {
        blame_gres(f, before);
        return;
    }
    alone = !plumb_fits(f, 1u << d);
    plumb_fault(s, alone ? row_of(d) : PLUMB_SUBMIT_TOGETHER,
                plumb_submit_at(s, plumb_fit_places[d]),
                "%s node%s of partition '%s' %s %s%s; slurmctld %s refuses the job",
                f->n->min_nodes > 1 ? "too few" : "no", f->n->min_nodes > 1 ? "s" : "",
                s->part->name.v, f->n->min_nodes > 1 ? "have" : "has", describe(f, d),
                alone ? "" : " beside what else is asked for", plumb_series(s->ck));
}
