/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUMB_RULES_CORE_LIST_H
#define PLUMB_RULES_CORE_LIST_H

#include "rules/check.h"

/*
 * Whether an end of some range is not among total cores; of a reversed range too, which would be
 * empty otherwise (bitstring.c:bitfmt2int, inx2bitstr). A list with a colon is dropped as a whole.
 */
bool plumb_core_list_beyond(const struct plumb_slice *list, uint64_t total);

#endif
