/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hwloc.xml of every folder in a folder and hashes it: the least that an audit can do. */
#include <dirent.h>

#include "base/intern.h"
#include "base/path.h"
#include "base/session.h"
#include "bench.h"

int main(int argc, char **argv)
{
    struct plumb_arena *once = plumb_arena_new(NULL);
    DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
    uint64_t sum = 0;

    if (dir == NULL || once == NULL)
        return 2;
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        struct plumb_sources sources = {.arena = once};
        struct plumb_source *src = NULL;
        const char *path =
            plumb_path_join(once, plumb_path_join(once, argv[1], e->d_name), "hwloc.xml");

        if (e->d_name[0] == '.')
            continue;
        if (plumb_source_load(&sources, path, NULL, &src) != PLUMB_OK)
            return 2;
        sum ^= plumb_hash_quick(src->bytes, src->len);
        plumb_arena_reset(once);
    }
    printf("%llu\n", (unsigned long long)sum);
    (void)closedir(dir);
    plumb_arena_free(once);
    return 0;
}
