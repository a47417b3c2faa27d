/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine: walks a tree and a type side by side. What a value may be is in check_value.c; here
 * are fields, items and the way down.
 */
#include "kube/check.h"

#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/text.h"
#include "kube/rules.h"
#include "kube/value.h"
#include "kube/walk.h"

const char *plumb_kube_path(struct plumb_arena *a, const struct plumb_kube_step *at,
                            const char *last)
{
    const struct plumb_kube_step *steps[PLUMB_MAX_DEPTH];
    struct plumb_buf out = plumb_buf_in(a);
    size_t count = 0;

    for (; at != NULL && count < PLUMB_MAX_DEPTH; at = at->up)
        steps[count++] = at;
    while (count-- > 0) {
        if (steps[count]->key == NULL)
            plumb_buf_printf(&out, "[%u]", (unsigned)steps[count]->index);
        else if (strpbrk(steps[count]->key, "./") != NULL)
            plumb_buf_printf(&out, "[%s]", steps[count]->key);
        else
            plumb_buf_printf(&out, "%s%s", out.len == 0 ? "" : ".", steps[count]->key);
    }
    if (last != NULL)
        plumb_buf_printf(&out, "%s%s", out.len == 0 ? "" : ".", last);
    return plumb_buf_text(&out);
}

/* ---- fields ---- */

/* The type at a place below another, by the names on the way. */
static const struct plumb_kube_type *type_at(const struct plumb_kube_type *root,
                                             const struct plumb_kube_step *at)
{
    const struct plumb_kube_type *up = at == NULL ? root : type_at(root, at->up);
    const struct plumb_kube_field *f = NULL;

    if (at == NULL || up == NULL)
        return up;
    if (up->form == PLUMB_KUBE_LIST || up->form == PLUMB_KUBE_MAP)
        return up->of;
    f = up->form == PLUMB_KUBE_OBJECT ? plumb_kube_field_find(up, at->key) : NULL;
    return f == NULL ? NULL : f->type;
}

/* A field of a later release. */
static bool comes_later(const struct plumb_kube_walk *w, const struct plumb_kube_step *at,
                        const char *key)
{
    const struct plumb_kube_type *t =
        w->subject->newer == NULL || w->inside != NULL ? NULL : type_at(w->subject->newer, at);

    return t != NULL && t->form == PLUMB_KUBE_OBJECT && plumb_kube_field_find(t, key) != NULL;
}

static void suggest(struct plumb_diag *d, const struct plumb_kube_type *type,
                    const struct plumb_node *map, const char *key)
{
    struct plumb_nearest near = plumb_nearest_to(key);

    for (size_t i = 0; i < type->field_count; i++) {
        if (plumb_node_pair(map, type->fields[i].name) == NULL)
            plumb_nearest_offer(&near, type->fields[i].name);
    }
    if (near.best != NULL)
        plumb_diag_help(d, "did you mean '%s'?", near.best);
}

static void unknown(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                    const struct plumb_node *map, const struct plumb_node *key,
                    const struct plumb_kube_step *at)
{
    struct plumb_session *s = w->session;
    const char *name = key->scalar.text, *path = plumb_kube_path(s->arena, at, name);
    struct plumb_diag *d = NULL;

    switch (w->reader) {
    case PLUMB_KUBE_OPERATOR:
        d = plumb_kube_report(s, PLUMB_KUBE_DROPPED_FIELD, key->at,
                              "%s has no field '%s'; the API server keeps '%s', the operator "
                              "drops it",
                              type->name, name, path);
        break;
    case PLUMB_KUBE_CHART:
        d = plumb_kube_report(s, PLUMB_KUBE_CHART_VALUE, key->at,
                              "%s %s has no value '%s'; it is passed over without a word",
                              w->subject->what, w->subject->release, path);
        break;
    case PLUMB_KUBE_RECORD:
        d = plumb_kube_report(s, PLUMB_KUBE_CHART_VALUE, key->at,
                              "nothing public shows a value '%s' of %s; what the chart does not "
                              "have it passes over without a word",
                              path, w->subject->what);
        plumb_diag_severity(d, PLUMB_WARNING);
        break;
    case PLUMB_KUBE_GUIDE:
        d = plumb_kube_report(s, PLUMB_KUBE_UNKNOWN_FIELD, key->at,
                              "%s '%s' of %s; the API server drops what the CRD does not have",
                              type->ours ? "the guides show no field of this kind, and plumb's "
                                           "schema for it has no"
                                         : "no guide shows a field",
                              path, w->subject->what);
        plumb_diag_severity(d, PLUMB_WARNING);
        break;
    default:
        d = plumb_kube_report(
            s, PLUMB_KUBE_UNKNOWN_FIELD, key->at,
            "%s has no field '%s'%s; a strict client refuses it, otherwise the API server drops "
            "it without a word",
            w->subject->what, path,
            comes_later(w, at, name)
                ? plumb_arena_printf(s->arena, " in %s (it comes with %s)", w->subject->release,
                                     w->subject->newer_release)
                : "");
    }
    suggest(d, type, map, name);
}

