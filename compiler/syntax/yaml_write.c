/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML out, through libyaml's emitter. libyaml knows what its own syntax forces into quotes;
 * which plain words a reader would take for something else than text is known here: readers
 * of YAML 1.1 (PyYAML, Go's yaml.v2) turn no, on, 1:30, 0o7, 1_000 and dates into values.
 */
#include <string.h>
#include <yaml.h>

#include "base/limits.h"
#include "base/text.h"
#include "syntax/yaml.h"

/* ---- what may stand without quotes ---- */

static bool is_special_word(const char *text, size_t len)
{
    static const char *const words[] = {"",      "~",     "null", "y",   "yes",   "n",
                                        "no",    "true",  "on",   "off", "false", ".inf",
                                        "-.inf", "+.inf", ".nan", "<<",  "="};

    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (len == strlen(words[i]) && plumb_equal_nocase(text, words[i], len))
            return true;
    }
    return false;
}

/*
 * Might be a number, a time or a date: begins like one and has nothing else in it. That some
 * text is quoted without need does no harm.
 */
static bool is_like_number(const char *text, size_t len)
{
    size_t i = text[0] == '+' || text[0] == '-';

    if (i < len && text[i] == '.')
        i++;
    if (i >= len || !plumb_is_digit(text[i]))
        return false;
    for (; i < len; i++) {
        char c = plumb_lower(text[i]);

        if (!plumb_is_digit(c) && !(c >= 'a' && c <= 'f') &&
            (c == '\0' || strchr("xo.,_+-:tz \t", c) == NULL))
            return false;
    }
    return true;
}

static bool has_line_break(const struct plumb_slice *s)
{
    return memchr(s->text, '\n', s->len) != NULL;
}

/* libyaml cannot write what is no UTF-8; such bytes become U+FFFD. */
static struct plumb_buf clean_text(struct plumb_arena *a, const struct plumb_slice *s)
{
    struct plumb_buf b = plumb_buf_in(a);
    size_t step = 0;

    for (size_t i = 0; i < s->len; i += step) {
        bool valid = false;

        step = plumb_utf8_step(s->text + i, s->len - i, &valid);
        if (valid)
            plumb_buf_add(&b, s->text + i, step);
        else
            plumb_buf_str(&b, "\xef\xbf\xbd");
    }
    return b;
}

static yaml_scalar_style_t style_of(const struct plumb_node *n)
{
    const struct plumb_slice *s = &n->scalar;

    if (n->style == PLUMB_PLAIN || n->style == PLUMB_JSON_LITERAL)
        return YAML_PLAIN_SCALAR_STYLE;
    if (has_line_break(s))
        return YAML_LITERAL_SCALAR_STYLE;
    if (is_special_word(s->text, s->len) || is_like_number(s->text, s->len))
        return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    return YAML_PLAIN_SCALAR_STYLE;
}

/* ---- emitting ---- */

struct writer {
    struct plumb_arena *arena;
    struct plumb_buf *out;
    yaml_emitter_t emitter;
};

static int add_bytes(void *data, unsigned char *text, size_t len)
{
    plumb_buf_add(data, (const char *)text, len);
    return 1;
}

/* Emitting into memory fails only without memory: the text is checked and the events are ours. */
static void emit(struct writer *w, yaml_event_t *event, int made)
{
    if (!made || !yaml_emitter_emit(&w->emitter, event))
        (void)plumb_arena_raw(w->arena, SIZE_MAX); /* out of memory, as the session says */
}

static void emit_scalar(struct writer *w, const struct plumb_node *n)
{
    struct plumb_buf text = clean_text(w->arena, &n->scalar);
    struct plumb_node clean = *n;
    yaml_event_t event;

    clean.scalar.text = plumb_buf_text(&text);
    clean.scalar.len = (uint32_t)text.len;

    int made =
        yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)clean.scalar.text,
                                     (int)clean.scalar.len, 1, 1, style_of(&clean));

    emit(w, &event, made);
}

