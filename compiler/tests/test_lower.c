/* SPDX-License-Identifier: Apache-2.0 */
/* The passes lower and print: when a build makes files, and when it makes none. */
#include "fixture.h"

#include <string.h>

#include "emit/manifest.h"
#include "emit/print.h"
#include "passes/pass.h"

static const struct plumb_rule some_rule = {.code = "TEST001", .name = "test"};

struct bench {
    struct fixture *fx;
    struct plumb_model model;
    struct plumb_run run;
    struct plumb_source *src;
};

static struct bench *make_bench(void **state)
{
    struct fixture *fx = *state;
    struct bench *b = PLUMB_NEW(fx->arena, struct bench);

    b->fx = fx;
    b->src = fx_source(fx, "cluster.yaml", "plumb: 1\ncluster: test\nhosts: cp-01\nraw: x\n");
    b->model.release = PLUMB_24_11;
    b->model.from_spec = true;
    b->model.spec_path = "cluster.yaml";
    b->model.cluster =
        (struct plumb_text){.v = "test", .at = {b->src->id, 18, 22}, .origin = PLUMB_GIVEN};
    b->model.controllers = PLUMB_NEW(fx->arena, struct plumb_host);
    b->model.controllers[0].name =
        (struct plumb_text){.v = "cp-01", .at = {b->src->id, 30, 35}, .origin = PLUMB_GIVEN};
    b->model.controller_count = 1;
    b->run = (struct plumb_run){
        .session = &fx->session,
        .model = &b->model,
        .facts = PLUMB_FACT_MODEL | PLUMB_FACT_CHECKED,
        .want_outputs = true,
    };
    return b;
}

static void report(struct bench *b, enum plumb_severity severity)
{
    struct plumb_diag *d =
        plumb_diag_new(&b->fx->session.sink, &some_rule, (struct plumb_span){0}, "a fault");

    plumb_diag_severity(d, severity);
}

static void run(struct bench *b)
{
    plumb_pass_lower(&b->run);
    plumb_pass_print(&b->run);
    plumb_pass_finish(&b->run);
}

static size_t files(const struct bench *b)
{
    return b->run.outputs == NULL ? 0 : b->run.outputs->file_count;
}

static void add_override(struct bench *b, enum plumb_param_id id, const char *value)
{
    struct plumb_settings *s = &b->model.settings[PLUMB_SLURM_CONF];

    s->items =
        plumb_arena_grow(b->fx->arena, s->items, s->count, &s->cap, sizeof(struct plumb_setting));
    s->items[s->count++] = (struct plumb_setting){
        .param = plumb_param(id),
        .value = {.text = value, .len = (uint32_t)strlen(value), .at = {b->src->id, 41, 42}},
        .key_at = {b->src->id, 36, 39},
        .origin = PLUMB_GIVEN,
    };
}

static void a_build_makes_files_that_the_table_engine_accepts(void **state)
{
    struct bench *b = make_bench(state);

    add_override(b, PLUMB_P_SLURM_MINJOBAGE, "300");
    run(b);
    assert_true(files(b) >= 4);
    assert_true(plumb_outputs_has(b->run.outputs, "slurm/slurm.conf"));
    assert_true(plumb_outputs_has(b->run.outputs, PLUMB_MANIFEST_PATH));
    fx_expect_nothing_else(b->fx);
}

static void a_check_makes_none(void **state)
{
    struct bench *b = make_bench(state);

    b->run.want_outputs = false;
    run(b);
    assert_null(b->run.outputs);
}

