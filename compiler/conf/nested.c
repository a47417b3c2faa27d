/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading of Slurm's files in YAML: libyaml reads them there as here, but serializer_yaml.c makes
 * less of the events than YAML allows. Which keys and values count is in nested_check.c.
 */
#include "conf/nested.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "conf/check.h"

/* What the daemons make of a fault that the YAML reader found. */
static const struct {
    const char *code;
    enum plumb_effect effect;
    const char *does; /* where the effect does not say it */
} faults[] = {
    {"YAML001", PLUMB_EFFECT_STOPS, NULL},   {"YAML002", PLUMB_EFFECT_STOPS, NULL},
    {"YAML003", PLUMB_EFFECT_STOPS, NULL},   {"YAML005", PLUMB_EFFECT_STOPS, NULL},
    {"YAML006", PLUMB_EFFECT_STOPS, NULL},   {"YAML007", PLUMB_EFFECT_STOPS, NULL},
    {"YAML008", PLUMB_EFFECT_STOPS, NULL},   {"YAML011", PLUMB_EFFECT_STOPS, NULL},
    {"YAML012", PLUMB_EFFECT_STOPS, NULL},   {"YAML004", PLUMB_EFFECT_NONE, "go by the last one"},
    {"YAML013", PLUMB_EFFECT_IGNORED, NULL},
};

static void judge_fault(const struct plumb_conf_check *ck, struct plumb_diag *d)
{
    unsigned daemons = plumb_file_daemons(ck->file);

    for (size_t i = 0; i < PLUMB_COUNT(faults); i++) {
        if (strcmp(d->rule->code, faults[i].code) != 0)
            continue;
        if (faults[i].does != NULL)
            plumb_diag_outcome(d, "%s %s %s", plumb_daemon_name((enum plumb_daemon)daemons),
                               plumb_release_name(ck->release), faults[i].does);
        else
            plumb_conf_does(ck, d, faults[i].effect, daemons);
        plumb_diag_effect(d, faults[i].effect, faults[i].effect == PLUMB_EFFECT_NONE ? 0 : daemons);
        plumb_diag_severity(d,
                            faults[i].effect == PLUMB_EFFECT_STOPS ? PLUMB_ERROR : PLUMB_WARNING);
    }
}

struct plumb_diag *plumb_nested_report(const struct plumb_conf_check *ck,
                                       enum plumb_nested_rule rule, struct plumb_span at,
                                       const char *message)
{
    const struct plumb_rule *row = &plumb_nested_rows[rule];
    unsigned daemons = plumb_file_daemons(ck->file);
    struct plumb_diag *d = plumb_diag_new(ck->sink, row, at, "%s", message);

    plumb_conf_does(ck, d, row->effect, daemons);
    plumb_diag_effect(d, row->effect, row->effect == PLUMB_EFFECT_NONE ? 0 : daemons);
    return d;
}

/* The star of the first alias between two places; the whole when it is not found. */
static struct plumb_span alias_between(const struct plumb_source *src, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && i < src->len; i++) {
        uint32_t end = i + 1;

        if (src->bytes[i] == '#') {
            while (i + 1 < to && i + 1 < src->len && src->bytes[i + 1] != '\n')
                i++;
            continue;
        }
        if (src->bytes[i] != '*')
            continue;
        while (end < src->len && !plumb_is_blank(src->bytes[end]) &&
               strchr(",]}:", src->bytes[end]) == NULL)
            end++;
        return (struct plumb_span){src->id, i, end};
    }
    return (struct plumb_span){src->id, from, to};
}

/* The first alias of a tree, depth first; unknown: none. Depth is limited by the reader. */
static struct plumb_span find_alias(const struct plumb_source *src, const struct plumb_node *n)
{
    struct plumb_span found = {0};
    uint32_t from = n->at.begin;

