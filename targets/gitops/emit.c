/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target gitops: one folder that applies all others, secrets as references, and the runbook. It
 * tells of the objects that the target of the flavor has made in the same build.
 */
#include "base/text.h"
#include "gitops/gitops.h"

static bool is_made(const struct plumb_emit *em, const char *folder)
{
    for (size_t i = 0; i < em->out->doc_count; i++) {
        if (plumb_starts_with(em->out->docs[i].path, folder))
            return true;
    }
    return false;
}

static void emit_gitops(const struct plumb_emit *em)
{
    const struct plumb_kube_stack *stack = em->model->kube_stack;
    struct plumb_kube_plan plan = {.name = {.v = "slurm"}};
    struct plumb_gitops g = {.stack = stack};

    if (stack == NULL || !stack->gitops) {
        if (em->out->targets != NULL) /* asked for by name */
            plumb_emit_refuse(em, "gitops", em->model->cluster.at,
                              "the specification has no section 'kubernetes.gitops'");
        return;
    }
    if (!is_made(em, "kubernetes/")) {
        plumb_emit_refuse(
            em, "gitops", stack->gitops_at,
            "it tells of the objects of the flavor, which are not made in this build");
        return;
    }
    if (em->model->kube_plan != NULL)
        plan.name = em->model->kube_plan->name;
    plan.at = stack->gitops_at;
    plan.space = stack->space;
    g.b = (struct plumb_bundle){
        .em = em, .m = em->model, .plan = &plan, .a = em->session->arena, .folder = "gitops"};
    plumb_bundle_list(&g.b, "../kubernetes");
    if (stack->gpus)
        plumb_bundle_list(&g.b, "../gpu-stack");
    plumb_gitops_secrets(&g);
    for (size_t i = 0; i < stack->resource_count; i++)
        plumb_bundle_list(&g.b, stack->resources[i].v);
    plumb_bundle_write(&g.b);
    plumb_emit_markdown(em, "gitops/RUNBOOK.md", plumb_gitops_runbook(&g));
}

static const char *const gitops_files[] = {
    "gitops/kustomization.yaml",
    "gitops/10-secret-<secret>.yaml",
    "gitops/to-seal/<secret>.yaml",
    "gitops/RUNBOOK.md",
};

const struct plumb_target plumb_target_gitops = {
    .name = "gitops",
    .summary = "one kustomization of all manifests, secrets as references, a runbook for keys",
    .consumer = "kustomize, external-secrets 2.9, sealed-secrets 0.36, by kubectl apply -k",
    .files = gitops_files,
    .file_count = PLUMB_COUNT(gitops_files),
    .emit = emit_gitops,
};
