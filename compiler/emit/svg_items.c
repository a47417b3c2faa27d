/* SPDX-License-Identifier: Apache-2.0 */
/* Which boxes a machine has and what stands in them; where they go is the work of svg_plan.c. */
#include "emit/svg_items.h"

#include <string.h>

#include "base/text.h"
#include "emit/topo.h"

enum { MAX_COLUMNS = 26, MAX_BRIDGES = 32 };

/* A GPU, or the functions of one PCI device that are NICs. */
struct device {
    struct plumb_svg_item *item;
    struct plumb_numa numa;
    const struct plumb_hw_pci *bridges[MAX_BRIDGES]; /* from the root port down */
    size_t bridge_count;
    size_t first; /* its row in the matrix */
};

struct builder {
    struct plumb_arena *arena;
    const struct plumb_hardware *hw;
    struct plumb_svg_plan *plan;
    struct device *devices;
    size_t device_count;
    uint32_t rails;
};

struct plumb_svg_item *plumb_svg_item(struct plumb_arena *a, enum plumb_svg_kind kind,
                                      const char *name)
{
    struct plumb_svg_item *item = PLUMB_NEW(a, struct plumb_svg_item);

    item->kind = kind;
    item->gpu = PLUMB_NO_INDEX;
    plumb_svg_item_line(a, item, name);
    return item;
}

void plumb_svg_item_line(struct plumb_arena *a, struct plumb_svg_item *item, const char *text)
{
    item->lines =
        plumb_arena_grow(a, item->lines, item->line_count, &item->line_cap, sizeof(*item->lines));
    item->lines[item->line_count++] = plumb_svg_clip(a, text, 40);
}

void plumb_svg_item_add(struct plumb_arena *a, struct plumb_svg_item *item,
                        struct plumb_svg_item *part)
{
    item->parts =
        plumb_arena_grow(a, item->parts, item->part_count, &item->part_cap, sizeof(*item->parts));
    item->parts[item->part_count++] = part;
    item->has_gpu |= part->has_gpu;
}

/* A set of numbers, in as many lines as it takes. */
static void add_bits(struct plumb_arena *a, struct plumb_svg_item *item, const char *name,
                     const struct plumb_bits *bits)
{
    struct plumb_buf text = plumb_buf_in(a);
    const char *rest = NULL;

    plumb_bits_text(bits, &text);
    if (text.len == 0) {
        plumb_svg_item_line(a, item, plumb_arena_printf(a, "%s not known", name));
        return;
    }
    rest = plumb_arena_printf(a, "%s %s", name, plumb_buf_text(&text));
    while (strlen(rest) > MAX_COLUMNS) {
        size_t cut = MAX_COLUMNS;

        while (cut > 0 && rest[cut - 1] != ',')
            cut--;
        cut = cut == 0 ? strcspn(rest, ",") + 1 : cut;
        if (cut >= strlen(rest))
            break;
        plumb_svg_item_line(a, item, plumb_arena_printf(a, "%.*s", (int)cut, rest));
        rest = plumb_arena_printf(a, "  %s", rest + cut);
    }
    plumb_svg_item_line(a, item, rest);
}

static const char *short_model(const char *model)
{
    static const char *const makers[] = {"NVIDIA ", "AMD Instinct "};

    for (size_t i = 0; i < PLUMB_COUNT(makers); i++) {
        if (plumb_starts_with(model, makers[i]))
            return model + strlen(makers[i]);
    }
    return model;
}

/* "MIG 7 x 1g.10gb", one line for each profile in a row. */
static void add_migs(struct plumb_arena *a, struct plumb_svg_item *item,
                     const struct plumb_hw_gpu *g)
{
    for (size_t i = 0, n = 0; i < g->mig_count; i += n) {
        const char *profile = g->migs[i].profile;

        for (n = 1; i + n < g->mig_count && profile != NULL && g->migs[i + n].profile != NULL &&
                    strcmp(g->migs[i + n].profile, profile) == 0;)
            n++;
        plumb_svg_item_line(a, item,
                            plumb_arena_printf(a, "MIG %zu x %s", n,
                                               profile != NULL ? profile : "unknown profile"));
    }
    if (g->mig_known && g->mig && g->mig_count == 0)
        plumb_svg_item_line(a, item, "MIG on, no instance");
}

