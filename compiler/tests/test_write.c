/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The write transaction: all files or none, whatever happens on the way. Sets of files are made
 * by hand; folders are fresh ones below the temporary folder and compared as text.
 */
#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emit/journal.h"
#include "emit/manifest.h"
#include "emit/tree.h"
#include "emit/write.h"
#include "syntax/json.h"

struct folder {
    struct fixture *fx;
    struct plumb_arena *arena;
    char *dir;
    const char *path; /* that the last write complained about, below dir */
};

static struct folder open_folder(void **state)
{
    struct fixture *fx = *state;
    struct folder f = {.fx = fx, .arena = fx->arena};
    const char *base = getenv("TMPDIR");

    f.dir = plumb_arena_printf(fx->arena, "%s/plumb-write-XXXXXX", base != NULL ? base : "/tmp");
    assert_non_null(mkdtemp(f.dir));
    return f;
}

static void remove_folder(struct folder *f)
{
    const char *name = strrchr(f->dir, '/') + 1;
    char *parent = plumb_arena_strndup(f->arena, f->dir, (size_t)(name - f->dir));
    int root = open(parent, O_RDONLY | O_DIRECTORY);

    assert_true(plumb_tree_remove_all(root, name));
    (void)close(root);
}

static const char *in(struct folder *f, const char *path)
{
    return plumb_arena_printf(f->arena, "%s/%s", f->dir, path);
}

