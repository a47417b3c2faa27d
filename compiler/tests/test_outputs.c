/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a model made by hand to the bytes of every file: names of inputs, the target slurm,
 * headers, MANIFEST.json and .plumb/map.json.
 */
#include "fixture.h"

#include <string.h>

#include "emit/manifest.h"
#include "emit/print.h"
#include "passes/pass.h"
#include "slurm/slurm.h"

static void inputs_are_named_relative_to_the_specification(void **state)
{
    static const struct {
        const char *spec, *path, *shown;
    } rows[] = {
        {"cluster.yaml", "cluster.yaml", "cluster.yaml"},
        {"cluster.yaml", "captures/h100/a.xml", "captures/h100/a.xml"},
        {"cluster.yaml", "./captures//h100/../h100/a.xml", "captures/h100/a.xml"},
        {"site/cluster.yaml", "site/cluster.yaml", "cluster.yaml"},
        {"site/cluster.yaml", "site/captures/a.xml", "captures/a.xml"},
        {"./site/cluster.yaml", "site/captures/a.xml", "captures/a.xml"},
        {"site/one/cluster.yaml", "site/captures/a.xml", "../captures/a.xml"},
        {"site/cluster.yaml", "/srv/captures/a.xml", "a.xml"},
        {"/home/x/site/cluster.yaml", "/home/x/site/captures/a.xml", "captures/a.xml"},
        {"/home/x/site/cluster.yaml", "/home/x/captures/a.xml", "../captures/a.xml"},
        {"/home/x/site/cluster.yaml", "/srv/captures/a.xml", "a.xml"},
        {"/cluster.yaml", "/captures/a.xml", "captures/a.xml"},
        {"../site/cluster.yaml", "../site/captures/a.xml", "captures/a.xml"},
        {"../site/cluster.yaml", "captures/a.xml", "a.xml"}, /* this folder has no known name */
        {"../../cluster.yaml", "captures/a.xml", "a.xml"},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_model m = {.spec_path = rows[i].spec};
        const struct plumb_source src = {.path = rows[i].path};

        fx_row(fx, i, rows[i].path);
        assert_string_equal(plumb_output_source_name(&fx->session, &m, &src), rows[i].shown);
    }
}

static void a_built_in_capture_keeps_its_name(void **state)
{
    struct fixture *fx = *state;
    const struct plumb_model m = {.spec_path = "/home/x/site/cluster.yaml"};
    const struct plumb_source src = {.path = "topologies/dgx-h100/hwloc.xml", .builtin = true};

    assert_string_equal(plumb_output_source_name(&fx->session, &m, &src),
                        "topologies/dgx-h100/hwloc.xml");
}

/* A model with spans into two sources, built a setting at a time. */
struct site {
    struct fixture *fx;
    struct plumb_arena *a;
    struct plumb_model model;
    struct plumb_outputs out;
    struct plumb_source *spec, *capture;
};

static struct plumb_span in_spec(struct site *s, const char *text)
{
    const char *at = strstr(s->spec->bytes, text);

    assert_non_null(at);
    return (struct plumb_span){s->spec->id, (uint32_t)(at - s->spec->bytes),
                               (uint32_t)(at - s->spec->bytes + (long)strlen(text))};
}

static void set(struct site *s, struct plumb_settings *to, enum plumb_param_id id,
                const char *value, struct plumb_span at)
{
    to->items = plumb_arena_grow(s->a, to->items, to->count, &to->cap, sizeof(*to->items));
    to->items[to->count++] = (struct plumb_setting){
        .param = plumb_param(id),
        .value = {.text = value, .len = (uint32_t)strlen(value), .at = at},
        .origin = plumb_span_known(at) ? PLUMB_GIVEN : PLUMB_DEFAULTED,
    };
    plumb_settings_note(to, (unsigned)id);
}

static void set_default(struct site *s, struct plumb_settings *to, enum plumb_param_id id,
                        const char *value)
{
    set(s, to, id, value, (struct plumb_span){0});
}

static struct plumb_hostlist *hosts(struct site *s, const char *text)
{
    struct plumb_slice slice = fx_slice(s->fx, text);
    struct plumb_hostlist *h = plumb_hostlist_read(&s->fx->session, &slice, PLUMB_24_11);

    assert_non_null(h);
    h->at = in_spec(s, "gpu:");
    return h;
}

