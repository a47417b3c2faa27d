/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the language against themselves and against the parameter table. */
#include "fixture.h"

#include <string.h>

#include "base/text.h"
#include "spec/tree.h"
#include "syntax/json.h"
#include "syntax/yaml.h"

typedef void (*visit)(struct fixture *fx, const char *path, const struct plumb_spec_key *row);

static void walk(struct fixture *fx, const struct plumb_spec_table *t, const char *path, visit f)
{
    for (size_t i = 0; i <= t->count; i++) {
        const struct plumb_spec_key *row = i < t->count ? &t->keys[i] : t->other;
        const char *at = NULL;

        if (row == NULL)
            continue;
        at = plumb_arena_printf(fx->arena, "%s%s%s", path, path[0] != '\0' ? "." : "", row->name);
        f(fx, at, row);
        if (plumb_spec_inside(row) != NULL)
            walk(fx, plumb_spec_inside(row),
                 row->kind == PLUMB_K_ENTRIES ? plumb_arena_printf(fx->arena, "%s.NAME", at) : at,
                 f);
    }
}

static void each(void **state, visit f)
{
    walk(*state, &plumb_spec_root, "", f);
}

static void is_documented(struct fixture *fx, const char *path, const struct plumb_spec_key *row)
{
    (void)fx;
    if (row->doc == NULL || row->doc[0] == '\0' || plumb_ends_with(row->doc, "."))
        fail_msg("%s: its doc is no sentence part", path);
    if (row->example == NULL && row->def == NULL && plumb_spec_inside(row) == NULL &&
        !plumb_starts_with(path, "nodes.NAME.gres") && strstr(path, "host.") == NULL &&
        strstr(path, "hosts.") == NULL && strstr(path, "backup.") == NULL &&
        strstr(path, "password.") == NULL)
        fail_msg("%s: it has neither default nor example", path);
}

static void every_key_is_documented(void **state)
{
    each(state, is_documented);
}

static void has_sound_name(struct fixture *fx, const char *path, const struct plumb_spec_key *row)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

    (void)fx;
    if (row->name[0] >= 'A' && row->name[0] <= 'Z') /* stands for any name */
        return;
    if (strspn(row->name, letters) != strlen(row->name))
        fail_msg("%s: no snake case", path);
}

static void names_are_snake_case(void **state)
{
    each(state, has_sound_name);
}

static void has_unique_keys(struct fixture *fx, const char *path, const struct plumb_spec_key *row)
{
    const struct plumb_spec_table *t = plumb_spec_inside(row);

    (void)fx;
    for (size_t i = 0; t != NULL && i < t->count; i++) {
        for (size_t k = i + 1; k < t->count; k++) {
            if (strcmp(t->keys[i].name, t->keys[k].name) == 0)
                fail_msg("%s: key '%s' twice", path, t->keys[i].name);
        }
    }
    for (const struct plumb_spec_word *w = row->words; w != NULL && w->name != NULL; w++) {
        for (const struct plumb_spec_word *x = w + 1; x->name != NULL; x++) {
            if (plumb_same_nocase(w->name, x->name))
                fail_msg("%s: word '%s' twice", path, w->name);
        }
    }
}

static void keys_and_words_are_unique(void **state)
{
    each(state, has_unique_keys);
}

static void has_sound_values(struct fixture *fx, const char *path, const struct plumb_spec_key *row)
{
    const char *texts[] = {row->def, row->example};
    struct plumb_spec_value v;

    for (size_t i = 0; i < PLUMB_COUNT(texts); i++) {
        struct plumb_slice s;

        if (texts[i] == NULL || strchr("[{\"", texts[i][0]) != NULL ||
            plumb_spec_inside(row) != NULL || row->kind == PLUMB_K_ANY ||
            row->kind == PLUMB_K_ENTRIES)
            continue;
        s = fx_slice(fx, texts[i]);
        if (!plumb_spec_read_text(NULL, row, &s, &v))
            fail_msg("%s: '%s' cannot be read", path, texts[i]);
    }
}

static void defaults_and_examples_can_be_read(void **state)
{
    each(state, has_sound_values);
}

static bool used(const struct plumb_param *p, enum plumb_release r)
{
    enum plumb_life life = (enum plumb_life)plumb_param_at(p, r)->life;

    return life == PLUMB_LIFE_OK || life == PLUMB_LIFE_DEPRECATED || life == PLUMB_LIFE_RENAMED;
}

