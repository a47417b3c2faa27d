/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file in YAML against the rows of the table (data_parser: parsing.c, parsers.c). A key that the
 * parser lacks is passed over, a value of a wrong kind ends the daemon, numbers that do not fit
 * are cut without a word.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "conf/check.h"
#include "conf/nested.h"
#include "schema/trait.h"
#include "schema/value.h"

/* What stands at the top of each file. */
static const struct {
    enum plumb_file file;
    enum plumb_type type;
    enum plumb_scope scope;
    const char *wanted;
} tops[] = {
    {PLUMB_TOPOLOGY_YAML, PLUMB_T_MAPPINGS, PLUMB_SCOPE_TOPOLOGY, "a list of topologies"},
    {PLUMB_RESOURCES_YAML, PLUMB_T_MAPPING_LIST, PLUMB_SCOPE_RESOURCE, "a list of resources"},
    {PLUMB_NAMESPACE_YAML, PLUMB_T_MAPPING, PLUMB_SCOPE_GLOBAL,
     "a mapping with 'defaults' or 'node_confs'"},
};

static enum plumb_effect unknown_effect(const struct plumb_conf_check *ck)
{
    return plumb_trait_value(ck->table, ck->release, PLUMB_TRAIT_UNKNOWN_YAML_KEYS_TOLD) > 0
               ? PLUMB_EFFECT_COMPLAINS
               : PLUMB_EFFECT_IGNORED;
}

static const char *kind_of(const struct plumb_node *n)
{
    if (n->kind == PLUMB_SCALAR)
        return plumb_node_is_null(n) ? "nothing" : "one value";
    return n->kind == PLUMB_SEQUENCE ? "a list" : "a mapping";
}

/* The key's own line for what is missing behind it, the first byte of a collection. */
static struct plumb_span place_of(const struct plumb_node *n, struct plumb_span key)
{
    if (n->kind == PLUMB_SCALAR)
        return n->scalar.len > 0 ? n->at : key;
    if (n->kind == PLUMB_MAPPING && n->count > 0)
        return n->pairs[0].key->at;
    return (struct plumb_span){n->at.file, n->at.begin, n->at.begin + 1};
}

static void wrong_kind(const struct plumb_conf_check *ck, const char *what,
                       const struct plumb_node *n, struct plumb_span key, const char *wanted)
{
    plumb_conf_report(ck, PLUMB_CONF_WRONG_TYPE, place_of(n, key), PLUMB_EFFECT_STOPS, 0,
                      "%s holds %s, expected %s", what, kind_of(n), wanted);
}

static void check_mapping(const struct plumb_conf_check *ck, const struct plumb_node *n,
                          enum plumb_scope scope);

/* A pair being held against its row. */
struct pair {
    const struct plumb_conf_check *ck;
    const struct plumb_param *param;
    const struct plumb_param_rev *rev;
    const struct plumb_node *key, *value;
    const char *shown; /* "'tree'" */
};

static void wrong_value(const struct pair *p, const struct plumb_node *n, const char *wanted)
{
    wrong_kind(p->ck, p->shown, n, p->key->at, wanted);
}

static void check_mappings(const struct pair *p, const struct plumb_node *n, bool one_will_do)
{
    if (n->kind == PLUMB_MAPPING && one_will_do) {
        check_mapping(p->ck, n, (enum plumb_scope)p->param->holds);
        return;
    }
    if (n->kind != PLUMB_SEQUENCE) {
        wrong_value(p, n, "a list of mappings");
        return;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->items[i]->kind == PLUMB_MAPPING)
            check_mapping(p->ck, n->items[i], (enum plumb_scope)p->param->holds);
        else
            wrong_kind(p->ck, "an entry", n->items[i], n->items[i]->at, "a mapping");
    }
}

static void check_bool(const struct pair *p, const struct plumb_node *n)
{
    bool value = false;

    if (n->kind != PLUMB_SCALAR)
        wrong_value(p, n, "true or false");
    else if (!plumb_nested_bool(n, &value))
        plumb_conf_report(p->ck, PLUMB_CONF_NOT_IN_SET, n->at, PLUMB_EFFECT_NONE, 0,
                          "'%s' of %s counts as true, expected true or false",
                          plumb_shown(p->ck, &n->scalar), p->shown);
}

