/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeps an XML text from being read: bytes that are no UTF-8, and libxml2's errors said
 * again in words that tell what was found and what was expected (libxml2 2.9, parser.c).
 */
#include <libxml/xmlerror.h>
#include <string.h>

#include "base/text.h"
#include "syntax/excerpt.h"
#include "syntax/xml_reader.h"

/* ---- bytes ---- */

static struct plumb_span span(const struct plumb_source *src, uint32_t begin, uint32_t end)
{
    return (struct plumb_span){src->id, begin, end < begin ? begin : end};
}

/* The first byte that is not printable ASCII or white space; len when there is none. */
static uint32_t plain_length(const char *bytes, uint32_t len)
{
    enum { CHUNK = 64 };
    uint32_t i = 0;

    for (; len - i >= CHUNK; i += CHUNK) {
        const unsigned char *p = (const unsigned char *)bytes + i;
        unsigned char odd = 0;

        /* No early exit inside: the compiler makes vector code of it. */
        for (uint32_t j = 0; j < CHUNK; j++)
            odd |= (unsigned char)((p[j] == 0) | (p[j] >> 7));
        if (odd != 0)
            break;
    }
    while (i < len && bytes[i] > 0)
        i++;
    return i;
}

/* False after reporting the first byte that is no UTF-8, or zero. */
static bool check_utf8(struct plumb_session *s, const struct plumb_source *src, uint32_t from)
{
    for (uint32_t i = from; i < src->len;) {
        bool valid = false;
        uint32_t step = (uint32_t)plumb_utf8_step(src->bytes + i, src->len - i, &valid);

        if (!valid || src->bytes[i] == '\0') {
            plumb_diag_new(&s->sink, plumb_xml_row(PLUMB_XML_ENCODING), span(src, i, i + 1),
                           "found byte 0x%02x, which is no UTF-8 text; expected UTF-8",
                           (unsigned char)src->bytes[i]);
            return false;
        }
        i += step;
    }
    return true;
}

/* The name of the declared encoding as a span; empty when there is none. */
static struct plumb_span declared_encoding(const struct plumb_source *src, uint32_t skip)
{
    const char *text = src->bytes + skip;
    const char *end = NULL, *name = NULL;

    if (!plumb_starts_with(text, "<?xml"))
        return (struct plumb_span){0};
    end = strstr(text, "?>");
    name = strstr(text, "encoding");
    if (end == NULL || name == NULL || name > end)
        return (struct plumb_span){0};
    name += strcspn(name, "\"'");
    if (name >= end)
        return (struct plumb_span){0};

    uint32_t begin = (uint32_t)(name + 1 - src->bytes);

    return span(src, begin, begin + (uint32_t)strcspn(name + 1, "\"'?"));
}

static bool is_utf8_name(const char *name, size_t len)
{
    static const char *const names[] = {"utf-8", "utf8", "us-ascii", "ascii"};

    for (size_t i = 0; i < PLUMB_COUNT(names); i++) {
        if (len == strlen(names[i]) && plumb_equal_nocase(name, names[i], len))
            return true;
    }
    return false;
}

bool plumb_xml_check_bytes(struct plumb_session *s, const struct plumb_source *src)
{
    uint32_t skip = src->len >= 3 && memcmp(src->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    if (plumb_xml_other_encoding(s, src))
        return false;

    uint32_t plain = skip + plain_length(src->bytes + skip, src->len - skip);

    if (plain == src->len)
        return true; /* ASCII is the same in all encodings that begin with "<?xml" in ASCII */

    struct plumb_span name = declared_encoding(src, skip);
    const char *text = src->bytes + name.begin;

    if (name.end > name.begin && !is_utf8_name(text, name.end - name.begin)) {
        plumb_diag_new(&s->sink, plumb_xml_row(PLUMB_XML_ENCODING), name,
                       "the file says that it is %s text, expected UTF-8; convert it",
                       plumb_excerpt(s->arena, text, name.end - name.begin));
        return false;
    }
    return check_utf8(s, src, plain);
}

/* ---- libxml2 ---- */

static const char *quote(const struct plumb_xml_reader *r, struct plumb_span at)
{
    if (at.begin >= r->src->len)
        return "the end of the file";
    return plumb_excerpt(r->s->arena, r->src->bytes + at.begin, at.end - at.begin);
}

/* One character at a place, or nothing at the end of the text. */
static struct plumb_span one(const struct plumb_xml_reader *r, uint32_t at)
{
    bool valid = false;
    size_t step = plumb_utf8_step(r->src->bytes + at, r->src->len - at, &valid);

    return span(r->src, at, at + (uint32_t)step);
}

static struct plumb_span word(const struct plumb_xml_reader *r, uint32_t at)
{
    uint32_t end = at;

    while (end < r->src->len && !plumb_is_blank(r->src->bytes[end]) &&
           strchr("<>/=\"'", r->src->bytes[end]) == NULL)
        end++;
    return end > at ? span(r->src, at, end) : one(r, at);
}

/* From the last c before a place, up to it. */
static struct plumb_span back_to(const struct plumb_xml_reader *r, char c, uint32_t at)
{
    uint32_t begin = at;

    while (begin > 0 && (begin >= r->src->len || r->src->bytes[begin] != c))
        begin--;
    return span(r->src, begin, at > begin ? at : begin + 1);
}

static void note_open(const struct plumb_xml_reader *r, struct plumb_diag *d)
{
    if (r->depth > 0)
        plumb_diag_note(d, r->frames[r->depth - 1].element->at, "element '%s' begins here",
                        r->frames[r->depth - 1].element->name);
}

static void say_mismatch(struct plumb_xml_reader *r, uint32_t at)
{
    struct plumb_span tag = back_to(r, '<', at);
    struct plumb_diag *d = NULL;

    while (tag.end < r->src->len && r->src->bytes[tag.end - 1] != '>' &&
           r->src->bytes[tag.end] != '<' && r->src->bytes[tag.end] != '\n')
        tag.end++;
    d = plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_UNCLOSED), tag,
                       "found %s, expected '</%s>'", quote(r, tag),
                       r->depth > 0 ? r->frames[r->depth - 1].element->name : "");
    note_open(r, d);
}

