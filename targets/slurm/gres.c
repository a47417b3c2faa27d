/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gres.conf. The model has one line per device and node class; the file says the same in
 * fewer lines. Two foldings, each only where the daemon reads the same records either way
 * (gres.conf(5): File takes a host list expression, and so does NodeName):
 *   devices  lines in a row of one class that differ in File alone share one line; Links
 *            differ for each device, so lines that have them stay apart
 *   hosts    lines of several classes that agree in everything share one line
 */
#include <string.h>

#include "slurm/slurm.h"

/* A line to print, made of one or more lines of the model. */
struct entry {
    const struct plumb_gres_line *first;
    struct plumb_hostlist *hosts; /* NULL: every node */
    struct plumb_hostlist *files; /* NULL: File as the settings have it */
    struct plumb_span *causes;
    size_t cause_count, cause_cap;
    size_t joins; /* index of the entry whose line it shares; SIZE_MAX: a line of its own */
};

struct entries {
    struct plumb_arena *arena;
    struct entry *items;
    size_t count, cap;
};

static const enum plumb_param_id file_ids[] = {PLUMB_P_GRES_FILE, PLUMB_P_GRES_FILES};
static const enum plumb_param_id name_ids[] = {PLUMB_P_GRES_NAME, PLUMB_P_GRESGLOBAL_NAME,
                                               PLUMB_P_GRESGLOBAL_NODENAME};

/* Names are compared by the lines' own fields. */
static bool ignored(const struct plumb_setting *s, bool but_files)
{
    return plumb_slurm_among(name_ids, PLUMB_COUNT(name_ids), s->param->id) ||
           (but_files && plumb_slurm_among(file_ids, PLUMB_COUNT(file_ids), s->param->id));
}

static const struct plumb_setting *next_compared(const struct plumb_settings *s, size_t *i,
                                                 bool but_files)
{
    while (*i < s->count && ignored(&s->items[*i], but_files))
        (*i)++;
    return *i < s->count ? &s->items[(*i)++] : NULL;
}

/* Same parameters with the same text, in the same order. */
static bool same_settings(const struct plumb_gres_line *x, const struct plumb_gres_line *y,
                          bool but_files)
{
    size_t i = 0, j = 0;

    if (x->name != y->name)
        return false;
    for (;;) {
        const struct plumb_setting *a = next_compared(&x->settings, &i, but_files);
        const struct plumb_setting *b = next_compared(&y->settings, &j, but_files);

        if (a == NULL || b == NULL)
            return a == b;
        if (a->param != b->param || a->origin == PLUMB_BAD || b->origin == PLUMB_BAD ||
            a->value.len != b->value.len || memcmp(a->value.text, b->value.text, a->value.len) != 0)
            return false;
    }
}

static bool same_text(struct plumb_arena *a, const struct plumb_hostlist *x,
                      const struct plumb_hostlist *y)
{
    if (x == NULL || y == NULL)
        return x == y;
    return strcmp(plumb_hostlist_str(a, x), plumb_hostlist_str(a, y)) == 0;
}

static bool has(const struct plumb_gres_line *line, enum plumb_param_id id)
{
    return plumb_slurm_written(&line->settings, id);
}

/* May share File= with its neighbour: the device list is all that tells the two apart. */
static bool folds_devices(const struct plumb_gres_line *line)
{
    return line->files != NULL && has(line, PLUMB_P_GRES_FILE) && !has(line, PLUMB_P_GRES_COUNT) &&
           !has(line, PLUMB_P_GRES_LINKS) && !has(line, PLUMB_P_GRES_LINK) &&
           !has(line, PLUMB_P_GRES_MULTIPLEFILES);
}

static void add_cause(struct entries *e, struct entry *to, struct plumb_span at)
{
    to->causes = plumb_arena_grow(e->arena, to->causes, to->cause_count, &to->cause_cap,
                                  sizeof(*to->causes));
    to->causes[to->cause_count++] = at;
}

