/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about topologies with names: topology.yaml, and Topology of nodes and partitions. */
#include <string.h>

#include "rules/ask.h"
#include "rules/topo.h"

/* TOPO010: interfaces/topology.c */
static void yaml_wins(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *plugin = plumb_global(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN);

    if (!plumb_topo_from_yaml(ck))
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

        if (u->topology != topology || !plumb_topo_in_force(ck, u->scope))
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

    if (!plumb_topo_find(ck, &name, &topology)) {
        plumb_outcome(ck,
                      plumb_report(ck, name.at, "there is no topology '%.*s', expected %s",
                                   (int)name.len, name.text,
                                   plumb_topo_from_yaml(ck) ? "one of topology.yaml" : "'default'"),
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

    if (!plumb_knows(ck, PLUMB_P_NODE_TOPOLOGY) || !m->present[PLUMB_SLURM_CONF])
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

        if (s != NULL && s->value.len > 0 && !plumb_topo_find(ck, &s->value, &index))
            check_topology(ck, &s->value);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO010",
        .name = "topology-yaml-wins",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "topology.yaml makes topology.conf and TopologyPlugin idle",
        .why =
            "From 25.05 on the new file alone counts; whoever edits the old one changes nothing.",
        .ref = "topology.yaml(5); src/interfaces/topology.c",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=leaf1 Nodes=n[1-4]\n"
               "# topology.yaml\n"
               "- topology: default\n"
               "  cluster_default: true\n"
               "  flat: true",
        .good = "NodeName=n[1-4]\n"
                "# topology.yaml\n"
                "- topology: default\n"
                "  cluster_default: true\n"
                "  flat: true",
        .needs = PLUMB_FACT_MODEL,
        .run = yaml_wins,
    },
    {
        .code = "TOPO011",
        .name = "topology-unknown",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "Topology names a topology, switch or block that is not there",
        .why = "From 25.05 on slurmctld puts every node where its line says, and ends when there "
               "is no such place.",
        .ref = "slurm.conf(5), Topology; read_config.c:_set_nodes_topo",
        .bad = "NodeName=n[1-4] Topology=fast\n"
               "# topology.yaml\n"
               "- topology: default\n"
               "  cluster_default: true\n"
               "  tree:\n"
               "    switches: [{switch: s1, nodes: \"n[1-4]\"}]",
        .good = "NodeName=n[1-4] Topology=default:s1\n"
                "# topology.yaml\n"
                "- topology: default\n"
                "  cluster_default: true\n"
                "  tree:\n"
                "    switches: [{switch: s1, nodes: \"n[1-4]\"}]",
        .needs = PLUMB_FACT_MODEL,
        .run = unknown_topology,
    },
};

const struct plumb_rule_family plumb_topo_yaml_rules = {
    .prefix = "TOPO",
    .title = "Topologies with names",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
