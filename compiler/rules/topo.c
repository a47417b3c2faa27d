/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about topology.conf: a tree of switches, or blocks of nodes. slurmctld reads the file only
 * when TopologyPlugin asks for one of them, and from 25.05 on not at all where topology.yaml stands
 * beside it; then they are about that file.
 */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "rules/ask.h"
#include "rules/topo_plugin.h"

static bool from_yaml(const struct plumb_check *ck)
{
    return plumb_span_known(ck->model->topology_yaml) && ck->model->release >= PLUMB_25_05;
}

/* A plugin that no release has is a slip of the pen: it does not tell which one was meant. */
static bool plugin_unknown(const struct plumb_check *ck)
{
    return plumb_setting_bad(plumb_slurm(ck->model), PLUMB_P_SLURM_TOPOLOGYPLUGIN);
}

/*
 * The plugin of a kind of line is in force; without slurm.conf, or a plugin that exists, the lines
 * themselves decide. A topology.yaml says itself what it holds.
 */
static bool in_force(const struct plumb_check *ck, enum plumb_scope scope)
{
    const struct plumb_model *m = ck->model;

    if (m->topo_unit_count == 0 || from_yaml(ck))
        return m->topo_unit_count > 0;
    if (!m->present[PLUMB_SLURM_CONF] || plugin_unknown(ck))
        return m->topo_units[0].scope == scope;
    return plumb_plugin_in_force(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN,
                                 scope == PLUMB_SCOPE_SWITCH ? "tree" : "block");
}

static bool tree(const struct plumb_check *ck)
{
    return in_force(ck, PLUMB_SCOPE_SWITCH);
}

/* topology/block is there from 23.11 on. */
static bool blocks(const struct plumb_check *ck)
{
    return ck->model->release >= PLUMB_23_11 && in_force(ck, PLUMB_SCOPE_BLOCK);
}

static enum plumb_scope scope_now(const struct plumb_check *ck)
{
    return blocks(ck) ? PLUMB_SCOPE_BLOCK : PLUMB_SCOPE_SWITCH;
}

/* Names are those of one topology and kind. */
static const char *key_of(const struct plumb_check *ck, const struct plumb_topo_unit *u,
                          const char *name)
{
    return plumb_arena_printf(ck->scratch, "%zu %d %s", u->topology, (int)u->scope, name);
}

/* Units by name, as slurmctld compares them. The first of a name counts. */
static struct plumb_map units_by_name(const struct plumb_check *ck)
{
    struct plumb_map map = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];

        const char *key = key_of(ck, u, u->name.v);

        if (plumb_map_get(&map, key) == NULL)
            plumb_map_set(&map, key, (void *)(uintptr_t)u);
    }
    return map;
}

