/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of a run in the order of showing: by file in order of reading, place, code. */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "base/text.h"
#include "rules/submit.h"

static bool same(const struct plumb_diag *x, const struct plumb_diag *y)
{
    return plumb_diag_compare(&x, &y) == 0;
}

/* Faults of what a cluster said are told with the differences. */
static bool is_live(const struct plumb_handle *h, uint32_t file)
{
    for (size_t i = 0; i < h->run.input_count; i++) {
        const struct plumb_input *in = &h->run.inputs[i];

        if ((in->kind == PLUMB_KIND_LIVE || in->kind == PLUMB_KIND_LIVE_KUBE) && in->src != NULL &&
            in->src->id == file)
            return true;
    }
    return false;
}

/* The caller asks about job scripts; the cluster's own faults are another question. */
static bool is_asked_for(const struct plumb_handle *h, const struct plumb_diag *d)
{
    if (h->run.drifting)
        return plumb_starts_with(d->rule->code, "DRIFT") || is_live(h, d->at.file);
    for (size_t i = 0; h->run.only_jobs && i < h->run.input_count; i++) {
        const struct plumb_input *in = &h->run.inputs[i];

        if (in->kind == PLUMB_KIND_JOB && in->src != NULL && in->src->id == d->at.file)
            return true;
    }
    return !h->run.only_jobs || d->rule == &plumb_submit_rows[PLUMB_SUBMIT_UNSOUND];
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
    qsort(all, sink->count, sizeof(struct plumb_diag *), plumb_diag_compare);
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

    if (h->run.only_jobs || h->run.drifting)
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
