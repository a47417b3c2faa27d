/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of the partition (job_mgr.c:_valid_job_part, _valid_pn_min_mem), and those of QOS
 * and associations (acct_policy.c): which of them refuse the job, and which let it wait for
 * ever.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"
#include "rules/submit.h"

static const enum plumb_option_id node_options[] = {PLUMB_O_NODES, PLUMB_O_NODELIST,
                                                    PLUMB_O_PARTITION, PLUMB_O_COUNT};
static const enum plumb_option_id time_options[] = {PLUMB_O_TIME, PLUMB_O_TIME_MIN, PLUMB_O_QOS,
                                                    PLUMB_O_PARTITION, PLUMB_O_COUNT};
static const enum plumb_option_id memory_options[] = {
    PLUMB_O_MEM, PLUMB_O_MEM_PER_CPU, PLUMB_O_MEM_PER_GPU, PLUMB_O_PARTITION, PLUMB_O_COUNT};
static const enum plumb_option_id cpu_options[] = {PLUMB_O_CPUS_PER_TASK,   PLUMB_O_NTASKS,
                                                   PLUMB_O_NTASKS_PER_NODE, PLUMB_O_CPUS_PER_GPU,
                                                   PLUMB_O_NODES,           PLUMB_O_COUNT};

static const enum plumb_option_id owner_options[] = {PLUMB_O_QOS, PLUMB_O_ACCOUNT, PLUMB_O_COUNT};

static bool above(uint64_t asked, struct plumb_u64 limit)
{
    return plumb_usable(limit) && limit.v != PLUMB_UNLIMITED && asked > limit.v;
}

/* A limit of the partition: with EnforcePartLimits=NO the job is taken and waits. */
static void partition_fault(struct plumb_submit *s, enum plumb_submit_row row, struct plumb_span at,
                            struct plumb_span limit_at, const char *text)
{
    struct plumb_fault *f = plumb_fault(s, row, at, "%s", text);

    f->note_at = limit_at;
    f->note = "the partition says so";
    f->enforced = true;
}

static bool qos_lets(const struct plumb_submit *s, size_t flag)
{
    const struct plumb_qos *q = s->qos;

    return q != NULL && *(const bool *)((const char *)q + flag);
}

/* As it is written: seconds count, and minutes are what is compared. */
static const char *written_time(const struct plumb_submit *s, struct plumb_u64 time)
{
    const struct plumb_given *least = plumb_given(s->rq, PLUMB_O_TIME_MIN);
    const struct plumb_given *given = plumb_given(s->rq, PLUMB_O_TIME);

    if (given == NULL || (least != NULL && time.at.begin == least->value.at.begin))
        given = least;
    return given == NULL ? plumb_submit_time(s, time.v) : given->value.text;
}

static void check_time(struct plumb_submit *s)
{
    struct plumb_u64 least = s->rq->time, max = s->part->max_time_min;

    /* The time itself is looked at when the job comes; the least of it when it is to start. */
    if (plumb_usable(s->rq->time_min) &&
        (s->enforce == PLUMB_ENFORCE_NO || !plumb_usable(s->rq->time)))
        least = s->rq->time_min;

    if (plumb_usable(s->rq->time_min) && plumb_usable(s->rq->time) &&
        s->rq->time_min.v > s->rq->time.v)
        plumb_fault(s, PLUMB_SUBMIT_TIME, s->rq->time_min.at,
                    "--time-min is above --time; slurmctld %s refuses the job",
                    plumb_series(s->ck));
    if (!plumb_usable(least) || !above(least.v, max) ||
        qos_lets(s, offsetof(struct plumb_qos, part_time_limit)))
        return;
    partition_fault(
        s, PLUMB_SUBMIT_TIME, least.at, max.at,
        plumb_arena_printf(s->ck->arena, "the time '%s' is above MaxTime %s of partition '%s'",
                           written_time(s, least), plumb_submit_time(s, max.v), s->part->name.v));
}

static uint64_t nodes_of_partition(const struct plumb_submit *s)
{
    const struct plumb_hostlist *nodes =
        s->part->all_nodes ? s->ck->model->all_nodes : s->part->nodes;

    return nodes == NULL ? 0 : nodes->count;
}

