/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb topo --format json`: the same facts as the text, as a tree. */
#include "emit/topo.h"

#include <string.h>

#include "model/index_map.h"

static const struct plumb_span no_place;

static void set_bits(struct plumb_arena *a, struct plumb_node *m, const char *key,
                     const struct plumb_bits *b)
{
    struct plumb_buf text = plumb_buf_in(a);

    if (plumb_bits_empty(b))
        return;
    plumb_bits_text(b, &text);
    plumb_node_set_string(a, m, key, plumb_buf_text(&text));
}

static void set_count(struct plumb_arena *a, struct plumb_node *m, const char *key,
                      struct plumb_u64 v)
{
    if (plumb_usable(v))
        plumb_node_set(a, m, key, plumb_node_u64(a, v.v, v.at));
}

static void set_numa(struct plumb_arena *a, struct plumb_node *m, const struct plumb_hardware *hw,
                     struct plumb_numa numa)
{
    if (plumb_numa_known(numa))
        plumb_node_set_u64(a, m, "numa", plumb_numa_id_of(hw, numa).n);
}

static struct plumb_node *numa_nodes(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (size_t i = 0; i < hw->numa_count; i++) {
        struct plumb_node *m = plumb_node_mapping(a, hw->numa[i].at);

        plumb_node_set_u64(a, m, "index", hw->numa[i].os_index.n);
        if (hw->numa[i].package != PLUMB_NO_INDEX)
            plumb_node_set_u64(a, m, "package", hw->numa[i].package);
        set_bits(a, m, "cpus", &hw->numa[i].cpus.bits);
        set_bits(a, m, "cores", &hw->numa[i].cores.bits);
        set_count(a, m, "memory_bytes", hw->numa[i].memory_bytes);
        plumb_node_append(a, list, m);
    }
    return list;
}

static struct plumb_node *migs(struct plumb_arena *a, const struct plumb_hw_gpu *g)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (size_t i = 0; i < g->mig_count; i++) {
        struct plumb_node *m = plumb_node_mapping(a, g->migs[i].at);

        plumb_node_set_string(a, m, "profile", g->migs[i].profile);
        if (plumb_gi_known(g->migs[i].gpu_instance))
            plumb_node_set_u64(a, m, "gpu_instance", g->migs[i].gpu_instance.n);
        if (plumb_ci_known(g->migs[i].compute_instance))
            plumb_node_set_u64(a, m, "compute_instance", g->migs[i].compute_instance.n);
        if (g->migs[i].memory_mib > 0)
            plumb_node_set_u64(a, m, "memory_mib", g->migs[i].memory_mib);
        plumb_node_set_string(a, m, "files", plumb_mig_files(a, g, &g->migs[i]));
        plumb_node_set_string(a, m, "uuid", g->migs[i].uuid);
        plumb_node_append(a, list, m);
    }
    return list;
}

static struct plumb_node *gpus(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        const struct plumb_hw_gpu *g = &hw->gpus[i];
        struct plumb_node *m = plumb_node_mapping(a, g->at);
        struct plumb_buf links = plumb_buf_in(a);

        plumb_node_set_u64(a, m, "index", i);
        plumb_node_set_string(a, m, "bus_id", g->bus_id);
        plumb_node_set_string(a, m, "model", g->model);
        plumb_node_set_string(a, m, "uuid", g->uuid);
        if (plumb_minor_known(g->minor))
            plumb_node_set_u64(a, m, "minor", g->minor.n);
        if (g->mig_known)
            plumb_node_set_bool(a, m, "mig", g->mig);
        if (g->mig_count > 0)
            plumb_node_set(a, m, "mig_devices", migs(a, g));
        set_numa(a, m, hw, g->numa);
        set_bits(a, m, "cpus", &g->cpus.bits);
        set_bits(a, m, "cores", &g->cores.bits);
        if (hw->links_known) {
            plumb_hardware_links_text(hw, g->index, &links);
            plumb_node_set_string(a, m, "links", plumb_buf_text(&links));
        }
        plumb_node_append(a, list, m);
    }
    return list;
}

static struct plumb_node *nics(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (size_t i = 0; i < hw->nic_count; i++) {
        const struct plumb_hw_nic *n = &hw->nics[i];
        struct plumb_node *m = plumb_node_mapping(a, n->at);
        struct plumb_node *near = plumb_node_sequence(a, no_place);
        size_t *found = PLUMB_NEW_ARRAY(a, hw->gpu_count, size_t);
        enum plumb_hw_relation best = PLUMB_REL_NODE;
        size_t count =
            plumb_hardware_nearest(hw, hw->gpu_count + i, 0, hw->gpu_count, found, &best);

        plumb_node_set_string(a, m, "name", n->name);
        plumb_node_set_string(a, m, "bus_id", n->bus_id);
        plumb_node_set_bool(a, m, "rdma", n->infiniband);
        if (plumb_verbs_known(n->verbs))
            plumb_node_set_u64(a, m, "uverbs", n->verbs.n);
        set_numa(a, m, hw, n->numa);
        for (size_t k = 0; k < count; k++)
            plumb_node_append(a, near, plumb_node_u64(a, found[k], no_place));
        plumb_node_set(a, m, "nearest_gpus", near);
        plumb_node_append(a, list, m);
    }
    return list;
}

static struct plumb_node *matrix(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *rows = plumb_node_sequence(a, no_place);
    size_t side = hw->gpu_count + hw->nic_count;

    for (size_t r = 0; r < side; r++) {
        struct plumb_node *row = plumb_node_sequence(a, no_place);

        for (size_t c = 0; c < side; c++) {
            const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, r, c);

            plumb_node_append(a, row,
                              plumb_node_string(a, plumb_hardware_relation(a, cell), cell->at));
        }
        plumb_node_append(a, rows, row);
    }
    return rows;
}

static struct plumb_node *peers(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (size_t k = 0; k < hw->peer_count; k++) {
        struct plumb_node *m = plumb_node_mapping(a, hw->peers[k].at);
        struct plumb_node *rows = plumb_node_sequence(a, no_place);

        plumb_node_set_string(a, m, "kind", hw->peers[k].kind);
        for (size_t r = 0; r < hw->gpu_count; r++) {
            struct plumb_node *row = plumb_node_sequence(a, no_place);

            for (size_t c = 0; c < hw->gpu_count; c++) {
                const struct plumb_hw_peer *p = &hw->peers[k].cells[r * hw->gpu_count + c];

                plumb_node_append(a, row, plumb_node_string(a, p->status, p->at));
            }
            plumb_node_append(a, rows, row);
        }
        plumb_node_set(a, m, "status", rows);
        plumb_node_append(a, list, m);
    }
    return list;
}

static struct plumb_node *jobs(struct plumb_arena *a, const struct plumb_hardware *hw,
                               enum plumb_hw_socket_kind kind, const struct plumb_session *s)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (uint32_t n = 1; n <= hw->gpu_count; n++) {
        struct plumb_topo_job job;
        struct plumb_node *m = NULL;

        if (!plumb_topo_job_told(hw, n) || !plumb_topo_job(a, hw, kind, s, n, &job))
            continue;
        m = plumb_node_mapping(a, no_place);
        plumb_node_set_u64(a, m, "gpus", n);
        set_bits(a, m, "devices", &job.devices.bits);
        set_bits(a, m, "cores", &job.cores.bits);
        set_bits(a, m, "slurm_cpus", &job.cpus.bits);
        set_bits(a, m, "cpus", &job.os_cpus.bits);
        plumb_node_append(a, list, m);
    }
    return list;
}

/* The tasks of a job with all cores near its GPUs, and the options that keep each at its own. */
static struct plumb_node *binding(struct plumb_arena *a, const struct plumb_hardware *hw,
                                  enum plumb_hw_socket_kind kind, const struct plumb_session *s)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (uint32_t n = 1; n <= hw->gpu_count; n++) {
        struct plumb_binding b;
        struct plumb_node *m = NULL, *tasks = NULL;

        if (!plumb_topo_job_told(hw, n) || !plumb_topo_binding(a, hw, kind, s, n, &b))
            continue;
        m = plumb_node_mapping(a, no_place);
        tasks = plumb_node_sequence(a, no_place);
        plumb_node_set_u64(a, m, "gpus", n);
        plumb_node_set_u64(a, m, "cpus_per_task", b.cpus_per_task);
        plumb_node_set_string(a, m, "srun", plumb_binding_options);
        for (uint32_t t = 0; t < n; t++) {
            struct plumb_node *task = plumb_node_mapping(a, no_place);

            plumb_node_set_u64(a, task, "gpu", b.tasks[t].gpu.n);
            set_bits(a, task, "cores", &b.tasks[t].cores.bits);
            set_bits(a, task, "cpus", &b.tasks[t].cpus.bits);
            set_numa(a, task, hw, hw->gpus[b.tasks[t].gpu.n].numa);
            plumb_node_append(a, tasks, task);
        }
        plumb_node_set(a, m, "tasks", tasks);
        plumb_node_append(a, list, m);
    }
    return list;
}

/* What one plugin finds: the records of slurmd -G before Gres= and gres.conf change them. */
static struct plumb_node *devices(struct plumb_arena *a, const struct plumb_hardware *hw,
                                  enum plumb_detector by, const struct plumb_session *s)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);
    struct plumb_detections found = plumb_detect(a, hw, by, s->table, s->sink.release);

    for (size_t i = 0; i < found.count; i++) {
        const struct plumb_detected *d = &found.items[i];
        struct plumb_node *m = plumb_node_mapping(a, no_place);

        plumb_node_set_u64(a, m, "gpu", d->gpu.n);
        plumb_node_set_string(a, m, "type", d->type);
        plumb_node_set_string(a, m, "files", d->files);
        if (d->has_cores)
            set_bits(a, m, "cores", &hw->gpus[d->gpu.n].cores.bits);
        plumb_node_set_string(a, m, "links", d->links);
        plumb_node_append(a, list, m);
    }
    return list;
}

/* AutoDetect= by word: whether to use it, why, and what it finds. */
static struct plumb_node *autodetects(struct plumb_arena *a, const struct plumb_hardware *hw,
                                      enum plumb_hw_socket_kind kind, const struct plumb_session *s)
{
    struct plumb_detect_use found[PLUMB_DETECT_USES];
    size_t count = plumb_detect_uses(a, hw, kind, s->table, s->sink.release, found);
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (size_t i = 0; i < count; i++) {
        struct plumb_node *m = plumb_node_mapping(a, no_place);

        plumb_node_set_string(a, m, "word", found[i].word);
        plumb_node_set_bool(a, m, "use", found[i].use);
        plumb_node_set_string(a, m, "why", found[i].why);
        plumb_node_set(a, m, "devices", devices(a, hw, plumb_detector_of(found[i].word, hw), s));
        plumb_node_append(a, list, m);
    }
    return list;
}

/* One way of counting sockets: the node line, what gres.conf may say, and what jobs get. */
static struct plumb_node *way(struct plumb_arena *a, const struct plumb_hardware *hw,
                              enum plumb_hw_socket_kind kind, const struct plumb_session *s)
{
    struct plumb_node *m = plumb_node_mapping(a, no_place);
    struct plumb_node *list = plumb_node_sequence(a, no_place);
    const struct plumb_hw_sockets *by = &hw->sockets[kind];

    plumb_node_set_string(a, m, "slurmd_parameter", plumb_hardware_socket_word(kind));
    plumb_node_set_u64(a, m, "sockets", by->sockets);
    plumb_node_set_u64(a, m, "cores_per_socket", by->cores_per_socket);
    plumb_node_set_bool(a, m, "uneven", by->uneven);
    for (uint32_t i = 0; i < hw->gpu_count && !hw->gpus_differ; i++) {
        struct plumb_node *g = plumb_node_mapping(a, no_place);
        struct plumb_cores whole = {0};

        plumb_node_set_u64(a, g, "gpu", i);
        plumb_node_set_string(
            a, g, "detected_cores_accepted_by",
            plumb_hardware_accept_name(plumb_hardware_accepts(hw, kind, &hw->gpus[i].cores)));
        if (plumb_hardware_gres_cores(hw, hw->gpus[i].index, kind, a, &whole))
            set_bits(a, g, "whole_socket_cores", &whole.bits);
        plumb_node_append(a, list, g);
    }
    plumb_node_set(a, m, "gres", list);
    if (hw->gpu_count > 0 && !hw->gpus_differ) {
        plumb_node_set(a, m, "autodetect", autodetects(a, hw, kind, s));
        plumb_node_set(a, m, "jobs", jobs(a, hw, kind, s));
        plumb_node_set(a, m, "binding", binding(a, hw, kind, s));
    }
    return m;
}

/* What a node may keep for the system, in all three numbers of a CPU. */
static void set_reserve(struct plumb_arena *a, struct plumb_node *m,
                        const struct plumb_hardware *hw)
{
    struct plumb_topo_reserve reserve;
    struct plumb_node *r = NULL;

    if (!plumb_topo_reserve(a, hw, &reserve))
        return;
    r = plumb_node_mapping(a, no_place);
    set_bits(a, r, "cpu_spec_list", &reserve.cpus.bits);
    set_bits(a, r, "cores", &reserve.cores.bits);
    set_bits(a, r, "cpus", &reserve.os_cpus.bits);
    plumb_node_set(a, m, "first_core_of_each_package", r);
}

static struct plumb_node *slurm(struct plumb_arena *a, const struct plumb_hardware *hw,
                                const struct plumb_session *s)
{
    struct plumb_node *m = plumb_node_mapping(a, no_place);
    struct plumb_node *ways = plumb_node_sequence(a, no_place);

    plumb_node_set_u64(a, m, "cpus", hw->thread_count.v);
    plumb_node_set_u64(a, m, "boards", hw->boards.v);
    plumb_node_set(a, m, "threads_per_core",
                   plumb_usable(hw->threads_per_core)
                       ? plumb_node_u64(a, hw->threads_per_core.v, hw->threads_per_core.at)
                       : plumb_node_null(a));
    if (plumb_hardware_real_memory(hw) > 0)
        plumb_node_set_u64(a, m, "real_memory_mib", plumb_hardware_real_memory(hw));
    set_reserve(a, m, hw);
    for (int kind = 0; kind < PLUMB_SOCKET_KINDS; kind++) {
        if (hw->sockets[kind].sockets > 0)
            plumb_node_append(a, ways, way(a, hw, (enum plumb_hw_socket_kind)kind, s));
    }
    plumb_node_set(a, m, "socket_counts", ways);
    return m;
}

/* nccl_ib_hca is null where they cannot be told. */
static struct plumb_node *rails(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_rails r = plumb_hardware_rails(a, hw);
    struct plumb_node *m = plumb_node_mapping(a, no_place);
    struct plumb_node *list = plumb_node_sequence(a, no_place);
    struct plumb_buf text = plumb_buf_in(a);

    for (size_t i = 0; i < r.count; i++)
        plumb_node_append(a, list, plumb_node_string(a, hw->nics[r.nics[i]].name, no_place));
    plumb_rails_text(hw, &r, &text);
    plumb_node_set(a, m, "nics", list);
    plumb_node_set_string(a, m, "nccl_ib_hca", r.count > 0 ? plumb_buf_text(&text) : NULL);
    plumb_node_set_string(a, m, "reason", r.why);
    return m;
}

static struct plumb_node *kube_nodes(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (size_t i = 0; i < hw->kube_node_count; i++) {
        const struct plumb_hw_kube_node *n = &hw->kube_nodes[i];
        struct plumb_node *m = plumb_node_mapping(a, n->at);

        plumb_node_set_string(a, m, "name", n->name);
        plumb_node_set_string(a, m, "resource", n->gpu_resource);
        plumb_node_set_string(a, m, "product", n->product);
        set_count(a, m, "allocatable", n->gpu_allocatable);
        set_count(a, m, "capacity", n->gpu_capacity);
        plumb_node_append(a, list, m);
    }
    return list;
}

struct plumb_node *plumb_topo_json(struct plumb_arena *a, const struct plumb_hardware *hw,
                                   const struct plumb_session *s)
{
    struct plumb_node *m = plumb_node_mapping(a, hw->at);

    plumb_node_set_string(a, m, "name", hw->name);
    plumb_node_set_bool(a, m, "builtin", hw->builtin);
    plumb_node_set_bool(a, m, "cpus_hidden", hw->incomplete_cpus);
    plumb_node_set_bool(a, m, "captures_disagree",
                        hw->cores_differ || (hw->gpus_differ && !hw->gpus_split));
    plumb_node_set_bool(a, m, "nvswitch", hw->nvswitch);
    plumb_node_set_string(a, m, "cpu_arch", hw->cpu_arch);
    plumb_node_set_string(a, m, "cpu_vendor", hw->cpu_vendor);
    set_count(a, m, "packages", hw->packages_count);
    set_count(a, m, "cores", hw->core_count);
    set_count(a, m, "threads", hw->thread_count);
    set_count(a, m, "memory_bytes", hw->memory_bytes);
    plumb_node_set(a, m, "numa_nodes", numa_nodes(a, hw));
    plumb_node_set(a, m, "gpus", gpus(a, hw));
    plumb_node_set(a, m, "nics", nics(a, hw));
    plumb_node_set(a, m, "rails", rails(a, hw));
    if (hw->matrix != NULL)
        plumb_node_set(a, m, "links", matrix(a, hw));
    if (hw->peer_count > 0)
        plumb_node_set(a, m, "peer_access", peers(a, hw));
    if (plumb_usable(hw->core_count) && !hw->incomplete_cpus)
        plumb_node_set(a, m, "slurm", slurm(a, hw, s));
    if (hw->kube_node_count > 0)
        plumb_node_set(a, m, "kubernetes_nodes", kube_nodes(a, hw));
    return m;
}
