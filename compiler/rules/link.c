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
                                  "-1 stands at place %zu of Links, but %s is device %zu, "
                                  "expected -1 at that place",
                                  place, d->items[i].file, i);
    return true;
}

/* NVSwitches were seen, and no capture tells of how many links. */
static bool switch_alone(const struct plumb_hardware *hw)
{
    for (uint32_t i = 1; hw->nvswitch && i < hw->gpu_count; i++) {
        if (plumb_hardware_links(hw, hw->gpus[0].index, hw->gpus[i].index) > 0)
            return false;
    }
    return hw->nvswitch;
}

/* The matrix decides which end is wrong; without it the later line is shown. */
static bool end_is_wrong(const struct plumb_hardware *hw, const struct plumb_devices *d, size_t i,
                         size_t j, int32_t mine, int32_t theirs)
{
    const struct plumb_hw_gpu *a = d->items[i].gpu, *b = d->items[j].gpu;
    uint32_t links = 0;

    if (hw == NULL || !hw->links_known || a == NULL || b == NULL || switch_alone(hw))
        return j < i;
    links = plumb_hardware_links(hw, a->index, b->index);
    if (mine != (int32_t)links && theirs != (int32_t)links)
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
            !end_is_wrong(v->nodes->hardware, d, i, j, line->links[j], other->links[i]))
            continue;
        f->at = number_place(line, j);
        f->second = number_place(other, i);
        f->words = plumb_arena_printf(
            ck->arena,
            "Links says %" PRId32 " links from %s to %s, but %" PRId32 " back, expected the same",
            line->links[j], d->items[i].file, d->items[j].file, other->links[i]);
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

/* A split that no switch makes: GPUs of one board are one group. */
static bool find_split(const struct plumb_check *ck, const struct plumb_devices *d, size_t i,
                       const struct plumb_hardware *hw, struct finding *f)
{
    const struct plumb_gres_line *line = d->items[i].line;
    size_t first = line->links[0] == -1 ? 1 : 0, other = first;

    while (other < d->count &&
           (line->links[other] == -1 || line->links[other] == line->links[first]))
        other++;
    if (other >= d->count)
        return false;
    f->at = number_place(line, other);
    f->second = hw->at;
    f->words = plumb_arena_printf(
        ck->arena,
        "Links says %" PRId32 " links from %s to %s and %" PRId32
        " to %s, but the machine has NVSwitches, expected the same number to every GPU",
        line->links[first], d->items[i].file, d->items[first].file, line->links[other],
        d->items[other].file);
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
    if (switch_alone(hw))
        return find_split(ck, d, i, hw, f);
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

        const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, a->index.n, b->index.n);

        f->at = number_place(line, j);
        f->second = cell != NULL ? cell->at : hw->at;
        f->words = plumb_arena_printf(ck->arena,
                                      "Links says %" PRId32
                                      " links from %s to %s, the captured matrix has %" PRIu32,
                                      line->links[j], d->items[i].file, d->items[j].file, links);
        return true;
    }
    return false;
}

