/* SPDX-License-Identifier: Apache-2.0 */
/* Files below one folder, without ever leaving it. */
#include "emit/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "emit/output.h"

enum { FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

static bool component_ok(const char *text, size_t len)
{
    if (len == 0 || len > 255 || (len == 1 && text[0] == '.') ||
        (len == 2 && text[0] == '.' && text[1] == '.'))
        return false;
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return false;
    }
    return true;
}

bool plumb_tree_path_ok(const char *path)
{
    for (;;) {
        size_t len = strcspn(path, "/");

        if (!component_ok(path, len))
            return false;
        if (path[len] == '\0')
            return true;
        path += len + 1;
    }
}

/* Opens one folder below another; made when it is missing and make is set. -1: see errno. */
static int open_folder(int at, const char *name, bool make)
{
    int fd = openat(at, name, FOLDER_FLAGS);

    if (fd >= 0 || errno != ENOENT || !make)
        return fd;
    if (mkdirat(at, name, 0777) != 0 && errno != EEXIST)
        return -1;
    (void)fsync(at);
    return openat(at, name, FOLDER_FLAGS);
}

/* The folder that holds path, *leaf its last component. -1: see errno. */
static int open_parent(int root, const char *path, bool make, const char **leaf)
{
    int at = fcntl(root, F_DUPFD_CLOEXEC, 0);
    char name[256];

    PLUMB_ASSERT(plumb_tree_path_ok(path));
    for (const char *slash = strchr(path, '/'); at >= 0 && slash != NULL;
         slash = strchr(path, '/')) {
        size_t len = (size_t)(slash - path);
        int next = -1, saved = 0;

        memcpy(name, path, len);
        name[len] = '\0';
        next = open_folder(at, name, make);
        saved = errno;
        (void)close(at);
        errno = saved;
        at = next;
        path = slash + 1;
    }
    *leaf = path;
    return at;
}

static void close_keeping_errno(int fd)
{
    int saved = errno;

    (void)close(fd);
    errno = saved;
}

static enum plumb_tree_kind kind_of_errno(void)
{
    if (errno == ENOENT)
        return PLUMB_TREE_ABSENT;
    return errno == ENOTDIR || errno == ELOOP ? PLUMB_TREE_OTHER : PLUMB_TREE_FAULT;
}

enum plumb_tree_kind plumb_tree_kind(int root, const char *path, uint32_t *mode)
{
    const char *leaf = NULL;
    struct stat st;
    int at = open_parent(root, path, false, &leaf);

    if (at < 0)
        return kind_of_errno();
    int rc = fstatat(at, leaf, &st, AT_SYMLINK_NOFOLLOW);

    close_keeping_errno(at);
    if (rc != 0)
        return kind_of_errno();
    *mode = (uint32_t)st.st_mode & 07777u;
    return S_ISREG(st.st_mode) ? PLUMB_TREE_FILE : PLUMB_TREE_OTHER;
}

static bool read_whole(struct plumb_arena *a, int fd, size_t len, struct plumb_tree_file *out)
{
    char *bytes = plumb_arena_raw(a, len + 1);
    size_t done = 0;

    while (done < len) {
        ssize_t got = read(fd, bytes + done, len - done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false; /* it shrank while being read: somebody else is at work */
        done += (size_t)got;
    }
    bytes[len] = '\0';
    out->bytes = bytes;
    out->len = len;
    plumb_sha256_hex(bytes, len, out->sha256);
    return true;
}

struct plumb_tree_file plumb_tree_read(struct plumb_arena *a, int root, const char *path)
{
    struct plumb_tree_file out = {.kind = plumb_tree_kind(root, path, &out.mode)};
    const char *leaf = NULL;
    struct stat st;

    if (out.kind != PLUMB_TREE_FILE)
        return out;
    out.kind = PLUMB_TREE_FAULT;
    int at = open_parent(root, path, false, &leaf);

    if (at < 0)
        return out;
    int fd = openat(at, leaf, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    (void)close(at);
    if (fd < 0)
        return out;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= PLUMB_MAX_FILE_BYTES &&
        read_whole(a, fd, (size_t)st.st_size, &out))
        out.kind = PLUMB_TREE_FILE;
    (void)close(fd);
    return out;
}

static bool write_whole(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t put = write(fd, bytes, len);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes += put;
        len -= (size_t)put;
    }
    return true;
}

