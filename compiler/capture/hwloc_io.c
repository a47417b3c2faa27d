/* SPDX-License-Identifier: Apache-2.0 */
/* Bridges, PCI devices, OS devices and NVLinks of an hwloc file, with their places. */
#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "capture/hwloc_read.h"

const char *plumb_hwloc_info(const struct plumb_xml *e, const char *name)
{
    for (uint32_t i = 0; i < e->child_count; i++) {
        const struct plumb_xml *info = e->children[i];
        const char *key = plumb_xml_value(info, "name");

        if (strcmp(info->name, "info") == 0 && key != NULL && strcmp(key, name) == 0)
            return plumb_xml_value(info, "value");
    }
    return NULL;
}

static const struct plumb_slice *value_of(const struct plumb_xml *e, const char *name)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(e, name);

    return a == NULL ? NULL : &a->value;
}

static uint32_t hex(const struct plumb_slice *v, const struct plumb_match *m, int group)
{
    uint32_t out = 0;

    for (size_t i = m->begin[group]; i < m->end[group]; i++) {
        char c = plumb_lower(v->text[i]);

        out = out << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return out;
}

/* "0000:1b:00.0", lower case, the domain as wide as it was. */
static const char *read_bus_id(struct plumb_hwloc_reader *rd, const struct plumb_xml *e)
{
    const struct plumb_slice *v = value_of(e, "pci_busid");
    struct plumb_match m;

    if (v == NULL || !plumb_matcher_find(rd->match, PLUMB_HWLOC_P_BUS, v->text, v->len, 0, &m)) {
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, v == NULL ? e->at : v->at,
                          "a PCI device has %s%s%s, expected a 'pci_busid' such as '0000:1b:00.0'",
                          v == NULL ? "no bus id" : "'", v == NULL ? "" : v->text,
                          v == NULL ? "" : "'");
        return NULL;
    }

    const char *text = plumb_arena_printf(rd->s->arena, "%04x:%02x:%02x.%x",
                                          (unsigned)hex(v, &m, 1), (unsigned)hex(v, &m, 2),
                                          (unsigned)hex(v, &m, 3), (unsigned)hex(v, &m, 4));

    return plumb_intern_str(rd->s->intern, text);
}

/* "0302 [10de:2335] [10de:18bf] a1": class, vendor:device, subsystem, revision. */
static void read_ids(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                     struct plumb_hwloc_pci *p)
{
    const struct plumb_slice *v = value_of(e, "pci_type");
    struct plumb_match m;

    if (v == NULL)
        return;
    if (!plumb_matcher_find(rd->match, PLUMB_HWLOC_P_TYPE, v->text, v->len, 0, &m)) {
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, v->at,
                          "'%s' is no PCI type, expected one such as '0302 [10de:2335]'", v->text);
        return;
    }
    p->class_code = hex(v, &m, 1);
    p->vendor = (uint16_t)hex(v, &m, 2);
    p->device = (uint16_t)hex(v, &m, 3);
    p->subsystem_vendor = (uint16_t)hex(v, &m, 4);
    p->subsystem_device = (uint16_t)hex(v, &m, 5);
}

/* "63.015385" GB/s as MB/s, cut. */
static uint32_t read_speed(struct plumb_hwloc_reader *rd, const struct plumb_xml *e)
{
    const struct plumb_slice *v = value_of(e, "pci_link_speed");
    struct plumb_match m;
    uint32_t mbytes = 0;

    if (v == NULL || !plumb_matcher_find(rd->match, PLUMB_HWLOC_P_SPEED, v->text, v->len, 0, &m))
        return 0;
    for (size_t i = m.begin[1]; i < m.end[1]; i++)
        mbytes = mbytes * 10 + (uint32_t)(v->text[i] - '0');
    for (size_t i = 0; i < 3; i++) {
        size_t at = m.begin[2] + i;

        mbytes = mbytes * 10 + (at < m.end[2] ? (uint32_t)(v->text[at] - '0') : 0);
    }
    return mbytes;
}

static void check_bus_id(struct plumb_hwloc_reader *rd, const struct plumb_xml *e, const char *id)
{
    struct plumb_map_entry *entry = plumb_map_entry(&rd->bus_ids, id, strlen(id));
    const struct plumb_xml *first = entry->value;

    if (first == NULL) {
        entry->value = (void *)(uintptr_t)e;
        return;
    }
    rd->faults++;
    plumb_diag_note(plumb_hw_report(rd->s, PLUMB_HW_OBJECT, value_of(e, "pci_busid")->at,
                                    "bus id '%s' stands at two devices, expected one", id),
                    first->at, "the other device");
}

