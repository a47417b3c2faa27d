/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plumb-options FOLDER YAML: the options of sbatch, srun and salloc as C, from one file of
 * rows. Ends the build, with file and line, at a row that is wrong.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/release.h"

enum { MAX_OPTIONS = 500, MAX_WORDS = 64 };

struct row {
    const char *name, *letter, *arg, *kind;
    unsigned commands; /* bits, in the order of command_words */
    int first, last;
    const char *words[MAX_WORDS];
    size_t word_count, line;
};

struct reader {
    yaml_document_t doc;
    const char *path;
    struct row *rows;
    size_t count;
};

static const char *const arg_words[] = {"none", "optional", "required", NULL};
static const char *const kind_words[] = {
    "text",   "count",    "memory", "time",  "nodes",    "array",      "gres",         "gpus",
    "signal", "gpu-bind", "word",   "words", "gpu-freq", "dependency", "distribution", NULL};
/* In the order of enum plumb_job_command. */
static const char *const command_words[] = {"sbatch", "srun", "salloc", NULL};

_Noreturn static void fail(const struct reader *rd, size_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

_Noreturn static void fail(const struct reader *rd, size_t line, const char *fmt, ...)
{
    va_list args;

    fprintf(stderr, "%s:%zu: error: ", rd->path, line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

static const yaml_node_t *node(struct reader *rd, int index)
{
    return yaml_document_get_node(&rd->doc, index);
}

static size_t line_of(const yaml_node_t *n)
{
    return n->start_mark.line + 1;
}

static const char *scalar(const struct reader *rd, const yaml_node_t *n)
{
    if (n->type != YAML_SCALAR_NODE)
        fail(rd, line_of(n), "expected a single value");
    return (const char *)n->data.scalar.value;
}

static const char *one_of(const struct reader *rd, const yaml_node_t *n, const char *const *words)
{
    const char *text = scalar(rd, n);

    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0)
            return words[i];
    }
    fail(rd, line_of(n), "'%s' is not expected here", text);
}

static int release(const struct reader *rd, size_t line, const char *text)
{
    enum plumb_release r = plumb_release_read(text, strlen(text));

    if (r == PLUMB_RELEASE_NONE)
        fail(rd, line, "'%s' is no release", text);
    return (int)r;
}

static void read_commands(struct reader *rd, const yaml_node_t *n, struct row *row)
{
    if (n->type != YAML_SEQUENCE_NODE)
        fail(rd, line_of(n), "expected a list of commands");
    for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++) {
        const char *word = one_of(rd, node(rd, *i), command_words);

        for (unsigned k = 0; command_words[k] != NULL; k++)
            row->commands |= word == command_words[k] ? 1u << k : 0;
    }
}

static void read_words(struct reader *rd, const yaml_node_t *n, struct row *row)
{
    if (n->type != YAML_SEQUENCE_NODE)
        fail(rd, line_of(n), "expected a list of words");
    for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++) {
        if (row->word_count == MAX_WORDS)
            fail(rd, line_of(n), "too many words");
        row->words[row->word_count++] = scalar(rd, node(rd, *i));
    }
}

static void read_field(struct reader *rd, const yaml_node_pair_t *pair, struct row *row)
{
    const yaml_node_t *key = node(rd, pair->key), *value = node(rd, pair->value);
    const char *name = scalar(rd, key);

    if (strcmp(name, "name") == 0)
        row->name = scalar(rd, value);
    else if (strcmp(name, "letter") == 0)
        row->letter = scalar(rd, value);
    else if (strcmp(name, "arg") == 0)
        row->arg = one_of(rd, value, arg_words);
    else if (strcmp(name, "kind") == 0)
        row->kind = one_of(rd, value, kind_words);
    else if (strcmp(name, "since") == 0)
        row->first = release(rd, line_of(value), scalar(rd, value));
    else if (strcmp(name, "until") == 0)
        row->last = release(rd, line_of(value), scalar(rd, value));
    else if (strcmp(name, "commands") == 0)
        read_commands(rd, value, row);
    else if (strcmp(name, "values") == 0)
        read_words(rd, value, row);
    else
        fail(rd, line_of(key), "an option has no field '%s'", name);
}

static void read_row(struct reader *rd, const yaml_node_t *n)
{
    struct row *row = &rd->rows[rd->count];

    if (n->type != YAML_MAPPING_NODE || rd->count == MAX_OPTIONS)
        fail(rd, line_of(n), "expected a row, at most %d of them", (int)MAX_OPTIONS);
    *row = (struct row){.last = PLUMB_RELEASE_NEWEST, .kind = "text", .line = line_of(n)};
    for (yaml_node_pair_t *i = n->data.mapping.pairs.start; i < n->data.mapping.pairs.top; i++)
        read_field(rd, i, row);
    if (row->name == NULL || row->arg == NULL || row->commands == 0 || row->first > row->last)
        fail(rd, row->line, "a row needs name, arg, commands, and releases in order");
    rd->count++;
}