static void missing(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                    const struct plumb_node *map, struct plumb_span at_key,
                    const struct plumb_kube_step *at)
{
    for (size_t i = 0; i < type->field_count; i++) {
        const struct plumb_kube_field *f = &type->fields[i];

        if (!f->required || plumb_node_pair(map, f->name) != NULL)
            continue;
        plumb_kube_report(w->session, PLUMB_KUBE_MISSING, at_key, "%s lacks '%s'; %s",
                          w->subject->what, plumb_kube_path(w->session->arena, at, f->name),
                          plumb_kube_does(w));
    }
}

/* Where a mapping begins, for what is not in it: its key, else its first own key. */
static struct plumb_span place_of(const struct plumb_node *n, struct plumb_span key)
{
    if (plumb_span_known(key))
        return key;
    return n->kind == PLUMB_MAPPING && n->count > 0 ? n->pairs[0].key->at : n->at;
}

/* What a client says of the status is passed over: it is written through a subresource. */
static void walk_status(const struct plumb_kube_walk *w, const struct plumb_kube_field *f,
                        const struct plumb_pair *p, const struct plumb_kube_step *at)
{
    struct plumb_kube_subject subject = *w->subject;
    struct plumb_kube_walk inner = *w;

    subject.partial = true;
    inner.subject = &subject;
    plumb_kube_walk(&inner, f->type, p->value, p->key->at, at);
}

static void walk_object(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                        const struct plumb_node *n, struct plumb_span key,
                        const struct plumb_kube_step *at)
{
    bool partial = w->inside == n || w->subject->partial; /* the rest is added by others */

    for (uint32_t i = 0; i < n->count; i++) {
        const struct plumb_pair *p = &n->pairs[i];
        const struct plumb_kube_field *f = plumb_kube_field_find(type, p->key->scalar.text);
        struct plumb_kube_step step = {
            .up = at, .key = p->key->scalar.text, .required = f != NULL && f->required};

        if (f == NULL) {
            if (!type->keeps)
                unknown(w, type, n, p->key, at);
            continue;
        }
        /* A null in the place of a default is taken away before anybody looks. */
        if (f->value != NULL && plumb_kube_json_of(p->value) == PLUMB_KUBE_IS_NULL)
            continue;
        if (at == NULL && strcmp(step.key, "status") == 0)
            walk_status(w, f, p, &step);
        else
            plumb_kube_walk(w, f->type, p->value, p->key->at, &step);
    }
    if (!partial)
        missing(w, type, n, place_of(n, key), at);
    for (const char *const *r = partial ? NULL : type->rules; r != NULL && *r != NULL; r++) {
        if (!plumb_kube_together(w, *r, n))
            plumb_kube_cel(w->session, *r, w->subject->what, n);
    }
}

/* ---- items ---- */

/* What an item is told apart by; NULL: it lacks some of it. */
static const char *key_of(struct plumb_arena *a, const struct plumb_kube_type *list,
                          const struct plumb_node *item)
{
    struct plumb_buf out = plumb_buf_in(a);

    if (list->keys[0][0] == '\0')
        return plumb_node_text(item);
    for (const char *const *k = list->keys; *k != NULL; k++) {
        const char *text = plumb_node_text(plumb_node_get(item, *k));
        const struct plumb_kube_field *f =
            list->of->form == PLUMB_KUBE_OBJECT ? plumb_kube_field_find(list->of, *k) : NULL;

        if (text != NULL) {
            plumb_buf_printf(&out, "%s%s", out.len == 0 ? "" : "/", text);
        } else if (f != NULL && f->value != NULL && f->value[0] == '"') {
            plumb_buf_char(&out, '/');
            plumb_buf_add(&out, f->value + 1, strlen(f->value) - 2);
        } else {
            return NULL;
        }
    }
    return plumb_buf_text(&out);
}

