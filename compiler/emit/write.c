/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The write transaction: all files or none. What is to be done is decided first, without
 * touching anything; then the steps of journal.h follow.
 */
#include "emit/write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "emit/journal.h"
#include "emit/manifest.h"
#include "emit/tree.h"

struct transaction {
    struct plumb_session *session;
    struct plumb_arena *scratch;
    struct plumb_outputs out;
    int root;
    struct plumb_manifest last; /* of the build before */
    struct plumb_change *changes;
    size_t count, cap;
    const char *path; /* that failed */
    struct plumb_probe *probe;
};

static bool dead(const struct transaction *t)
{
    return t->probe->kind == PLUMB_PROBE_DIE && t->probe->at != 0 && t->probe->seen >= t->probe->at;
}

/* Asked before each step that changes the disk; a step may be made to fail by a test. */
static bool step(struct transaction *t, const char *path)
{
    t->path = path;
    return ++t->probe->seen != t->probe->at && !dead(t);
}

static void add_change(struct transaction *t, const struct plumb_change *c)
{
    t->changes = plumb_arena_grow(t->scratch, t->changes, t->count, &t->cap, sizeof(*c));
    t->changes[t->count++] = *c;
}

/* A digest of itself cannot stand in MANIFEST.json: one that reads as ours is ours. */
static bool is_ours(const struct transaction *t, const char *path)
{
    return strcmp(path, PLUMB_MANIFEST_PATH) == 0 ? t->last.present
                                                  : plumb_manifest_find(&t->last, path) != NULL;
}

/* Decides about one file that this build makes. */
static enum plumb_status plan_file(struct transaction *t, const struct plumb_output *file)
{
    struct plumb_change c = {
        .kind = PLUMB_CHANGE_REPLACE,
        .path = file->path,
        .sha256 = file->sha256,
        .bytes = file->text,
        .len = file->len,
        .mode = file->mode,
    };
    struct plumb_tree_file now;

    t->path = file->path;
    if (!plumb_tree_path_ok(file->path))
        return PLUMB_NOT_A_FILE;
    now = plumb_tree_read(t->scratch, t->root, file->path);
    switch (now.kind) {
    case PLUMB_TREE_FAULT:
        return PLUMB_CANNOT_READ;
    case PLUMB_TREE_OTHER:
        return PLUMB_NOT_A_FILE;
    case PLUMB_TREE_ABSENT:
        c.kind = PLUMB_CHANGE_CREATE;
        break;
    case PLUMB_TREE_FILE:
        if (strcmp(now.sha256, file->sha256) != 0 && !t->out.overwrite && !is_ours(t, file->path))
            return PLUMB_NOT_OURS;
        if (strcmp(now.sha256, file->sha256) == 0 && now.mode == file->mode)
            return PLUMB_OK;
        break;
    }
    add_change(t, &c);
    return PLUMB_OK;
}

/* Left-overs go, but only while they are what plumb wrote. */
static enum plumb_status plan_removals(struct transaction *t)
{
    for (size_t i = 0; i < t->last.count; i++) {
        const struct plumb_manifest_file *old = &t->last.files[i];

        if (plumb_outputs_has(&t->out, old->path) || plumb_manifest_kept(&t->out, old))
            continue;

        struct plumb_tree_file now = plumb_tree_read(t->scratch, t->root, old->path);

        t->path = old->path;
        if (now.kind == PLUMB_TREE_FAULT)
            return PLUMB_CANNOT_READ;
        if (now.kind == PLUMB_TREE_FILE && strcmp(now.sha256, old->sha256) == 0)
            add_change(t, &(struct plumb_change){.kind = PLUMB_CHANGE_REMOVE,
                                                 .path = old->path,
                                                 .sha256 = old->sha256});
    }
    return PLUMB_OK;
}

/* MANIFEST.json comes last: it must never describe files that are not there yet. */
static enum plumb_status plan(struct transaction *t)
{
    const struct plumb_output *manifest = NULL;
    enum plumb_status status = PLUMB_OK;

    for (size_t i = 0; i < t->out.file_count && status == PLUMB_OK; i++) {
        if (strcmp(t->out.files[i].path, PLUMB_MANIFEST_PATH) == 0)
            manifest = &t->out.files[i];
        else
            status = plan_file(t, &t->out.files[i]);
    }
    if (status == PLUMB_OK)
        status = plan_removals(t);
    if (status == PLUMB_OK && manifest != NULL)
        status = plan_file(t, manifest);
    return status;
}

static const char *below(struct transaction *t, const char *folder, const char *path)
{
    return plumb_arena_printf(t->scratch, "%s/%s", folder, path);
}

