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
    STEP = 64,           /* characters between two entries of the table */
    CHUNK = 64,          /* bytes looked at in one go */
    MOST_BAD_RUNS = 20,  /* places of refused bytes that are reported one by one */
    SHIFT_UTF8_LEAD = 6, /* bits that a continuation byte carries */
};

static bool is_plain_byte(unsigned char c)
{
    return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\r' || c == '\t';
}

/* True when every byte is printable ASCII, a tab, or a line end. */
static bool is_plain_ascii(const char *bytes, uint32_t len)
{
    uint32_t i = 0;

    for (; len - i >= CHUNK; i += CHUNK) {
        const unsigned char *p = (const unsigned char *)bytes + i;
        unsigned char odd = 0;

        /* No early exit inside: the compiler makes vector code of it. */
        for (uint32_t j = 0; j < CHUNK; j++)
            odd |= (unsigned char)(((unsigned char)(p[j] - 0x20) > 0x5e) & (p[j] != '\n') &
                                   (p[j] != '\r') & (p[j] != '\t'));
        if (odd != 0)
            return false;
    }
    for (; i < len; i++) {
        if (!is_plain_byte((unsigned char)bytes[i]))
            return false;
    }
    return true;
}

static uint32_t code_point(const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    uint32_t v = len == 1 ? p[0] : len == 2 ? p[0] & 0x1fu : len == 3 ? p[0] & 0x0fu : p[0] & 0x07u;

    for (size_t i = 1; i < len; i++)
        v = v << SHIFT_UTF8_LEAD | (p[i] & 0x3fu);
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

/* Puts '_' in place of what libyaml refuses, so that the rest is read and places stay right. */
static const char *replace_bad(struct plumb_session *s, const struct plumb_source *src,
                               uint32_t from)
{
    char *copy = NULL;
    uint32_t runs = 0;
    uint32_t last_end = UINT32_MAX;

    for (uint32_t i = from; i < src->len;) {
        bool valid = false;
        uint32_t step = (uint32_t)plumb_utf8_step(src->bytes + i, src->len - i, &valid);

        if (valid && is_allowed(code_point(src->bytes + i, step))) {
            i += step;
            continue;
        }
        if (copy == NULL)
            copy = plumb_arena_strndup(s->arena, src->bytes, src->len);
        memset(copy + i, '_', step);
        if (i != last_end && runs++ < MOST_BAD_RUNS)
            report_bad(s, src, i, i + step, valid);
        i += step;
        last_end = i;
    }
    if (runs > MOST_BAD_RUNS)
        plumb_diag_fact(s->sink.items[s->sink.count - 1], "%u more such places in this file",
                        runs - MOST_BAD_RUNS);
    return copy != NULL ? copy : src->bytes;
}

static uint32_t lead_length(char c)
{
    unsigned char u = (unsigned char)c;

    return u < 0xc0 ? 1 : u < 0xe0 ? 2 : u < 0xf0 ? 3 : 4;
}

static void build_steps(struct plumb_arena *a, struct plumb_yaml_text *t)
{
    uint32_t *steps = PLUMB_NEW_ARRAY(a, (t->len - t->skip) / STEP + 1, uint32_t);
    uint32_t count = 0, chars = 0;

    for (uint32_t i = t->skip; i < t->len; i += lead_length(t->bytes[i])) {
        if (chars++ % STEP == 0)
            steps[count++] = i;
    }
    t->steps = steps;
    t->step_count = count;
    t->last_byte = t->skip;
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
    if (is_plain_ascii(src->bytes + out->skip, src->len - out->skip))
        return true;
    out->bytes = replace_bad(s, src, out->skip);
    build_steps(s->arena, out);
    return true;
}

uint32_t plumb_yaml_byte(struct plumb_yaml_text *t, size_t mark)
{
    if (t->steps == NULL)
        return mark >= t->len - t->skip ? t->len : t->skip + (uint32_t)mark;
    if (mark / STEP >= t->step_count)
        return t->len;
    if (mark < t->last_char || mark - t->last_char > STEP) {
        t->last_char = (uint32_t)(mark / STEP * STEP);
        t->last_byte = t->steps[mark / STEP];
    }

    uint32_t byte = t->last_byte;

    for (uint32_t c = t->last_char; c < mark && byte < t->len; c++)
        byte += lead_length(t->bytes[byte]);
    t->last_char = (uint32_t)mark;
    t->last_byte = byte;
    return byte;
}

static uint32_t skip_property(const struct plumb_yaml_text *t, uint32_t i, uint32_t end)
{
    bool verbatim = t->bytes[i] == '!' && i + 1 < end && t->bytes[i + 1] == '<';

    for (i++; i < end; i++) {
        char c = t->bytes[i];

        if (verbatim && c == '>')
            return i + 1;
        if (plumb_is_blank(c) || (!verbatim && strchr(",[]{}", c) != NULL && c != '\0'))
            break;
    }
    return i;
}

uint32_t plumb_yaml_content(const struct plumb_yaml_text *t, uint32_t begin, uint32_t end)
{
    uint32_t i = begin;

    while (i < end) {
        char c = t->bytes[i];

        if (c == '&' || c == '!')
            i = skip_property(t, i, end);
        else if (plumb_is_blank(c))
            i++;
        else if (c == '#' && i > begin && plumb_is_blank(t->bytes[i - 1]))
            while (i < end && t->bytes[i] != '\n')
                i++;
        else
            break;
    }
    return i;
}
