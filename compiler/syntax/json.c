/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON in. Jansson decides whether the text is JSON (RFC 8259). The walk beside it knows where
 * everything stands, which Jansson forgets: spans, numbers as they were written, both of two
 * equal keys, and the place of a fault.
 */
#include "syntax/json.h"

#include <jansson.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "syntax/excerpt.h"
#include "syntax/keys.h"
#include "syntax/utf8.h"
#include "syntax/xml_rows.h"

/* Texts that were read lately: a list of objects says the same keys and values again and again. */
enum { SHARED = 4096, SHARED_LEN = 64 };
struct shared {
    const char *text;
    uint32_t len;
};

struct reader {
    struct plumb_session *s;
    const struct plumb_source *src;
    const char *bytes;
    uint32_t at, len;
    uint32_t depth, nodes;
    struct plumb_node **stack; /* children whose collections have not ended */
    size_t count, cap;
    struct plumb_keys keys;
    const struct plumb_json_past *past; /* values that nobody asks for */
    size_t past_count;
    const char *key, *within; /* of the value at hand, of the object around it; NULL: none */
    struct shared *shared;    /* NULL: the text is too short to care */
    bool pieces;              /* Jansson is asked about each item of the list "items" */
    bool failed;              /* a fault was reported; nothing more is read */
};

static struct plumb_span span(const struct reader *r, uint32_t begin, uint32_t end)
{
    return (struct plumb_span){r->src->id, begin, end};
}

static char peek(const struct reader *r)
{
    return r->at < r->len ? r->bytes[r->at] : '\0';
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->len && strchr(" \t\r\n", r->bytes[r->at]) != NULL && r->bytes[r->at] != '\0')
        r->at++;
}

/* ---- faults ---- */

static bool ends_word(char c)
{
    return plumb_is_blank(c) || c == '\0' || strchr("{}[]:,\"", c) != NULL;
}

/* The word at a place, at least one character; nothing at the end of the text. */
static struct plumb_span word(const struct reader *r, uint32_t at)
{
    uint32_t end = at;
    bool valid = false;

    while (end < r->len && !ends_word(r->bytes[end]))
        end++;
    if (end == at && at < r->len)
        end += (uint32_t)plumb_utf8_step(r->bytes + at, r->len - at, &valid);
    return span(r, at, end);
}

static const char *quote(const struct reader *r, struct plumb_span at)
{
    if (at.begin >= r->len)
        return "the end of the file";
    return plumb_excerpt(r->s->arena, r->bytes + at.begin, at.end - at.begin);
}

static struct plumb_diag *fail(struct reader *r, struct plumb_span at, const char *expected)
{
    r->failed = true;
    return plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_JSON_SYNTAX), at,
                          "found %s, expected %s", quote(r, at), expected);
}

static bool fail_here(struct reader *r, const char *expected)
{
    (void)fail(r, word(r, r->at), expected);
    return false;
}

static bool fail_string(struct reader *r, enum plumb_xml_row row, uint32_t begin, uint32_t end,
                        const char *message)
{
    r->failed = true;
    plumb_diag_new(&r->s->sink, plumb_xml_row(row), span(r, begin, end), "%s", message);
    return false;
}

/* ---- nodes ---- */

static struct plumb_node *new_scalar(struct reader *r, enum plumb_scalar_style style,
                                     uint32_t begin, const char *text, uint32_t len)
{
    struct plumb_node *n = plumb_arena_raw(r->s->arena, sizeof(*n));

    *n = (struct plumb_node){
        .kind = PLUMB_SCALAR,
        .style = style,
        .scalar = {.text = text, .len = len, .at = span(r, begin, r->at)},
    };
    return n;
}

static void push(struct reader *r, struct plumb_node *n)
{
    r->stack = plumb_arena_grow(r->s->scratch, r->stack, r->count, &r->cap, sizeof(*r->stack));
    r->stack[r->count++] = n;
}

static bool count_node(struct reader *r)
{
    if (++r->nodes <= PLUMB_MAX_NODES)
        return true;
    plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_SIZE), word(r, r->at),
                   "the document has more than %d values", PLUMB_MAX_NODES);
    r->failed = true;
    return false;
}

