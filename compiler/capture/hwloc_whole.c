/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether an hwloc file shows the machine: what it hides, what nothing in it proves, and what
 * slurmd sees in another way. What cannot be known is said, so that nobody takes a guess for a
 * fact.
 */
#include <string.h>

#include "base/text.h"
#include "capture/hwloc_read.h"

const struct plumb_xml *plumb_hwloc_system_info(const struct plumb_xml *root, const char *name)
{
    const struct plumb_xml *info = plumb_hwloc_info_element(plumb_xml_child(root, "object"), name);

    return info == NULL ? plumb_hwloc_info_element(root, name) : info;
}

/* The cgroup in which lstopo ran tells a job or a container from CPUs that are offline. */
static void note_cgroup(struct plumb_diag *d, const struct plumb_xml *root)
{
    const struct plumb_xml *info = plumb_hwloc_system_info(root, "LinuxCgroup");
    const char *path = info == NULL ? NULL : plumb_xml_value(info, "value");

    if (path != NULL && strcmp(path, "/") != 0)
        plumb_diag_note(d, plumb_xml_attr(info, "value")->value.at, "the cgroup of the capture");
}

/* Slurm's map from CPU ids to cores has one entry per thread. */
static void check_cpu_ids(struct plumb_hwloc_reader *rd)
{
    struct plumb_hwloc *h = rd->out;
    uint32_t last = 0;

    for (uint32_t i = 0; i < h->cpus.word_count * 64; i++) {
        if ((h->cpus.words[i / 64] >> (i % 64) & 1) != 0)
            last = i;
    }
    if (last >= h->pu_count && h->pu_count > 0)
        plumb_hw_report(rd->s, PLUMB_HW_CPU_HOLES, h->cpus_at,
                        "CPU ids reach %u with only %u threads, expected ids 0 to %u",
                        (unsigned)last, (unsigned)h->pu_count, (unsigned)h->pu_count - 1);
}

static void check_hidden(struct plumb_hwloc_reader *rd, const struct plumb_xml *root)
{
    struct plumb_hwloc *h = rd->out;
    uint32_t seen = plumb_hwloc_set_count(&rd->root->cpus);
    uint32_t all = plumb_hwloc_set_count(&rd->root->complete_cpus);
    struct plumb_diag *d;

    h->incomplete = seen < all;
    if (!h->incomplete) {
        check_cpu_ids(rd);
        return;
    }
    d = plumb_hw_report(rd->s, PLUMB_HW_INCOMPLETE, h->cpus_at,
                        "the capture shows %u of the %u CPUs of the machine, expected all",
                        (unsigned)seen, (unsigned)all);
    note_cgroup(d, root);
    plumb_diag_fact(d, "CPUs are hidden by a job's cgroup, by a container, or are offline");
    plumb_diag_help(d, "capture outside of jobs and containers: lstopo --disallowed hwloc.xml");
}

/* lstopo --disallowed in a cgroup: the machine is whole, and one sees where it was taken. */
static void check_allowed(struct plumb_hwloc_reader *rd, const struct plumb_xml *root)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(rd->root->e, "allowed_cpuset");
    struct plumb_hwloc_set allowed = {0};
    struct plumb_diag *d;

    if (a == NULL || rd->out->incomplete ||
        !plumb_hwloc_set_read(rd->s->arena, &a->value, &allowed))
        return;
    allowed = plumb_hwloc_set_both(rd->s->arena, &rd->root->cpus, &allowed);

    uint32_t usable = plumb_hwloc_set_count(&allowed);
    uint32_t seen = plumb_hwloc_set_count(&rd->root->cpus);

    if (usable == seen)
        return;
    d = plumb_hw_report(rd->s, PLUMB_HW_DISALLOWED, a->value.at,
                        "the capture was allowed to use %u of the %u CPUs that it shows, expected "
                        "all; a slurmd in the same cgroup cannot give the others to jobs",
                        (unsigned)usable, (unsigned)seen);
    note_cgroup(d, root);
}

