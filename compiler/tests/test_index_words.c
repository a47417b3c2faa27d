/* SPDX-License-Identifier: Apache-2.0 */
/* model/index_map.c and index_words.c on a machine of two packages with two cores of two threads.
 */
#include "fixture.h"

#include "model/index_map.h"
#include "model/index_words.h"

enum { CPUS = 9 };

/* By CPU of the system. The last one is in no core that slurmd sees. */
static const uint32_t in_a_row[CPUS] = {0, 0, 1, 1, 2, 2, 3, 3, PLUMB_NO_INDEX};
static const uint32_t first_threads_first[CPUS] = {0, 1, 2, 3, 0, 1, 2, 3, PLUMB_NO_INDEX};
static const uint32_t packages_in_turn[CPUS] = {0, 2, 1, 3, 0, 2, 1, 3, PLUMB_NO_INDEX};

static struct plumb_hardware machine(struct fixture *fx, const uint32_t *core_of)
{
    struct plumb_hardware hw = {.cpu_limit = CPUS};

    hw.core_of_cpu = PLUMB_NEW_ARRAY(fx->arena, CPUS, struct plumb_core);
    for (size_t i = 0; i < CPUS; i++)
        hw.core_of_cpu[i].n = core_of[i];
    return hw;
}

static void both_numbers_are_told_where_they_differ(void **state)
{
    static const struct {
        const uint32_t *core_of; /* NULL: no capture */
        uint32_t lo, hi;
        const char *words;
    } rows[] = {
        {in_a_row, 0, 0, "0 (CPUs 0-1 of the system)"},
        {first_threads_first, 0, 1, "0-1 (CPUs 0-1,4-5 of the system)"},
        {packages_in_turn, 0, 1, "0-1 (CPUs 0,2,4,6 of the system)"},
        {in_a_row, 0, 4, "0-4"}, /* the machine has no core 4 */
        {NULL, 0, 1, "0-1"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_hardware hw = {0};
        struct plumb_cores cores = {0};

        if (rows[i].core_of != NULL)
            hw = machine(fx, rows[i].core_of);
        plumb_cores_add_range(fx->arena, &cores, (struct plumb_core){rows[i].lo},
                              (struct plumb_core){rows[i].hi});
        fx_row(fx, i, rows[i].words);
        assert_string_equal(
            plumb_cores_words(fx->arena, rows[i].core_of == NULL ? NULL : &hw, &cores),
            rows[i].words);
    }
}

static void cores_that_are_cpus_are_told_once(void **state)
{
    static const uint32_t same[CPUS] = {
        0, 1, 2, 3, PLUMB_NO_INDEX, PLUMB_NO_INDEX, PLUMB_NO_INDEX, PLUMB_NO_INDEX, PLUMB_NO_INDEX};
    struct fixture *fx = *state;
    struct plumb_hardware hw = machine(fx, same);
    struct plumb_cores cores = {0};

    plumb_cores_add_range(fx->arena, &cores, (struct plumb_core){0}, (struct plumb_core){3});
    assert_string_equal(plumb_cores_words(fx->arena, &hw, &cores), "0-3");
}

static void a_cpu_in_no_core_converts_to_none(void **state)
{
    struct fixture *fx = *state;
    struct plumb_hardware hw = machine(fx, in_a_row);
    struct plumb_core core = {0};
    struct plumb_cpus cpus = {0};
    struct plumb_cores cores;

    assert_false(plumb_core_of_cpu(&hw, (struct plumb_cpu){8}, &core));
    assert_false(plumb_core_of_cpu(&hw, (struct plumb_cpu){9}, &core));
    assert_false(plumb_core_of_cpu(&hw, PLUMB_NO(cpu), &core));
    plumb_cpus_add_range(fx->arena, &cpus, (struct plumb_cpu){6}, (struct plumb_cpu){8});
    cores = plumb_cores_of_cpus(fx->arena, &hw, &cpus);
    assert_int_equal(plumb_cores_count(&cores), 1);
    assert_int_equal(plumb_cores_first(&cores).n, 3);
}

static void minors_are_told_where_the_driver_counts_otherwise(void **state)
{
    struct fixture *fx = *state;
    struct plumb_hw_gpu gpus[2] = {{.index = {0}, .minor = {1}}, {.index = {1}, .minor = {0}}};
    struct plumb_hardware hw = {.gpus = gpus, .gpu_count = 2};

    assert_string_equal(plumb_gpu_words(fx->arena, &gpus[0]), "GPU 0 (/dev/nvidia1)");
    assert_ptr_equal(plumb_gpu_of_minor(&hw, (struct plumb_minor){0}), &gpus[1]);
    gpus[0].minor = PLUMB_NO(minor);
    assert_string_equal(plumb_gpu_words(fx->arena, &gpus[0]), "GPU 0");
    assert_null(plumb_gpu_of_minor(&hw, (struct plumb_minor){1})); /* another one is told */
    assert_ptr_equal(plumb_gpu_of_minor(&hw, (struct plumb_minor){0}), &gpus[1]);
    gpus[1].minor = PLUMB_NO(minor);
    assert_ptr_equal(plumb_gpu_of_minor(&hw, (struct plumb_minor){1}), &gpus[1]);
    assert_null(plumb_gpu_of_minor(&hw, (struct plumb_minor){2}));
}

static void nodes_are_found_by_their_numbers(void **state)
{
    struct plumb_hw_numa nodes[2] = {{.os_index = {0}}, {.os_index = {8}}};
    struct plumb_hardware hw = {.numa = nodes, .numa_count = 2};

    (void)state;
    assert_int_equal(plumb_numa_of_id(&hw, (struct plumb_numa_id){8}).n, 1);
    assert_false(plumb_numa_known(plumb_numa_of_id(&hw, (struct plumb_numa_id){1})));
    assert_int_equal(plumb_numa_id_of(&hw, (struct plumb_numa){1}).n, 8);
    assert_false(plumb_numa_id_known(plumb_numa_id_of(&hw, PLUMB_NO(numa))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(both_numbers_are_told_where_they_differ, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(cores_that_are_cpus_are_told_once, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_cpu_in_no_core_converts_to_none, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(minors_are_told_where_the_driver_counts_otherwise, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(nodes_are_found_by_their_numbers, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("model/index", tests, NULL, NULL);
}
