/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameter table: lookups, figures known from the parsers' own tables, and one golden
 * dump per release, so that a new delta is reviewed as a difference of dumps. Run with
 * PLUMB_GOLDEN=update to rewrite golden/schema.
 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/rule.h"
#include "schema/param.h"
#include "schema/trait.h"

static const struct plumb_param *find(enum plumb_file f, enum plumb_scope s, const char *name)
{
    return plumb_param_find(NULL, f, s, name, strlen(name));
}

static void names_are_found_without_case(void **state)
{
    static const struct {
        enum plumb_file file;
        enum plumb_scope scope;
        const char *name;
        int id; /* -1: not there */
    } rows[] = {
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, "slurmdtimeout", PLUMB_P_SLURM_SLURMDTIMEOUT},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, "X11PARAMETERS", PLUMB_P_SLURM_X11PARAMETERS},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, "AccountingStorageBackupHost",
         PLUMB_P_SLURM_ACCOUNTINGSTORAGEBACKUPHOST},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_NODE, "Weight", PLUMB_P_NODE_WEIGHT},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_PARTITION, "qos", PLUMB_P_PART_QOS},
        {PLUMB_GRES_CONF, PLUMB_SCOPE_GRES, "File", PLUMB_P_GRES_FILE},
        {PLUMB_BURST_BUFFER_CONF, PLUMB_SCOPE_GLOBAL, "ValidateTimeout",
         PLUMB_P_BURSTBUFFER_VALIDATETIMEOUT},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, "SlurmdTimeou", -1},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, "SlurmdTimeouts", -1},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, "CgroupPlugin", -1},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_NODE, "SlurmdTimeout", -1},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_RING, "Nodes", -1},
        {PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, "", -1},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_param *p = find(rows[i].file, rows[i].scope, rows[i].name);

        fx_row(fx, i, rows[i].name);
        assert_int_equal(p == NULL ? -1 : (int)p->id, rows[i].id);
    }
}

static void a_name_that_goes_on_behind_a_nul_is_none(void **state)
{
    static const char name[] = "SlurmctldTimeout\0Debug";

    (void)state;
    assert_non_null(plumb_param_find(NULL, PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, name, 16));
    assert_null(plumb_param_find(NULL, PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, name, 17));
    assert_null(
        plumb_param_find(NULL, PLUMB_SLURM_CONF, PLUMB_SCOPE_GLOBAL, name, sizeof(name) - 1));
}

static void every_row_is_found_under_its_name(void **state)
{
    (void)state;
    for (unsigned id = 0; id < PLUMB_P_COUNT; id++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)id);

        assert_int_equal(p->id, id);
        assert_ptr_equal(find((enum plumb_file)p->file, (enum plumb_scope)p->scope, p->name), p);
        assert_non_null(p->ref);
        assert_true(p->rev_count > 0);
    }
}

