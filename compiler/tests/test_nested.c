/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slurm's files in YAML against the table. What slurmctld 26.05.5 does with each text was asked of
 * it: "stops" is refused, "complains" is a line in its log, the rest starts without a word.
 */
#include "conf/nested.h"
#include "fixture.h"

#include <string.h>

struct row {
    enum plumb_file file;
    const char *text;
    const char *expected;       /* "line:column CODE effect", one finding each, separated by ", " */
    enum plumb_release release; /* 0 counts as the newest */
};

#define TOPO           PLUMB_TOPOLOGY_YAML
#define RES            PLUMB_RESOURCES_YAML
#define NS             PLUMB_NAMESPACE_YAML
#define SWITCH(fields) "- topology: a\n  tree:\n    switches:\n      - {" fields "}\n"
#define LAYERS(lines)  "- resource: w\n  mode: MODE_1\n  layers:\n" lines

static const char *findings(struct fixture *fx)
{
    struct plumb_buf out = plumb_buf_in(fx->arena);

    for (size_t i = 0; i < fx->session.sink.count; i++) {
        const struct plumb_diag *d = fx->session.sink.items[i];
        struct plumb_place at = plumb_source_place(&fx->session.sources, d->at);

        plumb_buf_printf(&out, "%s%u:%u %s %s", i > 0 ? ", " : "", at.line, at.column,
                         d->rule->code, plumb_effect_name(d->effect));
    }
    return plumb_buf_text(&out);
}

static void check(struct fixture *fx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        enum plumb_release release =
            rows[i].release == 0 ? (enum plumb_release)PLUMB_RELEASE_NEWEST : rows[i].release;
        struct plumb_nested *tree = NULL;

        fx_row(fx, i, rows[i].text);
        fx->session.sink.release = release;
        tree = plumb_nested_read(&fx->session, rows[i].file,
                                 fx_source(fx, plumb_file_name(rows[i].file), rows[i].text));
        plumb_nested_check(&fx->session, tree, release);
        if (strcmp(findings(fx), rows[i].expected) != 0)
            fail_msg("row %zu '%s': found '%s', expected '%s'", i, rows[i].text, findings(fx),
                     rows[i].expected);
    }
}

static void keys_are_told_with_what_becomes_of_them(void **state)
{
    static const struct row rows[] = {
        {TOPO, SWITCH("switch: s, nodes: 'n[1-8]'"), "", 0},
        {TOPO, SWITCH("switch: s, nodes: n1, speed: 3"), "4:32 CONF001 ignored", 0},
        {TOPO, SWITCH("switch: s, nodes: n1, speed: 3"), "4:32 CONF001 complains", PLUMB_25_05},
        {TOPO, SWITCH("switch: s, nodes: n1, speed: 3"), "4:32 CONF001 complains", PLUMB_25_11},
        {TOPO, "- Topology: a\n  flat: true\n", "1:3 CONF001 ignored", 0},
        {TOPO, SWITCH("nodes: n1"), "4:10 CONF060 stops", 0},
        {TOPO, "- topology: a\n  ring: {rings: [{ring: r, nodes: n1}]}\n",
         "2:3 CONF004 complains, 1:3 CONF064 stops", PLUMB_25_11},
        {TOPO, "- topology: a\n  flat: {alpha_step_rank: yes}\n", "", 0},
        {TOPO, "- topology: a\n  flat: {alpha_step_rank: yes}\n", "2:10 CONF010 stops",
         PLUMB_25_11},
        {RES, "- resource: w\n  layers:\n    - {nodes: n1, count: 3}\n", "1:3 CONF060 stops", 0},
        {RES, LAYERS("    - {nodes: n1}\n"), "4:8 CONF060 stops", 0},
        {RES, LAYERS("    - {nodes: n1, count: 3}\n") "  variables: [{name: a, value: 1}]\n",
         "5:3 CONF004 complains", PLUMB_25_05},
        {NS, "defaults:\n  base_path: /local\n  dir_confs: [{path: /tmp}]\n", "", 0},
        {NS, "defaults:\n  base_path: /local\n  dir_confs: [{path: /tmp}]\n",
         "3:3 CONF004 complains", PLUMB_25_11},
        {NS, "default:\n  base_path: /local\n", "1:1 CONF001 ignored", 0},
        {NS, "node_confs:\n  - nodes: n1\n", "2:5 CONF060 stops", 0},
    };

    check(*state, rows, PLUMB_COUNT(rows));
}

