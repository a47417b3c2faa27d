/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the caller wants to hear about: --select, --ignore, --severity. It changes what is
 * shown and what counts as an error; it never changes what the daemons are predicted to do.
 */
#ifndef PLUMB_PASSES_POLICY_H
#define PLUMB_PASSES_POLICY_H

#include "base/diag.h"

struct plumb_policy_entry {
    const struct plumb_rule *rule;          /* NULL: the family */
    const struct plumb_rule_family *family; /* NULL: the rule */
    enum plumb_severity severity;           /* for severities */
};

struct plumb_policy_list {
    struct plumb_policy_entry *items;
    size_t count, cap;
};

struct plumb_policy {
    struct plumb_policy_list select; /* empty: everything */
    struct plumb_policy_list ignore;
    struct plumb_policy_list severity; /* the last one that fits counts */
};

/*
 * Reads a comma list of codes, names and families ("GRES003,mig-profile,NUMA"), or of
 * "RULE=LEVEL" when levels. NULL, or what is wrong with it.
 */
const char *plumb_policy_read(struct plumb_arena *a, const char *text, bool levels,
                              struct plumb_policy_list *out);

/* False when the finding is not to be shown. Changes its severity when asked to. */
bool plumb_policy_apply(const struct plumb_policy *p, struct plumb_diag *d);

#endif
