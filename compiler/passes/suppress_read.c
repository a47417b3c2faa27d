/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading of suppressions. A comment covers the lines of the node or directive that it stands
 * at and what is below it; alone on its line, those of the next one. An entry of ignore:
 * covers the whole run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "conf/conf.h"
#include "passes/suppress.h"
#include "rules/check.h"
#include "spec/spec.h"
#include "syntax/yaml.h"

struct reader {
    struct plumb_run *run;
    struct plumb_suppressions *out;
};

/* A comment that speaks to plumb, whatever it stood in. */
struct remark {
    struct plumb_slice text;
    struct plumb_span target;
};

static void report(struct reader *rd, enum plumb_ignore_rule rule, struct plumb_span at,
                   const char *message)
{
    plumb_diag_new(&rd->run->session->sink, &plumb_ignore_rows[rule], at, "%s", message);
}

static bool is_date(const char *text, size_t len)
{
    static const char form[] = "dddd-dd-dd";

    if (len != sizeof(form) - 1)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (form[i] == 'd' ? !plumb_is_digit(text[i]) : text[i] != form[i])
            return false;
    }

    int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';

    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* False when the date says that the entry no longer counts, or cannot be read: reported. */
static bool still_counts(struct reader *rd, const char *date, size_t len, struct plumb_span at)
{
    struct plumb_arena *a = rd->run->session->arena;

    if (!is_date(date, len)) {
        report(rd, PLUMB_IGN_SYNTAX, at,
               plumb_arena_printf(a, "'%.*s' is no date, expected YYYY-MM-DD",
                                  (int)(len > 40 ? 40 : len), date));
        return false;
    }
    if (rd->run->today == NULL || strncmp(rd->run->today, date, len) < 0)
        return true;
    report(rd, PLUMB_IGN_EXPIRED, at,
           plumb_arena_printf(a, "suppression ended on %.*s", (int)len, date));
    return false;
}

static const struct plumb_rule *find_rule(struct reader *rd, const char *name, struct plumb_span at)
{
    const struct plumb_rule *rule = plumb_rule_find(name);
    struct plumb_arena *a = rd->run->session->arena;

    if (rule != NULL)
        return rule;

    const char *near = plumb_rule_suggest(name);

    report(rd, PLUMB_IGN_UNKNOWN, at,
           near == NULL
               ? plumb_arena_printf(a, "there is no rule '%s'", name)
               : plumb_arena_printf(a, "there is no rule '%s', did you mean '%s'?", name, near));
    return NULL;
}

