/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object as a whole: which table has its kind, its name, the sizes of what a ConfigMap or Secret
 * holds. Facts: Kubernetes, API types and validation; limits of objects.
 */
#include <string.h>

#include "base/text.h"
#include "kube/check.h"
#include "kube/object.h"
#include "kube/rules.h"
#include "kube/value.h"
#include "syntax/excerpt.h"

enum { MAX_DATA = 1048576, MAX_KEY = 253, MAX_APPLIED = 262144 };

static bool is_kind(const struct plumb_kube_object *o, const char *kind)
{
    return strcmp(o->kind, kind) == 0;
}

/* ---- which table ---- */

/* The version of a kind that the release does serve; NULL. */
static const char *served_version(const struct plumb_kube_table *t, const char *api,
                                  const char *kind)
{
    size_t group = strcspn(api, "/");

    for (size_t i = 0; i < t->kind_count; i++) {
        const struct plumb_kube_kind *k = &t->kinds[i];

        if (k->type != NULL && strcmp(k->kind, kind) == 0 &&
            (strncmp(k->api, api, group + 1) == 0 || plumb_starts_with(api, "extensions/")))
            return k->api;
    }
    return NULL;
}

static const char *name_of(const struct plumb_kube_table *t)
{
    return strcmp(t->flavour, "k8s") == 0 ? "Kubernetes" : t->flavour;
}

static void not_served(struct plumb_session *s, const struct plumb_kube_object *o,
                       const struct plumb_kube_table *t)
{
    const struct plumb_node *api = plumb_node_get(o->root, "apiVersion");
    const char *served = served_version(t, o->api, o->kind);
    struct plumb_diag *d = plumb_kube_report(
        s, PLUMB_KUBE_NOT_SERVED, api->at,
        "%s %s does not serve %s of %s%s%s; the object is refused", name_of(t), t->release, o->kind,
        o->api, served == NULL ? "" : ", expected ", served == NULL ? "" : served);

    if (served != NULL)
        plumb_diag_help(d, "write it anew for %s: there is no conversion", served);
}

static void unchecked(struct plumb_session *s, struct plumb_kube_objects *all,
                      const struct plumb_kube_object *o)
{
    static const char *const known[] = {"Kustomization", "Component"};
    const char *what = plumb_arena_printf(s->arena, "%s of %s", o->kind, o->api);

    for (size_t i = 0; i < PLUMB_COUNT(known); i++) {
        if (is_kind(o, known[i]))
            return;
    }
    for (size_t i = 0; i < all->unchecked.count; i++) {
        if (strcmp(all->unchecked.items[i], what) == 0)
            return;
    }
    plumb_string_list_add(s->arena, &all->unchecked, what);
    plumb_kube_report(s, PLUMB_KUBE_UNCHECKED, plumb_node_get(o->root, "kind")->at,
                      "no table has the fields of %s, so that they are not checked", what);
}

/* A kind of the table in other letters. */
static const char *kind_in_other_case(const struct plumb_kube_table *t,
                                      const struct plumb_kube_object *o)
{
    for (; t != NULL; t = t->below) {
        for (size_t i = 0; i < t->kind_count; i++) {
            if (strcmp(t->kinds[i].api, o->api) == 0 &&
                plumb_same_nocase(t->kinds[i].kind, o->kind))
                return t->kinds[i].kind;
        }
    }
    return NULL;
}

/* The table has every kind of the group. */
static bool is_whole(enum plumb_kube_owner owner)
{
    return owner == PLUMB_KUBE_SLINKY || owner == PLUMB_KUBE_SOPERATOR;
}

