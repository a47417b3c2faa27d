/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer matrices of nvidia-smi topo -p2p beside the other captures: GPUs where nothing else shows
 * them, the status of every pair, and pairs whose links and status do not go together.
 */
#include <string.h>

#include "model/index_words.h"
#include "passes/bind.h"

enum { PEER_ALONE, PEER_COUNT_DIFFERS, PEER_WITHOUT, SWITCH_WITHOUT, PEER_RULE_COUNT };

/* Parts of the examples. */
#define MATRIX                                                                                     \
    "# topo-m.txt\n"                                                                               \
    "\tGPU0\tGPU1\n"                                                                               \
    "GPU0\t X \tNV4\n"                                                                             \
    "GPU1\tNV4\t X \n"

#define SWITCHED                                                                                   \
    "<object type=\"PCIDev\" pci_busid=\"0000:07:00.0\" pci_type=\"0680 [10de:22a3] [10de:1796] "  \
    "a1\" pci_link_speed=\"8\"/>\n"                                                                \
    "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" pci_type=\"0302 [10de:2330] [10de:16c1] "  \
    "a1\" pci_link_speed=\"63\"/>\n"                                                               \
    "<object type=\"PCIDev\" pci_busid=\"0000:43:00.0\" pci_type=\"0302 [10de:2330] [10de:16c1] "  \
    "a1\" pci_link_speed=\"63\"/>"

static const struct plumb_rule rows[PEER_RULE_COUNT] = {
    [PEER_ALONE] =
        {
            .code = "HW060",
            .name = "smi-peer-matrix",
            .severity = PLUMB_WARNING,
            .summary = "a peer matrix of 'nvidia-smi topo -p2p' is all that shows the GPUs",
            .why = "It tells what access GPUs have to each other's memory, not how they are "
                   "connected and which CPUs are near.",
            .ref = "nvidia-smi topo -p2p",
            .bad = "# p2p-r.txt\n"
                   " \tGPU0\tGPU1\t\n"
                   " GPU0\tX\tOK\t\n"
                   " GPU1\tOK\tX\t",
            .good = MATRIX "# p2p-r.txt\n"
                           " \tGPU0\tGPU1\t\n"
                           " GPU0\tX\tOK\t\n"
                           " GPU1\tOK\tX\t",
        },
    [PEER_COUNT_DIFFERS] =
        {
            .code = "HW041",
            .name = "peer-gpu-count",
            .severity = PLUMB_WARNING,
            .summary = "a peer matrix and another capture show different numbers of GPUs",
            .why = "One of the two was taken inside of a job, before a GPU was lost, or on another "
                   "machine. The peer matrix is not used.",
            .ref = "nvidia-smi topo -p2p",
            .bad = MATRIX "# p2p-r.txt\n"
                          " \tGPU0\t\n"
                          " GPU0\tX\t\n"
                          "\n"
                          "Legend:\n"
                          "\n"
                          "  OK   = Status Ok",
            .good = MATRIX "# p2p-r.txt\n"
                           " \tGPU0\tGPU1\t\n"
                           " GPU0\tX\tOK\t\n"
                           " GPU1\tOK\tX\t",
        },
    [PEER_WITHOUT] =
        {
            .code = "HW042",
            .name = "peer-without-nvlink",
            .severity = PLUMB_WARNING,
            .summary = "NVLinks of a pair and its peer status contradict each other",
            .why = "GPUs with NVLinks reach each other's memory, unless the links are down, the "
                   "fabric manager does not run, or the driver forbids it: then data goes through "
                   "the host, and Links= promises what is not there.",
            .ref = "nvidia-smi topo -p2p, Legend",
            .bad = MATRIX "# p2p-r.txt\n"
                          " \tGPU0\tGPU1\t\n"
                          " GPU0\tX\tNS\t\n"
                          " GPU1\tNS\tX\t",
            .good = MATRIX "# p2p-r.txt\n"
                           " \tGPU0\tGPU1\t\n"
                           " GPU0\tX\tOK\t\n"
                           " GPU1\tOK\tX\t",
        },
    [SWITCH_WITHOUT] =
        {
            .code = "HW043",
            .name = "nvswitch-without-nvlink",
            .severity = PLUMB_WARNING,
            .summary = "the machine has an NVSwitch, and the matrix GPUs without NVLinks",
            .why = "Behind an NVSwitch every GPU reaches every other over all of its links. One of "
                   "the captures is of another machine, links are down, the fabric manager does "
                   "not run, or the GPUs are in MIG mode. Links are not derived.",
            .ref = "nvidia-smi topo -m; PCI class 0680 of NVIDIA",
            .bad = "# topo-m.txt\n"
                   "\tGPU0\tGPU1\n"
                   "GPU0\t X \tSYS\n"
                   "GPU1\tSYS\t X \n"
                   "# hwloc.xml\n" SWITCHED,
            .good = MATRIX "# hwloc.xml\n" SWITCHED,
        },
};

void plumb_bind_report_switch(struct plumb_bind *b, const struct plumb_hw_cell *cell, size_t x,
                              size_t y, struct plumb_span chip)
{
    struct plumb_diag *d = plumb_diag_new(
        &b->s->sink, &rows[SWITCH_WITHOUT], cell->at,
        "GPU %zu and GPU %zu are connected by '%s' here, and the hwloc capture of the same machine "
        "shows an NVSwitch, expected NVLinks between all GPUs",
        x, y, plumb_hardware_relation(b->s->arena, cell));

    plumb_diag_note(d, chip, "an NVSwitch of the hwloc capture");
}

const struct plumb_rule_family plumb_peer_rules = {
    .prefix = "HW",
    .title = "Captures: peer access and NVSwitch",
    .rules = rows,
    .count = PEER_RULE_COUNT,
};

