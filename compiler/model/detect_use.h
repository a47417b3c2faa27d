/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether AutoDetect= is right for a machine: for each word that the release knows for its GPUs,
 * what slurmd would find with it, and what speaks against it.
 */
#ifndef PLUMB_MODEL_DETECT_USE_H
#define PLUMB_MODEL_DETECT_USE_H

#include "model/detect.h"

/*
 * A word of AutoDetect=, whether slurmd then holds what the derived lines say when sockets are
 * counted one way, and the reason as one sentence part.
 */
struct plumb_detect_use {
    const char *word; /* "nvml", "rsmi", "oneapi", "nvidia", "full" */
    bool use;
    const char *advice; /* "use it", "do not use it" */
    const char *why;
};

/* Those that the release has for the GPUs of the machine, the library of their vendor first. */
enum { PLUMB_DETECT_USES = 3 };
size_t plumb_detect_uses(struct plumb_arena *a, const struct plumb_hardware *hw,
                         enum plumb_hw_socket_kind kind, const struct plumb_table *table,
                         enum plumb_release r, struct plumb_detect_use out[PLUMB_DETECT_USES]);

#endif