/* A group of an operator has no kinds but those of its table. */
static void unknown_kind(struct plumb_session *s, struct plumb_kube_objects *all,
                         const struct plumb_kube_object *o, const struct plumb_kube_table *t)
{
    struct plumb_nearest near = plumb_nearest_to(o->kind);
    struct plumb_diag *d = NULL;

    if (is_whole(plumb_kube_owner_of(o)) && served_version(t, o->api, o->kind) != NULL) {
        not_served(s, o, t);
        return;
    }
    if (!is_whole(plumb_kube_owner_of(o)) && kind_in_other_case(t, o) == NULL) {
        unchecked(s, all, o);
        return;
    }
    d = plumb_kube_report(s, PLUMB_KUBE_NOT_SERVED, plumb_node_get(o->root, "kind")->at,
                          "%s %s has no kind '%s' in %s; the object is refused", name_of(t),
                          t->release, o->kind, o->api);
    for (size_t i = 0; i < t->kind_count; i++)
        plumb_nearest_offer(&near, t->kinds[i].kind);
    if (near.best != NULL)
        plumb_diag_help(d, "did you mean '%s'?", near.best);
}

/* The key in other letters. */
static const struct plumb_node *key_in_other_case(const struct plumb_node *root, const char *key)
{
    for (uint32_t i = 0; root->kind == PLUMB_MAPPING && i < root->count; i++) {
        if (plumb_same_nocase(root->pairs[i].key->scalar.text, key))
            return root->pairs[i].key;
    }
    return NULL;
}

static void no_identity(struct plumb_session *s, const struct plumb_kube_object *o, const char *key)
{
    const struct plumb_node *n = plumb_node_get(o->root, key);
    const struct plumb_node *meant = n == NULL ? key_in_other_case(o->root, key) : NULL;
    struct plumb_diag *d = plumb_kube_report(
        s, PLUMB_KUBE_NO_KIND,
        n != NULL                                              ? n->at
        : meant != NULL                                        ? meant->at
        : o->root->kind == PLUMB_MAPPING && o->root->count > 0 ? o->root->pairs[0].key->at
                                                               : o->root->at,
        "the document has no '%s', expected one of an object of Kubernetes", key);

    if (meant != NULL)
        plumb_diag_help(d, "write '%s': letters of keys are told apart", key);
}

static bool has_identity(struct plumb_session *s, const struct plumb_kube_object *o)
{
    static const char *const keys[] = {"apiVersion", "kind"};
    bool whole = true;

    for (size_t i = 0; i < PLUMB_COUNT(keys) && !o->values && !plumb_kube_is_kustomization(o);
         i++) {
        const struct plumb_node *n = plumb_node_get(o->root, keys[i]);

        if (n != NULL && n->kind == PLUMB_SCALAR && n->scalar.len > 0)
            continue;
        no_identity(s, o, keys[i]);
        whole = false;
    }
    return whole;
}

/* ---- names ---- */

static enum plumb_kube_name name_kind(const struct plumb_kube_object *o)
{
    return is_kind(o, "Namespace") ? PLUMB_KUBE_LABEL_NAME
           : is_kind(o, "Service") ? PLUMB_KUBE_SERVICE_NAME
                                   : PLUMB_KUBE_SUBDOMAIN;
}

/* Roles are paths of a URL: anything but a slash and a percent sign. */
static bool is_role(const struct plumb_kube_object *o)
{
    return plumb_starts_with(o->api, "rbac.authorization.k8s.io/");
}

