/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameter table against the list of keys and words that was drawn from the sources of every
 * release: each row there is a row here with the same life, and the other way round.
 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "schema/param.h"

/* Files of formats or plugins that plumb does not read. */
static const char *const other_files[] = {"ext_sensors.conf", "knl.conf",       "nonstop.conf",
                                          "namespace.yaml",   "resources.yaml", "topology.yaml"};

static const struct {
    const char *word;
    enum plumb_scope scope;
} scopes[] = {
    {"global", PLUMB_SCOPE_GLOBAL},           {"NodeName", PLUMB_SCOPE_NODE},
    {"PartitionName", PLUMB_SCOPE_PARTITION}, {"DownNodes", PLUMB_SCOPE_DOWNNODES},
    {"NodeSet", PLUMB_SCOPE_NODESET},         {"FrontendName", PLUMB_SCOPE_FRONTEND},
    {"PowerAction", PLUMB_SCOPE_POWERACTION}, {"Name", PLUMB_SCOPE_GRES},
    {"SwitchName", PLUMB_SCOPE_SWITCH},       {"BlockName", PLUMB_SCOPE_BLOCK},
    {"RingName", PLUMB_SCOPE_RING},           {"line", PLUMB_SCOPE_LINE},
};

/* Words that daemons treat otherwise than the list of what is shipped or documented says. */
static const struct {
    const char *key, *word, *why;
} exceptions[] = {
    {"CommunicationParameters", "NoAddrCache", "from 23.11 one error, nothing else"},
    {"SlurmctldParameters", "cloud_reg_addrs", "from 23.11 one error, nothing else"},
    {"CpuFreqDef", "High", "cpu_frequency.c:cpu_freq_verify_def takes governors alone"},
    {"CpuFreqDef", "HighM1", "the same"},
    {"CpuFreqDef", "Low", "the same"},
    {"CpuFreqDef", "Medium", "the same"},
    {"HashPlugin", "hash/k12", "older than its key, which is of 24.05"},
    {"JobContainerType", "job_container/tmpfs", "from 25.11 rewritten to namespace/tmpfs"},
    {"PartitionName PreemptMode", "GANG", "dropped with an error: _parse_partitionname"},
    {"PartitionName PreemptMode", "PRIORITY", "preempt_mode_num knows it from 25.05 on"},
    {"TaskPluginParam", "Autobind", "takes a value: autobind="},
    {"TopologyPlugin", "topology/default", "accepted in all releases as the flat topology"},
};

struct facts {
    FILE *in;
    char line[4096];
    char *cells[12];
    size_t count;
};

static FILE *open_facts(const char *name)
{
    const char *shared = getenv("PLUMB_SHARED");
    char path[4096];

    snprintf(path, sizeof(path), "%s/facts/slurm/%s",
             shared != NULL ? shared : PLUMB_SOURCE_DIR "/../shared", name);
    return fopen(path, "r");
}

static bool next_row(struct facts *f)
{
    if (fgets(f->line, sizeof(f->line), f->in) == NULL)
        return false;
    f->line[strcspn(f->line, "\n")] = '\0';
    f->count = 0;
    for (char *at = f->line; at != NULL && f->count < PLUMB_COUNT(f->cells); f->count++) {
        char *tab = strchr(at, '\t');

        f->cells[f->count] = at;
        if (tab != NULL)
            *tab = '\0';
        at = tab == NULL ? NULL : tab + 1;
    }
    return true;
}

/* "<=22.05", "24.11", "" (still there); NONE for what was gone before the oldest release. */
static enum plumb_release release_of(const char *text, enum plumb_release empty)
{
    if (text[0] == '\0')
        return empty;
    if (plumb_starts_with(text, "<="))
        text += 2;
    return plumb_release_read(text, strlen(text));
}

static bool is_other_file(const char *name)
{
    for (size_t i = 0; i < PLUMB_COUNT(other_files); i++) {
        if (strcmp(other_files[i], name) == 0)
            return true;
    }
    return false;
}

static const struct plumb_param *param_of(const char *file, const char *scope, const char *name)
{
    for (unsigned f = 0; f < PLUMB_FILE_COUNT; f++) {
        for (size_t s = 0; s < PLUMB_COUNT(scopes); s++) {
            size_t len = strcspn(scope, ":"); /* "global:energy_ipmi" */

            if (strcmp(plumb_file_name((enum plumb_file)f), file) == 0 &&
                strlen(scopes[s].word) == len && memcmp(scopes[s].word, scope, len) == 0)
                return plumb_param_find(NULL, (enum plumb_file)f, scopes[s].scope, name,
                                        strlen(name));
        }
    }
    return NULL;
}

