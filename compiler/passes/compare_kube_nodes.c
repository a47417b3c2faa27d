/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes as kubectl prints them: what they can give, against what pods of the source ask for, and
 * against the node lines of nodes with the same names.
 */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "kube/value.h"
#include "passes/compare_kube.h"

void plumb_compare_add_node(struct plumb_compare_nodes *n, const struct plumb_node *root,
                            const char *name)
{
    n->items = plumb_arena_grow(n->a, n->items, n->count, &n->cap, sizeof(*n->items));
    n->items[n->count++] = (struct plumb_compare_node){root, name};
}

/* Nodes that lack the same: names a line. */
struct lack {
    struct plumb_buf names;
    size_t count;
    struct plumb_span at; /* of what the first one has */
    const char *got;
};

struct lacks {
    struct plumb_compare_nodes *nodes;
    struct plumb_map map; /* by what is there */
};

/* The text of an amount; "" where the node has none of it. */
static const struct plumb_node *amount(const struct plumb_node *node, const char *resource)
{
    return plumb_node_get(plumb_node_path(node, "status/allocatable"), resource);
}

static bool quantity(const struct plumb_node *n, uint64_t *milli)
{
    size_t bad = 0;

    *milli = 0;
    return n != NULL && n->kind == PLUMB_SCALAR &&
           plumb_kube_quantity(n->scalar.text, n->scalar.len, milli, &bad);
}

static void add_lack(struct lacks *l, const struct plumb_compare_node *node,
                     const struct plumb_node *has)
{
    const char *got = has == NULL ? "none" : plumb_node_text(has);
    struct plumb_map_entry *e = plumb_map_entry(&l->map, got, strlen(got));
    const struct plumb_node *name = plumb_node_path(node->root, "metadata/name");
    struct lack *lack = e->value;

    if (lack == NULL) {
        lack = PLUMB_NEW(l->nodes->a, struct lack);
        *lack = (struct lack){
            .names = plumb_buf_in(l->nodes->a), .at = has == NULL ? name->at : has->at, .got = got};
        e->value = lack;
    }
    plumb_buf_printf(&lack->names, "%s\n", node->name);
    lack->count++;
}

static const char *folded(const struct plumb_compare_nodes *n, const struct lack *lack)
{
    const struct plumb_hostlist *h =
        plumb_hostlist_of_names(n->a, plumb_buf_text(&lack->names), lack->names.len);

    return h == NULL ? "?" : plumb_hostlist_str(n->a, h);
}

static void tell(const struct lacks *l, const char *resource, const char *want, const char *who,
                 struct plumb_span source)
{
    for (size_t i = 0; i < l->map.count; i++) {
        const struct lack *lack = l->map.entries[i].value;
        const char *hosts = folded(l->nodes, lack);
        const char *key = plumb_arena_printf(l->nodes->a, "%s\n%s\n%s", hosts, resource, lack->got);
        struct plumb_diag *d = NULL;

        if (plumb_map_get(&l->nodes->told, key) != NULL)
            continue;
        plumb_map_set(&l->nodes->told, key, lack->names.text);
        d = plumb_diag_new(&l->nodes->run->session->sink,
                           &plumb_drift_kube_rows[PLUMB_DRIFT_KUBE_ALLOCATABLE], lack->at,
                           "%s can give %s of '%s', expected at least %s for %s", hosts, lack->got,
                           resource, want, who);

        if (plumb_span_known(source))
            plumb_diag_note(d, source, "the source promises it here");
        plumb_diag_object(d, "node", hosts, lack->count > 1 ? lack->count : 0);
        plumb_diag_fact(d,
                        "a device that failed or is kept for others is not allocatable; 'kubectl "
                        "describe node' tells capacity, allocatable and conditions");
    }
}

/* ---- sets of nodes ---- */

static const struct plumb_node *first_of(const struct plumb_node *root, const char *const *paths,
                                         size_t count)
{
    const struct plumb_node *n = NULL;

    for (size_t i = 0; i < count && (n == NULL || n->kind != PLUMB_MAPPING); i++)
        n = plumb_node_path(root, paths[i]);
    return n != NULL && n->kind == PLUMB_MAPPING ? n : NULL;
}

/* Of Slinky, of SUNK, of Soperator. */
static const struct plumb_node *selector_of(const struct plumb_node *set)
{
    static const char *const paths[] = {"spec/template/spec/nodeSelector",
                                        "spec/nodeSelector/matchLabels", "spec/nodeSelector"};

    return first_of(set, paths, PLUMB_COUNT(paths));
}

static const struct plumb_node *asks_of(const struct plumb_node *set)
{
    static const char *const paths[] = {"spec/slurmd/resources/limits",
                                        "spec/slurmd/resources/requests", "spec/resources/limits",
                                        "spec/resources/requests", "spec/slurmd/resources"};

    return first_of(set, paths, PLUMB_COUNT(paths));
}

