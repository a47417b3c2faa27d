/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every check that Slurm's daemons make is a row of the parameter table, a rule, or told in
 * doc/rules/not-checked.md: catalogue.tsv says which, and what it names is there. The list of
 * checks is among the shared facts; without them only the names are looked up.
 */
#include "case_run.h"
#include "rules/check.h"
#include "schema/param.h"

struct entry {
    const char *id, *how, *where;
};

struct catalogue {
    struct entry *items;
    size_t count, cap;
};

/* Cuts a line at its tabs; false when it has fewer than three columns. */
static bool cut(char *line, struct entry *e)
{
    char *how = strchr(line, '\t'), *where = how == NULL ? NULL : strchr(how + 1, '\t');

    if (where == NULL)
        return false;
    *how++ = *where++ = '\0';
    *e = (struct entry){.id = line, .how = how, .where = where};
    return true;
}

static struct catalogue read_catalogue(struct plumb_arena *a)
{
    struct catalogue c = {NULL, 0, 0};
    char *text = case_text(a, PLUMB_SOURCE_DIR "/compiler/tests/catalogue.tsv");

    assert_non_null(text);
    for (char *next = NULL; text != NULL; text = next) {
        struct entry e;

        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (text[0] != 'S')
            continue;
        if (!cut(text, &e))
            fail_msg("'%s' has no three columns", text);
        c.items = plumb_arena_grow(a, c.items, c.count, &c.cap, sizeof(e));
        c.items[c.count++] = e;
    }
    return c;
}

static bool is_there(struct plumb_arena *a, const char *page, const struct entry *e)
{
    if (strcmp(e->how, "rule") == 0)
        return plumb_rule_find(e->where) != NULL;
    if (strcmp(e->how, "table") == 0)
        return plumb_param_elsewhere(NULL, e->where, strlen(e->where), NULL) != NULL;
    return strcmp(e->how, "not-checked") == 0 &&
           strstr(page, plumb_arena_printf(a, "\n## %s\n", e->where)) != NULL;
}

static void what_the_catalogue_names_is_there(void **state)
{
    struct fixture *fx = *state;
    struct catalogue c = read_catalogue(fx->arena);
    char *page = case_text(fx->arena, PLUMB_SOURCE_DIR "/doc/rules/not-checked.md");
    size_t wrong = 0;

    assert_non_null(page);
    assert_true(c.count > 0);
    for (size_t i = 0; i < c.count; i++) {
        if (is_there(fx->arena, page, &c.items[i]))
            continue;
        wrong++;
        print_error("%s: there is no %s '%s'\n", c.items[i].id, c.items[i].how, c.items[i].where);
    }
    assert_int_equal(wrong, 0);
}

static void every_check_of_the_daemons_is_in_the_catalogue(void **state)
{
    struct fixture *fx = *state;
    const char *root = getenv("PLUMB_SHARED");
    char *text = case_text(fx->arena,
                           plumb_arena_printf(fx->arena, "%s/facts/slurm/checks.md",
                                              root != NULL ? root : PLUMB_SOURCE_DIR "/../shared"));
    struct catalogue c = read_catalogue(fx->arena);
    size_t found = 0, missing = 0;

    if (text == NULL) {
        print_message("the list of checks is not there: skipped\n");
        skip();
    }
    for (char *row = strstr(text, "\n| S"); row != NULL; row = strstr(row + 1, "\n| S")) {
        size_t len = strcspn(row + 3, " ");
        bool known = false;

        for (size_t i = 0; i < c.count && !known; i++)
            known = strlen(c.items[i].id) == len && memcmp(c.items[i].id, row + 3, len) == 0;
        found++;
        missing += !known;
        if (!known)
            print_error("%.*s is not in the catalogue\n", (int)len, row + 3);
    }
    assert_true(found > 0);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_the_catalogue_names_is_there, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_check_of_the_daemons_is_in_the_catalogue, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
