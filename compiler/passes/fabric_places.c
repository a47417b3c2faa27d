/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fabric of places (capture/places.h): nodes below the same closest switch are a group, and what
 * they tell of above it are the groups above. The first place counts where two differ.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "passes/fabric.h"

/* A switch. */
struct vertex {
    const char *name;
    struct plumb_hostlist *hosts;                /* NULL: none */
    struct vertex *parent, *first, *next, *last; /* children in the order of the places */
    size_t tier;                                 /* at least so many switches are below it */
    bool below_is_told;                          /* which one is above was said, or that none is */
    size_t group;
    struct plumb_span at;
};

struct maker {
    struct plumb_session *s;
    const struct plumb_net_places *places;
    struct plumb_fabric *out;
    struct plumb_map vertices, names;
    struct vertex top; /* above all that have nothing above them */
    size_t most_tier;
};

/* plumb_host_name() takes so many digits; more are no number for Slurm either. */
static bool ends_in_number(const char *name)
{
    size_t len = strlen(name), digits = plumb_end_digits(name, len);

    return digits > 0 && digits <= PLUMB_SAFE_DIGITS && digits < len;
}

void plumb_fabric_host(struct plumb_session *s, struct plumb_hostlist *to, const char *name,
                       struct plumb_span at)
{
    struct plumb_host_range range = {.prefix = name, .suffix = "", .at = at};
    struct plumb_hostlist one = {.ranges = &range, .range_count = 1, .count = 1};

    if (ends_in_number(name))
        range = plumb_host_name(s->intern, name, strlen(name), NULL, at);
    plumb_hostlist_append(s->arena, to, &one);
}

/* The hosts of a place; a name of a Node object is Slurm's up to its domain. NULL: reported. */
static struct plumb_hostlist *hosts_of(struct plumb_session *s, const struct plumb_net_place *place)
{
    struct plumb_hostlist *one = NULL;
    const char *dot = NULL;

    if (strpbrk(place->hosts.text, "[,") != NULL)
        return plumb_hostlist_read(s, &place->hosts, PLUMB_RELEASE_NEWEST);
    dot = strchr(place->hosts.text, '.');
    one = PLUMB_NEW(s->arena, struct plumb_hostlist);
    one->at = place->hosts.at;
    plumb_fabric_host(s, one,
                      plumb_intern_text(s->intern, place->hosts.text,
                                        dot == NULL || dot == place->hosts.text
                                            ? place->hosts.len
                                            : (size_t)(dot - place->hosts.text)),
                      place->hosts.at);
    return one;
}

static struct vertex *vertex_of(struct maker *m, const struct plumb_slice *name, size_t tier)
{
    const char *key = m->places->switch_is_name
                          ? name->text
                          : plumb_arena_printf(m->s->arena, "%zu %s", tier, name->text);
    struct plumb_map_entry *e = plumb_map_entry(&m->vertices, key, strlen(key));
    struct vertex *v = e->value;

    if (v == NULL) {
        v = PLUMB_NEW(m->s->arena, struct vertex);
        v->name = plumb_intern_text(m->s->intern, name->text, name->len);
        v->at = name->at;
        e->value = v;
    }
    v->tier = v->tier < tier ? tier : v->tier;
    m->most_tier = m->most_tier < v->tier ? v->tier : m->most_tier;
    return v;
}

