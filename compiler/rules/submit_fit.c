/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can the nodes of a partition hold the job when they are empty? After select/cons_tres:
 * submit_node.c counts tasks on a node, _eval_nodes adds nodes up. Each demand is tried alone and
 * on top of those before it, so that the finding names the one that fails (submit_blame.c).
 */
#include <string.h>

#include "base/num.h"
#include "rules/ask.h"
#include "rules/submit_fit.h"
#include "schema/value.h"

bool plumb_fit_asks(const struct plumb_fit *f, enum plumb_demand d)
{
    return (f->mask & (1u << d)) != 0;
}

static const struct plumb_hostlist *in_list(const struct plumb_fit *f,
                                            const struct plumb_hostlist *hosts)
{
    const struct plumb_submit *s = f->s;
    const struct plumb_hostlist *named = plumb_submit_hosts(s->ck, s->rq, PLUMB_O_NODELIST);
    const struct plumb_hostlist *without = plumb_submit_hosts(s->ck, s->rq, PLUMB_O_EXCLUDE);

    if (s->reservation != NULL && s->reservation->nodes != NULL)
        hosts = plumb_hostlist_intersect(s->ck->scratch, hosts, s->reservation->nodes);
    if (without != NULL)
        hosts = plumb_hostlist_minus(s->ck->scratch, hosts, without);
    /* Names are those that must be used; the job may take others too when it needs more. */
    if (named == NULL || named->count < f->n->min_nodes)
        return hosts;
    return plumb_hostlist_intersect(s->ck->scratch, hosts, named);
}

static void add_lines(struct plumb_fit *f)
{
    const struct plumb_model *m = f->s->ck->model;
    const struct plumb_partition *p = f->s->part;

    f->lines = plumb_arena_array(f->s->ck->scratch, m->node_count, sizeof(*f->lines));
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        struct plumb_fit_line *sh = &f->lines[f->line_count];
        const struct plumb_hostlist *hosts = n->hosts;

        if (hosts == NULL)
            continue;
        if (!p->all_nodes)
            hosts = p->nodes == NULL ? NULL
                                     : plumb_hostlist_intersect(f->s->ck->scratch, hosts, p->nodes);
        if (hosts == NULL || hosts->count == 0)
            continue;
        *sh = (struct plumb_fit_line){
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
        f->line_count++;
    }
}

/* Lines are few, so that the next best one is searched. SIZE_MAX: none is left. */
static size_t take_best(const struct plumb_fit *f, bool *used, const uint64_t *each,
                        const uint64_t *counts)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < f->line_count; i++) {
        if (!used[i] && counts[i] > 0 && (best == SIZE_MAX || each[i] > each[best]))
            best = i;
    }
    if (best != SIZE_MAX)
        used[best] = true;
    return best;
}

/* Nodes with the most first. */
static uint64_t best_sum(const struct plumb_fit *f, const uint64_t *each, const uint64_t *counts,
                         uint64_t nodes)
{
    bool *used = plumb_arena_array(f->s->ck->scratch, f->line_count, sizeof(*used));
    uint64_t sum = 0;

    while (nodes > 0) {
        size_t best = take_best(f, used, each, counts);
        uint64_t take = 0, part = 0;

        if (best == SIZE_MAX)
            break;
        take = counts[best] < nodes ? counts[best] : nodes;
        nodes -= take;
        if (!plumb_mul_u64(each[best], take, &part) || !plumb_add_u64(sum, part, &sum))
            return UINT64_MAX;
    }
    return sum;
}

/* Features with a count, "rack1*2": as many nodes must have each. */
static bool counts_hold(const struct plumb_fit *f)
{
    size_t at = 0, begin = 0, end = 0;
    uint64_t count = 0;

    if (f->constraint == NULL || !plumb_fit_asks(f, PLUMB_D_FEATURES))
        return true;
    while (plumb_feature_next(f->constraint, &at, &begin, &end, &count)) {
        struct plumb_fit one = *f;
        uint64_t have = 0;

        one.constraint = plumb_arena_strndup(f->s->ck->scratch, f->constraint + begin, end - begin);
        for (size_t i = 0; count > 0 && i < f->line_count; i++) {
            struct plumb_fit_devices d;

            if (plumb_fit_tasks(&one, &f->lines[i], &d) > 0)
                have += f->lines[i].count;
        }
        if (have < count)
            return false;
    }
    return true;
}

