/* SPDX-License-Identifier: Apache-2.0 */
/* Pass lift-kube: objects of manifests to model/kube.h. Here are the objects themselves. */
#include "passes/lift_kube.h"

#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/text.h"
#include "kube/value.h"

struct plumb_text plumb_kube_text(struct plumb_kube_lifter *l, const struct plumb_node *n)
{
    if (n == NULL || n->kind != PLUMB_SCALAR || plumb_kube_json_of(n) == PLUMB_KUBE_IS_NULL)
        return (struct plumb_text){0};
    return (struct plumb_text){
        .v = plumb_intern_text(l->session->intern, n->scalar.text, n->scalar.len),
        .at = n->at,
        .origin = PLUMB_GIVEN,
    };
}

struct plumb_u64 plumb_kube_number(const struct plumb_node *n)
{
    int64_t v = -1;

    if (n == NULL)
        return (struct plumb_u64){0};
    if (n->kind == PLUMB_SCALAR && plumb_kube_json_of(n) == PLUMB_KUBE_IS_INTEGER)
        v = plumb_kube_integer(n);
    return (struct plumb_u64){
        .v = v < 0 ? 0 : (uint64_t)v, .at = n->at, .origin = v < 0 ? PLUMB_BAD : PLUMB_GIVEN};
}

/* ---- words ---- */

static void add_word(struct plumb_kube_lifter *l, struct plumb_kube_words *w,
                     const struct plumb_slice *text, size_t begin, size_t end, size_t first)
{
    const char *sign = memchr(text->text + begin, '=', end - begin);
    size_t key = sign == NULL ? end : (size_t)(sign - text->text);

    w->items = plumb_arena_grow(l->a, w->items, w->count, &w->cap, sizeof(*w->items));
    w->items[w->count] = (struct plumb_kube_word){
        .key = plumb_slice_sub(text, begin, key),
        .value = plumb_slice_sub(text, sign == NULL ? end : key + 1, end),
        .sign = sign != NULL,
        .at = plumb_slice_span(text, begin, end),
        .first = w->count == first,
    };
    w->count++;
}

/* Quotes hold blanks together in a line of slurm.conf, not for an operator that splits words. */
static size_t word_end(const struct plumb_slice *text, size_t at, size_t end, bool quotes)
{
    bool inside = false;

    for (; at < end && (inside || !plumb_is_blank(text->text[at])); at++)
        inside = inside != (quotes && text->text[at] == '"');
    return at;
}

static void split_line(struct plumb_kube_lifter *l, struct plumb_kube_words *w,
                       const struct plumb_slice *text, size_t begin, size_t end, bool lines)
{
    size_t first = w->count, before = begin;

    for (size_t at = begin; at < end;) {
        size_t stop = 0;

        if (plumb_is_blank(text->text[at])) {
            at++;
            continue;
        }
        if (lines && text->text[at] == '#')
            break;
        if (!lines && at - before > (before > begin) && !plumb_span_known(w->blank))
            w->blank = plumb_slice_span(text, before, at);
        stop = word_end(text, at, end, lines);
        add_word(l, w, text, at, stop, first);
        at = before = stop;
    }
    if (!lines && before < end && !plumb_span_known(w->blank))
        w->blank = plumb_slice_span(text, before, end);
}

struct plumb_kube_words plumb_kube_split(struct plumb_kube_lifter *l, const struct plumb_node *n,
                                         bool lines)
{
    struct plumb_kube_words w = {0};

    if (n == NULL || plumb_kube_json_of(n) != PLUMB_KUBE_IS_STRING)
        return w;
    w.at = n->at;
    if (!lines) {
        split_line(l, &w, &n->scalar, 0, n->scalar.len, false);
    }
    for (size_t at = 0; lines && at < n->scalar.len;) {
        const char *nl = memchr(n->scalar.text + at, '\n', n->scalar.len - at);
        size_t end = nl == NULL ? n->scalar.len : (size_t)(nl - n->scalar.text);

        split_line(l, &w, &n->scalar, at, end, true);
        at = end + 1;
    }
    return w;
}

/* ---- objects ---- */

