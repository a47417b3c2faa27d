/* SPDX-License-Identifier: Apache-2.0 */
/* What Gres= declares against what the lines of gres.conf give: types and counts. */
#include "rules/gres_judge.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"

struct plumb_span plumb_gres_line_place(const struct plumb_gres_line *line, enum plumb_param_id id)
{
    struct plumb_span at = plumb_setting_at(&line->settings, id);

    return plumb_span_known(at) ? at : line->at;
}

/* A File= that could not be read. */
bool plumb_gres_file_bad(const struct plumb_gres_line *line)
{
    return plumb_setting_bad(&line->settings, PLUMB_P_GRES_FILE) ||
           plumb_setting_bad(&line->settings, PLUMB_P_GRES_FILES) ||
           plumb_setting_bad(&line->settings, PLUMB_P_GRES_MULTIPLEFILES);
}

bool plumb_gres_has_file(const struct plumb_gres_line *line)
{
    return line->files != NULL || line->multiple_files != NULL || plumb_gres_file_bad(line);
}

/* Nothing can be counted: the line's own files or count, or which lines are the node's. */
bool plumb_gres_uncounted(const struct plumb_gres_subject *s)
{
    if (plumb_gres_bad(s->view->nodes, s->gres))
        return true;
    for (size_t i = 0; i < s->view->count; i++) {
        const struct plumb_gres_line *line = s->view->lines[i];

        if (plumb_gres_is(line, s->gres) &&
            (plumb_gres_file_bad(line) || line->count.origin == PLUMB_BAD))
            return true;
    }
    return false;
}

const struct plumb_gres_line *plumb_gres_next_line(const struct plumb_gres_subject *s, size_t *i)
{
    for (; *i < s->view->count; (*i)++) {
        if (plumb_gres_is(s->view->lines[*i], s->gres))
            return s->view->lines[(*i)++];
    }
    return NULL;
}

/* The declared items of this GRES: how many, and whether all are of one form. */
uint64_t plumb_gres_declared(const struct plumb_gres_subject *s, bool *typed, bool *untyped,
                             const struct plumb_gres_item **first)
{
    uint64_t sum = 0;

    *typed = *untyped = false;
    *first = NULL;
    for (size_t g = 0; g < s->view->nodes->gres_count; g++) {
        const struct plumb_gres_item *item = &s->view->nodes->gres[g];

        if (strcmp(item->name, s->gres) != 0)
            continue;
        *first = *first == NULL ? item : *first;
        *(item->type != NULL ? typed : untyped) = true;
        sum += item->count;
    }
    return sum;
}

/* Devices of a type (NULL: of any) that the lines of the view give; *line is the first of them. */
uint64_t plumb_gres_given(const struct plumb_gres_subject *s, const char *type, bool only_untyped,
                          const struct plumb_gres_line **first)
{
    const struct plumb_gres_line *line;
    uint64_t sum = 0;
    size_t i = 0;

    *first = NULL;
    while ((line = plumb_gres_next_line(s, &i)) != NULL) {
        if ((only_untyped && line->type != NULL) ||
            (type != NULL && (line->type == NULL || !plumb_same_nocase(line->type, type))))
            continue;
        *first = *first == NULL ? line : *first;
        sum += plumb_gres_has_file(line) || !plumb_usable(line->count) ? plumb_gres_files(line)
                                                                       : line->count.v;
    }
    return sum;
}

/* Counts of types, for GPUs: every declared type needs its devices. */
static void compare_types(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    const struct plumb_gres_line *line;

    for (size_t g = 0; g < s->view->nodes->gres_count; g++) {
        const struct plumb_gres_item *item = &s->view->nodes->gres[g];
        uint64_t have, want = 0;

        if (strcmp(item->name, s->gres) != 0 || item->type == NULL)
            continue;
        for (size_t h = 0; h < s->view->nodes->gres_count; h++) {
            const struct plumb_gres_item *other = &s->view->nodes->gres[h];

            if (other->type == item->type && other->name == item->name)
                want += other->count;
        }
        have = plumb_gres_given(s, item->type, false, &line);
        if (line == NULL) {
            (void)plumb_gres_given(s, NULL, false, &line);
            *f = (struct plumb_gres_found){.verdict = PLUMB_V_TYPE,
                                           .at = plumb_gres_type_place(item),
                                           .second = plumb_gres_line_place(line, PLUMB_P_GRES_TYPE),
                                           .type = item->type};
            return;
        }
        if (have == want || (have < want && !s->gpu))
            continue;
        *f = (struct plumb_gres_found){
            .verdict = have < want ? PLUMB_V_FEWER : PLUMB_V_MORE,
            .at = have < want ? plumb_gres_count_place(item)
                              : plumb_gres_line_place(line, PLUMB_P_GRES_FILE),
            .second = have < want ? plumb_gres_line_place(line, PLUMB_P_GRES_FILE)
                                  : plumb_gres_count_place(item),
            .type = item->type,
            .a = want,
            .b = have};
        return;
    }
}

