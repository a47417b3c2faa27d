/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading an hwloc capture, with spans and checks, against libhwloc loading the same text.
 * Takes files as arguments; prints the largest ratio.
 */
#include <hwloc.h>

#include "base/session.h"
#include "bench.h"
#include "capture/hwloc.h"

static void read_ours(void *data)
{
    const struct plumb_source *src = data;
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;

    plumb_session_init(&s, arena, scratch);
    if (plumb_hwloc_read(&s, src) == NULL)
        abort();
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
}

/* Everything in the file is asked for: that is what a capture is read for. */
static void load_hwloc(void *data)
{
    const struct plumb_source *src = data;
    hwloc_topology_t t;

    if (hwloc_topology_init(&t) != 0 ||
        hwloc_topology_set_xmlbuffer(t, src->bytes, (int)src->len + 1) != 0 ||
        hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
        hwloc_topology_set_all_types_filter(t, HWLOC_TYPE_FILTER_KEEP_ALL) != 0 ||
        hwloc_topology_load(t) != 0)
        abort();
    hwloc_topology_destroy(t);
}

int main(int argc, char **argv)
{
    struct plumb_arena *arena = plumb_arena_new(NULL);
    struct plumb_sources sources = {.arena = arena};
    double worst = 0;

    for (int i = 1; i < argc; i++) {
        struct plumb_source *src = NULL;

        if (plumb_source_load(&sources, argv[i], NULL, &src) != PLUMB_OK) {
            fprintf(stderr, "bench_hwloc: cannot read %s\n", argv[i]);
            return 2;
        }

        double ratio = bench_ratio(argv[i], read_ours, load_hwloc, src);

        worst = ratio > worst ? ratio : worst;
    }
    printf("%.3f\n", worst);
    plumb_arena_free(arena);
    return 0;
}
