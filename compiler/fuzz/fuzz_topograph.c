/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a model of topograph: read, made a tree and blocks, written for Slurm. */
#include <stdlib.h>

#include "emit/topo.h"
#include "fuzz_captures.h"

/* A tree, children first, hosts at the bottom only. */
static void check_tree(const struct plumb_fabric *f)
{
    for (size_t i = 0; i < f->count; i++) {
        size_t parent = f->groups[i].parent;

        if (parent != PLUMB_FABRIC_NONE &&
            (parent <= i || parent >= f->count || f->groups[parent].hosts != NULL))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;
    struct plumb_input in = {.path = "fuzz", .shown = "fuzz", .kind = PLUMB_KIND_TOPOGRAPH};

    plumb_session_init(&s, arena, scratch);
    in.src = plumb_source_add(&s.sources, "fuzz", (const char *)data, size);

    struct plumb_run r = {.session = &s, .inputs = &in, .input_count = 1};
    struct plumb_buf text = plumb_buf_in(arena);

    plumb_pass_read_fabric(&r);
    fuzz_check_findings(&s);
    if (r.fabric != NULL) {
        check_tree(r.fabric);
        plumb_fabric_conf(r.fabric, &(struct plumb_fabric_form){.sizes = true}, &text);
        plumb_fabric_yaml(r.fabric, &(struct plumb_fabric_form){.block = true}, &text);
    }
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
