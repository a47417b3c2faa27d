/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gres= beside the MIG devices that AutoDetect finds. slurmd sorts types and devices by length, the
 * longest first, and each device takes the first type that is part of its own and still wants one
 * (gres_gpu.c:_normalize_sys_gres_types; seen with slurmd 22.05.8, 24.11.5 and 26.05.5).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/detect.h"
#include "rules/gres_merge.h"
#include "rules/mig.h"

/* A type that is declared, and the devices that it gets. */
struct wanted {
    const struct plumb_gres_item *item;
    const char *type;      /* "" without one: part of any */
    uint64_t left, slices; /* still to be found; MIG devices among those found */
    const struct plumb_hw_mig *slice;
};

struct matching {
    const struct plumb_check *ck;
    const struct plumb_gres_view *view;
    const char *word; /* of AutoDetect= */
    struct plumb_detections found;
    struct wanted *wants; /* the longest type first */
    size_t count;
};

static int longer(const char *a, const char *b)
{
    size_t x = strlen(a), y = strlen(b);

    return x != y ? (x < y ? 1 : -1) : strcmp(a, b);
}

static int by_type(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    return longer(x->type, y->type);
}

static int by_device(const void *a, const void *b)
{
    const struct plumb_detected *x = a, *y = b;
    int order = longer(x->type, y->type);

    return order != 0 ? order : (x->gpu.n > y->gpu.n) - (x->gpu.n < y->gpu.n);
}

/* False: an item could not be read, or no capture tells a type. */
static bool collect(struct matching *m)
{
    const struct plumb_nodes *n = m->view->nodes;

    m->wants = PLUMB_NEW_ARRAY(m->ck->scratch, n->gres_count + 1, struct wanted);
    for (size_t g = 0; g < n->gres_count; g++) {
        const struct plumb_gres_item *item = &n->gres[g];

        if (strcmp(item->name, "gpu") != 0)
            continue;
        if (item->bad)
            return false;
        m->wants[m->count++] = (struct wanted){
            .item = item, .type = item->type != NULL ? item->type : "", .left = item->count};
    }
    for (size_t i = 0; i < m->found.count; i++) {
        if (m->found.items[i].type == NULL)
            return false;
    }
    return m->count > 0;
}

static void match(struct matching *m)
{
    qsort(m->wants, m->count, sizeof(*m->wants), by_type);
    if (m->found.count > 1)
        qsort(m->found.items, m->found.count, sizeof(*m->found.items), by_device);
    for (size_t i = 0; i < m->found.count; i++) {
        const struct plumb_detected *d = &m->found.items[i];

        for (size_t w = 0; w < m->count; w++) {
            struct wanted *want = &m->wants[w];

            if (want->left == 0 || !plumb_type_holds(d->type, want->type))
                continue;
            want->left--;
            if (d->mig != NULL && want->slices++ == 0)
                want->slice = d->mig;
            break;
        }
    }
}

/* Lines that give devices themselves are laid beside what is found: another matter. */
static bool begin(const struct plumb_check *ck, const struct plumb_gres_view *v,
                  struct matching *out)
{
    const struct plumb_hardware *hw = v->nodes->hardware;
    struct plumb_span at = {0, 0, 0};
    enum plumb_detector by = PLUMB_DETECT_NONE;
    bool mig = false;

    *out = (struct matching){.ck = ck, .view = v, .word = plumb_autodetect(ck, v, &at)};
    if (hw == NULL || out->word == NULL || plumb_in_cloud(v->nodes) || !plumb_mig_told(hw) ||
        plumb_gres_gives_gpu(ck, v))
        return false;
    by = plumb_detector_of(out->word, hw);
    if (by != PLUMB_DETECT_NVIDIA && by != PLUMB_DETECT_NVML)
        return false;
    for (size_t g = 0; g < v->nodes->gres_count; g++)
        mig = mig || plumb_mig_item(&v->nodes->gres[g]) != NULL;
    if (!mig && !plumb_hardware_sliced(hw))
        return false;
    out->found = plumb_detect(ck->scratch, hw, by, ck->table, ck->model->release);
    if (!collect(out))
        return false;
    match(out);
    return true;
}

/* Another type that took MIG devices of the kind that one lacks. */
static const struct wanted *taker(const struct matching *m, const struct wanted *lacking)
{
    const char *text = plumb_mig_item(lacking->item);

    for (size_t w = 0; w < m->count; w++) {
        if (text != NULL && plumb_mig_item(m->wants[w].item) == NULL && m->wants[w].slices > 0)
            return &m->wants[w];
    }
    return NULL;
}

static void tell_fewer(const struct matching *m, const struct wanted *want)
{
    const struct plumb_check *ck = m->ck;
    const struct plumb_hardware *hw = m->view->nodes->hardware;
    const struct wanted *other = taker(m, want);
    const char *first = m->found.count > 0 ? m->found.items[0].type : NULL;
    struct plumb_diag *d = plumb_report(
        ck, plumb_gres_count_place(want->item),
        "'%s' declares %" PRIu64 " GPU%s%s%s%s, AutoDetect=%s finds %" PRIu64 "%s%s%s",
        plumb_fold_hosts(ck, m->view->hosts), want->item->count, plumb_plural(want->item->count),
        want->type[0] != '\0' ? " of type '" : "", want->type, want->type[0] != '\0' ? "'" : "",
        m->word, want->item->count - want->left, first != NULL ? ", its types are such as '" : "",
        first != NULL ? first : "", first != NULL ? "'" : "");

    plumb_diag_note(d, hw->gpu_count_value.at, "the GPUs of the capture");
    if (other != NULL)
        plumb_diag_note(d, plumb_gres_type_place(other->item),
                        "this longer type is part of theirs, and takes %" PRIu64 " of them first",
                        other->slices);
    plumb_fold_object(ck, d, m->view->hosts);
    plumb_outcome(ck, d, NULL);
}