static void gpus_of_peers(struct plumb_bind *b, const struct plumb_smi_topo *t)
{
    struct plumb_hardware *hw = b->hw;

    plumb_bind_new_gpus(b, t->gpu_count, "peer matrix", t->rows[t->gpu_count - 1].name.at);
    for (uint32_t i = 0; i < t->gpu_count; i++)
        hw->gpus[i].at = t->rows[i].at;
    plumb_diag_new(
        &b->s->sink, &rows[PEER_ALONE], t->rows[0].name.at,
        "nothing but this peer matrix of 'nvidia-smi topo -p2p' shows the GPUs, expected "
        "the matrix of 'nvidia-smi topo -m' or an hwloc file beside it");
}

static struct plumb_hw_peers peers_of(struct plumb_bind *b, const struct plumb_capture_peers *from)
{
    const struct plumb_smi_topo *t = from->topo;
    size_t n = t->gpu_count;
    struct plumb_hw_peers p = {.kind = from->kind, .at = t->rows[0].at};

    p.cells = PLUMB_NEW_ARRAY(b->s->arena, n * n, struct plumb_hw_peer);
    for (size_t i = 0; i < n * n; i++) {
        const struct plumb_slice *cell = &t->rows[i / n].cells[i % n].text;

        p.cells[i] = (struct plumb_hw_peer){.status = cell->text, .at = cell->at};
    }
    return p;
}

static void report_count(struct plumb_bind *b, const struct plumb_smi_topo *t)
{
    const struct plumb_hardware *hw = b->hw;
    struct plumb_span other = hw->gpu_count > 0 ? hw->gpus[hw->gpu_count - 1].at : hw->at;
    struct plumb_diag *d = plumb_diag_new(
        &b->s->sink, &rows[PEER_COUNT_DIFFERS], t->rows[t->gpu_count - 1].name.at,
        "the peer matrix shows %zu GPUs, another capture of the same machine %zu; the peer matrix "
        "is not used",
        t->gpu_count, hw->gpu_count);

    b->hw->gpus_differ = true;
    plumb_diag_note(d, other, hw->gpu_count > 0 ? "the last GPU there" : "the machine");
}

void plumb_bind_peers(struct plumb_bind *b)
{
    struct plumb_hardware *hw = b->hw;

    hw->peers = PLUMB_NEW_ARRAY(b->s->arena, b->g->peer_count, struct plumb_hw_peers);
    for (size_t i = 0; i < b->g->peer_count; i++) {
        const struct plumb_smi_topo *t = b->g->peers[i].topo;

        if (t->gpu_count == 0)
            continue;
        if (hw->gpu_count == 0 && !plumb_usable(hw->gpu_count_value))
            gpus_of_peers(b, t);
        /* A dump of NCCL may show fewer GPUs than there are, and says so by this value. */
        if (hw->gpu_count == t->gpu_count)
            hw->peers[hw->peer_count++] = peers_of(b, &b->g->peers[i]);
        else if (plumb_usable(hw->gpu_count_value))
            report_count(b, t);
    }
}

/* NULL where the two go together, or where this kind of access says nothing about NVLink. */
static const char *contradiction(const struct plumb_hw_peers *p, const struct plumb_hw_peer *cell,
                                 uint32_t links)
{
    bool ok = strcmp(cell->status, "OK") == 0;

    if (p->kind == NULL || strcmp(p->kind, "a") == 0 || strcmp(p->kind, "p") == 0 ||
        strcmp(cell->status, "U") == 0)
        return NULL;
    if (links > 0 && !ok)
        return "expected OK";
    if (links == 0 && ok && strcmp(p->kind, "n") == 0)
        return "expected none";
    return NULL;
}

/* The first pair is told, with the number of those like it. */
static void check_peers(struct plumb_bind *b, const struct plumb_hw_peers *p)
{
    const struct plumb_hardware *hw = b->hw;
    struct plumb_diag *d = NULL;
    size_t more = 0;

    for (uint32_t i = 0; i < hw->gpu_count * hw->gpu_count; i++) {
        struct plumb_gpu x = {i / (uint32_t)hw->gpu_count}, y = {i % (uint32_t)hw->gpu_count};
        const struct plumb_hw_cell *cell = plumb_hardware_cell(hw, x.n, y.n);
        uint32_t links = plumb_hardware_links(hw, x, y);
        const char *want = x.n == y.n || cell == NULL || cell->relation == PLUMB_REL_UNKNOWN
                               ? NULL
                               : contradiction(p, &p->cells[i], links);

        if (want == NULL)
            continue;
        if (d != NULL) {
            more++;
            continue;
        }
        d = plumb_diag_new(&b->s->sink, &rows[PEER_WITHOUT], p->cells[i].at,
                           "peer %s from %s to %s is '%s', and another capture of the same machine "
                           "shows %u NVLinks between them, %s",
                           plumb_hardware_peer_words(p),
                           plumb_gpu_words(b->s->arena, &hw->gpus[x.n]),
                           plumb_gpu_words(b->s->arena, &hw->gpus[y.n]), p->cells[i].status,
                           (unsigned)links, want);
        plumb_diag_note(d, cell->at, "their links");
    }
    if (more > 0)
        plumb_diag_fact(d, "%zu more cell%s of the peer matrix contradict%s the links", more,
                        more == 1 ? "" : "s", more == 1 ? "s" : "");
}

void plumb_bind_peer_links(struct plumb_bind *b)
{
    for (size_t i = 0; i < b->hw->peer_count && b->hw->links_known; i++)
        check_peers(b, &b->hw->peers[i]);
}
