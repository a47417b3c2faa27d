/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ibnetdiscover becomes a tree of groups. Hosts with the same leaves are one
 * group: in a rail-optimised fabric that is a scalable unit, and no single leaf is theirs. Above,
 * groups that share switches are joined level by level until nothing new is reached.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "capture/ibnet.h"
#include "passes/fabric.h"

enum { MOST_SETS = 4096, MOST_LEVELS = 20 }; /* Slurm's own limit of levels is 20 */

struct host {
    const char *name;
    uint32_t *leaves; /* ascending, each once */
    size_t count, cap;
    size_t set; /* position */
    struct plumb_span at;
};

/* Hosts with the same leaves. */
struct set {
    const struct host *first;
    struct plumb_hostlist *hosts;
    size_t inside; /* the only larger set with all of its leaves; SIZE_MAX: none */
    size_t group;
};

struct maker {
    struct plumb_session *s;
    const struct plumb_ibnet *net;
    struct plumb_fabric *out;
    struct host *hosts;
    size_t host_count, host_cap;
    struct set *sets;
    size_t set_count, set_cap;
    size_t *owner;  /* by node of the capture: the group that has reached it; SIZE_MAX */
    size_t *joined; /* by group: another one that it is joined with, itself at the end */
    struct plumb_map names;
};

static void add_leaf(struct maker *m, struct host *h, uint32_t leaf)
{
    size_t at = h->count;

    while (at > 0 && h->leaves[at - 1] > leaf)
        at--;
    if (at > 0 && h->leaves[at - 1] == leaf)
        return;
    h->leaves = plumb_arena_grow(m->s->arena, h->leaves, h->count, &h->cap, sizeof(*h->leaves));
    memmove(&h->leaves[at + 1], &h->leaves[at], (h->count - at) * sizeof(*h->leaves));
    h->leaves[at] = leaf;
    h->count++;
}

static void take_hosts(struct maker *m)
{
    struct plumb_map by_name = plumb_map_in(m->s->arena);

    for (size_t i = 0; i < m->net->count; i++) {
        const struct plumb_ibnet_node *n = &m->net->nodes[i];
        size_t at = 0;
        void *known = NULL;

        if (n->is_switch || n->sharp || n->name == NULL)
            continue;
        known = plumb_map_get(&by_name, n->name);
        at = known == NULL ? m->host_count : (size_t)(uintptr_t)known - 1;
        if (known == NULL) {
            m->hosts = plumb_arena_grow(m->s->arena, m->hosts, m->host_count, &m->host_cap,
                                        sizeof(*m->hosts));
            m->hosts[m->host_count++] = (struct host){.name = n->name, .at = n->name_at};
            plumb_map_set(&by_name, n->name, (void *)(uintptr_t)(at + 1));
        }
        for (size_t k = 0; m->hosts != NULL && k < n->peer_count; k++) {
            if (m->net->nodes[n->peers[k]].is_switch)
                add_leaf(m, &m->hosts[at], n->peers[k]);
        }
    }
}

static const char *leaves_key(struct maker *m, const struct host *h)
{
    struct plumb_buf b = plumb_buf_in(m->s->arena);

    for (size_t i = 0; i < h->count; i++)
        plumb_buf_printf(&b, "%u ", (unsigned)h->leaves[i]);
    return plumb_buf_text(&b);
}

static void take_sets(struct maker *m)
{
    struct plumb_map by_leaves = plumb_map_in(m->s->arena);

    for (size_t i = 0; i < m->host_count; i++) {
        struct host *h = &m->hosts[i];
        const char *key = leaves_key(m, h);
        void *known = h->count == 0 ? NULL : plumb_map_get(&by_leaves, key);

        h->set = known == NULL ? m->set_count : (size_t)(uintptr_t)known - 1;
        if (h->count == 0) {
            h->set = SIZE_MAX;
            continue;
        }
        if (known == NULL) {
            m->sets =
                plumb_arena_grow(m->s->arena, m->sets, m->set_count, &m->set_cap, sizeof(*m->sets));
            m->sets[m->set_count++] = (struct set){
                .first = h,
                .hosts = PLUMB_NEW(m->s->arena, struct plumb_hostlist),
                .inside = SIZE_MAX,
                .group = SIZE_MAX,
            };
            plumb_map_set(&by_leaves, key, (void *)(uintptr_t)(h->set + 1));
        }
        plumb_fabric_host(m->s, m->sets[h->set].hosts, h->name, h->at);
        m->out->host_count++;
    }
}