static void read_file(struct reader *rd)
{
    FILE *in = fopen(rd->path, "rb");
    yaml_parser_t parser;
    const yaml_node_t *root = NULL, *list = NULL;

    if (in == NULL || !yaml_parser_initialize(&parser))
        fail(rd, 1, "cannot be read");
    yaml_parser_set_input_file(&parser, in);
    if (!yaml_parser_load(&parser, &rd->doc))
        fail(rd, parser.problem_mark.line + 1, "%s", parser.problem);
    yaml_parser_delete(&parser);
    fclose(in);
    root = yaml_document_get_root_node(&rd->doc);
    if (root == NULL || root->type != YAML_MAPPING_NODE ||
        root->data.mapping.pairs.start == root->data.mapping.pairs.top)
        fail(rd, 1, "expected the key options:");
    list = node(rd, root->data.mapping.pairs.start->value);
    if (list->type != YAML_SEQUENCE_NODE)
        fail(rd, 1, "expected a list of options");
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top;
         i++)
        read_row(rd, node(rd, *i));
}

/* "ntasks-per-node" as NTASKS_PER_NODE. */
static void put_id(FILE *out, const char *prefix, const char *name)
{
    fputs(prefix, out);
    for (; *name != '\0'; name++) {
        bool letter = *name >= 'a' && *name <= 'z';

        if (*name == '_')
            fputs("_U_", out); /* cpu_bind beside cpu-bind */
        else
            fputc(letter ? *name - 'a' + 'A' : *name == '-' ? '_' : *name, out);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : x->line < y->line ? -1 : 1;
}

static FILE *open_output(struct reader *rd, const char *folder, const char *name)
{
    char path[4096];
    FILE *out = NULL;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    out = fopen(path, "w");
    if (out == NULL)
        fail(rd, 1, "'%s' cannot be written", path);
    fprintf(out, "/* Generated from schema/slurm/options.yaml at build time. */\n");
    return out;
}

static void close_output(struct reader *rd, FILE *out)
{
    bool bad = ferror(out) != 0;

    if (fclose(out) != 0 || bad)
        fail(rd, 1, "an output cannot be written");
}

static void write_header(struct reader *rd, const char *folder)
{
    FILE *out = open_output(rd, folder, "plumb_options.h");

    fprintf(out, "#ifndef PLUMB_OPTIONS_H\n#define PLUMB_OPTIONS_H\n\nenum plumb_option_id {\n");
    for (size_t i = 0; i < rd->count; i++) {
        if (i > 0 && strcmp(rd->rows[i].name, rd->rows[i - 1].name) == 0)
            continue;
        put_id(out, "    PLUMB_O_", rd->rows[i].name);
        fputs(",\n", out);
    }
    fprintf(out, "    PLUMB_O_COUNT\n};\n\n#endif\n");
    close_output(rd, out);
}

/* "topo@24.05": a word that came with a release. */
static void write_words(struct reader *rd, FILE *out)
{
    fprintf(out, "static const struct plumb_value words[] = {\n");
    for (size_t i = 0; i < rd->count; i++) {
        for (size_t k = 0; k < rd->rows[i].word_count; k++) {
            const char *word = rd->rows[i].words[k], *at = strchr(word, '@');

            fprintf(out, "    {.word = \"%.*s\", .first = %d, .last = %d},\n",
                    at == NULL ? (int)strlen(word) : (int)(at - word), word,
                    at == NULL ? 0 : release(rd, rd->rows[i].line, at + 1),
                    (int)PLUMB_RELEASE_NEWEST);
        }
    }
    fprintf(out, "};\n\n");
}

static void put_upper(FILE *out, const char *field, const char *prefix, const char *word)
{
    fprintf(out, ", .%s = ", field);
    put_id(out, prefix, word);
}

static void write_source(struct reader *rd, const char *folder)
{
    FILE *out = open_output(rd, folder, "options.c");
    size_t word = 0;

    fprintf(out, "#include \"schema/option.h\"\n\n");
    write_words(rd, out);
    fprintf(out, "const struct plumb_option plumb_options[] = {\n");
    for (size_t i = 0; i < rd->count; i++) {
        const struct row *r = &rd->rows[i];

        put_id(out, "    {.id = PLUMB_O_", r->name);
        fprintf(out, ", .name = \"%s\", .commands = %u, .first = %d, .last = %d", r->name,
                r->commands, r->first, r->last);
        put_upper(out, "arg", "PLUMB_ARG_", r->arg);
        put_upper(out, "kind", "PLUMB_KIND_OF_", r->kind);
        if (r->letter != NULL)
            fprintf(out, ", .letter = '%c'", r->letter[0]);
        if (r->word_count > 0)
            fprintf(out, ", .words = &words[%zu], .word_count = %zu", word, r->word_count);
        fprintf(out, "},\n");
        word += r->word_count;
    }
    fprintf(out, "};\nconst size_t plumb_option_count = %zu;\n", rd->count);
    close_output(rd, out);
}

int main(int argc, char **argv)
{
    struct reader rd = {.path = argc == 3 ? argv[2] : NULL,
                        .rows = calloc(MAX_OPTIONS, sizeof(struct row))};

    if (argc != 3 || rd.rows == NULL) {
        fprintf(stderr, "usage: plumb-options FOLDER YAML\n");
        return 2;
    }
    read_file(&rd);
    qsort(rd.rows, rd.count, sizeof(rd.rows[0]), by_name);
    write_header(&rd, argv[1]);
    write_source(&rd, argv[1]);
    yaml_document_delete(&rd.doc);
    free(rd.rows);
    return 0;
}