static struct plumb_text text_of(struct site *s, const char *text)
{
    return (struct plumb_text){
        .v = plumb_intern_str(s->fx->session.intern, text),
        .at = in_spec(s, text),
        .origin = PLUMB_GIVEN,
    };
}

static const char spec_text[] = "plumb: 1\n"
                                "cluster: test\n"
                                "control: {hosts: [cp-01]}\n"
                                "nodes:\n"
                                "  gpu: {hosts: gpu-[01-02]}\n"
                                "partitions:\n"
                                "  main: {nodes: all}\n"
                                "timeouts: {node: 300 s}\n";

static struct site make_site(void **state)
{
    struct site s = {.fx = *state};

    s.a = s.fx->arena;
    s.spec = fx_source(s.fx, "site/cluster.yaml", spec_text);
    s.capture = fx_source(s.fx, "site/captures/gpu/a.xml", "<topology/>\n");
    s.model.release = PLUMB_24_11;
    s.model.from_spec = true;
    s.model.spec_path = "site/cluster.yaml";
    s.model.cluster = text_of(&s, "test");
    s.model.controllers = PLUMB_NEW(s.a, struct plumb_host);
    s.model.controllers[0].name = text_of(&s, "cp-01");
    s.model.controller_count = 1;
    return s;
}

static void emit(struct site *s)
{
    s->out = (struct plumb_outputs){0};
    plumb_target_slurm.emit(&(struct plumb_emit){
        .model = &s->model,
        .session = &s->fx->session,
        .out = &s->out,
        .target = &plumb_target_slurm,
    });
}

static const struct plumb_output *file_of(struct site *s, const char *path)
{
    for (size_t i = 0; i < s->out.file_count; i++) {
        if (strcmp(s->out.files[i].path, path) == 0)
            return &s->out.files[i];
    }
    fail_msg("no file '%s'", path);
    return NULL;
}

/* The text of a file behind its header of three lines. */
static const char *body(struct site *s, const char *path)
{
    const char *text = file_of(s, path)->text;

    for (int line = 0; line < 3; line++) {
        assert_int_equal(text[0], '#');
        text = strchr(text, '\n') + 1;
    }
    return text;
}

static void print(struct site *s)
{
    emit(s);
    assert_true(plumb_outputs_print(&s->fx->session, &s->model, &s->out));
    plumb_outputs_finish(&s->fx->session, &s->model, &s->out);
}

