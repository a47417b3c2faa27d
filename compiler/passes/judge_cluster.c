/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass judge-cluster: who asks about job scripts alone does not see the faults of the cluster's
 * own files, and must be told when they make the answer unsound.
 */
#include "base/path.h"
#include "passes/pass.h"
#include "rules/submit.h"

static bool is_script(const struct plumb_run *r, uint32_t file)
{
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].kind == PLUMB_KIND_JOB && r->inputs[i].src != NULL &&
            r->inputs[i].src->id == file)
            return true;
    }
    return false;
}

/* What one types to see them: the file of a specification, else the folder of a Slurm file. */
static const char *path_of(const struct plumb_run *r, uint32_t file)
{
    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];
        const char *folder = NULL;

        if (in->src == NULL || in->src->id != file)
            continue;
        folder = plumb_path_folder(r->session->arena, in->shown);
        return in->kind == PLUMB_KIND_SPEC || folder[0] == '\0' ? in->shown : folder;
    }
    return NULL;
}

void plumb_pass_judge_cluster(struct plumb_run *r)
{
    const struct plumb_sink *sink = &r->session->sink;
    const struct plumb_diag *first = NULL, *stops = NULL;
    struct plumb_diag *d = NULL;
    const char *path = NULL;
    size_t count = 0;

    for (size_t i = 0; r->only_jobs && i < sink->count; i++) {
        const struct plumb_diag *x = sink->items[i];

        if (x->severity != PLUMB_ERROR || is_script(r, x->at.file))
            continue;
        count++;
        if (first == NULL)
            first = x;
        if (stops == NULL && plumb_diag_effect_on(x, PLUMB_SLURMCTLD) == PLUMB_EFFECT_STOPS)
            stops = x;
    }
    if (count == 0)
        return;
    first = stops != NULL ? stops : first;
    path = path_of(r, first->at.file);
    d = plumb_diag_new(
        &r->session->sink, &plumb_submit_rows[PLUMB_SUBMIT_UNSOUND], first->at,
        "the files of the cluster have %zu error%s%s, so what is said about jobs may "
        "be wrong; 'plumb check %s' shows them",
        count, count == 1 ? "" : "s",
        stops != NULL ? ", and slurmctld does not start with them" : "",
        path == NULL ? "CLUSTER" : path);
    plumb_diag_fact(d, "here: %s: %s", first->rule->code, first->message);
}
