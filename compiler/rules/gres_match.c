/* SPDX-License-Identifier: Apache-2.0 */
/* Gres= against gres.conf (src/interfaces/gres.c, gres_gpu.c: what slurmd makes of both). */
#include "rules/gres_match.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/ranges.h"

/* In this order: the first that holds is what a daemon meets first. */
enum verdict {
    V_FINE,
    V_MIXED_FILES,
    V_MIXED_TYPES,
    V_DUPLICATE,
    V_FILE_TWICE,
    V_BEYOND, /* more files than the captured machine has devices */
    V_CLOUD,
    V_PRODUCT,
    V_FILELESS,
    V_NONE,
    V_TYPE,
    V_FEWER,
    V_MORE,
    V_UNTYPED,
    V_NOT_WANTED,
    V_UNDECLARED,
    V_SHARED_FEWER,
};

struct found {
    enum verdict verdict;
    struct plumb_span at, second;
    const char *type; /* what the message names */
    uint64_t a, b;
};

struct plumb_gres_match {
    enum verdict verdict;
    const char *note; /* for the second place */
    const char *(*words)(const struct plumb_check *ck, const char *gres, const char *hosts,
                         const struct found *f);
    const struct plumb_eras *eras;
};

/* One GRES of one view. */
struct subject {
    const struct plumb_check *ck;
    const struct plumb_gres_view *view;
    const char *gres;
    bool gpu, detects;
};

static struct plumb_span line_place(const struct plumb_gres_line *line, enum plumb_param_id id)
{
    struct plumb_span at = plumb_setting_at(&line->settings, id);

    return plumb_span_known(at) ? at : line->at;
}

/* A File= that could not be read. */
static bool file_bad(const struct plumb_gres_line *line)
{
    return plumb_setting_bad(&line->settings, PLUMB_P_GRES_FILE) ||
           plumb_setting_bad(&line->settings, PLUMB_P_GRES_FILES) ||
           plumb_setting_bad(&line->settings, PLUMB_P_GRES_MULTIPLEFILES);
}

static bool has_file(const struct plumb_gres_line *line)
{
    return line->files != NULL || line->multiple_files != NULL || file_bad(line);
}

/* Nothing can be counted: the line's own files or count, or which lines are the node's. */
static bool uncounted(const struct subject *s)
{
    if (s->view->incomplete || plumb_gres_bad(s->view->nodes, s->gres))
        return true;
    for (size_t i = 0; i < s->view->count; i++) {
        const struct plumb_gres_line *line = s->view->lines[i];

        if (plumb_gres_is(line, s->gres) && (file_bad(line) || line->count.origin == PLUMB_BAD))
            return true;
    }
    return false;
}

static const struct plumb_gres_line *next_line(const struct subject *s, size_t *i)
{
    for (; *i < s->view->count; (*i)++) {
        if (plumb_gres_is(s->view->lines[*i], s->gres))
            return s->view->lines[(*i)++];
    }
    return NULL;
}

static bool lines_differ(const struct subject *s, struct found *f)
{
    size_t i = 0;
    const struct plumb_gres_line *first = next_line(s, &i), *line;

    while (first != NULL && (line = next_line(s, &i)) != NULL) {
        if (has_file(line) != has_file(first)) {
            f->verdict = V_MIXED_FILES;
            f->at = plumb_gres_name_at(line);
            f->second = plumb_gres_name_at(first);
            return true;
        }
        if ((line->type != NULL) != (first->type != NULL)) {
            f->verdict = V_MIXED_TYPES;
            f->at =
                line->type != NULL ? line_place(line, PLUMB_P_GRES_TYPE) : plumb_gres_name_at(line);
            f->second = first->type != NULL ? line_place(first, PLUMB_P_GRES_TYPE)
                                            : plumb_gres_name_at(first);
            return true;
        }
        if (!has_file(line) && line->type == NULL) {
            f->verdict = V_DUPLICATE;
            f->at = plumb_gres_name_at(first);
            f->second = plumb_gres_name_at(line);
            return true;
        }
    }
    return false;
}

