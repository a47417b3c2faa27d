/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XML in: libxml2's SAX2 events become a tree. libxml2 reads the source where it lies and so
 * points at each attribute value there, unless it had to decode it; then names and values are
 * read from the text of the tag once more, with the place of every byte.
 */
#include "syntax/xml.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "syntax/utf8.h"
#include "syntax/xml_reader.h"

static struct plumb_span span(const struct plumb_xml_reader *r, uint32_t begin, uint32_t end)
{
    return (struct plumb_span){r->src->id, begin, end};
}

uint32_t plumb_xml_position(const struct plumb_xml_reader *r)
{
    long at = xmlByteConsumed(r->parser);
    size_t byte = at < 0 ? 0 : (size_t)at + r->skip;

    return byte > r->src->len ? r->src->len : (uint32_t)byte;
}

static void stop(struct plumb_xml_reader *r)
{
    r->failed = true;
    xmlStopParser(r->parser);
}

/* ---- names and text ---- */

/* A capture uses the same few names all over: they are found by their address. */
static const char *intern(struct plumb_xml_reader *r, const xmlChar *known)
{
    uint64_t hash = (uint64_t)(uintptr_t)known * UINT64_C(0x9e3779b97f4a7c15);
    struct plumb_xml_name *slot = &r->names[hash >> 32 & (PLUMB_XML_NAMES - 1)];

    if (slot->known != known) {
        slot->known = known;
        slot->interned = plumb_intern_str(r->s->intern, (const char *)known);
    }
    return slot->interned;
}

static const char *copy_text(struct plumb_xml_reader *r, const char *text, uint32_t len)
{
    enum { PIECE = 16 * 1024 };
    char *copy = NULL;

    if (len >= r->room_len) {
        if (len >= PIECE / 4)
            return plumb_arena_strndup(r->s->arena, text, len);
        r->room = plumb_arena_raw(r->s->arena, PIECE);
        r->room_len = PIECE;
    }
    copy = r->room;
    memcpy(copy, text, len);
    copy[len] = '\0';
    r->room += len + 1;
    r->room_len -= len + 1;
    return copy;
}

/* ---- tags with something to decode, or with namespaces ---- */

static bool ends_name(char c)
{
    return plumb_is_blank(c) || c == '=' || c == '>' || c == '/';
}

static struct plumb_xml_attr *new_attr(struct plumb_xml_reader *r)
{
    r->attrs =
        plumb_arena_grow(r->s->scratch, r->attrs, r->attr_count, &r->attr_cap, sizeof(*r->attrs));
    return &r->attrs[r->attr_count++];
}

