/* SPDX-License-Identifier: Apache-2.0 */
/* XML in: elements, attributes, text, spans, faults. */
#include "fixture.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "syntax/xml.h"

/* (name begin-end attr=value@begin-end "text" children...) */
static void dump(struct plumb_buf *b, const struct plumb_xml *e)
{
    plumb_buf_printf(b, "(%s %u-%u", e->name, e->at.begin, e->at.end);
    for (uint32_t i = 0; i < e->attr_count; i++)
        plumb_buf_printf(b, " %s=%s@%u-%u", e->attrs[i].name, e->attrs[i].value.text,
                         e->attrs[i].value.at.begin, e->attrs[i].value.at.end);
    if (e->text != NULL)
        plumb_buf_printf(b, " \"%s\"", e->text);
    for (uint32_t i = 0; i < e->child_count; i++) {
        plumb_buf_char(b, ' ');
        assert_ptr_equal(e->children[i]->parent, e);
        dump(b, e->children[i]);
    }
    plumb_buf_char(b, ')');
}

static const char *dump_text(struct fixture *fx, const char *text)
{
    struct plumb_xml *root = plumb_xml_read(&fx->session, fx_source(fx, "test", text));
    struct plumb_buf b = plumb_buf_in(fx->arena);

    if (root != NULL)
        dump(&b, root);
    return plumb_buf_text(&b);
}

