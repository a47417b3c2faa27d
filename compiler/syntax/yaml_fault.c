/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libyaml says about a text that it cannot read, said again in words that tell what was
 * found, what was expected, and what to do. libyaml 0.2.5, src/scanner.c and src/parser.c.
 */
#include <string.h>

#include "base/text.h"
#include "syntax/excerpt.h"
#include "syntax/yaml_reader.h"

struct fault {
    struct plumb_session *s;
    const struct plumb_yaml_text *t;
    uint32_t at;      /* of the problem */
    uint32_t context; /* where that began which libyaml was in */
};

static bool is_line_end(const struct plumb_yaml_text *t, uint32_t i)
{
    return i >= t->len || t->bytes[i] == '\n' || t->bytes[i] == '\r';
}

static struct plumb_span span(const struct fault *f, uint32_t begin, uint32_t end)
{
    return (struct plumb_span){f->t->file, begin, end};
}

/* One character. */
static struct plumb_span one(const struct fault *f, uint32_t at)
{
    bool valid = false;

    if (at >= f->t->len)
        return span(f, f->t->len, f->t->len);
    return span(f, at, at + (uint32_t)plumb_utf8_step(f->t->bytes + at, f->t->len - at, &valid));
}

/* From at to the next blank, or to the end of the line without blanks and comment. */
static struct plumb_span word(const struct fault *f, uint32_t at)
{
    uint32_t end = at;

    while (!is_line_end(f->t, end) && !plumb_is_blank(f->t->bytes[end]))
        end++;
    return end > at ? span(f, at, end) : one(f, at);
}

static struct plumb_span rest_of_line(const struct fault *f, uint32_t at)
{
    uint32_t end = at;

    while (!is_line_end(f->t, end) &&
           !(f->t->bytes[end] == '#' && end > at && plumb_is_blank(f->t->bytes[end - 1])))
        end++;
    while (end > at && plumb_is_blank(f->t->bytes[end - 1]))
        end--;
    return end > at ? span(f, at, end) : one(f, at);
}

/* An excerpt for a message, or what the place is. */
static const char *quote(const struct fault *f, struct plumb_span at)
{
    if (at.begin >= f->t->len)
        return "the end of the file";
    if (is_line_end(f->t, at.begin))
        return "the end of the line";
    return plumb_excerpt(f->s->arena, f->t->bytes + at.begin, at.end - at.begin);
}

static struct plumb_diag *report(const struct fault *f, enum plumb_yaml_row row,
                                 struct plumb_span at, const char *message)
{
    return plumb_diag_new(&f->s->sink, plumb_yaml_row(row), at, "%s", message);
}

/* ---- one function for each group of problems ---- */

static void report_tab(const struct fault *f, uint32_t at)
{
    uint32_t end = at;

    while (end < f->t->len && f->t->bytes[end] == '\t')
        end++;
    report(f, PLUMB_YAML_TAB, span(f, at, end > at ? end : at + 1),
           "found a tab, expected blanks: YAML does not indent with tabs");
}

static void bad_start(const struct fault *f)
{
    char c = f->at < f->t->len ? f->t->bytes[f->at] : '\0';

    if (c == '\t')
        report_tab(f, f->at);
    else
        plumb_diag_new(&f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), one(f, f->at),
                       "found %s at the start of a value, expected text that begins otherwise; put "
                       "the value in quotes",
                       quote(f, one(f, f->at)));
}

static void tab_indent(const struct fault *f)
{
    uint32_t at = f->at;

    /* The mark may stand behind the tab. */
    while (at > 0 && (at >= f->t->len || f->t->bytes[at] != '\t') &&
           !(at < f->t->len && f->t->bytes[at] == '\n'))
        at--;
    report_tab(f, at);
}

static uint32_t line_start(const struct fault *f, uint32_t at)
{
    while (at > 0 && f->t->bytes[at - 1] != '\n' && f->t->bytes[at - 1] != '\r')
        at--;
    return at;
}

