/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about the shape of topologies: switches that lead back to themselves, and toruses, which
 * topology.yaml alone has.
 */
#include <inttypes.h>
#include <string.h>

#include "model/nested.h"
#include "rules/ask.h"
#include "rules/topo.h"

/* ---- switches ---- */

enum { UNSEEN, OPEN, CLOSED };

struct walk {
    const struct plumb_check *ck;
    struct plumb_map units;
    uint8_t *state; /* of each unit */
    bool looped;
};

static void visit(struct walk *w, const struct plumb_topo_unit *u, unsigned depth);

static void visit_child(struct walk *w, const struct plumb_topo_unit *u, const char *name,
                        unsigned depth)
{
    const struct plumb_topo_unit *first = w->ck->model->topo_units;
    const struct plumb_topo_unit *child = plumb_map_get(&w->units, plumb_topo_key(w->ck, u, name));

    if (child == NULL || child == u) /* TOPO001 */
        return;
    if (w->state[child - first] == UNSEEN)
        visit(w, child, depth + 1);
    else if (w->state[child - first] == OPEN && !w->looped) {
        struct plumb_diag *d =
            plumb_report(w->ck, u->children->at,
                         "switch '%s' has '%s' below it, which it is below itself, expected a tree",
                         u->name.v, name);

        plumb_diag_note(d, child->name.at, "the switch above");
        plumb_outcome(w->ck, d, NULL);
        w->looped = true;
    }
}

static void visit(struct walk *w, const struct plumb_topo_unit *u, unsigned depth)
{
    enum { DEEPEST = 1000 }; /* slurmctld gives up behind 20 levels */
    size_t at = (size_t)(u - w->ck->model->topo_units);

    w->state[at] = OPEN;
    /* A switch with nodes of its own is a leaf in topology.yaml: its children are left out. */
    for (size_t r = 0;
         u->children != NULL && u->nodes == NULL && depth < DEEPEST && r < u->children->range_count;
         r++) {
        struct plumb_hostlist one = {.ranges = &u->children->ranges[r], .range_count = 1};
        struct plumb_host_cursor c = {0};
        struct plumb_buf name = plumb_buf_in(w->ck->scratch);

        while (plumb_hostlist_next(&one, &c, &name)) {
            visit_child(w, u, plumb_buf_text(&name), depth);
            name = plumb_buf_in(w->ck->scratch);
        }
    }
    w->state[at] = CLOSED;
}

/* TOPO031: switch_record.c, "is not a tree" */
static void loops(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct walk w = {.ck = ck, .units = plumb_topo_units_by_name(ck)};

    if (!plumb_topo_tree(ck))
        return;
    w.state = PLUMB_NEW_ARRAY(ck->scratch, m->topo_unit_count + 1, uint8_t);
    for (size_t i = 0; i < m->topo_unit_count; i++) {
        if (w.state[i] == UNSEEN)
            visit(&w, &m->topo_units[i], 0);
    }
}

/* ---- toruses ---- */

static void refuse(const struct plumb_check *ck, struct plumb_span at, const char *message)
{
    plumb_outcome(ck, plumb_report(ck, at, "%s", message), NULL);
}

#define REFUSE(ck, at, ...) refuse((ck), (at), plumb_arena_printf((ck)->arena, __VA_ARGS__))

static uint64_t places(const struct plumb_dims *d)
{
    return d->v[0] * d->v[1] * d->v[2]; /* each is at most 65535 */
}

static const char *shape(const struct plumb_check *ck, const struct plumb_dims *d)
{
    return plumb_arena_printf(ck->scratch, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, d->v[0], d->v[1],
                              d->v[2]);
}

static bool is_flat(const struct plumb_dims *d)
{
    return places(d) == 0;
}

/* Every axis of inner, begun at anchor, ends within outer. */
static bool fits(const struct plumb_dims *inner, const struct plumb_dims *anchor,
                 const struct plumb_dims *outer)
{
    for (size_t i = 0; i < 3; i++) {
        if (anchor->v[i] + inner->v[i] > outer->v[i])
            return false;
    }
    return true;
}

