/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of file names. */
#include "base/path.h"

#include <string.h>

const char *plumb_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

const char *plumb_path_folder(struct plumb_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return "";
    return plumb_arena_strndup(a, path, slash == path ? 1 : (size_t)(slash - path));
}

const char *plumb_path_join(struct plumb_arena *a, const char *folder, const char *name)
{
    size_t len = strlen(folder);

    if (name[0] == '/' || len == 0)
        return name;
    return plumb_arena_printf(a, "%s%s%s", folder, folder[len - 1] == '/' ? "" : "/", name);
}
