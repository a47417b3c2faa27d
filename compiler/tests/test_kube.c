/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalars of manifests as JSON, quantities, names, tables of kinds, and places of documents within
 * documents. Whole manifests: the cases of the rules, and check_kube_*.sh.
 */
#include <string.h>

#include "fixture.h"
#include "kube/check.h"
#include "kube/type.h"
#include "kube/value.h"
#include "model/kube_plan.h"
#include "syntax/yaml.h"

/* sigs.k8s.io/yaml over yaml.v2, resolve.go */
static void scalars_are_what_kubectl_makes_of_them(void **state)
{
    static const struct {
        const char *text;
        enum plumb_kube_json is;
    } rows[] = {
        {"8", PLUMB_KUBE_IS_INTEGER},     {"\"8\"", PLUMB_KUBE_IS_STRING},
        {"yes", PLUMB_KUBE_IS_BOOLEAN},   {"\"yes\"", PLUMB_KUBE_IS_STRING},
        {"off", PLUMB_KUBE_IS_BOOLEAN},   {"yEs", PLUMB_KUBE_IS_STRING},
        {"~", PLUMB_KUBE_IS_NULL},        {"null", PLUMB_KUBE_IS_NULL},
        {"010", PLUMB_KUBE_IS_INTEGER},   {"0x1F", PLUMB_KUBE_IS_INTEGER},
        {"1_000", PLUMB_KUBE_IS_INTEGER}, {"1.0", PLUMB_KUBE_IS_INTEGER},
        {"1e3", PLUMB_KUBE_IS_INTEGER},   {"1.5", PLUMB_KUBE_IS_NUMBER},
        {"1.5e1", PLUMB_KUBE_IS_INTEGER}, {"1e-3", PLUMB_KUBE_IS_NUMBER},
        {"-8", PLUMB_KUBE_IS_INTEGER},    {"16Gi", PLUMB_KUBE_IS_STRING},
        {"184m", PLUMB_KUBE_IS_STRING},   {"2026-01-01", PLUMB_KUBE_IS_STRING},
        {"25%", PLUMB_KUBE_IS_STRING},    {"[1]", PLUMB_KUBE_IS_LIST},
        {"{a: b}", PLUMB_KUBE_IS_MAP},    {"0b11", PLUMB_KUBE_IS_INTEGER},
        {".5", PLUMB_KUBE_IS_NUMBER},     {"1.2.3", PLUMB_KUBE_IS_STRING},
        {"+1", PLUMB_KUBE_IS_INTEGER},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const char *text = plumb_arena_printf(fx->arena, "v: %s\n", rows[i].text);
        struct plumb_source *src =
            plumb_source_add(&fx->session.sources, "m.yaml", text, strlen(text));
        struct plumb_yaml *y = plumb_yaml_read(&fx->session, src);

        fx_row(fx, i, rows[i].text);
        assert_int_equal(y->count, 1);
        assert_int_equal(plumb_kube_json_of(plumb_node_get(y->documents[0], "v")), rows[i].is);
    }
}