/* Bytes of "&...;" at text[i], and the character that it stands for. 0: it is none. */
static uint32_t reference(const char *text, uint32_t i, uint32_t end, uint32_t *code)
{
    static const struct {
        const char *text;
        char value;
    } named[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    uint32_t at = i + 2, v = 0;
    bool hex = false;

    for (size_t k = 0; k < PLUMB_COUNT(named); k++) {
        uint32_t len = (uint32_t)strlen(named[k].text);

        if (end - i >= len && memcmp(text + i, named[k].text, len) == 0) {
            *code = (unsigned char)named[k].value;
            return len;
        }
    }
    if (end - i < 4 || text[i + 1] != '#')
        return 0;
    hex = text[at] == 'x';
    for (at += hex; at < end && text[at] != ';'; at++) {
        char c = plumb_lower(text[at]);
        uint32_t digit = (uint32_t)(plumb_is_digit(c) ? c - '0' : c - 'a' + 10);

        v = v > 0x110000 ? v : v * (hex ? 16 : 10) + digit; /* libxml2 has refused what is not */
    }
    *code = v;
    return at < end && v > 0 && v < 0x110000 ? at + 1 - i : 0;
}

/*
 * A value with references or white space to normalise (XML 1.0, section 3.3.3), from
 * [begin, end) of the source. Decoded text is never longer than what it stands for.
 */
static void decode(struct plumb_xml_reader *r, struct plumb_slice *value, uint32_t begin,
                   uint32_t end)
{
    const char *raw = r->src->bytes;
    char *text = plumb_arena_raw(r->s->arena, (size_t)(end - begin) + 1);
    uint32_t *map = plumb_arena_raw(r->s->arena, ((size_t)(end - begin) + 1) * sizeof(*map));
    uint32_t len = 0;

    for (uint32_t i = begin; i < end;) {
        uint32_t code = 0, bytes = 1;
        uint32_t step = raw[i] == '&' ? reference(raw, i, end, &code) : 0;

        if (step > 0) {
            bytes = plumb_utf8_put(text + len, code);
        } else {
            step = raw[i] == '\r' && i + 1 < end && raw[i + 1] == '\n' ? 2 : 1;
            text[len] = plumb_is_blank(raw[i]) ? ' ' : raw[i];
        }
        for (; bytes > 0; bytes--)
            map[len++] = i;
        i += step;
    }
    text[len] = '\0';
    map[len] = end;
    value->text = text;
    value->len = len;
    value->map = map;
}

/* The attribute whose name begins at i. Returns its end. */
static uint32_t read_attr(struct plumb_xml_reader *r, uint32_t i, uint32_t end)
{
    const char *raw = r->src->bytes;
    uint32_t name = i, name_end = 0;

    while (i < end && !ends_name(raw[i]))
        i++;
    name_end = i;
    while (i < end && raw[i] != '"' && raw[i] != '\'')
        i++;
    if (name_end == name || i >= end)
        return end;

    uint32_t begin = i + 1;
    const char *close = memchr(raw + begin, raw[i], end - begin);

    if (close == NULL)
        return end;

    uint32_t value_end = (uint32_t)(close - raw);
    struct plumb_xml_attr *a = new_attr(r);

    *a = (struct plumb_xml_attr){
        .name = plumb_intern_text(r->s->intern, raw + name, name_end - name),
        .value = {.at = span(r, begin, value_end)},
    };
    decode(r, &a->value, begin, value_end);
    return value_end + 1;
}

/* Reads the tag [begin, end) of the source from its text. */
static void read_tag(struct plumb_xml_reader *r, struct plumb_xml *e, uint32_t begin, uint32_t end)
{
    const char *raw = r->src->bytes;
    uint32_t i = begin + 1;

    while (i < end && !ends_name(raw[i]))
        i++;
    e->name = plumb_intern_text(r->s->intern, raw + begin + 1, i - begin - 1);
    r->attr_count = 0;
    for (;;) {
        while (i < end && (plumb_is_blank(raw[i]) || raw[i] == '/' || raw[i] == '>'))
            i++;
        if (i >= end)
            break;
        i = read_attr(r, i, end);
    }
    if (r->attr_count == 0)
        return;
    e->attrs = plumb_arena_raw(r->s->arena, r->attr_count * sizeof(*e->attrs));
    memcpy(e->attrs, r->attrs, r->attr_count * sizeof(*e->attrs));
    e->attr_count = e->attr_cap = (uint32_t)r->attr_count;
}

/* ---- all other tags ---- */

/* What SAX2 gives for each attribute: five pointers. */
enum { SAX_NAME, SAX_PREFIX, SAX_URI, SAX_VALUE, SAX_END, SAX_WORDS };

/* libxml2 points into the text itself where it had nothing to decode. */
static bool is_source_text(const struct plumb_xml_reader *r, const xmlChar *from, const xmlChar *to)
{
    const xmlParserInput *in = r->parser->input;

    return (uintptr_t)from >= (uintptr_t)in->base && (uintptr_t)to <= (uintptr_t)in->cur &&
           from <= to;
}

/* True when names and values can be taken as libxml2 has them. */
static bool is_simple(const struct plumb_xml_reader *r, const xmlChar **sax, int count)
{
    for (int i = 0; i < count; i++, sax += SAX_WORDS) {
        if (sax[SAX_PREFIX] != NULL || !is_source_text(r, sax[SAX_VALUE], sax[SAX_END]))
            return false;
    }
    return true;
}

static void take_attrs(struct plumb_xml_reader *r, struct plumb_xml *e, const xmlChar **sax,
                       uint32_t count)
{
    uint32_t at = plumb_xml_position(r);
    const xmlChar *cur = r->parser->input->cur; /* which is that position */

    e->attrs = plumb_arena_raw(r->s->arena, count * sizeof(*e->attrs));
    e->attr_count = e->attr_cap = count;
    for (uint32_t i = 0; i < count; i++, sax += SAX_WORDS) {
        uint32_t begin = at - (uint32_t)(cur - sax[SAX_VALUE]);
        uint32_t len = (uint32_t)(sax[SAX_END] - sax[SAX_VALUE]);

        e->attrs[i] = (struct plumb_xml_attr){
            .name = intern(r, sax[SAX_NAME]),
            .value = {.text = copy_text(r, r->src->bytes + begin, len),
                      .len = len,
                      .at = span(r, begin, begin + len)},
        };
    }
}

/* ---- SAX ---- */

/*
 * Where the tag is that libxml2 has just read the attributes of: up to the '>' that is next, back
 * to the previous '<', which no value can hold. The first value is a place nearer to it.
 */
static bool find_tag(const struct plumb_xml_reader *r, const xmlChar *value, uint32_t *begin,
                     uint32_t *end)
{
    const char *raw = r->src->bytes;
    uint32_t at = plumb_xml_position(r);

    *end = at + (at < r->src->len && raw[at] == '/' ? 2 : 1);
    if (*end > r->src->len || raw[*end - 1] != '>')
        return false; /* libxml2 is about to say what is wrong */
    if (value != NULL && is_source_text(r, value, value))
        at -= (uint32_t)(r->parser->input->cur - value);
    while (at > 0 && raw[at - 1] != '<')
        at--;
    *begin = at - 1;
    return at > 0 && *end > at;
}

static bool within_limits(struct plumb_xml_reader *r, uint32_t begin, uint32_t end)
{
    if (r->depth == PLUMB_MAX_DEPTH)
        plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_DEPTH), span(r, begin, end),
                       "elements are nested deeper than %d levels", PLUMB_MAX_DEPTH);
    else if (r->elements == PLUMB_MAX_NODES)
        plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_SIZE), span(r, begin, end),
                       "the document has more than %d elements", PLUMB_MAX_NODES);
    else
        return true;
    stop(r);
    return false;
}

