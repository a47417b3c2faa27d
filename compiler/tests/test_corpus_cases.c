/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The corpora of shared facts: minimal faulty configurations with the findings that a perfect
 * linter gives, and real configurations with what real daemons said. Skipped where the folder is
 * not there. The numbers below are what is reached: a change may raise them, never lower them.
 */
#include "case_run.h"

/* Findings of expect.md that are reported at their line with their severity. */
enum { HITS_CASES = 67, HITS_HARDWARE = 46 };
/* What three releases did with nodes on captured hardware, and is predicted. */
enum { VERDICTS_HARDWARE = 118 };

static const char *shared(struct plumb_arena *a, const char *below)
{
    const char *path = fx_shared(a, below);

    if (!case_is_folder(path)) {
        print_message("%s is not there: skipped\n", path);
        skip();
    }
    return path;
}

/* "- **error** `slurm.conf:12` text": one line of expect.md, in place. */
struct wanted {
    const char *severity, *file;
    uint32_t line; /* 0: anywhere in the file */
};

static bool read_wanted(char *text, struct wanted *w)
{
    char *end = NULL, *colon = NULL;

    if (strncmp(text, "- **", 4) != 0 || (end = strstr(text + 4, "** `")) == NULL)
        return false;
    *w = (struct wanted){.severity = text + 4, .file = end + 4};
    *end = '\0';
    end = strchr(end + 4, '`');
    if (end == NULL)
        return false;
    *end = '\0';
    colon = strchr(w->file, ':');
    if (colon != NULL) {
        *colon = '\0';
        w->line = (uint32_t)strtoul(colon + 1, NULL, 10);
    }
    return true;
}

static bool at(const struct case_finding *f, const struct wanted *w)
{
    return strcmp(f->file, w->file) == 0 && (w->line == 0 || f->line == w->line);
}

struct expect {
    struct plumb_arena *arena;
    struct wanted *items;
    size_t count, cap;
    const char *release;
};

static struct expect read_expect(struct plumb_arena *a, const char *folder)
{
    struct expect e = {.arena = a};
    char *text = case_text(a, plumb_arena_printf(a, "%s/expect.md", folder));

    for (char *next = NULL; text != NULL; text = next) {
        struct wanted w;

        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (strncmp(text, "Target: Slurm ", 14) == 0)
            e.release = text + 14;
        if (!read_wanted(text, &w))
            continue;
        e.items = plumb_arena_grow(a, e.items, e.count, &e.cap, sizeof(w));
        e.items[e.count++] = w;
    }
    return e;
}

/* An error where the case names no fault at all would be a false one. */
static size_t false_errors(const char *name, const struct case_findings *found,
                           const struct expect *e)
{
    size_t count = 0;

    for (size_t i = 0; i < found->count; i++) {
        const struct case_finding *f = &found->items[i];
        bool known = f->diag->severity != PLUMB_ERROR;

        for (size_t k = 0; k < e->count && !known; k++)
            known = at(f, &e->items[k]);
        if (known)
            continue;
        count++;
        print_error("%s: false error %s:%u %s: %s\n", name, f->file, f->line, f->diag->rule->code,
                    f->diag->message);
    }
    return count;
}

static size_t hits_of(struct plumb_arena *a, const char *root, size_t *wrong)
{
    struct case_names names = case_list(a, root);
    size_t hits = 0, all = 0;

    for (size_t n = 0; n < names.count; n++) {
        const char *folder = plumb_arena_printf(a, "%s/%s", root, names.items[n]);
        struct expect e = read_expect(a, folder);
        struct case_findings found = {NULL, 0};
        plumb_handle *h = NULL;

        if (e.release == NULL)
            continue;
        h = case_run(folder, e.release, NULL, &found);
        *wrong += false_errors(names.items[n], &found, &e);
        for (size_t k = 0; k < e.count; k++) {
            bool hit = false;

            if (strcmp(e.items[k].severity, "error") != 0 &&
                strcmp(e.items[k].severity, "warning") != 0)
                continue;
            for (size_t i = 0; i < found.count && !hit; i++)
                hit = at(&found.items[i], &e.items[k]) &&
                      strcmp(plumb_severity_name(found.items[i].diag->severity),
                             e.items[k].severity) == 0;
            all++;
            hits += hit;
            if (!hit)
                print_message("%s misses %s %s:%u\n", names.items[n], e.items[k].severity,
                              e.items[k].file, e.items[k].line);
        }
        plumb_close(h);
    }
    print_message("%s: %zu of %zu\n", root, hits, all);
    return hits;
}

static void minimal_faults_are_found_on_their_line(void **state)
{
    struct fixture *fx = *state;
    size_t wrong = 0;
    size_t hits = hits_of(fx->arena, shared(fx->arena, "corpus/cases"), &wrong);

    assert_int_equal(wrong, 0);
    assert_true(hits >= HITS_CASES);
}

static void faults_against_hardware_are_found_on_their_line(void **state)
{
    struct fixture *fx = *state;
    size_t wrong = 0;
    size_t hits = hits_of(fx->arena, shared(fx->arena, "corpus/hw-cases"), &wrong);

    assert_int_equal(wrong, 0);
    assert_true(hits >= HITS_HARDWARE);
}

/*
 * What slurmctld does when it starts, by the findings. Draining is decided when a node
 * registers, which those runs of slurmctld alone did not see.
 */