static void check_nodes(struct plumb_submit *s)
{
    struct plumb_u64 max = plumb_submit_limit(s, PLUMB_P_PART_MAXNODES);
    struct plumb_u64 min = plumb_submit_limit(s, PLUMB_P_PART_MINNODES);
    const struct plumb_request *rq = s->rq;
    struct plumb_span at = plumb_submit_at(s, node_options);
    struct plumb_arena *a = s->ck->arena;
    uint64_t total = nodes_of_partition(s);

    if (!plumb_usable(rq->nodes_min) && plumb_usable(min) && min.v > 1 && !rq->partial &&
        plumb_given(rq, PLUMB_O_NODELIST) == NULL && s->enforce != PLUMB_ENFORCE_NO &&
        plumb_has_trait(s->ck, PLUMB_TRAIT_MIN_NODES_CHECKED_WITHOUT_NODES))
        partition_fault(s, PLUMB_SUBMIT_NODES, at, min.at,
                        plumb_arena_printf(a,
                                           "without --nodes the job asks for 1 node, partition "
                                           "'%s' wants %llu (MinNodes)",
                                           s->part->name.v, (unsigned long long)min.v));
    if (!plumb_usable(rq->nodes_min))
        return;
    if (rq->nodes_min.v == 0 && rq->nodes_max.v == 0 && s->rq->command != PLUMB_SRUN) {
        plumb_fault(s, PLUMB_SUBMIT_NODES, at,
                    "--nodes is 0, expected 1 or more; slurmctld %s refuses the job",
                    plumb_series(s->ck));
    } else if (total > 0 && rq->nodes_min.v > total) {
        partition_fault(s, PLUMB_SUBMIT_NODES, at, s->part->nodes_text.at,
                        plumb_arena_printf(a, "%llu nodes are asked for, partition '%s' has %llu",
                                           (unsigned long long)rq->nodes_min.v, s->part->name.v,
                                           (unsigned long long)total));
    } else if (above(rq->nodes_min.v, max) &&
               !qos_lets(s, offsetof(struct plumb_qos, part_max_node))) {
        partition_fault(
            s, PLUMB_SUBMIT_NODES, at, max.at,
            plumb_arena_printf(a, "%llu nodes are asked for, partition '%s' allows %llu (MaxNodes)",
                               (unsigned long long)rq->nodes_min.v, s->part->name.v,
                               (unsigned long long)max.v));
    } else if (plumb_usable(rq->nodes_max) && above(rq->nodes_max.v, max) &&
               !qos_lets(s, offsetof(struct plumb_qos, part_max_node))) {
        partition_fault(
            s, PLUMB_SUBMIT_NODES, at, max.at,
            plumb_arena_printf(a,
                               "up to %llu nodes are asked for, partition '%s' allows %llu "
                               "(MaxNodes)",
                               (unsigned long long)rq->nodes_max.v, s->part->name.v,
                               (unsigned long long)max.v));
    } else if (plumb_usable(min) && rq->nodes_min.v < min.v &&
               !qos_lets(s, offsetof(struct plumb_qos, part_min_node))) {
        partition_fault(
            s, PLUMB_SUBMIT_NODES, at, min.at,
            plumb_arena_printf(a, "%llu nodes are asked for, partition '%s' wants %llu (MinNodes)",
                               (unsigned long long)rq->nodes_min.v, s->part->name.v,
                               (unsigned long long)min.v));
    }
}

/* Largest memory of a node in the partition: what --mem=0 and no default mean. */
static uint64_t largest_memory(const struct plumb_submit *s)
{
    const struct plumb_model *m = s->ck->model;
    uint64_t most = 0;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];

        if (plumb_usable(n->real_memory_mib) && n->real_memory_mib.v > most &&
            plumb_submit_has_nodes(s->ck, s->part, n))
            most = n->real_memory_mib.v;
    }
    return most;
}

/*
 * MaxMemPerNode (_valid_pn_min_mem). What was asked for is refused whatever EnforcePartLimits
 * says; a default is looked at when the job is to be scheduled.
 */
