/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arena memory. Everything a session reads or makes lives in its arena until the
 * session ends; nobody frees single objects. A scratch arena is reset by the pass
 * that owns it.
 */
#ifndef PLUMB_BASE_ARENA_H
#define PLUMB_BASE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>

#include "base/base.h"

struct plumb_arena;

/*
 * Makes an arena, NULL when memory is out. When a later allocation fails, control
 * jumps to *out_of_memory (set by the API before it calls inwards); with NULL the
 * process aborts.
 */
struct plumb_arena *plumb_arena_new(jmp_buf *out_of_memory);
void plumb_arena_free(struct plumb_arena *a); /* NULL is allowed */
void plumb_arena_reset(struct plumb_arena *a);
/* About so many bytes will be asked for in small pieces: a large arena takes huge pages at once. */
void plumb_arena_expect(struct plumb_arena *a, size_t size);
size_t plumb_arena_used(const struct plumb_arena *a); /* bytes obtained from the system */

/* All return memory aligned for any type, zeroed, never NULL. A size of 0 is allowed. */
void *plumb_arena_alloc(struct plumb_arena *a, size_t size);
void *plumb_arena_array(struct plumb_arena *a, size_t count, size_t size);

/* Like plumb_arena_alloc without the zeroing, for bytes that are overwritten at once. */
void *plumb_arena_raw(struct plumb_arena *a, size_t size);

/*
 * Grows *items (count used, *cap allocated, size bytes each) to hold one more.
 * Returns the possibly moved array; new room is zeroed.
 */
void *plumb_arena_grow(struct plumb_arena *a, void *items, size_t count, size_t *cap, size_t size);

/*
 * Makes room for count more of them at once: a long array that grows by doubling leaves as much
 * behind as it holds. New room is not touched, so that a guess may be high; it is not zeroed.
 */
void *plumb_arena_reserve(struct plumb_arena *a, void *items, size_t used, size_t *cap, size_t size,
                          size_t count);

char *plumb_arena_strndup(struct plumb_arena *a, const char *text, size_t len);
char *plumb_arena_strdup(struct plumb_arena *a, const char *text);
char *plumb_arena_printf(struct plumb_arena *a, const char *fmt, ...) PLUMB_PRINTF(2, 3);
char *plumb_arena_vprintf(struct plumb_arena *a, const char *fmt, va_list args) PLUMB_PRINTF(2, 0);

/* Typed shorthands. */
#define PLUMB_NEW(a, type)          ((type *)plumb_arena_alloc((a), sizeof(type)))
#define PLUMB_NEW_ARRAY(a, n, type) ((type *)plumb_arena_array((a), (n), sizeof(type)))

#endif
