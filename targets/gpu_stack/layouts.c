/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How GPUs are cut and shared: a layout of MIG for each class whose GPUs are instances, and a
 * configuration of the device plugin for each class with shards or MPS. Both are named as the
 * class; labels of the nodes choose them. Facts: mig-parted, api/spec/v1; k8s-device-plugin,
 * api/config/v1.
 */
#include <inttypes.h>
#include <string.h>

#include "gpu_stack/gpu_stack.h"
#include "model/mig.h"
#include "syntax/yaml.h"

enum { MPS_CLIENTS = 48 }; /* of one GPU (cmd/mps-control-daemon/mps/device.go) */

const char *plumb_stack_yaml(struct plumb_gpu_stack *k, const struct plumb_node *root)
{
    struct plumb_buf b = plumb_buf_in(k->b.a);

    plumb_yaml_write(&b, root, NULL);
    return plumb_buf_text(&b);
}

/* ---- MIG ---- */

/* Instances of one kind that each GPU of a class has. */
struct cut {
    const char *profile;
    uint64_t each;
    struct plumb_span at;
};

static const char *gpu_model(const struct plumb_nodes *n)
{
    return n->hardware == NULL || n->hardware->gpu_count == 0 ? NULL : n->hardware->gpus[0].model;
}

static uint64_t gpu_count(const struct plumb_nodes *n)
{
    return n->hardware == NULL ? 0 : n->hardware->gpu_count;
}

static void skip(struct plumb_gpu_stack *k, const char *path, const struct plumb_nodes *n,
                 struct plumb_span at, const char *why)
{
    plumb_emit_skip(k->b.em, path, at,
                    plumb_arena_printf(k->b.a, "class '%s': %s", n->class_name, why));
}

/* The name that the driver gives to instances of a type of gres; NULL: told why. */
static const char *profile_of(struct plumb_gpu_stack *k, const struct plumb_nodes *n,
                              const struct plumb_gres_item *g)
{
    const struct plumb_mig_card *card = plumb_mig_card(gpu_model(n));
    const char *text = plumb_mig_of_type(g->type);
    const struct plumb_mig_profile *p = NULL;
    uint8_t part = 0;

    if (card == NULL)
        return text;
    p = plumb_mig_profile(card, text, &part);
    if (p != NULL && part == 0)
        return p->name;
    skip(k, "gpu-stack/10-mig-layouts.yaml", n, g->at,
         part > 0 ? "the MIG manager makes no part of an instance"
                  : plumb_arena_printf(k->b.a, "the product has no instance %s, expected one of %s",
                                       text, plumb_mig_names(k->b.a, card)));
    return NULL;
}

/* What each GPU of the class is cut into; 0: it is not, or it was told why not. */
static size_t cuts_of(struct plumb_gpu_stack *k, const struct plumb_nodes *n, struct cut **out)
{
    uint64_t gpus = gpu_count(n);
    size_t count = 0;
    bool whole = false;

    *out = PLUMB_NEW_ARRAY(k->b.a, n->gres_count, struct cut);
    for (size_t i = 0; i < n->gres_count; i++) {
        const struct plumb_gres_item *g = &n->gres[i];
        const char *profile = NULL;

        if (g->bad || strcmp(g->name, "gpu") != 0)
            continue;
        whole = whole || plumb_mig_of_type(g->type) == NULL;
        if (plumb_mig_of_type(g->type) == NULL)
            continue;
        if (gpus == 0 || g->count % gpus != 0) {
            skip(k, "gpu-stack/10-mig-layouts.yaml", n, g->at,
                 plumb_arena_printf(k->b.a,
                                    "%" PRIu64 " instances on %" PRIu64
                                    " GPUs leave open how each one is cut",
                                    g->count, gpus));
            return 0;
        }
        profile = profile_of(k, n, g);
        if (profile == NULL)
            return 0;
        (*out)[count++] = (struct cut){.profile = profile, .each = g->count / gpus, .at = g->at};
    }
    if (whole && count > 0) {
        skip(k, "gpu-stack/10-mig-layouts.yaml", n, (*out)[0].at,
             "whole GPUs beside instances leave open which GPUs are cut");
        return 0;
    }
    return count;
}