/* ---- strings ---- */

static bool read_hex4(const struct reader *r, uint32_t at, uint32_t end, uint32_t *out)
{
    uint32_t v = 0;

    if (end - at < 4)
        return false;
    for (uint32_t i = at; i < at + 4; i++) {
        unsigned digit = plumb_hex_digit(r->bytes[i]);

        if (digit > 15)
            return false;
        v = v << 4 | digit;
    }
    *out = v;
    return true;
}

/* \uXXXX at r->bytes[at], a pair of them for what lies beyond the basic plane; 0: a fault. */
static uint32_t read_unicode(struct reader *r, uint32_t at, uint32_t end, uint32_t *code)
{
    uint32_t low = 0;

    if (!read_hex4(r, at + 2, end, code)) {
        (void)fail_string(r, PLUMB_JSON_SYNTAX, at, at + 2,
                          "found '\\u', expected four hexadecimal digits behind it");
        return 0;
    }
    if (*code < 0xd800 || *code > 0xdfff)
        return 6;
    if (*code <= 0xdbff && end - at >= 12 && r->bytes[at + 6] == '\\' && r->bytes[at + 7] == 'u' &&
        read_hex4(r, at + 8, end, &low) && low >= 0xdc00 && low <= 0xdfff) {
        *code = 0x10000 + ((*code - 0xd800) << 10 | (low - 0xdc00));
        return 12;
    }
    (void)fail_string(r, PLUMB_JSON_SYNTAX, at, at + 6,
                      "found half of a surrogate pair, expected both halves");
    return 0;
}

/* Decodes what stands between the quotes, [begin, end), with the place of each byte. */
static struct plumb_node *decode(struct reader *r, uint32_t begin, uint32_t end)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char *text = plumb_arena_raw(r->s->arena, (size_t)(end - begin) + 1);
    uint32_t *map = plumb_arena_raw(r->s->arena, ((size_t)(end - begin) + 1) * sizeof(*map));
    uint32_t len = 0;

    for (uint32_t i = begin; i < end;) {
        uint32_t code = 0, step = 1, bytes = 1;

        if (r->bytes[i] != '\\') {
            text[len] = r->bytes[i];
        } else if (r->bytes[i + 1] == 'u') {
            step = read_unicode(r, i, end, &code);
            if (step == 0)
                return NULL;
            bytes = plumb_utf8_put(text + len, code);
        } else {
            const char *p = strchr(letters, r->bytes[i + 1]);

            if (p == NULL || *p == '\0') {
                (void)fail_string(r, PLUMB_JSON_SYNTAX, i, i + 2,
                                  "found an escape that JSON does not know, expected one of \\\" "
                                  "\\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
                return NULL;
            }
            text[len] = values[p - letters];
            step = 2;
        }
        for (; bytes > 0; bytes--)
            map[len++] = i;
        i += step;
    }
    text[len] = '\0';
    map[len] = end;

    struct plumb_node *n = new_scalar(r, PLUMB_QUOTED, begin - 1, text, len);

    n->scalar.map = map;
    return n;
}

/* Goes to the closing quote; *escapes tells whether there is anything to decode. */
static bool scan_string(struct reader *r, uint32_t begin, bool *escapes)
{
    uint32_t i = r->at;

    *escapes = false;
    while (i < r->len && r->bytes[i] != '"') {
        unsigned char c = (unsigned char)r->bytes[i];
        bool valid = true;
        uint32_t step = 1;

        if (c == '\n' || c == '\r')
            return fail_string(r, PLUMB_JSON_SYNTAX, begin, begin + 1,
                               "the string that this quote begins has no end, expected a closing "
                               "'\"' on the same line");
        if (c < 0x20)
            return fail_string(r, PLUMB_JSON_SYNTAX, i, i + 1,
                               "found a control character in a string, expected an escape for it");
        if (c == '\\') {
            *escapes = true;
            step = i + 1 < r->len && r->bytes[i + 1] >= 0x20 ? 2 : 1;
        } else if (c >= 0x80) {
            step = (uint32_t)plumb_utf8_step(r->bytes + i, r->len - i, &valid);
        }
        if (!valid)
            return fail_string(r, PLUMB_XML_ENCODING, i, i + 1,
                               "found a byte that is no UTF-8 text, expected UTF-8");
        i += step;
    }
    r->at = i;
    if (i >= r->len)
        return fail_string(r, PLUMB_JSON_SYNTAX, begin, begin + 1,
                           "the string that this quote begins has no end, expected a closing '\"'");
    return true;
}