static bool file_twice(const struct subject *s, struct found *f)
{
    struct plumb_range_index x = {.arena = s->ck->scratch};
    const struct plumb_gres_line *line;
    size_t i = 0, seq = 0;

    while ((line = next_line(s, &i)) != NULL)
        plumb_range_add(&x, line->files, i - 1);
    plumb_range_sort(&x);
    i = 0;
    while ((line = next_line(s, &i)) != NULL) {
        for (size_t r = 0; line->files != NULL && r < line->files->range_count; r++, seq++) {
            struct plumb_range_cursor c = plumb_range_from(&x, &line->files->ranges[r]);

            while (plumb_range_next(&c)) {
                struct plumb_host_range one = line->files->ranges[r];
                struct plumb_hostlist name = {.ranges = &one, .range_count = 1, .cap = 1};

                if (c.seq >= seq)
                    continue;
                one.lo = c.lo;
                one.hi = c.hi;
                name.count = c.hi - c.lo + 1;
                *f = (struct found){
                    .verdict = V_FILE_TWICE,
                    .at = plumb_span_known(one.at) ? one.at : line_place(line, PLUMB_P_GRES_FILE),
                    .second = plumb_span_known(c.found->at) ? c.found->at : line->at,
                    .type = plumb_hostlist_str(s->ck->arena, &name),
                };
                return true;
            }
        }
    }
    return false;
}

/* The declared items of this GRES: how many, and whether all are of one form. */
static uint64_t declared(const struct subject *s, bool *typed, bool *untyped,
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
static uint64_t given(const struct subject *s, const char *type, bool only_untyped,
                      const struct plumb_gres_line **first)
{
    const struct plumb_gres_line *line;
    uint64_t sum = 0;
    size_t i = 0;

    *first = NULL;
    while ((line = next_line(s, &i)) != NULL) {
        if ((only_untyped && line->type != NULL) ||
            (type != NULL && (line->type == NULL || !plumb_same_nocase(line->type, type))))
            continue;
        *first = *first == NULL ? line : *first;
        sum +=
            has_file(line) || !plumb_usable(line->count) ? plumb_gres_files(line) : line->count.v;
    }
    return sum;
}

static struct plumb_span count_place(const struct plumb_gres_item *item)
{
    return plumb_span_known(item->count_at) ? item->count_at : item->at;
}

/* More files than the machine has GPUs: slurmd waits for the rest. */
static bool beyond_capture(const struct subject *s, struct found *f)
{
    const struct plumb_hardware *hw = s->view->nodes->hardware;
    const struct plumb_gres_line *line;
    uint64_t files;

    if (hw == NULL || !plumb_usable(hw->gpu_count_value) || s->detects)
        return false;
    files = given(s, NULL, false, &line);
    if (line == NULL || !has_file(line) || line->multiple_files != NULL ||
        plumb_is_mig_type(line->type) || files <= hw->gpu_count_value.v)
        return false;
    *f = (struct found){.verdict = V_BEYOND,
                        .at = line_place(line, PLUMB_P_GRES_FILE),
                        .second = hw->gpu_count_value.at,
                        .a = files,
                        .b = hw->gpu_count_value.v};
    return true;
}

/* Product names as gpu_nvml.c turns them into types. */
static const char *detected_type(const struct plumb_check *ck, const char *model)
{
    char *type = plumb_arena_strdup(ck->arena, model);

    for (char *p = type; *p != '\0'; p++)
        *p = *p == ' ' ? '_' : plumb_lower(*p);
    return type;
}

static bool contains(const char *text, const char *part)
{
    size_t len = strlen(part);

    for (; *text != '\0'; text++) {
        if (plumb_equal_nocase(text, part, len))
            return true;
    }
    return false;
}

static bool wrong_product(const struct subject *s, struct found *f)
{
    const struct plumb_hardware *hw = s->view->nodes->hardware;

    if (hw == NULL || !s->detects || hw->gpu_count == 0)
        return false;
    for (size_t g = 0; g < s->view->nodes->gres_count; g++) {
        const struct plumb_gres_item *item = &s->view->nodes->gres[g];
        bool some = false;

        if (strcmp(item->name, "gpu") != 0 || item->type == NULL || plumb_is_mig_type(item->type))
            continue;
        for (size_t i = 0; i < hw->gpu_count && !some; i++)
            some = hw->gpus[i].model == NULL ||
                   contains(detected_type(s->ck, hw->gpus[i].model), item->type);
        if (some)
            continue;
        *f = (struct found){.verdict = V_PRODUCT,
                            .at = plumb_span_known(item->type_at) ? item->type_at : item->at,
                            .second = hw->gpus[0].at,
                            .type = plumb_arena_printf(s->ck->arena,
                                                       "'%s' is no part of '%s', the product that "
                                                       "AutoDetect finds",
                                                       item->type,
                                                       detected_type(s->ck, hw->gpus[0].model))};
        return true;
    }
    return false;
}

static bool is_cloud(const struct plumb_nodes *n)
{
    const struct plumb_setting *s =
        n->cloud ? plumb_setting(&n->settings, PLUMB_P_NODE_STATE) : NULL;

    return s != NULL && plumb_slice_holds(&s->value, "CLOUD");
}

/* What the node reads for its GPUs when AutoDetect finds them. */
static bool detected(const struct subject *s, struct found *f)
{
    struct plumb_span at = {0, 0, 0};
    const struct plumb_gres_line *line;

    if (is_cloud(s->view->nodes)) {
        (void)plumb_autodetect(s->ck, s->view, &at);
        (void)given(s, NULL, false, &line);
        if (line != NULL && has_file(line))
            return true;
        *f = (struct found){.verdict = V_CLOUD, .at = at, .second = s->view->nodes->at};
        return true;
    }
    (void)wrong_product(s, f);
    return true;
}

/* Counts of types, for GPUs: every declared type needs its devices. */
static void compare_types(const struct subject *s, struct found *f)
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
        have = given(s, item->type, false, &line);
        if (line == NULL) {
            (void)given(s, NULL, false, &line);
            *f = (struct found){.verdict = V_TYPE,
                                .at = plumb_span_known(item->type_at) ? item->type_at : item->at,
                                .second = line_place(line, PLUMB_P_GRES_TYPE),
                                .type = item->type};
            return;
        }
        if (have == want || (have < want && !s->gpu))
            continue;
        *f = (struct found){
            .verdict = have < want ? V_FEWER : V_MORE,
            .at = have < want ? count_place(item) : line_place(line, PLUMB_P_GRES_FILE),
            .second = have < want ? line_place(line, PLUMB_P_GRES_FILE) : count_place(item),
            .type = item->type,
            .a = want,
            .b = have};
        return;
    }
}