/* gres_gpu.c:_validate_cpus_links: only what slurmd finds links for can differ. */
static bool find_detected(const struct plumb_check *ck, const struct plumb_gres_view *v,
                          const struct plumb_devices *d, size_t i, struct finding *f)
{
    const struct plumb_hardware *hw = v->nodes->hardware;
    const struct plumb_gres_line *line = d->items[i].line;
    struct plumb_detections found = plumb_detections_of(ck, v);
    const struct plumb_detected *gpu = NULL;
    struct plumb_buf written = plumb_buf_in(ck->scratch);

    if (d->items[i].gpu != NULL)
        gpu = plumb_detected_gpu(&found, d->items[i].gpu->index);
    if (gpu == NULL || gpu->mig != NULL || gpu->links == NULL)
        return false;
    for (size_t n = 0; n < line->link_count; n++)
        plumb_buf_printf(&written, n > 0 ? ",%" PRId32 : "%" PRId32, line->links[n]);
    if (strcmp(gpu->links, plumb_buf_text(&written)) == 0)
        return false;
    f->at = links_place(line);
    f->second = d->items[i].gpu->at;
    f->words = plumb_arena_printf(
        ck->arena, "Links=%s of %s is not what AutoDetect finds%s, %s, so the GPU is dropped",
        plumb_buf_text(&written), d->items[i].file, hw->nvswitch ? " behind NVSwitch" : "",
        gpu->links);
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
    struct plumb_fold seen = plumb_fold_in(ck);

    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        struct plumb_devices d = plumb_devices_of(ck, v);

        for (size_t n = 0; n < d.count; n++) {
            struct finding f = {.words = NULL};

            if (!usable(d.items[n].line) || !find(ck, v, &d, n, w->fault, &f) ||
                plumb_fold_seen(&seen, f.at))
                continue;

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
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Links=-1,4,4,4\n"
               "Name=gpu File=/dev/nvidia1 Links=4,-1,4,4",
        .good = "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Links=-1,4\n"
                "Name=gpu File=/dev/nvidia1 Links=4,-1",
        LINKS(too_long),
    },
    {
        .code = "LINK002",
        .name = "links-too-short",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "Links has fewer numbers than the node has GPUs",
        .why = "The rest counts as not linked; no daemon says so.",
        .ref = "gres.conf(5), Links; gres.c:_links_str2array",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Links=-1\n"
               "Name=gpu File=/dev/nvidia1 Links=4,-1",
        .good = "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Links=-1,4\n"
                "Name=gpu File=/dev/nvidia1 Links=4,-1",
        LINKS(too_short),
    },
    {
        .code = "LINK003",
        .name = "links-self",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "-1 of Links is not at the GPU's own place",
        .why = "The numbers are about another GPU: jobs get pairs that are not linked.",
        .ref = "gres.conf(5), Links",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Links=4,-1\n"
               "Name=gpu File=/dev/nvidia1 Links=-1,4",
        .good = "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Links=-1,4\n"
                "Name=gpu File=/dev/nvidia1 Links=4,-1",
        LINKS(self),
    },
    {
        .code = "LINK004",
        .name = "links-asymmetric",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "the two ends of a link have different numbers",
        .why = "A link has two ends; no daemon compares them.",
        .ref = "gres.conf(5), Links",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Links=-1,4\n"
               "Name=gpu File=/dev/nvidia1 Links=2,-1",
        .good = "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Links=-1,4\n"
                "Name=gpu File=/dev/nvidia1 Links=4,-1",
        LINKS(uneven),
    },
    {
        .code = "LINK005",
        .name = "links-not-captured",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "Links differs from the captured NVLink matrix",
        .why = "Jobs get GPUs that are not linked to each other.",
        .ref = "gres.conf(5), Links; nvidia-smi topo -m",
        .bad = "NodeName=g Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Links=-1,2\n"
               "Name=gpu File=/dev/nvidia1 Links=2,-1\n"
               "# topo-m.txt\n"
               "\tGPU0\tGPU1\n"
               "GPU0\t X \tNV4\n"
               "GPU1\tNV4\t X ",
        .good = "NodeName=g Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Links=-1,4\n"
                "Name=gpu File=/dev/nvidia1 Links=4,-1\n"
                "# topo-m.txt\n"
                "\tGPU0\tGPU1\n"
                "GPU0\t X \tNV4\n"
                "GPU1\tNV4\t X ",
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
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
               "# gres.conf\n"
               "AutoDetect=nvml   # finds 0: the links end at a switch\n"
               "Name=gpu File=/dev/nvidia0 Links=-1,18,18,18\n"
               "Name=gpu File=/dev/nvidia1 Links=18,-1,18,18\n"
               "Name=gpu File=/dev/nvidia2 Links=18,18,-1,18\n"
               "Name=gpu File=/dev/nvidia3 Links=18,18,18,-1",
        .good = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
                "# gres.conf\n"
                "AutoDetect=nvml",
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
