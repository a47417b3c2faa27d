/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass compare-kube: objects that kubectl printed against those of the source, which are its
 * manifests, or what the targets make of a specification. Keys are compared as far as the source
 * has them, since the API server and the operators fill in what nobody wrote. Trees are seen here
 * alone, so that the findings are made here and not in rules/.
 */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "emit/output.h"
#include "kube/object.h"
#include "kube/value.h"
#include "passes/compare_kube.h"

enum { MAX_PATH_LEN = 400, MAX_SHOWN = 120 };

/* An object on either side. */
struct object {
    const struct plumb_node *root;
    const char *api, *kind, *name, *space;
    struct plumb_span at; /* of its name */
};

struct objects {
    struct object *items;
    size_t count, cap;
};

struct comparison {
    struct plumb_run *run;
    struct plumb_arena *a;
    struct objects want, got;
    const struct object *w, *g;           /* the pair that is compared */
    const struct plumb_kube_table *table; /* of its API group */
};

static const char *shown(struct comparison *c, const struct plumb_node *n)
{
    if (n->kind != PLUMB_SCALAR)
        return n->kind == PLUMB_MAPPING ? "a mapping" : "a list";
    if (n->scalar.len > MAX_SHOWN)
        return plumb_arena_printf(c->a, "'%.*s...'", MAX_SHOWN, n->scalar.text);
    return plumb_arena_printf(c->a, "'%s'", n->scalar.text);
}

/* ---- objects ---- */

static const char *text_of(const struct plumb_node *root, const char *path)
{
    const char *text = plumb_node_text(plumb_node_path(root, path));

    return text == NULL ? "" : text;
}

static void add(struct comparison *c, struct objects *to, const struct plumb_node *root)
{
    const struct plumb_node *name = plumb_node_path(root, "metadata/name");

    if (plumb_node_text(name) == NULL)
        return;
    to->items = plumb_arena_grow(c->a, to->items, to->count, &to->cap, sizeof(*to->items));
    to->items[to->count++] = (struct object){
        .root = root,
        .api = text_of(root, "apiVersion"),
        .kind = text_of(root, "kind"),
        .name = plumb_node_text(name),
        .space = text_of(root, "metadata/namespace"),
        .at = name->at,
    };
}

static void collect_live(struct comparison *c)
{
    struct plumb_session *s = c->run->session;

    for (size_t i = 0; i < c->run->input_count; i++) {
        struct plumb_kube_objects objects = {0};
        struct plumb_kube_file file;

        if (c->run->inputs[i].kind != PLUMB_KIND_LIVE_KUBE || c->run->inputs[i].src == NULL)
            continue;
        file = plumb_kube_read(s, c->run->inputs[i].src);
        plumb_kube_add(s, &objects, &file, false);
        for (size_t k = 0; k < objects.count; k++)
            add(c, &c->got, objects.items[k].root);
    }
}

static void collect_source(struct comparison *c)
{
    const struct plumb_kube_objects *objects = c->run->kube;
    const struct plumb_outputs *out = c->run->outputs;

    for (size_t i = 0; objects != NULL && i < objects->count; i++) {
        const struct plumb_kube_object *o = &objects->items[i];

        if (!o->patch && !o->values && !plumb_kube_is_kustomization(o))
            add(c, &c->want, o->root);
    }
    for (size_t i = 0; out != NULL && i < out->doc_count; i++) {
        const struct plumb_doc *d = &out->docs[i];

        if (d->kind == PLUMB_DOC_YAML && plumb_starts_with(d->path, "kubernetes/") &&
            d->node != NULL && plumb_node_get(d->node, "apiVersion") != NULL)
            add(c, &c->want, d->node);
    }
}

static bool same_group(const struct object *a, const struct object *b)
{
    size_t n = strcspn(a->api, "/"), m = strcspn(b->api, "/");

    /* "v1" has no group */
    if (a->api[n] == '\0' || b->api[m] == '\0')
        return a->api[n] == b->api[m];
    return n == m && memcmp(a->api, b->api, n) == 0;
}

