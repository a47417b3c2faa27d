/* SPDX-License-Identifier: Apache-2.0 */
/* Names of hand-written files: nodes of partitions, node sets, and captures of node lines. */
#include "fixture.h"

#include <string.h>

#include "conf/conf.h"
#include "passes/pass.h"

static struct plumb_run lift(struct fixture *fx, const char *text)
{
    struct plumb_conf_options options = {.directory = ".", .release = PLUMB_24_11};
    struct plumb_run r = {.session = &fx->session, .forced_release = PLUMB_RELEASE_NONE};

    fx->session.sink.release = PLUMB_24_11;
    r.conf[PLUMB_SLURM_CONF] = plumb_conf_read(&fx->session, PLUMB_SLURM_CONF,
                                               fx_source(fx, "slurm.conf", text), &options);
    plumb_pass_lift(&r);
    return r;
}

static void partitions_get_their_hosts(void **state)
{
    static const struct {
        const char *text;
        const char *nodes; /* NULL: none */
    } rows[] = {
        {"NodeName=n[1-4]\nPartitionName=p Nodes=n[1-2]\n", "n[1-2]"},
        {"NodeName=n[1-4]\nPartitionName=p Nodes=ALL\n", "n[1-4]"},
        {"NodeName=n[1-4]\nPartitionName=p Nodes=n1,all\n", "n1,all"},
        {"NodeName=n[1-4]\nPartitionName=p Nodes=n9\n", "n9"},
        {"NodeName=n[1-4]\nPartitionName=p\n", NULL},
        {"NodeName=n[1-4]\nPartitionName=p Nodes=\"\"\n", NULL},
        {"NodeName=n[1-4]\nNodeSet=s Nodes=n[3-4]\nPartitionName=p Nodes=s\n", "n[3-4]"},
        {"NodeName=n[1-4]\nNodeSet=s Nodes=n[3-4]\nPartitionName=p Nodes=n1,s\n", "n[1,3-4]"},
        {"NodeName=n[1-4]\nNodeSet=s2 Nodes=ALL\nPartitionName=p Nodes=s2\n", "n[1-4]"},
        {"NodeName=n[1-4]\nNodeSet=s2 Nodes=n[2,4]\nPartitionName=p Nodes=n[1-2],s2\n",
         "n[1-2,2,4]"},
        {"NodeName=a Features=x,y\nNodeName=b Feature=y\nNodeName=c\nNodeSet=s Feature=y\n"
         "PartitionName=p Nodes=s\n",
         "a,b"},
        /* Only slurmctld knows what a function names. */
        {"NodeName=n[1-4]\nPartitionName=p Nodes=feature{x}\n", NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_run r;
        const struct plumb_hostlist *nodes = NULL;

        fx_row(fx, i, rows[i].text);
        r = lift(fx, rows[i].text);
        plumb_pass_attach(&r);
        nodes = r.model->partitions[0].nodes;
        if (rows[i].nodes == NULL && nodes != NULL)
            fail_msg("row %zu: '%s', expected none", i, plumb_hostlist_str(fx->arena, nodes));
        if (rows[i].nodes != NULL) {
            assert_non_null(nodes);
            assert_string_equal(plumb_hostlist_str(fx->arena, nodes), rows[i].nodes);
        }
        fx_expect_nothing_else(fx);
    }
}

static void captures_belong_to_the_lines_that_they_name(void **state)
{
    static const struct {
        const char *text;
        const char *captures[2];
        int expected[2]; /* per node line: index of its capture, -1: none */
    } rows[] = {
        /* By the name of a node, of a file, of the whole line. */
        {"NodeName=g[1-2]\nNodeName=c1\n", {"captures/g2", "captures/c1"}, {0, 1}},
        {"NodeName=g[1-2]\nNodeName=c1\n", {"c1.xml", "g1.xml"}, {1, 0}},
        {"NodeName=g[1-2]\nNodeName=c1\n", {"g[1-2]", "x"}, {0, -1}},
        /* The only one stands for all nodes with GPUs, or for all where none has any. */
        {"NodeName=g[1-2] Gres=gpu:8\nNodeName=c1\n", {"box", NULL}, {0, -1}},
        {"NodeName=g[1-2] Gres=nic:1,gpu:a:8\nNodeName=c1 Gres=gpus:1\n", {"box", NULL}, {0, -1}},
        {"NodeName=g[1-2]\nNodeName=c1\n", {"box", NULL}, {0, 0}},
        /* Two that name no line say nothing. */
        {"NodeName=g[1-2]\nNodeName=c1\n", {"box", "crate"}, {-1, -1}},
        /* One that names a line says nothing about the other. */
        {"NodeName=g[1-2]\nNodeName=c1\n", {"g1", NULL}, {0, -1}},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_hardware hw[2] = {{.name = rows[i].captures[0], .package_count = 1},
                                       {.name = rows[i].captures[1], .package_count = 1}};
        struct plumb_hardware *list[2] = {&hw[0], &hw[1]};
        struct plumb_run r;

        fx_row(fx, i, rows[i].text);
        r = lift(fx, rows[i].text);
        r.model->hardware = list;
        r.model->hardware_count = rows[i].captures[1] == NULL ? 1 : 2;
        plumb_pass_attach(&r);
        for (size_t n = 0; n < 2; n++) {
            const struct plumb_hardware *expected =
                rows[i].expected[n] < 0 ? NULL : &hw[rows[i].expected[n]];

            if (r.model->nodes[n].hardware != expected)
                fail_msg("row %zu: node line %zu has %s", i, n,
                         r.model->nodes[n].hardware != NULL ? r.model->nodes[n].hardware->name
                                                            : "none");
        }
        fx_expect_nothing_else(fx);
    }
}

static void a_bad_node_list_is_reported_once(void **state)
{
    struct fixture *fx = *state;
    struct plumb_run r = lift(fx, "NodeName=n1\nPartitionName=p Nodes=n[1-\n");

    plumb_pass_attach(&r);
    plumb_pass_type_values(&r);
    assert_null(r.model->partitions[0].nodes);
    assert_int_equal(fx->session.sink.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(partitions_get_their_hosts, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(captures_belong_to_the_lines_that_they_name, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_bad_node_list_is_reported_once, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("passes/attach", tests, NULL, NULL);
}
