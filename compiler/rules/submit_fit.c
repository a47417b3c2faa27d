/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can the nodes of a partition hold the job when they are empty? After select/cons_tres:
 * _allocate_sc counts tasks on a node, gres_select_filter takes the devices into account,
 * _eval_nodes adds nodes up. Each demand is tried alone and on top of those before it, so
 * that the finding names the one that fails.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"
#include "rules/submit.h"
#include "schema/value.h"

/* Demands, in the order of trying; bits of a mask. */
enum demand {
    D_LIST,     /* --nodelist, --exclude, --reservation */
    D_FEATURES, /* --constraint */
    D_SHAPE,    /* sockets, cores, threads */
    D_DISK,
    D_GRES,
    D_CPUS,
    D_MEMORY,
    D_GPU_CPUS,
    D_GPU_MEMORY,
    D_BINDING,
    D_WHOLE,
    D_COUNT,
};

/* A node line, as far as its nodes are in the partition. */
struct shape {
    const struct plumb_nodes *nodes;
    const struct plumb_hostlist *hosts;
    uint64_t count, cores, threads, cpus, memory;
};

struct fit {
    struct plumb_submit *s;
    const struct plumb_need *n;
    struct shape *shapes;
    size_t shape_count;
    const char *constraint;
    size_t choice; /* of a bracket */
    unsigned mask;
    size_t only_gres; /* SIZE_MAX: all items */
};

static bool asks(const struct fit *f, enum demand d)
{
    return (f->mask & (1u << d)) != 0;
}

static const struct plumb_hostlist *in_list(const struct fit *f, const struct plumb_hostlist *hosts)
{
    const struct plumb_submit *s = f->s;
    const struct plumb_given *list = plumb_given(s->rq, PLUMB_O_NODELIST);
    const struct plumb_given *without = plumb_given(s->rq, PLUMB_O_EXCLUDE);
    struct plumb_session session = {.arena = s->ck->scratch, .intern = s->ck->intern};
    struct plumb_hostlist *named = NULL;

    session.sink.arena = s->ck->scratch;
    if (s->reservation != NULL && s->reservation->nodes != NULL)
        hosts = plumb_hostlist_intersect(s->ck->scratch, hosts, s->reservation->nodes);
    if (without != NULL && !without->unknown && without->value.len > 0 &&
        memchr(without->value.text, '/', without->value.len) == NULL &&
        (named = plumb_hostlist_read(&session, &without->value, s->ck->model->release)) != NULL)
        hosts = plumb_hostlist_minus(s->ck->scratch, hosts, named);
    if (list == NULL || list->unknown || list->value.len == 0 ||
        memchr(list->value.text, '/', list->value.len) != NULL)
        return hosts;
    named = plumb_hostlist_read(&session, &list->value, s->ck->model->release);
    /* Names are those that must be used; the job may take others too when it needs more. */
    if (named == NULL || named->count < f->n->min_nodes)
        return hosts;
    return plumb_hostlist_intersect(s->ck->scratch, hosts, named);
}

static void add_shapes(struct fit *f)
{
    const struct plumb_model *m = f->s->ck->model;
    const struct plumb_partition *p = f->s->part;

    f->shapes = plumb_arena_array(f->s->ck->scratch, m->node_count, sizeof(*f->shapes));
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct shape *sh = &f->shapes[f->shape_count];
        const struct plumb_hostlist *hosts = n->hosts;

        if (hosts == NULL)
            continue;
        if (!p->all_nodes)
            hosts = p->nodes == NULL ? NULL
                                     : plumb_hostlist_intersect(f->s->ck->scratch, hosts, p->nodes);
        if (hosts == NULL || hosts->count == 0)
            continue;
        *sh = (struct shape){
            .nodes = n,
            .hosts = hosts,
            .count = hosts->count,
            .threads = plumb_usable(n->threads_per_core) ? n->threads_per_core.v : 1,
            .cpus = plumb_usable(n->cpus) ? n->cpus.v : 1,
            .memory = plumb_usable(n->real_memory_mib) ? n->real_memory_mib.v : 1,
        };
        sh->cores = plumb_usable(n->sockets) && plumb_usable(n->cores_per_socket)
                        ? n->sockets.v * n->cores_per_socket.v
                        : sh->cpus / (sh->threads == 0 ? 1 : sh->threads);
        f->shape_count++;
    }
}

