/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents to bytes. A value is written so that read.c, and Slurm, give the same text back:
 * quoted where it is empty or holds a blank, '#' and backslash escaped everywhere.
 */
#include <string.h>

#include "base/text.h"
#include "conf/conf.h"

struct printer {
    struct plumb_buf *out;
    struct plumb_causes *causes; /* NULL: not wanted */
    uint32_t line;               /* of the output, from 1: the one being written */
    const struct plumb_setting *bad;
};

static void end_line(struct printer *p)
{
    plumb_buf_char(p->out, '\n');
    p->line++;
}

/* One or more lines of comment. */
static void put_comment(struct printer *p, const char *text)
{
    for (;;) {
        size_t len = strcspn(text, "\n");

        plumb_buf_str(p->out, len > 0 ? "# " : "#");
        plumb_buf_add(p->out, text, len);
        end_line(p);
        if (text[len] == '\0')
            return;
        text += len + 1;
    }
}

static void put_escaped(struct printer *p, const struct plumb_slice *s)
{
    for (uint32_t i = 0; i < s->len; i++) {
        if (s->text[i] == '#' || s->text[i] == '\\')
            plumb_buf_char(p->out, '\\');
        plumb_buf_char(p->out, s->text[i]);
    }
}

static bool has_blank(const struct plumb_slice *s)
{
    for (uint32_t i = 0; i < s->len; i++) {
        if (plumb_is_blank(s->text[i]))
            return true;
    }
    return false;
}

static bool holds(const struct plumb_slice *s, char c)
{
    return s->len > 0 && memchr(s->text, c, s->len) != NULL;
}

/* Text in quotes is read without them, wherever it came from: it cannot be written as a value. */
static bool reads_as_quoted(const struct plumb_slice *s)
{
    return s->len >= 2 && s->text[0] == '"' &&
           memchr(s->text + 1, '"', s->len - 1) == s->text + s->len - 1;
}

static bool is_writable(const struct plumb_slice *value, bool quoted)
{
    if (holds(value, '\n') || holds(value, '\0'))
        return false;
    return quoted ? !holds(value, '"') : !reads_as_quoted(value);
}

static void put_value(struct printer *p, const struct plumb_setting *pair)
{
    const struct plumb_slice *value = &pair->value;
    bool quoted = value->len == 0 || has_blank(value);

    if (!is_writable(value, quoted)) {
        if (p->bad == NULL)
            p->bad = pair;
        return;
    }
    if (quoted)
        plumb_buf_char(p->out, '"');
    put_escaped(p, value);
    if (quoted)
        plumb_buf_char(p->out, '"');
}

static void put_pair(struct printer *p, const struct plumb_setting *pair)
{
    plumb_buf_str(p->out, pair->key);
    if (pair->op != '=')
        plumb_buf_char(p->out, pair->op);
    plumb_buf_char(p->out, '=');
    put_value(p, pair);
}

static void put_pairs(struct printer *p, const struct plumb_conf_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        if (i > 0)
            plumb_buf_char(p->out, ' ');
        put_pair(p, &line->pairs[i]);
    }
    end_line(p);
}

/* The name is one word; nothing quotes it. */
static void put_include(struct printer *p, const struct plumb_conf_line *line)
{
    const struct plumb_setting *pair = &line->pairs[0];

    if (pair->value.len == 0 || has_blank(&pair->value) || holds(&pair->value, '\0'))
        p->bad = p->bad == NULL ? pair : p->bad;
    plumb_buf_str(p->out, "Include ");
    put_escaped(p, &pair->value);
    end_line(p);
}

static void put_causes(struct printer *p, const struct plumb_conf_line *line)
{
    if (p->causes == NULL)
        return;
    if (line->cause_count == 0)
        plumb_cause_add(p->causes, p->line, line->at);
    for (size_t i = 0; i < line->cause_count; i++)
        plumb_cause_add(p->causes, p->line, line->causes[i]);
}

static void put_line(struct printer *p, const struct plumb_conf_line *line)
{
    switch (line->kind) {
    case PLUMB_CONF_PAIR:
    case PLUMB_CONF_RECORD:
        put_causes(p, line);
        put_pairs(p, line);
        break;
    case PLUMB_CONF_INCLUDE:
        put_causes(p, line);
        put_include(p, line);
        break;
    case PLUMB_CONF_HEADING:
        if (p->line > 1)
            end_line(p);
        put_comment(p, line->pairs[0].value.text);
        break;
    case PLUMB_CONF_BAD:
        break;
    }
}

bool plumb_conf_write(const struct plumb_conf *doc, const char *const *header, size_t header_lines,
                      struct plumb_buf *out, struct plumb_causes *causes,
                      const struct plumb_setting **bad)
{
    struct printer p = {.out = out, .causes = causes, .line = 1};

    for (size_t i = 0; i < header_lines; i++)
        put_comment(&p, header[i]);
    for (size_t i = 0; i < doc->count; i++) {
        /* What an Include brought stays in its own file. */
        if (doc->lines[i].included_from == 0)
            put_line(&p, &doc->lines[i]);
    }
    *bad = p.bad;
    return p.bad == NULL;
}
