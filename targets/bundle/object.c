/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of objects that all flavours write alike. */
#include "bundle/bundle.h"

#include <string.h>

const char *plumb_bundle_named(struct plumb_bundle *b, const char *what)
{
    return plumb_arena_printf(b->a, "%s-%s", b->plan->name.v, what);
}

struct plumb_node *plumb_bundle_map(struct plumb_bundle *b, struct plumb_node *m, const char *key)
{
    struct plumb_node *n = plumb_node_mapping(b->a, b->plan->at);

    plumb_node_set(b->a, m, key, n);
    return n;
}

struct plumb_node *plumb_bundle_holder(struct plumb_bundle *b, struct plumb_node *m,
                                       const char *path, const char **key)
{
    for (const char *dot = strchr(path, '.'); dot != NULL; dot = strchr(path, '.')) {
        const char *part = plumb_arena_strndup(b->a, path, (size_t)(dot - path));
        struct plumb_node *next = plumb_node_get(m, part);

        m = next != NULL ? next : plumb_bundle_map(b, m, part);
        path = dot + 1;
    }
    *key = path;
    return m;
}

void plumb_bundle_text(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                       const struct plumb_text *t)
{
    if (t->v != NULL)
        plumb_node_set(b->a, m, key, plumb_node_string(b->a, t->v, t->at));
}

static struct plumb_node *new_object(struct plumb_bundle *b, const char *api, const char *kind)
{
    struct plumb_node *root = plumb_node_mapping(b->a, b->plan->at);

    plumb_node_set_string(b->a, root, "apiVersion", api);
    plumb_node_set_string(b->a, root, "kind", kind);
    return root;
}

struct plumb_node *plumb_bundle_object(struct plumb_bundle *b, const char *api, const char *kind,
                                       const char *name, const char *component)
{
    struct plumb_node *root = new_object(b, api, kind);
    struct plumb_node *meta = plumb_bundle_map(b, root, "metadata"), *labels = NULL;

    plumb_node_set_string(b->a, meta, "name", name);
    plumb_bundle_text(b, meta, "namespace", &b->plan->space);
    labels = plumb_bundle_map(b, meta, "labels");
    plumb_node_set_string(b->a, labels, "app.kubernetes.io/component", component);
    plumb_node_set_string(b->a, labels, "app.kubernetes.io/instance", b->plan->name.v);
    plumb_node_set_string(b->a, labels, "app.kubernetes.io/managed-by", "plumb");
    plumb_node_set_string(b->a, labels, "app.kubernetes.io/part-of", "slurm");
    return root;
}

struct plumb_node *plumb_bundle_namespace(struct plumb_bundle *b, const char *level)
{
    static const char *const modes[] = {"audit", "enforce", "warn"};
    struct plumb_node *root = new_object(b, "v1", "Namespace");
    struct plumb_node *meta = plumb_bundle_map(b, root, "metadata"), *labels = NULL;

    plumb_bundle_text(b, meta, "name", &b->plan->space);
    labels = plumb_bundle_map(b, meta, "labels");
    plumb_node_set_string(b->a, labels, "app.kubernetes.io/managed-by", "plumb");
    for (size_t i = 0; i < PLUMB_COUNT(modes); i++)
        plumb_node_set_string(b->a, labels,
                              plumb_arena_printf(b->a, "pod-security.kubernetes.io/%s", modes[i]),
                              level);
    return root;
}

void plumb_bundle_name_ref(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                           const char *name)
{
    plumb_node_set_string(b->a, plumb_bundle_map(b, m, key), "name", name);
}

void plumb_bundle_secret(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                         const struct plumb_kube_secret *s)
{
    struct plumb_node *ref = plumb_bundle_map(b, m, key);

    plumb_bundle_text(b, ref, "name", &s->name);
    plumb_bundle_text(b, ref, "key", &s->key);
}

void plumb_bundle_image(struct plumb_bundle *b, struct plumb_node *m, const char *container,
                        const struct plumb_text *image)
{
    if (image->v != NULL)
        plumb_bundle_text(b, plumb_bundle_map(b, m, container), "image", image);
}