static void an_error_stops_a_build_unless_it_is_forced(void **state)
{
    static const struct {
        enum plumb_severity severity;
        const char *suppressed;
        bool incomplete, force, made;
    } rows[] = {
        {PLUMB_WARNING, NULL, false, false, true}, {PLUMB_ERROR, NULL, false, false, false},
        {PLUMB_ERROR, NULL, false, true, true},    {PLUMB_ERROR, "known", false, false, true},
        {PLUMB_INFO, NULL, true, false, false},
    };

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct bench *b = make_bench(state);

        fx_row(b->fx, i, "severity");
        report(b, rows[i].severity);
        b->fx->session.sink.items[0]->suppressed = rows[i].suppressed;
        b->fx->session.sink.incomplete = rows[i].incomplete;
        b->run.force_outputs = rows[i].force;
        run(b);
        b->fx->session.sink.incomplete = false;
        if ((files(b) > 0) != rows[i].made)
            fail_msg("row %zu: %zu files", i, files(b));
    }
}

static void targets_are_chosen_by_name(void **state)
{
    static const struct {
        const char *list;
        bool slurm;
    } rows[] = {
        {NULL, true}, {"slurm", true}, {"nccl,slurm", true}, {"slurm,nccl", true}, {"nccl", false},
        {"", false},  {"slur", false}, {"slurms", false},    {"nccl,slu", false},
    };

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct bench *b = make_bench(state);

        b->run.targets = rows[i].list;
        run(b);
        if (plumb_outputs_has(b->run.outputs, "slurm/slurm.conf") != rows[i].slurm)
            fail_msg("'%s'", rows[i].list);
    }
}

static void an_override_that_the_release_does_not_read_is_never_written(void **state)
{
    struct bench *b = make_bench(state);

    add_override(b, PLUMB_P_SLURM_FASTSCHEDULE, "0"); /* stops slurmctld since 20.02 */
    b->run.force_outputs = true;
    run(b);
    assert_int_equal(files(b), 0);
    assert_true(b->fx->session.sink.count > 0);
    assert_int_equal(b->fx->session.sink.items[0]->severity, PLUMB_ERROR);
    assert_int_equal(b->fx->session.sink.items[0]->at.file, b->src->id);
}

/* As when the specification's reader has told it already, and its author has accepted it. */
static void what_is_known_about_an_override_is_not_told_twice(void **state)
{
    struct bench *b = make_bench(state);
    size_t first = 0;

    add_override(b, PLUMB_P_SLURM_FASTSCHEDULE, "0");
    run(b);
    first = b->fx->session.sink.count;
    assert_true(first > 0);
    for (size_t i = 0; i < first; i++)
        b->fx->session.sink.items[i]->suppressed = "known";
    run(b);
    assert_int_equal(b->fx->session.sink.count, first);
    assert_true(files(b) > 0);
}

static void a_class_without_a_topology_file_is_told(void **state)
{
    struct bench *b = make_bench(state);
    struct plumb_hw_gpu gpu = {.index = {0}, .numa = PLUMB_NO(numa)};
    struct plumb_hardware hw = {.gpus = &gpu, .gpu_count = 1};
    struct plumb_nodes nodes = {
        .class_name = "h 100/a",
        .hardware = &hw,
        .at = {b->src->id, 0, 5},
        .hardware_at = {b->src->id, 9, 16},
    };

    b->model.nodes = &nodes;
    b->model.node_count = 1;
    run(b);
    fx_expect(b->fx, "GEN003", 9, 16);
    assert_string_equal(
        b->fx->session.sink.items[0]->message,
        "'nccl/topo-h-100-a.xml' is not made: no capture shows the bus id of GPU 0");
    fx_expect_nothing_else(b->fx);
    assert_false(plumb_outputs_has(b->run.outputs, "nccl/topo-h-100-a.xml"));
    assert_true(plumb_outputs_has(b->run.outputs, "slurm/slurm.conf"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_build_makes_files_that_the_table_engine_accepts),
        TEST(a_check_makes_none),
        TEST(an_error_stops_a_build_unless_it_is_forced),
        TEST(targets_are_chosen_by_name),
        TEST(an_override_that_the_release_does_not_read_is_never_written),
        TEST(what_is_known_about_an_override_is_not_told_twice),
        TEST(a_class_without_a_topology_file_is_told),
    };

    return cmocka_run_group_tests_name("passes/lower", tests, NULL, NULL);
}
