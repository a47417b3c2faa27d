/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a YAML tree along the tables of the language. There is no code per key here: what
 * a key may hold is its row. Each mistake is reported where it stands, the value is then
 * bad, and walking goes on beside it.
 */
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "spec/scalar.h"

struct reader {
    struct plumb_session *s;
    const struct plumb_node *root;
    bool partial; /* reading stopped at a fault: what is missing may stand behind it */
};

static void read_value(struct reader *rd, struct plumb_spec_value *v, const struct plumb_node *n);

static const char *shape_name(const struct plumb_node *n)
{
    if (n->kind == PLUMB_MAPPING)
        return "a mapping";
    return n->kind == PLUMB_SEQUENCE ? "a list" : "a single value";
}

static void wrong_kind(struct reader *rd, struct plumb_spec_value *v, const struct plumb_node *n)
{
    const char *expected = plumb_spec_kind_name(v->row->kind);

    plumb_spec_bad(rd->s, v, PLUMB_SPEC_WRONG_KIND, n->at, "'%s' is %s, expected %s%s", v->name,
                   shape_name(n), expected,
                   v->row->list && n->kind == PLUMB_MAPPING ? " or a list of them" : "");
}

/* A key cannot be told from "did you mean" alone when it belongs in another section. */
static const char *section_with(const char *name)
{
    for (size_t i = 0; i < plumb_spec_root.count; i++) {
        const struct plumb_spec_key *row = &plumb_spec_root.keys[i];

        if (row->of == NULL)
            continue;
        for (size_t k = 0; k < row->of->count; k++) {
            if (strcmp(row->of->keys[k].name, name) == 0)
                return row->name;
        }
    }
    return NULL;
}

/* Reports; gives the row of the key that was probably meant, or NULL. */
static const struct plumb_spec_key *unknown_key(struct reader *rd,
                                                const struct plumb_spec_value *map,
                                                const struct plumb_spec_table *t,
                                                const struct plumb_slice *key)
{
    struct plumb_nearest near = plumb_nearest_to(key->text);
    const char *where = map->name[0] != '\0' ? map->name : t->title;
    const char *quote = map->name[0] != '\0' ? "'" : "";
    const char *section = section_with(key->text);

    for (size_t i = 0; i < t->count; i++)
        plumb_nearest_offer(&near, t->keys[i].name);

    struct plumb_diag *d =
        plumb_diag_new(&rd->s->sink, plumb_spec_rule(PLUMB_SPEC_UNKNOWN_KEY), key->at,
                       "unknown key '%s' in %s%s%s%s%s%s", key->text, quote, where, quote,
                       near.best != NULL ? ", did you mean '" : "",
                       near.best != NULL ? near.best : "", near.best != NULL ? "'?" : "");

    if (near.best != NULL)
        plumb_diag_edit(d, key->at, false, near.best);
    else if (section != NULL)
        plumb_diag_fact(d, "section '%s' has a key of this name", section);
    return near.best != NULL ? plumb_spec_find(t, near.best) : NULL;
}

static struct plumb_spec_value *add(struct reader *rd, struct plumb_spec_value *to)
{
    to->items = plumb_arena_grow(rd->s->arena, to->items, to->count, &to->cap, sizeof(*to->items));
    return &to->items[to->count++];
}

/* The mapping ends where reading stopped: more of it may stand behind the fault. */
static bool is_cut(const struct reader *rd, const struct plumb_node *n)
{
    const struct plumb_node *last = rd->partial ? rd->root : NULL;

    while (last != NULL && last != n && last->kind != PLUMB_SCALAR && last->count > 0)
        last = last->kind == PLUMB_MAPPING ? last->pairs[last->count - 1].value
                                           : last->items[last->count - 1];
    return last != NULL && last == n;
}

static void missing_keys(struct reader *rd, const struct plumb_spec_value *map,
                         const struct plumb_spec_table *t)
{
    const char *quote = map->name[0] != '\0' ? "'" : "";

    if (is_cut(rd, map->node))
        return;
    for (size_t i = 0; i < t->count; i++) {
        const struct plumb_spec_key *row = &t->keys[i];

        if (!row->required || plumb_spec_get(map, row->name) != NULL)
            continue;
        plumb_diag_new(&rd->s->sink, plumb_spec_rule(PLUMB_SPEC_MISSING_KEY), map->key_at,
                       "%s%s%s has no key '%s', which it needs: %s", quote,
                       map->name[0] != '\0' ? map->name : t->title, quote, row->name, row->doc);
    }
}

