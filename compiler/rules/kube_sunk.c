/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dialect of the guides for SUNK: a NodeSet and a ReservationBinding are numbers and names that
 * end in Slurm, and nothing but the operator stands between. Facts: the guides (node line of a
 * NodeSet, ReservationBinding, StateSaveLocation), slurmctld/reservation.c.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "model/kube.h"
#include "rules/ask.h"

/* ---- which line of slurm.conf has the nodes of a set ---- */

/* Some name of the line is BASE-1 or the like. */
static bool is_named_after(const struct plumb_check *ck, const struct plumb_nodes *n,
                           const char *base)
{
    const char *prefix = plumb_arena_printf(ck->scratch, "%s-", base);

    for (size_t i = 0; n->hosts != NULL && i < n->hosts->range_count; i++) {
        if (n->hosts->ranges[i].numbered && strcmp(n->hosts->ranges[i].prefix, prefix) == 0)
            return true;
    }
    return false;
}

/* The set whose GPUs are of this type, where there is one alone; NULL. */
static const struct plumb_kube_nodeset *only_set_with(const struct plumb_kube_model *m,
                                                      const char *type)
{
    const struct plumb_kube_nodeset *found = NULL;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_tells *t = m->nodesets[i].tells;

        for (size_t k = 0; t != NULL && k < t->gres_count; k++) {
            if (t->gres[k].model.v == NULL || !plumb_same_nocase(t->gres[k].model.v, type))
                continue;
            if (found != NULL)
                return NULL;
            found = &m->nodesets[i];
        }
    }
    return found;
}

/* Where no line is named as the nodes of the set: the lines with its GPUs, which no other has. */
static bool is_like(const struct plumb_kube_model *m, const struct plumb_nodes *n,
                    const struct plumb_kube_nodeset *set)
{
    for (size_t i = 0; i < n->gres_count; i++) {
        if (n->gres[i].type != NULL && only_set_with(m, n->gres[i].type) == set)
            return true;
    }
    return false;
}

/* The next line of the nodes of a set behind the i-th; NULL. */
static const struct plumb_nodes *next_line(const struct plumb_check *ck,
                                           const struct plumb_kube_nodeset *set, size_t *i)
{
    const struct plumb_model *m = ck->model;
    bool named = false;

    for (size_t k = 0; k < m->node_count && !named; k++)
        named = is_named_after(ck, &m->nodes[k], set->tells->base);
    while (*i < m->node_count) {
        const struct plumb_nodes *n = &m->nodes[(*i)++];

        if (named ? is_named_after(ck, n, set->tells->base) : is_like(m->kube, n, set))
            return n;
    }
    return NULL;
}

/* ---- what the two say ---- */

static const char *nodes_of(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    return n->hosts == NULL ? "?" : plumb_hostlist_str(ck->arena, n->hosts);
}

static void report(const struct plumb_check *ck, const struct plumb_nodes *n, struct plumb_span at,
                   const char *says, const char *has)
{
    struct plumb_diag *d = plumb_report(ck, at, "%s, the line of %s has %s, expected the same",
                                        says, nodes_of(ck, n), has);

    plumb_diag_note(d, n->at, "this line");
}

static void compare_number(const struct plumb_check *ck, const struct plumb_nodes *n,
                           struct plumb_u64 set, struct plumb_u64 line, const char *key,
                           const char *param)
{
    if (!plumb_usable(set) || !plumb_usable(line) || set.v == line.v)
        return;
    report(ck, n, set.at,
           plumb_arena_printf(ck->arena, "%s becomes %s=%" PRIu64, key, param, set.v),
           plumb_arena_printf(ck->arena, "%" PRIu64, line.v));
}

static void compare_weight(const struct plumb_check *ck, const struct plumb_nodes *n,
                           struct plumb_u64 set)
{
    const struct plumb_setting *s = plumb_setting(&n->settings, PLUMB_P_NODE_WEIGHT);
    struct plumb_u64 line =
        plumb_setting_u64(&n->settings, PLUMB_P_NODE_WEIGHT, ck->model->release);

    if (s == NULL && plumb_usable(set) && set.v != 1)
        report(ck, n, set.at,
               plumb_arena_printf(ck->arena, "weight becomes Weight=%" PRIu64, set.v),
               "none, so that it is 1");
    else if (s != NULL)
        compare_number(ck, n, set, line, "weight", "Weight");
}

