/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of a fleet, for people, for programs, and as the nodes of a specification. */
#ifndef PLUMB_EMIT_AUDIT_H
#define PLUMB_EMIT_AUDIT_H

#include "base/buf.h"
#include "passes/audit.h"

/* The classes. Findings are rendered as all others are. */
void plumb_audit_text(struct plumb_buf *out, const struct plumb_audit *a);

/* Classes and findings. */
void plumb_audit_json(struct plumb_buf *out, const struct plumb_audit *a);

/* A commented specification: one class of nodes for each product, without the machines that would
 * be drained in it. */
void plumb_audit_spec(struct plumb_buf *out, const struct plumb_audit *a);

#endif
