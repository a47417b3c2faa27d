/* SPDX-License-Identifier: Apache-2.0 */
/* Host lists: any bytes are read or refused, and what is read survives a round trip. */
#include "base/session.h"
#include "model/hostlist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct plumb_hostlist *read_text(struct plumb_session *s, const char *text, size_t len,
                                        enum plumb_release r)
{
    struct plumb_source *src = plumb_source_add(&s->sources, "fuzz", text, len);
    struct plumb_slice slice = {.text = src->bytes, .len = src->len, .at = plumb_source_span(src)};

    return plumb_hostlist_read(s, &slice, r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_arena *arena = plumb_arena_new(NULL), *scratch = plumb_arena_new(NULL);
    struct plumb_session s;
    struct plumb_hostlist *h = NULL;

    plumb_session_init(&s, arena, scratch);
    if (size > 0)
        h = read_text(&s, (const char *)data + 1, size - 1,
                      data[0] % 2 == 0 ? PLUMB_RELEASE_OLDEST : PLUMB_RELEASE_NEWEST);
    if (h != NULL && h->range_count < 2000 && h->count < 20000) {
        struct plumb_buf out = plumb_buf_in(arena);

        s.sink.count = 0;
        plumb_hostlist_text(h, &out);

        struct plumb_hostlist *again =
            read_text(&s, plumb_buf_text(&out), out.len, PLUMB_RELEASE_NEWEST);

        /* A prefix that ends in many digits can make a number that is too large for a name. */
        PLUMB_ASSERT(again != NULL || s.sink.count > 0);
        if (again != NULL) {
            PLUMB_ASSERT(again->count == h->count);
            PLUMB_ASSERT(plumb_hostlist_minus(arena, h, again)->count == 0);
            PLUMB_ASSERT(plumb_hostlist_intersect(arena, h, again)->count ==
                         plumb_hostlist_union(arena, h, again)->count);
        }
        (void)plumb_hostlist_repeated(arena, h);
    }
    plumb_arena_free(scratch);
    plumb_arena_free(arena);
    return 0;
}
