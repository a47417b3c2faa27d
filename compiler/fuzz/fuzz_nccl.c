/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a dump of NCCL: read, bound to a machine, shown; and judged as a file for NCCL. */
#include "capture/nccl.h"
#include "fuzz_captures.h"

static void judge(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;

    plumb_session_init(&s, arena, scratch);
    (void)plumb_nccl_sniff((const char *)data, size);
    (void)plumb_nccl_read(&s, plumb_source_add(&s.sources, "fuzz", (const char *)data, size), true);
    fuzz_check_findings(&s);
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge(data, size);
    return fuzz_capture(data, size, PLUMB_KIND_NCCL_DUMP);
}
