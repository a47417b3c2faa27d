/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slurm's files in YAML: no crash, and findings inside the text. The first byte says which file of
 * which release it is.
 */
#include "conf/nested.h"

#include "passes/pass.h"
#include "tree.h"

enum { FIRST = PLUMB_TOPOLOGY_YAML, KINDS = PLUMB_FILE_COUNT - FIRST };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = NULL, *scratch = NULL;
    struct plumb_session s;
    struct plumb_run r = {.session = &s, .facts = PLUMB_FACT_CONF};
    struct plumb_source *src = NULL;
    enum plumb_file file;

    if (size == 0)
        return 0;
    arena = plumb_arena_new(NULL);
    scratch = plumb_arena_new(NULL);
    plumb_session_init(&s, arena, scratch);
    file = (enum plumb_file)(FIRST + data[0] % KINDS);
    s.sink.release = (enum plumb_release)(data[0] / KINDS % PLUMB_RELEASE_COUNT);
    src = plumb_source_add(&s.sources, "in", (const char *)data + 1, size - 1);
    r.nested[file] = plumb_nested_read(&s, file, src);
    plumb_pass_check_conf(&r);
    plumb_pass_lift(&r);
    plumb_pass_type_values(&r);
    fuzz_check_findings(&s);
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