static void compare_counts(const struct subject *s, uint64_t want,
                           const struct plumb_gres_item *item, struct found *f)
{
    const struct plumb_gres_line *line, *untyped;
    uint64_t have = given(s, NULL, false, &line);

    (void)given(s, NULL, true, &untyped);
    if (s->gpu && have < want)
        *f = (struct found){.verdict = V_FEWER,
                            .at = count_place(item),
                            .second = line_place(line, PLUMB_P_GRES_FILE),
                            .a = want,
                            .b = have};
    else if (untyped == NULL)
        *f = (struct found){.verdict = V_UNTYPED,
                            .at = line_place(line, PLUMB_P_GRES_TYPE),
                            .second = item->at,
                            .type = line->type};
    else if (have > want)
        *f = (struct found){.verdict = V_MORE,
                            .at = line_place(line, PLUMB_P_GRES_FILE),
                            .second = count_place(item),
                            .a = want,
                            .b = have};
}

static bool fileless_gpu(const struct subject *s, struct found *f)
{
    const struct plumb_gres_line *line;
    size_t i = 0;

    while (s->gpu && (line = next_line(s, &i)) != NULL) {
        if (has_file(line))
            continue;
        *f = (struct found){.verdict = V_FILELESS, .at = plumb_gres_name_at(line)};
        return true;
    }
    return false;
}

