/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of parameters: what a person with a pager reads. */
#include "fixture.h"

#include <string.h>

#include "schema/describe.h"

static const char *describe(struct fixture *fx, enum plumb_param_id id)
{
    struct plumb_buf out = plumb_buf_in(fx->arena);

    plumb_param_describe(&out, plumb_param(id));
    return plumb_buf_text(&out);
}

static void a_plain_parameter_is_a_few_lines(void **state)
{
    assert_string_equal(describe(*state, PLUMB_P_SLURM_SLURMDTIMEOUT),
                        "SlurmdTimeout, slurm.conf\n"
                        "  type        16-bit number of seconds, at most 65533\n"
                        "  default     300\n"
                        "  otherwise   taken as it is\n"
                        "  releases    all releases: read\n"
                        "  a change    reconfigure\n"
                        "  see         slurm.conf(5)\n");
}

static void what_differs_by_release_is_told_by_release(void **state)
{
    assert_string_equal(
        describe(*state, PLUMB_P_SLURM_SELECTTYPE),
        "SelectType, slurm.conf\n"
        "  type        plugin\n"
        "  default     select/linear (22.05 to 23.02)\n"
        "  default     select/cons_tres (from 23.11)\n"
        "  values\n"
        "              select/cons_tres, select/linear\n"
        "              select/cons_res (22.05 to 23.02)\n"
        "              select/cray_aries (22.05 to 23.11)\n"
        "  otherwise   the daemon stops\n"
        "  releases    all releases: read\n"
        "  note        select/linear with topology/tree stops slurmctld from 24.05\n"
        "  a change    slurmctld and slurmd restart to 23.02, reconfigure from 23.11\n"
        "  see         slurm.conf(5)\n");
}

static void a_life_is_told_from_birth_to_death(void **state)
{
    assert_string_equal(
        describe(*state, PLUMB_P_TOPO_BLOCKLEVELS),
        "BlockLevels, topology.conf\n"
        "  type        string\n"
        "  releases    22.05 to 23.02: not read: the key is unknown and nothing starts\n"
        "              23.11 only: read\n"
        "              from 24.05: not read: the key is unknown and nothing starts\n"
        "  instead     BlockSizes (from 24.05)\n"
        "  a change    slurmctld reconfigure or restart\n"
        "  see         topology.conf(5)\n");
}

static void a_record_names_its_lines(void **state)
{
    const char *text = describe(*state, PLUMB_P_NODE_PROCS);

    assert_non_null(strstr(text, "Procs, slurm.conf, on NodeName lines\n"));
    assert_non_null(strstr(text, "  releases    all releases: read, an older spelling\n"));
    assert_non_null(strstr(text, "  instead     CPUs\n"));
}

static void every_row_can_be_described(void **state)
{
    struct fixture *fx = *state;

    for (unsigned id = 0; id < PLUMB_P_COUNT; id++) {
        const char *text = describe(fx, (enum plumb_param_id)id);
        const char *line = text;

        for (size_t len = strcspn(line, "\n"); line[len] == '\n'; len = strcspn(line, "\n")) {
            assert_true(len > 0 && line[len - 1] != ' ');
            line += len + 1;
        }
        assert_string_equal(line, ""); /* the last line is ended */
        assert_null(strstr(text, "(null)"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_plain_parameter_is_a_few_lines, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(what_differs_by_release_is_told_by_release, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_life_is_told_from_birth_to_death, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_record_names_its_lines, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(every_row_can_be_described, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("schema/describe", tests, NULL, NULL);
}
