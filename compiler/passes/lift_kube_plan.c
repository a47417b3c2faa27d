/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the plan that objects of all flavours say alike; passes/lift_kube_plan.h. */
#include "passes/lift_kube_plan.h"

#include <string.h>

#include "kube/value.h"

struct plumb_text plumb_said_text(struct plumb_said *pl, const struct plumb_kube_object *o,
                                  const char *path)
{
    return plumb_kube_text(pl->l, plumb_node_path(o->root, path));
}

struct plumb_bool plumb_said_bool(const struct plumb_kube_object *o, const char *path)
{
    const struct plumb_node *n = plumb_assemble_at(o, path);

    if (n == NULL || plumb_kube_json_of(n) != PLUMB_KUBE_IS_BOOLEAN)
        return (struct plumb_bool){0};
    return (struct plumb_bool){.v = plumb_kube_true(n), .at = n->at, .origin = PLUMB_GIVEN};
}

struct plumb_u64 plumb_said_count(const struct plumb_kube_object *o, const char *path)
{
    const struct plumb_node *n = plumb_assemble_at(o, path);

    if (n == NULL)
        return (struct plumb_u64){0};
    return (struct plumb_u64){
        .v = plumb_assemble_count(o, path, 0), .at = n->at, .origin = PLUMB_GIVEN};
}

struct plumb_u64 plumb_said_bytes(const struct plumb_kube_object *o, const char *path)
{
    const struct plumb_node *n = plumb_assemble_at(o, path);
    uint64_t bytes = plumb_assemble_bytes(n);

    return bytes == 0 ? (struct plumb_u64){0}
                      : (struct plumb_u64){.v = bytes, .at = n->at, .origin = PLUMB_GIVEN};
}

struct plumb_plan_names plumb_said_names(struct plumb_said *pl, const struct plumb_kube_object *o,
                                         const char *path)
{
    const struct plumb_node *list = plumb_assemble_at(o, path);
    struct plumb_plan_names all = {0};

    if (list == NULL || list->kind != PLUMB_SEQUENCE)
        return all;
    all.items = PLUMB_NEW_ARRAY(pl->l->a, list->count, struct plumb_text);
    for (uint32_t i = 0; i < list->count; i++)
        all.items[all.count++] = plumb_kube_text(pl->l, list->items[i]);
    return all;
}

bool plumb_said_same(const struct plumb_text *a, const struct plumb_text *b)
{
    return a->v == b->v || (a->v != NULL && b->v != NULL && strcmp(a->v, b->v) == 0);
}

struct plumb_kube_secret plumb_said_secret(struct plumb_said *pl, const struct plumb_kube_object *o,
                                           const char *path)
{
    const struct plumb_node *n = plumb_node_path(o->root, path);

    return (struct plumb_kube_secret){
        .name = plumb_kube_text(pl->l, plumb_node_get(n, "name")),
        .key = plumb_kube_text(pl->l, plumb_node_get(n, "key")),
    };
}

struct plumb_kube_tolerances plumb_said_tolerations(struct plumb_said *pl,
                                                    const struct plumb_node *list)
{
    struct plumb_kube_tolerances all = {0};

    if (list == NULL || list->kind != PLUMB_SEQUENCE)
        return all;
    all.items = PLUMB_NEW_ARRAY(pl->l->a, list->count, struct plumb_kube_tolerance);
    for (uint32_t i = 0; i < list->count; i++)
        all.items[all.count++] = (struct plumb_kube_tolerance){
            .key = plumb_kube_text(pl->l, plumb_node_get(list->items[i], "key")),
            .op = plumb_kube_text(pl->l, plumb_node_get(list->items[i], "operator")),
            .value = plumb_kube_text(pl->l, plumb_node_get(list->items[i], "value")),
            .effect = plumb_kube_text(pl->l, plumb_node_get(list->items[i], "effect")),
            .at = list->items[i]->at,
        };
    return all;
}

static bool same_tolerance(const struct plumb_kube_tolerance *a,
                           const struct plumb_kube_tolerance *b)
{
    return plumb_said_same(&a->key, &b->key) && plumb_said_same(&a->op, &b->op) &&
           plumb_said_same(&a->value, &b->value) && plumb_said_same(&a->effect, &b->effect);
}

/* Those of all pods come first; what is left is of the class. */
static void drop_common(struct plumb_kube_tolerances *own,
                        const struct plumb_kube_tolerances *common)
{
    size_t first = 0;

    while (first < own->count && first < common->count &&
           same_tolerance(&own->items[first], &common->items[first]))
        first++;
    if (first > 0)
        own->items += first; /* of none there is nothing to go on from */
    own->count -= first;
}

void plumb_said_class(struct plumb_said *pl, struct plumb_kube_class *class,
                      const struct plumb_node *labels, const struct plumb_node *tolerations)
{
    class->tolerations = plumb_said_tolerations(pl, tolerations);
    drop_common(&class->tolerations, &pl->p->tolerations);
    if (labels == NULL || labels->kind != PLUMB_MAPPING)
        return;
    class->selector = PLUMB_NEW_ARRAY(pl->l->a, labels->count, struct plumb_kube_pick);
    for (uint32_t i = 0; i < labels->count; i++)
        class->selector[class->selector_count++] =
            (struct plumb_kube_pick){plumb_kube_text(pl->l, labels->pairs[i].key),
                                     plumb_kube_text(pl->l, labels->pairs[i].value)};
}

