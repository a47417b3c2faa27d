/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about the files beside slurm.conf that surround a job: acct_gather.conf,
 * job_container.conf, helpers.conf, burst_buffer.conf. Which of them counts is said by slurm.conf.
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

/* JOB031: what a plugin cannot do without. */
static void gather_required(const struct plumb_check *ck)
{
    static const struct {
        enum plumb_param_id type;
        const char *plugin;
        enum plumb_param_id key;
    } required[] = {
        {P(ACCTGATHERPROFILETYPE), "hdf5", A(PROFILEHDF5DIR)},
        {P(ACCTGATHERPROFILETYPE), "influxdb", A(PROFILEINFLUXDBHOST)},
        {P(ACCTGATHERPROFILETYPE), "influxdb", A(PROFILEINFLUXDBDATABASE)},
        {P(ACCTGATHERINTERCONNECTTYPE), "sysfs", A(SYSFSINTERFACES)},
    };
    const struct plumb_model *m = ck->model;
    const struct plumb_settings *s = &m->settings[PLUMB_ACCT_GATHER_CONF];

    for (size_t i = 0; m->present[PLUMB_ACCT_GATHER_CONF] && i < PLUMB_COUNT(required); i++) {
        const struct plumb_setting *type = plumb_global(ck, required[i].type);

        if (!loads(type, required[i].plugin) || plumb_setting(s, required[i].key) != NULL ||
            plumb_setting_bad(s, required[i].key))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, type->value.at,
                                   "'%s' needs '%s' in acct_gather.conf, which lacks it",
                                   type->value.text, plumb_param(required[i].key)->name),
                      NULL);
    }
}

/* Private directories are built on these nodes: job_container/tmpfs, later namespace/tmpfs. */
static bool tmpfs(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, P(NAMESPACETYPE));

    if (!ck->model->present[PLUMB_JOB_CONTAINER_CONF])
        return false;
    if (!ck->model->present[PLUMB_SLURM_CONF])
        return true;
    if (s == NULL || ck->model->release < PLUMB_25_11)
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

static const struct plumb_era dirs_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, true},
    {PLUMB_23_02, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
};
static const struct plumb_eras dirs_eras = PLUMB_ERAS(dirs_rows);

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

    if (!tmpfs(ck) || plumb_era_quiet(ck, &dirs_eras))
        return;
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
        plumb_outcome(ck, d, &dirs_eras);
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

/* JOB034: "Config not found in %s. Disabling plugin on this node", at debug level. */
static void left_out(const struct plumb_check *ck)
{
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
    plumb_outcome(ck, d, NULL);
}

/* JOB035 */
static void side_unknown_node(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (!m->present[PLUMB_SLURM_CONF] || m->node_count == 0 ||
        plumb_global(ck, P(MAXNODECOUNT)) != NULL)
        return;
    for (size_t i = 0; i < m->side_line_count; i++) {
        const struct plumb_hostlist *nodes = m->side_lines[i].nodes;
        const struct plumb_hostlist *none =
            nodes == NULL ? NULL
                          : plumb_surely(ck, plumb_hostlist_minus(ck->arena, nodes, m->all_nodes));

        if (none == NULL || none->count == 0)
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

/* The features of a line of helpers.conf; NULL: none. */
static const struct plumb_setting *features_of(const struct plumb_side_line *line)
{
    const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_HELPERSLINE_FEATURE);

    if (line->file != PLUMB_HELPERS_CONF || line->bad)
        return NULL;
    return s != NULL ? s : plumb_setting(&line->settings, PLUMB_P_HELPERS_FEATURE);
}

static const struct plumb_era helper_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_23_02, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
};
static const struct plumb_eras helper_eras = PLUMB_ERAS(helper_rows);

/* Some node reads both lines. */
static bool on_one_node(const struct plumb_check *ck, const struct plumb_side_line *a,
                        const struct plumb_side_line *b)
{
    return a->nodes == NULL || b->nodes == NULL ||
           plumb_hostlist_intersect(ck->scratch, a->nodes, b->nodes)->count > 0;
}

static void compare_helpers(const struct plumb_check *ck, const struct plumb_side_line *line,
                            const struct plumb_side_line *first, const struct plumb_slice *feature)
{
    const struct plumb_setting *mine = plumb_setting(&line->settings, PLUMB_P_HELPERSLINE_HELPER);
    const struct plumb_setting *other = plumb_setting(&first->settings, PLUMB_P_HELPERSLINE_HELPER);

    if (mine == NULL || other == NULL || strcmp(mine->value.text, other->value.text) == 0 ||
        !on_one_node(ck, line, first))
        return;

    struct plumb_diag *d = plumb_report(
        ck, mine->value.at, "feature '%.*s' has the helper '%s' here and '%s' above, expected one",
        (int)feature->len, feature->text, mine->value.text, other->value.text);

    plumb_diag_note(d, other->value.at, "the first helper");
    plumb_outcome(ck, d, &helper_eras);
}

/* JOB038: node_features_helpers.c:_feature_register */
static void two_helpers(const struct plumb_check *ck)
{
    struct plumb_map lines = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < ck->model->side_line_count; i++) {
        const struct plumb_side_line *line = &ck->model->side_lines[i];
        const struct plumb_setting *s = features_of(line);
        struct plumb_list_cursor c = {0};
        struct plumb_slice item;

        while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
            const char *name = plumb_arena_strndup(ck->scratch, item.text, item.len);
            const struct plumb_side_line *first = plumb_map_get(&lines, name);

            if (first == NULL)
                plumb_map_set(&lines, name, (void *)(uintptr_t)line);
            else
                compare_helpers(ck, line, first, &item);
        }
    }
}

