/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bundle of SUNK is the cluster that the guides make of it, values of its chart the cluster that
 * the chart makes of them. What is expected is the translation of the guides (NodeSet
 * gpu-h100-nodes), and what the public copy of the chart writes.
 */
#include "case_run.h"

static const char bundle[] =
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: SlurmCluster\n"
    "metadata: {name: c, namespace: tenant}\n"
    "spec:\n"
    "  clusterName: tenant-a\n"
    "  controller: {replicas: 2, stateSaveLocation: {pvc: {storageClassName: rwx, size: 1Gi}}}\n"
    "  database: {enabled: true, size: 10Gi}\n"
    "---\n"
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: SlurmConfig\n"
    "metadata: {name: one, namespace: tenant}\n"
    "spec:\n"
    "  clusterRef: {name: c}\n"
    "  fragments:\n"
    "    slurm.conf: |\n"
    "      GresTypes=gpu,nvme\n"
    "      NodeName=DEFAULT ThreadsPerCore=2\n"
    "      PartitionName=all Nodes=ALL Default=YES\n"
    "    slurmdbd.conf: PurgeJobAfter=12months\n"
    "    cgroup.conf: ConstrainDevices=yes\n"
    "---\n"
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: SlurmConfig\n"
    "metadata: {name: two, namespace: tenant}\n"
    "spec: {clusterRef: {name: c}, fragments: {slurm.conf: KillWait=40}}\n"
    "---\n"
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: SlurmConfig\n"
    "metadata: {name: other, namespace: tenant}\n"
    "spec: {clusterRef: {name: d}, fragments: {slurm.conf: KillWait=50}}\n"
    "---\n"
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: NodeSet\n"
    "metadata: {name: gpu-h100-nodes, namespace: tenant}\n"
    "spec:\n"
    "  clusterRef: {name: c}\n"
    "  replicas: 8\n"
    "  partition: gpu\n"
    "  resources:\n"
    "    cpu: \"192\"\n"
    "    memory: 2Ti\n"
    "    gres: [{type: gpu, count: 8, model: h100}, {type: nvme, count: 1}]\n"
    "  features: [h100, ib, weka]\n"
    "  weight: 100\n"
    "---\n"
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: NodeSet\n"
    "metadata: {name: single, namespace: tenant}\n"
    "spec: {clusterRef: {name: c}, replicas: 1, resources: {cpu: 4, memory: 8Gi}}\n"
    "---\n"
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: NodeSet\n"
    "metadata: {name: none, namespace: tenant}\n"
    "spec: {clusterRef: {name: c}, replicas: 0, resources: {cpu: 4, memory: 8Gi}}\n";

static const char values[] =
    "clusterName: tenant-a\n"
    "accounting: {enabled: true, config: {PurgeJobAfter: 6months}}\n"
    "autoPartition: {enabled: false}\n"
    "compute:\n"
    "  reservedMemory: 4Gi\n"
    "  ssh: {enabled: true}\n"
    "  nodes:\n"
    "    first:\n"
    "      features: [gpu, ib]\n"
    "      gresGpu: a100:4\n"
    "      skuCpu: \"96\"\n"
    "      resources: {limits: {memory: 900Gi}, requests: {memory: 800Gi}}\n"
    "    second:\n"
    "      features: [fast, gpu]\n"
    "      gresGpu: h100:8\n"
    "    big:\n"
    "      enabled: true\n"
    "      replicas: 3\n"
    "      features: [own]\n"
    "      definitions: [first, second]\n"
    "    small:\n"
    "      enabled: true\n"
    "      replicas: 1\n"
    "      resources: {requests: {memory: 8Gi}}\n"
    "    off: {enabled: false, replicas: 9}\n"
    "  partitions: |\n"
    "    PartitionName=all Nodes=big,small Default=YES\n"
    "slurmConfig:\n"
    "  DefMemPerCPU: 2048\n"
    "  killWait: 60\n"
    "  slurmCtld:\n"
    "    procTrackType: proctrack/cgroup\n"
    "    additionalParameters: [idle_on_node_suspend]\n"
    "  slurmd: {prologConfigMap: scripts}\n"
    "  cgroupConfig: {ConstrainDevices: \"no\"}\n"
    "  extraConfig: |\n"
    "    ReturnToService=1\n";

