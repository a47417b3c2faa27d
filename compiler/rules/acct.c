/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about accounting: the database behind slurmctld, and what is enforced with it. */
#include "rules/acct.h"

#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

bool plumb_storage_unknown(const struct plumb_check *ck)
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

    if (is_none(s) || s->value.len == 0 || plumb_storage_unknown(ck) || plumb_has_slurmdbd(ck) ||
        plumb_slice_is(&s->value, "0"))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "AccountingStorageEnforce '%s' is not enforced, as "
                               "AccountingStorageType is not 'accounting_storage/slurmdbd'",
                               s->value.text),
                  NULL);
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

        struct plumb_diag *d = plumb_report(
            ck, s->value.at,
            "the limits of QOS '%s' on partition '%s' are not enforced, as "
            "AccountingStorageEnforce %s, expected 'qos' and 'limits' in it",
            s->value.text, plumb_part_name(p), e != NULL ? "lacks 'qos'" : "is not set");

        if (e != NULL)
            plumb_diag_note(d, e->value.at, "what is enforced");
        return;
    }
}

/*
 * ALL in AllowQos is no list, and in DenyQos none from 25.11 on; as the QOS of a partition it is a
 * name (slurmctld/read_config.c:_build_single_partitionline_info, qos_list_build).
 */
static bool names_no_qos(const struct plumb_check *ck, enum plumb_param_id id,
                         const struct plumb_slice *value)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
        {PLUMB_25_11, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    };
    static const struct plumb_eras denied = PLUMB_ERAS(rows);

    if (value->len == 0)
        return true;
    return plumb_slice_is(value, "ALL") &&
           (id == PLUMB_P_PART_ALLOWQOS ||
            (id == PLUMB_P_PART_DENYQOS && plumb_era_quiet(ck, &denied)));
}

/* ACCT018: without a database no QOS exists (slurmctld/read_config.c). */
static void qos_of(const struct plumb_check *ck, enum plumb_param_id id,
                   const struct plumb_eras *eras)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];
        const struct plumb_setting *s = plumb_setting(&p->settings, id);

        if (s == NULL || names_no_qos(ck, id, &s->value))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, s->value.at,
                                   "%s '%s' of partition '%s' cannot exist, as "
                                   "AccountingStorageType is not 'accounting_storage/slurmdbd'",
                                   plumb_param(id)->name, s->value.text, plumb_part_name(p)),
                      eras);
        return;
    }
}

/* The empty name is looked up like any other, and no database has it (read_config.c). */
static void qos_without_name(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
        {PLUMB_25_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->partition_count && !plumb_era_quiet(ck, &eras); i++) {
        const struct plumb_setting *s = plumb_setting(&m->partitions[i].settings, PLUMB_P_PART_QOS);

        if (s == NULL || s->value.len != 0)
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, s->value.at,
                                   "QOS of partition '%s' has no name, expected one, or no QOS",
                                   plumb_part_name(&m->partitions[i])),
                      &eras);
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

    qos_without_name(ck);
    if (plumb_storage_unknown(ck) || plumb_has_slurmdbd(ck))
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
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "PartitionName=p Nodes=ALL QOS=small",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageEnforce=limits,qos\n"
                "PartitionName=p Nodes=ALL QOS=small",
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
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "AccountingStorageEnforce=nosteps,all",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageEnforce=all,nosteps",
        .needs = PLUMB_FACT_MODEL,
        .run = enforce_all,
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
