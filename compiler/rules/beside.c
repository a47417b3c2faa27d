/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about the files beside slurm.conf that surround a job: acct_gather.conf,
 * job_container.conf, burst_buffer.conf. Which of them counts is said by slurm.conf.
 */
#include <string.h>

#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name
#define A(name) PLUMB_P_ACCTGATHER_##name

/* A comma list of plugins names one, with or without its kind. */
static bool loads(const struct plumb_setting *s, const char *plugin)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (s != NULL && plugin != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        if (plumb_is_plugin(&item, plugin))
            return true;
    }
    return false;
}

static bool lacks(const struct plumb_settings *s, enum plumb_param_id key)
{
    return plumb_setting(s, key) == NULL && !plumb_setting_bad(s, key);
}

/* JOB031: what a plugin cannot do without. */
static void gather_required(const struct plumb_check *ck)
{
    static const struct {
        enum plumb_param_id type;
        const char *plugin;
        enum plumb_param_id key;
        enum plumb_trait_id trait; /* of the releases that want it; PLUMB_TRAIT_COUNT: all */
    } required[] = {
        {P(ACCTGATHERPROFILETYPE), "hdf5", A(PROFILEHDF5DIR), PLUMB_TRAIT_COUNT},
        {P(ACCTGATHERPROFILETYPE), "influxdb", A(PROFILEINFLUXDBHOST), PLUMB_TRAIT_COUNT},
        {P(ACCTGATHERPROFILETYPE), "influxdb", A(PROFILEINFLUXDBDATABASE), PLUMB_TRAIT_COUNT},
        {P(ACCTGATHERPROFILETYPE), "influxdb", A(PROFILEINFLUXDBRTPOLICY),
         PLUMB_TRAIT_INFLUXDB_NEEDS_RETENTION_POLICY},
    };
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; m->present[PLUMB_ACCT_GATHER_CONF] && i < PLUMB_COUNT(required); i++) {
        const struct plumb_setting *type = plumb_global(ck, required[i].type);

        if (!loads(type, required[i].plugin) ||
            !lacks(&m->settings[PLUMB_ACCT_GATHER_CONF], required[i].key) ||
            (required[i].trait != PLUMB_TRAIT_COUNT && !plumb_has_trait(ck, required[i].trait)))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, type->value.at,
                                   "'%s' needs '%s' in acct_gather.conf, which lacks it",
                                   type->value.text, plumb_param(required[i].key)->name),
                      NULL);
    }
}

/* JOB116: the plugin takes the lack as a wish to measure nothing. */
static void nothing_polled(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *type = plumb_global(ck, P(ACCTGATHERINTERCONNECTTYPE));

    if (!m->present[PLUMB_ACCT_GATHER_CONF] || !loads(type, "sysfs") ||
        !lacks(&m->settings[PLUMB_ACCT_GATHER_CONF], A(SYSFSINTERFACES)))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, type->value.at,
                               "acct_gather_interconnect/sysfs measures no interface, as "
                               "acct_gather.conf lacks 'SysfsInterfaces', expected the names of "
                               "some"),
                  NULL);
}

/* Private directories are built on these nodes: job_container/tmpfs, later namespace/tmpfs. */
static bool tmpfs(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(NAMESPACETYPE));

    if (!ck->model->present[PLUMB_JOB_CONTAINER_CONF])
        return false;
    if (!ck->model->present[PLUMB_SLURM_CONF])
        return true;
    if (s == NULL || !plumb_knows(ck, P(NAMESPACETYPE)))
        s = plumb_global(ck, P(JOBCONTAINERTYPE));
    return s != NULL && plumb_is_plugin(&s->value, "tmpfs");
}

static bool is_container(const struct plumb_side_line *line)
{
    return line->file == PLUMB_JOB_CONTAINER_CONF && line->settings.count > 0;
}

/* BasePath of a line: its own key, or the one that begins it. */
static const struct plumb_setting *base_of(const struct plumb_side_line *line)
{
    const struct plumb_setting *s =
        plumb_setting(&line->settings, PLUMB_P_JOBCONTAINERLINE_BASEPATH);

    return s != NULL ? s : plumb_setting(&line->settings, PLUMB_P_JOBCONTAINER_BASEPATH);
}

/* 22.05: BasePath that begins a line is neither of the two directories, nor below one. */
static bool in_fixed_dirs(const struct plumb_setting *base)
{
    static const char *const fixed[] = {"/tmp", "/dev/shm"};

    for (size_t i = 0; i < PLUMB_COUNT(fixed); i++) {
        size_t len = strlen(fixed[i]);

        if (base->value.len >= len && memcmp(base->value.text, fixed[i], len) == 0 &&
            (base->value.len == len || base->value.text[len] == '/'))
            return true;
    }
    return false;
}