/* What the line has of a GRES, of its type where the set says one. */
static uint64_t count_in_line(const struct plumb_nodes *n, const struct plumb_kube_gres *g)
{
    uint64_t count = 0;

    for (size_t i = 0; i < n->gres_count; i++) {
        if (plumb_same_nocase(n->gres[i].name, g->type.v) &&
            (g->model.v == NULL ||
             (n->gres[i].type != NULL && plumb_same_nocase(n->gres[i].type, g->model.v))))
            count += n->gres[i].count;
    }
    return count;
}

static bool in_set(const struct plumb_kube_tells *t, const struct plumb_gres_item *item)
{
    for (size_t i = 0; i < t->gres_count; i++) {
        if (t->gres[i].type.v != NULL && plumb_same_nocase(t->gres[i].type.v, item->name))
            return true;
    }
    return false;
}

static void compare_gres(const struct plumb_check *ck, const struct plumb_nodes *n,
                         const struct plumb_kube_tells *t)
{
    for (size_t i = 0; i < t->gres_count; i++) {
        const struct plumb_kube_gres *g = &t->gres[i];
        uint64_t has = g->type.v == NULL ? 0 : count_in_line(n, g);

        if (g->type.v == NULL || !plumb_usable(g->count) || has == g->count.v ||
            plumb_gres_bad(n, g->type.v))
            continue;
        report(ck, n, g->count.at,
               plumb_arena_printf(ck->arena, "this becomes Gres=%s%s%s:%" PRIu64, g->type.v,
                                  g->model.v == NULL ? "" : ":",
                                  g->model.v == NULL ? "" : g->model.v, g->count.v),
               plumb_arena_printf(ck->arena, "%" PRIu64 " of it", has));
    }
    for (size_t i = 0; t->gres_count > 0 && i < n->gres_count; i++) {
        if (!n->gres[i].bad && !in_set(t, &n->gres[i]))
            report(ck, n, t->gres[0].at,
                   plumb_arena_printf(ck->arena, "the list has no '%s'", n->gres[i].name),
                   plumb_arena_printf(ck->arena, "%" PRIu64, n->gres[i].count));
    }
}

static void compare_features(const struct plumb_check *ck, const struct plumb_nodes *n,
                             const struct plumb_kube_tells *t)
{
    bool none = plumb_node_features(n) == NULL;

    for (size_t i = 0; i < t->feature_count; i++) {
        struct plumb_slice word = {0};

        if (t->features[i].v == NULL)
            continue;
        word = (struct plumb_slice){.text = t->features[i].v,
                                    .len = (uint32_t)strlen(t->features[i].v),
                                    .lead = PLUMB_SLICE_MADE};
        if (!plumb_node_has_feature(n, &word))
            report(ck, n, t->features[i].at,
                   plumb_arena_printf(ck->arena, "'%s' is a feature here", t->features[i].v),
                   none ? "no Feature" : "no such one");
        if (none)
            return;
    }
}

/* KUBE080 */
static void node_line(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_tells *t = m->nodesets[i].tells;
        const struct plumb_nodes *n = NULL;
        size_t at = 0;

        if (t == NULL || (n = next_line(ck, &m->nodesets[i], &at)) == NULL)
            continue;
        compare_number(ck, n, t->cpus, n->cpus, "cpu", "CPUs");
        compare_number(ck, n, t->memory_mib, n->real_memory_mib, "memory", "RealMemory");
        compare_gres(ck, n, t);
        compare_features(ck, n, t);
        compare_weight(ck, n, t->weight);
    }
}

/* ---- bindings ---- */

/* The set of the cluster of the binding that has this node; NULL. */
static const struct plumb_kube_nodeset *set_of(const struct plumb_kube_model *m,
                                               const struct plumb_kube_reservation *r,
                                               const struct plumb_kube_node *node)
{
    for (size_t i = 0; i < m->nodeset_count; i++) {
        const struct plumb_kube_nodeset *set = &m->nodesets[i];

        if (set->tells != NULL &&
            (r->cluster.v == NULL || set->cluster.v == NULL ||
             strcmp(r->cluster.v, set->cluster.v) == 0) &&
            plumb_kube_selects(set, node))
            return set;
    }
    return NULL;
}

