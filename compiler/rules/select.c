/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about what is allocated: SelectType and its modes. */
#include "rules/select.h"

#include "rules/ask.h"

#define P(name) PLUMB_P_SLURM_##name

/* The modes that exclude each other (_parse_select_type_param). */
static const char *const modes[] = {"CR_CPU",    "CR_CPU_Memory",    "CR_Core",  "CR_Core_Memory",
                                    "CR_Socket", "CR_Socket_Memory", "CR_Memory"};

static bool is_mode(const struct plumb_slice *item)
{
    for (size_t i = 0; i < PLUMB_COUNT(modes); i++) {
        if (plumb_slice_is(item, modes[i]))
            return true;
    }
    return false;
}

const struct plumb_setting *plumb_select_modes(const struct plumb_check *ck,
                                               struct plumb_slice found[2], size_t *count)
{
    const struct plumb_setting *s = plumb_global(ck, P(SELECTTYPEPARAMETERS));
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    *count = 0;
    while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        if (is_mode(&item) && *count < 2)
            found[(*count)++] = item;
    }
    return s;
}

/* SCHED003 */
static void two_modes(const struct plumb_check *ck)
{
    struct plumb_slice found[2];
    size_t count = 0;

    (void)plumb_select_modes(ck, found, &count);
    if (count < 2)
        return;

    struct plumb_diag *d =
        plumb_report(ck, found[1].at,
                     "'%s' is a second resource mode beside '%s' in SelectTypeParameters, "
                     "expected one",
                     plumb_arena_strndup(ck->arena, found[1].text, found[1].len),
                     plumb_arena_strndup(ck->arena, found[0].text, found[0].len));

    plumb_diag_note(d, found[0].at, "first mode");
    plumb_outcome(ck, d, NULL);
}