/* MIG004: types of whole GPUs that none has are GRES's to tell. */
static void judge_fewer(const struct matching *m, const struct wanted *want,
                        struct plumb_fold *seen)
{
    const char *text = plumb_mig_item(want->item);
    bool none = want->left == want->item->count;

    if (want->left == 0 ||
        (text != NULL && plumb_mig_foreign(m->ck, m->view->nodes->hardware, text)) ||
        (text == NULL && want->type[0] != '\0' && none) || plumb_fold_seen(seen, want->item->at))
        return;
    tell_fewer(m, want);
}

/* MIG005: a type of whole GPUs that slices answer to. */
static void judge_whole(const struct matching *m, const struct wanted *want,
                        struct plumb_fold *seen)
{
    struct plumb_diag *d = NULL;

    if (want->slices == 0 || want->type[0] == '\0' || plumb_mig_item(want->item) != NULL ||
        plumb_fold_seen(seen, want->item->at))
        return;
    d = plumb_report(m->ck, plumb_gres_type_place(want->item),
                     "type '%s' on '%s' gets %" PRIu64 " MIG devices such as '%s', expected a type "
                     "that names their profile",
                     want->item->type, plumb_fold_hosts(m->ck, m->view->hosts), want->slices,
                     want->slice->profile);
    plumb_diag_note(d, want->slice->at, "the first of them");
    plumb_fold_object(m->ck, d, m->view->hosts);
}

static void judge_all(const struct plumb_check *ck,
                      void (*judge)(const struct matching *m, const struct wanted *want,
                                    struct plumb_fold *seen))
{
    struct plumb_gres_views views;
    struct plumb_fold seen = plumb_fold_in(ck);

    if (!plumb_gres_known(ck))
        return;
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        struct matching m;

        if (!begin(ck, &views.items[i], &m))
            continue;
        for (size_t w = 0; w < m.count; w++)
            judge(&m, &m.wants[w], &seen);
    }
}

static void detected_fewer(const struct plumb_check *ck)
{
    judge_all(ck, judge_fewer);
}

static void sliced_as_whole(const struct plumb_check *ck)
{
    judge_all(ck, judge_whole);
}

static const struct plumb_rule rows[] = {
    {
        .code = "MIG004",
        .name = "mig-detected-fewer",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "AutoDetect finds fewer MIG devices of a type than are declared",
        .why = "A type must be part of what slurmd makes of the product up to its first hyphen and "
               "of the profile, such as nvidia_a100_3g.20gb. The longest type takes its devices "
               "first, and a type of whole GPUs may be part of that of a slice.",
        .ref = "gres.conf(5), AutoDetect; gres_gpu.c:_normalize_sys_gres_types",
        .bad = "NodeName=g Gres=gpu:3g.40gb:3\n"
               "# gres.conf\n"
               "AutoDetect=nvml\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
               "  MIG 3g.40gb     Device  0: (UUID: MIG-1)\n"
               "  MIG 3g.40gb     Device  1: (UUID: MIG-2)",
        .good = "NodeName=g Gres=gpu:3g.40gb:2\n"
                "# gres.conf\n"
                "AutoDetect=nvml\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                "  MIG 3g.40gb     Device  0: (UUID: MIG-1)\n"
                "  MIG 3g.40gb     Device  1: (UUID: MIG-2)",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = detected_fewer,
    },
    {
        .code = "MIG005",
        .name = "mig-as-whole",
        .severity = PLUMB_WARNING,
        .daemons = PLUMB_SLURMD,
        .summary = "a type of whole GPUs gets MIG devices",
        .why = "The node registers, and who asks for the product gets a slice of it.",
        .ref = "gres.conf(5), AutoDetect; gres_gpu.c:_normalize_sys_gres_types",
        .bad = "NodeName=g Gres=gpu:h100:2\n"
               "# gres.conf\n"
               "AutoDetect=nvml\n"
               "# smi-L.txt\n"
               "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
               "  MIG 3g.40gb     Device  0: (UUID: MIG-1)\n"
               "  MIG 3g.40gb     Device  1: (UUID: MIG-2)",
        .good = "NodeName=g Gres=gpu:h100_80gb_hbm3_3g.40gb:2\n"
                "# gres.conf\n"
                "AutoDetect=nvml\n"
                "# smi-L.txt\n"
                "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n"
                "  MIG 3g.40gb     Device  0: (UUID: MIG-1)\n"
                "  MIG 3g.40gb     Device  1: (UUID: MIG-2)",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = sliced_as_whole,
    },
};

const struct plumb_rule_family plumb_mig_detect_rules = {
    .prefix = "MIG",
    .title = "GPU slices",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
