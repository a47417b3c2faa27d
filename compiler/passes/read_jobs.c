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

static void add(struct reading *rd, const struct plumb_job *job, size_t at)
{
    struct plumb_session *s = rd->run->session;
    const struct plumb_job_call *call = &job->calls[at];
    struct plumb_request *rq = NULL;

    rd->items = plumb_arena_grow(s->arena, rd->items, rd->count, &rd->cap, sizeof(*rd->items));
    rq = &rd->items[rd->count++];
    *rq = (struct plumb_request){
        .command = call->command,
        .at = call->at,
        .script = plumb_source_span(job->src),
        .component = call->body ? 0 : (unsigned)at,
        .step = call->body && call->command == PLUMB_SRUN,
        .partial = call->body && call->command == PLUMB_SBATCH,
    };
    plumb_request_read(s, call, rq);
    plumb_request_pairs(s, rq);
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
        for (size_t k = 0; k < job->count; k++)
            add(&rd, job, k);
        r->facts |= PLUMB_FACT_JOBS;
    }
    if (r->model == NULL)
        return;
    r->model->requests = rd.items;
    r->model->request_count = rd.count;
    r->model->submit_user = r->submit_user;
}
