/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets of captures: any bytes as one kind of capture, bound and shown. */
#ifndef PLUMB_FUZZ_CAPTURES_H
#define PLUMB_FUZZ_CAPTURES_H

#include <stdlib.h>

#include "emit/topo.h"
#include "passes/captures.h"
#include "syntax/json.h"

/* Spans of findings lie inside their file. */
static inline void fuzz_check_findings(const struct plumb_session *s)
{
    for (size_t i = 0; i < s->sink.count; i++) {
        const struct plumb_diag *d = s->sink.items[i];
        const struct plumb_source *src = plumb_source_get(&s->sources, d->at.file);

        if (src == NULL || d->at.begin > d->at.end || d->at.end > src->len)
            abort();
    }
}

/* Numbers of a machine fit each other, whatever was read. */
static inline void fuzz_check_machine(const struct plumb_hardware *hw)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (hw->gpus[i].numa != PLUMB_NO_INDEX && hw->gpus[i].numa >= hw->numa_count)
            abort();
        if (hw->gpus[i].index != i)
            abort();
    }
    for (size_t i = 0; i < hw->cpu_limit; i++) {
        if (hw->core_of_cpu[i] != PLUMB_NO_INDEX && hw->core_of_cpu[i] >= hw->core_count.v)
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
    plumb_topo_text(&text, hw);
    plumb_json_write(&text, plumb_topo_json(s->arena, hw), NULL);
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
    plumb_pass_bind_hardware(&r);
    fuzz_check_findings(&s);
    for (size_t i = 0; i < m->hardware_count; i++)
        fuzz_show(&s, m->hardware[i]);
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}

#endif
