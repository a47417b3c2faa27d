/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The undo journal of the write transaction. While .plumb/journal is there, the folder is
 * between two sets of files; the next run takes the changes back before it does anything else.
 *
 * Order of a transaction, each step on disk before the next begins:
 *   1  new files are written below .plumb/stage
 *   2  old files that will be replaced or removed get a second name below .plumb/undo
 *   3  .plumb/journal lists what will be done
 *   4  stage files are renamed into place, left-overs removed, MANIFEST.json last
 *   5  the journal is removed: from here on the new set counts
 *   6  stage and undo are removed
 */
#ifndef PLUMB_EMIT_JOURNAL_H
#define PLUMB_EMIT_JOURNAL_H

#include "base/arena.h"

#define PLUMB_STAGE_PATH   ".plumb/stage"
#define PLUMB_UNDO_PATH    ".plumb/undo"
#define PLUMB_JOURNAL_PATH ".plumb/journal"

enum plumb_change_kind { PLUMB_CHANGE_CREATE, PLUMB_CHANGE_REPLACE, PLUMB_CHANGE_REMOVE };

struct plumb_change {
    enum plumb_change_kind kind;
    const char *path;
    const char *sha256; /* of the new bytes; of the old ones for a removal */
    const char *bytes;  /* new; not in the journal */
    size_t len;
    uint32_t mode;
};

bool plumb_journal_write(struct plumb_arena *a, int root, const struct plumb_change *changes,
                         size_t count);

/*
 * Takes an interrupted transaction back, if there was one, and clears what it left below
 * .plumb. A file that was changed by someone else since is left as it is. Repeatable: a run
 * that is interrupted here is continued by the next. False: *path could not be restored.
 */
bool plumb_journal_undo(struct plumb_arena *a, int root, const char **path);

#endif