    for (uint32_t i = 0; n->kind == PLUMB_MAPPING && i < n->count; i++) {
        const struct plumb_pair *pair = &n->pairs[i];

        if (pair->key->from_alias || pair->value->from_alias)
            return alias_between(src, pair->key->from_alias ? from : pair->key->at.end, n->at.end);
        found = find_alias(src, pair->value);
        if (plumb_span_known(found))
            return found;
        from = pair->value->at.end;
    }
    for (uint32_t i = 0; n->kind == PLUMB_SEQUENCE && i < n->count; i++) {
        if (n->items[i]->from_alias)
            return alias_between(src, from, n->at.end);
        found = find_alias(src, n->items[i]);
        if (plumb_span_known(found))
            return found;
        from = n->items[i]->at.end;
    }
    return found;
}

static void check_alias(const struct plumb_conf_check *ck, const struct plumb_nested *tree)
{
    struct plumb_span at =
        tree->root == NULL ? (struct plumb_span){0} : find_alias(tree->src, tree->root);

    if (plumb_span_known(at))
        (void)plumb_nested_report(
            ck, PLUMB_NESTED_ALIAS, at,
            plumb_arena_printf(ck->sink->arena, "'%.*s' is an alias, expected what it stands for",
                               (int)(at.end - at.begin), tree->src->bytes + at.begin));
}

struct plumb_nested *plumb_nested_read(struct plumb_session *s, enum plumb_file file,
                                       const struct plumb_source *src)
{
    struct plumb_conf_check ck = {
        .sink = &s->sink, .release = s->sink.release, .file = file, .table = s->table};
    struct plumb_nested *tree = PLUMB_NEW(s->arena, struct plumb_nested);
    size_t before = s->sink.count;

    *tree = (struct plumb_nested){.file = file, .src = src};
    tree->yaml = plumb_yaml_read(s, src);
    for (size_t i = before; i < s->sink.count; i++) {
        judge_fault(&ck, s->sink.items[i]);
        tree->twice = tree->twice || strcmp(s->sink.items[i]->rule->code, "YAML004") == 0;
    }
    if (tree->yaml->count > 0)
        tree->root = tree->yaml->documents[0];
    if (tree->yaml->count > 1) {
        struct plumb_diag *d =
            plumb_nested_report(&ck, PLUMB_NESTED_DOCUMENTS, tree->yaml->documents[1]->at,
                                "a second document begins here, expected one");

        plumb_diag_note(d, tree->root->at, "the document that counts");
    }
    check_alias(&ck, tree);
    return tree;
}

bool plumb_nested_int(const struct plumb_slice *text, int64_t *out)
{
    bool negative = text->len > 0 && text->text[0] == '-';
    size_t at = text->len > 0 && (negative || text->text[0] == '+') ? 1 : 0;
    uint64_t v = 0;

    *out = 0;
    if (text->len > 2 && text->text[0] == '0' && plumb_lower(text->text[1]) == 'x') {
        if (!plumb_read_c_u64(text->text, text->len, &v) || v > INT64_MAX)
            return false;
    } else if (!plumb_read_u64(text->text + at, text->len - at, &v) || v > INT64_MAX) {
        return false;
    }
    *out = negative ? -(int64_t)v : (int64_t)v;
    return true;
}

bool plumb_nested_bool(const struct plumb_node *n, bool *out)
{
    static const struct {
        const char *word;
        bool value;
    } words[] = {
        {"true", true},   {"yes", true}, {"on", true},    {"t", true},  {"y", true},
        {"false", false}, {"no", false}, {"off", false},  {"f", false}, {"n", false},
        {"", false},      {"~", false},  {"null", false},
    };
    int64_t number = 0;

    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (plumb_slice_is(&n->scalar, words[i].word)) {
            *out = words[i].value;
            return true;
        }
    }
    *out = true;
    if (!plumb_nested_int(&n->scalar, &number))
        return false;
    *out = number != 0;
    return true;
}

struct plumb_nested_entries plumb_nested_entries(struct plumb_arena *a, struct plumb_node *n)
{
    struct plumb_nested_entries e = {NULL, 0};

    if (n != NULL && n->kind == PLUMB_SEQUENCE)
        e = (struct plumb_nested_entries){n->items, n->count};
    if (n != NULL && n->kind == PLUMB_MAPPING) {
        struct plumb_node **one = PLUMB_NEW_ARRAY(a, 1, struct plumb_node *);

        one[0] = n;
        e = (struct plumb_nested_entries){one, 1};
    }
    return e;
}
