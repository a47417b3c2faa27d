/* SPDX-License-Identifier: Apache-2.0 */
/* Comments of a YAML text that speak to plumb. libyaml drops comments, so the text is scanned. */
#include <string.h>

#include "base/text.h"
#include "syntax/yaml.h"

struct scan {
    struct plumb_session *s;
    const struct plumb_source *src;
    struct plumb_comment *items;
    size_t count, cap;
    uint32_t line, counted; /* line of the byte offset up to which breaks were counted */
};

static uint32_t line_of(struct scan *c, uint32_t at)
{
    for (; c->counted < at; c->counted++)
        c->line += c->src->bytes[c->counted] == '\n';
    return c->line;
}

/* A '#' begins a comment at the start of a line and behind a blank (YAML 1.1, section 4.4.1.1). */
static bool begins_comment(const struct plumb_source *src, uint32_t at)
{
    return at == 0 || plumb_is_blank(src->bytes[at - 1]) ||
           (at == 3 && memcmp(src->bytes, "\xef\xbb\xbf", 3) == 0);
}

static bool is_alone(const struct plumb_source *src, uint32_t at)
{
    while (at > 0 && (src->bytes[at - 1] == ' ' || src->bytes[at - 1] == '\t'))
        at--;
    return at == 0 || src->bytes[at - 1] == '\n' || src->bytes[at - 1] == '\r' ||
           begins_comment(src, at);
}

/* Takes the comment at a '#' when it is for us; returns the end of its line. */
static uint32_t read_comment(struct scan *c, uint32_t at)
{
    static const char word[] = "plumb:";
    const char *bytes = c->src->bytes;
    uint32_t end = at, begin = at + 1;

    while (end < c->src->len && bytes[end] != '\n' && bytes[end] != '\r')
        end++;

    uint32_t line_end = end;

    while (begin < end && plumb_is_blank(bytes[begin]))
        begin++;
    while (end > begin && plumb_is_blank(bytes[end - 1]))
        end--;
    if (end - begin < sizeof(word) - 1 || memcmp(bytes + begin, word, sizeof(word) - 1) != 0)
        return line_end;
    c->items = plumb_arena_grow(c->s->arena, c->items, c->count, &c->cap, sizeof(*c->items));
    c->items[c->count++] = (struct plumb_comment){
        .text = {.text = plumb_arena_strndup(c->s->arena, bytes + begin, end - begin),
                 .len = end - begin,
                 .lead = begin - at,
                 .at = {c->src->id, at, end}},
        .line = line_of(c, at),
        .alone = is_alone(c->src, at),
    };
    return line_end;
}

size_t plumb_yaml_comments(struct plumb_session *s, const struct plumb_source *src,
                           const struct plumb_yaml *doc, struct plumb_comment **out)
{
    struct scan c = {.s = s, .src = src, .line = 1};
    size_t body = 0;
    uint32_t at = 0;

    while (at < src->len) {
        const char *hash = memchr(src->bytes + at, '#', src->len - at);

        if (hash == NULL)
            break;
        at = (uint32_t)(hash - src->bytes);
        while (body < doc->body_count && doc->bodies[body].end <= at)
            body++;
        if (body < doc->body_count && doc->bodies[body].begin <= at)
            at = doc->bodies[body].end;
        else if (begins_comment(src, at))
            at = read_comment(&c, at);
        else
            at++;
    }
    *out = c.items;
    return c.count;
}
