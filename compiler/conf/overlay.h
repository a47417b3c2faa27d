/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of the user beside the built-in one: a file in the form of schema/slurm/<release>.yaml
 * that adds the release after the newest one, or corrects a known release (doc/design/table.md).
 */
#ifndef PLUMB_CONF_OVERLAY_H
#define PLUMB_CONF_OVERLAY_H

#include "base/session.h"
#include "schema/param.h"

/*
 * Reads the rows; what is wrong with them are findings of family TAB at their places, and such a
 * row is left out. Never NULL.
 */
const struct plumb_table *plumb_overlay_read(struct plumb_session *s,
                                             const struct plumb_source *src);

extern const struct plumb_rule_family plumb_overlay_rules;

#endif
