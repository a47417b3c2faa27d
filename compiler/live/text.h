/* SPDX-License-Identifier: Apache-2.0 */
/* Lines, words and settings for the readers of this folder. */
#ifndef PLUMB_LIVE_TEXT_H
#define PLUMB_LIVE_TEXT_H

#include <string.h>

#include "base/text.h"
#include "live/live.h"
#include "schema/shown.h"

/* A line without its end and without blanks behind it. */
struct plumb_live_line {
    uint32_t begin, end;
};

static inline bool plumb_live_next(const char *text, size_t len, size_t *at,
                                   struct plumb_live_line *out)
{
    const char *stop = NULL;
    size_t end = 0;

    if (*at >= len)
        return false;
    stop = memchr(text + *at, '\n', len - *at);
    end = stop == NULL ? len : (size_t)(stop - text);
    *out = (struct plumb_live_line){(uint32_t)*at, (uint32_t)end};
    *at = end + 1;
    while (out->end > out->begin && plumb_is_blank(text[out->end - 1]))
        out->end--;
    return true;
}

/* Part of a source as it stands. */
static inline struct plumb_slice plumb_live_part(const struct plumb_source *src, size_t begin,
                                                 size_t end)
{
    return (struct plumb_slice){.text = src->bytes + begin,
                                .len = (uint32_t)(end - begin),
                                .at = {src->id, (uint32_t)begin, (uint32_t)end}};
}

/* The same without blanks around it. */
static inline struct plumb_slice plumb_live_trim(const struct plumb_source *src, size_t begin,
                                                 size_t end)
{
    while (begin < end && plumb_is_blank(src->bytes[begin]))
        begin++;
    while (end > begin && plumb_is_blank(src->bytes[end - 1]))
        end--;
    return plumb_live_part(src, begin, end);
}

static inline struct plumb_setting plumb_live_setting(const struct plumb_param *p,
                                                      struct plumb_slice value)
{
    return (struct plumb_setting){
        .param = p, .key = p->name, .value = value, .origin = PLUMB_GIVEN, .op = '='};
}

/* Where a word begins in a text; NULL. */
const char *plumb_live_find(const char *text, size_t len, const char *word);

/* A reason without who set it and when, " [root@2026-11-30T10:00:00]" or "(JobId=7) [...]". */
struct plumb_slice plumb_live_reason(const struct plumb_source *src, size_t begin, size_t end);

#endif
