/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `nvidia-smi -q -x`: of each GPU its name, bus id, minor number and MIG devices. Element names of
 * readings changed between the versions of its DTD; those used here did not.
 */
#include <string.h>

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

/* "00000000:1B:00.0" as the kernel writes it: "0000:1b:00.0". NULL: it is none. */
static const char *read_bus_id(struct plumb_session *s, const struct plumb_slice *v)
{
    char *text = plumb_arena_strndup(s->arena, v->text, v->len);
    size_t colon = strcspn(text, ":"), digits = 0;

    for (size_t i = 0; i < v->len; i++) {
        text[i] = plumb_lower(text[i]);
        if (strchr("0123456789abcdef:.", text[i]) == NULL)
            return NULL;
        digits += text[i] != ':' && text[i] != '.';
    }
    if (colon < 4 || colon > 8 || digits != colon + 5 || v->len != colon + 8 ||
        text[colon + 3] != ':' || text[colon + 6] != '.')
        return NULL;
    while (colon > 4 && text[0] == '0') {
        text++;
        colon--;
    }
    return plumb_intern_str(s->intern, text);
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
            .at = e->at,
        };
    }
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
        .minor = PLUMB_SMI_NO_MINOR,
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
    out->minor = (uint32_t)v;
    out->minor_at = minor->at;
    return true;
}

struct plumb_smi_gpus *plumb_smi_query_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct plumb_smi_gpus *out = PLUMB_NEW(s->arena, struct plumb_smi_gpus);
    const struct plumb_xml *root = plumb_xml_read(s, src);
    size_t faults = root == NULL;

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