static void put(struct folder *f, const char *path, const char *text)
{
    FILE *file = fopen(in(f, path), "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The file's text; "(none)" when there is no such file. */
static const char *get(struct folder *f, const char *path)
{
    int root = open(f->dir, O_RDONLY | O_DIRECTORY);
    struct plumb_tree_file file = plumb_tree_read(f->arena, root, path);

    (void)close(root);
    return file.kind == PLUMB_TREE_FILE ? file.bytes : "(none)";
}

static uint32_t mode_of(struct folder *f, const char *path)
{
    struct stat st;

    assert_int_equal(lstat(in(f, path), &st), 0);
    return (uint32_t)st.st_mode & 07777u;
}

static int by_text(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void list(struct folder *f, const char *below, struct plumb_buf *out)
{
    const char *names[64];
    size_t count = 0;
    DIR *dir = opendir(in(f, below));

    assert_non_null(dir);
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        assert_true(count < PLUMB_COUNT(names));
        names[count++] = plumb_arena_strdup(f->arena, e->d_name);
    }
    (void)closedir(dir);
    qsort(names, count, sizeof(*names), by_text);
    for (size_t i = 0; i < count; i++) {
        const char *path =
            *below == '\0' ? names[i] : plumb_arena_printf(f->arena, "%s/%s", below, names[i]);
        struct stat st;

        assert_int_equal(lstat(in(f, path), &st), 0);
        if (S_ISDIR(st.st_mode))
            list(f, path, out);
        else
            plumb_buf_printf(out, "%04o %s: %s\n", (unsigned)st.st_mode & 07777u, path,
                             get(f, path));
    }
}

/* Every file with mode and bytes, in order of path. */
static const char *snapshot(struct folder *f)
{
    struct plumb_buf b = plumb_buf_in(f->arena);

    list(f, "", &b);
    return plumb_buf_text(&b);
}

static void add(struct folder *f, struct plumb_outputs *out, const char *path, const char *text,
                uint32_t mode)
{
    struct plumb_output *file = NULL;

    out->files = plumb_arena_grow(f->arena, out->files, out->file_count, &out->file_cap,
                                  sizeof(*out->files));
    file = &out->files[out->file_count++];
    *file = (struct plumb_output){.path = path, .mode = mode, .text = text, .len = strlen(text)};
    plumb_sha256_hex(text, file->len, file->sha256);
}

static int by_path(const void *x, const void *y)
{
    const struct plumb_output *a = x, *b = y;

    return strcmp(a->path, b->path);
}

/* Adds the manifest and sorts, as plumb_outputs_print does. */
static void finish(struct folder *f, struct plumb_outputs *out)
{
    static const struct plumb_model model = {.release = PLUMB_24_11, .spec_path = "cluster.yaml"};
    const struct plumb_origin_note note = {.source = "cluster.yaml", .inputs_sha256 = "0"};
    struct plumb_buf b = plumb_buf_in(f->arena);

    qsort(out->files, out->file_count, sizeof(*out->files), by_path);
    plumb_json_write(&b, plumb_manifest_node(&f->fx->session, &model, out, &note), NULL);
    add(f, out, PLUMB_MANIFEST_PATH, plumb_buf_text(&b), 0644);
    qsort(out->files, out->file_count, sizeof(*out->files), by_path);
}

static struct plumb_outputs first_set(struct folder *f)
{
    struct plumb_outputs out = {0};

    add(f, &out, "slurm/slurm.conf", "ClusterName=a\n", 0644);
    add(f, &out, "slurm/slurmdbd.conf", "DbdHost=db\n", 0600);
    add(f, &out, "slurm/cgroup.conf", "ConstrainCores=yes\n", 0644);
    add(f, &out, "nccl/topo-a.xml", "<system/>\n", 0644);
    finish(f, &out);
    return out;
}

/* Against the first: one changed, one gone with its folder, one new, the rest the same. */
static struct plumb_outputs second_set(struct folder *f)
{
    struct plumb_outputs out = {0};

    add(f, &out, "slurm/slurm.conf", "ClusterName=b\n", 0644);
    add(f, &out, "slurm/slurmdbd.conf", "DbdHost=db\n", 0600);
    add(f, &out, "slurm/cgroup.conf", "ConstrainCores=yes\n", 0644);
    add(f, &out, "node/limits.conf", "* - memlock unlimited\n", 0644);
    finish(f, &out);
    return out;
}

static enum plumb_status write_set(struct folder *f, const struct plumb_outputs *out)
{
    const char *path = NULL;
    enum plumb_status status = plumb_outputs_write(&f->fx->session, out, f->dir, &path);
    size_t len = strlen(f->dir);

    f->path = path;
    if (strncmp(path, f->dir, len) == 0 && path[len] == '/')
        f->path = path + len + 1;
    return status;
}

static void a_first_build_writes_all_files_with_their_modes(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f);
    mode_t old = umask(077);

    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    (void)umask(old);
    assert_string_equal(get(&f, "slurm/slurm.conf"), "ClusterName=a\n");
    assert_int_equal(mode_of(&f, "slurm/slurm.conf"), 0644);
    assert_int_equal(mode_of(&f, "slurm/slurmdbd.conf"), 0600);
    assert_int_equal(mode_of(&f, "MANIFEST.json"), 0644);
    assert_non_null(strstr(get(&f, "MANIFEST.json"), "\"slurm/slurmdbd.conf\""));
    assert_int_equal(access(in(&f, PLUMB_STAGE_PATH), F_OK), -1);
    assert_int_equal(access(in(&f, PLUMB_UNDO_PATH), F_OK), -1);
    assert_int_equal(access(in(&f, PLUMB_JOURNAL_PATH), F_OK), -1);
    remove_folder(&f);
}

static void missing_parents_of_the_folder_are_made(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f);
    const char *path = NULL;

    assert_int_equal(plumb_outputs_write(&f.fx->session, &out, in(&f, "a/b/c"), &path), PLUMB_OK);
    assert_string_equal(get(&f, "a/b/c/slurm/slurm.conf"), "ClusterName=a\n");
    remove_folder(&f);
}

static void a_file_that_is_the_same_is_not_touched(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f), next = second_set(&f);
    const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    struct stat before, after;

    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    assert_int_equal(utimensat(AT_FDCWD, in(&f, "slurm/cgroup.conf"), old, 0), 0);
    assert_int_equal(stat(in(&f, "slurm/cgroup.conf"), &before), 0);
    assert_int_equal(write_set(&f, &next), PLUMB_OK);
    assert_int_equal(stat(in(&f, "slurm/cgroup.conf"), &after), 0);
    assert_int_equal(after.st_mtime, 1000);
    assert_int_equal(after.st_ino, before.st_ino);
    assert_int_equal(stat(in(&f, "slurm/slurm.conf"), &after), 0);
    assert_true(after.st_mtime > 1000);
    remove_folder(&f);
}

