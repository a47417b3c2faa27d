/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of findings: what people, editors and programs see. */
#include "fixture.h"

#include <string.h>

#include "emit/columns.h"
#include "emit/render.h"

static const struct plumb_rule rule = {
    .code = "GRES003",
    .name = "gpu-count",
    .severity = PLUMB_ERROR,
    .effect = PLUMB_EFFECT_DRAINS,
    .daemons = PLUMB_SLURMCTLD,
    .summary = "declared GPU count differs from the capture",
    .ref = "gres.conf(5), Count",
};

static const struct plumb_rule stopping = {
    .code = "CONF001",
    .name = "unknown-parameter",
    .severity = PLUMB_ERROR,
    .effect = PLUMB_EFFECT_STOPS,
    .daemons = PLUMB_SLURM_ALL,
};

static const struct plumb_rule advice = {.code = "SCHED009", .name = "advice"};

static struct plumb_report report_of(struct fixture *fx)
{
    const struct plumb_sink *sink = &fx->session.sink;

    return (struct plumb_report){
        .sources = &fx->session.sources,
        .items = (const struct plumb_diag *const *)sink->items,
        .count = sink->count,
        .prediction = {.release = PLUMB_24_11},
        .version = "0.0.0",
    };
}

/* The place of the first occurrence of a word. */
static struct plumb_span at(const struct plumb_source *src, const char *word)
{
    const char *found = strstr(src->bytes, word);
    uint32_t begin = 0;

    assert_non_null(found);
    begin = (uint32_t)(found - src->bytes);
    return (struct plumb_span){src->id, begin, begin + (uint32_t)strlen(word)};
}

static const char *human(struct fixture *fx)
{
    struct plumb_report r = report_of(fx);
    struct plumb_buf out = plumb_buf_in(fx->arena);

    plumb_render_human(fx->arena, &r, &(struct plumb_render_options){0}, &out);
    return plumb_buf_text(&out);
}

/* The example of the command line's contract. */
static void human_shows_places_in_two_files(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *spec = fx_source(
        fx, "cluster.yaml",
        "plumb: 1\n\n\n\n\n\n\n\n\n  topology: captures/h200\n  gpu: {type: h200, count: 10}\n");
    struct plumb_source *topo = fx_source(fx, "captures/h200/topo.txt", "\tGPU0\nGPU7  NV18\n");
    struct plumb_diag *d = plumb_diag_new(&fx->session.sink, &rule, at(spec, "10"),
                                          "10 GPUs declared for gpu-[001-064], the capture has 8");

    plumb_diag_label(d, "declared here");
    plumb_diag_note(d, at(spec, "captures/h200"), "these 64 nodes use this capture");
    plumb_diag_note(d, at(topo, "GPU7"), "the last of 8 GPUs");
    plumb_diag_fact(d, "slurmctld drains all 64 nodes: gres/gpu count reported lower than "
                       "configured");
    plumb_diag_help(d, "count: 8");
    assert_string_equal(
        human(fx),
        "error[GRES003] gpu-count: 10 GPUs declared for gpu-[001-064], the capture has 8\n"
        "   ┌─ cluster.yaml:11:28\n"
        "10 │   topology: captures/h200\n"
        "   │             ------------- these 64 nodes use this capture\n"
        "11 │   gpu: {type: h200, count: 10}\n"
        "   │                            ^^ declared here\n"
        "   ├─ captures/h200/topo.txt:2:1\n"
        " 2 │ GPU7  NV18\n"
        "   │ ---- the last of 8 GPUs\n"
        "   = slurmctld drains all 64 nodes: gres/gpu count reported lower than configured\n"
        "   = fix: count: 8\n"
        "   = see: plumb explain GRES003\n\n");
}

static void marks_stand_under_what_the_terminal_shows(void **state)
{
    static const struct {
        const char *text, *word, *lines;
    } rows[] = {
        {"a\tbad\n", "bad", "1 │ a       bad\n  │         ^^^\n"},
        {"12345678\tbad\n", "bad", "1 │ 12345678        bad\n  │                 ^^^\n"},
        {"\tx\tbad\n", "\tbad", "1 │         x       bad\n  │          ^^^^^^^^^^\n"},
        {"\xc3\xa9 bad\n", "bad", "1 │ \xc3\xa9 bad\n  │   ^^^\n"},
        {"\xe8\x8a\x82\xe7\x82\xb9=bad\n", "bad",
         "1 │ \xe8\x8a\x82\xe7\x82\xb9=bad\n  │      ^^^\n"},         /* two wide characters */
        {"e\xcc\x81 bad\n", "bad", "1 │ e\xcc\x81 bad\n  │   ^^^\n"}, /* a combining accent */
        {"\x1b[2J bad\n", "bad", "1 │ \xef\xbf\xbd[2J bad\n  │      ^^^\n"}, /* no escape */
        {"\xff bad\n", "bad", "1 │ \xef\xbf\xbd bad\n  │   ^^^\n"},
        {"bad\r\nx\r\n", "bad", "1 │ bad\n  │ ^^^\n"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);

        struct plumb_source *src = fx_source(fx, "f", rows[i].text);

        plumb_diag_new(&fx->session.sink, &advice, at(src, rows[i].word), "m");
        if (strstr(human(fx), rows[i].lines) == NULL)
            fail_msg("row %zu: expected\n%sgot\n%s", i, rows[i].lines, human(fx));
    }
}

