/* SPDX-License-Identifier: Apache-2.0 */
/* What rules of node lines share. */
#ifndef PLUMB_RULES_NODE_H
#define PLUMB_RULES_NODE_H

#include "rules/check.h"

/* A number of the line as the daemon reads it. */
struct plumb_u64 plumb_node_number(const struct plumb_check *ck, const struct plumb_nodes *n,
                                   enum plumb_param_id id);

#endif
