/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of single values by the kind of their row. */
#include "spec/scalar.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"

struct plumb_diag *plumb_spec_bad(struct plumb_session *s, struct plumb_spec_value *v,
                                  enum plumb_spec_fault fault, struct plumb_span at,
                                  const char *fmt, ...)
{
    va_list args;
    const char *message = NULL;

    v->origin = PLUMB_BAD;
    if (s == NULL)
        return NULL;
    va_start(args, fmt);
    message = plumb_arena_vprintf(s->arena, fmt, args);
    va_end(args);
    return plumb_diag_new(&s->sink, plumb_spec_rule(fault), at, "%s", message);
}

static void read_number(struct plumb_session *s, struct plumb_spec_value *v)
{
    const struct plumb_slice *t = &v->text;
    const struct plumb_spec_key *row = v->row;
    size_t digits = 0;

    while (digits < t->len && plumb_is_digit(t->text[digits]))
        digits++;
    if (digits == 0 || digits < t->len) {
        plumb_spec_bad(s, v, PLUMB_SPEC_NOT_A_NUMBER, t->at,
                       "'%s' is not a whole number, which '%s' takes", t->text, row->name);
        return;
    }
    if (!plumb_read_u64(t->text, t->len, &v->number) || (row->max != 0 && v->number > row->max)) {
        plumb_spec_bad(s, v, PLUMB_SPEC_OUT_OF_RANGE, t->at,
                       "'%s' is too large for '%s', expected at most %" PRIu64, t->text, row->name,
                       row->max != 0 ? row->max : UINT64_MAX);
        return;
    }
    if (v->number < row->min)
        plumb_spec_bad(s, v, PLUMB_SPEC_OUT_OF_RANGE, t->at,
                       "'%s' is too small for '%s', expected at least %" PRIu64, t->text, row->name,
                       row->min);
}

/* Digits, and digits behind a point; kept as text, which is what Slurm is given. */
static void read_decimal(struct plumb_session *s, struct plumb_spec_value *v)
{
    const struct plumb_slice *t = &v->text;
    size_t i = 0, before = 0;

    while (i < t->len && plumb_is_digit(t->text[i]))
        i++;
    before = i;
    if (before > 0 && i + 1 < t->len && t->text[i] == '.') {
        i++;
        while (i < t->len && plumb_is_digit(t->text[i]))
            i++;
    }
    if (before == 0 || i < t->len || before > 18)
        plumb_spec_bad(s, v, PLUMB_SPEC_NOT_A_NUMBER, t->at,
                       "'%s' is not a number such as 100 or 0.5, which '%s' takes", t->text,
                       v->name);
}

static void read_bool(struct plumb_session *s, struct plumb_spec_value *v)
{
    if (plumb_slice_is(&v->text, "true") || plumb_slice_is(&v->text, "yes"))
        v->number = 1;
    else if (plumb_slice_is(&v->text, "false") || plumb_slice_is(&v->text, "no"))
        v->number = 0;
    else
        plumb_spec_bad(s, v, PLUMB_SPEC_NOT_A_BOOLEAN, v->text.at,
                       "'%s' is not true or false, which '%s' takes", v->text.text, v->row->name);
}

static void unknown_word(struct plumb_session *s, struct plumb_spec_value *v)
{
    struct plumb_nearest near = plumb_nearest_to(v->text.text);
    struct plumb_buf list = plumb_buf_in(s->arena);

    for (const struct plumb_spec_word *w = v->row->words; w->name != NULL; w++) {
        plumb_nearest_offer(&near, w->name);
        plumb_buf_printf(&list, "%s%s", w == v->row->words ? "" : ", ", w->name);
    }

    struct plumb_diag *d = plumb_spec_bad(s, v, PLUMB_SPEC_UNKNOWN_WORD, v->text.at,
                                          "'%s' is not one of the words of '%s': %s", v->text.text,
                                          v->row->name, plumb_buf_text(&list));

    if (near.best == NULL)
        return;
    plumb_diag_fact(d, "did you mean '%s'?", near.best);
    plumb_diag_edit(d, v->text.at, false, near.best);
}

static void read_word(struct plumb_session *s, struct plumb_spec_value *v)
{
    for (const struct plumb_spec_word *w = v->row->words; w->name != NULL; w++) {
        if (!plumb_slice_is(&v->text, w->name))
            continue;
        v->word = w;
        return;
    }
    if (s == NULL)
        v->origin = PLUMB_BAD;
    else
        unknown_word(s, v);
}

/* Where the text first holds a byte that a name or path cannot have; len: nowhere. */
static size_t first_bad(const struct plumb_slice *t, const char *refused)
{
    for (size_t i = 0; i < t->len; i++) {
        unsigned char c = (unsigned char)t->text[i];

        if (c < 0x20 || c == 0x7f || strchr(refused, c) != NULL)
            return i;
    }
    return t->len;
}

