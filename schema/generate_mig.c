/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plumb-mig FOLDER YAML: what NVIDIA's GPUs can be cut into, as C, from one file of rows. Ends the
 * build, with file and line, at a row that is wrong or that does not say where it is from.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yaml_file.h"

enum { MAX_SETS = 64, MAX_PROFILES = 12, MAX_PRODUCTS = 128, MAX_SLICES = 8 };

struct profile {
    const char *name, *other;
    unsigned compute, memory, max, starts;
    bool media;
    size_t line;
};

struct set {
    const char *name, *source;
    unsigned compute, memory;
    struct profile profiles[MAX_PROFILES];
    size_t count, line;
};

struct product {
    const char *words, *but_not, *set, *source;
    size_t line;
};

struct reader {
    struct yaml_file file;
    struct set sets[MAX_SETS];
    struct product products[MAX_PRODUCTS];
    size_t set_count, product_count;
};

static struct place line_at(const struct reader *rd, size_t line)
{
    return (struct place){rd->file.path, line};
}

static unsigned number(struct reader *rd, const yaml_node_t *n, unsigned most)
{
    const char *text = scalar(&rd->file, n);
    unsigned value = 0;

    for (const char *p = text; *p != '\0'; p++) {
        if (*p < '0' || *p > '9' || (value = value * 10 + (unsigned)(*p - '0')) > most)
            fail(place_of(&rd->file, n), "'%s' is no number up to %u", text, most);
    }
    return value;
}

static const yaml_node_t *list_of(struct reader *rd, const yaml_node_t *n)
{
    if (n == NULL || n->type != YAML_SEQUENCE_NODE)
        fail(place_of(&rd->file, n), "expected a list");
    return n;
}

/* Calls read for each pair of a mapping. */
static void each_pair(struct reader *rd, const yaml_node_t *n, void *row,
                      void (*read)(struct reader *rd, void *row, const yaml_node_t *key,
                                   const yaml_node_t *value))
{
    if (n == NULL || n->type != YAML_MAPPING_NODE)
        fail(place_of(&rd->file, n), "expected a row");
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++)
        read(rd, row, node(&rd->file, p->key), node(&rd->file, p->value));
}

static void read_starts(struct reader *rd, const yaml_node_t *n, struct profile *p)
{
    const yaml_node_t *list = list_of(rd, n);

    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top;
         i++)
        p->starts |= 1u << number(rd, node(&rd->file, *i), MAX_SLICES - 1);
}

static void profile_field(struct reader *rd, void *row, const yaml_node_t *key,
                          const yaml_node_t *value)
{
    struct profile *p = row;
    const char *name = scalar(&rd->file, key);

    if (strcmp(name, "name") == 0)
        p->name = scalar(&rd->file, value);
    else if (strcmp(name, "other") == 0)
        p->other = scalar(&rd->file, value);
    else if (strcmp(name, "compute") == 0)
        p->compute = number(rd, value, MAX_SLICES);
    else if (strcmp(name, "memory") == 0)
        p->memory = number(rd, value, MAX_SLICES);
    else if (strcmp(name, "max") == 0)
        p->max = number(rd, value, MAX_SLICES);
    else if (strcmp(name, "starts") == 0)
        read_starts(rd, value, p);
    else if (strcmp(name, "media") == 0)
        p->media = strcmp(scalar(&rd->file, value), "yes") == 0;
    else
        fail(place_of(&rd->file, key), "a profile has no field '%s'", name);
}

static void read_profiles(struct reader *rd, const yaml_node_t *n, struct set *s)
{
    const yaml_node_t *list = list_of(rd, n);

    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top;
         i++) {
        struct profile *p = &s->profiles[s->count];

        if (s->count++ == MAX_PROFILES)
            fail(place_of(&rd->file, n), "more than %d profiles", (int)MAX_PROFILES);
        p->line = node(&rd->file, *i)->start_mark.line + 1;
        each_pair(rd, node(&rd->file, *i), p, profile_field);
        if (p->name == NULL || p->compute == 0 || p->max == 0)
            fail(line_at(rd, p->line), "a profile needs name, compute and max");
    }
}

static void read_slices(struct reader *rd, const yaml_node_t *n, struct set *s)
{
    const yaml_node_t *list = list_of(rd, n);
    const yaml_node_item_t *first = list->data.sequence.items.start;

    if (list->data.sequence.items.top - first != 2)
        fail(place_of(&rd->file, n), "expected [compute, memory]");
    s->compute = number(rd, node(&rd->file, first[0]), MAX_SLICES);
    s->memory = number(rd, node(&rd->file, first[1]), MAX_SLICES);
}

static void set_field(struct reader *rd, void *row, const yaml_node_t *key,
                      const yaml_node_t *value)
{
    struct set *s = row;
    const char *name = scalar(&rd->file, key);

    if (strcmp(name, "name") == 0)
        s->name = scalar(&rd->file, value);
    else if (strcmp(name, "source") == 0)
        s->source = scalar(&rd->file, value);
    else if (strcmp(name, "slices") == 0)
        read_slices(rd, value, s);
    else if (strcmp(name, "profiles") == 0)
        read_profiles(rd, value, s);
    else
        fail(place_of(&rd->file, key), "a set has no field '%s'", name);
}