static uint64_t available(const struct plumb_nodes *n, const char *name, const char *type)
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
static uint64_t cpus_of(const struct fit *f, const struct shape *sh)
{
    struct plumb_u64 most = plumb_submit_limit(f->s, PLUMB_P_PART_MAXCPUSPERNODE);
    uint64_t cpus = sh->cpus;

    if (f->n->threads > 0 && f->n->threads < sh->threads)
        cpus = sh->cores * f->n->threads;
    if (plumb_usable(most) && most.v > 0 && most.v < cpus)
        cpus = most.v;
    return cpus;
}

/* Tasks that find CPUs on a node. */
static uint64_t tasks_by_cpus(const struct fit *f, const struct shape *sh)
{
    const struct plumb_need *n = f->n;
    uint64_t tasks = cpus_of(f, sh) / n->cpus_per_task;

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

static bool has_shape(const struct fit *f, const struct shape *sh)
{
    const struct plumb_request *rq = f->s->rq;
    const struct plumb_nodes *n = sh->nodes;

    return (!plumb_usable(rq->sockets) || !plumb_usable(n->sockets) ||
            rq->sockets.v <= n->sockets.v) &&
           (!plumb_usable(rq->cores) || !plumb_usable(n->cores_per_socket) ||
            rq->cores.v <= n->cores_per_socket.v) &&
           f->n->threads <= sh->threads;
}

static bool has_disk(const struct fit *f, const struct shape *sh)
{
    struct plumb_u64 disk =
        plumb_setting_u64(&sh->nodes->settings, PLUMB_P_NODE_TMPDISK, f->s->ck->model->release);

    return !plumb_usable(f->s->rq->tmp) || f->s->rq->tmp.v <= (plumb_usable(disk) ? disk.v : 0);
}

/* GPUs of a node that the job can take, and what they allow in tasks. */
struct devices {
    uint64_t gpus;     /* of the job as a whole: at most from this node */
    uint64_t per_node; /* that every node must give */
    uint64_t tasks;
};

static bool has_gres(const struct fit *f, const struct shape *sh, struct devices *d)
{
    const struct plumb_request *rq = f->s->rq;

    *d = (struct devices){.gpus = UINT64_MAX, .tasks = UINT64_MAX};
    if (plumb_setting_bad(&sh->nodes->settings, PLUMB_P_NODE_GRES))
        return true;
    for (size_t i = 0; i < rq->gres_count; i++) {
        const struct plumb_request_gres *g = &rq->gres[i];
        uint64_t have = available(sh->nodes, g->name, g->type), want = g->count;

        if (f->only_gres != SIZE_MAX && f->only_gres != i)
            continue;
        if (g->per == PLUMB_PER_SOCKET && plumb_usable(rq->sockets))
            want *= rq->sockets.v;
        if (g->per == PLUMB_PER_JOB ? have == 0 : have < want)
            return false;
        if (g->per == PLUMB_PER_JOB && have < d->gpus)
            d->gpus = have;
        if (g->per == PLUMB_PER_TASK && have / want < d->tasks)
            d->tasks = have / want;
        if (g->per == PLUMB_PER_NODE && strcmp(g->name, "gpu") == 0)
            d->per_node += want;
    }
    if (f->n->gpus > 0) {
        d->gpus = available(sh->nodes, "gpu", NULL);
        return d->gpus > 0;
    }
    return true;
}

static bool has_features(const struct fit *f, const struct shape *sh)
{
    const struct plumb_setting *set = plumb_setting(&sh->nodes->settings, PLUMB_P_NODE_FEATURE);

    if (set == NULL)
        set = plumb_setting(&sh->nodes->settings, PLUMB_P_NODE_FEATURES);
    return f->constraint == NULL ||
           plumb_feature_matches(f->constraint, set == NULL ? NULL : &set->value, f->choice);
}

/* GPUs on each socket, from the Cores of gres.conf; false: not told. */
static bool gpus_on_sockets(const struct fit *f, const struct shape *sh, const char *type,
                            uint64_t *out, size_t sockets)
{
    const struct plumb_model *m = f->s->ck->model;
    uint64_t each = sh->nodes->cores_per_socket.v;
    bool any = false;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *l = &m->gres_lines[i];

        if (l->name == NULL || strcmp(l->name, "gpu") != 0 || l->cores_bad || !l->has_cores ||
            (type != NULL && (l->type == NULL || strcmp(l->type, type) != 0)) ||
            !plumb_gres_line_applies(f->s->ck->scratch, l, sh->nodes))
            continue;
        for (size_t k = 0; k < sockets; k++) {
            if (!plumb_bits_has(&l->cores, (uint32_t)(k * each)))
                continue;
            out[k] += plumb_usable(l->count) ? l->count.v : 1;
            any = true;
            break;
        }
    }
    return any;
}