static void values_are_read_as_the_parser_reads_them(void **state)
{
    static const struct row rows[] = {
        {TOPO, "hello\n", "1:1 CONF010 stops", 0},
        {TOPO, "", "1:1 CONF010 stops", 0},
        {TOPO, "# nothing\n", "1:1 CONF010 stops", 0},
        {TOPO, "topology: a\nflat: true\n", "", 0},
        {RES, "resource: a\nmode: MODE_1\nlayers: []\n", "1:1 CONF010 stops", 0},
        {TOPO, "- a\n", "1:3 CONF010 stops", 0},
        {TOPO, "- topology: a\n  tree:\n    - switch: s\n", "3:5 CONF010 stops", 0},
        {TOPO, "- topology: a\n  tree: yes\n", "2:9 CONF010 stops", 0},
        {TOPO, "- topology: a\n  tree:\n", "2:3 CONF010 stops", 0},
        {TOPO, "- topology: a\n  tree:\n    switches: {switch: s, nodes: n1}\n", "", 0},
        {TOPO, "- topology: a\n  tree:\n    switches: s1\n", "3:15 CONF010 stops", 0},
        {TOPO, SWITCH("switch: s, nodes: [n1, n2]"), "4:28 CONF010 stops", 0},
        {TOPO, SWITCH("switch: [s], nodes: n1"), "4:18 CONF010 stops", 0},
        {TOPO, SWITCH("switch: 5, nodes: n1"), "", 0},
        {TOPO, "- topology: a\n  cluster_default: 1\n  flat: On\n", "", 0},
        {TOPO, "- topology: a\n  flat: maybe\n", "2:9 CONF012 none", 0},
        {TOPO, "- topology: a\n  flat: [true]\n", "2:9 CONF010 stops", 0},
        {TOPO, "- topology: a\n  block: {block_sizes: 4, blocks: {block: b}}\n", "", 0},
        {TOPO, "- topology: a\n  block: {block_sizes: [0x4], blocks: {block: b}}\n", "", 0},
        {TOPO, "- topology: a\n  block: {block_sizes: '4,8', blocks: {block: b}}\n",
         "2:24 CONF010 stops", 0},
        {TOPO, "- topology: a\n  block: {block_sizes: [3000000000], blocks: {block: b}}\n",
         "2:25 CONF011 stops", 0},
        {TOPO, "- topology: a\n  block: {block_sizes: {a: 1}, blocks: {block: b}}\n",
         "2:25 CONF010 stops", 0},
        {RES, "- resource: w\n  mode: [mode_1]\n  layers: []\n", "", 0},
        {RES, "- resource: w\n  mode: MODE_9\n  layers: []\n", "2:9 CONF012 complains", 0},
        {RES, "- resource: w\n  mode: MODE_3\n  layers: []\n", "2:9 CONF014 complains",
         PLUMB_25_05},
        {RES, "- resource: w\n  mode: MODE_1\n  layers: {nodes: n1, count: 1}\n",
         "3:12 CONF010 stops", 0},
        {RES, LAYERS("    - {nodes: [n1, n2], count: 4}\n"), "", 0},
        {RES, LAYERS("    - {nodes: n1, count: four}\n"), "4:26 CONF010 stops", 0},
        {RES, LAYERS("    - {nodes: n1, count: 4.5}\n"), "4:26 CONF010 stops", 0},
        {RES, LAYERS("    - {nodes: n1, count: -1}\n"), "4:26 CONF011 none", 0},
        {RES, LAYERS("    - {nodes: n1, count: 5000000000}\n"), "4:26 CONF011 none", 0},
        {RES, LAYERS("    - {nodes: n1, count: {set: true, number: 3}}\n"), "", 0},
        {NS, "defaults: {clone_ns_flags: 'CLONE_NEWPID,CLONE_NEWUSER'}\n", "", 0},
        {NS, "defaults: {clone_ns_flags: [CLONE_NEWPID]}\n", "", 0},
        {NS, "defaults: {clone_ns_flags: 'CLONE_NEWPID,CLONE_NEWIPC'}\n", "1:42 CONF012 ignored",
         0},
        {NS, "- defaults\n", "1:1 CONF010 stops", 0},
    };

    check(*state, rows, PLUMB_COUNT(rows));
}

