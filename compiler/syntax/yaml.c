/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML in: libyaml's events become a tree. Children wait on a stack until their collection
 * ends and then move to an array of their exact size; a mapping is checked when it ends, for
 * keys that are no scalars, merge keys, and duplicates. Text beneath: yaml_text.c, yaml_map.c;
 * faults of libyaml: yaml_fault.c.
 */
#include "syntax/yaml.h"

#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "base/text.h"
#include "syntax/keys.h"
#include "syntax/yaml_reader.h"

struct frame {
    struct plumb_node *node;
    uint32_t base; /* of its children on the stack */
    uint32_t end;  /* behind the last byte of its content so far */
    bool flow;
};

struct reader {
    struct plumb_session *s;
    struct plumb_yaml *out;
    struct plumb_yaml_text text;
    struct frame frames[PLUMB_MAX_DEPTH];
    uint32_t depth;
    struct plumb_node **stack; /* children whose collections have not ended */
    size_t count, cap;
    struct plumb_map anchors; /* name to node, of this document */
    uint32_t node_count, alias_nodes;
    size_t document_cap, body_cap;
    struct plumb_keys keys; /* of the mapping that ends */
    char *room;             /* for nodes, from the arena piece by piece */
    size_t room_len, piece;
    bool stop;
};

static struct plumb_diag *report(struct reader *r, enum plumb_yaml_row row, struct plumb_span at,
                                 const char *message)
{
    return plumb_diag_new(&r->s->sink, plumb_yaml_row(row), at, "%s", message);
}

static struct plumb_span span_of(const struct reader *r, uint32_t begin, uint32_t end)
{
    return (struct plumb_span){r->text.file, begin, end < begin ? begin : end};
}

static struct plumb_span event_span(struct reader *r, const yaml_event_t *e)
{
    uint32_t begin = plumb_yaml_byte(&r->text, e->start_mark.index);

    return span_of(r, begin, plumb_yaml_byte(&r->text, e->end_mark.index));
}

/* ---- nodes ---- */

enum {
    FIRST_PIECE = 1024,
    LARGEST_PIECE = 64 * 1024,
    ALIGN = _Alignof(struct plumb_node),
    TREE_PER_TEXT = 7, /* bytes of nodes for each of the text, about */
    ONE_MOVE = 16,     /* bytes of text that are copied at once, however few of them count */
};

/* From the arena, without a call for each of the many small ones. ONE_MOVE bytes behind are there
 * too, and are overwritten by the next. */
static inline void *node_room(struct reader *r, size_t size)
{
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (size > r->room_len) {
        if (size >= FIRST_PIECE)
            return plumb_arena_raw(r->s->arena, size + ONE_MOVE);
        r->piece = r->piece < LARGEST_PIECE ? r->piece * 2 : r->piece;
        r->room = plumb_arena_raw(r->s->arena, r->piece + ONE_MOVE);
        r->room_len = r->piece;
    }

    void *p = r->room;

    r->room += size;
    r->room_len -= size;
    return p;
}

static struct plumb_node *new_scalar(struct reader *r, struct plumb_span at, const char *text,
                                     size_t len)
{
    struct plumb_node *n = node_room(r, sizeof(*n) + len + 1);
    char *copy = (char *)(n + 1);

    memcpy(copy, text, len);
    copy[len] = '\0';
    *n = (struct plumb_node){
        .kind = PLUMB_SCALAR,
        .style = PLUMB_PLAIN,
        .scalar = {.text = copy, .len = (uint32_t)len, .at = at},
    };
    return n;
}

static struct plumb_node *new_null(struct reader *r, struct plumb_span at)
{
    return new_scalar(r, at, "", 0);
}

/* Puts a finished or opened node where the document is; end is behind its last byte. */
static void push(struct reader *r, struct plumb_node *n, uint32_t end)
{
    if (r->count == r->cap)
        r->stack = plumb_arena_grow(r->s->scratch, r->stack, r->count, &r->cap, sizeof(*r->stack));
    r->stack[r->count++] = n;
    if (r->depth > 0)
        r->frames[r->depth - 1].end = end;
}

