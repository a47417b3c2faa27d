/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Submission templates: one for each class of nodes with GPUs and each number of GPUs whose place
 * is known. A task for each GPU, with its share of the cores near it.
 */
#include "jobs/jobs.h"

#include <string.h>

#include "model/index_map.h"
#include "schema/value.h"

struct script {
    const struct plumb_emit *em;
    struct plumb_arena *a;
    const struct plumb_nodes *n;
    const struct plumb_gres_item *gpu;
    const struct plumb_binding_ask *ask;
    struct plumb_binding b;
    struct plumb_jobs_place place;
    uint64_t nodes;
    const char *name; /* "h100-4gpu" */
    struct plumb_lines *l;
};

static void option(struct script *s, const char *name, const char *value, struct plumb_span cause)
{
    struct plumb_buf b = plumb_buf_in(s->a);

    plumb_buf_printf(&b, "#SBATCH --%s=", name);
    plumb_shell_quote(&b, value);
    plumb_lines_add(s->l, plumb_buf_text(&b), cause);
}

static void option_u64(struct script *s, const char *name, uint64_t value, struct plumb_span cause)
{
    option(s, name, plumb_arena_printf(s->a, "%llu", (unsigned long long)value), cause);
}

static void put_place(struct script *s)
{
    const struct plumb_partition *p = s->place.partition;
    struct plumb_buf time = plumb_buf_in(s->a);

    option(s, "partition", p->name.v, p->at);
    if (s->place.accounts != NULL)
        plumb_lines_comment(
            s->l, plumb_arena_printf(s->a, "your account, one of %s:", s->place.accounts));
    if (s->place.account != NULL)
        option(s, "account", s->place.account, p->at);
    if (s->place.qos != NULL)
        option(s, "qos", s->place.qos, plumb_setting_at(&p->settings, PLUMB_P_PART_ALLOWQOS));
    if (s->place.constraint != NULL)
        option(s, "constraint", s->place.constraint, s->n->at);
    plumb_value_write_minutes(&time, s->place.minutes);
    option(s, "time", plumb_buf_text(&time), p->at);
}

static void put_size(struct script *s)
{
    const struct plumb_gres_item *g = s->gpu;
    struct plumb_span cores = s->n->hardware->gpus[0].locality_at;

    option_u64(s, "nodes", s->nodes, s->n->at);
    option_u64(s, "ntasks-per-node", s->b.gpus, g->at);
    option_u64(s, "cpus-per-task", s->b.cpus_per_task, cores);
    option(s, "gres",
           g->type != NULL ? plumb_arena_printf(s->a, "gpu:%s:%u", g->type, (unsigned)s->b.gpus)
                           : plumb_arena_printf(s->a, "gpu:%u", (unsigned)s->b.gpus),
           g->at);
}

static const char *words(struct plumb_arena *a, const struct plumb_bits *bits)
{
    struct plumb_buf b = plumb_buf_in(a);

    plumb_bits_text(bits, &b);
    return plumb_buf_text(&b);
}

/* What each task has on an idle node, in the numbers that nvidia-smi and lscpu show. */
static void put_tasks(struct script *s)
{
    const struct plumb_hardware *hw = s->n->hardware;

    plumb_lines_comment(s->l, "On an idle node (SLURM_LOCALID, GPU, CPUs of the system, NUMA "
                              "node):");
    for (uint32_t t = 0; t < s->b.gpus; t++) {
        const struct plumb_binding_task *task = &s->b.tasks[t];
        uint32_t numa = plumb_numa_id_of(hw, hw->gpus[task->gpu.n].numa).n;

        plumb_lines_comment(
            s->l, plumb_arena_printf(s->a, "  %u: GPU %u, CPUs %s%s", (unsigned)t,
                                     (unsigned)task->gpu.n, words(s->a, &task->cpus.bits),
                                     numa == PLUMB_NO_INDEX
                                         ? ""
                                         : plumb_arena_printf(s->a, ", NUMA %u", (unsigned)numa)));
    }
}

/* The variable in which the GPUs of a step stand (gres_gpu.c, gpu_common.c). */
static const char *variable(const struct script *s)
{
    switch (plumb_hardware_vendor(&s->n->hardware->gpus[0])) {
    case PLUMB_GPU_AMD:
        return "ROCR_VISIBLE_DEVICES";
    case PLUMB_GPU_INTEL:
        return "ZE_AFFINITY_MASK";
    case PLUMB_GPU_NVIDIA:
        break;
    }
    return "CUDA_VISIBLE_DEVICES";
}

/* GPUs in the order of the tasks, where they are in another one. */
static void put_order(struct script *s)
{
    struct plumb_buf b = plumb_buf_in(s->a);
    bool same = true;

    plumb_buf_printf(&b, "export %s=", variable(s));
    for (uint32_t t = 0; t < s->b.gpus; t++) {
        uint32_t place = plumb_binding_place(s->ask, &s->b, t);

        plumb_buf_printf(&b, "%s${gpu[%u]}", t > 0 ? "," : "", (unsigned)place);
        same = same && place == t;
    }
    if (same)
        return;
    plumb_lines_add(s->l, plumb_arena_printf(s->a, "IFS=, read -ra gpu <<<\"$%s\"", variable(s)),
                    (struct plumb_span){0});
    plumb_lines_add(s->l, plumb_buf_text(&b), s->n->hardware->gpus[0].locality_at);
}

