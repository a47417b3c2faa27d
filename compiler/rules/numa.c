/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about Cores= of gres.conf: core numbers against the node's sockets, the whole-socket
 * law of 24.11 and 25.11, and the cores that a capture says are near a GPU. A line gets one
 * finding at most.
 *
 * Sources: gres.c:_check_core_range_matches_sock, _parse_gres_config; gres_gpu.c.
 */
#include <inttypes.h>
#include <string.h>

#include "model/index_map.h"
#include "model/index_words.h"
#include "rules/core_list.h"
#include "rules/device.h"
#include "rules/gres_merge.h"
#include "rules/numa_half.h"

enum fault {
    F_FINE,
    F_DETECTED, /* AutoDetect finds other cores */
    F_CPU_IDS,  /* numbers of the kernel */
    F_BEYOND,
    F_CUT,
    F_SEVERAL,
    F_FAR, /* the captured GPU is elsewhere */
};

struct finding {
    enum fault fault;
    struct plumb_span at, second;
    const char *words; /* the message */
};

static const struct plumb_era beyond_rows[] = {
    {PLUMB_22_05, PLUMB_ERROR, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD, false},
    {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_era cut_rows[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, PLUMB_SLURMCTLD, false},
    {PLUMB_24_11, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_era several_rows[] = {
    {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true},
    {PLUMB_25_11, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD, false},
};
static const struct plumb_eras beyond_eras = PLUMB_ERAS(beyond_rows);
static const struct plumb_eras cut_eras = PLUMB_ERAS(cut_rows);
static const struct plumb_eras several_eras = PLUMB_ERAS(several_rows);

/* .data of the rules: which fault, and what releases do about it. */
struct which {
    enum fault fault;
    const struct plumb_eras *eras;
    const char *note;
};

static const struct plumb_setting *cores_setting(const struct plumb_gres_line *line)
{
    const struct plumb_setting *s = plumb_setting(&line->settings, PLUMB_P_GRES_CORES);

    return s != NULL ? s : plumb_setting(&line->settings, PLUMB_P_GRES_CPUS);
}

/* The first item of Cores= that reaches beyond the last core. */
static struct plumb_span beyond_place(const struct plumb_check *ck, const struct plumb_setting *s,
                                      uint64_t total)
{
    struct plumb_list_cursor c = {0, false};
    struct plumb_slice item;

    while (plumb_list_next(&s->value, ',', &c, &item)) {
        struct plumb_cores b = {0};
        size_t fault = 0;

        if (plumb_cores_read(ck->scratch, &item, &b, &fault) && !plumb_cores_empty(&b) &&
            plumb_cores_last(&b).n >= total)
            return item.at;
    }
    return s->value.at;
}

/* The NUMA node or package whose CPU ids the numbers are; its cores are what was meant. */
static const struct plumb_hw_numa *cpu_ids_of(const struct plumb_hardware *hw,
                                              const struct plumb_cores *cores)
{
    struct plumb_cpus meant = plumb_cpus_written_as_cores(cores);

    for (size_t i = 0; hw != NULL && i < hw->numa_count; i++) {
        if (!plumb_cpus_empty(&hw->numa[i].cpus) && plumb_cpus_equal(&hw->numa[i].cpus, &meant) &&
            !plumb_cores_equal(&hw->numa[i].cores, cores))
            return &hw->numa[i];
    }
    return NULL;
}

/* What the shape of the node says about a line. */
static struct finding by_shape(const struct plumb_check *ck, const struct plumb_gres_view *v,
                               const struct plumb_gres_line *line)
{
    const struct plumb_setting *s = cores_setting(line);
    const struct plumb_hw_numa *numa = cpu_ids_of(v->nodes->hardware, &line->cores);
    struct finding f = {.fault = F_FINE};
    struct plumb_shape written, captured;

    if (s == NULL || !plumb_shape_written(v->nodes, &written))
        return f;

    enum plumb_core_fault fault = plumb_core_judge(&line->cores, &written);

    /* Where the node line is not the machine, that is the fault (NODE021). */
    if (plumb_shape_captured(ck, v->nodes, &captured) &&
        (captured.sockets != written.sockets || captured.cores != written.cores))
        fault = fault == PLUMB_CORES_BEYOND ? fault : PLUMB_CORES_FINE;
    if (fault == PLUMB_CORES_FINE)
        return f;

    const char *aside = plumb_cores_aside(ck->arena, v->nodes->hardware, &line->cores);

    f.at = s->value.at;
    f.second = plumb_span_known(v->nodes->cores_per_socket.at) ? v->nodes->cores_per_socket.at
                                                               : v->nodes->at;
    if (numa != NULL) {
        f.fault = F_CPU_IDS;
        f.second = numa->at;
        f.words = plumb_arena_printf(ck->arena,
                                     "Cores=%s are the kernel's CPU numbers of NUMA node %" PRIu32
                                     ", expected its cores, %s",
                                     s->value.text, numa->os_index.n,
                                     plumb_cores_words(ck->arena, NULL, &numa->cores));
    } else if (fault == PLUMB_CORES_BEYOND) {
        uint64_t total = written.sockets * written.cores;

        f.fault = F_BEYOND;
        f.at = beyond_place(ck, s, total);
        f.words = plumb_arena_printf(ck->arena,
                                     "Cores=%s goes beyond the %" PRIu64
                                     " cores of the node, expected numbers from 0 to %" PRIu64
                                     ": cores, not threads",
                                     s->value.text, total, total - 1);
    } else if (fault == PLUMB_CORES_CUT) {
        f.fault = F_CUT;
        f.words = plumb_arena_printf(
            ck->arena,
            "Cores=%s%s is part of a socket, expected whole sockets of %" PRIu64 " cores%s",
            s->value.text, aside, written.cores,
            plumb_core_drains(ck, fault) ? "" : ", which Slurm requires from 24.11 on");
    } else {
        f.fault = F_SEVERAL;
        f.words = plumb_arena_printf(ck->arena,
                                     "Cores=%s%s is several sockets of %" PRIu64
                                     " cores, expected one of them or all",
                                     s->value.text, aside, written.cores);
    }
    return f;
}

/* What the capture says: AutoDetect compares, people have to. */
static struct finding by_locality(const struct plumb_check *ck, const struct plumb_gres_view *v,
                                  const struct plumb_gres_line *line)
{
    struct plumb_devices devices = plumb_devices_of(ck, v);
    const struct plumb_setting *s = cores_setting(line);
    const struct plumb_hardware *hw = v->nodes->hardware;
    struct plumb_detections found = plumb_detections_of(ck, v);
    struct finding f = {.fault = F_FINE};

    for (size_t i = 0; s != NULL && i < devices.count; i++) {
        const struct plumb_hw_gpu *gpu = devices.items[i].gpu;
        const struct plumb_detected *own =
            gpu == NULL ? NULL : plumb_detected_gpu(&found, gpu->index);
        bool detects = own != NULL && own->has_cores;
        struct plumb_cores near;

        if (devices.items[i].line != line || gpu == NULL ||
            !plumb_device_cores(ck, v->nodes, gpu, &near))
            continue;
        if (detects ? plumb_cores_equal(&near, &line->cores)
                    : plumb_cores_overlap(&near, &line->cores))
            continue;
        f.fault = detects ? F_DETECTED : F_FAR;
        f.at = s->value.at;
        f.second = plumb_span_known(gpu->locality_at) ? gpu->locality_at : gpu->at;
        f.words =
            detects
                ? plumb_arena_printf(ck->arena,
                                     "Cores=%s for %s is not what AutoDetect finds, %s, so the "
                                     "GPU is dropped",
                                     s->value.text, devices.items[i].file,
                                     plumb_cores_words(ck->arena, hw, &near))
                : plumb_arena_printf(ck->arena,
                                     "Cores=%s%s is far from %s, which the capture puts near "
                                     "cores %s",
                                     s->value.text, plumb_cores_aside(ck->arena, hw, &line->cores),
                                     devices.items[i].file,
                                     plumb_cores_words(ck->arena, hw, &near));
        return f;
    }
    return f;
}

static struct finding judge(const struct plumb_check *ck, const struct plumb_gres_view *v,
                            const struct plumb_gres_line *line)
{
    struct finding shape = by_shape(ck, v, line), near;

    if (shape.fault == F_CPU_IDS || shape.fault == F_BEYOND)
        return shape;
    near = by_locality(ck, v, line);
    if (near.fault == F_DETECTED || shape.fault == F_FINE)
        return near;
    /* Where the release allows the shape, a far socket is the fault. */
    if (near.fault == F_FAR &&
        !plumb_core_drains(ck, shape.fault == F_CUT ? PLUMB_CORES_CUT : PLUMB_CORES_SEVERAL))
        return near;
    return shape;
}

/*
 * A list that is misread was reported (CONF020): it has one fault, whose outcome is that of the
 * cores that the daemons take it for.
 */
static void raise_misread(const struct plumb_check *ck, const struct which *w,
                          const struct plumb_gres_line *line)
{
    const struct plumb_setting *s = cores_setting(line);
    const struct plumb_era *now = plumb_era_now(ck, w->eras);
    enum plumb_effect effect = now == NULL ? ck->rule->effect : now->effect;

    for (size_t i = 0; effect != PLUMB_EFFECT_NONE && i < ck->sink->count; i++) {
        struct plumb_diag *d = ck->sink->items[i];

        if (!plumb_span_within(d->at, s->value.at) || strcmp(d->rule->code, "CONF020") != 0 ||
            d->effect != PLUMB_EFFECT_NONE)
            continue;
        plumb_outcome(ck, d, w->eras);
        if (w->fault == F_BEYOND && effect == PLUMB_EFFECT_DRAINS)
            plumb_outcome_other(ck, d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
        return;
    }
}

/* Cores= that could not be read, of which slurmd says all the same that it goes beyond the node. */
static bool unread_beyond(const struct plumb_check *ck, const struct plumb_gres_view *v,
                          const struct plumb_gres_line *line)
{
    const struct plumb_setting *s = cores_setting(line);
    struct plumb_shape written;

    return line->cores_bad && s != NULL && plumb_shape_written(v->nodes, &written) &&
           plumb_core_list_beyond(&s->value, written.sockets * written.cores) &&
           !plumb_gres_ambiguous(ck, v);
}

static void cores(const struct plumb_check *ck)
{
    const struct which *w = ck->rule->data;
    struct plumb_fold faults = plumb_fold_in(ck);
    struct plumb_gres_views views;

    if (plumb_era_quiet(ck, w->eras))
        return;
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];

        for (size_t l = 0; l < v->count; l++) {
            struct finding f;
            struct plumb_fold_item *item;

            if (w->fault == F_BEYOND && unread_beyond(ck, v, v->lines[l])) {
                raise_misread(ck, w, v->lines[l]);
                continue;
            }
            if (!v->lines[l]->has_cores || v->lines[l]->cores_bad || v->lines[l]->name == NULL ||
                plumb_gres_total(v->nodes, v->lines[l]->name) == 0)
                continue;
            f = judge(ck, v, v->lines[l]);
            if (f.fault != w->fault)
                continue;
            if (v->lines[l]->cores_misread) {
                raise_misread(ck, w, v->lines[l]);
                continue;
            }
            item = plumb_fold_at(&faults, f.at, v->hosts);
            if (item->what == NULL) {
                item->what = item->alike = f.words;
                item->second = f.second;
            }
        }
    }
    faults = plumb_fold_squeeze(ck, &faults);
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *item = faults.map.entries[i].value;
        struct plumb_diag *d = plumb_report(ck, item->at, "%s", (const char *)item->what);

        if (plumb_span_known(item->second))
            plumb_diag_note(d, item->second, "%s", w->note);
        plumb_fold_object(ck, d, item->hosts);
        plumb_outcome(ck, d, w->eras);
        /* gres.c:_parse_gres_config, "Invalid GRES data for gpu, Cores=": in every release */
        if (w->fault == F_BEYOND && d->effect == PLUMB_EFFECT_DRAINS)
            plumb_outcome_other(ck, d, PLUMB_EFFECT_COMPLAINS, PLUMB_SLURMD);
    }
}

/* NUMA007: what AutoDetect finds is held against the same law. */
static void detected_cores(const struct plumb_check *ck)
{
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_map seen = plumb_map_in(ck->scratch);

    for (size_t n = 0; n < views.count; n++) {
        const struct plumb_gres_view *v = &views.items[n];
        const struct plumb_hardware *hw = v->nodes->hardware;
        struct plumb_shape written, captured;
        struct plumb_detections found = plumb_detections_of(ck, v);
        struct plumb_span at = {0, 0, 0};
        const char *key;

        if (hw == NULL || plumb_gres_total(v->nodes, "gpu") == 0 ||
            !plumb_shape_written(v->nodes, &written) ||
            !plumb_shape_captured(ck, v->nodes, &captured) || captured.sockets != written.sockets ||
            captured.cores != written.cores ||
            (plumb_usable(hw->threads_per_core) && plumb_usable(v->nodes->threads_per_core) &&
             hw->threads_per_core.v != v->nodes->threads_per_core.v))
            continue;
        for (size_t i = 0; i < found.count; i++) {
            const struct plumb_hw_gpu *gpu = &hw->gpus[found.items[i].gpu.n];
            enum plumb_core_fault fault = plumb_core_judge(&gpu->cores, &written);

            if (!found.items[i].has_cores || fault == PLUMB_CORES_BEYOND ||
                !plumb_core_drains(ck, fault))
                continue;
            (void)plumb_autodetect(ck, v, &at);
            key = plumb_arena_printf(ck->scratch, "%s %" PRIu32, hw->name != NULL ? hw->name : "",
                                     at.begin);
            if (plumb_map_get(&seen, key) != NULL)
                break;
            plumb_map_set(&seen, key, &seen);

            struct plumb_diag *d = plumb_report(
                ck, at,
                "AutoDetect finds cores %s for %s of '%s', expected whole "
                "sockets of %" PRIu64 " cores",
                plumb_cores_words(ck->arena, hw, &gpu->cores), plumb_gpu_words(ck->arena, gpu),
                plumb_fold_hosts(ck, v->hosts), written.cores);

            plumb_diag_note(d, plumb_span_known(gpu->locality_at) ? gpu->locality_at : gpu->at,
                            "where the GPU is");
            plumb_fold_object(ck, d, v->hosts);
            plumb_outcome(ck, d, NULL);
            break;
        }
    }
}

/* NUMA008: _foreach_rebuild_topo gives the others all cores. */
static void some_without(const struct plumb_check *ck)
{
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_fold seen = plumb_fold_in(ck);

    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        const struct plumb_gres_line *with = NULL, *without = NULL;

        for (size_t l = 0; l < v->count; l++) {
            if (!plumb_gres_is(v->lines[l], "gpu"))
                continue;
            if (v->lines[l]->has_cores)
                with = with == NULL ? v->lines[l] : with;
            else if (!plumb_setting_bad(&v->lines[l]->settings, PLUMB_P_GRES_CORES))
                without = without == NULL ? v->lines[l] : without;
        }
        if (with == NULL || without == NULL || with->cores_bad || plumb_autodetects(ck, v) ||
            plumb_gres_total(v->nodes, "gpu") == 0 || plumb_fold_seen(&seen, without->at))
            continue;

        struct plumb_diag *d = plumb_report(
            ck, plumb_gres_name_at(without),
            "this line of 'gpu' has no Cores, another one has, so its GPUs get all cores");

        plumb_diag_note(d, cores_setting(with)->value.at, "the line with Cores");
        plumb_outcome(ck, d, NULL);
    }
}

