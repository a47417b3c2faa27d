/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topology files of Slurm as each other: topology.conf as topology.yaml (25.05 on) and back. What
 * both can say is carried over: switches, blocks, their lists and the sizes of blocks.
 */
#include <string.h>

#include "base/num.h"
#include "emit/topo.h"
#include "model/nested.h"
#include "schema/value.h"
#include "syntax/yaml.h"

static const struct plumb_span nowhere;

/* Units of one kind of one topology: a topology of topology.yaml, or what a plugin reads of
 * topology.conf. */
struct part {
    size_t topology;
    enum plumb_scope scope;
};

struct parts {
    struct part *items;
    size_t count, cap;
};

static const char *kind_of(enum plumb_scope scope)
{
    return scope == PLUMB_SCOPE_BLOCK ? "block" : scope == PLUMB_SCOPE_RING ? "ring" : "tree";
}

/* kind: "tree" or "block" alone; NULL: all. */
static struct parts parts_of(struct plumb_arena *a, const struct plumb_model *m, const char *kind)
{
    struct parts out = {0};

    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];
        bool there = kind != NULL && strcmp(kind, kind_of(u->scope)) != 0;

        for (size_t k = 0; k < out.count && !there; k++)
            there = out.items[k].topology == u->topology && out.items[k].scope == u->scope;
        if (there)
            continue;
        out.items = plumb_arena_grow(a, out.items, out.count, &out.cap, sizeof(*out.items));
        out.items[out.count++] = (struct part){u->topology, u->scope};
    }
    return out;
}

static bool belongs(const struct plumb_topo_unit *u, const struct part *p)
{
    return u->topology == p->topology && u->scope == p->scope;
}

/* Sizes of blocks as numbers: of topology.yaml, or of BlockSizes; NULL: none are set. */
static struct plumb_node *sizes_of(struct plumb_arena *a, const struct plumb_model *m,
                                   const struct part *p)
{
    const struct plumb_setting *s =
        plumb_setting(&m->settings[PLUMB_TOPOLOGY_CONF], PLUMB_P_TOPO_BLOCKSIZES);
    struct plumb_node *list = plumb_node_sequence(a, nowhere);
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;
    uint64_t size = 0;

    if (p->scope != PLUMB_SCOPE_BLOCK)
        return NULL;
    for (size_t i = 0; m->nested != NULL && i < m->nested->size_count; i++) {
        const struct plumb_block_sizes *own = &m->nested->sizes[i];

        for (size_t k = 0; own->topology == p->topology && k < own->count; k++)
            plumb_node_append(a, list, plumb_node_u64(a, own->items[k].v, nowhere));
    }
    if (list->count > 0)
        return list;
    while (s != NULL && plumb_list_next(&s->value, ',', &c, &item)) {
        if (plumb_read_u64(item.text, item.len, &size))
            plumb_node_append(a, list, plumb_node_u64(a, size, nowhere));
    }
    return list->count > 0 ? list : NULL;
}

/* Why nothing can be made; NULL: nothing speaks against it. */
static const char *against(struct plumb_arena *a, const struct plumb_model *m,
                           const struct parts *parts, const char *kind)
{
    if (parts->count == 0)
        return kind == NULL ? "the file has no switches and no blocks"
                            : plumb_arena_printf(a, "the file has no %s", kind);
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        if (m->topo_units[i].bad)
            return "a list in the file cannot be read";
    }
    return NULL;
}

static bool has_link_speed(const struct plumb_model *m)
{
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        if (plumb_setting(&m->topo_units[i].settings, PLUMB_P_SWITCH_LINKSPEED) != NULL)
            return true;
    }
    return false;
}

static void put_list(struct plumb_buf *out, const char *key, const struct plumb_hostlist *list)
{
    if (list != NULL)
        plumb_buf_printf(out, " %s=%s", key, plumb_hostlist_str(out->arena, list));
}