static uint64_t job_gpus(const struct plumb_fit *f)
{
    uint64_t most = f->n->gpus;

    for (size_t i = 0; plumb_fit_asks(f, PLUMB_D_GRES) && i < f->s->rq->gres_count; i++) {
        const struct plumb_request_gres *g = &f->s->rq->gres[i];

        if (g->per == PLUMB_PER_JOB && (f->only_gres == SIZE_MAX || f->only_gres == i) &&
            g->count > most)
            most = g->count;
    }
    return most;
}

static bool gpus_per_task(const struct plumb_fit *f)
{
    for (size_t i = 0; i < f->s->rq->gres_count; i++) {
        if (f->s->rq->gres[i].per == PLUMB_PER_TASK)
            return true;
    }
    return false;
}

/*
 * Where tasks are placed by threads: with one task on each core a node's CPUs are counted with
 * all threads, so the nodes so far seem to hold all CPUs of the job before all of its tasks
 * have a GPU; each node that follows is then given one task (_eval_nodes: rem_cpus).
 */
static bool places_tasks(const struct plumb_fit *f, const uint64_t *tasks, const uint64_t *counts,
                         uint64_t nodes)
{
    bool *used = plumb_arena_array(f->s->ck->scratch, f->line_count, sizeof(*used));
    uint64_t left = f->n->tasks, cpus = left * f->n->cpus_per_task, covered = 0;

    for (size_t best = 0; (best = take_best(f, used, tasks, counts)) != SIZE_MAX;) {
        uint64_t threads = f->lines[best].threads == 0 ? 1 : f->lines[best].threads, cores = 0;

        cores = (f->n->cpus_per_task + threads - 1) / threads;
        for (uint64_t k = 0; k < counts[best] && nodes > 0 && left > 0; k++, nodes--) {
            uint64_t take = covered >= cpus ? 1 : tasks[best] < left ? tasks[best] : left;

            left -= take;
            covered += take * cores * threads;
        }
    }
    return left == 0;
}

