/* SPDX-License-Identifier: Apache-2.0 */
/* Targets sunk, the dialect of the guides for SUNK, and sunk-values, for its chart. */
#ifndef PLUMB_TARGETS_SUNK_H
#define PLUMB_TARGETS_SUNK_H

#include "bundle/bundle.h"

extern const struct plumb_target plumb_target_sunk, plumb_target_sunk_values;

/* An object of the dialect. name may be any name of Slurm: refuses two that become one. */
struct plumb_node *plumb_sunk_object(struct plumb_bundle *b, const char *kind, const char *name,
                                     const char *component);

/* A name of Slurm as one of an object: lower case, other characters as dashes. */
const char *plumb_sunk_label(struct plumb_bundle *b, const char *name);

/* conf.c: fragments of a SlurmConfig; NULL: there is none. */
const char *plumb_sunk_slurm_conf(struct plumb_bundle *b);
const char *plumb_sunk_cgroup_conf(struct plumb_bundle *b);

/* tenants.c: accounts, users and bindings of reservations, one object each. */
void plumb_sunk_accounts(struct plumb_bundle *b);
void plumb_sunk_bindings(struct plumb_bundle *b);

/* Adds a term whose expressions ask for the labels. */
void plumb_sunk_term(struct plumb_bundle *b, struct plumb_node *terms,
                     const struct plumb_kube_pick *labels, size_t count);

/* emit.c: the features of nodes as a list under key. */
void plumb_sunk_features(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                         const struct plumb_nodes *n);

/* Tolerations of the taints of the reservations that take nodes of a set. */
void plumb_sunk_reserved(struct plumb_bundle *b, struct plumb_node *spec,
                         const struct plumb_set *set);

#endif
