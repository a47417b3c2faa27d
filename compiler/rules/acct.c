/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about accounting: the database behind slurmctld, what is tracked, what is billed, what
 * is enforced, and slurmdbd.conf on its own. Agreement of the two files is in agree.c.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name
#define D(name) PLUMB_P_DBD_##name

static bool storage_unknown(const struct plumb_check *ck)
{
    return plumb_setting_bad(plumb_slurm(ck->model), P(ACCOUNTINGSTORAGETYPE));
}

/* Sets that hold "none" count as unset from 23.11 on, and mean it before. */
static bool is_none(const struct plumb_setting *s)
{
    return s == NULL || plumb_slice_holds(&s->value, "none");
}

/* ACCT001: controller.c:main resets the flags. */
static void enforce_without_database(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(ACCOUNTINGSTORAGEENFORCE));

    if (is_none(s) || storage_unknown(ck) || plumb_has_slurmdbd(ck) ||
        plumb_slice_is(&s->value, "0"))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "AccountingStorageEnforce '%s' is not enforced, as "
                               "AccountingStorageType is not 'accounting_storage/slurmdbd'",
                               s->value.text),
                  NULL);
}

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

    if (s == NULL || storage_unknown(ck) || plumb_has_slurmdbd(ck))
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
    return gpu && ck->model->release >= PLUMB_23_02 &&
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

/* A value that several records inherit from one DEFAULT line is one fault. */
static bool seen_before(struct plumb_fold *seen, const struct plumb_check *ck, struct plumb_span at)
{
    const char *key = plumb_arena_printf(ck->scratch, "%" PRIu32 ":%" PRIu32, at.file, at.begin);

    if (plumb_map_get(&seen->map, key) != NULL)
        return true;
    plumb_fold_add(seen, key, at, NULL);
    return false;
}

/* ACCT003: partition_mgr.c:set_partition_billing_weights */
static void billing(const struct plumb_check *ck)
{
    struct plumb_fold seen = plumb_fold_in(ck);
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count && tres_list_usable(ck); i++) {
        const struct plumb_setting *s =
            plumb_setting(&m->partitions[i].settings, PLUMB_P_PART_TRESBILLINGWEIGHTS);

        if (s != NULL && !seen_before(&seen, ck, s->value.at))
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

        if (s != NULL && !seen_before(&seen, ck, s->value.at))
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

static const struct plumb_combo mysql[] = {
    {.when = {{P(ACCOUNTINGSTORAGETYPE), PLUMB_TEST_HOLDS, "mysql"}},
     .message = "AccountingStorageType names mysql, which only slurmdbd may use, expected "
                "'accounting_storage/slurmdbd'"},
};
static const struct plumb_combos mysql_outside = {.items = mysql, .count = PLUMB_COUNT(mysql)};

/* ACCT010: limits of a partition's QOS are applied with qos and limits. */
static void qos_not_enforced(const struct plumb_check *ck)
{
    const struct plumb_setting *e = plumb_global(ck, P(ACCOUNTINGSTORAGEENFORCE));
    const struct plumb_model *m = ck->model;

    if (!plumb_has_slurmdbd(ck) || plumb_setting_bad(plumb_slurm(m), P(ACCOUNTINGSTORAGEENFORCE)) ||
        (e != NULL &&
         (plumb_list_find(&e->value, "qos", NULL) || plumb_list_find(&e->value, "all", NULL))))
        return;
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        const struct plumb_setting *s = plumb_setting(&p->settings, PLUMB_P_PART_QOS);

        if (s == NULL)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, s->value.at,
                         "the limits of QOS '%s' on partition '%s' are not enforced, as "
                         "AccountingStorageEnforce %s, expected 'qos' and 'limits' in it",
                         s->value.text, p->name.v != NULL ? p->name.v : "?",
                         e != NULL ? "lacks 'qos'" : "is not set");

        if (e != NULL)
            plumb_diag_note(d, e->value.at, "what is enforced");
        return;
    }
}

/* ACCT018: without a database no QOS exists (slurmctld/read_config.c). */
static void qos_of(const struct plumb_check *ck, enum plumb_param_id id,
                   const struct plumb_eras *eras)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        const struct plumb_setting *s = plumb_setting(&p->settings, id);

        if (s == NULL || s->value.len == 0 || plumb_slice_is(&s->value, "ALL"))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, s->value.at,
                                   "%s '%s' of partition '%s' cannot exist, as "
                                   "AccountingStorageType is not 'accounting_storage/slurmdbd'",
                                   plumb_param(id)->name, s->value.text,
                                   p->name.v != NULL ? p->name.v : "?"),
                      eras);
        return;
    }
}

