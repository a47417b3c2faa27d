/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every check that Slurm's daemons make is a row of the parameter table, a rule, or told in
 * doc/rules/not-checked.md: catalogue.tsv says which, and what it names is there. The list of
 * checks is among the shared facts; without them only the names are looked up.
 *
 * testdata/catalogue/ proves what catalogue.tsv says, check by check:
 *
 *     = S051 24.11 26.05             the checks that this is about, the releases that do so
 *     - SelectTypeParameters         a line of the base is left out
 *     MaxNodeCount=70000  #! CONF011 error/stops 70000
 *     @ gres.conf                    what follows stands in that file
 *
 * Lines stand in slurm.conf, in a sound base (base_lines); they replace lines of it with the same
 * key. A mark tells what is reported at which text ("*": any) of its line; on the line of the
 * checks, what is reported about an absence. Whatever else is reported is a fault. A check may be
 * proved by a case of its rule, "= S385 NUMA002/fires_...", or by a test of its own:
 * "= S450 compiler/tests/test_cases.c:SEC001".
 */
#include <unistd.h>

#include "base/text.h"
#include "case_run.h"
#include "rules/check.h"
#include "schema/param.h"

#define PROOFS PLUMB_SOURCE_DIR "/testdata/catalogue"

struct entry {
    const char *id, *how, *where;
    bool proved;
};

struct catalogue {
    struct entry *items;
    size_t count, cap;
};

/* Cuts a line at its tabs; false when it has fewer than three columns. */
static bool cut(char *line, struct entry *e)
{
    char *how = strchr(line, '\t'), *where = how == NULL ? NULL : strchr(how + 1, '\t');

    if (where == NULL)
        return false;
    *how++ = *where++ = '\0';
    *e = (struct entry){.id = line, .how = how, .where = where};
    return true;
}

/* The next line of a text, which is cut off it; NULL behind the last one. */
static char *next_line(char **rest)
{
    char *line = *rest, *end = line == NULL ? NULL : strchr(line, '\n');

    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL)
        *end = '\0';
    return line;
}

static struct catalogue read_catalogue(struct plumb_arena *a)
{
    struct catalogue c = {NULL, 0, 0};
    char *text = case_text(a, PLUMB_SOURCE_DIR "/compiler/tests/catalogue.tsv"), *line = NULL;

    assert_non_null(text);
    while ((line = next_line(&text)) != NULL) {
        struct entry e;

        if (line[0] != 'S')
            continue;
        if (!cut(line, &e))
            fail_msg("'%s' has no three columns", line);
        c.items = plumb_arena_grow(a, c.items, c.count, &c.cap, sizeof(e));
        c.items[c.count++] = e;
    }
    return c;
}

static struct entry *find_entry(const struct catalogue *c, const char *id)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->items[i].id, id) == 0)
            return &c->items[i];
    }
    return NULL;
}

static bool is_there(struct plumb_arena *a, const char *page, const struct entry *e)
{
    if (strcmp(e->how, "rule") == 0)
        return plumb_rule_find(e->where) != NULL;
    if (strcmp(e->how, "table") == 0)
        return plumb_param_elsewhere(NULL, e->where, strlen(e->where), NULL) != NULL;
    return strcmp(e->how, "not-checked") == 0 &&
           strstr(page, plumb_arena_printf(a, "\n## %s\n", e->where)) != NULL;
}

static void what_the_catalogue_names_is_there(void **state)
{
    struct fixture *fx = *state;
    struct catalogue c = read_catalogue(fx->arena);
    char *page = case_text(fx->arena, PLUMB_SOURCE_DIR "/doc/rules/not-checked.md");
    size_t wrong = 0;

    assert_non_null(page);
    assert_true(c.count > 0);
    for (size_t i = 0; i < c.count; i++) {
        if (is_there(fx->arena, page, &c.items[i]))
            continue;
        wrong++;
        print_error("%s: there is no %s '%s'\n", c.items[i].id, c.items[i].how, c.items[i].where);
    }
    assert_int_equal(wrong, 0);
}

static void every_check_of_the_daemons_is_in_the_catalogue(void **state)
{
    struct fixture *fx = *state;
    char *text = case_text(fx->arena, fx_shared(fx->arena, "facts/slurm/checks.md"));
    struct catalogue c = read_catalogue(fx->arena);
    size_t found = 0, missing = 0;

    if (text == NULL) {
        print_message("the list of checks is not there: skipped\n");
        skip();
    }
    for (char *row = strstr(text, "\n| S"); row != NULL; row = strstr(row + 1, "\n| S")) {
        const char *id = plumb_arena_strndup(fx->arena, row + 3, strcspn(row + 3, " "));

        found++;
        if (find_entry(&c, id) != NULL)
            continue;
        missing++;
        print_error("%s is not in the catalogue\n", id);
    }
    assert_true(found > 0);
    assert_int_equal(missing, 0);
}

