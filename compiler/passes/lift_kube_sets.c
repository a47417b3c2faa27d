/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters, sets of nodes, and the nodes of a dump. */
#include <string.h>

#include "base/text.h"
#include "capture/capture.h"
#include "kube/value.h"
#include "model/kube_plan.h"
#include "passes/lift_kube.h"

static const struct plumb_node *at(const struct plumb_kube_object *o, const char *path)
{
    return plumb_node_path(o->root, path);
}

/* ---- what pods ask for and where they may run ---- */

static size_t lift_amounts(struct plumb_kube_lifter *l, const struct plumb_node *map,
                           struct plumb_kube_amount **out)
{
    size_t count = 0;

    if (map == NULL || map->kind != PLUMB_MAPPING)
        return 0;
    *out = PLUMB_NEW_ARRAY(l->a, map->count, struct plumb_kube_amount);
    for (uint32_t i = 0; i < map->count; i++) {
        const struct plumb_node *n = map->pairs[i].value;
        uint64_t milli = 0;
        size_t bad = 0;

        if (n->kind != PLUMB_SCALAR ||
            !plumb_kube_quantity(n->scalar.text, n->scalar.len, &milli, &bad))
            continue;
        (*out)[count++] = (struct plumb_kube_amount){
            .resource = plumb_intern_str(l->session->intern, map->pairs[i].key->scalar.text),
            .milli = milli,
            .text = n->scalar.text,
            .at = n->at,
        };
    }
    return count;
}

static size_t lift_labels(struct plumb_kube_lifter *l, const struct plumb_node *map,
                          struct plumb_kube_label **out)
{
    size_t count = 0;

    if (map == NULL || map->kind != PLUMB_MAPPING)
        return 0;
    *out = PLUMB_NEW_ARRAY(l->a, map->count, struct plumb_kube_label);
    for (uint32_t i = 0; i < map->count; i++) {
        if (map->pairs[i].value->kind == PLUMB_SCALAR)
            (*out)[count++] = (struct plumb_kube_label){
                plumb_kube_text(l, map->pairs[i].key),
                {.v = plumb_intern_str(l->session->intern, map->pairs[i].value->scalar.text),
                 .at = map->pairs[i].value->at,
                 .origin = PLUMB_GIVEN}};
    }
    return count;
}

static const char *word(struct plumb_kube_lifter *l, const struct plumb_node *n, const char *key)
{
    struct plumb_text text = plumb_kube_text(l, plumb_node_get(n, key));

    return text.v == NULL ? "" : text.v;
}

static void lift_tolerations(struct plumb_kube_lifter *l, struct plumb_kube_nodeset *set,
                             const struct plumb_node *list)
{
    if (list == NULL || list->kind != PLUMB_SEQUENCE)
        return;
    set->tolerations = PLUMB_NEW_ARRAY(l->a, list->count, struct plumb_kube_toleration);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct plumb_node *n = list->items[i], *value = NULL;

        set->tolerations[set->toleration_count++] = (struct plumb_kube_toleration){
            .key = word(l, n, "key"),
            .value = word(l, n, "value"),
            .effect = word(l, n, "effect"),
            .exists = strcmp(word(l, n, "operator"), "Exists") == 0,
            .at = n->kind == PLUMB_MAPPING && n->count > 0 ? n->pairs[0].value->at : n->at,
        };
        value = plumb_node_get(n, "value");
        set->tolerations[i].value_at = value != NULL ? value->at : set->tolerations[i].at;
    }
}

static void lift_pod(struct plumb_kube_lifter *l, struct plumb_kube_nodeset *set,
                     const struct plumb_node *pod)
{
    set->selector_count = lift_labels(l, plumb_node_get(pod, "nodeSelector"), &set->selector);
    set->affinity = plumb_node_path(pod, "affinity/nodeAffinity") != NULL ||
                    plumb_node_get(pod, "nodeName") != NULL;
    lift_tolerations(l, set, plumb_node_get(pod, "tolerations"));
}