static bool fits(struct plumb_gpu_stack *k, const struct plumb_nodes *n, const struct cut *cuts,
                 size_t count)
{
    const struct plumb_mig_card *card = plumb_mig_card(gpu_model(n));
    struct plumb_mig_want *wants = PLUMB_NEW_ARRAY(k->b.a, count, struct plumb_mig_want);
    uint8_t part = 0;

    if (card == NULL)
        return true;
    for (size_t i = 0; i < count; i++)
        wants[i] =
            (struct plumb_mig_want){plumb_mig_profile(card, cuts[i].profile, &part), cuts[i].each};
    if (plumb_mig_fits(k->b.a, card, 1, wants, count))
        return true;
    skip(k, "gpu-stack/10-mig-layouts.yaml", n, cuts[0].at,
         "the instances have no room on one GPU");
    return false;
}

static struct plumb_node *entry(struct plumb_gpu_stack *k, struct plumb_span at, bool enabled)
{
    struct plumb_node *one = plumb_node_mapping(k->b.a, at);

    plumb_node_set_string(k->b.a, one, "devices", "all");
    plumb_node_set_bool(k->b.a, one, "mig-enabled", enabled);
    return one;
}

static void add_layout(struct plumb_gpu_stack *k, struct plumb_node *all, const char *name,
                       struct plumb_node *one)
{
    struct plumb_node *list = plumb_node_sequence(k->b.a, one->at);

    plumb_node_append(k->b.a, list, one);
    plumb_node_set(k->b.a, all, name, list);
}

static void add_class(struct plumb_gpu_stack *k, struct plumb_node *all,
                      const struct plumb_nodes *n)
{
    struct cut *cuts = NULL;
    size_t count = cuts_of(k, n, &cuts);
    struct plumb_node *one = NULL, *devices = NULL;

    if (count == 0 || !fits(k, n, cuts, count))
        return;
    if (plumb_node_get(all, n->class_name) != NULL) {
        skip(k, "gpu-stack/10-mig-layouts.yaml", n, n->gres_at, "a layout has that name already");
        return;
    }
    k->mig = true;
    k->mixed = k->mixed || count > 1;
    one = entry(k, n->gres_at, true);
    devices = plumb_bundle_map(&k->b, one, "mig-devices");
    for (size_t i = 0; i < count; i++)
        plumb_node_set(k->b.a, devices, cuts[i].profile,
                       plumb_node_u64(k->b.a, cuts[i].each, cuts[i].at));
    add_layout(k, all, n->class_name, one);
}

struct plumb_node *plumb_stack_layouts(struct plumb_gpu_stack *k)
{
    struct plumb_node *root =
        plumb_bundle_object(&k->b, "v1", "ConfigMap", PLUMB_STACK_MIG, "mig-manager");
    struct plumb_node *config = plumb_node_mapping(k->b.a, k->b.plan->at), *all = NULL;

    plumb_node_set_string(k->b.a, config, "version", "v1");
    all = plumb_bundle_map(&k->b, config, "mig-configs");
    add_layout(k, all, "all-disabled", entry(k, k->b.plan->at, false));
    for (size_t i = 0; i < k->b.m->node_count; i++)
        add_class(k, all, &k->b.m->nodes[i]);
    if (!k->mig)
        return NULL;
    plumb_node_set_string(k->b.a, plumb_bundle_map(&k->b, root, "data"), "config.yaml",
                          plumb_stack_yaml(k, config));
    return root;
}

/* ---- sharing ---- */

static struct plumb_node *plugin_config(struct plumb_gpu_stack *k)
{
    struct plumb_node *root = plumb_node_mapping(k->b.a, k->b.plan->at);