/* TOPO001: switch_record.c, "has invalid child" */
static void unknown_child(const struct plumb_check *ck)
{
    struct plumb_map units = units_by_name(ck);

    for (size_t i = 0; tree(ck) && i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        struct plumb_hostlist missing = {0};

        for (size_t r = 0; u->children != NULL && r < u->children->range_count; r++) {
            struct plumb_hostlist one = {.ranges = &u->children->ranges[r], .range_count = 1};
            struct plumb_host_cursor c = {0};
            struct plumb_buf name = plumb_buf_in(ck->scratch);

            while (plumb_hostlist_next(&one, &c, &name)) {
                const char *text = plumb_buf_text(&name);

                if (plumb_map_get(&units, key_of(ck, u, text)) == NULL ||
                    strcmp(text, u->name.v) == 0) {
                    struct plumb_host_range range = {.prefix = plumb_arena_strdup(ck->arena, text),
                                                     .suffix = "",
                                                     .at = one.ranges[0].at};
                    struct plumb_hostlist add = {.ranges = &range, .range_count = 1, .count = 1};

                    plumb_hostlist_append(ck->arena, &missing, &add);
                }
                name.len = 0;
            }
        }
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

/* TOPO002 */
static void name_twice(const struct plumb_check *ck)
{
    struct plumb_map units = units_by_name(ck);
    bool active = tree(ck) || blocks(ck);

    for (size_t i = 0; active && i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_topo_unit *first = plumb_map_get(&units, key_of(ck, u, u->name.v));

        if (first == u)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, u->name.at, "'%s' is defined twice, expected once", u->name.v);

        plumb_diag_note(d, first->name.at, "the first definition");
        plumb_outcome(ck, d, NULL);
    }
}

/* TOPO003: topology/tree, _parse_switches */
static void nodes_and_switches(const struct plumb_check *ck)
{
    for (size_t i = 0; tree(ck) && i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_setting *nodes = plumb_setting(&u->settings, PLUMB_P_SWITCH_NODES);
        const struct plumb_setting *children = plumb_setting(&u->settings, PLUMB_P_SWITCH_SWITCHES);

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
    {PLUMB_25_05, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_eras empty_eras = PLUMB_ERAS(empty_rows);

/* TOPO004: "has neither child switches nor nodes" */
static void switch_empty(const struct plumb_check *ck)
{
    for (size_t i = 0; tree(ck) && !from_yaml(ck) && i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];

        if (u->scope == PLUMB_SCOPE_SWITCH &&
            plumb_setting(&u->settings, PLUMB_P_SWITCH_NODES) == NULL &&
            plumb_setting(&u->settings, PLUMB_P_SWITCH_SWITCHES) == NULL)
            plumb_outcome(ck,
                          plumb_report(ck, u->at,
                                       "switch '%s' has no Nodes and no Switches, expected one of "
                                       "them",
                                       u->name.v),
                          &empty_eras);
    }
}

/* slurmctld 22.05 takes longer names; the limit came with switch_record.c. */
static const struct plumb_era long_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, true},
    {PLUMB_23_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_eras long_eras = PLUMB_ERAS(long_rows);

/* TOPO012: topology/tree, _parse_switches; a host name of Linux has 64 characters at most. */
static void name_long(const struct plumb_check *ck)
{
    enum { NAME_MAX_CHARS = 64 };

    if (!tree(ck) || from_yaml(ck) || plumb_era_quiet(ck, &long_eras))
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
    struct plumb_diag *d =
        plumb_report(ck, both->ranges[0].at,
                     "'%s' is under switch '%s' too, expected one leaf switch for a node",
                     plumb_fold_hosts(ck, both), u->name.v);

    for (size_t k = 0, shown = 0; &first[k] < u && shown < SHOWN; k++) {
        if (first[k].nodes == NULL || first[k].topology != u->topology ||
            first[k].scope != u->scope ||
            plumb_hostlist_intersect(ck->scratch, first[k].nodes, both)->count == 0)
            continue;
        plumb_diag_note(d, first[k].at, "switch '%s'", first[k].name.v);
        shown++;
    }
    plumb_fold_object(ck, d, both);
    plumb_outcome(ck, d, NULL);
}

/* The units of one topology, when some of its nodes stand twice. */
static void leaves_of(const struct plumb_check *ck, size_t topology,
                      const struct plumb_hostlist *repeated)
{
    struct plumb_hostlist seen = {0};

    for (size_t i = 0; i < ck->model->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &ck->model->topo_units[i];
        const struct plumb_hostlist *suspects = NULL, *both = NULL;

        if (u->nodes == NULL || u->scope != PLUMB_SCOPE_SWITCH || u->topology != topology)
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

/* TOPO005 */
static void two_leaves(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; tree(ck) && i < m->topo_unit_count; i++) {
        size_t topology = m->topo_units[i].topology;

        if (i > 0 && m->topo_units[i - 1].topology == topology) /* they stand together */
            continue;

        struct plumb_hostlist all = all_of(ck, PLUMB_SCOPE_SWITCH, topology);
        const struct plumb_hostlist *repeated = plumb_hostlist_repeated(ck->scratch, &all);

        if (repeated->count > 0)
            leaves_of(ck, topology, repeated);
    }
}

static bool knows_nodes(const struct plumb_check *ck)
{
    return (tree(ck) || blocks(ck)) && ck->model->present[PLUMB_SLURM_CONF] &&
           ck->model->node_count > 0;
}

/* TOPO006: node_name2bitmap. Dynamic nodes register later. */
static void unknown_node(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist all = {0};
    const struct plumb_hostlist *none = NULL;

    if (!knows_nodes(ck) || plumb_global(ck, PLUMB_P_SLURM_MAXNODECOUNT) != NULL)
        return;
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        if (m->topo_units[i].nodes != NULL)
            plumb_hostlist_append(ck->scratch, &all, m->topo_units[i].nodes);
    }
    none = plumb_surely(ck, plumb_hostlist_minus(ck->scratch, &all, m->all_nodes));
    for (size_t i = 0; none->count > 0 && i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];
        const struct plumb_hostlist *here =
            u->nodes == NULL ? NULL : plumb_hostlist_intersect(ck->arena, u->nodes, none);

        if (here == NULL || here->count == 0 || (!from_yaml(ck) && u->scope != scope_now(ck)))
            continue;

        struct plumb_diag *d =
            plumb_report(ck, here->ranges[0].at,
                         "'%s' of '%s' is no node of slurm.conf, expected one, and is left out",
                         plumb_fold_hosts(ck, here), u->name.v);

        plumb_fold_object(ck, d, here);
        plumb_outcome(ck, d, NULL);
    }
}

/* TOPO007: "switches lack access to" */
static void outside(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct plumb_hostlist inside = {0};
    const struct plumb_hostlist *left = NULL;

    if (!knows_nodes(ck) || from_yaml(ck)) /* not every topology is for every node */
        return;
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        if (m->topo_units[i].bad ||
            (m->topo_units[i].nodes == NULL && m->topo_units[i].children == NULL))
            return; /* it may be meant to hold anything */
        if (m->topo_units[i].nodes != NULL)
            plumb_hostlist_append(ck->scratch, &inside, m->topo_units[i].nodes);
    }
    left = plumb_hostlist_minus(ck->arena, m->all_nodes, &inside);
    if (left->count == 0)
        return;

    struct plumb_diag *d =
        plumb_report(ck, m->file_at[PLUMB_TOPOLOGY_CONF],
                     "'%s' of slurm.conf is %s, expected it in the file: jobs over it and other "
                     "nodes wait",
                     plumb_fold_hosts(ck, left), blocks(ck) ? "in no block" : "under no switch");

    plumb_diag_note(d, left->ranges[0].at, "the first of them");
    plumb_fold_object(ck, d, left);
    plumb_outcome(ck, d, NULL);
}

/* The numbers of BlockSizes; count 0: not set or not readable. */
struct sizes {
    uint64_t items[16];
    struct plumb_span places[16];
    size_t count;
    struct plumb_span at;
    bool bad;
};

static struct sizes block_sizes(const struct plumb_check *ck)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_TOPO_BLOCKSIZES);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    struct sizes out = {0};

    if (s == NULL)
        return out;
    out.at = s->value.at;
    while (plumb_list_next(&s->value, ',', &c, &item) && out.count < PLUMB_COUNT(out.items)) {
        out.places[out.count] = item.at;
        if (!plumb_read_u64(item.text, item.len, &out.items[out.count]) ||
            out.items[out.count] == 0 || out.items[out.count] > UINT32_MAX) {
            out.bad = true;
            return out;
        }
        out.count++;
    }
    return out;
}

