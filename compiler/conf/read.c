/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slurm key=value files to documents, as src/common/parse_config.c reads them. lines.c gives
 * logical lines; here they become pairs and records; include.c follows Include.
 *
 * The daemon's grammar is one regular expression per pair, anchored at the place where the
 * last one ended. What does not match, or is left over, is one parse error for the whole
 * line. Here reading goes on behind the fault, so that every mistake of a line is found and
 * what the author meant is still in the document.
 */
#include "conf/read.h"

#include <string.h>

#include "base/text.h"

/* Where the words of one key=value stand in a logical line. */
struct words {
    uint32_t key_begin, key_end;
    uint32_t sign; /* the '=' */
    char op;
    uint32_t value_begin, value_end; /* without quotes */
    uint32_t next;                   /* behind the value and its quote */
    bool quoted;
};

enum match { MATCH_PAIR, MATCH_NO_VALUE, MATCH_NONE };

/* Keys that begin a record line with pairs of its own. */
static const struct {
    enum plumb_file file;
    const char *key;
    enum plumb_scope scope;
} records[] = {
    {PLUMB_SLURM_CONF, "NodeName", PLUMB_SCOPE_NODE},
    {PLUMB_SLURM_CONF, "PartitionName", PLUMB_SCOPE_PARTITION},
    {PLUMB_SLURM_CONF, "DownNodes", PLUMB_SCOPE_DOWNNODES},
    {PLUMB_SLURM_CONF, "NodeSet", PLUMB_SCOPE_NODESET},
    {PLUMB_SLURM_CONF, "FrontendName", PLUMB_SCOPE_FRONTEND},
    {PLUMB_SLURM_CONF, "PowerAction", PLUMB_SCOPE_POWERACTION},
    {PLUMB_GRES_CONF, "Name", PLUMB_SCOPE_GRES},
    {PLUMB_GRES_CONF, "NodeName", PLUMB_SCOPE_GRES},
    {PLUMB_TOPOLOGY_CONF, "SwitchName", PLUMB_SCOPE_SWITCH},
    {PLUMB_TOPOLOGY_CONF, "BlockName", PLUMB_SCOPE_BLOCK},
    {PLUMB_TOPOLOGY_CONF, "RingName", PLUMB_SCOPE_RING},
    {PLUMB_JOB_CONTAINER_CONF, "BasePath", PLUMB_SCOPE_LINE},
    {PLUMB_JOB_CONTAINER_CONF, "NodeName", PLUMB_SCOPE_LINE},
    {PLUMB_HELPERS_CONF, "Feature", PLUMB_SCOPE_LINE},
    {PLUMB_HELPERS_CONF, "NodeName", PLUMB_SCOPE_LINE},
};

enum plumb_scope plumb_conf_record_scope(enum plumb_file file, const char *key, size_t len)
{
    for (size_t i = 0; i < PLUMB_COUNT(records); i++) {
        if (records[i].file == file && strlen(records[i].key) == len &&
            plumb_equal_nocase(key, records[i].key, len))
            return records[i].scope;
    }
    return PLUMB_SCOPE_GLOBAL;
}

static bool is_key_char(char c)
{
    return plumb_is_digit(c) || (plumb_lower(c) >= 'a' && plumb_lower(c) <= 'z') || c == '_' ||
           c == '.';
}

static uint32_t skip_blanks(const struct plumb_conf_text *t, uint32_t pos)
{
    while (pos < t->len && plumb_is_blank(t->text[pos]))
        pos++;
    return pos;
}

/* Stops at a NUL too: words that were taken already end in one. */
static uint32_t skip_word(const struct plumb_conf_text *t, uint32_t pos)
{
    while (pos < t->len && t->text[pos] != '\0' && !plumb_is_blank(t->text[pos]))
        pos++;
    return pos;
}

/*
 * The value at pos, which is no blank. A quoted one counts only when a blank or the end
 * follows its closing quote; else the quote is a character like any other.
 */
static void match_value(const struct plumb_conf_text *t, uint32_t pos, struct words *w)
{
    if (t->text[pos] == '"') {
        const char *close = memchr(t->text + pos + 1, '"', t->len - pos - 1);
        uint32_t end = close != NULL ? (uint32_t)(close - t->text) : t->len;

        if (close != NULL && (end + 1 == t->len || plumb_is_blank(t->text[end + 1]))) {
            w->quoted = true;
            w->value_begin = pos + 1;
            w->value_end = end;
            w->next = end + 1;
            return;
        }
    }
    w->value_begin = pos;
    w->value_end = skip_word(t, pos);
    /* The blank behind it is part of the match; its byte ends the value's text. */
    w->next = w->value_end < t->len ? w->value_end + 1 : t->len;
}