static void qos_without_database(const struct plumb_check *ck)
{
    static const struct plumb_era of_partition[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
        {PLUMB_25_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_era of_list[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
        {PLUMB_25_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras partition = PLUMB_ERAS(of_partition);
    static const struct plumb_eras list = PLUMB_ERAS(of_list);

    if (storage_unknown(ck) || plumb_has_slurmdbd(ck))
        return;
    qos_of(ck, PLUMB_P_PART_QOS, &partition);
    qos_of(ck, PLUMB_P_PART_ALLOWQOS, &list);
    qos_of(ck, PLUMB_P_PART_DENYQOS, &list);
}

/* ACCT011: "all" is an assignment, so words before it are lost. */
static void enforce_all(const struct plumb_check *ck)
{
    const struct plumb_setting *e = plumb_global(ck, P(ACCOUNTINGSTORAGEENFORCE));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item, lost = {0};

    if (e == NULL)
        return;
    while (plumb_list_next(&e->value, ',', &c, &item)) {
        if (plumb_slice_is(&item, "nojobs") || plumb_slice_is(&item, "nosteps"))
            lost = item;
        if (!plumb_slice_is(&item, "all") || lost.text == NULL)
            continue;

        struct plumb_diag *d = plumb_report(ck, lost.at,
                                            "'%s' is lost, as 'all' behind it replaces what stands "
                                            "before, expected it behind 'all'",
                                            plumb_arena_strndup(ck->arena, lost.text, lost.len));

        plumb_diag_note(d, item.at, "replaces the words before it");
        return;
    }
}

static const struct plumb_combo gather[] = {
    {.when = {{P(JOBACCTGATHERTYPE), PLUMB_TEST_SET, NULL},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_LACKS, "none"},
              {P(ACCOUNTINGSTORAGETYPE), PLUMB_TEST_UNSET, NULL}},
     .message = "usage of jobs is gathered but not stored, as AccountingStorageType is not set, "
                "expected 'accounting_storage/slurmdbd'"},
    {.when = {{P(JOBACCTGATHERTYPE), PLUMB_TEST_SET, NULL},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_LACKS, "none"},
              {P(ACCOUNTINGSTORAGETYPE), PLUMB_TEST_HOLDS, "none"}},
     .message = "usage of jobs is gathered but not stored, as AccountingStorageType is none, "
                "expected 'accounting_storage/slurmdbd'"},
};
static const struct plumb_combos gathered_not_stored = {.items = gather,
                                                        .count = PLUMB_COUNT(gather)};

static const struct plumb_combo stored[] = {
    {.when = {{P(ACCOUNTINGSTORAGETYPE), PLUMB_TEST_IS, "slurmdbd"},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_UNSET, NULL}},
     .message = "jobs are stored without memory and CPU usage, as JobAcctGatherType is not set, "
                "expected 'jobacct_gather/cgroup'"},
};
static const struct plumb_combos stored_not_gathered = {.items = stored,
                                                        .count = PLUMB_COUNT(stored)};

static const struct plumb_combo pgid[] = {
    {.when = {{P(JOBACCTGATHERTYPE), PLUMB_TEST_SET, NULL},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_LACKS, "none"},
              {P(PROCTRACKTYPE), PLUMB_TEST_IS, "pgid"}},
     .message = "usage is gathered by a scan of all processes, as 'proctrack/pgid' tracks none, "
                "expected 'proctrack/cgroup'"},
};
static const struct plumb_combos gather_pgid = {.items = pgid, .count = PLUMB_COUNT(pgid)};

static const struct plumb_combo dbd_type[] = {
    {.when = {{D(STORAGETYPE), PLUMB_TEST_IS, "slurmdbd"}},
     .message = "StorageType of slurmdbd is slurmdbd itself, expected 'accounting_storage/mysql'"},
    {.when = {{D(STORAGETYPE), PLUMB_TEST_UNSET, NULL}},
     .message = "StorageType is not set, expected 'accounting_storage/mysql'"},
};
static const struct plumb_combos dbd_storage = {.items = dbd_type, .count = PLUMB_COUNT(dbd_type)};

/* Digits and dots, or anything with a colon. */
static bool looks_like_address(const struct plumb_slice *v)
{
    size_t dots = 0;

    for (size_t i = 0; i < v->len; i++) {
        if (v->text[i] == ':')
            return true;
        if (v->text[i] == '.')
            dots++;
        else if (!plumb_is_digit(v->text[i]))
            return false;
    }
    return dots == 3;
}

