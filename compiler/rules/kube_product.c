/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A selector by the name of the GPU, which GPU Feature Discovery changes where GPUs are shared or
 * cut (k8s-device-plugin, internal/lm/resource.go).
 */
#include <string.h>

#include "base/text.h"
#include "model/kube_plan.h"
#include "model/kube_stack.h"
#include "model/mig.h"
#include "rules/ask.h"

/* What the label of the class becomes; NULL: it stays. */
static const char *label_then(const struct plumb_check *ck, const struct plumb_nodes *n,
                              const char *product)
{
    uint64_t gpus = plumb_gres_total(n, "gpu");
    uint64_t shares = plumb_gres_total(n, "shard") + plumb_gres_total(n, "mps");

    for (size_t i = 0; i < n->gres_count && plumb_kube_mig_single(ck->model); i++) {
        const char *profile = plumb_mig_of_type(n->gres[i].type);

        if (profile != NULL && strstr(product, "-MIG-") == NULL)
            return plumb_arena_printf(ck->arena, "%s-MIG-%s", product, profile);
    }
    if (gpus > 0 && shares % gpus == 0 && shares / gpus > 1 && shares / gpus <= 48 &&
        !plumb_ends_with(product, "-SHARED"))
        return plumb_arena_printf(ck->arena, "%s-SHARED", product);
    return NULL;
}

/* KUBE099 */
static void product_stays(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    if (m->kube_plan == NULL || m->kube_stack == NULL || !m->kube_stack->gpus ||
        m->kube_plan->classes == NULL)
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_kube_class *c = &m->kube_plan->classes[i];

        for (size_t k = 0; k < c->selector_count; k++) {
            const struct plumb_kube_pick *p = &c->selector[k];
            const char *then = NULL;

            if (p->value.v == NULL || strcmp(p->label.v, "nvidia.com/gpu.product") != 0)
                continue;
            then = label_then(ck, &m->nodes[i], p->value.v);
            if (then != NULL)
                plumb_report(ck, p->value.at,
                             "the selector asks for product '%s', which GPU Feature Discovery "
                             "calls '%s' once the GPUs of class '%s' are configured so, expected "
                             "a label of your own: pods would stay Pending",
                             p->value.v, then, m->nodes[i].class_name);
        }
    }
}

#define SPEC(label)                                                                                \
    "# cluster.yaml\nplumb: 1\ncluster: c\ncontrol: {hosts: ctl}\nnodes:\n  n:\n"                  \
    "    hosts: \"n[1-4]\"\n    topology: dgx-h100\n    memory: 1000000 MB\n"                      \
    "    gres: {gpu: {type: h100, count: 8}, shard: {per_gpu: 4}}\n"                               \
    "    kubernetes: {selector: {" label "}}\n"                                                    \
    "partitions: {p: {nodes: all, default: true}}\n"                                               \
    "kubernetes: {flavor: slinky, gpu_operator: {}}\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE099",
        .name = "product-selector",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_SPEC | PLUMB_FACT_MODEL,
        .summary = "a selector by the name of the GPU stops to match once GPUs are shared or cut",
        .why = "The label gpu.product gets -SHARED or -MIG-PROFILE behind it; nodes of the class "
               "are no longer found.",
        .ref = "GPU Feature Discovery, label nvidia.com/gpu.product",
        .bad = SPEC("nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3"),
        .good = SPEC("example.org/pool: h100"),
        .run = product_stays,
    },
};

const struct plumb_rule_family plumb_kube_product_rules = {
    .prefix = "KUBE",
    .title = "Products that change their names",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
