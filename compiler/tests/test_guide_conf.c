/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Slurm files inside the operations guide, as a reader would copy them: every value at its
 * own place, every fault that the guide is known to have.
 */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

#include "conf/conf.h"
#include "passes/pass.h"

/* A listing of the guide: from its first setting to the line before the prose behind it. */
struct listing {
    const char *name, *first, *behind;
    enum plumb_file file;
};

static const struct listing listings[] = {
    {"slurm.conf", "ClusterName=production\n", "\nKey decisions:", PLUMB_SLURM_CONF},
    {"gres.conf", "Name=gpu Type=h100 File=/dev/nvidia0", "\nThe diagram below", PLUMB_GRES_CONF},
    {"slurmdbd.conf",
     "AuthType=auth/munge\nAuthInfo=", "\nBootstrap the schema:", PLUMB_SLURMDBD_CONF},
};

static const struct plumb_source *load_guide(struct fixture *fx)
{
    struct plumb_source *src = NULL;

    if (plumb_source_load(&fx->session.sources,
                          fx_shared(fx->arena, "guides/001_6d0659c089d88152.txt"), NULL,
                          &src) == PLUMB_OK)
        return src;
    print_message("no guide at %s: skipped\n", fx_shared(fx->arena, "guides"));
    skip();
    return NULL;
}

static struct plumb_source *cut(struct fixture *fx, const struct plumb_source *guide,
                                const struct listing *l)
{
    const char *begin = strstr(guide->bytes, l->first);
    const char *end = begin != NULL ? strstr(begin, l->behind) : NULL;

    assert_non_null(end);
    return plumb_source_add(&fx->session.sources, l->name, begin, (size_t)(end - begin));
}

static struct plumb_model *lift_guide(struct fixture *fx)
{
    const struct plumb_source *guide = load_guide(fx);
    struct plumb_run *r = PLUMB_NEW(fx->arena, struct plumb_run);

    r->session = &fx->session;
    r->forced_release = PLUMB_26_05;
    r->input_count = PLUMB_COUNT(listings);
    r->inputs = PLUMB_NEW_ARRAY(fx->arena, r->input_count, struct plumb_input);
    for (size_t i = 0; i < r->input_count; i++)
        r->inputs[i] = (struct plumb_input){
            .path = listings[i].name,
            .shown = listings[i].name,
            .kind = PLUMB_KIND_CONF,
            .conf_file = listings[i].file,
            .src = cut(fx, guide, &listings[i]),
        };
    plumb_pass_read_conf(r);
    fx_expect_nothing_else(fx);
    plumb_pass_check_conf(r);
    plumb_pass_lift(r);
    plumb_pass_type_values(r);
    return r->model;
}

static const char *text_at(struct fixture *fx, struct plumb_span at)
{
    const struct plumb_source *src = plumb_source_get(&fx->session.sources, at.file);

    assert_non_null(src);
    return plumb_arena_strndup(fx->arena, src->bytes + at.begin, at.end - at.begin);
}

/* Every setting shows its own text: nothing in these listings is escaped or inherited. */
static void check_settings(struct fixture *fx, const struct plumb_settings *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct plumb_setting *set = &s->items[i];
        const char *at = text_at(fx, set->value.at);

        assert_string_equal(text_at(fx, set->key_at), set->param->name);
        if (set->value.lead == 1)
            assert_string_equal(at, plumb_arena_printf(fx->arena, "\"%s\"", set->value.text));
        else
            assert_string_equal(at, set->value.text);
    }
}

static void every_value_stands_at_its_own_place(void **state)
{
    struct fixture *fx = *state;
    const struct plumb_model *m = lift_guide(fx);
    size_t count = 0;

    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        check_settings(fx, &m->settings[f]);
        count += m->settings[f].count;
    }
    for (size_t i = 0; i < m->node_count; i++)
        check_settings(fx, &m->nodes[i].settings);
    for (size_t i = 0; i < m->partition_count; i++)
        check_settings(fx, &m->partitions[i].settings);
    for (size_t i = 0; i < m->gres_line_count; i++)
        check_settings(fx, &m->gres_lines[i].settings);
    assert_true(count > 60);
}

