/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on one GRES of one node: the lines of gres.conf on their own, and captures. */
#include "rules/gres_judge.h"

#include <string.h>

#include "base/text.h"
#include "rules/device.h"

static bool lines_differ(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    size_t i = 0;
    const struct plumb_gres_line *first = plumb_gres_next_line(s, &i), *line;

    while (first != NULL && (line = plumb_gres_next_line(s, &i)) != NULL) {
        if (plumb_gres_has_file(line) != plumb_gres_has_file(first)) {
            f->verdict = PLUMB_V_MIXED_FILES;
            f->at = plumb_gres_name_at(line);
            f->second = plumb_gres_name_at(first);
            return true;
        }
        if ((line->type != NULL) != (first->type != NULL)) {
            f->verdict = PLUMB_V_MIXED_TYPES;
            f->at = line->type != NULL ? plumb_gres_line_place(line, PLUMB_P_GRES_TYPE)
                                       : plumb_gres_name_at(line);
            f->second = first->type != NULL ? plumb_gres_line_place(first, PLUMB_P_GRES_TYPE)
                                            : plumb_gres_name_at(first);
            return true;
        }
        if (!plumb_gres_has_file(line) && line->type == NULL) {
            f->verdict = PLUMB_V_DUPLICATE;
            f->at = plumb_gres_name_at(first);
            f->second = plumb_gres_name_at(line);
            return true;
        }
    }
    return false;
}

/* The plugin of the GRES looks at what slurmd has kept; without one, only newer releases look. */
static bool file_twice(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    struct plumb_gres_twice twice;

    if (!(s->gpu || plumb_same_nocase(s->gres, "nic") ||
          plumb_has_trait(s->ck, PLUMB_TRAIT_DEVICES_WITHOUT_PLUGIN)) ||
        !plumb_gres_file_twice(s->ck, s->merge, &twice))
        return false;
    *f = (struct plumb_gres_found){
        .verdict = PLUMB_V_FILE_TWICE, .at = twice.at, .second = twice.first, .type = twice.files};
    return true;
}

/* Slices of GPUs are no files of their own: nothing can be counted. */
static bool gives_slices(const struct plumb_gres_subject *s)
{
    const struct plumb_gres_line *line;

    for (size_t i = 0; (line = plumb_gres_next_line(s, &i)) != NULL;) {
        if (line->multiple_files != NULL || plumb_is_mig_type(line->type))
            return true;
    }
    return false;
}

/* More files than the machine has GPUs: slurmd waits for the rest. */
static bool beyond_capture(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    const struct plumb_hardware *hw = s->view->nodes->hardware;
    const struct plumb_gres_line *line;
    uint64_t files;

    if (hw == NULL || !plumb_usable(hw->gpu_count_value) || s->detects || gives_slices(s))
        return false;
    files = plumb_gres_given(s, NULL, false, &line);
    if (line == NULL || !plumb_gres_has_file(line) || files <= hw->gpu_count_value.v)
        return false;
    *f = (struct plumb_gres_found){.verdict = PLUMB_V_BEYOND,
                                   .at = plumb_gres_line_place(line, PLUMB_P_GRES_FILE),
                                   .second = hw->gpu_count_value.at,
                                   .a = files,
                                   .b = hw->gpu_count_value.v};
    return true;
}

/* Of the GPU, whole or in slices; NULL: no capture tells. */
static const char *product_of(const struct plumb_gres_subject *s, const struct plumb_detected *d)
{
    return plumb_detected_product(s->ck->scratch, &s->view->nodes->hardware->gpus[d->gpu.n],
                                  s->ck->table, s->ck->model->release);
}

static bool wrong_product(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    const struct plumb_hardware *hw = s->view->nodes->hardware;
    struct plumb_detections found = plumb_detections_of(s->ck, s->view);

    if (found.count == 0)
        return false;
    for (size_t g = 0; g < s->view->nodes->gres_count; g++) {
        const struct plumb_gres_item *item = &s->view->nodes->gres[g];
        const char *product = NULL;
        bool some = false;

        if (strcmp(item->name, "gpu") != 0 || item->type == NULL || plumb_is_mig_type(item->type))
            continue;
        for (size_t i = 0; i < found.count && !some; i++) {
            product = product_of(s, &found.items[i]);
            some = product == NULL || plumb_type_holds(product, item->type);
        }
        if (some)
            continue;
        *f = (struct plumb_gres_found){
            .verdict = PLUMB_V_PRODUCT,
            .at = plumb_gres_type_place(item),
            .second = hw->gpus[found.items[0].gpu.n].at,
            .type = plumb_arena_printf(s->ck->arena,
                                       "'%s' is no part of '%s', the product that "
                                       "AutoDetect finds",
                                       item->type, product_of(s, &found.items[0]))};
        return true;
    }
    return false;
}

bool plumb_autodetect_off(const struct plumb_gres_view *v)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_setting *local =
            plumb_setting(&v->lines[i]->settings, PLUMB_P_GRES_AUTODETECT);

        if (local != NULL && plumb_slice_is(&local->value, "off"))
            return true;
    }
    return false;
}

/* What the node reads for its GPUs when AutoDetect finds them. */
static bool detected(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    struct plumb_span at = {0, 0, 0};

    if (plumb_in_cloud(s->view->nodes)) {
        (void)plumb_autodetect(s->ck, s->view, &at);
        if (plumb_autodetect_off(s->view))
            return true;
        *f = (struct plumb_gres_found){
            .verdict = PLUMB_V_CLOUD, .at = at, .second = s->view->nodes->at};
        return true;
    }
    (void)wrong_product(s, f);
    return true;
}