/* Lines exist or not, against what is declared. */
static void compare(const struct subject *s, struct found *f)
{
    const struct plumb_hardware *hw = s->view->nodes->hardware;
    const struct plumb_gres_item *item;
    const struct plumb_gres_line *line;
    bool typed, untyped;
    uint64_t want = declared(s, &typed, &untyped, &item);

    (void)given(s, NULL, false, &line);
    if (typed && untyped)
        return; /* GRES008 */
    if (item == NULL || want == 0) {
        if (line != NULL && line->hosts == NULL && has_file(line))
            *f = (struct found){.verdict = V_NOT_WANTED,
                                .at = plumb_gres_name_at(line),
                                .second = s->view->nodes->at};
        return;
    }
    if (line == NULL) {
        if (s->gpu)
            *f = (struct found){.verdict = V_NONE, .at = item->at, .a = want};
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
static void compare_shared(const struct subject *s, struct found *f)
{
    const struct plumb_gres_item *item;
    const struct plumb_gres_line *line, *first = NULL;
    bool typed, untyped;
    uint64_t want = declared(s, &typed, &untyped, &item), have = 0;
    size_t i = 0;

    if (typed || item == NULL || uncounted(s) || s->detects ||
        plumb_setting(&s->view->nodes->settings, PLUMB_P_NODE_GRESCONF) != NULL)
        return;
    while ((line = next_line(s, &i)) != NULL) {
        if (line->type != NULL || !plumb_written(line->count) ||
            plumb_setting(&line->settings, PLUMB_P_GRES_COUNT) == NULL ||
            !plumb_add_u64(have, line->count.v, &have))
            return;
        first = first == NULL ? line : first;
    }
    if (first == NULL || have >= want)
        return;
    *f = (struct found){.verdict = V_SHARED_FEWER,
                        .at = count_place(item),
                        .second = line_place(first, PLUMB_P_GRES_COUNT),
                        .a = want,
                        .b = have};
}

static struct found judge(const struct subject *s)
{
    struct found f = {.verdict = V_FINE};
    bool shared = plumb_same_nocase(s->gres, "mps") || plumb_same_nocase(s->gres, "shard");

    if (lines_differ(s, &f))
        return f;
    if (shared) {
        compare_shared(s, &f);
        return f;
    }
    if (file_twice(s, &f) || uncounted(s))
        return f;
    if (s->gpu && beyond_capture(s, &f))
        return f;
    if (plumb_setting(&s->view->nodes->settings, PLUMB_P_NODE_GRESCONF) != NULL)
        return f;
    if (s->gpu && s->detects) {
        if (plumb_gres_total(s->view->nodes, "gpu") > 0)
            (void)detected(s, &f);
        return f;
    }
    compare(s, &f);
    return f;
}

static const char *fewer_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                               const struct found *f)
{
    return plumb_arena_printf(
        ck->arena, "'%s' declares %" PRIu64 " %s%s%s, gres.conf gives %" PRIu64 " device file%s",
        hosts, f->a, gres, f->type != NULL ? ":" : "", f->type != NULL ? f->type : "", f->b,
        f->b == 1 ? "" : "s");
}

static const char *more_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                              const struct found *f)
{
    return plumb_arena_printf(ck->arena,
                              "gres.conf gives '%s' %" PRIu64 " %s%s%s, slurm.conf declares "
                              "%" PRIu64 ", so the rest is dropped",
                              hosts, f->b, gres, f->type != NULL ? ":" : "",
                              f->type != NULL ? f->type : "", f->a);
}

static const char *type_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                              const struct found *f)
{
    return plumb_arena_printf(ck->arena,
                              "'%s' declares %s of type '%s', gres.conf gives none of that type",
                              hosts, gres, f->type);
}

static const char *untyped_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                                 const struct found *f)
{
    return plumb_arena_printf(ck->arena,
                              "gres.conf gives %s type '%s', but Gres of '%s' names none, so the "
                              "type is dropped, expected '%s:%s' there",
                              gres, f->type, hosts, gres, f->type);
}

static const char *mixed_files_words(const struct plumb_check *ck, const char *gres,
                                     const char *hosts, const struct found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "some lines of '%s' for '%s' have File, others have none, expected "
                              "one form",
                              gres, hosts);
}

static const char *mixed_types_words(const struct plumb_check *ck, const char *gres,
                                     const char *hosts, const struct found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "some lines of '%s' for '%s' have Type, others have none, expected "
                              "one form",
                              gres, hosts);
}

static const char *duplicate_words(const struct plumb_check *ck, const char *gres,
                                   const char *hosts, const struct found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "two lines of '%s' for '%s' have neither File nor Type, expected one "
                              "line",
                              gres, hosts);
}

static const char *twice_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                               const struct found *f)
{
    (void)gres;
    return plumb_arena_printf(ck->arena, "'%s' is given to '%s' twice, expected it once", f->type,
                              hosts);
}

static const char *beyond_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                                const struct found *f)
{
    (void)gres;
    return plumb_arena_printf(ck->arena,
                              "gres.conf gives '%s' %" PRIu64 " GPU device files, the capture has "
                              "%" PRIu64 " GPUs",
                              hosts, f->a, f->b);
}

