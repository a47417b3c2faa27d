/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plumb-options FOLDER YAML: the options of sbatch, srun and salloc as C, from one file of
 * rows. Ends the build, with file and line, at a row that is wrong.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/release.h"
#include "yaml_file.h"

enum { MAX_OPTIONS = 500, MAX_VARIABLES = 500, MAX_WORDS = 64 };

struct row {
    const char *name, *letter, *arg, *kind;
    unsigned commands; /* bits, in the order of command_words */
    int first, last;
    const char *words[MAX_WORDS];
    size_t word_count, line;
};

/* A variable of the environment that stands for an option. */
struct variable {
    const char *name, *option;
    unsigned command;
    int first, last;
    size_t line;
};

struct reader {
    struct yaml_file file;
    struct row *rows;
    struct variable *variables;
    size_t count, variable_count;
};

static const char *const arg_words[] = {"none", "optional", "required", NULL};
static const char *const kind_words[] = {
    "text",   "count",    "memory", "time",  "nodes",    "array",      "gres",         "gpus",
    "signal", "gpu-bind", "word",   "words", "gpu-freq", "dependency", "distribution", NULL};
/* In the order of enum plumb_job_command. */
static const char *const command_words[] = {"sbatch", "srun", "salloc", NULL};

/* Complains of a line: of a row as a whole, where its values are read no more. */
static struct place line_at(const struct reader *rd, size_t line)
{
    return (struct place){rd->file.path, line};
}

static size_t line_of(const yaml_node_t *n)
{
    return n->start_mark.line + 1;
}

static const char *one_of(const struct reader *rd, const yaml_node_t *n, const char *const *words)
{
    const char *text = scalar(&rd->file, n);

    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0)
            return words[i];
    }
    fail(place_of(&rd->file, n), "'%s' is not expected here", text);
}

static int release(const struct reader *rd, size_t line, const char *text)
{
    enum plumb_release r = plumb_release_read(text, strlen(text));

    if (r == PLUMB_RELEASE_NONE)
        fail(line_at(rd, line), "'%s' is no release", text);
    return (int)r;
}

static unsigned command_bit(const struct reader *rd, const yaml_node_t *n)
{
    const char *word = one_of(rd, n, command_words);
    unsigned k = 0;

    while (command_words[k] != word)
        k++;
    return 1u << k;
}

static void read_commands(struct reader *rd, const yaml_node_t *n, struct row *row)
{
    if (n->type != YAML_SEQUENCE_NODE)
        fail(place_of(&rd->file, n), "expected a list of commands");
    for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++)
        row->commands |= command_bit(rd, node(&rd->file, *i));
}

static void read_words(struct reader *rd, const yaml_node_t *n, struct row *row)
{
    if (n->type != YAML_SEQUENCE_NODE)
        fail(place_of(&rd->file, n), "expected a list of words");
    for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++) {
        if (row->word_count == MAX_WORDS)
            fail(place_of(&rd->file, n), "too many words");
        row->words[row->word_count++] = scalar(&rd->file, node(&rd->file, *i));
    }
}

static void read_field(struct reader *rd, const yaml_node_pair_t *pair, struct row *row)
{
    const yaml_node_t *key = node(&rd->file, pair->key), *value = node(&rd->file, pair->value);
    const char *name = scalar(&rd->file, key);

    if (strcmp(name, "name") == 0)
        row->name = scalar(&rd->file, value);
    else if (strcmp(name, "letter") == 0)
        row->letter = scalar(&rd->file, value);
    else if (strcmp(name, "arg") == 0)
        row->arg = one_of(rd, value, arg_words);
    else if (strcmp(name, "kind") == 0)
        row->kind = one_of(rd, value, kind_words);
    else if (strcmp(name, "since") == 0)
        row->first = release(rd, line_of(value), scalar(&rd->file, value));
    else if (strcmp(name, "until") == 0)
        row->last = release(rd, line_of(value), scalar(&rd->file, value));
    else if (strcmp(name, "commands") == 0)
        read_commands(rd, value, row);
    else if (strcmp(name, "values") == 0)
        read_words(rd, value, row);
    else
        fail(place_of(&rd->file, key), "an option has no field '%s'", name);
}

static void read_row(struct reader *rd, const yaml_node_t *n)
{
    struct row *row = &rd->rows[rd->count];

    if (n->type != YAML_MAPPING_NODE || rd->count == MAX_OPTIONS)
        fail(place_of(&rd->file, n), "expected a row, at most %d of them", (int)MAX_OPTIONS);
    *row = (struct row){.last = PLUMB_RELEASE_OPEN, .kind = "text", .line = line_of(n)};
    for (yaml_node_pair_t *i = n->data.mapping.pairs.start; i < n->data.mapping.pairs.top; i++)
        read_field(rd, i, row);
    if (row->name == NULL || row->arg == NULL || row->commands == 0 || row->first > row->last)
        fail(line_at(rd, row->line), "a row needs name, arg, commands, and releases in order");
    rd->count++;
}