/* A parameter that some release lacks: its row names the first one, or what stands in for it. */
static void check_releases(const char *path, const struct plumb_spec_key *row, uint16_t sets)
{
    const struct plumb_param *p = plumb_param((enum plumb_param_id)(sets - 1));
    enum plumb_release first = PLUMB_22_05;

    while (first < PLUMB_RELEASE_COUNT && !used(p, first))
        first++;
    if (first == PLUMB_RELEASE_COUNT)
        fail_msg("%s: no release reads %s", path, p->name);
    for (enum plumb_release r = first; r < PLUMB_RELEASE_COUNT; r++) {
        if (!used(p, r))
            fail_msg("%s: %s is gone in %s", path, p->name, plumb_release_name(r));
    }
    if (first != PLUMB_22_05 && row->instead == 0 &&
        strstr(row->doc, plumb_release_name(first)) == NULL)
        fail_msg("%s: its doc does not say that %s begins with %s", path, p->name,
                 plumb_release_name(first));
}

static void is_in_releases(struct fixture *fx, const char *path, const struct plumb_spec_key *row)
{
    (void)fx;
    if (row->sets != 0)
        check_releases(path, row, row->sets);
    if (row->also != 0)
        check_releases(path, row, row->also);
    if (row->instead != 0)
        check_releases(path, row, row->instead);
}

static void every_parameter_is_in_the_releases_that_its_key_claims(void **state)
{
    each(state, is_in_releases);
}

/* The unit of a row is that of its parameter in the table of parameters. */
static void has_unit_of_parameter(struct fixture *fx, const char *path,
                                  const struct plumb_spec_key *row)
{
    const struct plumb_param *p = NULL;
    const char *unit = NULL;

    (void)fx;
    if (row->sets == 0 || row->item != NULL ||
        (row->kind != PLUMB_K_SIZE && row->kind != PLUMB_K_DURATION))
        return;
    p = plumb_param((enum plumb_param_id)(row->sets - 1));
    unit = plumb_param_at(p, PLUMB_26_05)->unit;
    if (row->unit == PLUMB_U_NONE)
        fail_msg("%s: no unit", path);
    if (unit != NULL && strcmp(unit, plumb_spec_unit_name(row->unit)) != 0)
        fail_msg("%s counts %s, %s counts %s", path, plumb_spec_unit_name(row->unit), p->name,
                 unit);
}

static void units_are_those_of_the_parameters(void **state)
{
    each(state, has_unit_of_parameter);
}

static void has_known_words(struct fixture *fx, const char *path, const struct plumb_spec_key *row)
{
    const struct plumb_param *p = NULL;

    (void)fx;
    if (row->sets == 0)
        return;
    p = plumb_param((enum plumb_param_id)(row->sets - 1));
    for (const struct plumb_spec_word *w = row->words; w != NULL && w->name != NULL; w++) {
        if (p->value_count > 0 && plumb_param_value(p, w->slurm, strlen(w->slurm)) == NULL)
            fail_msg("%s: %s does not know '%s'", path, p->name, w->slurm);
    }
    if (row->item != NULL && row->item[0] != '\0' && p->value_count > 0 &&
        plumb_param_value(p, row->item, strlen(row->item)) == NULL &&
        plumb_param_value(p, plumb_arena_printf(fx->arena, "%s=", row->item),
                          strlen(row->item) + 1) == NULL)
        fail_msg("%s: %s does not know '%s'", path, p->name, row->item);
}

static void words_and_items_are_known_to_the_parameters(void **state)
{
    each(state, has_known_words);
}

static void can_be_explained(struct fixture *fx, const char *path, const struct plumb_spec_key *row)
{
    struct plumb_buf b = plumb_buf_in(fx->arena);

    if (row->name[0] >= 'A' && row->name[0] <= 'Z')
        return;
    if (!plumb_spec_describe(&b, path, NULL) || strstr(plumb_buf_text(&b), row->doc) == NULL)
        fail_msg("%s: cannot be explained", path);
}

static void every_key_can_be_explained(void **state)
{
    each(state, can_be_explained);
}

