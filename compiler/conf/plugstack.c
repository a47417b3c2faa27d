/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plugstack.conf, which has a grammar of its own (spank(7), CONFIGURATION): "required" or
 * "optional", the path of a plugin and its arguments, or "include" and a pattern. A '#' counts at
 * the beginning of a line alone (spank.c:_plugin_stack_parse_line). What an include names is read
 * in its place: relative to the folder of the file that includes, in the order of names.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/text.h"
#include "conf/read.h"

struct line {
    const char *text;
    size_t len;
    uint32_t begin;
};

/* A file while it is read, and those that include it. */
struct frame {
    const struct plumb_source *src;
    const char *folder; /* to open files in; NULL: the text is from no file */
    const char *shown;  /* the same for findings */
    const struct frame *up;
    struct plumb_span at; /* of the include that led here */
    size_t depth;
};

struct stack {
    struct plumb_session *session;
    struct plumb_plugstack *out;
    size_t cap, includes;
};

static void read_file(struct stack *s, const struct frame *f);

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
static void report(struct stack *s, struct plumb_span at, const char *message)
{
    struct plumb_diag *d =
        plumb_diag_new(&s->session->sink, &plumb_conf_syntax_rows[PLUMB_CONF_PLUGSTACK], at,
                       "%s; slurmd %s and every command complain and leave the line out", message,
                       plumb_release_name(s->session->sink.release));

    plumb_diag_effect(d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool leads_back(struct stack *s, const struct frame *frame, const struct plumb_source *src,
                       struct plumb_span at)
{
    for (const struct frame *f = frame; f != NULL; f = f->up) {
        if (strcmp(f->src->path, src->path) != 0)
            continue;
        report(s, at,
               plumb_arena_printf(s->session->arena,
                                  "'%s' includes itself, expected a file that is not being read "
                                  "already",
                                  src->path));
        return true;
    }
    return false;
}

/* "a/b/../c" as "a/c", in place: so that a file has one name. */
static void shorten(char *path)
{
    for (char *up = strstr(path, "/../"); up != NULL; up = strstr(path, "/../")) {
        char *from = up;

        while (from > path && from[-1] != '/')
            from--;
        if (from == up || strncmp(from, "../", 3) == 0)
            return;
        memmove(from, up + 4, strlen(up + 4) + 1);
    }
}

static void follow(struct stack *s, const struct frame *frame, const char *path,
                   struct plumb_span at)
{
    struct plumb_arena *a = s->session->arena;
    const char *shown = path;
    size_t len = strlen(frame->folder);
    struct plumb_source *src = NULL;

    if (++s->includes > PLUMB_MAX_INCLUDES || frame->depth >= PLUMB_MAX_INCLUDE_DEPTH)
        return;
    if (strncmp(path, frame->folder, len) == 0 && path[len] == '/')
        shown = plumb_path_join(a, frame->shown, path + len + 1);
    if (plumb_source_load(&s->session->sources, path, shown, &src) != PLUMB_OK ||
        leads_back(s, frame, src, at))
        return;

    struct frame child = {.src = src,
                          .folder = plumb_path_folder(a, path),
                          .shown = plumb_path_folder(a, shown),
                          .up = frame,
                          .at = at,
                          .depth = frame->depth + 1};

    read_file(s, &child);
}

/* Files that match, in the order of their bytes: the locale of the machine does not count. */
static size_t follow_pattern(struct stack *s, const struct frame *frame, const char *pattern,
                             struct plumb_span at)
{
    glob_t found = {0};
    size_t count = 0;

    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        count = found.gl_pathc;
        qsort(found.gl_pathv, count, sizeof(*found.gl_pathv), compare);
        for (size_t i = 0; i < count; i++) {
            char *path = plumb_arena_strdup(s->session->arena, found.gl_pathv[i]);

            shorten(path);
            follow(s, frame, path, at);
        }
    }
    globfree(&found);
    return count;
}

/* The last two parts of an absolute pattern: the folder of a copy of /etc/slurm may have them. */
static const char *last_parts(const char *pattern)
{
    const char *cut = pattern;
    size_t parts = 0;

    for (const char *p = pattern + strlen(pattern); p > pattern && parts < 2; p--) {
        if (p[-1] == '/') {
            cut = p;
            parts++;
        }
    }
    return cut;
}

static void include(struct stack *s, const struct frame *frame, const struct line *line,
                    size_t begin, size_t end)
{
    struct plumb_arena *a = s->session->arena;
    const char *pattern = plumb_arena_strndup(a, line->text + begin, end - begin);
    struct plumb_span at = {frame->src->id, line->begin + (uint32_t)begin,
                            line->begin + (uint32_t)end};

    if (frame->folder == NULL)
        return;
    if (pattern[0] == '/') {
        /* What lies elsewhere on the machine of the cluster cannot be known here. */
        if (follow_pattern(s, frame, pattern, at) == 0 &&
            follow_pattern(s, frame, plumb_path_join(a, frame->folder, last_parts(pattern)), at) ==
                0 &&
            strpbrk(plumb_path_base(pattern), "*?[") == NULL)
            (void)follow_pattern(s, frame,
                                 plumb_path_join(a, frame->folder, plumb_path_base(pattern)), at);
        return;
    }
    if (follow_pattern(s, frame, plumb_path_join(a, frame->folder, pattern), at) > 0 ||
        strpbrk(pattern, "*?[") != NULL)
        return;

    struct plumb_diag *d = plumb_diag_new(
        &s->session->sink, &plumb_conf_syntax_rows[PLUMB_CONF_PLUGSTACK_MISSING], at,
        "there is no '%s' beside the file, expected one; slurmd %s and every command pass over it",
        pattern, plumb_release_name(s->session->sink.release));

    plumb_diag_effect(d, PLUMB_EFFECT_IGNORED, PLUMB_SLURMD);
}

static void check_line(struct stack *s, const struct frame *frame, const struct line *line)
{
    size_t pos = 0, begin = 0, end = 0, path = 0;
    bool is_include = false;
    struct plumb_span at;

    if (!next_word(line, &pos, &begin) || line->text[begin] == '#')
        return;
    end = pos;
    at = (struct plumb_span){frame->src->id, line->begin + (uint32_t)begin,
                             line->begin + (uint32_t)end};
    is_include = is_word(line, begin, end, "include");
    if (!is_include && !is_word(line, begin, end, "required") &&
        !is_word(line, begin, end, "optional"))
        report(s, at,
               plumb_arena_printf(
                   s->session->arena,
                   "'%s' begins no rule, expected 'required', 'optional' or "
                   "'include' in lower case",
                   plumb_conf_clip(s->session->arena, line->text + begin, end - begin)));
    else if (!next_word(line, &pos, &path))
        report(s, at,
               is_include ? "'include' names no file, expected a path or a pattern"
                          : "the line names no plugin, expected its path");
    else if (is_include)
        include(s, frame, line, path, pos);
}

static void read_file(struct stack *s, const struct frame *f)
{
    struct plumb_plugstack *out = s->out;
    struct line line;
    size_t at = 0;

    out->sources = plumb_arena_grow(s->session->arena, out->sources, out->count, &s->cap,
                                    sizeof(*out->sources));
    out->sources[out->count++] = f->src;
    while (next_line(f->src, &at, &line))
        check_line(s, f, &line);
}

struct plumb_plugstack *plumb_plugstack_check(struct plumb_session *s,
                                              const struct plumb_source *src, const char *folder)
{
    struct stack stack = {.session = s, .out = PLUMB_NEW(s->arena, struct plumb_plugstack)};
    struct frame top = {.src = src, .folder = folder};

    top.shown = plumb_path_folder(s->arena, src->path);
    read_file(&stack, &top);
    return stack.out;
}
