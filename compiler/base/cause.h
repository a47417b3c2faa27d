/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why an output line is there: the places of the input that caused it. Writers fill it
 * while they print; emit writes it to .plumb/map.json and `plumb why` reads that.
 */
#ifndef PLUMB_BASE_CAUSE_H
#define PLUMB_BASE_CAUSE_H

#include "base/arena.h"
#include "base/span.h"

struct plumb_cause {
    uint32_t line; /* of the output, from 1 */
    struct plumb_span at;
};

struct plumb_causes {
    struct plumb_arena *arena;
    struct plumb_cause *items; /* ordered by line; a line may have several */
    size_t count, cap;
};

/* Adds a place unless it is unknown or the last one already. */
void plumb_cause_add(struct plumb_causes *c, uint32_t line, struct plumb_span at);

#endif
