/* SPDX-License-Identifier: Apache-2.0 */
/* Slurm's scalar notations (src/common/parse_value.c, parse_time.c, gres.c). */
#include "fixture.h"

#include <string.h>

#include "schema/value.h"

struct number_row {
    const char *text;
    enum plumb_value_fault fault;
    uint64_t value;
};

static void whole_numbers(void **state)
{
    static const struct {
        const char *text;
        unsigned bits;
        enum plumb_value_fault fault;
        uint64_t value;
    } rows[] = {
        {"300", 16, PLUMB_VALUE_OK, 300},
        {"0x10", 16, PLUMB_VALUE_OK, 16},
        {"010", 16, PLUMB_VALUE_OK, 8}, /* octal, as strtoul reads it */
        {"+5", 16, PLUMB_VALUE_OK, 5},
        {" 5", 16, PLUMB_VALUE_OK, 5},
        {"", 16, PLUMB_VALUE_OK, 0},
        {"65535", 16, PLUMB_VALUE_OK, 65535},
        {"65536", 16, PLUMB_VALUE_RANGE, 0},
        {"70000", 32, PLUMB_VALUE_OK, 70000},
        {"4294967296", 32, PLUMB_VALUE_RANGE, 0},
        {"99999999999999999999", 64, PLUMB_VALUE_RANGE, 0},
        {"unlimited", 16, PLUMB_VALUE_OK, PLUMB_UNLIMITED},
        {"INFINITE", 64, PLUMB_VALUE_OK, PLUMB_UNLIMITED},
        {"-1", 16, PLUMB_VALUE_NEGATIVE, 0},
        {"abc", 16, PLUMB_VALUE_SYNTAX, 0},
        {"300s", 16, PLUMB_VALUE_SYNTAX, 0},
        {"08", 16, PLUMB_VALUE_SYNTAX, 0},
        {"4k", 16, PLUMB_VALUE_SYNTAX, 0}, /* no suffix for 16 bits */
        {"4k", 32, PLUMB_VALUE_OK, 4096},
        {"4K", 64, PLUMB_VALUE_OK, 4096},
        {"4194304k", 32, PLUMB_VALUE_RANGE, 0},
        {"2T", 64, PLUMB_VALUE_SYNTAX, 0},
        {"512G", 64, PLUMB_VALUE_SYNTAX, 0},
        {"5 ", 16, PLUMB_VALUE_SYNTAX, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice v = fx_slice(fx, rows[i].text);
        uint64_t got = 1;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_value_uint(&v, rows[i].bits, &got), rows[i].fault);
        if (rows[i].fault == PLUMB_VALUE_OK)
            assert_int_equal(got, rows[i].value);
    }
}

static void booleans(void **state)
{
    static const struct {
        const char *text;
        bool ok, value;
    } rows[] = {
        {"yes", true, true},    {"Up", true, true},    {"TRUE", true, true},   {"1", true, true},
        {"no", true, false},    {"down", true, false}, {"False", true, false}, {"0", true, false},
        {"on", false, false},   {"off", false, false}, {"y", false, false},    {"2", false, false},
        {"yes ", false, false}, {"", false, false},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice v = fx_slice(fx, rows[i].text);
        bool got = false;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_value_bool(&v, &got) == PLUMB_VALUE_OK, rows[i].ok);
        assert_int_equal(got, rows[i].value);
    }
}

static void times(void **state)
{
    static const struct number_row rows[] = {
        {"90", PLUMB_VALUE_OK, 90 * 60}, /* a bare number is minutes */
        {"90:30", PLUMB_VALUE_OK, 90 * 60 + 30},
        {"4:00:00", PLUMB_VALUE_OK, 4 * 3600},
        {"7-0", PLUMB_VALUE_OK, 7 * 86400},
        {"7-25:00:00", PLUMB_VALUE_OK, 7 * 86400 + 25 * 3600}, /* parts are not range checked */
        {"1-2:30", PLUMB_VALUE_OK, 86400 + 2 * 3600 + 30 * 60},
        {"14-", PLUMB_VALUE_OK, 14 * 86400},
        {"-1", PLUMB_VALUE_OK, PLUMB_UNLIMITED},
        {"infinite", PLUMB_VALUE_OK, PLUMB_UNLIMITED},
        {"Unlimited", PLUMB_VALUE_OK, PLUMB_UNLIMITED},
        {"soon", PLUMB_VALUE_SYNTAX, 0},
        {"", PLUMB_VALUE_SYNTAX, 0},
        {"-2", PLUMB_VALUE_SYNTAX, 0},
        {"1:2:3:4", PLUMB_VALUE_SYNTAX, 0},
        {"1:", PLUMB_VALUE_SYNTAX, 0},
        {":1", PLUMB_VALUE_SYNTAX, 0},
        {"1:00-2", PLUMB_VALUE_SYNTAX, 0}, /* the dash stands before any colon */
        {"1-2-3", PLUMB_VALUE_SYNTAX, 0},
        {"4h", PLUMB_VALUE_SYNTAX, 0},
        {"1 day", PLUMB_VALUE_SYNTAX, 0},
        {"99999-0", PLUMB_VALUE_RANGE, 0},
        {"99999999999999999999", PLUMB_VALUE_RANGE, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice v = fx_slice(fx, rows[i].text);
        uint64_t got = 1;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_value_seconds(&v, &got), rows[i].fault);
        if (rows[i].fault == PLUMB_VALUE_OK)
            assert_int_equal(got, rows[i].value);
    }
}

