/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bundle of Soperator is the cluster that its operator makes of it. What is expected is what
 * Soperator 4.1.7 writes (internal/render/common/configmap.go, internal/render/accounting).
 */
#include "case_run.h"

static const char cluster[] = "apiVersion: slurm.nebius.ai/v1\nkind: SlurmCluster\n"
                              "metadata: {name: soper, namespace: tenant}\n"
                              "spec:\n"
                              "  slurmConfig: {messageTimeout: 90, prolog: /opt/prolog.sh}\n"
                              "  slurmNodes:\n"
                              "    accounting:\n"
                              "      enabled: true\n"
                              "      externalDB: {enabled: true, host: db, user: me}\n"
                              "      slurmConfig: {priorityWeightAge: 7}\n"
                              "      slurmdbdConfig: {purgeJobAfter: 3month}\n"
                              "    controller: {k8sNodeFilterName: all}\n"
                              "    rest: {enabled: true}\n"
                              "  healthCheckConfig:\n"
                              "    {healthCheckInterval: 60, healthCheckProgram: /bin/check,\n"
                              "     healthCheckNodeState: [{state: IDLE}, {state: MIXED}]}\n"
                              "  customCgroupConfig: |\n"
                              "    ConstrainSwapSpace=yes\n"
                              "  customSlurmConfig: |\n"
                              "    KillWait=30\n"
                              "    MaxNodeCount=2000\n";

static const char structured[] =
    "  partitionConfiguration:\n"
    "    configType: structured\n"
    "    partitions:\n"
    "    - {name: train, nodeSetRefs: [big, small], config: Default=YES MaxTime=60}\n"
    "    - {name: every, isAll: true}\n"
    "    - {name: nothing, config: MaxTime=10}\n"
    "---\n"
    "apiVersion: slurm.nebius.ai/v1alpha1\nkind: NodeSet\n"
    "metadata: {name: big, namespace: tenant}\n"
    "spec:\n"
    "  replicas: 12\n"
    "  slurmd: {port: 6820, resources: {cpu: 8, memory: 1000Mi, nvidia.com/gpu: 4}}\n"
    "  gpu: {enabled: true}\n"
    "  nodeConfig:\n"
    "    features: [ib, fast]\n"
    "    static: CPUs=8 State=IDLE Gres=gpu:4 Feature=lost\n"
    "    gresConfig: [\"Name=gpu File=/dev/nvidia[0-3]\"]\n"
    "---\n"
    "apiVersion: slurm.nebius.ai/v1alpha1\nkind: NodeSet\n"
    "metadata: {name: small, namespace: tenant}\n"
    "spec: {ephemeralNodes: true, slurmd: {resources: {cpu: 2, memory: 1Gi}}}\n"
    "---\n"
    "apiVersion: slurm.nebius.ai/v1alpha1\nkind: NodeSet\n"
    "metadata: {name: none, namespace: tenant}\n"
    "spec: {replicas: 0, slurmd: {resources: {cpu: 2, memory: 1Gi}}}\n";

static plumb_handle *run_text(struct plumb_arena *a, const char *rest)
{
    struct plumb_options options = {.slurm = "25.11"};
    const char *text = plumb_arena_printf(a, "%s%s", cluster, rest);
    plumb_handle *h = plumb_open(&options);

    assert_non_null(h);
    assert_true(plumb_add_text(h, "manifests.yaml", text, strlen(text)));
    (void)plumb_run_all(h, "never");
    assert_non_null(h->run.model);
    return h;
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
        const char *is =
            set == NULL ? "" : plumb_arena_strndup(fx->arena, set->value.text, set->value.len);

        fx_row(fx, i, plumb_param(rows[i].id)->name);
        assert_string_equal(is, rows[i].value);
    }
}

