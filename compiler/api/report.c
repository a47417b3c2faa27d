/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of a run in the order of showing: by file in order of reading, place, code. */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"

static int compare_numbers(uint32_t x, uint32_t y)
{
    return x < y ? -1 : x > y;
}

static int compare_findings(const void *a, const void *b)
{
    const struct plumb_diag *const *pa = a;
    const struct plumb_diag *const *pb = b;
    const struct plumb_diag *x = *pa, *y = *pb;
    /* Findings without a place come last: file 0 becomes the largest. */
    int order = compare_numbers(x->at.file - 1, y->at.file - 1);

    if (order == 0)
        order = compare_numbers(x->at.begin, y->at.begin);
    if (order == 0)
        order = compare_numbers(x->at.end, y->at.end);
    if (order == 0)
        order = strcmp(x->rule->code, y->rule->code);
    return order == 0 ? strcmp(x->message, y->message) : order;
}

static bool same(const struct plumb_diag *x, const struct plumb_diag *y)
{
    return compare_findings(&x, &y) == 0;
}

/* The caller asks about job scripts; the cluster's own faults are another question. */
static bool is_asked_for(const struct plumb_handle *h, const struct plumb_diag *d)
{
    for (size_t i = 0; h->run.only_jobs && i < h->run.input_count; i++) {
        const struct plumb_input *in = &h->run.inputs[i];

        if (in->kind == PLUMB_KIND_JOB && in->src != NULL && in->src->id == d->at.file)
            return true;
    }
    return !h->run.only_jobs;
}

void plumb_report_collect(struct plumb_handle *h)
{
    const struct plumb_sink *sink = &h->session.sink;
    struct plumb_diag **all = PLUMB_NEW_ARRAY(h->arena, sink->count, struct plumb_diag *);

    h->shown = PLUMB_NEW_ARRAY(h->arena, sink->count, struct plumb_diag *);
    h->suppressed = PLUMB_NEW_ARRAY(h->arena, sink->count, struct plumb_diag *);
    h->shown_count = h->suppressed_count = 0;
    if (sink->count == 0)
        return;
    memcpy(all, sink->items, sink->count * sizeof(struct plumb_diag *));
    qsort(all, sink->count, sizeof(struct plumb_diag *), compare_findings);
    for (size_t i = 0; i < sink->count; i++) {
        if (all[i]->hidden || !is_asked_for(h, all[i]) || (i > 0 && same(all[i - 1], all[i])))
            continue; /* the same thing may be found on two ways */
        if (all[i]->suppressed != NULL)
            h->suppressed[h->suppressed_count++] = all[i];
        else
            h->shown[h->shown_count++] = all[i];
    }
}

/* Which daemons the read files belong to: slurm.conf decides about the first two. */
static struct plumb_prediction predict(const struct plumb_handle *h)
{
    struct plumb_prediction p = {.release = h->session.sink.release};
    const struct plumb_sink *sink = &h->session.sink;

    if (h->run.only_jobs)
        return p;
    if (h->run.conf[PLUMB_SLURM_CONF] != NULL) {
        p.slurmctld = plumb_predict(sink, PLUMB_SLURMCTLD);
        p.slurmd = plumb_predict(sink, PLUMB_SLURMD);
    } else if (h->run.conf[PLUMB_GRES_CONF] != NULL || h->run.conf[PLUMB_CGROUP_CONF] != NULL) {
        p.slurmd = plumb_predict(sink, PLUMB_SLURMD);
    }
    if (h->run.conf[PLUMB_SLURMDBD_CONF] != NULL)
        p.slurmdbd = plumb_predict(sink, PLUMB_SLURMDBD);
    p.drains = plumb_predict_drain(sink);
    return p;
}

struct plumb_report plumb_report_of(const struct plumb_handle *h)
{
    struct plumb_report r = {
        .sources = &h->session.sources,
        .items = (const struct plumb_diag *const *)h->shown,
        .count = h->shown_count,
        .suppressed = (const struct plumb_diag *const *)h->suppressed,
        .suppressed_count = h->suppressed_count,
        .dropped = h->session.sink.dropped,
        .problems = h->problems.items,
        .problem_count = h->problems.count,
        .incomplete = h->session.sink.incomplete,
        .prediction = predict(h),
        .version = plumb_version(),
    };

    r.predicted = r.prediction.slurmctld != PLUMB_NOT_JUDGED ||
                  r.prediction.slurmd != PLUMB_NOT_JUDGED ||
                  r.prediction.slurmdbd != PLUMB_NOT_JUDGED;
    return r;
}
