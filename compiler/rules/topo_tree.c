/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about topology/tree: switches, what is under them, and their names; nodes in two units. */
#include <string.h>

#include "rules/ask.h"
#include "rules/topo.h"

/* The names of a range that no other switch has. */
static void add_missing(const struct plumb_check *ck, const struct plumb_map *units,
                        const struct plumb_topo_unit *u, struct plumb_host_range *range,
                        struct plumb_hostlist *missing)
{
    struct plumb_hostlist names = {.ranges = range, .range_count = 1};
    struct plumb_host_cursor c = {0};
    struct plumb_buf name = plumb_buf_in(ck->scratch);

    for (; plumb_hostlist_next(&names, &c, &name); name.len = 0) {
        const char *text = plumb_buf_text(&name);
        struct plumb_host_range one = {.suffix = "", .at = range->at};
        struct plumb_hostlist add = {.ranges = &one, .range_count = 1, .count = 1};

        if (plumb_map_get(units, plumb_topo_key(ck, u, text)) != NULL &&
            strcmp(text, u->name.v) != 0)
            continue;
        one.prefix = plumb_arena_strdup(ck->arena, text);
        plumb_hostlist_append(ck->arena, missing, &add);
    }
}

/* TOPO001: switch_record.c, "has invalid child" */
static void unknown_child(const struct plumb_check *ck)
{
    struct plumb_map units = plumb_topo_units_by_name(ck);

    for (size_t i = 0; plumb_topo_tree(ck) && i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        struct plumb_hostlist missing = {0};

        for (size_t r = 0; u->children != NULL && r < u->children->range_count; r++)
            add_missing(ck, &units, u, &u->children->ranges[r], &missing);
        if (missing.range_count == 0)
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, missing.ranges[0].at,
                                   "switch '%s' has the child '%s', expected another switch that "
                                   "is defined",
                                   u->name.v, plumb_hostlist_str(ck->arena, &missing)),
                      NULL);
    }
}

/* TOPO003: topology/tree, _parse_switches */
static void nodes_and_switches(const struct plumb_check *ck)
{
    for (size_t i = 0; plumb_topo_tree(ck) && i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_setting *nodes = plumb_setting(&u->settings, PLUMB_P_SWITCH_NODES);
        const struct plumb_setting *children = plumb_setting(&u->settings, PLUMB_P_SWITCH_SWITCHES);

        if (plumb_topo_from_yaml(ck) && u->nodes != NULL && u->children != NULL) {
            struct plumb_diag *warned =
                plumb_report(ck, u->children->at,
                             "switch '%s' has nodes and children, expected one of them: the "
                             "children are left out",
                             u->name.v);

            plumb_diag_note(warned, u->nodes->at, "its nodes");
            plumb_outcome_is(ck, warned, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL);
        }
        if (nodes == NULL || children == NULL)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, children->key_at,
                         "switch '%s' has Nodes and Switches, expected one of them", u->name.v);

        plumb_diag_note(d, nodes->key_at, "its nodes");
        plumb_outcome(ck, d, NULL);
    }
}

static const struct plumb_era empty_rows[] = {
    {PLUMB_25_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, 0, false},
};
/* The same beside nodes under no switch: "no switch can reach all nodes", "switches lack access" */
static const struct plumb_era nodeless_rows[] = {
    {PLUMB_25_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_eras empty_eras = PLUMB_ERAS(empty_rows),
                               nodeless_eras = PLUMB_ERAS(nodeless_rows);

/* Every node is under a switch. */
static bool all_inside(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist inside = plumb_topo_nodes(ck, 0, m->topo_unit_count);

    return inside.count > 0 &&
           (m->all_nodes == NULL ||
            plumb_hostlist_minus(ck->scratch, m->all_nodes, &inside)->count == 0);
}

/* TOPO004: "has neither child switches nor nodes" */
static void switch_empty(const struct plumb_check *ck)
{
    bool inside = false;

    if (!plumb_topo_tree(ck) || plumb_topo_from_yaml(ck))
        return;
    inside = all_inside(ck);
    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];

        if (u->scope == PLUMB_SCOPE_SWITCH && !u->bad &&
            plumb_setting(&u->settings, PLUMB_P_SWITCH_NODES) == NULL &&
            plumb_setting(&u->settings, PLUMB_P_SWITCH_SWITCHES) == NULL)
            plumb_outcome(ck,
                          plumb_report(ck, u->at,
                                       "switch '%s' has no Nodes and no Switches, expected one of "
                                       "them",
                                       u->name.v),
                          inside ? &empty_eras : &nodeless_eras);
    }
}

