/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the pods of a set of nodes can run at all: selector, taints, what the nodes can allocate,
 * the level of the namespace. Nodes are those of a dump; without one nothing is known.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/text.h"
#include "model/kube.h"
#include "passes/pass.h"
#include "rules/check.h"

/* ---- selector ---- */

static size_t selected(const struct plumb_kube_model *m, const struct plumb_kube_nodeset *set)
{
    size_t count = 0;

    for (size_t i = 0; i < m->node_count; i++)
        count += plumb_kube_selects(set, &m->nodes[i]);
    return count;
}

/* Nodes that have this label; other gets another value of its key, NULL when no node has one. */
static size_t with_label(const struct plumb_kube_model *m, const struct plumb_kube_label *label,
                         const char **other)
{
    size_t count = 0;

    for (size_t i = 0; i < m->node_count; i++) {
        for (size_t k = 0; k < m->nodes[i].label_count; k++) {
            const struct plumb_kube_label *l = &m->nodes[i].labels[k];

            if (strcmp(l->key.v, label->key.v) != 0)
                continue;
            if (strcmp(l->value.v, label->value.v) == 0)
                count++;
            else if (*other == NULL)
                *other = l->value.v;
        }
    }
    return count;
}

/* The label that no node has; else, that all together are had by none: the last. */
static void report_label(const struct plumb_check *ck, const struct plumb_kube_nodeset *set)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < set->selector_count; i++) {
        const struct plumb_kube_label *l = &set->selector[i];
        const char *other = NULL;

        if (with_label(m, l, &other) > 0)
            continue;
        plumb_report(ck, l->value.at,
                     "no node of the dump has the label %s=%s%s%s; the pods stay Pending", l->key.v,
                     l->value.v, other == NULL ? "" : ", expected a value such as ",
                     other == NULL ? "" : other);
        return;
    }
    plumb_report(ck, set->selector[set->selector_count - 1].value.at,
                 "no node of the dump has all %zu labels of the selector; the pods stay Pending",
                 set->selector_count);
}

/* KUBE046 */
static void selector_matches(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count && m->node_count > 0; i++) {
        if (m->nodesets[i].selector_count > 0 && selected(m, &m->nodesets[i]) == 0)
            report_label(ck, &m->nodesets[i]);
    }
}

/* ---- taints ---- */

static bool tolerates(const struct plumb_kube_toleration *t, const struct plumb_kube_taint *taint)
{
    if (t->effect[0] != '\0' && strcmp(t->effect, taint->effect) != 0)
        return false;
    if (t->key[0] == '\0')
        return t->exists;
    return strcmp(t->key, taint->key) == 0 && (t->exists || strcmp(t->value, taint->value) == 0);
}

/* What keeps pods away: a wish does not, and a taint that comes and goes with the state of a node
 * says nothing about the pods. The operator tolerates its own. */
static bool keeps_away(const struct plumb_kube_nodeset *set, const struct plumb_kube_taint *taint)
{
    if (strcmp(taint->effect, "NoSchedule") != 0 && strcmp(taint->effect, "NoExecute") != 0)
        return false;
    if (plumb_starts_with(taint->key, "node.kubernetes.io/"))
        return false;
    if ((set->thing->flavour == PLUMB_OF_SLINKY &&
         strcmp(taint->key, "nodeset.slinky.slurm.net/worker") == 0) ||
        (set->thing->flavour == PLUMB_OF_SUNK &&
         plumb_starts_with(taint->key, "sunk.coreweave.com/")))
        return false;
    for (size_t i = 0; i < set->toleration_count; i++) {
        if (tolerates(&set->tolerations[i], taint))
            return false;
    }
    return true;
}

static const struct plumb_kube_taint *barrier(const struct plumb_kube_nodeset *set,
                                              const struct plumb_kube_node *node)
{
    for (size_t i = 0; i < node->taint_count; i++) {
        if (keeps_away(set, &node->taints[i]))
            return &node->taints[i];
    }
    return NULL;
}

/* The toleration that was meant for a taint: of the same key; its value is what is wrong. */
static struct plumb_span meant(const struct plumb_kube_nodeset *set,
                               const struct plumb_kube_taint *taint)
{
    for (size_t i = 0; i < set->toleration_count; i++) {
        if (strcmp(set->tolerations[i].key, taint->key) == 0)
            return set->tolerations[i].value_at;
    }
    return set->tolerations_at;
}

static void check_taints(const struct plumb_check *ck, const struct plumb_kube_nodeset *set)
{
    const struct plumb_kube_model *m = ck->model->kube;
    const struct plumb_kube_taint *first = NULL;
    const struct plumb_kube_node *at = NULL;
    size_t matched = 0, shut = 0;
    struct plumb_diag *d = NULL;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_kube_taint *taint = NULL;

        if (!plumb_kube_selects(set, &m->nodes[i]))
            continue;
        matched++;
        taint = barrier(set, &m->nodes[i]);
        shut += taint != NULL;
        if (taint != NULL && first == NULL) {
            first = taint;
            at = &m->nodes[i];
        }
    }
    if (first == NULL || shut < matched || set->affinity)
        return;
    d = plumb_report(
        ck, meant(set, first),
        "nothing tolerates the taint %s=%s:%s; every node that NodeSet '%s' selects has such "
        "a taint, so that no pod is ever scheduled",
        first->key, first->value, first->effect, set->thing->name.v);
    plumb_diag_note(d, at->name.at, "a node with it");
}