static void check_twice(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                        const struct plumb_node *n, const struct plumb_kube_step *at)
{
    struct plumb_map seen = plumb_map_in(w->session->scratch);

    for (uint32_t i = 0; i < n->count; i++) {
        const char *key = key_of(w->session->scratch, type, n->items[i]);
        const struct plumb_node *place = n->items[i]->kind == PLUMB_MAPPING
                                             ? plumb_node_get(n->items[i], type->keys[0])
                                             : n->items[i];
        struct plumb_map_entry *e = NULL;
        struct plumb_diag *d = NULL;

        if (key == NULL)
            continue;
        e = plumb_map_entry(&seen, key, strlen(key));
        if (e->value == NULL) {
            e->value = n->items[i];
            continue;
        }
        d = plumb_kube_report(w->session, PLUMB_KUBE_TWICE,
                              place == NULL ? n->items[i]->at : place->at,
                              "'%s' is in '%s' twice; %s", key,
                              plumb_kube_path(w->session->arena, at, NULL), plumb_kube_does(w));

        const struct plumb_node *first = e->value;

        place = first->kind == PLUMB_MAPPING ? plumb_node_get(first, type->keys[0]) : first;
        plumb_diag_note(d, place == NULL ? first->at : place->at, "first here");
    }
}

static void walk_items(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                       const struct plumb_node *n, const struct plumb_kube_step *at)
{
    static const struct plumb_span nowhere = {0};

    for (uint32_t i = 0; i < n->count; i++) {
        struct plumb_kube_step step = {.up = at, .index = i};

        plumb_kube_walk(w, type->of, n->items[i], nowhere, &step);
    }
    if (type->keys != NULL)
        check_twice(w, type, n, at);
}

/* Mappings whose keys and values have rules of their own wherever they stand. */
static void check_named(const struct plumb_kube_walk *w, const struct plumb_node *n,
                        const struct plumb_kube_step *at)
{
    const char *name = at == NULL || at->key == NULL ? "" : at->key;

    if (strcmp(name, "labels") == 0 || strcmp(name, "matchLabels") == 0 ||
        strcmp(name, "nodeSelector") == 0)
        plumb_kube_labels(w->session, n);
    else if (strcmp(name, "annotations") == 0)
        plumb_kube_annotations(w->session, n);
}

static void walk_values(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                        const struct plumb_node *n, const struct plumb_kube_step *at)
{
    for (uint32_t i = 0; i < n->count; i++) {
        struct plumb_kube_step step = {.up = at, .key = n->pairs[i].key->scalar.text};

        plumb_kube_walk(w, type->of, n->pairs[i].value, n->pairs[i].key->at, &step);
    }
    check_named(w, n, at);
}

/* What the CRD leaves open is held against the type that the operator reads it as. */
static void walk_open(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                      const struct plumb_node *n, const struct plumb_kube_step *at)
{
    struct plumb_kube_walk inner = *w;
    static const struct plumb_span nowhere = {0};

    if (type->as == NULL)
        return;
    inner.inside = n;
    if (w->reader == PLUMB_KUBE_SERVER)
        inner.reader = PLUMB_KUBE_OPERATOR;
    plumb_kube_walk(&inner, type->as, n, nowhere, at);
}

void plumb_kube_walk(const struct plumb_kube_walk *w, const struct plumb_kube_type *type,
                     const struct plumb_node *n, struct plumb_span key,
                     const struct plumb_kube_step *at)
{
    if (n->reported || !plumb_kube_value_sound(w, type, n, key, at))
        return;
    switch (type->form) {
    case PLUMB_KUBE_OBJECT:
        walk_object(w, type, n, key, at);
        break;
    case PLUMB_KUBE_LIST:
        walk_items(w, type, n, at);
        break;
    case PLUMB_KUBE_MAP:
        walk_values(w, type, n, at);
        break;
    default:
        walk_open(w, type, n, at);
    }
}

void plumb_kube_check(struct plumb_session *s, const struct plumb_kube_subject *subject,
                      const struct plumb_node *root)
{
    struct plumb_kube_walk w = {.session = s, .subject = subject, .reader = subject->reader};
    static const struct plumb_span nowhere = {0};

    plumb_kube_walk(&w, subject->type, root, nowhere, NULL);
}
