/* SPDX-License-Identifier: Apache-2.0 */
/* MIG devices that nodes declare, against what their captured GPUs can be cut into. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "model/detect.h"
#include "model/mig.h"
#include "rules/mig.h"

/* The MIG devices that one node line declares, summed up by profile. */
struct geometry {
    const struct plumb_check *ck;
    const struct plumb_nodes *nodes;
    const struct plumb_mig_card *card;
    const struct plumb_hw_gpu *gpu; /* the first of them */
    uint64_t gpus;                  /* that can be cut, without those that are declared whole */
    struct plumb_mig_want wants[PLUMB_MIG_PROFILES];
    uint64_t parts[PLUMB_MIG_PROFILES]; /* compute slices of compute instances */
    size_t count;
};

const char *plumb_mig_item(const struct plumb_gres_item *item)
{
    return strcmp(item->name, "gpu") == 0 && !item->bad ? plumb_mig_of_type(item->type) : NULL;
}

/* The product whose GPUs the machine has; NULL where none of them can be cut, or two can. */
static const struct plumb_mig_card *card_of(const struct plumb_hardware *hw,
                                            const struct plumb_hw_gpu **first, uint64_t *gpus)
{
    const struct plumb_mig_card *card = NULL;

    *gpus = 0;
    for (size_t g = 0; g < hw->gpu_count; g++) {
        const struct plumb_mig_card *own = plumb_mig_card(hw->gpus[g].model);

        if (hw->gpus[g].model == NULL || (own != NULL && card != NULL && own != card))
            return NULL;
        if (own == NULL)
            continue;
        *first = card == NULL ? &hw->gpus[g] : *first;
        card = own;
        (*gpus)++;
    }
    return card;
}

/* Some of the nodes leave their GPUs to NVML. */
static bool detects(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    struct plumb_gres_views views = plumb_gres_views(ck);

    for (size_t i = 0; i < views.count; i++) {
        if (views.items[i].nodes == n && plumb_autodetects(ck, &views.items[i]))
            return true;
    }
    return false;
}

static bool begin(const struct plumb_check *ck, const struct plumb_nodes *n, struct geometry *out)
{
    uint64_t whole = 0;

    *out = (struct geometry){.ck = ck, .nodes = n};
    if (n->hardware == NULL || !plumb_usable(n->hardware->gpu_count_value))
        return false;
    out->card = card_of(n->hardware, &out->gpu, &out->gpus);
    if (out->card == NULL || (detects(ck, n) && plumb_mig_told(n->hardware))) /* MIG004 */
        return false;
    for (size_t g = 0; g < n->gres_count; g++) {
        const struct plumb_gres_item *item = &n->gres[g];

        if (strcmp(item->name, "gpu") != 0 || plumb_mig_item(item) != NULL)
            continue;
        if (item->bad || item->count > out->gpus - whole) /* told where GPUs are counted */
            return false;
        whole += item->count;
    }
    if (!plumb_hardware_sliced(n->hardware)) /* else MIG007 tells of a GPU that is both */
        out->gpus -= whole;
    return true;
}

/* Instances of one profile; those that are cut into compute instances count as many as they fill.
 */
static void settle(struct geometry *g, size_t i)
{
    uint8_t slices = g->wants[i].profile->compute;

    g->wants[i].count += g->parts[i] / slices + (g->parts[i] % slices != 0);
    g->parts[i] = 0;
}

/* False when the item is of a profile that the product does not have. */
static bool add(struct geometry *g, const struct plumb_gres_item *item, uint64_t count)
{
    uint8_t part = 0;
    const struct plumb_mig_profile *p = plumb_mig_profile(g->card, plumb_mig_item(item), &part);
    size_t i = 0;

    if (p == NULL)
        return false;
    while (i < g->count && g->wants[i].profile != p)
        i++;
    if (i == g->count)
        g->wants[g->count++] = (struct plumb_mig_want){.profile = p};
    count = count > UINT32_MAX ? UINT32_MAX : count;
    if (part > 0 && part < p->compute)
        g->parts[i] += part * count;
    else
        g->wants[i].count += count;
    return true;
}

/* With so many of the item, behind the items before it that fit. */
static bool fits(const struct geometry *g, const struct plumb_gres_item *item, uint64_t count)
{
    struct geometry with = *g;

    (void)add(&with, item, count);
    for (size_t i = 0; i < with.count; i++)
        settle(&with, i);
    return plumb_mig_fits(g->ck->scratch, g->card, g->gpus, with.wants, with.count);
}