static const struct plumb_era small_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, true},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_25_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, true},
};
static const struct plumb_eras small_eras = PLUMB_ERAS(small_rows);

/* TOPO008: "children count lower than bblock_node_cnt". Without BlockSizes the first block counts.
 */
static void block_small(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct sizes sizes = block_sizes(ck);
    uint64_t base = 0;

    if (!blocks(ck) || sizes.bad || plumb_era_quiet(ck, &small_eras))
        return;
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (u->scope != PLUMB_SCOPE_BLOCK || u->nodes == NULL)
            continue;
        if (base == 0)
            base = sizes.count > 0 ? sizes.items[0] : u->nodes->count;
        if (u->nodes->count >= base)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, u->nodes->at,
                         "block '%s' has %" PRIu64 " nodes, expected at least the %" PRIu64
                         " of the base block size",
                         u->name.v, u->nodes->count, base);

        plumb_diag_note(d, sizes.count > 0 ? sizes.places[0] : m->topo_units[0].at,
                        "the base block size");
        plumb_outcome(ck, d, &small_eras);
    }
}

static bool power_of_two_times(uint64_t size, uint64_t base)
{
    uint64_t factor = size / base;

    return size % base == 0 && factor > 0 && factor <= 1u << 15 && (factor & (factor - 1)) == 0;
}

static const struct plumb_era sizes_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, true},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_eras sizes_eras = PLUMB_ERAS(sizes_rows);