static void start_element(void *data, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int namespace_count, const xmlChar **namespaces,
                          int attribute_count, int defaulted, const xmlChar **attributes)
{
    struct plumb_xml_reader *r = data;
    uint32_t begin = 0, end = 0;

    (void)uri, (void)namespaces, (void)defaulted;
    if (r->failed ||
        !find_tag(r, attribute_count > 0 ? attributes[SAX_VALUE] : NULL, &begin, &end) ||
        !within_limits(r, begin, end))
        return;

    struct plumb_xml *e = PLUMB_NEW(r->s->arena, struct plumb_xml);

    e->at = span(r, begin, end);
    if (prefix != NULL || namespace_count > 0 || !is_simple(r, attributes, attribute_count)) {
        read_tag(r, e, begin, end);
    } else {
        e->name = intern(r, name);
        if (attribute_count > 0)
            take_attrs(r, e, attributes, (uint32_t)attribute_count);
    }
    r->elements++;
    if (r->depth > 0)
        e->parent = r->frames[r->depth - 1].element;
    else
        r->root = e;
    r->stack = plumb_arena_grow(r->s->scratch, r->stack, r->count, &r->cap, sizeof(*r->stack));
    r->stack[r->count++] = e;
    r->frames[r->depth++] = (struct plumb_xml_frame){
        .element = e,
        .base = r->count,
        .text = plumb_buf_in(r->s->scratch),
    };
}

