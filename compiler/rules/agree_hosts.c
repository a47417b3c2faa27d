/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about machines that are named in several places: controllers, login hosts, the database. */
#include <inttypes.h>
#include <string.h>

#include "rules/agree.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* AGREE011: read_config.c:_load_slurmctld_host */
static void controller_twice(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 1; i < m->controller_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!plumb_usable(m->controllers[i].name) || m->controllers[i].name.v == NULL ||
                m->controllers[i].name.v != m->controllers[j].name.v)
                continue;

            struct plumb_diag *d = plumb_report(ck, m->controllers[i].name.at,
                                                "'%s' is a controller twice, expected another host",
                                                m->controllers[i].name.v);

            plumb_diag_note(d, m->controllers[j].name.at, "named here first");
            plumb_outcome(ck, d, NULL);
            break;
        }
    }
}

/* AGREE020: what is asked for the backup reaches the first controller. */
static void one_address(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_map seen = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < m->controller_count; i++) {
        const struct plumb_host *host = &m->controllers[i], *first = NULL;

        if (host->name.v == NULL || host->address.v == NULL || host->address.v[0] == '\0' ||
            !plumb_usable(host->address))
            continue;
        first = plumb_map_get(&seen, host->address.v);
        if (first == NULL) {
            plumb_map_set(&seen, host->address.v, (void *)(uintptr_t)host);
            continue;
        }
        if (strcmp(first->name.v, host->name.v) == 0)
            continue; /* AGREE011 */
        plumb_diag_note(
            plumb_report(ck, host->address.at,
                         "controllers '%s' and '%s' have the address '%s', expected one of its own "
                         "for each",
                         first->name.v, host->name.v, host->address.v),
            first->address.at, "the first of them");
    }
}

/* AGREE021 */
static void login_computes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_hostlist *both = NULL;

    if (m->login_hosts == NULL || m->all_nodes == NULL)
        return;
    both = plumb_hostlist_intersect(ck->arena, m->login_hosts, m->all_nodes);
    if (both->count == 0)
        return;

    struct plumb_diag *d = plumb_report(
        ck, m->login_hosts->at,
        "login host '%s' is a compute node too, where work of users outside jobs takes "
        "what jobs are promised",
        plumb_fold_hosts(ck, both));

    plumb_fold_object(ck, d, both);
}

static const enum plumb_param_id old_keys[] = {P(CONTROLMACHINE), P(CONTROLADDR),
                                               P(BACKUPCONTROLLER), P(BACKUPADDR)};

/* AGREE012 */
static void old_controller_keys(const struct plumb_check *ck)
{
    const struct plumb_setting *host = plumb_global(ck, P(SLURMCTLDHOST));

    if (host == NULL)
        return;
    for (size_t i = 0; i < PLUMB_COUNT(old_keys); i++) {
        const struct plumb_setting *s = plumb_global(ck, old_keys[i]);
        bool backup = old_keys[i] == P(BACKUPCONTROLLER);

        if (s == NULL)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, plumb_span_known(s->key_at) ? s->key_at : s->value.at,
            backup && ck->model->controller_count < 2
                ? "%s is ignored beside SlurmctldHost, so there is no backup controller"
                : "%s is ignored beside SlurmctldHost",
            plumb_param(old_keys[i])->name);

        plumb_diag_note(d, host->value.at, "SlurmctldHost");
        if (backup && ck->model->controller_count < 2)
            plumb_diag_help(d, "SlurmctldHost=%s, as a second line", s->value.text);
        plumb_outcome_is(ck, d,
                         backup && ck->model->controller_count < 2 ? PLUMB_ERROR : PLUMB_WARNING,
                         PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL);
    }
}

/* One machine is the whole cluster: its names may be the loopback. */
static bool several_hosts(const struct plumb_model *m)
{
    return m->all_nodes != NULL && m->all_nodes->count > 1;
}

/* AGREE013 */
static void loopback_controller(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->controller_count && several_hosts(m); i++) {
        const struct plumb_text *name = &m->controllers[i].name;
        struct plumb_slice v = {.text = name->v, .len = name->v ? (uint32_t)strlen(name->v) : 0};

        if (name->v == NULL || !plumb_origin_usable(name->origin) || !plumb_is_loopback(&v))
            continue;
        plumb_report(ck, name->at,
                     "controller '%s' is another machine on each host, so %" PRIu64
                     " nodes look for it on themselves, expected a host name",
                     name->v, m->all_nodes->count);
    }
}

/* AGREE014 */
static void loopback_database(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(ACCOUNTINGSTORAGEHOST));

    if (s == NULL || !plumb_is_loopback(&s->value) || !several_hosts(ck->model) ||
        !plumb_has_slurmdbd(ck))
        return;
    plumb_report(ck, s->value.at,
                 "AccountingStorageHost '%s' is another machine on each host, so sacct on nodes "
                 "and login hosts finds no slurmdbd, expected a host name",
                 s->value.text);
}

static const struct plumb_combo no_host[] = {
    {.when = {{P(SLURMCTLDHOST), PLUMB_TEST_UNSET, NULL},
              {P(CONTROLMACHINE), PLUMB_TEST_UNSET, NULL}},
     .message = "no controller is named, expected SlurmctldHost"},
};
static const struct plumb_combos controller_missing = {.items = no_host,
                                                       .count = PLUMB_COUNT(no_host)};

