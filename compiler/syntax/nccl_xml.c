/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of NCCL's dialect. Each step has the name of what xml.cc does there. */
#include "syntax/nccl_xml.h"

#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "schema/nccl.h"

enum { MANY = 200 }; /* elements: NCCL adds its own to those of the file */

/* A finding that stands for several places. */
struct repeated {
    struct plumb_diag *d;
    size_t count; /* of the others */
    struct repeated *next;
};

struct reader {
    struct plumb_session *s;
    const struct plumb_source *src;
    struct plumb_nccl_xml *out;
    uint32_t at;
    uint32_t nodes;                /* elements read, whether NCCL takes them or not */
    size_t tabs, texts;            /* outside tags */
    bool foreign;                  /* of RCCL, as its version tells: it has elements of its own */
    bool quoted;                   /* reported */
    const struct plumb_xml *first; /* element at the top */
    struct plumb_map ignored;      /* "parent/name" to struct repeated */
    struct repeated *repeats;      /* all of them */
};

/* Which elements NCCL looks for below which. */
static const struct {
    const char *parent, *child;
} known[] = {
    {"system", "cpu"}, {"cpu", "pci"},     {"cpu", "nic"},    {"pci", "pci"}, {"pci", "gpu"},
    {"pci", "nic"},    {"pci", "pcilink"}, {"gpu", "nvlink"}, {"gpu", "c2c"}, {"nic", "net"},
};

static struct plumb_span span(const struct reader *rd, uint32_t begin, uint32_t end)
{
    uint32_t len = rd->src->len;

    return (struct plumb_span){rd->src->id, begin > len ? len : begin, end > len ? len : end};
}

static bool more(const struct reader *rd)
{
    return rd->at < rd->src->len;
}

static char peek(const struct reader *rd)
{
    return more(rd) ? rd->src->bytes[rd->at] : '\0';
}

static bool looks_at(const struct reader *rd, const char *text)
{
    size_t len = strlen(text);

    return rd->src->len - rd->at >= len && memcmp(rd->src->bytes + rd->at, text, len) == 0;
}

static void skip_past(struct reader *rd, const char *text)
{
    size_t len = strlen(text);

    while (more(rd) && !looks_at(rd, text))
        rd->at++;
    rd->at = more(rd) ? rd->at + (uint32_t)len : rd->src->len;
}

static struct plumb_diag *stops(struct reader *rd, uint32_t begin, uint32_t end, const char *what,
                                const char *expected)
{
    rd->out->stopped = true;
    return plumb_nccl_report(rd->s, PLUMB_NCCL_UNREADABLE, span(rd, begin, end),
                             "NCCL stops at %s, expected %s", what, expected);
}

