/* SPDX-License-Identifier: Apache-2.0 */
/* Files of manifests to objects. */
#include "kube/object.h"

#include <string.h>

#include "base/map.h"
#include "base/path.h"
#include "base/text.h"
#include "kube/rules.h"
#include "kube/value.h"
#include "syntax/json.h"
#include "syntax/yaml.h"

/* Alerts have actions of their own in texts, which Prometheus fills in. */
static bool is_of_alert(const char *at, uint32_t len)
{
    static const char *const names[] = {"$labels", "$value", "$externalLabels", "$externalURL"};
    uint32_t skip = 2;

    while (skip < len && (at[skip] == '-' || plumb_is_blank(at[skip])))
        skip++;
    for (size_t i = 0; i < PLUMB_COUNT(names); i++) {
        size_t n = strlen(names[i]);

        if (len - skip > n && memcmp(at + skip, names[i], n) == 0)
            return true;
    }
    return false;
}

/* Nothing but a key stands before the colon: "a: b: {{" is text with a colon in it. */
static bool is_key(const char *bytes, uint32_t colon)
{
    uint32_t begin = colon;

    while (begin > 0 && bytes[begin - 1] != '\n')
        begin--;
    for (uint32_t i = begin; i < colon; i++) {
        if (bytes[i] == ':' && plumb_is_blank(bytes[i + 1]))
            return false;
    }
    return true;
}

/* A line whose first text is an action of Go's templates, or a value that is one. */
static uint32_t template_action(const struct plumb_source *src)
{
    for (uint32_t i = 0; i + 1 < src->len; i++) {
        const char *at = memchr(src->bytes + i, '{', src->len - i);
        uint32_t before = 0;

        if (at == NULL)
            break;
        i = (uint32_t)(at - src->bytes);
        if (i + 1 >= src->len || src->bytes[i + 1] != '{' || is_of_alert(at, src->len - i))
            continue;
        before = i;
        while (before > 0 && (src->bytes[before - 1] == ' ' || src->bytes[before - 1] == '\t'))
            before--;
        if (before == 0 || src->bytes[before - 1] == '\n' ||
            (src->bytes[before - 1] == ':' && before < i && is_key(src->bytes, before - 1)))
            return i;
    }
    return UINT32_MAX;
}

/* Which of two values of a key counts, as those say who read manifests. */
static void tell_duplicates(struct plumb_session *s, size_t before)
{
    for (size_t i = before; i < s->sink.count; i++) {
        struct plumb_diag *d = s->sink.items[i];

        if (strcmp(d->rule->code, "YAML004") == 0)
            d->message = plumb_arena_printf(
                s->arena, "%.*s; kustomize and helm refuse the file, kubectl takes the last one",
                (int)strcspn(d->message, ";"), d->message);
    }
}

/* Half of what kubectl prints of a node is who wrote which field, and which images are cached. */
static const struct plumb_json_past bookkeeping[] = {
    {"metadata", "managedFields"}, {"status", "images"},          {"status", "conditions"},
    {"status", "volumesInUse"},    {"status", "volumesAttached"},
};

struct plumb_kube_file plumb_kube_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct plumb_kube_file file = {.src = src};
    const char *begin = plumb_source_begin(src);
    uint32_t action = 0;

    if (begin[0] == '{' && begin[1] != '{') {
        struct plumb_node *root =
            plumb_json_read_past(s, src, bookkeeping, PLUMB_COUNT(bookkeeping));

        if (root == NULL)
            return file;
        file.documents = PLUMB_NEW_ARRAY(s->arena, 1, struct plumb_node *);
        file.documents[file.count++] = root;
        return file;
    }
    action = template_action(src);
    if (action != UINT32_MAX) {
        plumb_kube_report(s, PLUMB_KUBE_TEMPLATE,
                          ((struct plumb_span){src->id, action, action + 2}),
                          "the file is a template and is not read, expected what it renders to "
                          "(helm template)");
        return file;
    }

    size_t before = s->sink.count;
    struct plumb_yaml *yaml = plumb_yaml_read(s, src);

    tell_duplicates(s, before);

    file.documents = yaml->documents;
    file.count = yaml->count;
    return file;
}

/* ---- charts ---- */

