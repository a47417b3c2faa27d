/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of specifications. A row is text behind a small sound specification; the place
 * of the expected finding stands between '<' and '>' in it.
 */
#include "fixture.h"

#include <string.h>

#include "base/buf.h"
#include "schema/value.h"
#include "spec/tree.h"
#include "syntax/yaml.h"

static const char sound[] = "plumb: 1\n"
                            "cluster: c\n"
                            "control: {hosts: [cp-01]}\n"
                            "nodes: {n: {hosts: n1}}\n"
                            "partitions: {p: {nodes: all}}\n";

/* Text without the marks, and where they stood (begin == end == 0: no marks). */
struct marked {
    const char *text;
    uint32_t begin, end;
};

static struct marked unmark(struct fixture *fx, const char *before, const char *text)
{
    struct plumb_buf b = plumb_buf_in(fx->arena);
    struct marked m = {0};

    plumb_buf_str(&b, before);
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '<')
            m.begin = (uint32_t)b.len;
        else if (*p == '>')
            m.end = (uint32_t)b.len;
        else
            plumb_buf_char(&b, *p);
    }
    m.text = plumb_buf_text(&b);
    return m;
}

static struct plumb_spec *read_text(struct fixture *fx, const char *text)
{
    struct plumb_source *src = fx_source(fx, "cluster.yaml", text);
    struct plumb_yaml *y = plumb_yaml_read(&fx->session, src);

    return plumb_spec_read(&fx->session, src, y->count > 0 ? y->documents[0] : NULL, y->partial);
}

struct row {
    const char *text;
    const char *code;
};

static void check_rows(struct fixture *fx, const char *before, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct marked m = unmark(fx, before, rows[i].text);

        fx_row(fx, i, rows[i].text);
        read_text(fx, m.text);
        if (rows[i].code != NULL)
            fx_expect(fx, rows[i].code, m.begin, m.end);
        fx_expect_nothing_else(fx);
    }
}

