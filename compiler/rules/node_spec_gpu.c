/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPUSpecList against the machine and its GPUs. It holds Slurm's CPUs, core by core with all
 * threads, in every release (node_conf.c:_convert_cpu_spec_list, build_node_spec_bitmap), and never
 * numbers of the system.
 */
#include <inttypes.h>

#include "model/index_map.h"
#include "model/index_words.h"
#include "rules/ask.h"
#include "rules/device.h"
#include "rules/gres_judge.h"

#define N(name) PLUMB_P_NODE_##name

/* What the CPUSpecList of a node line sets aside. */
struct aside {
    const struct plumb_setting *list;
    struct plumb_slurm_cpus cpus;
    struct plumb_cores cores;
    uint32_t threads, core_count;
};

/* False: there is no list, it is reported, or what it means cannot be told. */
static bool read_aside(const struct plumb_check *ck, const struct plumb_nodes *n, struct aside *out)
{
    struct plumb_shape shape;
    uint64_t cores = 0;
    size_t fault = 0;

    *out = (struct aside){.list = plumb_setting(&n->settings, N(CPUSPECLIST))};
    if (out->list == NULL || !plumb_usable(n->cpus) || plumb_shapeless(ck, n) ||
        !plumb_shape_written(n, &shape))
        return false;
    cores = shape.sockets * shape.cores;
    if (n->cpus.v < cores || n->cpus.v % cores != 0 || n->cpus.v > UINT16_MAX ||
        !plumb_slurm_cpus_read(ck->scratch, &out->list->value, &out->cpus, &fault) ||
        plumb_slurm_cpus_empty(&out->cpus) || plumb_slurm_cpus_last(&out->cpus).n >= n->cpus.v)
        return false;
    out->core_count = (uint32_t)cores;
    out->threads = (uint32_t)(n->cpus.v / cores);
    out->cores = plumb_cores_of_slurm_cpus(ck->scratch, &out->cpus, out->threads);
    return plumb_cores_count(&out->cores) < cores;
}

static const char *words_of(const struct plumb_check *ck, const struct plumb_gres_view *v,
                            const struct plumb_cores *cores, const char *device)
{
    return plumb_arena_printf(ck->arena,
                              "what is set aside on '%s' holds cores %s, all that are near %s, "
                              "expected some of them left to jobs",
                              plumb_fold_hosts(ck, v->hosts),
                              plumb_cores_words(ck->arena, v->nodes->hardware, cores), device);
}

/* A line whose Cores are all set aside; NULL where AutoDetect finds the cores instead. */
static const char *by_lines(const struct plumb_check *ck, const struct plumb_gres_view *v,
                            const struct aside *a, struct plumb_span *second)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_gres_line *line = v->lines[i];

        if (!plumb_gres_is(line, "gpu") || !line->has_cores || line->cores_bad ||
            line->cores_misread || plumb_cores_empty(&line->cores) ||
            !plumb_cores_within(&line->cores, &a->cores))
            continue;
        *second = plumb_gres_line_place(line, PLUMB_P_GRES_CORES);
        return words_of(ck, v, &line->cores,
                        line->files == NULL
                            ? "its GPUs"
                            : plumb_arena_printf(ck->arena, "'%s'",
                                                 plumb_hostlist_str(ck->arena, line->files)));
    }
    return NULL;
}

static const char *by_capture(const struct plumb_check *ck, const struct plumb_gres_view *v,
                              const struct aside *a, struct plumb_span *second)
{
    const struct plumb_hardware *hw = v->nodes->hardware;

    if (hw == NULL || !plumb_autodetects(ck, v) || plumb_gres_total(v->nodes, "gpu") == 0 ||
        hw->core_count.v != a->core_count)
        return NULL;
    for (size_t i = 0; i < hw->gpu_count; i++) {
        const struct plumb_hw_gpu *gpu = &hw->gpus[i];

        if (plumb_cores_empty(&gpu->cores) || !plumb_cores_within(&gpu->cores, &a->cores))
            continue;
        *second = plumb_span_known(gpu->locality_at) ? gpu->locality_at : gpu->at;
        return words_of(ck, v, &gpu->cores, plumb_gpu_words(ck->arena, gpu));
    }
    return NULL;
}

