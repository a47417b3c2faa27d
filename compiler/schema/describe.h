/* SPDX-License-Identifier: Apache-2.0 */
/* One parameter as text for people: `plumb explain SlurmdTimeout`. */
#ifndef PLUMB_SCHEMA_DESCRIBE_H
#define PLUMB_SCHEMA_DESCRIBE_H

#include "base/buf.h"
#include "schema/param.h"

/* Appends several lines, the last one ended. Nothing depends on a release: all are told. */
void plumb_param_describe(struct plumb_buf *out, const struct plumb_param *p);

/* The same for one word of a parameter's set: "SchedulerParameters=bf_window". */
void plumb_value_describe(struct plumb_buf *out, const struct plumb_param *p,
                          const struct plumb_value *v);

#endif
