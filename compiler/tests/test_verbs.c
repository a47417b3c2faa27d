/* SPDX-License-Identifier: Apache-2.0 */
/* The listing of RDMA device files. */
#include "fixture.h"

#include <string.h>

#include "capture/verbs.h"

static void listings_are_read(void **state)
{
    static const struct {
        const char *text;
        size_t count; /* 0: refused */
        unsigned line, column;
        uint32_t number; /* of the last row */
        const char *device;
    } rows[] = {
        {"/sys/class/infiniband_verbs/uverbs0/ibdev:mlx5_0\n", 1, 0, 0, 0, "mlx5_0"},
        {"uverbs0/ibdev:mlx5_1\nuverbs1/ibdev:mlx5_0\n", 2, 0, 0, 1, "mlx5_0"},
        {"# of gpu-01\n\n  uverbs12/ibdev:rocep65s0f1 \r\n", 1, 0, 0, 12, "rocep65s0f1"},
        {"uverbs0/ibdev:irdma-mkey0", 1, 0, 0, 0, "irdma-mkey0"},
        {"uverbs0/ibdev:mlx5_0\nuverbs/ibdev:mlx5_1\n", 0, 2, 1, 0, NULL},
        {"uverbs0/ibdev:\n", 0, 1, 1, 0, NULL},
        {"uverbs0/ibdev:mlx5 0\n", 0, 1, 1, 0, NULL},
        {"uverbs0/dev:231:192\n", 0, 1, 1, 0, NULL},
        {"  xuverbs0/ibdev:mlx5_0\n", 0, 1, 3, 0, NULL},
        {"uverbs1048576/ibdev:mlx5_0\n", 0, 1, 1, 0, NULL},
        {"uverbs99999999999999999999/ibdev:mlx5_0\n", 0, 1, 1, 0, NULL},
        {"uverbs0/ibdev:mlx5_0\nuverbs0/ibdev:mlx5_1\n", 0, 2, 1, 0, NULL},
        {"uverbs0/ibdev:mlx5_0\nuverbs1/ibdev:mlx5_0\n", 0, 2, 1, 0, NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);

        struct plumb_verbs_table *t =
            plumb_verbs_read(&fx->session, fx_source(fx, "infiniband-verbs.txt", rows[i].text));

        if (rows[i].count == 0) {
            assert_null(t);
            fx_expect_at(fx, "HW047", rows[i].line, rows[i].column);
            continue;
        }
        fx_expect_nothing_else(fx);
        assert_true(plumb_verbs_sniff(rows[i].text, strlen(rows[i].text)));
        assert_int_equal(t->count, rows[i].count);
        assert_int_equal(t->items[t->count - 1].number.n, rows[i].number);
        assert_string_equal(t->items[t->count - 1].device.text, rows[i].device);
    }
}

static void other_text_is_no_listing(void **state)
{
    static const char *const rows[] = {
        "", "# nothing\n", "mlx5_0\n", "CA 'mlx5_0'\n", "NodeName=uverbs0\n", "uverbs\n"};

    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++)
        assert_false(plumb_verbs_sniff(rows[i], strlen(rows[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(listings_are_read, fx_setup, fx_teardown),
        cmocka_unit_test(other_text_is_no_listing),
    };

    return cmocka_run_group_tests_name("capture/verbs", tests, NULL, NULL);
}