/* Places are told of all profiles or of none, and every profile fits where it may begin. */
static void check_set(const struct reader *rd, const struct set *s)
{
    if (s->name == NULL || s->source == NULL || s->compute == 0 || s->count == 0)
        fail(line_at(rd, s->line), "a set needs name, source, slices and profiles");
    for (size_t i = 0; i < s->count; i++) {
        const struct profile *p = &s->profiles[i];
        unsigned last = 0;

        while (p->starts >> (last + 1) != 0)
            last++;
        if (p->compute > s->compute || (s->memory > 0) != (p->memory > 0 && p->starts > 0) ||
            (s->memory > 0 && last + p->memory > s->memory))
            fail(line_at(rd, p->line), "'%s' does not fit into the slices of the set", p->name);
    }
}

static void read_set(struct reader *rd, const yaml_node_t *n)
{
    struct set *s = &rd->sets[rd->set_count];

    if (rd->set_count++ == MAX_SETS)
        fail(place_of(&rd->file, n), "more than %d sets", (int)MAX_SETS);
    s->line = n->start_mark.line + 1;
    each_pair(rd, n, s, set_field);
    check_set(rd, s);
}

static void product_field(struct reader *rd, void *row, const yaml_node_t *key,
                          const yaml_node_t *value)
{
    struct product *p = row;
    const char *name = scalar(&rd->file, key), *text = scalar(&rd->file, value);

    if (strcmp(name, "words") == 0)
        p->words = text;
    else if (strcmp(name, "but_not") == 0)
        p->but_not = text;
    else if (strcmp(name, "set") == 0)
        p->set = text;
    else if (strcmp(name, "source") == 0)
        p->source = text;
    else
        fail(place_of(&rd->file, key), "a product has no field '%s'", name);
}

static size_t set_named(const struct reader *rd, const struct product *p)
{
    for (size_t i = 0; i < rd->set_count; i++) {
        if (strcmp(rd->sets[i].name, p->set) == 0)
            return i;
    }
    fail(line_at(rd, p->line), "there is no set '%s'", p->set);
}

static void read_product(struct reader *rd, const yaml_node_t *n)
{
    struct product *p = &rd->products[rd->product_count];

    if (rd->product_count++ == MAX_PRODUCTS)
        fail(place_of(&rd->file, n), "more than %d products", (int)MAX_PRODUCTS);
    p->line = n->start_mark.line + 1;
    each_pair(rd, n, p, product_field);
    if (p->words == NULL || p->set == NULL || p->source == NULL)
        fail(line_at(rd, p->line), "a product needs words, set and source");
    (void)set_named(rd, p);
}

static void top_field(struct reader *rd, void *row, const yaml_node_t *key,
                      const yaml_node_t *value)
{
    const char *name = scalar(&rd->file, key);
    const yaml_node_t *list = list_of(rd, value);
    bool sets = strcmp(name, "sets") == 0;

    (void)row;
    if (!sets && strcmp(name, "products") != 0)
        fail(place_of(&rd->file, key), "expected sets or products, found '%s'", name);
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top;
         i++)
        (sets ? read_set : read_product)(rd, node(&rd->file, *i));
}

static void put_text(FILE *out, const char *text)
{
    if (text == NULL)
        fputs("NULL", out);
    else
        fprintf(out, "\"%s\"", text);
}

static void write_set(FILE *out, size_t at, const struct set *s)
{
    fprintf(out, "/* %s */\nstatic const struct plumb_mig_profile set%zu[] = {\n", s->name, at);
    for (size_t i = 0; i < s->count; i++) {
        const struct profile *p = &s->profiles[i];

        fprintf(out, "    {\"%s\", ", p->name);
        put_text(out, p->other);
        fprintf(out, ", %u, %u, %u, 0x%02x, %s},\n", p->compute, p->memory, p->max, p->starts,
                p->media ? "true" : "false");
    }
    fputs("};\n", out);
}

static void write_product(struct reader *rd, FILE *out, const struct product *p)
{
    size_t at = set_named(rd, p);
    const struct set *s = &rd->sets[at];

    fprintf(out, "    {\"%s\", ", p->words);
    put_text(out, p->but_not);
    fprintf(out, ", %u, %u, set%zu, %zu,\n     \"%s\",\n     \"%s\"},\n", s->compute, s->memory, at,
            s->count, p->source, s->source);
}

static void write_table(struct reader *rd, const char *folder)
{
    char path[4096];
    FILE *out = NULL;
    bool bad = false;

    snprintf(path, sizeof(path), "%s/mig_cards.c", folder);
    out = fopen(path, "w");
    if (out == NULL)
        fail(line_at(rd, 1), "'%s' cannot be written", path);
    fprintf(out, "/* Generated from schema/nvidia/mig.yaml at build time. */\n"
                 "#include \"model/mig.h\"\n\n");
    for (size_t i = 0; i < rd->set_count; i++)
        write_set(out, i, &rd->sets[i]);
    fprintf(out, "\nconst struct plumb_mig_card plumb_mig_cards[] = {\n");
    for (size_t i = 0; i < rd->product_count; i++)
        write_product(rd, out, &rd->products[i]);
    fprintf(out, "};\nconst size_t plumb_mig_card_count = %zu;\n", rd->product_count);
    bad = ferror(out) != 0;
    if (fclose(out) != 0 || bad)
        fail(line_at(rd, 1), "'%s' cannot be written", path);
}

int main(int argc, char **argv)
{
    static struct reader rd;

    if (argc != 3) {
        fprintf(stderr, "usage: plumb_schema_mig FOLDER YAML\n");
        return 2;
    }
    yaml_file_read(&rd.file, argv[2]);
    each_pair(&rd, yaml_document_get_root_node(&rd.file.doc), NULL, top_field);
    write_table(&rd, argv[1]);
    yaml_document_delete(&rd.file.doc);
    return 0;
}
