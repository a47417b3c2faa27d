/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.conf, or topology.yaml where the model says that it is read in its place. A unit whose
 * lists could not be read was reported, and nothing is made then.
 */
#include "model/nested.h"
#include "slurm/slurm.h"
#include "syntax/node.h"

static void emit_conf(const struct plumb_emit *em)
{
    const struct plumb_model *m = em->model;
    struct plumb_slurm_page page = {.em = em,
                                    .doc = plumb_emit_conf(em, PLUMB_TOPOLOGY_CONF, 0644)};

    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];
        struct plumb_conf_line *line = plumb_conf_line(page.doc, u->scope);

        plumb_conf_cause(page.doc, line, u->at);
        plumb_conf_add(page.doc, line,
                       u->scope == PLUMB_SCOPE_BLOCK ? PLUMB_P_TOPO_BLOCKNAME
                                                     : PLUMB_P_TOPO_SWITCHNAME,
                       u->name.v, u->name.at);
        plumb_slurm_pairs(&page, line, &u->settings, NULL, NULL, 0);
    }
    plumb_slurm_globals(&page, &m->settings[PLUMB_TOPOLOGY_CONF], NULL, 0);
}

static void set_hosts(struct plumb_arena *a, struct plumb_node *to, const char *key,
                      const struct plumb_hostlist *list)
{
    if (list != NULL)
        plumb_node_set(a, to, key, plumb_node_string(a, plumb_hostlist_str(a, list), list->at));
}

/* The units of one topology, in the keys of topology.yaml(5). */
static struct plumb_node *units_of(struct plumb_arena *a, const struct plumb_model *m,
                                   size_t topology, bool *block)
{
    struct plumb_node *list = plumb_node_sequence(a, m->topology_yaml);

    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];
        struct plumb_node *one = plumb_node_mapping(a, u->at);

        if (u->topology != topology)
            continue;
        *block = u->scope == PLUMB_SCOPE_BLOCK;
        plumb_node_set(a, one, *block ? "block" : "switch",
                       plumb_node_string(a, u->name.v, u->name.at));
        set_hosts(a, one, "nodes", u->nodes);
        set_hosts(a, one, "children", u->children);
        plumb_node_append(a, list, one);
    }
    return list;
}

static struct plumb_node *sizes_of(struct plumb_arena *a, const struct plumb_model *m,
                                   size_t topology)
{
    for (size_t i = 0; m->nested != NULL && i < m->nested->size_count; i++) {
        const struct plumb_block_sizes *s = &m->nested->sizes[i];
        struct plumb_node *list = plumb_node_sequence(a, m->topology_yaml);

        if (s->topology != topology)
            continue;
        for (size_t k = 0; k < s->count; k++)
            plumb_node_append(a, list, plumb_node_u64(a, s->items[k].v, s->items[k].at));
        return list;
    }
    return NULL;
}

/* slurmctld wants the name first (topology.yaml(5)). */
static void emit_yaml(const struct plumb_emit *em)
{
    const struct plumb_model *m = em->model;
    struct plumb_arena *a = em->session->arena;
    struct plumb_node *root = plumb_node_sequence(a, m->topology_yaml);

    for (size_t i = 0; i < m->topology_count; i++) {
        struct plumb_node *one = plumb_node_mapping(a, m->topology_yaml);
        struct plumb_node *inside = plumb_node_mapping(a, m->topology_yaml);
        struct plumb_node *sizes = sizes_of(a, m, i);
        bool block = false;
        struct plumb_node *units = units_of(a, m, i, &block);

        plumb_node_set(a, one, "topology",
                       plumb_node_string(a, m->topologies[i], m->topology_yaml));
        plumb_node_set(a, one, "cluster_default", plumb_node_bool(a, i == 0, m->topology_yaml));
        if (sizes != NULL)
            plumb_node_set(a, inside, "block_sizes", sizes);
        plumb_node_set(a, inside, block ? "blocks" : "switches", units);
        plumb_node_set(a, one, block ? "block" : "tree", inside);
        plumb_node_append(a, root, one);
    }
    plumb_emit_yaml(em, "slurm/topology.yaml", root);
}

void plumb_slurm_topology(const struct plumb_emit *em)
{
    const struct plumb_model *m = em->model;

    if (!m->from_spec || m->topo_unit_count == 0)
        return;
    if (plumb_span_known(m->topology_yaml))
        emit_yaml(em);
    else
        emit_conf(em);
}