static void base_in_fixed_dirs(const struct plumb_check *ck)
{
    for (size_t i = 0; i < ck->model->side_line_count; i++) {
        const struct plumb_side_line *line = &ck->model->side_lines[i];
        const struct plumb_setting *base =
            is_container(line) ? plumb_setting(&line->settings, PLUMB_P_JOBCONTAINER_BASEPATH)
                               : NULL;

        if (base == NULL || !in_fixed_dirs(base))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, base->value.at,
                                   "BasePath '%s' is in a directory that it should replace, "
                                   "expected one apart from /tmp and /dev/shm",
                                   base->value.text),
                      NULL);
    }
}

/* The directory that begins with the path, as _parse_jc_conf_internal compares them. */
static bool begins_one(const struct plumb_slice *dirs, const struct plumb_slice *base,
                       struct plumb_slice *found)
{
    struct plumb_list_cursor c = {0};

    while (plumb_list_next(dirs, ',', &c, found)) {
        if (found->len >= base->len && memcmp(found->text, base->text, base->len) == 0)
            return true;
    }
    return false;
}

/* JOB032: read_jcconf.c, "cannot also be in Dirs" */
static void base_in_dirs(const struct plumb_check *ck)
{
    static const char defaults[] = "/tmp,/dev/shm"; /* SLURM_TMPFS_DEF_DIRS */
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *all = plumb_global(ck, PLUMB_P_JOBCONTAINER_DIRS);

    if (!tmpfs(ck))
        return;
    if (!plumb_has_trait(ck, PLUMB_TRAIT_CONTAINER_DIRS)) {
        base_in_fixed_dirs(ck);
        return;
    }
    for (size_t i = 0; i < m->side_line_count; i++) {
        const struct plumb_side_line *line = &m->side_lines[i];
        const struct plumb_setting *base = is_container(line) ? base_of(line) : NULL;
        const struct plumb_setting *dirs =
            plumb_setting(&line->settings, PLUMB_P_JOBCONTAINERLINE_DIRS);
        struct plumb_slice list = {.text = defaults, .len = sizeof(defaults) - 1}, dir;

        dirs = dirs != NULL ? dirs : all;
        list = dirs != NULL ? dirs->value : list;
        if (base == NULL || base->value.len == 0 || !begins_one(&list, &base->value, &dir))
            continue;

        struct plumb_diag *d =
            plumb_report(ck, base->value.at,
                         "BasePath '%s' is, or holds, the directory '%.*s' that it should replace, "
                         "expected a directory apart from %s",
                         base->value.text, (int)dir.len, dir.text,
                         dirs != NULL ? "Dirs" : "the default Dirs, /tmp and /dev/shm");

        if (dirs != NULL)
            plumb_diag_note(d, dir.at, "the directory");
        plumb_outcome(ck, d, NULL);
    }
}

/* JOB033 */
static void base_empty(const struct plumb_check *ck)
{
    for (size_t i = 0; tmpfs(ck) && i < ck->model->side_line_count; i++) {
        const struct plumb_side_line *line = &ck->model->side_lines[i];
        const struct plumb_setting *base = is_container(line) ? base_of(line) : NULL;

        if (base != NULL && base->value.len == 0)
            plumb_outcome(ck,
                          plumb_report(ck, base->key_at, "BasePath is empty, expected a directory"),
                          NULL);
    }
}

/* JOB034: "Config not found in %s. Disabling plugin on this node", at debug level; up to 23.02 it
 * ends. */
