/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about Links= of gres.conf: one number per GPU of the node in the order of the devices,
 * -1 at the GPU's own place. Text that is no such list is the table engine's.
 */
#include <inttypes.h>
#include <string.h>

#include "rules/device.h"

enum fault {
    F_LONG,     /* more numbers than GPUs */
    F_SHORT,    /* fewer */
    F_SELF,     /* -1 at another place */
    F_UNEVEN,   /* the two ends of a link differ */
    F_MATRIX,   /* the captured matrix differs */
    F_DETECTED, /* AutoDetect finds other numbers */
};

struct which {
    enum fault fault;
    const char *note;
};

struct finding {
    struct plumb_span at, second;
    const char *words;
};

/* The place of the i-th number. */
static struct plumb_span number_place(const struct plumb_gres_line *line, size_t i)
{
    const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_GRES_LINKS);
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    if (s == NULL)
        s = plumb_setting(&line->settings, PLUMB_P_GRES_LINK);
    if (s == NULL)
        return line->at;
    for (size_t n = 0; plumb_list_next(&s->value, ',', &c, &item); n++) {
        if (n == i)
            return item.at;
    }
    return s->value.at;
}

static struct plumb_span links_place(const struct plumb_gres_line *line)
{
    const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_GRES_LINKS);

    if (s == NULL)
        s = plumb_setting(&line->settings, PLUMB_P_GRES_LINK);
    return s != NULL ? s->value.at : line->at;
}

static bool usable(const struct plumb_gres_line *line)
{
    return line->has_links && !line->links_bad;
}

/* The devices of a line when it names one alone: then its Links are about that device. */
static bool alone(const struct plumb_devices *d, size_t i)
{
    return d->items[i].line->files->count == 1;
}

static bool self_wrong(const struct plumb_devices *d, size_t i)
{
    const struct plumb_gres_line *line = d->items[i].line;

    return !usable(line) || line->link_count != d->count || line->links[i] != -1;
}

static bool find_length(const struct plumb_check *ck, const struct plumb_devices *d, size_t i,
                        bool too_long, struct finding *f)
{
    const struct plumb_gres_line *line = d->items[i].line;

    if (too_long ? line->link_count <= d->count : line->link_count >= d->count)
        return false;
    f->at = links_place(line);
    f->words = plumb_arena_printf(ck->arena,
                                  "Links has %zu numbers, the node has %zu GPU%s, expected one "
                                  "number each",
                                  line->link_count, d->count, d->count == 1 ? "" : "s");
    return true;
}

static bool find_self(const struct plumb_check *ck, const struct plumb_devices *d, size_t i,
                      struct finding *f)
{
    const struct plumb_gres_line *line = d->items[i].line;
    size_t place = 0;

    if (!alone(d, i) || line->link_count != d->count || line->links[i] == -1)
        return false;
    while (place < line->link_count && line->links[place] != -1)
        place++;
    if (place == line->link_count)
        return false;
    f->at = number_place(line, place);
    f->words = plumb_arena_printf(ck->arena,
                                  "-1 stands at place %zu of Links, but /dev/nvidia%" PRIu64
                                  " is device %zu, expected -1 at that place",
                                  place, d->items[i].minor, i);
    return true;
}

/* The matrix decides which end is wrong; without it the later line is shown. */
static bool end_is_wrong(const struct plumb_hardware *hw, size_t i, size_t j, int32_t mine,
                         int32_t theirs)
{
    uint32_t links = hw != NULL ? plumb_hardware_links(hw, (uint32_t)i, (uint32_t)j) : 0;

    if (hw == NULL || !hw->links_known || (mine != (int32_t)links && theirs != (int32_t)links))
        return j < i;
    return mine != (int32_t)links;
}

