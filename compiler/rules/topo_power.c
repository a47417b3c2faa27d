/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TOPO060: slurmctld 25.11.0 to 25.11.2 takes a node that it has powered down out of every topology
 * unless its node line has Topology (node_mgr.c:reset_node_topology, called by
 * power_save.c); 25.11.3 leaves alone what topology.conf or topology.yaml says.
 */
#include "rules/ask.h"
#include "rules/topo.h"

static const struct plumb_era leave_rows[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    {PLUMB_25_11, PLUMB_INFO, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
    {PLUMB_26_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
};
static const struct plumb_eras leave_eras = PLUMB_ERAS(leave_rows);

/* Some of these are surely powered down: where nodes are excluded, those of a cloud are. */
static bool powered_down(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    return plumb_in_cloud(n) || (plumb_global(ck, PLUMB_P_SLURM_SUSPENDEXCNODES) == NULL &&
                                 plumb_global(ck, PLUMB_P_SLURM_SUSPENDEXCPARTS) == NULL);
}

/* The switch or block that names some of the nodes, and those; NULL. */
static const struct plumb_topo_unit *unit_of(const struct plumb_check *ck,
                                             const struct plumb_nodes *n,
                                             const struct plumb_hostlist **hosts)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (u->nodes == NULL || !plumb_usable(u->name) || !plumb_topo_in_force(ck, u->scope))
            continue;
        *hosts = plumb_hostlist_intersect(ck->scratch, u->nodes, n->hosts);
        if ((*hosts)->count > 0)
            return u;
    }
    return NULL;
}

/* What Topology= calls the topology: that of topology.conf is the default one. */
static const char *topology_of(const struct plumb_check *ck, const struct plumb_topo_unit *u)
{
    const struct plumb_model *m = ck->model;

    return plumb_topo_from_yaml(ck) && u->topology < m->topology_count ? m->topologies[u->topology]
                                                                       : "default";
}

static void leave_their_blocks(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *time = plumb_suspend_time(ck->table, m);

    if (plumb_era_quiet(ck, &leave_eras) || time == NULL || m->nodes_unread ||
        plumb_global(ck, PLUMB_P_SLURM_SUSPENDPROGRAM) == NULL ||
        plumb_global(ck, PLUMB_P_SLURM_RESUMEPROGRAM) == NULL) /* power saving is off: TIME009 */
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        const struct plumb_topo_unit *u = NULL;
        const struct plumb_hostlist *hosts = NULL;

        if (n->hosts == NULL || plumb_setting(&n->settings, PLUMB_P_NODE_TOPOLOGY) != NULL ||
            plumb_setting_bad(&n->settings, PLUMB_P_NODE_TOPOLOGY) || !powered_down(ck, n))
            continue;
        u = unit_of(ck, n, &hosts);
        if (u == NULL)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, n->hosts->at,
            "'%s' leaves its %s '%s' when slurmctld 25.11.0 to 25.11.2 powers it down, expected "
            "Topology=%s:%s on its node line, or 25.11.3",
            plumb_fold_hosts(ck, hosts), u->scope == PLUMB_SCOPE_BLOCK ? "block" : "switch",
            u->name.v, topology_of(ck, u), u->name.v);

        plumb_diag_note(d, u->at, "the %s", u->scope == PLUMB_SCOPE_BLOCK ? "block" : "switch");
        plumb_diag_note(d, time->value.at, "nodes are powered down");
        plumb_fold_object(ck, d, hosts);
        plumb_outcome(ck, d, &leave_eras);
        return;
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO060",
        .name = "node-leaves-topology",
        PLUMB_OUTCOME(INFO, NONE, SLURMCTLD),
        .summary = "25.11.0 to 25.11.2 take nodes that are powered down out of their blocks",
        .why = "The node comes back in no switch and no block. Topology on its node line is what "
               "slurmctld puts it back to.",
        .ref = "slurm.conf(5), Topology; node_mgr.c:reset_node_topology; release notes of 25.11.3",
        .bad = "TopologyPlugin=topology/block\n"
               "SuspendTime=600\n"
               "SuspendProgram=/usr/sbin/node-off\n"
               "ResumeProgram=/usr/sbin/node-on\n"
               "NodeName=n[1-4]   # slurmctld 25.11\n"
               "# topology.conf\n"
               "BlockName=b1 Nodes=n[1-4]\n"
               "BlockSizes=4",
        .good = "TopologyPlugin=topology/block\n"
                "SuspendTime=600\n"
                "SuspendProgram=/usr/sbin/node-off\n"
                "ResumeProgram=/usr/sbin/node-on\n"
                "NodeName=n[1-4] Topology=default:b1\n"
                "# topology.conf\n"
                "BlockName=b1 Nodes=n[1-4]\n"
                "BlockSizes=4",
        .needs = PLUMB_FACT_MODEL,
        .run = leave_their_blocks,
    },
};

const struct plumb_rule_family plumb_topo_power_rules = {
    .prefix = "TOPO",
    .title = "Topology",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
