/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model of topograph: "switches" maps each switch to those below it; "blocks" lists nodes with
 * the switch that they are at. Annotations, and the NVLink domain among them, are inherited
 * along switches. Rules of the format: topograph, docs/modeling.md and pkg/models/model.go.
 */
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "capture/places.h"

#define DOMAIN_KEY "accelerator.topology.test/domain"

/* A switch, by the name that its key or its parent gives. */
struct switch_node {
    struct plumb_slice name;
    const struct plumb_node *body; /* NULL: only its parent names it */
    struct switch_node *parent;
};

struct reader {
    struct plumb_session *s;
    struct plumb_map switches;
    struct plumb_net_places *out;
};

static struct switch_node *switch_named(struct reader *rd, const struct plumb_slice *name)
{
    struct switch_node *known = plumb_map_get(&rd->switches, name->text);

    if (known != NULL)
        return known;
    known = PLUMB_NEW(rd->s->arena, struct switch_node);
    known->name = *name;
    plumb_map_set(&rd->switches, name->text, known);
    return known;
}

static void report(struct reader *rd, const struct plumb_node *n, const char *what,
                   const char *expected)
{
    plumb_net_place_report(rd->s, PLUMB_NET_PLACE_MODEL, n->at, "%s, expected %s", what, expected);
}

/* True when one is above itself; the way up is short where there is no circle. */
static bool is_above(const struct switch_node *top, const struct switch_node *from)
{
    size_t level = 0;

    for (; from != NULL && level <= PLUMB_MOST_TIERS; from = from->parent, level++) {
        if (from == top)
            return true;
    }
    return level > PLUMB_MOST_TIERS;
}

static void link_child(struct reader *rd, struct switch_node *above, const struct plumb_node *name)
{
    struct switch_node *child = NULL;

    if (name->kind != PLUMB_SCALAR || name->scalar.len == 0 || plumb_node_is_null(name)) {
        report(rd, name, "this is no name of a switch", "one");
        return;
    }
    child = switch_named(rd, &name->scalar);
    if (child->parent == above)
        return;
    if (child->parent != NULL) {
        plumb_diag_note(plumb_net_place_report(rd->s, PLUMB_NET_PLACE_SWITCH, name->at,
                                               "switch '%s' is below '%s' and '%s', expected one "
                                               "switch above it",
                                               child->name.text, child->parent->name.text,
                                               above->name.text),
                        child->parent->name.at, "the switch that it is taken to be below");
        return;
    }
    if (is_above(child, above)) {
        plumb_net_place_report(rd->s, PLUMB_NET_PLACE_SWITCH, name->at,
                               "switch '%s' is below itself, or %d levels deep, expected a tree",
                               child->name.text, PLUMB_MOST_TIERS);
        return;
    }
    child->parent = above;
}

static void read_switches(struct reader *rd, const struct plumb_node *switches)
{
    if (switches == NULL || plumb_node_is_null(switches))
        return;
    if (switches->kind != PLUMB_MAPPING) {
        report(rd, switches, "'switches' is no mapping", "the switches by name");
        return;
    }
    for (uint32_t i = 0; i < switches->count; i++) {
        const struct plumb_pair *pair = &switches->pairs[i];

        if (pair->value->kind != PLUMB_MAPPING) /* topograph: "has empty definition" */
            report(rd, pair->value->at.end > pair->value->at.begin ? pair->value : pair->key,
                   "the switch has no mapping", "its 'switches', 'labels' or 'annotations'");
        switch_named(rd, &pair->key->scalar)->body =
            pair->value->kind == PLUMB_MAPPING ? pair->value : NULL;
    }
    for (uint32_t i = 0; i < switches->count; i++) {
        const struct plumb_pair *pair = &switches->pairs[i];
        const struct plumb_node *below = plumb_node_get(pair->value, "switches");
        struct switch_node *above = switch_named(rd, &pair->key->scalar);

        if (below == NULL || plumb_node_is_null(below))
            continue;
        if (below->kind != PLUMB_SEQUENCE) {
            report(rd, below, "'switches' of a switch is no list", "names of switches");
            continue;
        }
        for (uint32_t k = 0; k < below->count; k++)
            link_child(rd, above, below->items[k]);
    }
}

