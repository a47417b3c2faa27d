/* SPDX-License-Identifier: Apache-2.0 */
/* Pass read-jobs: job scripts, and what they ask the cluster for. */
#include <string.h>

#include "base/path.h"
#include "passes/request.h"

struct reading {
    struct plumb_run *run;
    struct plumb_request *items;
    size_t count, cap;
};

/* plugstack.conf brings options that no table knows. */
static bool has_plugins(const struct plumb_run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        if (strcmp(plumb_path_base(r->inputs[i].shown), "plugstack.conf") == 0)
            return true;
    }
    return false;
}

/* Parts of one call of srun, divided by ':', share its place. */
static unsigned parts_of(const struct plumb_job *job, size_t at)
{
    unsigned parts = 1;

    for (size_t i = at - job->calls[at].part + 1; i < job->count && job->calls[i].part > 0; i++)
        parts++;
    return parts;
}

static bool counts_for(const struct plumb_job_assign *a, const struct plumb_job *job, size_t at)
{
    size_t first = at - job->calls[at].part;

    return a->once ? a->call == first : a->call <= first;
}

/* Variables that the script sets for a call stand for options in front of its own. */
static void read_variables(struct reading *rd, const struct plumb_job *job, size_t at,
                           struct plumb_job_call *out, struct plumb_request *rq)
{
    struct plumb_session *s = rd->run->session;
    const struct plumb_job_call *call = &job->calls[at];

    for (size_t i = 0; i < job->assign_count && call->body; i++) {
        const struct plumb_job_assign *a = &job->assigns[i];
        const struct plumb_option_variable *v =
            plumb_option_variable(call->command, s->sink.release, a->name.text, a->name.len);
        const struct plumb_option *row =
            v == NULL
                ? NULL
                : plumb_option_row(call->command, s->sink.release, (enum plumb_option_id)v->option);

        if (row == NULL || !counts_for(a, job, at))
            continue;
        rq->changed = rq->changed || a->unknown;
        out->options =
            plumb_arena_grow(s->arena, out->options, out->count, &out->cap, sizeof(*out->options));
        out->options[out->count++] = (struct plumb_job_option){.row = row,
                                                               .value = a->value,
                                                               .has_value = true,
                                                               .unknown = a->unknown,
                                                               .at = a->value.at};
    }
    for (size_t i = 0; i < call->count; i++) {
        out->options =
            plumb_arena_grow(s->arena, out->options, out->count, &out->cap, sizeof(*out->options));
        out->options[out->count++] = call->options[i];
    }
}

/* first: the request of the first component of the job. */
static void add(struct reading *rd, const struct plumb_job *job, size_t at, size_t first)
{
    struct plumb_session *s = rd->run->session;
    const struct plumb_job_call *call = &job->calls[at];
    struct plumb_job_call all = *call;
    struct plumb_request *rq = NULL;

    rd->items = plumb_arena_grow(s->arena, rd->items, rd->count, &rd->cap, sizeof(*rd->items));
    rq = &rd->items[rd->count++];
    *rq = (struct plumb_request){
        .command = call->command,
        .at = call->at,
        .script = {job->src->id, job->begin, job->expanded ? job->begin : job->end},
        .component = call->body ? call->part : (unsigned)at,
        .inner = call->body,
        .step = call->body && call->command == PLUMB_SRUN,
        .partial =
            call->body && call->command == PLUMB_SBATCH && !plumb_job_call_has(call, PLUMB_O_WRAP),
        .job = first,
        .components = (unsigned)job->components,
        .parts = call->body ? parts_of(job, at) : 1,
        .wave = call->wave,
        .pipe = call->pipe,
        .background = call->background,
        .looped = call->looped,
    };
    all.options = NULL;
    all.count = all.cap = 0;
    read_variables(rd, job, at, &all, rq);
    plumb_request_read(s, &all, rq);
    plumb_request_pairs(s, rq);
    rq->bad = rq->bad || job->foreign; /* other directives may ask for something else */
}

/* A script, then those in it: each is a job of its own. */
static void add_job(struct reading *rd, const struct plumb_job *job)
{
    size_t first = rd->count;

    for (size_t k = 0; k < job->count; k++) {
        if (!job->calls[k].merged)
            add(rd, job, k, first);
    }
    for (size_t k = 0; k < job->text_count; k++)
        add_job(rd, job->texts[k]);
}

void plumb_pass_read_jobs(struct plumb_run *r)
{
    struct plumb_session *s = r->session;
    struct reading rd = {.run = r};
    struct plumb_job_read_options o = {.release = s->sink.release, .plugins = has_plugins(r)};

    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_job *job = NULL;

        if (r->inputs[i].kind != PLUMB_KIND_JOB || r->inputs[i].src == NULL)
            continue;
        job = plumb_job_read(s, r->inputs[i].src, &o);
        add_job(&rd, job);
        r->facts |= PLUMB_FACT_JOBS;
    }
    if (r->model == NULL)
        return;
    r->model->requests = rd.items;
    r->model->request_count = rd.count;
    r->model->submit_user = r->submit_user;
}
