/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting text into words, with the place of each letter. */
#include "job/words.h"

#include <string.h>

#include "base/text.h"

/* A word that grows: its bytes, and where each came from. */
struct cut {
    struct plumb_arena *arena;
    char *text;
    uint32_t *map;
    uint32_t len, cap, begin;
    uint32_t file;
};

static struct cut cut_begin(struct plumb_session *s, const struct plumb_source *src, uint32_t at)
{
    return (struct cut){.arena = s->arena, .begin = at, .file = src->id};
}

static void cut_add(struct cut *c, char letter, uint32_t at)
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

static struct plumb_slice cut_end(struct cut *c, uint32_t end)
{
    cut_add(c, '\0', end);
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
    struct cut c;

    *open = false;
    while (p < end && plumb_is_blank(b[p]))
        p++;
    c = cut_begin(s, src, p);
    *at = p;
    if (p == end || b[p] == '#')
        return false;
    while (p < end && (quote != '\0' || !plumb_is_blank(b[p]))) {
        if (b[p] == '\\' && p + 1 < end) {
            cut_add(&c, b[p + 1], p + 1);
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
            cut_add(&c, b[p], p);
            p++;
        }
    }
    *at = p;
    *open = quote != '\0';
    *out = (struct plumb_job_word){.text = cut_end(&c, p)};
    return true;
}

/* Skips blanks, joined lines and comments. */
static uint32_t skip_blanks(const struct plumb_source *src, uint32_t p)
{
    const char *b = src->bytes;

    while (p < src->len) {
        if (b[p] == '\\' && p + 1 < src->len && b[p + 1] == '\n') {
            p += 2;
        } else if (b[p] == '#') {
            while (p < src->len && b[p] != '\n')
                p++;
        } else if (b[p] != '\n' && plumb_is_blank(b[p])) {
            p++;
        } else {
            break;
        }
    }
    return p;
}

/* Inside double quotes, from behind the opening one; the place behind the closing one. */
static uint32_t double_quoted(const struct plumb_source *src, uint32_t p, struct cut *c,
                              bool *unknown)
{
    const char *b = src->bytes;

    while (p < src->len && b[p] != '"') {
        if (b[p] == '\\' && p + 1 < src->len) {
            if (b[p + 1] == '\n') {
                p += 2;
                continue;
            }
            if (strchr("$`\"\\", b[p + 1]) != NULL && b[p + 1] != '\0')
                p++;
        } else if (b[p] == '$' || b[p] == '`') {
            *unknown = true;
        }
        cut_add(c, b[p], p);
        p++;
    }
    return p < src->len ? p + 1 : p;
}

static bool ends_word(char c)
{
    return plumb_is_blank(c) || strchr(";&|()<>", c) != NULL;
}

static uint32_t shell_word(struct plumb_session *s, const struct plumb_source *src, uint32_t p,
                           struct plumb_job_word *out)
{
    const char *b = src->bytes;
    struct cut c = cut_begin(s, src, p);
    bool unknown = false;

    while (p < src->len && b[p] != '\0' && !ends_word(b[p])) {
        if (b[p] == '\\' && p + 1 < src->len) {
            if (b[p + 1] != '\n')
                cut_add(&c, b[p + 1], p + 1);
            p += 2;
        } else if (b[p] == '\'') {
            for (p++; p < src->len && b[p] != '\''; p++)
                cut_add(&c, b[p], p);
            p = p < src->len ? p + 1 : p;
        } else if (b[p] == '"') {
            p = double_quoted(src, p + 1, &c, &unknown);
        } else {
            unknown = unknown || strchr("$`*?{~", b[p]) != NULL;
            cut_add(&c, b[p], p);
            p++;
        }
    }
    *out = (struct plumb_job_word){.text = cut_end(&c, p), .unknown = unknown};
    return p;
}

/* "<", ">>", "2>&1", "<<-": *at is on the sign. */
static enum plumb_job_token redirect(const struct plumb_source *src, uint32_t *at)
{
    const char *b = src->bytes;
    uint32_t p = *at;
    bool heredoc = b[p] == '<' && p + 2 < src->len && b[p + 1] == '<' && b[p + 2] != '<';

    while (p < src->len && (b[p] == '<' || b[p] == '>' || b[p] == '&' || b[p] == '|'))
        p++;
    if (heredoc && p < src->len && b[p] == '-')
        p++;
    *at = p;
    return heredoc ? PLUMB_JOB_HEREDOC : PLUMB_JOB_REDIRECT;
}

enum plumb_job_token plumb_job_shell_token(struct plumb_session *s, const struct plumb_source *src,
                                           uint32_t *at, struct plumb_job_word *out)
{
    const char *b = src->bytes;
    uint32_t p = skip_blanks(src, *at);

    *at = p;
    if (p >= src->len)
        return PLUMB_JOB_END;
    if (b[p] == '\n') {
        *at = p + 1;
        return PLUMB_JOB_NEWLINE;
    }
    if (b[p] == '<' || b[p] == '>')
        return redirect(src, at);
    if (ends_word(b[p]) || b[p] == '\0') {
        *at = p + 1;
        return PLUMB_JOB_SEPARATOR;
    }
    *at = shell_word(s, src, p, out);
    return PLUMB_JOB_WORD;
}

void plumb_job_skip_heredoc(const struct plumb_source *src, uint32_t *at,
                            const struct plumb_slice *word)
{
    const char *b = src->bytes;
    uint32_t p = *at;

    while (p < src->len) {
        uint32_t begin = p, end = 0;

        while (p < src->len && b[p] != '\n')
            p++;
        end = p;
        p = p < src->len ? p + 1 : p;
        while (begin < end && b[begin] == '\t')
            begin++;
        if (end - begin == word->len && memcmp(b + begin, word->text, word->len) == 0)
            break;
    }
    *at = p;
}