/* enforce-binding takes cores of as few sockets as hold the GPUs (gres_sock_list_create). */
static bool binds(const struct fit *f, const struct shape *sh, const struct devices *d)
{
    uint64_t on[64] = {0}, got = 0, used = 0;
    const char *type = NULL;
    size_t sockets = plumb_usable(sh->nodes->sockets) ? (size_t)sh->nodes->sockets.v : 0;

    if (sockets == 0 || sockets > PLUMB_COUNT(on) || !plumb_usable(sh->nodes->cores_per_socket) ||
        d->per_node == 0)
        return true;
    for (size_t i = 0; i < f->s->rq->gres_count; i++)
        type = f->s->rq->gres[i].type != NULL ? f->s->rq->gres[i].type : type;
    if (!gpus_on_sockets(f, sh, type, on, sockets))
        return true;
    while (got < d->per_node && used < sockets) {
        size_t best = 0;

        for (size_t k = 1; k < sockets; k++)
            best = on[k] > on[best] ? k : best;
        got += on[best];
        on[best] = 0;
        used++;
    }
    return f->n->node_cpus <= used * sh->nodes->cores_per_socket.v * sh->threads;
}

/* Tasks that a node of this line can take under the demands of the mask; 0: none. */
static uint64_t tasks_on(const struct fit *f, const struct shape *sh, struct devices *d)
{
    const struct plumb_need *n = f->n;
    uint64_t tasks = UINT64_MAX, cpus = cpus_of(f, sh);
    bool gres = true;

    *d = (struct devices){.gpus = UINT64_MAX, .tasks = UINT64_MAX};
    if (asks(f, D_GRES))
        gres = has_gres(f, sh, d);
    if (!gres || (asks(f, D_FEATURES) && !has_features(f, sh)) ||
        (asks(f, D_SHAPE) && !has_shape(f, sh)) || (asks(f, D_DISK) && !has_disk(f, sh)) ||
        (asks(f, D_WHOLE) && n->whole_node && cpus < sh->cpus && n->threads == 0))
        return 0;
    tasks = d->tasks;
    if (asks(f, D_CPUS)) {
        uint64_t most = tasks_by_cpus(f, sh);

        if (n->node_cpus > cpus)
            return 0;
        tasks = most < tasks ? most : tasks;
    }
    if (asks(f, D_MEMORY) && n->mem_node > sh->memory)
        return 0;
    if (asks(f, D_MEMORY) && n->mem_cpu > 0) {
        uint64_t most = sh->memory / n->mem_cpu / n->cpus_per_task;

        tasks = most < tasks ? most : tasks;
    }
    if (asks(f, D_GPU_CPUS) && n->cpus_per_gpu > 0) {
        if (d->per_node * n->cpus_per_gpu > cpus)
            return 0;
        d->gpus = cpus / n->cpus_per_gpu < d->gpus ? cpus / n->cpus_per_gpu : d->gpus;
    }
    if (asks(f, D_GPU_MEMORY) && n->mem_gpu > 0) {
        if (d->per_node > sh->memory / n->mem_gpu)
            return 0;
        /* 26.05 does not hold --gpus against the memory of a node. */
        if (f->s->ck->model->release < PLUMB_26_05 && sh->memory / n->mem_gpu < d->gpus)
            d->gpus = sh->memory / n->mem_gpu;
    }
    if (asks(f, D_BINDING) && !binds(f, sh, d))
        return 0;
    if (n->tasks_per_node > 0) {
        if (tasks < n->tasks_per_node && !plumb_usable(f->s->rq->ntasks))
            return 0;
        return tasks < n->tasks_per_node ? tasks : n->tasks_per_node;
    }
    return tasks;
}

