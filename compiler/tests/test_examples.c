/* SPDX-License-Identifier: Apache-2.0 */
/* The examples build for every release, through the library, without error or warning. */
#include "fixture.h"

#include <string.h>

#include "plumb/plumb.h"

static const char *const examples[] = {"guide", "mixed", "tiny"};

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

/* The whole program, rules included: each mistake once, nothing that follows from one. */
static void twenty_mistakes_are_twenty_findings(void **state)
{
    static const struct {
        const char *place, *code;
    } rows[] = {
        {"7:25-31", "SPEC001"},  {"7:52-57", "SPEC011"},  {"8:14-29", "SPEC015"},
        {"9:9-15", "SPEC008"},   {"10:22-27", "SPEC007"}, {"11:15-20", "SPEC014"},
        {"14:3-7", "SPEC002"},   {"15:23-30", "SPEC009"}, {"16:20-25", "SPEC006"},
        {"17:12-14", "SPEC010"}, {"23:13-20", "SPEC005"}, {"24:13-17", "SPEC004"},
        {"28:13-24", "SPEC003"}, {"31:15-19", "SPEC024"}, {"32:21-31", "SPEC006"},
        {"33:15-19", "SPEC021"}, {"37:5-17", "SPEC010"},  {"40:22-26", "SPEC005"},
        {"42:20-24", "SPEC023"}, {"45:16-25", "SPEC020"},
    };
    struct plumb_options options = {.directory = PLUMB_SOURCE_DIR "/testdata/spec",
                                    .reference_dir = PLUMB_SOURCE_DIR "/topologies",
                                    .ignore = "GRES061"};
    plumb_handle *h = plumb_open(&options);
    const char *line = NULL;
    size_t len = 0;

    (void)state;
    assert_true(plumb_add_path(h, "twenty.yaml"));
    assert_int_equal(plumb_run_all(h, "error"), PLUMB_RESULT_FINDINGS);
    line = plumb_render(h, "compact", false, 100, &len);
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        char expected[64] = "twenty.yaml:";

        strncat(expected, rows[i].place, 16);
        strncat(expected, ": error[", 16);
        strncat(expected, rows[i].code, 16);
        strncat(expected, "]", 2);
        if (strncmp(line, expected, strlen(expected)) != 0)
            fail_msg("finding %zu: expected '%s', got '%.60s'", i + 1, expected, line);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    assert_string_equal(line, "");
    plumb_close(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_mistakes_are_twenty_findings),
        cmocka_unit_test(examples_are_sound_for_every_release),
    };

    return cmocka_run_group_tests_name("examples", tests, NULL, NULL);
}
