/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with the words of a line: each fault at the text that is wrong. */
#include <string.h>

#include "base/text.h"
#include "conf/read.h"

struct plumb_diag *plumb_conf_read_fault(struct plumb_conf_reader *r, enum plumb_conf_fault fault,
                                         struct plumb_span at, const char *fmt, ...)
{
    struct plumb_diag *d = NULL;
    va_list args;

    va_start(args, fmt);
    d = plumb_conf_vfault(&r->session->sink, fault, r->doc->file, at, fmt, args);
    va_end(args);
    return d;
}

const char *plumb_conf_clip(struct plumb_arena *a, const char *text, size_t len)
{
    enum { LIMIT = 40 };
    struct plumb_buf b = plumb_buf_in(a);
    size_t shown = 0;

    while (shown < len && shown < LIMIT) {
        bool valid = false;
        size_t step = plumb_utf8_step(text + shown, len - shown, &valid);
        bool control = step == 1 && ((unsigned char)text[shown] < 0x20 || text[shown] == 0x7f);

        if (valid && !control)
            plumb_buf_add(&b, text + shown, step);
        else
            plumb_buf_char(&b, text[shown] == '\t' ? ' ' : '?');
        shown += step;
    }
    if (shown < len)
        plumb_buf_str(&b, "...");
    return plumb_buf_text(&b);
}

static const char *clip(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                        uint32_t begin, uint32_t end)
{
    return plumb_conf_clip(r->session->arena, t->text + begin, end - begin);
}

/* What a person cannot see: word processors and web pages put these where blanks and quotes were.
 * The text is part of a logical line, which ends in a NUL. */
