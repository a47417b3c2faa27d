/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a table that is read at run time. The grammar is that of schema/slurm/, whose words are
 * in schema/words.def; the generator (schema/read.c) ends the build at a wrong row, this reader
 * tells every wrong row and goes on.
 */
#include "conf/overlay.h"

#include <string.h>

#include "base/num.h"
#include "schema/trait.h"
#include "schema/words.h"
#include "syntax/yaml.h"

static const struct plumb_rule rows[] = {
    {
        .code = "TAB001",
        .name = "table-row",
        .severity = PLUMB_ERROR,
        .summary = "a row of a parameter table that cannot be used",
        .why = "The row is left out, so that the files are held against a table that is not the "
               "one that was meant.",
        .ref = "schema/slurm/22.05.yaml tells the form of a row",
        .bad = "version: \"26.11\"\n"
               "extends: \"26.05\"\n"
               "changed:\n"
               "  - {file: slurm.conf, scope: global, key: TreeWidht, default: \"8\", ref: release "
               "notes}",
        .good = "version: \"26.11\"\n"
                "extends: \"26.05\"\n"
                "changed:\n"
                "  - {file: slurm.conf, scope: global, key: TreeWidth, default: \"8\", ref: "
                "release notes}",
    },
};

const struct plumb_rule_family plumb_overlay_rules = {
    .prefix = "TAB",
    .title = "Tables of the user",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};

enum section { ADDED, CHANGED, REMOVED };

struct overlay {
    struct plumb_session *session;
    struct plumb_arena *a;
    const struct plumb_param **rows;
    size_t count, cap, id_count;
    uint8_t release;
    struct plumb_trait_rev *traits;
    size_t trait_count, trait_cap;
};

/* One row while it is read. */
struct row {
    struct plumb_param param;
    struct plumb_param_rev *revs; /* all of them, in order */
    struct plumb_param_rev *rev;  /* that of the release */
    struct plumb_value *values;
    size_t value_count, value_cap;
    enum section section;
    bool bad;
};

static void complain(struct overlay *o, const struct plumb_node *at, const char *message)
{
    plumb_diag_new(&o->session->sink, &rows[0], at->at, "%s", message);
}

#define COMPLAIN(o, at, ...) complain((o), (at), plumb_arena_printf((o)->a, __VA_ARGS__))

/* Text of a scalar, NULL for null; what is no scalar is told and reads as NULL. */
static const char *text_of(struct overlay *o, struct row *row, const struct plumb_node *n)
{
    if (n->kind != PLUMB_SCALAR) {
        COMPLAIN(o, n, "a list or a mapping, expected one value");
        row->bad = true;
        return NULL;
    }
    return plumb_node_is_null(n) ? NULL : n->scalar.text;
}

static bool yes(struct overlay *o, struct row *row, const struct plumb_node *n)
{
    const char *text = text_of(o, row, n);

    if (text != NULL && (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0))
        return text[0] == 'y';
    COMPLAIN(o, n, "'%s', expected yes or no", text == NULL ? "" : text);
    row->bad = true;
    return false;
}

static uint64_t number(struct overlay *o, struct row *row, const struct plumb_node *n, bool *has)
{
    const char *text = text_of(o, row, n);
    uint64_t value = 0;

    *has = text != NULL;
    if (text != NULL && !plumb_read_u64(text, strlen(text), &value)) {
        COMPLAIN(o, n, "'%s', expected a number", text);
        row->bad = true;
    }
    return value;
}

static uint8_t word_of(struct overlay *o, struct row *row, const struct plumb_node *n,
                       const struct plumb_word *words, const char *what)
{
    const char *text = text_of(o, row, n);
    int value = text == NULL ? -1 : plumb_word_value(words, text);

    if (value < 0) {
        COMPLAIN(o, n, "'%s' is no %s", text == NULL ? "" : text, what);
        row->bad = true;
        return 0;
    }
    return (uint8_t)value;
}