static bool count_node(struct reader *r, struct plumb_span at)
{
    if (++r->node_count <= PLUMB_MAX_NODES)
        return true;
    plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_SIZE), at,
                   "the document has more than %d nodes; what follows is not read",
                   PLUMB_MAX_NODES);
    r->stop = true;
    return false;
}

static void set_anchor(struct reader *r, const yaml_char_t *name, struct plumb_node *n)
{
    if (name == NULL)
        return;
    if (r->anchors.arena == NULL)
        r->anchors = plumb_map_in(r->s->scratch);
    plumb_map_set(&r->anchors, (const char *)name, n);
}

/* ---- tags ---- */

enum tag { TAG_NONE, TAG_TEXT, TAG_KNOWN, TAG_UNKNOWN };

static enum tag tag_kind(const yaml_char_t *tag)
{
    static const char *const known[] = {"null", "bool", "int",       "float",  "map",  "seq",
                                        "set",  "omap", "timestamp", "binary", "merge"};
    static const char prefix[] = "tag:yaml.org,2002:";
    const char *t = (const char *)tag;

    if (t == NULL)
        return TAG_NONE;
    if (strcmp(t, "!") == 0)
        return TAG_TEXT;
    if (!plumb_starts_with(t, prefix))
        return TAG_UNKNOWN;
    t += sizeof(prefix) - 1;
    if (strcmp(t, "str") == 0)
        return TAG_TEXT;
    for (size_t i = 0; i < PLUMB_COUNT(known); i++) {
        if (strcmp(t, known[i]) == 0)
            return TAG_KNOWN;
    }
    return TAG_UNKNOWN;
}

static enum tag read_tag(struct reader *r, const yaml_char_t *tag, uint32_t begin)
{
    enum tag kind = tag_kind(tag);

    if (kind != TAG_UNKNOWN)
        return kind;

    /* The tag stands at the start mark, or behind an anchor there. */
    const char *bytes = r->text.bytes;
    uint32_t from = begin;

    while (from < r->text.len && bytes[from] != '!')
        from++;

    uint32_t end = from;

    while (end < r->text.len && !plumb_is_blank(bytes[end]) && strchr(",[]{}", bytes[end]) == NULL)
        end++;
    plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_TAG), span_of(r, from, end),
                   "unknown tag '%.*s', expected a tag of YAML itself or none; the value is read "
                   "without it",
                   (int)(end - from), bytes + from);
    return kind;
}

/* ---- scalars ---- */

/* Remembers where a '#' of a scalar stands, for the scan for comments. */
static void note_body(struct reader *r, struct plumb_span at, bool block)
{
    struct plumb_yaml *out = r->out;
    const char *from = r->text.bytes + at.begin;
    size_t len = at.end - at.begin;

    if (block) { /* the header line may end in a comment of its own */
        const char *line_end = memchr(from, '\n', len);

        if (line_end == NULL)
            return;
        len -= (size_t)(line_end - from);
        from = line_end;
    }
    if (memchr(from, '#', len) == NULL)
        return;
    out->bodies = plumb_arena_grow(r->s->arena, out->bodies, out->body_count, &r->body_cap,
                                   sizeof(*out->bodies));
    out->bodies[out->body_count++] = span_of(r, (uint32_t)(from - r->text.bytes), at.end);
}

/* A block scalar ends behind its last line with text: libyaml's mark is further on. */
static uint32_t trim_end(const struct reader *r, uint32_t begin, uint32_t end)
{
    while (end > begin && plumb_is_blank(r->text.bytes[end - 1]))
        end--;
    return end;
}

/*
 * Plain text on one line, which is most of what there is: its value is what stands there, so
 * it is copied from the text, in one move where it is short.
 */
