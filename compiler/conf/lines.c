/* SPDX-License-Identifier: Apache-2.0 */
/* Logical lines of a Slurm key=value file, with the place of every byte. */
#include "conf/lines.h"

#include <string.h>

#include "base/text.h"
#include "conf/syntax_rules.h"

/* One physical line, before joining. */
struct physical {
    uint32_t begin, end; /* what counts: without comment, continuation, line break */
    uint32_t hash;       /* the '#' of its comment; UINT32_MAX: none */
    bool escapes;        /* a backslash stands in it */
    bool continues;
};

/* Text of several physical lines, or with escapes, being put together. */
struct joiner {
    struct plumb_buf text;
    uint32_t *map;
    size_t count, cap;
};

static bool is_marker(const char *text, size_t len)
{
    static const char marker[] = "plumb:";

    return len >= sizeof(marker) - 1 && memcmp(text, marker, sizeof(marker) - 1) == 0;
}

static bool is_blank_range(const char *text, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        if (!plumb_is_blank(text[i]))
            return false;
    }
    return true;
}

/* Keeps a "# plumb:" comment: the bytes from behind the '#' to the end of the line. */
static void note_comment(struct plumb_conf_cursor *c, uint32_t line_begin, uint32_t hash,
                         uint32_t end)
{
    struct plumb_conf *doc = c->doc;
    const char *bytes = c->src->bytes;
    uint32_t from = hash + 1;

    while (from < end && plumb_is_blank(bytes[from]))
        from++;
    while (end > from && plumb_is_blank(bytes[end - 1]))
        end--;
    if (!is_marker(bytes + from, end - from))
        return;
    doc->comments = plumb_arena_grow(doc->arena, doc->comments, doc->comment_count,
                                     &doc->comment_cap, sizeof(*doc->comments));
    doc->comments[doc->comment_count++] = (struct plumb_conf_comment){
        .text =
            {
                .text = plumb_arena_strndup(doc->arena, bytes + from, end - from),
                .len = end - from,
                .at = {c->src->id, from, end},
            },
        .line = c->line,
        .alone = is_blank_range(bytes, line_begin, hash),
    };
}

/*
 * Cuts the continuation: when what is left ends in an odd number of backslashes, blanks behind
 * them not counted, the last of them joins the next line (parse_config.c:_strip_continuation).
 */
static void cut_continuation(const char *bytes, struct physical *p)
{
    uint32_t end = p->end, slashes = 0;

    while (end > p->begin && plumb_is_blank(bytes[end - 1]))
        end--;
    while (end - slashes > p->begin && bytes[end - slashes - 1] == '\\')
        slashes++;
    if (slashes % 2 == 0)
        return;
    p->continues = true;
    p->end = end - 1;
}

/* The first '#' that no odd number of backslashes precedes ends the line; quotes do not count. */
static uint32_t find_comment(const char *bytes, struct physical *p)
{
    uint32_t slashes = 0;

    for (uint32_t i = p->begin; i < p->end; i++) {
        if (bytes[i] == '#' && slashes % 2 == 0)
            return i;
        slashes = bytes[i] == '\\' ? slashes + 1 : 0;
    }
    return UINT32_MAX;
}

static void report_nul(struct plumb_conf_cursor *c, uint32_t nul, uint32_t end)
{
    while (end > nul + 1 && plumb_is_blank(c->src->bytes[end - 1]))
        end--;
    plumb_conf_fault(&c->session->sink, PLUMB_CONF_NUL_BYTE, c->doc->file,
                     (struct plumb_span){c->src->id, nul, end},
                     "a NUL byte ends the line, the %u bytes behind it are not read, expected text",
                     end - nul - 1);
}

static void next_physical(struct plumb_conf_cursor *c, struct physical *p)
{
    const char *bytes = c->src->bytes;
    uint32_t begin = c->pos, end = 0;
    const char *nl = memchr(bytes + begin, '\n', c->src->len - begin);

    end = nl != NULL ? (uint32_t)(nl - bytes) : c->src->len;
    c->pos = nl != NULL ? end + 1 : end;
    c->line++;
    plumb_line_note(&c->notes, begin);
    *p = (struct physical){.begin = begin, .end = end, .hash = UINT32_MAX};

    const char *nul = memchr(bytes + begin, '\0', end - begin);

    if (nul != NULL) {
        p->end = (uint32_t)(nul - bytes);
        report_nul(c, p->end, end);
    }
    p->hash = find_comment(bytes, p);
    if (p->hash != UINT32_MAX) {
        note_comment(c, begin, p->hash, p->end);
        p->end = p->hash;
    }
    p->escapes = memchr(bytes + begin, '\\', p->end - begin) != NULL;
    if (p->escapes)
        cut_continuation(bytes, p);
}

