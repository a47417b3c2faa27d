/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about secrets, permissions and who can reach what. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* SEC001: slurmdbd.c:read_slurmdbd_conf looks at the mode before it reads. */
static void dbd_mode(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    uint32_t mode = m->file_mode[PLUMB_SLURMDBD_CONF];
    bool group_may_read = plumb_has_trait(ck, PLUMB_TRAIT_SLURMDBD_CONF_FOR_GROUP);

    if (!m->present[PLUMB_SLURMDBD_CONF] || mode == 0 || mode == 0600 ||
        (group_may_read && mode == 0640))
        return;

    struct plumb_diag *d =
        plumb_report(ck, m->file_at[PLUMB_SLURMDBD_CONF],
                     "slurmdbd.conf has mode %04" PRIo32 ", expected 0600%s where it is installed",
                     mode, group_may_read ? " or 0640" : "");

    /* In a checkout every file has such a mode; a password in it is open there as well. */
    if (plumb_global(ck, PLUMB_P_DBD_STORAGEPASS) != NULL && (mode & 0044) != 0)
        plumb_diag_severity(d, PLUMB_WARNING);

    plumb_diag_fact(d,
                    "slurmdbd %s does not start with another mode, or when the file is not "
                    "SlurmUser's",
                    plumb_series(ck));
}

/* SEC002: slurm.conf is readable by every user. */
static void public_password(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(JOBCOMPPASS), P(ACCOUNTINGSTORAGEPASS)};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_setting *s = plumb_global(ck, ids[i]);

        /* With slurmdbd the "password" is the path of a munge socket. */
        if (s == NULL || s->value.len == 0 || s->value.text[0] == '/')
            continue;
        plumb_report(ck, s->value.at,
                     "the password in %s is public, as slurm.conf must be readable by every user",
                     plumb_param(ids[i])->name);
    }
}

/* SEC009: uid.c:uid_from_string may give no number for this name. */
static void user_nobody(const struct plumb_check *ck)
{
    static const struct {
        enum plumb_param_id id;
        unsigned daemons;
    } users[] = {
        {P(SLURMUSER), PLUMB_SLURM_ALL},
        {P(SLURMDUSER), PLUMB_SLURM_ALL},
        {PLUMB_P_DBD_SLURMUSER, PLUMB_SLURMDBD},
    };

    for (size_t i = 0; plumb_has_trait(ck, PLUMB_TRAIT_NOBODY_IS_NO_USER) && i < PLUMB_COUNT(users);
         i++) {
        const struct plumb_setting *s = plumb_global(ck, users[i].id);

        if (s != NULL && plumb_slice_is_exact(&s->value, "nobody"))
            plumb_outcome_is(ck,
                             plumb_report(ck, s->value.at,
                                          "%s is 'nobody', a name that Slurm keeps for itself, "
                                          "expected another user",
                                          s->param->name),
                             PLUMB_ERROR, PLUMB_EFFECT_STOPS, users[i].daemons);
    }
}

static bool is_dir(const struct plumb_slice *v, const char *dir)
{
    uint32_t len = v->len;

    while (len > 1 && v->text[len - 1] == '/')
        len--;
    return len == (uint32_t)strlen(dir) && plumb_equal_nocase(v->text, dir, len);
}

/* SEC003 and SEC004: what every user may write, and what a boot cleans. */
static const char *const open_dirs[] = {"/tmp", "/var/tmp", "/dev/shm"};

static const char *open_dir_of(const struct plumb_slice *v, bool *below)
{
    for (size_t i = 0; i < PLUMB_COUNT(open_dirs); i++) {
        size_t len = strlen(open_dirs[i]);

        *below = v->len > len && v->text[len] == '/' && !is_dir(v, open_dirs[i]);
        if (is_dir(v, open_dirs[i]) || (plumb_starts_with(v->text, open_dirs[i]) && *below))
            return open_dirs[i];
    }
    return NULL;
}

static void world_writable(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(STATESAVELOCATION), P(SLURMDSPOOLDIR)};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_setting *s = plumb_global(ck, ids[i]);
        bool below = false;

        if (s == NULL || open_dir_of(&s->value, &below) == NULL || below)
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, s->value.at,
                                   "%s is '%s', where every user may write, expected a directory "
                                   "of SlurmUser",
                                   plumb_param(ids[i])->name, s->value.text),
                      NULL);
    }
}

