/* SPDX-License-Identifier: Apache-2.0 */
/* Targets slinky, objects for slurm-operator, v1beta1, and slinky-values, for its chart slurm. */
#ifndef PLUMB_TARGETS_SLINKY_H
#define PLUMB_TARGETS_SLINKY_H

#include "bundle/bundle.h"

extern const struct plumb_target plumb_target_slinky, plumb_target_slinky_values;

/* emit.c: the objects. */
struct plumb_node *plumb_slinky_config_map(struct plumb_bundle *b);
struct plumb_node *plumb_slinky_controller(struct plumb_bundle *b);
struct plumb_node *plumb_slinky_accounting(struct plumb_bundle *b);
struct plumb_node *plumb_slinky_nodeset(struct plumb_bundle *b, const struct plumb_set *set);
struct plumb_node *plumb_slinky_loginset(struct plumb_bundle *b);
struct plumb_node *plumb_slinky_rest_api(struct plumb_bundle *b);
bool plumb_slinky_has_database(const struct plumb_bundle *b);

/* conf.c: text of Slurm files within objects; NULL: there is none. */
const char *plumb_slinky_extra_conf(struct plumb_bundle *b);
const char *plumb_slinky_words(struct plumb_bundle *b, const struct plumb_set *set);
const char *plumb_slinky_cgroup_conf(struct plumb_bundle *b);

#endif