/* Nodes with the most first; there are few lines, so the next best is searched. */
static uint64_t best_sum(const struct fit *f, const uint64_t *each, const uint64_t *counts,
                         uint64_t nodes)
{
    bool *used = plumb_arena_array(f->s->ck->scratch, f->shape_count, sizeof(*used));
    uint64_t sum = 0;

    for (size_t round = 0; round < f->shape_count && nodes > 0; round++) {
        size_t best = SIZE_MAX;
        uint64_t take = 0, part = 0;

        for (size_t i = 0; i < f->shape_count; i++) {
            if (!used[i] && counts[i] > 0 && (best == SIZE_MAX || each[i] > each[best]))
                best = i;
        }
        if (best == SIZE_MAX)
            break;
        used[best] = true;
        take = counts[best] < nodes ? counts[best] : nodes;
        nodes -= take;
        if (!plumb_mul_u64(each[best], take, &part) || !plumb_add_u64(sum, part, &sum))
            return UINT64_MAX;
    }
    return sum;
}

/* Features with a count, "rack1*2": as many nodes must have each. */
static bool counts_hold(const struct fit *f)
{
    size_t at = 0, begin = 0, end = 0;
    uint64_t count = 0;

    if (f->constraint == NULL || !asks(f, D_FEATURES))
        return true;
    while (plumb_feature_next(f->constraint, &at, &begin, &end, &count)) {
        struct fit one = *f;
        uint64_t have = 0;

        one.constraint = plumb_arena_strndup(f->s->ck->scratch, f->constraint + begin, end - begin);
        for (size_t i = 0; count > 0 && i < f->shape_count; i++) {
            struct devices d;

            if (tasks_on(&one, &f->shapes[i], &d) > 0)
                have += f->shapes[i].count;
        }
        if (have < count)
            return false;
    }
    return true;
}

static uint64_t job_gpus(const struct fit *f)
{
    uint64_t most = f->n->gpus;

    for (size_t i = 0; asks(f, D_GRES) && i < f->s->rq->gres_count; i++) {
        const struct plumb_request_gres *g = &f->s->rq->gres[i];

        if (g->per == PLUMB_PER_JOB && (f->only_gres == SIZE_MAX || f->only_gres == i) &&
            g->count > most)
            most = g->count;
    }
    return most;
}

static bool gpus_per_task(const struct fit *f)
{
    for (size_t i = 0; i < f->s->rq->gres_count; i++) {
        if (f->s->rq->gres[i].per == PLUMB_PER_TASK)
            return true;
    }
    return false;
}

/*
 * Seen on 24.11 and 26.05, not on 22.05: with one task on each core a node's CPUs are counted
 * with all threads, so the nodes so far seem to hold all CPUs of the job before all of its tasks
 * have a GPU; each node that follows is then given one task (_eval_nodes: rem_cpus).
 */
static bool places_tasks(const struct fit *f, const uint64_t *tasks, const uint64_t *counts,
                         uint64_t nodes)
{
    bool *used = plumb_arena_array(f->s->ck->scratch, f->shape_count, sizeof(*used));
    uint64_t left = f->n->tasks, cpus = left * f->n->cpus_per_task, covered = 0;

    for (size_t round = 0; round < f->shape_count; round++) {
        size_t best = SIZE_MAX;
        uint64_t threads = 1, cores = 0;

        for (size_t i = 0; i < f->shape_count; i++) {
            if (!used[i] && counts[i] > 0 && (best == SIZE_MAX || tasks[i] > tasks[best]))
                best = i;
        }
        if (best == SIZE_MAX)
            break;
        used[best] = true;
        threads = f->shapes[best].threads == 0 ? 1 : f->shapes[best].threads;
        cores = (f->n->cpus_per_task + threads - 1) / threads;
        for (uint64_t k = 0; k < counts[best] && nodes > 0 && left > 0; k++, nodes--) {
            uint64_t take = covered >= cpus ? 1 : tasks[best] < left ? tasks[best] : left;

            left -= take;
            covered += take * cores * threads;
        }
    }
    return left == 0;
}

