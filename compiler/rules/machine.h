/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of node lines against captures; their rows are in node.c. */
#ifndef PLUMB_RULES_MACHINE_H
#define PLUMB_RULES_MACHINE_H

#include "rules/check.h"

void plumb_machine_fewer(const struct plumb_check *ck);    /* the machine has fewer threads */
void plumb_machine_layout(const struct plumb_check *ck);   /* other sockets, the same cores */
void plumb_machine_cores(const struct plumb_check *ck);    /* CPUs counts cores */
void plumb_machine_threads(const struct plumb_check *ck);  /* fewer threads a core */
void plumb_machine_more(const struct plumb_check *ck);     /* the machine has more */
void plumb_machine_in_job(const struct plumb_check *ck);   /* copied from inside a job */
void plumb_machine_memory(const struct plumb_check *ck);   /* RealMemory above the capture */
void plumb_machine_headroom(const struct plumb_check *ck); /* RealMemory exactly the capture */

#endif
