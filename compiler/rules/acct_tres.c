/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about what is tracked (AccountingStorageTRES) and what is billed by it. */
#include <string.h>

#include "base/text.h"
#include "rules/acct.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* Tracked without being named (DEFAULT_ACCOUNTING_TRES). */
static const char *const always_tracked[] = {"cpu",     "mem",     "energy", "node",
                                             "billing", "fs/disk", "vmem",   "pages"};

static bool is_static_tres(const struct plumb_slice *name)
{
    for (size_t i = 0; i < PLUMB_COUNT(always_tracked); i++) {
        if (plumb_slice_is(name, always_tracked[i]))
            return true;
    }
    return false;
}

/* ACCT002: controller.c:_init_tres */
static void tres_without_database(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(ACCOUNTINGSTORAGETRES));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (s == NULL || plumb_storage_unknown(ck) || plumb_has_slurmdbd(ck))
        return;
    while (plumb_list_next(&s->value, ',', &c, &item)) {
        if (item.len == 0 || is_static_tres(&item))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, item.at,
                                   "'%s' can be tracked with 'accounting_storage/slurmdbd' only, "
                                   "which is not set",
                                   plumb_arena_strndup(ck->arena, item.text, item.len)),
                      NULL);
        return;
    }
}

/* A TRES name of a weight list is tracked; the whole name counts, without case. */
static bool is_tracked(const struct plumb_check *ck, const struct plumb_slice *name)
{
    const struct plumb_setting *s = plumb_global(ck, P(ACCOUNTINGSTORAGETRES));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;
    bool gpu = false;

    if (is_static_tres(name))
        return true;
    while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        if (item.len == name->len && plumb_equal_nocase(item.text, name->text, name->len))
            return true;
        gpu = gpu || plumb_slice_is(&item, "gres/gpu");
    }
    return gpu && plumb_has_trait(ck, PLUMB_TRAIT_GPU_USAGE_TRES) &&
           (plumb_slice_is(name, "gres/gpumem") || plumb_slice_is(name, "gres/gpuutil"));
}

/* Reports the names of a weight list that are not tracked. */
static void untracked(const struct plumb_check *ck, const char *key, const struct plumb_slice *list)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;
    const struct plumb_setting *s = plumb_global(ck, P(ACCOUNTINGSTORAGETRES));

    while (plumb_list_next(list, ',', &c, &item)) {
        const char *sign = memchr(item.text, '=', item.len);
        struct plumb_slice name;

        if (sign == NULL || sign == item.text)
            continue; /* the table engine has said so */
        name = plumb_slice_sub(&item, 0, (size_t)(sign - item.text));
        if (is_tracked(ck, &name))
            continue;

        struct plumb_diag *d =
            plumb_report(ck, name.at, "%s weighs '%s', which AccountingStorageTRES does not track",
                         key, plumb_arena_strndup(ck->arena, name.text, name.len));

        if (s != NULL)
            plumb_diag_note(d, s->value.at, "tracked beside cpu, mem, energy, node and billing");
        plumb_outcome(ck, d, NULL);
    }
}

static bool tres_list_usable(const struct plumb_check *ck)
{
    return !plumb_setting_bad(plumb_slurm(ck->model), P(ACCOUNTINGSTORAGETRES));
}

/* ACCT003: partition_mgr.c:set_partition_billing_weights */
static void billing(const struct plumb_check *ck)
{
    struct plumb_fold seen = plumb_fold_in(ck);
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count && tres_list_usable(ck); i++) {
        const struct plumb_setting *s =
            plumb_setting(&m->partitions[i].settings, PLUMB_P_PART_TRESBILLINGWEIGHTS);

        if (s != NULL && !plumb_fold_seen(&seen, s->value.at))
            untracked(ck, "TRESBillingWeights", &s->value);
    }
}