/* JOB039: node_features_helpers.c, "already in exclusive list" */
static void exclusive_twice(const struct plumb_check *ck)
{
    const struct plumb_settings *all = &ck->model->settings[PLUMB_HELPERS_CONF];
    const struct plumb_setting *s = NULL;

    while ((s = plumb_setting_next(all, PLUMB_P_HELPERS_MUTUALLYEXCLUSIVE, s)) != NULL) {
        struct plumb_map seen = plumb_map_in(ck->scratch);
        struct plumb_list_cursor c = {0};
        struct plumb_slice item;

        while (plumb_list_next(&s->value, ',', &c, &item)) {
            const char *name = plumb_arena_strndup(ck->scratch, item.text, item.len);

            if (plumb_map_get(&seen, name) != NULL)
                plumb_outcome(ck,
                              plumb_report(ck, item.at,
                                           "feature '%s' stands twice in MutuallyExclusive, "
                                           "expected it once",
                                           name),
                              NULL);
            plumb_map_set(&seen, name, (void *)(uintptr_t)s);
        }
    }
}

#define FROM_MODEL(function) .needs = PLUMB_FACT_MODEL, .run = (function)

static const struct plumb_rule rows[] = {
    {
        .code = "JOB031",
        .name = "gather-key-missing",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "acct_gather.conf lacks a key that the loaded plugin needs",
        .why = "The plugin does not know where to write, or what to read.",
        .ref = "acct_gather.conf(5), ProfileHDF5Dir, ProfileInfluxDBHost, SysfsInterfaces",
        .bad = "AcctGatherProfileType=acct_gather_profile/hdf5\n"
               "# acct_gather.conf\nProfileHDF5Default=None",
        .good = "AcctGatherProfileType=acct_gather_profile/hdf5\n"
                "# acct_gather.conf\nProfileHDF5Dir=/shared/profiles",
        FROM_MODEL(gather_required),
    },
    {
        .code = "JOB032",
        .name = "base-path-in-dirs",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "BasePath of job_container.conf is one of the directories it should replace",
        .why = "The private directory would be mounted over its own source.",
        .ref = "job_container.conf(5), BasePath; read_jcconf.c:_parse_jc_conf_internal",
        .bad = "BasePath=/tmp",
        .good = "BasePath=/local/job",
        FROM_MODEL(base_in_dirs),
    },
    {
        .code = "JOB033",
        .name = "base-path-empty",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "BasePath of job_container.conf is empty",
        .why = "There is nowhere to put the private directories.",
        .ref = "job_container.conf(5), BasePath; read_jcconf.c:_parse_jc_conf_internal",
        .bad = "BasePath=\"\"",
        .good = "BasePath=none",
        FROM_MODEL(base_empty),
    },
    {
        .code = "JOB034",
        .name = "container-node-left-out",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "job_container.conf has no line for a node",
        .why = "The plugin is off there, and jobs of all users share /tmp: slurmd says so at "
               "debug level alone.",
        .ref = "job_container.conf(5), NodeName",
        FROM_MODEL(left_out),
    },
    {
        .code = "JOB035",
        .name = "beside-unknown-node",
        .severity = PLUMB_WARNING,
        .summary = "a line of job_container.conf or helpers.conf is for a node that is not there",
        .why = "Mostly another node was meant, which then has no line.",
        .ref = "job_container.conf(5), NodeName; helpers.conf(5), NodeName",
        FROM_MODEL(side_unknown_node),
    },
    {
        .code = "JOB036",
        .name = "burst-allow-and-deny",
        .severity = PLUMB_WARNING,
        .summary = "AllowUsers beside DenyUsers in burst_buffer.conf",
        .why = "The manual allows one of them.",
        .ref = "burst_buffer.conf(5), AllowUsers, DenyUsers",
        PLUMB_COMBO(burst_users),
    },
    {
        .code = "JOB037",
        .name = "burst-validate-timeout",
        .severity = PLUMB_WARNING,
        .summary = "ValidateTimeout of burst_buffer.conf is not below MessageTimeout",
        .why = "sbatch gives up before slurmctld has an answer.",
        .ref = "burst_buffer.conf(5), ValidateTimeout",
        FROM_MODEL(burst_validate),
    },
    {
        .code = "JOB038",
        .name = "feature-two-helpers",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "helpers.conf gives a feature two helpers",
        .why = "A feature is set by one program; the plugin does not load.",
        .ref = "helpers.conf(5), Feature; node_features_helpers.c:_feature_register",
        .bad = "Feature=nps1 Helper=/usr/libexec/nps\nFeature=nps1 Helper=/usr/libexec/other",
        .good = "Feature=nps1,nps4 Helper=/usr/libexec/nps",
        FROM_MODEL(two_helpers),
    },
    {
        .code = "JOB039",
        .name = "exclusive-feature-twice",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "a feature stands twice in one MutuallyExclusive list of helpers.conf",
        .why = "The list is dropped, so features that exclude each other are given together.",
        .ref = "helpers.conf(5), MutuallyExclusive; node_features_helpers.c",
        .bad = "MutuallyExclusive=nps1,nps1",
        .good = "MutuallyExclusive=nps1,nps4",
        FROM_MODEL(exclusive_twice),
    },
};

const struct plumb_rule_family plumb_beside_rules = {
    .prefix = "JOB",
    .title = "Files beside slurm.conf",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
