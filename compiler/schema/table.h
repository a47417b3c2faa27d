/* SPDX-License-Identifier: Apache-2.0 */
/* The generated rows, for param.c alone: everybody else asks it. */
#ifndef PLUMB_SCHEMA_TABLE_H
#define PLUMB_SCHEMA_TABLE_H

#include "schema/param.h"

/* Ordered by file, scope, and name without case; the id is the position. */
extern const struct plumb_param plumb_params[PLUMB_P_COUNT];

/* Where the rows of file * PLUMB_SCOPE_COUNT + scope begin; they end where the next begin. */
extern const uint16_t plumb_param_starts[PLUMB_FILE_COUNT * PLUMB_SCOPE_COUNT + 1];

#endif