static void read_word(struct reader *r, const yaml_event_t *e, uint32_t begin)
{
    uint32_t len = (uint32_t)e->data.scalar.length;
    const char *from = r->text.bytes + begin;

    if (!count_node(r, span_of(r, begin, begin + len)))
        return;

    struct plumb_node *n = node_room(r, sizeof(*n) + len + 1);
    char *copy = (char *)(n + 1);

    if (len < ONE_MOVE && r->text.len - begin >= ONE_MOVE)
        memcpy(copy, from, ONE_MOVE);
    else
        memcpy(copy, from, len);
    copy[len] = '\0';
    *n = (struct plumb_node){
        .kind = PLUMB_SCALAR,
        .style = PLUMB_PLAIN,
        .scalar = {.text = copy, .len = len, .at = span_of(r, begin, begin + len)},
    };
    push(r, n, begin + len);
}

static bool is_word(const struct reader *r, const yaml_event_t *e, uint32_t begin)
{
    return e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && e->data.scalar.tag == NULL &&
           e->data.scalar.anchor == NULL && e->start_mark.line == e->end_mark.line &&
           e->data.scalar.length <= r->text.len - begin;
}

static void read_text(struct reader *r, const yaml_event_t *e)
{
    yaml_scalar_style_t style = e->data.scalar.style;
    struct plumb_span at = event_span(r, e);
    bool block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    enum tag tag = TAG_NONE;

    if (e->data.scalar.tag != NULL)
        tag = read_tag(r, e->data.scalar.tag, at.begin);
    if (e->data.scalar.tag != NULL || e->data.scalar.anchor != NULL)
        at.begin = plumb_yaml_content(&r->text, at.begin, at.end);
    if (block)
        at.end = trim_end(r, at.begin, at.end);
    if (!count_node(r, at))
        return;

    struct plumb_node *n =
        new_scalar(r, at, (const char *)e->data.scalar.value, e->data.scalar.length);

    if (block || style != YAML_PLAIN_SCALAR_STYLE) {
        n->style = block ? PLUMB_BLOCK : PLUMB_QUOTED;
        note_body(r, at, block);
    } else if (tag == TAG_TEXT) {
        n->style = PLUMB_QUOTED;
    }
    plumb_yaml_map_scalar(r->s->arena, &r->text, style, &n->scalar);
    set_anchor(r, e->data.scalar.anchor, n);
    push(r, n, at.end);
}

static void read_scalar(struct reader *r, const yaml_event_t *e)
{
    uint32_t begin = plumb_yaml_byte(&r->text, e->start_mark.index);

    if (is_word(r, e, begin))
        read_word(r, e, begin);
    else
        read_text(r, e);
}

/* ---- aliases ---- */

static bool is_open(const struct reader *r, const struct plumb_node *n)
{
    for (uint32_t i = 0; i < r->depth; i++) {
        if (r->frames[i].node == n)
            return true;
    }
    return false;
}

/* Reports a passed limit once per document. */
static void alias_limit(struct reader *r, struct plumb_span at, bool depth)
{
    if (r->alias_nodes > PLUMB_MAX_ALIAS_NODES)
        return;
    if (depth)
        plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_DEPTH), at,
                       "this alias makes the document nest deeper than %d levels", PLUMB_MAX_DEPTH);
    else
        plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_ALIAS_LIMIT), at,
                       "aliases of this document stand for more than %d nodes",
                       PLUMB_MAX_ALIAS_NODES);
    r->alias_nodes = PLUMB_MAX_ALIAS_NODES + 1;
}

/* A copy of an anchored node, NULL when a limit was passed. The depth bounds the recursion. */
static struct plumb_node *expand(struct reader *r, const struct plumb_node *from, uint32_t depth,
                                 struct plumb_span at)
{
    if (r->alias_nodes >= PLUMB_MAX_ALIAS_NODES || depth > PLUMB_MAX_DEPTH) {
        alias_limit(r, at, depth > PLUMB_MAX_DEPTH);
        return NULL;
    }
    r->alias_nodes++;

    struct plumb_node *n = plumb_arena_raw(r->s->arena, sizeof(*n));