/* A ':' where no key may stand: after another key on the line, or on a deeper line. */
static void bad_value(const struct fault *f)
{
    uint32_t begin = line_start(f, f->at);
    uint32_t end = f->at;

    while (begin < f->at && (plumb_is_blank(f->t->bytes[begin])))
        begin++;
    while (end > begin && plumb_is_blank(f->t->bytes[end - 1]))
        end--;

    struct plumb_span key = span(f, begin, end);

    if (end > begin && memchr(f->t->bytes + begin, ':', end - begin) == NULL &&
        f->t->bytes[begin] != '-')
        plumb_diag_new(&f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), key,
                       "found key %s where no key can stand: it is indented deeper than the line "
                       "above, which has a value already; expected the column of the other keys",
                       quote(f, key));
    else
        report(f, PLUMB_YAML_SYNTAX, one(f, f->at),
               "found a second ':' in one line, expected one key and one value; put the value in "
               "quotes");
}

static void no_colon(const struct fault *f)
{
    struct plumb_span at = rest_of_line(f, f->context);

    plumb_diag_new(&f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), at,
                   "found %s, expected 'key: value': there is no ':' with a blank behind it",
                   quote(f, at));
}

static void no_key(const struct fault *f)
{
    struct plumb_span at = word(f, f->at);
    struct plumb_diag *d = plumb_diag_new(
        &f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), at,
        "found %s, expected a key in the column of the other keys of this mapping", quote(f, at));

    plumb_diag_note(d, word(f, f->context), "the mapping begins here");
}

static void no_dash(const struct fault *f)
{
    struct plumb_span at = word(f, f->at);
    struct plumb_diag *d = plumb_diag_new(
        &f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), at,
        "found %s, expected '-' in the column of the other items of this list", quote(f, at));

    plumb_diag_note(d, one(f, f->context), "the list begins here");
}

static void unclosed_flow(const struct fault *f)
{
    char open = f->context < f->t->len ? f->t->bytes[f->context] : '[';
    struct plumb_span at = one(f, f->at);
    const char *found = quote(f, at);
    bool end = f->at >= f->t->len || strchr("]}", f->t->bytes[f->at]) == NULL;
    struct plumb_diag *d =
        plumb_diag_new(&f->s->sink, plumb_yaml_row(end ? PLUMB_YAML_UNCLOSED : PLUMB_YAML_SYNTAX),
                       at, "found %s, expected ',' or '%c' to go on with or close what '%c' began",
                       found, open == '{' ? '}' : ']', open);

    plumb_diag_note(d, one(f, f->context), "'%c' is here", open);
}

static void unclosed_quote(const struct fault *f)
{
    char quotes = f->context < f->t->len ? f->t->bytes[f->context] : '"';

    plumb_diag_new(&f->s->sink, plumb_yaml_row(PLUMB_YAML_UNCLOSED), one(f, f->context),
                   "the text that this quote begins has no end, expected a closing %c", quotes);
}

static void bad_escape(const struct fault *f)
{
    uint32_t at = f->at;
    bool valid = false;

    while (at > f->context && f->t->bytes[at] != '\\')
        at--;

    uint32_t step = at + 1 < f->t->len ? (uint32_t)plumb_utf8_step(f->t->bytes + at + 1,
                                                                   f->t->len - at - 1, &valid)
                                       : 0;
    struct plumb_span where = span(f, at, at + 1 + step);

    plumb_diag_new(
        &f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), where,
        "found escape %s, expected one that YAML knows; write '\\\\' for a backslash, or "
        "use single quotes",
        quote(f, where));
}

static void bad_anchor(const struct fault *f)
{
    char sign = f->context < f->t->len ? f->t->bytes[f->context] : '*';
    struct plumb_span at = word(f, f->context);

    plumb_diag_new(&f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), at,
                   "found %s, expected a name behind '%c', which begins %s; put text that begins "
                   "with it in quotes",
                   quote(f, at), sign, sign == '&' ? "an anchor" : "an alias");
}

static void no_node(const struct fault *f)
{
    struct plumb_span at = one(f, f->at);

    plumb_diag_new(&f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), at, "found %s, expected a value",
                   quote(f, at));
}

