/* SPDX-License-Identifier: Apache-2.0 */
/* What a job can be given at most, for its steps. */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"
#include "rules/gres_view.h"
#include "rules/step.h"

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t out = 0;

    return a == PLUMB_UNLIMITED || b == PLUMB_UNLIMITED || !plumb_mul_u64(a, b, &out)
               ? PLUMB_UNLIMITED
               : out;
}

/* One of these options has a value that nobody knows before the script runs. */
static bool unknown_one(const struct plumb_request *rq, const enum plumb_option_id *ids)
{
    for (; *ids != PLUMB_O_COUNT; ids++) {
        if (rq->given[*ids].set && rq->given[*ids].unknown)
            return true;
    }
    return false;
}

static bool given_one(const struct plumb_request *rq, const enum plumb_option_id *ids)
{
    for (; *ids != PLUMB_O_COUNT; ids++) {
        if (rq->given[*ids].set)
            return true;
    }
    return false;
}

/* Nodes of the partition, or all: the largest and the smallest of what they have. */
struct sizes {
    uint64_t cpus, memory, threads, fewest_threads, socket;
};

static struct sizes sizes_of(const struct plumb_check *ck, const struct plumb_partition *p)
{
    struct sizes z = {.threads = 1, .fewest_threads = PLUMB_UNLIMITED, .socket = 1};

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        uint64_t threads = plumb_usable(n->threads_per_core) ? n->threads_per_core.v : 1;

        if (!plumb_submit_has_nodes(ck, p, n))
            continue;
        z.cpus = most_of(z.cpus, plumb_usable(n->cpus) ? n->cpus.v : 1);
        z.memory = most_of(z.memory, plumb_usable(n->real_memory_mib) ? n->real_memory_mib.v : 1);
        z.threads = most_of(z.threads, threads);
        z.fewest_threads = threads < z.fewest_threads ? threads : z.fewest_threads;
        if (plumb_usable(n->cores_per_socket))
            z.socket = most_of(z.socket, n->cores_per_socket.v * threads);
    }
    return z;
}

/* GPUs that the job asks for in all; UNLIMITED where nodes decide. */
static uint64_t gpus_in_all(const struct plumb_check *ck, const struct plumb_room *room)
{
    return plumb_room_devices(ck, room, "gpu", NULL).all;
}

/* Nodes that the job may run on: all of its partition. */
static uint64_t nodes_of_partition(const struct plumb_check *ck, const struct plumb_partition *p)
{
    const struct plumb_hostlist *all = p == NULL || p->all_nodes ? ck->model->all_nodes : p->nodes;

    return all == NULL ? PLUMB_UNLIMITED : all->count;
}

static uint64_t nodes_of(const struct plumb_check *ck, const struct plumb_room *room,
                         const struct plumb_need *n)
{
    static const enum plumb_option_id deciding[] = {
        PLUMB_O_NODES, PLUMB_O_NTASKS,         PLUMB_O_NTASKS_PER_NODE,
        PLUMB_O_GPUS,  PLUMB_O_NTASKS_PER_GPU, PLUMB_O_NODELIST,
        PLUMB_O_COUNT};
    static const enum plumb_option_id open[] = {PLUMB_O_NODES, PLUMB_O_NODEFILE, PLUMB_O_COUNT};
    const struct plumb_request *rq = room->job;
    const struct plumb_hostlist *list = plumb_submit_hosts(ck, rq, PLUMB_O_NODELIST);
    uint64_t most = most_of(n->tasks, n->min_nodes);
    uint64_t all = nodes_of_partition(ck, room->part);

    if (plumb_usable(rq->nodes_max) && rq->nodes_max.v > 0)
        return rq->nodes_max.v;
    if (given_one(rq, open) || unknown_one(rq, deciding) ||
        (list == NULL && plumb_given(rq, PLUMB_O_NODELIST) != NULL))
        return PLUMB_UNLIMITED;
    if (list != NULL)
        most = most_of(most, list->count);
    for (size_t i = 0; i < rq->gres_count; i++) {
        if (rq->gres[i].per == PLUMB_PER_JOB)
            most = most_of(most, rq->gres[i].count);
    }
    return all != 0 && all < most ? all : most;
}

/* Options that make the number of CPUs other than tasks times CPUs. */
static bool cpus_known(const struct plumb_request *rq)
{
    static const enum plumb_option_id deciding[] = {PLUMB_O_NTASKS,         PLUMB_O_NTASKS_PER_NODE,
                                                    PLUMB_O_NTASKS_PER_GPU, PLUMB_O_CPUS_PER_TASK,
                                                    PLUMB_O_CPUS_PER_GPU,   PLUMB_O_MINCPUS,
                                                    PLUMB_O_MEM_PER_CPU,    PLUMB_O_MEM,
                                                    PLUMB_O_EXCLUSIVE,      PLUMB_O_COUNT};
    static const enum plumb_option_id odd[] = {PLUMB_O_TRES_PER_TASK,    PLUMB_O_OVERCOMMIT,
                                               PLUMB_O_EXTRA_NODE_INFO,  PLUMB_O_SOCKETS_PER_NODE,
                                               PLUMB_O_CORES_PER_SOCKET, PLUMB_O_NTASKS_PER_SOCKET,
                                               PLUMB_O_CORE_SPEC,        PLUMB_O_THREAD_SPEC,
                                               PLUMB_O_OVERSUBSCRIBE,    PLUMB_O_COUNT};

    return !unknown_one(rq, deciding) && !given_one(rq, odd);
}

