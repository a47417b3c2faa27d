/* SPDX-License-Identifier: Apache-2.0 */
/* The undo journal: one line per change, "<kind> <sha256> <path>", behind a line that names the
 * format. It appears under its name only when it is whole. */
#include "emit/journal.h"

#include <string.h>

#include "base/buf.h"
#include "emit/tree.h"

static const char first_line[] = "plumb journal 1\n";
static const char kinds[] = {
    [PLUMB_CHANGE_CREATE] = 'c', [PLUMB_CHANGE_REPLACE] = 'r', [PLUMB_CHANGE_REMOVE] = 'd'};

bool plumb_journal_write(struct plumb_arena *a, int root, const struct plumb_change *changes,
                         size_t count)
{
    static const char draft[] = PLUMB_STAGE_PATH "/journal";
    struct plumb_buf text = plumb_buf_in(a);

    plumb_buf_str(&text, first_line);
    for (size_t i = 0; i < count; i++)
        plumb_buf_printf(&text, "%c %s %s\n", kinds[changes[i].kind], changes[i].sha256,
                         changes[i].path);
    return plumb_tree_create(root, draft, plumb_buf_text(&text), text.len, 0644) &&
           plumb_tree_rename(root, draft, PLUMB_JOURNAL_PATH);
}

static bool is_digest(const char *text)
{
    return strspn(text, "0123456789abcdef") == 64;
}

/* Reads one line; false when it is none of ours, which is then left alone. */
static bool read_change(struct plumb_arena *a, const char *line, size_t len,
                        struct plumb_change *out)
{
    const char *kind = len > 67 ? memchr(kinds, line[0], sizeof(kinds)) : NULL;

    if (kind == NULL || line[1] != ' ' || !is_digest(line + 2) || line[66] != ' ')
        return false;
    out->kind = (enum plumb_change_kind)(kind - kinds);
    out->sha256 = plumb_arena_strndup(a, line + 2, 64);
    out->path = plumb_arena_strndup(a, line + 67, len - 67);
    return strlen(out->path) == len - 67 && plumb_tree_path_ok(out->path);
}

static bool restore(struct plumb_arena *a, int root, const char *path)
{
    const char *kept = plumb_arena_printf(a, "%s/%s", PLUMB_UNDO_PATH, path);
    uint32_t mode = 0;

    switch (plumb_tree_kind(root, kept, &mode)) {
    case PLUMB_TREE_FILE:
        return plumb_tree_rename(root, kept, path);
    case PLUMB_TREE_ABSENT: /* restored by an earlier try */
        return true;
    default:
        return false;
    }
}

static bool take_back(struct plumb_arena *a, int root, const struct plumb_change *c)
{
    struct plumb_tree_file now = plumb_tree_read(a, root, c->path);
    bool new_bytes = now.kind == PLUMB_TREE_FILE && strcmp(now.sha256, c->sha256) == 0;

    if (now.kind == PLUMB_TREE_FAULT)
        return false;
    if (c->kind == PLUMB_CHANGE_CREATE) {
        if (new_bytes && !plumb_tree_unlink(root, c->path))
            return false;
        plumb_tree_prune(root, c->path);
        return true;
    }
    if (now.kind == PLUMB_TREE_ABSENT || (c->kind == PLUMB_CHANGE_REPLACE && new_bytes))
        return restore(a, root, c->path);
    return true;
}

static bool take_all_back(struct plumb_arena *a, int root, const struct plumb_tree_file *journal,
                          const char **path)
{
    const char *line = journal->bytes, *end = journal->bytes + journal->len;
    bool ok = true;

    for (const char *stop = memchr(line, '\n', journal->len); stop != NULL;
         stop = memchr(line, '\n', (size_t)(end - line))) {
        struct plumb_change c;

        if (read_change(a, line, (size_t)(stop - line), &c) && !take_back(a, root, &c)) {
            *path = c.path;
            ok = false;
        }
        line = stop + 1;
    }
    return ok;
}

bool plumb_journal_undo(struct plumb_arena *a, int root, const char **path)
{
    struct plumb_tree_file journal = plumb_tree_read(a, root, PLUMB_JOURNAL_PATH);

    if (journal.kind == PLUMB_TREE_FILE && !take_all_back(a, root, &journal, path))
        return false;
    *path = PLUMB_JOURNAL_PATH;
    if (journal.kind == PLUMB_TREE_FAULT || journal.kind == PLUMB_TREE_OTHER ||
        !plumb_tree_unlink(root, PLUMB_JOURNAL_PATH))
        return false;
    *path = PLUMB_STAGE_PATH;
    if (!plumb_tree_remove_all(root, PLUMB_STAGE_PATH))
        return false;
    *path = PLUMB_UNDO_PATH;
    return plumb_tree_remove_all(root, PLUMB_UNDO_PATH);
}
