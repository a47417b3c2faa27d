/* SPDX-License-Identifier: Apache-2.0 */
/* Target gpu-stack: what NVIDIA's GPU operator and Prometheus are told of the GPUs. */
#ifndef PLUMB_TARGETS_GPU_STACK_H
#define PLUMB_TARGETS_GPU_STACK_H

#include "bundle/bundle.h"
#include "model/kube_stack.h"
#include "syntax/node.h"

extern const struct plumb_target plumb_target_gpu_stack;

struct plumb_gpu_stack {
    struct plumb_bundle b;
    const struct plumb_kube_stack *stack;
    bool mig, mixed; /* some class is cut by MIG; into instances of several kinds */
    bool shared;     /* some class has GPUs that pods share */
};

/* Names of what the chart's values refer to. */
#define PLUMB_STACK_MIG     "slurm-mig-layouts"
#define PLUMB_STACK_PLUGIN  "slurm-device-plugin"
#define PLUMB_STACK_METRICS "slurm-dcgm-metrics"
#define PLUMB_STACK_KEY     "dcgm-metrics.csv" /* clusterpolicy_types.go, MetricsConfig */
#define PLUMB_STACK_JOB     "nvidia-dcgm-exporter"

/* A document that stands as text in another one. */
const char *plumb_stack_yaml(struct plumb_gpu_stack *k, const struct plumb_node *root);

/* layouts.c: ConfigMaps for the MIG manager and the device plugin; NULL: nothing is to be said. */
struct plumb_node *plumb_stack_layouts(struct plumb_gpu_stack *k);
struct plumb_node *plumb_stack_sharing(struct plumb_gpu_stack *k);

/* metrics.c: the list of the DCGM exporter, as a ConfigMap and as text. */
struct plumb_node *plumb_stack_metrics(struct plumb_gpu_stack *k);

/* alerts.c */
struct plumb_node *plumb_stack_alerts(struct plumb_gpu_stack *k);

/* values.c: values of the chart gpu-operator. */
struct plumb_node *plumb_stack_values(struct plumb_gpu_stack *k);

#endif
