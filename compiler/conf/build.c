/* SPDX-License-Identifier: Apache-2.0 */
/* Building documents: what targets call. Printing is the work of write.c. */
#include <string.h>

#include "conf/conf.h"

struct plumb_conf *plumb_conf_new(struct plumb_arena *a, enum plumb_file file)
{
    struct plumb_conf *doc = PLUMB_NEW(a, struct plumb_conf);

    doc->arena = a;
    doc->file = file;
    return doc;
}

static struct plumb_conf_line *new_line(struct plumb_conf *doc, enum plumb_conf_kind kind,
                                        enum plumb_scope scope)
{
    struct plumb_conf_line *line = NULL;

    doc->lines = plumb_arena_grow(doc->arena, doc->lines, doc->count, &doc->cap,
                                  sizeof(struct plumb_conf_line));
    line = &doc->lines[doc->count++];
    *line = (struct plumb_conf_line){.kind = kind, .scope = scope};
    return line;
}

static struct plumb_setting *new_pair(struct plumb_conf *doc, struct plumb_conf_line *line)
{
    line->pairs = plumb_arena_grow(doc->arena, line->pairs, line->count, &line->cap,
                                   sizeof(struct plumb_setting));
    return &line->pairs[line->count++];
}

/* Text that was made because of what stands at the cause. */
static struct plumb_slice made(struct plumb_arena *a, const char *text, struct plumb_span cause)
{
    size_t len = strlen(text);

    return (struct plumb_slice){
        .text = plumb_arena_strndup(a, text, len),
        .len = (uint32_t)len,
        .lead = PLUMB_SLICE_MADE,
        .at = cause,
    };
}

void plumb_conf_heading(struct plumb_conf *doc, const char *comment)
{
    struct plumb_conf_line *line = new_line(doc, PLUMB_CONF_HEADING, PLUMB_SCOPE_GLOBAL);

    new_pair(doc, line)->value = made(doc->arena, comment, (struct plumb_span){0});
}

struct plumb_conf_line *plumb_conf_line(struct plumb_conf *doc, enum plumb_scope scope)
{
    return new_line(doc, scope == PLUMB_SCOPE_GLOBAL ? PLUMB_CONF_PAIR : PLUMB_CONF_RECORD, scope);
}

static bool same_span(struct plumb_span a, struct plumb_span b)
{
    return a.file == b.file && a.begin == b.begin && a.end == b.end;
}

void plumb_conf_cause(struct plumb_conf *doc, struct plumb_conf_line *line, struct plumb_span at)
{
    if (!plumb_span_known(at))
        return;
    for (size_t i = 0; i < line->cause_count; i++) {
        if (same_span(line->causes[i], at))
            return;
    }
    line->causes = plumb_arena_grow(doc->arena, line->causes, line->cause_count, &line->cause_cap,
                                    sizeof(struct plumb_span));
    line->causes[line->cause_count++] = at;
    line->at = plumb_span_known(line->at) ? line->at : at;
}

void plumb_conf_add(struct plumb_conf *doc, struct plumb_conf_line *line, enum plumb_param_id param,
                    const char *value, struct plumb_span cause)
{
    const struct plumb_param *p = plumb_param(param);

    PLUMB_ASSERT(line->kind == PLUMB_CONF_RECORD || line->count == 0);
    *new_pair(doc, line) = (struct plumb_setting){
        .param = p,
        .key = p->name,
        .value = made(doc->arena, value, cause),
        .key_at = cause,
        .origin = PLUMB_GIVEN,
        .op = '=',
    };
    plumb_conf_cause(doc, line, cause);
}

void plumb_conf_add_u64(struct plumb_conf *doc, struct plumb_conf_line *line,
                        enum plumb_param_id param, uint64_t value, struct plumb_span cause)
{
    struct plumb_buf b = plumb_buf_in(doc->arena);

    plumb_buf_u64(&b, value);
    plumb_conf_add(doc, line, param, plumb_buf_text(&b), cause);
}
