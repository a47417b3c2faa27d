/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about hierarchical resources (resources.yaml): layers are licenses of nodes, so that
 * slurmctld holds them against nodes, licenses and each other when it starts.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "model/nested.h"
#include "rules/ask.h"
#include "rules/topo.h"

/* A layer and the resource it is of; entries of one name are one resource. */
struct layer {
    const struct plumb_hres *resource;
    const struct plumb_hres_layer *layer;
};

struct layers {
    struct layer *items;
    size_t count;
};

/* Every layer whose nodes are known, of resources with this name; NULL: of all. */
static struct layers layers_of(const struct plumb_check *ck, const char *name)
{
    const struct plumb_nested_model *n = ck->model->nested;
    struct layers all = {NULL, 0};
    size_t cap = 0;

    for (size_t i = 0; n != NULL && i < n->resource_count; i++) {
        const struct plumb_hres *r = &n->resources[i];

        if (name != NULL && strcmp(r->name.v, name) != 0)
            continue;
        for (size_t k = 0; k < r->layer_count; k++) {
            if (r->layers[k].nodes == NULL)
                continue;
            all.items =
                plumb_arena_grow(ck->scratch, all.items, all.count, &cap, sizeof(*all.items));
            all.items[all.count++] = (struct layer){r, &r->layers[k]};
        }
    }
    return all;
}

/* HRES001: licenses.c:_foreach_license_set_hres, node_name2bitmap without mercy. */
static void unknown_node(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct layers all = layers_of(ck, NULL);

    if (!m->present[PLUMB_SLURM_CONF] || m->unread[PLUMB_SLURM_CONF])
        return;
    for (size_t i = 0; i < all.count; i++) {
        const struct plumb_hostlist *none = plumb_no_nodes(ck, all.items[i].layer->nodes);

        if (none->count == 0)
            continue;

        struct plumb_diag *d = plumb_report(
            ck, none->ranges[0].at, "'%s' of resource '%s' is no node of slurm.conf, expected one",
            plumb_fold_hosts(ck, none), all.items[i].resource->name.v);

        plumb_fold_object(ck, d, none);
        plumb_outcome(ck, d, NULL);
    }
}

static bool holds(const struct plumb_check *ck, const struct plumb_hostlist *outer,
                  const struct plumb_hostlist *inner)
{
    return plumb_hostlist_minus(ck->scratch, inner, outer)->count == 0;
}

static bool same_nodes(const struct plumb_check *ck, const struct plumb_hostlist *a,
                       const struct plumb_hostlist *b)
{
    return a->count == b->count && holds(ck, a, b) && holds(ck, b, a);
}

/* HRES002: "duplicate layer" */
static void layer_twice(const struct plumb_check *ck)
{
    struct layers all = layers_of(ck, NULL);

    for (size_t i = 0; i < all.count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(all.items[i].resource->name.v, all.items[k].resource->name.v) != 0 ||
                !same_nodes(ck, all.items[i].layer->nodes, all.items[k].layer->nodes))
                continue;

            struct plumb_diag *d =
                plumb_report(ck, all.items[i].layer->at,
                             "resource '%s' has two layers of the same nodes, expected one",
                             all.items[i].resource->name.v);

            plumb_diag_note(d, all.items[k].layer->at, "the first one");
            plumb_outcome(ck, d, NULL);
            break;
        }
    }
}

/* The license of this name in Licenses; false: there is none. */
static bool find_license(const struct plumb_check *ck, const char *name, struct plumb_slice *found)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_LICENSES);
    struct plumb_list_cursor c = {0};

    while (s != NULL && plumb_list_next(&s->value, ',', &c, found)) {
        size_t len = 0;

        while (len < found->len && found->text[len] != ':' && found->text[len] != '=')
            len++;
        if (strlen(name) == len && memcmp(name, found->text, len) == 0)
            return true;
    }
    return false;
}

