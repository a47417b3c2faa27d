/* SPDX-License-Identifier: Apache-2.0 */
/* How GPUs and NICs are connected, and whether NVLinks go through a switch. */
#include <string.h>

#include "base/num.h"
#include "base/pci.h"
#include "base/text.h"
#include "capture/kube_node.h"
#include "kube/value.h"
#include "model/detect.h"
#include "model/index_words.h"
#include "passes/bind.h"

enum {
    MOST_LINKS = 18, /* that one GPU has (NVLink 4 and 5); more in a row go through a switch */
};

static const struct {
    const char *code;
    enum plumb_hw_relation relation;
} codes[] = {
    {"X", PLUMB_REL_SELF},  {"PIX", PLUMB_REL_PIX},   {"PXB", PLUMB_REL_PXB},
    {"PHB", PLUMB_REL_PHB}, {"NODE", PLUMB_REL_NODE}, {"SYS", PLUMB_REL_SYS},
    {"SOC", PLUMB_REL_SYS}, /* before 2017 */
};

static struct plumb_hw_cell cell_of(const struct plumb_slice *text)
{
    struct plumb_hw_cell cell = {.relation = PLUMB_REL_UNKNOWN, .at = text->at};
    uint64_t links = 0;

    if (plumb_starts_with(text->text, "NV") &&
        plumb_read_u64(text->text + 2, text->len - 2, &links)) {
        cell.relation = PLUMB_REL_NVLINK;
        cell.links = (uint16_t)links; /* the reader takes four digits at most */
        return cell;
    }
    for (size_t i = 0; i < PLUMB_COUNT(codes); i++) {
        if (strcmp(text->text, codes[i].code) == 0)
            cell.relation = codes[i].relation;
    }
    return cell;
}

/* Row or column of a matrix in the machine's order; SIZE_MAX for one that is left out. */
static size_t device_of(const struct plumb_bind *b, size_t row)
{
    if (row < b->g->smi->gpu_count)
        return row;
    return b->nic_of_row[row] == SIZE_MAX ? SIZE_MAX : b->hw->gpu_count + b->nic_of_row[row];
}

static void fill_from_smi(struct plumb_bind *b, size_t side)
{
    const struct plumb_smi_topo *t = b->g->smi;

    for (size_t r = 0; r < t->row_count; r++) {
        size_t row = device_of(b, r);

        for (size_t c = 0; c < t->column_count && row != SIZE_MAX; c++) {
            size_t column = device_of(b, c);

            if (column != SIZE_MAX)
                b->hw->matrix[row * side + column] = cell_of(&t->rows[r].cells[c].text);
        }
    }
}

/* Bridges between a device and one above it; SIZE_MAX when that is not above it. */
static size_t bridges_below(const struct plumb_hw_pci *p, const struct plumb_hw_pci *above)
{
    size_t n = 0;

    for (const struct plumb_hw_pci *up = p->parent; up != NULL; up = up->parent, n++) {
        if (up == above)
            return n;
    }
    return SIZE_MAX;
}

/*
 * The relation by PCI alone, in nvidia-smi's terms. A switch is an upstream bridge over
 * downstream ones, so devices of one switch have at most one bridge each below the common one.
 */
static enum plumb_hw_relation relation_of(const struct plumb_bind *b, size_t x, size_t y)
{
    struct plumb_bind_device one = plumb_bind_device(b->hw, x), two = plumb_bind_device(b->hw, y);
    const struct plumb_hw_pci *p = one.pci, *q = two.pci;
    const struct plumb_hwloc *h = b->hwloc;

    if (p == NULL || q == NULL)
        return PLUMB_REL_UNKNOWN;
    if (p == q) /* two ports that one device shows */
        return PLUMB_REL_PIX;
    for (const struct plumb_hw_pci *up = p->parent; up != NULL; up = up->parent) {
        size_t below_p = bridges_below(p, up), below_q = bridges_below(q, up);

        if (below_q != SIZE_MAX)
            return below_p <= 1 && below_q <= 1 ? PLUMB_REL_PIX : PLUMB_REL_PXB;
    }
    if (h->pci[p - b->pci].host_bridge == h->pci[q - b->pci].host_bridge)
        return PLUMB_REL_PHB;
    if (!plumb_numa_known(one.numa) || !plumb_numa_known(two.numa))
        return PLUMB_REL_UNKNOWN;
    return plumb_numa_same(one.numa, two.numa) ? PLUMB_REL_NODE : PLUMB_REL_SYS;
}

