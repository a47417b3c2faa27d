/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of a script: does what srun asks for fit in the job. Where it does not, srun ends with
 * an error, or waits for ever for resources that the job will never have (srun/launch.c,
 * srun/allocate.c, stepmgr.c:step_create, _pick_step_nodes).
 */
#include "rules/step.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"

struct plumb_span plumb_step_place(const struct plumb_request *rq, enum plumb_option_id id)
{
    const struct plumb_given *g = plumb_given(rq, id);

    return g == NULL ? rq->at : g->value.len > 0 ? g->value.at : g->at;
}

struct plumb_diag *plumb_step_report(const struct plumb_step *st, enum plumb_step_row row,
                                     struct plumb_span at, const char *text)
{
    return plumb_diag_new(st->ck->sink, &plumb_step_rows[row], at,
                          "%s; srun %s cannot start the step", text, plumb_series(st->ck));
}

void plumb_step_note_job(const struct plumb_step *st, struct plumb_diag *d, enum plumb_option_id id)
{
    if (plumb_given(st->job, id) != NULL)
        plumb_diag_note(d, plumb_step_place(st->job, id), "the job asks for this");
}

/* Nodes that the parts of a step before this one have taken at least: each has its own. */
static uint64_t taken_before(const struct plumb_request *rq)
{
    const struct plumb_request *parts = rq - rq->component;
    uint64_t taken = 0;

    for (unsigned i = 0; i < rq->component; i++)
        taken += plumb_usable(parts[i].nodes_min) && parts[i].nodes_min.v < PLUMB_UNLIMITED / 2
                     ? parts[i].nodes_min.v
                     : 1;
    return taken;
}

/* srun_job.c:_handle_het_step_exclude, in a job that is not heterogeneous itself. */
static void check_parts(const struct plumb_step *st, uint64_t wanted)
{
    const struct plumb_request *rq = st->rq;
    uint64_t taken = rq->components == 1 && rq->component > 0 ? taken_before(rq) : 0;
    struct plumb_diag *d = NULL;

    if (taken == 0 || wanted + taken <= st->room.nodes)
        return;
    d = plumb_step_report(
        st, PLUMB_STEP_NODES, plumb_step_place(rq, PLUMB_O_NODES),
        plumb_arena_printf(st->ck->arena,
                           "component %u asks for %llu node%s of its own, those before it "
                           "have %llu of the job's %llu",
                           rq->component, (unsigned long long)wanted, plumb_plural(wanted),
                           (unsigned long long)taken, (unsigned long long)st->room.nodes));
    plumb_step_note_job(st, d, PLUMB_O_NODES);
}

/* srun/allocate.c:existing_allocation, srun_job.c:job_step_create_allocation */
static void check_nodes(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    const struct plumb_given *relative = plumb_given(rq, PLUMB_O_RELATIVE);
    uint64_t wanted = plumb_usable(rq->nodes_min) ? rq->nodes_min.v : 1, first = 0;
    struct plumb_arena *a = st->ck->arena;
    struct plumb_diag *d = NULL;

    if (st->room.nodes == PLUMB_UNLIMITED)
        return;
    if (!plumb_usable(rq->nodes_min) && relative != NULL && st->room.fixed_nodes)
        wanted = st->room.nodes; /* SLURM_JOB_NUM_NODES */
    if (relative != NULL && !relative->unknown &&
        plumb_read_u64(relative->value.text, relative->value.len, &first) && first > 0 &&
        first < PLUMB_UNLIMITED / 2 && first + wanted > st->room.nodes) {
        d = plumb_step_report(
            st, PLUMB_STEP_NODES, relative->value.at,
            plumb_arena_printf(a,
                               "%llu node%s from number %llu on (from 0), the job has "
                               "%llu",
                               (unsigned long long)wanted, plumb_plural(wanted),
                               (unsigned long long)first, (unsigned long long)st->room.nodes));
    } else if (wanted > st->room.nodes) {
        d = plumb_step_report(st, PLUMB_STEP_NODES, plumb_step_place(rq, PLUMB_O_NODES),
                              plumb_arena_printf(a, "%llu nodes are asked for, the job has %llu",
                                                 (unsigned long long)wanted,
                                                 (unsigned long long)st->room.nodes));
    } else if (rq->components == 1 && rq->component >= st->room.nodes) {
        d = plumb_step_report(
            st, PLUMB_STEP_NODES, rq->at,
            plumb_arena_printf(a,
                               "the step has %u components on nodes of their own, the "
                               "job has %llu node%s",
                               rq->parts, (unsigned long long)st->room.nodes,
                               plumb_plural(st->room.nodes)));
    } else {
        check_parts(st, wanted);
    }
    if (d != NULL)
        plumb_step_note_job(st, d, PLUMB_O_NODES);
}

