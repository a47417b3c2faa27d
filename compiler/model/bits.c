/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of small numbers: CPU ids, cores, NUMA nodes. */
#include "model/bits.h"

#include <string.h>

#include "base/limits.h"
#include "schema/compound.h"

static void reserve(struct plumb_arena *a, struct plumb_bits *b, uint32_t words)
{
    if (words <= b->word_count)
        return;

    uint64_t *more = PLUMB_NEW_ARRAY(a, words, uint64_t);

    if (b->word_count > 0)
        memcpy(more, b->words, b->word_count * sizeof(*more));
    b->words = more;
    b->word_count = words;
}

void plumb_bits_set(struct plumb_arena *a, struct plumb_bits *b, uint32_t lo, uint32_t hi)
{
    reserve(a, b, hi / 64 + 1);
    for (uint32_t i = lo; i <= hi; i++) {
        b->words[i / 64] |= UINT64_C(1) << (i % 64);
        if (i == UINT32_MAX)
            break;
    }
}

static uint64_t word_at(const struct plumb_bits *b, uint32_t i)
{
    return i < b->word_count ? b->words[i] : 0;
}

bool plumb_bits_has(const struct plumb_bits *b, uint32_t i)
{
    return (word_at(b, i / 64) >> (i % 64) & 1) != 0;
}

uint32_t plumb_bits_count(const struct plumb_bits *b)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < b->word_count; i++)
        count += (uint32_t)__builtin_popcountll(b->words[i]);
    return count;
}

bool plumb_bits_empty(const struct plumb_bits *b)
{
    for (uint32_t i = 0; i < b->word_count; i++) {
        if (b->words[i] != 0)
            return false;
    }
    return true;
}

bool plumb_bits_equal(const struct plumb_bits *a, const struct plumb_bits *b)
{
    return plumb_bits_within(a, b) && plumb_bits_within(b, a);
}

bool plumb_bits_within(const struct plumb_bits *part, const struct plumb_bits *whole)
{
    for (uint32_t i = 0; i < part->word_count; i++) {
        if ((part->words[i] & ~word_at(whole, i)) != 0)
            return false;
    }
    return true;
}

bool plumb_bits_overlap(const struct plumb_bits *a, const struct plumb_bits *b)
{
    for (uint32_t i = 0; i < a->word_count; i++) {
        if ((a->words[i] & word_at(b, i)) != 0)
            return true;
    }
    return false;
}

uint32_t plumb_bits_next(const struct plumb_bits *b, uint32_t from)
{
    for (uint32_t i = from / 64; i < b->word_count; i++) {
        uint64_t word = b->words[i];

        if (i == from / 64)
            word &= UINT64_MAX << (from % 64);
        if (word != 0)
            return i * 64 + (uint32_t)__builtin_ctzll(word);
    }
    return UINT32_MAX;
}

uint32_t plumb_bits_last(const struct plumb_bits *b)
{
    for (uint32_t i = b->word_count; i > 0; i--) {
        if (b->words[i - 1] != 0)
            return i * 64 - 1 - (uint32_t)__builtin_clzll(b->words[i - 1]);
    }
    return UINT32_MAX;
}

bool plumb_bits_read(struct plumb_arena *a, const struct plumb_slice *text, struct plumb_bits *out,
                     size_t *fault)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;
    size_t begin = 0;

    *out = (struct plumb_bits){0};
    while (plumb_list_next_any(text, ',', &c, &item)) {
        struct plumb_core_range range;

        if (plumb_value_core_range(&item, &range) != PLUMB_CORE_OK) {
            *fault = begin + range.fault;
            return false;
        }
        *fault = begin;
        if (range.hi > PLUMB_MAX_PUS || range.step > PLUMB_MAX_PUS)
            return false;
        reserve(a, out, (uint32_t)range.hi / 64 + 1);
        for (uint64_t i = range.lo; i <= range.hi; i += range.step)
            plumb_bits_set(a, out, (uint32_t)i, (uint32_t)i);
        begin = c.at;
    }
    return true;
}

void plumb_bits_text(const struct plumb_bits *b, struct plumb_buf *out)
{
    bool first = true;

    for (uint32_t lo = plumb_bits_next(b, 0); lo != UINT32_MAX;) {
        uint32_t hi = lo;

        while (plumb_bits_has(b, hi + 1))
            hi++;
        if (!first)
            plumb_buf_char(out, ',');
        first = false;
        plumb_buf_u64(out, lo);
        if (hi > lo) {
            plumb_buf_char(out, '-');
            plumb_buf_u64(out, hi);
        }
        lo = plumb_bits_next(b, hi + 1);
    }
}

void plumb_bits_mask(const struct plumb_bits *b, struct plumb_buf *out)
{
    uint32_t last = plumb_bits_last(b);
    uint32_t groups = last == UINT32_MAX ? 1 : last / 32 + 1;

    for (uint32_t g = groups; g > 0; g--) {
        uint64_t word = word_at(b, (g - 1) / 2);
        uint32_t half = (uint32_t)((g - 1) % 2 == 0 ? word & UINT32_MAX : word >> 32);

        plumb_buf_printf(out, "%08x%s", (unsigned)half, g > 1 ? "," : "");
    }
}