static void what_yaml_allows_and_slurm_does_not_is_told(void **state)
{
    static const struct row rows[] = {
        {TOPO, "- topology: a\n\tflat: true\n", "2:1 YAML002 stops", 0},
        {TOPO, "- topology: \"a\n  flat: true\n", "1:13 YAML003 stops", 0},
        {TOPO, "- topology: a\n  topology: b\n  flat: true\n", "2:3 YAML004 none", 0},
        {TOPO, "- topology: a\n  flat: false\n  flat: {alpha_step_rank: true}\n",
         "3:3 YAML004 none", 0},
        {TOPO, "- topology: a\n  [a, b]: 3\n  flat: true\n", "2:3 YAML005 stops", 0},
        {TOPO, "- topology: &x a\n  flat: true\n- topology: *x\n  flat: true\n",
         "3:13 CONF061 stops", 0},
        {TOPO, "- &x {topology: a, flat: true} # *y\n- *x\n", "2:3 CONF061 stops", 0},
        {TOPO, "- &x\n  topology: a\n  flat: true\n", "", 0},
        {TOPO, "- topology: a\n  flat: true\n---\n- b\n", "4:1 CONF062 ignored", 0},
        {TOPO, "---\n- topology: a\n  flat: true\n...\n", "", 0},
        {TOPO, "[{\"topology\": \"a\", \"flat\": true}]", "", 0},
    };

    check(*state, rows, PLUMB_COUNT(rows));
}

static void a_topology_has_one_kind_and_something_in_it(void **state)
{
    static const struct row rows[] = {
        {TOPO, "- topology: a\n", "1:3 CONF064 stops", 0},
        {TOPO, "- topology: a\n  flat: false\n", "1:3 CONF064 stops", 0},
        {TOPO, "- topology: a\n  flat: {}\n", "", 0},
        {TOPO, "- topology: a\n  tree: {}\n", "1:3 CONF064 stops", 0},
        {TOPO, SWITCH("switch: s, nodes: n1") "  flat: true\n", "5:3 CONF064 stops", 0},
        {TOPO, SWITCH("switch: s, nodes: n1") "  flat: false\n", "", 0},
        {TOPO, SWITCH("switch: s, nodes: n1") "  block: {}\n", "", 0},
        {TOPO, "[]\n", "1:1 CONF065 stops", 0},
        {TOPO, "- topology: a\n  tree:\n    switches: []\n", "2:3 CONF065 stops", 0},
        {TOPO, "- topology: a\n  block:\n    block_sizes: [4]\n", "2:3 CONF065 stops", 0},
        {TOPO, "- topology: a\n  flat: true\n- topology: a\n  flat: true\n", "3:13 CONF066 none",
         0},
        {TOPO, "- cluster_default: yes\n  flat: true\n- cluster_default: yes\n  flat: true\n",
         "3:20 CONF066 none", 0},
    };

    check(*state, rows, PLUMB_COUNT(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keys_are_told_with_what_becomes_of_them, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(values_are_read_as_the_parser_reads_them, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_topology_has_one_kind_and_something_in_it, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_yaml_allows_and_slurm_does_not_is_told, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/nested", tests, NULL, NULL);
}
