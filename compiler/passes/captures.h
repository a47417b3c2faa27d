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

/*
 * Opens a capture of the fabric that a specification names: a file for the pass read-fabric, or
 * what plumb_captures_open() takes. False after a finding.
 */
bool plumb_captures_fabric(struct plumb_run *r, const char *name, struct plumb_span at);

/*
 * True when a built-in reference has this name. Else *nearest is the one that may be meant (NULL:
 * none is like it) and *known lists all of them, divided by commas ("" when there are none).
 */
bool plumb_reference_find(struct plumb_run *r, const char *name, const char **nearest,
                          const char **known);

/* The group of a built-in reference that plumb_reference_find() knows; NULL after a finding. */
struct plumb_capture_group *plumb_reference_open(struct plumb_run *r, const char *name);

/* True when something of the group could be read. */
bool plumb_capture_holds(const struct plumb_capture_group *g);

/* Makes r->captures when there is none. */
struct plumb_captures *plumb_captures_of(struct plumb_run *r);

#endif