/* NODE047 */
static void all_cores_of_gpu(const struct plumb_check *ck)
{
    struct plumb_gres_views views = plumb_gres_views(ck);
    struct plumb_fold seen = plumb_fold_in(ck);

    for (size_t i = 0; i < views.count; i++) {
        const struct plumb_gres_view *v = &views.items[i];
        struct plumb_span second = {0, 0, 0};
        const char *words = NULL;
        struct aside a;

        if (!read_aside(ck, v->nodes, &a) || plumb_gres_total(v->nodes, "gpu") == 0)
            continue;
        words = plumb_autodetects(ck, v) ? NULL : by_lines(ck, v, &a, &second);
        if (words == NULL)
            words = by_capture(ck, v, &a, &second);
        if (words == NULL || plumb_fold_seen(&seen, a.list->value.at))
            continue;

        struct plumb_diag *d = plumb_report(ck, a.list->value.at, "%s", words);

        plumb_diag_note(d, second, "the cores near it");
        plumb_fold_object(ck, d, v->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

/* Each core has all its threads in the set. */
static bool whole_slurm_cores(const struct plumb_check *ck, const struct aside *a)
{
    struct plumb_slurm_cpus all = {0};

    for (struct plumb_core c = plumb_cores_first(&a->cores); plumb_core_known(c);
         c = plumb_cores_after(&a->cores, c))
        plumb_slurm_cpus_add_core(ck->scratch, &all, c, a->threads);
    return plumb_slurm_cpus_equal(&all, &a->cpus);
}

/* The numbers as CPUs of the system are cores with all their threads: those cores. */
static bool whole_system_cores(const struct plumb_check *ck, const struct plumb_hardware *hw,
                               const struct aside *a, struct plumb_cores *out)
{
    struct plumb_cpus meant = plumb_cpus_written_as_slurm_cpus(&a->cpus), all;

    *out = plumb_cores_of_cpus(ck->scratch, hw, &meant);
    return !plumb_cores_empty(out) && plumb_cpus_of_cores(ck->scratch, hw, out, &all) &&
           plumb_cpus_equal(&all, &meant);
}

/*
 * One thread of each core, the first: Slurm takes the others too (slurm.conf(5)), so that somebody
 * can mean it. With two packages the siblings of the system's CPU 0 are written just like that.
 */
static bool first_threads(const struct aside *a)
{
    for (struct plumb_slurm_cpu c = plumb_slurm_cpus_first(&a->cpus); plumb_slurm_cpu_known(c);
         c = plumb_slurm_cpus_after(&a->cpus, c)) {
        if (c.n % a->threads != 0)
            return false;
    }
    return true;
}

static const char *slurms_numbers(const struct plumb_check *ck, const struct aside *a,
                                  const struct plumb_cores *cores)
{
    struct plumb_slurm_cpus cpus = {0};
    struct plumb_buf text = plumb_buf_in(ck->arena);

    for (struct plumb_core c = plumb_cores_first(cores); plumb_core_known(c);
         c = plumb_cores_after(cores, c))
        plumb_slurm_cpus_add_core(ck->scratch, &cpus, c, a->threads);
    plumb_slurm_cpus_text(&cpus, &text);
    return plumb_buf_text(&text);
}

static void report_numbers(const struct plumb_check *ck, const struct plumb_nodes *n,
                           const struct aside *a, const struct plumb_cores *meant)
{
    bool both = first_threads(a);
    const char *taken = plumb_cores_words(ck->arena, n->hardware, &a->cores);
    const char *system = plumb_cores_words(ck->arena, NULL, meant);
    const char *what = both
                           ? plumb_arena_printf(ck->arena,
                                                "sets aside cores %s; where these are the system's "
                                                "numbers of cores %s",
                                                taken, system)
                           : plumb_arena_printf(ck->arena,
                                                "are the system's numbers of cores %s and set "
                                                "aside cores %s",
                                                system, taken);
    struct plumb_diag *d = plumb_report(
        ck, a->list->value.at, "CPUSpecList=%s of '%s' %s, expected Slurm's, '%s'",
        a->list->value.text, plumb_fold_hosts(ck, n->hosts), what, slurms_numbers(ck, a, meant));

    plumb_diag_note(d, n->hardware->at, "the machine");
    plumb_fold_object(ck, d, n->hosts);
    if (both)
        plumb_outcome_is(ck, d, PLUMB_INFO, PLUMB_EFFECT_NONE, PLUMB_SLURM_ALL);
    else
        plumb_outcome(ck, d, NULL);
}

/* NODE048 */
static void numbers_of_the_system(const struct plumb_check *ck)
{
    struct plumb_fold seen = plumb_fold_in(ck);

    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        const struct plumb_hardware *hw = n->hardware;
        struct plumb_cores meant;
        struct aside a;

        if (hw == NULL || hw->incomplete_cpus || n->core_threads > 0 || !read_aside(ck, n, &a) ||
            a.threads < 2 || hw->core_count.v != a.core_count || whole_slurm_cores(ck, &a) ||
            !whole_system_cores(ck, hw, &a, &meant) || plumb_fold_seen(&seen, a.list->value.at))
            continue;
        report_numbers(ck, n, &a, &meant);
    }
}

static const struct plumb_rule rows[] = {
    {
        .code = "NODE047",
        .name = "gpu-cores-set-aside",
        PLUMB_OUTCOME(WARNING, NONE, SLURMCTLD),
        .summary = "CPUSpecList sets aside all cores near a GPU",
        .why = "Jobs of the GPU run on cores of another socket, and none that asks for near cores "
               "gets it.",
        .ref = "slurm.conf(5), CPUSpecList; gres.conf(5), Cores; "
               "node_conf.c:build_node_spec_bitmap",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:2 CPUSpecList=0-7\n"
               "# gres.conf\n"
               "Name=gpu File=/dev/nvidia0 Cores=0-3\n"
               "Name=gpu File=/dev/nvidia1 Cores=4-7",
        .good = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:2 "
                "CPUSpecList=0-1,8-9\n"
                "# gres.conf\n"
                "Name=gpu File=/dev/nvidia0 Cores=0-3\n"
                "Name=gpu File=/dev/nvidia1 Cores=4-7",
        .needs = PLUMB_FACT_MODEL,
        .run = all_cores_of_gpu,
    },
    {
        .code = "NODE048",
        .name = "cpu-spec-of-system",
        PLUMB_OUTCOME(WARNING, NONE, SLURM_ALL),
        .summary = "CPUSpecList holds CPU numbers of the system",
        .why = "Slurm counts core by core, all threads of one beside each other: other cores are "
               "set aside, and more of them.",
        .ref = "slurm.conf(5), CPUSpecList; node_conf.c:_convert_cpu_spec_list",
        .bad = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4 "
               "CPUSpecList=1,9   # core 1 as lscpu numbers it",
        .good = "NodeName=g Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 Gres=gpu:4 "
                "CPUSpecList=2-3",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = numbers_of_the_system,
    },
};

const struct plumb_rule_family plumb_node_spec_gpu_rules = {
    .prefix = "NODE",
    .title = "Node lines: what is set aside, GPUs",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
