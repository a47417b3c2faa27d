/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of small numbers, and what a machine means for gres.conf. */
#include "fixture.h"

#include <string.h>

#include "model/bits.h"
#include "model/hardware.h"

static void bit_lists_are_read_and_written(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        size_t fault;
        uint32_t count;
        const char *back;
    } rows[] = {
        {"0", true, 0, 1, "0"},         {"0-3,8", true, 0, 5, "0-3,8"},
        {"8,0-3", true, 0, 5, "0-3,8"}, {"16-30:2", true, 0, 7, "16,18,20,22,24,26,28"},
        {"63-64", true, 0, 2, "63-64"}, {"1-1", true, 0, 1, "1"},
        {"65536", true, 0, 1, "65536"}, {"65537", false, 0, 0, ""},
        {"3-1", false, 0, 0, ""},       {"0,3-1", false, 2, 0, ""},
        {"0-", false, 2, 0, ""},        {"", false, 0, 0, ""},
        {"0,", false, 2, 0, ""},        {"0-7:0", false, 4, 0, ""},
        {"0 1", false, 1, 0, ""},       {"99999999999999999999", false, 0, 0, ""},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice text = fx_slice(fx, rows[i].text);
        struct plumb_bits bits;
        struct plumb_buf out = plumb_buf_in(fx->arena);
        size_t fault = 99;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_bits_read(fx->arena, &text, &bits, &fault), rows[i].ok);
        if (!rows[i].ok) {
            assert_int_equal(fault, rows[i].fault);
            continue;
        }
        plumb_bits_text(&bits, &out);
        assert_int_equal(plumb_bits_count(&bits), rows[i].count);
        assert_string_equal(plumb_buf_text(&out), rows[i].back);
    }
}

static void masks_are_written_highest_group_first(void **state)
{
    static const struct {
        uint32_t lo, hi;
        const char *mask;
    } rows[] = {
        {0, 0, "00000001"},
        {31, 31, "80000000"},
        {32, 63, "ffffffff,00000000"},
        {64, 67, "0000000f,00000000,00000000"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_bits bits = {0};
        struct plumb_buf out = plumb_buf_in(fx->arena);

        plumb_bits_set(fx->arena, &bits, rows[i].lo, rows[i].hi);
        plumb_bits_mask(&bits, &out);
        assert_string_equal(plumb_buf_text(&out), rows[i].mask);
    }
}

static void sets_of_unlike_length_compare(void **state)
{
    struct fixture *fx = *state;
    struct plumb_bits small = {0}, large = {0}, empty = {0};

    plumb_bits_set(fx->arena, &small, 3, 5);
    plumb_bits_set(fx->arena, &large, 3, 5);
    plumb_bits_set(fx->arena, &large, 500, 500);
    assert_false(plumb_bits_equal(&small, &large));
    assert_true(plumb_bits_within(&small, &large));
    assert_false(plumb_bits_within(&large, &small));
    assert_true(plumb_bits_overlap(&large, &small));
    assert_false(plumb_bits_overlap(&large, &empty));
    assert_true(plumb_bits_empty(&empty));
    assert_int_equal(plumb_bits_last(&large), 500);
    assert_int_equal(plumb_bits_last(&empty), UINT32_MAX);
    assert_int_equal(plumb_bits_next(&large, 6), 500);
    assert_int_equal(plumb_bits_next(&large, 501), UINT32_MAX);
}

/* Facts: two sockets of 16 cores as 8 NUMA nodes of 4; a GPU near node 3 (cores 12-15). */
static void cores_follow_the_whole_socket_law(void **state)
{
    static const struct {
        uint32_t lo, hi;
        enum plumb_hw_socket_kind kind;
        const char *cores; /* NULL: none */
    } rows[] = {
        {12, 15, PLUMB_SOCKET_PACKAGE, "0-15"}, /* widened to its socket */
        {0, 15, PLUMB_SOCKET_PACKAGE, "0-15"},  {16, 31, PLUMB_SOCKET_PACKAGE, "16-31"},
        {12, 19, PLUMB_SOCKET_PACKAGE, "0-31"}, /* cuts both sockets */
        {12, 15, PLUMB_SOCKET_NUMA, "12-15"},   {28, 31, PLUMB_SOCKET_NUMA, "28-31"},
        {0, 7, PLUMB_SOCKET_NUMA, "0-31"}, /* two of eight: only all is taken from 25.11 on */
        {0, 7, PLUMB_SOCKET_L3, NULL},     /* does not apply to this machine */
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_hw_gpu gpu = {0};
        struct plumb_hardware hw = {.gpus = &gpu, .gpu_count = 1};
        struct plumb_cores cores;
        struct plumb_buf out = plumb_buf_in(fx->arena);

        hw.sockets[PLUMB_SOCKET_PACKAGE] = (struct plumb_hw_sockets){2, 16, false};
        hw.sockets[PLUMB_SOCKET_NUMA] = (struct plumb_hw_sockets){8, 4, false};
        plumb_cores_add_range(fx->arena, &gpu.cores, (struct plumb_core){rows[i].lo},
                              (struct plumb_core){rows[i].hi});
        fx_row(fx, i, "cores");
        assert_int_equal(
            plumb_hardware_gres_cores(&hw, (struct plumb_gpu){0}, rows[i].kind, fx->arena, &cores),
            rows[i].cores != NULL);
        plumb_cores_text(&cores, &out);
        assert_string_equal(plumb_buf_text(&out), rows[i].cores == NULL ? "" : rows[i].cores);
    }
}

static void links_count_only_direct_neighbours(void **state)
{
    struct fixture *fx = *state;
    struct plumb_hw_gpu gpus[3] = {{.bus_id = NULL}};
    struct plumb_hw_cell cells[9] = {{0}};
    struct plumb_hardware hw = {.gpus = gpus, .gpu_count = 3, .matrix = cells};
    struct plumb_buf mesh = plumb_buf_in(fx->arena), fabric = plumb_buf_in(fx->arena);

    cells[3] = (struct plumb_hw_cell){.relation = PLUMB_REL_NVLINK, .links = 4};
    cells[5] = (struct plumb_hw_cell){.relation = PLUMB_REL_SYS, .links = 0};
    plumb_hardware_links_text(&hw, (struct plumb_gpu){1}, &mesh);
    assert_string_equal(plumb_buf_text(&mesh), "4,-1,0");
    hw.nvswitch = true;
    plumb_hardware_links_text(&hw, (struct plumb_gpu){1}, &fabric);
    assert_string_equal(plumb_buf_text(&fabric), "0,-1,0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bit_lists_are_read_and_written, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(masks_are_written_highest_group_first, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(sets_of_unlike_length_compare, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(cores_follow_the_whole_socket_law, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(links_count_only_direct_neighbours, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("model/bits", tests, NULL, NULL);
}