static void check_memory(struct plumb_submit *s, const struct plumb_need *n)
{
    struct plumb_u64 limit = plumb_submit_limit(s, PLUMB_P_PART_MAXMEMPERNODE);
    uint64_t asked = n->mem_node, tasks = 1;
    struct plumb_fault *f = NULL;

    if (!plumb_usable(limit))
        limit = plumb_global_u64(s->ck, PLUMB_P_SLURM_MAXMEMPERNODE);
    if (!plumb_usable(limit) || limit.v == 0 || limit.v == PLUMB_UNLIMITED ||
        plumb_usable(plumb_submit_limit(s, PLUMB_P_PART_MAXMEMPERCPU)))
        return;
    if (n->mem_gpu > 0) { /* looked at by nobody: the default is */
        asked = n->other_whole ? largest_memory(s) : n->other_node;
    } else if (n->mem_cpu > 0) {
        if (plumb_usable(s->rq->ntasks_per_node))
            tasks = s->rq->ntasks_per_node.v;
        if (plumb_usable(s->rq->ntasks) && n->max_nodes > 0 &&
            tasks < (s->rq->ntasks.v + n->max_nodes - 1) / n->max_nodes)
            tasks = (s->rq->ntasks.v + n->max_nodes - 1) / n->max_nodes;
        if (!plumb_mul_u64(n->mem_cpu, tasks, &asked) ||
            !plumb_mul_u64(asked, n->cpus_per_task, &asked))
            return;
    } else if (n->whole_memory || n->mem_node == 0) {
        asked = largest_memory(s);
    }
    if (asked <= limit.v)
        return;
    f = plumb_fault(s, PLUMB_SUBMIT_MEMORY_LIMIT, plumb_submit_at(s, memory_options),
                    n->mem_given && n->mem_gpu == 0
                        ? "%llu MiB a node are asked for, MaxMemPerNode of partition '%s' "
                          "is %llu; slurmctld %s refuses the job"
                        : "without --mem the job counts as %llu MiB of a node, MaxMemPerNode "
                          "of partition '%s' is %llu; slurmctld %s does not run the job",
                    (unsigned long long)asked, s->part->name.v, (unsigned long long)limit.v,
                    plumb_series(s->ck));
    f->note_at = limit.at;
    f->note = "the limit";
}

void plumb_submit_partition_limits(struct plumb_submit *s, const struct plumb_need *n)
{
    check_time(s);
    check_nodes(s);
    check_memory(s, n);
}

/* Amounts of a job that limits count. */
struct amounts {
    uint64_t cpus, nodes, mem, minutes;
    bool mem_known, minutes_known;
};

static const enum plumb_option_id whole_options[] = {PLUMB_O_EXCLUSIVE, PLUMB_O_PARTITION,
                                                     PLUMB_O_COUNT};

/* GPUs, or CPUs, of the smallest node in the partition: what a whole node is at least. */
static uint64_t least_of_nodes(const struct plumb_submit *s, bool gpus)
{
    const struct plumb_model *m = s->ck->model;
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        uint64_t have = gpus ? plumb_gres_total(n, "gpu") : plumb_usable(n->cpus) ? n->cpus.v : 0;

        if (have < least && plumb_submit_has_nodes(s->ck, s->part, n))
            least = have;
    }
    return least == UINT64_MAX ? 0 : least;
}

static uint64_t gpus_of(const struct plumb_submit *s, const struct plumb_need *n, const char *name,
                        const char *type, bool per_node, struct plumb_span *at)
{
    uint64_t total = 0, derived = n->gpus;

    for (size_t i = 0; i < s->rq->gres_count; i++) {
        const struct plumb_request_gres *g = &s->rq->gres[i];
        uint64_t count = g->count;

        if (!plumb_same_nocase(g->name, name) ||
            (type != NULL && (g->type == NULL || !plumb_same_nocase(g->type, type))))
            continue;
        if (per_node && g->per == PLUMB_PER_JOB) /* put on as few nodes as it may have */
            count = (count + n->min_nodes - 1) / n->min_nodes;
        else if (per_node && g->per != PLUMB_PER_NODE)
            continue;
        if (g->per == PLUMB_PER_NODE && !per_node && !plumb_mul_u64(count, n->min_nodes, &count))
            continue;
        if (g->per == PLUMB_PER_TASK && !plumb_mul_u64(count, n->tasks, &count))
            continue;
        if (g->per == PLUMB_PER_SOCKET && plumb_usable(s->rq->sockets) &&
            !plumb_mul_u64(count, s->rq->sockets.v * n->min_nodes, &count))
            continue;
        *at = g->at;
        total = g->per == PLUMB_PER_JOB && total > count ? total : total + count;
    }
    if (total == 0 && type == NULL && !per_node && strcmp(name, "gpu") == 0)
        total = derived;
    if (n->whole_node && strcmp(name, "gpu") == 0 && type == NULL) {
        uint64_t all = least_of_nodes(s, true) * (per_node ? 1 : n->min_nodes);

        *at = total == 0 ? plumb_submit_at(s, whole_options) : *at;
        total = all > total ? all : total;
    }
    return total;
}