static void an_unknown_path_suggests_the_nearest(void **state)
{
    static const struct {
        const char *path, *suggestion;
    } rows[] = {
        {"scheduling.backfil.window", "scheduling.backfill.window"},
        {"scheduling.backfill.windw", "scheduling.backfill.window"},
        {"shceduling", "scheduling"},
        {"nodes.h100.memry", NULL}, /* may be the name of a class below, but is none */
        {"", NULL},
        {"...", NULL},
        {"xyzzy", NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_buf b = plumb_buf_in(fx->arena);
        const char *suggestion = NULL;
        bool known = plumb_spec_describe(&b, rows[i].path, &suggestion);

        if (rows[i].suggestion == NULL)
            continue;
        assert_false(known);
        assert_non_null(suggestion);
        assert_string_equal(suggestion, rows[i].suggestion);
    }
}

static void explaining_names_unit_default_and_parameter(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);

    assert_true(plumb_spec_describe(&b, "scheduling.backfill.window", NULL));
    assert_non_null(strstr(plumb_buf_text(&b), "SchedulerParameters (slurm.conf): bf_window"));
    assert_non_null(strstr(plumb_buf_text(&b), "in minutes"));
    b = plumb_buf_in(fx->arena);
    assert_true(plumb_spec_describe(&b, "control.return_to_service", NULL));
    assert_non_null(strstr(plumb_buf_text(&b), "default  not_responding"));
    b = plumb_buf_in(fx->arena);
    assert_true(plumb_spec_describe(&b, "nodes.h100.gres.gpu.count", NULL));
    assert_non_null(strstr(plumb_buf_text(&b), "a whole number"));
}

/* What a schema node may hold; deeper rules are those of the generator. */
static void check_schema(const struct plumb_node *n, unsigned depth)
{
    static const char *const types[] = {"string",  "number", "integer",
                                        "boolean", "object", "array"};
    const char *type = plumb_node_text(plumb_node_get(n, "type"));
    const struct plumb_node *properties = plumb_node_get(n, "properties");
    const struct plumb_node *required = plumb_node_get(n, "required");
    const struct plumb_node *any = plumb_node_get(n, "anyOf");
    bool known = type == NULL;

    assert_int_equal(n->kind, PLUMB_MAPPING);
    assert_true(depth < 16);
    for (size_t i = 0; i < PLUMB_COUNT(types); i++)
        known = known || strcmp(type, types[i]) == 0;
    assert_true(known);
    for (uint32_t i = 0; properties != NULL && i < properties->count; i++)
        check_schema(properties->pairs[i].value, depth + 1);
    for (uint32_t i = 0; required != NULL && i < required->count; i++)
        assert_non_null(plumb_node_get(properties, required->items[i]->scalar.text));
    assert_true(any == NULL || any->count >= 2);
    for (uint32_t i = 0; any != NULL && i < any->count; i++)
        check_schema(any->items[i], depth + 1);
    if (plumb_node_get(n, "items") != NULL)
        check_schema(plumb_node_get(n, "items"), depth + 1);
    if (plumb_node_get(n, "enum") != NULL)
        assert_true(plumb_node_get(n, "enum")->count > 0);
}

static void the_json_schema_is_one(void **state)
{
    struct fixture *fx = *state;
    struct plumb_node *schema = plumb_spec_schema(fx->arena);
    struct plumb_buf b = plumb_buf_in(fx->arena);
    const struct plumb_node *properties = plumb_node_get(schema, "properties");

    assert_string_equal(plumb_node_text(plumb_node_get(schema, "$schema")),
                        "https://json-schema.org/draft/2020-12/schema");
    assert_int_equal(properties->count, plumb_spec_root.count);
    for (uint32_t i = 0; i < properties->count; i++)
        assert_non_null(plumb_node_get(properties->pairs[i].value, "description"));
    check_schema(schema, 0);
    plumb_json_write(&b, schema, NULL);
    assert_non_null(
        plumb_json_read(&fx->session, fx_source(fx, "schema.json", plumb_buf_text(&b))));
    fx_expect_nothing_else(fx);
}

static void is_in_reference(struct fixture *fx, const char *path, const struct plumb_spec_key *row)
{
    const char *text = fx->row_text;

    if (strstr(text, plumb_arena_printf(fx->arena, "| `%s`", row->name)) == NULL)
        fail_msg("%s: not in the reference", path);
}

static void the_reference_has_every_key(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);

    plumb_spec_reference(&b);
    fx->row_text = plumb_buf_text(&b);
    each(state, is_in_reference);
}

static void constants_are_known_to_every_release(void **state)
{
    (void)state;
    for (size_t i = 0; i < plumb_spec_constant_count; i++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)plumb_spec_constants[i].id);

        for (enum plumb_release r = PLUMB_22_05; r < PLUMB_RELEASE_COUNT; r++)
            assert_true(used(p, r));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_key_is_documented, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(names_are_snake_case, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(keys_and_words_are_unique, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(defaults_and_examples_can_be_read, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_parameter_is_in_the_releases_that_its_key_claims,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(units_are_those_of_the_parameters, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(words_and_items_are_known_to_the_parameters, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(every_key_can_be_explained, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(an_unknown_path_suggests_the_nearest, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(explaining_names_unit_default_and_parameter, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(the_json_schema_is_one, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_reference_has_every_key, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(constants_are_known_to_every_release, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("spec/tables", tests, NULL, NULL);
}