/* Declarations and the like: "<?xml", "<!DOCTYPE", "<![CDATA[". */
static bool skip_prolog(struct reader *rd)
{
    static const struct {
        const char *text, *what, *end;
    } rows[] = {
        {"<?xml", "a declaration", ">"},
        {"<?", "a processing instruction", ">"},
        {"<!DOCTYPE", "a document type", ">"},
        {"<![CDATA[", "character data", "]]>"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        uint32_t begin = rd->at;

        if (!looks_at(rd, rows[i].text))
            continue;
        stops(rd, begin, begin + (uint32_t)strlen(rows[i].text), rows[i].what,
              "'<system version=\"1\">' first");
        skip_past(rd, rows[i].end);
        return true;
    }
    return false;
}

/*
 * xmlSkipComment, after xmlGetToken has read the first word: an '=' in that word is taken for
 * an attribute of an element.
 */
static void skip_comment(struct reader *rd)
{
    uint32_t begin = rd->at, i = begin + 4;

    while (i < rd->src->len && strchr(" >/\n\r=", rd->src->bytes[i]) == NULL)
        i++;
    if (i < rd->src->len && rd->src->bytes[i] == '=')
        stops(rd, begin, i + 1, "'=' in the first word of a comment", "a blank behind '<!--'");
    else if (i - begin > PLUMB_NCCL_TEXT)
        stops(rd, begin, i, "a comment whose first word has more than 254 bytes", "a shorter one");
    rd->at = begin + 4;
    skip_past(rd, "-->");
    if (rd->at == rd->src->len &&
        (rd->at < 3 || memcmp(rd->src->bytes + rd->at - 3, "-->", 3) != 0))
        stops(rd, begin, begin + 4, "a comment without end", "'-->'");
}

/* What stands between tags, up to the next '<' or the end. One finding of each kind. */
static void skip_between(struct reader *rd)
{
    while (more(rd) && peek(rd) != '<') {
        uint32_t begin = rd->at;
        char c = peek(rd);

        rd->at++;
        if (c == ' ' || c == '\n' || c == '\r')
            continue;
        if (c == '\t') {
            if (rd->tabs++ == 0)
                stops(rd, begin, begin + 1, "a tab", "blanks");
            continue;
        }
        while (more(rd) && strchr("<\t\n\r", peek(rd)) == NULL)
            rd->at++;
        if (begin == 0 && rd->at >= 3 && memcmp(rd->src->bytes, "\xef\xbb\xbf", 3) == 0) {
            rd->at = 3;
            stops(rd, 0, 3, "a byte order mark", "'<system version=\"1\">' first");
        } else if (rd->texts++ == 0) {
            stops(rd, begin, rd->at, "text between tags", "tags alone");
        }
    }
}

static bool ends_token(char c)
{
    return c == '\0' || strchr(" >/\n\r", c) != NULL;
}

/* xmlGetValue: up to the same quote, whatever is in between. */
static bool read_value(struct reader *rd, struct plumb_slice *out)
{
    char quote = peek(rd);
    uint32_t begin = rd->at + 1;
    const char *end = NULL;

    if (quote != '"' && quote != '\'') {
        stops(rd, rd->at, rd->at + 1, "a value without quotes", "'\"'");
        return false;
    }
    end = begin > rd->src->len ? NULL : memchr(rd->src->bytes + begin, quote, rd->src->len - begin);
    if (end == NULL) {
        stops(rd, rd->at, rd->at + 1, "a value without end", "another quote");
        return false;
    }
    if (quote == '\'' && !rd->quoted) {
        plumb_nccl_report(rd->s, PLUMB_NCCL_QUOTES, span(rd, rd->at, rd->at + 1),
                          "NCCL before 2.27 stops at a single quote, expected '\"'");
        rd->quoted = true;
    }
    rd->at = (uint32_t)(end - rd->src->bytes);
    if (rd->at - begin > PLUMB_NCCL_TEXT)
        stops(rd, begin, rd->at, "a value of more than 254 bytes", "a shorter one");
    *out = (struct plumb_slice){
        .text = plumb_arena_strndup(rd->s->arena, rd->src->bytes + begin, rd->at - begin),
        .len = rd->at - begin,
        .at = span(rd, begin, rd->at),
    };
    rd->at++;
    return true;
}

static void add_attr(struct reader *rd, struct plumb_xml *e, struct plumb_slice name,
                     struct plumb_slice value)
{
    if (e->attr_count == PLUMB_NCCL_ATTRS) {
        plumb_nccl_report(rd->s, PLUMB_NCCL_IGNORED, name.at,
                          "NCCL drops attribute '%s' of '%s', the 17th, expected at most 16",
                          name.text, e->name);
        e->attr_cap = UINT32_MAX; /* said once */
        return;
    }
    if (e->attrs == NULL)
        e->attrs = PLUMB_NEW_ARRAY(rd->s->arena, PLUMB_NCCL_ATTRS, struct plumb_xml_attr);
    e->attrs[e->attr_count++] = (struct plumb_xml_attr){.name = name.text, .value = value};
}

/* xmlGetToken with a value: one attribute, or nothing where two blanks meet. */
static bool read_attr(struct reader *rd, struct plumb_xml *e)
{
    uint32_t begin = rd->at;
    struct plumb_slice name = {0}, value = {0};

    while (more(rd) && !ends_token(peek(rd)) && peek(rd) != '=')
        rd->at++;
    name.text = plumb_intern_text(rd->s->intern, rd->src->bytes + begin, rd->at - begin);
    name.len = rd->at - begin;
    name.at = span(rd, begin, rd->at);
    if (name.len > PLUMB_NCCL_TEXT)
        stops(rd, begin, rd->at, "a name of more than 254 bytes", "a shorter one");
    if (peek(rd) != '=') {
        if (name.len > 0)
            plumb_nccl_report(
                rd->s, PLUMB_NCCL_IGNORED, name.at,
                "NCCL reads '%s' as an attribute without value, expected '%s=\"...\"'", name.text,
                name.text);
        return true;
    }
    rd->at++;
    if (!read_value(rd, &value))
        return false;
    if (e->attr_cap != UINT32_MAX)
        add_attr(rd, e, name, value);
    return true;
}

/* A tag is one line: behind a value NCCL takes a blank, '/' or '>'. False: no end was found. */
static bool read_attrs(struct reader *rd, struct plumb_xml *e)
{
    bool broken = false;

    while (more(rd) && peek(rd) != '>' && peek(rd) != '/') {
        char c = peek(rd);

        if (c == ' ') {
            rd->at++;
            if (peek(rd) != ' ' && peek(rd) != '>' && peek(rd) != '/' && !read_attr(rd, e))
                return false;
            continue;
        }
        if (!broken)
            stops(rd, rd->at, rd->at + 1,
                  c == '\t'                ? "a tab in a tag"
                  : c == '\n' || c == '\r' ? "a line break in a tag"
                                           : "what stands behind an attribute",
                  "a blank, '/' or '>'");
        broken = true;
        rd->at++;
        if (c != '\t' && c != '\n' && c != '\r')
            return false;
        while (more(rd) && strchr(" \t\n\r", peek(rd)) != NULL)
            rd->at++;
        if (peek(rd) != '>' && peek(rd) != '/' && !read_attr(rd, e))
            return false;
    }
    return more(rd);
}

static const char *read_name(struct reader *rd)
{
    uint32_t begin = rd->at;

    while (more(rd) && !ends_token(peek(rd)) && peek(rd) != '=' && peek(rd) != '\t')
        rd->at++;
    if (rd->at - begin > PLUMB_NCCL_TEXT)
        stops(rd, begin, rd->at, "a name of more than 254 bytes", "a shorter one");
    return plumb_intern_text(rd->s->intern, rd->src->bytes + begin, rd->at - begin);
}

/* "<name a=\"b\">" or with "/>" at its end; NULL: nothing behind it can be read. */
static struct plumb_xml *read_open(struct reader *rd, bool *single)
{
    struct plumb_xml *e = PLUMB_NEW(rd->s->arena, struct plumb_xml);
    uint32_t begin = rd->at++;

    e->name = read_name(rd);
    if (!read_attrs(rd, e)) {
        if (!rd->out->stopped)
            stops(rd, begin, begin + 1, "a tag without end", "'>'");
        return NULL;
    }
    *single = peek(rd) == '/';
    rd->at += *single ? 1 : 0;
    if (peek(rd) != '>') {
        stops(rd, rd->at, rd->at + 1, "what stands behind '/'", "'>'");
        return NULL;
    }
    rd->at++;
    e->at = span(rd, begin, rd->at);
    e->attr_cap = e->attr_count;
    return e;
}

static bool is_known(const struct plumb_xml *parent, const char *name)
{
    for (size_t i = 0; i < PLUMB_COUNT(known); i++) {
        if (parent != NULL && strcmp(known[i].parent, parent->name) == 0 &&
            strcmp(known[i].child, name) == 0)
            return true;
    }
    return parent == NULL && strcmp(name, "system") == 0;
}

static const char *parents_of(const char *name)
{
    return strcmp(name, "gpu") == 0 || strcmp(name, "pcilink") == 0  ? "'pci'"
           : strcmp(name, "net") == 0                                ? "'nic'"
           : strcmp(name, "nvlink") == 0 || strcmp(name, "c2c") == 0 ? "'gpu'"
           : strcmp(name, "pci") == 0 || strcmp(name, "nic") == 0    ? "'cpu' or 'pci'"
           : strcmp(name, "cpu") == 0                                ? "'system'"
                                                                     : NULL;
}

static void report_ignored(struct reader *rd, const struct plumb_xml *parent,
                           const struct plumb_xml *e)
{
    const char *expected = parents_of(e->name), *key = NULL;
    struct repeated *r = NULL;

    if (parent == NULL || rd->foreign)
        return; /* the root is reported at the end */
    key = plumb_arena_printf(rd->s->arena, "%s/%s", parent->name, e->name);
    r = plumb_map_get(&rd->ignored, key);
    if (r != NULL) {
        r->count++;
        return;
    }
    r = PLUMB_NEW(rd->s->arena, struct repeated);
    r->next = rd->repeats;
    rd->repeats = r;
    plumb_map_set(&rd->ignored, key, r);
    if (expected != NULL)
        r->d = plumb_nccl_report(rd->s, PLUMB_NCCL_IGNORED, e->at,
                                 "NCCL passes over '%s' below '%s', expected it below %s", e->name,
                                 parent->name, expected);
    else
        r->d = plumb_nccl_report(rd->s, PLUMB_NCCL_IGNORED, e->at,
                                 "NCCL passes over '%s' and what is in it, expected elements that "
                                 "it knows",
                                 e->name);
}

static void add_child(struct reader *rd, struct plumb_xml *parent, struct plumb_xml *e)
{
    struct plumb_arena *a = rd->s->arena;
    size_t cap = 0;

    e->parent = parent;
    rd->out->elements++;
    if (rd->out->elements == PLUMB_NCCL_ELEMENTS + 1) {
        plumb_diag_severity(plumb_nccl_report(rd->s, PLUMB_NCCL_SIZE, e->at,
                                              "NCCL stops at element %d, expected at most %d",
                                              PLUMB_NCCL_ELEMENTS + 1, PLUMB_NCCL_ELEMENTS),
                            PLUMB_ERROR);
        rd->out->stopped = true;
    }
    if (parent == NULL) {
        if (rd->out->system == NULL) {
            const char *version = plumb_xml_value(e, "version");

            rd->out->system = e;
            rd->foreign = version != NULL && strcmp(version, "2") == 0;
        }
        return;
    }
    if (parent->child_count == PLUMB_NCCL_CHILDREN) {
        plumb_diag_severity(
            plumb_nccl_report(rd->s, PLUMB_NCCL_SIZE, e->at,
                              "this is child %d of '%s', NCCL 2.21 to 2.29.3 stops at it, expected "
                              "at most %d",
                              PLUMB_NCCL_CHILDREN + 1, parent->name, PLUMB_NCCL_CHILDREN),
            PLUMB_ERROR);
        rd->out->stopped = true;
    } else if (parent->child_count == PLUMB_NCCL_OLD_CHILDREN) {
        plumb_nccl_report(rd->s, PLUMB_NCCL_SIZE, e->at,
                          "this is child %d of '%s', NCCL up to 2.20 stops at it",
                          PLUMB_NCCL_OLD_CHILDREN + 1, parent->name);
    }
    cap = parent->child_cap;
    parent->children = plumb_arena_grow(a, parent->children, parent->child_count, &cap,
                                        sizeof(struct plumb_xml *));
    parent->child_cap = (uint32_t)cap;
    parent->children[parent->child_count++] = e;
}

/* "</name>" of the element that is open. False: reading ends here. */
static bool read_close(struct reader *rd, const struct plumb_xml *open)
{
    uint32_t begin = rd->at;
    const char *name = NULL;

    rd->at += 2;
    name = read_name(rd);
    if (open == NULL || strcmp(open->name, name) != 0) {
        stops(rd, begin, rd->at, plumb_arena_printf(rd->s->arena, "the end of '%s'", name),
              open == NULL ? "the beginning of an element"
                           : plumb_arena_printf(rd->s->arena, "'</%s>'", open->name));
        return false;
    }
    if (peek(rd) != '>') {
        stops(rd, rd->at, rd->at + 1, "what stands behind the name of an end tag", "'>'");
        skip_past(rd, ">");
        return more(rd);
    }
    rd->at++;
    return true;
}

struct open {
    struct plumb_xml *e;
    bool ignored; /* NCCL passes over it, and what is in it */
};

/* One tag. False: reading ends here. */
static bool read_tag(struct reader *rd, struct open *stack, uint32_t *depth)
{
    struct open *top = *depth > 0 ? &stack[*depth - 1] : NULL;
    struct plumb_xml *e = NULL;
    bool single = false, ignored = top != NULL && top->ignored;

    if (looks_at(rd, "</")) {
        if (!read_close(rd, top == NULL ? NULL : top->e))
            return false;
        (*depth)--;
        return true;
    }
    e = read_open(rd, &single);
    if (e == NULL)
        return false;
    if (*depth == PLUMB_MAX_DEPTH || rd->nodes++ == PLUMB_MAX_NODES) {
        stops(rd, e->at.begin, e->at.end, "more elements than a file can have", "fewer");
        return false;
    }
    if (rd->first == NULL)
        rd->first = e;
    if (!ignored && !is_known(top == NULL ? NULL : top->e, e->name)) {
        report_ignored(rd, top == NULL ? NULL : top->e, e);
        ignored = true;
    }
    if (!ignored)
        add_child(rd, top == NULL ? NULL : top->e, e);
    if (!single)
        stack[(*depth)++] = (struct open){.e = e, .ignored = ignored};
    return true;
}

static void report_whole(struct reader *rd)
{
    const struct plumb_nccl_xml *x = rd->out;
    const struct plumb_xml *first = rd->first;
    struct plumb_span at = span(rd, 0, 0);

    for (const struct repeated *r = rd->repeats; r != NULL; r = r->next) {
        if (r->count > 0)
            plumb_diag_fact(r->d, "%zu more of the file are passed over likewise", r->count);
    }
    if (x->stopped)
        return;
    if (x->system == NULL && first == NULL)
        plumb_nccl_report(rd->s, PLUMB_NCCL_ROOT, at,
                          "the file holds no element, NCCL goes on without it; expected "
                          "'<system version=\"1\">'");
    else if (x->system == NULL)
        plumb_nccl_report(rd->s, PLUMB_NCCL_ROOT, first->at,
                          "the root is '%s', NCCL goes on without the file; expected '<system "
                          "version=\"1\">'",
                          first->name);
    else if (x->elements >= MANY)
        plumb_nccl_report(rd->s, PLUMB_NCCL_SIZE, x->system->at,
                          "the file has %u elements, NCCL stops above %d together with what it "
                          "finds itself; expected fewer than %d",
                          (unsigned)x->elements, PLUMB_NCCL_ELEMENTS, MANY);
}

static void read_all(struct reader *rd)
{
    struct open *stack = PLUMB_NEW_ARRAY(rd->s->scratch, PLUMB_MAX_DEPTH, struct open);
    uint32_t depth = 0;
    bool whole = true;

    while (whole) {
        skip_between(rd);
        if (!more(rd))
            break;
        if (looks_at(rd, "<!--"))
            skip_comment(rd);
        else if (!skip_prolog(rd))
            whole = read_tag(rd, stack, &depth);
    }
    if (whole && depth > 0)
        stops(rd, stack[depth - 1].e->at.begin, stack[depth - 1].e->at.end,
              plumb_arena_printf(rd->s->arena, "the end of the file inside of '%s'",
                                 stack[depth - 1].e->name),
              plumb_arena_printf(rd->s->arena, "'</%s>'", stack[depth - 1].e->name));
    report_whole(rd);
}

struct plumb_nccl_xml *plumb_nccl_xml_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct reader rd = {.s = s, .src = src, .ignored = plumb_map_in(s->arena)};

    rd.out = PLUMB_NEW(s->arena, struct plumb_nccl_xml);
    rd.out->src = src;
    read_all(&rd);
    return rd.out;
}