static void put_sizes(struct plumb_buf *out, const struct plumb_node *sizes)
{
    for (uint32_t i = 0; sizes != NULL && i < sizes->count; i++)
        plumb_buf_printf(out, "%s%s%s", i == 0 ? "BlockSizes=" : ",",
                         plumb_node_text(sizes->items[i]), i + 1 == sizes->count ? "\n" : "");
}

/* topology.conf is read by one plugin, so it holds one part. */
const char *plumb_units_conf(const struct plumb_model *m, const char *kind, struct plumb_buf *out)
{
    struct parts parts = parts_of(out->arena, m, kind);
    const char *why = against(out->arena, m, &parts, kind);
    const struct part *p = parts.items;

    if (why != NULL)
        return why;
    if (parts.count > 1)
        return plumb_arena_printf(out->arena,
                                  "the file has %zu topologies, and topology.conf holds one%s",
                                  parts.count, kind == NULL ? ": choose with --topology" : "");
    if (p->scope == PLUMB_SCOPE_RING)
        return "the file has rings, which topology.conf cannot hold";
    plumb_buf_printf(out, "# topology.conf for TopologyPlugin=topology/%s.%s\n", kind_of(p->scope),
                     has_link_speed(m) ? " LinkSpeed, which no daemon uses, is left out." : "");
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (!belongs(u, p))
            continue;
        plumb_buf_printf(out, "%s=%s", u->scope == PLUMB_SCOPE_BLOCK ? "BlockName" : "SwitchName",
                         u->name.v);
        put_list(out, "Nodes", u->nodes);
        put_list(out, "Switches", u->children);
        plumb_buf_char(out, '\n');
    }
    put_sizes(out, sizes_of(out->arena, m, p));
    return NULL;
}

static void set_list(struct plumb_arena *a, struct plumb_node *to, const char *key,
                     const struct plumb_hostlist *list)
{
    if (list != NULL)
        plumb_node_set_string(a, to, key, plumb_hostlist_str(a, list));
}

static struct plumb_node *inside_of(struct plumb_arena *a, const struct plumb_model *m,
                                    const struct part *p)
{
    static const struct {
        enum plumb_scope scope;
        const char *list, *one;
    } keys[] = {
        {PLUMB_SCOPE_SWITCH, "switches", "switch"},
        {PLUMB_SCOPE_BLOCK, "blocks", "block"},
        {PLUMB_SCOPE_RING, "rings", "ring"},
    };
    struct plumb_node *inside = plumb_node_mapping(a, nowhere);
    struct plumb_node *list = plumb_node_sequence(a, nowhere), *sizes = sizes_of(a, m, p);
    size_t key = 0;

    while (keys[key].scope != p->scope)
        key++;
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];
        struct plumb_node *one = plumb_node_mapping(a, nowhere);

        if (!belongs(u, p))
            continue;
        plumb_node_set_string(a, one, keys[key].one, u->name.v);
        set_list(a, one, "nodes", u->nodes);
        set_list(a, one, "children", u->children);
        plumb_node_append(a, list, one);
    }
    if (sizes != NULL)
        plumb_node_set(a, inside, "block_sizes", sizes);
    plumb_node_set(a, inside, keys[key].list, list);
    return inside;
}

const char *plumb_units_yaml(const struct plumb_model *m, const char *kind, struct plumb_buf *out)
{
    struct plumb_arena *a = out->arena;
    struct parts parts = parts_of(a, m, kind);
    const char *why = against(a, m, &parts, kind);
    struct plumb_node *root = plumb_node_sequence(a, nowhere);

    if (why != NULL)
        return why;
    for (size_t i = 0; i < parts.count; i++) {
        const struct part *p = &parts.items[i];
        const char *own = kind_of(p->scope);
        struct plumb_node *one = plumb_node_mapping(a, nowhere);

        /* slurmctld wants the name first (topology.yaml(5)) */
        plumb_node_set_string(a, one, "topology", parts.count == 1 ? "default" : own);
        plumb_node_set_bool(a, one, "cluster_default", i == 0);
        plumb_node_set(a, one, own, inside_of(a, m, p));
        plumb_node_append(a, root, one);
    }
    plumb_yaml_write(out, root, NULL);
    return NULL;
}
