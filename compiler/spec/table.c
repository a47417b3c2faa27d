/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The root of the language, what plumb writes without being asked, and walking of the
 * tables. The sections themselves are in table_control.c, table_nodes.c,
 * table_scheduling.c and the like.
 */
#include "spec/table.h"

#include <string.h>

static const struct plumb_spec_key root_keys[] = {
    {
        .name = "plumb",
        .kind = PLUMB_K_NUMBER,
        .required = true,
        .doc = "version of this language: 1",
        .example = "1",
    },
    {
        .name = "cluster",
        .kind = PLUMB_K_NAME,
        .required = true,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_CLUSTERNAME),
        .doc = "name of the cluster, in lower case",
        .why = "it is written into the state of slurmctld and into the database; slurmctld ends "
               "when it changes",
        .example = "production",
    },
    {
        .name = "slurm",
        .kind = PLUMB_K_RELEASE,
        .doc = "release series of Slurm; without it the newest that plumb knows",
        .why = "it decides which parameters exist and what they mean",
        .example = "\"24.11\"",
    },
    {
        .name = "captures",
        .kind = PLUMB_K_ENTRIES,
        .doc = "names for capture folders, to be used in nodes.CLASS.topology",
        .example = "{h100: captures/h100}",
    },
    {
        .name = "control",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_control,
        .required = true,
        .doc = "the controllers and what holds for all daemons",
    },
    {
        .name = "login",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_login,
        .if_given = true,
        .doc = "the login nodes",
    },
    {
        .name = "database",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_database,
        .if_given = true,
        .doc = "slurmdbd and its database; without it there is no accounting",
    },
    {
        .name = "nodes",
        .kind = PLUMB_K_ENTRIES,
        .of = &plumb_spec_nodes,
        .required = true,
        .doc = "classes of equal nodes, by name",
    },
    {
        .name = "partitions",
        .kind = PLUMB_K_ENTRIES,
        .of = &plumb_spec_partition,
        .required = true,
        .doc = "partitions, by name",
    },
    {
        .name = "topology",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_topology,
        .if_given = true,
        .doc = "switches or blocks of the network; without it all nodes are alike",
    },
    {
        .name = "scheduling",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_scheduling,
        .doc = "scheduler, priority, preemption",
    },
    {
        .name = "accounting",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_accounting,
        .doc = "what is counted and enforced",
    },
    {
        .name = "timeouts",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_timeouts,
        .doc = "how long Slurm waits for what",
    },
    {
        .name = "reservations",
        .kind = PLUMB_K_ENTRIES,
        .of = &plumb_spec_reservation,
        .by_flavor = true,
        .for_jobs = true,
        .doc = "reservations, by name",
    },
    {
        .name = "jobs",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_jobs,
        .doc = "what jobs find on the nodes",
    },
    {
        .name = "power_saving",
        .kind = PLUMB_K_ANY,
        .later = true,
        .doc = "nodes that are switched off when idle",
        .example = "none",
    },
    {
        .name = "kubernetes",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_kubernetes,
        .if_given = true,
        .doc = "the operator that runs the cluster: its release, namespace, images, storage",
    },
    {
        .name = "overrides",
        .kind = PLUMB_K_RAW,
        .doc = "raw parameters by file: slurm.conf, gres.conf, cgroup.conf, slurmdbd.conf",
        .why = "they win over what plumb would write, and are checked against the release",
        .example = "{slurm.conf: {MinJobAge: 300}}",
    },
    {
        .name = "ignore",
        .kind = PLUMB_K_MAP,
        .of = &plumb_spec_ignore,
        .list = true,
        .doc = "accepted findings, each with a reason",
        .why = "an entry that silences nothing is a finding itself",
        .example = "[{rule: sched-decay-long, reason: \"tuned over fortnights\"}]",
    },
};

const struct plumb_spec_table plumb_spec_root = {
    .title = "the specification", .keys = root_keys, .count = PLUMB_COUNT(root_keys)};

const struct plumb_spec_constant plumb_spec_constants[] = {
    {
        .id = PLUMB_P_SLURM_PROCTRACKTYPE,
        .value = "proctrack/cgroup",
        .why = "processes that leave their session are found and killed",
    },
    {
        .id = PLUMB_P_SLURM_TASKPLUGIN,
        .value = "task/cgroup,task/affinity",
        .why = "cgroup confines, affinity binds; 22.05 keeps this order, later releases sort so",
    },
    {
        .id = PLUMB_P_SLURM_PROLOGFLAGS,
        .value = "Contain",
        .why = "gives every job a cgroup from its start, which pam_slurm_adopt needs",
    },
    {
        .id = PLUMB_P_SLURM_SELECTTYPE,
        .value = "select/cons_tres",
        .why = "the only plugin that hands out GPUs; the default before 23.11 is select/linear",
    },
    {
        .id = PLUMB_P_SLURM_JOBACCTGATHERTYPE,
        .with_database = true,
        .value = "jobacct_gather/cgroup",
        .why = "reads what a job uses from the cgroups that confine it",
    },
    {
        .id = PLUMB_P_SLURM_ACCOUNTINGSTORAGETYPE,
        .with_database = true,
        .value = "accounting_storage/slurmdbd",
        .why = "the way from slurmctld to the database",
    },
    {
        .id = PLUMB_P_DBD_STORAGETYPE,
        .with_database = true,
        .value = "accounting_storage/mysql",
        .why = "slurmdbd ends without it",
    },
    {
        .id = PLUMB_P_CGROUP_CONSTRAINCORES,
        .value = "yes",
        .why = "a job uses its cores and no others",
    },
    {
        .id = PLUMB_P_CGROUP_CONSTRAINDEVICES,
        .value = "yes",
        .why = "a job sees its GPUs and no others",
    },
    {
        .id = PLUMB_P_CGROUP_CONSTRAINRAMSPACE,
        .value = "yes",
        .why = "a job that outgrows its memory is killed alone",
    },
};

