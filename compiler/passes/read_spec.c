/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the specification. One run has one: a second one is a finding, because two files
 * cannot both be the cluster.
 */
#include "passes/pass.h"
#include "spec/rules.h"
#include "spec/tree.h"
#include "syntax/yaml.h"

static void read_one(struct plumb_run *r, const struct plumb_input *in)
{
    struct plumb_session *s = r->session;
    const struct plumb_yaml *y = plumb_yaml_read(s, in->src);

    if (r->spec != NULL) {
        struct plumb_span at = {.file = in->src->id};
        struct plumb_diag *d = plumb_diag_new(
            &s->sink, plumb_spec_rule(PLUMB_SPEC_SECOND), at,
            "'%s' is a second specification, expected one cluster in a run", in->shown);

        plumb_diag_note(d, (struct plumb_span){.file = r->spec->src->id}, "the first is here");
        return;
    }
    r->spec = plumb_spec_read(s, in->src, y->count > 0 ? y->documents[0] : NULL, y->partial);
    for (size_t i = 1; i < y->count; i++)
        plumb_diag_new(&s->sink, plumb_spec_rule(PLUMB_SPEC_SECOND), y->documents[i]->at,
                       "a second document stands in the specification, expected one");
    r->facts |= PLUMB_FACT_SPEC;
}

void plumb_pass_read_spec(struct plumb_run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].kind == PLUMB_KIND_SPEC && r->inputs[i].src != NULL)
            read_one(r, &r->inputs[i]);
    }
}
