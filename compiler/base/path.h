/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of file names, as text: nothing here looks at the file system. */
#ifndef PLUMB_BASE_PATH_H
#define PLUMB_BASE_PATH_H

#include "base/arena.h"

/* What stands behind the last '/'. */
const char *plumb_path_base(const char *path);

/* What stands before it: "" for a name alone, "/" at the root. */
const char *plumb_path_folder(struct plumb_arena *a, const char *path);

/* "folder/name"; the name alone when it is absolute or the folder is "". */
const char *plumb_path_join(struct plumb_arena *a, const char *folder, const char *name);

#endif
