/* SPDX-License-Identifier: Apache-2.0 */
/* Target soperator: SlurmCluster v1 and NodeSet v1alpha1. */
#ifndef PLUMB_TARGETS_SOPERATOR_H
#define PLUMB_TARGETS_SOPERATOR_H

#include "bundle/bundle.h"

extern const struct plumb_target plumb_target_soperator;

/* cluster.c: the SlurmCluster. set.c: a NodeSet. */
struct plumb_node *plumb_soperator_cluster(struct plumb_bundle *b);
struct plumb_node *plumb_soperator_set(struct plumb_bundle *b, const struct plumb_set *set);

bool plumb_soperator_accounts(const struct plumb_bundle *b);

/*
 * fields.c: settings of slurm.conf with what nobody said and the operator says otherwise, without
 * DefMemPerCPU, which partitions say.
 */
struct plumb_settings plumb_soperator_settings(struct plumb_bundle *b);

/*
 * fields.c: settings that a field of the SlurmCluster says, into its spec; those of slurmdbd.conf
 * too. What is left for customSlurmConfig and what the operator keeps stays out.
 */
void plumb_soperator_fields(struct plumb_bundle *b, struct plumb_node *spec);
void plumb_soperator_dbd_fields(struct plumb_bundle *b, struct plumb_node *spec);

/* conf.c: texts of Slurm files within objects; NULL: there is none. */
const char *plumb_soperator_custom_conf(struct plumb_bundle *b);
const char *plumb_soperator_cgroup_conf(struct plumb_bundle *b);
const char *plumb_soperator_partition(struct plumb_bundle *b, const struct plumb_partition *p);
const char *plumb_soperator_static(struct plumb_bundle *b, const struct plumb_set *set);
struct plumb_node *plumb_soperator_gres(struct plumb_bundle *b, const struct plumb_set *set);

/* fields.c: the field takes the setting, in this spelling; NULL: it goes elsewhere. */
const char *plumb_soperator_in_field(const struct plumb_bundle *b, const struct plumb_setting *s,
                                     const struct plumb_kube_slot **slot);

#endif