static plumb_handle *run_text(const char *name, const char *text)
{
    struct plumb_options options = {.slurm = "24.11"};
    plumb_handle *h = plumb_open(&options);

    assert_non_null(h);
    assert_true(plumb_add_text(h, name, text, strlen(text)));
    (void)plumb_run_all(h, "never");
    assert_non_null(h->run.model);
    return h;
}

/* Values with a part put behind a line that they have. */
static plumb_handle *run_values(struct plumb_arena *a, const char *line, const char *with)
{
    const char *at = strstr(values, line);

    assert_non_null(at);
    at += strlen(line);
    return run_text("values.yaml",
                    plumb_arena_printf(a, "%.*s%s%s", (int)(at - values), values, with, at));
}

static const char *pairs_of(struct plumb_arena *a, const struct plumb_settings *s)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (size_t i = 0; i < s->count; i++)
        plumb_buf_printf(&b, "%s%s=%.*s", b.len > 0 ? " " : "", s->items[i].param->name,
                         (int)s->items[i].value.len, s->items[i].value.text);
    return plumb_buf_text(&b);
}

struct expected {
    enum plumb_param_id id;
    const char *value; /* "": nothing is written */
};

static void expect(struct fixture *fx, const struct plumb_settings *s, const struct expected *rows,
                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct plumb_setting *set = plumb_setting(s, rows[i].id);

        fx_row(fx, i, plumb_param(rows[i].id)->name);
        assert_string_equal(
            set == NULL ? "" : plumb_arena_strndup(fx->arena, set->value.text, set->value.len),
            rows[i].value);
    }
}

static void expect_nodes(struct fixture *fx, const struct plumb_model *m, const char *const *lines,
                         size_t count, bool dynamic)
{
    assert_int_equal(m->node_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(pairs_of(fx->arena, &m->nodes[i].settings), lines[i]);
        assert_int_equal(m->nodes[i].dynamic, dynamic);
    }
}

/* ---- objects ---- */

static void a_bundle_is_the_cluster_of_the_guides(void **state)
{
    static const struct expected slurm[] = {
        {PLUMB_P_SLURM_CLUSTERNAME, "tenant-a"},
        {PLUMB_P_SLURM_AUTHTYPE, "auth/munge"},
        {PLUMB_P_SLURM_GRESTYPES, "gpu,nvme"},
        {PLUMB_P_SLURM_KILLWAIT, "40"}, /* the second fragment of the cluster, none of another */
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETYPE, "accounting_storage/slurmdbd"},
        {PLUMB_P_SLURM_SCHEDULERTYPE, ""},
    };
    static const struct expected database[] = {
        {PLUMB_P_DBD_STORAGETYPE, "accounting_storage/mysql"},
        {PLUMB_P_DBD_PURGEJOBAFTER, "12months"},
    };
    static const char *const nodes[] = {
        "NodeName=gpu-h100-[01-08] ThreadsPerCore=2 CPUs=192 RealMemory=2097152 "
        "Gres=gpu:h100:8,nvme:1 Feature=h100,ib,weka Weight=100",
        "NodeName=single-01 ThreadsPerCore=2 CPUs=4 RealMemory=8192",
    };
    struct fixture *fx = *state;
    plumb_handle *h = run_text("bundle.yaml", bundle);
    const struct plumb_model *m = h->run.model;

    expect(fx, plumb_slurm(m), slurm, PLUMB_COUNT(slurm));
    expect(fx, plumb_dbd(m), database, PLUMB_COUNT(database));
    assert_string_equal(pairs_of(fx->arena, plumb_cgroup(m)), "ConstrainDevices=yes");
    assert_int_equal(m->controller_count, 2);
    expect_nodes(fx, m, nodes, PLUMB_COUNT(nodes), false);
    assert_int_equal(m->partition_count, 2);
    assert_string_equal(pairs_of(fx->arena, &m->partitions[1].settings),
                        "PartitionName=gpu Nodes=gpu-h100-[01-08]");
    assert_false(m->nodes_unread);
    plumb_close(h);
}

/* ---- values ---- */

