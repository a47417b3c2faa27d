/* SPDX-License-Identifier: Apache-2.0 */
/* Suppressions as they were read; shared by suppress.c and suppress_read.c. */
#ifndef PLUMB_PASSES_SUPPRESS_H
#define PLUMB_PASSES_SUPPRESS_H

#include "passes/pass.h"

enum plumb_ignore_rule {
    PLUMB_IGN_REASON,
    PLUMB_IGN_UNKNOWN,
    PLUMB_IGN_UNUSED,
    PLUMB_IGN_EXPIRED,
    PLUMB_IGN_SYNTAX,
    PLUMB_IGN_COUNT,
};

struct plumb_suppression {
    const struct plumb_rule *rule;
    const char *reason;
    struct plumb_span at;     /* the text that names the rule */
    struct plumb_span target; /* what it covers; unknown: the whole run */
    uint32_t reach;           /* furthest end of the targets up to this one, of rule and file */
    bool used;
};

struct plumb_suppressions {
    struct plumb_suppression *items;
    size_t count, cap;
};

extern const struct plumb_rule plumb_ignore_rows[PLUMB_IGN_COUNT];
extern const struct plumb_rule_family plumb_ignore_rules;

/* Reads the comments and ignore: entries of every input of the run. Never NULL. */
struct plumb_suppressions *plumb_suppressions_read(struct plumb_run *r);

#endif