static const struct which cpu_ids = {F_CPU_IDS, &beyond_eras, "the NUMA node in the capture"};
static const struct which beyond = {F_BEYOND, &beyond_eras, "the node's cores"};
static const struct which cut = {F_CUT, &cut_eras, "the node's sockets"};
static const struct which several = {F_SEVERAL, &several_eras, "the node's sockets"};
static const struct which far = {F_FAR, NULL, "where the GPU is"};
static const struct which detected = {F_DETECTED, NULL, "where the GPU is"};

#define CORES(which) .needs = PLUMB_FACT_MODEL, .run = cores, .data = &(which)

static const struct plumb_rule rows[] = {
    {
        .code = "NUMA001",
        .name = "cores-beyond-node",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Cores names a core that the node does not have",
        .why = "slurmd calls the data invalid; from 24.11 on the GPUs of the line do not count and "
               "the node is drained. Cores counts cores, never threads.",
        .ref = "gres.conf(5), Cores; gres.c:_parse_gres_config",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=16 Gres=gpu:1\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Cores=0-15,32-47",
        .good = "NodeName=g Sockets=2 CoresPerSocket=16 Gres=gpu:1\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Cores=0-15",
        CORES(beyond),
    },
    {
        .code = "NUMA002",
        .name = "cores-cut-socket",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Cores is part of a socket",
        .why = "From 24.11 on the node registers as invalid and is drained; before, it works.",
        .ref = "gres.conf(5), Cores; gres.c:_check_core_range_matches_sock",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=64 Gres=gpu:1\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Cores=0-31",
        .good = "NodeName=g Sockets=2 CoresPerSocket=64 Gres=gpu:1\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Cores=0-63",
        CORES(cut),
    },
    {
        .code = "NUMA003",
        .name = "cores-several-sockets",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Cores is several whole sockets, but not all",
        .why = "From 25.11 on the node registers as invalid and is drained; before, it works.",
        .ref = "gres.conf(5), Cores; gres.c:_check_core_range_matches_sock",
        .bad = "NodeName=g Sockets=4 CoresPerSocket=4 Gres=gpu:1\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Cores=0-7",
        .good = "NodeName=g Sockets=4 CoresPerSocket=4 Gres=gpu:1\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Cores=0-3",
        CORES(several),
    },
    {
        .code = "NUMA004",
        .name = "cores-far",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "Cores is far from the captured GPU",
        .why = "Jobs of the GPU run on the other socket; no daemon can know.",
        .ref = "gres.conf(5), Cores",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-1] Cores=4-7   # the captures place them at cores 0-3\n"
               "Name=gpu File=/dev/nvidia[2-3] Cores=0-3   # and these at 4-7",
        .good = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\n"
                "Name=gpu File=/dev/nvidia[2-3] Cores=4-7",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = cores,
        .data = &far,
    },
    {
        .code = "NUMA005",
        .name = "cores-are-cpu-ids",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Cores holds CPU numbers of the kernel",
        .why = "Slurm counts cores, package by package: the numbers mean other cores, or none.",
        .ref = "gres.conf(5), Cores; xcpuinfo.c:xcpuinfo_abs_to_mac",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-1] Cores=0-3,8-11    # the CPU Affinity of nvidia-smi\n"
               "Name=gpu File=/dev/nvidia[2-3] Cores=4-7,12-15",
        .good = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\n"
                "Name=gpu File=/dev/nvidia[2-3] Cores=4-7",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = cores,
        .data = &cpu_ids,
    },
    {
        .code = "NUMA006",
        .name = "cores-not-detected",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "Cores differs from what AutoDetect finds",
        .why = "A written value that contradicts the detected one removes the GPU.",
        .ref = "gres.conf(5), AutoDetect; gres_gpu.c",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
               "# gres.conf\n"
               "AutoDetect=nvml\n"
               "Name=gpu File=/dev/nvidia[0-1] Cores=4-7   # nvml finds 0-3\n"
               "Name=gpu File=/dev/nvidia[2-3] Cores=0-3   # nvml finds 4-7",
        .good = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
                "# gres.conf\n"
                "AutoDetect=nvml",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = cores,
        .data = &detected,
    },
    {
        .code = "NUMA007",
        .name = "detected-cores-cut-socket",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "the cores that AutoDetect finds are no whole sockets",
        .why = "A GPU's NUMA node is part of its socket: the node registers as invalid and is "
               "drained. SlurmdParameters=numa_node_as_socket makes NUMA nodes sockets.",
        .ref = "slurm.conf(5), SlurmdParameters; gres.c:_check_core_range_matches_sock",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4\n"
               "# gres.conf\n"
               "AutoDetect=nvml   # finds cores 0-1, a NUMA node: half a socket",
        .good = "SlurmdParameters=numa_node_as_socket\n"
                "NodeName=g Sockets=4 CoresPerSocket=2 ThreadsPerCore=2 Gres=gpu:4\n"
                "# gres.conf\n"
                "AutoDetect=nvml",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = detected_cores,
    },
    {
        .code = "NUMA008",
        .name = "cores-on-some-lines",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMCTLD),
        .summary = "some lines of gpu have Cores, some have none",
        .why = "The others get all cores.",
        .ref = "gres.conf(5), Cores; gres.c:_foreach_rebuild_topo",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=16 Gres=gpu:2\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Cores=0-15\n"
               "Name=gpu File=/dev/nvidia1",
        .good = "NodeName=g Sockets=2 CoresPerSocket=16 Gres=gpu:2\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Cores=0-15\n"
                "Name=gpu File=/dev/nvidia1 Cores=16-31",
        .needs = PLUMB_FACT_MODEL,
        .run = some_without,
    },
    {
        .code = "NUMA010",
        .name = "cores-of-half-sockets",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "Cores is counted as if sockets had fewer cores",
        .why = "Some GPUs are tied to cores of the wrong socket, and the last cores to no GPU. No "
               "daemon before 24.11 says so.",
        .ref = "gres.conf(5), Cores; xcpuinfo.c:xcpuinfo_abs_to_mac",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=64 Gres=gpu:8\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia[0-3] Cores=0-31\n"
               "Name=gpu File=/dev/nvidia[4-7] Cores=32-63",
        .good = "NodeName=g Sockets=2 CoresPerSocket=64 Gres=gpu:8\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia[0-3] Cores=0-63\n"
                "Name=gpu File=/dev/nvidia[4-7] Cores=64-127",
        .needs = PLUMB_FACT_MODEL,
        .run = plumb_half_sockets,
    },
};

const struct plumb_rule_family plumb_numa_rules = {
    .prefix = "NUMA",
    .title = "Cores, sockets, NUMA nodes",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
