/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the pass read-fabric. */
#ifndef PLUMB_PASSES_FABRIC_H
#define PLUMB_PASSES_FABRIC_H

#include "base/map.h"
#include "capture/ibnet.h"
#include "capture/places.h"
#include "model/fabric.h"

/* Appends one host by its name. */
void plumb_fabric_host(struct plumb_session *s, struct plumb_hostlist *to, const char *name,
                       struct plumb_span at);

/*
 * Adds a group without hosts; its position. The name is made unique among names: switches of one
 * chassis share theirs, and Slurm has one list of switches for all tiers.
 */
size_t plumb_fabric_group(struct plumb_session *s, struct plumb_fabric *f, struct plumb_map *names,
                          const char *name, struct plumb_span at);

/* The tree that a capture of the cables shows. */
struct plumb_fabric *plumb_fabric_of_ibnet(struct plumb_session *s, const struct plumb_ibnet *net);

/*
 * The tree that places tell of, with their blocks; NULL when they tell of none. A fault is a
 * finding, and the place that was read first counts.
 */
struct plumb_fabric *plumb_fabric_of_places(struct plumb_session *s,
                                            const struct plumb_net_places *places);

/* Adds the NVLink domains of places to a fabric that has none, in the order of its tree. */
void plumb_fabric_add_blocks(struct plumb_session *s, struct plumb_fabric *f,
                             const struct plumb_net_places *places);

#endif
