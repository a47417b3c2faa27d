/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about a topology as a whole: nothing in it, circles, no common root, the plugin of routes.
 */
#include "rules/ask.h"
#include "rules/topo.h"

#define P(name) PLUMB_P_SLURM_##name

/* The switches of topology.conf, and which of them stand below each. */
struct switches {
    const struct plumb_topo_unit **items;
    size_t **below, *below_count;
    bool *is_child;
    size_t count;
};

static void add_children(const struct plumb_check *ck, struct switches *s, size_t parent,
                         const struct plumb_map *index)
{
    const struct plumb_topo_unit *u = s->items[parent];
    struct plumb_host_cursor c = {0};
    struct plumb_buf name = plumb_buf_in(ck->scratch);
    size_t cap = 0;

    while (u->children != NULL && plumb_hostlist_next(u->children, &c, &name)) {
        const size_t *child = plumb_map_get(index, plumb_topo_key(ck, u, plumb_buf_text(&name)));

        name.len = 0;
        if (child == NULL || *child == parent)
            continue; /* TOPO001 */
        s->below[parent] = plumb_arena_grow(ck->scratch, s->below[parent], s->below_count[parent],
                                            &cap, sizeof(size_t));
        s->below[parent][s->below_count[parent]++] = *child;
        s->is_child[*child] = true;
    }
}

static struct switches switches_of(const struct plumb_check *ck)
{
    size_t n = ck->model->topo_unit_count;
    struct switches s = {
        .items = PLUMB_NEW_ARRAY(ck->scratch, n, const struct plumb_topo_unit *),
        .below = PLUMB_NEW_ARRAY(ck->scratch, n, size_t *),
        .below_count = PLUMB_NEW_ARRAY(ck->scratch, n, size_t),
        .is_child = PLUMB_NEW_ARRAY(ck->scratch, n, bool),
    };
    struct plumb_map index = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < n; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const char *key = u->name.v == NULL ? NULL : plumb_topo_key(ck, u, u->name.v);
        size_t *place = NULL;

        if (key == NULL || u->scope != PLUMB_SCOPE_SWITCH || plumb_map_get(&index, key) != NULL)
            continue; /* TOPO002 tells of a name that is there twice */
        place = PLUMB_NEW(ck->scratch, size_t);
        *place = s.count;
        plumb_map_set(&index, key, place);
        s.items[s.count++] = u;
    }
    for (size_t i = 0; i < s.count; i++)
        add_children(ck, &s, i, &index);
    return s;
}

/* Room for walks: which of them saw a switch last, so that none is walked again in a circle. */
struct walk {
    size_t *todo, *seen_by;
    size_t number;
};

/* The nodes under a switch. */
static void reach(const struct plumb_check *ck, const struct switches *s, size_t at,
                  struct plumb_hostlist *out, struct walk *w)
{
    size_t count = 0;

    w->number++;
    w->todo[count++] = at;
    w->seen_by[at] = w->number;
    while (count > 0) {
        size_t now = w->todo[--count];

        if (s->items[now]->nodes != NULL)
            plumb_hostlist_append(ck->scratch, out, s->items[now]->nodes);
        for (size_t k = 0; k < s->below_count[now]; k++) {
            size_t child = s->below[now][k];

            if (w->seen_by[child] != w->number)
                w->todo[count++] = child;
            w->seen_by[child] = w->number;
        }
    }
}

static bool reaches_all(const struct plumb_check *ck, const struct switches *s, size_t at,
                        struct walk *w)
{
    struct plumb_hostlist nodes = {0};

    reach(ck, s, at, &nodes, w);
    return nodes.count >= ck->model->all_nodes->count &&
           plumb_hostlist_minus(ck->scratch, ck->model->all_nodes, &nodes)->count == 0;
}

/* Every node is under some switch, else TOPO007 tells; and nothing was reported that hides some. */
static bool covered(const struct plumb_check *ck, const struct switches *s)
{
    struct plumb_hostlist nodes = {0};

    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        if (ck->model->topo_units[i].bad)
            return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i]->nodes != NULL)
            plumb_hostlist_append(ck->scratch, &nodes, s->items[i]->nodes);
    }
    return plumb_hostlist_minus(ck->scratch, ck->model->all_nodes, &nodes)->count == 0;
}

