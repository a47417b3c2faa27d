/* SPDX-License-Identifier: Apache-2.0 */
/* Gres= against gres.conf: how the verdicts of gres_judge.c are told. */
#include "rules/gres_match.h"

#include <inttypes.h>

#include "rules/gres_judge.h"

struct plumb_gres_match {
    enum plumb_gres_verdict verdict;
    const char *note; /* for the second place */
    const char *(*words)(const struct plumb_check *ck, const char *gres, const char *hosts,
                         const struct plumb_gres_found *f);
    const struct plumb_eras *eras;
};

static const char *fewer_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                               const struct plumb_gres_found *f)
{
    return plumb_arena_printf(
        ck->arena, "'%s' declares %" PRIu64 " %s%s%s, gres.conf gives %" PRIu64 " device file%s",
        hosts, f->a, gres, f->type != NULL ? ":" : "", f->type != NULL ? f->type : "", f->b,
        f->b == 1 ? "" : "s");
}

static const char *more_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                              const struct plumb_gres_found *f)
{
    return plumb_arena_printf(ck->arena,
                              "gres.conf gives '%s' %" PRIu64 " %s%s%s, slurm.conf declares "
                              "%" PRIu64 ", so the rest is dropped",
                              hosts, f->b, gres, f->type != NULL ? ":" : "",
                              f->type != NULL ? f->type : "", f->a);
}

static const char *type_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                              const struct plumb_gres_found *f)
{
    return plumb_arena_printf(ck->arena,
                              "'%s' declares %s of type '%s', gres.conf gives none of that type",
                              hosts, gres, f->type);
}

static const char *untyped_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                                 const struct plumb_gres_found *f)
{
    return plumb_arena_printf(ck->arena,
                              "gres.conf gives %s type '%s', but Gres of '%s' names none, so the "
                              "type is dropped, expected '%s:%s' there",
                              gres, f->type, hosts, gres, f->type);
}

static const char *mixed_files_words(const struct plumb_check *ck, const char *gres,
                                     const char *hosts, const struct plumb_gres_found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "some lines of '%s' for '%s' have File, others have none, expected "
                              "one form",
                              gres, hosts);
}

static const char *mixed_types_words(const struct plumb_check *ck, const char *gres,
                                     const char *hosts, const struct plumb_gres_found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "some lines of '%s' for '%s' have Type, others have none, expected "
                              "one form",
                              gres, hosts);
}

static const char *duplicate_words(const struct plumb_check *ck, const char *gres,
                                   const char *hosts, const struct plumb_gres_found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "two lines of '%s' for '%s' have neither File nor Type, expected one "
                              "line",
                              gres, hosts);
}

static const char *twice_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                               const struct plumb_gres_found *f)
{
    (void)gres;
    return plumb_arena_printf(ck->arena, "'%s' is given to '%s' twice, expected it once", f->type,
                              hosts);
}

static const char *beyond_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                                const struct plumb_gres_found *f)
{
    (void)gres;
    return plumb_arena_printf(ck->arena,
                              "gres.conf gives '%s' %" PRIu64 " GPU device files, the capture has "
                              "%" PRIu64 " GPUs",
                              hosts, f->a, f->b);
}

static const char *cloud_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                               const struct plumb_gres_found *f)
{
    (void)gres;
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "AutoDetect cannot describe cloud nodes '%s', expected 'off' for "
                              "them, on lines with NodeName and File, on the controller too",
                              hosts);
}

static const char *product_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                                 const struct plumb_gres_found *f)
{
    (void)gres;
    return plumb_arena_printf(ck->arena, "type %s on '%s'", f->type, hosts);
}

static const char *fileless_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                                  const struct plumb_gres_found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "the %s line for '%s' has no File, so its GPUs are dropped, expected "
                              "their device files",
                              gres, hosts);
}

static const char *none_words(const struct plumb_check *ck, const char *gres, const char *hosts,
                              const struct plumb_gres_found *f)
{
    return plumb_arena_printf(ck->arena,
                              "'%s' declares %" PRIu64 " %s, but no line of gres.conf gives it "
                              "any, expected File lines or AutoDetect",
                              hosts, f->a, gres);
}

static const char *not_wanted_words(const struct plumb_check *ck, const char *gres,
                                    const char *hosts, const struct plumb_gres_found *f)
{
    (void)f;
    return plumb_arena_printf(ck->arena,
                              "the line of '%s' is for every node, but '%s' declares none, so "
                              "slurmd there waits for the device and ends, expected NodeName",
                              gres, hosts);
}

