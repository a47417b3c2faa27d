/* SPDX-License-Identifier: Apache-2.0 */
/* Gres= of node lines, and the values of gres.conf lines. What is wrong with them is for rules. */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "passes/type.h"
#include "schema/value.h"

enum { FIELDS = 8, MAX_LINK = 1023, MIN_LINK = -2 };

/* Fields of one item between its colons. */
struct fields {
    struct plumb_slice items[FIELDS];
    size_t count;
};

/* The end of the item at from: a comma outside parentheses, as in "gpu:2(S:0,1),nic". */
static uint32_t item_end(const struct plumb_slice *v, uint32_t from)
{
    unsigned depth = 0;

    for (uint32_t i = from; i < v->len; i++) {
        if (v->text[i] == '(')
            depth++;
        else if (v->text[i] == ')' && depth > 0)
            depth--;
        else if (v->text[i] == ',' && depth == 0)
            return i;
    }
    return v->len;
}

static bool split(const struct plumb_slice *item, struct fields *f)
{
    uint32_t from = 0;

    f->count = 0;
    for (uint32_t i = 0; i <= item->len; i++) {
        if (i < item->len && item->text[i] != ':')
            continue;
        if (f->count == FIELDS)
            return false;
        f->items[f->count++] = plumb_slice_sub(item, from, i);
        from = i + 1;
    }
    return true;
}

/* ":no_consume" says nothing that is counted. */
static void drop_no_consume(struct fields *f)
{
    for (size_t i = 1; i < f->count; i++) {
        if (!plumb_slice_is(&f->items[i], "no_consume"))
            continue;
        memmove(&f->items[i], &f->items[i + 1], (f->count - i - 1) * sizeof(f->items[0]));
        f->count--;
        return;
    }
}

static const char *intern(struct plumb_session *s, const struct plumb_slice *text)
{
    return plumb_intern_text(s->intern, text->text, text->len);
}

/*
 * name[:type][:count]: a last field that begins with a digit is the count, any other a type
 * (gres.c:_get_gres_cnt). False when it cannot be read.
 */
static bool read_item(struct plumb_session *s, const struct plumb_slice *item,
                      struct plumb_gres_item *out)
{
    struct fields f;
    struct plumb_slice bare = *item;
    const char *paren = memchr(item->text, '(', item->len);
    const struct plumb_slice *last = NULL;

    if (paren != NULL)
        bare = plumb_slice_sub(item, 0, (size_t)(paren - item->text));
    if (!split(&bare, &f) || f.items[0].len == 0)
        return false;
    drop_no_consume(&f);
    *out = (struct plumb_gres_item){
        .name = intern(s, &f.items[0]),
        .count = 1,
        .at = item->at,
        .type_at = item->at,
        .count_at = item->at,
    };
    last = &f.items[f.count - 1];
    if (f.count > 1 && last->len > 0 && plumb_is_digit(last->text[0])) {
        out->count_at = last->at;
        if (plumb_value_count(last, &out->count) != PLUMB_VALUE_OK)
            return false;
        f.count--;
    }
    if (f.count == 2 && f.items[1].len > 0) {
        out->type = intern(s, &f.items[1]);
        out->type_at = f.items[1].at;
    }
    return f.count == 1 || (f.count == 2 && out->type != NULL);
}

void plumb_type_gres(struct plumb_session *s, struct plumb_nodes *n)
{
    const struct plumb_setting *set = plumb_setting(&n->settings, PLUMB_P_NODE_GRES);
    size_t cap = n->gres_count;

    if (n->gres != NULL || set == NULL)
        return;
    n->gres_at = set->value.at;
    for (uint32_t pos = 0; pos < set->value.len;) {
        uint32_t end = item_end(&set->value, pos);
        struct plumb_slice item = plumb_slice_sub(&set->value, pos, end);
        struct plumb_gres_item got;

        pos = end + 1;
        if (item.len == 0)
            continue;
        if (!read_item(s, &item, &got)) {
            n->gres_bad = true;
            continue;
        }
        n->gres = plumb_arena_grow(s->arena, n->gres, n->gres_count, &cap, sizeof(got));
        n->gres[n->gres_count++] = got;
    }
}

/* A sub key in its present or its older spelling. */
static struct plumb_setting *find(struct plumb_settings *s, enum plumb_param_id id,
                                  enum plumb_param_id older)
{
    struct plumb_setting *old = NULL;

