/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the table as C: plumb_params.h with the ids, params.c with the const rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

static int compare_nocase(const char *a, const char *b)
{
    for (;; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a - 'A' + 'a' : *a;
        int y = *b >= 'A' && *b <= 'Z' ? *b - 'A' + 'a' : *b;

        if (x != y || x == '\0')
            return x - y;
    }
}

/* By file, scope, and name without case: the lookup is a binary search. */
static int by_place(const void *a, const void *b)
{
    const struct param *p = a, *q = b;

    if (p->file != q->file)
        return p->file < q->file ? -1 : 1;
    if (p->scope != q->scope)
        return p->scope < q->scope ? -1 : 1;
    return compare_nocase(p->name, q->name);
}

static FILE *open_output(const char *folder, const char *name)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s", folder, name);

    FILE *out = fopen(path, "w");

    if (out == NULL)
        fail((struct place){path, 1}, "cannot be written");
    fprintf(out, "/* Generated from schema/slurm/ at build time. */\n");
    return out;
}

static void close_output(FILE *out, const char *name)
{
    bool bad = ferror(out) != 0;

    if (fclose(out) != 0 || bad)
        fail((struct place){name, 1}, "cannot be written");
}

void put_text(FILE *out, const char *field, const char *text)
{
    if (text == NULL)
        return;
    fprintf(out, ", .%s = \"", field);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fprintf(out, "\"");
}

static void put_range(FILE *out, bool has_min, uint64_t min, bool has_max, uint64_t max)
{
    if (has_min)
        fprintf(out, ", .has_min = true, .min = UINT64_C(%llu)", (unsigned long long)min);
    if (has_max)
        fprintf(out, ", .has_max = true, .max = UINT64_C(%llu)", (unsigned long long)max);
}

static void write_header(const struct table *t, const char *folder)
{
    FILE *out = open_output(folder, "plumb_params.h");

    fprintf(out, "#ifndef PLUMB_PARAMS_H\n#define PLUMB_PARAMS_H\n\nenum plumb_param_id {\n");
    for (size_t i = 0; i < t->count; i++)
        fprintf(out, "    %s,\n", t->params[i].id);
    fprintf(out, "    PLUMB_P_COUNT\n};\n\n");
    write_trait_ids(out, t);
    fprintf(out, "#endif\n");
    close_output(out, "plumb_params.h");
}

static void write_revs(FILE *out, const struct table *t)
{
    fprintf(out, "static const struct plumb_param_rev revs[] = {\n");
    for (size_t i = 0; i < t->count; i++) {
        for (size_t j = 0; j < t->params[i].rev_count; j++) {
            const struct rev *r = &t->params[i].revs[j];

            fprintf(out, "    {.since = %u, .life = %s, .type = %s, .match = %s, .repeats = %s",
                    r->since, r->life, r->type, r->match, r->repeats ? "true" : "false");
            if (r->open)
                fprintf(out, ", .open = true");
            if (r->none)
                fprintf(out, ", .none = true");
            if (r->empty)
                fprintf(out, ", .empty = true");
            if (r->bad != NULL)
                fprintf(out, ", .has_bad = true, .bad = %s", r->bad);
            fprintf(out, ", .bad_daemons = %s, .life_daemons = %s", r->daemons, r->life_daemons);
            put_range(out, r->has_min, r->min, r->has_max, r->max);
            put_text(out, "unit", r->unit);
            put_text(out, "def", r->def);
            put_text(out, "replaced_by", r->replaced_by);
            put_text(out, "note", r->note);
            if (r->def_same)
                fprintf(out, ", .def_same = true");
            put_text(out, "def_keep", r->def_keep);
            put_text(out, "def_with", r->def_with);
            put_text(out, "meaning", r->meaning);
            put_text(out, "meaning_of", r->meaning_of);
            fprintf(out, "},\n");
        }
    }
    fprintf(out, "};\n\n");
}