static void slurm_conf_is_printed_in_groups_and_records(void **state)
{
    struct site s = make_site(state);
    struct plumb_settings *conf = &s.model.settings[PLUMB_SLURM_CONF];

    /* Given in no order at all. */
    set(&s, conf, PLUMB_P_SLURM_SLURMDTIMEOUT, "300", in_spec(&s, "300 s"));
    set_default(&s, conf, PLUMB_P_SLURM_VSIZEFACTOR, "110");
    set_default(&s, conf, PLUMB_P_SLURM_SELECTTYPE, "select/cons_tres");
    set_default(&s, conf, PLUMB_P_SLURM_PROLOG, "/etc/slurm/prolog.d/20-b");
    set_default(&s, conf, PLUMB_P_SLURM_PROLOG, "/etc/slurm/prolog.d/10-a");
    set_default(&s, conf, PLUMB_P_SLURM_AUTHTYPE, "auth/munge");
    set_default(&s, conf, PLUMB_P_SLURM_SCHEDULERTYPE, "sched/builtin");
    set_default(&s, conf, PLUMB_P_SLURM_SCHEDULERTYPE, "sched/backfill"); /* the last counts */
    set_default(&s, conf, PLUMB_P_SLURM_HASHPLUGIN, "hash/k12");
    conf->items[conf->count - 1].origin = PLUMB_BAD;
    set_default(&s, conf, PLUMB_P_SLURM_MAILDOMAIN, "example.org");

    s.model.nodes = PLUMB_NEW_ARRAY(s.a, 2, struct plumb_nodes);
    s.model.node_count = 2;
    s.model.nodes[0].hosts = hosts(&s, "gpu-02,gpu-01");
    set_default(&s, &s.model.nodes[0].settings, PLUMB_P_NODE_GRES, "gpu:h100:8");
    set_default(&s, &s.model.nodes[0].settings, PLUMB_P_NODE_CPUS, "192");
    /* nodes[1].hosts is bad: reported, nothing is written for it */

    s.model.nodesets = PLUMB_NEW(s.a, struct plumb_nodeset);
    s.model.nodeset_count = 1;
    s.model.nodesets[0].name = text_of(&s, "nodes");
    set_default(&s, &s.model.nodesets[0].settings, PLUMB_P_NODESET_FEATURE, "h100");

    s.model.down_nodes = PLUMB_NEW(s.a, struct plumb_settings);
    s.model.down_node_count = 1;
    set_default(&s, &s.model.down_nodes[0], PLUMB_P_DOWN_STATE, "FAIL");
    set_default(&s, &s.model.down_nodes[0], PLUMB_P_SLURM_DOWNNODES, "gpu-02");
    set_default(&s, &s.model.down_nodes[0], PLUMB_P_DOWN_REASON, "broken fan");

    s.model.partitions = PLUMB_NEW_ARRAY(s.a, 2, struct plumb_partition);
    s.model.partition_count = 2;
    s.model.partitions[0].name = text_of(&s, "main");
    s.model.partitions[0].all_nodes = true;
    set_default(&s, &s.model.partitions[0].settings, PLUMB_P_PART_MAXTIME, "UNLIMITED");
    set_default(&s, &s.model.partitions[0].settings, PLUMB_P_PART_DEFAULT, "YES");
    s.model.partitions[1].name = text_of(&s, "gpu");
    set_default(&s, &s.model.partitions[1].settings, PLUMB_P_PART_NODES, "nodes");

    print(&s);
    assert_string_equal(body(&s, "slurm/slurm.conf"),
                        "\n# cluster\n"
                        "ClusterName=test\n"
                        "SlurmctldHost=cp-01\n"
                        "AuthType=auth/munge\n"
                        "\n# jobs\n"
                        "Prolog=/etc/slurm/prolog.d/20-b\n"
                        "Prolog=/etc/slurm/prolog.d/10-a\n"
                        "\n# scheduling\n"
                        "SchedulerType=sched/backfill\n"
                        "SelectType=select/cons_tres\n"
                        "\n# timeouts\n"
                        "SlurmdTimeout=300\n"
                        "\n# other settings\n"
                        "MailDomain=example.org\n"
                        "VSizeFactor=110\n"
                        "\n# nodes\n"
                        "NodeName=gpu-[02,01] CPUs=192 Gres=gpu:h100:8\n"
                        "\n# node sets\n"
                        "NodeSet=nodes Feature=h100\n"
                        "\n# nodes that are down\n"
                        "DownNodes=gpu-02 Reason=\"broken fan\" State=FAIL\n"
                        "\n# partitions\n"
                        "PartitionName=main Nodes=ALL Default=YES MaxTime=UNLIMITED\n"
                        "PartitionName=gpu Nodes=nodes\n");
}

static void a_parameter_that_is_one_word_in_old_releases_is_printed_once(void **state)
{
    struct site s = make_site(state);
    struct plumb_settings *conf = &s.model.settings[PLUMB_SLURM_CONF];

    s.model.release = PLUMB_23_11;
    set_default(&s, conf, PLUMB_P_SLURM_PROLOG, "/etc/slurm/a");
    set_default(&s, conf, PLUMB_P_SLURM_PROLOG, "/etc/slurm/b");
    print(&s);
    assert_null(strstr(body(&s, "slurm/slurm.conf"), "/etc/slurm/a"));
    assert_non_null(strstr(body(&s, "slurm/slurm.conf"), "Prolog=/etc/slurm/b\n"));
}

static void a_backup_controller_keeps_its_place_and_address(void **state)
{
    struct site s = make_site(state);

    s.model.controllers = PLUMB_NEW_ARRAY(s.a, 2, struct plumb_host);
    s.model.controllers[0].name = text_of(&s, "cp-01");
    s.model.controllers[0].address = text_of(&s, "gpu-");
    s.model.controllers[1].name = text_of(&s, "all");
    s.model.controller_count = 2;
    print(&s);
    assert_non_null(
        strstr(body(&s, "slurm/slurm.conf"), "SlurmctldHost=cp-01(gpu-)\nSlurmctldHost=all\n"));

    /* Settings win: they are the user's own text. */
    set(&s, &s.model.settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_SLURMCTLDHOST, "gpu-01",
        in_spec(&s, "hosts"));
    print(&s);
    assert_non_null(strstr(body(&s, "slurm/slurm.conf"), "SlurmctldHost=gpu-01\n"));
    assert_null(strstr(body(&s, "slurm/slurm.conf"), "cp-01"));
}