/* HRES003: "HRES Mode mismatch" */
static void mode_mismatch(const struct plumb_check *ck)
{
    const struct plumb_nested_model *n = ck->model->nested;

    for (size_t i = 0; n != NULL && i < n->resource_count; i++) {
        const struct plumb_hres *r = &n->resources[i];
        struct plumb_slice license;

        if (r->layer_count > 0 && find_license(ck, r->name.v, &license)) {
            struct plumb_diag *d = plumb_report(
                ck, r->name.at, "resource '%s' has the name of a license, expected another",
                r->name.v);

            plumb_diag_note(d, license.at, "the license");
            plumb_outcome(ck, d, NULL);
        }
        for (size_t k = 0; k < i; k++) {
            const struct plumb_hres *first = &n->resources[k];

            if (strcmp(r->name.v, first->name.v) != 0 || r->mode.origin == PLUMB_ABSENT ||
                first->mode.origin == PLUMB_ABSENT || plumb_same_nocase(r->mode.v, first->mode.v))
                continue;

            struct plumb_diag *d =
                plumb_report(ck, r->mode.at, "resource '%s' is %s here and %s above, expected one",
                             r->name.v, r->mode.v, first->mode.v);

            plumb_diag_note(d, first->mode.at, "the first mode");
            plumb_outcome(ck, d, NULL);
            break;
        }
    }
}

static bool is_first_of_name(const struct plumb_nested_model *n, size_t at)
{
    for (size_t k = 0; k < at; k++) {
        if (strcmp(n->resources[k].name.v, n->resources[at].name.v) == 0)
            return false;
    }
    return true;
}

/* The smallest layer that holds all nodes of another one; SIZE_MAX: it is a root. */
static size_t parent_of(const struct plumb_check *ck, const struct layers *all, size_t at)
{
    size_t best = SIZE_MAX;

    for (size_t k = 0; k < all->count; k++) {
        const struct plumb_hostlist *nodes = all->items[k].layer->nodes;

        if (k == at || nodes->count <= all->items[at].layer->nodes->count ||
            !holds(ck, nodes, all->items[at].layer->nodes))
            continue;
        if (best == SIZE_MAX || nodes->count < all->items[best].layer->nodes->count)
            best = k;
    }
    return best;
}

static size_t depth_of(const size_t *parents, size_t at)
{
    size_t depth = 1;

    for (; parents[at] != SIZE_MAX; at = parents[at]) /* each step is to a larger layer */
        depth++;
    return depth;
}

/*
 * Leaves that stand before every other layer are as deep as the first one; behind a layer that has
 * some below it slurmctld looks at no leaf any more. Source: licenses.c:_foreach_license_set_cnt.
 */
static void check_leaves(const struct plumb_check *ck, const struct layers *all,
                         const size_t *parents)
{
    const struct plumb_hres_layer *first = NULL;
    size_t first_depth = 0;

    for (size_t i = 0; i < all->count; i++) {
        bool leaf = true;
        size_t depth = depth_of(parents, i);

        for (size_t k = 0; k < all->count; k++)
            leaf = leaf && parents[k] != i;
        if (!leaf)
            return;
        if (first == NULL) {
            first = all->items[i].layer;
            first_depth = depth;
        } else if (depth != first_depth) {
            struct plumb_diag *d =
                plumb_report(ck, all->items[i].layer->at,
                             "resource '%s' has a leaf %zu layers deep and one %zu layers deep, "
                             "expected all alike",
                             all->items[i].resource->name.v, depth, first_depth);

            plumb_diag_note(d, first->at, "the other leaf");
            plumb_outcome(ck, d, NULL);
            return;
        }
    }
}

static void check_tree(const struct plumb_check *ck, const char *name)
{
    struct layers all = layers_of(ck, name);
    size_t *parents = PLUMB_NEW_ARRAY(ck->scratch, all.count + 1, size_t);
    size_t root = SIZE_MAX;

    for (size_t i = 0; i < all.count; i++) {
        parents[i] = parent_of(ck, &all, i);
        if (parents[i] != SIZE_MAX)
            continue;
        if (root == SIZE_MAX) {
            root = i;
            continue;
        }

        struct plumb_diag *d =
            plumb_report(ck, all.items[i].layer->at,
                         "no layer of resource '%s' holds these nodes and those of '%s', expected "
                         "one over all",
                         name, plumb_hostlist_str(ck->arena, all.items[root].layer->nodes));

        plumb_diag_note(d, all.items[root].layer->at, "the other root");
        plumb_outcome(ck, d, NULL);
        return;
    }
    check_leaves(ck, &all, parents);
}

