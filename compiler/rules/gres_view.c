/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting node lines where gres.conf splits them. */
#include "rules/gres_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "rules/ranges.h"

/* A line of gres.conf begins or ends to count at a number of a range. */
struct event {
    uint64_t at;
    size_t line;
    bool begins;
};

struct events {
    struct event *items;
    size_t count, cap;
};

/* The lines that count at the moment, as positions in the model, ascending. */
struct active {
    size_t *items;
    size_t count, cap;
};

struct splitter {
    const struct plumb_check *ck;
    struct plumb_range_index index;
    struct active everywhere;             /* lines without NodeName= */
    const struct plumb_gres_line **lines; /* the same lines themselves */
    const struct plumb_slice **unread;    /* NodeName= of lines that could not be read */
    size_t unread_count, unread_cap;
    struct plumb_gres_views views;
};

static int compare_events(const void *x, const void *y)
{
    const struct event *a = x, *b = y;

    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->begins != b->begins)
        return a->begins ? 1 : -1;
    return a->line < b->line ? -1 : a->line > b->line;
}

static void active_add(struct plumb_arena *arena, struct active *a, size_t line)
{
    size_t i = a->count;

    a->items = plumb_arena_grow(arena, a->items, a->count, &a->cap, sizeof(*a->items));
    for (; i > 0 && a->items[i - 1] > line; i--)
        a->items[i] = a->items[i - 1];
    a->items[i] = line;
    a->count++;
}

static void active_remove(struct active *a, size_t line)
{
    for (size_t i = 0; i < a->count; i++) {
        if (a->items[i] != line)
            continue;
        memmove(&a->items[i], &a->items[i + 1], (a->count - i - 1) * sizeof(*a->items));
        a->count--;
        return;
    }
}

static const char *active_key(struct plumb_arena *arena, const struct active *a)
{
    struct plumb_buf key = plumb_buf_in(arena);

    for (size_t i = 0; i < a->count; i++)
        plumb_buf_printf(&key, "%zu,", a->items[i]);
    return plumb_buf_text(&key);
}

/* A line whose NodeName= could not be read may be for these nodes. */
static bool is_incomplete(const struct splitter *s, const struct plumb_nodes *nodes)
{
    for (size_t i = 0; i < s->unread_count; i++) {
        if (plumb_may_name(s->unread[i], nodes->hosts))
            return true;
    }
    return false;
}

static void add_unread(struct splitter *s, const struct plumb_settings *line)
{
    for (size_t k = 0; k < line->count; k++) {
        if (line->items[k].param->id != PLUMB_P_GRESGLOBAL_NODENAME ||
            line->items[k].origin != PLUMB_BAD)
            continue;
        s->unread = plumb_arena_grow(s->ck->scratch, s->unread, s->unread_count, &s->unread_cap,
                                     sizeof(*s->unread));
        s->unread[s->unread_count++] = &line->items[k].value;
    }
}

static const struct plumb_gres_line **lines_of(const struct splitter *s, const struct active *a)
{
    const struct plumb_gres_line **lines =
        PLUMB_NEW_ARRAY(s->ck->scratch, a->count, const struct plumb_gres_line *);

    for (size_t i = 0; i < a->count; i++)
        lines[i] = &s->ck->model->gres_lines[a->items[i]];
    return lines;
}

static void add_view(struct splitter *s, const struct plumb_nodes *nodes,
                     const struct plumb_hostlist *hosts, const struct plumb_gres_line **lines,
                     size_t count)
{
    s->views.items = plumb_arena_grow(s->ck->scratch, s->views.items, s->views.count, &s->views.cap,
                                      sizeof(*s->views.items));
    s->views.items[s->views.count++] =
        (struct plumb_gres_view){.nodes = nodes,
                                 .hosts = hosts,
                                 .lines = lines,
                                 .count = count,
                                 .incomplete = is_incomplete(s, nodes)};
}

/* Adds part of a range to the view that its lines make; parts maps keys to views by position. */
static void add_part(struct splitter *s, struct plumb_map *parts, const struct plumb_nodes *nodes,
                     const struct plumb_host_range *range, const struct active *a)
{
    struct plumb_arena *arena = s->ck->scratch;
    struct plumb_map_entry *e;
    const char *key = active_key(arena, a);
    struct plumb_hostlist *hosts;
    struct plumb_host_range *one = PLUMB_NEW(arena, struct plumb_host_range);
    struct plumb_hostlist single = {.ranges = one,
                                    .range_count = 1,
                                    .cap = 1,
                                    .count = range->hi - range->lo + 1,
                                    .at = nodes->hosts->at};

    *one = *range;
    e = plumb_map_entry(parts, key, strlen(key));
    if (e->value != NULL) {
        plumb_hostlist_append(arena, e->value, &single);
        return;
    }
    hosts = PLUMB_NEW(arena, struct plumb_hostlist);
    plumb_hostlist_append(arena, hosts, &single);
    e->value = hosts;

    add_view(s, nodes, hosts, lines_of(s, a), a->count);
}

/* No line of gres.conf names some of these nodes. */
static bool is_whole(const struct splitter *s, const struct plumb_hostlist *hosts)
{
    for (size_t i = 0; i < hosts->range_count; i++) {
        struct plumb_range_cursor c = plumb_range_from(&s->index, &hosts->ranges[i]);

        if (plumb_range_next(&c))
            return false;
    }
    return true;
}