static void every_tag_and_value_has_its_exact_span(void **state)
{
    static const struct {
        const char *text, *dump;
    } rows[] = {
        {"<a/>", "(a 0-4)"},
        {"<a></a>\n", "(a 0-3)"},
        {"<a b=\"c\" d='e f'/>", "(a 0-18 b=c@6-7 d=e f@12-15)"},
        {"<a  b = \"c\"\n   d=\"\" ></a>", "(a 0-21 b=c@9-10 d=@18-18)"},
        {"<a b=\"x>y/\"/>", "(a 0-13 b=x>y/@6-10)"},
        {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
         "<topology version=\"2.0\">\n  <object type=\"Machine\"/>\n</topology>\n",
         "(topology 79-103 version=2.0@98-101 (object 106-130 type=Machine@120-127))"},
        {"\xef\xbb\xbf<a b=\"\xc3\xa4\">\r\n<c d=\"\xe2\x82\xac\"/>\r\n</a>",
         "(a 3-13 b=\xc3\xa4@9-11 (c 15-27 d=\xe2\x82\xac@21-24))"},
        {"<!-- <x y=\"z\"> -->\n<a><!-- <b> --><c/></a>", "(a 19-22 (c 34-38))"},
        {"<a>  one <b/> two\n</a>", "(a 0-3 \"one  two\" (b 9-13))"},
        {"<a>1 &lt; 2 &amp; 3 &#228; <![CDATA[<x>]]></a>", "(a 0-3 \"1 < 2 & 3 \xc3\xa4 <x>\")"},
        {"<a b=\"&lt;&amp;&quot;&apos;&gt;&#65;&#x20ac;\"/>",
         "(a 0-47 b=<&\"'>A\xe2\x82\xac@6-44)"},
        {"<a b=\"x\n\ty\"/>", "(a 0-13 b=x  y@6-10)"},
        {"<x:a x:b=\"1\" xmlns=\"u\"/>", "(x:a 0-24 x:b=1@10-11 xmlns=u@20-21)"},
        {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>", "(a 43-47)"},
        {"<a><b><c/></b><b/></a>", "(a 0-3 (b 3-6 (c 6-10)) (b 14-18))"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        assert_string_equal(dump_text(fx, rows[i].text), rows[i].dump);
        fx_expect_nothing_else(fx);
    }
}

static void a_part_of_a_value_has_its_span(void **state)
{
    static const struct {
        const char *text, *part;
        uint32_t begin, end;
    } rows[] = {
        {"<a b=\"8 GB\"/>", "GB", 8, 10},
        {"<a b=\"&lt;&#228; GB\"/>", "GB", 17, 19},
        {"<a b=\"x\r\ny GB\"/>", "GB", 11, 13},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_xml *root = plumb_xml_read(&fx->session, fx_source(fx, "t", rows[i].text));
        const struct plumb_slice *s = &plumb_xml_attr(root, "b")->value;
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
        {"", "XML002", 0, 0},
        {" \n", "XML002", 2, 2},
        {"text", "XML001", 0, 4},
        {"<a/><b/>", "XML001", 4, 5},
        {"<a/>text", "XML001", 4, 8},
        {"\n<?xml version=\"1.0\"?><a/>", "XML001", 1, 6},
        {"<a b/>", "XML001", 4, 5},
        {"<a b=c/>", "XML001", 5, 6},
        {"<a b=\"c\"d=\"e\"/>", "XML001", 8, 9},
        {"<a b=\"<\"/>", "XML001", 6, 7},
        {"<a b=\"1\" c=\"2\" b=\"3\"/>", "XML001", 15, 16},
        {"<a>a & b</a>", "XML001", 5, 6},
        {"<a>a < b</a>", "XML001", 5, 6},
        {"<a>&lt x</a>", "XML001", 3, 6},
        {"<a>&#0;</a>", "XML001", 3, 7},
        {"<a>\x01</a>", "XML001", 3, 4},
        {"<a\x11<b/></a>", "XML001", 2, 3},
        /* not closed */
        {"<a><b></a>", "XML002", 6, 10},
        {"<a>\n<b></c>\n</a>", "XML002", 7, 11},
        {"<a>\n<b/>\n", "XML002", 9, 9},
        {"<a b=\"c", "XML002", 7, 7},
        {"<a", "XML002", 2, 2},
        /* bytes */
        {"<a>\xff</a>", "XML003", 3, 4},
        {"<\xc3\xa4>\xc3</\xc3\xa4>", "XML003", 4, 5},
        {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe4</a>", "XML003", 30, 40},
        {"\xfe\xff<", "XML003", 0, 2},
        /* entities */
        {"<a>&x;</a>", "XML004", 3, 6},
        {"<a b=\"1 &x;\"/>", "XML004", 8, 11},
        {"<!DOCTYPE a SYSTEM \"a.dtd\">\n<a>&x;</a>", "XML004", 31, 34},
        {"<!DOCTYPE a SYSTEM \"a.dtd\">\n<a b=\"&x;\"/>", "XML004", 34, 37},
        {"<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "XML004", 13, 27},
        {"<!DOCTYPE a [<!ENTITY x SYSTEM \"/etc/passwd\">]><a>&x;</a>", "XML004", 13, 44},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        (void)dump_text(fx, rows[i].text);
        fx_expect(fx, rows[i].code, rows[i].begin, rows[i].end);
        fx_expect_nothing_else(fx);
    }
}

static void what_stands_before_a_fault_is_kept(void **state)
{
    struct fixture *fx = *state;

    assert_string_equal(dump_text(fx, "<a><b c=\"1\"/><d>"), "(a 0-3 (b 3-13 c=1@9-10) (d 13-16))");
    assert_int_equal(fx->session.sink.count, 1);
}

static void limits_are_findings(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf b = plumb_buf_in(fx->arena);

    for (int i = 0; i < PLUMB_MAX_DEPTH; i++)
        plumb_buf_str(&b, "<a>");
    for (int i = 0; i < PLUMB_MAX_DEPTH; i++)
        plumb_buf_str(&b, "</a>");
    fx_row(fx, 0, "as deep as allowed");
    (void)dump_text(fx, b.text);
    fx_expect_nothing_else(fx);

    b.len = 0;
    for (int i = 0; i < 10000; i++)
        plumb_buf_str(&b, "<a>");
    fx_row(fx, 1, "too deep");
    (void)dump_text(fx, b.text);
    fx_expect(fx, "XML005", PLUMB_MAX_DEPTH * 3, PLUMB_MAX_DEPTH * 3 + 3);
    fx_expect_nothing_else(fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_tag_and_value_has_its_exact_span, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_part_of_a_value_has_its_span, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(faults_are_found_where_they_are, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(what_stands_before_a_fault_is_kept, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(limits_are_findings, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("syntax/xml", tests, NULL, NULL);
}