/* "slurmctld slurmd", as bits. */
static uint8_t daemons_of(struct overlay *o, struct row *row, const struct plumb_node *n,
                          const char *text)
{
    unsigned daemons = 0;

    for (size_t len = 0; *text != '\0'; text += len) {
        text += strspn(text, " ");
        len = strcspn(text, " ");
        if (len == 0)
            break;

        const char *word = plumb_arena_strndup(o->a, text, len);
        int one = plumb_word_value(plumb_daemon_words, word);

        if (one < 0) {
            COMPLAIN(o, n, "'%s' is no daemon", word);
            row->bad = true;
        } else {
            daemons |= (unsigned)one;
        }
    }
    return (uint8_t)daemons;
}

/* "stops slurmctld". */
static void read_bad(struct overlay *o, struct row *row, const struct plumb_node *n, uint8_t *bad,
                     uint8_t *daemons)
{
    const char *text = text_of(o, row, n);
    size_t len = text == NULL ? 0 : strcspn(text, " ");
    int effect = text == NULL
                     ? -1
                     : plumb_word_value(plumb_effect_words, plumb_arena_strndup(o->a, text, len));

    if (effect < 0) {
        COMPLAIN(o, n, "'bad' begins with what a daemon does, such as 'stops'");
        row->bad = true;
        return;
    }
    *bad = (uint8_t)effect;
    *daemons = daemons_of(o, row, n, text + len);
}

static struct plumb_value *open_value(struct row *row, const char *word)
{
    for (size_t i = 0; i < row->value_count; i++) {
        if (strcmp(row->values[i].word, word) == 0 && row->values[i].last == PLUMB_RELEASE_OPEN)
            return &row->values[i];
    }
    return NULL;
}

static void read_value_field(struct overlay *o, struct row *row, const struct plumb_pair *pair,
                             struct plumb_value *v)
{
    const char *key = pair->key->scalar.text;

    if (strcmp(key, "note") == 0)
        v->note = text_of(o, row, pair->value);
    else if (strcmp(key, "min") == 0)
        v->min = number(o, row, pair->value, &v->has_min);
    else if (strcmp(key, "max") == 0)
        v->max = number(o, row, pair->value, &v->has_max);
    else if (strcmp(key, "bad") == 0)
        read_bad(o, row, pair->value, &v->bad, &v->bad_daemons);
    else if (strcmp(key, "gone") == 0)
        v->gone = yes(o, row, pair->value);
    else if (strcmp(key, "alone") == 0)
        v->alone = yes(o, row, pair->value);
    else if (strcmp(key, "deprecated") == 0)
        v->deprecated = yes(o, row, pair->value);
    else {
        COMPLAIN(o, pair->key, "a word of a set has no field '%s'", key);
        row->bad = true;
    }
}

static void add_value(struct overlay *o, struct row *row, const struct plumb_pair *pair)
{
    const char *word = pair->key->scalar.text;
    size_t len = strlen(word);
    struct plumb_value v = {
        .word = word,
        .first = o->release,
        .last = PLUMB_RELEASE_OPEN,
        .takes_value = len > 1 && (word[len - 1] == '=' || word[len - 1] == ':'),
    };

    if (open_value(row, word) != NULL) {
        COMPLAIN(o, pair->key, "'%s' is in the set already", word);
        row->bad = true;
        return;
    }
    if (pair->value->kind == PLUMB_MAPPING) {
        for (uint32_t i = 0; i < pair->value->count; i++)
            read_value_field(o, row, &pair->value->pairs[i], &v);
    } else {
        v.note = text_of(o, row, pair->value);
    }
    row->values = plumb_arena_grow(o->a, row->values, row->value_count, &row->value_cap, sizeof(v));
    row->values[row->value_count++] = v;
}

