/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Node lines that say the same of other nodes become repeats of the first one, so that the work
 * behind the reader grows with what the lines say and not with their number.
 *
 * Two ways lead there. A line is read as every line is, and found to have the pairs of another
 * (plumb_conf_alike_record): that decides. Its text without names and addresses is remembered
 * then, and a line below with that very text has those very pairs: it is passed without being
 * read (plumb_conf_alike_next), and that is only quicker.
 *
 * Names and addresses are left out where each is one plain word, and the name ends in a number:
 * of such a word there is nothing to say. Suppressions bind to lines, so that the lines of a file
 * that has some are not folded.
 */
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "conf/read.h"

enum {
    LONGEST_WORD = 255,
    ENOUGH = 4096, /* lines that are all different: then so is the rest */
};

/* What differs between lines that say the same. */
static const struct {
    enum plumb_param_id id;
    const char *key; /* with its sign */
    uint32_t len;
} varying[PLUMB_CONF_VARYING] = {
    {PLUMB_P_SLURM_NODENAME, "NodeName=", 9},
    {PLUMB_P_NODE_NODEADDR, "NodeAddr=", 9},
    {PLUMB_P_NODE_NODEHOSTNAME, "NodeHostname=", 13},
    {PLUMB_P_NODE_BCASTADDR, "BcastAddr=", 10},
};

struct word {
    uint32_t begin, end; /* in the line */
};

/* Words that vary, in the order of the line. */
struct words {
    struct word items[PLUMB_CONF_VARYING];
    unsigned count;
};

/* A line whose text without words that vary is a key of the map. */
struct skeleton {
    size_t line; /* of the document */
    uint32_t layout;
    uint32_t begin, len; /* of the text, in the file */
    struct words words;
};

struct plumb_conf_alike {
    const struct plumb_source *src;
    struct plumb_map skeletons;  /* struct skeleton, by text */
    struct plumb_map kinds;      /* position of a line and one, by what its pairs say */
    struct plumb_buf key;        /* for looking up */
    const struct skeleton *last; /* of the line above; NULL */
    size_t repeats;
};

/* Letters, digits and what else is in a name or an address; nothing that any reader looks for. */
static bool is_plain(char c)
{
    static const bool plain[UINT8_MAX + 1] = {
        ['-'] = true, ['.'] = true, [':'] = true, ['_'] = true, ['0'] = true, ['1'] = true,
        ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true,
        ['8'] = true, ['9'] = true, ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true,
        ['E'] = true, ['F'] = true, ['G'] = true, ['H'] = true, ['I'] = true, ['J'] = true,
        ['K'] = true, ['L'] = true, ['M'] = true, ['N'] = true, ['O'] = true, ['P'] = true,
        ['Q'] = true, ['R'] = true, ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true,
        ['W'] = true, ['X'] = true, ['Y'] = true, ['Z'] = true, ['a'] = true, ['b'] = true,
        ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true,
        ['i'] = true, ['j'] = true, ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true,
        ['o'] = true, ['p'] = true, ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true,
        ['u'] = true, ['v'] = true, ['w'] = true, ['x'] = true, ['y'] = true, ['z'] = true,
    };

    return plain[(unsigned char)c];
}

static bool is_word(const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && is_plain(text[i]))
        i++;
    return i == len && len > 0 && len <= LONGEST_WORD;
}

/* "n017": a word that ends in a number. */
static bool is_numbered(const char *text, size_t len)
{
    size_t digits = plumb_end_digits(text, len);

    return digits > 0 && digits <= PLUMB_SAFE_DIGITS;
}

/* The length of a key that varies with its sign; 0: another key. */
static uint32_t varying_key(const char *text, size_t len)
{
    char first = len > 0 ? plumb_lower(text[0]) : '\0';

    for (size_t i = 0; (first == 'n' || first == 'b') && i < PLUMB_COUNT(varying); i++) {
        if (len > varying[i].len && plumb_equal_nocase(text, varying[i].key, varying[i].len))
            return varying[i].len;
    }
    return 0;
}

/* Behind the word that begins at pos. */
static uint32_t word_end(const char *text, uint32_t len, uint32_t pos, bool tabs)
{
    const char *blank = tabs ? NULL : memchr(text + pos, ' ', len - pos);

    if (!tabs)
        return blank != NULL ? (uint32_t)(blank - text) : len;
    while (pos < len && !plumb_is_blank(text[pos]))
        pos++;
    return pos;
}

