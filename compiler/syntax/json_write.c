/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON out. Jansson knows how strings are escaped; the layout is ours, because Jansson turns
 * numbers into C numbers (a count of 2^63 or "0.10" would not come back as written) and cannot
 * tell on which line a value lands.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "syntax/json.h"

struct writer {
    struct plumb_buf *out;
    struct plumb_causes *causes; /* or NULL */
    uint32_t line;
    bool compact;
};

static int add_bytes(const char *text, size_t len, void *data)
{
    plumb_buf_add(data, text, len);
    return 0;
}

/* Text with what is no UTF-8 replaced by U+FFFD, as JSON can hold nothing else. */
static struct plumb_buf clean_text(struct plumb_arena *a, const char *text, size_t len)
{
    struct plumb_buf b = plumb_buf_in(a);
    size_t step = 0;

    for (size_t i = 0; i < len; i += step) {
        bool valid = false;

        step = plumb_utf8_step(text + i, len - i, &valid);
        if (valid)
            plumb_buf_add(&b, text + i, step);
        else
            plumb_buf_str(&b, "\xef\xbf\xbd");
    }
    return b;
}

static void write_string(struct writer *w, const char *text, size_t len)
{
    json_t *string = json_stringn(text, len);

    if (string == NULL) {
        struct plumb_buf b = clean_text(w->out->arena, text, len);

        string = json_stringn(plumb_buf_text(&b), b.len);
    }
    if (string == NULL)
        (void)plumb_arena_raw(w->out->arena, SIZE_MAX); /* out of memory, as the session says */
    (void)json_dump_callback(string, add_bytes, w->out, JSON_ENCODE_ANY);
    json_decref(string);
}

/* True for text that stands in JSON as it is: a number, true, false, null. */
static bool is_literal(const struct plumb_slice *s)
{
    json_error_t error;
    json_t *value = NULL;

    if (s->len == 0 || s->text[0] == '"' || s->text[0] == '[' || s->text[0] == '{' ||
        plumb_is_blank(s->text[0]) || plumb_is_blank(s->text[s->len - 1]))
        return false;
    value = json_loadb(s->text, s->len, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);
    json_decref(value);
    return value != NULL;
}

static void write_scalar(struct writer *w, const struct plumb_node *n)
{
    bool bare = n->style == PLUMB_JSON_LITERAL || n->style == PLUMB_PLAIN;

    if (n->style == PLUMB_PLAIN && plumb_node_is_null(n))
        plumb_buf_str(w->out, "null");
    else if (bare && is_literal(&n->scalar))
        plumb_buf_add(w->out, n->scalar.text, n->scalar.len);
    else
        write_string(w, n->scalar.text, n->scalar.len);
}

static void new_line(struct writer *w, unsigned depth)
{
    if (w->compact)
        return;
    plumb_buf_char(w->out, '\n');
    plumb_buf_fill(w->out, ' ', (size_t)depth * 2);
    w->line++;
}

static void cause(struct writer *w, const struct plumb_node *n)
{
    if (w->causes != NULL)
        plumb_cause_add(w->causes, w->line, n->at);
}

struct sorted {
    const struct plumb_pair *pair;
    uint32_t index; /* in the mapping: equal keys keep their order */
};

static int compare_pairs(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const struct plumb_slice *k = &x->pair->key->scalar, *l = &y->pair->key->scalar;
    int order = memcmp(k->text, l->text, k->len < l->len ? k->len : l->len);

    if (order != 0)
        return order;
    if (k->len != l->len)
        return k->len < l->len ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static void write_node(struct writer *w, const struct plumb_node *n, unsigned depth);

static void write_mapping(struct writer *w, const struct plumb_node *n, unsigned depth)
{
    struct sorted *order = PLUMB_NEW_ARRAY(w->out->arena, n->count, struct sorted);

    for (uint32_t i = 0; i < n->count; i++)
        order[i] = (struct sorted){&n->pairs[i], i};
    qsort(order, n->count, sizeof(*order), compare_pairs);
    plumb_buf_char(w->out, '{');
    for (uint32_t i = 0; i < n->count; i++) {
        const struct plumb_pair *p = order[i].pair;

        if (i > 0)
            plumb_buf_char(w->out, ',');
        new_line(w, depth + 1);
        cause(w, p->key);
        write_string(w, p->key->scalar.text, p->key->scalar.len);
        plumb_buf_str(w->out, w->compact ? ":" : ": ");
        write_node(w, p->value, depth + 1);
    }
    if (n->count > 0)
        new_line(w, depth);
    plumb_buf_char(w->out, '}');
}

static void write_sequence(struct writer *w, const struct plumb_node *n, unsigned depth)
{
    plumb_buf_char(w->out, '[');
    for (uint32_t i = 0; i < n->count; i++) {
        if (i > 0)
            plumb_buf_char(w->out, ',');
        new_line(w, depth + 1);
        write_node(w, n->items[i], depth + 1);
    }
    if (n->count > 0)
        new_line(w, depth);
    plumb_buf_char(w->out, ']');
}

static void write_node(struct writer *w, const struct plumb_node *n, unsigned depth)
{
    cause(w, n);
    switch (n->kind) {
    case PLUMB_SCALAR:
        write_scalar(w, n);
        break;
    case PLUMB_SEQUENCE:
        write_sequence(w, n, depth);
        break;
    case PLUMB_MAPPING:
        write_mapping(w, n, depth);
        break;
    }
}

void plumb_json_write(struct plumb_buf *out, const struct plumb_node *root,
                      struct plumb_causes *causes)
{
    struct writer w = {.out = out, .causes = causes, .line = 1};

    write_node(&w, root, 0);
    plumb_buf_char(out, '\n');
}

void plumb_json_write_compact(struct plumb_buf *out, const struct plumb_node *root)
{
    struct writer w = {.out = out, .line = 1, .compact = true};

    write_node(&w, root, 0);
}
