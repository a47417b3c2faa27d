/* SPDX-License-Identifier: Apache-2.0 */
/* Walking through text line by line, with spans. For the readers of line captures. */
#ifndef PLUMB_CAPTURE_LINES_H
#define PLUMB_CAPTURE_LINES_H

#include <string.h>

#include "base/source.h"
#include "base/text.h"

/* A line without blanks around it. */
struct plumb_capture_line {
    const char *text;
    uint32_t len;
    uint32_t begin; /* of text, in bytes */
};

/* The next line from *at on; false at the end. */
static inline bool plumb_capture_next(const char *bytes, size_t size, size_t *at,
                                      struct plumb_capture_line *out)
{
    if (*at >= size)
        return false;

    const char *nl = memchr(bytes + *at, '\n', size - *at);
    size_t begin = *at, end = nl == NULL ? size : (size_t)(nl - bytes);

    *at = end + 1;
    if (begin == 0 && end >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        begin = 3; /* a byte order mark, as Windows writes it */
    while (begin < end && plumb_is_blank(bytes[begin]))
        begin++;
    while (end > begin && plumb_is_blank(bytes[end - 1]))
        end--;
    *out = (struct plumb_capture_line){bytes + begin, (uint32_t)(end - begin), (uint32_t)begin};
    return true;
}

static inline bool plumb_line_starts(const struct plumb_capture_line *line, const char *word)
{
    size_t len = strlen(word);

    return line->len >= len && memcmp(line->text, word, len) == 0;
}

static inline struct plumb_span plumb_line_span(const struct plumb_source *src,
                                                const struct plumb_capture_line *line)
{
    return (struct plumb_span){src->id, line->begin, line->begin + line->len};
}

/* Part of a line without blanks around it, as text of its own. */
static inline struct plumb_slice plumb_line_part(struct plumb_arena *a,
                                                 const struct plumb_source *src,
                                                 const struct plumb_capture_line *line, size_t from,
                                                 size_t to)
{
    while (from < to && plumb_is_blank(line->text[from]))
        from++;
    while (to > from && plumb_is_blank(line->text[to - 1]))
        to--;
    return (struct plumb_slice){
        .text = plumb_arena_strndup(a, line->text + from, to - from),
        .len = (uint32_t)(to - from),
        .at = {src->id, line->begin + (uint32_t)from, line->begin + (uint32_t)to},
    };
}

#endif