static struct plumb_svg_item *gpu_item(struct plumb_arena *a, const struct plumb_hardware *hw,
                                       uint32_t index)
{
    const struct plumb_hw_gpu *g = &hw->gpus[index];
    struct plumb_svg_item *item =
        plumb_svg_item(a, PLUMB_SVG_GPU, plumb_arena_printf(a, "GPU %u", (unsigned)index));

    item->gpu = index;
    item->has_gpu = true;
    if (g->model != NULL)
        plumb_svg_item_line(a, item, plumb_svg_clip(a, short_model(g->model), MAX_COLUMNS));
    plumb_svg_item_line(a, item, g->bus_id != NULL ? g->bus_id : "bus id not known");
    if (plumb_minor_known(g->minor))
        plumb_svg_item_line(a, item, plumb_arena_printf(a, "minor %u", (unsigned)g->minor.n));
    add_bits(a, item, "cores", &g->cores.bits);
    add_migs(a, item, g);
    return item;
}

/* Bytes of a bus id without the function. */
static size_t slot_len(const char *bus_id)
{
    const char *dot = strrchr(bus_id, '.');

    return dot == NULL ? strlen(bus_id) : (size_t)(dot - bus_id);
}

static bool same_slot(const char *x, const char *y)
{
    return x != NULL && y != NULL && slot_len(x) == slot_len(y) && memcmp(x, y, slot_len(x)) == 0;
}

/* RDMA devices behind a PCI switch with a GPU carry a rail each, in the order of the captures. */
static bool has_rail(const struct builder *b, size_t nic)
{
    size_t *found = PLUMB_NEW_ARRAY(b->arena, b->hw->gpu_count, size_t);
    enum plumb_hw_relation best = PLUMB_REL_UNKNOWN;

    return b->hw->nics[nic].infiniband && b->hw->gpu_count > 0 &&
           plumb_hardware_nearest(b->hw, b->hw->gpu_count + nic, 0, b->hw->gpu_count, found,
                                  &best) > 0 &&
           best <= PLUMB_REL_PXB;
}

static void find_bridges(struct device *d, const struct plumb_hw_pci *pci)
{
    const struct plumb_hw_pci *up[MAX_BRIDGES];
    size_t n = 0;

    for (pci = pci == NULL ? NULL : pci->parent; pci != NULL && n < MAX_BRIDGES; pci = pci->parent)
        up[n++] = pci;
    while (n > 0)
        d->bridges[d->bridge_count++] = up[--n];
}

static struct device *new_device(struct builder *b, struct plumb_svg_item *item,
                                 struct plumb_numa numa, size_t row)
{
    struct device *d = &b->devices[b->device_count++];

    *d = (struct device){.item = item, .numa = numa, .first = row};
    return d;
}

/* The lines of a NIC: every name that its functions have, RDMA devices first. */
static struct plumb_svg_item *nic_item(struct builder *b, size_t first, bool *done)
{
    const struct plumb_hardware *hw = b->hw;
    struct plumb_svg_item *item =
        plumb_svg_item(b->arena, PLUMB_SVG_NIC, plumb_svg_clip(b->arena, hw->nics[first].name, 26));
    uint32_t rails = has_rail(b, first);
    const char *bus_id = hw->nics[first].bus_id, *last = NULL;

