/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.yaml: switches and blocks of each topology in it, as the same units that topology.conf
 * has. Which keys there are is the business of slurmctld's parser; what is no list of
 * topologies gives no units.
 */
#include <string.h>

#include "base/path.h"
#include "passes/type.h"
#include "syntax/yaml.h"

struct unit_keys {
    const char *path, *name; /* "tree/switches", "switch" */
    enum plumb_scope scope;
};

static const struct unit_keys unit_kinds[] = {
    {"tree/switches", "switch", PLUMB_SCOPE_SWITCH},
    {"block/blocks", "block", PLUMB_SCOPE_BLOCK},
};

static const struct plumb_hostlist *read_list(struct plumb_run *r, const struct plumb_node *unit,
                                              const char *key, bool *bad)
{
    const struct plumb_node *value = plumb_node_get(unit, key);
    const struct plumb_hostlist *list = NULL;

    if (plumb_node_text(value) == NULL || plumb_node_is_null(value))
        return NULL;
    list = plumb_hostlist_read(r->session, &value->scalar, r->model->release);
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
    unit.nodes = read_list(r, node, "nodes", &unit.bad);
    unit.children = read_list(r, node, "children", &unit.bad);
    m->topo_units = plumb_arena_grow(r->session->arena, m->topo_units, m->topo_unit_count, cap,
                                     sizeof(struct plumb_topo_unit));
    m->topo_units[m->topo_unit_count++] = unit;
}

static void add_topology(struct plumb_run *r, size_t *cap, const struct plumb_node *topology,
                         size_t number)
{
    for (size_t k = 0; k < PLUMB_COUNT(unit_kinds); k++) {
        const struct plumb_node *list = plumb_node_path(topology, unit_kinds[k].path);

        for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++)
            add_unit(r, cap, list->items[i], &unit_kinds[k], number);
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
    struct plumb_model *m = r->model;
    const struct plumb_source *src = NULL;
    size_t cap = 0;

    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];

        if (in->src != NULL && strcmp(plumb_path_base(in->path), "topology.yaml") == 0)
            src = in->src;
    }
    if (src == NULL)
        return;
    m->topology_yaml = (struct plumb_span){src->id, 0, src->len > 0};
    if (m->release < PLUMB_25_05)
        return;

    struct plumb_yaml *doc = plumb_yaml_read(r->session, src);

    m->topo_units = NULL;
    m->topo_unit_count = 0;
    if (doc->count != 1 || doc->documents[0]->kind != PLUMB_SEQUENCE)
        return;
    m->topologies = PLUMB_NEW_ARRAY(r->session->arena, doc->documents[0]->count + 1, const char *);
    for (uint32_t i = 0; i < doc->documents[0]->count; i++) {
        add_name(r, doc->documents[0]->items[i]);
        add_topology(r, &cap, doc->documents[0]->items[i], i);
    }
}
