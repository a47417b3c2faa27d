/* SPDX-License-Identifier: Apache-2.0 */
/* YAML: no crash, spans inside the text, and what is written reads back the same. */
#include "syntax/yaml.h"

#include "tree.h"

static void check_round_trip(struct plumb_session *s, const struct plumb_node *root)
{
    struct plumb_buf b = plumb_buf_in(s->arena);
    struct plumb_causes causes = {.arena = s->arena};
    size_t findings = s->sink.count;

    plumb_yaml_write(&b, root, &causes);

    struct plumb_source *src = plumb_source_add(&s->sources, "again", b.text, b.len);
    struct plumb_yaml *again = plumb_yaml_read(s, src);

    if (root->kind == PLUMB_SCALAR && root->scalar.len == 0 && again->count == 0)
        return; /* an empty document is left out */
    fuzz_check(s->sink.count == findings && again->count == 1);
    fuzz_check(fuzz_same_tree(root, again->documents[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;
    struct plumb_comment *comments = NULL;

    plumb_session_init(&s, arena, scratch);

    struct plumb_source *src = plumb_source_add(&s.sources, "in", (const char *)data, size);
    struct plumb_yaml *y = plumb_yaml_read(&s, src);
    size_t count = plumb_yaml_comments(&s, src, y, &comments);

    fuzz_check_findings(&s);
    fuzz_check(!y->partial || s.sink.count > 0);
    for (size_t i = 0; i < count; i++)
        fuzz_check_slice(src, &comments[i].text);
    for (size_t i = 0; i < y->count; i++) {
        fuzz_check_tree(src, y->documents[i], 0);
        check_round_trip(&s, y->documents[i]);
    }
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
