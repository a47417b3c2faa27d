/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases of the rules, testdata/rules/<CODE>/: fires_<what> and quiet_<what>, each a
 * specification (.yaml) or a folder of Slurm files and captures. What must be reported stands on
 * its line, behind "#!":
 *
 *     Count=4 File=/dev/nvidia[0-7]  #! GRES012 error @7: expected the same
 *
 * with the column after the at sign and, if wanted, the effect: "error/stops". "#! slurm 22.05"
 * chooses the release, "#! user alice" says who submits the job scripts (*.sbatch) of the case.
 * Files without comments are described by the file "expect" of the folder: "path:line:column
 * severity CODE: text". Anything else that is reported fails the case.
 */
#include <unistd.h>

#include "base/num.h"
#include "base/text.h"
#include "case_run.h"
#include "rules/check.h"

#define CASES PLUMB_SOURCE_DIR "/testdata/rules"

struct expectation {
    const char *file; /* relative to the case */
    uint32_t line, column;
    const char *code, *severity, *effect; /* effect: NULL, any */
    const char *text;
    bool met;
};

struct expected {
    struct plumb_arena *arena;
    struct expectation *items;
    size_t count, cap;
    const char *release; /* NULL: the default */
    const char *user;    /* who submits job scripts; NULL: not told */
};

static void add(struct expected *e, struct expectation one)
{
    e->items = plumb_arena_grow(e->arena, e->items, e->count, &e->cap, sizeof(one));
    e->items[e->count++] = one;
}

/* The next word, and what follows it without blanks. */
static const char *word(struct plumb_arena *a, const char **rest)
{
    const char *start = *rest + strspn(*rest, " \t");
    size_t len = strcspn(start, " \t");

    *rest = start + len + strspn(start + len, " \t");
    return plumb_arena_strndup(a, start, len);
}

static uint32_t number(const char *text)
{
    uint64_t v = 0;

    (void)plumb_read_digits(text, strlen(text), &v);
    return (uint32_t)v;
}

/* "GRES012 error/stops @7: text", or "slurm 22.05". */
static void read_mark(struct expected *e, const char *file, uint32_t line, const char *mark)
{
    const char *rest = mark;
    const char *code = word(e->arena, &rest);
    char *severity = NULL, *slash = NULL;
    const char *at = NULL;

    if (strcmp(code, "slurm") == 0) {
        e->release = word(e->arena, &rest);
        return;
    }
    if (strcmp(code, "user") == 0) {
        e->user = word(e->arena, &rest);
        return;
    }
    if (code[0] == '/') /* the interpreter of a script */
        return;
    severity = plumb_arena_strdup(e->arena, word(e->arena, &rest));
    slash = strchr(severity, '/');
    if (slash != NULL)
        *slash = '\0';
    at = word(e->arena, &rest);
    if (at[0] != '@')
        fail_msg("%s:%u: expected '#! CODE severity @COLUMN: text', found '%s'", file, line, mark);
    add(e, (struct expectation){
               .file = file,
               .line = line,
               .column = number(at + 1),
               .code = code,
               .severity = severity,
               .effect = slash == NULL ? NULL : slash + 1,
               .text = rest,
           });
}

static void read_marks(struct expected *e, const char *file, char *text)
{
    uint32_t line = 1;

    for (char *next = NULL; text != NULL; text = next, line++) {
        char *mark = NULL;

        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        for (mark = strstr(text, "#!"); mark != NULL;) {
            char *following = strstr(mark + 2, "#!");
            size_t len = following == NULL ? strlen(mark + 2) : (size_t)(following - mark - 2);

            while (len > 0 && plumb_is_blank(mark[2 + len - 1]))
                len--;
            read_mark(e, file, line, plumb_arena_strndup(e->arena, mark + 2, len));
            mark = following;
        }
    }
}

/* "path:line:column severity CODE: text"; the text may be left out */
static void read_expect(struct expected *e, char *text)
{
    for (char *next = NULL; text != NULL; text = next) {
        const char *rest = text;
        struct expectation one = {0};
        char *place, *colon;
        size_t code = 0;

        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (text[0] == '\0')
            continue;
        place = plumb_arena_strdup(e->arena, word(e->arena, &rest));
        colon = strchr(place, ':');
        assert_non_null(colon);
        *colon = '\0';
        one.file = place;
        one.line = number(colon + 1);
        one.column = number(strchr(colon + 1, ':') + 1);
        one.severity = word(e->arena, &rest);
        code = strcspn(rest, ":");
        one.code = plumb_arena_strndup(e->arena, rest, code);
        rest += code;
        one.text = strncmp(rest, ": ", 2) == 0 ? rest + 2 : rest + strlen(rest);
        add(e, one);
    }
}

