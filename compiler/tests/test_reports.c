/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every public report of a cluster on Kubernetes that its configuration brought down is found by a
 * rule, with a case that shows it, or told in doc/rules/not-checked.md: reports.tsv says which. The
 * list of reports is among the shared facts; without it only the names are looked up.
 *
 * Columns: number; "rule" or "not-checked"; code, or section of the page; for a rule the case below
 * testdata/rules that shows the report, "*" where those of the rule do, or the test that does.
 */
#include <unistd.h>

#include "case_run.h"
#include "rules/check.h"

struct report {
    const char *id, *how, *where, *show;
};

struct reports {
    struct report *items;
    size_t count, cap;
};

static char *cut(char **rest, char end)
{
    char *word = *rest, *at = word == NULL ? NULL : strchr(word, end);

    *rest = at == NULL ? NULL : at + 1;
    if (at != NULL)
        *at = '\0';
    return word;
}

static struct reports read_reports(struct plumb_arena *a)
{
    struct reports all = {NULL, 0, 0};
    char *text = case_text(a, PLUMB_SOURCE_DIR "/compiler/tests/reports.tsv"), *line = NULL;

    assert_non_null(text);
    while ((line = cut(&text, '\n')) != NULL) {
        struct report r = {.id = cut(&line, '\t'), .how = cut(&line, '\t')};

        r.where = cut(&line, '\t');
        r.show = cut(&line, '\t');
        if (r.id[0] != 'R')
            continue;
        if (r.where == NULL || (strcmp(r.how, "rule") == 0) != (r.show != NULL))
            fail_msg("'%s' has not the columns that it needs", r.id);
        all.items = plumb_arena_grow(a, all.items, all.count, &all.cap, sizeof(r));
        all.items[all.count++] = r;
    }
    return all;
}

/* Some case of the rule fires. */
static bool fires(struct plumb_arena *a, const char *code)
{
    struct case_names names =
        case_list(a, plumb_arena_printf(a, PLUMB_SOURCE_DIR "/testdata/rules/%s", code));

    for (size_t i = 0; i < names.count; i++) {
        if (strncmp(names.items[i], "fires_", 6) == 0)
            return true;
    }
    return false;
}

static bool is_shown(struct plumb_arena *a, const struct report *r)
{
    const char *path = NULL, *text = NULL;

    if (strcmp(r->show, "*") == 0)
        return fires(a, r->where);
    if (strncmp(r->show, "compiler/tests/", 15) == 0) {
        text = case_text(a, plumb_arena_printf(a, PLUMB_SOURCE_DIR "/%s", r->show));
        return text != NULL && strstr(text, r->where) != NULL;
    }
    path = plumb_arena_printf(a, PLUMB_SOURCE_DIR "/testdata/rules/%s", r->show);
    return strncmp(r->show, r->where, strlen(r->where)) == 0 && access(path, F_OK) == 0;
}

static void what_the_list_names_is_there(void **state)
{
    struct fixture *fx = *state;
    struct reports all = read_reports(fx->arena);
    const char *page = case_text(fx->arena, PLUMB_SOURCE_DIR "/doc/rules/not-checked.md");
    size_t wrong = 0, rules = 0;

    assert_non_null(page);
    for (size_t i = 0; i < all.count; i++) {
        const struct report *r = &all.items[i];
        bool rule = strcmp(r->how, "rule") == 0;
        bool there =
            rule ? plumb_rule_find(r->where) != NULL && is_shown(fx->arena, r)
                 : strcmp(r->how, "not-checked") == 0 &&
                       strstr(page, plumb_arena_printf(fx->arena, "\n## %s\n", r->where)) != NULL;

        rules += rule;
        wrong += !there;
        if (!there)
            print_error("%s: there is no %s '%s' with %s\n", r->id, r->how, r->where,
                        rule ? r->show : "a section");
    }
    print_message("%zu reports: %zu by rules, %zu not checked\n", all.count, rules,
                  all.count - rules);
    assert_int_equal(wrong, 0);
}

static bool has(const struct reports *all, unsigned number)
{
    char id[16];
    size_t found = 0;

    (void)snprintf(id, sizeof(id), "R%02u", number);
    for (size_t i = 0; i < all->count; i++)
        found += strcmp(all->items[i].id, id) == 0;
    return found == 1;
}

static void every_report_is_in_the_list_once(void **state)
{
    struct fixture *fx = *state;
    struct reports all = read_reports(fx->arena);
    const char *text =
        case_text(fx->arena, fx_shared(fx->arena, "facts/k8s/operators-and-reports.md"));
    const char *end = NULL;
    unsigned count = 0, missing = 0;

    if (text == NULL) {
        print_message("the list of reports is not there: skipped\n");
        skip();
    }
    text = strstr(text, "\n## (b)");
    assert_non_null(text);
    end = strstr(text, "\n### ");
    assert_non_null(end);
    /* "12. THREAD - cause -> check" */
    while ((text = strstr(text, plumb_arena_printf(fx->arena, "\n%u. ", count + 1))) != NULL &&
           text < end) {
        count++;
        if (has(&all, count))
            continue;
        missing++;
        print_error("report %u is not in the list once\n", count);
    }
    assert_int_equal(missing, 0);
    assert_int_equal(all.count, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_the_list_names_is_there, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_report_is_in_the_list_once, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("reports", tests, NULL, NULL);
}
