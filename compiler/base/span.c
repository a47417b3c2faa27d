/* SPDX-License-Identifier: Apache-2.0 */
/* Places in source text. */
#include "base/span.h"

#include <string.h>

#include "base/text.h"

struct plumb_span plumb_span_join(struct plumb_span a, struct plumb_span b)
{
    if (!plumb_span_known(a))
        return b;
    if (!plumb_span_known(b) || a.file != b.file)
        return a;
    return (struct plumb_span){
        .file = a.file,
        .begin = a.begin < b.begin ? a.begin : b.begin,
        .end = a.end > b.end ? a.end : b.end,
    };
}

struct plumb_span plumb_slice_span(const struct plumb_slice *s, size_t begin, size_t end)
{
    if (!plumb_span_known(s->at) || s->lead == PLUMB_SLICE_MADE)
        return s->at;
    if (end > s->len)
        end = s->len;
    if (begin > end)
        begin = end;
    if (s->map != NULL) {
        /* The end follows the last byte taken, so that an escape or a line break behind it stays
         * out. */
        uint32_t from = s->map[begin];

        return (struct plumb_span){s->at.file, from, end > begin ? s->map[end - 1] + 1 : from};
    }

    uint32_t base = s->at.begin + s->lead;

    return (struct plumb_span){s->at.file, base + (uint32_t)begin, base + (uint32_t)end};
}

struct plumb_slice plumb_slice_sub(const struct plumb_slice *s, size_t begin, size_t end)
{
    if (end > s->len)
        end = s->len;
    if (begin > end)
        begin = end;
    return (struct plumb_slice){
        .text = s->text + begin,
        .len = (uint32_t)(end - begin),
        .lead = s->lead == PLUMB_SLICE_MADE ? PLUMB_SLICE_MADE : 0,
        .at = plumb_slice_span(s, begin, end),
        .map = s->map == NULL ? NULL : s->map + begin,
    };
}

bool plumb_slice_is(const struct plumb_slice *s, const char *word)
{
    return strlen(word) == s->len && plumb_equal_nocase(s->text, word, s->len);
}

bool plumb_slice_is_exact(const struct plumb_slice *s, const char *word)
{
    return strlen(word) == s->len && memcmp(s->text, word, s->len) == 0;
}

bool plumb_slice_find(const struct plumb_slice *value, const char *text, struct plumb_slice *found)
{
    size_t len = strlen(text);

    for (size_t i = 0; i + len <= value->len; i++) {
        if (!plumb_equal_nocase(value->text + i, text, len))
            continue;
        *found = plumb_slice_sub(value, i, i + len);
        return true;
    }
    return false;
}

bool plumb_slice_holds(const struct plumb_slice *value, const char *text)
{
    struct plumb_slice found;

    return plumb_slice_find(value, text, &found);
}
