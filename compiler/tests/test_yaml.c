/* SPDX-License-Identifier: Apache-2.0 */
/* YAML in: values, spans, faults, limits. */
#include "fixture.h"

#include <string.h>

#include "base/limits.h"
#include "dump.h"
#include "syntax/yaml.h"

static const char *dump_all(struct fixture *fx, const char *text)
{
    struct plumb_source *src = fx_source(fx, "test", text);
    struct plumb_yaml *y = plumb_yaml_read(&fx->session, src);
    struct plumb_buf b = plumb_buf_in(fx->arena);

    for (size_t i = 0; i < y->count; i++) {
        if (i > 0)
            plumb_buf_str(&b, " --- ");
        dump(&b, src, y->documents[i]);
    }
    return plumb_buf_text(&b);
}

static void every_node_has_its_exact_span(void **state)
{
    static const struct {
        const char *text, *dump;
    } rows[] = {
        /* plain: without blanks and comments behind */
        {"a: b   # c\n", "{<a>: <b>}0-4"},
        {"a: b\r\nc: d\r\n", "{<a>: <b>, <c>: <d>}0-10"},
        {"\xef\xbb\xbf"
         "a: b\n",
         "{<a>: <b>}3-7"},
        {"k\xc3\xa4y: v\xe2\x82\xac # \xf0\x9f\x98\x80\nb: 1\n",
         "{<k\xc3\xa4y>: <v\xe2\x82\xac>, <b>: <1>}0-22"},
        {"a: one\n   two\nb: c\n", "{<a>: <one\\n   two|one two>, <b>: <c>}0-18"},
        {"a: one\n\n   two\n", "{<a>: <one\\n\\n   two|one\\ntwo>}0-14"},
        /* quoted: the quotes belong to the span */
        {"a: 'b # c'  # d\n", "{<a>: <'b # c'|b # c>}0-10"},
        {"a: 'it''s'\n", "{<a>: <'it''s'|it's>}0-10"},
        {"a: \"x\\ty\"\n", "{<a>: <\"x\\ty\"|x\ty>}0-9"},
        {"a: \"x\n  y\"\n", "{<a>: <\"x\\n  y\"|x y>}0-10"},
        {"\"a\": \"\"\n", "{<\"a\"|a>: <\"\"|>}0-7"},
        /* block: up to the last line with text */
        {"a: |\n  x\n  y\n\n# c\nb: 1\n", "{<a>: <|\\n  x\\n  y|x\\ny\\n>, <b>: <1>}0-22"},
        {"a: >-\n  x\n  y\n", "{<a>: <>-\\n  x\\n  y|x y>}0-13"},
        {"a: |  # c\n  x\n", "{<a>: <|  # c\\n  x|x\\n>}0-13"},
        /* nothing is a scalar of no length behind the ':' or '-' */
        {"a:\nb: 1\n", "{<a>: <>, <b>: <1>}0-7"},
        {"a:   # c\n", "{<a>: <>}0-2"},
        {"- \n- x\n", "[<>, <x>]0-6"},
        /* collections: first to last byte of their content */
        {"a:\n  b: 1\n\n# c\nd: 2\n", "{<a>: {<b>: <1>}5-9, <d>: <2>}0-19"},
        {"a:\n- 1\n- 2   \nb: 3\n", "{<a>: [<1>, <2>]3-10, <b>: <3>}0-18"},
        {"a: [1, 2 ]  # c\n", "{<a>: [<1>, <2>]3-10}0-10"},
        {"a: {b: 1, c: [] }\n", "{<a>: {<b>: <1>, <c>: []13-15}3-17}0-17"},
        {"[a: b, c]\n", "[{<a>: <b>}1-5, <c>]0-9"},
        {"{a, b: }\n", "{<a>: <>, <b>: <>}0-8"},
        {"- - 1\n  - 2\n-\n  - 3\n", "[[<1>, <2>]2-11, [<3>]16-19]0-19"},
        {"? a\n: b\n", "{<a>: <b>}0-7"},
        /* properties are no content */
        {"a: &x 1\nb: &y\n  c: 2\n", "{<a>: <1>, <b>: {<c>: <2>}16-20}0-20"},
        {"a: !!str 1\nb: &y !!map {}\n", "{<a>: <1>, <b>: {}23-25}0-25"},
        {"a: &x:y\n", "{<a>: <:y>}0-7"},
        {"a: &x\nb: !!null\n", "{<a>: <>, <b>: <>}0-15"},
        {"a: ! 1\n", "{<a>: <1>}0-6"},
        /* an alias has the spans of its anchor, its collection goes on to the alias */
        {"a: &x [1]\nb: *x\n", "{<a>: [<1>]6-9, <b>: [<1>]6-9}0-15"},
        {"a: &x k\n*x : 1\n", "{<a>: <k>, <k>: <1>}0-14"},
        /* merge keys: what the mapping says itself, then the earlier of the others */
        {"a: &x {p: 1}\nb: {<<: *x, q: 2}\n",
         "{<a>: {<p>: <1>}6-12, <b>: {<q>: <2>, <p>: <1>}16-30}0-30"},
        {"- &x {p: 1, q: 1}\n- &y {q: 2, r: 2}\n- {<<: [*x, *y], p: 3}\n",
         "[{<p>: <1>, <q>: <1>}5-17, {<q>: <2>, <r>: <2>}23-35, {<p>: <3>, <q>: <1>, <r>: "
         "<2>}38-58]"
         "0-58"},
        /* documents */
        {"", ""},
        {"# only this\n", ""},
        {"---\n...\n", ""},
        {"--- a\n--- b\n...\n---\n---\n- c\n", "<a> --- <b> --- [<c>]24-27"},
        {"%YAML 1.2\n---\na: 1\n", "{<a>: <1>}14-18"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        assert_string_equal(dump_all(fx, rows[i].text), rows[i].dump);
        fx_expect_nothing_else(fx);
    }
}

/* The part of a value that is wrong is found in the text, whatever escapes stand before it. */
static void a_part_of_a_value_has_its_span(void **state)
{
    static const struct {
        const char *text;    /* one key, one value */
        const char *part;    /* of the value */
        uint32_t begin, end; /* where it is */
    } rows[] = {
        {"a: 512GB\n", "GB", 6, 8},
        {"a: '512GB'\n", "GB", 7, 9},
        {"a: \"512GB\"\n", "GB", 7, 9},
        {"a: 'it''s GB'\n", "GB", 10, 12},
        {"a: \"x\\ty\\x41 GB\"\n", "GB", 13, 15},
        {"a: \"\\u00e4 GB\"\n", "GB", 11, 13},
        {"a: \"\\U0001F600\\N\\_\\L\\P GB\"\n", "GB", 23, 25},
        {"a: \"x \\\n    y GB\"\n", "GB", 14, 16},
        {"a: \"x\n\n  y GB\"\n", "GB", 11, 13},
        {"a: \"x\r\n  y GB\"\r\n", "GB", 11, 13},
        {"a: one\n   two GB\n", "GB", 14, 16},
        {"a: one   \n\n\n   two GB\n", "GB", 19, 21},
        {"a: |\n  one\n    two GB\n", "GB", 19, 21},
        {"a: |\n  one\n\n  two\n    GB\n", "  GB", 20, 24},
        {"a: >\n  one\n  two GB\n", "GB", 17, 19},
        {"a: |2\n    one GB\n", "  one", 8, 13},
        {"a: |  # c\n  x\n", "\n", 12, 13}, /* the last line break is outside of the span */
        {"\xc3\xa4: \"\xc3\xa4\\\"GB\"\n", "GB", 9, 11},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_source *src = fx_source(fx, "test", rows[i].text);
        struct plumb_yaml *y = plumb_yaml_read(&fx->session, src);

        fx_row(fx, i, rows[i].text);
        assert_int_equal(y->count, 1);

        const struct plumb_slice *s = &y->documents[0]->pairs[0].value->scalar;
        const char *part = strstr(s->text, rows[i].part);

        assert_non_null(part);

        size_t begin = (size_t)(part - s->text);
        struct plumb_span at = plumb_slice_span(s, begin, begin + strlen(rows[i].part));

        if (at.begin != rows[i].begin || at.end != rows[i].end)
            fail_msg("row %zu: %u-%u, expected %u-%u", i, at.begin, at.end, rows[i].begin,
                     rows[i].end);
    }
}

static void an_alias_keeps_the_places_of_its_anchor(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "test", "- &q '8 GB'\n- *q\n");
    const struct plumb_node *n = plumb_yaml_read(&fx->session, src)->documents[0]->items[1];
    struct plumb_span at = plumb_slice_span(&n->scalar, 2, 4);

    assert_true(n->from_alias);
    assert_int_equal(at.begin, 8);
    assert_int_equal(at.end, 10);
}

