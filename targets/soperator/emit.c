/* SPDX-License-Identifier: Apache-2.0 */
/* Target soperator: its objects, file by file. What goes where: doc/design/kubernetes.md. */
#include "soperator/soperator.h"

static const char rbac[] = "rbac.authorization.k8s.io";

static struct plumb_node *config_object(struct plumb_bundle *b, const char *api, const char *kind)
{
    return plumb_bundle_object(b, api, kind, plumb_bundle_named(b, "sconfigcontroller"),
                               "sconfigcontroller");
}

static struct plumb_node *texts(struct plumb_bundle *b, const char *const *items)
{
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);

    for (; *items != NULL; items++)
        plumb_node_append(b->a, list, plumb_node_string(b->a, *items, b->plan->at));
    return list;
}

/* What the controller of configurations reads and writes, as the operator's chart lets it. */
static const struct rule {
    const char *group, *resource;
    const char *verbs[8];
} rules[] = {
    {"", "configmaps", {"get", "list", "watch"}},
    {"", "secrets", {"get", "list", "watch"}},
    {"coordination.k8s.io", "leases", {"get", "list", "watch", "create", "update", "patch"}},
    {"", "events", {"create", "patch"}},
    {"slurm.nebius.ai",
     "jailedconfigs",
     {"get", "list", "watch", "create", "update", "patch", "delete"}},
    {"slurm.nebius.ai", "jailedconfigs/status", {"get", "update", "patch"}},
    {"slurm.nebius.ai", "jailedconfigs/finalizers", {"update"}},
};

static struct plumb_node *role(struct plumb_bundle *b)
{
    struct plumb_node *root = config_object(b, plumb_arena_printf(b->a, "%s/v1", rbac), "Role");
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);

    for (size_t i = 0; i < PLUMB_COUNT(rules); i++) {
        struct plumb_node *one = plumb_node_mapping(b->a, b->plan->at);

        plumb_node_set(b->a, one, "apiGroups",
                       texts(b, (const char *const[]){rules[i].group, NULL}));
        plumb_node_set(b->a, one, "resources",
                       texts(b, (const char *const[]){rules[i].resource, NULL}));
        plumb_node_set(b->a, one, "verbs", texts(b, rules[i].verbs));
        plumb_node_append(b->a, list, one);
    }
    plumb_node_set(b->a, root, "rules", list);
    return root;
}

static struct plumb_node *binding(struct plumb_bundle *b)
{
    const char *name = plumb_bundle_named(b, "sconfigcontroller");
    struct plumb_node *root =
        config_object(b, plumb_arena_printf(b->a, "%s/v1", rbac), "RoleBinding");
    struct plumb_node *ref = plumb_bundle_map(b, root, "roleRef");
    struct plumb_node *list = plumb_node_sequence(b->a, b->plan->at);
    struct plumb_node *subject = plumb_node_mapping(b->a, b->plan->at);

    plumb_node_set_string(b->a, ref, "apiGroup", rbac);
    plumb_node_set_string(b->a, ref, "kind", "Role");
    plumb_node_set_string(b->a, ref, "name", name);
    plumb_node_set_string(b->a, subject, "kind", "ServiceAccount");
    plumb_node_set_string(b->a, subject, "name", name);
    plumb_bundle_text(b, subject, "namespace", &b->plan->space);
    plumb_node_append(b->a, list, subject);
    plumb_node_set(b->a, root, "subjects", list);
    return root;
}

static void emit_soperator(const struct plumb_emit *em)
{
    struct plumb_bundle b;

    if (!plumb_bundle_begin(&b, em, PLUMB_OF_SOPERATOR))
        return;
    /* Workers are privileged: the levels baseline and restricted refuse them. */
    plumb_bundle_add(&b, "00-namespace.yaml", plumb_bundle_namespace(&b, "privileged"));
    if (b.plan->claim.v != NULL && plumb_usable(b.plan->state_bytes))
        plumb_bundle_add(&b, "10-claim.yaml", plumb_bundle_claim(&b, "slurmctld"));
    if (plumb_usable(b.plan->jail_bytes))
        plumb_bundle_add(&b, "11-jail.yaml",
                         plumb_bundle_shared_claim(&b, "jail", &b.plan->jail_claim,
                                                   &b.plan->jail_class, &b.plan->jail_bytes));
    plumb_bundle_add(&b, "20-serviceaccount.yaml", config_object(&b, "v1", "ServiceAccount"));
    plumb_bundle_add(&b, "21-role.yaml", role(&b));
    plumb_bundle_add(&b, "22-rolebinding.yaml", binding(&b));
    plumb_bundle_add(&b, "40-slurmcluster.yaml", plumb_soperator_cluster(&b));
    for (size_t i = 0; i < b.set_count; i++)
        plumb_bundle_add(&b, plumb_arena_printf(b.a, "50-nodeset-%s.yaml", b.sets[i].name),
                         plumb_soperator_set(&b, &b.sets[i]));
    plumb_bundle_write(&b);
}

static const char *const soperator_files[] = {
    "kubernetes/NN-*.yaml",
    "kubernetes/kustomization.yaml",
};

const struct plumb_target plumb_target_soperator = {
    .name = "soperator",
    .summary = "objects for Soperator, where the section kubernetes asks for them",
    .consumer = "Soperator 4.1 and later, by kubectl apply -k",
    .files = soperator_files,
    .file_count = PLUMB_COUNT(soperator_files),
    .emit = emit_soperator,
};
