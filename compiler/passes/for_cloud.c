/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass for-cloud: what is wrong with lines of gres.conf for nodes in the cloud. slurmctld reads
 * them as slurmd does, since such a node may not be there to tell (read_config.c:_gres_reconfig).
 */
#include <string.h>

#include "conf/conf.h"
#include "passes/type.h"

/* A line with names of nodes of which none is in the cloud: its values are skipped. */
static bool is_elsewhere(const struct plumb_run *r, const struct plumb_hostlist *cloud,
                         const struct plumb_gres_line *line, const struct plumb_diag *d)
{
    if (line->hosts == NULL ||
        plumb_hostlist_intersect(r->session->scratch, line->hosts, cloud)->count > 0)
        return false;
    for (size_t i = 0; i < line->settings.count; i++) {
        if (plumb_span_within(d->at, line->settings.items[i].value.at))
            return true;
    }
    return false;
}

/* About gres.conf for a node in the cloud, or about what such a node declares. */
static bool is_for_cloud(const struct plumb_run *r, const struct plumb_hostlist *cloud,
                         const struct plumb_diag *d)
{
    const struct plumb_model *m = r->model;
    const struct plumb_conf *gres = r->conf[PLUMB_GRES_CONF];

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_setting *s = plumb_setting(&m->nodes[i].settings, PLUMB_P_NODE_GRES);

        if (s != NULL && plumb_in_cloud(&m->nodes[i]) && plumb_span_within(d->at, s->value.at))
            return strncmp(d->rule->code, "GRES", 4) == 0;
    }
    if (gres == NULL || gres->src == NULL || d->at.file != gres->src->id)
        return false;
    for (size_t i = 0; i < m->gres_line_count; i++) {
        if (is_elsewhere(r, cloud, &m->gres_lines[i], d))
            return false;
    }
    return true;
}

/* slurmctld does what slurmd does; where it drains the node too, it does both. */
static void minds_too(struct plumb_diag *d)
{
    const unsigned ctld = PLUMB_SLURMCTLD;

    if (plumb_diag_effect_on(d, PLUMB_SLURMCTLD) == PLUMB_EFFECT_DRAINS) {
        d->other_daemons |= ctld;
    } else if (plumb_diag_effect_on(d, PLUMB_SLURMD) == d->effect) {
        d->daemons |= ctld;
        d->other_daemons &= ~ctld;
    } else {
        d->other_daemons |= ctld;
        d->daemons &= ~ctld;
    }
    plumb_diag_outcome_more(d, "; for nodes in the cloud slurmctld does the same");
}

/* What slurmctld does now is less than what slurmd does; draining comes when the node registers. */
static bool does_less(const struct plumb_diag *d, enum plumb_effect does)
{
    enum plumb_effect now = plumb_diag_effect_on(d, PLUMB_SLURMCTLD);

    return now < does || now == PLUMB_EFFECT_DRAINS;
}

/* Cores of the line are beyond the CPUs that slurm.conf gives one of its nodes in the cloud. */
static bool is_beyond_cpus(const struct plumb_run *r, const struct plumb_gres_line *line)
{
    for (size_t i = 0; i < r->model->node_count; i++) {
        const struct plumb_nodes *n = &r->model->nodes[i];

        if (plumb_in_cloud(n) && n->hosts != NULL && plumb_usable(n->cpus) &&
            plumb_cores_last(&line->cores).n >= n->cpus.v &&
            (line->hosts == NULL ||
             plumb_hostlist_intersect(r->session->scratch, line->hosts, n->hosts)->count > 0))
            return true;
    }
    return false;
}

/*
 * NUMA001, cores beyond the node: slurmctld minds them at its start, and ends where there are not
 * even so many CPUs (gres.c:_validate_gres_node_cores, _parse_gres_config).
 */
static void minds_cores(const struct plumb_run *r, struct plumb_diag *d)
{
    const struct plumb_model *m = r->model;
    enum plumb_effect before = plumb_diag_effect_on(d, PLUMB_SLURMD);
    enum plumb_effect does = PLUMB_EFFECT_COMPLAINS;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];

        if (line->has_cores && plumb_span_within(d->at, line->at) && is_beyond_cpus(r, line))
            does = PLUMB_EFFECT_STOPS;
    }
    plumb_diag_effect(d, does, PLUMB_SLURMCTLD);
    plumb_diag_other(d, before, before == PLUMB_EFFECT_NONE ? 0 : PLUMB_SLURMD);
    plumb_diag_severity(d, PLUMB_ERROR);
    plumb_diag_outcome_more(d, "; for nodes in the cloud slurmctld %s",
                            does == PLUMB_EFFECT_STOPS ? "stops" : "complains");
}

static const struct plumb_hostlist *cloud_nodes(const struct plumb_run *r)
{
    struct plumb_hostlist *cloud = PLUMB_NEW(r->session->scratch, struct plumb_hostlist);

    for (size_t i = 0; i < r->model->node_count; i++) {
        if (plumb_in_cloud(&r->model->nodes[i]) && r->model->nodes[i].hosts != NULL)
            plumb_hostlist_append(r->session->scratch, cloud, r->model->nodes[i].hosts);
    }
    return cloud;
}

void plumb_pass_for_cloud(struct plumb_run *r)
{
    const struct plumb_sink *sink = &r->session->sink;
    const struct plumb_hostlist *cloud = NULL;
    bool detects = false; /* slurmctld leaves it at that, once the file is parsed */

    if (r->model == NULL || r->model->from_spec || !r->model->present[PLUMB_SLURM_CONF] ||
        !plumb_gres_conf_is_read(r))
        return;
    cloud = cloud_nodes(r);
    for (size_t i = 0; i < sink->count; i++) {
        const char *code = sink->items[i]->rule->code;

        detects = detects || strcmp(code, "GRES023") == 0 || strcmp(code, "GRES050") == 0;
    }
    for (size_t i = 0; cloud->count > 0 && i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];
        enum plumb_effect does = plumb_diag_effect_on(d, PLUMB_SLURMD);

        if (strcmp(d->rule->code, "NUMA001") == 0) {
            if (!detects && is_for_cloud(r, cloud, d))
                minds_cores(r, d);
            continue;
        }
        if ((does == PLUMB_EFFECT_COMPLAINS || does == PLUMB_EFFECT_STOPS) && does_less(d, does) &&
            (!detects || strncmp(d->rule->code, "CONF", 4) == 0) && is_for_cloud(r, cloud, d))
            minds_too(d);
    }
}