/* {set: true, number: 5} is a number with its flags (UINT32_NO_VAL_STRUCT). */
static bool is_number_struct(const struct plumb_node *n)
{
    return plumb_node_get(n, "number") != NULL || plumb_node_get(n, "set") != NULL ||
           plumb_node_get(n, "infinite") != NULL;
}

static bool check_int(const struct pair *p, const struct plumb_node *n, int64_t *value)
{
    if (n->kind == PLUMB_SCALAR && plumb_nested_int(&n->scalar, value))
        return true;
    if (n->kind != PLUMB_SCALAR || n->scalar.len == 0)
        wrong_value(p, n, "a whole number");
    else
        plumb_conf_report(p->ck, PLUMB_CONF_WRONG_TYPE, n->at, PLUMB_EFFECT_STOPS, 0,
                          "'%s' of %s is no number, expected a whole number",
                          plumb_shown(p->ck, &n->scalar), p->shown);
    return false;
}

static void check_uint(const struct pair *p, const struct plumb_node *n, int64_t max)
{
    int64_t value = 0;

    if (max == UINT32_MAX && n->kind == PLUMB_MAPPING && is_number_struct(n))
        return;
    if (!check_int(p, n, &value) || (value >= 0 && value <= max))
        return;
    /* What is left of a coordinate matches no number of nodes; other numbers are just used. */
    plumb_conf_report(p->ck, PLUMB_CONF_OUT_OF_RANGE, n->at,
                      max == UINT16_MAX ? PLUMB_EFFECT_STOPS : PLUMB_EFFECT_NONE, 0,
                      "'%s' of %s does not fit, expected 0 to %" PRId64 ", and %s",
                      plumb_shown(p->ck, &n->scalar), p->shown, max,
                      max == UINT16_MAX ? "is cut" : "another number is used without a word");
}

/* INT32_LIST: a list, or one number for a list of one. */
static void check_int_list(const struct pair *p, const struct plumb_node *n)
{
    const struct plumb_node *const *items = (const struct plumb_node *const *)n->items;
    uint32_t count = n->count;

    if (n->kind == PLUMB_MAPPING) {
        wrong_value(p, n, "a list of whole numbers");
        return;
    }
    if (n->kind == PLUMB_SCALAR) {
        items = &n;
        count = 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = 0;

        if (check_int(p, items[i], &value) && (value > INT32_MAX || value < INT32_MIN))
            plumb_conf_report(p->ck, PLUMB_CONF_OUT_OF_RANGE, items[i]->at, PLUMB_EFFECT_STOPS, 0,
                              "'%s' of %s is too large, expected at most %d",
                              plumb_shown(p->ck, &items[i]->scalar), p->shown, INT32_MAX);
    }
}

/* topology.yaml has host lists as texts; the parsers of the other files take lists of names too. */
static void check_hosts(const struct pair *p, const struct plumb_node *n)
{
    bool list = p->ck->file != PLUMB_TOPOLOGY_YAML;

    if (n->kind == PLUMB_MAPPING || (n->kind == PLUMB_SEQUENCE && !list)) {
        wrong_value(p, n, "a host list as one text, such as 'n[1-4]'");
        return;
    }
    for (uint32_t i = 0; n->kind == PLUMB_SEQUENCE && i < n->count; i++) {
        if (n->items[i]->kind != PLUMB_SCALAR)
            wrong_kind(p->ck, "an entry", n->items[i], n->items[i]->at, "a host name");
    }
}

static void check_word(const struct pair *p, const struct plumb_node *n)
{
    const struct plumb_value *v = plumb_param_value(p->param, n->scalar.text, n->scalar.len);

    if (n->kind != PLUMB_SCALAR) {
        wrong_kind(p->ck, "an entry", n, n->at, "a word");
        return;
    }
    if (v != NULL && plumb_value_there(v, p->ck->release))
        return;

    struct plumb_nearest near = plumb_nearest_to(n->scalar.text);
    struct plumb_buf words = plumb_buf_in(p->ck->sink->arena);

    for (size_t i = 0; i < p->param->value_count; i++) {
        const struct plumb_value *known = &p->param->values[i];

        if (!plumb_value_there(known, p->ck->release))
            continue;
        plumb_nearest_offer(&near, known->word);
        plumb_buf_printf(&words, "%s%s", words.len > 0 ? ", " : "", known->word);
    }
    plumb_conf_report(p->ck, v != NULL ? PLUMB_CONF_WORD_OF_OTHER_RELEASE : PLUMB_CONF_NOT_IN_SET,
                      n->scalar.len > 0 ? n->at : p->key->at,
                      p->rev->has_bad ? (enum plumb_effect)p->rev->bad : PLUMB_EFFECT_IGNORED, 0,
                      "'%s' is no word of %s, expected one of %s", plumb_shown(p->ck, &n->scalar),
                      p->shown, plumb_buf_text(&words));
}