/* TOPO009: block_record.c, _read_topo_file */
static void sizes_wrong(const struct plumb_check *ck)
{
    struct sizes sizes = block_sizes(ck);

    if (!blocks(ck) || from_yaml(ck) || plumb_era_quiet(ck, &sizes_eras))
        return;
    if (sizes.bad) {
        plumb_outcome(ck,
                      plumb_report(ck, sizes.places[sizes.count],
                                   "this is no block size, expected a number above 0"),
                      &sizes_eras);
        return;
    }
    for (size_t i = 1; i < sizes.count; i++) {
        if (power_of_two_times(sizes.items[i], sizes.items[0]))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, sizes.places[i],
                                   "block size %" PRIu64 " is no multiple of the first, %" PRIu64
                                   ", by a power of two, expected one such as %" PRIu64,
                                   sizes.items[i], sizes.items[0], sizes.items[0] * 2),
                      &sizes_eras);
    }
}

/* TOPO010: interfaces/topology.c */
static void yaml_wins(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *plugin = plumb_global(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN);

    if (!plumb_span_known(m->topology_yaml) || m->release < PLUMB_25_05)
        return;
    if (m->present[PLUMB_TOPOLOGY_CONF]) {
        struct plumb_diag *d = plumb_report(ck, m->file_at[PLUMB_TOPOLOGY_CONF],
                                            "topology.yaml stands beside this file, expected one "
                                            "of them; slurmctld %s does not read this one",
                                            plumb_series(ck));

        plumb_diag_note(d, m->topology_yaml, "the file that is read");
    }
    if (plugin != NULL) {
        struct plumb_diag *d =
            plumb_report(ck, plugin->value.at,
                         "TopologyPlugin=%s is not used by slurmctld %s, expected none where "
                         "topology.yaml tells the topology",
                         plugin->value.text, plumb_series(ck));

        plumb_diag_note(d, m->topology_yaml, "the topology that counts");
    }
}

/* Without topology.yaml there is one topology, "default" (interfaces/topology.c:topology_g_init).
 */
static bool find_topology(const struct plumb_check *ck, const struct plumb_slice *name,
                          size_t *index)
{
    const struct plumb_model *m = ck->model;

    *index = 0;
    if (!from_yaml(ck))
        return plumb_slice_is_exact(name, "default");
    for (; *index < m->topology_count; ++*index) {
        if (plumb_slice_is_exact(name, m->topologies[*index]))
            return true;
    }
    return m->topology_count == 0; /* not a list of topologies: nothing is known of it */
}

/* A switch or block of a topology has the name; or the topology has none that are known here. */
static bool has_unit(const struct plumb_check *ck, size_t topology, const struct plumb_slice *path)
{
    const struct plumb_model *m = ck->model;
    const char *colon = memchr(path->text, ':', path->len);
    struct plumb_slice first = *path;
    bool any = false;

    if (colon != NULL) /* a new leaf below a switch that is there */
        first = plumb_slice_sub(path, 0, (size_t)(colon - path->text));
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (u->topology != topology || !in_force(ck, u->scope))
            continue;
        any = true;
        if (plumb_slice_is_exact(u->scope == PLUMB_SCOPE_BLOCK ? path : &first, u->name.v))
            return true;
    }
    return !any;
}

/* One "name" or "name:unit". */
static void check_topology(const struct plumb_check *ck, const struct plumb_slice *item)
{
    const char *colon = memchr(item->text, ':', item->len);
    size_t len = colon == NULL ? item->len : (size_t)(colon - item->text), topology = 0;
    struct plumb_slice name = plumb_slice_sub(item, 0, len);

    if (!find_topology(ck, &name, &topology)) {
        plumb_outcome(ck,
                      plumb_report(ck, name.at, "there is no topology '%.*s', expected %s",
                                   (int)name.len, name.text,
                                   from_yaml(ck) ? "one of topology.yaml" : "'default'"),
                      NULL);
        return;
    }
    if (colon == NULL || len + 1 == item->len)
        return;

    struct plumb_slice unit = plumb_slice_sub(item, len + 1, item->len);

    if (!has_unit(ck, topology, &unit))
        plumb_outcome(
            ck,
            plumb_report(ck, unit.at,
                         "topology '%.*s' has no '%.*s', expected a switch or block of it",
                         (int)name.len, name.text, (int)unit.len, unit.text),
            NULL);
}