static uint64_t most(const struct geometry *g, const struct plumb_gres_item *item)
{
    uint64_t low = 0, high = g->gpus * g->card->compute * g->card->compute + 1;

    high = item->count < high ? item->count : high;
    if (fits(g, item, high))
        return high;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (fits(g, item, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Written by hand its capability files are missing; detected there are fewer than declared. */
static void tell_outcome(const struct plumb_check *ck, struct plumb_diag *d,
                         const struct plumb_nodes *n)
{
    if (detects(ck, n))
        plumb_outcome_is(ck, d, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD);
    else
        plumb_outcome(ck, d, NULL);
}

static void tell(const struct geometry *g, const struct plumb_gres_item *over,
                 const struct plumb_buf *fitting)
{
    const struct plumb_check *ck = g->ck;
    struct plumb_diag *d = NULL;

    if (fitting->len == 0)
        d = plumb_report(ck, plumb_gres_count_place(over),
                         "%" PRIu64 " of '%s' on '%s' leave no GPU of the capture to cut, expected "
                         "none",
                         over->count, over->type, plumb_fold_hosts(ck, g->nodes->hosts));
    else
        d = plumb_report(ck, plumb_gres_count_place(over),
                         "%" PRIu64 " of '%s' on '%s' cannot be placed on %" PRIu64
                         " GPU%s '%s', expected at most '%.*s'",
                         over->count, over->type, plumb_fold_hosts(ck, g->nodes->hosts), g->gpus,
                         plumb_plural(g->gpus), g->gpu->model, (int)fitting->len,
                         plumb_buf_text(fitting));
    plumb_diag_note(d, g->nodes->hardware->gpu_count_value.at, "the GPUs of the capture");
    plumb_fold_object(ck, d, g->nodes->hosts);
    tell_outcome(ck, d, g->nodes);
}

/* The first item that does not fit behind those before it, with all that would. */
static void judge(struct geometry *g)
{
    const struct plumb_gres_item *over = NULL;
    struct plumb_buf fitting = plumb_buf_in(g->ck->arena);

    for (size_t i = 0; i < g->nodes->gres_count; i++) {
        const struct plumb_gres_item *item = &g->nodes->gres[i];
        uint64_t count = 0;

        if (plumb_mig_item(item) == NULL || item->count == 0)
            continue;
        if (!add(g, item, 0)) /* another rule tells of it */
            return;
        count = most(g, item);
        over = over == NULL && count < item->count ? item : over;
        if (count > 0)
            plumb_buf_printf(&fitting, "%sgpu:%s:%" PRIu64, fitting.len > 0 ? "," : "", item->type,
                             count);
        (void)add(g, item, count);
    }
    if (over != NULL)
        tell(g, over, &fitting);
}

/* MIG002: where the product is in the table, its places decide. */
static void check_places(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        struct geometry g;

        if (begin(ck, &m->nodes[i], &g))
            judge(&g);
    }
}

/*
 * The same where the product is not known: no GPU has more than seven compute slices (NVIDIA's MIG
 * user guide, supported profiles).
 */
static void check_slices(const struct plumb_check *ck)
{
    enum { SLICES = 7 };
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        const struct plumb_gres_item *last = NULL;
        uint64_t sum = 0, gpus = 0;
        const struct plumb_hw_gpu *first = NULL;

        if (n->hardware == NULL || !plumb_usable(n->hardware->gpu_count_value) ||
            card_of(n->hardware, &first, &gpus) != NULL)
            continue;
        gpus = n->hardware->gpu_count_value.v;
        for (size_t g = 0; g < n->gres_count; g++) {
            if (plumb_mig_item(&n->gres[g]) == NULL || n->gres[g].count > UINT32_MAX)
                continue;
            sum += plumb_mig_slices(plumb_mig_item(&n->gres[g])) * n->gres[g].count;
            last = &n->gres[g];
        }
        if (last == NULL || sum <= SLICES * gpus)
            continue;

        struct plumb_diag *d =
            plumb_report(ck, n->gres_at,
                         "the MIG devices of '%s' take %" PRIu64
                         " compute slices, expected at most %" PRIu64 ", %d on each captured GPU",
                         plumb_fold_hosts(ck, n->hosts), sum, SLICES * gpus, (int)SLICES);

        plumb_diag_note(d, n->hardware->gpu_count_value.at, "the GPUs of the capture");
        plumb_fold_object(ck, d, n->hosts);
        tell_outcome(ck, d, n);
    }
}

static void mig_geometry(const struct plumb_check *ck)
{
    check_places(ck);
    check_slices(ck);
}

/* The capture shows such an instance, whatever the table says. */
static bool is_shown(const struct plumb_hardware *hw, const char *text)
{
    for (size_t g = 0; g < hw->gpu_count; g++) {
        for (size_t i = 0; i < hw->gpus[g].mig_count; i++) {
            const char *profile = hw->gpus[g].migs[i].profile;

            if (profile != NULL && plumb_same_nocase(profile, text))
                return true;
        }
    }
    return false;
}

/* Variants such as "+gfx" come with drivers: what stands before is the profile. */
static bool is_offered(const struct plumb_check *ck, const struct plumb_mig_card *card,
                       const char *text)
{
    uint8_t part = 0;
    size_t len = strcspn(text, "+-");

    return plumb_mig_profile(card, plumb_arena_strndup(ck->scratch, text, len), &part) != NULL;
}

bool plumb_mig_foreign(const struct plumb_check *ck, const struct plumb_hardware *hw,
                       const char *text)
{
    const struct plumb_hw_gpu *gpu = NULL;
    uint64_t gpus = 0;
    const struct plumb_mig_card *card = card_of(hw, &gpu, &gpus);

    return card != NULL && !is_offered(ck, card, text) && !is_shown(hw, text);
}

bool plumb_mig_told(const struct plumb_hardware *hw)
{
    bool some = false, all = hw->gpu_count > 0;

    for (size_t g = 0; g < hw->gpu_count; g++) {
        some = some || hw->gpus[g].mig_count > 0;
        all = all && hw->gpus[g].mig_known;
        for (size_t i = 0; i < hw->gpus[g].mig_count; i++) {
            if (hw->gpus[g].migs[i].profile == NULL)
                return false;
        }
    }
    return some || all; /* a list shows nothing of GPUs that are not cut */
}

/* MIG003: the daemons know no profiles; AutoDetect finds those that the GPU has. */
static void mig_profile(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;

    for (size_t i = 0; i < m->node_count; i++) {
        const struct plumb_nodes *n = &m->nodes[i];
        const struct plumb_hw_gpu *gpu = NULL;
        const struct plumb_mig_card *card = NULL;
        uint64_t gpus = 0;

        if (n->hardware != NULL)
            card = card_of(n->hardware, &gpu, &gpus);
        for (size_t g = 0; card != NULL && g < n->gres_count; g++) {
            const struct plumb_gres_item *item = &n->gres[g];
            const char *text = plumb_mig_item(item);

            if (text == NULL || !plumb_mig_foreign(ck, n->hardware, text))
                continue;

            struct plumb_diag *d =
                plumb_report(ck, plumb_gres_type_place(item),
                             "'%s' names MIG devices '%s' of '%s', which '%s' does not have, "
                             "expected one of %s",
                             item->type, text, plumb_fold_hosts(ck, n->hosts), gpu->model,
                             plumb_mig_names(ck->scratch, card));

            plumb_diag_note(d, gpu->model_at, "the GPU of the capture");
            plumb_fold_object(ck, d, n->hosts);
            if (detects(ck, n))
                plumb_outcome_is(ck, d, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD);
        }
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "MIG002",
        .name = "mig-slices",
        PLUMB_OUTCOME(ERROR, STOPS, SLURMD),
        .summary = "MIG devices that the GPUs cannot hold together",
        .why = "An instance takes compute and memory slices, and must begin at certain ones. The "
               "last of them cannot be made: slurmd waits for its file and ends, or, where it "
               "finds GPUs itself, registers too few.",
        .ref = "NVIDIA MIG user guide, supported profiles; gpu_nvml.c",
        .bad = "NodeName=g Gres=gpu:4g.40gb:1,gpu:3g.40gb:1,gpu:1g.10gb:1   # 4+4+1 memory slices\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)",
        .good = "NodeName=g Gres=gpu:4g.40gb:1,gpu:3g.40gb:1\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = mig_geometry,
    },
    {
        .code = "MIG003",
        .name = "mig-profile",
        .severity = PLUMB_WARNING,
        .daemons = PLUMB_SLURMD,
        .summary = "a MIG profile that the captured GPU does not have",
        .why = "Each product has its own: 1g.5gb of an A100 with 40 GB is 1g.10gb with 80 GB. A "
               "type written by hand may be any word, and then lies; AutoDetect finds none of it.",
        .ref = "NVIDIA MIG user guide, supported profiles; gpu_nvml.c:_handle_mig",
        .bad = "NodeName=g Gres=gpu:1g.5gb:7\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)",
        .good = "NodeName=g Gres=gpu:1g.10gb:7\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = mig_profile,
    },
};

const struct plumb_rule_family plumb_mig_geometry_rules = {
    .prefix = "MIG",
    .title = "GPU slices",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