static const char *cloud_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                               const struct found *f)
{
    (void)gres;
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "AutoDetect cannot describe cloud nodes '%s', expected lines with "
                              "NodeName and File for them, on the controller too",
                              hosts);
}

static const char *product_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                                 const struct found *f)
{
    (void)gres;
    return plumb_arena_printf(ck->arena, "type %s on '%s'", f->type, hosts);
}

static const char *fileless_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                                  const struct found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "the %s line for '%s' has no File, so its GPUs are dropped, expected "
                              "their device files",
                              gres, hosts);
}

static const char *none_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                              const struct found *f)
{
    return plumb_arena_printf(ck->arena,
                              "'%s' declares %" PRIu64 " %s, but no line of gres.conf gives it "
                              "any, expected File lines or AutoDetect",
                              hosts, f->a, gres);
}

static const char *not_wanted_words(const struct plumb_check *ck, const char *gres,
                                    const char *hosts, const struct found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "the line of '%s' is for every node, but '%s' declares none, so "
                              "slurmd there waits for the device and ends, expected NodeName",
                              gres, hosts);
}

static const char *shared_fewer_words(const struct plumb_check *ck, const char *gres,
                                      const char *hosts, const struct found *f)
{
    return plumb_arena_printf(ck->arena,
                              "'%s' declares %" PRIu64 " %s, Count in gres.conf gives %" PRIu64
                              ", expected at least as many",
                              hosts, f->a, gres, f->b);
}

