/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plumb-kube FOLDER YAML...: the tables of Kubernetes kinds as C. Files that others are built on
 * come first. Ends the build, with file and line, at a row that is wrong.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yaml_file.h"

enum { MAX_TABLES = 32, MAX_TYPES = 20000, MAX_NAMES = 4000 };

struct table {
    const char *flavour, *release;
    const char *names[MAX_NAMES]; /* types of this file, and where they are in all of them */
    int numbers[MAX_NAMES];
    int name_count;
    int below; /* index; -1: none */
    bool writes, frozen;
    struct yaml_file file;
};

static struct table tables[MAX_TABLES];
static int table_count;
static char *lines[MAX_TYPES]; /* initialisers of plumb_kube_type */
static int type_count;
static FILE *rows_out; /* what stands between the declaration of the types and the types */

/* Memory that lives as long as the program, in pieces that a list holds. */
static void *keep(size_t size)
{
    struct piece {
        struct piece *next;
        max_align_t bytes[];
    };
    static struct piece *pieces;
    static size_t left;
    enum { USUAL = 1 << 20 };
    static char *room;
    void *p = NULL;

    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (size > left) {
        size_t len = size > USUAL ? size : USUAL;
        struct piece *more = malloc(sizeof(*more) + len);

        if (more == NULL)
            exit(1);
        more->next = pieces;
        pieces = more;
        room = (char *)more->bytes;
        left = len;
    }
    p = room;
    room += size;
    left -= size;
    return p;
}

static char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static char *format(const char *fmt, ...)
{
    va_list args, again;
    char *text = NULL;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    text = keep((size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(args);
    va_end(again);
    return text;
}

static yaml_node_t *get(struct table *t, const yaml_node_t *map, const char *key)
{
    if (map->type != YAML_MAPPING_NODE)
        fail(place_of(&t->file, map), "expected a mapping");
    for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++)
        if (strcmp(scalar(&t->file, node(&t->file, p->key)), key) == 0)
            return node(&t->file, p->value);
    return NULL;
}

/* Text as a C literal. */
static char *quoted(const char *text)
{
    char *q = keep(strlen(text) * 2 + 3), *to = q;

    *to++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            *to++ = '\\';
            *to++ = 'n';
            continue;
        }
        if (*text == '"' || *text == '\\' || *text == '?')
            *to++ = '\\';
        *to++ = *text;
    }
    *to++ = '"';
    *to = '\0';
    return q;
}

/* The JSON of a value; scalars are quoted in the files when they are text. */
static char *json(struct table *t, const yaml_node_t *n)
{
    char *text = NULL;

    if (n->type == YAML_SCALAR_NODE)
        return n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE
                   ? format("%s", n->data.scalar.value)
                   : quoted((const char *)n->data.scalar.value);
    if (n->type == YAML_SEQUENCE_NODE) {
        text = format("[");
        for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top;
             i++)
            text = format("%s%s%s", text, text[1] == '\0' ? "" : ",", json(t, node(&t->file, *i)));
        return format("%s]", text);
    }
    text = format("{");
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++)
        text = format("%s%s%s:%s", text, text[1] == '\0' ? "" : ",",
                      json(t, node(&t->file, p->key)), json(t, node(&t->file, p->value)));
    return format("%s}", text);
}

/* A list of texts as an anonymous C array that ends in NULL. */
static char *list(struct table *t, const yaml_node_t *n)
{
    char *text = format("(const char *const[]){");

    if (n->type != YAML_SEQUENCE_NODE)
        fail(place_of(&t->file, n), "expected a list");
    for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++)
        text = format("%s%s, ", text, quoted(scalar(&t->file, node(&t->file, *i))));
    return format("%sNULL}", text);
}

static bool in_list(struct table *t, const yaml_node_t *n, const char *word)
{
    if (n == NULL)
        return false;
    for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++)
        if (strcmp(scalar(&t->file, node(&t->file, *i)), word) == 0)
            return true;
    return false;
}

static int add_type(char *line)
{
    for (int i = 0; i < type_count; i++)
        if (lines[i] != NULL && line != NULL && strcmp(lines[i], line) == 0)
            return i;
    if (type_count == MAX_TYPES)
        exit(1);
    lines[type_count] = line;
    return type_count++;
}