/* TOPO011: read_config.c:_set_nodes_topo, partition_mgr.c:set_part_topology_idx */
static void unknown_topology(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (m->release < PLUMB_25_05 || !m->present[PLUMB_SLURM_CONF])
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_setting *s = plumb_setting(&m->nodes[i].settings, PLUMB_P_NODE_TOPOLOGY);
        struct plumb_list_cursor cursor = {0};
        struct plumb_slice item;

        while (s != NULL && plumb_list_next(&s->value, ',', &cursor, &item))
            check_topology(ck, &item);
    }
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_setting *s =
            plumb_setting(&m->partitions[i].settings, PLUMB_P_PART_TOPOLOGY);
        size_t index = 0;

        if (s != NULL && s->value.len > 0 && !find_topology(ck, &s->value, &index))
            check_topology(ck, &s->value);
    }
}

/* Nodes of slurm.conf in a ring. */
static uint64_t ring_size(const struct plumb_check *ck, const struct plumb_setting *nodes)
{
    struct plumb_session quiet = {.arena = ck->scratch,
                                  .scratch = ck->scratch,
                                  .intern = ck->intern,
                                  .sink = {.arena = ck->scratch}};
    const struct plumb_hostlist *list =
        plumb_hostlist_read(&quiet, &nodes->value, ck->model->release);

    if (list == NULL || ck->model->all_nodes == NULL)
        return 0;
    return plumb_hostlist_intersect(ck->scratch, ck->model->all_nodes, list)->count;
}

/* TOPO013: topology/ring, ring_record.c */
static void rings(const struct plumb_check *ck)
{
    enum { RING_MAX = 16 };
    struct plumb_map names = plumb_map_in(ck->scratch);
    bool active = ck->model->release >= PLUMB_26_05 && !from_yaml(ck) &&
                  plumb_plugin_in_force(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, "ring");

    for (size_t i = 0; active && i < ck->model->side_line_count; i++) {
        const struct plumb_side_line *line = &ck->model->side_lines[i];
        const struct plumb_setting *nodes = plumb_setting(&line->settings, PLUMB_P_RING_NODES);
        const struct plumb_setting *name = line->settings.count > 0 ? line->settings.items : NULL;
        const struct plumb_setting *first;
        uint64_t size;

        if (line->file != PLUMB_TOPOLOGY_CONF || name == NULL)
            continue;
        first = plumb_map_get(&names, name->value.text);
        if (first == NULL) {
            plumb_map_set(&names, name->value.text, (void *)(uintptr_t)name);
        } else {
            struct plumb_diag *d = plumb_report(
                ck, name->value.at, "ring '%s' is defined twice, expected once", name->value.text);

            plumb_diag_note(d, first->value.at, "the first definition");
            plumb_outcome(ck, d, NULL);
        }
        size = nodes != NULL ? ring_size(ck, nodes) : 0;
        if (size > RING_MAX)
            plumb_outcome(ck,
                          plumb_report(ck, nodes->value.at,
                                       "ring '%s' has %" PRIu64 " nodes, expected at most %d",
                                       name->value.text, size, RING_MAX),
                          NULL);
    }
}

