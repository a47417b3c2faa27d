/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb topo` for people: what the machine is, then what that means for slurm.conf. */
#include "emit/topo.h"

#include <string.h>

#include "model/index_map.h"

/* Cells row by row; printed with every column as wide as its widest cell. */
struct table {
    struct plumb_arena *arena;
    const char **cells;
    size_t count, cap, columns;
};

static void cell(struct table *t, const char *text)
{
    t->cells = plumb_arena_grow(t->arena, t->cells, t->count, &t->cap, sizeof(*t->cells));
    t->cells[t->count++] = text == NULL || text[0] == '\0' ? "-" : text;
}

static void cell_u32(struct table *t, uint32_t v)
{
    cell(t, v == PLUMB_NO_INDEX ? "-" : plumb_arena_printf(t->arena, "%u", (unsigned)v));
}

static void print(struct plumb_buf *out, const struct table *t, const char *indent)
{
    size_t *widths = PLUMB_NEW_ARRAY(t->arena, t->columns, size_t);

    for (size_t i = 0; i < t->count; i++) {
        size_t len = strlen(t->cells[i]);

        if (len > widths[i % t->columns])
            widths[i % t->columns] = len;
    }
    for (size_t i = 0; i < t->count; i++) {
        size_t column = i % t->columns;

        if (column == 0)
            plumb_buf_str(out, indent);
        plumb_buf_str(out, t->cells[i]);
        if (column + 1 == t->columns)
            plumb_buf_char(out, '\n');
        else
            plumb_buf_fill(out, ' ', widths[column] - strlen(t->cells[i]) + 2);
    }
}

static const char *bits(struct plumb_arena *a, const struct plumb_bits *b)
{
    struct plumb_buf text = plumb_buf_in(a);

    plumb_bits_text(b, &text);
    return plumb_buf_text(&text);
}

static const char *gib(struct plumb_arena *a, struct plumb_u64 bytes)
{
    if (!plumb_usable(bytes))
        return "-";
    return plumb_arena_printf(a, "%llu GiB", (unsigned long long)(bytes.v >> 30));
}

static const char *threads(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    if (!plumb_usable(hw->threads_per_core))
        return "unknown";
    return plumb_arena_printf(a, "%llu", (unsigned long long)hw->threads_per_core.v);
}

static void print_machine(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    struct table t = {.arena = out->arena, .columns = 2};

    plumb_buf_printf(out, "%s%s\n\n", hw->name, hw->builtin ? " (built-in reference)" : "");
    cell(&t, "processor");
    if (hw->cpu_vendor != NULL)
        cell(&t, plumb_arena_printf(t.arena, "%s, %s family %u model %u",
                                    hw->cpu_arch != NULL ? hw->cpu_arch : "unknown", hw->cpu_vendor,
                                    (unsigned)hw->cpu_family, (unsigned)hw->cpu_model));
    else
        cell(&t, hw->cpu_arch != NULL ? hw->cpu_arch : "unknown: no hwloc capture");
    cell(&t, "cores");
    if (plumb_usable(hw->core_count) && hw->package_count == 0)
        cell(&t, plumb_arena_printf(t.arena, "%llu, %s threads per core: %llu CPUs",
                                    (unsigned long long)hw->core_count.v, threads(t.arena, hw),
                                    (unsigned long long)hw->thread_count.v));
    else if (plumb_usable(hw->core_count))
        cell(&t,
             plumb_arena_printf(t.arena, "%llu in %zu packages, %s threads per core: %llu CPUs%s",
                                (unsigned long long)hw->core_count.v, hw->package_count,
                                threads(t.arena, hw), (unsigned long long)hw->thread_count.v,
                                hw->incomplete_cpus ? "; the capture hides some" : ""));
    else
        cell(&t, hw->cores_differ ? "unknown: two captures disagree" : "unknown: no hwloc capture");
    cell(&t, "memory");
    cell(&t, gib(t.arena, hw->memory_bytes));
    cell(&t, "GPUs");
    cell(&t, hw->gpus_split    ? "unknown: devices in partitions"
             : hw->gpus_differ ? "unknown: two captures disagree"
             : plumb_usable(hw->gpu_count_value)
                 ? plumb_arena_printf(t.arena, "%zu%s", hw->gpu_count,
                                      hw->nvswitch ? ", connected through NVSwitch" : "")
             : hw->gpu_count > 0
                 ? plumb_arena_printf(
                       t.arena, "%zu as NCCL shows them, which may be fewer than there are%s",
                       hw->gpu_count, hw->nvswitch ? "; connected through NVSwitch" : "")
                 : "unknown: no capture shows them");
    print(out, &t, "");
}

static const char *gpus_at(struct plumb_arena *a, const struct plumb_hardware *hw,
                           struct plumb_numa numa)
{
    struct plumb_gpus gpus = {0};

    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        if (plumb_numa_same(hw->gpus[i].numa, numa))
            plumb_gpus_add(a, &gpus, hw->gpus[i].index);
    }
    return bits(a, &gpus.bits);
}

static void print_numa(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    static const char *const heads[] = {"NUMA",          "package", "CPUs of the system",
                                        "Slurm's cores", "memory",  "GPUs"};
    struct table t = {.arena = out->arena, .columns = PLUMB_COUNT(heads)};

    if (hw->numa_count == 0)
        return;
    for (size_t i = 0; i < PLUMB_COUNT(heads); i++)
        cell(&t, heads[i]);
    for (uint32_t i = 0; i < hw->numa_count; i++) {
        const struct plumb_hw_numa *n = &hw->numa[i];

        cell_u32(&t, n->os_index.n);
        cell_u32(&t, n->package);
        cell(&t, bits(t.arena, &n->cpus.bits));
        cell(&t, bits(t.arena, &n->cores.bits));
        cell(&t, gib(t.arena, n->memory_bytes));
        cell(&t, gpus_at(t.arena, hw, (struct plumb_numa){i}));
    }
    plumb_buf_char(out, '\n');
    print(out, &t, "");
}

/* "mlx5_0 mlx5_1 (PXB)" */
static const char *nearest(struct plumb_arena *a, const struct plumb_hardware *hw, size_t device,
                           size_t from, size_t to)
{
    size_t *found = PLUMB_NEW_ARRAY(a, to - from, size_t);
    struct plumb_buf text = plumb_buf_in(a);
    struct plumb_hw_cell as = {.relation = PLUMB_REL_NODE};
    size_t count = plumb_hardware_nearest(hw, device, from, to, found, &as.relation);

    for (size_t i = 0; i < count; i++) {
        if (found[i] < hw->gpu_count)
            plumb_buf_printf(&text, "%zu ", found[i]);
        else
            plumb_buf_printf(&text, "%s ", hw->nics[found[i] - hw->gpu_count].name);
    }
    if (count > 0)
        plumb_buf_printf(&text, "(%s)", plumb_hardware_relation(a, &as));
    return plumb_buf_text(&text);
}

static void print_gpus(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    static const char *const heads[] = {"GPU",           "device",      "bus id",
                                        "model",         "NUMA",        "CPUs of the system",
                                        "Slurm's cores", "nearest NICs"};
    struct table t = {.arena = out->arena, .columns = PLUMB_COUNT(heads)};

    if (hw->gpu_count == 0)
        return;
    for (size_t i = 0; i < PLUMB_COUNT(heads); i++)
        cell(&t, heads[i]);
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        const struct plumb_hw_gpu *g = &hw->gpus[i];

        cell_u32(&t, i);
        cell(&t, plumb_hardware_device(t.arena, g));
        cell(&t, g->bus_id);
        cell(&t, g->model);
        cell_u32(&t, plumb_numa_id_of(hw, g->numa).n);
        cell(&t, bits(t.arena, &g->cpus.bits));
        cell(&t, bits(t.arena, &g->cores.bits));
        cell(&t, nearest(t.arena, hw, i, hw->gpu_count, hw->gpu_count + plumb_hardware_rdma(hw)));
    }
    plumb_buf_char(out, '\n');
    print(out, &t, "");
}

static void print_migs(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    static const char *const heads[] = {"GPU", "MIG device", "uuid"};
    struct table t = {.arena = out->arena, .columns = PLUMB_COUNT(heads)};

    for (size_t i = 0; i < PLUMB_COUNT(heads); i++)
        cell(&t, heads[i]);
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        for (size_t k = 0; k < hw->gpus[i].mig_count; k++) {
            cell_u32(&t, i);
            cell(&t, hw->gpus[i].migs[k].profile);
            cell(&t, hw->gpus[i].migs[k].uuid);
        }
    }
    if (t.count == t.columns)
        return;
    plumb_buf_char(out, '\n');
    print(out, &t, "");
}

static bool verbs_told(const struct plumb_hardware *hw)
{
    for (size_t i = 0; i < hw->nic_count; i++) {
        if (plumb_verbs_known(hw->nics[i].verbs))
            return true;
    }
    return false;
}

static void print_nics(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    static const char *const heads[] = {"NIC", "kind", "bus id", "NUMA", "nearest GPUs", "device"};
    bool files = verbs_told(hw);
    struct table t = {.arena = out->arena, .columns = PLUMB_COUNT(heads) - !files};

    if (hw->nic_count == 0)
        return;
    for (size_t i = 0; i < t.columns; i++)
        cell(&t, heads[i]);
    for (size_t i = 0; i < hw->nic_count; i++) {
        const struct plumb_hw_nic *n = &hw->nics[i];

        cell(&t, n->name);
        cell(&t, n->infiniband ? "RDMA" : "network");
        cell(&t, n->bus_id);
        cell_u32(&t, plumb_numa_id_of(hw, n->numa).n);
        cell(&t, nearest(t.arena, hw, hw->gpu_count + i, 0, hw->gpu_count));
        if (files)
            cell(&t, plumb_hardware_verbs(t.arena, n));
    }
    plumb_buf_char(out, '\n');
    print(out, &t, "");
}

/* GPUs and RDMA devices; plain network ports would repeat them. */
static void print_matrix(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    size_t side = hw->gpu_count + plumb_hardware_rdma(hw);
    struct table t = {.arena = out->arena, .columns = side + 1};

    if (hw->matrix == NULL || side < 2)
        return;
    cell(&t, "link");
    for (size_t i = 0; i < side; i++)
        cell(&t, i < hw->gpu_count ? plumb_arena_printf(t.arena, "GPU%zu", i)
                                   : hw->nics[i - hw->gpu_count].name);
    for (size_t r = 0; r < side; r++) {
        cell(&t, t.cells[r + 1]);
        for (size_t c = 0; c < side; c++)
            cell(&t, plumb_hardware_relation(t.arena, plumb_hardware_cell(hw, r, c)));
    }
    plumb_buf_char(out, '\n');
    print(out, &t, "");
}

/* True when all pairs have one status, both ways. */
static bool one_status(const struct plumb_hardware *hw, const struct plumb_hw_peers *p)
{
    for (size_t i = 1; i + 1 < hw->gpu_count * hw->gpu_count; i++) {
        if (i % (hw->gpu_count + 1) != 0 && strcmp(p->cells[i].status, p->cells[1].status) != 0)
            return false;
    }
    return true;
}

/* Whether GPUs reach each other's memory: one line where all pairs are alike. */
static void print_peers(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    for (size_t k = 0; k < hw->peer_count && hw->gpu_count > 1; k++) {
        const struct plumb_hw_peers *p = &hw->peers[k];
        struct table t = {.arena = out->arena, .columns = hw->gpu_count + 1};

        plumb_buf_printf(out, "\npeer %s", plumb_hardware_peer_words(p));
        if (one_status(hw, p)) {
            plumb_buf_printf(out, ": %s between all GPUs\n", p->cells[1].status);
            continue;
        }
        plumb_buf_char(out, '\n');
        cell(&t, "from");
        for (size_t i = 0; i < hw->gpu_count; i++)
            cell(&t, plumb_arena_printf(t.arena, "GPU%zu", i));
        for (size_t r = 0; r < hw->gpu_count; r++) {
            cell(&t, t.cells[r + 1]);
            for (size_t c = 0; c < hw->gpu_count; c++)
                cell(&t, p->cells[r * hw->gpu_count + c].status);
        }
        print(out, &t, "");
    }
}

/* Numbers that people take from lscpu, where Slurm counts otherwise. */
static void print_reserve(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    struct plumb_topo_reserve r;

    if (!plumb_topo_reserve(out->arena, hw, &r))
        return;
    plumb_buf_printf(out,
                     "  to keep the first core of each package for the system: CPUSpecList=%s\n",
                     bits(out->arena, &r.cpus.bits));
    plumb_buf_printf(out, "    Slurm's cores %s", bits(out->arena, &r.cores.bits));
    if (!plumb_cpus_empty(&r.os_cpus))
        plumb_buf_printf(out, ", CPUs %s of the system", bits(out->arena, &r.os_cpus.bits));
    plumb_buf_char(out, '\n');
}

static void print_node_line(struct plumb_buf *out, const struct plumb_hardware *hw,
                            enum plumb_hw_socket_kind kind)
{
    const struct plumb_hw_sockets *by = &hw->sockets[kind];
    uint64_t boards = hw->boards.v == 0 ? 1 : hw->boards.v;

    plumb_buf_printf(out,
                     "  CPUs=%llu Boards=%llu SocketsPerBoard=%llu CoresPerSocket=%u "
                     "ThreadsPerCore=%s",
                     (unsigned long long)hw->thread_count.v, (unsigned long long)boards,
                     (unsigned long long)(by->sockets / boards), (unsigned)by->cores_per_socket,
                     threads(out->arena, hw));
    if (plumb_hardware_real_memory(hw) > 0)
        plumb_buf_printf(out, " RealMemory=%llu",
                         (unsigned long long)plumb_hardware_real_memory(hw));
    plumb_buf_char(out, '\n');
    if (by->uneven)
        plumb_buf_str(out, "  sockets have unlike numbers of cores: slurmd logs an error\n");
}

/* Cores= and Links= of each GPU as AutoDetect=nvml reports them, and who takes them. */
static void print_gres(struct plumb_buf *out, const struct plumb_hardware *hw,
                       enum plumb_hw_socket_kind kind)
{
    static const char *const heads[] = {"GPU", "detected Cores=", "accepted by", "whole sockets",
                                        "detected Links="};
    struct table t = {.arena = out->arena, .columns = PLUMB_COUNT(heads)};

    for (size_t i = 0; i < PLUMB_COUNT(heads); i++)
        cell(&t, heads[i]);
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        struct plumb_cores whole = {0};
        struct plumb_buf links = plumb_buf_in(t.arena);

        (void)plumb_hardware_gres_cores(hw, hw->gpus[i].index, kind, t.arena, &whole);
        if (hw->links_known)
            plumb_hardware_links_text(hw, hw->gpus[i].index, &links);
        cell_u32(&t, i);
        cell(&t, bits(t.arena, &hw->gpus[i].cores.bits));
        cell(&t, plumb_hardware_accept_name(plumb_hardware_accepts(hw, kind, &hw->gpus[i].cores)));
        cell(&t, bits(t.arena, &whole.bits));
        cell(&t, plumb_buf_text(&links));
    }
    print(out, &t, "  ");
}

static bool cores_known(const struct plumb_hardware *hw)
{
    for (size_t i = 0; i < hw->gpu_count; i++) {
        if (!plumb_cores_empty(&hw->gpus[i].cores))
            return true;
    }
    return false;
}

/* What jobs get on an idle node with these lines, in all three numbers of a CPU. */
static void print_jobs(struct plumb_buf *out, const struct plumb_hardware *hw,
                       enum plumb_hw_socket_kind kind, const struct plumb_session *s)
{
    static const char *const heads[] = {"job for", "gets GPUs", "Slurm's cores", "Slurm's CPUs",
                                        "CPUs of the system"};
    struct table t = {.arena = out->arena, .columns = PLUMB_COUNT(heads)};

    for (size_t i = 0; i < PLUMB_COUNT(heads); i++)
        cell(&t, heads[i]);
    for (uint32_t n = 1; n <= hw->gpu_count; n++) {
        struct plumb_topo_job job;

        if (!plumb_topo_job_told(hw, n) || !plumb_topo_job(t.arena, hw, kind, s, n, &job))
            continue;
        cell(&t, plumb_arena_printf(t.arena, "%u GPU%s", (unsigned)n, n == 1 ? "" : "s"));
        cell(&t, bits(t.arena, &job.devices.bits));
        cell(&t, bits(t.arena, &job.cores.bits));
        cell(&t, bits(t.arena, &job.cpus.bits));
        cell(&t, bits(t.arena, &job.os_cpus.bits));
    }
    if (t.count == t.columns)
        return;
    plumb_buf_str(out, "\n  with --gres=gpu:N and N tasks of one core each, on an idle node\n");
    print(out, &t, "  ");
}

/* How the tasks of a job for the whole node stay at their GPUs, one each. */
static void print_binding(struct plumb_buf *out, const struct plumb_hardware *hw,
                          enum plumb_hw_socket_kind kind, const struct plumb_session *s)
{
    static const char *const heads[] = {"task", "GPU", "NUMA", "Slurm's cores",
                                        "CPUs of the system"};
    struct table t = {.arena = out->arena, .columns = PLUMB_COUNT(heads)};
    struct plumb_binding b;

    if (!plumb_topo_binding(t.arena, hw, kind, s, (uint32_t)hw->gpu_count, &b))
        return;
    for (size_t i = 0; i < PLUMB_COUNT(heads); i++)
        cell(&t, heads[i]);
    for (uint32_t i = 0; i < b.gpus; i++) {
        cell_u32(&t, i);
        cell_u32(&t, b.tasks[i].gpu.n);
        cell_u32(&t, plumb_numa_id_of(hw, hw->gpus[b.tasks[i].gpu.n].numa).n);
        cell(&t, bits(t.arena, &b.tasks[i].cores.bits));
        cell(&t, bits(t.arena, &b.tasks[i].cpus.bits));
    }
    plumb_buf_printf(out,
                     "\n  a task for each GPU, near it: --ntasks-per-node=%u --cpus-per-task=%u, "
                     "and\n  srun --cpus-per-task=%u %s\n",
                     (unsigned)b.gpus, (unsigned)b.cpus_per_task, (unsigned)b.cpus_per_task,
                     plumb_binding_options);
    print(out, &t, "  ");
}

/* The other ways of counting sockets, where one makes detected cores whole. */
static void print_other_ways(struct plumb_buf *out, const struct plumb_hardware *hw,
                             const struct plumb_session *s)
{
    bool found = false;

    plumb_buf_str(out, "\nSlurm 24.11 and later drain a node whose Cores= cut a socket; 25.11 and "
                       "later want one\nwhole socket or all cores.\n");
    for (int kind = PLUMB_SOCKET_NUMA; kind < PLUMB_SOCKET_KINDS; kind++) {
        enum plumb_hw_socket_kind way = (enum plumb_hw_socket_kind)kind;

        if (!plumb_hardware_fits(hw, way))
            continue;
        plumb_buf_printf(out, "\nSlurmdParameters=%s (%s) makes each GPU's cores a socket:\n",
                         plumb_hardware_socket_word(way),
                         way == PLUMB_SOCKET_NUMA ? "22.05 and later" : "21.08 and later");
        print_node_line(out, hw, way);
        plumb_buf_char(out, '\n');
        print_gres(out, hw, way);
        print_jobs(out, hw, way, s);
        print_binding(out, hw, way, s);
        found = true;
        break;
    }
    if (!found)
        plumb_buf_str(out, "No other way of counting sockets helps here: write the whole sockets "
                           "above, without\nAutoDetect.\n");
}

static void print_slurm(struct plumb_buf *out, const struct plumb_hardware *hw,
                        const struct plumb_session *s)
{
    if (hw->cores_differ)
        plumb_buf_str(out, "\nNo node line is derived: two captures disagree about the cores.\n");
    if (!plumb_usable(hw->core_count))
        return;
    if (hw->incomplete_cpus) {
        plumb_buf_str(out, "\nNo node line is derived: the capture hides CPUs. Capture outside of "
                           "jobs and containers.\n");
        return;
    }

    enum plumb_hw_socket_kind kind = PLUMB_SOCKET_PACKAGE;

    while (kind + 1 < PLUMB_SOCKET_KINDS && hw->sockets[kind].sockets == 0)
        kind++; /* slurmd -C alone tells one way of counting */
    plumb_buf_str(out, "\nslurm.conf\n");
    if (kind != PLUMB_SOCKET_PACKAGE)
        plumb_buf_printf(out, "  SlurmdParameters=%s\n", plumb_hardware_socket_word(kind));
    print_node_line(out, hw, kind);
    print_reserve(out, hw);
    if (hw->gpus_split)
        plumb_buf_str(out, "\nNo gres.conf is derived: the GPUs are partitions of devices.\n");
    else if (hw->gpus_differ)
        plumb_buf_str(out, "\nNo gres.conf is derived: two captures disagree about the GPUs.\n");
    if (hw->gpu_count == 0 || hw->gpus_differ)
        return;
    plumb_buf_str(out, "\ngres.conf\n");
    print_gres(out, hw, kind);
    if (cores_known(hw) && !plumb_hardware_fits(hw, PLUMB_SOCKET_PACKAGE))
        print_other_ways(out, hw, s);
    else {
        print_jobs(out, hw, kind, s);
        print_binding(out, hw, kind, s);
    }
}

static void print_kube(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    static const char *const heads[] = {"Node", "resource", "allocatable", "capacity", "product"};
    struct table t = {.arena = out->arena, .columns = PLUMB_COUNT(heads)};

    if (hw->kube_node_count == 0)
        return;
    for (size_t i = 0; i < PLUMB_COUNT(heads); i++)
        cell(&t, heads[i]);
    for (size_t i = 0; i < hw->kube_node_count; i++) {
        const struct plumb_hw_kube_node *n = &hw->kube_nodes[i];
        const struct plumb_u64 counts[] = {n->gpu_allocatable, n->gpu_capacity};

        cell(&t, n->name);
        cell(&t, n->gpu_resource);
        for (size_t k = 0; k < PLUMB_COUNT(counts); k++)
            cell(&t, plumb_usable(counts[k])
                         ? plumb_arena_printf(t.arena, "%llu", (unsigned long long)counts[k].v)
                         : "-");
        cell(&t, n->product);
    }
    plumb_buf_char(out, '\n');
    print(out, &t, "");
}

static const char *names(struct plumb_arena *a, const struct plumb_hardware *hw,
                         const uint32_t *nics, size_t count)
{
    struct plumb_buf b = plumb_buf_in(a);

    for (size_t i = 0; i < count; i++)
        plumb_buf_printf(&b, "%s%s", i > 0 ? " " : "", hw->nics[nics[i]].name);
    return plumb_buf_text(&b);
}

/* What jobs on several machines talk through. */
static void print_rails(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    struct plumb_rails r = plumb_hardware_rails(out->arena, hw);

    if (hw->gpu_count == 0 || plumb_hardware_rdma(hw) == 0)
        return;
    plumb_buf_str(out, "\nNCCL\n  ");
    if (r.count == 0) {
        plumb_buf_printf(out, "NCCL_IB_HCA is not derived: %s\n", r.why);
        return;
    }
    plumb_buf_str(out, "NCCL_IB_HCA=");
    plumb_rails_text(hw, &r, out);
    plumb_buf_printf(out, "\n    %s\n", r.why);
    if (r.other_count > 0)
        plumb_buf_printf(out, "    left out, for storage and management: %s\n",
                         names(out->arena, hw, r.others, r.other_count));
}

bool plumb_topo_nccl_conf(struct plumb_buf *out, const struct plumb_hardware *hw)
{
    struct plumb_rails r = plumb_hardware_rails(out->arena, hw);

    if (r.count == 0) {
        plumb_buf_printf(out, "# %s: NCCL_IB_HCA is not derived: %s\n", hw->name, r.why);
        return false;
    }
    plumb_buf_printf(out, "# %s: %s\nNCCL_IB_HCA=", hw->name, r.why);
    plumb_rails_text(hw, &r, out);
    plumb_buf_char(out, '\n');
    return true;
}

void plumb_topo_text(struct plumb_buf *out, const struct plumb_hardware *hw,
                     const struct plumb_session *s)
{
    print_machine(out, hw);
    print_numa(out, hw);
    print_gpus(out, hw);
    print_migs(out, hw);
    print_nics(out, hw);
    print_matrix(out, hw);
    print_peers(out, hw);
    print_slurm(out, hw, s);
    print_rails(out, hw);
    print_kube(out, hw);
}