/* Sections that nothing else has; others, such as controller:, prove nothing alone. */
static const struct {
    const char *flavour, *name, *section;
} chart_sections[] = {
    {"slinky-chart", "slurm", "nodesets:"},
    {"slinky-chart", "slurm", "nodesetDefaults:"},
    {"slinky-chart", "slurm", "loginsets:"},
    {"slinky-chart", "slurm", "loginsetDefaults:"},
    {"slinky-chart", "slurm", "slurmKey:"},
    {"slinky-chart", "slurm", "jwtKey:"},
    {"sunk-chart", "slurm", "slurmConfig:"},
    {"sunk-chart", "slurm", "nsscache:"},
    {"sunk-chart", "slurm", "sunkDevicePlugin:"},
    {"gpu-operator-chart", "gpu-operator", "migManager:"},
    {"gpu-operator-chart", "gpu-operator", "dcgmExporter:"},
    {"gpu-operator-chart", "gpu-operator", "vgpuManager:"},
    {"gpu-operator-chart", "gpu-operator", "sandboxWorkloads:"},
};

/* Sections that tell charts apart which have one of those above, too: Soperator's and its releases.
 */
static const char *const other_charts[] = {
    "slurmNodes:", "populateJail:", "k8sNodeFilters:", "slurmCluster:",
    "soperator:",  "nodeExporter:", "volumeSources:",  "soperatorActiveChecks:"};

static bool begins(const char *line, size_t len, const char *section)
{
    size_t want = strlen(section);

    return len >= want && memcmp(line, section, want) == 0;
}

static bool is_other_chart(const char *line, size_t len)
{
    for (size_t i = 0; i < PLUMB_COUNT(other_charts); i++) {
        if (begins(line, len, other_charts[i]))
            return true;
    }
    return false;
}

const char *plumb_kube_values_sniff(const char *text, size_t len)
{
    const char *found = NULL;

    for (size_t at = 0; at < len;) {
        const char *nl = memchr(text + at, '\n', len - at);
        size_t end = nl == NULL ? len : (size_t)(nl - text);

        if (is_other_chart(text + at, end - at))
            return NULL;
        for (size_t i = 0; found == NULL && i < PLUMB_COUNT(chart_sections); i++) {
            if (begins(text + at, end - at, chart_sections[i].section))
                found = chart_sections[i].flavour;
        }
        at = end + 1;
    }
    return found;
}

static const char *chart_name(const char *flavour)
{
    for (size_t i = 0; flavour != NULL && i < PLUMB_COUNT(chart_sections); i++) {
        if (strcmp(chart_sections[i].flavour, flavour) == 0)
            return chart_sections[i].name;
    }
    return chart_sections[0].name;
}

static const char *text_of(const struct plumb_node *n)
{
    const char *text = plumb_node_text(n);

    return text == NULL ? "" : text;
}

static bool is_list(const struct plumb_node *n)
{
    const struct plumb_node *items = plumb_node_get(n, "items");

    return items != NULL && items->kind == PLUMB_SEQUENCE &&
           plumb_ends_with(text_of(plumb_node_get(n, "kind")), "List");
}

static void add(struct plumb_session *s, struct plumb_kube_objects *to,
                const struct plumb_source *src, const struct plumb_node *n, bool values)
{
    const struct plumb_node *name = plumb_node_path(n, "metadata/name");
    const struct plumb_node *kind = plumb_node_get(n, "kind");
    const struct plumb_node *api = plumb_node_get(n, "apiVersion");
    bool nameless =
        kind == NULL && plumb_starts_with(plumb_path_base(src->path), "kustomization.y");
    bool kustomization = nameless || (api == NULL && (strcmp(text_of(kind), "Kustomization") == 0 ||
                                                      strcmp(text_of(kind), "Component") == 0));

    const char *chart = values ? plumb_kube_values_sniff(src->bytes, src->len) : NULL;

    if (values && chart == NULL) /* somebody said that it is values */
        chart = chart_sections[0].flavour;
    to->items = plumb_arena_grow(s->arena, to->items, to->count, &to->cap, sizeof(*to->items));
    to->items[to->count++] = (struct plumb_kube_object){
        .src = src,
        .root = n,
        .api = values          ? "values"
               : kustomization ? "kustomize.config.k8s.io/v1beta1"
                               : text_of(api),
        .kind = values     ? chart_name(chart)
                : nameless ? "Kustomization"
                           : text_of(kind),
        .name = text_of(name),
        .space = text_of(plumb_node_path(n, "metadata/namespace")),
        .name_at = name != NULL   ? name->at
                   : kind != NULL ? kind->at
                                  : n->at,
        .values = values,
        .chart = chart,
    };
}