static struct events events_of(struct splitter *s, const struct plumb_host_range *range)
{
    struct events ev = {NULL, 0, 0};
    struct plumb_range_cursor c = plumb_range_from(&s->index, range);

    while (plumb_range_next(&c)) {
        for (int end = 0; end < 2; end++) {
            ev.items =
                plumb_arena_grow(s->ck->scratch, ev.items, ev.count, &ev.cap, sizeof(*ev.items));
            ev.items[ev.count++] =
                (struct event){.at = end ? c.hi + 1 : c.lo, .line = c.owner, .begins = end == 0};
        }
    }
    if (ev.count > 1)
        qsort(ev.items, ev.count, sizeof(*ev.items), compare_events);
    return ev;
}

static void split_range(struct splitter *s, struct plumb_map *parts,
                        const struct plumb_nodes *nodes, const struct plumb_host_range *range)
{
    struct events ev = events_of(s, range);
    struct active now = {NULL, 0, 0};
    struct plumb_host_range part = *range;

    for (size_t i = 0; i < s->everywhere.count; i++)
        active_add(s->ck->scratch, &now, s->everywhere.items[i]);
    for (size_t i = 0; i < ev.count; i++) {
        if (ev.items[i].at > part.lo) {
            part.hi = ev.items[i].at - 1;
            add_part(s, parts, nodes, &part, &now);
            part.lo = ev.items[i].at;
        }
        if (ev.items[i].begins)
            active_add(s->ck->scratch, &now, ev.items[i].line);
        else
            active_remove(&now, ev.items[i].line);
    }
    part.hi = range->hi;
    if (part.lo <= part.hi)
        add_part(s, parts, nodes, &part, &now);
}

static void split_nodes(struct splitter *s, const struct plumb_nodes *nodes)
{
    struct plumb_map parts = plumb_map_in(s->ck->scratch);

    for (size_t r = 0; r < nodes->hosts->range_count; r++)
        split_range(s, &parts, nodes, &nodes->hosts->ranges[r]);
}

struct plumb_gres_views plumb_gres_views(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct splitter s = {.ck = ck, .index = {.arena = ck->scratch}};

    for (size_t i = 0; i < m->gres_line_count; i++) {
        if (plumb_setting_bad(&m->gres_lines[i].settings, PLUMB_P_GRESGLOBAL_NODENAME)) {
            add_unread(&s, &m->gres_lines[i].settings);
            continue;
        }
        if (m->gres_lines[i].hosts == NULL)
            active_add(ck->scratch, &s.everywhere, i);
        else
            plumb_range_add(&s.index, m->gres_lines[i].hosts, i);
    }
    plumb_range_sort(&s.index);
    s.lines = lines_of(&s, &s.everywhere);
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *nodes = &m->nodes[i];

        if (nodes->hosts == NULL || (nodes->gres_count == 0 && m->gres_line_count == 0))
            continue;
        if (is_whole(&s, nodes->hosts))
            add_view(&s, nodes, nodes->hosts, s.lines, s.everywhere.count);
        else
            split_nodes(&s, nodes);
    }
    return s.views;
}

bool plumb_gres_known(const struct plumb_check *ck)
{
    return ck->model->present[PLUMB_GRES_CONF] || ck->model->from_spec;
}

const char *plumb_autodetect(const struct plumb_check *ck, const struct plumb_gres_view *v,
                             struct plumb_span *at)
{
    const struct plumb_setting *s =
        plumb_setting(&ck->model->settings[PLUMB_GRES_CONF], PLUMB_P_GRESGLOBAL_AUTODETECT);

    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_setting *local =
            plumb_setting(&v->lines[i]->settings, PLUMB_P_GRES_AUTODETECT);

        /* Beside Name= the key is ignored (_parse_gres_config). */
        if (local != NULL && v->lines[i]->name == NULL)
            s = local;
    }
    if (s == NULL)
        return NULL;
    *at = s->value.at;
    return s->value.text;
}

bool plumb_autodetects(const struct plumb_check *ck, const struct plumb_gres_view *v)
{
    struct plumb_span at = {0, 0, 0};
    const char *word = plumb_autodetect(ck, v, &at);

    return word != NULL && !plumb_same_nocase(word, "off");
}

bool plumb_gres_is(const struct plumb_gres_line *line, const char *name)
{
    return line->name != NULL && plumb_same_nocase(line->name, name);
}

struct plumb_span plumb_gres_name_at(const struct plumb_gres_line *line)
{
    struct plumb_span at = plumb_setting_at(&line->settings, PLUMB_P_GRES_NAME);

    if (!plumb_span_known(at))
        at = plumb_setting_at(&line->settings, PLUMB_P_GRESGLOBAL_NAME);
    return plumb_span_known(at) ? at : line->at;
}

uint64_t plumb_gres_files(const struct plumb_gres_line *line)
{
    if (line->multiple_files != NULL)
        return 1;
    return line->files != NULL ? line->files->count : 0;
}

bool plumb_is_mig_type(const char *type)
{
    for (; type != NULL && *type != '\0'; type++) {
        const char *p = type;

        while (plumb_is_digit(*p))
            p++;
        if (p == type || *p != 'g' || p[1] != '.')
            continue;
        for (p += 2; plumb_is_digit(*p);)
            p++;
        if (p[0] == 'g' && p[1] == 'b')
            return true;
    }
    return false;
}