/* resource/quantity.go; in thousandths */
static void quantities_have_their_units(void **state)
{
    static const struct {
        const char *text;
        bool sound;
        uint64_t milli;
    } rows[] = {
        {"8", true, 8000},
        {"184000m", true, 184000},
        {"1.5", true, 1500},
        {".5", true, 500},
        {"1k", true, 1000000},
        {"1Ki", true, 1024000},
        {"1Gi", true, UINT64_C(1073741824000)},
        {"1G", true, UINT64_C(1000000000000)},
        {"1.5Gi", true, UINT64_C(1610612736000)},
        {"1e3", true, 1000000},
        {"2110000000Ki", true, UINT64_C(2160640000000000)},
        {"99999999999999999999Ei", true, UINT64_MAX},
        {"-1", true, 0},
        {"1n", true, 0},
        {"1GiB", false, 0},
        {"1GB", false, 0},
        {"1K", false, 0},
        {"1gb", false, 0},
        {"184c", false, 0},
        {"1 Gi", false, 0},
        {"", false, 0},
        {"Gi", false, 0},
        {"1e", false, 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        uint64_t milli = 0;
        size_t bad = 0;

        fx_row(fx, i, rows[i].text);
        assert_int_equal(plumb_kube_quantity(rows[i].text, strlen(rows[i].text), &milli, &bad),
                         rows[i].sound);
        if (rows[i].sound)
            assert_true(milli == rows[i].milli);
    }
}

/* apimachinery, util/validation */
static void names_of_objects_are_those_of_dns(void **state)
{
    static const struct {
        enum plumb_kube_name kind;
        const char *text;
        size_t fault;
    } rows[] = {
        {PLUMB_KUBE_SUBDOMAIN, "slurm-1.example", SIZE_MAX},
        {PLUMB_KUBE_SUBDOMAIN, "Slurm", 0},
        {PLUMB_KUBE_SUBDOMAIN, "a_b", 1},
        {PLUMB_KUBE_SUBDOMAIN, "a.-b", 2},
        {PLUMB_KUBE_SUBDOMAIN, "a-", 1},
        {PLUMB_KUBE_LABEL_NAME, "a.b", 1},
        {PLUMB_KUBE_LABEL_NAME, "1a", SIZE_MAX},
        {PLUMB_KUBE_SERVICE_NAME, "1a", 0},
        {PLUMB_KUBE_SUBDOMAIN, "", 0},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        fx_row(fx, i, rows[i].text);
        assert_true(plumb_kube_name_fault(rows[i].kind, rows[i].text, strlen(rows[i].text)) ==
                    rows[i].fault);
    }
}

static void kinds_are_chosen_by_version_and_kind(void **state)
{
    const struct plumb_kube_table *old = plumb_kube_table_find("slinky", "1.2.1");
    const struct plumb_kube_table *newest = plumb_kube_table_find("slinky", NULL);
    const struct plumb_kube_kind *k = NULL;

    (void)state;
    assert_non_null(old);
    assert_string_equal(newest->release, "1.3.0");
    assert_null(plumb_kube_table_find("slinky", "0.1"));
    assert_string_equal(plumb_kube_flavour_of("slurm.nebius.ai/v1"), "soperator");
    assert_null(plumb_kube_flavour_of("v1"));

    /* ha came with 1.3; nodes are as before */
    k = plumb_kube_kind_find(old, "slinky.slurm.net/v1beta1", "Controller");
    assert_null(plumb_kube_field_find(plumb_kube_field_find(k->type, "spec")->type, "ha"));
    k = plumb_kube_kind_find(newest, "slinky.slurm.net/v1beta1", "Controller");
    assert_non_null(plumb_kube_field_find(plumb_kube_field_find(k->type, "spec")->type, "ha"));
    assert_ptr_equal(plumb_kube_kind_find(newest, "slinky.slurm.net/v1beta1", "NodeSet"),
                     plumb_kube_kind_find(old, "slinky.slurm.net/v1beta1", "NodeSet"));
    k = plumb_kube_kind_find(old, "slinky.slurm.net/v1alpha1", "NodeSet");
    assert_true(k != NULL && k->type == NULL); /* known, and not served */
}

/* Fields of SlurmCluster as the CRD has them, with the widths of
 * api/v1/slurmcluster_types.go 4.1.7: *int32 MessageTimeout, *int16 PriorityWeightAge, a pattern
 * for accountingStorageTRES. */
static void fields_take_what_the_operator_can_read(void **state)
{
    static const struct {
        const char *key, *value, *is; /* NULL: it has no room there */
    } rows[] = {
        {"MessageTimeout", "100", "100"},
        {"messagetimeout", "2147483647", "2147483647"},
        {"MessageTimeout", "2147483648", NULL},
        {"MessageTimeout", "-1", NULL},
        {"MessageTimeout", "", NULL},
        {"SuspendTime", "INFINITE", NULL},
        {"PriorityWeightAge", "32767", "32767"},
        {"PriorityWeightAge", "32768", NULL},
        {"AccountingStorageTRES", "gres/gpu,CPU", "Gres/gpu,CPU"},
        {"AccountingStorageTRES", "gres/gpu,gres/nvme", NULL},
        {"AccountingStorageTRES", "gres/gpu:h100", NULL},
        {"JobAcctGatherType", "JobAcct_Gather/linux", "jobacct_gather/linux"},
        {"JobAcctGatherType", "jobacct_gather", NULL},
        {"Prolog", "/opt/prolog.sh", "/opt/prolog.sh"},
        {"Prolog", "/opt/pro log.sh", NULL},
        {"Prolog", "/opt/#1", NULL},
    };
    const struct plumb_kube_writes *w =
        plumb_kube_writes_of(plumb_kube_table_find("soperator", NULL));
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice value = {.text = rows[i].value, .len = (uint32_t)strlen(rows[i].value)};
        const struct plumb_kube_slot *slot = plumb_kube_slot(w->slots, w->slot_count, rows[i].key);
        const char *is = NULL;

        fx_row(fx, i, rows[i].value);
        assert_non_null(slot);
        is = plumb_kube_slot_text(fx->session.arena, slot, &value);
        assert_true((is == NULL) == (rows[i].is == NULL));
        if (is != NULL)
            assert_string_equal(is, rows[i].is);
    }
    assert_null(plumb_kube_slot(w->slots, w->slot_count, "SchedulerParameters"));
}

