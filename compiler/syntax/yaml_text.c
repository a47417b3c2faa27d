/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text beneath a YAML document: which bytes libyaml would refuse, where a mark that
 * counts characters is in bytes, and which byte of the source each byte of a scalar's value
 * came from.
 */
#include <string.h>

#include "base/text.h"
#include "syntax/yaml_reader.h"

enum {
    STEP = 1024,        /* characters between two entries of the table, about */
    CHUNK = 64,         /* bytes looked at in one go */
    MOST_BAD_RUNS = 20, /* places of refused bytes that are reported one by one */
    UTF8_BITS = 6,      /* that a continuation byte carries */
};

static bool is_plain_byte(unsigned char c)
{
    return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\r' || c == '\t';
}

/* Sixteen bytes that are computed with at once; gcc and clang have it on every machine. */
typedef unsigned char lane __attribute__((vector_size(16)));

/* So many bytes, a multiple of a lane, are printable ASCII, tabs or line ends. */
static inline bool is_plain_chunk(const char *bytes, uint32_t len)
{
    lane odd = {0};
    uint64_t halves[2];

    for (uint32_t i = 0; i < len; i += sizeof(lane)) {
        lane b;

        memcpy(&b, bytes + i, sizeof(b));
        odd |= (lane)((b - 0x20 > 0x5e) & (b != '\n') & (b != '\r') & (b != '\t'));
    }
    memcpy(halves, &odd, sizeof(halves));
    return (halves[0] | halves[1]) == 0;
}

/* Bytes at the start of text that libyaml takes as one character each. */
static uint32_t plain_length(const char *text, uint32_t len)
{
    uint32_t i = 0;

    while (len - i >= CHUNK && is_plain_chunk(text + i, CHUNK))
        i += CHUNK;
    while (len - i >= sizeof(lane) && is_plain_chunk(text + i, sizeof(lane)))
        i += (uint32_t)sizeof(lane);
    while (i < len && is_plain_byte((unsigned char)text[i]))
        i++;
    return i;
}

static uint32_t code_point(const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    uint32_t v = len == 1 ? p[0] : len == 2 ? p[0] & 0x1fu : len == 3 ? p[0] & 0x0fu : p[0] & 0x07u;

    for (size_t i = 1; i < len; i++)
        v = v << UTF8_BITS | (p[i] & 0x3fu);
    return v;
}

/* YAML 1.1, section 5.1; a byte order mark inside the text is refused as libyaml does. */
static bool is_allowed(uint32_t c)
{
    return c == 0x09 || c == 0x0a || c == 0x0d || (c >= 0x20 && c <= 0x7e) || c == 0x85 ||
           (c >= 0xa0 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd && c != 0xfeff) ||
           c >= 0x10000;
}

static void report_bad(struct plumb_session *s, const struct plumb_source *src, uint32_t begin,
                       uint32_t end, bool valid)
{
    struct plumb_span at = {src->id, begin, end};

    if (valid)
        plumb_diag_new(&s->sink, plumb_yaml_row(PLUMB_YAML_CHARACTER), at,
                       "found control character U+%04X, expected printable text; write it as an "
                       "escape inside double quotes",
                       (unsigned)code_point(src->bytes + begin, end - begin));
    else
        plumb_diag_new(&s->sink, plumb_yaml_row(PLUMB_YAML_ENCODING), at,
                       "found byte 0x%02x, which is no UTF-8 text; expected a file in UTF-8",
                       (unsigned char)src->bytes[begin]);
}

/* What is known while the bytes are looked at. */
struct check {
    struct plumb_session *s;
    const struct plumb_source *src;
    struct plumb_yaml_text *out;
    char *copy; /* made for the first refused byte */
    uint32_t runs, last_end;
    uint32_t chars;
    size_t step_cap;
};

