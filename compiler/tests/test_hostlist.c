/* SPDX-License-Identifier: Apache-2.0 */
/* Host lists against src/common/hostlist.c. */
#include "fixture.h"

#include <string.h>

#include "model/hostlist.h"

#include "hostlist_rows.h"

static struct plumb_hostlist *read_list(struct fixture *fx, const char *text)
{
    struct plumb_slice s = fx_slice(fx, text);
    struct plumb_hostlist *h = plumb_hostlist_read(&fx->session, &s, PLUMB_24_11);

    if (h == NULL)
        fail_msg("row %zu '%s' was refused", fx->row, text);
    return h;
}

static void expect_text(struct fixture *fx, const struct plumb_hostlist *h, const char *want)
{
    const char *got = plumb_hostlist_str(fx->arena, h);

    if (strcmp(got, want) != 0)
        fail_msg("row %zu '%s': got '%s', expected '%s'", fx->row, fx->row_text, got, want);
}

/* A digit before a bracket belongs to the number for a set, and to the prefix for Slurm. */
static bool has_digit_before_bracket(const char *text)
{
    for (; text[0] != '\0'; text++) {
        if (text[0] >= '0' && text[0] <= '9' && text[1] == '[')
            return true;
    }
    return false;
}

static void folding_equals_scontrol(void **state)
{
    const struct plumb_hostlist none = {0};
    struct fixture *fx = *state;
    size_t sorted = 0;

    for (size_t i = 0; i < PLUMB_COUNT(recorded); i++) {
        const char *want = recorded[i].sorted != NULL ? recorded[i].sorted : recorded[i].folded;

        fx_row(fx, i, recorded[i].list);

        struct plumb_hostlist *h = read_list(fx, recorded[i].list);

        expect_text(fx, h, recorded[i].folded);
        assert_int_equal(h->count, recorded[i].count);
        fx_expect_nothing_else(fx);

        struct plumb_hostlist *set = plumb_hostlist_union(fx->arena, h, &none);
        struct plumb_hostlist *theirs = read_list(fx, want);

        assert_int_equal(plumb_hostlist_minus(fx->arena, set, theirs)->count, 0);
        assert_int_equal(plumb_hostlist_minus(fx->arena, theirs, set)->count, 0);
        if (plumb_hostlist_repeated(fx->arena, h)->count > 0)
            continue; /* a set has no repetitions, the sorted list of Slurm keeps them */
        if (has_digit_before_bracket(want))
            continue;
        sorted++;
        expect_text(fx, set, want);
    }
    assert_true(sorted > PLUMB_COUNT(recorded) / 2);
}

static void every_name_is_a_member(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(recorded); i++) {
        struct plumb_hostlist *h = read_list(fx, recorded[i].list);
        struct plumb_host_cursor cursor = {0};
        struct plumb_buf name = plumb_buf_in(fx->arena);
        uint64_t count = 0;

        fx_row(fx, i, recorded[i].list);
        for (; plumb_hostlist_next(h, &cursor, &name); count++) {
            assert_true(plumb_hostlist_has(h, plumb_buf_text(&name)));
            assert_string_equal(plumb_hostlist_name(fx->arena, h, count), plumb_buf_text(&name));
        }
        assert_int_equal(count, h->count);
        assert_null(plumb_hostlist_name(fx->arena, h, count));
    }
}