/* Where the tag begins that the end of the text cuts; the length of the text when none is. */
static uint32_t cut_tag(const struct plumb_xml_reader *r)
{
    for (uint32_t i = r->src->len; i > 0; i--) {
        if (r->src->bytes[i - 1] == '>')
            break;
        if (r->src->bytes[i - 1] == '<')
            return i - 1;
    }
    return r->src->len;
}

static void say_end_of_file(struct plumb_xml_reader *r)
{
    struct plumb_span at = span(r->src, r->src->len, r->src->len);
    const struct plumb_rule *row = plumb_xml_row(PLUMB_XML_UNCLOSED);
    uint32_t tag = cut_tag(r);

    if (tag < r->src->len) {
        struct plumb_diag *d =
            plumb_diag_new(&r->s->sink, row, at, "the file ends inside a tag, expected '>'");

        plumb_diag_note(d, one(r, tag), "the tag begins here");
    } else if (r->depth == 0) {
        plumb_diag_new(&r->s->sink, row, at, "the file ends here, expected an element");
    } else {
        note_open(r, plumb_diag_new(&r->s->sink, row, at,
                                    "the file ends here, expected more text and '</%s>'",
                                    r->frames[r->depth - 1].element->name));
    }
}

static void say_entity(struct plumb_xml_reader *r, uint32_t at)
{
    struct plumb_span where = back_to(r, '&', at);

    plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_ENTITY), where,
                   "found entity %s, expected one of &lt; &gt; &amp; &quot; &apos;",
                   quote(r, where));
}

static void say_twice(struct plumb_xml_reader *r, uint32_t at, const char *name)
{
    struct plumb_span tag = back_to(r, '<', at);
    uint32_t len = (uint32_t)strlen(name);

    /* libxml2 tells when the tag is read; the second one is the last of that name. */
    for (uint32_t i = tag.end; i > tag.begin + len; i--) {
        uint32_t begin = i - len;

        if (memcmp(r->src->bytes + begin, name, len) == 0 &&
            plumb_is_blank(r->src->bytes[begin - 1])) {
            tag = span(r->src, begin, i);
            break;
        }
    }
    plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_SYNTAX), tag,
                   "attribute '%s' is given twice in one tag", name);
}

