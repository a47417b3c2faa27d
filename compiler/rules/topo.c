/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about topology.conf: names and nodes of switches and blocks. slurmctld reads the file only
 * when TopologyPlugin asks for one of them, and not at all where a topology.yaml beside it is read;
 * then they are about that file.
 */
#include "rules/topo.h"

#include "rules/ask.h"

bool plumb_topo_from_yaml(const struct plumb_check *ck)
{
    return plumb_span_known(ck->model->topology_yaml) &&
           plumb_has_trait(ck, PLUMB_TRAIT_TOPOLOGY_YAML);
}

/* A plugin that no release has is a slip of the pen: it does not tell which one was meant. */
static bool plugin_unknown(const struct plumb_check *ck)
{
    return plumb_setting_bad(plumb_slurm(ck->model), PLUMB_P_SLURM_TOPOLOGYPLUGIN);
}

static const char *plugin_of(enum plumb_scope scope)
{
    return scope == PLUMB_SCOPE_SWITCH ? "tree" : scope == PLUMB_SCOPE_BLOCK ? "block" : "ring";
}

/*
 * The plugin of a kind of line is in force; without slurm.conf, or a plugin that exists, the lines
 * themselves decide. A topology.yaml says itself what it holds.
 */
bool plumb_topo_in_force(const struct plumb_check *ck, enum plumb_scope scope)
{
    const struct plumb_model *m = ck->model;

    if (m->topo_unit_count == 0 || plumb_topo_from_yaml(ck))
        return m->topo_unit_count > 0;
    if (!m->present[PLUMB_SLURM_CONF] || plugin_unknown(ck))
        return m->topo_units[0].scope == scope;
    return plumb_plugin_in_force(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, plugin_of(scope));
}

bool plumb_topo_tree(const struct plumb_check *ck)
{
    return plumb_topo_in_force(ck, PLUMB_SCOPE_SWITCH);
}

bool plumb_topo_blocks(const struct plumb_check *ck)
{
    return plumb_knows_word(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, "topology/block") &&
           plumb_topo_in_force(ck, PLUMB_SCOPE_BLOCK);
}

bool plumb_topo_rings(const struct plumb_check *ck)
{
    return plumb_knows_word(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, "topology/ring") &&
           plumb_topo_in_force(ck, PLUMB_SCOPE_RING);
}

/* Without topology.yaml there is one topology, "default" (interfaces/topology.c:topology_g_init).
 */
bool plumb_topo_find(const struct plumb_check *ck, const struct plumb_slice *name, size_t *index)
{
    const struct plumb_model *m = ck->model;

    *index = 0;
    if (!plumb_topo_from_yaml(ck))
        return plumb_slice_is_exact(name, "default");
    for (; *index < m->topology_count; ++*index) {
        if (plumb_slice_is_exact(name, m->topologies[*index]))
            return true;
    }
    return m->topology_count == 0; /* not a list of topologies: nothing is known of it */
}

static enum plumb_scope scope_now(const struct plumb_check *ck)
{
    return plumb_topo_blocks(ck)  ? PLUMB_SCOPE_BLOCK
           : plumb_topo_rings(ck) ? PLUMB_SCOPE_RING
                                  : PLUMB_SCOPE_SWITCH;
}

/* The lines of the file are read. */
static bool is_read(const struct plumb_check *ck)
{
    return plumb_topo_tree(ck) || plumb_topo_blocks(ck) || plumb_topo_rings(ck);
}

/* Names are those of one topology and kind. */
const char *plumb_topo_key(const struct plumb_check *ck, const struct plumb_topo_unit *u,
                           const char *name)
{
    return plumb_arena_printf(ck->scratch, "%zu %d %s", u->topology, (int)u->scope, name);
}

/* Units by name, as slurmctld compares them. The first of a name counts. */
struct plumb_map plumb_topo_units_by_name(const struct plumb_check *ck)
{
    struct plumb_map map = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];

        const char *key = plumb_topo_key(ck, u, u->name.v);

        if (plumb_map_get(&map, key) == NULL)
            plumb_map_set(&map, key, (void *)(uintptr_t)u);
    }
    return map;
}

struct plumb_hostlist plumb_topo_nodes(const struct plumb_check *ck, size_t from, size_t to)
{
    struct plumb_hostlist all = {0};

    for (size_t i = from; i < to; i++) {
        if (ck->model->topo_units[i].nodes != NULL)
            plumb_hostlist_append(ck->scratch, &all, ck->model->topo_units[i].nodes);
    }
    return all;
}

/* TOPO002 */
static void name_twice(const struct plumb_check *ck)
{
    struct plumb_map units = plumb_topo_units_by_name(ck);
    bool active = is_read(ck);

    for (size_t i = 0; active && i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_topo_unit *first =
            plumb_map_get(&units, plumb_topo_key(ck, u, u->name.v));

        if (first == u)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, u->name.at, "'%s' is defined twice, expected once", u->name.v);

        plumb_diag_note(d, first->name.at, "the first definition");
        plumb_outcome(ck, d, NULL);
    }
}

/* Releases that know MaxNodeCount run without any node (read_config.c:read_slurm_conf). */
static bool knows_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    return is_read(ck) && m->present[PLUMB_SLURM_CONF] &&
           (m->node_count > 0 || (!m->nodes_unread && plumb_knows(ck, PLUMB_P_SLURM_MAXNODECOUNT)));
}

