/* SPDX-License-Identifier: Apache-2.0 */
/* Pass check-conf: every document that was read, against the parameter table. */
#include <string.h>

#include "base/path.h"
#include "conf/conf.h"
#include "passes/type.h"

static bool has_topology_yaml(const struct plumb_run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        const struct plumb_input *in = &r->inputs[i];

        if (in->src != NULL && strcmp(plumb_path_base(in->path), "topology.yaml") == 0)
            return true;
    }
    return false;
}

/* The value that counts; NULL: not set. */
static const struct plumb_slice *topology_plugin(const struct plumb_conf *slurm)
{
    const struct plumb_slice *found = NULL;

    for (size_t i = 0; i < slurm->count; i++) {
        const struct plumb_conf_line *line = &slurm->lines[i];

        if (line->count > 0 && line->pairs[0].param != NULL &&
            line->pairs[0].param->id == PLUMB_P_SLURM_TOPOLOGYPLUGIN)
            found = &line->pairs[0].value;
    }
    return found;
}

/*
 * topology.conf is opened by the plugins that have a file alone (topology_tree.c,
 * topology_block.c), and from 25.05 on only where no topology.yaml is (interfaces/topology.c).
 */
static bool topology_is_read(const struct plumb_run *r)
{
    static const char *const without[] = {"none", "default", "flat", "3d_torus"};
    const struct plumb_conf *slurm = r->conf[PLUMB_SLURM_CONF];
    const struct plumb_slice *plugin = NULL;

    if (slurm == NULL)
        return true;
    if (r->session->sink.release >= PLUMB_25_05 && has_topology_yaml(r))
        return false;
    plugin = topology_plugin(slurm);
    if (plugin == NULL)
        return false;
    for (size_t i = 0; i < PLUMB_COUNT(without); i++) {
        const char *slash = memchr(plugin->text, '/', plugin->len);
        size_t at = slash == NULL ? 0 : (size_t)(slash + 1 - plugin->text);
        struct plumb_slice name = plumb_slice_sub(plugin, at, plugin->len);

        if (plumb_slice_is(&name, without[i]))
            return false;
    }
    return true;
}

/* A fault of a file that no daemon opens stays one of the file, and stops nobody. */
static void nobody_minds(struct plumb_run *r, const struct plumb_conf *doc)
{
    struct plumb_sink *sink = &r->session->sink;

    for (size_t i = 0; i < sink->count; i++) {
        struct plumb_diag *d = sink->items[i];
        const char *does = strstr(d->message, "; slurmctld");

        if (doc->src == NULL || d->at.file != doc->src->id)
            continue;
        if (does != NULL)
            d->message = plumb_arena_printf(
                sink->arena, "%.*s; slurmctld %s does not read the file", (int)(does - d->message),
                d->message, plumb_release_name(sink->release));
        if (d->severity == PLUMB_ERROR)
            plumb_diag_severity(d, PLUMB_WARNING);
        plumb_diag_effect(d, PLUMB_EFFECT_NONE, d->daemons);
    }
}

void plumb_pass_check_conf(struct plumb_run *r)
{
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (r->conf[f] == NULL)
            continue;
        plumb_conf_check(r->session, r->conf[f], r->session->sink.release);
        plumb_check_hosts(r->session, r->conf[f], r->session->sink.release);
    }
    if (r->conf[PLUMB_TOPOLOGY_CONF] != NULL && !topology_is_read(r))
        nobody_minds(r, r->conf[PLUMB_TOPOLOGY_CONF]);
}