/* Nodes that the job can never have: of other partitions, or beside a list that it asked for. */
static void check_names(const struct plumb_step *st)
{
    const struct plumb_given *given = plumb_given(st->rq, PLUMB_O_NODELIST);
    struct plumb_hostlist *asked = plumb_submit_hosts(st->ck, st->rq, PLUMB_O_NODELIST);
    struct plumb_hostlist *named = plumb_submit_hosts(st->ck, st->job, PLUMB_O_NODELIST);
    const struct plumb_hostlist *has = st->ck->model->all_nodes;
    const struct plumb_hostlist *missing = NULL;

    if (asked == NULL || has == NULL)
        return;
    if (st->room.part != NULL && !st->room.part->all_nodes && st->room.part->nodes != NULL)
        has = st->room.part->nodes;
    if (named != NULL && named->count == st->room.nodes)
        has = named;
    missing = plumb_hostlist_minus(st->ck->scratch, asked, has);
    if (missing->count == 0)
        return;
    plumb_step_report(st, PLUMB_STEP_NODES, given->value.at,
                      plumb_arena_printf(st->ck->arena, "'%s' is no node of the job%s%s%s",
                                         plumb_hostlist_str(st->ck->arena, missing),
                                         has == named ? "" : ", it runs in partition '",
                                         has == named            ? ""
                                         : st->room.part == NULL ? ""
                                                                 : st->room.part->name.v,
                                         has == named ? "" : "'"));
}

static bool has_feature(const struct plumb_step *st, const struct plumb_slice *name)
{
    const struct plumb_model *m = st->ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        if (plumb_node_has_feature(&m->nodes[i], name) &&
            plumb_submit_has_nodes(st->ck, st->room.part, &m->nodes[i]))
            return true;
    }
    return false;
}

/* stepmgr.c:_pick_step_nodes: one name, unless the whole is what the job asks for. */
static void check_feature(const struct plumb_step *st)
{
    const struct plumb_given *given = plumb_given(st->rq, PLUMB_O_CONSTRAINT);
    const struct plumb_given *job = plumb_given(st->job, PLUMB_O_CONSTRAINT);

    if (given == NULL || given->unknown || given->value.len == 0 ||
        plumb_global(st->ck, PLUMB_P_SLURM_NODEFEATURESPLUGINS) != NULL ||
        (job != NULL && (job->unknown || strcmp(job->value.text, given->value.text) == 0)) ||
        has_feature(st, &given->value))
        return;
    plumb_step_report(
        st, PLUMB_STEP_NODES, given->value.at,
        plumb_arena_printf(st->ck->arena,
                           "no node that the job may run on has the feature '%s', and a step "
                           "takes one name",
                           given->value.text));
}

/* ESLURM_BAD_THREAD_PER_CORE of stepmgr.c:step_create */
static void check_threads(const struct plumb_step *st)
{
    const struct plumb_given *hint = plumb_given(st->job, PLUMB_O_HINT);
    bool one = hint != NULL && !hint->unknown && plumb_slice_is(&hint->value, "nomultithread");
    uint64_t has = plumb_usable(st->job->threads) ? st->job->threads.v : one ? 1 : 0;
    struct plumb_diag *d = NULL;

    if (!plumb_usable(st->rq->threads) || has == 0 || st->rq->threads.v <= has)
        return;
    d = plumb_step_report(
        st, PLUMB_STEP_CPUS, st->rq->threads.at,
        plumb_arena_printf(st->ck->arena, "%llu threads of a core are asked for, the job has %llu",
                           (unsigned long long)st->rq->threads.v, (unsigned long long)has));
    plumb_step_note_job(st, d, PLUMB_O_HINT);
    plumb_step_note_job(st, d, PLUMB_O_THREADS_PER_CORE);
}

uint64_t plumb_step_cpus(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    const struct plumb_given *hint = plumb_given(rq, PLUMB_O_HINT);
    uint64_t cpus = st->room.cpus, some = 0;
    bool one = hint != NULL && !hint->unknown && plumb_slice_is(&hint->value, "nomultithread");
    uint64_t threads = plumb_usable(rq->threads) ? rq->threads.v : one ? 1 : 0;

    if (st->nodes < st->room.nodes && st->room.node_cpus != PLUMB_UNLIMITED &&
        plumb_mul_u64(st->nodes, st->room.node_cpus, &some) && some < cpus)
        cpus = some;
    if (threads > 0 && threads < st->room.threads && cpus != PLUMB_UNLIMITED &&
        !plumb_usable(st->job->threads) && plumb_given(st->job, PLUMB_O_HINT) == NULL)
        cpus = (cpus + st->room.threads - 1) / st->room.threads * threads;
    return cpus;
}