/* What a proof stands in, by file. Records come last: a line above may be their DEFAULT. */
static const struct {
    const char *file, *line;
    bool record;
} base_lines[] = {
    {"slurm.conf", "ClusterName=c", false},
    {"slurm.conf", "SlurmctldHost=ctl", false},
    {"slurm.conf", "SlurmUser=slurm", false},
    {"slurm.conf", "StateSaveLocation=/var/spool/slurmctld", false},
    {"slurm.conf", "SlurmdSpoolDir=/var/spool/slurmd", false},
    {"slurm.conf", "SelectType=select/cons_tres", false},
    {"slurm.conf", "SelectTypeParameters=CR_Core", false},
    {"slurmdbd.conf", "DbdHost=db", false},
    {"slurmdbd.conf", "SlurmUser=slurm", false},
    {"slurmdbd.conf", "StorageType=accounting_storage/mysql", false},
    {"slurm.conf", "NodeName=n[1-4] CPUs=4", true},
    {"slurm.conf", "PartitionName=p Nodes=ALL Default=YES", true},
};

struct mark {
    const char *file; /* NULL: an absence */
    uint32_t line;
    const char *code, *severity, *effect, *text;
    bool met;
};

struct proof_file {
    const char *name;
    struct plumb_buf text;
    uint32_t lines;
};

/* One proof: its lines as they were read, then as files. */
struct proof {
    struct plumb_arena *arena;
    const char *head; /* the line of the checks, without the sign and the mark */
    char *lines[64];  /* as written, marks included */
    size_t line_count;
    struct mark marks[64];
    size_t mark_count;
    struct proof_file files[6];
    size_t file_count;
    const char *folder;
};

static const char *word(struct plumb_arena *a, const char **rest)
{
    const char *start = *rest + strspn(*rest, " \t");
    size_t len = strcspn(start, " \t");

    *rest = start + len + strspn(start + len, " \t");
    return plumb_arena_strndup(a, start, len);
}

static void trim(char *line)
{
    size_t len = strlen(line);

    while (len > 0 && plumb_is_blank(line[len - 1]))
        line[--len] = '\0';
}

/* Takes the marks off a line. */
static void take_marks(struct proof *p, char *line, const char *file, uint32_t number)
{
    char *mark = strstr(line, "#!");

    while (mark != NULL) {
        char *next = strstr(mark + 2, "#!");
        const char *rest = mark + 2;
        struct mark *m = &p->marks[p->mark_count++];

        *mark = '\0';
        if (next != NULL)
            *next = '\0';
        trim(mark + 2);
        assert_true(p->mark_count < PLUMB_COUNT(p->marks));
        *m = (struct mark){.file = file, .line = number, .code = word(p->arena, &rest)};

        char *severity = plumb_arena_strdup(p->arena, word(p->arena, &rest));
        char *slash = strchr(severity, '/');

        if (slash == NULL)
            fail_msg("%s: expected '#! CODE severity/effect text'", p->head);
        *slash = '\0';
        m->severity = severity;
        m->effect = slash + 1;
        m->text = plumb_arena_strdup(p->arena, rest);
        if (next != NULL)
            *next = '#';
        mark = next;
    }
    trim(line);
}

static struct proof_file *file_of(struct proof *p, const char *name)
{
    for (size_t i = 0; i < p->file_count; i++) {
        if (strcmp(p->files[i].name, name) == 0)
            return &p->files[i];
    }
    assert_true(p->file_count < PLUMB_COUNT(p->files));
    p->files[p->file_count] =
        (struct proof_file){.name = name, .text = plumb_buf_in(p->arena), .lines = 0};
    return &p->files[p->file_count++];
}

static void add_line(struct proof *p, const char *file, const char *line)
{
    struct proof_file *f = file_of(p, file);

    plumb_buf_printf(&f->text, "%s\n", line);
    f->lines++;
}

/* A line of the proof has the key, or "- KEY" leaves it out. */
static bool replaces(const struct proof *p, const char *file, const char *base)
{
    size_t len = strcspn(base, "=");
    const char *now = "slurm.conf";

    for (size_t i = 0; i < p->line_count; i++) {
        const char *line = p->lines[i];

        if (line[0] == '@')
            now = line + 2;
        if (strcmp(now, file) != 0)
            continue;
        line += line[0] == '-' ? 2 : 0;
        if (strlen(line) >= len && plumb_equal_nocase(line, base, len) &&
            strchr("= \t", line[len]) != NULL)
            return true;
    }
    return false;
}

