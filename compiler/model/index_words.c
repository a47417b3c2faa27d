/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in messages, with those that they could be taken for. */
#include "model/index_words.h"

#include "model/index_map.h"

const char *plumb_cores_aside(struct plumb_arena *a, const struct plumb_hardware *hw,
                              const struct plumb_cores *cores)
{
    struct plumb_cpus cpus, same = plumb_cpus_written_as_cores(cores);
    struct plumb_buf text = plumb_buf_in(a);

    if (hw == NULL || plumb_cores_empty(cores) || !plumb_cpus_of_cores(a, hw, cores, &cpus) ||
        plumb_cpus_equal(&cpus, &same))
        return "";
    plumb_cpus_text(&cpus, &text);
    return plumb_arena_printf(a, " (CPUs %s of the system)", plumb_buf_text(&text));
}

const char *plumb_cores_words(struct plumb_arena *a, const struct plumb_hardware *hw,
                              const struct plumb_cores *cores)
{
    struct plumb_buf text = plumb_buf_in(a);

    plumb_cores_text(cores, &text);
    plumb_buf_str(&text, plumb_cores_aside(a, hw, cores));
    return plumb_buf_text(&text);
}

const char *plumb_gpu_words(struct plumb_arena *a, const struct plumb_hw_gpu *gpu)
{
    if (!plumb_minor_known(gpu->minor) || gpu->minor.n == gpu->index.n)
        return plumb_arena_printf(a, "GPU %u", (unsigned)gpu->index.n);
    return plumb_arena_printf(a, "GPU %u (/dev/nvidia%u)", (unsigned)gpu->index.n,
                              (unsigned)gpu->minor.n);
}
