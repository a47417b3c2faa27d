/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slurm key=value files to documents, as src/common/parse_config.c reads them. lines.c gives
 * logical lines, words.c the grammar of a pair; here they become pairs and records.
 * read_faults.c says what is wrong with them, include.c follows Include.
 *
 * The daemon's grammar is one regular expression per pair, anchored at the place where the
 * last one ended. What does not match, or is left over, is one parse error for the whole
 * line. Here reading goes on behind the fault, so that every mistake of a line is found and
 * what the author meant is still in the document.
 */
#include "conf/read.h"

#include <string.h>

#include "base/text.h"

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
    line->pairs = PLUMB_NEW_ARRAY(r->doc->arena, r->pair_count, struct plumb_setting);
    if (r->pair_count > 0)
        memcpy(line->pairs, r->pairs, r->pair_count * sizeof(struct plumb_setting));
}

/*
 * The text of the value at the same place of the record above where it is the same: lines of
 * one kind differ in a name and an address.
 */
static const char *text_above(const struct plumb_conf_reader *r, const char *text, uint32_t len)
{
    const struct plumb_slice *above = NULL;

    if (r->pair_count >= r->pair_cap)
        return NULL;
    above = &r->pairs[r->pair_count].value;
    return above->text != NULL && above->len == len && memcmp(above->text, text, len) == 0
               ? above->text
               : NULL;
}

static struct plumb_slice value_slice(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                                      const struct plumb_source *src,
                                      const struct plumb_conf_words *w)
{
    struct plumb_slice s = plumb_conf_text_slice(
        r->doc->arena, t, src, w->value_begin, w->value_end,
        text_above(r, t->text + w->value_begin, w->value_end - w->value_begin));

    if (!w->quoted)
        return s;
    s.lead = 1;
    s.at = plumb_span_join(plumb_conf_text_span(t, src, w->value_begin - 1, w->value_begin),
                           plumb_conf_text_span(t, src, w->value_end, w->value_end + 1));
    return s;
}

/* Nearly every key is written as the table has it. */
static const char *key_text(struct plumb_conf_reader *r, const struct plumb_param *param,
                            const char *text, size_t len)
{
    if (param != NULL && strncmp(param->name, text, len) == 0 && param->name[len] == '\0')
        return param->name;
    return plumb_intern_text(r->session->intern, text, len);
}

static void add_pair(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                     const struct plumb_source *src, enum plumb_scope scope,
                     const struct plumb_conf_words *w)
{
    const char *key = t->text + w->key_begin;
    size_t key_len = w->key_end - w->key_begin;
    const struct plumb_param *param =
        plumb_param_find(r->session->table, r->doc->file, scope, key, key_len);
    struct plumb_slice value = value_slice(r, t, src, w);

    r->pairs = plumb_arena_grow(r->doc->arena, r->pairs, r->pair_count, &r->pair_cap,
                                sizeof(struct plumb_setting));
    r->pairs[r->pair_count++] = (struct plumb_setting){
        .param = param,
        .key = key_text(r, param, key, key_len),
        .value = value,
        .key_at = plumb_conf_text_span(t, src, w->key_begin, w->key_end),
        .origin = PLUMB_GIVEN,
        .op = w->op,
    };
}

/*
 * What follows a global pair. Returns where to go on reading: a further pair that could stand
 * on a line of its own, or the end.
 */
static uint32_t read_rest(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                          const struct plumb_source *src, const struct plumb_conf_words *w)
{
    uint32_t pos = plumb_conf_skip_blanks(t, w->next);
    struct plumb_conf_words next;

    if (pos == t->len) {
        plumb_conf_read_literal_quote(r, t, src, w);
        return pos;
    }
    /* The parser stops at an unknown key; the table engine reports it, for the whole line. */
    if (r->pairs[0].param == NULL || plumb_conf_read_quote(r, t, src, w))
        return t->len;
    if (plumb_conf_match_pair(t, pos, &next) == PLUMB_CONF_MATCH_PAIR &&
        plumb_conf_read_knows(r, PLUMB_SCOPE_GLOBAL, t->text + next.key_begin,
                              next.key_end - next.key_begin)) {
        plumb_conf_read_left_over(r, t, src, pos, next.quoted ? next.next : next.value_end,
                                  "each key=value on a line of its own");
        return pos;
    }
    plumb_conf_read_left_over(r, t, src, pos, t->len, "the end of the line");
    return t->len;
}

static void keep_cluster(struct plumb_conf_reader *r)
{
    const struct plumb_setting *p = &r->pairs[0];

    if (r->doc->file == PLUMB_SLURM_CONF && plumb_same_nocase(p->key, "ClusterName"))
        r->cluster = p->value.text;
}

static struct plumb_span line_span(const struct plumb_conf_reader *r)
{
    return plumb_span_join(r->pairs[0].key_at, r->pairs[r->pair_count - 1].value.at);
}

static uint32_t read_global(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                            const struct plumb_conf_text *t, const struct plumb_conf_words *w)
{
    struct plumb_conf_line *line = NULL;

    r->pair_count = 0;
    add_pair(r, t, frame->src, PLUMB_SCOPE_GLOBAL, w);
    plumb_conf_read_check_pair(r, t, frame->src, w, PLUMB_SCOPE_GLOBAL);
    keep_cluster(r);
    line = plumb_conf_read_line(r, frame, PLUMB_CONF_PAIR, line_span(r));
    add_pairs(r, line);
    return read_rest(r, t, frame->src, w);
}