static void add_values(struct overlay *o, struct row *row, const struct plumb_node *n)
{
    if (n->kind != PLUMB_MAPPING) {
        COMPLAIN(o, n, "expected words, each with a colon behind it");
        row->bad = true;
        return;
    }
    for (uint32_t i = 0; i < n->count; i++)
        add_value(o, row, &n->pairs[i]);
}

static void drop_values(struct overlay *o, struct row *row, const struct plumb_node *n)
{
    if (n->kind != PLUMB_SEQUENCE) {
        COMPLAIN(o, n, "expected a list of words");
        row->bad = true;
        return;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        const char *word = text_of(o, row, n->items[i]);
        struct plumb_value *v = word == NULL ? NULL : open_value(row, word);

        if (v == NULL || v->first >= o->release) {
            COMPLAIN(o, n->items[i], "'%s' is not in the set before", word == NULL ? "" : word);
            row->bad = true;
            continue;
        }
        v->last = (uint8_t)(o->release - 1);
    }
}

static bool read_text(struct overlay *o, struct row *row, const char *key,
                      const struct plumb_node *n)
{
    struct plumb_param_rev *rev = row->rev;
    const struct {
        const char *key;
        const char **to;
    } texts[] = {
        {"unit", &rev->unit},
        {"default", &rev->def},
        {"replaced_by", &rev->replaced_by},
        {"note", &rev->note},
        {"default_with", &rev->def_with},
        {"meaning", &rev->meaning},
        {"meaning_of", &rev->meaning_of},
        {"restart", &row->param.restart},
    };

    if (strcmp(key, "ref") == 0) { /* of a later row: for those who read the file */
        const char *ref = text_of(o, row, n);

        row->param.ref = row->section == ADDED ? ref : row->param.ref;
        return true;
    }

    for (size_t i = 0; i < PLUMB_COUNT(texts); i++) {
        if (strcmp(texts[i].key, key) != 0)
            continue;
        *texts[i].to = text_of(o, row, n);
        return true;
    }
    if (strcmp(key, "default_keep") != 0)
        return false;
    rev->def_keep = text_of(o, row, n);
    if (rev->def_keep == NULL)
        rev->def_keep = "";
    return true;
}

static bool read_field(struct overlay *o, struct row *row, const char *key,
                       const struct plumb_node *n)
{
    struct plumb_param_rev *rev = row->rev;

    if (strcmp(key, "type") == 0)
        rev->type = word_of(o, row, n, plumb_type_words, "type");
    else if (strcmp(key, "life") == 0)
        rev->life = word_of(o, row, n, plumb_life_words, "life");
    else if (strcmp(key, "match") == 0)
        rev->match = word_of(o, row, n, plumb_match_words, "way to match");
    else if (strcmp(key, "bad") == 0)
        read_bad(o, row, n, &rev->bad, &rev->bad_daemons), rev->has_bad = true;
    else if (strcmp(key, "by") == 0 && n->kind == PLUMB_SCALAR)
        rev->life_daemons = daemons_of(o, row, n, n->scalar.text);
    else if (strcmp(key, "repeats") == 0)
        rev->repeats = yes(o, row, n);
    else if (strcmp(key, "open") == 0)
        rev->open = yes(o, row, n);
    else if (strcmp(key, "none") == 0)
        rev->none = yes(o, row, n);
    else if (strcmp(key, "empty") == 0)
        rev->empty = yes(o, row, n);
    else if (strcmp(key, "holds") == 0)
        row->param.holds = word_of(o, row, n, plumb_scope_words, "scope");
    else if (strcmp(key, "required") == 0)
        row->param.required = yes(o, row, n);
    else if (strcmp(key, "default_same") == 0)
        rev->def_same = yes(o, row, n);
    else if (strcmp(key, "min") == 0)
        rev->min = number(o, row, n, &rev->has_min);
    else if (strcmp(key, "max") == 0)
        rev->max = number(o, row, n, &rev->has_max);
    else
        return read_text(o, row, key, n);
    return true;
}