    for (size_t i = first + 1; i < hw->nic_count; i++) {
        if (done[i] || !same_slot(hw->nics[first].bus_id, hw->nics[i].bus_id))
            continue;
        plumb_svg_item_line(b->arena, item, plumb_svg_clip(b->arena, hw->nics[i].name, 26));
        done[i] = true;
        rails += has_rail(b, i);
        if (strcmp(hw->nics[i].bus_id, bus_id) != 0)
            last = hw->nics[i].bus_id;
    }
    if (bus_id != NULL)
        plumb_svg_item_line(
            b->arena, item,
            last == NULL ? bus_id
                         : plumb_arena_printf(b->arena, "%s to %s", bus_id, last + slot_len(last)));
    if (rails > 0) {
        uint32_t from = b->rails, to = b->rails + rails - 1;

        plumb_svg_item_line(b->arena, item,
                            rails == 1 ? plumb_arena_printf(b->arena, "rail %u", (unsigned)from)
                                       : plumb_arena_printf(b->arena, "rails %u to %u",
                                                            (unsigned)from, (unsigned)to));
        b->rails += rails;
        b->plan->rails = true;
    }
    return item;
}

static void find_devices(struct builder *b)
{
    const struct plumb_hardware *hw = b->hw;
    bool *done = PLUMB_NEW_ARRAY(b->arena, hw->nic_count, bool);

    b->devices = PLUMB_NEW_ARRAY(b->arena, hw->gpu_count + hw->nic_count, struct device);
    for (uint32_t i = 0; i < hw->gpu_count; i++)
        find_bridges(new_device(b, gpu_item(b->arena, hw, i), hw->gpus[i].numa, i),
                     hw->gpus[i].pci);
    for (size_t i = 0; i < hw->nic_count; i++) {
        if (done[i])
            continue;
        find_bridges(new_device(b, nic_item(b, i, done), hw->nics[i].numa, hw->gpu_count + i),
                     hw->nics[i].pci);
    }
}

/* Behind one PCI switch: by the tree; by the matrix where no capture has the tree. */
static bool together(const struct builder *b, const struct device *x, const struct device *y,
                     size_t depth)
{
    const struct plumb_hw_cell *cell = NULL;

    if (x->bridge_count > 0 && y->bridge_count > 0)
        return x->bridge_count > depth && y->bridge_count > depth &&
               x->bridges[depth] == y->bridges[depth];
    cell = depth > 0 ? NULL : plumb_hardware_cell(b->hw, x->first, y->first);
    return cell != NULL && (cell->relation == PLUMB_REL_PIX || cell->relation == PLUMB_REL_PXB);
}

static void add_group(struct builder *b, struct plumb_svg_item *into, struct device **list,
                      size_t count, size_t depth);

/* Devices that share a bridge at depth; the deepest one that all of them share is the switch. */
static void add_switch(struct builder *b, struct plumb_svg_item *into, struct device **list,
                       size_t count, size_t depth)
{
    struct plumb_svg_item *item = NULL;
    bool deeper = list[0]->bridge_count > 0;

    while (deeper) {
        for (size_t i = 1; i < count && deeper; i++)
            deeper = together(b, list[0], list[i], depth + 1);
        depth += deeper;
    }
    item = plumb_svg_item(b->arena, PLUMB_SVG_SWITCH, "PCI switch");
    if (list[0]->bridge_count > depth && list[0]->bridges[depth]->bus_id != NULL)
        plumb_svg_item_line(b->arena, item, list[0]->bridges[depth]->bus_id);
    add_group(b, item, list, count, depth + 1);
    plumb_svg_item_add(b->arena, into, item);
}

/* Sorts devices into those that share a bridge at depth, and those that are alone there. */
static void add_group(struct builder *b, struct plumb_svg_item *into, struct device **list,
                      size_t count, size_t depth)
{
    struct device **part = PLUMB_NEW_ARRAY(b->arena, count, struct device *);
    bool *done = PLUMB_NEW_ARRAY(b->arena, count, bool);

    for (size_t i = 0; i < count; i++) {
        size_t n = 0;

        for (size_t k = i; k < count && !done[i]; k++) {
            if (!done[k] && (k == i || together(b, list[i], list[k], depth)))
                part[n++] = list[k];
        }
        for (size_t k = 0, p = 0; k < count && p < n; k++) {
            if (list[k] == part[p]) {
                done[k] = true;
                p++;
            }
        }
        if (n == 1)
            plumb_svg_item_add(b->arena, into, part[0]->item);
        else if (n > 1)
            add_switch(b, into, part, n, depth);
    }
}