static void keys_live_as_long_as_the_sources_say(void **state)
{
    static bool seen[PLUMB_P_COUNT];
    struct facts f = {.in = open_facts("parameters.tsv")};
    size_t wrong = 0;

    (void)state;
    if (f.in == NULL)
        skip();
    memset(seen, 0, sizeof(seen));
    for (bool heading = true; next_row(&f); heading = false) {
        const struct plumb_param *p = NULL;
        enum plumb_release first = PLUMB_RELEASE_NONE, last = PLUMB_RELEASE_NONE;

        assert_true(f.count >= 9);
        if (heading || is_other_file(f.cells[0]))
            continue;
        p = param_of(f.cells[0], f.cells[1], f.cells[2]);
        if (p == NULL) {
            print_error("%s %s: no '%s'\n", f.cells[0], f.cells[1], f.cells[2]);
            wrong++;
            continue;
        }
        seen[p->id] = true;
        plumb_param_span(p, &first, &last);
        if (strcmp(p->name, f.cells[2]) != 0 ||
            first != release_of(f.cells[7], PLUMB_RELEASE_NONE) ||
            last != release_of(f.cells[8], (enum plumb_release)PLUMB_RELEASE_NEWEST)) {
            print_error("%s %s %s: is %s %s to %s, expected %s to %s\n", f.cells[0], f.cells[1],
                        f.cells[2], p->name, plumb_release_name(first), plumb_release_name(last),
                        f.cells[7], f.cells[8]);
            wrong++;
        }
    }
    fclose(f.in);
    for (unsigned id = 0; id < PLUMB_P_COUNT; id++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)id);

        enum plumb_release first = PLUMB_RELEASE_NONE, last = PLUMB_RELEASE_NONE;

        plumb_param_span(p, &first, &last);
        if (seen[id] || first == PLUMB_RELEASE_NONE)
            continue; /* a key that was gone before the oldest release is known in order to help */
        print_error("%s %s: '%s' is no fact\n", plumb_file_name((enum plumb_file)p->file),
                    plumb_scope_name((enum plumb_scope)p->scope), p->name);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* "PartitionName PreemptMode", "gres.conf Flags", "SchedulerParameters". */
static const struct plumb_param *set_of(char *name)
{
    char *blank = strchr(name, ' ');
    const struct plumb_param *p = NULL;

    if (blank == NULL)
        return param_of("slurm.conf", "global", name);
    *blank = '\0';
    p = param_of("slurm.conf", name, blank + 1);
    if (p == NULL)
        p = param_of(name, "global", blank + 1);
    if (p == NULL || p->value_count == 0) {
        const struct plumb_param *line = param_of(name, "Name", blank + 1);

        p = line != NULL ? line : p;
    }
    *blank = ' ';
    return p;
}

static bool is_exception(const char *key, const char *word)
{
    /* From 23.11 "none" of any kind of plugin counts as unset, shipped or not (read_config.c). */
    if (plumb_ends_with(word, "/none") || strcmp(word, "none") == 0)
        return true;
    for (size_t i = 0; i < PLUMB_COUNT(exceptions); i++) {
        if (strcmp(exceptions[i].key, key) == 0 && strcmp(exceptions[i].word, word) == 0)
            return true;
    }
    return false;
}

/* Releases of a word; it may have several rows, as what it does differs. False: no row. */
static bool word_span(const struct plumb_param *p, const char *word, unsigned *first,
                      unsigned *last)
{
    static const char *const ends[] = {"", "=", "*", ":"};
    size_t len = strlen(word);
    bool found = false;

    len -= len > 2 && strcmp(word + len - 2, ":n") == 0 ? 2 : 0; /* "FORCE:n" */
    for (size_t i = 0; i < p->value_count; i++) {
        const struct plumb_value *v = &p->values[i];

        for (size_t e = 0; e < PLUMB_COUNT(ends); e++) {
            if (!plumb_equal_nocase(v->word, word, len) || strcmp(v->word + len, ends[e]) != 0)
                continue;
            *first = !found || v->first < *first ? v->first : *first;
            *last = !found || v->last > *last ? v->last : *last;
            found = true;
        }
    }
    return found;
}

static void words_live_as_long_as_the_sources_say(void **state)
{
    struct facts f = {.in = open_facts("enums.tsv")};
    size_t wrong = 0, held = 0;

    (void)state;
    if (f.in == NULL)
        skip();
    for (bool heading = true; next_row(&f); heading = false) {
        const struct plumb_param *p = heading ? NULL : set_of(f.cells[0]);
        unsigned is_first = PLUMB_RELEASE_NONE, is_last = PLUMB_RELEASE_NONE;
        enum plumb_release first, last;

        assert_true(f.count >= 4);
        if (p == NULL || p->value_count == 0 || is_exception(f.cells[0], f.cells[1]))
            continue; /* rows about notations, and lists that have no set of words */
        first = release_of(f.cells[2], PLUMB_RELEASE_NONE);
        last = release_of(f.cells[3], PLUMB_RELEASE_OPEN);
        held++;
        if (!word_span(p, f.cells[1], &is_first, &is_last) || is_first != (unsigned)first ||
            is_last != (unsigned)last) {
            print_error("%s %s: is %s to %s, expected %s to %s\n", f.cells[0], f.cells[1],
                        plumb_release_name((enum plumb_release)is_first),
                        plumb_release_name((enum plumb_release)is_last), f.cells[2], f.cells[3]);
            wrong++;
        }
    }
    fclose(f.in);
    assert_true(held > 500);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_live_as_long_as_the_sources_say),
        cmocka_unit_test(words_live_as_long_as_the_sources_say),
    };

    return cmocka_run_group_tests_name("schema/facts", tests, NULL, NULL);
}