static const char *shared_fewer_words(const struct plumb_check *ck, const char *gres,
                                      const char *hosts, const struct plumb_gres_found *f)
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
const struct plumb_eras plumb_gres_cloud_eras = PLUMB_ERAS(cloud_rows);

#define DEFINE(name, ...) const struct plumb_gres_match plumb_match_##name = {__VA_ARGS__}
DEFINE(fewer, PLUMB_V_FEWER, "what gres.conf gives", fewer_words, NULL);
DEFINE(more, PLUMB_V_MORE, "what is declared", more_words, NULL);
DEFINE(type, PLUMB_V_TYPE, "what gres.conf gives", type_words, NULL);
DEFINE(untyped, PLUMB_V_UNTYPED, "declared without a type", untyped_words, NULL);
DEFINE(mixed_files, PLUMB_V_MIXED_FILES, "the other form", mixed_files_words, NULL);
DEFINE(mixed_types, PLUMB_V_MIXED_TYPES, "the other form", mixed_types_words, NULL);
DEFINE(duplicate, PLUMB_V_DUPLICATE, "the other line", duplicate_words, NULL);
DEFINE(file_twice, PLUMB_V_FILE_TWICE, "given here first", twice_words, NULL);
DEFINE(beyond, PLUMB_V_BEYOND, "the GPUs of the capture", beyond_words, NULL);
DEFINE(cloud, PLUMB_V_CLOUD, "the cloud nodes", cloud_words, &plumb_gres_cloud_eras);
DEFINE(product, PLUMB_V_PRODUCT, "the capture", product_words, NULL);
DEFINE(fileless, PLUMB_V_FILELESS, NULL, fileless_words, NULL);
DEFINE(none, PLUMB_V_NONE, NULL, none_words, NULL);
DEFINE(not_wanted, PLUMB_V_NOT_WANTED, "nodes without it", not_wanted_words, NULL);
DEFINE(shared_fewer, PLUMB_V_SHARED_FEWER, "what gres.conf gives", shared_fewer_words, NULL);

static void add_fault(const struct plumb_check *ck, struct plumb_fold *faults,
                      const struct plumb_gres_faulty *it)
{
    const struct plumb_gres_found *f = &it->found;
    const char *type = f->type != NULL ? f->type : "";
    /* The same fault at the same place on other nodes is one finding. */
    const char *key =
        plumb_arena_printf(ck->scratch, "%s %s %" PRIu64 " %" PRIu64 " %" PRIu32 ":%" PRIu32,
                           it->gres, type, f->a, f->b, f->second.file, f->second.begin);

    if (f->verdict == PLUMB_V_NOT_WANTED || f->verdict == PLUMB_V_CLOUD)
        key = plumb_arena_printf(ck->scratch, "%s %" PRIu32 ":%" PRIu32, it->gres, f->at.file,
                                 f->at.begin);

    struct plumb_fold_item *item = plumb_fold_add(faults, key, f->at, it->view->hosts);

    if (item->what != NULL)
        return;
    item->what = f;
    item->second = f->second;
    item->alike =
        plumb_arena_printf(ck->scratch, "%s %s %" PRIu64 " %" PRIu64, it->gres, type, f->a, f->b);
    item->key = it->gres;
}

/* The finding says something else of slurmd, or nothing: its warning is added. */
static bool told_elsewhere(const struct plumb_gres_match *match)
{
    return match->verdict == PLUMB_V_FEWER || match->verdict == PLUMB_V_TYPE ||
           match->verdict == PLUMB_V_FILELESS || match->verdict == PLUMB_V_NONE;
}

void plumb_gres_match_run(const struct plumb_check *ck)
{
    const struct plumb_gres_match *match = ck->rule->data;
    struct plumb_fold faults = plumb_fold_in(ck);
    const struct plumb_gres_verdicts *all = NULL;

    if (!plumb_gres_known(ck) || !ck->model->present[PLUMB_SLURM_CONF])
        return;
    all = plumb_gres_judged(ck);
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].found.verdict == match->verdict)
            add_fault(ck, &faults, &all->items[i]);
    }
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
        if (((const struct plumb_gres_found *)item->what)->warned && told_elsewhere(match))
            plumb_outcome_other(ck, d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
    }
}
