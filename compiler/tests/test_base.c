/* SPDX-License-Identifier: Apache-2.0 */
/* The base layer: places, numbers, text, maps. */
#include "fixture.h"

#include <string.h>

#include "base/buf.h"
#include "base/bus_id.h"
#include "base/map.h"
#include "base/num.h"
#include "base/text.h"

static void columns_count_characters(void **state)
{
    static const struct {
        uint32_t begin, end;
        uint32_t line, column, end_line, end_column;
    } rows[] = {
        {0, 1, 1, 1, 1, 2}, {3, 4, 1, 3, 1, 4}, /* behind a two-byte character */
        {4, 5, 1, 4, 1, 5},                     /* the line break itself stays on its line */
        {5, 8, 2, 1, 2, 4}, {9, 9, 3, 1, 3, 1}, /* the empty last line */
    };
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "a", "a\xc3\xa4z\nfoo\n");

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_place p = plumb_source_place(
            &fx->session.sources, (struct plumb_span){src->id, rows[i].begin, rows[i].end});

        fx_row(fx, i, "place");
        assert_int_equal(p.line, rows[i].line);
        assert_int_equal(p.column, rows[i].column);
        assert_int_equal(p.end_line, rows[i].end_line);
        assert_int_equal(p.end_column, rows[i].end_column);
    }
}

static void a_slice_points_at_its_part(void **state)
{
    struct fixture *fx = *state;
    struct plumb_source *src = fx_source(fx, "a", "key: \"512GB\"");
    struct plumb_slice s = {
        .text = "512GB", .len = 5, .lead = 1, .at = {src->id, 5, 12}, .map = NULL};
    struct plumb_span unit = plumb_slice_span(&s, 3, 5);

    assert_int_equal(unit.begin, 9);
    assert_int_equal(unit.end, 11);

    struct plumb_slice part = plumb_slice_sub(&s, 3, 5);

    assert_true(plumb_slice_is(&part, "gb"));
    assert_false(plumb_slice_is_exact(&part, "gb"));
}

static void c_numbers_read_as_slurm_reads_them(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } rows[] = {
        {"0", true, 0},
        {"010", true, 8},
        {"0x10", true, 16},
        {"08", false, 0},
        {"", false, 0},
        {"12a", false, 0},
        {"-1", false, 0},
        {"+5", true, 5},
        {"18446744073709551615", true, UINT64_MAX},
        {"0x", false, 0},
        {"18446744073709551616", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        uint64_t v = 0;

        assert_int_equal(plumb_read_c_u64(rows[i].text, strlen(rows[i].text), &v), rows[i].ok);
        if (rows[i].ok)
            assert_int_equal(v, rows[i].value);
    }
}

static void the_nearest_name_is_suggested(void **state)
{
    struct plumb_nearest n = plumb_nearest_to("SlurmdTimout");

    (void)state;
    plumb_nearest_offer(&n, "SlurmctldTimeout");
    plumb_nearest_offer(&n, "SlurmdTimeout");
    plumb_nearest_offer(&n, "KillWait");
    assert_string_equal(n.best, "SlurmdTimeout");

    n = plumb_nearest_to("partitoins");
    plumb_nearest_offer(&n, "partitions");
    assert_string_equal(n.best, "partitions");

    n = plumb_nearest_to("zzz");
    plumb_nearest_offer(&n, "nodes");
    assert_null(n.best);
}

static void maps_keep_the_order_of_insertion(void **state)
{
    struct fixture *fx = *state;
    struct plumb_map m = plumb_map_in(fx->arena);

    assert_null(plumb_map_get(&m, "k"));
    for (int i = 999; i >= 0; i--)
        plumb_map_set(&m, plumb_arena_printf(fx->arena, "k%d", i), fx);
    assert_int_equal(m.count, 1000);
    assert_string_equal(m.entries[0].key, "k999");
    assert_string_equal(m.entries[999].key, "k0");
    assert_ptr_equal(plumb_map_get(&m, "k512"), fx);
    assert_null(plumb_map_get(&m, "k1000"));
}

static void interned_text_has_one_address(void **state)
{
    struct fixture *fx = *state;
    const char *a = plumb_intern_str(fx->session.intern, "gpu");

    for (int i = 0; i < 2000; i++)
        (void)plumb_intern_str(fx->session.intern, plumb_arena_printf(fx->arena, "x%d", i));
    assert_ptr_equal(a, plumb_intern_text(fx->session.intern, "gpu-", 3));
}

