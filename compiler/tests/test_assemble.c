/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bundle of manifests is the cluster that its operator makes of it: settings, node lines, node
 * sets and partitions of the model. What is expected is what slurm-operator 1.2.1 writes
 * (controller_config.go, accounting_config.go, worker_app.go).
 */
#include "case_run.h"

static const char slinky[] =
    "apiVersion: slinky.slurm.net/v1beta1\nkind: Controller\n"
    "metadata: {name: slurm, namespace: tenant, labels: {helm.sh/chart: slurm-1.2.1}}\n"
    "spec:\n"
    "  slurmKeyRef: {name: auth, key: slurm.key}\n"
    "  jwtKeyRef: {name: auth, key: jwt.key}\n"
    "  accountingRef: {name: acct}\n"
    "  prologScriptRefs: [{name: prolog}]\n"
    "  epilogSlurmctldScriptRefs: [{name: prolog}]\n"
    "  extraConf: |\n"
    "    SlurmctldParameters=Idle_On_Node_Suspend,enable_configless\n"
    "    AuthAltParameters=jwt_key=/elsewhere\n"
    "    MaxNodeCount=2000\n"
    "    GresTypes=gpu\n"
    "    PartitionName=all Nodes=ALL Default=YES\n"
    "---\n"
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: prolog, namespace: tenant}\n"
    "data: {b.sh: \"#!/bin/sh\", a.sh: \"#!/bin/sh\"}\n"
    "---\n"
    "apiVersion: slinky.slurm.net/v1beta1\nkind: Accounting\n"
    "metadata: {name: acct, namespace: tenant}\n"
    "spec:\n"
    "  slurmKeyRef: {name: auth, key: slurm.key}\n"
    "  jwtKeyRef: {name: auth, key: jwt.key}\n"
    "  storageConfig: {host: db, username: me, passwordKeyRef: {name: p, key: p}}\n"
    "  extraConf: PurgeJobAfter=12months\n"
    "---\n"
    "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\n"
    "metadata: {name: worker-gpu, namespace: tenant}\n"
    "spec:\n"
    "  controllerRef: {name: slurm}\n"
    "  replicas: 12\n"
    "  ordinalPadding: 3\n"
    "  slurmd: {resources: {limits: {memory: 900Mi}}}\n"
    "  extraConf: Gres=gpu:4 Feature=ib Gres=nvme:1 RealMemory=1000 Features=fast\n"
    "  partition: {enabled: true, config: MaxTime=60 State=UP}\n"
    "  template: {spec: {hostname: gpu-}}\n"
    "---\n"
    "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\n"
    "metadata: {name: plain, namespace: tenant}\n"
    "spec: {controllerRef: {name: slurm}}\n"
    "---\n"
    "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\n"
    "metadata: {name: none, namespace: tenant}\n"
    "spec: {controllerRef: {name: slurm}, replicas: 0}\n";

static plumb_handle *run_text(const char *text)
{
    struct plumb_options options = {.slurm = "26.05"};
    plumb_handle *h = plumb_open(&options);

    assert_non_null(h);
    assert_true(plumb_add_text(h, "manifests.yaml", text, strlen(text)));
    (void)plumb_run_all(h, "never");
    return h;
}

/* "A=1 B=2" of settings; what comes again stands again. */
static const char *pairs_of(struct plumb_arena *a, const struct plumb_settings *s)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (size_t i = 0; i < s->count; i++)
        plumb_buf_printf(&b, "%s%s=%.*s", b.len > 0 ? " " : "", s->items[i].param->name,
                         (int)s->items[i].value.len, s->items[i].value.text);
    return plumb_buf_text(&b);
}

static const char *value_of(struct plumb_arena *a, const struct plumb_settings *s,
                            enum plumb_param_id id)
{
    const struct plumb_setting *set = plumb_setting(s, id);

    return set == NULL ? "" : plumb_arena_strndup(a, set->value.text, set->value.len);
}