static bool within(const struct host *part, const struct host *whole)
{
    size_t at = 0;

    for (size_t i = 0; i < whole->count && at < part->count; i++)
        at += whole->leaves[i] == part->leaves[at];
    return at == part->count;
}

/* A host with a port that was down is still of its unit, where only one unit has its leaves. */
static void join_small_sets(struct maker *m)
{
    for (size_t i = 0; i < m->set_count && m->set_count <= MOST_SETS; i++) {
        struct set *x = &m->sets[i];
        size_t larger = 0;

        for (size_t k = 0; k < m->set_count; k++) {
            const struct set *y = &m->sets[k];

            if (y->first->count <= x->first->count || y->hosts->count < x->hosts->count ||
                !within(x->first, y->first))
                continue;
            larger++;
            x->inside = k;
        }
        if (larger != 1) {
            x->inside = SIZE_MAX;
            continue;
        }
        plumb_diag_note(plumb_ibnet_report(m->s, PLUMB_IBNET_FEWER_LEAVES, x->first->at,
                                           "%s %s at %zu of the %zu leaves of the hosts beside %s",
                                           plumb_hostlist_str(m->s->arena, x->hosts),
                                           x->hosts->count == 1 ? "is" : "are", x->first->count,
                                           m->sets[x->inside].first->count,
                                           x->hosts->count == 1 ? "it" : "them"),
                        m->sets[x->inside].first->at, "a host at all of them");
    }
}

static const char *switch_text(const struct plumb_ibnet_node *n)
{
    return n->name != NULL ? n->name : n->id;
}

static void take_groups(struct maker *m)
{
    for (size_t i = 0; i < m->set_count; i++) {
        const struct set *x = &m->sets[i];
        const struct plumb_ibnet_node *leaf = &m->net->nodes[x->first->leaves[0]];

        if (x->inside != SIZE_MAX)
            continue;
        m->sets[i].group = plumb_fabric_group(m->s, m->out, &m->names, switch_text(leaf), leaf->at);
        m->out->groups[m->sets[i].group].hosts = m->sets[i].hosts;
        m->out->groups[m->sets[i].group].switches = x->first->count;
    }
    for (size_t i = 0; i < m->set_count; i++) {
        size_t to = m->sets[i].inside;

        while (to != SIZE_MAX && m->sets[to].inside != SIZE_MAX)
            to = m->sets[to].inside; /* each is larger than the one before */
        if (to != SIZE_MAX)
            plumb_hostlist_append(m->s->arena, m->out->groups[m->sets[to].group].hosts,
                                  m->sets[i].hosts);
    }
}

static size_t find(size_t *joined, size_t group)
{
    while (joined[group] != group) {
        joined[group] = joined[joined[group]];
        group = joined[group];
    }
    return group;
}

/* Groups that share a switch, or whose switches are connected, are joined. */
static bool join(struct maker *m, size_t a, size_t b)
{
    a = find(m->joined, plumb_fabric_root_of(m->out, a));
    b = find(m->joined, plumb_fabric_root_of(m->out, b));
    if (a == b)
        return false;
    if (a < b)
        m->joined[b] = a;
    else
        m->joined[a] = b;
    return true;
}

/* One level up: every switch next to one that was reached is reached. False: there is none. */
static bool climb(struct maker *m, size_t *next)
{
    bool more = false;

    for (size_t i = 0; i < m->net->count; i++)
        next[i] = SIZE_MAX;
    for (size_t i = 0; i < m->net->count; i++) {
        const struct plumb_ibnet_node *n = &m->net->nodes[i];

        for (size_t k = 0; m->owner[i] != SIZE_MAX && k < n->peer_count; k++) {
            uint32_t p = n->peers[k];

            if (!m->net->nodes[p].is_switch)
                continue;
            if (m->owner[p] != SIZE_MAX) {
                more |= join(m, m->owner[i], m->owner[p]);
            } else if (next[p] == SIZE_MAX) {
                next[p] = m->owner[i];
                more = true;
            } else {
                (void)join(m, m->owner[i], next[p]);
            }
        }
    }
    return more;
}