static void each_mistake_is_found_at_its_place(void **state)
{
    static const struct row rows[] = {
        {"scheduling: {backfill: {<windw>: 7 days}}\n", "SPEC001"},
        {"<partitons>: {p: {nodes: all}}\n", "SPEC001"},
        {"timeouts: {<hosts>: 3 s}\n", "SPEC001"},
        {"<database>: {port: 6819}\n", "SPEC002"},
        {"ignore: [<{rule: GRES003}>]\n", "SPEC002"},
        {"timeouts: <[30 s]>\n", "SPEC003"},
        {"timeouts: <30 s>\n", "SPEC003"},
        {"timeouts: {node: <{s: 3}>}\n", "SPEC003"},
        {"timeouts: {node: <[3 s]>}\n", "SPEC003"},
        {"accounting: {enforce: <{qos: true}>}\n", "SPEC003"},
        {"overrides: <none>\n", "SPEC003"},
        {"database: {host: d, port: <lots>}\n", "SPEC004"},
        {"database: {host: d, port: <-1>}\n", "SPEC004"},
        {"database: {host: d, port: <6819.0>}\n", "SPEC004"},
        {"accounting: {billing: {gpu: <much>}}\n", "SPEC004"},
        {"accounting: {billing: {gpu: <1e3>}}\n", "SPEC004"},
        {"timeouts: {node: <300>}\n", "SPEC005"},
        {"timeouts: {node: 300 <S>}\n", "SPEC006"},
        {"timeouts: {node: 5 <m>}\n", "SPEC006"},
        {"timeouts: {node: 5 <months>}\n", "SPEC006"},
        {"database: {host: d, storage: {memory: 64 <GIB>}}\n", "SPEC006"},
        {"database: {host: d, port: <65536>}\n", "SPEC007"},
        {"database: {host: d, port: <0>}\n", "SPEC007"},
        {"database: {host: d, port: <99999999999999999999>}\n", "SPEC007"},
        {"timeouts: {node: <99999999999999999999 s>}\n", "SPEC007"},
        {"timeouts: {node: <18446744073710 s>}\n", "SPEC007"},
        {"accounting: {enforce: [qos, <limit>]}\n", "SPEC008"},
        {"scheduling: {type: <fifo>}\n", "SPEC008"},
        {"database: {host: d, storage: {password: <hunter2>}}\n", "SPEC009"},
        {"timeouts: {<node>: }\n", "SPEC010"},
        {"timeouts: {<node>: ''}\n", "SPEC010"},
        {"accounting: {enforce: <[]>}\n", "SPEC010"},
        {"accounting: {enforce: [qos, <qos>]}\n", "SPEC011"},
        {"slurm: <\"24.12\">\n", "SPEC013"},
        {"slurm: <24>\n", "SPEC013"},
        {"scheduling: {backfill: {continue: <1>}}\n", "SPEC014"},
        {"database: {host: d, log_file: <var/log/x>}\n", "SPEC015"},
        {"database: {host: d< >b}\n", "SPEC015"},
        {"accounting: {track: [\"gres/gpu<,>gres/nvme\"]}\n", "SPEC015"},
        {"jobs: {<ssh>: adopt}\n", "SPEC017"},
        {"jobs: {nccl: {debug: <loud>}}\n", "SPEC008"},
        {"jobs: {nccl: {gid_index: <256>}}\n", "SPEC007"},
        {"jobs: {nccl: {topo_dir: <nccl>}}\n", "SPEC015"},
        {"jobs: {nccl: {ib_hca: [mlx5_0, <mlx5_0>]}}\n", "SPEC011"},
        {"accounting: {<qos>: {normal: {priority: 10}}}\n", "SPEC017"},
        {"scheduling: {priority: {max_age: <90 s>}}\n", "SPEC024"},
        {"timeouts: {node: 1<.5> us}\n", "SPEC024"},
        {"timeouts: {node: <1500 ms>}\n", "SPEC024"},
        {"timeouts: {node: <1-00:00:00:00>}\n", "SPEC004"},
        {"timeouts: {node: <soon>}\n", "SPEC004"},
        {"timeouts: {node: <unlimited>}\n", "SPEC004"},
    };

    check_rows(*state, sound, rows, PLUMB_COUNT(rows));
}

static void the_whole_specification_is_checked_too(void **state)
{
    static const struct row rows[] = {
        {"plumb: <2>\ncluster: c\ncontrol: {hosts: cp}\nnodes: {n: {hosts: n}}\n"
         "partitions: {p: {nodes: all}}\n",
         "SPEC012"},
        {"<plumb>: 1\ncontrol: {hosts: cp}\nnodes: {n: {hosts: n}}\npartitions: {p: {nodes: n}}\n",
         "SPEC002"},
        {"<- plumb: 1>\n", "SPEC003"},
        {"plumb: 1\ncluster: c\ncontrol: {hosts: [cp, <cp>]}\nnodes: {n: {hosts: n}}\n"
         "partitions: {p: {nodes: n}}\n",
         "SPEC011"},
        {"plumb: 1\ncluster: c\ncontrol: {hosts: cp, <paswd>: x}\nnodes: {n: {hosts: n}}\n"
         "partitions: {p: {nodes: n}}\n",
         "SPEC001"},
        {"plumb: 1\ncluster: c\ncontrol: {hosts: cp}\nnodes: {n: {hosts: n, weight: <x>}}\n"
         "partitions: {p: {nodes: n}}\n",
         "SPEC004"},
        {"plumb: 1\ncluster: c\ncontrol: {hosts: cp}\nnodes: <n>\npartitions: {p: {nodes: n}}\n",
         "SPEC003"},
        {"plumb: 1\ncluster: c\ncontrol: {hosts: cp}\nnodes: {n: <n>}\npartitions: {p: {nodes: "
         "n}}\n",
         "SPEC003"},
        {"plumb: 1\ncluster: c\ncontrol: {hosts: cp}\nnodes: {n: {hosts: n}}\n"
         "partitions: {\"a< >b\": {nodes: n}}\n",
         "SPEC015"},
        {"plumb: 1\ncluster: c\ncontrol: {hosts: cp}\nnodes: {n: {<hosts>: }}\n"
         "partitions: {p: {nodes: n}}\n",
         "SPEC010"},
    };

    check_rows(*state, "", rows, PLUMB_COUNT(rows));
}

