/* SPDX-License-Identifier: Apache-2.0 */
/* Include: which file it names, and reading it in its place. */
#include <string.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/text.h"
#include "conf/read.h"
#include "schema/trait.h"

static const char word[] = "include";
enum { WORD = sizeof(word) - 1 };

static const char *shown_folder(const struct plumb_conf_reader *r)
{
    if (r->options->shown_directory != NULL)
        return r->options->shown_directory;
    return plumb_path_folder(r->session->arena, r->doc->src->path);
}

/* Replaces %c by the lower-cased cluster name (parse_config.c:_parse_for_format). NULL: reported.
 */
static const char *expand(struct plumb_conf_reader *r, const struct plumb_slice *name)
{
    struct plumb_buf b = plumb_buf_in(r->session->arena);

    for (uint32_t i = 0; i < name->len; i++) {
        if (name->text[i] != '%' || i + 1 == name->len || name->text[i + 1] != 'c') {
            plumb_buf_char(&b, name->text[i]);
            continue;
        }
        if (r->cluster == NULL) {
            plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_CLUSTER, plumb_slice_span(name, i, i + 2),
                                  "'%%c' is used before a cluster name is known, expected %s",
                                  r->doc->file == PLUMB_SLURM_CONF
                                      ? "'ClusterName' above this line"
                                      : "the name itself: only slurm.conf sets 'ClusterName'");
            return NULL;
        }
        for (const char *c = r->cluster; *c != '\0'; c++)
            plumb_buf_char(&b, plumb_lower(*c));
        i++;
    }
    return plumb_buf_text(&b);
}

/* A path of the machine that the files were copied from: the file may lie beside slurm.conf. */
static enum plumb_status load_beside(struct plumb_conf_reader *r, const char *name,
                                     struct plumb_source **out)
{
    struct plumb_arena *a = r->session->arena;
    const char *base = plumb_path_base(name);

    return plumb_source_load(&r->session->sources, plumb_path_join(a, r->options->directory, base),
                             plumb_path_join(a, shown_folder(r), base), out);
}

static void report_missing(struct plumb_conf_reader *r, const struct plumb_slice *name,
                           const char *path, enum plumb_status status)
{
    const char *what = status == PLUMB_NOT_A_FILE  ? "is a folder"
                       : status == PLUMB_TOO_LARGE ? "is too large"
                                                   : "cannot be read";
    struct plumb_diag *d = plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_MISSING, name->at,
                                                 "included file '%s' %s, expected a file%s", path,
                                                 what, path[0] == '/' ? "" : " beside slurm.conf");

    r->doc->partial = true;
    /* What lies elsewhere on the machine of the cluster cannot be known here. */
    if (path[0] == '/') {
        plumb_diag_severity(d, PLUMB_WARNING);
        r->session->sink.incomplete = true;
    }
}

static struct plumb_source *load(struct plumb_conf_reader *r, const struct plumb_slice *name,
                                 const char *path)
{
    struct plumb_arena *a = r->session->arena;
    struct plumb_source *src = NULL;
    enum plumb_status status =
        plumb_source_load(&r->session->sources, plumb_path_join(a, r->options->directory, path),
                          plumb_path_join(a, shown_folder(r), path), &src);

    if (status == PLUMB_CANNOT_READ && path[0] == '/')
        status = load_beside(r, path, &src);
    if (status == PLUMB_OK)
        return src;
    report_missing(r, name, path, status);
    return NULL;
}

static bool within_limits(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                          const struct plumb_slice *name)
{
    if (r->includes < PLUMB_MAX_INCLUDES && frame->depth < PLUMB_MAX_INCLUDE_DEPTH) {
        r->includes++;
        return true;
    }
    plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_LIMIT, name->at,
                          "'%s' is not followed, expected at most %d includes, %d deep", name->text,
                          PLUMB_MAX_INCLUDES, PLUMB_MAX_INCLUDE_DEPTH);
    r->session->sink.incomplete = true;
    return false;
}

static bool is_loop(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                    const struct plumb_slice *name, const struct plumb_source *src)
{
    for (const struct plumb_conf_frame *f = frame; f != NULL; f = f->up) {
        if (f->src != src)
            continue;

        struct plumb_diag *d = plumb_conf_read_fault(
            r, PLUMB_CONF_INCLUDE_LOOP, name->at,
            "'%s' includes itself, expected a file that is not being read already", src->path);

        if (f->up != NULL)
            plumb_diag_note(d, f->at, "it was included here");
        return true;
    }
    return false;
}

