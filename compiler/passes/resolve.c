/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of a specification: every key becomes the Slurm settings that it means, defaults
 * fill what is not written, overrides win. What captures decide comes later (derive.c).
 */
#include "passes/resolve.h"

#include "conf/conf.h"

static enum plumb_release release_of(const struct plumb_run *r)
{
    enum plumb_release said = plumb_spec_release(r->spec);

    if (r->forced_release != PLUMB_RELEASE_NONE)
        return r->forced_release;
    if (said != PLUMB_RELEASE_NONE)
        return said;
    if ((r->facts & PLUMB_FACT_LIVE) != 0 && r->live_release != PLUMB_RELEASE_NONE)
        return r->live_release;
    return PLUMB_RELEASE_NEWEST;
}

/* A section that must be there is missing, bad, or cut off: that was reported. */
static bool entries_unread(const struct plumb_spec *spec, const char *section)
{
    const struct plumb_spec_value *v = plumb_spec_get(&spec->root, section);

    return spec->partial || v == NULL || v->origin == PLUMB_BAD;
}

static void begin_model(struct plumb_resolve *rs)
{
    static const enum plumb_file files[] = {PLUMB_SLURM_CONF, PLUMB_GRES_CONF, PLUMB_CGROUP_CONF};
    const struct plumb_spec_value *name = plumb_resolve_get(&rs->spec->root, "cluster");
    struct plumb_model *m = rs->m;

    m->release = release_of(rs->run);
    rs->s->sink.release = m->release;
    m->from_spec = true;
    m->spec_path = rs->spec->src->path;
    m->all_nodes = PLUMB_NEW(rs->a, struct plumb_hostlist);
    if (name != NULL)
        m->cluster = (struct plumb_text){
            .v = plumb_intern_text(rs->s->intern, name->text.text, name->text.len),
            .at = name->at,
            .origin = PLUMB_GIVEN,
        };
    else /* it was reported */
        plumb_setting_add_text(rs->a, &m->settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_CLUSTERNAME, "",
                               rs->spec->root.key_at, PLUMB_BAD);
    m->nodes_unread = entries_unread(rs->spec, "nodes");
    m->partitions_unread = entries_unread(rs->spec, "partitions");
    for (size_t i = 0; i < PLUMB_COUNT(files); i++) {
        m->present[files[i]] = true;
        m->file_at[files[i]] = rs->spec->root.key_at;
    }
}

/* What plumb writes without a key; it gives way to a setting that a key or override made. */
static void add_constants(struct plumb_resolve *rs)
{
    bool database = plumb_spec_get(&rs->spec->root, "database") != NULL;

    for (size_t i = 0; i < plumb_spec_constant_count; i++) {
        const struct plumb_spec_constant *c = &plumb_spec_constants[i];
        enum plumb_param_id id = (enum plumb_param_id)c->id;
        const struct plumb_param *p = plumb_param(id);
        struct plumb_settings *to = &rs->m->settings[p->file];

        if ((c->with_database && !database) || !plumb_param_used(p, rs->m->release) ||
            plumb_setting_there(to, id))
            continue;
        plumb_setting_add_text(rs->a, to, id, c->value, (struct plumb_span){0}, PLUMB_DEFAULTED);
    }
}

void plumb_pass_resolve(struct plumb_run *r)
{
    struct plumb_session *s = r->session;
    struct plumb_resolve rs = {.run = r, .s = s, .a = s->arena, .spec = r->spec};

    rs.m = PLUMB_NEW(s->arena, struct plumb_model);
    rs.no_hosts = PLUMB_NEW(s->arena, struct plumb_hostlist);
    r->model = rs.m;
    begin_model(&rs);
    plumb_resolve_table(&rs, &plumb_spec_root, &r->spec->root, r->spec->root.key_at, NULL);
    plumb_resolve_control(&rs);
    plumb_resolve_database(&rs);
    plumb_resolve_nodes(&rs);
    plumb_resolve_captures(&rs);
    plumb_resolve_partitions(&rs);
    plumb_resolve_topology(&rs);
    plumb_resolve_tres(&rs);
    plumb_resolve_lists(&rs);
    add_constants(&rs);
    plumb_resolve_overrides(&rs);
    plumb_resolve_kube(&rs);
    plumb_resolve_kube_stack(&rs);
}
