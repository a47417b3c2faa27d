/* SPDX-License-Identifier: Apache-2.0 */
/* Pass check-conf: every document that was read, against the parameter table. */
#include "base/text.h"
#include "conf/check.h"
#include "conf/nested.h"
#include "passes/type.h"
#include "rules/ask.h"
#include "schema/value.h"

/* The value of a key of slurm.conf that counts; NULL: not set. */
static const struct plumb_slice *value_of(const struct plumb_conf *slurm, enum plumb_param_id id)
{
    const struct plumb_slice *found = NULL;

    for (size_t i = 0; i < slurm->count; i++) {
        const struct plumb_conf_line *line = &slurm->lines[i];

        if (line->count > 0 && line->pairs[0].param != NULL && line->pairs[0].param->id == id)
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
    if (r->nested[PLUMB_TOPOLOGY_YAML] != NULL && plumb_file_is_read(r, PLUMB_TOPOLOGY_YAML))
        return false;
    plugin = value_of(slurm, PLUMB_P_SLURM_TOPOLOGYPLUGIN);
    if (plugin == NULL)
        return false;
    for (size_t i = 0; i < PLUMB_COUNT(without); i++) {
        if (plumb_is_plugin(plugin, without[i]))
            return false;
    }
    return true;
}

/* gres.conf is opened for the GRES of GresTypes: gres.c:gres_g_node_config_load. */
bool plumb_gres_conf_is_read(const struct plumb_run *r)
{
    const struct plumb_conf *slurm = r->conf[PLUMB_SLURM_CONF];
    const struct plumb_slice *types =
        slurm == NULL ? NULL : value_of(slurm, PLUMB_P_SLURM_GRESTYPES);

    return slurm == NULL || (types != NULL && types->len > 0);
}

/* What is wrong in a file that no daemon opens; what rules say of it is for the pass for-nobody. */
static void nobody_minds(struct plumb_run *r, const struct plumb_source *src,
                         enum plumb_daemon daemon)
{
    const struct plumb_sink *sink = &r->session->sink;

    for (size_t i = 0; src != NULL && i < sink->count; i++) {
        if (sink->items[i]->at.file == src->id)
            plumb_mind_nothing(sink->items[i], daemon, "does not read the file");
    }
}

/* Files that a plugin opens: it must be the value of a parameter, or one of its words. */
static const struct {
    enum plumb_file file;
    enum plumb_param_id param;
    const char *plugin;
} plugin_files[] = {
    {PLUMB_KNL_CRAY_CONF, PLUMB_P_SLURM_NODEFEATURESPLUGINS, "knl_cray"},
    {PLUMB_KNL_GENERIC_CONF, PLUMB_P_SLURM_NODEFEATURESPLUGINS, "knl_generic"},
    {PLUMB_HELPERS_CONF, PLUMB_P_SLURM_NODEFEATURESPLUGINS, "helpers"},
    {PLUMB_NONSTOP_CONF, PLUMB_P_SLURM_SLURMCTLDPLUGSTACK, "nonstop"},
    {PLUMB_EXT_SENSORS_CONF, PLUMB_P_SLURM_EXTSENSORSTYPE, "rrd"},
    {PLUMB_NAMESPACE_YAML, PLUMB_P_SLURM_NAMESPACETYPE, "linux"},
};

static bool names_plugin(const struct plumb_slice *value, const char *plugin)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (value != NULL && plumb_list_next(value, ',', &c, &item)) {
        if (plumb_is_plugin(&item, plugin))
            return true;
    }
    return false;
}

static bool plugin_is_loaded(const struct plumb_run *r, enum plumb_file f)
{
    const struct plumb_conf *slurm = r->conf[PLUMB_SLURM_CONF];

    for (size_t i = 0; slurm != NULL && !slurm->partial && i < PLUMB_COUNT(plugin_files); i++) {
        if (plugin_files[i].file == f)
            return names_plugin(value_of(slurm, plugin_files[i].param), plugin_files[i].plugin);
    }
    return true;
}

bool plumb_file_is_read(const struct plumb_run *r, enum plumb_file f)
{
    enum plumb_release first, last, now = r->session->sink.release;

    plumb_file_span(r->session->table, f, &first, &last);
    return first == PLUMB_RELEASE_NONE ||
           (now >= first && (last == PLUMB_RELEASE_NONE || now <= last));
}