static void explain_lookalikes(struct plumb_diag *d, const char *text, size_t len)
{
    static const struct {
        const char *bytes;
        const char *name;
    } lookalikes[] = {
        {"\xc2\xa0", "a no-break space, which is no blank to the parser"},
        {"\xe2\x80\x8b", "a zero width space, which is no blank to the parser"},
        {"\xe2\x80\x9c", "a typographic quote, which is no quote to the parser"},
        {"\xe2\x80\x9d", "a typographic quote, which is no quote to the parser"},
        {"\xef\xbb\xbf", "a byte order mark, which is no blank to the parser"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(lookalikes); i++) {
        const char *found = strstr(text, lookalikes[i].bytes);

        if (found != NULL && found < text + len) {
            plumb_diag_fact(d, "the text holds %s", lookalikes[i].name);
            return;
        }
    }
}

/* A fault behind a joined line break is rarely seen as part of the statement. */
static void explain_join(struct plumb_diag *d, const struct plumb_conf_text *t,
                         const struct plumb_source *src)
{
    if (t->joined && d->at.begin > t->joined_at)
        plumb_diag_note(d, (struct plumb_span){src->id, t->joined_at, t->joined_at + 1},
                        "this backslash joins the lines");
}

/* Neither quotes nor a missing value keep a '#' from ending the line. */
static void explain_cut(struct plumb_diag *d, const struct plumb_conf_text *t,
                        const struct plumb_source *src)
{
    plumb_diag_note(d, (struct plumb_span){src->id, t->cut_at, t->cut_at + 1},
                    "the line ends here: '#' begins a comment wherever it stands");
}

bool plumb_conf_read_knows(const struct plumb_conf_reader *r, enum plumb_scope scope,
                           const char *key, size_t len)
{
    return plumb_param_find(r->session->table, r->doc->file, scope, key, len) != NULL;
}

/* Where any word is a value; elsewhere the table engine says that the next pair is none. */
static bool takes_any_word(const struct plumb_conf_reader *r, const struct plumb_param *p)
{
    switch (plumb_param_at(p, r->options->release)->type) {
    case PLUMB_T_STRING:
    case PLUMB_T_PATH:
    case PLUMB_T_HOST:
    case PLUMB_T_HOST_LIST:
    case PLUMB_T_WORD_LIST:
    case PLUMB_T_KEY_LIST:
    case PLUMB_T_RECORD:
        return true;
    default:
        return false;
    }
}

/* "A= B=1" gives A the value "B=1". */
static void check_swallowed(struct plumb_conf_reader *r, const struct plumb_conf_words *w,
                            const struct plumb_setting *p, enum plumb_scope scope)
{
    const char *sign = memchr(p->value.text, '=', p->value.len);

    if (w->quoted || w->value_begin == w->sign + 1 || sign == NULL || p->param == NULL ||
        !takes_any_word(r, p->param) ||
        !plumb_conf_read_knows(r, scope, p->value.text, (size_t)(sign - p->value.text)))
        return;
    plumb_conf_read_fault(r, PLUMB_CONF_SWALLOWED_PAIR, p->value.at,
                          "'%s' takes '%s' as its value, expected a value or \"\" behind the '='",
                          p->key, plumb_conf_clip(r->session->arena, p->value.text, p->value.len));
}

static void check_operator(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                           const struct plumb_source *src, const struct plumb_conf_words *w,
                           const struct plumb_setting *p)
{
    if (w->op == '=')
        return;
    plumb_conf_read_fault(
        r, PLUMB_CONF_OPERATOR, plumb_conf_text_span(t, src, w->sign - 1, w->sign + 1),
        "'%c=' of '%s' acts as '=', expected '=' and the whole value", w->op, p->key);
}

static void check_cut(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                      const struct plumb_source *src, const struct plumb_conf_words *w,
                      const struct plumb_setting *p)
{
    if (!t->cut || w->quoted || w->value_end != t->len || p->value.at.end != t->cut_at)
        return;
    plumb_conf_read_fault(
        r, PLUMB_CONF_COMMENT_CUTS_VALUE, (struct plumb_span){src->id, t->cut_at, t->cut_at + 1},
        "the value of '%s' ends at '#', expected a blank before the comment, or '\\#' for a '#' "
        "as text",
        p->key);
}

/* What can be said of a pair by itself. */
void plumb_conf_read_check_pair(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                                const struct plumb_source *src, const struct plumb_conf_words *w,
                                enum plumb_scope scope)
{
    const struct plumb_setting *p = &r->pairs[r->pair_count - 1];

    check_operator(r, t, src, w, p);
    check_swallowed(r, w, p, scope);
    check_cut(r, t, src, w, p);
}

/* The value begins with a quote that did not count. False when it does not. */
bool plumb_conf_read_quote(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                           const struct plumb_source *src, const struct plumb_conf_words *w)
{
    uint32_t from = w->value_begin + 1;
    const char *key = r->pairs[r->pair_count - 1].key;
    const char *close = NULL;
    uint32_t end = 0;

    if (w->quoted || t->text[w->value_begin] != '"')
        return false;
    close = memchr(t->text + from, '"', t->len - from);
    if (close == NULL) {
        struct plumb_diag *d = plumb_conf_read_fault(
            r, PLUMB_CONF_OPEN_QUOTE, plumb_conf_text_span(t, src, w->value_begin, from),
            "the quote before the value of '%s' is not closed, expected '\"' before the end of the "
            "line",
            key);

        if (t->cut)
            explain_cut(d, t, src);
        return true;
    }
    from = (uint32_t)(close - t->text) + 1;
    end = plumb_conf_skip_word(t, from);
    plumb_conf_read_fault(r, PLUMB_CONF_BEHIND_QUOTE, plumb_conf_text_span(t, src, from, end),
                          "'%s' touches the closing quote of '%s', expected a blank or the end of "
                          "the line",
                          clip(r, t, from, end), key);
    return true;
}

/* Nothing is left over, but a quote became part of the value. */
void plumb_conf_read_literal_quote(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                                   const struct plumb_source *src, const struct plumb_conf_words *w)
{
    const struct plumb_setting *p = &r->pairs[r->pair_count - 1];
    const char *quote = w->quoted ? NULL : memchr(p->value.text, '"', p->value.len);
    uint32_t at = 0;

    if (quote == NULL)
        return;
    at = w->value_begin + (uint32_t)(quote - p->value.text);
    struct plumb_diag *d = plumb_conf_read_fault(
        r, PLUMB_CONF_LITERAL_QUOTE, plumb_conf_text_span(t, src, at, at + 1),
        "a quote is part of the value of '%s', expected quotes around the whole value or none",
        p->key);

    if (t->cut && at == w->value_begin)
        explain_cut(d, t, src);
}

void plumb_conf_read_left_over(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                               const struct plumb_source *src, uint32_t begin, uint32_t end,
                               const char *expected)
{
    const struct plumb_setting *p = &r->pairs[r->pair_count - 1];

    while (end > begin && plumb_is_blank(t->text[end - 1]))
        end--;

    struct plumb_diag *d =
        plumb_conf_read_fault(r, PLUMB_CONF_LEFT_OVER, plumb_conf_text_span(t, src, begin, end),
                              "'%s' is left over behind the value of '%s', expected %s",
                              clip(r, t, begin, end), p->key, expected);

    explain_lookalikes(d, t->text + begin, end - begin);
    explain_join(d, t, src);
}

void plumb_conf_read_no_value(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                              const struct plumb_source *src, const struct plumb_conf_words *w)
{
    struct plumb_diag *d = plumb_conf_read_fault(
        r, PLUMB_CONF_NO_VALUE, plumb_conf_text_span(t, src, w->key_begin, w->sign + 1),
        "nothing stands behind '%s=', expected a value or \"\"",
        clip(r, t, w->key_begin, w->key_end));

    if (t->cut)
        explain_cut(d, t, src);
}

void plumb_conf_read_no_pair(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                             const struct plumb_conf_text *t, uint32_t begin)
{
    uint32_t end = t->len;
    struct plumb_diag *d = NULL;

    while (end > begin && plumb_is_blank(t->text[end - 1]))
        end--;
    d = plumb_conf_read_fault(
        r, PLUMB_CONF_NOT_A_PAIR, plumb_conf_text_span(t, frame->src, begin, end),
        "'%s' is not a setting, expected a key, '=' and a value", clip(r, t, begin, end));
    explain_lookalikes(d, t->text + begin, end - begin);
    plumb_conf_read_line(r, frame, PLUMB_CONF_BAD, d->at);
}