static void the_cluster_is_what_the_guide_describes(void **state)
{
    static const struct {
        const char *name, *nodes;
        uint64_t max, usual;
        bool is_default;
    } partitions[] = {
        {"training", "gpu-[01-12]", 10080, 1440, true},
        {"inference", "gpu-[13-16]", UINT64_MAX, 240, false},
        {"interactive", "gpu-[01-16]", 240, 60, false},
    };
    struct fixture *fx = *state;
    const struct plumb_model *m = lift_guide(fx);
    const struct plumb_nodes *n = m->nodes;

    assert_string_equal(m->cluster.v, "production");
    assert_int_equal(m->controller_count, 2);
    assert_string_equal(m->controllers[1].address.v, "10.0.0.11");
    assert_int_equal(m->node_count, 1);
    assert_int_equal(n->hosts->count, 16);
    assert_int_equal(n->cpus.v, 256); /* 2 sockets, 64 cores, 2 threads */
    assert_int_equal(n->cpus.origin, PLUMB_DERIVED);
    assert_int_equal(n->gres_count, 2);
    assert_string_equal(text_at(fx, n->gres[0].at), "gpu:h100:8");
    assert_string_equal(text_at(fx, n->gres[0].count_at), "8");
    assert_int_equal(m->partition_count, PLUMB_COUNT(partitions));
    for (size_t i = 0; i < m->partition_count; i++) {
        const struct plumb_partition *p = &m->partitions[i];

        assert_string_equal(p->name.v, partitions[i].name);
        assert_string_equal(p->nodes_text.text, partitions[i].nodes);
        assert_int_equal(p->max_time_min.v, partitions[i].max);
        assert_int_equal(p->default_time_min.v, partitions[i].usual);
        assert_int_equal(plumb_usable(p->is_default) && p->is_default.v, partitions[i].is_default);
    }
    assert_int_equal(m->gres_line_count, 9);
    for (size_t i = 0; i < 8; i++) {
        assert_true(m->gres_lines[i].links_bad); /* colons and NVL are no link counts */
        assert_int_equal(plumb_cores_count(&m->gres_lines[i].cores), 32);
    }
    assert_false(m->gres_lines[8].has_links);
}

static bool is_reported(struct fixture *fx, const char *key)
{
    for (size_t i = 0; i < fx->session.sink.count; i++) {
        const struct plumb_diag *d = fx->session.sink.items[i];

        if (d->severity == PLUMB_ERROR && strcmp(text_at(fx, d->at), key) == 0)
            return true;
    }
    return false;
}

/* Keys that slurmctld or slurmdbd 26.05 does not know where the guide puts them. */
static void unknown_keys_of_the_guide_are_errors(void **state)
{
    static const char *const keys[] = {"MungeSocketPath", "CgroupPlugin", "TRESBillingWeights",
                                       "ArchiveResv"};
    struct fixture *fx = *state;

    (void)lift_guide(fx);
    for (size_t i = 0; i < PLUMB_COUNT(keys); i++) {
        fx->row_text = keys[i];
        if (!is_reported(fx, keys[i]))
            fail_msg("'%s' is not reported", keys[i]);
    }
    for (size_t i = 0; i < fx->session.sink.count; i++)
        assert_memory_equal(fx->session.sink.items[i]->rule->code, "CONF", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_value_stands_at_its_own_place, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(the_cluster_is_what_the_guide_describes, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(unknown_keys_of_the_guide_are_errors, fx_setup,
                                        fx_teardown),
    };

    return cmocka_run_group_tests_name("conf/guide", tests, NULL, NULL);
}