static void add(struct reader *rd, struct plumb_suppression one)
{
    struct plumb_suppressions *l = rd->out;

    l->items =
        plumb_arena_grow(rd->run->session->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    l->items[l->count++] = one;
}

/* Bytes of the next word from *at on: blanks and commas divide. */
static bool next_word(const struct plumb_slice *s, size_t end, size_t *at, size_t *from)
{
    while (*at < end && (plumb_is_blank(s->text[*at]) || s->text[*at] == ','))
        (*at)++;
    *from = *at;
    while (*at < end && !plumb_is_blank(s->text[*at]) && s->text[*at] != ',')
        (*at)++;
    return *at > *from;
}

/* Where " -- reason" begins; the length of the text when it has none. */
static size_t find_reason(const struct plumb_slice *s, const char **reason)
{
    *reason = NULL;
    for (size_t i = 1; i + 2 <= s->len; i++) {
        if (s->text[i] != '-' || s->text[i + 1] != '-' || !plumb_is_blank(s->text[i - 1]))
            continue;

        size_t from = i + 2;

        while (from < s->len && plumb_is_blank(s->text[from]))
            from++;
        if (from < s->len)
            *reason = s->text + from;
        return i;
    }
    return s->len;
}

/* The words between "ignore" and the reason. */
static void read_words(struct reader *rd, const struct remark *rm, size_t at, size_t end,
                       const char *reason)
{
    struct plumb_arena *a = rd->run->session->arena;
    const struct plumb_slice *s = &rm->text;
    size_t first = rd->out->count, from = 0;
    bool counts = true, any = false;

    while (next_word(s, end, &at, &from)) {
        struct plumb_span span = plumb_slice_span(s, from, at);
        const char *word = plumb_arena_strndup(a, s->text + from, at - from);

        if (plumb_starts_with(word, "until=")) {
            counts = still_counts(rd, word + 6, at - from - 6, plumb_slice_span(s, from + 6, at)) &&
                     counts;
            continue;
        }
        any = true;

        const struct plumb_rule *rule = find_rule(rd, word, span);

        if (rule != NULL)
            add(rd, (struct plumb_suppression){
                        .rule = rule, .reason = reason, .at = span, .target = rm->target});
    }
    if (!any)
        report(rd, PLUMB_IGN_SYNTAX, s->at, "suppression names no rule");
    if (!counts)
        rd->out->count = first;
}

static void read_remark(struct reader *rd, struct remark rm)
{
    static const char marker[] = "plumb:";
    const char *reason = NULL;
    size_t at = 0, from = 0, end = 0;

    if (plumb_starts_with(rm.text.text, marker))
        at = sizeof(marker) - 1;
    end = find_reason(&rm.text, &reason);
    if (!next_word(&rm.text, end, &at, &from) || at - from != 6 ||
        memcmp(rm.text.text + from, "ignore", 6) != 0) {
        report(rd, PLUMB_IGN_SYNTAX, at > from ? plumb_slice_span(&rm.text, from, at) : rm.text.at,
               "a comment to plumb begins with 'plumb: ignore RULE'");
        return;
    }
    if (reason == NULL) {
        report(rd, PLUMB_IGN_REASON, rm.text.at,
               "suppression gives no reason, expected '-- reason' at its end");
        return;
    }

    struct plumb_slice tail = rm.text;

    reason = plumb_arena_strndup(rd->run->session->arena, reason,
                                 (size_t)(tail.text + tail.len - reason));
    read_words(rd, &rm, at, end, reason);
}

/* The bytes of lines first to last, 1-based. */
static struct plumb_span lines_of(const struct plumb_run *r, uint32_t file, uint32_t first,
                                  uint32_t last)
{
    const struct plumb_source *src = plumb_source_get(&r->session->sources, file);
    struct plumb_span span = {.file = file};
    const char *text = NULL;
    size_t len = 0;

    if (plumb_source_line(&r->session->sources, file, first, &text, &len))
        span.begin = (uint32_t)(text - src->bytes);
    if (plumb_source_line(&r->session->sources, file, last, &text, &len))
        span.end = (uint32_t)(text - src->bytes + (ptrdiff_t)len);
    return span;
}

static struct plumb_place place(const struct plumb_run *r, struct plumb_span at)
{
    return plumb_source_place(&r->session->sources, at);
}

/*
 * Where an entry begins that a comment may bind to: a directive, or a key or item of YAML. Sorted
 * by file and line; of those that begin on one line the outermost comes first.
 */
struct anchor {
    uint32_t file, line, end_line;
    size_t order;
};

struct anchors {
    struct plumb_arena *arena;
    struct anchor *items;
    size_t count, cap;
};

static void add_anchor(struct anchors *l, const struct plumb_run *r, struct plumb_span at)
{
    struct plumb_place p = place(r, at);

    l->items = plumb_arena_grow(l->arena, l->items, l->count, &l->cap, sizeof(*l->items));
    l->items[l->count] = (struct anchor){at.file, p.line, p.end_line, l->count};
    l->count++;
}

static int compare_anchors(const void *a, const void *b)
{
    const struct anchor *x = a, *y = b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_anchors(struct anchors *l)
{
    if (l->count > 1)
        qsort(l->items, l->count, sizeof(*l->items), compare_anchors);
}

/* Index of the first anchor of a file at or behind a line; may be the count. */
static size_t seek(const struct anchors *l, uint32_t file, uint32_t line)
{
    size_t lo = 0, hi = l->count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct anchor *x = &l->items[mid];

        if (x->file < file || (x->file == file && x->line < line))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The entry that a comment binds to: the next one when it stands alone, else the one of its line,
 * which may have begun above. NULL: none. */
static const struct anchor *find_anchor(const struct anchors *l, uint32_t file, uint32_t line,
                                        bool alone)
{
    size_t at = seek(l, file, alone ? line + 1 : line);
    const struct anchor *x = at < l->count ? &l->items[at] : NULL;

    if (alone)
        return x != NULL && x->file == file ? x : NULL;
    if (x != NULL && x->file == file && x->line == line)
        return x;
    x = at > 0 ? &l->items[at - 1] : NULL;
    return x != NULL && x->file == file && x->end_line >= line ? x : NULL;
}

static void bind_remark(struct reader *rd, const struct anchors *l, const struct plumb_slice *text,
                        uint32_t line, bool alone)
{
    uint32_t file = text->at.file;
    const struct anchor *x = find_anchor(l, file, line, alone);

    read_remark(rd,
                (struct remark){*text, x == NULL ? lines_of(rd->run, file, line, line)
                                                 : lines_of(rd->run, file, x->line, x->end_line)});
}

static void read_conf(struct reader *rd, const struct plumb_conf *doc)
{
    struct anchors l = {.arena = rd->run->session->arena};

    if (doc->comment_count == 0)
        return;
    for (size_t i = 0; i < doc->count; i++)
        add_anchor(&l, rd->run, doc->lines[i].at);
    sort_anchors(&l);
    for (size_t i = 0; i < doc->comment_count; i++)
        bind_remark(rd, &l, &doc->comments[i].text, doc->comments[i].line, doc->comments[i].alone);
}

/* Every key and item below a node, outer ones first. Depth is limited by the reader. */
static void collect(struct anchors *l, const struct plumb_run *r, const struct plumb_node *n)
{
    if (n->from_alias)
        return;
    for (uint32_t i = 0; n->kind == PLUMB_MAPPING && i < n->count; i++) {
        add_anchor(l, r, plumb_span_join(n->pairs[i].key->at, n->pairs[i].value->at));
        collect(l, r, n->pairs[i].value);
    }
    for (uint32_t i = 0; n->kind == PLUMB_SEQUENCE && i < n->count; i++) {
        add_anchor(l, r, n->items[i]->at);
        collect(l, r, n->items[i]);
    }
}

static void read_yaml(struct reader *rd, const struct plumb_source *src)
{
    struct plumb_session quiet =
        *rd->run->session; /* its findings were reported at first reading */
    struct anchors l = {.arena = quiet.arena};
    struct plumb_yaml *doc = NULL;
    struct plumb_comment *comments = NULL;
    size_t count = 0;

    quiet.sink = (struct plumb_sink){.arena = quiet.arena, .release = quiet.sink.release};
    doc = plumb_yaml_read(&quiet, src);
    count = plumb_yaml_comments(&quiet, src, doc, &comments);
    for (size_t i = 0; count > 0 && i < doc->count; i++)
        collect(&l, rd->run, doc->documents[i]);
    sort_anchors(&l);
    for (size_t i = 0; i < count; i++)
        bind_remark(rd, &l, &comments[i].text, comments[i].line, comments[i].alone);
}

static bool is_comment_line(const char *text, size_t len)
{
    while (len > 0 && plumb_is_blank(text[0]))
        text++, len--;
    return len == 0 || text[0] == '#';
}

/* Where "plumb:" begins in a comment of a line; SIZE_MAX: there is none. alone: nothing before. */
static size_t find_marker(const char *text, size_t len, bool *alone)
{
    static const char marker[] = "plumb:";
    bool only = true;

    for (size_t i = 0; i < len; i++) {
        size_t at = i + 1;

        if (text[i] != '#' || (i > 0 && !plumb_is_blank(text[i - 1]))) {
            only = only && plumb_is_blank(text[i]);
            continue;
        }
        while (at < len && plumb_is_blank(text[at]))
            at++;
        if (len - at >= sizeof(marker) - 1 && memcmp(text + at, marker, sizeof(marker) - 1) == 0) {
            *alone = only;
            return at;
        }
        only = false;
    }
    return SIZE_MAX;
}

/* Lines that are no comments; those of sbatch are none to it. A joined line is one with the next.
 */
static void add_lines(struct anchors *l, const struct plumb_source *src)
{
    uint32_t number = 1, first = 0;

    for (size_t at = 0; at < src->len; number++) {
        const char *text = src->bytes + at;
        const char *end = memchr(text, '\n', src->len - at);
        size_t len = end == NULL ? src->len - at : (size_t)(end - text);
        /* "#SBATCH", and what was meant for it */
        bool directive =
            len > 1 && text[0] == '#' && plumb_lower(text[1]) >= 'a' && plumb_lower(text[1]) <= 'z';

        if (first > 0) {
            l->items[l->count - 1].end_line = number;
        } else if (directive || !is_comment_line(text, len)) {
            l->items = plumb_arena_grow(l->arena, l->items, l->count, &l->cap, sizeof(*l->items));
            l->items[l->count] = (struct anchor){src->id, number, number, l->count};
            l->count++;
        }
        first = !is_comment_line(text, len) && len > 0 && text[len - 1] == '\\' ? number : 0;
        at += len + 1;
    }
}

/* A text whose comments begin with '#': job scripts, plugstack.conf, lists of commands. */
static void read_lines(struct reader *rd, const struct plumb_source *src)
{
    struct anchors l = {.arena = rd->run->session->arena};
    uint32_t number = 1;

    for (size_t at = 0; at < src->len; number++) {
        const char *text = src->bytes + at;
        const char *end = memchr(text, '\n', src->len - at);
        size_t len = end == NULL ? src->len - at : (size_t)(end - text);
        bool alone = false;
        size_t marker = find_marker(text, len, &alone);

        if (marker != SIZE_MAX) {
            struct plumb_slice remark;

            while (len > marker && plumb_is_blank(text[len - 1]))
                len--;
            remark = (struct plumb_slice){
                .text = plumb_arena_strndup(l.arena, text + marker, len - marker),
                .len = (uint32_t)(len - marker),
                .at = {src->id, (uint32_t)(at + marker), (uint32_t)(at + len)}};
            if (l.count == 0) {
                add_lines(&l, src);
                sort_anchors(&l);
            }
            bind_remark(rd, &l, &remark, number, alone);
        }
        at += (end == NULL ? src->len - at : (size_t)(end - text)) + 1;
    }
}

/* Entries of ignore:; what is missing in one was reported by the reader of the specification. */
static void read_entries(struct reader *rd, const struct plumb_spec *spec)
{
    struct plumb_arena *a = rd->run->session->arena;
    struct plumb_spec_ignore *items = NULL;
    size_t count = plumb_spec_ignores(spec, a, &items);

    for (size_t i = 0; i < count; i++) {
        const struct plumb_spec_ignore *e = &items[i];
        const struct plumb_rule *rule = NULL;

        if (e->rule.len == 0 || e->reason.len == 0)
            continue;
        rule = find_rule(rd, plumb_arena_strndup(a, e->rule.text, e->rule.len), e->rule.at);
        if (e->until.len > 0 && !still_counts(rd, e->until.text, e->until.len, e->until.at))
            continue;
        if (rule != NULL)
            add(rd, (struct plumb_suppression){
                        .rule = rule,
                        .reason = plumb_arena_strndup(a, e->reason.text, e->reason.len),
                        .at = e->rule.at});
    }
}

/* Manifests in JSON, and dumps of nodes, have no comments. */
static bool has_yaml_comments(const struct plumb_input *in)
{
    bool manifest = in->kind == PLUMB_KIND_KUBE || in->kind == PLUMB_KIND_VALUES;

    if (in->src == NULL)
        return false;
    return in->kind == PLUMB_KIND_SPEC || in->kind == PLUMB_KIND_NESTED ||
           (manifest && in->document_count > 0 && strstr(in->src->bytes, "# plumb:") != NULL);
}

struct plumb_suppressions *plumb_suppressions_read(struct plumb_run *r)
{
    struct reader rd = {.run = r, .out = PLUMB_NEW(r->session->arena, struct plumb_suppressions)};

    for (size_t i = 0; i < PLUMB_FILE_COUNT; i++) {
        if (r->conf[i] != NULL && (r->conf[i]->src == NULL || r->conf[i]->src->inside == NULL))
            read_conf(&rd, r->conf[i]);
    }
    if (r->spec != NULL)
        read_entries(&rd, r->spec);
    for (size_t i = 0; i < r->input_count; i++) {
        if (has_yaml_comments(&r->inputs[i]))
            read_yaml(&rd, r->inputs[i].src);
        else if (r->inputs[i].src != NULL &&
                 (r->inputs[i].kind == PLUMB_KIND_JOB || r->inputs[i].kind == PLUMB_KIND_ACCOUNTS))
            read_lines(&rd, r->inputs[i].src);
    }
    for (size_t i = 0; r->plugstack != NULL && i < r->plugstack->count; i++)
        read_lines(&rd, r->plugstack->sources[i]);
    return rd.out;
}
