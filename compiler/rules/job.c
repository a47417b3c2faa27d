/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about what surrounds a job: prolog flags, process tracking, task plugins and their
 * cgroup limits, name spaces. Nearly all are combinations of settings, so nearly all is data.
 */
#include "base/text.h"
#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name
#define C(name) PLUMB_P_CGROUP_##name

/* _validate_and_set_defaults: flags that imply Contain count as Contain. */
static const struct plumb_combo nohold[] = {
    {.when = {{P(PROLOGFLAGS), PLUMB_TEST_WORD, "NoHold"},
              {P(PROLOGFLAGS), PLUMB_TEST_WORD, "Contain"}},
     .message = "'NoHold' and 'Contain' exclude each other in PrologFlags, expected one of them"},
    {.when = {{P(PROLOGFLAGS), PLUMB_TEST_WORD, "NoHold"},
              {P(PROLOGFLAGS), PLUMB_TEST_WORD, "X11"}},
     .message = "'NoHold' and 'X11', which implies 'Contain', exclude each other in PrologFlags, "
                "expected one of them"},
    {.when = {{P(PROLOGFLAGS), PLUMB_TEST_WORD, "NoHold"},
              {P(PROLOGFLAGS), PLUMB_TEST_WORD, "RunInJob"}},
     .message = "'NoHold' and 'RunInJob', which implies 'Contain', exclude each other in "
                "PrologFlags, expected one of them"},
};
static const struct plumb_combos nohold_contain = {.items = nohold, .count = PLUMB_COUNT(nohold)};

static const struct plumb_combo x11[] = {
    {.when = {{P(PROLOGFLAGS), PLUMB_TEST_WORD, "X11"},
              {P(PROCTRACKTYPE), PLUMB_TEST_IS, "linuxproc"}},
     .message = "PrologFlags 'X11' cannot work with 'proctrack/linuxproc', expected "
                "'proctrack/cgroup'"},
};
static const struct plumb_combos x11_linuxproc = {.items = x11, .count = PLUMB_COUNT(x11)};

/*
 * JOB003: the texts are compared letter by letter (_validate_and_set_defaults); from 24.05 on
 * cray_aries is one of the others. JOB002 is about X11 with linuxproc, which nobody gets past.
 */
static const struct plumb_combo contain[] = {
#define OTHER(text)                                                                                \
    {                                                                                              \
        P(PROCTRACKTYPE), PLUMB_TEST_OTHER, "proctrack/" text                                      \
    }
#define ADOPTS(first, flag, implied, ...)                                                          \
    {                                                                                              \
        .since = PLUMB_##first,                                                                    \
        .when = {{P(PROLOGFLAGS), PLUMB_TEST_WORD, flag}, OTHER("cgroup"), __VA_ARGS__},           \
        .message = "PrologFlags '" flag "' " implied "makes a step for adopted processes, which "  \
                   "only 'proctrack/cgroup' can track; found another ProctrackType"                \
    }
    ADOPTS(22_05, "Contain", "", OTHER("cray_aries")),
    ADOPTS(22_05, "X11", "implies 'Contain' and ", OTHER("cray_aries"), OTHER("linuxproc")),
    ADOPTS(24_05, "Contain", "", OTHER("cgroup")),
    ADOPTS(24_05, "X11", "implies 'Contain' and ", OTHER("linuxproc")),
    ADOPTS(24_05, "RunInJob", "implies 'Contain' and ", OTHER("cgroup")),
#undef OTHER
#undef ADOPTS
};
static const struct plumb_combos contain_proctrack = {.items = contain,
                                                      .count = PLUMB_COUNT(contain)};

