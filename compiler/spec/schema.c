/* SPDX-License-Identifier: Apache-2.0 */
/* The language as JSON Schema, for editors: made from the same rows as the reader. */
#include <string.h>

#include "base/num.h"
#include "spec/scalar.h"

#define PATTERN_NAME "^[^\\s,='\"#\\\\()\\[\\]{}]+$"
#define PATTERN_PATH "^/[^\"#\\\\]*$"

static struct plumb_node *schema_of_row(struct plumb_arena *a, const struct plumb_spec_key *row);
static struct plumb_node *schema_of_one(struct plumb_arena *a, const struct plumb_spec_key *row);

static struct plumb_node *object(struct plumb_arena *a)
{
    return plumb_node_mapping(a, (struct plumb_span){0});
}

static struct plumb_node *array(struct plumb_arena *a)
{
    return plumb_node_sequence(a, (struct plumb_span){0});
}

static struct plumb_node *text(struct plumb_arena *a, const char *s)
{
    return plumb_node_string(a, s, (struct plumb_span){0});
}

static struct plumb_node *typed(struct plumb_arena *a, const char *type)
{
    struct plumb_node *n = object(a);

    plumb_node_set_string(a, n, "type", type);
    return n;
}

static struct plumb_node *pattern(struct plumb_arena *a, const char *regex)
{
    struct plumb_node *n = typed(a, "string");

    plumb_node_set_string(a, n, "pattern", regex);
    return n;
}

static struct plumb_node *either(struct plumb_arena *a, struct plumb_node *x, struct plumb_node *y)
{
    struct plumb_node *n = object(a), *list = array(a);

    plumb_node_append(a, list, x);
    plumb_node_append(a, list, y);
    plumb_node_set(a, n, "anyOf", list);
    return n;
}

static struct plumb_node *list_of(struct plumb_arena *a, struct plumb_node *item)
{
    struct plumb_node *n = typed(a, "array");

    plumb_node_set(a, n, "items", item);
    plumb_node_set_u64(a, n, "minItems", 1);
    return n;
}

/* YAML reads 24.11 and 100 as numbers where a name or release is meant. */
static struct plumb_node *text_or_number(struct plumb_arena *a, struct plumb_node *s)
{
    return either(a, s, typed(a, "number"));
}

static struct plumb_node *schema_of_table(struct plumb_arena *a, const struct plumb_spec_table *t)
{
    struct plumb_node *n = typed(a, "object"), *properties = object(a), *required = array(a);

    for (size_t i = 0; i < t->count; i++) {
        plumb_node_set(a, properties, t->keys[i].name, schema_of_row(a, &t->keys[i]));
        if (t->keys[i].required)
            plumb_node_append(a, required, text(a, t->keys[i].name));
    }
    plumb_node_set(a, n, "properties", properties);
    if (required->count > 0)
        plumb_node_set(a, n, "required", required);
    if (t->other != NULL)
        plumb_node_set(a, n, "additionalProperties", schema_of_row(a, t->other));
    else
        plumb_node_set_bool(a, n, "additionalProperties", false);
    return n;
}

static struct plumb_node *schema_of_entries(struct plumb_arena *a, const struct plumb_spec_key *row)
{
    struct plumb_node *n = typed(a, "object");

    plumb_node_set(a, n, "additionalProperties",
                   row->of != NULL ? schema_of_table(a, row->of) : typed(a, "string"));
    return n;
}

static struct plumb_node *schema_of_words(struct plumb_arena *a, const struct plumb_spec_key *row)
{
    struct plumb_node *n = object(a), *list = array(a);

    for (const struct plumb_spec_word *w = row->words; w->name != NULL; w++)
        plumb_node_append(a, list, text(a, w->name));
    plumb_node_set(a, n, "enum", list);
    return n;
}

static struct plumb_node *schema_of_number(struct plumb_arena *a, const struct plumb_spec_key *row)
{
    struct plumb_node *n = typed(a, "integer");

    plumb_node_set_u64(a, n, "minimum", row->min);
    if (row->max != 0)
        plumb_node_set_u64(a, n, "maximum", row->max);
    return n;
}

static struct plumb_node *schema_of_release(struct plumb_arena *a)
{
    struct plumb_buf b = plumb_buf_in(a);

    plumb_buf_str(&b, "^(");
    for (unsigned r = 0; r < PLUMB_RELEASE_COUNT; r++)
        plumb_buf_printf(&b, "%s%.2s\\.%s", r == 0 ? "" : "|",
                         plumb_release_name((enum plumb_release)r),
                         plumb_release_name((enum plumb_release)r) + 3);
    plumb_buf_str(&b, ")(\\.[0-9]+)?$");
    return text_or_number(a, pattern(a, plumb_buf_text(&b)));
}