static int find_type(const struct table *t, const char *name)
{
    for (int i = 0; i < t->name_count; i++)
        if (strcmp(t->names[i], name) == 0)
            return t->numbers[i];
    return t->below < 0 ? -1 : find_type(&tables[t->below], name);
}

static const struct {
    const char *word, *form;
} forms[] = {
    {"any", "ANY"},
    {"open", "OPEN"},
    {"string", "STRING"},
    {"integer", "INTEGER"},
    {"int32", "INTEGER, .has_min = true, .min = INT32_MIN, .has_max = true, .max = INT32_MAX"},
    {"number", "NUMBER"},
    {"boolean", "BOOLEAN"},
    {"int-or-string", "INT_OR_STRING"},
    {"quantity", "QUANTITY"},
    {"number-or-quantity", "NUMBER_OR_QUANTITY"},
};

/* The inside of an initialiser for an expression; a named type gives its number instead. */
static char *expression(struct table *t, const yaml_node_t *at, const char *text, int *number)
{
    size_t len = strlen(text);
    bool sequence = len > 2 && strcmp(text + len - 2, "[]") == 0;
    bool map = len > 2 && strcmp(text + len - 2, "{}") == 0;

    *number = -1;
    if (sequence || map) {
        char *inner = format("%.*s", (int)(len - 2), text);
        int of = -1;
        char *body = expression(t, at, inner, &of);

        if (of < 0)
            of = add_type(body);
        return format(".form = PLUMB_KUBE_%s, .of = &types[%d]", sequence ? "LIST" : "MAP", of);
    }
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        if (strcmp(forms[i].word, text) == 0)
            return format(".form = PLUMB_KUBE_%s", forms[i].form);
    *number = find_type(t, text);
    if (*number < 0)
        fail(place_of(&t->file, at), "no type '%s'", text);
    return NULL;
}

static const char *number_text(struct table *t, const yaml_node_t *n)
{
    const char *text = scalar(&t->file, n);

    if (strspn(text, "-0123456789") != strlen(text))
        fail(place_of(&t->file, n), "'%s' is no whole number", text);
    return text;
}

/* Limits of a value; false: the key is none. */
static char *limit(struct table *t, const char *key, const yaml_node_t *n)
{
    if (strcmp(key, "pattern") == 0)
        return format(", .pattern = %s", quoted(scalar(&t->file, n)));
    if (strcmp(key, "enum") == 0)
        return format(", .words = %s", list(t, n));
    if (strcmp(key, "keys") == 0)
        return format(", .keys = %s", list(t, n));
    if (strcmp(key, "min") == 0 || strcmp(key, "max") == 0)
        return format(", .has_%s = true, .%s = %s", key, key, number_text(t, n));
    if (strcmp(key, "min_length") == 0 || strcmp(key, "max_length") == 0 ||
        strcmp(key, "min_items") == 0)
        return format(", .%s = %s", key, number_text(t, n));
    if (strcmp(key, "nullable") == 0)
        return format(", .nullable = true");
    if (strcmp(key, "late") == 0)
        return format(", .late = true");
    if (strcmp(key, "format") == 0)
        return format(", .format = PLUMB_KUBE_%s",
                      strcmp(scalar(&t->file, n), "byte") == 0 ? "BYTE" : "DATE_TIME");
    if (strcmp(key, "as") == 0) {
        int number = -1;
        char *body = expression(t, n, scalar(&t->file, n), &number);

        return format(", .as = &types[%d]", number >= 0 ? number : add_type(body));
    }
    return NULL;
}