static bool same_kind(const struct object *a, const struct object *b)
{
    return strcmp(a->kind, b->kind) == 0 && same_group(a, b);
}

/* A namespace that is not said fits every one: whoever applies it chooses. */
static bool same_object(const struct object *a, const struct object *b)
{
    return same_kind(a, b) && strcmp(a->name, b->name) == 0 &&
           (a->space[0] == '\0' || b->space[0] == '\0' || strcmp(a->space, b->space) == 0);
}

static const struct object *partner(const struct objects *of, const struct object *o)
{
    for (size_t i = 0; i < of->count; i++) {
        if (same_object(&of->items[i], o))
            return &of->items[i];
    }
    return NULL;
}

static size_t count_kind(const struct objects *of, const struct object *o)
{
    size_t count = 0;

    for (size_t i = 0; i < of->count; i++)
        count += same_kind(&of->items[i], o);
    return count;
}

static struct plumb_diag *report(struct comparison *c, enum plumb_drift_kube_rule rule,
                                 struct plumb_span at, const struct object *o, const char *message)
{
    struct plumb_diag *d = plumb_diag_new(&c->run->session->sink, &plumb_drift_kube_rows[rule], at,
                                          "%s '%s'%s", o->kind, o->name, message);

    plumb_diag_object(d, "manifest", o->name, 0);
    return d;
}

/* ---- values ---- */

static bool is_nothing(const struct plumb_node *n)
{
    if (n->kind != PLUMB_SCALAR)
        return n->count == 0;
    return plumb_node_is_null(n) || n->scalar.len == 0 ||
           plumb_slice_is_exact(&n->scalar, "false") || plumb_slice_is_exact(&n->scalar, "0");
}

static bool same_quantity(const struct plumb_node *a, const struct plumb_node *b)
{
    uint64_t x = 0, y = 0;
    size_t bad = 0;

    return plumb_kube_quantity(a->scalar.text, a->scalar.len, &x, &bad) &&
           plumb_kube_quantity(b->scalar.text, b->scalar.len, &y, &bad) && x == y;
}

static bool same_scalar(const struct plumb_node *want, const struct plumb_node *got)
{
    if (want->scalar.len == got->scalar.len &&
        memcmp(want->scalar.text, got->scalar.text, got->scalar.len) == 0)
        return true;
    if (plumb_node_is_null(want) || (is_nothing(want) && is_nothing(got)))
        return true;
    if (plumb_kube_json_of(want) == PLUMB_KUBE_IS_BOOLEAN &&
        plumb_kube_json_of(got) == PLUMB_KUBE_IS_BOOLEAN)
        return plumb_kube_true(want) == plumb_kube_true(got);
    return same_quantity(want, got);
}

/*
 * The first part of two texts that is not the same, between two separators: its number, and the
 * part of each.
 */
static uint32_t other_part(const struct plumb_slice *a, const struct plumb_slice *b, char separator,
                           struct plumb_slice *x, struct plumb_slice *y)
{
    uint32_t from = 0, number = 1;

    for (uint32_t i = 0; i < a->len && i < b->len && a->text[i] == b->text[i]; i++) {
        if (a->text[i] == separator) {
            from = i + 1;
            number++;
        }
    }
    for (int k = 0; k < 2; k++) {
        const struct plumb_slice *s = k == 0 ? a : b;
        uint32_t end = from;

        while (end < s->len && s->text[end] != separator)
            end++;
        *(k == 0 ? x : y) = plumb_slice_sub(s, from, end);
    }
    return number;
}

static void note_source(struct plumb_diag *d, struct plumb_span at, struct plumb_span object)
{
    if (plumb_span_known(at))
        plumb_diag_note(d, at, "the source has it here");
    else if (plumb_span_known(object))
        plumb_diag_note(d, object, "the source makes it of this");
    plumb_diag_fact(d, "somebody changed the object, or the source has changed since; 'kubectl "
                       "apply' makes it what the source has");
}

