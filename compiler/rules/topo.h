/* SPDX-License-Identifier: Apache-2.0 */
/* What rules about topologies share. */
#ifndef PLUMB_RULES_TOPO_H
#define PLUMB_RULES_TOPO_H

#include "base/map.h"
#include "rules/check.h"

/* The units of the model are those of topology.yaml. */
bool plumb_topo_from_yaml(const struct plumb_check *ck);

/*
 * The plugin of a kind of line is in force; without slurm.conf, or a plugin that exists, the lines
 * themselves decide. A topology.yaml says itself what it holds.
 */
bool plumb_topo_in_force(const struct plumb_check *ck, enum plumb_scope scope);
bool plumb_topo_tree(const struct plumb_check *ck);
bool plumb_topo_blocks(const struct plumb_check *ck);
bool plumb_topo_rings(const struct plumb_check *ck);

/* The nodes of the units [from, to) of the model, as written. */
struct plumb_hostlist plumb_topo_nodes(const struct plumb_check *ck, size_t from, size_t to);

/* The position of a topology in the model; true also where nothing is known of any. */
bool plumb_topo_find(const struct plumb_check *ck, const struct plumb_slice *name, size_t *index);

/* Units by name, as slurmctld compares them: the first of a name, of one topology and kind. */
struct plumb_map plumb_topo_units_by_name(const struct plumb_check *ck);
const char *plumb_topo_key(const struct plumb_check *ck, const struct plumb_topo_unit *u,
                           const char *name);

#endif