static bool is_used(const struct proof *p, const char *file)
{
    for (size_t i = 0; i < p->line_count; i++) {
        if (p->lines[i][0] == '@' && strcmp(p->lines[i] + 2, file) == 0)
            return true;
    }
    return strcmp(file, "slurm.conf") == 0;
}

static void add_base(struct proof *p, bool records)
{
    for (size_t i = 0; i < PLUMB_COUNT(base_lines); i++) {
        const char *file = base_lines[i].file;

        if (base_lines[i].record == records && is_used(p, file) &&
            !replaces(p, file, base_lines[i].line))
            add_line(p, file, base_lines[i].line);
    }
}

static void compose(struct proof *p)
{
    const char *file = "slurm.conf";

    for (size_t i = 0; i < p->line_count; i++)
        trim(p->lines[i]);
    add_base(p, false);
    for (size_t i = 0; i < p->line_count; i++) {
        char *line = p->lines[i];

        if (line[0] == '@') {
            file = line + 2;
            (void)file_of(p, file);
            continue;
        }
        if (line[0] == '-')
            continue;
        take_marks(p, line, file, file_of(p, file)->lines + 1);
        add_line(p, file, line);
    }
    add_base(p, true);
}

/* Puts the files of a proof into a fresh folder: what they include is looked for there. */
static void put_files(struct proof *p)
{
    char folder[] = "/tmp/plumb-proof-XXXXXX";

    assert_non_null(mkdtemp(folder));
    p->folder = plumb_arena_strdup(p->arena, folder);
    for (size_t i = 0; i < p->file_count; i++) {
        const char *path = plumb_arena_printf(p->arena, "%s/%s", folder, p->files[i].name);
        FILE *f = fopen(path, "wb");

        assert_non_null(f);
        fputs(plumb_buf_text(&p->files[i].text), f);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(chmod(path, 0600), 0); /* slurmdbd asks for it */
    }
}

static void remove_files(const struct proof *p)
{
    for (size_t i = 0; i < p->file_count; i++)
        assert_int_equal(remove(plumb_arena_printf(p->arena, "%s/%s", p->folder, p->files[i].name)),
                         0);
    assert_int_equal(rmdir(p->folder), 0);
}