static bool counts_cpus(const struct plumb_step *st)
{
    static const enum plumb_option_id other[] = {PLUMB_O_OVERCOMMIT, PLUMB_O_CPUS_PER_GPU,
                                                 PLUMB_O_NTASKS_PER_GPU, PLUMB_O_NTASKS_PER_TRES,
                                                 PLUMB_O_MULTI_PROG};

    for (size_t i = 0; i < PLUMB_COUNT(other); i++) {
        if (plumb_given(st->rq, other[i]) != NULL)
            return false;
    }
    /* SLURM_CPUS_PER_GPU of the job lets GPUs decide, unless the step says -c. */
    return st->tasks > 0 && st->cpus_per_task > 0 && !st->rq->changed &&
           (plumb_given(st->job, PLUMB_O_CPUS_PER_GPU) == NULL ||
            plumb_usable(st->rq->cpus_per_task));
}

static void check_cpus(const struct plumb_step *st)
{
    uint64_t has = plumb_step_cpus(st), wants = 0;
    bool tasks = plumb_usable(st->rq->ntasks), cpus = plumb_usable(st->rq->cpus_per_task);
    struct plumb_diag *d = NULL;

    if (!counts_cpus(st) || has == PLUMB_UNLIMITED ||
        !plumb_mul_u64(st->tasks, st->cpus_per_task, &wants) || wants <= has)
        return;
    d = plumb_step_report(
        st, PLUMB_STEP_CPUS,
        tasks  ? plumb_step_place(st->rq, PLUMB_O_NTASKS)
        : cpus ? plumb_step_place(st->rq, PLUMB_O_CPUS_PER_TASK)
               : plumb_step_place(st->rq, PLUMB_O_NODES),
        plumb_arena_printf(st->ck->arena,
                           "%llu task%s of %llu CPU%s %s asked for, the job has %llu CPU%s%s",
                           (unsigned long long)st->tasks, plumb_plural(st->tasks),
                           (unsigned long long)st->cpus_per_task, plumb_plural(st->cpus_per_task),
                           st->tasks == 1 ? "is" : "are", (unsigned long long)has,
                           plumb_plural(has), has < st->room.cpus ? " for it" : ""));
    plumb_step_note_job(st, d, PLUMB_O_NTASKS);
    plumb_step_note_job(st, d, PLUMB_O_NTASKS_PER_NODE);
    if (st->inherited_cpus) {
        plumb_step_note_job(st, d, PLUMB_O_CPUS_PER_TASK);
        plumb_diag_fact(d, "srun %s takes --cpus-per-task over from the job", plumb_series(st->ck));
    }
}

/* How many of a device the step wants, of one node or in all. */
static const char *device_excess(const struct plumb_step *st, const struct plumb_request_gres *g,
                                 const struct plumb_room_gres *r)
{
    struct plumb_arena *a = st->ck->arena;
    uint64_t wants = g->count, all = r->all, some = 0;
    const char *where = NULL;

    if (g->per == PLUMB_PER_NODE && r->node != PLUMB_UNLIMITED && wants > r->node)
        return plumb_arena_printf(a, "%llu '%s' of a node are asked for, the job has %llu",
                                  (unsigned long long)wants, g->name, (unsigned long long)r->node);
    if (g->per == PLUMB_PER_TASK &&
        (st->tasks == 0 || st->rq->changed || !plumb_mul_u64(wants, st->tasks, &wants)))
        return NULL;
    if (r->node != PLUMB_UNLIMITED && st->nodes < st->room.nodes &&
        plumb_mul_u64(r->node, st->nodes, &some) && some < all)
        all = some;
    if (g->per == PLUMB_PER_SOCKET || g->per == PLUMB_PER_NODE || all == PLUMB_UNLIMITED ||
        wants <= all)
        return NULL;
    where = all < r->all ? plumb_arena_printf(a, " on %llu node%s", (unsigned long long)st->nodes,
                                              plumb_plural(st->nodes))
                         : "";
    if (g->per == PLUMB_PER_TASK)
        return plumb_arena_printf(
            a, "%llu task%s with %llu '%s' each %s asked for, the job has %llu%s",
            (unsigned long long)st->tasks, plumb_plural(st->tasks), (unsigned long long)g->count,
            g->name, st->tasks == 1 ? "is" : "are", (unsigned long long)all, where);
    return plumb_arena_printf(a, "%llu '%s' are asked for, the job has %llu%s",
                              (unsigned long long)wants, g->name, (unsigned long long)all, where);
}

