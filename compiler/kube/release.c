/* SPDX-License-Identifier: Apache-2.0 */
/* Which release of each operator a run is about. */
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "kube/object.h"
#include "kube/rules.h"

static const char *const flavours[PLUMB_KUBE_OWNERS] = {
    [PLUMB_KUBE_SLINKY] = "slinky",
    [PLUMB_KUBE_SOPERATOR] = "soperator",
    [PLUMB_KUBE_SUNK] = "sunk",
    [PLUMB_KUBE_SLINKY_CHART] = "slinky-chart",
    [PLUMB_KUBE_SUNK_CHART] = "sunk-chart",
    [PLUMB_KUBE_GPU_OPERATOR] = "gpu-operator",
    [PLUMB_KUBE_GPU_CHART] = "gpu-operator-chart",
    [PLUMB_KUBE_PROMETHEUS] = "prometheus-operator",
    [PLUMB_KUBE_EXTERNAL_SECRETS] = "external-secrets",
    [PLUMB_KUBE_SEALED_SECRETS] = "sealed-secrets",
    [PLUMB_KUBE_K8S] = "k8s",
};

enum plumb_kube_owner plumb_kube_owner_of(const struct plumb_kube_object *o)
{
    const char *flavour = o->values ? o->chart : plumb_kube_flavour_of(o->api);

    for (size_t i = 0; flavour != NULL && i < PLUMB_COUNT(flavours); i++) {
        if (strcmp(flavours[i], flavour) == 0)
            return (enum plumb_kube_owner)i;
    }
    return PLUMB_KUBE_K8S;
}

static const char *known(struct plumb_arena *a)
{
    struct plumb_buf out = plumb_buf_in(a);

    for (size_t i = 0; i < plumb_kube_table_count; i++)
        plumb_buf_printf(&out, "%s%s=%s", i == 0 ? "" : ", ", plumb_kube_tables[i].flavour,
                         plumb_kube_tables[i].release);
    return plumb_buf_text(&out);
}

/* "slinky=1.2.1" to its place; false: there is none. */
static bool choose_one(struct plumb_arena *a, const char *word, struct plumb_kube_releases *out)
{
    size_t len = strcspn(word, "=");
    const char *flavour = plumb_arena_strndup(a, word, len);

    for (size_t i = 0; word[len] == '=' && i < PLUMB_COUNT(flavours); i++) {
        if (strcmp(flavours[i], flavour) != 0)
            continue;
        out->of[i] = plumb_kube_table_find(flavour, word + len + 1);
        return out->of[i] != NULL;
    }
    return false;
}

const char *plumb_kube_releases_read(struct plumb_arena *a, const char *text,
                                     struct plumb_kube_releases *out)
{
    while (*text != '\0') {
        size_t len = strcspn(text, ",");
        const char *word = plumb_arena_strndup(a, text, len);

        if (!choose_one(a, word, out))
            return plumb_arena_printf(a, "unknown release '%s', expected one of %s", word,
                                      known(a));
        text += len + (text[len] == ',');
    }
    return NULL;
}

/* "slurm-1.2.1" of the label that charts give their objects. */
static const struct plumb_kube_table *of_chart(const struct plumb_kube_object *o,
                                               const char *flavour)
{
    const struct plumb_node *labels = plumb_node_path(o->root, "metadata/labels");
    const char *chart = plumb_node_text(plumb_node_get(labels, "helm.sh/chart"));
    const char *dash = chart == NULL ? NULL : strrchr(chart, '-');

    return dash == NULL ? NULL : plumb_kube_table_find(flavour, dash + 1);
}

/* Images of Soperator have the operator's release as their tag. */
static const struct plumb_kube_table *of_image(const struct plumb_kube_object *o,
                                               const char *flavour)
{
    const char *tag = plumb_node_text(plumb_node_path(o->root, "spec/slurmd/image/tag"));

    return tag == NULL ? NULL : plumb_kube_table_find(flavour, tag);
}

static const struct plumb_kube_table *told(const struct plumb_kube_objects *objects, size_t owner)
{
    const struct plumb_kube_table *t = NULL;

    for (size_t i = 0; i < objects->count && t == NULL; i++) {
        const struct plumb_kube_object *o = &objects->items[i];

        if (plumb_kube_owner_of(o) != owner)
            continue;
        t = of_chart(o, flavours[owner]);
        if (t == NULL)
            t = of_image(o, flavours[owner]);
    }
    return t;
}

/* Only where another would say something else. */
static void tell_assumed(struct plumb_session *s, const struct plumb_kube_objects *objects,
                         size_t owner, const struct plumb_kube_table *newest)
{
    const struct plumb_kube_table *other = NULL;

    for (size_t i = 0; i < plumb_kube_table_count; i++) {
        if (strcmp(plumb_kube_tables[i].flavour, flavours[owner]) == 0 &&
            &plumb_kube_tables[i] != newest)
            other = &plumb_kube_tables[i];
    }
    for (size_t i = 0; other != NULL && i < objects->count; i++) {
        const struct plumb_kube_object *o = &objects->items[i];
        const struct plumb_node *version = plumb_node_get(o->root, "apiVersion");
        struct plumb_diag *d = NULL;

        if (plumb_kube_owner_of(o) != owner)
            continue;
        d = plumb_kube_report(s, PLUMB_KUBE_ASSUMED, version == NULL ? o->root->at : version->at,
                              "nothing tells the release of %s; %s is assumed", flavours[owner],
                              newest->release);
        plumb_diag_help(d, "say which: --kubernetes %s=%s", flavours[owner], other->release);
        return;
    }
}

void plumb_kube_choose(struct plumb_session *s, const struct plumb_kube_objects *objects,
                       struct plumb_kube_releases *releases)
{
    for (size_t i = 0; i < PLUMB_COUNT(flavours); i++) {
        if (releases->of[i] == NULL)
            releases->of[i] = told(objects, i);
        if (releases->of[i] != NULL)
            continue;
        releases->of[i] = plumb_kube_table_find(flavours[i], NULL);
        tell_assumed(s, objects, i, releases->of[i]);
    }
}