static bool fits_choice(const struct fit *f)
{
    struct plumb_u64 limit = plumb_submit_limit(f->s, PLUMB_P_PART_MAXNODES);
    uint64_t *tasks = plumb_arena_array(f->s->ck->scratch, f->shape_count, sizeof(*tasks));
    uint64_t *gpus = plumb_arena_array(f->s->ck->scratch, f->shape_count, sizeof(*gpus));
    uint64_t *counts = plumb_arena_array(f->s->ck->scratch, f->shape_count, sizeof(*counts));
    uint64_t usable = 0, most = f->n->max_nodes, wanted = 0, min = f->n->min_nodes;

    for (size_t i = 0; i < f->shape_count; i++) {
        struct devices d;

        tasks[i] = tasks_on(f, &f->shapes[i], &d);
        gpus[i] = d.gpus == UINT64_MAX ? 0 : d.gpus;
        counts[i] = tasks[i] == 0     ? 0
                    : asks(f, D_LIST) ? in_list(f, f->shapes[i].hosts)->count
                                      : f->shapes[i].count;
        usable += counts[i];
    }
    if (plumb_usable(limit) && limit.v > 0 && limit.v != PLUMB_UNLIMITED &&
        (most == 0 || limit.v < most))
        most = limit.v;
    if (most == 0 || most > usable)
        most = usable;
    if (most < min && usable >= min)
        most = min; /* the number of nodes is another finding */
    wanted = job_gpus(f);
    return usable >= min &&
           (wanted == 0 || !asks(f, D_GRES) || best_sum(f, gpus, counts, most) >= wanted) &&
           best_sum(f, tasks, counts, most) >= f->n->tasks && counts_hold(f) &&
           (!asks(f, D_GRES) || !asks(f, D_CPUS) || f->n->tasks_per_core != 1 ||
            f->s->ck->model->release < PLUMB_24_11 || !gpus_per_task(f) ||
            places_tasks(f, tasks, counts, most));
}

static bool fits(struct fit *f, unsigned mask)
{
    size_t choices = f->constraint == NULL ? 1 : plumb_feature_choices(f->constraint);

    f->mask = mask;
    for (f->choice = 0; f->choice < choices; f->choice++) {
        if (fits_choice(f))
            return true;
    }
    return false;
}

/* Types of a device in the whole cluster, for messages. */
static const char *types_of(const struct plumb_submit *s, const char *name)
{
    struct plumb_buf out = plumb_buf_in(s->ck->arena);
    struct plumb_map seen = plumb_map_in(s->ck->scratch);

    for (size_t i = 0; i < s->ck->model->node_count; i++) {
        const struct plumb_nodes *n = &s->ck->model->nodes[i];

        for (size_t k = 0; k < n->gres_count; k++) {
            const struct plumb_gres_item *g = &n->gres[k];

            if (!plumb_same_nocase(g->name, name) || g->type == NULL ||
                plumb_map_get(&seen, g->type) != NULL)
                continue;
            plumb_map_set(&seen, g->type, &out);
            plumb_buf_printf(&out, "%s'%s'", out.len == 0 ? "" : ", ", g->type);
        }
    }
    return out.len == 0 ? "none" : plumb_buf_text(&out);
}

static uint64_t most_of(const struct fit *f, const char *name, const char *type)
{
    uint64_t most = 0;

    for (size_t i = 0; i < f->shape_count; i++) {
        uint64_t have = available(f->shapes[i].nodes, name, type);

        most = have > most ? have : most;
    }
    return most;
}