/* Cells that no matrix has told, from the PCI tree. */
static void fill_from_pci(struct plumb_bind *b, size_t side)
{
    for (size_t x = 0; x < side; x++) {
        for (size_t y = 0; y < side; y++) {
            struct plumb_hw_cell *cell = &b->hw->matrix[x * side + y];

            if (cell->relation != PLUMB_REL_UNKNOWN)
                continue;
            cell->relation = x == y ? PLUMB_REL_SELF : relation_of(b, x, y);
            cell->at = plumb_bind_device(b->hw, x).at;
        }
    }
}

/* MB/s of one link in one direction, as hwloc counts: NVLink 1, 2 to 4, 5. */
static uint64_t link_rate(const struct plumb_hw_gpu *gpu)
{
    static const char *const fifth[] = {"B100", "B200", "B300", "GB200", "GB300"};

    for (size_t i = 0; gpu->model != NULL && i < PLUMB_COUNT(fifth); i++) {
        if (strstr(gpu->model, fifth[i]) != NULL)
            return 50000;
    }
    return gpu->model != NULL && strstr(gpu->model, "P100") != NULL ? 20000 : 25000;
}

static bool same_links(uint64_t links, uint64_t mbytes)
{
    return (links == 0) == (mbytes == 0) && (links == 0 || mbytes == links * 20000 ||
                                             mbytes == links * 25000 || mbytes == links * 50000);
}

/* Of an OS device. */
static struct plumb_gpu gpu_of_osdev(const struct plumb_bind *b, uint32_t osdev)
{
    const struct plumb_hwloc *h = b->hwloc;
    uint32_t pci = osdev == PLUMB_HWLOC_NONE ? PLUMB_HWLOC_NONE : h->osdevs[osdev].pci;

    return pci == PLUMB_HWLOC_NONE ? PLUMB_NO(gpu) : b->gpu_of_pci[pci];
}

static void report_links(struct plumb_bind *b, struct plumb_gpu x, struct plumb_gpu y,
                         const struct plumb_hw_cell *cell, uint64_t mbytes)
{
    struct plumb_diag *d = plumb_hw_report(
        b->s, PLUMB_HW_NVLINK, cell->at,
        "%s and %s have %u NVLinks here, the hwloc capture of the same machine shows "
        "%llu MB/s between them, which is %llu links",
        plumb_gpu_words(b->s->arena, &b->hw->gpus[x.n]),
        plumb_gpu_words(b->s->arena, &b->hw->gpus[y.n]),
        (unsigned)(cell->relation == PLUMB_REL_NVLINK ? cell->links : 0),
        (unsigned long long)mbytes, (unsigned long long)(mbytes / link_rate(&b->hw->gpus[x.n])));

    plumb_diag_note(d, b->hwloc->nvlink_at, "NVLinkBandwidth of the hwloc capture");
    b->links_differ = true;
}

/* One pair of hwloc's matrix: fills a cell, or checks what the text matrix said. */
static void bind_link(struct plumb_bind *b, size_t side, size_t i, size_t j, bool told)
{
    const struct plumb_hwloc *h = b->hwloc;
    struct plumb_gpu x = gpu_of_osdev(b, h->nvlink[i]), y = gpu_of_osdev(b, h->nvlink[j]);
    uint64_t mbytes = h->nvlink_mbytes[i * h->nvlink_count + j];

    if (!plumb_gpu_known(x) || !plumb_gpu_known(y) || plumb_gpu_same(x, y))
        return;

    struct plumb_hw_cell *cell = &b->hw->matrix[x.n * side + y.n];
    uint64_t links = mbytes / link_rate(&b->hw->gpus[x.n]);

    if (told) {
        uint64_t said = cell->relation == PLUMB_REL_NVLINK ? cell->links : 0;

        if (x.n < y.n && !same_links(said, mbytes))
            report_links(b, x, y, cell, mbytes);
        return;
    }
    if (links == 0 || links > UINT16_MAX)
        return;
    cell->relation = PLUMB_REL_NVLINK;
    cell->links = (uint16_t)links;
    cell->at = h->nvlink_at;
}