static void settings_are_those_of_the_operator_and_of_the_user(void **state)
{
    static const struct {
        enum plumb_param_id id;
        const char *value;
    } rows[] = {
        {PLUMB_P_SLURM_CLUSTERNAME, "tenant_slurm"},
        {PLUMB_P_SLURM_STATESAVELOCATION, "/var/spool/slurmctld/tenant_slurm"},
        {PLUMB_P_SLURM_SLURMUSER, "slurm"},
        {PLUMB_P_SLURM_AUTHTYPE, "auth/slurm"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGETYPE, "accounting_storage/slurmdbd"},
        {PLUMB_P_SLURM_ACCOUNTINGSTORAGEHOST, "acct-accounting"},
        {PLUMB_P_SLURM_MAXNODECOUNT, "2000"}, /* the last one counts */
        {PLUMB_P_SLURM_GRESTYPES, "gpu"},
        {PLUMB_P_SLURM_METRICSTYPE, ""},
        /* united and sorted, in small letters, an option once; the operator's own wins */
        {PLUMB_P_SLURM_SLURMCTLDPARAMETERS,
         "enable_configless,idle_on_node_suspend,reconfig_on_restart"},
        {PLUMB_P_SLURM_AUTHALTPARAMETERS, "jwt_key=/etc/slurm/jwt.key"},
        {PLUMB_P_SLURM_AUTHINFO, "use_client_ids"},
    };
    static const struct {
        enum plumb_param_id id;
        const char *value;
    } database[] = {
        {PLUMB_P_DBD_DBDHOST, "acct-accounting-0"},
        {PLUMB_P_DBD_STORAGEHOST, "db"},
        {PLUMB_P_DBD_STORAGEUSER, "me"},
        {PLUMB_P_DBD_STORAGEPORT, "3306"},
        {PLUMB_P_DBD_STORAGELOC, "slurm_acct_db"},
        {PLUMB_P_DBD_PURGEJOBAFTER, "12months"},
    };
    struct fixture *fx = *state;
    plumb_handle *h = run_text(slinky);
    const struct plumb_model *m = h->run.model;

    assert_non_null(m);
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, plumb_param(rows[i].id)->name);
        assert_string_equal(value_of(fx->arena, plumb_slurm(m), rows[i].id), rows[i].value);
    }
    for (size_t i = 0; i < PLUMB_COUNT(database); i++) {
        fx_row(fx, i, plumb_param(database[i].id)->name);
        assert_string_equal(value_of(fx->arena, plumb_dbd(m), database[i].id), database[i].value);
    }
    assert_int_equal(m->controller_count, 1);
    assert_string_equal(m->controllers[0].name.v, "slurm-controller-0");
    assert_string_equal(pairs_of(fx->arena, plumb_cgroup(m)),
                        "CgroupPlugin=cgroup/v2 IgnoreSystemd=yes");
    plumb_close(h);
}

static void scripts_are_lines_in_the_order_of_their_names(void **state)
{
    struct fixture *fx = *state;
    plumb_handle *h = run_text(slinky);
    const struct plumb_settings *s = plumb_slurm(h->run.model);
    struct plumb_buf b = plumb_buf_in(fx->arena);
    static const enum plumb_param_id ids[] = {PLUMB_P_SLURM_PROLOG, PLUMB_P_SLURM_EPILOGSLURMCTLD};

    for (size_t i = 0; i < PLUMB_COUNT(ids); i++) {
        const struct plumb_setting *set = NULL;

        while ((set = plumb_setting_next(s, ids[i], set)) != NULL)
            plumb_buf_printf(&b, "%s ", set->value.text);
    }
    assert_string_equal(plumb_buf_text(&b), "a.sh b.sh /etc/slurm/a.sh /etc/slurm/b.sh ");
    plumb_close(h);
}