/* The words of a line that vary; false when there is something else in their place. */
static bool find_words(const char *text, uint32_t len, struct words *w)
{
    bool tabs = memchr(text, '\t', len) != NULL;
    uint32_t end = 0;

    w->count = 0;
    for (uint32_t i = 0; i < len; i = end + 1) {
        uint32_t key = varying_key(text + i, len - i), stop = 0;

        end = word_end(text, len, i, tabs);
        if (key == 0)
            continue;
        stop = end > i && end == len && text[end - 1] == '\r' ? end - 1 : end;
        if (w->count == PLUMB_CONF_VARYING || stop <= i + key ||
            !is_word(text + i + key, stop - i - key))
            return false;
        w->items[w->count++] = (struct word){i + key, stop};
    }
    return w->count > 0 &&
           is_numbered(text + w->items[0].begin, w->items[0].end - w->items[0].begin);
}

/* The text of a line with a zero byte in place of each word: a line that was read has none. */
static void spell_skeleton(struct plumb_buf *key, const char *text, uint32_t len,
                           const struct words *w)
{
    uint32_t from = 0;

    key->len = 0;
    for (unsigned i = 0; i < w->count; i++) {
        plumb_buf_add(key, text + from, w->items[i].begin - from);
        plumb_buf_char(key, '\0');
        from = w->items[i].end;
    }
    plumb_buf_add(key, text + from, len - from);
}

static bool has_remark(const struct plumb_source *src)
{
    static const char marker[] = "plumb:";
    const char *at = src->bytes, *end = src->bytes + src->len;

    while ((at = memchr(at, '#', (size_t)(end - at))) != NULL) {
        for (at++; at < end && plumb_is_blank(*at);)
            at++;
        if (strncmp(at, marker, sizeof(marker) - 1) == 0)
            return true;
    }
    return false;
}

struct plumb_conf_alike *plumb_conf_alike_begin(const struct plumb_conf_reader *r,
                                                const struct plumb_source *src)
{
    struct plumb_arena *scratch = r->session->scratch;
    struct plumb_conf_alike *a = NULL;

    if (!r->options->fold_nodes || r->doc->file != PLUMB_SLURM_CONF || has_remark(src))
        return NULL;
    a = PLUMB_NEW(scratch, struct plumb_conf_alike);
    *a = (struct plumb_conf_alike){
        .src = src,
        .skeletons = plumb_map_in(scratch),
        .kinds = plumb_map_in(scratch),
        .key = plumb_buf_in(scratch),
    };
    return a;
}

void plumb_conf_alike_forget(struct plumb_conf_reader *r)
{
    if (r->alike == NULL)
        return;
    r->alike->skeletons = plumb_map_in(r->session->scratch);
    r->alike->kinds = plumb_map_in(r->session->scratch);
    r->alike->last = NULL;
    r->alike->repeats = 0;
}

/* The value of a pair is such a word. */
static bool varies(const struct plumb_setting *p)
{
    for (size_t i = 0; i < PLUMB_COUNT(varying); i++) {
        if (p->param != NULL && p->param->id == (unsigned)varying[i].id)
            return p->op == '=' && p->value.lead == 0 && is_word(p->value.text, p->value.len);
    }
    return false;
}

/* Where pairs stand in a line, from its first key on. */
static struct plumb_conf_cell *layout_of(struct plumb_arena *arena,
                                         const struct plumb_setting *pairs, size_t count)
{
    struct plumb_conf_cell *cells = PLUMB_NEW_ARRAY(arena, count, struct plumb_conf_cell);
    uint32_t begin = pairs[0].key_at.begin;
    uint8_t before = 0;

    for (size_t i = 0; i < count; i++) {
        cells[i] = (struct plumb_conf_cell){
            .key_begin = pairs[i].key_at.begin - begin,
            .key_end = pairs[i].key_at.end - begin,
            .begin = pairs[i].value.at.begin - begin,
            .end = pairs[i].value.at.end - begin,
            .before = before,
            .varies = varies(&pairs[i]),
        };
        before = (uint8_t)(before + cells[i].varies);
    }
    return cells;
}

static void add_layout(struct plumb_arena *arena, struct plumb_conf_repeats *to,
                       struct plumb_conf_cell *cells)
{
    to->layouts = plumb_arena_grow(arena, to->layouts, to->layout_count, &to->layout_cap,
                                   sizeof(*to->layouts));
    to->layouts[to->layout_count++] = cells;
}

/* The repeats of a line; the first layout is its own. */
static struct plumb_conf_repeats *repeats_of(struct plumb_conf_reader *r, size_t at)
{
    struct plumb_arena *arena = r->doc->arena;
    struct plumb_conf_line *line = &r->doc->lines[at];

