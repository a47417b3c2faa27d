/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about node names; their rows are in node.c. */
#ifndef PLUMB_RULES_NODE_NAMES_H
#define PLUMB_RULES_NODE_NAMES_H

#include "rules/check.h"

void plumb_node_no_nodes(const struct plumb_check *ck);
void plumb_node_nodeset_is_node(const struct plumb_check *ck);
void plumb_node_empty_nodeset(const struct plumb_check *ck);
void plumb_node_placeholders(const struct plumb_check *ck);
void plumb_node_addresses(const struct plumb_check *ck);

#endif