static void check_name(struct plumb_session *s, const struct plumb_kube_object *o)
{
    const struct plumb_node *name = plumb_node_path(o->root, "metadata/name");
    const struct plumb_node *space = plumb_node_path(o->root, "metadata/namespace");
    size_t fault = SIZE_MAX;

    if (name == NULL && plumb_node_path(o->root, "metadata/generateName") == NULL) {
        if (o->row != NULL) /* else it may be a file of a program that looks like an object */
            plumb_kube_report(s, PLUMB_KUBE_MISSING, plumb_node_get(o->root, "kind")->at,
                              "%s of %s lacks 'metadata.name'; the API server refuses the object",
                              o->kind, o->api);
        return;
    }
    if (name != NULL && name->kind == PLUMB_SCALAR && !is_role(o) &&
        !plumb_kube_filled_in(&name->scalar))
        fault = plumb_kube_name_fault(name_kind(o), name->scalar.text, name->scalar.len);
    if (fault != SIZE_MAX)
        plumb_kube_report(s, PLUMB_KUBE_NAME, plumb_slice_span(&name->scalar, fault, fault + 1),
                          "%s is no name of a %s, expected at most %d small letters, digits%s and "
                          "'-', a letter or digit at its ends; the API server refuses the object",
                          plumb_excerpt(s->arena, name->scalar.text, name->scalar.len), o->kind,
                          name_kind(o) == PLUMB_KUBE_SUBDOMAIN ? 253 : 63,
                          name_kind(o) == PLUMB_KUBE_SUBDOMAIN ? ", '.'" : "");
    if (space == NULL || space->kind != PLUMB_SCALAR || space->scalar.len == 0 ||
        plumb_kube_filled_in(&space->scalar))
        return;
    fault = plumb_kube_name_fault(PLUMB_KUBE_LABEL_NAME, space->scalar.text, space->scalar.len);
    if (fault != SIZE_MAX)
        plumb_kube_report(s, PLUMB_KUBE_NAME, plumb_slice_span(&space->scalar, fault, fault + 1),
                          "%s is no name of a namespace, expected at most 63 small letters, "
                          "digits and '-'; the API server refuses the object",
                          plumb_excerpt(s->arena, space->scalar.text, space->scalar.len));
}

/* ---- data ---- */

static void check_data_key(struct plumb_session *s, const struct plumb_node *key)
{
    const struct plumb_slice *k = &key->scalar;
    size_t fault =
        k->len == 0 || k->len > MAX_KEY || strcmp(k->text, ".") == 0 || strcmp(k->text, "..") == 0
            ? 0
            : SIZE_MAX;

    for (size_t i = 0; i < k->len && fault == SIZE_MAX; i++) {
        char low = plumb_lower(k->text[i]);

        if (!(low >= 'a' && low <= 'z') && !plumb_is_digit(low) &&
            (low == '\0' || strchr("-._", low) == NULL))
            fault = i;
    }
    if (fault != SIZE_MAX)
        plumb_kube_report(s, PLUMB_KUBE_DATA_KEY, plumb_slice_span(k, fault, fault + 1),
                          "%s is no key of data, expected at most 253 letters, digits, '-', '_' "
                          "and '.'; the API server refuses the object",
                          plumb_excerpt(s->arena, k->text, k->len));
}

/* Base64 has four characters for three bytes; the server counts the bytes. */
static size_t bytes_of(const struct plumb_node *n, bool base64)
{
    size_t len = n->kind == PLUMB_SCALAR ? n->scalar.len : 0;

    while (base64 && len > 0 && n->scalar.text[len - 1] == '=')
        len--;
    return base64 ? len / 4 * 3 + len % 4 * 3 / 4 : len;
}

static void check_data(struct plumb_session *s, const struct plumb_kube_object *o)
{
    static const char *const sections[] = {"data", "binaryData", "stringData"};
    bool secret = is_kind(o, "Secret");
    const struct plumb_pair *largest = NULL;
    size_t sum = 0, most = 0;

    for (size_t i = 0; i < PLUMB_COUNT(sections); i++) {
        const struct plumb_node *data = plumb_node_get(o->root, sections[i]);

        for (uint32_t k = 0; data != NULL && data->kind == PLUMB_MAPPING && k < data->count; k++) {
            size_t len = bytes_of(data->pairs[k].value, i == 1 || (i == 0 && secret));

            check_data_key(s, data->pairs[k].key);
            sum += len;
            if (len >= most) {
                most = len;
                largest = &data->pairs[k];
            }
        }
    }
    if (sum > MAX_DATA)
        plumb_kube_report(s, PLUMB_KUBE_DATA_SIZE, largest->key->at,
                          "the data of %s '%s' are %zu bytes, most of them here, expected at most "
                          "%d; the API server refuses the object",
                          o->kind, o->name, sum, MAX_DATA);
    else if (sum > MAX_APPLIED)
        plumb_diag_severity(
            plumb_kube_report(s, PLUMB_KUBE_DATA_SIZE, largest->key->at,
                              "the data of %s '%s' are %zu bytes, expected at most %d for 'kubectl "
                              "apply', which keeps them in an annotation; it takes --server-side",
                              o->kind, o->name, sum, MAX_APPLIED),
            PLUMB_WARNING);
}

