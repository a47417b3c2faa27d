/* SPDX-License-Identifier: Apache-2.0 */
/* Target slinky: objects for slurm-operator, v1beta1. */
#ifndef PLUMB_TARGETS_SLINKY_H
#define PLUMB_TARGETS_SLINKY_H

#include "bundle/bundle.h"

extern const struct plumb_target plumb_target_slinky;

/* conf.c: text of Slurm files within objects; NULL: there is none. */
const char *plumb_slinky_extra_conf(struct plumb_bundle *b);
const char *plumb_slinky_words(struct plumb_bundle *b, const struct plumb_set *set);
const char *plumb_slinky_cgroup_conf(struct plumb_bundle *b);

#endif
