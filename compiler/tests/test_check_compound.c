/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table engine, values made of parts: which part is reported, where, and what the daemons
 * do. What they do was seen on 22.05.8, 24.11.5 and 26.05.5.
 */
#include "fixture.h"

#include <string.h>

#include "conf/conf.h"
#include "schema/compound.h"

enum { MOST = 4 };

/* One finding: where, and the effect on whom. */
struct fault {
    const char *code; /* NULL: no more findings */
    uint32_t begin, end;
    enum plumb_effect effect;
    unsigned daemons;
};

struct row {
    enum plumb_param_id param;
    const char *text;
    struct fault faults[MOST];
};

static void hold(struct fixture *fx, const struct row *rows, size_t count)
{
    static const enum plumb_release releases[] = {PLUMB_22_05, PLUMB_24_11, PLUMB_26_05};

    for (size_t i = 0; i < count * PLUMB_COUNT(releases); i++) {
        const struct row *row = &rows[i / PLUMB_COUNT(releases)];
        enum plumb_release release = releases[i % PLUMB_COUNT(releases)];
        struct plumb_slice v = fx_slice(fx, row->text);

        fx_row(fx, i / PLUMB_COUNT(releases), row->text);
        fx->session.sink.release = release;
        if (plumb_conf_check_value(&fx->session, plumb_param(row->param), &v, release) !=
            (row->faults[0].code == NULL))
            fail_msg("'%s': sound is not what was expected", row->text);
        for (size_t f = 0; f < MOST && row->faults[f].code != NULL; f++) {
            const struct fault *want = &row->faults[f];
            const struct plumb_diag *d = NULL;

            fx_expect(fx, want->code, want->begin, want->end);
            d = fx->session.sink.items[fx->seen - 1];
            if (d->effect != want->effect || d->daemons != want->daemons)
                fail_msg("'%s': %s by %u, expected %s by %u", row->text,
                         plumb_effect_name(d->effect), d->daemons, plumb_effect_name(want->effect),
                         want->daemons);
        }
        fx_expect_nothing_else(fx);
    }
}

#define SILENT        PLUMB_EFFECT_NONE, 0
#define STOPS_CTL     PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD
#define STOPS_ALL     PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL
#define STOPS_D       PLUMB_EFFECT_STOPS, PLUMB_SLURMD
#define COMPLAINS_CTL PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD
#define COMPLAINS_D   PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD
#define COMPLAINS     PLUMB_EFFECT_COMPLAINS, PLUMB_SLURM_ALL