static void a_mode_that_was_changed_is_mended(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f);

    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    assert_int_equal(chmod(in(&f, "slurm/slurmdbd.conf"), 0644), 0);
    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    assert_int_equal(mode_of(&f, "slurm/slurmdbd.conf"), 0600);
    remove_folder(&f);
}

static void left_overs_go_with_their_empty_folders(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f), next = second_set(&f);

    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    put(&f, "slurm/site.conf", "mine\n");
    assert_int_equal(write_set(&f, &next), PLUMB_OK);
    assert_int_equal(access(in(&f, "nccl"), F_OK), -1);
    assert_string_equal(get(&f, "slurm/site.conf"), "mine\n");
    remove_folder(&f);
}

static void a_left_over_that_was_edited_stays(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f), next = second_set(&f);

    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    put(&f, "nccl/topo-a.xml", "edited\n");
    assert_int_equal(write_set(&f, &next), PLUMB_OK);
    assert_string_equal(get(&f, "nccl/topo-a.xml"), "edited\n");
    remove_folder(&f);
}

static void a_hand_written_file_in_the_way_is_refused(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f);
    const char *before = NULL;

    assert_int_equal(mkdir(in(&f, "slurm"), 0755), 0);
    put(&f, "slurm/slurm.conf", "ClusterName=mine\n");
    before = snapshot(&f);
    assert_int_equal(write_set(&f, &out), PLUMB_NOT_OURS);
    assert_string_equal(f.path, "slurm/slurm.conf");
    assert_string_equal(snapshot(&f), before);

    out.overwrite = true;
    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    assert_string_equal(get(&f, "slurm/slurm.conf"), "ClusterName=a\n");
    remove_folder(&f);
}

static void a_foreign_file_with_the_same_bytes_is_taken_over(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f);

    assert_int_equal(mkdir(in(&f, "slurm"), 0755), 0);
    put(&f, "slurm/slurm.conf", "ClusterName=a\n");
    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    remove_folder(&f);
}

static void a_manifest_that_is_not_ours_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{\"files\": {}}",
        "{\"generated_by\": \"other\", \"files\": {}}",
        "{\"generated_by\": \"plumb, do not edit\", \"files\": []}",
    };
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f);

    for (size_t i = 0; i < PLUMB_COUNT(texts); i++) {
        put(&f, "MANIFEST.json", texts[i]);
        assert_int_equal(write_set(&f, &out), PLUMB_NOT_OURS);
        assert_string_equal(f.path, "MANIFEST.json");
        assert_string_equal(get(&f, "MANIFEST.json"), texts[i]);
    }
    remove_folder(&f);
}