static void a_release_decides_what_becomes_of_a_key(void **state)
{
    static const struct {
        enum plumb_param_id id;
        enum plumb_release release;
        enum plumb_life life;
    } rows[] = {
        {PLUMB_P_SLURM_NAMESPACETYPE, PLUMB_25_05, PLUMB_LIFE_NONE},
        {PLUMB_P_SLURM_NAMESPACETYPE, PLUMB_25_11, PLUMB_LIFE_OK},
        {PLUMB_P_SLURM_JOBCONTAINERTYPE, PLUMB_25_05, PLUMB_LIFE_OK},
        {PLUMB_P_SLURM_JOBCONTAINERTYPE, PLUMB_26_05, PLUMB_LIFE_DEPRECATED},
        {PLUMB_P_CGROUP_CGROUPAUTOMOUNT, PLUMB_23_02, PLUMB_LIFE_OK},
        {PLUMB_P_CGROUP_CGROUPAUTOMOUNT, PLUMB_23_11, PLUMB_LIFE_DEFUNCT},
        {PLUMB_P_CGROUP_CONSTRAINKMEMSPACE, PLUMB_22_05, PLUMB_LIFE_OK},
        {PLUMB_P_CGROUP_CONSTRAINKMEMSPACE, PLUMB_23_02, PLUMB_LIFE_DEPRECATED},
        {PLUMB_P_CGROUP_CONSTRAINKMEMSPACE, PLUMB_23_11, PLUMB_LIFE_NONE},
        {PLUMB_P_CGROUP_CGROUPRELEASEAGENTDIR, PLUMB_25_05, PLUMB_LIFE_FATAL},
        {PLUMB_P_CGROUP_CGROUPRELEASEAGENTDIR, PLUMB_25_11, PLUMB_LIFE_NONE},
        {PLUMB_P_CGROUP_TASKAFFINITY, PLUMB_22_05, PLUMB_LIFE_NONE},
        {PLUMB_P_SLURM_SCHEDULERAUTH, PLUMB_23_11, PLUMB_LIFE_DEFUNCT},
        {PLUMB_P_SLURM_SCHEDULERAUTH, PLUMB_24_05, PLUMB_LIFE_NONE},
        {PLUMB_P_SLURM_FRONTENDNAME, PLUMB_24_11, PLUMB_LIFE_FATAL},
        {PLUMB_P_SLURM_FRONTENDNAME, PLUMB_25_05, PLUMB_LIFE_NONE},
        {PLUMB_P_NODE_PROCS, PLUMB_26_05, PLUMB_LIFE_RENAMED},
        {PLUMB_P_PART_EXCLUSIVE, PLUMB_25_11, PLUMB_LIFE_NONE},
        {PLUMB_P_PART_EXCLUSIVE, PLUMB_26_05, PLUMB_LIFE_OK},
    };

    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++)
        assert_int_equal(plumb_param_at(plumb_param(rows[i].id), rows[i].release)->life,
                         rows[i].life);
}

static void the_first_and_last_release_of_a_key_are_known(void **state)
{
    enum plumb_release first = PLUMB_22_05, last = PLUMB_22_05;

    (void)state;
    plumb_param_span(plumb_param(PLUMB_P_TOPO_BLOCKLEVELS), &first, &last);
    assert_int_equal(first, PLUMB_23_11);
    assert_int_equal(last, PLUMB_23_11);
    plumb_param_span(plumb_param(PLUMB_P_SLURM_CLUSTERNAME), &first, &last);
    assert_int_equal(first, PLUMB_22_05);
    assert_int_equal(last, PLUMB_RELEASE_NEWEST);
    plumb_param_span(plumb_param(PLUMB_P_CGROUP_TASKAFFINITY), &first, &last);
    assert_int_equal(first, PLUMB_RELEASE_NONE);
}

/* Keys per file and release, as counted in the option tables of the daemons' sources. */
static void every_file_has_as_many_keys_as_its_parser(void **state)
{
    static const struct {
        enum plumb_file file;
        unsigned count[PLUMB_RELEASE_COUNT];
    } rows[] = {
        {PLUMB_SLURM_CONF, {304, 308, 308, 312, 315, 312, 319, 330}},
        {PLUMB_SLURMDBD_CONF, {59, 60, 60, 64, 64, 64, 67, 72}},
        {PLUMB_GRES_CONF, {15, 15, 15, 15, 15, 15, 15, 15}},
        {PLUMB_CGROUP_CONF, {23, 25, 21, 22, 22, 23, 23, 24}},
        {PLUMB_BURST_BUFFER_CONF, {19, 19, 19, 20, 20, 20, 20, 20}},
        {PLUMB_HELPERS_CONF, {7, 8, 8, 9, 9, 9, 9, 9}},
        {PLUMB_JOB_CONTAINER_CONF, {6, 10, 10, 10, 20, 20, 20, 20}},
        {PLUMB_MPI_CONF, {12, 12, 12, 12, 12, 12, 13, 13}},
        {PLUMB_OCI_CONF, {8, 20, 20, 20, 20, 20, 20, 20}},
        {PLUMB_TOPOLOGY_CONF, {4, 4, 7, 7, 7, 7, 7, 9}},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, plumb_file_name(rows[i].file));
        for (unsigned r = 0; r < PLUMB_RELEASE_COUNT; r++) {
            unsigned count = 0;

            for (unsigned id = 0; id < PLUMB_P_COUNT; id++) {
                const struct plumb_param *p = plumb_param((enum plumb_param_id)id);

                count += p->file == rows[i].file &&
                         plumb_param_at(p, (enum plumb_release)r)->life != PLUMB_LIFE_NONE;
            }
            if (count != rows[i].count[r])
                fail_msg("%s %s: %u keys, the parser has %u", plumb_file_name(rows[i].file),
                         plumb_release_name((enum plumb_release)r), count, rows[i].count[r]);
        }
    }
}