static void put_below(struct vertex *parent, struct vertex *child)
{
    child->parent = parent;
    child->below_is_told = true;
    if (parent->last != NULL)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

static void report_other(struct maker *m, const struct vertex *child, const struct plumb_slice *now)
{
    plumb_diag_note(
        plumb_net_place_report(m->s, PLUMB_NET_PLACE_OTHER_TOP, now->at,
                               "'%s' is above switch '%s' here, expected '%s' as before", now->text,
                               child->name, child->parent->name),
        child->parent->at, "what counts");
}

static void take_place(struct maker *m, const struct plumb_net_place *place,
                       const struct plumb_hostlist *hosts)
{
    struct vertex *below = NULL;

    for (size_t i = 0; hosts != NULL && i < place->tier_count; i++) {
        struct vertex *v = vertex_of(m, &place->tiers[i], i);

        if (i == 0 && v->hosts == NULL)
            v->hosts = PLUMB_NEW(m->s->arena, struct plumb_hostlist);
        if (i == 0)
            plumb_hostlist_append(m->s->arena, v->hosts, hosts);
        if (below != NULL && !below->below_is_told) {
            put_below(v, below);
        } else if (below != NULL && below->parent != v) {
            report_other(m, below, &place->tiers[i]);
            return; /* the way up is that of the first */
        }
        below = v;
    }
}

size_t plumb_fabric_group(struct plumb_session *s, struct plumb_fabric *f, struct plumb_map *names,
                          const char *name, struct plumb_span at)
{
    const char *own = name;

    for (unsigned n = 2; plumb_map_get(names, own) != NULL; n++)
        own = plumb_arena_printf(s->arena, "%s-%u", name, n);
    plumb_map_set(names, own, names);
    f->groups = plumb_arena_grow(s->arena, f->groups, f->count, &f->cap, sizeof(*f->groups));
    f->groups[f->count] = (struct plumb_fabric_group){
        .name = plumb_intern_str(s->intern, own), .parent = PLUMB_FABRIC_NONE, .at = at};
    return f->count++;
}

static size_t add_group(struct maker *m, const struct vertex *v, struct plumb_hostlist *hosts)
{
    size_t at = plumb_fabric_group(m->s, m->out, &m->names, v->name, v->at);
    struct plumb_fabric_group *g = &m->out->groups[at];
    struct plumb_hostlist none = {0};

    g->switches = 1;
    if (hosts == NULL)
        return at;
    g->hosts = plumb_hostlist_union(m->s->arena, hosts, &none);
    m->out->host_count += g->hosts->count;
    return at;
}

/* Every vertex below one, depth first; the levels are at most PLUMB_MOST_TIERS. */
static void collect(const struct vertex *from, struct vertex **out, size_t *count)
{
    for (struct vertex *v = from->first; v != NULL; v = v->next) {
        out[(*count)++] = v;
        collect(v, out, count);
    }
}

/* Groups of nodes. Nodes at a switch with switches below it get a leaf of their own. */
static void add_leaves(struct maker *m, struct vertex *const *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct vertex leaf = *all[i];

        if (leaf.hosts == NULL)
            continue;
        if (leaf.first != NULL)
            leaf.name = plumb_arena_printf(m->s->arena, "%s-nodes", leaf.name);
        all[i]->group = add_group(m, &leaf, leaf.hosts);
    }
}

/* Groups of groups, tier by tier, so that parents come behind their children. */
static void add_inner(struct maker *m, struct vertex *const *all, size_t count)
{
    for (size_t tier = 1; tier <= m->most_tier; tier++) {
        for (size_t i = 0; i < count; i++) {
            size_t leaf = all[i]->group;

            if (all[i]->tier != tier || all[i]->first == NULL)
                continue;
            all[i]->group = add_group(m, all[i], NULL);
            if (all[i]->hosts != NULL)
                m->out->groups[leaf].parent = all[i]->group;
        }
    }
}

static void make_groups(struct maker *m)
{
    struct vertex **all = PLUMB_NEW_ARRAY(m->s->arena, m->vertices.count + 1, struct vertex *);
    size_t count = 0;

    for (size_t i = 0; i < m->vertices.count; i++) {
        struct vertex *v = m->vertices.entries[i].value;

        if (v->parent == NULL)
            put_below(&m->top, v);
    }
    collect(&m->top, all, &count);
    add_leaves(m, all, count);
    add_inner(m, all, count);
    for (size_t i = 0; i < count; i++) {
        if (all[i]->parent != &m->top)
            m->out->groups[all[i]->group].parent = all[i]->parent->group;
    }
}

struct ranked {
    struct plumb_fabric_block block;
    size_t rank, order;
};

