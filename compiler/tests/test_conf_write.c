/* SPDX-License-Identifier: Apache-2.0 */
/* Building and printing of Slurm key=value files, and reading back what was printed. */
#include "fixture.h"

#include <string.h>

#include "conf/conf.h"

static const struct plumb_conf_options no_includes = {
    .directory = "",
    .release = PLUMB_24_11,
    .no_includes = true,
};

static struct plumb_conf *read_text(struct fixture *fx, const char *text, size_t len)
{
    struct plumb_source *src = plumb_source_add(&fx->session.sources, "slurm.conf", text, len);

    return plumb_conf_read(&fx->session, PLUMB_SLURM_CONF, src, &no_includes);
}

static void lines_are_printed_in_the_order_in_which_they_were_begun(void **state)
{
    static const char *const header[] = {"made by a test", ""};
    static const struct plumb_span at[] = {{1, 2, 3}, {1, 4, 5}, {1, 6, 7}};
    struct fixture *fx = *state;
    struct plumb_conf *doc = plumb_conf_new(fx->arena, PLUMB_SLURM_CONF);
    struct plumb_buf out = plumb_buf_in(fx->arena);
    struct plumb_causes causes = {.arena = fx->arena};
    const struct plumb_setting *bad = NULL;
    struct plumb_conf_line *line = NULL;

    plumb_conf_heading(doc, "identity");
    line = plumb_conf_line(doc, PLUMB_SCOPE_GLOBAL);
    plumb_conf_add(doc, line, PLUMB_P_SLURM_CLUSTERNAME, "alpha", at[0]);
    plumb_conf_heading(doc, "nodes\nof every kind");
    line = plumb_conf_line(doc, PLUMB_SCOPE_NODE);
    plumb_conf_add(doc, line, PLUMB_P_SLURM_NODENAME, "n[1-2]", at[1]);
    plumb_conf_add_u64(doc, line, PLUMB_P_NODE_CPUS, 64, at[2]);
    plumb_conf_add(doc, line, PLUMB_P_NODE_REASON, "no power", at[1]);
    plumb_conf_cause(doc, line, (struct plumb_span){0});

    assert_true(plumb_conf_write(doc, header, PLUMB_COUNT(header), &out, &causes, &bad));
    assert_null(bad);
    assert_string_equal(plumb_buf_text(&out), "# made by a test\n"
                                              "#\n"
                                              "\n"
                                              "# identity\n"
                                              "ClusterName=alpha\n"
                                              "\n"
                                              "# nodes\n"
                                              "# of every kind\n"
                                              "NodeName=n[1-2] CPUs=64 Reason=\"no power\"\n");
    assert_int_equal(causes.count, 3);
    assert_int_equal(causes.items[0].line, 5);
    assert_int_equal(causes.items[0].at.begin, 2);
    assert_int_equal(causes.items[1].line, 9);
    assert_int_equal(causes.items[1].at.begin, 4);
    assert_int_equal(causes.items[2].line, 9);
    assert_int_equal(causes.items[2].at.begin, 6);
}