static void node_sets_are_nodes_node_sets_and_partitions(void **state)
{
    static const char *const nodes[] = {
        "NodeName=plain-0 Features=plain",
        "NodeName=gpu-[000-011] Features=gpu,ib,fast Gres=gpu:4,nvme:1 RealMemory=1000 "
        "MemSpecLimit=100",
    };
    static const char *const partitions[] = {
        "PartitionName=gpu Nodes=gpu MaxTime=60 State=UP",
        "PartitionName=all Nodes=ALL Default=YES",
    };
    static const char *const sets[] = {"none", "plain", "gpu"};
    struct fixture *fx = *state;
    plumb_handle *h = run_text(slinky);
    const struct plumb_model *m = h->run.model;

    assert_int_equal(m->node_count, PLUMB_COUNT(nodes));
    for (size_t i = 0; i < PLUMB_COUNT(nodes); i++) {
        assert_string_equal(pairs_of(fx->arena, &m->nodes[i].settings), nodes[i]);
        assert_true(m->nodes[i].dynamic);
    }
    assert_int_equal(m->partition_count, PLUMB_COUNT(partitions));
    for (size_t i = 0; i < PLUMB_COUNT(partitions); i++)
        assert_string_equal(pairs_of(fx->arena, &m->partitions[i].settings), partitions[i]);
    assert_int_equal(m->partitions[0].nodes->count, 12);
    assert_int_equal(m->partitions[1].nodes->count, 13);
    assert_int_equal(m->nodeset_count, PLUMB_COUNT(sets));
    for (size_t i = 0; i < PLUMB_COUNT(sets); i++)
        assert_string_equal(m->nodesets[i].name.v, sets[i]);
    assert_false(m->nodes_unread);
    plumb_close(h);
}

/* What is not in the bundle, or cannot be read, is not absent: nothing is said of what is missing.
 */
static void what_is_kept_elsewhere_is_unknown(void **state)
{
    static const char controller[] =
        "apiVersion: slinky.slurm.net/v1beta1\nkind: Controller\n"
        "metadata: {name: slurm, labels: {helm.sh/chart: slurm-1.2.1}}\n"
        "spec: {slurmKeyRef: {name: a, key: b}, jwtKeyRef: {name: a, key: b}}\n";
    static const struct {
        const char *what, *text;
        bool model, unread;
    } rows[] = {
        {"no node set", "", true, true},
        {"a node set",
         "---\napiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: n}\n"
         "spec: {controllerRef: {name: slurm}}\n",
         true, false},
        {"one of an old version",
         "---\napiVersion: slinky.slurm.net/v1alpha1\nkind: NodeSet\nmetadata: {name: n}\n"
         "spec: {controllerRef: {name: slurm}}\n",
         true, true},
        {"one on nodes of Kubernetes",
         "---\napiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: n}\n"
         "spec: {controllerRef: {name: slurm}, scalingMode: DaemonSet}\n",
         true, true},
        {"one with a word that is none",
         "---\napiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: n}\n"
         "spec: {controllerRef: {name: slurm}, extraConf: Gres}\n",
         true, true},
        {"one twice",
         "---\napiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: n}\n"
         "spec: {controllerRef: {name: slurm}}\n"
         "---\napiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: n}\n"
         "spec: {controllerRef: {name: slurm}}\n",
         true, true},
        {"a second cluster",
         "---\napiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: b}\n"
         "spec: {slurmKeyRef: {name: a, key: b}, jwtKeyRef: {name: a, key: b}}\n",
         false, false},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        plumb_handle *h = run_text(plumb_arena_printf(fx->arena, "%s%s", controller, rows[i].text));

        fx_row(fx, i, rows[i].what);
        assert_int_equal(h->run.model->present[PLUMB_SLURM_CONF], rows[i].model);
        assert_int_equal(h->run.model->nodes_unread, rows[i].unread);
        plumb_close(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(settings_are_those_of_the_operator_and_of_the_user,
                                        fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(scripts_are_lines_in_the_order_of_their_names, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(node_sets_are_nodes_node_sets_and_partitions, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(what_is_kept_elsewhere_is_unknown, fx_setup, fx_teardown),
    };

    return cmocka_run_group_tests_name("passes/assemble", tests, NULL, NULL);
}