/* The device is known nowhere, not in this partition, or there are too few of it. */
static void gres_fault(struct fit *f, const struct plumb_request_gres *g, bool alone)
{
    struct plumb_submit *s = f->s;
    const char *part = s->part->name.v, *series = plumb_series(s->ck);
    bool anywhere = false;

    for (size_t i = 0; i < s->ck->model->node_count; i++)
        anywhere = anywhere || available(&s->ck->model->nodes[i], g->name, g->type) > 0;
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

static void blame_gres(struct fit *f, unsigned before)
{
    const struct plumb_request *rq = f->s->rq;

    for (int alone = 1; alone >= 0; alone--) {
        for (size_t i = 0; i < rq->gres_count; i++) {
            f->only_gres = i;
            if (fits(f, (alone ? 0 : before) | 1u << D_GRES))
                continue;
            gres_fault(f, &rq->gres[i], alone);
            return;
        }
    }
    if (rq->gres_count > 0)
        gres_fault(f, &rq->gres[rq->gres_count - 1], false);
}

static const enum plumb_option_id places[D_COUNT][6] = {
    [D_LIST] = {PLUMB_O_RESERVATION, PLUMB_O_NODELIST, PLUMB_O_EXCLUDE, PLUMB_O_COUNT},
    [D_FEATURES] = {PLUMB_O_CONSTRAINT, PLUMB_O_COUNT},
    [D_SHAPE] = {PLUMB_O_SOCKETS_PER_NODE, PLUMB_O_CORES_PER_SOCKET, PLUMB_O_THREADS_PER_CORE,
                 PLUMB_O_COUNT},
    [D_DISK] = {PLUMB_O_TMP, PLUMB_O_COUNT},
    [D_CPUS] = {PLUMB_O_CPUS_PER_TASK, PLUMB_O_NTASKS_PER_NODE, PLUMB_O_NTASKS, PLUMB_O_MINCPUS,
                PLUMB_O_NTASKS_PER_GPU, PLUMB_O_COUNT},
    [D_MEMORY] = {PLUMB_O_MEM, PLUMB_O_MEM_PER_CPU, PLUMB_O_PARTITION, PLUMB_O_COUNT},
    [D_GPU_CPUS] = {PLUMB_O_CPUS_PER_GPU, PLUMB_O_COUNT},
    [D_GPU_MEMORY] = {PLUMB_O_MEM_PER_GPU, PLUMB_O_COUNT},
    [D_BINDING] = {PLUMB_O_GRES_FLAGS, PLUMB_O_CPUS_PER_TASK, PLUMB_O_COUNT},
    [D_WHOLE] = {PLUMB_O_EXCLUSIVE, PLUMB_O_PARTITION, PLUMB_O_COUNT},
};

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static uint64_t largest(const struct fit *f, bool memory)
{
    uint64_t most = 0;

    for (size_t i = 0; i < f->shape_count; i++) {
        uint64_t v = memory ? f->shapes[i].memory : cpus_of(f, &f->shapes[i]);

        most = v > most ? v : most;
    }
    return most;
}

/* What the demand is, in numbers, and what the nodes have. */
static const char *describe(const struct fit *f, enum demand d)
{
    const struct plumb_need *n = f->n;
    struct plumb_arena *a = f->s->ck->arena;
    uint64_t per_node = n->tasks_per_node > 0 ? n->tasks_per_node : 1;

    switch (d) {
    case D_LIST:
        return "the nodes that are named or left";
    case D_FEATURES:
        return plumb_arena_printf(a, "the features '%s'", f->constraint);
    case D_SHAPE:
        return "the sockets, cores or threads that are asked for";
    case D_DISK:
        return plumb_arena_printf(a, "%llu MiB of TmpDisk", (unsigned long long)f->s->rq->tmp.v);
    case D_CPUS:
        return plumb_arena_printf(
            a, "room for %llu task%s of %llu CPU%s (the largest gives %llu CPUs)",
            (unsigned long long)n->tasks, plural(n->tasks), (unsigned long long)n->cpus_per_task,
            plural(n->cpus_per_task), (unsigned long long)largest(f, false));
    case D_MEMORY:
        return plumb_arena_printf(
            a, "the memory: %llu MiB %s%s (the largest has %llu MiB)",
            (unsigned long long)(n->mem_cpu > 0 ? n->mem_cpu * per_node * n->cpus_per_task
                                                : n->mem_node),
            n->mem_cpu > 0 && n->tasks_per_node == 0 ? "for each task" : "on each node",
            n->mem_given ? "" : " by default", (unsigned long long)largest(f, true));
    case D_GPU_CPUS:
        return plumb_arena_printf(a, "%llu CPUs for each GPU", (unsigned long long)n->cpus_per_gpu);
    case D_GPU_MEMORY:
        return plumb_arena_printf(a, "%llu MiB for each GPU (the largest has %llu MiB)",
                                  (unsigned long long)n->mem_gpu,
                                  (unsigned long long)largest(f, true));
    case D_BINDING:
        return "the CPUs on the sockets of its GPUs, as 'enforce-binding' wants";
    default:
        return "whole nodes to give: MaxCPUsPerNode leaves some CPUs of each out";
    }
}

static enum plumb_submit_row row_of(enum demand d)
{
    switch (d) {
    case D_FEATURES:
        return PLUMB_SUBMIT_FEATURE;
    case D_LIST:
        return PLUMB_SUBMIT_NODE_NAME;
    case D_SHAPE:
    case D_DISK:
        return PLUMB_SUBMIT_SHAPE;
    case D_CPUS:
    case D_GPU_CPUS:
        return PLUMB_SUBMIT_CPUS;
    case D_MEMORY:
    case D_GPU_MEMORY:
        return PLUMB_SUBMIT_MEMORY;
    default:
        return PLUMB_SUBMIT_TOGETHER;
    }
}

static void blame(struct fit *f, enum demand d, unsigned before)
{
    struct plumb_submit *s = f->s;
    bool alone = false;

    if (d == D_GRES && s->rq->gres_count > 0) {
        blame_gres(f, before);
        return;
    }
    alone = !fits(f, 1u << d);
    plumb_fault(s, alone ? row_of(d) : PLUMB_SUBMIT_TOGETHER, plumb_submit_at(s, places[d]),
                "%s node%s of partition '%s' %s %s%s; slurmctld %s refuses the job",
                f->n->min_nodes > 1 ? "too few" : "no", f->n->min_nodes > 1 ? "s" : "",
                s->part->name.v, f->n->min_nodes > 1 ? "have" : "has", describe(f, d),
                alone ? "" : " beside what else is asked for", plumb_series(s->ck));
}

static const enum plumb_option_id task_options[] = {PLUMB_O_NTASKS, PLUMB_O_NTASKS_PER_NODE,
                                                    PLUMB_O_COUNT};

/* --prefer is tried like --constraint first, and what it leaves must hold the job. */
static void check_preferred(struct fit *f, unsigned all)
{
    const struct plumb_given *prefer = plumb_given(f->s->rq, PLUMB_O_PREFER);

    if (prefer == NULL || prefer->unknown || prefer->value.len == 0 || f->constraint != NULL)
        return;
    f->constraint = prefer->value.text;
    if (!fits(f, all | 1u << D_FEATURES))
        plumb_fault(f->s, PLUMB_SUBMIT_TOGETHER, prefer->value.at,
                    "no node of partition '%s' has the preferred features '%s' beside what else is "
                    "asked for; slurmctld %s refuses the job",
                    f->s->part->name.v, f->constraint, plumb_series(f->s->ck));
}

void plumb_submit_fit(struct plumb_submit *s, const struct plumb_need *n)
{
    const struct plumb_given *constraint = plumb_given(s->rq, PLUMB_O_CONSTRAINT);
    const struct plumb_given *flags = plumb_given(s->rq, PLUMB_O_GRES_FLAGS);
    struct fit f = {.s = s, .n = n, .only_gres = SIZE_MAX};
    unsigned mask = 0;

    add_shapes(&f);
    if (f.shape_count == 0)
        return;
    if (constraint != NULL && !constraint->unknown && constraint->value.len > 0)
        f.constraint = constraint->value.text;
    if (!fits(&f, 0)) { /* --nodes was looked at; here the number follows from tasks */
        if (plumb_usable(s->rq->nodes_min) && s->rq->nodes_max.v != 0 && n->tasks_per_node > 0 &&
            n->tasks > n->tasks_per_node * s->rq->nodes_max.v)
            plumb_fault(s, PLUMB_SUBMIT_CPUS, plumb_submit_at(s, task_options),
                        "%llu tasks at %llu a node do not fit on %llu node%s; slurmctld %s refuses "
                        "the job",
                        (unsigned long long)n->tasks, (unsigned long long)n->tasks_per_node,
                        (unsigned long long)s->rq->nodes_max.v, plural(s->rq->nodes_max.v),
                        plumb_series(s->ck));
        else if (!plumb_usable(s->rq->nodes_min))
            plumb_fault(s, PLUMB_SUBMIT_NODES, plumb_submit_at(s, places[D_CPUS]),
                        "the tasks need %llu nodes, partition '%s' has fewer; slurmctld %s "
                        "refuses the job",
                        (unsigned long long)n->min_nodes, s->part->name.v, plumb_series(s->ck));
        return;
    }
    for (unsigned d = 0; d < D_COUNT; d++) {
        if (d == D_BINDING &&
            (flags == NULL || !plumb_list_find(&flags->value, "enforce-binding", NULL)))
            continue;
        if (d == D_CPUS && plumb_given(s->rq, PLUMB_O_OVERCOMMIT) != NULL && n->tasks_per_node == 0)
            continue;
        if (d == D_MEMORY && !plumb_memory_consumable(s->ck) && n->mem_cpu > 0)
            continue;
        if (fits(&f, mask | 1u << d)) {
            mask |= 1u << d;
            continue;
        }
        blame(&f, (enum demand)d, mask);
        return;
    }
    check_preferred(&f, mask);
}

/* Some node has the feature; plugins may add others. */
static bool is_known(const struct plumb_submit *s, const char *name)
{
    for (size_t i = 0; i < s->ck->model->node_count; i++) {
        const struct plumb_settings *set = &s->ck->model->nodes[i].settings;
        const struct plumb_setting *features = plumb_setting(set, PLUMB_P_NODE_FEATURE);

        if (features == NULL)
            features = plumb_setting(set, PLUMB_P_NODE_FEATURES);
        if (features != NULL && plumb_feature_matches(name, &features->value, 0))
            return true;
    }
    return false;
}

/* Alternatives of a bracket are parted by '|'; what is joined by '&' must have a count. */
static bool lacks_counts(const char *text)
{
    const char *open = strchr(text, '['), *close = open == NULL ? NULL : strchr(open, ']');

    return close != NULL && memchr(open, '&', (size_t)(close - open)) != NULL &&
           memchr(open, '*', (size_t)(close - open)) == NULL;
}

static void check_features(struct plumb_submit *s, enum plumb_option_id id)
{
    const struct plumb_given *given = plumb_given(s->rq, id);
    size_t at = 0, begin = 0, end = 0;
    uint64_t count = 0;

    if (given == NULL || given->unknown ||
        plumb_global(s->ck, PLUMB_P_SLURM_NODEFEATURESPLUGINS) != NULL)
        return;
    if (lacks_counts(given->value.text))
        plumb_fault(s, PLUMB_SUBMIT_FEATURE, given->value.at,
                    "features that brackets join by '&' need counts, as in '[a*2&b*1]'; slurmctld "
                    "%s refuses the job",
                    plumb_series(s->ck));
    while (plumb_feature_next(given->value.text, &at, &begin, &end, &count)) {
        const char *name =
            plumb_arena_strndup(s->ck->arena, given->value.text + begin, end - begin);

        if (!is_known(s, name))
            plumb_fault(s, PLUMB_SUBMIT_FEATURE, plumb_slice_span(&given->value, begin, end),
                        "no node has the feature '%s' (case counts); slurmctld %s refuses the job",
                        name, plumb_series(s->ck));
    }
}

void plumb_submit_features(struct plumb_submit *s)
{
    check_features(s, PLUMB_O_CONSTRAINT);
    check_features(s, PLUMB_O_PREFER);
}
