/* SPDX-License-Identifier: Apache-2.0 */
/* What each node class and each partition has: promised, captured, and left for jobs. */
#include <stddef.h>
#include <string.h>

#include "report/page.h"

/* A number, or that nobody tells. */
struct amount {
    bool known;
    uint64_t v;
    unsigned thousandths; /* beside v */
};

/* One node of a class. */
struct node_amounts {
    struct amount sockets, cores, cpus, memory_mib, gpus;
};

static struct amount known(uint64_t v)
{
    return (struct amount){.known = true, .v = v};
}

static struct amount from(struct plumb_u64 v)
{
    return (struct amount){.known = plumb_usable(v), .v = v.v};
}

static struct amount minus(struct amount a, uint64_t less)
{
    return (struct amount){.known = a.known, .v = a.v > less ? a.v - less : 0};
}

static struct node_amounts promised(const struct plumb_nodes *n)
{
    struct node_amounts a = {
        .cpus = from(n->cpus),
        .memory_mib = from(n->real_memory_mib),
        .gpus = {.known = !plumb_gres_bad(n, "gpu"), .v = plumb_gres_total(n, "gpu")},
    };

    if (plumb_usable(n->sockets)) {
        a.sockets = from(n->sockets);
        a.cores.known = plumb_usable(n->cores_per_socket);
        a.cores.v = n->sockets.v * n->cores_per_socket.v;
    }
    return a;
}

static struct node_amounts captured(const struct plumb_model *m, const struct plumb_nodes *n)
{
    const struct plumb_hardware *hw = n->hardware;
    struct node_amounts a = {.gpus = {0}};
    const struct plumb_hw_sockets *by = NULL;

    if (hw == NULL)
        return a;
    by = &hw->sockets[plumb_socket_kind(m, n)];
    a.sockets = (struct amount){.known = by->sockets > 0, .v = by->sockets};
    if (!hw->incomplete_cpus) {
        a.cores = from(hw->core_count);
        a.cpus = from(hw->thread_count);
    }
    a.memory_mib =
        (struct amount){.known = plumb_usable(hw->memory_bytes), .v = hw->memory_bytes.v >> 20};
    a.gpus = (struct amount){.known = plumb_usable(hw->gpu_count_value), .v = hw->gpu_count};
    return a;
}

/* CPUs that slurmd and the system keep: CPUSpecList, else CoreSpecCount (slurm.conf(5)). */
static uint64_t special_cpus(const struct plumb_page *p, const struct plumb_nodes *n)
{
    const struct plumb_setting *list = plumb_setting(&n->settings, PLUMB_P_NODE_CPUSPECLIST);
    struct plumb_u64 cores =
        plumb_setting_u64(&n->settings, PLUMB_P_NODE_CORESPECCOUNT, p->model->release);
    struct plumb_slurm_cpus cpus = {0};
    size_t fault = 0;

    if (list != NULL && plumb_slurm_cpus_read(p->arena, &list->value, &cpus, &fault))
        return plumb_slurm_cpus_count(&cpus);
    if (!plumb_usable(cores))
        return 0;
    return cores.v * (plumb_usable(n->threads_per_core) ? n->threads_per_core.v : 1);
}

static struct node_amounts for_jobs(const struct plumb_page *p, const struct plumb_nodes *n)
{
    struct node_amounts a = promised(n);
    uint64_t cpus = special_cpus(p, n);
    uint64_t threads =
        plumb_usable(n->threads_per_core) && n->threads_per_core.v > 0 ? n->threads_per_core.v : 1;
    struct plumb_u64 memory =
        plumb_setting_u64(&n->settings, PLUMB_P_NODE_MEMSPECLIMIT, p->model->release);

    a.cpus = minus(a.cpus, cpus);
    a.cores = minus(a.cores, (cpus + threads - 1) / threads);
    if (plumb_usable(memory))
        a.memory_mib = minus(a.memory_mib, memory.v);
    return a;
}

static void least(struct amount *of, struct plumb_u64 one)
{
    of->v = one.v < of->v ? one.v : of->v;
    of->known = of->known && plumb_usable(one);
}

/* What kubelet leaves to pods on each of the captured Nodes: the least of them. */
static struct node_amounts allocatable(const struct plumb_hardware *hw)
{
    struct amount cpus = {.known = true, .v = UINT64_MAX}, memory = cpus, gpus = cpus;