static enum plumb_effect predicted(const struct case_findings *found)
{
    enum plumb_effect worst = PLUMB_EFFECT_NONE;

    for (size_t i = 0; i < found->count; i++) {
        const struct plumb_diag *d = found->items[i].diag;

        /* Said once the database has answered, and those runs had none. */
        if (strcmp(d->rule->code, "ACCT014") == 0)
            continue;
        if ((d->daemons & PLUMB_SLURMCTLD) != 0 &&
            (d->effect == PLUMB_EFFECT_COMPLAINS || d->effect == PLUMB_EFFECT_STOPS) &&
            d->effect > worst)
            worst = d->effect;
    }
    return worst;
}

/* One line of verdicts.tsv: set, release, slurmctld. 1 when worse is predicted than happened. */
static size_t worse_than(struct plumb_arena *a, const char *root, char *line)
{
    char *set = line, *release = strchr(line, '\t'), *verdict = NULL, *rest = NULL;
    struct case_findings found = {NULL, 0};
    enum plumb_effect effect;
    plumb_handle *h = NULL;
    bool accepted, complaint;

    if (release == NULL || (verdict = strchr(release + 1, '\t')) == NULL ||
        (rest = strchr(verdict + 1, '\t')) == NULL)
        return 0;
    *release++ = *verdict++ = *rest = '\0';
    accepted = strcmp(verdict, "accepted") == 0;
    complaint = strcmp(verdict, "complaint") == 0;
    if (!accepted && !complaint)
        return 0;
    h = case_run(plumb_arena_printf(a, "%s/%s", root, set), release, NULL, &found);
    effect = predicted(&found);
    plumb_close(h);
    if (effect != PLUMB_EFFECT_STOPS && (complaint || effect == PLUMB_EFFECT_NONE))
        return 0;
    print_error("%s on %s: predicted '%s', real '%s'\n", set, release, plumb_effect_name(effect),
                verdict);
    return 1;
}

static void real_files_are_not_said_to_be_worse_than_they_are(void **state)
{
    static const char *const roots[] = {"corpus/slurm-conf", "corpus/cases"};
    struct fixture *fx = *state;
    size_t wrong = 0;

    for (size_t r = 0; r < PLUMB_COUNT(roots); r++) {
        const char *root = shared(fx->arena, roots[r]);
        char *text = case_text(fx->arena, plumb_arena_printf(fx->arena, "%s/verdicts.tsv", root));

        for (char *next = NULL; text != NULL; text = next) {
            next = strchr(text, '\n');
            if (next != NULL)
                *next++ = '\0';
            wrong += worse_than(fx->arena, root, text);
        }
    }
    assert_int_equal(wrong, 0);
}

/* What becomes of the nodes: the worst that a finding tells. A node is out either way. */
enum fate { FATE_UP, FATE_OUT, FATE_NO_CONTROLLER };

static enum fate predicted_fate(const struct case_findings *found)
{
    enum fate fate = FATE_UP;

    for (size_t i = 0; i < found->count; i++) {
        const struct plumb_diag *d = found->items[i].diag;

        if (d->effect == PLUMB_EFFECT_STOPS && (d->daemons & PLUMB_SLURMCTLD) != 0)
            return FATE_NO_CONTROLLER;
        if (d->effect == PLUMB_EFFECT_DRAINS ||
            (d->effect == PLUMB_EFFECT_STOPS && (d->daemons & PLUMB_SLURMD) != 0))
            fate = FATE_OUT;
    }
    return fate;
}

static enum fate real_fate(const char *line)
{
    if (strstr(line, "slurmctld refused") != NULL)
        return FATE_NO_CONTROLLER;
    return strstr(line, "drained") != NULL || strstr(line, "never registered") != NULL ? FATE_OUT
                                                                                       : FATE_UP;
}

/* "24.11: slurmctld accepted; node drained, ..." */
static size_t agreements(struct plumb_arena *a, const char *folder, size_t *all)
{
    char *text = case_text(a, plumb_arena_printf(a, "%s/verdict.txt", folder));
    size_t count = 0;

    for (char *next = NULL; text != NULL; text = next) {
        struct case_findings found = {NULL, 0};
        plumb_handle *h = NULL;
        bool same;

        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (strlen(text) < 7 || text[2] != '.' || text[5] != ':')
            continue;
        h = case_run(folder, plumb_arena_strndup(a, text, 5), NULL, &found);
        same = predicted_fate(&found) == real_fate(text);
        plumb_close(h);
        if (!same)
            print_message("%s: otherwise than %s\n", folder, text);
        count += same;
        ++*all;
    }
    return count;
}

static void nodes_fare_as_predicted_on_captured_hardware(void **state)
{
    struct fixture *fx = *state;
    const char *root = shared(fx->arena, "corpus/hw-cases");
    struct case_names names = case_list(fx->arena, root);
    size_t count = 0, all = 0;

    for (size_t i = 0; i < names.count; i++)
        count += agreements(fx->arena, plumb_arena_printf(fx->arena, "%s/%s", root, names.items[i]),
                            &all);
    print_message("%zu of %zu verdicts\n", count, all);
    assert_true(count >= VERDICTS_HARDWARE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(minimal_faults_are_found_on_their_line, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(faults_against_hardware_are_found_on_their_line, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(nodes_fare_as_predicted_on_captured_hardware, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(real_files_are_not_said_to_be_worse_than_they_are, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}