/* How many CPUs are given out together: a core, or a socket. */
static uint64_t grain_of(const struct plumb_check *ck, const struct sizes *z)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_SELECTTYPEPARAMETERS);

    if (s != NULL && plumb_slice_holds(&s->value, "Socket"))
        return z->socket;
    return z->threads;
}

/* CPUs that a number of tasks may get on a number of nodes, given out by the grain. */
static uint64_t rounded(const struct plumb_need *n, uint64_t tasks, uint64_t nodes, uint64_t gpus,
                        uint64_t per_gpu, uint64_t grain)
{
    uint64_t each = n->cpus_per_task, total = 0, spare = 0;

    if (n->threads > 0 && n->threads < grain)
        grain = n->threads; /* the other threads of a core are nobody's */
    else if (n->tasks_per_core > 0)
        each = times((each + grain - 1) / grain, grain);
    spare = times(nodes, grain - 1);
    total = most_of(times(tasks, each), times(nodes, n->node_cpus));
    total = most_of(total, times(gpus, per_gpu));
    if (total == PLUMB_UNLIMITED || spare == PLUMB_UNLIMITED ||
        !plumb_add_u64(total, spare, &total))
        return PLUMB_UNLIMITED;
    return total / grain * grain;
}

static uint64_t cpus_per_gpu(const struct plumb_submit *s, const struct plumb_need *n)
{
    struct plumb_u64 v =
        plumb_submit_default(s, PLUMB_P_PART_DEFCPUPERGPU, PLUMB_P_SLURM_DEFCPUPERGPU);

    return n->cpus_per_gpu > 0 ? n->cpus_per_gpu : plumb_usable(v) ? v.v : 0;
}

static void count_cpus(const struct plumb_submit *s, struct plumb_room *room,
                       const struct plumb_need *n, const struct sizes *z)
{
    const struct plumb_check *ck = s->ck;
    const struct plumb_request *rq = room->job;
    uint64_t gpus = gpus_in_all(ck, room), per_gpu = cpus_per_gpu(s, n);
    uint64_t grain = grain_of(ck, z), tasks = n->tasks;

    if (room->whole) {
        room->node_cpus = z->cpus;
        room->cpus = times(room->nodes, z->cpus);
        return;
    }
    if (!cpus_known(rq))
        return;
    if (per_gpu == 0)
        gpus = 0;
    room->cpus = room->node_cpus = rounded(n, tasks, room->nodes, gpus, per_gpu, grain);
    if (!plumb_usable(rq->ntasks) && n->tasks_per_node > 0) {
        gpus = per_gpu == 0 ? 0 : plumb_room_devices(ck, room, "gpu", NULL).node;
        room->node_cpus = rounded(n, n->tasks_per_node, 1, gpus, per_gpu, grain);
        room->cpus = times(room->node_cpus, room->nodes);
    }
    if (room->node_cpus > z->cpus && z->cpus > 0)
        room->node_cpus = z->cpus;
}

static void count_memory(const struct plumb_submit *s, struct plumb_room *room,
                         const struct plumb_need *n, const struct sizes *z)
{
    static const enum plumb_option_id deciding[] = {PLUMB_O_MEM, PLUMB_O_MEM_PER_CPU,
                                                    PLUMB_O_MEM_PER_GPU, PLUMB_O_COUNT};
    const struct plumb_check *ck = s->ck;
    struct plumb_u64 by_gpu =
        plumb_submit_default(s, PLUMB_P_PART_DEFMEMPERGPU, PLUMB_P_SLURM_DEFMEMPERGPU);

    room->memory_counts = plumb_memory_consumable(ck);
    if (!room->memory_counts || unknown_one(room->job, deciding))
        return;
    if (n->mem_gpu > 0)
        room->memory = times(n->mem_gpu, plumb_room_devices(ck, room, "gpu", NULL).node);
    else if (!n->mem_given && plumb_usable(by_gpu))
        return; /* counted by the GPUs of each node */
    else if (n->mem_cpu > 0)
        room->memory = times(n->mem_cpu, room->node_cpus);
    else
        room->memory = n->mem_node > 0 ? n->mem_node : z->memory;
    if (room->part == NULL)
        room->memory = n->mem_given ? room->memory : PLUMB_UNLIMITED;
    else if (room->memory > z->memory)
        room->memory = z->memory;
}

