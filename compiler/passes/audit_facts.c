/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a machine is a fact that machines of one class share. Serial numbers, addresses and the
 * CPU sets of devices are none: the NUMA node of a device says what its CPUs do.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "capture/ibstat.h"
#include "passes/audit.h"

const char *const plumb_audit_kind_names[PLUMB_AUDIT_KINDS] = {
    "source",    "processor", "cpus",       "numa",      "memory",    "gpus", "gpu",
    "gpu-speed", "gpu-place", "gpu-mig",    "links",     "peers",     "nic",  "nic-speed",
    "nic-place", "nic-name",  "port-state", "port-rate", "kube-gpus",
};

struct facts {
    struct plumb_session *s;
    const struct plumb_hardware *hw;
    const uint32_t *file_of;
    struct plumb_audit_record *out;
};

void plumb_audit_fact_add(struct plumb_arena *a, struct plumb_audit_record *r,
                          struct plumb_audit_fact fact)
{
    r->facts = plumb_arena_grow(a, r->facts, r->fact_count, &r->fact_cap, sizeof(*r->facts));
    r->facts[r->fact_count++] = fact;
}

static void add(const struct facts *f, enum plumb_audit_kind kind, const char *subject,
                const char *value, struct plumb_span at)
{
    struct plumb_audit_fact fact = {.kind = kind, .subject = subject, .value = value};

    if (plumb_span_known(at)) {
        fact.file = f->file_of[at.file];
        fact.line = plumb_source_place(&f->s->sources, at).line;
    }
    plumb_audit_fact_add(f->s->arena, f->out, fact);
}

static void add_number(const struct facts *f, enum plumb_audit_kind kind, const char *subject,
                       uint64_t value, struct plumb_span at)
{
    add(f, kind, subject, plumb_arena_printf(f->s->arena, "%llu", (unsigned long long)value), at);
}

static void add_cpus(const struct facts *f)
{
    const struct plumb_hardware *hw = f->hw;
    const struct plumb_hw_sockets *by = &hw->sockets[PLUMB_SOCKET_PACKAGE];
    struct plumb_arena *a = f->s->arena;
    size_t nodes = 0;

    if (hw->cpu_vendor != NULL)
        add(f, PLUMB_AUDIT_PROCESSOR, "",
            plumb_arena_printf(a, "%s family %u model %u", hw->cpu_vendor, (unsigned)hw->cpu_family,
                               (unsigned)hw->cpu_model),
            hw->at);
    else if (hw->cpu_arch != NULL)
        add(f, PLUMB_AUDIT_PROCESSOR, "", hw->cpu_arch, hw->at);
    for (int kind = PLUMB_SOCKET_PACKAGE; by->sockets == 0 && kind < PLUMB_SOCKET_KINDS; kind++)
        by = &hw->sockets[kind]; /* slurmd -C alone tells one way of counting */
    if (by->sockets > 0 && plumb_usable(hw->threads_per_core))
        add(f, PLUMB_AUDIT_CPUS, "",
            plumb_arena_printf(a, "%ux%ux%llu", (unsigned)by->sockets,
                               (unsigned)by->cores_per_socket,
                               (unsigned long long)hw->threads_per_core.v),
            hw->packages_count.at);
    for (size_t i = 0; i < hw->numa_count; i++)
        nodes += !plumb_cpus_empty(&hw->numa[i].cpus);
    if (nodes > 0)
        add_number(f, PLUMB_AUDIT_NUMA, "", nodes, hw->numa[0].at);
    if (plumb_usable(hw->memory_bytes))
        add_number(f, PLUMB_AUDIT_MEMORY, "", hw->memory_bytes.v >> 20, hw->memory_bytes.at);
}

static void add_place(const struct facts *f, enum plumb_audit_kind kind, const char *subject,
                      struct plumb_numa numa, struct plumb_span at)
{
    if (plumb_numa_known(numa))
        add_number(f, kind, subject, f->hw->numa[numa.n].os_index.n, at);
}

static void add_mig(const struct facts *f, const struct plumb_hw_gpu *g, const char *subject)
{
    struct plumb_buf b = plumb_buf_in(f->s->arena);

    /* A list shows the instances that there are, and nothing where MIG is off. */
    if (!g->mig_known && g->mig_count == 0 &&
        plumb_audit_find(f->out, PLUMB_AUDIT_SOURCE, "nvidia-smi -L") == NULL)
        return;
    plumb_buf_str(&b, g->mig || g->mig_count > 0 ? "on" : g->mig_known ? "off" : "no instance");
    for (size_t i = 0; i < g->mig_count; i++)
        plumb_buf_printf(&b, "%s %s", i == 0 ? ":" : "",
                         g->migs[i].profile == NULL ? "?" : g->migs[i].profile);
    add(f, PLUMB_AUDIT_GPU_MIG, subject, plumb_buf_text(&b), g->at);
}

