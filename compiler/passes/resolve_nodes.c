/* SPDX-License-Identifier: Apache-2.0 */
/* Node classes and partitions of a specification. */
#include <string.h>

#include "base/text.h"
#include "passes/names.h"
#include "passes/resolve.h"

/* Several texts of one key as one list, each item still at its own place. */
struct plumb_hostlist *plumb_resolve_hosts(struct plumb_resolve *rs,
                                           const struct plumb_spec_value *v)
{
    struct plumb_hostlist *all = NULL;
    bool bad = v->shape != PLUMB_SHAPE_LIST || v->count == 0;

    for (size_t i = 0; !bad && i < v->count; i++) {
        struct plumb_hostlist *h = NULL;

        if (plumb_usable(v->items[i]))
            h = plumb_hostlist_read(rs->s, &v->items[i].text, rs->m->release);
        if (h == NULL)
            bad = true;
        else if (all == NULL)
            all = h;
        else
            plumb_hostlist_append(rs->a, all, h);
    }
    if (all != NULL)
        all->at = v->at;
    return bad ? NULL : all;
}

/* NodeName=DEFAULT and PartitionName=DEFAULT set defaults for other lines; ALL is no node. */
static bool is_reserved(const char *name, bool host)
{
    return plumb_same_nocase(name, "DEFAULT") || (host && plumb_same_nocase(name, "ALL"));
}

static void report_reserved(struct plumb_resolve *rs, const char *name, struct plumb_span at)
{
    plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_BAD_NAME), at,
                   "'%s' has a meaning of its own in slurm.conf, expected another name", name);
}

/* False when one of the hosts cannot be a node. */
static bool hosts_usable(struct plumb_resolve *rs, const struct plumb_hostlist *hosts)
{
    bool usable = true;

    for (size_t i = 0; i < hosts->range_count; i++) {
        const struct plumb_host_range *r = &hosts->ranges[i];

        if (r->numbered || !is_reserved(r->prefix, true))
            continue;
        report_reserved(rs, r->prefix, r->at);
        usable = false;
    }
    return usable;
}

/* Some names of a list that could not be read may be known elsewhere. */
static void set_unread(struct plumb_resolve *rs, struct plumb_nodes *n,
                       const struct plumb_spec_value *hosts)
{
    if (hosts == NULL || hosts->shape != PLUMB_SHAPE_LIST || hosts->count != 1) {
        rs->m->nodes_unread = true;
        return;
    }
    plumb_setting_add(rs->a, &n->settings, PLUMB_P_SLURM_NODENAME, hosts->items[0].text,
                      hosts->key_at, PLUMB_BAD);
}

static void add_class(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    struct plumb_nodes *n = &rs->m->nodes[rs->m->node_count++];
    const struct plumb_spec_value *hosts = plumb_resolve_get(v, "hosts");

    n->class_name = v->name;
    n->at = v->key_at;
    if (hosts != NULL)
        n->hosts = plumb_resolve_hosts(rs, hosts);
    if (n->hosts != NULL && !hosts_usable(rs, n->hosts))
        n->hosts = NULL;
    if (n->hosts != NULL)
        plumb_hostlist_append(rs->a, rs->m->all_nodes, n->hosts);
    else
        set_unread(rs, n, hosts);
    plumb_resolve_table(rs, &plumb_spec_nodes, v, v->key_at, &n->settings);
}

static size_t entries_of(const struct plumb_spec_value *v)
{
    return v != NULL && v->shape == PLUMB_SHAPE_MAP ? v->count : 0;
}

void plumb_resolve_nodes(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *nodes = plumb_spec_get(&rs->spec->root, "nodes");
    size_t count = entries_of(nodes);

    rs->m->nodes = PLUMB_NEW_ARRAY(rs->a, count, struct plumb_nodes);
    for (size_t i = 0; i < count; i++) {
        if (nodes->items[i].shape == PLUMB_SHAPE_MAP)
            add_class(rs, &nodes->items[i]);
    }
    /* Sorted and without repetitions, as for hand-written files; a repeated host is a rule's
     * matter.
     */
    rs->m->all_nodes =
        plumb_hostlist_union(rs->a, rs->m->all_nodes, PLUMB_NEW(rs->a, struct plumb_hostlist));
    rs->m->all_nodes->at = nodes != NULL ? nodes->key_at : (struct plumb_span){0};
}

/* A node class may stand for its hosts, unless a host has that very name. */
static const struct plumb_hostlist *hosts_named(const void *data, const char *name)
{
    const struct plumb_resolve *rs = data;

    if (plumb_hostlist_has(rs->m->all_nodes, name))
        return NULL;
    for (size_t i = 0; i < rs->m->node_count; i++) {
        const struct plumb_nodes *n = &rs->m->nodes[i];

        if (strcmp(n->class_name, name) == 0) /* a class with a bad list stands for none */
            return n->hosts != NULL ? n->hosts : rs->no_hosts;
    }
    return NULL;
}

struct plumb_hostlist *plumb_resolve_named(struct plumb_resolve *rs,
                                           const struct plumb_spec_value *v)
{
    struct plumb_hostlist *nodes = NULL;
    bool sound = true;

    if (v->shape != PLUMB_SHAPE_LIST || v->count == 0)
        return NULL;
    nodes = PLUMB_NEW(rs->a, struct plumb_hostlist);
    nodes->at = v->at;
    for (size_t i = 0; i < v->count; i++)
        sound &=
            plumb_usable(v->items[i]) &&
            plumb_names_resolve(rs->s, rs->m->release, &v->items[i].text, hosts_named, rs, nodes);
    return sound ? nodes : NULL;
}

