/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands beside Slurm's objects: configurations of NVIDIA's device plugin (k8s-device-plugin,
 * api/config/v1) within ConfigMaps, and alerts of PrometheusRules.
 */
#include <string.h>

#include "base/text.h"
#include "kube/value.h"
#include "passes/lift_kube.h"
#include "syntax/yaml.h"

bool plumb_kube_has_texts(const struct plumb_kube_thing *t)
{
    return strcmp(t->kind, "ConfigMap") == 0 ||
           (strcmp(t->api, "values") == 0 && strcmp(t->kind, "gpu-operator") == 0);
}

/* ---- device plugin ---- */

static void lift_strategy(struct plumb_kube_sharing *to, const struct plumb_node *how, bool mps)
{
    const struct plumb_node *list = plumb_node_get(how, "resources");
    const struct plumb_node *one = plumb_node_get(how, "failRequestsGreaterThanOne");

    for (uint32_t i = 0; list != NULL && list->kind == PLUMB_SEQUENCE && i < list->count; i++) {
        const char *name = plumb_node_text(plumb_node_get(list->items[i], "name"));

        if (name == NULL || strcmp(name, "nvidia.com/gpu") != 0)
            continue;
        to->strategy = mps ? "mps" : "timeSlicing";
        to->replicas = plumb_kube_number(plumb_node_get(list->items[i], "replicas"));
    }
    to->one_at_a_time = one == NULL ? mps : plumb_kube_true(one);
    to->one_at = one == NULL ? to->replicas.at : one->at;
}

static bool is_plugin_config(const struct plumb_node *root)
{
    return plumb_node_get(root, "version") != NULL && plumb_node_get(root, "mig-configs") == NULL &&
           (plumb_node_get(root, "flags") != NULL || plumb_node_get(root, "sharing") != NULL);
}

static void lift_sharing(struct plumb_kube_lifter *l, const struct plumb_kube_thing *t,
                         const struct plumb_kube_key *key)
{
    struct plumb_kube_model *m = l->to;
    struct plumb_yaml *yaml =
        plumb_yaml_read(l->session, plumb_source_view(&l->session->sources, &key->value));
    const struct plumb_node *root = yaml->count == 0 ? NULL : yaml->documents[0];
    const struct plumb_node *sharing = plumb_node_get(root, "sharing"), *mps = NULL;
    struct plumb_kube_sharing *to = NULL;

    if (root == NULL || !is_plugin_config(root))
        return;
    m->sharings = plumb_arena_grow(l->a, m->sharings, m->sharing_count, &m->sharing_cap,
                                   sizeof(*m->sharings));
    to = &m->sharings[m->sharing_count++];
    *to = (struct plumb_kube_sharing){.thing = t, .name = key->name};
    mps = plumb_node_get(sharing, "mps");
    lift_strategy(to, mps != NULL ? mps : plumb_node_get(sharing, "timeSlicing"), mps != NULL);
}

/* ---- alerts ---- */

static void lift_alert(struct plumb_kube_lifter *l, const struct plumb_node *rule)
{
    struct plumb_kube_model *m = l->to;
    const struct plumb_node *expr = plumb_node_get(rule, "expr");

    if (expr == NULL || expr->kind != PLUMB_SCALAR)
        return;
    m->alerts =
        plumb_arena_grow(l->a, m->alerts, m->alert_count, &m->alert_cap, sizeof(*m->alerts));
    m->alerts[m->alert_count++] = (struct plumb_kube_alert){
        .name = plumb_kube_text(l, plumb_node_get(rule, "alert")), .expr = expr->scalar};
}

static void lift_rules(struct plumb_kube_lifter *l, const struct plumb_node *root)
{
    const struct plumb_node *groups = plumb_node_path(root, "spec/groups");

    for (uint32_t i = 0; groups != NULL && groups->kind == PLUMB_SEQUENCE && i < groups->count;
         i++) {
        const struct plumb_node *rules = plumb_node_get(groups->items[i], "rules");

        for (uint32_t k = 0; rules != NULL && rules->kind == PLUMB_SEQUENCE && k < rules->count;
             k++)
            lift_alert(l, rules->items[k]);
    }
}

/* ---- values ---- */

/* A ConfigMap that the values name and that the chart does not make of them. */
static void refer(struct plumb_kube_lifter *l, const struct plumb_kube_thing *from,
                  const struct plumb_node *config, const char *field, const char *then)
{
    struct plumb_kube_model *m = l->to;
    struct plumb_text name = plumb_kube_text(l, plumb_node_get(config, "name"));
    const struct plumb_node *create = plumb_node_get(config, "create");

    if (name.v == NULL || name.v[0] == '\0' || (create != NULL && plumb_kube_true(create)))
        return;
    m->references = plumb_arena_grow(l->a, m->references, m->reference_count, &m->reference_cap,
                                     sizeof(*m->references));
    m->references[m->reference_count++] = (struct plumb_kube_reference){
        .from = from, .kind = "ConfigMap", .name = name, .field = field, .then = then};
}

static void lift_chart(struct plumb_kube_lifter *l, const struct plumb_node *root,
                       const struct plumb_kube_thing *t)
{
    static const struct {
        const char *path, *field, *then;
    } rows[] = {
        {"devicePlugin/config", "devicePlugin.config.name", "the pods of the plugin do not start"},
        {"migManager/config", "migManager.config.name", "the pods of the MIG manager do not start"},
        {"dcgmExporter/config", "dcgmExporter.config.name",
         "the pods of the exporter do not start"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++)
        refer(l, t, plumb_node_path(root, rows[i].path), rows[i].field, rows[i].then);
    l->to->plugin_default =
        plumb_kube_text(l, plumb_node_path(root, "devicePlugin/config/default"));
}

void plumb_kube_lift_stack(struct plumb_kube_lifter *l)
{
    for (size_t i = 0; i < l->to->thing_count; i++) {
        const struct plumb_kube_thing *t = &l->to->things[i];

        for (size_t k = 0; plumb_kube_has_texts(t) && k < t->key_count; k++) {
            if (plumb_slice_holds(&t->keys[k].value, "version: v1") &&
                (plumb_slice_holds(&t->keys[k].value, "sharing:") ||
                 plumb_slice_holds(&t->keys[k].value, "migStrategy:")))
                lift_sharing(l, t, &t->keys[k]);
        }
    }
    for (size_t i = 0; i < l->run->kube->count; i++) {
        const struct plumb_kube_object *o = &l->run->kube->items[i];

        if (strcmp(o->kind, "PrometheusRule") == 0 &&
            plumb_starts_with(o->api, "monitoring.coreos.com/"))
            lift_rules(l, o->root);
        if (plumb_kube_owner_of(o) == PLUMB_KUBE_GPU_CHART)
            lift_chart(l, o->root, &l->to->things[i]);
    }
}
