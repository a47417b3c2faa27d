/* SPDX-License-Identifier: Apache-2.0 */
/* MIG: products, profiles, and what can be placed. Numbers are those of NVIDIA's MIG user guide. */
#include "fixture.h"

#include <string.h>

#include "base/num.h"
#include "model/mig.h"

static void products_have_their_profiles(void **state)
{
    static const struct {
        const char *model, *first, *last; /* NULL: not in the table */
    } rows[] = {
        {"NVIDIA A100-SXM4-40GB", "1g.5gb", "7g.40gb"},
        {"A100-PCIE-40GB", "1g.5gb", "7g.40gb"},
        {"NVIDIA A100-SXM4-80GB", "1g.10gb", "7g.80gb"},
        {"NVIDIA A100 80GB PCIe", "1g.10gb", "7g.80gb"},
        {"NVIDIA A800-SXM4-80GB", "1g.10gb", "7g.80gb"},
        {"NVIDIA A30", "1g.6gb", "4g.24gb"},
        {"NVIDIA H100 80GB HBM3", "1g.10gb", "7g.80gb"},
        {"nvidia_h100_80gb_hbm3", "1g.10gb", "7g.80gb"},
        {"NVIDIA H100 PCIe", "1g.10gb", "7g.80gb"},
        {"NVIDIA H100 NVL", "1g.12gb", "7g.94gb"},
        {"NVIDIA H20", "1g.12gb", "7g.96gb"},
        {"NVIDIA GH200 480GB", "1g.12gb", "7g.96gb"},
        {"NVIDIA GH200 144G HBM3e", "1g.18gb", "7g.144gb"},
        {"NVIDIA H200", "1g.18gb", "7g.141gb"},
        {"NVIDIA H200 NVL", "1g.18gb", "7g.141gb"},
        {"NVIDIA B200", "1g.23gb", "7g.180gb"},
        {"NVIDIA GB200", "1g.23gb", "7g.186gb"},
        {"NVIDIA H20-3e", NULL, NULL},
        {"NVIDIA B300 SXM6 AC", "1g.34gb", "7g.269gb"},
        {"NVIDIA GB300", "1g.35gb", "7g.278gb"},
        {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "1g.24gb", "4g.96gb+gfx"},
        {"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "1g.24gb", "4g.96gb+gfx"},
        {"NVIDIA RTX PRO 4500 Blackwell", NULL, NULL},
        {"NVIDIA RTX 6000 Ada Generation", NULL, NULL},
        {"NVIDIA L40S", NULL, NULL},
        {"NVIDIA DGX Display", NULL, NULL},
        {"NVIDIA A100", NULL, NULL}, /* 40 or 80 GB: not told */
        {NULL, NULL, NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_mig_card *card = plumb_mig_card(rows[i].model);

        fx_row(fx, i, rows[i].model != NULL ? rows[i].model : "NULL");
        assert_int_equal(card != NULL, rows[i].first != NULL);
        if (card == NULL)
            continue;
        assert_string_equal(card->profiles[0].name, rows[i].first);
        assert_string_equal(card->profiles[card->profile_count - 1].name, rows[i].last);
        assert_true(card->profile_count <= PLUMB_MIG_PROFILES);
    }
}

/* The number of instances that the table says is the number that can be placed. */
static void as_many_fit_as_the_table_says(void **state)
{
    static const char *const models[] = {"A100 40GB", "A30",   "H100 NVL",
                                         "H200",      "B200",  "GB200",
                                         "B300",      "GB300", "RTX PRO 6000 Blackwell"};
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(models); i++) {
        const struct plumb_mig_card *card = plumb_mig_card(models[i]);

        for (size_t p = 0; p < card->profile_count; p++) {
            struct plumb_mig_want want = {&card->profiles[p], card->profiles[p].max};

            fx_row(fx, i, card->profiles[p].name);
            assert_true(plumb_mig_fits(fx->arena, card, 1, &want, 1));
            want.count = 8 * (uint64_t)want.profile->max;
            assert_true(plumb_mig_fits(fx->arena, card, 8, &want, 1));
            want.count++;
            assert_false(plumb_mig_fits(fx->arena, card, 8, &want, 1));
        }
    }
}

/* "3g.20gb 2, 1g.5gb 1" */
static size_t read_wants(struct fixture *fx, const struct plumb_mig_card *card, const char *text,
                         struct plumb_mig_want *out)
{
    size_t count = 0;

    while (*text != '\0') {
        size_t name = strcspn(text, " "), digits = strspn(text + name + 1, "0123456789");
        uint8_t part = 0;

        out[count].profile =
            plumb_mig_profile(card, plumb_arena_strndup(fx->arena, text, name), &part);
        assert_non_null(out[count].profile);
        assert_true(plumb_read_u64(text + name + 1, digits, &out[count].count));
        count++;
        text += name + 1 + digits;
        text += strspn(text, ", ");
    }
    return count;
}

static void instances_are_placed_where_they_may_begin(void **state)
{
    static const struct {
        const char *model, *wants;
        uint64_t gpus;
        bool fit;
    } rows[] = {
        {"A100 40GB", "", 1, true},
        {"A100 40GB", "3g.20gb 2", 1, true},
        {"A100 40GB", "3g.20gb 1, 4g.20gb 1", 1, true},
        {"A100 40GB", "4g.20gb 1, 2g.10gb 1, 1g.5gb 1", 1, true},
        {"A100 40GB", "3g.20gb 1, 2g.10gb 1, 1g.5gb 2", 1, true},
        {"A100 40GB", "2g.10gb 3, 1g.5gb 1", 1, true},
        {"A100 40GB", "3g.20gb 1, 1g.5gb 4", 1, true},
        {"A100 40GB", "1g.5gb 7", 1, true},
        {"A100 40GB", "1g.5gb 6, 1g.5gb+me 1", 1, true},
        {"A100 40GB", "1g.10gb 4, 1g.5gb 0", 1, true},
        {"A100 40GB", "4g.20gb 1, 2g.10gb 1, 1g.10gb 1", 1, true}, /* slots 4-5 and 6-7 */
        {"A100 40GB", "3g.20gb 2, 1g.5gb 1", 1, false},            /* 8 memory slices are full */
        {"A100 40GB", "4g.20gb 2", 1, false},
        {"A100 40GB", "2g.10gb 4", 1, false},
        {"A100 40GB", "7g.40gb 1, 1g.5gb 1", 1, false},
        {"A100 40GB", "4g.20gb 1, 3g.20gb 1, 1g.5gb 1", 1, false},
        {"A100 40GB", "1g.5gb 8", 1, false},
        {"A100 40GB", "1g.5gb+me 2", 1, false},
        {"A100 40GB", "2g.10gb 3, 1g.10gb 1, 1g.5gb 1", 1, false},
        {"A100 40GB", "4g.20gb 1, 2g.10gb 2", 1, false}, /* one place is left for 2g, at 4 */
        {"A100 40GB", "4g.20gb 1, 2g.10gb 2", 2, true},
        {"A100 40GB", "4g.20gb 8, 2g.10gb 9", 8, false},
        {"A100 40GB", "4g.20gb 8, 2g.10gb 8, 1g.5gb 8", 8, true},
        {"A100 40GB", "3g.20gb 5, 4g.20gb 3", 4, true},
        {"A100 40GB", "3g.20gb 5, 4g.20gb 3, 1g.5gb 1", 4, false},
        {"A100 40GB", "7g.40gb 2, 1g.5gb 14", 4, true},
        {"A100 40GB", "7g.40gb 2, 1g.5gb 15", 4, false},
        {"A100 40GB", "1g.5gb+me 4, 1g.5gb 24", 4, true},
        {"A100 40GB", "1g.5gb+me 5", 4, false},
        {"A100 40GB", "1g.5gb 1", 0, false},
        {"A30", "2g.12gb 1, 1g.6gb 2", 1, true},
        {"A30", "2g.12gb 2, 1g.6gb 1", 1, false},
        {"A30", "2g.12gb+me 1, 1g.6gb+me 1", 1, false},
        {"A30", "4g.24gb 1", 1, true},
        {"GB200", "1g.24gb 7", 1, true},
        {"GB200", "3g.95gb 2", 1, true},
        {"H200", "7g.141gb 16", 16, true},
        /* places are not published: numbers of instances and compute slices alone */
        {"B300", "3g.135gb 2, 1g.34gb 1", 1, true},
        {"B300", "4g.135gb 1, 3g.135gb 1, 1g.34gb 1", 1, false},
        {"B300", "1g.70gb 4", 1, true},
        {"B300", "2g.67gb 4", 1, false},
        {"GB300", "7g.278gb 2, 1g.35gb 1", 2, false},
        {"RTX PRO 6000 Blackwell", "2g.48gb 1, 1g.24gb+gfx 2", 1, true},
        {"RTX PRO 6000 Blackwell", "4g.96gb 1, 1g.24gb 1", 1, false},
        {"H200", "1g.18gb 112", 16, true},
        {"H200", "1g.18gb 100, 1g.35gb 3, 2g.35gb 3", 16, true},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_mig_card *card = plumb_mig_card(rows[i].model);
        struct plumb_mig_want wants[PLUMB_MIG_PROFILES];
        size_t count = read_wants(fx, card, rows[i].wants, wants);

        fx_row(fx, i, rows[i].wants);
        assert_int_equal(plumb_mig_fits(fx->arena, card, rows[i].gpus, wants, count), rows[i].fit);
    }
}

static void types_end_with_a_profile(void **state)
{
    static const struct {
        const char *type, *text; /* NULL: none */
        uint64_t slices;
        const char *profile; /* of an H100 with 80 GB; NULL: it has none */
        uint8_t part;
    } rows[] = {
        {"1g.10gb", "1g.10gb", 1, "1g.10gb", 0},
        {"nvidia_h100_80gb_hbm3_3g.40gb", "3g.40gb", 3, "3g.40gb", 0},
        {"1c.3g.40gb", "1c.3g.40gb", 3, "3g.40gb", 1},
        {"h100_1g.10gb+me", "1g.10gb+me", 1, "1g.10gb+me", 0},
        {"1G.10GB", NULL, 0, NULL, 0},
        {"1g.5gb", "1g.5gb", 1, NULL, 0},
        {"10g.5gb", "10g.5gb", 10, NULL, 0},
        {"h100", NULL, 0, NULL, 0},
        {"1g.", NULL, 0, NULL, 0},
        {"g.10gb", NULL, 0, NULL, 0},
        {"", NULL, 0, NULL, 0},
        {NULL, NULL, 0, NULL, 0},
    };
    struct fixture *fx = *state;
    const struct plumb_mig_card *card = plumb_mig_card("NVIDIA H100 80GB HBM3");

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const char *text = plumb_mig_of_type(rows[i].type);
        const struct plumb_mig_profile *p = NULL;
        uint8_t part = 99;

        fx_row(fx, i, rows[i].type != NULL ? rows[i].type : "NULL");
        assert_int_equal(text != NULL, rows[i].text != NULL);
        if (text == NULL)
            continue;
        assert_string_equal(text, rows[i].text);
        assert_int_equal(plumb_mig_slices(text), rows[i].slices);
        p = plumb_mig_profile(card, text, &part);
        assert_int_equal(p != NULL, rows[i].profile != NULL);
        if (p != NULL)
            assert_string_equal(p->name, rows[i].profile);
        assert_int_equal(part, rows[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(products_have_their_profiles, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(as_many_fit_as_the_table_says, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(instances_are_placed_where_they_may_begin, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(types_end_with_a_profile, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("model/mig", tests, NULL, NULL);
}