static const struct plumb_combo backup[] = {
    {.when = {{P(BACKUPADDR), PLUMB_TEST_SET, NULL},
              {P(BACKUPCONTROLLER), PLUMB_TEST_UNSET, NULL},
              {P(SLURMCTLDHOST), PLUMB_TEST_UNSET, NULL}},
     .message = "BackupAddr is the address of nobody, as BackupController is not set, expected "
                "both, or a second SlurmctldHost"},
};
static const struct plumb_combos backup_nameless = {.items = backup, .count = PLUMB_COUNT(backup)};

static const struct plumb_rule rows[] = {
    {
        .code = "AGREE011",
        .name = "controller-twice",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "one host is a controller twice",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), SlurmctldHost; read_config.c:_load_slurmctld_host",
        .bad = "SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-01(10.0.0.11)",
        .good = "SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-02(10.0.0.11)",
        .needs = PLUMB_FACT_MODEL,
        .run = controller_twice,
    },
    {
        .code = "AGREE012",
        .name = "old-controller-keys",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "ControlMachine and its kin beside SlurmctldHost",
        .why = "The old keys are ignored: a backup that only they name does not exist.",
        .ref = "slurm.conf(5), SlurmctldHost; read_config.c:_load_slurmctld_host",
        .bad = "SlurmctldHost=cp-01\nBackupController=cp-02",
        .good = "SlurmctldHost=cp-01\nSlurmctldHost=cp-02",
        .needs = PLUMB_FACT_MODEL,
        .run = old_controller_keys,
    },
    {
        .code = "AGREE013",
        .name = "controller-loopback",
        PLUMB_OUTCOME(ERROR, NONE, SLURM_ALL),
        .summary = "the controller of several nodes is the loopback",
        .why = "Each node looks for the controller on itself and never registers.",
        .ref = "slurm.conf(5), SlurmctldHost; controller.c:_controller_index",
        .bad = "SlurmctldHost=localhost\n"
               "NodeName=c[1-4] CPUs=32",
        .good = "SlurmctldHost=cp-01\n"
                "NodeName=c[1-4] CPUs=32",
        .needs = PLUMB_FACT_MODEL,
        .run = loopback_controller,
    },
    {
        .code = "AGREE014",
        .name = "database-loopback",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "the accounting host of several nodes is the loopback",
        .why = "Accounting commands work on the controller only.",
        .ref = "slurm.conf(5), AccountingStorageHost",
        .bad = "AccountingStorageType=accounting_storage/slurmdbd\n"
               "AccountingStorageHost=localhost\n"
               "NodeName=c[1-4] CPUs=32",
        .good = "AccountingStorageType=accounting_storage/slurmdbd\n"
                "AccountingStorageHost=db-01\n"
                "NodeName=c[1-4] CPUs=32",
        .needs = PLUMB_FACT_MODEL,
        .run = loopback_database,
    },
    {
        .code = "AGREE018",
        .name = "controller-missing",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "slurm.conf without SlurmctldHost",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), SlurmctldHost; read_config.c:_load_slurmctld_host",
        .bad = "# slurm.conf\n"
               "ClusterName=demo\n"
               "NodeName=c[1-4] CPUs=32\n"
               "PartitionName=p Nodes=ALL Default=YES",
        .good = "# slurm.conf\n"
                "ClusterName=demo\n"
                "SlurmctldHost=cp-01\n"
                "NodeName=c[1-4] CPUs=32\n"
                "PartitionName=p Nodes=ALL Default=YES",
        PLUMB_COMBO(controller_missing),
    },
    {
        .code = "AGREE020",
        .name = "controllers-one-address",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "two controllers have one address",
        .why = "The backup asks that address whether the first controller is alive; whoever talks "
               "to one of them gets the other. Every daemon takes it.",
        .ref = "slurm.conf(5), SlurmctldHost",
        .bad = "SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-02(10.0.0.10)",
        .good = "SlurmctldHost=cp-01(10.0.0.10)\nSlurmctldHost=cp-02(10.0.0.11)",
        .needs = PLUMB_FACT_MODEL,
        .run = one_address,
    },
    {
        .code = "AGREE021",
        .name = "login-host-computes",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "a login host is a compute node",
        .why = "What people run there takes the CPUs and memory that jobs are promised; no daemon "
               "says so. On small clusters it may be meant.",
        .ref = "slurm.conf(5), NodeName",
        .bad = "login: {hosts: \"login-1,dgx-4\"}",
        .good = "login: {hosts: login-1}",
        .needs = PLUMB_FACT_MODEL,
        .run = login_computes,
    },
    {
        .code = "AGREE043",
        .name = "backup-address-alone",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "BackupAddr without BackupController",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), SlurmctldHost; read_config.c:_load_slurmctld_host",
        .bad = "ControlMachine=cp-01\nBackupAddr=10.0.0.2",
        .good = "SlurmctldHost=cp-01\nSlurmctldHost=cp-02(10.0.0.2)",
        PLUMB_COMBO(backup_nameless),
    },
};

const struct plumb_rule_family plumb_agree_hosts_rules = {
    .prefix = "AGREE",
    .title = "Machines that are named in several places",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
