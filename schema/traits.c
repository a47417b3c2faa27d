/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traits: what the daemons of a release do where no parameter tells. The first row of a trait says
 * what it means; a release before it has the value 0, which is no.
 */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

static struct trait *find_trait(struct table *t, const char *name)
{
    for (size_t i = 0; i < t->trait_count; i++)
        if (strcmp(t->traits[i].name, name) == 0)
            return &t->traits[i];
    return NULL;
}

/* PLUMB_TRAIT_<NAME>, in capitals, with '_' for '-'. */
static char *make_id(struct reader *rd, const yaml_node_t *row, const char *name)
{
    char text[200] = "PLUMB_TRAIT_";
    size_t at = strlen(text);

    for (; *name != '\0' && at + 1 < sizeof(text); name++, at++) {
        bool lower = *name >= 'a' && *name <= 'z', digit = *name >= '0' && *name <= '9';

        if (!lower && !digit && *name != '-')
            fail(place_of(&rd->file, row),
                 "the name of a trait holds small letters, digits and '-'");
        text[at] = lower ? (char)(*name - 'a' + 'A') : digit ? *name : '_';
    }
    text[at] = '\0';
    return copy_text(text);
}

static struct trait *new_trait(struct reader *rd, const yaml_node_t *row, const char *name)
{
    struct table *t = rd->table;
    struct trait *trait = &t->traits[t->trait_count];

    if (t->trait_count == MAX_TRAITS)
        fail(place_of(&rd->file, row), "too many traits");
    *trait = (struct trait){.name = copy_text(name), .id = make_id(rd, row, name)};
    trait->means = copy_text(field(rd, row, "means"));
    t->trait_count++;
    return trait;
}

/* yes, no, or a number. */
static uint64_t trait_value(struct reader *rd, const yaml_node_t *n)
{
    const char *text = scalar(&rd->file, n);

    return *text >= '0' && *text <= '9' ? number(rd, n) : yes(rd, n);
}

static void read_trait(struct reader *rd, const yaml_node_t *row)
{
    if (row->type != YAML_MAPPING_NODE)
        fail(place_of(&rd->file, row), "expected a row");

    struct trait *trait = find_trait(rd->table, field(rd, row, "name"));
    bool first = trait == NULL;
    uint64_t before = 0;

    if (first)
        trait = new_trait(rd, row, field(rd, row, "name"));
    else
        before = trait->revs[trait->rev_count - 1].value;
    if (!first && trait->revs[trait->rev_count - 1].since == rd->release)
        fail(place_of(&rd->file, row), "'%s' has two rows in this release", trait->name);
    trait->revs[trait->rev_count].since = rd->release;
    trait->revs[trait->rev_count].ref = copy_text(field(rd, row, "ref"));
    trait->revs[trait->rev_count].value = 1;
    for (yaml_node_pair_t *i = row->data.mapping.pairs.start; i < row->data.mapping.pairs.top;
         i++) {
        const char *key = scalar(&rd->file, node(&rd->file, i->key));

        if (strcmp(key, "value") == 0)
            trait->revs[trait->rev_count].value = trait_value(rd, node(&rd->file, i->value));
        else if (strcmp(key, "name") != 0 && strcmp(key, "ref") != 0 &&
                 !(first && strcmp(key, "means") == 0))
            fail(place_of(&rd->file, node(&rd->file, i->key)), "a trait has no field '%s' here",
                 key);
    }
    if (trait->revs[trait->rev_count].value == before)
        fail(place_of(&rd->file, row), "'%s' has this value in the release before", trait->name);
    trait->rev_count++;
}

void read_traits(struct reader *rd, const yaml_node_t *rows)
{
    if (rows->type != YAML_SEQUENCE_NODE)
        fail(place_of(&rd->file, rows), "expected a list of rows");
    for (yaml_node_item_t *i = rows->data.sequence.items.start; i < rows->data.sequence.items.top;
         i++)
        read_trait(rd, node(&rd->file, *i));
}

void write_trait_ids(FILE *out, const struct table *t)
{
    fprintf(out, "enum plumb_trait_id {\n");
    for (size_t i = 0; i < t->trait_count; i++)
        fprintf(out, "    %s,\n", t->traits[i].id);
    fprintf(out, "    PLUMB_TRAIT_COUNT\n};\n\n");
}

void write_traits(FILE *out, const struct table *t)
{
    size_t rev = 0;

    fprintf(out, "\nstatic const struct plumb_trait_rev trait_revs[] = {\n");
    for (size_t i = 0; i < t->trait_count; i++) {
        for (size_t j = 0; j < t->traits[i].rev_count; j++) {
            fprintf(out, "    {.id = %s, .since = %u, .value = %llu", t->traits[i].id,
                    t->traits[i].revs[j].since, (unsigned long long)t->traits[i].revs[j].value);
            put_text(out, "ref", t->traits[i].revs[j].ref);
            fprintf(out, "},\n");
        }
    }
    fprintf(out, "};\n\nconst struct plumb_trait plumb_traits[PLUMB_TRAIT_COUNT] = {\n");
    for (size_t i = 0; i < t->trait_count; i++) {
        fprintf(out, "    {.revs = &trait_revs[%zu], .rev_count = %zu", rev,
                t->traits[i].rev_count);
        put_text(out, "name", t->traits[i].name);
        put_text(out, "means", t->traits[i].means);
        fprintf(out, "},\n");
        rev += t->traits[i].rev_count;
    }
    fprintf(out, "};\n");
}