/* ---- sets ---- */

/* The host name of the pods without its last dash names the set in Slurm. */
static const char *slurm_name(struct plumb_kube_lifter *l, const struct plumb_kube_object *o)
{
    const char *host = plumb_node_text(at(o, "spec/template/spec/hostname"));
    size_t len = host == NULL ? 0 : strlen(host);

    if (len == 0)
        return plumb_intern_str(l->session->intern, o->name);
    return plumb_intern_text(l->session->intern, host, host[len - 1] == '-' ? len - 1 : len);
}

static void lift_slinky(struct plumb_kube_lifter *l, const struct plumb_kube_object *o,
                        struct plumb_kube_nodeset *set)
{
    const char *mode = plumb_node_text(at(o, "spec/scalingMode"));
    const struct plumb_node *limits = at(o, "spec/slurmd/resources/limits");
    const struct plumb_node *enabled = at(o, "spec/partition/enabled");

    set->cluster = plumb_kube_text(l, at(o, "spec/controllerRef/name"));
    set->daemonset = mode != NULL && strcmp(mode, "DaemonSet") == 0;
    set->slurm_name = slurm_name(l, o);
    if (plumb_kube_true(enabled))
        set->partition =
            (struct plumb_text){.v = set->slurm_name,
                                .at = plumb_node_pair(at(o, "spec"), "partition")->key->at,
                                .origin = PLUMB_DERIVED};
    set->image = plumb_kube_text(l, at(o, "spec/slurmd/image"));
    set->conf = plumb_kube_split(l, at(o, "spec/extraConf"), false);
    set->ask_count = lift_amounts(
        l, limits != NULL ? limits : at(o, "spec/slurmd/resources/requests"), &set->asks);
    lift_pod(l, set, at(o, "spec/template/spec"));
}

static void lift_soperator(struct plumb_kube_lifter *l, const struct plumb_kube_object *o,
                           struct plumb_kube_nodeset *set)
{
    set->slurm_name = plumb_intern_str(l->session->intern, o->name);
    set->conf = plumb_kube_split(l, at(o, "spec/nodeConfig/static"), false);
    set->conf.blank = (struct plumb_span){0}; /* doubled blanks are harmless there */
    set->ask_count = lift_amounts(l, at(o, "spec/slurmd/resources"), &set->asks);
    lift_pod(l, set, at(o, "spec"));
    set->affinity = at(o, "spec/affinity/nodeAffinity") != NULL;
}

static void lift_sunk(struct plumb_kube_lifter *l, const struct plumb_kube_object *o,
                      struct plumb_kube_nodeset *set)
{
    set->cluster = plumb_kube_text(l, at(o, "spec/clusterRef/name"));
    set->slurm_name = plumb_intern_str(l->session->intern, o->name);
    set->partition = plumb_kube_text(l, at(o, "spec/partition"));
    set->image = plumb_kube_text(l, at(o, "spec/image"));
    set->ask_count = lift_amounts(l, at(o, "spec/resources"), &set->asks);
    set->selector_count = lift_labels(l, at(o, "spec/nodeSelector/matchLabels"), &set->selector);
    lift_tolerations(l, set, at(o, "spec/tolerations"));
    set->tells = plumb_kube_lift_tells(l, o);
}

static void lift_set(struct plumb_kube_lifter *l, size_t i)
{
    const struct plumb_kube_object *o = &l->run->kube->items[i];
    struct plumb_kube_nodeset *set = &l->to->nodesets[l->to->nodeset_count++];

    *set = (struct plumb_kube_nodeset){.thing = &l->to->things[i]};
    if (set->thing->flavour == PLUMB_OF_SLINKY)
        lift_slinky(l, o, set);
    else if (set->thing->flavour == PLUMB_OF_SOPERATOR)
        lift_soperator(l, o, set);
    else
        lift_sunk(l, o, set);
    set->tolerations_at = set->toleration_count > 0 ? set->tolerations[0].at : set->thing->name.at;
}

/* ---- clusters ---- */

