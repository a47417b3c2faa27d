/* SPDX-License-Identifier: Apache-2.0 */
/* Looking into a specification that was read. */
#include "spec/tree.h"

#include <string.h>

#include "base/intern.h"

enum { MANY_ENTRIES = 32 };

void plumb_spec_index(struct plumb_arena *a, struct plumb_spec_value *map)
{
    uint32_t *slots = NULL;
    size_t want = (size_t)MANY_ENTRIES * 2;

    if (map->count < MANY_ENTRIES)
        return;
    while (want < map->count * 2)
        want *= 2;
    slots = PLUMB_NEW_ARRAY(a, want, uint32_t);
    for (size_t i = map->count; i > 0; i--) { /* the last of equal names is found first */
        const char *name = map->items[i - 1].name;
        size_t at = (size_t)plumb_hash_quick(name, strlen(name)) & (want - 1);

        while (slots[at] != 0)
            at = (at + 1) & (want - 1);
        slots[at] = (uint32_t)i;
    }
    map->slots = slots;
    map->slot_count = want;
}

static const struct plumb_spec_value *find_slot(const struct plumb_spec_value *map,
                                                const char *name)
{
    size_t mask = map->slot_count - 1;
    size_t at = (size_t)plumb_hash_quick(name, strlen(name)) & mask;

    for (; map->slots[at] != 0; at = (at + 1) & mask) {
        const struct plumb_spec_value *v = &map->items[map->slots[at] - 1];

        if (strcmp(v->name, name) == 0)
            return v;
    }
    return NULL;
}

const struct plumb_spec_value *plumb_spec_get(const struct plumb_spec_value *map, const char *name)
{
    if (map == NULL || map->shape != PLUMB_SHAPE_MAP)
        return NULL;
    if (map->slots != NULL)
        return find_slot(map, name);
    for (size_t i = map->count; i > 0; i--) {
        if (strcmp(map->items[i - 1].name, name) == 0)
            return &map->items[i - 1];
    }
    return NULL;
}

const struct plumb_spec_value *plumb_spec_path(const struct plumb_spec_value *map, const char *path)
{
    const struct plumb_spec_value *v = map;

    while (v != NULL && *path != '\0') {
        size_t len = strcspn(path, "/");
        const struct plumb_spec_value *found = NULL;

        for (size_t i = v->shape == PLUMB_SHAPE_MAP ? v->count : 0; i > 0 && found == NULL; i--) {
            if (strlen(v->items[i - 1].name) == len && memcmp(v->items[i - 1].name, path, len) == 0)
                found = &v->items[i - 1];
        }
        v = found;
        path += len + (path[len] == '/');
    }
    return v;
}

enum plumb_release plumb_spec_release(const struct plumb_spec *spec)
{
    const struct plumb_spec_value *v = plumb_spec_get(&spec->root, "slurm");

    return v != NULL && plumb_usable(*v) ? (enum plumb_release)v->number : PLUMB_RELEASE_NONE;
}

static struct plumb_slice text_of(const struct plumb_spec_value *map, const char *key)
{
    const struct plumb_spec_value *v = plumb_spec_get(map, key);

    return v != NULL && plumb_usable(*v) ? v->text : (struct plumb_slice){.text = ""};
}

size_t plumb_spec_ignores(const struct plumb_spec *spec, struct plumb_arena *a,
                          struct plumb_spec_ignore **out)
{
    const struct plumb_spec_value *list = plumb_spec_get(&spec->root, "ignore");
    size_t count = list != NULL && list->shape == PLUMB_SHAPE_LIST ? list->count : 0;

    *out = PLUMB_NEW_ARRAY(a, count, struct plumb_spec_ignore);
    for (size_t i = 0; i < count; i++)
        (*out)[i] = (struct plumb_spec_ignore){
            .rule = text_of(&list->items[i], "rule"),
            .reason = text_of(&list->items[i], "reason"),
            .until = text_of(&list->items[i], "until"),
            .at = list->items[i].at,
        };
    return count;
}

/* topology: names a key of captures:, or is a path or a built-in reference itself. */
static struct plumb_spec_capture capture_of(const struct plumb_spec *spec,
                                            const struct plumb_spec_value *v)
{
    const struct plumb_spec_value *named =
        plumb_spec_get(plumb_spec_get(&spec->root, "captures"), v->text.text);

    if (named != NULL && plumb_usable(*named))
        v = named;
    return (struct plumb_spec_capture){.name = v->text.text, .at = v->at};
}

bool plumb_spec_capture_of(const struct plumb_spec *spec, const struct plumb_spec_value *nodes,
                           const char *path, struct plumb_spec_capture *out)
{
    const struct plumb_spec_value *v = plumb_spec_path(nodes, path);

    if (v == NULL || v->shape != PLUMB_SHAPE_SCALAR || !plumb_usable(*v))
        return false;
    *out = capture_of(spec, v);
    return true;
}

size_t plumb_spec_captures(const struct plumb_spec *spec, struct plumb_arena *a,
                           struct plumb_spec_capture **out)
{
    const struct plumb_spec_value *nodes = plumb_spec_get(&spec->root, "nodes");
    size_t classes = nodes != NULL && nodes->shape == PLUMB_SHAPE_MAP ? nodes->count : 0;
    size_t count = 0;

    *out = PLUMB_NEW_ARRAY(a, 2 * classes, struct plumb_spec_capture);
    for (size_t i = 0; i < classes; i++) {
        if (plumb_spec_capture_of(spec, &nodes->items[i], "topology", &(*out)[count]))
            count++;
        if (plumb_spec_capture_of(spec, &nodes->items[i], "kubernetes/allocatable", &(*out)[count]))
            count++;
    }
    return count;
}