bool plumb_tree_create(int root, const char *path, const char *bytes, size_t len, uint32_t mode)
{
    const char *leaf = NULL;
    int at = open_parent(root, path, true, &leaf);

    if (at < 0)
        return false;

    /* Private until it is whole; the mode is set explicitly, so the umask does not matter. */
    int fd = openat(at, leaf, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool ok =
        fd >= 0 && write_whole(fd, bytes, len) && fchmod(fd, (mode_t)mode) == 0 && fsync(fd) == 0;

    if (fd >= 0 && close(fd) != 0)
        ok = false;
    if (fsync(at) != 0)
        ok = false;
    (void)close(at);
    return ok;
}

bool plumb_tree_rename(int root, const char *from, const char *to)
{
    const char *from_leaf = NULL, *to_leaf = NULL;
    int from_at = open_parent(root, from, false, &from_leaf);
    int to_at = open_parent(root, to, true, &to_leaf);
    bool ok = from_at >= 0 && to_at >= 0 && renameat(from_at, from_leaf, to_at, to_leaf) == 0 &&
              fsync(to_at) == 0 && fsync(from_at) == 0;

    if (from_at >= 0)
        (void)close(from_at);
    if (to_at >= 0)
        (void)close(to_at);
    return ok;
}

static bool link_to(int root, const char *from, const char *to)
{
    const char *from_leaf = NULL, *to_leaf = NULL;
    int from_at = open_parent(root, from, false, &from_leaf);
    int to_at = open_parent(root, to, true, &to_leaf);
    bool ok = from_at >= 0 && to_at >= 0 && linkat(from_at, from_leaf, to_at, to_leaf, 0) == 0 &&
              fsync(to_at) == 0;

    if (from_at >= 0)
        (void)close(from_at);
    if (to_at >= 0)
        (void)close(to_at);
    return ok;
}

bool plumb_tree_keep(struct plumb_arena *a, int root, const char *from, const char *to)
{
    if (link_to(root, from, to))
        return true;

    struct plumb_tree_file file = plumb_tree_read(a, root, from);

    return file.kind == PLUMB_TREE_FILE && plumb_tree_unlink(root, to) &&
           plumb_tree_create(root, to, file.bytes, file.len, file.mode);
}

bool plumb_tree_unlink(int root, const char *path)
{
    const char *leaf = NULL;
    int at = open_parent(root, path, false, &leaf);

    if (at < 0)
        return errno == ENOENT;
    bool ok = (unlinkat(at, leaf, 0) == 0 && fsync(at) == 0) || errno == ENOENT;

    (void)close(at);
    return ok;
}

static bool remove_below(int at, const char *name);

static bool empty_folder(int fd)
{
    DIR *dir = fdopendir(fd);
    bool ok = true;

    if (dir == NULL) {
        (void)close(fd);
        return false;
    }
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            ok &= remove_below(dirfd(dir), e->d_name);
    }
    (void)closedir(dir);
    return ok;
}

static bool remove_below(int at, const char *name)
{
    if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
        return true;
    int fd = openat(at, name, FOLDER_FLAGS);

    return fd >= 0 && empty_folder(fd) && unlinkat(at, name, AT_REMOVEDIR) == 0;
}

bool plumb_tree_remove_all(int root, const char *path)
{
    const char *leaf = NULL;
    int at = open_parent(root, path, false, &leaf);

    if (at < 0)
        return errno == ENOENT;
    bool ok = remove_below(at, leaf);

    (void)close(at);
    return ok;
}

void plumb_tree_prune(int root, const char *path)
{
    char part[4096];
    size_t len = strlen(path);

    if (len >= sizeof(part))
        return;
    memcpy(part, path, len + 1);
    for (char *slash = strrchr(part, '/'); slash != NULL; slash = strrchr(part, '/')) {
        const char *leaf = NULL;

        *slash = '\0';
        int at = open_parent(root, part, false, &leaf);
        bool removed = at >= 0 && unlinkat(at, leaf, AT_REMOVEDIR) == 0;

        if (at >= 0)
            (void)close(at);
        if (!removed)
            return;
    }
}