/* Hops between GPUs of AMD: hwloc has them from ROCm SMI, whose bandwidth is no measure. */
static void bind_xgmi(struct plumb_bind *b, size_t side)
{
    const struct plumb_hwloc_square *q = &b->hwloc->xgmi;

    for (size_t i = 0; i < q->count; i++) {
        for (size_t j = 0; j < q->count; j++) {
            struct plumb_gpu x = gpu_of_osdev(b, q->osdevs[i]), y = gpu_of_osdev(b, q->osdevs[j]);
            uint64_t hops = q->values[i * q->count + j];

            if (!plumb_gpu_known(x) || !plumb_gpu_known(y) || plumb_gpu_same(x, y) || hops == 0 ||
                hops > UINT16_MAX)
                continue;
            b->hw->matrix[x.n * side + y.n] =
                (struct plumb_hw_cell){PLUMB_REL_XGMI, (uint16_t)hops, q->at};
        }
    }
}

static const struct plumb_hwloc_pci *nvswitch_of(const struct plumb_hwloc *h)
{
    for (size_t i = 0; h != NULL && i < h->pci_count; i++) {
        if (h->pci[i].vendor == PLUMB_PCI_NVIDIA && h->pci[i].class_code == PLUMB_PCI_NVSWITCH)
            return &h->pci[i];
    }
    return NULL;
}

static bool has_nvswitch(const struct plumb_hwloc *h)
{
    return nvswitch_of(h) != NULL;
}

/* A switch gives every pair links, fewer where some are lost; with MIG no GPU has any. */
static void check_switch(struct plumb_bind *b)
{
    const struct plumb_hardware *hw = b->hw;
    const struct plumb_hwloc_pci *chip = nvswitch_of(b->hwloc);
    struct plumb_gpu empty;
    bool mig = plumb_hardware_mig(hw, &empty);

    for (size_t i = 0; chip != NULL && !mig && i < hw->gpu_count; i++) {
        for (size_t j = i + 1; j < hw->gpu_count; j++) {
            const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, i, j);

            if (cell->relation == PLUMB_REL_NVLINK)
                continue;
            plumb_bind_report_switch(b, cell, i, j, chip->at);
            b->links_differ = true;
            return;
        }
    }
}

/*
 * Every pair shows the full count of a GPU where links end in a switch; a mesh shares the
 * count among the peers, so no row can add up to more than one GPU has.
 */
static bool shows_switch(const struct plumb_hardware *hw)
{
    uint32_t links = plumb_hardware_links(hw, (struct plumb_gpu){0}, (struct plumb_gpu){1}),
             sum = 0;

    for (struct plumb_gpu x = {0}; x.n < hw->gpu_count; x.n++) {
        for (struct plumb_gpu y = {0}; y.n < hw->gpu_count; y.n++) {
            if (x.n != y.n && plumb_hardware_links(hw, x, y) != links)
                return false;
        }
    }
    sum = links * (uint32_t)(hw->gpu_count - 1);
    /* Two GPUs with all 18 links between them: no board is wired so without a switch. */
    return links > 0 && (sum > MOST_LINKS || (hw->gpu_count == 2 && links == MOST_LINKS));
}

/* A NIC that only the matrix shows is where the GPUs are that are nearer than SYS. */
static void place_nics(struct plumb_bind *b)
{
    struct plumb_hardware *hw = b->hw;

    for (size_t n = 0; n < hw->nic_count; n++) {
        struct plumb_numa numa = PLUMB_NO(numa);
        bool agreed = true;

        for (size_t i = 0; i < hw->gpu_count; i++) {
            const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, hw->gpu_count + n, i);

            if (cell->relation < PLUMB_REL_PIX || cell->relation > PLUMB_REL_NODE)
                continue;
            agreed = agreed && (!plumb_numa_known(numa) || plumb_numa_same(numa, hw->gpus[i].numa));
            numa = hw->gpus[i].numa;
        }
        if (!plumb_numa_known(hw->nics[n].numa) && agreed)
            hw->nics[n].numa = numa;
    }
}

void plumb_bind_matrix(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->hwloc;
    struct plumb_hardware *hw = b->hw;
    bool told = b->g->smi != NULL && b->matrix_usable && hw->gpu_count == b->g->smi->gpu_count;
    bool wired = h != NULL && h->pci_count > 0;
    size_t side = hw->gpu_count + hw->nic_count;

    if ((!told && !wired) || side == 0)
        return;
    hw->matrix = PLUMB_NEW_ARRAY(b->s->arena, side * side, struct plumb_hw_cell);
    if (told)
        fill_from_smi(b, side);
    if (told)
        check_switch(b);
    for (size_t i = 0; wired && i < h->nvlink_count; i++) {
        for (size_t j = 0; j < h->nvlink_count; j++)
            bind_link(b, side, i, j, told);
    }
    if (wired)
        bind_xgmi(b, side);
    if (wired)
        fill_from_pci(b, side);
    place_nics(b);
    hw->links_known = told || (wired && h->nvlink_count > 0) || has_nvswitch(h);
    hw->nvswitch = hw->gpu_count > 1 && (has_nvswitch(h) || shows_switch(hw));
}

