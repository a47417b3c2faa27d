/* SPDX-License-Identifier: Apache-2.0 */
/* Hand-written Slurm files to the model: settings, records, typed values, and their places. */
#include "fixture.h"

#include <string.h>

#include "conf/conf.h"
#include "passes/pass.h"
#include "schema/value.h"

struct file {
    const char *name, *text;
    enum plumb_file kind;
};

/* Runs the passes of the hand-written front over files in memory. */
static struct plumb_model *lift(struct fixture *fx, const struct file *files, size_t count,
                                enum plumb_release release)
{
    struct plumb_run *r = PLUMB_NEW(fx->arena, struct plumb_run);

    r->session = &fx->session;
    r->forced_release = release;
    r->inputs = PLUMB_NEW_ARRAY(fx->arena, count, struct plumb_input);
    r->input_count = count;
    for (size_t i = 0; i < count; i++)
        r->inputs[i] = (struct plumb_input){
            .path = files[i].name,
            .shown = files[i].name,
            .kind = PLUMB_KIND_CONF,
            .conf_file = files[i].kind,
            .src = fx_source(fx, files[i].name, files[i].text),
        };
    plumb_pass_read_conf(r);
    assert_int_equal(r->facts, PLUMB_FACT_CONF);
    plumb_pass_lift(r);
    plumb_pass_type_values(r);
    return r->model;
}

static struct plumb_model *lift_text(struct fixture *fx, const char *text)
{
    const struct file file = {"slurm.conf", text, PLUMB_SLURM_CONF};

    return lift(fx, &file, 1, PLUMB_24_11);
}

/* The text of the user that a span shows. */
static const char *text_at(struct fixture *fx, struct plumb_span at)
{
    const struct plumb_source *src = plumb_source_get(&fx->session.sources, at.file);

    if (src == NULL)
        return "";
    return plumb_arena_strndup(fx->arena, src->bytes + at.begin, at.end - at.begin);
}

static void global_settings_keep_every_occurrence(void **state)
{
    struct fixture *fx = *state;
    struct plumb_model *m = lift_text(fx, "ClusterName=Alpha\nSlurmdTimeout=30\nSlurmdTimeout=40\n"
                                          "SlurmctldHost=a(10.0.0.1)\nSlurmctldHost=b\n"
                                          "Prolog=/x\nProlog=/y\n");
    const struct plumb_settings *s = plumb_slurm(m);
    const struct plumb_setting *prolog = NULL;
    struct plumb_u64 v = plumb_setting_u64(s, PLUMB_P_SLURM_SLURMDTIMEOUT, m->release);

    fx_expect_nothing_else(fx);
    assert_string_equal(m->cluster.v, "Alpha");
    assert_int_equal(v.v, 40);
    assert_int_equal(v.origin, PLUMB_GIVEN);
    assert_string_equal(text_at(fx, v.at), "40");
    prolog = plumb_setting_next(s, PLUMB_P_SLURM_PROLOG, NULL);
    assert_string_equal(prolog->value.text, "/x");
    prolog = plumb_setting_next(s, PLUMB_P_SLURM_PROLOG, prolog);
    assert_string_equal(prolog->value.text, "/y");
    assert_string_equal(text_at(fx, prolog->key_at), "Prolog");
    assert_null(plumb_setting_next(s, PLUMB_P_SLURM_PROLOG, prolog));
    assert_int_equal(m->controller_count, 2);
    assert_string_equal(m->controllers[0].name.v, "a");
    assert_string_equal(m->controllers[0].address.v, "10.0.0.1");
    assert_string_equal(text_at(fx, m->controllers[0].address.at), "10.0.0.1");
    assert_string_equal(m->controllers[1].name.v, "b");
    assert_int_equal(m->controllers[1].address.origin, PLUMB_ABSENT);
}

static void defaults_of_the_release_fill_what_is_not_set(void **state)
{
    struct fixture *fx = *state;
    struct plumb_model *m = lift_text(fx, "ClusterName=a\nKillWait=x\n");
    const struct plumb_settings *s = plumb_slurm(m);
    struct plumb_u64 v = plumb_setting_u64(s, PLUMB_P_SLURM_SLURMDTIMEOUT, m->release);

    assert_int_equal(v.v, 300); /* slurm.conf(5), SlurmdTimeout */
    assert_int_equal(v.origin, PLUMB_DEFAULTED);
    assert_false(plumb_span_known(v.at));
    assert_int_equal(plumb_setting_u64(s, PLUMB_P_SLURM_KILLWAIT, m->release).origin, PLUMB_BAD);
}

