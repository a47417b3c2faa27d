/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a specification: reading, resolving, deriving. Captures that it names are opened
 * when they are there; relative names lead nowhere. The first byte chooses the release.
 */
#include "base/session.h"
#include "passes/pass.h"
#include "spec/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct plumb_session *s, const char *text, size_t len, enum plumb_release r)
{
    struct plumb_input in = {
        .path = "/nonexistent/cluster.yaml",
        .shown = "cluster.yaml",
        .kind = PLUMB_KIND_SPEC,
        .src = plumb_source_add(&s->sources, "cluster.yaml", text, len),
    };
    struct plumb_run pass = {
        .session = s,
        .forced_release = r,
        .inputs = &in,
        .input_count = 1,
        .facts = PLUMB_FACT_SOURCES,
    };

    plumb_pass_read_spec(&pass);
    plumb_pass_resolve(&pass);
    plumb_pass_attach(&pass);
    plumb_pass_derive(&pass);
    plumb_pass_type_values(&pass);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = NULL, *scratch = NULL;
    struct plumb_session s;

    if (size == 0)
        return 0;
    arena = plumb_arena_new(NULL);
    scratch = plumb_arena_new(NULL);
    plumb_session_init(&s, arena, scratch);
    run(&s, (const char *)data + 1, size - 1, (enum plumb_release)(data[0] % PLUMB_RELEASE_COUNT));
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