static void names_of_other_places_are_found(void **state)
{
    const struct plumb_param *p = plumb_param_elsewhere(NULL, "constraincores", 14, NULL);

    (void)state;
    assert_non_null(p);
    assert_int_equal(p->id, PLUMB_P_CGROUP_CONSTRAINCORES);
    assert_null(plumb_param_elsewhere(NULL, "constraincores", 14, p));
    assert_null(plumb_param_elsewhere(NULL, "nosuchkey", 9, NULL));
}

static void near_names_are_suggested(void **state)
{
    static const struct {
        enum plumb_scope scope;
        enum plumb_release release;
        const char *name, *near;
    } rows[] = {
        {PLUMB_SCOPE_GLOBAL, PLUMB_24_11, "SlurmdTimout", "SlurmdTimeout"},
        {PLUMB_SCOPE_GLOBAL, PLUMB_24_11, "Namespacetyp", NULL}, /* not before 25.11 */
        {PLUMB_SCOPE_GLOBAL, PLUMB_25_11, "Namespacetyp", "NamespaceType"},
        {PLUMB_SCOPE_NODE, PLUMB_24_11, "RealMemery", "RealMemory"},
        {PLUMB_SCOPE_NODE, PLUMB_24_11, "Completely", NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const char *near = plumb_param_suggest(NULL, PLUMB_SLURM_CONF, rows[i].scope,
                                               rows[i].release, rows[i].name);

        fx_row(fx, i, rows[i].name);
        if (rows[i].near == NULL)
            assert_null(near);
        else
            assert_string_equal(near, rows[i].near);
    }
}

static void words_of_a_set_are_found(void **state)
{
    const struct plumb_param *p = plumb_param(PLUMB_P_SLURM_SCHEDULERPARAMETERS);
    const struct plumb_value *v = plumb_param_value(p, "BF_window", 9);

    (void)state;
    assert_non_null(v);
    assert_true(v->takes_value);
    assert_int_equal(v->max, 43200);
    assert_null(plumb_param_value(p, "bf_windo", 8));
    v = plumb_param_value(p, "bf_topopt_enable", 16);
    assert_int_equal(v->first, PLUMB_24_11);
    v = plumb_param_value(p, "no_env_cache", 12);
    assert_int_equal(v->last, PLUMB_24_11);
}

/* Golden dumps. */

static const char *const lives[] = {
    "none", "ok", "deprecated", "renamed", "defunct", "ignored", "fatal",
};

static void put_field(struct plumb_buf *out, const char *text)
{
    plumb_buf_printf(out, "\t%s", text != NULL && *text != '\0' ? text : "-");
}

static void put_values(struct plumb_buf *out, const struct plumb_param *p, unsigned release)
{
    bool first = true;

    plumb_buf_str(out, "\t");
    for (size_t i = 0; i < p->value_count; i++) {
        const struct plumb_value *v = &p->values[i];

        if (v->gone || v->first > release || v->last < release)
            continue;
        plumb_buf_printf(out, "%s%s", first ? "" : "|", v->word);
        first = false;
    }
    if (first)
        plumb_buf_str(out, "-");
    plumb_buf_str(out, "\n");
}

static void put_param(struct plumb_buf *out, const struct plumb_param *p, unsigned release)
{
    const struct plumb_param_rev *rev = plumb_param_at(p, (enum plumb_release)release);

    if (rev->life == PLUMB_LIFE_NONE)
        return;
    plumb_buf_str(out, plumb_file_name((enum plumb_file)p->file));
    put_field(out, plumb_scope_name((enum plumb_scope)p->scope));
    put_field(out, p->name);
    put_field(out, plumb_type_name((enum plumb_type)rev->type));
    put_field(out, rev->unit);
    put_field(out, rev->def);
    plumb_buf_str(out, "\t");
    if (rev->has_min || rev->has_max) {
        if (rev->has_min)
            plumb_buf_u64(out, rev->min);
        plumb_buf_str(out, "..");
        if (rev->has_max)
            plumb_buf_u64(out, rev->max);
    } else {
        plumb_buf_char(out, '-');
    }
    plumb_buf_printf(out, "\t%s%s", lives[rev->life], rev->repeats ? ",repeats" : "");
    if (rev->has_bad)
        plumb_buf_printf(out, ",bad=%s", plumb_effect_name((enum plumb_effect)rev->bad));
    if (rev->none)
        plumb_buf_str(out, ",none");
    if (rev->empty)
        plumb_buf_str(out, ",empty");
    put_field(out, rev->replaced_by);
    put_values(out, p, release);
}

static void compare_or_write(const char *path, const struct plumb_buf *dump)
{
    const char *mode = getenv("PLUMB_GOLDEN");
    bool update = mode != NULL && strcmp(mode, "update") == 0;
    FILE *f = fopen(path, update ? "wb" : "rb");

    if (f == NULL)
        fail_msg("%s: cannot be opened; PLUMB_GOLDEN=update writes it", path);
    if (update) {
        fwrite(dump->text, 1, dump->len, f);
        fclose(f);
        return;
    }

    char *line = NULL;
    size_t cap = 0, at = 0;

    for (ssize_t len = getline(&line, &cap, f); len > 0; len = getline(&line, &cap, f)) {
        if (at + (size_t)len > dump->len || memcmp(dump->text + at, line, (size_t)len) != 0)
            fail_msg("%s has '%.*s', the table '%.120s'", path, (int)len - 1, line,
                     at < dump->len ? dump->text + at : "(end)");
        at += (size_t)len;
    }
    free(line);
    fclose(f);
    if (at != dump->len)
        fail_msg("%s ends before '%.120s'", path, dump->text + at);
}

static void a_trait_holds_from_the_release_of_its_row_on(void **state)
{
    static const struct {
        enum plumb_trait_id id;
        enum plumb_release release;
        uint64_t value;
    } rows[] = {
        {PLUMB_TRAIT_QOS_LIST, PLUMB_22_05, 0},
        {PLUMB_TRAIT_QOS_LIST, PLUMB_24_05, 0},
        {PLUMB_TRAIT_QOS_LIST, PLUMB_24_11, 1},
        {PLUMB_TRAIT_QOS_LIST, PLUMB_26_05, 1},
        {PLUMB_TRAIT_QOS_LIST, (enum plumb_release)PLUMB_RELEASE_COUNT, 1},
        {PLUMB_TRAIT_NO_PARTITION_REFUSED, PLUMB_22_05, 1},
        {PLUMB_TRAIT_NO_PARTITION_REFUSED, PLUMB_24_11, 1},
        {PLUMB_TRAIT_NO_PARTITION_REFUSED, PLUMB_25_05, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, plumb_traits[rows[i].id].name);
        assert_int_equal(plumb_trait_value(NULL, rows[i].release, rows[i].id), rows[i].value);
    }
}

/* A row of a run counts for its release, the built-in ones of later releases stay. */
static void a_table_of_the_user_speaks_for_traits(void **state)
{
    static const struct plumb_trait_rev revs[] = {
        {PLUMB_TRAIT_QOS_LIST, PLUMB_23_11, 1, NULL},
        {PLUMB_TRAIT_NO_PARTITION_REFUSED, PLUMB_23_11, 0, NULL},
    };
    static const struct plumb_table table = {.traits = revs, .trait_count = PLUMB_COUNT(revs)};

    (void)state;
    assert_int_equal(plumb_trait_value(&table, PLUMB_23_02, PLUMB_TRAIT_QOS_LIST), 0);
    assert_int_equal(plumb_trait_value(&table, PLUMB_23_11, PLUMB_TRAIT_QOS_LIST), 1);
    assert_int_equal(plumb_trait_value(&table, PLUMB_23_02, PLUMB_TRAIT_NO_PARTITION_REFUSED), 1);
    assert_int_equal(plumb_trait_value(&table, PLUMB_24_11, PLUMB_TRAIT_NO_PARTITION_REFUSED), 0);
}

static void every_trait_has_a_name_a_meaning_and_a_source(void **state)
{
    struct fixture *fx = *state;

    for (int i = 0; i < PLUMB_TRAIT_COUNT; i++) {
        const struct plumb_trait *t = &plumb_traits[i];

        fx_row(fx, (size_t)i, t->name);
        assert_int_equal(plumb_trait_find(t->name, strlen(t->name)), i);
        assert_non_null(t->means);
        assert_true(t->rev_count > 0);
        for (size_t k = 0; k < t->rev_count; k++) {
            assert_int_equal(t->revs[k].id, i);
            assert_non_null(t->revs[k].ref);
        }
    }
    assert_int_equal(plumb_trait_find("qos-lis", 7), -1);
}

static void the_table_of_each_release_is_the_golden_one(void **state)
{
    struct fixture *fx = *state;

    for (unsigned r = 0; r < PLUMB_RELEASE_COUNT; r++) {
        struct plumb_buf dump = plumb_buf_in(fx->arena);
        struct plumb_buf path = plumb_buf_in(fx->arena);

        for (unsigned id = 0; id < PLUMB_P_COUNT; id++)
            put_param(&dump, plumb_param((enum plumb_param_id)id), r);
        for (unsigned id = 0; id < PLUMB_TRAIT_COUNT; id++)
            plumb_buf_printf(&dump, "trait\t%s\t%llu\n", plumb_traits[id].name,
                             (unsigned long long)plumb_trait_value(NULL, (enum plumb_release)r,
                                                                   (enum plumb_trait_id)id));
        plumb_buf_printf(&path, "%s/golden/schema/%s.txt", PLUMB_SOURCE_DIR,
                         plumb_release_name((enum plumb_release)r));
        compare_or_write(plumb_buf_text(&path), &dump);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_are_found_without_case, fx_setup, fx_teardown),
        cmocka_unit_test(a_name_that_goes_on_behind_a_nul_is_none),
        cmocka_unit_test_setup_teardown(every_row_is_found_under_its_name, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_release_decides_what_becomes_of_a_key, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(the_first_and_last_release_of_a_key_are_known, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(every_file_has_as_many_keys_as_its_parser, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(names_of_other_places_are_found, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(near_names_are_suggested, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(words_of_a_set_are_found, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_trait_holds_from_the_release_of_its_row_on, fx_setup,
                                        fx_teardown),
        cmocka_unit_test(a_table_of_the_user_speaks_for_traits),
        cmocka_unit_test_setup_teardown(every_trait_has_a_name_a_meaning_and_a_source, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(the_table_of_each_release_is_the_golden_one, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("schema/param", tests, NULL, NULL);
}