static void an_empty_file_is_one_finding(void **state)
{
    struct fixture *fx = *state;

    read_text(fx, "# nothing\n");
    fx_expect(fx, "SPEC003", 0, 0);
    fx_expect_nothing_else(fx);
}

static void sound_values_are_quiet(void **state)
{
    static const struct row rows[] = {
        {"slurm: 24.11\n", NULL},
        {"slurm: \"24.11.5\"\n", NULL},
        {"login: {hosts: \"login-[01-02]\"}\n", NULL},
        {"login: {hosts: [login-01, login-02]}\n", NULL},
        {"database: {host: {name: db-01, address: 10.0.0.12}}\n", NULL},
        {"database: {host: \"db-01(10.0.0.12)\"}\n", NULL},
        {"database: {host: d, storage: {password: {secret: a, key: b}}}\n", NULL},
        {"database: {host: d, purge: {jobs: 24 months, steps: 90 days, events: 1 year}}\n", NULL},
        {"scheduling: {priority: {weights: {age: 1, gpu: 10.5}, flags: accrue_always}}\n", NULL},
        {"overrides: {slurm.conf: {MinJobAge: 300}}\n", NULL},
        {"captures: {h100: captures/h100}\n", NULL},
    };

    check_rows(*state, sound, rows, PLUMB_COUNT(rows));
}

static void quantities_read_as_written(void **state)
{
    static const struct {
        const char *path, *text;
        uint64_t number;
    } rows[] = {
        {"timeouts/node", "30 s", 30000000},
        {"timeouts/node", "30s", 30000000},
        {"timeouts/node", "2 min", 120000000},
        {"timeouts/node", "1.5 h", UINT64_C(5400000000)},
        {"timeouts/node", "0 s", 0},
        {"timeouts/node", "7-00:00:00", UINT64_C(604800000000)},
        {"timeouts/node", "1-12", UINT64_C(129600000000)},
        {"timeouts/node", "00:00:10", 10000000},
        {"timeouts/node", "90:00", UINT64_C(5400000000)},
        {"timeouts/epilog_message", "2000 us", 2000},
        {"timeouts/epilog_message", "2 ms", 2000},
        {"database/storage/memory", "64 GiB", UINT64_C(68719476736)},
        {"database/storage/memory", "64 GB", UINT64_C(68719476736)},
        {"database/storage/memory", "2000000 MB", UINT64_C(2097152000000)},
        {"database/storage/memory", "1.5 TiB", UINT64_C(1649267441664)},
        {"database/storage/memory", "1 KiB", 1024},
        {"database/purge/jobs", "12 months", 12},
        {"database/purge/jobs", "2 years", 24},
        {"database/purge/jobs", "30 days", 720},
        {"database/purge/jobs", "2 weeks", 336},
        {"database/purge/jobs", "48 h", 48},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        size_t at = 0;
        const struct plumb_spec_table *in = NULL;
        char dotted[64];
        struct plumb_spec_value v;
        struct plumb_slice text = fx_slice(fx, rows[i].text);

        fx_row(fx, i, rows[i].text);
        for (size_t k = 0; k <= strlen(rows[i].path); k++)
            dotted[k] = rows[i].path[k] == '/' ? '.' : rows[i].path[k];
        assert_true(
            plumb_spec_read_text(&fx->session, plumb_spec_lookup(dotted, &in, &at), &text, &v));
        if (v.number != rows[i].number)
            fail_msg("row %zu '%s'", i, rows[i].text);
        fx_expect_nothing_else(fx);
    }
}