static void something_that_is_no_file_in_the_way_is_refused(void **state)
{
    static const struct {
        const char *what; /* "dir PATH" or "link PATH" or "file PATH" */
        const char *path; /* complained about */
    } rows[] = {
        {"dir slurm/slurm.conf", "slurm/slurm.conf"}, {"link slurm/slurm.conf", "slurm/slurm.conf"},
        {"link slurm", "slurm/cgroup.conf"},          {"file slurm", "slurm/cgroup.conf"},
        {"dir MANIFEST.json", "MANIFEST.json"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct folder f = open_folder(state), outside = open_folder(state);
        struct plumb_outputs out = first_set(&f);
        const char *where = strchr(rows[i].what, ' ') + 1;

        fx_row(f.fx, i, rows[i].what);
        if (strchr(where, '/') != NULL)
            assert_int_equal(mkdir(in(&f, "slurm"), 0755), 0);
        if (rows[i].what[0] == 'd')
            assert_int_equal(mkdir(in(&f, where), 0755), 0);
        else if (rows[i].what[0] == 'l')
            assert_int_equal(symlink(outside.dir, in(&f, where)), 0);
        else
            put(&f, where, "");
        assert_int_equal(write_set(&f, &out), PLUMB_NOT_A_FILE);
        assert_string_equal(f.path, rows[i].path);
        assert_string_equal(snapshot(&outside), "");
        remove_folder(&f);
        remove_folder(&outside);
    }
}

static void a_link_out_of_the_folder_is_not_followed_by_clearing(void **state)
{
    struct folder f = open_folder(state), outside = open_folder(state);
    struct plumb_outputs out = first_set(&f);

    put(&outside, "precious", "1\n");
    assert_int_equal(mkdir(in(&f, ".plumb"), 0755), 0);
    assert_int_equal(mkdir(in(&f, PLUMB_STAGE_PATH), 0755), 0);
    assert_int_equal(symlink(outside.dir, in(&f, PLUMB_STAGE_PATH "/link")), 0);
    assert_int_equal(symlink(outside.dir, in(&f, PLUMB_UNDO_PATH)), 0);
    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    assert_string_equal(get(&outside, "precious"), "1\n");
    remove_folder(&f);
    remove_folder(&outside);
}

static void a_manifest_that_points_out_of_the_folder_removes_nothing(void **state)
{
    struct folder f = open_folder(state), outside = open_folder(state);
    struct plumb_outputs out = first_set(&f);
    struct plumb_buf b = plumb_buf_in(f.arena);
    const char *name = strrchr(outside.dir, '/') + 1;
    char sha[65];

    put(&outside, "precious", "1\n");
    plumb_sha256_hex("1\n", 2, sha);
    plumb_buf_str(&b, "{\"generated_by\": \"plumb, do not edit\", \"files\": {");
    plumb_buf_printf(&b, "\"../%s/precious\": {\"mode\": \"0644\", \"sha256\": \"%s\"},", name,
                     sha);
    plumb_buf_printf(&b, "\"%s/precious\": {\"mode\": \"0644\", \"sha256\": \"%s\"}}}", outside.dir,
                     sha);
    put(&f, "MANIFEST.json", plumb_buf_text(&b));
    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    assert_string_equal(get(&outside, "precious"), "1\n");
    remove_folder(&f);
    remove_folder(&outside);
}

static void a_path_that_leaves_the_folder_is_never_written(void **state)
{
    static const char *const paths[] = {"../x", "/tmp/x", "a/../x", "a//x",
                                        "a/.",  "a/",     "",       "a\nb"};

    for (size_t i = 0; i < PLUMB_COUNT(paths); i++) {
        struct folder f = open_folder(state);
        struct plumb_outputs out = {0};

        fx_row(f.fx, i, paths[i]);
        add(&f, &out, paths[i], "x", 0644);
        assert_false(plumb_tree_path_ok(paths[i]));
        assert_int_equal(write_set(&f, &out), PLUMB_NOT_A_FILE);
        assert_string_equal(snapshot(&f), "");
        remove_folder(&f);
    }
}

static void an_output_folder_that_is_a_file_is_refused(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f);
    const char *path = NULL;

    put(&f, "out", "");
    assert_int_equal(plumb_outputs_write(&f.fx->session, &out, in(&f, "out"), &path),
                     PLUMB_NOT_A_FILE);
    assert_string_equal(path, in(&f, "out"));
    assert_int_not_equal(plumb_outputs_write(&f.fx->session, &out, "", &path), PLUMB_OK);
    remove_folder(&f);
}

static void no_outputs_leave_the_folder_as_it_is(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f), none = {0};
    const char *before = NULL;

    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    before = snapshot(&f);
    assert_int_equal(write_set(&f, &none), PLUMB_OK);
    assert_string_equal(snapshot(&f), before);
    remove_folder(&f);
}

/* What each set leaves, as text. */
static const char *whole(void **state, struct plumb_outputs (*make)(struct folder *))
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = make(&f);
    const char *text = NULL;

    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    text = snapshot(&f);
    remove_folder(&f);
    return text;
}

static enum plumb_status write_probed(struct folder *f, const struct plumb_outputs *out,
                                      struct plumb_probe *probe)
{
    const char *path = NULL;

    return plumb_outputs_write_probed(&f->fx->session, out, f->dir, &path, probe);
}

static void recover(struct folder *f)
{
    int root = open(f->dir, O_RDONLY | O_DIRECTORY);
    const char *path = NULL;

    assert_true(plumb_journal_undo(f->arena, root, &path));
    (void)close(root);
}

static size_t count_steps(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs first = first_set(&f), second = second_set(&f);
    struct plumb_probe probe = {0};

    assert_int_equal(write_set(&f, &first), PLUMB_OK);
    assert_int_equal(write_probed(&f, &second, &probe), PLUMB_OK);
    remove_folder(&f);
    return probe.seen;
}