/* ---- objects ---- */

static enum plumb_kube_reader reader_of(const struct plumb_kube_object *o)
{
    static const enum plumb_kube_reader readers[PLUMB_KUBE_OWNERS] = {
        [PLUMB_KUBE_SLINKY] = PLUMB_KUBE_SERVER,     [PLUMB_KUBE_SOPERATOR] = PLUMB_KUBE_SERVER,
        [PLUMB_KUBE_SUNK] = PLUMB_KUBE_GUIDE,        [PLUMB_KUBE_SLINKY_CHART] = PLUMB_KUBE_CHART,
        [PLUMB_KUBE_SUNK_CHART] = PLUMB_KUBE_RECORD, [PLUMB_KUBE_GPU_CHART] = PLUMB_KUBE_CHART,
        [PLUMB_KUBE_K8S] = PLUMB_KUBE_BUILT_IN,
    };

    return readers[plumb_kube_owner_of(o)];
}

static void check_fields(struct plumb_session *s, const struct plumb_kube_object *o,
                         const struct plumb_kube_table *t)
{
    const struct plumb_kube_table *newest = plumb_kube_table_find(t->flavour, NULL);
    const struct plumb_kube_kind *later =
        newest == t ? NULL : plumb_kube_kind_find(newest, o->api, o->kind);
    struct plumb_kube_subject subject = {
        .reader = reader_of(o),
        .what = o->values ? plumb_arena_printf(s->arena, "the chart %s", o->kind)
                          : plumb_arena_printf(s->arena, "%s %s", o->kind, o->api),
        .type = o->row->type,
        .release = t->release,
        .newer = later == NULL ? NULL : later->type,
        .newer_release = newest->release,
        .partial = o->patch,
    };

    plumb_kube_check(s, &subject, o->root);
}

static void check_object(struct plumb_session *s, struct plumb_kube_objects *all,
                         struct plumb_kube_object *o, const struct plumb_kube_releases *r)
{
    const struct plumb_kube_table *t = NULL;

    if (!has_identity(s, o))
        return;
    t = r->of[plumb_kube_owner_of(o)];
    o->row = plumb_kube_kind_find(t, o->api, o->kind);
    if (o->row == NULL) {
        unknown_kind(s, all, o, t);
    } else if (o->row->type == NULL) {
        not_served(s, o, t);
        o->row = NULL;
        return;
    } else {
        check_fields(s, o, t);
    }
    if (plumb_kube_owner_of(o) == PLUMB_KUBE_SLINKY_CHART)
        plumb_kube_check_values(s, o->root);
    if (!o->values && !plumb_kube_is_kustomization(o) &&
        (o->row != NULL || plumb_node_get(o->root, "metadata") != NULL))
        check_name(s, o);
    if (strcmp(o->api, "v1") == 0 && (is_kind(o, "ConfigMap") || is_kind(o, "Secret")))
        check_data(s, o);
}

void plumb_kube_check_objects(struct plumb_session *s, struct plumb_kube_objects *objects,
                              const struct plumb_kube_releases *releases)
{
    for (size_t i = 0; i < objects->count; i++)
        check_object(s, objects, &objects->items[i], releases);
}