const char *plumb_bundle_quantity(struct plumb_bundle *b, uint64_t mib)
{
    bool whole = mib % 1024 == 0;

    return plumb_arena_printf(b->a, "%llu%s", (unsigned long long)(whole ? mib / 1024 : mib),
                              whole ? "Gi" : "Mi");
}

/* ---- where pods run ---- */

static void add_tolerations(struct plumb_bundle *b, struct plumb_node *list,
                            const struct plumb_kube_tolerances *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct plumb_node *one = plumb_node_mapping(b->a, all->items[i].at);

        plumb_bundle_text(b, one, "key", &all->items[i].key);
        plumb_bundle_text(b, one, "operator", &all->items[i].op);
        plumb_bundle_text(b, one, "value", &all->items[i].value);
        plumb_bundle_text(b, one, "effect", &all->items[i].effect);
        plumb_node_append(b->a, list, one);
    }
}

bool plumb_bundle_tolerates(const struct plumb_bundle *b, const struct plumb_kube_class *class)
{
    return b->plan->tolerations.count > 0 || (class != NULL && class->tolerations.count > 0);
}

void plumb_bundle_tolerations(struct plumb_bundle *b, struct plumb_node *m, const char *key,
                              const struct plumb_kube_class *class)
{
    struct plumb_node *list = NULL;

    if (!plumb_bundle_tolerates(b, class))
        return;
    list = plumb_node_sequence(b->a, b->plan->at);
    add_tolerations(b, list, &b->plan->tolerations);
    if (class != NULL)
        add_tolerations(b, list, &class->tolerations);
    plumb_node_set(b->a, m, key, list);
}

void plumb_bundle_selector(struct plumb_bundle *b, struct plumb_node *m,
                           const struct plumb_kube_class *class)
{
    struct plumb_node *labels = NULL;

    if (class->selector_count == 0)
        return;
    labels = plumb_bundle_map(b, m, "nodeSelector");
    for (size_t i = 0; i < class->selector_count; i++)
        plumb_bundle_text(b, labels, class->selector[i].label.v, &class->selector[i].value);
}

/* ---- volumes ---- */

static void put_claim(struct plumb_bundle *b, struct plumb_node *m, const struct plumb_text *access,
                      const struct plumb_text *class, const struct plumb_u64 *bytes)
{
    struct plumb_node *modes = plumb_node_sequence(b->a, b->plan->at);

    plumb_node_append(b->a, modes, plumb_node_string(b->a, access->v, access->at));
    plumb_node_set(b->a, m, "accessModes", modes);
    plumb_bundle_text(b, m, "storageClassName", class);
    if (plumb_usable(*bytes))
        plumb_node_set(
            b->a, plumb_bundle_map(b, plumb_bundle_map(b, m, "resources"), "requests"), "storage",
            plumb_node_string(b->a, plumb_bundle_quantity(b, (bytes->v + 1048575) / 1048576),
                              bytes->at));
}

void plumb_bundle_storage(struct plumb_bundle *b, struct plumb_node *m)
{
    const struct plumb_kube_plan *p = b->plan;
    struct plumb_text access = p->storage_access;

    if (access.v == NULL)
        access.v = "ReadWriteOnce";
    put_claim(b, m, &access, &p->storage_class, &p->state_bytes);
}

static struct plumb_node *new_claim(struct plumb_bundle *b, const char *name, const char *component)
{
    return plumb_bundle_object(b, "v1", "PersistentVolumeClaim", name, component);
}

struct plumb_node *plumb_bundle_claim(struct plumb_bundle *b, const char *component)
{
    struct plumb_node *root = new_claim(b, b->plan->claim.v, component);

    plumb_bundle_storage(b, plumb_bundle_map(b, root, "spec"));
    return root;
}

struct plumb_node *plumb_bundle_shared_claim(struct plumb_bundle *b, const char *component,
                                             const struct plumb_text *name,
                                             const struct plumb_text *class,
                                             const struct plumb_u64 *bytes)
{
    struct plumb_node *root = new_claim(b, name->v, component);
    struct plumb_text access = {.v = "ReadWriteMany", .at = name->at, .origin = PLUMB_DERIVED};

    put_claim(b, plumb_bundle_map(b, root, "spec"), &access, class, bytes);
    return root;
}