static void a_run_that_fails_at_any_step_leaves_the_old_set(void **state)
{
    const char *old = whole(state, first_set), *new = whole(state, second_set);
    size_t steps = count_steps(state);

    assert_true(steps > 10);
    for (size_t at = 1; at <= steps; at++) {
        struct folder f = open_folder(state);
        struct plumb_outputs first = first_set(&f), second = second_set(&f);
        struct plumb_probe probe = {.kind = PLUMB_PROBE_FAIL, .at = at};

        assert_int_equal(write_set(&f, &first), PLUMB_OK);
        if (write_probed(&f, &second, &probe) == PLUMB_OK) {
            assert_true(at > steps - 2); /* only clearing failed: the new set is there */
            recover(&f);
            assert_string_equal(snapshot(&f), new);
        } else {
            assert_string_equal(snapshot(&f), old);
        }
        remove_folder(&f);
    }
}

static void a_run_that_dies_at_any_step_is_undone_by_the_next(void **state)
{
    const char *old = whole(state, first_set), *new = whole(state, second_set);
    size_t steps = count_steps(state);

    for (size_t at = 1; at <= steps; at++) {
        struct folder f = open_folder(state);
        struct plumb_outputs first = first_set(&f), second = second_set(&f);
        struct plumb_probe probe = {.kind = PLUMB_PROBE_DIE, .at = at};

        assert_int_equal(write_set(&f, &first), PLUMB_OK);
        (void)write_probed(&f, &second, &probe);
        recover(&f);
        assert_string_equal(snapshot(&f), at > steps - 2 ? new : old);

        probe = (struct plumb_probe){.kind = PLUMB_PROBE_DIE, .at = at};
        (void)write_probed(&f, &second, &probe);
        assert_int_equal(write_set(&f, &second), PLUMB_OK);
        assert_string_equal(snapshot(&f), new);
        remove_folder(&f);
    }
}

static void a_file_edited_after_a_crash_is_not_rolled_back(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs first = first_set(&f), second = second_set(&f);
    struct plumb_probe probe = {.kind = PLUMB_PROBE_DIE, .at = count_steps(state) - 2};

    assert_int_equal(write_set(&f, &first), PLUMB_OK);
    assert_int_equal(write_probed(&f, &second, &probe), PLUMB_CANNOT_WRITE);
    assert_string_equal(get(&f, "slurm/slurm.conf"), "ClusterName=b\n"); /* between two sets */
    put(&f, "slurm/slurm.conf", "ClusterName=pager\n");
    recover(&f);
    assert_string_equal(get(&f, "slurm/slurm.conf"), "ClusterName=pager\n");
    assert_string_equal(get(&f, "nccl/topo-a.xml"), "<system/>\n");
    remove_folder(&f);
}

static void a_hostile_journal_touches_nothing_outside(void **state)
{
    struct folder f = open_folder(state), outside = open_folder(state);
    struct plumb_outputs out = first_set(&f);
    char sha[65];

    put(&outside, "precious", "1\n");
    plumb_sha256_hex("1\n", 2, sha);
    assert_int_equal(mkdir(in(&f, ".plumb"), 0755), 0);
    put(&f, PLUMB_JOURNAL_PATH,
        plumb_arena_printf(f.arena, "plumb journal 1\nc %s ../%s/precious\nx\nc %s\nr %s a", sha,
                           strrchr(outside.dir, '/') + 1, sha, sha));
    assert_int_equal(write_set(&f, &out), PLUMB_OK);
    assert_string_equal(get(&outside, "precious"), "1\n");
    remove_folder(&f);
    remove_folder(&outside);
}

static enum plumb_freshness state_of(struct folder *f, const struct plumb_outputs *out,
                                     const char *path)
{
    struct plumb_freshness_item *items = NULL;
    size_t count = 0;

    assert_int_equal(plumb_outputs_compare(&f->fx->session, out, f->dir, &items, &count), PLUMB_OK);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(items[i].path, path) == 0)
            return items[i].state;
    }
    fail_msg("'%s' is not compared", path);
    return PLUMB_FRESH;
}