static bool read_set(struct overlay *o, struct row *row, const char *key,
                     const struct plumb_node *n)
{
    const char *adding = row->section == ADDED ? "values" : "add_values";

    if (strcmp(key, adding) == 0)
        add_values(o, row, n);
    else if (strcmp(key, "drop_values") == 0 && row->section == CHANGED)
        drop_values(o, row, n);
    else
        return false;
    return true;
}

/* The revision of the release: there already, or between those before and behind it. */
static void open_revision(struct overlay *o, struct row *row, const struct plumb_param *old)
{
    size_t count = old == NULL ? 0 : old->rev_count, at = 0;

    row->revs = PLUMB_NEW_ARRAY(o->a, count + 1, struct plumb_param_rev);
    while (at < count && old->revs[at].since < o->release)
        at++;
    for (size_t i = 0; i < at; i++)
        row->revs[i] = old->revs[i];
    if (at < count && old->revs[at].since == o->release)
        row->revs[at] = old->revs[at];
    else if (at > 0)
        row->revs[at] = old->revs[at - 1];
    row->param.rev_count = (uint8_t)(at + 1);
    for (size_t i = at; i < count; i++) {
        if (old->revs[i].since > o->release)
            row->revs[row->param.rev_count++] = old->revs[i];
    }
    row->rev = &row->revs[at];
    if (row->rev->since != o->release) {
        row->rev->def_same = false;
        row->rev->def_keep = row->rev->def_with = NULL;
        row->rev->meaning = row->rev->meaning_of = NULL;
    }
    row->rev->since = o->release;
    row->param.revs = row->revs;
}

static void open_row(struct overlay *o, struct row *row, const struct plumb_param *old)
{
    if (old != NULL)
        row->param = *old;
    else
        row->param.id = (uint16_t)o->id_count;
    open_revision(o, row, old);
    if (row->section == ADDED)
        row->rev->life = PLUMB_LIFE_OK;
    if (row->section == REMOVED)
        row->rev->life = PLUMB_LIFE_NONE;
    for (size_t i = 0; old != NULL && i < old->value_count; i++) {
        row->values = plumb_arena_grow(o->a, row->values, row->value_count, &row->value_cap,
                                       sizeof(*row->values));
        row->values[row->value_count++] = old->values[i];
    }
}

/* The row takes the place of an earlier one with its id. */
static void keep_row(struct overlay *o, const struct row *row)
{
    struct plumb_param *p = PLUMB_NEW(o->a, struct plumb_param);

    *p = row->param;
    p->values = row->values;
    p->value_count = (uint16_t)row->value_count;
    if (p->id == o->id_count)
        o->id_count++;
    for (size_t i = 0; i < o->count; i++) {
        if (o->rows[i]->id == p->id) {
            o->rows[i] = p;
            return;
        }
    }
    o->rows = plumb_arena_grow(o->a, o->rows, o->count, &o->cap, sizeof(struct plumb_param *));
    o->rows[o->count++] = p;
}

static const char *place_text(struct overlay *o, const struct plumb_node *n, const char *key,
                              struct row *row)
{
    const char *text = plumb_node_text(plumb_node_get(n, key));

    if (text == NULL) {
        COMPLAIN(o, n, "the row has no '%s'", key);
        row->bad = true;
        return "";
    }
    return text;
}

/* Whether the built-in table has this scope in this file. */
static bool scope_exists(unsigned file, unsigned scope)
{
    for (size_t id = 0; id < PLUMB_P_COUNT; id++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)id);

        if (p->file == file && p->scope == scope)
            return true;
    }
    return false;
}

