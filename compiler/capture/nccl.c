/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of an NCCL file as flat lists: cpu elements, pci elements, and what is in these. */
#include "capture/nccl.h"

#include <string.h>

#include "base/limits.h"
#include "base/num.h"
#include "base/pci.h"
#include "base/text.h"
#include "schema/nccl.h"

struct reader {
    struct plumb_session *s;
    struct plumb_nccl *out;
};

static const char *intern(struct reader *rd, const struct plumb_xml_attr *a)
{
    return a == NULL ? NULL : plumb_intern_text(rd->s->intern, a->value.text, a->value.len);
}

/* Decimal or 0x: as xmlGetAttrInt does. 0 when it is not there or no number that fits. */
static uint32_t number(const struct plumb_xml *e, const char *name)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(e, name);
    uint64_t v = 0;

    if (a == NULL || !plumb_read_c_u64(a->value.text, a->value.len, &v) || v > UINT32_MAX)
        return 0;
    return (uint32_t)v;
}

static uint32_t link_of(const struct plumb_xml *e)
{
    const char *speed = plumb_xml_value(e, "link_speed");
    uint32_t width = number(e, "link_width");

    for (size_t i = 0; speed != NULL && i < PLUMB_NCCL_SPEED_COUNT; i++) {
        if (plumb_starts_with(speed, plumb_nccl_speeds[i].text) && width > 0 && width <= 32)
            return (uint32_t)(((uint64_t)plumb_nccl_speeds[i].lane * width + 500) / 1000);
    }
    return 0;
}

static void read_links(struct reader *rd, const struct plumb_xml *gpu, struct plumb_nccl_pci *pci)
{
    pci->links = PLUMB_NEW_ARRAY(rd->s->arena, gpu->child_count, struct plumb_nccl_nvlink);
    for (uint32_t i = 0; i < gpu->child_count; i++) {
        const struct plumb_xml *e = gpu->children[i];
        const char *target = intern(rd, plumb_xml_attr(e, "target"));
        const char *tclass = intern(rd, plumb_xml_attr(e, "tclass"));

        if (strcmp(e->name, "nvlink") != 0 || target == NULL)
            continue;
        pci->links[pci->link_count++] = (struct plumb_nccl_nvlink){
            .target = target,
            .tclass = tclass == NULL ? "" : tclass,
            .count = number(e, "count"),
            .at = e->at,
        };
    }
}

static void read_gpu(struct reader *rd, const struct plumb_xml *e, struct plumb_nccl_pci *pci)
{
    if (pci->is_gpu)
        return; /* RCCL shows several partitions of one device */
    pci->is_gpu = true;
    if (plumb_xml_attr(e, "dev") != NULL)
        pci->dev = number(e, "dev");
    if (plumb_xml_attr(e, "rank") != NULL && rd->out->rank_count++ == 0)
        rd->out->first_rank = e->at;
    read_links(rd, e, pci);
}

static void read_nic(struct reader *rd, const struct plumb_xml *e, struct plumb_nccl_pci *pci)
{
    pci->is_nic = true;
    if (pci->net != NULL)
        return;
    pci->nets = PLUMB_NEW_ARRAY(rd->s->arena, e->child_count, struct plumb_nccl_net);
    for (uint32_t i = 0; i < e->child_count; i++) {
        const struct plumb_xml *net = e->children[i];
        const char *guid = plumb_xml_value(net, "guid");
        struct plumb_nccl_net port = {.name = intern(rd, plumb_xml_attr(net, "name")),
                                      .mbits = number(net, "speed")};

        if (strcmp(net->name, "net") != 0 || port.name == NULL)
            continue;
        if (pci->net_count == 0) {
            pci->net = port.name;
            pci->net_mbits = port.mbits;
            pci->plain = guid != NULL && strcmp(guid, "0x0") == 0;
        }
        pci->nets[pci->net_count++] = port;
    }
}

static struct plumb_text lower_text(struct reader *rd, const struct plumb_xml *e, const char *name)
{
    const struct plumb_xml_attr *a = plumb_xml_attr(e, name);
    char *copy = NULL;

    if (a == NULL)
        return (struct plumb_text){.at = e->at};
    copy = plumb_arena_strndup(rd->s->scratch, a->value.text, a->value.len);
    for (char *c = copy; *c != '\0'; c++)
        *c = plumb_lower(*c);
    return (struct plumb_text){
        .v = plumb_intern_str(rd->s->intern, copy), .at = a->value.at, .origin = PLUMB_GIVEN};
}