static void parts_of_core_lists_that_are_no_cores_are_told(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_GRES_CORES, "0-63", {{0}}},
        {PLUMB_P_GRES_CORES, "0-14:2", {{0}}},
        {PLUMB_P_GRES_CORES, "0-14:2,16", {{"CONF020", 0, 9, COMPLAINS_D}}},
        {PLUMB_P_GRES_CORES, "1:2", {{"CONF020", 0, 3, COMPLAINS_D}}},
        {PLUMB_P_NODE_CPUSPECLIST, "0:1", {{"CONF020", 0, 3, COMPLAINS}}},
        {PLUMB_P_GRES_CORES, "abc", {{"CONF020", 0, 3, SILENT}}},
        {PLUMB_P_GRES_CORES, "0-63,a", {{"CONF020", 5, 6, SILENT}}},
        {PLUMB_P_GRES_CPUS, "127-64", {{"CONF020", 0, 6, SILENT}}},
        {PLUMB_P_GRES_CORES, "0-7:0", {{"CONF020", 0, 5, COMPLAINS_D}}},
        {PLUMB_P_GRES_CORES,
         "x,0-3,9-8,1x",
         {{"CONF020", 0, 1, SILENT}, {"CONF020", 6, 9, SILENT}, {"CONF020", 10, 12, SILENT}}},
        {PLUMB_P_NODE_CPUSPECLIST, "1,,2", {{"CONF020", 0, 4, SILENT}}},
        {PLUMB_P_NODE_CPUSPECLIST, "1,2,", {{"CONF020", 0, 4, SILENT}}},
        {PLUMB_P_NODE_CPUSPECLIST, "1-", {{"CONF020", 0, 2, SILENT}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void links_are_numbers_with_one_self(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_GRES_LINKS, "-1,18,18", {{0}}},
        {PLUMB_P_GRES_LINKS, "18,-1", {{0}}}, /* its place is for a rule */
        {PLUMB_P_GRES_LINKS, "-1,-2,1023", {{0}}},
        {PLUMB_P_GRES_LINKS, "0:1:2:3:NVL:NVL:NVL:NVL", {{"CONF021", 0, 23, COMPLAINS_D}}},
        {PLUMB_P_GRES_LINKS, "0,1,NVL,NVL", {{"CONF021", 4, 7, COMPLAINS_D}}},
        {PLUMB_P_GRES_LINKS,
         "-1,x,1024,-3",
         {{"CONF021", 3, 4, COMPLAINS_D},
          {"CONF021", 5, 9, COMPLAINS_D},
          {"CONF021", 10, 12, COMPLAINS_D}}},
        {PLUMB_P_GRES_LINK, "0,18", {{"CONF021", 0, 4, COMPLAINS_D}}},
        {PLUMB_P_GRES_LINKS, "-1,4,-1", {{"CONF021", 5, 7, COMPLAINS_D}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void gres_entries_are_told_as_slurmctld_takes_them(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_NODE_GRES, "gpu", {{0}}},
        {PLUMB_P_NODE_GRES, "gpu:h100", {{0}}},
        {PLUMB_P_NODE_GRES, "gpu:h100:8(S:0-1),nic:no_consume:2K", {{0}}},
        {PLUMB_P_NODE_GRES, "gpu:h100:8(S:0,1)", {{"CONF022", 15, 17, COMPLAINS}}},
        {PLUMB_P_NODE_GRES, "gpu:4x", {{"CONF022", 4, 6, COMPLAINS}}},
        {PLUMB_P_NODE_GRES, "nic:2,gpu:h100:4x", {{"CONF022", 15, 17, COMPLAINS}}},
        {PLUMB_P_NODE_GRES, "gpu:h100:eight", {{"CONF022", 9, 14, SILENT}}},
        {PLUMB_P_NODE_GRES, "gpu:-4", {{"CONF022", 4, 6, SILENT}}},
        {PLUMB_P_NODE_GRES, "gpu:", {{"CONF022", 0, 4, SILENT}}},
        {PLUMB_P_NODE_GRES, "gpu::4", {{"CONF022", 0, 6, SILENT}}},
        {PLUMB_P_NODE_GRES, "gpu:a:b:4", {{"CONF022", 6, 7, SILENT}}},
        {PLUMB_P_NODE_GRES,
         ":4,gpu:x:y,nic:1q",
         {{"CONF022", 0, 2, COMPLAINS},
          {"CONF022", 9, 10, SILENT},
          {"CONF022", 15, 17, COMPLAINS}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void counts_end_with_their_unit(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_GRES_COUNT, "8", {{0}}},
        {PLUMB_P_GRES_COUNT, "4G", {{0}}},
        {PLUMB_P_GRES_COUNT, "4x", {{"CONF010", 1, 2, STOPS_D}}},
        {PLUMB_P_GRES_COUNT, "-4", {{"CONF011", 0, 2, COMPLAINS_D}}},
        {PLUMB_P_GRES_COUNT, "four", {{"CONF010", 0, 4, STOPS_D}}},
        {PLUMB_P_PART_OVERSUBSCRIBE, "YES:2", {{0}}},
        {PLUMB_P_PART_OVERSUBSCRIBE, "FORCE:1", {{0}}},
        {PLUMB_P_PART_OVERSUBSCRIBE, "YES:1", {{"CONF011", 4, 5, COMPLAINS}}},
        {PLUMB_P_PART_OVERSUBSCRIBE, "yes:x", {{"CONF011", 4, 5, COMPLAINS}}},
        {PLUMB_P_PART_OVERSUBSCRIBE, "FORCE:0", {{"CONF011", 6, 7, COMPLAINS}}},
        {PLUMB_P_PART_OVERSUBSCRIBE, "YES:4x", {{"CONF011", 4, 6, SILENT}}},
        {PLUMB_P_PART_SHARED, "YES:1", {{"CONF011", 4, 5, COMPLAINS}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

static void weights_and_tres_stop_slurmctld(void **state)
{
    static const struct row rows[] = {
        {PLUMB_P_SLURM_PRIORITYWEIGHTTRES, "CPU=1000,Mem=2.5G,GRES/gpu=1e3k", {{0}}},
        {PLUMB_P_SLURM_PRIORITYWEIGHTTRES,
         "CPU=x,Mem=1Q,node=1",
         {{"CONF023", 4, 5, STOPS_CTL}, {"CONF023", 11, 12, STOPS_CTL}}},
        {PLUMB_P_PART_TRESBILLINGWEIGHTS, "CPU=1.0,gpu", {{"CONF023", 8, 11, STOPS_CTL}}},
        {PLUMB_P_PART_TRESBILLINGWEIGHTS, "CPU=", {{"CONF023", 0, 4, STOPS_CTL}}},
        {PLUMB_P_NODE_TRESWEIGHTS, "CPU=1x", {{"CONF023", 5, 6, STOPS_CTL}}},
        {PLUMB_P_NODE_TRESWEIGHTS, "CPU=.5,Mem=1.e2,node=-1,billing=inf", {{0}}},
        {PLUMB_P_NODE_TRESWEIGHTS, "CPU=1e", {{"CONF023", 5, 6, STOPS_CTL}}},
        {PLUMB_P_NODE_TRESWEIGHTS, "CPU=K", {{"CONF023", 4, 5, SILENT}}},
        {PLUMB_P_NODE_TRESWEIGHTS, "CPU=1K5", {{"CONF023", 6, 7, SILENT}}},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETRES,
         "CPU,gres/gpu,gres/gpu:h100,ic/ofed,fs/lustre,license/x,,bb/datawarp",
         {{0}}},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETRES,
         "gres/gpu,foo,gres/,gres",
         {{"CONF024", 9, 12, STOPS_CTL},
          {"CONF024", 13, 18, STOPS_CTL},
          {"CONF024", 19, 23, STOPS_CTL}}},
        {PLUMB_P_NODE_PORT, "6000-6007", {{0}}},
        {PLUMB_P_NODE_PORT, "[6000,6002]", {{0}}},
        {PLUMB_P_SLURM_SLURMCTLDHOST, "ctl(10.0.0.1)", {{0}}},
        {PLUMB_P_SLURM_SLURMCTLDHOST,
         "ctl(10.0.0.1",
         {{"CONF010", 3, 12, PLUMB_EFFECT_STOPS, PLUMB_SLURM_ALL}}},
        {PLUMB_P_NODE_PORT, "0", {{"CONF011", 0, 1, STOPS_ALL}}},
        {PLUMB_P_NODE_PORT, "70000", {{"CONF011", 0, 5, STOPS_ALL}}},
        {PLUMB_P_NODE_PORT, "[6000,abc]", {{"CONF011", 6, 9, STOPS_ALL}}},
        {PLUMB_P_NODE_PORT, "5T", {{"CONF010", 0, 2, PLUMB_EFFECT_IGNORED, PLUMB_SLURMCTLD}}},
        {PLUMB_P_NODE_PORT, "abc", {{"CONF011", 0, 3, STOPS_ALL}}},
        {PLUMB_P_NODE_PORT, "0x10", {{"CONF011", 0, 4, STOPS_ALL}}},
    };

    hold(*state, rows, PLUMB_COUNT(rows));
}

/* PriorityWeightTRES is read by priority/multifactor alone; the default changed in 23.11. */
static void weights_that_nobody_reads_stop_nothing(void **state)
{
    static const struct {
        enum plumb_release release;
        const char *text;
        enum plumb_effect effect;
    } rows[] = {
        {PLUMB_22_05, "PriorityWeightTRES=CPU=x\n", PLUMB_EFFECT_NONE},
        {PLUMB_22_05, "PriorityType=priority/multifactor\nPriorityWeightTRES=CPU=x\n",
         PLUMB_EFFECT_STOPS},
        {PLUMB_24_11, "PriorityWeightTRES=CPU=x\n", PLUMB_EFFECT_STOPS},
        {PLUMB_24_11, "PriorityType=priority/basic\nPriorityWeightTRES=CPU=x\n", PLUMB_EFFECT_NONE},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_conf_options options = {
            .directory = "/nonexistent", .release = rows[i].release, .no_includes = true};
        struct plumb_source *src = fx_source(fx, "slurm.conf", rows[i].text);
        size_t before = 0;

        fx_row(fx, i, rows[i].text);
        before = fx->session.sink.count;
        plumb_conf_check(&fx->session,
                         plumb_conf_read(&fx->session, PLUMB_SLURM_CONF, src, &options),
                         rows[i].release);
        assert_int_equal(fx->session.sink.count, before + 1);
        assert_int_equal(fx->session.sink.items[before]->effect, rows[i].effect);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_of_core_lists_that_are_no_cores_are_told, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(links_are_numbers_with_one_self, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(gres_entries_are_told_as_slurmctld_takes_them, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(counts_end_with_their_unit, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(weights_and_tres_stop_slurmctld, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(weights_that_nobody_reads_stop_nothing, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/check_compound", tests, NULL, NULL);
}