static bool holds(const struct plumb_node *n, char c)
{
    return memchr(n->scalar.text, c, n->scalar.len) != NULL;
}

/* ---- what cannot change ---- */

static bool is_less(const struct plumb_node *want, const struct plumb_node *got)
{
    uint64_t x = 0, y = 0;
    size_t bad = 0;

    return want->kind == PLUMB_SCALAR && got->kind == PLUMB_SCALAR &&
           plumb_kube_quantity(want->scalar.text, want->scalar.len, &x, &bad) &&
           plumb_kube_quantity(got->scalar.text, got->scalar.len, &y, &bad) && x < y;
}

/* The row that forbids the change; NULL. A field that the object lacks may be added to some. */
static const struct plumb_kube_frozen *frozen(const struct comparison *c, const char *path,
                                              const struct plumb_node *want,
                                              const struct plumb_node *got)
{
    const struct plumb_kube_frozen *row = plumb_kube_frozen_at(c->table, c->w->kind, path);

    if (row == NULL || (got == NULL && plumb_ends_with(row->field, path)))
        return NULL;
    if (strcmp(row->when, "less") == 0 && (got == NULL || !is_less(want, got)))
        return NULL;
    if (strcmp(row->when, "immutable") == 0 &&
        !plumb_kube_true(plumb_node_get(c->g->root, "immutable")))
        return NULL;
    return row;
}

static void tell_frozen(struct comparison *c, const char *path, const struct plumb_kube_frozen *row,
                        const struct plumb_node *want, const struct plumb_node *got,
                        struct plumb_span at)
{
    const char *is =
        got == NULL ? "is not there" : plumb_arena_printf(c->a, "is %s", shown(c, got));
    struct plumb_diag *d = report(
        c, PLUMB_DRIFT_KUBE_FROZEN, at, c->g,
        plumb_arena_printf(c->a, ": %s %s, expected %s; %s", path, is, shown(c, want), row->then));

    if (plumb_span_known(want->at))
        plumb_diag_note(d, want->at, "the source has it here");
    else if (plumb_span_known(c->w->at))
        plumb_diag_note(d, c->w->at, "the source makes it of this");
    plumb_diag_help(d, "%s", row->way);
}

/* Of a text the line that differs, of a line the word. */
static void tell_text(struct comparison *c, const char *path, const struct plumb_node *want,
                      const struct plumb_node *got)
{
    bool lines = holds(want, '\n') || holds(got, '\n');
    struct plumb_slice w, g;
    uint32_t n = other_part(&want->scalar, &got->scalar, lines ? '\n' : ' ', &w, &g);
    const char *where = lines ? plumb_arena_printf(c->a, "line %u of %s is", n, path)
                              : plumb_arena_printf(c->a, "%s has", path);
    struct plumb_diag *d =
        report(c, PLUMB_DRIFT_KUBE_DIFFERS, g.len > 0 ? g.at : got->at, c->g,
               plumb_arena_printf(c->a, ": %s '%.*s', expected '%.*s'", where,
                                  (int)(g.len < MAX_SHOWN ? g.len : MAX_SHOWN), g.text,
                                  (int)(w.len < MAX_SHOWN ? w.len : MAX_SHOWN), w.text));

    note_source(d, want->at, c->w->at);
}

static void tell(struct comparison *c, const char *path, const struct plumb_node *want,
                 const struct plumb_node *got, struct plumb_span at)
{
    const struct plumb_kube_frozen *row = frozen(c, path, want, got);
    struct plumb_diag *d = NULL;

    if (row != NULL) {
        tell_frozen(c, path, row, want, got, at);
        return;
    }
    if (got != NULL && want->kind == PLUMB_SCALAR && got->kind == PLUMB_SCALAR &&
        (holds(want, '\n') || holds(want, ' '))) {
        tell_text(c, path, want, got);
        return;
    }
    d = report(c, PLUMB_DRIFT_KUBE_DIFFERS, at, c->g,
               got == NULL
                   ? plumb_arena_printf(c->a, " has no %s, expected %s", path, shown(c, want))
                   : plumb_arena_printf(c->a, ": %s is %s, expected %s", path, shown(c, got),
                                        shown(c, want)));
    note_source(d, want->at, c->w->at);
}