static void left_out(const struct plumb_check *ck)
{
    static const struct plumb_era eras_rows[] = {
        {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
        {PLUMB_23_11, PLUMB_WARNING, PLUMB_EFFECT_IGNORED, PLUMB_SLURMD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(eras_rows);
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist covered = {0};
    const struct plumb_hostlist *left = NULL;

    if (!tmpfs(ck) || m->node_count == 0)
        return;
    for (size_t i = 0; i < m->side_line_count; i++) {
        const struct plumb_side_line *line = &m->side_lines[i];

        if (line->file != PLUMB_JOB_CONTAINER_CONF)
            continue;
        if (line->nodes == NULL) /* BasePath= for every node, or nobody knows */
            return;
        plumb_hostlist_append(ck->scratch, &covered, line->nodes);
    }
    left = plumb_hostlist_minus(ck->arena, m->all_nodes, &covered);
    if (left->count == 0)
        return;

    struct plumb_diag *d =
        plumb_report(ck, m->file_at[PLUMB_JOB_CONTAINER_CONF],
                     "no line is for '%s', expected one: jobs there share their directories",
                     plumb_fold_hosts(ck, left));

    plumb_diag_note(d, left->ranges[0].at, "the first of them");
    plumb_fold_object(ck, d, left);
    plumb_outcome(ck, d, &eras);
}

/* JOB035 */
static void side_unknown_node(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (!m->present[PLUMB_SLURM_CONF] || m->node_count == 0 ||
        plumb_global(ck, P(MAXNODECOUNT)) != NULL)
        return;
    for (size_t i = 0; i < m->side_line_count; i++) {
        const struct plumb_hostlist *none = plumb_no_nodes(ck, m->side_lines[i].nodes);

        if (none->count == 0)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, none->ranges[0].at, "'%s' is no node of slurm.conf, expected one",
                         plumb_fold_hosts(ck, none));

        plumb_fold_object(ck, d, none);
        plumb_outcome(ck, d, NULL);
    }
}

/* JOB036: facts of burst_buffer.conf(5) */
static const struct plumb_combo users[] = {
    {.when = {{PLUMB_P_BURSTBUFFER_ALLOWUSERS, PLUMB_TEST_SET, NULL},
              {PLUMB_P_BURSTBUFFER_DENYUSERS, PLUMB_TEST_SET, NULL}},
     .message = "AllowUsers and DenyUsers are both set, expected one of them"},
};
static const struct plumb_combos burst_users = {.items = users, .count = PLUMB_COUNT(users)};

/* JOB037: burst_buffer.conf(5), ValidateTimeout; datawarp alone reads it. */
static void burst_validate(const struct plumb_check *ck)
{
    const struct plumb_setting *plugin = plumb_global(ck, P(BURSTBUFFERTYPE));
    struct plumb_u64 validate = plumb_global_u64(ck, PLUMB_P_BURSTBUFFER_VALIDATETIMEOUT);
    struct plumb_u64 message = plumb_global_u64(ck, P(MESSAGETIMEOUT));

    if (!plumb_written(validate) || !plumb_usable(message) || validate.v < message.v ||
        plugin == NULL || !plumb_is_plugin(&plugin->value, "datawarp"))
        return;

    struct plumb_diag *d =
        plumb_report(ck, validate.at,
                     "ValidateTimeout is %llu seconds, expected less than the "
                     "%llu of MessageTimeout, or commands give up first",
                     (unsigned long long)validate.v, (unsigned long long)message.v);

    if (plumb_written(message))
        plumb_diag_note(d, message.at, "MessageTimeout");
}

#define FROM_MODEL(function) .needs = PLUMB_FACT_MODEL, .run = (function)

static const struct plumb_rule rows[] = {
    {
        .code = "JOB031",
        .name = "gather-key-missing",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "acct_gather.conf lacks a key that the loaded plugin needs",
        .why = "The plugin does not know where to write.",
        .ref = "acct_gather.conf(5), ProfileHDF5Dir, ProfileInfluxDBHost; "
               "acct_gather_profile_hdf5.c, acct_gather_profile_influxdb.c: "
               "acct_gather_profile_p_conf_set",
        .bad = "AcctGatherProfileType=acct_gather_profile/hdf5\n"
               "# acct_gather.conf\nProfileHDF5Default=None",
        .good = "AcctGatherProfileType=acct_gather_profile/hdf5\n"
                "# acct_gather.conf\nProfileHDF5Dir=/shared/profiles",
        FROM_MODEL(gather_required),
    },
    {
        .code = "JOB116",
        .name = "gather-no-interface",
        PLUMB_OUTCOME(WARNING, NONE, SLURMD),
        .summary = "AcctGatherInterconnectType=sysfs without SysfsInterfaces",
        .why = "Jobs show no network traffic, and no daemon says why.",
        .ref = "acct_gather.conf(5), SysfsInterfaces; "
               "acct_gather_interconnect_sysfs.c:acct_gather_interconnect_p_conf_set",
        .bad = "AcctGatherInterconnectType=acct_gather_interconnect/sysfs\n"
               "# acct_gather.conf\n# nothing",
        .good = "AcctGatherInterconnectType=acct_gather_interconnect/sysfs\n"
                "# acct_gather.conf\nSysfsInterfaces=eth0",
        FROM_MODEL(nothing_polled),
    },
    {
        .code = "JOB032",
        .name = "base-path-in-dirs",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "BasePath of job_container.conf is one of the directories it should replace",
        .why = "The private directory would be mounted over its own source.",
        .ref = "job_container.conf(5), BasePath; read_jcconf.c:_parse_jc_conf_internal",
        .bad = "JobContainerType=job_container/tmpfs\n"
               "PrologFlags=Contain\n"
               "# job_container.conf\n"
               "BasePath=/tmp",
        .good = "JobContainerType=job_container/tmpfs\n"
                "PrologFlags=Contain\n"
                "# job_container.conf\n"
                "BasePath=/local/job",
        FROM_MODEL(base_in_dirs),
    },
    {
        .code = "JOB033",
        .name = "base-path-empty",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "BasePath of job_container.conf is empty",
        .why = "There is nowhere to put the private directories.",
        .ref = "job_container.conf(5), BasePath; read_jcconf.c:_parse_jc_conf_internal",
        .bad = "JobContainerType=job_container/tmpfs\n"
               "PrologFlags=Contain\n"
               "# job_container.conf\n"
               "BasePath=\"\"",
        .good = "JobContainerType=job_container/tmpfs\n"
                "PrologFlags=Contain\n"
                "# job_container.conf\n"
                "BasePath=none",
        FROM_MODEL(base_empty),
    },
    {
        .code = "JOB034",
        .name = "container-node-left-out",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "job_container.conf has no line for a node",
        .why = "The plugin is off there, and jobs of all users share /tmp: slurmd says so at "
               "debug level alone. Up to 23.02 slurmd ends.",
        .ref = "job_container.conf(5), NodeName",
        .bad = "JobContainerType=job_container/tmpfs\n"
               "PrologFlags=Contain\n"
               "NodeName=n[1-4]\n"
               "# job_container.conf\n"
               "NodeName=n[1-3] BasePath=/local",
        .good = "JobContainerType=job_container/tmpfs\n"
                "PrologFlags=Contain\n"
                "NodeName=n[1-4]\n"
                "# job_container.conf\n"
                "NodeName=n[1-4] BasePath=/local",
        FROM_MODEL(left_out),
    },
    {
        .code = "JOB035",
        .name = "beside-unknown-node",
        .severity = PLUMB_WARNING,
        .summary = "a line of job_container.conf or helpers.conf is for a node that is not there",
        .why = "Mostly another node was meant, which then has no line.",
        .ref = "job_container.conf(5), NodeName; helpers.conf(5), NodeName",
        .bad = "JobContainerType=job_container/tmpfs\n"
               "PrologFlags=Contain\n"
               "NodeName=n[1-4]\n"
               "# job_container.conf\n"
               "NodeName=n[1-5] BasePath=/local",
        .good = "JobContainerType=job_container/tmpfs\n"
                "PrologFlags=Contain\n"
                "NodeName=n[1-4]\n"
                "# job_container.conf\n"
                "NodeName=n[1-4] BasePath=/local",
        FROM_MODEL(side_unknown_node),
    },
    {
        .code = "JOB036",
        .name = "burst-allow-and-deny",
        .severity = PLUMB_WARNING,
        .summary = "AllowUsers beside DenyUsers in burst_buffer.conf",
        .why = "The manual allows one of them.",
        .ref = "burst_buffer.conf(5), AllowUsers, DenyUsers",
        .bad = "BurstBufferType=burst_buffer/datawarp\n"
               "# burst_buffer.conf\n"
               "AllowUsers=ann\n"
               "DenyUsers=bob",
        .good = "BurstBufferType=burst_buffer/datawarp\n"
                "# burst_buffer.conf\n"
                "AllowUsers=ann",
        PLUMB_COMBO(burst_users),
    },
    {
        .code = "JOB037",
        .name = "burst-validate-timeout",
        .severity = PLUMB_WARNING,
        .summary = "ValidateTimeout of burst_buffer.conf is not below MessageTimeout",
        .why = "sbatch gives up before slurmctld has an answer.",
        .ref = "burst_buffer.conf(5), ValidateTimeout",
        .bad = "BurstBufferType=burst_buffer/datawarp\n"
               "# burst_buffer.conf\n"
               "ValidateTimeout=10   # MessageTimeout is 10",
        .good = "BurstBufferType=burst_buffer/datawarp\n"
                "# burst_buffer.conf\n"
                "ValidateTimeout=5",
        FROM_MODEL(burst_validate),
    },
};

const struct plumb_rule_family plumb_beside_rules = {
    .prefix = "JOB",
    .title = "Files beside slurm.conf",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
