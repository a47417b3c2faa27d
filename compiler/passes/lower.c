/* SPDX-License-Identifier: Apache-2.0 */
/* Pass lower: the chosen targets make documents from the model. */
#include "emit/print.h"
#include "passes/pass.h"

static void report_skips(struct plumb_run *r)
{
    for (size_t i = 0; i < r->outputs->skip_count; i++) {
        const struct plumb_skip *skip = &r->outputs->skips[i];
        struct plumb_diag *d =
            plumb_diag_new(&r->session->sink, plumb_gen_rule(PLUMB_GEN_LEFT_OUT), skip->at,
                           "'%s' is not made: %s", skip->path, skip->reason);

        plumb_diag_object(d, "file", skip->path, 0);
        if (skip->whole)
            plumb_diag_severity(d, r->targets != NULL ? PLUMB_ERROR : PLUMB_WARNING);
    }
}

/* An error means that the model is not what its author meant: nothing is made from it. */
void plumb_pass_lower(struct plumb_run *r)
{
    if (!r->want_outputs || (plumb_run_failed(r) && !r->force_outputs))
        return;
    r->outputs = PLUMB_NEW(r->session->arena, struct plumb_outputs);
    r->outputs->targets = r->targets; /* the list itself was checked by the API */
    for (size_t i = 0; i < plumb_target_count; i++) {
        const struct plumb_target *target = plumb_targets[i];

        if (!plumb_target_chosen(r->targets, target->name) ||
            (r->facts & target->needs) != target->needs)
            continue;
        target->emit(&(struct plumb_emit){
            .model = r->model,
            .session = r->session,
            .out = r->outputs,
            .target = target,
        });
    }
    report_skips(r);
    if (plumb_run_failed(r) && !r->force_outputs) /* a target that was asked for makes nothing */
        r->outputs = NULL;
}