static size_t add_devices(struct builder *b, struct plumb_svg_item *into, struct plumb_numa numa)
{
    struct device **list = PLUMB_NEW_ARRAY(b->arena, b->device_count, struct device *);
    size_t n = 0;

    for (size_t i = 0; i < b->device_count; i++) {
        if (plumb_numa_same(b->devices[i].numa, numa))
            list[n++] = &b->devices[i];
    }
    add_group(b, into, list, n, 0);
    return n;
}

static void add_socket(struct builder *b, struct plumb_svg_item *socket)
{
    struct plumb_svg_plan *p = b->plan;

    p->sockets = plumb_arena_grow(b->arena, p->sockets, p->count, &p->cap, sizeof(*p->sockets));
    p->sockets[p->count++] = socket;
}

static bool has_devices(const struct builder *b, struct plumb_numa numa)
{
    for (size_t i = 0; i < b->device_count; i++) {
        if (plumb_numa_same(b->devices[i].numa, numa))
            return true;
    }
    return false;
}

/* NUMA nodes of a package. Those without CPUs and devices are told in a line of the legend. */
static void add_numas(struct builder *b, struct plumb_svg_item *socket, uint32_t package)
{
    struct plumb_arena *a = b->arena;

    for (struct plumb_numa i = {0}; i.n < b->hw->numa_count; i.n++) {
        const struct plumb_hw_numa *n = &b->hw->numa[i.n];
        struct plumb_svg_item *item = NULL;

        if (n->package != package || (plumb_cpus_empty(&n->cpus) && !has_devices(b, i)))
            continue;
        item = plumb_svg_item(a, PLUMB_SVG_NUMA,
                              plumb_arena_printf(a, "NUMA %u", (unsigned)n->os_index.n));
        add_bits(a, item, "cores", &n->cores.bits);
        add_bits(a, item, "CPUs", &n->cpus.bits);
        if (plumb_usable(n->memory_bytes))
            plumb_svg_item_line(
                a, item,
                plumb_arena_printf(a, "%llu GiB", (unsigned long long)(n->memory_bytes.v >> 30)));
        (void)add_devices(b, item, i);
        plumb_svg_item_add(a, socket, item);
    }
}

static void add_packages(struct builder *b)
{
    struct plumb_arena *a = b->arena;

    for (uint32_t i = 0; i < b->hw->package_count; i++) {
        const struct plumb_hw_package *p = &b->hw->packages[i];
        struct plumb_svg_item *socket = plumb_svg_item(
            a, PLUMB_SVG_SOCKET,
            p->core_count == 0 ? plumb_arena_printf(a, "Socket %u", (unsigned)i)
                               : plumb_arena_printf(a, "Socket %u: %u cores", (unsigned)i,
                                                    (unsigned)p->core_count));

        add_numas(b, socket, i);
        add_socket(b, socket);
    }
}

/* What belongs to no socket that a capture tells of. */
static void add_rest(struct builder *b)
{
    struct plumb_svg_item *rest = plumb_svg_item(b->arena, PLUMB_SVG_SOCKET, "Socket not known");

    add_numas(b, rest, PLUMB_NO_INDEX);
    (void)add_devices(b, rest, PLUMB_NO(numa));
    if (rest->part_count > 0)
        add_socket(b, rest);
}

struct plumb_svg_plan *plumb_svg_items(struct plumb_arena *a, const struct plumb_hardware *hw)
{
    struct builder b = {.arena = a, .hw = hw, .plan = PLUMB_NEW(a, struct plumb_svg_plan)};

    b.plan->gpus = PLUMB_NEW_ARRAY(a, hw->gpu_count, const struct plumb_svg_item *);
    b.plan->gpu_count = (uint32_t)hw->gpu_count;
    find_devices(&b);
    for (size_t i = 0; i < b.device_count; i++) {
        if (b.devices[i].item->gpu != PLUMB_NO_INDEX)
            b.plan->gpus[b.devices[i].item->gpu] = b.devices[i].item;
    }
    add_packages(&b);
    add_rest(&b);
    return b.plan;
}