/* One pci element without the pci elements in it. */
static uint32_t add_pci(struct reader *rd, const struct plumb_xml *e, uint32_t parent,
                        uint32_t numa)
{
    struct plumb_nccl *out = rd->out;
    const char *class = intern(rd, plumb_xml_attr(e, "class"));
    struct plumb_nccl_pci pci = {
        .bus_id = lower_text(rd, e, "busid"),
        .class_text = class,
        .class_code = number(e, "class") >> 8,
        .vendor = (uint16_t)number(e, "vendor"),
        .device = (uint16_t)number(e, "device"),
        .subsystem_vendor = (uint16_t)number(e, "subsystem_vendor"),
        .subsystem_device = (uint16_t)number(e, "subsystem_device"),
        .link_mbytes = link_of(e),
        .numa = numa,
        .parent = parent,
        .dev = PLUMB_NCCL_NONE,
        .at = e->at,
    };

    for (uint32_t i = 0; i < e->child_count; i++) {
        const struct plumb_xml *child = e->children[i];

        pci.bridge = pci.bridge || strcmp(child->name, "pci") == 0;
        if (strcmp(child->name, "gpu") == 0)
            read_gpu(rd, child, &pci);
        else if (strcmp(child->name, "nic") == 0)
            read_nic(rd, child, &pci);
    }
    pci.bridge = pci.bridge || (class != NULL && pci.class_code == PLUMB_PCI_BRIDGE);
    pci.is_gpu = pci.is_gpu || (!pci.bridge && pci.class_code >> 8 == 0x03);
    pci.is_nic = pci.is_nic || (!pci.bridge && pci.class_code >> 8 == 0x02);
    out->pci =
        plumb_arena_grow(rd->s->arena, out->pci, out->pci_count, &out->pci_cap, sizeof(*out->pci));
    out->pci[out->pci_count] = pci;
    return (uint32_t)out->pci_count++;
}

/* The dialect's reader limits the depth. */
static void walk_pci(struct reader *rd, const struct plumb_xml *above, uint32_t parent,
                     uint32_t numa)
{
    for (uint32_t i = 0; i < above->child_count; i++) {
        const struct plumb_xml *e = above->children[i];

        if (strcmp(e->name, "pci") == 0)
            walk_pci(rd, e, add_pci(rd, e, parent, numa), numa);
    }
}

static void read_cpu(struct reader *rd, const struct plumb_xml *e)
{
    struct plumb_nccl *out = rd->out;
    const struct plumb_xml_attr *id = plumb_xml_attr(e, "numaid");
    const struct plumb_xml_attr *mask = plumb_xml_attr(e, "affinity");
    struct plumb_nccl_numa cpu = {
        .numaid = {.at = id == NULL ? e->at : id->value.at, .origin = PLUMB_BAD},
        .arch = intern(rd, plumb_xml_attr(e, "arch")),
        .vendor = intern(rd, plumb_xml_attr(e, "vendor")),
        .family = number(e, "familyid"),
        .model = number(e, "modelid"),
        .at = e->at,
    };

    if (id != NULL && plumb_read_u64(id->value.text, id->value.len, &cpu.numaid.v) &&
        cpu.numaid.v < UINT32_MAX)
        cpu.numaid.origin = PLUMB_GIVEN;
    if (mask != NULL)
        cpu.affinity =
            (struct plumb_text){.v = intern(rd, mask), .at = mask->value.at, .origin = PLUMB_GIVEN};
    out->cpus = plumb_arena_grow(rd->s->arena, out->cpus, out->cpu_count, &out->cpu_cap,
                                 sizeof(*out->cpus));
    out->cpus[out->cpu_count++] = cpu;
    walk_pci(rd, e, PLUMB_NCCL_NONE, (uint32_t)out->cpu_count - 1);
}

struct plumb_nccl *plumb_nccl_read(struct plumb_session *s, const struct plumb_source *src,
                                   bool judged)
{
    const struct plumb_nccl_xml *x = plumb_nccl_xml_read(s, src);
    struct reader rd = {.s = s};

    if (x->system == NULL || (judged && !plumb_nccl_judge(s, x)))
        return NULL;
    rd.out = PLUMB_NEW(s->arena, struct plumb_nccl);
    rd.out->src = src;
    rd.out->at = x->system->at;
    for (uint32_t i = 0; i < x->system->child_count; i++) {
        if (strcmp(x->system->children[i]->name, "cpu") == 0)
            read_cpu(&rd, x->system->children[i]);
    }
    return rd.out;
}

bool plumb_nccl_mask(struct plumb_arena *a, const char *text, uint64_t **words, uint32_t *count)
{
    enum { GROUPS = PLUMB_MAX_PUS / 32 };
    size_t len = strlen(text), groups = 1, digits = 0, group = 0;

    for (size_t i = 0; i < len; i++)
        groups += text[i] == ',';
    if (len == 0 || groups > GROUPS)
        return false;
    *count = (uint32_t)(groups + 1) / 2;
    *words = PLUMB_NEW_ARRAY(a, *count, uint64_t);
    for (size_t i = len; i > 0; i--) {
        uint64_t v = plumb_hex_digit(text[i - 1]);

        if (text[i - 1] == ',') {
            group++;
            digits = 0;
            continue;
        }
        if (v > 15 || digits == 8)
            return false;
        (*words)[group / 2] |= v << (group % 2 * 32 + digits * 4);
        digits++;
    }
    return true;
}

/* "<system" is the first tag outside of comments. */
bool plumb_nccl_sniff(const char *text, size_t len)
{
    static const char word[] = "<system";

    for (size_t i = 0; i < len;) {
        if (len - i >= 4 && memcmp(text + i, "<!--", 4) == 0) {
            for (i += 4; i < len && (len - i < 3 || memcmp(text + i, "-->", 3) != 0); i++)
                ;
            i += 3;
        } else if (text[i] == '<' && i + 1 < len && (text[i + 1] == '?' || text[i + 1] == '!')) {
            while (i < len && text[i] != '>')
                i++;
        } else if (text[i] == '<') {
            return len - i > sizeof(word) && memcmp(text + i, word, sizeof(word) - 1) == 0 &&
                   strchr(" \t\r\n/>", text[i + sizeof(word) - 1]) != NULL;
        } else {
            i++;
        }
    }
    return false;
}
