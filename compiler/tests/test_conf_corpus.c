/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real configuration sets against what real daemons said of them: where slurmctld reports a
 * parse error, so do we, at that line; where it starts, no syntax finding says that it stops.
 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "conf/conf.h"
#include "passes/pass.h"

static const char parse_error[] = "ctld error: Parse error in file /etc/slurm/";
/* An absolute path elsewhere may name a file that the corpus keeps beside slurm.conf. */
static const char no_file[] = "cannot stat file /etc/slurm/";

/* One line of verdicts.tsv. */
struct verdict {
    const char *set, *release, *slurmctld, *messages;
};

static bool next_verdict(char **text, struct verdict *v)
{
    const char **columns[] = {&v->set, &v->release, &v->slurmctld, NULL, &v->messages};
    char *line = *text, *end = strchr(line, '\n');

    if (end == NULL)
        return false;
    *end = '\0';
    *text = end + 1;
    for (size_t i = 0; i < PLUMB_COUNT(columns); i++) {
        char *tab = strchr(line, '\t');

        if (columns[i] != NULL)
            *columns[i] = line;
        if (tab == NULL)
            return i + 1 == PLUMB_COUNT(columns);
        *tab = '\0';
        line = tab + 1;
    }
    return true;
}

static struct plumb_run *read_set(struct fixture *fx, const char *folder,
                                  enum plumb_release release)
{
    struct plumb_run *r = PLUMB_NEW(fx->arena, struct plumb_run);

    r->session = &fx->session;
    r->forced_release = release;
    r->inputs = PLUMB_NEW_ARRAY(fx->arena, PLUMB_FILE_COUNT, struct plumb_input);
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        struct plumb_input *in = &r->inputs[r->input_count];

        in->path = in->shown =
            plumb_arena_printf(fx->arena, "%s/%s", folder, plumb_file_name((enum plumb_file)f));
        in->kind = PLUMB_KIND_CONF;
        in->conf_file = (enum plumb_file)f;
        if (plumb_source_load(&fx->session.sources, in->path, NULL, &in->src) == PLUMB_OK)
            r->input_count++;
    }
    plumb_pass_read_conf(r);
    plumb_pass_check_conf(r);
    plumb_pass_lift(r);
    plumb_pass_type_values(r);
    return r;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* An error in that file at that line. */
static bool has_error_at(struct fixture *fx, const char *name, size_t name_len, uint64_t line)
{
    const struct plumb_sink *sink = &fx->session.sink;

    for (size_t i = 0; i < sink->count; i++) {
        struct plumb_place p = plumb_source_place(&fx->session.sources, sink->items[i]->at);
        const char *base = base_name(p.path);

        if (sink->items[i]->severity == PLUMB_ERROR && p.line == line && strlen(base) == name_len &&
            memcmp(base, name, name_len) == 0)
            return true;
    }
    return false;
}

static size_t check_parse_errors(struct fixture *fx, const struct verdict *v)
{
    size_t count = 0;
    const char *at = v->messages;

    while ((at = strstr(at, parse_error)) != NULL) {
        const char *name = at + sizeof(parse_error) - 1;
        const char *line = strstr(name, " line ");
        uint64_t number = 0;

        assert_non_null(line);
        (void)plumb_read_digits(line + 6, strlen(line + 6), &number);
        if (!has_error_at(fx, name, (size_t)(line - name), number))
            fail_msg("%s %s: slurmctld has a parse error in %.*s line %ju, nothing is reported",
                     v->set, v->release, (int)(line - name), name, (uintmax_t)number);
        at = line;
        count++;
    }
    return count;
}

static bool is_syntax(const struct plumb_diag *d)
{
    return strcmp(d->rule->code, "CONF030") >= 0 && strcmp(d->rule->code, "CONF059") <= 0;
}

static void check_starts(struct fixture *fx, const struct verdict *v)
{
    for (size_t i = 0; i < fx->session.sink.count; i++) {
        const struct plumb_diag *d = fx->session.sink.items[i];

        if (is_syntax(d) && d->effect == PLUMB_EFFECT_STOPS && (d->daemons & PLUMB_SLURMCTLD) != 0)
            fail_msg("%s %s: slurmctld starts, but %s: %s", v->set, v->release, d->rule->code,
                     d->message);
    }
}

static void check_missing_include(struct fixture *fx, const struct verdict *v)
{
    if (strstr(v->messages, no_file) == NULL)
        return;
    for (size_t i = 0; i < fx->session.sink.count; i++) {
        if (strcmp(fx->session.sink.items[i]->rule->code, "CONF040") == 0)
            return;
    }
    fail_msg("%s %s: slurmctld waits for a file, no Include is reported", v->set, v->release);
}

static bool starts(const struct verdict *v)
{
    return strcmp(v->slurmctld, "accepted") == 0 || strcmp(v->slurmctld, "complaint") == 0;
}

/* Each verdict in a session of its own, so that memory stays small. */
static size_t check_verdict(const char *corpus, const struct verdict *v)
{
    void *state = NULL;
    size_t errors = 0;
    enum plumb_release release = plumb_release_read(v->release, strlen(v->release));

    assert_int_not_equal(release, PLUMB_RELEASE_NONE);
    fx_setup(&state);

    struct fixture *fx = state;

    (void)read_set(fx, plumb_arena_printf(fx->arena, "%s/%s", corpus, v->set), release);
    errors = check_parse_errors(fx, v);
    check_missing_include(fx, v);
    if (starts(v))
        check_starts(fx, v);
    fx_teardown(&state);
    return errors;
}

static size_t check_corpus(struct fixture *fx, const char *corpus, size_t *errors)
{
    struct plumb_source *src = NULL;
    struct verdict v = {0};
    size_t count = 0;
    char *text = NULL;

    if (plumb_source_load(&fx->session.sources,
                          plumb_arena_printf(fx->arena, "%s/verdicts.tsv", corpus), NULL,
                          &src) != PLUMB_OK)
        return 0;
    text = plumb_arena_strndup(fx->arena, src->bytes, src->len);
    (void)next_verdict(&text, &v); /* the heading */
    for (; next_verdict(&text, &v); count++)
        *errors += check_verdict(corpus, &v);
    return count;
}

static void syntax_verdicts_are_those_of_the_daemons(void **state)
{
    struct fixture *fx = *state;
    size_t errors = 0;
    size_t count = check_corpus(fx, fx_shared(fx->arena, "corpus/slurm-conf"), &errors);

    count += check_corpus(fx, fx_shared(fx->arena, "corpus/cases"), &errors);
    if (count == 0) {
        print_message("no corpus at %s: skipped\n", fx_shared(fx->arena, "corpus"));
        skip();
    }
    print_message("%zu verdicts, %zu parse errors\n", count, errors);
    assert_true(count > 1000 && errors >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(syntax_verdicts_are_those_of_the_daemons, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/corpus", tests, NULL, NULL);
}