    *n = *from;
    n->from_alias = true;
    if (n->kind != PLUMB_SCALAR)
        n->cap = n->count;
    if (n->kind == PLUMB_SEQUENCE)
        n->items = PLUMB_NEW_ARRAY(r->s->arena, n->count, struct plumb_node *);
    else if (n->kind == PLUMB_MAPPING)
        n->pairs = PLUMB_NEW_ARRAY(r->s->arena, n->count, struct plumb_pair);
    for (uint32_t i = 0; i < n->count; i++) {
        struct plumb_node *value =
            n->kind == PLUMB_SEQUENCE ? from->items[i] : from->pairs[i].value;
        struct plumb_node *copy = expand(r, value, depth + 1, at);

        if (copy == NULL)
            return NULL;
        if (n->kind == PLUMB_SEQUENCE)
            n->items[i] = copy;
        else
            n->pairs[i] = (struct plumb_pair){.key = from->pairs[i].key, .value = copy};
    }
    return n;
}

static void unknown_alias(struct reader *r, struct plumb_span at, const char *name)
{
    struct plumb_nearest near = plumb_nearest_to(name);
    struct plumb_diag *d =
        plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_ALIAS), at,
                       "alias '*%s' names no anchor, expected '&%s' before it", name, name);

    for (size_t i = 0; i < r->anchors.count; i++)
        plumb_nearest_offer(&near, r->anchors.entries[i].key);
    if (near.best != NULL)
        plumb_diag_help(d, "did you mean '*%s'?", near.best);
}

static void read_alias(struct reader *r, const yaml_event_t *e)
{
    struct plumb_span at = event_span(r, e);
    const char *name = (const char *)e->data.alias.anchor;
    struct plumb_node *from = plumb_map_get(&r->anchors, name);
    struct plumb_node *n = NULL;

    if (!count_node(r, at))
        return;
    if (from == NULL) {
        unknown_alias(r, at, name);
    } else if (is_open(r, from)) {
        struct plumb_diag *d =
            plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_ALIAS), at,
                           "alias '*%s' stands inside the node that it names", name);

        plumb_diag_note(d, span_of(r, from->at.begin, from->at.begin + 1), "that node begins here");
    } else {
        n = expand(r, from, r->depth, at);
    }
    if (n == NULL) {
        n = new_null(r, at);
        n->reported = true;
    }
    push(r, n, at.end);
}

/* ---- mappings ---- */

static bool is_merge(const struct plumb_node *key)
{
    return key->kind == PLUMB_SCALAR && key->style == PLUMB_PLAIN && key->scalar.len == 2 &&
           memcmp(key->scalar.text, "<<", 2) == 0;
}

static void duplicate(struct reader *r, const struct plumb_node *key,
                      const struct plumb_node *first)
{
    struct plumb_diag *d =
        plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_DUPLICATE_KEY), key->at,
                       "key '%s' is given twice in one mapping", key->scalar.text);

    plumb_diag_outcome(d, "the first one counts");
    plumb_diag_note(d, first->at, "first given here");
}

/* Moves the pairs on the stack to the mapping; true when merge keys are among them. */
static bool take_pairs(struct reader *r, struct plumb_node *n, struct plumb_node **from,
                       uint32_t pairs)
{
    bool merges = false;

    n->pairs = plumb_arena_raw(r->s->arena, pairs * sizeof(*n->pairs));
    n->cap = pairs;
    plumb_keys_begin(&r->keys, pairs);
    for (uint32_t i = 0; i < pairs; i++) {
        struct plumb_node *key = from[(size_t)2 * i];

        if (key->kind != PLUMB_SCALAR) {
            plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_KEY_KIND), key->at,
                           "found a %s as a key, expected plain text; the pair is left out",
                           key->kind == PLUMB_SEQUENCE ? "list" : "mapping");
            continue;
        }
        if (is_merge(key)) {
            merges = true;
            continue;
        }

        const struct plumb_pair *first = plumb_keys_find(&r->keys, n->pairs, n->count, key);

        if (first != NULL)
            duplicate(r, key, first->key);
        else
            n->pairs[n->count++] =
                (struct plumb_pair){.key = key, .value = from[(size_t)2 * i + 1]};
    }
    return merges;
}

/* Adds the pairs of one merged mapping that are not there yet; there is room for them. */
static void merge_mapping(struct reader *r, struct plumb_node *n, const struct plumb_node *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        if (plumb_keys_find(&r->keys, n->pairs, n->count, from->pairs[i].key) == NULL)
            n->pairs[n->count++] = from->pairs[i];
    }
}