static uint32_t add_pci(struct plumb_hwloc_reader *rd, const struct plumb_xml *e, uint32_t parent,
                        const struct plumb_hwloc_obj *near)
{
    struct plumb_hwloc *h = rd->out;
    struct plumb_hwloc_pci *p;

    h->pci = plumb_arena_grow(rd->s->arena, h->pci, h->pci_count, &rd->pci_cap, sizeof(*h->pci));
    p = &h->pci[h->pci_count++];
    *p = (struct plumb_hwloc_pci){
        .bus_id = read_bus_id(rd, e),
        .link_mbytes = read_speed(rd, e),
        .parent = parent,
        .host_bridge = rd->host_bridges,
        .locality = near->cpus,
        .at = e->at,
    };
    read_ids(rd, e, p);
    if (p->bus_id != NULL)
        check_bus_id(rd, e, p->bus_id);
    return (uint32_t)(h->pci_count - 1);
}

static void add_osdev(struct plumb_hwloc_reader *rd, const struct plumb_xml *e, uint32_t pci,
                      const struct plumb_hwloc_obj *near)
{
    struct plumb_hwloc *h = rd->out;
    const struct plumb_slice *name = value_of(e, "name"), *kind = value_of(e, "osdev_type"),
                             *gp = value_of(e, "gp_index");
    uint64_t type = 0, gp_index = 0;

    if (name == NULL) /* hwloc itself tolerates it; nobody can name such a device */
        return;
    if (kind == NULL || !plumb_read_u64(kind->text, kind->len, &type) ||
        type > PLUMB_HWLOC_COPROC) {
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, kind == NULL ? e->at : kind->at,
                          "OS device '%s' has no 'osdev_type' from 0 to %d", name->text,
                          PLUMB_HWLOC_COPROC);
        return;
    }
    if (gp != NULL)
        (void)plumb_read_u64(gp->text, gp->len, &gp_index);
    h->osdevs = plumb_arena_grow(rd->s->arena, h->osdevs, h->osdev_count, &rd->osdev_cap,
                                 sizeof(*h->osdevs));
    h->osdevs[h->osdev_count++] = (struct plumb_hwloc_osdev){
        .name = plumb_intern_str(rd->s->intern, name->text),
        .subtype = plumb_xml_value(e, "subtype"),
        .kind = (enum plumb_hwloc_osdev_kind)type,
        .pci = pci,
        .gp_index = gp_index,
        .gpu_model = plumb_hwloc_info(e, "GPUModel"),
        .gpu_uuid = plumb_hwloc_info(e, "NVIDIAUUID"),
        .locality = near->cpus,
        .at = e->at,
    };
}

void plumb_hwloc_io(struct plumb_hwloc_reader *rd, const struct plumb_xml *e, uint32_t parent,
                    const struct plumb_hwloc_obj *near)
{
    const char *type = plumb_xml_value(e, "type");
    const char *bridge = plumb_xml_value(e, "bridge_type");

    if (type == NULL)
        return;
    if (strcmp(type, "Bridge") == 0 && (bridge == NULL || plumb_starts_with(bridge, "0-")))
        rd->host_bridges++; /* it has no bus id of its own */
    else if (strcmp(type, "Bridge") == 0 || strcmp(type, "PCIDev") == 0)
        parent = add_pci(rd, e, parent, near);
    else if (strcmp(type, "OSDev") == 0)
        add_osdev(rd, e, parent, near);
    else if (strcmp(type, "Misc") != 0)
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, e->at, "object '%s' stands below an I/O object",
                          type);
    for (uint32_t i = 0; i < e->child_count; i++) {
        if (strcmp(e->children[i]->name, "object") == 0)
            plumb_hwloc_io(rd, e->children[i], parent, near);
    }
}

/* "PCIDev:449" in a matrix over objects of several kinds: how long the kind is, with its colon. */
static size_t kind_length(const char *text)
{
    size_t letters = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");

    return letters > 0 && !plumb_is_digit(text[0]) && text[letters] == ':' ? letters + 1 : 0;
}

/*
 * Numbers of all children with this name, one behind the other; SIZE_MAX: not numbers, or many.
 * switches: which of them are of kind PCIDev; NULL where numbers have no kind in front.
 */