/* gres_step_state.c:gres_step_state_validate, gres_stepmgr_step_test */
static void check_gres(const struct plumb_step *st)
{
    for (size_t i = 0; i < st->rq->gres_count; i++) {
        const struct plumb_request_gres *g = &st->rq->gres[i];
        struct plumb_room_gres r = plumb_room_devices(st->ck, &st->room, g->name, g->type);
        const char *text = NULL;
        struct plumb_diag *d = NULL;

        if (g->type != NULL && r.all > 0 && r.untyped &&
            !plumb_has_trait(st->ck, PLUMB_TRAIT_STEP_MAY_NAME_TYPE))
            text = plumb_arena_printf(st->ck->arena,
                                      "type '%s' of '%s' is asked for, the job names none", g->type,
                                      g->name);
        else if (r.all == 0 && r.typed)
            text = plumb_arena_printf(st->ck->arena, "the job does not ask for '%s' of type '%s'",
                                      g->name, g->type);
        else if (r.all == 0)
            text = plumb_arena_printf(st->ck->arena, "the job does not ask for any '%s'", g->name);
        else
            text = device_excess(st, g, &r);
        if (text == NULL)
            continue;
        d = plumb_step_report(st, PLUMB_STEP_GRES,
                              r.typed      ? g->type_at
                              : r.all == 0 ? g->at
                                           : g->count_at,
                              text);
        if (r.all > 0 && plumb_span_known(r.at) && r.at.begin != st->job->at.begin)
            plumb_diag_note(d, r.at, "the job asks for this");
    }
}

uint64_t plumb_step_node_gpus(const struct plumb_step *st)
{
    const struct plumb_request *from = st->rq;

    if (from->gres_count == 0 && plumb_given(from, PLUMB_O_GRES) == NULL)
        from = st->job; /* a step that says nothing takes them all */
    if (from->gres_count != 1 || !plumb_same_nocase(from->gres[0].name, "gpu"))
        return 0;
    if (from->gres[0].per == PLUMB_PER_NODE ||
        (from->gres[0].per == PLUMB_PER_JOB && st->room.nodes == 1))
        return from->gres[0].count;
    return 0;
}

/* Memory for each GPU of a job that has none. */
static void check_mem_per_gpu(const struct plumb_step *st)
{
    struct plumb_room_gres r = plumb_room_devices(st->ck, &st->room, "gpu", NULL);

    if (plumb_usable(st->rq->mem_per_gpu) && r.all == 0)
        plumb_step_report(st, PLUMB_STEP_GRES, st->rq->mem_per_gpu.at,
                          "memory for each GPU is asked for, the job has none");
}

static void memory_fault(const struct plumb_step *st, enum plumb_option_id id, uint64_t wants,
                         uint64_t has, const char *what)
{
    struct plumb_diag *d = plumb_step_report(
        st, PLUMB_STEP_MEMORY, plumb_step_place(st->rq, id),
        plumb_arena_printf(st->ck->arena, "%llu MiB %s are asked for, the job has %llu MiB%s",
                           (unsigned long long)wants, what, (unsigned long long)has,
                           has == st->room.memory ? " of a node" : ""));

    plumb_step_note_job(st, d, PLUMB_O_MEM);
    plumb_step_note_job(st, d, PLUMB_O_MEM_PER_CPU);
    plumb_step_note_job(st, d, PLUMB_O_MEM_PER_GPU);
}

static void check_memory(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    uint64_t has = st->room.memory, wants = 0, all = 0, gpus = plumb_step_node_gpus(st);

    if (has == PLUMB_UNLIMITED || !st->room.memory_counts)
        return;
    if (plumb_usable(rq->mem) && rq->mem.v > has) {
        memory_fault(st, PLUMB_O_MEM, rq->mem.v, has, "of a node");
    } else if (plumb_usable(rq->mem_per_cpu) && counts_cpus(st) &&
               plumb_mul_u64(rq->mem_per_cpu.v, st->cpus_per_task, &wants)) {
        if (wants > has)
            memory_fault(st, PLUMB_O_MEM_PER_CPU, wants, has, "for a task");
        else if (st->nodes != PLUMB_UNLIMITED && plumb_mul_u64(has, st->nodes, &all) &&
                 plumb_mul_u64(wants, st->tasks, &wants) && wants > all)
            memory_fault(st, PLUMB_O_MEM_PER_CPU, wants, all, "for all tasks");
    } else if (plumb_usable(rq->mem_per_gpu) &&
               plumb_mul_u64(rq->mem_per_gpu.v, gpus == 0 ? 1 : gpus, &wants) && wants > has) {
        memory_fault(st, PLUMB_O_MEM_PER_GPU, wants, has,
                     gpus > 1 ? "for the GPUs of a node" : "for a GPU");
    }
}