/* Errors that need nothing but words; the place is a word or a character at the position. */
static const struct {
    int code;
    enum plumb_xml_row row;
    char back;            /* the place begins at the last such character before the position */
    const char *expected; /* "found 'x', expected ..." */
} errors[] = {
    {XML_ERR_DOCUMENT_EMPTY, PLUMB_XML_SYNTAX, 0, "'<' and the name of an element"},
    {XML_ERR_DOCUMENT_END, PLUMB_XML_SYNTAX, 0,
     "the end of the file: the root element is closed already"},
    {XML_ERR_RESERVED_XML_NAME, PLUMB_XML_SYNTAX, '<',
     "the XML declaration at the very beginning of the file"},
    {XML_ERR_LT_IN_ATTRIBUTE, PLUMB_XML_SYNTAX, 0, "a closing quote before it, or '&lt;'"},
    {XML_ERR_ATTRIBUTE_NOT_STARTED, PLUMB_XML_SYNTAX, 0, "a value in double quotes"},
    {XML_ERR_ATTRIBUTE_NOT_FINISHED, PLUMB_XML_UNCLOSED, 0, "a closing quote"},
    {XML_ERR_ATTRIBUTE_WITHOUT_VALUE, PLUMB_XML_SYNTAX, 0, "'=' and a value in double quotes"},
    {XML_ERR_SPACE_REQUIRED, PLUMB_XML_SYNTAX, 0, "a blank before the next attribute"},
    {XML_ERR_GT_REQUIRED, PLUMB_XML_SYNTAX, 0, "'>' or another attribute"},
    {XML_ERR_LTSLASH_REQUIRED, PLUMB_XML_SYNTAX, 0, "'</'"},
    {XML_ERR_NAME_REQUIRED, PLUMB_XML_SYNTAX, 0,
     "a name behind it; write '&lt;' for '<' and '&amp;' for '&'"},
    {XML_ERR_ENTITYREF_SEMICOL_MISSING, PLUMB_XML_SYNTAX, '&',
     "';' behind it; write '&amp;' for '&'"},
    {XML_ERR_INVALID_CHARREF, PLUMB_XML_SYNTAX, '&', "a reference to a character that XML allows"},
    {XML_ERR_INVALID_HEX_CHARREF, PLUMB_XML_SYNTAX, '&', "hexadecimal digits and ';'"},
    {XML_ERR_INVALID_DEC_CHARREF, PLUMB_XML_SYNTAX, '&', "digits and ';'"},
    {XML_ERR_INVALID_CHAR, PLUMB_XML_SYNTAX, 0, "text without control characters"},
    {XML_ERR_COMMENT_NOT_FINISHED, PLUMB_XML_UNCLOSED, 0, "'-->'"},
    {XML_ERR_CDATA_NOT_FINISHED, PLUMB_XML_UNCLOSED, 0, "']]>'"},
    {XML_ERR_PI_NOT_FINISHED, PLUMB_XML_UNCLOSED, 0, "'?>'"},
    {XML_ERR_XMLDECL_NOT_FINISHED, PLUMB_XML_UNCLOSED, 0, "'?>'"},
    {XML_ERR_DOCTYPE_NOT_FINISHED, PLUMB_XML_UNCLOSED, 0, "'>' to end the DOCTYPE"},
};

static void say_other(struct plumb_xml_reader *r, uint32_t at, const xmlError *error)
{
    struct plumb_span where = word(r, at);
    const char *text = error->message != NULL ? error->message : "";

    for (size_t i = 0; i < PLUMB_COUNT(errors); i++) {
        if (errors[i].code != error->code)
            continue;
        if (error->code == XML_ERR_NAME_REQUIRED && at > 0 &&
            (r->src->bytes[at - 1] == '&' || r->src->bytes[at - 1] == '<'))
            where = one(r, at - 1);
        else if (error->code == XML_ERR_INVALID_CHAR && at > 0 && r->src->bytes[at - 1] == ';')
            where = back_to(r, '&', at);
        else if (errors[i].back != '\0')
            where = back_to(r, errors[i].back, at);
        plumb_diag_new(&r->s->sink, plumb_xml_row(errors[i].row), where, "found %s, expected %s",
                       quote(r, where), errors[i].expected);
        return;
    }
    plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_SYNTAX), where,
                   "found %s, expected XML text (%.*s)", quote(r, where),
                   (int)strcspn(text, "\r\n"), text);
}

void plumb_xml_empty(struct plumb_xml_reader *r)
{
    r->failed = true;
    say_end_of_file(r);
}

void plumb_xml_fault(struct plumb_xml_reader *r, const xmlError *error)
{
    bool entity =
        error->code == XML_ERR_UNDECLARED_ENTITY || error->code == XML_WAR_UNDECLARED_ENTITY;

    /* Namespaces are names with a colon to us, and warnings are about what is not followed. */
    if (r->failed || error->domain == XML_FROM_NAMESPACE ||
        (error->level != XML_ERR_FATAL && !entity))
        return;
    if (error->code == XML_ERR_NO_MEMORY)
        (void)plumb_arena_raw(r->s->arena, SIZE_MAX); /* out of memory, as the session says */
    r->failed = true;

    uint32_t at = plumb_xml_position(r);

    if (entity)
        say_entity(r, at);
    else if (error->code == XML_ERR_ATTRIBUTE_REDEFINED && error->str1 != NULL)
        say_twice(r, at, error->str1);
    else if (error->code == XML_ERR_TAG_NAME_MISMATCH && r->src->bytes[r->src->len - 1] == '>')
        say_mismatch(r, at);
    else if (at >= r->src->len)
        say_end_of_file(r);
    else
        say_other(r, at, error);
}