static void faults_have_exact_spans(void **state)
{
    static const struct {
        const char *text;
        enum plumb_release release;
        const char *code; /* NULL: silent */
        uint32_t begin, end;
        const char *folded; /* NULL: refused */
    } rows[] = {
        {"a[1-3],a5,a4", PLUMB_24_11, NULL, 0, 0, "a[1-3,5,4]"},
        {"a1\ta2 a3\na4", PLUMB_22_05, NULL, 0, 0, "a[1-4]"},
        {",a,,b,", PLUMB_22_05, NULL, 0, 0, "a,b"},
        {"", PLUMB_22_05, NULL, 0, 0, ""},
        {"a[1-2][3-4]", PLUMB_22_05, NULL, 0, 0, "a1[3-4],a2[3-4]"},
        {"a[1-2]b[03-04]c", PLUMB_22_05, "HOST006", 14, 15, NULL},
        {"a[1-2]b[03-04]c", PLUMB_23_11, NULL, 0, 0, "a1b[03-04]c,a2b[03-04]c"},
        {"a[1-3]0,a[4]0", PLUMB_24_11, NULL, 0, 0, "a[10,20,30,40]"},
        {"x,a[1-2", PLUMB_24_11, "HOST001", 3, 4, NULL},
        {"x,a[1-2", PLUMB_22_05, "HOST001", 3, 4, NULL},
        {"a[1-2][3", PLUMB_24_11, "HOST001", 6, 7, NULL},
        {"a[]", PLUMB_24_11, "HOST002", 2, 3, NULL},
        {"a[1,]", PLUMB_24_11, "HOST002", 4, 5, NULL},
        {"a[,1]", PLUMB_24_11, "HOST002", 2, 3, NULL},
        {"a[1,x-3]", PLUMB_24_11, "HOST002", 4, 7, NULL},
        {"a[1-2-3]", PLUMB_24_11, "HOST002", 2, 7, NULL},
        {"a[1--2]", PLUMB_24_11, "HOST002", 2, 6, NULL},
        {"a[-1]", PLUMB_24_11, "HOST002", 2, 4, NULL},
        {"a[0x1]", PLUMB_24_11, "HOST002", 2, 5, NULL},
        {"a[1 ]", PLUMB_24_11, "HOST002", 2, 4, NULL},
        {"a[1-2 ]", PLUMB_24_11, "HOST002", 2, 6, NULL},
        {"b1,a[03-01]", PLUMB_24_11, "HOST003", 5, 10, NULL},
        {"a[1-65536]", PLUMB_24_11, NULL, 0, 0, "a[1-65536]"},
        {"a[1-65537]", PLUMB_24_11, "HOST004", 2, 9, NULL},
        {"a[1-9999]b[1-9999]", PLUMB_24_11, "HOST005", 0, 18, NULL},
        {"a[1-]", PLUMB_24_11, "HOST007", 2, 4, "a1"},
        {"a[1, 2]", PLUMB_24_11, "HOST008", 4, 6, "a[1,02]"},
        {"a[1 -2]", PLUMB_24_11, "HOST008", 2, 6, "a[01-02]"},
        {"a[+1]", PLUMB_24_11, "HOST008", 2, 4, "a01"},
        {"b,a99999999999999999999", PLUMB_24_11, "HOST009", 2, 23, NULL},
        {"a[99999999999999999999]", PLUMB_24_11, "HOST009", 2, 22, NULL},
        {"a[99999999999999999999-4]", PLUMB_24_11, "HOST003", 2, 24, NULL},
        {"a[1-99999999999999999999]", PLUMB_24_11, "HOST004", 2, 24, NULL},
        {"a[18446744073709551614-18446744073709551615]", PLUMB_24_11, NULL, 0, 0,
         "a[18446744073709551614-18446744073709551615]"},
        {"a1]", PLUMB_24_11, "HOST010", 2, 3, NULL},
        {"a,b\001c", PLUMB_24_11, "HOST011", 3, 4, NULL},
        {"a[1,b[2]", PLUMB_24_11, "HOST010", 1, 2, NULL},
        {"a[1 33-4]", PLUMB_24_11, "HOST008", 2, 8, "a[0001-0004]"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice s = fx_slice(fx, rows[i].text);

        fx_row(fx, i, rows[i].text);

        struct plumb_hostlist *h = plumb_hostlist_read(&fx->session, &s, rows[i].release);

        if (rows[i].code != NULL)
            fx_expect(fx, rows[i].code, rows[i].begin, rows[i].end);
        fx_expect_nothing_else(fx);
        if ((h != NULL) != (rows[i].folded != NULL))
            fail_msg("row %zu '%s' was %s", i, rows[i].text, h == NULL ? "refused" : "taken");
        if (h != NULL)
            expect_text(fx, h, rows[i].folded);
    }
}

static void an_open_bracket_is_an_error_only_where_slurm_refuses_it(void **state)
{
    struct fixture *fx = *state;
    struct plumb_slice s = fx_slice(fx, "a[1");

    (void)plumb_hostlist_read(&fx->session, &s, PLUMB_22_05);
    (void)plumb_hostlist_read(&fx->session, &s, PLUMB_23_11);
    assert_int_equal(fx->session.sink.items[0]->severity, PLUMB_WARNING);
    assert_int_equal(fx->session.sink.items[0]->effect, PLUMB_EFFECT_IGNORED);
    assert_int_equal(fx->session.sink.items[1]->severity, PLUMB_ERROR);
    assert_int_equal(fx->session.sink.items[1]->effect, PLUMB_EFFECT_STOPS);
}

/* A finding of error level is there exactly where the release refuses the list. */
static void expect_refusal(struct fixture *fx, size_t row, const char *text,
                           enum plumb_release release, bool refused)
{
    struct plumb_slice s = fx_slice(fx, text);
    struct plumb_hostlist *h = NULL;
    bool error = false;

    fx_row(fx, row, text);
    h = plumb_hostlist_read(&fx->session, &s, release);
    for (size_t i = 0; i < fx->session.sink.count; i++)
        error = error || fx->session.sink.items[i]->severity == PLUMB_ERROR;
    if (error != refused)
        fail_msg("row %zu '%s': %s refuses it: %d, an error is reported: %d", row, text,
                 plumb_release_name(release), refused, error);
    if (h == NULL && fx->session.sink.count == 0)
        fail_msg("row %zu '%s': no list and no finding", row, text);
}

/* scontrol show hostlist of 22.05.8 and 24.11.5: taken with the bracket as a letter, or refused. */
static void stray_brackets_are_errors_where_slurm_refuses_them(void **state)
{
    static const struct {
        const char *text;
        bool refused_in_22_05, refused_in_24_11;
    } rows[] = {
        {"a]", false, false},           {"a[1]]", true, false},       {"a[[1]]", true, false},
        {"a[1,b[2]", false, false},     {"a[[x]]", true, true},       {"a]b[1]", false, false},
        {"a]b[1", false, true},         {"a[1]]b[", false, true},     {"a]b[1,2]", false, true},
        {"a[x[1-2]b[3]", false, false}, {"a]b,c[1-2]", false, false},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        expect_refusal(fx, i, rows[i].text, PLUMB_22_05, rows[i].refused_in_22_05);
        expect_refusal(fx, i, rows[i].text, PLUMB_24_11, rows[i].refused_in_24_11);
    }
}

static void errors_are_what_scontrol_refuses(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(hostile); i++) {
        expect_refusal(fx, i, hostile[i].list, PLUMB_22_05, hostile[i].refused_in_22_05);
        expect_refusal(fx, i, hostile[i].list, PLUMB_24_11, hostile[i].refused_in_24_11);
        expect_refusal(fx, i, hostile[i].list, PLUMB_26_05, hostile[i].refused_in_24_11);
    }
}