/* A copy of the text, or the one that was made of it before. */
static const char *copy(struct reader *r, const char *text, uint32_t len)
{
    uint32_t hash = 2166136261U;
    struct shared *same = NULL;

    if (r->shared == NULL || len > SHARED_LEN)
        return plumb_arena_strndup(r->s->arena, text, len);
    for (uint32_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619U;
    same = &r->shared[hash % SHARED];
    if (same->text == NULL || same->len != len || memcmp(same->text, text, len) != 0)
        *same = (struct shared){plumb_arena_strndup(r->s->arena, text, len), len};
    return same->text;
}

static bool read_string(struct reader *r)
{
    uint32_t begin = r->at++;
    bool escapes = false;
    struct plumb_node *n = NULL;

    if (!scan_string(r, begin, &escapes))
        return false;

    uint32_t end = r->at++;

    if (escapes)
        n = decode(r, begin + 1, end);
    else
        n = new_scalar(r, PLUMB_QUOTED, begin, copy(r, r->bytes + begin + 1, end - begin - 1),
                       end - begin - 1);
    if (n == NULL)
        return false;
    n->scalar.lead = 1;
    push(r, n);
    return true;
}

/* ---- numbers and words ---- */

static uint32_t skip_digits(const struct reader *r, uint32_t i)
{
    while (i < r->len && plumb_is_digit(r->bytes[i]))
        i++;
    return i;
}

/* The end of a JSON number at a place (RFC 8259, section 6); the place itself: none. */
static uint32_t number_end(const struct reader *r, uint32_t at)
{
    uint32_t i = at + (r->bytes[at] == '-');
    uint32_t digits = skip_digits(r, i);

    if (digits == i || (r->bytes[i] == '0' && digits > i + 1))
        return at;
    i = digits;
    if (i < r->len && r->bytes[i] == '.') {
        digits = skip_digits(r, i + 1);
        if (digits == i + 1)
            return at;
        i = digits;
    }
    if (i < r->len && plumb_lower(r->bytes[i]) == 'e') {
        uint32_t from = i + 1;

        from += from < r->len && (r->bytes[from] == '+' || r->bytes[from] == '-');
        digits = skip_digits(r, from);
        if (digits == from)
            return at;
        i = digits;
    }
    return i;
}

static bool read_literal(struct reader *r)
{
    static const char *const words[] = {"true", "false", "null"};
    struct plumb_span at = word(r, r->at);
    uint32_t len = at.end - at.begin;
    bool known = false;

    for (size_t i = 0; i < PLUMB_COUNT(words); i++)
        known =
            known || (len == strlen(words[i]) && memcmp(r->bytes + at.begin, words[i], len) == 0);
    if (!known && number_end(r, r->at) != at.end)
        return fail_here(r, "a value: a string in double quotes, a number, true, false, null, '{' "
                            "or '['");
    r->at = at.end;
    push(r, new_scalar(r, PLUMB_JSON_LITERAL, at.begin,
                       plumb_arena_strndup(r->s->arena, r->bytes + at.begin, len), len));
    return true;
}

/* ---- collections ---- */

static bool read_value(struct reader *r);

static void take_pairs(struct reader *r, struct plumb_node *n, struct plumb_node **from,
                       uint32_t pairs)
{
    n->pairs = PLUMB_NEW_ARRAY(r->s->arena, pairs, struct plumb_pair);
    n->cap = pairs;
    plumb_keys_begin(&r->keys, pairs);
    for (uint32_t i = 0; i < pairs; i++) {
        struct plumb_node *key = from[(size_t)2 * i];
        struct plumb_pair *first = plumb_keys_find(&r->keys, n->pairs, n->count, key);

        if (first == NULL) {
            n->pairs[n->count++] =
                (struct plumb_pair){.key = key, .value = from[(size_t)2 * i + 1]};
            continue;
        }

        struct plumb_diag *d =
            plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_JSON_DUPLICATE_KEY), key->at,
                           "key '%s' is given twice in one object", key->scalar.text);

        plumb_diag_outcome(d, "the last one counts");
        plumb_diag_note(d, first->key->at, "first given here");
        *first = (struct plumb_pair){.key = key, .value = from[(size_t)2 * i + 1]};
    }
}

