/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs: files that the user names, and folders with what is in them. A folder is one
 * configuration set: names are read in sorted order, files before folders, so that the files of
 * /etc/slurm come before those of a copy in a folder below it. Hidden names are left out, and so
 * is a tree that plumb has written.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/internal.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/text.h"
#include "passes/capture_names.h"
#include "passes/sniff.h"

enum {
    MAX_DEPTH = 32,                       /* folders in folders */
    MAX_FILES = 20000,                    /* of one run */
    MAX_UNNAMED_BYTES = 16 * 1024 * 1024, /* of a file in a folder whose name says nothing */
};

#define NOT_LIVE                                                                                   \
    "is nothing that a running cluster says: expected the output of scontrol show, sinfo with "    \
    "its "                                                                                         \
    "header, sacctmgr -P show, or kubectl get -o json"

/* The folders above the one that is being read, to see loops of links. */
struct level {
    const struct level *above;
    dev_t device;
    ino_t inode;
    unsigned depth;
};

struct names {
    char **items;
    size_t count, cap;
};

static const char *status_text(enum plumb_status s)
{
    switch (s) {
    case PLUMB_TOO_LARGE:
        return "is larger than 256 MiB";
    case PLUMB_NOT_A_FILE:
        return "is no file";
    default:
        return "cannot be read";
    }
}

bool plumb_walk_fail(struct plumb_handle *h, const char *shown, const char *why)
{
    plumb_string_list_add(h->arena, &h->problems,
                          plumb_arena_printf(h->arena, "'%s' %s", shown, why));
    h->session.sink.incomplete = true;
    return false;
}

const char *plumb_walk_path(struct plumb_handle *h, const char *path)
{
    if (h->directory == NULL || path[0] == '/')
        return path;
    return plumb_arena_printf(h->arena, "%s/%s", h->directory, path);
}

/* "a/b" of a folder and a name; the folder "." does not show. */
static const char *join(struct plumb_arena *a, const char *folder, const char *name)
{
    size_t len = strlen(folder);

    while (len > 1 && folder[len - 1] == '/')
        len--;
    if (len == 0 || (len == 1 && folder[0] == '.'))
        return plumb_arena_strdup(a, name);
    return plumb_arena_printf(a, "%.*s%s%s", (int)len, folder, folder[len - 1] == '/' ? "" : "/",
                              name);
}

/* The folder of a file that the user named; NULL when it has none. */
static const char *folder_of(struct plumb_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL || slash == path ? NULL
                                          : plumb_arena_strndup(a, path, (size_t)(slash - path));
}

/*
 * Another input is the same file of a cluster already. A nodes.conf is none beside slurm.conf:
 * read-conf sees whether it is included.
 */
static const struct plumb_input *same_file(const struct plumb_handle *h,
                                           const struct plumb_input *in)
{
    for (size_t i = 0; i < h->run.input_count; i++) {
        const struct plumb_input *other = &h->run.inputs[i];

        if (other->kind == in->kind &&
            (in->kind == PLUMB_KIND_SPEC ||
             (in->kind == PLUMB_KIND_NESTED && other->conf_file == in->conf_file) ||
             (in->kind == PLUMB_KIND_CONF && other->conf_file == in->conf_file &&
              strcmp(plumb_path_base(other->shown), plumb_path_base(in->shown)) == 0)))
            return other;
    }
    return NULL;
}

/* A second slurm.conf: an error when both were named, else the one further up counts. */
static bool clash(struct plumb_handle *h, struct plumb_input *in)
{
    const struct plumb_input *other = same_file(h, in);

    if (other == NULL || other->src == in->src)
        return false;
    if (!in->listed) {
        in->kind = PLUMB_KIND_OTHER;
        return false;
    }
    if (h->usage == NULL)
        h->usage = plumb_arena_printf(
            h->arena, "'%s' and '%s' are both %s: check one cluster at a time", other->shown,
            in->shown,
            in->kind == PLUMB_KIND_SPEC ? "specifications" : plumb_file_name(in->conf_file));
    return true;
}

/* GUIDs of InfiniBand, with or without names, as node-name-map of OpenSM and subnet managers list.
 */
static bool is_guid_list(const struct plumb_source *src)
{
    enum { DIGITS = 16 };
    size_t at = 0, digits = 0;

    if (src->len > 1 && src->bytes[0] == '0' && plumb_lower(src->bytes[1]) == 'x')
        at = 2;
    while (at + digits < src->len && plumb_hex_digit(src->bytes[at + digits]) < 16)
        digits++;
    return digits == DIGITS && (at > 0 || at + digits == src->len ||
                                strchr(" \t\r\n", src->bytes[at + digits]) != NULL);
}