void plumb_spec_not_compiled(struct plumb_session *s, const struct plumb_spec_value *v)
{
    bool section = plumb_spec_find(&plumb_spec_root, v->name) == v->row;

    plumb_diag_new(&s->sink, plumb_spec_rule(PLUMB_SPEC_NOT_COMPILED), v->key_at,
                   "%s '%s' is known%s, but this version compiles nothing from it",
                   section ? "section" : "key", v->name,
                   v->row->for_jobs ? " and job scripts are checked against it" : "");
}

static void read_pair(struct reader *rd, struct plumb_spec_value *map,
                      const struct plumb_spec_key *row, const char *name,
                      const struct plumb_pair *p)
{
    struct plumb_spec_value *v = add(rd, map);

    *v = (struct plumb_spec_value){
        .row = row,
        .name = plumb_intern_text(rd->s->intern, name, strlen(name)),
        .key_at = p->key->at,
        .at = p->value->at,
        .node = p->value,
    };
    read_value(rd, v, p->value);
    if (row->later && v->origin != PLUMB_BAD)
        plumb_spec_not_compiled(rd->s, v);
}

/*
 * A misspelt key is read as the one that was meant, so that what stands in it is looked at
 * too, and nobody misses the key.
 */
static void read_misspelt(struct reader *rd, struct plumb_spec_value *map,
                          const struct plumb_spec_key *row, const struct plumb_node *n,
                          const struct plumb_pair *p)
{
    if (row == NULL || row->later || plumb_node_get(n, row->name) != NULL ||
        plumb_spec_get(map, row->name) != NULL)
        return;
    read_pair(rd, map, row, row->name, p);
}

static void read_map(struct reader *rd, struct plumb_spec_value *v,
                     const struct plumb_spec_table *t, const struct plumb_node *n)
{
    v->shape = PLUMB_SHAPE_MAP;
    v->origin = PLUMB_GIVEN;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct plumb_slice *key = &n->pairs[i].key->scalar;
        const struct plumb_spec_key *row = plumb_spec_find(t, key->text);

        if (row == NULL)
            read_misspelt(rd, v, unknown_key(rd, v, t, key), n, &n->pairs[i]);
        else
            read_pair(rd, v, row, key->text, &n->pairs[i]);
    }
    missing_keys(rd, v, t);
}

/* "cp-01" for {name: cp-01}, and Slurm's "cp-01(10.0.0.10)" for both keys. */
static void read_short(struct reader *rd, struct plumb_spec_value *v, const char *key,
                       const struct plumb_slice *text)
{
    const struct plumb_spec_table *t = plumb_spec_inside(v->row);
    struct plumb_spec_value *inner = add(rd, v);

    v->shape = PLUMB_SHAPE_MAP;
    v->origin = PLUMB_GIVEN;
    *inner = (struct plumb_spec_value){
        .row = plumb_spec_find(t, key),
        .name = key,
        .key_at = v->key_at,
        .at = text->at,
        .text = *text,
    };
    plumb_spec_scalar(rd->s, inner);
}

static void read_short_host(struct reader *rd, struct plumb_spec_value *v,
                            const struct plumb_slice *text)
{
    const char *open = memchr(text->text, '(', text->len);
    size_t at = open == NULL ? text->len : (size_t)(open - text->text);
    struct plumb_slice name = plumb_slice_sub(text, 0, at), address = {0};

    if (open == NULL || at + 2 >= text->len || text->text[text->len - 1] != ')') {
        read_short(rd, v, "name", text);
        return;
    }
    name.text = plumb_intern_text(rd->s->intern, text->text, at);
    address = plumb_slice_sub(text, at + 1, text->len - 1);
    address.text = plumb_intern_text(rd->s->intern, open + 1, address.len);
    read_short(rd, v, "name", &name);
    read_short(rd, v, "address", &address);
}

static void read_entries(struct reader *rd, struct plumb_spec_value *v, const struct plumb_node *n)
{
    static const struct plumb_spec_key capture_row = {.name = "capture", .kind = PLUMB_K_TEXT};

    v->shape = PLUMB_SHAPE_MAP;
    v->origin = PLUMB_GIVEN;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct plumb_slice *key = &n->pairs[i].key->scalar;
        struct plumb_spec_key name_row = {.name = v->row->name, .kind = PLUMB_K_NAME};
        struct plumb_spec_value name = {.row = &name_row, .name = v->name, .text = *key};
        struct plumb_spec_value *e = add(rd, v);

        if (key->len == 0)
            plumb_spec_bad(rd->s, &name, PLUMB_SPEC_EMPTY, key->at,
                           "a name in '%s' is empty, expected text", v->name);
        else
            plumb_spec_scalar(rd->s, &name);
        *e = (struct plumb_spec_value){
            .row = v->row->of != NULL ? v->row : &capture_row,
            .name = plumb_intern_text(rd->s->intern, key->text, key->len),
            .key_at = key->at,
            .at = n->pairs[i].value->at,
            .node = n->pairs[i].value,
        };
        if (v->row->of == NULL)
            read_value(rd, e, e->node);
        else if (plumb_node_is_null(e->node))
            plumb_spec_bad(rd->s, e, PLUMB_SPEC_EMPTY, e->key_at, "'%s' is empty, expected %s",
                           e->name, "a mapping");
        else if (e->node->kind != PLUMB_MAPPING)
            wrong_kind(rd, e, e->node);
        else
            read_map(rd, e, v->row->of, e->node);
        if (name.origin == PLUMB_BAD)
            e->origin = PLUMB_BAD;
    }
    plumb_spec_index(rd->s->arena, v);
}

