/* SPDX-License-Identifier: Apache-2.0 */
/* What rules of node lines against captures share. */
#ifndef PLUMB_RULES_MACHINE_H
#define PLUMB_RULES_MACHINE_H

#include "rules/check.h"

/* slurmd takes the node line for the truth. */
bool plumb_machine_overrides(const struct plumb_check *ck);

#endif