static void minutes_round_up_and_print(void **state)
{
    static const struct {
        const char *text;
        uint64_t minutes;
        const char *printed;
    } rows[] = {
        {"0:01", 1, "00:01:00"},     {"4:00:00", 240, "04:00:00"},
        {"1-0", 1440, "1-00:00:00"}, {"7-12:30:01", 10831, "7-12:31:00"},
        {"0", 0, "00:00:00"},        {"INFINITE", PLUMB_UNLIMITED, "UNLIMITED"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice v = fx_slice(fx, rows[i].text);
        struct plumb_buf out = plumb_buf_in(fx->arena);
        uint64_t got = 0;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_value_minutes(&v, &got), PLUMB_VALUE_OK);
        assert_int_equal(got, rows[i].minutes);
        plumb_value_write_minutes(&out, got);
        assert_string_equal(plumb_buf_text(&out), rows[i].printed);
    }
}

/* Those that a Slurm was seen to refuse as negative, to take, or to take for 0. */
static void what_is_left_of_minutes_that_wrap(void **state)
{
    static const struct {
        const char *text;
        int32_t kept;
    } rows[] = {
        {"35791394", -35791393},    {"71582789", 1},     {"4294967293", -2},
        {"2147483648", 0},          {"71582786:16", -1}, {"9999999999999999999999", 0},
        {"99999999-00", -24571431},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice v = fx_slice(fx, rows[i].text);
        uint64_t got = 0;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_value_minutes(&v, &got), PLUMB_VALUE_RANGE);
        assert_int_equal(plumb_value_minutes_kept(&v), rows[i].kept);
    }
}

static void counts(void **state)
{
    static const struct number_row rows[] = {
        {"8", PLUMB_VALUE_OK, 8},
        {"4k", PLUMB_VALUE_OK, 4096},
        {"4KiB", PLUMB_VALUE_OK, 4096},
        {"4KB", PLUMB_VALUE_OK, 4000},
        {"2M", PLUMB_VALUE_OK, 2 * 1024 * 1024},
        {"1gb", PLUMB_VALUE_OK, 1000000000},
        {"1P", PLUMB_VALUE_OK, UINT64_C(1) << 50},
        {"010", PLUMB_VALUE_OK, 10}, /* decimal here */
        {"99999999P", PLUMB_VALUE_RANGE, 0},
        {"", PLUMB_VALUE_SYNTAX, 0},
        {"K", PLUMB_VALUE_SYNTAX, 0},
        {"4X", PLUMB_VALUE_SYNTAX, 0},
        {"4KX", PLUMB_VALUE_SYNTAX, 0},
        {"eight", PLUMB_VALUE_SYNTAX, 0},
        {"-1", PLUMB_VALUE_SYNTAX, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice v = fx_slice(fx, rows[i].text);
        uint64_t got = 1;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_value_count(&v, &got), rows[i].fault);
        if (rows[i].fault == PLUMB_VALUE_OK)
            assert_int_equal(got, rows[i].value);
    }
}

static void decimals(void **state)
{
    static const struct {
        const char *text;
        bool ok;
    } rows[] = {
        {"100", true}, {"99.5", true},      {".5", true},  {"5.", true},   {"-1", true},
        {"1e3", true}, {"UNLIMITED", true}, {"", true},    {"10%", false}, {"abc", false},
        {"1e", false}, {".", false},        {"5 ", false},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice v = fx_slice(fx, rows[i].text);

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_value_float(&v) == PLUMB_VALUE_OK, rows[i].ok);
    }
}

static void lists_are_walked_with_spans(void **state)
{
    struct fixture *fx = *state;
    struct plumb_slice list = fx_slice(fx, "a, b,,c");
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    static const struct {
        uint32_t begin, end;
    } items[] = {{0, 1}, {2, 4}, {6, 7}}; /* the blank stays, the empty item is skipped */

    for (size_t i = 0; i < PLUMB_COUNT(items); i++) {
        assert_true(plumb_list_next(&list, ',', &c, &item));
        assert_int_equal(item.at.begin, items[i].begin);
        assert_int_equal(item.at.end, items[i].end);
    }
    assert_false(plumb_list_next(&list, ',', &c, &item));
    assert_true(c.done);
}

static void options_of_a_list_are_found(void **state)
{
    struct fixture *fx = *state;
    struct plumb_slice list = fx_slice(fx, "defer,bf_window=4320,bf_interval=abc,BF_continue");
    struct plumb_slice item;
    uint64_t n = 0;

    assert_true(plumb_list_u64(&list, "bf_window=", &item, &n));
    assert_int_equal(n, 4320);
    assert_int_equal(item.at.begin, 6);
    assert_int_equal(item.at.end, 20);
    assert_false(plumb_list_u64(&list, "bf_interval=", &item, &n));
    assert_int_equal(item.at.begin, 21);
    assert_false(plumb_list_u64(&list, "bf_resolution=", &item, &n));
    assert_int_equal(item.len, 0);
    assert_true(plumb_list_find(&list, "bf_continue", NULL));

    list = fx_slice(fx, "bf_max_job_user=200G"); /* atoi */
    assert_true(plumb_list_u64(&list, "bf_max_job_user=", &item, &n));
    assert_int_equal(n, 200);
    assert_false(plumb_list_find(&list, "bf_window", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_numbers, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(booleans, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(times, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(minutes_round_up_and_print, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(what_is_left_of_minutes_that_wrap, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(counts, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(decimals, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(lists_are_walked_with_spans, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(options_of_a_list_are_found, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("schema/value", tests, NULL, NULL);
}