static struct plumb_node *schema_of_quantity(struct plumb_arena *a,
                                             const struct plumb_spec_key *row)
{
    struct plumb_node *n = pattern(a, plumb_spec_unit_pattern(row->kind));

    if (!row->unlimited)
        return n;
    return either(a, n,
                  pattern(a, "^([Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]"
                             "|[Ii][Nn][Ff][Ii][Nn][Ii][Tt][Ee])$"));
}

static struct plumb_node *schema_of_map(struct plumb_arena *a, const struct plumb_spec_key *row)
{
    const struct plumb_spec_table *inside = plumb_spec_inside(row);
    struct plumb_node *n = schema_of_table(a, inside);

    if (row->kind == PLUMB_K_HOST)
        return either(a, n, typed(a, "string"));
    if (row->shorthand != NULL)
        return either(a, n, schema_of_one(a, plumb_spec_find(inside, row->shorthand)));
    return n;
}

static struct plumb_node *schema_of_one(struct plumb_arena *a, const struct plumb_spec_key *row)
{
    switch (row->kind) {
    case PLUMB_K_TEXT:
        return typed(a, "string");
    case PLUMB_K_NAME:
        return text_or_number(a, pattern(a, PATTERN_NAME));
    case PLUMB_K_PATH:
        return pattern(a, PATTERN_PATH);
    case PLUMB_K_RELEASE:
        return schema_of_release(a);
    case PLUMB_K_HOSTS:
        return either(a, typed(a, "string"), list_of(a, typed(a, "string")));
    case PLUMB_K_NUMBER:
        return schema_of_number(a, row);
    case PLUMB_K_DECIMAL: {
        struct plumb_node *n = typed(a, "number");

        plumb_node_set_u64(a, n, "minimum", 0);
        return n;
    }
    case PLUMB_K_BOOL:
        return typed(a, "boolean");
    case PLUMB_K_SIZE:
    case PLUMB_K_DURATION:
    case PLUMB_K_AGE:
        return schema_of_quantity(a, row);
    case PLUMB_K_WORD:
        return schema_of_words(a, row);
    case PLUMB_K_CORES:
        return either(a, schema_of_number(a, row), list_of(a, schema_of_number(a, row)));
    case PLUMB_K_HOST:
    case PLUMB_K_SECRET:
    case PLUMB_K_MAP:
        return schema_of_map(a, row);
    case PLUMB_K_ENTRIES:
        return schema_of_entries(a, row);
    case PLUMB_K_RAW:
        return typed(a, "object");
    case PLUMB_K_ANY:
        break;
    }
    return object(a);
}

static void add_default(struct plumb_arena *a, struct plumb_node *n,
                        const struct plumb_spec_key *row)
{
    uint64_t v = 0;

    if (row->def == NULL)
        return;
    if (row->kind == PLUMB_K_NUMBER && plumb_read_u64(row->def, strlen(row->def), &v))
        plumb_node_set_u64(a, n, "default", v);
    else if (row->kind == PLUMB_K_BOOL)
        plumb_node_set_bool(a, n, "default", strcmp(row->def, "true") == 0);
    else
        plumb_node_set_string(a, n, "default", row->def);
}

static struct plumb_node *schema_of_row(struct plumb_arena *a, const struct plumb_spec_key *row)
{
    struct plumb_node *n = schema_of_one(a, row);

    if (row->list)
        n = either(a, n, list_of(a, schema_of_one(a, row)));
    plumb_node_set_string(a, n, "description",
                          row->why != NULL ? plumb_arena_printf(a, "%s; %s", row->doc, row->why)
                                           : row->doc);
    add_default(a, n, row);
    return n;
}

struct plumb_node *plumb_spec_schema(struct plumb_arena *a)
{
    struct plumb_node *n = schema_of_table(a, &plumb_spec_root);
    struct plumb_node *version = object(a);

    plumb_node_set_string(a, n, "$schema", "https://json-schema.org/draft/2020-12/schema");
    plumb_node_set_string(a, n, "title", "plumb cluster specification, version 1");
    plumb_node_set_u64(a, version, "const", 1);
    plumb_node_set_string(a, version, "description",
                          plumb_spec_find(&plumb_spec_root, "plumb")->doc);
    plumb_node_set(a, plumb_node_get(n, "properties"), "plumb", version);
    return n;
}