static struct plumb_gres_line *add_gres(struct site *s, const char *on, const char *file,
                                        const char *cores, const char *links)
{
    struct plumb_gres_line *line = NULL;

    line = &s->model.gres_lines[s->model.gres_line_count++];
    line->at = in_spec(s, "gpu:");
    line->hosts = on != NULL ? hosts(s, on) : NULL;
    line->name = plumb_intern_str(s->fx->session.intern, "gpu");
    set_default(s, &line->settings, PLUMB_P_GRES_TYPE, "h100");
    if (file != NULL) {
        line->files = hosts(s, file);
        set_default(s, &line->settings, PLUMB_P_GRES_FILE, file);
    }
    if (cores != NULL)
        set_default(s, &line->settings, PLUMB_P_GRES_CORES, cores);
    if (links != NULL)
        set_default(s, &line->settings, PLUMB_P_GRES_LINKS, links);
    return line;
}

/* Devices are named [class][index][cores][links]; every row is one file. */
static void gres_lines_are_folded_only_where_they_mean_the_same(void **state)
{
    static const struct {
        struct {
            const char *hosts, *file, *cores, *links;
        } lines[5];
        const char *text;
    } rows[] = {
        /* Devices of one socket share a line. */
        {{{"gpu-[01-02]", "/dev/nvidia0", "0-47", NULL},
          {"gpu-[01-02]", "/dev/nvidia1", "0-47", NULL},
          {"gpu-[01-02]", "/dev/nvidia2", "48-95", NULL},
          {"gpu-[01-02]", "/dev/nvidia3", "48-95", NULL}},
         "NodeName=gpu-[01-02] Name=gpu Type=h100 File=/dev/nvidia[0-1] Cores=0-47\n"
         "NodeName=gpu-[01-02] Name=gpu Type=h100 File=/dev/nvidia[2-3] Cores=48-95\n"},
        /* Not when another device lies between: order is the order of devices. */
        {{{"gpu-01", "/dev/nvidia0", "0-47", NULL},
          {"gpu-01", "/dev/nvidia1", "48-95", NULL},
          {"gpu-01", "/dev/nvidia2", "0-47", NULL}},
         "NodeName=gpu-01 Name=gpu Type=h100 File=/dev/nvidia0 Cores=0-47\n"
         "NodeName=gpu-01 Name=gpu Type=h100 File=/dev/nvidia1 Cores=48-95\n"
         "NodeName=gpu-01 Name=gpu Type=h100 File=/dev/nvidia2 Cores=0-47\n"},
        /* Links are of one device each. */
        {{{"gpu-01", "/dev/nvidia0", "0-47", "-1,4"}, {"gpu-01", "/dev/nvidia1", "0-47", "4,-1"}},
         "NodeName=gpu-01 Name=gpu Type=h100 File=/dev/nvidia0 Cores=0-47 Links=-1,4\n"
         "NodeName=gpu-01 Name=gpu Type=h100 File=/dev/nvidia1 Cores=0-47 Links=4,-1\n"},
        {{{"gpu-01", "/dev/nvidia0", NULL, "-1,0"}, {"gpu-01", "/dev/nvidia1", NULL, "-1,0"}},
         "NodeName=gpu-01 Name=gpu Type=h100 File=/dev/nvidia0 Links=-1,0\n"
         "NodeName=gpu-01 Name=gpu Type=h100 File=/dev/nvidia1 Links=-1,0\n"},
        /* Equal classes share lines, device by device. */
        {{{"gpu-[01-02]", "/dev/nvidia0", NULL, NULL},
          {"gpu-[01-02]", "/dev/nvidia1", NULL, NULL},
          {"gpu-[03-04]", "/dev/nvidia0", NULL, NULL},
          {"gpu-[03-04]", "/dev/nvidia1", NULL, NULL}},
         "NodeName=gpu-[01-04] Name=gpu Type=h100 File=/dev/nvidia[0-1]\n"},
        {{{"a1", "/dev/nvidia0", NULL, "-1,4"},
          {"a1", "/dev/nvidia1", NULL, "4,-1"},
          {"b1", "/dev/nvidia0", NULL, "-1,4"},
          {"b1", "/dev/nvidia1", NULL, "4,-1"}},
         "NodeName=a1,b1 Name=gpu Type=h100 File=/dev/nvidia0 Links=-1,4\n"
         "NodeName=a1,b1 Name=gpu Type=h100 File=/dev/nvidia1 Links=4,-1\n"},
        /* Lines of a class keep their order: the second class has its devices the other way. */
        {{{"a1", NULL, "0-1", NULL},
          {"a1", NULL, "2-3", NULL},
          {"b1", NULL, "2-3", NULL},
          {"b1", NULL, "0-1", NULL}},
         "NodeName=a1 Name=gpu Type=h100 Cores=0-1\n"
         "NodeName=a1,b1 Name=gpu Type=h100 Cores=2-3\n"
         "NodeName=b1 Name=gpu Type=h100 Cores=0-1\n"},
        /* A host that stands in both lists: nothing is joined. */
        {{{"a[1-2]", NULL, NULL, NULL}, {"a[2-3]", NULL, NULL, NULL}},
         "NodeName=a[1-2] Name=gpu Type=h100\nNodeName=a[2-3] Name=gpu Type=h100\n"},
        /* The same line twice for one host is two records. */
        {{{"gpu-01", NULL, NULL, NULL}, {"gpu-01", NULL, NULL, NULL}},
         "NodeName=gpu-01 Name=gpu Type=h100\nNodeName=gpu-01 Name=gpu Type=h100\n"},
        /* For every node: the key is Name. */
        {{{NULL, "/dev/nvidia0", NULL, NULL}}, "Name=gpu Type=h100 File=/dev/nvidia0\n"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct site s = make_site(state);

        fx_row(s.fx, i, rows[i].text);
        s.model.gres_lines = PLUMB_NEW_ARRAY(s.a, 5, struct plumb_gres_line);
        for (size_t j = 0; j < 5; j++) {
            if (rows[i].lines[j].hosts != NULL || rows[i].lines[j].file != NULL)
                (void)add_gres(&s, rows[i].lines[j].hosts, rows[i].lines[j].file,
                               rows[i].lines[j].cores, rows[i].lines[j].links);
        }
        print(&s);
        assert_string_equal(body(&s, "slurm/gres.conf"),
                            plumb_arena_printf(s.a, "\n# devices\n%s", rows[i].text));
    }
}

static void files_are_made_only_when_something_stands_in_them(void **state)
{
    struct site s = make_site(state);

    print(&s);
    assert_true(plumb_outputs_has(&s.out, "slurm/slurm.conf"));
    assert_true(plumb_outputs_has(&s.out, "slurm/cgroup.conf"));
    assert_false(plumb_outputs_has(&s.out, "slurm/gres.conf"));
    assert_false(plumb_outputs_has(&s.out, "slurm/slurmdbd.conf"));
    assert_false(plumb_outputs_has(&s.out, "slurm/acct_gather.conf"));
    assert_int_equal(s.out.file_count, 4);

    set_default(&s, &s.model.settings[PLUMB_SLURMDBD_CONF], PLUMB_P_DBD_DBDHOST, "db");
    set_default(&s, &s.model.settings[PLUMB_GRES_CONF], PLUMB_P_GRESGLOBAL_AUTODETECT, "off");
    print(&s);
    assert_int_equal(file_of(&s, "slurm/slurmdbd.conf")->mode, 0600);
    assert_int_equal(file_of(&s, "slurm/slurm.conf")->mode, 0644);
    assert_string_equal(body(&s, "slurm/slurmdbd.conf"), "\n# daemon\nDbdHost=db\n");
    assert_string_equal(body(&s, "slurm/gres.conf"), "AutoDetect=off\n");
}

static void every_file_begins_with_its_origin(void **state)
{
    struct site s = make_site(state);
    const char *text = NULL;
    struct plumb_buf expected = plumb_buf_in(s.a);
    char digests[2][65], all[65];

    fx_source(s.fx, "site/captures/gpu/README", "a note")->idle = true;
    print(&s);
    /* The digest of the inputs: their digests and names as sha256sum prints them, sorted. */
    plumb_sha256_hex(s.capture->bytes, s.capture->len, digests[0]);
    plumb_sha256_hex(s.spec->bytes, s.spec->len, digests[1]);
    plumb_buf_printf(&expected, "%s  captures/gpu/a.xml\n%s  cluster.yaml\n", digests[0],
                     digests[1]);
    plumb_sha256_hex(plumb_buf_text(&expected), expected.len, all);
    assert_string_equal(s.out.inputs_sha256, all);

    text = plumb_arena_printf(s.a,
                              "# generated by plumb, do not edit\n# source: cluster.yaml\n"
                              "# inputs: sha256 %s\n",
                              all);
    assert_memory_equal(file_of(&s, "slurm/cgroup.conf")->text, text, strlen(text));
    assert_non_null(strstr(file_of(&s, PLUMB_MANIFEST_PATH)->text, all));
    assert_non_null(strstr(file_of(&s, PLUMB_MAP_PATH)->text, all));
}

static void the_manifest_tells_digest_and_mode_of_every_other_file(void **state)
{
    struct site s = make_site(state);
    struct plumb_manifest m;
    const struct plumb_output *file = NULL;

    set_default(&s, &s.model.settings[PLUMB_SLURMDBD_CONF], PLUMB_P_DBD_DBDHOST, "db");
    print(&s);
    file = file_of(&s, PLUMB_MANIFEST_PATH);
    m = plumb_manifest_read(&s.fx->session, file->text, file->len);
    assert_true(m.present);
    assert_int_equal(m.count, s.out.file_count - 1);
    for (size_t i = 0; i < s.out.file_count; i++) {
        const struct plumb_manifest_file *entry = plumb_manifest_find(&m, s.out.files[i].path);

        if (strcmp(s.out.files[i].path, PLUMB_MANIFEST_PATH) == 0) {
            assert_null(entry);
            continue;
        }
        assert_non_null(entry);
        assert_int_equal(entry->mode, s.out.files[i].mode);
        assert_string_equal(entry->sha256, s.out.files[i].sha256);
    }
    assert_non_null(strstr(file->text, "\"slurm\": \"24.11\""));
    assert_non_null(strstr(file->text, "\"path\": \"captures/gpu/a.xml\""));
}

static void the_map_tells_why_a_line_is_there(void **state)
{
    struct site s = make_site(state);
    const char *text = NULL;

    set(&s, &s.model.settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_SLURMDTIMEOUT, "300",
        in_spec(&s, "300 s"));
    print(&s);
    /* Header 3, blank, heading, ClusterName 6, SlurmctldHost 7, blank, heading, SlurmdTimeout 10.
     */
    text = strstr(file_of(&s, PLUMB_MAP_PATH)->text, "\"slurm/slurm.conf\"");
    assert_non_null(text);
    assert_non_null(strstr(text, "cluster.yaml:2:10"));
    assert_non_null(strstr(text, "cluster.yaml:3:19"));
    assert_non_null(strstr(text, "cluster.yaml:8:18"));
    assert_non_null(strstr(text, "\"line\": 6"));
    assert_non_null(strstr(text, "\"line\": 7"));
    assert_non_null(strstr(text, "\"line\": 10"));
    assert_null(strstr(text, "site/"));
}

static void a_value_that_slurm_cannot_read_back_stops_all(void **state)
{
    struct site s = make_site(state);

    set(&s, &s.model.settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_MAILDOMAIN, "a b\"c",
        in_spec(&s, "300 s"));
    emit(&s);
    assert_false(plumb_outputs_print(&s.fx->session, &s.model, &s.out));
    assert_int_equal(s.out.file_count, 0);
    fx_expect(s.fx, "GEN001", in_spec(&s, "300 s").begin, in_spec(&s, "300 s").end);
    fx_expect_nothing_else(s.fx);

    s = make_site(state);
    set_default(&s, &s.model.settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_MAILDOMAIN, "ab");
    s.model.settings[PLUMB_SLURM_CONF].items[0].value =
        (struct plumb_slice){.text = "a\0b", .len = 3, .at = in_spec(&s, "300 s")};
    emit(&s);
    fx_row(s.fx, 1, "a NUL inside");
    assert_false(plumb_outputs_print(&s.fx->session, &s.model, &s.out));
    fx_expect(s.fx, "GEN001", in_spec(&s, "300 s").begin, in_spec(&s, "300 s").end);
}

/* A pair in a text that is no file of its own, beside the files of target slurm. */
static void print_with_inner(struct site *s, const char *value)
{
    struct plumb_emit em = {.model = &s->model,
                            .session = &s->fx->session,
                            .out = &s->out,
                            .target = &plumb_target_slurm};
    struct plumb_conf *conf = plumb_conf_new(s->a, PLUMB_SLURM_CONF);
    struct plumb_run run = {.session = &s->fx->session, .model = &s->model, .outputs = &s->out};

    emit(s);
    plumb_conf_add(conf, plumb_conf_line(conf, PLUMB_SCOPE_GLOBAL), PLUMB_P_SLURM_SLURMDTIMEOUT,
                   value, in_spec(s, "300 s"));
    plumb_emit_inner(&em, conf);
    plumb_pass_print(&run);
}

static void text_within_a_document_is_held_against_the_table(void **state)
{
    struct site s = make_site(state);
    struct plumb_span at = in_spec(&s, "300 s");

    print_with_inner(&s, "300");
    assert_true(s.out.file_count > 0);
    fx_expect_nothing_else(s.fx);

    s = make_site(state);
    print_with_inner(&s, "later");
    assert_int_equal(s.out.file_count, 0);
    fx_expect(s.fx, "CONF010", at.begin, at.end);
    fx_expect_nothing_else(s.fx);
}

static void what_a_file_and_a_text_have_in_common_is_told_once(void **state)
{
    struct site s = make_site(state);
    struct plumb_span at = in_spec(&s, "300 s");

    set(&s, &s.model.settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_SLURMDTIMEOUT, "later", at);
    print_with_inner(&s, "later");
    assert_int_equal(s.out.file_count, 0);
    fx_expect(s.fx, "CONF010", at.begin, at.end);
    fx_expect_nothing_else(s.fx);
}

static void two_files_of_one_path_are_refused(void **state)
{
    struct site s = make_site(state);

    emit(&s);
    (void)plumb_emit_conf(&(struct plumb_emit){.model = &s.model,
                                               .session = &s.fx->session,
                                               .out = &s.out,
                                               .target = &plumb_target_slurm},
                          PLUMB_SLURM_CONF, 0644);
    assert_false(plumb_outputs_print(&s.fx->session, &s.model, &s.out));
    assert_int_equal(s.out.file_count, 0);
    fx_expect(s.fx, "GEN002", 0, 0);
}

static void no_parameter_stands_in_two_groups_of_a_file(void **state)
{
    static const struct {
        const struct plumb_slurm_group *groups;
        const size_t *count;
        enum plumb_file file;
    } files[] = {
        {plumb_slurm_conf_groups, &plumb_slurm_conf_group_count, PLUMB_SLURM_CONF},
        {plumb_slurmdbd_conf_groups, &plumb_slurmdbd_conf_group_count, PLUMB_SLURMDBD_CONF},
        {plumb_cgroup_conf_groups, &plumb_cgroup_conf_group_count, PLUMB_CGROUP_CONF},
    };

    (void)state;
    for (size_t f = 0; f < PLUMB_COUNT(files); f++) {
        bool seen[PLUMB_P_COUNT] = {false};

        for (size_t g = 0; g < *files[f].count; g++) {
            for (size_t i = 0; i < files[f].groups[g].count; i++) {
                const struct plumb_param *p = plumb_param(files[f].groups[g].ids[i]);

                if (seen[p->id])
                    fail_msg("'%s' stands in two groups", p->name);
                seen[p->id] = true;
                assert_int_equal(p->file, files[f].file);
                assert_int_equal(p->scope, PLUMB_SCOPE_GLOBAL);
            }
        }
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fx_setup, fx_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(inputs_are_named_relative_to_the_specification),
        TEST(a_built_in_capture_keeps_its_name),
        TEST(slurm_conf_is_printed_in_groups_and_records),
        TEST(a_parameter_that_is_one_word_in_old_releases_is_printed_once),
        TEST(a_backup_controller_keeps_its_place_and_address),
        TEST(gres_lines_are_folded_only_where_they_mean_the_same),
        TEST(files_are_made_only_when_something_stands_in_them),
        TEST(every_file_begins_with_its_origin),
        TEST(the_manifest_tells_digest_and_mode_of_every_other_file),
        TEST(the_map_tells_why_a_line_is_there),
        TEST(a_value_that_slurm_cannot_read_back_stops_all),
        TEST(text_within_a_document_is_held_against_the_table),
        TEST(what_a_file_and_a_text_have_in_common_is_told_once),
        TEST(two_files_of_one_path_are_refused),
        TEST(no_parameter_stands_in_two_groups_of_a_file),
    };

    return cmocka_run_group_tests_name("emit/outputs", tests, NULL, NULL);
}
