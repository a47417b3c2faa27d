/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options against each other: what sbatch, srun and salloc refuse before they ask slurmctld
 * (common/slurm_opt.c:validate_options_salloc_sbatch_srun, interfaces/gres.c:_test_gres_cnt),
 * and the counts that follow from others.
 */
#include "base/text.h"
#include "model/hostlist.h"
#include "passes/request.h"
#include "schema/trait.h"
#include "schema/value.h"

/* Two options that may not stand together. */
static const struct {
    enum plumb_option_id a, b;
    enum plumb_trait_id trait; /* in releases that have it; PLUMB_TRAIT_COUNT: in all */
} exclusive[] = {
    {PLUMB_O_MEM, PLUMB_O_MEM_PER_CPU, PLUMB_TRAIT_COUNT},
    {PLUMB_O_MEM, PLUMB_O_MEM_PER_GPU, PLUMB_TRAIT_COUNT},
    {PLUMB_O_MEM_PER_CPU, PLUMB_O_MEM_PER_GPU, PLUMB_TRAIT_COUNT},
    {PLUMB_O_EXCLUSIVE, PLUMB_O_OVERSUBSCRIBE, PLUMB_TRAIT_EXCLUSIVE_BARS_OVERSUBSCRIBE},
    {PLUMB_O_CPUS_PER_TASK, PLUMB_O_CPUS_PER_GPU, PLUMB_TRAIT_COUNT},
    {PLUMB_O_NTASKS_PER_GPU, PLUMB_O_GPUS_PER_TASK, PLUMB_TRAIT_COUNT},
    {PLUMB_O_NTASKS_PER_GPU, PLUMB_O_GPUS_PER_SOCKET, PLUMB_TRAIT_COUNT},
    {PLUMB_O_NTASKS_PER_GPU, PLUMB_O_NTASKS_PER_NODE, PLUMB_TRAIT_COUNT},
    {PLUMB_O_NTASKS_PER_GPU, PLUMB_O_TRES_PER_TASK, PLUMB_TRAIT_TRES_PER_TASK_BARS_NTASKS_PER_GPU},
    {PLUMB_O_CORE_SPEC, PLUMB_O_THREAD_SPEC, PLUMB_TRAIT_COUNT},
};

struct pairing {
    struct plumb_session *session;
    struct plumb_request *rq;
};

static void refuse(struct pairing *p, enum plumb_option_id at, enum plumb_option_id other,
                   const char *text)
{
    const struct plumb_given *a = plumb_given(p->rq, at), *b = plumb_given(p->rq, other);
    struct plumb_diag *d =
        plumb_job_report(p->session, PLUMB_JOB_PAIR, a == NULL ? p->rq->at : a->at,
                         "%s; %s refuses", text, plumb_job_command_name(p->rq->command));

    p->rq->bad = true;
    if (b != NULL && at != other)
        plumb_diag_note(d, b->at, "the other one");
}

/* The name of an option, for messages. */
static const char *name_of(enum plumb_option_id id)
{
    for (size_t i = 0; i < plumb_option_count; i++) {
        if (plumb_options[i].id == id)
            return plumb_options[i].name;
    }
    return "";
}

static void check_exclusive(struct pairing *p)
{
    struct plumb_arena *a = p->session->arena;

    for (size_t i = 0; i < PLUMB_COUNT(exclusive); i++) {
        const struct plumb_given *x = plumb_given(p->rq, exclusive[i].a);
        const struct plumb_given *y = plumb_given(p->rq, exclusive[i].b);
        bool later = x != NULL && y != NULL && y->at.begin > x->at.begin;

        if (x == NULL || y == NULL ||
            (exclusive[i].trait != PLUMB_TRAIT_COUNT &&
             !plumb_trait_now(p->session, exclusive[i].trait)))
            continue;
        refuse(p, later ? exclusive[i].b : exclusive[i].a, later ? exclusive[i].a : exclusive[i].b,
               plumb_arena_printf(a, "--%s and --%s exclude each other, expected one of them",
                                  name_of(exclusive[i].a), name_of(exclusive[i].b)));
    }
}