/* Groups that were joined get one above them; a group by itself takes the new switches. */
static void make_level(struct maker *m, const size_t *next)
{
    size_t before = m->out->count;
    size_t *parent = PLUMB_NEW_ARRAY(m->s->arena, before, size_t);
    size_t *children = PLUMB_NEW_ARRAY(m->s->arena, before, size_t);

    for (size_t g = 0; g < before; g++) {
        parent[g] = SIZE_MAX;
        if (m->out->groups[g].parent == PLUMB_FABRIC_NONE)
            children[find(m->joined, g)]++;
    }
    for (size_t i = 0; i < m->net->count; i++) {
        const struct plumb_ibnet_node *n = &m->net->nodes[i];
        size_t root =
            next[i] == SIZE_MAX ? SIZE_MAX : find(m->joined, plumb_fabric_root_of(m->out, next[i]));

        if (root == SIZE_MAX)
            continue;
        if (children[root] > 1 && parent[root] == SIZE_MAX)
            parent[root] = plumb_fabric_group(m->s, m->out, &m->names, switch_text(n), n->at);
        m->owner[i] = parent[root] == SIZE_MAX ? root : parent[root];
        m->out->groups[m->owner[i]].switches += parent[root] != SIZE_MAX;
    }
    for (size_t g = 0; g < before; g++) {
        size_t root = find(m->joined, g);

        if (m->out->groups[g].parent != PLUMB_FABRIC_NONE || children[root] < 2)
            continue;
        if (parent[root] == SIZE_MAX) /* leaves that are connected to each other */
            parent[root] = plumb_fabric_group(
                m->s, m->out, &m->names,
                plumb_arena_printf(m->s->arena, "%s-all", m->out->groups[root].name),
                m->out->groups[root].at);
        m->out->groups[g].parent = parent[root];
    }
}

static void reset_joins(struct maker *m)
{
    m->joined = PLUMB_NEW_ARRAY(m->s->arena, m->out->count, size_t);
    for (size_t g = 0; g < m->out->count; g++)
        m->joined[g] = g;
}

static void take_levels(struct maker *m)
{
    size_t *next = PLUMB_NEW_ARRAY(m->s->arena, m->net->count, size_t);

    m->owner = PLUMB_NEW_ARRAY(m->s->arena, m->net->count, size_t);
    for (size_t i = 0; i < m->net->count; i++)
        m->owner[i] = SIZE_MAX;
    reset_joins(m);
    for (size_t i = 0; i < m->set_count; i++) {
        const struct set *x = &m->sets[i];

        for (size_t k = 0; x->group != SIZE_MAX && k < x->first->count; k++) {
            size_t *owner = &m->owner[x->first->leaves[k]];

            if (*owner == SIZE_MAX)
                *owner = x->group;
            else
                (void)join(m, *owner, x->group);
        }
    }
    for (int level = 0; level < MOST_LEVELS && m->out->count > 0 && climb(m, next); level++) {
        make_level(m, next);
        reset_joins(m);
    }
}

struct plumb_fabric *plumb_fabric_of_ibnet(struct plumb_session *s, const struct plumb_ibnet *net)
{
    struct maker m = {.s = s, .net = net, .names = plumb_map_in(s->arena)};
    struct plumb_hostlist none = {0};

    m.out = PLUMB_NEW(s->arena, struct plumb_fabric);
    m.out->at = net->at;
    m.out->source = "the capture of the fabric";
    m.out->shared_leaves = true;
    take_hosts(&m);
    take_sets(&m);
    join_small_sets(&m);
    take_groups(&m);
    take_levels(&m);
    for (size_t g = 0; g < m.out->count; g++) {
        if (m.out->groups[g].hosts != NULL) /* sorted */
            m.out->groups[g].hosts = plumb_hostlist_union(s->arena, m.out->groups[g].hosts, &none);
    }
    return m.out;
}
