/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass print: built Slurm documents go through the table engine of the chosen release, as
 * hand-written ones do; an error that is found only here is a defect of our own, and then nothing
 * is printed, not even when forced. Else documents become bytes.
 */
#include "emit/output.h"
#include "passes/pass.h"

/* On one line of one file: the key or the value, whichever the first finder pointed at. */
static bool same_finding(const struct plumb_sources *m, const struct plumb_diag *x,
                         const struct plumb_diag *y)
{
    return x->rule == y->rule && x->at.file == y->at.file &&
           plumb_source_place(m, x->at).line == plumb_source_place(m, y->at).line;
}

/*
 * An override was held against the table where it was read. What is known is not told twice,
 * and does not stop the build here: it has been accepted with a reason, or the build is forced.
 */
static void drop_known(struct plumb_session *s, size_t before)
{
    struct plumb_sink *sink = &s->sink;
    size_t kept = before;

    for (size_t i = before; i < sink->count; i++) {
        bool known = false;

        for (size_t j = 0; j < before && !known; j++)
            known = same_finding(&s->sources, sink->items[j], sink->items[i]);
        if (!known)
            sink->items[kept++] = sink->items[i];
    }
    sink->count = kept;
}

/* False when an error was found in a document that a target made. */
static bool check_documents(struct plumb_run *r)
{
    struct plumb_sink *sink = &r->session->sink;
    size_t before = sink->count, told = 0;
    bool sound = sink->dropped == 0;

    for (size_t i = 0; i < r->outputs->doc_count; i++) {
        if (r->outputs->docs[i].kind == PLUMB_DOC_CONF)
            plumb_conf_check(r->session, r->outputs->docs[i].conf, r->model->release);
    }
    drop_known(r->session, before);
    told = sink->count;
    for (size_t i = 0; i < r->outputs->inner_count; i++)
        plumb_conf_check(r->session, r->outputs->inner[i], r->model->release);
    drop_known(r->session, told); /* the same settings may stand in a file, too */
    for (size_t i = before; i < sink->count; i++)
        sound &= sink->items[i]->severity != PLUMB_ERROR;
    return sound;
}

void plumb_pass_print(struct plumb_run *r)
{
    if (r->outputs != NULL && check_documents(r))
        (void)plumb_outputs_print(r->session, r->model, r->outputs);
}

/* Behind the pass unused, since pages show its findings. */
void plumb_pass_finish(struct plumb_run *r)
{
    if (r->outputs != NULL)
        plumb_outputs_finish(r->session, r->model, r->outputs);
}