/* KUBE047 */
static void taints_tolerated(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count && m->node_count > 0; i++) {
        if (m->nodesets[i].selector_count > 0)
            check_taints(ck, &m->nodesets[i]);
    }
}

/* ---- room ---- */

/* A resource of another name that is what was meant: slices under the strategy mixed. */
static const struct plumb_kube_amount *meant_instead(const struct plumb_kube_model *m,
                                                     const struct plumb_kube_nodeset *set,
                                                     const char *resource)
{
    for (size_t i = 0; strcmp(resource, "nvidia.com/gpu") == 0 && i < m->node_count; i++) {
        const struct plumb_kube_node *n = &m->nodes[i];

        for (size_t k = 0; plumb_kube_selects(set, n) && k < n->allocatable_count; k++) {
            if (plumb_starts_with(n->allocatable[k].resource, "nvidia.com/mig-") &&
                n->allocatable[k].milli > 0)
                return &n->allocatable[k];
        }
    }
    return NULL;
}

static void check_room(const struct plumb_check *ck, const struct plumb_kube_nodeset *set,
                       const struct plumb_kube_amount *ask)
{
    const struct plumb_kube_model *m = ck->model->kube;
    const struct plumb_kube_amount *best = NULL, *instead = NULL;
    const char *best_text = "0";
    size_t matched = 0;
    uint64_t most = 0;
    struct plumb_diag *d = NULL;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_kube_amount *has = NULL;

        if (!plumb_kube_selects(set, &m->nodes[i]))
            continue;
        matched++;
        has = plumb_kube_amount_of(m->nodes[i].allocatable, m->nodes[i].allocatable_count,
                                   ask->resource);
        if (has != NULL && has->milli >= most) {
            most = has->milli;
            best = has;
            best_text = has->text;
        }
    }
    if (matched == 0 || ask->milli <= most)
        return;
    instead = meant_instead(m, set, ask->resource);
    d = plumb_report(
        ck, ask->at,
        "%s of %s asked for, expected at most %s, which is what %s of the selector can "
        "allocate; the pods stay Pending",
        ask->text, ask->resource, best_text, matched == 1 ? "the only node" : "the largest node");
    if (best != NULL)
        plumb_diag_note(d, best->at, "the node with the most");
    if (instead != NULL)
        plumb_diag_fact(d, "these nodes offer %s: %s, slices under the MIG strategy mixed",
                        instead->resource, instead->text);
}

/* KUBE048 */
static void pod_fits(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count && m->node_count > 0; i++) {
        for (size_t k = 0; k < m->nodesets[i].ask_count; k++)
            check_room(ck, &m->nodesets[i], &m->nodesets[i].asks[k]);
    }
}

/* ---- names of a DaemonSet ---- */

static const char *slurm_name(const struct plumb_check *ck, const struct plumb_kube_node *n)
{
    return n->override != NULL
               ? n->override
               : plumb_arena_strndup(ck->scratch, n->name.v, strcspn(n->name.v, "."));
}

/* KUBE049: slurm-operator, utils.go:GetDaemonSetPodHostname */
static void daemonset_names(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];
        struct plumb_map seen = plumb_map_in(ck->scratch);

        for (size_t k = 0; set->daemonset && k < m->node_count; k++) {
            const struct plumb_kube_node *n = &m->nodes[k];
            const char *name = n->name.v == NULL ? NULL : slurm_name(ck, n);
            struct plumb_map_entry *e = NULL;
            struct plumb_diag *d = NULL;

            if (name == NULL || !plumb_kube_selects(set, n))
                continue;
            e = plumb_map_entry(&seen, name, strlen(name));
            if (e->value == NULL) {
                e->value = &m->nodes[k];
                continue;
            }
            d = plumb_report(ck, n->name.at,
                             "Slurm's name of node '%s' is '%s', the part before its first dot, as "
                             "that of another node of NodeSet '%s'; the second slurmd cannot "
                             "register",
                             n->name.v, name, set->thing->name.v);
            plumb_diag_note(d, ((const struct plumb_kube_node *)e->value)->name.at,
                            "the other node");
            plumb_diag_help(d, "annotate one with nodeset.slinky.slurm.net/hostname-override");
        }
    }
}

/* ---- pod security ---- */