    for (size_t i = 0; i < hw->kube_node_count; i++) {
        least(&cpus, hw->kube_nodes[i].cpu_allocatable);
        least(&memory, hw->kube_nodes[i].memory_allocatable);
        least(&gpus, hw->kube_nodes[i].gpu_allocatable);
    }
    cpus.thousandths = (unsigned)(cpus.v % 1000);
    cpus.v /= 1000;
    memory.v >>= 20;
    return (struct node_amounts){.cpus = cpus, .memory_mib = memory, .gpus = gpus};
}

static const char *text_of(const struct plumb_page *p, struct amount a, const char *unit)
{
    if (!a.known)
        return "not known";
    if (a.thousandths > 0) {
        char *text =
            plumb_arena_printf(p->arena, "%llu.%03u", (unsigned long long)a.v, a.thousandths);

        for (size_t end = strlen(text); text[end - 1] == '0'; end--)
            text[end - 1] = '\0';
        return plumb_arena_printf(p->arena, "%s%s", text, unit);
    }
    return plumb_arena_printf(p->arena, "%llu%s", (unsigned long long)a.v, unit);
}

/* To promise less memory than there is is common; more, or another number of CPUs, is not. */
static void add_row(const struct plumb_page *p, struct plumb_xml *body, const char *name,
                    const struct amount *amounts, size_t count, const char *unit)
{
    struct plumb_xml *row = plumb_page_add(p, body, "tr", NULL);
    bool memory = unit[0] != '\0';
    bool differs = amounts[0].known && amounts[1].known &&
                   (memory ? amounts[0].v > amounts[1].v : amounts[0].v != amounts[1].v);

    plumb_xml_set(p->arena, plumb_page_add(p, row, "th", name), "scope", "row");
    for (size_t i = 0; i < count; i++) {
        const char *text = text_of(p, amounts[i], unit);

        if (i == 1 && differs)
            (void)plumb_page_class(p, row, "td", "differs",
                                   plumb_arena_printf(p->arena, "%s (differs)", text));
        else
            (void)plumb_page_add(p, row, "td", text);
    }
}

enum { PROMISED, CAPTURED, FOR_JOBS, ALLOCATABLE, COLUMNS };

/* One node of a class in each column; the last only where Nodes were captured. */
static void add_amounts(const struct plumb_page *p, struct plumb_xml *body,
                        const struct node_amounts *a, size_t columns)
{
    static const struct {
        const char *name, *unit;
        size_t at;
    } rows[] = {
        {"sockets", "", offsetof(struct node_amounts, sockets)},
        {"cores", "", offsetof(struct node_amounts, cores)},
        {"CPUs", "", offsetof(struct node_amounts, cpus)},
        {"memory", " MiB", offsetof(struct node_amounts, memory_mib)},
        {"GPUs", "", offsetof(struct node_amounts, gpus)},
    };

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        struct amount row[COLUMNS];

        for (size_t c = 0; c < columns; c++)
            row[c] = *(const struct amount *)(const void *)((const char *)&a[c] + rows[i].at);
        add_row(p, body, rows[i].name, row, columns, rows[i].unit);
    }
}

static void add_class(const struct plumb_page *p, struct plumb_xml *section,
                      const struct plumb_nodes *n)
{
    static const char *const heads[] = {"of one node", "promised", "captured", "for jobs", NULL};
    static const char *const kube_heads[] = {"of one node", "promised",    "captured",
                                             "for jobs",    "allocatable", NULL};
    bool kube = n->hardware != NULL && n->hardware->kube_node_count > 0;
    struct node_amounts amounts[COLUMNS] = {
        [PROMISED] = promised(n), [CAPTURED] = captured(p->model, n), [FOR_JOBS] = for_jobs(p, n)};
    size_t columns = kube ? COLUMNS : ALLOCATABLE;
    const char *hosts = n->hosts == NULL ? "not known" : plumb_hostlist_str(p->arena, n->hosts);
    struct plumb_xml *body = NULL;

    if (kube)
        amounts[ALLOCATABLE] = allocatable(n->hardware);
    body = plumb_page_table(
        p, section,
        plumb_arena_printf(
            p->arena, "%s%s%s, %s", n->class_name != NULL ? n->class_name : "",
            n->class_name != NULL ? ": " : "", hosts,
            plumb_page_plural(p->arena, n->hosts == NULL ? 0 : n->hosts->count, "node")),
        kube ? kube_heads : heads);
    add_amounts(p, body, amounts, columns);
    for (size_t i = 0; i < n->gres_count; i++) {
        const struct plumb_gres_item *g = &n->gres[i];

        if (strcmp(g->name, "gpu") == 0 || g->bad)
            continue;
        add_row(p, body,
                g->type == NULL ? g->name : plumb_arena_printf(p->arena, "%s:%s", g->name, g->type),
                (struct amount[COLUMNS]){known(g->count), {0}, known(g->count)}, columns, "");
    }
    if (n->hardware != NULL && n->hardware->name != NULL)
        (void)plumb_page_class(p, section, "p", "soft",
                               plumb_arena_printf(p->arena, "captured: %s", n->hardware->name));
    if (kube)
        (void)plumb_page_class(p, section, "p", "soft",
                               "allocatable: what kubelet leaves to pods, the least of the "
                               "captured Nodes");
}

