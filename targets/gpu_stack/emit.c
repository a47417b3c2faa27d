/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target gpu-stack: ConfigMaps for the operands of NVIDIA's GPU operator, values of its chart, and
 * what Prometheus is told. A folder of its own, since the operator has a namespace of its own.
 */
#include <string.h>

#include "gpu_stack/gpu_stack.h"

static void add_file(struct plumb_gpu_stack *k, const char *name, struct plumb_node *root)
{
    if (root != NULL)
        plumb_bundle_add(&k->b, name, root);
}

static struct plumb_node *words(struct plumb_gpu_stack *k, const char *word)
{
    struct plumb_node *list = plumb_node_sequence(k->b.a, k->b.plan->at);

    plumb_node_append(k->b.a, list, plumb_node_string(k->b.a, word, k->b.plan->at));
    return list;
}

/* The service is the operator's (assets/state-dcgm-exporter); alerts want to know the machine. */
static struct plumb_node *monitor(struct plumb_gpu_stack *k)
{
    struct plumb_node *root =
        plumb_bundle_object(&k->b, "monitoring.coreos.com/v1", "ServiceMonitor",
                            "slurm-dcgm-exporter", "dcgm-exporter");
    struct plumb_node *spec = plumb_bundle_map(&k->b, root, "spec");
    struct plumb_node *endpoints = plumb_node_sequence(k->b.a, k->b.plan->at);
    struct plumb_node *endpoint = plumb_node_mapping(k->b.a, k->b.plan->at);
    struct plumb_node *labels = plumb_node_sequence(k->b.a, k->b.plan->at);
    struct plumb_node *label = plumb_node_mapping(k->b.a, k->b.plan->at);

    plumb_node_set(k->b.a, label, "sourceLabels", words(k, "__meta_kubernetes_pod_node_name"));
    plumb_node_set_string(k->b.a, label, "targetLabel", "node");
    plumb_node_append(k->b.a, labels, label);
    plumb_node_set_string(k->b.a, endpoint, "port", "gpu-metrics");
    plumb_node_set_string(k->b.a, endpoint, "path", "/metrics");
    plumb_node_set_string(k->b.a, endpoint, "interval", "15s");
    plumb_node_set(k->b.a, endpoint, "relabelings", labels);
    plumb_node_append(k->b.a, endpoints, endpoint);
    plumb_node_set(k->b.a, spec, "endpoints", endpoints);
    plumb_node_set_string(k->b.a, spec, "jobLabel", "app");
    plumb_node_set(k->b.a, plumb_bundle_map(&k->b, spec, "namespaceSelector"), "matchNames",
                   words(k, k->stack->gpu_space.v));
    plumb_node_set_string(
        k->b.a, plumb_bundle_map(&k->b, plumb_bundle_map(&k->b, spec, "selector"), "matchLabels"),
        "app", PLUMB_STACK_JOB);
    return root;
}

static bool asked(const struct plumb_bool *b)
{
    return plumb_usable(*b) && b->v;
}

static void emit_gpu_stack(const struct plumb_emit *em)
{
    const struct plumb_kube_stack *stack = em->model->kube_stack;
    struct plumb_kube_plan plan = {.name = {.v = "gpu-stack"}};
    struct plumb_gpu_stack k = {.stack = stack};
    struct plumb_node *values = NULL;

    if (stack == NULL || !stack->gpus) {
        if (em->out->targets != NULL) /* asked for by name */
            plumb_emit_refuse(em, "gpu-stack", em->model->cluster.at,
                              "the specification has no section 'gpu_operator' or 'monitoring' of "
                              "'kubernetes' that asks for it");
        return;
    }
    plan.at = stack->at;
    plan.space = stack->gpu_space;
    k.b = (struct plumb_bundle){
        .em = em, .m = em->model, .plan = &plan, .a = em->session->arena, .folder = "gpu-stack"};
    if (em->model->kube_plan == NULL || strcmp(stack->space.v, stack->gpu_space.v) != 0)
        add_file(&k, "00-namespace.yaml", plumb_bundle_namespace(&k.b, "privileged"));
    add_file(&k, "10-mig-layouts.yaml", plumb_stack_layouts(&k));
    add_file(&k, "20-device-plugin.yaml", plumb_stack_sharing(&k));
    if (asked(&stack->dcgm)) {
        add_file(&k, "30-dcgm-metrics.yaml", plumb_stack_metrics(&k));
        add_file(&k, "40-service-monitor.yaml", monitor(&k));
    }
    if (asked(&stack->alerts))
        add_file(&k, "50-alerts.yaml", plumb_stack_alerts(&k));
    plumb_bundle_write(&k.b);
    values = plumb_stack_values(&k);
    if (values->count > 0)
        plumb_emit_yaml(em, "gpu-stack/values.yaml", values);
}

static const char *const gpu_stack_files[] = {
    "gpu-stack/NN-*.yaml",
    "gpu-stack/kustomization.yaml",
    "gpu-stack/values.yaml",
};

const struct plumb_target plumb_target_gpu_stack = {
    .name = "gpu-stack",
    .summary = "MIG layouts, shared GPUs, metrics and alerts, where the section kubernetes asks",
    .consumer = "GPU operator 26.7, prometheus-operator, by kubectl apply -k and helm --values",
    .files = gpu_stack_files,
    .file_count = PLUMB_COUNT(gpu_stack_files),
    .emit = emit_gpu_stack,
};