/* GRES012 tells of it. */
static bool miscounted(const struct plumb_gres_line *line)
{
    return plumb_gres_has_file(line) && plumb_usable(line->count) &&
           line->count.v != plumb_gres_files(line) && !plumb_gres_is_shared(line->name);
}

/* Lines that nothing else was said of, and that give more than is declared. */
static void too_much(const struct plumb_gres_subject *s, struct plumb_gres_found *f)
{
    const struct plumb_gres_line *extra = s->merge->extra, *first;
    const struct plumb_gres_item *item;
    bool typed, untyped;

    if (f->verdict != PLUMB_V_FINE || extra == NULL || plumb_gres_uncounted(s) ||
        plumb_gres_ambiguous(s->ck, s->view) || miscounted(extra))
        return;
    *f = (struct plumb_gres_found){.verdict = PLUMB_V_MORE, .type = extra->type};
    f->at = plumb_gres_line_place(extra, plumb_gres_has_file(extra) ? PLUMB_P_GRES_FILE
                                                                    : PLUMB_P_GRES_COUNT);
    f->a = plumb_gres_declared(s, &typed, &untyped, &item);
    f->b = plumb_gres_given(s, extra->type, false, &first);
    f->second = item != NULL ? plumb_gres_count_place(item) : s->view->nodes->at;
}

static struct plumb_gres_found judge(const struct plumb_gres_subject *s)
{
    struct plumb_gres_found f = {.verdict = PLUMB_V_FINE};

    if (lines_differ(s, &f))
        return f;
    if (plumb_gres_is_shared(s->gres)) {
        plumb_gres_compare_shared(s, &f);
        return f;
    }
    if (file_twice(s, &f) || plumb_gres_uncounted(s))
        return f;
    if (s->gpu && beyond_capture(s, &f))
        return f;
    if (plumb_setting(&s->view->nodes->settings, PLUMB_P_NODE_GRESCONF) != NULL)
        return f;
    if (s->gpu && s->detects) {
        if (plumb_gres_total(s->view->nodes, "gpu") > 0 || plumb_in_cloud(s->view->nodes))
            (void)detected(s, &f);
        return f;
    }
    plumb_gres_compare(s, &f);
    return f;
}

/* gres.conf compares without case, Gres= exactly: one GRES all the same. */
static bool declares(const struct plumb_nodes *n, const char *name)
{
    for (size_t g = 0; g < n->gres_count; g++) {
        if (plumb_same_nocase(n->gres[g].name, name))
            return true;
    }
    return false;
}

/* A line of a name that GresTypes lacks is dropped (GRES002). */
static bool is_dropped(const struct plumb_check *ck, const char *name)
{
    return plumb_global(ck, PLUMB_P_SLURM_GRESTYPES) != NULL && !plumb_gres_in_types(ck, name);
}

/*
 * What is declared and has no file is put into the list of slurmd all the same, and taken out
 * with a warning: gres.c:_merge_gres2, _find_fileless_gres.
 */
static bool warns_of_fileless(const struct plumb_gres_subject *s)
{
    /* gres_c_s.c: the plugin of shares looks at every GPU */
    bool shared = plumb_gres_in_types(s->ck, "mps") || plumb_gres_in_types(s->ck, "shard");

    return s->gpu && !s->detects &&
           (shared || plumb_has_trait(s->ck, PLUMB_TRAIT_FILELESS_GRES_LOGGED));
}

static void judge_gres(const struct plumb_check *ck, const struct plumb_gres_view *v,
                       const char *gres, struct plumb_gres_verdicts *out)
{
    struct plumb_gres_subject s = {.ck = ck, .view = v, .gres = gres};
    struct plumb_gres_merge merge = plumb_gres_merged(ck, v, gres);
    struct plumb_gres_found f;

    s.gpu = strcmp(gres, "gpu") == 0;
    s.detects = plumb_autodetects(ck, v);
    s.merge = &merge;
    f = judge(&s);
    too_much(&s, &f);
    if (f.verdict == PLUMB_V_FINE)
        return;
    f.warned = merge.extra != NULL || (merge.fileless && warns_of_fileless(&s));
    f.type = f.type != NULL ? plumb_arena_strdup(ck->arena, f.type) : NULL;
    out->items =
        plumb_arena_grow(ck->shared->arena, out->items, out->count, &out->cap, sizeof(*out->items));
    out->items[out->count++] = (struct plumb_gres_faulty){
        .view = v, .gres = plumb_arena_strdup(ck->arena, gres), .found = f};
}

/* Judges each GRES that a view has to do with: declared, or given by a line. */
static void judge_view(const struct plumb_check *ck, const struct plumb_gres_view *v,
                       struct plumb_gres_verdicts *out)
{
    struct plumb_map names = plumb_map_in(ck->scratch);

    for (size_t g = 0; g < v->nodes->gres_count; g++)
        plumb_map_set(&names, v->nodes->gres[g].name, &names);
    for (size_t i = 0; i < v->count; i++) {
        if (v->lines[i]->name != NULL && !declares(v->nodes, v->lines[i]->name) &&
            !is_dropped(ck, v->lines[i]->name))
            plumb_map_set(&names, v->lines[i]->name, &names);
    }
    for (size_t n = 0; n < names.count; n++)
        judge_gres(ck, v, names.entries[n].key, out);
}

/* What is wrong at all, for every rule of this file. */
const struct plumb_gres_verdicts *plumb_gres_judged(const struct plumb_check *ck)
{
    struct plumb_gres_verdicts *all = NULL;
    struct plumb_gres_views views;

    if (ck->shared->gres != NULL)
        return ck->shared->gres;
    all = PLUMB_NEW(ck->shared->arena, struct plumb_gres_verdicts);
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++)
        judge_view(ck, &views.items[i], all);
    ck->shared->gres = all;
    return all;
}
