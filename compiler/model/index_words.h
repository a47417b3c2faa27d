/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in messages that somebody could take for those of another space: both are told, where
 * both are known and differ (doc/design/indices.md).
 */
#ifndef PLUMB_MODEL_INDEX_WORDS_H
#define PLUMB_MODEL_INDEX_WORDS_H

#include "model/hardware.h"

/* "0-3"; "0-3 (CPUs 0-3,8-11 of the system)". hw may be NULL. */
const char *plumb_cores_words(struct plumb_arena *a, const struct plumb_hardware *hw,
                              const struct plumb_cores *cores);

/* The bracket alone, with a blank before it: for cores as somebody wrote them; "". */
const char *plumb_cores_aside(struct plumb_arena *a, const struct plumb_hardware *hw,
                              const struct plumb_cores *cores);

/* "GPU 0"; "GPU 0 (/dev/nvidia2)". */
const char *plumb_gpu_words(struct plumb_arena *a, const struct plumb_hw_gpu *gpu);

#endif