    if (line->repeats == NULL) {
        line->repeats = PLUMB_NEW(arena, struct plumb_conf_repeats);
        line->repeats->src = r->alike->src;
        add_layout(arena, line->repeats, layout_of(arena, line->pairs, line->count));
    }
    return line->repeats;
}

static void add_repeat(struct plumb_conf_reader *r, struct plumb_conf_repeats *to,
                       struct plumb_conf_repeat repeat)
{
    to->items = plumb_arena_grow(r->doc->arena, to->items, to->count, &to->cap, sizeof(repeat));
    to->items[to->count++] = repeat;
    r->alike->repeats++;
}

/*
 * Compares the text at begin with a skeleton, from word to word. Its words get their places; false
 * when it is another text.
 */
static bool is_like(const struct plumb_source *src, uint32_t begin, const struct skeleton *s,
                    struct words *w)
{
    const char *text = src->bytes + begin, *model = src->bytes + s->begin;
    uint32_t room = src->len - begin, at = 0, from = 0;

    w->count = s->words.count;
    for (unsigned i = 0; i < w->count; i++) {
        uint32_t gap = s->words.items[i].begin - from, end = 0;

        if (gap > room - at || memcmp(text + at, model + from, gap) != 0)
            return false;
        at += gap;
        for (end = at; is_plain(text[end]);) /* a zero byte ends the file */
            end++;
        if (end == at || end - at > LONGEST_WORD || (i == 0 && !is_numbered(text + at, end - at)))
            return false;
        w->items[i] = (struct word){at, end};
        at = end;
        from = s->words.items[i].end;
    }
    return s->len - from <= room - at && memcmp(text + at, model + from, s->len - from) == 0 &&
           (s->len - from == room - at || text[at + s->len - from] == '\n');
}

/* The skeleton of the line at pos, whose words get their places; NULL: none that was read. */
static const struct skeleton *find_skeleton(struct plumb_conf_alike *a, uint32_t pos,
                                            struct words *w)
{
    const char *text = a->src->bytes + pos;
    const struct plumb_map_entry *found = NULL;

    if (a->last != NULL && is_like(a->src, pos, a->last, w))
        return a->last;

    const char *nl = memchr(text, '\n', a->src->len - pos);
    uint32_t len = nl != NULL ? (uint32_t)(nl - text) : a->src->len - pos;

    if (!find_words(text, len, w))
        return NULL;
    spell_skeleton(&a->key, text, len, w);
    found = plumb_map_find(&a->skeletons, a->key.text, a->key.len);
    return found == NULL ? NULL : found->value;
}

bool plumb_conf_alike_next(struct plumb_conf_reader *r, struct plumb_conf_cursor *c)
{
    struct plumb_conf_alike *a = r->alike;
    struct plumb_conf_repeat repeat = {0};
    const struct skeleton *s = NULL;
    struct words w = {0};
    unsigned last = 0;

    if (a == NULL || a->skeletons.count == 0 || c->pos >= a->src->len)
        return false;
    s = find_skeleton(a, c->pos, &w);
    if (s == NULL || w.count == 0)
        return false;
    a->last = s;
    repeat.begin = c->pos + w.items[0].begin - varying[0].len; /* NodeName= begins it */
    repeat.layout = s->layout;
    last = w.count - 1;
    plumb_line_note(&c->notes, c->pos);
    for (unsigned i = 0; i < w.count; i++)
        repeat.grown[i] = (int16_t)((int)(w.items[i].end - w.items[i].begin) -
                                    (int)(s->words.items[i].end - s->words.items[i].begin));
    add_repeat(r, repeats_of(r, s->line), repeat);
    c->pos += w.items[last].end + s->len - s->words.items[last].end;
    c->pos += c->pos < a->src->len; /* the line break */
    c->line++;
    return true;
}

/* What the pairs of the record say, but for the words that vary. False: too many of them. */
static bool spell_pairs(struct plumb_conf_reader *r, struct plumb_buf *key)
{
    unsigned words = 0;

    key->len = 0;
    for (size_t i = 0; i < r->pair_count; i++) {
        const struct plumb_setting *p = &r->pairs[i];

        plumb_buf_add(key, p->key, strlen(p->key) + 1);
        plumb_buf_char(key, p->op);
        if (varies(p))
            words++;
        else
            plumb_buf_add(key, p->value.text, p->value.len);
        plumb_buf_char(key, varies(p) ? '\1' : '\0');
    }
    return words <= PLUMB_CONF_VARYING;
}