static enum plumb_kube_flavour flavour_of(const struct plumb_kube_object *o)
{
    static const enum plumb_kube_flavour flavours[PLUMB_KUBE_OWNERS] = {
        [PLUMB_KUBE_SLINKY] = PLUMB_OF_SLINKY,
        [PLUMB_KUBE_SOPERATOR] = PLUMB_OF_SOPERATOR,
        [PLUMB_KUBE_SUNK] = PLUMB_OF_SUNK,
    };

    return flavours[plumb_kube_owner_of(o)];
}

static void add_key(struct plumb_kube_lifter *l, struct plumb_kube_thing *t,
                    const struct plumb_node *key, const struct plumb_node *value)
{
    if (plumb_kube_text(l, key).v == NULL)
        return; /* null is no key of a ConfigMap, which was told */
    t->keys[t->key_count++] = (struct plumb_kube_key){
        .name = plumb_kube_text(l, key),
        .value =
            value != NULL && value->kind == PLUMB_SCALAR ? value->scalar : (struct plumb_slice){0},
    };
}

static void add_mapping(struct plumb_kube_lifter *l, struct plumb_kube_thing *t,
                        const struct plumb_node *map, bool secret)
{
    for (uint32_t i = 0; map != NULL && map->kind == PLUMB_MAPPING && i < map->count; i++)
        add_key(l, t, map->pairs[i].key, secret ? NULL : map->pairs[i].value);
}

static uint32_t size_of(const struct plumb_node *n)
{
    return n == NULL ? 0 : n->count;
}

/* Text that is there, and not filled in by another program. */
static bool is_said(const struct plumb_node *n)
{
    return n->kind == PLUMB_SCALAR && n->scalar.len > 0 && !plumb_kube_filled_in(&n->scalar);
}

/* From the first value of a Secret to the last one: none of it is to be shown. */
static struct plumb_span values_of(const struct plumb_node *root)
{
    static const char *const sections[] = {"data", "stringData"};
    struct plumb_span all = {0};

    for (size_t i = 0; i < PLUMB_COUNT(sections); i++) {
        const struct plumb_node *n = plumb_node_get(root, sections[i]);

        for (uint32_t k = 0; n != NULL && n->kind == PLUMB_MAPPING && k < n->count; k++) {
            if (is_said(n->pairs[k].value))
                all = plumb_span_join(all, n->pairs[k].value->at);
        }
    }
    return all;
}

static void lift_data(struct plumb_kube_lifter *l, struct plumb_kube_thing *t,
                      const struct plumb_node *root, bool secret)
{
    static const char *const sections[] = {"data", "binaryData", "stringData"};
    uint32_t count = 0;

    for (size_t i = 0; i < PLUMB_COUNT(sections); i++)
        count += size_of(plumb_node_get(root, sections[i]));
    t->keys = PLUMB_NEW_ARRAY(l->a, count, struct plumb_kube_key);
    for (size_t i = 0; i < PLUMB_COUNT(sections); i++)
        add_mapping(l, t, plumb_node_get(root, sections[i]), secret || i == 1);
    if (!secret || t->key_count == 0 || plumb_node_get(root, "sops") != NULL)
        return;
    t->secret = values_of(root);
}

/* external-secrets.io: the Secret it makes has the keys of data, and those that a store lists. */
static void lift_external(struct plumb_kube_lifter *l, struct plumb_kube_thing *t,
                          const struct plumb_node *root)
{
    const struct plumb_node *data = plumb_node_path(root, "spec/data");
    struct plumb_text name = plumb_kube_text(l, plumb_node_path(root, "spec/target/name"));

    t->makes = "Secret";
    if (name.v != NULL)
        t->name = name;
    t->open_keys = plumb_node_path(root, "spec/dataFrom") != NULL ||
                   plumb_node_path(root, "spec/target/template") != NULL;
    t->keys = PLUMB_NEW_ARRAY(l->a, size_of(data), struct plumb_kube_key);
    for (uint32_t i = 0; data != NULL && data->kind == PLUMB_SEQUENCE && i < data->count; i++)
        add_key(l, t, plumb_node_get(data->items[i], "secretKey"), NULL);
}