/* CPUs of the fullest node: at least an even share of all. */
static uint64_t cpus_of_node(const struct plumb_submit *s, const struct plumb_need *n,
                             const struct amounts *all)
{
    uint64_t most = plumb_usable(s->rq->nodes_max) ? s->rq->nodes_max.v : 0;
    uint64_t share = most == 0 ? 0 : all->cpus / most + (all->cpus % most != 0);

    return share > n->node_cpus ? share : n->node_cpus;
}

/* How much of a resource the job asks for; false: nobody can tell. */
static bool amount_of(const struct plumb_submit *s, const struct plumb_need *n,
                      const struct amounts *all, const char *tres, bool per_node, uint64_t *out,
                      struct plumb_span *at)
{
    if (plumb_same_nocase(tres, "cpu")) {
        *out = per_node ? cpus_of_node(s, n, all) : all->cpus;
        *at = plumb_submit_at(s, cpu_options);
        return true;
    }
    if (plumb_same_nocase(tres, "node")) {
        *out = all->nodes;
        *at = plumb_submit_at(s, node_options);
        return !per_node;
    }
    if (plumb_same_nocase(tres, "mem")) {
        *out = per_node && all->nodes > 0 ? all->mem / all->nodes : all->mem;
        *at = plumb_submit_at(s, memory_options);
        return all->mem_known;
    }
    if (strncmp(tres, "gres/", 5) == 0) {
        const char *colon = strchr(tres + 5, ':');
        const char *name = colon == NULL ? tres + 5
                                         : plumb_arena_strndup(s->ck->scratch, tres + 5,
                                                               (size_t)(colon - tres - 5));

        *at = s->rq->at;
        *out = gpus_of(s, n, name, colon == NULL ? NULL : colon + 1, per_node, at);
        return true;
    }
    return false;
}

/* Who set a limit, for messages. */
struct owner {
    const char *text;
    bool deny; /* DenyOnLimit: refused at once */
};

static void limit_fault(struct plumb_submit *s, const struct owner *who, enum plumb_submit_row row,
                        struct plumb_span at, struct plumb_span limit_at, const char *what)
{
    struct plumb_fault *f = plumb_fault(
        s, row, at, "%s %s; %s", who->text, what,
        who->deny ? plumb_arena_printf(s->ck->arena, "slurmctld %s refuses the job (DenyOnLimit)",
                                       plumb_series(s->ck))
                  : "slurmctld takes the job, and it waits for ever");

    f->note_at = limit_at;
    f->note = "the limit";
    f->waits = !who->deny;
}

/* Names of limits that an earlier owner has set: a later one does not count. */
struct seen {
    const char *names[256];
    size_t count;
};

static bool seen_before(struct seen *seen, const struct plumb_check *ck, unsigned limit,
                        const char *tres)
{
    const char *key = plumb_arena_printf(ck->scratch, "%u %s", limit, tres);

    for (size_t i = 0; i < seen->count; i++) {
        if (plumb_same_nocase(seen->names[i], key))
            return true;
    }
    if (seen->count < PLUMB_COUNT(seen->names))
        seen->names[seen->count++] = key;
    return false;
}