static bool is_backend(const struct plumb_xml *info, const char *word)
{
    const char *name = plumb_xml_value(info, "name"), *value = plumb_xml_value(info, "value");

    return strcmp(info->name, "info") == 0 && name != NULL && value != NULL &&
           strcmp(name, "Backend") == 0 && strcmp(value, word) == 0;
}

static const struct plumb_xml *backend(const struct plumb_xml *root, const char *word)
{
    const struct plumb_xml *const places[] = {root, plumb_xml_child(root, "object")};

    for (size_t p = 0; p < PLUMB_COUNT(places); p++) {
        for (uint32_t i = 0; i < places[p]->child_count; i++) {
            if (is_backend(places[p]->children[i], word))
                return places[p]->children[i];
        }
    }
    return NULL;
}

/* Names of what looked at the machine (hwloc_topology_load): nothing but the processor, or nothing.
 */
static void check_source(struct plumb_hwloc_reader *rd, const struct plumb_xml *root)
{
    const struct plumb_xml *made = backend(root, "Synthetic"), *cpuid = backend(root, "x86");

    if (made != NULL)
        plumb_hw_report(rd->s, PLUMB_HW_NOT_LIVE, made->at,
                        "the topology was made up from a description, expected a capture of a "
                        "machine");
    else if (cpuid != NULL && backend(root, "Linux") == NULL)
        plumb_hw_report(rd->s, PLUMB_HW_NOT_LIVE, cpuid->at,
                        "the capture asked the processors alone, expected one of the operating "
                        "system; NUMA nodes, memory and devices are unknown");
}

/* hwloc puts one node of no size around a machine whose nodes nobody told it. */
static bool nodes_are_told(const struct plumb_hwloc *h)
{
    for (size_t i = 0; i < h->numa_count; i++) {
        if (h->numa[i].memory_told)
            return true;
    }
    return h->numa_count > 1;
}

static void check_levels(struct plumb_hwloc_reader *rd)
{
    struct plumb_hwloc *h = rd->out;

    if (!h->has_cores)
        plumb_hw_report(rd->s, PLUMB_HW_NO_CORES, rd->root->e->at,
                        "the capture shows %u CPUs and no cores, expected some; slurmd takes the "
                        "CPUs for threads of one core",
                        (unsigned)h->pu_count);
    else if (!h->has_packages)
        plumb_hw_report(rd->s, PLUMB_HW_NO_PACKAGES, rd->root->e->at,
                        "the capture shows %zu cores and no package, expected some; slurmd counts "
                        "one socket",
                        h->core_count);
    if (h->by_numa.count == 0)
        plumb_hw_report(rd->s, PLUMB_HW_GROUP_LEVELS, rd->root->e->at,
                        "groups around NUMA nodes are on several levels, expected one; slurmd "
                        "stops on this machine with numa_node_as_socket");
}

/* CPUs that no node holds: the node has no memory, or a hypervisor left it out. */
static void check_nodes(struct plumb_hwloc_reader *rd)
{
    struct plumb_hwloc *h = rd->out;
    uint32_t apart = 0, without = 0;

    for (uint32_t cpu = 0; cpu < h->cpus.word_count * 64; cpu++) {
        bool held = (h->cpus.words[cpu / 64] >> (cpu % 64) & 1) == 0;

        for (size_t i = 0; i < h->numa_count && !held; i++)
            held = cpu / 64 < h->numa[i].cpus.word_count &&
                   (h->numa[i].cpus.words[cpu / 64] >> (cpu % 64) & 1) != 0;
        if (!held && without++ == 0)
            apart = cpu;
    }
    if (without > 0)
        plumb_hw_report(rd->s, PLUMB_HW_NUMA_GAP, rd->root->e->at,
                        "%u CPUs, %u the first, are in no NUMA node, expected all %u to be in one",
                        (unsigned)without, (unsigned)apart, (unsigned)h->pu_count);
}