/* HRES004: "isn't a rooted tree", "isn't a perfect tree" */
static void not_a_tree(const struct plumb_check *ck)
{
    const struct plumb_nested_model *n = ck->model->nested;

    for (size_t i = 0; n != NULL && i < n->resource_count; i++) {
        if (plumb_same_nocase(n->resources[i].mode.v, "MODE_3") && is_first_of_name(n, i))
            check_tree(ck, n->resources[i].name.v);
    }
}

/* HRES005: licenses.c:_foreach_license_set_mode3. The name is read beside variables alone. */
static void unknown_topology(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; m->nested != NULL && i < m->nested->resource_count; i++) {
        const struct plumb_hres *r = &m->nested->resources[i];
        struct plumb_slice name = {.text = r->topology.v, .len = (uint32_t)strlen(r->topology.v)};
        size_t index = 0;

        if (r->topology.origin == PLUMB_ABSENT || !r->has_variables ||
            !plumb_same_nocase(r->mode.v, "MODE_3") || plumb_topo_find(ck, &name, &index))
            continue;
        plumb_outcome(ck,
                      plumb_report(ck, r->topology.at, "there is no topology '%s', expected %s",
                                   r->topology.v,
                                   plumb_topo_from_yaml(ck) ? "one of topology.yaml" : "'default'"),
                      NULL);
    }
}

/* HRES006: "base greater than total" */
static void base_above_count(const struct plumb_check *ck)
{
    const struct plumb_nested_model *n = ck->model->nested;

    for (size_t i = 0; n != NULL && i < n->resource_count; i++) {
        for (size_t k = 0; k < n->resources[i].layer_count; k++) {
            const struct plumb_hres_layer *l = &n->resources[i].layers[k];

            if (!plumb_usable(l->base) || !plumb_usable(l->count) || l->base.v <= l->count.v)
                continue;

            struct plumb_diag *d = plumb_report(ck, l->base.at,
                                                "the base of a layer of resource '%s' is %" PRIu64
                                                ", expected at most its count, %" PRIu64,
                                                n->resources[i].name.v, l->base.v, l->count.v);

            plumb_diag_note(d, l->count.at, "the count");
            plumb_outcome(ck, d, NULL);
        }
    }
}

#define HRES(function)                                                                             \
    PLUMB_OUTCOME(ERROR, STOPS, SLURMCTLD), .needs = PLUMB_FACT_MODEL, .run = (function)

