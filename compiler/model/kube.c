/* SPDX-License-Identifier: Apache-2.0 */
/* Looking things up in a bundle of manifests. */
#include "model/kube.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* An object without a namespace goes where the others go. */
static bool same_space(const char *a, const char *b)
{
    return a[0] == '\0' || b[0] == '\0' || strcmp(a, b) == 0;
}

static int compare_to(const struct plumb_kube_thing *t, const char *kind, const char *name)
{
    int order = strcmp(t->makes, kind);

    return order != 0 ? order : strcmp(t->name.v, name);
}

/* Those of one kind and name in their own order. */
static int compare_things(const void *a, const void *b)
{
    const struct plumb_kube_thing *x = *(const struct plumb_kube_thing *const *)a;
    const struct plumb_kube_thing *y = *(const struct plumb_kube_thing *const *)b;
    int order = compare_to(x, y->makes, y->name.v);

    return order != 0 ? order : x < y ? -1 : x > y;
}

void plumb_kube_sort(struct plumb_kube_model *m, struct plumb_arena *a)
{
    m->named = PLUMB_NEW_ARRAY(a, m->thing_count, const struct plumb_kube_thing *);
    m->named_count = 0;
    for (size_t i = 0; i < m->thing_count; i++) {
        if (m->things[i].name.v != NULL)
            m->named[m->named_count++] = &m->things[i];
    }
    if (m->named_count > 0)
        qsort(m->named, m->named_count, sizeof(*m->named), compare_things);
}

const struct plumb_kube_thing *plumb_kube_find(const struct plumb_kube_model *m, const char *kind,
                                               const char *space, const char *name)
{
    size_t low = 0, high = m->named_count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (compare_to(m->named[mid], kind, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < m->named_count && compare_to(m->named[low], kind, name) == 0; low++) {
        if (same_space(m->named[low]->space, space))
            return m->named[low];
    }
    return NULL;
}

bool plumb_kube_has(const struct plumb_kube_model *m, const char *kind, const char *space)
{
    for (size_t i = 0; i < m->thing_count; i++) {
        const char *own = m->things[i].space;

        if (strcmp(m->things[i].makes, kind) == 0 &&
            (own[0] == '\0' || space[0] == '\0' || strcmp(own, space) == 0))
            return true;
    }
    return false;
}

const struct plumb_kube_cluster *plumb_kube_cluster_of(const struct plumb_kube_model *m,
                                                       const struct plumb_kube_nodeset *set)
{
    for (size_t i = 0; i < m->cluster_count; i++) {
        const struct plumb_kube_cluster *c = &m->clusters[i];

        if (c->thing->flavour == set->thing->flavour &&
            same_space(c->thing->space, set->thing->space) &&
            (set->cluster.v == NULL || strcmp(set->cluster.v, c->thing->name.v) == 0))
            return c;
    }
    return NULL;
}

const struct plumb_kube_word *plumb_kube_word(const struct plumb_kube_words *w, const char *key)
{
    for (size_t i = w->count; i-- > 0;) {
        if (plumb_slice_is(&w->items[i].key, key))
            return &w->items[i];
    }
    return NULL;
}

const struct plumb_kube_amount *plumb_kube_amount_of(const struct plumb_kube_amount *list,
                                                     size_t count, const char *resource)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].resource, resource) == 0)
            return &list[i];
    }
    return NULL;
}

bool plumb_kube_selects(const struct plumb_kube_nodeset *set, const struct plumb_kube_node *node)
{
    for (size_t i = 0; i < set->selector_count; i++) {
        bool found = false;

        for (size_t k = 0; k < node->label_count && !found; k++)
            found = strcmp(set->selector[i].key.v, node->labels[k].key.v) == 0 &&
                    strcmp(set->selector[i].value.v, node->labels[k].value.v) == 0;
        if (!found)
            return false;
    }
    return true;
}

/* Kubernetes, NodeSelectorRequirement: NotIn and DoesNotExist hold where the label is not there. */
static bool holds(const struct plumb_kube_expression *e, const struct plumb_kube_node *node)
{
    const char *value = NULL;
    bool listed = false;

    for (size_t i = 0; i < node->label_count && value == NULL; i++) {
        if (strcmp(node->labels[i].key.v, e->key) == 0)
            value = node->labels[i].value.v;
    }
    for (size_t i = 0; value != NULL && i < e->value_count; i++)
        listed = listed || strcmp(value, e->values[i]) == 0;
    if (strcmp(e->op, "In") == 0)
        return listed;
    if (strcmp(e->op, "NotIn") == 0)
        return !listed;
    if (strcmp(e->op, "DoesNotExist") == 0)
        return value == NULL;
    return value != NULL; /* Exists; Gt and Lt: by the number, which nobody compares here */
}

bool plumb_kube_binds(const struct plumb_kube_reservation *r, const struct plumb_kube_node *node)
{
    for (size_t i = 0; i < r->term_count; i++) {
        bool all = r->terms[i].count > 0;

        for (size_t k = 0; k < r->terms[i].count && all; k++)
            all = holds(&r->terms[i].items[k], node);
        if (all)
            return true;
    }
    return false;
}
