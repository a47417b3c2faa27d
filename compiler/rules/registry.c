/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of rules: what families.def lists. */
#include "rules/check.h"

#define FAMILY(name) extern const struct plumb_rule_family name;
#include "rules/families.def"
#undef FAMILY

const struct plumb_rule_family *const plumb_rule_families[] = {
#define FAMILY(name) &(name),
#include "rules/families.def"
#undef FAMILY
};
const size_t plumb_rule_family_count = PLUMB_COUNT(plumb_rule_families);
