/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that tell what another release makes of an unchanged configuration. */
#include "fixture.h"

#include <string.h>

#include "passes/upgrade.h"
#include "schema/param.h"

/* Slurm upgrade guide, the table of its section Compatibility window. */
static void the_reach_is_that_of_the_upgrade_guide(void **state)
{
    static const struct {
        enum plumb_release from, last;
    } rows[] = {
        {PLUMB_22_05, PLUMB_23_11}, {PLUMB_23_02, PLUMB_24_11},
        {PLUMB_23_11, PLUMB_25_05}, {PLUMB_24_05, PLUMB_25_11},
        {PLUMB_24_11, PLUMB_26_05}, {PLUMB_26_05, (enum plumb_release)(PLUMB_26_05 + 3)},
    };

    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++)
        assert_int_equal(plumb_upgrade_reach(NULL, rows[i].from), rows[i].last);
}

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Only defaults of lines of their own are compared: one of a record would be passed over. */
static void defaults_that_change_are_those_of_global_keys(void **state)
{
    size_t changes = 0;

    (void)state;
    for (unsigned id = 0; id < PLUMB_P_COUNT; id++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)id);

        for (size_t i = 1; i < p->rev_count; i++) {
            const struct plumb_param_rev *rev = &p->revs[i];

            if (same(rev->def, rev[-1].def) || rev->life == PLUMB_LIFE_NONE || rev->def_same)
                continue;
            changes += rev->life == PLUMB_LIFE_OK;
            if (p->scope != PLUMB_SCOPE_GLOBAL)
                fail_msg("%s: the default of a record changes", p->name);
        }
    }
    assert_true(changes >=
                6); /* GpuFreqDef, JobCompLoc, SelectType, PriorityType, TreeWidth, ... */
}

static void conditions_name_keys_of_the_same_file(void **state)
{
    (void)state;
    for (unsigned id = 0; id < PLUMB_P_COUNT; id++) {
        const struct plumb_param *p = plumb_param((enum plumb_param_id)id);

        for (size_t i = 0; i < p->rev_count; i++) {
            const char *with = p->revs[i].def_with;

            if (with != NULL && plumb_param_find(NULL, (enum plumb_file)p->file, PLUMB_SCOPE_GLOBAL,
                                                 with, strlen(with)) == NULL)
                fail_msg("%s: there is no '%s'", p->name, with);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reach_is_that_of_the_upgrade_guide),
        cmocka_unit_test(defaults_that_change_are_those_of_global_keys),
        cmocka_unit_test(conditions_name_keys_of_the_same_file),
    };

    return cmocka_run_group_tests_name("passes/upgrade", tests, NULL, NULL);
}