/* Puts '_' in place of what libyaml refuses, so that the rest is read and places stay right. */
static void replace_bad(struct check *c, uint32_t at, uint32_t len, bool valid)
{
    if (c->copy == NULL)
        c->copy = plumb_arena_strndup(c->s->arena, c->src->bytes, c->src->len);
    memset(c->copy + at, '_', len);
    if (at != c->last_end && c->runs++ < MOST_BAD_RUNS)
        report_bad(c->s, c->src, at, at + len, valid);
    c->last_end = at + len;
    c->chars += len - 1;
}

static void note_step(struct check *c, uint32_t at)
{
    struct plumb_yaml_text *t = c->out;

    if (t->step_count > 0 && c->chars - t->steps[t->step_count - 1].character < STEP)
        return;
    t->steps =
        plumb_arena_grow(c->s->arena, t->steps, t->step_count, &c->step_cap, sizeof(*t->steps));
    t->steps[t->step_count++] = (struct plumb_yaml_step){.character = c->chars, .byte = at};
}

static void check_bytes(struct check *c)
{
    uint32_t i = c->out->skip;

    while (i < c->src->len) {
        uint32_t plain = plain_length(c->src->bytes + i, c->src->len - i);
        bool valid = false;

        note_step(c, i);
        i += plain;
        c->chars += plain;
        if (i == c->src->len)
            break;

        uint32_t step = (uint32_t)plumb_utf8_step(c->src->bytes + i, c->src->len - i, &valid);

        c->chars++;
        if (!valid || !is_allowed(code_point(c->src->bytes + i, step)))
            replace_bad(c, i, step, valid);
        i += step;
    }
    if (c->runs > MOST_BAD_RUNS)
        plumb_diag_fact(c->s->sink.items[c->s->sink.count - 1], "%u more such places in this file",
                        c->runs - MOST_BAD_RUNS);
    if (c->copy != NULL)
        c->out->bytes = c->copy;
}

/* The name of an encoding that is not UTF-8, NULL when there is no sign of one. */
static const char *other_encoding(const char *b, uint32_t len)
{
    if (len >= 2 && (memcmp(b, "\xff\xfe", 2) == 0 || memcmp(b, "\xfe\xff", 2) == 0))
        return "UTF-16";
    if (len >= 4 && ((b[0] != '\0' && b[1] == '\0' && b[3] == '\0') ||
                     (b[0] == '\0' && b[1] != '\0' && b[2] == '\0')))
        return "UTF-16";
    return NULL;
}

bool plumb_yaml_text_open(struct plumb_session *s, const struct plumb_source *src,
                          struct plumb_yaml_text *out)
{
    const char *encoding = other_encoding(src->bytes, src->len);
    bool marked = src->len >= 3 && memcmp(src->bytes, "\xef\xbb\xbf", 3) == 0;

    *out = (struct plumb_yaml_text){
        .file = src->id,
        .bytes = src->bytes,
        .len = src->len,
        .skip = marked ? 3 : 0,
    };
    if (encoding != NULL) {
        plumb_diag_new(&s->sink, plumb_yaml_row(PLUMB_YAML_ENCODING),
                       (struct plumb_span){src->id, 0, 2},
                       "the file is %s text, expected UTF-8; convert it", encoding);
        return false;
    }
    if (plain_length(src->bytes + out->skip, src->len - out->skip) == src->len - out->skip)
        return true;

    struct check c = {.s = s, .src = src, .out = out, .last_end = UINT32_MAX};

    check_bytes(&c);
    out->last_byte = out->skip;
    return true;
}

/* Back to the last step at or before a character. */
static void step_back(struct plumb_yaml_text *t, uint32_t character)
{
    uint32_t lo = 0, hi = t->step_count;

    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (t->steps[mid].character <= character)
            lo = mid;
        else
            hi = mid;
    }
    t->last_char = t->steps[lo].character;
    t->last_byte = t->steps[lo].byte;
}

static bool is_ascii_word(const char *bytes)
{
    uint64_t w = 0;

    memcpy(&w, bytes, sizeof(w));
    return (w & UINT64_C(0x8080808080808080)) == 0;
}