static void end_collection(struct reader *r, struct plumb_node *n, size_t base)
{
    uint32_t children = (uint32_t)(r->count - base);
    struct plumb_node **from = r->stack + base;

    n->at.end = r->at;
    if (n->kind == PLUMB_MAPPING) {
        take_pairs(r, n, from, children / 2);
    } else {
        n->items = PLUMB_NEW_ARRAY(r->s->arena, children, struct plumb_node *);
        for (; n->count < children; n->count++)
            n->items[n->count] = from[n->count];
        n->cap = children;
    }
    r->count = base;
}

static bool read_key(struct reader *r)
{
    if (peek(r) != '"')
        return fail_here(r, "a key in double quotes");
    if (!read_string(r))
        return false;
    skip_blanks(r);
    if (peek(r) != ':')
        return fail_here(r, "':' behind the key");
    r->at++;
    skip_blanks(r);
    return true;
}

/* ---- values that nobody asks for ---- */

static bool is_past(const struct reader *r, const char *key)
{
    if (r->within == NULL || (r->pieces && r->depth <= 2)) /* Jansson must see it */
        return false;
    for (size_t i = 0; i < r->past_count; i++) {
        if (strcmp(r->past[i].key, key) == 0 && strcmp(r->past[i].within, r->within) == 0)
            return true;
    }
    return false;
}

/* The byte behind the string that begins at i; the length where it has no end. */
static uint32_t behind_string(const struct reader *r, uint32_t i)
{
    const char *quote = NULL;

    for (i++; (quote = memchr(r->bytes + i, '"', r->len - i)) != NULL; i++) {
        uint32_t end = (uint32_t)(quote - r->bytes), slashes = 0;

        while (end > i + slashes && r->bytes[end - slashes - 1] == '\\')
            slashes++;
        i = end;
        if (slashes % 2 == 0)
            return i + 1;
    }
    return r->len;
}

/* Goes behind a value by its quotes and brackets; whether it is JSON is for Jansson to say. */
static bool pass_value(struct reader *r)
{
    uint32_t i = r->at, open = 0;

    do {
        size_t plain = strcspn(r->bytes + i, "\"{}[],");

        i += (uint32_t)plain;
        if (i >= r->len || r->bytes[i] == '\0')
            break;
        if (r->bytes[i] == '"') {
            i = behind_string(r, i);
        } else if (r->bytes[i] == ',') {
            if (open == 0)
                break;
            i++;
        } else if (r->bytes[i] == '{' || r->bytes[i] == '[') {
            open++;
            i++;
        } else {
            if (open == 0)
                break;
            open--;
            i++;
        }
    } while (open > 0 && i < r->len);
    r->at = i < r->len ? i : r->len;
    return i < r->len || fail_here(r, "the end of the value");
}

static bool ask_jansson(struct reader *r, uint32_t begin, uint32_t end);

/* One item of an object or a list. */
static bool read_item(struct reader *r, char close)
{
    uint32_t begin = r->at;

    r->key = NULL;
    if (close == '}') {
        if (!read_key(r))
            return false;
        r->key = r->stack[r->count - 1]->scalar.text;
        if (is_past(r, r->key)) {
            r->count--;
            return pass_value(r);
        }
    }
    if (!read_value(r))
        return false;
    return !r->pieces || r->depth != 2 || close == '}' || ask_jansson(r, begin, r->at);
}

/* Behind an item: true to go on with the next one, false when closed or at fault. */
static bool next_item(struct reader *r, const struct plumb_node *n, char close)
{
    skip_blanks(r);
    if (peek(r) == close)
        return false;
    if (peek(r) != ',') {
        struct plumb_diag *d = fail(r, word(r, r->at), close == '}' ? "',' or '}'" : "',' or ']'");

        plumb_diag_note(d, span(r, n->at.begin, n->at.begin + 1), "this is not closed yet");
        return false;
    }

    uint32_t comma = r->at++;

    skip_blanks(r);
    if (peek(r) == close) {
        (void)fail(r, span(r, comma, comma + 1), "no comma behind the last one");
        return false;
    }
    return true;
}

