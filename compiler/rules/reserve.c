/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about what node lines set aside: memory and cores of the system, cores of GPUs. */
#include <inttypes.h>

#include "rules/gres_view.h"

#define P(name) PLUMB_P_SLURM_##name
#define N(name) PLUMB_P_NODE_##name

static struct plumb_u64 number(const struct plumb_check *ck, const struct plumb_nodes *n,
                               enum plumb_param_id id)
{
    return plumb_setting_u64(&n->settings, id, ck->model->release);
}

/* What keeps slurmd from confining jobs to their memory; NULL: nothing, or nobody knows. */
static const char *unconfined(const struct plumb_check *ck, struct plumb_span *at)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *task = plumb_global(ck, P(TASKPLUGIN));
    const struct plumb_setting *plugin = plumb_global(ck, PLUMB_P_CGROUP_CGROUPPLUGIN);
    struct plumb_bool ram, swap;

    if (plumb_setting_bad(plumb_slurm(m), P(TASKPLUGIN)) || m->unread[PLUMB_SLURM_CONF])
        return NULL;
    if (task == NULL)
        return "TaskPlugin is not set";
    *at = task->value.at;
    if (!plumb_slice_holds(&task->value, "cgroup"))
        return "TaskPlugin lacks task/cgroup";
    if (!m->present[PLUMB_CGROUP_CONF] || m->unread[PLUMB_CGROUP_CONF])
        return NULL;
    if (plugin != NULL && plumb_slice_is(&plugin->value, "disabled"))
        return NULL; /* JOB008: task/cgroup does not start */
    ram = plumb_setting_bool(plumb_cgroup(m), PLUMB_P_CGROUP_CONSTRAINRAMSPACE, m->release);
    swap = plumb_setting_bool(plumb_cgroup(m), PLUMB_P_CGROUP_CONSTRAINSWAPSPACE, m->release);
    if (!plumb_usable(ram) || !plumb_usable(swap) || ram.v || swap.v)
        return NULL;
    *at = ram.origin == PLUMB_GIVEN ? ram.at : m->file_at[PLUMB_CGROUP_CONF];
    return "ConstrainRAMSpace of cgroup.conf is off";
}

/* Else NODE008 tells that the limit is dropped. */
static bool leaves_some(const struct plumb_check *ck, const struct plumb_nodes *n, uint64_t limit)
{
    struct plumb_u64 real = number(ck, n, N(REALMEMORY));

    return real.origin != PLUMB_BAD &&
           (plumb_written(real) ? limit < real.v : ck->model->from_spec);
}

/* NODE040: slurmd.c:_memory_spec_init, cgroup.c:cgroup_memcg_job_confinement */
static void memory_not_kept(const struct plumb_check *ck)
{
    struct plumb_fold faults = plumb_fold_in(ck);
    struct plumb_span at = {0, 0, 0};
    const char *why = unconfined(ck, &at);

    for (size_t i = 0; why != NULL && i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 limit = number(ck, n, N(MEMSPECLIMIT));

        if (plumb_written(limit) && limit.v > 0 && leaves_some(ck, n, limit.v))
            plumb_fold_at(&faults, limit.at, n->hosts)->a = limit.v;
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        struct plumb_diag *d = plumb_report(
            ck, f->at,
            "MemSpecLimit=%" PRIu64 " of '%s' holds slurmd to nothing, as %s, expected task/cgroup "
            "and ConstrainRAMSpace=yes",
            f->a, plumb_fold_hosts(ck, f->hosts), why);

        if (plumb_span_known(at))
            plumb_diag_note(d, at, "decided here");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, NULL);
    }
}

static bool sets_cores_aside(const struct plumb_check *ck, const struct plumb_nodes *n)
{
    struct plumb_u64 count = number(ck, n, N(CORESPECCOUNT));

    return n->hosts == NULL || plumb_setting(&n->settings, N(CPUSPECLIST)) != NULL ||
           plumb_setting_bad(&n->settings, N(CPUSPECLIST)) || count.origin == PLUMB_BAD ||
           (plumb_written(count) && count.v > 0);
}

