/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the write transaction, for its tests: a run that fails or dies at a chosen step. */
#ifndef PLUMB_EMIT_WRITE_H
#define PLUMB_EMIT_WRITE_H

#include "emit/output.h"

enum plumb_probe_kind {
    PLUMB_PROBE_FAIL, /* the step reports a failure, as a full disk would */
    PLUMB_PROBE_DIE,  /* nothing at all is done from the step on, as after a power cut */
};

struct plumb_probe {
    enum plumb_probe_kind kind;
    size_t at;   /* the step, from 1; 0: none */
    size_t seen; /* steps that were asked about so far */
};

enum plumb_status plumb_outputs_write_probed(struct plumb_session *s,
                                             const struct plumb_outputs *out, const char *dir,
                                             const char **path, struct plumb_probe *probe);

/* Opens an output folder, made with its parents when make is set. -1: see errno. */
int plumb_output_folder(struct plumb_arena *a, const char *dir, bool make);

/* The manifest of the last build in an open folder. */
struct plumb_manifest plumb_manifest_load(struct plumb_session *s, int root);

#endif
