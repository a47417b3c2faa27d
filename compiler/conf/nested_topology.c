/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of topology.yaml: each topology has one kind (parsers.c: TOPOLOGY_TREE, TOPOLOGY_FLAT,
 * ...), which is not empty, and a name of its own.
 */
#include "base/map.h"
#include "conf/check.h"
#include "conf/nested.h"
#include "schema/trait.h"

/* The kinds, and the list that each of them must have. */
static const struct kind {
    enum plumb_param_id param;
    const char *list;
} kinds[] = {
    {PLUMB_P_TOPOLOGY_TREE, "switches"},   {PLUMB_P_TOPOLOGY_BLOCK, "blocks"},
    {PLUMB_P_TOPOLOGY_FLAT, NULL},         {PLUMB_P_TOPOLOGY_RING, "rings"},
    {PLUMB_P_TOPOLOGY_TORUS3D, "toruses"},
};

/* A mapping with keys, or flat: true; flat may be an empty mapping where it may be one. */
static bool is_chosen(const struct plumb_conf_check *ck, const struct kind *kind,
                      const struct plumb_node *n)
{
    const struct plumb_param *p = plumb_param(kind->param);
    bool value = false;

    if (n->kind == PLUMB_MAPPING)
        return n->count > 0 || plumb_param_at(p, ck->release)->type == PLUMB_T_BOOL_OR_MAPPING;
    if (n->kind == PLUMB_SCALAR && kind->list == NULL)
        (void)plumb_nested_bool(n, &value);
    return value;
}

static void check_list(const struct plumb_conf_check *ck, const struct kind *kind,
                       const struct plumb_pair *pair)
{
    const struct plumb_node *list =
        kind->list == NULL ? NULL : plumb_node_get(pair->value, kind->list);

    if (kind->list == NULL || (list != NULL && list->count > 0) ||
        (list != NULL && list->kind != PLUMB_SEQUENCE))
        return;
    (void)plumb_nested_report(ck, PLUMB_NESTED_EMPTY, pair->key->at,
                              plumb_arena_printf(ck->sink->arena, "'%s' has no %s, expected some",
                                                 pair->key->scalar.text, kind->list));
}

/* False when a value of a wrong kind was reported, so that nothing is known. */
static bool find_kinds(const struct plumb_conf_check *ck, const struct plumb_node *n,
                       const struct plumb_pair **first)
{
    for (size_t i = 0; i < PLUMB_COUNT(kinds); i++) {
        const struct plumb_param *p = plumb_param(kinds[i].param);
        const struct plumb_pair *pair = plumb_node_pair(n, p->name);

        if (pair == NULL || plumb_param_at(p, ck->release)->life == PLUMB_LIFE_NONE)
            continue;
        if (pair->value->kind == PLUMB_SEQUENCE ||
            (pair->value->kind == PLUMB_SCALAR && kinds[i].list != NULL))
            return false;
        if (!is_chosen(ck, &kinds[i], pair->value))
            continue;
        check_list(ck, &kinds[i], pair);
        if (*first == NULL) {
            *first = pair;
            continue;
        }

        struct plumb_diag *d = plumb_nested_report(
            ck, PLUMB_NESTED_KIND, pair->key->at,
            plumb_arena_printf(ck->sink->arena, "'%s' stands beside '%s', expected one kind",
                               p->name, (*first)->key->scalar.text));

        plumb_diag_note(d, (*first)->key->at, "the other kind");
    }
    return true;
}

static void check_kind(const struct plumb_conf_check *ck, const struct plumb_node *n)
{
    const struct plumb_pair *first = NULL;
    struct plumb_buf names = plumb_buf_in(ck->sink->arena);

    if (!find_kinds(ck, n, &first) || first != NULL)
        return;
    for (size_t i = 0; i < PLUMB_COUNT(kinds); i++) {
        const struct plumb_param *p = plumb_param(kinds[i].param);

        if (plumb_param_at(p, ck->release)->life != PLUMB_LIFE_NONE)
            plumb_buf_printf(&names, "%s'%s'", names.len > 0 ? ", " : "", p->name);
    }
    (void)plumb_nested_report(
        ck, PLUMB_NESTED_KIND,
        n->count > 0 ? n->pairs[0].key->at
                     : (struct plumb_span){n->at.file, n->at.begin, n->at.begin + 1},
        plumb_arena_printf(ck->sink->arena, "the topology has no kind, expected one of %s",
                           plumb_buf_text(&names)));
}

static void check_default(const struct plumb_conf_check *ck, const struct plumb_node *n,
                          const struct plumb_node **first)
{
    const struct plumb_node *value = plumb_node_get(n, "cluster_default");
    bool chosen = false;

    if (value == NULL || value->kind != PLUMB_SCALAR || !plumb_nested_bool(value, &chosen) ||
        !chosen)
        return;
    if (*first == NULL) {
        *first = value;
        return;
    }

    struct plumb_diag *d = plumb_nested_report(ck, PLUMB_NESTED_TWICE, value->at,
                                               "a second topology is the default, expected one");

    plumb_diag_note(d, (*first)->at, "the first one");
}

/* known: names to the scalar that has it first. */
static void check_name(const struct plumb_conf_check *ck, struct plumb_map *known,
                       const struct plumb_node *topology)
{
    const struct plumb_node *name = plumb_node_get(topology, "topology");
    struct plumb_map_entry *e = NULL;
    const struct plumb_node *first = NULL;

    if (plumb_node_text(name) == NULL)
        return;
    e = plumb_map_entry(known, name->scalar.text, name->scalar.len);
    first = e->value;
    if (first == NULL)
        e->value = (void *)(uintptr_t)name;
    if (first == NULL || name->from_alias)
        return;

    struct plumb_diag *d = plumb_nested_report(
        ck, PLUMB_NESTED_TWICE, name->at,
        plumb_arena_printf(ck->sink->arena,
                           "topology '%s' is there twice, expected names apart: the "
                           "first one is found by its name",
                           plumb_shown(ck, &name->scalar)));

    plumb_diag_note(d, first->at, "the first one");
}

void plumb_nested_topologies(const struct plumb_conf_check *ck, const struct plumb_nested *tree)
{
    const struct plumb_node *n = tree->root, *first = NULL;
    struct plumb_map names = plumb_map_in(ck->sink->arena);

    if (n == NULL || tree->twice ||
        tree->yaml->partial) /* what is missing may stand behind the fault */
        return;
    if (n->kind == PLUMB_MAPPING)
        check_kind(ck, n);
    if (n->kind == PLUMB_SEQUENCE && n->count == 0)
        (void)plumb_nested_report(ck, PLUMB_NESTED_EMPTY,
                                  (struct plumb_span){n->at.file, n->at.begin, n->at.begin + 1},
                                  "the list holds no topology, expected one");
    for (uint32_t i = 0; n->kind == PLUMB_SEQUENCE && i < n->count; i++) {
        if (n->items[i]->kind != PLUMB_MAPPING || n->items[i]->from_alias)
            continue;
        check_kind(ck, n->items[i]);
        check_name(ck, &names, n->items[i]);
        check_default(ck, n->items[i], &first);
    }
}