static void read_folder(struct expected *e, const char *root, const char *below)
{
    struct case_names names =
        case_list(e->arena, plumb_arena_printf(e->arena, "%s/%s", root, below));

    for (size_t i = 0; i < names.count; i++) {
        const char *name = below[0] == '\0'
                               ? names.items[i]
                               : plumb_arena_printf(e->arena, "%s/%s", below, names.items[i]);
        const char *path = plumb_arena_printf(e->arena, "%s/%s", root, name);

        if (case_is_folder(path))
            read_folder(e, root, name);
        else if (strcmp(name, "expect") == 0)
            read_expect(e, case_text(e->arena, path));
        else
            read_marks(e, name, case_text(e->arena, path));
    }
}

static bool meets(const struct case_finding *f, const struct expectation *e)
{
    return strcmp(f->file, e->file) == 0 && f->line == e->line && f->column == e->column &&
           strcmp(f->diag->rule->code, e->code) == 0 &&
           strcmp(plumb_severity_name(f->diag->severity), e->severity) == 0 &&
           (e->effect == NULL || strcmp(plumb_effect_name(f->diag->effect), e->effect) == 0) &&
           strstr(f->diag->message, e->text) != NULL;
}

/* Pairs findings and expectations, and says what is left over. */
static size_t compare(const char *name, struct case_findings *found, struct expected *e)
{
    size_t faults = 0;

    for (size_t i = 0; i < found->count; i++) {
        for (size_t k = 0; k < e->count && !found->items[i].met; k++) {
            if (e->items[k].met || !meets(&found->items[i], &e->items[k]))
                continue;
            e->items[k].met = found->items[i].met = true;
        }
    }
    for (size_t i = 0; i < found->count; i++) {
        const struct case_finding *f = &found->items[i];

        if (f->met)
            continue;
        faults++;
        print_error("%s: unexpected %s:%u:%u %s/%s %s: %s\n", name, f->file, f->line, f->column,
                    plumb_severity_name(f->diag->severity), plumb_effect_name(f->diag->effect),
                    f->diag->rule->code, f->diag->message);
    }
    for (size_t k = 0; k < e->count; k++) {
        const struct expectation *x = &e->items[k];

        if (x->met)
            continue;
        faults++;
        print_error("%s: missing %s:%u:%u %s %s: %s\n", name, x->file, x->line, x->column,
                    x->severity, x->code, x->text);
    }
    return faults;
}

/* A case that fires names its rule; a quiet one does not. */
static size_t check_kind(const char *code, const char *name, const struct expected *e)
{
    bool fires = strncmp(name, "fires_", 6) == 0, named = false;

    if (!fires && strncmp(name, "quiet_", 6) != 0) {
        print_error("%s/%s: a case begins with fires_ or quiet_\n", code, name);
        return 1;
    }
    for (size_t k = 0; k < e->count; k++)
        named = named || strcmp(e->items[k].code, code) == 0;
    if (named == fires)
        return 0;
    print_error("%s/%s: %s\n", code, name,
                fires ? "expects no finding of its rule" : "expects a finding of its rule");
    return 1;
}

/* SEC001 is about the mode of a file, which a checkout does not keep: it has a test of its own. */
#define OWN_TEST "SEC001"

static size_t run_case(struct plumb_arena *a, const char *code, const char *name)
{
    const char *path = plumb_arena_printf(a, CASES "/%s/%s", code, name);
    struct expected e = {.arena = a};
    struct case_findings found = {NULL, 0};
    plumb_handle *h = NULL;
    size_t faults = 0;

    if (case_is_folder(path))
        read_folder(&e, path, "");
    else
        read_marks(&e, "", case_text(a, path));
    h = case_run_as(path, e.release, OWN_TEST, e.user, &found);
    faults = check_kind(code, name, &e) +
             compare(plumb_arena_printf(a, "%s/%s", code, name), &found, &e);
    plumb_close(h);
    return faults;
}

static void every_case_reports_what_it_expects(void **state)
{
    struct fixture *fx = *state;
    struct case_names codes = case_list(fx->arena, CASES);
    const char *only = getenv("PLUMB_CASES"); /* a prefix of codes, for people */
    size_t faults = 0, count = 0;

    for (size_t i = 0; i < codes.count; i++) {
        struct case_names names =
            case_list(fx->arena, plumb_arena_printf(fx->arena, CASES "/%s", codes.items[i]));

        if (only != NULL && strncmp(codes.items[i], only, strlen(only)) != 0)
            continue;
        for (size_t k = 0; k < names.count; k++, count++)
            faults += run_case(fx->arena, codes.items[i], names.items[k]);
    }
    print_message("%zu cases\n", count);
    assert_int_not_equal(count, 0);
    assert_int_equal(faults, 0);
}

static void every_rule_fires_and_keeps_quiet_somewhere(void **state)
{
    struct fixture *fx = *state;
    size_t faults = 0;

    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        for (size_t i = 0; i < plumb_rule_families[f]->count; i++) {
            const struct plumb_rule *rule = &plumb_rule_families[f]->rules[i];
            struct case_names names =
                case_list(fx->arena, plumb_arena_printf(fx->arena, CASES "/%s", rule->code));
            bool fires = false, quiet = false;

            for (size_t k = 0; k < names.count; k++) {
                fires = fires || strncmp(names.items[k], "fires_", 6) == 0;
                quiet = quiet || strncmp(names.items[k], "quiet_", 6) == 0;
            }
            if (rule->run == NULL || (fires && quiet) || strcmp(rule->code, OWN_TEST) == 0)
                continue;
            faults++;
            print_error("%s lacks a case that %s\n", rule->code, fires ? "is quiet" : "fires");
        }
    }
    assert_int_equal(faults, 0);
}