/* --het-group: the highest index; -1: not given or not known. */
static long highest_group(const struct plumb_given *g)
{
    uint64_t most = 0, n = 0;

    if (g == NULL || g->unknown)
        return -1;
    for (size_t i = 0; i < g->value.len; i++) {
        size_t digits = plumb_read_digits(g->value.text + i, g->value.len - i, &n);

        if (digits == 0 || digits == SIZE_MAX)
            continue;
        most = n > most ? n : most;
        i += digits - 1;
    }
    return most > 1000000 ? 1000000 : (long)most;
}

/* srun/srun_job.c:_build_het_steps and its like; false: nothing else can be said. */
static bool check_component(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    const struct plumb_given *group = plumb_given(rq, PLUMB_O_HET_GROUP);
    long highest = highest_group(group);

    if (group == NULL)
        group = plumb_given(rq, PLUMB_O_PACK_GROUP);
    if (group != NULL && highest < 0)
        highest = highest_group(group);
    if (group != NULL && highest >= 0 && rq->components == 1) {
        plumb_step_report(
            st, PLUMB_STEP_COMPONENT, group->value.at,
            plumb_arena_printf(st->ck->arena,
                               "component %ld is asked for, the job has none: it is not "
                               "heterogeneous",
                               highest));
        return false;
    }
    if (highest >= (long)rq->components) {
        plumb_step_report(
            st, PLUMB_STEP_COMPONENT, group->value.at,
            plumb_arena_printf(st->ck->arena,
                               "component %ld is asked for, the job has %u (numbers from 0)",
                               highest, rq->components));
        return false;
    }
    if (group == NULL && rq->components > 1 && rq->component >= rq->components) {
        plumb_step_report(st, PLUMB_STEP_COMPONENT, rq->at,
                          plumb_arena_printf(st->ck->arena,
                                             "the step has %u components, the job has %u",
                                             rq->parts, rq->components));
        return false;
    }
    return group == NULL || highest >= 0;
}

/* Options that only a new job heeds; with another value they promise what does not happen. */
static void check_ignored(const struct plumb_step *st)
{
    static const enum plumb_option_id ids[] = {PLUMB_O_PARTITION, PLUMB_O_ACCOUNT, PLUMB_O_QOS,
                                               PLUMB_O_RESERVATION};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_given *g = plumb_given(st->rq, ids[i]);
        const struct plumb_given *has = plumb_given(st->job, ids[i]);
        struct plumb_diag *d = NULL;

        if (g == NULL || g->unknown || (has != NULL && has->unknown) ||
            (has != NULL && strcmp(g->value.text, has->value.text) == 0))
            continue;
        if (has == NULL && ids[i] == PLUMB_O_PARTITION && st->room.part != NULL &&
            strcmp(g->value.text, st->room.part->name.v) == 0)
            continue;
        d = plumb_diag_new(st->ck->sink, &plumb_step_rows[PLUMB_STEP_IGNORED], g->at,
                           "'--%s' is an option for new jobs: inside the job srun ignores it, and "
                           "the step runs with what the job has",
                           plumb_option_row(PLUMB_SRUN, st->ck->model->release, ids[i])->name);
        if (has != NULL)
            plumb_diag_note(d, has->at, "the job asks for this");
    }
}

/* srun/opt.c: SLURM_CPUS_PER_TASK is not read by every release. */
static void check_inheritance(const struct plumb_step *st)
{
    const struct plumb_u64 *job = &st->job->cpus_per_task;
    const struct plumb_request *rq = st->rq;
    struct plumb_diag *d = NULL;

    if (plumb_has_trait(st->ck, PLUMB_TRAIT_STEP_TAKES_CPUS_PER_TASK) || !plumb_usable(*job) ||
        job->v < 2 || plumb_given(rq, PLUMB_O_CPUS_PER_TASK) != NULL ||
        plumb_given(rq, PLUMB_O_CPUS_PER_GPU) != NULL ||
        plumb_given(rq, PLUMB_O_CPU_BIND) != NULL || plumb_given(rq, PLUMB_O_OVERCOMMIT) != NULL)
        return;
    d = plumb_diag_new(st->ck->sink, &plumb_step_rows[PLUMB_STEP_CPUS_PER_TASK], rq->at,
                       "srun %s does not take --cpus-per-task=%llu over from the job: each task "
                       "gets 1 CPU; expected --cpus-per-task here, or SRUN_CPUS_PER_TASK",
                       plumb_series(st->ck), (unsigned long long)job->v);
    plumb_diag_note(d, job->at, "the job asks for this");
}

