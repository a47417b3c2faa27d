/* SPDX-License-Identifier: Apache-2.0 */
/* Family UPG: what changes for a configuration that goes from one release to another. */
#ifndef PLUMB_PASSES_UPGRADE_H
#define PLUMB_PASSES_UPGRADE_H

#include "base/rule.h"
#include "schema/param.h"

enum plumb_upgrade_rule {
    PLUMB_UPG_DEFAULT, /* a key that is not set, and its default is another one */
    PLUMB_UPG_MEANING, /* a value that stays, and does something else */
    PLUMB_UPG_GONE,    /* a finding of the old release that the new one does not have */
    PLUMB_UPG_TOO_FAR, /* the daemons cannot read the state of the old release */
    PLUMB_UPG_COUNT,
};

extern const struct plumb_rule plumb_upgrade_rows[PLUMB_UPG_COUNT];
extern const struct plumb_rule_family plumb_upgrade_rules;

/* Of this family: such findings come with --from alone. */
bool plumb_is_upgrade_rule(const struct plumb_rule *rule);

/*
 * The last release that takes over the state, the database and the messages of this one. The
 * upgrade guide (section Compatibility window): two releases back, from 24.11 on three.
 */
enum plumb_release plumb_upgrade_reach(const struct plumb_table *t, enum plumb_release from);

#endif