static const struct plumb_combo one_task[] = {
    {.when = {{P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_ONE_TASK_PER_CORE"},
              {P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_CPU"}},
     .message = "'CR_ONE_TASK_PER_CORE' cannot stand with 'CR_CPU', expected 'CR_Core'"},
    {.when = {{P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_ONE_TASK_PER_CORE"},
              {P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_CPU_Memory"}},
     .message = "'CR_ONE_TASK_PER_CORE' cannot stand with 'CR_CPU_Memory', expected "
                "'CR_Core_Memory'"},
};
static const struct plumb_combos one_task_per_core = {.items = one_task,
                                                      .count = PLUMB_COUNT(one_task)};

static const struct plumb_era full_socket_rows[] = {
    {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
    {PLUMB_23_02, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, true}, /* CONF014 */
};
static const struct plumb_combo full_socket_words[] = {
    {.when = {{P(SELECTTYPEPARAMETERS), PLUMB_TEST_WORD, "CR_ALLOCATE_FULL_SOCKET"}},
     .message = "'CR_ALLOCATE_FULL_SOCKET' is deprecated, expected 'CR_Socket'"},
};
static const struct plumb_combos full_socket = {.items = full_socket_words,
                                                .count = PLUMB_COUNT(full_socket_words),
                                                .eras = PLUMB_ERAS(full_socket_rows)};

/* SCHED005: select_p_node_init wants cores, CPUs or sockets. */
static void no_mode(const struct plumb_check *ck)
{
    struct plumb_slice found[2], whole;
    size_t count = 0;
    const struct plumb_setting *s = plumb_select_modes(ck, found, &count);

    if (s == NULL || count > 1 || !plumb_hands_out_cores(ck) ||
        plumb_setting_bad(plumb_slurm(ck->model), P(SELECTTYPEPARAMETERS)))
        return;
    if ((count == 1 && !plumb_slice_is(&found[0], "CR_Memory")) ||
        plumb_list_find(&s->value, "CR_ALLOCATE_FULL_SOCKET", &whole)) /* a mode of 22.05 */
        return;
    plumb_outcome(ck,
                  plumb_report(ck, s->value.at,
                               "SelectTypeParameters '%s' names no CPUs, cores or sockets for "
                               "'select/%s', expected a mode such as 'CR_Core_Memory'",
                               s->value.text,
                               plumb_plugin_in_force(ck, P(SELECTTYPE), "cons_res") ? "cons_res"
                                                                                    : "cons_tres"),
                  NULL);
}

/* slurmd of some releases loads the plugin too, and its init checks: slurmd.c:main, select_g_init.
 */
static const struct plumb_era linear_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_23_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_25_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_eras linear_eras = PLUMB_ERAS(linear_rows);

/* SCHED006: select/linear, and above it select/cray_aries, hand out whole nodes. */
static void linear_mode(const struct plumb_check *ck)
{
    struct plumb_slice found[2];
    size_t count = 0;
    const struct plumb_setting *s = plumb_select_modes(ck, found, &count);
    bool cray = plumb_plugin_in_force(ck, P(SELECTTYPE), "cray_aries") &&
                plumb_knows_word(ck, P(SELECTTYPE), "select/cray_aries");

    if (s == NULL || count != 1 || plumb_slice_is(&found[0], "CR_Memory"))
        return;
    if (!cray && !plumb_plugin_in_force(ck, P(SELECTTYPE), "linear"))
        return;

    const struct plumb_setting *type = plumb_global(ck, P(SELECTTYPE));
    struct plumb_diag *d = plumb_report(
        ck, found[0].at, "'%s' is no mode of 'select/%s', expected 'CR_Memory' or none",
        plumb_arena_strndup(ck->arena, found[0].text, found[0].len),
        cray ? "cray_aries" : "linear");

    if (type != NULL)
        plumb_diag_note(d, type->value.at, "whole nodes are allocated");
    else
        plumb_diag_fact(d, "SelectType is not set; Slurm %s takes 'select/linear'",
                        plumb_series(ck));
    plumb_outcome(ck, d, &linear_eras);
}

static const struct plumb_era tree_eras[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    {PLUMB_23_11, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_combo tree[] = {
    {.when = {{P(SELECTTYPE), PLUMB_TEST_IS, "linear"}, {P(TOPOLOGYPLUGIN), PLUMB_TEST_IS, "tree"}},
     .message = "'select/linear' knows no 'topology/tree', expected 'select/cons_tres'"},
};
static const struct plumb_combos linear_tree = {
    .items = tree, .count = PLUMB_COUNT(tree), .eras = PLUMB_ERAS(tree_eras)};

/* SCHED019 */
static void dynamic_select(const struct plumb_check *ck)
{
    const struct plumb_setting *type = plumb_global(ck, P(SELECTTYPE));
    const struct plumb_setting *count = plumb_global(ck, P(MAXNODECOUNT));
    struct plumb_u64 nodes = plumb_global_u64(ck, P(MAXNODECOUNT));
    struct plumb_diag *d = NULL;

    if (count == NULL || !plumb_written(nodes) ||
        (nodes.v == 0 && !plumb_has_trait(ck, PLUMB_TRAIT_MAX_NODE_COUNT_ZERO_IS_SET)) ||
        plumb_setting_bad(plumb_slurm(ck->model), P(SELECTTYPE)) ||
        plumb_plugin_in_force(ck, P(SELECTTYPE), "cons_tres"))
        return;
    d = plumb_report(ck, count->value.at, "MaxNodeCount needs 'select/cons_tres', found '%s'",
                     type != NULL ? type->value.text : "select/linear");
    if (type != NULL)
        plumb_diag_note(d, type->value.at, "the plugin is set here");
    else
        plumb_diag_fact(d, "SelectType is not set; Slurm %s takes 'select/linear'",
                        plumb_series(ck));
    plumb_outcome(ck, d, NULL);
}

static const struct plumb_rule rows[] = {
    {
        .code = "SCHED003",
        .name = "select-two-modes",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "SelectTypeParameters names two resource modes",
        .why = "Every daemon and command refuses the file.",
        .ref = "slurm.conf(5), SelectTypeParameters; read_config.c:_parse_select_type_param",
        .bad = "SelectTypeParameters=CR_Core_Memory,CR_Socket",
        .good = "SelectTypeParameters=CR_Core_Memory",
        .needs = PLUMB_FACT_MODEL,
        .run = two_modes,
    },
    {
        .code = "SCHED004",
        .name = "select-one-task-cpu",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "CR_ONE_TASK_PER_CORE with CR_CPU",
        .why = "One task per core makes sense only where cores are handed out.",
        .ref = "slurm.conf(5), SelectTypeParameters; read_config.c:_parse_select_type_param",
        .bad = "SelectTypeParameters=CR_CPU_Memory,CR_ONE_TASK_PER_CORE",
        .good = "SelectTypeParameters=CR_Core_Memory,CR_ONE_TASK_PER_CORE",
        PLUMB_COMBO(one_task_per_core),
    },
    {
        .code = "SCHED005",
        .name = "select-no-mode",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "select/cons_tres or cons_res without CPUs, cores or sockets",
        .why = "slurmctld cannot tell what a job gets.",
        .ref = "slurm.conf(5), SelectTypeParameters; select_cons_tres.c:select_p_node_init",
        .bad = "SelectTypeParameters=CR_Memory",
        .good = "SelectTypeParameters=CR_Core_Memory",
        .needs = PLUMB_FACT_MODEL,
        .run = no_mode,
    },
    {
        .code = "SCHED022",
        .name = "select-full-socket",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "CR_ALLOCATE_FULL_SOCKET, which 22.05 does not need any more",
        .why = "It is what CR_Socket does; later releases refuse the word.",
        .ref = "read_config.c:parse_select_type_param",
        .bad = "SelectTypeParameters=CR_ALLOCATE_FULL_SOCKET",
        .good = "SelectTypeParameters=CR_Socket",
        PLUMB_COMBO(full_socket),
    },
    {
        .code = "SCHED006",
        .name = "select-linear-mode",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a mode of cons_tres with select/linear",
        .why = "select/linear allocates whole nodes, and refuses other modes; so does "
               "select/cray_aries, which stands above it.",
        .ref = "slurm.conf(5), SelectTypeParameters; select_linear.c:select_p_node_init",
        .bad = "SelectType=select/linear\nSelectTypeParameters=CR_Core",
        .good = "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core",
        .needs = PLUMB_FACT_MODEL,
        .run = linear_mode,
    },
    {
        .code = "SCHED014",
        .name = "select-linear-tree",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "select/linear with topology/tree",
        .why = "select/linear lost its tree with 23.11.",
        .ref = "slurm.conf(5), TopologyPlugin; read_config.c:_validate_and_set_defaults",
        .bad = "SelectType=select/linear\nTopologyPlugin=topology/tree",
        .good = "SelectType=select/cons_tres\nTopologyPlugin=topology/tree",
        PLUMB_COMBO(linear_tree),
    },
    {
        .code = "SCHED019",
        .name = "dynamic-nodes-select",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "MaxNodeCount with another plugin than select/cons_tres",
        .why = "Only cons_tres has room for nodes that register by themselves. Every daemon "
               "refuses the file.",
        .ref = "slurm.conf(5), MaxNodeCount; read_config.c:_validate_and_set_defaults",
        .bad = "SelectType=select/linear\nMaxNodeCount=100",
        .good = "SelectType=select/cons_tres\nMaxNodeCount=100",
        .needs = PLUMB_FACT_MODEL,
        .run = dynamic_select,
    },
};

const struct plumb_rule_family plumb_select_rules = {
    .prefix = "SCHED",
    .title = "Allocation",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
