/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place of a node in the network, from the labels of its Node object. Who writes which labels
 * is a table; a node is read by the first family of which it has the closest switch.
 */
#include <string.h>

#include "capture/places.h"

enum { MOST_GAP = 3 };

struct family {
    const char *named[3]; /* labels of the tiers, the closest first */
    const char *numbered; /* or what stands before their numbers */
    unsigned first;       /* number of the closest */
    const char *domain;   /* label of the NVLink domain */
};

#define NVIDIA(name)     "network.topology.nvidia.com/" name
#define KUBERNETES(name) "network.topology.kubernetes.io/" name

static const struct family families[] = {
    /* topograph 1.0: docs/reference/node-labels.md */
    {.numbered = "fabric.topograph.run/tier-", .domain = "accelerator.topograph.run/domain"},
    /* topograph before 1.0, newest first */
    {.numbered = NVIDIA("tier-"), .domain = "xclr.topology.nvidia.com/domain"},
    {.named = {NVIDIA("leaf"), NVIDIA("spine"), NVIDIA("core")}, .domain = NVIDIA("accelerator")},
    {.named = {NVIDIA("block"), NVIDIA("spine"), NVIDIA("datacenter")},
     .domain = NVIDIA("accelerator")},
    {.named = {KUBERNETES("block"), KUBERNETES("spine"), KUBERNETES("datacenter")},
     .domain = KUBERNETES("accelerator")},
    /* soperator counts from the NVLink block, which is tier 0 */
    {.numbered = "topologyconf.slurm.nebius.ai/tier-",
     .first = 1,
     .domain = "topologyconf.slurm.nebius.ai/tier-0"},
    /* SUNK */
    {.named = {"ib.coreweave.cloud/leafgroup", "ib.coreweave.cloud/superpod",
               "ib.coreweave.cloud/fabric"},
     .domain = "ds.coreweave.com/nvlink.domain"},
};

/* NVIDIA's GPU feature discovery: cluster UUID and clique, "UUID.32766". */
static const char clique[] = "nvidia.com/gpu.clique";

/* A label with a value. */
static const struct plumb_slice *label(const struct plumb_node *labels, const char *key)
{
    const struct plumb_node *value = plumb_node_get(labels, key);

    return value != NULL && value->kind == PLUMB_SCALAR && value->scalar.len > 0 &&
                   !plumb_node_is_null(value)
               ? &value->scalar
               : NULL;
}

static const char *tier_label(struct plumb_arena *a, const struct family *f, size_t tier)
{
    if (f->numbered != NULL)
        return plumb_arena_printf(a, "%s%zu", f->numbered, tier + f->first);
    return tier < PLUMB_COUNT(f->named) ? f->named[tier] : NULL;
}

static void take_tiers(struct plumb_session *s, const struct plumb_node *labels,
                       const struct family *f, struct plumb_net_place *place)
{
    const char *missing = NULL;
    size_t gap = 0; /* tiers without a label in a row; behind so many there is none */

    place->tiers = PLUMB_NEW_ARRAY(s->arena, PLUMB_MOST_TIERS, struct plumb_slice);
    for (size_t i = 0; i < PLUMB_MOST_TIERS && gap < MOST_GAP; i++) {
        const char *key = tier_label(s->scratch, f, i);
        const struct plumb_slice *value = key == NULL ? NULL : label(labels, key);

        if (value == NULL) {
            missing = missing == NULL ? key : missing;
            gap++;
            continue;
        }
        if (missing != NULL) {
            plumb_net_place_report(
                s, PLUMB_NET_PLACE_GAP, place->hosts.at,
                "node '%s' has the label '%s' and not '%s', expected one of each "
                "tier up to its last",
                place->hosts.text, key, missing);
            return;
        }
        place->tiers[place->tier_count++] = *value;
    }
}

void plumb_net_place_of_node(struct plumb_session *s, struct plumb_net_places *to,
                             const struct plumb_node *node)
{
    const struct plumb_node *labels = plumb_node_path(node, "metadata/labels");
    const struct plumb_node *name = plumb_node_path(node, "metadata/name");
    const struct plumb_slice *domain = NULL;
    struct plumb_net_place place = {.hosts = {.text = ""}};

    if (plumb_node_text(name) == NULL || name->scalar.len == 0 || labels == NULL)
        return;
    place.hosts = name->scalar;
    for (size_t i = 0; i < PLUMB_COUNT(families) && place.tier_count == 0; i++) {
        domain = domain == NULL ? label(labels, families[i].domain) : domain;
        if (label(labels, tier_label(s->scratch, &families[i], 0)) != NULL)
            take_tiers(s, labels, &families[i], &place);
    }
    domain = domain == NULL ? label(labels, clique) : domain;
    if (domain != NULL)
        place.domain = *domain;
    if (place.tier_count > 0 || domain != NULL)
        plumb_net_place_add(s, to, &place);
}