static void long_lines_are_cut_around_the_mark(void **state)
{
    struct fixture *fx = *state;
    struct plumb_buf text = plumb_buf_in(fx->arena);
    struct plumb_buf left = plumb_buf_in(fx->arena);

    plumb_buf_fill(&text, 'x', 500);
    plumb_buf_str(&text, "bad");
    plumb_buf_fill(&text, 'y', 500);

    struct plumb_source *src = fx_source(fx, "f", plumb_buf_text(&text));

    plumb_diag_new(&fx->session.sink, &advice, at(src, "bad"), "m");
    plumb_buf_str(&left, "1 │ …");
    plumb_buf_fill(&left, 'x', 39);
    plumb_buf_str(&left, "bad");
    plumb_buf_fill(&left, 'y', 57);
    plumb_buf_str(&left, "…\n  │ ");
    plumb_buf_fill(&left, ' ', 40);
    plumb_buf_str(&left, "^^^\n");
    if (strstr(human(fx), plumb_buf_text(&left)) == NULL)
        fail_msg("expected\n%sgot\n%s", plumb_buf_text(&left), human(fx));
}

static void places_of_several_lines_are_marked_at_both_ends(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "f", "a: [1,\n  2,\n  3,\n  4]\n");
    struct plumb_span span = {src->id, 3, 21};
    struct plumb_diag *d = plumb_diag_new(&fx->session.sink, &advice, span, "m");

    plumb_diag_label(d, "this list\nis long");
    assert_non_null(strstr(human(fx), "  ┌─ f:1:4\n"
                                      "1 │ a: [1,\n"
                                      "  │    ^^^\n"
                                      "  ⋮\n"
                                      "4 │   4]\n"
                                      "  │   ^^ this list\n"
                                      "  │      is long\n"));
}

static void what_daemons_do_is_told_once(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "f", "x\n");

    plumb_diag_new(&fx->session.sink, &stopping, at(src, "x"), "m");
    assert_non_null(strstr(human(fx), "  = slurmctld and slurmd 24.11 stop\n"));
    fx_row(fx, 0, NULL);
    plumb_diag_new(&fx->session.sink, &stopping, at(src, "x"), "slurmctld 24.11 stops");
    assert_null(strstr(human(fx), "  = slurmctld"));
}

static void a_safe_edit_is_told_in_words(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "f", "old=1\n");

    plumb_diag_edit(plumb_diag_new(&fx->session.sink, &advice, at(src, "old"), "m"), at(src, "old"),
                    true, "new");
    assert_non_null(strstr(human(fx), "  = fix: write 'new' for 'old'\n"));
    fx_row(fx, 0, NULL);
    plumb_diag_edit(plumb_diag_new(&fx->session.sink, &advice, at(src, "old"), "m"), at(src, "old"),
                    false, "new");
    assert_null(strstr(human(fx), "fix:"));
}

static void compact_is_one_line_a_finding(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "dir/f", "ab\ncd\n");
    struct plumb_report r;
    struct plumb_buf out = plumb_buf_in(fx->arena);

    plumb_diag_new(&fx->session.sink, &rule, at(src, "b"), "one\nline");
    plumb_diag_new(&fx->session.sink, &rule, (struct plumb_span){src->id, 1, 4}, "two lines");
    plumb_diag_new(&fx->session.sink, &rule, (struct plumb_span){src->id, 3, 3}, "a point");
    plumb_diag_new(&fx->session.sink, &rule, (struct plumb_span){0}, "nowhere");
    r = report_of(fx);
    plumb_render_compact(fx->arena, &r, &(struct plumb_render_options){.max_findings = 3}, &out);
    assert_string_equal(plumb_buf_text(&out), "dir/f:1:2-3: error[GRES003] one\\nline\n"
                                              "dir/f:1:2-2:2: error[GRES003] two lines\n"
                                              "dir/f:2:1: error[GRES003] a point\n"
                                              "1 more findings are not shown\n");
}