static void values_are_the_cluster_of_the_chart(void **state)
{
    static const struct expected slurm[] = {
        {PLUMB_P_SLURM_CLUSTERNAME, "tenant-a"},
        {PLUMB_P_SLURM_KILLWAIT, "60"}, /* a value */
        {PLUMB_P_SLURM_DEFMEMPERCPU, "2048"},
        {PLUMB_P_SLURM_PROCTRACKTYPE, "proctrack/cgroup"},
        {PLUMB_P_SLURM_TASKPLUGIN, "task/none"}, /* nobody says another */
        {PLUMB_P_SLURM_RETURNTOSERVICE, "1"},    /* the last one counts */
        {PLUMB_P_SLURM_PROLOGFLAGS, "Alloc,Serial,Contain"},
        {PLUMB_P_SLURM_PROLOG, "/usr/share/sunk/bin/prolog.sh"},
        {PLUMB_P_SLURM_EPILOG, ""},
        {PLUMB_P_SLURM_SLURMCTLDPARAMETERS, "cloud_dns,idle_on_node_suspend"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETYPE, "accounting_storage/slurmdbd"},
        {PLUMB_P_SLURM_JOBACCTGATHERTYPE, "jobacct_gather/linux"},
    };
    static const struct expected database[] = {
        {PLUMB_P_DBD_PURGEJOBAFTER, "6months"},
        {PLUMB_P_DBD_PURGESTEPAFTER, "1month"},
        {PLUMB_P_DBD_STORAGETYPE, "accounting_storage/mysql"},
    };
    static const struct expected cgroup[] = {
        {PLUMB_P_CGROUP_CONSTRAINDEVICES, "no"}, /* another value in place of the chart's */
        {PLUMB_P_CGROUP_CONSTRAINCORES, "yes"},
        {PLUMB_P_CGROUP_CONSTRAINSWAPSPACE, ""},
    };
    static const char *const nodes[] = {
        "NodeName=big-[0-2] Features=big,own,fast,gpu,ib CPUs=96 RealMemory=921600 "
        "MemSpecLimit=4096 Gres=gpu:h100:8",
        "NodeName=small-0 Features=small RealMemory=8192 MemSpecLimit=4096",
    };
    struct fixture *fx = *state;
    plumb_handle *h = run_text("values.yaml", values);
    const struct plumb_model *m = h->run.model;

    expect(fx, plumb_slurm(m), slurm, PLUMB_COUNT(slurm));
    expect(fx, plumb_dbd(m), database, PLUMB_COUNT(database));
    expect(fx, plumb_cgroup(m), cgroup, PLUMB_COUNT(cgroup));
    expect_nodes(fx, m, nodes, PLUMB_COUNT(nodes), true);
    assert_int_equal(m->nodeset_count, 2);
    assert_int_equal(m->partition_count, 1);
    assert_int_equal(m->partitions[0].nodes->count, 4);
    assert_string_equal(pairs_of(fx->arena, &m->settings[PLUMB_GRES_CONF]), "AutoDetect=nvml");
    assert_false(m->nodes_unread);
    plumb_close(h);
}

static void what_values_do_not_say_leaves_nodes_open(void **state)
{
    static const struct {
        const char *line, *with;
        size_t nodes, partitions;
        bool open;
    } rows[] = {
        {"autoPartition: {enabled: false}\n", "", 2, 1, false},
        {"compute:\n", "  autoPartition: {enabled: true}\n", 2, 3, false},
        {"compute:\n", "  dynamic: false\n", 2, 1, true},
        {"definitions: [", "h100, ", 1, 1, true}, /* one that comes with the chart */
        {"    off: {enabled: false, replicas: 9}\n", "    more: {enabled: true}\n", 2, 1, true},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        plumb_handle *h = run_values(fx->arena, rows[i].line, rows[i].with);
        const struct plumb_model *m = h->run.model;

        fx_row(fx, i, rows[i].with);
        assert_int_equal(m->node_count, rows[i].nodes);
        assert_int_equal(m->partition_count, rows[i].partitions);
        assert_int_equal(m->nodes_unread, rows[i].open);
        plumb_close(h);
    }
}

static void another_database_is_another_slurmdbd(void **state)
{
    static const struct expected slurm[] = {
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEHOST, "10.0.0.7"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEPORT, "6820"},
    };
    struct fixture *fx = *state;
    plumb_handle *h = run_values(fx->arena, "accounting: {",
                                 "external: {enabled: true, host: 10.0.0.7, port: 6820}, ");

    expect(fx, plumb_slurm(h->run.model), slurm, PLUMB_COUNT(slurm));
    assert_int_equal(plumb_dbd(h->run.model)->count, 0);
    plumb_close(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_bundle_is_the_cluster_of_the_guides, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(values_are_the_cluster_of_the_chart, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(what_values_do_not_say_leaves_nodes_open, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(another_database_is_another_slurmdbd, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("passes/assemble-sunk", tests, NULL, NULL);
}
