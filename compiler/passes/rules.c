/* SPDX-License-Identifier: Apache-2.0 */
/* Pass rules: every rule whose facts are known reads the model. */
#include "passes/pass.h"
#include "rules/check.h"

void plumb_pass_rules(struct plumb_run *r)
{
    plumb_rules_run(r->session, r->model, r->facts);
}