static void lift_owned(const struct plumb_kube_lifter *l, struct plumb_kube_cluster *c)
{
    const struct plumb_kube_writes *writes = plumb_kube_writes_of(
        c->thing->flavour == PLUMB_OF_SLINKY      ? l->run->kube_releases->of[PLUMB_KUBE_SLINKY]
        : c->thing->flavour == PLUMB_OF_SOPERATOR ? l->run->kube_releases->of[PLUMB_KUBE_SOPERATOR]
                                                  : l->run->kube_releases->of[PLUMB_KUBE_SUNK]);

    if (writes == NULL)
        return;
    c->owned = writes->owned;
    c->owned_count = writes->owned_count;
    c->slots = writes->slots;
    c->slot_count = writes->slot_count;
}

/* Go has these fields as int16, and the CRD, whose numbers have no such format, says integer. */
static void add_unheld(struct plumb_kube_lifter *l, const struct plumb_kube_object *o,
                       struct plumb_kube_cluster *c, const struct plumb_kube_slot *slot)
{
    const struct plumb_node *n = NULL;

    if (strcmp(slot->takes, "int16") != 0)
        return;
    n = at(o, plumb_kube_slot_path(l->a, slot));
    if (n != NULL && n->kind == PLUMB_SCALAR && plumb_kube_json_of(n) == PLUMB_KUBE_IS_INTEGER &&
        (plumb_kube_integer(n) < INT16_MIN || plumb_kube_integer(n) > INT16_MAX))
        c->unheld[c->unheld_count++] =
            (struct plumb_kube_number){.slot = slot, .text = n->scalar.text, .at = n->at};
}

static void lift_unheld(struct plumb_kube_lifter *l, const struct plumb_kube_object *o,
                        struct plumb_kube_cluster *c)
{
    const struct plumb_kube_writes *w =
        plumb_kube_writes_of(l->run->kube_releases->of[PLUMB_KUBE_SOPERATOR]);

    if (w == NULL)
        return;
    c->unheld = PLUMB_NEW_ARRAY(l->a, w->slot_count + w->slot_dbd_count, struct plumb_kube_number);
    for (size_t i = 0; i < w->slot_count; i++)
        add_unheld(l, o, c, &w->slots[i]);
    for (size_t i = 0; i < w->slot_dbd_count; i++)
        add_unheld(l, o, c, &w->slots_dbd[i]);
}

static void lift_cluster(struct plumb_kube_lifter *l, size_t i)
{
    const struct plumb_kube_object *o = &l->run->kube->items[i];
    struct plumb_kube_cluster *c = &l->to->clusters[l->to->cluster_count++];

    *c = (struct plumb_kube_cluster){.thing = &l->to->things[i]};
    c->name = plumb_kube_text(l, at(o, "spec/clusterName"));
    lift_owned(l, c);
    if (c->thing->flavour == PLUMB_OF_SLINKY) {
        c->image = plumb_kube_text(l, at(o, "spec/slurmctld/image"));
        c->conf = plumb_kube_split(l, at(o, "spec/extraConf"), true);
        c->claim = plumb_kube_text(l, at(o, "spec/persistence/existingClaim"));
        if (plumb_kube_true(at(o, "spec/ha/enabled")))
            c->replicas = (struct plumb_u64){
                .v = 2, .at = at(o, "spec/ha/enabled")->at, .origin = PLUMB_DERIVED};
    } else if (c->thing->flavour == PLUMB_OF_SOPERATOR) {
        c->conf = plumb_kube_split(l, at(o, "spec/customSlurmConfig"), true);
        lift_unheld(l, o, c);
    } else {
        c->image = plumb_kube_text(l, at(o, "spec/controller/image"));
        c->replicas = plumb_kube_number(at(o, "spec/controller/replicas"));
        c->storage_class =
            plumb_kube_text(l, at(o, "spec/controller/stateSaveLocation/pvc/storageClassName"));
        if (at(o, "spec/controller") != NULL && at(o, "spec/controller/stateSaveLocation") == NULL)
            c->stateless = plumb_node_pair(at(o, "spec"), "controller")->key->at;
        plumb_kube_lift_fragments(l, c);
    }
}

