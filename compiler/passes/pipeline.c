/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole compiler on one screen. Data flows one way: bytes become documents, documents
 * become one model, rules read it, targets make documents from it, writers print them.
 * Start reading here; then model/model.h; then any pass, each a file of its name beside
 * this one.
 */
#include "passes/pass.h"

/* Read top to bottom. Order is data; no pass stops the others. */
static const struct plumb_pass passes[] = {
    {"sort-inputs", plumb_pass_sort_inputs, 0, PLUMB_FACT_SOURCES},
    {"read-spec", plumb_pass_read_spec, PLUMB_FACT_SOURCES, 0},         /* gives SPEC */
    {"read-captures", plumb_pass_read_captures, PLUMB_FACT_SOURCES, 0}, /* gives CAPTURES */
    {"resolve", plumb_pass_resolve, PLUMB_FACT_SPEC, PLUMB_FACT_MODEL},
    {"read-conf", plumb_pass_read_conf, PLUMB_FACT_SOURCES, 0}, /* gives CONF; knows the release */
    {"check-conf", plumb_pass_check_conf, PLUMB_FACT_CONF, 0},
    {"lift", plumb_pass_lift, PLUMB_FACT_CONF, PLUMB_FACT_MODEL},
    {"read-nccl", plumb_pass_read_nccl, PLUMB_FACT_SOURCES,
     0}, /* gives MODEL where nothing else does */
    {"bind-hardware", plumb_pass_bind_hardware, PLUMB_FACT_CAPTURES | PLUMB_FACT_MODEL, 0},
    {"attach", plumb_pass_attach, PLUMB_FACT_MODEL, 0}, /* gives HARDWARE */
    {"derive", plumb_pass_derive, PLUMB_FACT_MODEL | PLUMB_FACT_SPEC, 0},
    {"type-values", plumb_pass_type_values, PLUMB_FACT_MODEL, 0},
    {"read-accounts", plumb_pass_read_accounts, PLUMB_FACT_MODEL, 0},
    {"read-jobs", plumb_pass_read_jobs, PLUMB_FACT_SOURCES, 0}, /* gives JOBS */
    {"rules", plumb_pass_rules, PLUMB_FACT_MODEL, PLUMB_FACT_CHECKED},
    {"upgrade", plumb_pass_upgrade, PLUMB_FACT_MODEL, 0},
    {"spell", plumb_pass_spell, PLUMB_FACT_CHECKED | PLUMB_FACT_SPEC, 0},
    {"suppress", plumb_pass_suppress, PLUMB_FACT_SOURCES, 0},
    {"lower", plumb_pass_lower, PLUMB_FACT_CHECKED, PLUMB_FACT_OUTPUT},
    {"print", plumb_pass_print, PLUMB_FACT_OUTPUT, 0},
    {"unused", plumb_pass_unused, PLUMB_FACT_SOURCES, 0},
};

void plumb_pipeline_run(struct plumb_run *r)
{
    for (size_t i = 0; i < PLUMB_COUNT(passes); i++) {
        const struct plumb_pass *p = &passes[i];

        if ((r->facts & p->needs) != p->needs)
            continue;
        p->run(r);
        r->facts |= p->gives;
        plumb_arena_reset(r->session->scratch);
    }
}
