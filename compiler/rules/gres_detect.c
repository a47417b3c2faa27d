/* SPDX-License-Identifier: Apache-2.0 */
/* Whether AutoDetect= would do for the nodes of a specification whose GPU lines captures decide. */
#include <string.h>

#include "model/detect_use.h"
#include "rules/gres_view.h"

/* How many GPU lines a view has, all from captures; 0 also where one is not, or slurmd is asked. */
static size_t derived_lines(const struct plumb_gres_view *v)
{
    size_t gpus = 0;

    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_gres_line *line = v->lines[i];

        if (plumb_setting(&line->settings, PLUMB_P_GRES_AUTODETECT) != NULL)
            return 0;
        if (line->name == NULL || strcmp(line->name, "gpu") != 0)
            continue;
        gpus++;
        for (size_t k = 0; k < line->settings.count; k++) {
            const struct plumb_setting *s = &line->settings.items[k];

            if ((s->param->id == PLUMB_P_GRES_FILE || s->param->id == PLUMB_P_GRES_MULTIPLEFILES) &&
                s->origin != PLUMB_DERIVED)
                return 0;
        }
    }
    return gpus;
}

/* Every GPU line of the nodes comes from captures. *at: their first view; moved behind their last.
 */
static bool is_derived(const struct plumb_gres_views *views, size_t *at)
{
    const struct plumb_nodes *n = views->items[*at].nodes;
    bool all = true;

    for (; *at < views->count && views->items[*at].nodes == n; ++*at)
        all = all && derived_lines(&views->items[*at]) > 0;
    return all;
}

/* A type that slurmd would not find in any product; NULL: none. */
static const char *foreign_type(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    const struct plumb_hardware *hw = n->hardware;

    for (size_t i = 0; i < n->gres_count; i++) {
        const char *type = n->gres[i].type;
        bool found = type == NULL || strcmp(n->gres[i].name, "gpu") != 0;

        for (size_t g = 0; g < hw->gpu_count && !found; g++) {
            const struct plumb_hw_gpu *gpu = &hw->gpus[g];
            const char *product =
                plumb_detected_product(ck->scratch, gpu, ck->table, ck->model->release);

            found = gpu->mig_count > 0 || product == NULL || plumb_type_holds(product, type);
        }
        if (!found)
            return type;
    }
    return NULL;
}

/* From 24.11 on lines are widened to what every later release takes too. */
static bool is_widened(const struct plumb_check *ck, const struct plumb_hardware *hw,
                       enum plumb_hw_socket_kind kind)
{
    for (size_t g = 0; g < hw->gpu_count; g++) {
        struct plumb_cores whole;

        if (plumb_has_trait(ck, PLUMB_TRAIT_GRES_CORES_ARE_WHOLE_SOCKETS) &&
            plumb_hardware_gres_cores(hw, hw->gpus[g].index, kind, ck->scratch, &whole) &&
            !plumb_cores_equal(&whole, &hw->gpus[g].cores))
            return true;
    }
    return false;
}

/* What speaks against it; NULL: it finds what the lines say. */
static const char *against(const struct plumb_check *ck, const struct plumb_nodes *n,
                           const struct plumb_detect_use *best)
{
    const char *type = foreign_type(ck, n);

    if (!best->use)
        return best->why;
    if (type != NULL)
        return plumb_arena_printf(ck->scratch, "type '%s' is no part of the product that it finds",
                                  type);
    return is_widened(ck, n->hardware, plumb_socket_kind(ck->model, n)) ? "it finds fewer cores"
                                                                        : NULL;
}

static void tell(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    struct plumb_detect_use uses[PLUMB_DETECT_USES];
    const struct plumb_detect_use *best = &uses[0];
    const char *why = NULL;
    size_t count = plumb_detect_uses(ck->arena, n->hardware, plumb_socket_kind(ck->model, n),
                                     ck->table, ck->model->release, uses);

    for (size_t i = count; i > 0; i--)
        best = uses[i - 1].use ? &uses[i - 1] : best;
    why = against(ck, n, best);
    plumb_report(
        ck, n->at, "AutoDetect=%s would %sgive '%s' the same as the derived lines of gres.conf: %s",
        best->word, why != NULL ? "not " : "", n->class_name, why != NULL ? why : best->why);
}

/* GRES061. One finding a class, however many records it has. */
static void would_do(const struct plumb_check *ck)
{
    struct plumb_gres_views views = plumb_gres_views(ck);
    const char *last = "";

    for (size_t i = 0; ck->model->from_spec && i < views.count;) {
        const struct plumb_nodes *n = views.items[i].nodes;
        bool derived = is_derived(&views, &i);

        if (!derived || n->class_name == NULL || n->hardware == NULL ||
            n->hardware->gpu_count == 0 || strcmp(n->class_name, last) == 0 ||
            plumb_gres_total(n, "gpu") != n->hardware->gpu_count)
            continue;
        last = n->class_name;
        tell(ck, n);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES061",
        .name = "autodetect-would-do",
        .severity = PLUMB_INFO,
        .daemons = PLUMB_SLURMD,
        .summary = "whether AutoDetect would give what is derived from captures",
        .why = "Derived lines of gres.conf hold for one kind of machine; where slurmd finds the "
               "same by itself, 'autodetect' of the class may take their place, and a GPU that is "
               "gone is noticed. Where it would not, the lines have to stay.",
        .ref = "gres.conf(5), AutoDetect; gpu_nvml.c, gpu_nvidia.c, gpu_rsmi.c, gpu_oneapi.c",
        .bad = "nodes:\n"
               "  g: {hosts: g1, topology: dgx-h100, gres: {gpu: {type: h100, count: 8}}}",
        .good = "nodes:\n"
                "  g: {hosts: g1, topology: dgx-h100, autodetect: nvml, gres: {gpu: {type: h100}}}",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = would_do,
    },
};

const struct plumb_rule_family plumb_gres_detect_rules = {
    .prefix = "GRES",
    .title = "Generic resources that slurmd may find itself",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
