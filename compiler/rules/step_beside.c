/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step beside what its job hands on in variables, and beside other steps that run at the same
 * time.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"
#include "rules/step.h"

static void contradict(const struct plumb_step *st, struct plumb_span at, enum plumb_option_id job,
                       const char *text)
{
    const struct plumb_given *has = plumb_given(st->job, job);
    struct plumb_diag *d = plumb_diag_new(st->ck->sink, &plumb_step_rows[PLUMB_STEP_CONTRADICTS],
                                          at, "%s; srun %s refuses", text, plumb_series(st->ck));

    if (has != NULL)
        plumb_diag_note(d, has->at, "the job hands this on");
}

/* Pairs that exclude each other although the step overrules neither. */
static void check_pairs(const struct plumb_step *st)
{
    static const struct {
        enum plumb_option_id step, job;
        const char *text;
    } pairs[] = {
        {PLUMB_O_GPUS_PER_TASK, PLUMB_O_NTASKS_PER_GPU,
         "--gpus-per-task excludes --ntasks-per-gpu, which the job hands on"},
        {PLUMB_O_NTASKS_PER_GPU, PLUMB_O_GPUS_PER_TASK,
         "--ntasks-per-gpu excludes --gpus-per-task, which the job hands on"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(pairs); i++) {
        if (plumb_given(st->rq, pairs[i].step) != NULL &&
            plumb_given(st->job, pairs[i].job) != NULL)
            contradict(st, plumb_given(st->rq, pairs[i].step)->at, pairs[i].job, pairs[i].text);
    }
}

static bool asks_for_gpus(const struct plumb_request *rq, enum plumb_per per, bool typed)
{
    for (size_t i = 0; i < rq->gres_count; i++) {
        if (rq->gres[i].per == per && plumb_same_nocase(rq->gres[i].name, "gpu") &&
            (rq->gres[i].type != NULL) == typed)
            return true;
    }
    return false;
}

/* A GPU of the step by another option than this one, with a type or without. */
static const struct plumb_request_gres *other_gpu(const struct plumb_request *rq,
                                                  enum plumb_per per, bool typed)
{
    for (size_t i = 0; i < rq->gres_count; i++) {
        const struct plumb_request_gres *g = &rq->gres[i];

        if (plumb_same_nocase(g->name, "gpu") && (g->type != NULL) == typed && g->per != per)
            return g;
    }
    return NULL;
}

/* The same device with a type from one side and without from the other. */
static void check_types(const struct plumb_step *st)
{
    static const struct {
        enum plumb_option_id id;
        enum plumb_per per;
    } handed_on[] = {
        {PLUMB_O_GPUS, PLUMB_PER_JOB},
        {PLUMB_O_GPUS_PER_TASK, PLUMB_PER_TASK},
    };

    for (size_t i = 0; i < PLUMB_COUNT(handed_on); i++) {
        for (int typed = 0; typed <= 1; typed++) {
            const struct plumb_request_gres *g = other_gpu(st->rq, handed_on[i].per, typed == 0);

            if (g == NULL || plumb_given(st->job, handed_on[i].id) == NULL ||
                plumb_given(st->rq, handed_on[i].id) != NULL ||
                !asks_for_gpus(st->job, handed_on[i].per, typed != 0))
                continue;
            contradict(st, g->at, handed_on[i].id,
                       typed ? "GPUs without a type, and the job hands some with a type on"
                             : "GPUs with a type, and the job hands some without a type on");
            return;
        }
    }
    for (int typed = 0; typed <= 1; typed++) {
        if (plumb_given(st->rq, PLUMB_O_GRES) != NULL &&
            plumb_given(st->rq, PLUMB_O_GPUS_PER_NODE) == NULL &&
            plumb_given(st->job, PLUMB_O_GPUS_PER_NODE) != NULL &&
            asks_for_gpus(st->job, PLUMB_PER_NODE, typed != 0) &&
            asks_for_gpus(st->rq, PLUMB_PER_NODE, typed == 0))
            contradict(st, plumb_given(st->rq, PLUMB_O_GRES)->at, PLUMB_O_GPUS_PER_NODE,
                       typed ? "GPUs without a type, and the job hands some with a type on"
                             : "GPUs with a type, and the job hands some without a type on");
    }
}

static void check_two_ways(const struct plumb_step *st)
{
    const struct plumb_given *per_node = plumb_given(st->job, PLUMB_O_GPUS_PER_NODE);

    if (!plumb_has_trait(st->ck, PLUMB_TRAIT_GPUS_PER_NODE_BARS_GRES_GPU) || per_node == NULL ||
        plumb_given(st->rq, PLUMB_O_GRES) == NULL ||
        (!asks_for_gpus(st->rq, PLUMB_PER_NODE, false) &&
         !asks_for_gpus(st->rq, PLUMB_PER_NODE, true)))
        return;
    contradict(st, plumb_given(st->rq, PLUMB_O_GRES)->at, PLUMB_O_GPUS_PER_NODE,
               "--gres=gpu excludes --gpus-per-node, which the job hands on");
}

void plumb_step_contradictions(const struct plumb_step *st)
{
    if (st->rq->changed)
        return;
    check_pairs(st);
    check_types(st);
    check_two_ways(st);
}

/* A step takes what it says, or all that its nodes have (stepmgr.c: SSF_WHOLE). */
static bool takes_whole(const struct plumb_step *st)
{
    static const enum plumb_option_id exact[] = {PLUMB_O_EXACT, PLUMB_O_EXCLUSIVE,
                                                 PLUMB_O_CPUS_PER_TASK, PLUMB_O_CPUS_PER_GPU,
                                                 PLUMB_O_TRES_PER_TASK};

    if (plumb_given(st->rq, PLUMB_O_WHOLE) != NULL)
        return true;
    for (size_t i = 0; i < PLUMB_COUNT(exact); i++) {
        if (plumb_given(st->rq, exact[i]) != NULL)
            return false;
    }
    return !st->inherited_cpus && plumb_given(st->job, PLUMB_O_CPUS_PER_GPU) == NULL &&
           plumb_given(st->job, PLUMB_O_TRES_PER_TASK) == NULL;
}

/* Nodes that a step uses at least. */
static uint64_t nodes_at_least(const struct plumb_step *st)
{
    if (plumb_usable(st->rq->nodes_min))
        return st->rq->nodes_min.v;
    if (plumb_given(st->rq, PLUMB_O_NODES) != NULL || !st->room.fixed_nodes)
        return 1;
    return plumb_usable(st->rq->ntasks) && st->rq->ntasks.v < st->room.nodes ? st->rq->ntasks.v
                                                                             : st->room.nodes;
}

/* Without an option of its own a step takes the --mem of the job. */
static uint64_t memory_of(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;

    if (!st->room.memory_counts || plumb_given(rq, PLUMB_O_MEM_PER_CPU) != NULL ||
        plumb_given(rq, PLUMB_O_MEM_PER_GPU) != NULL)
        return 0;
    if (plumb_given(rq, PLUMB_O_MEM) != NULL)
        return plumb_usable(rq->mem) ? rq->mem.v : 0;
    return plumb_usable(st->job->mem) ? st->job->mem.v : 0;
}

/* GPUs of a job on one node that a step takes; 0: not known. */
static uint64_t gpus_of(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    uint64_t count = 0;

    if (rq->gres_count == 0 && plumb_given(rq, PLUMB_O_GRES) == NULL &&
        plumb_given(rq, PLUMB_O_GPUS) == NULL && plumb_given(rq, PLUMB_O_TRES_PER_TASK) == NULL &&
        plumb_given(rq, PLUMB_O_NTASKS_PER_GPU) == NULL) {
        struct plumb_room_gres all = plumb_room_devices(st->ck, &st->room, "gpu", NULL);

        return all.all == PLUMB_UNLIMITED ? 0 : all.all;
    }
    for (size_t i = 0; i < rq->gres_count; i++) {
        uint64_t part = rq->gres[i].count;

        if (!plumb_same_nocase(rq->gres[i].name, "gpu"))
            continue;
        if (rq->gres[i].per == PLUMB_PER_TASK &&
            (st->tasks == 0 || !plumb_mul_u64(part, st->tasks, &part)))
            return 0;
        count += part;
    }
    return count;
}

static bool exceeds(uint64_t a, uint64_t b, uint64_t most)
{
    return most != PLUMB_UNLIMITED && a > 0 && b > 0 && (a > most || b > most - a);
}

/* What the two take too much of together; NULL: nothing that is known. *help: what frees it. */
static const char *shortage(const struct plumb_step *x, const struct plumb_step *y,
                            const char **expected)
{
    uint64_t gpus = plumb_room_devices(x->ck, &x->room, "gpu", NULL).all, a = 0, b = 0;

    if (takes_whole(x) || takes_whole(y)) {
        *expected = "--exact";
        return "CPUs";
    }
    if (exceeds(memory_of(x), memory_of(y), x->room.memory)) {
        *expected = "--mem for each";
        return "memory";
    }
    if (x->room.nodes != 1)
        return NULL;
    if (exceeds(gpus_of(x), gpus_of(y), gpus)) {
        *expected = "--gpus for each";
        return "GPUs";
    }
    if (!plumb_mul_u64(x->tasks, x->cpus_per_task, &a) ||
        !plumb_mul_u64(y->tasks, y->cpus_per_task, &b) || !exceeds(a, b, x->room.cpus))
        return NULL;
    *expected = "fewer tasks";
    return "CPUs";
}

static bool may_overlap(const struct plumb_step *st)
{
    return plumb_given(st->rq, PLUMB_O_OVERLAP) != NULL || st->rq->changed ||
           plumb_given(st->rq, PLUMB_O_INTERACTIVE) != NULL ||
           plumb_given(st->rq, PLUMB_O_OVERCOMMIT) != NULL;
}

bool plumb_step_in_turn(const struct plumb_step *earlier, const struct plumb_step *later)
{
    const char *expected = NULL, *what = NULL;
    struct plumb_diag *d = NULL;

    if (earlier->room.nodes == PLUMB_UNLIMITED || may_overlap(earlier) || may_overlap(later) ||
        nodes_at_least(earlier) + nodes_at_least(later) <= earlier->room.nodes)
        return false;
    what = shortage(earlier, later, &expected);
    if (what == NULL || memory_of(later) > later->room.memory) /* fits in no case: told there */
        return false;
    if (earlier->rq == later->rq) {
        plumb_diag_new(later->ck->sink, &plumb_step_rows[PLUMB_STEP_IN_TURN], later->rq->at,
                       "steps of this loop take the %s of the job from each other and run one "
                       "after another, expected %s",
                       what, expected);
        return true;
    }
    d = plumb_diag_new(
        later->ck->sink, &plumb_step_rows[PLUMB_STEP_IN_TURN], later->rq->at,
        "the step in the background holds the %s that this one needs, so this one waits for its "
        "end, expected %s",
        what, expected);
    plumb_diag_note(d, earlier->rq->at, "runs in the background");
    return true;
}
