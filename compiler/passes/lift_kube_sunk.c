/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the dialect of SUNK has for itself: NodeSets that say what the line of their nodes is,
 * bindings of reservations, lines of slurm.conf in objects of their own.
 */
#include <string.h>

#include "base/text.h"
#include "kube/value.h"
#include "passes/lift_kube.h"

static const struct plumb_node *at(const struct plumb_kube_object *o, const char *path)
{
    return plumb_node_path(o->root, path);
}

static uint32_t length(const struct plumb_node *list)
{
    return list == NULL || list->kind != PLUMB_SEQUENCE ? 0 : list->count;
}

static struct plumb_span first_value(const struct plumb_node *n)
{
    return n->kind == PLUMB_MAPPING && n->count > 0 ? n->pairs[0].value->at : n->at;
}

/* ---- sets ---- */

/* A quantity divided by unit, in thousandths; bad: it is none, or does not come out even. */
static struct plumb_u64 quantity(const struct plumb_node *n, uint64_t unit, bool whole)
{
    struct plumb_u64 v = {0};
    uint64_t milli = 0;
    size_t bad = 0;

    if (n == NULL)
        return v;
    v.at = n->at;
    v.origin = PLUMB_BAD;
    if (n->kind != PLUMB_SCALAR ||
        !plumb_kube_quantity(n->scalar.text, n->scalar.len, &milli, &bad))
        return v;
    v.v = milli / unit;
    v.origin = whole && milli % unit != 0 ? PLUMB_BAD : PLUMB_GIVEN;
    return v;
}

/* The name without "-nodes": the guides' gpu-h100-nodes has the nodes gpu-h100-[01-08]. */
static const char *base_of(struct plumb_kube_lifter *l, const char *name)
{
    size_t len = strlen(name);

    if (plumb_ends_with(name, "-nodes") && len > strlen("-nodes"))
        len -= strlen("-nodes");
    return plumb_intern_text(l->session->intern, name, len);
}

static void lift_gres(struct plumb_kube_lifter *l, struct plumb_kube_tells *tells,
                      const struct plumb_node *list)
{
    tells->gres = PLUMB_NEW_ARRAY(l->a, length(list), struct plumb_kube_gres);
    for (uint32_t i = 0; i < length(list); i++) {
        const struct plumb_node *n = list->items[i];

        tells->gres[tells->gres_count++] = (struct plumb_kube_gres){
            .type = plumb_kube_text(l, plumb_node_get(n, "type")),
            .model = plumb_kube_text(l, plumb_node_get(n, "model")),
            .count = plumb_kube_number(plumb_node_get(n, "count")),
            .at = first_value(n),
        };
    }
}

const struct plumb_kube_tells *plumb_kube_lift_tells(struct plumb_kube_lifter *l,
                                                     const struct plumb_kube_object *o)
{
    enum { MILLI = 1000, MIB = 1048576 };
    struct plumb_kube_tells *tells = PLUMB_NEW(l->a, struct plumb_kube_tells);
    const struct plumb_node *features = at(o, "spec/features");

    tells->base = base_of(l, o->name);
    tells->cpus = quantity(at(o, "spec/resources/cpu"), MILLI, true);
    tells->memory_mib = quantity(at(o, "spec/resources/memory"), (uint64_t)MILLI * MIB, false);
    tells->weight = plumb_kube_number(at(o, "spec/weight"));
    lift_gres(l, tells, at(o, "spec/resources/gres"));
    tells->features = PLUMB_NEW_ARRAY(l->a, length(features), struct plumb_text);
    for (uint32_t i = 0; i < length(features); i++)
        tells->features[tells->feature_count++] = plumb_kube_text(l, features->items[i]);
    return tells;
}

/* ---- bindings ---- */

