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

static const struct {
    const char *word;
    enum plumb_scope scope;
} scopes[] = {
    {"topology item", PLUMB_SCOPE_TOPOLOGY},
    {"tree", PLUMB_SCOPE_TREE},
    {"tree.switches", PLUMB_SCOPE_TREE_SWITCHES},
    {"block", PLUMB_SCOPE_BLOCK_TOPOLOGY},
    {"block.blocks", PLUMB_SCOPE_BLOCK_BLOCKS},
    {"flat", PLUMB_SCOPE_FLAT},
    {"ring", PLUMB_SCOPE_RING_TOPOLOGY},
    {"ring.rings", PLUMB_SCOPE_RING_RINGS},
    {"torus3d", PLUMB_SCOPE_TORUS3D},
    {"torus3d.toruses", PLUMB_SCOPE_TORUSES},
    {"resource item", PLUMB_SCOPE_RESOURCE},
    {"options", PLUMB_SCOPE_OPTIONS},
    {"global", PLUMB_SCOPE_GLOBAL},
    {"NodeName", PLUMB_SCOPE_NODE},
    {"PartitionName", PLUMB_SCOPE_PARTITION},
    {"DownNodes", PLUMB_SCOPE_DOWNNODES},
    {"NodeSet", PLUMB_SCOPE_NODESET},
    {"FrontendName", PLUMB_SCOPE_FRONTEND},
    {"PowerAction", PLUMB_SCOPE_POWERACTION},
    {"Name", PLUMB_SCOPE_GRES},
    {"SwitchName", PLUMB_SCOPE_SWITCH},
    {"BlockName", PLUMB_SCOPE_BLOCK},
    {"RingName", PLUMB_SCOPE_RING},
    {"line", PLUMB_SCOPE_LINE},
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
    {"LaunchParameters", "mem_sort", "the manual of 25.11 has it, no daemon reads it"},
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
    struct plumb_arena *a = plumb_arena_new(NULL);
    FILE *in = fopen(fx_shared(a, plumb_arena_printf(a, "facts/slurm/%s", name)), "r");

    plumb_arena_free(a);
    return in;
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

/* Keys of mappings that the list tells in the row of the key above: "list{nodes,count,base}". */
static bool is_listed_above(const struct plumb_param *p, const char *types)
{
    const char *at = strchr(types, '{');

    if (at == NULL)
        at = strstr(types, "object ");
    at = at == NULL ? NULL : strstr(at, p->name);
    return at != NULL && strchr("{, }", at[-1]) != NULL &&
           (at[strlen(p->name)] == '\0' || strchr("{, }", at[strlen(p->name)]) != NULL);
}

static void see_keys_below(bool *seen, const struct plumb_param *above, const char *types)
{
    for (unsigned id = 0; above->holds != 0 && id < PLUMB_P_COUNT; id++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)id);

        if (p->file == above->file && p->scope == above->holds && is_listed_above(p, types))
            seen[id] = true;
    }
}