/* Passes over words that are no pairs. Returns where the next pair, or the end, is. */
static uint32_t skip_stray(const struct plumb_conf_text *t, uint32_t pos,
                           struct plumb_conf_words *w, enum plumb_conf_match *found)
{
    do {
        pos = plumb_conf_skip_blanks(t, plumb_conf_skip_word(t, pos));
        *found = pos < t->len ? plumb_conf_match_pair(t, pos, w) : PLUMB_CONF_MATCH_NONE;
    } while (pos < t->len && *found == PLUMB_CONF_MATCH_NONE);
    return pos;
}

/* Reads the pairs of a record, the first of which was matched as *w. */
static void read_record_pairs(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                              const struct plumb_source *src, enum plumb_scope scope,
                              struct plumb_conf_words *w)
{
    uint32_t pos = 0;
    enum plumb_conf_match found = PLUMB_CONF_MATCH_PAIR;

    while (found == PLUMB_CONF_MATCH_PAIR) {
        struct plumb_conf_words last = *w;
        enum plumb_scope at = r->pair_count == 0 ? PLUMB_SCOPE_GLOBAL : scope;

        add_pair(r, t, src, at, w);
        plumb_conf_read_check_pair(r, t, src, w, scope);
        pos = plumb_conf_skip_blanks(t, w->next);
        found = pos < t->len ? plumb_conf_match_pair(t, pos, w) : PLUMB_CONF_MATCH_NONE;
        if (pos == t->len || found != PLUMB_CONF_MATCH_NONE) {
            plumb_conf_read_literal_quote(r, t, src, &last);
            continue;
        }

        uint32_t from = pos;
        bool explained = plumb_conf_read_quote(r, t, src, &last);

        pos = skip_stray(t, pos, w, &found);
        if (!explained)
            plumb_conf_read_left_over(r, t, src, from, pos, "key=value or the end of the line");
    }
    if (found == PLUMB_CONF_MATCH_NO_VALUE)
        plumb_conf_read_no_value(r, t, src, w);
}

static void read_record(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame,
                        const struct plumb_conf_text *t, enum plumb_scope scope,
                        struct plumb_conf_words *w)
{
    const struct plumb_sink *sink = &r->session->sink;
    size_t before = sink->count + sink->dropped;
    struct plumb_conf_line *line = NULL;

    r->pair_count = 0;
    read_record_pairs(r, t, frame->src, scope, w);
    if (plumb_conf_alike_record(r, t, scope, sink->count + sink->dropped == before))
        return;
    line = plumb_conf_read_line(r, frame, PLUMB_CONF_RECORD, line_span(r));
    line->scope = scope;
    add_pairs(r, line);
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
                      const struct plumb_conf_text *t)
{
    uint32_t pos = plumb_conf_skip_blanks(t, skip_mark(r, frame, t));

    if (pos < t->len && plumb_conf_read_include(r, frame, t, pos))
        return;
    while (pos < t->len) {
        struct plumb_conf_words w;
        enum plumb_conf_match found = plumb_conf_match_pair(t, pos, &w);

        if (found == PLUMB_CONF_MATCH_NONE) {
            plumb_conf_read_no_pair(r, frame, t, pos);
            return;
        }
        if (found == PLUMB_CONF_MATCH_NO_VALUE) {
            plumb_conf_read_no_value(r, t, frame->src, &w);
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
    r->session->sink.incomplete = true;
    return true;
}

static void keep_source(struct plumb_conf *doc, const struct plumb_source *src)
{
    doc->sources = plumb_arena_grow(doc->arena, doc->sources, doc->source_count, &doc->source_cap,
                                    sizeof(const struct plumb_source *));
    doc->sources[doc->source_count++] = src;
}

/* Room for as many lines as the file can hold. */
static void reserve_lines(struct plumb_conf *doc, const struct plumb_source *src)
{
    const char *at = src->bytes, *end = at + src->len;
    size_t count = 1;

    for (; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        count++;
    doc->lines = plumb_arena_reserve(doc->arena, doc->lines, doc->count, &doc->cap,
                                     sizeof(struct plumb_conf_line), count);
}

void plumb_conf_read_source(struct plumb_conf_reader *r, const struct plumb_conf_frame *frame)
{
    struct plumb_sources *sources = &r->session->sources;
    struct plumb_conf_cursor cursor = {.session = r->session, .doc = r->doc, .src = frame->src};
    struct plumb_conf_alike *above = r->alike;
    struct plumb_conf_text t;

    keep_source(r->doc, frame->src);
    if (is_utf16(r, frame->src))
        return;
    cursor.notes = plumb_line_notes_of(sources, frame->src);
    r->alike = plumb_conf_alike_begin(r, frame->src);
    if (r->alike == NULL)
        reserve_lines(r->doc, frame->src);
    for (;;) {
        if (plumb_conf_alike_next(r, &cursor))
            continue;
        if (!plumb_conf_next_text(&cursor, &t))
            break;
        read_text(r, frame, &t);
    }
    plumb_line_notes_done(sources, frame->src->id, &cursor.notes);
    r->alike = above;
    plumb_conf_alike_forget(r); /* an order among files is not kept within one line */
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