/* Whole GPUs first; under MIG the slices; renamed ones when GPUs are shared in time. */
static const struct plumb_pair *gpu_resource(const struct plumb_node *list)
{
    const struct plumb_pair *gpu = plumb_node_pair(list, "nvidia.com/gpu");
    const char *count = gpu == NULL ? NULL : plumb_node_text(gpu->value);

    if (gpu == NULL) {
        gpu = plumb_node_pair(list, "amd.com/gpu");
        count = gpu == NULL ? NULL : plumb_node_text(gpu->value);
    }
    if (list == NULL || (count != NULL && strcmp(count, "0") != 0))
        return gpu;
    for (uint32_t i = 0; list->kind == PLUMB_MAPPING && i < list->count; i++) {
        const char *key = plumb_node_text(list->pairs[i].key);

        if (key != NULL && (plumb_starts_with(key, "nvidia.com/mig-") ||
                            strcmp(key, "nvidia.com/gpu.shared") == 0))
            return &list->pairs[i];
    }
    return gpu;
}

static struct plumb_u64 count_at(struct plumb_bind *b, const struct plumb_node *list,
                                 const char *name)
{
    const struct plumb_pair *p = name == NULL ? NULL : plumb_node_pair(list, name);

    return plumb_kube_count(b->s, p == NULL ? NULL : p->value);
}

/* What pods may ask for of one resource, in thousandths; rules for Nodes look at its text. */
static struct plumb_u64 amount_at(const struct plumb_node *list, const char *name)
{
    const struct plumb_node *n = plumb_node_get(list, name);
    struct plumb_u64 out = {.origin = PLUMB_ABSENT};
    size_t bad = 0;

    if (n == NULL)
        return out;
    out.at = n->at;
    out.origin =
        n->kind == PLUMB_SCALAR && plumb_kube_quantity(n->scalar.text, n->scalar.len, &out.v, &bad)
            ? PLUMB_GIVEN
            : PLUMB_BAD;
    return out;
}

static const char *interned(struct plumb_bind *b, const char *text)
{
    return text == NULL ? NULL : plumb_intern_str(b->s->intern, text);
}

void plumb_bind_kube(struct plumb_bind *b)
{
    struct plumb_hardware *hw = b->hw;

    hw->kube_node_count = b->g->kube_node_count;
    hw->kube_nodes = PLUMB_NEW_ARRAY(b->s->arena, b->g->kube_node_count, struct plumb_hw_kube_node);
    for (size_t i = 0; i < b->g->kube_node_count; i++) {
        const struct plumb_node *node = b->g->kube_nodes[i];
        const struct plumb_node *labels = plumb_node_path(node, "metadata/labels");
        const struct plumb_node *able = plumb_node_path(node, "status/allocatable");
        const struct plumb_node *capacity = plumb_node_path(node, "status/capacity");
        const struct plumb_pair *resource = gpu_resource(able);
        const char *name = resource == NULL ? NULL : plumb_node_text(resource->key);

        if (name == NULL) {
            resource = gpu_resource(capacity);
            name = resource == NULL ? NULL : plumb_node_text(resource->key);
        }
        hw->kube_nodes[i] = (struct plumb_hw_kube_node){
            .name = interned(b, plumb_node_text(plumb_node_path(node, "metadata/name"))),
            .gpu_allocatable = count_at(b, able, name),
            .gpu_capacity = count_at(b, capacity, name),
            .cpu_allocatable = amount_at(able, "cpu"),
            .memory_allocatable = amount_at(able, "memory"),
            .gpu_resource = interned(b, name),
            .product =
                interned(b, plumb_node_text(plumb_node_get(labels, "nvidia.com/gpu.product"))),
            .gpu_count_label =
                plumb_kube_count(b->s, plumb_node_get(labels, "nvidia.com/gpu.count")),
            .at = node->at,
        };
        hw->kube_nodes[i].memory_allocatable.v /= 1000;
    }
}