static void add_document(struct plumb_session *s, struct plumb_kube_objects *to,
                         const struct plumb_source *src, const struct plumb_node *n, bool values,
                         unsigned depth)
{
    if (n->kind != PLUMB_MAPPING) {
        plumb_kube_report(s, PLUMB_KUBE_NO_KIND, n->at,
                          "found %s, expected an object with 'apiVersion' and 'kind'",
                          plumb_kube_json_name(plumb_kube_json_of(n)));
        return;
    }
    if (!is_list(n) || depth > 2) {
        add(s, to, src, n, values);
        return;
    }

    const struct plumb_node *items = plumb_node_get(n, "items");

    for (uint32_t i = 0; i < items->count; i++)
        add_document(s, to, src, items->items[i], values, depth + 1);
}

void plumb_kube_add(struct plumb_session *s, struct plumb_kube_objects *to,
                    const struct plumb_kube_file *file, bool values)
{
    for (size_t i = 0; i < file->count; i++)
        add_document(s, to, file->src, file->documents[i], values, 0);
}

bool plumb_kube_is_kustomization(const struct plumb_kube_object *o)
{
    return plumb_starts_with(o->api, "kustomize.config.k8s.io/");
}

/* The path of an entry of a kustomization, as the files of the run are shown; NULL: it is text. */
static const char *entry_path(struct plumb_session *s, const struct plumb_source *from,
                              const struct plumb_node *entry)
{
    const char *text =
        plumb_node_text(entry->kind == PLUMB_MAPPING ? plumb_node_get(entry, "path") : entry);

    if (text == NULL || strchr(text, '\n') != NULL)
        return NULL;
    while (plumb_starts_with(text, "./"))
        text += 2;
    return plumb_path_join(s->scratch, plumb_path_folder(s->scratch, from->path), text);
}

/* The files that some sections of a kustomization list. */
static struct plumb_map listed(struct plumb_session *s,
                               const struct plumb_kube_object *kustomization,
                               const char *const *sections, size_t count)
{
    struct plumb_map paths = plumb_map_in(s->scratch);

    for (size_t l = 0; l < count; l++) {
        const struct plumb_node *list = plumb_node_get(kustomization->root, sections[l]);

        for (uint32_t k = 0; list != NULL && list->kind == PLUMB_SEQUENCE && k < list->count; k++) {
            const char *path = entry_path(s, kustomization->src, list->items[k]);

            if (path != NULL)
                (void)plumb_map_entry(&paths, path, strlen(path));
        }
    }
    return paths;
}

static bool has_path(const struct plumb_map *paths, const char *path)
{
    return plumb_map_find(paths, path, strlen(path)) != NULL;
}

/* A file beside a kustomization that does not list it is no resource either. */
static void mark_patches_of(struct plumb_session *s, struct plumb_kube_objects *objects,
                            const struct plumb_kube_object *kustomization)
{
    static const char *const parts[] = {"patches", "patchesStrategicMerge", "patchesJson6902"};
    static const char *const wholes[] = {"resources", "components", "bases", "crds"};
    struct plumb_map patches = listed(s, kustomization, parts, PLUMB_COUNT(parts));
    struct plumb_map resources = listed(s, kustomization, wholes, PLUMB_COUNT(wholes));
    const char *folder = plumb_path_folder(s->scratch, kustomization->src->path);

    for (size_t i = 0; i < objects->count; i++) {
        struct plumb_kube_object *o = &objects->items[i];
        const char *path = o->src->path;

        if (!plumb_kube_is_kustomization(o) && !o->patch)
            o->patch = has_path(&patches, path) ||
                       (!has_path(&resources, path) &&
                        strcmp(plumb_path_folder(s->scratch, path), folder) == 0);
    }
}

void plumb_kube_mark_patches(struct plumb_session *s, struct plumb_kube_objects *objects)
{
    for (size_t i = 0; i < objects->count; i++) {
        if (plumb_kube_is_kustomization(&objects->items[i]))
            mark_patches_of(s, objects, &objects->items[i]);
    }
}
