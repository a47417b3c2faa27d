/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about slurm.conf beside slurmdbd.conf: what slurmctld and slurmdbd must be told alike. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "rules/agree.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name
#define D(name) PLUMB_P_DBD_##name

static bool both_files(const struct plumb_check *ck)
{
    return ck->model->present[PLUMB_SLURM_CONF] && ck->model->present[PLUMB_SLURMDBD_CONF] &&
           plumb_has_slurmdbd(ck);
}

/* AGREE001: slurmctld talks to the port that slurmdbd listens on. */
static void database_port(const struct plumb_check *ck)
{
    struct plumb_u64 theirs = plumb_global_u64(ck, D(DBDPORT));
    struct plumb_u64 ours = plumb_global_u64(ck, P(ACCOUNTINGSTORAGEPORT));
    uint64_t want = plumb_written(ours) && ours.v != 0 ? ours.v : 6819; /* SLURMDBD_PORT */

    if (!both_files(ck) || !plumb_usable(theirs) || ours.origin == PLUMB_BAD || theirs.v == want)
        return;
    if (!plumb_written(theirs) && !plumb_written(ours))
        return;

    struct plumb_diag *d = plumb_report(ck, plumb_written(ours) ? ours.at : theirs.at,
                                        "slurmctld expects slurmdbd on port %" PRIu64
                                        ", slurmdbd listens on %" PRIu64 ", expected the same",
                                        want, theirs.v);

    if (plumb_written(ours) && plumb_written(theirs))
        plumb_diag_note(d, theirs.at, "the port of slurmdbd");
    plumb_outcome(ck, d, NULL);
}

/* AGREE002: the host that slurmctld asks is one of those where slurmdbd runs. */
static void database_host(const struct plumb_check *ck)
{
    static const enum plumb_param_id theirs[] = {D(DBDHOST), D(DBDADDR), D(DBDBACKUPHOST)};
    const struct plumb_setting *ours = plumb_global(ck, P(ACCOUNTINGSTORAGEHOST));
    const struct plumb_setting *host = plumb_global(ck, D(DBDHOST));

    if (!both_files(ck) || ours == NULL || host == NULL || plumb_is_loopback(&host->value) ||
        plumb_is_loopback(&ours->value))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(theirs); i++) {
        const struct plumb_setting *s = plumb_global(ck, theirs[i]);

        if (plumb_setting_bad(plumb_dbd(ck->model), theirs[i]) ||
            (s != NULL && plumb_same_host(&s->value, &ours->value)))
            return;
    }
    /* A name may resolve to an address that is not written: only names can contradict names. */
    if (ours->value.len == 0 ||
        plumb_is_digit(ours->value.text[0]) != plumb_is_digit(host->value.text[0]))
        return;

    struct plumb_diag *d = plumb_report(
        ck, ours->value.at, "slurmctld looks for slurmdbd on '%s', slurmdbd.conf says '%s'",
        ours->value.text, host->value.text);

    plumb_diag_note(d, host->value.at, "where slurmdbd runs");
}

/* AGREE003 .. AGREE006: settings that both files have and that must be the same. */
struct pair {
    enum plumb_param_id slurm, dbd;
    const char *def; /* in both files when not written; NULL: compare written values only */
    const char *what;
};

static void same_setting(const struct plumb_check *ck)
{
    const struct pair *p = ck->rule->data;
    const struct plumb_setting *a = plumb_global(ck, p->slurm), *b = plumb_global(ck, p->dbd);
    struct plumb_slice def = {.text = p->def, .len = p->def ? (uint32_t)strlen(p->def) : 0};

    if (!both_files(ck) || plumb_setting_bad(plumb_slurm(ck->model), p->slurm) ||
        plumb_setting_bad(plumb_dbd(ck->model), p->dbd) || (a == NULL && b == NULL) ||
        (p->def == NULL && (a == NULL || b == NULL)))
        return;

    const struct plumb_slice *x = a != NULL ? &a->value : &def, *y = b != NULL ? &b->value : &def;

    if (x->len == y->len && plumb_equal_nocase(x->text, y->text, x->len))
        return;

    struct plumb_diag *d = plumb_report(ck, a != NULL ? a->value.at : b->value.at,
                                        "%s is '%s' in slurm.conf and '%s' in slurmdbd.conf, "
                                        "expected the same%s",
                                        plumb_param(p->slurm)->name, x->text, y->text, p->what);

    if (a != NULL && b != NULL)
        plumb_diag_note(d, b->value.at, "the other file");
    plumb_outcome(ck, d, NULL);
}

static const struct pair auth_type = {P(AUTHTYPE), D(AUTHTYPE), "auth/munge",
                                      ", or slurmdbd refuses every connection"};
static const struct pair hash_plugin = {P(HASHPLUGIN), D(HASHPLUGIN), "hash/k12",
                                        ", or every message is rejected"};
static const struct pair slurm_user = {P(SLURMUSER), D(SLURMUSER), "root",
                                       ", as slurmdbd trusts that user alone"};

