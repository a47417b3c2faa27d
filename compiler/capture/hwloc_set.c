/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of CPU ids and NUMA nodes of an hwloc file. */
#include "base/limits.h"
#include "base/text.h"
#include "capture/hwloc_read.h"

static uint64_t word_at(const struct plumb_hwloc_set *s, uint32_t i)
{
    return i < s->word_count ? s->words[i] : 0;
}

bool plumb_hwloc_set_empty(const struct plumb_hwloc_set *s)
{
    return plumb_hwloc_set_first(s) == UINT32_MAX;
}

uint32_t plumb_hwloc_set_first(const struct plumb_hwloc_set *s)
{
    for (uint32_t i = 0; i < s->word_count; i++) {
        if (s->words[i] != 0)
            return i * 64 + (uint32_t)__builtin_ctzll(s->words[i]);
    }
    return UINT32_MAX;
}

uint32_t plumb_hwloc_set_count(const struct plumb_hwloc_set *s)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->word_count; i++)
        count += (uint32_t)__builtin_popcountll(s->words[i]);
    return count;
}

bool plumb_hwloc_set_within(const struct plumb_hwloc_set *part, const struct plumb_hwloc_set *all)
{
    if (part->words == all->words)
        return true;
    for (uint32_t i = 0; i < part->word_count; i++) {
        if ((part->words[i] & ~word_at(all, i)) != 0)
            return false;
    }
    return true;
}

bool plumb_hwloc_set_overlap(const struct plumb_hwloc_set *a, const struct plumb_hwloc_set *b)
{
    for (uint32_t i = 0; i < a->word_count; i++) {
        if ((a->words[i] & word_at(b, i)) != 0)
            return true;
    }
    return false;
}

void plumb_hwloc_set_text(const struct plumb_hwloc_set *s, struct plumb_buf *out)
{
    uint32_t groups = s->word_count * 2;
    char text[] = "0x00000000,";

    while (groups > 1 &&
           (word_at(s, (groups - 1) / 2) >> ((groups - 1) % 2 * 32) & UINT32_MAX) == 0)
        groups--;
    if (groups == 0)
        plumb_buf_str(out, "0x0");
    for (uint32_t g = groups; g > 0; g--) {
        uint64_t bits = word_at(s, (g - 1) / 2) >> ((g - 1) % 2 * 32) & UINT32_MAX;

        if (bits == 0 && g > 1) { /* as hwloc itself writes it, and reads it quicker */
            plumb_buf_char(out, ',');
            continue;
        }
        for (size_t i = 0; i < 8; i++)
            text[9 - i] = "0123456789abcdef"[bits >> (4 * i) & 15];
        plumb_buf_add(out, text, g > 1 ? 11 : 10);
    }
}

/* One group: nothing, or 0x and up to eight digits. False for anything else. */
static bool read_group(const char *text, uint32_t len, uint64_t *bits)
{
    *bits = 0;
    if (len == 0)
        return true;
    if (len < 3 || len > 10 || text[0] != '0' || text[1] != 'x')
        return false;
    for (uint32_t i = 2; i < len; i++) {
        uint32_t digit = plumb_hex_digit(text[i]);

        if (digit > 15)
            return false;
        *bits = *bits << 4 | digit;
    }
    return true;
}

bool plumb_hwloc_set_read(struct plumb_arena *a, const struct plumb_slice *v,
                          struct plumb_hwloc_set *out)
{
    uint32_t groups = 1, at = 0;

    for (uint32_t i = 0; i < v->len; i++)
        groups += v->text[i] == ',';
    if (groups > PLUMB_MAX_PUS / 32)
        return false;
    out->word_count = (groups + 1) / 2;
    out->words = PLUMB_NEW_ARRAY(a, out->word_count, uint64_t);
    for (uint32_t g = groups; g > 0; g--) {
        uint32_t end = at;
        uint64_t bits = 0;

        while (end < v->len && v->text[end] != ',')
            end++;
        if (!read_group(v->text + at, end - at, &bits))
            return false;
        out->words[(g - 1) / 2] |= bits << ((g - 1) % 2 * 32);
        at = end + 1;
    }
    return true;
}

struct plumb_hwloc_set plumb_hwloc_set_both(struct plumb_arena *a, const struct plumb_hwloc_set *x,
                                            const struct plumb_hwloc_set *y)
{
    struct plumb_hwloc_set out = {.word_count = x->word_count};

    out.words = PLUMB_NEW_ARRAY(a, out.word_count, uint64_t);
    for (uint32_t i = 0; i < out.word_count; i++)
        out.words[i] = x->words[i] & word_at(y, i);
    return out;
}
