/* SPDX-License-Identifier: Apache-2.0 */
/* What a request comes to once slurmctld has filled in what it does not say. */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"
#include "rules/submit.h"

static uint64_t or_else(struct plumb_u64 v, uint64_t other)
{
    return plumb_usable(v) ? v.v : other;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return b == 0 ? a : a / b + (a % b != 0);
}

/* job_mgr.c:_get_def_mem and gres: per GPU first, when the job has some. */
static void default_memory(const struct plumb_submit *s, struct plumb_need *n, bool gpus)
{
    struct plumb_u64 gpu =
        plumb_submit_default(s, PLUMB_P_PART_DEFMEMPERGPU, PLUMB_P_SLURM_DEFMEMPERGPU);
    struct plumb_u64 part_cpu =
        s->part == NULL ? (struct plumb_u64){0} : plumb_submit_limit(s, PLUMB_P_PART_DEFMEMPERCPU);
    struct plumb_u64 part_node =
        s->part == NULL ? (struct plumb_u64){0} : plumb_submit_limit(s, PLUMB_P_PART_DEFMEMPERNODE);
    struct plumb_u64 cpu = plumb_global_u64(s->ck, PLUMB_P_SLURM_DEFMEMPERCPU);
    struct plumb_u64 node = plumb_global_u64(s->ck, PLUMB_P_SLURM_DEFMEMPERNODE);
    struct plumb_u64 *order[] = {&part_cpu, &part_node, &cpu, &node};

    n->whole_memory = true;
    for (size_t i = 0; i < PLUMB_COUNT(order); i++) {
        if (!plumb_usable(*order[i]) || order[i]->v == 0 || order[i]->v == PLUMB_UNLIMITED)
            continue;
        *(i % 2 == 0 ? &n->mem_cpu : &n->mem_node) = order[i]->v;
        n->mem_default_at = order[i]->at;
        n->whole_memory = false;
        break;
    }
    if (gpus && plumb_usable(gpu) && n->whole_memory)
        n->mem_default_at = gpu.at; /* does not count for MaxMemPerNode */
}

static void memory(const struct plumb_submit *s, struct plumb_need *n, bool gpus)
{
    const struct plumb_request *rq = s->rq;
    struct plumb_u64 most =
        plumb_submit_default(s, PLUMB_P_PART_MAXMEMPERCPU, PLUMB_P_SLURM_MAXMEMPERCPU);

    n->mem_given =
        plumb_usable(rq->mem) || plumb_usable(rq->mem_per_cpu) || plumb_usable(rq->mem_per_gpu);
    n->mem_node = or_else(rq->mem, 0);
    n->mem_cpu = or_else(rq->mem_per_cpu, 0);
    n->mem_gpu = or_else(rq->mem_per_gpu, 0);
    if (!n->mem_given)
        default_memory(s, n, gpus);
    if (n->mem_gpu > 0) {
        struct plumb_need other = {0};

        default_memory(s, &other, gpus);
        n->other_node = other.mem_node;
        n->other_whole = other.whole_memory;
    }
    if (!plumb_usable(most))
        return;
    /* _valid_pn_min_mem: more CPUs, so that each has no more than its share. */
    if (n->mem_cpu > most.v) {
        uint64_t factor = divide_up(n->mem_cpu, most.v);

        n->mem_cpu = divide_up(n->mem_cpu, factor);
        n->cpus_per_task *= factor;
    } else if (n->mem_node > most.v) {
        n->node_cpus = divide_up(n->mem_node, most.v);
    }
}

/* GPUs of the whole job, and of a node where --gres or --gpus-per-node says so. */
static void count_gpus(const struct plumb_submit *s, uint64_t *job, uint64_t *node, uint64_t *task)
{
    for (size_t i = 0; i < s->rq->gres_count; i++) {
        const struct plumb_request_gres *g = &s->rq->gres[i];

        if (!plumb_same_nocase(g->name, "gpu"))
            continue;
        *(g->per == PLUMB_PER_JOB    ? job
          : g->per == PLUMB_PER_NODE ? node
          : g->per == PLUMB_PER_TASK ? task
                                     : node) += g->count;
    }
}