static const struct plumb_request_gres *find(const struct plumb_request *rq, const char *name,
                                             enum plumb_per per)
{
    for (size_t i = 0; i < rq->gres_count; i++) {
        if (rq->gres[i].per == per && plumb_same_nocase(rq->gres[i].name, name))
            return &rq->gres[i];
    }
    return NULL;
}

static bool has_name(const struct plumb_request *rq, const char *name)
{
    for (unsigned per = 0; per <= PLUMB_PER_SOCKET; per++) {
        if (find(rq, name, (enum plumb_per)per) != NULL)
            return true;
    }
    return false;
}

/* --tres-per-task=cpu counts as --cpus-per-task. */
static void check_tres_per_task(struct pairing *p)
{
    const struct plumb_given *tres = plumb_given(p->rq, PLUMB_O_TRES_PER_TASK);

    if (tres == NULL || tres->unknown || tres->value.len < 3 ||
        !plumb_equal_nocase(tres->value.text, "cpu", 3))
        return;
    if (plumb_given(p->rq, PLUMB_O_CPUS_PER_TASK) != NULL)
        refuse(p, PLUMB_O_TRES_PER_TASK, PLUMB_O_CPUS_PER_TASK,
               "--tres-per-task=cpu and --cpus-per-task exclude each other, expected one of them");
}

/* GPUs per node may have to be asked for in one way. */
static void check_two_ways(struct pairing *p)
{
    const struct plumb_given *gres = plumb_given(p->rq, PLUMB_O_GRES);
    struct plumb_slice value;

    if (!plumb_trait_now(p->session, PLUMB_TRAIT_GPUS_PER_NODE_BARS_GRES_GPU) || gres == NULL ||
        gres->unknown || plumb_given(p->rq, PLUMB_O_GPUS_PER_NODE) == NULL)
        return;
    value = gres->value;
    for (size_t i = 0; i + 3 <= value.len; i++) {
        if ((i == 0 || value.text[i - 1] == ',' || value.text[i - 1] == '/') &&
            plumb_equal_nocase(value.text + i, "gpu", 3)) {
            refuse(p, PLUMB_O_GRES, PLUMB_O_GPUS_PER_NODE,
                   "--gres=gpu and --gpus-per-node exclude each other, expected one of them");
            return;
        }
    }
}

/* Options about GPUs without any, and shared GPUs beside whole ones. */
static void check_gpus(struct pairing *p)
{
    struct plumb_request *rq = p->rq;
    bool gpu = has_name(rq, "gpu") || plumb_given(rq, PLUMB_O_TRES_PER_TASK) != NULL ||
               (plumb_usable(rq->ntasks_per_gpu) && plumb_usable(rq->ntasks));
    bool shared = has_name(rq, "shard") || has_name(rq, "mps");

    if (shared && has_name(rq, "gpu"))
        refuse(p, PLUMB_O_GRES, PLUMB_O_GPUS,
               "whole GPUs and shares of GPUs in one job exclude each other, expected one of them");
    if (gpu || rq->step)
        return;
    if (plumb_usable(rq->mem_per_gpu) && rq->mem_per_gpu.v > 0)
        refuse(p, PLUMB_O_MEM_PER_GPU, PLUMB_O_MEM_PER_GPU,
               "--mem-per-gpu without any GPU, expected --gpus or --gres=gpu");
    if (plumb_usable(rq->cpus_per_gpu) &&
        plumb_trait_now(p->session, PLUMB_TRAIT_CPUS_PER_GPU_NEEDS_GPU))
        refuse(p, PLUMB_O_CPUS_PER_GPU, PLUMB_O_CPUS_PER_GPU,
               "--cpus-per-gpu without any GPU, expected --gpus or --gres=gpu");
    if (plumb_usable(rq->ntasks_per_gpu) && !plumb_usable(rq->ntasks))
        refuse(p, PLUMB_O_NTASKS_PER_GPU, PLUMB_O_NTASKS_PER_GPU,
               "--ntasks-per-gpu without GPUs and without --ntasks, expected one of them");
}

