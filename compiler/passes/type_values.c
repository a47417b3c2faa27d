/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass type-values: what the texts of settings mean, beside the settings, for both fronts. A
 * text that cannot be read was reported, by the table engine or by the host list reader, or is
 * the matter of a rule; here its value is bad.
 */
#include "passes/type.h"
#include "schema/value.h"

static struct plumb_setting *find(struct plumb_settings *s, enum plumb_param_id id)
{
    for (size_t i = plumb_settings_may_have(s, id) ? s->count : 0; i > 0; i--) {
        if (s->items[i - 1].param->id == id)
            return plumb_usable(s->items[i - 1]) ? &s->items[i - 1] : NULL;
    }
    return NULL;
}

/* The hosts of a record; a list that is bad is marked so, and not read twice. */
static struct plumb_hostlist *read_hosts(struct plumb_session *s, struct plumb_settings *settings,
                                         enum plumb_param_id id, enum plumb_release r)
{
    struct plumb_setting *set = find(settings, id);
    struct plumb_hostlist *hosts = NULL;

    if (set == NULL)
        return NULL;
    hosts = plumb_read_hosts(s, &set->value, id, r);
    if (hosts == NULL)
        set->origin = PLUMB_BAD;
    return hosts;
}

static struct plumb_hostlist *read_gres_hosts(struct plumb_session *s,
                                              struct plumb_settings *settings, enum plumb_release r)
{
    struct plumb_setting *set = find(settings, PLUMB_P_GRESGLOBAL_NODENAME);
    struct plumb_hostlist *hosts = NULL;
    bool whole = false;

    if (set == NULL)
        return NULL;
    hosts = plumb_read_gres_hosts(s, &set->value, r, &whole);
    if (!whole)
        set->origin = PLUMB_BAD;
    return hosts;
}

void plumb_type_names(struct plumb_session *s, struct plumb_model *m)
{
    for (size_t i = 0; i < m->node_count; i++) {
        struct plumb_nodes *n = &m->nodes[i];

        if (n->hosts == NULL)
            n->hosts = read_hosts(s, &n->settings, PLUMB_P_SLURM_NODENAME, m->release);
    }
    for (size_t i = 0; i < m->gres_line_count; i++) {
        struct plumb_gres_line *line = &m->gres_lines[i];

        if (line->hosts == NULL)
            line->hosts = read_gres_hosts(s, &line->settings, m->release);
    }
    for (size_t i = 0; i < m->partition_count; i++) {
        struct plumb_partition *p = &m->partitions[i];
        const struct plumb_setting *nodes = plumb_setting(&p->settings, PLUMB_P_PART_NODES);

        if (p->nodes_text.text == NULL && nodes != NULL)
            p->nodes_text = nodes->value;
        if (p->nodes_text.text != NULL && plumb_slice_is(&p->nodes_text, "ALL"))
            p->all_nodes = true;
    }
}

static bool is_absent(const struct plumb_nodes *n)
{
    const struct plumb_setting *state = plumb_setting(&n->settings, PLUMB_P_NODE_STATE);

    return state != NULL &&
           (plumb_slice_is(&state->value, "CLOUD") || plumb_slice_is(&state->value, "FUTURE"));
}

static void type_nodes(struct plumb_session *s, const struct plumb_model *m, struct plumb_nodes *n)
{
    n->cloud = n->cloud || is_absent(n);
    plumb_type_cpus(n, m->release);
    if (!n->dynamic || plumb_setting(&n->settings, PLUMB_P_NODE_REALMEMORY) != NULL)
        n->real_memory_mib = plumb_setting_u64(&n->settings, PLUMB_P_NODE_REALMEMORY, m->release);
    plumb_type_gres(s, n);
}

static struct plumb_u64 minutes(const struct plumb_partition *p, enum plumb_param_id id)
{
    const struct plumb_setting *set = plumb_setting(&p->settings, id);
    struct plumb_u64 v = {.origin = PLUMB_ABSENT};

    if (set == NULL)
        return v;
    v.at = set->value.at;
    v.origin = plumb_value_minutes(&set->value, &v.v) == PLUMB_VALUE_OK ? set->origin : PLUMB_BAD;
    return v;
}

static void type_partition(const struct plumb_model *m, struct plumb_partition *p)
{
    p->max_time_min = minutes(p, PLUMB_P_PART_MAXTIME);
    p->default_time_min = minutes(p, PLUMB_P_PART_DEFAULTTIME);
    p->is_default = plumb_setting_bool(&p->settings, PLUMB_P_PART_DEFAULT, m->release);
}

/* Of a list that "none" clears, only that word counts (read_config.c:_validate_and_set_defaults).
 */
static void type_cleared(struct plumb_model *m, struct plumb_setting *set)
{
    const struct plumb_param_rev *rev = plumb_param_at(set->param, m->release);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item, list = set->value;

    if (rev == NULL || !rev->none || !plumb_usable(*set) || !plumb_slice_holds(&list, "none"))
        return;
    while (plumb_list_next(&list, ',', &c, &item)) {
        if (plumb_slice_holds(&item, "none"))
            set->value = item;
    }
}

void plumb_pass_type_values(struct plumb_run *r)
{
    struct plumb_model *m = r->model;
    struct plumb_settings *slurm = &m->settings[PLUMB_SLURM_CONF];

    for (size_t i = 0; i < slurm->count; i++)
        type_cleared(m, &slurm->items[i]);
    plumb_type_names(r->session, m);
    for (size_t i = 0; i < m->node_count; i++)
        type_nodes(r->session, m, &m->nodes[i]);
    for (size_t i = 0; i < m->partition_count; i++)
        type_partition(m, &m->partitions[i]);
    for (size_t i = 0; i < m->gres_line_count; i++)
        plumb_type_gres_line(r->session, &m->gres_lines[i], m->release);
}