static void all_faults_of_a_list_are_reported(void **state)
{
    struct fixture *fx = *state;
    struct plumb_slice s = fx_slice(fx, "a[2-1,x],b[1-2,y]c[],d[");

    assert_null(plumb_hostlist_read(&fx->session, &s, PLUMB_24_11));
    fx_expect(fx, "HOST003", 2, 5);
    fx_expect(fx, "HOST002", 6, 7);
    fx_expect(fx, "HOST002", 15, 16);
    fx_expect(fx, "HOST002", 19, 20);
    fx_expect(fx, "HOST001", 22, 23);
    fx_expect_nothing_else(fx);
}

/* Names one a line are read as a list is, or left to its reader. */
static void names_of_lines_are_a_list(void **state)
{
    static const struct {
        const char *text, *folded; /* NULL: not read this way */
        size_t ranges;
    } rows[] = {
        {"", "", 0},
        {"n1\nn2\nn3", "n[1-3]", 1},
        {"n1\r\nn2\n\nn3\n", "n[1-3]", 1},
        {"n9\nn10\nn11\n", "n[9-11]", 1},
        {"n09\nn10\nn011\n", "n[09-10,011]", 2},
        {"n99\nn100\nn0101", "n[99-100,0101]", 2},
        {"n2\nn1\nm2\nm3\nlogin", "n[2,1],m[2-3],login", 4},
        {"7\n8\n10.0.0.1", "[7-8],10.0.0.1", 2},
        {"n999999999999999998\nn999999999999999999", "n[999999999999999998-999999999999999999]", 1},
        {"n1000000000000000000", NULL, 0},
        {"n1\nn[2-3]", NULL, 0},
        {"n1 n2", NULL, 0},
        {"n1,n2", NULL, 0},
        {"n1\n\x7fn2", NULL, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_hostlist *h = NULL;

        fx_row(fx, i, rows[i].text);
        h = plumb_hostlist_of_names(fx->arena, rows[i].text, strlen(rows[i].text));
        assert_int_equal(h == NULL, rows[i].folded == NULL);
        if (h == NULL)
            continue;
        assert_int_equal(h->range_count, rows[i].ranges);
        assert_string_equal(plumb_hostlist_str(fx->arena, h), rows[i].folded);
    }
}

static void sets_see_names_not_spellings(void **state)
{
    static const struct {
        const char *x, *y;
        const char *both, *common, *left;
    } rows[] = {
        {"a[1-5]", "a[3-8]", "a[1-8]", "a[3-5]", "a[1-2]"},
        {"a[1-5]", "", "a[1-5]", "", "a[1-5]"},
        {"", "a1", "a1", "", ""},
        {"a[1-10]", "a[01-10]", "a[1-9,01-10]", "a10", "a[1-9]"},
        {"a1[2-3]", "a12,a13,a14", "a[12-14]", "a[12-13]", ""},
        {"a1[8-11]", "a[18-19],a111", "a[18-19,110-111]", "a[18-19,111]", "a110"},
        {"a0[1-2]", "a[01-12]", "a[01-12]", "a[01-02]", ""},
        {"n[1-3]x", "n2x", "n[1-3]x", "n2x", "n[1,3]x"},
        {"b,a,a10,a9", "a", "a,a[9-10],b", "a", "a[9-10],b"},
        {"r10n1,r9n1", "r9n1", "r9n1,r10n1", "r9n1", "r10n1"},
        {"a[1-100]", "a[10-20],a[50-60],a99", "a[1-100]", "a[10-20,50-60,99]",
         "a[1-9,21-49,61-98,100]"},
        {"a[0-9]", "a[0-4],a[5-9]", "a[0-9]", "a[0-9]", ""},
        {"a[00-09]", "a0", "a[0,00-09]", "", "a[00-09]"},
        {"a1234567890123456789012[1-2]", "a12345678901234567890122", "a1234567890123456789012[1-2]",
         "a12345678901234567890122", "a12345678901234567890121"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows) - 1; i++) {
        struct plumb_hostlist *x = read_list(fx, rows[i].x), *y = read_list(fx, rows[i].y);

        fx_row(fx, i, rows[i].x);
        expect_text(fx, plumb_hostlist_union(fx->arena, x, y), rows[i].both);
        expect_text(fx, plumb_hostlist_intersect(fx->arena, x, y), rows[i].common);
        expect_text(fx, plumb_hostlist_minus(fx->arena, x, y), rows[i].left);
    }
}

static void repeated_names_point_at_the_second_place(void **state)
{
    static const struct {
        const char *text, *repeated;
        uint32_t begin, end; /* of the first range of the result */
    } rows[] = {
        {"a[1-5],b,a[3-4]", "a[3-4]", 9, 15},
        {"a[3-4],b,a[1-5]", "a[3-4]", 9, 15},
        {"a[1,1,1]", "a1", 4, 5},
        {"a1[2-3],a12", "a12", 8, 11},
        {"a[1-9],a[01-09]", "", 0, 0},
        {"x,y,x", "x", 4, 5},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_hostlist *h = read_list(fx, rows[i].text);

        fx_row(fx, i, rows[i].text);
        h = plumb_hostlist_repeated(fx->arena, h);
        expect_text(fx, h, rows[i].repeated);
        if (h->range_count > 0) {
            assert_int_equal(h->ranges[0].at.begin, rows[i].begin);
            assert_int_equal(h->ranges[0].at.end, rows[i].end);
        }
    }
}

/* Set operations against the same done name by name. */
static void sets_agree_with_a_walk_over_the_names(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i + 1 < PLUMB_COUNT(recorded); i++) {
        struct plumb_hostlist *x = read_list(fx, recorded[i].list);
        struct plumb_hostlist *y = read_list(fx, recorded[i + 1].list);
        struct plumb_hostlist *both = plumb_hostlist_intersect(fx->arena, x, y);
        struct plumb_hostlist *left = plumb_hostlist_minus(fx->arena, x, y);
        struct plumb_hostlist *all = plumb_hostlist_union(fx->arena, x, y);
        struct plumb_host_cursor cursor = {0};
        struct plumb_buf name = plumb_buf_in(fx->arena);

        fx_row(fx, i, recorded[i].list);
        while (plumb_hostlist_next(x, &cursor, &name)) {
            const char *text = plumb_buf_text(&name);
            bool in_y = plumb_hostlist_has(y, text);

            assert_int_equal(plumb_hostlist_has(both, text), in_y);
            assert_int_equal(plumb_hostlist_has(left, text), !in_y);
            assert_true(plumb_hostlist_has(all, text));
        }
        assert_int_equal(both->count + left->count + plumb_hostlist_repeated(fx->arena, all)->count,
                         plumb_hostlist_union(fx->arena, x, x)->count);
        assert_int_equal(all->count, left->count + plumb_hostlist_union(fx->arena, y, y)->count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(folding_equals_scontrol, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_name_is_a_member, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(faults_have_exact_spans, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(an_open_bracket_is_an_error_only_where_slurm_refuses_it,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(stray_brackets_are_errors_where_slurm_refuses_them,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(errors_are_what_scontrol_refuses, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(all_faults_of_a_list_are_reported, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(names_of_lines_are_a_list, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(sets_see_names_not_spellings, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(repeated_names_point_at_the_second_place, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(sets_agree_with_a_walk_over_the_names, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("model/hostlist", tests, NULL, NULL);
}