static void set_nodes(struct plumb_resolve *rs, struct plumb_partition *p,
                      const struct plumb_spec_value *v)
{
    if (v->shape != PLUMB_SHAPE_LIST || v->count == 0)
        return;
    p->nodes_text = v->items[0].text;
    if (v->count == 1 && plumb_slice_is(&v->items[0].text, "all")) {
        p->all_nodes = true;
        p->nodes = rs->m->all_nodes;
        return;
    }
    p->nodes = plumb_resolve_named(rs, v);
}

static void set_word(struct plumb_resolve *rs, struct plumb_partition *p, enum plumb_param_id id,
                     const char *text, const struct plumb_spec_value *v)
{
    plumb_setting_add(rs->a, &p->settings, id, plumb_made_slice(text, v->at), v->key_at,
                      PLUMB_GIVEN);
}

static void set_oversubscribe(struct plumb_resolve *rs, struct plumb_partition *p,
                              const struct plumb_spec_value *v)
{
    const struct plumb_spec_value *jobs = plumb_resolve_get(v, "jobs");
    const struct plumb_spec_value *force = plumb_resolve_get(v, "force");
    bool forced = force != NULL && force->number != 0;

    if (jobs == NULL)
        return;
    if (jobs->number == 1)
        set_word(rs, p, PLUMB_P_PART_OVERSUBSCRIBE, forced ? "FORCE:1" : "NO", v);
    else
        set_word(
            rs, p, PLUMB_P_PART_OVERSUBSCRIBE,
            plumb_arena_printf(rs->a, "%s:%u", forced ? "FORCE" : "YES", (unsigned)jobs->number),
            v);
}

/* One parameter from 26.05 on, three before (versions: Exclusive). */
static const struct {
    const char *word;
    const char *exclusive;  /* for Exclusive= */
    enum plumb_param_id id; /* before */
    const char *text;
} exclusive_rows[] = {
    {"none", "NONE", PLUMB_P_COUNT, NULL},
    {"node", "NODE", PLUMB_P_PART_OVERSUBSCRIBE, "EXCLUSIVE"},
    {"user", "USER", PLUMB_P_PART_EXCLUSIVEUSER, "yes"},
    {"topo", "TOPO", PLUMB_P_PART_EXCLUSIVETOPO, "yes"},
};

static void set_exclusive(struct plumb_resolve *rs, struct plumb_partition *p,
                          const struct plumb_spec_value *v)
{
    bool one = plumb_param_used(plumb_param(PLUMB_P_PART_EXCLUSIVE), rs->m->release);

    for (size_t i = 0; i < PLUMB_COUNT(exclusive_rows); i++) {
        enum plumb_param_id id = exclusive_rows[i].id;

        if (strcmp(v->word->name, exclusive_rows[i].word) != 0)
            continue;
        if (one)
            set_word(rs, p, PLUMB_P_PART_EXCLUSIVE, exclusive_rows[i].exclusive, v);
        else if (id == PLUMB_P_COUNT)
            continue;
        else if (!plumb_param_used(plumb_param(id), rs->m->release))
            plumb_resolve_not_in_release(rs, v->at, "word", v->word->name, plumb_param(id),
                                         plumb_param_first_use(plumb_param(id)));
        else
            set_word(rs, p, id, exclusive_rows[i].text, v);
    }
}

static void set_sharing(struct plumb_resolve *rs, struct plumb_partition *p,
                        const struct plumb_spec_value *v)
{
    const struct plumb_spec_value *over = plumb_resolve_get(v, "oversubscribe");
    const struct plumb_spec_value *exclusive = plumb_resolve_get(v, "exclusive");

    if (over != NULL && exclusive != NULL && strcmp(exclusive->word->name, "node") == 0) {
        struct plumb_diag *d =
            plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_EXCLUSIVE_KEYS), exclusive->at,
                           "partition '%s' hands out whole nodes and shares them, expected "
                           "'exclusive: node' or 'oversubscribe'",
                           v->name);

        plumb_diag_note(d, over->at, "sharing is asked for here");
        return;
    }
    if (over != NULL)
        set_oversubscribe(rs, p, over);
    if (exclusive != NULL)
        set_exclusive(rs, p, exclusive);
}

static void add_partition(struct plumb_resolve *rs, const struct plumb_spec_value *v, bool alone)
{
    struct plumb_partition *p = &rs->m->partitions[rs->m->partition_count++];
    const struct plumb_spec_value *nodes = plumb_resolve_get(v, "nodes");

    p->name = (struct plumb_text){.v = v->name, .at = v->key_at, .origin = v->origin};
    p->at = v->key_at;
    if (is_reserved(v->name, false)) {
        report_reserved(rs, v->name, v->key_at);
        p->name.origin = PLUMB_BAD;
    }
    if (nodes != NULL)
        set_nodes(rs, p, nodes);
    plumb_resolve_table(rs, &plumb_spec_partition, v, v->key_at, &p->settings);
    set_sharing(rs, p, v);
    if (alone && !plumb_setting_there(&p->settings, PLUMB_P_PART_DEFAULT))
        plumb_setting_add_text(rs->a, &p->settings, PLUMB_P_PART_DEFAULT, "yes", v->key_at,
                               PLUMB_DEFAULTED);
}

void plumb_resolve_partitions(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *partitions = plumb_spec_get(&rs->spec->root, "partitions");
    size_t count = entries_of(partitions);

    rs->m->partitions = PLUMB_NEW_ARRAY(rs->a, count, struct plumb_partition);
    for (size_t i = 0; i < count; i++) {
        if (partitions->items[i].shape == PLUMB_SHAPE_MAP)
            add_partition(rs, &partitions->items[i], count == 1);
    }
}
