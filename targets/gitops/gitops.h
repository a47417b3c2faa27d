/* SPDX-License-Identifier: Apache-2.0 */
/* Target gitops: one kustomization of everything, secrets as references, a runbook. */
#ifndef PLUMB_TARGETS_GITOPS_H
#define PLUMB_TARGETS_GITOPS_H

#include "bundle/bundle.h"
#include "model/kube_stack.h"

extern const struct plumb_target plumb_target_gitops;

struct plumb_gitops {
    struct plumb_bundle b;
    const struct plumb_kube_stack *stack;
};

/* An object that another target has made in this build. */
struct plumb_gitops_object {
    const char *api, *kind, *name;
};

/* secrets.c: ExternalSecrets, or what a SealedSecret must hold; one for each Secret. */
void plumb_gitops_secrets(struct plumb_gitops *g);

/* True for the first credential of its Secret: one object has all keys of a Secret. */
bool plumb_gitops_first(const struct plumb_kube_stack *stack, size_t credential);

/* runbook.c: which objects there are, how secrets are made, how keys are changed. */
const char *plumb_gitops_runbook(struct plumb_gitops *g);

#endif
