/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting node lines where gres.conf splits them. */
#include "rules/gres_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/mig.h"
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

/* A node that NodeName= names twice reads the line once. */
static const struct plumb_gres_line **lines_of(const struct splitter *s, const struct active *a,
                                               size_t *count)
{
    const struct plumb_gres_line **lines =
        PLUMB_NEW_ARRAY(s->ck->scratch, a->count, const struct plumb_gres_line *);

    *count = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (i == 0 || a->items[i] != a->items[i - 1])
            lines[(*count)++] = &s->ck->model->gres_lines[a->items[i]];
    }
    return lines;
}

static void add_view(struct splitter *s, const struct plumb_nodes *nodes,
                     const struct plumb_hostlist *hosts, const struct plumb_gres_line **lines,
                     size_t count)
{
    s->views.items = plumb_arena_grow(s->ck->scratch, s->views.items, s->views.count, &s->views.cap,
                                      sizeof(*s->views.items));
    s->views.items[s->views.count++] =
        (struct plumb_gres_view){.nodes = nodes, .hosts = hosts, .lines = lines, .count = count};
}

/* Adds part of a range to the view that its lines make; parts maps keys to views by position. */
static void add_part(struct splitter *s, struct plumb_map *parts, const struct plumb_nodes *nodes,
                     const struct plumb_host_range *range, const struct active *a)
{
    struct plumb_arena *arena = s->ck->scratch;
    struct plumb_map_entry *e;
    const char *key = active_key(arena, a);
    const struct plumb_gres_line **lines;
    size_t count = 0;
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

    lines = lines_of(s, a, &count);
    add_view(s, nodes, hosts, lines, count);
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

static struct plumb_gres_views split_all(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    struct splitter s = {.ck = ck, .index = {.arena = ck->scratch}};
    size_t everywhere = 0;

    for (size_t i = 0; i < m->gres_line_count; i++) {
        if (m->gres_lines[i].hosts == NULL)
            active_add(ck->scratch, &s.everywhere, i);
        else
            plumb_range_add(&s.index, m->gres_lines[i].hosts, i);
    }
    plumb_range_sort(&s.index);
    s.lines = lines_of(&s, &s.everywhere, &everywhere);
    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *nodes = &m->nodes[i];

        if (nodes->hosts == NULL || (nodes->gres_count == 0 && m->gres_line_count == 0))
            continue;
        if (is_whole(&s, nodes->hosts))
            add_view(&s, nodes, nodes->hosts, s.lines, everywhere);
        else
            split_nodes(&s, nodes);
    }
    return s.views;
}

struct plumb_gres_views plumb_gres_views(const struct plumb_check *ck)
{
    struct plumb_check own = *ck;
    struct plumb_gres_views *views = NULL;

    if (ck->shared->views != NULL)
        return *ck->shared->views;
    own.scratch = ck->shared->arena;
    views = PLUMB_NEW(ck->shared->arena, struct plumb_gres_views);
    *views = split_all(&own);
    ck->shared->views = views;
    return *views;
}

bool plumb_gres_read(const struct plumb_check *ck)
{
    const struct plumb_setting *types = plumb_global(ck, PLUMB_P_SLURM_GRESTYPES);

    return !ck->model->present[PLUMB_SLURM_CONF] || ck->model->from_spec ||
           (types != NULL && types->value.len > 0);
}

bool plumb_gres_known(const struct plumb_check *ck)
{
    return (ck->model->present[PLUMB_GRES_CONF] && plumb_gres_read(ck)) || ck->model->from_spec;
}

const char *plumb_autodetect(const struct plumb_check *ck, const struct plumb_gres_view *v,
                             struct plumb_span *at)
{
    const struct plumb_setting *s =
        plumb_setting(&ck->model->settings[PLUMB_GRES_CONF], PLUMB_P_GRESGLOBAL_AUTODETECT);

    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_setting *local =
            plumb_setting(&v->lines[i]->settings, PLUMB_P_GRES_AUTODETECT);

