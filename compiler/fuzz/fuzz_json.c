/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: no crash, Jansson agrees, spans inside the text, what is written reads back the same. */
#include "syntax/json.h"

#include "tree.h"

static void check_round_trip(struct plumb_session *s, const struct plumb_node *root)
{
    struct plumb_buf first = plumb_buf_in(s->arena), second = plumb_buf_in(s->arena);
    struct plumb_causes causes = {.arena = s->arena};

    plumb_json_write(&first, root, &causes);

    struct plumb_node *again =
        plumb_json_read(s, plumb_source_add(&s->sources, "again", first.text, first.len));

    fuzz_check(again != NULL);
    plumb_json_write(&second, again, NULL);
    fuzz_check(first.len == second.len && memcmp(first.text, second.text, first.len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;

    plumb_session_init(&s, arena, scratch);

    struct plumb_source *src = plumb_source_add(&s.sources, "in", (const char *)data, size);
    struct plumb_node *root = plumb_json_read(&s, src);

    fuzz_check_findings(&s);
    fuzz_check(root != NULL || s.sink.count > 0);
    if (root != NULL) {
        fuzz_check_tree(src, root, 0);
        check_round_trip(&s, root);
    }
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
