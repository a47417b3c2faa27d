/* SPDX-License-Identifier: Apache-2.0 */
/* JSON in: values, spans, faults. */
#include "fixture.h"

#include "base/limits.h"
#include "dump.h"
#include "syntax/json.h"

static const char *dump_text(struct fixture *fx, const char *text)
{
    struct plumb_source *src = fx_source(fx, "test", text);
    struct plumb_node *root = plumb_json_read(&fx->session, src);
    struct plumb_buf b = plumb_buf_in(fx->arena);

    if (root != NULL)
        dump(&b, src, root);
    return plumb_buf_text(&b);
}

static void every_node_has_its_exact_span(void **state)
{
    static const struct {
        const char *text, *dump;
    } rows[] = {
        {"{\"a\": 1}", "{<\"a\"|a>: <1>}0-8"},
        {" [ 1 , -2.50e+3,true,null ]\n", "[<1>, <-2.50e+3>, <true>, <null>]1-27"},
        {"{}", "{}0-2"},
        {"[[], {}]", "[[]1-3, {}5-7]0-8"},
        {"\"x\"", "<\"x\"|x>"},
        {"12345678901234567890123", "<12345678901234567890123>"},
        {"{\"\\u00e4\\n\": \"\\ud83d\\ude00\"}",
         "{<\"\\u00e4\\n\"|\xc3\xa4\\n>: <\"\\ud83d\\ude00\"|\xf0\x9f\x98\x80>}0-28"},
        {"\xef\xbb\xbf[\"\xe2\x82\xac\",\r\n 1]\r\n", "[<\"\xe2\x82\xac\"|\xe2\x82\xac>, <1>]3-15"},
        {"{\"a\":{\"b\":[{\"c\":\"\"}]}}",
         "{<\"a\"|a>: {<\"b\"|b>: [{<\"c\"|c>: <\"\"|>}11-19]10-20}5-21}0-22"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        assert_string_equal(dump_text(fx, rows[i].text), rows[i].dump);
        fx_expect_nothing_else(fx);
    }
}

static void a_part_of_a_string_has_its_span(void **state)
{
    static const struct {
        const char *text, *part;
        uint32_t begin, end;
    } rows[] = {
        {"[\"8 GB\"]", "GB", 4, 6},
        {"[\"\\u00e4\\t GB\"]", "GB", 11, 13},
        {"[\"\\ud83d\\ude00GB\"]", "GB", 14, 16},
        {"[\"\xe2\x82\xac\\\\GB\"]", "GB", 7, 9},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_source *src = fx_source(fx, "test", rows[i].text);
        const struct plumb_slice *s = &plumb_json_read(&fx->session, src)->items[0]->scalar;
        size_t begin = (size_t)(strstr(s->text, rows[i].part) - s->text);
        struct plumb_span at = plumb_slice_span(s, begin, begin + 2);

        fx_row(fx, i, rows[i].text);
        assert_int_equal(at.begin, rows[i].begin);
        assert_int_equal(at.end, rows[i].end);
    }
}

static void faults_are_found_where_they_are(void **state)
{
    static const struct {
        const char *text, *code;
        uint32_t begin, end;
    } rows[] = {
        {"", "XML007", 0, 0},
        {"  \n", "XML007", 3, 3},
        {"{\"a\": }", "XML007", 6, 7},
        {"{\"a\" 1}", "XML007", 5, 6},
        {"{\"a\": 1", "XML007", 7, 7},
        {"{\"a\": 1 \"b\": 2}", "XML007", 8, 9},
        {"{\"a\": 1,}", "XML007", 7, 8},
        {"[1, 2,\n]", "XML007", 5, 6},
        {"[1, 2}", "XML007", 5, 6},
        {"{a: 1}", "XML007", 1, 2},
        {"{'a': 1}", "XML007", 1, 4},
        {"[True]", "XML007", 1, 5},
        {"[NaN]", "XML007", 1, 4},
        {"[01]", "XML007", 1, 3},
        {"[.5]", "XML007", 1, 3},
        {"[1.]", "XML007", 1, 3},
        {"[1e]", "XML007", 1, 3},
        {"[+1]", "XML007", 1, 3},
        {"[-]", "XML007", 1, 2},
        {"[0x10]", "XML007", 1, 5},
        {"[1] 2", "XML007", 4, 5},
        {"// c\n[1]", "XML007", 0, 2},
        {"[\"a]", "XML007", 1, 2},
        {"[\"a\n\"]", "XML007", 1, 2},
        {"[\"\xc3\xa4\t\"]", "XML007", 4, 5},
        {"[\"\\d\"]", "XML007", 2, 4},
        {"[\"\\u12\"]", "XML007", 2, 4},
        {"[\"\\ud800\"]", "XML007", 2, 8},
        {"[\"\\udc00\"]", "XML007", 2, 8},
        {"[\"\xff\"]", "XML003", 2, 3},
        {"\xff\xfe[]", "XML003", 0, 2},
        {"{\"a\": 1, \"b\": 2, \"a\": 3}", "XML008", 17, 20},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        (void)dump_text(fx, rows[i].text);
        fx_expect(fx, rows[i].code, rows[i].begin, rows[i].end);
        fx_expect_nothing_else(fx);
    }
}

static void the_last_of_two_equal_keys_counts(void **state)
{
    struct fixture *fx = *state;

    assert_string_equal(dump_text(fx, "{\"a\": 1, \"b\": 2, \"a\": 3}"),
                        "{<\"a\"|a>: <3>, <\"b\"|b>: <2>}0-24");
}

static void limits_are_findings(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);

    plumb_buf_fill(&b, '[', PLUMB_MAX_DEPTH);
    plumb_buf_fill(&b, ']', PLUMB_MAX_DEPTH);
    fx_row(fx, 0, "as deep as allowed");
    (void)dump_text(fx, b.text);
    fx_expect_nothing_else(fx);

    b.len = 0;
    plumb_buf_fill(&b, '[', 100000);
    fx_row(fx, 1, "too deep");
    (void)dump_text(fx, b.text);
    fx_expect(fx, "XML005", PLUMB_MAX_DEPTH, PLUMB_MAX_DEPTH + 1);
    fx_expect_nothing_else(fx);
}

