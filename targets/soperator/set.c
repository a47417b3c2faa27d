/* SPDX-License-Identifier: Apache-2.0 */
/* A NodeSet: what its pods ask for, and what the operator writes behind NodeName= of them. */
#include <string.h>

#include "soperator/soperator.h"

/* {repository, tag}; the pass has refused what has no tag. A digest is split at its ':' as well. */
static void put_image(struct plumb_bundle *b, struct plumb_node *to, const struct plumb_text *image)
{
    const char *colon = image->v == NULL ? NULL : strrchr(image->v, ':');
    struct plumb_node *parts = plumb_bundle_map(b, to, "image");

    if (colon == NULL)
        return;
    plumb_node_set(
        b->a, parts, "repository",
        plumb_node_string(b->a, plumb_arena_strndup(b->a, image->v, (size_t)(colon - image->v)),
                          image->at));
    plumb_node_set(b->a, parts, "tag", plumb_node_string(b->a, colon + 1, image->at));
}

/* CPUs that CPUSpecList or CoreSpecCount keep from jobs. */
static uint64_t reserved_cpus(struct plumb_bundle *b, const struct plumb_nodes *n)
{
    const struct plumb_setting *list = plumb_setting(&n->settings, PLUMB_P_NODE_CPUSPECLIST);
    struct plumb_u64 cores =
        plumb_setting_u64(&n->settings, PLUMB_P_NODE_CORESPECCOUNT, b->m->release);
    struct plumb_slurm_cpus set = {0};
    size_t fault = 0;

    if (list != NULL && plumb_slurm_cpus_read(b->a, &list->value, &set, &fault))
        return plumb_slurm_cpus_count(&set);
    if (plumb_usable(cores) && plumb_usable(n->threads_per_core) && cores.v <= UINT32_MAX &&
        n->threads_per_core.v <= UINT32_MAX)
        return cores.v * n->threads_per_core.v;
    return 0;
}

/*
 * The operator refuses workers without CPUs and memory, asks for the same as limit and as request,
 * and makes RealMemory of the memory.
 */
static void put_resources(struct plumb_bundle *b, struct plumb_node *slurmd,
                          const struct plumb_set *set)
{
    const struct plumb_nodes *n = set->nodes;
    struct plumb_node *to = plumb_bundle_map(b, slurmd, "resources");
    uint64_t aside = reserved_cpus(b, n), gpus = plumb_bundle_gpus(b, n);

    if (!plumb_usable(n->cpus) || n->cpus.v <= aside || !plumb_usable(n->real_memory_mib) ||
        n->real_memory_mib.v == 0) {
        plumb_bundle_refuse(b, n->at, "the operator starts no workers without CPUs and memory");
        return;
    }
    plumb_node_set(b->a, to, "cpu", plumb_node_u64(b->a, n->cpus.v - aside, n->cpus.at));
    plumb_node_set(b->a, to, "memory",
                   plumb_node_string(b->a, plumb_bundle_quantity(b, n->real_memory_mib.v),
                                     n->real_memory_mib.at));
    if (gpus > 0)
        plumb_node_set(b->a, to, "nvidia.com/gpu", plumb_node_u64(b->a, gpus, n->gres_at));
}

static void put_volumes(struct plumb_bundle *b, struct plumb_node *slurmd)
{
    struct plumb_node *volumes = plumb_bundle_map(b, slurmd, "volumes"), *jail = NULL;

    plumb_node_set(b->a, plumb_bundle_map(b, volumes, "spool"), "emptyDir",
                   plumb_node_mapping(b->a, b->plan->at));
    jail = plumb_bundle_map(b, plumb_bundle_map(b, volumes, "jail"), "persistentVolumeClaim");
    plumb_bundle_text(b, jail, "claimName", &b->plan->jail_claim);
}

/* The port of slurmd, which the operator writes into each node line. */
static void put_port(struct plumb_bundle *b, struct plumb_node *slurmd, const struct plumb_nodes *n)
{
    struct plumb_u64 port = plumb_setting_u64(&n->settings, PLUMB_P_NODE_PORT, b->m->release);

    if (port.origin != PLUMB_GIVEN)
        port = plumb_setting_u64(plumb_slurm(b->m), PLUMB_P_SLURM_SLURMDPORT, b->m->release);
    if (port.origin == PLUMB_GIVEN)
        plumb_node_set(b->a, slurmd, "port", plumb_node_u64(b->a, port.v, port.at));
}

static void put_features(struct plumb_bundle *b, struct plumb_node *config,
                         const struct plumb_nodes *n)
{
    const struct plumb_setting *s = plumb_node_features(n);
    struct plumb_node *list = plumb_node_sequence(b->a, n->at);
    const char *words = s == NULL ? "" : plumb_arena_strndup(b->a, s->value.text, s->value.len);

    if (s != NULL && !plumb_kube_is_plain(&s->value))
        plumb_bundle_refuse(b, s->value.at, "the operator writes features without quotes");
    while (*words != '\0') {
        size_t len = strcspn(words, ",");

        if (len > 0)
            plumb_node_append(
                b->a, list,
                plumb_node_string(b->a, plumb_arena_strndup(b->a, words, len), s->value.at));
        words += len + (words[len] == ',');
    }
    if (list->count > 0)
        plumb_node_set(b->a, config, "features", list);
}

static void put_config(struct plumb_bundle *b, struct plumb_node *spec, const struct plumb_set *set)
{
    struct plumb_node *config = plumb_bundle_map(b, spec, "nodeConfig");
    struct plumb_node *gres = plumb_soperator_gres(b, set);

    put_features(b, config, set->nodes);
    plumb_node_set_string(b->a, config, "static", plumb_soperator_static(b, set));
    if (gres != NULL)
        plumb_node_set(b->a, config, "gresConfig", gres);
}

/* A container beside slurmd; the CRD wants to be told that it asks for nothing. */
static void put_sidecar(struct plumb_bundle *b, struct plumb_node *spec, const char *key,
                        const struct plumb_text *image)
{
    struct plumb_node *to = plumb_bundle_map(b, spec, key);

    put_image(b, to, image);
    (void)plumb_bundle_map(b, to, "resources");
}

struct plumb_node *plumb_soperator_set(struct plumb_bundle *b, const struct plumb_set *set)
{
    struct plumb_node *root =
        plumb_bundle_object(b, "slurm.nebius.ai/v1alpha1", "NodeSet", set->name, "slurmd");
    struct plumb_node *spec = plumb_bundle_map(b, root, "spec"), *slurmd = NULL;

    plumb_node_set(b->a, spec, "replicas", plumb_node_u64(b->a, set->count, set->hosts->at));
    slurmd = plumb_bundle_map(b, spec, "slurmd");
    put_image(b, slurmd, &b->plan->worker_image);
    put_port(b, slurmd, set->nodes);
    put_resources(b, slurmd, set);
    put_volumes(b, slurmd);
    put_sidecar(b, spec, "munge", &b->plan->munge_image);
    if (b->plan->sssd.name.v != NULL) {
        put_sidecar(b, spec, "sssd", &b->plan->sssd_image);
        plumb_bundle_text(b, spec, "sssdConfSecretRefName", &b->plan->sssd.name);
    }
    put_config(b, spec, set);
    if (plumb_gres_total(set->nodes, "gpu") > 0)
        plumb_node_set_bool(b->a, plumb_bundle_map(b, spec, "gpu"), "enabled", true);
    plumb_bundle_selector(b, spec, set->class);
    plumb_bundle_tolerations(b, spec, "tolerations", set->class);
    return root;
}
