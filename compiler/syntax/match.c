/* SPDX-License-Identifier: Apache-2.0 */
/* PCRE2 behind a small face. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "syntax/match.h"

#include <pcre2.h>

struct plumb_matcher {
    pcre2_general_context *general;
    pcre2_match_data *data;
    pcre2_code **codes;
    size_t count;
};

static void *take(size_t size, void *arena)
{
    return plumb_arena_raw(arena, size);
}

/* The arena is dropped as a whole. */
static void leave(void *block, void *arena)
{
    (void)block;
    (void)arena;
}

struct plumb_matcher *plumb_matcher_new(struct plumb_arena *a, const char *const *patterns,
                                        size_t count)
{
    struct plumb_matcher *m = PLUMB_NEW(a, struct plumb_matcher);

    m->general = pcre2_general_context_create(take, leave, a);
    m->data = pcre2_match_data_create(PLUMB_MATCH_GROUPS, m->general);
    m->codes = PLUMB_NEW_ARRAY(a, count, pcre2_code *);
    m->count = count;

    pcre2_compile_context *context = pcre2_compile_context_create(m->general);

    for (size_t i = 0; i < count; i++) {
        int error = 0;
        PCRE2_SIZE at = 0;

        m->codes[i] = pcre2_compile((PCRE2_SPTR)patterns[i], PCRE2_ZERO_TERMINATED,
                                    PCRE2_NEVER_UTF | PCRE2_NEVER_UCP, &error, &at, context);
        PLUMB_ASSERT(m->codes[i] != NULL);
        (void)pcre2_jit_compile(m->codes[i], PCRE2_JIT_COMPLETE); /* slower without, not wrong */
    }
    return m;
}

void plumb_matcher_free(struct plumb_matcher *m)
{
    for (size_t i = 0; i < m->count; i++)
        pcre2_code_free(m->codes[i]);
}

bool plumb_matcher_find(struct plumb_matcher *m, size_t pattern, const char *text, size_t len,
                        size_t from, struct plumb_match *out)
{
    int groups = pcre2_match(m->codes[pattern], (PCRE2_SPTR)text, len, from, 0, m->data, NULL);

    if (groups < 0)
        return false;
    if (groups == 0) /* it matches, and has more groups than are kept */
        groups = PLUMB_MATCH_GROUPS;

    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(m->data);

    *out = (struct plumb_match){{0}, {0}};
    for (size_t i = 0; i < (size_t)groups; i++) {
        if (ends[2 * i] == PCRE2_UNSET)
            continue;
        out->begin[i] = ends[2 * i];
        out->end[i] = ends[2 * i + 1];
    }
    return true;
}