/* Values that nobody asks for are read past, wherever their quotes and brackets end. */
static void values_that_nobody_asks_for_are_read_past(void **state)
{
    static const struct plumb_json_past past[] = {{"m", "f"}, {"s", "i"}};
    static const struct {
        const char *text, *dump;
    } rows[] = {
        {"{\"m\": {\"f\": [1, {\"a\": \"]}\\\"\"}], \"n\": 1}}",
         "{<\"m\"|m>: {<\"n\"|n>: <1>}6-39}0-40"},
        {"{\"m\": {\"n\": 1, \"f\": \"\\\\\"}}", "{<\"m\"|m>: {<\"n\"|n>: <1>}6-25}0-26"},
        {"{\"m\": {\"f\": -1.5e3}}", "{<\"m\"|m>: {}6-19}0-20"},
        {"{\"m\": {\"f\": {}, \"f\": []}}", "{<\"m\"|m>: {}6-24}0-25"},
        /* elsewhere the key is like any other */
        {"{\"f\": 1, \"s\": {\"f\": 2}}", "{<\"f\"|f>: <1>, <\"s\"|s>: {<\"f\"|f>: <2>}14-22}0-23"},
        {"{\"m\": [{\"f\": 3}]}", "{<\"m\"|m>: [{<\"f\"|f>: <3>}7-15]6-16}0-17"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_source *src = fx_source(fx, "test", rows[i].text);
        struct plumb_node *root = plumb_json_read_past(&fx->session, src, past, PLUMB_COUNT(past));
        struct plumb_buf b = plumb_buf_in(fx->arena);

        fx_row(fx, i, rows[i].text);
        assert_non_null(root);
        dump(&b, src, root);
        assert_string_equal(plumb_buf_text(&b), rows[i].dump);
        fx_expect_nothing_else(fx);
    }
}

/* What is read past is JSON all the same, in a short text and in one that Jansson sees in pieces.
 */
static void what_is_read_past_is_json_too(void **state)
{
    static const struct plumb_json_past past[] = {{"m", "f"}};
    static const char *const rows[] = {
        "{\"m\": {\"f\": [1,, 2]}}", "{\"m\": {\"f\": {\"a\" 1}}}", "{\"m\": {\"f\": [tru]}}",
        "{\"m\": {\"f\": [1}}]}",    "{\"m\": {\"f\": }}",          "{\"m\": {\"f\": \"\\x\"}}",
        "{\"m\": {\"f\": [",
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        size_t blanks = (size_t)PLUMB_JSON_IN_PIECES + 1;
        const char *long_text = plumb_arena_printf(
            fx->arena, "%*s{\"items\": [{\"m\": {\"f\": 1}}, %s]}", (int)blanks, "", rows[i]);

        fx_row(fx, i, rows[i]);
        assert_null(plumb_json_read_past(&fx->session, fx_source(fx, "test", rows[i]), past, 1));
        assert_int_equal(fx->session.sink.count, 1);
        fx->session.sink.count = 0;
        assert_null(plumb_json_read_past(&fx->session, fx_source(fx, "test", long_text), past, 1));
        assert_int_equal(fx->session.sink.count, 1);
        assert_true(fx->session.sink.items[0]->at.begin >= blanks + 11);
        fx->session.sink.count = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_that_nobody_asks_for_are_read_past, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_is_read_past_is_json_too, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_node_has_its_exact_span, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_part_of_a_string_has_its_span, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(faults_are_found_where_they_are, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_last_of_two_equal_keys_counts, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(limits_are_findings, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("syntax/json", tests, NULL, NULL);
}