static bool is_pattern(struct plumb_conf_reader *r, const struct plumb_slice *name)
{
    const char *star = memchr(name->text, '*', name->len);
    size_t at = 0;

    if (star == NULL)
        return false;
    at = (size_t)(star - name->text);
    plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_PATTERN, plumb_slice_span(name, at, at + 1),
                          "'%s' is a pattern, expected the name of one file", name->text);
    return true;
}

/* slurmdbd may refuse included files that others may read. */
static void check_mode(struct plumb_conf_reader *r, const struct plumb_slice *name,
                       const struct plumb_source *src)
{
    if (r->doc->file != PLUMB_SLURMDBD_CONF ||
        !plumb_trait_value(r->session->table, r->options->release,
                           PLUMB_TRAIT_MODE_OF_INCLUDES_CHECKED) ||
        src->mode == 0 || (src->mode & 0777u) == 0600u)
        return;
    plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_MODE, name->at,
                          "included file '%s' has mode %04o, expected 0600", src->path,
                          (unsigned)(src->mode & 0777u));
}

static void follow(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                   const struct plumb_slice *name)
{
    const char *path = NULL;
    struct plumb_source *src = NULL;

    if (r->options->no_includes) {
        plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_NOT_FOLLOWED, name->at,
                              "'%s' is not followed, expected text that was read from a file",
                              name->text);
        r->session->sink.incomplete = true;
        return;
    }
    if (is_pattern(r, name) || !within_limits(r, frame, name))
        return;
    path = expand(r, name);
    if (path == NULL)
        return;
    src = load(r, name, path);
    if (src == NULL || is_loop(r, frame, name, src))
        return;
    check_mode(r, name, src);

    struct plumb_conf_frame child = {
        .src = src,
        .up = frame,
        .at = name->at,
        .line = r->doc->count,
        .depth = frame->depth + 1,
    };

    plumb_conf_read_source(r, &child);
}

/* "Include=x", "Include = x", "Include" */
static void report_form(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                        struct plumb_span at, const char *what)
{
    plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_SIGN, at,
                          "%s, expected 'Include', a blank and a file name", what);
    plumb_conf_read_line(r, frame, PLUMB_CONF_BAD, at);
}

static void check_place(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                        const struct plumb_conf_text *t, uint32_t begin, uint32_t name_end)
{
    uint32_t rest = plumb_conf_skip_blanks(t, name_end), end = t->len;

    if (plumb_is_blank(t->text[0]))
        plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_INDENTED,
                              plumb_conf_text_span(t, frame->src, begin, begin + WORD),
                              "'%.*s' stands behind a blank, expected it at the first column", WORD,
                              t->text + begin);
    if (rest == end)
        return;
    while (plumb_is_blank(t->text[end - 1]))
        end--;
    plumb_conf_read_fault(r, PLUMB_CONF_INCLUDE_LEFT_OVER,
                          plumb_conf_text_span(t, frame->src, rest, end),
                          "'%s' is left over behind the file name, expected the end of the line",
                          plumb_conf_clip(r->session->arena, t->text + rest, end - rest));
}

bool plumb_conf_read_include(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                             const struct plumb_conf_text *t, uint32_t begin)
{
    struct plumb_arena *a = r->session->arena;
    uint32_t behind = begin + WORD, name = 0, end = 0;
    struct plumb_conf_line *line = NULL;

    if (t->len < behind || !plumb_equal_nocase(t->text + begin, word, WORD))
        return false;
    name = plumb_conf_skip_blanks(t, behind);
    if (name < t->len && t->text[name] == '=') {
        report_form(r, frame, plumb_conf_text_span(t, frame->src, begin, name + 1),
                    "an Include takes no '='");
        return true;
    }
    if (name == t->len) {
        report_form(r, frame, plumb_conf_text_span(t, frame->src, begin, behind),
                    "the Include names no file");
        return true;
    }
    if (name == behind)
        return false;
    end = plumb_conf_skip_word(t, name);
    check_place(r, frame, t, begin, end);

    struct plumb_setting *pair = PLUMB_NEW(a, struct plumb_setting);

    pair->key = plumb_arena_strndup(a, t->text + begin, behind - begin);
    pair->key_at = plumb_conf_text_span(t, frame->src, begin, behind);
    pair->value = plumb_conf_text_slice(a, t, frame->src, name, end, NULL);
    pair->origin = PLUMB_GIVEN;
    pair->op = ' ';
    line = plumb_conf_read_line(r, frame, PLUMB_CONF_INCLUDE,
                                plumb_span_join(pair->key_at, pair->value.at));
    line->pairs = pair;
    line->count = line->cap = 1;
    follow(r, frame, &pair->value);
    return true;
}