/* Pairs that a merge value can add; reports what is no mapping. */
static uint32_t merge_size(struct reader *r, const struct plumb_node *value)
{
    uint32_t size = 0;

    if (value->kind == PLUMB_MAPPING)
        return value->count;
    if (value->kind == PLUMB_SCALAR)
        report(r, PLUMB_YAML_MERGE, value->at,
               "merge key '<<' has plain text, expected a mapping or a list of mappings");
    for (uint32_t i = 0; value->kind == PLUMB_SEQUENCE && i < value->count; i++) {
        if (value->items[i]->kind == PLUMB_MAPPING)
            size += value->items[i]->count;
        else
            report(r, PLUMB_YAML_MERGE, value->items[i]->at,
                   "merge key '<<' has a list with something else in it, expected mappings only");
    }
    return size;
}

/*
 * Merge keys, https://yaml.org/type/merge.html: what the mapping says itself counts first,
 * then the earlier of several merged mappings.
 */
static void merge_pairs(struct reader *r, struct plumb_node *n, struct plumb_node **from,
                        uint32_t pairs)
{
    size_t room = n->count;

    for (uint32_t i = 0; i < pairs; i++) {
        if (is_merge(from[(size_t)2 * i]))
            room += merge_size(r, from[(size_t)2 * i + 1]);
    }

    struct plumb_node own = *n;

    plumb_keys_begin(&r->keys, (uint32_t)room);
    n->pairs = PLUMB_NEW_ARRAY(r->s->arena, room, struct plumb_pair);
    n->count = 0;
    n->cap = (uint32_t)room;
    merge_mapping(r, n, &own);
    for (uint32_t i = 0; i < pairs; i++) {
        const struct plumb_node *value = from[(size_t)2 * i + 1];

        if (!is_merge(from[(size_t)2 * i]))
            continue;
        if (value->kind == PLUMB_MAPPING)
            merge_mapping(r, n, value);
        for (uint32_t j = 0; value->kind == PLUMB_SEQUENCE && j < value->count; j++) {
            if (value->items[j]->kind == PLUMB_MAPPING)
                merge_mapping(r, n, value->items[j]);
        }
    }
}

static void end_mapping(struct reader *r, struct plumb_node *n, struct plumb_node **from,
                        uint32_t pairs)
{
    if (pairs > 0 && take_pairs(r, n, from, pairs))
        merge_pairs(r, n, from, pairs);
}

/* ---- collections ---- */

static void begin_collection(struct reader *r, const yaml_event_t *e, enum plumb_node_kind kind)
{
    bool map = kind == PLUMB_MAPPING;
    const yaml_char_t *anchor = map ? e->data.mapping_start.anchor : e->data.sequence_start.anchor;
    const yaml_char_t *tag = map ? e->data.mapping_start.tag : e->data.sequence_start.tag;
    uint32_t begin = plumb_yaml_byte(&r->text, e->start_mark.index);

    if (tag != NULL)
        (void)read_tag(r, tag, begin);
    if (anchor != NULL || tag != NULL)
        begin = plumb_yaml_content(&r->text, begin, r->text.len);
    if (!count_node(r, span_of(r, begin, begin + 1)))
        return;
    if (r->depth == PLUMB_MAX_DEPTH) {
        plumb_diag_new(&r->s->sink, plumb_yaml_row(PLUMB_YAML_DEPTH), span_of(r, begin, begin + 1),
                       "nested deeper than %d levels; what follows is not read", PLUMB_MAX_DEPTH);
        r->stop = true;
        return;
    }

    struct plumb_node *n = node_room(r, sizeof(*n));

    *n = (struct plumb_node){.kind = kind, .at = span_of(r, begin, begin)};
    set_anchor(r, anchor, n);
    push(r, n, begin);
    r->frames[r->depth++] = (struct frame){
        .node = n,
        .base = (uint32_t)r->count,
        .end = begin,
        .flow = map ? e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                    : e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
    };
}

