/* SPDX-License-Identifier: Apache-2.0 */
/* Bridges, PCI devices, OS devices and NVLinks of an hwloc file, with their places. */
#include <string.h>

#include "base/bus_id.h"
#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "capture/hwloc_read.h"

#define DIGITS "0123456789"

const struct plumb_xml *plumb_hwloc_info_element(const struct plumb_xml *e, const char *name)
{
    for (uint32_t i = 0; i < e->child_count; i++) {
        const struct plumb_xml *info = e->children[i];
        const char *key = plumb_xml_value(info, "name");

        if (strcmp(info->name, "info") == 0 && key != NULL && strcmp(key, name) == 0)
            return info;
    }
    return NULL;
}

const char *plumb_hwloc_info(const struct plumb_xml *e, const char *name)
{
    const struct plumb_xml *info = plumb_hwloc_info_element(e, name);

    return info == NULL ? NULL : plumb_xml_value(info, "value");
}

static const struct plumb_slice *value_of(const struct plumb_xml *e, const char *name)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(e, name);

    return a == NULL ? NULL : &a->value;
}

/* Four hexadecimal digits. False: there are none. */
static bool read_hex4(const char *text, uint32_t *out)
{
    *out = 0;
    for (size_t i = 0; i < 4; i++) {
        unsigned digit = plumb_hex_digit(text[i]);

        if (digit > 15) /* the zero byte behind the text too */
            return false;
        *out = *out << 4 | digit;
    }
    return true;
}

/* " [10de:2335]" */
static bool read_pair(const char *text, uint32_t *vendor, uint32_t *device)
{
    return text[0] == ' ' && text[1] == '[' && read_hex4(text + 2, vendor) && text[6] == ':' &&
           read_hex4(text + 7, device) && text[11] == ']';
}

static const char *read_bus_id(struct plumb_hwloc_reader *rd, const struct plumb_xml *e)
{
    const struct plumb_slice *v = value_of(e, "pci_busid");
    char text[PLUMB_BUS_ID_SIZE];

    if (v == NULL || !plumb_bus_id_read(v->text, v->len, text)) {
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, v == NULL ? e->at : v->at,
                          "a PCI device has %s%s%s, expected a 'pci_busid' such as '0000:1b:00.0'",
                          v == NULL ? "no bus id" : "'", v == NULL ? "" : v->text,
                          v == NULL ? "" : "'");
        return NULL;
    }
    return plumb_intern_str(rd->s->intern, text);
}

/* "0302 [10de:2335] [10de:18bf] a1": class, vendor:device, subsystem, revision. */
static void read_ids(struct plumb_hwloc_reader *rd, const struct plumb_xml *e,
                     struct plumb_hwloc_pci *p)
{
    enum { CLASS = 4, PAIR = 12 }; /* what they are long */
    const struct plumb_slice *v = value_of(e, "pci_type");
    uint32_t vendor = 0, device = 0;

    if (v == NULL)
        return;
    if (!read_hex4(v->text, &p->class_code) || !read_pair(v->text + CLASS, &vendor, &device)) {
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, v->at,
                          "'%s' is no PCI type, expected one such as '0302 [10de:2335]'", v->text);
        return;
    }
    p->vendor = (uint16_t)vendor;
    p->device = (uint16_t)device;
    if (read_pair(v->text + CLASS + PAIR, &vendor, &device)) {
        p->subsystem_vendor = (uint16_t)vendor;
        p->subsystem_device = (uint16_t)device;
    }
}