static void write_values(FILE *out, const struct table *t)
{
    fprintf(out, "static const struct plumb_value values[] = {\n");
    for (size_t i = 0; i < t->count; i++) {
        for (size_t j = 0; j < t->params[i].value_count; j++) {
            const struct value *v = &t->params[i].values[j];
            size_t len = strlen(v->word);
            bool takes = len > 1 && (v->word[len - 1] == '=' || v->word[len - 1] == ':');

            fprintf(out,
                    "    {.first = %u, .last = %u, .takes_value = %s, .bad = %s, "
                    ".bad_daemons = %s",
                    v->first,
                    v->last == PLUMB_RELEASE_NEWEST ? (unsigned)PLUMB_RELEASE_OPEN : v->last,
                    takes ? "true" : "false", v->bad, v->daemons);
            if (v->gone)
                fprintf(out, ", .gone = true");
            if (v->deprecated)
                fprintf(out, ", .deprecated = true");
            if (v->alone)
                fprintf(out, ", .alone = true");
            put_text(out, "word", v->word);
            put_range(out, v->has_min, v->min, v->has_max, v->max);
            put_text(out, "note", v->note);
            fprintf(out, "},\n");
        }
    }
    fprintf(out, "};\n\n");
}

static void write_rows(FILE *out, const struct table *t)
{
    size_t rev = 0, value = 0;

    fprintf(out, "const struct plumb_param plumb_params[PLUMB_P_COUNT] = {\n");
    for (size_t i = 0; i < t->count; i++) {
        const struct param *p = &t->params[i];

        fprintf(out, "    {.id = %s, .file = %s, .scope = %s, .revs = &revs[%zu], .rev_count = %zu",
                p->id, file_names[p->file].expr, scope_names[p->scope].expr, rev, p->rev_count);
        if (p->value_count > 0)
            fprintf(out, ", .values = &values[%zu], .value_count = %zu", value, p->value_count);
        if (p->holds != NULL)
            fprintf(out, ", .holds = %s", p->holds);
        if (p->required)
            fprintf(out, ", .required = true");
        put_text(out, "name", p->name);
        put_text(out, "restart", p->restart);
        put_text(out, "ref", p->ref);
        fprintf(out, "},\n");
        rev += p->rev_count;
        value += p->value_count;
    }
    fprintf(out, "};\n\n");
}

/* Where the rows of a file and scope begin; the end is where the next begin. */
static void write_starts(FILE *out, const struct table *t)
{
    size_t at = 0;

    fprintf(out, "const uint16_t plumb_param_starts[PLUMB_FILE_COUNT * PLUMB_SCOPE_COUNT + 1] = {");
    for (unsigned f = 0; file_names[f].word != NULL; f++) {
        for (unsigned s = 0; scope_names[s].word != NULL; s++) {
            fprintf(out, "%s%zu,", s == 0 ? "\n    " : " ", at);
            while (at < t->count && t->params[at].file == f && t->params[at].scope == s)
                at++;
        }
    }
    fprintf(out, "\n    %zu,\n};\n", at);
}

static void write_source(const struct table *t, const char *folder)
{
    FILE *out = open_output(folder, "params.c");
    size_t scopes = 0, files = 0;

    while (scope_names[scopes].word != NULL)
        scopes++;
    while (file_names[files].word != NULL)
        files++;
    fprintf(
        out,
        "#include \"base/rule.h\"\n#include \"schema/table.h\"\n"
        "#include \"schema/trait.h\"\n\n"
        "_Static_assert(PLUMB_FILE_COUNT == %zu && PLUMB_SCOPE_COUNT == %zu,\n"
        "               \"schema/names.c and schema/param.h name the same files and scopes\");\n"
        "_Static_assert(PLUMB_RELEASE_COUNT == %d, \"one file in schema/slurm per release\");\n\n",
        files, scopes, (int)PLUMB_RELEASE_COUNT);
    write_revs(out, t);
    write_values(out, t);
    write_rows(out, t);
    write_starts(out, t);
    write_traits(out, t);
    close_output(out, "params.c");
}

void write_table(struct table *t, const char *folder)
{
    qsort(t->params, t->count, sizeof(t->params[0]), by_place);
    for (size_t i = 1; i < t->count; i++)
        if (by_place(&t->params[i - 1], &t->params[i]) == 0)
            fail((struct place){"schema", 0}, "'%s' is there twice, in other case",
                 t->params[i].name);
    write_header(t, folder);
    write_source(t, folder);
}
