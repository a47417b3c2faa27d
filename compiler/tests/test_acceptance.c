/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table engine against real daemons: some 400 lines and what three releases of Slurm said
 * about each. A line that the daemons take must get no error; a line that they refuse must
 * get one unless its reason is in the list below, and no entry of the list may be idle.
 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "conf/conf.h"

static const enum plumb_release releases[] = {PLUMB_22_05, PLUMB_24_11, PLUMB_26_05};

enum { VERDICTS = PLUMB_COUNT(releases), COLUMNS = 3 + VERDICTS };

/* Why the table alone cannot know. The longest beginning that fits counts. */
static const struct {
    const char *begins;
    size_t verdicts;
    const char *reason;
} beyond_the_table[] = {
#include "acceptance_rows.h"
};

struct tally {
    size_t lines, refused, found, missed;
    size_t used[PLUMB_COUNT(beyond_the_table)];
};

/* One row of the file, split at tabs. */
struct case_row {
    char *column[COLUMNS];
    enum plumb_file file;
    unsigned daemon;
    const char *text;
};

/* "\n" as two characters joins lines. */
static char *unescape(char *text)
{
    char *out = text;

    for (char *in = text; *in != '\0'; in++, out++) {
        if (in[0] == '\\' && in[1] == 'n') {
            if (out > text && out[-1] == ' ')
                out--;
            *out = '\n';
            in += in[2] == ' ' ? 2 : 1;
        } else {
            *out = *in;
        }
    }
    *out = '\0';
    return text;
}

/* False for rows that are told in words only. */
static bool choose_file(struct case_row *row)
{
    const char *file = row->column[0];
    char *text = row->column[1];

    row->text = text;
    row->daemon = PLUMB_SLURMCTLD;
    if (plumb_starts_with(file, "slurm.conf")) {
        row->file = PLUMB_SLURM_CONF;
        return true;
    }
    if (plumb_starts_with(file, "slurmdbd.conf")) {
        row->file = PLUMB_SLURMDBD_CONF;
        row->daemon = PLUMB_SLURMDBD;
        return true;
    }
    if (!plumb_starts_with(file, "gres.conf"))
        return false;
    row->file = PLUMB_GRES_CONF;
    row->daemon = PLUMB_SLURMD;
    row->text = strrchr(text, '|'); /* name | Gres= of the node | lines of gres.conf */
    if (row->text == NULL || strstr(row->text, "(sample)") != NULL)
        return false;
    row->text += strspn(row->text, "| ");
    return true;
}

static bool split_row(char *line, struct case_row *row)
{
    char *at = line;

    line[strcspn(line, "\n")] = '\0';
    for (size_t i = 0; i < COLUMNS; i++) {
        row->column[i] = at;
        at += strcspn(at, "\t");
        if (*at == '\t')
            *at++ = '\0';
    }
    unescape(row->column[1]);
    return choose_file(row);
}

/* The worst that a finding predicts for the daemon, and the finding. */
static enum plumb_effect predict(struct fixture *fx, const struct case_row *row,
                                 enum plumb_release r, const struct plumb_diag **worst)
{
    struct plumb_conf_options options = {
        .directory = "/nonexistent", .release = r, .no_includes = true};
    struct plumb_source *src = fx_source(fx, "case", row->text);
    struct plumb_conf *doc = NULL;
    enum plumb_effect effect = PLUMB_EFFECT_NONE;

    fx->session.sink.count = 0;
    fx->session.sink.release = r;
    doc = plumb_conf_read(&fx->session, row->file, src, &options);
    plumb_conf_check(&fx->session, doc, r);
    *worst = NULL;
    for (size_t i = 0; i < fx->session.sink.count; i++) {
        const struct plumb_diag *d = fx->session.sink.items[i];

        if ((d->daemons & row->daemon) == 0 || d->effect < effect)
            continue;
        effect = d->effect;
        *worst = d;
    }
    return effect;
}

static bool excused(struct tally *t, const struct case_row *row)
{
    size_t best = PLUMB_COUNT(beyond_the_table), len = 0;

    for (size_t i = 0; i < PLUMB_COUNT(beyond_the_table); i++) {
        size_t this = strlen(beyond_the_table[i].begins);

        if (this > len && plumb_starts_with(row->text, beyond_the_table[i].begins)) {
            best = i;
            len = this;
        }
    }
    if (best == PLUMB_COUNT(beyond_the_table))
        return false;
    t->used[best]++;
    return true;
}

/* Counts one line and release; prints and returns false when engine and daemon disagree. */
static bool judge(struct fixture *fx, struct tally *t, const struct case_row *row, size_t which)
{
    const char *verdict = row->column[2 + which];
    const char *release = plumb_release_name(releases[which]);
    const struct plumb_diag *worst = NULL;
    enum plumb_effect effect = predict(fx, row, releases[which], &worst);
    bool refused = strcmp(verdict, "refused") == 0;

    t->lines++;
    t->refused += refused;
    t->found += refused && effect == PLUMB_EFFECT_STOPS;
    if (!refused && effect == PLUMB_EFFECT_STOPS) {
        print_error("%s takes (%s) '%s', but: %s %s\n", release, verdict, row->text,
                    worst->rule->code, worst->message);
        return false;
    }
    if (strcmp(verdict, "ok") == 0 && effect == PLUMB_EFFECT_COMPLAINS) {
        print_error("%s is silent about '%s', but: %s %s\n", release, row->text, worst->rule->code,
                    worst->message);
        return false;
    }
    if (refused && effect != PLUMB_EFFECT_STOPS) {
        t->missed++;
        if (!excused(t, row)) {
            print_error("%s refuses '%s' (%s)\n", release, row->text, row->column[2 + VERDICTS]);
            return false;
        }
    }
    return true;
}

static FILE *open_cases(struct fixture *fx)
{
    return fopen(fx_shared(fx->arena, "oracles/slurm-acceptance.tsv"), "rb");
}

static void the_engine_says_what_the_daemons_say(void **state)
{
    struct fixture *fx = *state;
    struct tally t = {0};
    size_t wrong = 0, cap = 0;
    char *line = NULL;
    FILE *cases = open_cases(fx);

    if (cases == NULL) {
        print_message("skipped: the verdicts of the daemons are not here (PLUMB_SHARED)\n");
        skip();
    }
    for (bool heading = true; getline(&line, &cap, cases) > 0; heading = false) {
        struct case_row row;

        if (heading || !split_row(line, &row))
            continue;
        for (size_t i = 0; i < VERDICTS; i++)
            wrong += !judge(fx, &t, &row, i);
    }
    free(line);
    fclose(cases);
    print_message("%zu verdicts, %zu refused, %zu found by the table, %zu beyond it\n", t.lines,
                  t.refused, t.found, t.missed);
    for (size_t i = 0; i < PLUMB_COUNT(beyond_the_table); i++) {
        if (t.used[i] != beyond_the_table[i].verdicts) {
            print_error("'%s' is missed %zu times, %zu were expected (%s)\n",
                        beyond_the_table[i].begins, t.used[i], beyond_the_table[i].verdicts,
                        beyond_the_table[i].reason);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(t.lines > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_engine_says_what_the_daemons_say, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/acceptance", tests, NULL, NULL);
}