static const struct {
    const char *text; /* behind "allows 4 gres/gpu" */
    bool per_node, least, minutes;
} limit_kinds[PLUMB_TRES_LIMIT_COUNT] = {
    [PLUMB_MAX_TRES_JOB] = {"a job", false, false, false},
    [PLUMB_MAX_TRES_NODE] = {"of a node", true, false, false},
    [PLUMB_MAX_TRES_USER] = {"a user", false, false, false},
    [PLUMB_MAX_TRES_ACCOUNT] = {"an account", false, false, false},
    [PLUMB_MIN_TRES_JOB] = {"a job at least", false, true, false},
    [PLUMB_GRP_TRES] = {"in all", false, false, false},
    [PLUMB_GRP_TRES_MINS] = {"minutes in all", false, false, true},
    [PLUMB_GRP_TRES_RUN_MINS] = {"minutes of what runs", false, false, true},
    [PLUMB_MAX_TRES_MINS_JOB] = {"minutes a job", false, false, true},
};

static void check_one(struct plumb_submit *s, const struct plumb_need *n, const struct amounts *all,
                      const struct owner *who, unsigned kind, const struct plumb_tres *t)
{
    struct plumb_span at = {0};
    uint64_t asked = 0;
    bool least = limit_kinds[kind].least;

    if (!amount_of(s, n, all, t->name, limit_kinds[kind].per_node, &asked, &at))
        return;
    if (limit_kinds[kind].minutes &&
        (!all->minutes_known || !plumb_mul_u64(asked, all->minutes, &asked)))
        return;
    if (least ? asked >= t->v : asked <= t->v)
        return;
    limit_fault(s, who, PLUMB_SUBMIT_LIMIT, at, t->at,
                plumb_arena_printf(s->ck->arena, "%s %llu %s %s, the job asks for %llu",
                                   least ? "wants" : "allows", (unsigned long long)t->v, t->name,
                                   limit_kinds[kind].text, (unsigned long long)asked));
}

static void check_wall(struct plumb_submit *s, const struct amounts *all, const struct owner *who,
                       struct plumb_u64 wall)
{
    bool given = plumb_usable(s->rq->time);

    if (!all->minutes_known || !above(all->minutes, wall))
        return;
    limit_fault(s, who, PLUMB_SUBMIT_WALL, plumb_submit_at(s, time_options), wall.at,
                plumb_arena_printf(s->ck->arena,
                                   given ? "ends a job after %s (MaxWall), its time is %s"
                                         : "ends a job after %s (MaxWall), without --time the job "
                                           "gets %s",
                                   plumb_submit_time(s, wall.v),
                                   plumb_submit_time(s, all->minutes)));
}

/* More tasks of an array than may be submitted are refused, DenyOnLimit or not. */
static void check_submit(struct plumb_submit *s, const struct owner *who, struct plumb_u64 most)
{
    uint64_t jobs = s->rq->array_tasks == 0 ? 1 : s->rq->array_tasks;
    struct plumb_fault *f = NULL;

    if (!above(jobs, most))
        return;
    f = plumb_fault(
        s, PLUMB_SUBMIT_COUNT_LIMIT, s->rq->array_tasks == 0 ? s->rq->at : s->rq->array_last.at,
        "%s takes %llu jobs at a time, the array has %llu; slurmctld %s refuses the "
        "job",
        who->text, (unsigned long long)most.v, (unsigned long long)jobs, plumb_series(s->ck));
    f->note_at = most.at;
    f->note = "the limit";
}

static void check_limits(struct plumb_submit *s, const struct plumb_need *n,
                         const struct amounts *all, const struct owner *who,
                         const struct plumb_limits *l, struct seen *seen, bool group)
{
    for (unsigned kind = 0; kind < PLUMB_TRES_LIMIT_COUNT; kind++) {
        bool grp = kind == PLUMB_GRP_TRES || kind == PLUMB_GRP_TRES_MINS ||
                   kind == PLUMB_GRP_TRES_RUN_MINS;

        for (size_t i = 0; i < l->tres[kind].count; i++) {
            const struct plumb_tres *t = &l->tres[kind].items[i];

            /* Limits of a group hold at every level of accounts. */
            if ((!grp || !group) && seen_before(seen, s->ck, kind, t->name))
                continue;
            check_one(s, n, all, who, kind, t);
        }
    }
    if (plumb_usable(l->max_wall) && !seen_before(seen, s->ck, 100, "wall"))
        check_wall(s, all, who, l->max_wall);
    if (plumb_usable(l->max_submit) && !seen_before(seen, s->ck, 101, "submit"))
        check_submit(s, who, l->max_submit);
    if (plumb_usable(l->max_jobs) && l->max_jobs.v == 0) {
        struct plumb_fault *f = plumb_fault(
            s, PLUMB_SUBMIT_COUNT_LIMIT, plumb_submit_at(s, owner_options),
            "%s lets no job run (0 jobs); slurmctld takes the job, and it waits for ever",
            who->text);

        f->note_at = l->max_jobs.at;
        f->note = "the limit";
        f->waits = true;
    }
    if (plumb_usable(l->grp_submit))
        check_submit(s, who, l->grp_submit);
}

