/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about blocks that are missing, or that hold no node of slurm.conf. */
#include "rules/ask.h"
#include "rules/topo.h"

static const struct plumb_era no_blocks_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL, false},
    {PLUMB_25_11, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_eras no_blocks_eras = PLUMB_ERAS(no_blocks_rows);

static bool has_block(const struct plumb_model *m)
{
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        if (m->topo_units[i].scope == PLUMB_SCOPE_BLOCK)
            return true;
    }
    return false;
}

/* TOPO034: "No blocks configured"; topology/ring has TOPO030, topology/tree TOPO040. */
static void no_blocks(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *plugin = plumb_global(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN);

    if (plugin == NULL || plumb_topo_from_yaml(ck) || !m->present[PLUMB_TOPOLOGY_CONF] ||
        m->unread[PLUMB_TOPOLOGY_CONF] || !plumb_is_plugin(&plugin->value, "block") || has_block(m))
        return;

    struct plumb_diag *d = plumb_report(ck, m->file_at[PLUMB_TOPOLOGY_CONF],
                                        "there is no block, expected a BlockName line");

    plumb_diag_note(d, plugin->value.at, "the plugin that reads them");
    plumb_outcome(ck, d, &no_blocks_eras);
}

/* A block of topology.conf says which nodes it holds. */
static bool says_nodes(const struct plumb_topo_unit *u)
{
    return u->nodes != NULL || u->bad || plumb_setting(&u->settings, PLUMB_P_BLOCK_NODES) != NULL;
}

static const struct plumb_era hollow_rows[] = {
    {PLUMB_23_11, PLUMB_WARNING, PLUMB_EFFECT_NONE, PLUMB_SLURM_ALL, true},
    {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
};
static const struct plumb_eras hollow_eras = PLUMB_ERAS(hollow_rows);

/* The first block; NULL where one holds a node, may hold one, or there is none. */
static const struct plumb_topo_unit *hollow(const struct plumb_check *ck, bool *named)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_topo_unit *first = NULL;

    *named = false;
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (u->scope != PLUMB_SCOPE_BLOCK)
            continue;
        if (u->bad || (u->nodes == NULL && says_nodes(u)) ||
            (u->nodes != NULL &&
             plumb_hostlist_minus(ck->scratch, u->nodes, plumb_no_nodes(ck, u->nodes))->count > 0))
            return NULL;
        first = first == NULL ? u : first;
        *named = *named || u->nodes != NULL;
    }
    return first;
}

/* TOPO035: the size of a block is that of the first one, unless BlockSizes tells it */
static void blocks_without_nodes(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *sizes = plumb_global(ck, PLUMB_P_TOPO_BLOCKSIZES);
    bool taken = plumb_has_trait(ck, PLUMB_TRAIT_EMPTY_BLOCKS_TAKEN), named = false;
    const struct plumb_topo_unit *first = NULL;
    struct plumb_diag *d = NULL;

    if (!plumb_topo_blocks(ck) || plumb_topo_from_yaml(ck) || !m->present[PLUMB_SLURM_CONF] ||
        m->nodes_unread || m->all_nodes == NULL || plumb_era_quiet(ck, &hollow_eras) ||
        plumb_setting_bad(plumb_settings_of(ck, PLUMB_P_TOPO_BLOCKSIZES), PLUMB_P_TOPO_BLOCKSIZES))
        return;
    first = hollow(ck, &named);
    if (first == NULL || (!named && (!taken || sizes != NULL))) /* TOPO017 */
        return;
    d = plumb_report(ck, first->at, "no block has a node of slurm.conf, expected some");
    if (sizes != NULL && taken)
        plumb_outcome_is(ck, d, PLUMB_WARNING, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL);
    else
        plumb_outcome(ck, d, &hollow_eras);
}

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO034",
        .name = "topology-without-lines",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "topology/block without a block",
        .why = "The plugin reads them from topology.conf and has nothing to do without any.",
        .ref = "block_record.c:block_record_validate",
        .bad = "TopologyPlugin=topology/block\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "BlockSizes=2",
        .good = "TopologyPlugin=topology/block\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "BlockName=b1 Nodes=n[1-2]\n"
                "BlockName=b2 Nodes=n[3-4]\n"
                "BlockSizes=2",
        .needs = PLUMB_FACT_MODEL,
        .run = no_blocks,
    },
    {
        .code = "TOPO035",
        .name = "hollow-blocks",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "no block holds a node of slurm.conf",
        .why = "The size of a block is that of the first one that has nodes, unless BlockSizes "
               "tells it.",
        .ref = "block_record.c:block_record_validate",
        .bad = "TopologyPlugin=topology/block\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "BlockName=b1",
        .good = "TopologyPlugin=topology/block\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "BlockName=b1 Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = blocks_without_nodes,
    },
};

const struct plumb_rule_family plumb_topo_hollow_rules = {
    .prefix = "TOPO",
    .title = "Blocks that are missing",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