static bool selects(const struct plumb_node *selector, const struct plumb_node *node)
{
    const struct plumb_node *labels = plumb_node_path(node, "metadata/labels");

    for (uint32_t i = 0; i < selector->count; i++) {
        const char *key = plumb_node_text(selector->pairs[i].key);
        const char *want = plumb_node_text(selector->pairs[i].value);
        const char *got = key == NULL ? NULL : plumb_node_text(plumb_node_get(labels, key));

        if (want == NULL || got == NULL || strcmp(want, got) != 0)
            return false;
    }
    return true;
}

static void check_ask(struct plumb_compare_nodes *n, const struct plumb_node *selector,
                      const struct plumb_pair *ask, const char *who)
{
    struct lacks l = {.nodes = n, .map = plumb_map_in(n->a)};
    const char *resource = plumb_node_text(ask->key);
    uint64_t want = 0, got = 0;

    if (resource == NULL || !quantity(ask->value, &want))
        return;
    for (size_t i = 0; i < n->count; i++) {
        const struct plumb_node *has = amount(n->items[i].root, resource);

        if (selects(selector, n->items[i].root) && (!quantity(has, &got) || got < want))
            add_lack(&l, &n->items[i], has);
    }
    tell(&l, resource, plumb_node_text(ask->value), who, ask->value->at);
}

void plumb_compare_nodeset(struct plumb_compare_nodes *n, const struct plumb_node *set,
                           const char *name, struct plumb_span at)
{
    const struct plumb_node *selector = selector_of(set), *asks = asks_of(set);
    const char *who = plumb_arena_printf(n->a, "a pod of NodeSet '%s'", name);
    size_t found = 0;

    if (selector == NULL || selector->count == 0 || n->count == 0)
        return;
    for (size_t i = 0; i < n->count; i++)
        found += selects(selector, n->items[i].root);
    if (found == 0) {
        struct plumb_diag *d = plumb_diag_new(
            &n->run->session->sink, &plumb_drift_kube_rows[PLUMB_DRIFT_KUBE_NO_NODE],
            plumb_span_known(selector->pairs[0].value->at) ? selector->pairs[0].value->at : at,
            "no node of the cluster has the labels of NodeSet '%s', expected %s=%s", name,
            plumb_node_text(selector->pairs[0].key), plumb_node_text(selector->pairs[0].value));

        plumb_diag_object(d, "manifest", name, 0);
    }
    for (uint32_t i = 0; asks != NULL && i < asks->count; i++)
        check_ask(n, selector, &asks->pairs[i], who);
}

/* ---- node lines ---- */

/* What a node line promises of a resource, in thousandths; 0: nothing. */
struct promise {
    const char *resource, *text, *who;
    uint64_t milli;
    struct plumb_span at;
};

static bool advertises(const struct plumb_node *node, const char *resource)
{
    return plumb_node_get(plumb_node_path(node, "status/capacity"), resource) != NULL ||
           amount(node, resource) != NULL;
}

static void check_line(struct plumb_compare_nodes *n, const struct plumb_nodes *line,
                       const struct promise *p)
{
    struct lacks l = {.nodes = n, .map = plumb_map_in(n->a)};
    uint64_t got = 0;

    for (size_t i = 0; p->milli > 0 && i < n->count; i++) {
        const struct plumb_node *has = amount(n->items[i].root, p->resource);

        if (advertises(n->items[i].root, p->resource) &&
            plumb_hostlist_has(line->hosts, n->items[i].name) &&
            (!quantity(has, &got) || got < p->milli))
            add_lack(&l, &n->items[i], has);
    }
    tell(&l, p->resource, p->text, p->who, p->at);
}

/* GPUs alone: memory and CPUs that the kubelet keeps for itself do not bind slurmd of the machine.
 */
void plumb_compare_lines(struct plumb_compare_nodes *n)
{
    static const char *const resources[] = {"nvidia.com/gpu", "amd.com/gpu"};
    const struct plumb_model *m = n->run->model;

    for (size_t i = 0; m != NULL && n->count > 0 && i < m->node_count; i++) {
        const struct plumb_nodes *line = &m->nodes[i];
        uint64_t gpus = plumb_gres_bad(line, "gpu") ? 0 : plumb_gres_total(line, "gpu");

        for (size_t k = 0; line->hosts != NULL && k < PLUMB_COUNT(resources); k++)
            check_line(n, line,
                       &(struct promise){
                           .resource = resources[k],
                           .text = plumb_arena_printf(n->a, "%" PRIu64, gpus),
                           .who = "Gres of its node line",
                           .milli = gpus > UINT64_MAX / 1000 ? 0 : gpus * 1000,
                           .at = line->gres_at,
                       });
    }
}