static void values_are_quoted_and_escaped_as_needed(void **state)
{
    static const struct {
        const char *value, *printed; /* NULL: cannot be written */
    } rows[] = {
        {"plain", "plain"},       {"", "\"\""},       {"a b", "\"a b\""},
        {"a\tb", "\"a\tb\""},     {" ", "\" \""},     {"a#b", "a\\#b"},
        {"a # b", "\"a \\# b\""}, {"a\\b", "a\\\\b"}, {"a\\", "a\\\\"},
        {"a=b", "a=b"},           {"=", "="},         {"a\"b", "a\"b"},
        {"\"a", "\"a"},           {"\"", "\""},       {"\"a\"b", "\"a\"b"},
        {"a\"b c", NULL},         {"\"a\"", NULL},    {"\"\"", NULL},
        {"a\nb", NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_conf *doc = plumb_conf_new(fx->arena, PLUMB_SLURM_CONF), *again = NULL;
        struct plumb_conf_line *line = plumb_conf_line(doc, PLUMB_SCOPE_GLOBAL);
        struct plumb_buf out = plumb_buf_in(fx->arena);
        const struct plumb_setting *bad = NULL;

        fx_row(fx, i, rows[i].value);
        plumb_conf_add(doc, line, PLUMB_P_SLURM_MAILPROG, rows[i].value, (struct plumb_span){0});
        assert_int_equal(plumb_conf_write(doc, NULL, 0, &out, NULL, &bad), rows[i].printed != NULL);
        if (rows[i].printed == NULL) {
            assert_ptr_equal(bad, &line->pairs[0]);
            continue;
        }
        assert_string_equal(plumb_buf_text(&out),
                            plumb_arena_printf(fx->arena, "MailProg=%s\n", rows[i].printed));
        again = read_text(fx, out.text, out.len);
        assert_int_equal(again->count, 1);
        assert_string_equal(again->lines[0].pairs[0].value.text, rows[i].value);
    }
}

static bool same_pair(const struct plumb_setting *a, const struct plumb_setting *b)
{
    return strcmp(a->key, b->key) == 0 && a->value.len == b->value.len &&
           memcmp(a->value.text, b->value.text, a->value.len) == 0 && a->op == b->op &&
           a->param == b->param;
}

static size_t next_sound(const struct plumb_conf *doc, size_t i)
{
    while (i < doc->count && doc->lines[i].kind == PLUMB_CONF_BAD)
        i++;
    return i;
}

/* Equal but for lines that could not be read. */
static bool same_document(const struct plumb_conf *a, const struct plumb_conf *b)
{
    size_t i = next_sound(a, 0), j = next_sound(b, 0);

    for (; i < a->count && j < b->count; i = next_sound(a, i + 1), j = next_sound(b, j + 1)) {
        const struct plumb_conf_line *x = &a->lines[i], *y = &b->lines[j];

        if (x->kind != y->kind || x->scope != y->scope || x->count != y->count)
            return false;
        for (size_t k = 0; k < x->count; k++) {
            if (!same_pair(&x->pairs[k], &y->pairs[k]))
                return false;
        }
    }
    return i == a->count && j == b->count;
}

static void check_round_trip(struct fixture *fx, const char *text, size_t len)
{
    struct plumb_conf *doc = read_text(fx, text, len), *again = NULL;
    struct plumb_buf out = plumb_buf_in(fx->arena);
    const struct plumb_setting *bad = NULL;

    if (!plumb_conf_write(doc, NULL, 0, &out, NULL, &bad))
        fail_msg("'%s': the value '%s' of '%s' was read and cannot be written", text,
                 bad->value.text, bad->key);
    again = read_text(fx, plumb_buf_text(&out), out.len);
    if (!same_document(doc, again))
        fail_msg("'%s': printed as '%s', which reads otherwise", text, plumb_buf_text(&out));
}

static void what_was_read_is_read_back_the_same(void **state)
{
    static const char *const rows[] = {
        "ClusterName=a\nMailProg=\"x y\"\n",
        "MailProg= Epilog=1\n",
        "MailProg=\"\" Epilog=2\n",
        "MailProg=\"abc def\n",
        "MailProg=\"a b\"c\n",
        "MailProg=\"a\"b c\"\n",
        "MailProg=b\"c d\"\n",
        "DebugFlags+=Gres\nDebugFlags = x\n",
        "MailProg=a\\#b\\\\c\\\\\\\nd\n",
        "NodeName=a \\\n CPUs=1 # c\n stray\n",
        "NodeName=a Reason=\"x#y\" Gres=\n",
        "Include a#b\nInclude c\\\\d\n",
        "\357\273\277ClusterName=a\r\n\tEpilog=\"a\vb\"\r\n",
        "MailProg=\xff\xfe\x80\n",
        "Nonsense=1\nalso nonsense\nNodeName=\n",
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++)
        check_round_trip(fx, rows[i], strlen(rows[i]));
}

/* A small generator of its own: the same texts in every run. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void any_text_is_read_back_the_same(void **state)
{
    static const char *const parts[] = {
        "NodeName", "CPUs", "Include", "ClusterName", "=", "=", "=", " ",  "\"", "\"", "#",
        "\\",       "\n",   "\n",      "\t",          "a", "b", "+", "\r", ",",  ".",  "\\\n",
    };
    struct fixture *fx = *state;
    uint32_t seed = 1;

    for (unsigned i = 0; i < 20000; i++) {
        struct plumb_buf b = plumb_buf_in(fx->arena);
        unsigned count = next_random(&seed) % 24;

        for (unsigned j = 0; j < count; j++)
            plumb_buf_str(&b, parts[next_random(&seed) % PLUMB_COUNT(parts)]);
        fx_row(fx, i, plumb_buf_text(&b));
        check_round_trip(fx, plumb_buf_text(&b), b.len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_are_printed_in_the_order_in_which_they_were_begun,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(values_are_quoted_and_escaped_as_needed, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_was_read_is_read_back_the_same, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(any_text_is_read_back_the_same, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/write", tests, NULL, NULL);
}