void plumb_hwloc_check_whole(struct plumb_hwloc_reader *rd, const struct plumb_xml *root)
{
    struct plumb_hwloc *h = rd->out;
    const struct plumb_xml_attr *cpus = plumb_xml_attr(rd->root->e, "cpuset");

    h->cpus_at = cpus == NULL ? rd->root->e->at : cpus->value.at;
    h->numa_told = nodes_are_told(h);
    check_hidden(rd, root);
    check_allowed(rd, root);
    check_source(rd, root);
    check_levels(rd);
    check_nodes(rd);
    if (h->pci_count == 0)
        plumb_hw_report(rd->s, PLUMB_HW_NO_IO, rd->root->e->at,
                        "the capture shows no PCI device, expected GPUs and NICs");
}

/* The CPUs of a <cpukind> whose cores are Intel's P-cores; false for others. */
static bool read_pcores(struct plumb_hwloc_reader *rd, const struct plumb_xml *kind,
                        struct plumb_hwloc_set *out)
{
    const struct plumb_xml_attr *cpus = plumb_xml_attr(kind, "cpuset");
    const char *type = plumb_hwloc_info(kind, "CoreType");

    if (strcmp(kind->name, "cpukind") != 0 || cpus == NULL || type == NULL ||
        !plumb_same_nocase(type, "IntelCore") ||
        !plumb_hwloc_set_read(rd->s->arena, &cpus->value, out))
        return false;
    *out = plumb_hwloc_set_both(rd->s->arena, &rd->root->cpus, out);
    return !plumb_hwloc_set_empty(out);
}

static struct plumb_hwloc *without_others(struct plumb_hwloc_reader *rd,
                                          const struct plumb_hwloc_set *cpus)
{
    struct plumb_hwloc *all = rd->out, *part = PLUMB_NEW(rd->s->arena, struct plumb_hwloc);

    *part = *all;
    part->package_count = part->core_count = part->numa_count = 0;
    part->first_pcores = part->pcores = NULL;
    rd->out = part;
    plumb_hwloc_load(rd, cpus);
    rd->out = all;
    return rd->faults == 0 ? part : NULL;
}

static void add_cpus(struct plumb_hwloc_set *to, const struct plumb_hwloc_set *from)
{
    for (uint32_t i = 0; i < from->word_count; i++)
        to->words[i] |= from->words[i];
}

static bool same_text(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

void plumb_hwloc_ecores(struct plumb_hwloc_reader *rd, const struct plumb_xml *root)
{
    struct plumb_hwloc *h = rd->out;
    struct plumb_hwloc_set first = rd->root->cpus, all = first, kind = {0};
    const char *speed = NULL; /* of the first kind; one with the same speed is taken for it */
    uint32_t kinds = 0;

    all.words = PLUMB_NEW_ARRAY(rd->s->arena, all.word_count, uint64_t);
    first.words = PLUMB_NEW_ARRAY(rd->s->arena, all.word_count, uint64_t);
    for (uint32_t i = 0; i < root->child_count; i++) {
        const struct plumb_xml *e = root->children[i];

        if (!read_pcores(rd, e, &kind))
            continue;
        if (kinds++ == 0)
            speed = plumb_hwloc_info(e, "FrequencyMaxMHz");
        if (kinds == 1 || same_text(speed, plumb_hwloc_info(e, "FrequencyMaxMHz")))
            add_cpus(&first, &kind);
        add_cpus(&all, &kind);
    }
    if (kinds > 0 && !plumb_hwloc_set_within(&rd->root->cpus, &all))
        h->pcores = without_others(rd, &all);
    h->first_pcores =
        kinds > 0 && !plumb_hwloc_set_within(&all, &first) ? without_others(rd, &first) : h->pcores;
}