static void emit_node(struct writer *w, const struct plumb_node *n)
{
    yaml_event_t event;
    bool map = n->kind == PLUMB_MAPPING;

    if (n->kind == PLUMB_SCALAR) {
        emit_scalar(w, n);
        return;
    }
    if (map)
        emit(w, &event,
             yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
    else
        emit(
            w, &event,
            yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE));
    for (uint32_t i = 0; i < n->count; i++) {
        if (map)
            emit_scalar(w, n->pairs[i].key);
        emit_node(w, map ? n->pairs[i].value : n->items[i]);
    }
    emit(w, &event,
         map ? yaml_mapping_end_event_initialize(&event)
             : yaml_sequence_end_event_initialize(&event));
}

static void emit_document(struct writer *w, const struct plumb_node *root)
{
    yaml_event_t event;

    emit(w, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(w, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    emit_node(w, root);
    emit(w, &event, yaml_document_end_event_initialize(&event, 1));
    emit(w, &event, yaml_stream_end_event_initialize(&event));
}

/* ---- causes ---- */

struct tracer {
    struct plumb_causes *causes;
    yaml_parser_t parser;
    uint32_t base; /* lines of the output before this document */
};

/* The next event that is a node or the end of one; its first line, from 1. */
static bool next_line(struct tracer *t, uint32_t *line)
{
    yaml_event_t event;

    for (;;) {
        if (!yaml_parser_parse(&t->parser, &event))
            return false;

        yaml_event_type_t type = event.type;

        *line = t->base + (uint32_t)event.start_mark.line + 1;
        yaml_event_delete(&event);
        if (type == YAML_STREAM_END_EVENT || type == YAML_NO_EVENT)
            return false;
        if (type != YAML_STREAM_START_EVENT && type != YAML_DOCUMENT_START_EVENT)
            return true;
    }
}

/* Walks tree and printed text side by side: the emitter runs ahead of what it has written. */
static bool trace_node(struct tracer *t, const struct plumb_node *n)
{
    uint32_t line = 0;
    bool map = n->kind == PLUMB_MAPPING;

    if (!next_line(t, &line))
        return false;
    plumb_cause_add(t->causes, line, n->at);
    for (uint32_t i = 0; n->kind != PLUMB_SCALAR && i < n->count; i++) {
        if (map && !trace_node(t, n->pairs[i].key))
            return false;
        if (!trace_node(t, map ? n->pairs[i].value : n->items[i]))
            return false;
    }
    return n->kind == PLUMB_SCALAR || next_line(t, &line);
}

static void trace(struct plumb_causes *causes, const struct plumb_buf *out, size_t from,
                  const struct plumb_node *root)
{
    struct tracer t = {.causes = causes};

    for (size_t i = 0; i < from; i++)
        t.base += out->text[i] == '\n';
    if (!yaml_parser_initialize(&t.parser))
        (void)plumb_arena_raw(out->arena, SIZE_MAX); /* out of memory, as the session says */
    yaml_parser_set_encoding(&t.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&t.parser, (const unsigned char *)out->text + from,
                                 out->len - from);
    (void)trace_node(&t, root);
    yaml_parser_delete(&t.parser);
}

void plumb_yaml_write(struct plumb_buf *out, const struct plumb_node *root,
                      struct plumb_causes *causes)
{
    struct writer w = {.arena = out->arena, .out = out};
    size_t from = out->len;

    if (!yaml_emitter_initialize(&w.emitter))
        (void)plumb_arena_raw(out->arena, SIZE_MAX); /* out of memory, as the session says */
    yaml_emitter_set_output(&w.emitter, add_bytes, out);
    yaml_emitter_set_unicode(&w.emitter, 1);
    yaml_emitter_set_width(&w.emitter, -1);
    yaml_emitter_set_indent(&w.emitter, 2);
    emit_document(&w, root);
    yaml_emitter_delete(&w.emitter);
    if (causes != NULL)
        trace(causes, out, from, root);
}
