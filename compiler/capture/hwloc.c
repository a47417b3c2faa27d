/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an hwloc XML file of 1.x, 2.x or 3.x: version first, then objects, then what libhwloc makes
 * of them. */
#include "capture/hwloc.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "capture/hwloc_read.h"

/* 2.x writes version="2.0", 3.x "3.0"; 1.x nothing, or 1.0. 0: neither (reported). */
static unsigned major_of(struct plumb_session *s, const struct plumb_xml *root)
{
    const struct plumb_xml_attr *v = plumb_xml_attr(root, "version");
    struct plumb_diag *d;

    if (v == NULL)
        return 1;
    if (v->value.len >= 2 && v->value.text[0] >= '1' && v->value.text[0] <= '3' &&
        v->value.text[1] == '.')
        return (unsigned)(v->value.text[0] - '0');
    d = plumb_hw_report(s, PLUMB_HW_VERSION, v->value.at,
                        "hwloc XML version '%s' is not read, expected '1.0', '2.0' or '3.0'",
                        v->value.text);
    plumb_diag_help(d, "capture again with 'lstopo --of v2xml hwloc.xml'");
    return 0;
}

static const struct plumb_xml *machine_of(struct plumb_session *s, const struct plumb_xml *root,
                                          unsigned *major)
{
    const struct plumb_xml *o = NULL;
    const char *type = NULL;

    if (strcmp(root->name, "topology") != 0) {
        plumb_hw_report(s, PLUMB_HW_NOT_HWLOC, root->at,
                        "root element is '%s', expected 'topology' as lstopo writes it",
                        root->name);
        return NULL;
    }
    *major = major_of(s, root);
    if (*major == 0)
        return NULL;
    o = plumb_xml_child(root, "object");
    type = o == NULL ? NULL : plumb_xml_value(o, "type");
    if (type != NULL &&
        (strcmp(type, "Machine") == 0 || (*major == 1 && strcmp(type, "System") == 0)))
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

static void read_processor(struct plumb_hwloc_reader *rd, const struct plumb_xml *root)
{
    struct plumb_hwloc *h = rd->out;
    const struct plumb_xml *info = plumb_hwloc_system_info(root, "Architecture");
    const char *arch = info == NULL ? NULL : plumb_xml_value(info, "value"), *vendor = NULL;

    info = plumb_hwloc_system_info(root, "HostName");
    if (info != NULL && plumb_xml_attr(info, "value") != NULL)
        h->host = plumb_xml_attr(info, "value")->value;
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

struct plumb_hwloc *plumb_hwloc_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct plumb_hwloc *out = PLUMB_NEW(s->arena, struct plumb_hwloc);
    struct plumb_hwloc_reader rd = {.s = s, .out = out, .bus_ids = plumb_map_in(s->arena)};
    bool damaged = false;
    const struct plumb_xml *root = plumb_xml_read_part(s, src, &damaged);
    const struct plumb_xml *machine = root == NULL ? NULL : machine_of(s, root, &rd.major);

    if (machine == NULL) {
        s->sink.incomplete = true;
        return NULL;
    }
    out->src = src;
    out->at = root->at;
    rd.faults = damaged; /* a part of a machine is none */
    plumb_hwloc_tree(&rd, machine);
    plumb_hwloc_distances(&rd, root);
    if (rd.faults == 0)
        plumb_hwloc_load(&rd, NULL);
    if (rd.faults == 0) {
        read_processor(&rd, root);
        plumb_hwloc_check_whole(&rd, root);
        plumb_hwloc_ecores(&rd, root);
    }
    if (rd.faults == 0)
        return out;
    s->sink.incomplete = true;
    return NULL;
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