static const struct plumb_era cloud_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_STOPS, PLUMB_SLURMCTLD, false},
    {PLUMB_23_11, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_eras cloud_eras = PLUMB_ERAS(cloud_rows);

#define DEFINE(name, ...) const struct plumb_gres_match plumb_match_##name = {__VA_ARGS__}
DEFINE(fewer, V_FEWER, "what gres.conf gives", fewer_words, NULL);
DEFINE(more, V_MORE, "what is declared", more_words, NULL);
DEFINE(type, V_TYPE, "what gres.conf gives", type_words, NULL);
DEFINE(untyped, V_UNTYPED, "declared without a type", untyped_words, NULL);
DEFINE(mixed_files, V_MIXED_FILES, "the other form", mixed_files_words, NULL);
DEFINE(mixed_types, V_MIXED_TYPES, "the other form", mixed_types_words, NULL);
DEFINE(duplicate, V_DUPLICATE, "the other line", duplicate_words, NULL);
DEFINE(file_twice, V_FILE_TWICE, "given here first", twice_words, NULL);
DEFINE(beyond, V_BEYOND, "the GPUs of the capture", beyond_words, NULL);
DEFINE(cloud, V_CLOUD, "the cloud nodes", cloud_words, &cloud_eras);
DEFINE(product, V_PRODUCT, "the capture", product_words, NULL);
DEFINE(fileless, V_FILELESS, NULL, fileless_words, NULL);
DEFINE(none, V_NONE, NULL, none_words, NULL);
DEFINE(not_wanted, V_NOT_WANTED, "nodes without it", not_wanted_words, NULL);
DEFINE(undeclared, V_UNDECLARED, NULL, NULL, NULL);
DEFINE(shared_fewer, V_SHARED_FEWER, "what gres.conf gives", shared_fewer_words, NULL);

/* GRES025 is about the whole cluster: nobody declares what AutoDetect will find. */
static void undeclared(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *types = plumb_global(ck, PLUMB_P_SLURM_GRESTYPES);
    const struct plumb_setting *detect =
        plumb_setting(&m->settings[PLUMB_GRES_CONF], PLUMB_P_GRESGLOBAL_AUTODETECT);
    struct plumb_slice item;

    if (types == NULL || detect == NULL || plumb_slice_is(&detect->value, "off") ||
        !plumb_list_find(&types->value, "gpu", &item) || m->node_count == 0)
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        if (plumb_gres_total(&m->nodes[i], "gpu") > 0)
            return;
    }

    struct plumb_diag *d = plumb_report(
        ck, item.at,
        "GresTypes and AutoDetect are about GPUs, but no node declares any, so detected GPUs are "
        "ignored, expected Gres=gpu on nodes");

    plumb_diag_note(d, detect->value.at, "AutoDetect");
    plumb_outcome(ck, d, NULL);
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
static bool in_types(const struct plumb_check *ck, const char *name)
{
    const struct plumb_setting *s = plumb_global(ck, PLUMB_P_SLURM_GRESTYPES);

    return s == NULL || plumb_list_find(&s->value, name, NULL);
}

/* Names of GRES that a view has to do with: declared, or given by a line. */
static void each_gres(const struct plumb_check *ck, const struct plumb_gres_view *v,
                      struct plumb_fold *faults, const struct plumb_gres_match *match)
{
    struct plumb_map names = plumb_map_in(ck->scratch);

    for (size_t g = 0; g < v->nodes->gres_count; g++)
        plumb_map_set(&names, v->nodes->gres[g].name, &names);
    for (size_t i = 0; i < v->count; i++) {
        if (v->lines[i]->name != NULL && !declares(v->nodes, v->lines[i]->name) &&
            in_types(ck, v->lines[i]->name))
            plumb_map_set(&names, v->lines[i]->name, &names);
    }
    for (size_t n = 0; n < names.count; n++) {
        struct subject s = {.ck = ck, .view = v, .gres = names.entries[n].key};
        struct found f;

        s.gpu = strcmp(s.gres, "gpu") == 0;
        s.detects = plumb_autodetects(ck, v);
        f = judge(&s);
        if (f.verdict != match->verdict)
            continue;

        /* The same fault at the same place on other nodes is one finding. */
        const char *key = plumb_arena_printf(
            ck->scratch, "%s %s %" PRIu64 " %" PRIu64 " %" PRIu32 ":%" PRIu32, s.gres,
            f.type != NULL ? f.type : "", f.a, f.b, f.second.file, f.second.begin);

        if (match->verdict == V_NOT_WANTED || match->verdict == V_CLOUD)
            key = plumb_arena_printf(ck->scratch, "%s %" PRIu32 ":%" PRIu32, s.gres, f.at.file,
                                     f.at.begin);

        struct plumb_fold_item *item = plumb_fold_add(faults, key, f.at, v->hosts);

        if (item->what == NULL) {
            struct found *keep = PLUMB_NEW(ck->scratch, struct found);

            *keep = f;
            item->what = keep;
            item->second = f.second;
            item->alike = plumb_arena_printf(ck->scratch, "%s %s %" PRIu64 " %" PRIu64, s.gres,
                                             f.type != NULL ? f.type : "", f.a, f.b);
            item->key = plumb_arena_strdup(ck->arena, s.gres);
        }
    }
}

/*
 * What is declared and has no file is put into the list of slurmd all the same, and taken out
 * with a warning: gres.c:_merge_gres2, _find_fileless_gres; before 23.02 for debugging only.
 */
static bool drops_fileless(const struct plumb_check *ck, const struct plumb_gres_match *match,
                           const char *gres)
{
    bool left_over = match->verdict == V_FEWER || match->verdict == V_TYPE ||
                     match->verdict == V_FILELESS || match->verdict == V_NONE;

    return left_over && ck->model->release >= PLUMB_23_02 && plumb_same_nocase(gres, "gpu");
}

void plumb_gres_match_run(const struct plumb_check *ck)
{
    const struct plumb_gres_match *match = ck->rule->data;
    struct plumb_fold faults = plumb_fold_in(ck);
    struct plumb_gres_views views;

    if (!plumb_gres_known(ck) || !ck->model->present[PLUMB_SLURM_CONF])
        return;
    if (match->verdict == V_UNDECLARED) {
        undeclared(ck);
        return;
    }
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++)
        each_gres(ck, &views.items[i], &faults, match);
    faults = plumb_fold_squeeze(ck, &faults);
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *item = faults.map.entries[i].value;
        const char *hosts = plumb_fold_hosts(ck, item->hosts);
        struct plumb_diag *d =
            plumb_report(ck, item->at, "%s", match->words(ck, item->key, hosts, item->what));

        if (match->note != NULL && plumb_span_known(item->second))
            plumb_diag_note(d, item->second, "%s", match->note);
        plumb_fold_object(ck, d, item->hosts);
        plumb_outcome(ck, d, match->eras);
        if (drops_fileless(ck, match, item->key))
            plumb_outcome_other(ck, d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
    }
}