/* ACCT016: slurmdbd.c compares DbdHost with the name of its machine. */
static void dbd_host_address(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {D(DBDHOST), D(DBDBACKUPHOST)};
    const struct plumb_setting *addr = plumb_global(ck, D(DBDADDR));

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_setting *s = plumb_global(ck, ids[i]);

        if (s == NULL || !looks_like_address(&s->value))
            continue;

        struct plumb_diag *d =
            plumb_report(ck, s->value.at,
                         "%s is address '%s', but slurmdbd compares it with the host name of its "
                         "machine, expected that name",
                         plumb_param(ids[i])->name, s->value.text);

        if (addr == NULL && i == 0)
            plumb_diag_help(d, "the host name in DbdHost, and DbdAddr=%s", s->value.text);
        plumb_outcome(ck, d, NULL);
    }
}

/* ACCT017: what is archived is what is purged. */
static void archive_without_purge(const struct plumb_check *ck)
{
    static const struct {
        enum plumb_param_id archive, after, months;
    } pairs[] = {
        {D(ARCHIVEEVENTS), D(PURGEEVENTAFTER), D(PURGEEVENTMONTHS)},
        {D(ARCHIVEJOBS), D(PURGEJOBAFTER), D(PURGEJOBMONTHS)},
        {D(ARCHIVERESVS), D(PURGERESVAFTER), D(PURGERESVAFTER)},
        {D(ARCHIVESTEPS), D(PURGESTEPAFTER), D(PURGESTEPMONTHS)},
        {D(ARCHIVESUSPEND), D(PURGESUSPENDAFTER), D(PURGESUSPENDMONTHS)},
        {D(ARCHIVETXN), D(PURGETXNAFTER), D(PURGETXNMONTHS)},
        {D(ARCHIVEUSAGE), D(PURGEUSAGEAFTER), D(PURGEUSAGEMONTHS)},
    };
    const struct plumb_settings *dbd = plumb_dbd(ck->model);

    for (size_t i = 0; i < PLUMB_COUNT(pairs); i++) {
        struct plumb_bool on = plumb_setting_bool(dbd, pairs[i].archive, ck->model->release);

        if (on.origin != PLUMB_GIVEN || !on.v || plumb_setting(dbd, pairs[i].after) != NULL ||
            plumb_setting(dbd, pairs[i].months) != NULL || plumb_setting_bad(dbd, pairs[i].after) ||
            plumb_setting_bad(dbd, pairs[i].months))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, on.at, "%s archives nothing, as %s is not set",
                                   plumb_param(pairs[i].archive)->name,
                                   plumb_param(pairs[i].after)->name),
                      NULL);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "ACCT001",
        .name = "enforce-needs-slurmdbd",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "AccountingStorageEnforce without slurmdbd",
        .why = "slurmctld drops the setting: no limit, no account and no QOS is enforced.",
        .ref = "slurm.conf(5), AccountingStorageEnforce; slurmctld/controller.c:main",
        .bad = "AccountingStorageEnforce=limits",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageEnforce=limits",
        .needs = PLUMB_FACT_MODEL,
        .run = enforce_without_database,
    },
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
        .bad = "PartitionName=p Nodes=ALL TRESBillingWeights=GRES/gpu=100",
        .good = "AccountingStorageTRES=gres/gpu\n"
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
        .bad = "PriorityWeightTRES=GRES/gpu=1000",
        .good = "AccountingStorageTRES=gres/gpu\nPriorityWeightTRES=GRES/gpu=1000",
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
        .bad = "AccountingStorageTRES=gres/gpu:h100",
        .good = "AccountingStorageTRES=gres/gpu,gres/gpu:h100",
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
        .bad = "GresTypes=gpu\nAccountingStorageTRES=gres/nvme",
        .good = "GresTypes=gpu,nvme\nAccountingStorageTRES=gres/nvme",
        .needs = PLUMB_FACT_MODEL,
        .run = tracked_unknown_gres,
    },
    {
        .code = "ACCT009",
        .name = "mysql-outside-slurmdbd",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "AccountingStorageType of slurm.conf names mysql",
        .why = "Every daemon and command stops: only slurmdbd may talk to the database.",
        .ref = "slurm.conf(5), AccountingStorageType; read_config.c:_validate_and_set_defaults",
        .bad = "AccountingStorageType=accounting_storage/mysql",
        .good = "AccountingStorageType=accounting_storage/slurmdbd",
        PLUMB_COMBO(mysql_outside),
    },
    {
        .code = "ACCT010",
        .name = "partition-qos-not-enforced",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "a partition has a QOS that nothing enforces",
        .why = "Users go beyond the limits of the QOS.",
        .ref = "slurm.conf(5), AccountingStorageEnforce; acct_policy.c",
        .bad = "PartitionName=p Nodes=ALL QOS=small",
        .good = "AccountingStorageEnforce=limits,qos\nPartitionName=p Nodes=ALL QOS=small",
        .needs = PLUMB_FACT_MODEL,
        .run = qos_not_enforced,
    },
    {
        .code = "ACCT011",
        .name = "enforce-all-replaces",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURM_ALL),
        .summary = "a word of AccountingStorageEnforce before 'all' is lost",
        .why = "'all' sets everything but nojobs and nosteps, words before it included.",
        .ref = "slurm.conf(5), AccountingStorageEnforce; "
               "read_config.c:_validate_accounting_storage_enforce",
        .bad = "AccountingStorageEnforce=nosteps,all",
        .good = "AccountingStorageEnforce=all,nosteps",
        .needs = PLUMB_FACT_MODEL,
        .run = enforce_all,
    },
    {
        .code = "ACCT012",
        .name = "gathered-not-stored",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "JobAcctGatherType without AccountingStorageType",
        .why = "Nodes measure jobs for nothing.",
        .ref = "slurm.conf(5), JobAcctGatherType; jobacct_gather.c, controller.c",
        .bad = "JobAcctGatherType=jobacct_gather/cgroup",
        .good = "JobAcctGatherType=jobacct_gather/cgroup\n"
                "AccountingStorageType=accounting_storage/slurmdbd",
        PLUMB_COMBO(gathered_not_stored),
    },
    {
        .code = "ACCT013",
        .name = "stored-not-gathered",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "AccountingStorageType without JobAcctGatherType",
        .why = "sacct shows no MaxRSS and no CPU time.",
        .ref = "slurm.conf(5), JobAcctGatherType; controller.c",
        PLUMB_COMBO(stored_not_gathered),
    },
    {
        .code = "ACCT014",
        .name = "gather-with-pgid",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "JobAcctGatherType with proctrack/pgid",
        .why = "Every sample reads all of /proc.",
        .ref = "slurm.conf(5), JobAcctGatherType; interfaces/jobacct_gather.c",
        PLUMB_COMBO(gather_pgid),
    },
    {
        .code = "ACCT015",
        .name = "dbd-storage-type",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMDBD),
        .summary = "StorageType of slurmdbd.conf is missing or slurmdbd",
        .why = "slurmdbd has no database.",
        .ref = "slurmdbd.conf(5), StorageType; slurmdbd/read_config.c:read_slurmdbd_conf",
        .bad = "StorageType=accounting_storage/slurmdbd",
        .good = "StorageType=accounting_storage/mysql",
        PLUMB_COMBO(dbd_storage),
    },
    {
        .code = "ACCT016",
        .name = "dbd-host-address",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMDBD),
        .summary = "DbdHost is an address",
        .why = "slurmdbd does not recognise its own machine.",
        .ref = "slurmdbd.conf(5), DbdHost; slurmdbd/slurmdbd.c",
        .bad = "DbdHost=10.0.0.12",
        .good = "DbdHost=db-01\nDbdAddr=10.0.0.12",
        .needs = PLUMB_FACT_MODEL,
        .run = dbd_host_address,
    },
    {
        .code = "ACCT017",
        .name = "archive-without-purge",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMDBD),
        .summary = "an Archive key without its Purge key",
        .why = "Records are archived when they are purged, so nothing is ever archived.",
        .ref = "slurmdbd.conf(5), ArchiveEvents; slurmdbd/read_config.c",
        .bad = "ArchiveJobs=yes",
        .good = "ArchiveJobs=yes\nPurgeJobAfter=24months",
        .needs = PLUMB_FACT_MODEL,
        .run = archive_without_purge,
    },
    {
        .code = "ACCT018",
        .name = "qos-needs-slurmdbd",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "a partition has a QOS without slurmdbd",
        .why = "QOS are kept in the database; from 25.11 on slurmctld ends when it does not know "
               "one.",
        .ref = "slurm.conf(5), QOS; slurmctld/read_config.c",
        .bad = "PartitionName=p Nodes=ALL QOS=small",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "PartitionName=p Nodes=ALL QOS=small",
        .needs = PLUMB_FACT_MODEL,
        .run = qos_without_database,
    },
};

const struct plumb_rule_family plumb_acct_rules = {
    .prefix = "ACCT",
    .title = "Accounting, enforcement, billing, slurmdbd",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