static bool prepare(struct transaction *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct plumb_change *c = &t->changes[i];

        if (c->kind != PLUMB_CHANGE_REMOVE &&
            (!step(t, c->path) || !plumb_tree_create(t->root, below(t, PLUMB_STAGE_PATH, c->path),
                                                     c->bytes, c->len, c->mode)))
            return false;
        if (c->kind != PLUMB_CHANGE_CREATE &&
            (!step(t, c->path) ||
             !plumb_tree_keep(t->scratch, t->root, c->path, below(t, PLUMB_UNDO_PATH, c->path))))
            return false;
    }
    return step(t, PLUMB_JOURNAL_PATH) &&
           plumb_journal_write(t->scratch, t->root, t->changes, t->count);
}

static bool commit(struct transaction *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct plumb_change *c = &t->changes[i];

        if (!step(t, c->path))
            return false;
        if (c->kind == PLUMB_CHANGE_REMOVE
                ? !plumb_tree_unlink(t->root, c->path)
                : !plumb_tree_rename(t->root, below(t, PLUMB_STAGE_PATH, c->path), c->path))
            return false;
    }
    return step(t, PLUMB_JOURNAL_PATH) && plumb_tree_unlink(t->root, PLUMB_JOURNAL_PATH);
}

/* Behind the point where the new set counts: failures here are mended by the next run. */
static void tidy(struct transaction *t)
{
    for (size_t i = 0; i < t->count && !dead(t); i++) {
        if (t->changes[i].kind == PLUMB_CHANGE_REMOVE)
            plumb_tree_prune(t->root, t->changes[i].path);
    }
    if (step(t, PLUMB_STAGE_PATH))
        (void)plumb_tree_remove_all(t->root, PLUMB_STAGE_PATH);
    if (step(t, PLUMB_UNDO_PATH))
        (void)plumb_tree_remove_all(t->root, PLUMB_UNDO_PATH);
}

static enum plumb_status run(struct transaction *t)
{
    const char *ignored = NULL;
    enum plumb_status status = PLUMB_OK;

    if (!plumb_journal_undo(t->scratch, t->root, &t->path))
        return PLUMB_CANNOT_WRITE;
    t->last = plumb_manifest_load(t->session, t->root);
    t->out = plumb_outputs_with_kept(t->session, &t->out, t->root, &t->last);
    status = plan(t);
    if (status != PLUMB_OK || t->count == 0)
        return status;
    if (prepare(t) && commit(t)) {
        tidy(t);
        return PLUMB_OK;
    }
    if (!dead(t))
        (void)plumb_journal_undo(t->scratch, t->root, &ignored);
    return PLUMB_CANNOT_WRITE;
}

int plumb_output_folder(struct plumb_arena *a, const char *dir, bool make)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 || errno != ENOENT || !make)
        return fd;

    char *part = plumb_arena_strdup(a, dir);

    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return -1;
        *slash = '/';
    }
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
        return -1;
    return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Two builds into one folder take turns; one that does not end in two seconds is given up on. */
static bool lock(int root)
{
    const struct timespec pause = {.tv_nsec = 50000000};

    for (int tries = 0; tries < 40; tries++) {
        if (flock(root, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK)
            return errno != EINTR; /* a file system without locks: go on without */
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

enum plumb_status plumb_outputs_write_probed(struct plumb_session *s,
                                             const struct plumb_outputs *out, const char *dir,
                                             const char **path, struct plumb_probe *probe)
{
    struct transaction t = {
        .session = s, .scratch = s->scratch, .out = *out, .probe = probe, .path = ""};
    enum plumb_status status = PLUMB_BUSY;

    *path = dir;
    if (out->file_count == 0) /* a document was refused: the folder stays as it is */
        return PLUMB_OK;
    t.root = dir[0] == '\0' ? -1 : plumb_output_folder(s->scratch, dir, true);
    if (t.root < 0)
        return errno == ENOTDIR ? PLUMB_NOT_A_FILE : PLUMB_CANNOT_WRITE;
    if (lock(t.root)) {
        status = run(&t);
        *path = plumb_arena_printf(s->arena, "%s/%s", dir, t.path);
    }
    (void)close(t.root); /* releases the lock */
    plumb_arena_reset(s->scratch);
    return status;
}

enum plumb_status plumb_outputs_write(struct plumb_session *s, const struct plumb_outputs *out,
                                      const char *dir, const char **path)
{
    return plumb_outputs_write_probed(s, out, dir, path, &(struct plumb_probe){0});
}
