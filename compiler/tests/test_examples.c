/* SPDX-License-Identifier: Apache-2.0 */
/* The examples build for every release, through the library, without error or warning. */
#include "fixture.h"

#include <string.h>

#include "plumb/plumb.h"

static const char *const examples[] = {"guide", "tiny"};

static void build(const char *example, enum plumb_release r)
{
    struct plumb_options options = {
        .slurm = plumb_release_name(r),
        .reference_dir = PLUMB_SOURCE_DIR "/topologies",
        .outputs = true,
    };
    char path[512] = PLUMB_SOURCE_DIR "/testdata/examples/";
    plumb_handle *h = plumb_open(&options);
    size_t len = 0;

    assert_true(strlen(path) + strlen(example) + 14 < sizeof(path));
    strncat(path, example, 64);
    strncat(path, "/cluster.yaml", 16);
    assert_non_null(h);
    assert_true(plumb_add_path(h, path));

    enum plumb_result result = plumb_run_all(h, "warning");

    if (result != PLUMB_RESULT_CLEAN)
        fail_msg("%s for %s: %s", example, plumb_release_name(r),
                 plumb_render(h, "compact", false, 50, &len));
    plumb_close(h);
}

static void examples_are_sound_for_every_release(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(examples); i++) {
        for (unsigned r = 0; r < PLUMB_RELEASE_COUNT; r++)
            build(examples[i], (enum plumb_release)r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_sound_for_every_release),
    };

    return cmocka_run_group_tests_name("examples", tests, NULL, NULL);
}