/* The number of the type of a field or of a limited value. */
static int value_type(struct table *t, const yaml_node_t *n)
{
    int number = -1;
    bool limited = false;
    char *body = NULL;

    if (n->type == YAML_SCALAR_NODE) {
        body = expression(t, n, scalar(&t->file, n), &number);
        return number >= 0 ? number : add_type(body);
    }
    body = expression(t, n, scalar(&t->file, get(t, n, "is")), &number);
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const char *key = scalar(&t->file, node(&t->file, p->key));
        char *text = limit(t, key, node(&t->file, p->value));

        if (text == NULL && strcmp(key, "is") != 0 && strcmp(key, "default") != 0)
            fail(place_of(&t->file, n), "a value has no '%s'", key);
        if (text == NULL)
            continue;
        if (number >= 0 && !limited) { /* a copy of the named type, with limits */
            body = format("COPY %d", number);
        }
        limited = true;
        body = format("%s%s", body, text);
    }
    return number >= 0 && !limited ? number : add_type(body);
}

static int compare_pairs(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;

    return strcmp(x[0], y[0]);
}

static void define_object(struct table *t, int self, const char *name, const yaml_node_t *n)
{
    const yaml_node_t *fields = get(t, n, "fields"), *rules = get(t, n, "rules");
    const yaml_node_t *required = get(t, n, "required");
    const char *rows[MAX_NAMES][2];
    size_t count = 0;

    for (yaml_node_pair_t *p = fields->data.mapping.pairs.start; p < fields->data.mapping.pairs.top;
         p++) {
        const char *field = scalar(&t->file, node(&t->file, p->key));
        const yaml_node_t *value = node(&t->file, p->value);
        yaml_node_t *def = value->type == YAML_MAPPING_NODE ? get(t, value, "default") : NULL;
        int type = value_type(t, value);

        rows[count][0] = field;
        rows[count++][1] =
            format("    {.name = %s, .type = &types[%d]%s%s%s},\n", quoted(field), type,
                   in_list(t, required, field) && def == NULL ? ", .required = true" : "",
                   def == NULL ? "" : ", .value = ", def == NULL ? "" : quoted(json(t, def)));
    }
    qsort(rows, count, sizeof(rows[0]), compare_pairs);
    if (count == 0)
        fail(place_of(&t->file, n), "'%s' has no fields", name);
    fprintf(rows_out, "static const struct plumb_kube_field fields_%d[] = {\n", self);
    for (size_t i = 0; i < count; i++)
        fputs(rows[i][1], rows_out);
    fprintf(rows_out, "};\n");
    lines[self] = format(".name = %s, .form = PLUMB_KUBE_OBJECT, .fields = fields_%d, "
                         ".field_count = %zu%s%s%s%s",
                         quoted(name), self, count, get(t, n, "keeps") ? ", .keeps = true" : "",
                         get(t, n, "ours") ? ", .ours = true" : "",
                         rules == NULL ? "" : ", .rules = ", rules == NULL ? "" : list(t, rules));
}

/* Types first get their numbers, so that they may name each other. */
static void read_types(struct table *t, const yaml_node_t *types)
{
    for (yaml_node_pair_t *p = types->data.mapping.pairs.start; p < types->data.mapping.pairs.top;
         p++) {
        if (t->name_count == MAX_NAMES)
            fail(place_of(&t->file, types), "too many types");
        t->names[t->name_count] = scalar(&t->file, node(&t->file, p->key));
        lines[type_count] = NULL;
        t->numbers[t->name_count++] = type_count++;
    }
    for (int i = 0; i < t->name_count; i++) {
        const yaml_node_t *n = get(t, types, t->names[i]);

        if (get(t, n, "fields") != NULL)
            define_object(t, t->numbers[i], t->names[i], n);
        else
            lines[t->numbers[i]] = format("COPY %d", value_type(t, n));
    }
}