static void set_text(struct plumb_xml_reader *r, struct plumb_xml *e, const struct plumb_buf *text)
{
    size_t begin = 0, end = text->len;

    while (end > begin && plumb_is_blank(text->text[end - 1]))
        end--;
    while (begin < end && plumb_is_blank(text->text[begin]))
        begin++;
    if (end > begin)
        e->text = plumb_arena_strndup(r->s->arena, text->text + begin, end - begin);
}

static void close_frame(struct plumb_xml_reader *r)
{
    const struct plumb_xml_frame *f = &r->frames[--r->depth];
    size_t children = r->count - f->base;

    if (children > 0) {
        f->element->children = plumb_arena_raw(r->s->arena, children * sizeof(struct plumb_xml *));
        memcpy(f->element->children, r->stack + f->base, children * sizeof(struct plumb_xml *));
        f->element->child_count = f->element->child_cap = (uint32_t)children;
    }
    if (f->text.len > 0)
        set_text(r, f->element, &f->text);
    r->count = f->base;
}

static void end_element(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct plumb_xml_reader *r = data;

    (void)name, (void)prefix, (void)uri;
    if (!r->failed && r->depth > 0)
        close_frame(r);
}

static void characters(void *data, const xmlChar *text, int len)
{
    struct plumb_xml_reader *r = data;
    struct plumb_buf *b = NULL;
    int i = 0;

    if (r->failed || r->depth == 0)
        return;
    b = &r->frames[r->depth - 1].text;
    while (i < len && plumb_is_blank((char)text[i]))
        i++;
    if (i < len || b->len > 0)
        plumb_buf_add(b, (const char *)text, (size_t)len);
}

/* An entity that a DOCTYPE with an external subset may declare: libxml2 cannot know. */
static void entity_reference(void *data, const xmlChar *name)
{
    struct plumb_xml_reader *r = data;
    uint32_t end = plumb_xml_position(r), begin = end;

    if (r->failed)
        return;
    while (begin > 0 && r->src->bytes[begin] != '&')
        begin--;
    plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_ENTITY), span(r, begin, end),
                   "found entity '&%s;', expected one of &lt; &gt; &amp; &quot; &apos;",
                   (const char *)name);
    stop(r);
}

static void entity_declaration(void *data, const xmlChar *name, int type, const xmlChar *public_id,
                               const xmlChar *system_id, xmlChar *content)
{
    struct plumb_xml_reader *r = data;
    uint32_t end = plumb_xml_position(r), begin = end;

    (void)type, (void)public_id, (void)system_id, (void)content;
    if (r->failed)
        return;
    while (begin > 0 && r->src->bytes[begin] != '<')
        begin--;
    plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_ENTITY), span(r, begin, end),
                   "found a declaration of entity '%s', expected none: entities are not expanded",
                   (const char *)name);
    stop(r);
}

static void on_error(void *data, xmlErrorPtr error)
{
    plumb_xml_fault(data, error);
}

static const xmlSAXHandler handler = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = start_element,
    .endElementNs = end_element,
    .characters = characters,
    .ignorableWhitespace = characters, /* the same, so that libxml2 does not try to tell them */
    .cdataBlock = characters,
    .reference = entity_reference,
    .entityDecl = entity_declaration,
    .serror = on_error,
};

/* As the session says; asking for more than there can be is how to tell it. */
_Noreturn static void out_of_memory(const struct plumb_xml_reader *r)
{
    (void)plumb_arena_raw(r->s->arena, SIZE_MAX);
    abort();
}

/*
 * Runs libxml2 over the text: no network, no DTD, no entities, its own limits on. The
 * declared encoding is not followed: plumb_xml_check_bytes has seen that it is UTF-8.
 */