/* ACCT004: node_conf.c:config_record_from_conf_node */
static void node_weights(const struct plumb_check *ck)
{
    struct plumb_fold seen = plumb_fold_in(ck);
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count && tres_list_usable(ck); i++) {
        const struct plumb_setting *s =
            plumb_setting(&m->nodes[i].settings, PLUMB_P_NODE_TRESWEIGHTS);

        if (s != NULL && !plumb_fold_seen(&seen, s->value.at))
            untracked(ck, "TRESWeights", &s->value);
    }
}

/* ACCT005: priority_multifactor.c:_internal_setup */
static void priority_weights(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(PRIORITYWEIGHTTRES));

    if (s == NULL || !tres_list_usable(ck) ||
        !plumb_plugin_in_force(ck, P(PRIORITYTYPE), "multifactor"))
        return;
    untracked(ck, "PriorityWeightTRES", &s->value);
}

/* ACCT006 */
static void gpu_untracked(const struct plumb_check *ck)
{
    const struct plumb_setting *tres = plumb_global(ck, P(ACCOUNTINGSTORAGETRES));
    const struct plumb_setting *storage = plumb_global(ck, P(ACCOUNTINGSTORAGETYPE));
    const struct plumb_nodes *gpu = NULL;

    if (!plumb_has_slurmdbd(ck) || !tres_list_usable(ck) ||
        (tres != NULL && plumb_slice_holds(&tres->value, "gres/gpu")))
        return;
    for (size_t i = 0; i < ck->model->node_count && gpu == NULL; i++) {
        if (plumb_gres_total(&ck->model->nodes[i], "gpu") > 0)
            gpu = &ck->model->nodes[i];
    }
    if (gpu == NULL)
        return;

    struct plumb_diag *d =
        plumb_report(ck, tres != NULL ? tres->value.at : storage->value.at,
                     "GPUs are not accounted: AccountingStorageTRES %s, expected 'gres/gpu'",
                     tres != NULL ? "does not name them" : "is not set");

    plumb_diag_note(d, gpu->gres_at, "these nodes have GPUs");
    if (tres == NULL)
        plumb_diag_help(d, "AccountingStorageTRES=gres/gpu");
}

/* ACCT007: requests without a type are not counted under gres/gpu:TYPE. */
static void typed_only(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(ACCOUNTINGSTORAGETRES));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (s == NULL || plumb_list_find(&s->value, "gres/gpu", NULL))
        return;
    while (plumb_list_next(&s->value, ',', &c, &item)) {
        if (item.len <= 9 || !plumb_equal_nocase(item.text, "gres/gpu:", 9))
            continue;

        struct plumb_diag *d =
            plumb_report(ck, item.at, "'%s' is tracked without 'gres/gpu', expected both",
                         plumb_arena_strndup(ck->arena, item.text, item.len));

        plumb_diag_help(d, "AccountingStorageTRES=gres/gpu,%s", s->value.text);
        return;
    }
}

