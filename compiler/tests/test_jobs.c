/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job scripts and requests that were given to real clusters of three releases: what slurmctld
 * refused is an error, what it started is none. Skips without the recordings beside the source.
 */
#include "base/text.h"
#include "case_run.h"

#define RELEASES 3
static const char *const releases[RELEASES] = {"22.05", "24.11", "26.05"};

/* Tab-separated rows without the first. */
struct row {
    char *cells[16];
    size_t count;
};
struct rows {
    struct row *items;
    size_t count;
};

static const char *folder(struct plumb_arena *a)
{
    const char *path = fx_shared(a, "corpus/job-cases");

    return case_is_folder(path) ? path : NULL;
}

static struct rows read_rows(struct plumb_arena *a, const char *path)
{
    struct rows r = {NULL, 0};
    char *text = case_text(a, path);
    size_t cap = 0;
    bool first = true;

    assert_non_null(text);
    for (char *next = NULL; text != NULL && *text != '\0'; text = next, first = false) {
        struct row row = {.count = 0};

        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        while (text != NULL && row.count < PLUMB_COUNT(row.cells)) {
            char *tab = strchr(text, '\t');

            if (tab != NULL)
                *tab++ = '\0';
            row.cells[row.count++] = text;
            text = tab;
        }
        if (first)
            continue;
        r.items = plumb_arena_grow(a, r.items, r.count, &cap, sizeof(row));
        r.items[r.count++] = row;
    }
    return r;
}

static plumb_handle *open_cluster(const char *cluster, const char *release, const char *user)
{
    struct plumb_options o = {.slurm = release,
                              .user = user,
                              .only_jobs = true,
                              .reference_dir = PLUMB_SOURCE_DIR "/topologies"};
    plumb_handle *h = plumb_open(&o);

    assert_non_null(h);
    if (!plumb_add_path(h, cluster))
        fail_msg("%s: %s", cluster, plumb_problem(h));
    return h;
}

/* The options of a request as a script; " : " parts the components. */
static const char *as_script(struct plumb_arena *a, const char *options)
{
    struct plumb_buf out = plumb_buf_in(a);

    plumb_buf_str(&out, "#!/bin/bash\n");
    for (const char *part = options; part != NULL;) {
        const char *next = strstr(part, " : ");
        size_t len = next == NULL ? strlen(part) : (size_t)(next - part);

        plumb_buf_printf(&out, "#SBATCH %s%.*s\n", part == options ? "" : "hetjob ", (int)len,
                         part);
        part = next == NULL ? NULL : next + 3;
    }
    plumb_buf_str(&out, "sleep 600\n");
    return plumb_buf_text(&out);
}

static const struct row *find(const struct rows *r, size_t column, const char *value,
                              const char *release)
{
    for (size_t i = 0; i < r->count; i++) {
        if (strcmp(r->items[i].cells[column], value) == 0 &&
            strcmp(r->items[i].cells[column + 1], release) == 0)
            return &r->items[i];
    }
    return NULL;
}

static const char *first_error(plumb_handle *h, const char *file)
{
    for (size_t i = 0; i < plumb_finding_count(h); i++) {
        struct plumb_finding f;

        if (plumb_finding_at(h, i, &f) && f.file != NULL && strcmp(f.file, file) == 0 &&
            strcmp(f.severity, "error") == 0)
            return f.message;
    }
    return NULL;
}

struct tally {
    size_t refused, started, waiting, waiting_told, left_out, faults;
};

/* One request of one release. */
static void compare(plumb_handle *h, const struct row *request, const struct row *verdict,
                    struct tally *t)
{
    const char *id = request->cells[0], *start = verdict->cells[4];
    const char *error = first_error(h, id);
    bool refused = strcmp(start, "refused") == 0, started = strcmp(start, "started") == 0;

    if (strcmp(request->cells[2], "-") != 0) {
        t->left_out++; /* other jobs decide */
        return;
    }
    t->refused += refused;
    t->started += started;
    if (!refused && !started) {
        t->waiting++;
        t->waiting_told += error != NULL;
        return;
    }
    if (refused == (error != NULL))
        return;
    t->faults++;
    print_error("%s %s: %s (%s), plumb: %s\n    %s\n", id, verdict->cells[1], start,
                verdict->cells[5], error == NULL ? "no error" : error, request->cells[3]);
}

