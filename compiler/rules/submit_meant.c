/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs that run, but not as their author must have meant, and shares that never fit. */
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"
#include "rules/gres_view.h"
#include "rules/submit.h"

static const enum plumb_option_id partition_options[] = {PLUMB_O_PARTITION, PLUMB_O_COUNT};

/* Memory is counted, and nothing says how much: the node is shut to others. */
static void check_memory(struct plumb_submit *s, const struct plumb_need *n)
{
    struct plumb_u64 gpu = plumb_submit_limit(s, PLUMB_P_PART_DEFMEMPERGPU);
    bool gpus = n->gpus > 0;

    if (!plumb_usable(gpu))
        gpu = plumb_global_u64(s->ck, PLUMB_P_SLURM_DEFMEMPERGPU);
    for (size_t i = 0; i < s->rq->gres_count; i++)
        gpus = gpus || strcmp(s->rq->gres[i].name, "gpu") == 0;
    if (!n->whole_memory || n->whole_node || !plumb_memory_consumable(s->ck) ||
        (gpus && plumb_usable(gpu) && gpu.v > 0))
        return;
    plumb_fault(s, PLUMB_SUBMIT_WHOLE_MEMORY, plumb_submit_at(s, partition_options),
                "neither the job nor partition '%s' says how much memory: the job takes all of its "
                "node and shuts others out",
                s->part->name.v);
}

/* The partition gives whole nodes; GPUs that are left over serve nobody. */
static void check_whole_node(struct plumb_submit *s, const struct plumb_need *n)
{
    const struct plumb_request *rq = s->rq;
    uint64_t asked = 0, least = UINT64_MAX, cpus = 0;

    if (!n->whole_node || plumb_given(rq, PLUMB_O_EXCLUSIVE) != NULL)
        return;
    for (size_t i = 0; i < rq->gres_count; i++) {
        if (strcmp(rq->gres[i].name, "gpu") == 0 &&
            (rq->gres[i].per == PLUMB_PER_NODE ||
             (rq->gres[i].per == PLUMB_PER_JOB && n->min_nodes == 1)))
            asked += rq->gres[i].count;
    }
    for (size_t i = 0; i < s->ck->model->node_count; i++) {
        const struct plumb_nodes *x = &s->ck->model->nodes[i];
        uint64_t have = plumb_submit_has_nodes(s->ck, s->part, x) ? plumb_gres_total(x, "gpu") : 0;

        if (have == 0 || have >= least)
            continue;
        least = have;
        cpus = plumb_usable(x->cpus) ? x->cpus.v : 0;
    }
    if (asked > 0 && least != UINT64_MAX && asked < least)
        plumb_fault(s, PLUMB_SUBMIT_WHOLE_NODE, plumb_submit_at(s, partition_options),
                    "partition '%s' gives whole nodes: the job gets %llu GPUs and %llu CPUs, and "
                    "asks for %llu GPU%s",
                    s->part->name.v, (unsigned long long)least, (unsigned long long)cpus,
                    (unsigned long long)asked, asked == 1 ? "" : "s");
}

/* Several models of GPU in reach, and the job takes what comes. */
static void check_any_type(struct plumb_submit *s)
{
    const struct plumb_request *rq = s->rq;
    const struct plumb_request_gres *any = NULL;
    struct plumb_buf types = plumb_buf_in(s->ck->arena);

    for (size_t i = 0; i < rq->gres_count; i++) {
        if (strcmp(rq->gres[i].name, "gpu") == 0 && rq->gres[i].type == NULL)
            any = &rq->gres[i];
    }
    if (any == NULL || plumb_given(rq, PLUMB_O_CONSTRAINT) != NULL ||
        plumb_given(rq, PLUMB_O_NODELIST) != NULL || plumb_given(rq, PLUMB_O_EXCLUDE) != NULL ||
        plumb_given(rq, PLUMB_O_PREFER) != NULL)
        return;
    if (plumb_submit_types(s->ck, s->part, "gpu", &types) > 1)
        plumb_fault(s, PLUMB_SUBMIT_ANY_TYPE, any->at,
                    "partition '%s' has GPUs of types %s, and the job takes what is free first; "
                    "expected a type",
                    s->part->name.v, plumb_buf_text(&types));
}

/* gres.c: all shares of a job come from one device, unless several may serve it. */
static void check_shares(struct plumb_submit *s)
{
    const struct plumb_request *rq = s->rq;
    const struct plumb_given *flags = plumb_given(rq, PLUMB_O_GRES_FLAGS);

    if (plumb_setting_has_word(plumb_slurm(s->ck->model), PLUMB_P_SLURM_SELECTTYPEPARAMETERS,
                               "MULTIPLE_SHARING_GRES_PJ", NULL) ||
        (flags != NULL && plumb_list_find(&flags->value, "multiple-tasks-per-sharing", NULL)))
        return;
    for (size_t i = 0; i < rq->gres_count; i++) {
        const struct plumb_request_gres *g = &rq->gres[i];
        uint64_t most = 0;

        if (!plumb_gres_is_shared(g->name) || g->per != PLUMB_PER_NODE)
            continue;
        for (size_t k = 0; k < s->ck->model->node_count; k++) {
            const struct plumb_nodes *x = &s->ck->model->nodes[k];
            uint64_t gpus = plumb_gres_total(x, "gpu"), have = plumb_gres_total(x, g->name);

            if (plumb_submit_has_nodes(s->ck, s->part, x) && gpus > 0 && have / gpus > most)
                most = have / gpus;
        }
        if (most > 0 && g->count > most) {
            struct plumb_fault *f = plumb_fault(
                s, PLUMB_SUBMIT_SHARE, g->count_at,
                "%llu '%s' are asked for, one GPU of partition '%s' has %llu and they all "
                "come from one; slurmctld takes the job, and it waits for ever",
                (unsigned long long)g->count, g->name, s->part->name.v, (unsigned long long)most);

            f->waits = true;
        }
    }
}

/* GPUs of two MIG types on one node are never given to one job. */
static void check_mig_types(struct plumb_submit *s)
{
    const struct plumb_request_gres *first = NULL;

    if (!plumb_has_trait(s->ck, PLUMB_TRAIT_ONE_MIG_TYPE))
        return;
    for (size_t i = 0; i < s->rq->gres_count; i++) {
        const struct plumb_request_gres *g = &s->rq->gres[i];
        struct plumb_fault *f = NULL;

        if (strcmp(g->name, "gpu") != 0 || g->type == NULL || !plumb_is_mig_type(g->type))
            continue;
        if (first == NULL) {
            first = g;
            continue;
        }
        f = plumb_fault(s, PLUMB_SUBMIT_MIG_TYPES, g->at,
                        "MIG types '%s' and '%s' are asked for in one job; slurmctld %s takes it, "
                        "and it waits for ever",
                        first->type, g->type, plumb_series(s->ck));
        f->waits = true;
        return;
    }
}

void plumb_submit_meant(struct plumb_submit *s, const struct plumb_need *n)
{
    check_shares(s);
    check_mig_types(s);
    check_memory(s, n);
    check_whole_node(s, n);
    check_any_type(s);
}
