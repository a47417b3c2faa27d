/* SPDX-License-Identifier: Apache-2.0 */
/* XML: no crash, spans inside the text, and what is written reads back the same. */
#include "syntax/xml.h"

#include "tree.h"

static void check_element(const struct plumb_source *src, const struct plumb_xml *e, unsigned depth)
{
    fuzz_check(depth < PLUMB_MAX_DEPTH);
    fuzz_check_span(src, e->at);
    fuzz_check(src->bytes[e->at.begin] == '<' && src->bytes[e->at.end - 1] == '>');
    for (uint32_t i = 0; i < e->attr_count; i++) {
        const struct plumb_slice *v = &e->attrs[i].value;

        fuzz_check(v->at.begin > e->at.begin && v->at.end < e->at.end);
        fuzz_check_slice(src, v);
    }
    for (uint32_t i = 0; i < e->child_count; i++) {
        fuzz_check(e->children[i]->parent == e && e->children[i]->at.begin >= e->at.end);
        check_element(src, e->children[i], depth + 1);
    }
}

static bool same_element(const struct plumb_xml *a, const struct plumb_xml *b)
{
    if (strcmp(a->name, b->name) != 0 || a->attr_count != b->attr_count ||
        a->child_count != b->child_count)
        return false;
    for (uint32_t i = 0; i < a->attr_count; i++) {
        if (strcmp(a->attrs[i].name, b->attrs[i].name) != 0 ||
            strcmp(a->attrs[i].value.text, b->attrs[i].value.text) != 0)
            return false;
    }
    for (uint32_t i = 0; i < a->child_count; i++) {
        if (!same_element(a->children[i], b->children[i]))
            return false;
    }
    return true;
}

static void check_round_trip(struct plumb_session *s, const struct plumb_xml *root)
{
    struct plumb_buf b = plumb_buf_in(s->arena);
    struct plumb_causes causes = {.arena = s->arena};
    size_t findings = s->sink.count;

    plumb_xml_write(&b, root, "a -- comment-", PLUMB_XML_BARE, &causes);

    struct plumb_xml *again =
        plumb_xml_read(s, plumb_source_add(&s->sources, "again", b.text, b.len));

    fuzz_check(s->sink.count == findings && again != NULL && same_element(root, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;

    plumb_session_init(&s, arena, scratch);

    struct plumb_source *src = plumb_source_add(&s.sources, "in", (const char *)data, size);
    struct plumb_xml *root = plumb_xml_read(&s, src);

    fuzz_check_findings(&s);
    fuzz_check(root != NULL || s.sink.count > 0);
    if (root != NULL) {
        check_element(src, root, 0);
        check_round_trip(&s, root);
    }
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
