/* SPDX-License-Identifier: Apache-2.0 */
/* Values of an NCCL file that are wrong whatever the machine is (facts: kvDict* of topo.cc). */
#include <string.h>

#include "base/bus_id.h"
#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "capture/nccl.h"
#include "schema/nccl.h"

struct judge {
    struct plumb_session *s;
    struct plumb_map numas, bus_ids; /* to the attribute that has it */
    size_t cpus, unknown_numas;
    const struct plumb_xml_attr *minus;
    bool hashed, shown_speed;
};

#define report(j, row, at, ...) plumb_nccl_report((j)->s, row, at, __VA_ARGS__)

/* kvConvertToInt: the first words that the value begins with. */
static bool is_word(const char *value, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (plumb_starts_with(value, words[i]))
            return true;
    }
    return false;
}

static void need(struct judge *j, const struct plumb_xml *e, const char *name)
{
    if (plumb_xml_attr(e, name) == NULL)
        report(j, PLUMB_NCCL_REQUIRED, e->at, "'%s' has no %s, expected one; NCCL stops", e->name,
               name);
}

static void judge_numa(struct judge *j, const struct plumb_xml *cpu)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(cpu, "numaid"), *first = NULL;
    uint64_t v = 0;

    if (a == NULL)
        return; /* reported */
    if (strcmp(a->value.text, "-1") == 0) {
        j->unknown_numas++;
        if (j->minus == NULL)
            j->minus = a;
    } else if (!plumb_read_u64(a->value.text, a->value.len, &v)) {
        report(j, PLUMB_NCCL_NUMA, a->value.at, "numaid '%s' is no number, NCCL reads %s",
               a->value.text, plumb_is_digit(a->value.text[0]) ? "its first digits" : "0");
        return;
    }
    first = plumb_map_get(&j->numas, a->value.text);
    if (first != NULL)
        plumb_diag_note(report(j, PLUMB_NCCL_NUMA, a->value.at,
                               "numaid '%s' is that of another cpu element too, expected one for "
                               "each NUMA node",
                               a->value.text),
                        first->value.at, "the other element");
    else
        plumb_map_set(&j->numas, a->value.text, (void *)(uintptr_t)a);
}

static void judge_cpu(struct judge *j, const struct plumb_xml *cpu)
{
    const struct plumb_xml_attr *arch = plumb_xml_attr(cpu, "arch");
    const struct plumb_xml_attr *vendor = plumb_xml_attr(cpu, "vendor");
    const struct plumb_xml_attr *hash = plumb_xml_attr(cpu, "host_hash");

    j->cpus++;
    need(j, cpu, "numaid");
    judge_numa(j, cpu);
    if (arch != NULL && !is_word(arch->value.text, plumb_nccl_arches, PLUMB_NCCL_ARCH_COUNT))
        report(j, PLUMB_NCCL_ARCH, arch->value.at,
               "NCCL does not know the arch '%s', expected 'x86_64', 'arm64' or 'ppc64'",
               arch->value.text);
    if (vendor != NULL && arch != NULL && plumb_starts_with(arch->value.text, PLUMB_NCCL_X86) &&
        !is_word(vendor->value.text, plumb_nccl_vendors, PLUMB_NCCL_VENDOR_COUNT))
        report(j, PLUMB_NCCL_ARCH, vendor->value.at,
               "NCCL does not know the vendor '%s', expected 'GenuineIntel' or 'AuthenticAMD'",
               vendor->value.text);
    if (hash != NULL && !j->hashed) {
        report(j, PLUMB_NCCL_HOST_HASH, hash->value.at,
               "host_hash '%s' is of the machine that was dumped, expected none", hash->value.text);
        j->hashed = true;
    }
}

/* A bridge that no machine has: people make them up to pair GPUs and NICs. */
static bool is_made_up(const char *bus_id)
{
    return plumb_starts_with(bus_id, "ffff:ff") || plumb_starts_with(bus_id, "FFFF:FF");
}

static void judge_bus_id(struct judge *j, const struct plumb_xml *pci)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(pci, "busid"), *first = NULL;
    bool made_up = a != NULL && is_made_up(a->value.text);
    char id[PLUMB_BUS_ID_SIZE];

    if (a == NULL)
        return;
    first = plumb_map_get(&j->bus_ids, a->value.text);
    if (first != NULL)
        plumb_diag_note(report(j, PLUMB_NCCL_BUS_ID, a->value.at,
                               "bus id '%s' is that of another element too, expected one for each "
                               "device",
                               a->value.text),
                        first->value.at, "the other element");
    else
        plumb_map_set(&j->bus_ids, a->value.text, (void *)(uintptr_t)a);
    if (made_up)
        return;
    if (!plumb_bus_id_read(a->value.text, a->value.len, id))
        report(j, PLUMB_NCCL_BUS_ID, a->value.at,
               "'%s' is no bus id, expected one such as '0000:1b:00.0'", a->value.text);
    else if (strpbrk(a->value.text, "ABCDEF") != NULL)
        report(j, PLUMB_NCCL_BUS_ID, a->value.at,
               "bus id '%s' has upper-case digits, expected lower case as in /sys", a->value.text);
    else if (strcmp(a->value.text, id) != 0) /* as nvidia-smi prints it */
        report(j, PLUMB_NCCL_BUS_ID, a->value.at,
               "bus id '%s' has zeros in front of its domain, expected '%s' as in /sys",
               a->value.text, id);
}

