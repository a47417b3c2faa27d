/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plugstack.conf, which has a grammar of its own (spank(7), CONFIGURATION): "required" or
 * "optional", the path of a plugin and its arguments, or "include" and a pattern. A '#' counts at
 * the beginning of a line alone (spank.c:_plugin_stack_parse_line).
 */
#include <string.h>

#include "base/text.h"
#include "conf/read.h"

struct line {
    const char *text;
    size_t len;
    uint32_t begin;
};

static bool next_line(const struct plumb_source *src, size_t *at, struct line *out)
{
    const char *end = NULL;

    if (*at >= src->len)
        return false;
    end = memchr(src->bytes + *at, '\n', src->len - *at);
    out->text = src->bytes + *at;
    out->begin = (uint32_t)*at;
    out->len = end == NULL ? src->len - *at : (size_t)(end - out->text);
    *at += out->len + 1;
    return true;
}

/* The next word from *pos on; false at the end of the line. */
static bool next_word(const struct line *line, size_t *pos, size_t *begin)
{
    while (*pos < line->len && plumb_is_blank(line->text[*pos]))
        (*pos)++;
    *begin = *pos;
    while (*pos < line->len && !plumb_is_blank(line->text[*pos]))
        (*pos)++;
    return *pos > *begin;
}

static bool is_word(const struct line *line, size_t begin, size_t end, const char *word)
{
    return strlen(word) == end - begin && memcmp(line->text + begin, word, end - begin) == 0;
}

/* Commands say it each time they start; slurmd says it once. */
static void report(struct plumb_session *s, struct plumb_span at, const char *message)
{
    struct plumb_diag *d =
        plumb_diag_new(&s->sink, &plumb_conf_syntax_rows[PLUMB_CONF_PLUGSTACK], at,
                       "%s; slurmd %s and every command complain and leave the line out", message,
                       plumb_release_name(s->sink.release));

    plumb_diag_effect(d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
}

static void check_line(struct plumb_session *s, const struct plumb_source *src,
                       const struct line *line)
{
    size_t pos = 0, begin = 0, end = 0, path = 0;
    bool include = false;
    struct plumb_span at;

    if (!next_word(line, &pos, &begin) || line->text[begin] == '#')
        return;
    end = pos;
    at = (struct plumb_span){src->id, line->begin + (uint32_t)begin, line->begin + (uint32_t)end};
    include = is_word(line, begin, end, "include");
    if (!include && !is_word(line, begin, end, "required") &&
        !is_word(line, begin, end, "optional"))
        report(s, at,
               plumb_arena_printf(s->arena,
                                  "'%s' begins no rule, expected 'required', 'optional' or "
                                  "'include' in lower case",
                                  plumb_conf_clip(s->arena, line->text + begin, end - begin)));
    else if (!next_word(line, &pos, &path))
        report(s, at,
               include ? "'include' names no file, expected a path or a pattern"
                       : "the line names no plugin, expected its path");
}

void plumb_plugstack_check(struct plumb_session *s, const struct plumb_source *src)
{
    struct line line;
    size_t at = 0;

    while (next_line(src, &at, &line))
        check_line(s, src, &line);
}