static void words_of_the_operator_that_a_list_lacks(void **state)
{
    static const struct {
        const char *value, *unsaid;
    } rows[] = {
        {"", "conmgr_max_connections=1024,conmgr_threads=32"},
        {"conmgr_threads=64", "conmgr_max_connections=1024"},
        {"enable_configless,CONMGR_THREADS=1,conmgr_max_connections=2", ""},
        {"conmgr_threads_more=1", "conmgr_max_connections=1024,conmgr_threads=32"},
        {",,conmgr_max_connections", "conmgr_threads=32"},
    };
    const struct plumb_kube_writes *w =
        plumb_kube_writes_of(plumb_kube_table_find("soperator", NULL));
    const struct plumb_kube_owned *own =
        plumb_kube_own(w->owned, w->owned_count, "slurmctldparameters");
    struct fixture *fx = *state;

    assert_non_null(own);
    assert_null(plumb_kube_keeps(w->owned, w->owned_count, "SlurmctldParameters"));
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_slice value = {.text = rows[i].value, .len = (uint32_t)strlen(rows[i].value)};

        fx_row(fx, i, rows[i].value);
        assert_string_equal(plumb_kube_unsaid(fx->session.arena, own, &value), rows[i].unsaid);
    }
}

/* x-kubernetes-validations of the CRDs, as published */
static void expressions_hold_as_the_api_server_has_them(void **state)
{
    static const struct {
        const char *rule, *text;
        bool holds;
    } rows[] = {
        {"slurm-key-unless-external", "{external: false}", false},
        {"slurm-key-unless-external", "{external: true}", true},
        {"slurm-key-unless-external", "{slurmKeyRef: {name: a}}", true},
        {"jwt-key-unless-external", "{slurmKeyRef: {name: a}}", false},
        {"jwt-key-unless-external", "{jwtHs256KeyRef: {name: a}}", true},
        {"jwt-key-unless-external", "{external: true}", true},
        {"some-jwt-key", "{external: true}", false},
        {"some-jwt-key", "{jwtKeyRef: {name: a}}", true},
        {"external-config", "{external: true}", false},
        {"external-config", "{external: true, externalConfig: {host: a}}", true},
        {"external-config", "{external: false}", true},
        {"ha-needs-claim", "{ha: {enabled: true}}", false},
        {"ha-needs-claim", "{ha: {enabled: true}, persistence: {existingClaim: a}}", false},
        {"ha-needs-claim", "{ha: {enabled: true}, persistence: {enabled: false, existingClaim: a}}",
         false},
        {"ha-needs-claim", "{ha: {enabled: true}, persistence: {enabled: true, existingClaim: ''}}",
         false},
        {"ha-needs-claim", "{ha: {enabled: true}, persistence: {enabled: true, existingClaim: a}}",
         true},
        {"ha-needs-claim", "{ha: {enabled: false}}", true},
        {"scheduled-update", "{type: ScheduledUpdate, scheduledUpdate: {startTime: a}}", false},
        {"scheduled-update", "{type: ScheduledUpdate, scheduledUpdate: {duration: a}}", false},
        {"scheduled-update",
         "{type: ScheduledUpdate, scheduledUpdate: {startTime: a, duration: b}}", true},
        {"scheduled-update", "{type: RollingUpdate}", true},
        {"structured-partitions", "{configType: structured}", false},
        {"structured-partitions", "{configType: structured, partitions: []}", false},
        {"structured-partitions", "{configType: structured, partitions: [a]}", true},
        {"structured-partitions", "{configType: custom}", true},
        {"wait-above-poll", "{reconfigureWaitTimeout: 60s, reconfigurePollInterval: 1m}", false},
        {"wait-above-poll", "{reconfigureWaitTimeout: 60001ms, reconfigurePollInterval: 1m}", true},
        {"wait-above-poll", "{reconfigureWaitTimeout: 89m, reconfigurePollInterval: 1h30m}", false},
        {"wait-above-poll", "{reconfigureWaitTimeout: 91m, reconfigurePollInterval: 1h30m}", true},
        {"wait-above-poll", "{reconfigureWaitTimeout: 1s}", true},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct plumb_source *src =
            plumb_source_add(&fx->session.sources, "m.yaml", rows[i].text, strlen(rows[i].text));
        struct plumb_yaml *y = plumb_yaml_read(&fx->session, src);

        fx_row(fx, i, rows[i].text);
        plumb_kube_cel(&fx->session, rows[i].rule, "Controller", y->documents[0]);
        assert_int_equal(fx->session.sink.count, !rows[i].holds);
    }
}