static void parse(struct plumb_xml_reader *r)
{
    xmlParserInputPtr input = NULL;
    xmlSAXHandlerPtr own = NULL;

    r->parser = xmlNewParserCtxt();
    if (r->parser == NULL)
        out_of_memory(r);
    input = xmlNewStringInputStream(r->parser, /* without a copy; the text ends with a zero byte */
                                    (const xmlChar *)r->src->bytes + r->skip);
    if (input == NULL || inputPush(r->parser, input) < 0)
        out_of_memory(r);
    own = r->parser->sax;
    r->parser->sax = PLUMB_NEW(r->s->scratch, xmlSAXHandler);
    *r->parser->sax = handler;
    r->parser->userData = r;
    (void)xmlCtxtUseOptions(r->parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
    (void)xmlParseDocument(r->parser);
    r->parser->sax = own;
    xmlFreeDoc(r->parser->myDoc);
    r->parser->myDoc = NULL;
    xmlFreeParserCtxt(r->parser); /* with its input */
    r->parser = NULL;
}

struct plumb_xml *plumb_xml_read(struct plumb_session *s, const struct plumb_source *src)
{
    bool damaged = false;

    return plumb_xml_read_part(s, src, &damaged);
}

struct plumb_xml *plumb_xml_read_part(struct plumb_session *s, const struct plumb_source *src,
                                      bool *damaged)
{
    struct plumb_xml_reader *r = NULL;

    *damaged = true;
    if (!plumb_xml_check_bytes(s, src)) {
        s->sink.incomplete = true;
        return NULL;
    }
    r = PLUMB_NEW(s->scratch, struct plumb_xml_reader);
    r->s = s;
    r->src = src;
    r->skip = src->len >= 3 && memcmp(src->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (src->len > r->skip)
        parse(r);
    else
        plumb_xml_empty(r);
    while (r->depth > 0) /* after a fault: what was read so far is kept */
        close_frame(r);
    *damaged = r->failed;
    if (r->failed)
        s->sink.incomplete = true;
    return r->root;
}

/* ---- the tree ---- */

/* Readers ask for every attribute that may be there; most differ in their first letter. */
static inline bool same_name(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

const struct plumb_xml_attr *plumb_xml_attr(const struct plumb_xml *e, const char *name)
{
    for (uint32_t i = 0; i < e->attr_count; i++) {
        if (same_name(e->attrs[i].name, name))
            return &e->attrs[i];
    }
    return NULL;
}

const char *plumb_xml_value(const struct plumb_xml *e, const char *name)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(e, name);

    return a == NULL ? NULL : a->value.text;
}

const struct plumb_xml *plumb_xml_child(const struct plumb_xml *e, const char *name)
{
    for (uint32_t i = 0; i < e->child_count; i++) {
        if (same_name(e->children[i]->name, name))
            return e->children[i];
    }
    return NULL;
}

static void *grow(struct plumb_arena *a, void *items, uint32_t count, uint32_t *cap, size_t size)
{
    size_t room = *cap;

    PLUMB_ASSERT(count < UINT32_MAX / 2);
    items = plumb_arena_grow(a, items, count, &room, size);
    *cap = (uint32_t)room;
    return items;
}

struct plumb_xml *plumb_xml_element(struct plumb_arena *a, struct plumb_xml *parent,
                                    const char *name, struct plumb_span cause)
{
    struct plumb_xml *e = PLUMB_NEW(a, struct plumb_xml);

    e->name = plumb_arena_strdup(a, name);
    e->at = cause;
    e->parent = parent;
    if (parent != NULL) {
        parent->children = grow(a, parent->children, parent->child_count, &parent->child_cap,
                                sizeof(*parent->children));
        parent->children[parent->child_count++] = e;
    }
    return e;
}

void plumb_xml_set(struct plumb_arena *a, struct plumb_xml *e, const char *name, const char *value)
{
    e->attrs = grow(a, e->attrs, e->attr_count, &e->attr_cap, sizeof(*e->attrs));
    e->attrs[e->attr_count++] = (struct plumb_xml_attr){
        .name = plumb_arena_strdup(a, name),
        .value = {.text = plumb_arena_strdup(a, value), .len = (uint32_t)strlen(value)},
    };
}
