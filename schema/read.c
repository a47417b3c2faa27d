/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads one release file: rows that were added, changed or removed. A changed row makes a
 * new revision that starts as a copy of the one before; a removed row makes one without life.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

static bool is_null(const yaml_node_t *n)
{
    const char *text = n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "x";

    return n->type == YAML_SCALAR_NODE && n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (*text == '\0' || strcmp(text, "~") == 0);
}

static const char *word_of(struct reader *rd, const yaml_node_t *n, const struct name *names,
                           const char *what)
{
    const char *word = scalar(&rd->file, n);
    int at = name_find(names, word);

    if (at < 0)
        fail(place_of(&rd->file, n), "'%s' is no %s", word, what);
    return names[at].expr;
}

uint64_t number(struct reader *rd, const yaml_node_t *n)
{
    const char *text = scalar(&rd->file, n);
    uint64_t v = 0;

    for (const char *c = text; *c != '\0' || c == text; c++) {
        if (*c < '0' || *c > '9' || v > (UINT64_MAX - 9) / 10)
            fail(place_of(&rd->file, n), "'%s' is no number", text);
        v = v * 10 + (uint64_t)(*c - '0');
    }
    return v;
}

static char *text_or_null(struct reader *rd, const yaml_node_t *n)
{
    return is_null(n) ? NULL : copy_text(scalar(&rd->file, n));
}

bool yes(struct reader *rd, const yaml_node_t *n)
{
    const char *text = scalar(&rd->file, n);

    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        fail(place_of(&rd->file, n), "'%s' is neither yes nor no", text);
    return *text == 'y';
}

/* Names of daemons as an expression of their bits; words is taken apart. */
static char *read_daemons(struct reader *rd, const yaml_node_t *n, char *words)
{
    char *rest = NULL, *daemons = copy_text("0");

    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        int daemon = name_find(daemon_names, word);
        char text[200];

        if (daemon < 0)
            fail(place_of(&rd->file, n), "'%s' is no daemon", word);
        snprintf(text, sizeof(text), "%s | %s", daemons, daemon_names[daemon].expr);
        daemons = copy_text(text);
    }
    return daemons;
}

/* "stops slurmctld": an effect, and the daemons when they are not all that read the file. */
static void read_bad(struct reader *rd, const yaml_node_t *n, const char **bad, char **daemons)
{
    char *words = copy_text(scalar(&rd->file, n));
    size_t len = strcspn(words, " ");
    char *rest = words[len] == '\0' ? words + len : words + len + 1;

    words[len] = '\0';

    int effect = name_find(effect_names, words);

    if (effect < 0)
        fail(place_of(&rd->file, n), "'bad' begins with what a daemon does, such as 'stops'");
    *bad = effect_names[effect].expr;
    *daemons = read_daemons(rd, n, rest);
}

static struct value *value_find(struct param *p, const char *word)
{
    for (size_t i = 0; i < p->value_count; i++)
        if (strcmp(p->values[i].word, word) == 0 && p->values[i].last == PLUMB_RELEASE_NEWEST)
            return &p->values[i];
    return NULL;
}

/* {note: ..., min: ..., max: ..., bad: ...} */
static void read_value_fields(struct reader *rd, const yaml_node_t *n, struct value *v)
{
    for (yaml_node_pair_t *i = n->data.mapping.pairs.start; i < n->data.mapping.pairs.top; i++) {
        const yaml_node_t *field = node(&rd->file, i->value);
        const char *key = scalar(&rd->file, node(&rd->file, i->key));

        if (strcmp(key, "note") == 0)
            v->note = text_or_null(rd, field);
        else if (strcmp(key, "min") == 0)
            v->min = number(rd, field), v->has_min = true;
        else if (strcmp(key, "max") == 0)
            v->max = number(rd, field), v->has_max = true;
        else if (strcmp(key, "bad") == 0)
            read_bad(rd, field, &v->bad, &v->daemons);
        else if (strcmp(key, "gone") == 0)
            v->gone = yes(rd, field);
        else if (strcmp(key, "alone") == 0)
            v->alone = yes(rd, field);
        else if (strcmp(key, "deprecated") == 0)
            v->deprecated = yes(rd, field);
        else
            fail(place_of(&rd->file, node(&rd->file, i->key)), "a word of a set has no field '%s'",
                 key);
    }
}

