/* SPDX-License-Identifier: Apache-2.0 */
/* Is a folder what would be written now? For build --check: nothing is touched. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "emit/manifest.h"
#include "emit/tree.h"
#include "emit/write.h"

bool plumb_outputs_has(const struct plumb_outputs *out, const char *path)
{
    size_t lo = 0, hi = out->file_count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int order = strcmp(out->files[mid].path, path);

        if (order == 0)
            return true;
        if (order < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return false;
}

struct comparison {
    struct plumb_arena *arena;
    struct plumb_freshness_item *items;
    size_t count, cap;
};

static void add(struct comparison *c, const char *path, enum plumb_freshness state)
{
    c->items = plumb_arena_grow(c->arena, c->items, c->count, &c->cap, sizeof(*c->items));
    c->items[c->count++] = (struct plumb_freshness_item){
        .path = plumb_arena_strdup(c->arena, path),
        .state = state,
    };
}

/* MANIFEST.json has no digest of itself: one that still reads as a manifest counts as ours. */
static enum plumb_freshness state_of(const struct plumb_output *file,
                                     const struct plumb_tree_file *now,
                                     const struct plumb_manifest *last)
{
    const struct plumb_manifest_file *old = plumb_manifest_find(last, file->path);

    if (now->kind == PLUMB_TREE_ABSENT)
        return PLUMB_MISSING;
    if (now->kind != PLUMB_TREE_FILE)
        return PLUMB_EDITED;
    if (strcmp(now->sha256, file->sha256) == 0)
        return PLUMB_FRESH;
    if (strcmp(file->path, PLUMB_MANIFEST_PATH) == 0)
        return last->present ? PLUMB_STALE : PLUMB_EDITED;
    return old != NULL && strcmp(old->sha256, now->sha256) == 0 ? PLUMB_STALE : PLUMB_EDITED;
}

static enum plumb_status compare(struct plumb_session *s, const struct plumb_outputs *chosen,
                                 int root, struct comparison *c)
{
    struct plumb_manifest last = plumb_manifest_load(s, root);
    struct plumb_outputs all = plumb_outputs_with_kept(s, chosen, root, &last), *out = &all;

    for (size_t i = 0; i < out->file_count; i++) {
        struct plumb_tree_file now = plumb_tree_read(s->scratch, root, out->files[i].path);

        if (now.kind == PLUMB_TREE_FAULT)
            return PLUMB_CANNOT_READ;
        add(c, out->files[i].path, state_of(&out->files[i], &now, &last));
    }
    for (size_t i = 0; i < last.count; i++) {
        uint32_t mode = 0;

        if (!plumb_outputs_has(out, last.files[i].path) &&
            !plumb_manifest_kept(out, &last.files[i]) &&
            plumb_tree_kind(root, last.files[i].path, &mode) == PLUMB_TREE_FILE)
            add(c, last.files[i].path, PLUMB_LEFT_OVER);
    }
    return PLUMB_OK;
}

enum plumb_status plumb_outputs_compare(struct plumb_session *s, const struct plumb_outputs *out,
                                        const char *dir, struct plumb_freshness_item **items,
                                        size_t *count)
{
    struct comparison c = {.arena = s->arena};
    enum plumb_status status = PLUMB_OK;
    int root = plumb_output_folder(s->scratch, dir, false);

    if (root >= 0) {
        status = compare(s, out, root, &c);
        (void)close(root);
    } else if (errno == ENOENT) { /* never built: every file is missing */
        for (size_t i = 0; i < out->file_count; i++)
            add(&c, out->files[i].path, PLUMB_MISSING);
    } else {
        status = errno == ENOTDIR ? PLUMB_NOT_A_FILE : PLUMB_CANNOT_READ;
    }
    *items = c.items;
    *count = c.count;
    plumb_arena_reset(s->scratch);
    return status;
}