/* Tasks and CPUs of each, as srun makes them out of its options and the job's variables. */
static void fill_in(struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq, *job = st->job;

    if (plumb_usable(rq->ntasks)) {
        st->tasks = rq->ntasks.v;
    } else if (plumb_given(rq, PLUMB_O_NTASKS) == NULL && plumb_given(rq, PLUMB_O_NODES) == NULL &&
               plumb_given(rq, PLUMB_O_NTASKS_PER_NODE) == NULL &&
               plumb_given(rq, PLUMB_O_TASKS_PER_NODE) == NULL && rq->parts == 1 &&
               plumb_given(rq, PLUMB_O_HET_GROUP) == NULL) {
        st->inherited_tasks = true;
        if (plumb_usable(job->ntasks))
            st->tasks = job->ntasks.v;
        else if (plumb_given(job, PLUMB_O_NTASKS) == NULL && plumb_usable(job->ntasks_per_node) &&
                 plumb_usable(job->nodes_min) && job->nodes_min.v == job->nodes_max.v)
            st->tasks = job->ntasks_per_node.v * job->nodes_min.v;
    }
    if (plumb_given(rq, PLUMB_O_CPUS_PER_TASK) != NULL || plumb_usable(rq->cpus_per_task)) {
        st->cpus_per_task = plumb_usable(rq->cpus_per_task) ? rq->cpus_per_task.v : 0;
    } else if (plumb_has_trait(st->ck, PLUMB_TRAIT_STEP_TAKES_CPUS_PER_TASK) &&
               plumb_given(job, PLUMB_O_CPUS_PER_TASK) != NULL) {
        st->inherited_cpus = plumb_usable(job->cpus_per_task);
        st->cpus_per_task = st->inherited_cpus ? job->cpus_per_task.v : 0;
    } else {
        st->cpus_per_task = 1;
    }
    if (st->tasks == 0 && plumb_given(rq, PLUMB_O_NTASKS) == NULL)
        st->tasks = 1; /* at least */
    st->nodes = st->room.nodes;
    if (plumb_usable(rq->nodes_max) && rq->nodes_max.v > 0 && rq->nodes_max.v < st->nodes)
        st->nodes = rq->nodes_max.v;
    if (plumb_usable(rq->ntasks) && rq->ntasks.v < st->nodes)
        st->nodes = rq->ntasks.v; /* srun: "can't run 1 processes on 2 nodes" */
}

/* A script without any directive is given its options elsewhere: on the command line of sbatch. */
static bool is_told(const struct plumb_request *job)
{
    for (size_t i = 0; i < PLUMB_O_COUNT; i++) {
        if (job->given[i].set)
            return true;
    }
    return false;
}

/* A step of another job, or one that only asks. */
static bool is_elsewhere(const struct plumb_request *rq)
{
    return plumb_given(rq, PLUMB_O_JOBID) != NULL || plumb_given(rq, PLUMB_O_NO_ALLOCATE) != NULL ||
           plumb_given(rq, PLUMB_O_HELP) != NULL || plumb_given(rq, PLUMB_O_VERSION) != NULL ||
           plumb_given(rq, PLUMB_O_USAGE) != NULL;
}

/* The component of the job that a step runs in. False: it is elsewhere, or nobody can tell. */
static bool find_job(struct plumb_step *st, bool tell)
{
    const struct plumb_check *ck = st->ck;
    const struct plumb_request *rq = st->rq, *jobs = &ck->model->requests[rq->job];
    const struct plumb_given *group = plumb_given(rq, PLUMB_O_HET_GROUP);
    long component = rq->components > 1 ? (long)rq->component : 0;

    st->job = jobs;
    if (is_elsewhere(rq) || rq->bad || !is_told(jobs) || (tell && !check_component(st)))
        return false;
    if (group != NULL)
        component = memchr(group->value.text, ',', group->value.len) == NULL &&
                            memchr(group->value.text, '-', group->value.len) == NULL
                        ? highest_group(group)
                        : -1;
    if (component < 0 || component >= (long)rq->components || jobs[component].bad)
        return false;
    st->job = &jobs[component];
    st->room = plumb_room_of(ck, st->job);
    fill_in(st);
    return true;
}

