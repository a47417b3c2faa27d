/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the unit tests. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

const char *fx_shared(struct plumb_arena *a, const char *below)
{
    const char *root = getenv("PLUMB_SHARED");

    return plumb_arena_printf(a, "%s/%s", root != NULL ? root : PLUMB_SOURCE_DIR "/../shared",
                              below);
}

char *fx_part(char **rest, const char *marks)
{
    char *begin = *rest, *end = begin + strcspn(begin, marks);

    if (*begin == '\0')
        return NULL;
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return begin;
}

int fx_setup(void **state)
{
    struct plumb_arena *arena = plumb_arena_new(NULL);
    struct plumb_arena *scratch = plumb_arena_new(NULL);
    struct fixture *fx = PLUMB_NEW(arena, struct fixture);

    fx->arena = arena;
    fx->scratch = scratch;
    plumb_session_init(&fx->session, arena, scratch);
    *state = fx;
    return 0;
}

int fx_teardown(void **state)
{
    struct fixture *fx = *state;

    plumb_arena_free(fx->scratch);
    plumb_arena_free(fx->arena);
    return 0;
}

void fx_row(struct fixture *fx, size_t row, const char *text)
{
    fx->row = row;
    fx->row_text = text;
    fx->session.sink.count = 0;
    fx->seen = 0;
}

struct plumb_source *fx_source(struct fixture *fx, const char *name, const char *text)
{
    return plumb_source_add(&fx->session.sources, name, text, strlen(text));
}

struct plumb_slice fx_slice(struct fixture *fx, const char *text)
{
    struct plumb_source *src = fx_source(fx, "test", text);

    return (struct plumb_slice){
        .text = src->bytes,
        .len = src->len,
        .at = plumb_source_span(src),
    };
}

static const struct plumb_diag *next_finding(struct fixture *fx, const char *code)
{
    const struct plumb_sink *sink = &fx->session.sink;

    if (fx->seen >= sink->count)
        fail_msg("row %zu '%s': expected %s, nothing was reported", fx->row,
                 fx->row_text != NULL ? fx->row_text : "", code);

    const struct plumb_diag *d = sink->items[fx->seen++];

    if (strcmp(d->rule->code, code) != 0)
        fail_msg("row %zu '%s': expected %s, got %s: %s", fx->row,
                 fx->row_text != NULL ? fx->row_text : "", code, d->rule->code, d->message);
    return d;
}

void fx_expect(struct fixture *fx, const char *code, uint32_t begin, uint32_t end)
{
    const struct plumb_diag *d = next_finding(fx, code);

    if (d->at.begin != begin || d->at.end != end)
        fail_msg("row %zu '%s': %s at %u-%u, expected %u-%u: %s", fx->row,
                 fx->row_text != NULL ? fx->row_text : "", code, d->at.begin, d->at.end, begin, end,
                 d->message);
}

void fx_expect_at(struct fixture *fx, const char *code, uint32_t line, uint32_t column)
{
    const struct plumb_diag *d = next_finding(fx, code);
    struct plumb_place p = plumb_source_place(&fx->session.sources, d->at);

    if (p.line != line || p.column != column)
        fail_msg("row %zu '%s': %s at %u:%u, expected %u:%u: %s", fx->row,
                 fx->row_text != NULL ? fx->row_text : "", code, p.line, p.column, line, column,
                 d->message);
}

void fx_expect_nothing_else(struct fixture *fx)
{
    const struct plumb_sink *sink = &fx->session.sink;

    if (fx->seen < sink->count)
        fail_msg("row %zu '%s': unexpected %s: %s", fx->row,
                 fx->row_text != NULL ? fx->row_text : "", sink->items[fx->seen]->rule->code,
                 sink->items[fx->seen]->message);
}
