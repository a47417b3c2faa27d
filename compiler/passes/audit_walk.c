/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which machines lie in a folder. A folder of files that have the names of captures is one machine;
 * other files are named after their machine, and those of one name belong together; a folder below
 * is a machine, or holds some.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/text.h"
#include "passes/audit.h"

enum {
    MAX_DEPTH = 8,           /* folders in folders: site, row, rack, node */
    MAX_MACHINES = 1000000,  /* of one run */
    MAX_FILES_OF_ONE = 1000, /* of one machine */
};

struct names {
    const char **items;
    size_t count, cap;
};

/* One folder, as it is walked. */
struct place {
    const char *path, *shown;
    struct names files, folders;
};

bool plumb_audit_fail(struct plumb_audit *a, const char *what, const char *why)
{
    struct plumb_arena *arena = a->session->arena;

    plumb_string_list_add(arena, &a->problems, plumb_arena_printf(arena, "%s %s", what, why));
    a->session->sink.incomplete = true;
    return false;
}

static bool fail(struct plumb_audit *a, const char *shown, const char *why)
{
    return plumb_audit_fail(a, plumb_arena_printf(a->session->arena, "'%s'", shown), why);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_name(struct plumb_arena *a, struct names *n, const char *name)
{
    n->items = plumb_arena_grow(a, n->items, n->count, &n->cap, sizeof(*n->items));
    n->items[n->count++] = name;
}

static bool list(struct plumb_arena *a, struct place *p)
{
    DIR *dir = opendir(p->path);
    struct stat st;

    if (dir == NULL)
        return false;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        const char *name = NULL;

        if (e->d_name[0] == '.')
            continue;
        name = plumb_arena_strdup(a, e->d_name);
        /* What cannot be looked at is a file that cannot be read: that is told later. */
        if (stat(plumb_path_join(a, p->path, name), &st) == 0 && S_ISDIR(st.st_mode))
            add_name(a, &p->folders, name);
        else
            add_name(a, &p->files, name);
    }
    (void)closedir(dir);
    if (p->files.count > 1)
        qsort(p->files.items, p->files.count, sizeof(*p->files.items), by_name);
    if (p->folders.count > 1)
        qsort(p->folders.items, p->folders.count, sizeof(*p->folders.items), by_name);
    return true;
}

/* What programs call their captures, before the first dot. */
static bool names_a_capture(const char *name)
{
    static const char *const words[] = {"hwloc",  "lstopo", "topo", "nvidia-smi", "nvidia_smi",
                                        "slurmd", "ibstat", "smi",  "kube",       "k8s"};
    size_t len = strcspn(name, ".");

    if (len == 4 && strncmp(name, "node", 4) == 0)
        return true;
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (plumb_starts_with(name, words[i]))
            return true;
    }
    return false;
}

static bool any_names_a_capture(const struct names *files)
{
    for (size_t i = 0; i < files->count; i++) {
        if (names_a_capture(files->items[i]))
            return true;
    }
    return false;
}

/* "gpu001.hwloc.xml" is of gpu001; a host's domain stays. */
static const char *machine_of(struct plumb_arena *a, const char *file)
{
    static const char *const ends[] = {"xml",        "txt",
                                       "json",       "yaml",
                                       "yml",        "out",
                                       "log",        "hwloc",
                                       "topo",       "topo-m",
                                       "smi",        "smi-q",
                                       "smi-L",      "slurmd",
                                       "slurmd-C",   "slurmd-G",
                                       "node",       "nodejson",
                                       "query",      "ibstat",
                                       "nvidia-smi", "lstopo",
                                       "matrix",     "list",
                                       "mig-minors", "infiniband-verbs"};
    size_t len = strlen(file);
    bool cut = true;

    while (cut) {
        cut = false;
        for (size_t i = 0; i < PLUMB_COUNT(ends); i++) {
            size_t n = strlen(ends[i]);

            if (len > n + 1 && file[len - n - 1] == '.' &&
                memcmp(file + len - n, ends[i], n) == 0) {
                len -= n + 1;
                cut = true;
            }
        }
    }
    return plumb_arena_strndup(a, file, len);
}