/* One word, or a list of them. */
static void check_words(const struct pair *p, const struct plumb_node *n)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    if (n->kind == PLUMB_MAPPING) {
        wrong_value(p, n, "a word or a list of words");
        return;
    }
    for (uint32_t i = 0; n->kind == PLUMB_SEQUENCE && i < n->count; i++)
        check_word(p, n->items[i]);
    if (n->kind != PLUMB_SCALAR || (plumb_node_is_null(n) && p->rev->type != PLUMB_T_ENUM))
        return;
    if (p->rev->type == PLUMB_T_ENUM) {
        check_word(p, n);
        return;
    }
    while (plumb_list_next(&n->scalar, ',', &c, &item)) {
        struct plumb_node one = {.kind = PLUMB_SCALAR, .scalar = item};

        check_word(p, &one);
    }
}

static void check_value(const struct pair *p)
{
    const struct plumb_node *n = p->value;

    switch ((enum plumb_type)p->rev->type) {
    case PLUMB_T_MAPPING:
        if (n->kind == PLUMB_MAPPING)
            check_mapping(p->ck, n, (enum plumb_scope)p->param->holds);
        else
            wrong_value(p, n, "a mapping");
        break;
    case PLUMB_T_MAPPINGS:
    case PLUMB_T_MAPPING_LIST:
        check_mappings(p, n, p->rev->type == PLUMB_T_MAPPINGS);
        break;
    case PLUMB_T_BOOL_OR_MAPPING:
        if (n->kind == PLUMB_MAPPING)
            check_mapping(p->ck, n, (enum plumb_scope)p->param->holds);
        else
            check_bool(p, n);
        break;
    case PLUMB_T_BOOL:
        check_bool(p, n);
        break;
    case PLUMB_T_U16:
        check_uint(p, n, UINT16_MAX);
        break;
    case PLUMB_T_U32:
        check_uint(p, n, UINT32_MAX);
        break;
    case PLUMB_T_INT_LIST:
        check_int_list(p, n);
        break;
    case PLUMB_T_HOST_LIST:
        check_hosts(p, n);
        break;
    case PLUMB_T_ENUM:
    case PLUMB_T_WORD_LIST:
        check_words(p, n);
        break;
    default:
        if (n->kind != PLUMB_SCALAR)
            wrong_value(p, n, "one value");
        break;
    }
}

/* "an entry of the list", "tree.switches[]", "the file". */
static const char *scope_text(enum plumb_scope scope)
{
    return scope == PLUMB_SCOPE_GLOBAL ? "the file" : plumb_scope_name(scope);
}

static void report_unknown(const struct plumb_conf_check *ck, const struct plumb_node *key,
                           enum plumb_scope scope)
{
    const char *near =
        plumb_param_suggest(ck->table, ck->file, scope, ck->release, plumb_shown(ck, &key->scalar));
    struct plumb_diag *d = plumb_conf_report(
        ck, PLUMB_CONF_UNKNOWN, key->at, unknown_effect(ck), 0, "'%s' is no key of %s%s",
        plumb_shown(ck, &key->scalar), scope_text(scope),
        near == NULL ? "" : plumb_arena_printf(ck->sink->arena, ", did you mean '%s'?", near));

    if (near != NULL)
        plumb_diag_edit(d, key->at, false, near);
}

static void report_release(const struct plumb_conf_check *ck, const struct plumb_param *param,
                           const struct plumb_node *key)
{
    enum plumb_release first, last;

    plumb_param_span(param, &first, &last);
    if (ck->release < first)
        plumb_conf_report(ck, PLUMB_CONF_NOT_YET, key->at, unknown_effect(ck), 0,
                          "'%s' is there from %s on", param->name, plumb_release_name(first));
    else
        plumb_conf_report(ck, PLUMB_CONF_REMOVED, key->at, unknown_effect(ck), 0,
                          "'%s' was there up to %s", param->name, plumb_release_name(last));
}

