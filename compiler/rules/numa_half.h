/* SPDX-License-Identifier: Apache-2.0 */
/* NUMA010, a rule of family NUMA in a file of its own. */
#ifndef PLUMB_RULES_NUMA_HALF_H
#define PLUMB_RULES_NUMA_HALF_H

#include "rules/check.h"

void plumb_half_sockets(const struct plumb_check *ck);

#endif