/* Names and words that stand twice in one list. Text may. */
static void check_repeated(struct reader *rd, struct plumb_spec_value *v)
{
    struct plumb_map seen = plumb_map_in(rd->s->arena);

    for (size_t i = 0; i < v->count; i++) {
        struct plumb_spec_value *item = &v->items[i];
        const struct plumb_spec_value *what =
            item->shape == PLUMB_SHAPE_MAP ? plumb_spec_get(item, "name") : item;

        if (what == NULL || what->shape != PLUMB_SHAPE_SCALAR || !plumb_usable(*what) ||
            what->text.len == 0)
            continue;

        struct plumb_map_entry *e = plumb_map_entry(&seen, what->text.text, what->text.len);

        if (e->value == NULL) {
            e->value = item;
            continue;
        }

        const struct plumb_spec_value *first = e->value;
        struct plumb_diag *d = plumb_spec_bad(rd->s, item, PLUMB_SPEC_DUPLICATE, what->at,
                                              "'%.*s' stands twice in '%s'", (int)what->text.len,
                                              what->text.text, v->name);

        plumb_diag_note(d, first->at, "first here");
    }
}

static void read_secret(struct reader *rd, struct plumb_spec_value *v, const struct plumb_node *n)
{
    if (n->kind == PLUMB_MAPPING)
        read_map(rd, v, plumb_spec_inside(v->row), n);
    else
        plumb_spec_bad(rd->s, v, PLUMB_SPEC_SECRET_VALUE, n->at,
                       "'%s' takes a reference such as {secret: NAME, key: KEY}, not the secret "
                       "itself",
                       v->name);
}

/* Plain text of several lines before the place where reading stopped: it ran on to that place. */
static bool is_swallowed(const struct reader *rd, const struct plumb_node *n)
{
    const struct plumb_source *src = plumb_source_get(&rd->s->sources, n->at.file);

    return n->style == PLUMB_PLAIN && is_cut(rd, n) && src != NULL &&
           memchr(src->bytes + n->at.begin, '\n', n->at.end - n->at.begin) != NULL;
}

static void read_scalar(struct reader *rd, struct plumb_spec_value *v, const struct plumb_node *n)
{
    const struct plumb_spec_key *row = v->row;

    v->text = n->scalar;
    if (is_swallowed(rd, n)) {
        v->origin = PLUMB_BAD;
        return;
    }
    if (strstr(n->scalar.text, "PRIVATE KEY-----") != NULL) {
        plumb_spec_bad(rd->s, v, PLUMB_SPEC_SECRET_VALUE, n->at,
                       "'%s' holds a private key, expected %s", v->name,
                       plumb_spec_kind_name(row->kind));
    } else if (row->kind == PLUMB_K_HOST) {
        read_short_host(rd, v, &n->scalar);
    } else if (row->kind == PLUMB_K_MAP && row->shorthand != NULL) {
        read_short(rd, v, row->shorthand, &n->scalar);
    } else if (row->kind == PLUMB_K_MAP || row->kind == PLUMB_K_ENTRIES ||
               row->kind == PLUMB_K_RAW) {
        wrong_kind(rd, v, n);
    } else {
        v->shape = PLUMB_SHAPE_SCALAR;
        plumb_spec_scalar(rd->s, v);
    }
}

static bool is_empty(const struct plumb_node *n)
{
    return plumb_node_is_null(n) || (n->kind == PLUMB_SCALAR && n->scalar.len == 0);
}

