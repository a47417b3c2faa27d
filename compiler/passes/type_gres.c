/* SPDX-License-Identifier: Apache-2.0 */
/* Gres= of node lines, and the values of gres.conf lines. What is wrong with them is for rules. */
#include <string.h>

#include "base/limits.h"
#include "passes/type.h"
#include "schema/compound.h"

static const char *intern(struct plumb_session *s, const struct plumb_slice *text)
{
    return plumb_intern_text(s->intern, text->text, text->len);
}

static void add_item(struct plumb_session *s, struct plumb_nodes *n, size_t *cap,
                     struct plumb_gres_item item, const struct plumb_slice *type)
{
    if (type != NULL) {
        item.type = intern(s, type);
        item.type_at = type->at;
    }
    n->gres = plumb_arena_grow(s->arena, n->gres, n->gres_count, cap, sizeof(item));
    n->gres[n->gres_count++] = item;
}

/*
 * What the daemon makes of one item: each field between the name and the count is a type that is
 * there count times (gres.c:_get_gres_cnt). An item that it gives up is bad: what depends on its
 * count stays quiet.
 */
static void read_item(struct plumb_session *s, struct plumb_nodes *n, size_t *cap,
                      const struct plumb_slice *item)
{
    struct plumb_gres_text text;
    enum plumb_gres_fault fault = plumb_value_gres(item, &text);
    struct plumb_gres_item got;

    if (fault == PLUMB_GRES_NO_NAME)
        return;
    got = (struct plumb_gres_item){
        .name = intern(s, &text.name),
        .count = fault == PLUMB_GRES_COUNT ? 1 : text.number,
        .bad = fault == PLUMB_GRES_COUNT,
        .at = item->at,
        .type_at = item->at,
        .count_at = text.count.text != NULL ? text.count.at : item->at,
    };
    for (size_t i = 0; i < text.type_count; i++)
        add_item(s, n, cap, got, &text.types[i]);
    if (text.type_count == 0)
        add_item(s, n, cap, got, NULL);
}

void plumb_type_gres(struct plumb_session *s, struct plumb_nodes *n)
{
    const struct plumb_setting *set = plumb_setting(&n->settings, PLUMB_P_NODE_GRES);
    size_t cap = n->gres_count;
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (n->gres != NULL || set == NULL)
        return;
    n->gres_at = set->value.at;
    while (plumb_gres_next(&set->value, &c, &item))
        read_item(s, n, &cap, &item);
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
    list = plumb_read_hosts(s, &set->value, (enum plumb_param_id)set->param->id, r);
    if (list == NULL)
        set->origin = PLUMB_BAD;
    return list;
}

/* "-1,4,4": as many numbers as devices (gres.conf(5), Links); without one -1 it is dropped. */
static void read_links(struct plumb_session *s, struct plumb_gres_line *line)
{
    const struct plumb_setting *set = find(&line->settings, PLUMB_P_GRES_LINKS, PLUMB_P_GRES_LINK);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    size_t cap = 0, self = 0;

    if (set == NULL || line->links != NULL)
        return;
    line->has_links = true;
    while (plumb_list_next(&set->value, ',', &c, &item)) {
        line->links =
            plumb_arena_grow(s->arena, line->links, line->link_count, &cap, sizeof(int32_t));
        if (!plumb_value_link(&item, &line->links[line->link_count]))
            line->links_bad = true;
        self += line->links[line->link_count++] == -1;
    }
    line->links_bad = line->links_bad || self != 1;
}

/*
 * What the daemons make of a list with letters in it (bit_unfmt): reported, and yet these are the
 * cores that count. False when no core is left, or nobody knows.
 */
static bool read_cores_lax(struct plumb_session *s, const struct plumb_slice *list,
                           struct plumb_cores *out)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    *out = (struct plumb_cores){0};
    if (memchr(list->text, ':', list->len) != NULL)
        return false;
    while (plumb_list_next_any(list, ',', &c, &item)) {
        uint64_t lo = 0, hi = 0;

        plumb_value_core_lax(&item, &lo, &hi);
        if (hi > PLUMB_MAX_PUS || lo > hi)
            return false;
        plumb_cores_add_range(s->arena, out, (struct plumb_core){(uint32_t)lo},
                              (struct plumb_core){(uint32_t)hi});
    }
    return list->len > 0;
}

static void read_cores(struct plumb_session *s, struct plumb_gres_line *line)
{
    const struct plumb_setting *set = find(&line->settings, PLUMB_P_GRES_CORES, PLUMB_P_GRES_CPUS);
    size_t fault = 0;

    if (set == NULL || line->has_cores)
        return;
    line->has_cores = true;
    if (!plumb_cores_read(s->arena, &set->value, &line->cores, &fault)) {
        line->cores_bad = !read_cores_lax(s, &set->value, &line->cores);
        line->cores_misread = true;
    }
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
        find(&line->settings, PLUMB_P_GRESGLOBAL_NAME, PLUMB_P_GRES_NAME);
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
        lost(&line->settings, PLUMB_P_GRES_MULTIPLEFILES))
        line->count.origin = PLUMB_BAD;
}