static void judge_cluster(struct plumb_arena *a, const char *root, const char *name,
                          const char *release, struct tally *t)
{
    static const char *const users[] = {"alice", "bob", "carol", "dave"};
    const char *cluster = plumb_arena_printf(a, "%s/%s", root, name);
    struct rows requests = read_rows(a, plumb_arena_printf(a, "%s/requests.tsv", cluster));
    struct rows verdicts = read_rows(a, plumb_arena_printf(a, "%s/verdicts.tsv", cluster));

    for (size_t u = 0; u < PLUMB_COUNT(users); u++) {
        plumb_handle *h = open_cluster(cluster, release, users[u]);

        for (size_t i = 0; i < requests.count; i++) {
            const struct row *r = &requests.items[i];
            const char *script = as_script(a, r->cells[3]);

            if (strcmp(r->cells[1], users[u]) == 0)
                assert_true(plumb_add_job_text(h, r->cells[0], script, strlen(script)));
        }
        (void)plumb_run_all(h, "error");
        for (size_t i = 0; i < requests.count; i++) {
            const struct row *r = &requests.items[i];
            const struct row *v = find(&verdicts, 0, r->cells[0], release);

            if (strcmp(r->cells[1], users[u]) == 0 && v != NULL)
                compare(h, r, v, t);
        }
        plumb_close(h);
    }
}

static void requests_get_the_verdict_of_slurmctld(void **state)
{
    static const char *const clusters[] = {"alpha", "beta", "gamma", "delta"};
    struct fixture *fx = *state;
    const char *root = folder(fx->arena);
    size_t faults = 0;

    if (root == NULL) {
        print_message("no recordings beside the source: skipped\n");
        skip();
    }
    for (size_t c = 0; c < PLUMB_COUNT(clusters); c++) {
        for (size_t r = 0; r < RELEASES; r++) {
            struct tally t = {0};

            judge_cluster(fx->arena, root, clusters[c], releases[r], &t);
            print_message("%s %s: %zu refused, %zu started, %zu wait (%zu of them told), %zu "
                          "depend on other jobs, %zu differ\n",
                          clusters[c], releases[r], t.refused, t.started, t.waiting, t.waiting_told,
                          t.left_out, t.faults);
            assert_int_not_equal(t.refused, 0);
            assert_int_not_equal(t.started, 0);
            faults += t.faults;
        }
    }
    assert_int_equal(faults, 0);
}

/* Requests of our own, put to the same clusters: testdata/jobs. */
static size_t judge_further(struct plumb_arena *a, const char *root, const struct rows *rows,
                            const char *cluster, size_t release, size_t *held)
{
    plumb_handle *h =
        open_cluster(plumb_arena_printf(a, "%s/%s", root, cluster), releases[release], "alice");
    size_t faults = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const char *script = as_script(a, rows->items[i].cells[5]);

        if (strcmp(rows->items[i].cells[1], cluster) == 0)
            assert_true(plumb_add_job_text(h, rows->items[i].cells[0], script, strlen(script)));
    }
    (void)plumb_run_all(h, "error");
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *r = &rows->items[i];
        const char *verdict = r->cells[2 + release], *error = first_error(h, r->cells[0]);

        if (strcmp(r->cells[1], cluster) != 0 || strcmp(verdict, "pending") == 0)
            continue;
        ++*held;
        if ((strcmp(verdict, "refused") == 0) == (error != NULL))
            continue;
        faults++;
        print_error("%s %s: %s, plumb: %s\n    %s\n", r->cells[0], releases[release], verdict,
                    error == NULL ? "no error" : error, r->cells[5]);
    }
    plumb_close(h);
    return faults;
}