    plumb_node_set_string(k->b.a, root, "version", "v1");
    plumb_node_set_string(k->b.a, plumb_bundle_map(&k->b, root, "flags"), "migStrategy",
                          k->mixed ? "mixed"
                          : k->mig ? "single"
                                   : "none");
    return root;
}

/* Shares of each GPU; 0: there are none, or it was told why they cannot be. */
static uint64_t shares(struct plumb_gpu_stack *k, const struct plumb_nodes *n, const char *name)
{
    uint64_t total = plumb_gres_total(n, name), gpus = plumb_gres_total(n, "gpu");
    bool mps = strcmp(name, "mps") == 0;
    const char *why = NULL;

    if (total == 0 || plumb_gres_bad(n, name) || plumb_gres_bad(n, "gpu"))
        return 0;
    if (gpus == 0 || total % gpus != 0)
        why = "the shares do not divide evenly among the GPUs";
    else if (total / gpus < 2)
        why = "the device plugin takes no less than two replicas of a GPU";
    else if (mps && total / gpus > MPS_CLIENTS)
        why = plumb_arena_printf(k->b.a,
                                 "%" PRIu64 " shares of mps are percent, and the device plugin has "
                                 "at most %d clients of a GPU: MPS stays with Slurm",
                                 total / gpus, MPS_CLIENTS);
    else if (mps && k->mixed)
        why = "the device plugin has no MPS beside the MIG strategy mixed";
    if (why != NULL)
        skip(k, "gpu-stack/20-device-plugin.yaml", n, n->gres_at, why);
    return why == NULL ? total / gpus : 0;
}

/* The pod of slurmd asks for all GPUs of its node: more than one must be allowed. */
static void share_class(struct plumb_gpu_stack *k, struct plumb_node *data,
                        const struct plumb_nodes *n, const char *name, const char *strategy)
{
    uint64_t each = shares(k, n, name);
    struct plumb_node *config = NULL, *how = NULL, *list = NULL, *one = NULL;

    if (each == 0)
        return;
    if (plumb_node_get(data, n->class_name) != NULL) {
        skip(k, "gpu-stack/20-device-plugin.yaml", n, n->gres_at,
             "a configuration of that name is there already, and nodes have one");
        return;
    }
    k->shared = true;
    config = plugin_config(k);
    how = plumb_bundle_map(&k->b, plumb_bundle_map(&k->b, config, "sharing"), strategy);
    plumb_node_set_bool(k->b.a, how, "renameByDefault", false);
    plumb_node_set_bool(k->b.a, how, "failRequestsGreaterThanOne", false);
    list = plumb_node_sequence(k->b.a, n->gres_at);
    plumb_node_set(k->b.a, how, "resources", list);
    one = plumb_node_mapping(k->b.a, n->gres_at);
    plumb_node_set_string(k->b.a, one, "name", "nvidia.com/gpu");
    plumb_node_set(k->b.a, one, "replicas", plumb_node_u64(k->b.a, each, n->gres_at));
    plumb_node_append(k->b.a, list, one);
    plumb_node_set_string(k->b.a, data, n->class_name, plumb_stack_yaml(k, config));
}

struct plumb_node *plumb_stack_sharing(struct plumb_gpu_stack *k)
{
    struct plumb_node *root =
        plumb_bundle_object(&k->b, "v1", "ConfigMap", PLUMB_STACK_PLUGIN, "device-plugin");
    struct plumb_node *data = plumb_bundle_map(&k->b, root, "data");

    plumb_node_set_string(k->b.a, data, "default", plumb_stack_yaml(k, plugin_config(k)));
    for (size_t i = 0; i < k->b.m->node_count; i++) {
        share_class(k, data, &k->b.m->nodes[i], "shard", "timeSlicing");
        share_class(k, data, &k->b.m->nodes[i], "mps", "mps");
    }
    return k->shared ? root : NULL;
}