static void add_causes(struct entries *e, struct entry *to, const struct plumb_gres_line *line)
{
    add_cause(e, to, line->at);
    for (size_t i = 0; i < line->settings.count; i++)
        add_cause(e, to, line->settings.items[i].value.at);
}

static struct plumb_hostlist *copy_list(struct plumb_arena *a, const struct plumb_hostlist *from)
{
    struct plumb_hostlist *copy = PLUMB_NEW(a, struct plumb_hostlist);

    copy->at = from->at;
    plumb_hostlist_append(a, copy, from);
    return copy;
}

static bool join_device(struct entries *e, const struct plumb_gres_line *line)
{
    struct entry *last = e->count > 0 ? &e->items[e->count - 1] : NULL;

    if (last == NULL || !folds_devices(line) || !folds_devices(last->first) ||
        !same_settings(last->first, line, true) || !same_text(e->arena, last->hosts, line->hosts))
        return false;
    if (last->files == NULL)
        last->files = copy_list(e->arena, last->first->files);
    plumb_hostlist_append(e->arena, last->files, line->files);
    add_causes(e, last, line);
    return true;
}

static struct entries fold_devices(const struct plumb_emit *em)
{
    const struct plumb_model *m = em->model;
    struct entries e = {.arena = em->session->arena};

    for (size_t i = 0; i < m->gres_line_count; i++) {
        const struct plumb_gres_line *line = &m->gres_lines[i];

        if (join_device(&e, line))
            continue;
        e.items = plumb_arena_grow(e.arena, e.items, e.count, &e.cap, sizeof(*e.items));
        e.items[e.count] = (struct entry){.first = line, .hosts = line->hosts};
        add_causes(&e, &e.items[e.count], line);
        e.count++;
    }
    return e;
}

static bool same_files(struct plumb_arena *a, const struct entry *x, const struct entry *y)
{
    if (x->files == NULL && y->files == NULL)
        return same_settings(x->first, y->first, false);
    return same_settings(x->first, y->first, true) && same_text(a, x->files, y->files);
}

/* The first entry from floor on that line i can share; SIZE_MAX: none. */
static size_t partner(struct entries *e, size_t i, size_t floor)
{
    const struct entry *item = &e->items[i];

    for (size_t j = floor; j < i && item->hosts != NULL; j++) {
        const struct entry *other = &e->items[j];

        if (other->joins == SIZE_MAX && other->hosts != NULL && same_files(e->arena, other, item) &&
            !same_text(e->arena, other->hosts, item->hosts))
            return j;
    }
    return SIZE_MAX;
}

/*
 * Lines of one class keep their order, whatever they share: behind a line that stands alone,
 * or that shares an entry, only later entries are looked at.
 */
static void find_partners(struct entries *e)
{
    size_t floor = 0;

    for (size_t i = 0; i < e->count; i++) {
        if (i > 0 && !same_text(e->arena, e->items[i].hosts, e->items[i - 1].hosts))
            floor = 0;
        e->items[i].joins = partner(e, i, floor);
        floor = e->items[i].joins == SIZE_MAX ? i + 1 : e->items[i].joins + 1;
    }
}

/* Two lines of one host are two records, never one: then all stay apart. */
static void join_hosts(struct entries *e, size_t first)
{
    struct entry *to = &e->items[first];
    struct plumb_hostlist *all = copy_list(e->arena, to->hosts);
    size_t joined = 0;

    for (size_t i = first + 1; i < e->count; i++) {
        if (e->items[i].joins != first)
            continue;
        plumb_hostlist_append(e->arena, all, e->items[i].hosts);
        joined++;
    }
    if (joined == 0)
        return;
    bool apart = plumb_hostlist_repeated(e->arena, all)->count == 0;

    for (size_t i = first + 1; i < e->count; i++) {
        if (e->items[i].joins != first)
            continue;
        for (size_t c = 0; apart && c < e->items[i].cause_count; c++)
            add_cause(e, to, e->items[i].causes[c]);
        if (!apart)
            e->items[i].joins = SIZE_MAX;
    }
    if (apart)
        to->hosts = all;
}