/* KUBE050: worker_app.go:slurmdContainer is privileged and adds capabilities. */
static void level_allows(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->thing_count; i++) {
        const struct plumb_kube_thing *space = &m->things[i];
        const struct plumb_kube_nodeset *set = NULL;
        struct plumb_diag *d = NULL;

        if (space->pod_security.v == NULL || strcmp(space->pod_security.v, "privileged") == 0)
            continue;
        for (size_t k = 0; k < m->nodeset_count && set == NULL; k++) {
            if (strcmp(m->nodesets[k].thing->space, space->name.v) == 0)
                set = &m->nodesets[k];
        }
        if (set == NULL)
            continue;
        d = plumb_report(
            ck, space->pod_security.at,
            "namespace '%s' enforces the level '%s', expected 'privileged': the slurmd "
            "pods of NodeSet '%s' add capabilities such as SYS_ADMIN; every pod is "
            "refused",
            space->name.v, space->pod_security.v, set->thing->name.v);
        plumb_diag_note(d, set->thing->name.at, "this NodeSet");
    }
}

#define SET                                                                                        \
    "apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: gpu, namespace: s}\n"   \
    "spec:\n  controllerRef: {name: slurm}\n"
#define NODES                                                                                      \
    "# nodes.json\n{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n"                    \
    " {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n1.a\",\n"           \
    "   \"labels\": {\"pool\": \"gpu\"}},\n"                                                       \
    "  \"spec\": {\"taints\": [{\"key\": \"gpu\", \"value\": \"yes\", \"effect\": "                \
    "\"NoSchedule\"}]},\n"                                                                         \
    "  \"status\": {\"capacity\": {\"nvidia.com/gpu\": \"8\"}, \"allocatable\": "                  \
    "{\"nvidia.com/gpu\": \"8\"}}}]}\n# set.yaml\n"
#define TOLERATED                                                                                  \
    "  template: {spec: {nodeSelector: {pool: gpu}, tolerations: [{operator: Exists}]}}\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE046",
        .name = "selector-no-node",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a selector matches no node",
        .why =
            "The pods stay Pending for ever. Labels of products change with the driver, with time "
            "slicing (-SHARED) and with MIG; a label of one's own does not.",
        .ref = "Kubernetes, Assigning Pods to Nodes",
        .bad = NODES SET "  template: {spec: {nodeSelector: {pool: gpus}, tolerations: [{operator: "
                         "Exists}]}}",
        .good = NODES SET TOLERATED,
        .run = selector_matches,
    },
    {
        .code = "KUBE047",
        .name = "taint-not-tolerated",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "pods do not tolerate a taint that all of their nodes have",
        .why = "With operator Equal key, value and effect must be the same. The operators add "
               "tolerations of their own taints alone.",
        .ref = "Kubernetes, Taints and Tolerations; slurm-operator, worker_app.go",
        .bad = NODES SET "  template: {spec: {nodeSelector: {pool: gpu}, tolerations: [{key: gpu, "
                         "value: other}]}}",
        .good = NODES SET TOLERATED,
        .run = taints_tolerated,
    },
    {
        .code = "KUBE048",
        .name = "pod-too-large",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a pod asks for more than any of its nodes can allocate",
        .why =
            "The pods stay Pending for ever. A limit without a request is the request, too; what "
            "kubelet and system reserve is not allocatable.",
        .ref = "Kubernetes, Resource Management for Pods and Containers",
        .bad = NODES SET "  slurmd: {resources: {limits: {nvidia.com/gpu: 16}}}\n" TOLERATED,
        .good = NODES SET "  slurmd: {resources: {limits: {nvidia.com/gpu: 8}}}\n" TOLERATED,
        .run = pod_fits,
    },
    {
        .code = "KUBE049",
        .name = "daemonset-name-twice",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "two nodes of Kubernetes become one of Slurm",
        .why =
            "In the mode DaemonSet the name of a node ends at its first dot. The two slurmd push "
            "each other out.",
        .ref = "slurm-operator, utils.go:GetDaemonSetPodHostname",
        .bad =
            "# nodes.json\n{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n"
            " {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n1.a\"}},\n"
            " {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": "
            "\"n1.b\"}}]}\n# set.yaml\n" SET "  scalingMode: DaemonSet",
        .good =
            "# nodes.json\n{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n"
            " {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": "
            "\"n1.a\"}},\n {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": "
            "\"n2.a\"}}]}\n# set.yaml\n" SET "  scalingMode: DaemonSet",
        .run = daemonset_names,
    },
    {
        .code = "KUBE050",
        .name = "pod-security",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "the level of a namespace refuses the pods of slurmd",
        .why = "The NodeSet is accepted, its pods are refused one by one: it stays at 0 nodes.",
        .ref = "Kubernetes, Pod Security Standards; slurm-operator, worker_app.go:slurmdContainer",
        .bad = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: s\n  labels: "
               "{pod-security.kubernetes.io/enforce: baseline}\n---\n" SET,
        .good = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: s\n  labels: "
                "{pod-security.kubernetes.io/enforce: privileged}\n---\n" SET,
        .run = level_allows,
    },
};

const struct plumb_rule_family plumb_kube_place_rules = {
    .prefix = "KUBE",
    .title = "Pods and their nodes",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