static void compare_counts(const struct plumb_gres_subject *s, uint64_t want,
                           const struct plumb_gres_item *item, struct plumb_gres_found *f)
{
    const struct plumb_gres_line *line, *untyped;
    uint64_t have = plumb_gres_given(s, NULL, false, &line);

    (void)plumb_gres_given(s, NULL, true, &untyped);
    if (line == NULL) /* plumb_gres_compare has seen one */
        return;
    if (s->gpu && have < want)
        *f = (struct plumb_gres_found){.verdict = PLUMB_V_FEWER,
                                       .at = plumb_gres_count_place(item),
                                       .second = plumb_gres_line_place(line, PLUMB_P_GRES_FILE),
                                       .a = want,
                                       .b = have};
    else if (untyped == NULL)
        *f = (struct plumb_gres_found){.verdict = PLUMB_V_UNTYPED,
                                       .at = plumb_gres_line_place(line, PLUMB_P_GRES_TYPE),
                                       .second = item->at,
                                       .type = line->type};
    else if (have > want)
        *f = (struct plumb_gres_found){.verdict = PLUMB_V_MORE,
                                       .at = plumb_gres_line_place(line, PLUMB_P_GRES_FILE),
                                       .second = plumb_gres_count_place(item),
                                       .a = want,
                                       .b = have};
}

static bool fileless_gpu(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    const struct plumb_gres_line *line;
    size_t i = 0;

    while (s->gpu && (line = plumb_gres_next_line(s, &i)) != NULL) {
        if (plumb_gres_has_file(line))
            continue;
        *f = (struct plumb_gres_found){.verdict = PLUMB_V_FILELESS, .at = plumb_gres_name_at(line)};
        return true;
    }
    return false;
}

/* Lines exist or not, against what is declared. */
void plumb_gres_compare(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    const struct plumb_hardware *hw = s->view->nodes->hardware;
    const struct plumb_gres_item *item;
    const struct plumb_gres_line *line;
    bool typed, untyped;
    uint64_t want = plumb_gres_declared(s, &typed, &untyped, &item);

    (void)plumb_gres_given(s, NULL, false, &line);
    if (typed && untyped)
        return; /* GRES008 */
    if (item == NULL || want == 0) {
        if (line != NULL && line->hosts == NULL && plumb_gres_has_file(line))
            *f = (struct plumb_gres_found){.verdict = PLUMB_V_NOT_WANTED,
                                           .at = plumb_gres_name_at(line),
                                           .second = s->view->nodes->at};
        return;
    }
    if (line == NULL) {
        if (s->gpu)
            *f = (struct plumb_gres_found){.verdict = PLUMB_V_NONE, .at = item->at, .a = want};
        return;
    }
    if (fileless_gpu(s, f))
        return;
    if (s->gpu && hw != NULL && plumb_usable(hw->gpu_count_value) && want > hw->gpu_count_value.v &&
        !plumb_is_mig_type(item->type))
        return; /* GRES003 */
    if (typed)
        compare_types(s, f);
    else
        compare_counts(s, want, item, f);
}

/*
 * What is declared and not given is put into the list without File, and a second record without
 * File, or one beside those with it, ends slurmd: gres_c_s.c, _build_shared_list.
 */
void plumb_gres_compare_shared(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    const struct plumb_gres_item *item;
    const struct plumb_gres_line *line, *first = NULL;
    bool typed, untyped;
    uint64_t want = plumb_gres_declared(s, &typed, &untyped, &item), have = 0;
    size_t i = 0;

    if (typed || item == NULL || plumb_gres_uncounted(s) || s->detects ||
        plumb_setting(&s->view->nodes->settings, PLUMB_P_NODE_GRESCONF) != NULL)
        return;
    while ((line = plumb_gres_next_line(s, &i)) != NULL) {
        if (line->type != NULL || !plumb_written(line->count) ||
            plumb_setting(&line->settings, PLUMB_P_GRES_COUNT) == NULL ||
            !plumb_add_u64(have, line->count.v, &have))
            return;
        first = first == NULL ? line : first;
    }
    if (first == NULL || have >= want)
        return;
    *f = (struct plumb_gres_found){.verdict = PLUMB_V_SHARED_FEWER,
                                   .at = plumb_gres_count_place(item),
                                   .second = plumb_gres_line_place(first, PLUMB_P_GRES_COUNT),
                                   .a = want,
                                   .b = have};
}