static void lift_sealed(struct plumb_kube_lifter *l, struct plumb_kube_thing *t,
                        const struct plumb_node *root)
{
    const struct plumb_node *data = plumb_node_path(root, "spec/encryptedData");

    t->makes = "Secret";
    t->open_keys = plumb_node_path(root, "spec/template/data") != NULL;
    t->keys = PLUMB_NEW_ARRAY(l->a, size_of(data), struct plumb_kube_key);
    add_mapping(l, t, data, true);
}

/* Values of the GPU operator's chart may hold what its operands read, in place of ConfigMaps. */
static void lift_values(struct plumb_kube_lifter *l, struct plumb_kube_thing *t,
                        const struct plumb_node *root)
{
    static const char *const maps[] = {"devicePlugin/config/data", "migManager/config/data"};
    const struct plumb_node *metrics = plumb_node_path(root, "dcgmExporter/config/data");
    uint32_t count = 1;

    for (size_t i = 0; i < PLUMB_COUNT(maps); i++)
        count += size_of(plumb_node_path(root, maps[i]));
    t->keys = PLUMB_NEW_ARRAY(l->a, count, struct plumb_kube_key);
    for (size_t i = 0; i < PLUMB_COUNT(maps); i++)
        add_mapping(l, t, plumb_node_path(root, maps[i]), false);
    if (metrics != NULL && metrics->kind == PLUMB_SCALAR)
        t->keys[t->key_count++] = (struct plumb_kube_key){
            .name = {.v = "dcgm-metrics.csv", .at = metrics->at, .origin = PLUMB_DERIVED},
            .value = metrics->scalar,
        };
}

static void lift_claim(struct plumb_kube_thing *t, const struct plumb_node *root)
{
    const struct plumb_node *modes = plumb_node_path(root, "spec/accessModes");

    t->single = modes != NULL;
    for (uint32_t i = 0; modes != NULL && modes->kind == PLUMB_SEQUENCE && i < modes->count; i++) {
        const char *mode = plumb_node_text(modes->items[i]);

        if (mode != NULL && strcmp(mode, "ReadWriteMany") == 0)
            t->single = false;
    }
}

static void lift_thing(struct plumb_kube_lifter *l, const struct plumb_kube_object *o,
                       struct plumb_kube_thing *t)
{
    const struct plumb_node *labels = plumb_node_path(o->root, "metadata/labels");

    *t = (struct plumb_kube_thing){
        .api = plumb_intern_str(l->session->intern, o->api),
        .kind = plumb_intern_str(l->session->intern, o->kind),
        .space = plumb_intern_str(l->session->intern, o->space),
        .name = plumb_kube_text(l, plumb_node_path(o->root, "metadata/name")),
        .flavour = flavour_of(o),
        .path = o->src->path,
        .patch = o->patch,
        .open_keys = o->patch,
    };
    t->makes = t->kind;
    if (t->name.v == NULL)
        t->name = (struct plumb_text){.v = "", .at = o->name_at, .origin = PLUMB_GIVEN};
    if (strcmp(o->api, "v1") == 0 &&
        (strcmp(o->kind, "ConfigMap") == 0 || strcmp(o->kind, "Secret") == 0))
        lift_data(l, t, o->root, o->kind[0] == 'S');
    else if (plumb_kube_owner_of(o) == PLUMB_KUBE_GPU_CHART)
        lift_values(l, t, o->root);
    else if (plumb_starts_with(o->api, "external-secrets.io/") &&
             strcmp(o->kind, "ExternalSecret") == 0)
        lift_external(l, t, o->root);
    else if (strcmp(o->kind, "SealedSecret") == 0)
        lift_sealed(l, t, o->root);
    else if (strcmp(o->kind, "StorageClass") == 0)
        t->provisioner = plumb_kube_text(l, plumb_node_get(o->root, "provisioner")).v;
    else if (strcmp(o->kind, "PersistentVolumeClaim") == 0)
        lift_claim(t, o->root);
    else if (strcmp(o->kind, "Namespace") == 0)
        t->pod_security =
            plumb_kube_text(l, plumb_node_get(labels, "pod-security.kubernetes.io/enforce"));
}

/* ---- kustomization ---- */

static const struct plumb_input *input_of(const struct plumb_run *r, const struct plumb_source *src)
{
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].src == src)
            return &r->inputs[i];
    }
    return NULL;
}

