/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gres= of node lines against the lines of gres.conf that those nodes read. Each node gets at
 * most one verdict per GRES, the first of the order below, so no finding follows from another.
 */
#ifndef PLUMB_RULES_GRES_MATCH_H
#define PLUMB_RULES_GRES_MATCH_H

#include "rules/gres_view.h"

/* .data of a rule whose function is plumb_gres_match_run: which verdict it reports. */
struct plumb_gres_match;

extern const struct plumb_gres_match plumb_match_fewer, plumb_match_more, plumb_match_type,
    plumb_match_untyped, plumb_match_mixed_files, plumb_match_mixed_types, plumb_match_duplicate,
    plumb_match_fileless, plumb_match_none, plumb_match_file_twice, plumb_match_cloud,
    plumb_match_not_wanted, plumb_match_product, plumb_match_beyond, plumb_match_shared_fewer;

/* AutoDetect for nodes in the cloud: gres.c:gres_g_node_config_load in slurmctld. */
extern const struct plumb_eras plumb_gres_cloud_eras;

void plumb_gres_match_run(const struct plumb_check *ck);

#endif