static const struct plumb_rule rows[] = {
    {
        .code = "HRES001",
        .name = "layer-unknown-node",
        HRES(unknown_node),
        .summary = "a layer of resources.yaml names a node that slurm.conf does not have",
        .why = "slurmctld ends; unlike a topology, the node is not just left out.",
        .ref = "resources.yaml(5); licenses.c:_foreach_license_set_hres",
        .bad = "NodeName=n[1-8]\n"
               "# resources.yaml\n"
               "- resource: power\n"
               "  mode: MODE_1\n"
               "  layers: [{nodes: \"n[1-9]\", count: 4}]   # n9 is no node",
        .good = "NodeName=n[1-8]\n"
                "# resources.yaml\n"
                "- resource: power\n"
                "  mode: MODE_1\n"
                "  layers: [{nodes: \"n[1-8]\", count: 4}]",
    },
    {
        .code = "HRES002",
        .name = "layer-twice",
        HRES(layer_twice),
        .summary = "two layers of a resource have the same nodes",
        .why = "Layers are told apart by their nodes, however these are written.",
        .ref = "licenses.c:_foreach_license_set_hres",
        .bad = "NodeName=n[1-8]\n"
               "# resources.yaml\n"
               "- resource: power\n"
               "  mode: MODE_1\n"
               "  layers: [{nodes: \"n[1-2]\", count: 4}, {nodes: \"n1,n2\", count: 4}]",
        .good = "NodeName=n[1-8]\n"
                "# resources.yaml\n"
                "- resource: power\n"
                "  mode: MODE_1\n"
                "  layers: [{nodes: \"n[1-2]\", count: 4}, {nodes: n3, count: 4}]",
    },
    {
        .code = "HRES003",
        .name = "resource-mode-mismatch",
        HRES(mode_mismatch),
        .summary = "a resource has the name of a license, or two modes",
        .why = "Licenses and layers are kept in one list, where a name has one mode.",
        .ref = "licenses.c:_foreach_license_set_hres",
        .bad = "Licenses=power:3\n"
               "NodeName=n[1-8]\n"
               "# resources.yaml\n"
               "- resource: power\n"
               "  mode: MODE_1\n"
               "  layers: [{nodes: n1, count: 4}]",
        .good = "Licenses=matlab:3\n"
                "NodeName=n[1-8]\n"
                "# resources.yaml\n"
                "- resource: power\n"
                "  mode: MODE_1\n"
                "  layers: [{nodes: n1, count: 4}]",
    },
    {
        .code = "HRES004",
        .name = "layers-no-tree",
        HRES(not_a_tree),
        .summary = "the layers of a MODE_3 resource make no tree with one root and even leaves",
        .why = "A job takes its share from the leaf up to the root, on each of the same layers.",
        .ref = "licenses.c:_foreach_license_set_mode3, _foreach_license_set_cnt",
        .bad = "NodeName=n[1-8]\n"
               "# resources.yaml\n"
               "- resource: power\n"
               "  mode: MODE_3\n"
               "  layers:\n"
               "    - {nodes: \"n[1-4]\", count: 5}\n"
               "    - {nodes: \"n[5-8]\", count: 3}",
        .good = "NodeName=n[1-8]\n"
                "# resources.yaml\n"
                "- resource: power\n"
                "  mode: MODE_3\n"
                "  layers:\n"
                "    - {nodes: \"n[1-4]\", count: 5}\n"
                "    - {nodes: \"n[5-8]\", count: 3}\n"
                "    - {nodes: \"n[1-8]\", count: 8}",
    },
    {
        .code = "HRES005",
        .name = "resource-unknown-topology",
        HRES(unknown_topology),
        .summary = "a resource names a topology that is not there",
        .why = "slurmctld looks for it where the resource has variables, and ends.",
        .ref = "resources.yaml(5), topology; licenses.c:_foreach_license_set_mode3",
        .bad = "NodeName=n[1-8]\n"
               "# resources.yaml\n"
               "- resource: power\n"
               "  mode: MODE_3\n"
               "  topology: halls\n"
               "  variables: [{name: node, value: 1}]\n"
               "  layers: [{nodes: \"n[1-8]\", count: 8}]",
        .good = "NodeName=n[1-8]\n"
                "# resources.yaml\n"
                "- resource: power\n"
                "  mode: MODE_3\n"
                "  topology: default\n"
                "  variables: [{name: node, value: 1}]\n"
                "  layers: [{nodes: \"n[1-8]\", count: 8}]",
    },
    {
        .code = "HRES006",
        .name = "base-above-count",
        HRES(base_above_count),
        .summary = "the base of a layer is more than its count",
        .why = "More would be in use than there is.",
        .ref = "resources.yaml(5), base; licenses.c:_foreach_license_set_base",
        .bad = "NodeName=n[1-8]\n"
               "# resources.yaml\n"
               "- resource: power\n"
               "  mode: MODE_3\n"
               "  layers: [{nodes: \"n[1-8]\", count: 8, base: [{name: idle, value: 30}]}]",
        .good = "NodeName=n[1-8]\n"
                "# resources.yaml\n"
                "- resource: power\n"
                "  mode: MODE_3\n"
                "  layers: [{nodes: \"n[1-8]\", count: 80, base: [{name: idle, value: 30}]}]",
    },
};

const struct plumb_rule_family plumb_hres_rules = {
    .prefix = "HRES",
    .title = "Hierarchical resources",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