static void add_values(struct reader *rd, const yaml_node_t *n, struct param *p)
{
    if (n->type != YAML_MAPPING_NODE)
        fail(place_of(&rd->file, n), "expected words, each with a colon behind it");
    for (yaml_node_pair_t *i = n->data.mapping.pairs.start; i < n->data.mapping.pairs.top; i++) {
        const yaml_node_t *key = node(&rd->file, i->key), *note = node(&rd->file, i->value);
        struct value *v = &p->values[p->value_count];

        if (value_find(p, scalar(&rd->file, key)) != NULL)
            fail(place_of(&rd->file, key), "'%s' is in the set already", scalar(&rd->file, key));
        if (p->value_count == MAX_VALUES)
            fail(place_of(&rd->file, key), "too many words in one set");
        *v = (struct value){.word = copy_text(scalar(&rd->file, key)),
                            .first = rd->release,
                            .last = PLUMB_RELEASE_NEWEST,
                            .bad = "PLUMB_EFFECT_NONE",
                            .daemons = copy_text("0")};
        if (note->type == YAML_MAPPING_NODE)
            read_value_fields(rd, note, v);
        else
            v->note = text_or_null(rd, note);
        p->value_count++;
    }
}

static void drop_values(struct reader *rd, const yaml_node_t *n, struct param *p)
{
    if (n->type != YAML_SEQUENCE_NODE)
        fail(place_of(&rd->file, n), "expected a list of words");
    for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++) {
        const yaml_node_t *word = node(&rd->file, *i);
        struct value *v = value_find(p, scalar(&rd->file, word));

        if (v == NULL || v->first >= rd->release)
            fail(place_of(&rd->file, word), "'%s' is not in the set before",
                 scalar(&rd->file, word));
        v->last = rd->release - 1;
    }
}

/* Fields that only a first row or only a later one may have. */
static bool read_value_set(struct reader *rd, const char *key, const yaml_node_t *n,
                           struct param *p, bool first)
{
    if (strcmp(key, "values") == 0 && first)
        add_values(rd, n, p);
    else if (strcmp(key, "add_values") == 0 && !first)
        add_values(rd, n, p);
    else if (strcmp(key, "drop_values") == 0 && !first)
        drop_values(rd, n, p);
    else
        return false;
    return true;
}

static bool read_range(struct reader *rd, const char *key, const yaml_node_t *n, struct rev *rev)
{
    if (strcmp(key, "min") == 0)
        rev->has_min = !is_null(n), rev->min = rev->has_min ? number(rd, n) : 0;
    else if (strcmp(key, "max") == 0)
        rev->has_max = !is_null(n), rev->max = rev->has_max ? number(rd, n) : 0;
    else
        return false;
    return true;
}

/* What a change of releases means to a configuration that stays as it is. */
static bool read_change(struct reader *rd, const char *key, const yaml_node_t *n, struct rev *rev)
{
    if (strcmp(key, "default_same") == 0)
        rev->def_same = yes(rd, n);
    else if (strcmp(key, "default_keep") == 0)
        rev->def_keep = is_null(n) ? copy_text("") : copy_text(scalar(&rd->file, n));
    else if (strcmp(key, "default_with") == 0)
        rev->def_with = text_or_null(rd, n);
    else if (strcmp(key, "meaning") == 0)
        rev->meaning = text_or_null(rd, n);
    else if (strcmp(key, "meaning_of") == 0)
        rev->meaning_of = text_or_null(rd, n);
    else
        return false;
    return true;
}

static bool read_field(struct reader *rd, const char *key, const yaml_node_t *n, struct param *p,
                       struct rev *rev)
{
    if (strcmp(key, "type") == 0)
        rev->type = word_of(rd, n, type_names, "type");
    else if (strcmp(key, "life") == 0)
        rev->life = word_of(rd, n, life_names, "life");
    else if (strcmp(key, "match") == 0)
        rev->match = word_of(rd, n, match_names, "way to match");
    else if (strcmp(key, "bad") == 0)
        read_bad(rd, n, &rev->bad, &rev->daemons);
    else if (strcmp(key, "unit") == 0)
        rev->unit = text_or_null(rd, n);
    else if (strcmp(key, "default") == 0)
        rev->def = text_or_null(rd, n);
    else if (strcmp(key, "replaced_by") == 0)
        rev->replaced_by = text_or_null(rd, n);
    else if (strcmp(key, "note") == 0)
        rev->note = text_or_null(rd, n);
    else if (strcmp(key, "repeats") == 0)
        rev->repeats = yes(rd, n);
    else if (strcmp(key, "open") == 0)
        rev->open = yes(rd, n);
    else if (strcmp(key, "none") == 0)
        rev->none = yes(rd, n);
    else if (strcmp(key, "empty") == 0)
        rev->empty = yes(rd, n);
    else if (strcmp(key, "by") == 0)
        rev->life_daemons = read_daemons(rd, n, copy_text(scalar(&rd->file, n)));
    else if (strcmp(key, "restart") == 0)
        p->restart = text_or_null(rd, n);
    else if (strcmp(key, "holds") == 0)
        p->holds = word_of(rd, n, scope_names, "scope");
    else if (strcmp(key, "required") == 0)
        p->required = yes(rd, n);
    else
        return read_range(rd, key, n, rev) || read_change(rd, key, n, rev);
    return true;
}

