/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files below one folder, for the write transaction and for comparing. Every path is relative
 * to an open folder and walked component by component: a symbolic link on the way is never
 * followed, so nothing outside the folder is read, written or removed.
 */
#ifndef PLUMB_EMIT_TREE_H
#define PLUMB_EMIT_TREE_H

#include "base/arena.h"
#include "base/status.h"

/* Relative, printable, without empty, "." and ".." components. */
bool plumb_tree_path_ok(const char *path);

enum plumb_tree_kind {
    PLUMB_TREE_ABSENT,
    PLUMB_TREE_FILE,
    PLUMB_TREE_OTHER, /* a folder, link or device there, or no folder on the way to it */
    PLUMB_TREE_FAULT, /* the system refused to say */
};

enum plumb_tree_kind plumb_tree_kind(int root, const char *path, uint32_t *mode);

struct plumb_tree_file {
    enum plumb_tree_kind kind; /* the rest is set for PLUMB_TREE_FILE only */
    uint32_t mode;
    const char *bytes;
    size_t len;
    char sha256[65];
};

/* Reads a regular file whole, PLUMB_MAX_FILE_BYTES at most (a larger one is a fault). */
struct plumb_tree_file plumb_tree_read(struct plumb_arena *a, int root, const char *path);

/* Makes missing folders on the way. The file must not exist; its bytes are on disk on return. */
bool plumb_tree_create(int root, const char *path, const char *bytes, size_t len, uint32_t mode);

/* Moves atomically over what is there; both folders are on disk on return. Makes folders. */
bool plumb_tree_rename(int root, const char *from, const char *to);

/* A second name for a file; a copy where the file system has no hard links. */
bool plumb_tree_keep(struct plumb_arena *a, int root, const char *from, const char *to);

/* True when the file is gone afterwards, whether or not it was there. */
bool plumb_tree_unlink(int root, const char *path);

/* Removes a folder with all that is in it; links are removed, not followed. */
bool plumb_tree_remove_all(int root, const char *path);

/* Removes the folders on the way to path that are empty. */
void plumb_tree_prune(int root, const char *path);

#endif