const size_t plumb_spec_constant_count = PLUMB_COUNT(plumb_spec_constants);

static const struct plumb_spec_key host_keys[] = {
    {.name = "name",
     .kind = PLUMB_K_NAME,
     .required = true,
     .doc = "what the machine calls itself"},
    {.name = "address", .kind = PLUMB_K_NAME, .address = true, .doc = "where the others reach it"},
};

static const struct plumb_spec_table host_table = {
    .title = "host", .keys = host_keys, .count = PLUMB_COUNT(host_keys)};

static const struct plumb_spec_key secret_keys[] = {
    {.name = "secret",
     .kind = PLUMB_K_NAME,
     .required = true,
     .doc = "name of the secret",
     .example = "slurm-db"},
    {.name = "key", .kind = PLUMB_K_NAME, .doc = "key inside the secret", .example = "password"},
};

static const struct plumb_spec_table secret_table = {
    .title = "secret", .keys = secret_keys, .count = PLUMB_COUNT(secret_keys)};

const struct plumb_spec_table *plumb_spec_inside(const struct plumb_spec_key *row)
{
    if (row->kind == PLUMB_K_HOST)
        return &host_table;
    if (row->kind == PLUMB_K_SECRET)
        return &secret_table;
    return row->of;
}

static const char *const kind_names[] = {
    [PLUMB_K_TEXT] = "text",
    [PLUMB_K_NAME] = "a name",
    [PLUMB_K_PATH] = "an absolute path",
    [PLUMB_K_RELEASE] = "a release series",
    [PLUMB_K_HOSTS] = "a host list",
    [PLUMB_K_HOST] = "a host",
    [PLUMB_K_NUMBER] = "a whole number",
    [PLUMB_K_DECIMAL] = "a number",
    [PLUMB_K_BOOL] = "true or false",
    [PLUMB_K_SIZE] = "a size",
    [PLUMB_K_DURATION] = "a duration",
    [PLUMB_K_AGE] = "an age",
    [PLUMB_K_WORD] = "a word",
    [PLUMB_K_CORES] = "a count or a list of cores",
    [PLUMB_K_SECRET] = "a reference to a secret",
    [PLUMB_K_MAP] = "a mapping",
    [PLUMB_K_ENTRIES] = "a mapping",
    [PLUMB_K_RAW] = "a mapping of Slurm parameters",
    [PLUMB_K_ANY] = "anything",
};

static const char *const unit_names[] = {
    [PLUMB_U_NONE] = "",           [PLUMB_U_MICROSECONDS] = "microseconds",
    [PLUMB_U_SECONDS] = "seconds", [PLUMB_U_MINUTES] = "minutes",
    [PLUMB_U_MIB] = "MiB",
};

const char *plumb_spec_kind_name(enum plumb_spec_kind k)
{
    return kind_names[k];
}

const char *plumb_spec_unit_name(enum plumb_spec_unit u)
{
    return unit_names[u];
}

const struct plumb_spec_key *plumb_spec_find(const struct plumb_spec_table *t, const char *name)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->keys[i].name, name) == 0)
            return &t->keys[i];
    }
    return t->other;
}

/* The row of text[0, len), which need not end in NUL. */
static const struct plumb_spec_key *find_part(const struct plumb_spec_table *t, const char *text,
                                              size_t len, bool others)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strlen(t->keys[i].name) == len && memcmp(t->keys[i].name, text, len) == 0)
            return &t->keys[i];
    }
    return others && len > 0 ? t->other : NULL;
}

const struct plumb_spec_key *plumb_spec_lookup(const char *path, const struct plumb_spec_table **in,
                                               size_t *at)
{
    const struct plumb_spec_table *table = &plumb_spec_root;
    const struct plumb_spec_key *row = NULL;
    bool entry = false; /* the next part may be the name of an entry */
    const char *part = path;

    for (;;) {
        size_t len = strcspn(part, ".");
        const struct plumb_spec_key *next =
            table == NULL ? NULL : find_part(table, part, len, true);

        *in = table;
        *at = (size_t)(part - path);
        if (next == NULL && !entry)
            return NULL;
        if (next != NULL) {
            row = next;
            table = plumb_spec_inside(next);
            entry = next->kind == PLUMB_K_ENTRIES;
        } else {
            entry = false;
        }
        if (part[len] == '\0')
            return row;
        part += len + 1;
    }
}
