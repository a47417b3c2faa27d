/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file as JSON with Jansson and nothing else: the measure of reading a dump of nodes. */
#include <jansson.h>

#include "base/session.h"
#include "bench.h"

int main(int argc, char **argv)
{
    struct plumb_arena *arena = plumb_arena_new(NULL);
    struct plumb_sources sources = {.arena = arena};
    struct plumb_source *src = NULL;
    json_t *root = NULL;

    if (argc != 2 || arena == NULL || plumb_source_load(&sources, argv[1], NULL, &src) != PLUMB_OK)
        return 2;
    root = json_loadb(src->bytes, src->len, 0, NULL);
    printf("%zu\n", json_array_size(json_object_get(root, "items")));
    json_decref(root);
    plumb_arena_free(arena);
    return root == NULL ? 2 : 0;
}
