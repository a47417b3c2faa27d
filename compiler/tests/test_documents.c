/* SPDX-License-Identifier: Apache-2.0 */
/* Real documents: all of them are read, and written again they say the same. */
#include "fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/text.h"
#include "syntax/json.h"
#include "syntax/xml.h"
#include "syntax/yaml.h"

/* Calls visit for every file below path whose name ends so; returns how many there were. */
static size_t each_file(struct fixture *fx, const char *path, const char *ending,
                        void (*visit)(struct fixture *fx, const char *path))
{
    DIR *dir = opendir(path);
    size_t count = 0;

    if (dir == NULL)
        return 0;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        const char *child = plumb_arena_printf(fx->arena, "%s/%s", path, e->d_name);
        struct stat st;

        if (e->d_name[0] == '.' || stat(child, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode)) {
            count += each_file(fx, child, ending, visit);
        } else if (plumb_ends_with(child, ending)) {
            fx_row(fx, count++, child);
            visit(fx, child);
        }
    }
    closedir(dir);
    return count;
}

static struct plumb_source *load(struct fixture *fx, const char *path)
{
    struct plumb_source *src = NULL;

    assert_int_equal(plumb_source_load(&fx->session.sources, path, NULL, &src), PLUMB_OK);
    return src;
}

static bool same_tree(const struct plumb_node *a, const struct plumb_node *b)
{
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == PLUMB_SCALAR)
        return plumb_node_is_null(a) == plumb_node_is_null(b) && a->scalar.len == b->scalar.len &&
               memcmp(a->scalar.text, b->scalar.text, a->scalar.len) == 0;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->kind == PLUMB_SEQUENCE && !same_tree(a->items[i], b->items[i]))
            return false;
        if (a->kind == PLUMB_MAPPING && (!same_tree(a->pairs[i].key, b->pairs[i].key) ||
                                         !same_tree(a->pairs[i].value, b->pairs[i].value)))
            return false;
    }
    return true;
}

/* Without a map the text stands in the source; with one, every byte of it has its place there. */
static void check_places(const struct plumb_source *src, const struct plumb_node *n)
{
    const struct plumb_slice *s = &n->scalar;

    for (uint32_t i = 0; n->kind != PLUMB_SCALAR && i < n->count; i++) {
        const struct plumb_node *value = n->kind == PLUMB_MAPPING ? n->pairs[i].value : n->items[i];

        if (n->kind == PLUMB_MAPPING)
            check_places(src, n->pairs[i].key);
        if (!value->from_alias)
            assert_true(n->at.begin <= value->at.begin && value->at.end <= n->at.end);
        check_places(src, value);
    }
    for (uint32_t i = 0; n->kind == PLUMB_SCALAR && i < s->len; i++) {
        char c = src->bytes[plumb_slice_span(s, i, i + 1).begin];

        if (strspn(s->text + i, "\n") == s->len - i)
            break; /* the line breaks at the end of a block are outside of its span */
        if (c != s->text[i] && c != '\\')
            assert_true(plumb_is_blank(c) && plumb_is_blank(s->text[i]));
    }
}

static void visit_yaml(struct fixture *fx, const char *path)
{
    struct plumb_source *src = load(fx, path);
    struct plumb_yaml *y = plumb_yaml_read(&fx->session, src);

    fx_expect_nothing_else(fx);
    assert_true(y->count > 0);
    for (size_t i = 0; i < y->count; i++) {
        struct plumb_buf b = plumb_buf_in(fx->arena);
        struct plumb_yaml *again = NULL;

        check_places(src, y->documents[i]);
        plumb_yaml_write(&b, y->documents[i], NULL);
        again = plumb_yaml_read(&fx->session, fx_source(fx, "again", b.text));
        fx_expect_nothing_else(fx);
        assert_int_equal(again->count, 1);
        if (!same_tree(y->documents[i], again->documents[0]))
            fail_msg("%s: document %zu is another one when written", path, i);
    }
}

static void visit_json(struct fixture *fx, const char *path)
{
    struct plumb_source *src = load(fx, path);
    struct plumb_node *root = plumb_json_read(&fx->session, src);
    struct plumb_buf first = plumb_buf_in(fx->arena), second = plumb_buf_in(fx->arena);

    fx_expect_nothing_else(fx);
    assert_non_null(root);
    check_places(src, root);
    plumb_json_write(&first, root, NULL);
    plumb_json_write(&second, plumb_json_read(&fx->session, fx_source(fx, "again", first.text)),
                     NULL);
    assert_string_equal(first.text, second.text);
}

static void check_element(const struct plumb_source *src, const struct plumb_xml *e)
{
    assert_int_equal(src->bytes[e->at.begin], '<');
    assert_int_equal(src->bytes[e->at.end - 1], '>');
    assert_memory_equal(src->bytes + e->at.begin + 1, e->name, strlen(e->name));
    for (uint32_t i = 0; i < e->attr_count; i++) {
        const struct plumb_slice *v = &e->attrs[i].value;
        char quote = src->bytes[v->at.begin - 1];

        assert_true(quote == '"' || quote == '\'');
        assert_int_equal(src->bytes[v->at.end], quote);
        if (v->map == NULL)
            assert_memory_equal(src->bytes + v->at.begin, v->text, v->len + 0u);
    }
    for (uint32_t i = 0; i < e->child_count; i++)
        check_element(src, e->children[i]);
}

static void visit_xml(struct fixture *fx, const char *path)
{
    struct plumb_source *src = load(fx, path);
    struct plumb_xml *root = plumb_xml_read(&fx->session, src);

    fx_expect_nothing_else(fx);
    assert_non_null(root);
    check_element(src, root);
}

static void need_shared(struct fixture *fx)
{
    const char *root = fx_shared(fx->arena, "");
    struct stat st;

    if (stat(root, &st) != 0) {
        print_message("skipped: no reference material at %s (PLUMB_SHARED)\n", root);
        skip();
    }
}

static size_t each_shared(struct fixture *fx, const char *folder, const char *ending,
                          void (*visit)(struct fixture *fx, const char *path))
{
    return each_file(fx, fx_shared(fx->arena, folder), ending, visit);
}

static void yaml_documents_are_read(void **state)
{
    struct fixture *fx = *state;

    need_shared(fx);
    visit_yaml(fx, fx_shared(fx->arena, "design/cluster.example.yaml"));
    assert_true(each_shared(fx, "facts", ".yaml", visit_yaml) > 10);
}

static void json_documents_are_read(void **state)
{
    struct fixture *fx = *state;

    need_shared(fx);
    assert_true(each_shared(fx, "corpus/topologies", ".json", visit_json) > 0);
    assert_true(each_shared(fx, "facts", ".json", visit_json) > 0);
}

static void xml_documents_are_read(void **state)
{
    need_shared(*state);
    assert_true(each_shared(*state, "corpus/topologies", ".xml", visit_xml) > 30);
}

static void built_in_captures_are_read(void **state)
{
    assert_true(each_file(*state, PLUMB_SOURCE_DIR "/topologies", ".xml", visit_xml) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(yaml_documents_are_read, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(json_documents_are_read, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(xml_documents_are_read, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(built_in_captures_are_read, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("syntax/documents", tests, NULL, NULL);
}