const char *field(struct reader *rd, const yaml_node_t *row, const char *wanted)
{
    for (yaml_node_pair_t *i = row->data.mapping.pairs.start; i < row->data.mapping.pairs.top; i++)
        if (strcmp(scalar(&rd->file, node(&rd->file, i->key)), wanted) == 0)
            return scalar(&rd->file, node(&rd->file, i->value));
    fail(place_of(&rd->file, row), "the row has no '%s'", wanted);
}

static struct param *find_param(struct table *t, unsigned file, unsigned scope, const char *key)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->params[i].file == file && t->params[i].scope == scope &&
            strcmp(t->params[i].name, key) == 0)
            return &t->params[i];
    return NULL;
}

/* PLUMB_P_<PREFIX>_<KEY>, in capitals. */
static char *make_id(struct reader *rd, const yaml_node_t *row, const char *prefix, const char *key)
{
    char text[200];
    int len = snprintf(text, sizeof(text), "PLUMB_P_%s_", prefix);
    size_t at = (size_t)len;

    for (; *key != '\0' && at + 1 < sizeof(text); key++, at++) {
        bool lower = *key >= 'a' && *key <= 'z';
        bool other = (*key >= 'A' && *key <= 'Z') || (*key >= '0' && *key <= '9') || *key == '_';

        if (!lower && !other)
            fail(place_of(&rd->file, row), "a key holds letters, digits and '_'");
        text[at] = lower ? (char)(*key - 'a' + 'A') : *key;
    }
    text[at] = '\0';
    return copy_text(text);
}

static struct param *row_param(struct reader *rd, const yaml_node_t *row, bool must_exist)
{
    const char *file = field(rd, row, "file"), *scope = field(rd, row, "scope");
    const char *key = field(rd, row, "key"), *prefix = id_prefix(file, scope);
    struct table *t = rd->table;

    (void)field(rd, row, "ref");
    if (prefix == NULL)
        fail(place_of(&rd->file, row), "'%s' has no scope '%s'", file, scope);

    unsigned f = (unsigned)name_find(file_names, file), s = (unsigned)name_find(scope_names, scope);
    struct param *p = find_param(t, f, s, key);

    if (must_exist && (p == NULL || strcmp(p->revs[p->rev_count - 1].life, "PLUMB_LIFE_NONE") == 0))
        fail(place_of(&rd->file, row), "'%s' is not in the release before", key);
    if (!must_exist && p != NULL)
        fail(place_of(&rd->file, row), "'%s' is in the table already", key);
    if (p == NULL) {
        if (t->count == MAX_PARAMS)
            fail(place_of(&rd->file, row), "too many parameters");
        p = &t->params[t->count++];
        *p = (struct param){.file = f, .scope = s, .name = copy_text(key)};
        p->id = make_id(rd, row, prefix, key);
    }
    return p;
}

static struct rev *new_rev(struct reader *rd, const yaml_node_t *row, struct param *p)
{
    struct rev *rev = &p->revs[p->rev_count];

    if (p->rev_count == 0)
        *rev = (struct rev){.life = "PLUMB_LIFE_OK",
                            .match = "PLUMB_MATCH_NOCASE",
                            .daemons = copy_text("0"),
                            .life_daemons = copy_text("0")};
    else if (rev[-1].since == rd->release)
        fail(place_of(&rd->file, row), "'%s' has two rows in this release", p->name);
    else
        *rev = rev[-1];
    rev->since = rd->release;
    rev->def_same = false;
    rev->def_keep = rev->def_with = rev->meaning = rev->meaning_of = NULL;
    p->rev_count++;
    return rev;
}

static void check_rev(struct reader *rd, const yaml_node_t *row, const struct param *p,
                      const struct rev *rev)
{
    if (rev->type == NULL)
        fail(place_of(&rd->file, row), "the row has no 'type'");
    if (rev->has_min && rev->has_max && rev->min > rev->max)
        fail(place_of(&rd->file, row), "min is above max");
    if (p->value_count == 0 &&
        (strcmp(rev->type, "PLUMB_T_ENUM") == 0 || strcmp(rev->type, "PLUMB_T_ENUM_LIST") == 0))
        fail(place_of(&rd->file, row), "a set needs 'values'");
}

static void read_row(struct reader *rd, const yaml_node_t *row, bool first)
{
    if (row->type != YAML_MAPPING_NODE)
        fail(place_of(&rd->file, row), "expected a row");

    struct param *p = row_param(rd, row, !first);
    struct rev *rev = new_rev(rd, row, p);

    for (yaml_node_pair_t *i = row->data.mapping.pairs.start; i < row->data.mapping.pairs.top;
         i++) {
        const char *key = scalar(&rd->file, node(&rd->file, i->key));
        const yaml_node_t *n = node(&rd->file, i->value);

        if (strcmp(key, "file") == 0 || strcmp(key, "scope") == 0 || strcmp(key, "key") == 0)
            continue;
        if (strcmp(key, "ref") == 0)
            p->ref = first ? copy_text(scalar(&rd->file, n)) : p->ref;
        else if (!read_field(rd, key, n, p, rev) && !read_value_set(rd, key, n, p, first))
            fail(place_of(&rd->file, node(&rd->file, i->key)), "a row has no field '%s' here", key);
    }
    check_rev(rd, row, p, rev);
}

