/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reader and table engine against whole configuration sets and what slurmctld of seven
 * releases logged about them: nothing more than the daemon says, and every unknown, defunct
 * and repeated key that it names.
 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "conf/conf.h"

enum { COLUMNS = 5 }; /* set, release, slurmctld, slurmd -G, messages */

struct verdict {
    const char *folder, *set, *slurmctld, *messages;
    enum plumb_release release;
};

/* A message of slurmctld that names a key, and the findings that say the same. */
static const struct {
    const char *before, *after;
    const char *codes[4];
} said[] = {
    {"ctld error: _parse_next_key: Parsing error at unrecognized key: ",
     " ",
     {"CONF001", "CONF002", "CONF003", "CONF004"}},
    {"ctld error: The option \"", "\" is defunct", {"CONF007"}},
    {"ctld error: Ignoring obsolete ", "=1 option", {"CONF007"}},
    {"ctld fatal: Support for ", " option has been removed", {"CONF009"}},
    {"ctld fatal: The ", " option has been removed", {"CONF009", "CONF011"}},
};

/* Keys of a plugin that slurm.conf does not load: known to the table, not to that daemon. */
static const char *const of_other_plugins[] = {"EnergyIPMIFrequency", "EnergyIPMICalcAdjustment"};

static void read_set(struct fixture *fx, const struct verdict *v)
{
    for (unsigned f = 0; f < PLUMB_FILE_COUNT; f++) {
        const char *name = plumb_file_name((enum plumb_file)f);
        const char *folder = plumb_arena_printf(fx->arena, "%s/%s", v->folder, v->set);
        struct plumb_conf_options options = {.directory = folder, .release = v->release};
        struct plumb_source *src = NULL;

        if (plumb_source_load(&fx->session.sources,
                              plumb_arena_printf(fx->arena, "%s/%s", folder, name), NULL,
                              &src) != PLUMB_OK)
            continue;

        struct plumb_conf *doc = plumb_conf_read(&fx->session, (enum plumb_file)f, src, &options);

        plumb_conf_check(&fx->session, doc, v->release);
    }
}

/* No error where the daemon starts, no complaint where it has none. */
static size_t nothing_more(const struct fixture *fx, const struct verdict *v)
{
    enum plumb_effect least = strcmp(v->slurmctld, "accepted") == 0    ? PLUMB_EFFECT_COMPLAINS
                              : strcmp(v->slurmctld, "complaint") == 0 ? PLUMB_EFFECT_STOPS
                                                                       : PLUMB_EFFECT_STOPS + 1;
    size_t wrong = 0;

    for (size_t i = 0; i < fx->session.sink.count; i++) {
        const struct plumb_diag *d = fx->session.sink.items[i];

        if ((d->daemons & PLUMB_SLURMCTLD) == 0 || d->effect < least)
            continue;
        print_error("%s %s is %s, but: %s %s\n", v->set, plumb_release_name(v->release),
                    v->slurmctld, d->rule->code, d->message);
        wrong++;
    }
    return wrong;
}

static bool reported(const struct fixture *fx, const char *const *codes, const char *key)
{
    size_t len = strlen(key);

    for (size_t i = 0; i < fx->session.sink.count; i++) {
        const struct plumb_diag *d = fx->session.sink.items[i];

        for (size_t c = 0; c < 4 && codes[c] != NULL; c++) {
            /* Every such message begins with the key in quotes, in Slurm's spelling. */
            if (strcmp(d->rule->code, codes[c]) == 0 && d->message[0] == '\'' &&
                plumb_equal_nocase(d->message + 1, key, len) && d->message[len + 1] == '\'')
                return true;
        }
    }
    return false;
}

static bool of_other_plugin(const char *key)
{
    for (size_t i = 0; i < PLUMB_COUNT(of_other_plugins); i++) {
        if (strcmp(of_other_plugins[i], key) == 0)
            return true;
    }
    return false;
}

