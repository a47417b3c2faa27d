/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of small numbers: CPU ids, cores, NUMA nodes. */
#ifndef PLUMB_MODEL_BITS_H
#define PLUMB_MODEL_BITS_H

#include "base/buf.h"
#include "base/span.h"

struct plumb_bits {
    uint64_t *words;
    uint32_t word_count; /* bit i is words[i / 64] >> (i % 64) & 1 */
};

void plumb_bits_set(struct plumb_arena *a, struct plumb_bits *b, uint32_t lo, uint32_t hi);
bool plumb_bits_has(const struct plumb_bits *b, uint32_t i);
uint32_t plumb_bits_count(const struct plumb_bits *b);
bool plumb_bits_empty(const struct plumb_bits *b);
bool plumb_bits_equal(const struct plumb_bits *a, const struct plumb_bits *b);
bool plumb_bits_within(const struct plumb_bits *part, const struct plumb_bits *whole);
bool plumb_bits_overlap(const struct plumb_bits *a, const struct plumb_bits *b);
/* Lowest set bit at or above from; UINT32_MAX: none. */
uint32_t plumb_bits_next(const struct plumb_bits *b, uint32_t from);
uint32_t plumb_bits_last(const struct plumb_bits *b); /* UINT32_MAX: empty */

/*
 * Reads "0-3,8,16-30:2" (src/common/bitstring.c). Digits only otherwise; false for anything
 * else, a reversed range, or a number above PLUMB_MAX_PUS; *fault is then the byte offset.
 */
bool plumb_bits_read(struct plumb_arena *a, const struct plumb_slice *text, struct plumb_bits *out,
                     size_t *fault);

/* "0-3,8" */
void plumb_bits_text(const struct plumb_bits *b, struct plumb_buf *out);

/* The kernel's mask notation: 32-bit groups in hexadecimal, highest first: "ffffffff,00000000". */
void plumb_bits_mask(const struct plumb_bits *b, struct plumb_buf *out);

#endif