/* One value of a row, be it a list or not. */
static void read_one(struct reader *rd, struct plumb_spec_value *v, const struct plumb_node *n)
{
    const struct plumb_spec_table *inside = plumb_spec_inside(v->row);

    if (n->reported)
        v->origin = PLUMB_BAD;
    else if (is_empty(n))
        plumb_spec_bad(rd->s, v, PLUMB_SPEC_EMPTY, plumb_span_known(n->at) ? v->key_at : n->at,
                       "'%s' is empty, expected %s", v->name, plumb_spec_kind_name(v->row->kind));
    else if (v->row->kind == PLUMB_K_SECRET)
        read_secret(rd, v, n);
    else if (n->kind == PLUMB_SCALAR)
        read_scalar(rd, v, n);
    else if (n->kind == PLUMB_SEQUENCE)
        wrong_kind(rd, v, n);
    else if (v->row->kind == PLUMB_K_ENTRIES)
        read_entries(rd, v, n);
    else if (inside != NULL)
        read_map(rd, v, inside, n);
    else
        wrong_kind(rd, v, n);
}

static void read_list(struct reader *rd, struct plumb_spec_value *v, const struct plumb_node *n)
{
    bool one = n->kind != PLUMB_SEQUENCE;

    v->shape = PLUMB_SHAPE_LIST;
    v->origin = PLUMB_GIVEN;
    if (!one && n->count == 0)
        plumb_spec_bad(rd->s, v, PLUMB_SPEC_EMPTY, n->at, "'%s' is an empty list, expected %s",
                       v->name, plumb_spec_kind_name(v->row->kind));
    for (uint32_t i = 0; i < (one ? 1 : n->count); i++) {
        const struct plumb_node *item = one ? n : n->items[i];
        struct plumb_spec_value *e = add(rd, v);

        *e = (struct plumb_spec_value){
            .row = v->row,
            .name = v->name,
            .key_at = one ? v->key_at : item->at,
            .at = item->at,
            .node = item,
        };
        read_one(rd, e, item);
    }
    check_repeated(rd, v);
}

/* Whether the value is a list of the row's kind; one value alone is a list of one. */
static bool is_list(const struct plumb_spec_key *row, const struct plumb_node *n)
{
    if (row->kind == PLUMB_K_CORES)
        return n->kind == PLUMB_SEQUENCE;
    if (row->kind != PLUMB_K_HOSTS && !row->list)
        return false;
    return n->kind != PLUMB_MAPPING || plumb_spec_inside(row) != NULL;
}

static void read_value(struct reader *rd, struct plumb_spec_value *v, const struct plumb_node *n)
{
    if (v->row->kind == PLUMB_K_ANY || (v->row->kind == PLUMB_K_RAW && n->kind == PLUMB_MAPPING)) {
        v->shape = PLUMB_SHAPE_RAW;
        v->origin = PLUMB_GIVEN;
    } else if (!is_empty(n) && is_list(v->row, n)) {
        read_list(rd, v, n);
    } else {
        read_one(rd, v, n);
    }
}

static void check_version(struct reader *rd, struct plumb_spec_value *root)
{
    const struct plumb_spec_value *v = plumb_spec_get(root, "plumb");

    if (v != NULL && plumb_usable(*v) && v->number != 1)
        plumb_diag_new(&rd->s->sink, plumb_spec_rule(PLUMB_SPEC_VERSION), v->at,
                       "version %s of the language is not known, expected 1", v->text.text);
}

/* Where a key that the whole specification lacks is reported: the first key there is. */
static struct plumb_span root_at(const struct plumb_source *src, const struct plumb_node *root)
{
    if (root != NULL && root->kind == PLUMB_MAPPING && root->count > 0)
        return root->pairs[0].key->at;
    return (struct plumb_span){.file = src->id};
}

struct plumb_spec *plumb_spec_read(struct plumb_session *s, const struct plumb_source *src,
                                   const struct plumb_node *root, bool partial)
{
    static const struct plumb_spec_key root_row = {
        .name = "", .kind = PLUMB_K_MAP, .of = &plumb_spec_root};
    struct reader rd = {.s = s, .root = root, .partial = partial};
    struct plumb_spec *spec = PLUMB_NEW(s->arena, struct plumb_spec);

    spec->src = src;
    spec->partial = partial;
    spec->root = (struct plumb_spec_value){
        .row = &root_row,
        .shape = PLUMB_SHAPE_MAP,
        .name = "",
        .key_at = root_at(src, root),
        .at = root != NULL ? root->at : root_at(src, root),
        .origin = PLUMB_GIVEN,
        .node = root,
    };
    if (root != NULL && root->kind == PLUMB_MAPPING) {
        read_map(&rd, &spec->root, &plumb_spec_root, root);
        check_version(&rd, &spec->root);
    } else if (!partial) {
        plumb_spec_bad(s, &spec->root, PLUMB_SPEC_WRONG_KIND, spec->root.at,
                       "the specification is %s, expected a mapping that begins with 'plumb: 1'",
                       root == NULL ? "empty" : shape_name(root));
    }
    return spec;
}