static bool is_speed(const char *value)
{
    for (size_t i = 0; i < PLUMB_NCCL_SPEED_COUNT; i++) {
        if (plumb_starts_with(value, plumb_nccl_speeds[i].text))
            return true;
    }
    return false;
}

static void judge_link(struct judge *j, const struct plumb_xml *pci)
{
    const struct plumb_xml_attr *speed = plumb_xml_attr(pci, "link_speed");
    const struct plumb_xml_attr *width = plumb_xml_attr(pci, "link_width");
    uint64_t v = 0;

    if (speed != NULL && speed->value.len > 0 && !j->shown_speed && !is_speed(speed->value.text)) {
        report(j, PLUMB_NCCL_LINK_SPEED, speed->value.at,
               "NCCL takes link_speed '%s' for 8 GT/s, expected a text such as '32.0 GT/s PCIe'",
               speed->value.text);
        j->shown_speed = true; /* a file writes all of them alike */
    }
    if (width != NULL && width->value.len > 0 &&
        !plumb_read_u64(width->value.text, width->value.len, &v))
        report(j, PLUMB_NCCL_LINK_SPEED, width->value.at,
               "link_width '%s' is no number, expected the lanes such as '16'", width->value.text);
}

static bool has(const struct plumb_xml *e, const char *child)
{
    return plumb_xml_child(e, child) != NULL;
}

static void judge_class(struct judge *j, const struct plumb_xml *pci)
{
    const struct plumb_xml_attr *class = plumb_xml_attr(pci, "class");
    const char *id = plumb_xml_value(pci, "busid");
    bool gpu = has(pci, "gpu");

    if (class == NULL || class->value.len == 0) {
        if (id != NULL && is_made_up(id))
            report(j, PLUMB_NCCL_REQUIRED, pci->at,
                   "bridge '%s' is not in the machine and has no class, expected '0x060400'; NCCL "
                   "stops",
                   id);
        return;
    }
    if (gpu && !plumb_starts_with(class->value.text, "0x03"))
        report(j, PLUMB_NCCL_CLASS, class->value.at,
               "a gpu is in a device of class '%s', expected a class such as '0x030200'; NCCL "
               "stops",
               class->value.text);
    else if (!gpu && has(pci, "pci") && plumb_starts_with(class->value.text, "0x03"))
        plumb_diag_severity(report(j, PLUMB_NCCL_CLASS, class->value.at,
                                   "NCCL passes over the devices in one of class '%s', expected "
                                   "'0x060400', a bridge",
                                   class->value.text),
                            PLUMB_WARNING);
}

static void judge_gpu(struct judge *j, const struct plumb_xml *gpu)
{
    for (uint32_t i = 0; i < gpu->child_count; i++) {
        const struct plumb_xml *e = gpu->children[i];

        if (strcmp(e->name, "nvlink") == 0) {
            need(j, e, "target");
            need(j, e, "count");
        } else if (strcmp(e->name, "c2c") == 0) {
            need(j, e, "bw");
            need(j, e, "count");
        }
    }
}

static void judge_pci(struct judge *j, const struct plumb_xml *pci)
{
    const char *id = plumb_xml_value(pci, "busid");

    need(j, pci, "busid");
    judge_bus_id(j, pci);
    judge_class(j, pci);
    judge_link(j, pci);
    if (id != NULL && is_made_up(id)) {
        need(j, pci, "link_speed");
        need(j, pci, "link_width");
    }
    for (uint32_t i = 0; i < pci->child_count; i++) {
        const struct plumb_xml *e = pci->children[i];

        if (strcmp(e->name, "pci") == 0)
            judge_pci(j, e);
        else if (strcmp(e->name, "gpu") == 0)
            judge_gpu(j, e);
    }
}

/* NCCL looks at the version before anything else. False: it stops there. */
static bool judge_version(struct judge *j, const struct plumb_xml *system)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(system, "version");
    uint64_t v = 0;

    if (a == NULL)
        report(j, PLUMB_NCCL_REQUIRED, system->at,
               "'system' has no version, expected '1'; NCCL stops");
    else if (!plumb_read_c_u64(a->value.text, a->value.len, &v) || v != 1)
        report(j, PLUMB_NCCL_REQUIRED, a->value.at,
               "the version is '%s'%s, expected '1'; NCCL stops", a->value.text,
               v == 2 ? ", that of RCCL" : "");
    return a != NULL && v == 1;
}

bool plumb_nccl_judge(struct plumb_session *s, const struct plumb_nccl_xml *x)
{
    struct judge j = {.s = s, .numas = plumb_map_in(s->arena), .bus_ids = plumb_map_in(s->arena)};

    if (!judge_version(&j, x->system))
        return false;
    for (uint32_t i = 0; i < x->system->child_count; i++) {
        const struct plumb_xml *cpu = x->system->children[i];

        judge_cpu(&j, cpu);
        for (uint32_t k = 0; k < cpu->child_count; k++) {
            if (strcmp(cpu->children[k]->name, "pci") == 0)
                judge_pci(&j, cpu->children[k]);
        }
    }
    if (j.unknown_numas > 0 && j.cpus > 1)
        report(&j, PLUMB_NCCL_NUMA, j.minus->value.at,
               "numaid -1 stands beside other NUMA nodes, expected the number of a node");
    return true;
}
