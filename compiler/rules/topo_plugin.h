/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUMB_RULES_TOPO_PLUGIN_H
#define PLUMB_RULES_TOPO_PLUGIN_H

#include "rules/check.h"

/* TOPO014: topology.conf holds a key of another plugin than the one that reads it. */
void plumb_topo_other_plugin(const struct plumb_check *ck);

#endif
