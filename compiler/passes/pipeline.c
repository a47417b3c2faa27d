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
    {"read-live", plumb_pass_read_live, PLUMB_FACT_SOURCES, 0},         /* gives LIVE */
    {"read-spec", plumb_pass_read_spec, PLUMB_FACT_SOURCES, 0},         /* gives SPEC */
    {"read-kube", plumb_pass_read_kube, PLUMB_FACT_SOURCES, 0},         /* gives KUBE */
    {"read-captures", plumb_pass_read_captures, PLUMB_FACT_SOURCES, 0}, /* gives CAPTURES */
    {"resolve", plumb_pass_resolve, PLUMB_FACT_SPEC, PLUMB_FACT_MODEL},
    {"read-conf", plumb_pass_read_conf, PLUMB_FACT_SOURCES, 0}, /* gives CONF; knows the release */
    {"render-values", plumb_pass_render_values, PLUMB_FACT_KUBE, 0},
    {"read-embedded", plumb_pass_read_embedded, PLUMB_FACT_KUBE, 0}, /* may give CONF */
    {"check-conf", plumb_pass_check_conf, PLUMB_FACT_CONF, 0},
    {"lift", plumb_pass_lift, PLUMB_FACT_CONF, PLUMB_FACT_MODEL},
    {"lift-kube", plumb_pass_lift_kube, PLUMB_FACT_KUBE, PLUMB_FACT_MODEL},
    {"read-nccl", plumb_pass_read_nccl, PLUMB_FACT_SOURCES,
     0}, /* gives MODEL where nothing else does */
    {"read-fabric", plumb_pass_read_fabric, PLUMB_FACT_SOURCES, 0},
    {"bind-hardware", plumb_pass_bind_hardware, PLUMB_FACT_CAPTURES, 0}, /* without a cluster too */
    {"attach", plumb_pass_attach, PLUMB_FACT_MODEL, 0},                  /* gives HARDWARE */
    {"derive", plumb_pass_derive, PLUMB_FACT_MODEL | PLUMB_FACT_SPEC, 0},
    {"type-values", plumb_pass_type_values, PLUMB_FACT_MODEL, 0},
    {"read-accounts", plumb_pass_read_accounts, PLUMB_FACT_MODEL, 0},
    {"read-jobs", plumb_pass_read_jobs, PLUMB_FACT_SOURCES, 0}, /* gives JOBS */
    {"lift-live", plumb_pass_lift_live, PLUMB_FACT_MODEL | PLUMB_FACT_LIVE, 0},
    {"rules", plumb_pass_rules, PLUMB_FACT_MODEL, PLUMB_FACT_CHECKED},
    {"for-nobody", plumb_pass_for_nobody, PLUMB_FACT_CHECKED | PLUMB_FACT_CONF, 0},
    {"for-cloud", plumb_pass_for_cloud, PLUMB_FACT_CHECKED | PLUMB_FACT_CONF, 0},
    {"upgrade", plumb_pass_upgrade, PLUMB_FACT_MODEL, 0},
    {"tell-repeats", plumb_pass_tell_repeats, PLUMB_FACT_CONF, 0},
    {"spell", plumb_pass_spell, PLUMB_FACT_CHECKED | PLUMB_FACT_SPEC, 0},
    {"judge-cluster", plumb_pass_judge_cluster, PLUMB_FACT_JOBS, 0},
    {"judge-source", plumb_pass_judge_source, PLUMB_FACT_CHECKED | PLUMB_FACT_LIVE, 0},
    {"place-views", plumb_pass_place_views, PLUMB_FACT_KUBE, 0},
    {"for-kube", plumb_pass_for_kube, PLUMB_FACT_KUBE | PLUMB_FACT_CONF, 0},
    {"suppress", plumb_pass_suppress, PLUMB_FACT_SOURCES, 0},
    {"lower", plumb_pass_lower, PLUMB_FACT_CHECKED, PLUMB_FACT_OUTPUT},
    {"compare-kube", plumb_pass_compare_kube, PLUMB_FACT_LIVE, 0}, /* takes the documents */
    {"print", plumb_pass_print, PLUMB_FACT_OUTPUT, 0},
    {"unused", plumb_pass_unused, PLUMB_FACT_SOURCES, 0},
    {"finish", plumb_pass_finish, PLUMB_FACT_OUTPUT, 0},
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