static void read_kinds(struct table *t, const yaml_node_t *root, int index)
{
    const yaml_node_t *kinds = get(t, root, "kinds"), *gone = get(t, root, "gone");

    fprintf(rows_out, "static const struct plumb_kube_kind kinds_%d[] = {\n", index);
    for (yaml_node_pair_t *p = kinds->data.mapping.pairs.start; p < kinds->data.mapping.pairs.top;
         p++) {
        const yaml_node_t *of = node(&t->file, p->value);

        for (yaml_node_pair_t *k = of->data.mapping.pairs.start; k < of->data.mapping.pairs.top;
             k++) {
            const char *kind = scalar(&t->file, node(&t->file, k->key));
            int type = find_type(t, scalar(&t->file, node(&t->file, k->value)));

            if (type < 0)
                fail(place_of(&t->file, node(&t->file, k->key)), "no type '%s'",
                     scalar(&t->file, node(&t->file, k->value)));
            fprintf(rows_out, "    {%s, %s, &types[%d]},\n",
                    quoted(scalar(&t->file, node(&t->file, p->key))), quoted(kind), type);
        }
    }
    for (yaml_node_pair_t *p = gone == NULL ? NULL : gone->data.mapping.pairs.start;
         gone != NULL && p < gone->data.mapping.pairs.top; p++) {
        const yaml_node_t *of = node(&t->file, p->value);

        for (yaml_node_item_t *i = of->data.sequence.items.start; i < of->data.sequence.items.top;
             i++)
            fprintf(rows_out, "    {%s, %s, NULL},\n",
                    quoted(scalar(&t->file, node(&t->file, p->key))),
                    quoted(scalar(&t->file, node(&t->file, *i))));
    }
    fprintf(rows_out, "};\n");
}

/* {Key: [text, ...]}, as so many rows of texts that begin with first and the key. */
static void write_rows(struct table *t, const yaml_node_t *rows, const char *first, int texts)
{
    if (rows->type != YAML_MAPPING_NODE)
        fail(place_of(&t->file, rows), "expected a mapping");
    for (yaml_node_pair_t *p = rows->data.mapping.pairs.start; p < rows->data.mapping.pairs.top;
         p++) {
        const yaml_node_t *row = node(&t->file, p->value);

        if (row->type != YAML_SEQUENCE_NODE ||
            row->data.sequence.items.top - row->data.sequence.items.start != texts)
            fail(place_of(&t->file, row), "expected %d texts", texts);
        fprintf(rows_out, "    {%s%s", first, quoted(scalar(&t->file, node(&t->file, p->key))));
        for (yaml_node_item_t *i = row->data.sequence.items.start; i < row->data.sequence.items.top;
             i++)
            fprintf(rows_out, ", %s", quoted(scalar(&t->file, node(&t->file, *i))));
        fprintf(rows_out, "},\n");
    }
}

/* A part of plumb_kube_writes: the array, and what points to it. */
static char *write_part(struct table *t, const yaml_node_t *part, const char *type,
                        const char *name, int index)
{
    /* {file: {Key: [when, value, without_cgroup]}}, {file: {Key: [when, value]}} */
    int texts = strcmp(type, "default") == 0 ? 3 : strcmp(type, "line") == 0 ? 2 : 0;
    int row = strcmp(type, "slot") == 0
                  ? 2
                  : 4; /* {Key: [path, takes]}, {Key: [how, value, then, advice]} */

    if (part == NULL)
        return format("NULL, 0");
    t->writes = true;
    fprintf(rows_out, "static const struct plumb_kube_%s %s_%d[] = {\n", type, name, index);
    if (texts == 0)
        write_rows(t, part, "", row);
    for (yaml_node_pair_t *p = part->data.mapping.pairs.start;
         texts > 0 && p < part->data.mapping.pairs.top; p++)
        write_rows(t, node(&t->file, p->value),
                   format("%s, ", quoted(scalar(&t->file, node(&t->file, p->key)))), texts);
    fprintf(rows_out, "};\n");
    return format("%s_%d, PLUMB_COUNT(%s_%d)", name, index, name, index);
}

static void read_writes(struct table *t, const yaml_node_t *root, int index)
{
    const char *conf = write_part(t, get(t, root, "owned"), "owned", "owned", index);
    const char *dbd = write_part(t, get(t, root, "owned_slurmdbd"), "owned", "owned_dbd", index);
    const char *defaults = write_part(t, get(t, root, "defaults"), "default", "defaults", index);
    const char *own = write_part(t, get(t, root, "lines"), "line", "lines", index);
    const char *slots = write_part(t, get(t, root, "fields"), "slot", "slots", index);
    const char *slots_dbd =
        write_part(t, get(t, root, "fields_slurmdbd"), "slot", "slots_dbd", index);

    if (t->writes)
        fprintf(rows_out,
                "static const struct plumb_kube_writes writes_%d = {%s, %s, %s, %s, %s, %s};\n",
                index, conf, dbd, defaults, own, slots, slots_dbd);
}