static void further_requests_get_the_verdict_of_slurmctld(void **state)
{
    static const char *const clusters[] = {"alpha", "beta", "gamma", "delta"};
    struct fixture *fx = *state;
    const char *root = folder(fx->arena);
    struct rows rows = read_rows(fx->arena, PLUMB_SOURCE_DIR "/testdata/jobs/requests.tsv");
    size_t faults = 0, held = 0;

    if (root == NULL) {
        print_message("no recordings beside the source: skipped\n");
        skip();
    }
    for (size_t c = 0; c < PLUMB_COUNT(clusters); c++) {
        for (size_t r = 0; r < RELEASES; r++)
            faults += judge_further(fx->arena, root, &rows, clusters[c], r, &held);
    }
    print_message("%zu requests on %d releases, %zu verdicts, %zu differ\n", rows.count, RELEASES,
                  held, faults);
    assert_int_not_equal(held, 0);
    assert_int_equal(faults, 0);
}

/* Verdicts that were held against plumb, and those among them on which it says nothing. */
struct counts {
    size_t held, silent;
};

/* Requests of our own, put to a cluster of our own with limits and odd partitions. */
static size_t judge_own(struct plumb_arena *a, const struct rows *rows, size_t release,
                        struct counts *n)
{
    plumb_handle *h =
        open_cluster(PLUMB_SOURCE_DIR "/testdata/jobs/eps", releases[release], "alice");
    size_t faults = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const char *script = as_script(a, rows->items[i].cells[4]);

        assert_true(plumb_add_job_text(h, rows->items[i].cells[0], script, strlen(script)));
    }
    (void)plumb_run_all(h, "error");
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *r = &rows->items[i];
        const char *verdict = r->cells[1 + release], *error = first_error(h, r->cells[0]);
        bool runs = strcmp(verdict, "started") == 0;

        if (strcmp(verdict, "-") == 0 || strcmp(verdict, "pending") == 0)
            continue;
        n->held++;
        n->silent += plumb_ends_with(verdict, "?");
        if (plumb_ends_with(verdict, "?") || runs == (error == NULL))
            continue;
        faults++;
        print_error("%s %s: %s, plumb: %s\n    %s\n", r->cells[0], releases[release], verdict,
                    error == NULL ? "no error" : error, r->cells[4]);
    }
    plumb_close(h);
    return faults;
}

static void requests_to_our_own_cluster_get_the_verdict_of_slurmctld(void **state)
{
    struct fixture *fx = *state;
    struct rows rows = read_rows(fx->arena, PLUMB_SOURCE_DIR "/testdata/jobs/eps/requests.tsv");
    struct counts n = {0, 0};
    size_t faults = 0;

    for (size_t r = 0; r < RELEASES; r++)
        faults += judge_own(fx->arena, &rows, r, &n);
    print_message("%zu requests on %d releases, %zu verdicts, silent on %zu, %zu differ\n",
                  rows.count, RELEASES, n.held, n.silent, faults);
    assert_int_not_equal(n.held, 0);
    assert_int_equal(faults, 0);
}

/* Steps of our own, put to jobs of the cluster in testdata/jobs/lab. */
static size_t judge_steps(struct plumb_arena *a, const struct rows *rows, size_t release,
                          struct counts *n)
{
    plumb_handle *h = open_cluster(PLUMB_SOURCE_DIR "/testdata/jobs/lab", releases[release], NULL);
    size_t faults = 0;

    for (size_t i = 0; i < rows->count; i++) {
        struct plumb_buf script = plumb_buf_in(a);
        const char *head = as_script(a, rows->items[i].cells[4]);

        plumb_buf_printf(&script, "%.*s%s\n", (int)(strlen(head) - strlen("sleep 600\n")), head,
                         rows->items[i].cells[5]);
        assert_true(
            plumb_add_job_text(h, rows->items[i].cells[0], plumb_buf_text(&script), script.len));
    }
    (void)plumb_run_all(h, "error");
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *r = &rows->items[i];
        const char *verdict = r->cells[1 + release], *error = first_error(h, r->cells[0]);
        bool silent = plumb_ends_with(verdict, "?");

        n->held++;
        n->silent += silent;
        if (silent || (strcmp(verdict, "created") != 0) == (error != NULL))
            continue;
        faults++;
        print_error("%s %s: %s, plumb: %s\n    %s in %s\n", r->cells[0], releases[release], verdict,
                    error == NULL ? "no error" : error, r->cells[5], r->cells[4]);
    }
    plumb_close(h);
    return faults;
}