static const struct plumb_param *param_of(const char *file, const char *scope, const char *name)
{
    if (strcmp(file, "knl.conf") == 0) /* "global:knl_cray": each plugin has its file */
        return param_of(strstr(scope, "cray") != NULL ? "knl_cray.conf" : "knl_generic.conf",
                        "global", name);
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
        if (heading)
            continue;
        p = param_of(f.cells[0], f.cells[1], f.cells[2]);
        if (p == NULL) {
            print_error("%s %s: no '%s'\n", f.cells[0], f.cells[1], f.cells[2]);
            wrong++;
            continue;
        }
        seen[p->id] = true;
        see_keys_below(seen, p, f.cells[3]);
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

/* Words that the list lacks, with what proves them; "" stands for every word of the key. */
static const struct {
    const char *key, *word, *proof;
} words_of_the_daemons[] = {
    {"ColdDoorData", "", "ext_sensors_rrd.c:_ext_sensors_read_conf looks for each word"},
    {"JobData", "", "the same"},
    {"NodeData", "", "the same"},
    {"SwitchData", "", "the same"},
    {"AllowMCDRAM", "", "node_features_knl_generic.c:_knl_mcdram_token"},
    {"DefaultMCDRAM", "", "the same"},
    {"AllowNUMA", "", "node_features_knl_generic.c:_knl_numa_token"},
    {"DefaultNUMA", "", "the same"},
    {"SystemType", "", "node_features_knl_generic.c:_knl_system_type_token"},
    {"FileDebug", "", "log.c:log_string2num"},
    {"StdIODebug", "", "the same"},
    {"SyslogDebug", "", "the same"},
    {"SlurmctldDebug", "#", "the same"},
    {"SlurmctldSyslogDebug", "#", "the same"},
    {"SlurmdDebug", "#", "the same"},
    {"SlurmdSyslogDebug", "#", "the same"},
    {"DebugLevel", "#", "the same"},
    {"DebugLevelSyslog", "#", "the same"},
    {"AcctGatherEnergyType", "acct_gather_energy/rsmi", "read_config.c rewrites it to gpu"},
    {"AcctGatherInfinibandType", "", "read_config.c takes the words of AcctGatherInterconnectType"},
    {"CpuFreqDef", "SchedUtil", "cpu_frequency.c:cpu_freq_to_string"},
    {"CpuBind", "", "slurm_resource_info.c:xlate_cpu_bind_str"},
    {"Parameters", "", "read_config.c:parse_slurmd_params reads them too"},
    {"State", "MIXED", "slurm_protocol_defs.c: the base states of nodes"},
    {"SuspendTime", "", "read_config.c:_parse_suspend_time"},
    {"OverTimeLimit", "", "read_config.c:_parse_partitionname"},
    {"Shared", "", "read_config.c: the older name of OverSubscribe"},
    {"PropagateResourceLimits", "", "slurm_rlimits_info.c:parse_rlimits takes RLIMIT_ before each"},
    {"PropagateResourceLimitsExcept", "", "the same"},
    {"SchedulerParameters", "bf_interval=-1", "backfill.c:_load_config"},
    {"SchedulerParameters", "sched_interval=-1", "job_scheduler.c:schedule"},
    {"TopologyParam", "NoInAddrAny", "read_config.c moves it to CommunicationParameters"},
    {"TopologyParam", "NoCtldInAddrAny", "the same"},
    {"StorageType", "accounting_storage/slurmdbd", "slurmdbd/read_config.c compares with it"},
};

static bool is_proved(const struct plumb_param *p, const char *word)
{
    for (size_t i = 0; i < PLUMB_COUNT(words_of_the_daemons); i++) {
        if (strcmp(words_of_the_daemons[i].key, p->name) == 0 &&
            (words_of_the_daemons[i].word[0] == '\0' ||
             plumb_same_nocase(words_of_the_daemons[i].word, word)))
            return true;
    }
    return false;
}

/* The list tells the words of a mapping above in the row of its key: files in YAML have no sets. */
static bool is_held(const struct plumb_param *p)
{
    return p->value_count > 0 && !plumb_file_is_yaml((enum plumb_file)p->file);
}

enum { MOST_WORDS = 512 };

/* A row of enums.tsv proves its word for every key of the name: files share sets. */
static void see_words(bool (*seen)[MOST_WORDS], const char *key, const char *word)
{
    const char *blank = strrchr(key, ' ');
    const char *name = blank == NULL ? key : blank + 1;

    for (const struct plumb_param *p = plumb_param_elsewhere(NULL, name, strlen(name), NULL);
         p != NULL; p = plumb_param_elsewhere(NULL, name, strlen(name), p)) {
        for (size_t i = 0; i < p->value_count; i++) {
            const struct plumb_param one = {.values = &p->values[i], .value_count = 1};
            unsigned first, last;

            seen[p->id][i] = seen[p->id][i] || word_span(&one, word, &first, &last);
        }
    }
}

/* The column "values" of parameters.tsv: "job|node|ALL", "path|none". */
static void see_values(bool (*seen)[MOST_WORDS], const struct plumb_param *p, const char *values)
{
    for (size_t i = 0; p != NULL && i < p->value_count; i++) {
        size_t len = strcspn(p->values[i].word, "=*:");

        for (const char *at = values; *at != '\0'; at++) {
            bool begins = at == values || strchr("|,; (/", at[-1]) != NULL;

            if (begins && plumb_equal_nocase(at, p->values[i].word, len) &&
                strchr("|,; )=[(:*", at[len]) != NULL)
                seen[p->id][i] = true;
        }
    }
}

static void see_facts(bool (*seen)[MOST_WORDS])
{
    struct facts words = {.in = open_facts("enums.tsv")};
    struct facts keys = {.in = open_facts("parameters.tsv")};

    if (words.in == NULL || keys.in == NULL)
        skip();
    while (next_row(&words))
        see_words(seen, words.cells[0], words.cells[1]);
    while (next_row(&keys))
        see_values(seen, param_of(keys.cells[0], keys.cells[1], keys.cells[2]), keys.cells[4]);
    fclose(words.in);
    fclose(keys.in);
}

static void every_word_is_in_the_list_or_proved(void **state)
{
    static bool seen[PLUMB_P_COUNT][MOST_WORDS];
    size_t wrong = 0;

    (void)state;
    memset(seen, 0, sizeof(seen));
    see_facts(seen);
    for (unsigned id = 0; id < PLUMB_P_COUNT; id++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)id);

        for (size_t i = 0; is_held(p) && i < p->value_count; i++) {
            if (seen[id][i] || p->values[i].gone || is_proved(p, p->values[i].word))
                continue;
            print_error("%s %s %s: the word '%s' is no fact\n",
                        plumb_file_name((enum plumb_file)p->file),
                        plumb_scope_name((enum plumb_scope)p->scope), p->name, p->values[i].word);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_live_as_long_as_the_sources_say),
        cmocka_unit_test(words_live_as_long_as_the_sources_say),
        cmocka_unit_test(every_word_is_in_the_list_or_proved),
    };

    return cmocka_run_group_tests_name("schema/facts", tests, NULL, NULL);
}