/* end: of a closing bracket, 0 when there is none. */
static void end_collection(struct reader *r, uint32_t end)
{
    struct frame *f = &r->frames[--r->depth];
    struct plumb_node *n = f->node;
    struct plumb_node **from = r->stack + f->base;
    uint32_t children = (uint32_t)r->count - f->base;

    n->at.end = end > f->end ? end : f->end;
    /* A first key of an anchor and no text ends before what follows the tag of the mapping. */
    if (n->at.begin > n->at.end)
        n->at.begin = n->at.end;
    if (n->kind == PLUMB_MAPPING) {
        end_mapping(r, n, from, children / 2);
    } else if (children > 0) {
        n->items = plumb_arena_raw(r->s->arena, children * sizeof(struct plumb_node *));
        memcpy(n->items, from, children * sizeof(struct plumb_node *));
        n->count = n->cap = children;
    }
    r->count = f->base;
    if (r->depth > 0)
        r->frames[r->depth - 1].end = n->at.end;
}

static void end_event(struct reader *r, const yaml_event_t *e)
{
    bool bracket = r->frames[r->depth - 1].flow && e->end_mark.index > e->start_mark.index;

    end_collection(r, bracket ? plumb_yaml_byte(&r->text, e->end_mark.index) : 0);
}

/* ---- documents ---- */

static bool is_empty(const struct plumb_node *n)
{
    return n->kind == PLUMB_SCALAR && n->scalar.len == 0 && n->style == PLUMB_PLAIN;
}

static void end_document(struct reader *r)
{
    struct plumb_yaml *out = r->out;

    while (r->depth > 0)
        end_collection(r, 0);
    if (r->count > 0 && !is_empty(r->stack[0])) {
        out->documents = plumb_arena_grow(r->s->arena, out->documents, out->count, &r->document_cap,
                                          sizeof(*out->documents));
        out->documents[out->count++] = r->stack[0];
    }
    r->count = 0;
    r->alias_nodes = 0;
    r->anchors = (struct plumb_map){0};
}

static void read_event(struct reader *r, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        read_scalar(r, e);
        break;
    case YAML_ALIAS_EVENT:
        read_alias(r, e);
        break;
    case YAML_MAPPING_START_EVENT:
        begin_collection(r, e, PLUMB_MAPPING);
        break;
    case YAML_SEQUENCE_START_EVENT:
        begin_collection(r, e, PLUMB_SEQUENCE);
        break;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        end_event(r, e);
        break;
    case YAML_DOCUMENT_END_EVENT:
        end_document(r);
        break;
    case YAML_STREAM_END_EVENT:
        r->stop = true;
        break;
    default:
        break;
    }
}

static void read_events(struct reader *r, yaml_parser_t *parser)
{
    yaml_event_t event;

    while (!r->stop) {
        if (!yaml_parser_parse(parser, &event)) {
            plumb_yaml_fault(r->s, &r->text, parser);
            r->out->partial = true;
            break;
        }

        bool end = event.type == YAML_STREAM_END_EVENT;

        read_event(r, &event);
        yaml_event_delete(&event);
        r->out->partial = r->stop && !end;
    }
    end_document(r);
    if (r->out->partial)
        r->s->sink.incomplete = true;
}

struct plumb_yaml *plumb_yaml_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct reader *r = PLUMB_NEW(s->scratch, struct reader);
    yaml_parser_t parser;

    plumb_arena_expect(s->arena, (size_t)src->len * TREE_PER_TEXT);
    r->s = s;
    r->keys.arena = s->scratch;
    r->piece = FIRST_PIECE;
    r->out = PLUMB_NEW(s->arena, struct plumb_yaml);
    if (!plumb_yaml_text_open(s, src, &r->text)) {
        r->out->partial = true;
        s->sink.incomplete = true;
        return r->out;
    }
    if (!yaml_parser_initialize(&parser))
        (void)plumb_arena_raw(s->arena, SIZE_MAX); /* out of memory, as the session says */
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const yaml_char_t *)r->text.bytes + r->text.skip,
                                 r->text.len - r->text.skip);
    read_events(r, &parser);
    yaml_parser_delete(&parser);
    return r->out;
}
