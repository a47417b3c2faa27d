/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small macros that every file may use. Nothing here allocates or reports.
 */
#ifndef PLUMB_BASE_BASE_H
#define PLUMB_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLUMB_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* printf-like functions: FMT is the 1-based index of the format argument. */
#define PLUMB_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* A broken invariant of ours, never a fault of the input: ends the process. */
#define PLUMB_ASSERT(cond) ((cond) ? (void)0 : plumb_assert_failed(#cond, __FILE__, __LINE__))

_Noreturn void plumb_assert_failed(const char *cond, const char *file, int line);

#endif