static const char *in_folder(const struct proof *p, const char *path)
{
    size_t len = strlen(p->folder);

    return strncmp(path, p->folder, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}

static bool meets(const plumb_handle *h, const struct proof *p, const struct plumb_diag *d,
                  const struct mark *m)
{
    const struct plumb_source *src = NULL;
    struct plumb_place place;
    size_t len = strlen(m->text);

    if (m->met || strcmp(d->rule->code, m->code) != 0 ||
        strcmp(plumb_severity_name(d->severity), m->severity) != 0 ||
        strcmp(plumb_effect_name(d->effect), m->effect) != 0)
        return false;
    if (m->file == NULL)
        return d->at.begin == 0;
    if (!plumb_span_known(d->at))
        return false;
    place = plumb_source_place(&h->session.sources, d->at);
    src = plumb_source_get(&h->session.sources, d->at.file);
    return strcmp(in_folder(p, place.path), m->file) == 0 && place.line == m->line &&
           (strcmp(m->text, "*") == 0 || (d->at.end - d->at.begin == len &&
                                          memcmp(src->bytes + d->at.begin, m->text, len) == 0));
}

/* The faults of a proof at one release. */
static size_t run(struct proof *p, const char *release)
{
    struct plumb_options options = {.slurm = release};
    plumb_handle *h = plumb_open(&options);
    size_t faults = 0;

    assert_non_null(h);
    assert_true(plumb_add_path(h, p->folder));
    (void)plumb_run_all(h, "never");
    for (size_t k = 0; k < p->mark_count; k++)
        p->marks[k].met = false;
    for (size_t i = 0; i < h->shown_count; i++) {
        const struct plumb_diag *d = h->shown[i];
        struct plumb_place place = {.path = ""};
        bool met = false;

        for (size_t k = 0; k < p->mark_count && !met; k++) {
            met = meets(h, p, d, &p->marks[k]);
            p->marks[k].met = p->marks[k].met || met;
        }
        if (met)
            continue;
        faults++;
        if (plumb_span_known(d->at))
            place = plumb_source_place(&h->session.sources, d->at);
        print_error("%s at %s: unexpected %s:%u:%u %s %s/%s: %s\n", p->head, release,
                    in_folder(p, place.path), place.line, place.column, d->rule->code,
                    plumb_severity_name(d->severity), plumb_effect_name(d->effect), d->message);
    }
    for (size_t k = 0; k < p->mark_count; k++) {
        const struct mark *m = &p->marks[k];

        if (m->met)
            continue;
        faults++;
        print_error("%s at %s: missing %s %s/%s at '%s'\n", p->head, release, m->code, m->severity,
                    m->effect, m->text);
    }
    plumb_close(h);
    return faults;
}

/* A mark says what catalogue.tsv says of the check. */
static bool proves(const struct proof *p, const struct entry *e)
{
    for (size_t k = 0; k < p->mark_count; k++) {
        if (strcmp(e->how, "rule") == 0 ? strcmp(p->marks[k].code, e->where) == 0
                                        : strncmp(p->marks[k].code, "CONF", 4) == 0)
            return true;
    }
    return false;
}

/* A line of the proof has the parameter that the row of the catalogue names. */
static bool is_about(const struct proof *p, const struct entry *e)
{
    for (size_t i = 0; i < p->line_count; i++) {
        for (const char *at = p->lines[i]; *at != '\0'; at++) {
            if (plumb_equal_nocase(at, e->where, strlen(e->where)))
                return true;
        }
    }
    return false;
}

/* A case of a rule, "CODE/case", or a test that names the rule, "FILE:CODE". */
static bool elsewhere(struct proof *p, const char *what)
{
    const char *colon = strchr(what, ':'), *code = colon == NULL ? what : colon + 1;
    const char *path = plumb_arena_printf(
        p->arena, PLUMB_SOURCE_DIR "/%s%.*s", colon == NULL ? "testdata/rules/" : "",
        colon == NULL ? (int)strlen(what) : (int)(colon - what), what);
    const char *text = case_is_folder(path) ? NULL : case_text(p->arena, path);

    code = plumb_arena_strndup(p->arena, code, strcspn(code, "/"));
    p->marks[p->mark_count++] = (struct mark){.code = code};
    return colon == NULL ? case_is_folder(path) || text != NULL
                         : text != NULL && strstr(text, code) != NULL;
}

/* "= S001,S002 22.05 26.05", or "= S385 NUMA002/fires_cut". */
static size_t judge(struct proof *p, struct catalogue *c)
{
    const char *rest = p->head, *ids = word(p->arena, &rest), *id = NULL;
    size_t faults = 0;

    compose(p);
    put_files(p);
    while (rest[0] != '\0') {
        const char *what = word(p->arena, &rest);

        if (strchr(what, '/') == NULL)
            faults += run(p, what);
        else if (!elsewhere(p, what))
            fail_msg("%s: there is no such case", p->head);
    }
    remove_files(p);
    for (; *ids != '\0'; ids += ids[0] == ',') {
        struct entry *e = NULL;

        id = plumb_arena_strndup(p->arena, ids, strcspn(ids, ","));
        ids += strlen(id);
        e = find_entry(c, id);
        if (e == NULL)
            fail_msg("%s: there is no check %s", p->head, id);
        if (strcmp(e->how, "not-checked") == 0)
            e->proved = p->mark_count == 0 || e->proved;
        else if (proves(p, e) && (strcmp(e->how, "rule") == 0 || is_about(p, e)))
            e->proved = true;
    }
    return faults;
}

static size_t judge_file(struct plumb_arena *a, const char *name, struct catalogue *c)
{
    char *text = case_text(a, plumb_arena_printf(a, PROOFS "/%s", name)), *line = NULL;
    struct proof *p = NULL;
    size_t faults = 0;

    assert_non_null(text);
    while ((line = next_line(&text)) != NULL) {
        if (line[0] == '=') {
            faults += p == NULL ? 0 : judge(p, c);
            p = PLUMB_NEW(a, struct proof);
            *p = (struct proof){.arena = a, .head = line + 2};
            take_marks(p, line + 2, NULL, 0);
        } else if (p != NULL && line[0] != '\0') {
            assert_true(p->line_count < PLUMB_COUNT(p->lines));
            p->lines[p->line_count++] = line;
        }
    }
    return faults + (p == NULL ? 0 : judge(p, c));
}

static void every_check_is_proved(void **state)
{
    struct fixture *fx = *state;
    struct catalogue c = read_catalogue(fx->arena);
    struct case_names names = case_list(fx->arena, PROOFS);
    size_t faults = 0, proved = 0;

    assert_true(names.count > 0);
    for (size_t i = 0; i < names.count; i++)
        faults += judge_file(fx->arena, names.items[i], &c);
    for (size_t i = 0; i < c.count; i++) {
        proved += c.items[i].proved;
        if (c.items[i].proved || strcmp(c.items[i].how, "not-checked") == 0)
            continue;
        faults++;
        print_error("%s: no proof that '%s' reports it\n", c.items[i].id, c.items[i].where);
    }
    print_message("%zu of %zu checks proved\n", proved, c.count);
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_the_catalogue_names_is_there, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_check_of_the_daemons_is_in_the_catalogue, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(every_check_is_proved, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