static uint32_t lead_length(char c)
{
    unsigned char u = (unsigned char)c;

    return u < 0xc0 ? 1 : u < 0xe0 ? 2 : u < 0xf0 ? 3 : 4;
}

/* How far the text goes on in characters of one byte, so that marks in it need no counting. */
static void note_run(struct plumb_yaml_text *t)
{
    uint32_t end = t->last_byte;

    while (end - t->last_byte < STEP && t->len - end >= sizeof(uint64_t) &&
           is_ascii_word(t->bytes + end))
        end += (uint32_t)sizeof(uint64_t);
    t->run_char = t->last_char;
    t->run_len = end - t->last_byte;
    t->run_ahead = t->last_byte - t->last_char;
}

uint32_t plumb_yaml_byte_slowly(struct plumb_yaml_text *t, uint32_t mark)
{
    if (mark < t->last_char || mark - t->last_char > 2 * STEP)
        step_back(t, mark);

    uint32_t byte = t->last_byte, left = mark - t->last_char;

    while (left >= sizeof(uint64_t) && t->len - byte >= sizeof(uint64_t) &&
           is_ascii_word(t->bytes + byte)) {
        byte += (uint32_t)sizeof(uint64_t);
        left -= (uint32_t)sizeof(uint64_t);
    }
    for (; left > 0 && byte < t->len; left--)
        byte += lead_length(t->bytes[byte]);
    t->last_char = mark - left;
    t->last_byte = byte > t->len ? t->len : byte;
    note_run(t);
    return t->last_byte;
}

uint32_t plumb_yaml_break(const char *text, uint32_t i, uint32_t end)
{
    if (text[i] == '\r' && i + 1 < end && text[i + 1] == '\n')
        return 2;
    if (text[i] == '\n' || text[i] == '\r')
        return 1;
    if (end - i >= 2 && memcmp(text + i, "\xc2\x85", 2) == 0)
        return 2;
    if (end - i >= 3 &&
        (memcmp(text + i, "\xe2\x80\xa8", 3) == 0 || memcmp(text + i, "\xe2\x80\xa9", 3) == 0))
        return 3;
    return 0;
}

static bool is_anchor_char(char c)
{
    return plumb_is_digit(c) || (plumb_lower(c) >= 'a' && plumb_lower(c) <= 'z') || c == '_' ||
           c == '-';
}

/* An anchor ends where its name ends, even without a blank behind it, as libyaml has it. */
static uint32_t skip_anchor(const struct plumb_yaml_text *t, uint32_t i, uint32_t end)
{
    for (i++; i < end && is_anchor_char(t->bytes[i]); i++)
        ;
    return i;
}

static uint32_t skip_tag(const struct plumb_yaml_text *t, uint32_t i, uint32_t end)
{
    bool verbatim = i + 1 < end && t->bytes[i + 1] == '<';

    for (i++; i < end; i++) {
        char c = t->bytes[i];

        if (verbatim && c == '>')
            return i + 1;
        if (plumb_is_blank(c) || plumb_yaml_break(t->bytes, i, end) > 0 ||
            (!verbatim && strchr(",[]{}", c) != NULL && c != '\0'))
            break;
    }
    return i;
}

uint32_t plumb_yaml_content(const struct plumb_yaml_text *t, uint32_t begin, uint32_t end)
{
    uint32_t i = begin;

    while (i < end) {
        char c = t->bytes[i];

        if (c == '&')
            i = skip_anchor(t, i, end);
        else if (c == '!')
            i = skip_tag(t, i, end);
        else if (c == ' ' || c == '\t')
            i++;
        else if (plumb_yaml_break(t->bytes, i, end) > 0)
            i += plumb_yaml_break(t->bytes, i, end);
        else if (c == '#')
            while (i < end && plumb_yaml_break(t->bytes, i, end) == 0)
                i++;
        else
            break;
    }
    return i;
}