static void unlimited_is_a_time_of_partitions(void **state)
{
    static const char *const words[] = {"unlimited", "UNLIMITED", "infinite", "INFINITE"};
    struct fixture *fx = *state;
    size_t at = 0;
    const struct plumb_spec_table *in = NULL;

    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        struct plumb_spec_value v;
        struct plumb_slice text = fx_slice(fx, words[i]);

        assert_true(plumb_spec_read_text(NULL, plumb_spec_lookup("partitions.p.max_time", &in, &at),
                                         &text, &v));
        assert_true(v.unlimited);
    }
}

static void a_secret_is_never_shown(void **state)
{
    struct fixture *fx = *state;
    struct marked m = unmark(fx, sound, "database: {host: d, storage: {password: hunter2}}\n");

    read_text(fx, m.text);
    assert_int_equal(fx->session.sink.count, 1);
    assert_null(strstr(fx->session.sink.items[0]->message, "hunter2"));
}

static void the_message_of_a_bare_number_names_the_unit(void **state)
{
    static const struct {
        const char *text, *unit;
    } rows[] = {
        {"scheduling: {backfill: {window: 4320}}\n", "in minutes"},
        {"scheduling: {backfill: {interval: 30}}\n", "in seconds"},
        {"scheduling: {backfill: {yield_sleep: 500}}\n", "in microseconds"},
        {"timeouts: {epilog_message: 30}\n", "in microseconds"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        read_text(fx, unmark(fx, sound, rows[i].text).text);
        assert_int_equal(fx->session.sink.count, 1);
        assert_string_equal(fx->session.sink.items[0]->rule->code, "SPEC005");
        assert_non_null(strstr(fx->session.sink.items[0]->message, rows[i].unit));
    }
}

static void a_shorthand_host_has_name_and_address(void **state)
{
    struct fixture *fx = *state;
    struct plumb_spec *spec =
        read_text(fx, unmark(fx, sound, "database: {host: \"db-01(10.0.0.12)\"}\n").text);
    const struct plumb_spec_value *host = plumb_spec_path(&spec->root, "database/host");

    assert_string_equal(plumb_spec_get(host, "name")->text.text, "db-01");
    assert_string_equal(plumb_spec_get(host, "address")->text.text, "10.0.0.12");
}

static void ignore_entries_and_captures_can_be_listed(void **state)
{
    struct fixture *fx = *state;
    struct plumb_spec *spec = read_text(
        fx, "plumb: 1\ncluster: c\nslurm: 24.11\ncaptures: {x: caps/x}\ncontrol: {hosts: cp}\n"
            "nodes:\n  a: {hosts: a1, topology: x}\n  b: {hosts: b1, topology: caps/b}\n"
            "partitions: {p: {nodes: all}}\n"
            "ignore: [{rule: GRES003, reason: old}]\n");
    struct plumb_spec_ignore *ignores = NULL;
    struct plumb_spec_capture *captures = NULL;

    fx_expect_nothing_else(fx);
    assert_int_equal(plumb_spec_release(spec), PLUMB_24_11);
    assert_int_equal(plumb_spec_ignores(spec, fx->arena, &ignores), 1);
    assert_true(plumb_slice_is_exact(&ignores[0].rule, "GRES003"));
    assert_true(plumb_slice_is_exact(&ignores[0].reason, "old"));
    assert_int_equal(ignores[0].until.len, 0);
    assert_int_equal(plumb_spec_captures(spec, fx->arena, &captures), 2);
    assert_string_equal(captures[0].name, "caps/x");
    assert_string_equal(captures[1].name, "caps/b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_mistake_is_found_at_its_place, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_whole_specification_is_checked_too, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(an_empty_file_is_one_finding, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(sound_values_are_quiet, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(quantities_read_as_written, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(unlimited_is_a_time_of_partitions, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_secret_is_never_shown, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_message_of_a_bare_number_names_the_unit, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_shorthand_host_has_name_and_address, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(ignore_entries_and_captures_can_be_listed, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("spec/read", tests, NULL, NULL);
}