/* Lines below with this text, and the same comment behind it, are those of the same kind. */
static void keep_skeleton(struct plumb_conf_reader *r, const struct plumb_conf_text *t, size_t line,
                          uint32_t layout)
{
    struct plumb_conf_alike *a = r->alike;
    const char *nl = memchr(t->text, '\n', a->src->len - t->begin);
    uint32_t len = nl != NULL ? (uint32_t)(nl - t->text) : a->src->len - t->begin;
    struct skeleton *s = NULL;
    struct words w;
    unsigned k = 0;

    if (memchr(t->text, '\0', len) != NULL || !find_words(t->text, len, &w))
        return; /* a zero byte was reported, and is to be on each line */
    for (size_t i = 0; i < r->pair_count; i++) {
        const struct plumb_slice *v = &r->pairs[i].value;

        if (!varies(&r->pairs[i]))
            continue;
        if (k == w.count || v->at.begin != t->begin + w.items[k].begin ||
            v->at.end != t->begin + w.items[k].end)
            return; /* the reader sees other words */
        k++;
    }
    if (k != w.count)
        return;
    s = PLUMB_NEW(r->session->scratch, struct skeleton);
    *s = (struct skeleton){
        .line = line, .layout = layout, .begin = t->begin, .len = len, .words = w};
    a->last = s;
    spell_skeleton(&a->key, t->text, len, &w);
    plumb_map_entry(&a->skeletons, a->key.text, a->key.len)->value = s;
}

/* The record is the first of its kind, and will be the next line of the document. */
static void keep_kind(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                      struct plumb_map_entry *kind)
{
    kind->value = (void *)(uintptr_t)(r->doc->count + 1);
    keep_skeleton(r, t, r->doc->count, 0);
}

static bool can_fold(const struct plumb_conf_reader *r, const struct plumb_conf_text *t, bool sound)
{
    const struct plumb_slice *name = &r->pairs[0].value;

    return sound && t->map == NULL && varies(&r->pairs[0]) && is_numbered(name->text, name->len);
}

bool plumb_conf_alike_record(struct plumb_conf_reader *r, const struct plumb_conf_text *t,
                             enum plumb_scope scope, bool sound)
{
    struct plumb_conf_alike *a = r->alike;
    struct plumb_map_entry *kind = NULL;

    if (a == NULL || scope != PLUMB_SCOPE_NODE)
        return false;
    if (plumb_slice_is(&r->pairs[0].value, "DEFAULT"))
        plumb_conf_alike_forget(r);
    if (!can_fold(r, t, sound) || (a->kinds.count >= ENOUGH && a->repeats < a->kinds.count) ||
        !spell_pairs(r, &a->key))
        return false;
    kind = plumb_map_entry(&a->kinds, a->key.text, a->key.len);
    if (kind->value == NULL) {
        keep_kind(r, t, kind);
        return false;
    }

    size_t line = (size_t)(uintptr_t)kind->value - 1;
    struct plumb_conf_repeats *to = repeats_of(r, line);
    uint32_t layout = (uint32_t)to->layout_count;

    add_layout(r->doc->arena, to, layout_of(r->doc->arena, r->pairs, r->pair_count));
    add_repeat(r, to,
               (struct plumb_conf_repeat){.begin = r->pairs[0].key_at.begin, .layout = layout});
    keep_skeleton(r, t, line, layout);
    return true;
}

struct plumb_setting plumb_conf_repeat_pair(const struct plumb_conf_line *line, size_t repeat,
                                            size_t pair)
{
    struct plumb_setting set = line->pairs[pair];
    uint32_t begin = 0;
    const struct plumb_conf_cell *cell = plumb_conf_repeat_cell(line, repeat, pair, &begin);
    int longer = cell->varies ? line->repeats->items[repeat].grown[cell->before] : 0;

    set.key_at.begin = begin + cell->key_begin;
    set.key_at.end = begin + cell->key_end;
    set.value.at.begin = begin + cell->begin;
    set.value.at.end = (uint32_t)((int64_t)begin + cell->end + longer);
    if (cell->varies) {
        set.value.text = line->repeats->src->bytes + set.value.at.begin;
        set.value.len = set.value.at.end - set.value.at.begin;
    }
    return set;
}

void plumb_conf_tell_repeats(struct plumb_diag *d, const struct plumb_conf_line *line)
{
    size_t count = plumb_conf_repeat_count(line);

    if (count > 0)
        plumb_diag_note(d, plumb_conf_repeat_pair(line, count - 1, 0).key_at,
                        "the same on %zu more %s line%s, the last is here", count,
                        plumb_scope_name(line->scope), count == 1 ? "" : "s");
}
