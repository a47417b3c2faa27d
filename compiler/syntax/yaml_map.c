/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which byte of the source each byte of a scalar's value came from. libyaml gives the value
 * alone, so the raw text is walked once more beside it; only for scalars where the two differ.
 * The walk follows YAML 1.1, sections 9.1 (flow scalars) and 9.2 (block scalars).
 */
#include <string.h>

#include "base/text.h"
#include "syntax/yaml_reader.h"

struct walk {
    const char *raw;
    uint32_t at, end; /* in raw */
    const char *value;
    uint32_t len;
    uint32_t *map;
    uint32_t filled; /* map[0 .. filled) is known */
};

/* Never behind the last byte: a final line break of a block may stand outside of its span. */
static void take(struct walk *w, uint32_t from, uint32_t count)
{
    if (from >= w->end && w->end > 0)
        from = w->end - 1;
    while (count-- > 0 && w->filled < w->len)
        w->map[w->filled++] = from;
}

/*
 * Blanks and line breaks at w->at: kept when there is no break among them, one blank for one
 * break, else a break for every one but the first. After an escaped break the first is gone.
 */
static void fold(struct walk *w, bool after_escape)
{
    uint32_t i = w->at, breaks = 0;

    for (uint32_t step = 0; i < w->end; i += step) {
        step = plumb_yaml_break(w->raw, i, w->end);
        if (step > 0) {
            /* Breaks after the first are text; the first one is when it was escaped. */
            if (breaks++ > 0 || after_escape)
                take(w, i, 1);
        } else if (w->raw[i] == ' ' || w->raw[i] == '\t') {
            step = 1;
        } else {
            break;
        }
    }
    if (breaks == 1 && !after_escape)
        take(w, w->at, 1);
    for (uint32_t j = w->at; breaks == 0 && !after_escape && j < i; j++)
        take(w, j, 1);
    w->at = i;
}

/* Bytes of UTF-8 that a hexadecimal escape of these digits makes. */
static uint32_t escaped_length(const char *digits, uint32_t count)
{
    uint32_t v = 0;

    for (uint32_t i = 0; i < count; i++) {
        char c = plumb_lower(digits[i]);

        v = v << 4 | (uint32_t)(plumb_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return v < 0x80 ? 1 : v < 0x800 ? 2 : v < 0x10000 ? 3 : 4;
}

/* A backslash in double quotes. */
static void escape(struct walk *w)
{
    static const struct {
        char letter;
        unsigned char digits; /* of a hexadecimal escape */
        unsigned char bytes;  /* that it stands for, when there are no digits */
    } longer[] = {{'x', 2, 0}, {'u', 4, 0}, {'U', 8, 0}, {'N', 0, 2},
                  {'_', 0, 2}, {'L', 0, 3}, {'P', 0, 3}};
    uint32_t from = w->at++;
    uint32_t brk = w->at < w->end ? plumb_yaml_break(w->raw, w->at, w->end) : 0;

    if (brk > 0) {
        w->at += brk;
        fold(w, true);
        return;
    }
    for (size_t i = 0; w->at < w->end && i < PLUMB_COUNT(longer); i++) {
        if (w->raw[w->at] != longer[i].letter)
            continue;

        uint32_t digits = longer[i].digits;

        if (digits > w->end - w->at - 1)
            digits = w->end - w->at - 1;
        take(w, from, digits == 0 ? longer[i].bytes : escaped_length(w->raw + w->at + 1, digits));
        w->at += 1 + digits;
        return;
    }
    take(w, from, 1);
    w->at++;
}

static void walk_flow(struct walk *w, yaml_scalar_style_t style)
{
    while (w->at < w->end && w->filled < w->len) {
        char c = w->raw[w->at];

        if (c == ' ' || c == '\t' || plumb_yaml_break(w->raw, w->at, w->end) > 0) {
            fold(w, false);
        } else if (c == '\\' && style == YAML_DOUBLE_QUOTED_SCALAR_STYLE) {
            escape(w);
        } else {
            take(w, w->at, 1);
            w->at += c == '\'' && style == YAML_SINGLE_QUOTED_SCALAR_STYLE ? 2 : 1;
        }
    }
}

/*
 * A run of white space in a block scalar: what ends in a line break is matched from the front,
 * the blanks behind the last break from the back, where indentation is no part of the text.
 */
static void match_space(struct walk *w, uint32_t raw_end, uint32_t value_end)
{
    uint32_t begin = w->at, first = w->filled, tail = value_end;

    while (tail > first && w->value[tail - 1] != '\n')
        tail--;
    for (uint32_t i = first; i < value_end; i++) {
        uint32_t front = begin + (i - first), back = value_end - i;
        uint32_t from = i < tail ? front : back <= raw_end - begin ? raw_end - back : begin;

        take(w, from < raw_end ? from : raw_end, 1);
    }
    w->at = raw_end;
}

/* Block scalars copy everything but white space one to one. */
static void walk_block(struct walk *w)
{
    while (w->at < w->end && w->raw[w->at] != '\n' && w->raw[w->at] != '\r')
        w->at++; /* the header: |, >, indicators, a comment */
    if (w->at < w->end)
        w->at += plumb_yaml_break(w->raw, w->at, w->end);
    while (w->filled < w->len) {
        uint32_t raw = w->at, value = w->filled;

        while (raw < w->end && plumb_is_blank(w->raw[raw]))
            raw++;
        while (value < w->len && plumb_is_blank(w->value[value]))
            value++;
        match_space(w, raw, value);
        take(w, w->at, 1);
        if (w->at < w->end)
            w->at++;
    }
}

static bool is_quoted(yaml_scalar_style_t style)
{
    return style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

void plumb_yaml_map_scalar(struct plumb_arena *a, const struct plumb_yaml_text *t,
                           yaml_scalar_style_t style, struct plumb_slice *scalar)
{
    uint32_t lead = is_quoted(style) ? 1 : 0;
    uint32_t begin = scalar->at.begin + lead;
    uint32_t end = scalar->at.end > begin + lead ? scalar->at.end - lead : begin;

    scalar->lead = lead;
    if (end - begin == scalar->len && memcmp(t->bytes + begin, scalar->text, scalar->len) == 0)
        return;

    struct walk w = {
        .raw = t->bytes,
        .at = begin,
        .end = end,
        .value = scalar->text,
        .len = scalar->len,
        .map = plumb_arena_raw(a, ((size_t)scalar->len + 1) * sizeof(uint32_t)),
    };

    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE)
        walk_block(&w);
    else
        walk_flow(&w, style);
    take(&w, w.at, w.len); /* a rest that the walk did not foresee */
    w.map[w.len] = end;
    scalar->map = w.map;
}