static void releases_are_read_with_a_patch_level(void **state)
{
    (void)state;
    assert_int_equal(plumb_release_read("24.11", 5), PLUMB_24_11);
    assert_int_equal(plumb_release_read("24.11.5", 7), PLUMB_24_11);
    assert_int_equal(plumb_release_read("24.11.", 6), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_read("24.1", 4), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_read("24.11-5", 7), PLUMB_RELEASE_NONE);
}

static void releases_stand_in_the_tag_of_an_image(void **state)
{
    (void)state;
    assert_int_equal(plumb_release_of_image("ghcr.io/slinkyproject/slurmd:25.11-ubuntu24.04"),
                     PLUMB_25_11);
    assert_int_equal(plumb_release_of_image("r/slurmd:24.05@sha256:2605"), PLUMB_24_05);
    assert_int_equal(plumb_release_of_image("r/slurmctld:4.1.7-noble-slurm25.11.3"), PLUMB_25_11);
    assert_int_equal(plumb_release_of_image("r/slurmd:5.0.0-slurm26.05.3-n-2"), PLUMB_26_05);
    assert_int_equal(plumb_release_of_image("r/slurmctld:4.1.7"), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_of_image("r/slurmctld:4.1.7-slurm25"), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_of_image("r/slurm25.11:4.1.7"), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_of_image("r:25.11/slurmd"), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_of_image("r/slurmd@sha256:25.11"), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_of_image("r/slurmd:25"), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_of_image("25.11-ubuntu24.04"), PLUMB_RELEASE_NONE);
    assert_int_equal(plumb_release_of_image(NULL), PLUMB_RELEASE_NONE);
}

static void parts_of_made_text_stand_at_the_whole_place(void **state)
{
    struct plumb_slice s = {.text = "10080",
                            .len = 5,
                            .lead = PLUMB_SLICE_MADE,
                            .at = {.file = 1, .begin = 7, .end = 13}};
    struct plumb_slice part = plumb_slice_sub(&s, 1, 3);
    struct plumb_span at = plumb_slice_span(&part, 0, 1);

    (void)state;
    assert_int_equal(part.len, 2);
    assert_int_equal(at.begin, 7);
    assert_int_equal(at.end, 13);
}

static void bus_ids_are_read_in_the_form_of_the_kernel(void **state)
{
    static const struct {
        const char *text, *id; /* NULL: it is none */
    } rows[] = {
        {"0000:1b:00.0", "0000:1b:00.0"},
        {"00000000:1B:00.0", "0000:1b:00.0"},  /* nvidia-smi */
        {"00010000:e1:1f.7", "10000:e1:1f.7"}, /* a VMD's domain */
        {"0000FFFF:FF:01.0", "ffff:ff:01.0"},
        {"1b:00.0", NULL}, /* lspci without a domain */
        {"000:1b:00.0", NULL},
        {"000000000:1b:00.0", NULL},
        {"0000:1b:00.8", NULL}, /* three bits */
        {"0000:1b:00:0", NULL},
        {"0000:1b:00.0 ", NULL},
        {"0000:1g:00.0", NULL},
        {"", NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        char id[PLUMB_BUS_ID_SIZE] = "";

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_bus_id_read(rows[i].text, strlen(rows[i].text), id),
                         rows[i].id != NULL);
        assert_string_equal(id, rows[i].id == NULL ? "" : rows[i].id);
    }
    assert_true(plumb_bus_id_order("f000:1b:00.0", "10000:00:00.0") < 0);
    assert_true(plumb_bus_id_order("0001:00:00.0", "0000:ff:00.0") > 0);
    assert_int_equal(plumb_bus_id_order("0000:1b:00.0", "0000:1b:00.0"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bus_ids_are_read_in_the_form_of_the_kernel, fx_setup,
                                        fx_teardown),
        cmocka_unit_test(parts_of_made_text_stand_at_the_whole_place),
        cmocka_unit_test_setup_teardown(columns_count_characters, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_slice_points_at_its_part, fx_setup, fx_teardown),
        cmocka_unit_test(c_numbers_read_as_slurm_reads_them),
        cmocka_unit_test(the_nearest_name_is_suggested),
        cmocka_unit_test_setup_teardown(maps_keep_the_order_of_insertion, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(interned_text_has_one_address, fx_setup, fx_teardown),
        cmocka_unit_test(releases_are_read_with_a_patch_level),
        cmocka_unit_test(releases_stand_in_the_tag_of_an_image),
    };

    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