static void legacy_controllers_count_without_slurmctldhost(void **state)
{
    static const struct {
        const char *text;
        size_t count;
        const char *first, *second;
    } rows[] = {
        {"ControlMachine=a\nControlAddr=1.2.3.4\nBackupController=b\n", 2, "a", "b"},
        {"SlurmctldHost=c\nControlMachine=a\n", 1, "c", NULL},
        {"ClusterName=x\n", 0, NULL, NULL},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_model *m = NULL;

        fx_row(fx, i, rows[i].text);
        m = lift_text(fx, rows[i].text);
        assert_int_equal(m->controller_count, rows[i].count);
        if (rows[i].first != NULL)
            assert_string_equal(m->controllers[0].name.v, rows[i].first);
        if (rows[i].second != NULL)
            assert_string_equal(m->controllers[1].name.v, rows[i].second);
    }
}

static void broken_parentheses_of_a_controller_are_bad(void **state)
{
    static const char *const rows[] = {"SlurmctldHost=a(b", "SlurmctldHost=a)b(",
                                       "SlurmctldHost=a(b)c", "SlurmctldHost=a)"};
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_model *m = lift_text(fx, rows[i]);

        assert_int_equal(m->controller_count, 1);
        assert_int_equal(m->controllers[0].name.origin, PLUMB_BAD);
    }
}

/* grammar, section 5 */
static void default_lines_reach_the_lines_below(void **state)
{
    struct fixture *fx = *state;
    struct plumb_model *m =
        lift_text(fx, "NodeName=n0 Weight=5\n"
                      "NodeName=DEFAULT CPUs=8 RealMemory=100 Weight=1\n"
                      "NodeName=n1\n"
                      "nodename=Default Weight=2\n"
                      "NodeName=n2 RealMemory=200\n"
                      "PartitionName=DEFAULT MaxTime=60 SuspendTime=5\n"
                      "PartitionName=p Nodes=n1\n"
                      "PartitionName=q Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=1:30\n");
    const struct plumb_settings *n2 = NULL;

    fx_expect_nothing_else(fx);
    assert_int_equal(m->node_count, 3);
    assert_null(plumb_setting(&m->nodes[0].settings, PLUMB_P_NODE_CPUS));
    assert_string_equal(plumb_setting(&m->nodes[1].settings, PLUMB_P_NODE_WEIGHT)->value.text, "1");
    n2 = &m->nodes[2].settings;
    assert_string_equal(plumb_setting(n2, PLUMB_P_NODE_WEIGHT)->value.text, "2");
    assert_int_equal(m->nodes[2].real_memory_mib.v, 200);
    assert_int_equal(m->nodes[2].cpus.v, 8);
    /* an inherited value stands at the DEFAULT line */
    assert_int_equal(plumb_source_place(&fx->session.sources, m->nodes[2].cpus.at).line, 2);
    assert_int_equal(
        plumb_source_place(&fx->session.sources, plumb_setting_at(n2, PLUMB_P_NODE_WEIGHT)).line,
        4);
    assert_int_equal(m->partition_count, 2);
    assert_int_equal(m->partitions[0].max_time_min.v, 60);
    assert_null(plumb_setting(&m->partitions[0].settings, PLUMB_P_PART_SUSPENDTIME));
    assert_string_equal(m->partitions[0].nodes_text.text, "n1");
    assert_false(m->partitions[0].all_nodes);
    assert_true(m->partitions[1].all_nodes);
    assert_true(m->partitions[1].is_default.v);
    assert_int_equal(m->partitions[1].max_time_min.v, 1440);
    assert_int_equal(m->partitions[1].default_time_min.v, 2);
    assert_int_equal(m->all_nodes->count, 3);
}

/*
 * What `scontrol show node` shows for each line on Slurm 22.05.8 and 26.05.5; but slurmctld
 * of 22.05 stops when CPUs equal the sockets of a node with more cores.
 */