static void faults_are_found_where_they_are(void **state)
{
    static const struct {
        const char *text, *code;
        uint32_t begin, end;
    } rows[] = {
        {"a: b: c\n", "YAML001", 4, 5},
        {"\xc3\xa4: b: c\n", "YAML001", 5, 6},
        {"a: 1\n  b: 2\n", "YAML001", 7, 8},
        {"a: 1\nfoo bar # c\nb: 2\n", "YAML001", 5, 12},
        {"a:\n    b: 1\n  c: 2\n", "YAML001", 14, 16},
        {"- a\n- b\nc: 1\n", "YAML001", 8, 10},
        {"a: b\n- c\n", "YAML001", 5, 6},
        {"a: - b\n", "YAML001", 3, 4},
        {"a: @x\n", "YAML001", 3, 4},
        {"a: `x`\n", "YAML001", 3, 4},
        {"a: %x\n", "YAML001", 3, 4},
        {"a: *\n", "YAML001", 3, 4},
        {"a: *.conf\n", "YAML001", 3, 9},
        {"a: &\n", "YAML001", 3, 4},
        {"a: [,]\n", "YAML001", 4, 5},
        {"a: \"\\d+\"\n", "YAML001", 4, 6},
        {"a: \"\\xZZ\"\n", "YAML001", 4, 6},
        {"a: 'x'y\n", "YAML001", 6, 7},
        {"a: |x\n b\n", "YAML001", 4, 5},
        {"a: {b: 1}}\n", "YAML001", 9, 10},
        {"%FOO\n---\na: 1\n", "YAML001", 0, 4},
        {"a: [1, 2}\n", "YAML001", 8, 9},
        /* tabs */
        {"\ta: 1\n", "YAML002", 0, 1},
        {"a:\n\t\tb: 1\n", "YAML002", 3, 5},
        {"\xc3\xa4:\n\tb: 1\n", "YAML002", 4, 5},
        {"a:\r\n\tb: 1\r\n", "YAML002", 4, 5},
        {"a: |\n\tb\n", "YAML002", 5, 6},
        /* what is not closed */
        {"a: [1, 2\nb: 3\n", "YAML003", 10, 11},
        {"{a: 1", "YAML003", 5, 5},
        {"a: \"x\nb: 1\n", "YAML003", 3, 4},
        {"\xc3\xa4: 'x\n", "YAML003", 4, 5},
        /* keys */
        {"a: 1\nb: 2\na: 3\n", "YAML004", 10, 11},
        {"a: 1\n'a': 3\n", "YAML004", 5, 8},
        {"{\xc3\xa4: 1, \xc3\xa4: 2}", "YAML004", 8, 10},
        {"? [a, b]\n: c\n", "YAML005", 2, 8},
        {"{{a: b}: c}\n", "YAML005", 1, 7},
        /* aliases */
        {"a: *x\n", "YAML006", 3, 5},
        {"a: &x [*x]\n", "YAML006", 7, 9},
        {"a: 1\n--- \nb: *a\n", "YAML006", 13, 15},
        /* tags */
        {"a: !foo b\n", "YAML010", 3, 7},
        {"a: &x !foo b\n", "YAML010", 6, 10},
        {"a: !!foo [b]\n", "YAML010", 3, 8},
        {"a: !z!t b\n", "YAML010", 3, 7},
        /* bytes */
        {"a: b\xff\n", "YAML011", 4, 5},
        {"\xc3\xa4: b\xc3\n", "YAML011", 5, 6},
        {"a: b\x01\n", "YAML012", 4, 5},
        {"a: b\x7f\n", "YAML012", 4, 5},
        {"\xff\xfe"
         "a",
         "YAML011", 0, 2},
        /* merge keys */
        {"a: {<<: b}\n", "YAML013", 8, 9},
        {"a: {<<: [b]}\n", "YAML013", 9, 10},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        (void)dump_all(fx, rows[i].text);
        fx_expect(fx, rows[i].code, rows[i].begin, rows[i].end);
        fx_expect_nothing_else(fx);
    }
}

