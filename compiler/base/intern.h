/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned strings: equal text has one address, so that names compare with ==.
 * The table lives in the arena of its session.
 */
#ifndef PLUMB_BASE_INTERN_H
#define PLUMB_BASE_INTERN_H

#include "base/arena.h"

struct plumb_intern;

struct plumb_intern *plumb_intern_new(struct plumb_arena *a);
const char *plumb_intern_text(struct plumb_intern *t, const char *text, size_t len);
const char *plumb_intern_str(struct plumb_intern *t, const char *text);

uint64_t plumb_hash(const char *text, size_t len); /* the same in every run, on every machine */

/* For tables in memory: eight bytes at a time, so that another byte order gives another number.
 * Begins with any h, and goes on with what it gave for the text before. */
uint64_t plumb_hash_more(uint64_t h, const char *text, size_t len);
static inline uint64_t plumb_hash_quick(const char *text, size_t len)
{
    return plumb_hash_more(UINT64_C(14695981039346656037), text, len);
}

#endif
