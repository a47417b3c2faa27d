/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of compute.nodes with their definitions; passes/sunk_entry.h. */
#include "passes/sunk_entry.h"

#include <string.h>

#include "base/map.h"
#include "kube/value.h"

struct plumb_sunk_entry plumb_sunk_entry(struct plumb_arena *a, const struct plumb_node *root,
                                         const struct plumb_pair *pair)
{
    const struct plumb_node *all = plumb_node_path(root, "compute/nodes");
    const struct plumb_node *names = plumb_node_get(pair->value, "definitions");
    uint32_t count = names == NULL || names->kind != PLUMB_SEQUENCE ? 0 : names->count;
    struct plumb_sunk_entry e = {
        .name = plumb_node_text(pair->key),
        .at = pair->key->at,
        .layers = PLUMB_NEW_ARRAY(a, (size_t)count + 1, const struct plumb_node *),
        .whole = true};

    e.layers[e.count++] = pair->value;
    for (uint32_t i = count; i-- > 0;) {
        const char *name = plumb_node_text(names->items[i]);
        const struct plumb_node *one = name == NULL ? NULL : plumb_node_get(all, name);

        if (one != NULL)
            e.layers[e.count++] = one;
        else
            e.whole = false;
    }
    return e;
}

const struct plumb_node *plumb_sunk_said(const struct plumb_sunk_entry *e, const char *path)
{
    for (size_t i = 0; i < e->count; i++) {
        const struct plumb_node *n = plumb_node_path(e->layers[i], path);

        if (n != NULL && plumb_kube_json_of(n) != PLUMB_KUBE_IS_NULL)
            return n;
    }
    return NULL;
}

const struct plumb_node *plumb_sunk_list(struct plumb_arena *a, const struct plumb_sunk_entry *e,
                                         const char *path)
{
    struct plumb_map words = plumb_map_in(a);
    struct plumb_node *all = NULL;

    for (size_t i = 0; i < e->count; i++) {
        const struct plumb_node *list = plumb_node_path(e->layers[i], path);

        if (list == NULL || list->kind != PLUMB_SEQUENCE)
            continue;
        if (all == NULL)
            all = plumb_node_sequence(a, list->at);
        for (uint32_t k = 0; k < list->count; k++) {
            const struct plumb_slice *word = &list->items[k]->scalar;
            size_t before = words.count;

            if (list->items[k]->kind == PLUMB_SCALAR)
                (void)plumb_map_entry(&words, word->text, word->len);
            if (list->items[k]->kind != PLUMB_SCALAR || words.count > before)
                plumb_node_append(a, all, list->items[k]);
        }
    }
    return all;
}