#define TOPO(function) .needs = PLUMB_FACT_MODEL, .run = (function)

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO001",
        .name = "switch-unknown-child",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "Switches names a switch that is not there",
        .why = "A tree with a hole is refused as a whole.",
        .ref = "topology.conf(5), Switches; switch_record.c",
        .bad = "SwitchName=s Switches=leaf[1-3]",
        .good = "SwitchName=s Switches=leaf[1-2]",
        TOPO(unknown_child),
    },
    {
        .code = "TOPO002",
        .name = "topology-name-twice",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a switch or block is defined twice",
        .why = "Nobody can tell which of the two is meant.",
        .ref = "topology.conf(5); switch_record.c, block_record.c",
        TOPO(name_twice),
    },
    {
        .code = "TOPO003",
        .name = "switch-nodes-and-switches",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a switch has nodes and switches below it",
        .why = "A switch is a leaf or it is not; the line is refused, and with it the file.",
        .ref = "topology.conf(5); topology/tree, _parse_switches",
        .bad = "SwitchName=s Nodes=n1 Switches=leaf1",
        .good = "SwitchName=s Switches=leaf1",
        TOPO(nodes_and_switches),
    },
    {
        .code = "TOPO004",
        .name = "switch-empty",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a switch has nothing below it",
        .why = "Up to 24.11 the file is refused; later the switch reaches no node.",
        .ref = "topology.conf(5); topology/tree, _parse_switches",
        .bad = "SwitchName=s",
        .good = "SwitchName=s Nodes=n[1-4]",
        TOPO(switch_empty),
    },
    {
        .code = "TOPO005",
        .name = "node-under-two-switches",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "a node is under two leaf switches",
        .why = "Which of them counts is chance, so jobs are spread wrongly.",
        .ref = "topology.conf(5), Nodes; switch_record.c",
        TOPO(two_leaves),
    },
    {
        .code = "TOPO006",
        .name = "topology-unknown-node",
        PLUMB_OUTCOME(ERROR, COMPLAINS, SLURMCTLD),
        .summary = "topology.conf names a node that slurm.conf does not have",
        .why = "The name is left out; mostly another node was meant, which then has no place.",
        .ref = "topology.conf(5), Nodes; node_name2bitmap",
        TOPO(unknown_node),
    },
    {
        .code = "TOPO007",
        .name = "node-outside-topology",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "a node is under no switch or in no block",
        .why = "It runs jobs only alone or with others that have no place either.",
        .ref = "topology.conf(5); switch_record.c, block_record.c",
        TOPO(outside),
    },
    {
        .code = "TOPO008",
        .name = "block-too-small",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a block has fewer nodes than the base block size",
        .why = "24.05 and 24.11 refuse the file; from 25.05 on the block is just never filled.",
        .ref = "topology.conf(5), BlockSizes; block_record.c",
        TOPO(block_small),
    },
    {
        .code = "TOPO009",
        .name = "block-sizes",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "BlockSizes are no powers of two times the first",
        .why = "Larger blocks are made of pairs of smaller ones.",
        .ref = "topology.conf(5), BlockSizes; block_record.c:_read_topo_file",
        .bad = "BlockSizes=18,54",
        .good = "BlockSizes=18,36",
        TOPO(sizes_wrong),
    },
    {
        .code = "TOPO010",
        .name = "topology-yaml-wins",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "topology.yaml makes topology.conf and TopologyPlugin idle",
        .why =
            "From 25.05 on the new file alone counts; whoever edits the old one changes nothing.",
        .ref = "topology.yaml(5); src/interfaces/topology.c",
        TOPO(yaml_wins),
    },
    {
        .code = "TOPO011",
        .name = "topology-unknown",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "Topology names a topology, switch or block that is not there",
        .why = "From 25.05 on slurmctld puts every node where its line says, and ends when there "
               "is no such place.",
        .ref = "slurm.conf(5), Topology; read_config.c:_set_nodes_topo",
        .bad = "NodeName=n[1-4] Topology=fast",
        .good = "NodeName=n[1-4] Topology=default",
        TOPO(unknown_topology),
    },
    {
        .code = "TOPO012",
        .name = "switch-name-long",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "the name of a switch is longer than 64 characters",
        .why = "The line is refused, and with it the file.",
        .ref = "topology.conf(5), SwitchName; topology/tree, _parse_switches",
        TOPO(name_long),
    },
    {
        .code = "TOPO013",
        .name = "ring-refused",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "a ring has more than 16 nodes, or is defined twice",
        .why = "slurmctld ends.",
        .ref = "topology.conf(5), RingName; topology/ring, ring_record.c",
        .bad = "RingName=a Nodes=n[1-17]",
        .good = "RingName=a Nodes=n[1-16]",
        TOPO(rings),
    },
    {
        .code = "TOPO014",
        .name = "topology-other-plugin",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "topology.conf holds a line of the other plugin",
        .why = "topology/tree reads switches, topology/block reads blocks and their sizes; each "
               "calls a key of the other unknown.",
        .ref = "topology.conf(5); parse_config.c:_parse_next_key",
        .bad = "TopologyPlugin=topology/tree\n# topology.conf\nSwitchName=s Nodes=n[1-4]\n"
               "BlockSizes=4",
        .good = "TopologyPlugin=topology/block\n# topology.conf\nBlockName=b Nodes=n[1-4]\n"
                "BlockSizes=4",
        TOPO(plumb_topo_other_plugin),
    },
};

const struct plumb_rule_family plumb_topo_rules = {
    .prefix = "TOPO",
    .title = "Switches and blocks",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