/* slurmctld 22.05 takes longer names; the limit came with switch_record.c. */
static const struct plumb_era long_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, true},
    {PLUMB_23_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_eras long_eras = PLUMB_ERAS(long_rows);

/* TOPO012: topology/tree, _parse_switches; a host name of Linux has 64 characters at most. */
static void name_long(const struct plumb_check *ck)
{
    enum { NAME_MAX_CHARS = 64 };

    if (!plumb_topo_tree(ck) || plumb_topo_from_yaml(ck) || plumb_era_quiet(ck, &long_eras))
        return;
    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        size_t len = u->scope == PLUMB_SCOPE_SWITCH && u->name.v != NULL ? strlen(u->name.v) : 0;

        if (len > NAME_MAX_CHARS)
            plumb_outcome(ck,
                          plumb_report(ck, u->name.at,
                                       "the name of a switch has %zu characters, expected at most "
                                       "%d",
                                       len, NAME_MAX_CHARS),
                          &long_eras);
    }
}

/* All nodes of one topology's units of a kind, as written. Cost grows with the file, not its
 * square. */
static struct plumb_hostlist all_of(const struct plumb_check *ck, enum plumb_scope scope,
                                    size_t topology)
{
    struct plumb_hostlist all = {0};

    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];

        if (u->nodes != NULL && u->scope == scope && u->topology == topology)
            plumb_hostlist_append(ck->scratch, &all, u->nodes);
    }
    return all;
}

static void report_leaves(const struct plumb_check *ck, const struct plumb_topo_unit *u,
                          const struct plumb_hostlist *both)
{
    enum { SHOWN = 3 };
    const struct plumb_topo_unit *first = ck->model->topo_units;
    bool block = u->scope == PLUMB_SCOPE_BLOCK;
    struct plumb_diag *d =
        plumb_report(ck, both->ranges[0].at, "'%s' is %s '%s' too, expected one %s for a node",
                     plumb_fold_hosts(ck, both), block ? "in block" : "under switch", u->name.v,
                     block ? "block" : "leaf switch");

    for (size_t k = 0, shown = 0; &first[k] < u && shown < SHOWN; k++) {
        if (first[k].nodes == NULL || first[k].topology != u->topology ||
            first[k].scope != u->scope ||
            plumb_hostlist_intersect(ck->scratch, first[k].nodes, both)->count == 0)
            continue;
        plumb_diag_note(d, first[k].at, "%s '%s'", block ? "block" : "switch", first[k].name.v);
        shown++;
    }
    plumb_fold_object(ck, d, both);
    plumb_outcome(ck, d, NULL);
}

/* The units of a kind of one topology, when some of its nodes stand twice. */
static void leaves_of(const struct plumb_check *ck, enum plumb_scope scope, size_t topology,
                      const struct plumb_hostlist *repeated)
{
    struct plumb_hostlist seen = {0};

    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_hostlist *suspects = NULL, *both = NULL;

        if (u->nodes == NULL || u->scope != scope || u->topology != topology)
            continue;
        suspects = plumb_hostlist_intersect(ck->arena, u->nodes, repeated);
        if (suspects->count == 0)
            continue;
        both = plumb_hostlist_intersect(ck->arena, suspects, &seen);
        if (both->count > 0)
            report_leaves(ck, u, both);
        plumb_hostlist_append(ck->scratch, &seen, suspects);
    }
}

static void in_two(const struct plumb_check *ck, enum plumb_scope scope)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->topo_unit_count; i++) {
        size_t topology = m->topo_units[i].topology;

        if (i > 0 && m->topo_units[i - 1].topology == topology) /* they stand together */
            continue;

        struct plumb_hostlist all = all_of(ck, scope, topology);
        const struct plumb_hostlist *repeated = plumb_hostlist_repeated(ck->scratch, &all);

        if (repeated->count > 0)
            leaves_of(ck, scope, topology, repeated);
    }
}