static void check_placement(const struct plumb_check *ck, const struct plumb_torus *t,
                            const struct plumb_torus_part *p)
{
    static const struct plumb_dims none;
    struct plumb_dims seed = p->anchor, spacing = p->spacing;

    for (size_t i = 0; i < 3; i++)
        seed.v[i]++;
    if (is_flat(&p->dims))
        REFUSE(ck, p->dims.at, "the placement is %s, expected x, y and z above 0",
               shape(ck, &p->dims));
    else if (!fits(&p->dims, &none, &t->dims))
        REFUSE(ck, p->dims.at, "the placement of %s does not fit into the torus of %s",
               shape(ck, &p->dims), shape(ck, &t->dims));
    else if (!fits(&spacing, &none, &t->dims))
        REFUSE(ck, spacing.at, "anchor_spacing of %s is beyond the torus of %s, expected within it",
               shape(ck, &spacing), shape(ck, &t->dims));
    else if (!fits(&seed, &none, &t->dims))
        REFUSE(ck, p->anchor.at, "anchor_seed %s is beyond the torus of %s, expected within it",
               shape(ck, &p->anchor), shape(ck, &t->dims));
}

static void check_region(const struct plumb_check *ck, const struct plumb_torus *t,
                         const struct plumb_torus_part *p)
{
    if (!fits(&p->dims, &p->anchor, &t->dims))
        REFUSE(ck, p->dims.at, "the region of %s at %s does not fit into the torus of %s",
               shape(ck, &p->dims), shape(ck, &p->anchor), shape(ck, &t->dims));
    else if (p->nodes != NULL && p->nodes->count != places(&p->dims))
        REFUSE(ck, p->nodes->at,
               "the region has %" PRIu64 " nodes, expected the %" PRIu64 " of its dims, %s",
               p->nodes->count, places(&p->dims), shape(ck, &p->dims));
}

/* Two regions hold one place. */
static bool overlap(const struct plumb_torus_part *a, const struct plumb_torus_part *b)
{
    for (size_t i = 0; i < 3; i++) {
        if (a->anchor.v[i] + a->dims.v[i] <= b->anchor.v[i] ||
            b->anchor.v[i] + b->dims.v[i] <= a->anchor.v[i])
            return false;
    }
    return true;
}

static void check_regions(const struct plumb_check *ck, const struct plumb_torus *t)
{
    for (size_t i = 0; i < t->region_count; i++) {
        check_region(ck, t, &t->regions[i]);
        for (size_t k = 0; k < i; k++) {
            if (!overlap(&t->regions[i], &t->regions[k]))
                continue;

            struct plumb_diag *d = plumb_report(ck, t->regions[i].dims.at,
                                                "the region overlaps another one, expected "
                                                "regions apart");

            plumb_diag_note(d, t->regions[k].dims.at, "the other region");
            plumb_outcome(ck, d, NULL);
            break;
        }
    }
}

/* torus3d_record.c:_validate_config */
static void check_torus(const struct plumb_check *ck, const struct plumb_torus *t)
{
    if (t->bad || t->dims.origin == PLUMB_ABSENT) /* reported */
        return;
    if (plumb_span_known(t->nodes_at) && t->region_count > 0) {
        struct plumb_diag *d =
            plumb_report(ck, t->regions_at,
                         "torus '%s' has regions beside nodes, expected one of them", t->name.v);

        plumb_diag_note(d, t->nodes_at, "its nodes");
        plumb_outcome(ck, d, NULL);
    } else if (is_flat(&t->dims)) {
        REFUSE(ck, t->dims.at, "torus '%s' is %s, expected x, y and z above 0", t->name.v,
               shape(ck, &t->dims));
        return;
    }
    if (t->nodes != NULL && t->nodes->count != places(&t->dims))
        REFUSE(ck, t->nodes->at,
               "torus '%s' has %" PRIu64 " nodes, expected the %" PRIu64 " of its dims, %s",
               t->name.v, t->nodes->count, places(&t->dims), shape(ck, &t->dims));
    for (size_t i = 0; i < t->placement_count; i++) {
        if (t->placements[i].dims.origin != PLUMB_ABSENT)
            check_placement(ck, t, &t->placements[i]);
    }
    check_regions(ck, t);
}

static void compare_toruses(const struct plumb_check *ck, const struct plumb_torus *t,
                            const struct plumb_torus *first)
{
    if (t->topology != first->topology)
        return;
    if (t->name.v[0] != '\0' && strcmp(t->name.v, first->name.v) == 0) {
        struct plumb_diag *d =
            plumb_report(ck, t->name.at, "torus '%s' is defined twice, expected once", t->name.v);

        plumb_diag_note(d, first->name.at, "the first definition");
        plumb_outcome(ck, d, NULL);
    } else if (t->nodes != NULL && first->nodes != NULL) {
        const struct plumb_hostlist *both =
            plumb_hostlist_intersect(ck->arena, t->nodes, first->nodes);

        if (both->count > 0)
            REFUSE(ck, t->nodes->at, "'%s' is in torus '%s' too, expected each node in one",
                   plumb_fold_hosts(ck, both), first->name.v);
    }
}

