/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb topo --format json`: the same facts as the text, as a tree. */
#include "emit/topo.h"

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
                     uint32_t numa)
{
    if (numa != PLUMB_NO_INDEX)
        plumb_node_set_u64(a, m, "numa", hw->numa[numa].os_index);
}

static struct plumb_node *numa_nodes(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *list = plumb_node_sequence(a, no_place);

    for (size_t i = 0; i < hw->numa_count; i++) {
        struct plumb_node *m = plumb_node_mapping(a, hw->numa[i].at);

        plumb_node_set_u64(a, m, "index", hw->numa[i].os_index);
        if (hw->numa[i].package != PLUMB_NO_INDEX)
            plumb_node_set_u64(a, m, "package", hw->numa[i].package);
        set_bits(a, m, "cpus", &hw->numa[i].cpus);
        set_bits(a, m, "cores", &hw->numa[i].cores);
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
        if (g->minor != PLUMB_NO_INDEX)
            plumb_node_set_u64(a, m, "minor", g->minor);
        if (g->mig_known)
            plumb_node_set_bool(a, m, "mig", g->mig);
        if (g->mig_count > 0)
            plumb_node_set(a, m, "mig_devices", migs(a, g));
        set_numa(a, m, hw, g->numa);
        set_bits(a, m, "cpus", &g->cpus);
        set_bits(a, m, "cores", &g->cores);
        if (hw->links_known) {
            plumb_hardware_links_text(hw, i, &links);
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
        size_t count = plumb_topo_nearest(hw, hw->gpu_count + i, 0, hw->gpu_count, found, &best);

        plumb_node_set_string(a, m, "name", n->name);
        plumb_node_set_string(a, m, "bus_id", n->bus_id);
        plumb_node_set_bool(a, m, "rdma", n->infiniband);
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

            plumb_node_append(a, row, plumb_node_string(a, plumb_topo_relation(a, cell), cell->at));
        }
        plumb_node_append(a, rows, row);
    }
    return rows;
}

/* One way of counting sockets: the node line, and what gres.conf may say. */
static struct plumb_node *way(struct plumb_arena *a, const struct plumb_hardware *hw,
                              enum plumb_hw_socket_kind kind)
{
    struct plumb_node *m = plumb_node_mapping(a, no_place);
    struct plumb_node *list = plumb_node_sequence(a, no_place);
    const struct plumb_hw_sockets *by = &hw->sockets[kind];

    plumb_node_set_string(a, m, "slurmd_parameter", plumb_topo_parameter(kind));
    plumb_node_set_u64(a, m, "sockets", by->sockets);
    plumb_node_set_u64(a, m, "cores_per_socket", by->cores_per_socket);
    plumb_node_set_bool(a, m, "uneven", by->uneven);
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        struct plumb_node *g = plumb_node_mapping(a, no_place);
        struct plumb_bits whole = {0};

        plumb_node_set_u64(a, g, "gpu", i);
        plumb_node_set_string(
            a, g, "detected_cores_accepted_by",
            plumb_topo_accept_name(plumb_topo_accepts(hw, kind, &hw->gpus[i].cores)));
        if (plumb_hardware_gres_cores(hw, i, kind, a, &whole))
            set_bits(a, g, "whole_socket_cores", &whole);
        plumb_node_append(a, list, g);
    }
    plumb_node_set(a, m, "gres", list);
    return m;
}

static struct plumb_node *slurm(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *m = plumb_node_mapping(a, no_place);
    struct plumb_node *ways = plumb_node_sequence(a, no_place);

    plumb_node_set_u64(a, m, "cpus", hw->thread_count.v);
    plumb_node_set_u64(a, m, "boards", hw->boards.v);
    plumb_node_set_u64(a, m, "threads_per_core", hw->threads_per_core.v);
    if (plumb_usable(hw->memory_bytes))
        plumb_node_set_u64(a, m, "real_memory_mib", hw->memory_bytes.v >> 20);
    for (int kind = 0; kind < PLUMB_SOCKET_KINDS; kind++) {
        if (hw->sockets[kind].sockets > 0)
            plumb_node_append(a, ways, way(a, hw, (enum plumb_hw_socket_kind)kind));
    }
    plumb_node_set(a, m, "socket_counts", ways);
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

struct plumb_node *plumb_topo_json(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct plumb_node *m = plumb_node_mapping(a, hw->at);

    plumb_node_set_string(a, m, "name", hw->name);
    plumb_node_set_bool(a, m, "builtin", hw->builtin);
    plumb_node_set_bool(a, m, "cpus_hidden", hw->incomplete_cpus);
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
    if (hw->matrix != NULL)
        plumb_node_set(a, m, "links", matrix(a, hw));
    if (plumb_usable(hw->core_count) && !hw->incomplete_cpus)
        plumb_node_set(a, m, "slurm", slurm(a, hw));
    if (hw->kube_node_count > 0)
        plumb_node_set(a, m, "kubernetes_nodes", kube_nodes(a, hw));
    return m;
}