/* Every key that a message names is in a finding of that kind. */
static size_t all_that_is_said(const struct fixture *fx, const struct verdict *v, size_t *found)
{
    size_t wrong = 0;

    for (size_t i = 0; i < PLUMB_COUNT(said); i++) {
        const char *at = v->messages;

        while ((at = strstr(at, said[i].before)) != NULL) {
            const char *begin = at + strlen(said[i].before);
            const char *end = strstr(begin, said[i].after);
            size_t len = end == NULL ? strlen(begin) : (size_t)(end - begin);
            const char *key = plumb_arena_strndup(fx->arena, begin, len);

            at = begin;
            if (strpbrk(key, " |") != NULL || begin[len] == '\0' || of_other_plugin(key))
                continue; /* another message, a text that was cut, another plugin */
            if (reported(fx, said[i].codes, key)) {
                (*found)++;
                continue;
            }
            print_error("%s %s: slurmctld names '%s', no finding does\n", v->set,
                        plumb_release_name(v->release), key);
            wrong++;
        }
    }
    return wrong;
}

/* "ctld error: MpiDefault 1 specified more than once": the key is the first word. */
static size_t every_repetition(const struct fixture *fx, const struct verdict *v, size_t *found)
{
    static const char *const codes[] = {"CONF015", "CONF016", NULL, NULL};
    static const char before[] = "ctld error: ";
    size_t wrong = 0;

    for (const char *at = v->messages; (at = strstr(at, before)) != NULL;) {
        at += strlen(before);

        size_t key = strcspn(at, " "), message = strcspn(at, "|");
        const char *tail = strstr(at, " specified more than once");

        if (tail == NULL || tail > at + message)
            continue;
        if (reported(fx, codes, plumb_arena_strndup(fx->arena, at, key))) {
            (*found)++;
            continue;
        }
        print_error("%s %s: slurmctld says that '%.*s' is repeated, no finding does\n", v->set,
                    plumb_release_name(v->release), (int)key, at);
        wrong++;
    }
    return wrong;
}

static bool split_verdict(char *line, struct verdict *v)
{
    char *column[COLUMNS] = {0}, *at = line;

    line[strcspn(line, "\n")] = '\0';
    for (size_t i = 0; i < COLUMNS; i++) {
        column[i] = at;
        at += strcspn(at, "\t");
        if (*at == '\t')
            *at++ = '\0';
    }
    v->set = column[0];
    v->release = plumb_release_read(column[1], strlen(column[1]));
    v->slurmctld = column[2];
    v->messages = column[4];
    return v->release != PLUMB_RELEASE_NONE;
}

static size_t judge_folder(struct fixture *fx, FILE *in, const char *folder, size_t *verdicts,
                           size_t *found)
{
    char *line = NULL;
    size_t cap = 0, wrong = 0;

    while (getline(&line, &cap, in) > 0) {
        struct verdict v = {.folder = folder};

        if (!split_verdict(line, &v))
            continue;
        fx_row(fx, *verdicts, v.set);
        fx->session.sink.release = v.release;
        read_set(fx, &v);
        wrong += nothing_more(fx, &v);
        wrong += all_that_is_said(fx, &v, found);
        wrong += every_repetition(fx, &v, found);
        (*verdicts)++;
    }
    free(line);
    return wrong;
}

static void sets_are_judged_as_by_slurmctld(void **state)
{
    static const char *const folders[] = {"corpus/slurm-conf", "corpus/cases"};
    struct fixture *fx = *state;
    size_t verdicts = 0, found = 0, wrong = 0;

    for (size_t i = 0; i < PLUMB_COUNT(folders); i++) {
        const char *folder = fx_shared(fx->arena, folders[i]);
        FILE *in = fopen(plumb_arena_printf(fx->arena, "%s/verdicts.tsv", folder), "rb");

        if (in == NULL) {
            print_message("skipped: the sets are not here (PLUMB_SHARED)\n");
            skip();
        }
        wrong += judge_folder(fx, in, folder, &verdicts, &found);
        fclose(in);
    }
    print_message("%zu verdicts, %zu keys that slurmctld names\n", verdicts, found);
    assert_int_equal(wrong, 0);
    assert_true(verdicts > 1000 && found > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sets_are_judged_as_by_slurmctld, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/corpus", tests, NULL, NULL);
}
