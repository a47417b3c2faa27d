/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading an hwloc capture, with spans, checks and what libhwloc makes of it, against libxml2's own
 * reader (xmlTextReader) over the same bytes, every element and attribute looked at once. Takes
 * files as arguments; prints the largest ratio.
 */
#include <libxml/xmlreader.h>

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

static void read_theirs(void *data)
{
    const struct plumb_source *src = data;
    xmlTextReaderPtr r = xmlReaderForMemory(src->bytes, (int)src->len, NULL, NULL, XML_PARSE_NONET);
    size_t seen = 0;

    if (r == NULL)
        abort();
    while (xmlTextReaderRead(r) == 1) {
        while (xmlTextReaderMoveToNextAttribute(r) == 1)
            seen += xmlTextReaderConstName(r) != NULL && xmlTextReaderConstValue(r) != NULL;
    }
    xmlFreeTextReader(r);
    if (seen == 0)
        abort();
}

int main(int argc, char **argv)
{
    struct plumb_arena *arena = plumb_arena_new(NULL);
    struct plumb_sources sources = {.arena = arena};
    double worst = 0;

    for (int i = 1; i < argc; i++) {
        struct plumb_source *src = NULL;

        if (plumb_source_load(&sources, argv[i], NULL, &src) != PLUMB_OK) {
            fprintf(stderr, "bench_xml: cannot read %s\n", argv[i]);
            return 2;
        }

        double ratio = bench_ratio(argv[i], read_ours, read_theirs, src);

        worst = ratio > worst ? ratio : worst;
    }
    printf("%.3f\n", worst);
    plumb_arena_free(arena);
    return 0;
}
