/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology_cases.tsv: each misconfiguration of a real site that the shared notes list is told by a
 * rule with a case that fires and one that is quiet, proved by a test, or has its reason in
 * doc/rules/not-checked.md. Rules of readers keep their cases as rows of a test: those count by
 * the names of their rows.
 */
#include <dirent.h>
#include <string.h>

#include "base/text.h"
#include "case_run.h"
#include "rules/check.h"

struct row {
    char *id, *how, *where;
};

static bool next_row(char **text, struct row *out)
{
    char *line = NULL;

    while ((line = fx_part(text, "\n")) != NULL) {
        if (line[0] == '#' || plumb_starts_with(line, "case\t"))
            continue;
        *out = (struct row){fx_part(&line, "\t"), fx_part(&line, "\t"), fx_part(&line, "\t")};
        if (out->where == NULL || fx_part(&line, "\t") == NULL)
            fail_msg("case %s: fewer than four columns", out->id == NULL ? "?" : out->id);
        return true;
    }
    return false;
}

static char *table(struct fixture *fx)
{
    char *text = case_text(fx->arena, PLUMB_SOURCE_DIR "/compiler/tests/topology_cases.tsv");

    assert_non_null(text);
    return text;
}

/* Cases of testdata/rules/CODE whose names begin so. */
static size_t cases(struct fixture *fx, const char *code, const char *prefix)
{
    DIR *dir = opendir(plumb_arena_printf(fx->arena, PLUMB_SOURCE_DIR "/testdata/rules/%s", code));
    size_t count = 0;

    for (struct dirent *e = NULL; dir != NULL && (e = readdir(dir)) != NULL;)
        count += plumb_starts_with(e->d_name, prefix);
    if (dir != NULL)
        (void)closedir(dir);
    return count;
}

static bool proved(struct fixture *fx, const char *code)
{
    return plumb_rule_find(code) != NULL && cases(fx, code, "fires_") > 0 &&
           cases(fx, code, "quiet_") > 0;
}

static bool all_proved(struct fixture *fx, const struct row *r)
{
    char *codes = plumb_arena_strdup(fx->arena, r->where), *code = NULL;
    bool all = true;

    while ((code = fx_part(&codes, " ")) != NULL) {
        if (proved(fx, code))
            continue;
        print_error("case %s: %s is no rule with a case that fires and one that is quiet\n", r->id,
                    code);
        all = false;
    }
    return all;
}

/* The test names the case: "case 29". */
static bool tested(struct fixture *fx, const struct row *r)
{
    const char *path = plumb_arena_printf(fx->arena, PLUMB_SOURCE_DIR "/%s", r->where);
    const char *text = case_text(fx->arena, path);

    return text != NULL && strstr(text, plumb_arena_printf(fx->arena, "ase %s", r->id)) != NULL;
}

static bool told(struct fixture *fx, const char *page, const struct row *r)
{
    if (strcmp(r->how, "rule") == 0)
        return all_proved(fx, r);
    if (strcmp(r->how, "test") == 0)
        return tested(fx, r);
    return strcmp(r->how, "not-checked") == 0 &&
           strstr(page, plumb_arena_printf(fx->arena, "\n## %s\n", r->where)) != NULL;
}

static void each_case_is_told_by_something_that_is_there(void **state)
{
    struct fixture *fx = *state;
    char *text = table(fx);
    char *page = case_text(fx->arena, PLUMB_SOURCE_DIR "/doc/rules/not-checked.md");
    size_t count = 0, wrong = 0;
    struct row r;

    assert_non_null(page);
    for (; next_row(&text, &r); count++) {
        if (told(fx, page, &r))
            continue;
        print_error("case %s: there is no %s '%s'\n", r.id, r.how, r.where);
        wrong++;
    }
    assert_true(count > 0);
    assert_int_equal(wrong, 0);
}

static bool has_row(struct fixture *fx, const char *id)
{
    char *text = table(fx);
    struct row r;

    while (next_row(&text, &r)) {
        if (strcmp(r.id, id) == 0)
            return true;
    }
    return false;
}

/* The tables of section 1: those behind it are about tools. */
static void every_case_of_the_notes_is_in_the_table(void **state)
{
    struct fixture *fx = *state;
    char *text = case_text(fx->arena, fx_shared(fx->arena, "facts/topology-cases.md"));
    size_t found = 0, missing = 0;

    if (text == NULL) {
        print_message("the notes are not there: skipped\n");
        skip();
    }

    char *row = strstr(text, "\n### 1a."), *end = strstr(text, "\n## 2.");

    assert_non_null(row);
    assert_non_null(end);
    for (row = strstr(row, "\n| "); row != NULL && row < end; row = strstr(row + 1, "\n| ")) {
        const char *id = plumb_arena_strndup(fx->arena, row + 3, strcspn(row + 3, " "));

        if (!plumb_is_digit(id[0]))
            continue;
        found++;
        if (has_row(fx, id))
            continue;
        missing++;
        print_error("case %s is not in the table\n", id);
    }
    assert_true(found > 0);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_case_is_told_by_something_that_is_there, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(every_case_of_the_notes_is_in_the_table, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
