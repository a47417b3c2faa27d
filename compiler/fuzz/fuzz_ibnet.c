/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the output of ibnetdiscover: read, made a tree of groups, written for Slurm. */
#include <stdlib.h>

#include "emit/topo.h"
#include "fuzz_captures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;
    struct plumb_input in = {.path = "fuzz", .shown = "fuzz", .kind = PLUMB_KIND_IBNET};

    plumb_session_init(&s, arena, scratch);
    in.src = plumb_source_add(&s.sources, "fuzz", (const char *)data, size);

    struct plumb_run r = {.session = &s, .inputs = &in, .input_count = 1};
    struct plumb_buf text = plumb_buf_in(arena);

    plumb_pass_read_fabric(&r);
    fuzz_check_findings(&s);
    for (size_t i = 0; r.fabric != NULL && i < r.fabric->count; i++) {
        const struct plumb_fabric_group *g = &r.fabric->groups[i];

        if (g->parent != PLUMB_FABRIC_NONE && (g->parent <= i || g->parent >= r.fabric->count ||
                                               r.fabric->groups[g->parent].hosts != NULL))
            abort(); /* a tree, children first, and hosts at the bottom only */
    }
    if (r.fabric != NULL) {
        plumb_fabric_conf(r.fabric, &(struct plumb_fabric_form){0}, &text);
        plumb_fabric_yaml(r.fabric, &(struct plumb_fabric_form){.block = true}, &text);
    }
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