static void cleaned_at_boot(const struct plumb_check *ck)
{
    static const enum plumb_param_id ids[] = {P(STATESAVELOCATION), P(SLURMDSPOOLDIR)};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_setting *s = plumb_global(ck, ids[i]);
        bool below = false;
        const char *dir = s != NULL ? open_dir_of(&s->value, &below) : NULL;

        if (dir == NULL || !below)
            continue;
        plumb_report(ck, s->value.at, "%s '%s' is under '%s', which is cleaned at boot or by age",
                     plumb_param(ids[i])->name, s->value.text, dir);
    }
}

/* SEC005: nothing is to be found under the default of SlurmUser. */
static void state_default(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *user = plumb_global(ck, P(SLURMUSER));

    if (!m->present[PLUMB_SLURM_CONF] || plumb_global(ck, P(STATESAVELOCATION)) != NULL ||
        plumb_setting_bad(plumb_slurm(m), P(STATESAVELOCATION)) || user == NULL ||
        plumb_slice_is_exact(&user->value, "root") || plumb_slice_is_exact(&user->value, "0"))
        return;

    struct plumb_diag *d =
        plumb_report(ck, m->file_at[PLUMB_SLURM_CONF],
                     "StateSaveLocation is not set and defaults to '/var/spool', which '%s' may "
                     "not write, expected a directory of that user",
                     user->value.text);

    plumb_diag_note(d, user->value.at, "SlurmUser");
}

static const struct plumb_combo mcs_params[] = {
    {.when = {{P(MCSPARAMETERS), PLUMB_TEST_SET, NULL}, {P(MCSPLUGIN), PLUMB_TEST_UNSET, NULL}},
     .message = "MCSParameters is set, but MCSPlugin is not, expected both"},
};
static const struct plumb_combos mcs_no_plugin = {.items = mcs_params,
                                                  .count = PLUMB_COUNT(mcs_params)};