static void join_byte(struct joiner *j, char byte, uint32_t offset)
{
    plumb_buf_char(&j->text, byte);
    j->map = plumb_arena_grow(j->text.arena, j->map, j->count, &j->cap, sizeof(uint32_t));
    j->map[j->count++] = offset;
}

static void report_backslash(struct plumb_conf_cursor *c, uint32_t at)
{
    plumb_conf_fault(
        &c->session->sink, PLUMB_CONF_BACKSLASH_DROPPED, c->doc->file,
        (struct plumb_span){c->src->id, at, at + 1},
        "the backslash is removed and protects nothing, expected '\\\\' for a backslash "
        "as text");
}

/* Appends a physical line, every backslash dropped and the byte behind it kept. */
static void join_line(struct plumb_conf_cursor *c, struct joiner *j, const struct physical *p)
{
    const char *bytes = c->src->bytes;

    for (uint32_t i = p->begin; i < p->end; i++) {
        if (bytes[i] == '\\' && i + 1 < p->end) {
            if (bytes[i + 1] != '#' && bytes[i + 1] != '\\')
                report_backslash(c, i);
            i++;
        }
        join_byte(j, bytes[i], i);
    }
}

/* Several physical lines, or one with escapes. */
static void join(struct plumb_conf_cursor *c, struct physical *p, struct plumb_conf_text *out)
{
    struct joiner j = {.text = plumb_buf_in(c->doc->arena)};

    for (;;) {
        join_line(c, &j, p);
        if (!p->continues)
            break;
        out->joined = true;
        out->joined_at = p->end;
        if (c->pos >= c->src->len)
            break;
        next_physical(c, p);
    }
    join_byte(&j, '\0', p->end);
    out->text = j.text.text;
    out->len = (uint32_t)(j.count - 1);
    out->map = j.map;
}

bool plumb_conf_next_text(struct plumb_conf_cursor *c, struct plumb_conf_text *out)
{
    while (c->pos < c->src->len) {
        struct physical p;
        uint32_t begin = c->pos;

        next_physical(c, &p);
        if (!p.continues && is_blank_range(c->src->bytes, p.begin, p.end))
            continue;
        *out = (struct plumb_conf_text){.begin = begin};
        if (p.escapes) {
            join(c, &p, out);
            if (is_blank_range(out->text, 0, out->len))
                continue;
        } else {
            out->len = p.end - p.begin;
            out->text = c->src->bytes + begin;
        }
        out->at = (struct plumb_span){c->src->id, begin, p.end};
        out->cut = p.hash != UINT32_MAX && p.hash == p.end;
        out->cut_at = p.hash;
        return true;
    }
    return false;
}

struct plumb_span plumb_conf_text_span(const struct plumb_conf_text *t,
                                       const struct plumb_source *src, uint32_t begin, uint32_t end)
{
    if (t->map == NULL)
        return (struct plumb_span){src->id, t->begin + begin, t->begin + end};
    return (struct plumb_span){src->id, t->map[begin],
                               end > begin ? t->map[end - 1] + 1 : t->map[begin]};
}

struct plumb_slice plumb_conf_text_slice(struct plumb_arena *a, const struct plumb_conf_text *t,
                                         const struct plumb_source *src, uint32_t begin,
                                         uint32_t end, const char *same)
{
    struct plumb_slice s = {
        .text = same != NULL ? same : plumb_arena_strndup(a, t->text + begin, end - begin),
        .len = end - begin,
        .at = {src->id, t->begin + begin, t->begin + end},
    };
    uint32_t *map = NULL;

    if (t->map == NULL)
        return s;
    map = PLUMB_NEW_ARRAY(a, (size_t)s.len + 1, uint32_t);
    memcpy(map, t->map + begin, s.len * sizeof(uint32_t));
    map[s.len] = s.len > 0 ? map[s.len - 1] + 1 : t->map[begin];
    s.map = map;
    s.at = (struct plumb_span){src->id, map[0], map[s.len]};
    /* A backslash before the first byte belongs to it, unless it is the line break's. */
    if (map[0] > 0 && src->bytes[map[0] - 1] == '\\' &&
        (begin == 0 || t->map[begin - 1] + 1 < map[0]))
        s.at.begin--;
    return s;
}
