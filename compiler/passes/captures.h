/* SPDX-License-Identifier: Apache-2.0 */
/* Capture groups by name. For the passes that read and resolve; everyone else sees the model. */
#ifndef PLUMB_PASSES_CAPTURES_H
#define PLUMB_PASSES_CAPTURES_H

#include "capture/capture.h"
#include "passes/pass.h"

/*
 * The capture group that a specification names at a place: a folder of dumps or a single file,
 * relative to the folder of the specification, or a built-in reference. The same name twice
 * gives the same group. NULL after a finding, and for a name that was reported before. Gives
 * PLUMB_FACT_CAPTURES. After bind-hardware the group's machine is group->hardware.
 */
struct plumb_capture_group *plumb_captures_open(struct plumb_run *r, const char *name,
                                                struct plumb_span at);

/* Makes r->captures when there is none. */
struct plumb_captures *plumb_captures_of(struct plumb_run *r);

#endif