static bool has_set(const struct plumb_kube_model *m)
{
    for (size_t i = 0; i < m->nodeset_count; i++) {
        if (m->nodesets[i].tells != NULL)
            return true;
    }
    return false;
}

static void check_nodes(const struct plumb_check *ck, const struct plumb_kube_reservation *r)
{
    const struct plumb_kube_model *m = ck->model->kube;
    const struct plumb_kube_node *stranger = NULL;
    size_t bound = 0, strangers = 0;
    struct plumb_diag *d = NULL;

    for (size_t i = 0; i < m->node_count; i++) {
        if (!plumb_kube_binds(r, &m->nodes[i]))
            continue;
        bound++;
        if (!has_set(m) || set_of(m, r, &m->nodes[i]) != NULL)
            continue;
        strangers++;
        stranger = stranger == NULL ? &m->nodes[i] : stranger;
    }
    if (bound == 0) {
        plumb_report(ck, r->terms[0].at,
                     "no node of the dump matches the terms, expected those of a NodeSet of the "
                     "cluster; nothing is tainted, and the reservation has no nodes");
    } else if (stranger != NULL) {
        d = plumb_report(ck, r->terms[0].at,
                         "%zu of the %zu nodes that match the terms are of no NodeSet of the "
                         "cluster, expected none; they are tainted, and Slurm has no such nodes",
                         strangers, bound);
        plumb_diag_severity(d, PLUMB_WARNING);
        plumb_diag_note(d, stranger->name.at, "one of them");
    }
}

/* KUBE081 */
static void binding_nodes(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->reservation_count && m->node_count > 0; i++) {
        if (m->reservations[i].term_count > 0)
            check_nodes(ck, &m->reservations[i]);
    }
}

static bool is_empty(const struct plumb_text *t)
{
    return t->v == NULL || t->v[0] == '\0';
}

/* KUBE082: _create_resv, ESLURM_RESERVATION_EMPTY */
static void binding_for_nobody(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->reservation_count; i++) {
        const struct plumb_kube_reservation *r = &m->reservations[i];

        if (r->name.v == NULL || !is_empty(&r->accounts) || !is_empty(&r->users))
            continue;
        plumb_report(ck,
                     r->accounts.v != NULL ? r->accounts.at
                     : r->users.v != NULL  ? r->users.at
                                           : r->name.at,
                     "reservation '%s' is for no account and no user, expected one of them; "
                     "slurmctld refuses it, the taint is set all the same",
                     r->name.v);
    }
}

/* KUBE083 */
static void binding_for_ever(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->reservation_count; i++) {
        const struct plumb_text *duration = &m->reservations[i].duration;

        if (duration->v != NULL && (plumb_same_nocase(duration->v, "infinite") ||
                                    plumb_same_nocase(duration->v, "unlimited")))
            plumb_report(ck, duration->at,
                         "the reservation never ends, expected a time: its nodes are kept from "
                         "everyone else, busy or not; a partition divides for good");
    }
}

/* ---- clusters ---- */

/* KUBE084 */
static void state_kept(const struct plumb_check *ck)
{
    const struct plumb_kube_model *m = ck->model->kube;

    for (size_t i = 0; i < m->cluster_count; i++) {
        const struct plumb_kube_cluster *c = &m->clusters[i];
        bool two = plumb_usable(c->replicas) && c->replicas.v > 1;
        struct plumb_diag *d = NULL;

        if (!plumb_span_known(c->stateless))
            continue;
        d = plumb_report(ck, c->stateless,
                         "the controller has no 'stateSaveLocation', expected a volume%s; every "
                         "job is lost with the pod",
                         two ? " that its replicas share" : "");
        if (!two)
            continue;
        plumb_diag_severity(d, PLUMB_ERROR);
        plumb_diag_note(d, c->replicas.at, "so many slurmctld");
    }
}

#define CLUSTER(controller)                                                                        \
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: SlurmCluster\nmetadata: {name: c}\n"          \
    "spec:\n  clusterName: c\n  controller:\n    replicas: 1\n" controller
#define STATE "    stateSaveLocation: {pvc: {storageClassName: rwx, size: 50Gi}}\n"
#define SET(resources)                                                                             \
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: NodeSet\nmetadata: {name: gpu-nodes}\n"       \
    "spec:\n  clusterRef: {name: c}\n  nodeSelector: {matchLabels: {pool: gpu}}\n" resources