static size_t read_numbers(const struct plumb_xml *e, const char *child, uint64_t *out,
                           size_t limit, bool *switches)
{
    size_t count = 0;

    for (uint32_t i = 0; i < e->child_count; i++) {
        const struct plumb_xml *c = e->children[i];

        if (strcmp(c->name, child) != 0 || c->text == NULL)
            continue;
        for (const char *at = c->text; *at != '\0';) {
            size_t used = 0;

            if (plumb_is_blank(*at)) {
                at++;
                continue;
            }
            if (count == limit)
                return SIZE_MAX;
            if (switches != NULL) {
                switches[count] = plumb_starts_with(at, "PCIDev:");
                at += kind_length(at);
            }
            used = plumb_read_digits(at, strlen(at), &out[count]);
            if (used == 0 || used == SIZE_MAX)
                return SIZE_MAX;
            count++;
            at += used;
        }
    }
    return count;
}

static uint32_t osdev_of(const struct plumb_hwloc *h, uint64_t gp_index)
{
    for (size_t i = 0; i < h->osdev_count; i++) {
        if (h->osdevs[i].gp_index == gp_index)
            return (uint32_t)i;
    }
    return PLUMB_HWLOC_NONE;
}

/*
 * With NVSwitches in the matrix GPUs have links to them and none to each other. Two GPUs reach
 * each other with what the lesser has to all switches together, as the matrix of nvidia-smi
 * shows it.
 */
static void through_switches(struct plumb_hwloc_reader *rd, uint64_t *values, size_t count,
                             const bool *switches)
{
    uint64_t *sums = PLUMB_NEW_ARRAY(rd->s->arena, count, uint64_t);

    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            uint64_t v = switches[k] ? values[i * count + k] : 0;

            sums[i] += v < UINT32_MAX ? v : 0; /* PLUMB_MAX_GPUS of them fit */
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            if (i != j && !switches[i] && !switches[j] && values[i * count + j] == 0)
                values[i * count + j] = sums[i] < sums[j] ? sums[i] : sums[j];
        }
    }
}

static void read_nvlinks(struct plumb_hwloc_reader *rd, const struct plumb_xml *e)
{
    struct plumb_hwloc *h = rd->out;
    const struct plumb_slice *n = value_of(e, "nbobjs");
    uint64_t count = 0;

    if (n == NULL || !plumb_read_u64(n->text, n->len, &count) || count < 2 ||
        count > PLUMB_MAX_GPUS) {
        plumb_hw_report(rd->s, PLUMB_HW_DISTANCES, n == NULL ? e->at : n->at,
                        "'nbobjs' of the NVLink matrix is not between 2 and %d", PLUMB_MAX_GPUS);
        return;
    }

    uint64_t *gp = PLUMB_NEW_ARRAY(rd->s->arena, count, uint64_t);
    uint64_t *values = PLUMB_NEW_ARRAY(rd->s->arena, count * count, uint64_t);
    uint32_t *osdevs = PLUMB_NEW_ARRAY(rd->s->arena, count, uint32_t);
    bool *switches = PLUMB_NEW_ARRAY(rd->s->arena, count, bool);
    bool kinds = strcmp(e->name, "distances2hetero") == 0;
    size_t indexes = read_numbers(e, "indexes", gp, count, kinds ? switches : NULL);
    size_t cells = read_numbers(e, "u64values", values, count * count, NULL);

    if (indexes != count || cells != count * count) {
        plumb_hw_report(rd->s, PLUMB_HW_DISTANCES, e->at,
                        "the NVLink matrix does not hold %zu indexes and %zu values", (size_t)count,
                        (size_t)(count * count));
        return;
    }
    if (kinds)
        through_switches(rd, values, (size_t)count, switches);
    for (size_t i = 0; i < count; i++)
        osdevs[i] = osdev_of(h, gp[i]);
    h->nvlink = osdevs;
    h->nvlink_count = (size_t)count;
    h->nvlink_mbytes = values;
    h->nvlink_at = e->at;
}

void plumb_hwloc_distances(struct plumb_hwloc_reader *rd, const struct plumb_xml *topology)
{
    for (uint32_t i = 0; i < topology->child_count; i++) {
        const struct plumb_xml *e = topology->children[i];
        const char *name = plumb_xml_value(e, "name"), *type = plumb_xml_value(e, "type");

        if (!plumb_starts_with(e->name, "distances2") || name == NULL ||
            strcmp(name, "NVLinkBandwidth") != 0)
            continue;
        if (strcmp(e->name, "distances2hetero") == 0 ||
            (type != NULL && strcmp(type, "OSDev") == 0))
            read_nvlinks(rd, e);
    }
}