static void read_variable_field(struct reader *rd, const yaml_node_pair_t *pair, struct variable *v)
{
    const yaml_node_t *key = node(&rd->file, pair->key), *value = node(&rd->file, pair->value);
    const char *name = scalar(&rd->file, key);

    if (strcmp(name, "name") == 0)
        v->name = scalar(&rd->file, value);
    else if (strcmp(name, "option") == 0)
        v->option = scalar(&rd->file, value);
    else if (strcmp(name, "since") == 0)
        v->first = release(rd, line_of(value), scalar(&rd->file, value));
    else if (strcmp(name, "until") == 0)
        v->last = release(rd, line_of(value), scalar(&rd->file, value));
    else if (strcmp(name, "command") == 0)
        v->command = command_bit(rd, value);
    else
        fail(place_of(&rd->file, key), "a variable has no field '%s'", name);
}

static void read_variable(struct reader *rd, const yaml_node_t *n)
{
    struct variable *v = &rd->variables[rd->variable_count];
    bool known = false;

    if (n->type != YAML_MAPPING_NODE || rd->variable_count == MAX_VARIABLES)
        fail(place_of(&rd->file, n), "expected a row, at most %d of them", (int)MAX_VARIABLES);
    *v = (struct variable){.last = PLUMB_RELEASE_OPEN, .line = line_of(n)};
    for (yaml_node_pair_t *i = n->data.mapping.pairs.start; i < n->data.mapping.pairs.top; i++)
        read_variable_field(rd, i, v);
    if (v->name == NULL || v->option == NULL || v->command == 0 || v->first > v->last)
        fail(line_at(rd, v->line), "a row needs name, command, option, and releases in order");
    for (size_t i = 0; i < rd->count; i++)
        known = known || (strcmp(rd->rows[i].name, v->option) == 0 &&
                          (rd->rows[i].commands & v->command) != 0);
    if (!known)
        fail(line_at(rd, v->line), "'%s' is no option of this command", v->option);
    rd->variable_count++;
}

static void read_list(struct reader *rd, const yaml_node_t *root, const char *key,
                      void (*read)(struct reader *rd, const yaml_node_t *n))
{
    for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top;
         p++) {
        const yaml_node_t *list = node(&rd->file, p->value);

        if (strcmp(scalar(&rd->file, node(&rd->file, p->key)), key) != 0)
            continue;
        if (list->type != YAML_SEQUENCE_NODE)
            fail(place_of(&rd->file, list), "expected a list");
        for (yaml_node_item_t *i = list->data.sequence.items.start;
             i < list->data.sequence.items.top; i++)
            read(rd, node(&rd->file, *i));
        return;
    }
    fail(line_at(rd, 1), "expected the key '%s'", key);
}

static void read_file(struct reader *rd, const char *path)
{
    const yaml_node_t *root = NULL;

    yaml_file_read(&rd->file, path);
    root = yaml_document_get_root_node(&rd->file.doc);
    if (root == NULL || root->type != YAML_MAPPING_NODE)
        fail(line_at(rd, 1), "expected keys");
    read_list(rd, root, "options", read_row);
    read_list(rd, root, "environment", read_variable);
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
        fail(line_at(rd, 1), "'%s' cannot be written", path);
    fprintf(out, "/* Generated from schema/slurm/options.yaml at build time. */\n");
    return out;
}

static void close_output(struct reader *rd, FILE *out)
{
    bool bad = ferror(out) != 0;

    if (fclose(out) != 0 || bad)
        fail(line_at(rd, 1), "an output cannot be written");
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
                    (int)PLUMB_RELEASE_OPEN);
        }
    }
    fprintf(out, "};\n\n");
}

static void put_upper(FILE *out, const char *field, const char *prefix, const char *word)
{
    fprintf(out, ", .%s = ", field);
    put_id(out, prefix, word);
}

static void write_variables(const struct reader *rd, FILE *out)
{
    fprintf(out, "const struct plumb_option_variable plumb_option_variables[] = {\n");
    for (size_t i = 0; i < rd->variable_count; i++) {
        const struct variable *v = &rd->variables[i];

        put_id(out, "    {.option = PLUMB_O_", v->option);
        fprintf(out, ", .name = \"%s\", .command = %u, .first = %d, .last = %d},\n", v->name,
                v->command, v->first, v->last);
    }
    fprintf(out, "};\nconst size_t plumb_option_variable_count = %zu;\n", rd->variable_count);
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
    fprintf(out, "};\nconst size_t plumb_option_count = %zu;\n\n", rd->count);
    write_variables(rd, out);
    close_output(rd, out);
}

int main(int argc, char **argv)
{
    struct reader rd = {.rows = calloc(MAX_OPTIONS, sizeof(struct row)),
                        .variables = calloc(MAX_VARIABLES, sizeof(struct variable))};

    if (argc != 3 || rd.rows == NULL || rd.variables == NULL) {
        fprintf(stderr, "usage: plumb-options FOLDER YAML\n");
        return 2;
    }
    read_file(&rd, argv[2]);
    qsort(rd.rows, rd.count, sizeof(rd.rows[0]), by_name);
    write_header(&rd, argv[1]);
    write_source(&rd, argv[1]);
    yaml_document_delete(&rd.file.doc);
    free(rd.rows);
    free(rd.variables);
    return 0;
}