static int by_rank(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Where the first node of a block is in the tree. */
static size_t rank_of(const struct plumb_fabric *f, struct plumb_arena *a, const size_t *leaves,
                      size_t leaf_count, const struct plumb_hostlist *hosts)
{
    const char *name = plumb_hostlist_name(a, hosts, 0);

    for (size_t i = 0; name != NULL && i < leaf_count; i++) {
        if (plumb_hostlist_has(f->groups[leaves[i]].hosts, name))
            return i;
    }
    return SIZE_MAX;
}

/* Blocks in the order of the places; hosts: those of each place, NULL where they were reported. */
static struct ranked *blocks_of(struct plumb_session *s, const struct plumb_net_places *places,
                                struct plumb_hostlist *const *hosts, size_t *count)
{
    struct plumb_map by_name = plumb_map_in(s->arena);
    struct ranked *blocks = NULL;
    size_t cap = 0;

    for (size_t i = 0; i < places->count; i++) {
        const struct plumb_slice *domain = &places->items[i].domain;
        struct plumb_map_entry *e = NULL;

        if (domain->len == 0 || hosts[i] == NULL)
            continue;
        e = plumb_map_entry(&by_name, domain->text, domain->len);
        if (e->value == NULL) {
            blocks = plumb_arena_grow(s->arena, blocks, *count, &cap, sizeof(*blocks));
            blocks[*count] = (struct ranked){
                .block = {.name = plumb_intern_text(s->intern, domain->text, domain->len),
                          .hosts = PLUMB_NEW(s->arena, struct plumb_hostlist),
                          .at = domain->at},
                .order = *count,
            };
            e->value = (void *)(uintptr_t)++ * count;
        }
        plumb_hostlist_append(s->arena, blocks[(uintptr_t)e->value - 1].block.hosts, hosts[i]);
    }
    return blocks;
}

static void add_blocks(struct plumb_session *s, struct plumb_fabric *f,
                       const struct plumb_net_places *places, struct plumb_hostlist *const *hosts)
{
    struct plumb_hostlist none = {0};
    size_t count = 0, leaf_count = 0;
    struct ranked *blocks = blocks_of(s, places, hosts, &count);
    size_t *leaves = plumb_fabric_leaves(f, s->arena, &leaf_count);

    for (size_t i = 0; i < count; i++) {
        blocks[i].block.hosts = plumb_hostlist_union(s->arena, blocks[i].block.hosts, &none);
        blocks[i].rank = rank_of(f, s->arena, leaves, leaf_count, blocks[i].block.hosts);
    }
    if (count > 0)
        qsort(blocks, count, sizeof(*blocks), by_rank);
    f->blocks = PLUMB_NEW_ARRAY(s->arena, count, struct plumb_fabric_block);
    for (f->block_count = 0; f->block_count < count; f->block_count++) {
        f->blocks[f->block_count] = blocks[f->block_count].block;
        f->host_count += f->count == 0 ? f->blocks[f->block_count].hosts->count : 0;
    }
}

static struct plumb_hostlist **all_hosts(struct plumb_session *s,
                                         const struct plumb_net_places *places)
{
    struct plumb_hostlist **hosts =
        PLUMB_NEW_ARRAY(s->arena, places->count, struct plumb_hostlist *);

    for (size_t i = 0; i < places->count; i++)
        hosts[i] = hosts_of(s, &places->items[i]);
    return hosts;
}

void plumb_fabric_add_blocks(struct plumb_session *s, struct plumb_fabric *f,
                             const struct plumb_net_places *places)
{
    add_blocks(s, f, places, all_hosts(s, places));
}

struct plumb_fabric *plumb_fabric_of_places(struct plumb_session *s,
                                            const struct plumb_net_places *places)
{
    struct maker m = {
        .s = s,
        .places = places,
        .vertices = plumb_map_in(s->arena),
        .names = plumb_map_in(s->arena),
    };
    struct plumb_hostlist **hosts = NULL;

    m.out = PLUMB_NEW(s->arena, struct plumb_fabric);
    m.out->at = places->at;
    m.out->source = places->source;
    m.out->partial = places->partial;
    hosts = all_hosts(s, places);
    for (size_t i = 0; i < places->count; i++)
        take_place(&m, &places->items[i], hosts[i]);
    make_groups(&m);
    add_blocks(s, m.out, places, hosts);
    return m.out->count + m.out->block_count > 0 ? m.out : NULL;
}
