/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.yaml: switches and blocks of each topology in it, as the same units that topology.conf
 * has. Which keys there are is the business of conf/nested_check.c; what is no list of
 * topologies gives no units.
 */
#include "conf/nested.h"
#include "passes/type.h"

struct unit_keys {
    const char *path, *name; /* "tree/switches", "switch" */
    enum plumb_scope scope;
    enum plumb_param_id nodes;
};

static const struct unit_keys unit_kinds[] = {
    {"tree/switches", "switch", PLUMB_SCOPE_SWITCH, PLUMB_P_TREESWITCH_NODES},
    {"block/blocks", "block", PLUMB_SCOPE_BLOCK, PLUMB_P_BLOCKBLOCK_NODES},
    {"ring/rings", "ring", PLUMB_SCOPE_RING, PLUMB_P_RINGRING_NODES},
};

static const struct plumb_hostlist *read_list(struct plumb_run *r, const struct plumb_node *unit,
                                              const char *key, enum plumb_param_id param, bool *bad)
{
    const struct plumb_node *value = plumb_node_get(unit, key);
    const struct plumb_hostlist *list = NULL;

    if (plumb_node_text(value) == NULL || plumb_node_is_null(value))
        return NULL;
    list = plumb_read_hosts(r->session, &value->scalar, param, r->model->release);
    *bad = *bad || list == NULL;
    return list;
}

static void add_unit(struct plumb_run *r, size_t *cap, const struct plumb_node *node,
                     const struct unit_keys *keys, size_t topology)
{
    struct plumb_model *m = r->model;
    const struct plumb_node *name = plumb_node_get(node, keys->name);
    struct plumb_topo_unit unit = {.scope = keys->scope, .topology = topology, .at = node->at};

    if (plumb_node_text(name) == NULL)
        return;
    unit.name = (struct plumb_text){
        .v = plumb_intern_text(r->session->intern, name->scalar.text, name->scalar.len),
        .at = name->at,
        .origin = PLUMB_GIVEN,
    };
    unit.at = name->at;
    unit.nodes = read_list(r, node, "nodes", keys->nodes, &unit.bad);
    unit.children = read_list(r, node, "children", PLUMB_P_TREESWITCH_CHILDREN, &unit.bad);
    m->topo_units = plumb_arena_grow(r->session->arena, m->topo_units, m->topo_unit_count, cap,
                                     sizeof(struct plumb_topo_unit));
    m->topo_units[m->topo_unit_count++] = unit;
}

static void add_topology(struct plumb_run *r, size_t *cap, const struct plumb_node *topology,
                         size_t number)
{
    for (size_t k = 0; k < PLUMB_COUNT(unit_kinds); k++) {
        struct plumb_nested_entries e =
            plumb_nested_entries(r->session->arena, plumb_node_path(topology, unit_kinds[k].path));

        for (uint32_t i = 0; i < e.count; i++)
            add_unit(r, cap, e.items[i], &unit_kinds[k], number);
    }
}

static void add_name(struct plumb_run *r, const struct plumb_node *topology)
{
    const struct plumb_node *name = plumb_node_get(topology, "topology");
    struct plumb_model *m = r->model;

    m->topologies[m->topology_count++] =
        plumb_node_text(name) == NULL
            ? ""
            : plumb_intern_text(r->session->intern, name->scalar.text, name->scalar.len);
}

/* From 25.05 on this file counts, and topology.conf is not read (interfaces/topology.c). */
void plumb_lift_topology_yaml(struct plumb_run *r)
{
    const struct plumb_nested *tree = r->nested[PLUMB_TOPOLOGY_YAML];
    struct plumb_model *m = r->model;
    struct plumb_nested_entries topologies;
    size_t cap = 0;

    if (tree == NULL)
        return;
    m->topology_yaml = (struct plumb_span){tree->src->id, 0, tree->src->len > 0};
    if (!plumb_file_is_read(r, PLUMB_TOPOLOGY_YAML))
        return;
    m->topo_units = NULL;
    m->topo_unit_count = 0;
    if (tree->root == NULL || tree->twice)
        return;
    topologies =
        plumb_nested_entries(r->session->arena, (struct plumb_node *)(uintptr_t)tree->root);
    m->topologies = PLUMB_NEW_ARRAY(r->session->arena, topologies.count + 1u, const char *);
    for (uint32_t i = 0; i < topologies.count; i++) {
        add_name(r, topologies.items[i]);
        add_topology(r, &cap, topologies.items[i], i);
    }
}