/* Writes a slurmdbd.conf with a mode into a fresh folder and counts the findings of SEC001. */
static size_t mode_findings(struct plumb_arena *a, mode_t mode, const char *release,
                            enum plumb_severity *severity)
{
    char folder[] = "/tmp/plumb-mode-XXXXXX";
    struct case_findings found = {NULL, 0};
    const char *path = NULL;
    plumb_handle *h = NULL;
    FILE *f = NULL;
    size_t count = 0;

    assert_non_null(mkdtemp(folder));
    path = plumb_arena_printf(a, "%s/slurmdbd.conf", folder);
    f = fopen(path, "wb");
    assert_non_null(f);
    fputs("DbdHost=db\nStorageType=accounting_storage/mysql\nStoragePass=x\n", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(path, mode), 0);
    h = case_run(path, release, NULL, &found);
    for (size_t i = 0; i < found.count; i++) {
        if (strcmp(found.items[i].diag->rule->code, OWN_TEST) != 0)
            continue;
        count++;
        *severity = found.items[i].diag->severity;
    }
    plumb_close(h);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
    return count;
}

static void the_mode_of_slurmdbd_conf_counts(void **state)
{
    static const struct {
        mode_t mode;
        const char *release;
        size_t count;
        enum plumb_severity severity;
    } rows[] = {
        {0600, "22.05", 0, PLUMB_INFO},    {0644, "22.05", 1, PLUMB_WARNING},
        {0640, "25.05", 1, PLUMB_WARNING}, {0640, "25.11", 0, PLUMB_INFO},
        {0400, "26.05", 1, PLUMB_INFO},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        enum plumb_severity severity = PLUMB_INFO;

        fx_row(fx, i, rows[i].release);
        assert_int_equal(mode_findings(fx->arena, rows[i].mode, rows[i].release, &severity),
                         rows[i].count);
        assert_int_equal(severity, rows[i].severity);
    }
}

/* Kebab case: words of lower-case letters and digits, joined by single dashes. */
static bool is_kebab(const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < len; i++) {
        bool letter = (name[i] >= 'a' && name[i] <= 'z') || plumb_is_digit(name[i]);

        if (!letter && (name[i] != '-' || i == 0 || i + 1 == len || name[i + 1] == '-'))
            return false;
    }
    return len > 0;
}

static bool is_code(const char *code, const char *prefix)
{
    size_t len = strlen(prefix);

    return strncmp(code, prefix, len) == 0 && strlen(code) == len + 3 &&
           plumb_is_digit(code[len]) && plumb_is_digit(code[len + 1]) &&
           plumb_is_digit(code[len + 2]);
}

static void rows_are_complete_and_codes_are_unique(void **state)
{
    struct fixture *fx = *state;
    struct plumb_map seen = plumb_map_in(fx->arena);

    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        const struct plumb_rule_family *family = plumb_rule_families[f];

        assert_non_null(family->title);
        for (size_t i = 0; i < family->count; i++) {
            const struct plumb_rule *r = &family->rules[i];

            fx_row(fx, i, r->code);
            if (!is_code(r->code, family->prefix) || !is_kebab(r->name))
                fail_msg("%s %s: not well-formed", r->code, r->name);
            if (plumb_map_get(&seen, r->code) != NULL || plumb_map_get(&seen, r->name) != NULL)
                fail_msg("%s %s: used twice", r->code, r->name);
            if (r->summary == NULL || r->why == NULL || r->ref == NULL)
                fail_msg("%s: lacks a summary, a reason or a reference", r->code);
            if (r->effect != PLUMB_EFFECT_NONE && r->daemons == 0)
                fail_msg("%s: an effect of nobody", r->code);
            plumb_map_set(&seen, r->code, fx);
            plumb_map_set(&seen, r->name, fx);
        }
    }
}

static void rules_are_found_by_code_and_by_name(void **state)
{
    (void)state;
    assert_string_equal(plumb_rule_find("gres003")->name, "gpu-count");
    assert_string_equal(plumb_rule_find("gpu-count")->code, "GRES003");
    assert_null(plumb_rule_find("GRES999"));
    assert_string_equal(plumb_rule_suggest("gpu-cuont"), "gpu-count");
    assert_null(plumb_rule_suggest("nothing-like-it-at-all"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_complete_and_codes_are_unique, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(rules_are_found_by_code_and_by_name, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_mode_of_slurmdbd_conf_counts, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_case_reports_what_it_expects, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_rule_fires_and_keeps_quiet_somewhere, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