/* Types that refer to themselves end at the depth; every other one is seen above it. */
static size_t find_fields(const struct plumb_kube_type *type, unsigned depth)
{
    size_t found = 0;

    while (type->form == PLUMB_KUBE_LIST || type->form == PLUMB_KUBE_MAP)
        type = type->of;
    for (size_t i = 0; i < type->field_count; i++) {
        assert_ptr_equal(plumb_kube_field_find(type, type->fields[i].name), &type->fields[i]);
        found += 1 + (depth == 0 ? 0 : find_fields(type->fields[i].type, depth - 1));
    }
    return found;
}

static void fields_of_every_type_are_sorted(void **state)
{
    enum { DEPTH = 9 }; /* StatefulSet, spec, template, spec, volumes, projected, sources, ... */
    size_t found = 0;

    (void)state;
    for (size_t t = 0; t < plumb_kube_table_count; t++) {
        for (size_t k = 0; k < plumb_kube_tables[t].kind_count; k++) {
            if (plumb_kube_tables[t].kinds[k].type != NULL)
                found += find_fields(plumb_kube_tables[t].kinds[k].type, DEPTH);
        }
    }
    assert_true(found > 1000);
}

static void places_in_a_view_are_those_of_the_file_around_it(void **state)
{
    static const char text[] = "data:\n  a: |\n    Name=gpu\n    Count=8\n  b: \"x\\ty=1\"\n";
    struct fixture *fx = *state;
    struct plumb_sources *m = &fx->session.sources;
    struct plumb_source *src = plumb_source_add(m, "m.yaml", text, strlen(text));
    struct plumb_yaml *y = plumb_yaml_read(&fx->session, src);
    const struct plumb_node *block = plumb_node_path(y->documents[0], "data/a");
    const struct plumb_node *quoted = plumb_node_path(y->documents[0], "data/b");
    struct plumb_source *view = plumb_source_view(m, &block->scalar);
    struct plumb_place p;

    assert_string_equal(view->bytes, "Name=gpu\nCount=8\n");
    p = plumb_source_place(m, (struct plumb_span){view->id, 15, 16}); /* the 8 */
    assert_string_equal(p.path, "m.yaml");
    assert_int_equal(p.line, 4);
    assert_int_equal(p.column, 11);
    assert_int_equal(p.end_column, 12);
    view = plumb_source_view(m, &quoted->scalar);
    p = plumb_source_place(m, (struct plumb_span){view->id, 2, 5}); /* y=1, behind an escape */
    assert_int_equal(p.line, 5);
    assert_int_equal(p.column, 10);
    assert_int_equal(plumb_source_outer(m, (struct plumb_span){src->id, 3, 4}).begin, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(scalars_are_what_kubectl_makes_of_them, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(quantities_have_their_units, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(names_of_objects_are_those_of_dns, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(kinds_are_chosen_by_version_and_kind, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(fields_take_what_the_operator_can_read, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(words_of_the_operator_that_a_list_lacks, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(expressions_hold_as_the_api_server_has_them, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(fields_of_every_type_are_sorted, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(places_in_a_view_are_those_of_the_file_around_it, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("kube", tests, NULL, NULL);
}
