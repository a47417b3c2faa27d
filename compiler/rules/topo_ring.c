/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about topology/ring: rings that are there, and none where the plugin wants one. */
#include <inttypes.h>

#include "rules/ask.h"
#include "rules/topo.h"

enum { RING_MAX = 16 };

/* TOPO013: ring_record.c counts nodes of slurm.conf. */
static void rings(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; plumb_topo_rings(ck) && i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];
        uint64_t size = 0;

        if (u->scope != PLUMB_SCOPE_RING || u->nodes == NULL || m->all_nodes == NULL)
            continue;
        size = plumb_hostlist_intersect(ck->scratch, m->all_nodes, u->nodes)->count;
        if (size > RING_MAX)
            plumb_outcome(ck,
                          plumb_report(ck, u->nodes->at,
                                       "ring '%s' has %" PRIu64 " nodes, expected at most %d",
                                       u->name.v, size, RING_MAX),
                          NULL);
    }
}

/* TOPO030: ring_record.c:ring_record_validate */
static void no_ring(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true}, /* CONF017: no such plugin */
        {PLUMB_26_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    const struct plumb_model *m = ck->model;

    if (plumb_era_quiet(ck, &eras) || !m->present[PLUMB_TOPOLOGY_CONF] ||
        m->unread[PLUMB_TOPOLOGY_CONF] || plumb_span_known(m->topology_yaml) ||
        !plumb_plugin_in_force(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, "ring"))
        return;
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        if (m->topo_units[i].scope == PLUMB_SCOPE_RING)
            return;
    }

    struct plumb_diag *d =
        plumb_report(ck, m->file_at[PLUMB_TOPOLOGY_CONF],
                     "topology.conf defines no ring, expected a RingName line for topology/ring");

    plumb_diag_note(d, plumb_setting_at(plumb_slurm(m), PLUMB_P_SLURM_TOPOLOGYPLUGIN),
                    "TopologyPlugin");
    plumb_outcome(ck, d, &eras);
}

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO013",
        .name = "ring-refused",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a ring has more than 16 nodes",
        .why = "slurmctld ends.",
        .ref = "topology.conf(5), RingName; topology/ring, ring_record.c",
        .bad = "TopologyPlugin=topology/ring\n"
               "NodeName=n[1-17]\n"
               "# topology.conf\n"
               "RingName=a Nodes=n[1-17]",
        .good = "TopologyPlugin=topology/ring\n"
                "NodeName=n[1-16]\n"
                "# topology.conf\n"
                "RingName=a Nodes=n[1-16]",
        .needs = PLUMB_FACT_MODEL,
        .run = rings,
    },
    {
        .code = "TOPO030",
        .name = "ring-missing",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "topology/ring without a ring in topology.conf",
        .why = "slurmctld does not start.",
        .ref = "topology.conf(5), RingName; topology/ring, ring_record.c:ring_record_validate",
        .bad = "TopologyPlugin=topology/ring\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "# rings come later",
        .good = "TopologyPlugin=topology/ring\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "RingName=a Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = no_ring,
    },
};

const struct plumb_rule_family plumb_ring_rules = {
    .prefix = "TOPO",
    .title = "Rings of nodes",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