/* The set of a node line that was made of it: its name stands where that of the object does. */
static const struct plumb_kube_object *set_of(const struct plumb_said *pl,
                                              const struct plumb_nodes *n)
{
    const struct plumb_kube_objects *all = pl->l->run->kube;

    for (size_t i = 0; n->hosts != NULL && i < all->count; i++) {
        const struct plumb_kube_object *o = &all->items[i];

        if (strcmp(o->kind, "NodeSet") == 0 && o->name_at.file == n->at.file &&
            o->name_at.begin == n->at.begin)
            return o;
    }
    return NULL;
}

void plumb_said_classes(struct plumb_said *pl,
                        void (*lift)(struct plumb_said *, const struct plumb_kube_object *,
                                     struct plumb_kube_class *))
{
    struct plumb_model *m = pl->l->run->model;

    pl->p->classes = PLUMB_NEW_ARRAY(pl->l->a, m->node_count, struct plumb_kube_class);
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_kube_object *o = set_of(pl, &m->nodes[i]);

        if (o != NULL)
            lift(pl, o, &pl->p->classes[i]);
    }
}

struct plumb_said_claim plumb_said_claim(struct plumb_said *pl, const struct plumb_node *spec)
{
    const struct plumb_node *modes = plumb_node_get(spec, "accessModes");
    const struct plumb_node *size = plumb_node_path(spec, "resources/requests/storage");
    struct plumb_said_claim c = {
        .class = plumb_kube_text(pl->l, plumb_node_get(spec, "storageClassName"))};

    if (modes != NULL && modes->kind == PLUMB_SEQUENCE && modes->count > 0)
        c.access = plumb_kube_text(pl->l, modes->items[0]);
    if (size != NULL && plumb_assemble_bytes(size) > 0)
        c.bytes = (struct plumb_u64){
            .v = plumb_assemble_bytes(size), .at = size->at, .origin = PLUMB_GIVEN};
    return c;
}

struct plumb_text plumb_said_image(struct plumb_said *pl, const struct plumb_node *image)
{
    struct plumb_text text = plumb_kube_text(pl->l, plumb_node_get(image, "repository"));
    struct plumb_text tag = plumb_kube_text(pl->l, plumb_node_get(image, "tag"));

    if (text.v != NULL && tag.v != NULL)
        text.v = plumb_arena_printf(pl->l->a, "%s:%s", text.v, tag.v);
    return text;
}

size_t plumb_said_term(struct plumb_said *pl, const struct plumb_node *terms,
                       struct plumb_kube_pick **out)
{
    const struct plumb_node *all = NULL;
    size_t count = 0;

    if (terms == NULL || terms->kind != PLUMB_SEQUENCE || terms->count != 1)
        return 0;
    all = plumb_node_get(terms->items[0], "matchExpressions");
    if (all == NULL || all->kind != PLUMB_SEQUENCE)
        return 0;
    *out = PLUMB_NEW_ARRAY(pl->l->a, all->count, struct plumb_kube_pick);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct plumb_node *values = plumb_node_get(all->items[i], "values");
        const char *op = plumb_node_text(plumb_node_get(all->items[i], "operator"));

        if (op != NULL && strcmp(op, "In") == 0 && values != NULL &&
            values->kind == PLUMB_SEQUENCE && values->count == 1)
            (*out)[count++] = (struct plumb_kube_pick){
                plumb_kube_text(pl->l, plumb_node_get(all->items[i], "key")),
                plumb_kube_text(pl->l, values->items[0])};
    }
    return count;
}

static const struct {
    enum plumb_kube_owner owner;
    enum plumb_kube_flavour is;
    void (*lift)(struct plumb_said *pl, const struct plumb_kube_object *cluster);
} flavours[] = {
    {PLUMB_KUBE_SLINKY, PLUMB_OF_SLINKY, plumb_said_slinky},
    {PLUMB_KUBE_SOPERATOR, PLUMB_OF_SOPERATOR, plumb_said_soperator},
    {PLUMB_KUBE_SUNK, PLUMB_OF_SUNK, plumb_said_sunk},
    {PLUMB_KUBE_SUNK_CHART, PLUMB_OF_SUNK_CHART, plumb_said_sunk_values},
};

void plumb_kube_lift_plan(struct plumb_kube_lifter *l)
{
    const struct plumb_kube_object *cluster = l->run->assembled[0];
    struct plumb_said pl = {.l = l};

    for (size_t i = 0; cluster != NULL && l->run->model != NULL && i < PLUMB_COUNT(flavours); i++) {
        if (flavours[i].owner != plumb_kube_owner_of(cluster))
            continue;
        pl.p = PLUMB_NEW(l->a, struct plumb_kube_plan);
        pl.p->flavour = flavours[i].is;
        pl.p->at = cluster->name_at;
        pl.p->writes = plumb_kube_writes_of(l->run->kube_releases->of[flavours[i].owner]);
        flavours[i].lift(&pl, cluster);
        l->run->model->kube_said = pl.p;
    }
}