static void lift_entry(struct plumb_kube_lifter *l, const struct plumb_input *in,
                       const struct plumb_node *n)
{
    struct plumb_kube_model *m = l->to;
    struct plumb_text text = plumb_kube_text(l, n);
    struct stat st;

    if (text.v == NULL || strstr(text.v, "://") != NULL || strstr(text.v, "?ref=") != NULL ||
        plumb_starts_with(text.v, "github.com") || in == NULL || in->src->mode == 0)
        return;
    m->entries =
        plumb_arena_grow(l->a, m->entries, m->entry_count, &m->entry_cap, sizeof(*m->entries));
    m->entries[m->entry_count++] = (struct plumb_kube_entry){
        .path = text,
        .missing = stat(plumb_path_join(l->a, plumb_path_folder(l->a, in->path), text.v), &st) != 0,
    };
}

static void lift_kustomization(struct plumb_kube_lifter *l, const struct plumb_kube_object *o)
{
    static const char *const lists[] = {"resources", "components", "bases"};
    const struct plumb_input *in = input_of(l->run, o->src);

    for (size_t i = 0; i < PLUMB_COUNT(lists); i++) {
        const struct plumb_node *list = plumb_node_get(o->root, lists[i]);

        for (uint32_t k = 0; list != NULL && list->kind == PLUMB_SEQUENCE && k < list->count; k++)
            lift_entry(l, in, list->items[k]);
    }
}

/* What generators make: a reference finds it by the name before the hash. */
static size_t generated_count(const struct plumb_kube_object *o)
{
    return size_of(plumb_node_get(o->root, "configMapGenerator")) +
           size_of(plumb_node_get(o->root, "secretGenerator"));
}

static void lift_generated(struct plumb_kube_lifter *l, const struct plumb_kube_object *o)
{
    static const char *const keys[] = {"configMapGenerator", "secretGenerator"};

    for (size_t g = 0; g < PLUMB_COUNT(keys); g++) {
        const struct plumb_node *list = plumb_node_get(o->root, keys[g]);

        for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++)
            l->to->things[l->to->thing_count++] = (struct plumb_kube_thing){
                .api = "v1",
                .kind = g == 0 ? "ConfigMap" : "Secret",
                .makes = g == 0 ? "ConfigMap" : "Secret",
                .space = "",
                .name = plumb_kube_text(l, plumb_node_get(list->items[i], "name")),
                .path = o->src->path,
                .open_keys = true,
                .generated = true,
            };
    }
}

/* ---- the whole ---- */

static void lift_things(struct plumb_kube_lifter *l)
{
    const struct plumb_kube_objects *all = l->run->kube;
    size_t count = all->count;

    for (size_t i = 0; i < all->count; i++)
        count += generated_count(&all->items[i]);
    l->to->things = PLUMB_NEW_ARRAY(l->a, count, struct plumb_kube_thing);
    for (size_t i = 0; i < all->count; i++)
        lift_thing(l, &all->items[i], &l->to->things[i]);
    l->to->thing_count = all->count;
    for (size_t i = 0; i < all->count; i++) {
        if (!plumb_kube_is_kustomization(&all->items[i]))
            continue;
        lift_kustomization(l, &all->items[i]);
        lift_generated(l, &all->items[i]);
    }
}

void plumb_pass_lift_kube(struct plumb_run *r)
{
    struct plumb_kube_lifter l = {.run = r, .session = r->session, .a = r->session->arena};
    size_t given = 0;

    l.to = PLUMB_NEW(l.a, struct plumb_kube_model);
    l.to->assembled = r->assembled[0] != NULL;
    for (size_t i = 0; i < r->kube->count; i++)
        given += !r->kube->items[i].made;
    l.to->whole = given > 1;
    lift_things(&l);
    plumb_kube_sort(l.to, l.a);
    plumb_kube_lift_nodes(&l);
    plumb_kube_lift_sets(&l);
    plumb_kube_lift_refs(&l);
    plumb_kube_lift_layouts(&l);
    plumb_kube_lift_stack(&l);
    plumb_model_of(r)->kube = l.to;
    plumb_kube_lift_plan(&l);
}