        /* Beside Name= slurmd ignores the key (_parse_gres_config); slurmctld, which reads the
         * lines of nodes in the cloud, minds it there too. */
        if (local != NULL && (v->lines[i]->name == NULL || plumb_in_cloud(v->nodes)))
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

bool plumb_gres_is_shared(const char *name)
{
    return plumb_same_nocase(name, "mps") || plumb_same_nocase(name, "shard");
}

bool plumb_gres_in_types(const struct plumb_check *ck, const char *name)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_GRESTYPES);

    return s != NULL && plumb_list_find(&s->value, name, NULL);
}

struct plumb_span plumb_gres_name_at(const struct plumb_gres_line *line)
{
    struct plumb_span at = plumb_setting_at(&line->settings, PLUMB_P_GRES_NAME);

    if (!plumb_span_known(at))
        at = plumb_setting_at(&line->settings, PLUMB_P_GRESGLOBAL_NAME);
    return plumb_span_known(at) ? at : line->at;
}

struct plumb_span plumb_gres_count_place(const struct plumb_gres_item *item)
{
    return plumb_span_known(item->count_at) ? item->count_at : item->at;
}

struct plumb_span plumb_gres_type_place(const struct plumb_gres_item *item)
{
    return plumb_span_known(item->type_at) ? item->type_at : item->at;
}

uint64_t plumb_gres_files(const struct plumb_gres_line *line)
{
    if (line->multiple_files != NULL)
        return 1;
    return line->files != NULL ? line->files->count : 0;
}

/* The first file of a line that the machine lacks, and its place; NULL: none. */
static const char *lacking_file(const struct plumb_check *ck, const struct plumb_hardware *hw,
                                const struct plumb_hostlist *files,
                                const struct plumb_gres_devices *kind, struct plumb_span *at)
{
    enum { LIMIT = 1024 }; /* files of a line: no machine has as many devices */
    uint64_t seen = 0;

    for (size_t r = 0; r < files->range_count; r++) {
        const struct plumb_host_range *range = &files->ranges[r];

        for (uint64_t n = range->lo; n <= range->hi && seen < LIMIT; n++, seen++) {
            const char *file = plumb_hostlist_name(ck->arena, files, seen);

            if (file == NULL || !kind->lacks(hw, file))
                continue;
            *at = plumb_host_range_at(range, n);
            if (!plumb_span_known(*at))
                *at = files->at;
            return file;
        }
    }
    return NULL;
}

static void add_lacking(const struct plumb_check *ck, const struct plumb_gres_view *view,
                        const struct plumb_gres_line *line, const struct plumb_gres_devices *kind,
                        struct plumb_fold *faults)
{
    const struct plumb_hardware *hw = view->nodes->hardware;
    struct plumb_span told = hw == NULL ? (struct plumb_span){0} : kind->told(hw), at = line->at;
    struct plumb_fold_item *f = NULL;
    const char *file = NULL;

    if (plumb_span_known(told) && line->files != NULL)
        file = lacking_file(ck, hw, line->files, kind, &at);
    if (file == NULL)
        return;
    f = plumb_fold_add(faults, plumb_arena_printf(ck->arena, "%s %s", file, hw->name), at,
                       view->hosts);
    f->what = hw;
    f->alike = file;
    f->second = told;
}

struct plumb_fold plumb_gres_lacking(const struct plumb_check *ck,
                                     const struct plumb_gres_devices *kind)
{
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_fold faults = plumb_fold_in(ck);

    for (size_t v = 0; v < views.count; v++) {
        for (size_t i = 0; i < views.items[v].count; i++)
            add_lacking(ck, &views.items[v], views.items[v].lines[i], kind, &faults);
    }
    return faults;
}

bool plumb_is_mig_type(const char *type)
{
    return plumb_mig_of_type(type) != NULL;
}