static const struct plumb_combo mcs_none[] = {
    {.when = {{P(MCSPARAMETERS), PLUMB_TEST_SET, NULL}, {P(MCSPLUGIN), PLUMB_TEST_IS, "none"}},
     .message = "MCSParameters counts for nothing with 'mcs/none', expected another MCSPlugin"},
};
static const struct plumb_era mcs_eras[] = {
    {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_IGNORED, PLUMB_SLURM_ALL, false}, /* told as info */
    {PLUMB_23_02, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_combos mcs_off = {
    .items = mcs_none, .count = PLUMB_COUNT(mcs_none), .eras = PLUMB_ERAS(mcs_eras)};
static const struct plumb_combo mcs_group[] = {
    {.when = {{P(MCSPLUGIN), PLUMB_TEST_IS, "group"}, {P(MCSPARAMETERS), PLUMB_TEST_UNSET, NULL}},
     .message = "'mcs/group' needs its groups in MCSParameters, which is not set"},
};
static const struct plumb_combos mcs_no_groups = {.items = mcs_group,
                                                  .count = PLUMB_COUNT(mcs_group)};

static const struct plumb_rule rows[] = {
    {
        .code = "SEC001",
        .name = "dbd-conf-mode",
        PLUMB_OUTCOME(INFO, NONE, SLURMDBD),
        .summary = "slurmdbd.conf has a mode that slurmdbd refuses",
        .why = "The file holds the password of the database; slurmdbd refuses it unless only its "
               "user may read it.",
        .ref = "slurmdbd.conf(5), DESCRIPTION; slurmdbd/read_config.c:read_slurmdbd_conf",
        .bad = "# chmod 644 slurmdbd.conf\n"
               "# slurmdbd.conf\n"
               "DbdHost=db-01\n"
               "StorageType=accounting_storage/mysql",
        .good = "# chmod 600 slurmdbd.conf\n"
                "# slurmdbd.conf\n"
                "DbdHost=db-01\n"
                "StorageType=accounting_storage/mysql",
        .needs = PLUMB_FACT_MODEL,
        .run = dbd_mode,
    },
    {
        .code = "SEC002",
        .name = "password-in-slurm-conf",
        .secret = true,
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "a password in slurm.conf",
        .why = "Anyone with a login can write to the database.",
        .ref = "slurm.conf(5), FILE AND DIRECTORY PERMISSIONS",
        .bad = "JobCompType=jobcomp/mysql\n"
               "JobCompPass=hunter2",
        .good = "JobCompType=jobcomp/script\n"
                "JobCompLoc=/usr/libexec/job-completed",
        .needs = PLUMB_FACT_MODEL,
        .run = public_password,
    },
    {
        .code = "SEC003",
        .name = "state-world-writable",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "StateSaveLocation or SlurmdSpoolDir is a directory that anyone may write",
        .why = "Any user can replace jobs and credentials.",
        .ref = "slurm.conf(5), StateSaveLocation; slurmctld/read_config.c:_stat_slurm_dirs",
        .bad = "StateSaveLocation=/tmp",
        .good = "StateSaveLocation=/var/spool/slurmctld",
        .needs = PLUMB_FACT_MODEL,
        .run = world_writable,
    },
    {
        .code = "SEC004",
        .name = "state-cleaned-at-boot",
        PLUMB_OUTCOME(WARNING, NONE, SLURM_ALL),
        .summary = "StateSaveLocation or SlurmdSpoolDir lies under a temporary directory",
        .why = "A boot, or a cleaner, removes the queue or the scripts of running jobs.",
        .ref = "slurm.conf(5), StateSaveLocation, SlurmdSpoolDir",
        .bad = "SlurmdSpoolDir=/tmp/slurmd",
        .good = "SlurmdSpoolDir=/var/spool/slurmd",
        .needs = PLUMB_FACT_MODEL,
        .run = cleaned_at_boot,
    },
    {
        .code = "SEC005",
        .name = "state-location-default",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "StateSaveLocation is not set although SlurmUser is not root",
        .why = "slurmctld ends: it may not write to /var/spool.",
        .ref = "slurm.conf(5), StateSaveLocation; controller.c:set_slurmctld_state_loc",
        .bad = "# slurm.conf\n"
               "ClusterName=demo\n"
               "SlurmctldHost=cp-01\n"
               "SlurmUser=slurm\n"
               "NodeName=c[1-4] CPUs=32\n"
               "PartitionName=p Nodes=ALL Default=YES",
        .good = "# slurm.conf\n"
                "ClusterName=demo\n"
                "SlurmctldHost=cp-01\n"
                "SlurmUser=slurm\n"
                "StateSaveLocation=/var/spool/slurmctld\n"
                "NodeName=c[1-4] CPUs=32\n"
                "PartitionName=p Nodes=ALL Default=YES",
        .needs = PLUMB_FACT_MODEL,
        .run = state_default,
    },
    {
        .code = "SEC006",
        .name = "mcs-parameters-without-plugin",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "MCSParameters without MCSPlugin",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), MCSParameters; read_config.c:_validate_and_set_defaults",
        .bad = "MCSParameters=enforced,select",
        .good = "MCSPlugin=mcs/user\n"
                "MCSParameters=enforced,select",
        PLUMB_COMBO(mcs_no_plugin),
    },
    {
        .code = "SEC007",
        .name = "mcs-parameters-with-none",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "MCSParameters with mcs/none",
        .why = "Jobs and nodes are not separated.",
        .ref = "slurm.conf(5), MCSParameters; read_config.c:_validate_and_set_defaults",
        .bad = "MCSPlugin=mcs/none\n"
               "MCSParameters=enforced,select",
        .good = "MCSPlugin=mcs/user\n"
                "MCSParameters=enforced,select",
        PLUMB_COMBO(mcs_off),
    },
    {
        .code = "SEC008",
        .name = "mcs-group-without-parameters",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "MCSPlugin=mcs/group without MCSParameters",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), MCSPlugin; read_config.c:_validate_and_set_defaults",
        .bad = "MCSPlugin=mcs/group",
        .good = "MCSPlugin=mcs/group\n"
                "MCSParameters=enforced,select:research|finance",
        PLUMB_COMBO(mcs_no_groups),
    },
    {
        .code = "SEC009",
        .name = "user-nobody",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "SlurmUser or SlurmdUser is nobody",
        .why = "Up to 25.05 the user nobody of the system was taken; from 25.11 on every daemon "
               "and command refuses the file.",
        .ref = "slurm.conf(5), SlurmUser; uid.c:uid_from_string, SLURM_AUTH_NOBODY_NAME",
        .bad = "SlurmUser=nobody",
        .good = "SlurmUser=slurm",
        .needs = PLUMB_FACT_MODEL,
        .run = user_nobody,
    },
};

const struct plumb_rule_family plumb_sec_rules = {
    .prefix = "SEC",
    .title = "Secrets, permissions, reachability",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