static void what_stands_before_a_fault_is_kept(void **state)
{
    static const struct {
        const char *text, *dump, *code;
    } rows[] = {
        {"a: 1\nb: [2, 3\n", "{<a>: <1>, <b>: [<2>, <3>]8-13}0-13", "YAML003"},
        {"a: 1\n---\nb: {c: @}\n", "{<a>: <1>}0-4 --- {<b>: {}12-14}9-14", "YAML001"},
        {"a: 1\na: 2\nb: 3\n", "{<a>: <1>, <b>: <3>}0-14", "YAML004"},
        {"a: 1\nb: \x01\nc: 3\n", "{<a>: <1>, <b>: <\x01|_>, <c>: <3>}0-14", "YAML012"},
        /* a key without text ends where it begins, before the text that nobody could read */
        {"!!map\n&b &c d: e\n", "{<>: <>}9-9", "YAML001"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        assert_string_equal(dump_all(fx, rows[i].text), rows[i].dump);
        assert_string_equal(fx->session.sink.items[0]->rule->code, rows[i].code);
        assert_int_equal(fx->session.sink.count, 1);
    }
}

static void every_duplicate_is_reported_in_large_mappings_too(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);

    for (unsigned i = 0; i < 1000; i++)
        plumb_buf_printf(&b, "k%u: 1\n", i);
    plumb_buf_str(&b, "k999: 2\nk0: 2\n");
    fx_row(fx, 0, "1002 keys");
    (void)dump_all(fx, b.text);
    fx_expect_at(fx, "YAML004", 1001, 1);
    fx_expect_at(fx, "YAML004", 1002, 1);
    fx_expect_nothing_else(fx);

    const struct plumb_diag *d = fx->session.sink.items[1];

    assert_int_equal(d->notes.count, 1);
    assert_int_equal(d->notes.items[0].at.begin, 0);
}

