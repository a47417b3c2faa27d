/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of the chart gpu-operator: what follows from the specification, and nothing that the chart
 * has as its default. Their names are those of the table schema/kube/gpu-operator-*.yaml.
 */
#include <string.h>

#include "gpu_stack/gpu_stack.h"
#include "model/kube_plan.h"

static void put_bool(struct plumb_gpu_stack *k, struct plumb_node *root, const char *section,
                     const struct plumb_bool *v)
{
    if (plumb_usable(*v))
        plumb_node_set(k->b.a, plumb_bundle_map(&k->b, root, section), "enabled",
                       plumb_node_bool(k->b.a, v->v, v->at));
}

static void put_config(struct plumb_gpu_stack *k, struct plumb_node *root, const char *section,
                       const char *name, const char *otherwise)
{
    struct plumb_node *config =
        plumb_bundle_map(&k->b, plumb_bundle_map(&k->b, root, section), "config");

    plumb_node_set_string(k->b.a, config, "name", name);
    plumb_node_set_string(k->b.a, config, "default", otherwise);
}

/* The same taint twice says nothing more. */
static bool is_there(const struct plumb_node *list, const char *key, const char *value,
                     const char *effect)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const char *k = plumb_node_text(plumb_node_get(list->items[i], "key"));
        const char *v = plumb_node_text(plumb_node_get(list->items[i], "value"));
        const char *e = plumb_node_text(plumb_node_get(list->items[i], "effect"));

        if (strcmp(k != NULL ? k : "", key != NULL ? key : "") == 0 &&
            strcmp(v != NULL ? v : "", value != NULL ? value : "") == 0 &&
            strcmp(e != NULL ? e : "", effect != NULL ? effect : "") == 0)
            return true;
    }
    return false;
}

static void add_toleration(struct plumb_gpu_stack *k, struct plumb_node *list,
                           const struct plumb_kube_tolerance *t)
{
    struct plumb_node *one = plumb_node_mapping(k->b.a, t->at);

    if (is_there(list, t->key.v, t->value.v, t->effect.v))
        return;
    plumb_node_set_string(k->b.a, one, "key", t->key.v);
    plumb_node_set_string(k->b.a, one, "operator", t->op.v);
    plumb_node_set_string(k->b.a, one, "value", t->value.v);
    plumb_node_set_string(k->b.a, one, "effect", t->effect.v);
    plumb_node_append(k->b.a, list, one);
}

/* Everything of the operator that runs on GPU nodes; a list of ours replaces the chart's own. */
static struct plumb_node *tolerations(struct plumb_gpu_stack *k)
{
    static const struct plumb_kube_tolerance own = {
        .key = {.v = "nvidia.com/gpu"}, .op = {.v = "Exists"}, .effect = {.v = "NoSchedule"}};
    const struct plumb_kube_plan *plan = k->b.m->kube_plan;
    struct plumb_node *list = plumb_node_sequence(k->b.a, k->b.plan->at);

    add_toleration(k, list, &own);
    for (size_t i = 0; plan != NULL && i < plan->tolerations.count; i++)
        add_toleration(k, list, &plan->tolerations.items[i]);
    for (size_t c = 0; plan != NULL && c < k->b.m->node_count; c++) {
        for (size_t i = 0; i < plan->classes[c].tolerations.count; i++)
            add_toleration(k, list, &plan->classes[c].tolerations.items[i]);
    }
    return list->count > 1 ? list : NULL;
}

/* Workers of node-feature-discovery run on every machine, control planes among them. */
static struct plumb_node *for_discovery(struct plumb_gpu_stack *k, const struct plumb_node *list)
{
    struct plumb_node *all = plumb_node_sequence(k->b.a, k->b.plan->at);
    struct plumb_node *one = plumb_node_mapping(k->b.a, k->b.plan->at);

    plumb_node_set_string(k->b.a, one, "key", "node-role.kubernetes.io/control-plane");
    plumb_node_set_string(k->b.a, one, "operator", "Exists");
    plumb_node_set_string(k->b.a, one, "effect", "NoSchedule");
    plumb_node_append(k->b.a, all, one);
    for (uint32_t i = 0; i < list->count; i++)
        plumb_node_append(k->b.a, all, list->items[i]);
    return all;
}

static void put_dcgm(struct plumb_gpu_stack *k, struct plumb_node *root)
{
    struct plumb_node *exporter = plumb_bundle_map(&k->b, root, "dcgmExporter");

    plumb_node_set_string(k->b.a, plumb_bundle_map(&k->b, exporter, "config"), "name",
                          PLUMB_STACK_METRICS);
    plumb_node_set_bool(k->b.a, plumb_bundle_map(&k->b, exporter, "serviceMonitor"), "enabled",
                        false);
}

struct plumb_node *plumb_stack_values(struct plumb_gpu_stack *k)
{
    struct plumb_node *root = plumb_node_mapping(k->b.a, k->b.plan->at), *list = tolerations(k);

    if (list != NULL)
        plumb_node_set(k->b.a, plumb_bundle_map(&k->b, root, "daemonsets"), "tolerations", list);
    put_bool(k, root, "driver", &k->stack->driver);
    put_bool(k, root, "toolkit", &k->stack->toolkit);
    if (k->mig) {
        plumb_node_set_string(k->b.a, plumb_bundle_map(&k->b, root, "mig"), "strategy",
                              k->mixed ? "mixed" : "single");
        put_config(k, root, "migManager", PLUMB_STACK_MIG, "all-disabled");
    }
    if (k->shared)
        put_config(k, root, "devicePlugin", PLUMB_STACK_PLUGIN, "default");
    if (plumb_usable(k->stack->dcgm) && k->stack->dcgm.v)
        put_dcgm(k, root);
    if (list != NULL)
        plumb_node_set(k->b.a,
                       plumb_bundle_map(&k->b,
                                        plumb_bundle_map(&k->b, root, "node-feature-discovery"),
                                        "worker"),
                       "tolerations", for_discovery(k, list));
    return root;
}