/* NODE041: slurmd.c:_core_spec_init returns before it looks at the word. */
static void off_nothing(const struct plumb_check *ck)
{
    const struct plumb_model *m = ck->model;
    const struct plumb_setting *s = plumb_global(ck, P(TASKPLUGINPARAM));
    struct plumb_slice word;

    if (s == NULL || !plumb_list_find(&s->value, "SlurmdOffSpec", &word) || m->node_count == 0 ||
        m->nodes_unread || plumb_global(ck, P(MAXNODECOUNT)) != NULL)
        return;
    for (size_t i = 0; i < m->node_count; i++) {
        if (sets_cores_aside(ck, &m->nodes[i]))
            return;
    }
    plumb_outcome(ck,
                  plumb_report(ck, word.at,
                               "'SlurmdOffSpec' moves slurmd off no core, as no node sets one "
                               "aside, expected CoreSpecCount or CPUSpecList on node lines"),
                  NULL);
}

/* The cores that a line of gres.conf ties its devices to, less those of lines above it. */
static uint64_t take_cores(struct plumb_arena *a, struct plumb_cores *taken,
                           const struct plumb_cores *cores, uint64_t want)
{
    uint64_t found = 0;

    for (struct plumb_core c = plumb_cores_first(cores); plumb_core_known(c) && found < want;
         c = plumb_cores_after(cores, c)) {
        if (plumb_cores_has(taken, c))
            continue;
        plumb_cores_add(a, taken, c);
        found++;
    }
    return found;
}

enum gpu_cores {
    CORES_ENOUGH, /* or not known */
    CORES_NO_GPU,
    CORES_NOT_TIED,
    CORES_FEW,
};

struct restricted {
    enum gpu_cores verdict;
    struct plumb_span second;
    uint64_t want, have;
};

/* node_mgr.c:_set_gpu_spec, device by device. Cores of CoreSpecCount count as free here. */
static struct restricted restricted(const struct plumb_check *ck, const struct plumb_gres_view *v,
                                    uint64_t per_gpu)
{
    struct restricted r = {.verdict = CORES_ENOUGH};
    struct plumb_cores taken = {0};
    bool tied = false, lines = false;

    if (plumb_gres_bad(v->nodes, "gpu"))
        return r;
    if (!plumb_gres_known(ck) || plumb_autodetects(ck, v))
        return r;
    for (size_t i = 0; i < v->count; i++) {
        const struct plumb_gres_line *line = v->lines[i];
        uint64_t want, have;

        if (!plumb_gres_is(line, "gpu"))
            continue;
        lines = true;
        r.second = plumb_gres_name_at(line);
        if (line->cores_bad || line->cores_misread || !plumb_usable(line->count))
            return (struct restricted){.verdict = CORES_ENOUGH};
        if (!line->has_cores)
            continue;
        tied = true;
        want = per_gpu * line->count.v;
        have = take_cores(ck->scratch, &taken, &line->cores, want);
        if (have < want)
            return (struct restricted){
                CORES_FEW, plumb_setting_at(&line->settings, PLUMB_P_GRES_CORES), want, have};
    }
    if (lines && !tied)
        r.verdict = CORES_NOT_TIED;
    return r;
}

static const char *restricted_words(const struct plumb_check *ck, const struct restricted *r)
{
    switch (r->verdict) {
    case CORES_NO_GPU:
        return "the nodes have no GPU, expected Gres=gpu:... or no RestrictedCoresPerGPU";
    case CORES_NOT_TIED:
        return "no line of gres.conf ties their GPUs to cores, expected Cores";
    case CORES_FEW:
        return plumb_arena_printf(ck->arena,
                                  "the GPUs of one line of gres.conf would need %" PRIu64
                                  " cores of their own and find %" PRIu64,
                                  r->want, r->have);
    case CORES_ENOUGH:
        break;
    }
    return "";
}

static bool wants_cores(struct plumb_u64 per_gpu)
{
    return plumb_written(per_gpu) && per_gpu.v > 0 && per_gpu.v <= UINT16_MAX;
}

static void blame(struct plumb_fold *faults, struct plumb_u64 per_gpu,
                  const struct plumb_hostlist *hosts, const struct restricted *r)
{
    struct plumb_fold_item *f = plumb_fold_at(faults, per_gpu.at, hosts);

    f->what = f->what == NULL ? r : f->what;
    f->a = per_gpu.v;
}

