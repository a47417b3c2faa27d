/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps whose tasks or CPUs follow from GPUs: --ntasks-per-gpu and --cpus-per-gpu (slurm_opt.c,
 * srun/opt.c, stepmgr.c:step_create).
 */
#include "base/num.h"
#include "base/text.h"
#include "rules/ask.h"
#include "rules/step.h"
#include "rules/submit_fit.h"

/* slurm_opt.c: --ntasks-per-gpu makes GPUs out of tasks, where none are asked for. True: told. */
static bool check_multiple(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    struct plumb_u64 each = rq->ntasks_per_gpu;
    uint64_t tasks = plumb_usable(rq->ntasks) ? rq->ntasks.v : st->inherited_tasks ? st->tasks : 0;
    struct plumb_diag *d = NULL;

    if (!plumb_usable(each) || each.v == 0 || tasks == 0 || rq->changed || rq->gres_count > 0 ||
        plumb_given(rq, PLUMB_O_GRES) != NULL || plumb_given(rq, PLUMB_O_GPUS) != NULL ||
        plumb_given(st->job, PLUMB_O_GPUS) != NULL ||
        (!plumb_usable(rq->ntasks) && !plumb_usable(st->job->ntasks)) || tasks % each.v == 0)
        return false;
    d = plumb_step_report(
        st, PLUMB_STEP_GRES, each.at,
        plumb_arena_printf(st->ck->arena,
                           "%llu task%s for each GPU are asked for, and %llu task%s in all, "
                           "which is no multiple",
                           (unsigned long long)each.v, plumb_plural(each.v),
                           (unsigned long long)tasks, plumb_plural(tasks)));
    if (!plumb_usable(rq->ntasks))
        plumb_step_note_job(st, d, PLUMB_O_NTASKS);
    return true;
}

/* On one node every GPU of the step is given its tasks, whatever --ntasks says. */
static void check_tasks_of_gpus(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    uint64_t gpus = plumb_step_node_gpus(st), has = plumb_step_cpus(st), wants = 0;
    struct plumb_u64 each = rq->ntasks_per_gpu;
    struct plumb_diag *d = NULL;

    if (!plumb_usable(each) || gpus == 0 || rq->changed || has == PLUMB_UNLIMITED ||
        st->room.nodes != 1 || st->cpus_per_task == 0 ||
        (rq->gres_count > 0 && plumb_given(rq, PLUMB_O_GPUS) == NULL) ||
        plumb_given(rq, PLUMB_O_OVERCOMMIT) != NULL || !plumb_mul_u64(gpus, each.v, &wants) ||
        !plumb_mul_u64(wants, st->cpus_per_task, &wants) || wants <= has)
        return;
    d = plumb_step_report(st, PLUMB_STEP_CPUS, each.at,
                          plumb_arena_printf(st->ck->arena,
                                             "%llu task%s for each of %llu GPU%s need %llu CPUs, "
                                             "the job has %llu",
                                             (unsigned long long)each.v, plumb_plural(each.v),
                                             (unsigned long long)gpus, plumb_plural(gpus),
                                             (unsigned long long)wants, (unsigned long long)has));
    plumb_step_note_job(st, d, PLUMB_O_NTASKS);
}

/* GPUs that --cpus-per-gpu counts for; 0: none, or not known. */
static uint64_t counted_gpus(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    uint64_t gpus = 0;

    if (rq->gres_count == 1 && rq->gres[0].per == PLUMB_PER_TASK &&
        plumb_same_nocase(rq->gres[0].name, "gpu"))
        return plumb_mul_u64(st->tasks, rq->gres[0].count, &gpus) ? gpus : 0;
    return plumb_has_trait(st->ck, PLUMB_TRAIT_STEP_COUNTS_CPUS_PER_GPU) ? plumb_step_node_gpus(st)
                                                                         : 0;
}

static void check_cpus_of_gpus(const struct plumb_step *st)
{
    const struct plumb_request *rq = st->rq;
    uint64_t gpus = counted_gpus(st), has = plumb_step_cpus(st), wants = 0;
    struct plumb_diag *d = NULL;

    if (!plumb_usable(rq->cpus_per_gpu) || gpus == 0 || rq->changed || has == PLUMB_UNLIMITED ||
        st->room.nodes != 1 || plumb_given(rq, PLUMB_O_OVERCOMMIT) != NULL ||
        !plumb_mul_u64(gpus, rq->cpus_per_gpu.v, &wants) || wants <= has)
        return;
    d = plumb_step_report(
        st, PLUMB_STEP_CPUS, rq->cpus_per_gpu.at,
        plumb_arena_printf(st->ck->arena,
                           "%llu CPU%s for each of %llu GPU%s are asked for, the job has %llu",
                           (unsigned long long)rq->cpus_per_gpu.v, plumb_plural(rq->cpus_per_gpu.v),
                           (unsigned long long)gpus, plumb_plural(gpus), (unsigned long long)has));
    plumb_step_note_job(st, d, PLUMB_O_CPUS_PER_TASK);
    plumb_step_note_job(st, d, PLUMB_O_NTASKS);
}

void plumb_step_gpus(const struct plumb_step *st)
{
    if (!check_multiple(st))
        check_tasks_of_gpus(st);
    check_cpus_of_gpus(st);
}