#define CPUS(cpu) "  resources: {cpu: " cpu ", memory: 1000Gi}\n"
#define LINES                                                                                      \
    "# slurm.conf\nClusterName=c\nSlurmctldHost=h\nNodeName=gpu-[01-08] CPUs=128 "                 \
    "RealMemory=1024000\nPartitionName=p Nodes=ALL\n# set.yaml\n"
#define NODES                                                                                      \
    "# nodes.json\n{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n"                    \
    " {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n1\",\n"             \
    "   \"labels\": {\"pool\": \"gpu\"}}}]}\n# set.yaml\n"
#define BINDING(term, accounts, duration)                                                          \
    "apiVersion: slurm.coreweave.com/v1alpha1\nkind: ReservationBinding\nmetadata: {name: r}\n"    \
    "spec:\n  clusterRef: {name: c}\n  nodeSelectorTerms:\n"                                       \
    "    - matchExpressions: [{key: pool, operator: In, values: [" term "]}]\n"                    \
    "  reservation: {name: r, accounts: \"" accounts "\", duration: \"" duration "\"}\n"

static const struct plumb_rule rows[] = {
    {
        .code = "KUBE080",
        .name = "nodeset-line",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a NodeSet of SUNK says otherwise than the line of its nodes in slurm.conf",
        .why = "The operator makes the line of the NodeSet: cpu, memory, gres, features, weight. "
               "Where both are kept by hand one of them is wrong: slurmctld drains nodes with less "
               "than their line says, and hands out no more than it says.",
        .ref = "slurm.conf(5), NodeName; node_mgr.c:validate_node_specs",
        .bad = LINES SET(CPUS("192")),
        .good = LINES SET(CPUS("128")),
        .run = node_line,
    },
    {
        .code = "KUBE081",
        .name = "binding-nodes",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a ReservationBinding taints no node, or nodes that Slurm does not have",
        .why = "The taint follows the labels, the reservation the nodes of Slurm. Both are meant "
               "to be the same machines.",
        .ref = "Kubernetes, Assigning Pods to Nodes, nodeSelectorTerms",
        .bad = NODES SET("") "---\n" BINDING("train", "a", "2-00:00:00"),
        .good = NODES SET("") "---\n" BINDING("gpu", "a", "2-00:00:00"),
        .run = binding_nodes,
    },
    {
        .code = "KUBE082",
        .name = "binding-for-nobody",
        .severity = PLUMB_ERROR,
        .needs = PLUMB_FACT_KUBE,
        .summary = "the reservation of a ReservationBinding is for no account and no user",
        .why = "slurmctld refuses it. The nodes are tainted all the same: closed to Kubernetes, "
               "and not reserved in Slurm.",
        .ref = "reservation.c:create_resv, ESLURM_RESERVATION_EMPTY",
        .bad = BINDING("gpu", "", "2-00:00:00"),
        .good = BINDING("gpu", "a", "2-00:00:00"),
        .run = binding_for_nobody,
    },
    {
        .code = "KUBE083",
        .name = "binding-for-ever",
        .severity = PLUMB_INFO,
        .needs = PLUMB_FACT_KUBE,
        .summary = "the reservation of a ReservationBinding never ends",
        .why = "Nobody else gets the nodes while they idle, and nobody is told. A partition with "
               "AllowAccounts does the same where it can be seen.",
        .ref = "Slurm, Advanced Resource Reservation Guide",
        .bad = BINDING("gpu", "a", "infinite"),
        .good = BINDING("gpu", "a", "2-00:00:00"),
        .run = binding_for_ever,
    },
    {
        .code = "KUBE084",
        .name = "state-not-kept",
        .severity = PLUMB_WARNING,
        .needs = PLUMB_FACT_KUBE,
        .summary = "a SlurmCluster of SUNK has no volume for the state of slurmctld",
        .why = "Jobs, reservations and the state of nodes are in StateSaveLocation. Two "
               "controllers without a common one are two clusters.",
        .ref = "slurm.conf(5), StateSaveLocation",
        .bad = CLUSTER(""),
        .good = CLUSTER(STATE),
        .run = state_kept,
    },
};

const struct plumb_rule_family plumb_kube_sunk_rules = {
    .prefix = "KUBE",
    .title = "SUNK",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
