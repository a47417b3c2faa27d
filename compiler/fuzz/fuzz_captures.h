/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets of captures: any bytes as one kind of capture, bound and shown. */
#ifndef PLUMB_FUZZ_CAPTURES_H
#define PLUMB_FUZZ_CAPTURES_H

#include "emit/topo.h"
#include "fuzz.h"
#include "passes/captures.h"
#include "syntax/json.h"

/* Numbers of a machine fit each other, whatever was read. */
static inline void fuzz_check_machine(const struct plumb_hardware *hw)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (plumb_numa_known(hw->gpus[i].numa) && hw->gpus[i].numa.n >= hw->numa_count)
            abort();
        if (hw->gpus[i].index.n != i)
            abort();
    }
    for (size_t i = 0; i < hw->cpu_limit; i++) {
        if (plumb_core_known(hw->core_of_cpu[i]) && hw->core_of_cpu[i].n >= hw->core_count.v)
            abort();
    }
    for (size_t i = 0; i < hw->numa_count; i++) {
        if (hw->numa[i].package != PLUMB_NO_INDEX && hw->numa[i].package >= hw->package_count)
            abort();
    }
}

static inline void fuzz_show(struct plumb_session *s, const struct plumb_hardware *hw)
{
    struct plumb_buf text = plumb_buf_in(s->arena);

    fuzz_check_machine(hw);
    if (hw->gpu_count + hw->nic_count > 64) /* the square of it is printed */
        return;
    plumb_topo_text(&text, hw, s);
    plumb_json_write(&text, plumb_topo_json(s->arena, hw, s), NULL);
}

static inline int fuzz_capture(const uint8_t *data, size_t size, enum plumb_source_kind kind)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;
    struct plumb_model *m = NULL;
    struct plumb_input in = {.path = "fuzz", .shown = "fuzz", .kind = kind};

    plumb_session_init(&s, arena, scratch);
    m = PLUMB_NEW(arena, struct plumb_model);
    in.src = plumb_source_add(&s.sources, "fuzz", (const char *)data, size);

    struct plumb_run r = {.session = &s, .model = m, .inputs = &in, .input_count = 1};

    plumb_pass_read_captures(&r);
    plumb_pass_read_fabric(&r);
    plumb_pass_bind_hardware(&r);
    fuzz_check_findings(&s);
    for (size_t i = 0; i < m->hardware_count; i++)
        fuzz_show(&s, m->hardware[i]);
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}

#endif
