/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass print: built Slurm documents go through the table engine of the chosen release, as
 * hand-written ones do; what it finds is our own defect or that of an override, and then nothing
 * is printed, not even when forced. Else documents become bytes.
 */
#include "emit/output.h"
#include "passes/pass.h"

static bool same_finding(const struct plumb_diag *x, const struct plumb_diag *y)
{
    return x->rule == y->rule && x->at.file == y->at.file && x->at.begin == y->at.begin &&
           x->at.end == y->at.end;
}

/* An override was held against the table where it was read: what is known is not told twice. */
static void drop_repeated(struct plumb_sink *sink, size_t before)
{
    size_t kept = before;

    for (size_t i = before; i < sink->count; i++) {
        bool known = false;

        for (size_t j = 0; j < before && !known; j++)
            known = same_finding(sink->items[j], sink->items[i]);
        if (!known)
            sink->items[kept++] = sink->items[i];
    }
    sink->count = kept;
}

/* False when an error was found in a document that a target made. */
static bool check_documents(struct plumb_run *r)
{
    struct plumb_sink *sink = &r->session->sink;
    size_t before = sink->count;
    bool sound = true;

    for (size_t i = 0; i < r->outputs->doc_count; i++) {
        if (r->outputs->docs[i].kind == PLUMB_DOC_CONF)
            plumb_conf_check(r->session, r->outputs->docs[i].conf, r->model->release);
    }
    for (size_t i = before; i < sink->count; i++)
        sound &= sink->items[i]->severity != PLUMB_ERROR;
    drop_repeated(sink, before);
    return sound;
}

void plumb_pass_print(struct plumb_run *r)
{
    if (r->outputs != NULL && check_documents(r))
        (void)plumb_outputs_print(r->session, r->model, r->outputs);
}
