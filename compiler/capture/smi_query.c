/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `nvidia-smi -q -x`: of each GPU its name, bus id, minor number and MIG devices. Element names of
 * readings changed between the versions of its DTD; those used here did not.
 */
#include <string.h>

#include "base/bus_id.h"
#include "base/limits.h"
#include "base/num.h"
#include "base/text.h"
#include "capture/rules.h"
#include "capture/smi_gpus.h"
#include "syntax/xml.h"

static struct plumb_slice text_of(const struct plumb_xml *e)
{
    struct plumb_slice out = {.text = ""};

    if (e == NULL || e->text == NULL)
        return out;
    out.text = e->text;
    out.len = (uint32_t)strlen(e->text);
    out.at = e->at;
    return out;
}

/* NULL: it is none. */
static const char *read_bus_id(struct plumb_session *s, const struct plumb_slice *v)
{
    char text[PLUMB_BUS_ID_SIZE];

    return plumb_bus_id_read(v->text, v->len, text) ? plumb_intern_str(s->intern, text) : NULL;
}

static enum plumb_mig_mode mig_mode(const struct plumb_xml *gpu)
{
    const struct plumb_xml *mode = plumb_xml_child(gpu, "mig_mode");
    struct plumb_slice now = text_of(mode == NULL ? NULL : plumb_xml_child(mode, "current_mig"));

    if (strcmp(now.text, "Enabled") == 0)
        return PLUMB_MIG_ON;
    return strcmp(now.text, "Disabled") == 0 || strcmp(now.text, "N/A") == 0 ? PLUMB_MIG_OFF
                                                                             : PLUMB_MIG_UNKNOWN;
}

/* A number of an element, with a unit behind it or none; absent where there is none. */
static struct plumb_u64 number_of(const struct plumb_xml *e)
{
    struct plumb_slice text = text_of(e);
    uint64_t v = 0;
    size_t digits = plumb_read_digits(text.text, text.len, &v);

    if (digits == 0 || digits == SIZE_MAX)
        return (struct plumb_u64){0};
    return (struct plumb_u64){.v = v, .at = text.at, .origin = PLUMB_DERIVED};
}

/* The memory of the instance, in MiB (fb_memory_usage/total). */
static struct plumb_u64 memory_of(const struct plumb_xml *e)
{
    const struct plumb_xml *usage = plumb_xml_child(e, "fb_memory_usage");

    return number_of(usage == NULL ? NULL : plumb_xml_child(usage, "total"));
}

static void read_migs(struct plumb_session *s, const struct plumb_xml *gpu,
                      struct plumb_smi_gpu *out)
{
    const struct plumb_xml *list = plumb_xml_child(gpu, "mig_devices");

    for (uint32_t i = 0; list != NULL && i < list->child_count; i++) {
        const struct plumb_xml *e = list->children[i];

        if (strcmp(e->name, "mig_device") != 0)
            continue;
        out->mig =
            plumb_arena_grow(s->arena, out->mig, out->mig_count, &out->mig_cap, sizeof(*out->mig));
        out->mig[out->mig_count++] = (struct plumb_smi_mig){
            .profile = {.text = ""},
            .uuid = text_of(plumb_xml_child(e, "uuid")),
            .gpu_instance = number_of(plumb_xml_child(e, "gpu_instance_id")),
            .compute_instance = number_of(plumb_xml_child(e, "compute_instance_id")),
            .memory_mib = memory_of(e),
            .at = e->at,
        };
    }
}

/* "N/A" without such a fabric, and a cluster of zeros on machines with an NVSwitch of their own. */
static void read_fabric(const struct plumb_xml *gpu, struct plumb_smi_gpus *out)
{
    const struct plumb_xml *fabric = plumb_xml_child(gpu, "fabric");
    struct plumb_slice cluster, clique;

    if (fabric == NULL || out->cluster.len > 0)
        return;
    cluster = text_of(plumb_xml_child(fabric, "clusterUuid"));
    clique = text_of(plumb_xml_child(fabric, "cliqueId"));
    if (cluster.len == 0 || clique.len == 0 || strcmp(cluster.text, "N/A") == 0 ||
        strcmp(clique.text, "N/A") == 0 || strspn(cluster.text, "0-") == cluster.len)
        return;
    out->cluster = cluster;
    out->clique = clique;
}