/* file, scope and key; and whether the key is where the section wants it. */
static bool read_place(struct overlay *o, const struct plumb_node *n, struct row *row)
{
    const char *file = place_text(o, n, "file", row), *scope = place_text(o, n, "scope", row);
    const char *key = place_text(o, n, "key", row);
    struct plumb_table so_far = {.rows = o->rows, .count = o->count, .id_count = o->id_count};
    int f = plumb_word_value(plumb_file_words, file),
        s = plumb_word_value(plumb_scope_words, scope);
    const struct plumb_param *old = NULL;
    bool there = false;

    if (row->bad)
        return false;
    if (f < 0 || s < 0 || !scope_exists((unsigned)f, (unsigned)s)) {
        COMPLAIN(o, plumb_node_get(n, f < 0 ? "file" : "scope"), "'%s' has no scope '%s'", file,
                 scope);
        return false;
    }
    old = plumb_param_find(&so_far, (enum plumb_file)f, (enum plumb_scope)s, key, strlen(key));
    there =
        old != NULL && plumb_param_at(old, (enum plumb_release)o->release)->life != PLUMB_LIFE_NONE;
    if (there == (row->section == ADDED)) {
        COMPLAIN(o, plumb_node_get(n, "key"),
                 there ? "'%s' is in %s already, expected it below 'changed'"
                       : "'%s' is not in %s, expected it below 'added'",
                 key, plumb_release_name((enum plumb_release)o->release));
        return false;
    }
    row->param = (struct plumb_param){.file = (uint8_t)f, .scope = (uint8_t)s, .name = key};
    open_row(o, row, old);
    return true;
}

static void read_row(struct overlay *o, const struct plumb_node *n, enum section section)
{
    struct row row = {.section = section};

    if (n->kind != PLUMB_MAPPING) {
        COMPLAIN(o, n, "expected a row: {file: ..., scope: ..., key: ...}");
        return;
    }
    if (!read_place(o, n, &row))
        return;
    for (uint32_t i = 0; i < n->count; i++) {
        const char *key = n->pairs[i].key->scalar.text;

        if (strcmp(key, "file") == 0 || strcmp(key, "scope") == 0 || strcmp(key, "key") == 0)
            continue;
        if (read_field(o, &row, key, n->pairs[i].value) ||
            read_set(o, &row, key, n->pairs[i].value))
            continue;
        COMPLAIN(o, n->pairs[i].key, "a row has no field '%s' here", key);
        row.bad = true;
    }
    if (section == ADDED && plumb_node_get(n, "type") == NULL) {
        COMPLAIN(o, n, "the row has no 'type'");
        row.bad = true;
    }
    if (row.rev->has_min && row.rev->has_max && row.rev->min > row.rev->max) {
        COMPLAIN(o, n, "min is above max");
        row.bad = true;
    }
    if (!row.bad)
        keep_row(o, &row);
}

/* yes, no, or a number; without it: yes. */
static uint64_t trait_value(struct overlay *o, struct row *row, const struct plumb_node *n)
{
    const char *text = plumb_node_text(n);
    bool has = false;

    if (n == NULL)
        return 1;
    if (text != NULL && text[0] >= '0' && text[0] <= '9')
        return number(o, row, n, &has);
    return yes(o, row, n);
}

/* {name: qos-list, value: no, ref: ...}: a trait that plumb knows, as this release has it. */
static void read_trait(struct overlay *o, const struct plumb_node *n)
{
    struct row row = {0};
    const char *name = n->kind == PLUMB_MAPPING ? place_text(o, n, "name", &row) : "";
    int id = plumb_trait_find(name, strlen(name));
    struct plumb_trait_rev rev = {.id = (uint16_t)id, .since = o->release};

    if (n->kind != PLUMB_MAPPING) {
        COMPLAIN(o, n, "expected a trait: {name: ..., value: ..., ref: ...}");
        return;
    }
    if (!row.bad && id < 0) {
        COMPLAIN(o, plumb_node_get(n, "name"), "'%s' is no trait that rules ask for", name);
        row.bad = true;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        const char *key = n->pairs[i].key->scalar.text;

        if (strcmp(key, "name") != 0 && strcmp(key, "value") != 0 && strcmp(key, "ref") != 0 &&
            strcmp(key, "means") != 0) {
            COMPLAIN(o, n->pairs[i].key, "a trait has no field '%s'", key);
            row.bad = true;
        }
    }
    rev.value = trait_value(o, &row, plumb_node_get(n, "value"));
    rev.ref = plumb_node_text(plumb_node_get(n, "ref"));
    if (row.bad)
        return;
    o->traits = plumb_arena_grow(o->a, o->traits, o->trait_count, &o->trait_cap, sizeof(rev));
    o->traits[o->trait_count++] = rev;
}