static bool find_uneven(const struct plumb_check *ck, const struct plumb_gres_view *v,
                        const struct plumb_devices *d, size_t i, struct finding *f)
{
    const struct plumb_gres_line *line = d->items[i].line;

    if (!alone(d, i) || self_wrong(d, i))
        return false;
    for (size_t j = 0; j < d->count; j++) {
        const struct plumb_gres_line *other = d->items[j].line;

        if (j == i || !alone(d, j) || self_wrong(d, j) || line->links[j] == other->links[i] ||
            !end_is_wrong(v->nodes->hardware, i, j, line->links[j], other->links[i]))
            continue;
        f->at = number_place(line, j);
        f->second = number_place(other, i);
        f->words = plumb_arena_printf(ck->arena,
                                      "Links says %" PRId32 " links from GPU %zu to GPU %zu, but "
                                      "%" PRId32 " back, expected the same",
                                      line->links[j], i, j, other->links[i]);
        return true;
    }
    return false;
}

/* Through a switch every pair is the same: any one number does, and so do zeros. */
static bool all_equal(const struct plumb_gres_line *line)
{
    int32_t value = -1;

    for (size_t i = 0; i < line->link_count; i++) {
        if (line->links[i] == -1)
            continue;
        if (value != -1 && line->links[i] != value)
            return false;
        value = line->links[i];
    }
    return true;
}

static bool find_matrix(const struct plumb_check *ck, const struct plumb_gres_view *v,
                        const struct plumb_devices *d, size_t i, struct finding *f)
{
    const struct plumb_hardware *hw = v->nodes->hardware;
    const struct plumb_gres_line *line = d->items[i].line;

    if (hw == NULL || !hw->links_known || hw->gpu_count != d->count || !alone(d, i) ||
        self_wrong(d, i) || plumb_autodetects(ck, v) || (hw->nvswitch && all_equal(line)))
        return false;
    for (size_t j = 0; j < d->count; j++) {
        const struct plumb_hw_gpu *a = d->items[i].gpu, *b = d->items[j].gpu;
        uint32_t links;

        if (j == i || a == NULL || b == NULL)
            continue;
        if (alone(d, j) && !self_wrong(d, j) && d->items[j].line->links[i] != line->links[j])
            continue; /* LINK004 */
        links = plumb_hardware_links(hw, a->index, b->index);
        if (line->links[j] == (int32_t)links)
            continue;

        const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, a->index, b->index);

        f->at = number_place(line, j);
        f->second = cell != NULL ? cell->at : hw->at;
        f->words = plumb_arena_printf(ck->arena,
                                      "Links says %" PRId32 " links from GPU %zu to GPU %zu, the "
                                      "captured matrix has %" PRIu32,
                                      line->links[j], i, j, links);
        return true;
    }
    return false;
}

static bool find_detected(const struct plumb_check *ck, const struct plumb_gres_view *v,
                          const struct plumb_devices *d, size_t i, struct finding *f)
{
    const struct plumb_hardware *hw = v->nodes->hardware;
    const struct plumb_gres_line *line = d->items[i].line;
    struct plumb_buf detected = plumb_buf_in(ck->arena), written = plumb_buf_in(ck->scratch);

    if (hw == NULL || !hw->links_known || d->items[i].gpu == NULL || !plumb_autodetects(ck, v))
        return false;
    plumb_hardware_links_text(hw, d->items[i].gpu->index, &detected);
    for (size_t n = 0; n < line->link_count; n++)
        plumb_buf_printf(&written, n > 0 ? ",%" PRId32 : "%" PRId32, line->links[n]);
    if (strcmp(plumb_buf_text(&detected), plumb_buf_text(&written)) == 0)
        return false;
    f->at = links_place(line);
    f->second = d->items[i].gpu->at;
    f->words =
        plumb_arena_printf(ck->arena,
                           "Links=%s of /dev/nvidia%" PRIu64 " is not what AutoDetect "
                           "finds%s, %s, so the GPU is dropped",
                           plumb_buf_text(&written), d->items[i].minor,
                           hw->nvswitch ? " behind NVSwitch" : "", plumb_buf_text(&detected));
    return true;
}

static bool find(const struct plumb_check *ck, const struct plumb_gres_view *v,
                 const struct plumb_devices *d, size_t i, enum fault fault, struct finding *f)
{
    switch (fault) {
    case F_LONG:
    case F_SHORT:
        return !plumb_autodetects(ck, v) && find_length(ck, d, i, fault == F_LONG, f);
    case F_SELF:
        return !plumb_autodetects(ck, v) && find_self(ck, d, i, f);
    case F_UNEVEN:
        return !plumb_autodetects(ck, v) && find_uneven(ck, v, d, i, f);
    case F_MATRIX:
        return find_matrix(ck, v, d, i, f);
    case F_DETECTED:
        return find_detected(ck, v, d, i, f);
    }
    return false;
}