/* The same device with a type and without (_foreach_set_over_array). */
static void check_types(struct pairing *p)
{
    const struct plumb_request *rq = p->rq;

    for (size_t i = 0; i < rq->gres_count; i++) {
        for (size_t k = i + 1; k < rq->gres_count; k++) {
            const struct plumb_request_gres *x = &rq->gres[i], *y = &rq->gres[k];

            if (x->name != y->name || (x->type == NULL) == (y->type == NULL))
                continue;
            refuse(p, PLUMB_O_GRES, PLUMB_O_GRES,
                   plumb_arena_printf(p->session->arena,
                                      "'%s' stands with a type and without, expected one way",
                                      x->name));
            return;
        }
    }
}

/* --ntasks as far as it follows from the rest (gres_job_state_validate), or sbatch counts it. */
static struct plumb_u64 tasks_of(const struct pairing *p)
{
    const struct plumb_request *rq = p->rq;
    struct plumb_u64 n = rq->ntasks;

    if (!plumb_usable(n) && !plumb_usable(rq->nodes_min) && plumb_usable(rq->ntasks_per_node) &&
        rq->command == PLUMB_SBATCH &&
        plumb_trait_now(p->session, PLUMB_TRAIT_SBATCH_COUNTS_TASKS_OF_NODES))
        return rq->ntasks_per_node;
    if (plumb_usable(n) || !plumb_usable(rq->nodes_min) || rq->nodes_min.v != rq->nodes_max.v)
        return n;
    n = rq->nodes_min;
    if (plumb_usable(rq->ntasks_per_node))
        n.v *= rq->ntasks_per_node.v;
    else if (plumb_usable(rq->cpus_per_task))
        n.origin = PLUMB_ABSENT;
    return n;
}

static void check_per_task(struct pairing *p)
{
    const struct plumb_request *rq = p->rq;
    const struct plumb_request_gres *task = find(rq, "gpu", PLUMB_PER_TASK);
    const struct plumb_request_gres *job = find(rq, "gpu", PLUMB_PER_JOB);
    const struct plumb_request_gres *node = find(rq, "gpu", PLUMB_PER_NODE);
    const char *text = NULL;

    if (task == NULL || rq->step)
        return;
    if (job != NULL && job->type != task->type)
        job = NULL; /* another record: gres_find_job_by_key looks at the type too */
    if (job == NULL && !plumb_usable(tasks_of(p)))
        text = "--gpus-per-task without --ntasks and without --gpus, expected one of them";
    else if (job != NULL && job->count % task->count != 0)
        text = "--gpus is no multiple of --gpus-per-task";
    else if (job != NULL && plumb_usable(rq->ntasks) && rq->ntasks.v != job->count / task->count)
        text = "--gpus is not --ntasks times --gpus-per-task";
    else if (node != NULL && node->count % task->count != 0)
        text = "GPUs of a node are no multiple of --gpus-per-task";
    if (text != NULL)
        refuse(p, PLUMB_O_GPUS_PER_TASK, PLUMB_O_GPUS, text);
}

static void check_per_node(struct pairing *p)
{
    struct plumb_request *rq = p->rq;
    const struct plumb_request_gres *job = find(rq, "gpu", PLUMB_PER_JOB);
    const struct plumb_request_gres *node = find(rq, "gpu", PLUMB_PER_NODE);
    uint64_t nodes = 0;

    if (job == NULL || node == NULL || job->type != node->type || rq->step)
        return;
    if (job->count % node->count != 0) {
        refuse(p, PLUMB_O_GPUS, PLUMB_O_GPUS_PER_NODE,
               "--gpus is no multiple of the GPUs of a node, expected one");
        return;
    }
    nodes = job->count / node->count;
    if (plumb_usable(rq->nodes_min) &&
        (nodes < rq->nodes_min.v || (rq->nodes_max.v != 0 && nodes > rq->nodes_max.v))) {
        refuse(p, PLUMB_O_GPUS, PLUMB_O_NODES,
               plumb_arena_printf(p->session->arena,
                                  "--gpus and the GPUs of a node need %llu nodes, --nodes says "
                                  "another number",
                                  (unsigned long long)nodes));
        return;
    }
    rq->nodes_min = rq->nodes_max =
        (struct plumb_u64){.v = nodes, .at = job->at, .origin = PLUMB_DERIVED};
}