static struct plumb_kube_expression expression(struct plumb_kube_lifter *l,
                                               const struct plumb_node *n)
{
    struct plumb_text key = plumb_kube_text(l, plumb_node_get(n, "key"));
    struct plumb_text op = plumb_kube_text(l, plumb_node_get(n, "operator"));
    const struct plumb_node *values = plumb_node_get(n, "values");
    struct plumb_kube_expression e = {.key = key.v == NULL ? "" : key.v,
                                      .op = op.v == NULL ? "" : op.v};

    e.values = PLUMB_NEW_ARRAY(l->a, length(values), const char *);
    for (uint32_t i = 0; i < length(values); i++) {
        struct plumb_text v = plumb_kube_text(l, values->items[i]);

        if (v.v != NULL)
            e.values[e.value_count++] = v.v;
    }
    return e;
}

static void lift_terms(struct plumb_kube_lifter *l, struct plumb_kube_reservation *r,
                       const struct plumb_node *list)
{
    r->terms = PLUMB_NEW_ARRAY(l->a, length(list), struct plumb_kube_term);
    for (uint32_t i = 0; i < length(list); i++) {
        const struct plumb_node *all = plumb_node_get(list->items[i], "matchExpressions");
        struct plumb_kube_term *term = &r->terms[r->term_count++];

        term->at = first_value(list->items[i]);
        term->items = PLUMB_NEW_ARRAY(l->a, length(all), struct plumb_kube_expression);
        for (uint32_t k = 0; k < length(all); k++)
            term->items[term->count++] = expression(l, all->items[k]);
        if (term->count > 0)
            term->at = first_value(all->items[0]);
    }
}

void plumb_kube_lift_binding(struct plumb_kube_lifter *l, const struct plumb_kube_object *o,
                             const struct plumb_kube_thing *t)
{
    struct plumb_kube_reservation *r = &l->to->reservations[l->to->reservation_count++];
    const struct plumb_node *taint = at(o, "spec/taint");

    *r = (struct plumb_kube_reservation){
        .thing = t,
        .cluster = plumb_kube_text(l, at(o, "spec/clusterRef/name")),
        .name = plumb_kube_text(l, at(o, "spec/reservation/name")),
        .duration = plumb_kube_text(l, at(o, "spec/reservation/duration")),
        .partitions = plumb_kube_text(l, at(o, "spec/reservation/partitions")),
        .accounts = plumb_kube_text(l, at(o, "spec/reservation/accounts")),
        .users = plumb_kube_text(l, at(o, "spec/reservation/users")),
        .taint = taint == NULL ? (struct plumb_span){0} : first_value(taint),
    };
    lift_terms(l, r, at(o, "spec/nodeSelectorTerms"));
}

void plumb_kube_lift_account(struct plumb_kube_lifter *l, const struct plumb_kube_object *o)
{
    struct plumb_text name = plumb_kube_text(l, at(o, "spec/account"));

    if (name.v != NULL)
        l->to->accounts[l->to->account_count++] = name;
}

/* ---- lines of slurm.conf ---- */

static bool is_of(const struct plumb_kube_object *o, const struct plumb_kube_thing *cluster)
{
    const char *name = plumb_node_text(at(o, "spec/clusterRef/name"));

    return name != NULL && strcmp(name, cluster->name.v) == 0 &&
           (o->space[0] == '\0' || cluster->space[0] == '\0' ||
            strcmp(o->space, cluster->space) == 0);
}

void plumb_kube_lift_fragments(struct plumb_kube_lifter *l, struct plumb_kube_cluster *c)
{
    const struct plumb_kube_objects *all = l->run->kube;

    for (size_t i = 0; i < all->count; i++) {
        struct plumb_kube_words words;

        if (l->to->things[i].flavour != PLUMB_OF_SUNK || c->thing->name.v == NULL ||
            strcmp(all->items[i].kind, "SlurmConfig") != 0 || !is_of(&all->items[i], c->thing))
            continue;
        words = plumb_kube_split(
            l, plumb_node_get(at(&all->items[i], "spec/fragments"), "slurm.conf"), true);
        if (!plumb_span_known(c->conf.at))
            c->conf.at = words.at;
        for (size_t k = 0; k < words.count; k++) {
            c->conf.items = plumb_arena_grow(l->a, c->conf.items, c->conf.count, &c->conf.cap,
                                             sizeof(*c->conf.items));
            c->conf.items[c->conf.count++] = words.items[k];
        }
    }
}
