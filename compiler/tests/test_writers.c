/* SPDX-License-Identifier: Apache-2.0 */
/* YAML, JSON, XML and shell words out; reading back gives the same. */
#include "fixture.h"

#include <string.h>

#include "base/buf.h"
#include "syntax/json.h"
#include "syntax/shell.h"
#include "syntax/xml.h"
#include "syntax/yaml.h"

static struct plumb_node *json(struct fixture *fx, const char *text)
{
    struct plumb_node *n = plumb_json_read(&fx->session, fx_source(fx, "in.json", text));

    assert_non_null(n);
    return n;
}

static const char *yaml_of(struct fixture *fx, const struct plumb_node *n)
{
    struct plumb_buf b = plumb_buf_in(fx->arena);

    plumb_yaml_write(&b, n, NULL);
    return plumb_buf_text(&b);
}

static void yaml_is_written_in_block_style(void **state)
{
    static const struct {
        const char *json, *yaml;
    } rows[] = {
        {"{\"a\":1,\"b\":[\"x\",{\"c\":true,\"d\":null}],\"e\":{},\"f\":[]}",
         "a: 1\nb:\n- x\n- c: true\n  d: null\ne: {}\nf: []\n"},
        {"[[1,2],[3]]", "- - 1\n  - 2\n- - 3\n"},
        {"{\"script\":\"#!/bin/sh\\nset -e\\n  x\\n\"}",
         "script: |\n  #!/bin/sh\n  set -e\n    x\n"},
        {"{\"a\":\"no end\\nhere\"}", "a: |-\n  no end\n  here\n"},
        {"{\"a\":\"two\\n\\n\"}", "a: |+\n  two\n\n...\n"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++)
        assert_string_equal(yaml_of(fx, json(fx, rows[i].json)), rows[i].yaml);
}

/* Expected: which plain words YAML 1.1 and 1.2 resolve to something that is no text. */
static void yaml_text_that_readers_misread_is_quoted(void **state)
{
    static const struct {
        const char *text, *yaml;
    } rows[] = {
        {"", "\"\"\n"},
        {"~", "\"~\"\n"},
        {"null", "\"null\"\n"},
        {"No", "\"No\"\n"},
        {"on", "\"on\"\n"},
        {"YES", "\"YES\"\n"},
        {"n", "\"n\"\n"},
        {"true", "\"true\"\n"},
        {".inf", "\".inf\"\n"},
        {".NaN", "\".NaN\"\n"},
        {"12", "\"12\"\n"},
        {"-1", "\"-1\"\n"},
        {"+.5", "\"+.5\"\n"},
        {"0x1F", "\"0x1F\"\n"},
        {"0o17", "\"0o17\"\n"},
        {"017", "\"017\"\n"},
        {"1_000", "\"1_000\"\n"},
        {"1,000", "\"1,000\"\n"},
        {"1e3", "\"1e3\"\n"},
        {"1:30", "\"1:30\"\n"},
        {"24.11", "\"24.11\"\n"},
        {"2027-01-31", "\"2027-01-31\"\n"},
        {"2001-12-14T21:59:43.10-05:00", "\"2001-12-14T21:59:43.10-05:00\"\n"},
        {"=", "\"=\"\n"},
        {"<<", "\"<<\"\n"},
        {"- a", "'- a'\n"},
        {"a: b", "'a: b'\n"},
        {"a #b", "'a #b'\n"},
        {"*x", "'*x'\n"},
        {"@x", "'@x'\n"},
        {"%x", "'%x'\n"},
        {"{x}", "'{x}'\n"},
        {"it's", "it's\n"},
        {" x", "' x'\n"},
        {"x ", "'x '\n"},
        {"\x01", "\"\\x01\"\n"},
        {"7 days", "7 days\n"},
        {"gpu-[001-064]", "gpu-[001-064]\n"},
        {"7-00:00:00", "\"7-00:00:00\"\n"},
        {"a#b", "a#b\n"},
        {"\xc3\xa4", "\xc3\xa4\n"},
        {"\xff", "\xef\xbf\xbd\n"},
        {"none", "none\n"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_node *n = plumb_node_string(fx->arena, rows[i].text, (struct plumb_span){0});
        struct plumb_node *list = plumb_node_sequence(fx->arena, (struct plumb_span){0});

        plumb_node_append(fx->arena, list, n);

        const char *text = yaml_of(fx, list);

        assert_memory_equal(text, "- ", 2);
        assert_string_equal(text + 2, rows[i].yaml);
    }
}

static void yaml_lines_know_their_causes(void **state)
{
    static const char text[] = "{\"a\": 1,\n \"b\": [\"x\",\n {\"c\": \"l1\\nl2\"}],\n \"d\": 2}";
    static const struct {
        uint32_t line, begin;
    } rows[] = {{1, 0},  {1, 1},  {1, 6},  {2, 10}, {3, 15}, {3, 16},
                {4, 22}, {4, 23}, {4, 28}, {7, 41}, {7, 46}};
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);
    struct plumb_causes causes = {.arena = fx->arena};

    plumb_yaml_write(&b, json(fx, text), &causes);
    assert_string_equal(b.text, "a: 1\nb:\n- x\n- c: |-\n    l1\n    l2\nd: 2\n");
    assert_int_equal(causes.count, PLUMB_COUNT(rows));
    for (size_t i = 0; i < causes.count; i++) {
        assert_int_equal(causes.items[i].line, rows[i].line);
        assert_int_equal(causes.items[i].at.begin, rows[i].begin);
    }
}

static void json_is_sorted_and_keeps_numbers(void **state)
{
    static const struct {
        const char *in, *out, *compact;
    } rows[] = {
        {"{\"b\":18446744073709551615,\"a\":[0.10,-1e3,true,null,\"x\"],\"aa\":{},\"c\":[]}",
         "{\n  \"a\": [\n    0.10,\n    -1e3,\n    true,\n    null,\n    \"x\"\n  ],\n  \"aa\": "
         "{},\n"
         "  \"b\": 18446744073709551615,\n  \"c\": []\n}\n",
         "{\"a\":[0.10,-1e3,true,null,\"x\"],\"aa\":{},\"b\":18446744073709551615,\"c\":[]}"},
        {"[\"\\u0001\\\"\\\\/\xc3\xa4\\n\"]", "[\n  \"\\u0001\\\"\\\\/\xc3\xa4\\n\"\n]\n",
         "[\"\\u0001\\\"\\\\/\xc3\xa4\\n\"]"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_buf b = plumb_buf_in(fx->arena), c = plumb_buf_in(fx->arena);

        plumb_json_write(&b, json(fx, rows[i].in), NULL);
        plumb_json_write_compact(&c, json(fx, rows[i].in));
        assert_string_equal(b.text, rows[i].out);
        assert_string_equal(c.text, rows[i].compact);
    }
}

static void json_of_built_and_yaml_trees_is_json(void **state)
{
    struct fixture *fx = *state;
    struct plumb_arena *a = fx->arena;
    struct plumb_node *m = plumb_node_mapping(a, (struct plumb_span){0});
    struct plumb_buf b = plumb_buf_in(a);
    struct plumb_yaml *y = plumb_yaml_read(
        &fx->session, fx_source(fx, "y", "{p: plain, n: 12, q: '12', t: true, z: ~, o: 010}"));

    plumb_node_set_string(a, m, "s", "12");
    plumb_node_set_string(a, m, "none", NULL);
    plumb_node_set_u64(a, m, "u", UINT64_MAX);
    plumb_node_set_bool(a, m, "b", false);
    plumb_node_set(a, m, "n", plumb_node_null(a));
    plumb_node_set_string(a, m, "s", "\xff");
    plumb_json_write_compact(&b, m);
    plumb_json_write_compact(&b, y->documents[0]);
    assert_string_equal(
        b.text, "{\"b\":false,\"n\":null,\"s\":\"\xef\xbf\xbd\",\"u\":18446744073709551615}"
                "{\"n\":12,\"o\":\"010\",\"p\":\"plain\",\"q\":\"12\",\"t\":true,\"z\":null}");
}

static void json_lines_know_their_causes(void **state)
{
    static const struct {
        uint32_t line, begin;
    } rows[] = {{1, 0}, {2, 9}, {2, 14}, {3, 15}, {5, 1}, {5, 6}};
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);
    struct plumb_causes causes = {.arena = fx->arena};

    plumb_json_write(&b, json(fx, "{\"b\": 1, \"a\": [2]}"), &causes);
    assert_string_equal(b.text, "{\n  \"a\": [\n    2\n  ],\n  \"b\": 1\n}\n");
    assert_int_equal(causes.count, PLUMB_COUNT(rows));
    for (size_t i = 0; i < causes.count; i++) {
        assert_int_equal(causes.items[i].line, rows[i].line);
        assert_int_equal(causes.items[i].at.begin, rows[i].begin);
    }
}

static struct plumb_xml *small_tree(struct fixture *fx)
{
    struct plumb_arena *a = fx->arena;
    struct plumb_xml *root = plumb_xml_element(a, NULL, "system", (struct plumb_span){1, 0, 1});
    struct plumb_xml *cpu = plumb_xml_element(a, root, "cpu", (struct plumb_span){1, 2, 3});

    plumb_xml_set(a, root, "version", "1");
    plumb_xml_set(a, cpu, "numaid", "0");
    plumb_xml_set(a, cpu, "name", "<a & \"b\">");
    (void)plumb_xml_element(a, cpu, "pci", (struct plumb_span){1, 4, 5});
    plumb_xml_element(a, root, "info", (struct plumb_span){1, 6, 7})->text = "1 < 2";
    return root;
}

static void xml_is_one_tag_a_line(void **state)
{
    static const char tree[] = "<system version=\"1\">\n"
                               "  <cpu numaid=\"0\" name=\"&lt;a &amp; &quot;b&quot;&gt;\">\n"
                               "    <pci/>\n"
                               "  </cpu>\n"
                               "  <info>1 &lt; 2</info>\n"
                               "</system>\n";
    static const uint32_t lines[] = {2, 3, 4, 6};
    struct fixture *fx = *state;
    struct plumb_buf bare = plumb_buf_in(fx->arena), standard = plumb_buf_in(fx->arena);
    struct plumb_causes causes = {.arena = fx->arena};

    plumb_xml_write(&bare, small_tree(fx), "made -- here", PLUMB_XML_BARE, &causes);
    assert_string_equal(bare.text,
                        plumb_arena_printf(fx->arena, "<!-- made - - here -->\n%s", tree));
    assert_int_equal(causes.count, PLUMB_COUNT(lines));
    for (size_t i = 0; i < causes.count; i++) {
        assert_int_equal(causes.items[i].line, lines[i]);
        assert_int_equal(causes.items[i].at.begin, 2 * i);
    }
    plumb_xml_write(&standard, small_tree(fx), NULL, PLUMB_XML_STANDARD, NULL);
    assert_string_equal(
        standard.text,
        plumb_arena_printf(fx->arena, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s", tree));
}

static void shell_words_come_back_as_they_were(void **state)
{
    static const struct {
        const char *text, *word;
    } rows[] = {
        {"", "''"},
        {"/mnt/nvme/a-b_c.d:1,2+%@", "/mnt/nvme/a-b_c.d:1,2+%@"},
        {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},
        {"$HOME", "'$HOME'"},
        {"~root", "'~root'"},
        {"a=b", "'a=b'"},
        {"a\nb", "'a\nb'"},
        {"\xc3\xa4", "'\xc3\xa4'"},
        {"#x", "'#x'"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_buf b = plumb_buf_in(fx->arena);

        plumb_shell_word(&b, rows[i].text);
        assert_string_equal(b.text, rows[i].word);
    }

    struct plumb_buf b = plumb_buf_in(fx->arena);

    plumb_shell_assign(&b, "NCCL_DEBUG", "WARN x");
    assert_string_equal(b.text, "NCCL_DEBUG='WARN x'\n");
}

/* Text of every kind, written and read again, is the same text. */
static void what_is_written_reads_back_the_same(void **state)
{
    static const char *const pieces[] = {"a",
                                         " ",
                                         "\n",
                                         "\t",
                                         "'",
                                         "\"",
                                         "\\",
                                         "#",
                                         ":",
                                         "-",
                                         "?",
                                         "|",
                                         "0",
                                         "\xc3\xa4",
                                         "\r",
                                         "{",
                                         "\x7f",
                                         ",",
                                         "&",
                                         "<",
                                         "]]>",
                                         "\xe2\x80\xa8",
                                         "\xf0\x9f\x98\x80"};
    struct fixture *fx = *state;
    uint32_t seed = 1;

    for (unsigned round = 0; round < 3000; round++) {
        struct plumb_buf text = plumb_buf_in(fx->arena), y = text, j = text, x = text;
        struct plumb_node *m = plumb_node_mapping(fx->arena, (struct plumb_span){0});
        struct plumb_xml *e = plumb_xml_element(fx->arena, NULL, "e", (struct plumb_span){0});

        for (unsigned k = 0; k < round % 12; k++) {
            seed = seed * 1664525u + 1013904223u;
            plumb_buf_str(&text, pieces[(seed >> 16) % PLUMB_COUNT(pieces)]);
        }

        const char *want = plumb_buf_text(&text);

        plumb_node_set_string(fx->arena, m, "k", want);
        plumb_node_set_string(fx->arena, m, want, "v");
        plumb_yaml_write(&y, m, NULL);
        plumb_json_write(&j, m, NULL);
        plumb_xml_set(fx->arena, e, "v", want);
        plumb_xml_write(&x, e, want, PLUMB_XML_BARE, NULL);

        struct plumb_yaml *yaml = plumb_yaml_read(&fx->session, fx_source(fx, "y", y.text));
        struct plumb_node *back = plumb_json_read(&fx->session, fx_source(fx, "j", j.text));
        struct plumb_xml *root = plumb_xml_read(&fx->session, fx_source(fx, "x", x.text));

        fx->row_text = y.text;
        fx_expect_nothing_else(fx);
        assert_string_equal(plumb_node_text(plumb_node_get(yaml->documents[0], "k")), want);
        assert_string_equal(plumb_node_text(plumb_node_get(yaml->documents[0], want)), "v");
        assert_string_equal(plumb_node_text(plumb_node_get(back, "k")), want);
        assert_string_equal(plumb_node_text(plumb_node_get(back, want)), "v");
        assert_string_equal(plumb_xml_value(root, "v"), want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(yaml_is_written_in_block_style, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(yaml_text_that_readers_misread_is_quoted, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(yaml_lines_know_their_causes, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(json_is_sorted_and_keeps_numbers, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(json_of_built_and_yaml_trees_is_json, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(json_lines_know_their_causes, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(xml_is_one_tag_a_line, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(shell_words_come_back_as_they_were, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(what_is_written_reads_back_the_same, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("syntax/writers", tests, NULL, NULL);
}