/* TOPO041: switch_record.c, "no switch can reach all nodes" */
static void no_root(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURM_ALL, false},
        {PLUMB_23_02, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;
    const struct plumb_topo_unit *top = NULL, *other = NULL;
    struct switches s;
    struct walk w = {0};

    if (!plumb_topo_tree(ck) || plumb_topo_from_yaml(ck) || m->nodes_unread ||
        m->all_nodes == NULL || m->all_nodes->count == 0 || m->unread[PLUMB_TOPOLOGY_CONF])
        return;
    s = switches_of(ck);
    if (!covered(ck, &s))
        return;
    w.todo = PLUMB_NEW_ARRAY(ck->scratch, s.count, size_t);
    w.seen_by = PLUMB_NEW_ARRAY(ck->scratch, s.count, size_t);
    for (size_t i = 0; i < s.count; i++) {
        if (s.is_child[i])
            continue;
        if (reaches_all(ck, &s, i, &w))
            return;
        other = top != NULL && other == NULL ? s.items[i] : other;
        top = top == NULL ? s.items[i] : top;
    }
    if (other == NULL)
        return; /* TOPO031 */

    struct plumb_diag *d = plumb_report(ck, other->name.at,
                                        "no switch reaches all nodes, expected one above '%s' and "
                                        "'%s': no job gets nodes of both",
                                        top->name.v, other->name.v);

    plumb_diag_note(d, top->name.at, "the other top");
    plumb_outcome(ck, d, &eras);
}

/* TOPO040: switch_record.c, "No switches configured"; TOPO034 is about blocks. */
static void no_switch(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
        {PLUMB_25_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;

    if (!m->present[PLUMB_TOPOLOGY_CONF] || m->unread[PLUMB_TOPOLOGY_CONF] ||
        !plumb_plugin_in_force(ck, P(TOPOLOGYPLUGIN), "tree") || m->topo_unit_count > 0 ||
        plumb_topo_from_yaml(ck))
        return;

    struct plumb_diag *d = plumb_report(ck, m->file_at[PLUMB_TOPOLOGY_CONF],
                                        "topology.conf defines no switch, expected a SwitchName "
                                        "line for topology/tree");

    plumb_diag_note(d, plumb_setting_at(plumb_slurm(m), P(TOPOLOGYPLUGIN)), "TopologyPlugin");
    plumb_outcome(ck, d, &eras);
}

/* TOPO042: route_topology.c:init; from 23.11 the key is TopologyParam=RouteTree. */
static const struct plumb_era route_eras[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    {PLUMB_23_11, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
};
#define ROUTE_WITHOUT(how, text)                                                                   \
    {                                                                                              \
        .when = {{P(ROUTEPLUGIN), PLUMB_TEST_IS, "topology"}, {P(TOPOLOGYPLUGIN), how, text}},     \
        .message = "'route/topology' needs 'topology/tree', found another TopologyPlugin"          \
    }
static const struct plumb_combo route[] = {
    ROUTE_WITHOUT(PLUMB_TEST_UNSET, NULL),
    ROUTE_WITHOUT(PLUMB_TEST_IS_NOT, "tree"),
    ROUTE_WITHOUT(PLUMB_TEST_IS, "none"),
};
static const struct plumb_combos route_without_tree = {
    .items = route, .count = PLUMB_COUNT(route), .eras = PLUMB_ERAS(route_eras)};

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO040",
        .name = "no-switch",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "topology/tree without a switch in topology.conf",
        .why = "Up to 25.05 all nodes are alike; later releases refuse the file.",
        .ref = "topology.conf(5); switch_record.c",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "# switches come later",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = no_switch,
    },
    {
        .code = "TOPO041",
        .name = "no-common-root",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "no switch reaches all nodes",
        .why = "The tree is several trees, and no job gets nodes of two of them.",
        .ref = "topology.conf(5), SwitchName; switch_record.c",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1 Nodes=n[1-2]\n"
               "SwitchName=leaf2 Nodes=n[3-4]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-2]\n"
                "SwitchName=leaf2 Nodes=n[3-4]\n"
                "SwitchName=spine Switches=leaf[1-2]",
        .needs = PLUMB_FACT_MODEL,
        .run = no_root,
    },
    {
        .code = "TOPO042",
        .name = "route-without-tree",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "RoutePlugin=route/topology without topology/tree",
        .why = "The plugin sends messages along the tree; without one the daemons end.",
        .ref = "slurm.conf(5), RoutePlugin; route_topology.c:init",
        .bad = "RoutePlugin=route/topology\n"
               "TopologyPlugin=topology/none",
        .good = "RoutePlugin=route/default\n"
                "TopologyPlugin=topology/none",
        PLUMB_COMBO(route_without_tree),
    },
};

const struct plumb_rule_family plumb_topo_shape_rules = {
    .prefix = "TOPO",
    .title = "A topology as a whole",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