static void add_links(const struct facts *f, uint32_t row, const char *subject)
{
    const struct plumb_hardware *hw = f->hw;
    struct plumb_buf b = plumb_buf_in(f->s->arena);

    if (hw->matrix == NULL)
        return;
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        plumb_buf_str(&b, i == 0 ? "" : " ");
        plumb_buf_str(&b, plumb_hardware_relation(f->s->arena, plumb_hardware_cell(hw, row, i)));
    }
    add(f, PLUMB_AUDIT_LINKS, subject, plumb_buf_text(&b),
        plumb_hardware_cell(hw, row, row == 0 && hw->gpu_count > 1 ? 1 : 0)->at);
}

/* By bus id, or by index so that the order of text is that of numbers. */
static const char *gpu_subject(struct plumb_arena *a, const struct plumb_hardware *hw, uint32_t i)
{
    if (hw->gpus[i].bus_id != NULL)
        return hw->gpus[i].bus_id;
    return plumb_arena_printf(a, hw->gpu_count > 100 ? "#%04u" : "#%02u", (unsigned)i);
}

/* Facts are sorted by subject: only then do rows of links stand in the order of their cells. */
static bool in_order(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    for (uint32_t i = 1; i < hw->gpu_count; i++) {
        if (strcmp(gpu_subject(a, hw, i - 1), gpu_subject(a, hw, i)) >= 0)
            return false;
    }
    return true;
}

/* One row of each peer matrix. */
static void add_peers(const struct facts *f, uint32_t row, const char *subject)
{
    const struct plumb_hardware *hw = f->hw;

    for (size_t m = 0; m < hw->peer_count; m++) {
        const struct plumb_hw_peers *p = &hw->peers[m];
        const struct plumb_hw_peer *cells = &p->cells[row * hw->gpu_count];
        struct plumb_buf b = plumb_buf_in(f->s->arena);

        for (uint32_t i = 0; i < hw->gpu_count; i++)
            plumb_buf_printf(&b, "%s%s", i == 0 ? "" : " ", cells[i].status);
        add(f, PLUMB_AUDIT_PEERS,
            plumb_arena_printf(f->s->arena, "%s %s", p->kind != NULL ? p->kind : "?", subject),
            plumb_buf_text(&b), cells[0].at);
    }
}

static void add_gpus(const struct facts *f)
{
    const struct plumb_hardware *hw = f->hw;
    struct plumb_arena *a = f->s->arena;
    bool ordered = in_order(a, hw);

    if (plumb_usable(hw->gpu_count_value) || hw->gpu_count > 0 ||
        plumb_audit_find(f->out, PLUMB_AUDIT_SOURCE, "hwloc") != NULL)
        add_number(f, PLUMB_AUDIT_GPUS, "", hw->gpu_count,
                   plumb_usable(hw->gpu_count_value) ? hw->gpu_count_value.at : hw->at);
    for (uint32_t i = 0; i < hw->gpu_count; i++) {
        const struct plumb_hw_gpu *g = &hw->gpus[i];
        const char *subject = gpu_subject(a, hw, i);

        if (g->model != NULL)
            add(f, PLUMB_AUDIT_GPU, subject, g->model, g->at);
        else if (g->pci != NULL && g->pci->vendor != 0)
            add(f, PLUMB_AUDIT_GPU, subject,
                plumb_arena_printf(a, "PCI device %04x:%04x", (unsigned)g->pci->vendor,
                                   (unsigned)g->pci->device),
                g->at);
        else
            add(f, PLUMB_AUDIT_GPU, subject, "", g->at);
        if (g->pci != NULL && g->pci->link_mbytes > 0)
            add_number(f, PLUMB_AUDIT_GPU_SPEED, subject, g->pci->link_mbytes, g->pci->at);
        add_place(f, PLUMB_AUDIT_GPU_PLACE, subject, g->numa, g->locality_at);
        add_mig(f, g, subject);
        if (ordered)
            add_links(f, i, subject);
        if (ordered)
            add_peers(f, i, subject);
    }
}