static bool read_items(struct reader *r, const struct plumb_node *n, char close)
{
    bool more = true;

    skip_blanks(r);
    if (peek(r) == close)
        more = false;
    while (more) {
        if (!read_item(r, close))
            return false;
        more = next_item(r, n, close);
    }
    if (r->failed)
        return false;
    r->at++;
    return true;
}

static bool read_collection(struct reader *r, enum plumb_node_kind kind)
{
    struct plumb_node *n = PLUMB_NEW(r->s->arena, struct plumb_node);

    if (r->depth >= PLUMB_MAX_DEPTH) {
        plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_XML_DEPTH), span(r, r->at, r->at + 1),
                       "nested deeper than %d levels", PLUMB_MAX_DEPTH);
        r->failed = true;
        return false;
    }
    n->kind = kind;
    n->at = span(r, r->at, r->at + 1);
    push(r, n);

    size_t base = r->count;
    const char *outer = r->within;

    r->at++;
    r->depth++;
    r->within = r->key;
    if (!read_items(r, n, kind == PLUMB_MAPPING ? '}' : ']'))
        return false;
    r->within = outer;
    r->depth--;
    end_collection(r, n, base);
    return true;
}

static bool read_value(struct reader *r)
{
    if (!count_node(r))
        return false;
    switch (peek(r)) {
    case '{':
        return read_collection(r, PLUMB_MAPPING);
    case '[':
        return read_collection(r, PLUMB_SEQUENCE);
    case '"':
        return read_string(r);
    default:
        return r->at < r->len ? read_literal(r) : fail_here(r, "a value");
    }
}

static bool read_document(struct reader *r)
{
    skip_blanks(r);
    if (!read_value(r))
        return false;
    skip_blanks(r);
    if (r->at < r->len)
        return fail_here(r, "the end of the file: the document is whole already");
    return true;
}

/* ---- Jansson ---- */

/* Asks Jansson; what it refuses and the walk took is reported in its words. */
static bool ask_jansson(struct reader *r, uint32_t begin, uint32_t end)
{
    json_error_t error;
    json_t *root = json_loadb(r->bytes + begin, end - begin,
                              JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &error);

    if (root != NULL) {
        json_decref(root);
        return true;
    }

    uint32_t at = begin + (error.position > 0 ? (uint32_t)error.position : 0);

    if (at > end)
        at = end;
    r->failed = true;
    /* The position is behind what was read last. */
    plumb_diag_new(&r->s->sink, plumb_xml_row(PLUMB_JSON_SYNTAX),
                   span(r, at > begin ? at - 1 : begin, at),
                   "found text that is no JSON, expected JSON (%s)", error.text);
    return false;
}

/*
 * The whole tree of Jansson takes nine times the text. Of a long text its second level is asked
 * about piece by piece; the two levels around it are few bytes, which the walk has read.
 */
struct plumb_node *plumb_json_read_past(struct plumb_session *s, const struct plumb_source *src,
                                        const struct plumb_json_past *past, size_t count)
{
    struct reader r = {
        .s = s,
        .src = src,
        .bytes = src->bytes,
        .len = src->len,
        .keys = {.arena = s->scratch},
        .past = past,
        .past_count = count,
        .pieces = src->len > PLUMB_JSON_IN_PIECES,
    };

    if (r.pieces)
        r.shared = PLUMB_NEW_ARRAY(s->scratch, SHARED, struct shared);

    uint32_t skip = src->len >= 3 && memcmp(src->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    r.at = skip;
    if (plumb_xml_other_encoding(s, src) || !read_document(&r) ||
        (!r.pieces && !ask_jansson(&r, skip, r.len))) {
        s->sink.incomplete = true;
        return NULL;
    }
    return r.stack[0];
}

struct plumb_node *plumb_json_read(struct plumb_session *s, const struct plumb_source *src)
{
    return plumb_json_read_past(s, src, NULL, 0);
}
