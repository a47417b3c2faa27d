/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass for-nobody: what is wrong with what no daemon of the cluster looks at: exclusions from a
 * power saving that is off, and lines of gres.conf. gres.c:gres_g_node_config_load opens the file
 * for the GRES of GresTypes; _parse_gres_config_node skips the values of other nodes' lines, though
 * not the keys that it does not know.
 */
#include <string.h>

#include "conf/conf.h"
#include "passes/setting.h"
#include "passes/type.h"
#include "schema/trait.h"

void plumb_mind_nothing(struct plumb_diag *d, enum plumb_daemon daemon, const char *does)
{
    unsigned others = d->other_daemons & ~(unsigned)daemon;

    if (d->fault_len > 0)
        plumb_diag_outcome(d, "%s %s %s", plumb_daemon_name(daemon),
                           plumb_release_name(d->sink->release), does);
    if (d->other_effect == PLUMB_EFFECT_COMPLAINS && others != 0) {
        plumb_diag_outcome_more(d, ", %s logs an error",
                                plumb_daemon_name((enum plumb_daemon)others));
        plumb_diag_effect(d, PLUMB_EFFECT_COMPLAINS, others);
        plumb_diag_other(d, PLUMB_EFFECT_NONE, 0);
        return;
    }
    if (d->severity == PLUMB_ERROR)
        plumb_diag_severity(d, PLUMB_WARNING);
    plumb_diag_effect(d, PLUMB_EFFECT_NONE, 0);
    plumb_diag_other(d, PLUMB_EFFECT_NONE, 0);
}

/* Within a value of the line, but for the names of its nodes. */
static bool is_in_value(const struct plumb_gres_line *line, const struct plumb_diag *d)
{
    for (size_t i = 0; i < line->settings.count; i++) {
        const struct plumb_setting *s = &line->settings.items[i];

        if (s->param->id != PLUMB_P_GRESGLOBAL_NODENAME && plumb_span_within(d->at, s->value.at))
            return true;
    }
    return false;
}

static bool is_for_nobody(const struct plumb_run *r, const struct plumb_gres_line *line)
{
    const struct plumb_model *m = r->model;

    return line->hosts != NULL && m->all_nodes != NULL && m->all_nodes->count > 0 &&
           plumb_hostlist_intersect(r->session->scratch, line->hosts, m->all_nodes)->count == 0;
}

/* Faults of this line that have an effect on slurmd. */
static void spare_line(const struct plumb_run *r, const struct plumb_gres_line *line)
{
    const struct plumb_sink *sink = &r->session->sink;

    for (size_t i = 0; i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];

        if (plumb_diag_effect_on(d, PLUMB_SLURMD) > PLUMB_EFFECT_IGNORED && is_in_value(line, d))
            plumb_mind_nothing(d, PLUMB_SLURMD,
                               line->hosts->count == 0
                                   ? "skips the line, as it cannot read whose it is"
                                   : "skips the line, as none of its nodes is in slurm.conf");
    }
}

/*
 * The words of SuspendExcStates, before 26.05: power_save.c:_init_power_config leaves before it
 * reads them where no node is ever suspended.
 */
static void spare_exclusions(const struct plumb_run *r)
{
    const struct plumb_model *m = r->model;
    const struct plumb_sink *sink = &r->session->sink;
    const struct plumb_settings *global = plumb_slurm(m);

    if (plumb_suspend_time(r->session->table, m) != NULL ||
        plumb_trait_now(r->session, PLUMB_TRAIT_SUSPEND_EXCLUSIONS_ALWAYS_READ))
        return;
    for (size_t k = 0; k < global->count; k++) {
        const struct plumb_setting *s = &global->items[k];

        for (size_t i = 0; s->param->id == PLUMB_P_SLURM_SUSPENDEXCSTATES && i < sink->count; i++) {
            struct plumb_diag *d = sink->items[i];

            if (plumb_diag_effect_on(d, PLUMB_SLURMCTLD) == PLUMB_EFFECT_COMPLAINS &&
                plumb_span_within(d->at, s->value.at))
                plumb_mind_nothing(d, PLUMB_SLURMCTLD,
                                   "does not read it, as no node is ever suspended");
        }
    }
}

/* What would stop daemons in values of a parameter that they do not look at. */
static void spare_value(const struct plumb_run *r, enum plumb_param_id id, const char *does)
{
    const struct plumb_sink *sink = &r->session->sink;
    const struct plumb_settings *global = plumb_slurm(r->model);

    for (size_t k = 0; k < global->count; k++) {
        const struct plumb_setting *s = &global->items[k];

        for (size_t i = 0; (enum plumb_param_id)s->param->id == id && i < sink->count; i++) {
            if (sink->items[i]->effect == PLUMB_EFFECT_STOPS &&
                plumb_span_within(sink->items[i]->at, s->value.at))
                plumb_mind_nothing(sink->items[i], PLUMB_SLURM_ALL, does);
        }
    }
}

/*
 * PropagateResourceLimits is parsed where the exceptions are not set (read_config.c), and
 * TopologyPlugin is loaded where there is no topology.yaml (interfaces/topology.c:topology_g_init).
 */
static void spare_unread_values(const struct plumb_run *r)
{
    if (plumb_setting_there(plumb_slurm(r->model), PLUMB_P_SLURM_PROPAGATERESOURCELIMITSEXCEPT))
        spare_value(r, PLUMB_P_SLURM_PROPAGATERESOURCELIMITS,
                    "do not read it beside PropagateResourceLimitsExcept");
    if (r->nested[PLUMB_TOPOLOGY_YAML] != NULL && plumb_file_is_read(r, PLUMB_TOPOLOGY_YAML))
        spare_value(r, PLUMB_P_SLURM_TOPOLOGYPLUGIN, "do not read it beside topology.yaml");
}

void plumb_pass_for_nobody(struct plumb_run *r)
{
    const struct plumb_model *m = r->model;
    const struct plumb_sink *sink = &r->session->sink;
    const struct plumb_conf *gres = r->conf[PLUMB_GRES_CONF];

    if (m == NULL || m->from_spec || !m->present[PLUMB_SLURM_CONF])
        return;
    spare_exclusions(r);
    spare_unread_values(r);
    if (gres == NULL || gres->src == NULL)
        return;
    for (size_t i = 0; i < sink->count && !plumb_gres_conf_is_read(r); i++) {
        if (sink->items[i]->at.file == gres->src->id &&
            plumb_diag_effect_on(sink->items[i], PLUMB_SLURMD) > PLUMB_EFFECT_IGNORED)
            plumb_mind_nothing(sink->items[i], PLUMB_SLURMD, "does not read the file");
    }
    for (size_t i = 0; i < m->gres_line_count; i++) {
        if (is_for_nobody(r, &m->gres_lines[i]))
            spare_line(r, &m->gres_lines[i]);
    }
}
