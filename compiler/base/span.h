/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places in source text, and values that know where they come from.
 */
#ifndef PLUMB_BASE_SPAN_H
#define PLUMB_BASE_SPAN_H

#include "base/base.h"

/* A half-open range of bytes of one source. file is an id of the source map, 0: no place. */
struct plumb_span {
    uint32_t file, begin, end;
};

/*
 * Decoded text and the place it was read from. Where nothing was unescaped, text[i] is
 * the byte at.begin + lead + i; otherwise map[i] is the byte offset of text[i], and
 * map[len] the offset behind the last one. Text that was made from what stands at that
 * place ("10080" from "7 days") has lead PLUMB_SLICE_MADE: each part of it is all of at.
 */
#define PLUMB_SLICE_MADE UINT32_MAX

struct plumb_slice {
    const char *text; /* NUL-terminated; may hold further NULs in hostile input */
    uint32_t len;
    uint32_t lead; /* bytes of at before the text: an opening quote */
    struct plumb_span at;
    const uint32_t *map;
};

enum plumb_origin {
    PLUMB_ABSENT,    /* nowhere in the input */
    PLUMB_GIVEN,     /* the span is the user's text */
    PLUMB_DEFAULTED, /* from a table; the span is the enclosing entry, or none */
    PLUMB_DERIVED,   /* computed; the span is the value it came from */
    PLUMB_BAD,       /* already reported; everyone else stays quiet */
};

struct plumb_u64 {
    uint64_t v;
    struct plumb_span at;
    enum plumb_origin origin;
};

/* Computed from the value at the span. */
static inline struct plumb_u64 plumb_u64_derived(uint64_t v, struct plumb_span at)
{
    return (struct plumb_u64){.v = v, .at = at, .origin = PLUMB_DERIVED};
}

struct plumb_bool {
    bool v;
    struct plumb_span at;
    enum plumb_origin origin;
};

struct plumb_text {
    const char *v; /* interned, NULL when absent */
    struct plumb_span at;
    enum plumb_origin origin;
};

/* Absent and bad values are not usable; everything else is. */
static inline bool plumb_origin_usable(enum plumb_origin o)
{
    return o != PLUMB_ABSENT && o != PLUMB_BAD;
}
#define plumb_usable(value) plumb_origin_usable((value).origin)

static inline bool plumb_span_known(struct plumb_span at)
{
    return at.file != 0;
}

/* All of it stands within the other, which is known. */
static inline bool plumb_span_within(struct plumb_span at, struct plumb_span outer)
{
    return plumb_span_known(outer) && at.file == outer.file && at.begin >= outer.begin &&
           at.end <= outer.end;
}

/* The smallest span that holds both; both are of one file. */
struct plumb_span plumb_span_join(struct plumb_span a, struct plumb_span b);

/* The place of text[begin, end) of a slice: the smallest text that is wrong. */
struct plumb_span plumb_slice_span(const struct plumb_slice *s, size_t begin, size_t end);

/* Part of a slice, as a slice. */
struct plumb_slice plumb_slice_sub(const struct plumb_slice *s, size_t begin, size_t end);

/* ASCII comparison without case; the second is a C string. */
bool plumb_slice_is(const struct plumb_slice *s, const char *word);
bool plumb_slice_is_exact(const struct plumb_slice *s, const char *word);
/* Text anywhere in a value, without case. */
bool plumb_slice_holds(const struct plumb_slice *value, const char *text);
/* The same; found gets the first place of the text. */
bool plumb_slice_find(const struct plumb_slice *value, const char *text, struct plumb_slice *found);

#endif