static void compare(struct comparison *c, const char *path, const struct plumb_node *want,
                    const struct plumb_node *got);

static void compare_maps(struct comparison *c, const char *path, const struct plumb_node *want,
                         const struct plumb_node *got)
{
    for (uint32_t i = 0; i < want->count; i++) {
        const char *key = plumb_node_text(want->pairs[i].key);
        const struct plumb_node *value = want->pairs[i].value;
        const struct plumb_node *other = key == NULL ? NULL : plumb_node_get(got, key);
        const char *inner = plumb_arena_printf(c->a, "%s.%s", path, key == NULL ? "" : key);

        if (key == NULL || strlen(inner) > MAX_PATH_LEN)
            continue;
        if (other != NULL)
            compare(c, inner, value, other);
        else if (!is_nothing(value))
            tell(c, inner, value, NULL, got->at);
    }
}

static const struct plumb_node *named(const struct plumb_node *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const char *own = plumb_node_text(plumb_node_get(list->items[i], "name"));

        if (own != NULL && strcmp(own, name) == 0)
            return list->items[i];
    }
    return NULL;
}

/* Items with a name are found by it, others by their place. */
static void compare_lists(struct comparison *c, const char *path, const struct plumb_node *want,
                          const struct plumb_node *got)
{
    for (uint32_t i = 0; i < want->count; i++) {
        const char *name = plumb_node_text(plumb_node_get(want->items[i], "name"));
        const struct plumb_node *other = name != NULL     ? named(got, name)
                                         : i < got->count ? got->items[i]
                                                          : NULL;
        const char *inner = name != NULL ? plumb_arena_printf(c->a, "%s[%s]", path, name)
                                         : plumb_arena_printf(c->a, "%s[%u]", path, i);

        if (strlen(inner) > MAX_PATH_LEN)
            continue;
        if (other != NULL)
            compare(c, inner, want->items[i], other);
        else
            tell(c, inner, want->items[i], NULL, got->at);
    }
}

static void compare(struct comparison *c, const char *path, const struct plumb_node *want,
                    const struct plumb_node *got)
{
    if (want->kind != got->kind) {
        if (!is_nothing(want) || !is_nothing(got))
            tell(c, path, want, got, got->at);
    } else if (want->kind == PLUMB_MAPPING) {
        compare_maps(c, path, want, got);
    } else if (want->kind == PLUMB_SEQUENCE) {
        compare_lists(c, path, want, got);
    } else if (!same_scalar(want, got)) {
        tell(c, path, want, got, got->at);
    }
}

/* What an object is: its state is the cluster's, and what is in a Secret is nobody's to compare. */
static void compare_objects(struct comparison *c)
{
    static const char *const sections[] = {
        "metadata/labels", "metadata/annotations", "spec",       "data", "roleRef", "provisioner",
        "reclaimPolicy",   "volumeBindingMode",    "parameters",
    };
    bool secret = strcmp(c->w->kind, "Secret") == 0;

    for (size_t i = 0; i < PLUMB_COUNT(sections) && !secret; i++) {
        const struct plumb_node *want = plumb_node_path(c->w->root, sections[i]);
        const struct plumb_node *got = plumb_node_path(c->g->root, sections[i]);
        const char *path =
            strncmp(sections[i], "metadata/", 9) == 0 ? sections[i] + 9 : sections[i];

        if (want == NULL || (got == NULL && is_nothing(want)))
            continue;
        if (got == NULL)
            tell(c, path, want, NULL, c->g->at);
        else
            compare(c, path, want, got);
    }
}

static void compare_pair(struct comparison *c)
{
    const char *flavour = plumb_kube_flavour_of(c->w->api);

    c->table = plumb_kube_table_find(flavour == NULL ? "k8s" : flavour, NULL);
    compare_objects(c);
}

