/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of pass compare-kube, and its rows. */
#ifndef PLUMB_PASSES_COMPARE_KUBE_H
#define PLUMB_PASSES_COMPARE_KUBE_H

#include "base/map.h"
#include "passes/pass.h"
#include "syntax/node.h"

enum plumb_drift_kube_rule {
    PLUMB_DRIFT_KUBE_MISSING,     /* an object of the source that the cluster has not */
    PLUMB_DRIFT_KUBE_UNKNOWN,     /* the other way round, of an operator's kind */
    PLUMB_DRIFT_KUBE_DIFFERS,     /* a key */
    PLUMB_DRIFT_KUBE_PODS,        /* a set of nodes without all of its pods */
    PLUMB_DRIFT_KUBE_ALLOCATABLE, /* a node that cannot give what the source promises */
    PLUMB_DRIFT_KUBE_NO_NODE,     /* a set whose labels no node has */
    PLUMB_DRIFT_KUBE_FROZEN,      /* a key that cannot change */
    PLUMB_DRIFT_KUBE_COUNT,
};

extern const struct plumb_rule plumb_drift_kube_rows[PLUMB_DRIFT_KUBE_COUNT];
extern const struct plumb_rule_family plumb_drift_kube_rules;

/* The nodes of the cluster. */
struct plumb_compare_nodes {
    struct plumb_run *run;
    struct plumb_arena *a;
    struct plumb_compare_node {
        const struct plumb_node *root;
        const char *name;
    } * items;
    size_t count, cap;
    struct plumb_map told; /* of the same nodes the same is told once */
};

void plumb_compare_add_node(struct plumb_compare_nodes *n, const struct plumb_node *root,
                            const char *name);

/* A NodeSet of the source against the nodes that its selector finds. */
void plumb_compare_nodeset(struct plumb_compare_nodes *n, const struct plumb_node *set,
                           const char *name, struct plumb_span at);

/* Node lines of the model against nodes of the same names. */
void plumb_compare_lines(struct plumb_compare_nodes *n);

#endif