static bool hinted(const struct plumb_request *rq)
{
    const struct plumb_given *hint = plumb_given(rq, PLUMB_O_HINT);

    return hint != NULL && !hint->unknown &&
           (plumb_slice_is(&hint->value, "nomultithread") ||
            plumb_slice_is(&hint->value, "compute_bound"));
}

static void count_tasks(const struct plumb_submit *s, struct plumb_need *n)
{
    const struct plumb_request *rq = s->rq;
    uint64_t job = 0, node = 0, task = 0, per_gpu = or_else(rq->ntasks_per_gpu, 0);

    count_gpus(s, &job, &node, &task);
    n->tasks_per_node = or_else(rq->ntasks_per_node, 0);
    n->tasks = or_else(rq->ntasks, 0);
    if (per_gpu > 0 && job + node > 0) {
        n->tasks = per_gpu * (job > 0 ? job : node * n->min_nodes);
    } else if (per_gpu > 0 && n->tasks > 0) {
        n->gpus = n->tasks / per_gpu;
    }
    if (n->tasks == 0 && task > 0 && job > 0)
        n->tasks = job / task;
    if (n->tasks == 0)
        n->tasks = n->min_nodes * (n->tasks_per_node > 0 ? n->tasks_per_node : 1);
    /* --ntasks beside --ntasks-per-node: the latter is only the most on a node. */
    if (plumb_usable(rq->ntasks) && n->tasks_per_node > 0) {
        uint64_t nodes = divide_up(n->tasks, n->tasks_per_node);

        if (n->min_nodes < nodes && !plumb_usable(rq->nodes_min))
            n->min_nodes = nodes;
    }
    if (n->tasks < n->min_nodes)
        n->tasks = n->min_nodes;
}

static bool whole_node(const struct plumb_submit *s)
{
    const struct plumb_given *exclusive = plumb_given(s->rq, PLUMB_O_EXCLUSIVE);
    const struct plumb_setting *over =
        s->part == NULL ? NULL : plumb_setting(&s->part->settings, PLUMB_P_PART_OVERSUBSCRIBE);
    const struct plumb_setting *now =
        s->part == NULL ? NULL : plumb_setting(&s->part->settings, PLUMB_P_PART_EXCLUSIVE);

    return (exclusive != NULL && !s->rq->step &&
            (exclusive->value.len == 0 || plumb_slice_is(&exclusive->value, "exclusive"))) ||
           (over != NULL && plumb_slice_is(&over->value, "EXCLUSIVE")) ||
           (now != NULL && plumb_slice_is(&now->value, "NODE"));
}

struct plumb_need plumb_need_of(const struct plumb_submit *s)
{
    const struct plumb_request *rq = s->rq;
    struct plumb_need n = {
        .min_nodes = or_else(rq->nodes_min, 1),
        .max_nodes = or_else(rq->nodes_max, 0),
        .cpus_per_task = or_else(rq->cpus_per_task, 1),
        .node_cpus = or_else(rq->min_cpus, 1),
        .threads = or_else(rq->threads, hinted(rq) ? 1 : 0),
        .tasks_per_core = or_else(rq->ntasks_per_core, 0),
        .cpus_per_gpu = or_else(rq->cpus_per_gpu, 0),
        .whole_node = whole_node(s),
    };
    struct plumb_u64 least = {0};
    uint64_t job = 0, node = 0, task = 0;

    if (n.min_nodes == 0)
        n.min_nodes = 1;
    if (s->part != NULL)
        least = plumb_submit_limit(s, PLUMB_P_PART_MINNODES);
    if (plumb_usable(least) && least.v > n.min_nodes && !plumb_usable(rq->nodes_max))
        n.min_nodes = least.v;
    count_gpus(s, &job, &node, &task);
    memory(s, &n, job + node + task > 0);
    count_tasks(s, &n);
    if (plumb_setting_has_word(plumb_slurm(s->ck->model), PLUMB_P_SLURM_SELECTTYPEPARAMETERS,
                               "CR_ONE_TASK_PER_CORE", NULL) &&
        n.tasks_per_core == 0)
        n.tasks_per_core = 1;
    if (n.node_cpus < n.cpus_per_task)
        n.node_cpus = n.cpus_per_task;
    return n;
}