static struct plumb_audit_machine *add_machine(struct plumb_audit *a, const char *name,
                                               const struct place *p)
{
    struct plumb_arena *arena = a->session->arena;
    struct plumb_audit_machine *m = PLUMB_NEW(arena, struct plumb_audit_machine);

    *m = (struct plumb_audit_machine){.name = name, .folder = p->path, .label = p->shown};
    a->machines = plumb_arena_grow(arena, a->machines, a->machine_count, &a->machine_cap,
                                   sizeof(*a->machines));
    a->machines[a->machine_count++] = m;
    return m;
}

static void add_file(struct plumb_audit *a, struct plumb_audit_machine *m, const char *file)
{
    struct plumb_arena *arena = a->session->arena;

    if (m->file_count < MAX_FILES_OF_ONE) {
        m->files =
            plumb_arena_grow(arena, m->files, m->file_count, &m->file_cap, sizeof(*m->files));
        m->files[m->file_count++] = file;
    } else if (!m->crowded) {
        m->crowded = true;
        (void)fail(a, m->shown,
                   plumb_arena_printf(arena, "has more than %d files, only so many are read",
                                      MAX_FILES_OF_ONE));
    }
}

static void add_folder(struct plumb_audit *a, const struct place *p)
{
    struct plumb_audit_machine *m = add_machine(a, plumb_path_base(p->shown), p);

    m->shown = p->shown;
    for (size_t i = 0; i < p->files.count; i++)
        add_file(a, m, p->files.items[i]);
}

static void add_loose(struct plumb_audit *a, struct plumb_map *known, const struct place *p,
                      const char *file)
{
    struct plumb_arena *arena = a->session->arena;
    const char *name = machine_of(arena, file);
    struct plumb_map_entry *e = NULL;

    if (plumb_ends_with(file, ".md"))
        return;
    e = plumb_map_entry(known, name, strlen(name));
    if (e->value == NULL) {
        struct plumb_audit_machine *m = add_machine(a, name, p);

        m->loose = true;
        m->shown = plumb_path_join(arena, p->shown, file);
        e->value = m;
    }
    add_file(a, e->value, file);
}

static void walk(struct plumb_audit *a, const char *path, const char *shown, unsigned depth)
{
    struct plumb_arena *arena = a->session->arena;
    struct place p = {.path = path, .shown = shown};
    struct plumb_map known = plumb_map_in(arena);

    if (depth > MAX_DEPTH || a->machine_count >= MAX_MACHINES) {
        (void)fail(a, shown, depth > MAX_DEPTH ? "is too deep" : "is one machine too many");
        return;
    }
    if (!list(arena, &p)) {
        (void)fail(a, shown, "cannot be read");
        return;
    }
    if (any_names_a_capture(&p.files) || (depth > 0 && p.folders.count == 0)) {
        add_folder(a, &p);
        return;
    }
    for (size_t i = 0; i < p.folders.count; i++)
        walk(a, plumb_path_join(arena, path, p.folders.items[i]),
             plumb_path_join(arena, shown, p.folders.items[i]), depth + 1);
    for (size_t i = 0; i < p.files.count; i++)
        add_loose(a, &known, &p, p.files.items[i]);
}

/* Without "./" in front and "/" behind, so that one folder has one name. */
static const char *tidy(struct plumb_arena *a, const char *path)
{
    size_t len = 0;

    while (plumb_starts_with(path, "./") && path[2] != '\0')
        path += 2;
    len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    return len == 1 && path[0] == '.' ? "" : plumb_arena_strndup(a, path, len);
}

bool plumb_audit_walk(struct plumb_audit *a, const char *path)
{
    struct plumb_arena *arena = a->session->arena;
    const char *shown = tidy(arena, path), *real = shown;
    size_t before = a->problems.count;
    struct stat st;

    if (a->directory != NULL && path[0] != '/')
        real = plumb_path_join(arena, a->directory, shown);
    if (real[0] == '\0')
        real = ".";
    if (stat(real, &st) != 0)
        return fail(a, path, "does not exist");
    if (S_ISDIR(st.st_mode)) {
        walk(a, real, shown, 0);
        return a->problems.count == before;
    }

    struct place p = {.path = plumb_path_folder(arena, real),
                      .shown = plumb_path_folder(arena, shown)};
    struct plumb_map known = plumb_map_in(arena);

    add_loose(a, &known, &p, plumb_path_base(shown));
    return true;
}
