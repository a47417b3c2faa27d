/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of NVIDIA's MIG manager: a document of YAML in a ConfigMap (mig-parted, api/spec/v1). */
#include <string.h>

#include "passes/lift_kube.h"
#include "syntax/yaml.h"

/* One entry of a named configuration: some GPUs and what they are cut into. */
static void lift_entry(struct plumb_kube_lifter *l, const struct plumb_node *name,
                       const struct plumb_node *entry)
{
    const struct plumb_node *slices = plumb_node_get(entry, "mig-devices");
    struct plumb_kube_model *m = l->to;
    struct plumb_kube_layout *layout = NULL;

    m->layouts =
        plumb_arena_grow(l->a, m->layouts, m->layout_count, &m->layout_cap, sizeof(*m->layouts));
    layout = &m->layouts[m->layout_count++];
    layout->name = plumb_kube_text(l, name);
    layout->filtered = plumb_node_get(entry, "device-filter") != NULL;
    if (slices == NULL || slices->kind != PLUMB_MAPPING)
        return;
    layout->items = PLUMB_NEW_ARRAY(l->a, slices->count, struct plumb_kube_slices);
    for (uint32_t i = 0; i < slices->count; i++)
        layout->items[layout->count++] =
            (struct plumb_kube_slices){.profile = {.v = slices->pairs[i].key->scalar.text,
                                                   .at = slices->pairs[i].key->at,
                                                   .origin = PLUMB_GIVEN},
                                       .count = plumb_kube_number(slices->pairs[i].value)};
}

static void lift_text(struct plumb_kube_lifter *l, const struct plumb_slice *text)
{
    struct plumb_yaml *yaml =
        plumb_yaml_read(l->session, plumb_source_view(&l->session->sources, text));
    const struct plumb_node *all =
        yaml->count == 0 ? NULL : plumb_node_get(yaml->documents[0], "mig-configs");

    for (uint32_t i = 0; all != NULL && all->kind == PLUMB_MAPPING && i < all->count; i++) {
        const struct plumb_node *entries = all->pairs[i].value;

        for (uint32_t k = 0; entries->kind == PLUMB_SEQUENCE && k < entries->count; k++)
            lift_entry(l, all->pairs[i].key, entries->items[k]);
    }
}

void plumb_kube_lift_layouts(struct plumb_kube_lifter *l)
{
    for (size_t i = 0; i < l->to->thing_count; i++) {
        const struct plumb_kube_thing *t = &l->to->things[i];

        for (size_t k = 0; plumb_kube_has_texts(t) && k < t->key_count; k++) {
            if (strcmp(t->keys[k].name.v, "config.yaml") == 0 &&
                plumb_slice_holds(&t->keys[k].value, "mig-configs:"))
                lift_text(l, &t->keys[k].value);
        }
    }
}