/* The release of the file: a known one, or the next. */
static bool read_heading(struct overlay *o, const struct plumb_node *top)
{
    const struct plumb_node *version = plumb_node_get(top, "version");
    const struct plumb_node *extends = plumb_node_get(top, "extends");
    const char *text = plumb_node_text(version), *base = plumb_node_text(extends);
    enum plumb_release r =
        text == NULL ? PLUMB_RELEASE_NONE : plumb_release_read_any(text, strlen(text));

    if ((unsigned)r > PLUMB_RELEASE_COUNT) {
        COMPLAIN(o, version == NULL ? top : version, "'version' is '%s', expected %s to %s",
                 text == NULL ? "" : text, plumb_release_name(PLUMB_RELEASE_OLDEST),
                 plumb_release_name((enum plumb_release)PLUMB_RELEASE_COUNT));
        return false;
    }
    o->release = (uint8_t)r;
    if (r > 0 && (base == NULL ||
                  strcmp(base, plumb_release_name((enum plumb_release)((unsigned)r - 1))) != 0)) {
        COMPLAIN(o, extends == NULL ? top : extends, "'extends' is '%s', expected '%s'",
                 base == NULL ? "" : base,
                 plumb_release_name((enum plumb_release)((unsigned)r - 1)));
        return false;
    }
    return true;
}

static void read_section(struct overlay *o, const struct plumb_pair *pair)
{
    static const char *const names[] = {"added", "changed", "removed", "traits"};
    const char *key = pair->key->scalar.text;
    bool rows_there = pair->value->kind == PLUMB_SEQUENCE;

    if (strcmp(key, "version") == 0 || strcmp(key, "extends") == 0)
        return;
    for (unsigned s = 0; s < PLUMB_COUNT(names); s++) {
        if (strcmp(names[s], key) != 0)
            continue;
        if (!rows_there)
            COMPLAIN(o, pair->value, "expected a list of rows");
        for (uint32_t i = 0; rows_there && i < pair->value->count; i++) {
            if (s > REMOVED)
                read_trait(o, pair->value->items[i]);
            else
                read_row(o, pair->value->items[i], (enum section)s);
        }
        return;
    }
    COMPLAIN(o, pair->key,
             "there is no section '%s', expected added, changed, removed "
             "or traits",
             key);
}

const struct plumb_table *plumb_overlay_read(struct plumb_session *s,
                                             const struct plumb_source *src)
{
    struct overlay o = {.session = s, .a = s->arena, .id_count = PLUMB_P_COUNT};
    struct plumb_table *t = PLUMB_NEW(s->arena, struct plumb_table);
    const struct plumb_yaml *doc = plumb_yaml_read(s, src);

    if (doc->count == 0 || doc->documents[0]->kind != PLUMB_MAPPING)
        plumb_diag_new(&s->sink, &rows[0], plumb_source_span(src),
                       "no table, expected version, extends, added, changed, removed, "
                       "traits");
    else if (read_heading(&o, doc->documents[0]))
        for (uint32_t i = 0; i < doc->documents[0]->count; i++)
            read_section(&o, &doc->documents[0]->pairs[i]);
    *t = (struct plumb_table){
        .rows = o.rows,
        .count = o.count,
        .id_count = o.id_count,
        .traits = o.traits,
        .trait_count = o.trait_count,
        .newest = (enum plumb_release)(o.release > PLUMB_RELEASE_NEWEST ? o.release
                                                                        : PLUMB_RELEASE_NEWEST),
    };
    return t;
}