static void check_job_gpus(struct pairing *p)
{
    const struct plumb_request *rq = p->rq;
    const struct plumb_request_gres *job = find(rq, "gpu", PLUMB_PER_JOB);

    if (job != NULL && job->type == NULL && !rq->step && plumb_usable(rq->nodes_min) &&
        job->count < rq->nodes_min.v)
        refuse(p, PLUMB_O_GPUS, PLUMB_O_NODES, "fewer --gpus than --nodes, expected one a node");
    if (find(rq, "gpu", PLUMB_PER_SOCKET) != NULL && !plumb_usable(rq->sockets) && !rq->step)
        refuse(p, PLUMB_O_GPUS_PER_SOCKET, PLUMB_O_GPUS_PER_SOCKET,
               "--gpus-per-socket needs --sockets-per-node");
}

/* A script beside --wrap, places that nothing names, what only steps know. */
static void check_command(struct pairing *p)
{
    const struct plumb_given *m = plumb_given(p->rq, PLUMB_O_DISTRIBUTION);
    const struct plumb_given *flags = plumb_given(p->rq, PLUMB_O_GRES_FLAGS);

    if (p->rq->step)
        return;
    if (plumb_given(p->rq, PLUMB_O_WRAP) != NULL && !p->rq->inner)
        refuse(p, PLUMB_O_WRAP, PLUMB_O_WRAP, "--wrap stands in for a script, and there is one");
    if (m != NULL && !m->unknown && plumb_slice_is(&m->value, "arbitrary") &&
        plumb_given(p->rq, PLUMB_O_NODELIST) == NULL &&
        plumb_given(p->rq, PLUMB_O_NODEFILE) == NULL)
        refuse(p, PLUMB_O_DISTRIBUTION, PLUMB_O_DISTRIBUTION,
               "--distribution=arbitrary needs --nodelist");
    if (flags != NULL && !flags->unknown &&
        plumb_list_find(&flags->value, "allow-task-sharing", NULL))
        refuse(p, PLUMB_O_GRES_FLAGS, PLUMB_O_GRES_FLAGS,
               "--gres-flags=allow-task-sharing is for srun");
}

/* --nodelist with more names than --nodes: refused, or only as many nodes are used. */
static void check_nodelist(struct pairing *p)
{
    struct plumb_request *rq = p->rq;
    const struct plumb_given *list = plumb_given(rq, PLUMB_O_NODELIST);
    const struct plumb_hostlist *hosts = NULL;

    if (list == NULL || list->unknown || list->value.len == 0 || list->value.text[0] == '/' ||
        !plumb_usable(rq->nodes_max) || rq->nodes_max.v == 0)
        return;
    if (plumb_trait_now(p->session, PLUMB_TRAIT_MORE_NAMES_THAN_NODES))
        return;
    hosts = plumb_hostlist_read(p->session, &list->value, p->session->sink.release);
    if (hosts != NULL && hosts->count > rq->nodes_max.v)
        refuse(p, PLUMB_O_NODELIST, PLUMB_O_NODES,
               "--nodelist names more nodes than --nodes allows");
}

void plumb_request_pairs(struct plumb_session *s, struct plumb_request *rq)
{
    struct pairing p = {.session = s, .rq = rq};

    check_exclusive(&p);
    if (rq->bad)
        return;
    check_tres_per_task(&p);
    check_two_ways(&p);
    check_types(&p);
    check_gpus(&p);
    check_per_task(&p);
    check_per_node(&p);
    check_job_gpus(&p);
    check_command(&p);
    check_nodelist(&p);
}
