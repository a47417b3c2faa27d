/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the tests that run whole inputs through the library: sorted folders, files as text,
 * and findings with places relative to their case.
 */
#ifndef PLUMB_TESTS_CASE_RUN_H
#define PLUMB_TESTS_CASE_RUN_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/internal.h"
#include "fixture.h"

/* Sorted names of a folder without hidden ones; count is 0 when it cannot be read. */
struct case_names {
    char **items;
    size_t count;
};

static inline int case_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline struct case_names case_list(struct plumb_arena *a, const char *path)
{
    struct case_names n = {NULL, 0};
    size_t cap = 0;
    DIR *dir = opendir(path);
    struct dirent *e = NULL;

    while (dir != NULL && (e = readdir(dir)) != NULL) {
        if (e->d_name[0] == '.')
            continue;
        n.items = plumb_arena_grow(a, n.items, n.count, &cap, sizeof(char *));
        n.items[n.count++] = plumb_arena_strdup(a, e->d_name);
    }
    if (dir != NULL)
        closedir(dir);
    if (n.count > 1)
        qsort(n.items, n.count, sizeof(char *), case_compare);
    return n;
}

static inline bool case_is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The whole of a file, NUL-terminated; NULL when it cannot be read. */
static inline char *case_text(struct plumb_arena *a, const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size = 0;

    if (f == NULL)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0) {
        text = plumb_arena_alloc(a, (size_t)size + 1);
        if (fread(text, 1, (size_t)size, f) != (size_t)size)
            text = NULL;
    }
    fclose(f);
    return text;
}

/* A finding as tests look at it. */
struct case_finding {
    const char *file; /* relative to the case; "" when it has no place */
    uint32_t line, column;
    const struct plumb_diag *diag;
    bool met;
};

struct case_findings {
    struct case_finding *items;
    size_t count;
};

/* Job scripts, *.sbatch, that lie in the folder of a case. */
static void case_add_jobs(plumb_handle *h, const char *path)
{
    struct case_names names = case_list(h->arena, path);

    for (size_t i = 0; i < names.count; i++) {
        size_t len = strlen(names.items[i]);

        if (len > 7 && strcmp(names.items[i] + len - 7, ".sbatch") == 0)
            assert_true(
                plumb_add_job(h, plumb_arena_printf(h->arena, "%s/%s", path, names.items[i])));
    }
}

/* A case of drift: what the cluster says is in its folder live. */
static inline bool case_is_live(const char *path)
{
    char folder[1024];

    (void)snprintf(folder, sizeof(folder), "%s/live", path);
    return case_is_folder(folder);
}

/*
 * Runs one file or folder; release, ignore and user may be NULL. The handle owns what is handed
 * out.
 */
static inline plumb_handle *case_run_as(const char *path, const char *release, const char *ignore,
                                        const char *user, struct case_findings *out)
{
    struct plumb_options options = {.slurm = release,
                                    .ignore = ignore,
                                    .user = user,
                                    .drift = case_is_live(path),
                                    .reference_dir = PLUMB_SOURCE_DIR "/topologies"};
    plumb_handle *h = plumb_open(&options);
    size_t len = strlen(path);

    assert_non_null(h);
    if (!plumb_add_path(h, path))
        fail_msg("%s: %s", path, plumb_problem(h));
    if (options.drift && !plumb_add_live(h, plumb_arena_printf(h->arena, "%s/live", path)))
        fail_msg("%s: %s", path, plumb_problem(h));
    case_add_jobs(h, path);
    (void)plumb_run_all(h, "error");
    out->count = h->shown_count;
    out->items = PLUMB_NEW_ARRAY(h->arena, h->shown_count, struct case_finding);
    for (size_t i = 0; i < h->shown_count; i++) {
        const struct plumb_diag *d = h->shown[i];
        struct plumb_place p = {.path = ""};

        if (plumb_span_known(d->at))
            p = plumb_source_place(&h->session.sources, d->at);
        if (strncmp(p.path, path, len) == 0)
            p.path += len + (p.path[len] == '/');
        out->items[i] =
            (struct case_finding){.file = p.path, .line = p.line, .column = p.column, .diag = d};
    }
    return h;
}

static inline plumb_handle *case_run(const char *path, const char *release, const char *ignore,
                                     struct case_findings *out)
{
    return case_run_as(path, release, ignore, NULL, out);
}

#endif