static void cpus_are_derived_as_the_daemon_derives_them(void **state)
{
    static const struct {
        const char *line;
        uint64_t cpus, boards, sockets, cores, threads;
    } rows[] = {
        {"NodeName=n", 1, 1, 1, 1, 1},
        {"NodeName=n CPUs=8", 8, 1, 8, 1, 1},
        {"NodeName=n Procs=8", 8, 1, 8, 1, 1},
        {"NodeName=n CPUs=8 CoresPerSocket=2 ThreadsPerCore=2", 8, 1, 2, 2, 2},
        {"NodeName=n CPUs=8 CoresPerSocket=3", 3, 1, 1, 3, 1},
        {"NodeName=n Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 16, 1, 2, 4, 2},
        {"NodeName=n CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 8, 1, 2, 4, 2},
        {"NodeName=n CPUs=2 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 2, 1, 2, 4, 2},
        {"NodeName=n CPUs=9 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 16, 1, 2, 4, 2},
        {"NodeName=n Boards=2 SocketsPerBoard=2 CoresPerSocket=4", 16, 2, 4, 4, 1},
        {"NodeName=n Boards=2 SocketsPerBoard=2 Sockets=8 CoresPerSocket=4", 16, 2, 4, 4, 1},
        {"NodeName=n Boards=4 Sockets=2", 2, 1, 2, 1, 1},
        {"NodeName=n Boards=2", 2, 2, 2, 1, 1},
        {"NodeName=n CPUs=0", 1, 1, 1, 1, 1},
        {"NodeName=n Sockets=2 CoresPerSocket=0 ThreadsPerCore=2", 4, 1, 2, 1, 2},
        {"NodeName=n Boards=2 CPUs=8", 8, 2, 8, 1, 1},
        {"NodeName=n CPUs=8 SocketsPerBoard=2", 2, 1, 2, 1, 1},
        {"NodeName=n CPUs=8 Sockets=2", 2, 1, 2, 1, 1},
        {"NodeName=n CPUs=8 ThreadsPerCore=2", 8, 1, 4, 1, 2},
        {"NodeName=n CPUs=2 CoresPerSocket=4", 4, 1, 1, 4, 1},
        {"NodeName=n Sockets=0 CoresPerSocket=4", 4, 1, 1, 4, 1},
        {"NodeName=n CPUs=8 Sockets=0", 1, 1, 1, 1, 1},
        {"NodeName=n Boards=0 Sockets=2", 2, 1, 2, 1, 1},
        {"NodeName=n SocketsPerBoard=0 Sockets=2", 1, 1, 1, 1, 1},
        {"NodeName=n Boards=2 CPUs=8 CoresPerSocket=2 ThreadsPerCore=2", 8, 2, 2, 2, 2},
        {"NodeName=n CPUs=0 Sockets=2 CoresPerSocket=4", 8, 1, 2, 4, 1},
        {"NodeName=n CPUs=INFINITE", 65535, 1, 65535, 1, 1},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_nodes *n = NULL;

        fx_row(fx, i, rows[i].line);
        n = &lift_text(fx, rows[i].line)->nodes[0];
        if (n->cpus.v != rows[i].cpus || n->boards.v != rows[i].boards ||
            n->sockets.v != rows[i].sockets || n->cores_per_socket.v != rows[i].cores ||
            n->threads_per_core.v != rows[i].threads)
            fail_msg("row '%s': CPUs=%ju Boards=%ju Sockets=%ju Cores=%ju Threads=%ju",
                     rows[i].line, (uintmax_t)n->cpus.v, (uintmax_t)n->boards.v,
                     (uintmax_t)n->sockets.v, (uintmax_t)n->cores_per_socket.v,
                     (uintmax_t)n->threads_per_core.v);
        fx_expect_nothing_else(fx);
    }
}

static void a_bad_number_makes_what_depends_on_it_bad(void **state)
{
    struct fixture *fx = *state;
    const struct plumb_nodes *n = &lift_text(fx, "NodeName=n Sockets=x CoresPerSocket=4")->nodes[0];

    assert_int_equal(n->sockets.origin, PLUMB_BAD);
    assert_int_equal(n->cpus.origin, PLUMB_BAD);
    assert_int_equal(n->cores_per_socket.v, 4);
    n = &lift_text(fx, "NodeName=n CPUs=x")->nodes[0];
    assert_int_equal(n->cpus.origin, PLUMB_BAD);
    assert_int_equal(n->sockets.origin, PLUMB_BAD);
    n = &lift_text(fx, "NodeName=n RealMemory=512G")->nodes[0];
    assert_int_equal(n->real_memory_mib.origin, PLUMB_BAD);
    n = &lift_text(fx, "NodeName=n")->nodes[0];
    assert_int_equal(n->real_memory_mib.v, 1);
    assert_int_equal(n->real_memory_mib.origin, PLUMB_DEFAULTED);
}

/* grammar, section 10 */
static void gres_items_are_read_with_their_parts(void **state)
{
    static const struct {
        const char *value;
        bool bad;
        struct {
            const char *name, *type;
            uint64_t count;
            const char *at, *type_at, *count_at;
        } items[2];
    } rows[] = {
        {"gpu", false, {{"gpu", NULL, 1, "gpu", "gpu", "gpu"}}},
        {"gpu:8", false, {{"gpu", NULL, 8, "gpu:8", "gpu:8", "8"}}},
        {"gpu:h100", false, {{"gpu", "h100", 1, "gpu:h100", "h100", "gpu:h100"}}},
        {"gpu:h100:8", false, {{"gpu", "h100", 8, "gpu:h100:8", "h100", "8"}}},
        {"gpu:h100:no_consume:4K",
         false,
         {{"gpu", "h100", 4096, "gpu:h100:no_consume:4K", "h100", "4K"}}},
        {"gpu:no_consume:2",
         false,
         {{"gpu", NULL, 2, "gpu:no_consume:2", "gpu:no_consume:2", "2"}}},
        {"gpu:a100:2(S:0,1),nic:1",
         false,
         {{"gpu", "a100", 2, "gpu:a100:2(S:0,1)", "a100", "2"},
          {"nic", NULL, 1, "nic:1", "nic:1", "1"}}},
        {"gpu:8x", true, {{"gpu", NULL, 1, "gpu:8x", "gpu:8x", "8x"}}},
        {"gpu:h100:eight",
         false,
         {{"gpu", "h100", 1, "gpu:h100:eight", "h100", "gpu:h100:eight"},
          {"gpu", "eight", 1, "gpu:h100:eight", "eight", "gpu:h100:eight"}}},
        {"gpu:a:b:4",
         false,
         {{"gpu", "a", 4, "gpu:a:b:4", "a", "4"}, {"gpu", "b", 4, "gpu:a:b:4", "b", "4"}}},
        {"gpu:-4", false, {{"gpu", "-4", 1, "gpu:-4", "-4", "gpu:-4"}}},
        {"gpu:99999999999999999999K",
         false,
         {{"gpu", NULL, INT64_MAX, "gpu:99999999999999999999K", "gpu:99999999999999999999K",
           "99999999999999999999K"}}},
        {":8,nic:2", false, {{"nic", NULL, 2, "nic:2", "nic:2", "2"}}},
        {"gpu:", false, {{"gpu", NULL, 1, "gpu:", "gpu:", "gpu:"}}},
        {"", false, {{0}}},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const struct plumb_nodes *n = NULL;
        size_t count = 0;

        fx_row(fx, i, rows[i].value);
        n = &lift_text(fx, plumb_arena_printf(fx->arena, "NodeName=n Gres=\"%s\"\n", rows[i].value))
                 ->nodes[0];
        for (; count < 2 && rows[i].items[count].name != NULL; count++) {
            const struct plumb_gres_item *g = &n->gres[count];

            assert_true(count < n->gres_count);
            assert_string_equal(g->name, rows[i].items[count].name);
            assert_int_equal(g->bad, rows[i].bad);
            assert_int_equal(g->type == NULL, rows[i].items[count].type == NULL);
            if (g->type != NULL)
                assert_string_equal(g->type, rows[i].items[count].type);
            assert_int_equal(g->count, rows[i].items[count].count);
            assert_string_equal(text_at(fx, g->at), rows[i].items[count].at);
            assert_string_equal(text_at(fx, g->type_at), rows[i].items[count].type_at);
            assert_string_equal(text_at(fx, g->count_at), rows[i].items[count].count_at);
        }
        assert_int_equal(n->gres_count, count);
    }
}

static void gres_items_of_one_name_add_up(void **state)
{
    struct fixture *fx = *state;
    const struct plumb_nodes *n = &lift_text(fx, "NodeName=n Gres=gpu:a:2,gpu:b:3,nic:1")->nodes[0];

    assert_int_equal(plumb_gres_total(n, "gpu"), 5);
    assert_int_equal(plumb_gres_total(n, "nic"), 1);
    assert_int_equal(plumb_gres_total(n, "mps"), 0);
}

static void gres_lines_are_typed(void **state)
{
    static const struct file files[] = {
        {"slurm.conf", "NodeName=n[1-4] Gres=gpu:8\n", PLUMB_SLURM_CONF},
        {"gres.conf",
         "AutoDetect=off\n"
         "NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-15 Links=-1,4,4,4\n"
         "Name=gpu Files=/dev/nvidia9 CPUs=16-31\n"
         "NodeName=m1 AutoDetect=nvml\n"
         "Name=mps Count=2K\n"
         "Name=nic Links=-1,2000 Cores=3-1\n",
         PLUMB_GRES_CONF},
    };
    struct fixture *fx = *state;
    struct plumb_model *m = lift(fx, files, 2, PLUMB_24_11);
    const struct plumb_gres_line *g = m->gres_lines;

    fx_expect_nothing_else(fx);
    assert_true(m->present[PLUMB_GRES_CONF]);
    assert_false(m->present[PLUMB_CGROUP_CONF]);
    assert_int_equal(m->settings[PLUMB_GRES_CONF].count, 1);
    assert_int_equal(m->gres_line_count, 5);
    assert_string_equal(g[0].name, "gpu");
    assert_string_equal(g[0].type, "h100");
    assert_int_equal(g[0].hosts->count, 2);
    assert_int_equal(g[0].files->count, 4);
    assert_int_equal(g[0].count.v, 4);
    assert_int_equal(g[0].count.origin, PLUMB_DERIVED);
    assert_string_equal(text_at(fx, g[0].count.at), "/dev/nvidia[0-3]");
    assert_int_equal(plumb_cores_count(&g[0].cores), 16);
    assert_int_equal(g[0].link_count, 4);
    assert_int_equal(g[0].links[0], -1);
    assert_false(g[0].links_bad);
    assert_null(g[1].hosts);
    assert_int_equal(g[1].files->count, 1);
    assert_true(plumb_cores_has(&g[1].cores, (struct plumb_core){31}));
    assert_null(g[2].name);
    assert_int_equal(g[3].count.v, 2048);
    assert_true(g[4].links_bad);
    assert_true(g[4].cores_bad);
    assert_true(plumb_gres_line_applies(fx->arena, &g[0], &m->nodes[0]));
    assert_false(plumb_gres_line_applies(fx->arena, &g[2], &m->nodes[0]));
    assert_true(plumb_gres_line_applies(fx->arena, &g[1], &m->nodes[0]));
}

static void a_bad_host_list_is_reported_once(void **state)
{
    struct fixture *fx = *state;
    struct plumb_model *m = lift_text(fx, "NodeName=n[1-\nNodeName=m[1-3]\n");

    assert_int_equal(fx->session.sink.count, 1);
    assert_memory_equal(fx->session.sink.items[0]->rule->code, "HOST", 4);
    assert_null(m->nodes[0].hosts);
    assert_int_equal(m->all_nodes->count, 3);
}

static void sockets_are_counted_as_the_parameters_say(void **state)
{
    static const struct {
        const char *text;
        enum plumb_release release;
        enum plumb_hw_socket_kind kind;
    } rows[] = {
        {"NodeName=n", PLUMB_24_11, PLUMB_SOCKET_PACKAGE},
        {"SlurmdParameters=numa_node_as_socket\nNodeName=n", PLUMB_24_11, PLUMB_SOCKET_NUMA},
        {"SlurmdParameters=numa_node_as_socket,l3cache_as_socket\nNodeName=n", PLUMB_24_11,
         PLUMB_SOCKET_L3},
        {"NodeName=n Parameters=l3cache_as_socket", PLUMB_25_11, PLUMB_SOCKET_L3},
        {"NodeName=n Parameters=l3cache_as_socket", PLUMB_24_11, PLUMB_SOCKET_PACKAGE},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct file file = {"slurm.conf", rows[i].text, PLUMB_SLURM_CONF};
        struct plumb_model *m = lift(fx, &file, 1, rows[i].release);

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_socket_kind(m, &m->nodes[0]), rows[i].kind);
    }
}

static void what_a_release_does_not_read_does_not_count(void **state)
{
    struct fixture *fx = *state;
    struct plumb_model *m =
        lift_text(fx, "PowerAction=x\nCryptoType=crypto/munge\n"
                      "AccountingStoreJobComment=yes\nTaskPlugin=task/cgroup\n");

    assert_null(plumb_setting(plumb_slurm(m), PLUMB_P_SLURM_ACCOUNTINGSTOREJOBCOMMENT));
    assert_true(
        plumb_setting_has_word(plumb_slurm(m), PLUMB_P_SLURM_TASKPLUGIN, "task/cgroup", NULL));
}

static void what_the_table_engine_refuses_is_bad(void **state)
{
    struct fixture *fx = *state;
    struct plumb_model *m = lift_text(fx, "SlurmdTimeout=soon\nPreemptMode=nonsense\n"
                                          "SlurmdParameters=nonsense,config_overrides\n"
                                          "NodeName=n State=NONSENSE Weight=1\n");

    fx_expect_nothing_else(fx);
    assert_int_equal(m->settings[PLUMB_SLURM_CONF].items[0].origin, PLUMB_BAD);
    assert_null(plumb_setting(&m->nodes[0].settings, PLUMB_P_NODE_STATE));
    assert_non_null(plumb_setting(&m->nodes[0].settings, PLUMB_P_NODE_WEIGHT));
    assert_true(plumb_setting_has_word(plumb_slurm(m), PLUMB_P_SLURM_SLURMDPARAMETERS,
                                       "config_overrides", NULL));
}

static void of_two_files_the_one_with_the_name_is_read(void **state)
{
    static const struct file files[] = {
        {"nodes.conf", "NodeName=n\n", PLUMB_SLURM_CONF},
        {"slurm.conf", "ClusterName=a\n", PLUMB_SLURM_CONF},
    };
    struct fixture *fx = *state;
    struct plumb_model *m = lift(fx, files, 2, PLUMB_RELEASE_NONE);

    assert_string_equal(m->cluster.v, "a");
    assert_int_equal(m->node_count, 0);
    assert_int_equal(m->release, PLUMB_RELEASE_NEWEST);
    fx_expect_at(fx, "CONF052", 1, 1);
    fx_expect_nothing_else(fx);
}

static void a_part_of_slurm_conf_is_no_slurm_conf(void **state)
{
    static const struct {
        struct file file;
        bool whole;
    } rows[] = {
        {{"nodes.conf", "NodeName=n\n", PLUMB_SLURM_CONF}, false},
        {{"etc/slurm.conf", "NodeName=n\n", PLUMB_SLURM_CONF}, true},
        {{"mine.conf", "NodeName=n\nSlurmctldHost=a\n", PLUMB_SLURM_CONF}, true},
        {{"mine.conf", "ClusterName=n\n", PLUMB_SLURM_CONF}, true},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].file.name);
        assert_int_equal(lift(fx, &rows[i].file, 1, PLUMB_24_11)->present[PLUMB_SLURM_CONF],
                         rows[i].whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(global_settings_keep_every_occurrence, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(defaults_of_the_release_fill_what_is_not_set, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(legacy_controllers_count_without_slurmctldhost, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(broken_parentheses_of_a_controller_are_bad, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(default_lines_reach_the_lines_below, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(cpus_are_derived_as_the_daemon_derives_them, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_bad_number_makes_what_depends_on_it_bad, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(gres_items_are_read_with_their_parts, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(gres_items_of_one_name_add_up, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(gres_lines_are_typed, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(a_bad_host_list_is_reported_once, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(sockets_are_counted_as_the_parameters_say, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_a_release_does_not_read_does_not_count, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_the_table_engine_refuses_is_bad, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(a_part_of_slurm_conf_is_no_slurm_conf, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(of_two_files_the_one_with_the_name_is_read, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("passes/lift", tests, NULL, NULL);
}
