/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about slurmdbd.conf on its own. Agreement with slurm.conf is in agree_database.c. */
#include "base/text.h"
#include "rules/ask.h"

#define D(name) PLUMB_P_DBD_##name

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
        .code = "ACCT015",
        .name = "dbd-storage-type",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMDBD),
        .summary = "StorageType of slurmdbd.conf is missing or slurmdbd",
        .why = "slurmdbd has no database.",
        .ref = "slurmdbd.conf(5), StorageType; slurmdbd/read_config.c:read_slurmdbd_conf",
        .bad = "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "StorageType=accounting_storage/slurmdbd",
        .good = "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "StorageType=accounting_storage/mysql",
        PLUMB_COMBO(dbd_storage),
    },
    {
        .code = "ACCT016",
        .name = "dbd-host-address",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMDBD),
        .summary = "DbdHost is an address",
        .why = "slurmdbd does not recognise its own machine.",
        .ref = "slurmdbd.conf(5), DbdHost; slurmdbd/slurmdbd.c",
        .bad = "# slurmdbd.conf\n"
               "DbdHost=10.0.0.12\n"
               "StorageType=accounting_storage/mysql",
        .good = "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "DbdAddr=10.0.0.12\n"
                "StorageType=accounting_storage/mysql",
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
        .bad = "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "StorageType=accounting_storage/mysql\n"
               "ArchiveJobs=yes",
        .good = "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "StorageType=accounting_storage/mysql\n"
                "ArchiveJobs=yes\n"
                "PurgeJobAfter=24months",
        .needs = PLUMB_FACT_MODEL,
        .run = archive_without_purge,
    },
};

const struct plumb_rule_family plumb_slurmdbd_rules = {
    .prefix = "ACCT",
    .title = "slurmdbd.conf",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