/* srun of 22.05 to 23.02 takes no --cpus-per-task from sbatch, so it is said to all. */
static void put_srun(struct script *s)
{
    const struct plumb_span none = {0};
    struct plumb_span cores = s->n->hardware->gpus[0].locality_at;
    const char *step = plumb_arena_printf(s->a, "srun --cpus-per-task=%u %s",
                                          (unsigned)s->b.cpus_per_task, plumb_binding_options);

    if (s->b.gpus == 1 && s->nodes == 1) {
        plumb_lines_add(s->l, plumb_arena_printf(s->a, "%s \"$@\"", step), cores);
        return;
    }
    plumb_lines_comment(s->l, "Every task sees all GPUs of its node, without which NCCL and MPI "
                              "have no direct way between them, and");
    plumb_lines_comment(s->l, "takes the one of LOCAL_RANK. Where each takes the first that it "
                              "sees, --gpu-bind=single:1 gives it its own.");
    plumb_lines_comment(s->l, "shellcheck disable=SC2016 # the shells of the tasks expand it");
    plumb_lines_add(s->l, plumb_arena_printf(s->a, "%s bash -c '", step), cores);
    put_order(s);
    plumb_lines_add(s->l,
                    "export LOCAL_RANK=$SLURM_LOCALID RANK=$SLURM_PROCID "
                    "WORLD_SIZE=$SLURM_NTASKS",
                    none);
    plumb_lines_add(s->l, "exec \"$@\"' task \"$@\"", none);
}

static void put_body(struct script *s)
{
    const struct plumb_span none = {0};

    plumb_lines_add(s->l, "", none);
    plumb_lines_comment(s->l, "sbatch FILE COMMAND... runs the command once for each GPU.");
    plumb_lines_add(s->l, "[ $# -gt 0 ] || set -- nvidia-smi -L", none);
    if (s->b.gpus > 1 || s->nodes > 1) {
        plumb_lines_comment(s->l, "Where the first task listens, for programs that ask (PyTorch). "
                                  "NCCL reads /etc/nccl.conf.");
        plumb_lines_add(s->l,
                        "MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n "
                        "1)",
                        none);
        plumb_lines_add(s->l, "export MASTER_ADDR MASTER_PORT=29500", none);
    }
    put_srun(s);
}

static void emit_script(struct script *s)
{
    s->l = plumb_lines_new(s->a, "#!/bin/bash");
    option(s, "job-name", s->name, s->n->at);
    put_place(s);
    put_size(s);
    put_tasks(s);
    put_body(s);
    plumb_emit_lines(s->em, plumb_arena_printf(s->a, "jobs/%s.sbatch", s->name), s->l, 0644);
}

/* A number of GPUs, on some nodes; nothing where its place is not known or no partition takes it.
 */
static bool shape(struct script *s, uint32_t gpus, uint64_t nodes, const char *suffix)
{
    struct plumb_jobs_size size = {.nodes = nodes};

    if (!plumb_binding_of(s->a, s->ask, gpus, &s->b))
        return false;
    size.cpus = (uint64_t)gpus * s->b.cpus_per_task;
    size.whole = s->b.fills;
    if (!plumb_jobs_place_of(s->em, s->n, &size, &s->place))
        return false;
    s->nodes = nodes;
    s->name = plumb_arena_printf(s->a, "%s-%s", s->n->class_name, suffix);
    emit_script(s);
    return true;
}

/* The only kind of GPU of the class; NULL: there are several, or other than the machine has. */
static const struct plumb_gres_item *gpu_item(const struct plumb_nodes *n)
{
    const struct plumb_gres_item *found = NULL;

    for (size_t i = 0; i < n->gres_count; i++) {
        if (strcmp(n->gres[i].name, "gpu") != 0)
            continue;
        if (found != NULL || n->gres[i].bad)
            return NULL;
        found = &n->gres[i];
    }
    return found != NULL && found->count == n->hardware->gpu_count ? found : NULL;
}

static void emit_class(const struct plumb_emit *em, const struct plumb_nodes *n)
{
    static const uint32_t counts[] = {1, 2, 4};
    struct plumb_binding_ask ask;
    struct script s = {.em = em, .a = em->session->arena, .n = n, .gpu = gpu_item(n), .ask = &ask};
    uint32_t all = (uint32_t)n->hardware->gpu_count;
    const char *reason = "its GPUs are of several types, or of another number than captured";
    bool any = false;

    if (s.gpu != NULL && plumb_jobs_ask(em, n, &ask, &reason)) {
        reason = "no partition that is open to all takes such a job and gives it the cores near "
                 "its GPUs "
                 "alone";
        for (size_t i = 0; i < PLUMB_COUNT(counts); i++) {
            if (counts[i] < all)
                any |=
                    shape(&s, counts[i], 1, plumb_arena_printf(s.a, "%ugpu", (unsigned)counts[i]));
        }
        any |= shape(&s, all, 1, "node");
        any |= shape(&s, all, 2, "multinode");
    }
    if (!any)
        plumb_emit_skip(em, plumb_arena_printf(s.a, "jobs/%s-node.sbatch", n->class_name),
                        plumb_span_known(n->hardware_at) ? n->hardware_at : n->at, reason);
}

static void emit_jobs(const struct plumb_emit *em)
{
    for (size_t i = 0; i < em->model->node_count; i++) {
        const struct plumb_nodes *n = &em->model->nodes[i];

        if (n->class_name != NULL && n->hosts != NULL && n->hardware != NULL &&
            n->hardware->gpu_count > 0 && plumb_gres_total(n, "gpu") > 0)
            emit_class(em, n);
    }
}

static const char *const jobs_files[] = {
    "jobs/<class>-<count>gpu.sbatch", "jobs/<class>-node.sbatch", "jobs/<class>-multinode.sbatch"};

const struct plumb_target plumb_target_jobs = {
    .name = "jobs",
    .summary = "submission templates: tasks with their GPUs and the cores near them",
    .consumer = "sbatch(1), srun(1)",
    .files = jobs_files,
    .file_count = PLUMB_COUNT(jobs_files),
    .emit = emit_jobs,
};
