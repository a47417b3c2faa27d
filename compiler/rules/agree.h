/* SPDX-License-Identifier: Apache-2.0 */
/* What rules about facts in several places share. */
#ifndef PLUMB_RULES_AGREE_H
#define PLUMB_RULES_AGREE_H

#include "rules/check.h"

/* One machine, with or without its domain. Addresses have no short form. */
bool plumb_same_host(const struct plumb_slice *a, const struct plumb_slice *b);
bool plumb_is_loopback(const struct plumb_slice *v);

#endif