/* [blank]* KEY [blank]* [op]= [blank]* VALUE ([blank]|end), parse_config.c:_keyvalue_regex */
static enum match match_pair(const struct plumb_conf_text *t, uint32_t pos, struct words *w)
{
    *w = (struct words){.op = '='};
    pos = skip_blanks(t, pos);
    w->key_begin = pos;
    while (pos < t->len && is_key_char(t->text[pos]))
        pos++;
    w->key_end = pos;
    if (w->key_end == w->key_begin)
        return MATCH_NONE;
    pos = skip_blanks(t, pos);
    if (pos + 1 < t->len && t->text[pos + 1] == '=' && memchr("-+*/", t->text[pos], 4) != NULL)
        w->op = t->text[pos++];
    if (pos == t->len || t->text[pos] != '=')
        return MATCH_NONE;
    w->sign = pos;
    pos = skip_blanks(t, pos + 1);
    if (pos == t->len)
        return MATCH_NO_VALUE;
    match_value(t, pos, w);
    return MATCH_PAIR;
}

struct plumb_span plumb_conf_text_span(const struct plumb_conf_text *t,
                                       const struct plumb_source *src, uint32_t begin, uint32_t end)
{
    if (t->map == NULL)
        return (struct plumb_span){src->id, t->begin + begin, t->begin + end};
    return (struct plumb_span){src->id, t->map[begin],
                               end > begin ? t->map[end - 1] + 1 : t->map[begin]};
}

struct plumb_diag *plumb_conf_read_fault(struct plumb_conf_reader *r, enum plumb_conf_fault fault,
                                         struct plumb_span at, const char *fmt, ...)
{
    va_list args;
    const char *message = NULL;

    va_start(args, fmt);
    message = plumb_arena_vprintf(r->session->arena, fmt, args);
    va_end(args);
    return plumb_conf_fault(&r->session->sink, fault, r->doc->file, at, "%s", message);
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

struct plumb_conf_line *plumb_conf_read_line(struct plumb_conf_reader *r,
                                             const struct plumb_conf_frame *frame,
                                             enum plumb_conf_kind kind, struct plumb_span at)
{
    struct plumb_conf *doc = r->doc;
    struct plumb_conf_line *line = NULL;

    doc->lines = plumb_arena_grow(doc->arena, doc->lines, doc->count, &doc->cap,
                                  sizeof(struct plumb_conf_line));
    line = &doc->lines[doc->count++];
    *line = (struct plumb_conf_line){
        .kind = kind,
        .scope = PLUMB_SCOPE_GLOBAL,
        .at = at,
        .included_from = frame->line,
    };
    return line;
}

static void add_pairs(struct plumb_conf_reader *r, struct plumb_conf_line *line)
{
    line->count = line->cap = r->pair_count;
    line->pairs = PLUMB_NEW_ARRAY(r->doc->arena, r->pair_count, struct plumb_conf_pair);
    if (r->pair_count > 0)
        memcpy(line->pairs, r->pairs, r->pair_count * sizeof(struct plumb_conf_pair));
}

static struct plumb_slice value_slice(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                                      const struct plumb_source *src, const struct words *w)
{
    struct plumb_slice s =
        plumb_conf_text_slice(r->doc->arena, t, src, w->value_begin, w->value_end);

    if (!w->quoted)
        return s;
    s.lead = 1;
    s.at = plumb_span_join(plumb_conf_text_span(t, src, w->value_begin - 1, w->value_begin),
                           plumb_conf_text_span(t, src, w->value_end, w->value_end + 1));
    return s;
}

/* Makes the pair, and ends its words in the line's text. */
static const struct plumb_conf_pair *add_pair(struct plumb_conf_reader *r,
                                              struct plumb_conf_text *t,
                                              const struct plumb_source *src,
                                              enum plumb_scope scope, const struct words *w)
{
    struct plumb_conf_pair *p = NULL;

