/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPUs of AMD in a partition mode (MI300X in DPX, QPX, CPX; MI300A in TPX): one PCI device is
 * several GPUs for ROCm SMI, and for Slurm, which counts those
 * (gpu_rsmi.c:_get_system_gpu_list_rsmi).
 */
#include "base/text.h"
#include "passes/bind.h"

/* Parts of the examples. */
#define PARTITION(name) "<object type=\"OSDev\" name=\"" name "\" osdev_type=\"5\"/>\n"
#define DEVICE(inside)                                                                             \
    "# hwloc.xml\n<object type=\"PCIDev\" pci_busid=\"0000:01:00.0\" pci_type=\"1200 "             \
    "[1002:74a0] [1002:74a0] 00\">\n" inside "</object>"

static const struct plumb_rule rows[] = {
    {
        .code = "HW080",
        .name = "gpu-partitioned",
        .severity = PLUMB_WARNING,
        .summary = "a GPU of AMD is split into partitions",
        .why = "Slurm takes each partition for a GPU. hwloc shows how many there are, but not "
               "which device file and which CPUs each has, so no lines are derived.",
        .ref = "amd-smi set --compute-partition; gpu_rsmi.c:_get_system_gpu_list_rsmi",
        .bad = DEVICE(PARTITION("rsmi0") PARTITION("rsmi1")),
        .good = DEVICE(PARTITION("rsmi0")),
    },
};

const struct plumb_rule_family plumb_partition_rules = {
    .prefix = "HW",
    .title = "Captures: GPUs in partitions",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};

static bool is_rsmi(const struct plumb_hwloc_osdev *o)
{
    return o->pci != PLUMB_HWLOC_NONE && plumb_starts_with(o->name, "rsmi");
}

void plumb_bind_partitions(struct plumb_bind *b)
{
    const struct plumb_hwloc *h = b->hwloc;
    uint32_t *parts = NULL, all = 0, devices = 0;
    const struct plumb_hwloc_osdev *second = NULL;

    if (h == NULL || h->pci_count == 0)
        return;
    parts = PLUMB_NEW_ARRAY(b->s->scratch, h->pci_count, uint32_t);
    for (size_t i = 0; i < h->osdev_count; i++) {
        if (!is_rsmi(&h->osdevs[i]))
            continue;
        all++;
        devices += parts[h->osdevs[i].pci]++ == 0;
        if (second == NULL && parts[h->osdevs[i].pci] == 2)
            second = &h->osdevs[i];
    }
    if (second == NULL)
        return;

    struct plumb_diag *d = plumb_diag_new(
        &b->s->sink, &rows[0], second->at,
        "ROCm SMI has %u GPUs on %u device%s here, expected one on each: they are in a partition "
        "mode, and what each partition has is unknown",
        (unsigned)all, (unsigned)devices, devices == 1 ? "" : "s");

    plumb_diag_note(d, h->pci[second->pci].at, "one of the devices");
    b->hw->gpus_split = b->hw->gpus_differ = true;
}