static void bad_dash(const struct fault *f)
{
    report(f, PLUMB_YAML_SYNTAX, one(f, f->at),
           "found '-' where no list can begin, expected a plain value; put the list on lines of "
           "its own");
}

static void bad_tag(const struct fault *f)
{
    struct plumb_span at = word(f, f->context);

    plumb_diag_new(
        &f->s->sink, plumb_yaml_row(PLUMB_YAML_TAG), at,
        "found %s, expected a tag that is known; put text that begins with '!' in quotes",
        quote(f, at));
}

static void bad_block(const struct fault *f)
{
    struct plumb_span at = rest_of_line(f, f->at);

    plumb_diag_new(
        &f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), at,
        "found %s behind '%c', expected the end of the line: the text begins on the next "
        "one",
        quote(f, at), f->context < f->t->len ? f->t->bytes[f->context] : '|');
}

static void bad_directive(const struct fault *f)
{
    struct plumb_span at = rest_of_line(f, f->context);

    plumb_diag_new(&f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), at,
                   "found %s, expected no directive but '%%YAML 1.1', '%%YAML 1.2' or '%%TAG'; put "
                   "text that begins with '%%' in quotes",
                   quote(f, at));
}

static void no_document(const struct fault *f)
{
    struct plumb_span at = word(f, f->at);

    plumb_diag_new(&f->s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), at,
                   "found %s, expected the end of the document; what stands above is whole already",
                   quote(f, at));
}

/* The first row whose texts are both part of what libyaml says; NULL: any. */
static const struct {
    const char *context, *problem;
    void (*say)(const struct fault *f);
} problems[] = {
    {NULL, "cannot start any token", bad_start},
    {NULL, "found a tab character", tab_indent},
    {NULL, "mapping values are not allowed", bad_value},
    {NULL, "mapping keys are not allowed", bad_value},
    {NULL, "block sequence entries are not allowed", bad_dash},
    {"simple key", "could not find expected ':'", no_colon},
    {"block mapping", "did not find expected key", no_key},
    {"block collection", "did not find expected '-'", no_dash},
    {"flow", "did not find expected ','", unclosed_flow},
    {"quoted scalar", "unexpected end of stream", unclosed_quote},
    {"quoted scalar", "unexpected document indicator", unclosed_quote},
    {"quoted scalar", NULL, bad_escape},
    {"block scalar", NULL, bad_block},
    {"anchor", NULL, bad_anchor},
    {"alias", NULL, bad_anchor},
    {"tag", NULL, bad_tag},
    {NULL, "tag handle", bad_tag},
    {"directive", NULL, bad_directive},
    {NULL, "%YAML", bad_directive},
    {NULL, "%TAG", bad_directive},
    {NULL, "YAML document", bad_directive},
    {NULL, "expected node content", no_node},
    {NULL, "<document start>", no_document},
};

static bool says(const char *text, const char *part)
{
    return part == NULL || (text != NULL && strstr(text, part) != NULL);
}

void plumb_yaml_fault(struct plumb_session *s, struct plumb_yaml_text *t,
                      const yaml_parser_t *parser)
{
    struct fault f = {
        .s = s,
        .t = t,
        .at = plumb_yaml_byte(t, parser->problem_mark.index),
        .context = plumb_yaml_byte(t, parser->context_mark.index),
    };

    if (parser->error == YAML_MEMORY_ERROR)
        (void)plumb_arena_raw(s->arena, SIZE_MAX); /* out of memory, as the session says */
    if (parser->context == NULL)
        f.context = f.at;
    for (size_t i = 0; i < PLUMB_COUNT(problems); i++) {
        if (says(parser->context, problems[i].context) &&
            says(parser->problem, problems[i].problem)) {
            problems[i].say(&f);
            return;
        }
    }
    plumb_diag_new(&s->sink, plumb_yaml_row(PLUMB_YAML_SYNTAX), one(&f, f.at),
                   "found %s, expected YAML text (%s)", quote(&f, one(&f, f.at)),
                   parser->problem != NULL ? parser->problem : "no reason known");
}