bool plumb_walk_add(struct plumb_handle *h, struct plumb_input in)
{
    struct plumb_run *r = &h->run;

    if (in.kind == PLUMB_KIND_JOB) {
        /* said by the caller */
    } else if (h->adding_live) {
        plumb_sniff_live(&in);
    } else if (h->as != NULL) {
        (void)plumb_kind_read(h->as, &in); /* was checked when the handle was opened */
        h->as = NULL;
    } else {
        plumb_sniff(&in);
    }
    if (in.listed && in.src != NULL && plumb_other_bytes(in.src) != NULL)
        return plumb_walk_fail(h, in.shown,
                               plumb_arena_printf(h->arena, "is %s, expected text in UTF-8",
                                                  plumb_other_bytes(in.src)));
    if (in.kind == PLUMB_KIND_UNKNOWN && in.listed && in.src != NULL && is_guid_list(in.src))
        return plumb_walk_fail(h, plumb_arena_printf(h->arena, "%s:1:1", in.shown),
                               "begins a list of GUIDs, which tells no cables, expected what "
                               "ibnetdiscover prints");
    if (in.kind == PLUMB_KIND_UNKNOWN && in.listed && h->adding_live)
        return plumb_walk_fail(h, in.shown, NOT_LIVE);
    if (in.kind == PLUMB_KIND_UNKNOWN && in.listed)
        return plumb_walk_fail(h, in.shown,
                               "is nothing that plumb knows; say with --as what it is");
    if (in.kind == PLUMB_KIND_UNKNOWN)
        in.kind = PLUMB_KIND_OTHER;
    if (clash(h, &in))
        return false;
    r->inputs =
        plumb_arena_grow(h->arena, r->inputs, r->input_count, &r->input_cap, sizeof(*r->inputs));
    r->inputs[r->input_count++] = in;
    return true;
}

/* A name of the kind that plumb reads. Others in a folder are looked at when that is cheap. */
static bool has_known_suffix(const char *name)
{
    static const char *const suffixes[] = {".conf", ".yaml", ".yml", ".xml", ".json", ".txt"};

    for (size_t i = 0; i < PLUMB_COUNT(suffixes); i++) {
        if (plumb_ends_with(name, suffixes[i]))
            return true;
    }
    return false;
}

/* Named twice; or found in the folder of a source, and then named as what a cluster says. */
static bool named_again(struct plumb_handle *h, struct plumb_input *in, bool listed)
{
    if (h->adding_live) {
        in->kind = PLUMB_KIND_UNKNOWN;
        plumb_sniff_live(in);
        if (in->kind == PLUMB_KIND_UNKNOWN && listed)
            return plumb_walk_fail(h, in->shown, NOT_LIVE);
    }
    return h->repeated = true;
}

static bool add_file(struct plumb_handle *h, const char *path, const char *shown, const char *group,
                     bool listed)
{
    struct plumb_input in = {
        .path = path,
        .shown = shown,
        .group = group,
        .listed = listed,
        .kind = PLUMB_KIND_UNKNOWN,
    };
    enum plumb_status status = PLUMB_OK;

    if (h->run.input_count >= MAX_FILES)
        return plumb_walk_fail(h, shown, "is one file too many");
    for (size_t i = 0; i < h->run.input_count; i++) {
        if (strcmp(h->run.inputs[i].shown, shown) == 0)
            return named_again(h, &h->run.inputs[i], listed);
    }
    status = plumb_source_load(&h->session.sources, path, shown, &in.src);
    if (status != PLUMB_OK && !listed && !has_known_suffix(shown))
        return true; /* a key beside slurm.conf that only slurmctld may read is no input */
    if (status != PLUMB_OK)
        return plumb_walk_fail(h, shown, status_text(status));
    return plumb_walk_add(h, in);
}

static int compare_names(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;

    return strcmp(*x, *y);
}