static void limits_are_findings(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);

    plumb_buf_fill(&b, '[', PLUMB_MAX_DEPTH);
    plumb_buf_fill(&b, ']', PLUMB_MAX_DEPTH);
    fx_row(fx, 0, "as deep as allowed");
    (void)dump_all(fx, b.text);
    fx_expect_nothing_else(fx);

    b.len = 0;
    plumb_buf_fill(&b, '[', 100000);
    fx_row(fx, 1, "too deep");
    (void)dump_all(fx, b.text);
    fx_expect(fx, "YAML008", PLUMB_MAX_DEPTH, PLUMB_MAX_DEPTH + 1);
    fx_expect_nothing_else(fx);

    b.len = 0;
    plumb_buf_str(&b, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (unsigned i = 1; i < 30; i++)
        plumb_buf_printf(&b, "a%u: &a%u [*a%u, *a%u, *a%u]\n", i, i, i - 1, i - 1, i - 1);
    fx_row(fx, 2, "aliases of aliases");
    (void)dump_all(fx, b.text);
    assert_int_equal(fx->session.sink.count, 1);
    assert_string_equal(fx->session.sink.items[0]->rule->code, "YAML007");

    b.len = 0;
    plumb_buf_str(&b, "a0: &a0 [[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]\n");
    for (unsigned i = 1; i < 12; i++)
        plumb_buf_printf(&b, "a%u: &a%u [[[[[[[[[[[[[[[[[[[[*a%u]]]]]]]]]]]]]]]]]]]]\n", i, i,
                         i - 1);
    fx_row(fx, 3, "aliases that nest");
    (void)dump_all(fx, b.text);
    assert_int_equal(fx->session.sink.count, 1);
    assert_string_equal(fx->session.sink.items[0]->rule->code, "YAML008");
}