/* Keys are compared with their case (data.c:data_key_get). */
static void check_pair(const struct plumb_conf_check *ck, const struct plumb_pair *pair,
                       enum plumb_scope scope)
{
    const struct plumb_slice *key = &pair->key->scalar;
    const struct plumb_param *param =
        plumb_param_find(ck->table, ck->file, scope, key->text, key->len);
    struct pair p = {.ck = ck, .param = param, .key = pair->key, .value = pair->value};

    if (param == NULL || !plumb_slice_is_exact(key, param->name)) {
        report_unknown(ck, pair->key, scope);
        return;
    }
    p.rev = plumb_param_at(param, ck->release);
    if (p.rev->life == PLUMB_LIFE_NONE) {
        report_release(ck, param, pair->key);
        return;
    }
    p.shown = plumb_arena_printf(ck->sink->arena, "'%s'", param->name);
    if (!pair->value->reported)
        check_value(&p);
}

static void check_required(const struct plumb_conf_check *ck, const struct plumb_node *n,
                           enum plumb_scope scope)
{
    const struct plumb_rule *row = &plumb_nested_rows[PLUMB_NESTED_MISSING];
    unsigned daemons = plumb_file_daemons(ck->file);
    struct plumb_diag *d = NULL;

    for (size_t i = 0; i < plumb_table_ids(ck->table); i++) {
        const struct plumb_param *p = plumb_param_row(ck->table, i);

        if (p == NULL || p->file != (unsigned)ck->file || p->scope != (unsigned)scope ||
            !p->required || plumb_param_at(p, ck->release)->life == PLUMB_LIFE_NONE ||
            plumb_node_get(n, p->name) != NULL)
            continue;
        d = plumb_diag_new(ck->sink, row, place_of(n, n->at), "%s lacks '%s', expected one",
                           scope_text(scope), p->name);
        plumb_conf_does(ck, d, PLUMB_EFFECT_STOPS, daemons);
        plumb_diag_effect(d, PLUMB_EFFECT_STOPS, daemons);
    }
}

static void check_mapping(const struct plumb_conf_check *ck, const struct plumb_node *n,
                          enum plumb_scope scope)
{
    if (n->from_alias) /* reported, and its places are those of the anchor */
        return;
    for (uint32_t i = 0; i < n->count; i++)
        check_pair(ck, &n->pairs[i], scope);
    check_required(ck, n, scope);
}

static void check_top(const struct plumb_conf_check *ck, const struct plumb_nested *tree, size_t t)
{
    const struct plumb_node *n = tree->root;
    struct plumb_span start = {tree->src->id, 0, tree->src->len > 0};

    if (n == NULL || (n->kind == PLUMB_SCALAR && plumb_node_is_null(n))) {
        if (!tree->yaml->partial && (n == NULL || !n->reported))
            plumb_conf_report(ck, PLUMB_CONF_WRONG_TYPE, start, PLUMB_EFFECT_STOPS, 0,
                              "the file holds nothing, expected %s", tops[t].wanted);
        return;
    }
    if (n->kind == PLUMB_MAPPING && tops[t].type != PLUMB_T_MAPPING_LIST) {
        check_mapping(ck, n, tops[t].scope);
        return;
    }
    if (n->kind != PLUMB_SEQUENCE || tops[t].type == PLUMB_T_MAPPING) {
        wrong_kind(ck, "the file", n, start, tops[t].wanted);
        return;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->items[i]->kind == PLUMB_MAPPING)
            check_mapping(ck, n->items[i], tops[t].scope);
        else
            wrong_kind(ck, "an entry of the list", n->items[i], n->items[i]->at, "a mapping");
    }
}

void plumb_nested_check(struct plumb_session *s, const struct plumb_nested *tree,
                        enum plumb_release r)
{
    struct plumb_conf_check ck = {
        .sink = &s->sink, .release = r, .file = tree->file, .table = s->table};

    for (size_t t = 0; t < PLUMB_COUNT(tops); t++) {
        if (tops[t].file == tree->file)
            check_top(&ck, tree, t);
    }
    if (tree->file == PLUMB_TOPOLOGY_YAML)
        plumb_nested_topologies(&ck, tree);
}