static void read_removed(struct reader *rd, const yaml_node_t *row)
{
    if (row->type != YAML_MAPPING_NODE)
        fail(place_of(&rd->file, row), "expected a row");

    struct param *p = row_param(rd, row, true);
    struct rev *rev = new_rev(rd, row, p);

    rev->life = "PLUMB_LIFE_NONE";
    for (yaml_node_pair_t *i = row->data.mapping.pairs.start; i < row->data.mapping.pairs.top;
         i++) {
        const char *key = scalar(&rd->file, node(&rd->file, i->key));
        const yaml_node_t *n = node(&rd->file, i->value);

        if (strcmp(key, "replaced_by") == 0)
            rev->replaced_by = text_or_null(rd, n);
        else if (strcmp(key, "note") == 0)
            rev->note = text_or_null(rd, n);
        else if (strcmp(key, "file") != 0 && strcmp(key, "scope") != 0 && strcmp(key, "key") != 0 &&
                 strcmp(key, "ref") != 0)
            fail(place_of(&rd->file, node(&rd->file, i->key)), "a removed row has no field '%s'",
                 key);
    }
}

static void read_section(struct reader *rd, const char *name, const yaml_node_t *rows)
{
    if (rows->type != YAML_SEQUENCE_NODE)
        fail(place_of(&rd->file, rows), "expected a list of rows");
    for (yaml_node_item_t *i = rows->data.sequence.items.start; i < rows->data.sequence.items.top;
         i++) {
        if (strcmp(name, "removed") == 0)
            read_removed(rd, node(&rd->file, *i));
        else
            read_row(rd, node(&rd->file, *i), strcmp(name, "added") == 0);
    }
}

/* version and extends must fit the order of compiler/base/release.h. */
static void check_heading(struct reader *rd, const char *key, const yaml_node_t *n)
{
    const char *text = scalar(&rd->file, n);
    bool version = strcmp(key, "version") == 0;
    const char *wanted = version ? plumb_release_name((enum plumb_release)rd->release)
                         : rd->release == 0
                             ? "nothing"
                             : plumb_release_name((enum plumb_release)(rd->release - 1));

    if (strcmp(text, wanted) != 0)
        fail(place_of(&rd->file, n), "%s is '%s', the releases of base/release.h want '%s' here",
             key, text, wanted);
}

static void read_top(struct reader *rd, const yaml_node_t *top)
{
    bool version = false, extends = rd->release == 0;

    for (yaml_node_pair_t *i = top->data.mapping.pairs.start; i < top->data.mapping.pairs.top;
         i++) {
        const yaml_node_t *key = node(&rd->file, i->key);
        const char *name = scalar(&rd->file, key);

        if (strcmp(name, "version") == 0 || strcmp(name, "extends") == 0) {
            check_heading(rd, name, node(&rd->file, i->value));
            version = version || *name == 'v';
            extends = extends || *name == 'e';
        } else if (strcmp(name, "added") == 0 || strcmp(name, "changed") == 0 ||
                   strcmp(name, "removed") == 0) {
            read_section(rd, name, node(&rd->file, i->value));
        } else if (strcmp(name, "traits") == 0) {
            read_traits(rd, node(&rd->file, i->value));
        } else {
            fail(place_of(&rd->file, key), "there is no section '%s'", name);
        }
    }
    if (!version || !extends)
        fail(place_of(&rd->file, top), "the file says neither 'version' nor 'extends'");
}

/* "24.11" out of ".../24.11.yaml". */
static unsigned release_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    enum plumb_release r = strlen(name) < 6 ? PLUMB_RELEASE_NONE : plumb_release_read(name, 5);

    if (r == PLUMB_RELEASE_NONE)
        fail((struct place){path, 1}, "the file is not named after a release of base/release.h");
    return (unsigned)r;
}

void read_release(struct table *t, const char *path)
{
    struct reader rd = {.table = t, .release = release_of(path)};
    const yaml_node_t *top = NULL;

    yaml_file_read(&rd.file, path);
    top = yaml_document_get_root_node(&rd.file.doc);
    if (top == NULL || top->type != YAML_MAPPING_NODE)
        fail((struct place){path, 1}, "expected version, extends, added, changed, removed");
    read_top(&rd, top);
    yaml_document_delete(&rd.file.doc);
}