static void judge(struct plumb_step *st)
{
    check_nodes(st);
    check_names(st);
    check_feature(st);
    check_threads(st);
    check_cpus(st);
    check_gres(st);
    check_memory(st);
    check_mem_per_gpu(st);
    plumb_step_gpus(st);
    check_ignored(st);
    check_inheritance(st);
    plumb_step_contradictions(st);
}

/* Steps that were started before, and that nothing has waited for. */
static void judge_beside(const struct plumb_check *ck, size_t at)
{
    const struct plumb_request *requests = ck->model->requests;
    struct plumb_step later = {.ck = ck, .rq = &requests[at]};

    if (!find_job(&later, false))
        return;
    for (size_t i = requests[at].job; i <= at; i++) {
        struct plumb_step earlier = {.ck = ck, .rq = &requests[i]};

        bool beside = requests[i].pipe == requests[at].pipe && i != at;

        beside = beside || (requests[i].background && requests[i].wave == requests[at].wave);
        if (!requests[i].step || !beside || (i == at && !requests[at].looped) ||
            requests[i].parts > 1 || !find_job(&earlier, false) || earlier.job != later.job)
            continue;
        if (plumb_step_in_turn(&earlier, &later))
            return;
    }
}

static void judge_all(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->request_count; i++) {
        struct plumb_step st = {.ck = ck, .rq = &ck->model->requests[i]};

        if (!st.rq->step)
            continue;
        if (find_job(&st, true))
            judge(&st);
        if (st.rq->parts == 1)
            judge_beside(ck, i);
    }
}