static void links(const struct plumb_check *ck)
{
    const struct which *w = ck->rule->data;
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_map seen = plumb_map_in(ck->scratch);

    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        struct plumb_devices d = plumb_devices_of(ck, v);

        for (size_t n = 0; n < d.count; n++) {
            struct finding f = {.words = NULL};
            const char *key;

            if (!usable(d.items[n].line) || !find(ck, v, &d, n, w->fault, &f))
                continue;
            key = plumb_arena_printf(ck->scratch, "%" PRIu32 ":%" PRIu32, f.at.file, f.at.begin);
            if (plumb_map_get(&seen, key) != NULL)
                continue;
            plumb_map_set(&seen, key, &seen);

            struct plumb_diag *diag = plumb_report(ck, f.at, "%s", f.words);

            if (plumb_span_known(f.second) && w->note != NULL)
                plumb_diag_note(diag, f.second, "%s", w->note);
            plumb_fold_object(ck, diag, v->hosts);
            plumb_outcome(ck, diag, NULL);
        }
    }
}

static const struct which too_long = {F_LONG, NULL};
static const struct which too_short = {F_SHORT, NULL};
static const struct which self = {F_SELF, NULL};
static const struct which uneven = {F_UNEVEN, "the other end"};
static const struct which matrix = {F_MATRIX, "the matrix"};
static const struct which detected = {F_DETECTED, "the GPU in the capture"};

#define LINKS(which) .needs = PLUMB_FACT_MODEL, .run = links, .data = &(which)

static const struct plumb_rule rows[] = {
    {
        .code = "LINK001",
        .name = "links-too-long",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Links has more numbers than the node has GPUs",
        .why = "slurmctld refuses the registration.",
        .ref = "gres.conf(5), Links; gres.c:_links_str2array",
        .bad = "Name=gpu File=/dev/nvidia0 Links=-1,4,4,4 # two GPUs",
        .good = "Name=gpu File=/dev/nvidia0 Links=-1,4",
        LINKS(too_long),
    },
    {
        .code = "LINK002",
        .name = "links-too-short",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "Links has fewer numbers than the node has GPUs",
        .why = "The rest counts as not linked; no daemon says so.",
        .ref = "gres.conf(5), Links; gres.c:_links_str2array",
        LINKS(too_short),
    },
    {
        .code = "LINK003",
        .name = "links-self",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "-1 of Links is not at the GPU's own place",
        .why = "The numbers are about another GPU: jobs get pairs that are not linked.",
        .ref = "gres.conf(5), Links",
        .bad = "Name=gpu File=/dev/nvidia0 Links=4,-1",
        .good = "Name=gpu File=/dev/nvidia0 Links=-1,4",
        LINKS(self),
    },
    {
        .code = "LINK004",
        .name = "links-asymmetric",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "the two ends of a link have different numbers",
        .why = "A link has two ends; no daemon compares them.",
        .ref = "gres.conf(5), Links",
        LINKS(uneven),
    },
    {
        .code = "LINK005",
        .name = "links-not-captured",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "Links differs from the captured NVLink matrix",
        .why = "Jobs get GPUs that are not linked to each other.",
        .ref = "gres.conf(5), Links; nvidia-smi topo -m",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = links,
        .data = &matrix,
    },
    {
        .code = "LINK006",
        .name = "links-not-detected",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Links differs from what AutoDetect finds",
        .why = "A written value that contradicts the detected one removes the GPU. Behind NVSwitch "
               "AutoDetect finds no link between GPUs.",
        .ref = "gres.conf(5), AutoDetect, Links; gres_gpu.c, gpu_nvml.c",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = links,
        .data = &detected,
    },
};

const struct plumb_rule_family plumb_link_rules = {
    .prefix = "LINK",
    .title = "NVLink",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
