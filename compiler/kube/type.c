/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup in the generated tables of kinds. */
#include "kube/type.h"

#include <string.h>

#include "base/text.h"

const struct plumb_kube_kind *plumb_kube_kind_find(const struct plumb_kube_table *t,
                                                   const char *api, const char *kind)
{
    for (; t != NULL; t = t->below) {
        for (size_t i = 0; i < t->kind_count; i++) {
            if (strcmp(t->kinds[i].api, api) == 0 && strcmp(t->kinds[i].kind, kind) == 0)
                return &t->kinds[i];
        }
    }
    return NULL;
}

const struct plumb_kube_writes *plumb_kube_writes_of(const struct plumb_kube_table *t)
{
    while (t != NULL && t->writes == NULL)
        t = t->below;
    return t == NULL ? NULL : t->writes;
}

/* The row says the path, or something that the path is in. */
static bool covers(const struct plumb_kube_frozen *row, const char *kind, const char *path)
{
    size_t len = strlen(kind);
    const char *field = row->field + len + 1;

    if (strncmp(row->field, kind, len) != 0 || row->field[len] != ' ')
        return false;
    len = strlen(field);
    return strncmp(path, field, len) == 0 &&
           (path[len] == '\0' || path[len] == '.' || path[len] == '[');
}

const struct plumb_kube_frozen *plumb_kube_frozen_at(const struct plumb_kube_table *t,
                                                     const char *kind, const char *path)
{
    for (; t != NULL; t = t->below) {
        for (size_t i = 0; i < t->frozen_count; i++) {
            if (covers(&t->frozen[i], kind, path))
                return &t->frozen[i];
        }
    }
    return NULL;
}

const struct plumb_kube_table *plumb_kube_table_find(const char *flavour, const char *release)
{
    const struct plumb_kube_table *found = NULL;

    for (size_t i = 0; i < plumb_kube_table_count; i++) {
        const struct plumb_kube_table *t = &plumb_kube_tables[i];

        if (strcmp(t->flavour, flavour) == 0 &&
            (release == NULL || strcmp(t->release, release) == 0))
            found = t;
    }
    return found;
}

const char *plumb_kube_flavour_of(const char *api)
{
    static const struct {
        const char *group, *flavour;
    } groups[] = {
        {"slinky.slurm.net/", "slinky"},
        {"slurm.nebius.ai/", "soperator"},
        {"slurm.coreweave.com/", "sunk"},
        {"nvidia.com/", "gpu-operator"},
        {"monitoring.coreos.com/", "prometheus-operator"},
        {"external-secrets.io/", "external-secrets"},
        {"bitnami.com/", "sealed-secrets"},
    };

    for (size_t i = 0; i < PLUMB_COUNT(groups); i++) {
        if (plumb_starts_with(api, groups[i].group))
            return groups[i].flavour;
    }
    return NULL;
}

const struct plumb_kube_field *plumb_kube_field_find(const struct plumb_kube_type *t,
                                                     const char *name)
{
    size_t low = 0, high = t->field_count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = strcmp(t->fields[mid].name, name);

        if (order == 0)
            return &t->fields[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}