static struct amounts amounts_of(const struct plumb_submit *s, const struct plumb_need *n)
{
    struct amounts a = {.nodes = n->min_nodes};
    struct plumb_u64 time = s->rq->time;
    struct plumb_span unused = {0};
    uint64_t gpus = gpus_of(s, n, "gpu", NULL, false, &unused);

    a.cpus = n->tasks * n->cpus_per_task;
    if (a.cpus < n->node_cpus * n->min_nodes)
        a.cpus = n->node_cpus * n->min_nodes;
    if (n->cpus_per_gpu > 0 && a.cpus < n->cpus_per_gpu * gpus)
        a.cpus = n->cpus_per_gpu * gpus;
    if (n->whole_node && a.cpus < least_of_nodes(s, false) * n->min_nodes)
        a.cpus = least_of_nodes(s, false) * n->min_nodes;
    a.mem_known = !n->whole_memory;
    a.mem = n->mem_cpu > 0   ? n->mem_cpu * a.cpus
            : n->mem_gpu > 0 ? n->mem_gpu * gpus
                             : n->mem_node * n->min_nodes;
    if (!plumb_usable(time) && !s->rq->partial && s->part != NULL)
        time = s->part->default_time_min;
    a.minutes_known = plumb_usable(time);
    a.minutes = a.minutes_known ? time.v : 0;
    return a;
}

static void check_qos(struct plumb_submit *s, const struct plumb_need *n, const struct amounts *all,
                      const struct plumb_qos *q, struct seen *seen)
{
    struct owner who = {
        .deny = q->deny_on_limit,
        .text = q == s->part_qos ? plumb_arena_printf(s->ck->arena, "QOS '%s' of partition '%s'",
                                                      q->name, s->part->name.v)
                                 : plumb_arena_printf(s->ck->arena, "QOS '%s'", q->name),
    };

    check_limits(s, n, all, &who, &q->limits, seen, false);
}

static void check_assocs(struct plumb_submit *s, const struct plumb_need *n,
                         const struct amounts *all, struct seen *seen)
{
    const struct plumb_assoc *a = s->assoc;

    for (unsigned level = 0; a != NULL && level < 64; level++) {
        struct owner who = {
            .deny = s->qos != NULL && s->qos->deny_on_limit,
            .text = a->user == NULL ? plumb_arena_printf(s->ck->arena, "account '%s'", a->account)
                                    : plumb_arena_printf(s->ck->arena,
                                                         "the association of user '%s' in "
                                                         "account '%s'",
                                                         a->user, a->account),
        };

        check_limits(s, n, all, &who, &a->limits, seen, true);
        if (a->user != NULL)
            a = plumb_assoc_find(s->accounts, a->account, NULL, NULL);
        else if (a->parent != NULL || !plumb_same_nocase(a->account, "root"))
            a = plumb_assoc_find(s->accounts, a->parent == NULL ? "root" : a->parent, NULL, NULL);
        else
            a = NULL;
    }
}

void plumb_submit_limits(struct plumb_submit *s, const struct plumb_need *n)
{
    struct amounts all = amounts_of(s, n);
    struct seen seen = {.count = 0};
    bool over = s->qos != NULL && s->qos->over_part_qos;
    const struct plumb_qos *first = over ? s->qos : s->part_qos;
    const struct plumb_qos *second = over ? s->part_qos : s->qos;

    if (!s->enforce_limits || s->accounts == NULL)
        return;
    if (first != NULL)
        check_qos(s, n, &all, first, &seen);
    if (second != NULL && second != first)
        check_qos(s, n, &all, second, &seen);
    check_assocs(s, n, &all, &seen);
}
