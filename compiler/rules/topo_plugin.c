/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each topology plugin reads topology.conf with its own table of keys, and slurmctld ends at a key
 * that the table lacks (parse_config.c:_parse_next_key).
 */
#include "rules/topo_plugin.h"

#include "rules/ask.h"

static bool plugin_is(const struct plumb_check *ck, const char *name)
{
    return plumb_plugin_in_force(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN, name);
}

static void refuse(const struct plumb_check *ck, struct plumb_span at, const char *key, bool tree)
{
    const struct plumb_setting *plugin = plumb_global(ck, PLUMB_P_SLURM_TOPOLOGYPLUGIN);
    struct plumb_diag *d = plumb_report(
        ck, at, "'%s' is a key of 'topology/%s', expected one that 'topology/%s' knows", key,
        tree ? "block" : "tree", tree ? "tree" : "block");

    if (plugin != NULL)
        plumb_diag_note(d, plugin->value.at, "the plugin that reads the file");
    plumb_outcome(ck, d, NULL);
}

/* From 25.05 on a topology.yaml is read in place of the file. One line tells for all. */
void plumb_topo_other_plugin(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *sizes = plumb_global(ck, PLUMB_P_TOPO_BLOCKSIZES);
    bool tree = plugin_is(ck, "tree"), block = plugin_is(ck, "block");
    bool yaml = plumb_span_known(m->topology_yaml) && m->release >= PLUMB_25_05;

    if (yaml || !m->present[PLUMB_SLURM_CONF] || m->release < PLUMB_23_11 || tree == block)
        return;
    if (tree && sizes != NULL && m->release >= PLUMB_24_05)
        refuse(ck, sizes->key_at, "BlockSizes", tree);
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        const struct plumb_topo_unit *u = &m->topo_units[i];

        if (u->scope != (tree ? PLUMB_SCOPE_BLOCK : PLUMB_SCOPE_SWITCH))
            continue;
        refuse(ck, u->at, tree ? "BlockName" : "SwitchName", tree);
        return;
    }
}