/* NODE042 */
static void gpu_cores(const struct plumb_check *ck)
{
    static const struct plumb_era rows[] = {
        {PLUMB_22_05, PLUMB_INFO, PLUMB_EFFECT_NONE, 0, true}, /* CONF004 */
        {PLUMB_24_05, PLUMB_ERROR, PLUMB_EFFECT_DRAINS, PLUMB_SLURMCTLD, false},
    };
    static const struct plumb_eras eras = PLUMB_ERAS(rows);
    struct plumb_fold faults = plumb_fold_in(ck);
    struct plumb_gres_views views;

    if (plumb_era_quiet(ck, &eras))
        return;
    for (size_t i = 0; i < ck->model->node_count; i++) {
        static const struct restricted none = {.verdict = CORES_NO_GPU};
        const struct plumb_nodes *n = &ck->model->nodes[i];
        struct plumb_u64 per_gpu = number(ck, n, N(RESTRICTEDCORESPERGPU));

        if (wants_cores(per_gpu) && n->hosts != NULL && plumb_gres_total(n, "gpu") == 0 &&
            !plumb_gres_bad(n, "gpu") && !plumb_setting_bad(&n->settings, PLUMB_P_NODE_GRES))
            blame(&faults, per_gpu, n->hosts, &none);
    }
    views = plumb_gres_views(ck);
    for (size_t i = 0; i < views.count; i++) {
        struct plumb_u64 per_gpu = number(ck, views.items[i].nodes, N(RESTRICTEDCORESPERGPU));
        struct restricted *r = NULL;

        if (!wants_cores(per_gpu) || plumb_gres_total(views.items[i].nodes, "gpu") == 0)
            continue;
        r = PLUMB_NEW(ck->scratch, struct restricted);
        *r = restricted(ck, &views.items[i], per_gpu.v);
        if (r->verdict != CORES_ENOUGH)
            blame(&faults, per_gpu, views.items[i].hosts, r);
    }
    for (size_t i = 0; i < faults.map.count; i++) {
        const struct plumb_fold_item *f = faults.map.entries[i].value;
        const struct restricted *r = f->what;
        struct plumb_diag *d =
            plumb_report(ck, f->at, "RestrictedCoresPerGPU=%" PRIu64 " cannot be had on '%s': %s",
                         f->a, plumb_fold_hosts(ck, f->hosts), restricted_words(ck, r));

        if (plumb_span_known(r->second))
            plumb_diag_note(d, r->second, "the line");
        plumb_fold_object(ck, d, f->hosts);
        plumb_outcome(ck, d, &eras);
    }
}

#define FROM_MODEL(function) .needs = PLUMB_FACT_MODEL, .run = (function)

static const struct plumb_rule rows[] = {
    {
        .code = "NODE040",
        .name = "mem-spec-unconfined",
        PLUMB_OUTCOME(WARNING, COMPLAINS, SLURMD),
        .summary = "MemSpecLimit without task/cgroup that confines memory",
        .why = "Jobs are placed as if the memory were set aside, but slurmd and the system are not "
               "held to it: they and the jobs meet in the same memory.",
        .ref = "slurm.conf(5), MemSpecLimit; slurmd.c:_memory_spec_init",
        .bad = "NodeName=n1 CPUs=4 RealMemory=8000 MemSpecLimit=500",
        .good = "TaskPlugin=task/cgroup,task/affinity\n"
                "NodeName=n1 CPUs=4 RealMemory=8000 MemSpecLimit=500",
        FROM_MODEL(memory_not_kept),
    },
    {
        .code = "NODE041",
        .name = "slurmd-off-nothing",
        PLUMB_OUTCOME(WARNING, IGNORED, SLURMD),
        .summary = "SlurmdOffSpec without cores that are set aside",
        .why = "slurmd stays on all cores, those of the jobs among them.",
        .ref = "slurm.conf(5), SlurmdOffSpec; slurmd.c:_core_spec_init",
        .bad = "TaskPluginParam=SlurmdOffSpec\nNodeName=n1 CPUs=4",
        .good = "TaskPluginParam=SlurmdOffSpec\nNodeName=n1 CPUs=4 CoreSpecCount=1",
        FROM_MODEL(off_nothing),
    },
    {
        .code = "NODE042",
        .name = "gpu-cores-not-there",
        PLUMB_OUTCOME(ERROR, DRAINS, SLURMCTLD),
        .summary = "RestrictedCoresPerGPU asks for cores that no GPU has",
        .why = "The node registers as invalid and is drained.",
        .ref = "slurm.conf(5), RestrictedCoresPerGPU; node_mgr.c:_set_gpu_spec",
        .bad = "NodeName=n1 CPUs=4 RestrictedCoresPerGPU=1",
        .good = "GresTypes=gpu\nNodeName=n1 CPUs=4 Gres=gpu:1 RestrictedCoresPerGPU=1",
        FROM_MODEL(gpu_cores),
    },
};

const struct plumb_rule_family plumb_reserve_rules = {
    .prefix = "NODE",
    .title = "What node lines set aside",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