static void steps_get_the_verdict_of_srun(void **state)
{
    struct fixture *fx = *state;
    struct rows rows = read_rows(fx->arena, PLUMB_SOURCE_DIR "/testdata/jobs/steps.tsv");
    struct counts n = {0, 0};
    size_t faults = 0;

    for (size_t r = 0; r < RELEASES; r++)
        faults += judge_steps(fx->arena, &rows, r, &n);
    print_message("%zu steps on %d releases, %zu verdicts, silent on %zu, %zu differ\n", rows.count,
                  RELEASES, n.held, n.silent, faults);
    assert_int_not_equal(rows.count, 0);
    assert_int_equal(faults, 0);
}

/* Every finding at warning or above is expected, and every expectation is found. */
static size_t judge_script(struct plumb_arena *a, const char *root, const struct rows *expect,
                           const char *script, const char *release)
{
    const struct row *first = NULL;
    const char *path = plumb_arena_printf(a, "%s/scripts/%s", root, script);
    plumb_handle *h = NULL;
    size_t faults = 0;
    bool met[64] = {false};

    for (size_t i = 0; i < expect->count && first == NULL; i++)
        first = strcmp(expect->items[i].cells[0], script) == 0 ? &expect->items[i] : NULL;
    assert_non_null(first);
    h = open_cluster(plumb_arena_printf(a, "%s/%s", root, first->cells[1]), release,
                     first->cells[2]);
    assert_true(plumb_add_job(h, path));
    (void)plumb_run_all(h, "error");
    assert_true(expect->count <= PLUMB_COUNT(met));
    for (size_t i = 0; i < plumb_finding_count(h); i++) {
        struct plumb_finding f;
        bool found = false;

        assert_true(plumb_finding_at(h, i, &f));
        for (size_t k = 0; k < expect->count; k++) {
            const struct row *e = &expect->items[k];

            if (strcmp(e->cells[0], script) == 0 && (unsigned)atoi(e->cells[3]) == f.line &&
                strcmp(e->cells[4], f.severity) == 0)
                met[k] = found = true;
        }
        if (found || strcmp(f.severity, "info") == 0)
            continue;
        faults++;
        print_error("%s %s: unexpected %u %s %s: %s\n", script, release, f.line, f.severity, f.code,
                    f.message);
    }
    for (size_t k = 0; k < expect->count; k++) {
        const struct row *e = &expect->items[k];

        if (strcmp(e->cells[0], script) != 0 || strcmp(e->cells[3], "-") == 0 || met[k])
            continue;
        faults++;
        print_error("%s %s: missing %s %s: %s\n", script, release, e->cells[3], e->cells[4],
                    e->cells[5]);
    }
    plumb_close(h);
    return faults;
}

static void scripts_give_what_is_expected(void **state)
{
    struct fixture *fx = *state;
    const char *root = folder(fx->arena);
    struct rows expect;
    struct case_names names;
    size_t faults = 0, count = 0;

    if (root == NULL) {
        print_message("no recordings beside the source: skipped\n");
        skip();
    }
    expect = read_rows(fx->arena, plumb_arena_printf(fx->arena, "%s/scripts/expect.tsv", root));
    names = case_list(fx->arena, plumb_arena_printf(fx->arena, "%s/scripts", root));
    for (size_t i = 0; i < names.count; i++) {
        if (!plumb_ends_with(names.items[i], ".sbatch"))
            continue;
        count++;
        for (size_t r = 0; r < RELEASES; r++)
            faults += judge_script(fx->arena, root, &expect, names.items[i], releases[r]);
    }
    print_message("%zu scripts on %d releases, %zu differences\n", count, RELEASES, faults);
    assert_int_not_equal(count, 0);
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(requests_get_the_verdict_of_slurmctld, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(further_requests_get_the_verdict_of_slurmctld, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(requests_to_our_own_cluster_get_the_verdict_of_slurmctld,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(steps_get_the_verdict_of_srun, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(scripts_give_what_is_expected, fx_setup, fx_teardown),
    };

    (void)case_run_as; /* of case_run.h; job scripts are added in another way */
    return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
