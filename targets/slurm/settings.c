/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the model as lines, and as pairs of a line, in a total order. */
#include <stdlib.h>
#include <string.h>

#include "slurm/slurm.h"

/*
 * Of a parameter that is written once, the last setting counts (grammar of all Slurm files);
 * when that one is bad, nothing is written. Of one that accumulates, each counts.
 */
static bool counts(const struct plumb_slurm_page *page, const struct plumb_settings *s, size_t i)
{
    const struct plumb_setting *item = &s->items[i];

    if (!plumb_origin_usable(item->origin))
        return false;
    if (plumb_param_at(item->param, page->em->model->release)->repeats)
        return true;
    for (size_t j = i + 1; j < s->count; j++) {
        if (s->items[j].param == item->param)
            return false;
    }
    return true;
}

bool plumb_slurm_among(const enum plumb_param_id *ids, size_t count, unsigned id)
{
    for (size_t i = 0; i < count; i++) {
        if ((unsigned)ids[i] == id)
            return true;
    }
    return false;
}

bool plumb_slurm_written(const struct plumb_settings *s, enum plumb_param_id id)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].param->id == (unsigned)id)
            return true;
    }
    return false;
}

static bool in_groups(const struct plumb_slurm_group *groups, size_t count, unsigned id)
{
    for (size_t i = 0; i < count; i++) {
        if (plumb_slurm_among(groups[i].ids, groups[i].count, id))
            return true;
    }
    return false;
}

static int by_name(const void *x, const void *y)
{
    const struct plumb_setting *a = *(const struct plumb_setting *const *)x;
    const struct plumb_setting *b = *(const struct plumb_setting *const *)y;
    int order = strcmp(a->param->name, b->param->name);

    if (order != 0)
        return order;
    return a < b ? -1 : a > b; /* both in one list: the order of the input */
}

static bool is_record_key(const struct plumb_slurm_page *page, const struct plumb_param *p)
{
    return plumb_param_at(p, page->em->model->release)->type == PLUMB_T_RECORD;
}

/*
 * The settings that stand in no group, sorted; *count tells how many. On the line of a record
 * (pairs) its key is left out: the caller has written it.
 */
static const struct plumb_setting **rest(struct plumb_slurm_page *page,
                                         const struct plumb_settings *s,
                                         const struct plumb_slurm_group *groups, size_t group_count,
                                         bool pairs, size_t *count)
{
    const struct plumb_setting **list =
        PLUMB_NEW_ARRAY(page->em->session->arena, s->count, const struct plumb_setting *);

    *count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (counts(page, s, i) && !(pairs && is_record_key(page, s->items[i].param)) &&
            !in_groups(groups, group_count, s->items[i].param->id))
            list[(*count)++] = &s->items[i];
    }
    if (*count > 1)
        qsort(list, *count, sizeof(*list), by_name);
    return list;
}

static void add_pair(struct plumb_slurm_page *page, struct plumb_conf_line *line,
                     const struct plumb_setting *s)
{
    plumb_conf_add(page->doc, line, (enum plumb_param_id)s->param->id, s->value.text, s->value.at);
    /* The very slice: a finding points into the user's text, and a NUL inside is not lost. */
    line->pairs[line->count - 1].value = s->value;
}

static void add_line(struct plumb_slurm_page *page, const struct plumb_setting *s)
{
    add_pair(page, plumb_conf_line(page->doc, PLUMB_SCOPE_GLOBAL), s);
}

static void add_group(struct plumb_slurm_page *page, const struct plumb_settings *s,
                      const struct plumb_slurm_group *group)
{
    bool headed = false;

    for (size_t g = 0; g < group->count; g++) {
        for (size_t i = 0; i < s->count; i++) {
            if (s->items[i].param->id != group->ids[g] || !counts(page, s, i))
                continue;
            if (!headed)
                plumb_conf_heading(page->doc, group->heading);
            headed = true;
            add_line(page, &s->items[i]);
        }
    }
}

void plumb_slurm_globals(struct plumb_slurm_page *page, const struct plumb_settings *settings,
                         const struct plumb_slurm_group *groups, size_t group_count)
{
    size_t count = 0;
    const struct plumb_setting **others = rest(page, settings, groups, group_count, false, &count);

    for (size_t i = 0; i < group_count; i++)
        add_group(page, settings, &groups[i]);
    if (count > 0 && group_count > 0)
        plumb_conf_heading(page->doc, "other settings");
    for (size_t i = 0; i < count; i++)
        add_line(page, others[i]);
}

void plumb_slurm_pairs(struct plumb_slurm_page *page, struct plumb_conf_line *line,
                       const struct plumb_settings *settings, const struct plumb_slurm_group *order,
                       const enum plumb_param_id *skip, size_t skip_count)
{
    size_t count = 0;
    const struct plumb_setting **others = rest(page, settings, order, order != NULL, true, &count);

    for (size_t g = 0; order != NULL && g < order->count; g++) {
        for (size_t i = 0; i < settings->count; i++) {
            if (settings->items[i].param->id == order->ids[g] && counts(page, settings, i) &&
                !plumb_slurm_among(skip, skip_count, settings->items[i].param->id))
                add_pair(page, line, &settings->items[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!plumb_slurm_among(skip, skip_count, others[i]->param->id))
            add_pair(page, line, others[i]);
    }
}