/* TOPO032 */
static void toruses(const struct plumb_check *ck)
{
    const struct plumb_nested_model *n = ck->model->nested;

    for (size_t i = 0; n != NULL && i < n->torus_count; i++) {
        check_torus(ck, &n->toruses[i]);
        for (size_t k = 0; k < i; k++)
            compare_toruses(ck, &n->toruses[i], &n->toruses[k]);
    }
}

/* TOPO033: "Invalid hostnames in torus3d configuration" */
static void torus_unknown_node(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_nested_model *n = m->nested;

    if (n == NULL || !m->present[PLUMB_SLURM_CONF] || m->unread[PLUMB_SLURM_CONF] ||
        plumb_global(ck, PLUMB_P_SLURM_MAXNODECOUNT) != NULL)
        return;
    for (size_t i = 0; i < n->torus_count; i++) {
        const struct plumb_hostlist *nodes = n->toruses[i].nodes;
        const struct plumb_hostlist *none = plumb_no_nodes(ck, nodes);

        if (none->count == 0)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, nodes->at, "'%s' of torus '%s' is no node of slurm.conf, expected one",
                         plumb_fold_hosts(ck, none), n->toruses[i].name.v);

        plumb_fold_object(ck, d, none);
        plumb_outcome(ck, d, NULL);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "TOPO031",
        .name = "switch-loop",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "a switch is below itself",
        .why = "Nothing is the top of such a network; the file is refused.",
        .ref = "topology.conf(5), Switches; switch_record.c",
        .bad = "TopologyPlugin=topology/tree\n"
               "NodeName=n[1-4]\n"
               "# topology.conf\n"
               "SwitchName=a Switches=b\n"
               "SwitchName=b Switches=a\n"
               "SwitchName=c Nodes=n[1-4]",
        .good = "TopologyPlugin=topology/tree\n"
                "NodeName=n[1-4]\n"
                "# topology.conf\n"
                "SwitchName=a Switches=b\n"
                "SwitchName=b Nodes=n[1-4]",
        .needs = PLUMB_FACT_MODEL,
        .run = loops,
    },
    {
        .code = "TOPO032",
        .name = "torus-refused",
        PLUMB_OUTCOME(ERROR, STOPS, SLURM_ALL),
        .summary = "the nodes, regions or placements of a torus do not fit its dims",
        .why = "Every place of the torus needs its node; slurmctld ends where they do not match.",
        .ref = "topology.yaml(5), torus3d; torus3d_record.c:_validate_config",
        .bad = "NodeName=n[1-8]\n"
               "# topology.yaml\n"
               "- topology: cube\n"
               "  torus3d:\n"
               "    toruses: [{name: t, nodes: \"n[1-8]\", dims: {x: 2, y: 2, z: 3}}]",
        .good = "NodeName=n[1-8]\n"
                "# topology.yaml\n"
                "- topology: cube\n"
                "  torus3d:\n"
                "    toruses: [{name: t, nodes: \"n[1-8]\", dims: {x: 2, y: 2, z: 2}}]",
        .needs = PLUMB_FACT_MODEL,
        .run = toruses,
    },
    {
        .code = "TOPO033",
        .name = "torus-unknown-node",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURM_ALL),
        .summary = "a torus names a node that slurm.conf does not have",
        .why = "Its place stays empty; mostly another node was meant.",
        .ref = "topology.yaml(5), torus3d; torus3d_record.c:_validate_config",
        .bad = "NodeName=n[1-8]\n"
               "# topology.yaml\n"
               "- topology: cube\n"
               "  torus3d:\n"
               "    toruses: [{name: t, nodes: \"n[1-9]\", dims: {x: 3, y: 3, z: 1}}]",
        .good = "NodeName=n[1-9]\n"
                "# topology.yaml\n"
                "- topology: cube\n"
                "  torus3d:\n"
                "    toruses: [{name: t, nodes: \"n[1-9]\", dims: {x: 3, y: 3, z: 1}}]",
        .needs = PLUMB_FACT_MODEL,
        .run = torus_unknown_node,
    },
};

const struct plumb_rule_family plumb_topo_nested_rules = {
    .prefix = "TOPO",
    .title = "Loops and toruses",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
