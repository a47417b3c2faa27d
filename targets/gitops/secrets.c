/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secrets as references. An ExternalSecret names the place in a store; of a SealedSecret only the
 * form can be made, since the cluster's own key seals the value. Facts: external-secrets.io/v1,
 * bitnami.com/v1alpha1.
 */
#include <inttypes.h>
#include <string.h>

#include "gitops/gitops.h"

bool plumb_gitops_first(const struct plumb_kube_stack *stack, size_t credential)
{
    for (size_t i = 0; i < credential; i++) {
        if (strcmp(stack->credentials[i].name.v, stack->credentials[credential].name.v) == 0)
            return false;
    }
    return true;
}

static bool is_of(const struct plumb_gitops *g, size_t credential, const char *secret)
{
    return strcmp(g->stack->credentials[credential].name.v, secret) == 0;
}

/* Keys are bytes, which most stores hold as base64; the others are text. */
static bool is_binary(enum plumb_kube_purpose purpose)
{
    return purpose == PLUMB_FOR_SLURM_KEY || purpose == PLUMB_FOR_MUNGE ||
           purpose == PLUMB_FOR_TOKENS;
}

/* "90s", "15m", "1h" */
static const char *duration(struct plumb_gitops *g, uint64_t sec)
{
    uint64_t unit = sec % 3600 == 0 ? 3600 : sec % 60 == 0 ? 60 : 1;

    return plumb_arena_printf(g->b.a, "%" PRIu64 "%s", sec / unit,
                              unit == 3600 ? "h"
                              : unit == 60 ? "m"
                                           : "s");
}

static void add_value(struct plumb_gitops *g, struct plumb_node *list,
                      const struct plumb_kube_credential *c)
{
    struct plumb_node *one = plumb_node_mapping(g->b.a, c->key.at), *remote = NULL;

    plumb_bundle_text(&g->b, one, "secretKey", &c->key);
    remote = plumb_bundle_map(&g->b, one, "remoteRef");
    plumb_node_set_string(g->b.a, remote, "key",
                          plumb_arena_printf(g->b.a, "%s/%s", g->stack->path.v, c->name.v));
    plumb_bundle_text(&g->b, remote, "property", &c->key);
    if (is_binary(c->purpose))
        plumb_node_set_string(g->b.a, remote, "decodingStrategy", "Base64");
    plumb_node_append(g->b.a, list, one);
}

static struct plumb_node *external(struct plumb_gitops *g, const char *name)
{
    struct plumb_node *root =
        plumb_bundle_object(&g->b, "external-secrets.io/v1", "ExternalSecret", name, "secrets");
    struct plumb_node *spec = plumb_bundle_map(&g->b, root, "spec"), *to = NULL;
    struct plumb_node *list = plumb_node_sequence(g->b.a, g->stack->gitops_at);

    plumb_node_set_string(
        g->b.a, spec, "refreshInterval",
        duration(g, plumb_usable(g->stack->refresh_sec) ? g->stack->refresh_sec.v : 3600));
    to = plumb_bundle_map(&g->b, spec, "secretStoreRef");
    plumb_bundle_text(&g->b, to, "kind", &g->stack->store_kind);
    plumb_bundle_text(&g->b, to, "name", &g->stack->store);
    to = plumb_bundle_map(&g->b, spec, "target");
    plumb_node_set_string(g->b.a, to, "name", name);
    plumb_node_set_string(g->b.a, to, "creationPolicy", "Owner");
    for (size_t i = 0; i < g->stack->credential_count; i++) {
        if (is_of(g, i, name))
            add_value(g, list, &g->stack->credentials[i]);
    }
    plumb_node_set(g->b.a, spec, "data", list);
    return root;
}

/* The values are empty: kubeseal fills in a copy, which is not ours. */
static struct plumb_node *sealed(struct plumb_gitops *g, const char *name)
{
    struct plumb_node *root =
        plumb_bundle_object(&g->b, "bitnami.com/v1alpha1", "SealedSecret", name, "secrets");
    struct plumb_node *spec = plumb_bundle_map(&g->b, root, "spec"), *meta = NULL;
    struct plumb_node *values = plumb_bundle_map(&g->b, spec, "encryptedData");

    for (size_t i = 0; i < g->stack->credential_count; i++) {
        if (is_of(g, i, name))
            plumb_node_set_string(g->b.a, values, g->stack->credentials[i].key.v, "");
    }
    meta = plumb_bundle_map(&g->b, plumb_bundle_map(&g->b, spec, "template"), "metadata");
    plumb_node_set_string(g->b.a, meta, "name", name);
    plumb_bundle_text(&g->b, meta, "namespace", &g->stack->space);
    return root;
}

void plumb_gitops_secrets(struct plumb_gitops *g)
{
    for (size_t i = 0; i < g->stack->credential_count; i++) {
        const char *name = g->stack->credentials[i].name.v;

        if (!plumb_gitops_first(g->stack, i) || g->stack->credentials[i].made)
            continue;
        if (g->stack->style == PLUMB_SECRETS_EXTERNAL)
            plumb_bundle_add(&g->b, plumb_arena_printf(g->b.a, "10-secret-%s.yaml", name),
                             external(g, name));
        else if (g->stack->style == PLUMB_SECRETS_SEALED)
            plumb_emit_yaml(g->b.em, plumb_arena_printf(g->b.a, "gitops/to-seal/%s.yaml", name),
                            sealed(g, name));
    }
}
