/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting text into words, with the place of each letter. */
#include "job/words.h"

#include <string.h>

#include "base/text.h"

struct plumb_job_cut plumb_job_cut_begin(struct plumb_session *s, const struct plumb_source *src,
                                         uint32_t at)
{
    return (struct plumb_job_cut){.arena = s->arena, .begin = at, .file = src->id};
}

void plumb_job_cut_add(struct plumb_job_cut *c, char letter, uint32_t at)
{
    if (c->len + 1 >= c->cap) {
        uint32_t cap = c->cap == 0 ? 32 : c->cap * 2;
        char *text = plumb_arena_alloc(c->arena, cap);
        uint32_t *map = plumb_arena_array(c->arena, cap, sizeof(*map));

        if (c->len > 0) {
            memcpy(text, c->text, c->len);
            memcpy(map, c->map, c->len * sizeof(*map));
        }
        c->text = text;
        c->map = map;
        c->cap = cap;
    }
    c->text[c->len] = letter;
    c->map[c->len++] = at;
}

struct plumb_slice plumb_job_cut_end(struct plumb_job_cut *c, uint32_t end)
{
    plumb_job_cut_add(c, '\0', end);
    c->len--;
    return (struct plumb_slice){
        .text = c->text,
        .len = c->len,
        .at = {c->file, c->begin, end},
        .map = c->map,
    };
}

void plumb_job_words_add(struct plumb_arena *a, struct plumb_job_words *w,
                         const struct plumb_job_word *word)
{
    w->items = plumb_arena_grow(a, w->items, w->count, &w->cap, sizeof(*w->items));
    w->items[w->count++] = *word;
}

/* A backslash before a blank gives the blank; before all else the next letter is taken as it is. */
bool plumb_job_directive_word(struct plumb_session *s, const struct plumb_source *src, uint32_t *at,
                              uint32_t end, struct plumb_job_word *out, bool *open)
{
    const char *b = src->bytes;
    uint32_t p = *at;
    char quote = '\0';
    struct plumb_job_cut c;

    *open = false;
    while (p < end && plumb_is_blank(b[p]))
        p++;
    c = plumb_job_cut_begin(s, src, p);
    *at = p;
    if (p == end || b[p] == '#')
        return false;
    while (p < end && (quote != '\0' || !plumb_is_blank(b[p]))) {
        if (b[p] == '\\' && p + 1 < end) {
            plumb_job_cut_add(&c, b[p + 1], p + 1);
            p += 2;
        } else if (b[p] == '\\') {
            p++;
        } else if (quote != '\0' && b[p] == quote) {
            quote = '\0';
            p++;
        } else if (quote == '\0' && (b[p] == '"' || b[p] == '\'')) {
            quote = b[p++];
        } else if (quote == '\0' && b[p] == '#') {
            break;
        } else {
            plumb_job_cut_add(&c, b[p], p);
            p++;
        }
    }
    *at = p;
    *open = quote != '\0';
    *out = (struct plumb_job_word){.text = plumb_job_cut_end(&c, p)};
    return true;
}