    for (size_t i = s->count; i > 0; i--) {
        struct plumb_setting *set = &s->items[i - 1];

        if (!plumb_usable(*set))
            continue;
        if (set->param->id == id)
            return set;
        if (set->param->id == older && old == NULL)
            old = set;
    }
    return old;
}

static struct plumb_hostlist *read_paths(struct plumb_session *s, struct plumb_setting *set,
                                         enum plumb_release r)
{
    struct plumb_hostlist *list = NULL;

    if (set == NULL || set->value.len == 0)
        return NULL;
    list = plumb_hostlist_read(s, &set->value, r);
    if (list == NULL)
        set->origin = PLUMB_BAD;
    return list;
}

/* "-1,4,4": as many numbers as devices (gres.conf(5), Links). */
static bool read_link(const struct plumb_slice *item, int32_t *out)
{
    bool negative = item->len > 0 && item->text[0] == '-';
    uint64_t v = 0;

    if (!plumb_read_u64(item->text + negative, item->len - negative, &v) || v > MAX_LINK)
        return false;
    *out = negative ? -(int32_t)v : (int32_t)v;
    return *out >= MIN_LINK;
}

static void read_links(struct plumb_session *s, struct plumb_gres_line *line)
{
    const struct plumb_setting *set = find(&line->settings, PLUMB_P_GRES_LINKS, PLUMB_P_GRES_LINK);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    size_t cap = 0;

    if (set == NULL || line->links != NULL)
        return;
    line->has_links = true;
    while (plumb_list_next(&set->value, ',', &c, &item)) {
        line->links =
            plumb_arena_grow(s->arena, line->links, line->link_count, &cap, sizeof(int32_t));
        if (!read_link(&item, &line->links[line->link_count++]))
            line->links_bad = true;
    }
}

static void read_cores(struct plumb_session *s, struct plumb_gres_line *line)
{
    const struct plumb_setting *set = find(&line->settings, PLUMB_P_GRES_CORES, PLUMB_P_GRES_CPUS);
    size_t fault = 0;

    if (set == NULL || line->has_cores)
        return;
    line->has_cores = true;
    line->cores_bad = !plumb_bits_read(s->arena, &set->value, &line->cores, &fault);
}

/* Count=, else the number of files, else 1; several files of one device count once. */
static void read_count(struct plumb_gres_line *line)
{
    const struct plumb_setting *set = plumb_setting(&line->settings, PLUMB_P_GRES_COUNT);

    if (set != NULL) {
        line->count.at = set->value.at;
        line->count.origin = plumb_value_count(&set->value, &line->count.v) == PLUMB_VALUE_OK
                                 ? set->origin
                                 : PLUMB_BAD;
        return;
    }
    if (line->files != NULL)
        line->count = (struct plumb_u64){line->files->count, line->files->at, PLUMB_DERIVED};
    else
        line->count = (struct plumb_u64){1, line->at, PLUMB_DEFAULTED};
}

/* True when a list was asked for and could not be read. */
static bool lost(const struct plumb_settings *s, enum plumb_param_id id)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].param->id == id && s->items[i].origin == PLUMB_BAD)
            return true;
    }
    return false;
}

void plumb_type_gres_line(struct plumb_session *s, struct plumb_gres_line *line,
                          enum plumb_release r)
{
    const struct plumb_setting *name =
        find(&line->settings, PLUMB_P_GRES_NAME, PLUMB_P_GRESGLOBAL_NAME);
    const struct plumb_setting *type = plumb_setting(&line->settings, PLUMB_P_GRES_TYPE);

    if (line->name == NULL && name != NULL)
        line->name = intern(s, &name->value);
    if (line->type == NULL && type != NULL && type->value.len > 0)
        line->type = intern(s, &type->value);
    if (line->files == NULL)
        line->files =
            read_paths(s, find(&line->settings, PLUMB_P_GRES_FILE, PLUMB_P_GRES_FILES), r);
    if (line->multiple_files == NULL)
        line->multiple_files = read_paths(
            s, find(&line->settings, PLUMB_P_GRES_MULTIPLEFILES, PLUMB_P_GRES_MULTIPLEFILES), r);
    read_links(s, line);
    read_cores(s, line);
    if (line->count.origin == PLUMB_ABSENT)
        read_count(line);
    if (lost(&line->settings, PLUMB_P_GRES_FILE) || lost(&line->settings, PLUMB_P_GRES_FILES) ||
        lost(&line->settings, PLUMB_P_GRES_MULTIPLEFILES) ||
        lost(&line->settings, PLUMB_P_GRESGLOBAL_NODENAME))
        line->count.origin = PLUMB_BAD;
}