/* The names in a folder but hidden ones, sorted. False when it cannot be read. */
static bool list_folder(struct plumb_handle *h, const char *path, struct names *out)
{
    DIR *dir = opendir(path);

    if (dir == NULL)
        return false;
    for (;;) {
        const struct dirent *e = readdir(dir);

        if (e == NULL || out->count > MAX_FILES)
            break;
        if (e->d_name[0] == '.')
            continue;

        /* Memory may run out here, and control then leaves without closing the folder: one
         * descriptor of a process that has no memory. */
        out->items =
            plumb_arena_grow(h->arena, out->items, out->count, &out->cap, sizeof(*out->items));
        out->items[out->count++] = plumb_arena_strdup(h->arena, e->d_name);
    }
    (void)closedir(dir);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof(*out->items), compare_names);
    return true;
}

static bool in_loop(const struct level *l, const struct stat *st)
{
    for (; l != NULL; l = l->above) {
        if (l->device == st->st_dev && l->inode == st->st_ino)
            return true;
    }
    return false;
}

/* A tree that `plumb build` has written: its own source is elsewhere. */
static bool is_output_tree(struct plumb_handle *h, const char *path)
{
    struct stat st;

    return stat(join(h->arena, path, ".plumb/map.json"), &st) == 0 &&
           stat(join(h->arena, path, "MANIFEST.json"), &st) == 0;
}

static bool walk_folder(struct plumb_handle *h, const char *path, const char *shown,
                        const char *group, const struct level *above)
{
    struct names names = {0};
    struct level here = {.above = above, .depth = above == NULL ? 0 : above->depth + 1};
    struct stat st;
    bool whole = true;

    if (stat(path, &st) != 0 || !list_folder(h, path, &names))
        return plumb_walk_fail(h, shown, "cannot be read");
    if (in_loop(above, &st) || here.depth > MAX_DEPTH || (above != NULL && is_output_tree(h, path)))
        return true;
    here.device = st.st_dev;
    here.inode = st.st_ino;
    for (int folders = 0; folders < 2; folders++) {
        for (size_t i = 0; i < names.count; i++) {
            const char *inner = join(h->arena, path, names.items[i]);
            const char *seen = join(h->arena, shown, names.items[i]);

            if (stat(inner, &st) != 0) {
                if (errno == EACCES)
                    whole = plumb_walk_fail(h, seen, "cannot be read");
                continue; /* else a link to nothing */
            }
            if (folders == 1 && S_ISDIR(st.st_mode))
                whole &= walk_folder(
                    h, inner, seen,
                    above == NULL ? names.items[i] : join(h->arena, group, names.items[i]), &here);
            else if (folders == 0 && S_ISREG(st.st_mode) &&
                     (st.st_size <= MAX_UNNAMED_BYTES || has_known_suffix(inner)))
                whole &= add_file(h, inner, seen, group, false);
        }
    }
    return whole;
}

/* A run over the wrong folder must not look like a clean one. */
static bool some_input(struct plumb_handle *h, const char *path, size_t before)
{
    for (size_t i = before; i < h->run.input_count; i++) {
        if (h->run.inputs[i].kind != PLUMB_KIND_OTHER)
            return true;
    }
    return h->repeated || plumb_walk_fail(h, path, "holds nothing that plumb reads");
}

bool plumb_walk(struct plumb_handle *h, const char *path)
{
    size_t before = h->run.input_count;
    const char *open_path = plumb_walk_path(h, path);
    struct stat st;

    h->repeated = false;

    if (stat(open_path, &st) != 0)
        return plumb_walk_fail(h, path, errno == ENOENT ? "does not exist" : "cannot be read");
    if (S_ISDIR(st.st_mode)) {
        const char *name = path + strlen(path);

        while (name > path && name[-1] == '/')
            name--;

        size_t len = (size_t)(name - path);

        while (len > 0 && path[len - 1] != '/')
            len--;
        return walk_folder(h, open_path, path,
                           plumb_arena_strndup(h->arena, path + len, (size_t)(name - path) - len),
                           NULL) &&
               some_input(h, path, before);
    }
    return add_file(h, open_path, path, folder_of(h->arena, path), true);
}

bool plumb_walk_live(struct plumb_handle *h, const char *path)
{
    bool added = false;

    h->adding_live = true;
    added = plumb_walk(h, path);
    h->adding_live = false;
    return added;
}

bool plumb_walk_job(struct plumb_handle *h, const char *path)
{
    struct plumb_input in = {
        .path = plumb_walk_path(h, path), .shown = path, .listed = true, .kind = PLUMB_KIND_JOB};
    enum plumb_status status = plumb_source_load(&h->session.sources, in.path, path, &in.src);

    if (status != PLUMB_OK)
        return plumb_walk_fail(h, path, status_text(status));
    return plumb_walk_add(h, in);
}