/* TOPO006: node_name2bitmap. A node that may register later is missed all the same. */
static void unknown_node(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist all;
    const struct plumb_hostlist *none = NULL;

    if (!knows_nodes(ck))
        return;
    all = plumb_topo_nodes(ck, 0, m->topo_unit_count);
    none = plumb_no_nodes(ck, &all);
    for (size_t i = 0; none->count > 0 && i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];
        const struct plumb_hostlist *here =
            u->nodes == NULL ? NULL : plumb_hostlist_intersect(ck->arena, u->nodes, none);

        if (here == NULL || here->count == 0 ||
            (!plumb_topo_from_yaml(ck) && u->scope != scope_now(ck)))
            continue;

        struct plumb_diag *d =
            plumb_report(ck, here->ranges[0].at,
                         "'%s' of '%s' is no node of slurm.conf, expected one, and is left out",
                         plumb_fold_hosts(ck, here), u->name.v);

        plumb_fold_object(ck, d, here);
        plumb_outcome(ck, d, NULL);
    }
}

/* Nodes that are not inside; a dynamic one tells its place when it registers. */
static struct plumb_hostlist *left_out(const struct plumb_check *ck,
                                       const struct plumb_hostlist *inside)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist *left = plumb_hostlist_minus(ck->arena, m->all_nodes, inside);

    for (size_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i].dynamic && m->nodes[i].hosts != NULL)
            left = plumb_hostlist_minus(ck->arena, left, m->nodes[i].hosts);
    }
    return left;
}

/* Units of one topology, from the first of them to the next topology's. */
static void outside_topology(const struct plumb_check *ck, size_t from, size_t to)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist inside;
    const struct plumb_hostlist *left = NULL;
    bool several = m->topology_count > 1; /* not each of them need be for every node */

    for (size_t i = from; i < to; i++) {
        if (m->topo_units[i].bad)
            return;
    }
    inside = plumb_topo_nodes(ck, from, to);
    left = left_out(ck, &inside);
    if (left->count == 0)
        return;

    struct plumb_diag *d =
        plumb_report(ck, m->topo_units[from].at,
                     "'%s' of slurm.conf is in no switch, block or ring of topology '%s', "
                     "expected it in one",
                     plumb_fold_hosts(ck, left), m->topologies[m->topo_units[from].topology]);

    plumb_fold_object(ck, d, left);
    plumb_outcome_is(ck, d, several ? PLUMB_INFO : PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS,
                     PLUMB_SLURM_ALL);
}

static void outside_yaml(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    size_t from = 0;

    for (size_t i = 1; i <= m->topo_unit_count; i++) {
        if (i < m->topo_unit_count && m->topo_units[i].topology == m->topo_units[from].topology)
            continue;
        outside_topology(ck, from, i);
        from = i;
    }
}

/* A switch or block without nodes may be meant to hold any; a ring, and an empty block that is
 * taken, holds none. */
static bool may_hold_any(const struct plumb_check *ck, const struct plumb_topo_unit *u)
{
    if (u->nodes != NULL || u->children != NULL || u->scope == PLUMB_SCOPE_RING)
        return false;
    return u->scope != PLUMB_SCOPE_BLOCK || !plumb_has_trait(ck, PLUMB_TRAIT_EMPTY_BLOCKS_TAKEN) ||
           plumb_setting(&u->settings, PLUMB_P_BLOCK_NODES) != NULL;
}

/* Tells the nodes of slurm.conf that are not inside. where: "in no block". */
static void report_outside(const struct plumb_check *ck, const struct plumb_hostlist *inside,
                           const char *where)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_hostlist *left = left_out(ck, inside);
    struct plumb_diag *d = NULL;

    if (left->count == 0)
        return;
    d = plumb_report(ck, m->file_at[PLUMB_TOPOLOGY_CONF],
                     "'%s' of slurm.conf is %s, expected it in the file: jobs over it and other "
                     "nodes wait",
                     plumb_fold_hosts(ck, left), where);
    plumb_diag_note(d, left->ranges[0].at, "the first of them");
    plumb_fold_object(ck, d, left);
    plumb_outcome(ck, d, NULL);
}

/* TOPO007: "switches lack access to", "Rings lack access to" */
static void outside(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist inside;
    bool blocks = plumb_topo_blocks(ck);

    if (!knows_nodes(ck))
        return;
    if (plumb_topo_from_yaml(ck)) {
        outside_yaml(ck);
        return;
    }
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        if (m->topo_units[i].bad || may_hold_any(ck, &m->topo_units[i]))
            return;
    }
    inside = plumb_topo_nodes(ck, 0, m->topo_unit_count);
    if (inside.count == 0 && blocks)
        return; /* TOPO017, TOPO035 */
    report_outside(ck, &inside,
                   blocks                 ? "in no block"
                   : plumb_topo_rings(ck) ? "in no ring"
                                          : "under no switch");
}

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO002",
        .name = "topology-name-twice",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a switch, block or ring is defined twice",
        .why = "Nobody can tell which of the two is meant.",
        .ref = "topology.conf(5); switch_record.c, block_record.c, ring_record.c",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1 Nodes=n[1-2]\n"
               "SwitchName=leaf1 Nodes=n[3-4]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = name_twice,
    },
    {
        .code = "TOPO006",
        .name = "topology-unknown-node",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURM_ALL),
        .summary = "topology.conf names a node that slurm.conf does not have",
        .why = "The name is left out; mostly another node was meant, which then has no place.",
        .ref = "topology.conf(5), Nodes; node_name2bitmap",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1 Nodes=n[1-5]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = unknown_node,
    },
    {
        .code = "TOPO007",
        .name = "node-outside-topology",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "a node is under no switch, in no block or in no ring",
        .why = "It runs jobs only alone or with others that have no place either.",
        .ref = "topology.conf(5); switch_record.c, block_record.c, ring_record.c",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1 Nodes=n[1-3]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=leaf1 Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = outside,
    },
};

const struct plumb_rule_family plumb_topo_rules = {
    .prefix = "TOPO",
    .title = "Switches, blocks and rings",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