/* {"Kind path": [when, then, way]} */
static void read_frozen(struct table *t, const yaml_node_t *rows, int index)
{
    t->frozen = rows != NULL;
    if (rows == NULL)
        return;
    fprintf(rows_out, "static const struct plumb_kube_frozen frozen_%d[] = {\n", index);
    write_rows(t, rows, "", 3);
    fprintf(rows_out, "};\n");
}

static void read_file(const char *path)
{
    struct table *t = &tables[table_count];
    const yaml_node_t *root = NULL, *below = NULL;

    t->below = -1;
    yaml_file_read(&t->file, path);
    root = yaml_document_get_root_node(&t->file.doc);
    t->flavour = scalar(&t->file, get(t, root, "flavour"));
    t->release = scalar(&t->file, get(t, root, "release"));
    below = get(t, root, "below");
    for (int i = 0; below != NULL && i < table_count; i++)
        if (strcmp(format("%s-%s", tables[i].flavour, tables[i].release),
                   scalar(&t->file, below)) == 0)
            t->below = i;
    if (below != NULL && t->below < 0)
        fail(place_of(&t->file, below), "no table '%s' before this one", scalar(&t->file, below));
    read_types(t, get(t, root, "types"));
    read_kinds(t, root, table_count);
    read_writes(t, root, table_count);
    read_frozen(t, get(t, root, "frozen"), table_count);
    table_count++;
}

/* What a line that begins with COPY is a copy of, and the limits behind it. */
static char *resolve(const char *line)
{
    const char *rest = line;
    int number = 0;

    if (strncmp(line, "COPY ", 5) != 0)
        return format("%s", line);
    for (rest = line + 5; *rest >= '0' && *rest <= '9'; rest++)
        number = number * 10 + (*rest - '0');
    return format("%s%s", resolve(lines[number]), rest);
}

static void write_tables(FILE *out, const char *fields)
{
    fprintf(out,
            "/* Made by plumb-kube: do not edit. */\n#include \"kube/type.h\"\n\n"
            "static const struct plumb_kube_type types[%d];\n%s",
            type_count, fields);
    fprintf(out, "static const struct plumb_kube_type types[%d] = {\n", type_count);
    for (int i = 0; i < type_count; i++)
        fprintf(out, "    {%s},\n", resolve(lines[i]));
    fprintf(out, "};\nconst struct plumb_kube_table plumb_kube_tables[] = {\n");
    for (int i = 0; i < table_count; i++) {
        fprintf(out, "    {%s, %s, ", quoted(tables[i].flavour), quoted(tables[i].release));
        if (tables[i].below < 0)
            fprintf(out, "NULL, ");
        else
            fprintf(out, "&plumb_kube_tables[%d], ", tables[i].below);
        fprintf(out, "kinds_%d, PLUMB_COUNT(kinds_%d), ", i, i);
        fprintf(out, "%s, ", tables[i].writes ? format("&writes_%d", i) : "NULL");
        fprintf(out, "%s},\n",
                tables[i].frozen ? format("frozen_%d, PLUMB_COUNT(frozen_%d)", i, i) : "NULL, 0");
    }
    fprintf(out, "};\nconst size_t plumb_kube_table_count = %d;\n", table_count);
}

int main(int argc, char **argv)
{
    char *fields = NULL;
    size_t len = 0;
    FILE *out = NULL;

    if (argc < 3 || argc - 2 > MAX_TABLES) {
        fprintf(stderr, "usage: plumb-kube FOLDER YAML...\n");
        return 2;
    }
    out = fopen(format("%s/kinds.c", argv[1]), "w");
    rows_out = open_memstream(&fields, &len);
    if (out == NULL || rows_out == NULL) {
        perror(argv[1]);
        return 1;
    }
    for (int i = 2; i < argc; i++)
        read_file(argv[i]);
    fclose(rows_out);
    write_tables(out, fields);
    free(fields);
    for (int i = 0; i < table_count; i++)
        yaml_document_delete(&tables[i].file.doc);
    return fclose(out) == 0 ? 0 : 1;
}