/* TOPO005 */
static void two_leaves(const struct plumb_check *ck)
{
    if (plumb_topo_tree(ck))
        in_two(ck, PLUMB_SCOPE_SWITCH);
}

/* TOPO055: block_record_validate compares no blocks with each other. */
static void two_blocks(const struct plumb_check *ck)
{
    if (plumb_topo_blocks(ck))
        in_two(ck, PLUMB_SCOPE_BLOCK);
}

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO001",
        .name = "switch-unknown-child",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "Switches names a switch that is not there",
        .why = "A tree with a hole is refused as a whole.",
        .ref = "topology.conf(5), Switches; switch_record.c",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1 Nodes=n[1-2]\n"
               "SwitchName=leaf2 Nodes=n[3-4]\n"
               "SwitchName=spine Switches=leaf[1-3]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-2]\n"
                "SwitchName=leaf2 Nodes=n[3-4]\n"
                "SwitchName=spine Switches=leaf[1-2]",
        .needs = PLUMB_FACT_MODEL,
        .run = unknown_child,
    },
    {
        .code = "TOPO003",
        .name = "switch-nodes-and-switches",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a switch has nodes and switches below it",
        .why = "A switch is a leaf or it is not; the line is refused, and with it the file.",
        .ref = "topology.conf(5); topology/tree, _parse_switches",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1 Nodes=n[1-3]\n"
               "SwitchName=spine Nodes=n4 Switches=leaf1",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-4]\n"
                "SwitchName=spine Switches=leaf1",
        .needs = PLUMB_FACT_MODEL,
        .run = nodes_and_switches,
    },
    {
        .code = "TOPO004",
        .name = "switch-empty",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a switch has nothing below it",
        .why = "Up to 24.11 the file is refused; later the switch reaches no node, and nobody says "
               "so.",
        .ref = "topology.conf(5); topology/tree, _parse_switches",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = switch_empty,
    },
    {
        .code = "TOPO005",
        .name = "node-under-two-switches",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "a node is under two leaf switches",
        .why = "Which of them counts is chance, so jobs are spread wrongly.",
        .ref = "topology.conf(5), Nodes; switch_record.c",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1 Nodes=n[1-2]\n"
               "SwitchName=leaf2 Nodes=n[2-4]\n"
               "SwitchName=spine Switches=leaf[1-2]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-2]\n"
                "SwitchName=leaf2 Nodes=n[3-4]\n"
                "SwitchName=spine Switches=leaf[1-2]",
        .needs = PLUMB_FACT_MODEL,
        .run = two_leaves,
    },
    {
        .code = "TOPO055",
        .name = "node-in-two-blocks",
        PLUMB_OUTCOME(WARNING, NONE, SLURM_ALL),
        .summary = "a node is in two blocks",
        .why = "slurmctld takes it without a word and counts the node in both, so a job that is "
               "promised two whole blocks is one node short.",
        .ref = "topology.conf(5), BlockName, Nodes; block_record.c:block_record_validate",
        .bad = "TopologyPlugin=topology/block\n"
               "NodeName=n[1-8]\n"
               "# topology.conf\n"
               "BlockName=b1 Nodes=n[1-4]\n"
               "BlockName=b2 Nodes=n[4-8]\n"
               "BlockSizes=4",
        .good = "TopologyPlugin=topology/block\n"
                "NodeName=n[1-8]\n"
                "# topology.conf\n"
                "BlockName=b1 Nodes=n[1-4]\n"
                "BlockName=b2 Nodes=n[5-8]\n"
                "BlockSizes=4",
        .needs = PLUMB_FACT_MODEL,
        .run = two_blocks,
    },
    {
        .code = "TOPO012",
        .name = "switch-name-long",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "the name of a switch is longer than 64 characters",
        .why = "The line is refused, and with it the file.",
        .ref = "topology.conf(5), SwitchName; topology/tree, _parse_switches",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=dc1-hall2-row17-rack04-unit42-nvidia-quantum2-qm9790-leaf-switch1 "
               "Nodes=n[1-4]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=dc1-hall2-row17-rack04-leaf1 Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = name_long,
    },
};

const struct plumb_rule_family plumb_topo_tree_rules = {
    .prefix = "TOPO",
    .title = "Switches of a tree",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