static bool fits_choice(const struct plumb_fit *f)
{
    struct plumb_u64 limit = plumb_submit_limit(f->s, PLUMB_P_PART_MAXNODES);
    uint64_t *tasks = plumb_arena_array(f->s->ck->scratch, f->line_count, sizeof(*tasks));
    uint64_t *gpus = plumb_arena_array(f->s->ck->scratch, f->line_count, sizeof(*gpus));
    uint64_t *counts = plumb_arena_array(f->s->ck->scratch, f->line_count, sizeof(*counts));
    uint64_t usable = 0, most = f->n->max_nodes, wanted = 0, min = f->n->min_nodes;

    for (size_t i = 0; i < f->line_count; i++) {
        struct plumb_fit_devices d;

        tasks[i] = plumb_fit_tasks(f, &f->lines[i], &d);
        gpus[i] = d.gpus == UINT64_MAX ? 0 : d.gpus;
        counts[i] = tasks[i] == 0                     ? 0
                    : plumb_fit_asks(f, PLUMB_D_LIST) ? in_list(f, f->lines[i].hosts)->count
                                                      : f->lines[i].count;
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
           (wanted == 0 || !plumb_fit_asks(f, PLUMB_D_GRES) ||
            best_sum(f, gpus, counts, most) >= wanted) &&
           best_sum(f, tasks, counts, most) >= f->n->tasks && counts_hold(f) &&
           (!plumb_fit_asks(f, PLUMB_D_GRES) || !plumb_fit_asks(f, PLUMB_D_CPUS) ||
            f->n->tasks_per_core != 1 || !plumb_has_trait(f->s->ck, PLUMB_TRAIT_TASKS_BY_THREADS) ||
            !gpus_per_task(f) || places_tasks(f, tasks, counts, most));
}

bool plumb_fits(struct plumb_fit *f, unsigned mask)
{
    size_t choices = f->constraint == NULL ? 1 : plumb_feature_choices(f->constraint);

    f->mask = mask;
    for (f->choice = 0; f->choice < choices; f->choice++) {
        if (fits_choice(f))
            return true;
    }
    return false;
}

static const enum plumb_option_id task_options[] = {PLUMB_O_NTASKS, PLUMB_O_NTASKS_PER_NODE,
                                                    PLUMB_O_COUNT};

/* --prefer is tried like --constraint first, and what it leaves must hold the job. */
static void check_preferred(struct plumb_fit *f, unsigned all)
{
    const struct plumb_given *prefer = plumb_given(f->s->rq, PLUMB_O_PREFER);

    if (prefer == NULL || prefer->unknown || prefer->value.len == 0 || f->constraint != NULL)
        return;
    f->constraint = prefer->value.text;
    if (!plumb_fits(f, all | 1u << PLUMB_D_FEATURES))
        plumb_fault(f->s, PLUMB_SUBMIT_TOGETHER, prefer->value.at,
                    "no node of partition '%s' has the preferred features '%s' beside what else is "
                    "asked for; slurmctld %s refuses the job",
                    f->s->part->name.v, f->constraint, plumb_series(f->s->ck));
}

/* The job runs, but no node has its CPUs on the sockets of its GPUs. */
static void check_near(struct plumb_fit *f, unsigned mask)
{
    static const enum plumb_option_id places[] = {PLUMB_O_CPUS_PER_GPU, PLUMB_O_CPUS_PER_TASK,
                                                  PLUMB_O_NTASKS, PLUMB_O_COUNT};

    if (plumb_given(f->s->rq, PLUMB_O_GRES_FLAGS) != NULL || f->n->whole_node ||
        plumb_fits(f, mask | 1u << PLUMB_D_BINDING))
        return;
    plumb_fault(f->s, PLUMB_SUBMIT_FAR, plumb_submit_at(f->s, places),
                "no node of partition '%s' has so many CPUs on the sockets of the GPUs that are "
                "asked for: some are far from them",
                f->s->part->name.v);
}

void plumb_submit_fit(struct plumb_submit *s, const struct plumb_need *n)
{
    const struct plumb_given *constraint = plumb_given(s->rq, PLUMB_O_CONSTRAINT);
    struct plumb_fit f = {.s = s, .n = n, .only_gres = SIZE_MAX};
    unsigned mask = 0;

    add_lines(&f);
    if (f.line_count == 0)
        return;
    if (constraint != NULL && !constraint->unknown && constraint->value.len > 0)
        f.constraint = constraint->value.text;
    if (!plumb_fits(&f, 0)) { /* --nodes was looked at; here the number follows from tasks */
        if (plumb_usable(s->rq->nodes_min) && s->rq->nodes_max.v != 0 && n->tasks_per_node > 0 &&
            n->tasks > n->tasks_per_node * s->rq->nodes_max.v)
            plumb_fault(s, PLUMB_SUBMIT_CPUS, plumb_submit_at(s, task_options),
                        "%llu tasks at %llu a node do not fit on %llu node%s; slurmctld %s refuses "
                        "the job",
                        (unsigned long long)n->tasks, (unsigned long long)n->tasks_per_node,
                        (unsigned long long)s->rq->nodes_max.v, plumb_plural(s->rq->nodes_max.v),
                        plumb_series(s->ck));
        else if (!plumb_usable(s->rq->nodes_min))
            plumb_fault(s, PLUMB_SUBMIT_NODES, plumb_submit_at(s, plumb_fit_places[PLUMB_D_CPUS]),
                        "the tasks need %llu nodes, partition '%s' has fewer; slurmctld %s "
                        "refuses the job",
                        (unsigned long long)n->min_nodes, s->part->name.v, plumb_series(s->ck));
        return;
    }
    for (unsigned d = 0; d < PLUMB_D_COUNT; d++) {
        if (d == PLUMB_D_BINDING && !plumb_submit_enforces_binding(s))
            continue;
        if (d == PLUMB_D_CPUS && plumb_given(s->rq, PLUMB_O_OVERCOMMIT) != NULL &&
            n->tasks_per_node == 0)
            continue;
        if (d == PLUMB_D_MEMORY && !plumb_memory_consumable(s->ck) && n->mem_cpu > 0)
            continue;
        if (plumb_fits(&f, mask | 1u << d)) {
            mask |= 1u << d;
            continue;
        }
        plumb_fit_blame(&f, (enum plumb_demand)d, mask);
        return;
    }
    check_near(&f, mask);
    check_preferred(&f, mask);
}