    r->pairs = plumb_arena_grow(r->doc->arena, r->pairs, r->pair_count, &r->pair_cap,
                                sizeof(struct plumb_conf_pair));
    p = &r->pairs[r->pair_count++];
    *p = (struct plumb_conf_pair){
        .key = plumb_conf_text_slice(r->doc->arena, t, src, w->key_begin, w->key_end),
        .op = w->op,
        .value = value_slice(r, t, src, w),
        .quoted = w->quoted,
        .param = plumb_param_find(r->doc->file, scope, t->text + w->key_begin,
                                  w->key_end - w->key_begin),
    };
    t->text[w->key_end] = '\0';
    t->text[w->value_end] = '\0';
    return p;
}

static bool is_known(const struct plumb_conf_reader *r, enum plumb_scope scope, const char *key,
                     size_t len)
{
    return plumb_param_find(r->doc->file, scope, key, len) != NULL;
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
static void check_swallowed(struct plumb_conf_reader *r, const struct words *w,
                            const struct plumb_conf_pair *p, enum plumb_scope scope)
{
    const char *sign = memchr(p->value.text, '=', p->value.len);

    if (w->quoted || w->value_begin == w->sign + 1 || sign == NULL || p->param == NULL ||
        !takes_any_word(r, p->param) ||
        !is_known(r, scope, p->value.text, (size_t)(sign - p->value.text)))
        return;
    plumb_conf_read_fault(r, PLUMB_CONF_SWALLOWED_PAIR, p->value.at,
                          "'%s' takes '%s' as its value, expected a value or \"\" behind the '='",
                          p->key.text,
                          plumb_conf_clip(r->session->arena, p->value.text, p->value.len));
}

static void check_operator(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                           const struct plumb_source *src, const struct words *w,
                           const struct plumb_conf_pair *p)
{
    if (w->op == '=')
        return;
    plumb_conf_read_fault(
        r, PLUMB_CONF_OPERATOR, plumb_conf_text_span(t, src, w->sign - 1, w->sign + 1),
        "'%c=' of '%s' acts as '=', expected '=' and the whole value", w->op, p->key.text);
}

static void check_cut(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                      const struct plumb_source *src, const struct words *w,
                      const struct plumb_conf_pair *p)
{
    if (!t->cut || w->quoted || w->value_end != t->len || p->value.at.end != t->cut_at)
        return;
    plumb_conf_read_fault(
        r, PLUMB_CONF_COMMENT_CUTS_VALUE, (struct plumb_span){src->id, t->cut_at, t->cut_at + 1},
        "the value of '%s' ends at '#', expected a blank before the comment, or '\\#' for a '#' "
        "as text",
        p->key.text);
}

/* What can be said of a pair by itself. */
static void check_pair(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                       const struct plumb_source *src, const struct words *w,
                       enum plumb_scope scope)
{
    const struct plumb_conf_pair *p = &r->pairs[r->pair_count - 1];

    check_operator(r, t, src, w, p);
    check_swallowed(r, w, p, scope);
    check_cut(r, t, src, w, p);
}

/* The value begins with a quote that did not count. False when it does not. */
static bool report_quote(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                         const struct plumb_source *src, const struct words *w)
{
    uint32_t from = w->value_begin + 1;
    const char *key = r->pairs[r->pair_count - 1].key.text;
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
    end = skip_word(t, from);
    plumb_conf_read_fault(r, PLUMB_CONF_BEHIND_QUOTE, plumb_conf_text_span(t, src, from, end),
                          "'%s' touches the closing quote of '%s', expected a blank or the end of "
                          "the line",
                          clip(r, t, from, end), key);
    return true;
}

/* Nothing is left over, but a quote became part of the value. */
static void check_literal_quote(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                                const struct plumb_source *src, const struct words *w)
{
    const struct plumb_conf_pair *p = &r->pairs[r->pair_count - 1];
    const char *quote = w->quoted ? NULL : memchr(p->value.text, '"', p->value.len);
    uint32_t at = 0;

    if (quote == NULL)
        return;
    at = (uint32_t)(quote - t->text);
    struct plumb_diag *d = plumb_conf_read_fault(
        r, PLUMB_CONF_LITERAL_QUOTE, plumb_conf_text_span(t, src, at, at + 1),
        "a quote is part of the value of '%s', expected quotes around the whole value or none",
        p->key.text);

    if (t->cut && at == w->value_begin)
        explain_cut(d, t, src);
}

static void report_left_over(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                             const struct plumb_source *src, uint32_t begin, uint32_t end,
                             const char *expected)
{
    const struct plumb_conf_pair *p = &r->pairs[r->pair_count - 1];

    while (end > begin && plumb_is_blank(t->text[end - 1]))
        end--;

    struct plumb_diag *d =
        plumb_conf_read_fault(r, PLUMB_CONF_LEFT_OVER, plumb_conf_text_span(t, src, begin, end),
                              "'%s' is left over behind the value of '%s', expected %s",
                              clip(r, t, begin, end), p->key.text, expected);

    explain_lookalikes(d, t->text + begin, end - begin);
    explain_join(d, t, src);
}

/*
 * What follows a global pair. Returns where to go on reading: a further pair that could stand
 * on a line of its own, or the end.
 */
static uint32_t read_rest(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                          const struct plumb_source *src, const struct words *w)
{
    uint32_t pos = skip_blanks(t, w->next);
    struct words next;

    if (pos == t->len) {
        check_literal_quote(r, t, src, w);
        return pos;
    }
    /* The parser stops at an unknown key; the table engine reports it, for the whole line. */
    if (r->pairs[0].param == NULL || report_quote(r, t, src, w))
        return t->len;
    if (match_pair(t, pos, &next) == MATCH_PAIR &&
        is_known(r, PLUMB_SCOPE_GLOBAL, t->text + next.key_begin, next.key_end - next.key_begin)) {
        report_left_over(r, t, src, pos, next.quoted ? next.next : next.value_end,
                         "each key=value on a line of its own");
        return pos;
    }
    report_left_over(r, t, src, pos, t->len, "the end of the line");
    return t->len;
}

static void keep_cluster(struct plumb_conf_reader *r)
{
    const struct plumb_conf_pair *p = &r->pairs[0];

    if (r->doc->file == PLUMB_SLURM_CONF && plumb_slice_is(&p->key, "ClusterName"))
        r->cluster = p->value.text;
}

static struct plumb_span line_span(const struct plumb_conf_reader *r)
{
    return plumb_span_join(r->pairs[0].key.at, r->pairs[r->pair_count - 1].value.at);
}

static uint32_t read_global(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                            struct plumb_conf_text *t, const struct words *w)
{
    struct plumb_conf_line *line = NULL;

    r->pair_count = 0;
    add_pair(r, t, frame->src, PLUMB_SCOPE_GLOBAL, w);
    check_pair(r, t, frame->src, w, PLUMB_SCOPE_GLOBAL);
    keep_cluster(r);
    line = plumb_conf_read_line(r, frame, PLUMB_CONF_PAIR, line_span(r));
    add_pairs(r, line);
    return read_rest(r, t, frame->src, w);
}

static void report_no_value(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                            const struct plumb_source *src, const struct words *w)
{
    struct plumb_diag *d = plumb_conf_read_fault(
        r, PLUMB_CONF_NO_VALUE, plumb_conf_text_span(t, src, w->key_begin, w->sign + 1),
        "nothing stands behind '%s=', expected a value or \"\"",
        clip(r, t, w->key_begin, w->key_end));

    if (t->cut)
        explain_cut(d, t, src);
}

/* Passes over words that are no pairs. Returns where the next pair, or the end, is. */
static uint32_t skip_stray(const struct plumb_conf_text *t, uint32_t pos, struct words *w,
                           enum match *found)
{
    do {
        pos = skip_blanks(t, skip_word(t, pos));
        *found = pos < t->len ? match_pair(t, pos, w) : MATCH_NONE;
    } while (pos < t->len && *found == MATCH_NONE);
    return pos;
}

/* Reads the pairs of a record, the first of which was matched as *w. */
static void read_record_pairs(struct plumb_conf_reader *r, struct plumb_conf_text *t,
                              const struct plumb_source *src, enum plumb_scope scope,
                              struct words *w)
{
    uint32_t pos = 0;
    enum match found = MATCH_PAIR;

    while (found == MATCH_PAIR) {
        struct words last = *w;
        enum plumb_scope at = r->pair_count == 0 ? PLUMB_SCOPE_GLOBAL : scope;

        add_pair(r, t, src, at, w);
        check_pair(r, t, src, w, scope);
        pos = skip_blanks(t, w->next);
        found = pos < t->len ? match_pair(t, pos, w) : MATCH_NONE;
        if (pos == t->len || found != MATCH_NONE) {
            check_literal_quote(r, t, src, &last);
            continue;
        }

        uint32_t from = pos;
        bool explained = report_quote(r, t, src, &last);

        pos = skip_stray(t, pos, w, &found);
        if (!explained)
            report_left_over(r, t, src, from, pos, "key=value or the end of the line");
    }
    if (found == MATCH_NO_VALUE)
        report_no_value(r, t, src, w);
}

static void read_record(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                        struct plumb_conf_text *t, enum plumb_scope scope, struct words *w)
{
    struct plumb_conf_line *line = NULL;

    r->pair_count = 0;
    read_record_pairs(r, t, frame->src, scope, w);
    line = plumb_conf_read_line(r, frame, PLUMB_CONF_RECORD, line_span(r));
    line->scope = scope;
    add_pairs(r, line);
}

static void report_no_pair(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
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

/* Line 1 behind a byte order mark; 0 when there is none. */
static uint32_t skip_mark(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                          const struct plumb_conf_text *t)
{
    static const char mark[] = "\xef\xbb\xbf";

    if (t->at.begin != 0 || t->len < 3 || memcmp(t->text, mark, 3) != 0)
        return 0;
    plumb_conf_read_fault(r, PLUMB_CONF_BYTE_ORDER_MARK, (struct plumb_span){frame->src->id, 0, 3},
                          "the file begins with a UTF-8 byte order mark, expected none");
    return 3;
}

static void read_text(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                      struct plumb_conf_text *t)
{
    uint32_t pos = skip_blanks(t, skip_mark(r, frame, t));

    if (pos < t->len && plumb_conf_read_include(r, frame, t, pos))
        return;
    while (pos < t->len) {
        struct words w;
        enum match found = match_pair(t, pos, &w);

        if (found == MATCH_NONE) {
            report_no_pair(r, frame, t, pos);
            return;
        }
        if (found == MATCH_NO_VALUE) {
            report_no_value(r, t, frame->src, &w);
            plumb_conf_read_line(r, frame, PLUMB_CONF_BAD,
                                 plumb_conf_text_span(t, frame->src, w.key_begin, w.sign + 1));
            return;
        }

        enum plumb_scope scope =
            plumb_conf_record_scope(r->doc->file, t->text + w.key_begin, w.key_end - w.key_begin);

        if (scope != PLUMB_SCOPE_GLOBAL) {
            read_record(r, frame, t, scope, &w);
            return;
        }
        pos = read_global(r, frame, t, &w);
    }
}

/* A UTF-16 file holds a NUL in every other byte: one finding instead of one per line. */
static bool is_utf16(struct plumb_conf_reader *r, const struct plumb_source *src)
{
    if (src->len < 2 ||
        (memcmp(src->bytes, "\xff\xfe", 2) != 0 && memcmp(src->bytes, "\xfe\xff", 2) != 0))
        return false;
    plumb_conf_read_fault(r, PLUMB_CONF_BYTE_ORDER_MARK, (struct plumb_span){src->id, 0, 2},
                          "the file is UTF-16 text, expected ASCII or UTF-8");
    return true;
}

static void keep_source(struct plumb_conf *doc, const struct plumb_source *src)
{
    doc->sources = plumb_arena_grow(doc->arena, doc->sources, doc->source_count, &doc->source_cap,
                                    sizeof(const struct plumb_source *));
    doc->sources[doc->source_count++] = src;
}

void plumb_conf_read_source(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame)
{
    struct plumb_conf_cursor cursor = {.session = r->session, .doc = r->doc, .src = frame->src};
    struct plumb_conf_text t;

    keep_source(r->doc, frame->src);
    if (is_utf16(r, frame->src))
        return;
    while (plumb_conf_next_text(&cursor, &t))
        read_text(r, frame, &t);
}

struct plumb_conf *plumb_conf_read(struct plumb_session *s, enum plumb_file file,
                                   struct plumb_source *src,
                                   const struct plumb_conf_options *options)
{
    struct plumb_conf_reader r = {
        .session = s,
        .doc = plumb_conf_new(s->arena, file),
        .options = options,
    };
    struct plumb_conf_frame frame = {.src = src};

    r.doc->src = src;
    plumb_conf_read_source(&r, &frame);
    return r.doc;
}