/* False after a finding. */
static bool read_gpu(struct plumb_session *s, const struct plumb_xml *e, struct plumb_smi_gpu *out)
{
    const struct plumb_xml_attr *id = plumb_xml_attr(e, "id");
    const struct plumb_xml *minor = plumb_xml_child(e, "minor_number");
    struct plumb_slice text = text_of(minor);
    uint64_t v = 0;

    *out = (struct plumb_smi_gpu){
        .name = text_of(plumb_xml_child(e, "product_name")),
        .uuid = text_of(plumb_xml_child(e, "uuid")),
        .minor = PLUMB_NO(minor),
        .mig_mode = mig_mode(e),
        .at = e->at,
    };
    read_migs(s, e, out);
    if (id == NULL) {
        plumb_hw_report(s, PLUMB_HW_SMI_QUERY, e->at,
                        "a GPU has no 'id', expected its bus id such as '00000000:1B:00.0'");
        return false;
    }
    out->bus_id = read_bus_id(s, &id->value);
    if (out->bus_id == NULL) {
        plumb_hw_report(s, PLUMB_HW_SMI_QUERY, id->value.at,
                        "'%s' is no bus id, expected one such as '00000000:1B:00.0'",
                        id->value.text);
        return false;
    }
    out->bus_at = id->value.at;
    if (!plumb_read_u64(text.text, text.len, &v)) /* N/A on some drivers, and under vGPU */
        return true;
    if (v > 65535) {
        plumb_hw_report(s, PLUMB_HW_SMI_QUERY, minor->at,
                        "minor number %llu is above 65535, expected that of /dev/nvidia<minor>",
                        (unsigned long long)v);
        return false;
    }
    out->minor.n = (uint32_t)v;
    out->minor_at = minor->at;
    return true;
}

struct plumb_smi_gpus *plumb_smi_query_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct plumb_smi_gpus *out = PLUMB_NEW(s->arena, struct plumb_smi_gpus);
    bool damaged = false;
    const struct plumb_xml *root = plumb_xml_read_part(s, src, &damaged);
    size_t faults = root == NULL || damaged; /* some GPUs are not all */

    out->src = src;
    for (uint32_t i = 0; root != NULL && i < root->child_count; i++) {
        struct plumb_smi_gpu gpu;

        if (strcmp(root->children[i]->name, "gpu") != 0 || out->count >= PLUMB_MAX_GPUS)
            continue;
        if (!read_gpu(s, root->children[i], &gpu)) {
            faults++;
            continue;
        }
        out->items =
            plumb_arena_grow(s->arena, out->items, out->count, &out->cap, sizeof(*out->items));
        out->items[out->count++] = gpu;
        read_fabric(root->children[i], out);
    }
    if (faults == 0 && out->count == 0) {
        plumb_hw_report(s, PLUMB_HW_SMI_QUERY, root->at,
                        "'%s' holds no 'gpu', expected the output of 'nvidia-smi -q -x'",
                        root->name);
        faults++;
    }
    if (faults == 0)
        return out;
    s->sink.incomplete = true;
    return NULL;
}

bool plumb_smi_query_sniff(const char *text, size_t len)
{
    enum { LOOK_AT = 4096 };
    static const char root[] = "<nvidia_smi_log";
    size_t end = len < LOOK_AT ? len : LOOK_AT;

    for (size_t i = 0; i + sizeof(root) <= end; i++) {
        if (text[i] == '<' && memcmp(text + i, root, sizeof(root) - 1) == 0)
            return true;
    }
    return false;
}
