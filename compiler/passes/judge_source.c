/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass judge-source: who compares a source with a running cluster does not see the faults of the
 * source, and must be told when they make the comparison unsound.
 */
#include "base/text.h"
#include "passes/live.h"

#define SPEC                                                                                       \
    "# cluster.yaml\n"                                                                             \
    "plumb: 1\n"                                                                                   \
    "cluster: demo\n"                                                                              \
    "slurm: \"26.05\"\n"                                                                           \
    "control: {hosts: [slurm-controller-0]}\n"                                                     \
    "nodes:\n"                                                                                     \
    "  dgx:\n"                                                                                     \
    "    hosts: dgx-[1-4]\n"                                                                       \
    "    topology: dgx-h100\n"                                                                     \
    "    gres: {gpu: {type: h100}}\n"                                                              \
    "partitions: {all: {nodes: all}}\n"                                                            \
    "kubernetes: {flavor: slinky, release: 1.2.1, namespace: slurm}\n"

const struct plumb_rule plumb_drift_source_rows[PLUMB_DRIFT_SOURCE_COUNT] = {
    [PLUMB_DRIFT_UNSOUND] =
        {
            .code = "DRIFT001",
            .name = "source-unsound",
            .severity = PLUMB_INFO,
            .summary = "the source has errors, so that a comparison with it may be wrong",
            .why = "What a daemon refuses or drops is not in force anywhere, whatever it says.",
            .ref = "plumb check",
            .bad = "SlurmctldTimeout=soon\n"
                   "# live/config.txt\n"
                   "Configuration data as of 2026-12-01T10:00:00\n"
                   "SlurmctldTimeout        = 120 sec",
            .good = "SlurmctldTimeout=120\n"
                    "# live/config.txt\n"
                    "Configuration data as of 2026-12-01T10:00:00\n"
                    "SlurmctldTimeout        = 120 sec",
        },
    [PLUMB_DRIFT_PODS] =
        {
            .code = "DRIFT004",
            .name = "pods-not-machines",
            .severity = PLUMB_WARNING,
            .summary =
                "the cluster lists pods, and the source is a specification that names machines",
            .why = "Slurm knows the pods of a NodeSet by names of their own, and the operator "
                   "writes a "
                   "part of slurm.conf itself, so that nothing of it can be compared.",
            .ref = "plumb build --target slinky",
            .bad = SPEC "# live/nodes.txt\n"
                        "NodeName=dgx-all-0 CPUTot=224 State=IDLE+DYNAMIC_NORM",
            .good = SPEC "# live/nodes.txt\n"
                         "NodeName=dgx-1 CPUTot=224 State=IDLE",
        },
};

const struct plumb_rule_family plumb_drift_source_rules = {
    .prefix = "DRIFT",
    .title = "A running cluster against its source",
    .rules = plumb_drift_source_rows,
    .count = PLUMB_DRIFT_SOURCE_COUNT,
};

void plumb_pass_judge_source(struct plumb_run *r)
{
    const struct plumb_sink *sink = &r->session->sink;
    const struct plumb_diag *first = NULL;
    struct plumb_diag *d = NULL;
    size_t count = 0;

    for (size_t i = 0; r->drifting && i < sink->count; i++) {
        const struct plumb_diag *x = sink->items[i];

        if (x->severity != PLUMB_ERROR || plumb_starts_with(x->rule->code, "DRIFT"))
            continue;
        count++;
        if (first == NULL)
            first = x;
    }
    if (count == 0)
        return;
    d = plumb_diag_new(&r->session->sink, &plumb_drift_source_rows[PLUMB_DRIFT_UNSOUND], first->at,
                       "the source has %zu error%s, expected none; what is said about differences "
                       "may be wrong, and 'plumb check' shows them",
                       count, count == 1 ? "" : "s");
    plumb_diag_fact(d, "here: %s: %s", first->rule->code, first->message);
}