static void json_holds_what_programs_need(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "f", "n: 10\n");
    struct plumb_report r;
    struct plumb_buf out = plumb_buf_in(fx->arena);
    struct plumb_diag *d = plumb_diag_new(&fx->session.sink, &rule, at(src, "10"), "bad \xff");

    plumb_diag_edit(d, at(src, "10"), true, "8");
    plumb_diag_object(d, "node", "gpu-[1-2]", 2);
    r = report_of(fx);
    r.predicted = true;
    r.prediction.slurmctld = PLUMB_COMPLAINT;
    plumb_render_json(fx->arena, &r, &(struct plumb_render_options){0}, &out);

    static const char *const parts[] = {
        "\"code\": \"GRES003\"",
        "\"column\": 4",
        "\"end_column\": 6",
        "\"file\": \"f\"",
        "\"message\": \"bad \xef\xbf\xbd\"",
        "\"effect\": \"drains\"",
        "\"slurmctld\": \"complaint\"",
        "\"slurmd\": null",
        "\"release\": \"24.11\"",
        "\"safe\": true",
        "\"text\": \"8\"",
        "\"name\": \"gpu-[1-2]\"",
        "\"count\": 2",
        "\"fingerprint\": \"",
    };

    for (size_t i = 0; i < PLUMB_COUNT(parts); i++) {
        if (strstr(plumb_buf_text(&out), parts[i]) == NULL)
            fail_msg("no %s in\n%s", parts[i], plumb_buf_text(&out));
    }
}

/* The 16 digits behind the first "fingerprint". */
static const char *first_print(struct fixture *fx, const char *text)
{
    struct plumb_source *src = fx_source(fx, "f", text);
    struct plumb_buf out = plumb_buf_in(fx->arena);
    struct plumb_report r;
    const char *found = NULL;

    fx->session.sink.count = 0;
    plumb_diag_new(&fx->session.sink, &rule, at(src, "bad"), "m");
    r = report_of(fx);
    plumb_render_json(fx->arena, &r, &(struct plumb_render_options){0}, &out);
    found = strstr(plumb_buf_text(&out), "\"fingerprint\": \"");
    assert_non_null(found);
    return plumb_arena_strndup(fx->arena, found + strlen("\"fingerprint\": \""), 16);
}

static void fingerprints_do_not_depend_on_lines(void **state)
{
    struct fixture *fx = *state;
    const char *print = first_print(fx, "key: bad\n");

    assert_string_equal(print, first_print(fx, "\n\n   key:   bad\n"));
    assert_string_not_equal(print, first_print(fx, "other: bad\n"));
}

static void daemons_are_predicted_from_the_worst_effect(void **state)
{
    struct fixture *fx = *state;
    struct plumb_sink *sink = &fx->session.sink;
    struct plumb_span nowhere = {0};

    assert_int_equal(plumb_predict(sink, PLUMB_SLURMCTLD), PLUMB_ACCEPTED);
    plumb_diag_new(sink, &advice, nowhere, "m");
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMCTLD), PLUMB_ACCEPTED);
    assert_false(plumb_predict_drain(sink));
    plumb_diag_new(sink, &rule, nowhere, "m"); /* drains nodes: slurmctld itself is content */
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMCTLD), PLUMB_ACCEPTED);
    assert_true(plumb_predict_drain(sink));
    plumb_diag_effect(plumb_diag_new(sink, &rule, nowhere, "m"), PLUMB_EFFECT_COMPLAINS,
                      PLUMB_SLURMCTLD);
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMCTLD), PLUMB_COMPLAINT);
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMD), PLUMB_ACCEPTED);
    plumb_diag_new(sink, &stopping, nowhere, "m")->suppressed = "accepted by the user";
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMCTLD), PLUMB_REFUSED);
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMD), PLUMB_REFUSED);
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMDBD), PLUMB_ACCEPTED);
}

static void a_daemon_that_drains_may_complain_too(void **state)
{
    struct fixture *fx = *state;
    struct plumb_sink *sink = &fx->session.sink;
    struct plumb_diag *d = plumb_diag_new(sink, &rule, (struct plumb_span){0}, "m");

    plumb_diag_other(d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMCTLD), PLUMB_ACCEPTED);
    plumb_diag_other(d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD | PLUMB_SLURMCTLD);
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMCTLD), PLUMB_COMPLAINT);
    assert_int_equal(plumb_predict(sink, PLUMB_SLURMD), PLUMB_COMPLAINT);
    assert_true(plumb_predict_drain(sink));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_daemon_that_drains_may_complain_too, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(human_shows_places_in_two_files, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(marks_stand_under_what_the_terminal_shows, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(long_lines_are_cut_around_the_mark, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(places_of_several_lines_are_marked_at_both_ends, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_daemons_do_is_told_once, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_safe_edit_is_told_in_words, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(compact_is_one_line_a_finding, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(json_holds_what_programs_need, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(fingerprints_do_not_depend_on_lines, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(daemons_are_predicted_from_the_worst_effect, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("emit/render", tests, NULL, NULL);
}
