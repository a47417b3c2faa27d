/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each topology plugin reads topology.conf with its own table of keys, and slurmctld ends at a key
 * that the table lacks (parse_config.c:_parse_next_key).
 */
#include <string.h>

#include "rules/ask.h"
#include "rules/topo.h"

/* Plugins that read the file, and the key that begins a line of each. */
static const struct reader {
    const char *plugin; /* behind "topology/" */
    enum plumb_scope scope;
    const char *key;
} readers[] = {
    {"topology/tree", PLUMB_SCOPE_SWITCH, "SwitchName"},
    {"topology/block", PLUMB_SCOPE_BLOCK, "BlockName"},
    {"topology/ring", PLUMB_SCOPE_RING, "RingName"},
};

static bool is_known(const struct plumb_check *ck, const struct reader *r)
{
    return plumb_knows_word(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, r->plugin);
}

/* The reader that slurm.conf asks for; NULL: none of them. */
static const struct reader *reader_in_force(const struct plumb_check *ck)
{
    for (size_t i = 0; i < PLUMB_COUNT(readers); i++) {
        if (is_known(ck, &readers[i]) && plumb_plugin_in_force(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN,
                                                               strchr(readers[i].plugin, '/') + 1))
            return &readers[i];
    }
    return NULL;
}

static void refuse(const struct plumb_check *ck, struct plumb_span at, const char *key,
                   const char *of, const struct reader *now)
{
    const struct plumb_setting *plugin = plumb_global(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN);
    struct plumb_diag *d = plumb_report(
        ck, at, "'%s' is a key of '%s', expected one that '%s' knows", key, of, now->plugin);

    if (plugin != NULL)
        plumb_diag_note(d, plugin->value.at, "the plugin that reads the file");
    plumb_outcome(ck, d, NULL);
}

/* TOPO014: a topology.yaml may be read in place of the file. One line of a kind tells for all. */
static void other_plugin(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *sizes = plumb_global(ck, PLUMB_P_TOPO_BLOCKSIZES);
    const struct reader *now = reader_in_force(ck);

    if (plumb_topo_from_yaml(ck) || !m->present[PLUMB_SLURM_CONF] || now == NULL)
        return;
    if (now->scope != PLUMB_SCOPE_BLOCK && sizes != NULL &&
        plumb_knows(ck, PLUMB_P_TOPO_BLOCKSIZES))
        refuse(ck, sizes->key_at, "BlockSizes", "topology/block", now);
    for (size_t k = 0; k < PLUMB_COUNT(readers); k++) {
        if (&readers[k] == now || !is_known(ck, &readers[k]))
            continue; /* the table engine tells of a key that no plugin has yet */
        for (size_t i = 0; i < m->topo_unit_count; i++) {
            if (m->topo_units[i].scope != readers[k].scope)
                continue;
            refuse(ck, m->topo_units[i].at, readers[k].key, readers[k].plugin, now);
            break;
        }
    }
}

/* TOPO043: torus3d_record.c:torus3d_record_validate knows toruses of topology.yaml alone. */
static void torus_in_conf(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *plugin = plumb_global(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN);

    if (plugin == NULL || !m->present[PLUMB_TOPOLOGY_CONF] || plumb_topo_from_yaml(ck) ||
        !plumb_knows_word(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, "topology/torus3d") ||
        !plumb_plugin_in_force(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, "torus3d"))
        return;

    struct plumb_diag *d =
        plumb_report(ck, plugin->value.at,
                     "'topology/torus3d' finds no torus in topology.conf, expected a topology.yaml "
                     "with one");

    plumb_diag_note(d, m->file_at[PLUMB_TOPOLOGY_CONF], "it does not read this file");
    plumb_outcome(ck, d, NULL);
}

/* TOPO061: hilbert_slurm.c, nodes_to_hilbert_curve; slurmd ranks no nodes. */
static const struct plumb_combo torus[] = {
    {.when = {{PLUMB_P_SLURM_TOPOLOGYPLUGIN, PLUMB_TEST_IS, "3d_torus"}},
     .message = "'topology/3d_torus' needs a Slurm that is built for 3 dimensions, which packages "
                "are not, expected another plugin"},
};
static const struct plumb_combos torus_built = {.items = torus, .count = PLUMB_COUNT(torus)};

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO014",
        .name = "topology-other-plugin",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "topology.conf holds a line of another plugin",
        .why = "topology/tree reads switches, topology/block reads blocks and their sizes, "
               "topology/ring reads rings; each calls a key of the others unknown.",
        .ref = "topology.conf(5); parse_config.c:_parse_next_key",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=s Nodes=n[1-4]\n"
               "BlockSizes=4",
        .good = "TopologyPlugin=topology/block\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "BlockName=b Nodes=n[1-4]\n"
                "BlockSizes=4",
        .needs = PLUMB_FACT_MODEL,
        .run = other_plugin,
    },
    {
        .code = "TOPO043",
        .name = "torus-without-yaml",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "topology/torus3d beside a topology.conf and no topology.yaml",
        .why =
            "Toruses are described in topology.yaml alone; without one slurmctld does not start.",
        .ref = "topology.yaml(5); torus3d_record.c:torus3d_record_validate",
        .bad = "TopologyPlugin=topology/torus3d\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=s Nodes=n[1-4]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=s Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = torus_in_conf,
    },
    {
        .code = "TOPO061",
        .name = "torus-not-built",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD),
        .summary = "topology/3d_torus with a Slurm of one dimension",
        .why = "A Slurm has the dimensions that it was built with, one unless configure was told "
               "otherwise; 25.05 has the plugin no more.",
        .ref = "slurm.conf(5), TopologyPlugin; 3d_torus/hilbert_slurm.c:nodes_to_hilbert_curve",
        .bad = "# plumb check --slurm 24.11\n"
               "TopologyPlugin=topology/3d_torus\n"
               "NodeName=n[1-4]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]",
        PLUMB_COMBO(torus_built),
    },
};

const struct plumb_rule_family plumb_topo_plugin_rules = {
    .prefix = "TOPO",
    .title = "Keys of another topology plugin",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