static bool is(const struct plumb_kube_thing *t, const char *kind)
{
    return t->flavour != PLUMB_OF_K8S && strcmp(t->kind, kind) == 0;
}

void plumb_kube_lift_sets(struct plumb_kube_lifter *l)
{
    const struct plumb_kube_objects *all = l->run->kube;

    l->to->nodesets = PLUMB_NEW_ARRAY(l->a, all->count, struct plumb_kube_nodeset);
    l->to->clusters = PLUMB_NEW_ARRAY(l->a, all->count, struct plumb_kube_cluster);
    l->to->reservations = PLUMB_NEW_ARRAY(l->a, all->count, struct plumb_kube_reservation);
    l->to->accounts = PLUMB_NEW_ARRAY(l->a, all->count, struct plumb_text);
    l->to->accounting = PLUMB_NEW_ARRAY(l->a, all->count, struct plumb_kube_words);
    for (size_t i = 0; i < all->count; i++) {
        const struct plumb_kube_thing *t = &l->to->things[i];

        if (all->items[i].row == NULL || t->patch)
            continue; /* nothing becomes of it */
        if (is(t, "NodeSet"))
            lift_set(l, i);
        else if (is(t, "Controller") || is(t, "SlurmCluster"))
            lift_cluster(l, i);
        else if (is(t, "ReservationBinding"))
            plumb_kube_lift_binding(l, &all->items[i], t);
        else if (is(t, "SlurmClusterAccount"))
            plumb_kube_lift_account(l, &all->items[i]);
        else if (is(t, "Accounting"))
            l->to->accounting[l->to->accounting_count++] =
                plumb_kube_split(l, at(&all->items[i], "spec/extraConf"), true);
    }
}

/* ---- nodes ---- */

static void lift_taints(struct plumb_kube_lifter *l, struct plumb_kube_node *node,
                        const struct plumb_node *list)
{
    if (list == NULL || list->kind != PLUMB_SEQUENCE)
        return;
    node->taints = PLUMB_NEW_ARRAY(l->a, list->count, struct plumb_kube_taint);
    for (uint32_t i = 0; i < list->count; i++)
        node->taints[node->taint_count++] = (struct plumb_kube_taint){
            word(l, list->items[i], "key"), word(l, list->items[i], "value"),
            word(l, list->items[i], "effect")};
}

static void lift_node(struct plumb_kube_lifter *l, const struct plumb_node *n,
                      struct plumb_kube_node *node)
{
    const struct plumb_node *notes = plumb_node_path(n, "metadata/annotations");
    const struct plumb_node *override =
        plumb_node_get(notes, "nodeset.slinky.slurm.net/hostname-override");

    *node =
        (struct plumb_kube_node){.name = plumb_kube_text(l, plumb_node_path(n, "metadata/name"))};
    node->override = plumb_kube_text(l, override).v;
    node->label_count = lift_labels(l, plumb_node_path(n, "metadata/labels"), &node->labels);
    lift_taints(l, node, plumb_node_path(n, "spec/taints"));
    node->allocatable_count =
        lift_amounts(l, plumb_node_path(n, "status/allocatable"), &node->allocatable);
}

void plumb_kube_lift_nodes(struct plumb_kube_lifter *l)
{
    const struct plumb_captures *c = l->run->captures;
    size_t count = 0;

    for (size_t g = 0; c != NULL && g < c->count; g++)
        count += c->groups[g]->kube_node_count;
    l->to->nodes = PLUMB_NEW_ARRAY(l->a, count, struct plumb_kube_node);
    for (size_t g = 0; c != NULL && g < c->count; g++) {
        for (size_t i = 0; i < c->groups[g]->kube_node_count; i++)
            lift_node(l, c->groups[g]->kube_nodes[i], &l->to->nodes[l->to->node_count++]);
    }
}