/* ---- objects on one side only ---- */

static void tell_missing(struct comparison *c, const struct object *w)
{
    struct plumb_diag *d = NULL;

    /* One object alone was asked for by its name; a kind that is not listed was not asked for. */
    if (count_kind(&c->got, w) == 0 || c->got.count < 2)
        return;
    d = report(c, PLUMB_DRIFT_KUBE_MISSING, w->at, w,
               " is not among the objects of the cluster, expected it there");
    plumb_diag_fact(d, "it was never applied, or somebody deleted it");
}

static void tell_unknown(struct comparison *c, const struct object *g)
{
    /* Others may have objects of the built-in kinds. */
    if (plumb_kube_flavour_of(g->api) == NULL || count_kind(&c->want, g) == 0)
        return;
    (void)report(c, PLUMB_DRIFT_KUBE_UNKNOWN, g->at, g,
                 " is not in the source, expected it there, or not in the cluster");
}

/* ---- pods ---- */

static bool number_at(const struct plumb_node *root, const char *path, int64_t *out)
{
    const struct plumb_node *n = plumb_node_path(root, path);

    if (n == NULL || n->kind != PLUMB_SCALAR || plumb_kube_json_of(n) != PLUMB_KUBE_IS_INTEGER)
        return false;
    *out = plumb_kube_integer(n);
    return true;
}

static void check_pods(struct comparison *c, const struct object *g, const struct object *w)
{
    const struct plumb_node *status = plumb_node_get(g->root, "status"), *at = NULL;
    int64_t desired = 0, ready = 0;
    struct plumb_diag *d = NULL;

    if (strcmp(g->kind, "NodeSet") != 0 || status == NULL)
        return;
    if (!number_at(status, "desired", &desired) && !number_at(g->root, "spec/replicas", &desired))
        return;
    at = plumb_node_get(status, "readyReplicas");
    if (at != NULL && !number_at(status, "readyReplicas", &ready))
        return;
    if (ready >= desired)
        return;
    d = report(c, PLUMB_DRIFT_KUBE_PODS, at != NULL ? at->at : g->at, g,
               plumb_arena_printf(c->a, " has %" PRId64 " of %" PRId64 " pods ready, expected all",
                                  ready, desired));
    if (w != NULL && plumb_span_known(w->at))
        plumb_diag_note(d, w->at, "the set of the source");
    plumb_diag_fact(d, "'kubectl describe pod' tells what keeps the others");
}

void plumb_pass_compare_kube(struct plumb_run *r)
{
    struct comparison c = {.run = r, .a = r->session->arena};
    struct plumb_compare_nodes nodes = {
        .run = r, .a = r->session->arena, .told = plumb_map_in(r->session->arena)};

    if (!r->drifting)
        return;
    collect_live(&c);
    if (c.got.count > 0)
        collect_source(&c);
    for (size_t i = 0; i < c.want.count; i++) {
        c.w = &c.want.items[i];
        c.g = partner(&c.got, c.w);
        if (c.g == NULL)
            tell_missing(&c, c.w);
        else if (strcmp(c.w->api, c.g->api) == 0) /* another version has other fields */
            compare_pair(&c);
    }
    for (size_t i = 0; i < c.got.count; i++) {
        const struct object *g = &c.got.items[i], *w = partner(&c.want, g);

        if (w == NULL)
            tell_unknown(&c, g);
        check_pods(&c, g, w);
        if (strcmp(g->kind, "Node") == 0 && strcmp(g->api, "v1") == 0)
            plumb_compare_add_node(&nodes, g->root, g->name);
    }
    for (size_t i = 0; i < c.want.count; i++) {
        if (strcmp(c.want.items[i].kind, "NodeSet") == 0)
            plumb_compare_nodeset(&nodes, c.want.items[i].root, c.want.items[i].name,
                                  c.want.items[i].at);
    }
    plumb_compare_lines(&nodes);
    r->outputs = NULL; /* they were made to be compared */
}
