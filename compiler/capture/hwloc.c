/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an hwloc XML file: version first, then objects, then what libhwloc makes of them. */
#include "capture/hwloc.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "capture/hwloc_read.h"

static const char *const patterns[PLUMB_HWLOC_P_COUNT] = {
    [PLUMB_HWLOC_P_BUS] = "^([0-9a-fA-F]{4,8}):([0-9a-fA-F]{2}):([0-9a-fA-F]{2})\\.([0-9a-fA-F])$",
    [PLUMB_HWLOC_P_TYPE] = ("^([0-9a-fA-F]{4}) \\[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})\\]"
                            "(?: \\[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})\\])?"),
    [PLUMB_HWLOC_P_SPEED] = "^([0-9]{1,6})(?:\\.([0-9]+))?$",
};

/* 2.x writes version="2.0"; 1.x none, or 1.0; 3.x "3.0". */
static bool check_version(struct plumb_session *s, const struct plumb_xml *root)
{
    const struct plumb_xml_attr *v = plumb_xml_attr(root, "version");
    struct plumb_diag *d;

    if (v != NULL && plumb_starts_with(v->value.text, "2."))
        return true;
    if (v != NULL && !plumb_starts_with(v->value.text, "1.")) {
        d = plumb_hw_report(s, PLUMB_HW_VERSION, v->value.at,
                            "hwloc XML version '%s' is not read, expected '2.0'", v->value.text);
        plumb_diag_help(d, "capture again with 'lstopo --of v2xml hwloc.xml', "
                           "or with lstopo 2.x");
        return false;
    }
    d = plumb_hw_report(s, PLUMB_HW_VERSION, v == NULL ? root->at : v->value.at,
                        "hwloc XML version '1' is not read, expected '2.0'");
    plumb_diag_help(d, "capture again with lstopo 2.x, or convert with lstopo 2.x: 'lstopo -i "
                       "old.xml --of xml hwloc.xml'");
    return false;
}

static const struct plumb_xml *machine_of(struct plumb_session *s, const struct plumb_xml *root)
{
    const struct plumb_xml *o = NULL;
    const char *type = NULL;

    if (strcmp(root->name, "topology") != 0) {
        plumb_hw_report(s, PLUMB_HW_NOT_HWLOC, root->at,
                        "root element is '%s', expected 'topology' as lstopo writes it",
                        root->name);
        return NULL;
    }
    if (!check_version(s, root))
        return NULL;
    o = plumb_xml_child(root, "object");
    type = o == NULL ? NULL : plumb_xml_value(o, "type");
    if (type != NULL && strcmp(type, "Machine") == 0)
        return o;
    plumb_hw_report(s, PLUMB_HW_NOT_HWLOC, o == NULL ? root->at : o->at,
                    "the topology begins with %s%s%s, expected an object of type 'Machine'",
                    type == NULL ? "no object" : "'", type == NULL ? "" : type,
                    type == NULL ? "" : "'");
    return NULL;
}

static uint32_t info_number(const struct plumb_xml *e, const char *name)
{
    const char *text = plumb_hwloc_info(e, name);
    uint64_t v = 0;

    if (text == NULL || !plumb_read_u64(text, strlen(text), &v) || v > UINT32_MAX)
        return 0;
    return (uint32_t)v;
}

static void read_processor(struct plumb_hwloc_reader *rd, const struct plumb_xml *machine)
{
    struct plumb_hwloc *h = rd->out;
    const char *arch = plumb_hwloc_info(machine, "Architecture"), *vendor = NULL;

    if (arch != NULL)
        h->arch = plumb_intern_str(rd->s->intern, arch);
    for (size_t i = 0; i < rd->obj_count && vendor == NULL; i++) {
        const struct plumb_xml *e = rd->by_gp[i]->e;

        vendor = plumb_hwloc_info(e, "CPUVendor");
        if (vendor == NULL)
            continue;
        h->cpu_vendor = plumb_intern_str(rd->s->intern, vendor);
        h->cpu_family = info_number(e, "CPUFamilyNumber");
        h->cpu_model = info_number(e, "CPUModelNumber");
    }
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

static void check_whole(struct plumb_hwloc_reader *rd, const struct plumb_xml *machine)
{
    struct plumb_hwloc *h = rd->out;
    const struct plumb_hwloc_obj *root = rd->root;
    const struct plumb_xml_attr *cpus = plumb_xml_attr(machine, "cpuset");
    uint32_t seen = plumb_hwloc_set_count(&root->cpus);
    uint32_t all = plumb_hwloc_set_count(&root->complete_cpus);

    h->cpus = root->cpus;
    h->cpus_at = cpus == NULL ? machine->at : cpus->value.at;
    h->incomplete = seen < all;
    if (h->incomplete) {
        struct plumb_diag *d =
            plumb_hw_report(rd->s, PLUMB_HW_INCOMPLETE, h->cpus_at,
                            "the capture shows %u of the %u CPUs of the machine, expected all",
                            (unsigned)seen, (unsigned)all);

        plumb_diag_fact(d, "CPUs are hidden by a job's cgroup, by a container, or are offline");
        plumb_diag_help(d, "capture outside of jobs and containers: lstopo --disallowed hwloc.xml");
    } else {
        check_cpu_ids(rd);
    }
    if (h->pci_count == 0)
        plumb_hw_report(rd->s, PLUMB_HW_NO_IO, machine->at,
                        "the capture shows no PCI device, expected GPUs and NICs");
}

struct plumb_hwloc *plumb_hwloc_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct plumb_hwloc *out = PLUMB_NEW(s->arena, struct plumb_hwloc);
    struct plumb_hwloc_reader rd = {.s = s, .out = out, .bus_ids = plumb_map_in(s->arena)};
    const struct plumb_xml *root = plumb_xml_read(s, src);
    const struct plumb_xml *machine = root == NULL ? NULL : machine_of(s, root);

    if (machine == NULL) {
        s->sink.incomplete = true;
        return NULL;
    }
    out->src = src;
    out->at = root->at;
    rd.match = plumb_matcher_new(s->arena, patterns, PLUMB_HWLOC_P_COUNT);
    plumb_hwloc_tree(&rd, machine);
    plumb_hwloc_distances(&rd, root);
    plumb_matcher_free(rd.match);
    if (rd.faults == 0)
        plumb_hwloc_load(&rd);
    if (rd.faults > 0) {
        s->sink.incomplete = true;
        return NULL;
    }
    read_processor(&rd, machine);
    check_whole(&rd, machine);
    return out;
}

bool plumb_hwloc_sniff(const char *text, size_t len)
{
    enum { LOOK_AT = 4096 };
    size_t end = len < LOOK_AT ? len : LOOK_AT;

    for (size_t i = 0; i + 9 < end; i++) {
        if (text[i] != '<')
            continue;
        if (memcmp(text + i, "<topology", 9) == 0)
            return text[i + 9] == ' ' || text[i + 9] == '>';
        /* anything but a prolog before the root is another document */
        if (text[i + 1] != '?' && text[i + 1] != '!')
            return false;
    }
    return false;
}