static const struct plumb_slice *domain_in(const struct plumb_node *body)
{
    const struct plumb_node *value =
        plumb_node_get(plumb_node_get(body, "annotations"), DOMAIN_KEY);

    return value != NULL && value->kind == PLUMB_SCALAR && value->scalar.len > 0 ? &value->scalar
                                                                                 : NULL;
}

/* The switches above the nodes of a block, and the domain nearest to them. */
static void take_way(struct reader *rd, const struct plumb_node *block,
                     struct plumb_net_place *place)
{
    const struct plumb_node *at = plumb_node_get(block, "switch");
    const struct plumb_slice *domain = domain_in(block);
    const struct switch_node *sw = NULL;

    if (at != NULL && !plumb_node_is_null(at) && (at->kind != PLUMB_SCALAR || at->scalar.len > 0)) {
        sw = at->kind == PLUMB_SCALAR ? plumb_map_get(&rd->switches, at->scalar.text) : NULL;
        if (sw == NULL)
            plumb_net_place_report(rd->s, PLUMB_NET_PLACE_SWITCH, at->at,
                                   "there is no switch '%s', expected one of 'switches'",
                                   at->kind == PLUMB_SCALAR ? at->scalar.text : "...");
    }
    place->tiers = PLUMB_NEW_ARRAY(rd->s->arena, PLUMB_MOST_TIERS, struct plumb_slice);
    for (; sw != NULL && place->tier_count < PLUMB_MOST_TIERS; sw = sw->parent) {
        place->tiers[place->tier_count++] = sw->name;
        domain = domain == NULL ? domain_in(sw->body) : domain;
    }
    if (domain != NULL)
        place->domain = *domain;
}

static void read_block(struct reader *rd, const struct plumb_node *block)
{
    const struct plumb_node *nodes = plumb_node_get(block, "nodes");
    struct plumb_net_place place = {.hosts = {.text = ""}};

    if (block->kind != PLUMB_MAPPING) {
        report(rd, block, "this block is no mapping", "one with 'nodes'");
        return;
    }
    if (nodes == NULL || nodes->kind != PLUMB_SEQUENCE || nodes->count == 0) {
        report(rd, nodes == NULL ? block : nodes, "the block has no list of nodes",
               "'nodes' with at least one");
        return;
    }
    take_way(rd, block, &place);
    for (uint32_t i = 0; i < nodes->count; i++) {
        if (nodes->items[i]->kind != PLUMB_SCALAR || nodes->items[i]->scalar.len == 0) {
            report(rd, nodes->items[i], "this is no node", "a name or a list such as 'n[1-4]'");
            continue;
        }
        place.hosts = nodes->items[i]->scalar;
        plumb_net_place_add(rd->s, rd->out, &place);
    }
}

struct plumb_net_places *plumb_topograph_read(struct plumb_session *s,
                                              const struct plumb_node *root)
{
    struct reader rd = {.s = s, .switches = plumb_map_in(s->arena)};
    const struct plumb_node *blocks = plumb_node_get(root, "blocks");

    rd.out = PLUMB_NEW(s->arena, struct plumb_net_places);
    rd.out->source = "the model of topograph";
    rd.out->switch_is_name = true;
    if (root == NULL)
        return NULL;
    read_switches(&rd, plumb_node_get(root, "switches"));
    if (blocks == NULL || blocks->kind != PLUMB_SEQUENCE || blocks->count == 0)
        report(&rd, blocks == NULL ? root : blocks, "the model has no list of blocks",
               "'blocks', which alone tells of nodes");
    for (uint32_t i = 0; blocks != NULL && blocks->kind == PLUMB_SEQUENCE && i < blocks->count; i++)
        read_block(&rd, blocks->items[i]);
    return rd.out->count == 0 ? NULL : rd.out;
}