/* Adds so many nodes of a class to a total; unknown stays unknown. */
static void add_up(struct amount *total, struct amount one, uint64_t nodes)
{
    total->known &= one.known && __builtin_mul_overflow(one.v, nodes, &one.v) == 0 &&
                    __builtin_add_overflow(total->v, one.v, &total->v) == 0;
}

static const char *setting_text(const struct plumb_settings *s, enum plumb_param_id id)
{
    const struct plumb_setting *found = plumb_setting(s, id);

    return found == NULL ? "no limit" : found->value.text;
}

static void add_partition(const struct plumb_page *p, struct plumb_xml *body,
                          const struct plumb_partition *part)
{
    const struct plumb_hostlist *nodes = part->all_nodes ? p->model->all_nodes : part->nodes;
    struct amount cpus = known(0), memory = known(0), gpus = known(0);
    struct plumb_xml *row = plumb_page_add(p, body, "tr", NULL);

    for (size_t i = 0; i < p->model->node_count && nodes != NULL; i++) {
        const struct plumb_nodes *n = &p->model->nodes[i];
        struct node_amounts one = for_jobs(p, n);
        uint64_t count =
            n->hosts == NULL ? 0 : plumb_hostlist_intersect(p->arena, n->hosts, nodes)->count;

        if (count == 0)
            continue;
        add_up(&cpus, one.cpus, count);
        add_up(&memory, one.memory_mib, count);
        add_up(&gpus, one.gpus, count);
    }
    memory.v >>= 10;
    plumb_xml_set(
        p->arena,
        plumb_page_add(p, row, "th", plumb_usable(part->name) ? part->name.v : "not known"),
        "scope", "row");
    (void)plumb_page_class(p, row, "td", "hosts",
                           nodes == NULL ? "none" : plumb_hostlist_str(p->arena, nodes));
    (void)plumb_page_add(
        p, row, "td",
        plumb_arena_printf(p->arena, "%llu",
                           (unsigned long long)(nodes == NULL ? 0 : nodes->count)));
    (void)plumb_page_add(p, row, "td", text_of(p, cpus, ""));
    (void)plumb_page_add(p, row, "td", text_of(p, memory, " GiB"));
    (void)plumb_page_add(p, row, "td", text_of(p, gpus, ""));
    (void)plumb_page_add(p, row, "td", setting_text(&part->settings, PLUMB_P_PART_MAXTIME));
}

void plumb_page_resources(const struct plumb_page *p)
{
    static const char *const heads[] = {"partition", "nodes", "count",   "CPUs",
                                        "memory",    "GPUs",  "MaxTime", NULL};
    struct plumb_xml *section = plumb_page_section(p, "resources", "Resources"), *body = NULL;

    (void)plumb_page_class(p, section, "p", "soft",
                           "promised: what slurm.conf says of a node; captured: what the hardware "
                           "dumps show; for jobs: promised less CoreSpecCount, CPUSpecList and "
                           "MemSpecLimit");
    for (size_t i = 0; i < p->model->node_count; i++)
        add_class(p, section, &p->model->nodes[i]);
    if (p->model->partition_count == 0)
        return;
    body = plumb_page_table(p, section, "Partitions: all nodes, for jobs", heads);
    for (size_t i = 0; i < p->model->partition_count; i++)
        add_partition(p, body, &p->model->partitions[i]);
}