static void fold_hosts(struct entries *e)
{
    size_t kept = 0;

    find_partners(e);
    for (size_t i = 0; i < e->count; i++) {
        if (e->items[i].joins == SIZE_MAX && e->items[i].hosts != NULL)
            join_hosts(e, i);
    }
    for (size_t i = 0; i < e->count; i++) {
        if (e->items[i].joins == SIZE_MAX)
            e->items[kept++] = e->items[i];
    }
    e->count = kept;
}

/* The record key, and the name where that is not the key. */
static void add_names(struct plumb_slurm_page *page, struct plumb_conf_line *line,
                      const struct entry *entry)
{
    struct plumb_arena *a = page->em->session->arena;
    const struct plumb_gres_line *first = entry->first;

    if (entry->hosts != NULL)
        plumb_conf_add(page->doc, line, PLUMB_P_GRESGLOBAL_NODENAME,
                       plumb_hostlist_str(a, entry->hosts), entry->hosts->at);
    if (first->name != NULL)
        plumb_conf_add(page->doc, line,
                       entry->hosts != NULL ? PLUMB_P_GRES_NAME : PLUMB_P_GRESGLOBAL_NAME,
                       first->name, first->at);
}

/* The settings of the first line, with the devices of all lines that were joined to it. */
static struct plumb_settings joined_settings(struct plumb_arena *a, const struct entry *entry)
{
    struct plumb_settings all = entry->first->settings;

    if (entry->files == NULL)
        return all;
    all.items = PLUMB_NEW_ARRAY(a, all.count, struct plumb_setting);
    for (size_t i = 0; i < all.count; i++) {
        struct plumb_setting *item = &all.items[i];

        *item = entry->first->settings.items[i];
        if (item->param->id != PLUMB_P_GRES_FILE)
            continue;
        item->value.text = plumb_hostlist_str(a, entry->files);
        item->value.len = (uint32_t)strlen(item->value.text);
        item->value.lead = PLUMB_SLICE_MADE;
        item->value.map = NULL;
    }
    return all;
}

static void add_entry(struct plumb_slurm_page *page, const struct entry *entry)
{
    struct plumb_settings settings = joined_settings(page->em->session->arena, entry);
    struct plumb_conf_line *line = plumb_conf_line(page->doc, PLUMB_SCOPE_GRES);

    for (size_t i = 0; i < entry->cause_count; i++)
        plumb_conf_cause(page->doc, line, entry->causes[i]);
    add_names(page, line, entry);
    plumb_slurm_pairs(page, line, &settings, &plumb_slurm_gres_order, name_ids,
                      PLUMB_COUNT(name_ids));
}

bool plumb_slurm_has_gres(const struct plumb_model *m)
{
    return m->gres_line_count > 0 || m->settings[PLUMB_GRES_CONF].count > 0;
}

void plumb_slurm_gres(struct plumb_slurm_page *page)
{
    struct entries e = fold_devices(page->em);

    plumb_slurm_globals(page, &page->em->model->settings[PLUMB_GRES_CONF], NULL, 0);
    fold_hosts(&e);
    if (e.count > 0)
        plumb_conf_heading(page->doc, "devices");
    for (size_t i = 0; i < e.count; i++)
        add_entry(page, &e.items[i]);
}

void plumb_slurm_gres_conf(const struct plumb_emit *em)
{
    struct plumb_slurm_page page = {.em = em};

    if (!plumb_slurm_has_gres(em->model))
        return;
    page.doc = plumb_emit_conf(em, PLUMB_GRES_CONF, 0644);
    plumb_slurm_gres(&page);
}