static void settings_are_those_of_fields_and_of_the_operator(void **state)
{
    static const struct expected slurm[] = {
        {PLUMB_P_SLURM_CLUSTERNAME, "soper"},
        {PLUMB_P_SLURM_AUTHTYPE, "auth/munge"},
        {PLUMB_P_SLURM_MESSAGETIMEOUT, "90"}, /* a field */
        {PLUMB_P_SLURM_PROLOG, "/opt/prolog.sh"},
        {PLUMB_P_SLURM_EPILOG, ""},         /* an empty text is not written */
        {PLUMB_P_SLURM_MINJOBAGE, "28800"}, /* the default of a field */
        {PLUMB_P_SLURM_DEFMEMPERNODE, "0"},
        {PLUMB_P_SLURM_SUSPENDTIME, "1000000000"},
        {PLUMB_P_SLURM_TOPOLOGYPLUGIN, "topology/tree"},
        {PLUMB_P_SLURM_PRIORITYWEIGHTAGE, "7"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETRES, "CPU,Mem,Node,VMem,Gres/gpu"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEHOST, "soper-accounting-svc.tenant.svc.cluster.local"},
        {PLUMB_P_SLURM_AUTHALTTYPES, "auth/jwt"},
        {PLUMB_P_SLURM_METRICSTYPE, "metrics/openmetrics"},
        {PLUMB_P_SLURM_HEALTHCHECKNODESTATE, "IDLE,MIXED"},
        {PLUMB_P_SLURM_GRESTYPES, "gpu"},
        {PLUMB_P_SLURM_SUSPENDEXCNODES, "big-[0-11]"}, /* not those that come and go */
        {PLUMB_P_SLURM_KILLWAIT, "30"},                /* customSlurmConfig is read last */
        {PLUMB_P_SLURM_MAXNODECOUNT, "2000"},
    };
    static const struct expected database[] = {
        {PLUMB_P_DBD_DBDHOST, "accounting"},       {PLUMB_P_DBD_STORAGEHOST, "db"},
        {PLUMB_P_DBD_STORAGEUSER, "me"},           {PLUMB_P_DBD_STORAGEPORT, "3306"},
        {PLUMB_P_DBD_PURGEJOBAFTER, "3month"},     {PLUMB_P_DBD_PURGEUSAGEAFTER, "24month"},
        {PLUMB_P_DBD_ARCHIVEJOBS, "yes"},          {PLUMB_P_DBD_AUTHALTTYPES, "auth/jwt"},
        {PLUMB_P_DBD_STORAGELOC, "slurm_acct_db"},
    };
    struct fixture *fx = *state;
    plumb_handle *h = run_text(fx->arena, structured);
    const struct plumb_model *m = h->run.model;

    expect(fx, plumb_slurm(m), slurm, PLUMB_COUNT(slurm));
    expect(fx, plumb_dbd(m), database, PLUMB_COUNT(database));
    assert_string_equal(pairs_of(fx->arena, plumb_cgroup(m)),
                        "CgroupMountpoint=/sys/fs/cgroup CgroupPlugin=cgroup/v2 ConstrainCores=yes "
                        "ConstrainDevices=yes ConstrainRAMSpace=yes EnableControllers=yes "
                        "IgnoreSystemd=yes ConstrainSwapSpace=yes");
    plumb_close(h);
}

static void structured_partitions_bring_nodes(void **state)
{
    static const char *const nodes[] = {
        "NodeName=big-[0-11] State=CLOUD RealMemory=1000 Port=6820 Feature=ib,fast CPUs=8 "
        "Gres=gpu:4",
        "NodeName=small-0 State=CLOUD RealMemory=1024",
    };
    static const char *const partitions[] = {
        "PartitionName=train Nodes=big,small Default=YES MaxTime=60",
        "PartitionName=every Nodes=ALL",
    };
    struct fixture *fx = *state;
    plumb_handle *h = run_text(fx->arena, structured);
    const struct plumb_model *m = h->run.model;

    assert_int_equal(m->node_count, PLUMB_COUNT(nodes));
    for (size_t i = 0; i < PLUMB_COUNT(nodes); i++) {
        assert_string_equal(pairs_of(fx->arena, &m->nodes[i].settings), nodes[i]);
        assert_false(m->nodes[i].dynamic);
    }
    assert_int_equal(m->partition_count, PLUMB_COUNT(partitions));
    for (size_t i = 0; i < PLUMB_COUNT(partitions); i++)
        assert_string_equal(pairs_of(fx->arena, &m->partitions[i].settings), partitions[i]);
    assert_int_equal(m->partitions[0].nodes->count, 13);
    assert_int_equal(m->nodeset_count, 2);
    assert_int_equal(m->gres_line_count, 1);
    assert_int_equal(m->gres_lines[0].hosts->count, 12);
    assert_int_equal(m->gres_lines[0].files->count, 4);
    assert_false(m->nodes_unread);
    plumb_close(h);
}

/* No node line is written for the other two forms: nodes are told elsewhere, or missing. */
static void other_partitions_bring_none(void **state)
{
    static const struct {
        const char *text, *partitions[2];
    } rows[] = {
        {"",
         {"PartitionName=main Nodes=ALL Default=YES PriorityTier=10 MaxTime=INFINITE State=UP "
          "OverSubscribe=YES",
          "PartitionName=hidden Nodes=ALL Default=NO PriorityTier=10 PreemptMode=OFF Hidden=YES "
          "MaxTime=INFINITE State=UP OverSubscribe=YES"}},
        {"  partitionConfiguration:\n"
         "    configType: custom\n"
         "    rawConfig: ['# mine', 'NodeName=lost', ' PartitionName=p Nodes=ALL MaxTime=5']\n",
         {"PartitionName=p Nodes=ALL MaxTime=5", NULL}},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        plumb_handle *h = run_text(fx->arena, rows[i].text);
        const struct plumb_model *m = h->run.model;
        size_t count = rows[i].partitions[1] == NULL ? 1 : 2;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(m->partition_count, count);
        for (size_t p = 0; p < count; p++)
            assert_string_equal(pairs_of(fx->arena, &m->partitions[p].settings),
                                rows[i].partitions[p]);
        assert_int_equal(m->node_count, 0);
        assert_true(m->nodes_unread);
        plumb_close(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(settings_are_those_of_fields_and_of_the_operator, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(structured_partitions_bring_nodes, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(other_partitions_bring_none, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("passes/assemble-soperator", tests, NULL, NULL);
}