/* The file that an older release reads in its place stands beside it: an upgrade is prepared. */
static bool has_older_twin(const struct plumb_run *r, enum plumb_file f)
{
    return (f == PLUMB_TOPOLOGY_YAML && r->conf[PLUMB_TOPOLOGY_CONF] != NULL) ||
           (f == PLUMB_NAMESPACE_YAML && r->conf[PLUMB_JOB_CONTAINER_CONF] != NULL);
}

/* CONF063 */
static void report_other_release(struct plumb_run *r, enum plumb_file f,
                                 const struct plumb_source *src)
{
    struct plumb_sink *sink = &r->session->sink;
    const struct plumb_rule *row = &plumb_nested_rows[PLUMB_NESTED_OTHER_RELEASE];
    enum plumb_release first, last;
    struct plumb_diag *d = NULL;

    plumb_file_span(r->session->table, f, &first, &last);
    if (has_older_twin(r, f))
        return;
    d = plumb_diag_new(sink, row, (struct plumb_span){src->id, 0, src->len > 0},
                       "no daemon of %s reads %s, expected %s %s",
                       plumb_release_name(sink->release), plumb_file_name(f),
                       sink->release < first ? "a release from" : "a release up to",
                       plumb_release_name(sink->release < first ? first : last));
    plumb_diag_effect(d, PLUMB_EFFECT_IGNORED, plumb_file_daemons(f));
}

/* CONF060 in a file of key=value lines. */
static void check_required(struct plumb_run *r, const struct plumb_conf *doc)
{
    struct plumb_sink *sink = &r->session->sink;
    struct plumb_conf_check ck = {
        .sink = sink, .release = sink->release, .file = doc->file, .table = r->session->table};
    unsigned daemons = plumb_file_daemons(doc->file);
    struct plumb_diag *d = NULL;

    for (size_t i = 0; !doc->partial && i < plumb_table_ids(r->session->table); i++) {
        const struct plumb_param *p = plumb_param_row(r->session->table, i);

        if (p == NULL || p->file != (unsigned)doc->file || p->scope != PLUMB_SCOPE_GLOBAL ||
            !p->required || value_of(doc, (enum plumb_param_id)p->id) != NULL)
            continue;
        d = plumb_diag_new(sink, &plumb_nested_rows[PLUMB_NESTED_MISSING],
                           (struct plumb_span){doc->src->id, 0, doc->src->len > 0},
                           "%s lacks '%s', expected one", plumb_file_name(doc->file), p->name);
        plumb_conf_does(&ck, d, PLUMB_EFFECT_STOPS, daemons);
        plumb_diag_effect(d, PLUMB_EFFECT_STOPS, daemons);
    }
}

static void check_file(struct plumb_run *r, enum plumb_file f)
{
    enum plumb_release release = r->session->sink.release;
    const struct plumb_source *src = r->nested[f] != NULL ? r->nested[f]->src
                                     : r->conf[f] != NULL ? r->conf[f]->src
                                                          : NULL;

    if (src == NULL)
        return;
    if (!plumb_file_is_read(r, f)) {
        report_other_release(r, f, src);
        return;
    }
    if (r->nested[f] != NULL) {
        plumb_nested_check(r->session, r->nested[f], release);
    } else {
        plumb_conf_check(r->session, r->conf[f], release);
        plumb_check_hosts(r->session, r->conf[f], release);
        check_required(r, r->conf[f]);
    }
    if (!plugin_is_loaded(r, f))
        nobody_minds(r, src, (enum plumb_daemon)plumb_file_daemons(f));
}

void plumb_pass_check_conf(struct plumb_run *r)
{
    for (int f = 0; f < PLUMB_FILE_COUNT; f++)
        check_file(r, (enum plumb_file)f);
    if (r->conf[PLUMB_TOPOLOGY_CONF] != NULL && !topology_is_read(r))
        nobody_minds(r, r->conf[PLUMB_TOPOLOGY_CONF]->src, PLUMB_SLURMCTLD);
    if (r->conf[PLUMB_GRES_CONF] != NULL && !plumb_gres_conf_is_read(r))
        nobody_minds(r, r->conf[PLUMB_GRES_CONF]->src, PLUMB_SLURMD);
}