/* ACCT008: a GRES that no node can have. */
static void tracked_unknown_gres(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(ACCOUNTINGSTORAGETRES));
    const struct plumb_setting *types = plumb_global(ck, P(GRESTYPES));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (s == NULL || !plumb_has_slurmdbd(ck) ||
        plumb_setting_bad(plumb_slurm(ck->model), P(GRESTYPES)))
        return;
    while (plumb_list_next(&s->value, ',', &c, &item)) {
        const char *name;
        size_t end = 5;

        if (item.len <= 5 || !plumb_equal_nocase(item.text, "gres/", 5))
            continue;
        while (end < item.len && item.text[end] != ':')
            end++;
        name = plumb_arena_strndup(ck->arena, item.text + 5, end - 5);
        if (plumb_same_nocase(name, "gpumem") || plumb_same_nocase(name, "gpuutil") ||
            (types != NULL && plumb_list_find(&types->value, name, NULL)))
            continue;
        plumb_report(ck, plumb_slice_span(&item, 5, end),
                     "AccountingStorageTRES tracks GRES '%s', which GresTypes does not name", name);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "ACCT002",
        .name = "tres-needs-slurmdbd",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "AccountingStorageTRES without slurmdbd",
        .why = "slurmctld cannot get a number for a TRES beyond the fixed ones.",
        .ref = "slurm.conf(5), AccountingStorageTRES; slurmctld/controller.c:_init_tres",
        .bad = "AccountingStorageTRES=gres/gpu",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageTRES=gres/gpu",
        .needs = PLUMB_FACT_MODEL,
        .run = tres_without_database,
    },
    {
        .code = "ACCT003",
        .name = "billing-tres-untracked",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "TRESBillingWeights names a TRES that is not tracked",
        .why = "slurmctld ends while it reads the partition.",
        .ref = "slurm.conf(5), TRESBillingWeights; "
               "slurm_protocol_api.c:slurm_get_tres_weight_array",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "PartitionName=p Nodes=ALL TRESBillingWeights=GRES/gpu=100",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageTRES=gres/gpu\n"
                "PartitionName=p Nodes=ALL TRESBillingWeights=GRES/gpu=100",
        .needs = PLUMB_FACT_MODEL,
        .run = billing,
    },
    {
        .code = "ACCT004",
        .name = "node-tres-untracked",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "TRESWeights of a node names a TRES that is not tracked",
        .why = "slurmctld ends while it reads the node.",
        .ref = "slurm.conf(5), TRESWeights; node_conf.c:config_record_from_conf_node",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "NodeName=n[1-4] TRESWeights=\"gres/nvme=1\"",
        .good = "GresTypes=nvme\n"
                "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageTRES=gres/nvme\n"
                "NodeName=n[1-4] TRESWeights=\"gres/nvme=1\"",
        .needs = PLUMB_FACT_MODEL,
        .run = node_weights,
    },
    {
        .code = "ACCT005",
        .name = "priority-tres-untracked",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "PriorityWeightTRES names a TRES that is not tracked",
        .why = "slurmctld ends while it sets up priority/multifactor.",
        .ref = "slurm.conf(5), PriorityWeightTRES; priority_multifactor.c:_internal_setup",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "PriorityWeightTRES=GRES/gpu=1000",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageTRES=gres/gpu\n"
                "PriorityWeightTRES=GRES/gpu=1000",
        .needs = PLUMB_FACT_MODEL,
        .run = priority_weights,
    },
    {
        .code = "ACCT006",
        .name = "gpu-not-tracked",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "nodes have GPUs, accounting does not know them",
        .why = "sacct and sreport show no GPUs, and no limit can be set on them.",
        .ref = "slurm.conf(5), AccountingStorageTRES",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\nNodeName=g1 Gres=gpu:8",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageTRES=gres/gpu",
        .needs = PLUMB_FACT_MODEL,
        .run = gpu_untracked,
    },
    {
        .code = "ACCT007",
        .name = "gpu-tracked-by-type-only",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "a typed GPU is tracked without gres/gpu",
        .why = "Jobs that ask for GPUs without a type are not counted.",
        .ref = "slurm.conf(5), AccountingStorageTRES",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "AccountingStorageTRES=gres/gpu:h100",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageTRES=gres/gpu,gres/gpu:h100",
        .needs = PLUMB_FACT_MODEL,
        .run = typed_only,
    },
    {
        .code = "ACCT008",
        .name = "tracked-gres-unknown",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "AccountingStorageTRES names a GRES that GresTypes lacks",
        .why = "The column stays at 0 for ever.",
        .ref = "slurm.conf(5), AccountingStorageTRES, GresTypes",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "GresTypes=gpu\n"
               "AccountingStorageTRES=gres/nvme",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "GresTypes=gpu,nvme\n"
                "AccountingStorageTRES=gres/nvme",
        .needs = PLUMB_FACT_MODEL,
        .run = tracked_unknown_gres,
    },
};

const struct plumb_rule_family plumb_acct_tres_rules = {
    .prefix = "ACCT",
    .title = "What is tracked and billed",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