static const struct plumb_era serial_eras[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_combo serial[] = {
    {.when = {{P(PROLOGFLAGS), PLUMB_TEST_WORD, "RunInJob"},
              {P(PROLOGFLAGS), PLUMB_TEST_WORD, "Serial"}},
     .message = "'RunInJob' and 'Serial' contradict each other in PrologFlags, expected one of "
                "them"},
};
static const struct plumb_combos runinjob_serial = {
    .items = serial, .count = PLUMB_COUNT(serial), .eras = PLUMB_ERAS(serial_eras)};

static const struct plumb_era oom_eras[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_combo oom[] = {
    {.when = {{P(TASKPLUGINPARAM), PLUMB_TEST_WORD, "OOMKillStep"},
              {P(TASKPLUGIN), PLUMB_TEST_LACKS, "task/cgroup"}},
     .message = "TaskPluginParam 'OOMKillStep' needs 'task/cgroup' in TaskPlugin, which lacks it"},
    {.when = {{P(TASKPLUGINPARAM), PLUMB_TEST_WORD, "OOMKillStep"},
              {P(TASKPLUGIN), PLUMB_TEST_WRITTEN, "task/cgroup"}},
     .message = "TaskPluginParam 'OOMKillStep' needs 'task/cgroup' in TaskPlugin, which lacks it"},
};
static const struct plumb_combos oomkill = {
    .items = oom, .count = PLUMB_COUNT(oom), .eras = PLUMB_ERAS(oom_eras)};

static const struct plumb_era override_eras[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    {PLUMB_25_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_combo override[] = {
    {.when = {{P(TASKPLUGINPARAM), PLUMB_TEST_WORD, "SlurmdSpecOverride"},
              {P(TASKPLUGIN), PLUMB_TEST_LACKS, "task/cgroup"}},
     .message = "TaskPluginParam 'SlurmdSpecOverride' needs 'task/cgroup' in TaskPlugin, which "
                "lacks it"},
    {.when = {{P(TASKPLUGINPARAM), PLUMB_TEST_WORD, "SlurmdSpecOverride"},
              {P(TASKPLUGIN), PLUMB_TEST_WRITTEN, "task/cgroup"}},
     .message = "TaskPluginParam 'SlurmdSpecOverride' needs 'task/cgroup' in TaskPlugin, which "
                "lacks it"},
    {.when = {{P(TASKPLUGINPARAM), PLUMB_TEST_WORD, "SlurmdSpecOverride"},
              {P(SELECTTYPE), PLUMB_TEST_IS_NOT, "cons_tres"}},
     .message = "TaskPluginParam 'SlurmdSpecOverride' needs SelectType 'select/cons_tres', found "
                "another"},
    {.when = {{P(TASKPLUGINPARAM), PLUMB_TEST_WORD, "SlurmdSpecOverride"},
              {P(TASKPLUGINPARAM), PLUMB_TEST_WORD, "SlurmdOffSpec"}},
     .message = "'SlurmdSpecOverride' and 'SlurmdOffSpec' exclude each other in TaskPluginParam, "
                "expected one of them"},
};
static const struct plumb_combos spec_override = {
    .items = override, .count = PLUMB_COUNT(override), .eras = PLUMB_ERAS(override_eras)};

/* parse_task_plugin_param: one binding, no more. */
static const struct plumb_combo binding[] = {
#define TWO(a, b)                                                                                  \
    {                                                                                              \
        .when = {{P(TASKPLUGINPARAM), PLUMB_TEST_WORD, a},                                         \
                 {P(TASKPLUGINPARAM), PLUMB_TEST_WORD, b}},                                        \
        .message = "TaskPluginParam binds to '" a "' and to '" b "', expected one of them"         \
    }
    TWO("Sockets", "Cores"), TWO("Sockets", "Threads"), TWO("Cores", "Threads"),
    TWO("None", "Sockets"),  TWO("None", "Cores"),      TWO("None", "Threads"),
#undef TWO
};
static const struct plumb_combos two_bindings = {.items = binding, .count = PLUMB_COUNT(binding)};

static const struct plumb_era disabled_eras[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true}, /* the table engine's: unknown word */
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMD, false},
};
static const struct plumb_combo disabled[] = {
    {.when = {{C(CGROUPPLUGIN), PLUMB_TEST_IS, "disabled"},
              {P(TASKPLUGIN), PLUMB_TEST_HOLDS, "cgroup"}},
     .message = "CgroupPlugin is 'disabled', but TaskPlugin uses cgroups, expected another "
                "CgroupPlugin or no 'task/cgroup'"},
    {.when = {{C(CGROUPPLUGIN), PLUMB_TEST_IS, "disabled"},
              {P(PROCTRACKTYPE), PLUMB_TEST_IS, "cgroup"}},
     .message = "CgroupPlugin is 'disabled', but ProctrackType uses cgroups, expected another "
                "CgroupPlugin or 'proctrack/linuxproc'"},
    {.when = {{C(CGROUPPLUGIN), PLUMB_TEST_IS, "disabled"},
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_IS, "cgroup"}},
     .message = "CgroupPlugin is 'disabled', but JobAcctGatherType uses cgroups, expected another "
                "CgroupPlugin or 'jobacct_gather/linux'"},
};
static const struct plumb_combos cgroup_disabled = {
    .items = disabled, .count = PLUMB_COUNT(disabled), .eras = PLUMB_ERAS(disabled_eras)};

static const struct plumb_combo unconstrained[] = {
#define NEEDS_TASK(key)                                                                            \
    {                                                                                              \
        .when = {{C(key), PLUMB_TEST_SET, NULL},                                                   \
                 {C(key), PLUMB_TEST_YES, NULL},                                                   \
                 {P(TASKPLUGIN), PLUMB_TEST_LACKS, "cgroup"}},                                     \
        .message = "the limit has no effect: TaskPlugin lacks 'task/cgroup', expected "            \
                   "'task/cgroup,task/affinity'"                                                   \
    }
    NEEDS_TASK(CONSTRAINDEVICES),
    NEEDS_TASK(CONSTRAINRAMSPACE),
    NEEDS_TASK(CONSTRAINCORES),
    NEEDS_TASK(CONSTRAINSWAPSPACE),
#undef NEEDS_TASK
};
static const struct plumb_combos constrain_nothing = {.items = unconstrained,
                                                      .count = PLUMB_COUNT(unconstrained)};

static const struct plumb_combo cores_only[] = {
    {.when = {{P(TASKPLUGIN), PLUMB_TEST_HOLDS, "cgroup"},
              {P(TASKPLUGIN), PLUMB_TEST_LACKS, "affinity"},
              {C(CONSTRAINCORES), PLUMB_TEST_YES, NULL}},
     .message = "ConstrainCores confines a step to its cores but binds no task to one: TaskPlugin "
                "lacks 'task/affinity', expected 'task/cgroup,task/affinity'"},
};
static const struct plumb_combos cores_unbound = {.items = cores_only,
                                                  .count = PLUMB_COUNT(cores_only)};

/*
 * release notes of 25.11: every name space needs the extern step; before, any text with tmpfs in it
 * does, be there such a plugin or not (_validate_and_set_defaults).
 */
static const struct plumb_combo no_extern[] = {
#define NO_CONTAIN(first, key, how, word)                                                          \
    {                                                                                              \
        .since = PLUMB_##first,                                                                    \
        .when = {{P(key), PLUMB_TEST_##how, word},                                                 \
                 {P(PROLOGFLAGS), PLUMB_TEST_NO_WORD, "Contain"},                                  \
                 {P(PROLOGFLAGS), PLUMB_TEST_NO_WORD, "X11"},                                      \
                 {P(PROLOGFLAGS), PLUMB_TEST_NO_WORD, "RunInJob"}},                                \
        .message = "a private name space is made in the extern step, which needs PrologFlags "     \
                   "'Contain'",                                                                    \
        .help = "PrologFlags=Contain"                                                              \
    }
    NO_CONTAIN(22_05, JOBCONTAINERTYPE, SAYS, "tmpfs"),
    NO_CONTAIN(25_11, JOBCONTAINERTYPE, WRITTEN, "none"),
    NO_CONTAIN(25_11, NAMESPACETYPE, WRITTEN, "none"),
#undef NO_CONTAIN
};
static const struct plumb_combos namespace_contain = {.items = no_extern,
                                                      .count = PLUMB_COUNT(no_extern)};

static const struct plumb_era stepmgr_eras[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_combo stepmgr[] = {
    {.when = {{P(SLURMCTLDPARAMETERS), PLUMB_TEST_WORD, "enable_stepmgr"},
              {P(PROLOGFLAGS), PLUMB_TEST_NO_WORD, "Contain"},
              {P(PROLOGFLAGS), PLUMB_TEST_NO_WORD, "X11"},
              {P(PROLOGFLAGS), PLUMB_TEST_NO_WORD, "RunInJob"}},
     .message = "'enable_stepmgr' runs in the extern step, which needs PrologFlags 'Contain'",
     .help = "PrologFlags=Contain"},
};
static const struct plumb_combos stepmgr_contain = {
    .items = stepmgr, .count = PLUMB_COUNT(stepmgr), .eras = PLUMB_ERAS(stepmgr_eras)};

static const struct plumb_combo gather[] = {
    {.when = {{P(JOBACCTGATHERTYPE), PLUMB_TEST_IS, "cgroup"},
              {P(PROCTRACKTYPE), PLUMB_TEST_IS_NOT, "cgroup"}},
     .message = "'jobacct_gather/cgroup' reads the groups that 'proctrack/cgroup' makes, found "
                "another ProctrackType"},
};
static const struct plumb_combos gather_proctrack = {.items = gather, .count = PLUMB_COUNT(gather)};

/* _test_cgroup_plugin_use */
static void slurmd_user(const struct plumb_check *ck)
{
    const struct plumb_setting *user = plumb_global(ck, P(SLURMDUSER));
    const struct plumb_setting *task = plumb_global(ck, P(TASKPLUGIN));

    if (user == NULL || plumb_slice_is_exact(&user->value, "root") ||
        plumb_slice_is_exact(&user->value, "0") || plumb_slice_is_exact(&user->value, "root(0)"))
        return;
    if (!plumb_plugin_in_force(ck, P(PROCTRACKTYPE), "cgroup") &&
        (task == NULL || !plumb_slice_holds(&task->value, "cgroup")))
        return;
    plumb_outcome(ck,
                  plumb_report(ck, user->value.at,
                               "SlurmdUser is '%s', but cgroups are made by root, expected 'root'",
                               user->value.text),
                  NULL);
}

static const struct plumb_combo nss[] = {
    {.when = {{P(LAUNCHPARAMETERS), PLUMB_TEST_HOLDS, "enable_nss_slurm"},
              {P(LAUNCHPARAMETERS), PLUMB_TEST_HOLDS, "disable_send_gids"}},
     .message = "'enable_nss_slurm' and 'disable_send_gids' exclude each other in "
                "LaunchParameters, expected one of them"},
};
static const struct plumb_combos nss_gids = {.items = nss, .count = PLUMB_COUNT(nss)};

static const struct plumb_combo overkill[] = {
    {.when = {{P(JOBACCTGATHERPARAMS), PLUMB_TEST_HOLDS, "OverMemoryKill"},
              {P(TASKPLUGIN), PLUMB_TEST_HOLDS, "cgroup"},
              {C(CONSTRAINRAMSPACE), PLUMB_TEST_YES, NULL}},
     .message = "'OverMemoryKill' and ConstrainRAMSpace both limit memory, expected one of them"},
};
static const struct plumb_combos overmemory = {.items = overkill, .count = PLUMB_COUNT(overkill)};

static const struct plumb_combo pss[] = {
    {.when = {{P(JOBACCTGATHERPARAMS), PLUMB_TEST_HOLDS, "UsePss"},
              {P(JOBACCTGATHERPARAMS), PLUMB_TEST_HOLDS, "NoShared"}},
     .message = "'UsePss' and 'NoShared' exclude each other in JobAcctGatherParams, expected one "
                "of them"},
};
static const struct plumb_combos pss_noshared = {.items = pss, .count = PLUMB_COUNT(pss)};

static const struct plumb_era linux_eras[] = {
    {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_IGNORED, PLUMB_SLURMD, false},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_combo linux_only[] = {
#define LINUX_ONLY(word)                                                                           \
    {.when = {{P(JOBACCTGATHERPARAMS), PLUMB_TEST_HOLDS, word},                                    \
              {P(JOBACCTGATHERTYPE), PLUMB_TEST_IS_NOT, "linux"}},                                 \
     .message = "'" word "' counts with 'jobacct_gather/linux' only, found another "               \
                "JobAcctGatherType"},                                                              \
    {                                                                                              \
        .when = {{P(JOBACCTGATHERPARAMS), PLUMB_TEST_HOLDS, word},                                 \
                 {P(JOBACCTGATHERTYPE), PLUMB_TEST_UNSET, NULL}},                                  \
        .message = "'" word "' counts with 'jobacct_gather/linux' only, but "                      \
                   "JobAcctGatherType is not set"                                                  \
    }
    LINUX_ONLY("UsePss"),
    LINUX_ONLY("NoShared"),
#undef LINUX_ONLY
};
static const struct plumb_combos gather_linux = {
    .items = linux_only, .count = PLUMB_COUNT(linux_only), .eras = PLUMB_ERAS(linux_eras)};

/* Nodes that have a device to hide: gpu is the one that users can reach by themselves. */
static const struct plumb_nodes *first_gpu_nodes(const struct plumb_model *m)
{
    for (size_t i = 0; i < m->node_count; i++) {
        if (plumb_gres_total(&m->nodes[i], "gpu") > 0)
            return &m->nodes[i];
    }
    return NULL;
}

/* JOB010: GPUs are handed out but every job can open every one. */
static void devices_open(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_settings *cg = plumb_cgroup(m);
    const struct plumb_setting *s = plumb_setting(cg, C(CONSTRAINDEVICES));
    const struct plumb_nodes *nodes = first_gpu_nodes(m);
    struct plumb_bool on = plumb_setting_bool(cg, C(CONSTRAINDEVICES), m->release);

    if (!m->present[PLUMB_CGROUP_CONF] || nodes == NULL || plumb_span_known(nodes->at) == false)
        return;
    if (plumb_setting_bad(cg, C(CONSTRAINDEVICES)) || (plumb_usable(on) && on.v))
        return;

    struct plumb_diag *d =
        plumb_report(ck, s != NULL ? s->value.at : m->file_at[PLUMB_CGROUP_CONF],
                     "ConstrainDevices is %s, so every job can open every GPU, expected 'yes'",
                     s != NULL ? "'no'" : "not set and defaults to 'no'");

    plumb_diag_note(d, nodes->gres_at, "these nodes have GPUs");
    plumb_diag_help(d, "ConstrainDevices=yes");
    plumb_outcome(ck, d, NULL);
}

/*
 * JOB020: acct_gather_conf_init puts the file's table together from the plugins that are loaded.
 * The plugin of Lenovo's XCC reads some keys of IPMI.
 */
static void gather_keys(const struct plumb_check *ck)
{
    static const struct {
        const char *begins;
        enum plumb_param_id ids[2]; /* the second: an older spelling */
        const char *plugin, *other;
    } owners[] = {
        {"EnergyIPMI", {P(ACCTGATHERENERGYTYPE), P(ACCTGATHERENERGYTYPE)}, "ipmi", "xcc"},
        {"EnergyXCC", {P(ACCTGATHERENERGYTYPE), P(ACCTGATHERENERGYTYPE)}, "xcc", "xcc"},
        {"InfinibandOFED",
         {P(ACCTGATHERINTERCONNECTTYPE), P(ACCTGATHERINFINIBANDTYPE)},
         "ofed",
         "ofed"},
        {"InterconnectOFED",
         {P(ACCTGATHERINTERCONNECTTYPE), P(ACCTGATHERINFINIBANDTYPE)},
         "ofed",
         "ofed"},
        {"SysfsInterfaces",
         {P(ACCTGATHERINTERCONNECTTYPE), P(ACCTGATHERINFINIBANDTYPE)},
         "sysfs",
         "sysfs"},
        {"ProfileHDF5", {P(ACCTGATHERPROFILETYPE), P(ACCTGATHERPROFILETYPE)}, "hdf5", "hdf5"},
        {"ProfileInfluxDB",
         {P(ACCTGATHERPROFILETYPE), P(ACCTGATHERPROFILETYPE)},
         "influxdb",
         "influxdb"},
    };
    const struct plumb_settings *all = &ck->model->settings[PLUMB_ACCT_GATHER_CONF];

    for (size_t i = 0; i < all->count && ck->model->present[PLUMB_SLURM_CONF]; i++) {
        const struct plumb_setting *key = &all->items[i];

        for (size_t o = 0; o < PLUMB_COUNT(owners); o++) {
            const struct plumb_setting *type = plumb_global(ck, owners[o].ids[0]);

            if (!plumb_starts_with(key->param->name, owners[o].begins) ||
                plumb_setting_bad(plumb_slurm(ck->model), owners[o].ids[0]))
                continue;
            if (type == NULL)
                type = plumb_global(ck, owners[o].ids[1]);
            if (type != NULL && (plumb_slice_holds(&type->value, owners[o].plugin) ||
                                 plumb_slice_holds(&type->value, owners[o].other)))
                continue;

            struct plumb_diag *d = plumb_report(
                ck, key->key_at, "%s is a key of plugin '%s', which %s %s, expected no such key",
                key->param->name, owners[o].plugin, plumb_param(owners[o].ids[0])->name,
                type != NULL ? "does not load" : "is not set to load");

            if (type != NULL)
                plumb_diag_note(d, type->value.at, "the plugin that is loaded");
            plumb_outcome(ck, d, NULL);
        }
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "JOB001",
        .name = "prolog-nohold-contain",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PrologFlags NoHold stands beside Contain or a flag that implies it",
        .why = "Contain waits for the prolog before a step starts, NoHold forbids waiting; every "
               "daemon and every command refuses the file.",
        .ref = "slurm.conf(5), PrologFlags; read_config.c:_validate_and_set_defaults",
        .bad = "PrologFlags=Contain,NoHold",
        .good = "PrologFlags=Contain",
        PLUMB_COMBO(nohold_contain),
    },
    {
        .code = "JOB002",
        .name = "prolog-x11-linuxproc",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "PrologFlags X11 with proctrack/linuxproc",
        .why = "X11 implies Contain, whose extern step linuxproc cannot hold together.",
        .ref = "slurm.conf(5), PrologFlags; read_config.c:_validate_and_set_defaults",
        .bad = "PrologFlags=X11\nProctrackType=proctrack/linuxproc",
        .good = "PrologFlags=X11\nProctrackType=proctrack/cgroup",
        PLUMB_COMBO(x11_linuxproc),
    },
    {
        .code = "JOB003",
        .name = "prolog-contain-proctrack",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "PrologFlags Contain without proctrack/cgroup",
        .why = "Processes that pam_slurm_adopt puts into a job are not tracked and survive it.",
        .ref = "slurm.conf(5), PrologFlags; read_config.c:_validate_and_set_defaults",
        .bad = "PrologFlags=Contain\nProctrackType=proctrack/linuxproc",
        .good = "PrologFlags=Contain\nProctrackType=proctrack/cgroup",
        PLUMB_COMBO(contain_proctrack),
    },
    {
        .code = "JOB004",
        .name = "prolog-runinjob-serial",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "PrologFlags RunInJob with Serial",
        .why = "A prolog inside the job cannot be serialised by slurmd.",
        .ref = "read_config.c:prolog_str2flags",
        .bad = "PrologFlags=RunInJob,Serial",
        .good = "PrologFlags=RunInJob",
        PLUMB_COMBO(runinjob_serial),
    },
    {
        .code = "JOB005",
        .name = "oomkillstep-cgroup",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "TaskPluginParam OOMKillStep without task/cgroup",
        .why = "The step is killed through its memory cgroup, which task/cgroup makes.",
        .ref = "slurm.conf(5), TaskPluginParam; read_config.c:_validate_and_set_defaults",
        .bad = "TaskPlugin=task/affinity\nTaskPluginParam=OOMKillStep",
        .good = "TaskPlugin=task/cgroup,task/affinity\nTaskPluginParam=OOMKillStep",
        PLUMB_COMBO(oomkill),
    },
    {
        .code = "JOB006",
        .name = "specoverride-needs",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "TaskPluginParam SlurmdSpecOverride without what it needs",
        .why = "Cores are set aside through task/cgroup and select/cons_tres.",
        .ref = "slurm.conf(5), TaskPluginParam; read_config.c:_validate_and_set_defaults",
        .bad = "TaskPlugin=task/affinity\n"
               "TaskPluginParam=SlurmdSpecOverride",
        .good = "TaskPlugin=task/cgroup,task/affinity\n"
                "TaskPluginParam=SlurmdSpecOverride",
        PLUMB_COMBO(spec_override),
    },
    {
        .code = "JOB007",
        .name = "task-two-bindings",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "TaskPluginParam names two kinds of binding",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), TaskPluginParam; read_config.c:_validate_and_set_defaults",
        .bad = "TaskPluginParam=Cores,Threads",
        .good = "TaskPluginParam=Cores",
        PLUMB_COMBO(two_bindings),
    },
    {
        .code = "JOB008",
        .name = "cgroup-disabled",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "CgroupPlugin disabled beside a plugin that uses cgroups",
        .why = "slurmd ends when the plugin initialises cgroups; no node comes up.",
        .ref = "cgroup.conf(5), CgroupPlugin; task_cgroup.c:init, cgroup.c:cgroup_g_initialize",
        .bad = "TaskPlugin=task/cgroup\n"
               "# cgroup.conf\n"
               "CgroupPlugin=disabled",
        .good = "TaskPlugin=task/cgroup\n"
                "# cgroup.conf\n"
                "CgroupPlugin=autodetect",
        PLUMB_COMBO(cgroup_disabled),
    },
    {
        .code = "JOB009",
        .name = "constrain-without-task-cgroup",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "a Constrain key of cgroup.conf without task/cgroup",
        .why = "task/cgroup is what reads these keys: jobs are not confined at all.",
        .ref = "cgroup.conf(5), TASK/CGROUP PLUGIN",
        .bad = "TaskPlugin=task/affinity\n# cgroup.conf\nConstrainRAMSpace=yes",
        .good = "TaskPlugin=task/cgroup,task/affinity\n# cgroup.conf\nConstrainRAMSpace=yes",
        PLUMB_COMBO(constrain_nothing),
    },
    {
        .code = "JOB010",
        .name = "gpu-devices-open",
        .severity = PLUMB_WARNING,
        .summary = "GPUs are allocated but not confined",
        .why = "Only CUDA_VISIBLE_DEVICES tells a job its GPUs, which a job or a container can "
               "ignore: two jobs share a card by accident.",
        .ref = "cgroup.conf(5), ConstrainDevices",
        .bad = "TaskPlugin=task/cgroup,task/affinity\n"
               "NodeName=g Gres=gpu:8\n"
               "# cgroup.conf\n"
               "ConstrainDevices=no",
        .good = "TaskPlugin=task/cgroup,task/affinity\n"
                "NodeName=g Gres=gpu:8\n"
                "# cgroup.conf\n"
                "ConstrainDevices=yes",
        .needs = PLUMB_FACT_MODEL,
        .run = devices_open,
    },
    {
        .code = "JOB011",
        .name = "cores-without-affinity",
        .severity = PLUMB_INFO,
        .summary = "ConstrainCores without task/affinity",
        .why = "Ranks wander between the cores of their job; NCCL and MPI lose locality.",
        .ref = "slurm.conf(5), TaskPlugin",
        .bad = "TaskPlugin=task/cgroup\n"
               "# cgroup.conf\n"
               "ConstrainCores=yes",
        .good = "TaskPlugin=task/cgroup,task/affinity\n"
                "# cgroup.conf\n"
                "ConstrainCores=yes",
        PLUMB_COMBO(cores_unbound),
    },
    {
        .code = "JOB012",
        .name = "namespace-needs-contain",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a job name space without PrologFlags Contain",
        .why = "Private /tmp is built in the extern step, which exists with Contain only.",
        .ref = "job_container.conf(5); read_config.c:_validate_and_set_defaults",
        .bad = "JobContainerType=job_container/tmpfs",
        .good = "JobContainerType=job_container/tmpfs\nPrologFlags=Contain",
        PLUMB_COMBO(namespace_contain),
    },
    {
        .code = "JOB013",
        .name = "stepmgr-needs-contain",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "enable_stepmgr without PrologFlags Contain",
        .why = "Steps are managed by the extern step of the job.",
        .ref = "slurm.conf(5), SlurmctldParameters; slurmctld/read_config.c:read_slurm_conf",
        .bad = "SlurmctldParameters=enable_stepmgr",
        .good = "SlurmctldParameters=enable_stepmgr\nPrologFlags=Contain",
        PLUMB_COMBO(stepmgr_contain),
    },
    {
        .code = "JOB014",
        .name = "gather-cgroup-proctrack",
        .severity = PLUMB_WARNING,
        .summary = "jobacct_gather/cgroup without proctrack/cgroup",
        .why = "The manual asks for cgroup in both, or usage is read from groups that do not hold "
               "the whole job.",
        .ref = "slurm.conf(5), JobAcctGatherType",
        .bad = "JobAcctGatherType=jobacct_gather/cgroup\n"
               "ProctrackType=proctrack/linuxproc",
        .good = "JobAcctGatherType=jobacct_gather/cgroup\n"
                "ProctrackType=proctrack/cgroup",
        PLUMB_COMBO(gather_proctrack),
    },
    {
        .code = "JOB015",
        .name = "slurmd-user-cgroup",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "SlurmdUser is not root while cgroups are used",
        .why = "Only root may make the groups of a job.",
        .ref = "slurm.conf(5), SlurmdUser; slurmctld/read_config.c:_test_cgroup_plugin_use",
        .bad = "SlurmdUser=slurm\n"
               "TaskPlugin=task/cgroup",
        .good = "SlurmdUser=root\n"
                "TaskPlugin=task/cgroup",
        .needs = PLUMB_FACT_MODEL,
        .run = slurmd_user,
    },
    {
        .code = "JOB016",
        .name = "nss-slurm-gids",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "LaunchParameters enable_nss_slurm with disable_send_gids",
        .why = "nss_slurm answers from the group ids that were sent along.",
        .ref = "slurm.conf(5), LaunchParameters; read_config.c:_validate_and_set_defaults",
        .bad = "LaunchParameters=enable_nss_slurm,disable_send_gids",
        .good = "LaunchParameters=enable_nss_slurm",
        PLUMB_COMBO(nss_gids),
    },
    {
        .code = "JOB017",
        .name = "memory-limited-twice",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "OverMemoryKill beside memory limits of task/cgroup",
        .why = "Two watchers of one limit kill each other's jobs, so the daemons refuse.",
        .ref = "slurm.conf(5), JobAcctGatherParams; slurmctld/read_config.c, slurmd.c",
        .bad = "TaskPlugin=task/cgroup,task/affinity\n"
               "JobAcctGatherParams=OverMemoryKill\n"
               "# cgroup.conf\n"
               "ConstrainRAMSpace=yes",
        .good = "TaskPlugin=task/cgroup,task/affinity\n"
                "# cgroup.conf\n"
                "ConstrainRAMSpace=yes",
        PLUMB_COMBO(overmemory),
    },
    {
        .code = "JOB018",
        .name = "gather-pss-noshared",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "JobAcctGatherParams UsePss with NoShared",
        .why = "Both say how shared memory counts.",
        .ref = "slurm.conf(5), JobAcctGatherParams; read_config.c:_validate_and_set_defaults",
        .bad = "JobAcctGatherType=jobacct_gather/linux\n"
               "JobAcctGatherParams=UsePss,NoShared",
        .good = "JobAcctGatherType=jobacct_gather/linux\n"
                "JobAcctGatherParams=UsePss",
        PLUMB_COMBO(pss_noshared),
    },
    {
        .code = "JOB019",
        .name = "gather-linux-only",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "UsePss or NoShared without jobacct_gather/linux",
        .why = "cgroups count memory in one way only, so the word is dropped.",
        .ref = "slurm.conf(5), JobAcctGatherParams; read_config.c:_validate_and_set_defaults",
        .bad = "JobAcctGatherType=jobacct_gather/cgroup\n"
               "JobAcctGatherParams=NoShared",
        .good = "JobAcctGatherType=jobacct_gather/linux\n"
                "JobAcctGatherParams=NoShared",
        PLUMB_COMBO(gather_linux),
    },
    {
        .code = "JOB020",
        .name = "gather-key-of-other-plugin",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "acct_gather.conf has a key of a plugin that is not loaded",
        .why = "The keys of the file are those of the plugins that slurm.conf loads; any other is "
               "unknown, and the daemons end.",
        .ref = "acct_gather.conf(5); interfaces/acct_gather.c:acct_gather_conf_init",
        .bad = "AcctGatherEnergyType=acct_gather_energy/rapl\n"
               "# acct_gather.conf\n"
               "EnergyIPMIFrequency=10",
        .good = "AcctGatherEnergyType=acct_gather_energy/ipmi\n"
                "# acct_gather.conf\n"
                "EnergyIPMIFrequency=10",
        .needs = PLUMB_FACT_MODEL,
        .run = gather_keys,
    },
};

const struct plumb_rule_family plumb_job_rules = {
    .prefix = "JOB",
    .title = "Prologs, task plugins, cgroups, job environment",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