/* AGREE006: booleans may be spelled differently. */
static void wckeys(const struct plumb_check *ck)
{
    struct plumb_bool a =
        plumb_setting_bool(plumb_slurm(ck->model), P(TRACKWCKEY), ck->model->release);
    struct plumb_bool b =
        plumb_setting_bool(plumb_dbd(ck->model), D(TRACKWCKEY), ck->model->release);
    const struct plumb_setting *e = plumb_global(ck, P(ACCOUNTINGSTORAGEENFORCE));
    bool implied = e != NULL && (plumb_list_find(&e->value, "wckeys", NULL) ||
                                 plumb_list_find(&e->value, "all", NULL));

    if (!both_files(ck) || a.origin == PLUMB_BAD || b.origin == PLUMB_BAD ||
        (a.v || implied) == b.v || (a.origin != PLUMB_GIVEN && b.origin != PLUMB_GIVEN && !implied))
        return;
    plumb_report(ck,
                 a.origin == PLUMB_GIVEN   ? a.at
                 : b.origin == PLUMB_GIVEN ? b.at
                                           : e->value.at,
                 "TrackWCKey is %s for slurmctld and %s for slurmdbd, expected the same",
                 a.v || implied ? "on" : "off", b.v ? "on" : "off");
}

static const struct plumb_rule rows[] = {
    {
        .code = "AGREE001",
        .name = "dbd-port",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "AccountingStoragePort is not DbdPort",
        .why = "slurmctld never reaches slurmdbd, and does not start at all while it has no state "
               "of its "
               "own; no daemon compares the files.",
        .ref = "slurmdbd.conf(5), DbdPort",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "AccountingStorageHost=db-01   # port 6819\n"
               "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "DbdPort=7031\n"
               "StorageType=accounting_storage/mysql",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageHost=db-01\n"
                "AccountingStoragePort=7031\n"
                "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "DbdPort=7031\n"
                "StorageType=accounting_storage/mysql",
        .needs = PLUMB_FACT_MODEL,
        .run = database_port,
    },
    {
        .code = "AGREE002",
        .name = "dbd-host",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "AccountingStorageHost is not where slurmdbd runs",
        .why = "slurmctld never reaches slurmdbd, unless both names are one machine.",
        .ref = "slurm.conf(5), AccountingStorageHost",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "AccountingStorageHost=cp-01\n"
               "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "StorageType=accounting_storage/mysql",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageHost=db-01\n"
                "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "StorageType=accounting_storage/mysql",
        .needs = PLUMB_FACT_MODEL,
        .run = database_host,
    },
    {
        .code = "AGREE003",
        .name = "auth-type-differs",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "AuthType differs between slurm.conf and slurmdbd.conf",
        .why = "slurmdbd refuses every connection of slurmctld.",
        .ref = "slurmdbd.conf(5), AuthType",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "AuthType=auth/slurm\n"
               "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "AuthType=auth/munge\n"
               "StorageType=accounting_storage/mysql",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AuthType=auth/munge\n"
                "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "AuthType=auth/munge\n"
                "StorageType=accounting_storage/mysql",
        .needs = PLUMB_FACT_MODEL,
        .run = same_setting,
        .data = &auth_type,
    },
    {
        .code = "AGREE004",
        .name = "hash-plugin-differs",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "HashPlugin differs between slurm.conf and slurmdbd.conf",
        .why = "Messages between the daemons are rejected.",
        .ref = "slurmdbd.conf(5), HashPlugin",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "HashPlugin=hash/sha3\n"
               "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "StorageType=accounting_storage/mysql",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "HashPlugin=hash/sha3\n"
                "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "HashPlugin=hash/sha3\n"
                "StorageType=accounting_storage/mysql",
        .needs = PLUMB_FACT_MODEL,
        .run = same_setting,
        .data = &hash_plugin,
    },
    {
        .code = "AGREE005",
        .name = "slurm-user-differs",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "SlurmUser differs between slurm.conf and slurmdbd.conf",
        .why = "slurmctld has no administrator's rights in slurmdbd.",
        .ref = "slurmdbd.conf(5), SlurmUser",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "SlurmUser=slurm\n"
               "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "SlurmUser=slurmdbd\n"
               "StorageType=accounting_storage/mysql",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "SlurmUser=slurm\n"
                "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "SlurmUser=slurm\n"
                "StorageType=accounting_storage/mysql",
        .needs = PLUMB_FACT_MODEL,
        .run = same_setting,
        .data = &slurm_user,
    },
    {
        .code = "AGREE006",
        .name = "track-wckey-differs",
        PLUMB_OUTCOME(WARNING, NONE, SLURMDBD),
        .summary = "TrackWCKey differs between slurm.conf and slurmdbd.conf",
        .why = "Usage by workload key is not rolled up.",
        .ref = "slurmdbd.conf(5), TrackWCKey",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "TrackWCKey=yes\n"
               "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "StorageType=accounting_storage/mysql",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "TrackWCKey=yes\n"
                "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "TrackWCKey=yes\n"
                "StorageType=accounting_storage/mysql",
        .needs = PLUMB_FACT_MODEL,
        .run = wckeys,
    },
};

const struct plumb_rule_family plumb_agree_database_rules = {
    .prefix = "AGREE",
    .title = "slurm.conf beside slurmdbd.conf",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