/* Digits and points are an address to getaddrinfo(), or nothing; shorter forms are addresses. */
static bool is_no_ipv4(const struct plumb_slice *t)
{
    size_t parts = 0, i = 0;
    bool fits = true;

    while (i < t->len) {
        size_t end = i;
        uint64_t v = 0;

        while (end < t->len && plumb_is_digit(t->text[end]))
            end++;
        if (end == i || (end < t->len && t->text[end] != '.'))
            return false;
        fits = fits && plumb_read_u64(t->text + i, end - i, &v) && v <= 255;
        parts++;
        i = end + 1;
    }
    return parts > 4 || (parts == 4 && !fits);
}

static void not_absolute(struct plumb_session *s, struct plumb_spec_value *v)
{
    plumb_spec_bad(s, v, PLUMB_SPEC_BAD_NAME, v->text.at,
                   "'%s' is not an absolute path, which '%s' takes", v->text.text, v->row->name);
}

/*
 * Names go into Slurm's files unquoted, where these would end or change the value; a path
 * may hold blanks because the writer quotes it (common/parse_config.c: key and value).
 */
static void read_name(struct plumb_session *s, struct plumb_spec_value *v)
{
    bool path = v->row->kind == PLUMB_K_PATH;
    bool text = v->row->kind == PLUMB_K_TEXT;
    const char *refused = text ? "" : path ? "\"#\\" : " \t,='\"#\\()[]{}";
    size_t bad = first_bad(&v->text, refused);

    if (path && v->text.text[0] != '/') {
        not_absolute(s, v);
        return;
    }
    if (bad == v->text.len) {
        if (v->row->address && is_no_ipv4(&v->text))
            plumb_spec_bad(s, v, PLUMB_SPEC_BAD_NAME, v->text.at,
                           "'%s' is no IPv4 address, expected four numbers of 0 to 255",
                           v->text.text);
        return;
    }
    plumb_spec_bad(s, v, PLUMB_SPEC_BAD_NAME, plumb_slice_span(&v->text, bad, bad + 1),
                   "'%s' holds a character that %s cannot have", v->text.text,
                   path   ? "a path of Slurm"
                   : text ? "a line of text"
                          : "a name of Slurm");
}

static void read_release(struct plumb_session *s, struct plumb_spec_value *v)
{
    enum plumb_release r = plumb_release_read(v->text.text, v->text.len);

    v->number = r;
    if (r != PLUMB_RELEASE_NONE)
        return;
    v->origin = PLUMB_BAD;
    if (s == NULL)
        return;

    struct plumb_buf list = plumb_buf_in(s->arena);

    for (unsigned i = 0; i < PLUMB_RELEASE_COUNT; i++)
        plumb_buf_printf(&list, "%s%s", i == 0 ? "" : ", ",
                         plumb_release_name((enum plumb_release)i));
    plumb_spec_bad(s, v, PLUMB_SPEC_RELEASE, v->text.at,
                   "'%s' is not a Slurm release that plumb knows: %s", v->text.text,
                   plumb_buf_text(&list));
}

/* Host lists are read where hosts are resolved; here only what no host list can hold. */
static void read_hosts(struct plumb_session *s, struct plumb_spec_value *v)
{
    size_t bad = first_bad(&v->text, "=\"'#\\(){}");

    if (bad < v->text.len)
        plumb_spec_bad(s, v, PLUMB_SPEC_BAD_NAME, plumb_slice_span(&v->text, bad, bad + 1),
                       "'%s' holds a character that a host list cannot have", v->text.text);
    else if (v->row->paths && v->text.text[0] != '/')
        not_absolute(s, v);
}

void plumb_spec_scalar(struct plumb_session *s, struct plumb_spec_value *v)
{
    v->origin = PLUMB_GIVEN;
    switch (v->row->kind) {
    case PLUMB_K_NUMBER:
    case PLUMB_K_CORES:
        read_number(s, v);
        return;
    case PLUMB_K_DECIMAL:
        read_decimal(s, v);
        return;
    case PLUMB_K_BOOL:
        read_bool(s, v);
        return;
    case PLUMB_K_WORD:
        read_word(s, v);
        return;
    case PLUMB_K_SIZE:
    case PLUMB_K_DURATION:
    case PLUMB_K_AGE:
        plumb_spec_quantity(s, v);
        return;
    case PLUMB_K_RELEASE:
        read_release(s, v);
        return;
    case PLUMB_K_HOSTS:
        read_hosts(s, v);
        return;
    default:
        read_name(s, v);
        return;
    }
}

bool plumb_spec_read_text(struct plumb_session *s, const struct plumb_spec_key *row,
                          const struct plumb_slice *text, struct plumb_spec_value *out)
{
    *out = (struct plumb_spec_value){
        .row = row,
        .shape = PLUMB_SHAPE_SCALAR,
        .name = row->name,
        .at = text->at,
        .text = *text,
    };
    plumb_spec_scalar(s, out);
    return out->origin != PLUMB_BAD;
}