/* "63.015385" GB/s as MB/s, cut. 0 for what is no such number. */
static uint32_t read_speed(const struct plumb_xml *e)
{
    enum { WHOLE = 6, MILLI = 3 }; /* digits in front of the point, and taken of those behind */
    const struct plumb_slice *v = value_of(e, "pci_link_speed");
    const char *at = v == NULL ? "" : v->text;
    size_t whole = strspn(at, DIGITS), part = 0;
    uint32_t mbytes = 0;

    if (whole == 0 || whole > WHOLE || (at[whole] != '.' && at[whole] != '\0'))
        return 0;
    for (size_t i = 0; i < whole; i++)
        mbytes = mbytes * 10 + (uint32_t)(at[i] - '0');
    at += whole + (at[whole] == '.');
    part = strspn(at, DIGITS);
    if (at[part] != '\0' || (part == 0 && at[-1] == '.'))
        return 0;
    for (size_t i = 0; i < MILLI; i++)
        mbytes = mbytes * 10 + (i < part ? (uint32_t)(at[i] - '0') : 0);
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
        .link_mbytes = read_speed(e),
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

/* Since 3.0 a device may be of several kinds, one bit each (hwloc_obj_osdev_types_t). */
static enum plumb_hwloc_osdev_kind kind_of_bits(uint64_t bits)
{
    static const struct {
        uint64_t bits;
        enum plumb_hwloc_osdev_kind kind;
    } kinds[] = {
        {1 << 0 | 1 << 1, PLUMB_HWLOC_BLOCK}, /* storage, memory */
        {1 << 5, PLUMB_HWLOC_OPENFABRICS},
        {1 << 4, PLUMB_HWLOC_NETWORK},
        {1 << 6, PLUMB_HWLOC_DMA},
        {1 << 3, PLUMB_HWLOC_COPROC},
    };

    for (size_t i = 0; i < PLUMB_COUNT(kinds); i++) {
        if ((bits & kinds[i].bits) != 0)
            return kinds[i].kind;
    }
    return PLUMB_HWLOC_GPU;
}

/* False when the attribute is missing or beyond what the format has. */
static bool read_kind(const struct plumb_hwloc_reader *rd, const struct plumb_slice *v,
                      enum plumb_hwloc_osdev_kind *out)
{
    enum { BITS = 0x7f }; /* all that 3.0 knows */
    uint64_t n = 0;

    if (v == NULL || !plumb_read_u64(v->text, v->len, &n))
        return false;
    *out = rd->major < 3 ? (enum plumb_hwloc_osdev_kind)n : kind_of_bits(n);
    return rd->major < 3 ? n <= PLUMB_HWLOC_COPROC : n > 0 && n <= BITS;
}

static void add_osdev(struct plumb_hwloc_reader *rd, const struct plumb_xml *e, uint32_t pci,
                      const struct plumb_hwloc_obj *near)
{
    struct plumb_hwloc *h = rd->out;
    const struct plumb_slice *name = value_of(e, "name"), *kind = value_of(e, "osdev_type");
    enum plumb_hwloc_osdev_kind type = PLUMB_HWLOC_BLOCK;

    if (name == NULL) /* hwloc itself tolerates it; nobody can name such a device */
        return;
    if (!read_kind(rd, kind, &type)) {
        plumb_hwloc_fault(rd, PLUMB_HW_OBJECT, kind == NULL ? e->at : kind->at,
                          "OS device '%s' has no 'osdev_type' from %s", name->text,
                          rd->major < 3 ? "0 to 5" : "1 to 127");
        return;
    }
    h->osdevs = plumb_arena_grow(rd->s->arena, h->osdevs, h->osdev_count, &rd->osdev_cap,
                                 sizeof(*h->osdevs));
    h->osdevs[h->osdev_count++] = (struct plumb_hwloc_osdev){
        .name = plumb_intern_str(rd->s->intern, name->text),
        .subtype = plumb_xml_value(e, "subtype"),
        .kind = type,
        .pci = pci,
        .gp_index = plumb_hwloc_gp(rd, e),
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

/* A square over OS devices; what: it in words. False: reported. */
static bool read_square(struct plumb_hwloc_reader *rd, const struct plumb_xml *e, const char *what,
                        struct plumb_hwloc_square *out)
{
    const struct plumb_slice *n = value_of(e, "nbobjs");
    uint64_t count = 0;

    if (n == NULL || !plumb_read_u64(n->text, n->len, &count) || count < 2 ||
        count > PLUMB_MAX_GPUS) {
        plumb_hw_report(rd->s, PLUMB_HW_DISTANCES, n == NULL ? e->at : n->at,
                        "'nbobjs' of the %s matrix is not between 2 and %d", what, PLUMB_MAX_GPUS);
        return false;
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
                        "the %s matrix does not hold %zu indexes and %zu values", what,
                        (size_t)count, (size_t)(count * count));
        return false;
    }
    if (kinds)
        through_switches(rd, values, (size_t)count, switches);
    for (size_t i = 0; i < count; i++)
        osdevs[i] = osdev_of(rd->out, gp[i]);
    *out = (struct plumb_hwloc_square){osdevs, (size_t)count, values, e->at};
    return true;
}

void plumb_hwloc_distances(struct plumb_hwloc_reader *rd, const struct plumb_xml *topology)
{
    for (uint32_t i = 0; i < topology->child_count; i++) {
        const struct plumb_xml *e = topology->children[i];
        const char *name = plumb_xml_value(e, "name"), *type = plumb_xml_value(e, "type");

        struct plumb_hwloc_square square = {0};

        if (!plumb_starts_with(e->name, "distances2") || name == NULL ||
            (strcmp(e->name, "distances2hetero") != 0 &&
             (type == NULL || strcmp(type, "OSDev") != 0)))
            continue;
        if (strcmp(name, "NVLinkBandwidth") == 0 && read_square(rd, e, "NVLink", &square)) {
            rd->out->nvlink = square.osdevs;
            rd->out->nvlink_count = square.count;
            rd->out->nvlink_mbytes = square.values;
            rd->out->nvlink_at = square.at;
        } else if (strcmp(name, "XGMIHops") == 0) {
            (void)read_square(rd, e, "XGMI", &rd->out->xgmi);
        }
    }
}