const struct plumb_rule plumb_step_rows[] = {
    [PLUMB_STEP_NODES] =
        {
            .code = "JOB089",
            .name = "step-nodes",
            .severity = PLUMB_ERROR,
            .needs = PLUMB_FACT_MODEL | PLUMB_FACT_JOBS,
            .run = judge_all,
            .summary = "srun in a script asks for nodes that the job does not have",
            .why = "The step cannot start: 'Only allocated 1 nodes asked for 2'.",
            .ref = "srun(1), --nodes, --nodelist, --relative; srun/allocate.c:existing_allocation, "
                   "stepmgr.c:_pick_step_nodes",
            .bad = "#SBATCH --nodes=1\n"
                   "srun --nodes=2 ./train",
            .good = "#SBATCH --nodes=2\n"
                    "srun --nodes=2 ./train",
        },
    [PLUMB_STEP_CPUS] =
        {
            .code = "JOB090",
            .name = "step-cpus",
            .severity = PLUMB_ERROR,
            .summary = "srun in a script asks for more CPUs than the job has",
            .why = "The step is refused with 'More processors requested than permitted', or waits "
                   "for ever. Without --ntasks and --cpus-per-task srun takes those of the job, as "
                   "far as its release does.",
            .ref = "srun(1), --ntasks, --cpus-per-task; stepmgr.c:_pick_step_nodes",
            .bad = "#SBATCH --ntasks=4\nsrun --ntasks=8 ./train",
            .good = "#SBATCH --ntasks=8\nsrun --ntasks=8 ./train",
        },
    [PLUMB_STEP_GRES] =
        {
            .code = "JOB091",
            .name = "step-gres",
            .severity = PLUMB_ERROR,
            .summary = "srun in a script asks for devices that the job did not ask for",
            .why = "A step takes from what its job has: 'Invalid generic resource (gres) "
                   "specification'.",
            .ref = "srun(1), --gres, --gpus; interfaces/gres.c:gres_step_state_validate, "
                   "stepmgr/gres_stepmgr.c:gres_stepmgr_step_test",
            .bad = "#SBATCH --ntasks=1\nsrun --gpus=1 ./train",
            .good = "#SBATCH --ntasks=1 --gpus=1\nsrun --gpus=1 ./train",
        },
    [PLUMB_STEP_MEMORY] =
        {
            .code = "JOB092",
            .name = "step-memory",
            .severity = PLUMB_ERROR,
            .summary = "srun in a script asks for more memory than the job has",
            .why = "The step is refused with 'Memory required by task is not available'; --mem=0 "
                   "asks for all that the job has.",
            .ref = "srun(1), --mem; stepmgr.c:_pick_step_nodes",
            .bad = "#SBATCH --mem=8G\nsrun --mem=16G ./train",
            .good = "#SBATCH --mem=16G\nsrun --mem=16G ./train",
        },
    [PLUMB_STEP_COMPONENT] =
        {
            .code = "JOB093",
            .name = "step-component",
            .severity = PLUMB_ERROR,
            .summary = "srun in a script names a component that the job does not have",
            .why = "Components of a heterogeneous job are counted from 0, in the order of the "
                   "'hetjob' directives.",
            .ref = "srun(1), --het-group; srun/allocate.c:existing_allocation",
            .bad = "#SBATCH --ntasks=1\nsrun --het-group=1 ./train",
            .good = "#SBATCH --ntasks=1\n#SBATCH hetjob\n#SBATCH --ntasks=1\nsrun --het-group=1 "
                    "./train",
        },
    [PLUMB_STEP_CPUS_PER_TASK] =
        {
            .code = "JOB094",
            .name = "step-cpus-per-task",
            .severity = PLUMB_INFO,
            .summary = "srun does not take --cpus-per-task over from the job",
            .why = "In 22.05 and 23.02 srun reads SRUN_CPUS_PER_TASK alone, so each task is bound "
                   "to one CPU and its threads share it. Releases before and after take it over.",
            .ref = "srun(1), --cpus-per-task; srun/opt.c: env_vars",
            .bad = "#SBATCH --cpus-per-task=16\nsrun ./train   # Slurm 22.05",
            .good = "#SBATCH --cpus-per-task=16\nsrun --cpus-per-task=16 ./train",
        },
    [PLUMB_STEP_IGNORED] =
        {
            .code = "JOB095",
            .name = "step-option-ignored",
            .severity = PLUMB_WARNING,
            .summary = "an option of srun that counts for new jobs alone stands inside a job",
            .why = "The step runs on the nodes and on the account of the job, whatever it says.",
            .ref = "srun(1), --partition, --account, --qos, --reservation; seen on 22.05.8, "
                   "24.11.5 and 26.05.5",
            .bad = "# slurm.conf\n"
                   "PartitionName=cpu Nodes=ALL Default=YES\n"
                   "PartitionName=gpu Nodes=ALL\n"
                   "# job.sbatch\n"
                   "#SBATCH --partition=cpu\n"
                   "srun --partition=gpu ./train",
            .good = "# slurm.conf\n"
                    "PartitionName=cpu Nodes=ALL Default=YES\n"
                    "PartitionName=gpu Nodes=ALL\n"
                    "# job.sbatch\n"
                    "#SBATCH --partition=gpu\n"
                    "srun ./train",
        },
    [PLUMB_STEP_CONTRADICTS] =
        {
            .code = "JOB096",
            .name = "step-contradicts-job",
            .severity = PLUMB_ERROR,
            .summary = "an option of srun contradicts one that it takes over from the job",
            .why =
                "sbatch hands options of the job on in variables (SLURM_GPUS, SLURM_GPUS_PER_TASK "
                "and others); srun reads them as its own, and ends with an error.",
            .ref = "srun(1), INPUT ENVIRONMENT VARIABLES; common/slurm_opt.c: "
                   "_validate_ntasks_per_gpu, gres.c: gres_step_state_validate",
            .bad = "#SBATCH --ntasks-per-gpu=1 --gpus=2\nsrun --gpus-per-task=1 ./train",
            .good = "#SBATCH --ntasks-per-gpu=1 --gpus=2\nsrun ./train",
        },
    [PLUMB_STEP_IN_TURN] =
        {
            .code = "JOB097",
            .name = "steps-in-turn",
            .severity = PLUMB_WARNING,
            .summary = "steps that are started together run one after another",
            .why = "A step without --exact takes all CPUs of its nodes, and one without --gpus or "
                   "--mem all GPUs and the memory of the job: the next one waits until it ends. "
                   "A monitor in the background that never ends keeps the job from starting.",
            .ref = "srun(1), --exact, --overlap; stepmgr.c:_pick_step_nodes; seen on 22.05.8, "
                   "24.11.5 and 26.05.5",
            .bad = "#SBATCH --nodes=1 --ntasks=2\n"
                   "srun --ntasks=1 ./a &\n"
                   "srun --ntasks=1 ./b &\n"
                   "wait",
            .good = "#SBATCH --nodes=1 --ntasks=2\n"
                    "srun --ntasks=1 --exact ./a &\n"
                    "srun --ntasks=1 --exact ./b &\n"
                    "wait",
        },
};
_Static_assert(PLUMB_COUNT(plumb_step_rows) == PLUMB_STEP_ROW_COUNT, "one row per fault");

const struct plumb_rule_family plumb_step_rules = {
    .prefix = "JOB",
    .title = "Job scripts: steps against their job",
    .rules = plumb_step_rows,
    .count = PLUMB_COUNT(plumb_step_rows),
};