/* A device with two functions of one bus id has one fact; RDMA devices come first. */
static void add_nics(const struct facts *f)
{
    const struct plumb_hardware *hw = f->hw;
    struct plumb_arena *a = f->s->arena;
    struct plumb_map seen = plumb_map_in(a);

    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < hw->nic_count; i++) {
            const struct plumb_hw_nic *n = &hw->nics[i];
            const char *subject = n->bus_id != NULL ? n->bus_id : n->name;

            if (n->infiniband != (pass == 0) || (pass == 1 && n->bus_id == NULL) ||
                plumb_map_get(&seen, subject) != NULL)
                continue;
            plumb_map_set(&seen, subject, f->out);
            add(f, PLUMB_AUDIT_NIC, subject,
                n->pci == NULL || n->pci->vendor == 0
                    ? ""
                    : plumb_arena_printf(a, "PCI device %04x:%04x", (unsigned)n->pci->vendor,
                                         (unsigned)n->pci->device),
                n->at);
            if (n->pci != NULL && n->pci->link_mbytes > 0)
                add_number(f, PLUMB_AUDIT_NIC_SPEED, subject, n->pci->link_mbytes, n->pci->at);
            add_place(f, PLUMB_AUDIT_NIC_PLACE, subject, n->numa, n->at);
            if (n->infiniband && n->bus_id != NULL)
                add(f, PLUMB_AUDIT_NIC_NAME, subject, n->name, n->at);
        }
    }
}

static void add_kube(const struct facts *f)
{
    for (size_t i = 0; i < f->hw->kube_node_count; i++) {
        const struct plumb_hw_kube_node *n = &f->hw->kube_nodes[i];

        if (plumb_usable(n->gpu_allocatable) && plumb_usable(n->gpu_capacity) &&
            n->gpu_resource != NULL)
            add(f, PLUMB_AUDIT_KUBE_GPUS, n->gpu_resource,
                plumb_arena_printf(f->s->arena, "%llu of %llu",
                                   (unsigned long long)n->gpu_allocatable.v,
                                   (unsigned long long)n->gpu_capacity.v),
                n->at);
    }
}

void plumb_audit_facts(struct plumb_session *s, const struct plumb_hardware *hw,
                       const uint32_t *file_of, struct plumb_audit_record *out)
{
    struct facts f = {.s = s, .hw = hw, .file_of = file_of, .out = out};

    add_cpus(&f);
    add_gpus(&f);
    add_nics(&f);
    add_kube(&f);
}

void plumb_audit_ports(struct plumb_session *s, const struct plumb_ibstat *stat,
                       const uint32_t *file_of, struct plumb_audit_record *out)
{
    struct facts f = {.s = s, .file_of = file_of, .out = out};

    for (size_t i = 0; i < stat->count; i++) {
        const struct plumb_ibstat_device *d = &stat->items[i];

        for (size_t k = 0; k < d->count; k++) {
            const struct plumb_ibstat_port *p = &d->ports[k];
            const char *subject =
                plumb_arena_printf(s->arena, "%s port %s", d->name.text, p->number.text);

            if (p->state.len > 0)
                add(&f, PLUMB_AUDIT_PORT_STATE, subject, p->state.text, p->state.at);
            if (p->rate.len > 0)
                add(&f, PLUMB_AUDIT_PORT_RATE, subject, p->rate.text, p->rate.at);
        }
    }
}

static int compare_facts(const void *x, const void *y)
{
    const struct plumb_audit_fact *a = x, *b = y;
    int order = a->kind < b->kind ? -1 : a->kind > b->kind;

    if (order == 0)
        order = strcmp(a->subject, b->subject);
    if (order == 0)
        order = strcmp(a->value, b->value);
    if (order == 0)
        order = a->file < b->file ? -1 : a->file > b->file;
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

void plumb_audit_facts_sort(struct plumb_audit_record *r)
{
    if (r->fact_count > 1)
        qsort(r->facts, r->fact_count, sizeof(*r->facts), compare_facts);
}

const struct plumb_audit_fact *plumb_audit_find(const struct plumb_audit_record *r,
                                                enum plumb_audit_kind kind, const char *subject)
{
    for (size_t i = 0; i < r->fact_count; i++) {
        if (r->facts[i].kind == kind && strcmp(r->facts[i].subject, subject) == 0)
            return &r->facts[i];
    }
    return NULL;
}

const struct plumb_audit_fact *plumb_audit_first(const struct plumb_audit_record *r,
                                                 enum plumb_audit_kind kind, size_t *count)
{
    const struct plumb_audit_fact *first = NULL;

    *count = 0;
    for (size_t i = 0; i < r->fact_count && r->facts[i].kind <= kind; i++) {
        if (r->facts[i].kind != kind)
            continue;
        if (first == NULL)
            first = &r->facts[i];
        (*count)++;
    }
    return first;
}

uint64_t plumb_audit_number(const struct plumb_audit_record *r, enum plumb_audit_kind kind)
{
    size_t count = 0;
    const struct plumb_audit_fact *f = plumb_audit_first(r, kind, &count);
    uint64_t v = 0;

    if (f == NULL || !plumb_read_u64(f->value, strlen(f->value), &v))
        return 0;
    return v;
}