static void comparing_tells_stale_from_edited(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs first = first_set(&f), second = second_set(&f);
    const char *before = NULL;

    assert_int_equal(state_of(&f, &first, "slurm/slurm.conf"), PLUMB_MISSING);
    assert_int_equal(write_set(&f, &first), PLUMB_OK);
    before = snapshot(&f);
    assert_int_equal(state_of(&f, &first, "slurm/slurm.conf"), PLUMB_FRESH);
    assert_int_equal(state_of(&f, &first, "MANIFEST.json"), PLUMB_FRESH);
    assert_int_equal(state_of(&f, &second, "slurm/slurm.conf"), PLUMB_STALE);
    assert_int_equal(state_of(&f, &second, "MANIFEST.json"), PLUMB_STALE);
    assert_int_equal(state_of(&f, &second, "slurm/cgroup.conf"), PLUMB_FRESH);
    assert_int_equal(state_of(&f, &second, "node/limits.conf"), PLUMB_MISSING);
    assert_int_equal(state_of(&f, &second, "nccl/topo-a.xml"), PLUMB_LEFT_OVER);
    assert_string_equal(snapshot(&f), before); /* nothing is touched */

    put(&f, "slurm/slurm.conf", "ClusterName=hand\n");
    assert_int_equal(state_of(&f, &first, "slurm/slurm.conf"), PLUMB_EDITED);
    assert_int_equal(state_of(&f, &second, "slurm/slurm.conf"), PLUMB_EDITED);
    assert_int_equal(unlink(in(&f, "slurm/cgroup.conf")), 0);
    assert_int_equal(state_of(&f, &first, "slurm/cgroup.conf"), PLUMB_MISSING);
    assert_int_equal(mkdir(in(&f, "slurm/cgroup.conf"), 0755), 0);
    assert_int_equal(state_of(&f, &first, "slurm/cgroup.conf"), PLUMB_EDITED);
    put(&f, "MANIFEST.json", "{}");
    assert_int_equal(state_of(&f, &first, "MANIFEST.json"), PLUMB_EDITED);
    remove_folder(&f);
}

static void comparing_with_a_folder_that_is_not_there_makes_none(void **state)
{
    struct folder f = open_folder(state);
    struct plumb_outputs out = first_set(&f);
    struct plumb_freshness_item *items = NULL;
    size_t count = 0;

    assert_int_equal(plumb_outputs_compare(&f.fx->session, &out, in(&f, "no"), &items, &count),
                     PLUMB_OK);
    assert_int_equal(count, out.file_count);
    assert_int_equal(items[0].state, PLUMB_MISSING);
    assert_int_equal(access(in(&f, "no"), F_OK), -1);
    remove_folder(&f);
}

/* FIPS 180-2, appendix B; and the empty message. */
static void digests_are_those_of_the_standard(void **state)
{
    char hex[65];

    (void)state;
    plumb_sha256_hex("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    plumb_sha256_hex(NULL, 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_first_build_writes_all_files_with_their_modes),
        TEST(missing_parents_of_the_folder_are_made),
        TEST(a_file_that_is_the_same_is_not_touched),
        TEST(a_mode_that_was_changed_is_mended),
        TEST(left_overs_go_with_their_empty_folders),
        TEST(a_left_over_that_was_edited_stays),
        TEST(a_hand_written_file_in_the_way_is_refused),
        TEST(a_foreign_file_with_the_same_bytes_is_taken_over),
        TEST(a_manifest_that_is_not_ours_is_refused),
        TEST(something_that_is_no_file_in_the_way_is_refused),
        TEST(a_link_out_of_the_folder_is_not_followed_by_clearing),
        TEST(a_manifest_that_points_out_of_the_folder_removes_nothing),
        TEST(a_path_that_leaves_the_folder_is_never_written),
        TEST(an_output_folder_that_is_a_file_is_refused),
        TEST(no_outputs_leave_the_folder_as_it_is),
        TEST(a_run_that_fails_at_any_step_leaves_the_old_set),
        TEST(a_run_that_dies_at_any_step_is_undone_by_the_next),
        TEST(a_file_edited_after_a_crash_is_not_rolled_back),
        TEST(a_hostile_journal_touches_nothing_outside),
        TEST(comparing_tells_stale_from_edited),
        TEST(comparing_with_a_folder_that_is_not_there_makes_none),
        cmocka_unit_test(digests_are_those_of_the_standard),
    };

    return cmocka_run_group_tests_name("emit/write", tests, NULL, NULL);
}