static void marks_become_bytes_in_long_texts(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);

    for (unsigned i = 0; i < 500; i++)
        plumb_buf_printf(&b, "k%03u: \xc3\xa4\xe2\x82\xac \xf0\x9f\x98\x80 v%u # \xc3\xa4\n", i, i);

    struct plumb_source *src = fx_source(fx, "test", b.text);
    struct plumb_yaml *y = plumb_yaml_read(&fx->session, src);
    const struct plumb_node *root = y->documents[0];

    assert_int_equal(root->count, 500);
    for (uint32_t i = 0; i < root->count; i++) {
        const struct plumb_slice *s = &root->pairs[i].value->scalar;

        assert_int_equal(s->at.end - s->at.begin, s->len);
        assert_memory_equal(src->bytes + s->at.begin, s->text, s->len);
        assert_memory_equal(src->bytes + root->pairs[i].key->at.begin,
                            root->pairs[i].key->scalar.text, 4);
    }
}

static void comments_are_told_from_text(void **state)
{
    static const char text[] = "# plumb: ignore A001 -- one\n"
                               "a: 1 #plumb: two  \r\n"
                               "b: '# plumb: no'\n"
                               "c: x#plumb:no\n"
                               "d: |  # plumb: three\n"
                               "  # plumb: no\n"
                               "\n"
                               "  # plumb: no\n"
                               "# plumb: four\n"
                               "e: \"\n"
                               " # plumb: no\"\n"
                               "  # plumber: no\n"
                               "f: 1 \t# \xc3\xa4 plumb: no\n"
                               "  #   plumb: five";
    static const struct {
        const char *text;
        uint32_t line, column;
        bool alone;
    } rows[] = {
        {"plumb: ignore A001 -- one", 1, 1, true},
        {"plumb: two", 2, 6, false},
        {"plumb: three", 5, 7, false},
        {"plumb: four", 9, 1, true},
        {"plumb: five", 14, 3, true},
    };
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "test", text);
    struct plumb_comment *got = NULL;
    size_t count = plumb_yaml_comments(&fx->session, src, plumb_yaml_read(&fx->session, src), &got);

    fx_expect_nothing_else(fx);
    assert_int_equal(count, PLUMB_COUNT(rows));
    for (size_t i = 0; i < count; i++) {
        struct plumb_place p = plumb_source_place(&fx->session.sources, got[i].text.at);
        struct plumb_span word = plumb_slice_span(&got[i].text, 0, 5);

        assert_string_equal(got[i].text.text, rows[i].text);
        assert_int_equal(got[i].line, rows[i].line);
        assert_int_equal(p.line, rows[i].line);
        assert_int_equal(p.column, rows[i].column);
        assert_int_equal(got[i].alone, rows[i].alone);
        assert_memory_equal(src->bytes + word.begin, "plumb", 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_node_has_its_exact_span, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_part_of_a_value_has_its_span, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(an_alias_keeps_the_places_of_its_anchor, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(faults_are_found_where_they_are, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(what_stands_before_a_fault_is_kept, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_duplicate_is_reported_in_large_mappings_too, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(limits_are_findings, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(marks_become_bytes_in_long_texts, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(comments_are_told_from_text, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("syntax/yaml", tests, NULL, NULL);
}