struct plumb_room plumb_room_of(const struct plumb_check *ck, const struct plumb_request *job)
{
    struct plumb_submit s = plumb_submit_begin(ck, job);
    struct plumb_room room = {
        .job = job,
        .part = plumb_submit_one_partition(ck->model, job),
        .cpus = PLUMB_UNLIMITED,
        .node_cpus = PLUMB_UNLIMITED,
        .memory = PLUMB_UNLIMITED,
    };
    struct sizes z = sizes_of(ck, room.part);
    struct plumb_need n;

    s.part = room.part;
    n = plumb_need_of(&s);
    room.threads = z.fewest_threads == PLUMB_UNLIMITED ? 1 : z.fewest_threads;
    room.whole = n.whole_node || plumb_plugin_in_force(ck, PLUMB_P_SLURM_SELECTTYPE, "linear");
    room.nodes = nodes_of(ck, &room, &n);
    room.fixed_nodes = plumb_usable(job->nodes_min) && job->nodes_min.v == job->nodes_max.v;
    count_cpus(&s, &room, &n, &z);
    count_memory(&s, &room, &n, &z);
    return room;
}

static bool same_type(const char *asked, const char *has)
{
    return asked == NULL || has == NULL || plumb_same_nocase(asked, has);
}

/* What nodes have at most: a job that gets whole nodes gets all of it. */
static uint64_t largest(const struct plumb_check *ck, const struct plumb_partition *p,
                        const char *name, const char *type)
{
    uint64_t most = 0;

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        uint64_t sum = 0;

        for (size_t k = 0; plumb_submit_has_nodes(ck, p, n) && k < n->gres_count; k++) {
            if (plumb_same_nocase(n->gres[k].name, name) && same_type(type, n->gres[k].type))
                sum += n->gres[k].count;
        }
        most = most_of(most, sum);
    }
    return most;
}

static uint64_t tasks_of(const struct plumb_room *room)
{
    const struct plumb_request *rq = room->job;

    if (plumb_usable(rq->ntasks))
        return rq->ntasks.v;
    if (plumb_usable(rq->ntasks_per_node))
        return times(rq->ntasks_per_node.v, room->nodes);
    return rq->given[PLUMB_O_NTASKS].set || rq->given[PLUMB_O_NTASKS_PER_NODE].set ||
                   rq->given[PLUMB_O_GPUS].set
               ? PLUMB_UNLIMITED
               : room->nodes;
}

static void add_item(const struct plumb_room *room, const struct plumb_request_gres *g,
                     struct plumb_room_gres *out)
{
    uint64_t node = g->count, all = g->count;

    if (g->per == PLUMB_PER_NODE) {
        all = times(g->count, room->nodes);
    } else if (g->per == PLUMB_PER_TASK) {
        node = all = times(g->count, tasks_of(room));
    } else if (g->per == PLUMB_PER_SOCKET) {
        node = all = PLUMB_UNLIMITED;
    }
    /* The same devices may be asked for in two ways: each bounds them. */
    out->node = most_of(out->node, node) == PLUMB_UNLIMITED ? PLUMB_UNLIMITED : out->node + node;
    out->all = most_of(out->all, all) == PLUMB_UNLIMITED ? PLUMB_UNLIMITED : out->all + all;
    out->at = g->at;
}

struct plumb_room_gres plumb_room_devices(const struct plumb_check *ck,
                                          const struct plumb_room *room, const char *name,
                                          const char *type)
{
    static const enum plumb_option_id deciding[] = {PLUMB_O_GRES,
                                                    PLUMB_O_GPUS,
                                                    PLUMB_O_GPUS_PER_NODE,
                                                    PLUMB_O_GPUS_PER_TASK,
                                                    PLUMB_O_GPUS_PER_SOCKET,
                                                    PLUMB_O_COUNT};
    const struct plumb_request *rq = room->job;
    struct plumb_room_gres out = {.at = rq->at};
    bool other = false;

    if (unknown_one(rq, deciding) || rq->given[PLUMB_O_TRES_PER_TASK].set ||
        rq->given[PLUMB_O_NTASKS_PER_GPU].set || rq->given[PLUMB_O_NTASKS_PER_TRES].set) {
        out.node = out.all = PLUMB_UNLIMITED;
        return out;
    }
    for (size_t i = 0; i < rq->gres_count; i++) {
        if (!plumb_same_nocase(rq->gres[i].name, name))
            continue;
        out.untyped = out.untyped || rq->gres[i].type == NULL;
        if (same_type(type, rq->gres[i].type))
            add_item(room, &rq->gres[i], &out);
        else
            other = true;
    }
    out.typed = other && out.all == 0;
    if (room->whole) {
        out.node = most_of(out.node, largest(ck, room->part, name, type));
        out.all = most_of(out.all, times(out.node, room->nodes));
    }
    return out;
}
